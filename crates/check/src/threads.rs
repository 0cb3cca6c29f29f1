//! Checks facts about threads ([`ir::thread_facts`]) step by step, as Owicki and Gries do (An axiomatic proof technique
//! for parallel programs I, 1976):
//!
//! * The facts at the entry of the root hold of every state, those at the entry of a thread follow from what its
//!   creator knows.
//! * Every step of every thread leads from the facts before it to the facts after it, and never to an error.
//! * No write of another thread touches a cell that facts outside atomic sections speak about: the threads never run
//!   together, or a lock excludes it, or the places are different.
//! * The variables that count as locks are used as locks.
//! * What counts as different in all threads of a kind is: it is worked out again.
//!
//! Facts follow from facts if the symbols of the former can be given values (terms of the latter) such that they are
//! among them. The symbols at the entry of a thread keep their values, so they are given none.

use crate::{Options, Prover, Rejection};
use base::{Budget, Id};
use ir::thread_facts::{
    Cell, Distinct, Facts, Side, ThreadId, ThreadProof, Threads, Written, components, conflict, forget, is_private,
    symbols,
};
use ir::{EdgeId, Icfg, Label, LocId, Stmt, VarId};
use logic::{FastMap, SortId, Substitution, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) fn check(
    pool: &mut TermPool,
    icfg: &Icfg,
    proof: &ThreadProof,
    options: Options,
    budget: &Budget,
) -> Result<(), Rejection> {
    let copy;
    let icfg = match proof.written_out {
        0 => icfg,
        n_copies => match ir::thread_loops::written_out(icfg, n_copies) {
            Some(graph) => {
                copy = graph;
                &copy
            }
            None => return wrong("there are no loops with threads"),
        },
    };
    let Some(mut threads) = Threads::new(icfg, pool) else {
        return Err(Rejection::Unchecked("too many kinds of threads".to_string()));
    };
    if threads.list != proof.threads {
        return wrong("the proof is about other threads");
    }
    threads.locks = proof.locks.clone();
    let counts: Vec<VarId> = proof.locks.values().flatten().copied().collect();
    let different: BTreeSet<VarId> = counts.iter().copied().collect();
    if different.len() != counts.len() || counts.iter().any(|c| proof.locks.contains_key(c)) {
        return wrong("locks share a variable");
    }
    let mut pinned: BTreeMap<ThreadId, BTreeSet<TermId>> = BTreeMap::new();
    for t in 1..threads.list.len() {
        let thread = ThreadId::from_index(t);
        let entry = icfg.procs[threads.thread(thread).proc].entry;
        if let Some(facts) = proof.facts.get(&(thread, entry)).filter(|_| threads.is_entered_once(thread)) {
            let own = symbols(pool, facts);
            if own.iter().any(|s| threads.pinned.contains(s)) {
                return wrong("threads share symbols");
            }
            threads.pinned.extend(&own);
            pinned.insert(thread, own);
        }
    }
    let variables: BTreeSet<TermId> = icfg.vars.values().map(|v| v.term).collect();
    let live = ir::dataflow::live_locals(icfg, pool);
    let prover = Prover::new(pool, icfg, options);
    let mut checker = Checker {
        icfg,
        proof,
        threads,
        pinned,
        variables,
        live,
        budget,
        prover,
        written: FastMap::default(),
        bound: BTreeMap::new(),
        impossible: FastMap::default(),
        distinct: BTreeMap::new(),
    };
    for facts in proof.facts.values() {
        if symbols(pool, facts).iter().any(|s| checker.variables.contains(s)) {
            return wrong("facts speak about variables of the program");
        }
    }
    checker.steps(pool)?;
    checker.distinct = checker.find_distinct(pool);
    checker.interference(pool)
}

fn wrong<T>(what: &str) -> Result<T, Rejection> {
    Err(Rejection::Wrong(what.to_string()))
}

struct Checker<'a> {
    icfg: &'a Icfg,
    proof: &'a ThreadProof,
    threads: Threads<'a>,
    pinned: BTreeMap<ThreadId, BTreeSet<TermId>>,
    /// The constants of the program's variables.
    variables: BTreeSet<TermId>,
    live: base::IdVec<LocId, Vec<VarId>>,
    budget: &'a Budget,
    prover: Prover,
    written: FastMap<VarId, Vec<Written>>,
    /// What the symbols after a step stand for, in terms of those before it.
    bound: BTreeMap<(ThreadId, EdgeId), BTreeMap<TermId, TermId>>,
    impossible: FastMap<TermId, bool>,
    /// The symbols that are different in all threads of a kind, of those that are said to be.
    distinct: BTreeMap<ThreadId, BTreeMap<TermId, Distinct>>,
}

impl Checker<'_> {
    fn at(&self, loc: LocId) -> String {
        format!("{loc} of {}", self.icfg.procs[self.icfg.locs[loc].proc].name)
    }

    fn steps(&mut self, pool: &mut TermPool) -> Result<(), Rejection> {
        let (icfg, proof) = (self.icfg, self.proof);
        let root = ThreadId::from_index(0);
        let start = Facts::default();
        self.follows(pool, (root, icfg.entry()), &start, &BTreeMap::new())?;
        for (&(thread, loc), facts) in &proof.facts {
            self.budget.check()?;
            if !self.threads.is_place_of(thread, loc) {
                return wrong("facts for a place where a thread never is");
            }
            for &e in icfg.out_edges(loc) {
                self.edge(pool, thread, e, facts)?;
            }
        }
        Ok(())
    }

    fn edge(&mut self, pool: &mut TermPool, thread: ThreadId, e: EdgeId, facts: &Facts) -> Result<(), Rejection> {
        let (icfg, proof) = (self.icfg, self.proof);
        let edge = &icfg.edges[e];
        // The symbols of the step may stand for nothing else before it.
        let own: BTreeSet<TermId> = proof.found.get(&(thread, e)).into_iter().flatten().copied().collect();
        let n_own = proof.found.get(&(thread, e)).map_or(0, Vec::len);
        if own.len() != n_own || own.iter().any(|s| self.threads.pinned.contains(s) || self.variables.contains(s)) {
            return wrong("a step finds a value that is fixed");
        }
        let mut before = facts.clone();
        forget(pool, &mut before, &own);
        let mut list = proof.found.get(&(thread, e)).cloned().unwrap_or_default().into_iter();
        let mut new_symbol = |pool: &mut TermPool, sort: SortId| {
            let next = list.by_ref().find(|s| pool.sort(*s) == sort);
            next.unwrap_or_else(|| pool.fresh_constant("found", sort))
        };
        match edge.label {
            Label::Call(_) => {
                let entry = self.threads.called(pool, e, &before, &mut new_symbol);
                return self.follows(pool, (thread, edge.dst), &entry, &BTreeMap::new()).map(|_| ());
            }
            Label::Return(site) => {
                let from = icfg.edges[icfg.call_sites[site].call_edge].src;
                if let Some(caller) = proof.facts.get(&(thread, from)) {
                    let after = self.threads.returned(pool, e, caller, facts);
                    self.follows(pool, (thread, edge.dst), &after, &BTreeMap::new())?;
                }
                return Ok(());
            }
            _ => {}
        }
        let at_exit = |child: ThreadId| {
            let exit = icfg.procs[self.threads.thread(child).proc].exit;
            proof.facts.get(&(child, exit)).map(|f| f.alive.clone()).unwrap_or_default()
        };
        let Some(step) = self.threads.step(pool, (thread, e), &before, &at_exit, &mut new_symbol) else {
            return Ok(());
        };
        if icfg.locs[edge.dst].error.is_some() {
            return Err(Rejection::Wrong(format!("an error is not excluded at {}", self.at(edge.src))));
        }
        let is_lock = |v: &VarId| proof.locks.contains_key(v) || proof.locks.values().any(|r| *r == Some(*v));
        if step.broken.iter().any(is_lock) {
            return Err(Rejection::Wrong(format!("a lock is not used as one at {}", self.at(edge.src))));
        }
        let bound = self.follows(pool, (thread, edge.dst), &step.after, &BTreeMap::new())?;
        self.bound.insert((thread, e), bound);
        if let Label::Fork { .. } = edge.label {
            let child = self.threads.forks[&(thread, e)];
            let mut list = proof.found.get(&(thread, e)).cloned().unwrap_or_default().into_iter();
            let mut new_symbol = |pool: &mut TermPool, sort: SortId| {
                let next = list.by_ref().find(|s| pool.sort(*s) == sort);
                next.unwrap_or_else(|| pool.fresh_constant("found", sort))
            };
            let entry = self.threads.entry(pool, e, &before, &mut new_symbol);
            let loc = icfg.procs[self.threads.thread(child).proc].entry;
            let hint: BTreeMap<TermId, TermId> =
                proof.passed.get(&(thread, e)).into_iter().flatten().copied().collect();
            self.follows(pool, (child, loc), &entry, &hint)?;
        }
        for (var, place) in step.writes {
            let write = Written::new(pool, (thread, edge.src), &before, place);
            self.written.entry(var).or_default().push(write);
        }
        Ok(())
    }

    /// Do the facts at a location follow from those that a thread comes with? What the symbols stand for.
    fn follows(
        &mut self,
        pool: &mut TermPool,
        (thread, loc): (ThreadId, LocId),
        given: &Facts,
        hint: &BTreeMap<TermId, TermId>,
    ) -> Result<BTreeMap<TermId, TermId>, Rejection> {
        let complain = |this: &Self, what: &str| Err(Rejection::Wrong(format!("{what} at {}", this.at(loc))));
        let proof = self.proof;
        let Some(wanted) = proof.facts.get(&(thread, loc)) else {
            return complain(self, "no facts");
        };
        let is_entry = thread.index() != 0 && loc == self.icfg.procs[self.threads.thread(thread).proc].entry;
        let is_fixed = |s: TermId| !is_entry && self.threads.pinned.contains(&s);
        let is_symbol = |pool: &TermPool, t: TermId| pool.as_symbol(t).is_some() && pool.args(t).is_empty();
        let mut bound: BTreeMap<TermId, TermId> = hint.clone();
        bound.retain(|s, _| !is_fixed(*s));
        let mut given = given.clone();
        for (v, value) in &wanted.locals {
            // Nothing is known: there is some value.
            let sort = pool.sort(*value);
            let theirs = *given.locals.entry(*v).or_insert_with(|| pool.fresh_constant("any", sort));
            if is_symbol(pool, *value) && !is_fixed(*value) {
                bound.entry(*value).or_insert(theirs);
            }
        }
        for _ in 0..2 {
            let mut names = Substitution::from_pairs(bound.iter().map(|(a, b)| (*a, *b)));
            for ((var, index), value) in &wanted.cells {
                let place = index.map(|i| names.apply(pool, i));
                let is_open = is_symbol(pool, *value) && !is_fixed(*value) && !bound.contains_key(value);
                match given.cells.get(&(*var, place)) {
                    Some(theirs) if is_open => {
                        bound.insert(*value, *theirs);
                    }
                    _ => {}
                }
            }
        }
        let mut names = Substitution::from_pairs(bound.iter().map(|(a, b)| (*a, *b)));
        for (v, value) in &wanted.locals {
            if names.apply(pool, *value) != given.locals[v] {
                return complain(self, "the value of a local does not follow");
            }
        }
        for ((var, index), value) in &wanted.cells {
            let place = index.map(|i| names.apply(pool, i));
            if given.cells.get(&(*var, place)).copied() != Some(names.apply(pool, *value)) {
                return complain(self, "the value of a shared cell does not follow");
            }
        }
        for c in &wanted.conditions {
            let c = names.apply(pool, *c);
            if c != TermId::TRUE && !given.conditions.contains(&c) {
                return complain(self, "a condition does not follow");
            }
        }
        for ((var, index), condition) in &wanted.owned {
            let cell = (*var, index.map(|i| names.apply(pool, i)));
            let theirs = given.owned.get(&cell).copied();
            let condition = names.apply(pool, *condition);
            let not = pool.not(condition);
            let is_void = condition == TermId::FALSE || given.conditions.contains(&not);
            if !is_void && theirs != Some(TermId::TRUE) && theirs != Some(condition) {
                return complain(self, "a lock need not be held");
            }
        }
        for (var, index) in &wanted.read_locked {
            let cell = (*var, index.map(|i| names.apply(pool, i)));
            if !given.read_locked.contains(&cell) {
                return complain(self, "a read lock need not be held");
            }
        }
        if !given.alive.is_subset(&wanted.alive) || wanted.atomic > given.atomic {
            return complain(self, "more threads may be running");
        }
        for (child, id) in &wanted.ids {
            if given.ids.get(child).copied() != Some(names.apply(pool, *id)) {
                return complain(self, "the name of a thread does not follow");
            }
        }
        let mut images = BTreeSet::new();
        for s in &wanted.private {
            let image = names.apply(pool, *s);
            if !given.private.contains(&image) || !images.insert(image) {
                return complain(self, "an object may be known to others");
            }
        }
        // Nor may a local that is still read and no longer known.
        let lost = self.live[loc].iter().filter(|v| !wanted.locals.contains_key(v)).filter_map(|v| given.locals.get(v));
        if lost.flat_map(|value| pool.free_constants(*value)).any(|s| images.contains(&s)) {
            return complain(self, "an object may be known to a local");
        }
        // No other symbol may stand for the same object: it could be handed on by that name.
        if !wanted.private.is_empty() {
            for t in symbols(pool, wanted).into_iter().filter(|t| !wanted.private.contains(t)) {
                let term = names.apply(pool, t);
                if pool.free_constants(term).iter().any(|s| images.contains(s)) {
                    return complain(self, "an object may be known by another name");
                }
            }
        }
        Ok(bound)
    }

    fn interference(&mut self, pool: &mut TermPool) -> Result<(), Rejection> {
        let proof = self.proof;
        // What is so with the same locks, threads, objects and conditions around need not be asked again.
        let mut seen: FastMap<String, usize> = FastMap::default();
        let mut stable: BTreeSet<(ThreadId, Cell, usize, usize)> = BTreeSet::new();
        for (&(thread, loc), facts) in &proof.facts {
            self.budget.check()?;
            if facts.atomic > 0 {
                continue;
            }
            let around = format!("{:?}", (&facts.owned, &facts.read_locked, &facts.alive, &facts.private));
            let next = seen.len();
            let around = *seen.entry(around).or_insert(next);
            let tested = format!("{:?}", facts.conditions);
            let next = seen.len();
            let tested = *seen.entry(tested).or_insert(next);
            // Symbols that differ between the threads of a kind, and conditions on them, matter for constant indices.
            let has_own_symbols = self.distinct.get(&thread).is_some_and(|all| !all.is_empty());
            for &cell in facts.cells.keys() {
                // Conditions matter where they tell places apart.
                let is_fixed = cell.1.is_none_or(|i| pool.is_value(i) && !has_own_symbols);
                if !stable.insert((thread, cell, around, if is_fixed { usize::MAX } else { tested })) {
                    continue;
                }
                if !self.is_stable(pool, (thread, loc), facts, cell)? {
                    return Err(Rejection::Wrong(format!("another thread may change a cell at {}", self.at(loc))));
                }
            }
        }
        Ok(())
    }

    fn is_stable(
        &mut self,
        pool: &mut TermPool,
        at: (ThreadId, LocId),
        facts: &Facts,
        cell: Cell,
    ) -> Result<bool, Rejection> {
        let Some(written) = self.written.get(&cell.0) else { return Ok(true) };
        let proof = self.proof;
        let alive = |t: ThreadId, l: LocId| proof.facts.get(&(t, l)).map(|f| &f.alive);
        let is_unique = self.threads.thread(at.0).is_unique;
        if is_private(pool, facts, cell.1) {
            return Ok(true);
        }
        for w in written {
            let is_same = w.thread == at.0;
            if (is_same && is_unique)
                || w.is_private
                || !self.threads.may_happen_in_parallel(at, (w.thread, w.src), &alive)
            {
                continue;
            }
            let mut apart = Vec::new();
            if is_same {
                for (symbol, how) in self.distinct.get(&at.0).into_iter().flatten() {
                    if let Some(&other) = w.names.get(symbol) {
                        apart.push(how.apart(pool, *symbol, other));
                    }
                }
            }
            let mine = Side { facts, index: cell.1 };
            let theirs = Side { facts: &w.facts, index: w.index };
            let (same, pairs) = conflict(pool, &self.threads.locks, mine, theirs, &apart);
            let mut questions = vec![same];
            for (a, b) in pairs {
                let equal = pool.eq(a, b);
                let not = pool.not(equal);
                questions.push(pool.and2(same, not));
            }
            questions.sort_by_key(|q| *q != TermId::FALSE);
            let mut is_excluded = false;
            for question in questions {
                let known = self.impossible.get(&question).copied();
                let answer = match known {
                    Some(known) => known,
                    None => self.prover.impossible(pool, question, self.budget)?,
                };
                self.impossible.insert(question, answer);
                if answer {
                    is_excluded = true;
                    break;
                }
            }
            if !is_excluded {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The symbols that are different in all threads of a kind, of those that are said to be. Those that are not need
    /// do no harm.
    fn find_distinct(&self, pool: &mut TermPool) -> BTreeMap<ThreadId, BTreeMap<TermId, Distinct>> {
        let mut found: BTreeMap<ThreadId, BTreeMap<TermId, Distinct>> = BTreeMap::new();
        for (&child, all) in &self.proof.distinct {
            // Threads of a kind are created at one place.
            let creators = &self.threads.thread(child).creators;
            let (Some(&(parent, fork)), 1) = (creators.first(), creators.len()) else { continue };
            for (&symbol, &how) in all {
                // Only what the entry of the thread fixes is the thread's own for ever.
                if !self.pinned.get(&child).is_some_and(|p| p.contains(&symbol)) {
                    continue;
                }
                let passed = self.proof.passed.get(&(parent, fork)).into_iter().flatten().find(|p| p.0 == symbol);
                let Some(&(_, theirs)) = passed else { continue };
                let is_distinct = match how {
                    Distinct::Objects(size) => self.is_new_object(pool, parent, fork, theirs, size),
                    Distinct::Numbers => self.only_grows(pool, parent, fork, theirs),
                };
                if is_distinct {
                    found.entry(child).or_default().insert(symbol, how);
                }
            }
        }
        found
    }

    /// An object that nobody else knows becomes known by the fork: the next one is another one.
    fn is_new_object(&self, pool: &mut TermPool, parent: ThreadId, fork: EdgeId, symbol: TermId, size: u32) -> bool {
        let Some(facts) = self.proof.facts.get(&(parent, self.icfg.edges[fork].src)) else { return false };
        let Label::Fork { args, .. } = &self.icfg.edges[fork].label else { return false };
        let mentions = args.iter().any(|a| {
            let mut known = facts.clone();
            let value = self.threads.value(pool, &mut known, *a, &mut |pool, sort| pool.fresh_constant("any", sort));
            pool.free_constants(value).contains(&symbol)
        });
        let makers = self.proof.found.iter().filter(|(_, own)| own.contains(&symbol)).map(|(key, _)| key.1);
        let is_made_so = makers.clone().count() > 0
            && makers.clone().all(|edge| {
                let Label::Stmt(Stmt::Assign(pairs)) = &self.icfg.edges[edge].label else { return false };
                let counter = self.threads.allocator;
                counter.and_then(|c| self.threads.taken_from(pairs, c, pool)).is_some_and(|(_, own)| own >= size)
            });
        facts.private.contains(&symbol) && mentions && is_made_so
    }

    /// Does the procedure of a thread run once in it?
    fn is_run_once(&self, thread: ThreadId) -> bool {
        thread.index() == 0 || self.threads.is_entered_once(thread)
    }

    /// Does the symbol stand for a number that grows from one fork to the next?
    fn only_grows(&self, pool: &mut TermPool, parent: ThreadId, fork: EdgeId, symbol: TermId) -> bool {
        let thread = self.threads.thread(parent);
        let src = self.icfg.edges[fork].src;
        if !thread.is_unique || self.icfg.locs[src].proc != thread.proc || !self.is_run_once(parent) {
            return false;
        }
        let all = components(self.icfg, &[self.icfg.procs[thread.proc].entry]);
        let Some(component) = all.into_iter().find(|c| c.0.contains(&src)) else { return false };
        let component: BTreeSet<LocId> = component.0.into_iter().collect();
        let speaks = |pool: &TermPool, loc: LocId| {
            self.proof.facts.get(&(parent, loc)).is_some_and(|f| symbols(pool, f).contains(&symbol))
        };
        // Within the loop a step keeps the value or makes it greater.
        let mut growing: BTreeSet<EdgeId> = BTreeSet::new();
        for &loc in &component {
            if !self.proof.facts.contains_key(&(parent, loc)) {
                continue;
            }
            for (e, to) in self.icfg.local_successors(loc) {
                if !component.contains(&to) || !speaks(pool, to) {
                    continue;
                }
                let Some(bound) = self.bound.get(&(parent, e)) else {
                    // The step is impossible; calls do not keep symbols.
                    if matches!(self.icfg.edges[e].label, Label::Call(_)) {
                        return false;
                    }
                    continue;
                };
                if !speaks(pool, loc) || self.proof.found.get(&(parent, e)).is_some_and(|own| own.contains(&symbol)) {
                    return false;
                }
                let value = bound.get(&symbol).copied().unwrap_or(symbol);
                let more = pool.sub(value, symbol);
                match pool.number(more) {
                    Some(n) if n.is_zero() => {}
                    Some(n) if n.is_positive() => {
                        growing.insert(e);
                    }
                    _ => return false,
                }
            }
        }
        // No way from the fork back to it without growth.
        let mut seen = BTreeSet::new();
        let mut work = vec![src];
        while let Some(loc) = work.pop() {
            for (e, to) in self.icfg.local_successors(loc) {
                if growing.contains(&e) || !component.contains(&to) {
                    continue;
                }
                if to == src {
                    return false;
                }
                if seen.insert(to) {
                    work.push(to);
                }
            }
        }
        speaks(pool, src)
    }
}
