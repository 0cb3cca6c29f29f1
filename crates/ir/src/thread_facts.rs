//! Facts about one thread at a place, and what a step of the thread makes of them.
//!
//! Facts are what a single thread knows without looking at the others: values of its locals, values of shared cells
//! that nobody else changes meanwhile, conditions it has tested, locks it holds, which threads may be running. They
//! speak about *symbols*: constants that stand for some value each, so facts mean "there are values of the symbols such
//! that all this holds". The symbols of the facts at a thread's entry keep their values as long as the thread lives.
//!
//! Threads are counted by where they are created: an *abstract thread* is a fork edge and the abstract thread that
//! takes it. It is unique if that happens at most once. (Vojdani, Apinis, Rõtov, Seidl, Vene and Vogler: Static race
//! detection for device drivers: the Goblint approach, ASE 2016, count threads and name locks in this spirit.)
//!
//! **Locks** are shared cells that obey a discipline: whoever changes one from zero to something else owns it, and
//! nobody else sets it to zero. Then at most one thread owns a lock. A lock may have a cell that counts readers, who
//! own it together. The discipline is checked at every step ([`Step::broken`]).
//!
//! **Objects.** An address that was taken from a counter that only grows is known to nobody else until it is stored in
//! a shared cell or handed to a thread. That assumes that no access leaves the object that its address was made from,
//! as C demands.

use crate::dataflow::VarIndex;
use crate::icfg::{EdgeId, Icfg, Label, LocId};
use crate::program::{ProcId, Stmt, VarId, VarKind, VarRole};
use base::Id;
use logic::{FastMap, Op, Rational, SortId, Substitution, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

base::define_id!(
    /// An abstract thread.
    ThreadId, "t"
);

/// A shared scalar (no index), or a place of a shared array.
pub type Cell = (VarId, Option<TermId>);

/// Terms with more distinct subterms than this are replaced by symbols.
const MAX_TERM: usize = 80;
/// The most conditions that are kept.
const MAX_CONDITIONS: usize = 48;

/// What a thread knows at a location.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Facts {
    /// Values of locals; others have any.
    pub locals: BTreeMap<VarId, TermId>,
    pub cells: BTreeMap<Cell, TermId>,
    pub conditions: BTreeSet<TermId>,
    /// The locks it owns alone, each under a condition.
    pub owned: BTreeMap<Cell, TermId>,
    /// The reader counts it has its share in.
    pub read_locked: BTreeSet<Cell>,
    /// Its descendants that may be running or be created by those that are.
    pub alive: BTreeSet<ThreadId>,
    /// What `Join` calls its unique children.
    pub ids: BTreeMap<ThreadId, TermId>,
    /// Symbols that are addresses of objects nobody else knows.
    pub private: BTreeSet<TermId>,
    /// How many atomic sections it is in.
    pub atomic: u32,
}

/// A thread by where it is created.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AbstractThread {
    pub proc: ProcId,
    /// Who creates it, where.
    pub creators: BTreeSet<(ThreadId, EdgeId)>,
    /// There is at most one such thread in an execution.
    pub is_unique: bool,
}

/// How the values of an entry symbol differ in threads of the same kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Distinct {
    /// They are different numbers.
    Numbers,
    /// They are addresses of different objects of this size.
    Objects(u32),
}

impl Distinct {
    /// That the values of such a symbol in two threads are different.
    pub fn apart(self, pool: &mut TermPool, a: TermId, b: TermId) -> TermId {
        match self {
            Distinct::Numbers => {
                let same = pool.eq(a, b);
                pool.not(same)
            }
            Distinct::Objects(size) => {
                let size = pool.int(size.into());
                let (end_a, end_b) = (pool.add(&[a, size]), pool.add(&[b, size]));
                let (first, second) = (pool.le(end_a, b), pool.le(end_b, a));
                pool.or2(first, second)
            }
        }
    }
}

/// A proof that no error is reached: facts that hold whenever a thread is at a location, whatever the others do.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ThreadProof {
    /// The proof is about the graph in which loops that create or join threads are written out so often
    /// ([`crate::thread_loops`]).
    pub written_out: usize,
    /// The first is the root.
    pub threads: Vec<AbstractThread>,
    /// Absent: no such thread comes there.
    pub facts: BTreeMap<(ThreadId, LocId), Facts>,
    /// The variables that are locks, with the one that counts readers.
    pub locks: BTreeMap<VarId, Option<VarId>>,
    pub distinct: BTreeMap<ThreadId, BTreeMap<TermId, Distinct>>,
    /// The symbols that stand for the values that a step finds, in order.
    pub found: BTreeMap<(ThreadId, EdgeId), Vec<TermId>>,
    /// What the symbols at the entry of a thread are to its creator.
    pub passed: BTreeMap<(ThreadId, EdgeId), Vec<(TermId, TermId)>>,
}

/// Which part of a variable a step writes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Place {
    /// All of it: a scalar, or an array about whose places nothing is known.
    Whole,
    At(TermId),
}

/// What a step does.
#[derive(Clone, Debug)]
pub struct Step {
    /// What is known afterwards, before others interfere.
    pub after: Facts,
    /// The shared variables it writes.
    pub writes: Vec<(VarId, Place)>,
    /// Variables that are no locks, nor counts of readers, if the step is possible.
    pub broken: BTreeSet<VarId>,
    /// No other thread is running.
    is_alone: bool,
}

/// What is known of the program text, and of its threads.
pub struct Threads<'a> {
    pub icfg: &'a Icfg,
    pub list: Vec<AbstractThread>,
    pub forks: BTreeMap<(ThreadId, EdgeId), ThreadId>,
    pub locks: BTreeMap<VarId, Option<VarId>>,
    /// The symbols at the entries of threads.
    pub pinned: BTreeSet<TermId>,
    index: VarIndex,
    /// The counter that addresses of objects come from.
    pub allocator: Option<VarId>,
    /// Fork edges whose ids are those of no other fork.
    named_forks: BTreeSet<EdgeId>,
    /// The locations on cycles.
    cyclic: BTreeSet<LocId>,
    /// The procedures that each procedure calls, itself included.
    calls: BTreeMap<ProcId, BTreeSet<ProcId>>,
}

/// A source of symbols.
pub type NewSymbol<'a> = dyn FnMut(&mut TermPool, SortId) -> TermId + 'a;

/// The most abstract threads.
const MAX_THREADS: usize = 400;

impl<'a> Threads<'a> {
    /// The abstract threads of a graph; `None` if they are too many.
    pub fn new(icfg: &'a Icfg, pool: &mut TermPool) -> Option<Threads<'a>> {
        let root = icfg.root?;
        // Returns are not looked at as writes that other threads see.
        let is_global = |v: &VarId| icfg.vars[*v].kind == VarKind::Global;
        if icfg.call_sites.values().any(|site| site.results.iter().any(is_global)) {
            return None;
        }
        let mut this = Threads {
            icfg,
            list: vec![AbstractThread { proc: root, creators: BTreeSet::new(), is_unique: true }],
            forks: BTreeMap::new(),
            locks: BTreeMap::new(),
            pinned: BTreeSet::new(),
            index: VarIndex::new(icfg),
            allocator: None,
            named_forks: BTreeSet::new(),
            cyclic: cyclic_locations(icfg),
            calls: called_procedures(icfg),
        };
        this.find_threads()?;
        this.allocator = this.find_allocator(pool);
        this.named_forks = this.find_named_forks(pool);
        Some(this)
    }

    /// The locations that a thread may be at.
    pub fn is_place_of(&self, thread: ThreadId, loc: LocId) -> bool {
        self.calls[&self.list[thread.index()].proc].contains(&self.icfg.locs[loc].proc)
    }

    /// Does the procedure of a thread run once in it? Then what is known at its entry is fixed as long as the thread
    /// lives.
    pub fn is_entered_once(&self, thread: ThreadId) -> bool {
        let proc = self.thread(thread).proc;
        let entry = self.icfg.procs[proc].entry;
        self.icfg.call_sites.values().all(|site| site.callee != proc) && self.icfg.in_edges(entry).is_empty()
    }

    pub fn thread(&self, id: ThreadId) -> &AbstractThread {
        &self.list[id.index()]
    }

    fn find_threads(&mut self) -> Option<()> {
        let cyclic = self.cyclic.clone();
        let mut next = 0;
        while next < self.list.len() {
            let thread: ThreadId = ThreadId::from_index(next);
            next += 1;
            let procs = self.calls[&self.thread(thread).proc].clone();
            let forks: Vec<(EdgeId, ProcId)> = self
                .icfg
                .edges
                .iter()
                .filter_map(|(id, edge)| match edge.label {
                    Label::Fork { callee, .. } if procs.contains(&self.icfg.locs[edge.src].proc) => Some((id, callee)),
                    _ => None,
                })
                .collect();
            for (edge, callee) in forks {
                // A thread that is created by one of its own kind is of that kind.
                let ancestor = self.ancestors(thread).into_iter().find(|&a| {
                    self.thread(a).proc == callee && self.thread(a).creators.iter().any(|(_, fork)| *fork == edge)
                });
                let child = match ancestor {
                    Some(ancestor) => {
                        self.list[ancestor.index()].is_unique = false;
                        ancestor
                    }
                    None => {
                        let src = self.icfg.edges[edge].src;
                        let is_unique = self.thread(thread).is_unique
                            && !cyclic.contains(&src)
                            && self.icfg.locs[src].proc == self.thread(thread).proc;
                        self.list.push(AbstractThread { proc: callee, creators: BTreeSet::new(), is_unique });
                        ThreadId::from_index(self.list.len() - 1)
                    }
                };
                self.list[child.index()].creators.insert((thread, edge));
                self.forks.insert((thread, edge), child);
                if self.list.len() > MAX_THREADS {
                    return None;
                }
            }
        }
        // Whoever is created by one of many is one of many.
        loop {
            let many: Vec<usize> = (1..self.list.len())
                .filter(|&t| {
                    let creators = &self.list[t].creators;
                    self.list[t].is_unique
                        && (creators.len() != 1 || creators.iter().any(|(c, _)| !self.thread(*c).is_unique))
                })
                .collect();
            if many.is_empty() {
                return Some(());
            }
            for t in many {
                self.list[t].is_unique = false;
            }
        }
    }

    /// The chain of first creators up to the root, the thread itself first.
    pub fn ancestors(&self, thread: ThreadId) -> Vec<ThreadId> {
        let mut chain = vec![thread];
        let mut last = thread;
        while let Some(&(creator, _)) = self.thread(last).creators.first()
            && !chain.contains(&creator)
        {
            chain.push(creator);
            last = creator;
        }
        chain
    }

    /// A thread and all that it may create, directly or not.
    pub fn subtree(&self, thread: ThreadId) -> BTreeSet<ThreadId> {
        let mut all = BTreeSet::from([thread]);
        let mut work = vec![thread];
        while let Some(t) = work.pop() {
            for (_, &child) in self.forks.range((t, EdgeId::from_index(0))..).take_while(|((c, _), _)| *c == t) {
                if all.insert(child) {
                    work.push(child);
                }
            }
        }
        all
    }

    // ----- what the text says -----

    fn is_global(&self, v: VarId) -> bool {
        matches!(self.icfg.vars[v].kind, VarKind::Global)
    }

    /// All assignments of a variable, `None` where it becomes anything.
    fn assignments(&self, v: VarId) -> Vec<(EdgeId, Option<TermId>)> {
        let mut all = Vec::new();
        for (id, edge) in self.icfg.edges.iter() {
            match &edge.label {
                Label::Stmt(Stmt::Assign(pairs)) => {
                    all.extend(pairs.iter().filter(|p| p.0 == v).map(|p| (id, Some(p.1))));
                }
                label if self.icfg.writes(label, v) => all.push((id, None)),
                _ => {}
            }
        }
        all
    }

    /// The counter of addresses: assigned constants by the root, and else only together with a local that gets its old
    /// value, and by more.
    fn find_allocator(&self, pool: &mut TermPool) -> Option<VarId> {
        for edge in self.icfg.edges.values() {
            let Label::Stmt(Stmt::Assign(pairs)) = &edge.label else { continue };
            for &(v, _) in pairs.iter().filter(|p| self.is_global(p.0)) {
                if self.taken_from(pairs, v, pool).is_some() && self.is_only_taken_from(v, pool) {
                    return Some(v);
                }
            }
        }
        None
    }

    /// The local that takes its value from a counter, and by how much the counter grows.
    pub fn taken_from(&self, pairs: &[(VarId, TermId)], counter: VarId, pool: &mut TermPool) -> Option<(VarId, u32)> {
        let old = self.icfg.term(counter);
        let &(local, _) = pairs.iter().find(|p| !self.is_global(p.0) && p.1 == old)?;
        let &(_, new) = pairs.iter().find(|p| p.0 == counter)?;
        if pool.sort(old) != SortId::INT {
            return None;
        }
        let more = pool.sub(new, old);
        let size = match pool.number(more) {
            Some(size) => size.to_i64()?,
            // The front end leaves a gap.
            None if self.icfg.vars[counter].role == VarRole::AddressCounter => 16,
            None => return None,
        };
        (size > 0).then_some((local, u32::try_from(size).ok()?))
    }

    fn is_only_taken_from(&self, counter: VarId, pool: &mut TermPool) -> bool {
        self.assignments(counter).into_iter().all(|(edge, value)| {
            let Label::Stmt(Stmt::Assign(pairs)) = &self.icfg.edges[edge].label else { return false };
            let is_start = value.is_some_and(|v| pool.is_value(v)) && self.is_at_start(edge);
            is_start || self.taken_from(pairs, counter, pool).is_some()
        })
    }

    /// Is the edge taken by the root, at most once, and before any thread is created?
    fn is_at_start(&self, edge: EdgeId) -> bool {
        // From the entry of the root up to here there is only one way.
        let Some(root) = self.icfg.root else { return false };
        let mut loc = self.icfg.procs[root].entry;
        if !self.icfg.in_edges(loc).is_empty() {
            return false;
        }
        for _ in 0..self.icfg.locs.len() {
            let &[only] = self.icfg.out_edges(loc) else { return false };
            if only == edge {
                return true;
            }
            let next = &self.icfg.edges[only];
            if matches!(next.label, Label::Fork { .. } | Label::Call(_)) || self.icfg.in_edges(next.dst).len() != 1 {
                return false;
            }
            loc = next.dst;
        }
        false
    }

    /// Forks whose id is the new value of a counter that was made for it, so that no other thread has it.
    fn find_named_forks(&self, pool: &mut TermPool) -> BTreeSet<EdgeId> {
        let mut named = BTreeSet::new();
        let mut the_counter: Option<VarId> = None;
        let forks: Vec<EdgeId> =
            self.icfg.edges.iter().filter(|(_, e)| matches!(e.label, Label::Fork { .. })).map(|(id, _)| id).collect();
        for &fork in &forks {
            let Some(counter) = self.counter_of_fork(fork, pool) else { return BTreeSet::new() };
            if the_counter.is_some_and(|c| c != counter) {
                return BTreeSet::new();
            }
            the_counter = Some(counter);
            named.insert(fork);
        }
        let Some(counter) = the_counter else { return named };
        let one = pool.int(1);
        let old = self.icfg.term(counter);
        let only_counts = self.assignments(counter).into_iter().all(|(edge, value)| {
            value.is_some_and(|v| (pool.is_value(v) && self.is_at_start(edge)) || pool.sub(v, old) == one)
        });
        if only_counts { named } else { BTreeSet::new() }
    }

    /// Going back from a fork on the only way: the assignment `counter := counter + 1, id := counter + 1`.
    fn counter_of_fork(&self, fork: EdgeId, pool: &mut TermPool) -> Option<VarId> {
        let Label::Fork { id, .. } = &self.icfg.edges[fork].label else { return None };
        let &[id] = &id[..] else { return None };
        if pool.sort(id) != SortId::INT {
            return None;
        }
        let id = self.index.var(id)?;
        let mut loc = self.icfg.edges[fork].src;
        for _ in 0..64 {
            let &[edge] = self.icfg.in_edges(loc) else { return None };
            let data = &self.icfg.edges[edge];
            if matches!(data.label, Label::Call(_) | Label::Return(_)) {
                return None;
            }
            if self.icfg.writes(&data.label, id) {
                let Label::Stmt(Stmt::Assign(pairs)) = &data.label else { return None };
                let &(_, value) = pairs.iter().find(|p| p.0 == id)?;
                let &(counter, _) = pairs.iter().find(|p| self.is_global(p.0) && p.1 == value)?;
                let one = pool.int(1);
                let old = self.icfg.term(counter);
                return (pool.sub(value, old) == one).then_some(counter);
            }
            loc = data.src;
        }
        None
    }

    /// Shared variables that a thread may take from zero to something else inside an atomic section, as far as the text
    /// shows: they may be locks. Each with the variable that is counted up in a section that tests it: it may count
    /// readers.
    pub fn lock_candidates(&self, pool: &mut TermPool) -> BTreeMap<VarId, Option<VarId>> {
        let mut candidates: BTreeMap<VarId, Option<VarId>> = BTreeMap::new();
        let mut counted: BTreeSet<(VarId, VarId)> = BTreeSet::new();
        for begin in self.icfg.edges.values().filter(|e| e.label == Label::AtomicBegin) {
            let (mut tested, mut counts) = (BTreeSet::new(), BTreeSet::new());
            let mut seen = BTreeSet::new();
            let mut work = vec![begin.dst];
            while let Some(loc) = work.pop() {
                if !seen.insert(loc) {
                    continue;
                }
                for &e in self.icfg.out_edges(loc) {
                    let edge = &self.icfg.edges[e];
                    match &edge.label {
                        Label::AtomicEnd => continue,
                        Label::Stmt(Stmt::Assume(c)) => {
                            tested.extend(self.index.vars_of(pool, &[*c]).into_iter().filter(|v| self.is_global(*v)));
                        }
                        Label::Stmt(Stmt::Assign(pairs)) => {
                            for &(v, value) in pairs.iter().filter(|p| self.is_global(p.0)) {
                                let (stored, old) = match pool.op(value) {
                                    Op::Store => {
                                        let (array, place) = (pool.arg(value, 0), pool.arg(value, 1));
                                        (pool.arg(value, 2), pool.select(array, place))
                                    }
                                    _ => (value, self.icfg.term(v)),
                                };
                                if pool.op(stored) == Op::Ite || is_nonzero_value(pool, stored) {
                                    candidates.insert(v, None);
                                }
                                let one = pool.int(1);
                                if pool.sort(stored) == SortId::INT && pool.sub(stored, old) == one {
                                    counts.insert(v);
                                }
                            }
                        }
                        _ => {}
                    }
                    work.push(edge.dst);
                }
            }
            counted.extend(tested.iter().flat_map(|&t| counts.iter().map(move |&c| (t, c))));
        }
        for (lock, count) in counted {
            if lock != count && candidates.contains_key(&lock) {
                candidates.insert(lock, Some(count));
                candidates.remove(&count);
            }
        }
        candidates
    }

    // ----- steps -----

    /// What a step of a thread does, except calls and returns; `None` if it is impossible. `at_exit`: the threads that
    /// may be alive when a thread has ended, besides itself.
    pub fn step(
        &self,
        pool: &mut TermPool,
        (thread, edge): (ThreadId, EdgeId),
        before: &Facts,
        at_exit: &dyn Fn(ThreadId) -> BTreeSet<ThreadId>,
        new_symbol: &mut NewSymbol<'_>,
    ) -> Option<Step> {
        let mut step = Step {
            after: before.clone(),
            writes: Vec::new(),
            broken: BTreeSet::new(),
            is_alone: thread.index() == 0 && before.alive.is_empty(),
        };
        match &self.icfg.edges[edge].label {
            Label::Stmt(Stmt::Assign(pairs)) => {
                let may_repeat = self.cyclic.contains(&self.icfg.edges[edge].src);
                self.assign(pool, (pairs, may_repeat), &mut step, new_symbol);
            }
            Label::Stmt(Stmt::Assume(c)) => {
                let c = self.value(pool, &mut step.after, *c, new_symbol);
                if !self.assume(pool, &mut step.after, c) {
                    return None;
                }
            }
            Label::Stmt(Stmt::Havoc(vars, _)) => {
                for &v in vars {
                    self.forget_variable(v, &mut step);
                }
            }
            Label::AtomicBegin => step.after.atomic += 1,
            Label::AtomicEnd => step.after.atomic = step.after.atomic.saturating_sub(1),
            Label::Fork { id, args, .. } => {
                let child = self.forks[&(thread, edge)];
                for &arg in args {
                    let value = self.value(pool, &mut step.after, arg, new_symbol);
                    escape(pool, &mut step.after, value);
                }
                step.after.ids.remove(&child);
                if self.thread(child).is_unique && self.named_forks.contains(&edge) {
                    let id = self.value(pool, &mut step.after, id[0], new_symbol);
                    step.after.ids.insert(child, id);
                }
                step.after.alive.extend(self.subtree(child));
            }
            Label::Join { id, results } => {
                let ended = match &id[..] {
                    &[id] => {
                        let id = self.value(pool, &mut step.after, id, new_symbol);
                        step.after.ids.iter().find(|(_, known)| **known == id).map(|(child, _)| *child)
                    }
                    _ => None,
                };
                if let Some(child) = ended {
                    let gone = self.subtree(child);
                    let left = at_exit(child);
                    step.after.alive.retain(|t| !gone.contains(t) || left.contains(t));
                    step.after.ids.remove(&child);
                }
                for &v in results {
                    self.forget_variable(v, &mut step);
                }
            }
            // Composed statements are not looked into.
            Label::Block(transition) => {
                for &v in &transition.assigned {
                    self.forget_variable(v, &mut step);
                }
                // What it stores where is not looked at.
                step.after.private.clear();
            }
            Label::Call(_) | Label::Return(_) => return None,
        }
        Some(step)
    }

    /// What a new thread knows at its entry, from what its creator knows.
    pub fn entry(&self, pool: &mut TermPool, edge: EdgeId, before: &Facts, new_symbol: &mut NewSymbol<'_>) -> Facts {
        let Label::Fork { callee, args, .. } = &self.icfg.edges[edge].label else { return Facts::default() };
        let mut before = before.clone();
        let mut locals = BTreeMap::new();
        for (&param, &arg) in self.icfg.procs[*callee].params.iter().zip(args) {
            locals.insert(param, self.value(pool, &mut before, arg, new_symbol));
        }
        Facts { locals, cells: before.cells, conditions: before.conditions, ..Facts::default() }
    }

    /// What is known at the entry of a procedure that is called.
    pub fn called(&self, pool: &mut TermPool, edge: EdgeId, before: &Facts, new_symbol: &mut NewSymbol<'_>) -> Facts {
        let Label::Call(site) = self.icfg.edges[edge].label else { return Facts::default() };
        let site = &self.icfg.call_sites[site];
        let mut before = before.clone();
        let mut locals = BTreeMap::new();
        for (&param, &arg) in self.icfg.procs[site.callee].params.iter().zip(&site.args) {
            locals.insert(param, self.value(pool, &mut before, arg, new_symbol));
        }
        Facts { locals, ..before }
    }

    /// What is known after a call, from what was known before it and at the exit of the procedure: facts with symbols
    /// of the procedure are lost.
    pub fn returned(&self, pool: &TermPool, edge: EdgeId, before: &Facts, exit: &Facts) -> Facts {
        let Label::Return(site) = self.icfg.edges[edge].label else { return Facts::default() };
        let site = &self.icfg.call_sites[site];
        let is_fixed = |t: TermId| pool.free_constants(t).iter().all(|c| self.pinned.contains(c));
        let fixed_cell = |cell: &Cell| cell.1.is_none_or(is_fixed);
        let mut after = Facts {
            locals: before.locals.clone(),
            conditions: before.conditions.clone(),
            cells: exit.cells.iter().filter(|(c, v)| fixed_cell(c) && is_fixed(**v)).map(|(c, v)| (*c, *v)).collect(),
            owned: exit.owned.iter().filter(|(c, v)| fixed_cell(c) && is_fixed(**v)).map(|(c, v)| (*c, *v)).collect(),
            read_locked: exit.read_locked.iter().filter(|c| fixed_cell(c)).copied().collect(),
            alive: exit.alive.clone(),
            ids: BTreeMap::new(),
            private: BTreeSet::new(),
            atomic: exit.atomic,
        };
        for v in &site.results {
            after.locals.remove(v);
            if self.is_global(*v) {
                after.cells.retain(|cell, _| cell.0 != *v);
            }
        }
        after
    }

    fn forget_variable(&self, v: VarId, step: &mut Step) {
        if self.is_global(v) {
            step.after.cells.retain(|cell, _| cell.0 != v);
            step.after.owned.retain(|cell, _| cell.0 != v);
            step.after.read_locked.retain(|cell| cell.0 != v);
            step.writes.push((v, Place::Whole));
            if !step.is_alone {
                step.broken.insert(v);
            }
        } else {
            step.after.locals.remove(&v);
        }
    }

    fn assign(
        &self,
        pool: &mut TermPool,
        (pairs, may_repeat): (&[(VarId, TermId)], bool),
        step: &mut Step,
        new_symbol: &mut NewSymbol<'_>,
    ) {
        let facts = &mut step.after;
        let mut values: Vec<(VarId, TermId)> = Vec::with_capacity(pairs.len());
        for &(v, term) in pairs {
            values.push((v, self.evaluate(pool, facts, term, new_symbol)));
        }
        if let Some(counter) = self.allocator
            && let Some((local, _)) = self.taken_from(pairs, counter, pool)
            && (may_repeat || values.iter().any(|p| p.0 == local && !pool.is_value(p.1)))
        {
            // A new object.
            let address = new_symbol(pool, pool.sort(self.icfg.term(local)));
            facts.private.insert(address);
            facts.locals.insert(local, address);
            facts.cells.remove(&(counter, None));
            step.writes.push((counter, Place::Whole));
            values.retain(|p| p.0 != local && p.0 != counter);
        }
        for (v, value) in values {
            if !self.is_global(v) {
                let value = self.closed(pool, &mut step.after, value, new_symbol);
                step.after.locals.insert(v, value);
                continue;
            }
            if !is_array(pool, value) {
                let value = self.closed(pool, &mut step.after, value, new_symbol);
                self.write_cell(pool, (v, None), value, step);
                continue;
            }
            let mut stores = Vec::new();
            let mut base = value;
            while pool.op(base) == Op::Store {
                stores.push((pool.arg(base, 1), pool.arg(base, 2)));
                base = pool.arg(base, 0);
            }
            if base != self.icfg.term(v) || stores.len() > 64 {
                self.forget_variable(v, step);
                let escaping: Vec<TermId> = step.after.private.iter().copied().collect();
                let mentioned = pool.free_constants(value);
                for symbol in escaping.into_iter().filter(|s| mentioned.contains(s)) {
                    step.after.private.remove(&symbol);
                }
                continue;
            }
            for (index, value) in stores.into_iter().rev() {
                let index = self.closed(pool, &mut step.after, index, new_symbol);
                let value = self.closed(pool, &mut step.after, value, new_symbol);
                self.write_cell(pool, (v, Some(index)), value, step);
            }
        }
    }

    /// A shared cell gets a value.
    fn write_cell(&self, pool: &mut TermPool, cell: Cell, value: TermId, step: &mut Step) {
        if self.locks.contains_key(&cell.0) {
            self.write_lock(pool, cell, value, step);
        } else if self.locks.values().any(|readers| *readers == Some(cell.0)) {
            self.write_readers(pool, cell, value, step);
        }
        escape(pool, &mut step.after, value);
        let Step { after, writes, .. } = step;
        kill_aliases(pool, after, cell);
        after.cells.insert(cell, value);
        writes.push((cell.0, cell.1.map_or(Place::Whole, Place::At)));
    }

    /// A cell of a lock is written: it is taken, or released by its owner, or nothing changes for its owner.
    fn write_lock(&self, pool: &mut TermPool, cell: Cell, value: TermId, step: &mut Step) {
        let facts = &mut step.after;
        let Some(zero) = zero_like(pool, value) else {
            step.broken.insert(cell.0);
            return;
        };
        let becomes_zero = pool.eq(value, zero);
        let was_zero = facts.cells.get(&cell).copied().map(|old| (old, pool.eq(old, zero)));
        let readers = self.locks[&cell.0];
        if becomes_zero != TermId::FALSE {
            let is_still_owned = was_zero.is_some_and(|(old, was)| {
                let was_not = pool.not(was);
                pool.and2(was_not, becomes_zero) == TermId::FALSE || is_zero_only_if(pool, value, old)
            });
            let may = facts.owned.get(&cell) == Some(&TermId::TRUE)
                || is_still_owned
                || is_private(pool, facts, cell.1)
                || readers.is_some_and(|r| facts.read_locked.contains(&(r, cell.1)))
                || step.is_alone;
            if !may {
                step.broken.insert(cell.0);
            }
            // What this thread owned at places that may be this one.
            let mine: Vec<Cell> = facts.owned.keys().filter(|c| c.0 == cell.0).copied().collect();
            for other in mine {
                if !are_distinct(pool, facts, other.1, cell.1) {
                    facts.owned.remove(&other);
                }
            }
        }
        let Some((_, was_zero)) = was_zero else { return };
        let nonzero = pool.not(becomes_zero);
        let mut condition = pool.and2(was_zero, nonzero);
        if let Some(readers) = readers {
            let count = facts.cells.get(&(readers, cell.1)).copied();
            let none = match count.and_then(|count| Some((count, zero_like(pool, count)?))) {
                Some((count, zero)) => pool.eq(count, zero),
                None => TermId::FALSE,
            };
            condition = pool.and2(condition, none);
        }
        if condition == TermId::FALSE {
            return;
        }
        if condition == TermId::TRUE {
            // It was free, so it is none of those that this thread has.
            let mine: Vec<Cell> = facts.owned.iter().filter(|(_, c)| **c == TermId::TRUE).map(|(c, _)| *c).collect();
            for other in mine.into_iter().filter(|c| c.0 == cell.0 && *c != cell) {
                if let (Some(a), Some(b)) = (other.1, cell.1) {
                    let same = pool.eq(a, b);
                    let different = pool.not(same);
                    if different != TermId::TRUE {
                        facts.conditions.insert(different);
                    }
                }
            }
        }
        facts.owned.insert(cell, condition);
    }

    /// The number of readers of a lock changes.
    fn write_readers(&self, pool: &mut TermPool, cell: Cell, value: TermId, step: &mut Step) {
        let facts = &mut step.after;
        let Some(owner) = self.locks.iter().find(|(_, r)| **r == Some(cell.0)).map(|(o, _)| (*o, cell.1)) else {
            return;
        };
        if pool.sort(value) != SortId::INT {
            step.broken.insert(cell.0);
            return;
        }
        let old = facts.cells.get(&cell).copied();
        let (zero, one, minus_one) = (pool.int(0), pool.int(1), pool.int(-1));
        let change = old.map(|old| pool.sub(value, old));
        if change == Some(one) {
            if facts.cells.get(&owner).is_some_and(|&v| is_zero_value(pool, v)) {
                facts.read_locked.insert(cell);
            }
            return;
        }
        let had_share = facts.read_locked.contains(&cell);
        let mine: Vec<Cell> = facts.read_locked.iter().filter(|c| c.0 == cell.0).copied().collect();
        for other in mine {
            if !are_distinct(pool, facts, other.1, cell.1) {
                facts.read_locked.remove(&other);
            }
        }
        // The choices in the value.
        let choices = match pool.op(value) {
            Op::Ite => vec![pool.arg(value, 1), pool.arg(value, 2)],
            _ => vec![value],
        };
        let changes: Vec<Option<TermId>> = choices.iter().map(|&c| old.map(|old| pool.sub(c, old))).collect();
        let at_most_one_less = changes.iter().all(|c| *c == Some(minus_one) || *c == Some(zero));
        // Its owner has no readers beside it; the cell of a lock that is owned is not zero.
        let by_owner = facts.owned.get(&owner) == Some(&TermId::TRUE)
            && match (pool.op(value), facts.cells.get(&owner).copied()) {
                (Op::Ite, Some(state)) => {
                    let free = zero_like(pool, state).map(|zero| pool.eq(state, zero));
                    free == Some(pool.arg(value, 0)) && changes[1] == Some(zero)
                }
                _ => changes[0] == Some(zero) || value == zero,
            };
        let may = changes.iter().all(|c| *c == Some(zero))
            || (had_share && at_most_one_less)
            || by_owner
            || is_private(pool, facts, cell.1)
            || step.is_alone;
        if !may {
            step.broken.insert(cell.0);
        }
    }

    /// Adds a condition that was tested; `false` if it cannot hold.
    pub fn assume(&self, pool: &mut TermPool, facts: &mut Facts, condition: TermId) -> bool {
        let condition = decide_choices(pool, condition);
        if condition == TermId::FALSE {
            return false;
        }
        for part in pool.conjuncts(condition) {
            if part == TermId::TRUE {
                continue;
            }
            if let Some((symbol, value)) = self.definition(pool, facts, part) {
                if !replace(pool, facts, symbol, value) {
                    return false;
                }
                continue;
            }
            if facts.conditions.contains(&pool.not(part)) {
                return false;
            }
            if pool.dag_size(part) <= MAX_TERM && facts.conditions.len() < MAX_CONDITIONS {
                facts.conditions.insert(part);
            }
            // A lock that is held under this condition is held.
            let not = pool.not(part);
            facts.owned.retain(|_, c| *c != not);
            for condition in facts.owned.values_mut().filter(|c| **c == part) {
                *condition = TermId::TRUE;
            }
        }
        true
    }

    /// An equation that says what a symbol is.
    fn definition(&self, pool: &mut TermPool, facts: &Facts, part: TermId) -> Option<(TermId, TermId)> {
        let may = |pool: &TermPool, t: TermId| {
            pool.as_symbol(t).is_some()
                && pool.args(t).is_empty()
                && !self.pinned.contains(&t)
                && !facts.private.contains(&t)
        };
        match pool.op(part) {
            Op::Eq => {
                let (a, b) = (pool.arg(part, 0), pool.arg(part, 1));
                for (symbol, value) in [(a, b), (b, a)] {
                    if may(pool, symbol) && !pool.free_constants(value).contains(&symbol) {
                        return Some((symbol, value));
                    }
                }
                // k * s = t, s + t = u: whatever symbol stands alone.
                if pool.sort(a) != SortId::INT {
                    return None;
                }
                let mut linear = pool.linear(a);
                linear.add_scaled(&pool.linear(b), &Rational::from(-1));
                let units = [Rational::from(1), Rational::from(-1)];
                let (symbol, factor) =
                    linear.terms.iter().find(|(t, c)| may(pool, *t) && units.contains(c)).cloned()?;
                let mut rest = linear.clone();
                rest.terms.retain(|(t, _)| *t != symbol);
                if rest.terms.iter().any(|(t, _)| pool.free_constants(*t).contains(&symbol)) {
                    return None;
                }
                rest.scale(&-&factor);
                Some((symbol, pool.linear_term(&rest, SortId::INT)))
            }
            Op::App(_) if may(pool, part) => Some((part, TermId::TRUE)),
            Op::Not if may(pool, pool.arg(part, 0)) => Some((pool.arg(part, 0), TermId::FALSE)),
            _ => None,
        }
    }

    /// The value of a term; it may be a symbol that nothing else is known about.
    pub fn value(
        &self,
        pool: &mut TermPool,
        facts: &mut Facts,
        term: TermId,
        new_symbol: &mut NewSymbol<'_>,
    ) -> TermId {
        let value = self.evaluate(pool, facts, term, new_symbol);
        self.closed(pool, facts, value, new_symbol)
    }

    /// A value without shared arrays, and not too large.
    fn closed(&self, pool: &mut TermPool, facts: &mut Facts, value: TermId, new_symbol: &mut NewSymbol<'_>) -> TermId {
        let mut has_variable = false;
        let mut size = 0;
        pool.visit_postorder(&[value], |t| {
            size += 1;
            has_variable |= self.index.var(t).is_some();
        });
        if !has_variable && size <= MAX_TERM {
            return value;
        }
        // The symbol may be an address in disguise.
        escape(pool, facts, value);
        new_symbol(pool, pool.sort(value))
    }

    /// A term in which only shared arrays are left of the program's variables.
    fn evaluate(&self, pool: &mut TermPool, facts: &mut Facts, term: TermId, new_symbol: &mut NewSymbol<'_>) -> TermId {
        if pool.has_quantifier(term) {
            facts.private.clear();
            return new_symbol(pool, pool.sort(term));
        }
        let mut order = Vec::new();
        pool.visit_postorder(&[term], |t| order.push(t));
        let mut done: FastMap<TermId, TermId> = FastMap::default();
        for t in order {
            let value = if let Some(v) = self.index.var(t) {
                let sort = pool.sort(t);
                match (self.is_global(v), pool.array_parts(sort).is_some()) {
                    (true, true) => t,
                    (true, false) => *facts.cells.entry((v, None)).or_insert_with(|| new_symbol(pool, sort)),
                    (false, _) => *facts.locals.entry(v).or_insert_with(|| new_symbol(pool, sort)),
                }
            } else if pool.op(t) == Op::Select {
                let (array, index) = (done[&pool.arg(t, 0)], done[&pool.arg(t, 1)]);
                self.read(pool, facts, array, index, new_symbol)
            } else {
                let args: Vec<TermId> = pool.args(t).iter().map(|a| done[a]).collect();
                pool.rebuild(t, &args)
            };
            done.insert(t, value);
        }
        done[&term]
    }

    fn read(
        &self,
        pool: &mut TermPool,
        facts: &mut Facts,
        array: TermId,
        index: TermId,
        new_symbol: &mut NewSymbol<'_>,
    ) -> TermId {
        let mut array = array;
        let element = pool.element_sort(array);
        while pool.op(array) == Op::Store {
            let (inner, i, value) = (pool.arg(array, 0), pool.arg(array, 1), pool.arg(array, 2));
            if i == index {
                return value;
            }
            if !are_distinct(pool, facts, Some(i), Some(index)) {
                break;
            }
            array = inner;
        }
        match self.index.var(array) {
            Some(v) if self.is_global(v) => {
                let index = self.closed(pool, facts, index, new_symbol);
                let sort = element.unwrap_or(SortId::INT);
                *facts.cells.entry((v, Some(index))).or_insert_with(|| new_symbol(pool, sort))
            }
            _ => pool.select(array, index),
        }
    }

    // ----- at the same time -----

    /// May a thread of one kind be at a location while another thread of a kind is at another one? `alive`: which
    /// descendants of a thread may be running when it is at a location.
    pub fn may_run_together<'f>(
        &self,
        a: (ThreadId, LocId),
        b: (ThreadId, LocId),
        alive: &dyn Fn(ThreadId, LocId) -> Option<&'f BTreeSet<ThreadId>>,
    ) -> bool {
        let (mut left, mut right) = (self.ancestors(a.0), self.ancestors(b.0));
        left.reverse();
        right.reverse();
        if left[0] != right[0] {
            return true;
        }
        let common = left.iter().zip(&right).take_while(|(x, y)| x == y).count();
        if left[..common].iter().any(|&t| !self.thread(t).is_unique) {
            return true;
        }
        // All creators of a unique thread are in its chain; others may have several.
        if left[common..].iter().chain(&right[common..]).any(|&t| self.thread(t).creators.len() != 1) {
            return true;
        }
        let has =
            |thread: ThreadId, loc: LocId, other: ThreadId| alive(thread, loc).is_some_and(|s| s.contains(&other));
        let last = left[common - 1];
        match (left.get(common), right.get(common)) {
            (None, None) => false,
            (None, Some(_)) => has(last, a.1, b.0),
            (Some(_), None) => has(last, b.1, a.0),
            (Some(&x), Some(&y)) => {
                let at_fork = |child: ThreadId, other: ThreadId| {
                    self.thread(child).creators.iter().any(|(_, e)| has(last, self.icfg.edges[*e].src, other))
                };
                at_fork(x, b.0) || at_fork(y, a.0)
            }
        }
    }
}

/// A write by a thread, with symbols of its own.
pub struct Written {
    pub thread: ThreadId,
    pub src: LocId,
    pub index: Option<TermId>,
    pub facts: Facts,
    /// It is in an object that nobody else knows.
    pub is_private: bool,
    /// What the symbols of the thread are called here.
    pub names: BTreeMap<TermId, TermId>,
}

impl Written {
    /// A write of a place by a thread that knows these facts.
    pub fn new(pool: &mut TermPool, (thread, src): (ThreadId, LocId), facts: &Facts, place: Place) -> Written {
        let index = match place {
            Place::Whole => None,
            Place::At(index) => Some(index),
        };
        let mut all = symbols(pool, facts);
        all.extend(index.into_iter().flat_map(|i| pool.free_constants(i)));
        let names: BTreeMap<TermId, TermId> =
            all.into_iter().map(|s| (s, pool.fresh_constant("other", pool.sort(s)))).collect();
        let mut renaming = Substitution::from_pairs(names.iter().map(|(a, b)| (*a, *b)));
        Written {
            thread,
            src,
            index: index.map(|i| renaming.apply(pool, i)),
            facts: rename(pool, facts, &mut renaming),
            is_private: is_private(pool, facts, index),
            names,
        }
    }
}

/// Two accesses by different threads: what each knows, with symbols of their own.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    pub facts: &'a Facts,
    pub index: Option<TermId>,
}

/// The formula that two places are one, and then the pairs of locks of both threads of which one excludes the other if
/// their places are one.
pub fn meeting(
    pool: &mut TermPool,
    locks: &BTreeMap<VarId, Option<VarId>>,
    a: Side<'_>,
    b: Side<'_>,
    apart: &[TermId],
) -> (TermId, Vec<(TermId, TermId)>) {
    let same = match (a.index, b.index) {
        (Some(x), Some(y)) => pool.eq(x, y),
        _ => TermId::TRUE,
    };
    let mut parts = vec![same];
    parts.extend(apart);
    if same != TermId::TRUE && same != TermId::FALSE {
        let mut wanted: BTreeSet<TermId> = parts.iter().flat_map(|&t| pool.free_constants(t)).collect();
        let conditions: Vec<(TermId, Vec<TermId>)> =
            a.facts.conditions.iter().chain(&b.facts.conditions).map(|&c| (c, pool.free_constants(c))).collect();
        let mut taken = vec![false; conditions.len()];
        loop {
            let mut more = false;
            for (i, (c, symbols)) in conditions.iter().enumerate() {
                if !taken[i] && symbols.iter().any(|s| wanted.contains(s)) {
                    taken[i] = true;
                    more = true;
                    parts.push(*c);
                    wanted.extend(symbols);
                }
            }
            if !more {
                break;
            }
        }
    }
    let together = pool.and(&parts);
    let mut pairs = Vec::new();
    let mut pair = |x: Option<TermId>, y: Option<TermId>| match (x, y) {
        (Some(x), Some(y)) => pairs.push((x, y)),
        (None, None) => pairs.push((TermId::TRUE, TermId::TRUE)),
        _ => {}
    };
    let held = |f: &Facts| -> Vec<Cell> {
        f.owned.iter().filter(|(_, c)| **c == TermId::TRUE).map(|(cell, _)| *cell).collect()
    };
    for (x, y) in [(a.facts, b.facts), (b.facts, a.facts)] {
        let is_first = std::ptr::eq(x, a.facts);
        for mine in held(x) {
            if is_first {
                for theirs in held(y).into_iter().filter(|c| c.0 == mine.0) {
                    pair(mine.1, theirs.1);
                }
            }
            let readers = locks.get(&mine.0).copied().flatten();
            for theirs in y.read_locked.iter().filter(|c| Some(c.0) == readers) {
                if is_first { pair(mine.1, theirs.1) } else { pair(theirs.1, mine.1) }
            }
        }
    }
    (together, pairs)
}

/// The same facts, place and conditions with other symbols.
fn rename(pool: &mut TermPool, facts: &Facts, names: &mut Substitution) -> Facts {
    let mut cell = |pool: &mut TermPool, c: &Cell| (c.0, c.1.map(|i| names.apply(pool, i)));
    let owned = facts.owned.iter().map(|(c, v)| (cell(pool, c), *v)).collect();
    let read_locked = facts.read_locked.iter().map(|c| cell(pool, c)).collect();
    Facts {
        locals: BTreeMap::new(),
        cells: BTreeMap::new(),
        conditions: facts.conditions.iter().map(|c| names.apply(pool, *c)).collect(),
        owned,
        read_locked,
        alive: BTreeSet::new(),
        ids: BTreeMap::new(),
        private: BTreeSet::new(),
        atomic: facts.atomic,
    }
}

/// The symbols that facts speak about.
pub fn symbols(pool: &TermPool, facts: &Facts) -> BTreeSet<TermId> {
    let mut roots: Vec<TermId> = facts.locals.values().copied().collect();
    roots.extend(facts.conditions.iter().chain(facts.ids.values()).chain(&facts.private));
    for (cell, value) in facts.cells.iter().chain(&facts.owned) {
        roots.extend(cell.1);
        roots.push(*value);
    }
    roots.extend(facts.read_locked.iter().filter_map(|c| c.1));
    let mut all = BTreeSet::new();
    pool.visit_postorder(&roots, |t| {
        if pool.as_symbol(t).is_some() && pool.args(t).is_empty() {
            all.insert(t);
        }
    });
    all
}

fn escape(pool: &TermPool, facts: &mut Facts, value: TermId) {
    if !facts.private.is_empty() {
        for symbol in pool.free_constants(value) {
            facts.private.remove(&symbol);
        }
    }
}

/// Are two indices of one thread different for sure?
pub fn are_distinct(pool: &mut TermPool, facts: &Facts, a: Option<TermId>, b: Option<TermId>) -> bool {
    let (Some(a), Some(b)) = (a, b) else { return false };
    if pool.sort(a) != pool.sort(b) {
        return false;
    }
    let same = pool.eq(a, b);
    if same == TermId::FALSE || facts.conditions.contains(&pool.not(same)) {
        return true;
    }
    // Objects that nobody else knows are apart from each other and from those at fixed addresses.
    let (left, right) = (pool.free_constants(a), pool.free_constants(b));
    let is_apart = |of: TermId, x: &[TermId], y: &[TermId]| {
        matches!(x, [s] if private_object(pool, facts, of) == Some(*s) && !y.contains(s))
            && y.iter().all(|s| facts.private.contains(s))
    };
    is_apart(a, &left, &right) || is_apart(b, &right, &left)
}

/// The object that nobody else knows and that a place is in: the place is its address and an offset that does not
/// depend on such addresses. `ite(c, p, &g)` and `table[p == q]` mention `p` and are elsewhere.
fn private_object(pool: &TermPool, facts: &Facts, index: TermId) -> Option<TermId> {
    if facts.private.is_empty() || pool.sort(index) != SortId::INT {
        return None;
    }
    let mut object = None;
    for (term, factor) in &pool.linear(index).terms {
        if object.is_none() && *factor == Rational::from(1) && facts.private.contains(term) {
            object = Some(*term);
        } else if pool.free_constants(*term).iter().any(|s| facts.private.contains(s)) {
            return None;
        }
    }
    object
}

/// Is the place in an object that nobody else knows?
pub fn is_private(pool: &TermPool, facts: &Facts, index: Option<TermId>) -> bool {
    index.is_some_and(|i| private_object(pool, facts, i).is_some())
}

fn kill_aliases(pool: &mut TermPool, facts: &mut Facts, cell: Cell) {
    let same_variable: Vec<Cell> =
        facts.cells.range((cell.0, None)..).take_while(|(c, _)| c.0 == cell.0).map(|(c, _)| *c).collect();
    for other in same_variable {
        if other != cell && !are_distinct(pool, facts, other.1, cell.1) {
            facts.cells.remove(&other);
        }
    }
}

/// Replaces a symbol everywhere; `false` if a condition becomes false.
pub fn replace(pool: &mut TermPool, facts: &mut Facts, symbol: TermId, value: TermId) -> bool {
    let mut s = Substitution::from_pairs([(symbol, value)]);
    for v in facts.locals.values_mut().chain(facts.ids.values_mut()) {
        *v = s.apply(pool, *v);
    }
    let mut cell = |pool: &mut TermPool, c: &Cell| (c.0, c.1.map(|i| s.apply(pool, i)));
    let cells: Vec<(Cell, TermId)> = facts.cells.iter().map(|(c, v)| (*c, *v)).collect();
    let owned: Vec<(Cell, TermId)> = facts.owned.iter().map(|(c, v)| (*c, *v)).collect();
    let read_locked: Vec<Cell> = facts.read_locked.iter().copied().collect();
    let cells: Vec<(Cell, TermId)> = cells.into_iter().map(|(c, v)| (cell(pool, &c), v)).collect();
    let owned: Vec<(Cell, TermId)> = owned.into_iter().map(|(c, v)| (cell(pool, &c), v)).collect();
    facts.read_locked = read_locked.iter().map(|c| cell(pool, c)).collect();
    facts.cells = cells.into_iter().map(|(c, v)| (c, s.apply(pool, v))).collect();
    facts.owned.clear();
    for (c, v) in owned {
        let v = s.apply(pool, v);
        let v = decide_choices(pool, v);
        let known = facts.owned.get(&c).copied();
        if v != TermId::FALSE && known != Some(TermId::TRUE) {
            facts.owned.insert(c, v);
        }
    }
    let conditions: Vec<TermId> = facts.conditions.iter().copied().collect();
    facts.conditions.clear();
    for c in conditions {
        let c = s.apply(pool, c);
        let c = decide_choices(pool, c);
        if c == TermId::FALSE {
            return false;
        }
        for part in pool.conjuncts(c) {
            if part != TermId::TRUE {
                facts.conditions.insert(part);
            }
        }
    }
    true
}

/// Forgets all that speaks about some symbols.
pub fn forget(pool: &TermPool, facts: &mut Facts, gone: &BTreeSet<TermId>) {
    let speaks = |t: TermId| pool.free_constants(t).iter().any(|s| gone.contains(s));
    let speaks_cell = |c: &Cell| c.1.is_some_and(speaks);
    // What a local held that is no longer known may be found in it again, by another name.
    let lost: Vec<TermId> = facts.locals.values().copied().filter(|v| speaks(*v)).collect();
    for value in lost {
        escape(pool, facts, value);
    }
    facts.locals.retain(|_, v| !speaks(*v));
    facts.ids.retain(|_, v| !speaks(*v));
    facts.cells.retain(|c, v| !speaks_cell(c) && !speaks(*v));
    facts.owned.retain(|c, v| !speaks_cell(c) && !speaks(*v));
    facts.read_locked.retain(|c| !speaks_cell(c));
    facts.conditions.retain(|c| !speaks(*c));
    facts.private.retain(|s| !gone.contains(s));
}

/// `ite(c, 0, 16) = 0` is `c`.
fn decide_choices(pool: &mut TermPool, t: TermId) -> TermId {
    match pool.op(t) {
        Op::Not => {
            let inner = pool.arg(t, 0);
            let inner = decide_choices(pool, inner);
            pool.not(inner)
        }
        Op::And => {
            let parts: Vec<TermId> = pool.args(t).to_vec();
            let parts: Vec<TermId> = parts.into_iter().map(|p| decide_choices(pool, p)).collect();
            pool.and(&parts)
        }
        Op::Eq => {
            let (a, b) = (pool.arg(t, 0), pool.arg(t, 1));
            for (choice, value) in [(a, b), (b, a)] {
                if pool.op(choice) == Op::Ite && pool.is_value(value) {
                    let (c, x, y) = (pool.arg(choice, 0), pool.arg(choice, 1), pool.arg(choice, 2));
                    if pool.is_value(x) && pool.is_value(y) {
                        let not = pool.not(c);
                        return match (x == value, y == value) {
                            (true, true) => TermId::TRUE,
                            (true, false) => c,
                            (false, true) => not,
                            (false, false) => TermId::FALSE,
                        };
                    }
                }
            }
            t
        }
        _ => t,
    }
}

/// `ite(c, taken, old)` is zero only if it was.
fn is_zero_only_if(pool: &TermPool, value: TermId, old: TermId) -> bool {
    let is_fine = |part: TermId| part == old || is_nonzero_value(pool, part);
    pool.op(value) == Op::Ite && is_fine(pool.arg(value, 1)) && is_fine(pool.arg(value, 2))
}

/// What a lock of this sort is when it is free.
fn zero_like(pool: &mut TermPool, value: TermId) -> Option<TermId> {
    if pool.is_bool(value) {
        return Some(TermId::FALSE);
    }
    if let Some(width) = pool.bitvec_width(pool.sort(value)) {
        return Some(pool.bv_num(0.into(), width));
    }
    (pool.sort(value) == SortId::INT).then(|| pool.int(0))
}

fn is_array(pool: &TermPool, value: TermId) -> bool {
    pool.array_parts(pool.sort(value)).is_some()
}

fn is_zero_value(pool: &TermPool, t: TermId) -> bool {
    pool.is_value(t)
        && (pool.number(t).is_some_and(|n| n.is_zero()) || pool.bv_number(t).is_some_and(|(n, _)| n.is_zero()))
}

fn is_nonzero_value(pool: &TermPool, t: TermId) -> bool {
    pool.is_value(t) && !pool.is_bool(t) && !is_zero_value(pool, t)
}

/// The procedures that each one may be in while it runs.
fn called_procedures(icfg: &Icfg) -> BTreeMap<ProcId, BTreeSet<ProcId>> {
    let mut direct: BTreeMap<ProcId, BTreeSet<ProcId>> = BTreeMap::new();
    for site in icfg.call_sites.values() {
        direct.entry(site.caller).or_default().insert(site.callee);
    }
    icfg.procs
        .ids()
        .map(|proc| {
            let mut all = BTreeSet::from([proc]);
            let mut work = vec![proc];
            while let Some(p) = work.pop() {
                for &callee in direct.get(&p).into_iter().flatten() {
                    if all.insert(callee) {
                        work.push(callee);
                    }
                }
            }
            (proc, all)
        })
        .collect()
}

/// The locations that one thread may come to again: those on cycles within their procedure, and all of procedures that
/// are called.
fn cyclic_locations(icfg: &Icfg) -> BTreeSet<LocId> {
    let called: BTreeSet<ProcId> = icfg.call_sites.values().map(|site| site.callee).collect();
    let mut all: BTreeSet<LocId> =
        icfg.locs.iter().filter(|(_, data)| called.contains(&data.proc)).map(|(loc, _)| loc).collect();
    let entries: Vec<LocId> = icfg.procs.values().map(|proc| proc.entry).collect();
    all.extend(
        components(icfg, &entries).into_iter().filter(|(_, is_cyclic)| *is_cyclic).flat_map(|(members, _)| members),
    );
    all
}

/// The strongly connected components that are reached from locations within their procedures, and whether each has a
/// cycle.
pub fn components(icfg: &Icfg, from: &[LocId]) -> Vec<(Vec<LocId>, bool)> {
    let successors = |n: usize| icfg.local_successors(LocId::from_index(n)).map(|(_, to)| to.index()).collect();
    let roots: Vec<usize> = from.iter().map(|loc| loc.index()).collect();
    let found = base::graph::components(icfg.locs.len(), &roots, successors);
    found.into_iter().map(|c| (c.members.into_iter().map(LocId::from_index).collect(), c.has_cycle)).collect()
}
