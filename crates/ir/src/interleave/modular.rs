//! The proof obligations of thread-modular reasoning, for any number of threads.
//!
//! Reference: Owicki, Gries, *An Axiomatic Proof Technique for Parallel Programs I*, 1976. Every place of a thread has
//! a formula over shared variables and the variables of that thread. Two things are to be shown: a thread that goes
//! from place to place keeps to the formulas, and the formula at a place survives what any other thread does from a
//! place where its own formula holds. For many threads that run one procedure two of them suffice: they differ only in
//! their names.
//!
//! **Ghost variables.** A formula may also refer to the thread that set a variable last ([`Ownership`]), so that it can
//! say that a lock is held by *this* thread. Ghosts are set along with the variable and are never read, so they change
//! no execution.
//!
//! The program is a [`Concurrent`] with three instances of each procedure: one that is verified, one that interferes,
//! and one that is joined.

use super::concurrent::{Action, ActionId, Concurrent, PlaceId, PlaceKind};
use crate::program::VarId;
use crate::verdict::OwickiGries;
use logic::{SortId, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

/// The number of instances needed.
pub const INSTANCES: usize = 3;

/// Who set a variable last, unless to this value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ownership {
    pub lock: VarId,
    pub free: TermId,
    /// The ghost: the number of the thread; 0 if the variable was set to `free`.
    pub owner: TermId,
}

/// To be shown: where the formulas at the assumed places hold, that at the shown one holds after an action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Obligation {
    pub assumed: Vec<PlaceId>,
    pub action: ActionId,
    pub shown: PlaceId,
}

impl Concurrent {
    /// Everything that is to be shown. `None` if an action starts or joins two threads of one procedure: there are too
    /// few instances for a third one that takes the action while a fourth one looks on.
    pub fn obligations(&self) -> Option<Vec<Obligation>> {
        let meets_two = |action: &Action| {
            let partners = self.partners(action);
            let procs: BTreeSet<usize> = partners.iter().map(|t| self.representative(*t)).collect();
            procs.len() < partners.len()
        };
        if self.actions.values().any(meets_two) {
            return None;
        }
        let representatives = self.representatives();
        let alone = self.alone();
        let many = self.started_often();
        let mut all = Vec::new();
        for (id, action) in self.actions.iter() {
            if representatives.contains(&action.thread) && self.is_first_variant(id, &[action.thread]) {
                let assumed = self.threads_of(&action.pre);
                let shown = action.post.iter().copied();
                all.extend(
                    shown.filter(|p| self.places[*p].thread.is_some() && !self.is_too_many(*p)).map(|p| Obligation {
                        assumed: assumed.clone(),
                        action: id,
                        shown: p,
                    }),
                );
            }
        }
        for (place, data) in self.places.iter() {
            let Some(thread) = data.thread.filter(|t| representatives.contains(t)) else { continue };
            if self.is_error(place) || alone.contains(&place) {
                continue;
            }
            // Others that may interfere: the representatives, and another one that runs the same procedure.
            let mut others: BTreeSet<usize> = representatives.iter().copied().filter(|t| *t != thread).collect();
            if many.contains(&thread) {
                others.insert(thread + 1);
            }
            for (id, action) in self.actions.iter() {
                let begins_alone = action.pre.iter().any(|p| alone.contains(p));
                if !others.contains(&action.thread) || begins_alone {
                    continue;
                }
                let waits = self.threads_of(&action.pre);
                let joins_this = waits.iter().any(|p| self.places[*p].thread == Some(thread));
                if joins_this && !waits.contains(&place)
                    || !joins_this && !self.is_first_variant(id, &[thread, action.thread])
                {
                    continue;
                }
                let mut assumed = vec![place];
                assumed.extend(waits.into_iter().filter(|p| *p != place));
                all.push(Obligation { assumed, action: id, shown: place });
            }
        }
        Some(all)
    }

    /// The threads that an action starts or joins.
    fn partners(&self, action: &Action) -> BTreeSet<usize> {
        let touched = action.pre.iter().chain(&action.post).filter_map(|p| self.places[*p].thread);
        touched.filter(|t| *t != action.thread).collect()
    }

    /// The places of threads among these.
    fn threads_of(&self, places: &[PlaceId]) -> Vec<PlaceId> {
        places.iter().copied().filter(|p| self.places[*p].thread.is_some()).collect()
    }

    /// Actions that start or join a thread exist once for each instance; is this the one for the first instance that is
    /// none of these threads?
    fn is_first_variant(&self, id: ActionId, but: &[usize]) -> bool {
        let action = &self.actions[id];
        if action.post.iter().any(|p| self.is_too_many(*p)) {
            return false;
        }
        let mine = self.partners(action);
        if mine.is_empty() {
            return true;
        }
        if mine.iter().any(|t| but.contains(t)) {
            return false;
        }
        let is_earlier = |p: &usize, q: &usize| p != q && self.templates[*p].0 == self.templates[*q].0 && q < p;
        !mine.iter().any(|p| (0..self.n_threads).any(|q| is_earlier(p, &q) && !but.contains(&q)))
    }

    /// The root, and the first instance of each procedure.
    pub fn representatives(&self) -> BTreeSet<usize> {
        (0..self.n_threads).filter(|t| self.templates[*t].1 == 0).collect()
    }

    /// The representative of a thread.
    pub fn representative(&self, thread: usize) -> usize {
        thread - self.templates[thread].1
    }

    /// The places of the root where no other thread was started yet.
    pub fn alone(&self) -> BTreeSet<PlaceId> {
        let is_at = |p: &PlaceId| matches!(self.places[*p].kind, PlaceKind::At(_));
        let own = |p: &PlaceId| self.places[*p].thread == Some(0);
        let mut after: BTreeSet<PlaceId> = BTreeSet::new();
        let mut work: Vec<PlaceId> = Vec::new();
        for action in self.actions.values() {
            if action.thread == 0 && action.post.iter().any(|p| !own(p) && is_at(p)) {
                work.extend(action.post.iter().copied().filter(own));
            }
        }
        // A thread that has finished when it starts is one, too.
        for action in self.actions.values().filter(|a| a.thread == 0) {
            let starts = action.post.iter().any(|p| matches!(self.places[*p].kind, PlaceKind::Started(..)));
            if starts {
                work.extend(action.post.iter().copied().filter(own));
            }
        }
        while let Some(place) = work.pop() {
            if after.insert(place) {
                for &a in self.actions_from(place) {
                    work.extend(self.actions[a].post.iter().copied().filter(own));
                }
            }
        }
        self.places.ids().filter(|p| own(p) && !after.contains(p)).collect()
    }

    /// The representatives of procedures that more than one thread may run.
    pub fn started_often(&self) -> BTreeSet<usize> {
        // By procedure: the places of the root where a thread is started; one that starts elsewhere counts as many.
        let mut starts: BTreeMap<usize, BTreeSet<PlaceId>> = BTreeMap::new();
        let mut many = BTreeSet::new();
        for action in self.actions.values() {
            let started = action.post.iter().filter_map(|p| self.places[*p].thread).filter(|t| *t != action.thread);
            let waits = |t: &usize| action.pre.iter().any(|p| self.places[*p].thread == Some(*t));
            for t in started.filter(|t| !waits(t)) {
                let t = self.representative(t);
                let from = action.pre.iter().copied().find(|p| self.places[*p].thread == Some(action.thread));
                match from {
                    Some(from) if action.thread == 0 => {
                        starts.entry(t).or_default().insert(from);
                    }
                    _ => {
                        many.insert(t);
                    }
                }
            }
        }
        let own = |p: &PlaceId| self.places[*p].thread == Some(0);
        for (t, places) in starts {
            // A second start must not be reachable from the first.
            let mut seen = BTreeSet::new();
            let mut work: Vec<PlaceId> = Vec::new();
            for action in self.actions.values().filter(|a| a.thread == 0 && a.pre.iter().any(|p| places.contains(p))) {
                let is_start = action
                    .post
                    .iter()
                    .filter_map(|p| self.places[*p].thread)
                    .any(|s| s != 0 && self.representative(s) == t);
                if is_start {
                    work.extend(action.post.iter().copied().filter(own));
                }
            }
            while let Some(place) = work.pop() {
                if seen.insert(place) {
                    for &a in self.actions_from(place) {
                        work.extend(self.actions[a].post.iter().copied().filter(own));
                    }
                }
            }
            if places.iter().any(|p| seen.contains(p)) {
                many.insert(t);
            }
        }
        many
    }

    /// A formula about a thread's variables as one about those of another that runs the same procedure.
    pub fn rename(&self, pool: &mut TermPool, formula: TermId, from: usize, to: usize, selves: &[TermId]) -> TermId {
        if from == to {
            return formula;
        }
        let mut pairs: Vec<(TermId, TermId)> = self.locals[from]
            .iter()
            .zip(&self.locals[to])
            .map(|(&a, &b)| (self.graph.term(a), self.graph.term(b)))
            .collect();
        if let (Some(&a), Some(&b)) = (selves.get(from), selves.get(to)) {
            pairs.push((a, b));
        }
        pool.substitute(formula, &pairs)
    }

    /// The place of another thread that corresponds to one of a representative.
    pub fn representative_place(&self, place: PlaceId) -> Option<PlaceId> {
        let data = &self.places[place];
        let thread = self.representative(data.thread?);
        self.places.iter().find(|(_, p)| p.thread == Some(thread) && p.kind == data.kind).map(|(id, _)| id)
    }
}

impl OwickiGries {
    /// Ghosts for variables, and numbers for threads.
    pub fn new(pool: &mut TermPool, program: &Concurrent, locks: &[(VarId, TermId)]) -> OwickiGries {
        let ownerships = locks
            .iter()
            .map(|&(lock, free)| {
                let name = format!("owner of {}", program.graph.vars[lock].name);
                Ownership { lock, free, owner: pool.fresh_constant(&name, SortId::INT) }
            })
            .collect();
        let selves = (0..program.n_threads).map(|_| pool.fresh_constant("self", SortId::INT)).collect();
        OwickiGries { formulas: BTreeMap::new(), ownerships, selves }
    }

    /// A formula after an action as one before it, over variables, ghosts and inputs.
    pub fn before(&self, pool: &mut TermPool, program: &Concurrent, action: ActionId, formula: TermId) -> TermId {
        let data = &program.actions[action];
        let mut pairs: Vec<(TermId, TermId)> = data.updates.iter().map(|&(v, t)| (program.graph.term(v), t)).collect();
        for ownership in &self.ownerships {
            if let Some((_, value)) = data.updates.iter().find(|u| u.0 == ownership.lock) {
                let nobody = pool.int(0);
                let owner = if *value == ownership.free { nobody } else { self.selves[data.thread] };
                pairs.push((ownership.owner, owner));
            }
        }
        pool.substitute(formula, &pairs)
    }

    /// Threads have different numbers, none of them 0.
    pub fn numbers(&self, pool: &mut TermPool) -> TermId {
        let mut all = self.selves.clone();
        all.push(pool.int(0));
        pool.distinct(&all)
    }

    /// The formula at a place of any thread.
    pub fn formula(&self, pool: &mut TermPool, program: &Concurrent, place: PlaceId) -> TermId {
        if program.is_error(place) {
            return TermId::FALSE;
        }
        let (Some(thread), Some(known)) = (program.places[place].thread, program.representative_place(place)) else {
            return TermId::TRUE;
        };
        let formula = self.formulas.get(&known).copied().unwrap_or(TermId::TRUE);
        program.rename(pool, formula, program.representative(thread), thread, &self.selves)
    }
}
