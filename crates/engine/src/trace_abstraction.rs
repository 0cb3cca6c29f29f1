//! Trace abstraction (Heizmann, Hoenicke, Podelski: Refinement of Trace Abstraction, SAS 2009): refutation of error
//! traces by automata.
//!
//! The rounds, the automata and the proof are those of [`crate::interpolant_automata`]; predicates come from the
//! refutation of the trace: Craig interpolants, weakest preconditions or strongest postconditions
//! ([`crate::refinement`]).

use crate::framework::{Ctx, Engine, Task};
use crate::interpolant_automata;
use crate::profile::{Profile, Wants};
use crate::refinement::Refiner;
use ir::Verdict;

pub(crate) struct TraceAbstraction;

impl Engine for TraceAbstraction {
    fn name(&self) -> &'static str {
        "trace-abstraction"
    }
    fn summary(&self) -> &'static str {
        "trace abstraction: error traces are refuted one by one, generalised to automata and subtracted"
    }
    fn profile(&self) -> Profile {
        Profile::refining(Wants::RecursiveCalls)
    }
    fn search(&self, ctx: &mut Ctx<'_>, task: &Task<'_>) -> Verdict {
        interpolant_automata::search(ctx, task, "trace abstraction", &mut Refiner::new())
    }
}
