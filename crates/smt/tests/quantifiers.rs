//! Quantified formulas: refutations by instances, models that are certain, and honest ignorance.

use base::Budget;
use logic::smtlib::parse_term;
use logic::{SatResult, Solver, SortId, TermPool};
use smt::SmtSolver;
use std::time::Duration;

fn check(formulas: &[&str]) -> &'static str {
    let mut pool = TermPool::new();
    let (int, bool_) = (SortId::INT, SortId::BOOL);
    for name in ["x", "y", "n", "i"] {
        pool.constant(name, int);
    }
    let array = pool.array_sort(int, int);
    pool.constant("a", array);
    pool.constant("b", array);
    pool.declare_fun("f", &[int], int);
    pool.declare_fun("g", &[int, int], int);
    pool.declare_fun("P", &[int], bool_);
    pool.constant("p", bool_);
    let u = pool.uninterpreted_sort("U");
    pool.declare_fun("le", &[u, u], bool_);
    for name in ["c", "d", "e"] {
        pool.constant(name, u);
    }
    let mut solver = SmtSolver::with_proofs();
    for text in formulas {
        let t = parse_term(&mut pool, text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
        solver.assert(&mut pool, t);
    }
    match solver.check(&mut pool, &Budget::with_timeout(Duration::from_secs(10))) {
        SatResult::Sat => "sat",
        SatResult::Unsat => {
            // Skolem constants and instances are part of what is checked.
            if let Some(Err(error)) = solver.check_refutation(&mut pool) {
                panic!("{formulas:?}: {error}");
            }
            "unsat"
        }
        SatResult::Unknown(_) => "unknown",
    }
}

/// The arrays below the stores are never read in the problem itself.
#[test]
fn reads_of_stores_find_instances() {
    assert_eq!(
        check(&[
            "(forall ((k Int)) (! (=> (and (<= 0 k) (< k n)) (=> (= (select a k) 0) (= (select b k) 10)))
               :pattern ((select a k)) :pattern ((select b k))))",
            "(> n 99999)",
            "(= (select (store a 3 40) i) 0)",
            "(distinct (select (store b 3 30) i) 10)",
            "(<= 0 i 99999)",
        ]),
        "unsat"
    );
}

#[test]
fn instances_refute() {
    assert_eq!(check(&["(forall ((k Int)) (=> (>= k 0) (> (f k) k)))", "(< (f 3) 2)"]), "unsat");
    assert_eq!(
        check(&[
            "(forall ((k Int)) (=> (and (<= 0 k) (< k n)) (= (select a k) 0)))",
            "(<= 0 i)",
            "(< (+ i 1) n)",
            "(distinct (select a (+ i 1)) 0)",
        ]),
        "unsat"
    );
    assert_eq!(
        check(&[
            "(forall ((s U) (t U) (w U)) (=> (and (le s t) (le t w)) (le s w)))",
            "(le c d)",
            "(le d e)",
            "(not (le c e))",
        ]),
        "unsat"
    );
}

#[test]
fn arrays_shifted_by_one() {
    assert_eq!(
        check(&[
            "(forall ((k Int)) (! (= (select b (+ k 1)) (select a k)) :pattern ((select a k))))",
            "(= (select a 4) 7)",
            "(distinct (select b 5) 7)"
        ]),
        "unsat"
    );
    assert_eq!(
        check(&["(forall ((k Int)) (= (select b (+ k 1)) (f k)))", "(= (f 4) 7)", "(distinct (select b 5) 7)"]),
        "unsat"
    );
}

#[test]
fn skolem_constants_and_nesting() {
    assert_eq!(check(&["(exists ((k Int)) (and (> k 3) (< k 5)))"]), "sat");
    assert_eq!(check(&["(not (forall ((k Int)) (> (f k) 0)))", "(forall ((k Int)) (>= (f k) 1))"]), "unsat");
    assert_eq!(
        check(&["(forall ((k Int)) (exists ((l Int)) (> (g k l) (f k))))", "(forall ((l Int)) (<= (g 2 l) (f 2)))"]),
        "unsat"
    );
}

#[test]
fn models_are_certain_or_unknown() {
    assert_eq!(check(&["(forall ((k Int)) (or (P k) (< k 5)))", "(not (P 3))"]), "sat");
    assert_eq!(check(&["(forall ((k Int)) (=> (> k x) (> k y)))", "(> y 7)"]), "sat");
    assert_eq!(check(&["(forall ((k Int)) (> k x))"]), "unsat");
    assert_ne!(check(&["(forall ((k Int)) (> (f (f k)) (f k)))"]), "unsat");
    assert_ne!(check(&["(or P2 (forall ((k Int)) (= (f k) k)))".replace("P2", "(P 1)").as_str(), "(P 1)"]), "unsat");
}

/// An instance brings an atom (`p`) in the same round in which another formula is looked at in the model.
#[test]
fn atoms_that_come_while_models_are_built() {
    assert_eq!(check(&["(forall ((q Bool)) p)", "(forall ((q U)) (= c d))"]), "sat");
}
