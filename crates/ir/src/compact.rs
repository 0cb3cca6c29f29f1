//! Compaction: straight-line code in a normal form, so that traces are short.
//!
//! A chain of statements without branches becomes at most four steps: havocs, one assumption, one parallel assignment,
//! and a havoc of the variables it assigned that are never read again:
//!
//! ```text
//! t := x + 1; assume t <= 9; x := t;   ⟶   assume x + 1 <= 9; x := x + 1; havoc t;
//! ```
//!
//! Values are substituted forward, assumptions are moved to the front. A havoc moves to the front if nothing before
//! it reads or writes its variables; otherwise the chain is cut there. Unlike block encoding the result has plain
//! statements only, for which weakest preconditions are substitutions. Locations with several ways in or out, loop
//! heads, error locations, entries, exits and ends of calls stay.
//!
//! Forgetting dead variables allows more executions of the compact graph, all of which agree with executions of the
//! original one on everything that is ever read.

use crate::dataflow::{Liveness, VarSet};
use crate::icfg::{EdgeId, Icfg, Label, LocId};
use crate::program::{Nondet, Note, Stmt, VarId};
use crate::verdict::{Counterexample, TraceStep};
use base::{IdVec, Span};
use logic::{FastMap, FastSet, Substitution, TermId, TermPool};
use std::collections::VecDeque;

/// From the compact graph back to the original one.
#[derive(Clone, Debug, Default)]
pub struct CompactMap {
    edges: IdVec<EdgeId, Origin>,
    pub locs: IdVec<LocId, LocId>,
}

#[derive(Clone, Debug)]
enum Origin {
    /// A step of a chain before its last one; a havoc of the original keeps its values for the end.
    Part(Option<EdgeId>),
    /// The last step of a chain: all its edges, in order.
    Chain(Vec<EdgeId>),
}

impl CompactMap {
    /// The same execution in the original graph.
    pub fn original_counterexample(&self, icfg: &Icfg, trace: &Counterexample) -> Counterexample {
        let mut steps = Vec::new();
        let mut chosen: VecDeque<TraceStep> = VecDeque::new();
        for step in &trace.steps {
            match &self.edges[step.edge] {
                Origin::Part(Some(havoc)) => {
                    chosen.push_back(TraceStep { edge: *havoc, chosen: step.chosen.clone() });
                }
                Origin::Part(None) => {}
                Origin::Chain(edges) => {
                    let single = edges.len() == 1;
                    for &edge in edges {
                        let is_havoc = matches!(icfg.edges[edge].label, Label::Stmt(Stmt::Havoc(..)));
                        let position = chosen.iter().position(|c| c.edge == edge);
                        match position.filter(|_| is_havoc).and_then(|p| chosen.remove(p)) {
                            Some(kept) => steps.push(kept),
                            None if single => steps.push(TraceStep { edge, chosen: step.chosen.clone() }),
                            None => steps.push(TraceStep { edge, chosen: Default::default() }),
                        }
                    }
                    chosen.clear();
                }
            }
        }
        Counterexample { initial: trace.initial.clone(), steps, symbols: trace.symbols.clone() }
    }
}

/// Terms with more distinct subterms are not substituted further.
const MAX_TERM: usize = 200;

/// More variables are not assigned at once.
const MAX_VARIABLES: usize = 64;

/// The graph in which chains are compact.
pub fn compact(icfg: &Icfg, pool: &mut TermPool) -> (Icfg, CompactMap) {
    let live = Liveness::within_procedures(icfg, pool);
    let mut result = Icfg::new();
    result.vars = icfg.vars.clone();
    result.globals = icfg.globals.clone();
    result.axioms = icfg.axioms.clone();
    result.root = icfg.root;
    result.procs = icfg.procs.clone();
    result.call_sites = icfg.call_sites.clone();
    let stays = stays(icfg);
    let mut map = CompactMap::default();
    let mut copies: IdVec<LocId, Option<LocId>> = IdVec::from_elem(None, icfg.locs.len());
    for (loc, location) in icfg.locs.iter().filter(|(l, _)| stays[*l]) {
        let copy = result.add_loc(location.proc, location.span);
        result.locs[copy] = location.clone();
        map.locs.push(loc);
        copies[loc] = Some(copy);
    }
    for (_, p) in result.procs.iter_mut() {
        p.entry = copies[p.entry].expect("entries stay");
        p.exit = copies[p.exit].expect("exits stay");
    }
    for (from, &copy) in copies.iter() {
        let Some(src) = copy else { continue };
        for &first in icfg.out_edges(from) {
            let mut chain = vec![first];
            let mut at = icfg.edges[first].dst;
            while !stays[at] {
                let next = icfg.out_edges(at)[0];
                chain.push(next);
                at = icfg.edges[next].dst;
            }
            let dst = copies[at].expect("chains end where locations stay");
            let mut writer = Writer { icfg, pool, result: &mut result, map: &mut map, at: src };
            writer.chain(&chain, dst, live.at(at));
        }
    }
    // Call sites refer to edges of the new graph.
    for (edge, e) in result.edges.iter() {
        match e.label {
            Label::Call(site) => result.call_sites[site].call_edge = edge,
            Label::Return(site) => result.call_sites[site].return_edge = edge,
            _ => {}
        }
    }
    (result, map)
}

/// The locations that are not inside a chain.
fn stays(icfg: &Icfg) -> IdVec<LocId, bool> {
    let mut stays: IdVec<LocId, bool> = icfg
        .locs
        .iter()
        .map(|(l, location)| {
            location.is_loop_head
                || location.error.is_some()
                || icfg.out_edges(l).len() != 1
                || icfg.in_edges(l).len() != 1
        })
        .collect();
    for p in icfg.procs.values() {
        stays[p.entry] = true;
        stays[p.exit] = true;
    }
    for edge in icfg.edges.values() {
        if !matches!(edge.label, Label::Stmt(_)) {
            stays[edge.src] = true;
            stays[edge.dst] = true;
        }
    }
    stays
}

struct Writer<'a> {
    icfg: &'a Icfg,
    pool: &'a mut TermPool,
    result: &'a mut Icfg,
    map: &'a mut CompactMap,
    at: LocId,
}

/// What a part of a chain does: assumptions over the state before, then assignments.
#[derive(Default)]
struct Effect {
    guards: Vec<TermId>,
    values: FastMap<VarId, TermId>,
    /// The assigned variables in the order of their first assignment.
    order: Vec<VarId>,
    /// The variables whose value before was read.
    read: FastSet<TermId>,
}

impl Writer<'_> {
    fn chain(&mut self, chain: &[EdgeId], dst: LocId, live: &VarSet) {
        let icfg = self.icfg;
        if let [only] = chain {
            let edge = &icfg.edges[*only];
            self.result.add_edge(self.at, dst, edge.label.clone(), edge.span, edge.note);
            self.map.edges.push(Origin::Chain(vec![*only]));
            return;
        }
        let mut effect = Effect::default();
        // The steps in front, and whether they are a havoc of the original.
        let mut steps: Vec<(Stmt, Span, Note, Option<EdgeId>)> = Vec::new();
        let mut place = icfg.edges[chain[chain.len() - 1]].span;
        let mut note = Note::Hidden;
        for &edge in chain {
            let e = &icfg.edges[edge];
            if !e.note.is_hidden() {
                (place, note) = (e.span, Note::None);
            }
            match &e.label {
                Label::Stmt(Stmt::Assume(c)) => {
                    let c = self.evaluate(&mut effect, *c);
                    effect.guards.push(c);
                }
                Label::Stmt(Stmt::Assign(pairs)) => {
                    let values: Vec<(VarId, TermId)> =
                        pairs.iter().map(|&(v, t)| (v, self.evaluate(&mut effect, t))).collect();
                    let too_large = effect.order.len() > MAX_VARIABLES
                        || values.iter().any(|(_, t)| self.pool.dag_size(*t) > MAX_TERM);
                    for (v, t) in values {
                        if effect.values.insert(v, t).is_none() {
                            effect.order.push(v);
                        }
                    }
                    if too_large {
                        self.flush(&mut effect, &mut steps, None, place, note);
                    }
                }
                Label::Stmt(Stmt::Havoc(vars, nondet)) => {
                    let free = |v: &VarId| !effect.values.contains_key(v) && !effect.read.contains(&icfg.vars[*v].term);
                    if vars.iter().all(free) && effect_is_first(&steps) {
                        steps.push((Stmt::Havoc(vars.clone(), nondet.clone()), e.span, e.note, Some(edge)));
                    } else {
                        self.flush(&mut effect, &mut steps, None, place, note);
                        steps.push((Stmt::Havoc(vars.clone(), nondet.clone()), e.span, e.note, Some(edge)));
                    }
                }
                other => unreachable!("chains hold statements only, not {other:?}"),
            }
        }
        self.flush(&mut effect, &mut steps, Some(live), place, note);
        if steps.iter().any(|(s, ..)| *s == Stmt::Assume(TermId::FALSE)) {
            return; // no execution takes this way
        }
        if steps.is_empty() || steps.last().is_some_and(|s| s.3.is_some()) {
            steps.push((Stmt::Assume(TermId::TRUE), place, Note::Hidden, None));
        }
        let n = steps.len();
        for (i, (stmt, span, note, havoc)) in steps.into_iter().enumerate() {
            let last = i + 1 == n;
            let target = if last {
                dst
            } else {
                let proc = self.result.locs[self.at].proc;
                self.map.locs.push(icfg.edges[chain[0]].src);
                self.result.add_loc(proc, span)
            };
            self.result.add_edge(self.at, target, Label::Stmt(stmt), span, note);
            self.map.edges.push(if last { Origin::Chain(chain.to_vec()) } else { Origin::Part(havoc) });
            self.at = target;
        }
    }

    /// A term over the state at the beginning of the effect.
    fn evaluate(&mut self, effect: &mut Effect, t: TermId) -> TermId {
        let mut substitution = Substitution::new();
        for (&v, &value) in &effect.values {
            substitution.insert(self.icfg.vars[v].term, value);
        }
        let value = substitution.apply(self.pool, t);
        effect.read.extend(self.pool.free_constants(value));
        value
    }

    /// Writes an effect down as steps. At the end of a chain, variables that are not live are forgotten.
    fn flush(
        &mut self,
        effect: &mut Effect,
        steps: &mut Vec<(Stmt, Span, Note, Option<EdgeId>)>,
        live: Option<&VarSet>,
        span: Span,
        note: Note,
    ) {
        let done = std::mem::take(effect);
        let guard = self.pool.and(&done.guards);
        if guard != TermId::TRUE {
            steps.push((Stmt::Assume(guard), span, note, None));
        }
        let is_live = |v: &VarId| live.is_none_or(|l| l.contains(*v));
        let pairs: Vec<(VarId, TermId)> = done
            .order
            .iter()
            .filter(|v| is_live(v))
            .map(|v| (*v, done.values[v]))
            .filter(|(v, t)| self.icfg.vars[*v].term != *t)
            .collect();
        if !pairs.is_empty() {
            steps.push((Stmt::Assign(pairs), span, note, None));
        }
        let dead: Vec<VarId> = done.order.iter().copied().filter(|v| !is_live(v)).collect();
        if !dead.is_empty() {
            steps.push((Stmt::Havoc(dead, Nondet::Choice), span, Note::Hidden, None));
        }
    }
}

/// Have only havocs been written so far? Then another one may join them in front.
fn effect_is_first(steps: &[(Stmt, Span, Note, Option<EdgeId>)]) -> bool {
    steps.iter().all(|s| s.3.is_some())
}
