//! Houdini (Flanagan, Leino: Houdini, an Annotation Assistant for ESC/Java, FME 2001), all candidates of a location at
//! once.
//!
//! Every candidate is assumed wherever it stands; what some step does not preserve is dropped, until all are preserved.
//! A step is asked whether it preserves *all* candidates; if not, the state after it in the model says which ones to
//! drop, usually many. Only where the solver gives no answer are candidates tried one by one.

use crate::framework::{Ctx, Phase, Predicates};
use ir::{Icfg, LocId, Transition, primed};
use logic::{FastMap, FastSet, Model, SatResult, Solver, TermId, TermPool, Value};
use smt::SmtSolver;
use std::collections::BTreeSet;
use std::time::Duration;

/// A step of a graph without calls.
pub(crate) struct Step {
    pub src: LocId,
    pub dst: LocId,
    pub transition: Transition,
    /// Variables that change, each with its constant after the step.
    pub after: Vec<(TermId, TermId)>,
}

/// The steps of a graph; `None` if it has calls or threads.
pub(crate) fn steps(pool: &mut TermPool, icfg: &Icfg) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    for (edge, e) in icfg.edges.iter() {
        let transition = Transition::of_edge(pool, icfg, edge)?;
        let changed: Vec<TermId> = transition.assigned.iter().map(|&v| icfg.vars[v].term).collect();
        let after = changed.into_iter().map(|t| (t, primed(pool, t))).collect();
        steps.push(Step { src: e.src, dst: e.dst, transition, after });
    }
    Some(steps)
}

impl Step {
    /// What a formula about the state after the step says, in the constants of the step.
    pub(crate) fn image(&self, pool: &mut TermPool, formula: TermId) -> TermId {
        pool.substitute(formula, &self.after)
    }
}

/// Asks about steps.
pub(crate) struct Houdini<'a> {
    icfg: &'a Icfg,
    pub steps: &'a [Step],
    solver: SmtSolver,
    limit: Duration,
}

impl<'a> Houdini<'a> {
    pub(crate) fn new(pool: &mut TermPool, icfg: &'a Icfg, steps: &'a [Step], limit: Duration) -> Houdini<'a> {
        let mut solver = SmtSolver::without_proofs();
        for &axiom in &icfg.axioms {
            solver.assert(pool, axiom);
        }
        Houdini { icfg, steps, solver, limit }
    }

    /// Asks whether the formulas can be true together.
    pub(crate) fn ask(&mut self, ctx: &mut Ctx<'_>, formulas: &[TermId]) -> SatResult {
        ctx.stats.add("solver calls", 1);
        ctx.observer.enter(Phase::HoareChecks);
        let answer = self.solver.check_assuming(ctx.pool, formulas, &ctx.budget.child(self.limit));
        ctx.observer.leave(Phase::HoareChecks);
        answer
    }

    /// The model of the last answer.
    pub(crate) fn model(&self) -> Option<&Model> {
        self.solver.model()
    }

    /// The largest inductive subset of the candidates; `None` if time ran out.
    pub(crate) fn inductive(&mut self, ctx: &mut Ctx<'_>, mut candidates: Predicates) -> Option<Predicates> {
        candidates.remove(&self.icfg.entry());
        let mut dirty: BTreeSet<usize> = (0..self.steps.len()).collect();
        let steps = self.steps;
        while let Some(i) = dirty.pop_first() {
            ctx.budget.check_now().ok()?;
            let step = &steps[i];
            let Some(list) = candidates.get(&step.dst).filter(|list| !list.is_empty()).cloned() else { continue };
            let before = candidates.get(&step.src).cloned().unwrap_or_default();
            let kept = self.preserved(ctx, step, &before, &list)?;
            if kept.len() < list.len() {
                candidates.insert(step.dst, kept);
                dirty.extend((0..steps.len()).filter(|&j| steps[j].src == step.dst));
            }
        }
        Some(candidates)
    }

    fn preserved(&mut self, ctx: &mut Ctx<'_>, step: &Step, before: &[TermId], list: &[TermId]) -> Option<Vec<TermId>> {
        let known: FastSet<TermId> = before.iter().copied().collect();
        let changed: FastSet<TermId> = step.after.iter().map(|p| p.0).collect();
        let stays = |pool: &TermPool, p: TermId| {
            known.contains(&p) && !pool.free_constants(p).iter().any(|c| changed.contains(c))
        };
        let (mut kept, mut open): (Vec<TermId>, Vec<TermId>) = list.iter().partition(|&&p| stays(ctx.pool, p));
        let mut question: Vec<TermId> = before.to_vec();
        question.push(step.transition.formula);
        while !open.is_empty() {
            ctx.budget.check_now().ok()?;
            let images: Vec<TermId> = open.iter().map(|&p| step.image(ctx.pool, p)).collect();
            let all = ctx.pool.and(&images);
            question.push(ctx.pool.not(all));
            let answer = self.ask(ctx, &question);
            question.pop();
            let n_before = open.len();
            match answer {
                SatResult::Unsat => break,
                SatResult::Sat => {
                    let Some(model) = self.model() else { return Some(kept) };
                    let mut memo = FastMap::default();
                    let mut holds =
                        images.iter().map(|&p| model.eval_memo(ctx.pool, p, &mut memo) == Ok(Value::Bool(true)));
                    open.retain(|_| holds.next().unwrap_or(false));
                }
                SatResult::Unknown(_) => {}
            }
            if open.len() == n_before {
                // No answer, or a model that decides nothing: one by one.
                for p in open.drain(..) {
                    let image = step.image(ctx.pool, p);
                    question.push(ctx.pool.not(image));
                    if self.ask(ctx, &question) == SatResult::Unsat {
                        kept.push(p);
                    }
                    question.pop();
                    ctx.budget.check_now().ok()?;
                }
            }
        }
        kept.extend(open);
        // In the order in which they came.
        let kept: FastSet<TermId> = kept.into_iter().collect();
        Some(list.iter().copied().filter(|p| kept.contains(p)).collect())
    }

    /// Is no error reached by a step from where the formulas hold?
    pub(crate) fn excludes_errors(&mut self, ctx: &mut Ctx<'_>, invariants: &Predicates) -> bool {
        let steps = self.steps;
        let mut into_errors =
            steps.iter().filter(|s| self.icfg.locs[s.dst].error.is_some()).collect::<Vec<_>>().into_iter();
        into_errors.all(|step| {
            let mut question = invariants.get(&step.src).cloned().unwrap_or_default();
            question.push(step.transition.formula);
            self.ask(ctx, &question) == SatResult::Unsat
        })
    }
}
