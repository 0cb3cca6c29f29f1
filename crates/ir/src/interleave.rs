//! Threads: the product of their control flows, with few interleavings.
//!
//! A state of the product says where each thread is; its edges are the steps of one thread. The result is a sequential
//! graph with exactly the executions of the threads under sequential consistency, up to the order of steps that do
//! not depend on each other, so every engine can work on it. The number of threads that run one
//! procedure is bounded; a thread too many leads to an error location of its own
//! ([`TOO_MANY_THREADS`]), so a proof also shows that the bound is never exceeded.
//!
//! **Fewer interleavings** (persistent sets: Godefroid, LNCS 1032). In a state where the next steps of one thread depend on
//! nothing that the others may do from where they are, only that thread is followed. Others' possible future accesses
//! are computed backwards over their control flow. While the thread holds a lock, others cannot get past an attempt to take
//! it: what they do after that does not count. At loop heads all threads are followed, so that no thread is
//! postponed for ever; a step that may block (an assumption that may fail), or that ends the program, is never followed
//! alone, as another thread might have violated something before.
//!
//! **Locks** are recognised by their use: a global that is set to a constant only in an atomic step that first finds
//! it to have another constant, and set back only by a thread that must have set it.
//!
//! An atomic section runs without interleaving. The execution ends with the root procedure or with an error. A thread at a
//! location that has no way out just stands there.

use crate::dataflow::VarIndex;
use crate::icfg::{EdgeId, Icfg, IcfgProc, Label, LocId};
use crate::program::{Check, Note, ProcId, Stmt, VarId, VarKind, Variable};
use base::{IdVec, Span};
use logic::{FastMap, Substitution, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

/// The property of the check that fails when there are more threads than the product has room for.
pub const TOO_MANY_THREADS: &str = "number of threads";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ThreadLimits {
    /// The most threads that may run one procedure in an execution.
    pub max_instances: usize,
    /// The most edges of the product.
    pub max_edges: usize,
    /// Leave no order of steps out. What is left out matters to no finite execution, but a proof that all executions are
    /// finite should not depend on that.
    pub all_orders: bool,
}

impl Default for ThreadLimits {
    fn default() -> Self {
        ThreadLimits { max_instances: 4, max_edges: 100_000, all_orders: false }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InterleaveError {
    /// There are calls left, which only recursion leaves.
    Recursion,
    /// More edges than allowed.
    TooLarge(usize),
    /// Edges that stand for several steps.
    Blocks,
}

impl std::fmt::Display for InterleaveError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            InterleaveError::Recursion => write!(f, "threads and recursion"),
            InterleaveError::TooLarge(n) => write!(f, "the interleavings of the threads have more than {n} steps"),
            InterleaveError::Blocks => write!(f, "threads and blocks of statements"),
        }
    }
}

/// A set of globals.
type Set = Vec<u64>;

#[derive(Clone, PartialEq, Eq, Debug)]
struct Access {
    reads: Set,
    writes: Set,
}

impl Access {
    fn none(n: usize) -> Access {
        Access { reads: vec![0; n], writes: vec![0; n] }
    }
    /// Adds another; did that change anything?
    fn extend(&mut self, other: &Access) -> bool {
        let mut changed = false;
        for (mine, theirs) in [(&mut self.reads, &other.reads), (&mut self.writes, &other.writes)] {
            for (a, b) in mine.iter_mut().zip(theirs) {
                changed |= *b & !*a != 0;
                *a |= b;
            }
        }
        changed
    }
    fn conflicts(&self, other: &Access) -> bool {
        let meet = |a: &Set, b: &Set| a.iter().zip(b).any(|(x, y)| x & y != 0);
        meet(&self.writes, &other.writes) || meet(&self.writes, &other.reads) || meet(&self.reads, &other.writes)
    }
}

/// The ways a lock variable is used.
struct Lock {
    free: TermId,
    /// The edges that find it free, and those that take it right after.
    tests: Vec<EdgeId>,
    takes: Vec<EdgeId>,
}

/// Assignments with more distinct subterms than this are not fused.
const MAX_TERM: usize = 300;

/// The graph in which assignments that no other thread can tell apart are one: of two in a row at most one touches a
/// global, or both are in one atomic section.
fn fuse(icfg: &Icfg, pool: &mut TermPool) -> Icfg {
    let index = VarIndex::new(icfg);
    let globals: BTreeSet<VarId> = icfg.globals.iter().copied().collect();
    let atomic = atomic_depths(icfg);
    let assignment = |e: EdgeId| match &icfg.edges[e].label {
        Label::Stmt(Stmt::Assign(pairs)) => Some(pairs.clone()),
        _ => None,
    };
    let touches = |pool: &TermPool, pairs: &[(VarId, TermId)]| {
        let terms: Vec<TermId> = pairs.iter().map(|p| p.1).collect();
        pairs.iter().any(|p| globals.contains(&p.0)) || index.vars_of(pool, &terms).iter().any(|v| globals.contains(v))
    };
    // Locations that chains go through: they disappear.
    let is_inner = |loc: LocId| {
        let data = &icfg.locs[loc];
        let proc = &icfg.procs[data.proc];
        !data.is_loop_head && data.error.is_none() && loc != proc.entry && loc != proc.exit
    };
    let mut result = Icfg::new();
    result.vars = icfg.vars.clone();
    result.globals = icfg.globals.clone();
    result.procs = icfg.procs.clone();
    result.root = icfg.root;
    result.axioms = icfg.axioms.clone();
    for (_, data) in icfg.locs.iter() {
        let loc = result.add_loc(data.proc, data.span);
        result.locs[loc] = data.clone();
    }
    let mut swallowed: BTreeSet<EdgeId> = BTreeSet::new();
    for (first, edge) in icfg.edges.iter() {
        if swallowed.contains(&first) {
            continue;
        }
        let Some(mut pairs) = assignment(first) else {
            result.add_edge(edge.src, edge.dst, edge.label.clone(), edge.span, edge.note);
            continue;
        };
        // Edges are visited in order, so a chain is found from its beginning unless it is cut by the order of edges;
        // then it becomes two.
        let (mut dst, mut span, mut note) = (edge.dst, edge.span, edge.note);
        let mut touched = touches(pool, &pairs);
        while is_inner(dst)
            && let &[_] = icfg.in_edges(dst)
            && let &[next] = icfg.out_edges(dst)
            && next > first
            && let Some(more) = assignment(next)
        {
            let more_touches = touches(pool, &more);
            if touched && more_touches && !atomic[dst] {
                break;
            }
            let mut values = Substitution::from_pairs(pairs.iter().map(|&(v, t)| (icfg.term(v), t)));
            let composed: Vec<(VarId, TermId)> = more.iter().map(|&(v, t)| (v, values.apply(pool, t))).collect();
            let terms: Vec<TermId> = composed.iter().map(|p| p.1).collect();
            let mut size = 0;
            pool.visit_postorder(&terms, |_| size += 1);
            if size > MAX_TERM {
                break;
            }
            pairs.retain(|p| composed.iter().all(|c| c.0 != p.0));
            pairs.extend(composed);
            touched |= more_touches;
            swallowed.insert(next);
            let step = &icfg.edges[next];
            if !step.note.is_hidden() {
                (span, note) = (step.span, step.note);
            }
            dst = step.dst;
        }
        result.add_edge(edge.src, dst, Label::Stmt(Stmt::Assign(pairs)), span, note);
    }
    result
}

/// Is a thread surely in an atomic section at a location?
fn atomic_depths(icfg: &Icfg) -> IdVec<LocId, bool> {
    // The least number of open sections on the ways to a location.
    let mut least: IdVec<LocId, Option<u32>> = IdVec::from_elem(None, icfg.locs.len());
    let mut work: Vec<(LocId, u32)> = icfg.procs.values().map(|p| (p.entry, 0)).collect();
    while let Some((loc, depth)) = work.pop() {
        if least[loc].is_some_and(|old| old <= depth) {
            continue;
        }
        least[loc] = Some(depth);
        for &e in icfg.out_edges(loc) {
            let after = match icfg.edges[e].label {
                Label::AtomicBegin => (depth + 1).min(8),
                Label::AtomicEnd => depth.saturating_sub(1),
                _ => depth,
            };
            work.push((icfg.edges[e].dst, after));
        }
    }
    let mut inside = IdVec::from_elem(false, icfg.locs.len());
    for (loc, depth) in least.iter() {
        inside[loc] = depth.is_some_and(|d| d > 0);
    }
    inside
}

/// What is known of the threads before any product is built.
struct Analysis<'a> {
    icfg: &'a Icfg,
    n_words: usize,
    accesses: IdVec<EdgeId, Access>,
    /// Steps of atomic sections, by the edge that begins one; `None` if one may block.
    sections: FastMap<EdgeId, Option<Access>>,
    tests: FastMap<EdgeId, VarId>,
    held: IdVec<LocId, BTreeSet<VarId>>,
    /// Can control always go on from here?
    flows: IdVec<LocId, bool>,
    /// What may be accessed from a location on, while these locks are held by another thread.
    futures: BTreeMap<BTreeSet<VarId>, IdVec<LocId, Access>>,
}

impl<'a> Analysis<'a> {
    fn new(icfg: &'a Icfg, pool: &mut TermPool) -> Analysis<'a> {
        let index = VarIndex::new(icfg);
        let position: FastMap<VarId, usize> = icfg.globals.iter().enumerate().map(|(i, &g)| (g, i)).collect();
        let n_words = icfg.globals.len().div_ceil(64);
        let mut accesses = IdVec::new();
        for edge in icfg.edges.values() {
            let mut access = Access::none(n_words);
            for v in index.vars_of(pool, &icfg.read_terms(&edge.label)) {
                if let Some(&i) = position.get(&v) {
                    access.reads[i / 64] |= 1 << (i % 64);
                }
            }
            for (&g, &i) in &position {
                if icfg.writes(&edge.label, g) {
                    access.writes[i / 64] |= 1 << (i % 64);
                }
            }
            accesses.push(access);
        }
        let mut this = Analysis {
            icfg,
            n_words,
            accesses,
            sections: FastMap::default(),
            tests: FastMap::default(),
            held: IdVec::from_elem(BTreeSet::new(), icfg.locs.len()),
            flows: IdVec::from_elem(false, icfg.locs.len()),
            futures: BTreeMap::new(),
        };
        for loc in icfg.locs.ids() {
            this.flows[loc] = this.always_goes_on(loc, pool);
        }
        this.find_locks(pool);
        for (id, edge) in icfg.edges.iter() {
            if edge.label == Label::AtomicBegin {
                let section = this.section(edge.dst);
                this.sections.insert(id, section);
            }
        }
        this
    }

    fn always_goes_on(&self, loc: LocId, pool: &mut TermPool) -> bool {
        let mut conditions = Vec::new();
        for &e in self.icfg.out_edges(loc) {
            match &self.icfg.edges[e].label {
                Label::Stmt(Stmt::Assume(_)) if self.icfg.edges[e].note == Note::Fact => return true,
                Label::Stmt(Stmt::Assume(c)) => conditions.push(*c),
                Label::Stmt(Stmt::Assign(_) | Stmt::Havoc(..)) | Label::AtomicEnd | Label::Fork { .. } => return true,
                // Decided with the whole section.
                Label::AtomicBegin => return true,
                Label::Join { .. } | Label::Block(_) | Label::Call(_) | Label::Return(_) => return false,
            }
        }
        let complementary =
            conditions.iter().enumerate().any(|(i, &c)| conditions[..i].iter().any(|&d| pool.not(d) == c));
        complementary || pool.or(&conditions) == TermId::TRUE
    }

    /// The steps from inside an atomic section to its end.
    fn section(&self, from: LocId) -> Option<Access> {
        let mut all = Access::none(self.n_words);
        let mut seen = BTreeSet::new();
        let mut work = vec![(from, 1u32)];
        while let Some((loc, depth)) = work.pop() {
            if !seen.insert((loc, depth)) {
                continue;
            }
            // Sections in sections this deep are none that people write.
            if !self.flows[loc] || depth > 8 {
                return None;
            }
            for &e in self.icfg.out_edges(loc) {
                let edge = &self.icfg.edges[e];
                if self.ends_program(edge.dst) {
                    return None;
                }
                all.extend(&self.accesses[e]);
                match edge.label {
                    Label::AtomicEnd if depth == 1 => {}
                    Label::AtomicEnd => work.push((edge.dst, depth - 1)),
                    Label::AtomicBegin => work.push((edge.dst, depth + 1)),
                    Label::Fork { .. } => return None,
                    _ => work.push((edge.dst, depth)),
                }
            }
        }
        Some(all)
    }

    // ----- locks -----

    fn find_locks(&mut self, pool: &mut TermPool) {
        let icfg = self.icfg;
        let mut locks: BTreeMap<VarId, Option<Lock>> = BTreeMap::new();
        for (id, edge) in icfg.edges.iter() {
            if let Some((v, free, test)) = self.taking(id, pool) {
                let entry = locks.entry(v).or_insert(Some(Lock { free, tests: Vec::new(), takes: Vec::new() }));
                match entry {
                    Some(lock) if lock.free == free => {
                        lock.tests.push(test);
                        lock.takes.push(id);
                    }
                    _ => *entry = None,
                }
            } else if let Label::Block(_) | Label::Call(_) = edge.label {
                return;
            }
        }
        let mut locks: BTreeMap<VarId, Lock> = locks.into_iter().filter_map(|(v, l)| Some((v, l?))).collect();
        let before_threads = self.before_threads();
        // Every other assignment sets it free.
        let mut releases: Vec<(EdgeId, VarId)> = Vec::new();
        for (id, edge) in icfg.edges.iter() {
            let changed: Vec<VarId> = match &edge.label {
                Label::Stmt(Stmt::Assign(pairs)) => {
                    let mut bad = Vec::new();
                    for &(v, value) in pairs {
                        match locks.get(&v) {
                            Some(lock) if lock.takes.contains(&id) => {}
                            Some(lock) if lock.free == value => releases.push((id, v)),
                            _ => bad.push(v),
                        }
                    }
                    bad
                }
                Label::Stmt(Stmt::Havoc(vars, _)) => vars.clone(),
                Label::Join { results, .. } => results.clone(),
                _ => Vec::new(),
            };
            for v in changed {
                if !before_threads[edge.src] {
                    locks.remove(&v);
                }
            }
        }
        loop {
            self.compute_held(&locks, &releases);
            let stray = releases
                .iter()
                .find(|(e, v)| {
                    let src = icfg.edges[*e].src;
                    locks.contains_key(v) && !before_threads[src] && !self.held[src].contains(v)
                })
                .copied();
            match stray {
                Some((_, v)) => {
                    locks.remove(&v);
                }
                None => break,
            }
        }
        for (v, lock) in locks {
            for test in lock.tests {
                self.tests.insert(test, v);
            }
        }
    }

    /// Is the edge the second half of `atomic { assume v == free; v := taken }`? The lock, its free value, and the
    /// first half.
    fn taking(&self, id: EdgeId, pool: &mut TermPool) -> Option<(VarId, TermId, EdgeId)> {
        let edge = &self.icfg.edges[id];
        let Label::Stmt(Stmt::Assign(pairs)) = &edge.label else { return None };
        let &[(v, value)] = &pairs[..] else { return None };
        let &[test] = self.icfg.in_edges(edge.src) else { return None };
        let Label::Stmt(Stmt::Assume(condition)) = self.icfg.edges[test].label else { return None };
        let &[begin] = self.icfg.in_edges(self.icfg.edges[test].src) else { return None };
        if self.icfg.edges[begin].label != Label::AtomicBegin || !pool.is_value(value) {
            return None;
        }
        let term = self.icfg.term(v);
        let free = pool.args(condition).iter().copied().find(|&t| pool.is_value(t))?;
        (free != value && pool.sort(free) == pool.sort(term) && pool.eq(term, free) == condition)
            .then_some((v, free, test))
    }

    /// Locations of the root procedure where no thread has been started yet.
    fn before_threads(&self) -> IdVec<LocId, bool> {
        let icfg = self.icfg;
        let mut before = IdVec::from_elem(false, icfg.locs.len());
        for (loc, data) in icfg.locs.iter() {
            before[loc] = Some(data.proc) == icfg.root;
        }
        let mut work: Vec<LocId> =
            icfg.edges.values().filter(|e| matches!(e.label, Label::Fork { .. })).map(|e| e.dst).collect();
        let mut seen = BTreeSet::new();
        while let Some(loc) = work.pop() {
            if seen.insert(loc) {
                before[loc] = false;
                work.extend(icfg.out_edges(loc).iter().map(|&e| icfg.edges[e].dst));
            }
        }
        before
    }

    /// Which locks a thread must hold at a location.
    fn compute_held(&mut self, locks: &BTreeMap<VarId, Lock>, releases: &[(EdgeId, VarId)]) {
        let icfg = self.icfg;
        let mut held: IdVec<LocId, Option<BTreeSet<VarId>>> = IdVec::from_elem(None, icfg.locs.len());
        let mut released: FastMap<EdgeId, Vec<VarId>> = FastMap::default();
        for &(e, v) in releases {
            released.entry(e).or_default().push(v);
        }
        let mut work: Vec<LocId> = icfg.procs.values().map(|p| p.entry).collect();
        for &entry in &work {
            held[entry] = Some(BTreeSet::new());
        }
        while let Some(loc) = work.pop() {
            let Some(here) = held[loc].clone() else { continue };
            for &e in icfg.out_edges(loc) {
                let mut after = here.clone();
                for v in released.get(&e).into_iter().flatten() {
                    after.remove(v);
                }
                if let Label::Stmt(Stmt::Assign(pairs)) = &icfg.edges[e].label {
                    after.extend(
                        pairs.iter().map(|p| p.0).filter(|v| locks.get(v).is_some_and(|l| l.takes.contains(&e))),
                    );
                }
                let dst = icfg.edges[e].dst;
                let merged = match &held[dst] {
                    None => after,
                    Some(old) => old.intersection(&after).copied().collect(),
                };
                if held[dst].as_ref() != Some(&merged) {
                    held[dst] = Some(merged);
                    work.push(dst);
                }
            }
        }
        for (loc, set) in held.iter() {
            self.held[loc] = set.clone().unwrap_or_default();
        }
    }

    // ----- dependence -----

    fn future(&mut self, held: &BTreeSet<VarId>, loc: LocId) -> &Access {
        if !self.futures.contains_key(held) {
            let computed = self.compute_future(held);
            self.futures.insert(held.clone(), computed);
        }
        &self.futures[held][loc]
    }

    fn compute_future(&self, held: &BTreeSet<VarId>) -> IdVec<LocId, Access> {
        let icfg = self.icfg;
        let mut future = IdVec::from_elem(Access::none(self.n_words), icfg.locs.len());
        let mut work: Vec<LocId> = icfg.locs.ids().collect();
        let mut queued = IdVec::from_elem(true, icfg.locs.len());
        // Forks depend on the callee's entry.
        let mut forks: BTreeMap<LocId, Vec<LocId>> = BTreeMap::new();
        for edge in icfg.edges.values() {
            if let Label::Fork { callee, .. } = edge.label {
                forks.entry(icfg.procs[callee].entry).or_default().push(edge.src);
            }
        }
        while let Some(loc) = work.pop() {
            queued[loc] = false;
            let mut all = Access::none(self.n_words);
            for &e in icfg.out_edges(loc) {
                if self.tests.get(&e).is_some_and(|v| held.contains(v)) {
                    continue;
                }
                let edge = &icfg.edges[e];
                all.extend(&self.accesses[e]);
                all.extend(&future[edge.dst]);
                if let Label::Fork { callee, .. } = edge.label {
                    all.extend(&future[icfg.procs[callee].entry]);
                }
            }
            if future[loc].extend(&all) {
                let before = icfg.in_edges(loc).iter().map(|&e| icfg.edges[e].src);
                for src in before.chain(forks.get(&loc).into_iter().flatten().copied()) {
                    if !std::mem::replace(&mut queued[src], true) {
                        work.push(src);
                    }
                }
            }
        }
        future
    }

    /// Does a thread that arrives here end the program, or stand there for ever as if it had? (An error also ends it,
    /// but then there is a violation, whatever the others would have done.)
    fn ends_program(&self, loc: LocId) -> bool {
        let proc = self.icfg.locs[loc].proc;
        let is_exit = loc == self.icfg.procs[proc].exit;
        if is_exit {
            return Some(proc) == self.icfg.root;
        }
        self.icfg.locs[loc].error.is_none() && self.icfg.out_edges(loc).is_empty()
    }

    /// Do the next steps of the thread at `loc` depend on nothing that threads at the other locations may do?
    fn is_independent(&mut self, loc: LocId, others: &[LocId]) -> bool {
        let icfg = self.icfg;
        // To follow only a thread that cannot move would be to follow nobody.
        if icfg.locs[loc].is_loop_head || !self.flows[loc] || icfg.out_edges(loc).is_empty() {
            return false;
        }
        let mut next = Access::none(self.n_words);
        for &e in icfg.out_edges(loc) {
            if self.ends_program(icfg.edges[e].dst) {
                return false;
            }
            match icfg.edges[e].label {
                Label::AtomicBegin => match self.sections.get(&e) {
                    Some(Some(section)) => {
                        next.extend(section);
                    }
                    _ => return false,
                },
                _ => {
                    next.extend(&self.accesses[e]);
                }
            }
        }
        let held = self.held[loc].clone();
        others.iter().all(|&other| !next.conflicts(self.future(&held, other)))
    }
}

/// A thread that may run: a procedure with variables of its own.
struct Thread {
    proc: ProcId,
    vars: FastMap<VarId, VarId>,
    renaming: Option<Substitution>,
    /// What `Join` compares.
    id: Vec<VarId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Place {
    NotStarted,
    At(LocId),
    Finished,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct State {
    places: Vec<Place>,
    /// The thread in an atomic section, and how many it is in.
    atomic: Option<(usize, u32)>,
}

struct Product<'a> {
    icfg: &'a Icfg,
    result: Icfg,
    root: ProcId,
    threads: Vec<Thread>,
    locs: FastMap<State, LocId>,
    errors: FastMap<LocId, LocId>,
    too_many: Option<LocId>,
    work: Vec<State>,
    exit: LocId,
    /// See [`ThreadLimits`].
    all_orders: bool,
}

/// A sequential graph that does what threads do.
pub struct Interleaved {
    pub icfg: Icfg,
    /// Its variables, each with the one of the graph with threads that it is or is a copy of.
    pub copies: Vec<(VarId, VarId)>,
}

/// The sequential graph of a graph with threads, all calls inlined.
pub fn interleave(icfg: &Icfg, pool: &mut TermPool, limits: &ThreadLimits) -> Result<Interleaved, InterleaveError> {
    if icfg.has_calls() {
        return Err(InterleaveError::Recursion);
    }
    if icfg.edges.values().any(|e| matches!(e.label, Label::Block(_))) {
        return Err(InterleaveError::Blocks);
    }
    let mut copies: Vec<(VarId, VarId)> = icfg.vars.ids().map(|v| (v, v)).collect();
    let Some(old_root) = icfg.root else { return Ok(Interleaved { icfg: icfg.clone(), copies }) };
    let fused = fuse(icfg, pool);
    let icfg = &fused;
    let mut analysis = Analysis::new(icfg, pool);
    let mut product = Product::new(icfg, old_root, limits.all_orders);
    product.make_threads(pool, old_root, limits);
    let mut places = vec![Place::NotStarted; product.threads.len()];
    places[0] = Place::At(icfg.procs[old_root].entry);
    let entry = product.location(State { places, atomic: None }, icfg.procs[old_root].span);
    product.result.procs[product.root].entry = entry;
    while let Some(state) = product.work.pop() {
        product.expand(&state, &mut analysis, pool)?;
        if product.result.edges.len() > limits.max_edges {
            return Err(InterleaveError::TooLarge(limits.max_edges));
        }
    }
    product.result.mark_loop_heads();
    let of_threads = product.threads.iter().flat_map(|thread| thread.vars.iter().map(|(&var, &copy)| (copy, var)));
    copies.extend(of_threads);
    copies.sort_unstable();
    Ok(Interleaved { icfg: product.result, copies })
}

impl<'a> Product<'a> {
    fn new(icfg: &'a Icfg, old_root: ProcId, all_orders: bool) -> Product<'a> {
        let mut result = Icfg::new();
        result.axioms = icfg.axioms.clone();
        result.globals = icfg.globals.clone();
        let proc = &icfg.procs[old_root];
        // Entry and exit are set when their locations exist.
        let root = result.procs.push(IcfgProc { entry: LocId(0), exit: LocId(0), locals: Vec::new(), ..proc.clone() });
        result.root = Some(root);
        let exit = result.add_loc(root, proc.span);
        result.procs[root].exit = exit;
        Product {
            icfg,
            result,
            root,
            threads: Vec::new(),
            locs: FastMap::default(),
            errors: FastMap::default(),
            too_many: None,
            work: Vec::new(),
            exit,
            all_orders,
        }
    }

    /// The root, and room for instances of everything that is forked. The first instance of a procedure keeps
    /// the variables of the original.
    fn make_threads(&mut self, pool: &mut TermPool, old_root: ProcId, limits: &ThreadLimits) {
        let icfg = self.icfg;
        for (_, var) in icfg.vars.iter() {
            let kind = match var.kind {
                VarKind::Global | VarKind::Old(_) => var.kind,
                VarKind::Param(p) if p == old_root => VarKind::Param(self.root),
                VarKind::Result(p) if p == old_root => VarKind::Result(self.root),
                VarKind::Param(_) | VarKind::Result(_) | VarKind::Local(_) => VarKind::Local(self.root),
            };
            let id = self.result.vars.push(Variable { kind, ..var.clone() });
            if kind == VarKind::Local(self.root) {
                self.result.procs[self.root].locals.push(id);
            }
        }
        self.threads.push(Thread { proc: old_root, vars: FastMap::default(), renaming: None, id: Vec::new() });
        let mut forked: BTreeMap<ProcId, (usize, usize)> = BTreeMap::new();
        for edge in icfg.edges.values() {
            if let Label::Fork { callee, id, .. } = &edge.label {
                let entry = forked.entry(*callee).or_insert((0, 0));
                entry.0 += 1;
                entry.1 = entry.1.max(id.len());
            }
        }
        for (proc, (_, id_length)) in forked {
            for instance in 0..limits.max_instances {
                let mut thread = Thread { proc, vars: FastMap::default(), renaming: None, id: Vec::new() };
                let data = &icfg.procs[proc];
                for i in 0..id_length {
                    let sort = self.id_sort(proc, i, pool);
                    let var = self.local(pool, &format!("#thread_{}_{instance}", data.name), sort);
                    thread.id.push(var);
                }
                if instance > 0 {
                    let mut renaming = Substitution::new();
                    for &v in data.params.iter().chain(&data.results).chain(&data.locals) {
                        let (name, sort) = (icfg.vars[v].name.clone(), icfg.vars[v].sort);
                        let copy = self.local(pool, &name, sort);
                        self.result.vars[copy].span = icfg.vars[v].span;
                        renaming.insert(icfg.term(v), self.result.term(copy));
                        thread.vars.insert(v, copy);
                    }
                    thread.renaming = Some(renaming);
                }
                self.threads.push(thread);
            }
        }
    }

    fn id_sort(&self, proc: ProcId, i: usize, pool: &TermPool) -> logic::SortId {
        let ids = self.icfg.edges.values().filter_map(|e| match &e.label {
            Label::Fork { callee, id, .. } if *callee == proc => id.get(i).copied(),
            _ => None,
        });
        ids.map(|t| pool.sort(t)).next().unwrap_or(logic::SortId::INT)
    }

    fn local(&mut self, pool: &mut TermPool, name: &str, sort: logic::SortId) -> VarId {
        let term = pool.fresh_constant(name, sort);
        let kind = VarKind::Local(self.root);
        let data = Variable { name: name.to_string(), sort, term, kind, span: Span::NONE };
        let id = self.result.vars.push(data);
        self.result.procs[self.root].locals.push(id);
        id
    }

    // ----- states -----

    /// The location of a state; a new one is put on the list of work.
    fn location(&mut self, state: State, span: Span) -> LocId {
        for (i, place) in state.places.iter().enumerate() {
            let Place::At(loc) = *place else { continue };
            if let Some(check) = &self.icfg.locs[loc].error {
                let check = check.clone();
                let (result, root) = (&mut self.result, self.root);
                return *self.errors.entry(loc).or_insert_with(|| {
                    let error = result.add_loc(root, span);
                    result.locs[error].error = Some(check);
                    error
                });
            }
            if i == 0 && loc == self.icfg.procs[self.threads[0].proc].exit {
                return self.exit;
            }
        }
        if let Some(&loc) = self.locs.get(&state) {
            return loc;
        }
        let loc = self.result.add_loc(self.root, span);
        self.locs.insert(state.clone(), loc);
        self.work.push(state);
        loc
    }

    fn expand(
        &mut self,
        state: &State,
        analysis: &mut Analysis<'_>,
        pool: &mut TermPool,
    ) -> Result<(), InterleaveError> {
        let running: Vec<(usize, LocId)> = state
            .places
            .iter()
            .enumerate()
            .filter_map(|(t, p)| match p {
                Place::At(loc) => Some((t, *loc)),
                Place::NotStarted | Place::Finished => None,
            })
            .collect();
        // A thread without a way out ends nothing: what it did last is seen by others, whether it waits for ever or is
        // about to end the program (which may take as long as it likes).
        let chosen: Vec<(usize, LocId)> = match state.atomic {
            Some((t, _)) => running.iter().copied().filter(|r| r.0 == t).collect(),
            None => {
                let alone = running.iter().copied().find(|&(t, loc)| {
                    let others: Vec<LocId> = running.iter().filter(|r| r.0 != t).map(|r| r.1).collect();
                    !self.all_orders && analysis.is_independent(loc, &others)
                });
                match alone {
                    Some(one) => vec![one],
                    None => running,
                }
            }
        };
        let from = self.locs[state];
        for (t, loc) in chosen {
            for &e in self.icfg.out_edges(loc) {
                self.step(state, from, t, e, pool)?;
            }
        }
        Ok(())
    }

    /// Where a thread that goes to `dst` is then.
    fn arrive(&self, state: &State, t: usize, dst: LocId) -> State {
        let mut next = state.clone();
        let proc = &self.icfg.procs[self.threads[t].proc];
        if t != 0 && dst == proc.exit {
            next.places[t] = Place::Finished;
            if next.atomic.is_some_and(|(holder, _)| holder == t) {
                next.atomic = None;
            }
        } else {
            next.places[t] = Place::At(dst);
        }
        next
    }

    fn rename(&mut self, pool: &mut TermPool, t: usize, term: TermId) -> TermId {
        match &mut self.threads[t].renaming {
            Some(renaming) => renaming.apply(pool, term),
            None => term,
        }
    }
    fn rename_var(&self, t: usize, v: VarId) -> VarId {
        self.threads[t].vars.get(&v).copied().unwrap_or(v)
    }

    fn step(
        &mut self,
        state: &State,
        from: LocId,
        t: usize,
        e: EdgeId,
        pool: &mut TermPool,
    ) -> Result<(), InterleaveError> {
        let icfg = self.icfg;
        let edge = &icfg.edges[e];
        let (span, note) = (edge.span, edge.note);
        let mut next = self.arrive(state, t, edge.dst);
        let place = icfg.locs[edge.dst].span;
        match &edge.label {
            Label::Stmt(stmt) => {
                let stmt = match stmt {
                    Stmt::Assume(c) => Stmt::Assume(self.rename(pool, t, *c)),
                    Stmt::Assign(pairs) => {
                        let mut copies = Vec::with_capacity(pairs.len());
                        for &(v, term) in pairs {
                            copies.push((self.rename_var(t, v), self.rename(pool, t, term)));
                        }
                        Stmt::Assign(copies)
                    }
                    Stmt::Havoc(vars, why) => {
                        Stmt::Havoc(vars.iter().map(|&v| self.rename_var(t, v)).collect(), why.clone())
                    }
                };
                let to = self.location(next, place);
                // A thread that waits for ever matters to no finite execution.
                if to != from || stmt != Stmt::Assume(TermId::TRUE) || self.all_orders {
                    self.result.add_edge(from, to, Label::Stmt(stmt), span, note);
                }
            }
            Label::AtomicBegin | Label::AtomicEnd => {
                let is_begin = edge.label == Label::AtomicBegin;
                if next.places[t] != Place::Finished {
                    next.atomic = match (state.atomic, is_begin) {
                        (None, true) => Some((t, 1)),
                        (Some((_, n)), true) => Some((t, n + 1)),
                        (None, false) | (Some((_, 1)), false) => None,
                        (Some((_, n)), false) => Some((t, n - 1)),
                    };
                }
                let to = self.location(next, place);
                self.result.add_edge(from, to, Label::Stmt(Stmt::Assume(TermId::TRUE)), span, Note::Hidden);
            }
            Label::Fork { id, callee, args } => {
                let free = (0..self.threads.len())
                    .find(|&s| self.threads[s].proc == *callee && state.places[s] == Place::NotStarted && s != 0);
                let Some(slot) = free else {
                    let to = self.no_room(span);
                    self.result.add_edge(from, to, Label::Stmt(Stmt::Assume(TermId::TRUE)), span, note);
                    return Ok(());
                };
                let mut pairs = Vec::new();
                for (&param, &arg) in icfg.procs[*callee].params.iter().zip(args) {
                    pairs.push((self.rename_var(slot, param), self.rename(pool, t, arg)));
                }
                for (i, &term) in id.iter().enumerate() {
                    pairs.push((self.threads[slot].id[i], self.rename(pool, t, term)));
                }
                next.places[slot] = Place::At(icfg.procs[*callee].entry);
                if icfg.procs[*callee].entry == icfg.procs[*callee].exit {
                    next.places[slot] = Place::Finished;
                }
                let to = self.location(next, place);
                let stmt = if pairs.is_empty() { Stmt::Assume(TermId::TRUE) } else { Stmt::Assign(pairs) };
                self.result.add_edge(from, to, Label::Stmt(stmt), span, note);
            }
            Label::Join { id, results } => self.join(state, next, from, t, (id, results), (span, note), pool),
            Label::Block(_) => return Err(InterleaveError::Blocks),
            Label::Call(_) | Label::Return(_) => return Err(InterleaveError::Recursion),
        }
        Ok(())
    }

    /// Waits for a thread that has finished already; others are not waited for here, but where they finish.
    #[allow(clippy::too_many_arguments)]
    fn join(
        &mut self,
        state: &State,
        next: State,
        from: LocId,
        t: usize,
        (id, results): (&[TermId], &[VarId]),
        (span, note): (Span, Note),
        pool: &mut TermPool,
    ) {
        for slot in 1..self.threads.len() {
            if state.places[slot] != Place::Finished || self.threads[slot].id.len() != id.len() {
                continue;
            }
            let mut same = Vec::new();
            for (i, &term) in id.iter().enumerate() {
                let mine = self.rename(pool, t, term);
                let theirs = self.result.term(self.threads[slot].id[i]);
                same.push(pool.eq(mine, theirs));
            }
            let same = pool.and(&same);
            let proc = &self.icfg.procs[self.threads[slot].proc];
            let mut pairs = Vec::new();
            for (&target, &value) in results.iter().zip(&proc.results) {
                let value = self.rename_var(slot, value);
                pairs.push((self.rename_var(t, target), self.result.term(value)));
            }
            let to = self.location(next.clone(), span);
            if pairs.is_empty() {
                self.result.add_edge(from, to, Label::Stmt(Stmt::Assume(same)), span, note);
            } else {
                let middle = self.result.add_loc(self.root, span);
                self.result.add_edge(from, middle, Label::Stmt(Stmt::Assume(same)), span, Note::Hidden);
                self.result.add_edge(middle, to, Label::Stmt(Stmt::Assign(pairs)), span, note);
            }
        }
    }

    fn no_room(&mut self, span: Span) -> LocId {
        if let Some(loc) = self.too_many {
            return loc;
        }
        let loc = self.result.add_loc(self.root, span);
        let message = "more threads than the product of threads has room for".to_string();
        self.result.locs[loc].error = Some(Check { property: TOO_MANY_THREADS.to_string(), message, span });
        self.too_many = Some(loc);
        loc
    }
}
