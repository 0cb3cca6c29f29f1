//! Proofs by execution and by enumeration of states: the checker makes the executions again ([`crate::explore`]),
//! within the number of steps that the certificate states.
//!
//! Enumerated states are made by the exact evaluator in any case. A proof by execution may have hundreds of millions of
//! steps, of which the exact evaluator makes about a million a second and compiled code ([`exec::execution`]) thirty:
//! beyond [`EXACT_STEPS`] the exact evaluator makes that many, and compiled code makes all of them. Under
//! [`Options::paranoid`] the exact evaluator makes all.

use crate::explore::{Choices, Ended, Explorer, Merge, Rules};
use crate::{Options, Rejection};
use base::Budget;
use exec::execution::{Limits, Outcome, execute};
use exec::fair_states;
use ir::{Icfg, VarId};
use logic::TermPool;

/// So many steps of an execution are always made by the exact evaluator.
pub(crate) const EXACT_STEPS: u64 = 100_000;

/// All executions end before an error; with `errors_end`, all executions end.
pub(crate) fn check_execution(
    pool: &mut TermPool,
    icfg: &Icfg,
    n_steps: u64,
    errors_end: bool,
    options: Options,
    budget: &Budget,
) -> Result<(), Rejection> {
    let merge = if errors_end { Merge::Never } else { Merge::AfterBranches };
    let rules = Rules { errors_end, merge, solves_equations: true, choices: None };
    let is_long = n_steps > EXACT_STEPS && !options.paranoid;
    let limit = if is_long { EXACT_STEPS } else { n_steps };
    match Explorer::new(icfg, pool, rules, limit, budget).run() {
        Ok(()) => Ok(()),
        Err(Ended::TooLong) if is_long => check_long_execution(pool, icfg, n_steps, errors_end, budget),
        Err(Ended::TooLong) => Err(Rejection::Wrong(format!("some execution makes more than {n_steps} steps"))),
        Err(Ended::Rejected(rejection)) => Err(rejection),
    }
}

fn check_long_execution(
    pool: &TermPool,
    icfg: &Icfg,
    n_steps: u64,
    errors_end: bool,
    budget: &Budget,
) -> Result<(), Rejection> {
    let limits = Limits { max_steps: n_steps, max_branches: n_steps, max_depth: usize::MAX, errors_end };
    match execute(icfg, pool, &limits, &mut || budget.check_now().is_err()) {
        Outcome::Ends(_) => Ok(()),
        Outcome::ErrorPossible { at: loc, .. } => {
            let message = icfg.locs[loc].error.as_ref().map_or("", |check| &check.message);
            Err(Rejection::Wrong(format!("an error can be reached: {message}")))
        }
        Outcome::TooLong => Err(Rejection::Wrong(format!("some execution makes more than {n_steps} steps"))),
        Outcome::NotExecutable(_) => Err(Rejection::Unchecked("a statement cannot be executed".to_string())),
        Outcome::Stopped => match budget.check_now() {
            Err(stop) => Err(stop.into()),
            Ok(()) => Err(Rejection::Unchecked("the execution was stopped".to_string())),
        },
    }
}

/// No state is at an error.
pub(crate) fn check_states(pool: &mut TermPool, icfg: &Icfg, n_steps: u64, budget: &Budget) -> Result<(), Rejection> {
    let choices = Some(Choices { max_values: 4, max_ahead: 1, with_negations: false });
    let rules = Rules { errors_end: false, merge: Merge::Always, solves_equations: false, choices };
    finished(Explorer::new(icfg, pool, rules, n_steps, budget).run(), n_steps)
}

/// No cycle of states satisfies the Büchi condition of the graph.
pub(crate) fn check_cycles(
    pool: &mut TermPool,
    icfg: &Icfg,
    (n_steps, wide): (u64, &[VarId]),
    budget: &Budget,
) -> Result<(), Rejection> {
    if !wide.is_empty() {
        return check_cells(pool, icfg, (n_steps, wide), budget);
    }
    let choices = Some(Choices { max_values: 32, max_ahead: 12, with_negations: true });
    let rules = Rules { errors_end: true, merge: Merge::Never, solves_equations: false, choices };
    finished(Explorer::new(icfg, pool, rules, n_steps, budget).run_for_cycles(), n_steps)
}

/// The same for states in which some variables are known up to cells: made by the code that found them, run again.
fn check_cells(
    pool: &mut TermPool,
    icfg: &Icfg,
    (n_steps, wide): (u64, &[VarId]),
    budget: &Budget,
) -> Result<(), Rejection> {
    let limits = fair_states::Limits { max_steps: n_steps, max_states: usize::MAX };
    match fair_states::enumerate(icfg, pool, &limits, wide, &mut || budget.check_now().is_err()) {
        fair_states::Outcome::NoCycle(_) => Ok(()),
        fair_states::Outcome::Cycles(_) => Err(Rejection::Wrong("there may be an accepting cycle".to_string())),
        fair_states::Outcome::TooMany(_) => {
            Err(Rejection::Wrong(format!("there are more than {n_steps} steps between states")))
        }
        fair_states::Outcome::NotExecutable(_) => {
            Err(Rejection::Unchecked("a statement cannot be executed".to_string()))
        }
        fair_states::Outcome::Stopped => match budget.check_now() {
            Err(stop) => Err(stop.into()),
            Ok(()) => Err(Rejection::Unchecked("the enumeration was stopped".to_string())),
        },
    }
}

fn finished(result: Result<(), Ended>, n_steps: u64) -> Result<(), Rejection> {
    result.map_err(|ended| match ended {
        Ended::TooLong => Rejection::Wrong(format!("there are more than {n_steps} steps between states")),
        Ended::Rejected(rejection) => rejection,
    })
}
