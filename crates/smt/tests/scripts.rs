//! Mutated scripts: the interpreter must answer or complain, never panic, and its answers must stay well-formed
//! s-expressions. Some mutants respect the grammar and reach the solver, others have tokens deleted, repeated and
//! exchanged at random.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../../../tests/support/languages.rs"]
mod languages;
#[path = "../../../tests/support/mutate.rs"]
mod mutate;

use base::Budget;
use logic::smtlib::SExprReader;
use proptest::prelude::*;
use smt::{ScriptOptions, run_script};
use std::time::Duration;

const SCRIPTS: [&str; 4] = [
    "( set-option :produce-interpolants true ) ( set-logic QF_UFLIA ) ( declare-fun x ( ) Int ) \
     ( declare-fun f ( Int ) Int ) ( assert ( ! ( and ( <= x 3 ) ( = ( f x ) ( + x 1 ) ) ) :named A ) ) \
     ( assert ( ! ( or ( > x 5 ) ( < ( f x ) ( f 7 ) ( - 2 ) ) ) :named B ) ) ( check-sat ) \
     ( get-interpolants A B ) ( get-interpolants ( and A B ) )",
    "( set-option :produce-models true ) ( declare-sort S 0 ) ( declare-const s S ) ( declare-fun g ( S ) Bool ) \
     ( declare-const m ( Array Int Int ) ) ( define-fun two ( ) Int 2 ) ( push 1 ) \
     ( assert ( let ( ( k ( select ( store m 1 two ) 1 ) ) ) ( and ( g s ) ( = k 2 ) ) ) ) ( check-sat ) \
     ( get-model ) ( get-value ( ( g s ) ( select m 3 ) ) ) ( pop 1 ) ( check-sat )",
    "( set-option :produce-unsat-cores true ) ( set-option :produce-proofs true ) ( declare-const b ( _ BitVec 4 ) ) \
     ( assert ( ! ( bvult b #b0011 ) :named P ) ) ( assert ( ! ( = ( ( _ extract 1 0 ) b ) #b11 ) :named Q ) ) \
     ( check-sat ) ( get-unsat-core ) ( get-proof ) ( reset-assertions ) ( get-info :name ) ( echo \"x\" )",
    "( declare-const p Bool ) ( declare-const r Real ) ( assert ( forall ( ( z Int ) ) ( ! ( => p ( < z 3 ) ) \
     :pattern ( ( < z 3 ) ) ) ) ) ( check-sat-assuming ( p ( < r 0.5 ) ) ) ( get-unsat-assumptions ) \
     ( assert ( exists ( ( q Real ) ) ( = ( / q 2 ) r ) ) ) ( check-sat ) ( get-assignment ) ( exit )",
];

fn mutated(script: &str, edits: &[(u8, u16, u16)]) -> String {
    let mut tokens: Vec<&str> = script.split_whitespace().collect();
    for &(kind, a, b) in edits {
        if tokens.is_empty() {
            break;
        }
        let (i, j) = (a as usize % tokens.len(), b as usize % tokens.len());
        match kind % 4 {
            0 => drop(tokens.remove(i)),
            1 => tokens[i] = tokens[j],
            2 => tokens.insert(i, tokens[j]),
            _ => tokens.swap(i, j),
        }
    }
    tokens.join(" ")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn mutations_are_answered(
        which in 0usize..SCRIPTS.len(),
        edits in prop::collection::vec((any::<u8>(), any::<u16>(), any::<u16>()), 0..6),
    ) {
        let _ = counts(&mutated(SCRIPTS[which], &edits));
    }
}

/// Runs a script and reads its answers; how many commands there were, and how many errors.
fn counts(text: &str) -> (u64, u64) {
    let options = ScriptOptions { check_timeout: Some(Duration::from_millis(100)), ..ScriptOptions::default() };
    let mut answers = Vec::new();
    let summary = run_script(text.as_bytes(), &mut answers, &options, &Budget::unlimited()).unwrap();
    let mut reader = SExprReader::new(answers.as_slice());
    loop {
        match reader.next_expr() {
            Ok(None) => return (summary.n_commands, summary.n_errors),
            Ok(Some(_)) => {}
            Err(error) => panic!("{text}\nanswered\n{}\n{error}", String::from_utf8_lossy(&answers)),
        }
    }
}

/// `CRAIG_MUTATIONS=100000 cargo test -p craig-smt --test scripts` runs many; by default a few.
#[test]
fn mutants_that_respect_the_grammar_are_answered() {
    let texts: Vec<Vec<char>> = SCRIPTS.iter().map(|s| s.chars().collect()).collect();
    let n = mutate::n_mutations(500);
    let (mut n_commands, mut n_errors) = (0, 0);
    for seed in 1..=n {
        let text = mutate::mutate(&mut base::Random::new(seed), &texts, &languages::SMTLIB);
        match std::panic::catch_unwind(|| counts(&text)) {
            Ok((commands, errors)) => (n_commands, n_errors) = (n_commands + commands, n_errors + errors),
            Err(_) => panic!("seed {seed} panics:\n{text}"),
        }
    }
    eprintln!("{n_errors} of {n_commands} commands are errors");
    assert!(n_commands > n && 4 * n_errors < n_commands, "{n_errors} of {n_commands} commands are errors");
}

fn answers(script: &str) -> Vec<String> {
    let mut answers = Vec::new();
    run_script(script.as_bytes(), &mut answers, &ScriptOptions::default(), &Budget::unlimited()).unwrap();
    String::from_utf8(answers).unwrap().lines().map(str::to_string).collect()
}

/// Odd input, command by command: each error has its place and no effect, the next command is read, and answers to
/// checks say how much was rejected before.
#[test]
fn odd_commands() {
    let script = "(set-option :print-success true)\n(set-option :produce-unsat-assumptions true)\n(set-option :produce-interpolants true)\n\
        (declare-fun x () Int)\n(declare-fun x () Int)\n(push 1)\n(declare-fun y () Int)\n(assert (! (> x y) :named A))\n\
        (pop 2)\n(pop 1)\n(assert (> y 0))\n(assert A)\n(assert (! (> x 0) :named))\n(assert (! (> x 0) :named A))\n\
        (assert (! (< x 0) :named B))\n(get-interpolants A B)\n(check-sat)\n(get-interpolants A A B)\n(get-interpolants A C)\n\
        (get-interpolants A B)\n(set-option :produce-proofs true)\n(check-sat-assuming ((= x 3) true))\n(get-unsat-assumptions)\n";
    let expected = [
        "success",
        "success",
        "success",
        "success",
        "(error \"5:14: x is already declared\")",
        "success",
        "success",
        "success",
        "(error \"9:1: cannot pop 2 levels, there are 1\")",
        "success",
        "(error \"11:12: unknown symbol y\")",
        "(error \"12:9: unknown symbol A\")",
        "(error \"13:20: expected a name after :named\")",
        "success",
        "success",
        "(error \"16:1: the last check did not say unsat\")",
        "unsat ; 5 commands before this were rejected",
        "(error \"18:21: A is in two groups\")",
        "(error \"19:21: there is no assertion C\")",
        "((> x 0))",
        "(error \"21:13: :produce-proofs must be set before the first assertion\")",
        "unsat ; 5 commands before this were rejected",
        "()",
    ];
    assert_eq!(answers(script), expected);
}

/// Steps that keep a sum, one way or the other: without an atom for the sum there are 2²⁴ paths to refute.
#[test]
fn chains_of_branches_that_keep_a_sum() {
    let n = 24;
    let mut script = "(set-option :produce-interpolants true)\n".to_string();
    for k in 0..=n {
        script += &format!("(declare-fun x{k} () Int)(declare-fun y{k} () Int)(declare-fun c{k} () Bool)\n");
    }
    script += "(assert (! (and (= x0 0) (= y0 0)) :named P))\n";
    for k in 0..n {
        let j = k + 1;
        script += &format!(
            "(assert (! (or (and c{k} (= x{j} (+ x{k} 1)) (= y{j} (+ y{k} 2))) \
             (and (not c{k}) (= x{j} (+ x{k} 2)) (= y{j} (+ y{k} 1)))) :named S{k}))\n"
        );
    }
    let names: Vec<String> = (0..n).map(|k| format!("S{k}")).collect();
    script += &format!("(assert (! (distinct (+ x{n} y{n}) {}) :named E))\n(check-sat)\n", 3 * n);
    script += &format!("(get-interpolants P {} E)\n", names.join(" "));
    let answers = answers(&script);
    assert_eq!(answers[0], "unsat");
    assert_eq!(answers.len(), n + 2, "{answers:?}");
}

/// Two chains `x' = f(x) + 1` from one start, each step an equation or two inequalities: every equality on the way is
/// implied, and none need be guessed.
#[test]
fn chains_through_functions_and_sums() {
    let n = 80;
    for (step, start) in
        [("(= {x} {y})", "(= x0 y0)"), ("(and (<= {x} {y}) (>= {x} {y}))", "(and (<= x0 y0) (>= x0 y0))")]
    {
        let mut script =
            format!("(declare-fun f (Int) Int)(declare-fun x0 () Int)(declare-fun y0 () Int)\n(assert {start})\n");
        for k in 1..=n {
            for v in ["x", "y"] {
                let next = step.replace("{x}", &format!("{v}{k}")).replace("{y}", &format!("(+ (f {v}{}) 1)", k - 1));
                script += &format!("(declare-fun {v}{k} () Int)(assert {next})\n");
            }
        }
        script += &format!(
            "(push 1)(assert (distinct x{n} y{n}))(check-sat)(pop 1)\n(assert (distinct (f x{n}) x{n}))(check-sat)\n"
        );
        assert_eq!(answers(&script), ["unsat", "sat"]);
    }
}

/// A loop that fills an array: the interpolants list the cells filled so far, at indices relative to the shared one.
#[test]
fn long_sequences_over_arrays() {
    let n = 24;
    let mut script = "(set-option :produce-interpolants true)\n".to_string();
    for k in 0..=n {
        script += &format!("(declare-fun a{k} () (Array Int Int))(declare-fun i{k} () Int)\n");
    }
    script += "(declare-fun j () Int)(declare-fun n () Int)(assert (! (= i0 0) :named P))\n";
    for k in 0..n {
        let next = k + 1;
        script += &format!(
            "(assert (! (and (< i{k} n) (= a{next} (store a{k} i{k} 7)) (= i{next} (+ i{k} 1))) :named S{k}))\n"
        );
    }
    script += &format!(
        "(assert (! (and (>= i{n} n) (<= 0 j) (< j n) (distinct (select a{n} j) 7)) :named E))\n(check-sat)\n"
    );
    let names: Vec<String> = (0..n).map(|k| format!("S{k}")).collect();
    script += &format!("(get-interpolants P {} E)\n", names.join(" "));
    let answers = answers(&script);
    assert_eq!(answers[0], "unsat");
    assert_eq!(answers.len(), n + 2, "{answers:?}");
    assert_eq!(answers[n + 1].matches("select").count(), n, "{}", answers[n + 1]);
}

/// Factors of numbers: 8051 = 83 · 97 has some, the prime 8053 has none.
#[test]
fn products_of_bounded_integers() {
    let script = "(set-option :produce-models true)(declare-fun x () Int)(declare-fun y () Int)(assert (<= 2 x y 5000))\n\
         (push 1)(assert (= (* x y) 8051))(check-sat)(get-value (x y))(pop 1)\n\
         (push 1)(assert (= (* x y) 8053))(check-sat)(pop 1)";
    assert_eq!(answers(script), ["sat", "((x 83)", " (y 97))", "unsat"]);
}

/// Residues: no square is 3 modulo 7 or 8, a product of neighbours is even; the solutions there are stay.
#[test]
fn equations_without_solution_modulo_a_number() {
    let script = "(declare-fun x () Int)(declare-fun y () Int)\n\
         (push 1)(assert (= (* x x) (+ 3 (* 7 y))))(check-sat)(pop 1)\n\
         (push 1)(assert (= (mod (* x x) 8) 3))(check-sat)(pop 1)\n\
         (push 1)(assert (= (mod (* x (+ x 1)) 2) 1))(check-sat)(pop 1)\n\
         (push 1)(assert (= (* x x) (+ 2 (* 7 y))))(assert (> x 10))(check-sat)(pop 1)\n\
         (push 1)(assert (= (* x y) 1069))(assert (> x 1))(assert (> y 1))(check-sat)(pop 1)";
    assert_eq!(answers(script), ["unsat", "unsat", "unsat", "sat", "unsat"]);
}

/// Two counters that go in step, by one or by two: the interpolants say that they are equal, not what their bits are.
#[test]
fn counters_in_step() {
    let n = 6;
    let mut script =
        "(set-option :produce-interpolants true)(declare-fun x0 () (_ BitVec 8))(declare-fun y0 () (_ BitVec 8))
        (assert (! (= x0 y0) :named P0))\n"
            .to_string();
    for k in 0..n {
        let next = k + 1;
        let step = |by: u32| format!("(and (= x{next} (bvadd x{k} #x0{by})) (= y{next} (bvadd #x0{by} y{k})))");
        script += &format!(
            "(declare-fun x{next} () (_ BitVec 8))(declare-fun y{next} () (_ BitVec 8))(declare-fun c{k} () Bool)
             (assert (! (ite c{k} {} {}) :named P{next}))\n",
            step(1),
            step(2)
        );
    }
    let names: Vec<String> = (0..=n).map(|k| format!("P{k}")).collect();
    script +=
        &format!("(assert (! (not (= x{n} y{n})) :named E))(check-sat)(get-interpolants {} E)\n", names.join(" "));
    let answers = answers(&script);
    assert_eq!(answers[0], "unsat");
    let formulas: Vec<String> = (0..=n).map(|k| format!("(= x{k} y{k})")).collect();
    assert_eq!(answers[1..].join(""), format!("({})", formulas.join(" ")));
}

/// Near an irrational root tangents have ever longer coordinates: that ends before the time does.
#[test]
fn functions_of_irrational_numbers_end() {
    let start = std::time::Instant::now();
    let script = "(declare-fun x () Real)(declare-fun y () Real)(declare-fun f (Real) Real)\n\
         (assert (= (* x x) 2))(assert (= (* y y) 2))(assert (= (f x) 3))(assert (= (f y) 4))\n\
         (set-option :timeout 2000)(check-sat)(assert (> (* x y) 0))(check-sat)";
    let answers = answers(script);
    assert!(answers.len() == 2 && answers[0] != "unsat" && answers[1] != "sat", "{answers:?}");
    assert!(start.elapsed().as_secs() < 30);
}

/// Values are there without being asked for beforehand, as in z3, unless models are switched off.
#[test]
fn values_without_an_option() {
    let script = "(declare-fun x () Int)(assert (= x 7))(check-sat)(get-value (x))\n\
         (set-option :produce-models false)(get-value (x))";
    assert_eq!(answers(script), ["sat", "((x 7))", "(error \"2:46: set :produce-models to true first\")"]);
}

/// Quantifiers inside of quantifiers over words, and sums of numbers in either order.
#[test]
fn words_with_alternating_quantifiers() {
    let script = "(declare-fun z () (_ BitVec 4))(declare-fun u () Float32)(declare-fun v () Float32)\n\
         (push 1)(assert (forall ((x (_ BitVec 4))) (exists ((y (_ BitVec 4))) (= (bvadd x y) z))))(check-sat)(pop 1)\n\
         (push 1)(assert (forall ((x (_ BitVec 4))) (exists ((y (_ BitVec 4))) (= (bvmul x y) #x1))))(check-sat)(pop 1)\n\
         (push 1)(assert (not (= (fp.add RNE u v) (fp.add RNE v u))))(check-sat)(pop 1)";
    assert_eq!(answers(script), ["sat", "unsat", "unsat"]);
}
