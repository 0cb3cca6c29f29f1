//! Regularisation: no pivot twice on a path to the root.
//!
//! RecyclePivots with intersection makes tree-like parts regular and gives up at shared nodes whose
//! uses disagree. Here a shared node is copied once per *relevant* set of safe literals, where a
//! literal is relevant at a node if its variable is a pivot somewhere above it. That is complete
//! (the result is regular) and can be exponential, as regular resolution must be; so the number of
//! copies is capped at twice the size of the input, and beyond the cap nodes are shared with an
//! empty safe set, which is always allowed.

use super::dag::{DagError, Node, NodeIndex, Rebuilder, ResolutionDag, contains};
use crate::sat::types::Lit;
use rustc_hash::FxHashMap;

/// A node of the input together with the safe literals that matter for it.
type Demand = (NodeIndex, Vec<Lit>);

pub(super) fn regularise(dag: &ResolutionDag) -> Result<ResolutionDag, DagError> {
    let pivots_above = pivots_above(dag);
    let cap = dag.nodes.len().saturating_mul(2);
    let mut out = Rebuilder::default();
    let mut done: FxHashMap<Demand, NodeIndex> = FxHashMap::default();
    let restrict = |node: NodeIndex, safe: Vec<Lit>, n_done: usize| -> Demand {
        if n_done > cap {
            return (node, Vec::new());
        }
        let relevant = &pivots_above[node as usize];
        (node, safe.into_iter().filter(|l| relevant.binary_search(&l.var()).is_ok()).collect())
    };
    let root: Demand = (dag.root, Vec::new());
    let mut stack = vec![root.clone()];
    // How the demand of a node was split when it was first seen; kept so that the cap, reached in
    // between, cannot change the answer when the node is visited again after its antecedents.
    let mut plans: FxHashMap<Demand, Plan> = FxHashMap::default();
    while let Some(demand) = stack.last().cloned() {
        if done.contains_key(&demand) {
            stack.pop();
            continue;
        }
        let node = &dag.nodes[demand.0 as usize];
        let Node::Resolve { pivot, positive, negative } = node else {
            let new = out.leaf(node);
            done.insert(demand, new);
            stack.pop();
            continue;
        };
        let n_done = plans.len();
        let plan = plans.entry(demand.clone()).or_insert_with(|| {
            let safe = &demand.1;
            if contains(safe, *pivot) {
                Plan::Keep(restrict(*positive, safe.clone(), n_done))
            } else if contains(safe, !*pivot) {
                Plan::Keep(restrict(*negative, safe.clone(), n_done))
            } else {
                let with = |lit: Lit| {
                    let mut set = safe.clone();
                    set.push(lit);
                    set.sort_unstable();
                    set
                };
                Plan::Resolve(restrict(*positive, with(*pivot), n_done), restrict(*negative, with(!*pivot), n_done))
            }
        });
        let new = match plan {
            Plan::Keep(only) => match done.get(only) {
                Some(&new) => new,
                None => {
                    stack.push(only.clone());
                    continue;
                }
            },
            Plan::Resolve(left, right) => match (done.get(left), done.get(right)) {
                (Some(&l), Some(&r)) => out.resolve(*pivot, l, r),
                (Some(_), None) => {
                    stack.push(right.clone());
                    continue;
                }
                (None, _) => {
                    stack.push(left.clone());
                    continue;
                }
            },
        };
        done.insert(demand, new);
        stack.pop();
    }
    let root = done[&root];
    Ok(out.finish(root))
}

enum Plan {
    Keep(Demand),
    Resolve(Demand, Demand),
}

/// Per node the sorted variables that are pivots in its derivation.
fn pivots_above(dag: &ResolutionDag) -> Vec<Vec<crate::sat::types::Var>> {
    let mut above: Vec<Vec<crate::sat::types::Var>> = Vec::with_capacity(dag.nodes.len());
    for node in &dag.nodes {
        above.push(match node {
            Node::Leaf { .. } => Vec::new(),
            Node::Resolve { pivot, positive, negative } => {
                let mut set = above[*positive as usize].clone();
                set.extend_from_slice(&above[*negative as usize]);
                set.push(pivot.var());
                set.sort_unstable();
                set.dedup();
                set
            }
        });
    }
    above
}
