//! The complement of a deterministic total Büchi automaton.
//!
//! The one run over a word is not accepting iff from some point on it avoids the accepting states. The
//! complement follows the run and guesses that point (Kurshan, 1987): two copies of every state, the
//! second copy without the accepting ones. On a return the guess made in the callee goes on.

use crate::lazy::{DeterministicNwa, LazyNwa};
use crate::nwa::{Letter, StateId};
use base::IdVec;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

pub struct DeterministicComplement<D> {
    inner: D,
    /// (state, has the point been guessed)
    nodes: IdVec<StateId, (StateId, bool)>,
    ids: HashMap<(StateId, bool), StateId, FxBuildHasher>,
}

impl<D> DeterministicComplement<D> {
    pub fn new(inner: D) -> Self {
        DeterministicComplement { inner, nodes: IdVec::new(), ids: HashMap::default() }
    }
    fn id(&mut self, node: (StateId, bool)) -> StateId {
        *self.ids.entry(node).or_insert_with(|| self.nodes.push(node))
    }
    fn follow<L: Letter>(&mut self, target: StateId, guessed: bool, out: &mut Vec<StateId>)
    where
        D: DeterministicNwa<L>,
    {
        if !guessed {
            out.push(self.id((target, false)));
        }
        if !self.inner.is_accepting(target) {
            out.push(self.id((target, true)));
        }
    }
}

impl<L: Letter, D: DeterministicNwa<L>> LazyNwa<L> for DeterministicComplement<D> {
    type Error = D::Error;
    fn initial(&mut self, out: &mut Vec<StateId>) -> Result<(), D::Error> {
        let start = self.inner.initial()?;
        self.follow(start, false, out);
        Ok(())
    }
    fn is_accepting(&self, state: StateId) -> bool {
        self.nodes[state].1
    }
    fn is_dead(&self, state: StateId) -> bool {
        self.inner.is_accepting_trap(self.nodes[state].0)
    }
    fn internal(&mut self, state: StateId, letter: L, out: &mut Vec<StateId>) -> Result<(), D::Error> {
        let (q, guessed) = self.nodes[state];
        let target = self.inner.internal(q, letter)?;
        self.follow(target, guessed, out);
        Ok(())
    }
    fn call(&mut self, state: StateId, letter: L, out: &mut Vec<StateId>) -> Result<(), D::Error> {
        let (q, guessed) = self.nodes[state];
        let target = self.inner.call(q, letter)?;
        self.follow(target, guessed, out);
        Ok(())
    }
    fn ret(&mut self, state: StateId, hier: StateId, letter: L, out: &mut Vec<StateId>) -> Result<(), D::Error> {
        let (q, guessed) = self.nodes[state];
        let target = self.inner.ret(q, self.nodes[hier].0, letter)?;
        self.follow(target, guessed, out);
        Ok(())
    }
}
