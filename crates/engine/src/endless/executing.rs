//! Endless executions that a concrete execution finds: see [`exec::repetition`].
//!
//! Costs little, and finds long stems and long cycles.

use super::lasso;
use base::{Budget, Stop};
use exec::random::RandomLimits;
use exec::repetition::{Relevant, RepetitionOutcome, random_repetition};
use ir::{Icfg, NonTermination};
use logic::TermPool;

/// Numbers of steps of an execution, and numbers of such executions.
const ROUNDS: [(usize, u64); 3] = [(500, 30), (5_000, 12), (40_000, 3)];

/// An endless execution, if random choices lead to one.
pub(super) fn search(
    pool: &mut TermPool,
    icfg: &Icfg,
    relevant: &Relevant,
    budget: &Budget,
) -> Result<Option<NonTermination>, Stop> {
    let mut seed = 0;
    for (max_steps, n_seeds) in ROUNDS {
        let limits = RandomLimits { max_steps, max_depth: 0 };
        for _ in 0..n_seeds {
            budget.check_now()?;
            let mut stop = || budget.check_now().is_err();
            let outcome = random_repetition(icfg, pool, relevant, seed, &limits, &mut stop);
            seed += 1;
            match outcome {
                RepetitionOutcome::Found(found) => {
                    if let Some(endless) = lasso(pool, icfg, *found) {
                        return Ok(Some(endless));
                    }
                }
                // The only execution there is.
                RepetitionOutcome::NotFound { chose: false } => break,
                RepetitionOutcome::NotFound { chose: true } => {}
            }
        }
    }
    Ok(None)
}
