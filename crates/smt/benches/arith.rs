//! How fast the simplex pivots: `cargo bench -p craig-smt --bench arith`.
//!
//! Three shapes of linear systems: chains `x(k+1) = x(k) + 1` as loop unrollings give them, dense random systems, and
//! many tiny systems made and dropped, as a model checker asks them.

use base::Random;
use std::time::Instant;

use base::Budget;
use logic::Rational;
use smt::arith::delta::Delta;
use smt::arith::simplex::{Feasibility, Side, Simplex};

fn report(name: &str, start: Instant, n_pivots: u64, n_checks: u64) {
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{name:<24} {seconds:>8.3} s {n_pivots:>9} pivots {:>12.0} pivots/s {n_checks:>8} checks {:>10.0} checks/s",
        n_pivots as f64 / seconds,
        n_checks as f64 / seconds
    );
}

fn chains(length: usize, rounds: usize) {
    let start = Instant::now();
    let (mut n_pivots, mut n_checks) = (0, 0);
    for round in 0..rounds {
        let mut simplex = Simplex::new();
        let vars: Vec<_> = (0..=length).map(|_| simplex.new_var(true)).collect();
        for k in 0..length {
            let step = simplex.new_form(&[(vars[k + 1], Rational::ONE), (vars[k], Rational::MINUS_ONE)], true);
            for side in [Side::Lower, Side::Upper] {
                assert!(simplex.assert_bound(step, side, Delta::from(Rational::ONE), 0).is_ok());
            }
            assert!(matches!(simplex.check(&Budget::unlimited()), Feasibility::Feasible));
        }
        let ends = [(vars[0], Side::Lower, 0), (vars[length], Side::Upper, length as i64 - (round % 2) as i64)];
        for (var, side, value) in ends {
            assert!(simplex.assert_bound(var, side, Delta::from(Rational::from(value)), 0).is_ok());
        }
        assert_eq!(matches!(simplex.check(&Budget::unlimited()), Feasibility::Feasible), round % 2 == 0);
        n_pivots += simplex.stats().pivots;
        n_checks += simplex.stats().checks;
    }
    report(&format!("chain of {length}"), start, n_pivots, n_checks);
}

fn dense(n_vars: usize, n_rows: usize, rounds: usize) {
    let mut random = Random::new(88172645463325252);
    let start = Instant::now();
    let (mut n_pivots, mut n_checks) = (0, 0);
    for _ in 0..rounds {
        let mut simplex = Simplex::new();
        let vars: Vec<_> = (0..n_vars).map(|_| simplex.new_var(false)).collect();
        for _ in 0..n_rows {
            let form: Vec<_> = vars
                .iter()
                .map(|var| (*var, Rational::from(random.between(-3, 3))))
                .filter(|(_, coeff)| !coeff.is_zero())
                .collect();
            if form.is_empty() {
                continue;
            }
            let row = simplex.new_form(&form, false);
            let bound = Delta::from(Rational::from(random.between(-2, 20)));
            if simplex.assert_bound(row, Side::Lower, bound, 0).is_err()
                || !matches!(simplex.check(&Budget::unlimited()), Feasibility::Feasible)
            {
                break;
            }
        }
        n_pivots += simplex.stats().pivots;
        n_checks += simplex.stats().checks;
    }
    report(&format!("dense {n_vars}x{n_rows}"), start, n_pivots, n_checks);
}

fn tiny(rounds: usize) {
    let start = Instant::now();
    let mut simplex = Simplex::new();
    let vars: Vec<_> = (0..6).map(|_| simplex.new_var(true)).collect();
    let mut random = Random::new(362436069);
    for _ in 0..rounds {
        let mark = simplex.mark();
        let mut forms = Vec::new();
        for _ in 0..3 {
            let (a, b) = (random.below(6), random.below(6));
            if a == b {
                continue;
            }
            let form = simplex.new_form(&[(vars[a], Rational::ONE), (vars[b], Rational::MINUS_ONE)], true);
            let side = if random.below(2) == 0 { Side::Lower } else { Side::Upper };
            let value = Delta::from(Rational::from(random.between(-3, 3)));
            assert!(simplex.assert_bound(form, side, value, 0).is_ok());
            forms.push(form);
        }
        simplex.check(&Budget::unlimited());
        simplex.backtrack(mark);
        for form in forms {
            simplex.remove_form(form);
        }
    }
    report("tiny", start, simplex.stats().pivots, simplex.stats().checks);
}

fn main() {
    chains(50, 200);
    chains(500, 4);
    dense(20, 30, 100);
    dense(60, 80, 4);
    tiny(200_000);
}
