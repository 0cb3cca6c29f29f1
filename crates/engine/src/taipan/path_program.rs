//! The fixpoint of a path program as predicates for its trace.
//!
//! The state at a location is a list of formulas, most of which have nothing to do with the error. Needed is *false* at
//! the error; for what is needed at the end of an edge, the solver says which formulas at its start are the reason, and
//! those are needed as well. What is needed in the end is inductive on the path program, location by location, and each
//! of its triples was proved.

use crate::fixpoint::{Part, Precision, fixpoint, vocabulary};
use crate::framework::{Ctx, Phase};
use crate::hoare::{HoareChecker, Validity};
use base::{Budget, Stop};
use ir::{EdgeId, Icfg, Label, LocId};
use logic::TermId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The most cases side by side.
const MAX_CASES: usize = 8;

/// Predicates for the positions of an infeasible trace, the same wherever it visits a location; `None` if the fixpoint
/// is too coarse.
pub(super) fn predicates(
    ctx: &mut Ctx<'_>,
    icfg: &Icfg,
    trace: &[EdgeId],
    hoare: &mut HoareChecker<'_>,
    budget: &Budget,
) -> Result<Option<Vec<TermId>>, Stop> {
    let edges: BTreeSet<EdgeId> = trace.iter().copied().collect();
    let Some(&last) = trace.last() else { return Ok(None) };
    let error = icfg.edges[last].dst;
    let Some(known) = states(ctx, icfg, &edges, error, budget)? else { return Ok(None) };
    let Some(needed) = needed(ctx, icfg, &edges, error, &known, hoare, budget)? else {
        ctx.stats.add("fixpoints not verified", 1);
        return Ok(None);
    };
    let locs = trace.iter().map(|&e| icfg.edges[e].src).chain([error]);
    Ok(Some(locs.map(|loc| needed.get(&loc).copied().unwrap_or(TermId::TRUE)).collect()))
}

/// What is known at the locations of a path program, if the error is not among them.
fn states(
    ctx: &mut Ctx<'_>,
    icfg: &Icfg,
    edges: &BTreeSet<EdgeId>,
    error: LocId,
    budget: &Budget,
) -> Result<Option<BTreeMap<LocId, Vec<TermId>>>, Stop> {
    let part = Part::Edges(edges);
    let vocabulary = Arc::new(vocabulary::vocabulary(ctx.pool, icfg, &part));
    let addresses = vocabulary::return_addresses(icfg);
    let enumerated = vocabulary::enumerated(ctx.pool, icfg, &part);
    let attempts = if enumerated.is_empty() { vec![vec![]] } else { vec![vec![], enumerated] };
    for attempt in attempts {
        let partition = addresses.iter().copied().chain(attempt).collect();
        let precision = Precision { partition, max_cases: MAX_CASES };
        let result = ctx
            .phase(Phase::Abstraction, |ctx| fixpoint(ctx.pool, icfg, vocabulary.clone(), precision, &part, budget))?;
        ctx.stats.add("abstract steps", result.n_steps);
        if !result.is_reached(error) {
            let locs: BTreeSet<LocId> = edges.iter().flat_map(|&e| [icfg.edges[e].src, icfg.edges[e].dst]).collect();
            return Ok(Some(locs.into_iter().map(|loc| (loc, result.formulas(ctx.pool, icfg, loc))).collect()));
        }
    }
    Ok(None)
}

/// For each location the conjunction of what the absence of the error rests on; `None` if a triple cannot be proved.
fn needed(
    ctx: &mut Ctx<'_>,
    icfg: &Icfg,
    edges: &BTreeSet<EdgeId>,
    error: LocId,
    known: &BTreeMap<LocId, Vec<TermId>>,
    hoare: &mut HoareChecker<'_>,
    budget: &Budget,
) -> Result<Option<BTreeMap<LocId, TermId>>, Stop> {
    let nothing: Vec<TermId> = Vec::new();
    let at = |loc: LocId| known.get(&loc).unwrap_or(&nothing);
    let mut needed: BTreeMap<LocId, BTreeSet<TermId>> = BTreeMap::from([(error, BTreeSet::from([TermId::FALSE]))]);
    let mut waiting = vec![(error, TermId::FALSE)];
    while let Some((loc, formula)) = waiting.pop() {
        if loc == icfg.entry() && hoare.implies(ctx, TermId::TRUE, formula) != Validity::Valid {
            return Ok(None);
        }
        for &edge in icfg.in_edges(loc).iter().filter(|e| edges.contains(e)) {
            budget.check_now()?;
            let src = icfg.edges[edge].src;
            let call = match icfg.edges[edge].label {
                Label::Return(site) => Some(icfg.edges[icfg.call_sites[site].call_edge].src),
                _ => None,
            };
            // What is needed anyway comes first: the fewer formulas there are, the better they generalise.
            let listed = |loc: LocId| needed.get(&loc).into_iter().flatten().copied().collect::<Vec<TermId>>();
            let (own, of_caller) = (listed(src), call.map(listed).unwrap_or_default());
            if hoare.reasons(ctx, &own, &of_caller, edge, formula).is_some() {
                continue;
            }
            let (own, of_caller) = (at(src), call.map_or(&nothing, at));
            let Some(reasons) = hoare.reasons(ctx, own, of_caller, edge, formula) else { return Ok(None) };
            let of_caller = reasons.1.iter().filter_map(|&i| Some((call?, of_caller[i])));
            for (loc, reason) in reasons.0.iter().map(|&i| (src, own[i])).chain(of_caller) {
                if needed.entry(loc).or_default().insert(reason) {
                    waiting.push((loc, reason));
                }
            }
        }
    }
    let conjunction = |(loc, set): (LocId, BTreeSet<TermId>)| {
        let formulas: Vec<TermId> = set.into_iter().collect();
        (loc, ctx.pool.and(&formulas))
    };
    Ok(Some(needed.into_iter().map(conjunction).collect()))
}
