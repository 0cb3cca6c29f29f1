//! The abstract threads of a program: who creates whom, and which of them exist at most once.

use crate::dataflow::VarIndex;
use crate::icfg::{EdgeId, Icfg, Label, LocId};
use crate::program::{ProcId, VarId, VarKind};
use base::Id;
use logic::{TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

base::define_id!(
    /// An abstract thread.
    ThreadId, "t"
);

/// A thread by where it is created.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AbstractThread {
    pub proc: ProcId,
    /// Who creates it, where.
    pub creators: BTreeSet<(ThreadId, EdgeId)>,
    /// There is at most one such thread in an execution.
    pub is_unique: bool,
}

/// What is known of the program text, and of its threads.
pub struct Threads<'a> {
    pub icfg: &'a Icfg,
    pub list: Vec<AbstractThread>,
    pub forks: BTreeMap<(ThreadId, EdgeId), ThreadId>,
    pub locks: BTreeMap<VarId, Option<VarId>>,
    /// The symbols at the entries of threads.
    pub pinned: BTreeSet<TermId>,
    pub(super) index: VarIndex,
    /// The counter that addresses of objects come from.
    pub allocator: Option<VarId>,
    /// Fork edges whose ids are those of no other fork.
    pub(super) named_forks: BTreeSet<EdgeId>,
    /// The locations on cycles.
    pub(super) cyclic: BTreeSet<LocId>,
    /// The procedures that each procedure calls, itself included.
    calls: BTreeMap<ProcId, BTreeSet<ProcId>>,
}

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

    pub(super) fn is_global(&self, v: VarId) -> bool {
        matches!(self.icfg.vars[v].kind, VarKind::Global)
    }
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
