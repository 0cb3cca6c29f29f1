//! Binary resolution refutations as a directed acyclic graph.
//!
//! The solver stores a learnt clause as one chain of antecedents; reduction and labelled
//! interpolation want to see every single resolution step. [`ResolutionDag`] is that view: leaves
//! with their clauses, inner nodes with a pivot and two antecedents, in an order in which
//! antecedents come before their uses. Clauses of inner nodes are not stored, because they are
//! determined by the leaves; whoever needs them computes them with [`ResolutionDag::clauses`].
//!
//! Invariants: antecedents have smaller indices than the node; the pivot literal occurs in the
//! clause of the first antecedent and its complement in the clause of the second; the clause of
//! the root is empty for a refutation.

use crate::sat::types::Lit;

/// A node of the graph, an index into [`ResolutionDag::nodes`].
pub type NodeIndex = u32;

/// A leaf or a resolution step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Node {
    /// A clause that is not derived. `tag` is the caller's name for it (which input clause, which lemma).
    Leaf { tag: u32, clause: Box<[Lit]> },
    /// The resolvent of the clause of `positive`, which contains `pivot`, and the clause of
    /// `negative`, which contains its complement.
    Resolve { pivot: Lit, positive: NodeIndex, negative: NodeIndex },
}

/// A resolution derivation of the clause of `root`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResolutionDag {
    pub nodes: Vec<Node>,
    pub root: NodeIndex,
}

/// What is wrong with a derivation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DagError {
    /// An antecedent does not come before the node that uses it.
    OutOfOrder(NodeIndex),
    /// The pivot does not occur in the antecedent that must contain it.
    PivotMissing(NodeIndex),
    /// The root is not the empty clause.
    NotEmpty,
}

/// The resolvent of two sorted clauses, sorted.
pub fn resolvent(positive: &[Lit], negative: &[Lit], pivot: Lit) -> Vec<Lit> {
    let mut out = Vec::with_capacity(positive.len() + negative.len());
    let (mut i, mut j) = (0, 0);
    loop {
        let next = match (positive.get(i), negative.get(j)) {
            (None, None) => return out,
            (Some(&l), None) => {
                i += 1;
                l
            }
            (None, Some(&r)) => {
                j += 1;
                r
            }
            (Some(&l), Some(&r)) => {
                if l <= r {
                    i += 1;
                }
                if r <= l {
                    j += 1;
                }
                l.min(r)
            }
        };
        // A pivot is taken out of the side it belongs to only: with tautologies among the leaves
        // the other side may contain it as well, and keeps it.
        let is_pivot = (next == pivot && negative.binary_search(&pivot).is_err())
            || (next == !pivot && positive.binary_search(&!pivot).is_err());
        if !is_pivot {
            out.push(next);
        }
    }
}

/// Sorts a clause and removes repeated literals.
pub fn normalised(clause: &[Lit]) -> Vec<Lit> {
    let mut sorted = clause.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted
}

pub(crate) fn contains(clause: &[Lit], lit: Lit) -> bool {
    clause.binary_search(&lit).is_ok()
}

impl ResolutionDag {
    /// The number of nodes, leaves included.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
    pub fn n_resolutions(&self) -> usize {
        self.nodes.iter().filter(|n| matches!(n, Node::Resolve { .. })).count()
    }
    /// Fails unless antecedents come before their uses and the root exists.
    pub(crate) fn check_order(&self) -> Result<(), DagError> {
        for (index, node) in self.nodes.iter().enumerate() {
            if let Node::Resolve { positive, negative, .. } = node
                && (*positive).max(*negative) as usize >= index
            {
                return Err(DagError::OutOfOrder(index as NodeIndex));
            }
        }
        if (self.root as usize) < self.nodes.len() { Ok(()) } else { Err(DagError::OutOfOrder(self.root)) }
    }
    /// The clause of every node, sorted. Fails on the first node that is not a resolution step.
    pub fn clauses(&self) -> Result<Vec<Vec<Lit>>, DagError> {
        let mut clauses: Vec<Vec<Lit>> = Vec::with_capacity(self.nodes.len());
        for (index, node) in self.nodes.iter().enumerate() {
            let here = index as NodeIndex;
            let clause = match node {
                Node::Leaf { clause, .. } => normalised(clause),
                Node::Resolve { pivot, positive, negative } => {
                    if *positive >= here || *negative >= here {
                        return Err(DagError::OutOfOrder(here));
                    }
                    let (left, right) = (&clauses[*positive as usize], &clauses[*negative as usize]);
                    if !contains(left, *pivot) || !contains(right, !*pivot) {
                        return Err(DagError::PivotMissing(here));
                    }
                    resolvent(left, right, *pivot)
                }
            };
            clauses.push(clause);
        }
        Ok(clauses)
    }
    /// Checks every step and that the root is the empty clause.
    pub fn check(&self) -> Result<(), DagError> {
        let clauses = self.clauses()?;
        match clauses.get(self.root as usize) {
            Some(clause) if clause.is_empty() => Ok(()),
            _ => Err(DagError::NotEmpty),
        }
    }
    /// How often each node is used as an antecedent by the nodes the root depends on.
    pub fn uses(&self) -> Vec<u32> {
        let mut uses = vec![0u32; self.nodes.len()];
        let mut live = vec![false; self.nodes.len()];
        if let Some(root) = live.get_mut(self.root as usize) {
            *root = true;
        }
        for index in (0..self.nodes.len()).rev() {
            if !live[index] {
                continue;
            }
            if let Node::Resolve { positive, negative, .. } = self.nodes[index] {
                for parent in [positive, negative] {
                    uses[parent as usize] += 1;
                    live[parent as usize] = true;
                }
            }
        }
        uses
    }
    /// Drops the nodes the root does not depend on, keeping the order.
    pub fn without_garbage(&self) -> ResolutionDag {
        let mut live = vec![false; self.nodes.len()];
        live[self.root as usize] = true;
        for index in (0..self.nodes.len()).rev() {
            if let (true, Node::Resolve { positive, negative, .. }) = (live[index], &self.nodes[index]) {
                live[*positive as usize] = true;
                live[*negative as usize] = true;
            }
        }
        let mut renamed = vec![0; self.nodes.len()];
        let mut nodes = Vec::new();
        for (index, node) in self.nodes.iter().enumerate() {
            if !live[index] {
                continue;
            }
            renamed[index] = nodes.len() as NodeIndex;
            nodes.push(match node {
                Node::Leaf { .. } => node.clone(),
                Node::Resolve { pivot, positive, negative } => Node::Resolve {
                    pivot: *pivot,
                    positive: renamed[*positive as usize],
                    negative: renamed[*negative as usize],
                },
            });
        }
        ResolutionDag { nodes, root: renamed[self.root as usize] }
    }
    /// The tags of the leaves the root depends on, sorted, without repetition.
    pub fn leaf_tags(&self) -> Vec<u32> {
        let mut tags: Vec<u32> = self
            .without_garbage()
            .nodes
            .iter()
            .filter_map(|n| match n {
                Node::Leaf { tag, .. } => Some(*tag),
                Node::Resolve { .. } => None,
            })
            .collect();
        tags.sort_unstable();
        tags.dedup();
        tags
    }
}

/// Rebuilds a derivation from the leaves to the root while clauses may shrink: a resolution whose
/// pivot has vanished from one antecedent becomes that antecedent. All reduction passes end here.
#[derive(Default)]
pub(crate) struct Rebuilder {
    pub nodes: Vec<Node>,
    pub clauses: Vec<Vec<Lit>>,
}

impl Rebuilder {
    pub(super) fn leaf(&mut self, node: &Node) -> NodeIndex {
        let clause = match node {
            Node::Leaf { clause, .. } => normalised(clause),
            Node::Resolve { .. } => unreachable!("a resolution is not a leaf"),
        };
        self.nodes.push(node.clone());
        self.clauses.push(clause);
        (self.nodes.len() - 1) as NodeIndex
    }
    pub(super) fn contains(&self, node: NodeIndex, lit: Lit) -> bool {
        contains(&self.clauses[node as usize], lit)
    }
    /// Resolves if both antecedents still contain the pivot, otherwise returns the antecedent
    /// that lost it: its clause is a subset of what the resolvent would have been. If both lost it, the shorter one.
    pub(super) fn resolve(&mut self, pivot: Lit, positive: NodeIndex, negative: NodeIndex) -> NodeIndex {
        match (self.contains(positive, pivot), self.contains(negative, !pivot)) {
            (true, true) => {}
            (false, true) => return positive,
            (true, false) => return negative,
            (false, false) => {
                let shorter = self.clauses[positive as usize].len() <= self.clauses[negative as usize].len();
                return if shorter { positive } else { negative };
            }
        }
        let clause = resolvent(&self.clauses[positive as usize], &self.clauses[negative as usize], pivot);
        self.nodes.push(Node::Resolve { pivot, positive, negative });
        self.clauses.push(clause);
        (self.nodes.len() - 1) as NodeIndex
    }
    pub(super) fn finish(self, root: NodeIndex) -> ResolutionDag {
        ResolutionDag { nodes: self.nodes, root }.without_garbage()
    }
}
