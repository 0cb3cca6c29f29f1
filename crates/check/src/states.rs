//! All states of the program: the checker makes them again, with the limit that the certificate states.

use crate::Rejection;
use base::Budget;
use ir::Icfg;
use ir::fair_states;
use ir::states::{Limits, Outcome, enumerate};
use logic::TermPool;

pub(crate) fn check(pool: &mut TermPool, icfg: &Icfg, n_steps: u64, budget: &Budget) -> Result<(), Rejection> {
    match enumerate(icfg, pool, &Limits { max_steps: n_steps }, &mut || budget.check_now().is_err()) {
        Outcome::All(_) => Ok(()),
        Outcome::ErrorPossible(loc) => {
            let message = icfg.locs[loc].error.as_ref().map_or("", |check| &check.message);
            Err(Rejection::Wrong(format!("an error can be reached: {message}")))
        }
        Outcome::TooMany => Err(Rejection::Wrong(format!("there are more than {n_steps} steps between states"))),
        Outcome::NotExecutable(_) => Err(Rejection::Unchecked("a statement cannot be executed".to_string())),
        Outcome::Stopped => match budget.check_now() {
            Err(stop) => Err(stop.into()),
            Ok(()) => Err(Rejection::Unchecked("the enumeration was stopped".to_string())),
        },
    }
}

/// No cycle of states satisfies the Büchi condition of the graph.
pub(crate) fn check_cycles(pool: &mut TermPool, icfg: &Icfg, n_steps: u64, budget: &Budget) -> Result<(), Rejection> {
    let limits = fair_states::Limits { max_steps: n_steps };
    match fair_states::enumerate(icfg, pool, &limits, &mut || budget.check_now().is_err()) {
        fair_states::Outcome::NoCycle(_) => Ok(()),
        fair_states::Outcome::Cycle { .. } => Err(Rejection::Wrong("there may be an accepting cycle".to_string())),
        fair_states::Outcome::TooMany => {
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
