//! Contracts of recursive procedures from templates.
//!
//! A procedure gets many candidate preconditions and postconditions: bounds of parameters and results, bounds of sums
//! and differences of a result with one or two parameters, multiples of a parameter, and remainders, all with numbers
//! of the program text; each postcondition also under every condition on parameters that the body tests and under its
//! negation. Houdini keeps the largest inductive part ([`check::inductive_part`]; Flanagan, Leino: Houdini, an
//! Annotation Assistant for ESC/Java, FME 2001), and the checker judges whether that part is a proof. Invariants of
//! loops are those that abstract interpretation offers.
//!
//! Departures: the candidates contradict each other, and terms are simplified when they are made. So every candidate
//! stands behind a fresh Boolean constant that an axiom makes true.

use crate::certify::{Claim, Effort, certify};
use crate::graphs::{Graphs, View};
use crate::outcome::Outcome;
use base::Budget;
use engine::Predicates;
use ir::{Annotation, Certificate, Contract, Icfg, Label, ProcId, Stmt, VarId, VarKind, Verdict};
use logic::{FastMap, Op, Rational, SortId, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

/// The name under which an answer is given.
pub(crate) const TEMPLATES: &str = "contract-templates";
/// Of the time: for the inductive part, and for the check whether it is a proof.
const PART_SHARE: f64 = 0.15;
const PROOF_SHARE: f64 = 0.15;
/// The most numbers, conditions, parameters and results of a procedure that templates are filled with.
const MAX_NUMBERS: usize = 14;
const MAX_CONDITIONS: usize = 3;
const MAX_INPUTS: usize = 5;
const MAX_OUTPUTS: usize = 3;
/// The most postconditions of a procedure, not counting conditions.
const MAX_FACTS: usize = 600;
/// Larger numbers are mostly the bounds of types.
const MAX_NUMBER: i64 = 1 << 24;

/// An answer if contracts from templates are a proof. `None`: the program is not recursive, or has threads.
pub(crate) fn try_templates(
    pool: &mut TermPool,
    graphs: &Graphs,
    offered: &Predicates,
    claim: &Claim,
    budget: &Budget,
) -> Option<Option<Outcome>> {
    let graph = graphs.view(View::Flat);
    if graph.has_threads() || !graph.has_calls() {
        return None;
    }
    let mut candidates = Candidates { graph: graph.clone(), meaning: FastMap::default() };
    let mut annotation = Annotation::default();
    for (&loc, formulas) in offered.iter().filter(|(loc, _)| graph.locs[**loc].is_loop_head) {
        let facts: Vec<Fact> = formulas.iter().copied().map(Fact::plain).collect();
        annotation.invariants.insert(loc, candidates.all(pool, &facts));
    }
    for proc in called(graph) {
        let (requires, ensures) = Templates::of(pool, graph, proc).contract(pool);
        let (requires, ensures) = (candidates.all(pool, &requires), candidates.all(pool, &ensures));
        annotation.contracts.insert(proc, Contract { requires, ensures });
    }
    let limit = budget.share(PART_SHARE);
    let part = check::inductive_part(pool, &candidates.graph, &annotation, claim.options, &limit).ok();
    let proof = candidates.meant(pool, part?);
    let verdict = Verdict::Holds(Certificate::Annotation(proof));
    let outcome = certify(pool, graphs, View::Flat, verdict, claim, Effort::Simplified, &budget.share(PROOF_SHARE));
    Some(outcome.is_definite().then_some(outcome))
}

/// A candidate conjunct.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Fact {
    /// Under this condition.
    when: TermId,
    formula: TermId,
    bound: Option<Bound>,
}

/// A bound of a term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Bound {
    of: TermId,
    is_upper: bool,
    number: i64,
}

impl Fact {
    fn plain(formula: TermId) -> Fact {
        Fact { when: TermId::TRUE, formula, bound: None }
    }

    /// Does the one follow from the other by comparing numbers?
    fn follows_from(&self, other: &Fact) -> bool {
        if self == other || (other.when != TermId::TRUE && other.when != self.when) {
            return false;
        }
        match (self.bound, other.bound) {
            (Some(a), Some(b)) if (a.of, a.is_upper) == (b.of, b.is_upper) => {
                let is_tighter = if a.is_upper { b.number < a.number } else { b.number > a.number };
                is_tighter || a.number == b.number && self.when != other.when
            }
            _ => self.formula == other.formula && self.when != other.when,
        }
    }
}

/// Formulas behind constants, and the graph whose axioms make these true.
struct Candidates {
    graph: Icfg,
    meaning: FastMap<TermId, Fact>,
}

impl Candidates {
    fn all(&mut self, pool: &mut TermPool, facts: &[Fact]) -> TermId {
        let mut guarded = Vec::new();
        for &fact in facts {
            let active = pool.fresh_constant("candidate", SortId::BOOL);
            self.graph.axioms.push(active);
            let when = pool.and2(active, fact.when);
            let candidate = pool.implies(when, fact.formula);
            self.meaning.insert(candidate, fact);
            guarded.push(candidate);
        }
        pool.and(&guarded)
    }

    /// What is left, without what follows from other parts of it.
    fn meant(&self, pool: &mut TermPool, part: Annotation) -> Annotation {
        let mut meant = |formula: TermId| {
            let kept: Vec<Fact> = pool.conjuncts(formula).iter().filter_map(|c| self.meaning.get(c).copied()).collect();
            let needed = kept.iter().filter(|fact| !kept.iter().any(|other| fact.follows_from(other)));
            let needed: Vec<TermId> = needed.map(|fact| pool.implies(fact.when, fact.formula)).collect();
            pool.and(&needed)
        };
        let invariants = part.invariants.into_iter().map(|(loc, formula)| (loc, meant(formula))).collect();
        let contracts = part.contracts.into_iter().map(|(proc, contract)| {
            (proc, Contract { requires: meant(contract.requires), ensures: meant(contract.ensures) })
        });
        let contracts = contracts.collect();
        Annotation { invariants, contracts }
    }
}

/// The procedures that are called.
fn called(icfg: &Icfg) -> BTreeSet<ProcId> {
    let calls = icfg.edges.values().filter_map(|e| match e.label {
        Label::Call(site) => Some(icfg.call_sites[site].callee),
        _ => None,
    });
    calls.collect()
}

/// What the templates of a procedure are filled with.
struct Templates {
    /// Parameters and globals, as they are before the call.
    before: Vec<TermId>,
    /// The same in postconditions.
    inputs: Vec<TermId>,
    /// Results and modified globals.
    outputs: Vec<TermId>,
    /// Conditions on the inputs that the body tests.
    conditions: Vec<TermId>,
    /// Numbers of the body.
    own: BTreeSet<i64>,
    /// Numbers of the body and of the callers.
    numbers: BTreeSet<i64>,
}

impl Templates {
    fn of(pool: &TermPool, icfg: &Icfg, proc: ProcId) -> Templates {
        let of_sort = |v: &&VarId| icfg.vars[**v].sort == SortId::INT;
        let callee = &icfg.procs[proc];
        let olds: BTreeMap<VarId, VarId> = icfg
            .vars
            .iter()
            .filter_map(|(id, var)| match var.kind {
                VarKind::Old(global) => Some((global, id)),
                _ => None,
            })
            .collect();
        let globals: Vec<VarId> = callee.modifies.iter().filter(of_sort).copied().collect();
        let params = callee.params.iter().filter(of_sort).map(|v| icfg.term(*v));
        let mut before: Vec<TermId> = params.collect();
        let mut inputs = before.clone();
        for global in globals.iter().filter_map(|g| Some((*g, *olds.get(g)?))) {
            before.push(icfg.term(global.0));
            inputs.push(icfg.term(global.1));
        }
        before.truncate(MAX_INPUTS);
        inputs.truncate(MAX_INPUTS);
        let results = callee.results.iter().filter(of_sort).chain(&globals);
        let outputs = results.take(MAX_OUTPUTS).map(|v| icfg.term(*v)).collect();
        let params: BTreeSet<TermId> = callee.params.iter().map(|v| icfg.term(*v)).collect();
        let (mut own, mut numbers) = (BTreeSet::new(), BTreeSet::new());
        let mut conditions: Vec<TermId> = Vec::new();
        let callers: BTreeSet<ProcId> =
            icfg.call_sites.values().filter(|s| s.callee == proc).map(|s| s.caller).collect();
        for edge in icfg.edges.values() {
            let at = icfg.locs[edge.src].proc;
            if at != proc && !callers.contains(&at) {
                continue;
            }
            pool.visit_postorder(&terms_of(pool, icfg, &edge.label), |t| {
                if let Some(n) = small_number(pool, t) {
                    numbers.insert(n);
                    if at == proc {
                        own.insert(n);
                    }
                }
                let is_atom = matches!(pool.op(t), Op::Le | Op::Eq);
                if at == proc && is_atom && !conditions.contains(&t) && conditions.len() < MAX_CONDITIONS {
                    let constants = pool.free_constants(t);
                    let is_about_params = !constants.is_empty() && constants.iter().all(|c| params.contains(c));
                    // The bounds of a type decide whether a result wraps around, not what the body does.
                    if is_about_params && !has_large_number(pool, t) {
                        conditions.push(t);
                    }
                }
            });
        }
        let nearest = |set: BTreeSet<i64>| -> BTreeSet<i64> {
            let mut list: Vec<i64> = set.into_iter().collect();
            list.sort_by_key(|n| n.abs());
            list.into_iter().take(MAX_NUMBERS).chain([0, 1]).collect()
        };
        Templates { before, inputs, outputs, conditions, own: nearest(own), numbers: nearest(numbers) }
    }

    /// Candidate conjuncts of the precondition and of the postcondition.
    fn contract(&self, pool: &mut TermPool) -> (Vec<Fact>, Vec<Fact>) {
        let mut requires = BTreeSet::new();
        for (i, &p) in self.before.iter().enumerate() {
            requires.extend(bounds(pool, p, self.numbers.iter().copied()));
            for &q in &self.before[..i] {
                let difference = pool.sub(p, q);
                requires.extend(bounds(pool, difference, [0]));
            }
        }
        let mut facts = BTreeSet::new();
        let offsets: BTreeSet<i64> = self.own.iter().flat_map(|n| [*n, -*n]).collect();
        for &o in &self.outputs {
            facts.extend(bounds(pool, o, self.numbers.iter().copied()));
            for (i, &p) in self.inputs.iter().enumerate() {
                let (difference, sum) = (pool.sub(o, p), pool.add(&[o, p]));
                facts.extend(bounds(pool, difference, offsets.iter().copied()));
                facts.extend(bounds(pool, sum, [0]));
                for &factor in self.numbers.iter().filter(|n| **n > 1) {
                    let multiple = pool.scale(p, &Rational::from(factor));
                    let difference = pool.sub(o, multiple);
                    facts.extend(bounds(pool, difference, [0]));
                }
                for &divisor in self.own.iter().filter(|n| **n > 2).chain(&[2]) {
                    let divisor = pool.int(divisor);
                    for shift in [0, 1] {
                        let shift = pool.int(shift);
                        let shifted = pool.add(&[p, shift]);
                        let remainder = pool.modulo(shifted, divisor);
                        facts.insert(Fact::plain(pool.eq(o, remainder)));
                    }
                }
                for &q in &self.inputs[..i] {
                    let (sum, minus) = (pool.sub(difference, q), pool.add(&[difference, q]));
                    facts.extend(bounds(pool, sum, [0]));
                    facts.extend(bounds(pool, minus, [0]));
                }
            }
        }
        let mut ensures = Vec::new();
        for &fact in facts.iter().take(MAX_FACTS) {
            ensures.push(fact);
            for &condition in &self.conditions {
                let negated = pool.not(condition);
                ensures.extend([condition, negated].map(|when| Fact { when, ..fact }));
            }
        }
        let is_open = |fact: &Fact| fact.formula != TermId::TRUE && fact.formula != TermId::FALSE;
        (requires.into_iter().filter(is_open).collect(), ensures.into_iter().filter(is_open).collect())
    }
}

fn small_number(pool: &TermPool, t: TermId) -> Option<i64> {
    pool.number(t).and_then(Rational::to_i64).filter(|n| (-MAX_NUMBER..=MAX_NUMBER).contains(n))
}

fn has_large_number(pool: &TermPool, t: TermId) -> bool {
    let mut found = false;
    pool.visit_postorder(&[t], |part| found |= pool.number(part).is_some() && small_number(pool, part).is_none());
    found
}

/// `of` is at least, at most, more than and less than these numbers.
fn bounds(pool: &mut TermPool, of: TermId, numbers: impl IntoIterator<Item = i64>) -> BTreeSet<Fact> {
    let mut all = BTreeSet::new();
    for n in numbers {
        for (is_upper, number) in [(false, n), (false, n + 1), (true, n), (true, n - 1)] {
            let limit = pool.int(number);
            let formula = if is_upper { pool.le(of, limit) } else { pool.ge(of, limit) };
            let bound = Some(Bound { of, is_upper, number });
            all.insert(Fact { when: TermId::TRUE, formula, bound });
        }
    }
    all
}

fn terms_of(pool: &TermPool, icfg: &Icfg, label: &Label) -> Vec<TermId> {
    match label {
        Label::Stmt(Stmt::Assume(condition)) => vec![*condition],
        // The bytes of string literals say nothing.
        Label::Stmt(Stmt::Assign(pairs)) => {
            pairs.iter().filter(|p| pool.array_parts(icfg.vars[p.0].sort).is_none()).map(|p| p.1).collect()
        }
        Label::Call(site) => icfg.call_sites[*site].args.clone(),
        Label::Block(block) => vec![block.plain],
        Label::Stmt(Stmt::Havoc(..)) | Label::Return(_) => Vec::new(),
        Label::Fork { .. } | Label::Join { .. } | Label::AtomicBegin | Label::AtomicEnd => Vec::new(),
    }
}
