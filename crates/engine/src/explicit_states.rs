//! Explicit-state model checking of temporal properties: all states of the product of the program and the automaton are made, and accepting
//! cycles are looked for among them ([`ir::fair_states`]).
//!
//! Fit for controllers that read few inputs, where it needs neither ranking functions nor interpolants. No cycle is a proof. A cycle is executed with
//! fixed values for what nobody fixed; if a state comes back that way, the execution is a violation.

use crate::endless;
use crate::framework::{Ctx, Engine, Phase, Task};
use crate::profile::{Cost, Gives, Profile, Wants};
use ir::fair_states::{LassoStep, Limits, Outcome, enumerate};
use ir::repetition::{Relevant, repetition_in};
use ir::{Certificate, Counterexample, Icfg, Label, NonTermination, Property, Reason, Stmt, TraceStep, Verdict};
use logic::{Model, TermPool, Value, default_value};

pub(crate) struct ExplicitStates;

/// More steps are not made; states and ways are kept in memory.
const MAX_STEPS: u64 = 20_000_000;
/// The checker may make some steps more, if it meets them in another order.
const SLACK: u64 = 2;

impl Engine for ExplicitStates {
    fn name(&self) -> &'static str {
        "explicit-states"
    }
    fn summary(&self) -> &'static str {
        "temporal properties: makes all states and looks for accepting cycles among them"
    }
    fn supports(&self, property: &Property) -> bool {
        matches!(property, Property::Ltl(_))
    }
    fn profile(&self) -> Profile {
        let gives = &[Gives::Proofs, Gives::Violations];
        Profile { cost: Cost::Quick, wants: Wants::NoCalls, needs: &[], gives }
    }
    fn search(&self, ctx: &mut Ctx<'_>, task: &Task<'_>) -> Verdict {
        let budget = ctx.budget;
        let outcome = ctx.phase(Phase::Unrolling, |ctx| {
            enumerate(task.icfg, ctx.pool, &Limits { max_steps: MAX_STEPS }, &mut || budget.check_now().is_err())
        });
        let incomplete = |why: &str| Verdict::Unknown(Reason::Incomplete(why.to_string()));
        match outcome {
            Outcome::NoCycle(n_steps) => {
                ctx.stats.max("executed steps", n_steps);
                Verdict::Holds(Certificate::FairStates(n_steps.saturating_mul(SLACK)))
            }
            Outcome::Cycle { stem, cycle } => match lasso(task.icfg, ctx.pool, &stem, &cycle) {
                Some(found) => Verdict::NonTerminating(Box::new(found)),
                None => incomplete("an accepting cycle depends on unspecified values"),
            },
            Outcome::TooMany => incomplete("there are too many states"),
            Outcome::NotExecutable(_) => incomplete("a statement cannot be executed"),
            Outcome::Stopped => match budget.check_now() {
                Err(stop) => Verdict::Unknown(stop.into()),
                Ok(()) => incomplete("the enumeration was stopped"),
            },
        }
    }
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
    // The first round may have to fix what nobody fixed before.
    let steps = stem.iter().chain(cycle).chain(cycle).map(step).collect();
    let execution = Counterexample { initial, steps, symbols: Model::new() };
    let relevant = Relevant::new(icfg, pool);
    let found = repetition_in(icfg, pool, &relevant, execution)?;
    endless::lasso(pool, icfg, found)
}
