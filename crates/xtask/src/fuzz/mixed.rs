//! Random pairs (A, B) whose theories have to talk about each other's local terms.
//!
//! Both sides are sets of literals (some are clauses of two) over constants of their own and a few shared ones;
//! functions are shared. Most problems get a chain of equalities between local terms of A and of B that follow from
//! arithmetic over shared terms and are used by functions and arrays ([`Problem::plant`]): the problems that projection
//! alone cannot answer. Random literals are added until the sides contradict each other, at most [`MAX_LITERALS`].
//! Every query counts as refused or is verified.

use super::fragment::Fragment;
use super::generator::Generator;
use super::interpolants::{Asked, Doubts, query, run_each, text};
use super::oracle::Oracle;
use super::{Counts, Disagreement, Options};
use base::Budget;
use logic::{AssertionId, Farkas, FunId, ItpOptions, ItpTree, Labelling, Rational, SatResult, Solver, SortId, TermId};
use smt::SmtSolver;

/// Literals of a problem, both sides together.
const MAX_LITERALS: usize = 40;

pub(super) fn run(
    fragment: Fragment,
    seeds: std::ops::Range<u64>,
    oracles: &[Oracle],
    options: &Options,
    counts: &mut Counts,
) -> Vec<Disagreement> {
    run_each(one, fragment, seeds, oracles, options, counts)
}

/// The two sides of a problem.
struct Problem {
    vocabularies: [Vec<TermId>; 2],
    locals: [Vec<TermId>; 2],
    shared: Vec<TermId>,
    sides: [Vec<TermId>; 2],
}

impl Problem {
    fn new(g: &mut Generator) -> Problem {
        let n_shared = 1 + g.below(2);
        let shared = g.constants("_s", n_shared);
        let locals = ["_a", "_b"].map(|suffix| {
            let n = 1 + g.below(3);
            g.constants(suffix, n)
        });
        let vocabularies = [0, 1].map(|k| locals[k].iter().chain(&shared).copied().collect::<Vec<TermId>>());
        Problem { vocabularies, locals, shared, sides: [Vec::new(), Vec::new()] }
    }
    /// A chain of equalities between terms of A and of B that arithmetic implies, and a function or an array that tells
    /// them apart.
    fn plant(&mut self, g: &mut Generator) {
        let sorts: Vec<SortId> = g.sorts_of(&self.shared).into_iter().filter(|sort| sort.is_arith()).collect();
        if sorts.is_empty() {
            return;
        }
        let sort = sorts[g.below(sorts.len())];
        let Some(mut pair) = self.equal_pair(g, sort) else { return };
        for _ in 0..g.below(3) {
            let Some(images) = self.images(g, pair) else { return };
            let Some(next) = self.locals(g, g.pool.sort(images[0])) else { break };
            for side in 0..2 {
                let link = g.pool.eq(images[side], next[side]);
                self.sides[side].push(link);
            }
            if g.pool.sort(next[0]) != sort {
                pair = next;
                break;
            }
            pair = next;
        }
        let Some(images) = self.images(g, pair) else { return };
        g.speak(self.shared.clone());
        let witness = g.term(g.pool.sort(images[0]), 0);
        let is_ordered = g.pool.sort(witness).is_arith() && g.chance(30);
        let first = if is_ordered { g.pool.le(images[0], witness) } else { g.pool.eq(images[0], witness) };
        let second = if is_ordered { g.pool.le(images[1], witness) } else { g.pool.eq(images[1], witness) };
        self.sides[0].push(first);
        let second = g.pool.not(second);
        self.sides[1].push(second);
        if g.chance(50) {
            self.sides.swap(0, 1);
            self.vocabularies.swap(0, 1);
            self.locals.swap(0, 1);
        }
    }
    /// A local constant of each side.
    fn locals(&self, g: &mut Generator, sort: SortId) -> Option<[TermId; 2]> {
        let mut found = [None; 2];
        for (local, locals) in found.iter_mut().zip(&self.locals) {
            let fitting: Vec<TermId> = locals.iter().copied().filter(|&c| g.pool.sort(c) == sort).collect();
            *local = (!fitting.is_empty()).then(|| fitting[g.below(fitting.len())]);
        }
        Some([found[0]?, found[1]?])
    }
    /// Local terms of the two sides, and literals from which it follows that they are equal.
    fn equal_pair(&mut self, g: &mut Generator, sort: SortId) -> Option<[TermId; 2]> {
        let pair = self.locals(g, sort)?;
        g.speak(self.shared.clone());
        let (bound, other) = (g.term(sort, 1), g.term(sort, 1));
        let factor = 1 + g.below(3) as i64;
        let kind = g.below(3);
        for (side, &local) in pair.iter().enumerate() {
            let scaled = g.pool.scale(local, &Rational::from(factor));
            match kind {
                0 => {
                    let equation = g.pool.eq(scaled, bound);
                    self.sides[side].push(equation);
                }
                1 if sort == SortId::INT => {
                    let width = g.pool.int(factor - 1);
                    let top = g.pool.add(&[bound, width]);
                    let range = [g.pool.le(bound, scaled), g.pool.le(scaled, top)];
                    self.sides[side].extend(range);
                }
                _ => {
                    let (low, high) = if side == 0 { (bound, other) } else { (other, bound) };
                    let range = [g.pool.le(low, scaled), g.pool.le(scaled, high)];
                    self.sides[side].extend(range);
                }
            }
        }
        Some(pair)
    }
    /// The same function, or read of a shared array, of two terms.
    fn images(&self, g: &mut Generator, pair: [TermId; 2]) -> Option<[TermId; 2]> {
        let sort = g.pool.sort(pair[0]);
        let functions: Vec<FunId> = g.functions.iter().copied().filter(|&f| g.pool.fun(f).args[..] == [sort]).collect();
        let mut arrays: Vec<TermId> = self.shared.clone();
        arrays.retain(|&a| g.pool.array_parts(g.pool.sort(a)).is_some_and(|(index, _)| index == sort));
        let n = functions.len() + arrays.len();
        if n == 0 {
            return None;
        }
        let choice = g.below(n);
        if let Some(&f) = functions.get(choice) {
            return Some(pair.map(|t| g.pool.app(f, &[t])));
        }
        let mut array = arrays[choice - functions.len()];
        if g.chance(40) {
            g.speak(self.shared.clone());
            let (index, element) = g.pool.array_parts(g.pool.sort(array))?;
            let (index, element) = (g.term(index, 0), g.term(element, 0));
            array = g.pool.store(array, index, element);
        }
        Some(pair.map(|t| g.pool.select(array, t)))
    }
    fn n_literals(&self) -> usize {
        self.sides.iter().map(Vec::len).sum()
    }
    fn add(&mut self, g: &mut Generator, side: usize) {
        g.speak(self.vocabularies[side].clone());
        let mut formula = literal(g);
        if g.chance(12) {
            let other = literal(g);
            formula = g.pool.or2(formula, other);
        }
        self.sides[side].push(formula);
    }
}

fn literal(g: &mut Generator) -> TermId {
    let sorts: Vec<SortId> = g.sorts().into_iter().filter(|sort| sort.is_arith()).collect();
    if sorts.is_empty() || g.chance(45) {
        let depth = 1 + g.below(2);
        let atom = g.atom(depth);
        return if g.chance(35) { g.pool.not(atom) } else { atom };
    }
    let sort = sorts[g.below(sorts.len())];
    let mut sum = Vec::new();
    for _ in 0..2 + g.below(2) {
        let term = g.term(sort, 1);
        let coefficient = [1, 1, 1, 2, 2, 3, -1, -1, -2, -3][g.below(10)];
        sum.push(g.pool.scale(term, &Rational::from(coefficient)));
    }
    let left = g.pool.add(&sum);
    let constant = g.below(5) as i64 - 2;
    let right = g.pool.num(Rational::from(constant), sort);
    match g.below(4) {
        0 | 1 => g.pool.eq(left, right),
        2 => g.pool.le(left, right),
        _ => g.pool.lt(left, right),
    }
}

/// A solver that has refuted the problem, of which each side is consistent; `None` if it stays satisfiable.
fn contradiction(
    g: &mut Generator,
    seed: u64,
    problem: &mut Problem,
    options: &Options,
    counts: &mut Counts,
) -> Option<(SmtSolver, Vec<Vec<AssertionId>>)> {
    while problem.n_literals() < MAX_LITERALS {
        let mut solver = SmtSolver::with_proofs();
        let ids: Vec<Vec<AssertionId>> =
            problem.sides.iter().map(|side| side.iter().map(|&f| solver.assert(&mut g.pool, f)).collect()).collect();
        counts.checks += 1;
        match solver.check(&mut g.pool, &Budget::with_timeout(options.limit)) {
            SatResult::Sat => {
                counts.sat += 1;
                problem.add(g, 0);
                problem.add(g, 1);
                continue;
            }
            SatResult::Unknown(why) => {
                counts.unanswered(format!("check: {why}"), seed);
                return None;
            }
            SatResult::Unsat => counts.unsat += 1,
        }
        let core = solver.unsat_core();
        let alone = (0..2).find(|&k| core.iter().all(|id| ids[k].contains(id)));
        let culprit = alone.and_then(|k| Some((k, ids[k].iter().position(|id| core.contains(id))?)));
        match culprit {
            Some((k, position)) => problem.sides[k].remove(position),
            None => return Some((solver, ids)),
        };
    }
    None
}

fn one(
    seed: u64,
    fragment: Fragment,
    options: &Options,
    counts: &mut Counts,
    doubts: &mut Doubts,
) -> Result<(), String> {
    let mut g = Generator::new(seed, fragment);
    let mut problem = Problem::new(&mut g);
    if g.chance(75) {
        problem.plant(&mut g);
    }
    for _ in 0..g.below(8) {
        let side = g.below(2);
        problem.add(&mut g, side);
    }
    let Some((mut solver, ids)) = contradiction(&mut g, seed, &mut problem, options, counts) else { return Ok(()) };
    let text = text(&g, &problem.sides);
    if options.show {
        println!("; seed {seed}\n{text}(check-sat)");
    }
    let tree = ItpTree { groups: ids, parent: vec![Some(1), None] };
    let itp_options = ItpOptions {
        labelling: [Labelling::McMillan, Labelling::Pudlak, Labelling::McMillanPrime][g.below(3)],
        farkas: [Farkas::Strong, Farkas::Weak, Farkas::Decomposed][g.below(3)],
    };
    let asked = Asked { seed, problem: &text, tree: &tree, options: itp_options };
    query(&mut g, &mut solver, &asked, options, counts, doubts)
}
