//! Abstract interpretation of the whole program (Cousot, Cousot: Abstract Interpretation, POPL 1977): intervals,
//! congruences, known bits, octagons, copies and cells of maps at every location ([`crate::fixpoint`]).
//!
//! No solver is asked: the cost grows nearly linearly with the program. If no error is reached, what is known at loop
//! heads is the proof, and contracts for recursive procedures. If errors remain, a second round partitions the states
//! by variables that encode the state of an automaton. What was found is offered to the other engines in any case.
//!
//! Departures: where few copies do, procedures that are not recursive are inlined beforehand, so that contexts are
//! distinguished; otherwise the graph with its calls comes first, where each procedure has one contract, then the one
//! in which they are linked and distinguished by their return addresses. What is known about all elements of a map is
//! not used in proofs, as it would need quantifiers.

use crate::fixpoint::{Fixpoint, Part, Precision, fixpoint, vocabulary};
use crate::framework::{Ctx, Engine, Facts, Phase, Task};
use crate::profile::{Cost, Gives, Profile, Wants};
use base::Stop;
use ir::{Annotation, Certificate, Contract, Icfg, Label, LocId, Reason, VarKind, Verdict};
use logic::{FastMap, FastSet, TermId, TermPool};
use std::collections::BTreeSet;
use std::sync::Arc;

pub struct AbstractInterpretation;

/// The most cases side by side.
const MAX_CASES: usize = 16;
/// The most predicates that are offered for one location.
const MAX_OFFERED: usize = 16;

impl Engine for AbstractInterpretation {
    fn name(&self) -> &'static str {
        "abstract-interpretation"
    }
    fn summary(&self) -> &'static str {
        "intervals, congruences, octagons and cells of maps at every location: near linear, offered to the other engines"
    }
    fn profile(&self) -> Profile {
        Profile {
            cost: Cost::Quick,
            wants: Wants::RecursiveCalls,
            needs: &[],
            gives: &[Gives::Proofs, Gives::Predicates],
        }
    }
    fn search(&self, ctx: &mut Ctx<'_>, task: &Task<'_>) -> Verdict {
        match run(ctx, task.icfg) {
            Ok(verdict) => verdict,
            Err(stop) => Verdict::Unknown(stop.into()),
        }
    }
}

fn run(ctx: &mut Ctx<'_>, icfg: &Icfg) -> Result<Verdict, Stop> {
    let vocabulary = Arc::new(vocabulary::vocabulary(ctx.pool, icfg, &Part::All));
    let mut found = None;
    for round in 0..2 {
        let mut partition = vocabulary::return_addresses(icfg);
        if round == 1 {
            let enumerated = vocabulary::enumerated(ctx.pool, icfg, &Part::All);
            if enumerated.is_empty() {
                break;
            }
            partition.extend(enumerated);
        }
        let precision = Precision { partition, max_cases: MAX_CASES };
        let result = ctx.phase(Phase::Abstraction, |ctx| {
            fixpoint(ctx.pool, icfg, vocabulary.clone(), precision, &Part::All, ctx.budget)
        });
        let states = match result {
            Ok(states) => states,
            Err(stop) if found.is_none() => return Err(stop),
            Err(_) => break,
        };
        let open = icfg.error_locs().filter(|&l| states.is_reached(l)).count();
        ctx.stats.set("errors not excluded", open as u64);
        ctx.stats.add("abstract steps", states.n_steps);
        ctx.stats.set("edges", icfg.edges.len() as u64);
        found = Some(states);
        if open == 0 {
            break;
        }
    }
    let Some(states) = found else { return Ok(Verdict::Unknown(Reason::Incomplete("no states".to_string()))) };
    ctx.stats.set("unreached locations", icfg.locs.ids().filter(|l| !states.is_reached(*l)).count() as u64);
    let annotation = annotation(ctx.pool, icfg, &states);
    let unreached: BTreeSet<LocId> = icfg.locs.ids().filter(|l| !states.is_reached(*l)).collect();
    let states = Arc::new(states);
    if !unreached.is_empty() {
        ctx.facts = Some(Facts { annotation: annotation.clone(), unreached, states: states.clone() });
    }
    if icfg.error_locs().all(|l| !states.is_reached(l)) {
        return Ok(Verdict::Holds(Certificate::Annotation(annotation)));
    }
    offer(ctx, icfg, &states);
    Ok(Verdict::Unknown(Reason::Incomplete("intervals, octagons and cells are not enough".to_string())))
}

/// What is known at loop heads, and the contracts of procedures that are called.
fn annotation(pool: &mut TermPool, icfg: &Icfg, states: &Fixpoint) -> Annotation {
    let mut annotation = Annotation::default();
    let heads: Vec<LocId> = icfg.locs.iter().filter(|(_, l)| l.is_loop_head).map(|(id, _)| id).collect();
    for loc in heads {
        let formulas = states.formulas(pool, icfg, loc);
        annotation.invariants.insert(loc, pool.and(&formulas));
    }
    let called: BTreeSet<ir::ProcId> = icfg.call_sites.values().map(|s| s.callee).collect();
    let kinds: FastMap<TermId, VarKind> = icfg.vars.values().map(|v| (v.term, v.kind)).collect();
    let speaks_of = |pool: &TermPool, f: TermId, allowed: &dyn Fn(VarKind) -> bool| {
        pool.free_constants(f).iter().filter_map(|c| kinds.get(c)).all(|kind| allowed(*kind))
    };
    for proc in called {
        let p = &icfg.procs[proc];
        let entry = states.formulas(pool, icfg, p.entry);
        let entry: Vec<TermId> = entry
            .into_iter()
            .filter(|f| speaks_of(pool, *f, &|k| matches!(k, VarKind::Global | VarKind::Param(_))))
            .collect();
        let exit = states.formulas(pool, icfg, p.exit);
        let exit: Vec<TermId> =
            exit.into_iter().filter(|f| speaks_of(pool, *f, &|k| !matches!(k, VarKind::Local(_)))).collect();
        let contract = Contract { requires: pool.and(&entry), ensures: pool.and(&exit) };
        annotation.contracts.insert(proc, contract);
    }
    annotation
}

/// Graphs with more locations are annotated at loop heads only.
const MAX_ANNOTATED: usize = 20_000;

impl Facts {
    /// The same facts with the states of all locations where paths part or meet, so that every obligation is about a
    /// few statements. `None` for graphs that are too large.
    ///
    /// An annotation of the loop heads says less than the states that it was made of: what a state knows in the middle
    /// of a loop may rest on cells of maps that are overwritten at its head. It also leaves the checker with whole loop
    /// bodies, which are hard where they write to memory.
    pub fn at_branches(&self, pool: &mut TermPool, icfg: &Icfg) -> Option<Annotation> {
        if icfg.locs.len() > MAX_ANNOTATED {
            return None;
        }
        let mut annotation = self.annotation.clone();
        for (loc, location) in icfg.locs.iter() {
            let is_branch = icfg.out_edges(loc).len() > 1 || icfg.in_edges(loc).len() > 1;
            let is_frontier = !self.states.is_reached(loc)
                && icfg.in_edges(loc).iter().any(|&e| self.states.is_reached(icfg.edges[e].src));
            let is_reached_branch = is_branch && self.states.is_reached(loc);
            if location.error.is_none() && (is_reached_branch || is_frontier) {
                let formulas = self.states.formulas(pool, icfg, loc);
                annotation.invariants.insert(loc, pool.and(&formulas));
            }
        }
        Some(annotation)
    }
}

/// Offers what is known at loop heads, relations and what the loop mentions first.
fn offer(ctx: &mut Ctx<'_>, icfg: &Icfg, states: &Fixpoint) {
    let heads: Vec<LocId> = icfg.locs.iter().filter(|(_, l)| l.is_loop_head).map(|(id, _)| id).collect();
    let mut changed: FastSet<TermId> = FastSet::default();
    for edge in icfg.edges.values() {
        if let Label::Stmt(ir::Stmt::Assume(condition)) = edge.label {
            changed.extend(ctx.pool.free_constants(condition));
        }
    }
    for loc in heads.into_iter().filter(|l| states.is_reached(*l)) {
        let mut formulas = states.formulas(ctx.pool, icfg, loc);
        formulas
            .retain(|f| ctx.pool.dag_size(*f) <= 40 && ctx.pool.free_constants(*f).iter().any(|c| changed.contains(c)));
        formulas.sort_by_key(|f| (std::cmp::Reverse(ctx.pool.free_constants(*f).len().min(2)), *f));
        formulas.truncate(MAX_OFFERED);
        let known = ctx.found.entry(loc).or_default();
        for f in formulas {
            if !known.contains(&f) {
                known.push(f);
            }
        }
    }
}
