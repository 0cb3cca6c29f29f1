//! Automata that are computed while someone walks over them.
//!
//! Two views of an automaton are needed. A [`LazyNwa`] *answers*: given a state and a letter it says
//! which successors there are, creating states as it likes. It never has to know its alphabet; this is the
//! second operand of a product (an interpolant automaton whose edges are Hoare queries, a complement).
//! The first operand, always explicit, decides which questions are asked; so in a difference only
//! those Hoare triples are checked that some remaining trace of the program needs.
//!
//! [`DeterministicNwa`] is the special case with exactly one initial state and one successor for
//! every question (deterministic and total); for it complementing is swapping acceptance.

use crate::nwa::{Letter, Nwa, StateId};
use base::Stop;

/// A nondeterministic automaton that answers questions about successors.
///
/// States are ids handed out by the automaton. Answers must be repeatable: the same question gets
/// the same answer. Successors are appended to `out`.
pub trait LazyNwa<L: Letter> {
    type Error: From<Stop>;
    fn initial(&mut self, out: &mut Vec<StateId>) -> Result<(), Self::Error>;
    fn is_accepting(&self, state: StateId) -> bool;
    /// A promise that nothing is accepted from `state` on; products then leave it out. Saying
    /// `false` is always correct.
    fn is_dead(&self, _state: StateId) -> bool {
        false
    }
    /// A promise that every continuation from `state` is accepted. Complements stop there. Saying
    /// `false` is always correct.
    fn is_universal(&self, _state: StateId) -> bool {
        false
    }
    fn internal(&mut self, state: StateId, letter: L, out: &mut Vec<StateId>) -> Result<(), Self::Error>;
    fn call(&mut self, state: StateId, letter: L, out: &mut Vec<StateId>) -> Result<(), Self::Error>;
    fn ret(&mut self, state: StateId, hier: StateId, letter: L, out: &mut Vec<StateId>) -> Result<(), Self::Error>;
}

/// A deterministic and total automaton that answers questions about successors.
pub trait DeterministicNwa<L: Letter> {
    type Error: From<Stop>;
    fn initial(&mut self) -> Result<StateId, Self::Error>;
    fn is_accepting(&self, state: StateId) -> bool;
    /// A promise that every continuation from `state` is accepted (for infinite words: too).
    /// Differences stop there. Saying `false` is always correct.
    fn is_accepting_trap(&self, _state: StateId) -> bool {
        false
    }
    /// A promise that no continuation from `state` is accepted.
    fn is_rejecting_trap(&self, _state: StateId) -> bool {
        false
    }
    fn internal(&mut self, state: StateId, letter: L) -> Result<StateId, Self::Error>;
    fn call(&mut self, state: StateId, letter: L) -> Result<StateId, Self::Error>;
    fn ret(&mut self, state: StateId, hier: StateId, letter: L) -> Result<StateId, Self::Error>;
}

impl<L: Letter> LazyNwa<L> for &Nwa<L> {
    type Error = Stop;
    fn initial(&mut self, out: &mut Vec<StateId>) -> Result<(), Stop> {
        out.extend_from_slice(Nwa::initial(self));
        Ok(())
    }
    fn is_accepting(&self, state: StateId) -> bool {
        Nwa::is_accepting(self, state)
    }
    fn internal(&mut self, state: StateId, letter: L, out: &mut Vec<StateId>) -> Result<(), Stop> {
        out.extend(self.internal_successors(state, letter));
        Ok(())
    }
    fn call(&mut self, state: StateId, letter: L, out: &mut Vec<StateId>) -> Result<(), Stop> {
        out.extend(self.call_successors(state, letter));
        Ok(())
    }
    fn ret(&mut self, state: StateId, hier: StateId, letter: L, out: &mut Vec<StateId>) -> Result<(), Stop> {
        out.extend(self.return_successors(state, hier, letter));
        Ok(())
    }
}

/// A borrowed lazy automaton is one too.
impl<L: Letter, B: LazyNwa<L>> LazyNwa<L> for &mut B {
    type Error = B::Error;
    fn initial(&mut self, out: &mut Vec<StateId>) -> Result<(), B::Error> {
        (**self).initial(out)
    }
    fn is_accepting(&self, state: StateId) -> bool {
        (**self).is_accepting(state)
    }
    fn is_dead(&self, state: StateId) -> bool {
        (**self).is_dead(state)
    }
    fn is_universal(&self, state: StateId) -> bool {
        (**self).is_universal(state)
    }
    fn internal(&mut self, state: StateId, letter: L, out: &mut Vec<StateId>) -> Result<(), B::Error> {
        (**self).internal(state, letter, out)
    }
    fn call(&mut self, state: StateId, letter: L, out: &mut Vec<StateId>) -> Result<(), B::Error> {
        (**self).call(state, letter, out)
    }
    fn ret(&mut self, state: StateId, hier: StateId, letter: L, out: &mut Vec<StateId>) -> Result<(), B::Error> {
        (**self).ret(state, hier, letter, out)
    }
}

/// A deterministic automaton read as a general one.
pub struct AsLazy<'a, D>(pub &'a mut D);

/// A borrowed deterministic automaton is one too.
impl<L: Letter, D: DeterministicNwa<L>> DeterministicNwa<L> for &mut D {
    type Error = D::Error;
    fn initial(&mut self) -> Result<StateId, D::Error> {
        (**self).initial()
    }
    fn is_accepting(&self, state: StateId) -> bool {
        (**self).is_accepting(state)
    }
    fn is_accepting_trap(&self, state: StateId) -> bool {
        (**self).is_accepting_trap(state)
    }
    fn is_rejecting_trap(&self, state: StateId) -> bool {
        (**self).is_rejecting_trap(state)
    }
    fn internal(&mut self, state: StateId, letter: L) -> Result<StateId, D::Error> {
        (**self).internal(state, letter)
    }
    fn call(&mut self, state: StateId, letter: L) -> Result<StateId, D::Error> {
        (**self).call(state, letter)
    }
    fn ret(&mut self, state: StateId, hier: StateId, letter: L) -> Result<StateId, D::Error> {
        (**self).ret(state, hier, letter)
    }
}

impl<L: Letter, D: DeterministicNwa<L>> LazyNwa<L> for AsLazy<'_, D> {
    type Error = D::Error;
    fn initial(&mut self, out: &mut Vec<StateId>) -> Result<(), D::Error> {
        out.push(self.0.initial()?);
        Ok(())
    }
    fn is_accepting(&self, state: StateId) -> bool {
        self.0.is_accepting(state)
    }
    fn is_dead(&self, state: StateId) -> bool {
        self.0.is_rejecting_trap(state)
    }
    fn is_universal(&self, state: StateId) -> bool {
        self.0.is_accepting_trap(state)
    }
    fn internal(&mut self, state: StateId, letter: L, out: &mut Vec<StateId>) -> Result<(), D::Error> {
        out.push(self.0.internal(state, letter)?);
        Ok(())
    }
    fn call(&mut self, state: StateId, letter: L, out: &mut Vec<StateId>) -> Result<(), D::Error> {
        out.push(self.0.call(state, letter)?);
        Ok(())
    }
    fn ret(&mut self, state: StateId, hier: StateId, letter: L, out: &mut Vec<StateId>) -> Result<(), D::Error> {
        out.push(self.0.ret(state, hier, letter)?);
        Ok(())
    }
}

/// The complement of a deterministic total automaton over finite words: acceptance swapped. Over infinite words it is
/// the complement of an automaton whose accepting states are traps.
pub struct Complement<D>(pub D);

impl<L: Letter, D: DeterministicNwa<L>> LazyNwa<L> for Complement<D> {
    type Error = D::Error;
    fn initial(&mut self, out: &mut Vec<StateId>) -> Result<(), D::Error> {
        AsLazy(&mut self.0).initial(out)
    }
    fn is_accepting(&self, state: StateId) -> bool {
        !self.0.is_accepting(state)
    }
    fn is_dead(&self, state: StateId) -> bool {
        self.0.is_accepting_trap(state)
    }
    fn is_universal(&self, state: StateId) -> bool {
        self.0.is_rejecting_trap(state)
    }
    fn internal(&mut self, state: StateId, letter: L, out: &mut Vec<StateId>) -> Result<(), D::Error> {
        AsLazy(&mut self.0).internal(state, letter, out)
    }
    fn call(&mut self, state: StateId, letter: L, out: &mut Vec<StateId>) -> Result<(), D::Error> {
        AsLazy(&mut self.0).call(state, letter, out)
    }
    fn ret(&mut self, state: StateId, hier: StateId, letter: L, out: &mut Vec<StateId>) -> Result<(), D::Error> {
        AsLazy(&mut self.0).ret(state, hier, letter, out)
    }
}

/// An explicit automaton with at most one initial state and one successor for everything, made
/// total by a rejecting sink. Where the automaton is *not* deterministic only the first successor is
/// seen; [`Totalised::new`] therefore refuses it.
pub struct Totalised<'a, L> {
    automaton: &'a Nwa<L>,
    sink: StateId,
}

impl<'a, L: Letter> Totalised<'a, L> {
    pub fn new(automaton: &'a Nwa<L>) -> Option<Self> {
        let sink = base::Id::from_index(automaton.n_states());
        automaton.is_deterministic().then_some(Totalised { automaton, sink })
    }
}

impl<L: Letter> DeterministicNwa<L> for Totalised<'_, L> {
    type Error = Stop;
    fn initial(&mut self) -> Result<StateId, Stop> {
        Ok(self.automaton.initial().first().copied().unwrap_or(self.sink))
    }
    fn is_accepting(&self, state: StateId) -> bool {
        state != self.sink && self.automaton.is_accepting(state)
    }
    fn is_rejecting_trap(&self, state: StateId) -> bool {
        state == self.sink
    }
    fn internal(&mut self, state: StateId, letter: L) -> Result<StateId, Stop> {
        if state == self.sink {
            return Ok(self.sink);
        }
        Ok(self.automaton.internal_successors(state, letter).next().unwrap_or(self.sink))
    }
    fn call(&mut self, state: StateId, letter: L) -> Result<StateId, Stop> {
        if state == self.sink {
            return Ok(self.sink);
        }
        Ok(self.automaton.call_successors(state, letter).next().unwrap_or(self.sink))
    }
    fn ret(&mut self, state: StateId, hier: StateId, letter: L) -> Result<StateId, Stop> {
        if state == self.sink || hier == self.sink {
            return Ok(self.sink);
        }
        Ok(self.automaton.return_successors(state, hier, letter).next().unwrap_or(self.sink))
    }
}
