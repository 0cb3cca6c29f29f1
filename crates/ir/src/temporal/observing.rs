//! Which steps of a graph are observed, and what happens in them.

use crate::icfg::{EdgeId, Icfg, Label, LocId};
use crate::inline::{ContextId, EdgeRole, InlineMap};
use crate::program::{Note, Observations, Observed, ProcId, Stmt};
use base::IdVec;
use logic::TermId;
use std::collections::{BTreeMap, BTreeSet};

/// What a skipped call may do to the automaton: from a state, the states it may be in afterwards.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SkipOutcome {
    /// `None`: nothing has been observed yet.
    pub from: Option<usize>,
    pub to: Option<usize>,
    /// An accepting state may have been passed.
    pub is_accepting: bool,
    /// Propositions that the call does not change have these values.
    pub guard: super::Guard,
}

/// What can be observed of the edges of a graph.
#[derive(Clone, Debug)]
pub struct Observing {
    /// The propositions about steps that are true in the step, as a set of bits.
    pub events: IdVec<EdgeId, u64>,
    /// Does the step belong to the entry procedure or to what it calls or starts?
    pub inside: IdVec<EdgeId, bool>,
    /// Steps that are never observed: bookkeeping of skipped calls.
    pub silent: IdVec<EdgeId, bool>,
    /// The threads that take the steps; empty in sequential graphs.
    pub threads: IdVec<EdgeId, usize>,
    /// Locations in the middle of a step of a thread.
    pub sections: BTreeSet<LocId>,
    /// Skipped calls, by their first edges.
    pub skips: BTreeMap<EdgeId, Vec<SkipOutcome>>,
    /// Calls that are deeper than those that were unrolled.
    pub deeper: BTreeSet<EdgeId>,
}

impl Observing {
    /// Of a graph whose calls were inlined; `original` is the graph before.
    pub fn of_inlined(icfg: &Icfg, original: &Icfg, map: &InlineMap, observations: &Observations) -> Observing {
        let inner = reached_from(original, observations.entry);
        let is_inside = |loc: LocId| {
            let Some((_, context)) = map.locs.get(loc) else { return false };
            let mut context: Option<ContextId> = Some(*context);
            while let Some(c) = context {
                let data = &map.contexts[c];
                if data.proc == observations.entry || inner.contains(&data.proc) {
                    return true;
                }
                context = data.call.map(|(_, outer)| outer);
            }
            false
        };
        let events = |edge: EdgeId| {
            let happens = |p: &Observed| match p {
                Observed::State(_) => false,
                Observed::Mark(mark) => icfg.edges[edge].note == Note::Mark(*mark),
                Observed::Call(p) => is_step_of(map, original, edge, (EdgeRole::Enter, *p)),
                Observed::Return(p) => is_step_of(map, original, edge, (EdgeRole::Leave, *p)),
            };
            let bits = observations.propositions.iter().enumerate().filter(|(_, p)| happens(p));
            bits.fold(0, |all, (i, _)| all | 1 << i)
        };
        Observing {
            events: icfg.edges.ids().map(events).collect(),
            inside: icfg.edges.values().map(|e| is_inside(e.src)).collect(),
            silent: IdVec::from_elem(false, icfg.edges.len()),
            threads: IdVec::new(),
            sections: BTreeSet::new(),
            skips: BTreeMap::new(),
            deeper: icfg.edges.ids().filter(|&e| is_cut_off(icfg, original, map, e)).collect(),
        }
    }

    /// Of the product of the threads of a graph, whose edges are steps of these threads.
    pub fn of_threads(&self, steps: &IdVec<EdgeId, (usize, EdgeId)>, sections: BTreeSet<LocId>) -> Observing {
        Observing {
            events: steps.values().map(|(_, e)| self.events[*e]).collect(),
            inside: steps.values().map(|(_, e)| self.inside[*e]).collect(),
            silent: steps.values().map(|(_, e)| self.silent[*e]).collect(),
            threads: steps.values().map(|(t, _)| *t).collect(),
            sections,
            skips: BTreeMap::new(),
            deeper: BTreeSet::new(),
        }
    }
}

/// Does an edge stand for a call that was not unrolled?
fn is_cut_off(icfg: &Icfg, original: &Icfg, map: &InlineMap, edge: EdgeId) -> bool {
    let is_end = matches!(icfg.edges[edge].label, Label::Stmt(Stmt::Assume(TermId::FALSE)));
    let is_call = |e: EdgeId| matches!(original.edges[e].label, Label::Call(_));
    is_end && map.edges.get(edge).is_some_and(|origin| is_call(origin.edge))
}

/// Does an edge stand for entering or leaving a procedure?
fn is_step_of(map: &InlineMap, original: &Icfg, edge: EdgeId, (role, procedure): (EdgeRole, ProcId)) -> bool {
    let Some(origin) = map.edges.get(edge) else { return false };
    let callee = original.call_site(origin.edge).map(|site| original.call_sites[site].callee);
    // Calls that stay are both edges; which one is clear from the label.
    let is_call = matches!(original.edges[origin.edge].label, Label::Call(_));
    let stays = origin.role == EdgeRole::Same && is_call == (role == EdgeRole::Enter);
    (origin.role == role || stays) && callee == Some(procedure)
}

/// The procedures that a procedure calls or starts, directly or not.
fn reached_from(icfg: &Icfg, entry: ProcId) -> BTreeSet<ProcId> {
    let mut next: BTreeMap<ProcId, BTreeSet<ProcId>> = BTreeMap::new();
    for site in icfg.call_sites.values() {
        next.entry(site.caller).or_default().insert(site.callee);
    }
    for edge in icfg.edges.values() {
        if let Label::Fork { callee, .. } = edge.label {
            next.entry(icfg.locs[edge.src].proc).or_default().insert(callee);
        }
    }
    let mut reached = BTreeSet::new();
    let mut work = vec![entry];
    while let Some(p) = work.pop() {
        for &callee in next.get(&p).into_iter().flatten() {
            if reached.insert(callee) {
                work.push(callee);
            }
        }
    }
    reached
}
