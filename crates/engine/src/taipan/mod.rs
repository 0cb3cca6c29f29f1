//! Taipan: trace abstraction with loop invariants from abstract interpretation (Greitschus, Dietsch, Podelski: Loop
//! Invariants from Counterexamples, SAS 2017; Dietsch, Greitschus, Heizmann, Hoenicke, Nutz, Podelski, Schilling,
//! Schindler: Ultimate Taipan with Dynamic Block Encoding, TACAS 2018).
//!
//! An infeasible error trace that goes round a loop has a *path program*: the graph with the edges of the trace only.
//! Its executions are the trace with its loops taken any number of times. If a fixpoint there does not reach the error,
//! the states of its locations are predicates that refute all of them together, where interpolants of one trace may
//! only refute one number of iterations. They are verified and weakened ([`path_program`]), and then used like
//! interpolants: the automata are those of trace abstraction ([`crate::interpolant_automata`]). If the fixpoint is too
//! coarse, the trace is generalised by interpolation ([`crate::refinement`]).
//!
//! Departures from the papers:
//! * Whether a trace can be executed is asked first, so the fixpoint never has to be precise enough for that.
//! * States are weakened by following reasons backwards from the error with unsat cores, not by dropping conjuncts one
//!   at a time. This verifies every Hoare triple of the path program on the way, so a mistake in a domain costs an
//!   iteration, not soundness.
//! * Domains are those of the whole-program analysis: values, octagons, copies and cells of maps; states are
//!   partitioned in a second attempt.

mod path_program;

use crate::framework::{Ctx, Engine, Task};
use crate::hoare::HoareChecker;
use crate::interpolant_automata;
use crate::profile::{Profile, Wants};
use crate::refinement::{Refine, Refinement, Refiner, path_program};
use crate::trace_check::{TraceResult, refute_segment};
use base::Stop;
use ir::{EdgeId, Icfg, LocId, Reason, Verdict};
use logic::{FastSet, TermId};

pub(crate) struct Taipan;

impl Engine for Taipan {
    fn name(&self) -> &'static str {
        "taipan"
    }
    fn summary(&self) -> &'static str {
        "trace abstraction whose predicates come from abstract interpretation of the loops of a trace"
    }
    fn profile(&self) -> Profile {
        Profile::refining(Wants::RecursiveCalls)
    }
    fn search(&self, ctx: &mut Ctx<'_>, task: &Task<'_>) -> Verdict {
        interpolant_automata::search(ctx, task, "taipan", &mut PathPrograms::default())
    }
}

/// The share of the remaining time that one path program may take.
const SHARE: f64 = 0.1;

/// Predicates from the fixpoints of path programs, and from interpolation where they do not help.
#[derive(Default)]
struct PathPrograms {
    /// The path programs whose fixpoints were too coarse.
    tried: FastSet<Vec<EdgeId>>,
    interpolation: Refiner,
}

impl Refine for PathPrograms {
    fn refine(
        &mut self,
        ctx: &mut Ctx<'_>,
        icfg: &Icfg,
        trace: &[EdgeId],
        hoare: &mut HoareChecker<'_>,
    ) -> Result<Refinement, Reason> {
        let proof = match refute_segment(ctx, icfg, TermId::TRUE, trace, TermId::FALSE) {
            TraceResult::Feasible(counterexample) => return Ok(Refinement::Feasible(counterexample)),
            TraceResult::Infeasible(proof) => proof,
            TraceResult::Unknown(reason) => return Err(reason),
        };
        if has_loop(icfg, trace) && self.tried.insert(path_program(trace)) {
            ctx.stats.add("path programs", 1);
            let limit = ctx.budget.share(SHARE);
            match path_program::predicates(ctx, icfg, trace, hoare, &limit) {
                Ok(Some(sequence)) => {
                    ctx.stats.add("path programs refuted", 1);
                    return Ok(Refinement::Predicates(vec![sequence]));
                }
                Ok(None) => {}
                Err(Stop::Cancelled) => return Err(Stop::Cancelled.into()),
                Err(_) => ctx.budget.check_now()?,
            }
        }
        self.interpolation.explain(ctx, icfg, proof, hoare)
    }
}

/// Does a trace visit a location twice?
fn has_loop(icfg: &Icfg, trace: &[EdgeId]) -> bool {
    let mut seen: FastSet<LocId> = FastSet::default();
    trace.iter().any(|&e| !seen.insert(icfg.edges[e].src))
}
