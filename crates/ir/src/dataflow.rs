//! Which variables edges read and write, which are live where, and which locals may be read before they are written.
//!
//! A variable is *live* at a location if some path from there may read it before it is written. It is *strongly* live
//! if what is read matters: a read in an assignment counts only if the assigned variable is strongly live itself
//! (Giegerich, Möncke, Wilhelm, *Invariance of approximate semantics with respect to program transformations*, 1981).
//! Both are solved by one worklist over sets of bits.

use crate::icfg::{EdgeId, Icfg, Label, LocId};
use crate::program::{Check, InstrKind, Note, ProcId, Program, Stmt, VarId, VarKind};
use base::IdVec;
use logic::{FastMap, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

/// Finds the variable that a constant stands for.
#[derive(Clone, Debug, Default)]
pub struct VarIndex {
    by_term: FastMap<TermId, VarId>,
}

impl VarIndex {
    pub fn new(icfg: &Icfg) -> VarIndex {
        VarIndex { by_term: icfg.vars.iter().map(|(id, v)| (v.term, id)).collect() }
    }
    pub fn var(&self, constant: TermId) -> Option<VarId> {
        self.by_term.get(&constant).copied()
    }
    /// The variables in these terms, sorted.
    pub fn vars_of(&self, pool: &TermPool, terms: &[TermId]) -> Vec<VarId> {
        let mut vars = Vec::new();
        pool.visit_postorder(terms, |t| vars.extend(self.var(t)));
        vars.sort_unstable();
        vars
    }
}

/// The variables on which the way of an execution, or one of some terms, may depend: those in assumptions, in checks
/// that count, in ids of threads, and whatever may flow into them.
pub fn influential(
    program: &Program,
    pool: &TermPool,
    terms: &[TermId],
    counts: &dyn Fn(&Check) -> bool,
) -> BTreeSet<VarId> {
    let by_term: FastMap<TermId, VarId> = program.vars.iter().map(|(id, v)| (v.term, id)).collect();
    let vars_of = |terms: &[TermId]| {
        let mut vars: Vec<VarId> = Vec::new();
        pool.visit_postorder(terms, |t| vars.extend(by_term.get(&t)));
        vars
    };
    let mut roots = terms.to_vec();
    let mut flows: BTreeMap<VarId, Vec<VarId>> = BTreeMap::new();
    let mut flow = |to: VarId, from: TermId| flows.entry(to).or_default().extend(vars_of(&[from]));
    roots.extend(&program.initially);
    for procedure in program.procs.values() {
        // Of a procedure without a body contracts say what it does.
        roots.extend(procedure.requires.iter().chain(&procedure.ensures).map(|s| s.formula));
        for instruction in procedure.body.iter().flat_map(|b| &b.instrs) {
            match &instruction.kind {
                // It never ends an execution; what was chosen depends on the rest.
                InstrKind::Stmt(Stmt::Assume(fact)) if instruction.note == Note::Fact => {
                    vars_of(&[*fact]).into_iter().for_each(|v| flow(v, *fact));
                }
                InstrKind::Stmt(Stmt::Assume(condition)) => roots.push(*condition),
                InstrKind::Assert(condition, check) if counts(check) => roots.push(*condition),
                InstrKind::Stmt(Stmt::Assign(pairs)) => pairs.iter().for_each(|(v, t)| flow(*v, *t)),
                InstrKind::Call { callee, args, results } => {
                    let callee = &program.procs[*callee];
                    callee.params.iter().zip(args).for_each(|(v, t)| flow(*v, *t));
                    for (v, result) in results.iter().zip(&callee.results) {
                        flow(*v, program.vars[*result].term);
                    }
                }
                InstrKind::Fork { id, callee, args } => {
                    roots.extend(id);
                    program.procs[*callee].params.iter().zip(args).for_each(|(v, t)| flow(*v, *t));
                }
                InstrKind::Join { id, results } => {
                    roots.extend(id);
                    // Any thread may have been waited for.
                    for v in results {
                        for procedure in program.procs.values() {
                            procedure.results.iter().for_each(|r| flow(*v, program.vars[*r].term));
                        }
                    }
                }
                _ => {}
            }
        }
    }
    let mut found: BTreeSet<VarId> = BTreeSet::new();
    let mut work = vars_of(&roots);
    while let Some(v) = work.pop() {
        if found.insert(v) {
            work.extend(flows.get(&v).into_iter().flatten());
        }
    }
    found
}

impl Icfg {
    /// The terms whose values an edge uses, in the scope of its source (results of a return are in
    /// the callee's scope and not among them).
    pub fn read_terms(&self, label: &Label) -> Vec<TermId> {
        match label {
            Label::Stmt(Stmt::Assign(pairs)) => pairs.iter().map(|p| p.1).collect(),
            Label::Stmt(Stmt::Assume(c)) => vec![*c],
            Label::Stmt(Stmt::Havoc(..)) | Label::Return(_) | Label::AtomicBegin | Label::AtomicEnd => Vec::new(),
            Label::Block(t) => vec![t.formula],
            Label::Call(site) => self.call_sites[*site].args.clone(),
            Label::Fork { id, args, .. } => id.iter().chain(args).copied().collect(),
            Label::Join { id, .. } => id.clone(),
        }
    }
    /// Does the step overwrite the variable? (A return: in the caller's scope.)
    pub fn writes(&self, label: &Label, v: VarId) -> bool {
        match label {
            Label::Stmt(Stmt::Assign(pairs)) => pairs.iter().any(|p| p.0 == v),
            Label::Stmt(Stmt::Havoc(vars, _)) => vars.contains(&v),
            Label::Block(t) => t.assigned.binary_search(&v).is_ok(),
            Label::Return(site) => self.call_sites[*site].results.contains(&v),
            Label::Join { results, .. } => results.contains(&v),
            Label::Stmt(Stmt::Assume(_))
            | Label::Call(_)
            | Label::Fork { .. }
            | Label::AtomicBegin
            | Label::AtomicEnd => false,
        }
    }
}

/// A set of variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VarSet {
    words: Vec<u64>,
}

impl VarSet {
    fn empty(icfg: &Icfg) -> VarSet {
        VarSet { words: vec![0; icfg.vars.len().div_ceil(64)] }
    }
    fn of(icfg: &Icfg, vars: impl IntoIterator<Item = VarId>) -> VarSet {
        let mut set = VarSet::empty(icfg);
        vars.into_iter().for_each(|v| set.insert(v));
        set
    }
    pub fn contains(&self, v: VarId) -> bool {
        self.words[v.0 as usize / 64] >> (v.0 % 64) & 1 == 1
    }
    fn insert(&mut self, v: VarId) {
        self.words[v.0 as usize / 64] |= 1 << (v.0 % 64);
    }
    fn remove(&mut self, v: VarId) {
        self.words[v.0 as usize / 64] &= !(1 << (v.0 % 64));
    }
    fn join(&mut self, other: &VarSet) {
        self.words.iter_mut().zip(&other.words).for_each(|(a, b)| *a |= b);
    }
    /// In order.
    pub fn iter(&self) -> impl Iterator<Item = VarId> + '_ {
        self.words.iter().enumerate().flat_map(|(i, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let bit = left.trailing_zeros();
                left &= left.wrapping_sub(1);
                (bit < 64).then_some(VarId(i as u32 * 64 + bit))
            })
        })
    }
}

/// The variables that are live at each location.
pub struct Liveness {
    at: IdVec<LocId, VarSet>,
}

/// What an edge reads in any case, and what it reads for each variable that it writes.
struct Uses {
    reads: VarSet,
    writes: Vec<(VarId, VarSet)>,
}

impl Liveness {
    /// For a graph in which calls are treated like other edges.
    pub fn plain(icfg: &Icfg, pool: &TermPool) -> Liveness {
        Liveness::with_seeds(icfg, pool, &IdVec::from_elem(VarSet::empty(icfg), icfg.locs.len()))
    }

    /// The same, where variables are live at some locations in any case.
    fn with_seeds(icfg: &Icfg, pool: &TermPool, seeds: &IdVec<LocId, VarSet>) -> Liveness {
        let uses = uses(icfg, pool);
        let before = |e: EdgeId, after: &VarSet| {
            let mut before = after.clone();
            uses[e].writes.iter().for_each(|(v, _)| before.remove(*v));
            uses[e].writes.iter().for_each(|(_, reads)| before.join(reads));
            before.join(&uses[e].reads);
            before
        };
        Liveness { at: backwards(icfg, seeds, &followed(icfg), before) }
    }

    /// Where the results of procedures are live at their ends, as for those who join a thread.
    pub fn with_results(icfg: &Icfg, pool: &TermPool) -> Liveness {
        let mut seeds = IdVec::from_elem(VarSet::empty(icfg), icfg.locs.len());
        for p in icfg.procs.values() {
            seeds[p.exit] = VarSet::of(icfg, p.results.iter().copied());
        }
        Liveness::with_seeds(icfg, pool, &seeds)
    }

    /// A variable is live only if it is read for something that is not dead itself.
    pub fn strong(icfg: &Icfg, pool: &TermPool) -> Liveness {
        let uses = uses(icfg, pool);
        let before = |e: EdgeId, after: &VarSet| {
            let mut before = after.clone();
            uses[e].writes.iter().for_each(|(v, _)| before.remove(*v));
            let needed = uses[e].writes.iter().filter(|(v, _)| after.contains(*v));
            needed.for_each(|(_, reads)| before.join(reads));
            before.join(&uses[e].reads);
            before
        };
        let seeds = IdVec::from_elem(VarSet::empty(icfg), icfg.locs.len());
        Liveness { at: backwards(icfg, &seeds, &followed(icfg), before) }
    }

    /// Within procedures: globals and `old` variables are live where a procedure ends or calls another one.
    pub(crate) fn within_procedures(icfg: &Icfg, pool: &TermPool) -> Liveness {
        let uses = uses(icfg, pool);
        let is_outside = |kind: VarKind| matches!(kind, VarKind::Global | VarKind::Old(_));
        let outside = VarSet::of(icfg, icfg.vars.iter().filter(|(_, v)| is_outside(v.kind)).map(|(id, _)| id));
        let mut seeds = IdVec::from_elem(VarSet::empty(icfg), icfg.locs.len());
        for p in icfg.procs.values() {
            seeds[p.exit] = VarSet::of(icfg, p.results.iter().copied());
            seeds[p.exit].join(&outside);
        }
        let before = |e: EdgeId, after: &VarSet| {
            let mut before = after.clone();
            let is_statement = matches!(icfg.edges[e].label, Label::Stmt(_));
            if is_statement {
                uses[e].writes.iter().for_each(|(v, _)| before.remove(*v));
            } else {
                before.join(&outside);
            }
            uses[e].writes.iter().for_each(|(_, reads)| before.join(reads));
            before.join(&uses[e].reads);
            before
        };
        let successors = icfg.locs.ids().map(|loc| icfg.local_successors(loc).collect()).collect();
        Liveness { at: backwards(icfg, &seeds, &successors, before) }
    }

    pub fn at(&self, loc: LocId) -> &VarSet {
        &self.at[loc]
    }

    /// The variables that are not live after each edge, but that it writes or that were live before it; sorted.
    pub fn dying(&self, icfg: &Icfg) -> IdVec<EdgeId, Vec<VarId>> {
        let dying = |edge: &crate::icfg::Edge| {
            let mut gone = self.at[edge.src].clone();
            written(&edge.label).into_iter().for_each(|v| gone.insert(v));
            let after = &self.at[edge.dst];
            gone.iter().filter(|v| !after.contains(*v)).collect()
        };
        icfg.edges.values().map(dying).collect()
    }
}

/// The variables that an edge surely writes; of blocks, calls and returns none.
fn written(label: &Label) -> Vec<VarId> {
    match label {
        Label::Stmt(Stmt::Assign(pairs)) => pairs.iter().map(|p| p.0).collect(),
        Label::Stmt(Stmt::Havoc(vars, _)) | Label::Join { results: vars, .. } => vars.clone(),
        Label::Stmt(Stmt::Assume(_))
        | Label::Block(_)
        | Label::Call(_)
        | Label::Return(_)
        | Label::Fork { .. }
        | Label::AtomicBegin
        | Label::AtomicEnd => Vec::new(),
    }
}

fn uses(icfg: &Icfg, pool: &TermPool) -> IdVec<EdgeId, Uses> {
    let index = VarIndex::new(icfg);
    let reads = |terms: &[TermId]| VarSet::of(icfg, index.vars_of(pool, terms));
    let uses = |label: &Label| match label {
        Label::Stmt(Stmt::Assign(pairs)) => {
            Uses { reads: VarSet::empty(icfg), writes: pairs.iter().map(|&(v, t)| (v, reads(&[t]))).collect() }
        }
        Label::Return(site) => {
            let callee = &icfg.procs[icfg.call_sites[*site].callee];
            Uses { reads: VarSet::of(icfg, callee.results.iter().copied()), writes: Vec::new() }
        }
        label => {
            let writes = written(label).into_iter().map(|v| (v, VarSet::empty(icfg))).collect();
            Uses { reads: reads(&icfg.read_terms(label)), writes }
        }
    };
    icfg.edges.values().map(|edge| uses(&edge.label)).collect()
}

/// Each location with its edges and where they lead.
type Successors = IdVec<LocId, Vec<(EdgeId, LocId)>>;

fn followed(icfg: &Icfg) -> Successors {
    icfg.locs.ids().map(|loc| icfg.out_edges(loc).iter().map(|&e| (e, icfg.edges[e].dst)).collect()).collect()
}

/// The least sets with the seeds in them that contain what `before` makes of the sets after each edge.
fn backwards(
    icfg: &Icfg,
    seeds: &IdVec<LocId, VarSet>,
    successors: &Successors,
    before: impl Fn(EdgeId, &VarSet) -> VarSet,
) -> IdVec<LocId, VarSet> {
    let mut predecessors: IdVec<LocId, Vec<LocId>> = IdVec::from_elem(Vec::new(), icfg.locs.len());
    for (loc, edges) in successors.iter() {
        edges.iter().for_each(|&(_, to)| predecessors[to].push(loc));
    }
    let mut sets = seeds.clone();
    let mut work: Vec<LocId> = icfg.locs.ids().collect();
    let mut is_queued = IdVec::from_elem(true, icfg.locs.len());
    while let Some(loc) = work.pop() {
        is_queued[loc] = false;
        let mut here = sets[loc].clone();
        for &(edge, to) in &successors[loc] {
            here.join(&before(edge, &sets[to]));
        }
        if here != sets[loc] {
            sets[loc] = here;
            for &from in &predecessors[loc] {
                if !std::mem::replace(&mut is_queued[from], true) {
                    work.push(from);
                }
            }
        }
    }
    sets
}

/// The live ranges of single variables, each found backwards from its reads: for questions about few variables or short
/// ranges, where sets of all variables at all locations would be mostly empty. Calls are stepped over.
pub struct LiveRanges<'a> {
    icfg: &'a Icfg,
    /// The locations where each variable is read first.
    reads: FastMap<VarId, Vec<LocId>>,
    follows: &'a dyn Fn(EdgeId) -> bool,
    /// The last variable, counted from 1, whose range a location was found in.
    seen: IdVec<LocId, u32>,
    present: u32,
    work_left: usize,
}

impl<'a> LiveRanges<'a> {
    /// Along the edges that `follows` accepts. The ends of procedures read their results. After `work` visited edges
    /// nothing more is found.
    pub fn new(icfg: &'a Icfg, pool: &TermPool, follows: &'a dyn Fn(EdgeId) -> bool, work: usize) -> LiveRanges<'a> {
        let index = VarIndex::new(icfg);
        let mut reads: FastMap<VarId, Vec<LocId>> = FastMap::default();
        for (_, edge) in icfg.edges.iter().filter(|(e, _)| follows(*e)) {
            for v in index.vars_of(pool, &icfg.read_terms(&edge.label)) {
                reads.entry(v).or_default().push(edge.src);
            }
        }
        for procedure in icfg.procs.values() {
            procedure.results.iter().for_each(|v| reads.entry(*v).or_default().push(procedure.exit));
        }
        LiveRanges { icfg, reads, follows, seen: IdVec::from_elem(0, icfg.locs.len()), present: 0, work_left: work }
    }

    /// The locations where a variable is live, each once; nothing if that is too much work.
    pub fn of(&mut self, v: VarId) -> Option<Vec<LocId>> {
        self.present += 1;
        let mut live = Vec::new();
        let mut stack = self.reads.get(&v).cloned().unwrap_or_default();
        while let Some(loc) = stack.pop() {
            if std::mem::replace(&mut self.seen[loc], self.present) == self.present {
                continue;
            }
            self.work_left = self.work_left.saturating_sub(self.icfg.in_edges(loc).len() + 1);
            if self.work_left == 0 {
                return None;
            }
            live.push(loc);
            for &e in self.icfg.in_edges(loc).iter().filter(|e| (self.follows)(**e)) {
                let edge = &self.icfg.edges[e];
                match edge.label {
                    _ if self.icfg.writes(&edge.label, v) => {}
                    Label::Call(_) => {}
                    Label::Return(site) => stack.push(self.icfg.edges[self.icfg.call_sites[site].call_edge].src),
                    Label::Stmt(_)
                    | Label::Block(_)
                    | Label::Fork { .. }
                    | Label::Join { .. }
                    | Label::AtomicBegin
                    | Label::AtomicEnd => stack.push(edge.src),
                }
            }
        }
        Some(live)
    }

    /// Is the variable that was asked for last live at this location?
    pub fn is_live(&self, loc: LocId) -> bool {
        self.seen[loc] == self.present
    }
}

/// The locals and results of each procedure that some path may read before it writes them. When that becomes too much
/// work, the remaining variables are counted in, which is always right.
pub(crate) fn read_before_written(icfg: &Icfg, pool: &TermPool) -> IdVec<ProcId, Vec<VarId>> {
    let mut ranges = LiveRanges::new(icfg, pool, &|_| true, 64 * icfg.locs.len() + 100_000);
    let exposed = |procedure: &crate::icfg::IcfgProc| {
        let own = procedure.locals.iter().chain(&procedure.results).copied();
        own.filter(|v| ranges.of(*v).is_none() || ranges.is_live(procedure.entry)).collect()
    };
    icfg.procs.values().map(exposed).collect()
}

/// The variables that may be read later before they are written, for each location, sorted. (Those that are not locals:
/// only within the procedure.)
pub fn live_locals(icfg: &Icfg, pool: &TermPool) -> IdVec<LocId, Vec<VarId>> {
    let mut ranges = LiveRanges::new(icfg, pool, &|_| true, usize::MAX);
    let mut live: IdVec<LocId, Vec<VarId>> = IdVec::from_elem(Vec::new(), icfg.locs.len());
    for v in icfg.vars.ids() {
        ranges.of(v).into_iter().flatten().for_each(|loc| live[loc].push(v));
    }
    live
}
