//! What the engines for threads share: error traces, predicates, which actions commute, and reduced interleavings as
//! certificates.

pub(crate) mod commutation;
pub(crate) mod predicates;
pub(crate) mod reduction;

use crate::framework::Ctx;
use crate::hoare::HoareChecker;
use crate::refinement::{collect, is_perfect, sources};
use crate::trace_check::{Source, Strength, TraceResult, check_segment, check_trace};
use ir::interleave::concurrent::{ActionId, Concurrent, PlaceId, along};
use ir::{EdgeId, Icfg, Reason, Verdict};
use logic::TermId;
use std::collections::{BTreeMap, BTreeSet};

/// The most instances of one procedure.
const MAX_INSTANCES: usize = 12;

/// The result of checking an abstract error trace.
pub(crate) enum Refuted {
    /// Predicates after each action, from the start on.
    Predicates(Vec<Vec<TermId>>),
    /// It can be executed; there are too few instances of some procedure.
    MoreThreads,
    Violation(Verdict),
}

/// Works with more and more instances of each procedure, until there are enough.
pub(crate) fn with_enough_threads(
    ctx: &mut Ctx<'_>,
    icfg: &Icfg,
    mut work: impl FnMut(&mut Ctx<'_>, &Concurrent, usize) -> Result<Option<Verdict>, Reason>,
) -> Verdict {
    for max_instances in 1..=MAX_INSTANCES {
        let program = match Concurrent::new(icfg, ctx.pool, max_instances) {
            Ok(program) => program,
            Err(error) => return Verdict::Unknown(Reason::Unsupported(error.to_string())),
        };
        ctx.stats.set("actions", program.actions.len() as u64);
        ctx.stats.set("places", program.places.len() as u64);
        match work(ctx, &program, max_instances) {
            Ok(Some(verdict)) => {
                if matches!(verdict, Verdict::Holds(_)) {
                    ctx.concurrent = Some(program);
                }
                return verdict;
            }
            Ok(None) => {}
            Err(reason) => return Verdict::Unknown(reason),
        }
    }
    Verdict::Unknown(Reason::Incomplete("threads are started without a bound that is known".to_string()))
}

/// The threads with errors.
pub(crate) fn error_threads(program: &Concurrent) -> Vec<usize> {
    let threads: BTreeSet<usize> =
        program.places.iter().filter(|(p, _)| program.is_error(*p)).filter_map(|(_, place)| place.thread).collect();
    threads.into_iter().collect()
}

/// Makes predicates of traces that cannot be executed.
pub(crate) struct Refuter {
    /// What to try first: forward predicates speak of single variables more often, and keep modules apart.
    forward_first: bool,
    /// How often the actions of a trace were refuted.
    seen: BTreeMap<Vec<ActionId>, u32>,
}

impl Refuter {
    pub(crate) fn new(forward_first: bool) -> Refuter {
        Refuter { forward_first, seen: BTreeMap::new() }
    }

    pub(crate) fn refute(
        &mut self,
        ctx: &mut Ctx<'_>,
        icfg: &Icfg,
        (program, max_instances): (&Concurrent, usize),
        trace: &[ActionId],
        hoare: &mut HoareChecker<'_>,
    ) -> Result<Refuted, Reason> {
        let steps: Vec<EdgeId> = trace.iter().flat_map(|a| program.actions[*a].steps.iter().copied()).collect();
        let mut proof = match check_segment(ctx, &program.graph, TermId::TRUE, &steps, TermId::FALSE) {
            TraceResult::Infeasible(proof) => proof,
            TraceResult::Unknown(reason) => return Err(reason),
            TraceResult::Feasible(_) => {
                let ends = trace.last().into_iter().flat_map(|a| &program.actions[*a].post);
                if ends.copied().any(|p: PlaceId| program.is_too_many(p)) {
                    return Ok(Refuted::MoreThreads);
                }
                return violation(ctx, icfg, program, max_instances, trace).map(Refuted::Violation);
            }
        };
        let mut actions = trace.to_vec();
        actions.sort_unstable();
        actions.dedup();
        let times = self.seen.entry(actions).or_insert(0);
        *times += 1;
        let sources = match self.forward_first && *times % 4 == 1 {
            true => [Source::Forward, Source::Craig(Strength::Strong), Source::Backward],
            false => sources(*times),
        };
        let markings = markings(program, trace);
        let sequences = collect(ctx, &program.graph, &mut proof, sources, |ctx, all| {
            self.forward_first || is_perfect(ctx, &markings, &at_actions(program, trace, all), hoare)
        })?;
        Ok(Refuted::Predicates(sequences.iter().map(|all| at_actions(program, trace, all)).collect()))
    }
}

/// The markings before each action of a trace.
fn markings(program: &Concurrent, trace: &[ActionId]) -> Vec<Vec<PlaceId>> {
    let mut markings = vec![program.initial.clone()];
    for &a in trace {
        let next = markings.last().and_then(|m| program.fire(m, a));
        markings.extend(next);
    }
    markings
}

/// Predicates after each action, of those after each statement.
fn at_actions(program: &Concurrent, trace: &[ActionId], all: &[TermId]) -> Vec<TermId> {
    let mut position = 0;
    let mut sequence = vec![all.first().copied().unwrap_or(TermId::TRUE)];
    for a in trace {
        position += program.actions[*a].steps.len();
        sequence.push(all.get(position).copied().unwrap_or(TermId::FALSE));
    }
    sequence
}

/// A trace of actions that can be executed, as a violation of the product along its schedule.
fn violation(
    ctx: &mut Ctx<'_>,
    icfg: &Icfg,
    program: &Concurrent,
    max_instances: usize,
    trace: &[ActionId],
) -> Result<Verdict, Reason> {
    let turns: Vec<_> = trace.iter().flat_map(|a| program.actions[*a].turns.iter().copied()).collect();
    let part = along(icfg, ctx.pool, max_instances, &turns).map_err(|e| Reason::Unsupported(e.to_string()))?;
    let Some((product, path)) = part else {
        return Err(Reason::Rejected("a schedule that the threads do not have".to_string()));
    };
    match check_trace(ctx, &product.icfg, &path) {
        TraceResult::Feasible(counterexample) => {
            ctx.product = Some(product);
            Ok(Verdict::Violated(counterexample))
        }
        TraceResult::Infeasible(_) => Err(Reason::Rejected("a schedule that cannot be executed".to_string())),
        TraceResult::Unknown(reason) => Err(reason),
    }
}

/// The formulas of a sequence, taken apart at conjunctions.
pub(crate) fn conjuncts(ctx: &Ctx<'_>, sequences: &[Vec<TermId>]) -> Vec<TermId> {
    let mut all: Vec<TermId> = sequences.iter().flatten().flat_map(|t| ctx.pool.conjuncts(*t)).collect();
    all.retain(|t| *t != TermId::TRUE && *t != TermId::FALSE);
    all.sort_unstable();
    all.dedup();
    all
}
