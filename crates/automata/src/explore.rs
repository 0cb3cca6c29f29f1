//! Forward exploration by double deckers.
//!
//! A configuration of a nested-word automaton is a state and a stack of hierarchical predecessors.
//! Which edges can be taken depends only on the state (*up*) and the top of the stack (*down*), so
//! it is enough to explore the finitely many pairs (up, down). A return from (u, h) to t makes
//! h → t a *summary*: the call from h may be stepped over. Summaries are replayed for every down
//! of h, also for downs found later (the tabulation of Reps, Horwitz and Sagiv).
//!
//! Without calls the only down is [`BOTTOM`] and this is plain breadth-first search.

use crate::lazy::LazyNwa;
use crate::nwa::{Alphabet, Letter, Nwa, StateId};
use base::{Budget, Id, IdVec, Stop};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// The down of a pair outside all calls.
pub const BOTTOM: StateId = StateId(u32::MAX);

/// An automaton that lists its edges: what [`explore`] turns into an explicit one.
pub trait Successors<L: Letter> {
    type Error: From<Stop>;
    fn initial(&mut self, out: &mut Vec<StateId>) -> Result<(), Self::Error>;
    fn is_accepting(&self, state: StateId) -> bool;
    fn internal(&mut self, state: StateId, out: &mut Vec<(L, StateId)>) -> Result<(), Self::Error>;
    fn calls(&mut self, state: StateId, out: &mut Vec<(L, StateId)>) -> Result<(), Self::Error>;
    fn returns(&mut self, state: StateId, hier: StateId, out: &mut Vec<(L, StateId)>) -> Result<(), Self::Error>;
}

/// The reachable part of an automaton, and which state of the source each state is.
#[derive(Clone, Debug)]
pub struct Explored<L> {
    pub automaton: Nwa<L>,
    pub origin: IdVec<StateId, StateId>,
}

/// For each state the tops of the stacks with which it is reachable, in order of discovery.
#[derive(Clone, Debug, Default)]
pub struct DoubleDeckers {
    downs: IdVec<StateId, Vec<StateId>>,
    summaries: IdVec<StateId, Vec<StateId>>,
}

impl DoubleDeckers {
    pub fn downs(&self, up: StateId) -> &[StateId] {
        self.downs.get(up).map_or(&[], Vec::as_slice)
    }
    /// The states to which a call from `state` can return.
    pub fn summaries(&self, state: StateId) -> &[StateId] {
        self.summaries.get(state).map_or(&[], Vec::as_slice)
    }
    pub fn pairs(&self) -> impl Iterator<Item = (StateId, StateId)> + '_ {
        self.downs.iter().flat_map(|(up, downs)| downs.iter().map(move |d| (up, *d)))
    }
    /// The pairs of an explicit automaton.
    pub fn of<L: Letter>(automaton: &Nwa<L>, budget: &Budget) -> Result<DoubleDeckers, Stop> {
        let mut search = Search::default();
        let mut worklist = VecDeque::new();
        search.downs.resize(automaton.n_states(), Vec::new());
        search.summaries.resize(automaton.n_states(), Vec::new());
        for &q in automaton.initial() {
            search.add(q, BOTTOM, &mut worklist);
        }
        while let Some((up, down)) = worklist.pop_front() {
            budget.check()?;
            for &(_, t) in automaton.internal(up) {
                search.add(t, down, &mut worklist);
            }
            for &(_, t) in automaton.calls(up) {
                search.add(t, up, &mut worklist);
            }
            search.replay_summaries(up, down, &mut worklist);
            if down != BOTTOM {
                for &(_, _, t) in automaton.returns_with(up, down) {
                    search.summarise(down, t, &mut worklist);
                }
            }
        }
        Ok(DoubleDeckers { downs: search.downs, summaries: search.summaries })
    }
}

/// Bookkeeping of pairs and summaries.
#[derive(Default)]
struct Search {
    downs: IdVec<StateId, Vec<StateId>>,
    /// Used for states with many downs; a short list is searched linearly.
    many: FxHashSet<(StateId, StateId)>,
    summaries: IdVec<StateId, Vec<StateId>>,
}

const FEW: usize = 8;

impl Search {
    fn add(&mut self, up: StateId, down: StateId, worklist: &mut VecDeque<(StateId, StateId)>) {
        let downs = &mut self.downs[up];
        let known = if downs.len() < FEW {
            downs.contains(&down)
        } else {
            if downs.len() == FEW {
                self.many.extend(downs.iter().map(|d| (up, *d)));
            }
            !self.many.insert((up, down))
        };
        if !known {
            downs.push(down);
            worklist.push_back((up, down));
        }
    }
    fn replay_summaries(&mut self, up: StateId, down: StateId, worklist: &mut VecDeque<(StateId, StateId)>) {
        for i in 0..self.summaries[up].len() {
            let t = self.summaries[up][i];
            self.add(t, down, worklist);
        }
    }
    fn summarise(&mut self, hier: StateId, target: StateId, worklist: &mut VecDeque<(StateId, StateId)>) {
        if self.summaries[hier].contains(&target) {
            return;
        }
        self.summaries[hier].push(target);
        for i in 0..self.downs[hier].len() {
            let down = self.downs[hier][i];
            self.add(target, down, worklist);
        }
    }
}

/// The reachable part of `source` as an explicit automaton, states numbered in breadth-first order.
pub fn explore<L: Letter, S: Successors<L>>(source: &mut S, budget: &Budget) -> Result<Explored<L>, S::Error> {
    let mut explored = Explored { automaton: Nwa::new(), origin: IdVec::new() };
    let mut number: Vec<StateId> = Vec::new();
    let mut search = Search::default();
    let mut worklist = VecDeque::new();
    let mut expanded: Vec<bool> = Vec::new();
    let mut initial = Vec::new();
    let mut edges = Vec::new();

    let mut state_of = |source: &S, explored: &mut Explored<L>, search: &mut Search, q: StateId| {
        if number.len() <= q.index() {
            number.resize(q.index() + 1, BOTTOM);
        }
        if number[q.index()] == BOTTOM {
            number[q.index()] = explored.automaton.add_state(source.is_accepting(q));
            explored.origin.push(q);
            search.downs.push(Vec::new());
            search.summaries.push(Vec::new());
        }
        number[q.index()]
    };

    source.initial(&mut initial)?;
    for q in initial {
        let state = state_of(source, &mut explored, &mut search, q);
        explored.automaton.add_initial(state);
        search.add(state, BOTTOM, &mut worklist);
    }
    while let Some((up, down)) = worklist.pop_front() {
        budget.check()?;
        let origin = explored.origin[up];
        expanded.resize(explored.automaton.n_states(), false);
        if !expanded[up.index()] {
            expanded[up.index()] = true;
            source.internal(origin, &mut edges)?;
            for (letter, target) in edges.drain(..) {
                let target = state_of(source, &mut explored, &mut search, target);
                explored.automaton.add_internal(up, letter, target);
            }
            source.calls(origin, &mut edges)?;
            for (letter, target) in edges.drain(..) {
                let target = state_of(source, &mut explored, &mut search, target);
                explored.automaton.add_call(up, letter, target);
                search.add(target, up, &mut worklist);
            }
        }
        for &(_, target) in explored.automaton.internal(up) {
            search.add(target, down, &mut worklist);
        }
        search.replay_summaries(up, down, &mut worklist);
        if down != BOTTOM {
            source.returns(origin, explored.origin[down], &mut edges)?;
            for (letter, target) in edges.drain(..) {
                let target = state_of(source, &mut explored, &mut search, target);
                explored.automaton.add_return(up, down, letter, target);
                search.summarise(down, target, &mut worklist);
            }
        }
    }
    Ok(explored)
}

/// Reads a lazy automaton over a given alphabet as one that lists its edges.
struct OverAlphabet<'a, L, B> {
    automaton: &'a mut B,
    alphabet: &'a Alphabet<L>,
    answers: Vec<StateId>,
}

impl<L: Letter, B: LazyNwa<L>> Successors<L> for OverAlphabet<'_, L, B> {
    type Error = B::Error;
    fn initial(&mut self, out: &mut Vec<StateId>) -> Result<(), B::Error> {
        self.automaton.initial(out)
    }
    fn is_accepting(&self, state: StateId) -> bool {
        self.automaton.is_accepting(state)
    }
    fn internal(&mut self, state: StateId, out: &mut Vec<(L, StateId)>) -> Result<(), B::Error> {
        for &letter in &self.alphabet.internal {
            self.automaton.internal(state, letter, &mut self.answers)?;
            out.extend(self.answers.drain(..).map(|t| (letter, t)));
        }
        Ok(())
    }
    fn calls(&mut self, state: StateId, out: &mut Vec<(L, StateId)>) -> Result<(), B::Error> {
        for &letter in &self.alphabet.call {
            self.automaton.call(state, letter, &mut self.answers)?;
            out.extend(self.answers.drain(..).map(|t| (letter, t)));
        }
        Ok(())
    }
    fn returns(&mut self, state: StateId, hier: StateId, out: &mut Vec<(L, StateId)>) -> Result<(), B::Error> {
        for &letter in &self.alphabet.ret {
            self.automaton.ret(state, hier, letter, &mut self.answers)?;
            out.extend(self.answers.drain(..).map(|t| (letter, t)));
        }
        Ok(())
    }
}

/// The reachable part of a lazy automaton over `alphabet`, as an explicit automaton.
pub fn materialise<L: Letter, B: LazyNwa<L>>(
    automaton: &mut B,
    alphabet: &Alphabet<L>,
    budget: &Budget,
) -> Result<Explored<L>, B::Error> {
    explore(&mut OverAlphabet { automaton, alphabet, answers: Vec::new() }, budget)
}
