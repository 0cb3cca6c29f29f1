//! Endless executions in which a state comes back, by unrolling.
//!
//! The graph is unfolded as in bounded model checking ([`crate::unfolding`]); after each layer the solver is asked
//! whether the state at a loop head can be one that the same execution had there before, as far as the way may depend
//! on it ([`exec::repetition::Relevant`]). Unlike the search for lassos this does not fix the path: in a state machine
//! with a hundred branches in its loop one query covers them all. (The same question as that of Biere, Artho and
//! Schuppan's translation of liveness to safety, 2002, without the translation.)
//!
//! Only looks for counterexamples.

use super::lasso;
use crate::unfolding::{Layer, counterexample, grow_layer};
use base::{Budget, Stop};
use exec::repetition::{Relevant, repetition_in};
use ir::passive::{NodeId, Unfolding, identity_env};
use ir::{Icfg, Label, LocId, NonTermination, Reason, Stmt};
use logic::{Model, SatResult, Solver, TermId, TermPool};
use smt::SmtSolver;
use std::collections::BTreeMap;

const MAX_LAYERS: usize = 60;

/// An endless execution, if one is found.
pub(super) fn search(
    pool: &mut TermPool,
    icfg: &Icfg,
    relevant: &Relevant,
    budget: &Budget,
) -> Result<Option<NonTermination>, Stop> {
    // Steps from which nothing can be concluded are not taken; the numbers of edges stay the same.
    let mut exact = icfg.clone();
    for (_, edge) in exact.edges.iter_mut() {
        if edge.not_modelled().is_some() {
            edge.label = Label::Stmt(Stmt::Assume(TermId::FALSE));
        }
    }
    let icfg = &exact;
    let order = icfg.local_order(icfg.entry());
    let mut solver = SmtSolver::without_proofs();
    for &axiom in &icfg.axioms {
        solver.assert(pool, axiom);
    }
    let mut unfolding = Unfolding::new();
    let mut n_asserted = 0;
    let root = unfolding.add_root(icfg.entry(), TermId::TRUE, identity_env(icfg));
    let mut heads = vec![root];
    let mut visited: BTreeMap<LocId, Vec<NodeId>> = BTreeMap::from([(icfg.entry(), vec![root])]);
    for _ in 0..MAX_LAYERS {
        budget.check_now()?;
        let Layer { errors: _, entering } = match grow_layer(pool, icfg, &order, &mut unfolding, &heads, budget) {
            Ok(layer) => layer,
            Err(Reason::Stopped(stop)) => return Err(stop),
            Err(
                Reason::Unsupported(_)
                | Reason::Incomplete(_)
                | Reason::Exhausted(_)
                | Reason::UnsupportedProperty(_)
                | Reason::NotExact(_)
                | Reason::Undefined(_)
                | Reason::Rejected(_)
                | Reason::Internal(_),
            ) => return Ok(None),
        };
        heads.clear();
        for (loc, steps) in entering {
            let node = unfolding.add_node(pool, icfg, loc, steps);
            for constraint in &unfolding.constraints[n_asserted..] {
                solver.assert(pool, *constraint);
            }
            n_asserted = unfolding.constraints.len();
            let guard = unfolding.nodes[node].guard;
            if model(pool, &mut solver, &[guard], budget)?.is_none() {
                continue;
            }
            let before = visited.entry(loc).or_default();
            let mut again = Vec::with_capacity(before.len());
            for &earlier in before.iter() {
                let (then, now) = (&unfolding.nodes[earlier], &unfolding.nodes[node]);
                let mut same = vec![then.guard];
                same.extend(relevant.at(loc).iter().map(|v| pool.eq(then.env[*v], now.env[*v])));
                again.push(pool.and(&same));
            }
            before.push(node);
            heads.push(node);
            let again = pool.or(&again);
            if let Some(model) = model(pool, &mut solver, &[guard, again], budget)?
                && let Ok(execution) = counterexample(pool, icfg, &unfolding, &model, node)
                && let Some(found) = repetition_in(icfg, pool, relevant, execution)
                && let Some(endless) = lasso(pool, icfg, found)
            {
                return Ok(Some(endless));
            }
        }
        if heads.is_empty() {
            return Ok(None);
        }
    }
    Ok(None)
}

/// A model of the formulas together with what is asserted, if one is found.
fn model(
    pool: &mut TermPool,
    solver: &mut SmtSolver,
    formulas: &[TermId],
    budget: &Budget,
) -> Result<Option<Model>, Stop> {
    if formulas.contains(&TermId::FALSE) {
        return Ok(None);
    }
    match solver.check_assuming(pool, formulas, budget) {
        SatResult::Sat => Ok(solver.model().cloned()),
        SatResult::Unsat => Ok(None),
        SatResult::Unknown(_) => {
            budget.check_now()?;
            Ok(None)
        }
    }
}
