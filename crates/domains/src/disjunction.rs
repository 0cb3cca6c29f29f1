//! Several domains side by side, told apart by what chosen terms are (Rival, Mauborgne: The Trace Partitioning Abstract
//! Domain, 2007, with values of variables for the partition).
//!
//! States in which a chosen term has different known values are not joined: the state of an automaton that the program
//! encodes in a variable, the return address of a shared procedure, a flag. Where there would be too many cases they
//! are joined after all.

use crate::{Domain, State, Thresholds};
use logic::{TermId, TermPool, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The chosen terms, and how many cases there may be.
#[derive(Debug, Default)]
pub struct Partition {
    pub terms: Vec<TermId>,
    pub max_cases: usize,
}

#[derive(Clone, Debug)]
pub struct Disjunction {
    partition: Arc<Partition>,
    cases: BTreeMap<Vec<Option<Value>>, State>,
    bottom: State,
}

impl Disjunction {
    pub fn new(partition: Arc<Partition>, state: State) -> Disjunction {
        let bottom = State::none(state.vocabulary.clone());
        let cases = if state.is_bottom {
            BTreeMap::new()
        } else {
            BTreeMap::from([(vec![None; partition.terms.len()], state)])
        };
        Disjunction { partition, cases, bottom }
    }
    pub fn cases(&self) -> impl Iterator<Item = &State> {
        self.cases.values()
    }
    /// Forgets variables that nobody reads any more ([`State::release`]).
    pub fn release(&mut self, pool: &mut TermPool, variables: &[TermId]) {
        self.each(pool, |s, pool| s.release(pool, variables));
    }
    fn key(&self, pool: &TermPool, state: &State) -> Vec<Option<Value>> {
        self.partition.terms.iter().map(|t| state.evaluate(pool, *t).single()).collect()
    }
    /// Puts every state where its values belong.
    fn sort(&mut self, pool: &TermPool) {
        let states = std::mem::take(&mut self.cases);
        for state in states.into_values().filter(|s| !s.is_bottom) {
            let key = self.key(pool, &state);
            match self.cases.get_mut(&key) {
                Some(there) => *there = there.join(pool, &state),
                None => {
                    self.cases.insert(key, state);
                }
            }
        }
        self.merge(pool);
    }
    /// If there are too many cases: all in one.
    fn merge(&mut self, pool: &TermPool) {
        if self.cases.len() > self.partition.max_cases.max(1) {
            let all = self.joined(pool);
            self.cases = BTreeMap::from([(vec![None; self.partition.terms.len()], all)]);
        }
    }
    /// All cases in one state.
    pub fn joined(&self, pool: &TermPool) -> State {
        self.cases.values().fold(self.bottom.clone(), |sum, s| sum.join(pool, s))
    }
    fn each(&mut self, pool: &mut TermPool, step: impl Fn(&mut State, &mut TermPool)) {
        for state in self.cases.values_mut() {
            step(state, pool);
        }
        self.sort(pool);
    }
}

impl Domain for Disjunction {
    fn is_bottom(&self) -> bool {
        self.cases.values().all(|s| s.is_bottom)
    }

    fn join(&self, pool: &TermPool, other: &Self) -> Self {
        let mut result = self.clone();
        for (key, state) in &other.cases {
            match result.cases.get_mut(key) {
                Some(there) => *there = there.join(pool, state),
                None => {
                    result.cases.insert(key.clone(), state.clone());
                }
            }
        }
        result.merge(pool);
        result
    }

    /// Case by case. Once everything is one case it stays so: otherwise cases could come and go for ever.
    fn widen(&self, pool: &TermPool, next: &Self, thresholds: &Thresholds) -> Self {
        let everything: Vec<Option<Value>> = vec![None; self.partition.terms.len()];
        if let Some(all) = self.cases.get(&everything) {
            let next = next.joined(pool);
            let mut result = self.clone();
            result.cases = BTreeMap::from([(everything, all.widen(pool, &next, thresholds))]);
            for (key, state) in &self.cases {
                if key.iter().any(Option::is_some)
                    && let Some(all) = result.cases.get_mut(&vec![None; key.len()])
                {
                    *all = all.widen(pool, state, thresholds);
                }
            }
            return result;
        }
        let mut result = self.clone();
        for (key, state) in &next.cases {
            match result.cases.get_mut(key) {
                Some(there) => *there = there.widen(pool, state, thresholds),
                None => {
                    result.cases.insert(key.clone(), state.clone());
                }
            }
        }
        result.merge(pool);
        result
    }

    fn narrow(&self, pool: &TermPool, next: &Self) -> Self {
        let mut result = self.clone();
        for (key, state) in &mut result.cases {
            if let Some(n) = next.cases.get(key) {
                *state = state.narrow(pool, n);
            } else if next.cases.values().all(|s| s.is_within(pool, state)) {
                let joined = next.joined(pool);
                *state = state.narrow(pool, &joined);
            }
        }
        result
    }

    fn is_within(&self, pool: &TermPool, other: &Self) -> bool {
        let everything: Vec<Option<Value>> = vec![None; self.partition.terms.len()];
        self.cases.iter().all(|(key, state)| {
            let within = |k: &Vec<Option<Value>>| other.cases.get(k).is_some_and(|o| state.is_within(pool, o));
            state.is_bottom || within(key) || within(&everything)
        })
    }

    fn reduce(&mut self, pool: &TermPool) {
        for state in self.cases.values_mut() {
            state.reduce(pool);
        }
        self.cases.retain(|_, s| !s.is_bottom);
    }

    fn assume(&mut self, pool: &mut TermPool, condition: TermId) {
        self.each(pool, |s, pool| s.assume(pool, condition));
    }

    fn assign(&mut self, pool: &mut TermPool, pairs: &[(TermId, TermId)]) {
        self.each(pool, |s, pool| s.assign(pool, pairs));
    }

    fn forget(&mut self, pool: &mut TermPool, variables: &[TermId]) {
        self.each(pool, |s, pool| s.forget(pool, variables));
    }

    /// One case: its formulas. Several: what all cases say, and one disjunction of the rest.
    fn formulas(&self, pool: &mut TermPool) -> Vec<TermId> {
        let each: Vec<Vec<TermId>> = self.cases.values().filter(|s| !s.is_bottom).map(|s| s.formulas(pool)).collect();
        let Some(first) = each.first() else { return vec![TermId::FALSE] };
        if each.len() == 1 {
            return first.clone();
        }
        let mut common: Vec<TermId> = first.iter().copied().filter(|f| each.iter().all(|e| e.contains(f))).collect();
        let rest: Vec<TermId> = each
            .iter()
            .map(|e| {
                let own: Vec<TermId> = e.iter().copied().filter(|f| !common.contains(f)).collect();
                pool.and(&own)
            })
            .collect();
        common.push(pool.or(&rest));
        common.retain(|&t| t != TermId::TRUE);
        common
    }
}
