//! Data races and other errors excluded by what each thread knows by itself: locks it holds, threads it has joined,
//! thread-local objects, cells of its own.
//!
//! A data-flow analysis of each thread alone, in the tradition of lock sets (Savage, Burrows, Nelson, Sobalvarro and
//! Anderson: Eraser, 1997; Voung, Jhala and Lerner: RELAY, 2007; Vojdani and others: the Goblint approach, 2016), with
//! symbolic values: locks and places are terms, so that a lock in the structure that it protects is one lock for each
//! structure. [`ir::thread_facts`] says what facts are and what steps do to them. Here facts are computed for all
//! locations, merged where ways meet, and dropped where another thread may change what they are about:
//!
//! * Iteration 0 drops every fact about a shared cell that some other thread writes anywhere.
//! * Each later iteration knows the writes of the iteration before, with the locks held there, and keeps the facts that
//!   no write can reach: the threads never run together, both hold a lock that excludes the other, the places are
//!   different, or one of them is in a thread-local object.
//!
//! Every iteration is sound by itself, so the last one is a proof if it reaches no error. Nothing depends on the number
//! of threads, and recursion is followed without contexts. Departure from the papers: a race is not a pair of accesses
//! but a failing check of a ghost (`crates/c/src/lower/races.rs`), so races need no notion of their own here, and
//! simple assertions are proved the same way.

use crate::profile::{Cost, Gives, Profile};
use crate::{Ctx, Engine, Task};
use base::{Budget, Id, IdVec};
use ir::thread_facts::{
    Cell, Distinct, Facts, NewSymbol, Side, Step, ThreadId, ThreadProof, Threads, Written, components, conflict,
    forget, is_private, symbols,
};
use ir::{Certificate, EdgeId, Icfg, Label, LocId, Reason, Stmt, VarId, Verdict};
use logic::{FastMap, SatResult, Solver, SortId, Substitution, TermId, TermPool};
use smt::SmtSolver;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) struct LockSets;

/// The most iterations with the same locks.
const MAX_ROUNDS: usize = 5;
/// How often loops that create or join threads are written out.
const COPIES: usize = 12;

impl Engine for LockSets {
    fn name(&self) -> &'static str {
        "lock-sets"
    }
    fn summary(&self) -> &'static str {
        "follows locks, joins and private objects of each thread alone: proves that there are no data races"
    }
    fn profile(&self) -> Profile {
        Profile::for_threads(Cost::Quick, &[Gives::Proofs])
    }
    fn search(&self, ctx: &mut Ctx<'_>, task: &Task<'_>) -> Verdict {
        let first = look(ctx, task.icfg, 0);
        if !matches!(first, Verdict::Unknown(Reason::Exhausted(_))) {
            return first;
        }
        match ir::thread_loops::written_out(task.icfg, COPIES) {
            Some(graph) => look(ctx, &graph, COPIES),
            None => first,
        }
    }
}

/// Analyses a graph, in which loops with threads are unrolled this number of times.
fn look(ctx: &mut Ctx<'_>, icfg: &Icfg, written_out: usize) -> Verdict {
    let Some(threads) = Threads::new(icfg, ctx.pool) else {
        return Verdict::Unknown(Reason::Incomplete("too many kinds of threads".to_string()));
    };
    let mut search = Search::new(icfg, threads, ctx.budget, ctx.pool);
    let result = search.run(ctx.pool, ctx.observer);
    ctx.stats.set("kinds of threads", search.threads.list.len() as u64);
    ctx.stats.set("checks left", search.reached.len() as u64);
    match result {
        Err(stop) => Verdict::Unknown(stop.into()),
        Ok(true) => Verdict::Holds(Certificate::Threads(Box::new(ThreadProof { written_out, ..search.proof() }))),
        Ok(false) => {
            let n = search.reached.len();
            Verdict::Unknown(Reason::Exhausted(format!("{n} checks depend on more than locks and order")))
        }
    }
}

/// What a symbol stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Slot {
    Local(VarId),
    Cell(Cell),
}

struct Search<'a> {
    icfg: &'a Icfg,
    budget: &'a Budget,
    threads: Threads<'a>,
    facts: BTreeMap<(ThreadId, LocId), Facts>,
    work: BTreeSet<(ThreadId, u32, LocId)>,
    /// The errors that the last iteration could not exclude.
    reached: BTreeSet<(ThreadId, LocId)>,
    rank: IdVec<LocId, u32>,
    /// Where ways meet. Elsewhere the facts are what the only step there makes of those before it.
    is_merge: IdVec<LocId, bool>,
    /// The locals that matter at a location, sorted.
    live: IdVec<LocId, Vec<VarId>>,
    found: BTreeMap<(ThreadId, EdgeId), Vec<TermId>>,
    merged: FastMap<(ThreadId, LocId, Slot), TermId>,
    /// Which of them a symbol is.
    merged_at: FastMap<TermId, (ThreadId, LocId)>,
    passed_symbols: FastMap<(ThreadId, EdgeId, TermId), TermId>,
    passed: BTreeMap<(ThreadId, EdgeId), Vec<(TermId, TermId)>>,
    /// Who writes a variable anywhere.
    writers: FastMap<VarId, BTreeSet<ThreadId>>,
    /// What the iteration before knows; `None` in iteration 0.
    table: Option<Table>,
    solver: SmtSolver,
    impossible: FastMap<TermId, bool>,
    /// What was found out about cells in this iteration: with which locks, threads and objects around, under which
    /// conditions.
    stable: FastMap<(ThreadId, Cell, u32, u32), bool>,
    around: Numbered,
    tested: Numbered,
}

/// Numbers for things that print differently.
#[derive(Default)]
struct Numbered(FastMap<String, u32>);

impl Numbered {
    fn id(&mut self, thing: impl std::fmt::Debug) -> u32 {
        let next = self.0.len() as u32;
        *self.0.entry(format!("{thing:?}")).or_insert(next)
    }
}

struct Table {
    written: FastMap<VarId, Vec<Written>>,
    alive: BTreeMap<(ThreadId, LocId), BTreeSet<ThreadId>>,
    distinct: BTreeMap<ThreadId, BTreeMap<TermId, Distinct>>,
}

impl<'a> Search<'a> {
    fn new(icfg: &'a Icfg, threads: Threads<'a>, budget: &'a Budget, pool: &mut TermPool) -> Search<'a> {
        let mut rank = IdVec::from_elem(u32::MAX, icfg.locs.len());
        for proc in icfg.procs.values() {
            let order = icfg.local_order(proc.entry);
            for (loc, data) in icfg.locs.iter() {
                if icfg.procs[data.proc].entry == proc.entry {
                    rank[loc] = order.rank[loc];
                }
            }
        }
        let mut is_merge = IdVec::from_elem(true, icfg.locs.len());
        for (loc, is_merge) in is_merge.iter_mut() {
            *is_merge = match icfg.in_edges(loc) {
                &[only] => matches!(icfg.edges[only].label, Label::Call(_) | Label::Return(_)),
                _ => true,
            };
        }
        for proc in icfg.procs.values() {
            is_merge[proc.entry] = true;
        }
        let mut this = Search {
            icfg,
            budget,
            threads,
            facts: BTreeMap::new(),
            work: BTreeSet::new(),
            reached: BTreeSet::new(),
            rank,
            is_merge,
            live: ir::dataflow::live_locals(icfg, pool),
            found: BTreeMap::new(),
            merged: FastMap::default(),
            merged_at: FastMap::default(),
            passed_symbols: FastMap::default(),
            passed: BTreeMap::new(),
            writers: FastMap::default(),
            table: None,
            solver: SmtSolver::new(Default::default()),
            impossible: FastMap::default(),
            stable: FastMap::default(),
            around: Numbered::default(),
            tested: Numbered::default(),
        };
        this.find_writers();
        this
    }

    fn thread_ids(&self) -> Vec<ThreadId> {
        (0..self.threads.list.len()).map(ThreadId::from_index).collect()
    }

    fn find_writers(&mut self) {
        let globals = &self.icfg.globals;
        let mut by_proc: BTreeMap<ir::ProcId, BTreeSet<VarId>> = BTreeMap::new();
        for edge in self.icfg.edges.values() {
            let written: Vec<VarId> = match &edge.label {
                Label::Stmt(Stmt::Assign(pairs)) => pairs.iter().map(|p| p.0).collect(),
                Label::Stmt(Stmt::Havoc(vars, _)) => vars.clone(),
                label => globals.iter().copied().filter(|&g| self.icfg.writes(label, g)).collect(),
            };
            by_proc.entry(self.icfg.locs[edge.src].proc).or_default().extend(written);
        }
        for thread in self.thread_ids() {
            for (proc, vars) in &by_proc {
                if self.threads.is_place_of(thread, self.icfg.procs[*proc].entry) {
                    for v in vars {
                        self.writers.entry(*v).or_default().insert(thread);
                    }
                }
            }
        }
    }

    /// Rounds until no error is reached (`true`), or no more can be learned.
    fn run(&mut self, pool: &mut TermPool, observer: &mut dyn crate::Observer) -> Result<bool, base::Stop> {
        self.threads.locks = self.threads.lock_candidates(pool);
        let mut n_rounds = 0;
        loop {
            let mut last = usize::MAX;
            self.table = None;
            let broken = 'rounds: {
                for round in 0..MAX_ROUNDS {
                    observer.progress(n_rounds, "follows the locks of each thread");
                    n_rounds += 1;
                    self.round(pool)?;
                    let (table, broken) = self.collect(pool)?;
                    if !broken.is_empty() {
                        break 'rounds broken;
                    }
                    if self.reached.is_empty() {
                        return Ok(true);
                    }
                    if round > 1 && self.reached.len() >= last {
                        return Ok(false);
                    }
                    last = self.reached.len();
                    self.table = Some(table);
                }
                return Ok(false);
            };
            // Those are not locks.
            self.threads.locks.retain(|lock, readers| {
                if readers.is_some_and(|r| broken.contains(&r)) {
                    *readers = None;
                }
                !broken.contains(lock)
            });
        }
    }

    /// Computes all facts.
    fn round(&mut self, pool: &mut TermPool) -> Result<(), base::Stop> {
        self.facts.clear();
        self.stable.clear();
        self.reached.clear();
        self.work.clear();
        self.passed.clear();
        let root = ThreadId::from_index(0);
        let entry = self.icfg.entry();
        self.arrive(pool, root, entry, Facts::default());
        let mut to_fork: BTreeSet<ThreadId> = BTreeSet::new();
        loop {
            // The threads in order, and what a thread creates when the thread is done.
            let next = self.work.first().copied();
            let ready = to_fork.first().copied().filter(|t| next.is_none_or(|(n, _, _)| n > *t));
            if let Some(thread) = ready {
                to_fork.remove(&thread);
                self.enter_children(pool, thread);
                continue;
            }
            let Some((thread, rank, loc)) = next else { return Ok(()) };
            self.work.remove(&(thread, rank, loc));
            self.budget.check()?;
            to_fork.insert(thread);
            self.process(pool, thread, loc);
        }
    }

    fn push(&mut self, thread: ThreadId, loc: LocId) {
        self.work.insert((thread, self.rank[loc], loc));
    }

    fn at_exit(&self, thread: ThreadId) -> BTreeSet<ThreadId> {
        let exit = self.icfg.procs[self.threads.thread(thread).proc].exit;
        self.facts.get(&(thread, exit)).map(|f| f.alive.clone()).unwrap_or_default()
    }

    /// What makes of the facts before an edge, with the symbols that belong to the edge.
    fn with_facts_before<T>(
        &mut self,
        pool: &mut TermPool,
        (thread, edge): (ThreadId, EdgeId),
        make: impl FnOnce(&Self, &mut TermPool, &Facts, &mut NewSymbol<'_>) -> T,
    ) -> Option<T> {
        let src = self.icfg.edges[edge].src;
        let mut before = self.facts.get(&(thread, src))?.clone();
        let mut own = self.found.remove(&(thread, edge)).unwrap_or_default();
        forget_found(pool, &mut before, &own);
        let mut used = 0;
        let mut new_symbol = |pool: &mut TermPool, sort: SortId| next_symbol(pool, &mut own, &mut used, sort);
        let result = make(self, pool, &before, &mut new_symbol);
        self.found.insert((thread, edge), own);
        Some(result)
    }

    fn step(&mut self, pool: &mut TermPool, thread: ThreadId, edge: EdgeId) -> Option<Step> {
        self.with_facts_before(pool, (thread, edge), |this, pool, before, new_symbol| {
            let at_exit = |child: ThreadId| this.at_exit(child);
            this.threads.step(pool, (thread, edge), before, &at_exit, new_symbol)
        })?
    }

    fn process(&mut self, pool: &mut TermPool, thread: ThreadId, loc: LocId) {
        let icfg = self.icfg;
        for &e in icfg.out_edges(loc) {
            let dst = icfg.edges[e].dst;
            match icfg.edges[e].label {
                Label::Call(site) => {
                    if let Some(entry) = self.called(pool, thread, e) {
                        self.arrive(pool, thread, dst, entry);
                    }
                    let back = icfg.edges[icfg.call_sites[site].return_edge].src;
                    if self.facts.contains_key(&(thread, back)) {
                        self.push(thread, back);
                    }
                }
                Label::Return(site) => {
                    let from = icfg.edges[icfg.call_sites[site].call_edge].src;
                    let (Some(before), Some(exit)) = (self.facts.get(&(thread, from)), self.facts.get(&(thread, loc)))
                    else {
                        continue;
                    };
                    let after = self.threads.returned(pool, e, before, exit);
                    self.arrive(pool, thread, dst, after);
                }
                _ => {
                    if let Some(step) = self.step(pool, thread, e) {
                        self.arrive(pool, thread, dst, step.after);
                    }
                }
            }
        }
        let proc = self.threads.thread(thread).proc;
        if loc == icfg.procs[proc].exit {
            // Whoever waits for this thread.
            let creators: Vec<ThreadId> = self.threads.thread(thread).creators.iter().map(|c| c.0).collect();
            for creator in creators {
                let joins: Vec<LocId> = icfg
                    .edges
                    .values()
                    .filter(|e| matches!(e.label, Label::Join { .. }) && self.facts.contains_key(&(creator, e.src)))
                    .map(|e| e.src)
                    .collect();
                for join in joins {
                    self.push(creator, join);
                }
            }
        }
    }

    fn called(&mut self, pool: &mut TermPool, thread: ThreadId, edge: EdgeId) -> Option<Facts> {
        self.with_facts_before(pool, (thread, edge), |this, pool, before, new_symbol| {
            this.threads.called(pool, edge, before, new_symbol)
        })
    }

    fn forks_of(&self, thread: ThreadId) -> Vec<(EdgeId, ThreadId)> {
        let from = (thread, EdgeId::from_index(0));
        self.threads.forks.range(from..).take_while(|((t, _), _)| *t == thread).map(|((_, e), c)| (*e, *c)).collect()
    }

    /// What a fork passes on, in the symbols of the creator.
    fn passed_on(&mut self, pool: &mut TermPool, thread: ThreadId, edge: EdgeId) -> Option<Facts> {
        self.with_facts_before(pool, (thread, edge), |this, pool, before, new_symbol| {
            this.threads.entry(pool, edge, before, new_symbol)
        })
    }

    fn enter_children(&mut self, pool: &mut TermPool, thread: ThreadId) {
        for (edge, child) in self.forks_of(thread) {
            let Some(mut entry) = self.passed_on(pool, thread, edge) else { continue };
            let mut pairs = Vec::new();
            for symbol in symbols(pool, &entry) {
                let sort = pool.sort(symbol);
                let own = *self
                    .passed_symbols
                    .entry((thread, edge, symbol))
                    .or_insert_with(|| pool.fresh_constant("passed", sort));
                pairs.push((own, symbol));
            }
            let mut names = Substitution::from_pairs(pairs.iter().map(|&(own, symbol)| (symbol, own)));
            let cells =
                entry.cells.iter().map(|(c, v)| ((c.0, c.1.map(|i| names.apply(pool, i))), names.apply(pool, *v)));
            let cells: BTreeMap<Cell, TermId> = cells.collect();
            let conditions = entry.conditions.iter().map(|c| names.apply(pool, *c)).collect();
            for v in entry.locals.values_mut() {
                *v = names.apply(pool, *v);
            }
            let entry = Facts { cells, conditions, ..entry };
            self.passed.insert((thread, edge), pairs);
            let loc = self.icfg.procs[self.threads.thread(child).proc].entry;
            self.arrive(pool, child, loc, entry);
        }
    }

    /// A thread comes to a location with these facts.
    fn arrive(&mut self, pool: &mut TermPool, thread: ThreadId, loc: LocId, mut facts: Facts) {
        if self.icfg.locs[loc].error.is_some() {
            self.reached.insert((thread, loc));
            return;
        }
        let live = &self.live[loc];
        facts.locals.retain(|v, _| live.binary_search(v).is_ok());
        let old = self.facts.remove(&(thread, loc));
        let mut new = match &old {
            Some(old) if self.is_merge[loc] => self.merge(pool, (thread, loc), old, &facts),
            _ => facts,
        };
        self.drop_unstable(pool, thread, loc, &mut new);
        let is_entry = loc == self.icfg.procs[self.threads.thread(thread).proc].entry;
        if is_entry && thread.index() != 0 && self.threads.is_entered_once(thread) {
            self.threads.pinned.extend(symbols(pool, &new));
        }
        let changed = old.as_ref() != Some(&new);
        self.facts.insert((thread, loc), new);
        if changed {
            self.push(thread, loc);
        }
    }

    // ----- merging -----

    fn merge_symbol(&mut self, pool: &mut TermPool, at: (ThreadId, LocId), slot: Slot, sort: SortId) -> TermId {
        let symbol = *self.merged.entry((at.0, at.1, slot)).or_insert_with(|| pool.fresh_constant("merged", sort));
        self.merged_at.insert(symbol, at);
        symbol
    }

    /// Facts that follow from both.
    fn merge(&mut self, pool: &mut TermPool, at: (ThreadId, LocId), old: &Facts, new: &Facts) -> Facts {
        let is_own = |this: &Self, t: TermId| this.merged_at.get(&t) == Some(&at);
        let mut out = old.clone();
        out.locals.retain(|v, _| new.locals.contains_key(v));
        out.alive.extend(&new.alive);
        out.atomic = old.atomic.min(new.atomic);
        let mut theta: BTreeMap<TermId, TermId> = BTreeMap::new();
        for ((var, index), value) in &out.cells {
            let is_plain = index.is_none_or(|i| pool.is_value(i));
            if is_plain
                && is_own(self, *value)
                && let Some(&theirs) = new.cells.get(&(*var, *index))
            {
                theta.insert(*value, theirs);
            }
        }
        loop {
            let mut changed = false;
            for (v, value) in &out.locals {
                if is_own(self, *value) {
                    theta.entry(*value).or_insert(new.locals[v]);
                }
            }
            let mut names = Substitution::from_pairs(theta.iter().map(|(a, b)| (*a, *b)));
            let locals: Vec<(VarId, TermId)> = out.locals.iter().map(|(v, t)| (*v, *t)).collect();
            for (v, value) in locals {
                if names.apply(pool, value) == new.locals[&v] {
                    continue;
                }
                // Locals that are equal on both ways stay so.
                let pair = (old.locals[&v], new.locals[&v]);
                let shared = out.locals.iter().find_map(|(other, s)| {
                    let is_same = is_own(self, *s) && theta.get(s) == Some(&pair.1) && old.locals[other] == pair.0;
                    (is_same && *s != value).then_some(*s)
                });
                let symbol = match shared {
                    Some(symbol) => symbol,
                    None => self.merge_symbol(pool, at, Slot::Local(v), pool.sort(value)),
                };
                if symbol == value {
                    // Its own symbol, bound otherwise: give it up.
                    out.locals.remove(&v);
                } else {
                    out.locals.insert(v, symbol);
                    theta.insert(symbol, new.locals[&v]);
                }
                changed = true;
            }
            if !changed {
                break;
            }
        }
        let mut names = Substitution::from_pairs(theta.iter().map(|(a, b)| (*a, *b)));
        // What was said of an old value is said of its merged symbol where that is true of the new one.
        let mut general: BTreeMap<TermId, TermId> = BTreeMap::new();
        for (v, symbol) in &out.locals {
            let value = old.locals[v];
            let is_name = pool.as_symbol(value).is_some() && pool.args(value).is_empty();
            if is_own(self, *symbol) && value != *symbol && is_name && !self.threads.pinned.contains(&value) {
                general.entry(value).or_insert(*symbol);
            }
        }
        if !general.is_empty() {
            let mut general = Substitution::from_pairs(general);
            for ((var, index), value) in std::mem::take(&mut out.cells) {
                let place = index.map(|i| general.apply(pool, i));
                let theirs = place.map(|i| names.apply(pool, i));
                let is_so = place != index && new.cells.contains_key(&(var, theirs));
                out.cells.insert((var, if is_so { place } else { index }), value);
            }
            for condition in std::mem::take(&mut out.conditions) {
                let wider = general.apply(pool, condition);
                let is_so = new.conditions.contains(&names.apply(pool, wider));
                out.conditions.insert(if is_so { wider } else { condition });
            }
            for ((var, index), condition) in std::mem::take(&mut out.owned) {
                let place = index.map(|i| general.apply(pool, i));
                let theirs = place.map(|i| names.apply(pool, i));
                let is_so = place != index && new.owned.contains_key(&(var, theirs));
                out.owned.insert((var, if is_so { place } else { index }), condition);
            }
            for (var, index) in std::mem::take(&mut out.read_locked) {
                let place = index.map(|i| general.apply(pool, i));
                let theirs = place.map(|i| names.apply(pool, i));
                let is_so = place != index && new.read_locked.contains(&(var, theirs));
                out.read_locked.insert((var, if is_so { place } else { index }));
            }
        }
        let before_merge = out.cells.clone();
        let mut cells = BTreeMap::new();
        for (&(var, index), &value) in &out.cells {
            let place = index.map(|i| names.apply(pool, i));
            let Some(&theirs) = new.cells.get(&(var, place)) else { continue };
            if names.apply(pool, value) == theirs {
                cells.insert((var, index), value);
                continue;
            }
            let symbol = self.merge_symbol(pool, at, Slot::Cell((var, index)), pool.sort(value));
            if symbol != value && !theta.contains_key(&symbol) {
                theta.insert(symbol, theirs);
                cells.insert((var, index), symbol);
            }
        }
        let mut names = Substitution::from_pairs(theta.iter().map(|(a, b)| (*a, *b)));
        out.cells = cells;
        let conditions: Vec<TermId> = out.conditions.iter().copied().collect();
        for c in conditions {
            let theirs = names.apply(pool, c);
            if theirs != TermId::TRUE && !new.conditions.contains(&theirs) {
                out.conditions.remove(&c);
            }
        }
        let mut owned = BTreeMap::new();
        for (&(var, index), &condition) in &out.owned {
            let place = index.map(|i| names.apply(pool, i));
            let theirs = new.owned.get(&(var, place)).copied();
            let here = names.apply(pool, condition);
            let not = pool.not(here);
            let is_void = here == TermId::FALSE || new.conditions.contains(&not);
            if is_void || theirs == Some(TermId::TRUE) || theirs == Some(here) {
                owned.insert((var, index), condition);
            } else if theirs.is_none() && condition == TermId::TRUE {
                // Held on one way only: perhaps a local says on which.
                owned.extend(self.tell_apart(pool, at, (old, new), &out).map(|c| ((var, index), c)));
            }
        }
        for (&(var, index), &condition) in &new.owned {
            let is_fixed = index.is_none_or(|i| pool.is_value(i));
            if is_fixed && condition == TermId::TRUE && !old.owned.contains_key(&(var, index)) {
                owned.extend(self.tell_apart(pool, at, (new, old), &out).map(|c| ((var, index), c)));
            }
        }
        out.owned = owned;
        out.read_locked.retain(|(var, index)| {
            let place = index.map(|i| names.apply(pool, i));
            new.read_locked.contains(&(*var, place))
        });
        out.ids.retain(|t, id| new.ids.get(t).copied() == Some(names.apply(pool, *id)));
        // A symbol is a private object if it is one on both ways, and no other symbol stands for the same object on
        // either.
        let mut before: BTreeMap<TermId, TermId> = BTreeMap::new();
        for (v, symbol) in &out.locals {
            if is_own(self, *symbol) {
                before.insert(*symbol, old.locals[v]);
            }
        }
        for (cell, symbol) in &out.cells {
            if is_own(self, *symbol) {
                before.insert(*symbol, before_merge[cell]);
            }
        }
        let all = symbols(pool, &out);
        let mut private: BTreeSet<TermId> = BTreeSet::new();
        for &symbol in &all {
            let mine = before.get(&symbol).copied().unwrap_or(symbol);
            let theirs = names.apply(pool, symbol);
            if old.private.contains(&mine) && new.private.contains(&theirs) {
                private.insert(symbol);
            }
        }
        let mut named: BTreeMap<(bool, TermId), Vec<TermId>> = BTreeMap::new();
        for &symbol in &all {
            let mine = before.get(&symbol).copied().unwrap_or(symbol);
            let theirs = names.apply(pool, symbol);
            for (is_new, term) in [(false, mine), (true, theirs)] {
                for part in pool.free_constants(term) {
                    named.entry((is_new, part)).or_default().push(symbol);
                }
            }
        }
        // Nor may a local whose value is unknown.
        for (is_new, facts) in [(false, old), (true, new)] {
            let lost =
                self.live[at.1].iter().filter(|v| !out.locals.contains_key(v)).filter_map(|v| facts.locals.get(v));
            for value in lost {
                for part in pool.free_constants(*value) {
                    if let Some(symbols) = named.get(&(is_new, part)) {
                        private.retain(|s| !symbols.contains(s));
                    }
                }
            }
        }
        for others in named.values().filter(|others| others.len() > 1) {
            for symbol in others {
                private.remove(symbol);
            }
        }
        out.private = private;
        out
    }

    /// A condition over the merged values that holds on the first way and not on the second: a local that is a certain
    /// number only on the second.
    fn tell_apart(
        &self,
        pool: &mut TermPool,
        at: (ThreadId, LocId),
        (first, second): (&Facts, &Facts),
        merged: &Facts,
    ) -> Option<TermId> {
        for (v, symbol) in &merged.locals {
            let (Some(&here), Some(&there)) = (first.locals.get(v), second.locals.get(v)) else { continue };
            if self.merged_at.get(symbol) != Some(&at) || !pool.is_value(there) {
                continue;
            }
            let same = pool.eq(here, there);
            let differs = pool.not(same);
            if differs == TermId::TRUE || first.conditions.contains(&differs) {
                let same = pool.eq(*symbol, there);
                return Some(pool.not(same));
            }
        }
        None
    }

    // ----- interference -----

    /// Drops what others may change.
    fn drop_unstable(&mut self, pool: &mut TermPool, thread: ThreadId, loc: LocId, facts: &mut Facts) {
        if facts.atomic > 0 || (thread.index() == 0 && facts.alive.is_empty()) {
            return;
        }
        let cells: Vec<Cell> = facts.cells.keys().copied().collect();
        if cells.is_empty() {
            return;
        }
        let around = self.around.id((&facts.owned, &facts.read_locked, &facts.alive, &facts.private));
        let tested = self.tested.id(&facts.conditions);
        // Symbols that differ between the threads of a kind, and conditions on them, matter for constant indices.
        let table = self.table.as_ref();
        let has_own_symbols = table.and_then(|t| t.distinct.get(&thread)).is_some_and(|all| !all.is_empty());
        for cell in cells {
            // Conditions matter where they separate places.
            let is_fixed = cell.1.is_none_or(|i| pool.is_value(i) && !has_own_symbols);
            let key = (thread, cell, around, if is_fixed { u32::MAX } else { tested });
            let known = self.stable.get(&key).copied();
            let is_stable = match known {
                Some(known) => known,
                None => self.is_stable(pool, (thread, loc), facts, cell),
            };
            self.stable.insert(key, is_stable);
            if !is_stable {
                facts.cells.remove(&cell);
            }
        }
    }

    fn is_stable(&mut self, pool: &mut TermPool, at: (ThreadId, LocId), facts: &Facts, cell: Cell) -> bool {
        let is_unique = self.threads.thread(at.0).is_unique;
        let Some(writers) = self.writers.get(&cell.0) else { return true };
        if writers.iter().all(|w| *w == at.0 && is_unique) {
            return true;
        }
        if is_private(pool, facts, cell.1) {
            return true;
        }
        let Some(table) = &self.table else { return false };
        let Some(written) = table.written.get(&cell.0) else { return true };
        let alive = |t: ThreadId, l: LocId| if (t, l) == at { Some(&facts.alive) } else { table.alive.get(&(t, l)) };
        let mut here = BTreeMap::new();
        for w in written {
            if (w.thread == at.0 && is_unique) || w.is_private {
                continue;
            }
            let together = *here
                .entry((w.thread, w.src))
                .or_insert_with(|| self.threads.may_happen_in_parallel(at, (w.thread, w.src), &alive));
            if !together {
                continue;
            }
            let mut apart = Vec::new();
            if w.thread == at.0 {
                for (symbol, how) in table.distinct.get(&at.0).into_iter().flatten() {
                    if let Some(&other) = w.names.get(symbol).filter(|_| self.threads.pinned.contains(symbol)) {
                        apart.push(how.apart(pool, *symbol, other));
                    }
                }
            }
            let mine = Side { facts, index: cell.1 };
            let theirs = Side { facts: &w.facts, index: w.index };
            let (same, pairs) = conflict(pool, &self.threads.locks, mine, theirs, &apart);
            let mut solving = Solving { solver: &mut self.solver, known: &mut self.impossible, budget: self.budget };
            if !solving.excludes(pool, same, &pairs, (cell.1, w.index)) {
                return false;
            }
        }
        true
    }

    /// The writes of this iteration, and the variables that are not locks after all.
    fn collect(&mut self, pool: &mut TermPool) -> Result<(Table, BTreeSet<VarId>), base::Stop> {
        let mut written: FastMap<VarId, Vec<Written>> = FastMap::default();
        let mut broken = BTreeSet::new();
        let places: Vec<(ThreadId, LocId)> = self.facts.keys().copied().collect();
        for (thread, loc) in places {
            self.budget.check()?;
            for &e in self.icfg.out_edges(loc) {
                if matches!(self.icfg.edges[e].label, Label::Call(_) | Label::Return(_)) {
                    continue;
                }
                let Some(step) = self.step(pool, thread, e) else { continue };
                broken.extend(step.broken.iter().copied().filter(|v| self.is_lock(*v)));
                let facts = &self.facts[&(thread, loc)];
                for (var, place) in step.writes {
                    let write = Written::new(pool, (thread, loc), facts, place);
                    written.entry(var).or_default().push(write);
                }
            }
        }
        let alive = self.facts.iter().map(|(at, f)| (*at, f.alive.clone())).collect();
        let distinct = self.find_distinct(pool);
        Ok((Table { written, alive, distinct }, broken))
    }

    fn is_lock(&self, v: VarId) -> bool {
        self.threads.locks.contains_key(&v) || self.threads.locks.values().any(|r| *r == Some(v))
    }

    // ----- threads of one kind -----

    /// Entry symbols that are different in all threads of a kind.
    fn find_distinct(&mut self, pool: &mut TermPool) -> BTreeMap<ThreadId, BTreeMap<TermId, Distinct>> {
        let mut result: BTreeMap<ThreadId, BTreeMap<TermId, Distinct>> = BTreeMap::new();
        for child in self.thread_ids() {
            let thread = self.threads.thread(child);
            let (Some(&(parent, fork)), 1) = (thread.creators.first(), thread.creators.len()) else { continue };
            if thread.is_unique || !self.threads.is_entered_once(child) {
                continue;
            }
            let entry = self.icfg.procs[thread.proc].entry;
            let Some(facts) = self.facts.get(&(child, entry)) else { continue };
            let in_use = symbols(pool, facts);
            let Some(pairs) = self.passed.get(&(parent, fork)).cloned() else { continue };
            for (own, theirs) in pairs.into_iter().filter(|p| in_use.contains(&p.0)) {
                if let Some(how) = self.how_distinct(pool, parent, fork, theirs) {
                    result.entry(child).or_default().insert(own, how);
                }
            }
        }
        result
    }

    fn how_distinct(
        &mut self,
        pool: &mut TermPool,
        parent: ThreadId,
        fork: EdgeId,
        symbol: TermId,
    ) -> Option<Distinct> {
        let src = self.icfg.edges[fork].src;
        let facts = self.facts.get(&(parent, src))?;
        if facts.private.contains(&symbol) {
            let (_, edge) = *self.found.iter().find(|(_, own)| own.contains(&symbol)).map(|(key, _)| key)?;
            let Label::Stmt(Stmt::Assign(pairs)) = &self.icfg.edges[edge].label else { return None };
            let (_, size) = self.threads.taken_from(pairs, self.threads.allocator?, pool)?;
            return Some(Distinct::Objects(size));
        }
        let &(owner, head) = self.merged_at.get(&symbol)?;
        let runs_once = parent.index() == 0 || self.threads.is_entered_once(parent);
        if owner != parent || !self.threads.thread(parent).is_unique || !runs_once {
            return None;
        }
        let proc = self.threads.thread(parent).proc;
        if self.icfg.locs[head].proc != proc || self.icfg.locs[src].proc != proc {
            return None;
        }
        let all = components(self.icfg, &[self.icfg.procs[proc].entry]);
        let component: BTreeSet<LocId> = all.into_iter().find(|c| c.0.contains(&src))?.0.into_iter().collect();
        if !component.contains(&head) || goes_round(self.icfg, &component, src, head) {
            return None;
        }
        let (&local, _) = self.facts.get(&(parent, head))?.locals.iter().find(|(_, t)| **t == symbol)?;
        for &e in self.icfg.in_edges(head) {
            if !component.contains(&self.icfg.edges[e].src) {
                continue;
            }
            let Some(step) = self.step(pool, parent, e) else { continue };
            let value = *step.after.locals.get(&local)?;
            let more = pool.sub(value, symbol);
            if !pool.number(more).is_some_and(|n| n.is_positive()) {
                return None;
            }
        }
        Some(Distinct::Numbers)
    }

    fn proof(self) -> ThreadProof {
        ThreadProof {
            written_out: 0,
            threads: self.threads.list,
            facts: self.facts,
            locks: self.threads.locks,
            distinct: self.table.map(|t| t.distinct).unwrap_or_default(),
            found: self.found,
            passed: self.passed,
        }
    }
}

/// Is there a cycle through a location of a component that avoids its head?
fn goes_round(icfg: &Icfg, component: &BTreeSet<LocId>, from: LocId, head: LocId) -> bool {
    if from == head {
        return false;
    }
    let mut seen = BTreeSet::new();
    let mut work = vec![from];
    while let Some(loc) = work.pop() {
        for (_, to) in icfg.local_successors(loc) {
            if to == from {
                return true;
            }
            if to != head && component.contains(&to) && seen.insert(to) {
                work.push(to);
            }
        }
    }
    false
}

struct Solving<'a> {
    solver: &'a mut SmtSolver,
    known: &'a mut FastMap<TermId, bool>,
    budget: &'a Budget,
}

impl Solving<'_> {
    /// Can two accesses not meet: their places are different, or locks exclude it?
    fn excludes(
        &mut self,
        pool: &mut TermPool,
        same: TermId,
        pairs: &[(TermId, TermId)],
        places: (Option<TermId>, Option<TermId>),
    ) -> bool {
        if same == TermId::FALSE {
            return true;
        }
        for &(a, b) in pairs {
            if a == b {
                return true;
            }
            if let (Some(x), Some(y)) = places
                && [a, b, x, y].iter().all(|t| pool.sort(*t) == SortId::INT)
                && pool.sub(a, x) == pool.sub(b, y)
            {
                return true;
            }
        }
        if same != TermId::TRUE && self.is_impossible(pool, same) {
            return true;
        }
        pairs.iter().any(|&(a, b)| {
            let equal = pool.eq(a, b);
            let not = pool.not(equal);
            let other = pool.and2(same, not);
            !pool.is_value(a) && self.is_impossible(pool, other)
        })
    }

    fn is_impossible(&mut self, pool: &mut TermPool, formula: TermId) -> bool {
        if formula == TermId::FALSE {
            return true;
        }
        if let Some(&known) = self.known.get(&formula) {
            return known;
        }
        self.solver.push();
        self.solver.assert(pool, formula);
        let answer = matches!(self.solver.check(pool, &self.budget.share(0.05)), SatResult::Unsat);
        self.solver.pop(1);
        self.known.insert(formula, answer);
        answer
    }
}

fn forget_found(pool: &TermPool, facts: &mut Facts, own: &[TermId]) {
    if !own.is_empty() {
        forget(pool, facts, &own.iter().copied().collect());
    }
}

fn next_symbol(pool: &mut TermPool, own: &mut Vec<TermId>, used: &mut usize, sort: SortId) -> TermId {
    while let Some(&symbol) = own.get(*used) {
        *used += 1;
        if pool.sort(symbol) == sort {
            return symbol;
        }
    }
    let symbol = pool.fresh_constant("found", sort);
    own.push(symbol);
    *used = own.len();
    symbol
}
