//! Which complement to take.
//!
//! The cheaper the structure of an automaton, the smaller its complement: two copies of a deterministic automaton, at
//! most 4ⁿ macro states for a semi-deterministic one, (c·n)ⁿ for any other. So the structure is looked at first, and
//! the difference is computed on the fly with the complement that fits.

use super::{ComplementError, DeterministicComplement, Ncsb, RankBased};
use crate::lazy::Totalised;
use crate::nwa::{Letter, Nwa, StateId};
use crate::product::{Product, buchi_intersection};
use base::{Budget, Stop};

/// The kinds of automata that complements know, the cheapest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Determinism {
    /// At most one run over every word.
    Deterministic,
    /// At most one run from every accepting state over every word.
    SemiDeterministic,
    Nondeterministic,
}

/// The kind of an automaton.
pub fn determinism<L: Letter>(automaton: &Nwa<L>) -> Determinism {
    if automaton.is_deterministic() {
        return Determinism::Deterministic;
    }
    // Everything that can be reached from an accepting state, returns taken whatever the call was.
    let mut seen = vec![false; automaton.n_states()];
    let mut open: Vec<StateId> = automaton.states().filter(|q| automaton.is_accepting(*q)).collect();
    while let Some(state) = open.pop() {
        if std::mem::replace(&mut seen[base::Id::index(state)], true) {
            continue;
        }
        if !automaton.is_deterministic_at(state) {
            return Determinism::Nondeterministic;
        }
        open.extend(automaton.internal(state).iter().map(|e| e.1));
        open.extend(automaton.calls(state).iter().map(|e| e.1));
        open.extend(automaton.returns(state).iter().map(|e| e.2));
    }
    Determinism::SemiDeterministic
}

/// L(a) ∖ L(b) over infinite words, with the complement that fits `b`. Words with calls cannot be taken from by a `b`
/// that is not even semi-deterministic ([`ComplementError::NestedWord`]).
pub fn buchi_difference<L: Letter>(
    a: &Nwa<L>,
    b: &Nwa<L>,
    budget: &Budget,
) -> Result<Product<L>, ComplementError<Stop>> {
    match (determinism(b), Totalised::new(b)) {
        (Determinism::Deterministic, Some(mut total)) => {
            Ok(buchi_intersection(a, &mut DeterministicComplement::new(&mut total), budget)
                .map_err(ComplementError::Operand)?)
        }
        (Determinism::SemiDeterministic, _) => buchi_intersection(a, &mut Ncsb::new(b), budget),
        (Determinism::Nondeterministic, _) | (Determinism::Deterministic, None) => {
            buchi_intersection(a, &mut RankBased::new(b), budget)
        }
    }
}
