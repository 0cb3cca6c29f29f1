//! Bounded model checking: every path up to a growing number of loop iterations, as one formula.
//!
//! The graph is unfolded in layers. Layer *k* holds the locations that are reached with *k* visits of
//! loop heads; within a layer the graph is acyclic, so all its paths have one passive formula
//! ([`ir::passive`]). After each layer the solver is asked whether an error location of that layer can be
//! reached (a counterexample: the shortest in loop-head visits), and which loop heads of the next layer
//! can. When none can, every path has been covered and the property holds; the certificate is the number
//! of layers, which the checker unwinds again for itself.
//!
//! Calls must have been inlined; recursion is not unfolded here.

use crate::framework::{Ctx, Engine, Phase, Task};
use crate::profile::{Cost, Gives, Profile, Wants};
use crate::unfolding::{Layer, counterexample, grow_layer};
use ir::passive::{Unfolding, identity_env};
use ir::{Certificate, Icfg, Label, Reason, Verdict};
use logic::{Model, SatResult, Solver, TermId};
use smt::SmtSolver;

pub(crate) struct Bmc;

impl Engine for Bmc {
    fn name(&self) -> &'static str {
        "bmc"
    }
    fn summary(&self) -> &'static str {
        "bounded model checking: finds shallow bugs, proves programs whose loops are bounded"
    }
    fn profile(&self) -> Profile {
        Profile { cost: Cost::Search, wants: Wants::NoCalls, needs: &[], gives: &[Gives::Proofs, Gives::Violations] }
    }
    fn search(&self, ctx: &mut Ctx<'_>, task: &Task<'_>) -> Verdict {
        match unfold(ctx, task.icfg, None) {
            Ok(verdict) => verdict,
            Err(reason) => Verdict::Unknown(reason),
        }
    }
}

/// Unfolds until an error is reached, all paths are covered, or `max_layers` are done.
pub(crate) fn unfold(ctx: &mut Ctx<'_>, icfg: &Icfg, max_layers: Option<u32>) -> Result<Verdict, Reason> {
    if icfg.has_threads() {
        return Err(Reason::Unsupported("threads (engine bmc)".to_string()));
    }
    if icfg.edges.values().any(|e| matches!(e.label, Label::Call(_))) {
        return Err(Reason::Incomplete("recursion".to_string()));
    }
    let order = icfg.local_order(icfg.entry());
    let mut solver = SmtSolver::without_proofs();
    for &axiom in &icfg.axioms {
        solver.assert(ctx.pool, axiom);
    }
    let mut unfolding = Unfolding::new();
    let mut n_asserted = 0;
    let root = unfolding.add_root(icfg.entry(), TermId::TRUE, identity_env(icfg));
    // The nodes a layer starts with, in the order of their locations.
    let mut heads = vec![root];
    let mut layer = 0u32;
    loop {
        ctx.budget.check_now()?;
        ctx.observer.progress(u64::from(layer), "bounded model checking");
        ctx.stats.max("bmc layers", u64::from(layer) + 1);
        ctx.observer.enter(Phase::Unrolling);
        let grown = grow_layer(ctx.pool, icfg, &order, &mut unfolding, &heads, ctx.budget);
        ctx.observer.leave(Phase::Unrolling);
        let Layer { errors, entering } = grown?;
        for constraint in &unfolding.constraints[n_asserted..] {
            solver.assert(ctx.pool, *constraint);
        }
        n_asserted = unfolding.constraints.len();
        if !errors.is_empty() {
            let guards: Vec<TermId> = errors.iter().map(|&n| unfolding.nodes[n].guard).collect();
            let reached = ctx.pool.or(&guards);
            match check(ctx, &mut solver, reached)? {
                Some(model) => {
                    let error = errors
                        .iter()
                        .copied()
                        .find(|&n| model.holds(ctx.pool, unfolding.nodes[n].guard) == Ok(true))
                        .ok_or_else(|| Reason::Incomplete("model without a path".to_string()))?;
                    return counterexample(ctx.pool, icfg, &unfolding, &model, error).map(Verdict::Violated);
                }
                None => {
                    let never = ctx.pool.not(reached);
                    solver.assert(ctx.pool, never);
                }
            }
        }
        // Which loop heads are entered again?
        heads.clear();
        for (loc, steps) in entering {
            let node = unfolding.add_node(ctx.pool, icfg, loc, steps);
            for constraint in &unfolding.constraints[n_asserted..] {
                solver.assert(ctx.pool, *constraint);
            }
            n_asserted = unfolding.constraints.len();
            let guard = unfolding.nodes[node].guard;
            if check(ctx, &mut solver, guard)?.is_some() {
                heads.push(node);
            }
        }
        if heads.is_empty() {
            return Ok(Verdict::Holds(Certificate::Unwinding(layer)));
        }
        layer += 1;
        if max_layers.is_some_and(|max| layer > max) {
            return Err(Reason::Incomplete(format!("no error within {layer} loop iterations")));
        }
    }
}

/// A model in which the formula holds too, or `None` if there is none.
fn check(ctx: &mut Ctx<'_>, solver: &mut SmtSolver, formula: TermId) -> Result<Option<Model>, Reason> {
    if formula == TermId::FALSE {
        return Ok(None);
    }
    ctx.stats.add("solver calls", 1);
    match solver.check_assuming(ctx.pool, &[formula], ctx.budget) {
        SatResult::Sat => match solver.model() {
            Some(model) => Ok(Some(model.clone())),
            None => Err(Reason::Incomplete("the solver gave no model".to_string())),
        },
        SatResult::Unsat => Ok(None),
        SatResult::Unknown(logic::UnknownReason::Stopped(stop)) => Err(Reason::Stopped(stop)),
        SatResult::Unknown(logic::UnknownReason::Incomplete(why)) => Err(Reason::Incomplete(why)),
    }
}
