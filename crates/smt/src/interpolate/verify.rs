//! Checking interpolants against their definition, with a solver that knows nothing of refutations.

use super::refutation::Partitions;
use super::tree::TreeNode;
use crate::solver::SmtSolver;
use base::Budget;
use logic::{FastSet, FunId, SatResult, Solver, TermId, TermPool};

/// What is wrong with a tree interpolant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flaw {
    WrongNumber,
    /// The interpolant of this node has a symbol that is not shared there.
    Vocabulary(TreeNode, FunId),
    /// The formulas of this node and its children's interpolants do not imply its interpolant
    /// (for the root: are not contradictory).
    NotInductive(TreeNode),
    /// The solver could not tell.
    Undecided(TreeNode),
}

/// Checks the vocabulary and every step of a tree interpolant.
pub fn verify(
    pool: &mut TermPool,
    partitions: &Partitions,
    interpolants: &[TermId],
    budget: &Budget,
) -> Result<(), Flaw> {
    vocabulary(pool, partitions, interpolants)?;
    (0..partitions.tree.n_nodes() as TreeNode).try_for_each(|v| step(pool, partitions, interpolants, v, budget))
}

/// The same where some literals are assumed: every implication need hold only under them.
pub fn verify_under(
    pool: &mut TermPool,
    partitions: &Partitions,
    assumed: &[TermId],
    interpolants: &[TermId],
    budget: &Budget,
) -> Result<(), Flaw> {
    if assumed.is_empty() {
        return verify(pool, partitions, interpolants, budget);
    }
    vocabulary(pool, partitions, interpolants)?;
    let mut under = partitions.clone();
    under.background.extend(assumed);
    (0..under.tree.n_nodes() as TreeNode).try_for_each(|v| step(pool, &under, interpolants, v, budget))
}

/// Checks that every interpolant uses only symbols that occur inside and outside its subtree.
pub fn vocabulary(pool: &TermPool, partitions: &Partitions, interpolants: &[TermId]) -> Result<(), Flaw> {
    let tree = &partitions.tree;
    if interpolants.len() != tree.n_interpolants() {
        return Err(Flaw::WrongNumber);
    }
    let background: FastSet<FunId> = pool.free_symbols_of(&partitions.background).into_iter().collect();
    let symbols: Vec<FastSet<FunId>> =
        partitions.formulas.iter().map(|group| pool.free_symbols_of(group).into_iter().collect()).collect();
    for (v, &interpolant) in interpolants.iter().enumerate() {
        for f in pool.free_symbols(interpolant) {
            let occurs = |inside: bool| {
                (0..symbols.len())
                    .any(|u| tree.in_subtree(v as TreeNode, u as TreeNode) == inside && symbols[u].contains(&f))
            };
            let allowed = background.contains(&f) || (occurs(true) && occurs(false));
            if !allowed {
                return Err(Flaw::Vocabulary(v as TreeNode, f));
            }
        }
    }
    Ok(())
}

/// Checks the step at one node.
pub fn step(
    pool: &mut TermPool,
    partitions: &Partitions,
    interpolants: &[TermId],
    v: TreeNode,
    budget: &Budget,
) -> Result<(), Flaw> {
    let tree = &partitions.tree;
    let mut premises: Vec<TermId> = partitions.background.clone();
    premises.extend(&partitions.formulas[v as usize]);
    premises.extend(tree.children(v).iter().map(|&c| interpolants[c as usize]));
    if v != tree.root() {
        let conclusion = interpolants[v as usize];
        if conclusion == TermId::TRUE || premises.contains(&conclusion) {
            return Ok(());
        }
        premises.push(pool.not(conclusion));
    }
    if premises.contains(&TermId::FALSE) {
        return Ok(());
    }
    let mut solver = SmtSolver::without_proofs();
    for premise in premises {
        solver.assert(pool, premise);
    }
    match solver.check(pool, budget) {
        SatResult::Unsat => Ok(()),
        SatResult::Sat => Err(Flaw::NotInductive(v)),
        SatResult::Unknown(_) => Err(Flaw::Undecided(v)),
    }
}
