//! Slices for proofs: a graph in which only that happens on which the errors depend (Weiser: Program Slicing, ICSE 1981; the control part after
//! Danicic et al.: A unifying theory of control dependence and its application to arbitrary program structures, 2011).
//!
//! Locations and edges stay what they are. An assignment to a variable that does not matter becomes a havoc, and a condition that does not matter
//! becomes `true`; so every edge of the slice allows what the original one allows, and an annotation that is inductive for the slice is inductive for
//! the program: unlike the slices that are whole attempts of their own (`driver`), these are not trusted, and they are about the checks that are open when
//! the engine starts. Executions of the slice show nothing: it is for engines that give proofs only.
//!
//! What matters: at a location from which two different locations that matter can come first, the conditions; what conditions read; what is
//! assigned to variables that matter. A loop that computes nothing of importance does not matter, since both of its exits lead to the same place
//! (whether it ends is not asked). A condition whose other branch leads to no error is an assumption: it matters if it speaks of a
//! variable that matters, or if it says how long a loop goes on in which something matters.

use base::graph::{component_of, components};
use base::{Id, IdVec};
use ir::{Icfg, Label, LocId, Nondet, Stmt, VarId, VarIndex};
use logic::{FastSet, TermId, TermPool};

/// After so many rounds the graph stays as it is.
const MAX_ROUNDS: usize = 400;

/// The slice of a graph without calls and blocks; `None` if nothing can be left out, or it is not clear what.
pub(crate) fn slice(pool: &TermPool, icfg: &Icfg) -> Option<Icfg> {
    let is_plain = icfg.edges.values().all(|e| matches!(e.label, Label::Stmt(_)));
    if !is_plain {
        return None;
    }
    let open =
        |loc: usize| -> Vec<usize> { successors(icfg, LocId::from_index(loc)).map(|next| next.index()).collect() };
    let found = components(icfg.locs.len(), &[icfg.entry().index()], open);
    let cycle_of = component_of(icfg.locs.len(), &found);
    let cycles = cycle_of.into_iter().map(|c| Some(c).filter(|&c| found.get(c).is_some_and(|c| c.has_cycle))).collect();
    let mut slicer = Slicer {
        icfg,
        cycles,
        pool,
        index: VarIndex::new(icfg),
        variables: FastSet::default(),
        observed: icfg.locs.values().map(|l| l.error.is_some()).collect(),
        branches: icfg.locs.values().map(|_| false).collect(),
        is_complete: false,
    };
    // A check decides, whatever comes after it.
    for edge in icfg.edges.values().filter(|e| icfg.locs[e.dst].error.is_some()) {
        slicer.observed[edge.src] = true;
        slicer.branches[edge.src] = true;
    }
    for _ in 0..MAX_ROUNDS {
        if !slicer.round() {
            slicer.is_complete = true;
            break;
        }
    }
    slicer.is_complete.then(|| slicer.result()).flatten()
}

/// Where control can go, without edges that nothing passes.
fn successors(icfg: &Icfg, loc: LocId) -> impl Iterator<Item = LocId> + '_ {
    let edges = icfg.out_edges(loc).iter().map(move |&e| &icfg.edges[e]);
    edges.filter(|e| !matches!(e.label, Label::Stmt(Stmt::Assume(TermId::FALSE)))).map(|e| e.dst)
}

/// Which location that matters comes first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum First {
    None,
    /// All errors are one.
    Error,
    Location(LocId),
    Several,
}

impl First {
    fn join(self, other: First) -> First {
        match (self, other) {
            (First::None, x) | (x, First::None) => x,
            (a, b) if a == b => a,
            _ => First::Several,
        }
    }
}

struct Slicer<'a> {
    icfg: &'a Icfg,
    /// The number of the outermost loop around a location.
    cycles: IdVec<LocId, Option<usize>>,
    pool: &'a TermPool,
    index: VarIndex,
    /// Those that matter.
    variables: FastSet<VarId>,
    /// Locations that matter.
    observed: IdVec<LocId, bool>,
    /// Those at which it matters which branch is taken.
    branches: IdVec<LocId, bool>,
    is_complete: bool,
}

/// What becomes of a condition.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// It decides what happens.
    Decides,
    /// It says what is known where an execution goes on.
    Assumes,
    /// All its branches lead to the same place.
    Idle,
}

impl Slicer<'_> {
    fn vars_of(&self, t: TermId) -> Vec<VarId> {
        self.index.vars_of(self.pool, &[t])
    }

    /// Finds more that matters; `false` if there is nothing.
    fn round(&mut self) -> bool {
        let first = self.first();
        // Where they are several already, a location behind this one is where they part, unless they do so on a cycle.
        let mut is_new = self.find_branches(&first, false);
        for (id, edge) in self.icfg.edges.iter() {
            match &edge.label {
                Label::Stmt(Stmt::Assume(condition)) => {
                    let vars = self.vars_of(*condition);
                    let matters = match self.role(&first, id) {
                        Role::Decides => true,
                        Role::Assumes => vars.iter().any(|v| self.variables.contains(v)),
                        Role::Idle => false,
                    };
                    if matters {
                        for v in vars {
                            is_new |= self.variables.insert(v);
                        }
                    }
                }
                Label::Stmt(Stmt::Assign(pairs)) => {
                    for (v, t) in pairs {
                        if self.variables.contains(v) {
                            is_new |= !std::mem::replace(&mut self.observed[edge.src], true);
                            for read in self.vars_of(*t) {
                                is_new |= self.variables.insert(read);
                            }
                        }
                    }
                }
                Label::Stmt(Stmt::Havoc(vars, _)) if vars.iter().any(|v| self.variables.contains(v)) => {
                    is_new |= !std::mem::replace(&mut self.observed[edge.src], true);
                }
                _ => {}
            }
        }
        is_new || self.find_branches(&first, true)
    }

    /// Finds locations whose successors differ in what comes first.
    fn find_branches(&mut self, first: &IdVec<LocId, First>, with_several: bool) -> bool {
        let mut is_new = false;
        let icfg = self.icfg;
        let is_observed = |l: &LocId| self.observed[*l];
        let busy: FastSet<usize> = icfg.locs.ids().filter(is_observed).filter_map(|l| self.cycles[l]).collect();
        for loc in icfg.locs.ids() {
            if self.branches[loc] {
                continue;
            }
            let mut own: Vec<First> = successors(icfg, loc).map(|next| first[next]).collect();
            if self.cycles[loc].is_none_or(|c| !busy.contains(&c)) {
                own.retain(|f| *f != First::None);
            }
            let differ = own.windows(2).any(|w| w[0] != w[1]);
            if differ && (with_several || !own.contains(&First::Several)) {
                self.branches[loc] = true;
                self.observed[loc] = true;
                is_new = true;
            }
        }
        is_new
    }

    fn role(&self, first: &IdVec<LocId, First>, edge: ir::EdgeId) -> Role {
        let src = self.icfg.edges[edge].src;
        if self.branches[src] {
            return Role::Decides;
        }
        if first[self.icfg.edges[edge].dst] == First::None {
            return Role::Idle;
        }
        let n_open = successors(self.icfg, src).count();
        let is_only_way = n_open == 1 || successors(self.icfg, src).any(|next| first[next] == First::None);
        if is_only_way { Role::Assumes } else { Role::Idle }
    }

    fn first(&self) -> IdVec<LocId, First> {
        let icfg = self.icfg;
        let mut first: IdVec<LocId, First> = icfg.locs.values().map(|_| First::None).collect();
        let mut waiting: Vec<LocId> = icfg.locs.ids().filter(|&l| self.observed[l]).collect();
        for &loc in &waiting {
            first[loc] = if icfg.locs[loc].error.is_some() { First::Error } else { First::Location(loc) };
        }
        while let Some(loc) = waiting.pop() {
            for &e in icfg.in_edges(loc) {
                let edge = &icfg.edges[e];
                if self.observed[edge.src] || matches!(edge.label, Label::Stmt(Stmt::Assume(TermId::FALSE))) {
                    continue;
                }
                let joined = first[edge.src].join(first[loc]);
                if joined != first[edge.src] {
                    first[edge.src] = joined;
                    waiting.push(edge.src);
                }
            }
        }
        first
    }

    fn result(&self) -> Option<Icfg> {
        let first = self.first();
        let mut sliced = self.icfg.clone();
        let mut n_changed = 0;
        for (id, edge) in self.icfg.edges.iter() {
            let label = match &edge.label {
                Label::Stmt(Stmt::Assume(condition)) => {
                    let vars = self.vars_of(*condition);
                    let is_kept = match self.role(&first, id) {
                        Role::Decides => true,
                        Role::Assumes | Role::Idle => vars.iter().all(|v| self.variables.contains(v)),
                    };
                    if is_kept {
                        continue;
                    }
                    Stmt::Assume(TermId::TRUE)
                }
                Label::Stmt(Stmt::Assign(pairs)) if pairs.iter().all(|(v, _)| !self.variables.contains(v)) => {
                    Stmt::Havoc(pairs.iter().map(|(v, _)| *v).collect(), Nondet::Choice)
                }
                _ => continue,
            };
            n_changed += 1;
            sliced.edges[id].label = Label::Stmt(label);
        }
        (n_changed > 0).then_some(sliced)
    }
}
