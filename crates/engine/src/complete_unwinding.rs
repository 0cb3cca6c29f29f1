//! Bounded programs: loops are unwound until they end, with all paths merged ([`unwinding`]).
//!
//! A solver is asked whether a further iteration is made where constants do not decide, and whether an error is
//! reached. If all loops end, that is a proof; the certificate is the greatest number of iterations, and the checker
//! unwinds the graph for itself. A loop that has many iterations without ending is cut off; then there may be a
//! violation, but no proof, and the next round unwinds further. Loops whose end comes nearer are not cut off; where the
//! end of one does not ([`unwinding::Outlook`]), little time is spent on the rest.
//!
//! That all loops end is a proof of termination, too; errors are ends then.

use crate::framework::{Ctx, Engine, Phase, Task};
use crate::profile::{Cost, Gives, Profile, Wants};
use crate::unfolding::execution;
use base::Budget;
use ir::{Certificate, Icfg, Label, Property, Reason, Verdict};
use logic::{Model, SatResult, Solver, TermId};
use smt::SmtSolver;
use unwinding::{Event, Outlook, Unwinder};

pub(crate) struct CompleteUnwinding;

/// How many iterations a loop may have whose number depends on inputs, round by round.
const ROUNDS: [u32; 3] = [8, 32, 256];
/// The number of rounds if the end of some loop is far.
const FAR_ROUNDS: usize = 2;
/// Of the time that is left, for a round from when that is seen, and for a round after another that cut loops off.
const FAR_SHARE: f64 = 0.1;
const NEXT_SHARE: f64 = 0.5;
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
    fn supports(&self, property: &Property) -> bool {
        property.is_safety() || *property == Property::Termination
    }
    fn profile(&self) -> Profile {
        Profile { cost: Cost::Search, wants: Wants::NoCalls, needs: &[], gives: &[Gives::Proofs, Gives::Violations] }
    }
    fn search(&self, ctx: &mut Ctx<'_>, task: &Task<'_>) -> Verdict {
        match unwind(ctx, task.icfg, *task.property == Property::Termination) {
            Ok(verdict) => verdict,
            Err(reason) => Verdict::Unknown(reason),
        }
    }
}

fn unwind(ctx: &mut Ctx<'_>, icfg: &Icfg, errors_end: bool) -> Result<Verdict, Reason> {
    if icfg.has_threads() {
        return Err(Reason::Unsupported("threads (engine unwinding)".to_string()));
    }
    if icfg.edges.values().any(|e| matches!(e.label, Label::Call(_))) {
        return Err(Reason::Incomplete("recursion".to_string()));
    }
    let whole = ctx.budget;
    let mut is_far = false;
    for (i, bound) in ROUNDS.into_iter().enumerate() {
        let budget = match i {
            _ if is_far => whole.share(FAR_SHARE),
            0 => whole.clone(),
            _ => whole.share(NEXT_SHARE),
        };
        let mut round = Round { bound, errors_end, is_cut: false, is_far, budget, n_iterations: 0 };
        if let Some(verdict) = round.make(ctx, icfg)? {
            return Ok(verdict);
        }
        is_far = round.is_far;
        if round.n_iterations > MAX_ITERATIONS || (is_far && i + 1 >= FAR_ROUNDS) {
            break;
        }
    }
    Err(Reason::Exhausted("some loop has no bound that is found".to_string()))
}

/// Unwinds once.
struct Round {
    /// How many iterations a loop may have whose end does not come nearer.
    bound: u32,
    errors_end: bool,
    /// Was a loop cut off?
    is_cut: bool,
    /// Is the end of some loop far?
    is_far: bool,
    budget: Budget,
    n_iterations: u32,
}

/// The formulas that the solver knows.
struct Questions {
    solver: SmtSolver,
}

impl Round {
    /// A verdict, if there is a violation or no loop was cut off.
    fn make(&mut self, ctx: &mut Ctx<'_>, icfg: &Icfg) -> Result<Option<Verdict>, Reason> {
        let mut questions = Questions { solver: SmtSolver::without_proofs() };
        for &axiom in &icfg.axioms {
            questions.solver.assert(ctx.pool, axiom);
        }
        let mut unwinder = Unwinder::new(ctx.pool, icfg, MAX_PASSES);
        let mut asked = 0;
        loop {
            let event = ctx.phase(Phase::Unrolling, |ctx| unwinder.next(ctx.pool, &self.budget))?;
            self.n_iterations = unwinder.n_iterations;
            match event {
                Event::Errors(_) if self.errors_end => {}
                Event::Errors(found) => {
                    if let Some(verdict) = questions.reached(ctx, icfg, &mut unwinder, &found, &self.budget)? {
                        return Ok(Some(verdict));
                    }
                }
                Event::Iteration { when, count, passes, head, outlook } => {
                    asked += 1;
                    ctx.observer.unrolled(icfg.locs[head].span, passes);
                    ctx.observer.progress(asked, "unwinding loops");
                    if outlook == Outlook::Far && !std::mem::replace(&mut self.is_far, true) {
                        self.budget = ctx.budget.share(FAR_SHARE);
                    }
                    let made = if count > self.bound && outlook != Outlook::Near {
                        self.is_cut = true;
                        None
                    } else {
                        Some(when == TermId::TRUE || questions.ask(ctx, &mut unwinder, when, &self.budget)?.is_some())
                    };
                    // Without an end of all loops there is no proof of termination.
                    if self.is_cut && self.errors_end {
                        return Ok(None);
                    }
                    unwinder.answer(ctx.pool, made)?;
                }
                Event::TooMany => return Err(Reason::Exhausted("a loop has very many iterations".to_string())),
                Event::Done => {
                    ctx.stats.max("loop iterations unwound", u64::from(unwinder.n_iterations));
                    let n = unwinder.most_passes;
                    return match self.errors_end {
                        _ if self.is_cut => Ok(None),
                        true if unwinder.has_standstill => {
                            Err(Reason::Exhausted("some execution may stay in a loop".to_string()))
                        }
                        true => Ok(Some(Verdict::Holds(Certificate::FiniteUnwinding(n)))),
                        false => Ok(Some(Verdict::Holds(Certificate::Unwinding(n)))),
                    };
                }
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
        budget: &Budget,
    ) -> Result<Option<Model>, Reason> {
        if formula == TermId::FALSE {
            return Ok(None);
        }
        for definition in unwinder.cone(ctx.pool, formula) {
            self.solver.assert(ctx.pool, definition);
        }
        ctx.stats.add("solver calls", 1);
        match self.solver.check_assuming(ctx.pool, &[formula], budget) {
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

    /// Is one of these errors reached?
    fn reached(
        &mut self,
        ctx: &mut Ctx<'_>,
        icfg: &Icfg,
        unwinder: &mut Unwinder<'_>,
        found: &[usize],
        budget: &Budget,
    ) -> Result<Option<Verdict>, Reason> {
        let guards: Vec<TermId> = found.iter().map(|&e| unwinder.errors[e].when).collect();
        let reached = ctx.pool.or(&guards);
        if self.ask(ctx, unwinder, reached, budget)?.is_none() {
            return Ok(None);
        }
        // The execution may pass symbols that the question did not depend on.
        for definition in unwinder.all_definitions(ctx.pool) {
            self.solver.assert(ctx.pool, definition);
        }
        let Some(model) = self.ask(ctx, unwinder, reached, budget)? else {
            return Err(Reason::Internal("definitions contradict each other".to_string()));
        };
        // The first error of the execution is the one that it ends with.
        let error = found
            .iter()
            .copied()
            .find(|&e| model.holds(ctx.pool, unwinder.errors[e].when) == Ok(true))
            .ok_or_else(|| Reason::Incomplete("model without a path".to_string()))?;
        let path = unwinder
            .path_to(ctx.pool, &model, error)
            .ok_or_else(|| Reason::Incomplete("model without a path".to_string()))?;
        execution(ctx.pool, icfg, &model, path).map(|found| Some(Verdict::Violated(found)))
    }
}
