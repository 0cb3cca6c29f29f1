//! Parts of a product that no violation passes.
//!
//! Constants are propagated through the variables that propositions speak about, so that a guard that contradicts the
//! assignment before it goes. Then only locations are kept from which a cycle with an accepting location can be
//! reached.

use super::product::Product;
use crate::icfg::{EdgeId, Icfg, Label, LocId};
use crate::program::{Stmt, VarId};
use base::{Id, IdVec, graph};
use logic::{TermId, TermPool};

/// What is known about a few variables: constants.
type Known = Vec<Option<TermId>>;

/// The product without what does not matter; `watched` are the variables of the propositions.
pub(super) fn prune(product: Product, watched: &[VarId], pool: &mut TermPool) -> Product {
    let possible = possible_edges(&product.icfg, watched, pool);
    let live = live_locations(&product.icfg, &possible);
    let icfg = &product.icfg;
    let keeps = |e: EdgeId| possible[e] && live[icfg.edges[e].src] && live[icfg.edges[e].dst];
    let (entry, exit) = match icfg.root {
        Some(root) => (icfg.procs[root].entry, icfg.procs[root].exit),
        None => return product,
    };
    let mut result = Icfg::new();
    result.vars = icfg.vars.clone();
    result.globals = icfg.globals.clone();
    result.procs = icfg.procs.clone();
    result.root = icfg.root;
    result.axioms = icfg.axioms.clone();
    let mut numbers: IdVec<LocId, Option<LocId>> = IdVec::from_elem(None, icfg.locs.len());
    let mut locs = IdVec::new();
    for (loc, data) in icfg.locs.iter().filter(|(loc, _)| live[*loc] || *loc == entry || *loc == exit) {
        let new = result.add_loc(data.proc, data.span);
        result.locs[new].error = data.error.clone();
        numbers[loc] = Some(new);
        locs.push(product.locs[loc]);
    }
    let mut edges = IdVec::new();
    for (e, edge) in icfg.edges.iter().filter(|(e, _)| keeps(*e)) {
        if let (Some(src), Some(dst)) = (numbers[edge.src], numbers[edge.dst]) {
            result.add_edge(src, dst, edge.label.clone(), edge.span, edge.note);
            edges.push(product.edges[e]);
        }
    }
    // All procedures have those of the root.
    let (Some(first), Some(last)) = (numbers[entry], numbers[exit]) else { return product };
    for (_, proc) in result.procs.iter_mut() {
        (proc.entry, proc.exit) = (first, last);
    }
    let accepting = icfg.acceptance.as_ref();
    result.acceptance = accepting.map(|all| all.iter().filter_map(|loc| numbers[*loc]).collect());
    result.mark_loop_heads();
    Product { icfg: result, edges, locs }
}

/// Edges that constant propagation does not exclude.
fn possible_edges(icfg: &Icfg, watched: &[VarId], pool: &mut TermPool) -> IdVec<EdgeId, bool> {
    let mut possible = IdVec::from_elem(false, icfg.edges.len());
    let mut known: IdVec<LocId, Option<Known>> = IdVec::from_elem(None, icfg.locs.len());
    known[icfg.entry()] = Some(vec![None; watched.len()]);
    let mut work = vec![icfg.entry()];
    while let Some(loc) = work.pop() {
        let Some(here) = known[loc].clone() else { continue };
        let constants: Vec<(TermId, TermId)> =
            watched.iter().zip(&here).filter_map(|(v, c)| Some((icfg.term(*v), (*c)?))).collect();
        for &e in icfg.out_edges(loc) {
            let edge = &icfg.edges[e];
            let mut after = here.clone();
            match &edge.label {
                Label::Stmt(Stmt::Assume(condition)) => {
                    if !constants.is_empty() && pool.substitute(*condition, &constants) == TermId::FALSE {
                        continue;
                    }
                }
                Label::Stmt(Stmt::Assign(pairs)) => {
                    for &(v, t) in pairs {
                        if let Some(i) = watched.iter().position(|w| *w == v) {
                            let value = pool.substitute(t, &constants);
                            after[i] = pool.value(value).is_some().then_some(value);
                        }
                    }
                }
                Label::Stmt(Stmt::Havoc(vars, _)) => {
                    for (i, _) in watched.iter().enumerate().filter(|(_, w)| vars.contains(w)) {
                        after[i] = None;
                    }
                }
                _ => after.fill(None),
            }
            possible[e] = true;
            let joined = match &known[edge.dst] {
                None => after,
                Some(old) => old.iter().zip(after).map(|(a, b)| a.filter(|a| b == Some(*a))).collect(),
            };
            if known[edge.dst].as_ref() != Some(&joined) {
                known[edge.dst] = Some(joined);
                work.push(edge.dst);
            }
        }
    }
    possible
}

/// Locations from which a cycle with an accepting location can be reached.
fn live_locations(icfg: &Icfg, possible: &IdVec<EdgeId, bool>) -> IdVec<LocId, bool> {
    let successors = |n: usize| {
        let out = icfg.out_edges(LocId::from_index(n));
        out.iter().filter(|e| possible[**e]).map(|e| icfg.edges[*e].dst.index()).collect()
    };
    let components = graph::components(icfg.locs.len(), &[icfg.entry().index()], successors);
    let mut live = IdVec::from_elem(false, icfg.locs.len());
    let is_accepting = |n: &usize| icfg.acceptance.as_ref().is_none_or(|all| all.contains(&LocId::from_index(*n)));
    // Successors come first.
    for component in &components {
        let accepts = component.has_cycle && component.members.iter().any(is_accepting);
        let leads_on = component.members.iter().any(|&n| {
            let out = icfg.out_edges(LocId::from_index(n));
            out.iter().any(|e| possible[*e] && live[icfg.edges[*e].dst])
        });
        for &n in &component.members {
            live[LocId::from_index(n)] = accepts || leads_on;
        }
    }
    live
}
