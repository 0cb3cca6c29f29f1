//! Endless executions that a concrete execution finds: see [`ir::repetition`].
//!
//! The recurrence set is the one state that came back, as far as the cycle depends on it; every choice is the value that was chosen. Comes
//! before everything else: it costs little and finds long stems and long cycles, which the search for lassos does not.

use base::{Budget, Stop};
use ir::interp::RandomLimits;
use ir::repetition::{Relevant, Repetition, RepetitionOutcome, random_repetition};
use ir::{Counterexample, CycleStep, Icfg, NonTermination};
use logic::TermPool;

/// Executions of so many steps, so many times.
const ROUNDS: [(usize, u64); 3] = [(500, 30), (5_000, 12), (40_000, 3)];
/// Longer cycles are not worth printing, or checking.
const MAX_CYCLE: usize = 4_000;

/// An endless execution, if random choices lead to one.
pub fn search(pool: &mut TermPool, icfg: &Icfg, budget: &Budget) -> Result<Option<NonTermination>, Stop> {
    let relevant = Relevant::new(icfg, pool);
    let mut seed = 0;
    for (max_steps, n_seeds) in ROUNDS {
        let limits = RandomLimits { max_steps, max_depth: 0 };
        for _ in 0..n_seeds {
            budget.check_now()?;
            let mut stop = || budget.check_now().is_err();
            let outcome = random_repetition(icfg, pool, &relevant, seed, &limits, &mut stop);
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

/// The execution of which a part can be repeated for ever, as evidence.
pub fn lasso(pool: &mut TermPool, icfg: &Icfg, found: Repetition) -> Option<NonTermination> {
    let Repetition { execution, start, state } = found;
    let Counterexample { initial, mut steps, symbols } = execution;
    let turn = steps.split_off(start);
    if turn.len() > MAX_CYCLE {
        return None;
    }
    let mut cycle = Vec::with_capacity(turn.len());
    for step in turn {
        let mut chosen = std::collections::BTreeMap::new();
        for (v, value) in step.chosen {
            chosen.insert(v, pool.value_term(&value, icfg.vars[v].sort)?);
        }
        cycle.push(CycleStep { edge: step.edge, chosen });
    }
    let mut equations = Vec::with_capacity(state.len());
    for (v, value) in state {
        let value = pool.value_term(&value, icfg.vars[v].sort)?;
        equations.push(pool.eq(icfg.vars[v].term, value));
    }
    let recurrence = pool.and(&equations);
    Some(NonTermination { stem: Counterexample { initial, steps, symbols }, cycle, recurrence })
}
