//! Emptiness over infinite words, with a lasso as witness.
//!
//! In an infinite nested word every call either returns or stays open for ever. Replacing the former by
//! summaries leaves a path in a finite graph over states with internal, call and summary edges (see
//! [`crate::summary`]); a summary counts as accepting if an accepting state lies strictly inside. The language
//! is non-empty iff a reachable strongly connected component of that graph has a cycle with an
//! accepting state or an accepting summary. Calls that stay open may lie on the cycle (infinite recursion);
//! returns to before the cycle never do.
//!
//! The witness prefers short loops, then short stems: short lassos have short proofs, and these
//! generalise better. All accepting places would be too many to try, so only those nearest to
//! the start are.

use crate::lazy::LazyNwa;
use crate::nwa::{Letter, NestedRun, Nwa, StateId, Symbol, matching};
use crate::product::buchi_intersection;
use crate::summary::{ShortestPaths, Step, Summaries, UNREACHED, append_step, steps};
use base::{Budget, Id, IdVec, Stop};

/// An ultimately periodic run: the stem leads from an initial state to the state in which the loop
/// starts and ends. The loop is not empty, and every return in it is matched inside it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lasso<L> {
    pub stem: NestedRun<L>,
    pub cycle: NestedRun<L>,
}

type FirstStep<L> = (Step<L>, StateId);

/// A place that makes a cycle accepting: a state, or an accepting summary edge out of it.
struct Anchor<L> {
    distance: u64,
    state: StateId,
    edge: Option<FirstStep<L>>,
}

/// How many accepting places are tried as the anchor of the loop.
const CANDIDATES: usize = 64;

/// A lasso that the automaton accepts, or `None` if it accepts no infinite word.
pub fn accepted_lasso<L: Letter>(automaton: &Nwa<L>, budget: &Budget) -> Result<Option<Lasso<L>>, Stop> {
    let summaries = Summaries::of(automaton, true, budget)?;
    let components = Components::of(automaton, &summaries, budget)?;
    let (from_start, _) = ShortestPaths::from(automaton, &summaries, automaton.initial(), |_| true, |_| false, budget)?;

    let mut anchors: Vec<Anchor<L>> = Vec::new();
    for q in automaton.states() {
        let Some(component) = components.of_state[q] else { continue };
        if automaton.is_accepting(q) && components.has_cycle[component] {
            anchors.push(Anchor { distance: from_start.distance[q], state: q, edge: None });
        }
        for (step, t) in steps(automaton, &summaries, q) {
            if step.passes_accepting() && components.of_state[t] == Some(component) {
                anchors.push(Anchor { distance: from_start.distance[q], state: q, edge: Some((step, t)) });
            }
        }
    }
    anchors.sort_by_key(|a| (a.distance, a.state, a.edge.map(|(step, t)| (step.length(), t))));

    let mut best: Option<(u64, u64, Lasso<L>)> = None;
    for Anchor { distance: stem_length, state: anchor, edge } in anchors.into_iter().take(CANDIDATES) {
        let component = components.of_state[anchor];
        let inside = |q: StateId| components.of_state[q] == component;
        let limit = best.as_ref().map_or(UNREACHED, |(cycle, _, _)| *cycle);
        // Close the cycle: from each first step find the way back to the anchor.
        let firsts: Vec<(Step<L>, StateId)> = match edge {
            Some(first) => vec![first],
            None => steps(automaton, &summaries, anchor).filter(|(_, t)| inside(*t)).collect(),
        };
        let Some((first, rest)) = shortest_return(automaton, &summaries, anchor, firsts, &inside, budget)? else {
            continue;
        };
        let length = first.0.length().saturating_add(rest.len() as u64);
        let known = best.as_ref().map_or(UNREACHED, |(_, stem, _)| *stem);
        if (length, stem_length) >= (limit, known) {
            continue;
        }
        let mut cycle = NestedRun::start(anchor);
        append_step(&mut cycle, first.0, first.1, &summaries);
        for (symbol, state) in rest.word.iter().zip(&rest.states[1..]) {
            cycle.push(*symbol, *state);
        }
        let stem = from_start.run_to(anchor, &summaries)?;
        best = Some((length, stem_length, Lasso { stem, cycle }));
    }
    Ok(best.map(|(_, _, lasso)| lasso))
}

type FirstStepAndRest<L> = (FirstStep<L>, NestedRun<L>);

/// The first step after which the way back to `anchor` is shortest, and that way.
fn shortest_return<L: Letter>(
    automaton: &Nwa<L>,
    summaries: &Summaries<L>,
    anchor: StateId,
    mut firsts: Vec<FirstStep<L>>,
    inside: &impl Fn(StateId) -> bool,
    budget: &Budget,
) -> Result<Option<FirstStepAndRest<L>>, Stop> {
    firsts.sort_by_key(|(step, t)| (*t, step.length()));
    firsts.dedup_by_key(|(_, t)| *t);
    let targets: Vec<StateId> = firsts.iter().map(|(_, t)| *t).collect();
    // All first steps but summaries cost the same, so one search from all targets is exact without
    // calls and a good guess with them.
    let (paths, hit) = ShortestPaths::from(automaton, summaries, &targets, inside, |q| q == anchor, budget)?;
    let Some(end) = hit else { return Ok(None) };
    let run = paths.run_to(end, summaries)?;
    let first = firsts.into_iter().find(|(_, t)| *t == run.first());
    Ok(first.map(|first| (first, run)))
}

/// For each state, whether it lies on a cycle that makes an infinite word accepted.
pub(crate) fn accepting_cycle_states<L: Letter>(
    automaton: &Nwa<L>,
    budget: &Budget,
) -> Result<IdVec<StateId, bool>, Stop> {
    let summaries = Summaries::of(automaton, true, budget)?;
    let components = Components::of(automaton, &summaries, budget)?;
    let mut accepting = vec![false; components.has_cycle.len()];
    for q in automaton.states() {
        let Some(component) = components.of_state[q] else { continue };
        accepting[component] |= components.has_cycle[component]
            && (automaton.is_accepting(q)
                || steps(automaton, &summaries, q)
                    .any(|(step, t)| step.passes_accepting() && components.of_state[t] == Some(component)));
    }
    Ok(components.of_state.values().map(|c| c.is_some_and(|c| accepting[c])).collect())
}

/// Strongly connected components of the reachable part, by Tarjan's algorithm without recursion.
struct Components {
    of_state: IdVec<StateId, Option<usize>>,
    /// Does the component contain a cycle (of length one at least)?
    has_cycle: Vec<bool>,
}

impl Components {
    fn of<L: Letter>(automaton: &Nwa<L>, summaries: &Summaries<L>, budget: &Budget) -> Result<Components, Stop> {
        const NEW: usize = usize::MAX;
        let n = automaton.n_states();
        let mut result = Components { of_state: IdVec::from_elem(None, n), has_cycle: Vec::new() };
        let mut index = vec![NEW; n];
        let mut low = vec![0; n];
        let mut next_index = 0;
        let mut stack: Vec<StateId> = Vec::new();
        struct Frame {
            state: StateId,
            successors: Vec<StateId>,
            next: usize,
        }
        let mut frames: Vec<Frame> = Vec::new();
        let successors = |q| -> Vec<StateId> { steps(automaton, summaries, q).map(|(_, t)| t).collect() };
        for &root in automaton.initial() {
            if index[root.index()] != NEW {
                continue;
            }
            let mut entered = Some(root);
            loop {
                if let Some(q) = entered.take() {
                    index[q.index()] = next_index;
                    low[q.index()] = next_index;
                    next_index += 1;
                    stack.push(q);
                    frames.push(Frame { state: q, successors: successors(q), next: 0 });
                }
                budget.check()?;
                let Some(frame) = frames.last_mut() else { break };
                let q = frame.state;
                if let Some(&t) = frame.successors.get(frame.next) {
                    frame.next += 1;
                    if index[t.index()] == NEW {
                        entered = Some(t);
                    } else if result.of_state[t].is_none() {
                        low[q.index()] = low[q.index()].min(index[t.index()]);
                    }
                    continue;
                }
                let self_loop = frame.successors.contains(&q);
                frames.pop();
                if let Some(parent) = frames.last() {
                    let p = parent.state.index();
                    low[p] = low[p].min(low[q.index()]);
                }
                if low[q.index()] == index[q.index()] {
                    let component = result.has_cycle.len();
                    let mut size = 0;
                    while let Some(member) = stack.pop() {
                        result.of_state[member] = Some(component);
                        size += 1;
                        if member == q {
                            break;
                        }
                    }
                    result.has_cycle.push(size > 1 || self_loop);
                }
            }
        }
        Ok(result)
    }
}

/// The automaton whose only infinite word is stem·cycle^ω; `None` if the cycle is empty or a return in
/// either part is not matched within it.
pub fn lasso_word_automaton<L: Letter>(stem: &[Symbol<L>], cycle: &[Symbol<L>]) -> Option<Nwa<L>> {
    if cycle.is_empty() {
        return None;
    }
    let mut automaton = Nwa::new();
    let states: Vec<StateId> = (0..stem.len() + cycle.len()).map(|_| automaton.add_state(true)).collect();
    automaton.add_initial(states[0]);
    for (part, offset) in [(stem, 0), (cycle, stem.len())] {
        let partner = matching(part)?;
        for (i, symbol) in part.iter().enumerate() {
            let from = states[offset + i];
            let to = states.get(offset + i + 1).copied().unwrap_or(states[stem.len()]);
            match *symbol {
                Symbol::Internal(a) => automaton.add_internal(from, a, to),
                Symbol::Call(a) => automaton.add_call(from, a, to),
                Symbol::Return(a) => automaton.add_return(from, states[offset + partner[i]?], a, to),
            };
        }
    }
    Some(automaton)
}

/// Does `automaton` accept stem·cycle^ω? Parts that are no such word (see
/// [`lasso_word_automaton`]) are not accepted.
pub fn accepts_lasso<L: Letter, B: LazyNwa<L>>(
    automaton: &mut B,
    stem: &[Symbol<L>],
    cycle: &[Symbol<L>],
    budget: &Budget,
) -> Result<bool, B::Error> {
    let Some(word) = lasso_word_automaton(stem, cycle) else { return Ok(false) };
    let product = buchi_intersection(&word, automaton, budget)?;
    Ok(accepted_lasso(&product.automaton, budget)?.is_some())
}
