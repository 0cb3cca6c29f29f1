//! The operations over finite nested words against their definition, on all short words.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use automata::*;
use base::Budget;
use common::{Recipe, build, recipes};
use proptest::prelude::*;

type Word = Vec<Symbol<u8>>;

/// Acceptance by the definition: follow every run with its stack.
fn accepts(automaton: &Nwa<u8>, word: &[Symbol<u8>]) -> bool {
    fn go(automaton: &Nwa<u8>, word: &[Symbol<u8>], q: StateId, stack: &mut Vec<StateId>) -> bool {
        let Some((symbol, rest)) = word.split_first() else { return automaton.is_accepting(q) };
        match *symbol {
            Symbol::Internal(a) => automaton.internal(q).iter().any(|(b, t)| *b == a && go(automaton, rest, *t, stack)),
            Symbol::Call(a) => automaton.calls(q).iter().any(|(b, t)| {
                stack.push(q);
                let found = *b == a && go(automaton, rest, *t, stack);
                stack.pop();
                found
            }),
            Symbol::Return(a) => {
                let Some(hier) = stack.pop() else { return false };
                let found = automaton
                    .returns(q)
                    .iter()
                    .any(|(h, b, t)| *h == hier && *b == a && go(automaton, rest, *t, stack));
                stack.push(hier);
                found
            }
        }
    }
    automaton.initial().iter().any(|q| go(automaton, word, *q, &mut Vec::new()))
}

/// All nested words without pending returns, by length.
fn words(max_length: usize) -> Vec<Word> {
    let mut all = vec![(Vec::new(), 0usize)];
    let mut start = 0;
    for _ in 0..max_length {
        let end = all.len();
        for i in start..end {
            let (word, open): (Word, usize) = all[i].clone();
            let mut extend = |symbol, open| {
                let mut longer = word.clone();
                longer.push(symbol);
                all.push((longer, open));
            };
            extend(Symbol::Internal(0), open);
            extend(Symbol::Internal(1), open);
            extend(Symbol::Call(0), open + 1);
            if open > 0 {
                extend(Symbol::Return(0), open - 1);
            }
        }
        start = end;
    }
    all.into_iter().map(|(word, _)| word).collect()
}

fn alphabet() -> Alphabet<u8> {
    Alphabet { internal: vec![0, 1], call: vec![0], ret: vec![0] }
}

fn free() -> Budget {
    Budget::unlimited()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn products_follow_their_definition(left in recipes(4, 2, 1), right in recipes(3, 2, 1)) {
        let (a, b) = (build(&left), build(&right));
        let both = intersection(&a, &mut &b, &free()).unwrap();
        let only_a = difference(&a, &mut Determinised::new(&b), &free()).unwrap();
        for word in words(5) {
            let (in_a, in_b) = (accepts(&a, &word), accepts(&b, &word));
            prop_assert_eq!(accepts(&both.automaton, &word), in_a && in_b, "∩ {:?}", word);
            prop_assert_eq!(accepts(&only_a.automaton, &word), in_a && !in_b, "∖ {:?}", word);
        }
        if let Some(mut total) = Totalised::new(&b) {
            let fast = difference(&a, &mut total, &free()).unwrap();
            for word in words(5) {
                prop_assert_eq!(accepts(&fast.automaton, &word), accepts(&a, &word) && !accepts(&b, &word));
            }
        }
    }

    #[test]
    fn determinisation_and_complement(recipe in recipes(4, 2, 1)) {
        let a = build(&recipe);
        let mut determinised = Determinised::new(&a);
        let d = materialise(&mut AsLazy(&mut determinised), &alphabet(), &free()).unwrap().automaton;
        let c = materialise(&mut Complement(&mut determinised), &alphabet(), &free()).unwrap().automaton;
        prop_assert!(d.is_deterministic());
        for word in words(5) {
            let expected = accepts(&a, &word);
            prop_assert_eq!(accepts(&d, &word), expected);
            prop_assert_eq!(accepts(&c, &word), !expected);
        }
    }

    #[test]
    fn the_witness_is_an_accepting_run_and_shortest(recipe in recipes(5, 2, 1)) {
        let a = build(&recipe);
        let shortest = words(6).into_iter().find(|w| accepts(&a, w)).map(|w| w.len());
        match shortest_accepted(&a, &free()).unwrap() {
            Some(run) => {
                prop_assert!(run.is_run_of(&a));
                prop_assert!(a.is_initial(run.first()) && a.is_accepting(run.last()));
                prop_assert!(accepts(&a, &run.word));
                match shortest {
                    Some(length) => prop_assert_eq!(run.len(), length),
                    None => prop_assert!(run.len() > 6),
                }
            }
            None => prop_assert_eq!(shortest, None),
        }
    }

    #[test]
    fn trimming_keeps_the_language_and_only_useful_states(recipe in recipes(5, 2, 1)) {
        let a = build(&recipe);
        let trimmed = remove_dead_ends(&a, &free()).unwrap();
        for word in words(5) {
            prop_assert_eq!(accepts(&trimmed.automaton, &word), accepts(&a, &word));
        }
        // Every state that is left occurs in an accepting run: making it the only way to accept (by
        // a product that must pass it) leaves something.
        for q in trimmed.automaton.states() {
            prop_assert!(passes_state(&trimmed.automaton, q));
        }
        for (new, old) in trimmed.origin().iter() {
            prop_assert_eq!(trimmed.renaming[*old], Some(new));
        }
    }

    #[test]
    fn minimising_keeps_the_language_and_the_classes(recipe in recipes(6, 2, 1), n_classes in 1u64..4) {
        let a = build(&recipe);
        let class = |q: StateId| u64::from(q.0) % n_classes;
        let small = minimise(&a, class, &free()).unwrap();
        prop_assert!(small.automaton.n_states() <= a.n_states());
        for p in a.states() {
            for q in a.states() {
                if small.renaming[p] == small.renaming[q] {
                    prop_assert_eq!(class(p), class(q));
                    prop_assert_eq!(a.is_accepting(p), a.is_accepting(q));
                }
            }
        }
        for word in words(6) {
            prop_assert_eq!(accepts(&small.automaton, &word), accepts(&a, &word), "{:?}", word);
        }
        let again = minimise(&small.automaton, |_| 0, &free()).unwrap();
        if n_classes == 1 {
            prop_assert_eq!(again.automaton.n_states(), small.automaton.n_states());
        }
    }

    /// Without calls the quotient of a deterministic automaton is as small as the number of
    /// distinguishable states allows (Myhill and Nerode, by comparing words).
    #[test]
    fn deterministic_finite_automata_become_minimal(recipe in recipes(6, 2, 1)) {
        let flat = Recipe { call: vec![], ret: vec![], ..recipe };
        let a = build(&flat);
        let total = materialise(
            &mut AsLazy(&mut Determinised::new(&a)),
            &Alphabet { internal: vec![0, 1], call: vec![], ret: vec![] },
            &free(),
        ).unwrap().automaton;
        let small = minimise(&total, |_| 0, &free()).unwrap().automaton;
        let mut residuals: Vec<Vec<bool>> = total.states().map(|q| {
            let mut from_q = total.clone();
            let start = from_q.add_state(false);
            for &(letter, t) in total.internal(q) {
                from_q.add_internal(start, letter, t);
            }
            let mut verdicts = vec![total.is_accepting(q)];
            verdicts.extend(words(6).into_iter()
                .filter(|w| !w.is_empty() && w.iter().all(|s| matches!(s, Symbol::Internal(_))))
                .map(|w| {
                    let mut states = vec![start];
                    for s in &w {
                        states = states.iter().flat_map(|p| from_q.internal_successors(*p, s.letter())).collect();
                    }
                    states.iter().any(|p| from_q.is_accepting(*p))
                }));
            verdicts
        }).collect();
        residuals.sort();
        residuals.dedup();
        // Words up to length 6 may fail to tell two of very many states apart, never the reverse.
        prop_assert!(small.n_states() >= residuals.len());
        if total.n_states() <= 7 {
            prop_assert_eq!(small.n_states(), residuals.len());
        }
    }
}

/// Is there an accepting run through `q`? Decided by an automaton that remembers having passed.
fn passes_state(a: &Nwa<u8>, q: StateId) -> bool {
    let mut memory = Nwa::new();
    let state = |passed: bool, p: StateId| StateId(2 * p.0 + u32::from(passed));
    for p in a.states() {
        for passed in [false, true] {
            memory.add_state(passed && a.is_accepting(p));
        }
    }
    for &p in a.initial() {
        memory.add_initial(state(p == q, p));
    }
    for p in a.states() {
        for passed in [false, true] {
            for &(x, t) in a.internal(p) {
                memory.add_internal(state(passed, p), x, state(passed || t == q, t));
            }
            for &(x, t) in a.calls(p) {
                memory.add_call(state(passed, p), x, state(passed || t == q, t));
            }
            for &(h, x, t) in a.returns(p) {
                for below in [false, true] {
                    memory.add_return(state(passed, p), state(below, h), x, state(passed || t == q, t));
                }
            }
        }
    }
    shortest_accepted(&memory, &free()).unwrap().is_some()
}

/// A run that must open a call for every level and close them all again.
#[test]
fn shortest_words_may_be_long() {
    // Level k calls level k-1 twice: the shortest word doubles with each level.
    let levels = 12u8;
    let mut a: Nwa<u8> = Nwa::new();
    let mut states = Vec::new();
    for _ in 0..=levels {
        states.push([a.add_state(false), a.add_state(false), a.add_state(false)]);
    }
    let last = a.add_state(true);
    for k in 0..=levels as usize {
        let [enter, middle, exit] = states[k];
        if k == 0 {
            a.add_internal(enter, 0, middle);
            a.add_internal(middle, 0, exit);
        } else {
            let [callee, _, callee_exit] = states[k - 1];
            a.add_call(enter, k as u8, callee);
            a.add_return(callee_exit, enter, k as u8, middle);
            a.add_call(middle, k as u8, callee);
            a.add_return(callee_exit, middle, k as u8, exit);
        }
    }
    a.add_initial(states[levels as usize][0]);
    a.add_internal(states[levels as usize][2], 0, last);
    let run = shortest_accepted(&a, &Budget::unlimited()).unwrap().unwrap();
    assert!(run.is_run_of(&a));
    // length(0) = 2, length(k) = 2 length(k-1) + 4
    let mut expected = 2;
    for _ in 0..levels {
        expected = 2 * expected + 4;
    }
    assert_eq!(run.len(), expected + 1);
}

#[test]
fn a_long_chain_is_minimised_quickly() {
    let mut a: Nwa<u8> = Nwa::new();
    let n = 20_000;
    let states: Vec<StateId> = (0..n).map(|i| a.add_state(i == n - 1)).collect();
    a.add_initial(states[0]);
    for pair in states.windows(2) {
        a.add_internal(pair[0], 0, pair[1]);
        a.add_internal(pair[0], 1, pair[1]);
    }
    let small = minimise(&a, |_| 0, &Budget::unlimited()).unwrap();
    assert_eq!(small.automaton.n_states(), n);
}
