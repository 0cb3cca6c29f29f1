//! Ranking functions and recurrence sets for lassos, by linear programming.
//!
//! A lasso is a stem and a loop; it is given as relations over the rationals: disjunctions of
//! conjunctions of linear (in)equalities ([`LinearLasso`]). The question is whether the loop can be
//! repeated for ever from a state that the stem leads to.
//!
//! *Termination* ([`rank`]). A ranking function maps states to a well-founded order so that every turn
//! of the loop lowers it. Its shape is fixed by a template with unknown coefficients; that it is lowered is an
//! implication between linear inequalities, and by Farkas' lemma such an implication holds iff the conclusion is a
//! non-negative combination of the premises: a linear program in coefficients and multipliers together. The templates
//! are affine (Podelski and Rybalchenko 2004), nested (Leike and Heizmann 2015) and lexicographic, the last by the
//! greedy method of Alias, Darte, Feautrier and Gonnord (2010). For one conjunctive loop nested templates
//! subsume multiphase ones (Ben-Amram and Genaim 2017), so those are not built.
//!
//! *Supporting invariants* are affine inequalities that the stem establishes and the loop preserves.
//! Their use is linear too, except for the multiplier of the invariant in its own preservation, which is
//! tried as 1 ("does not fall"), as 0 ("re-established by each turn"), and as ratios that occur in the loop.
//!
//! Everything here over-approximates on the side of the loop: strict inequalities are weakened, rows may be dropped. That is
//! sound for termination and only for it. Results are checked by the solver, in the sorts of
//! the program, before anyone uses them.

mod arrays;
mod extract;
mod farkas;
mod linear;
mod templates;

pub use arrays::without_arrays;
pub use extract::{Extraction, dnf_rows};
pub use linear::{Affine, LinearLasso, Polyhedron, Row, RowKind};
pub use templates::{Ranking, RankingOptions, Template, rank};

#[cfg(test)]
mod tests {
    use super::*;
    use base::Budget;
    use logic::{SortId, TermId, TermPool};

    /// A lasso over integers x, y, z from formulas over x, y, z (before a turn) and X, Y, Z (after it).
    fn lasso(stem: &str, turn: &str) -> LinearLasso {
        let mut pool = TermPool::new();
        let names = ["x", "y", "z"];
        let before: Vec<TermId> = names.iter().map(|n| pool.constant(n, SortId::INT)).collect();
        let after: Vec<TermId> = names.iter().map(|n| pool.constant(&n.to_uppercase(), SortId::INT)).collect();
        let stem = logic::smtlib::parse_term(&mut pool, stem).expect("a stem");
        let turn = logic::smtlib::parse_term(&mut pool, turn).expect("a loop");
        let both: Vec<TermId> = before.iter().chain(&after).copied().collect();
        LinearLasso {
            n: 3,
            stem: dnf_rows(&mut pool, &[stem], &before, &Budget::unlimited()).expect("no limit").disjuncts,
            turn: dnf_rows(&mut pool, &[turn], &both, &Budget::unlimited()).expect("no limit").disjuncts,
        }
    }

    fn ranking(stem: &str, turn: &str) -> Option<Ranking> {
        rank(&lasso(stem, turn), &RankingOptions::default(), &Budget::unlimited()).expect("no limit")
    }

    /// The coefficients of x, y, z and the constant.
    fn numbers(affine: &Affine) -> Vec<i64> {
        affine.coefficients.iter().chain([&affine.constant]).map(|c| c.to_i64().expect("small")).collect()
    }

    #[test]
    fn the_two_modules_of_the_lecture() {
        // while (x > 0 && y > 0) { if (*) x := x - 1 else { x := *; y := y - 1 } }
        let second = ranking("true", "(and (> x 0) (> y 0) (= Y (- y 1)))").expect("ranked");
        assert_eq!((second.template, numbers(&second.functions[0])), (Template::Affine, vec![0, 1, 0, 0]));
        let first = ranking("true", "(and (> x 0) (> y 0) (= X (- x 1)) (= Y y))").expect("ranked");
        assert_eq!(first.template, Template::Affine);
        // Both branches together need two components.
        let both = "(and (> x 0) (> y 0) (or (and (= X (- x 1)) (= Y y)) (= Y (- y 1))))";
        let lex = ranking("true", both).expect("ranked");
        assert_eq!((lex.template, lex.functions.len()), (Template::Lexicographic(4), 2));
    }

    #[test]
    fn counting_down_by_division() {
        assert!(ranking("true", "(and (> x 0) (= X (div x 2)))").is_some());
        assert!(ranking("true", "(and (> x 0) (= X (mod x 2)))").is_none());
        // The remainder of a number that is not negative is at most the number.
        assert!(ranking("true", "(and (>= x 1) (= X (div (mod x 4294967296) 2)))").is_some());
    }

    #[test]
    fn phases_need_nested_functions() {
        let two = ranking("true", "(and (> x 0) (= X (+ x y)) (= Y (- y 1)))").expect("ranked");
        assert_eq!(two.template, Template::Nested(2));
        let three = ranking("true", "(and (> x 0) (= X (+ x y)) (= Y (+ y z)) (= Z (- z 1)))").expect("ranked");
        assert_eq!(three.template, Template::Nested(3));
    }

    #[test]
    fn supporting_invariants() {
        // y ≥ 1 comes from the stem and is kept: x falls by y.
        let turn = "(and (>= x 0) (= X (- x y)) (= Y y))";
        assert_eq!(ranking("true", turn), None);
        let found = ranking("(>= y 1)", turn).expect("ranked");
        assert!(!found.invariants.is_empty());
        // x + y doubles with every turn.
        let doubling = "(and (<= x z) (= X (+ (* 2 x) y)) (= Y (+ y 1)) (= Z z))";
        assert!(ranking("(>= (+ x y) 1)", doubling).is_some());
        // A stem with two disjuncts has no single affine invariant.
        assert_eq!(ranking("(or (< x 0) (< y 0))", "(and (>= x 0) (= X (+ x y)) (= Y y))"), None);
    }

    #[test]
    fn what_does_not_terminate_is_not_ranked() {
        for turn in [
            "(and (distinct x 0) (= X (- x 1)))",
            "(and (>= x 1) (= X (+ (* 2 x) 1)))",
            "(> x 0)",
            "(and (distinct x 0) (= X (- x)))",
            "(and (> x 0) (or (= X (- x 1)) (and (= X x) (> y 0) (= Y (- y 1))) (and (= X x) (<= y 0))))",
        ] {
            assert_eq!(ranking("true", turn), None, "{turn}");
        }
        assert!(ranking("true", "(and (distinct x 0) (= X (ite (> x 0) (- x 1) (+ x 1))))").is_none());
    }

    #[test]
    fn infeasible_loops_are_ranked_by_anything() {
        assert!(ranking("true", "(and (<= 1 (* 3 x)) (<= (* 3 x) 2))").is_some());
        assert!(ranking("false", "true").is_some());
    }
}
