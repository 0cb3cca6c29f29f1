//! Strongest postconditions and weakest preconditions of traces with calls and returns (nested words).
//!
//! Both work on the SSA form of the slice that the unsat core leaves: a state formula is over the constants that the
//! variables in scope have at a position, a step conjoins its core formulas, and every constant that is out of scope
//! afterwards (or, forwards, that the rest of the slice does not mention) is projected away. Across calls:
//!
//! * **Forward.** A callee that returns starts afresh, knowing only `g = old(g)`: what is true at its exit is then a
//!   relation between parameters, old and new globals and results, a fact about the callee alone. The return step
//!   conjoins it with the caller's state before the call and with the equations that bind parameters; nothing is lost,
//!   since SSA keeps those equations at the return. A pending call passes the caller's state on.
//! * **Backward.** Before a return, the bad states at the callee's exit are those that the caller's state before the
//!   call (computed forwards) can complete to a bad state. Going on backwards through the callee ends at its call: from
//!   there on the forward sequence takes over, which is legal as strongest postconditions imply weakest preconditions;
//!   since both may have been weakened by projection, the joint is checked.
//!
//! The results satisfy `{p_i} step_i {p_{i+1}}`, and for a return `{p_exit, p_call} return {p_after}`, like nested
//! interpolants.

use super::{TraceProof, weaken_exists};
use crate::framework::Ctx;
use ir::{Icfg, Label, Reason, VarKind};
use logic::{FastMap, FastSet, SatResult, Solver, TermId, TermPool};
use smt::SmtSolver;

impl TraceProof {
    pub(super) fn has_calls(&self, icfg: &Icfg) -> bool {
        self.trace.iter().any(|&edge| matches!(icfg.edges[edge].label, Label::Call(_) | Label::Return(_)))
    }

    pub(super) fn forward_nested(&self, ctx: &mut Ctx<'_>, icfg: &Icfg) -> Result<Vec<TermId>, Reason> {
        let n = self.trace.len();
        let states = self.forward_states(ctx, icfg)?;
        let fails = ctx.pool.not(self.post);
        let fails = self.ssa.at_position(ctx.pool, icfg, n, fails);
        require_unsat(ctx, icfg, &[states[n], fails], "the forward slice is feasible")?;
        let mut predicates = self.in_program(ctx.pool, icfg, &states[..n])?;
        predicates.push(self.post);
        Ok(predicates)
    }

    pub(super) fn backward_nested(&self, ctx: &mut Ctx<'_>, icfg: &Icfg) -> Result<Vec<TermId>, Reason> {
        let n = self.trace.len();
        let mut forward: Option<Vec<TermId>> = None;
        let fails = ctx.pool.not(self.post);
        let mut bad = self.ssa.at_position(ctx.pool, icfg, n, fails);
        let mut predicates = vec![self.post];
        for step in (0..n).rev() {
            ctx.budget.check()?;
            let mut parts = self.core_formulas(step);
            parts.push(bad);
            if let Some(return_step) = self.ssa.return_of[step] {
                // The entry of a callee that returns: the forward sequence takes over.
                let states = match forward {
                    Some(states) => states,
                    None => self.forward_states(ctx, icfg)?,
                };
                parts.extend(self.core_formulas(return_step));
                parts.push(states[step]);
                require_unsat(ctx, icfg, &parts, "the backward slice is feasible")?;
                let mut whole = self.in_program(ctx.pool, icfg, &states[..=step])?;
                predicates.reverse();
                whole.extend(predicates);
                return Ok(whole);
            }
            if let Some(call) = self.ssa.call_of[step] {
                if forward.is_none() {
                    forward = Some(self.forward_states(ctx, icfg)?);
                }
                parts.extend(forward.as_ref().map(|states| states[call]));
            }
            let formula = ctx.pool.and(&parts);
            let visible = self.visible(icfg, step);
            bad = self.project(ctx, formula, |constant| visible.contains(&constant))?;
            let here = self.ssa.to_program(ctx.pool, icfg, step, bad).ok_or_else(out_of_scope)?;
            predicates.push(ctx.pool.not(here));
        }
        let start = self.ssa.at_position(ctx.pool, icfg, 0, self.pre);
        require_unsat(ctx, icfg, &[start, bad], "the backward slice is feasible")?;
        predicates.pop();
        predicates.push(self.pre);
        predicates.reverse();
        Ok(predicates)
    }

    /// The strongest postconditions of the slice, over SSA constants, for every position.
    fn forward_states(&self, ctx: &mut Ctx<'_>, icfg: &Icfg) -> Result<Vec<TermId>, Reason> {
        let last_use = self.last_use(ctx.pool, icfg);
        let mut states = vec![self.ssa.at_position(ctx.pool, icfg, 0, self.pre)];
        for step in 0..self.trace.len() {
            ctx.budget.check()?;
            let mut parts = self.core_formulas(step);
            match (self.ssa.call_of[step], self.ssa.return_of[step]) {
                (Some(call), _) => parts.extend([states[call], states[step]]),
                (None, Some(_)) => {}
                (None, None) => parts.push(states[step]),
            }
            let formula = ctx.pool.and(&parts);
            let visible = self.visible(icfg, step + 1);
            let kept = |c: TermId| visible.contains(&c) && last_use.get(&c).is_some_and(|&last| last > step);
            let state = self.project(ctx, formula, kept)?;
            states.push(state);
        }
        Ok(states)
    }

    fn core_formulas(&self, step: usize) -> Vec<TermId> {
        let formulas = self.ssa.steps[step].formulas.iter().enumerate();
        formulas.filter(|&(k, _)| self.in_core(step, k)).map(|(_, &f)| f).collect()
    }

    /// The last step of the slice that mentions a constant; what must fail in the end counts as one more step.
    fn last_use(&self, pool: &mut TermPool, icfg: &Icfg) -> FastMap<TermId, usize> {
        let mut last = FastMap::default();
        for step in 0..self.trace.len() {
            for formula in self.core_formulas(step) {
                last.extend(pool.free_constants(formula).into_iter().map(|c| (c, step)));
            }
        }
        let n = self.trace.len();
        let post = self.ssa.at_position(pool, icfg, n, self.post);
        last.extend(pool.free_constants(post).into_iter().map(|c| (c, n)));
        last
    }

    /// The constants of the variables in scope at a position.
    fn visible(&self, icfg: &Icfg, position: usize) -> FastSet<TermId> {
        let loc = match self.trace.get(position) {
            Some(&edge) => icfg.edges[edge].src,
            None => self.trace.last().map_or(icfg.entry(), |&edge| icfg.edges[edge].dst),
        };
        let proc = icfg.locs[loc].proc;
        let in_scope = icfg.vars.iter().filter(|(_, var)| match var.kind {
            VarKind::Global | VarKind::Old(_) => true,
            VarKind::Param(p) | VarKind::Result(p) | VarKind::Local(p) => p == proc,
        });
        in_scope.map(|(v, _)| self.ssa.versions[position][v]).collect()
    }

    /// Eliminates the SSA constants that are not kept; symbols of the program's functions and axioms stay.
    fn project(&self, ctx: &mut Ctx<'_>, formula: TermId, kept: impl Fn(TermId) -> bool) -> Result<TermId, Reason> {
        let mut gone = ctx.pool.free_constants(formula);
        gone.retain(|&c| !kept(c) && ctx.pool.as_symbol(c).is_some_and(|f| ctx.pool.fun(f).instance_of.is_some()));
        weaken_exists(ctx, &gone, formula)
    }

    /// The state formulas of the first positions as predicates over program variables.
    fn in_program(&self, pool: &mut TermPool, icfg: &Icfg, states: &[TermId]) -> Result<Vec<TermId>, Reason> {
        let positions = states.iter().enumerate();
        positions.map(|(i, &s)| self.ssa.to_program(pool, icfg, i, s).ok_or_else(out_of_scope)).collect()
    }
}

fn out_of_scope() -> Reason {
    Reason::Incomplete("a predicate speaks of a variable that is out of scope".to_string())
}

fn require_unsat(ctx: &mut Ctx<'_>, icfg: &Icfg, formulas: &[TermId], otherwise: &str) -> Result<(), Reason> {
    let mut solver = SmtSolver::without_proofs();
    for &axiom in &icfg.axioms {
        solver.assert(ctx.pool, axiom);
    }
    ctx.stats.add("solver calls", 1);
    if solver.check_assuming(ctx.pool, formulas, ctx.budget) == SatResult::Unsat {
        return Ok(());
    }
    ctx.budget.check_now()?;
    Err(Reason::Incomplete(otherwise.to_string()))
}
