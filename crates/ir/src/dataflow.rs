//! Which variables edges read and write, and which locals may be read before they are written.

use crate::icfg::{Icfg, Label, LocId};
use crate::program::{ProcId, Stmt, VarId};
use base::IdVec;
use logic::{FastMap, TermId, TermPool};
use std::collections::BTreeMap;

/// Finds the variable that a constant stands for.
#[derive(Clone, Debug, Default)]
pub(crate) struct VarIndex {
    by_term: FastMap<TermId, VarId>,
}

impl VarIndex {
    pub(crate) fn new(icfg: &Icfg) -> VarIndex {
        VarIndex { by_term: icfg.vars.iter().map(|(id, v)| (v.term, id)).collect() }
    }
    pub(crate) fn var(&self, constant: TermId) -> Option<VarId> {
        self.by_term.get(&constant).copied()
    }
    /// The variables in these terms, sorted.
    pub(crate) fn vars_of(&self, pool: &TermPool, terms: &[TermId]) -> Vec<VarId> {
        let mut vars = Vec::new();
        pool.visit_postorder(terms, |t| vars.extend(self.var(t)));
        vars.sort_unstable();
        vars
    }
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

/// The locals and results of each procedure that some path may read before it writes them (the exit
/// reads the results). Works variable by variable, backwards from its reads over its live range; when
/// that becomes too much work, the remaining variables are counted in, which is always right.
pub(crate) fn read_before_written(icfg: &Icfg, pool: &TermPool, index: &VarIndex) -> IdVec<ProcId, Vec<VarId>> {
    let mut work_left = 64 * icfg.locs.len() + 100_000;
    let mut reads: FastMap<VarId, Vec<LocId>> = FastMap::default();
    for edge in icfg.edges.values() {
        for v in index.vars_of(pool, &icfg.read_terms(&edge.label)) {
            reads.entry(v).or_default().push(edge.src);
        }
    }
    let mut seen: IdVec<LocId, u32> = IdVec::from_elem(0, icfg.locs.len());
    let mut stamp = 0;
    let mut result = IdVec::new();
    for procedure in icfg.procs.values() {
        let mut exposed = Vec::new();
        for (&v, is_result) in
            procedure.locals.iter().map(|v| (v, false)).chain(procedure.results.iter().map(|v| (v, true)))
        {
            stamp += 1;
            let mut stack = reads.remove(&v).unwrap_or_default();
            if is_result {
                stack.push(procedure.exit);
            }
            let mut is_exposed = false;
            while let Some(loc) = stack.pop() {
                if std::mem::replace(&mut seen[loc], stamp) == stamp {
                    continue;
                }
                if loc == procedure.entry || work_left == 0 {
                    is_exposed = true;
                    break;
                }
                work_left = work_left.saturating_sub(icfg.in_edges(loc).len() + 1);
                for &e in icfg.in_edges(loc) {
                    let edge = &icfg.edges[e];
                    if icfg.writes(&edge.label, v) {
                        continue;
                    }
                    match edge.label {
                        Label::Call(_) => {}
                        Label::Return(site) => stack.push(icfg.edges[icfg.call_sites[site].call_edge].src),
                        Label::Stmt(_)
                        | Label::Block(_)
                        | Label::Fork { .. }
                        | Label::Join { .. }
                        | Label::AtomicBegin
                        | Label::AtomicEnd => stack.push(edge.src),
                    }
                }
            }
            if is_exposed {
                exposed.push(v);
            }
        }
        result.push(exposed);
    }
    result
}

/// The variables that may be read later before they are written, for each location, sorted. (Those that are not locals: only within the procedure.)
pub fn live_locals(icfg: &Icfg, pool: &TermPool) -> IdVec<LocId, Vec<VarId>> {
    let index = VarIndex::new(icfg);
    let mut reads: BTreeMap<VarId, Vec<LocId>> = BTreeMap::new();
    for edge in icfg.edges.values() {
        for v in index.vars_of(pool, &icfg.read_terms(&edge.label)) {
            reads.entry(v).or_default().push(edge.src);
        }
    }
    for proc in icfg.procs.values() {
        for &v in &proc.results {
            reads.entry(v).or_default().push(proc.exit);
        }
    }
    let mut live: IdVec<LocId, Vec<VarId>> = IdVec::from_elem(Vec::new(), icfg.locs.len());
    for (v, mut work) in reads {
        while let Some(loc) = work.pop() {
            if live[loc].last() == Some(&v) {
                continue;
            }
            live[loc].push(v);
            for &e in icfg.in_edges(loc) {
                let edge = &icfg.edges[e];
                if icfg.writes(&edge.label, v) {
                    continue;
                }
                match edge.label {
                    Label::Call(_) => {}
                    Label::Return(site) => work.push(icfg.edges[icfg.call_sites[site].call_edge].src),
                    _ => work.push(edge.src),
                }
            }
        }
    }
    live
}
