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

use crate::reduce::Node;
use crate::sat::types::Lit;
use base::Budget;
use labelled::{Assignment, Obstacle};
use logic::{AssertionId, FastMap, ItpError, ItpOptions, ItpTree, Op, Substitution, TermId, TermPool};
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
        Ok(formulas) => Ok(simplify::simplify(pool, formulas, budget)),
        Err(Obstacle::Stopped(stop)) => Err(ItpError::Stopped(stop)),
        Err(Obstacle::MixedPivot(_) | Obstacle::Leaf { .. } | Obstacle::LabellingNeedsSequence) => {
            let core = core_partitions(refutation, partitions);
            let formulas = by_projection::interpolate(pool, &core, budget)?;
            Ok(simplify::simplify(pool, formulas, budget))
        }
    }
}

/// Tree interpolants under a partial assignment: like [`tree_interpolants`], but every implication
/// need hold only where the given literals (atoms or negated atoms) are true. Smaller, and many can
/// be computed from one refutation.
pub fn focused_tree_interpolants(
    pool: &mut TermPool,
    refutation: Refutation<'_>,
    partitions: &Partitions,
    assigned: &[TermId],
    options: ItpOptions,
    budget: &Budget,
) -> Result<Vec<TermId>, ItpError> {
    let mut lits: Vec<Lit> = Vec::new();
    for &t in assigned {
        let (mut atom, mut positive) = (t, true);
        while pool.op(atom) == Op::Not {
            atom = pool.arg(atom, 0);
            positive = !positive;
        }
        // An atom that the refutation does not know cannot focus it.
        lits.extend(refutation.atoms.var(atom).map(|v| v.lit(positive)));
    }
    let assignment =
        Assignment::new(&lits).ok_or_else(|| ItpError::BadTree("an atom is assigned both ways".to_string()))?;
    let dag = refutation::resolution_dag(refutation.proof, refutation.root);
    let falsified = dag.nodes.iter().any(|node| match node {
        Node::Leaf { clause, .. } => assignment.falsifies(clause),
        Node::Resolve { .. } => false,
    });
    if falsified {
        return Err(ItpError::BadTree("the assignment falsifies a clause".to_string()));
    }
    match refutation::interpolate(pool, refutation, &dag, partitions, &assignment, options, budget) {
        Ok(formulas) => Ok(simplify::simplify(pool, formulas, budget)),
        Err(Obstacle::Stopped(stop)) => Err(ItpError::Stopped(stop)),
        Err(Obstacle::MixedPivot(_) | Obstacle::Leaf { .. } | Obstacle::LabellingNeedsSequence) => {
            let core = under(pool, core_partitions(refutation, partitions), assigned);
            let formulas = by_projection::interpolate(pool, &core, budget)?;
            Ok(simplify::simplify(pool, formulas, budget))
        }
    }
}

/// The partitions where the assigned literals are true: Boolean constants are replaced by their
/// values, other atoms join the background.
fn under(pool: &mut TermPool, mut partitions: Partitions, assigned: &[TermId]) -> Partitions {
    let mut pairs = Vec::new();
    for &t in assigned {
        let (atom, value) = if pool.op(t) == Op::Not { (pool.arg(t, 0), TermId::FALSE) } else { (t, TermId::TRUE) };
        if pool.as_symbol(atom).is_some() {
            pairs.push((atom, value));
        } else {
            partitions.background.push(t);
        }
    }
    let mut substitution = Substitution::from_pairs(pairs);
    for formula in partitions.formulas.iter_mut().flatten().chain(&mut partitions.background) {
        *formula = substitution.apply(pool, *formula);
    }
    partitions
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
