//! How many small incremental checks a second: Hoare triples as a model checker asks them.
//!
//!     cargo run --release -p craig-smt --example small_checks [-- SECONDS]
//!
//! For each statement of a toy program (assignments, assumptions, array writes) the transition is asserted once; for
//! each pair of predicates `{P} statement {Q}` is checked in two nested scopes.

use base::Budget;
use logic::{SatResult, Solver, SortId, TermId, TermPool};
use smt::{SmtOptions, SmtSolver};
use std::time::Instant;

fn main() {
    let seconds: f64 = std::env::args().nth(1).and_then(|s| s.parse().ok()).unwrap_or(2.0);
    for (proofs, arrays) in [(false, false), (true, false), (false, true)] {
        let mut pool = TermPool::new();
        let vars: Vec<(TermId, TermId)> = ["x", "y", "z", "n", "i"]
            .iter()
            .map(|v| (pool.constant(v, SortId::INT), pool.constant(&format!("{v}'"), SortId::INT)))
            .collect();
        let array_sort = pool.array_sort(SortId::INT, SortId::INT);
        let (a, a2) = (pool.constant("a", array_sort), pool.constant("a'", array_sort));
        let one = pool.int(1);
        // Statements: v := v + w + 1 for pairs, with all else unchanged.
        let mut statements = Vec::new();
        for k in 0..vars.len() {
            let w = vars[(k + 1) % vars.len()].0;
            let sum = pool.add(&[vars[k].0, w, one]);
            let mut parts = Vec::new();
            for (j, &(v, v2)) in vars.iter().enumerate() {
                parts.push(if j == k { pool.eq(v2, sum) } else { pool.eq(v2, v) });
            }
            if arrays {
                let stored = pool.store(a, vars[4].0, sum);
                parts.push(pool.eq(a2, stored));
            }
            statements.push(pool.and(&parts));
        }
        // Predicates over pre- and post-state.
        let mut predicates: Vec<(TermId, TermId)> = Vec::new();
        for k in 0..vars.len() {
            for c in 0..4 {
                let c = pool.int(c);
                let (x, x2) = vars[k];
                let (y, y2) = vars[(k + 2) % vars.len()];
                predicates.push((pool.le(x, c), pool.le(x2, c)));
                let (s, s2) = (pool.add(&[y, c]), pool.add(&[y2, c]));
                predicates.push((pool.lt(x, s), pool.lt(x2, s2)));
                if arrays {
                    let (r, r2) = (pool.select(a, x), pool.select(a2, x2));
                    predicates.push((pool.le(r, c), pool.le(r2, c)));
                }
            }
        }
        let mut solver = SmtSolver::new(SmtOptions { proofs, ..SmtOptions::default() });
        let budget = Budget::unlimited();
        let (mut n, mut valid, mut unknown) = (0u64, 0u64, 0u64);
        let start = Instant::now();
        'outer: loop {
            for &s in &statements {
                solver.push();
                solver.assert(&mut pool, s);
                for &(p, _) in &predicates {
                    solver.push();
                    solver.assert(&mut pool, p);
                    for &(_, q2) in &predicates {
                        solver.push();
                        let not_q = pool.not(q2);
                        solver.assert(&mut pool, not_q);
                        match solver.check(&mut pool, &budget) {
                            SatResult::Unsat => valid += 1,
                            SatResult::Sat => {}
                            SatResult::Unknown(_) => unknown += 1,
                        }
                        solver.pop(1);
                        n += 1;
                    }
                    solver.pop(1);
                    if start.elapsed().as_secs_f64() > seconds {
                        break 'outer;
                    }
                }
                solver.pop(1);
            }
        }
        let rate = n as f64 / start.elapsed().as_secs_f64();
        println!(
            "proofs {proofs}, arrays {arrays}: {n} checks, {valid} valid, {unknown} unknown, {rate:.0} a second; {:?}",
            solver.stats()
        );
    }
}
