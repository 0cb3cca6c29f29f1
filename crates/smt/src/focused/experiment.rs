//! The experiment of the PVAIR paper (Table 2) on our own instances.
//!
//! For each instance: one refutation, six random cuts, per cut five random assignments of one, five
//! and twenty variables. Sizes are literals and operators of the interpolant DAG. Reported per
//! family: the average size without an assignment, and the size of focused interpolants relative to
//! it; the same for interpolants of the sub-problem, which is solved anew for each assignment and
//! so has no path property. Random assignments that falsify a clause are drawn again.

use super::cnf::Cnf;
use super::families::{Family, Instance, Random};
use super::{Focus, FocusError, Query, Refuted};
use crate::interpolate::labelled::Assignment;
use crate::reduce::Pass;
use crate::sat::types::{Lit, Var};
use base::Budget;
use std::fmt::Write;

/// What to run.
#[derive(Clone, Debug)]
pub struct Setup {
    pub passes: Vec<Pass>,
    pub focus: Focus,
    pub n_cuts: usize,
    pub n_assignments: usize,
    /// Also solve the sub-problems anew.
    pub sub_problems: bool,
    /// Verify every interpolant with the SAT solver.
    pub verify: bool,
    /// Leave instances out whose refutation is larger than this many nodes.
    pub max_nodes: usize,
}

impl Default for Setup {
    fn default() -> Self {
        Setup {
            passes: Vec::new(),
            focus: Focus::Lpais,
            n_cuts: 6,
            n_assignments: 5,
            sub_problems: true,
            verify: false,
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
    pub plain: f64,
    /// Average sizes under assignments, by the number of assigned variables.
    pub focused: [f64; 3],
    pub sub_problem: [f64; 3],
}

impl Totals {
    fn add(&mut self, other: &Totals) {
        self.n_instances += other.n_instances;
        self.n_cuts += other.n_cuts;
        self.plain += other.plain;
        for k in 0..3 {
            self.focused[k] += other.focused[k];
            self.sub_problem[k] += other.sub_problem[k];
        }
    }
}

/// Runs one instance.
pub fn run(instance: &Instance, setup: &Setup, budget: &Budget) -> Result<Totals, FocusError> {
    let mut refuted = Refuted::prove(instance.cnf.clone(), budget)?;
    if refuted.dag.len() > setup.max_nodes {
        return Err(FocusError::GaveUp(format!("the refutation has {} nodes", refuted.dag.len())));
    }
    if !setup.passes.is_empty() {
        refuted.reduce(&setup.passes, 3, budget)?;
    }
    let seed = instance.name.bytes().fold(7u64, |h, b| h.wrapping_mul(31).wrapping_add(u64::from(b)));
    let mut random = Random::new(seed);
    let n_clauses = instance.cnf.clauses.len();
    let mut totals = Totals { n_instances: 1, ..Totals::default() };
    for _ in 0..setup.n_cuts {
        let split = 1 + random.below(n_clauses - 1);
        let mut query = Query { splits: vec![split], focus: setup.focus, ..Query::default() };
        totals.n_cuts += 1;
        totals.plain += size(&refuted, &query, setup, budget)?;
        for (k, n_assigned) in ASSIGNED.into_iter().enumerate() {
            let (mut focused, mut sub_problem) = (0.0, 0.0);
            for _ in 0..setup.n_assignments {
                query.assignment = random_assignment(&mut random, &instance.cnf, n_assigned);
                focused += size(&refuted, &query, setup, budget)?;
                if setup.sub_problems {
                    sub_problem += sub_problem_size(&instance.cnf, &query, budget)?;
                }
            }
            totals.focused[k] += focused / setup.n_assignments as f64;
            totals.sub_problem[k] += sub_problem / setup.n_assignments as f64;
        }
    }
    Ok(totals)
}

fn size(refuted: &Refuted, query: &Query, setup: &Setup, budget: &Budget) -> Result<f64, FocusError> {
    let answer = refuted.interpolate(query, budget)?;
    if setup.verify {
        refuted.verify(query, &answer, budget).map_err(FocusError::BadProof)?;
    }
    Ok(answer.sizes()[0] as f64)
}

/// The interpolant of the clauses that the assignment leaves open, from a refutation of their own.
fn sub_problem_size(cnf: &Cnf, query: &Query, budget: &Budget) -> Result<f64, FocusError> {
    let assignment = Assignment::new(&query.assignment).unwrap_or_default();
    let open = cnf.under(&assignment);
    let split = open.iter().filter(|(k, _)| *k < query.splits[0]).count();
    if split == 0 || split >= open.len() {
        // One side is satisfied altogether: the interpolant is a constant.
        return Ok(1.0);
    }
    let sub = Cnf { n_vars: cnf.n_vars, clauses: open.into_iter().map(|(_, c)| c).collect() };
    let answer =
        Refuted::prove(sub, budget)?.interpolate(&Query { splits: vec![split], ..Query::default() }, budget)?;
    Ok(answer.sizes()[0] as f64)
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
    let _ = writeln!(
        out,
        "{:<14} {:>10} {:>10} {:>10} {:>10}   {:<14} {:>8} {:>8} {:>8} {:>8}",
        "Focused Itp.", "APP", "RND", "CRF", "All", "Sub-problem", "APP", "RND", "CRF", "All"
    );
    let _ = write!(out, "{:<14}", "No Assignment");
    for c in &columns {
        let _ = write!(out, " {:>10.1}", c.plain / c.n_cuts.max(1) as f64);
    }
    let _ = write!(out, "   {:<14}", "No Assignment");
    for c in &columns {
        let _ = write!(out, " {:>8.1}", c.plain / c.n_cuts.max(1) as f64);
    }
    out.push('\n');
    for (k, n) in ASSIGNED.into_iter().enumerate() {
        let name = format!("{n} var{}", if n == 1 { "" } else { "s" });
        let _ = write!(out, "{name:<14}");
        for c in &columns {
            let _ = write!(out, " {:>8.1} %", 100.0 * c.focused[k] / c.plain.max(1.0));
        }
        let _ = write!(out, "   {name:<14}");
        for c in &columns {
            let _ = write!(out, " {:>6.2} %", 100.0 * c.sub_problem[k] / c.plain.max(1.0));
        }
        out.push('\n');
    }
    let n: usize = results.iter().map(|(_, t)| t.n_instances).sum();
    let _ = writeln!(out, "{n} instances");
    out
}
