//! Threads: the product of their control flows, with few interleavings.
//!
//! A state of the product says where each thread is; its edges are the steps of one thread. The result is a sequential
//! graph with exactly the executions of the threads under sequential consistency, up to the order of steps that do
//! not depend on each other, so every engine can work on it. The number of threads that run one
//! procedure is bounded; a thread too many leads to an error location of its own
//! ([`Subproperty::ThreadCount`]), so a proof also shows that the bound is never exceeded.
//!
//! **Fewer interleavings** (persistent sets: Godefroid, LNCS 1032). In a state where the next steps of one thread
//! depend on nothing that the others may do from where they are, only that thread is followed. Others' possible future
//! accesses are computed backwards over their control flow. While the thread holds a lock, others cannot get past an
//! attempt to take it: what they do after that does not count. At loop heads all threads are followed, so that no
//! thread is postponed indefinitely; a step that may block (an assumption that may fail), or that ends the program, is
//! never followed alone, as another thread might have violated something before.
//!
//! **Locks** are recognised by their use: a global that is set to a constant only in an atomic step that first finds
//! it to have another constant, and set back only by a thread that must have set it.
//!
//! An atomic section runs without interleaving. The execution ends with the root procedure or with an error. A thread
//! at a location that has no way out just stands there.

pub mod concurrent;
mod growing;
mod independence;
pub mod modular;

pub use growing::{Fused, GrowingProduct};

use crate::icfg::{EdgeId, Icfg, IcfgProc, Label, LocId};
use crate::program::{Check, Note, ProcId, Stmt, Subproperty, VarId, VarKind, VarRole, Variable};
use base::{IdVec, Span};
use independence::{Analysis, SharedPlaces, fuse, shared_places};
use logic::{FastMap, Substitution, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ThreadLimits {
    /// The most threads that may run one procedure in an execution.
    pub max_instances: usize,
    /// The most edges of the product.
    pub max_edges: usize,
    /// Leave no order of steps out. The omitted steps are irrelevant to finite executions, but a proof that all
    /// executions are finite should not depend on that.
    pub all_orders: bool,
    /// Make no single steps of several: each can be observed.
    pub each_step: bool,
}

impl Default for ThreadLimits {
    fn default() -> Self {
        ThreadLimits { max_instances: 4, max_edges: 100_000, all_orders: false, each_step: false }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InterleaveError {
    /// There are calls left, which only recursion leaves.
    Recursion,
    /// More edges than allowed; and are there more threads than the product has room for?
    TooLarge { max_edges: usize, more_threads: bool },
    /// Edges that stand for several steps.
    Blocks,
    /// An atomic section with a loop, with very many paths, or that starts several threads.
    Atomic,
}

impl std::fmt::Display for InterleaveError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            InterleaveError::Recursion => write!(f, "threads and recursion"),
            InterleaveError::TooLarge { max_edges, more_threads: false } => {
                write!(f, "the interleavings of the threads have more than {max_edges} steps")
            }
            InterleaveError::TooLarge { more_threads: true, .. } => {
                write!(
                    f,
                    "threads are started without a bound that is known, and those that fit have too many interleavings"
                )
            }
            InterleaveError::Blocks => write!(f, "threads and blocks of statements"),
            InterleaveError::Atomic => {
                write!(f, "an atomic section with a loop, with very many paths, or that starts several threads")
            }
        }
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
    /// It has finished, and a `Join` has taken it: no other one can.
    Joined,
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
    /// Where results of threads are taken.
    takings: Vec<LocId>,
    exit: LocId,
    /// See [`ThreadLimits`].
    all_orders: bool,
    /// Whose step each edge is, and which one.
    origins: Vec<(usize, EdgeId)>,
    shared: SharedPlaces,
}

/// A sequential graph that does what threads do.
pub struct Interleaved {
    pub icfg: Icfg,
    /// Its variables, each with the one of the graph with threads that it is or is a copy of.
    pub copies: Vec<(VarId, VarId)>,
    /// Whose step each edge is, and which one, if no steps were joined ([`ThreadLimits::each_step`]).
    pub steps: IdVec<EdgeId, (usize, EdgeId)>,
    /// The locations in the middle of a step of one thread: in atomic sections, and where the results of a thread are
    /// taken.
    pub sections: BTreeSet<LocId>,
    pub lanes: Lanes,
}

/// Whose steps the edges of a sequential graph of threads are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lanes {
    /// The procedure of each thread, the root's first.
    pub procs: Vec<String>,
    /// The thread of each edge.
    pub of_edge: Vec<u32>,
    /// Where the part of each edge stands that other threads can notice, or that notices them.
    pub shared: Vec<Option<Span>>,
    /// Where that part, or the edge, begins in the graph with threads.
    pub from: Vec<LocId>,
}

/// The variable that keeps the id of a thread, the n-th that runs a procedure, from when it starts.
fn id_variable(procedure: &str, n: usize) -> String {
    format!("#thread_{procedure}_{n}")
}

impl Lanes {
    /// The thread that starts where a variable is assigned, if it is the one that keeps the id of a thread.
    pub fn started_by(&self, variable: &str) -> Option<u32> {
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        for (lane, procedure) in self.procs.iter().enumerate().skip(1) {
            let n = seen.entry(procedure).or_default();
            if variable == id_variable(procedure, *n) {
                return Some(lane as u32);
            }
            *n += 1;
        }
        None
    }
}

/// The largest number of threads of one procedure, for explicit-state searches.
pub const MOST_INSTANCES: usize = 64;

/// The sequential graph of a graph with threads, all calls inlined.
pub fn interleave(icfg: &Icfg, pool: &mut TermPool, limits: &ThreadLimits) -> Result<Interleaved, InterleaveError> {
    let Some(old_root) = root_of(icfg)? else { return Ok(unchanged(icfg)) };
    let (fused, shared) = if limits.each_step { (icfg.clone(), shared_places(icfg, pool)) } else { fuse(icfg, pool) };
    let mut analysis = Analysis::new(&fused, pool);
    let mut product = Product { shared, ..Product::new(&fused, old_root, limits.all_orders) };
    product.begin(pool, old_root, limits);
    while let Some(state) = product.work.pop() {
        product.expand(&state, &mut analysis, pool)?;
        if product.result.edges.len() > limits.max_edges {
            let more_threads = product.too_many.is_some();
            return Err(InterleaveError::TooLarge { max_edges: limits.max_edges, more_threads });
        }
    }
    Ok(product.finish(icfg))
}

/// The root of a graph that the product can be built of.
fn root_of(icfg: &Icfg) -> Result<Option<ProcId>, InterleaveError> {
    if icfg.has_calls() {
        return Err(InterleaveError::Recursion);
    }
    if icfg.edges.values().any(|e| matches!(e.label, Label::Block(_))) {
        return Err(InterleaveError::Blocks);
    }
    Ok(icfg.root)
}

/// The product of a graph without threads.
pub fn unchanged(icfg: &Icfg) -> Interleaved {
    let steps = icfg.edges.ids().map(|e| (0, e)).collect();
    Interleaved {
        icfg: icfg.clone(),
        copies: icfg.vars.ids().map(|v| (v, v)).collect(),
        steps,
        sections: BTreeSet::new(),
        lanes: Lanes::default(),
    }
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
            takings: Vec::new(),
            exit,
            all_orders,
            origins: Vec::new(),
            shared: SharedPlaces::new(),
        }
    }

    /// The threads, and the location where only the root runs.
    fn begin(&mut self, pool: &mut TermPool, old_root: ProcId, limits: &ThreadLimits) {
        self.make_threads(pool, old_root, limits);
        let mut places = vec![Place::NotStarted; self.threads.len()];
        places[0] = Place::At(self.icfg.procs[old_root].entry);
        let entry = self.location(State { places, atomic: None }, self.icfg.procs[old_root].span);
        self.result.procs[self.root].entry = entry;
    }

    /// What was built so far of the product of `icfg`.
    fn finish(mut self, icfg: &Icfg) -> Interleaved {
        self.result.mark_loop_heads();
        let mut copies: Vec<(VarId, VarId)> = icfg.vars.ids().map(|v| (v, v)).collect();
        copies.extend(self.threads.iter().flat_map(|thread| thread.vars.iter().map(|(&var, &copy)| (copy, var))));
        copies.sort_unstable();
        let shared = |e: EdgeId| self.shared.get(e).copied().flatten();
        let lanes = Lanes {
            procs: self.threads.iter().map(|t| icfg.procs[t.proc].name.clone()).collect(),
            of_edge: self.origins.iter().map(|origin| origin.0 as u32).collect(),
            shared: self.origins.iter().map(|origin| Some(shared(origin.1)?.0)).collect(),
            from: self
                .origins
                .iter()
                .map(|origin| shared(origin.1).map_or(self.icfg.edges[origin.1].src, |s| s.1))
                .collect(),
        };
        let mut sections: BTreeSet<LocId> =
            self.locs.iter().filter(|(state, _)| state.atomic.is_some()).map(|(_, &loc)| loc).collect();
        sections.extend(&self.takings);
        let steps = self.origins.into_iter().collect();
        Interleaved { icfg: self.result, copies, steps, sections, lanes }
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
                    let var = self.local(pool, &id_variable(&data.name, instance), sort);
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
                    for (&v, &copy) in &thread.vars {
                        let copy_of = |other: VarId| Some(thread.vars.get(&other).copied().unwrap_or(other));
                        self.result.vars[copy].role = icfg.vars[v].role.copied(copy_of);
                    }
                    thread.renaming = Some(renaming);
                }
                self.threads.push(thread);
            }
        }
    }

    /// The number of the thread that has each variable, from 1; 0 for globals.
    fn owners(&self) -> IdVec<VarId, u32> {
        let mut owners = IdVec::from_elem(0, self.result.vars.len());
        for (t, thread) in self.threads.iter().enumerate() {
            let data = &self.icfg.procs[thread.proc];
            let locals = data.params.iter().chain(&data.results).chain(&data.locals);
            for v in locals.map(|&v| self.rename_var(t, v)).chain(thread.id.iter().copied()) {
                owners[v] = t as u32 + 1;
            }
        }
        owners
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
        let data = Variable { name: name.to_string(), sort, term, kind, role: VarRole::Plain, span: Span::NONE };
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
                Place::NotStarted | Place::Finished | Place::Joined => None,
            })
            .collect();
        // A thread that cannot continue ends nothing: its last step is visible to others, whether it blocks forever or
        // is about to end the program (which may take arbitrarily long).
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

    /// A statement of a thread, about its variables.
    fn renamed(&mut self, pool: &mut TermPool, t: usize, stmt: &Stmt) -> Stmt {
        match stmt {
            Stmt::Assume(c) => Stmt::Assume(self.rename(pool, t, *c)),
            Stmt::Assign(pairs) => {
                let mut copies = Vec::with_capacity(pairs.len());
                for &(v, term) in pairs {
                    copies.push((self.rename_var(t, v), self.rename(pool, t, term)));
                }
                Stmt::Assign(copies)
            }
            Stmt::Havoc(vars, why) => Stmt::Havoc(vars.iter().map(|&v| self.rename_var(t, v)).collect(), why.clone()),
        }
    }
    /// The thread that runs the n-th instance of a procedure.
    fn instance(&self, proc: ProcId, n: usize) -> Option<usize> {
        (1..self.threads.len()).filter(|&s| self.threads[s].proc == proc).nth(n)
    }
    /// What a thread that starts another one assigns.
    fn started(
        &mut self,
        pool: &mut TermPool,
        t: usize,
        slot: usize,
        id: &[TermId],
        args: &[TermId],
    ) -> Vec<(VarId, TermId)> {
        let mut pairs = Vec::new();
        let icfg = self.icfg;
        for (&param, &arg) in icfg.procs[self.threads[slot].proc].params.iter().zip(args) {
            pairs.push((self.rename_var(slot, param), self.rename(pool, t, arg)));
        }
        for (i, &term) in id.iter().enumerate() {
            pairs.push((self.threads[slot].id[i], self.rename(pool, t, term)));
        }
        pairs
    }
    /// Under which condition a thread joins another one, and what it assigns then.
    fn joined(
        &mut self,
        pool: &mut TermPool,
        t: usize,
        slot: usize,
        id: &[TermId],
        results: &[VarId],
    ) -> (TermId, Vec<(VarId, TermId)>) {
        let mut same = Vec::new();
        for (i, &term) in id.iter().enumerate() {
            let mine = self.rename(pool, t, term);
            let theirs = self.result.term(self.threads[slot].id[i]);
            same.push(pool.eq(mine, theirs));
        }
        let same = pool.and(&same);
        let icfg = self.icfg;
        let mut pairs = Vec::new();
        for (&target, &value) in results.iter().zip(&icfg.procs[self.threads[slot].proc].results) {
            let value = self.rename_var(slot, value);
            pairs.push((self.rename_var(t, target), self.result.term(value)));
        }
        (same, pairs)
    }

    /// Adds an edge for a step of a thread.
    fn link(&mut self, step: (usize, EdgeId), from: LocId, to: LocId, stmt: Stmt, note: Note) {
        let span = self.icfg.edges[step.1].span;
        self.result.add_edge(from, to, Label::Stmt(stmt), span, note);
        self.origins.push(step);
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
                let stmt = self.renamed(pool, t, stmt);
                let to = self.location(next, place);
                // A thread that blocks forever is irrelevant to finite executions.
                if to != from || stmt != Stmt::Assume(TermId::TRUE) || self.all_orders {
                    self.link((t, e), from, to, stmt, note);
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
                self.link((t, e), from, to, Stmt::Assume(TermId::TRUE), Note::Hidden);
            }
            Label::Fork { id, callee, args } => {
                let free = (0..self.threads.len())
                    .find(|&s| self.threads[s].proc == *callee && state.places[s] == Place::NotStarted && s != 0);
                let Some(slot) = free else {
                    let to = self.no_room(span);
                    self.link((t, e), from, to, Stmt::Assume(TermId::TRUE), note);
                    return Ok(());
                };
                let pairs = self.started(pool, t, slot, id, args);
                next.places[slot] = Place::At(icfg.procs[*callee].entry);
                if icfg.procs[*callee].entry == icfg.procs[*callee].exit {
                    next.places[slot] = Place::Finished;
                }
                let to = self.location(next, place);
                let stmt = if pairs.is_empty() { Stmt::Assume(TermId::TRUE) } else { Stmt::Assign(pairs) };
                self.link((t, e), from, to, stmt, note);
            }
            Label::Join { id, results } => self.join(state, next, from, (t, e), (id, results), pool),
            Label::Block(_) => return Err(InterleaveError::Blocks),
            Label::Call(_) | Label::Return(_) => return Err(InterleaveError::Recursion),
        }
        Ok(())
    }

    /// Waits for a thread that has finished already; others are not waited for here, but where they finish.
    fn join(
        &mut self,
        state: &State,
        next: State,
        from: LocId,
        (t, e): (usize, EdgeId),
        (id, results): (&[TermId], &[VarId]),
        pool: &mut TermPool,
    ) {
        let (span, note) = (self.icfg.edges[e].span, self.icfg.edges[e].note);
        for slot in 1..self.threads.len() {
            if state.places[slot] != Place::Finished || self.threads[slot].id.len() != id.len() {
                continue;
            }
            let (same, pairs) = self.joined(pool, t, slot, id, results);
            let mut after = next.clone();
            after.places[slot] = Place::Joined;
            let to = self.location(after, span);
            if pairs.is_empty() {
                self.link((t, e), from, to, Stmt::Assume(same), note);
            } else {
                let middle = self.result.add_loc(self.root, span);
                self.takings.push(middle);
                self.link((t, e), from, middle, Stmt::Assume(same), Note::Hidden);
                self.link((t, e), middle, to, Stmt::Assign(pairs), note);
            }
        }
    }

    fn no_room(&mut self, span: Span) -> LocId {
        if let Some(loc) = self.too_many {
            return loc;
        }
        let loc = self.result.add_loc(self.root, span);
        let message = "more threads than the product of threads has room for".to_string();
        self.result.locs[loc].error = Some(Check::new(Subproperty::ThreadCount, message, span));
        self.too_many = Some(loc);
        loc
    }
}
