//! What engines that guess invariants read off the steps of large blocks: which constants of a step mean something before it, and what
//! those that do not are called after it.

use ir::{Icfg, Transition, VarId};
use logic::{FastSet, Op, TermId, TermPool};

/// The constants of a step that mean nothing before it.
pub fn local_constants(pool: &mut TermPool, blocks: &Icfg, step: &Transition) -> FastSet<TermId> {
    let after = step.assigned.iter().map(|&v| ir::primed(pool, blocks.vars[v].term));
    after.collect::<Vec<_>>().into_iter().chain(step.aux.iter().copied()).collect()
}

/// The variables whose values after a step its constants are.
pub fn names_after(pool: &mut TermPool, blocks: &Icfg, step: &Transition) -> Vec<(TermId, TermId)> {
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
