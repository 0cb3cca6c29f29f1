//! Determinisation of nested-word automata, on demand.
//!
//! A macro state is a set of pairs (down, up): `up` is a state in which a run may be now and `down`
//! the state in which that run read the last open call ([`BOTTOM`] outside calls). A call starts new
//! pairs (u, u'); a return joins the pairs (d, u) of the callee with the pairs (d', d) of the hierarchical
//! predecessor to (d', t) (Alur and Madhusudan, 2004). The empty set is a rejecting trap.

use crate::explore::BOTTOM;
use crate::lazy::{DeterministicNwa, LazyNwa};
use crate::nwa::{Letter, StateId};
use base::IdVec;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::rc::Rc;

type Macro = Rc<[(StateId, StateId)]>;

/// The determinisation of a lazy automaton: total, deterministic, and as lazy as its operand.
pub struct Determinised<B> {
    inner: B,
    macros: IdVec<StateId, Macro>,
    accepting: IdVec<StateId, bool>,
    ids: HashMap<Macro, StateId, FxBuildHasher>,
    answers: Vec<StateId>,
}

impl<B> Determinised<B> {
    pub fn new(inner: B) -> Self {
        Determinised {
            inner,
            macros: IdVec::new(),
            accepting: IdVec::new(),
            ids: HashMap::default(),
            answers: Vec::new(),
        }
    }
    pub fn into_inner(self) -> B {
        self.inner
    }
    /// The pairs (down, up) of a macro state, sorted.
    pub fn pairs(&self, state: StateId) -> &[(StateId, StateId)] {
        &self.macros[state]
    }
    fn id<L: Letter>(&mut self, mut pairs: Vec<(StateId, StateId)>) -> StateId
    where
        B: LazyNwa<L>,
    {
        pairs.retain(|(_, up)| !self.inner.is_dead(*up));
        pairs.sort_unstable();
        pairs.dedup();
        if let Some(id) = self.ids.get(pairs.as_slice()) {
            return *id;
        }
        let pairs: Macro = pairs.into();
        self.accepting.push(pairs.iter().any(|(_, up)| self.inner.is_accepting(*up)));
        let id = self.macros.push(pairs.clone());
        self.ids.insert(pairs, id);
        id
    }
}

impl<L: Letter, B: LazyNwa<L>> DeterministicNwa<L> for Determinised<B> {
    type Error = B::Error;
    fn initial(&mut self) -> Result<StateId, B::Error> {
        let mut ups = Vec::new();
        self.inner.initial(&mut ups)?;
        Ok(self.id(ups.into_iter().map(|up| (BOTTOM, up)).collect()))
    }
    fn is_accepting(&self, state: StateId) -> bool {
        self.accepting[state]
    }
    fn is_rejecting_trap(&self, state: StateId) -> bool {
        self.macros[state].is_empty()
    }
    fn is_accepting_trap(&self, state: StateId) -> bool {
        self.macros[state].iter().any(|(_, up)| self.inner.is_universal(*up))
    }
    fn internal(&mut self, state: StateId, letter: L) -> Result<StateId, B::Error> {
        let mut next = Vec::new();
        for &(down, up) in self.macros[state].iter() {
            self.inner.internal(up, letter, &mut self.answers)?;
            next.extend(self.answers.drain(..).map(|t| (down, t)));
        }
        Ok(self.id(next))
    }
    fn call(&mut self, state: StateId, letter: L) -> Result<StateId, B::Error> {
        let mut next = Vec::new();
        for &(_, up) in self.macros[state].iter() {
            self.inner.call(up, letter, &mut self.answers)?;
            next.extend(self.answers.drain(..).map(|t| (up, t)));
        }
        Ok(self.id(next))
    }
    fn ret(&mut self, state: StateId, hier: StateId, letter: L) -> Result<StateId, B::Error> {
        let mut next = Vec::new();
        let below = self.macros[hier].clone();
        for &(down, up) in self.macros[state].iter() {
            if down == BOTTOM {
                continue;
            }
            self.inner.ret(up, down, letter, &mut self.answers)?;
            for t in self.answers.drain(..) {
                next.extend(below.iter().filter(|(_, d)| *d == down).map(|(deeper, _)| (*deeper, t)));
            }
        }
        Ok(self.id(next))
    }
}
