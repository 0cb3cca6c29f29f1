//! The experiment of the PVAIR paper (Table 2) on our own instances.
//!
//! For each instance: one refutation, six random cuts, five random assignments of one, five
//! and twenty variables each, all cuts under all assignments. Sizes are literals and operators of the interpolant DAG, McMillan's labelling. Reported per
//! family: the average size without an assignment, and the size of focused interpolants relative to
//! it, for every [`Way`] on the same cuts and assignments; the same for interpolants of the sub-problem, which is
//! solved anew for each assignment and so has no path property. Random assignments that falsify a clause are drawn again.
//!
//! Ways with proof reduction read everything off the reduced refutation. Their sizes are given relative to the
//! interpolant of the refutation *as it was found*, and the interpolant of the reduced refutation without an assignment
//! has a row of its own, so that both effects can be told apart.

use super::cnf::Cnf;
use super::families::{Family, Instance, Random};
use super::{Focus, FocusError, Query, Refuted};
use crate::interpolate::labelled::Assignment;
use crate::reduce::Pass;
use crate::sat::types::{Lit, Var};
use base::Budget;
use std::fmt::Write;

/// One way to focus.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Way {
    pub name: &'static str,
    pub focus: Focus,
    /// Read off the reduced refutation.
    pub reduced: bool,
}

/// The ways that are compared, the smallest of a refutation after all others. The first is the paper's.
pub const WAYS: [Way; 8] = [
    Way { name: "lpais", focus: Focus::Lpais, reduced: false },
    Way { name: "restricted", focus: Focus::Restricted, reduced: false },
    Way { name: "propagated", focus: Focus::Propagated, reduced: false },
    Way { name: "smallest", focus: Focus::Smallest, reduced: false },
    Way { name: "lpais, reduced", focus: Focus::Lpais, reduced: true },
    Way { name: "restricted, reduced", focus: Focus::Restricted, reduced: true },
    Way { name: "propagated, reduced", focus: Focus::Propagated, reduced: true },
    Way { name: "smallest, reduced", focus: Focus::Smallest, reduced: true },
];

/// What to run.
#[derive(Clone, Debug)]
pub struct Setup {
    pub n_cuts: usize,
    pub n_assignments: usize,
    /// Also solve the sub-problems anew.
    pub sub_problems: bool,
    /// Verify every interpolant with the SAT solver, or only those without an assignment and for the first one drawn of each
    /// size, of refutations with at most so many nodes: from larger ones that takes longer than all else.
    pub verify_all: bool,
    pub verified_nodes: usize,
    /// Leave instances out whose refutation is larger than this many nodes.
    pub max_nodes: usize,
}

impl Default for Setup {
    fn default() -> Self {
        Setup {
            n_cuts: 6,
            n_assignments: 5,
            sub_problems: true,
            verify_all: false,
            verified_nodes: 2_000,
            max_nodes: 3_000_000,
        }
    }
}

/// The numbers of assigned variables of the paper.
pub const ASSIGNED: [usize; 3] = [1, 5, 20];

/// Sums over the cuts of one family.
#[derive(Clone, Default, Debug)]
pub struct Totals {
    pub n_instances: usize,
    pub n_cuts: usize,
    pub n_verified: usize,
    /// Nodes of the refutation as found, and reduced.
    pub n_nodes: f64,
    pub n_reduced_nodes: f64,
    /// Interpolants without an assignment.
    pub plain: f64,
    pub plain_reduced: f64,
    /// Average sizes under assignments, by way and by the number of assigned variables.
    pub focused: [[f64; 3]; WAYS.len()],
    pub sub_problem: [f64; 3],
}

impl Totals {
    fn add(&mut self, other: &Totals) {
        self.n_instances += other.n_instances;
        self.n_cuts += other.n_cuts;
        self.n_verified += other.n_verified;
        self.n_nodes += other.n_nodes;
        self.n_reduced_nodes += other.n_reduced_nodes;
        self.plain += other.plain;
        self.plain_reduced += other.plain_reduced;
        for k in 0..3 {
            for (mine, theirs) in self.focused.iter_mut().zip(&other.focused) {
                mine[k] += theirs[k];
            }
            self.sub_problem[k] += other.sub_problem[k];
        }
    }
}

/// Runs one instance.
pub fn run(instance: &Instance, setup: &Setup, budget: &Budget) -> Result<Totals, FocusError> {
    let refuted = Refuted::prove(instance.cnf.clone(), budget)?;
    if refuted.dag.len() > setup.max_nodes {
        return Err(FocusError::GaveUp(format!("the refutation has {} nodes", refuted.dag.len())));
    }
    let mut reduced = refuted.clone();
    reduced.reduce(&Pass::RECOMMENDED, 3, budget)?;
    let seed = instance.name.bytes().fold(7u64, |h, b| h.wrapping_mul(31).wrapping_add(u64::from(b)));
    let mut random = Random::new(seed);
    let n_clauses = instance.cnf.clauses.len();
    let mut totals = Totals {
        n_instances: 1,
        n_nodes: refuted.dag.len() as f64,
        n_reduced_nodes: reduced.dag.len() as f64,
        ..Totals::default()
    };
    let splits = random_cuts(&mut random, n_clauses, setup.n_cuts);
    let mut query = Query { splits, ..Query::default() };
    // All cuts at once, read off one refutation.
    let mut size = |refuted: &Refuted, query: &Query, verify: bool| -> Result<f64, FocusError> {
        let answer = refuted.interpolate(query, budget)?;
        if verify {
            refuted.verify(query, &answer, budget).map_err(FocusError::BadProof)?;
            totals.n_verified += query.splits.len();
        }
        Ok(answer.sizes().iter().sum::<usize>() as f64)
    };
    let is_verified = |round: usize| setup.verify_all || (round == 0 && refuted.dag.len() <= setup.verified_nodes);
    let plain = size(&refuted, &query, is_verified(0))?;
    let plain_reduced = size(&reduced, &query, is_verified(0))?;
    let mut focused = [[0.0; 3]; WAYS.len()];
    let mut sub_problem = [0.0; 3];
    for (k, n_assigned) in ASSIGNED.into_iter().enumerate() {
        for round in 0..setup.n_assignments {
            query.assignment = random_assignment(&mut random, &instance.cnf, n_assigned);
            // The smallest size so far, from the refutation as found and from the reduced one.
            let mut smallest = [f64::INFINITY; 2];
            for (way, sums) in WAYS.iter().zip(&mut focused) {
                let best = &mut smallest[usize::from(way.reduced)];
                if way.focus != Focus::Smallest {
                    query.focus = way.focus;
                    let from = if way.reduced { &reduced } else { &refuted };
                    let size = size(from, &query, is_verified(round))?;
                    *best = best.min(size);
                    sums[k] += size / setup.n_assignments as f64;
                } else {
                    sums[k] += *best / setup.n_assignments as f64;
                }
            }
            if setup.sub_problems {
                sub_problem[k] += sub_problem_size(&instance.cnf, &query, budget)? / setup.n_assignments as f64;
            }
        }
    }
    Ok(Totals { n_cuts: setup.n_cuts, plain, plain_reduced, focused, sub_problem, ..totals })
}

/// Different positions in the list of clauses, in order.
fn random_cuts(random: &mut Random, n_clauses: usize, n: usize) -> Vec<usize> {
    let mut cuts = std::collections::BTreeSet::new();
    while cuts.len() < n.min(n_clauses - 1) {
        cuts.insert(1 + random.below(n_clauses - 1));
    }
    cuts.into_iter().collect()
}

/// The interpolants of the clauses that the assignment leaves open, from a refutation of their own.
fn sub_problem_size(cnf: &Cnf, query: &Query, budget: &Budget) -> Result<f64, FocusError> {
    let assignment = Assignment::new(&query.assignment).unwrap_or_default();
    let open = cnf.under(&assignment);
    let mut sizes = 0.0;
    let mut splits: Vec<(usize, f64)> = Vec::new();
    for &cut in &query.splits {
        let split = open.iter().filter(|(k, _)| *k < cut).count();
        match splits.last_mut() {
            // One side is satisfied altogether: the interpolant is a constant.
            _ if split == 0 || split >= open.len() => sizes += 1.0,
            Some((last, times)) if *last == split => *times += 1.0,
            _ => splits.push((split, 1.0)),
        }
    }
    if splits.is_empty() {
        return Ok(sizes);
    }
    let sub = Cnf { n_vars: cnf.n_vars, clauses: open.into_iter().map(|(_, c)| c).collect() };
    let sub_query = Query { splits: splits.iter().map(|s| s.0).collect(), ..Query::default() };
    let answer = Refuted::prove(sub, budget)?.interpolate(&sub_query, budget)?;
    let each = answer.sizes().into_iter().zip(&splits).map(|(size, (_, times))| size as f64 * times);
    Ok(sizes + each.sum::<f64>())
}

fn random_assignment(random: &mut Random, cnf: &Cnf, n: usize) -> Vec<Lit> {
    loop {
        let mut lits: Vec<Lit> = Vec::new();
        let mut tries = 0;
        while lits.len() < n.min(cnf.n_vars) && tries < 100 * n {
            tries += 1;
            let lit = Var(random.below(cnf.n_vars) as u32).lit(random.bits() >> 40 & 1 == 1);
            if lits.iter().any(|l| l.var() == lit.var()) {
                continue;
            }
            lits.push(lit);
            let falsifies = Assignment::new(&lits).is_none_or(|a| cnf.clauses.iter().any(|c| a.falsifies(c)));
            if falsifies {
                lits.pop();
            }
        }
        if lits.len() == n.min(cnf.n_vars) || tries >= 100 * n {
            return lits;
        }
    }
}

impl Totals {
    /// One line of numbers, from which tables can be made: of several runs with parts of the instances, too.
    pub fn line(&self) -> String {
        let fixed = [
            self.n_instances as f64,
            self.n_cuts as f64,
            self.n_verified as f64,
            self.n_nodes,
            self.n_reduced_nodes,
            self.plain,
            self.plain_reduced,
        ];
        let sizes = self.focused.iter().flatten().chain(&self.sub_problem);
        let all: Vec<String> = fixed.iter().chain(sizes).map(|n| format!("{n:.2}")).collect();
        all.join(" ")
    }

    /// Reads such a line.
    pub fn from_line(line: &str) -> Option<Totals> {
        let numbers: Option<Vec<f64>> = line.split_whitespace().map(|n| n.parse().ok()).collect();
        let numbers = numbers.filter(|n| n.len() == 7 + 3 * (WAYS.len() + 1))?;
        let mut totals = Totals {
            n_instances: numbers[0] as usize,
            n_cuts: numbers[1] as usize,
            n_verified: numbers[2] as usize,
            n_nodes: numbers[3],
            n_reduced_nodes: numbers[4],
            plain: numbers[5],
            plain_reduced: numbers[6],
            ..Totals::default()
        };
        for (w, sizes) in numbers[7..].chunks(3).enumerate() {
            totals.focused.get_mut(w).unwrap_or(&mut totals.sub_problem).copy_from_slice(sizes);
        }
        Some(totals)
    }
}

/// Table 2 as text, from the totals of the instances that ran.
pub fn table(results: &[(Family, Totals)]) -> String {
    let total = |family: Option<Family>| {
        let mut sum = Totals::default();
        for (f, totals) in results {
            if family.is_none_or(|wanted| wanted == *f) {
                sum.add(totals);
            }
        }
        sum
    };
    let columns =
        [total(Some(Family::Application)), total(Some(Family::Random)), total(Some(Family::Crafted)), total(None)];
    let mut out = String::new();
    let _ = writeln!(out, "{:<26} {:>12} {:>12} {:>12} {:>12}", "", "APP", "RND", "CRF", "All");
    let mut row = |name: &str, cell: &dyn Fn(&Totals) -> String| {
        let _ = write!(out, "{name:<26}");
        for c in &columns {
            let _ = write!(out, " {:>12}", cell(c));
        }
        out.push('\n');
    };
    let per_cut = |sum: f64, c: &Totals| format!("{:.1}", sum / c.n_cuts.max(1) as f64);
    let per_instance = |sum: f64, c: &Totals| format!("{:.0}", sum / c.n_instances.max(1) as f64);
    let relative = |sum: f64, c: &Totals| format!("{:.2} %", 100.0 * sum / c.plain.max(1.0));
    row("instances", &|c| c.n_instances.to_string());
    row("refutation, nodes", &|c| per_instance(c.n_nodes, c));
    row("refutation, reduced", &|c| per_instance(c.n_reduced_nodes, c));
    row("no assignment", &|c| per_cut(c.plain, c));
    row("no assignment, reduced", &|c| per_cut(c.plain_reduced, c));
    row("  relative", &|c| relative(c.plain_reduced, c));
    for (w, way) in WAYS.iter().enumerate() {
        for (k, n) in ASSIGNED.into_iter().enumerate() {
            row(&format!("{}, {n}", way.name), &|c| relative(c.focused[w][k], c));
        }
    }
    for (k, n) in ASSIGNED.into_iter().enumerate() {
        row(&format!("sub-problem, {n}"), &|c| relative(c.sub_problem[k], c));
    }
    row("interpolants verified", &|c| c.n_verified.to_string());
    out
}
