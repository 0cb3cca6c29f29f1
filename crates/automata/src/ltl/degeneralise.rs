//! From several acceptance sets on transitions to one set of accepting states: a level counts which sets were seen in
//! turn. A transition passes all consecutive sets that it is in at once. On entering a strongly connected component the
//! level may be anything, since nothing seen before matters there: the caller tries several and keeps the smallest
//! result.

use super::generalised::Generalised;
use super::{LtlAutomaton, LtlEdge};
use base::{Budget, Stop};
use std::collections::BTreeMap;

/// `entry_level` is the level on entering a component, at most the number of sets.
pub(super) fn degeneralise(
    generalised: &Generalised,
    entry_level: usize,
    budget: &Budget,
) -> Result<LtlAutomaton, Stop> {
    let component = generalised.component_of();
    let top = generalised.n_sets;
    let mut numbers: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let mut states: Vec<(usize, usize)> = Vec::new();
    let mut number = |state: (usize, usize), states: &mut Vec<(usize, usize)>| {
        *numbers.entry(state).or_insert_with(|| {
            states.push(state);
            states.len() - 1
        })
    };
    let initial = generalised.initial.iter().map(|&q| number((q, entry_level), &mut states)).collect();
    let mut edges = Vec::new();
    while let Some(&(q, level)) = states.get(edges.len()) {
        budget.check()?;
        let mut row = Vec::new();
        for edge in &generalised.edges[q] {
            let is_inside = component[edge.target] == component[q];
            let mut next = match level {
                _ if !is_inside => entry_level,
                _ if level == top => 0,
                _ => level,
            };
            while is_inside && next < top && edge.accepting[next] {
                next += 1;
            }
            row.push(LtlEdge { guard: edge.guard, target: number((edge.target, next), &mut states) });
        }
        row.sort();
        row.dedup();
        edges.push(row);
    }
    // Without acceptance sets the only level is the top one.
    let accepting = states.iter().map(|(_, level)| *level == top).collect();
    Ok(LtlAutomaton { initial, accepting, edges })
}
