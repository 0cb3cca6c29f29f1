//! Random automata over nested words.

use automata::{Nwa, StateId};
use proptest::prelude::*;

/// A random automaton as data: (states, initial, accepting, internal, call, return edges).
#[derive(Clone, Debug)]
pub(crate) struct Recipe {
    pub n: usize,
    pub initial: Vec<usize>,
    pub accepting: Vec<usize>,
    pub internal: Vec<(usize, u8, usize)>,
    pub call: Vec<(usize, usize)>,
    pub ret: Vec<(usize, usize, usize)>,
}

/// Recipes with so many internal and call edges for each state.
pub(crate) fn recipes(max_states: usize, internal: usize, calls: usize) -> impl Strategy<Value = Recipe> {
    (1..=max_states).prop_flat_map(move |n| {
        (
            prop::collection::vec(0..n, 1..=2),
            prop::collection::vec(0..n, 1..=2),
            prop::collection::vec((0..n, 0u8..2, 0..n), 0..=internal * n),
            prop::collection::vec((0..n, 0..n), 0..=calls * n),
            prop::collection::vec((0..n, 0..n, 0..n), 0..=2 * calls * n),
        )
            .prop_map(move |(initial, accepting, internal, call, ret)| Recipe {
                n,
                initial,
                accepting,
                internal,
                call,
                ret,
            })
    })
}

pub(crate) fn build(recipe: &Recipe) -> Nwa<u8> {
    let mut automaton = Nwa::new();
    let states: Vec<StateId> = (0..recipe.n).map(|q| automaton.add_state(recipe.accepting.contains(&q))).collect();
    for &q in &recipe.initial {
        automaton.add_initial(states[q]);
    }
    for &(p, a, q) in &recipe.internal {
        automaton.add_internal(states[p], a, states[q]);
    }
    for &(p, q) in &recipe.call {
        automaton.add_call(states[p], 0, states[q]);
    }
    for &(p, h, q) in &recipe.ret {
        automaton.add_return(states[p], states[h], 0, states[q]);
    }
    automaton
}
