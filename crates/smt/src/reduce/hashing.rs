//! Structural hashing of refutations.
//!
//! Two nodes with the same pivot and antecedents, two leaves with the same clause from the same
//! origin, and more generally two nodes with the *same clause* are one node: the later is replaced
//! by the earlier. Merging on clauses subsumes merging on structure (equal structure gives equal
//! clauses); the earlier node is kept because it cannot depend on the later one.
//!
//! Leaves with equal clauses but different tags are kept apart when asked for as leaves (they may
//! belong to different partitions), so only derived nodes are replaced.

use super::dag::{DagError, Node, NodeIndex, Rebuilder, ResolutionDag};
use crate::sat::types::Lit;
use rustc_hash::FxHashMap;

pub(super) fn merge_equal_nodes(dag: &ResolutionDag) -> Result<ResolutionDag, DagError> {
    let mut out = Rebuilder::default();
    let mut leaf_of: FxHashMap<(u32, Vec<Lit>), NodeIndex> = FxHashMap::default();
    let mut derived: FxHashMap<Vec<Lit>, NodeIndex> = FxHashMap::default();
    let mut renamed: Vec<NodeIndex> = Vec::with_capacity(dag.nodes.len());
    for node in &dag.nodes {
        let new = match node {
            Node::Leaf { tag, clause } => {
                let key = (*tag, super::dag::normalised(clause));
                match leaf_of.get(&key) {
                    Some(&known) => known,
                    None => {
                        let new = out.leaf(node);
                        derived.entry(key.1.clone()).or_insert(new);
                        leaf_of.insert(key, new);
                        new
                    }
                }
            }
            Node::Resolve { pivot, positive, negative } => {
                let new = out.resolve(*pivot, renamed[*positive as usize], renamed[*negative as usize]);
                *derived.entry(out.clauses[new as usize].clone()).or_insert(new)
            }
        };
        renamed.push(new);
    }
    let root = renamed[dag.root as usize];
    Ok(out.finish(root))
}
