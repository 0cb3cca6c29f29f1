//! Execution: makes all executions of a program that hardly depends on its inputs ([`exec::execution`]).
//!
//! Where inputs do not matter there is nothing to abstract: a computation with fixed data, however deep its loops and
//! recursions, is as safe as its only execution, and threads that share a few numbers as all orders of their steps.
//! Nondeterministic values stay unknown, so that inputs and uninitialised variables that are never tested cause no
//! branching. That the executions end is a proof of termination, too. A run to an error is replayed with concrete
//! values and is the counterexample. The engine gives up early where an error depends on an unknown value.

use crate::framework::{Ctx, Engine, Task};
use crate::profile::{Cost, Gives, Profile, Wants};
use exec::execution::{Limits, Outcome, execute};
use exec::guided::{MAX_LISTED, Tester, listed};
use exec::random::RandomLimits;
use ir::{Certificate, Guide, Icfg, Property, Reason, Verdict};
use logic::TermPool;

pub(crate) struct Execution;

/// For safety; that executions are finite is not shown by coming back to states, so few branches are enough then.
const LIMITS: Limits = Limits { max_steps: 400_000_000, max_branches: 200_000, max_depth: 100_000, errors_end: false };

/// How many values are tried for an error that may depend on them.
const N_SEEDS: u64 = 20;

impl Engine for Execution {
    fn name(&self) -> &'static str {
        "execution"
    }
    fn summary(&self) -> &'static str {
        "executes programs whose course depends on no input to their end, which is a proof"
    }
    fn supports(&self, property: &Property) -> bool {
        property.is_safety() || *property == Property::Termination
    }
    fn profile(&self) -> Profile {
        Profile { cost: Cost::Quick, wants: Wants::AllCalls, needs: &[], gives: &[Gives::Proofs, Gives::Violations] }
    }
    fn search(&self, ctx: &mut Ctx<'_>, task: &Task<'_>) -> Verdict {
        ctx.observer.progress(0, "executes the program");
        let is_finite = *task.property == Property::Termination;
        let max_branches = if is_finite { 500 } else { LIMITS.max_branches };
        let limits = Limits { errors_end: is_finite, max_branches, ..LIMITS };
        match execute(task.icfg, ctx.pool, &limits, &mut || ctx.budget.check_now().is_err()) {
            Outcome::Ends(n_steps) => {
                ctx.stats.max("executed steps", n_steps);
                Verdict::Holds(match is_finite {
                    true => Certificate::FiniteExecution(n_steps),
                    false => Certificate::Execution(n_steps),
                })
            }
            Outcome::Stopped => match ctx.budget.check_now() {
                Err(stop) => Verdict::Unknown(stop.into()),
                Ok(()) => Verdict::Unknown(Reason::Incomplete("the execution was stopped".to_string())),
            },
            // Where nothing unspecified mattered, an execution with any values goes the same way.
            Outcome::ErrorPossible { way, .. } => {
                let limits = RandomLimits { max_steps: way.n_steps as usize + 1, max_depth: LIMITS.max_depth };
                let mut stop = || ctx.budget.check_now().is_err();
                let found = Tester::new(task.icfg, ctx.pool)
                    .and_then(|tester| (0..N_SEEDS).find_map(|seed| tester.run_along(&way, seed, &limits, &mut stop)));
                match found {
                    Some(guide) => violated(task.icfg, ctx.pool, guide),
                    None => Verdict::Unknown(Reason::Incomplete("an error depends on unspecified values".to_string())),
                }
            }
            Outcome::TooLong | Outcome::NotExecutable(_) => {
                Verdict::Unknown(Reason::Incomplete("the program cannot be executed as a whole".to_string()))
            }
        }
    }
}

/// The verdict about an execution of the graph as built: with all its steps if these are not too many.
pub(crate) fn violated(icfg: &Icfg, pool: &TermPool, guide: Guide) -> Verdict {
    match guide.n_steps <= MAX_LISTED {
        true => match listed(icfg, pool, &guide) {
            Some(found) => Verdict::Violated(found),
            None => Verdict::Unknown(Reason::Incomplete("an execution could not be repeated".to_string())),
        },
        false => Verdict::ViolatedFar(guide),
    }
}
