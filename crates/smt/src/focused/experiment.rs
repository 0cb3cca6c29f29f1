//! The experiment of the PVAIR paper (Table 2) on our own instances.
//!
//! *What the paper says* (section 4.1), and what is done here. 47 unsatisfiable formulas, 12 from applications, 24
//! random, 11 crafted: as many, of our own making ([`super::families`]). Six partitionings each, the first `n` clauses
//! against the rest for a random `n`; five random assignments of one, five and twenty variables *for each
//! partitioning*: the same, variables drawn from all variables of the formula, whether the refutation mentions them or
//! not; a draw that falsifies a clause is repeated. McMillan's labelling; sizes are literals and operators of the
//! interpolant as a DAG. The table of the paper gives averages of sizes relative to the average without an assignment,
//! so a ratio of sums, in which large interpolants count more (its column *All*, average size included, fits that).
//! Proof reduction is off in the paper.
//!
//! *Departures.* The paper's formulas come from the SAT Competition, with interpolants of 345,000 to 1,300,000 nodes on
//! average; ours are smaller by one to two orders of magnitude. The random track of the competition has clauses of 3, 5
//! and 7 literals; ours have three. The wider ones are much more sensitive to a single variable, so there is a fourth
//! family of formulas with clauses of five and seven literals, which has its own column and is not part of *All*.
//!
//! Every [`Way`] is measured against interpolants without an assignment from *its own* proof: ways with proof reduction
//! against those of the reduced proof. What reduction gains by itself has its own rows. Sub-problems are solved anew,
//! for each assignment, and compared with the proof as found, as in the paper. Every interpolant that is counted is
//! verified.

use super::cnf::Cnf;
use super::families::{Family, Instance};
use super::{Focus, FocusError, Query, Refuted, VerifiedBy};
use crate::interpolate::labelled::Assignment;
use crate::reduce::Pass;
use crate::sat::types::{Lit, Var};
use base::Budget;
use base::Random;
use std::fmt::Write;

/// One way to focus.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Way {
    pub name: &'static str,
    pub focus: Focus,
    /// Read off the reduced refutation.
    pub reduced: bool,
}

/// The ways that are compared. The first is the paper's.
pub const WAYS: [Way; 4] = [
    Way { name: "lpais", focus: Focus::Lpais, reduced: false },
    Way { name: "restricted", focus: Focus::Restricted, reduced: false },
    Way { name: "lpais, reduced", focus: Focus::Lpais, reduced: true },
    Way { name: "propagated, reduced", focus: Focus::Propagated, reduced: true },
];

/// What to run.
#[derive(Clone, Debug)]
pub struct Setup {
    pub n_cuts: usize,
    pub n_assignments: usize,
    /// Also solve the sub-problems anew.
    pub sub_problems: bool,
    /// Leave instances out whose refutation is larger than this many nodes.
    pub max_nodes: usize,
}

impl Default for Setup {
    fn default() -> Self {
        Setup { n_cuts: 6, n_assignments: 5, sub_problems: true, max_nodes: 3_000_000 }
    }
}

/// The numbers of assigned variables of the paper.
pub const ASSIGNED: [usize; 3] = [1, 5, 20];

/// Sums over the cuts of one family.
#[derive(Clone, Default, Debug)]
pub struct Totals {
    pub n_instances: usize,
    pub n_cuts: usize,
    /// Interpolants verified along their derivations, and with the solver.
    pub n_derived: usize,
    pub n_solved: usize,
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
        self.n_derived += other.n_derived;
        self.n_solved += other.n_solved;
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
    /// The size of the answer to a query with one cut, verified.
    fn size(&mut self, refuted: &Refuted, query: &Query, budget: &Budget) -> Result<f64, FocusError> {
        let (answer, by) = refuted.interpolate_verified(query, budget)?;
        match by {
            VerifiedBy::Derivation => self.n_derived += 1,
            VerifiedBy::Solver => self.n_solved += 1,
        }
        Ok(answer.sizes().iter().sum::<usize>() as f64)
    }
    /// Interpolants without an assignment from the proof of a way.
    fn without_assignment(&self, way: &Way) -> f64 {
        if way.reduced { self.plain_reduced } else { self.plain }
    }
}

/// Runs one instance.
pub fn run(instance: &Instance, setup: &Setup, budget: &Budget) -> Result<Totals, FocusError> {
    let refuted = Refuted::prove(instance.cnf.clone(), budget)?;
    if refuted.dag.len() > setup.max_nodes {
        return Err(FocusError::GaveUp(format!("the refutation has {} nodes", refuted.dag.len())));
    }
    let mut reduced = refuted.clone();
    reduced.reduce(&Pass::RECOMMENDED, 5, budget)?;
    reduced.dag.check()?;
    let seed = instance.name.bytes().fold(7u64, |h, b| h.wrapping_mul(31).wrapping_add(u64::from(b)));
    let mut random = Random::new(seed);
    let n_clauses = instance.cnf.clauses.len();
    let mut totals = Totals {
        n_instances: 1,
        n_cuts: setup.n_cuts,
        n_nodes: refuted.dag.len() as f64,
        n_reduced_nodes: reduced.dag.len() as f64,
        ..Totals::default()
    };
    for split in random_cuts(&mut random, n_clauses, setup.n_cuts) {
        let mut query = Query { splits: vec![split], ..Query::default() };
        totals.plain += totals.size(&refuted, &query, budget)?;
        totals.plain_reduced += totals.size(&reduced, &query, budget)?;
        for (k, n_assigned) in ASSIGNED.into_iter().enumerate() {
            for _ in 0..setup.n_assignments {
                query.assignment = random_assignment(&mut random, &instance.cnf, n_assigned);
                for (w, way) in WAYS.iter().enumerate() {
                    query.focus = way.focus;
                    let from = if way.reduced { &reduced } else { &refuted };
                    totals.focused[w][k] += totals.size(from, &query, budget)? / setup.n_assignments as f64;
                }
                if setup.sub_problems {
                    let size = sub_problem_size(&instance.cnf, &query, &mut totals, budget)?;
                    totals.sub_problem[k] += size / setup.n_assignments as f64;
                }
            }
        }
    }
    Ok(totals)
}

/// Different positions in the list of clauses, in order.
fn random_cuts(random: &mut Random, n_clauses: usize, n: usize) -> Vec<usize> {
    let mut cuts = std::collections::BTreeSet::new();
    while cuts.len() < n.min(n_clauses - 1) {
        cuts.insert(1 + random.below(n_clauses - 1));
    }
    cuts.into_iter().collect()
}

/// The size of an interpolant of the problem that the assignment leaves, solved anew. It is 1 where one side is empty.
fn sub_problem_size(cnf: &Cnf, query: &Query, totals: &mut Totals, budget: &Budget) -> Result<f64, FocusError> {
    let assignment = Assignment::new(&query.assignment).unwrap_or_default();
    let open = cnf.under(&assignment);
    let split = open.partition_point(|(k, _)| query.splits.iter().all(|s| k < s));
    if split == 0 || split == open.len() {
        return Ok(1.0);
    }
    let sub = Cnf { n_vars: cnf.n_vars, clauses: open.into_iter().map(|(_, c)| c).collect() };
    let sub_query = Query { splits: vec![split], ..Query::default() };
    totals.size(&Refuted::prove(sub, budget)?, &sub_query, budget)
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
            self.n_derived as f64,
            self.n_solved as f64,
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
        let numbers = numbers.filter(|n| n.len() == 8 + 3 * (WAYS.len() + 1))?;
        let mut totals = Totals {
            n_instances: numbers[0] as usize,
            n_cuts: numbers[1] as usize,
            n_derived: numbers[2] as usize,
            n_solved: numbers[3] as usize,
            n_nodes: numbers[4],
            n_reduced_nodes: numbers[5],
            plain: numbers[6],
            plain_reduced: numbers[7],
            ..Totals::default()
        };
        for (w, sizes) in numbers[8..].chunks(3).enumerate() {
            totals.focused.get_mut(w).unwrap_or(&mut totals.sub_problem).copy_from_slice(sizes);
        }
        Some(totals)
    }
}

/// Table 2 as text, from the totals of the instances that ran.
pub fn table(results: &[(Family, Totals)]) -> String {
    let total = |wanted: &[Family]| {
        let mut sum = Totals::default();
        for (_, totals) in results.iter().filter(|(family, _)| wanted.contains(family)) {
            sum.add(totals);
        }
        sum
    };
    // The families of the paper make up its last column; the wide random formulas stand by themselves.
    let columns = [
        ("APP", total(&[Family::Application])),
        ("RND", total(&[Family::Random])),
        ("CRF", total(&[Family::Crafted])),
        ("All", total(&[Family::Application, Family::Random, Family::Crafted])),
        ("RND 5, 7", total(&[Family::WideRandom])),
    ];
    let mut out = String::new();
    let mut row = |name: &str, cell: &dyn Fn(&Totals) -> String| {
        let _ = write!(out, "{name:<34}");
        for (_, c) in &columns {
            let _ = write!(out, " {:>12}", cell(c));
        }
        out.push('\n');
    };
    let per_cut = |sum: f64, c: &Totals| format!("{:.1}", sum / c.n_cuts.max(1) as f64);
    let per_instance = |sum: f64, c: &Totals| format!("{:.0}", sum / c.n_instances.max(1) as f64);
    let relative = |sum: f64, to: f64| format!("{:.2} %", 100.0 * sum / to.max(1.0));
    row("instances", &|c| c.n_instances.to_string());
    row("refutation, nodes", &|c| per_instance(c.n_nodes, c));
    row("refutation, reduced", &|c| per_instance(c.n_reduced_nodes, c));
    row("no assignment", &|c| per_cut(c.plain, c));
    row("no assignment, reduced", &|c| per_cut(c.plain_reduced, c));
    row("  relative to the proof as found", &|c| relative(c.plain_reduced, c.plain));
    for (w, way) in WAYS.iter().enumerate() {
        for (k, n) in ASSIGNED.into_iter().enumerate() {
            row(&format!("{}, {n}", way.name), &|c| relative(c.focused[w][k], c.without_assignment(way)));
        }
        if way.reduced {
            for (k, n) in ASSIGNED.into_iter().enumerate() {
                row(&format!("  relative to the proof as found, {n}"), &|c| relative(c.focused[w][k], c.plain));
            }
        }
    }
    for (k, n) in ASSIGNED.into_iter().enumerate() {
        row(&format!("sub-problem, {n}"), &|c| relative(c.sub_problem[k], c.plain));
    }
    row("verified along derivations", &|c| c.n_derived.to_string());
    row("verified with the solver", &|c| c.n_solved.to_string());
    let mut header = format!("{:<34}", "");
    for (name, _) in &columns {
        let _ = write!(header, " {name:>12}");
    }
    format!("{header}\n{out}")
}
