//! Inlining: calls of procedures that are not recursive are replaced by copies of their bodies.
//!
//! Each copy (an *instance*) has variables of its own. Entering it is one parallel assignment,
//! parameters from arguments and `old(g)` from `g` for the old variables that the body mentions; then
//! those locals become arbitrary that may be read before they are written (without this, a copy in a loop
//! would see the values of the iteration before). Leaving it assigns the results. The first copy of a
//! procedure keeps the constants of the original's variables, so nothing needs to be rewritten in
//! the common case of one call.
//!
//! Procedures on a cycle of the call graph stay, as do the procedures that threads run. The size of the
//! result is computed before any copy is made; it may be exponential in the depth of the call graph.
//!
//! Every location, edge and variable of the result knows what it is a copy of, and through which
//! calls: see [`InlineMap`].

use crate::dataflow::{VarIndex, read_before_written};
use crate::icfg::{CallSite, CallSiteId, EdgeId, Icfg, IcfgProc, Label, LocId};
use crate::program::{Nondet, Note, ProcId, Stmt, VarId, VarKind, Variable};
use crate::transition::{Transition, primed};
use crate::verdict::{Counterexample, TraceStep};
use base::{Id, IdVec};
use logic::{FastMap, Substitution, TermId, TermPool};

base::define_id!(
    /// A chain of inlined calls.
    ContextId, "ctx"
);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InlineLimits {
    /// The most edges the result may have.
    pub max_edges: usize,
}

impl Default for InlineLimits {
    fn default() -> Self {
        InlineLimits { max_edges: 200_000 }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InlineError {
    /// The result would have this many edges.
    TooLarge(usize),
}

impl std::fmt::Display for InlineError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            InlineError::TooLarge(n) => write!(f, "inlining all calls would make {n} edges"),
        }
    }
}

/// Where a copy stands: the procedure it is of, and the chain of call sites it was reached through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Context {
    /// The procedure of the original graph whose body was copied.
    pub proc: ProcId,
    /// The call that was inlined, in the original graph, and where that call stands. `None` for
    /// the procedures that stayed.
    pub call: Option<(CallSiteId, ContextId)>,
}

/// What an edge of the result does for the original one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EdgeRole {
    /// The same step.
    Same,
    /// Stands for the call edge: assigns parameters and old variables.
    Enter,
    /// Stands for the call edge too: makes the callee's locals arbitrary.
    Arbitrary,
    /// Stands for the return edge: assigns the results.
    Leave,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EdgeOrigin {
    pub edge: EdgeId,
    pub context: ContextId,
    pub role: EdgeRole,
}

/// From the inlined graph back to the original one.
#[derive(Clone, Debug, Default)]
pub struct InlineMap {
    pub edges: IdVec<EdgeId, EdgeOrigin>,
    pub locs: IdVec<LocId, (LocId, ContextId)>,
    /// Globals have no context.
    pub vars: IdVec<VarId, (VarId, Option<ContextId>)>,
    pub procs: IdVec<ProcId, ProcId>,
    pub contexts: IdVec<ContextId, Context>,
}

impl InlineMap {
    /// The inlined call sites that lead to a context, outermost first.
    pub fn call_string(&self, mut context: ContextId) -> Vec<CallSiteId> {
        let mut sites = Vec::new();
        while let Some((site, outer)) = self.contexts[context].call {
            sites.push(site);
            context = outer;
        }
        sites.reverse();
        sites
    }

    /// The same execution in the original graph.
    pub fn original_counterexample(&self, trace: &Counterexample) -> Counterexample {
        let original = |chosen: &std::collections::BTreeMap<VarId, logic::Value>| -> Vec<(VarId, logic::Value)> {
            chosen.iter().filter_map(|(v, value)| Some((self.vars.get(*v)?.0, value.clone()))).collect()
        };
        // Variables that were added to the inlined graph later are unknown here.
        let is_outermost = |v: VarId| {
            self.vars.get(v).is_some_and(|(_, context)| context.is_none_or(|c| self.contexts[c].call.is_none()))
        };
        let initial = trace
            .initial
            .iter()
            .filter(|(v, _)| is_outermost(**v))
            .map(|(v, value)| (self.vars[*v].0, value.clone()))
            .collect();
        let mut steps: Vec<TraceStep> = Vec::with_capacity(trace.steps.len());
        for step in &trace.steps {
            let origin = self.edges[step.edge];
            match (origin.role, steps.last_mut()) {
                (EdgeRole::Arbitrary, Some(call)) => call.chosen.extend(original(&step.chosen)),
                (EdgeRole::Arbitrary, None) => {}
                (EdgeRole::Same | EdgeRole::Enter | EdgeRole::Leave, _) => {
                    steps.push(TraceStep { edge: origin.edge, chosen: original(&step.chosen).into_iter().collect() });
                }
            }
        }
        Counterexample { initial, steps, symbols: trace.symbols.clone() }
    }
}

/// The graph without calls of procedures that are not recursive.
pub fn inline_calls(icfg: &Icfg, pool: &mut TermPool, limits: &InlineLimits) -> Result<(Icfg, InlineMap), InlineError> {
    inline_calls_but(icfg, pool, limits, &[])
}

/// Like [`inline_calls`]; calls of some more procedures stay.
pub fn inline_calls_but(
    icfg: &Icfg,
    pool: &mut TermPool,
    limits: &InlineLimits,
    stay: &[ProcId],
) -> Result<(Icfg, InlineMap), InlineError> {
    let mut calls = CallGraph::new(icfg);
    for &p in stay {
        calls.stays[p] = true;
    }
    inline(icfg, pool, limits, calls, None)
}

/// The executions in which no procedure is active more than `depth` times at once: calls of recursive procedures are
/// inlined, too, and an execution that goes deeper ends as by an assumption that fails.
pub fn unroll_recursion(
    icfg: &Icfg,
    pool: &mut TermPool,
    limits: &InlineLimits,
    depth: usize,
) -> Result<(Icfg, InlineMap), InlineError> {
    let mut calls = CallGraph::new(icfg);
    for p in icfg.procs.ids() {
        calls.stays[p] = false;
    }
    inline(icfg, pool, limits, calls, Some(depth))
}

fn inline(
    icfg: &Icfg,
    pool: &mut TermPool,
    limits: &InlineLimits,
    calls: CallGraph,
    depth: Option<usize>,
) -> Result<(Icfg, InlineMap), InlineError> {
    let kept = calls.kept(icfg);
    let size = if depth.is_some() { 0 } else { calls.inlined_size(icfg, &kept) };
    if size > limits.max_edges {
        return Err(InlineError::TooLarge(size));
    }
    let index = VarIndex::new(icfg);
    let exposed = read_before_written(icfg, pool);
    let mut inliner = Inliner {
        icfg,
        calls,
        depth,
        exposed,
        olds: old_vars(icfg, pool, &index),
        has_blocks: icfg.edges.values().any(|e| matches!(e.label, Label::Block(_))),
        result: Icfg::new(),
        map: InlineMap::default(),
        new_proc: IdVec::from_elem(None, icfg.procs.len()),
        has_copy: IdVec::from_elem(false, icfg.procs.len()),
        new_loc: IdVec::from_elem(LocId(u32::MAX), icfg.locs.len()),
        shared: FastMap::default(),
        work: Vec::new(),
    };
    inliner.add_kept(&kept);
    while let Some(instance) = inliner.work.pop() {
        inliner.copy(pool, instance);
        if inliner.result.edges.len() > limits.max_edges {
            return Err(InlineError::TooLarge(inliner.result.edges.len()));
        }
    }
    let Inliner { mut result, map, .. } = inliner;
    result.acceptance = icfg.acceptance.as_ref().map(|accepting| {
        map.locs.iter().filter(|(_, (original, _))| accepting.contains(original)).map(|(copy, _)| copy).collect()
    });
    Ok((result, map))
}

/// Can a procedure call itself, directly or through others?
pub fn has_recursion(icfg: &Icfg) -> bool {
    CallGraph::new(icfg).stays.values().any(|&stays| stays)
}

/// How many edges there would be with the calls of all procedures that are not recursive inlined.
pub fn inlined_size(icfg: &Icfg) -> usize {
    let calls = CallGraph::new(icfg);
    calls.inlined_size(icfg, &calls.kept(icfg))
}

/// Procedures that should not be inlined, so that the result has at most this number of edges (or as few as possible):
/// greedily, the one whose copies cost most.
pub fn too_large_to_copy(icfg: &Icfg, max_edges: usize) -> Vec<ProcId> {
    let mut calls = CallGraph::new(icfg);
    let mut chosen = Vec::new();
    loop {
        let kept = calls.kept(icfg);
        if calls.inlined_size(icfg, &kept) <= max_edges {
            return chosen;
        }
        let (sizes, copies) = (calls.sizes(icfg), calls.copies(icfg, &kept));
        let cost = |p: ProcId| copies[p].saturating_sub(1).saturating_mul(sizes[p]);
        let candidates = icfg.procs.ids().filter(|&p| !calls.stays[p] && Some(p) != icfg.root && cost(p) > 0);
        // The first of equals, so that the choice is the same every time.
        let Some(most) = candidates.max_by_key(|&p| (cost(p), std::cmp::Reverse(p))) else { return chosen };
        calls.stays[most] = true;
        chosen.push(most);
    }
}

/// The old variables that occur in each procedure, by procedure.
fn old_vars(icfg: &Icfg, pool: &TermPool, index: &VarIndex) -> IdVec<ProcId, Vec<VarId>> {
    let mut olds: IdVec<ProcId, Vec<VarId>> = IdVec::from_elem(Vec::new(), icfg.procs.len());
    if !icfg.vars.values().any(|v| matches!(v.kind, VarKind::Old(_))) {
        return olds;
    }
    for edge in icfg.edges.values() {
        let vars = index.vars_of(pool, &icfg.read_terms(&edge.label));
        olds[icfg.locs[edge.src].proc]
            .extend(vars.into_iter().filter(|&v| matches!(icfg.vars[v].kind, VarKind::Old(_))));
    }
    for p in icfg.procs.ids() {
        olds[p].sort_unstable();
        olds[p].dedup();
    }
    olds
}

struct CallGraph {
    /// Call sites by caller, in order.
    sites: IdVec<ProcId, Vec<CallSiteId>>,
    /// Edges by procedure (a call edge belongs to the caller; return edges are not counted).
    edges: IdVec<ProcId, Vec<EdgeId>>,
    locs: IdVec<ProcId, Vec<LocId>>,
    /// Calls of it are not inlined: it is recursive, or the caller of this function asks to keep it.
    stays: IdVec<ProcId, bool>,
    /// Callees before their callers, except on cycles.
    bottom_up: Vec<ProcId>,
}

impl CallGraph {
    fn new(icfg: &Icfg) -> CallGraph {
        let n = icfg.procs.len();
        let mut sites: IdVec<ProcId, Vec<CallSiteId>> = IdVec::from_elem(Vec::new(), n);
        for (id, site) in icfg.call_sites.iter() {
            sites[site.caller].push(id);
        }
        let mut edges: IdVec<ProcId, Vec<EdgeId>> = IdVec::from_elem(Vec::new(), n);
        for (id, edge) in icfg.edges.iter() {
            if !matches!(edge.label, Label::Return(_)) {
                edges[icfg.locs[edge.src].proc].push(id);
            }
        }
        let mut locs: IdVec<ProcId, Vec<LocId>> = IdVec::from_elem(Vec::new(), n);
        for (id, loc) in icfg.locs.iter() {
            locs[loc.proc].push(id);
        }
        let callees: Vec<Vec<usize>> =
            sites.values().map(|s| s.iter().map(|&c| icfg.call_sites[c].callee.index()).collect()).collect();
        let components = strong_components(&callees);
        let mut recursive = IdVec::from_elem(false, n);
        for component in &components {
            for &p in component {
                recursive[ProcId::from_index(p)] = component.len() > 1 || callees[p].contains(&p);
            }
        }
        let bottom_up = components.into_iter().flatten().map(ProcId::from_index).collect();
        CallGraph { sites, edges, locs, stays: recursive, bottom_up }
    }

    /// The procedures that stay: the root, what threads run, and recursive ones, if they are reachable.
    fn kept(&self, icfg: &Icfg) -> Vec<ProcId> {
        let mut reached = IdVec::from_elem(false, icfg.procs.len());
        let mut forked = IdVec::from_elem(false, icfg.procs.len());
        let mut stack: Vec<ProcId> = icfg.root.into_iter().collect();
        while let Some(p) = stack.pop() {
            if std::mem::replace(&mut reached[p], true) {
                continue;
            }
            stack.extend(self.sites[p].iter().map(|&s| icfg.call_sites[s].callee));
            for &e in &self.edges[p] {
                if let Label::Fork { callee, .. } = icfg.edges[e].label {
                    forked[callee] = true;
                    stack.push(callee);
                }
            }
        }
        let stays = |p: &ProcId| reached[*p] && (Some(*p) == icfg.root || forked[*p] || self.stays[*p]);
        icfg.procs.ids().filter(stays).collect()
    }

    fn inlined_size(&self, icfg: &Icfg, kept: &[ProcId]) -> usize {
        let size = self.sizes(icfg);
        kept.iter().fold(0usize, |sum, &p| sum.saturating_add(size[p]))
    }

    /// How many copies of each body inlining makes.
    fn copies(&self, icfg: &Icfg, kept: &[ProcId]) -> IdVec<ProcId, usize> {
        let mut copies: IdVec<ProcId, usize> = IdVec::from_elem(0, icfg.procs.len());
        for &p in kept {
            copies[p] = 1;
        }
        for &p in self.bottom_up.iter().rev() {
            for &s in &self.sites[p] {
                let callee = icfg.call_sites[s].callee;
                if !self.stays[callee] {
                    copies[callee] = copies[callee].saturating_add(copies[p]);
                }
            }
        }
        copies
    }

    /// The number of edges of each body with what is inlined into it.
    fn sizes(&self, icfg: &Icfg) -> IdVec<ProcId, usize> {
        let mut size: IdVec<ProcId, usize> = IdVec::from_elem(0, icfg.procs.len());
        for &p in &self.bottom_up {
            let mut total = self.edges[p].len();
            for &s in &self.sites[p] {
                let callee = icfg.call_sites[s].callee;
                let body = if self.stays[callee] { 0 } else { size[callee] };
                total = total.saturating_add(body).saturating_add(2);
            }
            size[p] = total;
        }
        size
    }
}

/// Tarjan's algorithm without recursion; components come in reverse topological order.
fn strong_components(successors: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const NEW: usize = usize::MAX;
    let n = successors.len();
    let (mut number, mut low, mut on_stack) = (vec![NEW; n], vec![0; n], vec![false; n]);
    let (mut stack, mut components, mut counter) = (Vec::new(), Vec::new(), 0);
    for root in 0..n {
        if number[root] != NEW {
            continue;
        }
        let mut frames = vec![(root, 0)];
        while let Some((v, next)) = frames.last_mut() {
            let v = *v;
            if *next == 0 {
                number[v] = counter;
                low[v] = counter;
                counter += 1;
                stack.push(v);
                on_stack[v] = true;
            }
            if let Some(&w) = successors[v].get(*next) {
                *next += 1;
                if number[w] == NEW {
                    frames.push((w, 0));
                } else if on_stack[w] {
                    low[v] = low[v].min(number[w]);
                }
                // A first visit is recognised by `next == 0`, which holds only before any successor.
                continue;
            }
            frames.pop();
            if let Some((parent, _)) = frames.last() {
                low[*parent] = low[*parent].min(low[v]);
            }
            if low[v] == number[v] {
                let mut component = Vec::new();
                while let Some(w) = stack.pop() {
                    on_stack[w] = false;
                    component.push(w);
                    if w == v {
                        break;
                    }
                }
                component.sort_unstable();
                components.push(component);
            }
        }
    }
    components
}

/// A copy to be made.
struct Instance {
    proc: ProcId,
    /// The procedure of the result that it becomes part of.
    host: ProcId,
    context: ContextId,
    /// Its own variables; globals are in `Inliner::shared`.
    vars: FastMap<VarId, VarId>,
    renaming: Option<Substitution>,
    entry: LocId,
    exit: LocId,
}

struct Inliner<'a> {
    icfg: &'a Icfg,
    calls: CallGraph,
    /// How often a procedure may be active at once; `None`: recursive ones stay.
    depth: Option<usize>,
    exposed: IdVec<ProcId, Vec<VarId>>,
    olds: IdVec<ProcId, Vec<VarId>>,
    has_blocks: bool,
    result: Icfg,
    map: InlineMap,
    new_proc: IdVec<ProcId, Option<ProcId>>,
    /// Has the procedure given away its own constants?
    has_copy: IdVec<ProcId, bool>,
    /// Locations of the instance being copied.
    new_loc: IdVec<LocId, LocId>,
    /// Globals and old variables of procedures that stay.
    shared: FastMap<VarId, VarId>,
    work: Vec<Instance>,
}

impl Inliner<'_> {
    /// A variable of the result, with the original's constant unless another is given.
    fn add_var(&mut self, v: VarId, kind: VarKind, context: Option<ContextId>, term: Option<TermId>) -> VarId {
        let original = &self.icfg.vars[v];
        let term = term.unwrap_or(original.term);
        let copy = Variable { kind, term, ..original.clone() };
        self.map.vars.push((v, context));
        self.result.vars.push(copy)
    }

    /// Roles that name variables name their copies: those of an instance, or the shared ones.
    fn set_roles(&mut self, vars: &FastMap<VarId, VarId>) {
        let icfg = self.icfg;
        let copies: Vec<(VarId, VarId)> =
            if vars.is_empty() { self.shared.iter() } else { vars.iter() }.map(|(&v, &copy)| (v, copy)).collect();
        for (v, copy) in copies {
            let copy_of = |of: VarId| vars.get(&of).or_else(|| self.shared.get(&of)).copied();
            self.result.vars[copy].role = icfg.vars[v].role.copied(copy_of);
        }
    }

    fn add_loc(&mut self, host: ProcId, original: LocId, context: ContextId) -> LocId {
        let loc = &self.icfg.locs[original];
        let copy = self.result.add_loc(host, loc.span);
        self.result.locs[copy].is_loop_head = loc.is_loop_head;
        self.result.locs[copy].error = loc.error.clone();
        self.map.locs.push((original, context));
        copy
    }

    /// Globals, and the procedures that stay.
    fn add_kept(&mut self, kept: &[ProcId]) {
        let icfg = self.icfg;
        self.result.axioms = icfg.axioms.clone();
        for &g in &icfg.globals {
            let copy = self.add_var(g, VarKind::Global, None, None);
            self.result.globals.push(copy);
            self.shared.insert(g, copy);
        }
        self.set_roles(&FastMap::default());
        // Old variables: those that the procedures which stay speak of, and those that contracts
        // and nested interpolants about called ones may need.
        let mut wanted = vec![false; icfg.vars.len()];
        for &p in kept {
            for &v in &self.olds[p] {
                wanted[v.index()] = true;
            }
        }
        for (v, var) in icfg.vars.iter() {
            if let VarKind::Old(g) = var.kind {
                let changed = |&p: &ProcId| Some(p) != icfg.root && icfg.procs[p].modifies.binary_search(&g).is_ok();
                if wanted[v.index()] || kept.iter().any(changed) {
                    let kind = VarKind::Old(self.shared[&g]);
                    let copy = self.add_var(v, kind, None, None);
                    self.shared.insert(v, copy);
                }
            }
        }
        for &p in kept {
            let host = self.result.procs.next_id();
            let context = self.map.contexts.push(Context { proc: p, call: None });
            let original = &icfg.procs[p];
            let mut vars = FastMap::default();
            let mut copies = |inliner: &mut Self, list: &[VarId], kind: VarKind| -> Vec<VarId> {
                let copy = |&v: &VarId| {
                    let copy = inliner.add_var(v, kind, Some(context), None);
                    vars.insert(v, copy);
                    copy
                };
                list.iter().map(copy).collect()
            };
            let params = copies(self, &original.params, VarKind::Param(host));
            let results = copies(self, &original.results, VarKind::Result(host));
            let locals = copies(self, &original.locals, VarKind::Local(host));
            self.set_roles(&vars);
            let entry = self.add_loc(host, original.entry, context);
            let exit = self.add_loc(host, original.exit, context);
            let modifies = original.modifies.iter().map(|g| self.shared[g]).collect();
            let (name, span) = (original.name.clone(), original.span);
            self.result.procs.push(IcfgProc { name, entry, exit, params, results, locals, modifies, span });
            self.map.procs.push(p);
            self.new_proc[p] = Some(host);
            self.has_copy[p] = true;
            self.work.push(Instance { proc: p, host, context, vars, renaming: None, entry, exit });
            if Some(p) == icfg.root {
                self.result.root = Some(host);
            }
        }
        self.work.reverse();
    }

    /// The instance for an inlined call.
    fn instance(&mut self, pool: &mut TermPool, caller: &Instance, site: CallSiteId) -> Instance {
        let icfg = self.icfg;
        let proc = icfg.call_sites[site].callee;
        let host = caller.host;
        let context = self.map.contexts.push(Context { proc, call: Some((site, caller.context)) });
        let fresh = std::mem::replace(&mut self.has_copy[proc], true);
        let original = &icfg.procs[proc];
        let mut vars = FastMap::default();
        let mut renamed = Vec::new();
        let own = original.params.iter().chain(&original.results).chain(&original.locals).map(|&v| (v, fresh));
        // Old variables are shared by all procedures, so their copies always need a new constant.
        let olds = self.olds[proc].clone();
        for (v, fresh) in own.chain(olds.into_iter().map(|v| (v, true))) {
            let Variable { name, sort, term, .. } = &icfg.vars[v];
            let new_term = fresh.then(|| pool.fresh_constant(name, *sort));
            let copy = self.add_var(v, VarKind::Local(host), Some(context), new_term);
            self.result.procs[host].locals.push(copy);
            vars.insert(v, copy);
            if let Some(new_term) = new_term {
                renamed.push((*term, new_term));
                if self.has_blocks {
                    renamed.push((primed(pool, *term), primed(pool, new_term)));
                }
            }
        }
        self.set_roles(&vars);
        let renaming = (!renamed.is_empty()).then(|| Substitution::from_pairs(renamed));
        let entry = self.add_loc(host, original.entry, context);
        let exit = self.add_loc(host, original.exit, context);
        Instance { proc, host, context, vars, renaming, entry, exit }
    }

    fn add_edge(
        &mut self,
        src: LocId,
        dst: LocId,
        label: Label,
        original: EdgeId,
        context: ContextId,
        role: EdgeRole,
    ) -> EdgeId {
        let edge = &self.icfg.edges[original];
        let note = if role == EdgeRole::Arbitrary { Note::Hidden } else { edge.note };
        self.map.edges.push(EdgeOrigin { edge: original, context, role });
        self.result.add_edge(src, dst, label, edge.span, note)
    }

    fn copy(&mut self, pool: &mut TermPool, mut instance: Instance) {
        let icfg = self.icfg;
        let proc = &icfg.procs[instance.proc];
        let locs = std::mem::take(&mut self.calls.locs[instance.proc]);
        for &l in &locs {
            self.new_loc[l] = if l == proc.entry {
                instance.entry
            } else if l == proc.exit {
                instance.exit
            } else {
                self.add_loc(instance.host, l, instance.context)
            };
        }
        self.calls.locs[instance.proc] = locs;
        let edges = std::mem::take(&mut self.calls.edges[instance.proc]);
        let mut callees = Vec::new();
        for &e in &edges {
            let edge = &icfg.edges[e];
            let src = self.new_loc[edge.src];
            if let Label::Call(site) = edge.label {
                let back = icfg.call_sites[site].return_edge;
                let after = self.new_loc[icfg.edges[back].dst];
                let callee = icfg.call_sites[site].callee;
                if self.depth.is_some_and(|depth| self.n_active(instance.context, callee) >= depth) {
                    let nowhere = Label::Stmt(Stmt::Assume(TermId::FALSE));
                    self.add_edge(src, after, nowhere, e, instance.context, EdgeRole::Same);
                    continue;
                }
                match self.new_proc[callee].filter(|_| self.calls.stays[callee]) {
                    Some(callee) => self.copy_call(pool, &mut instance, site, callee, src, after),
                    None => callees.push(self.inline_call(pool, &mut instance, site, src, after)),
                }
                continue;
            }
            let label = self.copy_label(pool, &mut instance, &edge.label);
            let dst = self.new_loc[edge.dst];
            self.add_edge(src, dst, label, e, instance.context, EdgeRole::Same);
        }
        self.calls.edges[instance.proc] = edges;
        callees.reverse();
        self.work.extend(callees);
    }

    /// How often a procedure is active.
    fn n_active(&self, context: ContextId, proc: ProcId) -> usize {
        let mut n = 0;
        let mut next = Some(context);
        while let Some(c) = next {
            n += usize::from(self.map.contexts[c].proc == proc);
            next = self.map.contexts[c].call.map(|(_, outer)| outer);
        }
        n
    }

    /// A call that stays a call.
    fn copy_call(
        &mut self,
        pool: &mut TermPool,
        instance: &mut Instance,
        site: CallSiteId,
        callee: ProcId,
        src: LocId,
        after: LocId,
    ) {
        let original = &self.icfg.call_sites[site];
        let args = rename_all(pool, instance, &original.args);
        let results = self.rename_vars(instance, &original.results);
        let (entry, exit) = (self.result.procs[callee].entry, self.result.procs[callee].exit);
        let copy = self.result.call_sites.next_id();
        let context = instance.context;
        let call_edge = self.add_edge(src, entry, Label::Call(copy), original.call_edge, context, EdgeRole::Same);
        let return_edge =
            self.add_edge(exit, after, Label::Return(copy), original.return_edge, context, EdgeRole::Same);
        let caller = instance.host;
        self.result.call_sites.push(CallSite { caller, callee, args, results, call_edge, return_edge });
    }

    fn inline_call(
        &mut self,
        pool: &mut TermPool,
        caller: &mut Instance,
        site: CallSiteId,
        src: LocId,
        after: LocId,
    ) -> Instance {
        let icfg = self.icfg;
        let original = &icfg.call_sites[site];
        let callee = &icfg.procs[original.callee];
        let instance = self.instance(pool, caller, site);
        let args = rename_all(pool, caller, &original.args);
        let mut entering: Vec<(VarId, TermId)> =
            callee.params.iter().zip(args).map(|(p, a)| (instance.vars[p], a)).collect();
        for &old in &self.olds[original.callee] {
            if let VarKind::Old(g) = icfg.vars[old].kind {
                entering.push((instance.vars[&old], icfg.vars[g].term));
            }
        }
        let leaving: Vec<(VarId, TermId)> = original
            .results
            .iter()
            .zip(&callee.results)
            .map(|(&to, from)| (self.rename_var(caller, to), self.result.vars[instance.vars[from]].term))
            .collect();
        let arbitrary: Vec<VarId> = self.exposed[original.callee].iter().map(|v| instance.vars[v]).collect();
        let context = instance.context;
        let mut at = src;
        if !arbitrary.is_empty() {
            let middle = self.add_loc(caller.host, callee.entry, context);
            self.result.locs[middle].is_loop_head = false;
            self.add_edge(at, middle, assignment(entering), original.call_edge, context, EdgeRole::Enter);
            at = middle;
            let havoc = Label::Stmt(Stmt::Havoc(arbitrary, Nondet::Choice));
            self.add_edge(at, instance.entry, havoc, original.call_edge, context, EdgeRole::Arbitrary);
        } else {
            self.add_edge(at, instance.entry, assignment(entering), original.call_edge, context, EdgeRole::Enter);
        }
        self.add_edge(instance.exit, after, assignment(leaving), original.return_edge, context, EdgeRole::Leave);
        instance
    }

    fn rename_var(&self, instance: &Instance, v: VarId) -> VarId {
        instance.vars.get(&v).copied().unwrap_or_else(|| self.shared[&v])
    }
    fn rename_vars(&self, instance: &Instance, vars: &[VarId]) -> Vec<VarId> {
        vars.iter().map(|&v| self.rename_var(instance, v)).collect()
    }

    fn copy_label(&self, pool: &mut TermPool, instance: &mut Instance, label: &Label) -> Label {
        match label {
            Label::Stmt(Stmt::Assign(pairs)) => {
                let mut copies = Vec::with_capacity(pairs.len());
                for &(v, e) in pairs {
                    copies.push((self.rename_var(instance, v), rename(pool, instance, e)));
                }
                Label::Stmt(Stmt::Assign(copies))
            }
            Label::Stmt(Stmt::Assume(c)) => Label::Stmt(Stmt::Assume(rename(pool, instance, *c))),
            Label::Stmt(Stmt::Havoc(vars, why)) => {
                Label::Stmt(Stmt::Havoc(self.rename_vars(instance, vars), why.clone()))
            }
            Label::Block(t) => {
                let mut assigned = self.rename_vars(instance, &t.assigned);
                assigned.sort_unstable();
                let formula = rename(pool, instance, t.formula);
                Label::Block(Box::new(Transition { formula, assigned, ..(**t).clone() }))
            }
            Label::Fork { id, callee, args } => {
                let callee = self.new_proc[*callee].expect("what threads run is kept");
                Label::Fork { id: rename_all(pool, instance, id), callee, args: rename_all(pool, instance, args) }
            }
            Label::Join { id, results } => {
                Label::Join { id: rename_all(pool, instance, id), results: self.rename_vars(instance, results) }
            }
            Label::AtomicBegin => Label::AtomicBegin,
            Label::AtomicEnd => Label::AtomicEnd,
            Label::Call(_) | Label::Return(_) => unreachable!("calls are copied with their site"),
        }
    }
}

fn assignment(pairs: Vec<(VarId, TermId)>) -> Label {
    Label::Stmt(if pairs.is_empty() { Stmt::Assume(TermId::TRUE) } else { Stmt::Assign(pairs) })
}

fn rename(pool: &mut TermPool, instance: &mut Instance, t: TermId) -> TermId {
    match &mut instance.renaming {
        Some(renaming) => renaming.apply(pool, t),
        None => t,
    }
}

fn rename_all(pool: &mut TermPool, instance: &mut Instance, terms: &[TermId]) -> Vec<TermId> {
    terms.iter().map(|&t| rename(pool, instance, t)).collect()
}
