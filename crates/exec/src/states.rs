//! All states of a graph, one by one.
//!
//! A program that depends on its inputs only a little has few states, however many executions: counters, flags, queues
//! of fixed size under all schedules. They are made one after the other; where control can go several ways, the state
//! is compared with those that were there before, and one that was is not followed again. Unknown values are gaps
//! ([`crate::valuation`]), which stand for all values, as do variables that are not read any more, or only for others
//! of that kind; an assumption that depends on a gap is passed. Where the assumption right after a choice leaves few
//! numbers, they are gone through one by one. So the states that are made cover all that executions can reach, and if
//! none is at an error, no execution violates anything. (Nothing is said about whether executions end.)
//!
//! States are compared exactly. To keep them small, each chunk of the values is kept once and has a number, and a state
//! is its location with the numbers of its chunks (the *collapse* compression of SPIN: Holzmann, *State compression in
//! SPIN*, 1997).
//!
//! Calls, threads and blocks are not executed: the product of threads is a graph without them.

use crate::few_values::{Horizon, few_values};
use crate::valuation::{Evaluator, Layout, Values, gap, has_gaps};
use base::IdVec;
use ir::dataflow::Liveness;
use ir::switches::Switches;
use ir::{EdgeId, Icfg, Label, LocId, Stmt, VarId};
use logic::{FastMap, TermPool, Value};
use std::sync::Arc;

/// How far the enumeration goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    pub max_steps: u64,
}

/// How the enumeration ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// All states were visited, and none is at an error; holds the number of steps.
    All(u64),
    /// A state at an error; since states may stand for more than executions reach, that proves nothing.
    ErrorPossible(LocId),
    TooMany,
    /// There is something in the graph that is not executed here.
    NotExecutable(EdgeId),
    Stopped,
}

/// A graph that may still be growing.
pub(crate) trait Steps {
    type Error;
    /// Makes sure that the edges that leave a location are there.
    fn expand(&mut self, at: LocId, pool: &mut TermPool) -> Result<(), Self::Error>;
    fn graph(&self) -> &Icfg;
    /// Variables whose values do not matter after an edge.
    fn dying(&self, edge: EdgeId) -> Vec<VarId>;
    fn chunks(&self) -> IdVec<VarId, u32>;
}

/// The states of a sequential graph without calls; `stop` is asked from time to time.
pub fn enumerate(icfg: &Icfg, pool: &mut TermPool, limits: &Limits, stop: &mut dyn FnMut() -> bool) -> Outcome {
    let mut fixed = Fixed { icfg, dying: Liveness::strong(icfg, pool).dying(icfg) };
    match explore(&mut fixed, pool, limits, stop) {
        Ok(outcome) => outcome,
        Err(never) => match never {},
    }
}

/// A graph that is all there.
pub(crate) struct Fixed<'a> {
    pub icfg: &'a Icfg,
    pub dying: IdVec<EdgeId, Vec<VarId>>,
}

/// Nothing can fail.
pub(crate) enum Never {}

/// The number of variables in a chunk.
pub(crate) const CHUNK: usize = 8;

impl Steps for Fixed<'_> {
    type Error = Never;
    fn expand(&mut self, _: LocId, _: &mut TermPool) -> Result<(), Never> {
        Ok(())
    }
    fn graph(&self) -> &Icfg {
        self.icfg
    }
    fn dying(&self, edge: EdgeId) -> Vec<VarId> {
        self.dying[edge].clone()
    }
    fn chunks(&self) -> IdVec<VarId, u32> {
        self.icfg.vars.ids().map(|v| v.0 / CHUNK as u32).collect()
    }
}

/// Which choices are gone through one by one.
const NEXT: Horizon = Horizon { max_values: 4, max_ahead: 1, with_negations: false };
/// After this number of steps without a choice the state is compared nevertheless.
const STEPS_BETWEEN_LOOKS: u32 = 64;
const STEPS_BETWEEN_POLLS: u64 = 256;

/// The contents of a chunk, and their number.
type Numbered = (Arc<Vec<Value>>, u32);

/// The states that were there.
#[derive(Default)]
pub(crate) struct Seen {
    /// The contents that each chunk had, by hash, with their numbers.
    contents: Vec<FastMap<u64, Vec<Numbered>>>,
    n_contents: u32,
    states: FastMap<(LocId, Box<[u32]>), usize>,
}

impl Seen {
    fn is_new(&mut self, loc: LocId, values: &mut Values) -> bool {
        self.number(loc, values).1
    }

    /// The number of a state, and whether it was not there before.
    pub(crate) fn number(&mut self, loc: LocId, values: &mut Values) -> (usize, bool) {
        let chunks = values.chunks_mut();
        if self.contents.len() < chunks.len() {
            self.contents.resize_with(chunks.len(), FastMap::default);
        }
        let mut numbers = Vec::with_capacity(chunks.len());
        for (known, chunk) in self.contents.iter_mut().zip(chunks) {
            let number = chunk.number.unwrap_or_else(|| {
                let alike = known.entry(chunk.hash).or_default();
                match alike.iter().find(|(contents, _)| *contents == chunk.values) {
                    Some((_, number)) => *number,
                    None => {
                        self.n_contents += 1;
                        alike.push((chunk.values.clone(), self.n_contents));
                        self.n_contents
                    }
                }
            });
            chunk.number = Some(number);
            numbers.push(number);
        }
        let next = self.states.len();
        let number = *self.states.entry((loc, numbers.into_boxed_slice())).or_insert(next);
        (number, number == next)
    }
}

/// The states that can be reached in a graph.
pub(crate) fn explore<S: Steps>(
    steps: &mut S,
    pool: &mut TermPool,
    limits: &Limits,
    stop: &mut dyn FnMut() -> bool,
) -> Result<Outcome, S::Error> {
    let layout = Layout::new(steps.graph(), pool, &steps.chunks(), |_| gap());
    let mut seen = Seen::default();
    let mut switches = Switches::default();
    let mut waiting = vec![(steps.graph().entry(), layout.start())];
    let (mut n_steps, mut next_poll) = (0u64, STEPS_BETWEEN_POLLS);
    while let Some((mut loc, mut values)) = waiting.pop() {
        let mut without_look = 0;
        loop {
            if steps.graph().locs[loc].error.is_some() {
                return Ok(Outcome::ErrorPossible(loc));
            }
            steps.expand(loc, pool)?;
            let graph = steps.graph();
            let evaluator = Evaluator { pool, layout: &layout, values: &values };
            let mut open: Vec<EdgeId> = Vec::new();
            let looked_up = switches.at(graph, pool, loc).and_then(|switch| {
                let value = values.get(&layout, switch.variable());
                (!has_gaps(value)).then(|| switch.edges(value))
            });
            for &e in looked_up.as_deref().unwrap_or(graph.out_edges(loc)) {
                match &graph.edges[e].label {
                    Label::Stmt(Stmt::Assume(condition)) if !evaluator.may_hold(*condition) => {}
                    Label::Stmt(_) => open.push(e),
                    Label::Block(_)
                    | Label::Call(_)
                    | Label::Return(_)
                    | Label::Fork { .. }
                    | Label::Join { .. }
                    | Label::AtomicBegin
                    | Label::AtomicEnd => return Ok(Outcome::NotExecutable(e)),
                }
            }
            without_look += 1;
            if graph.out_edges(loc).len() > 1 || without_look > STEPS_BETWEEN_LOOKS {
                without_look = 0;
                if !seen.is_new(loc, &mut values) {
                    break;
                }
            }
            n_steps += open.len() as u64;
            if n_steps > limits.max_steps {
                return Ok(Outcome::TooMany);
            }
            if n_steps >= next_poll {
                next_poll = n_steps + STEPS_BETWEEN_POLLS;
                if stop() {
                    return Ok(Outcome::Stopped);
                }
            }
            let mut moves: Vec<(EdgeId, Option<i64>)> = Vec::with_capacity(open.len());
            for edge in open {
                match few_values(steps, edge, pool, &NEXT)? {
                    Some((low, high)) => moves.extend((low..=high).map(|n| (edge, Some(n)))),
                    None => moves.push((edge, None)),
                }
            }
            // In the order of the edges: the creating thread is first, so that too many threads are noticed early.
            moves.reverse();
            let Some((first, choice)) = moves.pop() else { break };
            for (edge, choice) in moves {
                let mut other = values.clone();
                take(steps, edge, choice, &mut other, pool, &layout);
                waiting.push((steps.graph().edges[edge].dst, other));
            }
            take(steps, first, choice, &mut values, pool, &layout);
            loc = steps.graph().edges[first].dst;
        }
    }
    Ok(Outcome::All(n_steps))
}

/// Takes an edge that is open, with this number if it chooses one and it matters which.
fn take<S: Steps>(steps: &S, edge: EdgeId, choice: Option<i64>, values: &mut Values, pool: &TermPool, layout: &Layout) {
    // The caller takes nothing but statements.
    if let Label::Stmt(stmt) = &steps.graph().edges[edge].label {
        values.execute(layout, pool, stmt, choice);
    }
    for v in steps.dying(edge) {
        values.set(layout, v, gap());
    }
}
