//! Executions of the whole program: the checker makes them again, with the limits that the certificate states.

use crate::Rejection;
use base::Budget;
use ir::Icfg;
use ir::execution::{Limits, Outcome, execute};
use logic::TermPool;

pub(crate) fn check(
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
