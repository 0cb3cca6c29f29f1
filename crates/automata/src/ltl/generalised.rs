//! Generalised Büchi automata with acceptance on transitions (Gastin, Oddoux 2001, section 3).
//!
//! A state is a set of states of the alternating automaton. There is one acceptance set for each until-formula: the
//! transitions on which the until is not pending, or could be fulfilled. A run is accepting if it takes transitions of
//! every set infinitely often.

use super::alternating::{Alternating, StateSet, conjunction, is_subset, minimal};
use super::{Cube, alternating::Transition};
use base::{Budget, Stop, graph};
use std::collections::BTreeMap;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Edge {
    pub(super) guard: Cube,
    pub(super) target: usize,
    /// For each acceptance set, whether the edge is in it.
    pub(super) accepting: Vec<bool>,
}

pub(super) struct Generalised {
    pub(super) initial: Vec<usize>,
    pub(super) edges: Vec<Vec<Edge>>,
    pub(super) n_sets: usize,
}

impl Generalised {
    pub(super) fn of(alternating: &Alternating, budget: &Budget) -> Result<Generalised, Stop> {
        let mut numbers: BTreeMap<StateSet, usize> = BTreeMap::new();
        let mut sets: Vec<StateSet> = Vec::new();
        let mut number = |set: StateSet, sets: &mut Vec<StateSet>| {
            *numbers.entry(set).or_insert_with_key(|set| {
                sets.push(set.clone());
                sets.len() - 1
            })
        };
        let initial: Vec<usize> = alternating.initial.iter().map(|set| number(set.clone(), &mut sets)).collect();
        let mut edges = Vec::new();
        while let Some(set) = sets.get(edges.len()).cloned() {
            let mut outgoing = vec![Transition { guard: Cube::TRUE, targets: Vec::new() }];
            for &q in &set {
                budget.check()?;
                outgoing = conjunction(&outgoing, &alternating.transitions[q as usize]);
                // Different choices often give the same transition, and every later factor would multiply them.
                outgoing.sort_unstable();
                outgoing.dedup();
            }
            let with_acceptance: Vec<(Transition, Vec<bool>)> =
                outgoing.into_iter().map(|t| (acceptance(alternating, &t), t)).map(|(a, t)| (t, a)).collect();
            budget.check()?;
            let kept = minimal(with_acceptance, |(a, in_a), (b, in_b)| {
                b.guard.implies(a.guard)
                    && is_subset(&a.targets, &b.targets)
                    && in_b.iter().zip(in_a).all(|(b, a)| !b || *a)
            });
            let row: Vec<Edge> = kept
                .into_iter()
                .map(|(t, accepting)| Edge { guard: t.guard, target: number(t.targets, &mut sets), accepting })
                .collect();
            edges.push(row);
        }
        let mut result = Generalised { initial, edges, n_sets: alternating.untils.len() };
        result.simplify(budget)?;
        Ok(result)
    }

    /// Merges states with the same edges, and forgets acceptance where no cycle passes.
    fn simplify(&mut self, budget: &Budget) -> Result<(), Stop> {
        loop {
            budget.check()?;
            self.forget_acceptance_between_components();
            self.drop_full_sets();
            if !self.merge_equal_states() {
                return Ok(());
            }
        }
    }

    pub(super) fn component_of(&self) -> Vec<usize> {
        let successors = |q: usize| self.edges[q].iter().map(|e| e.target).collect();
        let components = graph::components(self.edges.len(), &self.initial, successors);
        graph::component_of(self.edges.len(), &components)
    }

    fn forget_acceptance_between_components(&mut self) {
        let component = self.component_of();
        for (q, row) in self.edges.iter_mut().enumerate() {
            for edge in row.iter_mut().filter(|e| component[e.target] != component[q]) {
                edge.accepting.fill(false);
            }
            row.sort();
            row.dedup();
        }
    }

    /// A set that contains every edge on a cycle constrains nothing; of two equal sets one is enough.
    fn drop_full_sets(&mut self) {
        let component = self.component_of();
        let on_cycles: Vec<&Edge> = self
            .edges
            .iter()
            .enumerate()
            .flat_map(|(q, row)| {
                row.iter().filter({
                    let component = &component;
                    move |e| component[e.target] == component[q]
                })
            })
            .collect();
        let column = |k: usize| -> Vec<bool> { on_cycles.iter().map(|e| e.accepting[k]).collect() };
        let mut columns: Vec<Vec<bool>> = Vec::new();
        let mut keep = Vec::new();
        for k in 0..self.n_sets {
            let column = column(k);
            if !column.iter().all(|x| *x) && !columns.contains(&column) {
                columns.push(column);
                keep.push(k);
            }
        }
        if keep.len() < self.n_sets {
            self.n_sets = keep.len();
            for edge in self.edges.iter_mut().flatten() {
                edge.accepting = keep.iter().map(|&k| edge.accepting[k]).collect();
            }
        }
    }

    /// Merges states with equal rows; says whether there were any.
    fn merge_equal_states(&mut self) -> bool {
        let mut first: BTreeMap<&[Edge], usize> = BTreeMap::new();
        let representative: Vec<usize> =
            self.edges.iter().enumerate().map(|(q, row)| *first.entry(row).or_insert(q)).collect();
        if representative.iter().enumerate().all(|(q, r)| q == *r) {
            return false;
        }
        for row in &mut self.edges {
            for edge in row.iter_mut() {
                edge.target = representative[edge.target];
            }
            row.sort();
            row.dedup();
        }
        for q in &mut self.initial {
            *q = representative[*q];
        }
        self.initial.sort_unstable();
        self.initial.dedup();
        self.keep_reachable();
        true
    }

    fn keep_reachable(&mut self) {
        let component = self.component_of();
        let mut new_number = vec![usize::MAX; self.edges.len()];
        let mut edges = Vec::new();
        for (q, row) in std::mem::take(&mut self.edges).into_iter().enumerate() {
            if component[q] != usize::MAX {
                new_number[q] = edges.len();
                edges.push(row);
            }
        }
        for edge in edges.iter_mut().flatten() {
            edge.target = new_number[edge.target];
        }
        for row in &mut edges {
            row.sort();
        }
        for q in &mut self.initial {
            *q = new_number[*q];
        }
        self.edges = edges;
    }
}

/// For each until-state: is the transition in its acceptance set?
fn acceptance(alternating: &Alternating, t: &Transition) -> Vec<bool> {
    let is_accepting = |u: &u32| {
        t.targets.binary_search(u).is_err()
            || alternating.transitions[*u as usize].iter().any(|own| {
                t.guard.implies(own.guard)
                    && is_subset(&own.targets, &t.targets)
                    && own.targets.binary_search(u).is_err()
            })
    };
    alternating.untils.iter().map(is_accepting).collect()
}
