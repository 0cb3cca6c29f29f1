//! Hoare triples over paths.
//!
//! Each path has a solver of its own in which its formula is asserted once; a triple `{pre} path {post}` asks it
//! whether `pre` and the negated `post` (over the values after the path) can hold together. Answers are cached.
//! *Unknown* counts as "does not hold": nothing is ever concluded from it.

use super::cuts::{CutGraph, PathId};
use base::{Budget, IdVec, Stop};
use ir::{Icfg, VarId, primed};
use logic::{FastMap, SatResult, Solver, TermId, TermPool, UnknownReason};
use smt::SmtSolver;
use std::time::Duration;

/// The time for one query.
const QUERY_LIMIT: Duration = Duration::from_millis(1500);

pub(super) struct Triples<'a> {
    icfg: &'a Icfg,
    pub graph: &'a CutGraph,
    solvers: IdVec<PathId, Option<Box<SmtSolver>>>,
    cache: FastMap<(TermId, PathId, TermId), bool>,
    free_constants: FastMap<TermId, Vec<TermId>>,
    pub n_queries: u64,
}

impl<'a> Triples<'a> {
    pub(super) fn new(icfg: &'a Icfg, graph: &'a CutGraph) -> Self {
        let solvers = graph.paths.ids().map(|_| None).collect();
        Triples { icfg, graph, solvers, cache: FastMap::default(), free_constants: FastMap::default(), n_queries: 0 }
    }

    /// Does the formula speak about something that the path may change?
    pub(super) fn touches(&mut self, pool: &TermPool, path: PathId, formula: TermId) -> bool {
        let assigned = &self.graph.paths[path].transition.assigned;
        let constants = self.free_constants.entry(formula).or_insert_with(|| pool.free_constants(formula));
        assigned.iter().any(|v| constants.contains(&self.icfg.vars[*v].term))
    }

    /// Is `{pre} path {post}` valid? `false` also if it is not known.
    pub(super) fn holds(
        &mut self,
        pool: &mut TermPool,
        pre: TermId,
        path: PathId,
        post: TermId,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        if pre == TermId::FALSE || post == TermId::TRUE {
            return Ok(true);
        }
        if let Some(&known) = self.cache.get(&(pre, path, post)) {
            return Ok(known);
        }
        budget.check_now()?;
        let transition = &self.graph.paths[path].transition;
        let after = over_values_after(pool, self.icfg, &transition.assigned, post);
        let formula = transition.formula;
        let icfg = self.icfg;
        let solver = self.solvers[path].get_or_insert_with(|| {
            let mut solver = Box::new(SmtSolver::without_proofs());
            for &axiom in &icfg.axioms {
                solver.assert(pool, axiom);
            }
            solver.assert(pool, formula);
            solver
        });
        self.n_queries += 1;
        let fails = pool.not(after);
        let answer = solver.check_assuming(pool, &[pre, fails], &budget.child(QUERY_LIMIT));
        let valid = match answer {
            SatResult::Unsat => true,
            SatResult::Sat | SatResult::Unknown(UnknownReason::Incomplete(_)) => false,
            SatResult::Unknown(UnknownReason::Stopped(_)) => {
                budget.check_now()?;
                // The query ran into its own limit; a fresh solver next time.
                self.solvers[path] = None;
                false
            }
        };
        self.cache.insert((pre, path, post), valid);
        Ok(valid)
    }
}

/// A formula about the state after a path, in the path's vocabulary.
pub(super) fn over_values_after(pool: &mut TermPool, icfg: &Icfg, assigned: &[VarId], formula: TermId) -> TermId {
    let mut pairs = Vec::with_capacity(assigned.len());
    for &v in assigned {
        let term = icfg.vars[v].term;
        pairs.push((term, primed(pool, term)));
    }
    pool.substitute(formula, &pairs)
}
