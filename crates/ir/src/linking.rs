//! Linking: procedures that are not recursive share one copy of their code, and say by a variable where to return to.
//!
//! Inlining copies a body for each call, which is exponential in the depth of the call graph when procedures call
//! others more than once. Without recursion at most one activation of a procedure exists at a time, so its variables
//! can be static, as in early Fortran: a call assigns parameters and a *return address*, makes the other locals
//! arbitrary and jumps to the entry; at the exit, control goes back to the site that the return address names. The
//! result is one procedure without calls, of linear size, for engines that know no calls. Contexts are distinguished
//! only as far as a proof needs it: a path that returns to the wrong site is infeasible, and refinement finds the
//! predicate on the return address if the path matters.
//!
//! `old(g)` of a linked procedure becomes a variable of its own, assigned at the call. [`LinkMap`] carries executions
//! back.

use crate::icfg::{CallSiteId, EdgeId, Icfg, IcfgProc, Label, LocId};
use crate::program::{Nondet, Note, ProcId, Stmt, VarId, VarKind, VarRole, Variable};
use crate::transition::Transition;
use crate::verdict::{Counterexample, TraceStep};
use base::{Id, IdVec, Span};
use logic::{FastMap, SortId, Substitution, TermId, TermPool};

/// Was this variable made by linking? A proof should rather speak of the program's own variables where it can choose.
pub fn is_return_address(variable: &Variable) -> bool {
    variable.role == VarRole::ReturnAddress
}

/// What an edge of the linked graph does for the original one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    /// The same step, a call (its assignments), or a return (the test of the return address).
    Same,
    /// The second half of a call: makes locals arbitrary.
    Arbitrary,
    /// The second half of a return: assigns results.
    Results,
}

/// From the linked graph back to the one it was made from. Variables and locations keep their ids; new ones come after.
#[derive(Clone, Debug, Default)]
pub struct LinkMap {
    edges: IdVec<EdgeId, (EdgeId, Role)>,
    n_vars: usize,
    /// Variables whose values before the first step mean something: globals and those of the root.
    initial: Vec<VarId>,
}

impl LinkMap {
    /// The same execution in the graph with calls.
    pub fn original_counterexample(&self, trace: &Counterexample) -> Counterexample {
        let known = |values: &std::collections::BTreeMap<VarId, logic::Value>| {
            values.iter().filter(|(v, _)| v.index() < self.n_vars).map(|(v, value)| (*v, value.clone())).collect()
        };
        let mut steps: Vec<TraceStep> = Vec::with_capacity(trace.steps.len());
        for step in &trace.steps {
            let (edge, role) = self.edges[step.edge];
            match (role, steps.last_mut()) {
                (Role::Same, _) => steps.push(TraceStep { edge, chosen: known(&step.chosen) }),
                (Role::Arbitrary, Some(call)) => call.chosen.extend(known(&step.chosen)),
                (Role::Arbitrary, None) | (Role::Results, _) => {}
            }
        }
        let initial = self.initial.iter().filter_map(|v| Some((*v, trace.initial.get(v)?.clone()))).collect();
        Counterexample { initial, steps, symbols: trace.symbols.clone() }
    }
}

/// The graph as one procedure. `None` if it has threads, or a procedure that can call itself: then one frame is not
/// enough.
pub fn link_calls(icfg: &Icfg, pool: &mut TermPool) -> Option<(Icfg, LinkMap)> {
    let root = icfg.root?;
    if icfg.has_threads() || crate::inline::has_recursion(icfg) {
        return None;
    }
    let mut linked = Icfg::new();
    linked.globals = icfg.globals.clone();
    linked.axioms = icfg.axioms.clone();
    linked.root = Some(ProcId::from_index(0));
    let host = ProcId::from_index(0);
    let mut locals: Vec<VarId> = Vec::new();
    for (v, var) in icfg.vars.iter() {
        let kind = match var.kind {
            VarKind::Global | VarKind::Old(_) => var.kind,
            VarKind::Param(p) | VarKind::Result(p) | VarKind::Local(p) => {
                if p != root || matches!(var.kind, VarKind::Local(_)) {
                    locals.push(v);
                }
                match var.kind {
                    VarKind::Param(_) if p == root => VarKind::Param(host),
                    VarKind::Result(_) if p == root => VarKind::Result(host),
                    _ => VarKind::Local(host),
                }
            }
        };
        linked.vars.push(Variable { kind, ..var.clone() });
    }
    let mut linker =
        Linker { icfg, pool, linked, map: LinkMap::default(), address: FastMap::default(), olds: FastMap::default() };
    linker.map.n_vars = icfg.vars.len();
    linker.map.initial = icfg
        .vars
        .iter()
        .filter(|(_, var)| match var.kind {
            VarKind::Global => true,
            VarKind::Old(_) => false,
            VarKind::Param(p) | VarKind::Result(p) | VarKind::Local(p) => p == root,
        })
        .map(|(v, _)| v)
        .collect();
    locals.extend(linker.add_variables(host, root));
    for loc in icfg.locs.values() {
        let copy = linker.linked.add_loc(host, loc.span);
        linker.linked.locs[copy].error = loc.error.clone();
    }
    let p = &icfg.procs[root];
    linker.linked.procs.push(IcfgProc { locals, modifies: icfg.globals.clone(), ..p.clone() });
    for edge in icfg.edges.ids() {
        linker.link(edge);
    }
    linker.linked.mark_loop_heads();
    Some((linker.linked, linker.map))
}

struct Linker<'a> {
    icfg: &'a Icfg,
    pool: &'a mut TermPool,
    linked: Icfg,
    map: LinkMap,
    /// The return address of each procedure that is called.
    address: FastMap<ProcId, VarId>,
    /// The old variables of each procedure but the root, with their replacements.
    olds: FastMap<ProcId, Vec<(VarId, VarId)>>,
}

impl Linker<'_> {
    /// A return address and old variables for every procedure but the root.
    fn add_variables(&mut self, host: ProcId, root: ProcId) -> Vec<VarId> {
        let mut added = Vec::new();
        let olds: Vec<(VarId, Variable)> = self
            .icfg
            .vars
            .iter()
            .filter(|(_, var)| matches!(var.kind, VarKind::Old(_)))
            .map(|(v, var)| (v, var.clone()))
            .collect();
        for (proc, p) in self.icfg.procs.iter().filter(|(proc, _)| *proc != root) {
            let name = format!("return address of {}", p.name);
            let term = self.pool.fresh_constant(&name, SortId::INT);
            let kind = VarKind::Local(host);
            let address = self.linked.vars.push(Variable {
                name,
                sort: SortId::INT,
                term,
                kind,
                role: VarRole::ReturnAddress,
                span: Span::NONE,
            });
            self.address.insert(proc, address);
            added.push(address);
            let mut own = Vec::new();
            for (v, var) in &olds {
                let term = self.pool.fresh_constant(&var.name, var.sort);
                let copy = self.linked.vars.push(Variable { kind, term, ..var.clone() });
                own.push((*v, copy));
                added.push(copy);
            }
            self.olds.insert(proc, own);
        }
        added
    }

    fn add_edge(&mut self, src: LocId, dst: LocId, statement: Stmt, like: EdgeId, role: Role) {
        let edge = &self.icfg.edges[like];
        let note = if role == Role::Same { edge.note } else { Note::Hidden };
        self.map.edges.push((like, role));
        self.linked.add_edge(src, dst, Label::Stmt(statement), edge.span, note);
    }

    /// A new location with the position of another.
    fn between(&mut self, like: LocId) -> LocId {
        let host = self.linked.locs[like].proc;
        self.linked.add_loc(host, self.icfg.locs[like].span)
    }

    fn link(&mut self, edge: EdgeId) {
        let icfg = self.icfg;
        let original = &icfg.edges[edge];
        let proc = icfg.locs[original.src].proc;
        match &original.label {
            Label::Call(site) => self.link_call(edge, *site),
            Label::Return(site) => self.link_return(edge, *site),
            other => {
                let label = self.with_own_olds(proc, other);
                self.map.edges.push((edge, Role::Same));
                self.linked.add_edge(original.src, original.dst, label, original.span, original.note);
            }
        }
    }

    fn renaming(&mut self, proc: ProcId) -> Substitution {
        let pairs = self.olds.get(&proc).into_iter().flatten();
        Substitution::from_pairs(pairs.map(|&(old, own)| (self.icfg.vars[old].term, self.linked.vars[own].term)))
    }

    /// An edge of a procedure that speaks of the procedure's own old variables.
    fn with_own_olds(&mut self, proc: ProcId, label: &Label) -> Label {
        if self.olds.get(&proc).is_none_or(Vec::is_empty) {
            return label.clone();
        }
        let mut renaming = self.renaming(proc);
        let pool = &mut *self.pool;
        match label {
            Label::Stmt(Stmt::Assume(c)) => Label::Stmt(Stmt::Assume(renaming.apply(pool, *c))),
            Label::Stmt(Stmt::Assign(pairs)) => {
                let pairs = pairs.iter().map(|&(v, e)| (v, renaming.apply(pool, e))).collect();
                Label::Stmt(Stmt::Assign(pairs))
            }
            Label::Block(t) => {
                let formula = renaming.apply(pool, t.formula);
                Label::Block(Box::new(Transition { formula, ..(**t).clone() }))
            }
            Label::Stmt(Stmt::Havoc(..))
            | Label::Call(_)
            | Label::Return(_)
            | Label::Fork { .. }
            | Label::Join { .. }
            | Label::AtomicBegin
            | Label::AtomicEnd => label.clone(),
        }
    }

    fn address_is(&mut self, callee: ProcId, site: CallSiteId) -> (VarId, TermId) {
        let number = i64::try_from(site.index()).unwrap_or(i64::MAX);
        (self.address[&callee], self.pool.int(number))
    }

    fn link_call(&mut self, edge: EdgeId, site: CallSiteId) {
        let icfg = self.icfg;
        let (info, ends) = (&icfg.call_sites[site], &icfg.edges[edge]);
        let callee = &icfg.procs[info.callee];
        let mut renaming = self.renaming(info.caller);
        let mut entering: Vec<(VarId, TermId)> = Vec::new();
        for (&param, &arg) in callee.params.iter().zip(&info.args) {
            entering.push((param, renaming.apply(self.pool, arg)));
        }
        for &(old, own) in &self.olds[&info.callee] {
            if let VarKind::Old(global) = icfg.vars[old].kind {
                entering.push((own, icfg.vars[global].term));
            }
        }
        let address = self.address_is(info.callee, site);
        entering.push(address);
        let arbitrary: Vec<VarId> = callee.locals.iter().chain(&callee.results).copied().collect();
        if arbitrary.is_empty() {
            self.add_edge(ends.src, ends.dst, Stmt::Assign(entering), edge, Role::Same);
            return;
        }
        let middle = self.between(ends.dst);
        self.add_edge(ends.src, middle, Stmt::Assign(entering), edge, Role::Same);
        self.add_edge(middle, ends.dst, Stmt::Havoc(arbitrary, Nondet::Choice), edge, Role::Arbitrary);
    }

    fn link_return(&mut self, edge: EdgeId, site: CallSiteId) {
        let icfg = self.icfg;
        let (info, ends) = (&icfg.call_sites[site], &icfg.edges[edge]);
        let callee = &icfg.procs[info.callee];
        let (address, number) = self.address_is(info.callee, site);
        let here = self.pool.eq(self.linked.vars[address].term, number);
        let results: Vec<(VarId, TermId)> =
            info.results.iter().zip(&callee.results).map(|(&to, &from)| (to, icfg.vars[from].term)).collect();
        if results.is_empty() {
            self.add_edge(ends.src, ends.dst, Stmt::Assume(here), edge, Role::Same);
            return;
        }
        let middle = self.between(ends.dst);
        self.add_edge(ends.src, middle, Stmt::Assume(here), edge, Role::Same);
        self.add_edge(middle, ends.dst, Stmt::Assign(results), edge, Role::Results);
    }
}
