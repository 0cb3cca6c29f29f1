//! Execution: runs a program that makes hardly any choices to its end ([`ir::execution`]).
//!
//! Where inputs do not matter there is nothing to abstract: a computation with fixed data, however deep its loops and
//! recursions, is as safe as its only execution. Values that nobody fixed stay unspecified, so uninitialised
//! variables and inputs that are never looked at do no harm. That the executions end is a proof of termination, too. An execution that
//! comes to an error is made again with values for everything, and is the counterexample. The engine gives up soon where control depends on
//! what is unspecified.

use crate::framework::{Ctx, Engine, Task};
use ir::execution::{Limits, Outcome, execute};
use ir::interp::{RandomLimits, RandomOutcome, random_execution};
use ir::{Certificate, Property, Reason, Verdict};

pub struct Execution;

const LIMITS: Limits = Limits { max_steps: 50_000_000, max_branches: 500, max_depth: 100_000, errors_end: false };

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
    fn handles_calls(&self) -> bool {
        true
    }
    fn run(&self, ctx: &mut Ctx<'_>, task: &Task<'_>) -> Verdict {
        ctx.observer.progress(0, "executes the program");
        let is_finite = *task.property == Property::Termination;
        let limits = Limits { errors_end: is_finite, ..LIMITS };
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
            Outcome::ErrorPossible { n_steps, .. } => {
                let limits = RandomLimits { max_steps: n_steps as usize + 1, max_depth: LIMITS.max_depth };
                let mut stop = || ctx.budget.check_now().is_err();
                match random_execution(task.icfg, ctx.pool, 0, &limits, &mut stop) {
                    RandomOutcome::Error(found) => Verdict::Violated(*found),
                    RandomOutcome::NoError { .. } => {
                        Verdict::Unknown(Reason::Incomplete("an error depends on unspecified values".to_string()))
                    }
                }
            }
            Outcome::TooLong | Outcome::NotExecutable(_) => {
                Verdict::Unknown(Reason::Incomplete("the program cannot be executed as a whole".to_string()))
            }
        }
    }
}
