//! All states of a program with threads, one by one: if none of them is an error, that is a proof.
//!
//! The part of the product of the threads that executions reach is built along the states ([`exec::reached`]), with all
//! values of nondeterministic choices. It is tried with few threads for each procedure first, then with many.

use crate::profile::{Cost, Gives, Profile};
use crate::{Ctx, Engine, Task};
use exec::reached::{Reached, reached};
use ir::interleave::{MOST_INSTANCES, ThreadLimits};
use ir::{Certificate, Reason, Verdict};

pub(crate) struct States;

/// The most steps between states.
const MAX_STEPS: u64 = 10_000_000;
/// The checker compares states in another way, and may need more steps than were made here, by this factor.
const SLACK: u64 = 2;

impl Engine for States {
    fn name(&self) -> &'static str {
        "states"
    }
    fn summary(&self) -> &'static str {
        "makes all states of a program with threads, if they are few: a proof"
    }
    fn profile(&self) -> Profile {
        Profile::for_threads(Cost::Quick, &[Gives::Proofs])
    }
    fn search(&self, ctx: &mut Ctx<'_>, task: &Task<'_>) -> Verdict {
        ctx.observer.progress(0, "makes all states");
        let limits = exec::states::Limits { max_steps: MAX_STEPS };
        let mut stop = || ctx.budget.check_now().is_err();
        let mut look = |max_instances: usize| {
            let threads = ThreadLimits { max_instances, ..ThreadLimits::default() };
            reached(task.icfg, ctx.pool, &threads, &limits, &mut stop)
        };
        let found = match look(ThreadLimits::default().max_instances) {
            Ok(Reached::MoreThreads) => look(MOST_INSTANCES),
            other => other,
        };
        match found {
            Ok(Reached::Part(product, n_steps)) => {
                ctx.stats.add("steps between states", n_steps);
                ctx.product = Some(*product);
                Verdict::Holds(Certificate::States(n_steps.saturating_mul(SLACK)))
            }
            Ok(Reached::ErrorPossible | Reached::MoreThreads) => {
                Verdict::Unknown(Reason::Exhausted("one of the states may be an error".to_string()))
            }
            Ok(Reached::TooMany) => Verdict::Unknown(match ctx.budget.check_now() {
                Err(stop) => Reason::Stopped(stop),
                Ok(()) => Reason::Incomplete("too many states".to_string()),
            }),
            Err(error) => Verdict::Unknown(Reason::Unsupported(error.to_string())),
        }
    }
}
