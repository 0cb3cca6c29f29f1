//! Büchi automata: the same [`Nwa`](crate::Nwa), accepting an infinite word if some run over it
//! passes accepting states infinitely often.
//!
//! | what | where |
//! |---|---|
//! | emptiness with a witness u·v^ω | [`accepted_lasso`] |
//! | does it accept u·v^ω? | [`accepts_lasso`] |
//! | intersection, difference | [`buchi_intersection`](crate::buchi_intersection) with an automaton or with a complement |
//! | difference with the complement that fits | [`buchi_difference`] |
//! | complement of a deterministic total automaton | [`DeterministicComplement`] |
//! | complement of a semi-deterministic automaton | [`Ncsb`] |
//! | complement of any automaton (words without calls) | [`RankBased`] |
//!
//! All complements are lazy: what the difference does not reach is never computed. A complement that
//! misses a word is as bad as one that has a word too many, since a difference would lose a
//! behaviour of the program; therefore a violated precondition is an error, never a smaller answer.

mod deterministic;
pub(crate) mod lasso;
mod ncsb;
mod rank_based;
mod select;

pub use deterministic::DeterministicComplement;
pub use lasso::{Lasso, accepted_lasso, accepts_lasso, lasso_word_automaton};
pub use ncsb::Ncsb;
pub use rank_based::RankBased;
pub use select::{Determinism, buchi_difference, determinism};

use base::Stop;

/// Why a complement cannot answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ComplementError<E> {
    /// The automaton to be complemented failed.
    Operand(E),
    /// After an accepting state a letter had two successors, so that [`Ncsb`] would lose words.
    NotSemiDeterministic,
    /// [`RankBased`] was asked about a call or a return.
    NestedWord,
    /// A macro state has too many successors to list.
    TooManySuccessors,
}

impl<E: From<Stop>> From<Stop> for ComplementError<E> {
    fn from(stop: Stop) -> Self {
        ComplementError::Operand(E::from(stop))
    }
}
