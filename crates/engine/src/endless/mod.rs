//! Executions that never end because a state comes back.
//!
//! First the program is executed with random choices ([`executing`]), then it is unrolled ([`unrolling`]). What is
//! found is one state (as far as the way of the execution may depend on it) and a way from it back to it: a recurrence
//! set of a single state, with every choice a constant. This covers what the search for lassos in [`crate::buchi`] does
//! badly: long stems, long cycles, loops with very many paths. It proves nothing.

mod executing;
mod unrolling;

use crate::framework::{Ctx, Engine, Phase, Task};
use crate::profile::{Cost, Gives, Profile, Wants};
use base::{Budget, Stop};
use exec::repetition::{Relevant, Repetition};
use ir::{Counterexample, CycleStep, Icfg, NonTermination, Property, Reason, Verdict};
use logic::TermPool;
use std::collections::BTreeMap;
use std::time::Duration;

pub struct Endless;

impl Engine for Endless {
    fn name(&self) -> &'static str {
        "endless"
    }
    fn summary(&self) -> &'static str {
        "termination: looks for executions in which a state comes back, proves nothing"
    }
    fn supports(&self, property: &Property) -> bool {
        matches!(property, Property::Termination | Property::Ltl(_))
    }
    fn profile(&self) -> Profile {
        Profile { cost: Cost::Quick, wants: Wants::RecursiveCalls, needs: &[], gives: &[Gives::Violations] }
    }
    fn search(&self, ctx: &mut Ctx<'_>, task: &Task<'_>) -> Verdict {
        let budget = ctx.budget;
        match ctx.phase(Phase::Unrolling, |ctx| search(ctx.pool, task.icfg, budget)) {
            Ok(Some(found)) => Verdict::NonTerminating(Box::new(found)),
            Ok(None) => Verdict::Unknown(Reason::Incomplete("no state was found to come back".to_string())),
            Err(stop) => Verdict::Unknown(Reason::Stopped(stop)),
        }
    }
}

/// An execution in which a state comes back, if one is found.
pub fn search(pool: &mut TermPool, icfg: &Icfg, budget: &Budget) -> Result<Option<NonTermination>, Stop> {
    if icfg.has_threads() {
        return Ok(None);
    }
    let expanded;
    let icfg = if icfg.has_calls() {
        // Calls that return are skipped in this graph, which no endless execution may do; those that stay pending are
        // jumps.
        (expanded, _) = ir::pending_calls::without_returns(icfg, &BTreeMap::new(), pool);
        &expanded
    } else {
        icfg
    };
    let relevant = Relevant::new(icfg, pool);
    if let Some(found) = executing::search(pool, icfg, &relevant, budget)? {
        return Ok(Some(found));
    }
    match unrolling::search(pool, icfg, &relevant, &budget.child(MAX_UNROLLING)) {
        Err(Stop::Timeout) => {
            budget.check_now()?;
            Ok(None)
        }
        other => other,
    }
}

/// What is not found in this time by unrolling will not be found.
const MAX_UNROLLING: Duration = Duration::from_secs(30);

/// Longer cycles are not worth printing, or checking.
const MAX_CYCLE: usize = 4_000;

/// The execution of which a part can be repeated forever, as evidence.
pub(crate) fn lasso(pool: &mut TermPool, icfg: &Icfg, found: Repetition) -> Option<NonTermination> {
    let Repetition { execution, start, state } = found;
    let Counterexample { initial, mut steps, symbols } = execution;
    let turn = steps.split_off(start);
    if turn.len() > MAX_CYCLE {
        return None;
    }
    let mut cycle = Vec::with_capacity(turn.len());
    for step in turn {
        let mut chosen = BTreeMap::new();
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
