//! The refinement strategy that engines share: which predicates to take from an infeasible trace.
//!
//! Sources of predicates are tried in turn. A sequence is *perfect* if at every location that the trace visits
//! again the later predicate implies the earlier one: then the loop of this trace is closed. One perfect
//! sequence, or two imperfect ones, are enough. The path program of a trace is its set of edges; when the same
//! one comes back, the loop is being unrolled rather than generalised, and the order of the sources changes.

use crate::framework::Ctx;
use crate::hoare::{HoareChecker, Validity};
use crate::trace_check::{Source, Strength, TraceProof, TraceResult, check_trace};
use ir::{Counterexample, EdgeId, Icfg, LocId, Reason};
use logic::{FastMap, TermId};
use std::collections::BTreeMap;

pub enum Refinement {
    Feasible(Counterexample),
    /// One or more predicate sequences for the trace, each from true to false.
    Predicates(Vec<Vec<TermId>>),
}

/// Remembers what was tried for which path program.
#[derive(Default)]
pub struct Refiner {
    seen: FastMap<Vec<EdgeId>, u32>,
}

impl Refiner {
    pub fn new() -> Refiner {
        Refiner::default()
    }

    pub fn refine(
        &mut self,
        ctx: &mut Ctx<'_>,
        icfg: &Icfg,
        trace: &[EdgeId],
        hoare: &mut HoareChecker<'_>,
    ) -> Result<Refinement, Reason> {
        let mut proof = match check_trace(ctx, icfg, trace) {
            TraceResult::Feasible(counterexample) => return Ok(Refinement::Feasible(counterexample)),
            TraceResult::Infeasible(proof) => proof,
            TraceResult::Unknown(reason) => return Err(reason),
        };
        let mut path_program: Vec<EdgeId> = trace.to_vec();
        path_program.sort_unstable();
        path_program.dedup();
        let times = self.seen.entry(path_program).or_insert(0);
        *times += 1;
        let sequences = collect(ctx, icfg, &mut proof, hoare, sources(*times))?;
        Ok(Refinement::Predicates(sequences))
    }
}

/// The order of sources when a path program is met for the n-th time.
fn sources(times: u32) -> Vec<Source> {
    let (strong, weak) = (Source::Craig(Strength::Strong), Source::Craig(Strength::Weak));
    match times % 4 {
        1 => vec![strong, Source::Backward, Source::Forward],
        2 => vec![Source::Backward, strong, Source::Forward],
        3 => vec![Source::Forward, weak, Source::Backward],
        _ => vec![weak, Source::Backward, strong],
    }
}

fn collect(
    ctx: &mut Ctx<'_>,
    icfg: &Icfg,
    proof: &mut TraceProof,
    hoare: &mut HoareChecker<'_>,
    sources: Vec<Source>,
) -> Result<Vec<Vec<TermId>>, Reason> {
    let mut sequences: Vec<Vec<TermId>> = Vec::new();
    let mut failure = None;
    for source in sources {
        match proof.predicates(ctx, icfg, source) {
            Ok(sequence) => {
                let perfect = is_perfect(ctx, icfg, proof.trace(), &sequence, hoare);
                if perfect {
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

/// At every repeated location the later predicate implies the earlier one.
fn is_perfect(
    ctx: &mut Ctx<'_>,
    icfg: &Icfg,
    trace: &[EdgeId],
    sequence: &[TermId],
    hoare: &mut HoareChecker<'_>,
) -> bool {
    let mut first_at: BTreeMap<LocId, usize> = BTreeMap::new();
    for (i, &edge) in trace.iter().enumerate() {
        let loc = icfg.edges[edge].src;
        match first_at.get(&loc) {
            None => {
                first_at.insert(loc, i);
            }
            Some(&earlier) => {
                if hoare.implies(ctx, sequence[i], sequence[earlier]) != Validity::Valid {
                    return false;
                }
            }
        }
    }
    true
}
