//! Threads, before the engines work on the product of all: a search for violations among schedules with few preemptions, and a proof where
//! there are few states.
//!
//! A schedule cannot be repeated in a program with more checks, so for C programs the search is in the program that checks for everything undefined, where
//! executions end at what is: what it finds counts. It begins with one thread for each procedure and goes on with more where some execution starts more:
//! many a violation needs two threads, whatever the number that the program starts. All states, with all values of what is left open, are looked at before, if they are
//! few, or after the search, if that came to its end and found nothing.

use crate::load::Loaded;
use crate::outcome::{Finding, Outcome, Proof, Violation};
use crate::product::of_the_program;
use crate::session::{Attempt, Session};
use crate::undefined;
use base::Budget;
use ir::Icfg;
use ir::inline::{InlineLimits, inline_calls};
use ir::interleave::ThreadLimits;
use ir::interleave::reached::{Reached, reached};
use ir::interleave::schedules::{self, SearchLimits, Searched};

/// How many threads may run one procedure, and which share of the time that is left goes to that, if there may be more.
const INSTANCES: [(usize, f64); 4] = [(1, 0.2), (2, 0.3), (4, 0.6), (MOST_INSTANCES, 1.0)];
const MOST_INSTANCES: usize = 64;

/// What came of a search.
enum Found {
    /// A violation by some schedule.
    Violation(Box<Finding>),
    /// There is none with the values that were tried.
    Nothing,
    Unknown,
}

/// A search in the program with checks for what is undefined, which is returned with a violation.
fn search(session: &Session<'_>, attempt: &Attempt, budget: &Budget) -> (Loaded, Found) {
    let mut loaded = undefined::load_with_checks(session, attempt);
    let mut graph = Icfg::build(&loaded.program, &mut loaded.pool);
    if session.property.is_unreach_call() {
        undefined::end_where_undefined(&mut graph, session.property);
    }
    let found = search_in(&mut loaded, &graph, budget);
    (loaded, found)
}

fn search_in(loaded: &mut Loaded, graph: &Icfg, budget: &Budget) -> Found {
    let Ok((inlined, map)) = inline_calls(graph, &mut loaded.pool, &InlineLimits::default()) else {
        return Found::Unknown;
    };
    for (max_instances, share) in INSTANCES {
        let own = budget.share(share);
        let threads = ThreadLimits { max_instances, ..ThreadLimits::default() };
        let mut stop = |more_threads: bool| if more_threads { &own } else { budget }.check_now().is_err();
        let searched = schedules::search(&inlined, &mut loaded.pool, &threads, &SearchLimits::default(), &mut stop);
        let Ok(Searched { product, outcome, n_states, more_threads }) = searched else { return Found::Unknown };
        match outcome {
            schedules::Outcome::Violation(trace) => {
                let Ok(run) = check::check_counterexample(&loaded.pool, &product.icfg, &trace) else {
                    return Found::Unknown;
                };
                let copies = Some(of_the_program(product.copies, &map));
                let violation = Violation { run, original: product.icfg, copies };
                let mut finding = Finding::new(Outcome::Violated(Box::new(violation)), "schedules");
                finding.stats.add("states of threads", n_states as u64);
                return Found::Violation(Box::new(finding));
            }
            schedules::Outcome::Nothing if !more_threads => return Found::Nothing,
            schedules::Outcome::Nothing | schedules::Outcome::Stopped => {}
        }
        if !more_threads || budget.check_now().is_err() {
            return Found::Unknown;
        }
    }
    Found::Unknown
}

/// What came of looking at all states.
enum Looked {
    Proved(Box<Finding>),
    /// There seems to be an error among them.
    ErrorPossible,
    TooMany,
}

/// The checker compares states in another way, and may need more steps than were made here, by this factor.
const SLACK: u64 = 2;

/// A proof by looking at all states.
/// `looking` limits the look, `budget` the check of what it found, too.
fn enumerate(loaded: &mut Loaded, options: check::Options, looking: &Budget, budget: &Budget) -> Looked {
    if !loaded.program.fidelity.unsound.is_empty() {
        return Looked::ErrorPossible;
    }
    let graph = Icfg::build(&loaded.program, &mut loaded.pool);
    let Ok((inlined, map)) = inline_calls(&graph, &mut loaded.pool, &InlineLimits::default()) else {
        return Looked::TooMany;
    };
    let limits = ir::states::Limits { max_steps: MAX_STEPS };
    let mut stop = || looking.check_now().is_err();
    let mut look = |max_instances: usize| {
        let threads = ThreadLimits { max_instances, ..ThreadLimits::default() };
        reached(&inlined, &mut loaded.pool, &threads, &limits, &mut stop)
    };
    let (few, many) = (ThreadLimits::default().max_instances, MOST_INSTANCES);
    let found = match look(few) {
        Ok(Reached::MoreThreads) => look(many),
        other => other,
    };
    match found {
        Ok(Reached::Part(product, n_steps)) => {
            let certificate = ir::Certificate::States(n_steps.saturating_mul(SLACK));
            if check::check_certificate(&mut loaded.pool, &product.icfg, &certificate, options, budget).is_err() {
                return Looked::TooMany;
            }
            let copies = Some(of_the_program(product.copies, &map));
            let proof = Proof { certificate, graph: product.icfg.clone(), map: None, original: product.icfg, copies };
            let mut finding = Finding::new(Outcome::Holds(Box::new(proof)), "states");
            finding.stats.add("steps between states", n_steps);
            Looked::Proved(Box::new(finding))
        }
        Ok(Reached::ErrorPossible | Reached::MoreThreads) => Looked::ErrorPossible,
        Ok(Reached::TooMany) | Err(_) => Looked::TooMany,
    }
}

/// So many steps between states are made at most.
const MAX_STEPS: u64 = 10_000_000;
/// Shares of the time that is left for the first look at all states, the search among schedules, and the second look, which comes if the first one took too long and
/// the search ended.
const FIRST_LOOK: f64 = 0.25;
const SEARCH: f64 = 0.35;
const SECOND_LOOK: f64 = 0.5;

/// An answer by single states: proof or violation, and the program that it is about, if it is not this one.
pub(crate) fn answer(
    session: &Session<'_>,
    attempt: &Attempt,
    read: &mut Loaded,
    budget: &Budget,
) -> Option<(Option<Loaded>, Finding)> {
    let options = check::Options { paranoid: session.settings.paranoid };
    let first = enumerate(read, options, &budget.share(FIRST_LOOK), budget);
    let seems_safe = match first {
        Looked::Proved(finding) => return Some((None, *finding)),
        Looked::ErrorPossible => false,
        Looked::TooMany => true,
    };
    match search(session, attempt, &budget.share(SEARCH)) {
        (strict, Found::Violation(finding)) => return Some((Some(strict), *finding)),
        (_, Found::Nothing) if seems_safe => {}
        (_, Found::Nothing | Found::Unknown) => return None,
    }
    match enumerate(read, options, &budget.share(SECOND_LOOK), budget) {
        Looked::Proved(finding) => Some((None, *finding)),
        Looked::ErrorPossible | Looked::TooMany => None,
    }
}

/// An answer by single states about a program as it is.
pub(crate) fn answer_as_it_is(session: &Session<'_>, loaded: &mut Loaded, budget: &Budget) -> Option<Finding> {
    let options = check::Options { paranoid: session.settings.paranoid };
    if let Looked::Proved(finding) = enumerate(loaded, options, &budget.share(FIRST_LOOK), budget) {
        return Some(*finding);
    }
    let graph = Icfg::build(&loaded.program, &mut loaded.pool);
    match search_in(loaded, &graph, &budget.share(SEARCH)) {
        Found::Violation(finding) => Some(*finding),
        Found::Nothing | Found::Unknown => None,
    }
}
