//! The fixpoint of an abstract domain on a graph (Cousot, Cousot: Abstract Interpretation, POPL 1977).
//!
//! Every location gets a state that contains all concrete ones. Locations are computed in a weak topological order; at
//! the heads of its components states are joined a few times, then widened until nothing changes, then narrowed. What
//! was found for an inner loop stays when the outer one goes round again.
//!
//! Calls are edges, too: a procedure is entered by all its call sites together, and a return combines the state at the
//! exit with the state before the call. With recursion the heads are chosen in the whole graph, so recursion is widened
//! like a loop. Without it loops stay within procedures, and the successors of a call are re-evaluated when the callee
//! returns more ([`Run::by_need`]): the cost grows with the program, not with its call strings.

mod liveness;
#[cfg(test)]
mod random_programs;
pub(crate) mod vocabulary;

use base::{Budget, IdVec, Stop};
use domains::{Disjunction, Domain, Partition, State, Thresholds};
use ir::{CallSiteId, Edge, EdgeId, Icfg, Label, LocId, ProcId, Stmt, VarId, VarKind};
use logic::{FastMap, FastSet, Op, SortId, TermId, TermPool};
use std::collections::BTreeSet;
use std::sync::Arc;
use unwinding::order::{Element, weak_topological_order};

/// So often the state at a head is joined before it is widened.
const N_JOINS: usize = 2;
/// So often it is widened with all thresholds.
const N_THRESHOLDS: usize = 6;
/// After this number of iterations a head is set to ⊤. (Widening ends long before.)
const MAX_ROUNDS: usize = 60;
/// The number of evaluations of a procedure's entry; afterwards it is ⊤.
const MAX_LOOKS: usize = 60;
/// So often it is narrowed.
const N_NARROWINGS: usize = 2;

/// The part of a graph that is analysed.
pub(crate) enum Part<'a> {
    All,
    /// A path program: these edges.
    Edges(&'a BTreeSet<EdgeId>),
}

impl<'a> Part<'a> {
    pub(crate) fn contains(&self, edge: EdgeId) -> bool {
        match self {
            Part::All => true,
            Part::Edges(edges) => edges.contains(&edge),
        }
    }
    /// The edges, in order.
    pub(crate) fn ids(&self, icfg: &'a Icfg) -> Box<dyn Iterator<Item = EdgeId> + 'a> {
        match self {
            Part::All => Box::new(icfg.edges.ids()),
            Part::Edges(edges) => Box::new(edges.iter().copied()),
        }
    }
    pub(crate) fn edges(&self, icfg: &'a Icfg) -> impl Iterator<Item = &'a Edge> + 'a {
        self.ids(icfg).map(|e| &icfg.edges[e])
    }
}

/// How precise an analysis is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Precision {
    /// States are partitioned by these terms.
    pub partition: Vec<TermId>,
    pub max_cases: usize,
}

/// The states of an analysis that has ended.
#[derive(Debug)]
pub(crate) struct Fixpoint {
    /// How many steps were made.
    pub n_steps: u64,
    pub states: IdVec<LocId, Option<Disjunction>>,
    /// The variables and the procedures that they belong to, if there are calls; globals belong to none.
    owners: FastMap<TermId, Option<ProcId>>,
}

impl Fixpoint {
    pub(crate) fn is_reached(&self, loc: LocId) -> bool {
        self.states[loc].as_ref().is_some_and(|s| !s.is_bottom())
    }
    /// What holds at a location, as formulas over the variables that are in scope there.
    pub(crate) fn formulas(&self, pool: &mut TermPool, icfg: &Icfg, loc: LocId) -> Vec<TermId> {
        match &self.states[loc] {
            None => vec![TermId::FALSE],
            Some(state) => {
                let found = state.formulas(pool);
                if !icfg.has_calls() {
                    return found;
                }
                let own = icfg.locs[loc].proc;
                let is_here = |c: &TermId| self.owners.get(c).is_some_and(|owner| owner.is_none_or(|p| p == own));
                found.into_iter().filter(|f| pool.free_constants(*f).iter().all(is_here)).collect()
            }
        }
    }
}

/// Which procedure each variable belongs to.
fn owners(icfg: &Icfg) -> FastMap<TermId, Option<ProcId>> {
    let owner = |kind: VarKind| match kind {
        VarKind::Global | VarKind::Old(_) => None,
        VarKind::Param(p) | VarKind::Result(p) | VarKind::Local(p) => Some(p),
    };
    icfg.vars.values().map(|v| (v.term, owner(v.kind))).collect()
}

/// Computes the states of all locations.
pub(crate) fn fixpoint(
    pool: &mut TermPool,
    icfg: &Icfg,
    vocabulary: Arc<domains::Vocabulary>,
    precision: Precision,
    part: &Part<'_>,
    budget: &Budget,
) -> Result<Fixpoint, Stop> {
    let mut start = State::all(vocabulary.clone());
    for &axiom in &icfg.axioms {
        if !pool.has_quantifier(axiom) {
            start.assume(pool, axiom);
        }
    }
    let partition = Arc::new(Partition { terms: precision.partition, max_cases: precision.max_cases });
    let start = Disjunction::new(partition.clone(), start);
    let everything = Disjunction::new(partition.clone(), State::all(vocabulary.clone()));
    let nothing = Disjunction::new(partition, State::none(vocabulary));
    let is_acyclic = icfg.has_calls() && matches!(part, Part::All) && !ir::inline::has_recursion(icfg);
    let successors = |loc: LocId| -> Vec<LocId> {
        let mut next = Vec::new();
        for &e in icfg.out_edges(loc).iter().filter(|e| part.contains(**e)) {
            if is_acyclic && matches!(icfg.edges[e].label, Label::Return(_)) {
                continue;
            }
            next.push(icfg.edges[e].dst);
            // What is known after a call depends on the state before it.
            if let Label::Call(site) = icfg.edges[e].label {
                next.push(icfg.edges[icfg.call_sites[site].return_edge].dst);
            }
        }
        next
    };
    let order = weak_topological_order(icfg.locs.len(), icfg.entry(), &successors);
    let dead = liveness::dead_after(pool, icfg, part);
    let mut run = Run {
        pool,
        icfg,
        budget,
        part,
        states: IdVec::from_elem(None, icfg.locs.len()),
        start,
        nothing,
        everything,
        thresholds: FastMap::default(),
        entered_elsewhere: FastMap::default(),
        dead,
        lost: FastSet::default(),
        olds: olds(icfg),
        n_steps: 0,
    };
    if is_acyclic {
        run.by_need(&order)?;
    } else {
        run.elements(&order, false)?;
    }
    let owners = if icfg.has_calls() { owners(icfg) } else { FastMap::default() };
    Ok(Fixpoint { states: run.states, n_steps: run.n_steps, owners })
}

struct Run<'a> {
    pool: &'a mut TermPool,
    icfg: &'a Icfg,
    budget: &'a Budget,
    part: &'a Part<'a>,
    states: IdVec<LocId, Option<Disjunction>>,
    start: Disjunction,
    nothing: Disjunction,
    /// All states.
    everything: Disjunction,
    thresholds: FastMap<LocId, Thresholds>,
    entered_elsewhere: FastMap<LocId, bool>,
    /// The variables that are dead after an edge.
    dead: FastMap<EdgeId, Vec<TermId>>,
    /// Locations of which nothing is known.
    lost: FastSet<LocId>,
    /// The variables for the values of globals before a call, and these globals.
    olds: Vec<(TermId, TermId)>,
    n_steps: u64,
}

impl Run<'_> {
    /// Without recursion: elements are re-evaluated when a predecessor has more states. `order`: of a graph in which
    /// calls do not return, so that loops are within procedures, and what is before a call comes before the callee.
    fn by_need(&mut self, order: &[Element]) -> Result<(), Stop> {
        let icfg = self.icfg;
        let mut element_of: IdVec<LocId, usize> = IdVec::from_elem(usize::MAX, icfg.locs.len());
        for (i, element) in order.iter().enumerate() {
            let mut locs = Vec::new();
            list(std::slice::from_ref(element), &mut locs);
            locs.into_iter().for_each(|l| element_of[l] = i);
        }
        let entries: FastSet<LocId> = icfg.procs.values().map(|p| p.entry).collect();
        let mut n_looks: FastMap<LocId, usize> = FastMap::default();
        let mut waiting: BTreeSet<usize> = BTreeSet::from([element_of[icfg.entry()]]);
        while let Some(i) = waiting.pop_first() {
            let (Element::Location(first) | Element::Component(first, _)) = &order[i];
            if entries.contains(first) {
                let n = n_looks.entry(*first).or_default();
                *n += 1;
                if *n > MAX_LOOKS {
                    self.lost.insert(*first);
                }
            }
            let mut left = Vec::new();
            match &order[i] {
                Element::Location(loc) => {
                    let state = Some(self.incoming(*loc)?).filter(|s| !s.is_bottom());
                    if grows(self.pool, self.states[*loc].as_ref(), state.as_ref()) {
                        left.push(*loc);
                        self.states[*loc] = state;
                    }
                }
                Element::Component(head, body) => {
                    self.component(*head, body, false)?;
                    list(std::slice::from_ref(&order[i]), &mut left);
                    left.retain(|l| self.states[*l].is_some());
                }
            }
            for &e in left.iter().flat_map(|l| icfg.out_edges(*l)) {
                let mut next = vec![icfg.edges[e].dst];
                // What is known after a call depends on the state before it.
                if let Label::Call(site) = icfg.edges[e].label {
                    next.push(icfg.edges[icfg.call_sites[site].return_edge].dst);
                }
                waiting.extend(next.into_iter().map(|l| element_of[l]).filter(|&k| k != i && k != usize::MAX));
            }
        }
        Ok(())
    }

    fn elements(&mut self, elements: &[Element], is_descending: bool) -> Result<(), Stop> {
        for element in elements {
            match element {
                Element::Location(loc) => {
                    let state = self.incoming(*loc)?;
                    self.states[*loc] = Some(state).filter(|s| !s.is_bottom());
                }
                Element::Component(head, body) => self.component(*head, body, is_descending)?,
            }
        }
        Ok(())
    }

    fn component(&mut self, head: LocId, body: &[Element], is_descending: bool) -> Result<(), Stop> {
        // What is inside depends on the head alone, unless there is another way in.
        let is_entered_elsewhere = self.is_entered_elsewhere(head, body);
        if !is_descending {
            let mut n = 0;
            loop {
                let next = self.incoming(head)?;
                let state = match self.states[head].take() {
                    None if next.is_bottom() && !is_entered_elsewhere => return Ok(()),
                    None => next,
                    Some(old) if (n > 0 || !is_entered_elsewhere) && next.is_within(self.pool, &old) => {
                        self.states[head] = Some(old);
                        if n == 0 {
                            return Ok(());
                        }
                        break;
                    }
                    Some(_) if n > MAX_ROUNDS => self.everything.clone(),
                    Some(old) if n <= N_JOINS => old.join(self.pool, &next),
                    Some(old) => {
                        let is_late = n > N_JOINS + N_THRESHOLDS;
                        let thresholds =
                            if is_late { Thresholds::default() } else { self.thresholds_of(head, body).clone() };
                        old.widen(self.pool, &next, &thresholds)
                    }
                };
                self.states[head] = Some(state);
                self.elements(body, false)?;
                n += 1;
            }
        }
        for _ in 0..N_NARROWINGS {
            let next = self.incoming(head)?;
            let Some(old) = self.states[head].take() else { return Ok(()) };
            if !next.is_within(self.pool, &old) {
                self.states[head] = Some(old);
                return Ok(());
            }
            let narrowed = old.narrow(self.pool, &next);
            let is_new = !old.is_within(self.pool, &narrowed);
            self.states[head] = Some(if is_new { narrowed } else { old });
            if !is_new && !is_entered_elsewhere {
                return Ok(());
            }
            self.elements(body, true)?;
            if !is_new {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Does an edge from outside lead into a component past its head?
    fn is_entered_elsewhere(&mut self, head: LocId, body: &[Element]) -> bool {
        let (icfg, part) = (self.icfg, self.part);
        *self.entered_elsewhere.entry(head).or_insert_with(|| {
            let mut locs = vec![head];
            list(body, &mut locs);
            let inside: FastSet<LocId> = locs.iter().copied().collect();
            let from_outside = |e: &EdgeId| match icfg.edges[*e].label {
                // The state before the call counts, too.
                Label::Return(site) => {
                    let before = icfg.edges[icfg.call_sites[site].call_edge].src;
                    !inside.contains(&icfg.edges[*e].src) || !inside.contains(&before)
                }
                _ => !inside.contains(&icfg.edges[*e].src),
            };
            locs[1..].iter().any(|l| icfg.in_edges(*l).iter().filter(|e| part.contains(**e)).any(from_outside))
        })
    }

    fn thresholds_of(&mut self, head: LocId, body: &[Element]) -> &Thresholds {
        let (pool, icfg, part) = (&*self.pool, self.icfg, self.part);
        self.thresholds.entry(head).or_insert_with(|| {
            let mut locs = vec![head];
            list(body, &mut locs);
            let out = locs.iter().flat_map(|l| icfg.out_edges(*l).iter().copied());
            let edges: Vec<EdgeId> = out.filter(|e| part.contains(*e)).collect();
            vocabulary::thresholds(pool, icfg, &edges)
        })
    }

    /// What arrives at a location.
    fn incoming(&mut self, loc: LocId) -> Result<Disjunction, Stop> {
        self.budget.check()?;
        if self.lost.contains(&loc) {
            return Ok(self.everything.clone());
        }
        let mut sum = if loc == self.icfg.entry() { self.start.clone() } else { self.nothing.clone() };
        for &edge in self.icfg.in_edges(loc) {
            if !self.part.contains(edge) {
                continue;
            }
            let Some(state) = &self.states[self.icfg.edges[edge].src] else { continue };
            let mut state = state.clone();
            state.reduce(self.pool);
            self.step(edge, &mut state);
            if let Some(dead) = self.dead.get(&edge) {
                state.release(self.pool, dead);
            }
            if !state.is_bottom() {
                sum = sum.join(self.pool, &state);
            }
        }
        Ok(sum)
    }

    fn step(&mut self, edge: EdgeId, state: &mut Disjunction) {
        self.n_steps += 1;
        if state.is_bottom() {
            return;
        }
        let term = |v: VarId| self.icfg.vars[v].term;
        match &self.icfg.edges[edge].label {
            Label::Stmt(Stmt::Assume(condition)) => state.assume(self.pool, *condition),
            Label::Stmt(Stmt::Assign(pairs)) => {
                let pairs: Vec<(TermId, TermId)> = pairs.iter().map(|(v, t)| (term(*v), *t)).collect();
                state.assign(self.pool, &pairs);
            }
            Label::Stmt(Stmt::Havoc(vars, _)) => {
                let vars: Vec<TermId> = vars.iter().map(|v| term(*v)).collect();
                state.forget(self.pool, &vars);
            }
            Label::Call(site) => self.enter(*site, state),
            Label::Return(site) => self.leave(*site, state),
            Label::AtomicBegin | Label::AtomicEnd => {}
            Label::Block(block) => {
                let assigned: Vec<TermId> = block.assigned.iter().map(|v| term(*v)).collect();
                state.forget(self.pool, &assigned);
            }
            Label::Join { results, .. } => {
                // Other threads may have changed everything.
                let vars: Vec<TermId> = self.icfg.globals.iter().chain(results).map(|v| term(*v)).collect();
                state.forget(self.pool, &vars);
            }
            Label::Fork { .. } => {
                let vars: Vec<TermId> = self.icfg.globals.iter().map(|v| term(*v)).collect();
                state.forget(self.pool, &vars);
            }
        }
    }

    /// From the state before a call to the one at the entry of the callee.
    fn enter(&mut self, site: CallSiteId, state: &mut Disjunction) {
        let site = &self.icfg.call_sites[site];
        let callee = &self.icfg.procs[site.callee];
        let caller = &self.icfg.procs[site.caller];
        let term = |v: &VarId| self.icfg.vars[*v].term;
        let mut pairs: Vec<(TermId, TermId)> = callee.params.iter().map(term).zip(site.args.iter().copied()).collect();
        pairs.extend(&self.olds);
        state.assign(self.pool, &pairs);
        let params: FastSet<TermId> = callee.params.iter().map(term).collect();
        let of_caller = caller.params.iter().chain(&caller.results).chain(&caller.locals);
        let others: Vec<TermId> =
            of_caller.chain(&callee.results).chain(&callee.locals).map(term).filter(|t| !params.contains(t)).collect();
        state.forget(self.pool, &others);
    }

    /// From the state at the exit of a callee to the one after the call.
    fn leave(&mut self, id: CallSiteId, exit: &mut Disjunction) {
        let site = &self.icfg.call_sites[id];
        let callee = &self.icfg.procs[site.callee];
        let term = |v: &VarId| self.icfg.vars[*v].term;
        let before = self.states[self.icfg.edges[site.call_edge].src].clone();
        let Some(mut state) = before else {
            *exit = self.nothing.clone();
            return;
        };
        state.reduce(self.pool);
        // What the exit says about parameters (never assigned), results and globals, in terms of the caller.
        let changed: FastSet<TermId> = callee.modifies.iter().map(term).collect();
        let targets: Vec<TermId> = site.results.iter().map(term).collect();
        let reads = |pool: &TermPool, t: TermId, set: &dyn Fn(&TermId) -> bool| pool.free_constants(t).iter().any(set);
        let mut names: Vec<(TermId, TermId)> = Vec::new();
        let mut nameless: FastSet<TermId> = FastSet::default();
        for (param, &arg) in callee.params.iter().map(term).zip(&site.args) {
            let is_lost = reads(self.pool, arg, &|c| changed.contains(c) || targets.contains(c));
            if is_lost {
                nameless.insert(param);
            } else {
                names.push((param, arg));
            }
        }
        for (result, &target) in callee.results.iter().map(term).zip(&targets) {
            names.push((result, target));
        }
        nameless.extend(callee.locals.iter().map(term));
        nameless.extend(self.olds.iter().map(|(old, _)| *old));
        let known: Vec<TermId> =
            exit.formulas(self.pool).into_iter().filter(|f| !reads(self.pool, *f, &|c| nameless.contains(c))).collect();
        let gone: Vec<TermId> = changed.iter().copied().chain(targets).collect();
        let mut gone = gone;
        gone.sort_unstable();
        state.forget(self.pool, &gone);
        let known: Vec<TermId> = known.into_iter().map(|f| self.pool.substitute(f, &names)).collect();
        // A result that is known exactly is assigned: copies are followed further than equations.
        let mut open = gone;
        for &formula in &known {
            if let Some((target, value)) = solved(self.pool, formula, &open) {
                state.assign(self.pool, &[(target, value)]);
                open.retain(|t| *t != target);
            }
        }
        for formula in known {
            state.assume(self.pool, formula);
        }
        *exit = state;
    }
}

/// The variables for the values of globals before a call, and these globals.
fn olds(icfg: &Icfg) -> Vec<(TermId, TermId)> {
    let pair = |v: &ir::Variable| match v.kind {
        VarKind::Old(global) => Some((v.term, icfg.vars[global].term)),
        _ => None,
    };
    icfg.vars.values().filter_map(pair).collect()
}

/// Are there more states than before?
fn grows(pool: &mut TermPool, before: Option<&Disjunction>, now: Option<&Disjunction>) -> bool {
    match (before, now) {
        (_, None) => false,
        (None, Some(now)) => !now.is_bottom(),
        (Some(before), Some(now)) => !now.is_within(pool, before),
    }
}

/// An equation as `variable = term`, for one of these variables, where the term mentions none of them.
fn solved(pool: &mut TermPool, formula: TermId, variables: &[TermId]) -> Option<(TermId, TermId)> {
    let (Op::Eq, &[a, b]) = (pool.op(formula), pool.args(formula)) else { return None };
    if pool.sort(a) != SortId::INT {
        return None;
    }
    let difference = pool.sub(a, b);
    let linear = pool.linear(difference);
    let mut own = linear.terms.iter().filter(|(t, _)| variables.contains(t));
    let (variable, factor) = own.next().cloned()?;
    if !(factor.is_one() || factor.is_minus_one()) {
        return None;
    }
    // `difference` is `± variable + rest`.
    let sign = -factor;
    let scaled = pool.scale(difference, &sign);
    let value = pool.add(&[scaled, variable]);
    let is_open = pool.free_constants(value).iter().any(|c| variables.contains(c));
    (!is_open).then_some((variable, value))
}

fn list(elements: &[Element], locs: &mut Vec<LocId>) {
    for element in elements {
        match element {
            Element::Location(loc) => locs.push(*loc),
            Element::Component(head, body) => {
                locs.push(*head);
                list(body, locs);
            }
        }
    }
}
