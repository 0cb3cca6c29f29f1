//! Endless executions by executing: a state that comes back.
//!
//! The program is executed with random choices. If it is at a loop head in a state in which it was there before, then
//! the steps in between, with the same choices, can be repeated forever. Only the variables count on which the path of
//! the execution may still depend (*strongly live* ones: those that an assumption reads, or that go into the value of
//! such a one); a counter that is never tested does not prevent the recurrence of a state. This finds what takes a
//! hundred iterations to come back, or to get there, where a search for lassos would have to guess the hundred
//! iterations.
//!
//! Only graphs without calls are executed; executions end where something is not modelled exactly.

use crate::interp::Machine;
use crate::random::{RandomLimits, random_trace};
use base::IdVec;
use ir::dataflow::Liveness;
use ir::{Counterexample, Icfg, LocId, VarId};
use logic::{FastMap, TermPool, Value};

/// An execution whose last state was there before.
#[derive(Clone, Debug)]
pub struct Repetition {
    pub execution: Counterexample,
    /// The step with which the part begins that can be repeated.
    pub start: usize,
    /// What the variables are there and at the end, as far as it matters.
    pub state: Vec<(VarId, Value)>,
}

pub enum RepetitionOutcome {
    Found(Box<Repetition>),
    /// `chose`: the execution made choices, so that another seed may give another execution.
    NotFound {
        chose: bool,
    },
}

/// The variables on which the way of an execution may depend, at loop heads; empty elsewhere.
pub struct Relevant {
    at: IdVec<LocId, Vec<VarId>>,
}

impl Relevant {
    pub fn new(icfg: &Icfg, pool: &TermPool) -> Relevant {
        let live = Liveness::strong(icfg, pool);
        let at = icfg
            .locs
            .iter()
            .map(|(loc, data)| if data.is_loop_head { live.at(loc).iter().collect() } else { Vec::new() })
            .collect();
        Relevant { at }
    }

    /// Sorted.
    pub fn at(&self, head: LocId) -> &[VarId] {
        &self.at[head]
    }
}

/// States with larger arrays are not compared: what grows so much will hardly come back.
const MAX_ENTRIES: usize = 300;

/// The states at the loop heads that an execution has visited, with the number of steps.
#[derive(Default)]
struct Visited {
    seen: FastMap<(LocId, Vec<Value>), usize>,
    /// After how many steps the execution was last at a location of [`Icfg::acceptance`].
    accepting: Option<usize>,
}

impl Visited {
    /// Notes the present state; if it was there before: after how many steps, and what it is.
    fn visit(
        &mut self,
        icfg: &Icfg,
        relevant: &Relevant,
        machine: &Machine<'_>,
        n_steps: usize,
    ) -> Option<(usize, Vec<(VarId, Value)>)> {
        if icfg.acceptance.as_ref().is_some_and(|a| a.contains(&machine.loc)) {
            self.accepting = Some(n_steps);
        }
        if !icfg.locs[machine.loc].is_loop_head {
            return None;
        }
        let variables = relevant.at(machine.loc);
        let is_large = |v: &VarId| matches!(machine.value(*v), Value::Array(a) if a.entries.len() > MAX_ENTRIES);
        if variables.iter().any(is_large) {
            return None;
        }
        let key = (machine.loc, variables.iter().map(|v| machine.value(*v)).collect());
        if let Some(&start) = self.seen.get(&key) {
            let counts = icfg.acceptance.is_none() || self.accepting.is_some_and(|at| at > start);
            if !counts {
                return None;
            }
            return Some((start, variables.iter().copied().zip(key.1).collect()));
        }
        self.seen.insert(key, n_steps);
        None
    }
}

/// The first part of an execution in which a state comes back; `None` if there is none, or it passes something that is
/// not modelled exactly.
pub fn repetition_in(
    icfg: &Icfg,
    pool: &TermPool,
    relevant: &Relevant,
    mut execution: Counterexample,
) -> Option<Repetition> {
    let mut machine = Machine::new(icfg, pool, execution.symbols.clone());
    for (&v, value) in &execution.initial {
        machine.set(v, value.clone());
    }
    let mut visited = Visited::default();
    visited.visit(icfg, relevant, &machine, 0);
    for n in 0..execution.steps.len() {
        let step = &execution.steps[n];
        if icfg.edges[step.edge].not_modelled().is_some() {
            return None;
        }
        machine.step(n, step).ok()?;
        if let Some((start, state)) = visited.visit(icfg, relevant, &machine, n + 1) {
            execution.steps.truncate(n + 1);
            return Some(Repetition { execution, start, state });
        }
    }
    None
}

/// One random execution that ends when a state comes back. The same seed gives the same execution; `stop` is asked from
/// time to time.
pub fn random_repetition(
    icfg: &Icfg,
    pool: &TermPool,
    relevant: &Relevant,
    seed: u64,
    limits: &RandomLimits,
    stop: &mut dyn FnMut() -> bool,
) -> RepetitionOutcome {
    let mut chose = false;
    if icfg.has_calls() || icfg.has_threads() {
        return RepetitionOutcome::NotFound { chose };
    }
    let mut visited = Visited::default();
    let mut found = None;
    let mut comes_back = |machine: &Machine<'_>, n_steps: usize| {
        found = visited.visit(icfg, relevant, machine, n_steps);
        found.is_some()
    };
    let execution = random_trace(icfg, pool, seed, limits, stop, &mut comes_back, &mut chose);
    match (execution, found) {
        (Some(execution), Some((start, state))) => {
            RepetitionOutcome::Found(Box::new(Repetition { execution, start, state }))
        }
        (None, _) | (_, None) => RepetitionOutcome::NotFound { chose },
    }
}
