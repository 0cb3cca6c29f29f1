//! Restricting a refutation to a partial assignment.
//!
//! Satisfied leaves go, false literals go, and resolutions that lost their pivot on one side become
//! that side. What remains refutes the clauses that the assignment leaves open. Leaf tags stay.

use super::dag::{Node, NodeIndex, Rebuilder, ResolutionDag};
use crate::interpolate::labelled::Assignment;
use crate::sat::types::Lit;

/// The refutation under the assignment. `None` only if the given graph does not derive the empty
/// clause.
pub fn restrict(dag: &ResolutionDag, assignment: &Assignment) -> Option<ResolutionDag> {
    // Antecedents that the assignment satisfies by their pivot are not needed, nor what only they need.
    let mut needed = vec![false; dag.nodes.len()];
    *needed.get_mut(dag.root as usize)? = true;
    for index in (0..dag.nodes.len()).rev() {
        if let (true, Node::Resolve { pivot, positive, negative }) = (needed[index], &dag.nodes[index]) {
            let value = assignment.value(*pivot);
            needed[*positive as usize] |= value != Some(true);
            needed[*negative as usize] |= value != Some(false);
        }
    }
    let mut out = Rebuilder::default();
    // `None`: the clause is satisfied or not needed, nothing need be derived.
    let mut renamed: Vec<Option<NodeIndex>> = Vec::with_capacity(dag.nodes.len());
    for (node, needed) in dag.nodes.iter().zip(needed) {
        if !needed {
            renamed.push(None);
            continue;
        }
        let new = match node {
            Node::Leaf { tag, clause } => (!assignment.satisfies(clause)).then(|| {
                let open: Box<[Lit]> = clause.iter().copied().filter(|&l| assignment.value(l).is_none()).collect();
                out.leaf(&Node::Leaf { tag: *tag, clause: open })
            }),
            Node::Resolve { pivot, positive, negative } => {
                let (left, right) = (renamed[*positive as usize], renamed[*negative as usize]);
                match assignment.value(*pivot) {
                    Some(true) => right,
                    Some(false) => left,
                    None => match (left, right) {
                        (Some(l), Some(r)) => Some(out.resolve(*pivot, l, r)),
                        (Some(l), None) => (!out.contains(l, *pivot)).then_some(l),
                        (None, Some(r)) => (!out.contains(r, !*pivot)).then_some(r),
                        (None, None) => None,
                    },
                }
            }
        };
        renamed.push(new);
    }
    let root = renamed[dag.root as usize]?;
    out.clauses[root as usize].is_empty().then(|| out.finish(root))
}
