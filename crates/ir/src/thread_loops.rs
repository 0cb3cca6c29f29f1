//! Loops that create or join threads, with their first iterations unrolled: then each thread that they create is a
//! thread of its own, and each join is that of one thread.
//!
//! The executions are the same ones: an iteration goes from one copy of the body to the next, and stays in the last
//! one.

use crate::icfg::{Icfg, Label, LocId};
use std::collections::{BTreeMap, BTreeSet};

/// The most edges of a body, times the copies.
const MAX_EDGES: usize = 20_000;

/// The graph with this number of further copies of each innermost loop that creates or joins threads; `None` if there
/// is none.
pub fn written_out(icfg: &Icfg, n_copies: usize) -> Option<Icfg> {
    let mut chosen: Vec<(LocId, BTreeSet<LocId>)> = Vec::new();
    for proc in icfg.procs.values() {
        let mut loops: Vec<(LocId, BTreeSet<LocId>)> = icfg.loop_bodies(proc.entry).into_iter().collect();
        loops.sort_by_key(|(_, body)| body.len());
        for (head, body) in loops {
            let edges = || body.iter().flat_map(|&loc| icfg.out_edges(loc)).map(|&e| &icfg.edges[e].label);
            let is_about_threads = edges().any(|l| matches!(l, Label::Fork { .. } | Label::Join { .. }));
            let has_calls = edges().any(|l| matches!(l, Label::Call(_) | Label::Return(_)));
            let overlaps = chosen.iter().any(|(_, other)| !other.is_disjoint(&body));
            if is_about_threads && !has_calls && !overlaps && edges().count() * n_copies <= MAX_EDGES {
                chosen.push((head, body));
            }
        }
    }
    if chosen.is_empty() {
        return None;
    }
    let mut result = Icfg::new();
    result.vars = icfg.vars.clone();
    result.globals = icfg.globals.clone();
    result.procs = icfg.procs.clone();
    result.call_sites = icfg.call_sites.clone();
    result.root = icfg.root;
    result.axioms = icfg.axioms.clone();
    for data in icfg.locs.values() {
        let loc = result.add_loc(data.proc, data.span);
        result.locs[loc] = data.clone();
    }
    // The original locations are the first copy.
    let mut copies: BTreeMap<(LocId, usize), LocId> = BTreeMap::new();
    let mut loop_of: BTreeMap<LocId, LocId> = BTreeMap::new();
    for (head, body) in &chosen {
        for &loc in body {
            loop_of.insert(loc, *head);
            copies.insert((loc, 0), loc);
            for round in 1..=n_copies {
                let data = icfg.locs[loc].clone();
                let copy = result.add_loc(data.proc, data.span);
                result.locs[copy] = data;
                copies.insert((loc, round), copy);
            }
        }
    }
    let target = |src: LocId, dst: LocId, round: usize| match (loop_of.get(&src), loop_of.get(&dst)) {
        (Some(here), Some(there)) if here == there => {
            let next = if dst == *there { (round + 1).min(n_copies) } else { round };
            copies[&(dst, next)]
        }
        _ => dst,
    };
    for edge in icfg.edges.values() {
        result.add_edge(edge.src, target(edge.src, edge.dst, 0), edge.label.clone(), edge.span, edge.note);
    }
    for round in 1..=n_copies {
        for edge in icfg.edges.values().filter(|e| loop_of.contains_key(&e.src)) {
            let (src, dst) = (copies[&(edge.src, round)], target(edge.src, edge.dst, round));
            result.add_edge(src, dst, edge.label.clone(), edge.span, edge.note);
        }
    }
    result.mark_loop_heads();
    Some(result)
}
