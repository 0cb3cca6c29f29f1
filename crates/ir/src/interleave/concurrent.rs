//! Programs with threads as what they are: threads, and the actions they take on shared variables.
//!
//! A [`Concurrent`] is a Petri net whose transitions are guarded assignments. Places say where a thread is, that it has
//! finished or was joined, how many instances of a procedure were started, or that something is violated. An [`Action`]
//! takes tokens from its places, and puts tokens on others; no place ever holds two tokens, as every thread is at one
//! place and instances are started in order. Interleavings, unfoldings and reductions are made of this, and
//! certificates ([`crate::Interleavings`]) speak about it.
//!
//! An action is one step that others can see, with the steps of its thread around it that touch no shared variable:
//! those before it can wait until it is taken, and those after it are taken immediately, if one of them is always
//! enabled (otherwise what the visible step did would be lost while the thread waits). An atomic section is one action
//! for each of its paths. Reference: Lipton, *Reduction: a method of proving properties of parallel programs*, 1975;
//! here only steps on variables of one thread are moved, which no analysis is needed for.
//!
//! A step with which the root procedure ends is not an action: nothing happens after it. A thread at a place without
//! actions just stands there.

use super::independence::{always_goes_on, shared_places};
use super::{InterleaveError, Interleaved, Place as Control, Product, State, ThreadLimits, root_of};
use crate::dataflow::VarIndex;
use crate::icfg::{EdgeId, Icfg, Label, LocId};
use crate::program::{Check, ProcId, Stmt, Subproperty, VarId};
use base::{Id, IdVec};
use logic::{FastMap, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

base::define_id!(
    PlaceId, "p";
    ActionId, "a"
);

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The thread whose place it is; `None`: it counts the instances of a procedure.
    pub thread: Option<usize>,
    pub kind: PlaceKind,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlaceKind {
    /// The thread is at a location.
    At(LocId),
    Finished,
    /// The thread has finished, and a join has taken it.
    Joined,
    /// The number of instances of a procedure that were started.
    Started(ProcId, usize),
    /// The thread has violated something.
    Error(Check),
}

/// A step of a thread in the graph with threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn {
    pub thread: usize,
    pub edge: EdgeId,
    /// The thread that is joined.
    pub joined: Option<usize>,
}

/// Something that a thread does without being interrupted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Action {
    pub thread: usize,
    /// Sorted.
    pub pre: Vec<PlaceId>,
    pub post: Vec<PlaceId>,
    /// It can be taken where this holds, over variables and `inputs`.
    pub guard: TermId,
    /// The variables that change, each with its value after, over the values before and `inputs`.
    pub updates: Vec<(VarId, TermId)>,
    /// Values that are chosen freely each time.
    pub inputs: Vec<TermId>,
    /// Sorted, as is `writes`.
    pub reads: Vec<VarId>,
    pub writes: Vec<VarId>,
    /// The same as statements: edges of [`Concurrent::graph`].
    pub steps: Vec<EdgeId>,
    pub turns: Vec<Turn>,
}

/// See the [module](self).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Concurrent {
    /// The variables of all threads, and an edge for each statement of an action, all at one location.
    pub graph: Icfg,
    pub places: IdVec<PlaceId, Place>,
    pub actions: IdVec<ActionId, Action>,
    /// Where the tokens are at the start, sorted.
    pub initial: Vec<PlaceId>,
    pub n_threads: usize,
    /// The most instances of one procedure.
    pub max_instances: usize,
    /// Which procedure a thread runs, and the number of the instance.
    pub templates: Vec<(ProcId, usize)>,
    /// The variables of each thread, in the same order for all that run one procedure.
    pub locals: Vec<Vec<VarId>>,
    /// The thread that owns a variable; `None`: it is shared.
    pub owners: IdVec<VarId, Option<usize>>,
    /// Its variables, each with the one of the graph with threads that it is or is a copy of.
    pub copies: Vec<(VarId, VarId)>,
    /// The actions that take a token from a place.
    consumers: IdVec<PlaceId, Vec<ActionId>>,
}

/// The most paths that begin at one place.
const MAX_PATHS: usize = 48;
/// The most paths of an atomic section, with what is around it.
const MAX_ATOMIC_PATHS: usize = 1024;
/// The longest path.
const MAX_PATH: usize = 2000;
const MAX_ACTIONS: usize = 200_000;

impl Concurrent {
    /// The threads of a graph, all calls inlined, with a bounded number of instances of each procedure. If there are
    /// more, an error is reached ([`Subproperty::ThreadCount`]).
    pub fn new(icfg: &Icfg, pool: &mut TermPool, max_instances: usize) -> Result<Concurrent, InterleaveError> {
        let Some(root) = root_of(icfg)? else { return Err(InterleaveError::Blocks) };
        let limits = ThreadLimits { max_instances, ..ThreadLimits::default() };
        let mut product = Product::new(icfg, root, true);
        product.make_threads(pool, root, &limits);
        let paths = Paths::new(icfg, pool);
        let mut builder = Builder {
            icfg,
            index: VarIndex::default(),
            max_instances,
            places: IdVec::new(),
            ids: FastMap::default(),
            actions: IdVec::new(),
            hub: product.exit,
            product,
        };
        builder.index = VarIndex::new(&builder.product.result);
        builder.build(pool, root, &paths)
    }

    /// The places of a marking after an action; `None` if a token is missing.
    pub fn fire(&self, marking: &[PlaceId], action: ActionId) -> Option<Vec<PlaceId>> {
        let action = &self.actions[action];
        if !action.pre.iter().all(|p| marking.binary_search(p).is_ok()) {
            return None;
        }
        let mut next: Vec<PlaceId> = marking
            .iter()
            .copied()
            .filter(|p| action.pre.binary_search(p).is_err())
            .chain(action.post.clone())
            .collect();
        next.sort_unstable();
        Some(next)
    }

    /// The actions whose tokens are there, in order of threads.
    pub fn enabled(&self, marking: &[PlaceId]) -> Vec<ActionId> {
        let mut enabled: Vec<ActionId> = Vec::new();
        for &place in marking.iter().filter(|p| matches!(self.places[**p].kind, PlaceKind::At(_))) {
            let own = self.consumers[place].iter().copied();
            enabled.extend(own.filter(|a| self.actions[*a].pre.iter().all(|p| marking.binary_search(p).is_ok())));
        }
        enabled
    }

    /// The actions that begin at a place.
    pub fn actions_from(&self, place: PlaceId) -> &[ActionId] {
        &self.consumers[place]
    }

    /// Is it an error of a thread?
    pub fn is_error(&self, place: PlaceId) -> bool {
        matches!(self.places[place].kind, PlaceKind::Error(_))
    }

    /// Is it the error that there are too many threads?
    pub fn is_too_many(&self, place: PlaceId) -> bool {
        matches!(&self.places[place].kind, PlaceKind::Error(check) if check.property == Subproperty::ThreadCount)
    }

    /// When two actions can be taken in either order with the same effect: a formula over the variables and inputs;
    /// `None`: never, as far as is known. Steps of one thread depend on each other, and so do those that share a place:
    /// a fork and the next one, the end of a thread and its join. Otherwise both orders must be possible under the same
    /// conditions, and lead to the same values, for the same inputs.
    pub fn commutation(&self, pool: &mut TermPool, a: ActionId, b: ActionId) -> Option<TermId> {
        let (first, second) = (&self.actions[a], &self.actions[b]);
        if first.thread == second.thread || first.shares_place(second) {
            return None;
        }
        if !first.conflicts(second) {
            return Some(TermId::TRUE);
        }
        let (guard, values) = self.compose(pool, first, second);
        let (other_guard, other_values) = self.compose(pool, second, first);
        let mut same = vec![pool.eq(guard, other_guard)];
        let vars: BTreeSet<VarId> = values.keys().chain(other_values.keys()).copied().collect();
        for v in vars {
            let term = self.graph.term(v);
            let one = values.get(&v).copied().unwrap_or(term);
            let other = other_values.get(&v).copied().unwrap_or(term);
            let equal = pool.eq(one, other);
            same.push(pool.implies(guard, equal));
        }
        Some(pool.and(&same))
    }

    /// The guard and the values after one action and then another.
    fn compose(&self, pool: &mut TermPool, first: &Action, second: &Action) -> (TermId, BTreeMap<VarId, TermId>) {
        let after: Vec<(TermId, TermId)> = first.updates.iter().map(|&(v, t)| (self.graph.term(v), t)).collect();
        let guard = pool.substitute(second.guard, &after);
        let guard = pool.and2(first.guard, guard);
        let mut values: BTreeMap<VarId, TermId> = first.updates.iter().copied().collect();
        for &(v, t) in &second.updates {
            let value = pool.substitute(t, &after);
            values.insert(v, value);
        }
        (guard, values)
    }

    /// A formula after an action as one before it, over the variables and inputs, if the action is taken.
    pub fn before(&self, pool: &mut TermPool, action: ActionId, formula: TermId) -> TermId {
        let pairs: Vec<(TermId, TermId)> =
            self.actions[action].updates.iter().map(|&(v, t)| (self.graph.term(v), t)).collect();
        pool.substitute(formula, &pairs)
    }
}

impl Action {
    pub fn shares_place(&self, other: &Action) -> bool {
        let touches = |p: &PlaceId| other.pre.binary_search(p).is_ok() || other.post.binary_search(p).is_ok();
        self.pre.iter().chain(&self.post).any(touches)
    }
    /// Does one write what the other reads or writes?
    pub fn conflicts(&self, other: &Action) -> bool {
        meet(&self.writes, &other.writes) || meet(&self.writes, &other.reads) || meet(&self.reads, &other.writes)
    }
}

/// Do sorted lists have an element in common?
fn meet(a: &[VarId], b: &[VarId]) -> bool {
    let (small, large) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    small.iter().any(|v| large.binary_search(v).is_ok())
}

/// A path through the graph of one procedure that becomes an action.
#[derive(Clone)]
struct Path {
    edges: Vec<EdgeId>,
    dst: LocId,
}

/// The paths that become actions.
struct Paths<'a> {
    icfg: &'a Icfg,
    /// Does an edge touch what other threads see?
    visible: IdVec<EdgeId, bool>,
    /// From here on a step can always be taken, none of them is visible, and none ends the program.
    flows: IdVec<LocId, bool>,
}

impl<'a> Paths<'a> {
    fn new(icfg: &'a Icfg, pool: &mut TermPool) -> Paths<'a> {
        let index = VarIndex::new(icfg);
        let globals: BTreeSet<VarId> = icfg.globals.iter().copied().collect();
        let mut visible = IdVec::new();
        for edge in icfg.edges.values() {
            let reads = index.vars_of(pool, &icfg.read_terms(&edge.label)).iter().any(|v| globals.contains(v));
            let writes = match &edge.label {
                Label::Stmt(Stmt::Assign(pairs)) => pairs.iter().any(|p| globals.contains(&p.0)),
                Label::Stmt(Stmt::Havoc(vars, _)) => vars.iter().any(|v| globals.contains(v)),
                Label::Stmt(Stmt::Assume(_)) => false,
                Label::Block(_) | Label::Call(_) | Label::Return(_) | Label::Fork { .. } | Label::Join { .. } => true,
                Label::AtomicBegin | Label::AtomicEnd => true,
            };
            visible.push(reads || writes);
        }
        let mut flows = IdVec::new();
        for loc in icfg.locs.ids() {
            // Before the root procedure ends, others see what it did last.
            let ends = |dst: LocId| icfg.root.is_some_and(|root| icfg.procs[root].exit == dst);
            let all_local = icfg.out_edges(loc).iter().all(|e| !visible[*e] && !ends(icfg.edges[*e].dst));
            flows.push(all_local && always_goes_on(icfg, loc, pool));
        }
        Paths { icfg, visible, flows }
    }

    /// The paths of a thread from a location on.
    fn from(&self, src: LocId) -> Result<Vec<Path>, InterleaveError> {
        match self.collect(src, true) {
            Some(paths) => Ok(paths),
            None => self.collect(src, false).ok_or(InterleaveError::Atomic),
        }
    }

    /// `long`: with the steps around a visible one. `None` if there are too many.
    fn collect(&self, src: LocId, long: bool) -> Option<Vec<Path>> {
        let icfg = self.icfg;
        let mut paths = Vec::new();
        // Where, on which way, whether others have seen something, in how many atomic sections.
        let mut work: Vec<(LocId, Vec<EdgeId>, bool, u32)> = vec![(src, Vec::new(), false, 0)];
        while let Some((loc, edges, seen, depth)) = work.pop() {
            let data = &icfg.locs[loc];
            let is_end = data.error.is_some() || loc == icfg.procs[data.proc].exit || icfg.out_edges(loc).is_empty();
            let may_go_on = edges.is_empty() || depth > 0 || long && !data.is_loop_head && (!seen || self.flows[loc]);
            if !edges.is_empty() && (is_end || !may_go_on) {
                paths.push(Path { edges, dst: loc });
                continue;
            }
            if is_end {
                continue;
            }
            let limit = if depth > 0 || !long { MAX_ATOMIC_PATHS } else { MAX_PATHS };
            if paths.len() + work.len() > limit || edges.len() > MAX_PATH {
                return None;
            }
            // A loop in an atomic section has no end that could be known.
            if depth > 0 && data.is_loop_head && edges.iter().filter(|e| icfg.edges[**e].dst == loc).count() > 1 {
                return None;
            }
            for &e in icfg.out_edges(loc).iter().rev() {
                let edge = &icfg.edges[e];
                let depth_after = match edge.label {
                    Label::AtomicBegin => depth + 1,
                    Label::AtomicEnd => depth.saturating_sub(1),
                    _ => depth,
                };
                let mut longer = edges.clone();
                longer.push(e);
                work.push((edge.dst, longer, seen || self.visible[e], depth_after));
            }
        }
        Some(paths)
    }
}

struct Builder<'a> {
    icfg: &'a Icfg,
    product: Product<'a>,
    index: VarIndex,
    max_instances: usize,
    places: IdVec<PlaceId, Place>,
    ids: FastMap<(usize, PlaceKey), PlaceId>,
    actions: IdVec<ActionId, Action>,
    hub: LocId,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum PlaceKey {
    At(LocId),
    Finished,
    Joined,
    Started(ProcId, usize),
    TooMany,
}

/// An action in the making.
#[derive(Clone)]
struct Draft {
    pre: Vec<PlaceId>,
    post: Vec<PlaceId>,
    stmts: Vec<(Stmt, EdgeId)>,
    turns: Vec<Turn>,
    /// The bound on threads was exceeded.
    too_many: bool,
}

impl Builder<'_> {
    fn build(mut self, pool: &mut TermPool, root: ProcId, paths: &Paths<'_>) -> Result<Concurrent, InterleaveError> {
        let icfg = self.icfg;
        let n_threads = self.product.threads.len();
        let mut initial = vec![self.place(0, PlaceKey::At(icfg.procs[root].entry))];
        let procs: BTreeSet<ProcId> = self.product.threads[1..].iter().map(|t| t.proc).collect();
        for proc in procs {
            initial.push(self.place(0, PlaceKey::Started(proc, 0)));
        }
        initial.sort_unstable();
        // Places are numbered when they are found.
        let mut found: BTreeMap<LocId, Vec<Path>> = BTreeMap::new();
        let mut next = 0;
        while next < self.places.len() {
            let place = PlaceId::from_index(next);
            next += 1;
            let &Place { thread: Some(t), kind: PlaceKind::At(loc) } = &self.places[place] else { continue };
            if let std::collections::btree_map::Entry::Vacant(place) = found.entry(loc) {
                place.insert(paths.from(loc)?);
            }
            for path in found[&loc].clone() {
                self.path(pool, place, t, &path)?;
                if self.actions.len() > MAX_ACTIONS {
                    return Err(InterleaveError::TooLarge { max_edges: MAX_ACTIONS, more_threads: false });
                }
            }
        }
        let mut consumers = IdVec::from_elem(Vec::new(), self.places.len());
        for (id, action) in self.actions.iter() {
            for &p in &action.pre {
                consumers[p].push(id);
            }
        }
        let mut templates: Vec<(ProcId, usize)> = Vec::new();
        let mut locals = Vec::new();
        for (t, thread) in self.product.threads.iter().enumerate() {
            let n = templates.iter().skip(1).filter(|other| other.0 == thread.proc).count();
            templates.push((thread.proc, if t == 0 { 0 } else { n }));
            let data = &icfg.procs[thread.proc];
            let own = data.params.iter().chain(&data.results).chain(&data.locals);
            let own = own.map(|&v| self.product.rename_var(t, v)).chain(thread.id.iter().copied());
            locals.push(own.collect::<Vec<VarId>>());
        }
        let mut owners = IdVec::from_elem(None, self.product.result.vars.len());
        for (t, own) in locals.iter().enumerate() {
            for &v in own {
                owners[v] = Some(t);
            }
        }
        let max_instances = self.max_instances;
        let Interleaved { icfg: graph, copies, .. } = self.product.finish(icfg);
        let (places, actions) = (self.places, self.actions);
        Ok(Concurrent {
            graph,
            places,
            actions,
            initial,
            n_threads,
            max_instances,
            templates,
            locals,
            owners,
            copies,
            consumers,
        })
    }

    fn place(&mut self, thread: usize, key: PlaceKey) -> PlaceId {
        let thread = if let PlaceKey::Started(..) = key { usize::MAX } else { thread };
        if let Some(&id) = self.ids.get(&(thread, key)) {
            return id;
        }
        let kind = match key {
            PlaceKey::At(loc) => match &self.icfg.locs[loc].error {
                Some(check) => PlaceKind::Error(check.clone()),
                None => PlaceKind::At(loc),
            },
            PlaceKey::Finished => PlaceKind::Finished,
            PlaceKey::Joined => PlaceKind::Joined,
            PlaceKey::Started(proc, n) => PlaceKind::Started(proc, n),
            PlaceKey::TooMany => {
                let message = "more threads than there is room for".to_string();
                PlaceKind::Error(Check::new(Subproperty::ThreadCount, message, base::Span::NONE))
            }
        };
        let owner = (thread != usize::MAX).then_some(thread);
        let id = self.places.push(Place { thread: owner, kind });
        self.ids.insert((thread, key), id);
        id
    }

    /// The actions of a path of a thread: one for each thread that a join in it may wait for.
    fn path(&mut self, pool: &mut TermPool, from: PlaceId, t: usize, path: &Path) -> Result<(), InterleaveError> {
        let icfg = self.icfg;
        let proc = self.product.threads[t].proc;
        let is_exit = path.dst == icfg.procs[proc].exit;
        if t == 0 && is_exit {
            return Ok(());
        }
        let start = Draft { pre: vec![from], post: Vec::new(), stmts: Vec::new(), turns: Vec::new(), too_many: false };
        let mut drafts = vec![start];
        for &e in &path.edges {
            let mut longer = Vec::new();
            for draft in drafts {
                if draft.too_many {
                    longer.push(draft);
                    continue;
                }
                self.extend(pool, t, e, draft, &mut longer)?;
            }
            drafts = longer;
        }
        for mut draft in drafts {
            let end = match (draft.too_many, is_exit) {
                (true, _) => self.place(t, PlaceKey::TooMany),
                (false, true) => self.place(t, PlaceKey::Finished),
                (false, false) => self.place(t, PlaceKey::At(path.dst)),
            };
            draft.post.push(end);
            self.action(pool, t, draft);
        }
        Ok(())
    }

    /// A draft with one more step.
    fn extend(
        &mut self,
        pool: &mut TermPool,
        t: usize,
        e: EdgeId,
        mut draft: Draft,
        longer: &mut Vec<Draft>,
    ) -> Result<(), InterleaveError> {
        let icfg = self.icfg;
        let turn = Turn { thread: t, edge: e, joined: None };
        match &icfg.edges[e].label {
            Label::Stmt(stmt) => {
                let stmt = self.product.renamed(pool, t, stmt);
                draft.stmts.push((stmt, e));
                draft.turns.push(turn);
                longer.push(draft);
            }
            Label::AtomicBegin | Label::AtomicEnd => {
                draft.turns.push(turn);
                longer.push(draft);
            }
            Label::Fork { id, callee, args } => {
                // A second fork in one action would need the token that the first one leaves.
                let started =
                    |p: &PlaceId| matches!(self.places[*p].kind, PlaceKind::Started(proc, _) if proc == *callee);
                if draft.pre.iter().any(started) {
                    return Err(InterleaveError::Atomic);
                }
                for n in 0..=self.max_instances {
                    let mut with = draft.clone();
                    with.pre.push(self.place(0, PlaceKey::Started(*callee, n)));
                    with.turns.push(turn);
                    let slot = self.product.instance(*callee, n);
                    let Some(slot) = slot else {
                        with.too_many = true;
                        longer.push(with);
                        break;
                    };
                    with.post.push(self.place(0, PlaceKey::Started(*callee, n + 1)));
                    let data = &icfg.procs[*callee];
                    let begin = if data.entry == data.exit { PlaceKey::Finished } else { PlaceKey::At(data.entry) };
                    with.post.push(self.place(slot, begin));
                    let pairs = self.product.started(pool, t, slot, id, args);
                    if !pairs.is_empty() {
                        with.stmts.push((Stmt::Assign(pairs), e));
                    }
                    longer.push(with);
                }
            }
            Label::Join { id, results } => {
                for slot in 1..self.product.threads.len() {
                    let may_be = slot != t && self.may_join(pool, self.product.threads[slot].proc, id);
                    if self.product.threads[slot].id.len() != id.len() || !may_be {
                        continue;
                    }
                    let finished = self.place(slot, PlaceKey::Finished);
                    let (same, pairs) = self.product.joined(pool, t, slot, id, results);
                    if same == TermId::FALSE {
                        continue;
                    }
                    let mut with = draft.clone();
                    let joined = self.place(slot, PlaceKey::Joined);
                    match with.post.iter_mut().find(|p| **p == finished) {
                        // It was started by this action, and had nothing to do.
                        Some(place) => *place = joined,
                        // This action has joined it before.
                        None if with.pre.contains(&finished) => continue,
                        None => {
                            with.pre.push(finished);
                            with.post.push(joined);
                        }
                    }
                    with.stmts.push((Stmt::Assume(same), e));
                    if !pairs.is_empty() {
                        with.stmts.push((Stmt::Assign(pairs), e));
                    }
                    with.turns.push(Turn { joined: Some(slot), ..turn });
                    longer.push(with);
                }
            }
            Label::Block(_) => return Err(InterleaveError::Blocks),
            Label::Call(_) | Label::Return(_) => return Err(InterleaveError::Recursion),
        }
        Ok(())
    }

    /// May a thread of a procedure be the one with this id? Not if it is always started with other numbers.
    fn may_join(&self, pool: &mut TermPool, proc: ProcId, id: &[TermId]) -> bool {
        let differ = |pool: &mut TermPool, a: TermId, b: TermId| {
            pool.is_value(a) && pool.is_value(b) && pool.eq(a, b) == TermId::FALSE
        };
        self.icfg.edges.values().any(|edge| match &edge.label {
            Label::Fork { id: started, callee, .. } if *callee == proc => {
                started.len() == id.len() && !started.iter().zip(id).any(|(&a, &b)| differ(pool, a, b))
            }
            _ => false,
        })
    }

    fn action(&mut self, pool: &mut TermPool, t: usize, draft: Draft) {
        let Draft { mut pre, mut post, stmts, turns, .. } = draft;
        pre.sort_unstable();
        post.sort_unstable();
        let mut guards = Vec::new();
        let mut values: BTreeMap<VarId, TermId> = BTreeMap::new();
        let mut inputs = Vec::new();
        let mut steps = Vec::new();
        for (stmt, edge) in stmts {
            let term = |v: VarId| self.product.result.term(v);
            let now: Vec<(TermId, TermId)> = values.iter().map(|(&v, &t)| (term(v), t)).collect();
            match &stmt {
                Stmt::Assume(condition) => guards.push(pool.substitute(*condition, &now)),
                Stmt::Assign(pairs) => {
                    let new: Vec<(VarId, TermId)> = pairs.iter().map(|&(v, t)| (v, pool.substitute(t, &now))).collect();
                    values.extend(new);
                }
                Stmt::Havoc(vars, _) => {
                    for &v in vars {
                        let (name, sort) = (self.product.result.vars[v].name.clone(), self.product.result.vars[v].sort);
                        let input = pool.fresh_constant(&name, sort);
                        inputs.push(input);
                        values.insert(v, input);
                    }
                }
            }
            let (span, note) = (self.icfg.edges[edge].span, self.icfg.edges[edge].note);
            steps.push(self.product.result.add_edge(self.hub, self.hub, Label::Stmt(stmt), span, note));
        }
        let guard = pool.and(&guards);
        if guard == TermId::FALSE {
            return;
        }
        let updates: Vec<(VarId, TermId)> =
            values.into_iter().filter(|&(v, t)| self.product.result.term(v) != t).collect();
        let mut terms: Vec<TermId> = updates.iter().map(|u| u.1).collect();
        terms.push(guard);
        let mut reads = self.index.vars_of(pool, &terms);
        reads.dedup();
        let writes = updates.iter().map(|u| u.0).collect();
        let action = Action { thread: t, pre, post, guard, updates, inputs, reads, writes, steps, turns };
        self.actions.push(action);
    }
}

/// The part of the product of the threads that a schedule goes through, and the schedule as a path in it. `None` if the
/// turns cannot be taken in this order.
pub fn along(
    icfg: &Icfg,
    pool: &mut TermPool,
    max_instances: usize,
    turns: &[Turn],
) -> Result<Option<(Interleaved, Vec<EdgeId>)>, InterleaveError> {
    let Some(root) = root_of(icfg)? else { return Ok(None) };
    let limits = ThreadLimits { max_instances, ..ThreadLimits::default() };
    let shared = shared_places(icfg, pool);
    let mut product = Product { shared, ..Product::new(icfg, root, true) };
    product.begin(pool, root, &limits);
    let mut states: FastMap<LocId, State> = FastMap::default();
    let mut trace = Vec::new();
    let mut at = product.result.procs[product.root].entry;
    for turn in turns {
        for state in std::mem::take(&mut product.work) {
            states.insert(product.locs[&state], state);
        }
        let Some(state) = states.get(&at).cloned() else { return Ok(None) };
        let is_there = state.places[turn.thread] == Control::At(icfg.edges[turn.edge].src);
        if !is_there || state.atomic.is_some_and(|(holder, _)| holder != turn.thread) {
            return Ok(None);
        }
        let first = product.result.edges.len();
        product.step(&state, at, turn.thread, turn.edge, pool)?;
        let made: Vec<EdgeId> = (first..product.result.edges.len()).map(EdgeId::from_index).collect();
        let taken: Vec<EdgeId> = match (turn.joined, &icfg.edges[turn.edge].label) {
            (Some(slot), Label::Join { id, results }) => {
                // A join makes one edge or two for each thread that can be joined, in order.
                let mut from = 0;
                let mut range = None;
                for s in 1..product.threads.len() {
                    if state.places[s] != Control::Finished || product.threads[s].id.len() != id.len() {
                        continue;
                    }
                    let n_results = results.len().min(icfg.procs[product.threads[s].proc].results.len());
                    let n = if n_results == 0 { 1 } else { 2 };
                    if s == slot {
                        range = Some(from..from + n);
                    }
                    from += n;
                }
                match range.and_then(|r| made.get(r)) {
                    Some(edges) => edges.to_vec(),
                    None => return Ok(None),
                }
            }
            _ => made,
        };
        let Some(&last) = taken.last() else { return Ok(None) };
        at = product.result.edges[last].dst;
        trace.extend(taken);
    }
    Ok(Some((product.finish(icfg), trace)))
}
