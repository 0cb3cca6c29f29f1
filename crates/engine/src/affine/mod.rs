//! Affine equalities and simple bounds, found with models (Reps, Sagiv, Yorsh 2004; Karr 1976).
//!
//! The strongest affine equalities `a₁x₁ + … + aₙxₙ = c` that hold at every location are computed from below. A
//! location knows the affine space spanned by the states seen there, at first none. For each edge the solver is asked
//! for a step from a state of the source's space to one outside the target's; the state it names widens the target's
//! space. A space of *n* variables can be widened *n + 1* times, so this ends; when no edge leaves the spaces any more,
//! their equations are inductive, with no transfer function written for any statement, however large the block.
//!
//! The same is done for equations modulo 2ʷ ([`domains::residues`]) where the numbers of the program look like
//! arithmetic on words, unless plain equations are a proof.
//!
//! If the program multiplies variables and the equations are not a proof, equations over monomials up to the degree of
//! the program's products are guessed (`2·s = i·i − i` is affine in `s`, `i` and `i·i`): states that executions reach
//! span an affine space of monomials, and of its equations the inductive ones are kept. Going from state to state keeps
//! products constant, so the solver has to deal with them only in the proof.
//!
//! What is tracked are the integer variables and reads `a[x]` of arrays at variables with which the program indexes
//! them, so that cells of a heap count as variables as long as their addresses stay apart.
//!
//! A few states that executions do reach, found in the same way from single states, suggest bounds and residues
//! (`x ≥ c`, `x ≤ y`, `x mod 3 = 1`, `p ≠ q`, …), of which the inductive ones are kept
//! ([`predicate_exchange::inductive`]). Often that is a proof. Otherwise the equations are offered to the other
//! engines: relations between variables are what interpolants of single unrollings miss (`x = k ∧ y = k` for every `k`
//! instead of `x = y`).

use crate::framework::{Ctx, Engine, Predicates, Task};
use crate::hoare::HoareChecker;
use crate::predicate_exchange;
use crate::prepared::{Prepared, prepare};
use crate::profile::{Cost, Gives, Profile, Wants};
use base::IdVec;
use domains::affine::Rationals;
use domains::geometry::Geometry;
use domains::residues::Residues;
use ir::blocks::BlockMode;
use ir::slicing::{Depth, weakened};
use ir::{Edge, EdgeId, Icfg, Label, LocId, Location, Reason, Stmt, Verdict};
use logic::{Op, Rational, SatResult, Solver, Sort, SortId, TermId, TermPool, Value};
use smt::SmtSolver;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

pub(crate) struct Affine;

/// The most terms that equations may relate, and the most that are compared with each other.
const MAX_TERMS: usize = 24;
const MAX_COMPARED: usize = 8;
/// The most samples of a location for polynomial equations, but for those that widen its space.
const MAX_POLYNOMIAL_SAMPLES: usize = 30;
/// The most variables whose products are tracked, for degree two and above.
const MAX_SQUARED: usize = 5;
const MAX_CUBED: usize = 2;
/// The highest degree of products that are tracked.
const MAX_DEGREE: usize = 4;
/// The largest number that is guessed as a bound because a sample has it.
const LARGEST_GUESS: i64 = 2;
/// The share of the time left for sorting out guesses.
const GUESS_SHARE: u32 = 2;
/// How often every edge is asked for a sample, and how many samples a location has at most.
const N_ROUNDS: usize = 3;
const MAX_SAMPLES: usize = 8;
/// The most solver calls, and the time for one.
const MAX_QUERIES: u32 = 400;
const QUERY_LIMIT: Duration = Duration::from_millis(500);
/// The widths of words, and how near to 2ʷ a number must be to suggest arithmetic modulo 2ʷ.
const WORD_WIDTHS: [u32; 2] = [32, 64];
const NEAR: i64 = 16;
/// The largest factor that a term is bounded by another with, and the most such factors.
const LARGEST_SLOPE: i64 = 1_000_000;
const MAX_SLOPES: usize = 3;

impl Engine for Affine {
    fn name(&self) -> &'static str {
        "affine"
    }
    fn summary(&self) -> &'static str {
        "affine equalities and simple bounds: quick invariants, offered to the other engines when they are no proof"
    }
    fn profile(&self) -> Profile {
        Profile { cost: Cost::Quick, wants: Wants::NoCalls, needs: &[], gives: &[Gives::Proofs, Gives::Predicates] }
    }
    fn search(&self, ctx: &mut Ctx<'_>, task: &Task<'_>) -> Verdict {
        // What no open check depends on would only use up the room for terms.
        let weaker = weakened(ctx.pool, task.icfg, Depth::Guards);
        let task = &Task { icfg: weaker.as_ref().unwrap_or(task.icfg), ..*task };
        let verdict = prepare(ctx, task, BlockMode::Large)
            .and_then(|prepared| Analysis::new(ctx, &prepared.icfg, task.icfg).run(ctx, &prepared));
        verdict.unwrap_or_else(Verdict::Unknown)
    }
}

struct Analysis<'a> {
    icfg: &'a Icfg,
    hoare: HoareChecker<'a>,
    solver: SmtSolver,
    /// The integer terms that are tracked, the most used ones first.
    terms: Vec<TermId>,
    /// Those of them that are used as indices.
    indices: BTreeSet<TermId>,
    /// Products of tracked variables, worth tracking too if the program multiplies.
    monomials: Vec<TermId>,
    /// The numbers with which the program compares a term.
    numbers: BTreeSet<(TermId, TermId)>,
    /// Some reachable states of each location, as far as the tracked terms go.
    samples: BTreeMap<LocId, Vec<Vec<Rational>>>,
    n_queries: u32,
}

impl<'a> Analysis<'a> {
    /// `statements` is the graph before its statements were merged: there, conditions speak of the variables
    /// themselves.
    fn new(ctx: &mut Ctx<'_>, icfg: &'a Icfg, statements: &Icfg) -> Analysis<'a> {
        let mut solver = SmtSolver::without_proofs();
        for &axiom in &icfg.axioms {
            solver.assert(ctx.pool, axiom);
        }
        let Tracked { terms, indices } = tracked(ctx.pool, icfg);
        let numbers = compared_numbers(ctx.pool, statements);
        let monomials = monomials(ctx.pool, statements, &terms);
        Analysis {
            icfg,
            hoare: HoareChecker::new(ctx.pool, icfg),
            solver,
            terms,
            indices,
            monomials,
            numbers,
            samples: BTreeMap::new(),
            n_queries: 0,
        }
    }

    fn run(&mut self, ctx: &mut Ctx<'_>, prepared: &Prepared) -> Result<Verdict, Reason> {
        if self.terms.is_empty() {
            return Err(Reason::Incomplete("no integer variables".to_string()));
        }
        let (equations, is_complete) = match self.equations(ctx, &Rationals) {
            Ok(equations) => (equations, true),
            // Products may have been too much for the solver; going from state to state may still succeed.
            Err(Reason::Incomplete(_)) if !self.monomials.is_empty() => (Predicates::new(), false),
            Err(reason) => return Err(reason),
        };
        let is_unreached =
            |(loc, l): &(LocId, &Location)| is_complete && !equations.contains_key(loc) && l.error.is_none();
        let unreached: Vec<LocId> = self.icfg.locs.iter().filter(is_unreached).map(|(loc, _)| loc).collect();
        // Other failures only mean fewer samples, and worse guesses.
        if let Err(Reason::Stopped(stop)) = self.find_samples(ctx) {
            return Err(Reason::Stopped(stop));
        }
        let mut candidates = equations.clone();
        self.add_guesses(ctx, &mut candidates);
        candidates.extend(unreached.iter().map(|&loc| (loc, vec![TermId::FALSE])));
        let mut invariants = self.inductive(ctx, candidates).unwrap_or(equations);
        if !predicate_exchange::excludes_errors(ctx, &mut self.hoare, self.icfg, &invariants) {
            let mut candidates = invariants.clone();
            self.add_slopes(ctx.pool, &mut candidates);
            invariants = self.inductive(ctx, candidates).unwrap_or(invariants);
        }
        if !self.monomials.is_empty()
            && !predicate_exchange::excludes_errors(ctx, &mut self.hoare, self.icfg, &invariants)
        {
            invariants = self.polynomial(ctx, invariants)?;
        }
        for width in word_widths(ctx.pool, self.icfg) {
            if predicate_exchange::excludes_errors(ctx, &mut self.hoare, self.icfg, &invariants) {
                break;
            }
            self.n_queries = 0;
            let congruences = match self.equations(ctx, &Residues { bits: width }) {
                Ok(congruences) => congruences,
                Err(Reason::Stopped(stop)) => return Err(Reason::Stopped(stop)),
                Err(_) => continue,
            };
            let mut candidates = invariants.clone();
            for (loc, formulas) in congruences {
                let list = candidates.entry(loc).or_default();
                list.extend(formulas);
                if self.icfg.locs[loc].is_loop_head {
                    list.extend(self.ranges(ctx.pool, loc, width));
                }
            }
            invariants = self.inductive(ctx, candidates).unwrap_or(invariants);
        }
        for (&loc, formulas) in &invariants {
            for &formula in formulas {
                prepared.offer_at(ctx, loc, formula);
            }
        }
        if !predicate_exchange::excludes_errors(ctx, &mut self.hoare, self.icfg, &invariants) {
            return Err(Reason::Incomplete("affine equalities and bounds are not enough".to_string()));
        }
        let mut formulas = BTreeMap::new();
        for loc in self.icfg.locs.ids() {
            let conjuncts = invariants.get(&loc).map_or(&[][..], Vec::as_slice);
            formulas.insert(loc, vec![ctx.pool.and(conjuncts)]);
        }
        Ok(Verdict::Holds(prepared.certificate(ctx.pool, formulas)))
    }

    /// The invariants with equations between monomials.
    fn polynomial(&mut self, ctx: &mut Ctx<'_>, invariants: Predicates) -> Result<Predicates, Reason> {
        let n_variables = self.terms.len();
        self.n_queries = 0;
        self.terms.extend(&self.monomials);
        let samples = std::mem::take(&mut self.samples);
        let equations = self.equations_of_samples(ctx, n_variables);
        self.samples = samples;
        self.terms.truncate(n_variables);
        let mut candidates = invariants.clone();
        for (loc, formulas) in equations? {
            candidates.entry(loc).or_default().extend(formulas);
        }
        Ok(self.inductive(ctx, candidates).unwrap_or(invariants))
    }

    /// The equations of the spaces that reachable states span. The first terms, up to the given number, distinguish
    /// states.
    fn equations_of_samples(&mut self, ctx: &mut Ctx<'_>, n_variables: usize) -> Result<Predicates, Reason> {
        let mut spaces: BTreeMap<LocId, <Rationals as Geometry>::Space> = BTreeMap::new();
        let mut equations = Predicates::new();
        let mut n_idle = 0;
        while n_idle < N_ROUNDS {
            n_idle += 1;
            for edge in self.icfg.edges.ids() {
                let (src, dst) = (self.icfg.edges[edge].src, self.icfg.edges[edge].dst);
                if self.icfg.locs[dst].error.is_some() {
                    continue;
                }
                let before =
                    if src == self.icfg.entry() { TermId::TRUE } else { self.sampled(ctx.pool, src, n_variables) };
                let known = equations.get(&dst).map_or(TermId::FALSE, |list| ctx.pool.and(list));
                // If nothing leaves the space in one step, something may in two.
                let mut state = self.any_new_state(ctx, edge, before, known)?;
                if state.is_none() && self.samples.get(&dst).map_or(0, Vec::len) < MAX_POLYNOMIAL_SAMPLES {
                    let known = self.sampled(ctx.pool, dst, n_variables);
                    state = self.any_new_state(ctx, edge, before, known)?;
                }
                let Some(state) = state else { continue };
                let is_wider = match spaces.get_mut(&dst) {
                    Some(space) => Rationals.include(space, &state),
                    None => {
                        spaces.insert(dst, Rationals.point(&state));
                        true
                    }
                };
                if is_wider {
                    n_idle = 0;
                    equations.insert(dst, Rationals.equations(ctx.pool, &spaces[&dst], &self.terms));
                }
                self.samples.entry(dst).or_default().push(state);
            }
        }
        Ok(equations)
    }

    /// As [`Analysis::new_state`], but an unknown answer is no reason to end.
    fn any_new_state(
        &mut self,
        ctx: &mut Ctx<'_>,
        edge: EdgeId,
        before: TermId,
        after: TermId,
    ) -> Result<Option<Vec<Rational>>, Reason> {
        match self.new_state(ctx, edge, before, after) {
            Ok(state) => Ok(state),
            Err(Reason::Stopped(stop)) => Err(Reason::Stopped(stop)),
            Err(_) => Ok(None),
        }
    }

    fn inductive(&mut self, ctx: &mut Ctx<'_>, candidates: Predicates) -> Option<Predicates> {
        predicate_exchange::inductive_candidates(ctx, &mut self.hoare, self.icfg, candidates, GUESS_SHARE)
    }

    /// Widens spaces until no edge leaves them, and gives the equations of each reached location.
    fn equations<G: Geometry>(&mut self, ctx: &mut Ctx<'_>, geometry: &G) -> Result<Predicates, Reason> {
        let mut spaces: IdVec<LocId, Option<G::Space>> = self.icfg.locs.ids().map(|_| None).collect();
        // Anything may hold at the start.
        let entry = self.icfg.entry();
        spaces[entry] = Some(geometry.everything(self.terms.len()));
        let mut equations = Predicates::from([(entry, Vec::new())]);
        let mut dirty: BTreeSet<EdgeId> = self.icfg.out_edges(entry).iter().copied().collect();
        while let Some(edge) = dirty.pop_first() {
            let (src, dst) = (self.icfg.edges[edge].src, self.icfg.edges[edge].dst);
            if self.icfg.locs[dst].error.is_some() {
                continue;
            }
            loop {
                let formula =
                    |pool: &mut TermPool, loc| equations.get(&loc).map_or(TermId::FALSE, |list| pool.and(list));
                let (before, after) = (formula(ctx.pool, src), formula(ctx.pool, dst));
                let Some(state) = self.new_state(ctx, edge, before, after)? else { break };
                match &mut spaces[dst] {
                    Some(space) => {
                        if !geometry.include(space, &state) {
                            return Err(Reason::Incomplete("a state is not new".to_string()));
                        }
                        equations.insert(dst, geometry.equations(ctx.pool, space, &self.terms));
                    }
                    none => {
                        let space = none.insert(geometry.point(&state));
                        equations.insert(dst, geometry.equations(ctx.pool, space, &self.terms));
                    }
                }
                dirty.extend(self.icfg.out_edges(dst).iter().copied());
            }
        }
        Ok(equations)
    }

    /// Goes from state to state, a few at each location.
    fn find_samples(&mut self, ctx: &mut Ctx<'_>) -> Result<(), Reason> {
        // One from every edge in turn: those that enter a loop must not crowd out those that go round it.
        for _ in 0..N_ROUNDS {
            for edge in self.icfg.edges.ids() {
                let (src, dst) = (self.icfg.edges[edge].src, self.icfg.edges[edge].dst);
                let n_known = self.samples.get(&dst).map_or(0, Vec::len);
                if n_known >= MAX_SAMPLES || self.icfg.locs[dst].error.is_some() {
                    continue;
                }
                let before =
                    if src == self.icfg.entry() { TermId::TRUE } else { self.sampled(ctx.pool, src, self.terms.len()) };
                let after = self.sampled(ctx.pool, dst, self.terms.len());
                if let Some(state) = self.new_state(ctx, edge, before, after)? {
                    self.samples.entry(dst).or_default().push(state);
                }
            }
        }
        Ok(())
    }

    /// The samples of a location as a formula about the first `n` terms.
    fn sampled(&self, pool: &mut TermPool, loc: LocId, n: usize) -> TermId {
        let mut points = Vec::new();
        for state in self.samples.get(&loc).into_iter().flatten() {
            let mut equations = Vec::with_capacity(state.len());
            for (&term, value) in self.terms.iter().zip(state).take(n) {
                let value = pool.int_num(value.clone());
                equations.push(pool.eq(term, value));
            }
            points.push(pool.and(&equations));
        }
        pool.or(&points)
    }

    /// A state outside `after` that the edge reaches from one in `before`.
    fn new_state(
        &mut self,
        ctx: &mut Ctx<'_>,
        edge: EdgeId,
        before: TermId,
        after: TermId,
    ) -> Result<Option<Vec<Rational>>, Reason> {
        ctx.budget.check_now()?;
        match self.icfg.edges[edge].label {
            Label::Stmt(_) | Label::Block(_) | Label::AtomicBegin | Label::AtomicEnd => {}
            Label::Call(_) | Label::Return(_) | Label::Fork { .. } | Label::Join { .. } => {
                return Err(Reason::Incomplete("calls".to_string()));
            }
        }
        if before == TermId::FALSE || after == TermId::TRUE {
            return Ok(None);
        }
        let Some(always) = self.hoare.precondition(ctx.pool, edge, after) else {
            return Err(Reason::Incomplete("an edge without a precondition".to_string()));
        };
        let leaves = ctx.pool.not(always);
        self.n_queries += 1;
        if self.n_queries > MAX_QUERIES {
            return Err(Reason::Incomplete("too many affine spaces".to_string()));
        }
        ctx.stats.add("solver calls", 1);
        match self.solver.check_assuming(ctx.pool, &[before, leaves], &ctx.budget.child(QUERY_LIMIT)) {
            SatResult::Unsat => return Ok(None),
            SatResult::Sat => {}
            SatResult::Unknown(_) => {
                ctx.budget.check_now()?;
                return Err(Reason::Incomplete("the solver does not know".to_string()));
            }
        }
        let Some(model) = self.solver.model().cloned() else {
            return Err(Reason::Incomplete("the solver gave no model".to_string()));
        };
        let mut state = Vec::with_capacity(self.terms.len());
        for i in 0..self.terms.len() {
            let after = self.hoare.image(ctx.pool, edge, self.terms[i]);
            match after.map(|t| model.eval(ctx.pool, t)) {
                Some(Ok(Value::Num(number))) => state.push(number),
                _ => return Err(Reason::Incomplete("a value is not a number".to_string())),
            }
        }
        Ok(Some(state))
    }

    /// Bounds of one term by a multiple of another, which grows at most so much faster: `sum ≤ 1000·i` if nothing above
    /// 1000 is added up. The factors are numbers that the program compares with.
    fn add_slopes(&self, pool: &mut TermPool, candidates: &mut Predicates) {
        let (least, most) = (Rational::from(2i64), Rational::from(LARGEST_SLOPE));
        let numbers = self.numbers.iter().filter_map(|&(_, number)| pool.number(number).cloned());
        let factors: BTreeSet<Rational> = numbers.filter(|n| least <= *n && *n <= most).collect();
        let n_terms = self.terms.len().min(MAX_COMPARED);
        for (&loc, states) in self.samples.iter().filter(|(loc, _)| self.icfg.locs[**loc].is_loop_head) {
            let list = candidates.entry(loc).or_default();
            for factor in factors.iter().take(MAX_SLOPES) {
                for (i, k) in (0..n_terms).flat_map(|i| (0..n_terms).map(move |k| (i, k))).filter(|(i, k)| i != k) {
                    if states.iter().all(|s| s[i] <= factor * &s[k]) {
                        let bound = pool.scale(self.terms[k], factor);
                        list.push(pool.le(self.terms[i], bound));
                    }
                    if states.iter().all(|s| -s[i].clone() <= factor * &s[k]) {
                        let bound = pool.scale(self.terms[k], &-factor.clone());
                        list.push(pool.ge(self.terms[i], bound));
                    }
                }
            }
        }
    }

    /// The ranges of words of this width, for the terms whose samples lie in them.
    fn ranges(&self, pool: &mut TermPool, loc: LocId, width: u32) -> Vec<TermId> {
        let mut ranges = Vec::new();
        let Some(states) = self.samples.get(&loc) else { return ranges };
        let (size, half) = (1i128 << width, 1i128 << (width - 1));
        for (i, &term) in self.terms.iter().enumerate() {
            for (least, most) in [(0, size - 1), (-half, half - 1)] {
                let (least, most) = (Rational::from(least), Rational::from(most));
                if states.iter().all(|s| least <= s[i] && s[i] <= most) {
                    let (least, most) = (pool.int_num(least), pool.int_num(most));
                    ranges.push(pool.ge(term, least));
                    ranges.push(pool.le(term, most));
                }
            }
        }
        ranges
    }

    /// Bounds and residues that all samples satisfy.
    fn add_guesses(&self, ctx: &mut Ctx<'_>, candidates: &mut Predicates) {
        let zero = ctx.pool.int(0);
        for (&loc, states) in &self.samples {
            if !self.icfg.locs[loc].is_loop_head {
                continue;
            }
            let pool = &mut *ctx.pool;
            let list = candidates.entry(loc).or_default();
            for i in 0..self.terms.len() {
                let values = || states.iter().map(|s| &s[i]);
                if let (Some(least), Some(most)) = (values().min(), values().max()) {
                    if !least.is_negative() {
                        list.push(pool.ge(self.terms[i], zero));
                    }
                    if !most.is_positive() {
                        list.push(pool.le(self.terms[i], zero));
                    }
                    // Large values are the solver's choice rather than the program's.
                    for (value, is_lower) in [(least, true), (most, false)] {
                        if value.abs() <= Rational::from(LARGEST_GUESS) {
                            let bound = pool.int_num(value.clone());
                            let guess =
                                if is_lower { pool.ge(self.terms[i], bound) } else { pool.le(self.terms[i], bound) };
                            list.push(guess);
                        }
                    }
                }
                let compared = self.numbers.range((self.terms[i], TermId(0))..=(self.terms[i], TermId(u32::MAX)));
                for &(term, number) in compared {
                    let one = pool.int(1);
                    let next = pool.add(&[number, one]);
                    for bound in [number, next] {
                        let Some(value) = pool.number(bound).cloned() else { continue };
                        if values().all(|x| *x <= value) {
                            list.push(pool.le(term, bound));
                        }
                        if values().all(|x| *x >= value) {
                            list.push(pool.ge(term, bound));
                        }
                    }
                }
                // The largest modulus under which all values are the same (King, Søndergaard 2008).
                let first = states[0][i].clone();
                let modulus = values().fold(Rational::from(0i64), |m, x| m.gcd(&(x - &first)));
                if modulus > Rational::from(1i64) && modulus.is_integer() {
                    let rest = pool.int_num(first.rem_euclid(&modulus));
                    let m = pool.int_num(modulus);
                    let residue = pool.modulo(self.terms[i], m);
                    list.push(pool.eq(residue, rest));
                }
                for k in 0..i {
                    let (a, b) = (self.terms[i], self.terms[k]);
                    if self.indices.contains(&a) && self.indices.contains(&b) && states.iter().all(|s| s[i] != s[k]) {
                        let same = pool.eq(a, b);
                        list.push(pool.not(same));
                    }
                    if i >= MAX_COMPARED {
                        continue;
                    }
                    // One more is what a counter is after the loop `while (i <= n)`.
                    for offset in [0i64, 1] {
                        let (one, more) = (Rational::from(offset), pool.int(offset));
                        let (a_more, b_more) = (pool.add(&[a, more]), pool.add(&[b, more]));
                        if states.iter().all(|s| s[i] <= &s[k] + &one) {
                            list.push(pool.le(a, b_more));
                        }
                        if states.iter().all(|s| &s[i] + &one >= s[k]) {
                            list.push(pool.ge(a_more, b));
                        }
                    }
                }
            }
            list.sort_unstable();
            list.dedup();
            list.retain(|&t| t != TermId::TRUE && t != TermId::FALSE);
        }
    }
}

/// The terms that the conditions of a graph compare with numbers, and these numbers.
fn compared_numbers(pool: &TermPool, icfg: &Icfg) -> BTreeSet<(TermId, TermId)> {
    let conditions: Vec<TermId> = icfg
        .edges
        .values()
        .filter_map(|edge| match edge.label {
            Label::Stmt(Stmt::Assume(condition)) => Some(condition),
            Label::Stmt(Stmt::Assign(_) | Stmt::Havoc(..)) | Label::Block(_) => None,
            Label::Call(_) | Label::Return(_) | Label::Fork { .. } | Label::Join { .. } => None,
            Label::AtomicBegin | Label::AtomicEnd => None,
        })
        .collect();
    let mut numbers = BTreeSet::new();
    pool.visit_postorder(&conditions, |t| {
        if matches!(pool.op(t), Op::Le | Op::Eq) && pool.number(pool.arg(t, 1)).is_some() {
            numbers.insert((pool.arg(t, 0), pool.arg(t, 1)));
        }
    });
    numbers
}

/// The widths of the machine words whose arithmetic the program seems to use: indicated by a constant near a power of
/// two.
fn word_widths(pool: &TermPool, icfg: &Icfg) -> Vec<u32> {
    let formulas: Vec<TermId> = icfg.edges.values().flat_map(formulas_of).collect();
    let mut magnitudes = BTreeSet::new();
    pool.visit_postorder(&formulas, |t| magnitudes.extend(pool.number(t).map(Rational::abs)));
    let near = |width: &u32| {
        let size = Rational::from(1i128 << width);
        magnitudes.range(&size - &Rational::from(NEAR)..=size).next().is_some()
    };
    WORD_WIDTHS.into_iter().filter(near).collect()
}

/// The formulas of an edge.
fn formulas_of(edge: &Edge) -> Vec<TermId> {
    match &edge.label {
        Label::Block(block) => vec![block.plain],
        Label::Stmt(Stmt::Assume(condition)) => vec![*condition],
        Label::Stmt(Stmt::Assign(pairs)) => pairs.iter().map(|(_, e)| *e).collect(),
        Label::Stmt(Stmt::Havoc(..)) | Label::AtomicBegin | Label::AtomicEnd => Vec::new(),
        Label::Call(_) | Label::Return(_) | Label::Fork { .. } | Label::Join { .. } => Vec::new(),
    }
}

struct Tracked {
    terms: Vec<TermId>,
    indices: BTreeSet<TermId>,
}

/// Products of tracked variables up to the degree of the products in the program, as many as there is room for.
/// Variables that the program multiplies come first.
fn monomials(pool: &mut TermPool, icfg: &Icfg, tracked: &[TermId]) -> Vec<TermId> {
    let mut formulas = Vec::new();
    for (_, edge) in icfg.edges.iter() {
        formulas.extend(formulas_of(edge));
    }
    let mut factors: BTreeSet<TermId> = BTreeSet::new();
    let mut degree = 0;
    pool.visit_postorder(&formulas, |t| {
        if pool.op(t) == Op::Mul && pool.args(t).iter().all(|&arg| pool.number(arg).is_none()) {
            degree = degree.max(pool.args(t).len());
            factors.extend(pool.args(t));
        }
    });
    if !(2..=MAX_DEGREE).contains(&degree) {
        return Vec::new();
    }
    let mut variables: Vec<TermId> = tracked.iter().copied().filter(|&t| pool.as_symbol(t).is_some()).collect();
    variables.sort_by_key(|t| !factors.contains(t));
    let room = MAX_TERMS.saturating_sub(tracked.len());
    let mut found: Vec<TermId> = Vec::new();
    let n_most = if degree == 2 { MAX_SQUARED } else { MAX_CUBED };
    for n in 1..=variables.len().min(n_most) {
        let mut powers: Vec<TermId> = Vec::new();
        let mut last: Vec<TermId> = variables[..n].to_vec();
        for _ in 1..degree {
            let mut next: Vec<TermId> =
                last.iter().flat_map(|&m| variables[..n].iter().map(move |&v| [m, v])).map(|m| pool.mul(&m)).collect();
            next.sort_unstable();
            next.dedup();
            powers.extend(&next);
            last = next;
        }
        if powers.len() > room {
            break;
        }
        found = powers;
    }
    found
}

/// The integer variables that most edges mention, in a fixed order, the array reads that go with them, and which of the
/// variables are indices.
fn tracked(pool: &mut TermPool, icfg: &Icfg) -> Tracked {
    let mut uses: BTreeMap<TermId, u32> = BTreeMap::new();
    let mut reads: BTreeSet<(TermId, TermId)> = BTreeSet::new();
    let integers: BTreeSet<TermId> = icfg.vars.values().filter(|v| v.sort == SortId::INT).map(|v| v.term).collect();
    let arrays: BTreeSet<TermId> = icfg
        .vars
        .values()
        .filter(|v| *pool.sort_data(v.sort) == Sort::Array(SortId::INT, SortId::INT))
        .map(|v| v.term)
        .collect();
    let mut read: BTreeSet<TermId> = BTreeSet::new();
    for (id, edge) in icfg.edges.iter() {
        let mut mentioned: BTreeSet<TermId> =
            crate::hoare::assigned_by(icfg, id).into_iter().map(|v| icfg.vars[v].term).collect();
        let formulas = formulas_of(edge);
        for &formula in &formulas {
            let constants = pool.free_constants(formula);
            read.extend(&constants);
            mentioned.extend(constants);
        }
        for term in mentioned.intersection(&integers) {
            *uses.entry(*term).or_default() += 1;
        }
        pool.visit_postorder(&formulas, |t| {
            if matches!(pool.op(t), Op::Select | Op::Store) && integers.contains(&pool.arg(t, 1)) {
                let index = pool.arg(t, 1);
                let written = mentioned.intersection(&arrays);
                reads.extend(written.map(|&array| (array, index)));
            }
        });
    }
    // What is only assigned decides nothing.
    uses.retain(|term, _| read.contains(term));
    let mut vars: Vec<(std::cmp::Reverse<u32>, TermId)> =
        uses.into_iter().map(|(term, n)| (std::cmp::Reverse(n), term)).collect();
    vars.sort_unstable();
    let indices = reads.iter().map(|&(_, index)| index).collect();
    let mut terms: Vec<TermId> = vars.into_iter().map(|(_, term)| term).collect();
    // Reads first if there is no room for all: without them nothing is known about arrays.
    let reads: Vec<TermId> = reads.into_iter().map(|(array, index)| pool.select(array, index)).collect();
    terms.truncate(MAX_TERMS.saturating_sub(reads.len()).max(MAX_TERMS / 2));
    terms.extend(reads);
    terms.truncate(MAX_TERMS);
    Tracked { terms, indices }
}
