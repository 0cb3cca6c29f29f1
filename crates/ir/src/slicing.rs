//! Graphs without what the checks do not depend on (Weiser: Program Slicing, 1981), for proofs.
//!
//! Some variables are chosen. Assignments to the others are dropped, conditions about the others may hold or not, and
//! calls without an effect on the chosen ones are passed over. What flows into chosen variables is chosen, or else they
//! may have any value there; so every execution of the program is one of the smaller graph, as far as locations and
//! chosen variables go: what is proved there holds. What is violated there need not be violated.
//!
//! There are two forms. [`slice()`] leaves out locations and edges where nothing happens any more; its dropping is
//! trusted like inlining. [`weakened`] keeps all locations and edges: an assignment becomes a havoc of the same
//! variables, a condition loses conjuncts. Each edge then allows what the original one allows, so an annotation that is
//! inductive for the weaker graph is inductive for the graph itself. Nothing is trusted there, as the checker sees the
//! graph itself; engines that give only proofs use it.
//!
//! Chosen are the variables of the checks and all that flows into them. Departure from the paper: conditions that
//! merely decide whether a step is made do not count, but for those that speak about a chosen number anyway, and
//! ([`Depth::Guards`]) the last ones that lead to the checks and those that end the loops in which chosen variables
//! change. With all of them hardly anything could be dropped.

use crate::icfg::{CallSite, Edge, EdgeId, Icfg, Label, LocId};
use crate::program::{Nondet, Note, ProcId, Stmt, VarId, VarKind};
use base::IdVec;
use logic::{FastMap, FastSet, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

/// How much is kept.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Depth {
    /// What flows into the conditions of the checks; memory only if a check reads it.
    Data,
    /// Also what decides whether a check is made, and how often loops go round.
    Guards,
}

/// The number of controlling conditions of a check that are kept.
const N_GUARDS: usize = 4;

/// The graph without what the checks do not depend on. A graph of blocks is not sliced.
pub fn slice(pool: &mut TermPool, icfg: &Icfg, depth: Depth) -> Icfg {
    if has_blocks(icfg) {
        return icfg.clone();
    }
    let chosen = Choice::new(pool, icfg, depth).chosen;
    Smaller::new(pool, icfg, &chosen).graph()
}

/// The graph with the same locations and edges in which what the checks do not depend on is left open; `None` if that
/// is nothing.
pub fn weakened(pool: &mut TermPool, icfg: &Icfg, depth: Depth) -> Option<Icfg> {
    if has_blocks(icfg) || icfg.has_calls() || icfg.has_threads() {
        return None;
    }
    let chosen = Choice::new(pool, icfg, depth).chosen;
    let about = About::new(icfg, &chosen);
    let mut weaker = icfg.clone();
    let mut has_changed = false;
    for (_, edge) in weaker.edges.iter_mut() {
        let label = match &edge.label {
            Label::Stmt(Stmt::Assume(condition)) => Label::Stmt(Stmt::Assume(about.part_of(pool, *condition))),
            Label::Stmt(Stmt::Assign(pairs)) if pairs.iter().all(|(v, _)| !chosen[*v]) => {
                Label::Stmt(Stmt::Havoc(pairs.iter().map(|(v, _)| *v).collect(), Nondet::Choice))
            }
            _ => continue,
        };
        has_changed |= label != edge.label;
        edge.label = label;
    }
    has_changed.then_some(weaker)
}

fn has_blocks(icfg: &Icfg) -> bool {
    icfg.edges.values().any(|e| matches!(e.label, Label::Block(_)))
}

/// Does nothing happen on an edge?
pub fn is_skip(edge: &Edge) -> bool {
    matches!(edge.label, Label::Stmt(Stmt::Assume(TermId::TRUE)))
}

/// Which variables are chosen.
struct Choice<'a> {
    pool: &'a TermPool,
    icfg: &'a Icfg,
    variables: FastMap<TermId, VarId>,
    reads: FastMap<TermId, Vec<VarId>>,
    chosen: IdVec<VarId, bool>,
    /// Never chosen: what is assigned from them is any value.
    barred: IdVec<VarId, bool>,
    has_changed: bool,
}

impl<'a> Choice<'a> {
    fn new(pool: &'a TermPool, icfg: &'a Icfg, depth: Depth) -> Choice<'a> {
        let variables = icfg.vars.iter().map(|(id, v)| (v.term, id)).collect();
        let chosen = IdVec::from_elem(false, icfg.vars.len());
        let (barred, reads) = (chosen.clone(), FastMap::default());
        let mut choice = Choice { pool, icfg, variables, reads, chosen, barred, has_changed: true };
        if depth == Depth::Data && !icfg.has_threads() {
            choice.bar_maps();
        }
        choice.checks(if depth == Depth::Guards { N_GUARDS } else { 1 });
        let loops: Vec<BTreeSet<LocId>> = match depth {
            Depth::Data => Vec::new(),
            Depth::Guards => {
                icfg.procs.values().flat_map(|p| icfg.loop_bodies(p.entry)).map(|(_, body)| body).collect()
            }
        };
        while choice.has_changed {
            choice.has_changed = false;
            choice.flow();
            choice.shared_conditions();
            if !loops.is_empty() {
                choice.ends_of_loops(&loops);
            }
        }
        choice
    }

    fn choose(&mut self, v: VarId) {
        if !self.barred[v] {
            self.has_changed |= !self.chosen[v];
            self.chosen[v] = true;
        }
    }

    fn is_scalar(&self, v: VarId) -> bool {
        self.pool.array_parts(self.pool.sort(self.icfg.vars[v].term)).is_none()
    }

    /// Where no check reads memory, memory is not followed, nor parameters that are given what stands there.
    fn bar_maps(&mut self) {
        let icfg = self.icfg;
        for loc in icfg.error_locs() {
            for e in icfg.in_edges(loc) {
                if let Label::Stmt(Stmt::Assume(condition)) = icfg.edges[*e].label
                    && self.read(condition).iter().any(|v| !self.is_scalar(*v))
                {
                    return;
                }
            }
        }
        for (v, variable) in icfg.vars.iter() {
            self.barred[v] = !self.is_scalar(v);
            if let VarKind::Old(global) = variable.kind {
                self.barred[v] |= !self.is_scalar(global);
            }
        }
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for site in icfg.call_sites.values() {
                for (&param, &arg) in icfg.procs[site.callee].params.iter().zip(&site.args) {
                    if !self.barred[param] && self.read(arg).iter().any(|v| self.barred[*v]) {
                        self.barred[param] = true;
                        has_changed = true;
                    }
                }
            }
        }
    }

    /// The variables of a term.
    fn read(&mut self, term: TermId) -> Vec<VarId> {
        if let Some(known) = self.reads.get(&term) {
            return known.clone();
        }
        let constants = self.pool.free_constants(term);
        let read: Vec<VarId> = constants.iter().filter_map(|c| self.variables.get(c)).copied().collect();
        self.reads.insert(term, read.clone());
        read
    }

    fn choose_all_of(&mut self, term: TermId) {
        for v in self.read(term) {
            self.choose(v);
        }
    }

    /// The last conditions on every path to an error, up to a number, also those in callers.
    fn checks(&mut self, n_conditions: usize) {
        let icfg = self.icfg;
        let mut dominators: BTreeMap<ProcId, Dominators> = BTreeMap::new();
        let mut left: BTreeMap<LocId, usize> = BTreeMap::new();
        let mut work: Vec<(LocId, usize)> = icfg.error_locs().map(|loc| (loc, n_conditions)).collect();
        while let Some((loc, n)) = work.pop() {
            if n == 0 || left.get(&loc).is_some_and(|known| *known >= n) {
                continue;
            }
            left.insert(loc, n);
            let proc = icfg.locs[loc].proc;
            let own = dominators.entry(proc).or_insert_with(|| Dominators::new(icfg, icfg.procs[proc].entry));
            let before = own.before.get(&loc).map_or(&[][..], Vec::as_slice);
            if before.len() == 1 || icfg.locs[loc].error.is_some() {
                for &(src, e) in before {
                    let mut rest = n;
                    let edge = &icfg.edges[e];
                    if let (Label::Stmt(Stmt::Assume(condition)), true) = (&edge.label, edge.note != Note::Fact) {
                        let read = self.read(*condition);
                        rest -= usize::from(!read.is_empty());
                        read.into_iter().for_each(|v| self.choose(v));
                    }
                    work.push((src, rest));
                }
            } else if let Some(&dominator) = own.nearest.get(&loc) {
                work.push((dominator, n));
            }
            if loc == icfg.procs[proc].entry {
                let callers = icfg.call_sites.values().filter(|site| site.callee == proc);
                work.extend(callers.map(|site| (icfg.edges[site.call_edge].src, n)));
            }
        }
        for edge in icfg.edges.values() {
            // Which threads are meant always matters.
            if let Label::Fork { id, .. } | Label::Join { id, .. } = &edge.label {
                id.iter().for_each(|t| self.choose_all_of(*t));
            }
        }
    }

    /// What flows into chosen variables is chosen.
    fn flow(&mut self) {
        let icfg = self.icfg;
        let mut forked: BTreeSet<ProcId> = BTreeSet::new();
        for edge in icfg.edges.values() {
            match &edge.label {
                Label::Stmt(Stmt::Assign(pairs)) => {
                    for &(v, term) in pairs {
                        if self.chosen[v] {
                            self.choose_all_of(term);
                        }
                    }
                }
                Label::Fork { callee, args, .. } => {
                    forked.insert(*callee);
                    self.arguments(*callee, args);
                }
                _ => {}
            }
        }
        for site in icfg.call_sites.values() {
            self.arguments(site.callee, &site.args);
            for (target, result) in site.results.iter().zip(&icfg.procs[site.callee].results) {
                if self.chosen[*target] {
                    self.choose(*result);
                }
            }
        }
        for edge in icfg.edges.values() {
            let Label::Join { results, .. } = &edge.label else { continue };
            for (i, &target) in results.iter().enumerate() {
                let passed = forked.iter().filter_map(|proc| icfg.procs[*proc].results.get(i));
                if self.chosen[target] {
                    passed.for_each(|result| self.choose(*result));
                }
            }
        }
        for (v, variable) in icfg.vars.iter() {
            if let (VarKind::Old(global), true) = (variable.kind, self.chosen[v]) {
                self.choose(global);
            }
        }
    }

    fn arguments(&mut self, callee: ProcId, args: &[TermId]) {
        let icfg = self.icfg;
        for (param, arg) in icfg.procs[callee].params.iter().zip(args) {
            if self.chosen[*param] {
                self.choose_all_of(*arg);
            }
        }
    }

    /// Conditions that compare a chosen number with other numbers.
    fn shared_conditions(&mut self) {
        let (pool, icfg) = (self.pool, self.icfg);
        for edge in icfg.edges.values() {
            let Label::Stmt(Stmt::Assume(condition)) = edge.label else { continue };
            if edge.note == Note::Fact {
                continue;
            }
            for part in pool.conjuncts(condition) {
                let read = self.read(part);
                let (own, others): (Vec<VarId>, Vec<VarId>) = read.into_iter().partition(|v| self.chosen[*v]);
                if own.iter().any(|v| self.is_scalar(*v)) && others.iter().all(|v| self.is_scalar(*v)) {
                    others.into_iter().for_each(|v| self.choose(v));
                }
            }
        }
    }

    /// The conditions that end loops in which chosen variables change.
    fn ends_of_loops(&mut self, loops: &[BTreeSet<LocId>]) {
        let icfg = self.icfg;
        let relevant = relevant_procedures(icfg, &self.chosen);
        for body in loops {
            let edges = || body.iter().flat_map(|loc| icfg.out_edges(*loc)).map(|e| &icfg.edges[*e]);
            let matters = |edge: &Edge| match &edge.label {
                Label::Call(site) => relevant.contains(&icfg.call_sites[*site].callee),
                _ => is_effect(icfg, edge, &self.chosen) || icfg.locs[edge.dst].error.is_some(),
            };
            if !edges().any(matters) {
                continue;
            }
            for edge in edges().filter(|e| !body.contains(&e.dst)) {
                if let Label::Stmt(Stmt::Assume(condition)) = edge.label {
                    self.choose_all_of(condition);
                }
            }
        }
    }
}

/// What every way to a location in a procedure passes (Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm,
/// 2001).
struct Dominators {
    /// The last such location before it.
    nearest: FastMap<LocId, LocId>,
    /// The edges that lead to a location, and where they come from; calls are passed over.
    before: FastMap<LocId, Vec<(LocId, EdgeId)>>,
}

impl Dominators {
    fn new(icfg: &Icfg, entry: LocId) -> Dominators {
        let rank = icfg.local_order(entry).rank;
        let mut order: Vec<LocId> = icfg.locs.ids().filter(|l| rank[*l] != u32::MAX).collect();
        order.sort_unstable_by_key(|l| rank[*l]);
        let mut before: FastMap<LocId, Vec<(LocId, EdgeId)>> = FastMap::default();
        for &loc in &order {
            for (edge, next) in icfg.local_successors(loc) {
                before.entry(next).or_default().push((loc, edge));
            }
        }
        let mut nearest: FastMap<LocId, LocId> = FastMap::from_iter([(entry, entry)]);
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for &loc in order.iter().filter(|l| **l != entry) {
                let ways = before.get(&loc).into_iter().flatten().map(|(src, _)| *src);
                let meet = |a: LocId, b: LocId| {
                    let (mut a, mut b) = (a, b);
                    while a != b {
                        if rank[a] > rank[b] {
                            a = nearest[&a];
                        } else {
                            b = nearest[&b];
                        }
                    }
                    a
                };
                let found = ways.filter(|src| nearest.contains_key(src)).reduce(meet);
                if let Some(found) = found
                    && nearest.get(&loc) != Some(&found)
                {
                    nearest.insert(loc, found);
                    has_changed = true;
                }
            }
        }
        nearest.remove(&entry);
        Dominators { nearest, before }
    }
}

/// Does an edge change a chosen variable, or what threads do?
fn is_effect(icfg: &Icfg, edge: &Edge, chosen: &IdVec<VarId, bool>) -> bool {
    match &edge.label {
        Label::Stmt(Stmt::Assume(_)) => false,
        Label::Stmt(Stmt::Assign(pairs)) => pairs.iter().any(|(v, _)| chosen[*v]),
        Label::Stmt(Stmt::Havoc(vars, _)) => vars.iter().any(|v| chosen[*v]),
        Label::Return(site) => icfg.call_sites[*site].results.iter().any(|v| chosen[*v]),
        Label::Call(_) => false,
        Label::Block(_) | Label::Fork { .. } | Label::Join { .. } | Label::AtomicBegin | Label::AtomicEnd => true,
    }
}

/// The procedures that change a chosen variable or make a check, callees included.
fn relevant_procedures(icfg: &Icfg, chosen: &IdVec<VarId, bool>) -> FastSet<ProcId> {
    let mut relevant: FastSet<ProcId> = FastSet::default();
    for loc in icfg.error_locs() {
        relevant.insert(icfg.locs[loc].proc);
    }
    for edge in icfg.edges.values() {
        if let Label::Return(site) = edge.label {
            let site = &icfg.call_sites[site];
            if site.results.iter().any(|v| chosen[*v]) {
                relevant.extend([site.callee, site.caller]);
            }
        } else if is_effect(icfg, edge, chosen) {
            relevant.insert(icfg.locs[edge.src].proc);
        }
    }
    loop {
        let n = relevant.len();
        for site in icfg.call_sites.values() {
            if relevant.contains(&site.callee) {
                relevant.insert(site.caller);
            }
        }
        if relevant.len() == n {
            return relevant;
        }
    }
}

/// Recognises terms about chosen variables.
struct About<'a> {
    by_term: FastMap<TermId, VarId>,
    chosen: &'a IdVec<VarId, bool>,
}

impl<'a> About<'a> {
    fn new(icfg: &Icfg, chosen: &'a IdVec<VarId, bool>) -> About<'a> {
        About { by_term: icfg.vars.iter().map(|(id, v)| (v.term, id)).collect(), chosen }
    }

    /// Does a term speak of no variable that is not chosen?
    fn is_met_by(&self, pool: &TermPool, t: TermId) -> bool {
        pool.free_constants(t).iter().all(|c| self.by_term.get(c).is_none_or(|v| self.chosen[*v]))
    }

    /// The conjuncts that speak of chosen variables alone.
    fn part_of(&self, pool: &mut TermPool, condition: TermId) -> TermId {
        let mut parts = pool.conjuncts(condition);
        parts.retain(|p| self.is_met_by(pool, *p));
        pool.and(&parts)
    }
}

/// A graph with only the chosen variables, while it is made.
struct Smaller<'a> {
    icfg: &'a Icfg,
    chosen: &'a IdVec<VarId, bool>,
    /// The edges that stay, by their old numbers.
    edges: BTreeMap<EdgeId, Edge>,
}

impl<'a> Smaller<'a> {
    fn new(pool: &mut TermPool, icfg: &'a Icfg, chosen: &'a IdVec<VarId, bool>) -> Smaller<'a> {
        let about = About::new(icfg, chosen);
        let relevant = relevant_procedures(icfg, chosen);
        let skip = || Label::Stmt(Stmt::Assume(TermId::TRUE));
        let mut edges = BTreeMap::new();
        for (id, edge) in icfg.edges.iter() {
            let mut edge = edge.clone();
            edge.label = match edge.label {
                Label::Stmt(Stmt::Assume(condition)) => Label::Stmt(Stmt::Assume(about.part_of(pool, condition))),
                Label::Stmt(Stmt::Assign(mut pairs)) => {
                    pairs.retain(|(v, _)| chosen[*v]);
                    if pairs.is_empty() {
                        skip()
                    } else if pairs.iter().all(|(_, t)| about.is_met_by(pool, *t)) {
                        Label::Stmt(Stmt::Assign(pairs))
                    } else {
                        let vars = pairs.iter().map(|(v, _)| *v).collect();
                        Label::Stmt(Stmt::Havoc(vars, Nondet::Choice))
                    }
                }
                Label::Stmt(Stmt::Havoc(mut vars, why)) => {
                    vars.retain(|v| chosen[*v]);
                    if vars.is_empty() { skip() } else { Label::Stmt(Stmt::Havoc(vars, why)) }
                }
                // Past calls without effect.
                Label::Call(site) if !relevant.contains(&icfg.call_sites[site].callee) => {
                    edge.dst = icfg.edges[icfg.call_sites[site].return_edge].dst;
                    skip()
                }
                Label::Return(site) if !relevant.contains(&icfg.call_sites[site].callee) => continue,
                other => other,
            };
            edges.insert(id, edge);
        }
        Smaller { icfg, chosen, edges }
    }

    fn graph(mut self) -> Icfg {
        self.keep_reachable();
        // Branches that come together again become one edge, and that may make others meet.
        for _ in 0..MAX_ROUNDS {
            if !self.pass_over() {
                break;
            }
            self.keep_reachable();
        }
        self.build()
    }

    /// Drops the edges of places where no execution comes, as far as the shape of the graph says.
    fn keep_reachable(&mut self) {
        let mut next: FastMap<LocId, Vec<LocId>> = FastMap::default();
        for edge in self.edges.values() {
            let targets = next.entry(edge.src).or_default();
            targets.push(edge.dst);
            if let Label::Fork { callee, .. } = &edge.label {
                targets.push(self.icfg.procs[*callee].entry);
            }
        }
        let mut reached: FastSet<LocId> = FastSet::default();
        let mut work = vec![self.icfg.entry()];
        while let Some(loc) = work.pop() {
            if reached.insert(loc) {
                work.extend(next.get(&loc).into_iter().flatten());
            }
        }
        // A call and its return stay together.
        let sites = &self.icfg.call_sites;
        let is_left = |edge: &Edge| match edge.label {
            Label::Return(site) => reached.contains(&self.icfg.edges[sites[site].call_edge].src),
            _ => reached.contains(&edge.src),
        };
        self.edges.retain(|_, edge| is_left(edge));
    }

    /// Leaves out locations where nothing happens and drops edges that are there twice. Did that change anything?
    fn pass_over(&mut self) -> bool {
        let n_before = self.edges.len();
        let mut out: FastMap<LocId, Vec<EdgeId>> = FastMap::default();
        for (id, edge) in &self.edges {
            out.entry(edge.src).or_default().push(*id);
        }
        let fixed: FastSet<LocId> = self.icfg.procs.values().flat_map(|p| [p.entry, p.exit]).collect();
        // Where an execution continues unconditionally after a location.
        let mut passed: FastMap<LocId, LocId> = FastMap::default();
        for (loc, edges) in &out {
            if let [edge] = edges[..]
                && is_skip(&self.edges[&edge])
                && !fixed.contains(loc)
                && self.edges[&edge].dst != *loc
            {
                passed.insert(*loc, self.edges[&edge].dst);
            }
        }
        let end = |start: LocId| {
            let mut loc = start;
            let mut seen: FastSet<LocId> = FastSet::default();
            while let Some(&next) = passed.get(&loc) {
                if !seen.insert(loc) {
                    break;
                }
                loc = next;
            }
            loc
        };
        let mut has_changed = false;
        for edge in self.edges.values_mut() {
            // Calls lead to entries, which stay.
            let dst = end(edge.dst);
            has_changed |= dst != edge.dst;
            edge.dst = dst;
        }
        let mut seen: FastSet<(LocId, LocId)> = FastSet::default();
        self.edges.retain(|_, edge| !is_skip(edge) || edge.src != edge.dst && seen.insert((edge.src, edge.dst)));
        has_changed || self.edges.len() != n_before
    }

    fn build(self) -> Icfg {
        let icfg = self.icfg;
        let mut graph = Icfg::new();
        graph.vars = icfg.vars.clone();
        graph.globals.clone_from(&icfg.globals);
        graph.procs = icfg.procs.clone();
        for (_, proc) in graph.procs.iter_mut() {
            proc.modifies.retain(|v| self.chosen[*v]);
        }
        graph.root = icfg.root;
        graph.axioms.clone_from(&icfg.axioms);
        for data in icfg.locs.values() {
            let loc = graph.add_loc(data.proc, data.span);
            graph.locs[loc] = data.clone();
        }
        let mut renumbered: FastMap<EdgeId, EdgeId> = FastMap::default();
        for (id, edge) in &self.edges {
            let new = graph.add_edge(edge.src, edge.dst, edge.label.clone(), edge.span, edge.note);
            renumbered.insert(*id, new);
        }
        for site in icfg.call_sites.values() {
            let (Some(&call_edge), Some(&return_edge)) =
                (renumbered.get(&site.call_edge), renumbered.get(&site.return_edge))
            else {
                continue;
            };
            if !matches!(graph.edges[call_edge].label, Label::Call(_)) {
                continue;
            }
            let own = graph.call_sites.push(CallSite { call_edge, return_edge, ..site.clone() });
            graph.edges[call_edge].label = Label::Call(own);
            graph.edges[return_edge].label = Label::Return(own);
        }
        graph.mark_loop_heads();
        graph
    }
}

/// How often locations are left out.
const MAX_ROUNDS: usize = 20;
