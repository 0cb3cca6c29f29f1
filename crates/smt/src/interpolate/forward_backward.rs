//! Tree interpolants of long trees, by projection forwards and cores backwards.
//!
//! Node by node with all the rest as the other side ([`super::by_projection`]) costs a check of nearly everything for
//! each node and each literal. Here every check is about one node and its neighbours. From the leaves to the root, what
//! a node and its children imply about the symbols shared with the rest is projected, as a disjunction of few cubes. At
//! the root that must be contradictory. From the root to the leaves, each node then keeps of its children's cubes only
//! the literals that its own formula, as far as it was kept, needs. So each implication of the tree is one that a
//! solver has proved.
//!
//! What a node implies may also be looked for among given relations ([`super::word_relations`]); what is below is the
//! same.
//!
//! This is how traces are analysed with strongest postconditions and unsatisfiable cores (Dietsch, Heizmann, Musa,
//! Nutz, Podelski, *Craig vs. Newton in software model checking*, 2017). It fails where projections have many cubes, or
//! say too little for the root.

use super::by_projection::{contradicting_core, shared_symbols};
use super::colour::SymbolColours;
use super::projection::project;
use super::refutation::Partitions;
use super::tree::TreeNode;
use crate::solver::SmtSolver;
use base::{Budget, Stop};
use logic::{FastSet, FunId, SatResult, Solver, TermId, TermPool, UnknownReason};

/// Trees with fewer interpolants are not worth the loss: the other side may need less than all that is implied.
pub(super) const MIN_CUTS: usize = 5;
/// A node may have so many cubes.
const MAX_CUBES: usize = 4;
/// So many attempts to do without a literal may fail. The first core of a node is good already, as it is about few
/// formulas.
const PATIENCE: usize = 40;

pub(super) type Cubes = Vec<Vec<TermId>>;

/// What formulas imply about some symbols, as few cubes; `None` if that is not found.
type Implied = fn(&mut TermPool, &[TermId], &FastSet<FunId>, &Budget) -> Result<Option<Cubes>, Stop>;

/// One interpolant per node but the root; `None` if this way does not lead there.
pub(super) fn interpolate(
    pool: &mut TermPool,
    partitions: &Partitions,
    what_is_implied: Implied,
    budget: &Budget,
) -> Result<Option<Vec<TermId>>, Stop> {
    let tree = &partitions.tree;
    let n = tree.n_interpolants();
    let mut symbols = SymbolColours::new(pool, tree, &partitions.formulas, &partitions.background);
    let mut implied: Vec<Cubes> = Vec::with_capacity(n);
    let mut found: Vec<TermId> = Vec::with_capacity(n);
    for v in 0..n as TreeNode {
        let mut inside = own_formulas(partitions, v);
        inside.extend(tree.children(v).iter().map(|&c| found[c as usize]));
        let kept = shared_symbols(pool, tree, &mut symbols, &inside, v);
        let Some(cubes) = what_is_implied(pool, &inside, &kept, budget)? else { return Ok(None) };
        found.push(disjunction(pool, &cubes));
        implied.push(cubes);
    }
    let mut patience = PATIENCE;
    for v in (0..=n as TreeNode).rev() {
        let children = tree.children(v);
        for (k, &child) in children.iter().enumerate() {
            let mut solver = SmtSolver::with_proofs();
            for formula in own_formulas(partitions, v) {
                solver.assert(pool, formula);
            }
            if let Some(&goal) = found.get(v as usize) {
                let negation = pool.not(goal);
                solver.assert(pool, negation);
            }
            for (other, &sibling) in children.iter().enumerate() {
                if other != k {
                    solver.assert(pool, found[sibling as usize]);
                }
            }
            let mut needed: Cubes = Vec::new();
            for cube in std::mem::take(&mut implied[child as usize]) {
                match contradicting_core(pool, &mut solver, cube, &mut patience, budget) {
                    Ok(Some(core)) => needed.push(core),
                    Ok(None) | Err(_) => {
                        budget.check()?;
                        return Ok(None);
                    }
                }
            }
            found[child as usize] = disjunction(pool, &needed);
        }
    }
    Ok(Some(found))
}

fn own_formulas(partitions: &Partitions, v: TreeNode) -> Vec<TermId> {
    partitions.background.iter().chain(&partitions.formulas[v as usize]).copied().collect()
}

fn disjunction(pool: &mut TermPool, cubes: &Cubes) -> TermId {
    let cubes: Vec<TermId> = cubes.iter().map(|cube| pool.and(cube)).collect();
    pool.or(&cubes)
}

/// What the formulas imply about the kept symbols, by projecting models.
pub(super) fn projection(
    pool: &mut TermPool,
    formulas: &[TermId],
    kept: &FastSet<FunId>,
    budget: &Budget,
) -> Result<Option<Cubes>, Stop> {
    let mut solver = SmtSolver::without_proofs();
    for &formula in formulas {
        solver.assert(pool, formula);
    }
    let mut cubes: Cubes = Vec::new();
    loop {
        match solver.check(pool, budget) {
            SatResult::Unsat => return Ok(Some(cubes)),
            SatResult::Sat => {}
            SatResult::Unknown(UnknownReason::Stopped(stop)) => return Err(stop),
            SatResult::Unknown(UnknownReason::Incomplete(_)) => return Ok(None),
        }
        let model = solver.model().cloned();
        let Some(model) = model.filter(|_| cubes.len() < MAX_CUBES) else { return Ok(None) };
        let Some(cube) = project(pool, &model, formulas, &|f| kept.contains(&f), budget) else { return Ok(None) };
        let conjunction = pool.and(&cube);
        let negation = pool.not(conjunction);
        solver.assert(pool, negation);
        cubes.push(cube);
    }
}
