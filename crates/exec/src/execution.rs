//! Exhaustive execution of a program with unknown values: all executions together, as long as few branches depend on
//! nondeterministic choices.
//!
//! A program that reads no input has one execution, and running it to its end is a proof. Unknown values
//! (nondeterministic choices, uninitialised variables, cells of memory) are gaps ([`crate::compiled`]): they stand for
//! all values, and so does what is computed from them, unless the rest fixes it. An assumption that is a gap is passed,
//! which only adds executions; where several edges may be taken all of them are, one after the other. So the runs that
//! are made cover all executions of the graph. If all of them end before an error and within the limits, no execution
//! reaches an error, and none is infinite. Where that is not asked for, a run also ends in a state that some run was in
//! before.
//!
//! Symbols that the program never assigns are gaps, so axioms only exclude executions; so do the values of
//! uninterpreted functions and of divisions by zero. Threads and blocks are not executed.

use crate::compiled::{Compiled, Open, State, Visited};
use ir::{EdgeId, Icfg, LocId};
use logic::TermPool;
use std::rc::Rc;

/// How far executions go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Of all runs together.
    pub max_steps: u64,
    /// How often there may be a choice of edges.
    pub max_branches: u64,
    pub max_depth: usize,
    /// An error is nothing but an end: the question is whether executions are finite.
    pub errors_end: bool,
}

/// How the executions ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Every run terminated or reached a visited state, and none reached an error (unless `errors_end`). Holds the
    /// total number of steps.
    Ends(u64),
    /// Some run arrives at an error; since it may be more than an execution, that proves nothing.
    ErrorPossible {
        at: LocId,
        way: Way,
    },
    TooLong,
    /// There is something in the graph that is not executed here.
    NotExecutable(EdgeId),
    Stopped,
}

/// How a run went.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Way {
    pub n_steps: u64,
    /// Where there was a choice, the edge that was taken, with the number of steps before it.
    pub choices: Vec<(u64, EdgeId)>,
}

/// A choice, and the one before.
struct Chosen {
    n_steps: u64,
    edge: EdgeId,
    before: Option<Rc<Chosen>>,
}

/// Runs may have made millions of choices.
impl Drop for Chosen {
    fn drop(&mut self) {
        while let Some(mut before) = self.before.take().and_then(Rc::into_inner) {
            self.before = before.before.take();
        }
    }
}

struct Run {
    state: State,
    n_steps: u64,
    chosen: Option<Rc<Chosen>>,
}

impl Run {
    fn way(&self) -> Way {
        let mut choices = Vec::new();
        let mut chosen = self.chosen.as_deref();
        while let Some(choice) = chosen {
            choices.push((choice.n_steps, choice.edge));
            chosen = choice.before.as_deref();
        }
        choices.reverse();
        Way { n_steps: self.n_steps, choices }
    }
}

/// After how many steps a run asks whether to stop.
const STEPS_BETWEEN_POLLS: u64 = 4096;
/// How many values the runs that wait may have together.
const MAX_WAITING: usize = 8_000_000;
/// How many values are copied and compared with those of other states.
const MAX_COPIED: usize = 60_000_000;

/// Executes a graph from its entry in all ways; `stop` is asked from time to time.
pub fn execute(icfg: &Icfg, pool: &TermPool, limits: &Limits, stop: &mut dyn FnMut() -> bool) -> Outcome {
    let graph = Compiled::new(icfg, pool);
    let mut visited = None;
    let mut waiting = vec![Run { state: graph.start(), n_steps: 0, chosen: None }];
    let (mut n_steps, mut n_branches, mut next_poll) = (0u64, 0u64, STEPS_BETWEEN_POLLS);
    let mut n_copied = 0usize;
    while let Some(mut run) = waiting.pop() {
        loop {
            let at = run.state.loc;
            if icfg.locs[at].error.is_some() {
                if limits.errors_end {
                    break;
                }
                return Outcome::ErrorPossible { at, way: run.way() };
            }
            if n_branches > 0 && !limits.errors_end && icfg.in_edges(at).len() > 1 {
                n_copied += run.state.size();
                let visited = visited.get_or_insert_with(|| Visited::new(icfg, pool));
                match visited.is_new(&graph, &run.state) {
                    Some(true) => {}
                    Some(false) => break,
                    None => return Outcome::TooLong,
                }
            }
            let (first, others) = match graph.open(&mut run.state, true) {
                Open::None => break,
                Open::One(edge) => (edge, Vec::new()),
                Open::Several(edges) => (edges[0], edges[1..].to_vec()),
            };
            n_steps += 1 + others.len() as u64;
            n_branches += others.len() as u64;
            let is_over = n_steps > limits.max_steps
                || n_branches > limits.max_branches
                || run.state.depth() > limits.max_depth
                || waiting.len() * run.state.size() > MAX_WAITING
                || n_copied > MAX_COPIED;
            if is_over {
                return Outcome::TooLong;
            }
            if n_steps >= next_poll {
                next_poll = n_steps + STEPS_BETWEEN_POLLS;
                if stop() {
                    return Outcome::Stopped;
                }
            }
            let is_choice = !others.is_empty();
            let before = run.chosen.clone();
            let chosen = |edge: EdgeId| Some(Rc::new(Chosen { n_steps: run.n_steps, edge, before: before.clone() }));
            n_copied += others.len() * run.state.size();
            for edge in others {
                let mut other = Run { state: run.state.clone(), n_steps: run.n_steps + 1, chosen: chosen(edge) };
                if !graph.take(&mut other.state, edge) {
                    return Outcome::NotExecutable(edge);
                }
                waiting.push(other);
            }
            if is_choice {
                run.chosen = chosen(first);
            }
            if !graph.take(&mut run.state, first) {
                return Outcome::NotExecutable(first);
            }
            run.n_steps += 1;
        }
    }
    Outcome::Ends(n_steps)
}
