//! Modules: deterministic automata over paths, each of which rules out a set of infinite words.
//!
//! A state is a set of predicates that are known to hold, and a mode (see [`ir::ModuleMode`]). The successor under a
//! path is found by asking for each predicate of the module whether it holds after the path: a cartesian predicate
//! abstraction with the predicates of one proof, computed on demand. So a module accepts much more than the lasso it
//! was made for: every path that keeps the predicates alive is followed.
//!
//! A rank module waits until it is at its *honda* (or anywhere, if it has none) and its supporting invariants are
//! known; there it seeds the ghosts with the rank. While the relation between ghosts and rank is known it tracks; when
//! the rank turns out to be smaller at the honda it passes a `Decrease` state; when the relation is lost it waits
//! again. A word with infinitely many decreases and finitely many losses cannot be executed. This takes the place of
//! the semi-deterministic automata of the literature (Heizmann, Hoenicke and Podelski 2014): what they guess (the last
//! seed) is here the part "finitely many losses" of the acceptance condition, so that modules stay deterministic and
//! need no complementation.
//!
//! A module without rank knows only infeasible words: those that reach the predicate `false`.

use super::cuts::PathId;
use super::triples::Triples;
use base::{Budget, Stop};
use ir::{LocId, ModuleMode, ModuleState, RankingModule};
use logic::{FastMap, TermId, TermPool};
use std::collections::BTreeMap;

/// A rank and how it is watched.
#[derive(Clone, Debug)]
pub(super) struct Rank {
    /// Where the rank is compared; `None`: at every cut point.
    pub honda: Option<LocId>,
    /// A decrease counts only after this path.
    pub last_path: Option<PathId>,
    /// Lexicographic components, and the constants that remember them.
    pub components: Vec<TermId>,
    pub ghosts: Vec<TermId>,
    /// Must be known when the ghosts are seeded: supporting invariants.
    pub needed: Vec<TermId>,
    /// How the rank compares with the ghosts; while one of these is known the module keeps tracking.
    pub relations: Vec<TermId>,
    /// The rank is smaller than the ghosts.
    pub decrease: TermId,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct State {
    mode: ModuleMode,
    /// Sorted indices of predicates.
    known: Vec<usize>,
    /// Nothing can be here.
    is_false: bool,
}

pub(super) struct Module {
    /// `None`: the module knows only infeasible words.
    pub rank: Option<Rank>,
    /// Facts about variables; then, from `n_facts`, formulas about ghosts.
    predicates: Vec<TermId>,
    n_facts: usize,
    states: Vec<State>,
    ids: FastMap<State, usize>,
    edges: FastMap<(usize, PathId), usize>,
}

impl Module {
    /// `facts` speak about variables, `ghost_facts` (besides the relations of the rank) about ghosts too.
    pub(super) fn new(rank: Option<Rank>, facts: Vec<TermId>, ghost_facts: Vec<TermId>) -> Module {
        let mut predicates: Vec<TermId> = Vec::new();
        let mut add = |t: TermId| {
            if t != TermId::TRUE && t != TermId::FALSE && !predicates.contains(&t) {
                predicates.push(t);
            }
            predicates.len()
        };
        let needed = rank.iter().flat_map(|r| &r.needed);
        facts.iter().chain(needed).for_each(|t| {
            add(*t);
        });
        let n_facts = add(TermId::TRUE);
        rank.iter().flat_map(|r| &r.relations).chain(&ghost_facts).for_each(|t| {
            add(*t);
        });
        let mut module = Module {
            rank,
            predicates,
            n_facts,
            states: Vec::new(),
            ids: FastMap::default(),
            edges: FastMap::default(),
        };
        module.state(State { mode: ModuleMode::Waiting, known: Vec::new(), is_false: false });
        module
    }

    pub(super) const INITIAL: usize = 0;

    pub(super) fn mode(&self, state: usize) -> ModuleMode {
        self.states[state].mode
    }
    pub(super) fn is_false(&self, state: usize) -> bool {
        self.states[state].is_false
    }

    fn state(&mut self, state: State) -> usize {
        if let Some(&id) = self.ids.get(&state) {
            return id;
        }
        self.states.push(state.clone());
        self.ids.insert(state, self.states.len() - 1);
        self.states.len() - 1
    }

    /// What holds on arrival in a state.
    fn formula(&self, pool: &mut TermPool, state: usize) -> TermId {
        if self.states[state].is_false {
            return TermId::FALSE;
        }
        let known: Vec<TermId> = self.states[state].known.iter().map(|p| self.predicates[*p]).collect();
        pool.and(&known)
    }

    /// The successor of a state under a path.
    pub(super) fn successor(
        &mut self,
        pool: &mut TermPool,
        triples: &mut Triples<'_>,
        from: usize,
        path: PathId,
        budget: &Budget,
    ) -> Result<usize, Stop> {
        if let Some(&to) = self.edges.get(&(from, path)) {
            return Ok(to);
        }
        let to = self.compute_successor(pool, triples, from, path, budget)?;
        let to = self.state(to);
        self.edges.insert((from, path), to);
        Ok(to)
    }

    fn compute_successor(
        &mut self,
        pool: &mut TermPool,
        triples: &mut Triples<'_>,
        from: usize,
        path: PathId,
        budget: &Budget,
    ) -> Result<State, Stop> {
        let mode = self.states[from].mode;
        let mut pre = self.formula(pool, from);
        if let (Some(rank), ModuleMode::Seed | ModuleMode::Decrease) = (&self.rank, mode) {
            pre = with_seeded_ghosts(pool, pre, &rank.components, &rank.ghosts);
        }
        if triples.holds(pool, pre, path, TermId::FALSE, budget)? {
            return Ok(State { mode: ModuleMode::Waiting, known: Vec::new(), is_false: true });
        }
        let mut known = Vec::new();
        let n_asked = if mode == ModuleMode::Waiting { self.n_facts } else { self.predicates.len() };
        for p in 0..n_asked {
            let predicate = self.predicates[p];
            let kept = self.states[from].known.contains(&p) && !triples.touches(pool, path, predicate);
            if kept || triples.holds(pool, pre, path, predicate, budget)? {
                known.push(p);
            }
        }
        let Some(rank) = &self.rank else {
            return Ok(State { mode: ModuleMode::Waiting, known, is_false: false });
        };
        let at_honda = rank.honda.is_none_or(|honda| triples.graph.paths[path].to == honda);
        let n_facts = self.n_facts;
        let facts: Vec<usize> = known.iter().copied().filter(|p| *p < n_facts).collect();
        if mode != ModuleMode::Waiting {
            let counts = at_honda && rank.last_path.is_none_or(|last| last == path);
            if counts && triples.holds(pool, pre, path, rank.decrease, budget)? {
                return Ok(State { mode: ModuleMode::Decrease, known: facts, is_false: false });
            }
            if known.iter().any(|p| rank.relations.contains(&self.predicates[*p])) {
                return Ok(State { mode: ModuleMode::Tracking, known, is_false: false });
            }
        }
        let is_known = |t: &TermId| facts.iter().any(|p| self.predicates[*p] == *t);
        let seeds = at_honda && rank.needed.iter().all(is_known);
        let mode = if seeds { ModuleMode::Seed } else { ModuleMode::Waiting };
        Ok(State { mode, known: facts, is_false: false })
    }

    /// Does the module rule out stem·cycle^ω?
    pub(super) fn rules_out(
        &mut self,
        pool: &mut TermPool,
        triples: &mut Triples<'_>,
        stem: &[PathId],
        cycle: &[PathId],
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let mut at = Module::INITIAL;
        for &path in stem {
            at = self.successor(pool, triples, at, path, budget)?;
            if self.is_false(at) {
                return Ok(true);
            }
        }
        // The states at the start of each iteration, with what happened in the iteration after.
        let mut turns: Vec<(usize, bool, bool)> = Vec::new();
        loop {
            if let Some(first) = turns.iter().position(|t| t.0 == at) {
                let lost = turns[first..].iter().any(|t| t.2);
                let decreased = turns[first..].iter().any(|t| t.1);
                return Ok(decreased && !lost);
            }
            let start = at;
            let (mut decreased, mut lost) = (false, false);
            for &path in cycle {
                at = self.successor(pool, triples, at, path, budget)?;
                if self.is_false(at) {
                    return Ok(true);
                }
                match self.mode(at) {
                    ModuleMode::Waiting | ModuleMode::Seed => lost = true,
                    ModuleMode::Tracking => {}
                    ModuleMode::Decrease => decreased = true,
                }
            }
            turns.push((start, decreased, lost));
        }
    }

    /// The module as part of a certificate, with the edges that `used` says were needed.
    pub(super) fn certificate(
        &self,
        pool: &mut TermPool,
        triples: &Triples<'_>,
        used: &dyn Fn(usize, PathId) -> bool,
    ) -> RankingModule {
        let states = (0..self.states.len())
            .map(|s| ModuleState { mode: self.states[s].mode, formula: self.formula(pool, s) })
            .collect();
        let mut edges = BTreeMap::new();
        for (&(from, path), &to) in &self.edges {
            if used(from, path) {
                edges.insert((from, triples.graph.paths[path].edges.clone()), to);
            }
        }
        let (rank, ghosts) = match &self.rank {
            Some(rank) => (rank.components.clone(), rank.ghosts.clone()),
            None => (Vec::new(), Vec::new()),
        };
        RankingModule { rank, ghosts, states, edges }
    }
}

/// `formula` and every ghost equals its component of the rank.
fn with_seeded_ghosts(pool: &mut TermPool, formula: TermId, components: &[TermId], ghosts: &[TermId]) -> TermId {
    let mut conjuncts = vec![formula];
    for (&component, &ghost) in components.iter().zip(ghosts) {
        conjuncts.push(pool.eq(ghost, component));
    }
    pool.and(&conjuncts)
}
