//! The interprocedural control-flow graph.
//!
//! One graph holds all procedures. A call site has two edges: `Call` from the location before it to
//! the callee's entry, `Return` from the callee's exit to the location after it. There is one
//! initial location: the entry of a root procedure that the builder makes, which havocs parameters,
//! assumes what is known initially, and calls the program's entry procedures.
//!
//! Meaning of edges:
//! * `Stmt`, `Block`: see [`Transition`](crate::Transition).
//! * `Call(s)`: the callee's parameters get the arguments of the site, its other locals any values, and
//!   `old(g)` becomes `g` for every global.
//! * `Return(s)`: only if the activation was entered through site `s`: the caller's locals are as
//!   before the call, its result variables get the callee's results; globals keep their values.
//!
//! Invariants (checked by `verify`): edges other than calls and returns stay in one procedure; every
//! call site has exactly one call and one return edge; error locations have no outgoing edges; terms
//! speak only about variables in scope.

use crate::program::{Check, Note, ProcId, Stmt, VarId, Variable};
use crate::transition::Transition;
use base::{IdVec, Span};
use logic::TermId;
use std::collections::BTreeSet;

base::define_id!(
    LocId, "l";
    EdgeId, "e";
    CallSiteId, "c"
);

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    pub proc: ProcId,
    /// The source position control is at.
    pub span: Span,
    /// A target of a back edge: every cycle within a procedure passes through one.
    pub is_loop_head: bool,
    /// Reaching it violates this check.
    pub error: Option<Check>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Label {
    Stmt(Stmt),
    /// Several statements composed to one formula (large-block encoding).
    Block(Box<Transition>),
    Call(CallSiteId),
    Return(CallSiteId),
    /// Thread operations; engines that do not know them answer unknown.
    Fork {
        id: Vec<TermId>,
        callee: ProcId,
        args: Vec<TermId>,
    },
    Join {
        id: Vec<TermId>,
        results: Vec<VarId>,
    },
    AtomicBegin,
    AtomicEnd,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    pub src: LocId,
    pub dst: LocId,
    pub label: Label,
    pub span: Span,
    pub note: Note,
}

impl Edge {
    /// What the step does not model exactly.
    pub fn not_modelled(&self) -> Option<&str> {
        match &self.label {
            Label::Stmt(Stmt::Havoc(_, why)) => why.not_modelled(),
            _ if self.note == Note::Layout => Some("the numerical value of an address"),
            _ => None,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallSite {
    pub caller: ProcId,
    pub callee: ProcId,
    /// Over the caller's scope, one per parameter of the callee.
    pub args: Vec<TermId>,
    /// Variables of the caller's scope, one per result of the callee.
    pub results: Vec<VarId>,
    pub call_edge: EdgeId,
    pub return_edge: EdgeId,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IcfgProc {
    pub name: String,
    pub entry: LocId,
    pub exit: LocId,
    pub params: Vec<VarId>,
    pub results: Vec<VarId>,
    /// Everything that lives in one activation besides parameters and results.
    pub locals: Vec<VarId>,
    /// Globals that may change during a call, callees included.
    pub modifies: Vec<VarId>,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Icfg {
    pub vars: IdVec<VarId, Variable>,
    pub globals: Vec<VarId>,
    pub procs: IdVec<ProcId, IcfgProc>,
    pub locs: IdVec<LocId, Location>,
    pub edges: IdVec<EdgeId, Edge>,
    pub call_sites: IdVec<CallSiteId, CallSite>,
    /// The root procedure: executions start at its entry with any values of all variables.
    pub root: Option<ProcId>,
    /// True in every state (axioms about uninterpreted symbols).
    pub axioms: Vec<TermId>,
    /// A Büchi condition: an infinite execution counts only if it arrives at one of these infinitely often. `None`:
    /// every infinite execution counts. Finite executions do not depend on it.
    pub acceptance: Option<BTreeSet<LocId>>,
    out: IdVec<LocId, Vec<EdgeId>>,
    into: IdVec<LocId, Vec<EdgeId>>,
}

impl Icfg {
    pub fn new() -> Icfg {
        Icfg::default()
    }
    pub fn add_loc(&mut self, proc: ProcId, span: Span) -> LocId {
        self.out.push(Vec::new());
        self.into.push(Vec::new());
        self.locs.push(Location { proc, span, is_loop_head: false, error: None })
    }
    pub fn add_edge(&mut self, src: LocId, dst: LocId, label: Label, span: Span, note: Note) -> EdgeId {
        let id = self.edges.push(Edge { src, dst, label, span, note });
        self.out[src].push(id);
        self.into[dst].push(id);
        id
    }
    /// Outgoing edges in the order they were added.
    pub fn out_edges(&self, loc: LocId) -> &[EdgeId] {
        &self.out[loc]
    }
    pub fn in_edges(&self, loc: LocId) -> &[EdgeId] {
        &self.into[loc]
    }
    /// The initial location.
    pub fn entry(&self) -> LocId {
        self.procs[self.root.expect("a built graph has a root")].entry
    }
    pub fn error_locs(&self) -> impl Iterator<Item = LocId> + '_ {
        self.locs.iter().filter(|(_, l)| l.error.is_some()).map(|(id, _)| id)
    }
    pub fn term(&self, var: VarId) -> TermId {
        self.vars[var].term
    }
    /// The call site of a call or return edge.
    pub fn call_site(&self, edge: EdgeId) -> Option<CallSiteId> {
        match self.edges[edge].label {
            Label::Call(site) | Label::Return(site) => Some(site),
            _ => None,
        }
    }
    /// The `old(g)` variable of a global, if the program speaks of it.
    pub fn old_of(&self, global: VarId) -> Option<VarId> {
        self.vars.iter().find(|(_, v)| v.kind == crate::VarKind::Old(global)).map(|(id, _)| id)
    }
    /// Is the infinite repetition of these edges accepting ([`Icfg::acceptance`])?
    pub fn is_accepting_path(&self, edges: &[EdgeId]) -> bool {
        match &self.acceptance {
            None => true,
            Some(accepting) => edges.iter().any(|e| accepting.contains(&self.edges[*e].dst)),
        }
    }
    pub fn has_calls(&self) -> bool {
        !self.call_sites.is_empty()
    }
    pub fn has_threads(&self) -> bool {
        self.edges.values().any(|e| matches!(e.label, Label::Fork { .. } | Label::Join { .. }))
    }
}
