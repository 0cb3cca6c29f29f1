//! Threads, before the engines work on the product of all: a search for violations among schedules with few preemptions, and a proof where
//! there are few states.
//!
//! A schedule cannot be repeated in a program with more checks, so for C programs the search is in the program that checks for everything undefined, where
//! executions end at what is: what it finds counts. It begins with one thread for each procedure and goes on with more where some execution starts more:
//! many a violation needs two threads, whatever the number that the program starts. All states, with all values of what is left open, are looked at before, if they are
//! few, or after the search, if that came to its end and found nothing.

use crate::args::CheckArgs;
use crate::check::{self, Answer, Loaded, Outcome};
use base::Budget;
use ir::inline::{InlineLimits, InlineMap, inline_calls};
use ir::interleave::ThreadLimits;
use ir::interleave::reached::{Reached, reached};
use ir::interleave::schedules::{self, SearchLimits, Searched};
use ir::{Icfg, Property};
use std::path::Path;
use std::time::Instant;

/// How many threads may run one procedure, and which share of the time that is left goes to that, if there may be more.
const INSTANCES: [(usize, f64); 4] = [(1, 0.2), (2, 0.3), (4, 0.6), (MOST_INSTANCES, 1.0)];
const MOST_INSTANCES: usize = 64;

/// What came of a search.
enum Found {
    /// A violation by some schedule.
    Violation(Box<Outcome>),
    /// There is none with the values that were tried.
    Nothing,
    Unknown,
}

/// A search in the program with checks for what is undefined, which is returned with a violation.
fn search(
    path: &Path,
    property: &Property,
    args: &CheckArgs,
    budget: &Budget,
    began: Instant,
) -> (Option<Loaded>, Found) {
    let Some(mut loaded) = check::load_with_undefined(path, property, args) else { return (None, Found::Unknown) };
    let mut graph = Icfg::build(&loaded.program, &mut loaded.pool);
    if *property == Property::UnreachCall {
        check::end_where_undefined(&mut graph, property);
    }
    let found = search_in(&mut loaded, &graph, budget, began);
    (Some(loaded), found)
}

fn search_in(loaded: &mut Loaded, graph: &Icfg, budget: &Budget, began: Instant) -> Found {
    let Ok((inlined, map)) = inline_calls(graph, &mut loaded.pool, &InlineLimits::default()) else {
        return Found::Unknown;
    };
    for (max_instances, share) in INSTANCES {
        let own = match budget.remaining() {
            Some(left) => budget.child(left.mul_f64(share)),
            None => budget.clone(),
        };
        let threads = ThreadLimits { max_instances, ..ThreadLimits::default() };
        let mut stop = |more_threads: bool| if more_threads { &own } else { budget }.check_now().is_err();
        let searched = schedules::search(&inlined, &mut loaded.pool, &threads, &SearchLimits::default(), &mut stop);
        let Ok(Searched { product, outcome, n_states, more_threads }) = searched else { return Found::Unknown };
        match outcome {
            schedules::Outcome::Violation(trace) => {
                let Some(run) = check::check_counterexample(&loaded.pool, &product.icfg, &trace) else {
                    return Found::Unknown;
                };
                let mut outcome = Outcome::new(Answer::Violated(run), "schedules", began);
                outcome.stats.add("states of threads", n_states as u64);
                outcome.original = Some(product.icfg);
                outcome.copies = Some(of_the_program(product.copies, &map));
                return Found::Violation(Box::new(outcome));
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

/// Copies of the variables of an inlined graph as copies of those of the program.
fn of_the_program(mut copies: Vec<(ir::VarId, ir::VarId)>, map: &InlineMap) -> Vec<(ir::VarId, ir::VarId)> {
    for (_, original) in &mut copies {
        *original = map.vars[*original].0;
    }
    copies
}

/// What came of looking at all states.
enum Looked {
    Proved(Box<Outcome>),
    /// There seems to be an error among them.
    ErrorPossible,
    TooMany,
}

/// The checker compares states in another way, and may need more steps than were made here, by this factor.
const SLACK: u64 = 2;

/// A proof by looking at all states.
/// `looking` limits the look, `budget` the check of what it found, too.
fn enumerate(loaded: &mut Loaded, args: &CheckArgs, looking: &Budget, budget: &Budget, began: Instant) -> Looked {
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
            if !check::accepts(&mut loaded.pool, &product.icfg, &certificate, args.paranoid, budget) {
                return Looked::TooMany;
            }
            let mut outcome = Outcome::new(Answer::Holds(certificate), "states", began);
            outcome.stats.add("steps between states", n_steps);
            outcome.icfg = Some(product.icfg.clone());
            outcome.original = Some(product.icfg);
            outcome.copies = Some(of_the_program(product.copies, &map));
            Looked::Proved(Box::new(outcome))
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

/// An answer by single states: proof or violation.
pub fn answer(
    path: &Path,
    property: &Property,
    args: &CheckArgs,
    read: &mut Loaded,
    budget: &Budget,
    began: Instant,
) -> Option<(Option<Loaded>, Outcome)> {
    let part = |share: f64| budget.remaining().map_or_else(|| budget.clone(), |left| budget.child(left.mul_f64(share)));
    let first = enumerate(read, args, &part(FIRST_LOOK), budget, began);
    let seems_safe = match first {
        Looked::Proved(outcome) => return Some((None, *outcome)),
        Looked::ErrorPossible => false,
        Looked::TooMany => true,
    };
    match search(path, property, args, &part(SEARCH), began) {
        (strict, Found::Violation(outcome)) => return Some((strict, *outcome)),
        (_, Found::Nothing) if seems_safe => {}
        (_, Found::Nothing | Found::Unknown) => return None,
    }
    match enumerate(read, args, &part(SECOND_LOOK), budget, began) {
        Looked::Proved(outcome) => Some((None, *outcome)),
        Looked::ErrorPossible | Looked::TooMany => None,
    }
}

/// An answer by single states about a program as it is.
pub fn answer_as_it_is(loaded: &mut Loaded, args: &CheckArgs, budget: &Budget, began: Instant) -> Option<Outcome> {
    let part = |share: f64| budget.remaining().map_or_else(|| budget.clone(), |left| budget.child(left.mul_f64(share)));
    if let Looked::Proved(outcome) = enumerate(loaded, args, &part(FIRST_LOOK), budget, began) {
        return Some(*outcome);
    }
    let graph = Icfg::build(&loaded.program, &mut loaded.pool);
    match search_in(loaded, &graph, &part(SEARCH), began) {
        Found::Violation(outcome) => Some(*outcome),
        Found::Nothing | Found::Unknown => None,
    }
}
