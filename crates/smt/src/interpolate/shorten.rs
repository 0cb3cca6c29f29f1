//! Dropping parts of an interpolant that it can do without.
//!
//! Conjuncts and disjuncts, at any depth, are left out one at a time, the outermost first. Leaving out a conjunct
//! weakens the formula, so it must still contradict B; leaving out a disjunct strengthens it, so A must still imply it
//! (the other way round below a negation): one check each. The number of checks is bounded, so the result is always an
//! interpolant, not always a shortest one.

use crate::solver::SmtSolver;
use base::Budget;
use logic::{Op, SatResult, Solver, TermId, TermPool};

/// Checks for one interpolant, and how deep parts are looked for.
const MAX_CHECKS: usize = 80;
const MAX_DEPTH: usize = 8;
/// Formulas of at most this size are left alone.
const SHORT: usize = 6;

/// A part of a formula: which argument to take at each step, and whether it is below an odd number of negations.
#[derive(Clone)]
struct Place {
    path: Vec<usize>,
    is_negated: bool,
    /// The part is an argument of a conjunction (else of a disjunction).
    in_conjunction: bool,
}

/// A formula that `a_side` implies and that contradicts `b_side`, like the one given.
pub fn shorten(
    pool: &mut TermPool,
    interpolant: TermId,
    a_side: &mut SmtSolver,
    b_side: &mut SmtSolver,
    budget: &Budget,
) -> TermId {
    let mut formula = interpolant;
    let mut n_checks = 0;
    if pool.dag_size(formula) <= SHORT {
        return formula;
    }
    let mut depth = 1;
    while depth <= MAX_DEPTH {
        let places = places(pool, formula, depth);
        if places.is_empty() {
            break;
        }
        let mut is_shorter = false;
        // From the last to the first: what is left out moves only places that were tried.
        for place in places.iter().rev() {
            if n_checks >= MAX_CHECKS || budget.check().is_err() {
                return formula;
            }
            let neutral = pool.bool(place.in_conjunction);
            let candidate = replaced(pool, formula, &place.path, neutral);
            if candidate == formula {
                continue;
            }
            n_checks += 1;
            let is_weaker = place.in_conjunction != place.is_negated;
            let verdict = if is_weaker {
                b_side.check_assuming(pool, &[candidate], budget)
            } else {
                let negation = pool.not(candidate);
                a_side.check_assuming(pool, &[negation], budget)
            };
            if verdict == SatResult::Unsat {
                formula = candidate;
                is_shorter = true;
                // Normal forms may have changed more than the part: look for places again.
                break;
            }
        }
        if !is_shorter {
            depth += 1;
        }
    }
    formula
}

/// The arguments of conjunctions and disjunctions at this depth.
fn places(pool: &TermPool, formula: TermId, depth: usize) -> Vec<Place> {
    let mut found = Vec::new();
    let mut stack = vec![(formula, Vec::new(), false, 0)];
    while let Some((t, path, is_negated, level)) = stack.pop() {
        let step = |k: usize| {
            let mut longer: Vec<usize> = path.clone();
            longer.push(k);
            longer
        };
        match pool.op(t) {
            Op::Not => stack.push((pool.arg(t, 0), step(0), !is_negated, level)),
            op @ (Op::And | Op::Or) if level < depth => {
                for (k, &arg) in pool.args(t).iter().enumerate() {
                    if level + 1 == depth {
                        found.push(Place { path: step(k), is_negated, in_conjunction: op == Op::And });
                    } else {
                        stack.push((arg, step(k), is_negated, level + 1));
                    }
                }
            }
            _ => {}
        }
    }
    found
}

/// The formula with another part at a place.
fn replaced(pool: &mut TermPool, formula: TermId, path: &[usize], part: TermId) -> TermId {
    let mut above = Vec::new();
    let mut t = formula;
    for &k in path {
        above.push((t, k));
        t = pool.arg(t, k);
    }
    let mut result = part;
    for (t, k) in above.into_iter().rev() {
        let mut args = pool.args(t).to_vec();
        args[k] = result;
        result = match pool.op(t) {
            Op::And => pool.and(&args),
            Op::Or => pool.or(&args),
            _ => pool.not(result),
        };
    }
    result
}
