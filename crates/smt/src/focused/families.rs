//! Unsatisfiable formulas to try interpolation on, made from a size and a seed.
//!
//! *Application*: bounded unrollings of small programs, bit-blasted here. *Crafted*: pigeonhole,
//! parity on graphs (Urquhart's formulas on random regular graphs, and on grids), ordering.
//! *Random*: 3-SAT above the threshold (4.8 and 4.5 clauses a variable). *Wide random*: clauses of five and seven
//! literals, as in the random track of the SAT Competition, where fewer variables make a hard formula.

#![allow(clippy::needless_range_loop)] // vertices, holes and elements are numbers

use super::cnf::Cnf;
use super::plain_sat;
use crate::sat::Outcome;
use crate::sat::types::{Lit, Var};
use base::Budget;
use base::Random;

/// The three families of the experiment, and one for comparison.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Family {
    Application,
    Random,
    Crafted,
    WideRandom,
}

/// A named formula.
#[derive(Clone, Debug)]
pub struct Instance {
    pub family: Family,
    pub name: String,
    pub cnf: Cnf,
}

#[derive(Default)]
struct Builder {
    cnf: Cnf,
}

impl Builder {
    fn var(&mut self) -> Lit {
        self.cnf.n_vars += 1;
        Var(self.cnf.n_vars as u32 - 1).positive()
    }
    fn word(&mut self, width: usize) -> Vec<Lit> {
        (0..width).map(|_| self.var()).collect()
    }
    fn clause(&mut self, lits: &[Lit]) {
        self.cnf.clauses.push(lits.to_vec());
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
    fn constant(&mut self, value: u64, width: usize) -> Vec<Lit> {
        let one = self.var();
        self.clause(&[one]);
        (0..width).map(|k| if value >> k & 1 == 1 { one } else { !one }).collect()
    }
    /// a + b + carry, without the last carry.
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
    /// a < b, unsigned.
    fn less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let zero = self.constant(0, 1)[0];
        let mut less = zero;
        for (&x, &y) in a.iter().zip(b) {
            let here = self.and(!x, y);
            let same = !self.xor(x, y);
            let keep = self.and(same, less);
            less = self.or(here, keep);
        }
        less
    }
    fn mux(&mut self, condition: Lit, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        a.iter()
            .zip(b)
            .map(|(&x, &y)| {
                let z = self.var();
                self.clause(&[!condition, !x, z]);
                self.clause(&[!condition, x, !z]);
                self.clause(&[condition, !y, z]);
                self.clause(&[condition, y, !z]);
                z
            })
            .collect()
    }
    fn equal(&mut self, a: &[Lit], b: &[Lit]) {
        for (&x, &y) in a.iter().zip(b) {
            self.clause(&[!x, y]);
            self.clause(&[x, !y]);
        }
    }
}

/// `x := 0; repeat steps times { if (*) x += 2 else x += 3 }; assert 2·steps <= x <= 3·steps`.
fn counter(steps: usize, width: usize) -> Cnf {
    let mut b = Builder::default();
    let mut x = b.constant(0, width);
    let zero = b.constant(0, width);
    let (two, three) = (b.constant(2, width), b.constant(3, width));
    for _ in 0..steps {
        let choice = b.var();
        let step = b.mux(choice, &two, &three);
        let sum = b.add(&x, &step, zero[0]);
        let next = b.word(width);
        b.equal(&next, &sum);
        x = next;
    }
    let (low, high) = (b.constant(2 * steps as u64, width), b.constant(3 * steps as u64, width));
    let (below, above) = (b.less(&x, &low), b.less(&high, &x));
    b.clause(&[below, above]);
    b.cnf
}

/// Two counters in step, one counting up by `a` where the other does by `a` too, guarded by the
/// same unknown conditions; assert that they stay equal.
fn product_program(steps: usize, width: usize, seed: u64) -> Cnf {
    let mut random = Random::new(seed);
    let mut b = Builder::default();
    let zero = b.constant(0, 1)[0];
    let (mut x, mut y) = (b.word(width), b.word(width));
    let (x0, y0) = (x.clone(), y.clone());
    b.equal(&x0, &y0);
    for _ in 0..steps {
        let condition = b.var();
        let a = b.constant(random.bits() & 7, width);
        let x_sum = b.add(&x, &a, zero);
        let y_sum = b.add(&a, &y, zero);
        let (x_next, y_next) = (b.mux(condition, &x_sum, &x), b.mux(condition, &y_sum, &y));
        (x, y) = (b.word(width), b.word(width));
        let (x1, y1) = (x.clone(), y.clone());
        b.equal(&x1, &x_next);
        b.equal(&y1, &y_next);
    }
    let mut differ = Vec::new();
    for k in 0..width {
        differ.push(b.xor(x[k], y[k]));
    }
    b.clause(&differ);
    b.cnf
}

/// A token passed round a ring under arbitrary scheduling; assert that there is never more than one.
fn token_ring(processes: usize, steps: usize) -> Cnf {
    let mut b = Builder::default();
    let mut token = b.word(processes);
    b.clause(&[token[0]]);
    for k in 1..processes {
        b.clause(&[!token[k]]);
    }
    for _ in 0..steps {
        let moves = b.word(processes);
        let next = b.word(processes);
        for k in 0..processes {
            let before = (k + processes - 1) % processes;
            let stays = b.and(token[k], !moves[k]);
            let arrives = b.and(token[before], moves[before]);
            let new = b.or(stays, arrives);
            b.clause(&[!next[k], new]);
            b.clause(&[next[k], !new]);
        }
        token = next;
    }
    let mut bad = Vec::new();
    for i in 0..processes {
        for j in i + 1..processes {
            bad.push(b.and(token[i], token[j]));
        }
    }
    b.clause(&bad);
    b.cnf
}

/// `n + 1` pigeons in `n` holes.
pub fn pigeonhole(n: usize) -> Cnf {
    let mut b = Builder::default();
    let place: Vec<Vec<Lit>> = (0..=n).map(|_| b.word(n)).collect();
    for pigeon in &place {
        b.clause(pigeon);
    }
    for hole in 0..n {
        for i in 0..=n {
            for j in i + 1..=n {
                b.clause(&[!place[i][hole], !place[j][hole]]);
            }
        }
    }
    b.cnf
}

/// Parity on a graph: the edges at each vertex sum up to its charge; the charges sum up to one.
fn parity(n_vertices: usize, edges: &[(usize, usize)]) -> Cnf {
    let mut b = Builder::default();
    let vars: Vec<Lit> = edges.iter().map(|_| b.var()).collect();
    for v in 0..n_vertices {
        let here: Vec<Lit> =
            edges.iter().zip(&vars).filter(|((x, y), _)| *x == v || *y == v).map(|(_, &l)| l).collect();
        let charge = v == 0;
        for signs in 0u32..1 << here.len() {
            // Forbid the assignments of the wrong parity.
            if (signs.count_ones() % 2 == 1) != charge {
                let clause: Vec<Lit> =
                    here.iter().enumerate().map(|(k, &l)| l.flipped_if(signs >> k & 1 == 1)).collect();
                b.clause(&clause);
            }
        }
    }
    b.cnf
}

/// Urquhart-like: parity on a random multigraph-free graph of degree three to four.
fn urquhart(n_vertices: usize, seed: u64) -> Cnf {
    let mut random = Random::new(seed);
    let mut edges: Vec<(usize, usize)> = (0..n_vertices).map(|v| (v, (v + 1) % n_vertices)).collect();
    let mut degree = vec![2; n_vertices];
    for _ in 0..20 * n_vertices {
        let (x, y) = (random.below(n_vertices), random.below(n_vertices));
        if x != y && degree[x] < 4 && degree[y] < 4 && edges.len() < n_vertices + n_vertices / 2 {
            let edge = (x.min(y), x.max(y));
            if !edges.contains(&edge) && !edges.contains(&(edge.1, edge.0)) {
                edges.push(edge);
                degree[x] += 1;
                degree[y] += 1;
            }
        }
    }
    parity(n_vertices, &edges)
}

fn grid_parity(rows: usize, columns: usize) -> Cnf {
    let mut edges = Vec::new();
    for r in 0..rows {
        for c in 0..columns {
            if c + 1 < columns {
                edges.push((r * columns + c, r * columns + c + 1));
            }
            if r + 1 < rows {
                edges.push((r * columns + c, (r + 1) * columns + c));
            }
        }
    }
    parity(rows * columns, &edges)
}

/// A total order on `n` elements without a least one.
fn ordering(n: usize) -> Cnf {
    let mut b = Builder::default();
    let mut less = vec![vec![Lit(0); n]; n];
    for i in 0..n {
        for j in i + 1..n {
            let l = b.var();
            less[i][j] = l;
            less[j][i] = !l;
        }
    }
    for i in 0..n {
        for j in 0..n {
            for k in 0..n {
                if i != j && j != k && i != k {
                    b.clause(&[!less[i][j], !less[j][k], less[i][k]]);
                }
            }
        }
    }
    for i in 0..n {
        let smaller: Vec<Lit> = (0..n).filter(|&j| j != i).map(|j| less[j][i]).collect();
        b.clause(&smaller);
    }
    b.cnf
}

fn random_clauses(width: usize, n_vars: usize, n_clauses: usize, seed: u64) -> Cnf {
    let mut random = Random::new(seed);
    let mut b = Builder::default();
    let vars = b.word(n_vars);
    for _ in 0..n_clauses {
        let mut clause: Vec<Lit> = Vec::new();
        while clause.len() < width {
            let lit = vars[random.below(n_vars)].flipped_if(random.bits() >> 40 & 1 == 1);
            if !clause.iter().any(|l| l.var() == lit.var()) {
                clause.push(lit);
            }
        }
        b.clause(&clause);
    }
    b.cnf
}

/// The first unsatisfiable one of a series of random formulas.
fn unsatisfiable_random(width: usize, n_vars: usize, n_clauses: usize, seed: u64) -> Cnf {
    (0..)
        .map(|k| random_clauses(width, n_vars, n_clauses, seed + 1000 * k))
        .find(|cnf| {
            let clauses = cnf.clauses.iter().map(Vec::as_slice);
            plain_sat::solve(cnf.n_vars, clauses, false, &Budget::unlimited()).0 == Outcome::Unsat
        })
        .unwrap_or_default()
}

/// The instances of the experiment: 12 + 24 + 11, as many as the paper has in each family, and six wide random ones.
pub fn instances() -> Vec<Instance> {
    let mut out = Vec::new();
    let mut add = |family: Family, name: String, cnf: Cnf| out.push(Instance { family, name, cnf });
    for steps in [6, 8, 10, 12] {
        add(Family::Application, format!("counter-{steps}"), counter(steps, 7));
    }
    for (k, (steps, width)) in [(4, 4), (6, 4), (4, 5), (5, 5)].into_iter().enumerate() {
        add(Family::Application, format!("product-{steps}-{width}"), product_program(steps, width, k as u64));
    }
    for (processes, steps) in [(6, 8), (8, 8), (8, 12), (10, 10)] {
        add(Family::Application, format!("ring-{processes}-{steps}"), token_ring(processes, steps));
    }
    for seed in 0..24 {
        let step = seed as usize % 12;
        let (n_vars, tenths) = if seed < 12 { (90 + 5 * step, 48) } else { (80 + 5 * step, 45) };
        let cnf = unsatisfiable_random(3, n_vars, n_vars * tenths / 10, seed);
        add(Family::Random, format!("random-{n_vars}-{seed}"), cnf);
    }
    for n in [6, 7, 8] {
        add(Family::Crafted, format!("php-{n}"), pigeonhole(n));
    }
    for n in [9, 10, 11] {
        add(Family::Crafted, format!("ordering-{n}"), ordering(n));
    }
    for (n, seed) in [(26, 1), (30, 2), (32, 3)] {
        add(Family::Crafted, format!("urquhart-{n}"), urquhart(n, seed));
    }
    for (rows, columns) in [(4, 10), (5, 7)] {
        add(Family::Crafted, format!("grid-{rows}-{columns}"), grid_parity(rows, columns));
    }
    for (k, (width, n_vars, per_variable)) in
        [(5, 30, 23), (5, 34, 23), (5, 38, 23), (7, 22, 95), (7, 24, 95), (7, 26, 95)].into_iter().enumerate()
    {
        let cnf = unsatisfiable_random(width, n_vars, n_vars * per_variable, k as u64);
        add(Family::WideRandom, format!("wide-{width}-{n_vars}"), cnf);
    }
    out
}
