//! Very weak alternating co-Büchi automata (Gastin, Oddoux 2001, section 2).
//!
//! A state is a temporal subformula or a literal. A transition is a guard with a set of states, all of which must
//! accept the rest of the word; the empty set accepts everything. Runs may stay in an until-state only finitely long.

use super::{Cube, Nnf};
use std::collections::BTreeMap;

/// A sorted set of states, read as a conjunction.
pub(super) type StateSet = Vec<u32>;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Transition {
    pub(super) guard: Cube,
    pub(super) targets: StateSet,
}

pub(super) struct Alternating {
    /// The formula as a disjunction of sets of states.
    pub(super) initial: Vec<StateSet>,
    pub(super) transitions: Vec<Vec<Transition>>,
    /// The states that must be left: those of until-formulas.
    pub(super) untils: Vec<u32>,
}

impl Alternating {
    pub(super) fn of(formula: &Nnf) -> Alternating {
        let mut builder = Builder { numbers: BTreeMap::new(), formulas: Vec::new() };
        let initial = builder.disjuncts(formula);
        let mut transitions = Vec::new();
        while let Some(formula) = builder.formulas.get(transitions.len()).cloned() {
            transitions.push(builder.transitions(&formula));
        }
        let is_until = |q: &u32| matches!(builder.formulas[*q as usize], Nnf::Until(..));
        let untils = (0..builder.formulas.len() as u32).filter(is_until).collect();
        Alternating { initial, transitions, untils }
    }
}

struct Builder {
    numbers: BTreeMap<Nnf, u32>,
    formulas: Vec<Nnf>,
}

impl Builder {
    fn state(&mut self, formula: &Nnf) -> u32 {
        if let Some(&known) = self.numbers.get(formula) {
            return known;
        }
        let number = self.formulas.len() as u32;
        self.formulas.push(formula.clone());
        self.numbers.insert(formula.clone(), number);
        number
    }

    /// The formula as a disjunction of conjunctions of states.
    fn disjuncts(&mut self, formula: &Nnf) -> Vec<StateSet> {
        let sets = match formula {
            Nnf::True => vec![Vec::new()],
            Nnf::False => Vec::new(),
            Nnf::Or(all) => all.iter().flat_map(|a| self.disjuncts(a)).collect(),
            Nnf::And(all) => {
                let mut product: Vec<StateSet> = vec![Vec::new()];
                for a in all {
                    let sets = self.disjuncts(a);
                    product = product.iter().flat_map(|p| sets.iter().map(|s| union(p, s))).collect();
                }
                product
            }
            _ => vec![vec![self.state(formula)]],
        };
        minimal(sets, |a, b| is_subset(a, b))
    }

    fn transitions(&mut self, formula: &Nnf) -> Vec<Transition> {
        let list = match formula {
            Nnf::True => vec![Transition { guard: Cube::TRUE, targets: Vec::new() }],
            Nnf::False => Vec::new(),
            Nnf::Literal(p, positive) => {
                vec![Transition { guard: Cube::literal(*p, *positive), targets: Vec::new() }]
            }
            Nnf::Or(all) => all.iter().flat_map(|a| self.transitions(a)).collect(),
            Nnf::And(all) => {
                let mut product = vec![Transition { guard: Cube::TRUE, targets: Vec::new() }];
                for a in all {
                    product = conjunction(&product, &self.transitions(a));
                }
                product
            }
            Nnf::Next(a) => {
                let sets = self.disjuncts(a);
                sets.into_iter().map(|targets| Transition { guard: Cube::TRUE, targets }).collect()
            }
            Nnf::Until(a, b) => {
                let stay = [Transition { guard: Cube::TRUE, targets: vec![self.state(formula)] }];
                let mut list = self.transitions(b);
                list.extend(conjunction(&self.transitions(a), &stay));
                list
            }
            Nnf::Release(a, b) => {
                let mut left = self.transitions(a);
                left.push(Transition { guard: Cube::TRUE, targets: vec![self.state(formula)] });
                conjunction(&self.transitions(b), &left)
            }
        };
        minimal(list, dominates)
    }
}

/// Every word and rest that `b` accepts, `a` accepts too.
fn dominates(a: &Transition, b: &Transition) -> bool {
    b.guard.implies(a.guard) && is_subset(&a.targets, &b.targets)
}

/// All pairs, guards conjoined and targets united.
pub(super) fn conjunction(a: &[Transition], b: &[Transition]) -> Vec<Transition> {
    let mut result = Vec::new();
    for x in a {
        for y in b {
            if let Some(guard) = x.guard.and(y.guard) {
                result.push(Transition { guard, targets: union(&x.targets, &y.targets) });
            }
        }
    }
    result
}

/// The elements that no other one makes superfluous, sorted.
pub(super) fn minimal<T: Ord>(mut list: Vec<T>, makes_superfluous: impl Fn(&T, &T) -> bool) -> Vec<T> {
    list.sort();
    list.dedup();
    let mut keep: Vec<bool> = vec![true; list.len()];
    for i in 0..list.len() {
        keep[i] = !(0..list.len()).any(|j| j != i && keep[j] && makes_superfluous(&list[j], &list[i]));
    }
    let mut keep = keep.into_iter();
    list.retain(|_| keep.next().unwrap_or(true));
    list
}

pub(super) fn union(a: &[u32], b: &[u32]) -> StateSet {
    let mut all: StateSet = a.iter().chain(b).copied().collect();
    all.sort_unstable();
    all.dedup();
    all
}

pub(super) fn is_subset(a: &[u32], b: &[u32]) -> bool {
    a.iter().all(|x| b.binary_search(x).is_ok())
}
