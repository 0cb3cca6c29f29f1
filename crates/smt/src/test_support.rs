//! For tests: random numbers, random clause sets, and a naive producer of refutations that shares
//! no code with the solver.

use crate::reduce::{Node, NodeIndex, ResolutionDag, normalised, resolvent};
use crate::sat::types::{Lit, Var};
use base::Random;

pub(crate) fn holds(lit: Lit, assignment: u32) -> bool {
    (assignment >> lit.var().0 & 1 == 1) == lit.is_positive()
}

pub(crate) fn satisfied(clause: &[Lit], assignment: u32) -> bool {
    clause.iter().any(|&l| holds(l, assignment))
}

/// A random set of clauses of up to three different variables each.
pub(crate) fn random_cnf(rng: &mut Random, n_vars: usize, n_clauses: usize) -> Vec<Vec<Lit>> {
    (0..n_clauses)
        .map(|_| {
            let len = 1 + rng.below(3);
            let mut vars: Vec<u32> = (0..n_vars as u32).collect();
            let mut clause = Vec::new();
            for _ in 0..len.min(n_vars) {
                let v = vars.swap_remove(rng.below(vars.len()));
                clause.push(Var(v).lit(rng.flip()));
            }
            normalised(&clause)
        })
        .collect()
}

/// A refutation by splitting on variables in a random order, sharing equal subclauses at random;
/// `None` if the clauses are satisfiable. Leaf tags are clause numbers.
pub(crate) fn naive_refutation(rng: &mut Random, clauses: &[Vec<Lit>], n_vars: usize) -> Option<ResolutionDag> {
    struct Search<'a> {
        clauses: &'a [Vec<Lit>],
        rng: &'a mut Random,
        nodes: Vec<Node>,
        derived: Vec<Vec<Lit>>,
    }
    impl Search<'_> {
        fn add(&mut self, node: Node, clause: Vec<Lit>) -> NodeIndex {
            self.nodes.push(node);
            self.derived.push(clause);
            (self.nodes.len() - 1) as NodeIndex
        }
        /// A node whose clause is false under the partial assignment.
        fn refute(&mut self, value: &mut Vec<Option<bool>>) -> Option<NodeIndex> {
            let is_false = |c: &[Lit], value: &[Option<bool>]| {
                c.iter().all(|l| value[l.var().0 as usize] == Some(!l.is_positive()))
            };
            let known: Vec<NodeIndex> =
                (0..self.nodes.len()).filter(|&i| is_false(&self.derived[i], value)).map(|i| i as NodeIndex).collect();
            if !known.is_empty() && self.rng.below(4) > 0 {
                return Some(known[self.rng.below(known.len())]);
            }
            if let Some(tag) = (0..self.clauses.len()).find(|&i| is_false(&self.clauses[i], value)) {
                let clause = self.clauses[tag].clone();
                return Some(self.add(Node::Leaf { tag: tag as u32, clause: clause.clone().into() }, clause));
            }
            let free: Vec<usize> = (0..value.len()).filter(|&v| value[v].is_none()).collect();
            if free.is_empty() {
                return None;
            }
            let v = free[self.rng.below(free.len())];
            let pivot = Var(v as u32).positive();
            value[v] = Some(false);
            let positive = self.refute(value);
            value[v] = None;
            let positive = positive?;
            if !self.derived[positive as usize].contains(&pivot) {
                return Some(positive);
            }
            value[v] = Some(true);
            let negative = self.refute(value);
            value[v] = None;
            let negative = negative?;
            if !self.derived[negative as usize].contains(&!pivot) {
                return Some(negative);
            }
            let clause = resolvent(&self.derived[positive as usize], &self.derived[negative as usize], pivot);
            Some(self.add(Node::Resolve { pivot, positive, negative }, clause))
        }
    }
    let mut search = Search { clauses, rng, nodes: Vec::new(), derived: Vec::new() };
    // Random resolvents first, so that proofs are not always regular.
    for (tag, clause) in clauses.iter().enumerate() {
        search.add(Node::Leaf { tag: tag as u32, clause: clause.clone().into() }, clause.clone());
    }
    for _ in 0..search.rng.below(30) {
        let (i, j) = (search.rng.below(search.nodes.len()), search.rng.below(search.nodes.len()));
        let clashes: Vec<Lit> =
            search.derived[i].iter().copied().filter(|&l| search.derived[j].contains(&!l)).collect();
        if let [pivot] = clashes[..] {
            let clause = resolvent(&search.derived[i], &search.derived[j], pivot);
            search.add(Node::Resolve { pivot, positive: i as NodeIndex, negative: j as NodeIndex }, clause);
        }
    }
    let root = search.refute(&mut vec![None; n_vars])?;
    Some(ResolutionDag { nodes: search.nodes, root })
}
