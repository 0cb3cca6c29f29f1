//! From a [`Program`] to its control-flow graph.
//!
//! Every statement becomes one edge. What has no edge of its own disappears without a trace in the
//! language of the graph:
//!
//! * A label and a `Goto` with one target are equations between locations (a union–find).
//! * A `Goto` with several targets is a branch; its skip edges are contracted where that
//!   cannot add executions: a skip `l → m` is merged if it is the only way out of `l`, or the only way
//!   into `m`. A skip that closes a cycle stays, for `L: goto L` does not terminate.
//! * An edge that assumes `false` is dropped, and so is what then cannot be reached.
//!
//! Contracts become statements. `requires` are asserted where a procedure is called (actual for
//! formal parameters); if free they say nothing there. Where executions start all of them are assumed. `ensures` are
//! asserted before its exit and, if free, assumed there; a procedure without a body gets one: havoc what it modifies
//! and its results, assume its `ensures`. So the meaning of a call is always that of its call and return edges.
//!
//! Result, besides the invariants of [`Icfg`]: procedures keep their ids, the root procedure is
//! the last one; a procedure that cannot be called has an entry and an exit and no edges; no edge
//! within a procedure leads to its entry; every global that some called procedure may change
//! has an `old` variable, as nested interpolants need it.

use crate::icfg::{CallSite, CallSiteId, EdgeId, Icfg, IcfgProc, Label, LocId};
use crate::program::{
    Check, Instr, InstrKind, Nondet, Note, ProcId, Procedure, Program, Spec, Stmt, Subproperty, VarId, VarKind,
    VarRole, Variable,
};
use base::{Id, IdVec, Span};
use logic::{FastMap, FastSet, Substitution, TermId, TermPool};

impl Icfg {
    /// The control-flow graph of a program whose terms are in this pool.
    pub fn build(program: &Program, pool: &mut TermPool) -> Icfg {
        Builder::new(program, pool).build()
    }
}

/// A location of a procedure under construction; [`Draft::find`] gives its representative.
type NodeIx = usize;

struct DraftEdge {
    from: NodeIx,
    to: NodeIx,
    step: DraftStep,
    span: Span,
    note: Note,
}

impl DraftEdge {
    /// Does it do nothing? (The outcome of a branch is shown to users and stays, and so does what temporal properties
    /// observe.)
    fn is_skip(&self) -> bool {
        matches!(self.step, DraftStep::Label(Label::Stmt(Stmt::Assume(TermId::TRUE))))
            && !matches!(self.note, Note::Branch(_) | Note::Step | Note::Mark(_))
    }
}

enum DraftStep {
    /// Not a call and not a return.
    Label(Label),
    /// A call site, with the location control returns to as the edge's target.
    Call { callee: ProcId, args: Vec<TermId>, results: Vec<VarId> },
}

/// The graph of one procedure before contraction.
struct Draft {
    parent: Vec<NodeIx>,
    span: Vec<Span>,
    error: Vec<Option<Check>>,
    edges: Vec<DraftEdge>,
    entry: NodeIx,
    exit: NodeIx,
}

impl Draft {
    fn new(span: Span) -> Draft {
        let mut draft =
            Draft { parent: Vec::new(), span: Vec::new(), error: Vec::new(), edges: Vec::new(), entry: 0, exit: 0 };
        draft.entry = draft.node(span);
        draft.exit = draft.node(span);
        draft
    }
    fn node(&mut self, span: Span) -> NodeIx {
        self.parent.push(self.parent.len());
        self.span.push(span);
        self.error.push(None);
        self.parent.len() - 1
    }
    fn find(&mut self, node: NodeIx) -> NodeIx {
        let mut root = node;
        while self.parent[root] != root {
            root = self.parent[root];
        }
        let mut at = node;
        while self.parent[at] != root {
            at = std::mem::replace(&mut self.parent[at], root);
        }
        root
    }
    fn label(&mut self, from: NodeIx, to: NodeIx, label: Label, span: Span, note: Note) {
        self.edges.push(DraftEdge { from, to, step: DraftStep::Label(label), span, note });
    }
    fn stmt(&mut self, from: NodeIx, to: NodeIx, stmt: Stmt, span: Span, note: Note) {
        self.label(from, to, Label::Stmt(stmt), span, note);
    }
    fn skip(&mut self, from: NodeIx, to: NodeIx, span: Span) {
        self.stmt(from, to, Stmt::Assume(TermId::TRUE), span, Note::Hidden);
    }
    /// Makes `from`, which has no statement, the same location as `to`. A cycle of such equations is
    /// an endless loop and keeps a skip edge.
    fn alias(&mut self, from: NodeIx, to: NodeIx, span: Span) {
        let (f, t) = (self.find(from), self.find(to));
        if f == t {
            self.skip(f, t, span);
        } else {
            self.parent[f] = t;
        }
    }
    /// Branches into the continuation and the violation of a check.
    fn assert(&mut self, pool: &mut TermPool, at: NodeIx, next: NodeIx, condition: TermId, check: Check, note: Note) {
        let span = check.span;
        self.stmt(at, next, Stmt::Assume(condition), span, note);
        if condition != TermId::TRUE {
            let error = self.node(span);
            self.error[error] = Some(check);
            let violated = pool.not(condition);
            self.stmt(at, error, Stmt::Assume(violated), span, Note::None);
        }
    }

    /// Drops edges that assume false, second skips between the same locations, and what cannot be
    /// reached from the entry.
    fn prune(&mut self) {
        for i in 0..self.edges.len() {
            (self.edges[i].from, self.edges[i].to) = (self.find(self.edges[i].from), self.find(self.edges[i].to));
        }
        self.edges.retain(|e| !matches!(e.step, DraftStep::Label(Label::Stmt(Stmt::Assume(TermId::FALSE)))));
        let mut out = vec![Vec::new(); self.parent.len()];
        for e in &self.edges {
            out[e.from].push(e.to);
        }
        let mut reached = vec![false; self.parent.len()];
        let entry = self.find(self.entry);
        reached[entry] = true;
        let mut stack = vec![entry];
        while let Some(n) = stack.pop() {
            for &m in &out[n] {
                if !std::mem::replace(&mut reached[m], true) {
                    stack.push(m);
                }
            }
        }
        let mut skips: FastSet<(NodeIx, NodeIx)> = FastSet::default();
        self.edges.retain(|e| reached[e.from] && (!e.is_skip() || skips.insert((e.from, e.to))));
    }

    /// Contracts skip edges (see the essay above). A few iterations do for all but contrived orders.
    fn contract(&mut self) {
        const ROUNDS: usize = 4;
        let entry = self.find(self.entry);
        let n = self.parent.len();
        let (mut n_in, mut n_out) = (vec![0u32; n], vec![0u32; n]);
        for e in &self.edges {
            n_out[e.from] += 1;
            n_in[e.to] += 1;
        }
        let mut gone = vec![false; self.edges.len()];
        for _ in 0..ROUNDS {
            let mut changed = false;
            for (i, is_gone) in gone.iter_mut().enumerate() {
                if *is_gone || !self.edges[i].is_skip() {
                    continue;
                }
                let (l, m) = (self.find(self.edges[i].from), self.find(self.edges[i].to));
                let exit = self.find(self.exit);
                if l == m || self.error[m].is_some() {
                    continue;
                }
                let only_way_out = n_out[l] == 1 && l != entry;
                let only_way_in = n_in[m] == 1 && m != exit;
                if !only_way_out && !only_way_in {
                    continue;
                }
                let (gone_node, kept) = if only_way_out { (l, m) } else { (m, l) };
                self.parent[gone_node] = kept;
                n_in[kept] = n_in[l] + n_in[m] - 1;
                n_out[kept] = n_out[l] + n_out[m] - 1;
                *is_gone = true;
                changed = true;
            }
            if !changed {
                break;
            }
        }
        let mut index = 0;
        self.edges.retain(|_| {
            index += 1;
            !gone[index - 1]
        });
        for i in 0..self.edges.len() {
            (self.edges[i].from, self.edges[i].to) = (self.find(self.edges[i].from), self.find(self.edges[i].to));
        }
    }
}

struct Builder<'a> {
    program: &'a Program,
    pool: &'a mut TermPool,
    icfg: Icfg,
    /// Call sites whose edges wait for the callee's entry and exit: site, before, after, span, note.
    pending_calls: Vec<(CallSiteId, LocId, LocId, Span, Note)>,
}

impl<'a> Builder<'a> {
    fn new(program: &'a Program, pool: &'a mut TermPool) -> Builder<'a> {
        let mut icfg = Icfg::new();
        icfg.vars = program.vars.clone();
        icfg.globals = program.globals.clone();
        icfg.axioms = program.axioms.clone();
        Builder { program, pool, icfg, pending_calls: Vec::new() }
    }

    fn build(mut self) -> Icfg {
        let called = self.reachable_procs();
        let modifies = self.modified_globals();
        self.add_old_vars(&called, &modifies);
        for (id, procedure) in self.program.procs.iter() {
            let draft = if called[id] { self.body(procedure) } else { Draft::new(procedure.span) };
            self.finish(id, draft, |entry, exit| IcfgProc {
                name: procedure.name.clone(),
                entry,
                exit,
                params: procedure.params.clone(),
                results: procedure.results.clone(),
                locals: procedure.locals.clone(),
                modifies: modifies[id].clone(),
                span: procedure.span,
            });
        }
        self.root(&modifies);
        for (site, before, after, span, note) in std::mem::take(&mut self.pending_calls) {
            let callee = self.icfg.call_sites[site].callee;
            let (entry, exit) = (self.icfg.procs[callee].entry, self.icfg.procs[callee].exit);
            let call_edge = self.icfg.add_edge(before, entry, Label::Call(site), span, note);
            let return_edge = self.icfg.add_edge(exit, after, Label::Return(site), span, note);
            self.icfg.call_sites[site].call_edge = call_edge;
            self.icfg.call_sites[site].return_edge = return_edge;
        }
        self.icfg.mark_loop_heads();
        self.icfg
    }

    fn reachable_procs(&self) -> IdVec<ProcId, bool> {
        let mut reached = IdVec::from_elem(false, self.program.procs.len());
        let mut stack: Vec<ProcId> = self.program.entries.clone();
        while let Some(p) = stack.pop() {
            if std::mem::replace(&mut reached[p], true) {
                continue;
            }
            for instr in self.program.procs[p].body.iter().flat_map(|b| &b.instrs) {
                if let InstrKind::Call { callee, .. } | InstrKind::Fork { callee, .. } = instr.kind {
                    stack.push(callee);
                }
            }
        }
        reached
    }

    /// The globals that each procedure may change, its callees included: the least solution, by
    /// propagating each global against the direction of calls.
    fn modified_globals(&self) -> IdVec<ProcId, Vec<VarId>> {
        let n = self.program.procs.len();
        let mut callers: IdVec<ProcId, Vec<ProcId>> = IdVec::from_elem(Vec::new(), n);
        let mut changers: FastMap<VarId, Vec<ProcId>> = FastMap::default();
        let is_global = |v: VarId| self.program.vars[v].kind == VarKind::Global;
        for (p, procedure) in self.program.procs.iter() {
            let mut direct = Vec::new();
            match &procedure.body {
                None => direct.extend(procedure.modifies.iter().copied()),
                Some(body) => {
                    for instr in &body.instrs {
                        match &instr.kind {
                            InstrKind::Stmt(Stmt::Assign(pairs)) => direct.extend(pairs.iter().map(|p| p.0)),
                            InstrKind::Stmt(Stmt::Havoc(vars, _)) => direct.extend(vars.iter().copied()),
                            InstrKind::Call { callee, results, .. } => {
                                callers[*callee].push(p);
                                direct.extend(results.iter().copied());
                            }
                            InstrKind::Fork { callee, .. } => callers[*callee].push(p),
                            InstrKind::Join { results, .. } => direct.extend(results.iter().copied()),
                            InstrKind::Stmt(Stmt::Assume(_))
                            | InstrKind::Label(_)
                            | InstrKind::Goto(_)
                            | InstrKind::Assert(..)
                            | InstrKind::Return
                            | InstrKind::AtomicBegin
                            | InstrKind::AtomicEnd => {}
                        }
                    }
                }
            }
            direct.retain(|&v| is_global(v));
            direct.sort_unstable();
            direct.dedup();
            for v in direct {
                changers.entry(v).or_default().push(p);
            }
        }
        for list in (0..n).map(ProcId::from_index) {
            callers[list].sort_unstable();
            callers[list].dedup();
        }
        let mut modifies: IdVec<ProcId, Vec<VarId>> = IdVec::from_elem(Vec::new(), n);
        for &g in &self.program.globals {
            let mut stack = changers.remove(&g).unwrap_or_default();
            while let Some(p) = stack.pop() {
                if modifies[p].last() != Some(&g) {
                    modifies[p].push(g);
                    stack.extend(callers[p].iter().copied());
                }
            }
        }
        for p in self.program.procs.ids() {
            modifies[p].sort_unstable();
        }
        modifies
    }

    fn add_old_vars(&mut self, called: &IdVec<ProcId, bool>, modifies: &IdVec<ProcId, Vec<VarId>>) {
        let mut wanted: Vec<VarId> =
            modifies.iter().filter(|(p, _)| called[*p]).flat_map(|(_, m)| m.iter().copied()).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let mut has_old = vec![false; self.icfg.vars.len()];
        for v in self.program.vars.values() {
            if let VarKind::Old(g) = v.kind {
                has_old[g.index()] = true;
            }
        }
        for g in wanted {
            if !has_old[g.index()] {
                let (name, sort, span) = {
                    let g = &self.program.vars[g];
                    (format!("old({})", g.name), g.sort, g.span)
                };
                self.add_var(&name, sort, VarKind::Old(g), span);
            }
        }
    }

    fn add_var(&mut self, name: &str, sort: logic::SortId, kind: VarKind, span: Span) -> VarId {
        let term = self.pool.fresh_constant(name, sort);
        self.icfg.vars.push(Variable { name: name.to_string(), sort, term, kind, role: VarRole::Plain, span })
    }

    fn body(&mut self, procedure: &Procedure) -> Draft {
        let mut draft = Draft::new(procedure.span);
        let at = draft.entry;
        let end = draft.node(procedure.span);
        match &procedure.body {
            None => {
                let mut changed = procedure.modifies.clone();
                changed.extend(&procedure.results);
                changed.sort_unstable();
                changed.dedup();
                let mut next = draft.node(procedure.span);
                if changed.is_empty() {
                    draft.skip(at, next, procedure.span);
                } else {
                    draft.stmt(at, next, Stmt::Havoc(changed, Nondet::Choice), procedure.span, Note::Hidden);
                }
                for spec in &procedure.ensures {
                    let after = draft.node(spec.span);
                    draft.stmt(next, after, Stmt::Assume(spec.formula), spec.span, Note::Hidden);
                    next = after;
                }
                draft.skip(next, draft.exit, procedure.span);
            }
            Some(body) => {
                let first = draft.parent.len();
                for instr in &body.instrs {
                    draft.node(instr.span);
                }
                draft.parent.push(end); // falling off the end
                draft.span.push(procedure.span);
                draft.error.push(None);
                let mut targets: Vec<Option<NodeIx>> = vec![None; body.n_labels as usize];
                for (i, instr) in body.instrs.iter().enumerate() {
                    if let InstrKind::Label(l) = instr.kind {
                        targets[l.index()] = Some(first + i);
                    }
                }
                draft.skip(at, first, procedure.span);
                for (i, instr) in body.instrs.iter().enumerate() {
                    self.instr(&mut draft, instr, first + i, end, &targets);
                }
                self.postconditions(&mut draft, procedure, end);
            }
        }
        draft
    }

    fn instr(&mut self, draft: &mut Draft, instr: &Instr, at: NodeIx, end: NodeIx, targets: &[Option<NodeIx>]) {
        let next = at + 1;
        let (span, note) = (instr.span, instr.note);
        match &instr.kind {
            InstrKind::Label(_) => draft.alias(at, next, span),
            InstrKind::Goto(labels) => {
                let mut known: Vec<NodeIx> = labels.iter().filter_map(|l| targets[l.index()]).collect();
                known.sort_unstable();
                known.dedup();
                match known[..] {
                    [only] => draft.alias(at, only, span),
                    _ => {
                        // In the order of the source, so that traces prefer the first alternative.
                        for l in labels {
                            if let Some(target) = targets[l.index()]
                                && let Ok(i) = known.binary_search(&target)
                            {
                                known.remove(i);
                                draft.skip(at, target, span);
                            }
                        }
                    }
                }
            }
            InstrKind::Stmt(stmt) => draft.stmt(at, next, stmt.clone(), span, note),
            InstrKind::Assert(condition, check) => {
                draft.assert(self.pool, at, next, *condition, check.clone(), note);
            }
            InstrKind::Call { callee, args, results } => {
                let before = self.preconditions(draft, at, *callee, args, span, "call");
                let step = DraftStep::Call { callee: *callee, args: args.clone(), results: results.clone() };
                draft.edges.push(DraftEdge { from: before, to: next, step, span, note });
            }
            InstrKind::Return => draft.alias(at, end, span),
            InstrKind::Fork { id, callee, args } => {
                let before = self.preconditions(draft, at, *callee, args, span, "fork");
                let label = Label::Fork { id: id.clone(), callee: *callee, args: args.clone() };
                draft.label(before, next, label, span, note);
            }
            InstrKind::Join { id, results } => {
                draft.label(at, next, Label::Join { id: id.clone(), results: results.clone() }, span, note);
            }
            InstrKind::AtomicBegin => draft.label(at, next, Label::AtomicBegin, span, note),
            InstrKind::AtomicEnd => draft.label(at, next, Label::AtomicEnd, span, note),
        }
    }

    /// Asserts what the callee requires; returns the location after that.
    fn preconditions(
        &mut self,
        draft: &mut Draft,
        mut at: NodeIx,
        callee: ProcId,
        args: &[TermId],
        span: Span,
        what: &str,
    ) -> NodeIx {
        let procedure = &self.program.procs[callee];
        let mut actual = self.actual_parameters(procedure, args);
        for spec in procedure.requires.iter().filter(|s| !s.free) {
            let condition = actual.apply(self.pool, spec.formula);
            let check = Check::precondition(&procedure.name, what, span);
            let next = draft.node(span);
            draft.assert(self.pool, at, next, condition, check, Note::Hidden);
            at = next;
        }
        at
    }

    fn actual_parameters(&self, callee: &Procedure, args: &[TermId]) -> Substitution {
        Substitution::from_pairs(callee.params.iter().zip(args).map(|(&p, &a)| (self.icfg.vars[p].term, a)))
    }

    fn postconditions(&mut self, draft: &mut Draft, procedure: &Procedure, end: NodeIx) {
        let mut at = end;
        let obligations = procedure.ensures.iter().filter(|s| !s.free);
        for spec in obligations {
            let next = draft.node(spec.span);
            let claim = format!("a postcondition of {}", procedure.name);
            let check = Check::claim(Subproperty::UnreachCall, &claim, spec.span);
            draft.assert(self.pool, at, next, spec.formula, check, Note::Hidden);
            at = next;
        }
        for Spec { formula, span, .. } in procedure.ensures.iter().filter(|s| s.free) {
            let next = draft.node(*span);
            draft.stmt(at, next, Stmt::Assume(*formula), *span, Note::Hidden);
            at = next;
        }
        draft.skip(at, draft.exit, procedure.span);
    }

    /// Contracts a draft and moves the remaining locations into the graph.
    fn finish(&mut self, id: ProcId, mut draft: Draft, make: impl FnOnce(LocId, LocId) -> IcfgProc) {
        draft.prune();
        draft.contract();
        let mut loc_of: Vec<Option<LocId>> = vec![None; draft.parent.len()];
        let mut loc = |builder: &mut Builder, draft: &mut Draft, node: NodeIx| {
            let node = draft.find(node);
            *loc_of[node].get_or_insert_with(|| {
                let loc = builder.icfg.add_loc(id, draft.span[node]);
                builder.icfg.locs[loc].error = draft.error[node].take();
                loc
            })
        };
        let entry_node = draft.entry;
        let exit_node = draft.exit;
        let entry = loc(self, &mut draft, entry_node);
        for edge in std::mem::take(&mut draft.edges) {
            let from = loc(self, &mut draft, edge.from);
            let to = loc(self, &mut draft, edge.to);
            match edge.step {
                DraftStep::Label(label) => {
                    self.icfg.add_edge(from, to, label, edge.span, edge.note);
                }
                DraftStep::Call { callee, args, results } => {
                    // The edges' ids are filled in when every procedure has its entry and exit.
                    let unknown = EdgeId(u32::MAX);
                    let site = CallSite { caller: id, callee, args, results, call_edge: unknown, return_edge: unknown };
                    let site = self.icfg.call_sites.push(site);
                    self.pending_calls.push((site, from, to, edge.span, edge.note));
                }
            }
        }
        let exit = loc(self, &mut draft, exit_node);
        let made = self.icfg.procs.push(make(entry, exit));
        debug_assert_eq!(made, id);
    }

    /// The procedure in which executions start.
    fn root(&mut self, modifies: &IdVec<ProcId, Vec<VarId>>) {
        let id = self.icfg.procs.next_id();
        let mut draft = Draft::new(Span::NONE);
        let mut locals = Vec::new();
        let mut start = draft.entry;
        let program = self.program;
        for &formula in &program.initially {
            let next = draft.node(Span::NONE);
            draft.stmt(start, next, Stmt::Assume(formula), Span::NONE, Note::Hidden);
            start = next;
        }
        for &entry in &program.entries {
            let procedure = &program.procs[entry];
            let span = procedure.span;
            let copies = |builder: &mut Builder, vars: &[VarId]| -> Vec<VarId> {
                let copy = |&v: &VarId| {
                    let Variable { name, sort, span, .. } = program.vars[v].clone();
                    builder.add_var(&name, sort, VarKind::Local(id), span)
                };
                let copies: Vec<VarId> = vars.iter().map(copy).collect();
                let copy_of = |v: VarId| vars.iter().position(|&original| original == v).map(|i| copies[i]);
                for (&v, &copy) in vars.iter().zip(&copies) {
                    builder.icfg.vars[copy].role = program.vars[v].role.copied(copy_of);
                }
                copies
            };
            let params = copies(self, &procedure.params);
            let results = copies(self, &procedure.results);
            let args: Vec<TermId> = params.iter().map(|&v| self.icfg.vars[v].term).collect();
            let mut at = start;
            if !params.is_empty() {
                let next = draft.node(span);
                draft.stmt(at, next, Stmt::Havoc(params.clone(), Nondet::Choice), span, Note::Hidden);
                at = next;
            }
            let mut actual = self.actual_parameters(procedure, &args);
            for spec in &procedure.requires {
                let next = draft.node(spec.span);
                let formula = actual.apply(self.pool, spec.formula);
                draft.stmt(at, next, Stmt::Assume(formula), spec.span, Note::Hidden);
                at = next;
            }
            locals.extend(params);
            locals.extend(&results);
            let step = DraftStep::Call { callee: entry, args, results };
            draft.edges.push(DraftEdge { from: at, to: draft.exit, step, span, note: Note::Hidden });
        }
        let mut changed: Vec<VarId> = program.entries.iter().flat_map(|&e| modifies[e].iter().copied()).collect();
        changed.sort_unstable();
        changed.dedup();
        self.finish(id, draft, |entry, exit| IcfgProc {
            name: "root".to_string(),
            entry,
            exit,
            params: Vec::new(),
            results: Vec::new(),
            locals,
            modifies: changed,
            span: Span::NONE,
        });
        self.icfg.root = Some(id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Body;
    use logic::SortId;

    fn check(message: &str) -> Check {
        Check::new(crate::Subproperty::UnreachCall, message, Span::NONE)
    }

    /// `main: x := 0; while (x < 3) { call x := inc(x); } assert x = 3;` with a contract for `inc`.
    #[test]
    fn a_loop_with_a_call() {
        let mut pool = TermPool::new();
        let mut program = Program::new();
        let (main, inc) = (ProcId(0), ProcId(1));
        let x = program.add_var(&mut pool, "x", SortId::INT, VarKind::Local(main), Span::NONE);
        let a = program.add_var(&mut pool, "a", SortId::INT, VarKind::Param(inc), Span::NONE);
        let r = program.add_var(&mut pool, "r", SortId::INT, VarKind::Result(inc), Span::NONE);
        let (tx, ta, tr) = (program.term(x), program.term(a), program.term(r));
        let (zero, one, three) = (pool.int(0), pool.int(1), pool.int(3));
        let below = pool.lt(tx, three);
        let not_below = pool.not(below);
        let is_three = pool.eq(tx, three);
        let mut body = Body::default();
        let (head, inside, after) = (body.new_label(), body.new_label(), body.new_label());
        body.stmt(Stmt::Assign(vec![(x, zero)]), Span::NONE);
        body.label(head, Span::NONE);
        body.goto(vec![inside, after], Span::NONE);
        body.label(inside, Span::NONE);
        body.stmt(Stmt::Assume(below), Span::NONE);
        body.push(InstrKind::Call { callee: inc, args: vec![tx], results: vec![x] }, Span::NONE);
        body.goto(vec![head], Span::NONE);
        body.label(after, Span::NONE);
        body.stmt(Stmt::Assume(not_below), Span::NONE);
        body.push(InstrKind::Assert(is_three, check("three")), Span::NONE);
        let procedure = |name: &str, body| Procedure {
            name: name.into(),
            span: Span::NONE,
            params: vec![],
            results: vec![],
            locals: vec![],
            modifies: vec![],
            requires: vec![],
            ensures: vec![],
            body,
        };
        let mut main_proc = procedure("main", Some(body));
        main_proc.locals.push(x);
        program.procs.push(main_proc);
        let mut inc_proc = procedure("inc", None);
        inc_proc.params.push(a);
        inc_proc.results.push(r);
        let positive = pool.ge(ta, zero);
        inc_proc.requires.push(Spec { formula: positive, free: false, span: Span::NONE });
        let sum = pool.add(&[ta, one]);
        let result = pool.eq(tr, sum);
        inc_proc.ensures.push(Spec { formula: result, free: false, span: Span::NONE });
        program.procs.push(inc_proc);
        program.entries.push(main);

        let icfg = Icfg::build(&program, &mut pool);
        assert_eq!(icfg.procs.len(), 3);
        assert_eq!(icfg.call_sites.len(), 2);
        assert_eq!(icfg.error_locs().count(), 2, "the assertion and the precondition");
        let heads: Vec<LocId> = icfg.locs.iter().filter(|(_, l)| l.is_loop_head).map(|(id, _)| id).collect();
        assert_eq!(heads.len(), 1);
        // x := 0; assume twice; precondition twice; assertion twice; havoc and ensures of inc; calls.
        assert_eq!(icfg.edges.len(), 1 + 2 + 2 + 2 + 2 + 4);
        assert!(icfg.edges.values().all(|e| e.label != Label::Stmt(Stmt::Assume(TermId::TRUE))));
    }

    #[test]
    fn an_empty_endless_loop_keeps_its_edge() {
        let mut pool = TermPool::new();
        let mut program = Program::new();
        let mut body = Body::default();
        let l = body.new_label();
        body.label(l, Span::NONE);
        body.goto(vec![l], Span::NONE);
        program.procs.push(Procedure {
            name: "main".into(),
            span: Span::NONE,
            params: vec![],
            results: vec![],
            locals: vec![],
            modifies: vec![],
            requires: vec![],
            ensures: vec![],
            body: Some(body),
        });
        program.entries.push(ProcId(0));
        let icfg = Icfg::build(&program, &mut pool);
        let head = icfg.locs.iter().find(|(_, l)| l.is_loop_head).map(|(id, _)| id).expect("a loop");
        assert_ne!(head, icfg.procs[ProcId(0)].entry);
        assert!(icfg.out_edges(head).iter().any(|&e| icfg.edges[e].dst == head));
    }
}
