//! From subtracted automata to contracts: the Floyd–Hoare annotation of a recursive program.
//!
//! The subtracted automata are deterministic and total, so every execution has one run in each of them. We explore the
//! program together with all of them, procedure by procedure: a *context* is a state (a location with one state
//! per automaton) at a procedure's entry; within a context all states are found that can be reached from
//! it, passing over calls by the states at the callee's exit (tabulation). A state in which one automaton says
//! *false* has no execution and is dropped. With `pre(c)` and `φ(s)` for the predicates of a context and of a
//! state (in `pre`, globals are read as their `old` values):
//!
//! ```text
//! annotation(ℓ) = ⋀ contexts c:  pre(c) ⇒ ⋁ states s of c at ℓ: φ(s)
//! requires(P)   = ⋁ contexts c:  pre(c)          ensures(P) = annotation(exit of P), locals projected away
//! ```

use super::{Asking, Failure, Interpolant};
use crate::framework::Ctx;
use crate::hoare::HoareChecker;
use automata::{DeterministicNwa, StateId};
use base::Id;
use ir::{Annotation, Contract, EdgeId, Icfg, Label, LocId, ProcId, Reason, VarKind};
use logic::{FastMap, Substitution, TermId, TermPool, qe};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

base::define_id!(
    /// A location with one state per automaton.
    PointId, "pt"
);

/// How many states are explored before giving up.
const MAX_POINTS: usize = 200_000;

struct Exploration<'a> {
    icfg: &'a Icfg,
    points: base::IdVec<PointId, (LocId, Vec<StateId>)>,
    ids: FastMap<(LocId, Vec<StateId>), PointId>,
    /// The points reached within a context.
    reached: BTreeMap<PointId, BTreeSet<PointId>>,
    /// Who called a context: the caller's context, the point of the call, and the call edge.
    callers: BTreeMap<PointId, BTreeSet<(PointId, PointId, EdgeId)>>,
    queue: VecDeque<(PointId, PointId)>,
}

pub(super) fn annotate(
    ctx: &mut Ctx<'_>,
    hoare: &mut HoareChecker<'_>,
    icfg: &Icfg,
    automata: &mut [Interpolant],
) -> Result<Annotation, Reason> {
    let mut exploration = Exploration {
        icfg,
        points: base::IdVec::new(),
        ids: FastMap::default(),
        reached: BTreeMap::new(),
        callers: BTreeMap::new(),
        queue: VecDeque::new(),
    };
    let start = exploration.point(icfg.entry(), vec![StateId::from_index(0); automata.len()]);
    exploration.reach(start, start);
    while let Some((context, at)) = exploration.queue.pop_front() {
        ctx.budget.check()?;
        if exploration.points.len() > MAX_POINTS {
            return Err(Reason::Incomplete("the proof is too large to be written as contracts".to_string()));
        }
        exploration.step(ctx, hoare, automata, context, at)?;
    }
    exploration.annotation(ctx, automata)
}

impl Exploration<'_> {
    fn point(&mut self, loc: LocId, states: Vec<StateId>) -> PointId {
        if let Some(&id) = self.ids.get(&(loc, states.clone())) {
            return id;
        }
        let id = self.points.push((loc, states.clone()));
        self.ids.insert((loc, states), id);
        id
    }

    fn reach(&mut self, context: PointId, at: PointId) {
        if self.reached.entry(context).or_default().insert(at) {
            self.queue.push_back((context, at));
        }
    }

    /// The states of all automata after a step; `None` if one of them says that it cannot happen.
    fn successors(
        ctx: &mut Ctx<'_>,
        hoare: &mut HoareChecker<'_>,
        icfg: &Icfg,
        automata: &mut [Interpolant],
        states: &[StateId],
        mut next: impl FnMut(&mut Asking<'_, '_, '_>, usize, StateId) -> Result<StateId, Failure>,
    ) -> Result<Option<Vec<StateId>>, Reason> {
        let mut result = Vec::with_capacity(states.len());
        for (i, automaton) in automata.iter_mut().enumerate() {
            let false_state = automaton.false_state;
            let mut asking = Asking { ctx: &mut *ctx, hoare: &mut *hoare, icfg, automaton };
            let state = next(&mut asking, i, states[i]).map_err(|e| e.0)?;
            if state == false_state {
                return Ok(None);
            }
            result.push(state);
        }
        Ok(Some(result))
    }

    fn step(
        &mut self,
        ctx: &mut Ctx<'_>,
        hoare: &mut HoareChecker<'_>,
        automata: &mut [Interpolant],
        context: PointId,
        at: PointId,
    ) -> Result<(), Reason> {
        let (loc, states) = self.points[at].clone();
        let icfg = self.icfg;
        for &edge in icfg.out_edges(loc) {
            let dst = icfg.edges[edge].dst;
            match icfg.edges[edge].label {
                Label::Call(_) => {
                    let after = Self::successors(ctx, hoare, icfg, automata, &states, |a, _, q| a.call(q, edge))?;
                    let Some(after) = after else { continue };
                    let callee = self.point(dst, after);
                    self.callers.entry(callee).or_default().insert((context, at, edge));
                    self.reach(callee, callee);
                    // Exits that are known already.
                    let exits: Vec<PointId> = self.exits_of(callee);
                    for exit in exits {
                        self.return_to(ctx, hoare, automata, exit, (context, at, edge))?;
                    }
                }
                Label::Return(_) => {
                    let callers: Vec<_> = self.callers.get(&context).into_iter().flatten().copied().collect();
                    for caller in callers {
                        let site = icfg.call_site(caller.2);
                        if site == icfg.call_site(edge) {
                            self.return_to(ctx, hoare, automata, at, caller)?;
                        }
                    }
                }
                _ => {
                    let after = Self::successors(ctx, hoare, icfg, automata, &states, |a, _, q| a.internal(q, edge))?;
                    if let Some(after) = after {
                        let target = self.point(dst, after);
                        self.reach(context, target);
                    }
                }
            }
        }
        Ok(())
    }

    fn exits_of(&self, context: PointId) -> Vec<PointId> {
        let proc = self.icfg.locs[self.points[context].0].proc;
        let exit = self.icfg.procs[proc].exit;
        let reached = self.reached.get(&context).into_iter().flatten();
        reached.copied().filter(|&p| self.points[p].0 == exit).collect()
    }

    fn return_to(
        &mut self,
        ctx: &mut Ctx<'_>,
        hoare: &mut HoareChecker<'_>,
        automata: &mut [Interpolant],
        exit: PointId,
        (context, call, edge): (PointId, PointId, EdgeId),
    ) -> Result<(), Reason> {
        let icfg = self.icfg;
        let Some(site) = icfg.call_site(edge) else { return Ok(()) };
        let return_edge = icfg.call_sites[site].return_edge;
        let exit_states = self.points[exit].1.clone();
        let call_states = self.points[call].1.clone();
        let after = Self::successors(ctx, hoare, icfg, automata, &exit_states, |a, i, q| {
            a.ret(q, call_states[i], return_edge)
        })?;
        if let Some(after) = after {
            let target = self.point(icfg.edges[return_edge].dst, after);
            self.reach(context, target);
        }
        Ok(())
    }

    fn formula(&self, pool: &mut TermPool, automata: &[Interpolant], point: PointId) -> TermId {
        let mut predicates: Vec<TermId> = Vec::new();
        for (automaton, &state) in automata.iter().zip(&self.points[point].1) {
            predicates.extend_from_slice(&automaton.states[state].predicates);
        }
        pool.and(&predicates)
    }

    fn annotation(&self, ctx: &mut Ctx<'_>, automata: &[Interpolant]) -> Result<Annotation, Reason> {
        let icfg = self.icfg;
        let mut annotation = Annotation::default();
        for (id, location) in icfg.locs.iter() {
            if location.is_loop_head {
                annotation.invariants.insert(id, TermId::FALSE);
            }
        }
        // Globals as they were at the entry, and the other way round.
        let mut to_old = Vec::new();
        let mut to_now = Vec::new();
        for var in icfg.vars.values() {
            if let VarKind::Old(global) = var.kind {
                to_old.push((icfg.vars[global].term, var.term));
                to_now.push((var.term, icfg.vars[global].term));
            }
        }
        let mut by_proc: BTreeMap<ProcId, Vec<PointId>> = BTreeMap::new();
        for &context in self.reached.keys() {
            by_proc.entry(icfg.locs[self.points[context].0].proc).or_default().push(context);
        }
        for (proc, contexts) in by_proc {
            let exit = icfg.procs[proc].exit;
            let mut requires = Vec::new();
            let mut cases: BTreeMap<LocId, Vec<TermId>> = BTreeMap::new();
            let heads = icfg.locs.iter().filter(|(_, l)| l.proc == proc && l.is_loop_head).map(|(id, _)| id);
            let places: BTreeSet<LocId> = heads.chain([exit]).collect();
            for &context in &contexts {
                let pre = self.formula(ctx.pool, automata, context);
                let pre = self.for_any_locals(ctx, proc, pre)?;
                let now = Substitution::from_pairs(to_now.iter().copied()).apply(ctx.pool, pre);
                requires.push(now);
                let old = Substitution::from_pairs(to_old.iter().copied()).apply(ctx.pool, now);
                let not_old = ctx.pool.not(old);
                for &place in &places {
                    let mut options = vec![];
                    for &point in &self.reached[&context] {
                        if self.points[point].0 == place {
                            let mut formula = self.formula(ctx.pool, automata, point);
                            if place == exit {
                                formula = self.without_locals(ctx, proc, formula)?;
                            }
                            options.push(formula);
                        }
                    }
                    options.push(not_old);
                    let case = ctx.pool.or(&options);
                    cases.entry(place).or_default().push(case);
                }
            }
            let mut ensures = TermId::TRUE;
            for (place, cases) in cases {
                let formula = ctx.pool.and(&cases);
                if icfg.locs[place].is_loop_head {
                    annotation.invariants.insert(place, formula);
                }
                if place == exit {
                    ensures = formula;
                }
            }
            if Some(proc) != icfg.root {
                let requires = ctx.pool.or(&requires);
                annotation.contracts.insert(proc, Contract { requires, ensures });
            }
        }
        // A procedure that is never reached may assume anything.
        for proc in icfg.procs.ids() {
            if Some(proc) != icfg.root {
                let never = Contract { requires: TermId::FALSE, ensures: TermId::TRUE };
                annotation.contracts.entry(proc).or_insert(never);
            }
        }
        Ok(annotation)
    }

    /// What a formula at the entry of a procedure says whatever values its locals and results have there: it was shown
    /// for arbitrary ones, and a precondition must not mention them.
    fn for_any_locals(&self, ctx: &mut Ctx<'_>, proc: ProcId, formula: TermId) -> Result<TermId, Reason> {
        let proc = &self.icfg.procs[proc];
        let own: Vec<TermId> = proc.locals.iter().chain(&proc.results).map(|&v| self.icfg.vars[v].term).collect();
        let present: Vec<TermId> = ctx.pool.free_constants(formula).into_iter().filter(|t| own.contains(t)).collect();
        if present.is_empty() {
            return Ok(formula);
        }
        let eliminated = qe::eliminate_forall(ctx.pool, &present, formula, &qe::Options::default(), ctx.budget);
        if eliminated.is_complete() {
            Ok(eliminated.formula)
        } else {
            Err(Reason::Incomplete("a local variable stays in a precondition".to_string()))
        }
    }

    /// Projects the locals of a procedure out of a formula at its exit, weakening it if need be.
    fn without_locals(&self, ctx: &mut Ctx<'_>, proc: ProcId, formula: TermId) -> Result<TermId, Reason> {
        let locals: Vec<TermId> = self.icfg.procs[proc].locals.iter().map(|&v| self.icfg.vars[v].term).collect();
        let present: Vec<TermId> =
            ctx.pool.free_constants(formula).into_iter().filter(|t| locals.contains(t)).collect();
        if present.is_empty() {
            return Ok(formula);
        }
        let options = qe::Options::default().with_fallback(qe::Fallback::Weaken);
        let eliminated = qe::eliminate_exists(ctx.pool, &present, formula, &options, ctx.budget);
        if eliminated.remaining.is_empty() {
            Ok(eliminated.formula)
        } else {
            Err(Reason::Incomplete("a local variable stays in a contract".to_string()))
        }
    }
}
