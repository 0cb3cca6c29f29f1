//! Unwindings: the checker unfolds the graph layer by layer (a layer ends at a loop head, [`Icfg::local_order`]) and
//! proves that no layer reaches an error and that no path enters the layer after the last.

use crate::{Options, Prover, Rejection};
use base::Budget;
use ir::passive::{NodeId, Step, Unfolding, identity_env};
use ir::{Icfg, LocId};
use logic::{TermId, TermPool};
use std::collections::BTreeMap;

pub(crate) fn check(
    pool: &mut TermPool,
    icfg: &Icfg,
    n_layers: u32,
    options: Options,
    budget: &Budget,
) -> Result<(), Rejection> {
    let order = icfg.local_order(icfg.entry());
    let mut prover = Prover::new(pool, icfg, options);
    let mut unfolding = Unfolding::new();
    let mut n_assumed = 0;
    let mut heads: Vec<NodeId> = vec![unfolding.add_root(icfg.entry(), TermId::TRUE, identity_env(icfg))];
    for layer in 0..=n_layers {
        let mut entering: BTreeMap<LocId, Vec<Step>> = BTreeMap::new();
        let mut pending: BTreeMap<(u32, LocId), Vec<Step>> = BTreeMap::new();
        let mut ready = std::mem::take(&mut heads);
        loop {
            for node in std::mem::take(&mut ready) {
                budget.check()?;
                let loc = unfolding.nodes[node].loc;
                for &constraint in &unfolding.constraints[n_assumed..] {
                    prover.assume(pool, constraint);
                }
                n_assumed = unfolding.constraints.len();
                if let Some(check) = &icfg.locs[loc].error {
                    let guard = unfolding.nodes[node].guard;
                    if !prover.impossible(pool, guard, budget)? {
                        return Err(Rejection::Wrong(format!("an error can be reached: {}", check.message)));
                    }
                    continue;
                }
                for &edge in icfg.out_edges(loc) {
                    let step = unfolding
                        .step(pool, icfg, node, edge)
                        .ok_or_else(|| Rejection::Unchecked("calls cannot be unwound".to_string()))?;
                    if step.condition == TermId::FALSE {
                        continue;
                    }
                    let dst = icfg.edges[edge].dst;
                    if order.heads.contains(&dst) {
                        entering.entry(dst).or_default().push(step);
                    } else {
                        pending.entry((order.rank[dst], dst)).or_default().push(step);
                    }
                }
            }
            let Some(((_, loc), steps)) = pending.pop_first() else { break };
            ready.push(unfolding.add_node(pool, icfg, loc, steps));
        }
        for (loc, steps) in entering {
            let node = unfolding.add_node(pool, icfg, loc, steps);
            for &constraint in &unfolding.constraints[n_assumed..] {
                prover.assume(pool, constraint);
            }
            n_assumed = unfolding.constraints.len();
            let guard = unfolding.nodes[node].guard;
            if !prover.impossible(pool, guard, budget)? {
                heads.push(node);
            }
        }
        if heads.is_empty() {
            return Ok(());
        }
        if layer == n_layers {
            return Err(Rejection::Wrong(format!("some execution needs more than {n_layers} loop iterations")));
        }
    }
    Ok(())
}
