//! Trace checks: can this error trace be executed, and if not, why not?
//!
//! A trace becomes SSA formulas ([`ir::ssa`]), each conjunct an assertion of its own, so that the unsat core
//! names conjuncts. A feasible trace gives a counterexample with values; an infeasible one a
//! [`TraceProof`], from which predicates for every position can be made in several ways, all behind
//! [`TraceProof::predicates`]:
//!
//! * **Craig**: interpolants of the refutation, one tree-interpolation call (sequence for traces without calls);
//! * **Backward**: the trace is sliced to its unsat core and the states from which the rest of the slice can be
//!   executed are computed backwards (weakest preconditions of false, negated); goal-directed, finds
//!   facts close to the assertion;
//! * **Forward**: strongest postconditions of the slice, projected to variables that the rest of the slice reads.
//!
//! Backward and forward predicates of traces with calls are made by [`nested`].
//! Through a block (many paths joined into one edge) the last two go by quantifier elimination from its formula.
//!
//! A predicate sequence is *inductive along the trace*: `{p_i} step_i {p_{i+1}}`, from true to false.

use crate::framework::{Ctx, Phase};
use ir::ssa::Ssa;
use ir::{Counterexample, EdgeId, Icfg, Label, LocId, Reason, Stmt, TraceStep};
use logic::qe;
use logic::{
    AssertionId, FastSet, ItpOptions, ItpTree, Model, SatResult, Solver, TermId, TermPool, UnknownReason, Value,
};
use smt::SmtSolver;
use std::collections::BTreeMap;
use std::time::Duration;

mod nested;

/// Stands in the groups for an assertion that is not part of the refutation's problem.
const DROPPED: AssertionId = AssertionId(u32::MAX);
/// The time for making a core small.
const CORE_LIMIT: Duration = Duration::from_millis(150);

pub enum TraceResult {
    Feasible(Counterexample),
    Infeasible(Box<TraceProof>),
    Unknown(Reason),
}

/// How predicates are made from an infeasible trace.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Source {
    Craig(Strength),
    Backward,
    Forward,
}

/// The strength of Craig interpolants.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Strength {
    Strong,
    Weak,
}

/// An infeasible trace with its refutation.
pub struct TraceProof {
    trace: Vec<EdgeId>,
    ssa: Ssa,
    solver: SmtSolver,
    /// The assertions of each step, in the order of the step's formulas.
    groups: Vec<Vec<AssertionId>>,
    /// The assertion of what holds before the first step.
    before: Vec<AssertionId>,
    /// The assertion that the goal fails after the last step, if the goal is not false.
    after: Vec<AssertionId>,
    pre: TermId,
    post: TermId,
    core: FastSet<AssertionId>,
}

/// Decides whether a trace can be executed.
pub fn check_trace(ctx: &mut Ctx<'_>, icfg: &Icfg, trace: &[EdgeId]) -> TraceResult {
    check_segment(ctx, icfg, TermId::TRUE, trace, TermId::FALSE)
}

/// Decides whether a part of a trace can be executed from a state of `pre` to one outside `post`.
/// Infeasible means: the triple `{pre} trace {post}` holds; the core of its proof is small.
pub fn check_segment(ctx: &mut Ctx<'_>, icfg: &Icfg, pre: TermId, trace: &[EdgeId], post: TermId) -> TraceResult {
    match refute_segment(ctx, icfg, pre, trace, post) {
        TraceResult::Infeasible(mut proof) => match proof.minimise_core(ctx, icfg) {
            Ok(()) => TraceResult::Infeasible(proof),
            Err(reason) => TraceResult::Unknown(reason),
        },
        other => other,
    }
}

/// Like [`check_segment`], with one solver call: the proof may use more of the trace than it needs.
pub fn refute_segment(ctx: &mut Ctx<'_>, icfg: &Icfg, pre: TermId, trace: &[EdgeId], post: TermId) -> TraceResult {
    ctx.phase(Phase::TraceCheck, |ctx| check(ctx, icfg, pre, trace, post))
}

/// Reports to the observer the loop with the most iterations in a trace.
fn tell_unrolled(ctx: &mut Ctx<'_>, icfg: &Icfg, trace: &[EdgeId]) {
    let mut passes: BTreeMap<LocId, u32> = BTreeMap::new();
    for loc in trace.iter().map(|&e| icfg.edges[e].dst).filter(|&l| icfg.locs[l].is_loop_head) {
        *passes.entry(loc).or_default() += 1;
    }
    if let Some((&loc, &times)) = passes.iter().max_by_key(|(_, times)| **times) {
        ctx.observer.unrolled(icfg.locs[loc].span, times);
    }
}

fn check(ctx: &mut Ctx<'_>, icfg: &Icfg, pre: TermId, trace: &[EdgeId], post: TermId) -> TraceResult {
    tell_unrolled(ctx, icfg, trace);
    let Ok(ssa) = Ssa::of_trace(ctx.pool, icfg, trace) else {
        return TraceResult::Unknown(Reason::Unsupported("threads".to_string()));
    };
    let mut solver = SmtSolver::with_proofs();
    for &axiom in &icfg.axioms {
        solver.assert(ctx.pool, axiom);
    }
    let mut groups = Vec::with_capacity(trace.len());
    for step in &ssa.steps {
        groups.push(step.formulas.iter().map(|&f| solver.assert(ctx.pool, f)).collect());
    }
    let mut bound = |ctx: &mut Ctx<'_>, position: usize, t: TermId| -> Vec<AssertionId> {
        let t = ssa.at_position(ctx.pool, icfg, position, t);
        if t == TermId::TRUE { Vec::new() } else { vec![solver.assert(ctx.pool, t)] }
    };
    let before = bound(ctx, 0, pre);
    let fails = ctx.pool.not(post);
    let after = bound(ctx, trace.len(), fails);
    ctx.stats.add("solver calls", 1);
    ctx.stats.add("traces checked", 1);
    ctx.stats.max("longest trace", trace.len() as u64);
    match solver.check(ctx.pool, ctx.budget) {
        SatResult::Sat => match solver.model() {
            Some(model) => TraceResult::Feasible(execution(ctx.pool, trace, &ssa, model)),
            None => TraceResult::Unknown(Reason::Incomplete("the solver gave no model".to_string())),
        },
        SatResult::Unsat => {
            let core: FastSet<AssertionId> = solver.unsat_core().into_iter().collect();
            let proof = TraceProof { trace: trace.to_vec(), ssa, solver, groups, before, after, pre, post, core };
            TraceResult::Infeasible(Box::new(proof))
        }
        SatResult::Unknown(UnknownReason::Stopped(stop)) => TraceResult::Unknown(Reason::Stopped(stop)),
        SatResult::Unknown(UnknownReason::Incomplete(why)) => TraceResult::Unknown(Reason::Incomplete(why)),
    }
}

/// The execution that a model of a trace describes.
fn execution(pool: &TermPool, trace: &[EdgeId], ssa: &Ssa, model: &Model) -> Counterexample {
    let mut memo = logic::FastMap::default();
    let mut steps = Vec::with_capacity(trace.len());
    for (&edge, step) in trace.iter().zip(&ssa.steps) {
        let chosen: BTreeMap<_, Value> = step
            .chosen
            .iter()
            .filter_map(|&(v, constant)| Some((v, model.eval_memo(pool, constant, &mut memo).ok()?)))
            .collect();
        steps.push(TraceStep { edge, chosen });
    }
    Counterexample { initial: ssa.initial_values(pool, model), steps, symbols: model.clone() }
}

/// Whether a refutation may use the return addresses of a linked graph.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Returns {
    Freely,
    /// Only where the path is possible without them.
    IfNeeded,
}

impl TraceProof {
    pub fn trace(&self) -> &[EdgeId] {
        &self.trace
    }

    /// Drops assertions from the core while it stays unsatisfiable, the early ones first, and refutes the rest again:
    /// irrelevant facts must not occur in predicates.
    pub fn minimise_core(&mut self, ctx: &mut Ctx<'_>, icfg: &Icfg) -> Result<(), Reason> {
        let returns = if ctx.stats.get("traces checked") % 2 == 1 { Returns::IfNeeded } else { Returns::Freely };
        ctx.phase(Phase::TraceCheck, |ctx| self.minimise(ctx, icfg, returns))
    }

    /// Like [`Self::minimise_core`], but a wrong return is never the reason if there is another one. For engines whose
    /// labels speak of one vertex: a label that mentions a return address distinguishes its context from all others.
    pub fn minimise_core_without_returns(&mut self, ctx: &mut Ctx<'_>, icfg: &Icfg) -> Result<(), Reason> {
        ctx.phase(Phase::TraceCheck, |ctx| self.minimise(ctx, icfg, Returns::IfNeeded))
    }

    fn minimise(&mut self, ctx: &mut Ctx<'_>, icfg: &Icfg, returns: Returns) -> Result<(), Reason> {
        let ids: Vec<AssertionId> =
            self.before.iter().chain(self.groups.iter().flatten()).chain(&self.after).copied().collect();
        let formulas: logic::FastMap<AssertionId, TermId> = self.solver.assertions().iter().copied().collect();
        let mut kept: Vec<(AssertionId, TermId)> = ids
            .iter()
            .copied()
            .filter(|a| self.core.contains(a))
            .filter_map(|a| Some((a, *formulas.get(&a)?)))
            .collect();
        let limit = ctx.budget.child(CORE_LIMIT);
        let mut probe = SmtSolver::with_proofs();
        for &axiom in &icfg.axioms {
            probe.assert(ctx.pool, axiom);
        }
        // A path of a linked graph that has another reason not to be possible than a wrong return may be better refuted
        // by that one, or all contexts would be distinguished. But (`minimise_core`) only every other time: where
        // values are exact, wrong returns have to be excluded as such.
        let own: Vec<(AssertionId, TermId)> = without_return_addresses(ctx.pool, icfg, self.solver.assertions(), &ids);
        if !own.is_empty() && returns == Returns::IfNeeded {
            let terms: Vec<TermId> = own.iter().map(|&(_, f)| f).collect();
            ctx.stats.add("solver calls", 1);
            if probe.check_assuming(ctx.pool, &terms, &limit) == SatResult::Unsat {
                let needed = probe.failed_assumptions();
                kept = needed.into_iter().filter_map(|i| own.get(i).copied()).collect();
            }
        }
        // Axioms may be in the core, too.
        let n_first = ids.iter().filter(|&a| self.core.contains(a)).count();
        let first_core =
            |kept: &[(AssertionId, TermId)]| kept.len() == n_first && kept.iter().all(|(a, _)| self.core.contains(a));
        let mut i = 0;
        while i < kept.len() && kept.len() > 1 && limit.check_now().is_ok() {
            let others: Vec<TermId> = kept.iter().enumerate().filter(|&(k, _)| k != i).map(|(_, f)| f.1).collect();
            ctx.stats.add("solver calls", 1);
            if probe.check_assuming(ctx.pool, &others, &limit) != SatResult::Unsat {
                i += 1;
                continue;
            }
            let needed = probe.failed_assumptions();
            kept.remove(i);
            // Everything before `i` is known to be needed as long as all after it is there.
            let mut index = 0;
            kept.retain(|_| {
                index += 1;
                needed.contains(&(index - 1))
            });
            i = i.min(kept.len());
        }
        ctx.budget.check_now()?;
        if first_core(&kept) {
            return Ok(());
        }
        // A refutation of the small core alone.
        let mut solver = SmtSolver::with_proofs();
        for &axiom in &icfg.axioms {
            solver.assert(ctx.pool, axiom);
        }
        let new_ids: logic::FastMap<AssertionId, AssertionId> =
            kept.iter().map(|&(old, formula)| (old, solver.assert(ctx.pool, formula))).collect();
        ctx.stats.add("solver calls", 1);
        if solver.check(ctx.pool, ctx.budget) != SatResult::Unsat {
            ctx.budget.check_now()?;
            return Ok(()); // keep the first refutation
        }
        self.solver = solver;
        // Dropped assertions keep their place in the groups, under an id that nothing has.
        let renamed = |a: &AssertionId| new_ids.get(a).copied();
        for group in &mut self.groups {
            for a in group.iter_mut() {
                *a = renamed(a).unwrap_or(DROPPED);
            }
        }
        self.before = self.before.iter().filter_map(renamed).collect();
        self.after = self.after.iter().filter_map(renamed).collect();
        self.core = new_ids.values().copied().collect();
        Ok(())
    }

    /// Predicates over program variables for every position of the trace, from true to false.
    pub fn predicates(&mut self, ctx: &mut Ctx<'_>, icfg: &Icfg, source: Source) -> Result<Vec<TermId>, Reason> {
        ctx.observer.enter(Phase::Interpolation);
        let result = match source {
            Source::Craig(options) => self.craig(ctx, icfg, options),
            Source::Backward if self.has_calls(icfg) => self.backward_nested(ctx, icfg),
            Source::Forward if self.has_calls(icfg) => self.forward_nested(ctx, icfg),
            Source::Backward => self.backward(ctx, icfg),
            Source::Forward => self.forward(ctx, icfg),
        };
        ctx.observer.leave(Phase::Interpolation);
        ctx.stats.add(
            match (&result, source) {
                (Ok(_), Source::Craig(_)) => "interpolation: Craig",
                (Ok(_), Source::Backward) => "interpolation: backward",
                (Ok(_), Source::Forward) => "interpolation: forward",
                (Err(_), _) => "interpolation: failed",
            },
            1,
        );
        result
    }

    fn craig(&mut self, ctx: &mut Ctx<'_>, icfg: &Icfg, options: Strength) -> Result<Vec<TermId>, Reason> {
        let n = self.trace.len();
        let mut groups: Vec<Vec<AssertionId>> =
            self.groups.iter().map(|g| g.iter().copied().filter(|&a| a != DROPPED).collect()).collect();
        let mut parent = self.ssa.tree_parents();
        if let Some(first) = groups.first_mut() {
            first.extend_from_slice(&self.before);
        }
        if self.post != TermId::FALSE {
            if let Some(last) = parent.last_mut() {
                *last = Some(n);
            }
            groups.push(self.after.clone());
            parent.push(None);
        }
        let tree = ItpTree { groups, parent };
        let options = match options {
            Strength::Strong => ItpOptions::default(),
            Strength::Weak => ItpOptions { farkas: logic::Farkas::Weak, ..ItpOptions::default() },
        };
        let interpolants = self
            .solver
            .interpolate(ctx.pool, &tree, options, ctx.budget)
            .map_err(|e| Reason::Incomplete(e.to_string()))?;
        let mut predicates = Vec::with_capacity(n + 1);
        predicates.push(self.pre);
        for (k, interpolant) in interpolants.into_iter().enumerate() {
            let predicate = self
                .ssa
                .to_program(ctx.pool, icfg, k + 1, interpolant)
                .ok_or_else(|| Reason::Incomplete("an interpolant speaks of a dead variable".to_string()))?;
            predicates.push(predicate);
        }
        predicates.truncate(n);
        predicates.push(self.post);
        Ok(predicates)
    }

    /// Craig interpolants as predicates for every position, from `pre` to `post`.
    pub fn craig_predicates(&mut self, ctx: &mut Ctx<'_>, icfg: &Icfg) -> Result<Vec<TermId>, Reason> {
        self.predicates(ctx, icfg, Source::Craig(Strength::Strong))
    }

    fn in_core(&self, step: usize, formula: usize) -> bool {
        self.groups[step].get(formula).is_some_and(|a| self.core.contains(a))
    }

    /// Does the refutation use anything of a step?
    fn uses(&self, step: usize) -> bool {
        self.groups[step].iter().any(|a| self.core.contains(a))
    }

    /// The conjuncts of an assume that the refutation uses.
    fn core_of_assume(&self, pool: &mut TermPool, step: usize, condition: TermId) -> TermId {
        let used: Vec<TermId> = pool
            .conjuncts(condition)
            .into_iter()
            .enumerate()
            .filter(|&(i, _)| self.in_core(step, i))
            .map(|(_, c)| c)
            .collect();
        pool.and(&used)
    }

    fn backward(&mut self, ctx: &mut Ctx<'_>, icfg: &Icfg) -> Result<Vec<TermId>, Reason> {
        let n = self.trace.len();
        let mut predicates = vec![TermId::FALSE; n + 1];
        // The states from which the rest of the slice can be executed.
        let mut bad = TermId::TRUE;
        for i in (0..n).rev() {
            ctx.budget.check()?;
            bad = match &icfg.edges[self.trace[i]].label {
                Label::Stmt(Stmt::Assume(c)) => {
                    let c = self.core_of_assume(ctx.pool, i, *c);
                    ctx.pool.and(&[c, bad])
                }
                Label::Stmt(Stmt::Assign(pairs)) => {
                    let mut replaced = Vec::new();
                    let mut forgotten = Vec::new();
                    for (k, &(v, e)) in pairs.iter().enumerate() {
                        if self.in_core(i, k) {
                            replaced.push((icfg.vars[v].term, e));
                        } else {
                            forgotten.push(icfg.vars[v].term);
                        }
                    }
                    let bad = weaken_exists(ctx, &forgotten, bad)?;
                    ctx.pool.substitute(bad, &replaced)
                }
                Label::Stmt(Stmt::Havoc(vars, _)) => {
                    let terms: Vec<TermId> = vars.iter().map(|&v| icfg.vars[v].term).collect();
                    weaken_exists(ctx, &terms, bad)?
                }
                Label::AtomicBegin | Label::AtomicEnd => bad,
                Label::Block(block) if self.uses(i) => {
                    let after: Vec<(TermId, TermId)> = after_block(ctx.pool, icfg, block);
                    let mut gone = block.aux.clone();
                    gone.extend(after.iter().map(|&(_, primed)| primed));
                    let there = ctx.pool.substitute(bad, &after);
                    let joined = ctx.pool.and(&[block.plain, there]);
                    weaken_exists(ctx, &gone, joined)?
                }
                Label::Block(block) => {
                    let terms: Vec<TermId> = block.assigned.iter().map(|&v| icfg.vars[v].term).collect();
                    weaken_exists(ctx, &terms, bad)?
                }
                Label::Call(_) | Label::Return(_) | Label::Fork { .. } | Label::Join { .. } => {
                    return Err(Reason::Incomplete("backward predicates do not cross calls".to_string()));
                }
            };
            predicates[i] = ctx.pool.not(bad);
        }
        // Position 0 must be true: the weakened slice may have become feasible.
        if predicates[0] != TermId::TRUE {
            let feasible = ctx.pool.not(predicates[0]);
            let mut solver = SmtSolver::without_proofs();
            for &axiom in &icfg.axioms {
                solver.assert(ctx.pool, axiom);
            }
            if solver.check_assuming(ctx.pool, &[feasible], ctx.budget) != SatResult::Unsat {
                return Err(Reason::Incomplete("the backward slice is feasible".to_string()));
            }
            predicates[0] = TermId::TRUE;
        }
        Ok(predicates)
    }

    fn forward(&mut self, ctx: &mut Ctx<'_>, icfg: &Icfg) -> Result<Vec<TermId>, Reason> {
        let n = self.trace.len();
        let read_later = self.read_later(ctx.pool, icfg)?;
        let mut predicates = vec![TermId::TRUE; n + 1];
        let mut now = TermId::TRUE;
        for i in 0..n {
            ctx.budget.check()?;
            now = match &icfg.edges[self.trace[i]].label {
                Label::Stmt(Stmt::Assume(c)) => {
                    let c = self.core_of_assume(ctx.pool, i, *c);
                    ctx.pool.and(&[c, now])
                }
                Label::Stmt(Stmt::Assign(pairs)) => {
                    // The old values get names of their own, then are eliminated.
                    let mut before = Vec::new();
                    let mut names = Vec::new();
                    for &(v, _) in pairs {
                        let term = icfg.vars[v].term;
                        let name = ir::primed(ctx.pool, term);
                        before.push((term, name));
                        names.push(name);
                    }
                    let mut parts = vec![ctx.pool.substitute(now, &before)];
                    for (k, &(v, e)) in pairs.iter().enumerate() {
                        if self.in_core(i, k) {
                            let e = ctx.pool.substitute(e, &before);
                            parts.push(ctx.pool.eq(icfg.vars[v].term, e));
                        }
                    }
                    let joined = ctx.pool.and(&parts);
                    weaken_exists(ctx, &names, joined)?
                }
                Label::Stmt(Stmt::Havoc(vars, _)) => {
                    let terms: Vec<TermId> = vars.iter().map(|&v| icfg.vars[v].term).collect();
                    weaken_exists(ctx, &terms, now)?
                }
                Label::AtomicBegin | Label::AtomicEnd => now,
                Label::Block(block) if self.uses(i) => {
                    let after: Vec<(TermId, TermId)> = after_block(ctx.pool, icfg, block);
                    let mut gone = block.aux.clone();
                    gone.extend(after.iter().map(|&(before, _)| before));
                    let joined = ctx.pool.and(&[now, block.plain]);
                    let there = weaken_exists(ctx, &gone, joined)?;
                    let back: Vec<(TermId, TermId)> =
                        after.into_iter().map(|(before, primed)| (primed, before)).collect();
                    ctx.pool.substitute(there, &back)
                }
                Label::Block(block) => {
                    let terms: Vec<TermId> = block.assigned.iter().map(|&v| icfg.vars[v].term).collect();
                    weaken_exists(ctx, &terms, now)?
                }
                Label::Call(_) | Label::Return(_) | Label::Fork { .. } | Label::Join { .. } => {
                    return Err(Reason::Incomplete("forward predicates do not cross calls".to_string()));
                }
            };
            // What the rest does not read can be forgotten.
            let dead: Vec<TermId> = ctx
                .pool
                .free_constants(now)
                .into_iter()
                .filter(|t| icfg.vars.values().any(|v| v.term == *t) && !read_later[i + 1].contains(t))
                .collect();
            now = weaken_exists(ctx, &dead, now)?;
            predicates[i + 1] = now;
        }
        if now != TermId::FALSE {
            let mut solver = SmtSolver::without_proofs();
            for &axiom in &icfg.axioms {
                solver.assert(ctx.pool, axiom);
            }
            if solver.check_assuming(ctx.pool, &[now], ctx.budget) != SatResult::Unsat {
                return Err(Reason::Incomplete("the forward slice is feasible".to_string()));
            }
            predicates[n] = TermId::FALSE;
        }
        Ok(predicates)
    }

    /// For each position the variables that the slice reads from there on before writing them.
    fn read_later(&self, pool: &mut TermPool, icfg: &Icfg) -> Result<Vec<FastSet<TermId>>, Reason> {
        let n = self.trace.len();
        let mut live: FastSet<TermId> = FastSet::default();
        let mut result = vec![live.clone(); n + 1];
        for i in (0..n).rev() {
            match &icfg.edges[self.trace[i]].label {
                Label::Stmt(Stmt::Assume(c)) => {
                    let c = self.core_of_assume(pool, i, *c);
                    live.extend(pool.free_constants(c));
                }
                Label::Stmt(Stmt::Assign(pairs)) => {
                    let was_live: Vec<bool> = pairs.iter().map(|&(v, _)| live.remove(&icfg.vars[v].term)).collect();
                    for (k, &(_, e)) in pairs.iter().enumerate() {
                        if was_live[k] && self.in_core(i, k) {
                            live.extend(pool.free_constants(e));
                        }
                    }
                }
                Label::Stmt(Stmt::Havoc(vars, _)) => {
                    for &v in vars {
                        live.remove(&icfg.vars[v].term);
                    }
                }
                Label::AtomicBegin | Label::AtomicEnd => {}
                Label::Block(block) => {
                    for &v in &block.assigned {
                        live.remove(&icfg.vars[v].term);
                    }
                    // What it passes on unchanged on some of its paths it reads, too.
                    if self.uses(i) {
                        live.extend(pool.free_constants(block.plain));
                    }
                }
                Label::Call(_) | Label::Return(_) | Label::Fork { .. } | Label::Join { .. } => {
                    return Err(Reason::Incomplete("slices do not cross calls".to_string()));
                }
            }
            result[i] = live.clone();
        }
        Ok(result)
    }
}

/// The variables that a block assigns, each with the constant for its value afterwards.
fn after_block(pool: &mut TermPool, icfg: &Icfg, block: &ir::Transition) -> Vec<(TermId, TermId)> {
    let terms = block.assigned.iter().map(|&v| icfg.vars[v].term);
    terms.map(|term| (term, ir::primed(pool, term))).collect()
}

/// The assertions of a trace that say nothing about return addresses, if some do.
fn without_return_addresses(
    pool: &TermPool,
    icfg: &Icfg,
    assertions: &[(AssertionId, TermId)],
    of_trace: &[AssertionId],
) -> Vec<(AssertionId, TermId)> {
    let is_address = |v: &&ir::Variable| ir::linking::is_return_address(v);
    let addresses: FastSet<logic::FunId> =
        icfg.vars.values().filter(is_address).filter_map(|v| pool.as_symbol(v.term)).collect();
    if addresses.is_empty() {
        return Vec::new();
    }
    let base = |c: TermId| Some(pool.fun(pool.as_symbol(c)?).instance_of?.0);
    let speaks = |f: TermId| pool.free_constants(f).into_iter().filter_map(base).any(|b| addresses.contains(&b));
    let of_trace: FastSet<AssertionId> = of_trace.iter().copied().collect();
    assertions.iter().copied().filter(|(a, f)| of_trace.contains(a) && !speaks(*f)).collect()
}

/// An over-approximation of `∃ variables. formula`; equivalent if elimination is exact. Fails if elimination does.
fn weaken_exists(ctx: &mut Ctx<'_>, variables: &[TermId], formula: TermId) -> Result<TermId, Reason> {
    let occurring = ctx.pool.free_constants(formula);
    let present: Vec<TermId> = variables.iter().copied().filter(|v| occurring.binary_search(v).is_ok()).collect();
    if present.is_empty() {
        return Ok(formula);
    }
    let options = qe::Options::default().with_fallback(qe::Fallback::Weaken);
    let eliminated = qe::eliminate_exists(ctx.pool, &present, formula, &options, ctx.budget);
    ctx.budget.check()?;
    if eliminated.remaining.is_empty() && eliminated.exactness != qe::Exactness::UnderApproximation {
        Ok(eliminated.formula)
    } else {
        Err(Reason::Incomplete("a quantifier could not be eliminated".to_string()))
    }
}
