//! Nested words and explicit nested-word automata.
//!
//! A nested word is a finite sequence of symbols, each internal, a call or a return; a return is
//! matched with the last call that is still open. Calls may stay open (an error inside a callee),
//! but there is never a return without a call: runs of programs have no pending returns, and no
//! automaton here ever reads one. The automaton is that of Alur and Madhusudan in the form that
//! trace abstraction uses: a return edge depends on the state before it *and* on the state in
//! which the matching call was read (the *hierarchical predecessor*, `hier`).
//!
//! Whether a letter is internal, a call or a return is part of the position, not of the letter:
//! the same `L` may be used in all three roles without being confused.
//!
//! Invariants of [`Nwa`]: every edge list is sorted and without duplicates, so that successors are
//! found by binary search and iteration is deterministic.

use base::{Id, IdVec, define_id};
use std::fmt::Debug;
use std::hash::Hash;

define_id! {
    /// A state of one automaton; ids of different automata are unrelated.
    StateId, "q"
}

/// What may label an edge: any small comparable value, typically an edge id of a program.
pub trait Letter: Copy + Eq + Ord + Hash + Debug {}
impl<T: Copy + Eq + Ord + Hash + Debug> Letter for T {}

/// One position of a nested word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Symbol<L> {
    Internal(L),
    Call(L),
    Return(L),
}

impl<L: Copy> Symbol<L> {
    pub fn letter(&self) -> L {
        match *self {
            Symbol::Internal(a) | Symbol::Call(a) | Symbol::Return(a) => a,
        }
    }
}

/// For each position of a nested word, its partner: the return of a call, the call of a return;
/// `None` for internal positions and for calls that stay open. `None` as a whole if some return
/// has no call.
pub fn matching<L>(word: &[Symbol<L>]) -> Option<Vec<Option<usize>>> {
    let mut partner = vec![None; word.len()];
    let mut open = Vec::new();
    for (position, symbol) in word.iter().enumerate() {
        match symbol {
            Symbol::Internal(_) => {}
            Symbol::Call(_) => open.push(position),
            Symbol::Return(_) => {
                let call = open.pop()?;
                partner[position] = Some(call);
                partner[call] = Some(position);
            }
        }
    }
    Some(partner)
}

/// A word together with the states an automaton passes: `states.len() == word.len() + 1`, and
/// `word[i]` is read between `states[i]` and `states[i + 1]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NestedRun<L> {
    pub word: Vec<Symbol<L>>,
    pub states: Vec<StateId>,
}

impl<L: Letter> NestedRun<L> {
    /// The run of length zero.
    pub fn start(state: StateId) -> Self {
        NestedRun { word: Vec::new(), states: vec![state] }
    }
    pub fn len(&self) -> usize {
        self.word.len()
    }
    pub fn is_empty(&self) -> bool {
        self.word.is_empty()
    }
    pub fn first(&self) -> StateId {
        self.states[0]
    }
    pub fn last(&self) -> StateId {
        self.states[self.word.len()]
    }
    pub fn push(&mut self, symbol: Symbol<L>, state: StateId) {
        self.word.push(symbol);
        self.states.push(state);
    }
    /// The letters alone.
    pub fn letters(&self) -> Vec<L> {
        self.word.iter().map(Symbol::letter).collect()
    }
    /// See [`matching`]; a run never has pending returns.
    pub fn matching(&self) -> Vec<Option<usize>> {
        matching(&self.word).unwrap_or_else(|| vec![None; self.word.len()])
    }
    /// Is this a run of `automaton`, from any state to any state, step by step?
    pub fn is_run_of(&self, automaton: &Nwa<L>) -> bool {
        let Some(partner) = matching(&self.word) else { return false };
        self.states.len() == self.word.len() + 1
            && self.word.iter().enumerate().all(|(i, symbol)| {
                let (from, to) = (self.states[i], self.states[i + 1]);
                match *symbol {
                    Symbol::Internal(a) => automaton.internal_successors(from, a).any(|t| t == to),
                    Symbol::Call(a) => automaton.call_successors(from, a).any(|t| t == to),
                    Symbol::Return(a) => partner[i]
                        .is_some_and(|call| automaton.return_successors(from, self.states[call], a).any(|t| t == to)),
                }
            })
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct State<L> {
    accepting: bool,
    internal: Vec<(L, StateId)>,
    call: Vec<(L, StateId)>,
    /// (hier, letter, target)
    ret: Vec<(StateId, L, StateId)>,
}

/// An explicit nested-word automaton, nondeterministic in general. With only internal edges it is
/// a finite automaton. Its accepting states are final states for finite words, or Büchi states for
/// infinite words: the operations say which reading they take.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Nwa<L> {
    states: IdVec<StateId, State<L>>,
    initial: Vec<StateId>,
}

impl<L> Default for Nwa<L> {
    fn default() -> Self {
        Nwa { states: IdVec::default(), initial: Vec::new() }
    }
}

fn insert_sorted<T: Ord>(list: &mut Vec<T>, item: T) -> bool {
    // Edges usually arrive in order.
    if list.last().is_none_or(|last| *last < item) {
        list.push(item);
        return true;
    }
    match list.binary_search(&item) {
        Ok(_) => false,
        Err(position) => {
            list.insert(position, item);
            true
        }
    }
}

impl<L: Letter> Nwa<L> {
    pub fn new() -> Self {
        Self::default()
    }
    pub fn add_state(&mut self, accepting: bool) -> StateId {
        self.states.push(State { accepting, internal: Vec::new(), call: Vec::new(), ret: Vec::new() })
    }
    pub fn add_initial(&mut self, state: StateId) {
        insert_sorted(&mut self.initial, state);
    }
    /// Adds an edge; says whether it is new.
    pub fn add_internal(&mut self, from: StateId, letter: L, to: StateId) -> bool {
        insert_sorted(&mut self.states[from].internal, (letter, to))
    }
    pub fn add_call(&mut self, from: StateId, letter: L, to: StateId) -> bool {
        insert_sorted(&mut self.states[from].call, (letter, to))
    }
    pub fn add_return(&mut self, from: StateId, hier: StateId, letter: L, to: StateId) -> bool {
        insert_sorted(&mut self.states[from].ret, (hier, letter, to))
    }
    /// Keeps the return edges whose linear and hierarchical predecessors satisfy `keep`.
    pub fn retain_returns(&mut self, keep: impl Fn(StateId, StateId) -> bool) {
        for (q, state) in self.states.iter_mut() {
            state.ret.retain(|(hier, _, _)| keep(q, *hier));
        }
    }

    pub fn n_states(&self) -> usize {
        self.states.len()
    }
    pub fn n_edges(&self) -> usize {
        self.states.values().map(|s| s.internal.len() + s.call.len() + s.ret.len()).sum()
    }
    pub fn states(&self) -> impl DoubleEndedIterator<Item = StateId> + ExactSizeIterator + use<L> {
        (0..self.states.len()).map(StateId::from_index)
    }
    pub fn initial(&self) -> &[StateId] {
        &self.initial
    }
    pub fn is_initial(&self, state: StateId) -> bool {
        self.initial.binary_search(&state).is_ok()
    }
    #[inline]
    pub fn is_accepting(&self, state: StateId) -> bool {
        self.states[state].accepting
    }
    pub fn all_accepting(&self) -> bool {
        self.states.values().all(|s| s.accepting)
    }
    /// Outgoing internal edges, sorted.
    #[inline]
    pub fn internal(&self, state: StateId) -> &[(L, StateId)] {
        &self.states[state].internal
    }
    /// Outgoing call edges, sorted.
    #[inline]
    pub fn calls(&self, state: StateId) -> &[(L, StateId)] {
        &self.states[state].call
    }
    /// Outgoing return edges as (hier, letter, target), sorted.
    #[inline]
    pub fn returns(&self, state: StateId) -> &[(StateId, L, StateId)] {
        &self.states[state].ret
    }
    /// Outgoing return edges for one hierarchical predecessor.
    pub fn returns_with(&self, state: StateId, hier: StateId) -> &[(StateId, L, StateId)] {
        let all = &self.states[state].ret;
        let start = all.partition_point(|e| e.0 < hier);
        let len = all[start..].partition_point(|e| e.0 == hier);
        &all[start..start + len]
    }
    pub fn internal_successors(&self, state: StateId, letter: L) -> impl Iterator<Item = StateId> {
        with_letter(&self.states[state].internal, letter)
    }
    pub fn call_successors(&self, state: StateId, letter: L) -> impl Iterator<Item = StateId> {
        with_letter(&self.states[state].call, letter)
    }
    pub fn return_successors(&self, state: StateId, hier: StateId, letter: L) -> impl Iterator<Item = StateId> {
        let all = self.returns_with(state, hier);
        let start = all.partition_point(|e| e.1 < letter);
        all[start..].iter().take_while(move |e| e.1 == letter).map(|e| e.2)
    }
    pub fn has_calls(&self) -> bool {
        self.states.values().any(|s| !s.call.is_empty())
    }
    pub fn has_returns(&self) -> bool {
        self.states.values().any(|s| !s.ret.is_empty())
    }
    /// At most one initial state and at most one successor for everything.
    pub fn is_deterministic(&self) -> bool {
        self.initial.len() <= 1 && self.states().all(|q| self.is_deterministic_at(q))
    }
    /// At most one successor of `state` for everything.
    pub fn is_deterministic_at(&self, state: StateId) -> bool {
        let state = &self.states[state];
        state.internal.windows(2).all(|w| w[0].0 != w[1].0)
            && state.call.windows(2).all(|w| w[0].0 != w[1].0)
            && state.ret.windows(2).all(|w| (w[0].0, w[0].1) != (w[1].0, w[1].1))
    }
    /// The sorted internal, call and return letters that occur.
    pub fn alphabet(&self) -> Alphabet<L> {
        let mut alphabet = Alphabet { internal: Vec::new(), call: Vec::new(), ret: Vec::new() };
        for state in self.states.values() {
            alphabet.internal.extend(state.internal.iter().map(|e| e.0));
            alphabet.call.extend(state.call.iter().map(|e| e.0));
            alphabet.ret.extend(state.ret.iter().map(|e| e.1));
        }
        for letters in [&mut alphabet.internal, &mut alphabet.call, &mut alphabet.ret] {
            letters.sort_unstable();
            letters.dedup();
        }
        alphabet
    }
}

fn with_letter<L: Letter>(edges: &[(L, StateId)], letter: L) -> impl Iterator<Item = StateId> {
    let start = edges.partition_point(|e| e.0 < letter);
    edges[start..].iter().take_while(move |e| e.0 == letter).map(|e| e.1)
}

/// The letters of each kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alphabet<L> {
    pub internal: Vec<L>,
    pub call: Vec<L>,
    pub ret: Vec<L>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_sorted_and_unique() {
        let mut a: Nwa<u8> = Nwa::new();
        let (p, q) = (a.add_state(false), a.add_state(true));
        assert!(a.add_internal(p, 2, q) && a.add_internal(p, 1, q) && !a.add_internal(p, 2, q));
        assert_eq!(a.internal(p), &[(1, q), (2, q)]);
        assert!(a.add_return(p, q, 7, p) && a.add_return(p, p, 7, q) && a.add_return(p, q, 3, q));
        assert_eq!(a.returns_with(p, q), &[(q, 3, q), (q, 7, p)]);
        assert_eq!(a.return_successors(p, q, 7).collect::<Vec<_>>(), [p]);
        assert!(a.is_deterministic());
        assert!(a.add_internal(p, 1, p) && !a.is_deterministic());
    }

    #[test]
    fn matching_pairs_calls_with_returns() {
        use Symbol::{Call, Internal, Return};
        let word = [Call('f'), Call('g'), Internal('x'), Return('g'), Call('h')];
        assert_eq!(matching(&word), Some(vec![None, Some(3), None, Some(1), None]));
        assert_eq!(matching(&[Return('f')]), None);
    }
}
