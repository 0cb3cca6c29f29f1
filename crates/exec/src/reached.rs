//! The part of the product of threads that executions reach, where all states can be made one by one.
//!
//! Many places that threads could be at together they never are: a lock, a flag or a counter prevents it. The product
//! is built along the states ([`crate::states`]) and is as large as what they reach. At the other places stands an
//! error of its own ([`Subproperty::ThreadPlaces`]), so a proof about the part also shows that nothing is missing: the
//! enumeration need not be trusted.

use crate::schedules::dying_variables;
use crate::states::{Limits, Outcome, Steps, explore};
use base::IdVec;
use ir::interleave::{Fused, GrowingProduct, InterleaveError, Interleaved, ThreadLimits, unchanged};
use ir::{Check, EdgeId, Icfg, LocId, Subproperty, VarId};
use logic::TermPool;

/// What is known of the part of the product that executions reach.
pub enum Reached {
    /// The part, and the number of steps that all states together make.
    Part(Box<Interleaved>, u64),
    /// An error is among the states, though perhaps not of an execution.
    ErrorPossible,
    /// Some execution seems to start more threads than there is room for.
    MoreThreads,
    /// Not all states were made.
    TooMany,
}

/// Makes all states of a graph with threads, all calls inlined. `stop` is asked from time to time.
pub fn reached(
    icfg: &Icfg,
    pool: &mut TermPool,
    threads: &ThreadLimits,
    limits: &Limits,
    stop: &mut dyn FnMut() -> bool,
) -> Result<Reached, InterleaveError> {
    let Some(fused) = Fused::new(icfg, pool)? else { return Ok(Reached::Part(Box::new(unchanged(icfg)), 0)) };
    let product = GrowingProduct::new(&fused, pool, threads);
    let mut growing = Growing { product, dying: dying_variables(fused.graph(), pool) };
    let n_steps = match explore(&mut growing, pool, limits, stop)? {
        Outcome::All(n_steps) => n_steps,
        Outcome::ErrorPossible(loc) if growing.product.too_many() == Some(loc) => return Ok(Reached::MoreThreads),
        Outcome::ErrorPossible(_) => return Ok(Reached::ErrorPossible),
        Outcome::TooMany | Outcome::NotExecutable(_) | Outcome::Stopped => return Ok(Reached::TooMany),
    };
    let mut product = growing.product;
    product.at_unexpanded(|location| {
        let message = "threads are at places that they were not expected to be at together".to_string();
        location.error = Some(Check::new(Subproperty::ThreadPlaces, message, location.span));
    });
    Ok(Reached::Part(Box::new(product.finish(icfg)), n_steps))
}

struct Growing<'a> {
    product: GrowingProduct<'a>,
    dying: IdVec<EdgeId, Vec<VarId>>,
}

impl Steps for Growing<'_> {
    type Error = InterleaveError;
    fn expand(&mut self, at: LocId, pool: &mut TermPool) -> Result<(), InterleaveError> {
        self.product.expand(at, pool)
    }
    fn graph(&self) -> &Icfg {
        self.product.graph()
    }
    fn dying(&self, edge: EdgeId) -> Vec<VarId> {
        let (t, original) = self.product.origin(edge);
        self.dying[original].iter().map(|&v| self.product.rename_var(t, v)).collect()
    }
    fn chunks(&self) -> IdVec<VarId, u32> {
        self.product.owners()
    }
}
