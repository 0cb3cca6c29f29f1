//! Which steps of a thread no other thread can distinguish, and which are independent of all steps of the others.

use crate::dataflow::VarIndex;
use crate::icfg::{Edge, EdgeId, Icfg, Label, LocId};
use crate::program::{Note, Stmt, VarId};
use base::{IdVec, Span};
use logic::{FastMap, Substitution, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

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

/// The graph in which assignments that no other thread can distinguish are merged: of two in a row at most one touches
/// a global, or both are in one atomic section.
///
/// With the graph comes, for each of its edges, where the part stands that other threads can notice.
pub(super) fn fuse(icfg: &Icfg, pool: &mut TermPool) -> (Icfg, SharedPlaces) {
    let mut shared = shared_places(icfg, pool);
    let mut fused_shared = SharedPlaces::new();
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
            fused_shared.push(shared[first]);
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
            shared[first] = shared[first].or(shared[next]);
            swallowed.insert(next);
            let step = &icfg.edges[next];
            // In a trace the chain stands where it accesses what threads share.
            if !step.note.is_hidden() && (more_touches || !touched || note.is_hidden()) {
                (span, note) = (step.span, step.note);
            }
            touched |= more_touches;
            dst = step.dst;
        }
        result.add_edge(edge.src, dst, Label::Stmt(Stmt::Assign(pairs)), span, note);
        fused_shared.push(shared[first]);
    }
    (result, fused_shared)
}

/// Where steps stand that other threads can notice, or that notice what others do: in the source, and in the graph.
pub(super) type SharedPlaces = IdVec<EdgeId, Option<(Span, LocId)>>;

/// The places of the steps of an unmerged graph.
pub(super) fn shared_places(icfg: &Icfg, pool: &TermPool) -> SharedPlaces {
    let index = VarIndex::new(icfg);
    let globals: BTreeSet<VarId> = icfg.globals.iter().copied().collect();
    let is_shared = |label: &Label| match label {
        Label::Fork { .. } | Label::Join { .. } | Label::AtomicBegin => true,
        Label::AtomicEnd => false,
        _ => {
            let is_written = match label {
                Label::Stmt(Stmt::Assign(pairs)) => pairs.iter().any(|p| globals.contains(&p.0)),
                Label::Stmt(Stmt::Havoc(vars, _)) => vars.iter().any(|v| globals.contains(v)),
                _ => false,
            };
            is_written || index.vars_of(pool, &icfg.read_terms(label)).iter().any(|v| globals.contains(v))
        }
    };
    icfg.edges.values().map(|e| is_shared(&e.label).then_some((e.span, e.src))).collect()
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

/// Can a step always be taken here? (An atomic section is treated as a whole, elsewhere.)
pub(super) fn always_goes_on(icfg: &Icfg, loc: LocId, pool: &mut TermPool) -> bool {
    let mut conditions = Vec::new();
    for &e in icfg.out_edges(loc) {
        match &icfg.edges[e].label {
            Label::Stmt(Stmt::Assume(_)) if icfg.edges[e].note == Note::Fact => return true,
            Label::Stmt(Stmt::Assume(c)) => conditions.push(*c),
            Label::Stmt(Stmt::Assign(_) | Stmt::Havoc(..)) | Label::AtomicEnd | Label::Fork { .. } => return true,
            // Decided with the whole section.
            Label::AtomicBegin => return true,
            Label::Join { .. } | Label::Block(_) | Label::Call(_) | Label::Return(_) => return false,
        }
    }
    let complementary = conditions.iter().enumerate().any(|(i, &c)| conditions[..i].iter().any(|&d| pool.not(d) == c));
    complementary || pool.or(&conditions) == TermId::TRUE
}

/// What is known of the threads before any product is built.
pub(super) struct Analysis<'a> {
    icfg: &'a Icfg,
    n_words: usize,
    accesses: IdVec<EdgeId, Access>,
    /// Steps of atomic sections, by the edge that begins one; `None` if one may not come to its end.
    sections: FastMap<EdgeId, Option<Access>>,
    tests: FastMap<EdgeId, VarId>,
    held: IdVec<LocId, BTreeSet<VarId>>,
    /// Is a step always enabled here?
    flows: IdVec<LocId, bool>,
    /// What may be accessed from a location on, while these locks are held by another thread.
    futures: BTreeMap<BTreeSet<VarId>, IdVec<LocId, Access>>,
}

impl<'a> Analysis<'a> {
    pub(super) fn new(icfg: &'a Icfg, pool: &mut TermPool) -> Analysis<'a> {
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
            this.flows[loc] = always_goes_on(icfg, loc, pool);
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

    /// The steps from inside an atomic section to its end; `None` if it may not come to it: it may block, end the
    /// program, or go round a loop for ever.
    fn section(&self, from: LocId) -> Option<Access> {
        let mut all = Access::none(self.n_words);
        let mut seen = BTreeSet::new();
        let mut work = vec![(from, 1u32)];
        while let Some((loc, depth)) = work.pop() {
            if !seen.insert((loc, depth)) {
                continue;
            }
            // Sections in sections this deep are none that people write.
            if !self.flows[loc] || self.icfg.locs[loc].is_loop_head || depth > 8 {
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
        // Every other assignment sets it free. Before there are threads anything may be written to it; whoever took it
        // has it no longer.
        let mut releases: Vec<(EdgeId, VarId)> = Vec::new();
        let mut ends: Vec<(EdgeId, VarId)> = Vec::new();
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
                if before_threads[edge.src] {
                    ends.push((id, v));
                } else {
                    locks.remove(&v);
                }
            }
        }
        ends.extend(&releases);
        loop {
            self.compute_held(&locks, &ends);
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
        // Of a local variable each thread has its own.
        if !self.icfg.globals.contains(&v) {
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
        let is_root = |e: &Edge| matches!(e.label, Label::Fork { callee, .. } if Some(callee) == icfg.root);
        if icfg.edges.values().any(is_root) {
            return before;
        }
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

    /// Which locks a thread must hold at a location. `ends`: the writes after which it does not hold them.
    fn compute_held(&mut self, locks: &BTreeMap<VarId, Lock>, ends: &[(EdgeId, VarId)]) {
        let icfg = self.icfg;
        let mut held: IdVec<LocId, Option<BTreeSet<VarId>>> = IdVec::from_elem(None, icfg.locs.len());
        let mut ended: FastMap<EdgeId, Vec<VarId>> = FastMap::default();
        for &(e, v) in ends {
            ended.entry(e).or_default().push(v);
        }
        let mut work: Vec<LocId> = icfg.procs.values().map(|p| p.entry).collect();
        for &entry in &work {
            held[entry] = Some(BTreeSet::new());
        }
        while let Some(loc) = work.pop() {
            let Some(here) = held[loc].clone() else { continue };
            for &e in icfg.out_edges(loc) {
                let mut after = here.clone();
                for v in ended.get(&e).into_iter().flatten() {
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

    /// Does a thread that arrives here end the program, or block there forever as if it had? (An error also ends it,
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
    pub(super) fn is_independent(&mut self, loc: LocId, others: &[LocId]) -> bool {
        let icfg = self.icfg;
        // Following only a blocked thread would follow no execution at all.
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
