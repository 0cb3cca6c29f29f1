//! Subsumption: a node whose clause contains the clause of an earlier node is that node.
//!
//! Structural hashing merges nodes with equal clauses; this pass merges a node into any earlier one that says more. The
//! earlier node cannot depend on the later one, and whoever used the later one gets a subset of its clause, so what is
//! derived only gets stronger. Solver proofs have such nodes because a solver looks for subsumed clauses rarely; after
//! restriction to an assignment, when false literals have gone, there are more.
//!
//! An earlier clause is found by its least frequent literal: each kept clause is listed under one of its literals, so
//! the candidates for a clause are in the lists of its own literals. A word of 64 bits, one for each literal modulo 64,
//! rejects most of them. At most [`MAX_CANDIDATES`] are looked at for each clause, so that the time is linear in the
//! proof.

use super::dag::{DagError, Node, NodeIndex, Rebuilder, ResolutionDag};
use crate::sat::types::Lit;

const MAX_CANDIDATES: usize = 4_000;

/// Kept clauses by one of their literals.
struct Index {
    lists: Vec<Vec<(NodeIndex, u64)>>,
    /// The empty clause, once there is one.
    empty: Option<NodeIndex>,
}

fn signature(clause: &[Lit]) -> u64 {
    clause.iter().fold(0, |word, l| word | 1 << (l.0 % 64))
}

/// Is every literal of the first clause in the second? Both are sorted.
fn is_subset(small: &[Lit], large: &[Lit]) -> bool {
    let mut rest = large.iter();
    small.len() <= large.len() && small.iter().all(|l| rest.by_ref().any(|m| m == l))
}

impl Index {
    fn new(n_lits: usize) -> Index {
        Index { lists: vec![Vec::new(); n_lits], empty: None }
    }
    /// A kept clause that is a subset.
    fn subsumer(&self, clauses: &[Vec<Lit>], clause: &[Lit]) -> Option<NodeIndex> {
        if self.empty.is_some() {
            return self.empty;
        }
        let word = signature(clause);
        let candidates = clause.iter().flat_map(|l| &self.lists[l.0 as usize]).take(MAX_CANDIDATES);
        let is_subsumer = |node: &NodeIndex, s: &u64| s & !word == 0 && is_subset(&clauses[*node as usize], clause);
        candidates.into_iter().find(|(node, s)| is_subsumer(node, s)).map(|&(node, _)| node)
    }
    fn insert(&mut self, node: NodeIndex, clause: &[Lit]) {
        match clause.iter().min_by_key(|l| self.lists[l.0 as usize].len()) {
            Some(l) => self.lists[l.0 as usize].push((node, signature(clause))),
            None => self.empty = Some(node),
        }
    }
}

pub(super) fn merge_subsumed_nodes(dag: &ResolutionDag) -> Result<ResolutionDag, DagError> {
    let lits = dag.nodes.iter().filter_map(|node| match node {
        Node::Leaf { clause, .. } => clause.iter().map(|l| l.0 as usize + 1).max(),
        Node::Resolve { .. } => None,
    });
    let mut index = Index::new(lits.max().unwrap_or(0));
    let mut out = Rebuilder::default();
    let mut renamed: Vec<NodeIndex> = Vec::with_capacity(dag.nodes.len());
    for node in &dag.nodes {
        let n_before = out.nodes.len();
        let new = match node {
            Node::Leaf { .. } => out.leaf(node),
            Node::Resolve { pivot, positive, negative } => {
                out.resolve(*pivot, renamed[*positive as usize], renamed[*negative as usize])
            }
        };
        // A resolution that lost its pivot is an older node, which has been looked at.
        let is_new = out.nodes.len() > n_before;
        renamed.push(match index.subsumer(&out.clauses, &out.clauses[new as usize]) {
            Some(older) if is_new => older,
            Some(_) | None => {
                if is_new {
                    index.insert(new, &out.clauses[new as usize]);
                }
                new
            }
        });
    }
    let root = renamed[dag.root as usize];
    Ok(out.finish(root))
}
