//! Interpolants from refutations.
//!
//! Tree interpolation is the primitive: given a tree of groups of assertions, one formula per node
//! but the root, such that a node's formulas together with its children's interpolants imply its
//! own interpolant, which together with the rest is contradictory, over symbols that occur both
//! inside and outside the subtree. Two nodes are the classical pair, a path is a sequence.
//!
//! [`tree_interpolants`] goes these ways in turn:
//!
//! 1. [`refutation`]: labelled interpolation over the resolution steps ([`labelled`]), with
//!    certificates of arithmetic lemmas ([`farkas`]) and equality lemmas ([`euf`]). All nodes of
//!    the tree in one pass. Stops at literals that mix local symbols of both sides.
//! 2. [`by_projection`]: from models of the A-part, node by node, with solvers that keep no proofs.
//!
//! Whatever comes out of a way that is not fully covered by theory is verified with a fresh solver
//! ([`verify`]) before it is returned. All interpolants are simplified ([`simplify`]).

pub mod by_projection;
pub mod circuit;
pub mod colour;
pub mod euf;
pub mod farkas;
pub mod labelled;
pub mod projection;
pub mod refutation;
pub mod simplify;
pub mod tree;
pub mod verify;

#[cfg(test)]
mod labelled_tests;

pub use refutation::{Partitions, Refutation};

use base::Budget;
use labelled::{Assignment, Obstacle};
use logic::{AssertionId, FastMap, ItpError, ItpOptions, ItpTree, TermId, TermPool};
use tree::{TreeNode, TreeShape};

/// Builds the partitions of a tree. `assertions` are all assertions of the solver with their ids;
/// those in no group are in the background.
pub fn partitions(tree: &ItpTree, assertions: &[(AssertionId, TermId)]) -> Result<Partitions, ItpError> {
    let n = tree.groups.len();
    if n == 0 || tree.parent.len() != n {
        return Err(ItpError::BadTree("it needs a group and a parent per node".to_string()));
    }
    let mut parents: Vec<TreeNode> = Vec::with_capacity(n);
    for (v, parent) in tree.parent.iter().enumerate() {
        match parent {
            Some(p) if v + 1 < n => parents.push(TreeNode::try_from(*p).unwrap_or(TreeNode::MAX)),
            None if v + 1 == n => parents.push(n as TreeNode),
            _ => return Err(ItpError::BadTree("the last node, and only it, is the root".to_string())),
        }
    }
    let shape =
        TreeShape::new(&parents).ok_or_else(|| ItpError::BadTree("the nodes are not in postorder".to_string()))?;
    let term_of: FastMap<AssertionId, TermId> = assertions.iter().copied().collect();
    let mut formulas = vec![Vec::new(); n];
    let mut node_of: FastMap<AssertionId, TreeNode> = FastMap::default();
    for (v, group) in tree.groups.iter().enumerate() {
        for &id in group {
            let Some(&term) = term_of.get(&id) else {
                return Err(ItpError::BadTree(format!("there is no assertion {id}")));
            };
            if node_of.insert(id, v as TreeNode).is_some() {
                return Err(ItpError::BadTree(format!("the assertion {id} is in two groups")));
            }
            formulas[v].push(term);
        }
    }
    let terms = term_of;
    let background = assertions.iter().filter(|(id, _)| !node_of.contains_key(id)).map(|(_, t)| *t).collect();
    Ok(Partitions { tree: shape, formulas, node_of, background, terms })
}

/// Tree interpolants of a refutation, in the order of the nodes, the root left out.
pub fn tree_interpolants(
    pool: &mut TermPool,
    refutation: Refutation<'_>,
    partitions: &Partitions,
    options: ItpOptions,
    budget: &Budget,
) -> Result<Vec<TermId>, ItpError> {
    let dag = refutation::resolution_dag(refutation.proof, refutation.root);
    match refutation::interpolate(pool, refutation, &dag, partitions, &Assignment::default(), options, budget) {
        Ok(formulas) => Ok(simplify::simplify(pool, partitions, formulas, budget)),
        Err(Obstacle::Stopped(stop)) => Err(ItpError::Stopped(stop)),
        Err(Obstacle::MixedPivot(_) | Obstacle::Leaf { .. } | Obstacle::LabellingNeedsSequence) => {
            let core = core_partitions(refutation, partitions);
            let formulas = by_projection::interpolate(pool, &core, budget)?;
            Ok(simplify::simplify(pool, partitions, formulas, budget))
        }
    }
}

/// The partitions with only the formulas that the refutation uses; a node without any is ⊤.
fn core_partitions(refutation: Refutation<'_>, partitions: &Partitions) -> Partitions {
    let mut core = Partitions {
        formulas: vec![Vec::new(); partitions.formulas.len()],
        background: Vec::new(),
        ..partitions.clone()
    };
    for id in refutation.proof.assertions_below(refutation.root) {
        let Some(&term) = partitions.terms.get(&id) else { continue };
        match partitions.node_of.get(&id) {
            Some(&v) => core.formulas[v as usize].push(term),
            None => core.background.push(term),
        }
    }
    core
}
