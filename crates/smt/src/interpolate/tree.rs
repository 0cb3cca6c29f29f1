//! The shape of a tree of partitions, and vectors over its nodes that are mostly constant.
//!
//! Nodes are numbered in postorder, the root last, so the subtree of `v` is the range
//! `start(v) ..= v`. A tree interpolant has one formula per node but the root. A formula of a
//! refutation touches few partitions, so along the numbering its partial interpolants change
//! rarely: [`Runs`] stores such a vector as runs of equal values. For a sequence of thousands of
//! partitions that is the difference between linear and quadratic work.

/// A node of the tree, in postorder.
pub type TreeNode = u32;

/// A tree with its nodes in postorder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TreeShape {
    parent: Vec<TreeNode>,
    start: Vec<TreeNode>,
    /// The last node reachable from each by going from an only child to its parent.
    chain_end: Vec<TreeNode>,
}

impl TreeShape {
    /// A tree from the parent of every node; the parent of the root, which is last, is ignored.
    /// `None` unless the numbering is a postorder.
    pub fn new(parents: &[TreeNode]) -> Option<TreeShape> {
        let n = parents.len();
        if n == 0 {
            return None;
        }
        let mut start: Vec<TreeNode> = (0..n as TreeNode).collect();
        for v in 0..n - 1 {
            let p = parents[v] as usize;
            if p <= v || p >= n {
                return None;
            }
            start[p] = start[p].min(start[v]);
        }
        // In a postorder the children's ranges tile the range of their parent.
        for v in 0..n {
            let mut next = v as TreeNode;
            while next > start[v] {
                let child = next - 1;
                if parents[child as usize] != v as TreeNode {
                    return None;
                }
                next = start[child as usize];
            }
        }
        if start[n - 1] != 0 {
            return None;
        }
        let mut chain_end: Vec<TreeNode> = (0..n as TreeNode).collect();
        for v in (0..n - 1).rev() {
            if parents[v] as usize == v + 1 && start[v] == start[v + 1] {
                chain_end[v] = chain_end[v + 1];
            }
        }
        Some(TreeShape { parent: parents.to_vec(), start, chain_end })
    }
    /// The path `0 — 1 — … — n-1` with the root last.
    pub fn sequence(n_partitions: usize) -> TreeShape {
        let parents: Vec<TreeNode> = (1..=n_partitions.max(1) as TreeNode).collect();
        TreeShape::new(&parents).expect("a path is a tree")
    }
    /// Is the tree a path?
    pub fn is_sequence(&self) -> bool {
        self.start.iter().all(|&start| start == 0)
    }
    pub fn n_nodes(&self) -> usize {
        self.parent.len()
    }
    /// The number of interpolants: every node but the root has one.
    pub fn n_interpolants(&self) -> usize {
        self.parent.len() - 1
    }
    pub fn root(&self) -> TreeNode {
        self.parent.len() as TreeNode - 1
    }
    pub fn parent(&self, v: TreeNode) -> Option<TreeNode> {
        (v != self.root()).then(|| self.parent[v as usize])
    }
    pub fn in_subtree(&self, v: TreeNode, partition: TreeNode) -> bool {
        self.start[v as usize] <= partition && partition <= v
    }
    pub fn children(&self, v: TreeNode) -> Vec<TreeNode> {
        let mut children = Vec::new();
        let mut next = v;
        while next > self.start[v as usize] {
            children.push(next - 1);
            next = self.start[next as usize - 1];
        }
        children.reverse();
        children
    }
    /// For each node whether a thing that occurs in the given partitions (sorted) occurs inside
    /// and outside its subtree.
    pub fn sides(&self, occurrences: &[TreeNode]) -> Runs<Sides> {
        let n = self.n_nodes() as TreeNode;
        let outside = Sides { inside: false, outside: !occurrences.is_empty() };
        let (Some(&first), Some(&last)) = (occurrences.first(), occurrences.last()) else {
            return Runs::constant(n, outside);
        };
        // Ancestors of any occurrence are inside; those whose range covers all are not outside.
        let mut marked: Vec<(TreeNode, TreeNode)> = Vec::new();
        for &occurrence in occurrences {
            let mut v = occurrence;
            loop {
                // A chain that was walked before ends this walk: the rest is marked already.
                let end = self.chain_end[v as usize];
                let seen = marked.iter().any(|&(s, e)| s <= v && v <= e);
                if !seen {
                    marked.push((v, end));
                }
                match self.parent(end) {
                    Some(p) if !seen => v = p,
                    _ => break,
                }
            }
        }
        marked.sort_unstable();
        let mut runs = Runs::default();
        for (from, to) in marked {
            let done = runs.len();
            if from > done {
                runs.push(from, outside);
            }
            let mut v = from.max(done);
            while v <= to {
                let covers = self.start[v as usize] <= first && last <= v;
                // Along a chain `start` is constant, so coverage changes at most once, at `last`.
                let stop =
                    if !covers && self.start[v as usize] <= first && v < last && last <= to { last } else { to + 1 };
                runs.push(stop, Sides { inside: true, outside: !covers });
                v = stop;
            }
        }
        if runs.len() < n {
            runs.push(n, outside);
        }
        runs
    }
}

/// Where a symbol occurs relative to a subtree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sides {
    pub inside: bool,
    pub outside: bool,
}

/// A vector over the nodes of a tree stored as runs of equal values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Runs<T> {
    /// `(end, value)`: the value up to but not including `end`; ends increase.
    runs: Vec<(TreeNode, T)>,
}

impl<T> Default for Runs<T> {
    fn default() -> Self {
        Runs { runs: Vec::new() }
    }
}

impl<T: Copy + PartialEq> Runs<T> {
    pub fn constant(n: TreeNode, value: T) -> Runs<T> {
        let mut runs = Runs::default();
        runs.push(n, value);
        runs
    }
    pub fn len(&self) -> TreeNode {
        self.runs.last().map_or(0, |r| r.0)
    }
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Appends `value` up to `end`.
    pub fn push(&mut self, end: TreeNode, value: T) {
        if end <= self.len() {
            return;
        }
        match self.runs.last_mut() {
            Some(last) if last.1 == value => last.0 = end,
            _ => self.runs.push((end, value)),
        }
    }
    pub fn at(&self, v: TreeNode) -> T {
        let place = self.runs.partition_point(|r| r.0 <= v);
        self.runs[place].1
    }
    /// The runs as `(start, end, value)`.
    pub fn iter(&self) -> impl Iterator<Item = (TreeNode, TreeNode, T)> {
        let mut start = 0;
        self.runs.iter().map(move |&(end, value)| {
            let from = start;
            start = end;
            (from, end, value)
        })
    }
    pub fn values(&self) -> impl Iterator<Item = T> {
        self.runs.iter().map(|r| r.1)
    }
    pub fn map<U: Copy + PartialEq>(&self, mut f: impl FnMut(T) -> U) -> Runs<U> {
        let mut out = Runs::default();
        for &(end, value) in &self.runs {
            out.push(end, f(value));
        }
        out
    }
    /// Pointwise combination of two vectors of equal length.
    pub fn zip<U: Copy + PartialEq, V: Copy + PartialEq>(
        &self,
        other: &Runs<U>,
        mut f: impl FnMut(T, U) -> V,
    ) -> Runs<V> {
        let mut out = Runs::default();
        let (mut i, mut j) = (0, 0);
        while let (Some(&(a, x)), Some(&(b, y))) = (self.runs.get(i), other.runs.get(j)) {
            let end = a.min(b);
            out.push(end, f(x, y));
            i += usize::from(a == end);
            j += usize::from(b == end);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brute_sides(tree: &TreeShape, occurrences: &[TreeNode], v: TreeNode) -> Sides {
        Sides {
            inside: occurrences.iter().any(|&o| tree.in_subtree(v, o)),
            outside: occurrences.iter().any(|&o| !tree.in_subtree(v, o)),
        }
    }

    /// All postorder trees with `n` nodes.
    fn all_trees(n: usize) -> Vec<TreeShape> {
        let mut out = Vec::new();
        let mut parents = vec![n as TreeNode; n];
        fn fill(v: usize, parents: &mut Vec<TreeNode>, out: &mut Vec<TreeShape>) {
            let n = parents.len();
            if v + 1 >= n {
                out.extend(TreeShape::new(parents));
                return;
            }
            for p in v + 1..n {
                parents[v] = p as TreeNode;
                fill(v + 1, parents, out);
            }
        }
        fill(0, &mut parents, &mut out);
        out
    }

    #[test]
    fn sides_agree_with_the_definition_on_all_small_trees() {
        for n in 1..=6usize {
            let trees = all_trees(n);
            // Ordered trees with n nodes are counted by the Catalan numbers.
            assert_eq!(trees.len(), [1, 1, 2, 5, 14, 42][n - 1]);
            for tree in trees {
                for set in 0u32..1 << n {
                    let occurrences: Vec<TreeNode> = (0..n as TreeNode).filter(|v| set >> v & 1 == 1).collect();
                    let runs = tree.sides(&occurrences);
                    assert_eq!(runs.len(), n as TreeNode);
                    for v in 0..n as TreeNode {
                        assert_eq!(runs.at(v), brute_sides(&tree, &occurrences, v), "{tree:?} {occurrences:?} {v}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_sequence_has_few_runs() {
        let tree = TreeShape::sequence(1000);
        assert!(tree.sides(&[3, 4, 500]).iter().count() <= 3);
    }

    #[test]
    fn children_are_the_nodes_with_that_parent() {
        for tree in all_trees(6) {
            for v in 0..6 {
                let expected: Vec<TreeNode> = (0..6).filter(|&c| tree.parent(c) == Some(v)).collect();
                assert_eq!(tree.children(v), expected);
            }
        }
    }
}
