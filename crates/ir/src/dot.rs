//! Graphs for people: Graphviz text, and statements as one would write them.

use crate::icfg::{Icfg, Label, LocId};
use crate::program::{Nondet, ProcId, Stmt, VarId};
use crate::transition::Parts;
use base::IdVec;
use logic::{FastMap, FunId, TermId, TermPool};

/// Longer labels are cut.
const MAX_LABEL: usize = 160;
/// Larger terms are not shown.
const MAX_TERM: u64 = 200;

/// Prints terms and labels with the names of the source.
pub struct Shower<'a> {
    icfg: &'a Icfg,
    pool: &'a TermPool,
    by_symbol: FastMap<FunId, VarId>,
}

impl<'a> Shower<'a> {
    pub fn new(icfg: &'a Icfg, pool: &'a TermPool) -> Shower<'a> {
        let by_symbol = icfg.vars.iter().filter_map(|(id, v)| Some((pool.as_symbol(v.term)?, id))).collect();
        Shower { icfg, pool, by_symbol }
    }
    fn name(&self, v: VarId) -> &str {
        &self.icfg.vars[v].name
    }
    pub fn term(&self, t: TermId) -> String {
        let rename = |pool: &TermPool, t: TermId| {
            let f = pool.as_symbol(t)?;
            if let Some(&v) = self.by_symbol.get(&f) {
                return Some(self.name(v).to_string());
            }
            // Primed constants of blocks.
            let (base, _) = pool.fun(f).instance_of?;
            self.by_symbol.get(&base).map(|&v| format!("{}'", self.name(v)))
        };
        self.pool.infix_with(t, MAX_TERM, &rename).unwrap_or_else(|| "…".to_string())
    }
    fn list(&self, vars: &[VarId]) -> String {
        vars.iter().map(|&v| self.name(v)).collect::<Vec<_>>().join(", ")
    }
    fn terms(&self, terms: &[TermId]) -> String {
        terms.iter().map(|&t| self.term(t)).collect::<Vec<_>>().join(", ")
    }
    pub fn stmt(&self, stmt: &Stmt) -> String {
        match stmt {
            Stmt::Assign(pairs) => {
                let (left, right): (Vec<VarId>, Vec<TermId>) = pairs.iter().copied().unzip();
                format!("{} := {}", self.list(&left), self.terms(&right))
            }
            Stmt::Assume(TermId::TRUE) => "skip".to_string(),
            Stmt::Assume(c) => format!("assume {}", self.term(*c)),
            Stmt::Havoc(vars, Nondet::Choice) => format!("havoc {}", self.list(vars)),
            Stmt::Havoc(vars, Nondet::Read(_)) => format!("read {}", self.list(vars)),
            Stmt::Havoc(vars, Nondet::Input(name)) => format!("{} := {name}()", self.list(vars)),
            Stmt::Havoc(vars, Nondet::Inexact(what) | Nondet::Overapproximation(what)) => {
                format!("havoc {} (not modelled: {what})", self.list(vars))
            }
        }
    }
    pub fn label(&self, label: &Label) -> String {
        match label {
            Label::Stmt(stmt) => self.stmt(stmt),
            Label::Block(block) => match &block.parts {
                Parts::Edge { .. } | Parts::Seq(_) => format!("block: {}", self.term(block.plain)),
                Parts::Graph { edges, .. } => {
                    format!("block of {} statements: {}", edges.len(), self.term(block.plain))
                }
            },
            Label::Call(site) => {
                let site = &self.icfg.call_sites[*site];
                format!("call {}({})", self.icfg.procs[site.callee].name, self.terms(&site.args))
            }
            Label::Return(site) => {
                let site = &self.icfg.call_sites[*site];
                let callee = &self.icfg.procs[site.callee].name;
                match site.results[..] {
                    [] => format!("return from {callee}"),
                    _ => format!("{} := result of {callee}", self.list(&site.results)),
                }
            }
            Label::Fork { id, callee, args } => {
                format!("fork {} {}({})", self.terms(id), self.icfg.procs[*callee].name, self.terms(args))
            }
            Label::Join { id, results } => format!("join {} assign {}", self.terms(id), self.list(results)),
            Label::AtomicBegin => "begin atomic".to_string(),
            Label::AtomicEnd => "end atomic".to_string(),
        }
    }
}

/// The graph in the language of Graphviz: one cluster a procedure; loop heads are bold, error
/// locations red, calls and returns dashed.
pub fn print_dot(icfg: &Icfg, pool: &TermPool) -> String {
    let shower = Shower::new(icfg, pool);
    let mut out = String::from("digraph icfg {\n  node [shape=circle, fontsize=10];\n  edge [fontsize=10];\n");
    let mut by_proc: IdVec<ProcId, Vec<LocId>> = IdVec::from_elem(Vec::new(), icfg.procs.len());
    for (l, loc) in icfg.locs.iter() {
        by_proc[loc.proc].push(l);
    }
    for (id, p) in icfg.procs.iter() {
        out.push_str(&format!("  subgraph cluster_{} {{\n    label=\"{}\";\n", id.0, escape(&p.name)));
        for &l in &by_proc[id] {
            let loc = &icfg.locs[l];
            let mut style = Vec::new();
            if l == p.entry || l == p.exit {
                style.push("shape=doublecircle".to_string());
            }
            if loc.is_loop_head {
                style.push("style=bold".to_string());
            }
            if let Some(check) = &loc.error {
                style.push("color=red".to_string());
                style.push(format!("tooltip=\"{}\"", escape(&check.message)));
            }
            out.push_str(&format!("    {l} [{}];\n", style.join(", ")));
        }
        out.push_str("  }\n");
    }
    for edge in icfg.edges.values() {
        let dashed = if matches!(edge.label, Label::Call(_) | Label::Return(_)) { ", style=dashed" } else { "" };
        let label = escape(&shower.label(&edge.label));
        out.push_str(&format!("  {} -> {} [label=\"{label}\"{dashed}];\n", edge.src, edge.dst));
    }
    out.push_str("}\n");
    out
}

fn escape(text: &str) -> String {
    let mut short: String = text.chars().take(MAX_LABEL).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " ")
}
