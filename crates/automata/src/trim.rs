//! Removal of what cannot contribute to acceptance.
//!
//! A goal is an accepting state for finite words, a state on an accepting cycle for infinite ones. A
//! configuration reaches a goal in one of two ways. Either without closing the call it is in: this depends on the
//! state alone, and is backward reachability over internal, call and summary edges. Or it first returns:
//! from (u, h) to (t, d), for some d with which h is reachable. That d may be chosen freely, because the way
//! from h to u does not look below h; so going backwards over double deckers is exact, as long as
//! calls are not followed in this second part (they would have to come back to where they
//! started).

use crate::buchi::lasso::accepting_cycle_states;
use crate::explore::{BOTTOM, DoubleDeckers};
use crate::nwa::{Letter, Nwa, StateId};
use base::{Budget, IdVec, Stop};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// A smaller automaton with the same language. `renaming[old]` is the new name of a state, if it
/// was kept.
#[derive(Clone, Debug)]
pub struct Trimmed<L> {
    pub automaton: Nwa<L>,
    pub renaming: IdVec<StateId, Option<StateId>>,
}

impl<L> Trimmed<L> {
    /// The old name of each kept state.
    pub fn origin(&self) -> IdVec<StateId, StateId> {
        // Kept states are numbered in the order of their old ids.
        self.renaming.iter().filter(|(_, new)| new.is_some()).map(|(old, _)| old).collect()
    }
}

/// Keeps the states and edges that occur in a run from an initial to an accepting state.
pub fn remove_dead_ends<L: Letter>(automaton: &Nwa<L>, budget: &Budget) -> Result<Trimmed<L>, Stop> {
    trim(automaton, |q| automaton.is_accepting(q), budget)
}

/// Keeps the states and edges that occur in an accepting run over an infinite word.
pub fn remove_non_live<L: Letter>(automaton: &Nwa<L>, budget: &Budget) -> Result<Trimmed<L>, Stop> {
    let on_cycle = accepting_cycle_states(automaton, budget)?;
    trim(automaton, |q| on_cycle[q], budget)
}

type Pair = (StateId, StateId);

fn trim<L: Letter>(automaton: &Nwa<L>, goal: impl Fn(StateId) -> bool, budget: &Budget) -> Result<Trimmed<L>, Stop> {
    let deckers = DoubleDeckers::of(automaton, budget)?;
    let pairs: Vec<Pair> = deckers.pairs().collect();
    let ids: HashMap<Pair, usize, FxBuildHasher> = pairs.iter().enumerate().map(|(i, p)| (*p, i)).collect();

    // First part: a goal is reached within the present call.
    let mut before: IdVec<StateId, Vec<StateId>> = IdVec::from_elem(Vec::new(), automaton.n_states());
    for q in automaton.states() {
        budget.check()?;
        for &(_, t) in automaton.internal(q).iter().chain(automaton.calls(q)) {
            before[t].push(q);
        }
        for &t in deckers.summaries(q) {
            before[t].push(q);
        }
    }
    let mut within: IdVec<StateId, bool> = automaton.states().map(&goal).collect();
    let mut worklist: Vec<StateId> = automaton.states().filter(|q| within[*q]).collect();
    while let Some(t) = worklist.pop() {
        budget.check()?;
        for &q in &before[t] {
            if !std::mem::replace(&mut within[q], true) {
                worklist.push(q);
            }
        }
    }

    // Second part: it is reached after returns.
    let mut live: Vec<bool> = pairs.iter().map(|(up, _)| within[*up]).collect();
    if automaton.has_returns() {
        let mut predecessors: Vec<Vec<u32>> = vec![Vec::new(); pairs.len()];
        for (i, &(up, down)) in pairs.iter().enumerate() {
            budget.check()?;
            let mut edge_to = |next: Pair| predecessors[ids[&next]].push(i as u32);
            for &(_, t) in automaton.internal(up) {
                edge_to((t, down));
            }
            for &t in deckers.summaries(up) {
                edge_to((t, down));
            }
            if down != BOTTOM {
                for &(_, _, t) in automaton.returns_with(up, down) {
                    for &deeper in deckers.downs(down) {
                        edge_to((t, deeper));
                    }
                }
            }
        }
        let mut worklist: Vec<usize> = (0..pairs.len()).filter(|i| live[*i]).collect();
        while let Some(i) = worklist.pop() {
            budget.check()?;
            for &before in &predecessors[i] {
                if !std::mem::replace(&mut live[before as usize], true) {
                    worklist.push(before as usize);
                }
            }
        }
    }

    let is_live = |pair: Pair| ids.get(&pair).is_some_and(|i| live[*i]);
    let mut result = Nwa::new();
    let mut renaming = IdVec::from_elem(None, automaton.n_states());
    for q in automaton.states() {
        if deckers.downs(q).iter().any(|d| is_live((q, *d))) {
            renaming[q] = Some(result.add_state(automaton.is_accepting(q)));
        }
    }
    for q in automaton.states() {
        let Some(from) = renaming[q] else { continue };
        if automaton.is_initial(q) && is_live((q, BOTTOM)) {
            result.add_initial(from);
        }
        for &(letter, t) in automaton.internal(q) {
            let Some(to) = renaming[t] else { continue };
            if deckers.downs(q).iter().any(|d| is_live((t, *d))) {
                result.add_internal(from, letter, to);
            }
        }
        for &(letter, t) in automaton.calls(q) {
            let Some(to) = renaming[t] else { continue };
            if is_live((t, q)) {
                result.add_call(from, letter, to);
            }
        }
        for &(hier, letter, t) in automaton.returns(q) {
            let (Some(below), Some(to)) = (renaming[hier], renaming[t]) else { continue };
            if is_live((q, hier)) && deckers.downs(hier).iter().any(|d| is_live((t, *d))) {
                result.add_return(from, below, letter, to);
            }
        }
    }
    Ok(Trimmed { automaton: result, renaming })
}
