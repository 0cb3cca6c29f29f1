//! Violations by threads: a search among schedules with few preemptions, before the engines work on the product of all.
//!
//! A schedule cannot be repeated in a program with more checks, so for C programs the search is in the program that checks for everything undefined, where
//! executions end at what is: what it finds counts. It begins with one thread for each procedure and goes on with more where some execution starts more:
//! many a violation needs two threads, whatever the number that the program starts.

use crate::args::CheckArgs;
use crate::check::{self, Answer, Loaded, Outcome};
use base::Budget;
use ir::inline::{InlineLimits, inline_calls};
use ir::interleave::ThreadLimits;
use ir::interleave::schedules::{self, SearchLimits, Searched};
use ir::{Icfg, Property};
use std::path::Path;
use std::time::Instant;

/// How many threads may run one procedure, and which share of the time that is left goes to that.
const INSTANCES: [(usize, f64); 4] = [(1, 0.2), (2, 0.3), (4, 0.6), (64, 1.0)];

/// A violation by some schedule, with the program in which it is one; `None` if none was found.
pub fn search(
    path: &Path,
    property: &Property,
    args: &CheckArgs,
    budget: &Budget,
    began: Instant,
) -> Option<(Loaded, Outcome)> {
    let mut loaded = check::load_with_undefined(path, property, args)?;
    let mut graph = Icfg::build(&loaded.program, &mut loaded.pool);
    if *property == Property::UnreachCall {
        check::end_where_undefined(&mut graph, property);
    }
    let (inlined, map) = inline_calls(&graph, &mut loaded.pool, &InlineLimits::default()).ok()?;
    for (max_instances, share) in INSTANCES {
        let own = match budget.remaining() {
            Some(left) => budget.child(left.mul_f64(share)),
            None => budget.clone(),
        };
        let threads = ThreadLimits { max_instances, ..ThreadLimits::default() };
        let mut stop = || own.check_now().is_err();
        let found = schedules::search(&inlined, &mut loaded.pool, &threads, &SearchLimits::default(), &mut stop).ok()?;
        let Searched { product, outcome, n_states, more_threads } = found;
        match outcome {
            schedules::Outcome::Violation(trace) => {
                let run = check::check_counterexample(&loaded.pool, &product.icfg, &trace)?;
                let mut copies = product.copies;
                for (_, original) in &mut copies {
                    *original = map.vars[*original].0;
                }
                let mut outcome = Outcome::new(Answer::Violated(run), "schedules", began);
                outcome.stats.add("states of threads", n_states as u64);
                outcome.original = Some(product.icfg);
                outcome.copies = Some(copies);
                return Some((loaded, outcome));
            }
            schedules::Outcome::Nothing | schedules::Outcome::Stopped => {}
        }
        if !more_threads || budget.check_now().is_err() {
            return None;
        }
    }
    None
}
