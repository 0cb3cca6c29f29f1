//! Recursion in products.
//!
//! A graph with recursive calls becomes one without ([`crate::pending_calls`]): a call is replaced by its contract, or
//! never returns. The automaton reads on while a call is skipped; what that may do to its state is computed here, for
//! each procedure, by following control flow alone with the automaton beside it. Guards over propositions that the
//! procedure does not change stay with the result; other guards over states are taken to be possible. So the product
//! has all infinite executions of the program. It may have others, but those skip calls, and nothing is concluded from
//! them.

use super::observing::SkipOutcome;
use super::{Guard, Monitor, Observing};
use crate::dataflow::VarIndex;
use crate::icfg::{CallSiteId, EdgeId, Icfg, Label, LocId};
use crate::pending_calls::without_returns;
use crate::program::{Observations, Observed, ProcId, Stmt, VarKind};
use crate::verdict::Contract;
use logic::TermPool;
use std::collections::{BTreeMap, BTreeSet};

/// An automaton beside a procedure: where it is, whether it has accepted since the procedure was entered, what it took
/// to be true.
type Beside = (Option<usize>, bool, Guard);

/// The graph without returns, and what is observed in it.
pub fn pending(
    icfg: &Icfg,
    observing: &Observing,
    monitor: &Monitor,
    observations: &Observations,
    contracts: &BTreeMap<ProcId, Contract>,
    pool: &mut TermPool,
) -> (Icfg, Observing) {
    let (mut graph, map) = without_returns(icfg, contracts, pool);
    // No call returns, so all variables may count as the root's.
    if let Some(root) = graph.root {
        let mut locals = Vec::new();
        for (v, variable) in graph.vars.iter_mut() {
            let is_roots = match variable.kind {
                VarKind::Global => true,
                VarKind::Param(p) | VarKind::Result(p) => p == root,
                // Old variables are assigned like others here.
                VarKind::Old(_) | VarKind::Local(_) => false,
            };
            if !is_roots {
                variable.kind = VarKind::Local(root);
                locals.push(v);
            }
        }
        graph.procs[root].locals = locals;
    }
    let summaries = Summaries::new(icfg, observing, monitor, observations, pool).computed();
    let mut result = observing.clone();
    let is_inside = |site: CallSiteId| observing.inside[icfg.call_sites[site].call_edge];
    for (&site, &(skip, enter)) in &map.calls {
        let call = icfg.call_sites[site].call_edge;
        // First the edges of the skip, then two to enter.
        let last = EdgeId(enter.0 + 1);
        for e in skip.0..=last.0 {
            let is_first_entering = e == enter.0;
            result.events.push(if is_first_entering { observing.events[call] } else { 0 });
            result.inside.push(is_inside(site));
            result.silent.push(e < enter.0);
        }
        let callee = icfg.call_sites[site].callee;
        let mut outcomes = Vec::new();
        for from in (0..monitor.edges.len()).map(Some).chain([None]) {
            let found = summaries.ends.get(&(callee, from)).into_iter().flatten();
            outcomes.extend(found.map(|&(to, is_accepting, guard)| SkipOutcome { from, to, is_accepting, guard }));
        }
        result.skips.insert(skip, outcomes);
    }
    (graph, result)
}

struct Summaries<'a> {
    icfg: &'a Icfg,
    observing: &'a Observing,
    monitor: &'a Monitor,
    has_marks: bool,
    /// The propositions about states that each procedure leaves alone; those about steps.
    stable: BTreeMap<ProcId, u64>,
    about_steps: u64,
    /// What may be when a procedure that was entered in a state returns, the step of returning included.
    ends: BTreeMap<(ProcId, Option<usize>), BTreeSet<Beside>>,
}

impl<'a> Summaries<'a> {
    fn new(
        icfg: &'a Icfg,
        observing: &'a Observing,
        monitor: &'a Monitor,
        observations: &Observations,
        pool: &TermPool,
    ) -> Summaries<'a> {
        let index = VarIndex::new(icfg);
        let (mut stable, mut about_steps) = (BTreeMap::new(), 0);
        for (i, proposition) in observations.propositions.iter().enumerate() {
            let Observed::State(t) = proposition else {
                about_steps |= 1 << i;
                continue;
            };
            let vars = index.vars_of(pool, &[*t]);
            for (p, data) in icfg.procs.iter() {
                let is_kept = |v: &crate::program::VarId| {
                    matches!(icfg.vars[*v].kind, VarKind::Global) && !data.modifies.contains(v)
                };
                let bit = u64::from(vars.iter().all(is_kept)) << i;
                *stable.entry(p).or_insert(0) |= bit;
            }
        }
        let has_marks = observations.has_marked_steps;
        Summaries { icfg, observing, monitor, has_marks, stable, about_steps, ends: BTreeMap::new() }
    }

    fn computed(mut self) -> Self {
        let callees: BTreeSet<ProcId> = self.icfg.call_sites.values().map(|s| s.callee).collect();
        loop {
            let mut has_changed = false;
            for &p in &callees {
                for from in (0..self.monitor.edges.len()).map(Some).chain([None]) {
                    let found = self.through(p, from);
                    let known = self.ends.entry((p, from)).or_default();
                    let before = known.len();
                    known.extend(found);
                    has_changed |= known.len() > before;
                }
            }
            if !has_changed {
                return self;
            }
        }
    }

    /// From the call of a procedure to its return.
    fn through(&self, p: ProcId, from: Option<usize>) -> BTreeSet<Beside> {
        let stable = self.stable.get(&p).copied().unwrap_or(0);
        let data = &self.icfg.procs[p];
        let sites: Vec<&crate::icfg::CallSite> = self.icfg.call_sites.values().filter(|s| s.callee == p).collect();
        let events_of = |pick: &dyn Fn(&crate::icfg::CallSite) -> EdgeId| -> BTreeSet<u64> {
            sites.iter().map(|s| self.observing.events[pick(s)]).collect()
        };
        let (calling, returning) = (events_of(&|s| s.call_edge), events_of(&|s| s.return_edge));
        let start: Beside = (from, false, Guard::default());
        let mut seen: BTreeSet<(LocId, Beside)> = BTreeSet::new();
        let mut work: Vec<(LocId, Beside)> = Vec::new();
        // The step of calling is observed if it is an event; else it may be.
        for &events in &calling {
            for beside in self.read_or_not(start, events, stable, events != 0) {
                work.push((data.entry, beside));
            }
        }
        let mut ends = BTreeSet::new();
        while let Some((loc, beside)) = work.pop() {
            if !seen.insert((loc, beside)) {
                continue;
            }
            if loc == data.exit {
                for &events in &returning {
                    ends.extend(self.read_or_not(beside, events, stable, events != 0));
                }
            }
            for &e in self.icfg.out_edges(loc) {
                let edge = &self.icfg.edges[e];
                match edge.label {
                    Label::Return(_) => {}
                    Label::Call(site) => {
                        let site = &self.icfg.call_sites[site];
                        let after = self.icfg.edges[site.return_edge].dst;
                        for &(to, accepted, guard) in self.ends.get(&(site.callee, beside.0)).into_iter().flatten() {
                            let Some(guard) = beside.2.and(guard.restricted(stable)) else { continue };
                            work.push((after, (to, beside.1 || accepted, guard)));
                        }
                    }
                    _ => {
                        let is_assumed =
                            matches!(&edge.label, Label::Stmt(Stmt::Assume(t)) if *t == logic::TermId::FALSE);
                        if is_assumed {
                            continue;
                        }
                        let events = self.observing.events[e];
                        let must = events != 0 || edge.note == crate::program::Note::Step;
                        for next in self.read_or_not(beside, events, stable, must) {
                            work.push((edge.dst, next));
                        }
                    }
                }
            }
        }
        ends
    }

    /// The automaton after a step that must be or may be observed.
    fn read_or_not(&self, beside: Beside, events: u64, stable: u64, must: bool) -> Vec<Beside> {
        let (state, accepted, known) = beside;
        let mut result = Vec::new();
        if !must {
            result.push(beside);
            // Nothing but marked steps and events is observed then.
            if self.has_marks {
                return result;
            }
        }
        let from: &[usize] = match &state {
            Some(q) => std::slice::from_ref(q),
            None => &self.monitor.initial,
        };
        for &q in from {
            for edge in &self.monitor.edges[q] {
                let of_steps = edge.guard.restricted(self.about_steps);
                let fits = of_steps.positive & !events == 0 && of_steps.negative & events == 0;
                let guard = known.and(edge.guard.restricted(stable));
                if let (true, Some(guard)) = (fits, guard) {
                    result.push((Some(edge.target), accepted || self.monitor.accepting[edge.target], guard));
                }
            }
        }
        result
    }
}
