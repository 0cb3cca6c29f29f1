//! Bounded programs: loops are unwound until they end, with all paths merged ([`unwinding`]).
//!
//! A solver is asked whether a further iteration is made where constants do not tell, and whether an error is reached. If all loops end, that is a proof;
//! the certificate is the greatest number of iterations, and the checker unwinds the graph for itself. A loop that has many iterations without ending is cut off; then there
//! may be a violation, but no proof, and the next round unwinds further.

use crate::framework::{Ctx, Engine, Phase, Task};
use crate::profile::{Cost, Gives, Profile, Wants};
use crate::unfolding::execution;
use ir::{Certificate, Icfg, Label, Reason, Verdict};
use logic::{Model, SatResult, Solver, TermId};
use smt::SmtSolver;
use unwinding::{Event, Unwinder};

pub(crate) struct CompleteUnwinding;

/// How many iterations a loop may have whose number depends on inputs, round by round.
const ROUNDS: [u32; 3] = [4, 32, 256];
/// Longer loops are not unwound.
const MAX_PASSES: u32 = 100_000;
/// A round with more iterations in all is not followed by another.
const MAX_ITERATIONS: u32 = 2_000;

impl Engine for CompleteUnwinding {
    fn name(&self) -> &'static str {
        "unwinding"
    }
    fn summary(&self) -> &'static str {
        "bounded programs: all loops unwound to their ends, with paths merged and constants propagated"
    }
    fn profile(&self) -> Profile {
        Profile { cost: Cost::Search, wants: Wants::NoCalls, needs: &[], gives: &[Gives::Proofs, Gives::Violations] }
    }
    fn search(&self, ctx: &mut Ctx<'_>, task: &Task<'_>) -> Verdict {
        match unwind(ctx, task.icfg) {
            Ok(verdict) => verdict,
            Err(reason) => Verdict::Unknown(reason),
        }
    }
}

fn unwind(ctx: &mut Ctx<'_>, icfg: &Icfg) -> Result<Verdict, Reason> {
    if icfg.has_threads() {
        return Err(Reason::Unsupported("threads (engine unwinding)".to_string()));
    }
    if icfg.edges.values().any(|e| matches!(e.label, Label::Call(_))) {
        return Err(Reason::Incomplete("recursion".to_string()));
    }
    for bound in ROUNDS {
        let (verdict, n_iterations) = round(ctx, icfg, bound)?;
        match verdict {
            Some(verdict) => return Ok(verdict),
            None if n_iterations > MAX_ITERATIONS => break,
            None => {}
        }
    }
    Err(Reason::Exhausted("some loop has no bound that is found".to_string()))
}

/// The formulas that the solver knows.
struct Questions {
    solver: SmtSolver,
    /// Errors that nobody has asked about.
    open: Vec<usize>,
}

/// One round: the verdict, if no loop was cut off, and how many iterations were made.
fn round(ctx: &mut Ctx<'_>, icfg: &Icfg, bound: u32) -> Result<(Option<Verdict>, u32), Reason> {
    let mut questions = Questions { solver: SmtSolver::without_proofs(), open: Vec::new() };
    for &axiom in &icfg.axioms {
        questions.solver.assert(ctx.pool, axiom);
    }
    let mut unwinder = Unwinder::new(ctx.pool, icfg, MAX_PASSES);
    let mut is_cut = false;
    let mut asked = 0;
    loop {
        let event = ctx.phase(Phase::Unrolling, |ctx| unwinder.next(ctx.pool, ctx.budget))?;
        match event {
            Event::Error(error) => questions.open.push(error),
            Event::Iteration { when, count, passes, head } => {
                asked += 1;
                ctx.observer.unrolled(icfg.locs[head].span, passes);
                ctx.observer.progress(asked, "unwinding loops");
                if let Some(verdict) = questions.flush(ctx, icfg, &mut unwinder)? {
                    return Ok((Some(verdict), unwinder.n_iterations));
                }
                let made = if count > bound {
                    is_cut = true;
                    None
                } else {
                    Some(when == TermId::TRUE || questions.ask(ctx, &mut unwinder, when)?.is_some())
                };
                unwinder.answer(ctx.pool, made)?;
            }
            Event::TooMany => return Err(Reason::Exhausted("a loop has very many iterations".to_string())),
            Event::Done => {
                if let Some(verdict) = questions.flush(ctx, icfg, &mut unwinder)? {
                    return Ok((Some(verdict), unwinder.n_iterations));
                }
                ctx.stats.max("loop iterations unwound", u64::from(unwinder.n_iterations));
                let proof = Verdict::Holds(Certificate::Unwinding(unwinder.most_passes));
                return Ok(((!is_cut).then_some(proof), unwinder.n_iterations));
            }
        }
    }
}

impl Questions {
    /// A model in which the formula holds; if there is none, that is remembered.
    fn ask(
        &mut self,
        ctx: &mut Ctx<'_>,
        unwinder: &mut Unwinder<'_>,
        formula: TermId,
    ) -> Result<Option<Model>, Reason> {
        if formula == TermId::FALSE {
            return Ok(None);
        }
        for definition in unwinder.cone(ctx.pool, formula) {
            self.solver.assert(ctx.pool, definition);
        }
        ctx.stats.add("solver calls", 1);
        match self.solver.check_assuming(ctx.pool, &[formula], ctx.budget) {
            SatResult::Sat => match self.solver.model() {
                Some(model) => Ok(Some(model.clone())),
                None => Err(Reason::Incomplete("the solver gave no model".to_string())),
            },
            SatResult::Unsat => {
                let never = ctx.pool.not(formula);
                self.solver.assert(ctx.pool, never);
                Ok(None)
            }
            SatResult::Unknown(logic::UnknownReason::Stopped(stop)) => Err(Reason::Stopped(stop)),
            SatResult::Unknown(logic::UnknownReason::Incomplete(why)) => Err(Reason::Incomplete(why)),
        }
    }

    /// Is one of the errors reached that were found?
    fn flush(
        &mut self,
        ctx: &mut Ctx<'_>,
        icfg: &Icfg,
        unwinder: &mut Unwinder<'_>,
    ) -> Result<Option<Verdict>, Reason> {
        let open = std::mem::take(&mut self.open);
        let guards: Vec<TermId> = open.iter().map(|&e| unwinder.errors[e].when).collect();
        let reached = ctx.pool.or(&guards);
        if self.ask(ctx, unwinder, reached)?.is_none() {
            return Ok(None);
        }
        // The execution may pass symbols that the question did not depend on.
        for definition in unwinder.all_definitions(ctx.pool) {
            self.solver.assert(ctx.pool, definition);
        }
        let Some(model) = self.ask(ctx, unwinder, reached)? else {
            return Err(Reason::Internal("definitions contradict each other".to_string()));
        };
        // The first error of the execution is the one that it ends with.
        let error = open
            .into_iter()
            .find(|&e| model.holds(ctx.pool, unwinder.errors[e].when) == Ok(true))
            .ok_or_else(|| Reason::Incomplete("model without a path".to_string()))?;
        let path = unwinder
            .path_to(ctx.pool, &model, error)
            .ok_or_else(|| Reason::Incomplete("model without a path".to_string()))?;
        execution(ctx.pool, icfg, &model, path).map(|found| Some(Verdict::Violated(found)))
    }
}
