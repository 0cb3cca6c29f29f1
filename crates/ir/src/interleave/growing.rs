//! A product of threads that is built on the fly: for explicit-state searches.

use super::independence::{Analysis, SharedPlaces, fuse};
use super::{InterleaveError, Interleaved, Product, State, ThreadLimits, root_of};
use crate::icfg::{EdgeId, Icfg, LocId, Location};
use crate::program::{ProcId, VarId};
use base::IdVec;
use logic::{FastMap, TermPool};

/// A graph with threads, all calls inlined, in which steps that no other thread can distinguish are merged.
pub struct Fused {
    graph: Icfg,
    shared: SharedPlaces,
    root: ProcId,
}

impl Fused {
    /// `None`: there is nothing to execute.
    pub fn new(icfg: &Icfg, pool: &mut TermPool) -> Result<Option<Fused>, InterleaveError> {
        let Some(root) = root_of(icfg)? else { return Ok(None) };
        let (graph, shared) = fuse(icfg, pool);
        Ok(Some(Fused { graph, shared, root }))
    }
    pub fn graph(&self) -> &Icfg {
        &self.graph
    }
}

/// The part of a product that has been asked for.
pub struct GrowingProduct<'a> {
    product: Product<'a>,
    analysis: Analysis<'a>,
    /// Locations whose edges are not there yet.
    unexpanded: FastMap<LocId, State>,
}

impl<'a> GrowingProduct<'a> {
    pub fn new(of: &'a Fused, pool: &mut TermPool, limits: &ThreadLimits) -> GrowingProduct<'a> {
        let product = Product::new(&of.graph, of.root, limits.all_orders);
        let mut product = Product { shared: of.shared.clone(), ..product };
        product.begin(pool, of.root, limits);
        GrowingProduct { product, analysis: Analysis::new(&of.graph, pool), unexpanded: FastMap::default() }
    }

    /// Makes sure that the edges that leave a location are there.
    pub fn expand(&mut self, at: LocId, pool: &mut TermPool) -> Result<(), InterleaveError> {
        self.collect();
        match self.unexpanded.remove(&at) {
            Some(state) => self.product.expand(&state, &mut self.analysis, pool),
            None => Ok(()),
        }
    }

    fn collect(&mut self) {
        for state in std::mem::take(&mut self.product.work) {
            self.unexpanded.insert(self.product.locs[&state], state);
        }
    }

    /// What has been built.
    pub fn graph(&self) -> &Icfg {
        &self.product.result
    }
    /// Where the executions are that start more threads than there is room for, if there are any.
    pub fn too_many(&self) -> Option<LocId> {
        self.product.too_many
    }
    /// Whose step an edge is, and which one of the fused graph.
    pub fn origin(&self, edge: EdgeId) -> (usize, EdgeId) {
        self.product.origins[edge.0 as usize]
    }
    /// What a variable of the fused graph is called in a thread.
    pub fn rename_var(&self, thread: usize, v: VarId) -> VarId {
        self.product.rename_var(thread, v)
    }
    /// The number of the thread that has each variable, from 1; 0 for globals.
    pub fn owners(&self) -> IdVec<VarId, u32> {
        self.product.owners()
    }

    /// Changes the locations whose edges were never asked for.
    pub fn at_unexpanded(&mut self, mut change: impl FnMut(&mut Location)) {
        self.collect();
        for &loc in self.unexpanded.keys() {
            change(&mut self.product.result.locs[loc]);
        }
    }

    /// What has been built, as the product of `icfg`, which the fused graph was made of.
    pub fn finish(self, icfg: &Icfg) -> Interleaved {
        self.product.finish(icfg)
    }
}
