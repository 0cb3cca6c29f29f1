//! Loops as tail recursion: a graph without loops, with more procedures (as WHALE does: Albarghouthi, Gurfinkel,
//! Chechik 2012).
//!
//! For each loop head `h` of a procedure `P` there is a new procedure `P.loop@h` that does what `P` does from `h` on
//! until it returns. Its parameters are the values of all variables of `P` at `h` (and of the `old` variables, which
//! mean `P`'s entry); its results are those of `P`. An edge into `h` becomes the same edge to a new location, a call of
//! that procedure, and the exit. Every procedure is then acyclic, and a summary of `P.loop@h` relates the states at the
//! loop head to those at the exit of `P`.
//!
//! Error locations are copied with the code that leads to them. [`TailMap`] carries executions back.

use crate::icfg::{CallSite, CallSiteId, EdgeId, Icfg, IcfgProc, Label, LocId};
use crate::program::{Note, ProcId, Stmt, VarId, VarKind, Variable};
use crate::verdict::{Counterexample, TraceStep};
use base::{Id, IdVec};
use logic::{FastMap, Substitution, TermId, TermPool};
use std::collections::BTreeMap;

/// Copies of variables for loop procedures have indices from here on (SSA stays far below).
const FIRST_COPY: u32 = 1 << 31;

/// From the acyclic graph back to the original one.
#[derive(Clone, Debug, Default)]
pub struct TailMap {
    /// The original edge, or `None` for edges that only pass values on.
    pub edges: IdVec<EdgeId, Option<EdgeId>>,
    /// The original variable, or `None` for parameters of loop procedures.
    pub vars: IdVec<VarId, Option<VarId>>,
    /// The variables that the parameters of loop procedures stand for.
    pub params: BTreeMap<VarId, VarId>,
    /// For each new procedure the loop head it stands for.
    pub loops: BTreeMap<ProcId, LocId>,
}

impl TailMap {
    /// A formula over the inputs of a loop procedure of the result, as one about the original variables at the loop
    /// head.
    pub fn at_loop_head(&self, pool: &mut TermPool, original: &Icfg, result: &Icfg, formula: TermId) -> TermId {
        let pairs = self.params.iter().map(|(param, v)| (result.vars[*param].term, original.vars[*v].term));
        Substitution::from_pairs(pairs).apply(pool, formula)
    }
}

impl TailMap {
    /// The same execution in the original graph.
    pub fn original_counterexample(&self, trace: &Counterexample) -> Counterexample {
        let original = |values: &BTreeMap<VarId, logic::Value>| -> BTreeMap<VarId, logic::Value> {
            values.iter().filter_map(|(v, value)| Some(((*self.vars.get(*v)?)?, value.clone()))).collect()
        };
        let steps = trace
            .steps
            .iter()
            .filter_map(|step| Some(TraceStep { edge: self.edges[step.edge]?, chosen: original(&step.chosen) }))
            .collect();
        // Copies of a variable have no value of their own at the start.
        let initial = trace
            .initial
            .iter()
            .filter(|(v, _)| self.vars.get(**v) == Some(&Some(**v)))
            .map(|(v, value)| (*v, value.clone()))
            .collect();
        Counterexample { initial, steps, symbols: trace.symbols.clone() }
    }
}

/// The graph with loops turned into procedures. Variables keep their ids; new ones are added.
pub fn loops_to_recursion(icfg: &Icfg, pool: &mut TermPool) -> (Icfg, TailMap) {
    let mut result = Icfg::new();
    result.vars = icfg.vars.clone();
    result.globals = icfg.globals.clone();
    result.axioms = icfg.axioms.clone();
    result.root = icfg.root;
    let map = TailMap { vars: icfg.vars.ids().map(Some).collect(), ..TailMap::default() };
    let mut maker = Maker { icfg, pool, result, map, procs: FastMap::default() };
    maker.declare();
    for proc in icfg.procs.ids() {
        let entry = icfg.procs[proc].entry;
        let frame = Frame { host: proc, of: proc, vars: FastMap::default(), renaming: Substitution::new() };
        let start = maker.result.procs[proc].entry;
        maker.copy(frame, entry, start);
    }
    for (head, host) in maker.loop_procs() {
        maker.copy_loop(head, host);
    }
    maker.result.mark_loop_heads();
    (maker.result, maker.map)
}

struct Maker<'a> {
    icfg: &'a Icfg,
    pool: &'a mut TermPool,
    result: Icfg,
    map: TailMap,
    /// The procedure of each loop head.
    procs: FastMap<LocId, ProcId>,
}

/// A copy of code under new names for the variables of one activation.
struct Frame {
    /// The procedure of the result that the copy belongs to.
    host: ProcId,
    /// The procedure whose code it is.
    of: ProcId,
    vars: FastMap<VarId, VarId>,
    renaming: Substitution,
}

impl Maker<'_> {
    /// All procedures with their entries and exits, and the procedures of loop heads.
    fn declare(&mut self) {
        for proc in self.icfg.procs.values() {
            let id = self.result.procs.next_id();
            let entry = self.result.add_loc(id, proc.span);
            let exit = self.result.add_loc(id, proc.span);
            self.result.procs.push(IcfgProc { entry, exit, ..proc.clone() });
        }
        for (head, location) in self.icfg.locs.iter().filter(|(_, l)| l.is_loop_head) {
            let of = &self.icfg.procs[location.proc];
            let id = self.result.procs.next_id();
            let entry = self.result.add_loc(id, location.span);
            let exit = self.result.add_loc(id, location.span);
            let name = format!("{}.loop@{}", of.name, head.index());
            let results: Vec<VarId> =
                of.results.iter().map(|&v| self.new_var(v, head, VarKind::Result(id), true)).collect();
            let params: Vec<VarId> = self
                .frame_vars(location.proc)
                .iter()
                .map(|&v| self.new_var(v, head, VarKind::Param(id), false))
                .collect();
            let frame = self.frame_vars(location.proc);
            for (originals, copies) in [(&frame, &params), (&of.results, &results)] {
                let copy_of =
                    |v: VarId| originals.iter().position(|&o| o == v).map_or(Some(v), |i| copies.get(i).copied());
                for (&v, &copy) in originals.iter().zip(copies) {
                    self.result.vars[copy].role = self.icfg.vars[v].role.copied(copy_of);
                }
            }
            self.result.procs.push(IcfgProc {
                name,
                entry,
                exit,
                params,
                results,
                locals: Vec::new(),
                modifies: of.modifies.clone(),
                span: location.span,
            });
            self.procs.insert(head, id);
            self.map.loops.insert(id, head);
        }
    }

    fn loop_procs(&self) -> Vec<(LocId, ProcId)> {
        let heads = self.icfg.locs.iter().filter(|(_, l)| l.is_loop_head).map(|(id, _)| id);
        heads.map(|h| (h, self.procs[&h])).collect()
    }

    /// Everything that one activation of a procedure holds.
    fn frame_vars(&self, proc: ProcId) -> Vec<VarId> {
        let p = &self.icfg.procs[proc];
        let mut vars: Vec<VarId> = p.params.iter().chain(&p.locals).chain(&p.results).copied().collect();
        let old = self.icfg.vars.iter().filter(|(_, v)| matches!(v.kind, VarKind::Old(_))).map(|(id, _)| id);
        vars.extend(old);
        vars
    }

    /// A copy of a variable for the loop procedure of `head`. Its symbol depends only on the variable, the head and
    /// the role, so that the checker, which makes the graph again, gets the same terms.
    fn new_var(&mut self, like: VarId, head: LocId, kind: VarKind, shown: bool) -> VarId {
        let model = self.icfg.vars[like].clone();
        let role = u32::from(!matches!(kind, VarKind::Param(_)));
        let term = self.pool.indexed(model.term, FIRST_COPY + 2 * head.0 + role);
        self.map.vars.push(shown.then_some(like));
        let id = self.result.vars.push(Variable { term, kind, ..model });
        if role == 0 {
            self.map.params.insert(id, like);
        }
        id
    }

    fn add_edge(&mut self, src: LocId, dst: LocId, label: Label, like: EdgeId, origin: Option<EdgeId>) -> EdgeId {
        let edge = &self.icfg.edges[like];
        let note = if origin.is_some() { edge.note } else { Note::Hidden };
        self.map.edges.push(origin);
        self.result.add_edge(src, dst, label, edge.span, note)
    }

    /// The body of a loop procedure: parameters are copied to local variables, then the code follows.
    fn copy_loop(&mut self, head: LocId, host: ProcId) {
        let of = self.icfg.locs[head].proc;
        let mut frame = Frame { host, of, vars: FastMap::default(), renaming: Substitution::new() };
        let params = self.result.procs[host].params.clone();
        let results: FastMap<VarId, VarId> =
            self.icfg.procs[of].results.iter().copied().zip(self.result.procs[host].results.iter().copied()).collect();
        let mut copies = Vec::new();
        for (v, param) in self.frame_vars(of).into_iter().zip(params) {
            let copy = match results.get(&v) {
                Some(&result) => result,
                None => {
                    let local = self.new_var(v, head, VarKind::Local(host), true);
                    self.result.procs[host].locals.push(local);
                    local
                }
            };
            frame.vars.insert(v, copy);
            frame.renaming.insert(self.icfg.vars[v].term, self.result.vars[copy].term);
            copies.push((copy, self.result.vars[param].term));
        }
        let entry = self.result.procs[host].entry;
        let start = self.result.add_loc(host, self.icfg.locs[head].span);
        if let Some(&like) = self.icfg.out_edges(head).first() {
            self.add_edge(entry, start, Label::Stmt(Stmt::Assign(copies)), like, None);
            self.copy(frame, head, start);
        }
    }

    /// Copies the code from a location on; edges into loop heads become calls.
    fn copy(&mut self, mut frame: Frame, from: LocId, start: LocId) {
        let exit = self.icfg.procs[frame.of].exit;
        let mut copies: FastMap<LocId, LocId> = FastMap::default();
        copies.insert(from, start);
        copies.insert(exit, self.result.procs[frame.host].exit);
        let mut todo = vec![from];
        // A procedure whose entry is a loop head: its own body starts with the call.
        if self.procs.contains_key(&from) && frame.host == frame.of {
            let like = self.icfg.out_edges(from).first().copied();
            if let Some(like) = like {
                self.call_loop(&mut frame, start, from, like);
            }
            return;
        }
        while let Some(loc) = todo.pop() {
            let src = copies[&loc];
            for &edge in self.icfg.out_edges(loc) {
                if matches!(self.icfg.edges[edge].label, Label::Return(_)) {
                    continue;
                }
                let dst = match self.icfg.edges[edge].label {
                    Label::Call(site) => self.icfg.edges[self.icfg.call_sites[site].return_edge].dst,
                    _ => self.icfg.edges[edge].dst,
                };
                let into_loop = self.procs.contains_key(&dst);
                let target = if into_loop {
                    self.result.add_loc(frame.host, self.icfg.locs[dst].span)
                } else {
                    match copies.get(&dst) {
                        Some(&copy) => copy,
                        None => {
                            let copy = self.result.add_loc(frame.host, self.icfg.locs[dst].span);
                            self.result.locs[copy].error = self.icfg.locs[dst].error.clone();
                            copies.insert(dst, copy);
                            todo.push(dst);
                            copy
                        }
                    }
                };
                self.copy_edge(&mut frame, edge, src, target);
                if into_loop {
                    self.call_loop(&mut frame, target, dst, edge);
                }
            }
        }
    }

    fn var(frame: &Frame, v: VarId) -> VarId {
        frame.vars.get(&v).copied().unwrap_or(v)
    }

    fn copy_edge(&mut self, frame: &mut Frame, edge: EdgeId, src: LocId, dst: LocId) {
        let label = match &self.icfg.edges[edge].label {
            Label::Stmt(Stmt::Assume(c)) => Label::Stmt(Stmt::Assume(frame.renaming.apply(self.pool, *c))),
            Label::Stmt(Stmt::Assign(pairs)) => {
                let pairs =
                    pairs.iter().map(|&(v, e)| (Self::var(frame, v), frame.renaming.apply(self.pool, e))).collect();
                Label::Stmt(Stmt::Assign(pairs))
            }
            Label::Stmt(Stmt::Havoc(vars, nondet)) => {
                let vars = vars.iter().map(|&v| Self::var(frame, v)).collect();
                Label::Stmt(Stmt::Havoc(vars, nondet.clone()))
            }
            Label::Call(site) => {
                let site = &self.icfg.call_sites[*site];
                let args = site.args.iter().map(|&a| frame.renaming.apply(self.pool, a)).collect();
                let results = site.results.iter().map(|&v| Self::var(frame, v)).collect();
                let (callee, return_edge) = (site.callee, site.return_edge);
                self.add_call(frame.host, callee, args, results, src, dst, edge, Some((edge, return_edge)));
                return;
            }
            other => other.clone(),
        };
        self.add_edge(src, dst, label, edge, Some(edge));
    }

    /// `results := P.loop@head(all variables)`, then the exit.
    fn call_loop(&mut self, frame: &mut Frame, src: LocId, head: LocId, like: EdgeId) {
        let callee = self.procs[&head];
        let args = self.frame_vars(frame.of).into_iter().map(|v| self.result.vars[Self::var(frame, v)].term).collect();
        let results = self.result.procs[frame.host].results.clone();
        let exit = self.result.procs[frame.host].exit;
        self.add_call(frame.host, callee, args, results, src, exit, like, None);
    }

    #[allow(clippy::too_many_arguments)]
    fn add_call(
        &mut self,
        caller: ProcId,
        callee: ProcId,
        args: Vec<logic::TermId>,
        results: Vec<VarId>,
        src: LocId,
        dst: LocId,
        like: EdgeId,
        origin: Option<(EdgeId, EdgeId)>,
    ) {
        let site: CallSiteId = self.result.call_sites.next_id();
        let (entry, exit) = (self.result.procs[callee].entry, self.result.procs[callee].exit);
        let call_edge = self.add_edge(src, entry, Label::Call(site), like, origin.map(|o| o.0));
        let return_edge = self.add_edge(exit, dst, Label::Return(site), like, origin.map(|o| o.1));
        self.result.call_sites.push(CallSite { caller, callee, args, results, call_edge, return_edge });
    }
}
