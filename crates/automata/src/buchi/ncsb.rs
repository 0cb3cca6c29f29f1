//! The complement of a semi-deterministic Büchi automaton: NCSB.
//!
//! *Idea* (Blahoudek, Heizmann, Schewe, Strejček, Tsai: "Complementing semi-deterministic Büchi automata", 2016; the
//! lazy guessing is that of Chen et al., "Advanced automata-based algorithms for program termination checking", 2018).
//! A macro state follows all runs at once and gives each state they are in a colour:
//!
//! - N: no accepting state was seen yet;
//! - C, *to be checked*: an accepting state was seen, and the run may see more;
//! - B ⊆ C, the *breakpoint*: those that must still prove themselves in this round;
//! - S, *safe*: guessed never to see an accepting state again; seeing one kills the macro state.
//!
//! A word is rejected by the operand iff every run that saw an accepting state becomes safe or ends at some point, that
//! is, iff B can be emptied again and again. A run need only be guessed safe when a round starts, or, in B, when
//! it leaves an accepting state: guessing it elsewhere adds nothing.
//!
//! *Nested words.* A macro state is a set of pairs (down, up) as in [determinisation](crate::Determinised), where
//! `down` is the state *and colour* the run had at its last open call; a return joins pair and predecessor when both
//! agree. Runs that differ only below that call share a pair until the call returns, though one may
//! be safe and the other not; so after a return any run to be checked may be guessed safe.
//!
//! *Departures.* A C-run that meets a safe run becomes safe silently, in B too: its future is
//! the safe run's, which is being watched. Runs to be checked that end are simply gone; the published construction
//! forbids some of these ends to save branching, which would lose words once runs share pairs.
//!
//! *Invariant.* Each pair has one colour; where several runs meet, S wins over B, B over C, C over N.

use super::ComplementError;
use crate::explore::BOTTOM;
use crate::lazy::LazyNwa;
use crate::nwa::{Letter, StateId};
use base::IdVec;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::collections::BTreeMap;
use std::rc::Rc;

/// In the order in which they win.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Colour {
    N,
    C,
    B,
    S,
}

/// A run's present state, and its state and colour at the last open call.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Place {
    down: StateId,
    down_colour: Colour,
    up: StateId,
}

type Macro = Rc<[(Place, Colour)]>;

/// At most 2^this many guesses are listed for one macro state and letter.
const MAX_GUESSES: usize = 16;

pub struct Ncsb<B> {
    inner: B,
    macros: IdVec<StateId, Macro>,
    ids: HashMap<Macro, StateId, FxBuildHasher>,
    answers: Vec<StateId>,
}

/// One step of one run.
struct Move {
    to: Place,
    colour: Colour,
    left_accepting: bool,
}

impl<B> Ncsb<B> {
    /// The complement of `inner`, which must be semi-deterministic: from an accepting state on, at most one successor
    /// for every letter. This is checked where it matters.
    pub fn new(inner: B) -> Self {
        Ncsb { inner, macros: IdVec::new(), ids: HashMap::default(), answers: Vec::new() }
    }

    fn id(&mut self, state: Vec<(Place, Colour)>) -> StateId {
        if let Some(id) = self.ids.get(state.as_slice()) {
            return *id;
        }
        let state: Macro = state.into();
        let id = self.macros.push(state.clone());
        self.ids.insert(state, id);
        id
    }

    /// All successors of a macro state, given the steps of its runs.
    fn guess<L: Letter>(
        &mut self,
        moves: Vec<Move>,
        breakpoint: bool,
        after_return: bool,
        out: &mut Vec<StateId>,
    ) -> Result<(), ComplementError<B::Error>>
    where
        B: LazyNwa<L>,
    {
        #[derive(Default)]
        struct Sources {
            safe: bool,
            breakpoint_staying: bool,
            breakpoint_leaving: bool,
            checked: bool,
        }
        let mut targets: BTreeMap<Place, Sources> = BTreeMap::new();
        for step in moves {
            if self.inner.is_dead(step.to.up) {
                continue;
            }
            let sources = targets.entry(step.to).or_default();
            match step.colour {
                Colour::N => {}
                Colour::C => sources.checked = true,
                Colour::B if step.left_accepting => sources.breakpoint_leaving = true,
                Colour::B => sources.breakpoint_staying = true,
                Colour::S => sources.safe = true,
            }
        }
        let mut state = Vec::with_capacity(targets.len());
        let mut choices = Vec::new();
        // At a new round all runs to be checked enter the breakpoint.
        let checked_colour = if breakpoint { Colour::B } else { Colour::C };
        for (place, sources) in targets {
            let accepting = self.inner.is_accepting(place.up);
            if self.inner.is_universal(place.up) || (sources.safe && accepting) {
                return Ok(());
            }
            let in_breakpoint = sources.breakpoint_staying || sources.breakpoint_leaving;
            let colour = if sources.safe {
                Colour::S
            } else if in_breakpoint {
                Colour::B
            } else if sources.checked || accepting {
                checked_colour
            } else {
                Colour::N
            };
            let seen_before = in_breakpoint || sources.checked;
            let may_be_safe = match colour {
                Colour::N | Colour::S => false,
                Colour::B | Colour::C if accepting => false,
                Colour::B | Colour::C if after_return => seen_before,
                Colour::B if breakpoint => sources.checked,
                Colour::B => !sources.breakpoint_staying,
                Colour::C => false,
            };
            if may_be_safe {
                choices.push(state.len());
            }
            state.push((place, colour));
        }
        if choices.len() > MAX_GUESSES {
            return Err(ComplementError::TooManySuccessors);
        }
        for subset in 0u32..1 << choices.len() {
            let mut guessed = state.clone();
            for (bit, position) in choices.iter().enumerate() {
                if subset & (1 << bit) != 0 {
                    guessed[*position].1 = Colour::S;
                }
            }
            out.push(self.id(guessed));
        }
        Ok(())
    }

    fn has_breakpoint(state: &Macro) -> bool {
        state.iter().any(|(_, colour)| *colour == Colour::B)
    }

    /// Appends the steps of the run at `place`, to the states in `answers`.
    fn record<L: Letter>(
        &mut self,
        place: Place,
        colour: Colour,
        to: impl Fn(StateId) -> Place,
        moves: &mut Vec<Move>,
    ) -> Result<(), ComplementError<B::Error>>
    where
        B: LazyNwa<L>,
    {
        self.answers.sort_unstable();
        self.answers.dedup();
        let left_accepting = self.inner.is_accepting(place.up);
        if (colour != Colour::N || left_accepting) && self.answers.len() > 1 {
            return Err(ComplementError::NotSemiDeterministic);
        }
        moves.extend(self.answers.drain(..).map(|t| Move { to: to(t), colour, left_accepting }));
        Ok(())
    }
}

impl<L: Letter, B: LazyNwa<L>> LazyNwa<L> for Ncsb<B> {
    type Error = ComplementError<B::Error>;

    fn initial(&mut self, out: &mut Vec<StateId>) -> Result<(), Self::Error> {
        let mut ups = Vec::new();
        self.inner.initial(&mut ups).map_err(ComplementError::Operand)?;
        ups.sort_unstable();
        ups.dedup();
        ups.retain(|q| !self.inner.is_dead(*q));
        if ups.iter().any(|q| self.inner.is_universal(*q)) {
            return Ok(());
        }
        let colour = |q: StateId| if self.inner.is_accepting(q) { Colour::B } else { Colour::N };
        let start = ups.iter().map(|&up| (Place { down: BOTTOM, down_colour: Colour::N, up }, colour(up))).collect();
        out.push(self.id(start));
        Ok(())
    }
    fn is_accepting(&self, state: StateId) -> bool {
        !Self::has_breakpoint(&self.macros[state])
    }
    fn is_universal(&self, state: StateId) -> bool {
        self.macros[state].is_empty()
    }
    fn internal(&mut self, state: StateId, letter: L, out: &mut Vec<StateId>) -> Result<(), Self::Error> {
        let current = self.macros[state].clone();
        let mut moves = Vec::new();
        for &(place, colour) in current.iter() {
            self.inner.internal(place.up, letter, &mut self.answers).map_err(ComplementError::Operand)?;
            self.record(place, colour, |up| Place { up, ..place }, &mut moves)?;
        }
        self.guess(moves, !Self::has_breakpoint(&current), false, out)
    }
    fn call(&mut self, state: StateId, letter: L, out: &mut Vec<StateId>) -> Result<(), Self::Error> {
        let current = self.macros[state].clone();
        let mut moves = Vec::new();
        for &(place, colour) in current.iter() {
            self.inner.call(place.up, letter, &mut self.answers).map_err(ComplementError::Operand)?;
            self.record(place, colour, |up| Place { down: place.up, down_colour: colour, up }, &mut moves)?;
        }
        self.guess(moves, !Self::has_breakpoint(&current), false, out)
    }
    fn ret(&mut self, state: StateId, hier: StateId, letter: L, out: &mut Vec<StateId>) -> Result<(), Self::Error> {
        let (current, below) = (self.macros[state].clone(), self.macros[hier].clone());
        let mut moves = Vec::new();
        for &(place, colour) in current.iter().filter(|(place, _)| place.down != BOTTOM) {
            for &(deeper, deeper_colour) in below.iter() {
                if (deeper.up, deeper_colour) != (place.down, place.down_colour) {
                    continue;
                }
                self.inner.ret(place.up, place.down, letter, &mut self.answers).map_err(ComplementError::Operand)?;
                self.record(place, colour, |up| Place { up, ..deeper }, &mut moves)?;
            }
        }
        self.guess(moves, !Self::has_breakpoint(&current), true, out)
    }
}
