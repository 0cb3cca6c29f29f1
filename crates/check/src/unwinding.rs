//! Unwindings: the checker unwinds the graph for itself ([`unwinding`]), and proves that no error is reached, and of
//! each loop that it ends within the bound. Where errors are nothing but ends, the second is all there is to prove.

use crate::{Options, Prover, Rejection};
use base::Budget;
use ir::{Icfg, Reason};
use logic::{TermId, TermPool};
use unwinding::{Event, Unwinder};

/// Errors are asked about together, as a rule; one by one only to tell which it is.
pub(crate) fn check(
    pool: &mut TermPool,
    icfg: &Icfg,
    most_passes: u32,
    errors_end: bool,
    options: Options,
    budget: &Budget,
) -> Result<(), Rejection> {
    let mut prover = Prover::new(pool, icfg, options);
    let mut unwinder = Unwinder::new(pool, icfg, most_passes);
    let too_many = || Rejection::Wrong(format!("some loop has more than {most_passes} iterations"));
    loop {
        match unwinder.next(pool, budget).map_err(unchecked)? {
            Event::Errors(_) if errors_end => {}
            Event::Errors(found) => refute(pool, icfg, &mut prover, &mut unwinder, &found, budget)?,
            Event::Iteration { when, passes, .. } => {
                let is_made = !never(pool, &mut prover, &mut unwinder, when, budget)?;
                if is_made && passes > most_passes {
                    return Err(too_many());
                }
                unwinder.answer(pool, Some(is_made)).map_err(unchecked)?;
            }
            Event::TooMany => return Err(too_many()),
            Event::Done if errors_end && unwinder.has_standstill => {
                return Err(Rejection::Wrong("some execution may stay in a loop".to_string()));
            }
            Event::Done => return Ok(()),
        }
    }
}

fn unchecked(reason: Reason) -> Rejection {
    match reason {
        Reason::Stopped(stop) => Rejection::Stopped(stop),
        reason => Rejection::Unchecked(reason.to_string()),
    }
}

/// Does a condition hold in no execution? If so, that may be used from then on.
fn never(
    pool: &mut TermPool,
    prover: &mut Prover,
    unwinder: &mut Unwinder<'_>,
    condition: TermId,
    budget: &Budget,
) -> Result<bool, Rejection> {
    for definition in unwinder.cone(pool, condition) {
        prover.assume(pool, definition);
    }
    let is_impossible = prover.impossible(pool, condition, budget)?;
    if is_impossible {
        let not = pool.not(condition);
        prover.assume(pool, not);
    }
    Ok(is_impossible)
}

/// None of these errors is reached.
fn refute(
    pool: &mut TermPool,
    icfg: &Icfg,
    prover: &mut Prover,
    unwinder: &mut Unwinder<'_>,
    found: &[usize],
    budget: &Budget,
) -> Result<(), Rejection> {
    let conditions: Vec<TermId> = found.iter().map(|&e| unwinder.errors[e].when).collect();
    let any = pool.or(&conditions);
    if never(pool, prover, unwinder, any, budget)? {
        return Ok(());
    }
    for &error in found {
        if !never(pool, prover, unwinder, unwinder.errors[error].when, budget)? {
            let message = icfg.locs[unwinder.location(error)].error.as_ref().map_or("", |check| check.message.as_str());
            return Err(Rejection::Wrong(format!("an error can be reached: {message}")));
        }
    }
    Err(Rejection::Unchecked("some error can be reached, but none of them".to_string()))
}
