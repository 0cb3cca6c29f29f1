//! The operations over infinite nested words against their definition, on short lasso words u·v^ω.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use automata::buchi::*;
use automata::*;
use base::{Budget, Stop};
use common::{Recipe, build, recipes};
use proptest::prelude::*;
use std::collections::BTreeSet;

type Word = Vec<Symbol<u8>>;

/// At most one initial state and one successor everywhere, by dropping edges.
fn determinised(recipe: &Recipe) -> Recipe {
    let mut result = recipe.clone();
    result.initial.truncate(1);
    keep_first(&mut result.internal, |e| (e.0, e.1, 0));
    keep_first(&mut result.call, |e| (e.0, 0, 0));
    keep_first(&mut result.ret, |e| (e.0, 0, e.1));
    result
}

/// Splits the automaton in two copies, the second deterministic and with all the accepting states:
/// the general shape of a semi-deterministic automaton.
fn semi_deterministic(recipe: &Recipe, jumps: &[(usize, u8, usize)]) -> Recipe {
    let second = determinised(recipe);
    let n = recipe.n;
    let mut result = Recipe { n: 2 * n, accepting: recipe.accepting.iter().map(|q| q + n).collect(), ..recipe.clone() };
    result.internal.extend(second.internal.iter().map(|&(p, a, q)| (p + n, a, q + n)));
    result.internal.extend(jumps.iter().map(|&(p, a, q)| (p % n, a, q % n + n)));
    result.call.extend(second.call.iter().map(|&(p, q)| (p + n, q + n)));
    // A return in the second copy may have its call in either.
    result.ret.extend(second.ret.iter().flat_map(|&(p, h, q)| [(p + n, h + n, q + n), (p + n, h, q + n)]));
    result
}

fn keep_first<T: Copy, K: Ord>(edges: &mut Vec<T>, key: impl Fn(&T) -> K) {
    let mut seen = BTreeSet::new();
    edges.retain(|e| seen.insert(key(e)));
}

/// (from, to, an accepting state was entered), for all runs over a piece of a word.
type Relation = BTreeSet<(StateId, StateId, bool)>;

fn relation(a: &Nwa<u8>, word: &[Symbol<u8>]) -> Relation {
    let partner = matching(word).expect("no pending returns");
    let mut result: Relation = a.states().map(|q| (q, q, false)).collect();
    let mut i = 0;
    while i < word.len() {
        let step: Relation = match (word[i], partner[i]) {
            (Symbol::Internal(x), _) => a
                .states()
                .flat_map(|p| a.internal_successors(p, x).map(move |t| (p, t)))
                .map(|(p, t)| (p, t, a.is_accepting(t)))
                .collect(),
            (Symbol::Call(x), None) => a
                .states()
                .flat_map(|p| a.call_successors(p, x).map(move |t| (p, t)))
                .map(|(p, t)| (p, t, a.is_accepting(t)))
                .collect(),
            (Symbol::Call(x), Some(end)) => {
                let inside = relation(a, &word[i + 1..end]);
                let Symbol::Return(y) = word[end] else { unreachable!("a call is matched by a return") };
                let mut step = Relation::new();
                for p in a.states() {
                    for t in a.call_successors(p, x) {
                        for &(from, u, flag) in &inside {
                            if from == t {
                                for r in a.return_successors(u, p, y) {
                                    step.insert((p, r, flag || a.is_accepting(t) || a.is_accepting(r)));
                                }
                            }
                        }
                    }
                }
                i = end;
                step
            }
            (Symbol::Return(_), _) => unreachable!("returns are consumed with their calls"),
        };
        let mut composed = Relation::new();
        for &(p, q, f) in &result {
            for &(r, s, g) in &step {
                if q == r {
                    composed.insert((p, s, f || g));
                }
            }
        }
        result = composed;
        i += 1;
    }
    result
}

/// Does the automaton accept u·v^ω? By composing v's relation with itself.
fn accepts(a: &Nwa<u8>, u: &[Symbol<u8>], v: &[Symbol<u8>]) -> bool {
    let stem = relation(a, u);
    let one = relation(a, v);
    let mut many = one.clone();
    loop {
        let mut more = many.clone();
        for &(p, q, f) in &many {
            for &(r, s, g) in &one {
                if q == r {
                    more.insert((p, s, f || g));
                }
            }
        }
        if more == many {
            break;
        }
        many = more;
    }
    stem.iter().filter(|(p, _, _)| a.is_initial(*p)).any(|&(_, q, _)| {
        many.iter().any(|&(h, h2, f)| h == h2 && f && (q == h || many.iter().any(|&(x, y, _)| x == q && y == h)))
    })
}

fn words(max_length: usize, nested: bool) -> Vec<Word> {
    let mut all: Vec<(Word, usize)> = vec![(Vec::new(), 0)];
    let mut start = 0;
    for _ in 0..max_length {
        let end = all.len();
        for i in start..end {
            let (word, open) = all[i].clone();
            let mut extend = |symbol, open| {
                let mut longer = word.clone();
                longer.push(symbol);
                all.push((longer, open));
            };
            extend(Symbol::Internal(0), open);
            extend(Symbol::Internal(1), open);
            if nested {
                extend(Symbol::Call(0), open + 1);
                if open > 0 {
                    extend(Symbol::Return(0), open - 1);
                }
            }
        }
        start = end;
    }
    all.into_iter().map(|(word, _)| word).collect()
}

fn lassos(stem: usize, cycle: usize, nested: bool) -> Vec<(Word, Word)> {
    let cycles: Vec<Word> = words(cycle, nested).into_iter().filter(|w| !w.is_empty()).collect();
    words(stem, nested).into_iter().flat_map(|u| cycles.iter().map(move |v| (u.clone(), v.clone()))).collect()
}

fn alphabet(nested: bool) -> Alphabet<u8> {
    let calls = if nested { vec![0] } else { vec![] };
    Alphabet { internal: vec![0, 1], call: calls.clone(), ret: calls }
}

fn free() -> Budget {
    Budget::unlimited()
}

fn check_complement(a: &Nwa<u8>, c: &Nwa<u8>, lassos: &[(Word, Word)]) -> Result<(), TestCaseError> {
    for (u, v) in lassos {
        prop_assert_eq!(accepts(c, u, v), !accepts(a, u, v), "{:?} ({:?})^ω", u, v);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn lassos_are_found_and_accepted(recipe in recipes(5, 3, 1)) {
        let a = build(&recipe);
        match accepted_lasso(&a, &free()).unwrap() {
            Some(Lasso { stem, cycle }) => {
                prop_assert!(stem.is_run_of(&a) && cycle.is_run_of(&a));
                prop_assert!(a.is_initial(stem.first()) && stem.last() == cycle.first());
                prop_assert!(!cycle.is_empty() && cycle.first() == cycle.last());
                prop_assert!(cycle.states.iter().any(|q| a.is_accepting(*q)));
                prop_assert!(accepts(&a, &stem.word, &cycle.word));
                prop_assert!(accepts_lasso(&mut &a, &stem.word, &cycle.word, &free()).unwrap());
            }
            None => for (u, v) in lassos(2, 4, true) {
                prop_assert!(!accepts(&a, &u, &v));
            },
        }
        for (u, v) in lassos(2, 2, true) {
            prop_assert_eq!(accepts_lasso(&mut &a, &u, &v, &free()).unwrap(), accepts(&a, &u, &v));
        }
    }

    #[test]
    fn intersections_trimming_and_minimising(left in recipes(4, 3, 1), right in recipes(3, 3, 1)) {
        let (a, b) = (build(&left), build(&right));
        let both = buchi_intersection(&a, &mut &b, &free()).unwrap().automaton;
        let live = remove_non_live(&a, &free()).unwrap().automaton;
        let small = minimise(&a, |_| 0, &free()).unwrap().automaton;
        for (u, v) in lassos(2, 3, true) {
            let (in_a, in_b) = (accepts(&a, &u, &v), accepts(&b, &u, &v));
            prop_assert_eq!(accepts(&both, &u, &v), in_a && in_b);
            prop_assert_eq!(accepts(&live, &u, &v), in_a);
            prop_assert_eq!(accepts(&small, &u, &v), in_a);
        }
    }

    #[test]
    fn complements_of_deterministic_automata(recipe in recipes(4, 3, 1)) {
        let a = build(&determinised(&recipe));
        let mut total = Totalised::new(&a).expect("deterministic");
        let c = materialise(&mut DeterministicComplement::new(&mut total), &alphabet(true), &free()).unwrap().automaton;
        let n = materialise(&mut Ncsb::new(&a), &alphabet(true), &free()).unwrap().automaton;
        let lassos = lassos(2, 4, true);
        check_complement(&a, &c, &lassos)?;
        check_complement(&a, &n, &lassos)?;
    }

    #[test]
    fn ncsb_complements_semi_deterministic_automata(
        recipe in recipes(3, 3, 0),
        jumps in prop::collection::vec((0usize..3, 0u8..2, 0usize..3), 1..4),
    ) {
        let a = build(&semi_deterministic(&recipe, &jumps));
        let c = materialise(&mut Ncsb::new(&a), &alphabet(false), &free()).unwrap().automaton;
        check_complement(&a, &c, &lassos(3, 4, false))?;
    }

    #[test]
    fn rank_based_complements_any_automaton(recipe in recipes(3, 3, 0)) {
        let a = build(&recipe);
        let c = materialise(&mut RankBased::new(&a), &alphabet(false), &free()).unwrap().automaton;
        check_complement(&a, &c, &lassos(2, 4, false))?;
    }

    #[test]
    fn differences_follow_their_definition(
        left in recipes(4, 3, 0),
        right in recipes(3, 3, 0),
        jumps in prop::collection::vec((0usize..3, 0u8..2, 0usize..3), 1..4),
    ) {
        let (a, b) = (build(&left), build(&semi_deterministic(&right, &jumps)));
        let d = buchi_intersection(&a, &mut Ncsb::new(&b), &free()).unwrap().automaton;
        for (u, v) in lassos(2, 4, false) {
            prop_assert_eq!(accepts(&d, &u, &v), accepts(&a, &u, &v) && !accepts(&b, &u, &v));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever complement is chosen, and where several apply they agree.
    #[test]
    fn the_chosen_complement_gives_the_difference(
        left in recipes(2, 3, 0),
        right in recipes(2, 3, 0),
        jumps in prop::collection::vec((0usize..2, 0u8..2, 0usize..2), 1..4),
        kind in 0..3,
    ) {
        let recipe = match kind {
            0 => determinised(&right),
            1 => semi_deterministic(&right, &jumps),
            _ => right,
        };
        let (a, b) = (build(&left), build(&recipe));
        let expected = [Determinism::Deterministic, Determinism::SemiDeterministic, Determinism::Nondeterministic];
        prop_assert!(determinism(&b) <= expected[kind as usize]);
        let d = buchi_difference(&a, &b, &free()).unwrap().automaton;
        let by_ranks = buchi_intersection(&a, &mut RankBased::new(&b), &free()).unwrap().automaton;
        for (u, v) in lassos(2, 3, false) {
            let wanted = accepts(&a, &u, &v) && !accepts(&b, &u, &v);
            prop_assert_eq!(accepts(&d, &u, &v), wanted, "{:?} ({:?})^ω", u, v);
            prop_assert_eq!(accepts(&by_ranks, &u, &v), wanted, "{:?} ({:?})^ω", u, v);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn ncsb_complements_semi_deterministic_nested_automata(
        recipe in recipes(2, 3, 1),
        jumps in prop::collection::vec((0usize..2, 0u8..2, 0usize..2), 1..4),
    ) {
        let a = build(&semi_deterministic(&recipe, &jumps));
        // The whole complement may be large; each word needs little of it.
        let mut complement = Ncsb::new(&a);
        for (u, v) in lassos(1, 4, true) {
            let rejected = accepts_lasso(&mut complement, &u, &v, &free()).unwrap();
            prop_assert_eq!(rejected, !accepts(&a, &u, &v), "{:?} ({:?})^ω", u, v);
        }
    }
}

#[test]
fn ncsb_refuses_what_is_not_semi_deterministic() {
    let mut a: Nwa<u8> = Nwa::new();
    let (p, q) = (a.add_state(true), a.add_state(false));
    a.add_initial(p);
    a.add_internal(p, 0, p);
    a.add_internal(p, 0, q);
    let answer = materialise(&mut Ncsb::new(&a), &alphabet(false), &free());
    assert_eq!(answer.err(), Some(ComplementError::<Stop>::NotSemiDeterministic));
}

/// f calls itself for ever: all calls stay open.
#[test]
fn infinite_recursion_is_a_lasso() {
    let mut a: Nwa<u8> = Nwa::new();
    let q = a.add_state(true);
    a.add_initial(q);
    a.add_call(q, 0, q);
    let lasso = accepted_lasso(&a, &free()).unwrap().unwrap();
    assert_eq!((lasso.stem.word, lasso.cycle.word), (vec![], vec![Symbol::Call(0)]));
}
