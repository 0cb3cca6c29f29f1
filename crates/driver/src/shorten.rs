//! Shorter stems of executions that never end: fewer iterations before the cycle, smaller inputs.
//!
//! A stretch of the stem that comes back to where it starts is left out, and inputs are replaced by small numbers, as
//! long as the rest can still be
//! replayed and ends in a state from which the cycle can be repeated for ever. The checker accepts the result anew. The
//! effort is counted in replays, not in time.

use crate::numbers::{signed, value_like};
use crate::outcome::InfiniteExecution;
use base::Budget;
use ir::{Counterexample, Icfg, Label, LocId, NonTermination, Nondet, Stmt};
use logic::{BigInt, TermPool};

/// The longest stem that is looked at, and how many others are tried.
const MAX_STEPS: usize = 2_000;
const MAX_TRIES: usize = 150;
/// What inputs may be, the simplest first.
const SIMPLE: [i64; 7] = [0, 1, -1, 2, 3, 5, 10];

/// The same cycle behind a shorter stem, if there is one.
pub(crate) fn shortened(
    infinite: &InfiniteExecution,
    pool: &mut TermPool,
    options: check::Options,
    budget: &Budget,
) -> Option<InfiniteExecution> {
    let lasso = &infinite.lasso;
    if infinite.graph.has_calls() || lasso.stem.steps.len() > MAX_STEPS {
        return None;
    }
    let mut search = Search { icfg: &infinite.graph, pool, lasso, best: lasso.stem.clone(), n_tries: 0 };
    search.leave_out_iterations();
    search.simplify_inputs();
    let stem = search.best;
    if stem.steps == lasso.stem.steps {
        return None;
    }
    let lasso = Box::new(NonTermination { stem, cycle: lasso.cycle.clone(), recurrence: lasso.recurrence });
    check::check_nontermination(pool, &infinite.graph, &lasso, options, budget).ok()?;
    Some(InfiniteExecution {
        property: infinite.property.clone(),
        lasso,
        graph: infinite.graph.clone(),
        map: infinite.map.clone(),
        original: infinite.original.clone(),
        observed: None,
        longer: None,
        lanes: infinite.lanes.clone(),
    })
}

struct Search<'a> {
    icfg: &'a Icfg,
    pool: &'a TermPool,
    lasso: &'a NonTermination,
    best: Counterexample,
    n_tries: usize,
}

impl Search<'_> {
    /// Takes a stem if the cycle can follow it.
    fn attempt(&mut self, stem: Counterexample) -> bool {
        self.n_tries += 1;
        let end = self.lasso.cycle.first().map(|s| self.icfg.edges[s.edge].src);
        let is_good = exec::interp::final_state(self.icfg, self.pool, &stem)
            .is_ok_and(|(at, state)| Some(at) == end && state.holds(self.pool, self.lasso.recurrence) == Ok(true));
        if is_good {
            self.best = stem;
        }
        is_good
    }

    /// Leaves out stretches that come back to where they start, long ones first.
    fn leave_out_iterations(&mut self) {
        let mut start = 0;
        while start < self.best.steps.len() {
            let end = self.lasso.cycle.first().map(|s| self.icfg.edges[s.edge].src);
            let places: Vec<LocId> = self.best.steps.iter().map(|s| self.icfg.edges[s.edge].src).chain(end).collect();
            let again = (start + 1..places.len()).rev().filter(|&j| places[j] == places[start]);
            let mut has_cut = false;
            for j in again.collect::<Vec<_>>() {
                if self.n_tries >= MAX_TRIES {
                    return;
                }
                let mut stem = self.best.clone();
                stem.steps.drain(start..j);
                if self.attempt(stem) {
                    has_cut = true;
                    break;
                }
            }
            if !has_cut {
                start += 1;
            }
        }
    }

    fn simplify_inputs(&mut self) {
        for i in 0..self.best.steps.len() {
            let is_input =
                matches!(self.icfg.edges[self.best.steps[i].edge].label, Label::Stmt(Stmt::Havoc(_, Nondet::Input(_))));
            let chosen: Vec<_> = self.best.steps[i].chosen.iter().map(|(v, value)| (*v, value.clone())).collect();
            let ([(var, value)], true) = (&chosen[..], is_input) else { continue };
            let Some(now) = signed(value) else { continue };
            for n in SIMPLE.map(BigInt::from) {
                if n == now || self.n_tries >= 2 * MAX_TRIES {
                    break;
                }
                let Some(simple) = value_like(value, &n) else { continue };
                let mut stem = self.best.clone();
                stem.steps[i].chosen.insert(*var, simple);
                if self.attempt(stem) {
                    break;
                }
            }
        }
    }
}
