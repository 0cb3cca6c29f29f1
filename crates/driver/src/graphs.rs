//! The control-flow graphs of a program that engines work on.

use ir::inline::{InlineError, InlineLimits, InlineMap, inline_calls_but};
use ir::linking::{LinkMap, link_calls};
use ir::{Counterexample, Icfg};
use logic::TermPool;
use std::collections::BTreeMap;

/// The graphs of a program.
pub(crate) struct Graphs {
    /// As built: executions are replayed on this one.
    pub(crate) original: Icfg,
    /// With calls inlined or linked; `None`: the original has none.
    flat: Option<Flat>,
    /// The flat graph without edges that are known to be dead.
    pub(crate) pruned: Option<crate::facts::Pruned>,
}

struct Flat {
    /// With the calls of all procedures that are not recursive inlined.
    inlined: Icfg,
    map: InlineMap,
    /// If inlining everything would have made too many copies: `inlined` with the calls that are left linked
    /// ([`ir::linking`]).
    linked: Option<(Icfg, LinkMap)>,
}

/// Which graph an engine works on; its evidence speaks about that one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum View {
    /// Every procedure as in the program, without inlining.
    Original,
    /// Calls inlined or linked, but for those of recursive procedures.
    Flat,
}

/// With more edges than this in the inlined graph, procedures with many copies are linked instead.
const LINK_ABOVE: usize = 30_000;
/// The number of edges aimed at then.
const LINKED_SIZE: usize = 500;
/// From this number of edges of the inlined graph on, and this factor over those of the program, contracts are tried
/// first.
const MANY_COPIED: usize = 1_000;
const COPIES: usize = 4;

impl Graphs {
    pub(crate) fn new(pool: &mut TermPool, graph: Icfg) -> Result<Graphs, InlineError> {
        let stay = match ir::inline::too_large_to_copy(&graph, LINK_ABOVE) {
            few if few.is_empty() => few,
            _ => ir::inline::too_large_to_copy(&graph, LINKED_SIZE),
        };
        let (mut inlined, map) = inline_calls_but(&graph, pool, &InlineLimits::default(), &stay)?;
        let linked = if stay.is_empty() { None } else { link_calls(&inlined, pool) };
        if inlined.has_calls() {
            inlined.ensure_old_vars(pool);
        }
        Ok(Graphs { original: graph, flat: Some(Flat { inlined, map, linked }), pruned: None })
    }

    /// With all calls kept, if inlining them would make many copies: a proof by contracts grows with the program, not
    /// with the copies.
    pub(crate) fn uncopied(pool: &mut TermPool, graph: &Icfg) -> Option<Graphs> {
        let size = ir::inline::inlined_size(graph);
        if size < MANY_COPIED || size / COPIES < graph.edges.len() || graph.has_threads() {
            return None;
        }
        Some(Graphs::with_calls(pool, graph))
    }

    /// With all calls kept.
    pub(crate) fn with_calls(pool: &mut TermPool, graph: &Icfg) -> Graphs {
        let mut original = graph.clone();
        original.ensure_old_vars(pool);
        Graphs { original, flat: None, pruned: None }
    }

    /// A graph without calls.
    pub(crate) fn single(graph: Icfg) -> Graphs {
        Graphs { original: graph, flat: None, pruned: None }
    }

    /// The graph that an engine is given.
    pub(crate) fn searched(&self, view: View) -> &Icfg {
        match (&self.pruned, view) {
            (Some(pruned), View::Flat) => &pruned.graph,
            _ => self.view(view),
        }
    }

    pub(crate) fn view(&self, view: View) -> &Icfg {
        match (view, &self.flat) {
            (View::Original, _) | (View::Flat, None) => &self.original,
            (View::Flat, Some(flat)) => flat.linked.as_ref().map_or(&flat.inlined, |(linked, _)| linked),
        }
    }

    /// From a view back to the original, if they differ.
    pub(crate) fn map(&self, view: View) -> Option<InlineMap> {
        match (view, &self.flat) {
            (View::Original, _) | (View::Flat, None) => None,
            (View::Flat, Some(flat)) => Some(flat.map.clone()),
        }
    }

    /// An execution of a view as one of the original.
    pub(crate) fn original_counterexample(&self, of: View, found: Counterexample) -> Counterexample {
        let (View::Flat, Some(flat)) = (of, &self.flat) else { return found };
        match &flat.linked {
            Some((_, map)) => flat.map.original_counterexample(&map.original_counterexample(&found)),
            None => flat.map.original_counterexample(&found),
        }
    }
}

/// The graph that an infinite execution is about, and its terms: calls stay pending in it.
pub(crate) fn graph_of_lasso(icfg: &Icfg, pool: &TermPool) -> (Icfg, TermPool) {
    let mut pool = pool.clone();
    if icfg.has_calls() {
        let (expanded, _) = ir::pending_calls::without_returns(icfg, &BTreeMap::new(), &mut pool);
        (expanded, pool)
    } else {
        (icfg.clone(), pool)
    }
}
