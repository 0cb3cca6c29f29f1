//! Unfolding a graph in layers: layer *k* holds the locations that are reached with *k* visits of loop heads.
//!
//! Within a layer the graph is acyclic, so all its paths have one passive formula ([`ir::passive`]). Used by bounded
//! model checking and by the search for endless executions, which ask different questions about the layers.

use base::{Budget, Id};
use ir::loops::LocalOrder;
use ir::passive::{NodeId, PathStep, Step, Unfolding};
use ir::{Counterexample, EdgeId, Icfg, LocId, Reason, TraceStep};
use logic::{Model, TermId, TermPool, Value};
use std::collections::BTreeMap;

/// What one more layer leads to.
pub(crate) struct Layer {
    /// Error locations that are reached in it.
    pub errors: Vec<NodeId>,
    /// Steps into the loop heads of the next layer.
    pub entering: BTreeMap<LocId, Vec<Step>>,
}

/// Unfolds what can be reached from loop heads without visiting another one.
pub(crate) fn grow_layer(
    pool: &mut TermPool,
    icfg: &Icfg,
    order: &LocalOrder,
    unfolding: &mut Unfolding,
    heads: &[NodeId],
    budget: &Budget,
) -> Result<Layer, Reason> {
    let mut layer = Layer { errors: Vec::new(), entering: BTreeMap::new() };
    let mut pending: BTreeMap<(u32, LocId), Vec<Step>> = BTreeMap::new();
    let mut ready: Vec<NodeId> = heads.to_vec();
    loop {
        for node in std::mem::take(&mut ready) {
            budget.check()?;
            let loc = unfolding.nodes[node].loc;
            if icfg.locs[loc].error.is_some() {
                layer.errors.push(node);
            }
            let edges: &[EdgeId] = icfg.out_edges(loc);
            for &edge in edges {
                let Some(step) = unfolding.step(pool, icfg, node, edge) else {
                    return Err(Reason::Incomplete("an edge that bounded model checking does not know".to_string()));
                };
                if step.condition == TermId::FALSE {
                    continue;
                }
                let dst = icfg.edges[edge].dst;
                if order.heads.contains(&dst) {
                    layer.entering.entry(dst).or_default().push(step);
                } else {
                    pending.entry((order.rank[dst], dst)).or_default().push(step);
                }
            }
        }
        let Some(((_, loc), steps)) = pending.pop_first() else { return Ok(layer) };
        ready.push(unfolding.add_node(pool, icfg, loc, steps));
    }
}

/// The execution to a node that a model describes.
pub(crate) fn counterexample(
    pool: &TermPool,
    icfg: &Icfg,
    unfolding: &Unfolding,
    model: &Model,
    end: NodeId,
) -> Result<Counterexample, Reason> {
    let (_, path) =
        unfolding.path_to(pool, model, end).ok_or_else(|| Reason::Incomplete("model without a path".to_string()))?;
    execution(pool, icfg, model, path)
}

/// The execution along a path in a model.
pub(crate) fn execution(
    pool: &TermPool,
    icfg: &Icfg,
    model: &Model,
    path: Vec<PathStep>,
) -> Result<Counterexample, Reason> {
    let value = |t: TermId| -> Result<Value, Reason> {
        model.eval(pool, t).map_err(|_| Reason::Incomplete("a value of the model is quantified".to_string()))
    };
    let mut initial = BTreeMap::new();
    for index in 0..icfg.vars.len() {
        let v = ir::VarId::from_index(index);
        initial.insert(v, value(icfg.vars[v].term)?);
    }
    let mut steps = Vec::with_capacity(path.len());
    for (edge, choices) in path {
        let mut chosen = BTreeMap::new();
        for (v, t) in choices {
            chosen.insert(v, value(t)?);
        }
        steps.push(TraceStep { edge, chosen });
    }
    Ok(Counterexample { initial, steps, symbols: model.clone() })
}
