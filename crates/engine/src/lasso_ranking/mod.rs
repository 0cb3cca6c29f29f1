//! Ranking functions and recurrence sets for lassos, by linear programming.
//!
//! A lasso is a stem and a loop; it is given as relations over the rationals: disjunctions of conjunctions of linear
//! (in)equalities ([`LinearLasso`]). The question is whether the loop can be repeated forever from a state that the
//! stem leads to.
//!
//! *Termination* ([`rank`]). A ranking function maps states to a well-founded order so that every iteration
//! of the loop lowers it. Its shape is fixed by a template with unknown coefficients; that it is lowered is an
//! implication between linear inequalities, and by Farkas' lemma such an implication holds iff the conclusion is a
//! non-negative combination of the premises: a linear program in coefficients and multipliers together. The templates
//! are affine (Podelski and Rybalchenko 2004), nested (Leike and Heizmann 2015) and lexicographic, the last by the
//! greedy method of Alias, Darte, Feautrier and Gonnord (2010); multiphase, parallel and piecewise ones (Leike and
//! Heizmann 2015) as far as they become linear by enumeration. For one conjunctive loop nested templates subsume
//! multiphase ones (Ben-Amram and Genaim 2017).
//!
//! *Supporting invariants* are affine inequalities that the stem establishes and the loop preserves. Their use is
//! linear too, except for the multiplier of the invariant in its own preservation, which is tried as 1 ("does not
//! fall"), as 0 ("re-established by each iteration"), as an eigenvalue of the iteration, and as ratios that occur in
//! it. *Strict* invariants are searched for where they are stronger than non-strict ones: to rule out whole disjuncts
//! of the loop over the rationals.
//!
//! Everything here over-approximates on the side of the loop: strict inequalities are weakened, rows may be dropped.
//! That is sound for termination and only for it. Results are checked by the solver, in the sorts of the program,
//! before anyone uses them.

mod arrays;
mod eigenvalues;
mod extract;
mod farkas;
mod linear;
mod templates;

pub use arrays::without_arrays;
pub use eigenvalues::rational_eigenvalues;
pub use extract::{Extraction, dnf_rows};
pub use farkas::is_satisfiable;
pub use linear::{Affine, LinearLasso, Polyhedron, Row, RowKind};
pub use templates::{Ranking, RankingOptions, Template, rank};

#[cfg(test)]
mod tests {
    use super::*;
    use base::Budget;
    use logic::{SortId, TermId, TermPool};

    /// A lasso over integers x, y, z from formulas over x, y, z (before an iteration) and X, Y, Z (after it).
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
        // x + y doubles with every iteration.
        let doubling = "(and (<= x z) (= X (+ (* 2 x) y)) (= Y (+ y 1)) (= Z z))";
        assert!(ranking("(>= (+ x y) 1)", doubling).is_some());
        // x + y trebles: an eigenvalue of the iteration, but no ratio in it.
        let trebling = "(and (<= (+ x y) z) (= X (+ (* 2 x) y)) (= Y (+ x (* 2 y))) (= Z z))";
        assert_eq!(ranking("true", trebling), None);
        assert!(ranking("(>= (+ x y) 1)", trebling).is_some());
        // A stem with two disjuncts has no single affine invariant.
        assert_eq!(ranking("(or (< x 0) (< y 0))", "(and (>= x 0) (= X (+ x y)) (= Y y))"), None);
    }

    /// Over the reals `y > 0` says more than any `y ≥ c`.
    #[test]
    fn strict_supporting_invariants() {
        let mut pool = TermPool::new();
        let columns: Vec<TermId> = ["x", "y", "X", "Y"].iter().map(|n| pool.constant(n, SortId::REAL)).collect();
        let mut rows = |text: &str, columns: &[TermId]| {
            let formula = logic::smtlib::parse_term(&mut pool, text).expect("a formula");
            dnf_rows(&mut pool, &[formula], columns, &Budget::unlimited()).expect("no limit").disjuncts
        };
        // y shrinks forever but stays positive, so that only the first branch is ever taken.
        let turn =
            "(and (>= x 0.0) (= Y (/ y 2.0)) (or (and (> y 0.0) (= X (- x 1.0))) (and (<= y 0.0) (= X (+ x 1.0)))))";
        let turn = rows(turn, &columns);
        let mut with_stem = |stem: &str| {
            let lasso = LinearLasso { n: 2, stem: rows(stem, &columns[..2]), turn: turn.clone() };
            rank(&lasso, &RankingOptions::default(), &Budget::unlimited()).expect("no limit")
        };
        let found = with_stem("(> y 0.0)").expect("ranked");
        assert_eq!(found.strict_invariants.len(), 1);
        assert!(found.strict_invariants[0].coefficients[1].is_positive());
        assert_eq!(with_stem("(>= y 0.0)"), None);
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
    }

    /// With one template only.
    fn ranking_by(template: Template, turn: &str) -> Option<Ranking> {
        let options = RankingOptions { templates: vec![template], invariants: false };
        rank(&lasso("true", turn), &options, &Budget::unlimited()).expect("no limit")
    }

    #[test]
    fn pieces_towards_zero_from_both_sides() {
        let turn = "(and (distinct x 0) (= X (ite (> x 0) (- x 1) (+ x 1))))";
        for template in [Template::Affine, Template::Nested(3), Template::Lexicographic(4), Template::Parallel(4)] {
            assert_eq!(ranking_by(template, turn), None, "{template:?}");
        }
        let found = ranking_by(Template::Piecewise, turn).expect("ranked");
        assert_eq!(found.functions.len(), 2);
        assert!(found.discriminator.is_some());
    }

    #[test]
    fn parallel_functions_need_no_order() {
        // Either x falls while it is positive, or y does; the other one may be negative but stays.
        let turn = "(or (and (>= x 1) (= X (- x 1)) (= Y y)) (and (>= y 1) (= Y (- y 1)) (= X x)))";
        assert_eq!(ranking_by(Template::Affine, turn), None);
        assert_eq!(ranking_by(Template::Nested(2), turn), None);
        let found = ranking_by(Template::Parallel(2), turn).expect("ranked");
        assert_eq!((found.template, found.functions.len()), (Template::Parallel(2), 2));
        assert_eq!(ranking_by(Template::Parallel(1), turn), None);
    }

    #[test]
    fn phases_that_only_some_disjuncts_have() {
        // y falls always; once it is not positive, x falls on the first disjunct by y and on the second by 1.
        let turn = "(and (>= x 1) (= Y (- y 1)) (or (= X (+ x y)) (= X (- x 1))))";
        let found = ranking("true", turn).expect("ranked");
        assert!(matches!(found.template, Template::Nested(_) | Template::Lexicographic(_) | Template::Multiphase(_)));
        assert!(ranking_by(Template::Multiphase(2), turn).is_some());
    }

    /// Every template that claims a ranking function claims a right one: it falls with every iteration of small
    /// integers.
    #[test]
    fn rankings_fall_on_small_integers() {
        let turns = [
            "(and (>= x 1) (= X (- x 1)) (= Y y) (= Z z))",
            "(and (> x 0) (= X (+ x y)) (= Y (- y 1)) (= Z z))",
            "(and (distinct x 0) (= X (ite (> x 0) (- x 1) (+ x 1))) (= Y y) (= Z z))",
            "(and (= Z z) (or (and (>= x 1) (= X (- x 1)) (= Y y)) (and (>= y 1) (= Y (- y 1)) (= X x))))",
            "(and (= Z z) (> x 0) (> y 0) (or (and (= X (- x 1)) (= Y y)) (= Y (- y 1))))",
            "(and (>= x 1) (= Z z) (= Y (- y 1)) (or (= X (+ x y)) (= X (- x 1))))",
        ];
        let templates = [
            Template::Affine,
            Template::Nested(2),
            Template::Nested(3),
            Template::Lexicographic(3),
            Template::Multiphase(2),
            Template::Parallel(3),
            Template::Piecewise,
        ];
        let number = |n: i64| logic::Rational::from(n);
        for text in turns {
            let relation = lasso("true", text);
            for template in templates {
                let Some(found) = ranking_by(template, text) else { continue };
                let range = -3..4i64;
                for bits in 0..7i64.pow(5) {
                    let digit = |k: u32| bits / 7i64.pow(k) % 7 + range.start;
                    let before = [number(digit(0)), number(digit(1)), number(0)];
                    let after = [number(digit(2)), number(digit(3)), number(0)];
                    let aux = vec![number(digit(4)); 8];
                    let point = [&before[..], &after[..], &aux[..]].concat();
                    if !relation.turn.iter().any(|p| p.rows.iter().all(|r| r.holds(&point))) {
                        continue;
                    }
                    let (old, new) = (found.value(&before), found.value(&after));
                    let at = old.iter().zip(&new).position(|(o, n)| o != n);
                    let falls = at.is_some_and(|i| new[i] < old[i] && !old[i].is_negative());
                    assert!(falls, "{template:?} {text} {old:?} {new:?}");
                }
            }
        }
    }

    #[test]
    fn infeasible_loops_are_ranked_by_anything() {
        assert!(ranking("true", "(and (<= 1 (* 3 x)) (<= (* 3 x) 2))").is_some());
        assert!(ranking("false", "true").is_some());
    }
}
