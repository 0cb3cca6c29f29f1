//! Smaller proofs: contracts and invariants that a person can read.
//!
//! Engines collect what they needed on the way, which is more than the proof needs: interpolants of several traces,
//! guards that are implied, cases that coincide. Here parts are taken away as long as the checker accepts the rest: a
//! conjunct less (a weaker formula), or a disjunct less (a stronger one). Every candidate is smaller than what it
//! replaces and is checked as a whole, so the result is a proof like any other; the search stops after a fixed number
//! of checks or when its time is up.

use crate::annotation::Place;
use crate::{Options, check_certificate};
use base::Budget;
use ir::{Annotation, Certificate, Icfg};
use logic::{Op, SortId, TermId, TermPool};
use std::time::Duration;

/// How many candidates are checked at most.
const MAX_CHECKS: usize = 300;
/// How much time the search may take, and how much where there are only invariants, which say less.
const TIME_LIMIT: Duration = Duration::from_millis(700);
const INVARIANTS_LIMIT: Duration = Duration::from_millis(100);
/// Formulas that are larger are only replaced as a whole.
const MAX_SIZE: usize = 400;

/// A certificate that is accepted like the given one, with smaller contracts and invariants where some were found.
/// Unwindings and ranking functions are returned as they are.
pub fn simplify_certificate(
    pool: &mut TermPool,
    icfg: &Icfg,
    certificate: Certificate,
    options: Options,
    budget: &Budget,
) -> Certificate {
    let (annotation, wrap): (&Annotation, fn(Annotation) -> Certificate) = match &certificate {
        Certificate::Annotation(annotation) => (annotation, Certificate::Annotation),
        Certificate::TailRecursive(annotation) => (annotation, Certificate::TailRecursive),
        Certificate::Execution(_)
        | Certificate::FiniteExecution(_)
        | Certificate::States(_)
        | Certificate::FairStates { .. }
        | Certificate::Threads(_)
        | Certificate::StatesOfBranches(_)
        | Certificate::Unwinding(_)
        | Certificate::FiniteUnwinding(_)
        | Certificate::Interleavings(_)
        | Certificate::OwickiGries(_)
        | Certificate::Holders(..)
        | Certificate::Termination(_) => return certificate,
    };
    let mut best = annotation.clone();
    let limit = budget.child(if best.contracts.is_empty() { INVARIANTS_LIMIT } else { TIME_LIMIT });
    let mut n_checks = 0;
    let places: Vec<Place> = best
        .contracts
        .keys()
        .flat_map(|&p| [Place::Requires(p), Place::Ensures(p)])
        .chain(best.invariants.keys().map(|&l| Place::Invariant(l)))
        .collect();
    // Equivalent formulas without negations of junctions.
    for &place in &places {
        let formula = formula_at(&best, place);
        if pool.dag_size(formula) <= MAX_SIZE {
            let positive = negation_normal_form(pool, formula, true);
            set_formula(&mut best, place, positive);
        }
    }
    let mut improved = true;
    while improved {
        improved = false;
        for &place in &places {
            let mut index = 0;
            loop {
                let formula = formula_at(&best, place);
                let Some(&candidate) = smaller(pool, formula).get(index) else { break };
                if n_checks >= MAX_CHECKS || limit.check_now().is_err() {
                    return accepted(pool, icfg, wrap(best), certificate, options, budget);
                }
                n_checks += 1;
                let mut next = best.clone();
                set_formula(&mut next, place, candidate);
                let proved = check_certificate(pool, icfg, &wrap(next.clone()), options, &limit).is_ok();
                if proved {
                    // What stood after the part that went is at its place now.
                    best = next;
                    improved = true;
                } else {
                    index += 1;
                }
            }
        }
    }
    accepted(pool, icfg, wrap(best), certificate, options, budget)
}

/// The new certificate if it passes (it should), otherwise the old one.
fn accepted(
    pool: &mut TermPool,
    icfg: &Icfg,
    new: Certificate,
    old: Certificate,
    options: Options,
    budget: &Budget,
) -> Certificate {
    if check_certificate(pool, icfg, &new, options, budget).is_ok() { new } else { old }
}

fn formula_at(annotation: &Annotation, place: Place) -> TermId {
    match place {
        Place::Invariant(loc) => annotation.invariants[&loc],
        Place::Requires(proc) => annotation.contracts[&proc].requires,
        Place::Ensures(proc) => annotation.contracts[&proc].ensures,
    }
}

fn set_formula(annotation: &mut Annotation, place: Place, formula: TermId) {
    match place {
        Place::Invariant(loc) => {
            annotation.invariants.insert(loc, formula);
        }
        Place::Requires(proc) => {
            annotation.contracts.entry(proc).and_modify(|c| c.requires = formula);
        }
        Place::Ensures(proc) => {
            annotation.contracts.entry(proc).and_modify(|c| c.ensures = formula);
        }
    }
}

/// The same formula with negations at atoms only.
fn negation_normal_form(pool: &mut TermPool, formula: TermId, positive: bool) -> TermId {
    let joined = |pool: &mut TermPool, and: bool, args: Vec<TermId>| if and { pool.and(&args) } else { pool.or(&args) };
    match pool.op(formula) {
        Op::Not => {
            let inner = pool.arg(formula, 0);
            negation_normal_form(pool, inner, !positive)
        }
        op @ (Op::And | Op::Or) => {
            let args = pool.args(formula).to_vec();
            let args = args.into_iter().map(|a| negation_normal_form(pool, a, positive)).collect();
            joined(pool, (op == Op::And) == positive, args)
        }
        _ if positive => formula,
        _ => pool.not(formula),
    }
}

/// Formulas with a part less: the whole formula, then parts of it, large ones first.
fn smaller(pool: &mut TermPool, formula: TermId) -> Vec<TermId> {
    if formula == TermId::TRUE || formula == TermId::FALSE {
        return Vec::new();
    }
    let mut candidates = vec![TermId::TRUE];
    if pool.dag_size(formula) <= MAX_SIZE {
        let mut parts = Vec::new();
        without_a_part(pool, formula, &mut parts);
        parts.sort_by_key(|&(removed, _)| std::cmp::Reverse(removed));
        candidates.extend(parts.into_iter().map(|(_, candidate)| candidate).filter(|&c| c != formula));
    }
    candidates
}

/// All ways to leave out one argument of one junction in a tree of junctions, with the size of what is left out. Two
/// bounds that meet may also become an equation.
fn without_a_part(pool: &mut TermPool, formula: TermId, found: &mut Vec<(usize, TermId)>) {
    let op = pool.op(formula);
    if !matches!(op, Op::And | Op::Or) {
        return;
    }
    let args = pool.args(formula).to_vec();
    let join = |pool: &mut TermPool, args: &[TermId]| if op == Op::And { pool.and(args) } else { pool.or(args) };
    for i in 0..args.len() {
        let mut rest = args.clone();
        let part = rest.remove(i);
        let removed = pool.dag_size(part);
        let candidate = join(pool, &rest);
        found.push((removed, candidate));
        let mut inner = Vec::new();
        without_a_part(pool, part, &mut inner);
        for (removed, changed) in inner {
            let mut changed_args = args.clone();
            changed_args[i] = changed;
            let candidate = join(pool, &changed_args);
            found.push((removed, candidate));
        }
    }
    if op == Op::And {
        for i in 0..args.len() {
            for k in 0..args.len() {
                if let Some(equation) = meeting_bounds(pool, args[i], args[k]) {
                    let mut rest: Vec<TermId> =
                        args.iter().enumerate().filter(|&(j, _)| j != i && j != k).map(|(_, &a)| a).collect();
                    rest.push(equation);
                    let candidate = pool.and(&rest);
                    found.push((usize::MAX, candidate));
                }
            }
        }
    }
}

/// `s <= c` and `s > c - 1` over the integers are `s == c`.
fn meeting_bounds(pool: &mut TermPool, upper: TermId, lower: TermId) -> Option<TermId> {
    if pool.op(upper) != Op::Le || pool.op(lower) != Op::Not {
        return None;
    }
    let below = pool.arg(lower, 0);
    if pool.op(below) != Op::Le || pool.arg(below, 0) != pool.arg(upper, 0) {
        return None;
    }
    let (sum, constant) = (pool.arg(upper, 0), pool.arg(upper, 1));
    if pool.sort(sum) != SortId::INT {
        return None;
    }
    let one = pool.int(1);
    let expected = pool.sub(constant, one);
    (expected == pool.arg(below, 1)).then(|| pool.eq(sum, constant))
}
