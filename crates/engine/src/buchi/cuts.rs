//! The letters: paths between cut points.
//!
//! Every cycle passes a loop head, so an infinite execution is an infinite sequence of paths from loop head to loop
//! head. Taking whole paths as letters keeps lassos conjunctive (one path, no disjunction) and leaves few places where
//! facts must be known. Where there would be too many paths, the places where paths join become cut points
//! too; then, if that is not enough, all locations do.
//!
//! Only locations from which a loop head can be reached matter: an execution that leaves them ends.

use base::{Budget, IdVec, Stop};
use ir::{EdgeId, Icfg, LocId, Transition};
use logic::TermPool;
use std::collections::{BTreeMap, BTreeSet};

base::define_id!(
    /// A path between cut points.
    PathId, "p"
);

#[derive(Clone, Debug)]
pub(super) struct Path {
    pub edges: Vec<EdgeId>,
    pub from: LocId,
    pub to: LocId,
    pub transition: Transition,
}

#[derive(Clone, Debug)]
pub(super) struct CutGraph {
    pub cut_points: BTreeSet<LocId>,
    pub paths: IdVec<PathId, Path>,
    pub out: BTreeMap<LocId, Vec<PathId>>,
}

const MAX_PATHS: usize = 400;

impl CutGraph {
    /// `None` if the graph has edges other than plain steps (calls, threads).
    pub(super) fn new(pool: &mut TermPool, icfg: &Icfg, budget: &Budget) -> Result<Option<CutGraph>, Stop> {
        let heads: BTreeSet<LocId> = icfg.locs.iter().filter(|(_, l)| l.is_loop_head).map(|(id, _)| id).collect();
        let relevant = reaching(icfg, &heads);
        let joins = |loc: &LocId| icfg.in_edges(*loc).len() > 1;
        let candidates = [
            heads.clone(),
            heads.iter().copied().chain(relevant.iter().copied().filter(joins)).collect(),
            relevant.clone(),
        ];
        for (i, mut cut_points) in candidates.into_iter().enumerate() {
            cut_points.insert(icfg.entry());
            let limit = if i == 2 { usize::MAX } else { MAX_PATHS };
            if let Some(paths) = enumerate(icfg, &cut_points, &relevant, limit, budget)? {
                return CutGraph::from_paths(pool, icfg, cut_points, paths, budget);
            }
        }
        Ok(None)
    }

    fn from_paths(
        pool: &mut TermPool,
        icfg: &Icfg,
        cut_points: BTreeSet<LocId>,
        paths: Vec<Vec<EdgeId>>,
        budget: &Budget,
    ) -> Result<Option<CutGraph>, Stop> {
        let mut graph = CutGraph { cut_points, paths: IdVec::new(), out: BTreeMap::new() };
        for edges in paths {
            budget.check()?;
            let mut steps = Vec::with_capacity(edges.len());
            for &edge in &edges {
                let Some(step) = Transition::of_edge(pool, icfg, edge) else { return Ok(None) };
                steps.push(step);
            }
            let (Some(&first), Some(&last)) = (edges.first(), edges.last()) else { continue };
            let (from, to) = (icfg.edges[first].src, icfg.edges[last].dst);
            let transition = Transition::seq(pool, &icfg.vars, &steps);
            let id = graph.paths.push(Path { edges, from, to, transition });
            graph.out.entry(from).or_default().push(id);
        }
        Ok(Some(graph))
    }

    pub(super) fn edges_of(&self, paths: &[PathId]) -> Vec<EdgeId> {
        paths.iter().flat_map(|p| self.paths[*p].edges.iter().copied()).collect()
    }
}

/// The locations from which one of `targets` can be reached.
fn reaching(icfg: &Icfg, targets: &BTreeSet<LocId>) -> BTreeSet<LocId> {
    let mut found = targets.clone();
    let mut worklist: Vec<LocId> = targets.iter().copied().collect();
    while let Some(loc) = worklist.pop() {
        for &edge in icfg.in_edges(loc) {
            let before = icfg.edges[edge].src;
            if found.insert(before) {
                worklist.push(before);
            }
        }
    }
    found
}

/// All paths between cut points within `relevant`, cut points in the order of discovery; `None` if there are too many.
fn enumerate(
    icfg: &Icfg,
    cut_points: &BTreeSet<LocId>,
    relevant: &BTreeSet<LocId>,
    limit: usize,
    budget: &Budget,
) -> Result<Option<Vec<Vec<EdgeId>>>, Stop> {
    let mut paths = Vec::new();
    let mut seen = BTreeSet::from([icfg.entry()]);
    let mut sources = vec![icfg.entry()];
    let mut next_source = 0;
    while let Some(&source) = sources.get(next_source) {
        next_source += 1;
        let mut open: Vec<Vec<EdgeId>> = icfg.out_edges(source).iter().rev().map(|e| vec![*e]).collect();
        while let Some(path) = open.pop() {
            budget.check()?;
            if paths.len() + open.len() > limit {
                return Ok(None);
            }
            let Some(&last) = path.last() else { continue };
            let at = icfg.edges[last].dst;
            if !relevant.contains(&at) {
                continue;
            }
            if cut_points.contains(&at) {
                if seen.insert(at) {
                    sources.push(at);
                }
                paths.push(path);
                continue;
            }
            for &edge in icfg.out_edges(at).iter().rev() {
                let mut longer = path.clone();
                longer.push(edge);
                open.push(longer);
            }
        }
    }
    Ok(Some(paths))
}
