//! Smaller proofs: contracts and invariants that a person can read.
//!
//! Engines collect what they needed on the way, which is more than the proof needs: interpolants of several traces, guards that
//! are implied, cases that coincide. Here parts are taken away as long as the checker accepts the rest: a conjunct less
//! (a weaker formula), or a disjunct less (a stronger one). Every candidate is smaller than what it replaces and is checked as a whole,
//! so the result is a proof like any other; the search stops after a fixed number of checks or when its time is up.

use crate::{Options, check_certificate};
use base::Budget;
use ir::{Annotation, Certificate, Icfg};
use logic::{TermId, TermPool};
use std::time::Duration;

/// How many candidates are checked at most.
const MAX_CHECKS: usize = 300;
/// How much time the search may take.
const TIME_LIMIT: Duration = Duration::from_millis(700);
/// Formulas with more parts than this are left alone.
const MAX_PARTS: usize = 40;

/// One formula of an annotation.
#[derive(Clone, Copy)]
enum Place {
    Invariant(ir::LocId),
    Requires(ir::ProcId),
    Ensures(ir::ProcId),
}

/// A certificate that is accepted like the given one, with smaller contracts and invariants where some were found. Certificates
/// without contracts are returned as they are.
pub fn simplify_certificate(
    pool: &mut TermPool,
    icfg: &Icfg,
    certificate: Certificate,
    options: Options,
    budget: &Budget,
) -> Certificate {
    let (annotation, wrap): (&Annotation, fn(Annotation) -> Certificate) = match &certificate {
        Certificate::Annotation(annotation) if !annotation.contracts.is_empty() => {
            (annotation, Certificate::Annotation)
        }
        Certificate::TailRecursive(annotation) => (annotation, Certificate::TailRecursive),
        Certificate::Annotation(_) | Certificate::Unwinding(_) | Certificate::Termination(_) => return certificate,
    };
    let mut best = annotation.clone();
    let limit = budget.child(TIME_LIMIT);
    let mut n_checks = 0;
    let places: Vec<Place> = best
        .contracts
        .keys()
        .flat_map(|&p| [Place::Requires(p), Place::Ensures(p)])
        .chain(best.invariants.keys().map(|&l| Place::Invariant(l)))
        .collect();
    loop {
        let mut improved = false;
        for &place in &places {
            let mut tried = 0;
            loop {
                let formula = formula_at(&best, place);
                let Some(&candidate) = smaller(pool, formula).get(tried) else { break };
                if n_checks >= MAX_CHECKS || limit.check_now().is_err() {
                    return wrap(best);
                }
                n_checks += 1;
                let mut next = best.clone();
                set_formula(&mut next, place, candidate);
                let next = wrap(next);
                if check_certificate(pool, icfg, &next, options, &limit).is_ok() {
                    let (Certificate::Annotation(next) | Certificate::TailRecursive(next)) = next else { break };
                    best = next;
                    improved = true;
                    tried = 0;
                } else {
                    tried += 1;
                }
            }
        }
        if !improved {
            return wrap(best);
        }
    }
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

/// Formulas with a part less, the boldest first.
fn smaller(pool: &mut TermPool, formula: TermId) -> Vec<TermId> {
    if formula == TermId::TRUE || formula == TermId::FALSE {
        return Vec::new();
    }
    let conjuncts = pool.conjuncts(formula);
    let mut candidates = vec![TermId::TRUE];
    if conjuncts.len() > MAX_PARTS {
        return candidates;
    }
    if conjuncts.len() > 1 {
        for i in 0..conjuncts.len() {
            candidates.push(and_without(pool, &conjuncts, i, None));
        }
    }
    for i in 0..conjuncts.len() {
        let disjuncts = pool.disjuncts(conjuncts[i]);
        if disjuncts.len() < 2 || disjuncts.len() > MAX_PARTS {
            continue;
        }
        for k in 0..disjuncts.len() {
            let fewer: Vec<TermId> = disjuncts.iter().enumerate().filter(|&(j, _)| j != k).map(|(_, &d)| d).collect();
            let fewer = pool.or(&fewer);
            candidates.push(and_without(pool, &conjuncts, i, Some(fewer)));
        }
        // A conjunct of a disjunct less.
        for k in 0..disjuncts.len() {
            let inner = pool.conjuncts(disjuncts[k]);
            if inner.len() < 2 || inner.len() > MAX_PARTS {
                continue;
            }
            for j in 0..inner.len() {
                let mut changed = disjuncts.clone();
                changed[k] = and_without(pool, &inner, j, None);
                let changed = pool.or(&changed);
                candidates.push(and_without(pool, &conjuncts, i, Some(changed)));
            }
        }
    }
    candidates
}

/// The conjunction with one conjunct left out or replaced.
fn and_without(pool: &mut TermPool, conjuncts: &[TermId], index: usize, by: Option<TermId>) -> TermId {
    let mut rest: Vec<TermId> = conjuncts.iter().enumerate().filter(|&(i, _)| i != index).map(|(_, &c)| c).collect();
    rest.extend(by);
    pool.and(&rest)
}
