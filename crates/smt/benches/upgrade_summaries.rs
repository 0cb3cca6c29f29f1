//! Summaries for upgrades: rebuilds Table 3 of the PVAIR paper (Jančík, Alt, Fedyukovich, Hyvärinen, Kofroň, Sharygina,
//! FASE 2016) on programs of our own.
//!
//! `cargo bench -p craig-smt --bench upgrade_summaries [-- --width N]`. A program S calls a function that multiplies
//! several pairs of words, each in one of two ways, as a condition says, and asserts that the products are right: ten
//! programs, nonlinear and bit-precise, from a generator. The function's summary is the interpolant between its body
//! and the rest. In the new version U one to three of the conditions are fixed (`if (P) A else B` became
//! `assume(P); A`). Then
//!
//! 1. *bootstrap*: S is refuted once, and the summary is read off, without and with the assignment that the change
//!    means (the same refutation);
//! 2. *upgrade*: the summary is validated for the body in U.
//!
//! Columns as in the paper: fixed guards, clauses of the summary, seconds of both steps, the speed-up of the upgrade by
//! focusing, and what it costs relative to the bootstrap. Every summary is verified (outside of the measured time).

use base::Budget;
use smt::focused::cnf::{Cnf, literal};
use smt::focused::export::definition;
use smt::focused::plain_sat::solve;
use smt::focused::{Focus, Interpolants, Query, Refuted};
use smt::sat::Outcome;
use smt::sat::types::Lit;
use std::time::Instant;

/// Clauses under construction, each marked with the branch that it belongs to.
#[derive(Default)]
struct Builder {
    cnf: Cnf,
    /// For each clause the number of the guard whose other branch it is of.
    other_branch: Vec<Option<usize>>,
    branch: Option<usize>,
}

impl Builder {
    fn var(&mut self) -> Lit {
        self.cnf.n_vars += 1;
        literal(self.cnf.n_vars as i64).expect("numbers from 1 on are literals")
    }
    fn word(&mut self, width: usize) -> Vec<Lit> {
        (0..width).map(|_| self.var()).collect()
    }
    fn clause(&mut self, lits: &[Lit]) {
        self.cnf.clauses.push(lits.to_vec());
        self.other_branch.push(self.branch);
    }
    fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let x = self.var();
        for (p, q) in [(a, b), (!a, !b)] {
            self.clause(&[!x, p, q]);
            self.clause(&[x, p, !q]);
        }
        x
    }
    fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let x = self.var();
        self.clause(&[!x, a]);
        self.clause(&[!x, b]);
        self.clause(&[x, !a, !b]);
        x
    }
    fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }
    fn zero(&mut self) -> Lit {
        let zero = self.var();
        self.clause(&[!zero]);
        zero
    }
    fn add(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> Vec<Lit> {
        let mut sum = Vec::new();
        for (&x, &y) in a.iter().zip(b) {
            let half = self.xor(x, y);
            sum.push(self.xor(half, carry));
            let both = self.and(x, y);
            let through = self.and(half, carry);
            carry = self.or(both, through);
        }
        sum
    }
    /// By shifting and adding, with the low bits first or last.
    fn multiply(&mut self, a: &[Lit], b: &[Lit], low_first: bool) -> Vec<Lit> {
        let zero = self.zero();
        let mut sum = vec![zero; a.len()];
        let mut places: Vec<usize> = (0..b.len()).collect();
        if !low_first {
            places.reverse();
        }
        for k in places {
            let shifted: Vec<Lit> = (0..a.len()).map(|i| if i < k { zero } else { self.and(a[i - k], b[k]) }).collect();
            sum = self.add(&sum, &shifted, zero);
        }
        sum
    }
    /// x·y = x·(y − 1) + x, modulo the width.
    fn multiply_less_one(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let zero = self.zero();
        let ones = vec![!zero; b.len()];
        let less = self.add(b, &ones, zero);
        let product = self.multiply(&less, a, true);
        self.add(&product, a, zero)
    }
    fn less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut less = self.zero();
        for (&x, &y) in a.iter().zip(b) {
            let here = self.and(!x, y);
            let same = !self.xor(x, y);
            let keep = self.and(same, less);
            less = self.or(here, keep);
        }
        less
    }
}

/// A program and its new version.
struct Upgrade {
    cnf: Cnf,
    /// The clauses of the function come first.
    body: usize,
    /// Without the branches that are gone.
    new_body: Vec<Vec<Lit>>,
    fixed: Vec<Lit>,
}

/// A function with so many conditional products, of which the first `n_fixed` conditions are fixed.
fn generate(n_products: usize, n_fixed: usize, width: usize, variant: usize) -> Upgrade {
    let mut b = Builder::default();
    let inputs: Vec<(Vec<Lit>, Vec<Lit>)> = (0..n_products).map(|_| (b.word(width), b.word(width))).collect();
    let mut guards = Vec::new();
    let mut results = Vec::new();
    for (k, (x, y)) in inputs.iter().enumerate() {
        let guard = if (variant + k).is_multiple_of(2) { b.less(x, y) } else { b.xor(x[0], y[width - 1]) };
        let then = b.multiply(x, y, true);
        b.branch = Some(k);
        let other =
            if (variant / 2 + k).is_multiple_of(2) { b.multiply_less_one(x, y) } else { b.multiply(y, x, false) };
        b.branch = None;
        let result = b.word(width);
        for i in 0..width {
            b.clause(&[!guard, !then[i], result[i]]);
            b.clause(&[!guard, then[i], !result[i]]);
            b.branch = Some(k);
            b.clause(&[guard, !other[i], result[i]]);
            b.clause(&[guard, other[i], !result[i]]);
            b.branch = None;
        }
        guards.push(guard);
        results.push(result);
    }
    let body = b.cnf.clauses.len();
    // The caller's assertion: every product is the other way round, too.
    let mut wrong = Vec::new();
    for ((x, y), result) in inputs.iter().zip(&results) {
        let product = b.multiply(y, x, true);
        wrong.extend((0..width).map(|i| b.xor(result[i], product[i])));
    }
    b.clause(&wrong);
    let fixed: Vec<Lit> = guards.into_iter().take(n_fixed).collect();
    let stays = |k: &usize| !matches!(b.other_branch[*k], Some(branch) if branch < n_fixed);
    let mut new_body: Vec<Vec<Lit>> = (0..body).filter(stays).map(|k| b.cnf.clauses[k].clone()).collect();
    new_body.extend(fixed.iter().map(|&l| vec![l]));
    Upgrade { cnf: b.cnf, body, new_body, fixed }
}

/// The clauses of a summary, and the seconds that it takes to validate it for the new body.
fn validate(upgrade: &Upgrade, summary: &Interpolants, budget: &Budget) -> (usize, f64) {
    let (clauses, root, n_vars) = definition(&summary.circuit, summary.gates[0], upgrade.cnf.n_vars);
    let all: Vec<Vec<Lit>> = upgrade.new_body.iter().chain(&clauses).cloned().chain([vec![!root]]).collect();
    let began = Instant::now();
    let (outcome, _) = solve(n_vars, all.iter().map(Vec::as_slice), false, budget);
    assert!(matches!(outcome, Outcome::Unsat), "the summary is valid for the new body");
    (clauses.len(), began.elapsed().as_secs_f64())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let value = |flag: &str| args.iter().position(|a| a == flag).and_then(|k| args.get(k + 1)?.parse().ok());
    let width: usize = value("--width").unwrap_or(5);
    let budget = Budget::unlimited();
    println!(
        "test  guards  clauses of summary     bootstrap            upgrade              speed-up  upgrade/bootstrap"
    );
    let (mut sizes, mut speedups, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for (test, n_fixed) in [3, 1, 2, 1, 2, 3, 3, 1, 1, 2].into_iter().enumerate() {
        let n_products = n_fixed.max(1 + test % 2);
        let upgrade = generate(n_products, n_fixed, width + test % 2, test);
        let began = Instant::now();
        let refuted = Refuted::prove(upgrade.cnf.clone(), &budget).expect("the program is safe");
        let proved = began.elapsed().as_secs_f64();
        let query = |assignment: Vec<Lit>| Query {
            splits: vec![upgrade.body],
            assignment,
            focus: Focus::Propagated,
            ..Query::default()
        };
        let summary = |assignment: Vec<Lit>| {
            let began = Instant::now();
            let summary = refuted.interpolate(&query(assignment.clone()), &budget).expect("an interpolant");
            let took = proved + began.elapsed().as_secs_f64();
            refuted.interpolate_verified(&query(assignment), &budget).expect("a verified interpolant");
            (summary, took)
        };
        let (plain, boot) = summary(Vec::new());
        let (focused, boot_focused) = summary(upgrade.fixed.clone());
        let (n_plain, slow) = validate(&upgrade, &plain, &budget);
        let (n_focused, fast) = validate(&upgrade, &focused, &budget);
        let size = 100.0 * n_focused as f64 / n_plain as f64;
        let (speedup, ratio) = (slow / fast, 100.0 * fast / boot_focused);
        println!(
            "{test:>4}  {n_fixed:>6}  {n_plain:>8} → {size:>5.1} %  {boot:>8.3} → {boot_focused:>8.3}  {slow:>8.4} → {fast:>8.4}  {speedup:>8.2}  {:>6.1} → {ratio:>5.1} %",
            100.0 * slow / boot
        );
        sizes.push(size);
        speedups.push(speedup);
        ratios.push(ratio);
    }
    println!(
        "medians: summary {:.1} %, speed-up {:.2}, upgrade/bootstrap {:.1} % (the paper: 58 %, 1.73, 15 %)",
        median(sizes),
        median(speedups),
        median(ratios)
    );
}
