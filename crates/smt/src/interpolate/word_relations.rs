//! Interpolants of bit-vector problems that say how words are related, not how their bits are.
//!
//! A refutation of bit-vectors is about bits, and its interpolants repeat the circuits, even where `x = y` is all that
//! is needed. So where they got long, a fixed list of relations between the words that are shared at a node is looked
//! at: values of words and of their lowest bits, differences of two words, their orders, values of Booleans. The
//! strongest conjunction that a node and its children imply is computed by dropping what a counterexample refutes
//! (Flanagan and Leino, *Houdini, an annotation assistant for ESC/Java*, 2001). [`super::forward_backward`] takes it
//! from there: at the root the conjunctions must suffice, and what is not needed is dropped. Each check is about one
//! node.

use super::forward_backward::Cubes;
use crate::solver::SmtSolver;
use base::{Budget, Stop};
use logic::{FastSet, FunId, Model, Op, SatResult, Solver, Sort, TermId, TermPool, UnknownReason};

/// With more words at a node their pairs are too many.
const MAX_WORDS: usize = 12;
/// Values of so many low bits are looked at: words are often counted or aligned in steps of a small power of two.
const LOW_BITS: u32 = 3;

/// The words and Booleans among symbols.
fn shared_terms(pool: &mut TermPool, kept: &FastSet<FunId>) -> (Vec<TermId>, Vec<TermId>) {
    let mut symbols: Vec<FunId> = kept.iter().copied().filter(|&f| pool.fun(f).args.is_empty()).collect();
    symbols.sort_unstable();
    let terms: Vec<TermId> = symbols.into_iter().map(|f| pool.app(f, &[])).collect();
    let words = terms.iter().copied().filter(|&t| matches!(pool.sort_data(pool.sort(t)), Sort::BitVec(_))).collect();
    let booleans = terms.into_iter().filter(|&t| pool.is_bool(t)).collect();
    (words, booleans)
}

/// The relations between shared symbols that hold in a model.
fn relations(pool: &mut TermPool, model: &Model, words: &[TermId], booleans: &[TermId]) -> Vec<TermId> {
    let mut found = Vec::new();
    for &p in booleans {
        found.extend([p, pool.not(p)]);
    }
    let value_of = |pool: &mut TermPool, t: TermId| {
        let value = model.eval(pool, t).ok()?;
        pool.value_term(&value, pool.sort(t))
    };
    for (k, &x) in words.iter().enumerate() {
        let Some(width) = pool.bitvec_width(pool.sort(x)) else { continue };
        for n_bits in (1..=LOW_BITS).filter(|&n| n < width) {
            let low = pool.bv(Op::BvExtract(n_bits - 1, 0), &[x]);
            found.extend(value_of(pool, low).map(|value| pool.eq(low, value)));
        }
        found.extend(value_of(pool, x).map(|value| pool.eq(x, value)));
        for &y in &words[k + 1..] {
            if pool.sort(y) != pool.sort(x) {
                continue;
            }
            let difference = pool.bv(Op::BvSub, &[x, y]);
            if let Some(value) = value_of(pool, difference) {
                let shifted = pool.bv(Op::BvAdd, &[y, value]);
                found.push(pool.eq(x, shifted));
            }
            for order in [Op::BvUle, Op::BvSle] {
                found.extend([pool.bv(order, &[x, y]), pool.bv(order, &[y, x])]);
            }
        }
    }
    found.retain(|&t| t != TermId::TRUE && model.holds(pool, t) == Ok(true));
    found
}

/// The relations between kept words that the formulas imply, as one cube; none if the formulas are contradictory.
pub(super) fn implied(
    pool: &mut TermPool,
    formulas: &[TermId],
    kept: &FastSet<FunId>,
    budget: &Budget,
) -> Result<Option<Cubes>, Stop> {
    let (words, booleans) = shared_terms(pool, kept);
    if words.len() > MAX_WORDS {
        return Ok(None);
    }
    let mut solver = SmtSolver::without_proofs();
    for &formula in formulas {
        solver.assert(pool, formula);
    }
    let mut candidates: Option<Vec<TermId>> = None;
    loop {
        if let Some(candidates) = &candidates {
            let all = pool.and(candidates);
            let negation = pool.not(all);
            solver.push();
            solver.assert(pool, negation);
        }
        let answer = solver.check(pool, budget);
        let model = solver.model().cloned();
        match (answer, model) {
            (SatResult::Unsat, _) => return Ok(Some(candidates.map_or_else(Vec::new, |cube| vec![cube]))),
            (SatResult::Sat, Some(model)) => match &mut candidates {
                None => candidates = Some(relations(pool, &model, &words, &booleans)),
                Some(candidates) => {
                    candidates.retain(|&t| model.holds(pool, t) == Ok(true));
                    solver.pop(1);
                }
            },
            (SatResult::Unknown(UnknownReason::Stopped(stop)), _) => return Err(stop),
            (SatResult::Sat | SatResult::Unknown(UnknownReason::Incomplete(_)), _) => return Ok(None),
        }
    }
}

/// Whether a formula is about single bits of words, or about words at all.
pub(super) fn mentions_words(pool: &TermPool, formulas: &[TermId]) -> bool {
    let mut found = false;
    pool.visit_postorder(formulas, |t| found |= matches!(pool.sort_data(pool.sort(t)), Sort::BitVec(_)));
    found
}
