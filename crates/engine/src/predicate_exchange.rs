//! Predicates that engines offer each other.
//!
//! An engine that gives up has usually found formulas that matter: interpolants at loop heads. They are offered to the
//! engines that run later, and each takes them in its own way: predicate abstraction as its first precision, trace
//! abstraction as the states of a first interpolant automaton, the engines that label locations (Kojak, IMPACT) as
//! candidates of which the largest *inductive* subset is kept ([`inductive`], the Houdini algorithm of Flanagan and
//! Leino): every candidate is assumed wherever it stands, and those that some edge does not preserve are dropped, until
//! all are preserved. The remaining formulas are invariants, so labels may start with them.
//!
//! An offer is never trusted: it is a candidate, and the proof it may become part of is checked like any other.

use crate::framework::{Ctx, Predicates, Task};
use crate::hoare::{HoareChecker, Validity};
use crate::prepared::Prepared;
use ir::{EdgeId, Icfg, Label, LocId};
use logic::TermId;
use std::collections::{BTreeMap, BTreeSet};

/// The most predicates that an engine offers for one location.
const MAX_PER_LOCATION: usize = 24;
/// The share of the time left that engines spend on what others offer: one part in this number.
pub(crate) const TIME_SHARE: u32 = 10;

impl Prepared {
    /// Offers the predicates of a refuted trace, those at loop heads.
    pub(crate) fn offer(&self, ctx: &mut Ctx<'_>, trace: &[EdgeId], sequences: &[Vec<TermId>]) {
        for sequence in sequences {
            for (&edge, &predicate) in trace.iter().zip(sequence) {
                let loc = self.icfg.edges[edge].src;
                if self.icfg.locs[loc].is_loop_head {
                    self.offer_at(ctx, loc, predicate);
                }
            }
        }
    }

    /// Offers the conjuncts of a predicate.
    pub(crate) fn offer_at(&self, ctx: &mut Ctx<'_>, loc: LocId, predicate: TermId) {
        if predicate == TermId::TRUE || predicate == TermId::FALSE {
            return;
        }
        let known = ctx.found.entry(self.original(loc)).or_default();
        for conjunct in ctx.pool.conjuncts(predicate) {
            if known.len() < MAX_PER_LOCATION && !known.contains(&conjunct) {
                known.push(conjunct);
            }
        }
    }

    /// What others offer, for the loop heads of this graph.
    pub(crate) fn offered(&self, task: &Task<'_>) -> Predicates {
        if task.offered.is_empty() {
            return Predicates::new();
        }
        let heads = self.icfg.locs.iter().filter(|(_, l)| l.is_loop_head);
        heads.filter_map(|(loc, _)| Some((loc, task.offered.get(&self.original(loc))?.clone()))).collect()
    }

    /// What an engine begins with: the graph's Hoare triples, and what of the offered formulas is inductive.
    pub(crate) fn opening(&self, ctx: &mut Ctx<'_>, task: &Task<'_>) -> (HoareChecker<'_>, BTreeMap<LocId, TermId>) {
        let mut hoare = HoareChecker::new(ctx.pool, &self.icfg);
        let invariants = inductive(ctx, &mut hoare, &self.icfg, self.offered(task), TIME_SHARE);
        (hoare, invariants)
    }
}

/// The largest set of candidates that is inductive on the graph, as one formula per location. Empty if that cannot be
/// found out in a short time.
pub(crate) fn inductive(
    ctx: &mut Ctx<'_>,
    hoare: &mut HoareChecker<'_>,
    icfg: &Icfg,
    candidates: Predicates,
    time_share: u32,
) -> BTreeMap<LocId, TermId> {
    if candidates.is_empty() {
        return BTreeMap::new();
    }
    let limit = match ctx.budget.remaining() {
        Some(left) => ctx.budget.child(left / time_share),
        None => ctx.budget.clone(),
    };
    let stats = std::mem::take(&mut ctx.stats);
    let mut own = Ctx { stats, ..Ctx::new(ctx.pool, &limit, ctx.observer) };
    let kept = houdini(&mut own, hoare, icfg, candidates);
    ctx.stats = own.stats;
    let Some(kept) = kept else { return BTreeMap::new() };
    ctx.stats.add("predicates taken over", kept.values().map(|list| list.len() as u64).sum());
    let formulas = kept.into_iter().map(|(loc, list)| (loc, ctx.pool.and(&list)));
    formulas.filter(|(_, formula)| *formula != TermId::TRUE).collect()
}

/// The same, the candidates one by one; `None` if nothing was left, or the time did not suffice.
pub(crate) fn inductive_candidates(
    ctx: &mut Ctx<'_>,
    hoare: &mut HoareChecker<'_>,
    icfg: &Icfg,
    candidates: Predicates,
    time_share: u32,
) -> Option<Predicates> {
    let kept = inductive(ctx, hoare, icfg, candidates, time_share);
    let kept: Predicates = kept.into_iter().map(|(loc, formula)| (loc, ctx.pool.conjuncts(formula))).collect();
    (!kept.is_empty()).then_some(kept)
}

/// Does no edge lead from formulas that hold to an error? A location without any may be in every state.
pub(crate) fn excludes_errors(
    ctx: &mut Ctx<'_>,
    hoare: &mut HoareChecker<'_>,
    icfg: &Icfg,
    invariants: &Predicates,
) -> bool {
    let mut into_errors = icfg.edges.iter().filter(|(_, e)| icfg.locs[e.dst].error.is_some());
    into_errors.all(|(edge, e)| {
        let before = ctx.pool.and(invariants.get(&e.src).map_or(&[][..], Vec::as_slice));
        hoare.internal(ctx, before, edge, TermId::FALSE) == Validity::Valid
    })
}

fn houdini(
    ctx: &mut Ctx<'_>,
    hoare: &mut HoareChecker<'_>,
    icfg: &Icfg,
    mut candidates: Predicates,
) -> Option<Predicates> {
    if let Some(initial) = candidates.get_mut(&icfg.entry()) {
        initial.retain(|&p| hoare.implies(ctx, TermId::TRUE, p) == Validity::Valid);
    }
    let mut dirty: BTreeSet<EdgeId> = icfg.edges.ids().collect();
    while let Some(edge) = dirty.pop_first() {
        ctx.budget.check_now().ok()?;
        let (src, dst) = (icfg.edges[edge].src, icfg.edges[edge].dst);
        let Some(list) = candidates.get(&dst).filter(|list| !list.is_empty()) else { continue };
        let known = candidates.get(&src).cloned().unwrap_or_default();
        let before = ctx.pool.and(&known);
        let internal = match icfg.edges[edge].label {
            Label::Stmt(_) | Label::Block(_) | Label::AtomicBegin | Label::AtomicEnd => true,
            Label::Call(_) | Label::Return(_) | Label::Fork { .. } | Label::Join { .. } => false,
        };
        let list = list.clone();
        let kept: Vec<TermId> = list
            .iter()
            .copied()
            .filter(|&p| {
                let stays = known.contains(&p) && !hoare.touches(ctx.pool, edge, p);
                internal && (stays || hoare.internal(ctx, before, edge, p) == Validity::Valid)
            })
            .collect();
        if kept.len() < list.len() {
            candidates.insert(dst, kept);
            dirty.extend(icfg.out_edges(dst).iter().copied());
        }
    }
    Some(candidates)
}
