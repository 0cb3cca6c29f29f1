//! RecyclePivots, and RecyclePivots with intersection.
//!
//! If every path from a node to the root resolves on `p` again, then the node itself need not
//! resolve on `p`: it can be replaced by one of its antecedents, because the literal it leaves
//! behind is resolved away further down anyway. Literals with that property are *safe* at the node.
//! Safe literals are propagated from the root to the leaves; at a node with several uses the simple
//! version (Bar-Ilan, Fuhrmann, Hoory, Shacham, Strichman: "Linear-time reductions of resolution
//! proofs", HVC 2008) forgets all, the better one (Fontaine, Merz, Woltzenlogel Paleo: "Compression
//! of propositional resolution proofs via partial regularization", CADE 2011) intersects.
//!
//! Invariant: a safe set never holds a literal and its complement, since a node whose pivot is safe
//! in either polarity is marked and passes its own set on unchanged.

use super::dag::{DagError, Node, NodeIndex, Rebuilder, ResolutionDag, contains};
use crate::sat::types::Lit;

/// What happens to safe literals at a node with several uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AtSharedNodes {
    ForgetAll,
    Intersect,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Resolve,
    KeepPositive,
    KeepNegative,
}

/// Safe literals collected so far: `None` until the first use is seen.
type Safe = Option<Vec<Lit>>;

fn with_literal(safe: &[Lit], lit: Lit) -> Vec<Lit> {
    let mut out = safe.to_vec();
    if let Err(place) = out.binary_search(&lit) {
        out.insert(place, lit);
    }
    out
}

fn meet(into: &mut Safe, contribution: Vec<Lit>, shared: AtSharedNodes) {
    *into = Some(match (into.take(), shared) {
        (None, _) => contribution,
        (Some(_), AtSharedNodes::ForgetAll) => Vec::new(),
        (Some(old), AtSharedNodes::Intersect) => old.into_iter().filter(|l| contains(&contribution, *l)).collect(),
    });
}

pub(super) fn recycle_pivots(dag: &ResolutionDag, shared: AtSharedNodes) -> Result<ResolutionDag, DagError> {
    let n = dag.nodes.len();
    let mut safe: Vec<Safe> = vec![None; n];
    let mut marks = vec![Mark::Resolve; n];
    safe[dag.root as usize] = Some(Vec::new());
    for index in (0..=dag.root as usize).rev() {
        // Nodes no use has reached are garbage by now; taking the set frees it.
        let Some(here) = safe[index].take() else { continue };
        let Node::Resolve { pivot, positive, negative } = dag.nodes[index] else { continue };
        if contains(&here, pivot) {
            marks[index] = Mark::KeepPositive;
            meet(&mut safe[positive as usize], here, shared);
        } else if contains(&here, !pivot) {
            marks[index] = Mark::KeepNegative;
            meet(&mut safe[negative as usize], here, shared);
        } else {
            meet(&mut safe[positive as usize], with_literal(&here, pivot), shared);
            meet(&mut safe[negative as usize], with_literal(&here, !pivot), shared);
        }
    }
    let mut out = Rebuilder::default();
    let mut renamed: Vec<NodeIndex> = Vec::with_capacity(n);
    for (index, node) in dag.nodes.iter().enumerate() {
        let new = match node {
            Node::Leaf { .. } => out.leaf(node),
            Node::Resolve { pivot, positive, negative } => {
                let (left, right) = (renamed[*positive as usize], renamed[*negative as usize]);
                match marks[index] {
                    Mark::KeepPositive => left,
                    Mark::KeepNegative => right,
                    Mark::Resolve => out.resolve(*pivot, left, right),
                }
            }
        };
        renamed.push(new);
    }
    let root = renamed[dag.root as usize];
    Ok(out.finish(root))
}
