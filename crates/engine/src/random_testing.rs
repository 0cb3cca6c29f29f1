//! Random testing: executes the program with random choices.
//!
//! A concrete execution goes as deep as the program does: a bug behind a thousand iterations of a loop with fixed
//! bounds costs a thousand steps here, and a thousand refinements elsewhere. Choices are small numbers and numbers near
//! the constants of the program; a choice that the next assumption excludes is repeated. Executions become longer from
//! iteration to iteration. Nothing is ever proved.

use crate::execution::violated;
use crate::framework::{Ctx, Engine, Task};
use crate::profile::{Cost, Gives, Profile, Wants};
use exec::guided::{Tested, Tester};
use exec::random::{RandomLimits, random_execution};
use ir::{Reason, Verdict};

pub(crate) struct RandomTesting;

/// Numbers of steps and of executions: a few of every length first, then many. Short ones are read most easily.
const ROUNDS: [(usize, u64); 10] = [
    (100, 200),
    (500, 100),
    (2_000, 40),
    (20_000, 10),
    (200_000, 3),
    (2_000_000, 1),
    (2_000, 200),
    (20_000, 50),
    (200_000, 20),
    (2_000_000, 5),
];
const MAX_DEPTH: usize = 20_000;

impl Engine for RandomTesting {
    fn name(&self) -> &'static str {
        "random-testing"
    }
    fn summary(&self) -> &'static str {
        "executes the program with random inputs: finds deep bugs that are easy to hit, proves nothing"
    }
    fn profile(&self) -> Profile {
        Profile { cost: Cost::Quick, wants: Wants::AllCalls, needs: &[], gives: &[Gives::Violations] }
    }
    fn search(&self, ctx: &mut Ctx<'_>, task: &Task<'_>) -> Verdict {
        // What only the interpreter knows is executed by it.
        let tester = Tester::new(task.icfg, ctx.pool);
        let mut n_runs = 0u64;
        let mut only_execution = None;
        for (max_steps, n_seeds) in ROUNDS {
            // As far as a program without choices was executed, there is nothing else to see.
            if only_execution.is_some_and(|known| max_steps <= known) {
                continue;
            }
            let limits = RandomLimits { max_steps, max_depth: MAX_DEPTH };
            for _ in 0..n_seeds {
                if let Err(stop) = ctx.budget.check_now() {
                    return Verdict::Unknown(stop.into());
                }
                ctx.observer.progress(n_runs, "random executions");
                let mut stop = || ctx.budget.check_now().is_err();
                let mut chose = false;
                let found = match &tester {
                    Some(tester) => match tester.run(n_runs, &limits, &mut stop) {
                        Tested::Error(guide) => Some(violated(task.icfg, ctx.pool, guide)),
                        Tested::NoError { chose: did } => {
                            chose = did;
                            None
                        }
                    },
                    None => random_execution(task.icfg, ctx.pool, n_runs, &limits, &mut stop, &mut chose)
                        .map(Verdict::Violated),
                };
                n_runs += 1;
                ctx.stats.max("random executions", n_runs);
                if let Some(verdict) = found {
                    return verdict;
                }
                if !chose {
                    // The only execution there is, as far as these steps go.
                    only_execution = Some(max_steps);
                    break;
                }
            }
        }
        Verdict::Unknown(Reason::Incomplete(format!("no violation in {n_runs} random executions")))
    }
}
