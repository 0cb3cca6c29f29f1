//! Whole checks of the kind that model checkers send: `cargo bench -p craig-smt --bench path_formulas`.
//!
//! - path formulas of loops of growing length, satisfiable and not, with and without a refutation;
//! - thousands of small Hoare triples in one incremental solver.

use std::time::Instant;

use base::Budget;
use logic::{Rational, SatResult, Solver, SortId, TermId, TermPool};
use smt::{SmtOptions, SmtSolver};

fn copies(pool: &mut TermPool, name: &str, n: usize) -> Vec<TermId> {
    (0..n).map(|k| pool.constant(&format!("{name}@{k}"), SortId::INT)).collect()
}

fn plus(pool: &mut TermPool, t: TermId, n: i64) -> TermId {
    let n = pool.int(n);
    pool.add(&[t, n])
}

/// `i = 0; s = 0; while (i < n) { s += 2, i++ }` unrolled, then a claim about the end; or with a choice between
/// `s += 1` and `s += 2` in each round, which makes the number of paths exponential.
fn unrolled_loop(pool: &mut TermPool, length: usize, choice: bool, holds: bool) -> Vec<TermId> {
    let (i, s) = (copies(pool, "i", length + 1), copies(pool, "s", length + 1));
    let (zero, n) = (pool.int(0), pool.constant("n", SortId::INT));
    let mut path = vec![pool.eq(i[0], zero), pool.eq(s[0], zero)];
    for k in 0..length {
        path.push(pool.lt(i[k], n));
        let next = plus(pool, i[k], 1);
        path.push(pool.eq(i[k + 1], next));
        let (one, two) = (plus(pool, s[k], 1), plus(pool, s[k], 2));
        let (small, large) = (pool.eq(s[k + 1], one), pool.eq(s[k + 1], two));
        path.push(if choice { pool.or2(small, large) } else { large });
    }
    path.push(pool.ge(i[length], n));
    let limit = pool.int(2 * length as i64 - i64::from(!holds));
    path.push(if holds { pool.gt(s[length], limit) } else { pool.ge(s[length], limit) });
    path
}

fn paths(length: usize, choice: bool, proofs: bool) {
    for holds in [true, false] {
        let mut pool = TermPool::new();
        let path = unrolled_loop(&mut pool, length, choice, holds);
        let start = Instant::now();
        let mut solver = SmtSolver::new(SmtOptions { proofs, ..SmtOptions::default() });
        for t in path {
            solver.assert(&mut pool, t);
        }
        let answer = solver.check(&mut pool, &Budget::unlimited());
        assert_eq!(answer, if holds { SatResult::Unsat } else { SatResult::Sat });
        let stats = solver.stats();
        println!(
            "{} of {length:>4}, {}, proofs {proofs:<5}: {:>9.2} ms, {stats:?}",
            if choice { "diamonds" } else { "path" },
            if holds { "unsat" } else { "sat  " },
            start.elapsed().as_secs_f64() * 1e3
        );
    }
}

/// `{P} st {Q}` with P and Q boxes and differences over a few variables.
fn triples(rounds: usize, proofs: bool) {
    let mut pool = TermPool::new();
    let (x, y, z) = (copies(&mut pool, "x", 2), copies(&mut pool, "y", 2), copies(&mut pool, "z", 2));
    let mut solver = SmtSolver::new(SmtOptions { proofs, ..SmtOptions::default() });
    let next = plus(&mut pool, x[0], 1);
    let sum = pool.add(&[y[0], x[0]]);
    let transition = [pool.eq(x[1], next), pool.eq(y[1], sum), pool.eq(z[1], z[0]), pool.lt(x[0], z[0])];
    for t in transition {
        solver.assert(&mut pool, t);
    }
    let mut predicates = Vec::new();
    for k in 0..2 {
        let mut copy = Vec::new();
        for c in 0..4 {
            let c = pool.int(c);
            let difference = pool.sub(x[k], z[k]);
            let twice = pool.scale(x[k], &Rational::from(2));
            let bound = pool.sub(y[k], twice);
            copy.extend([pool.ge(x[k], c), pool.le(difference, c), pool.ge(y[k], c), pool.le(bound, c)]);
            copy.push(pool.lt(c, z[k]));
        }
        predicates.push(copy);
    }
    let n = predicates[0].len();
    let start = Instant::now();
    let (mut n_checks, mut n_valid) = (0, 0);
    for round in 0..rounds {
        let (p, q) = (round % n, (round / n) % n);
        let second = (round / 7) % n;
        solver.push();
        solver.assert(&mut pool, predicates[0][p]);
        solver.assert(&mut pool, predicates[0][second]);
        let negated = pool.not(predicates[1][q]);
        solver.push();
        solver.assert(&mut pool, negated);
        match solver.check(&mut pool, &Budget::unlimited()) {
            SatResult::Unsat => n_valid += 1,
            SatResult::Sat => {}
            SatResult::Unknown(why) => panic!("{why}"),
        }
        n_checks += 1;
        solver.pop(2);
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "triples, proofs {proofs:<5}: {n_checks} checks ({n_valid} valid), {:.0} checks/s",
        n_checks as f64 / seconds
    );
}

fn main() {
    for proofs in [false, true] {
        for length in [10, 50, 200, 500] {
            paths(length, false, proofs);
        }
        for length in [5, 10, 20, 40] {
            paths(length, true, proofs);
        }
        triples(5_000, proofs);
    }
}
