//! Candidate atoms of block transitions: which constants are pre-state variables, and which post-state variable an
//! auxiliary constant equals.

use crate::houdini::Step;
use ir::{Icfg, LocId, Transition, VarId};
use logic::{FastSet, Op, TermId, TermPool};
use std::collections::BTreeMap;

/// The constants of a step that mean nothing before it.
pub(crate) fn local_constants(pool: &mut TermPool, blocks: &Icfg, step: &Transition) -> FastSet<TermId> {
    let after = step.assigned.iter().map(|&v| ir::primed(pool, blocks.vars[v].term));
    after.collect::<Vec<_>>().into_iter().chain(step.aux.iter().copied()).collect()
}

/// The variables whose values after a step its constants are.
pub(crate) fn names_after(pool: &mut TermPool, blocks: &Icfg, step: &Transition) -> Vec<(TermId, TermId)> {
    let mut names = Vec::new();
    // Variables of the user before temporary ones.
    let (mine, temporary): (Vec<VarId>, Vec<VarId>) =
        step.assigned.iter().partition(|&&v| blocks.vars[v].span != base::Span::NONE);
    for term in mine.into_iter().chain(temporary).map(|v| blocks.vars[v].term) {
        let after = ir::primed(pool, term);
        names.push((after, term));
        for equation in pool.conjuncts(step.plain).into_iter().filter(|&c| pool.op(c) == Op::Eq) {
            let (left, right) = (pool.arg(equation, 0), pool.arg(equation, 1));
            let other = if left == after { right } else { left };
            if (left == after || right == after) && step.aux.contains(&other) && !names.iter().any(|n| n.0 == other) {
                names.push((other, term));
            }
        }
    }
    names
}

/// `a ≤ b + 1` for `a ≤ b`, and `b ≤ a` for its negation.
pub(crate) fn with_room(pool: &mut TermPool, atom: TermId) -> Vec<TermId> {
    if !matches!(pool.op(atom), Op::Le | Op::Lt) {
        return Vec::new();
    }
    let (left, right, one) = (pool.arg(atom, 0), pool.arg(atom, 1), pool.int(1));
    let (left_more, right_more) = (pool.add(&[left, one]), pool.add(&[right, one]));
    if pool.op(atom) == Op::Le {
        vec![pool.le(left, right_more), pool.le(right, left)]
    } else {
        vec![pool.lt(left, right_more), pool.le(right, left_more)]
    }
}

/// For each location the variables whose values there matter later.
pub(crate) fn live_variables(pool: &TermPool, steps: &[Step]) -> BTreeMap<LocId, FastSet<TermId>> {
    let reads: Vec<Vec<TermId>> = steps.iter().map(|s| pool.free_constants(s.transition.formula)).collect();
    let mut live: BTreeMap<LocId, FastSet<TermId>> = BTreeMap::new();
    let mut changed = true;
    while changed {
        changed = false;
        for (step, reads) in steps.iter().zip(&reads) {
            let mut before: Vec<TermId> = live.get(&step.dst).into_iter().flatten().copied().collect();
            before.retain(|t| !step.after.iter().any(|p| p.0 == *t));
            let here = live.entry(step.src).or_default();
            for t in before.into_iter().chain(reads.iter().copied()) {
                changed |= here.insert(t);
            }
        }
    }
    live
}
