//! The part of the product of threads that executions reach, where all states can be made one by one.
//!
//! Many places that threads could be at together they never are: a lock, a flag or a counter prevents it. The product is
//! built along the states ([`crate::states`]) and is as large as what they reach. At the other places stands an error of its own
//! ([`Subproperty::ThreadPlaces`]), so a proof about the part also shows that nothing is missing: nobody has to believe the enumeration here.

use super::independence::{Analysis, fuse};
use super::schedules::dying_variables;
use super::{InterleaveError, Interleaved, Product, State as Control, ThreadLimits, root_of, unchanged};
use crate::icfg::{EdgeId, Icfg, LocId};
use crate::program::{Check, Subproperty, VarId};
use crate::states::{Limits, Outcome, Steps, explore};
use base::IdVec;
use logic::{FastMap, TermPool};

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
    let Some(old_root) = root_of(icfg)? else { return Ok(Reached::Part(Box::new(unchanged(icfg)), 0)) };
    let fused = fuse(icfg, pool);
    let mut product = Product::new(&fused, old_root, threads.all_orders);
    product.begin(pool, old_root, threads);
    let mut growing = Growing {
        product,
        analysis: Analysis::new(&fused, pool),
        dying: dying_variables(&fused, pool),
        unexpanded: FastMap::default(),
    };
    let n_steps = match explore(&mut growing, pool, limits, stop)? {
        Outcome::All(n_steps) => n_steps,
        Outcome::ErrorPossible(loc) if growing.product.too_many == Some(loc) => return Ok(Reached::MoreThreads),
        Outcome::ErrorPossible(_) => return Ok(Reached::ErrorPossible),
        Outcome::TooMany | Outcome::NotExecutable(_) | Outcome::Stopped => return Ok(Reached::TooMany),
    };
    growing.collect();
    let Growing { mut product, unexpanded, .. } = growing;
    for loc in unexpanded.into_keys() {
        let location = &mut product.result.locs[loc];
        let message = "threads are at places that they were not expected to be at together".to_string();
        location.error = Some(Check::new(Subproperty::ThreadPlaces, message, location.span));
    }
    Ok(Reached::Part(Box::new(product.finish(icfg)), n_steps))
}

struct Growing<'a> {
    product: Product<'a>,
    analysis: Analysis<'a>,
    dying: IdVec<EdgeId, Vec<VarId>>,
    /// Locations whose edges are not there yet.
    unexpanded: FastMap<LocId, Control>,
}

impl Growing<'_> {
    fn collect(&mut self) {
        for control in std::mem::take(&mut self.product.work) {
            self.unexpanded.insert(self.product.locs[&control], control);
        }
    }
}

impl Steps for Growing<'_> {
    type Error = InterleaveError;
    fn expand(&mut self, at: LocId, pool: &mut TermPool) -> Result<(), InterleaveError> {
        self.collect();
        match self.unexpanded.remove(&at) {
            Some(control) => self.product.expand(&control, &mut self.analysis, pool),
            None => Ok(()),
        }
    }
    fn graph(&self) -> &Icfg {
        &self.product.result
    }
    fn dying(&self, edge: EdgeId) -> Vec<VarId> {
        let (t, original) = self.product.origins[edge.0 as usize];
        self.dying[original].iter().map(|&v| self.product.rename_var(t, v)).collect()
    }
    fn chunks(&self) -> IdVec<VarId, u32> {
        self.product.chunks()
    }
}
