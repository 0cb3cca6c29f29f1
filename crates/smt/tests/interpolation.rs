//! Interpolants of small problems of every theory, verified against their definition.

use base::Budget;
use logic::smtlib::parse_term;
use logic::{
    AssertionId, Farkas, ItpError, ItpOptions, ItpTree, Labelling, SatResult, Solver, SortId, TermId, TermPool,
};
use smt::SmtSolver;
use smt::interpolate::partitions;
use smt::interpolate::verify::{verify, verify_under};

struct Session {
    pool: TermPool,
    solver: SmtSolver,
    ids: Vec<AssertionId>,
}

fn session(parts: &[&str]) -> Session {
    let mut pool = TermPool::new();
    for name in ["x", "y", "z", "w", "i", "j", "k"] {
        pool.constant(name, SortId::INT);
    }
    for name in ["r", "s", "x1", "x2", "x3"] {
        pool.constant(name, SortId::REAL);
    }
    for name in ["p", "q"] {
        pool.constant(name, SortId::BOOL);
    }
    let word = pool.bitvec_sort(4);
    for name in ["m", "n", "o"] {
        pool.constant(name, word);
    }
    pool.declare_fun("f", &[SortId::INT], SortId::INT);
    let array = pool.array_sort(SortId::INT, SortId::INT);
    for name in ["a", "b", "c"] {
        pool.constant(name, array);
    }
    let thing = pool.uninterpreted_sort("U");
    for name in ["ua", "ub", "uc", "ud", "ux", "uy"] {
        pool.constant(name, thing);
    }
    pool.declare_fun("uq", &[thing], SortId::BOOL);
    let things = pool.array_sort(thing, thing);
    for name in ["da", "db"] {
        pool.constant(name, things);
    }
    let mut solver = SmtSolver::with_proofs();
    let mut ids = Vec::new();
    for text in parts {
        let t = parse_term(&mut pool, text).expect("a formula");
        ids.push(solver.assert(&mut pool, t));
    }
    assert_eq!(solver.check(&mut pool, &Budget::unlimited()), SatResult::Unsat, "{parts:?}");
    Session { pool, solver, ids }
}

impl Session {
    fn ask(&mut self, tree: &ItpTree, options: ItpOptions) -> Vec<TermId> {
        let result = self.solver.interpolate(&mut self.pool, tree, options, &Budget::unlimited());
        let interpolants = result.expect("interpolants");
        let parts = partitions(tree, self.solver.assertions()).expect("a tree");
        let checked = verify(&mut self.pool, &parts, &interpolants, &Budget::unlimited());
        let shown: Vec<String> = interpolants.iter().map(|&i| self.pool.smtlib(i)).collect();
        assert_eq!(checked, Ok(()), "{shown:?}");
        interpolants
    }
    /// All labellings and Farkas strengths, on the sequence of the parts and on every cut in two.
    fn ask_everything(&mut self) {
        let sequence = ItpTree::sequence(self.ids.iter().map(|&id| vec![id]).collect());
        for labelling in [Labelling::McMillan, Labelling::Pudlak, Labelling::McMillanPrime] {
            for farkas in [Farkas::Strong, Farkas::Weak, Farkas::Decomposed] {
                let options = ItpOptions { labelling, farkas };
                self.ask(&sequence, options);
                for cut in 1..self.ids.len() {
                    let (a, b) = self.ids.split_at(cut);
                    let tree = ItpTree::sequence(vec![a.to_vec(), b.to_vec()]);
                    self.ask(&tree, options);
                }
            }
        }
        // A root with all other parts as its children.
        let n = self.ids.len();
        let star = ItpTree {
            groups: self.ids.iter().map(|&id| vec![id]).collect(),
            parent: (0..n).map(|v| (v + 1 < n).then_some(n - 1)).collect(),
        };
        self.ask(&star, ItpOptions::default());
    }
    fn pair(&mut self) -> String {
        let (a, b) = self.ids.split_at(1);
        let tree = ItpTree::sequence(vec![a.to_vec(), b.to_vec()]);
        let interpolant = self.ask(&tree, ItpOptions::default())[0];
        self.pool.smtlib(interpolant)
    }
}

#[test]
fn known_interpolants() {
    let pair = |a: &str, b: &str| session(&[a, b]).pair();
    assert_eq!(pair("(= x (* 2 y))", "(= x (+ 1 (* 2 z)))"), "(= (mod x 2) 0)");
    assert_eq!(pair("(and (= y (* 3 x)) (= z (+ y 1)))", "(= z (* 3 w))"), "(= (mod z 3) 1)");
    assert_eq!(pair("p", "(= p (= 94 (* 834 i)))"), "p");
    let residues = pair("(< (mod x 10) 5)", "(> (mod x 10) 6)");
    assert!(residues.contains("(mod x 10)"), "{residues}");
    let cut = pair("(<= x (* 2 y) z)", "(<= z (+ 1 (* 2 w)) x)");
    assert!(cut.contains("mod") || cut.contains("div"), "{cut}");
    let difference = pair(
        "(= b (store a i x))",
        "(and (distinct j k) (distinct (select a j) (select b j)) (distinct (select a k) (select b k)))",
    );
    assert!(difference.contains("@diff"), "{difference}");
    // Integers and reals: A says that 2s is odd.
    let mut mixed = session(&["(and (= r (to_real i)) (= s (+ r 0.5)))", "(= s (to_real j))"]);
    let tree = ItpTree::sequence(mixed.ids.iter().map(|&id| vec![id]).collect());
    let answer = mixed.solver.interpolate(&mut mixed.pool, &tree, ItpOptions::default(), &Budget::unlimited());
    let shown = answer.map(|i| mixed.pool.smtlib(i[0]));
    assert!(shown.as_ref().is_ok_and(|t| t.contains("to_int") && t.contains("mod")), "{shown:?}");
}

/// Equalities and orders between local terms of both sides that one theory implies and another one uses.
#[test]
fn theories_that_share_local_terms() {
    for (a, b) in [
        // Equations, with and without a factor.
        ("(and (= (* 2 x) y) (= (f x) 1))", "(and (= (* 2 z) y) (= (f z) 0))"),
        ("(and (= x (+ y 1)) (= (f x) w))", "(and (= z (+ y 1)) (distinct (f z) w))"),
        ("(and (= (* 3 x) (+ y w)) (<= (f x) w))", "(and (= (* 3 z) (+ y w)) (< w (f z)))"),
        // Ranges that hold one multiple.
        ("(and (<= y (* 3 x) (+ y 2)) (= (f x) 1))", "(and (<= y (* 3 z) (+ y 2)) (= (f z) 0))"),
        // Bounds from both sides.
        ("(and (<= y x w) (= (f x) i))", "(and (<= w z y) (distinct (f z) i))"),
        // Two layers.
        ("(and (= (* 2 x) y) (= (f x) (* 2 i)) (= (f i) 1))", "(and (= (* 2 z) y) (= (f z) (* 2 j)) (= (f j) 2))"),
        // Real numbers, and a mix.
        ("(and (= (* 2 r) x1) (= r (to_real x)) (= (f x) 1))", "(and (= (* 2 s) x1) (= s (to_real z)) (= (f z) 0))"),
        // Reads of arrays at local indices.
        ("(and (= (* 2 x) y) (= (select a x) 1))", "(and (= (* 2 z) y) (= (select a z) 0))"),
        ("(and (= (* 2 x) y) (= b (store a x 1)))", "(and (= (* 2 z) y) (= (select b z) 0))"),
        // An uninterpreted sort: the path of the argument has a mixed equality.
        ("(and (<= y x w) (= (select a (f x)) 1))", "(and (<= w z y) (= (select a (f z)) 0))"),
    ] {
        session(&[a, b]).ask_everything();
    }
    let halves = session(&["(and (= (* 2 x) y) (= (f x) 1))", "(and (= (* 2 z) y) (= (f z) 0))"]).pair();
    assert!(halves.contains("(f (div "), "{halves}");
}

/// Interpolants of bit-vectors speak of words where they can.
#[test]
fn words_rather_than_bits() {
    let pair = |a: &str, b: &str| session(&[a, b]).pair();
    for (a, b) in [
        ("(and (= m n) (= n #x5))", "(= (bvand m #x2) #x2)"),
        ("(and (= m n) (= n #x5))", "(bvult (bvadd m #x1) #x6)"),
        ("(and (bvult m n) (bvult n #x6))", "(bvugt m #x9)"),
    ] {
        let interpolant = pair(a, b);
        assert!(!interpolant.contains("extract"), "{a} | {b}: {interpolant}");
    }
    for (a, b) in [
        ("(and (bvult m n) (bvult n #x6))", "(bvugt m #x9)"),
        ("(= m (bvadd n n))", "(= ((_ extract 0 0) m) #b1)"),
        ("(and (= m n) (= n o))", "(distinct (bvadd m #x1) (bvadd o #x1))"),
    ] {
        session(&[a, b]).ask_everything();
    }
}

/// Arrays that are constant but for a few places, where no shared symbol names the element, or an index.
#[test]
fn nearly_constant_arrays() {
    let constant = |element: &str| format!("((as const (Array U U)) {element})");
    let [of_a, of_b] = ["ua", "ub"].map(constant);
    for (a, b) in [
        // No index is shared.
        (format!("(= da {of_a})"), "(distinct (select da uc) (select da ud))".to_string()),
        // But for a place that both sides know; its element is not the one of the others.
        (
            format!("(= (store da ux ua) {of_a})"),
            "(and (distinct ux uc ud) (distinct (select da uc) (select da ud)))".to_string(),
        ),
        // A place that only one side knows.
        (
            format!("(= (store da ua uy) {})", constant("uy")),
            "(and (distinct uc ud) (distinct (select da uc) uy) (distinct (select da ud) uy))".to_string(),
        ),
        // The elements are indices: da maps all but ux to ux.
        (
            format!("(and (= db (store da ux ua)) (= {of_a} (store db ua ux)))"),
            "(and (distinct ux ub) (= (select da ub) ub))".to_string(),
        ),
        // Constant, and constant but for a place, with different elements.
        (
            format!("(= da {of_a})"),
            format!("(and (= (store da uc ub) {of_b}) (distinct (select da ud) ub) (distinct uc ud))"),
        ),
    ] {
        session(&[&a, &b]).ask_everything();
        session(&[&b, &a]).ask_everything();
    }
}

/// Boolean assignments focus refutations of arithmetic and functions: every implication holds under the assignment, and
/// assigned guards do not occur.
#[test]
fn focused_by_boolean_assignments() {
    let mut s = session(&[
        "(and (=> p (>= x 5)) (=> (not p) (= x (f y))))",
        "(and (= z (+ x 1)) (=> q (<= y 3)) (=> (not q) (= w (f y))))",
        "(and (=> p (<= z 5)) (=> (and (not p) q) (distinct (f y) x)) (=> (and (not p) (not q)) (distinct w x)))",
    ]);
    let tree = ItpTree::sequence(s.ids.iter().map(|&id| vec![id]).collect());
    let (p, q) = (s.pool.constant("p", SortId::BOOL), s.pool.constant("q", SortId::BOOL));
    let (not_p, not_q) = (s.pool.not(p), s.pool.not(q));
    let plain = s.ask(&tree, ItpOptions::default());
    for assigned in [vec![p], vec![not_p], vec![q], vec![p, q], vec![not_p, q], vec![not_p, not_q], vec![p, not_q]] {
        for labelling in [Labelling::McMillan, Labelling::Pudlak, Labelling::McMillanPrime] {
            let options = ItpOptions { labelling, ..ItpOptions::default() };
            let result = s.solver.interpolate_focused(&mut s.pool, &tree, &assigned, options, &Budget::unlimited());
            let interpolants = result.expect("interpolants");
            let parts = partitions(&tree, s.solver.assertions()).expect("a tree");
            let checked = verify_under(&mut s.pool, &parts, &assigned, &interpolants, &Budget::unlimited());
            let shown: Vec<String> = interpolants.iter().map(|&i| s.pool.smtlib(i)).collect();
            assert_eq!(checked, Ok(()), "{shown:?}");
            for &literal in &assigned {
                let guard = s.pool.free_symbols(literal);
                assert!(interpolants.iter().all(|&i| !s.pool.free_symbols(i).contains(&guard[0])), "{shown:?}");
            }
            if labelling == Labelling::McMillan && assigned.len() == 2 {
                let size = |pool: &TermPool, list: &[TermId]| list.iter().map(|&i| pool.dag_size(i)).sum::<usize>();
                assert!(size(&s.pool, &interpolants) < size(&s.pool, &plain), "{shown:?}");
            }
        }
    }
    // Assigning a guard both ways is an error, not an interpolant.
    let both =
        s.solver.interpolate_focused(&mut s.pool, &tree, &[p, not_p], ItpOptions::default(), &Budget::unlimited());
    assert!(matches!(both, Err(ItpError::BadTree(_))), "{both:?}");
}

/// A check that is stopped while formulas are loaded can be repeated.
#[test]
fn loading_stops_and_goes_on() {
    let mut pool = TermPool::new();
    let sort = pool.bitvec_sort(24);
    let words: Vec<TermId> = (0..6).map(|k| pool.constant(&format!("b{k}"), sort)).collect();
    let mut solver = SmtSolver::with_proofs();
    for k in 0..5 {
        if k == 3 {
            solver.push();
        }
        let quotient = pool.bv(logic::Op::BvUdiv, &[words[k], words[k + 1]]);
        let one = pool.bv_num(1.into(), 24);
        let t = pool.eq(quotient, one);
        solver.assert(&mut pool, t);
        let cancelled = Budget::unlimited();
        cancelled.cancel();
        assert!(matches!(solver.check(&mut pool, &cancelled), SatResult::Unknown(_)));
    }
    let (first, last) = (words[0], words[5]);
    let larger = pool.bv(logic::Op::BvUlt, &[first, last]);
    let zero = pool.bv_num(0.into(), 24);
    let is_zero = pool.eq(last, zero);
    let not_zero = pool.not(is_zero);
    assert_eq!(solver.check_assuming(&mut pool, &[not_zero, larger], &Budget::unlimited()), SatResult::Unsat);
    assert!(matches!(solver.check_refutation(&mut pool), Some(Ok(_))));
    solver.pop(1);
    assert_eq!(solver.check(&mut pool, &Budget::unlimited()), SatResult::Sat);
}

#[test]
fn every_theory_and_strength() {
    let problems: [&[&str]; 8] = [
        &["(<= 0.0 (+ x1 x2))", "(<= 0.0 (+ x1 x3))", "(<= 0.0 (- x1))", "(<= 1.0 (- (- x2) x3))"],
        &["(or p (= x 0))", "(=> p (= x 1))", "(= y (+ x 1))", "(or (< y 1) (> y 2))"],
        &["(= x y)", "(= x z)", "(= y w)", "(distinct z w)"],
        &["(= x (f y))", "(= y z)", "(= w (f z))", "(distinct x w)"],
        &["(and (<= x i) (>= x j) (= (f x) 0))", "(and (<= y j) (>= y i) (<= j i) (<= i j) (= (f y) 1))"],
        &["(<= 0 x 1)", "(distinct (f x) (f 0))", "(distinct (f x) (f 1))"],
        &["(= b (store a i 0))", "(= c (store b j 0))", "(distinct (select c i) 0)"],
        &["(< (mod x 4) 2)", "(= y (+ x 2))", "(< (mod y 4) 2)"],
    ];
    for parts in problems {
        session(parts).ask_everything();
    }
}

#[test]
fn long_sequences_are_no_trouble() {
    let mut pool = TermPool::new();
    let n = 1500;
    let vars: Vec<TermId> = (0..=n).map(|k| pool.constant(&format!("v{k}"), SortId::INT)).collect();
    let mut solver = SmtSolver::with_proofs();
    let zero = pool.int(0);
    let one = pool.int(1);
    let start = pool.eq(vars[0], zero);
    let mut groups = vec![vec![solver.assert(&mut pool, start)]];
    for k in 0..n {
        let next = pool.add(&[vars[k], one]);
        let step = pool.eq(vars[k + 1], next);
        groups.push(vec![solver.assert(&mut pool, step)]);
    }
    let end = pool.lt(vars[n], zero);
    groups.push(vec![solver.assert(&mut pool, end)]);
    assert_eq!(solver.check(&mut pool, &Budget::unlimited()), SatResult::Unsat);
    let tree = ItpTree::sequence(groups);
    let interpolants = solver.interpolate(&mut pool, &tree, ItpOptions::default(), &Budget::unlimited());
    assert_eq!(interpolants.map(|i| i.len()), Ok(n + 1));
}

#[test]
fn bad_requests_are_errors() {
    let mut s = session(&["(< x 0)", "(> x 0)"]);
    let (a, b) = (s.ids[0], s.ids[1]);
    let ask = |s: &mut Session, tree: ItpTree| {
        s.solver.interpolate(&mut s.pool, &tree, ItpOptions::default(), &Budget::unlimited())
    };
    let overlapping = ItpTree::sequence(vec![vec![a], vec![a, b]]);
    assert!(matches!(ask(&mut s, overlapping), Err(ItpError::BadTree(_))));
    let unknown = ItpTree::sequence(vec![vec![a], vec![AssertionId(77)]]);
    assert!(matches!(ask(&mut s, unknown), Err(ItpError::BadTree(_))));
    let two_roots = ItpTree { groups: vec![vec![a], vec![b]], parent: vec![None, None] };
    assert!(matches!(ask(&mut s, two_roots), Err(ItpError::BadTree(_))));
    // One refutation, asked again: still right.
    let tree = ItpTree::sequence(vec![vec![a], vec![b]]);
    assert_eq!(ask(&mut s, tree.clone()).map(|i| i.len()), Ok(1));
    s.solver.push();
    assert_eq!(ask(&mut s, tree), Err(ItpError::NoRefutation));
}

/// The third group is the parent of the second, which says of its stretch of the path from `ux` to `uy` only that its
/// ends are equal, `ua = ud`: at the parent the congruence must not be split at `uc`, which lies inside, though it is
/// shared.
#[test]
fn a_congruence_is_not_split_inside_a_factor_of_a_child() {
    let mut s = session(&[
        "(and (= uy ud) (not (uq uy)) (or (= uc uy) (= ud uy)))",
        "(and (= uc ud) (= uc ub) (= ub ua) (or (uq ua) (= ua ub)))",
        "(= ua ux)",
        "(uq ux)",
    ]);
    let groups: Vec<Vec<AssertionId>> = s.ids.iter().map(|&id| vec![id]).collect();
    let tree = ItpTree { groups, parent: vec![Some(3), Some(2), Some(3), None] };
    for labelling in [Labelling::McMillan, Labelling::Pudlak] {
        s.ask(&tree, ItpOptions { labelling, farkas: Farkas::Strong });
    }
    s.ask_everything();
}
