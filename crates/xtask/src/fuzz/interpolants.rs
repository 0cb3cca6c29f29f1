//! Random interpolation problems, and every interpolant verified.
//!
//! Groups of short clauses over a chain of vocabularies: group `k` speaks about the constants `k` and `k + 1`,
//! sometimes about others far away, so that siblings in a tree have symbols in common. A group that is contradictory
//! alone would make interpolants trivial, so it loses formulas until it is not. When the groups contradict each other,
//! the refutation is checked, and interpolants are asked for: for pairs, the sequence and random trees.

use super::fragment::Fragment;
use super::generator::Generator;
use super::oracle::Oracle;
use super::{Counts, Disagreement, Options, asked};
use base::Budget;
use logic::{AssertionId, Farkas, ItpError, ItpOptions, ItpTree, Labelling, SatResult, Solver, TermId};
use smt::SmtSolver;
use smt::interpolate::verify::{Flaw, verify, vocabulary};
use smt::interpolate::{Partitions, partitions};
use std::fmt::Write as _;
use std::time::Instant;

pub(super) fn run(
    fragment: Fragment,
    seeds: std::ops::Range<u64>,
    oracles: &[Oracle],
    options: &Options,
    counts: &mut Counts,
) -> Vec<Disagreement> {
    run_each(one, fragment, seeds, oracles, options, counts)
}

/// A problem of a seed: what is wrong with our answer, as far as that shows without an oracle.
pub(super) type One = fn(u64, Fragment, &Options, &mut Counts, &mut Doubts) -> Result<(), String>;

/// Tries all seeds, and asks the oracles about many problems at once.
pub(super) fn run_each(
    one: One,
    fragment: Fragment,
    seeds: std::ops::Range<u64>,
    oracles: &[Oracle],
    options: &Options,
    counts: &mut Counts,
) -> Vec<Disagreement> {
    let mut found = Vec::new();
    let mut doubts = Doubts::default();
    let last = seeds.end - 1;
    for seed in seeds {
        if let Err(report) = one(seed, fragment, options, counts, &mut doubts) {
            found.push(Disagreement { seed, report });
        }
        if doubts.len() >= 200 || seed == last {
            doubts.ask(asked(oracles, counts), options, counts, &mut found);
        }
        if !found.is_empty() && !options.keep_going {
            break;
        }
    }
    found
}

/// Queries whose every step an oracle shall refute.
#[derive(Default)]
pub(super) struct Doubts {
    scripts: Vec<String>,
    origin: Vec<Query>,
}

struct Query {
    seed: u64,
    n_steps: usize,
    report: String,
}

impl Doubts {
    pub(super) fn len(&self) -> usize {
        self.scripts.len()
    }
    pub(super) fn ask(
        &mut self,
        oracles: &[Oracle],
        options: &Options,
        counts: &mut Counts,
        found: &mut Vec<Disagreement>,
    ) {
        let scripts: Vec<&String> = self.scripts.iter().collect();
        for oracle in oracles {
            let all_answers = oracle.ask(&scripts, options.limit);
            for ((query, script), mut answers) in self.origin.iter().zip(&scripts).zip(all_answers) {
                if answers.iter().any(|answer| answer == "sat") {
                    answers = oracle.ask_again(script, options.limit);
                }
                if answers.iter().any(|answer| answer == "sat") {
                    let report = format!("{}\n{} says that a step does not hold", query.report, oracle.name());
                    found.push(Disagreement { seed: query.seed, report });
                } else if answers.len() == query.n_steps && answers.iter().all(|answer| answer == "unsat") {
                    counts.confirm(oracle, 0, 1);
                }
            }
        }
        self.scripts.clear();
        self.origin.clear();
    }
}

/// How often unit clauses are added to a problem that is not contradictory.
const MAX_ADDITIONS: usize = 6;

/// The groups of a problem, and the constants of the layers that they speak about.
struct Groups {
    layers: Vec<Vec<TermId>>,
    formulas: Vec<Vec<TermId>>,
}

impl Groups {
    fn new(g: &mut Generator, size: usize) -> Groups {
        let n_groups = 2 + g.below(4);
        let layers: Vec<Vec<TermId>> = (0..=n_groups).map(|k| g.constants(&format!("_{k}"), 2)).collect();
        let mut groups = Groups { layers, formulas: vec![Vec::new(); n_groups] };
        for _ in 0..6 + g.below(size) * n_groups {
            let n_literals = [1, 1, 2, 2, 3][g.below(5)];
            groups.add(g, n_literals);
        }
        groups
    }
    /// A clause more in a random group.
    fn add(&mut self, g: &mut Generator, n_literals: usize) {
        let n_groups = self.formulas.len();
        let k = g.below(n_groups);
        let other = if g.chance(80) { k + 1 } else { g.below(n_groups + 1) };
        g.speak(self.layers[k].iter().chain(&self.layers[other]).copied().collect());
        self.formulas[k].push(clause(g, n_literals));
    }
}

fn clause(g: &mut Generator, n: usize) -> TermId {
    let mut literals = Vec::new();
    for _ in 0..n {
        let depth = [1, 1, 2, 2, 3][g.below(5)];
        let atom = g.atom(depth);
        literals.push(if g.chance(35) { g.pool.not(atom) } else { atom });
    }
    if g.chance(15) { g.pool.and(&literals) } else { g.pool.or(&literals) }
}

/// The parents of a random tree in postorder: each new node adopts some of the roots so far, the last one all.
fn random_tree(g: &mut Generator, n: usize) -> Vec<Option<usize>> {
    let mut parent: Vec<Option<usize>> = vec![None; n];
    let mut roots: Vec<usize> = Vec::new();
    for v in 0..n {
        let adopted = if v + 1 == n { roots.len() } else { g.below(roots.len() + 1) };
        for child in roots.split_off(roots.len() - adopted) {
            parent[child] = Some(v);
        }
        roots.push(v);
    }
    parent
}

fn shape(g: &mut Generator, ids: &[Vec<AssertionId>], kind: usize) -> ItpTree {
    let n = ids.len();
    match kind {
        0 => {
            let cut = 1 + g.below(n - 1);
            ItpTree { groups: vec![ids[..cut].concat(), ids[cut..].concat()], parent: vec![Some(1), None] }
        }
        1 => ItpTree { groups: ids.to_vec(), parent: (1..=n).map(|v| (v < n).then_some(v)).collect() },
        _ => ItpTree { groups: ids.to_vec(), parent: random_tree(g, n) },
    }
}

pub(super) fn text(g: &Generator, groups: &[Vec<TermId>]) -> String {
    let all: Vec<TermId> = groups.iter().flatten().copied().collect();
    let mut text = g.pool.smtlib_declarations(&all);
    for (k, group) in groups.iter().enumerate() {
        for &f in group {
            let _ = writeln!(text, "(assert {}) ; group {k}", g.pool.smtlib(f));
        }
    }
    text
}

/// A solver that has refuted the groups, with their assertions; `None` if they are not contradictory.
fn contradiction(
    g: &mut Generator,
    seed: u64,
    groups: &mut Groups,
    options: &Options,
    counts: &mut Counts,
) -> Option<(SmtSolver, Vec<Vec<AssertionId>>)> {
    let mut n_additions = 0;
    loop {
        let mut solver = SmtSolver::with_proofs();
        let mut ids: Vec<Vec<AssertionId>> = Vec::new();
        for group in &groups.formulas {
            ids.push(group.iter().map(|&f| solver.assert(&mut g.pool, f)).collect());
        }
        counts.checks += 1;
        if options.show {
            println!("; seed {seed}\n{}(check-sat)", text(g, &groups.formulas));
        }
        match solver.check(&mut g.pool, &Budget::with_timeout(options.limit)) {
            SatResult::Sat => {
                counts.sat += 1;
                n_additions += 1;
                if n_additions > MAX_ADDITIONS {
                    return None;
                }
                for _ in 0..2 * ids.len() {
                    groups.add(g, 1);
                }
                continue;
            }
            SatResult::Unknown(why) => {
                counts.unanswered(format!("check: {why}"), seed);
                return None;
            }
            SatResult::Unsat => counts.unsat += 1,
        }
        let core = solver.unsat_core();
        let alone = (0..ids.len()).find(|&k| core.iter().all(|id| ids[k].contains(id)));
        let culprit = alone.and_then(|k| Some((k, ids[k].iter().position(|id| core.contains(id))?)));
        match culprit {
            Some((k, position)) => groups.formulas[k].remove(position),
            None => return Some((solver, ids)),
        };
    }
}

fn one(
    seed: u64,
    fragment: Fragment,
    options: &Options,
    counts: &mut Counts,
    doubts: &mut Doubts,
) -> Result<(), String> {
    let mut g = Generator::new(seed, fragment);
    let mut groups = Groups::new(&mut g, options.size);
    let Some((mut solver, ids)) = contradiction(&mut g, seed, &mut groups, options, counts) else { return Ok(()) };
    let problem = text(&g, &groups.formulas);
    match solver.check_refutation(&mut g.pool) {
        Some(Ok(_)) => {}
        Some(Err(error)) => return Err(format!("{problem}\nthe refutation is wrong: {error}")),
        None => return Err(format!("{problem}\nno refutation")),
    }
    for round in 0..3 * options.queries {
        let tree = shape(&mut g, &ids, round % 3);
        let itp_options = ItpOptions {
            labelling: [Labelling::McMillan, Labelling::Pudlak, Labelling::McMillanPrime][g.below(3)],
            farkas: [Farkas::Strong, Farkas::Weak, Farkas::Decomposed][g.below(3)],
        };
        query(
            &mut g,
            &mut solver,
            &Asked { seed, problem: &problem, tree: &tree, options: itp_options },
            options,
            counts,
            doubts,
        )?;
    }
    Ok(())
}

/// A query about a refutation.
pub(super) struct Asked<'a> {
    pub seed: u64,
    /// The text of the problem, for reports.
    pub problem: &'a str,
    pub tree: &'a ItpTree,
    pub options: ItpOptions,
}

/// Asks for interpolants and verifies them.
pub(super) fn query(
    g: &mut Generator,
    solver: &mut SmtSolver,
    asked: &Asked<'_>,
    options: &Options,
    counts: &mut Counts,
    doubts: &mut Doubts,
) -> Result<(), String> {
    let Asked { seed, problem, tree, options: itp_options } = *asked;
    counts.queries += 1;
    let budget = Budget::with_timeout(options.limit);
    let started = Instant::now();
    let before = solver.interpolation_stats();
    let result = solver.interpolate(&mut g.pool, tree, itp_options, &budget);
    let took = started.elapsed();
    counts.note_time(took, seed);
    let after = solver.interpolation_stats();
    if after.rejected > before.rejected {
        counts.rejected.push(seed);
    }
    let answered = if after.by_projection > before.by_projection {
        &mut counts.projected
    } else if after.by_pure_refutation > before.by_pure_refutation {
        &mut counts.from_pure_refutation
    } else if after.by_mixed_rules > before.by_mixed_rules {
        &mut counts.by_mixed_rules
    } else {
        &mut counts.from_refutation
    };
    answered.n += 1;
    answered.time += took;
    if let Ok(interpolants) = &result {
        answered.n_formulas += interpolants.len() as u64;
        answered.size += interpolants.iter().map(|&t| g.pool.dag_size(t) as u64).sum::<u64>();
    }
    let interpolants = match result {
        Ok(interpolants) => interpolants,
        Err(ItpError::NotFound(why)) => {
            counts.unanswered(why, seed);
            return Ok(());
        }
        Err(ItpError::Stopped(stop)) => {
            counts.unanswered(format!("interpolation: {stop}"), seed);
            return Ok(());
        }
        Err(error @ (ItpError::NoRefutation | ItpError::BadTree(_))) => {
            return Err(format!("{problem}\n{tree:?}\n{error}"));
        }
    };
    let parts = partitions(tree, solver.assertions()).map_err(|e| e.to_string())?;
    let shown: Vec<String> = interpolants.iter().map(|&i| g.pool.smtlib(i)).collect();
    let report = format!("{problem}\n{tree:?}\n{itp_options:?}\n{shown:#?}");
    let started = Instant::now();
    let verdict = if g.chance(options.verify_percent) {
        verify(&mut g.pool, &parts, &interpolants, &Budget::with_timeout(options.limit))
    } else {
        vocabulary(&g.pool, &parts, &interpolants)
    };
    counts.verification += started.elapsed();
    match verdict {
        Ok(()) => {}
        Err(Flaw::Undecided(_)) => counts.unanswered("verification undecided", seed),
        Err(flaw @ (Flaw::WrongNumber | Flaw::Vocabulary(..) | Flaw::NotInductive(_))) => {
            return Err(format!("{report}\n{flaw:?}"));
        }
    }
    if g.chance(options.oracle_percent) {
        doubts.scripts.push(steps(g, &parts, &interpolants));
        doubts.origin.push(Query { seed, n_steps: parts.tree.n_nodes(), report });
    }
    Ok(())
}

/// A script with a check for each node of the tree, unsatisfiable if the interpolants are right there.
fn steps(g: &mut Generator, parts: &Partitions, interpolants: &[TermId]) -> String {
    let mut nodes: Vec<Vec<TermId>> = Vec::new();
    for v in 0..parts.tree.n_nodes() as u32 {
        let mut premises = parts.formulas[v as usize].clone();
        premises.extend(parts.tree.children(v).iter().map(|&c| interpolants[c as usize]));
        if v != parts.tree.root() {
            premises.push(g.pool.not(interpolants[v as usize]));
        }
        nodes.push(super::spelling::spelt_out(&mut g.pool, &premises));
    }
    let all: Vec<TermId> = nodes.concat();
    let mut script = g.pool.smtlib_declarations(&all);
    let mut differences = Vec::new();
    g.pool.visit_postorder(&all, |t| differences.push(t));
    differences.retain(|&t| g.pool.op(t) == logic::Op::ArrayDiff);
    let mut declared = Vec::new();
    for t in differences {
        let (a, b) = (g.pool.arg(t, 0), g.pool.arg(t, 1));
        let sort = g.pool.sort(a);
        if !declared.contains(&sort) {
            declared.push(sort);
            let (arrays, index) = (g.pool.show_sort(sort), g.pool.show_sort(g.pool.sort(t)));
            let _ = writeln!(script, "(declare-fun @diff ({arrays} {arrays}) {index})");
        }
        // What other solvers have to know about the difference of two arrays.
        let (left, right) = (g.pool.select(a, t), g.pool.select(b, t));
        let (same, same_there) = (g.pool.eq(a, b), g.pool.eq(left, right));
        let differ_there = g.pool.not(same_there);
        let axiom = g.pool.or2(same, differ_there);
        let _ = writeln!(script, "(assert {})", g.pool.smtlib(axiom));
    }
    for premises in nodes {
        script.push_str("(push 1)\n");
        for f in premises {
            let _ = writeln!(script, "(assert {})", g.pool.smtlib(f));
        }
        script.push_str("(check-sat)\n(pop 1)\n");
    }
    script
}
