//! Shortest ways through calls.
//!
//! A *summary* h → t says that some call from h can return to t. For every reachable pair this module
//! finds the shortest nested word that does it. The items are pairs (up, hier): "from hier, through a
//! call and a balanced word, to up". Every rule makes an item longer than its premises, so Knuth's
//! generalisation of Dijkstra's algorithm finalises items in order of length. Doing it by length, instead of
//! stopping a worklist search at the first hit, is also what keeps the runs honest: a run is put
//! together only from items that are final.
//!
//! For infinite words it matters whether an accepting state lies strictly inside a summary; items
//! then carry that bit, and the shortest word is found for each value of it.
//!
//! A shortest nested word can be exponentially longer than the automaton is big. Words beyond
//! [`LONGEST_RUN`] are given up as out of memory.

use crate::nwa::{Letter, NestedRun, Nwa, StateId, Symbol};
use base::{Budget, Id, IdVec, Stop};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The longest run that is written down.
pub const LONGEST_RUN: u64 = 20_000_000;

type Item = usize;
/// (up, hier, an accepting state was seen)
type Key = (StateId, StateId, bool);

#[derive(Clone, Copy)]
enum Origin<L> {
    Call { letter: L },
    Internal { before: Item, letter: L },
    Summary { before: Item, inside: Item, letter: L },
}

/// A call that returns: `length` symbols lead from the state it belongs to to `target`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Summary<L> {
    pub target: StateId,
    pub length: u64,
    /// An accepting state lies strictly inside.
    pub accepting: bool,
    inside: Item,
    letter: L,
}

pub(crate) struct Summaries<L> {
    keys: Vec<Key>,
    origins: Vec<Origin<L>>,
    of_state: IdVec<StateId, Vec<Summary<L>>>,
}

impl<L: Letter> Summaries<L> {
    /// All summaries of `automaton`; with `watch_acceptance`, separately for those that pass an
    /// accepting state.
    pub(crate) fn of(automaton: &Nwa<L>, watch_acceptance: bool, budget: &Budget) -> Result<Summaries<L>, Stop> {
        let n = automaton.n_states();
        let mut result = Summaries { keys: Vec::new(), origins: Vec::new(), of_state: IdVec::from_elem(Vec::new(), n) };
        if !automaton.has_returns() {
            return Ok(result);
        }
        let mut lengths: Vec<u64> = Vec::new();
        let mut done: Vec<bool> = Vec::new();
        let mut ids: HashMap<Key, Item, FxBuildHasher> = HashMap::default();
        // The final items of each up-state, to which summaries found later are applied.
        let mut final_items: IdVec<StateId, Vec<Item>> = IdVec::from_elem(Vec::new(), n);
        let mut queue: BinaryHeap<Reverse<(u64, Item)>> = BinaryHeap::new();
        let seen = |q: StateId| watch_acceptance && automaton.is_accepting(q);

        for hier in automaton.states() {
            for &(letter, up) in automaton.calls(hier) {
                let key = (up, hier, seen(up));
                if !ids.contains_key(&key) {
                    ids.insert(key, result.keys.len());
                    queue.push(Reverse((1, result.keys.len())));
                    result.keys.push(key);
                    result.origins.push(Origin::Call { letter });
                    lengths.push(1);
                    done.push(false);
                }
            }
        }
        let mut found: Vec<(Key, u64, Origin<L>)> = Vec::new();
        while let Some(Reverse((length, item))) = queue.pop() {
            budget.check()?;
            if std::mem::replace(&mut done[item], true) {
                continue;
            }
            let (up, hier, flag) = result.keys[item];
            final_items[up].push(item);
            for &(letter, t) in automaton.internal(up) {
                found.push((
                    (t, hier, flag | seen(t)),
                    length.saturating_add(1),
                    Origin::Internal { before: item, letter },
                ));
            }
            for s in &result.of_state[up] {
                found.push((
                    (s.target, hier, flag | s.accepting | seen(s.target)),
                    length.saturating_add(s.length),
                    Origin::Summary { before: item, inside: s.inside, letter: s.letter },
                ));
            }
            for &(_, letter, target) in automaton.returns_with(up, hier) {
                if result.of_state[hier].iter().any(|s| s.target == target && s.accepting == flag) {
                    continue;
                }
                let summary =
                    Summary { target, length: length.saturating_add(1), accepting: flag, inside: item, letter };
                result.of_state[hier].push(summary);
                for &before in &final_items[hier] {
                    let (_, deeper, flag_before) = result.keys[before];
                    found.push((
                        (target, deeper, flag_before | flag | seen(target)),
                        lengths[before].saturating_add(summary.length),
                        Origin::Summary { before, inside: item, letter },
                    ));
                }
            }
            for (key, length, origin) in found.drain(..) {
                match ids.get(&key) {
                    Some(&known) if lengths[known] <= length => {}
                    Some(&known) => {
                        lengths[known] = length;
                        result.origins[known] = origin;
                        queue.push(Reverse((length, known)));
                    }
                    None => {
                        ids.insert(key, result.keys.len());
                        queue.push(Reverse((length, result.keys.len())));
                        result.keys.push(key);
                        result.origins.push(origin);
                        lengths.push(length);
                        done.push(false);
                    }
                }
            }
        }
        Ok(result)
    }

    pub(crate) fn of_state(&self, state: StateId) -> &[Summary<L>] {
        &self.of_state[state]
    }

    /// Appends the word of a summary to a run that ends in the state the summary belongs to.
    fn append(&self, summary: &Summary<L>, run: &mut NestedRun<L>) {
        enum Task<L> {
            Expand(Item),
            Emit(Symbol<L>, StateId),
        }
        let mut tasks = vec![Task::Emit(Symbol::Return(summary.letter), summary.target), Task::Expand(summary.inside)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Emit(symbol, state) => run.push(symbol, state),
                Task::Expand(item) => {
                    let up = self.keys[item].0;
                    match self.origins[item] {
                        Origin::Call { letter } => run.push(Symbol::Call(letter), up),
                        Origin::Internal { before, letter } => {
                            tasks.push(Task::Emit(Symbol::Internal(letter), up));
                            tasks.push(Task::Expand(before));
                        }
                        Origin::Summary { before, inside, letter } => {
                            tasks.push(Task::Emit(Symbol::Return(letter), up));
                            tasks.push(Task::Expand(inside));
                            tasks.push(Task::Expand(before));
                        }
                    }
                }
            }
        }
    }
}

/// One step of the graph in which summaries are edges.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step<L> {
    Internal(L),
    Call(L),
    Over(Summary<L>),
}

/// The edges of a state when calls may be entered for good or stepped over.
pub(crate) fn steps<'a, L: Letter>(
    automaton: &'a Nwa<L>,
    summaries: &'a Summaries<L>,
    state: StateId,
) -> impl Iterator<Item = (Step<L>, StateId)> + 'a {
    let internal = automaton.internal(state).iter().map(|&(a, t)| (Step::Internal(a), t));
    let calls = automaton.calls(state).iter().map(|&(a, t)| (Step::Call(a), t));
    let over = summaries.of_state(state).iter().map(|s| (Step::Over(*s), s.target));
    internal.chain(calls).chain(over)
}

impl<L> Step<L> {
    pub(crate) fn length(&self) -> u64 {
        match self {
            Step::Internal(_) | Step::Call(_) => 1,
            Step::Over(s) => s.length,
        }
    }
    pub(crate) fn passes_accepting(&self) -> bool {
        match self {
            Step::Internal(_) | Step::Call(_) => false,
            Step::Over(s) => s.accepting,
        }
    }
}

/// Shortest distances in the graph of [`steps`].
pub(crate) struct ShortestPaths<L> {
    pub distance: IdVec<StateId, u64>,
    parent: IdVec<StateId, Option<(StateId, Step<L>)>>,
}

pub(crate) const UNREACHED: u64 = u64::MAX;

impl<L: Letter> ShortestPaths<L> {
    /// Distances from `sources` through states that satisfy `inside`, until `stop` holds for a
    /// finalised state, which is returned too.
    pub(crate) fn from(
        automaton: &Nwa<L>,
        summaries: &Summaries<L>,
        sources: &[StateId],
        inside: impl Fn(StateId) -> bool,
        stop: impl Fn(StateId) -> bool,
        budget: &Budget,
    ) -> Result<(ShortestPaths<L>, Option<StateId>), Stop> {
        let n = automaton.n_states();
        let mut paths = ShortestPaths { distance: IdVec::from_elem(UNREACHED, n), parent: IdVec::from_elem(None, n) };
        let mut done = vec![false; n];
        let mut queue: BinaryHeap<Reverse<(u64, StateId)>> = BinaryHeap::new();
        for &q in sources {
            paths.distance[q] = 0;
            queue.push(Reverse((0, q)));
        }
        while let Some(Reverse((length, q))) = queue.pop() {
            budget.check()?;
            if std::mem::replace(&mut done[q.index()], true) {
                continue;
            }
            if stop(q) {
                return Ok((paths, Some(q)));
            }
            for (step, t) in steps(automaton, summaries, q) {
                let through = length.saturating_add(step.length());
                if inside(t) && through < paths.distance[t] {
                    paths.distance[t] = through;
                    paths.parent[t] = Some((q, step));
                    queue.push(Reverse((through, t)));
                }
            }
        }
        Ok((paths, None))
    }

    /// The run from a source to `target`, calls expanded.
    pub(crate) fn run_to(&self, target: StateId, summaries: &Summaries<L>) -> Result<NestedRun<L>, Stop> {
        if self.distance[target] > LONGEST_RUN {
            return Err(Stop::OutOfMemory);
        }
        let mut backwards = Vec::new();
        let mut at = target;
        while let Some((from, step)) = self.parent[at] {
            backwards.push((step, at));
            at = from;
        }
        let mut run = NestedRun::start(at);
        for (step, state) in backwards.into_iter().rev() {
            append_step(&mut run, step, state, summaries);
        }
        Ok(run)
    }
}

pub(crate) fn append_step<L: Letter>(run: &mut NestedRun<L>, step: Step<L>, to: StateId, summaries: &Summaries<L>) {
    match step {
        Step::Internal(a) => run.push(Symbol::Internal(a), to),
        Step::Call(a) => run.push(Symbol::Call(a), to),
        Step::Over(s) => summaries.append(&s, run),
    }
}
