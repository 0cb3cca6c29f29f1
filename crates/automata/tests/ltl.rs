//! Automata of temporal formulas against the meaning of the formulas on lasso words, which is computed by fixpoints.

use automata::ltl::*;
use base::Budget;
use proptest::prelude::*;

fn formulas(depth: u32) -> impl Strategy<Value = Formula> {
    let leaf = prop_oneof![
        8 => (0u32..3).prop_map(Formula::Proposition),
        1 => any::<bool>().prop_map(Formula::Constant),
    ];
    leaf.prop_recursive(depth, 9, 2, |inner| {
        let a = inner.clone().prop_map(Box::new);
        let pair = (inner.clone().prop_map(Box::new), inner.prop_map(Box::new));
        prop_oneof![
            a.clone().prop_map(Formula::Not),
            a.clone().prop_map(Formula::Next),
            a.clone().prop_map(Formula::Finally),
            a.prop_map(Formula::Globally),
            pair.clone().prop_map(|(a, b)| Formula::And(a, b)),
            pair.clone().prop_map(|(a, b)| Formula::Or(a, b)),
            pair.clone().prop_map(|(a, b)| Formula::Implies(a, b)),
            pair.clone().prop_map(|(a, b)| Formula::Iff(a, b)),
            pair.clone().prop_map(|(a, b)| Formula::Until(a, b)),
            pair.clone().prop_map(|(a, b)| Formula::Release(a, b)),
            pair.clone().prop_map(|(a, b)| Formula::WeakUntil(a, b)),
            pair.prop_map(|(a, b)| Formula::StrongRelease(a, b)),
        ]
    })
}

fn words() -> impl Strategy<Value = LassoWord> {
    (prop::collection::vec(0u64..8, 0..4), prop::collection::vec(0u64..8, 1..4))
        .prop_map(|(stem, cycle)| LassoWord::new(stem, cycle).expect("the cycle is not empty"))
}

fn automaton(formula: &Formula, positive: bool) -> LtlAutomaton {
    translate(&negation_normal_form(formula, positive), &Budget::unlimited()).expect("no limit")
}

fn cases(default: u32) -> ProptestConfig {
    let n = std::env::var("LTL_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(default);
    ProptestConfig { cases: n, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases(200))]

    /// For every word exactly one of the automata of φ and ¬φ accepts, and it is the right one.
    #[test]
    fn automata_mean_what_formulas_mean(formula in formulas(6), words in prop::collection::vec(words(), 12)) {
        let (yes, no) = (automaton(&formula, true), automaton(&formula, false));
        for word in &words {
            let truth = holds_on(&formula, word);
            prop_assert_eq!(yes.accepts(word), truth, "{:?}", word);
            prop_assert_eq!(no.accepts(word), !truth, "{:?}", word);
        }
    }

    /// Negation normal form is dual.
    #[test]
    fn negation_is_an_involution(formula in formulas(5)) {
        let nnf = negation_normal_form(&formula, true);
        prop_assert_eq!(nnf.negated().negated(), nnf);
    }
}

/// The number of states of the automaton of the formula and of its negation.
fn sizes(text: &str) -> (usize, usize) {
    let parsed = parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    (automaton(&parsed.formula, true).n_states(), automaton(&parsed.formula, false).n_states())
}

#[test]
fn known_small_automata_are_found() {
    // The least sizes, by hand: state-based acceptance, an edge that is missing leads nowhere.
    for (text, expected) in [
        ("true", (1, 0)),
        ("p", (2, 2)),
        ("G p", (1, 2)),
        ("F p", (2, 1)),
        ("X p", (3, 3)),
        ("G F p", (2, 2)),
        ("F G p", (2, 2)),
        ("p U q", (2, 2)),
        ("G (p ==> F q)", (2, 2)),
        ("G F p && G F q", (3, 3)),
    ] {
        assert_eq!(sizes(text), expected, "{text}");
    }
}

/// The specification patterns of Dwyer, Avrunin and Corbett, "Patterns in Property Specifications for Finite-State
/// Verification" (ICSE 1999), globally, before, after, between and after-until.
const PATTERNS: [&str; 23] = [
    "G !p",
    "F r ==> (!p U r)",
    "G (q ==> G !p)",
    "G ((q && !r && F r) ==> (!p U r))",
    "G (q && !r ==> (!p W r))",
    "F p",
    "!r W (p && !r)",
    "G !q || F (q && F p)",
    "G (q && !r ==> (!r W (p && !r)))",
    "G (q && !r ==> (!r U (p && !r)))",
    "G p",
    "F r ==> (p U r)",
    "G (q ==> G p)",
    "G ((q && !r && F r) ==> (p U r))",
    "G (q && !r ==> (p W r))",
    "!p W s",
    "F r ==> (!p U (s || r))",
    "G !q || F (q && (!p W s))",
    "G ((q && !r && F r) ==> (!p U (s || r)))",
    "G (p ==> F s)",
    "F r ==> (p ==> (!r U (s && !r))) U r",
    "G (q ==> G (p ==> F s))",
    "G ((q && !r && F r) ==> (p ==> (!r U (s && !r))) U r)",
];

#[test]
fn patterns_give_small_automata() {
    for text in PATTERNS {
        let (yes, no) = sizes(text);
        assert!(yes <= 8 && no <= 5, "{text}: {yes} states, its negation {no}");
    }
}

#[test]
fn twelve_operators_are_translated_quickly() {
    // The nested-until shape of the RERS challenges.
    let text = "!F s || ((!t && !s) U (s || ((t && !s) U (s || ((!t && !s) U (s || ((t && !s) U (s || (!t U s)))))))))";
    let parsed = parse(text).expect("a formula");
    let (yes, no) = sizes(text);
    assert!(yes <= 12 && no <= 8, "{yes} and {no} states");
    assert!(!parsed.formula.has_next());
}

#[test]
fn contradictions_are_empty_and_tautologies_accept_everything() {
    for text in ["F p && G !p", "G F p && F G !p", "(p U q) && G !q", "X p && X !p", "p M q && G !p"] {
        let formula = parse(text).expect("a formula").formula;
        assert!(automaton(&formula, true).is_empty(), "{text}");
        assert!(!automaton(&formula, false).is_empty(), "{text}");
    }
}

#[test]
fn the_hanoi_format_is_as_its_definition_says() {
    let parsed = parse("G (\"x > 0\" ==> F q)").expect("a formula");
    let names: Vec<String> = parsed.propositions.iter().map(|p| p.to_string()).collect();
    let text = automaton(&parsed.formula, true).to_hoa("response", &names);
    let (header, body) = text.split_once("--BODY--\n").expect("a body");
    assert!(header.starts_with("HOA: v1\n"));
    for line in ["States: 2\n", "Start: 0\n", "AP: 2 \"x > 0\" \"q\"\n", "Acceptance: 1 Inf(0)\n"] {
        assert!(header.contains(line), "{line} in {header}");
    }
    assert!(body.starts_with("State: 0") && body.ends_with("--END--\n"));
    assert_eq!(body.lines().filter(|l| l.starts_with("State:")).count(), 2);
}
