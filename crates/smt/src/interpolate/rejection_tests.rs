//! What happens when an interpolation rule is wrong: the result is found out and replaced.
//!
//! The tests spoil the interpolants that were read off the refutation before they are verified.

use crate::script::{ScriptOptions, run_script};
use crate::solver::{SmtOptions, SmtSolver};
use base::Budget;
use logic::{AssertionId, ItpOptions, ItpTree, Op, SatResult, Solver, SortId, TermId, TermPool};
use std::cell::Cell;

type Spoiler = fn(&mut TermPool, &[TermId]) -> Vec<TermId>;

thread_local! {
    static SPOILER: Cell<Option<Spoiler>> = const { Cell::new(None) };
}

/// The interpolants, spoilt if a test wants it.
pub(super) fn spoil(pool: &mut TermPool, formulas: Vec<TermId>) -> Vec<TermId> {
    match SPOILER.get() {
        Some(spoiler) => spoiler(pool, &formulas),
        None => formulas,
    }
}

/// Wrong in every way an interpolant can be: not implied, not contradictory, both, of another vocabulary, too few.
const SPOILERS: [Spoiler; 5] = [
    |_, formulas| vec![TermId::FALSE; formulas.len()],
    |_, formulas| vec![TermId::TRUE; formulas.len()],
    |pool, formulas| formulas.iter().map(|&f| pool.not(f)).collect(),
    |pool, formulas| {
        let stranger = pool.constant("a stranger", SortId::BOOL);
        formulas.iter().map(|&f| pool.and(&[f, stranger])).collect()
    },
    |_, formulas| formulas[1..].to_vec(),
];

/// Contradictory groups, none of which nor any union of neighbours at an end is contradictory alone, so that neither ⊤
/// nor ⊥ is an interpolant anywhere.
fn problems(pool: &mut TermPool) -> Vec<Vec<TermId>> {
    let (int, real, bool_) = (SortId::INT, SortId::REAL, SortId::BOOL);
    let word = pool.bitvec_sort(4);
    let thing = pool.uninterpreted_sort("U");
    let table = pool.array_sort(int, int);
    let mut problems = Vec::new();
    // x0 = 2·k | x1 = x0 + 2 | x2 = x1 | x2 odd.
    let xs: Vec<TermId> = (0..3).map(|k| pool.constant(&format!("x{k}"), int)).collect();
    let k = pool.constant("k", int);
    let two = pool.int(2);
    let (twice, next, one) = (pool.mul(&[two, k]), pool.add(&[xs[0], two]), pool.int(1));
    let remainder = pool.modulo(xs[2], two);
    problems.push(vec![pool.eq(xs[0], twice), pool.eq(xs[1], next), pool.eq(xs[2], xs[1]), pool.eq(remainder, one)]);
    // Orders of reals.
    let rs: Vec<TermId> = (0..4).map(|k| pool.constant(&format!("r{k}"), real)).collect();
    problems.push(vec![pool.lt(rs[0], rs[1]), pool.le(rs[1], rs[2]), pool.le(rs[2], rs[3]), pool.le(rs[3], rs[0])]);
    // Equalities through a function.
    let f = pool.declare_fun("f", &[thing], thing);
    let us: Vec<TermId> = (0..4).map(|k| pool.constant(&format!("u{k}"), thing)).collect();
    let (first, last) = (pool.app(f, &[us[0]]), pool.app(f, &[us[3]]));
    let equal = pool.eq(first, last);
    problems.push(vec![pool.eq(us[0], us[1]), pool.eq(us[1], us[2]), pool.eq(us[2], us[3]), pool.not(equal)]);
    // Arrays with shared indices.
    let arrays: Vec<TermId> = (0..3).map(|k| pool.constant(&format!("a{k}"), table)).collect();
    let (i, j) = (pool.constant("i", int), pool.constant("j", int));
    let written = pool.store(arrays[0], i, one);
    let read = pool.select(arrays[2], j);
    let wrong = pool.eq(read, one);
    problems.push(vec![pool.eq(arrays[1], written), pool.eq(arrays[2], arrays[1]), pool.eq(i, j), pool.not(wrong)]);
    // Words.
    let ws: Vec<TermId> = (0..3).map(|k| pool.constant(&format!("w{k}"), word)).collect();
    let (three, eleven) = (pool.bv_num(3.into(), 4), pool.bv_num(11.into(), 4));
    problems.push(vec![
        pool.bv(Op::BvUlt, &[ws[0], three]),
        pool.eq(ws[1], ws[0]),
        pool.eq(ws[2], ws[1]),
        pool.bv(Op::BvUlt, &[eleven, ws[2]]),
    ]);
    // Booleans.
    let ps: Vec<TermId> = (0..3).map(|k| pool.constant(&format!("p{k}"), bool_)).collect();
    problems.push(vec![ps[0], pool.implies(ps[0], ps[1]), pool.implies(ps[1], ps[2]), pool.not(ps[2])]);
    problems
}

fn refuted(pool: &mut TermPool, problem: &[TermId], verify: bool) -> (SmtSolver, Vec<AssertionId>) {
    let mut solver = SmtSolver::new(SmtOptions { proofs: true, verify_interpolants: verify });
    let ids = problem.iter().map(|&t| solver.assert(pool, t)).collect();
    assert_eq!(solver.check(pool, &Budget::unlimited()), SatResult::Unsat);
    (solver, ids)
}

/// A pair, a sequence, a tree with two branches.
fn trees(ids: &[AssertionId]) -> [ItpTree; 3] {
    let each: Vec<Vec<AssertionId>> = ids.iter().map(|&id| vec![id]).collect();
    [
        ItpTree { groups: vec![ids[..2].to_vec(), ids[2..].to_vec()], parent: vec![Some(1), None] },
        ItpTree { groups: each.clone(), parent: vec![Some(1), Some(2), Some(3), None] },
        ItpTree { groups: each, parent: vec![Some(1), Some(3), Some(3), None] },
    ]
}

#[test]
fn a_wrong_interpolant_is_replaced_by_a_right_one() {
    let mut pool = TermPool::new();
    for problem in problems(&mut pool) {
        for (t, spoiler) in SPOILERS.into_iter().enumerate() {
            let (mut solver, ids) = refuted(&mut pool, &problem, true);
            for tree in trees(&ids) {
                let before = solver.interpolation_stats();
                SPOILER.set(Some(spoiler));
                let result = solver.interpolate(&mut pool, &tree, ItpOptions::default(), &Budget::unlimited());
                SPOILER.set(None);
                let shown: Vec<String> = problem.iter().map(|&f| pool.smtlib(f)).collect();
                let interpolants = result.unwrap_or_else(|error| panic!("{shown:?}, spoiler {t}: {error}"));
                let stats = solver.interpolation_stats();
                assert_eq!(stats.rejected, before.rejected + 1, "{shown:?}, spoiler {t} went unnoticed");
                let others = |s: super::ItpStats| s.by_projection + s.by_pure_refutation + s.by_mixed_rules;
                assert_eq!(others(stats), others(before) + 1);
                let parts = super::partitions(&tree, solver.assertions()).expect("a tree");
                let verdict = super::verify::verify(&mut pool, &parts, &interpolants, &Budget::unlimited());
                assert_eq!(verdict, Ok(()), "{shown:?}");
            }
        }
    }
}

#[test]
fn without_verification_nobody_notices() {
    let mut pool = TermPool::new();
    let problem = problems(&mut pool).swap_remove(0);
    let (mut solver, ids) = refuted(&mut pool, &problem, false);
    SPOILER.set(Some(SPOILERS[0]));
    let result = solver.interpolate(&mut pool, &trees(&ids)[0], ItpOptions::default(), &Budget::unlimited());
    SPOILER.set(None);
    assert_eq!(result, Ok(vec![TermId::FALSE]));
    assert_eq!(solver.interpolation_stats().rejected, 0);
}

#[test]
fn a_script_prints_the_replacement() {
    let script = "(set-option :produce-interpolants true)
        (declare-fun x () Int)(declare-fun y () Int)
        (assert (! (<= 3 x) :named A))(assert (! (and (<= x y) (< y 3)) :named B))
        (check-sat)(get-interpolants A B)";
    let run = |spoiler: Option<Spoiler>| {
        SPOILER.set(spoiler);
        let mut out = Vec::new();
        run_script(script.as_bytes(), &mut out, &ScriptOptions::default(), &Budget::unlimited()).expect("output");
        SPOILER.set(None);
        String::from_utf8_lossy(&out).into_owned()
    };
    // Here both ways give the same formula.
    assert_eq!(run(Some(SPOILERS[2])), run(None));
    assert!(!run(None).contains("error"));
}
