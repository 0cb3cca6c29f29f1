//! Explicit-state model checking of temporal properties: all states of the product of the program and the automaton are
//! enumerated and searched for accepting cycles ([`exec::fair_states`]).
//!
//! Fit for controllers that read few inputs, where it needs neither ranking functions nor interpolants. No cycle is a
//! proof. A cycle is executed with concrete values for nondeterministic choices; if a state recurs, the execution is a
//! violation.
//!
//! For safety there is no search for cycles, and dead variables do not distinguish states ([`exec::states`]).
//! Conditionals are branches there ([`ir::conditionals`]): a state machine that is driven by inputs has few states, but
//! none of them is known if an assignment chooses between two.

use crate::buchi::Search;
use crate::endless;
use crate::framework::{Ctx, Engine, Phase, Task};
use crate::profile::{Cost, Gives, Profile, Wants};
use base::{Budget, Stop};
use exec::fair_states::{Lasso, LassoStep, Limits, Outcome, enumerate};
use exec::repetition::{Relevant, repetition_in};
use ir::conditionals::as_branches;
use ir::{
    Certificate, Counterexample, EdgeId, Icfg, Label, NonTermination, Property, Reason, Stmt, TraceStep, VarId, Verdict,
};
use logic::{Model, TermPool, Value, default_value};

pub(crate) struct ExplicitStates;

/// More steps are not made; states and ways are kept in memory.
const MAX_STEPS: u64 = 20_000_000;
/// For safety, where other engines are left.
const MAX_SAFE_STEPS: u64 = 1_000_000;
/// The number of states after which the variables with many values are determined.
const FEW_STATES: usize = 1_500;
/// The number of states for a program with such variables.
const MORE_STATES: usize = 15_000;
/// The number of iterations of a cycle that are executed to find a recurring state.
const MAX_TURNS: usize = 8;
/// Of the time that is left, for one lasso.
const SHARE_OF_LASSO: f64 = 0.1;
/// The checker may make some steps more, if it meets them in another order.
const SLACK: u64 = 2;

impl Engine for ExplicitStates {
    fn name(&self) -> &'static str {
        "explicit-states"
    }
    fn summary(&self) -> &'static str {
        "makes all states, if they are few; for temporal properties it looks for accepting cycles among them"
    }
    fn supports(&self, property: &Property) -> bool {
        property.is_safety() || matches!(property, Property::Ltl(_))
    }
    fn profile(&self) -> Profile {
        let gives = &[Gives::Proofs, Gives::Violations];
        Profile { cost: Cost::Quick, wants: Wants::NoCalls, needs: &[], gives }
    }
    fn search(&self, ctx: &mut Ctx<'_>, task: &Task<'_>) -> Verdict {
        if task.property.is_safety() {
            return all_states(ctx, task.icfg);
        }
        let budget = ctx.budget;
        // First few states; if there are more, variables with many values are abstracted to cells, and the remaining
        // lassos are tried; then all states.
        let few = Limits { max_steps: MAX_STEPS, max_states: FEW_STATES };
        let all = Limits { max_steps: MAX_STEPS, max_states: usize::MAX };
        let made = |ctx: &mut Ctx<'_>, limits: &Limits, wide: &[VarId]| {
            ctx.phase(Phase::Unrolling, |ctx| {
                enumerate(task.icfg, ctx.pool, limits, wide, &mut || budget.check_now().is_err())
            })
        };
        let holds = |ctx: &mut Ctx<'_>, n_steps: u64, wide: Vec<VarId>| {
            ctx.stats.max("executed steps", n_steps);
            Verdict::Holds(Certificate::FairStates { steps: n_steps.saturating_mul(SLACK), wide })
        };
        let mut outcome = made(ctx, &few, &[]);
        let mut rest = all;
        if let Outcome::TooMany(wide) = &outcome
            && !wide.is_empty()
        {
            let wide = wide.clone();
            // What takes many values will take many more.
            rest.max_states = MORE_STATES;
            ctx.stats.max("wide variables", wide.len() as u64);
            match made(ctx, &all, &wide) {
                Outcome::NoCycle(n_steps) => return holds(ctx, n_steps, wide),
                Outcome::Cycles(lassos) => {
                    ctx.stats.max("lassos of cells", lassos.len() as u64);
                    for found in &lassos {
                        match concrete(task.icfg, ctx.pool, found, &budget.share(SHARE_OF_LASSO)) {
                            Ok(Some(found)) => return Verdict::NonTerminating(Box::new(found)),
                            Ok(None) => {}
                            Err(stop) => {
                                if budget.check_now().is_err() {
                                    return Verdict::Unknown(stop.into());
                                }
                            }
                        }
                    }
                }
                Outcome::TooMany(_) | Outcome::NotExecutable(_) | Outcome::Stopped => {}
            }
        }
        if let Outcome::TooMany(_) = &outcome {
            outcome = made(ctx, &rest, &[]);
        }
        let incomplete = |why: &str| Verdict::Unknown(Reason::Incomplete(why.to_string()));
        match outcome {
            Outcome::NoCycle(n_steps) => holds(ctx, n_steps, Vec::new()),
            Outcome::Cycles(lassos) => {
                match lassos.iter().find_map(|found| lasso(task.icfg, ctx.pool, &found.stem, &found.cycle)) {
                    Some(found) => Verdict::NonTerminating(Box::new(found)),
                    None => incomplete("an accepting cycle depends on unspecified values"),
                }
            }
            Outcome::TooMany(_) => incomplete("there are too many states"),
            Outcome::NotExecutable(_) => incomplete("a statement cannot be executed"),
            Outcome::Stopped => match budget.check_now() {
                Err(stop) => Verdict::Unknown(stop.into()),
                Ok(()) => incomplete("the enumeration was stopped"),
            },
        }
    }
}

/// All states, for safety: a proof, if none of them is an error.
fn all_states(ctx: &mut Ctx<'_>, icfg: &Icfg) -> Verdict {
    ctx.observer.progress(0, "makes all states");
    let branches = as_branches(icfg, ctx.pool);
    let budget = ctx.budget;
    let limits = exec::states::Limits { max_steps: MAX_SAFE_STEPS };
    let incomplete = |why: &str| Verdict::Unknown(Reason::Incomplete(why.to_string()));
    match exec::states::enumerate(&branches, ctx.pool, &limits, &mut || budget.check_now().is_err()) {
        exec::states::Outcome::All(n_steps) => {
            ctx.stats.add("steps between states", n_steps);
            Verdict::Holds(Certificate::StatesOfBranches(n_steps.saturating_mul(SLACK)))
        }
        exec::states::Outcome::ErrorPossible(_) => incomplete("one of the states may be an error"),
        exec::states::Outcome::TooMany => incomplete("there are too many states"),
        exec::states::Outcome::NotExecutable(_) => incomplete("a statement cannot be executed"),
        exec::states::Outcome::Stopped => match budget.check_now() {
            Err(stop) => Verdict::Unknown(stop.into()),
            Ok(()) => incomplete("the enumeration was stopped"),
        },
    }
}

/// The execution along a lasso of states whose values are not known exactly: one in which a state comes back after some
/// turns, or a recurrence set.
fn concrete(icfg: &Icfg, pool: &mut TermPool, found: &Lasso, budget: &Budget) -> Result<Option<NonTermination>, Stop> {
    let mut turns = Vec::new();
    for _ in 0..MAX_TURNS {
        turns.extend_from_slice(&found.cycle);
    }
    if let Some(lasso) = lasso(icfg, pool, &found.stem, &turns) {
        return Ok(Some(lasso));
    }
    let edges = |steps: &[LassoStep]| -> Vec<EdgeId> { steps.iter().map(|s| s.0).collect() };
    Search { pool, icfg, budget }.find_along(&edges(&found.stem), &edges(&found.cycle))
}

/// The execution along a lasso, if its cycle comes back to the same state.
fn lasso(icfg: &Icfg, pool: &mut TermPool, stem: &[LassoStep], cycle: &[LassoStep]) -> Option<NonTermination> {
    let initial = icfg.vars.iter().map(|(v, data)| (v, default_value(pool, data.sort))).collect();
    let step = |&(edge, choice): &LassoStep| {
        let chosen = match &icfg.edges[edge].label {
            Label::Stmt(Stmt::Havoc(vars, _)) => {
                let value = |v| choice.map_or_else(|| default_value(pool, icfg.vars[v].sort), Value::int);
                vars.iter().map(|&v| (v, value(v))).collect()
            }
            _ => Default::default(),
        };
        TraceStep { edge, chosen }
    };
    // The first iteration may choose values that were unknown before.
    let steps = stem.iter().chain(cycle).chain(cycle).map(step).collect();
    let execution = Counterexample { initial, steps, symbols: Model::new() };
    let relevant = Relevant::new(icfg, pool);
    let found = repetition_in(icfg, pool, &relevant, execution)?;
    endless::lasso(pool, icfg, found)
}
