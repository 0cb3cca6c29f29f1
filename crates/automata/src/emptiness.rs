//! Emptiness over finite nested words, with a shortest witness.
//!
//! An accepting run leaves some calls open and closes the others. Stepping over the closed ones by their
//! shortest summaries (see [`crate::summary`]) turns the question into a shortest path between states.

use crate::nwa::{Letter, NestedRun, Nwa};
use crate::summary::{ShortestPaths, Summaries};
use base::{Budget, Stop};

/// A shortest accepted nested word with its run, or `None` if the language is empty.
pub fn shortest_accepted<L: Letter>(automaton: &Nwa<L>, budget: &Budget) -> Result<Option<NestedRun<L>>, Stop> {
    let summaries = Summaries::of(automaton, false, budget)?;
    let accepting = |q| automaton.is_accepting(q);
    let (paths, hit) = ShortestPaths::from(automaton, &summaries, automaton.initial(), |_| true, accepting, budget)?;
    hit.map(|q| paths.run_to(q, &summaries)).transpose()
}
