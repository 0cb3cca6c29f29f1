//! A search for a violation among the schedules of a program with threads, those with few preemptions first
//! ([`exec::schedules`]).
//!
//! It begins with one thread for each procedure and adds threads where some execution starts more: many a violation
//! needs two threads, whatever the number that the program starts. Nothing is proved here.

use crate::profile::{Cost, Gives, Profile};
use crate::{Ctx, Engine, Task};
use exec::schedules::{Outcome, SearchLimits, Searched, search};
use ir::interleave::{MOST_INSTANCES, ThreadLimits};
use ir::{Reason, Verdict};

pub(crate) struct Schedules;

/// How many threads may run one procedure, what schedules may cost, and which share of the time that is left goes to
/// that, if there may be more threads. Cheap schedules of many threads come before costly ones of few.
const ROUNDS: [(usize, usize, f64); 8] = [
    (1, FEW, 0.1),
    (2, FEW, 0.15),
    (4, FEW, 0.2),
    (MOST_INSTANCES, FEW, 0.3),
    (1, usize::MAX, 0.2),
    (2, usize::MAX, 0.3),
    (4, usize::MAX, 0.6),
    (MOST_INSTANCES, usize::MAX, 1.0),
];
/// Few preemptions and rare values.
const FEW: usize = 2;

impl Engine for Schedules {
    fn name(&self) -> &'static str {
        "schedules"
    }
    fn summary(&self) -> &'static str {
        "searches the schedules of threads with few preemptions for a violation, proves nothing"
    }
    fn profile(&self) -> Profile {
        Profile::for_threads(Cost::Search, &[Gives::Violations])
    }
    fn search(&self, ctx: &mut Ctx<'_>, task: &Task<'_>) -> Verdict {
        let budget = ctx.budget;
        let given_up = |why: &str| {
            Verdict::Unknown(match budget.check_now() {
                Err(stop) => Reason::Stopped(stop),
                Ok(()) => Reason::Incomplete(why.to_string()),
            })
        };
        // With this bound no execution starts more threads.
        let mut enough = usize::MAX;
        for (round, (max_instances, max_cost, share)) in ROUNDS.into_iter().enumerate() {
            let is_cheap = max_cost == FEW;
            if (is_cheap && max_instances > enough) || (!is_cheap && enough != usize::MAX && max_instances < enough) {
                continue;
            }
            ctx.observer.progress(round as u64, "searches schedules");
            let own = budget.share(share);
            let threads = ThreadLimits { max_instances, ..ThreadLimits::default() };
            let limits = SearchLimits { max_cost, ..SearchLimits::default() };
            let mut stop =
                |more_threads: bool| if more_threads || is_cheap { &own } else { budget }.check_now().is_err();
            let searched = match search(task.icfg, ctx.pool, &threads, &limits, &mut stop) {
                Ok(searched) => searched,
                Err(error) => return Verdict::Unknown(Reason::Unsupported(error.to_string())),
            };
            let Searched { product, outcome, n_states, more_threads } = searched;
            ctx.stats.set("states of threads", n_states as u64);
            match outcome {
                Outcome::Violation(trace) => {
                    ctx.product = Some(product);
                    return Verdict::Violated(*trace);
                }
                Outcome::Nothing if !more_threads => {
                    let why = "no schedule with the values that were tried violates it";
                    return Verdict::Unknown(Reason::Exhausted(why.to_string()));
                }
                Outcome::Nothing | Outcome::Stopped => {}
            }
            if !more_threads {
                enough = enough.min(max_instances);
            }
            if budget.check_now().is_err() || (!more_threads && !is_cheap) {
                break;
            }
        }
        given_up("too many schedules")
    }
}
