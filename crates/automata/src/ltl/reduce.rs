//! Makes a Büchi automaton smaller without changing its language: states from which nothing is accepted are dropped,
//! acceptance outside of cycles is forgotten, states that simulate each other are merged, and of two edges one of which
//! can do all that the other can, the better one stays (direct simulation: Etessami, Wilke, Schuller, "Fair Simulation
//! Relations, Parity Games, and State Space Reduction for Büchi Automata", SIAM J. Comput. 2005).

use super::{LtlAutomaton, LtlEdge};
use base::{Budget, Stop, graph};

/// Larger automata are not reduced by simulation, which takes quadratic space.
const MAX_SIMULATION: usize = 2_000;

pub(super) fn reduce(mut automaton: LtlAutomaton, budget: &Budget) -> Result<LtlAutomaton, Stop> {
    loop {
        let before = (automaton.n_states(), n_edges(&automaton));
        automaton = keep_live(automaton);
        if automaton.n_states() <= MAX_SIMULATION {
            automaton = quotient(automaton, budget)?;
        }
        automaton = keep_live(automaton);
        if (automaton.n_states(), n_edges(&automaton)) == before {
            return Ok(automaton);
        }
    }
}

fn n_edges(automaton: &LtlAutomaton) -> usize {
    automaton.edges.iter().map(Vec::len).sum()
}

/// Keeps the states that are reachable and reach an accepting cycle, in breadth-first order.
fn keep_live(mut automaton: LtlAutomaton) -> LtlAutomaton {
    let n = automaton.n_states();
    let successors = |q: usize| automaton.edges[q].iter().map(|e| e.target).collect();
    let components = graph::components(n, &automaton.initial, successors);
    let mut is_live = vec![false; n];
    // Successors come first in the list of components.
    for component in &components {
        let accepts = component.has_cycle && component.members.iter().any(|&q| automaton.accepting[q]);
        let leads_on = component.members.iter().any(|&q| automaton.edges[q].iter().any(|e| is_live[e.target]));
        for &q in &component.members {
            is_live[q] = accepts || leads_on;
        }
    }
    for component in components.iter().filter(|c| !c.has_cycle) {
        for &q in &component.members {
            automaton.accepting[q] = false;
        }
    }
    let mut order: Vec<usize> = Vec::new();
    let mut number = vec![usize::MAX; n];
    let mut visit = |q: usize, order: &mut Vec<usize>| {
        if is_live[q] && number[q] == usize::MAX {
            number[q] = order.len();
            order.push(q);
        }
    };
    for &q in &automaton.initial {
        visit(q, &mut order);
    }
    let mut next = 0;
    while let Some(&q) = order.get(next) {
        for edge in &automaton.edges[q] {
            visit(edge.target, &mut order);
        }
        next += 1;
    }
    let row = |q: &usize| -> Vec<LtlEdge> {
        let live = automaton.edges[*q].iter().filter(|e| number[e.target] != usize::MAX);
        let mut row: Vec<LtlEdge> = live.map(|e| LtlEdge { guard: e.guard, target: number[e.target] }).collect();
        row.sort();
        row
    };
    LtlAutomaton {
        initial: automaton.initial.iter().map(|&q| number[q]).filter(|&q| q != usize::MAX).collect(),
        accepting: order.iter().map(|&q| automaton.accepting[q]).collect(),
        edges: order.iter().map(row).collect(),
    }
}

/// Merges states that simulate each other and drops dominated edges and initial states.
fn quotient(automaton: LtlAutomaton, budget: &Budget) -> Result<LtlAutomaton, Stop> {
    let n = automaton.n_states();
    // simulates[p][q]: q can do whatever p can, and is accepting where p is. The greatest such relation.
    let mut simulates: Vec<Vec<bool>> =
        (0..n).map(|p| (0..n).map(|q| !automaton.accepting[p] || automaton.accepting[q]).collect()).collect();
    loop {
        let mut has_changed = false;
        for p in 0..n {
            budget.check()?;
            for q in 0..n {
                if p != q && simulates[p][q] {
                    let can_follow = automaton.edges[p].iter().all(|a| {
                        automaton.edges[q].iter().any(|b| a.guard.implies(b.guard) && simulates[a.target][b.target])
                    });
                    simulates[p][q] = can_follow;
                    has_changed |= !can_follow;
                }
            }
        }
        if !has_changed {
            break;
        }
    }
    let representative: Vec<usize> =
        (0..n).map(|q| (0..q).find(|&p| simulates[p][q] && simulates[q][p]).unwrap_or(q)).collect();
    let edges = (0..n).map(|q| {
        let mut row: Vec<LtlEdge> = Vec::new();
        for edge in &automaton.edges[q] {
            row.push(LtlEdge { guard: edge.guard, target: representative[edge.target] });
        }
        row.sort();
        row.dedup();
        // Representatives that simulate each other are equal, so this relation has no cycles.
        let kept = row
            .iter()
            .filter(|a| !row.iter().any(|b| *a != b && a.guard.implies(b.guard) && simulates[a.target][b.target]));
        kept.copied().collect()
    });
    let edges: Vec<Vec<LtlEdge>> = edges.collect();
    let mut initial: Vec<usize> = automaton.initial.iter().map(|&q| representative[q]).collect();
    initial.sort_unstable();
    initial.dedup();
    let best: Vec<usize> =
        initial.iter().copied().filter(|&p| !initial.iter().any(|&q| p != q && simulates[p][q])).collect();
    Ok(LtlAutomaton { initial: best, accepting: automaton.accepting, edges })
}
