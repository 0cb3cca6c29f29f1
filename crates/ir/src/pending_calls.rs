//! Recursion without a stack, for infinite executions.
//!
//! In an infinite execution every call either returns or stays pending forever. Of a call that returns only its effect
//! matters; of one that stays pending, the caller's variables are never seen again. So the graph needs no stack: each
//! call becomes two steps, *skip* to the location after it (modified globals and results become arbitrary, then the
//! callee's contract is assumed) and *enter*, a plain jump to the callee's entry (parameters and `old` variables are
//! assigned, its other variables become arbitrary). There are no returns. (These are the summaries and pending calls of
//! nested words, Alur and Madhusudan 2009, made explicit.)
//!
//! If the contracts hold (partial correctness), every infinite execution of the program is one of this graph: where
//! this graph terminates, so does the program. Conversely an infinite execution here that skips no call is one of the
//! program, with a growing stack; *skip* steps are marked as over-approximations, so nothing is concluded from
//! executions through them.
//!
//! Locations and edges keep their ids (call and return edges lose their meaning and lead nowhere: they become
//! `assume false`); new ones are added in a fixed order that does not depend on the contracts, so that the checker,
//! which makes the graph again, gets the same ids and terms.

use crate::icfg::{CallSiteId, EdgeId, Icfg, Label, LocId};
use crate::program::{Nondet, Note, ProcId, Stmt, VarId, VarKind, VarRole, Variable};
use crate::verdict::Contract;
use base::Span;
use logic::{Substitution, TermId, TermPool};
use std::collections::BTreeMap;

/// Copies of variables for skipped calls have this index.
const CALLEE_COPY: u32 = (1 << 30) + 7;

/// Where the calls went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PendingMap {
    /// The first edge of the skip of each call site, and of its entering.
    pub calls: BTreeMap<CallSiteId, (EdgeId, EdgeId)>,
}

/// The graph in which calls are replaced by contracts or never return. Procedures without a contract may do anything to
/// the globals that they modify.
pub fn without_returns(icfg: &Icfg, contracts: &BTreeMap<ProcId, Contract>, pool: &mut TermPool) -> (Icfg, PendingMap) {
    let mut graph = icfg.clone();
    let mut map = PendingMap::default();
    graph.call_sites = base::IdVec::new();
    // No call returns, so all locations may count as the root's.
    if let Some(root) = icfg.root {
        for (_, location) in graph.locs.iter_mut() {
            location.proc = root;
        }
    }
    for (_, edge) in graph.edges.iter_mut() {
        if matches!(edge.label, Label::Call(_) | Label::Return(_)) {
            edge.label = Label::Stmt(Stmt::Assume(TermId::FALSE));
        }
    }
    let mut copies: BTreeMap<VarId, VarId> = BTreeMap::new();
    for (id, site) in icfg.call_sites.iter() {
        let callee = &icfg.procs[site.callee];
        let (call, back) = (&icfg.edges[site.call_edge], &icfg.edges[site.return_edge]);
        let (span, before, after) = (call.span, call.src, back.dst);

        // Skip: remember arguments and the globals that change, make what the call may change arbitrary, assume the
        // contract, pass the results on.
        let ensures = contracts.get(&site.callee).map_or(TermId::TRUE, |c| c.ensures);
        let mut renaming = Substitution::new();
        let mut saved: Vec<(VarId, TermId)> = Vec::new();
        let mut arbitrary: Vec<VarId> = callee.modifies.clone();
        let mut copy_of = |v: VarId, graph: &mut Icfg, pool: &mut TermPool| {
            *copies.entry(v).or_insert_with(|| copy_variable(graph, pool, v))
        };
        for (v, variable) in icfg.vars.iter() {
            if let VarKind::Old(global) = variable.kind {
                if callee.modifies.contains(&global) {
                    let copy = copy_of(v, &mut graph, pool);
                    saved.push((copy, icfg.vars[global].term));
                    renaming.insert(variable.term, graph.vars[copy].term);
                } else {
                    renaming.insert(variable.term, icfg.vars[global].term);
                }
            }
        }
        for (&param, &argument) in callee.params.iter().zip(&site.args) {
            let copy = copy_of(param, &mut graph, pool);
            saved.push((copy, argument));
            renaming.insert(icfg.vars[param].term, graph.vars[copy].term);
        }
        let mut results: Vec<(VarId, TermId)> = Vec::new();
        for (&result, &target) in callee.results.iter().zip(&site.results) {
            let copy = copy_of(result, &mut graph, pool);
            arbitrary.push(copy);
            renaming.insert(icfg.vars[result].term, graph.vars[copy].term);
            results.push((target, graph.vars[copy].term));
        }
        let ensures = renaming.apply(pool, ensures);
        arbitrary.sort_unstable();
        arbitrary.dedup();
        let what = Nondet::Overapproximation(format!("the effect of a call of {}", callee.name));
        let skip = Chain { from: before, to: after, span };
        let first = skip.add(
            &mut graph,
            vec![Stmt::Assign(saved), Stmt::Havoc(arbitrary, what), Stmt::Assume(ensures), Stmt::Assign(results)],
        );

        // Enter: as the call edge, without a return.
        let mut assigned: Vec<(VarId, TermId)> = callee.params.iter().copied().zip(site.args.iter().copied()).collect();
        for (v, variable) in icfg.vars.iter() {
            if let VarKind::Old(global) = variable.kind {
                assigned.push((v, icfg.vars[global].term));
            }
        }
        let arbitrary: Vec<VarId> = callee.results.iter().chain(&callee.locals).copied().collect();
        let enter = Chain { from: before, to: call.dst, span };
        let second = enter.add(&mut graph, vec![Stmt::Assign(assigned), Stmt::Havoc(arbitrary, Nondet::Choice)]);
        map.calls.insert(id, (first, second));
    }
    graph.mark_loop_heads();
    (graph, map)
}

/// A sequence of statements between two locations.
struct Chain {
    from: LocId,
    to: LocId,
    span: Span,
}

impl Chain {
    /// Adds the statements, each as an edge; returns the first.
    fn add(&self, graph: &mut Icfg, statements: Vec<Stmt>) -> EdgeId {
        let proc = graph.locs[self.from].proc;
        let first = graph.edges.next_id();
        let (mut at, n) = (self.from, statements.len());
        for (i, statement) in statements.into_iter().enumerate() {
            let to = if i + 1 == n { self.to } else { graph.add_loc(proc, self.span) };
            let note = if i == 0 { Note::None } else { Note::Hidden };
            graph.add_edge(at, to, Label::Stmt(statement), self.span, note);
            at = to;
        }
        first
    }
}

fn copy_variable(graph: &mut Icfg, pool: &mut TermPool, v: VarId) -> VarId {
    let model = graph.vars[v].clone();
    let term = pool.indexed(model.term, CALLEE_COPY);
    // The owner is gone with the stack; scopes mean nothing here.
    let kind = graph.root.map_or(model.kind, VarKind::Local);
    graph.vars.push(Variable { term, kind, role: VarRole::Plain, span: Span::NONE, ..model })
}
