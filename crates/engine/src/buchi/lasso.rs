//! What is known about one lasso: it is infeasible, it is ranked, or nothing.
//!
//! The order follows the rule that arguments without the stem come first: they need no supporting invariant, so their
//! modules rule out more words. (1) The cycle alone has no execution. (2) The cycle alone has a ranking function. (3)
//! Stem and cycle together have no execution. (4) They have a ranking function with supporting invariants. Before all
//! that, parts of the cycle that are independent of the rest are ranked on their own. Everything found becomes a
//! [`Module`], which must rule out the lasso by its own Hoare checks; a mistake in the linear part can lose a proof but
//! never make a wrong one.

use super::cuts::{CutGraph, PathId};
use super::module::{Module, Rank};
use super::streett::LassoWord;
use super::triples::Triples;
use crate::lasso_ranking::{self, Affine, LinearLasso, RankingOptions, Template, dnf_rows, without_arrays};
use base::{Budget, IdVec, Stop};
use ir::{Icfg, LocId, VarId, primed};
use logic::{
    FastMap, FastSet, ItpOptions, ItpTree, Rational, SatResult, Solver, SortId, Substitution, TermId, TermPool,
    UnknownReason,
};
use smt::SmtSolver;
use std::time::Duration;

/// A sequence of paths as formulas over versions of the variables.
pub(super) struct Unrolled {
    /// One formula per path.
    pub formulas: Vec<TermId>,
    /// The constants of the variables before each path and after the last.
    pub versions: Vec<IdVec<VarId, TermId>>,
}

/// The formulas of a sequence of paths; the values before it are the variables themselves.
pub(super) fn unroll(pool: &mut TermPool, icfg: &Icfg, graph: &CutGraph, paths: &[PathId]) -> Unrolled {
    let mut now: IdVec<VarId, TermId> = icfg.vars.values().map(|v| v.term).collect();
    let mut unrolled = Unrolled { formulas: Vec::new(), versions: vec![now.clone()] };
    for (k, &path) in paths.iter().enumerate() {
        let transition = &graph.paths[path].transition;
        let copy = u32::try_from(k).unwrap_or(u32::MAX - 8).saturating_add(1);
        let mut renaming = Substitution::new();
        for (v, &constant) in now.iter() {
            renaming.insert(icfg.vars[v].term, constant);
        }
        let mut after = now.clone();
        for &v in &transition.assigned {
            let term = icfg.vars[v].term;
            after[v] = pool.indexed(term, copy);
            renaming.insert(primed(pool, term), after[v]);
        }
        for &aux in &transition.aux {
            let fresh = pool.indexed(aux, copy);
            renaming.insert(aux, fresh);
        }
        unrolled.formulas.push(renaming.apply(pool, transition.formula));
        now = after;
        unrolled.versions.push(now.clone());
    }
    unrolled
}

impl Unrolled {
    /// A formula over variables, at a position.
    fn at(&self, pool: &mut TermPool, icfg: &Icfg, position: usize, formula: TermId) -> TermId {
        let versions = &self.versions[position];
        let mut renaming = Substitution::from_pairs(icfg.vars.iter().map(|(v, var)| (var.term, versions[v])));
        renaming.apply(pool, formula)
    }
    /// A formula over the constants of a position, over variables again.
    fn back(&self, pool: &mut TermPool, icfg: &Icfg, position: usize, formula: TermId) -> TermId {
        let versions = &self.versions[position];
        let mut renaming = Substitution::from_pairs(icfg.vars.iter().map(|(v, var)| (versions[v], var.term)));
        renaming.apply(pool, formula)
    }
}

/// The answer to "does `{pre} paths {post}` hold?".
enum Segment {
    /// It does: formulas over variables for the positions before each path and after the last.
    Valid(Vec<TermId>),
    Invalid,
    Unknown,
}

const TRACE_LIMIT: Duration = Duration::from_secs(4);
/// How many facts about the state after the stem are tried as invariants.
const MAX_FACTS: usize = 12;
/// How many facts are guessed, and from how many writes to arrays.
const MAX_GUESSES: usize = 80;
const MAX_WRITTEN_CELLS: usize = 4;
/// Variables are compared with each other if there are no more than this.
const MAX_COMPARED: usize = 8;
/// How many independent parts of a cycle are ranked on their own.
const MAX_PARTS: usize = 8;
/// The time for one guess, and for all guesses about a stem or a cycle.
const ALL_FACTS_LIMIT: Duration = Duration::from_millis(1200);
const FACT_LIMIT: Duration = Duration::from_millis(250);
/// The largest number of modules with the same rank, each for one place.
const TIMES_BEFORE_EVERYWHERE: usize = 2;
/// How many array cells a ranking function may speak about.
const MAX_CELLS: usize = 8;

pub(super) struct Analysis<'a, 'b> {
    pub pool: &'a mut TermPool,
    pub icfg: &'a Icfg,
    pub triples: &'a mut Triples<'b>,
    pub ranking: &'a RankingOptions,
    /// How many modules there are for each rank.
    pub found: &'a FastMap<Vec<TermId>, usize>,
    pub budget: &'a Budget,
}

impl Analysis<'_, '_> {
    /// A module that rules out the lasso, if one is found.
    pub(super) fn refute(&mut self, lasso: &LassoWord) -> Result<Option<Module>, Stop> {
        let whole: Vec<PathId> = lasso.stem.iter().chain(&lasso.cycle).copied().collect();
        for part in self.parts(lasso) {
            if let Some(module) = self.ranked(lasso, None, Some(&part))? {
                return Ok(Some(module));
            }
        }
        if let Segment::Valid(predicates) = self.segment(TermId::TRUE, &lasso.cycle, TermId::FALSE)?
            && let Some(module) = self.infeasible(lasso, &predicates)?
        {
            return Ok(Some(module));
        }
        if let Some(module) = self.walks_towards_a_cell(lasso)? {
            return Ok(Some(module));
        }
        if let Some(module) = self.ranked(lasso, None, None)? {
            return Ok(Some(module));
        }
        if !lasso.stem.is_empty() {
            if let Segment::Valid(predicates) = self.segment(TermId::TRUE, &whole, TermId::FALSE)?
                && let Some(module) = self.infeasible(lasso, &predicates)?
            {
                return Ok(Some(module));
            }
            // Facts about variables that the cycle does not read tie the module to what happened before this once.
            let facts = self.stem_facts(lasso)?;
            let cycle = unroll(self.pool, self.icfg, self.triples.graph, &lasso.cycle);
            let read = self.constants_of(&cycle.formulas);
            let own = |f: &TermId| self.pool.free_constants(*f).iter().all(|c| read.contains(c));
            let own: Vec<TermId> = facts.iter().copied().filter(own).collect();
            let is_all = own.len() == facts.len();
            if let Some(module) = self.ranked(lasso, Some(&own), None)? {
                return Ok(Some(module));
            }
            return if is_all { Ok(None) } else { self.ranked(lasso, Some(&facts), None) };
        }
        Ok(None)
    }

    /// Groups of constants of the cycle that have nothing to do with each other; none if there is only one. A ranking
    /// function for one of them is a ranking function for all, and a better one: it holds whatever the others do, even
    /// if they make this very cycle infeasible (as an inner loop that is left too early does).
    fn parts(&mut self, lasso: &LassoWord) -> Vec<FastSet<TermId>> {
        let cycle = unroll(self.pool, self.icfg, self.triples.graph, &lasso.cycle);
        let mut classes = Classes::default();
        for conjunct in self.conjuncts(&cycle.formulas) {
            classes.join(&self.pool.free_constants(conjunct));
        }
        let (first, last) = (&cycle.versions[0], &cycle.versions[lasso.cycle.len()]);
        for v in self.icfg.vars.ids().filter(|v| first[*v] != last[*v]) {
            classes.join(&[first[v], last[v]]);
        }
        let mut groups = classes.groups();
        // Only where something changes can something fall.
        let changes = |group: &FastSet<TermId>| {
            let numeric = |v: &VarId| self.icfg.vars[*v].sort.is_arith();
            self.icfg.vars.ids().any(|v| numeric(&v) && first[v] != last[v] && group.contains(&first[v]))
        };
        let n_groups = groups.len();
        groups.retain(changes);
        groups.truncate(MAX_PARTS);
        if n_groups < 2 { Vec::new() } else { groups }
    }

    /// Checks `{pre} paths {post}` and interpolates.
    fn segment(&mut self, pre: TermId, paths: &[PathId], post: TermId) -> Result<Segment, Stop> {
        let unrolled = unroll(self.pool, self.icfg, self.triples.graph, paths);
        let mut solver = SmtSolver::with_proofs();
        for &axiom in &self.icfg.axioms {
            solver.assert(self.pool, axiom);
        }
        let mut groups = vec![vec![solver.assert(self.pool, pre)]];
        for &formula in &unrolled.formulas {
            groups.push(vec![solver.assert(self.pool, formula)]);
        }
        let end = unrolled.at(self.pool, self.icfg, paths.len(), post);
        let fails = self.pool.not(end);
        groups.push(vec![solver.assert(self.pool, fails)]);
        let limit = self.budget.child(TRACE_LIMIT);
        match solver.check(self.pool, &limit) {
            SatResult::Unsat => {}
            SatResult::Sat => return Ok(Segment::Invalid),
            SatResult::Unknown(UnknownReason::Stopped(_)) => {
                self.budget.check_now()?;
                return Ok(Segment::Unknown);
            }
            SatResult::Unknown(UnknownReason::Incomplete(_)) => return Ok(Segment::Unknown),
        }
        let tree = ItpTree::sequence(groups);
        let Ok(interpolants) = solver.interpolate(self.pool, &tree, ItpOptions::default(), &limit) else {
            self.budget.check_now()?;
            return Ok(Segment::Unknown);
        };
        let mut predicates = Vec::with_capacity(interpolants.len());
        for (position, &interpolant) in interpolants.iter().enumerate() {
            predicates.push(unrolled.back(self.pool, self.icfg, position, interpolant));
        }
        Ok(Segment::Valid(predicates))
    }

    /// The conjuncts of formulas, ghosts or not.
    fn conjuncts(&self, formulas: &[TermId]) -> Vec<TermId> {
        formulas.iter().flat_map(|f| self.pool.conjuncts(*f)).collect()
    }

    fn accepts(&mut self, module: &mut Module, lasso: &LassoWord) -> Result<bool, Stop> {
        module.rules_out(self.pool, self.triples, &lasso.stem, &lasso.cycle, self.budget)
    }

    fn infeasible(&mut self, lasso: &LassoWord, predicates: &[TermId]) -> Result<Option<Module>, Stop> {
        let mut facts = self.conjuncts(predicates);
        let mut module = Module::new(None, facts.clone(), Vec::new());
        if self.accepts(&mut module, lasso)? {
            return Ok(Some(module));
        }
        // Conjunctions can be inductive where their parts are not.
        facts = predicates.to_vec();
        let mut module = Module::new(None, facts, Vec::new());
        Ok(self.accepts(&mut module, lasso)?.then_some(module))
    }

    /// What a ranking function may speak about: the numeric and Boolean variables that a sequence of paths reads, and
    /// the cells of arrays that it reads at the start.
    fn observables(&self, formulas: &[TermId], reads: &[TermId]) -> Vec<TermId> {
        let mut constants: FastSet<TermId> = FastSet::default();
        for &formula in formulas {
            constants.extend(self.pool.free_constants(formula));
        }
        let plain = |sort: SortId| sort.is_arith() || sort == SortId::BOOL;
        let variables: FastSet<TermId> = self.icfg.vars.values().map(|v| v.term).collect();
        let mut result: Vec<TermId> = self
            .icfg
            .vars
            .values()
            .filter(|var| plain(var.sort) && constants.contains(&var.term))
            .map(|var| var.term)
            .collect();
        let at_start = |t: &TermId| {
            plain(self.pool.sort(*t)) && self.pool.free_constants(*t).iter().all(|c| variables.contains(c))
        };
        result.extend(reads.iter().copied().filter(at_start).take(MAX_CELLS));
        result
    }

    /// Formulas of a sequence of paths, and one new constant for the value of each observable at its end.
    fn with_values_at_end(&mut self, unrolled: &Unrolled, observables: &[TermId]) -> (Vec<TermId>, Vec<TermId>) {
        let position = unrolled.versions.len() - 1;
        let mut formulas = unrolled.formulas.clone();
        let mut constants = Vec::with_capacity(observables.len());
        for &observable in observables {
            let value = unrolled.at(self.pool, self.icfg, position, observable);
            let constant = self.pool.fresh_constant("after", self.pool.sort(observable));
            formulas.push(self.pool.eq(constant, value));
            constants.push(constant);
        }
        (formulas, constants)
    }

    /// A module for a ranking function of the cycle, or of a part of it; with facts about the stem, of stem and cycle.
    fn ranked(
        &mut self,
        lasso: &LassoWord,
        stem_facts: Option<&[TermId]>,
        part: Option<&FastSet<TermId>>,
    ) -> Result<Option<Module>, Stop> {
        let limit = self.budget.child(TRACE_LIMIT);
        match self.ranked_within(lasso, stem_facts, part, &limit) {
            Err(Stop::Timeout) => {
                self.budget.check_now()?;
                Ok(None)
            }
            other => other,
        }
    }

    fn ranked_within(
        &mut self,
        lasso: &LassoWord,
        stem_facts: Option<&[TermId]>,
        part: Option<&FastSet<TermId>>,
        limit: &Budget,
    ) -> Result<Option<Module>, Stop> {
        let (icfg, graph) = (self.icfg, self.triples.graph);
        let mut cycle = unroll(self.pool, icfg, graph, &lasso.cycle);
        if let Some(part) = part {
            cycle.formulas = self.conjuncts(&cycle.formulas);
            cycle.formulas.retain(|f| self.pool.free_constants(*f).iter().any(|c| part.contains(c)));
        }
        let with_stem = stem_facts.is_some();
        let facts = stem_facts.unwrap_or_default();
        let (_, reads) = without_arrays(self.pool, &cycle.formulas);
        let spoken_of = [facts, &cycle.formulas[..]].concat();
        let observables = self.observables(&spoken_of, &reads);
        let n = observables.len();
        let (formulas, after) = self.with_values_at_end(&cycle, &observables);
        let columns: Vec<TermId> = observables.iter().chain(&after).copied().collect();
        let formulas = [facts, &formulas[..]].concat();
        let (formulas, _) = without_arrays(self.pool, &formulas);
        let turn = dnf_rows(self.pool, &formulas, &columns, limit)?.disjuncts;
        if part.is_some() {
            let mut possible = false;
            for disjunct in &turn {
                possible |= lasso_ranking::is_satisfiable(disjunct, limit)?;
            }
            if !possible {
                // Anything would rank it.
                return Ok(None);
            }
        }
        let mut stem = vec![lasso_ranking::Polyhedron::default()];
        if with_stem {
            let unrolled = unroll(self.pool, icfg, graph, &lasso.stem);
            let (formulas, end) = self.with_values_at_end(&unrolled, &observables);
            let (formulas, _) = without_arrays(self.pool, &formulas);
            stem = dnf_rows(self.pool, &formulas, &end, limit)?.disjuncts;
        }
        let linear = LinearLasso { n, stem, turn };
        let options = RankingOptions { invariants: with_stem && self.ranking.invariants, ..self.ranking.clone() };
        let Some(ranking) = lasso_ranking::rank(&linear, &options, limit)? else { return Ok(None) };
        let functions: Vec<TermId> = ranking.functions.iter().map(|f| self.affine(f, &observables)).collect();
        let discriminator = ranking.discriminator.as_ref().map(|g| self.affine(g, &observables));
        let components = self.components(ranking.template, &functions, discriminator);
        let mut needed = Vec::new();
        for invariant in &ranking.invariants {
            let value = self.affine(invariant, &observables);
            let zero = self.pool.num(Rational::ZERO, self.pool.sort(value));
            needed.push(self.pool.ge(value, zero));
        }
        for invariant in &ranking.strict_invariants {
            let value = self.affine(invariant, &observables);
            let zero = self.pool.num(Rational::ZERO, self.pool.sort(value));
            needed.push(self.pool.gt(value, zero));
        }
        let honda = graph.paths[lasso.cycle[0]].from;
        if let Some(module) = self.rank_module(lasso, honda, components.clone(), needed.clone())? {
            return Ok(Some(module));
        }
        if facts.is_empty() {
            return Ok(None);
        }
        needed.extend(self.needed_facts(lasso, &components, &needed, facts)?);
        self.rank_module(lasso, honda, components, needed)
    }

    /// Facts about the state after the stem that share a variable with the cycle and are preserved by it. Unlike affine
    /// invariants from linear programs they may be disequalities, about arrays, or hold for integers only.
    fn stem_facts(&mut self, lasso: &LassoWord) -> Result<Vec<TermId>, Stop> {
        let (icfg, graph) = (self.icfg, self.triples.graph);
        let stem = unroll(self.pool, icfg, graph, &lasso.stem);
        let cycle = unroll(self.pool, icfg, graph, &lasso.cycle);
        let mut facts = self.conjuncts_at_end(lasso, &stem, &cycle);
        let guesses = self.guessed_facts(lasso, &stem, &cycle, &facts);
        facts.extend(self.all_after(TermId::TRUE, &stem, &guesses)?);
        // Drop what the cycle does not preserve, until the rest preserves itself.
        loop {
            let pre = self.pool.and(&facts);
            let kept = self.all_after(pre, &cycle, &facts)?;
            if kept.len() == facts.len() {
                return Ok(facts);
            }
            facts = kept;
        }
    }

    /// Conjuncts of the stem that speak about the state at its end.
    fn conjuncts_at_end(&mut self, lasso: &LassoWord, stem: &Unrolled, cycle: &Unrolled) -> Vec<TermId> {
        let read = self.constants_of(&cycle.formulas);
        let at_end: FastSet<TermId> = stem.versions[lasso.stem.len()].values().copied().collect();
        let mut facts: Vec<TermId> = Vec::new();
        for conjunct in self.conjuncts(&stem.formulas) {
            if self.pool.has_quantifier(conjunct)
                || !self.pool.free_constants(conjunct).iter().all(|c| at_end.contains(c))
            {
                continue;
            }
            let fact = stem.back(self.pool, self.icfg, lasso.stem.len(), conjunct);
            let relevant = self.pool.free_constants(fact).iter().any(|c| read.contains(c));
            if relevant && !facts.contains(&fact) && facts.len() < MAX_FACTS {
                facts.push(fact);
            }
        }
        facts
    }

    fn constants_of(&self, formulas: &[TermId]) -> FastSet<TermId> {
        formulas.iter().flat_map(|f| self.pool.free_constants(*f)).collect()
    }

    /// Cells of arrays that the stem wrote and the cycle reads: array, index and value, over the variables at the end
    /// of the stem.
    fn written_cells(&mut self, lasso: &LassoWord, stem: &Unrolled, cycle: &Unrolled) -> Vec<(TermId, TermId, TermId)> {
        let icfg = self.icfg;
        let read = self.constants_of(&cycle.formulas);
        let end = lasso.stem.len();
        let at_end: FastSet<TermId> = stem.versions[end].values().copied().collect();
        let mut cells: Vec<(TermId, TermId, TermId)> = Vec::new();
        let mut stores = Vec::new();
        self.pool.visit_postorder(&stem.formulas, |t| {
            if self.pool.op(t) == logic::Op::Store {
                stores.push(t);
            }
        });
        for store in stores.into_iter().rev() {
            let (index, value) = (self.pool.arg(store, 1), self.pool.arg(store, 2));
            let plain = self.pool.sort(index) == SortId::INT && self.pool.sort(value) == SortId::INT;
            let visible = |t: TermId| self.pool.free_constants(t).iter().all(|c| at_end.contains(c));
            if !plain || !visible(index) || !visible(value) || cells.len() >= MAX_WRITTEN_CELLS {
                continue;
            }
            let (index, value) = (stem.back(self.pool, icfg, end, index), stem.back(self.pool, icfg, end, value));
            let arrays: Vec<TermId> = icfg
                .vars
                .values()
                .filter(|v| v.sort == self.pool.sort(store) && read.contains(&v.term))
                .map(|v| v.term)
                .collect();
            cells.extend(arrays.into_iter().map(|array| (array, index, value)));
        }
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    /// A module for a cycle that walks towards a cell with a known content, as every loop over a string does: the
    /// distance is the rank, and that the cell keeps its content and is not passed are the supporting invariants. This
    /// is tried before any method that enumerates the aliasing of the cells of the cycle.
    fn walks_towards_a_cell(&mut self, lasso: &LassoWord) -> Result<Option<Module>, Stop> {
        let (icfg, graph) = (self.icfg, self.triples.graph);
        let stem = unroll(self.pool, icfg, graph, &lasso.stem);
        let cycle = unroll(self.pool, icfg, graph, &lasso.cycle);
        let cells = self.written_cells(lasso, &stem, &cycle);
        if cells.is_empty() {
            return Ok(None);
        }
        let read = self.constants_of(&cycle.formulas);
        let (first, last) = (&cycle.versions[0], &cycle.versions[lasso.cycle.len()]);
        let walks = |v: &VarId| icfg.vars[*v].sort == SortId::INT && first[*v] != last[*v];
        let walking: Vec<TermId> = icfg.vars.ids().filter(walks).map(|v| icfg.vars[v].term).collect();
        // What walks: variables, and indices that the cycle reads.
        let mut candidates: Vec<TermId> =
            walking.iter().copied().filter(|x| read.contains(x)).take(MAX_COMPARED).collect();
        let variables: FastSet<TermId> = icfg.vars.values().map(|v| v.term).collect();
        let mut indices = Vec::new();
        self.pool.visit_postorder(&cycle.formulas, |t| {
            if self.pool.op(t) == logic::Op::Select {
                indices.push(self.pool.arg(t, 1));
            }
        });
        for index in indices {
            let constants = self.pool.free_constants(index);
            let moves =
                constants.iter().any(|c| walking.contains(c)) && constants.iter().all(|c| variables.contains(c));
            if moves && !candidates.contains(&index) && candidates.len() < 2 * MAX_COMPARED {
                candidates.push(index);
            }
        }
        let honda = graph.paths[lasso.cycle[0]].from;
        for (array, index, value) in cells {
            let cell = self.pool.select(array, index);
            let content = self.pool.eq(cell, value);
            let fixed = !self.pool.free_constants(index).iter().any(|c| walking.contains(c));
            if !fixed || self.all_after(TermId::TRUE, &stem, &[content])?.is_empty() {
                continue;
            }
            for &x in &candidates {
                for (near, far) in [(x, index), (index, x)] {
                    let distance = self.pool.sub(far, near);
                    let ghost = self.pool.fresh_constant("oldrank", SortId::INT);
                    let seeded = self.pool.eq(ghost, distance);
                    let falls = decrease(self.pool, &[distance], &[ghost]);
                    let (not_passed, not_reached) = (self.pool.le(near, far), self.pool.lt(near, far));
                    for needed in [vec![content, not_passed], vec![content, not_passed, not_reached]] {
                        let known = self.pool.and(&needed);
                        let (pre, post) = (self.pool.and2(known, seeded), self.pool.and2(known, falls));
                        // What falls anyway is better ranked without the stem.
                        if self.holds_along(pre, &cycle, post)?
                            && !self.holds_along(seeded, &cycle, falls)?
                            && self.all_after(TermId::TRUE, &stem, &needed)?.len() == needed.len()
                            && let Some(module) = self.rank_module(lasso, honda, vec![distance], needed)?
                        {
                            return Ok(Some(module));
                        }
                    }
                }
            }
        }
        Ok(None)
    }

    /// What is likely: signs of the variables that the cycle reads, their order, what was written to arrays (a string
    /// ends with a zero, say), and on which side of those places the variables of the cycle are.
    fn guessed_facts(&mut self, lasso: &LassoWord, stem: &Unrolled, cycle: &Unrolled, known: &[TermId]) -> Vec<TermId> {
        let icfg = self.icfg;
        let read = self.constants_of(&cycle.formulas);
        let end = lasso.stem.len();
        let at_end: FastSet<TermId> = stem.versions[end].values().copied().collect();
        let cells = self.written_cells(lasso, stem, cycle);
        let numbers: Vec<TermId> =
            icfg.vars.values().filter(|v| v.sort == SortId::INT && read.contains(&v.term)).map(|v| v.term).collect();
        let changed: FastSet<TermId> = {
            let (first, last) = (&cycle.versions[0], &cycle.versions[lasso.cycle.len()]);
            icfg.vars.iter().filter(|(v, _)| first[*v] != last[*v]).map(|(_, var)| var.term).collect()
        };
        let mut guesses: Vec<TermId> = Vec::new();
        let mut add = |t: TermId| {
            let useful = t != TermId::TRUE && t != TermId::FALSE && !known.contains(&t);
            if useful && guesses.len() < MAX_GUESSES && !guesses.contains(&t) {
                guesses.push(t);
            }
        };
        // Where variables of the cycle started: they may stay on one side of it.
        let mut anchors: Vec<TermId> = Vec::new();
        for &(_, index, _) in &cells {
            anchors.extend(self.pool.free_constants(index));
        }
        for conjunct in self.conjuncts(&stem.formulas) {
            if self.pool.op(conjunct) == logic::Op::Eq {
                let sides = [self.pool.arg(conjunct, 0), self.pool.arg(conjunct, 1)];
                if sides.iter().all(|t| at_end.contains(t)) {
                    anchors.extend(sides.map(|t| stem.back(self.pool, icfg, end, t)));
                }
            }
        }
        anchors.retain(|t| self.pool.sort(*t) == SortId::INT && !changed.contains(t));
        anchors.sort_unstable();
        anchors.dedup();
        anchors.truncate(MAX_COMPARED);
        for &(array, index, value) in &cells {
            let cell = self.pool.select(array, index);
            add(self.pool.eq(cell, value));
            for &x in numbers.iter().filter(|x| changed.contains(*x)) {
                add(self.pool.le(x, index));
                add(self.pool.ge(x, index));
            }
        }
        for &x in numbers.iter().filter(|x| changed.contains(*x)) {
            for &anchor in &anchors {
                add(self.pool.ge(x, anchor));
                add(self.pool.le(x, anchor));
            }
        }
        for &x in &numbers {
            let (zero, one) = (self.pool.int(0), self.pool.int(1));
            let minus_one = self.pool.int(-1);
            add(self.pool.ge(x, one));
            add(self.pool.ge(x, zero));
            add(self.pool.le(x, minus_one));
            add(self.pool.le(x, zero));
        }
        if numbers.len() <= MAX_COMPARED {
            for (i, &x) in numbers.iter().enumerate() {
                for &y in &numbers[i + 1..] {
                    if changed.contains(&x) || changed.contains(&y) {
                        for order in [self.pool.lt(x, y), self.pool.gt(x, y), self.pool.le(x, y), self.pool.ge(x, y)] {
                            add(order);
                        }
                    }
                }
            }
        }
        guesses
    }

    /// Those claims that hold after the paths from every state with `pre`.
    fn all_after(&mut self, pre: TermId, unrolled: &Unrolled, claims: &[TermId]) -> Result<Vec<TermId>, Stop> {
        let mut solver = SmtSolver::without_proofs();
        for &t in self.icfg.axioms.iter().chain(&unrolled.formulas).chain([&pre]) {
            solver.assert(self.pool, t);
        }
        let limit = self.budget.child(ALL_FACTS_LIMIT);
        let mut kept = Vec::new();
        for &claim in claims {
            self.budget.check_now()?;
            if limit.check_now().is_err() {
                break;
            }
            let end = unrolled.at(self.pool, self.icfg, unrolled.formulas.len(), claim);
            let fails = self.pool.not(end);
            if solver.check_assuming(self.pool, &[fails], &limit.child(FACT_LIMIT)) == SatResult::Unsat {
                kept.push(claim);
            }
        }
        Ok(kept)
    }

    /// Without the facts that the fall of the rank does not need.
    fn needed_facts(
        &mut self,
        lasso: &LassoWord,
        components: &[TermId],
        invariants: &[TermId],
        facts: &[TermId],
    ) -> Result<Vec<TermId>, Stop> {
        let cycle = unroll(self.pool, self.icfg, self.triples.graph, &lasso.cycle);
        let mut ghosts = Vec::with_capacity(components.len());
        let mut seeded = Vec::with_capacity(components.len());
        for &component in components {
            let ghost = self.pool.fresh_constant("oldrank", self.pool.sort(component));
            ghosts.push(ghost);
            seeded.push(self.pool.eq(ghost, component));
        }
        let falls = decrease(self.pool, components, &ghosts);
        let mut kept = facts.to_vec();
        for &fact in facts {
            let fewer: Vec<TermId> = kept.iter().copied().filter(|f| *f != fact).collect();
            let needed = [invariants, &fewer[..]].concat();
            let pre = self.pool.and(&[&needed[..], &seeded[..]].concat());
            let post = self.pool.and(&[&needed[..], &[falls]].concat());
            if self.holds_along(pre, &cycle, post)? {
                kept = fewer;
            }
        }
        Ok(kept)
    }

    /// `{pre} paths {post}`, for paths that are unrolled already.
    fn holds_along(&mut self, pre: TermId, unrolled: &Unrolled, post: TermId) -> Result<bool, Stop> {
        self.budget.check_now()?;
        let mut solver = SmtSolver::without_proofs();
        let end = unrolled.at(self.pool, self.icfg, unrolled.formulas.len(), post);
        let fails = self.pool.not(end);
        for &t in self.icfg.axioms.iter().chain(&unrolled.formulas).chain([&pre, &fails]) {
            solver.assert(self.pool, t);
        }
        let answer = solver.check(self.pool, &self.budget.child(TRACE_LIMIT));
        Ok(answer == SatResult::Unsat)
    }

    fn affine(&mut self, function: &Affine, observables: &[TermId]) -> TermId {
        let real = observables
            .iter()
            .zip(&function.coefficients)
            .any(|(t, c)| !c.is_zero() && self.pool.sort(*t) == SortId::REAL);
        let sort = if real { SortId::REAL } else { SortId::INT };
        let mut sum = vec![self.pool.num(function.constant.clone(), sort)];
        for (&term, coefficient) in observables.iter().zip(&function.coefficients) {
            if coefficient.is_zero() {
                continue;
            }
            let number = match self.pool.sort(term) {
                SortId::BOOL => {
                    let (one, zero) = (self.pool.num(Rational::ONE, sort), self.pool.num(Rational::ZERO, sort));
                    self.pool.ite(term, one, zero)
                }
                SortId::INT if real => self.pool.to_real(term),
                _ => term,
            };
            sum.push(self.pool.scale(number, coefficient));
        }
        self.pool.add(&sum)
    }

    /// The lexicographic components of a ranking.
    fn components(&mut self, template: Template, functions: &[TermId], discriminator: Option<TermId>) -> Vec<TermId> {
        match template {
            Template::Affine | Template::Lexicographic(_) => functions.to_vec(),
            Template::Parallel(_) => {
                let mut sum = Vec::with_capacity(functions.len());
                let real = functions.iter().any(|f| self.pool.sort(*f) == SortId::REAL);
                for &f in functions {
                    let zero = self.pool.num(Rational::ZERO, self.pool.sort(f));
                    let positive = self.pool.gt(f, zero);
                    let part = self.pool.ite(positive, f, zero);
                    let integer = self.pool.sort(part) == SortId::INT;
                    sum.push(if real && integer { self.pool.to_real(part) } else { part });
                }
                vec![self.pool.add(&sum)]
            }
            Template::Piecewise => match (functions, discriminator) {
                (&[first, second], Some(g)) => {
                    let zero = self.pool.num(Rational::ZERO, self.pool.sort(g));
                    let condition = self.pool.ge(g, zero);
                    let (first, second) = self.same_sort(first, second);
                    vec![self.pool.ite(condition, first, second)]
                }
                _ => functions.to_vec(),
            },
            Template::Nested(_) | Template::Multiphase(_) => {
                // (k - i, fᵢ) for the first i with fᵢ > 0; the last one if there is none.
                let Some((&last, before)) = functions.split_last() else { return Vec::new() };
                let (mut phase, mut value) = (self.pool.int(1), last);
                for (i, &f) in before.iter().enumerate().rev() {
                    let zero = self.pool.num(Rational::ZERO, self.pool.sort(f));
                    let positive = self.pool.gt(f, zero);
                    let number = self.pool.int((functions.len() - i) as i64);
                    phase = self.pool.ite(positive, number, phase);
                    let (f, other) = self.same_sort(f, value);
                    value = self.pool.ite(positive, f, other);
                }
                vec![phase, value]
            }
        }
    }

    fn same_sort(&mut self, a: TermId, b: TermId) -> (TermId, TermId) {
        match (self.pool.sort(a), self.pool.sort(b)) {
            (SortId::INT, SortId::REAL) => (self.pool.to_real(a), b),
            (SortId::REAL, SortId::INT) => (a, self.pool.to_real(b)),
            _ => (a, b),
        }
    }

    fn rank_module(
        &mut self,
        lasso: &LassoWord,
        honda: LocId,
        components: Vec<TermId>,
        needed: Vec<TermId>,
    ) -> Result<Option<Module>, Stop> {
        let mut ghosts = Vec::with_capacity(components.len());
        for &component in &components {
            let sort = self.pool.sort(component);
            ghosts.push(self.pool.fresh_constant("oldrank", sort));
        }
        let decrease = decrease(self.pool, &components, &ghosts);
        let (mut relations, mut remarks, mut none_larger) = (Vec::new(), Vec::new(), Vec::new());
        for (&component, &ghost) in components.iter().zip(&ghosts) {
            let sort = self.pool.sort(component);
            let (zero, one) = (self.pool.num(Rational::ZERO, sort), self.pool.num(Rational::ONE, sort));
            let not_larger = self.pool.ge(ghost, component);
            let next = self.pool.add(&[component, one]);
            let smaller = self.pool.ge(ghost, next);
            remarks.push(self.pool.ge(ghost, zero));
            none_larger.push(not_larger);
            if components.len() == 1 {
                relations.extend([not_larger, smaller]);
            } else {
                remarks.extend([not_larger, smaller]);
            }
        }
        if components.len() > 1 {
            let not_larger = self.pool.and(&none_larger);
            relations.extend([not_larger, decrease, self.pool.or2(not_larger, decrease)]);
        }
        let mut rank = Rank { honda: None, last_path: None, components, ghosts, needed, relations, decrease };
        // Compared everywhere, one rank is good for all loops that it falls in: for those of a thread, wherever the
        // others are. Nested loops do better with one place for each, so this is for ranks that come back.
        let comes_back = self.found.get(&rank.components).is_some_and(|n| *n >= TIMES_BEFORE_EVERYWHERE);
        let everywhere: &[Option<LocId>] = if comes_back { &[None] } else { &[] };
        for &honda in everywhere.iter().chain(&[Some(honda)]) {
            rank.honda = honda;
            let mut module = Module::new(Some(rank.clone()), Vec::new(), remarks.clone());
            if self.accepts(&mut module, lasso)? {
                return Ok(Some(module));
            }
        }
        // The rank falls over the whole cycle, but the relations do not see it half way: interpolants will.
        let mut pre = rank.needed.clone();
        for (&component, &ghost) in rank.components.iter().zip(&rank.ghosts) {
            pre.push(self.pool.eq(ghost, component));
        }
        let pre = self.pool.and(&pre);
        let goal: Vec<TermId> = rank.needed.iter().copied().chain([rank.decrease]).collect();
        let goal = self.pool.and(&goal);
        let Segment::Valid(predicates) = self.segment(pre, &lasso.cycle, goal)? else { return Ok(None) };
        let mut facts = Vec::new();
        for predicate in self.conjuncts(&predicates[1..predicates.len().saturating_sub(1).max(1)]) {
            let about_ghosts = self.pool.free_constants(predicate).iter().any(|c| rank.ghosts.contains(c));
            if about_ghosts {
                rank.relations.push(predicate);
            } else {
                facts.push(predicate);
            }
        }
        // What the stem has to establish on the way to the honda.
        if !rank.needed.is_empty() {
            let needed = self.pool.and(&rank.needed);
            if let Segment::Valid(stem) = self.segment(TermId::TRUE, &lasso.stem, needed)? {
                facts.extend(self.conjuncts(&stem));
            }
        }
        let mut module = Module::new(Some(rank.clone()), facts.clone(), remarks.clone());
        if self.accepts(&mut module, lasso)? {
            return Ok(Some(module));
        }
        // The rank may fall early and then rise, without coming back to where it was: look only at the end of the
        // cycle.
        rank.last_path = lasso.cycle.last().copied();
        let mut module = Module::new(Some(rank), facts, remarks);
        Ok(self.accepts(&mut module, lasso)?.then_some(module))
    }
}

/// Constants that belong together: a union-find structure.
#[derive(Default)]
struct Classes {
    numbers: FastMap<TermId, usize>,
    constants: Vec<TermId>,
    parent: Vec<usize>,
}

impl Classes {
    fn number(&mut self, constant: TermId) -> usize {
        let next = self.parent.len();
        let number = *self.numbers.entry(constant).or_insert(next);
        if number == next {
            self.parent.push(next);
            self.constants.push(constant);
        }
        number
    }
    fn find(&mut self, mut n: usize) -> usize {
        while self.parent[n] != n {
            self.parent[n] = self.parent[self.parent[n]];
            n = self.parent[n];
        }
        n
    }
    fn join(&mut self, constants: &[TermId]) {
        let mut root = None;
        for &constant in constants {
            let number = self.number(constant);
            let here = self.find(number);
            match root {
                None => root = Some(here),
                Some(root) => self.parent[here] = root,
            }
        }
    }
    /// The classes, in the order in which their first constants came.
    fn groups(mut self) -> Vec<FastSet<TermId>> {
        let mut place: FastMap<usize, usize> = FastMap::default();
        let mut groups: Vec<FastSet<TermId>> = Vec::new();
        for n in 0..self.constants.len() {
            let root = self.find(n);
            let at = *place.entry(root).or_insert_with(|| {
                groups.push(FastSet::default());
                groups.len() - 1
            });
            groups[at].insert(self.constants[n]);
        }
        groups
    }
}

/// Some component is smaller by 1 than its ghost, which is at least 0, and none before is larger.
fn decrease(pool: &mut TermPool, components: &[TermId], ghosts: &[TermId]) -> TermId {
    let (mut cases, mut before) = (Vec::new(), Vec::new());
    for (&component, &ghost) in components.iter().zip(ghosts) {
        let sort = pool.sort(component);
        let (zero, one) = (pool.num(Rational::ZERO, sort), pool.num(Rational::ONE, sort));
        let next = pool.add(&[component, one]);
        let mut case = before.clone();
        case.extend([pool.ge(ghost, next), pool.ge(ghost, zero)]);
        cases.push(pool.and(&case));
        before.push(pool.ge(ghost, component));
    }
    pool.or(&cases)
}
