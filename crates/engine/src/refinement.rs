//! The refinement strategy that engines share: which predicates to take from an infeasible trace.
//!
//! Sources of predicates are tried in turn. A sequence is *perfect* if at every location that the trace visits
//! again the later predicate implies the earlier one: then the loop of this trace is closed. One perfect
//! sequence, or two imperfect ones, are enough. The path program of a trace is its set of edges; when the same
//! one comes back, the loop is being unrolled rather than generalised, and the order of the sources changes.
//!
//! Making the core of a refutation small costs solver calls, and is done only if it is not clear already that the first
//! interpolants are good: on a graph of blocks, where a loop is an edge from its head to itself, they are if the
//! predicate at every head of the trace is preserved by those edges.

use crate::framework::Ctx;
use crate::hoare::{HoareChecker, Validity};
use crate::trace_check::{Source, Strength, TraceProof, TraceResult, refute_segment};
use ir::{Counterexample, EdgeId, Icfg, LocId, Reason};
use logic::{FastMap, TermId};
use std::collections::BTreeMap;

pub(crate) enum Refinement {
    Feasible(Counterexample),
    /// One or more predicate sequences for the trace, each from true to false.
    Predicates(Vec<Vec<TermId>>),
}

/// Where an engine takes the predicates of a trace from.
pub(crate) trait Refine {
    /// Decides whether a trace can be executed, and if not, why.
    fn refine(
        &mut self,
        ctx: &mut Ctx<'_>,
        icfg: &Icfg,
        trace: &[EdgeId],
        hoare: &mut HoareChecker<'_>,
    ) -> Result<Refinement, Reason>;
}

/// Remembers what was tried for which path program.
#[derive(Default)]
pub(crate) struct Refiner {
    seen: FastMap<Vec<EdgeId>, u32>,
}

impl Refine for Refiner {
    fn refine(
        &mut self,
        ctx: &mut Ctx<'_>,
        icfg: &Icfg,
        trace: &[EdgeId],
        hoare: &mut HoareChecker<'_>,
    ) -> Result<Refinement, Reason> {
        match refute_segment(ctx, icfg, TermId::TRUE, trace, TermId::FALSE) {
            TraceResult::Feasible(counterexample) => Ok(Refinement::Feasible(counterexample)),
            TraceResult::Infeasible(proof) => self.explain(ctx, icfg, proof, hoare),
            TraceResult::Unknown(reason) => Err(reason),
        }
    }
}

impl Refiner {
    pub(crate) fn new() -> Refiner {
        Refiner::default()
    }

    /// Predicates for a trace that was refuted.
    pub(crate) fn explain(
        &mut self,
        ctx: &mut Ctx<'_>,
        icfg: &Icfg,
        mut proof: Box<TraceProof>,
        hoare: &mut HoareChecker<'_>,
    ) -> Result<Refinement, Reason> {
        if let Some(sequence) = closing_interpolants(ctx, icfg, &mut proof, hoare)? {
            return Ok(Refinement::Predicates(vec![sequence]));
        }
        proof.minimise_core(ctx, icfg)?;
        let times = self.seen.entry(path_program(proof.trace())).or_insert(0);
        *times += 1;
        let locs: Vec<LocId> = proof.trace().iter().map(|&edge| icfg.edges[edge].src).collect();
        let sequences = collect(ctx, icfg, &mut proof, sources(*times), |ctx, sequence| {
            is_perfect(ctx, locs.iter().copied(), sequence, hoare)
        })?;
        Ok(Refinement::Predicates(sequences))
    }
}

/// The edges of a trace, sorted.
pub(crate) fn path_program(trace: &[EdgeId]) -> Vec<EdgeId> {
    let mut edges = trace.to_vec();
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// The Craig interpolants of an unminimised proof, if they close every loop that the trace enters: no smaller proof is
/// needed.
pub(crate) fn closing_interpolants(
    ctx: &mut Ctx<'_>,
    icfg: &Icfg,
    proof: &mut TraceProof,
    hoare: &mut HoareChecker<'_>,
) -> Result<Option<Vec<TermId>>, Reason> {
    let heads: Vec<LocId> = proof.trace().iter().map(|&e| icfg.edges[e].src).collect();
    let self_loops = |loc: LocId| icfg.out_edges(loc).iter().copied().filter(move |&e| icfg.edges[e].dst == loc);
    let is_head = |loc: LocId| icfg.locs[loc].is_loop_head;
    if !heads.iter().any(|&l| is_head(l)) || !heads.iter().all(|&l| !is_head(l) || self_loops(l).next().is_some()) {
        return Ok(None);
    }
    let sequence = match proof.craig_predicates(ctx, icfg) {
        Ok(sequence) => sequence,
        Err(Reason::Stopped(stop)) => return Err(Reason::Stopped(stop)),
        Err(_) => return Ok(None),
    };
    for (&loc, &predicate) in heads.iter().zip(&sequence) {
        if is_head(loc)
            && !self_loops(loc).all(|edge| hoare.internal(ctx, predicate, edge, predicate) == Validity::Valid)
        {
            return Ok(None);
        }
    }
    Ok(Some(sequence))
}

/// The order of sources when a path program is met for the n-th time.
pub(crate) fn sources(times: u32) -> [Source; 3] {
    let (strong, weak) = (Source::Craig(Strength::Strong), Source::Craig(Strength::Weak));
    match times % 4 {
        1 => [strong, Source::Backward, Source::Forward],
        2 => [Source::Backward, strong, Source::Forward],
        3 => [Source::Forward, weak, Source::Backward],
        _ => [weak, Source::Backward, strong],
    }
}

/// Predicates from one source after the other: one sequence that is good enough, or two that are not.
pub(crate) fn collect(
    ctx: &mut Ctx<'_>,
    icfg: &Icfg,
    proof: &mut TraceProof,
    sources: [Source; 3],
    mut good_enough: impl FnMut(&mut Ctx<'_>, &[TermId]) -> bool,
) -> Result<Vec<Vec<TermId>>, Reason> {
    let mut sequences: Vec<Vec<TermId>> = Vec::new();
    let mut failure = None;
    for source in sources {
        match proof.predicates(ctx, icfg, source) {
            Ok(sequence) => {
                if good_enough(ctx, &sequence) {
                    ctx.stats.add("perfect sequences", 1);
                    return Ok(vec![sequence]);
                }
                sequences.push(sequence);
                if sequences.len() == 2 {
                    break;
                }
            }
            Err(Reason::Stopped(stop)) => return Err(Reason::Stopped(stop)),
            Err(reason) => {
                failure.get_or_insert(reason);
            }
        }
    }
    match (sequences.is_empty(), failure) {
        (true, Some(reason)) => Err(reason),
        (true, None) => Err(Reason::Incomplete("no source of predicates".to_string())),
        (false, _) => Ok(sequences),
    }
}

/// Wherever the trace comes back to a place, the later predicate implies the earlier one.
pub(crate) fn is_perfect<P: Ord>(
    ctx: &mut Ctx<'_>,
    places: impl IntoIterator<Item = P>,
    sequence: &[TermId],
    hoare: &mut HoareChecker<'_>,
) -> bool {
    let mut first_at: BTreeMap<P, usize> = BTreeMap::new();
    places.into_iter().enumerate().all(|(i, place)| {
        let earlier = *first_at.entry(place).or_insert(i);
        earlier == i || hoare.implies(ctx, sequence[i], sequence[earlier]) == Validity::Valid
    })
}
