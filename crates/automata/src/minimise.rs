//! Minimisation by partition refinement.
//!
//! States are merged that cannot be told apart: same class (given by the caller, typically the program
//! location), same acceptance, and for every letter edges into the same blocks. This is the coarsest
//! bisimulation, so the language is preserved, of finite and of infinite words alike; for a
//! deterministic finite automaton without calls it is the minimal automaton within the classes.
//!
//! *Refinement.* A block is split by the signatures of its states: the set of (kind, letter, target
//! block). Only states with an edge into a block that was split off are looked at again, and the largest part
//! of a split block keeps its name (Hopcroft's "smaller half"), which gives O(m log n) signature entries.
//!
//! *Nested words.* A return edge belongs to its linear and to its hierarchical predecessor: both
//! carry it in their signature. That alone is not enough to merge, since a merged pair of states may be
//! reached with a merged hierarchical predecessor for which one of them had no such edge. After each
//! refinement the reachable double deckers of every pair of blocks are therefore compared; where
//! they disagree a block is split further and refinement goes on. Return edges that no reachable double
//! decker can take are dropped.

use crate::explore::{BOTTOM, DoubleDeckers};
use crate::nwa::{Letter, Nwa, StateId};
use base::{Budget, IdVec, Stop};
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;
use std::collections::{BTreeMap, VecDeque};

/// A quotient automaton. `renaming[old]` is the state that `old` was merged into.
#[derive(Clone, Debug)]
pub struct Minimised<L> {
    pub automaton: Nwa<L>,
    pub renaming: IdVec<StateId, StateId>,
}

type Block = u32;
/// (kind, letter, block, target block); the first block is 0 unless a return is meant.
type Signature = Vec<(u8, u32, Block, Block)>;

struct Refinement<'a, L> {
    automaton: &'a Nwa<L>,
    letters: HashMap<L, u32, FxBuildHasher>,
    block_of: IdVec<StateId, Block>,
    blocks: Vec<Vec<StateId>>,
    /// For each state, the return edges of which it is the hierarchical predecessor.
    as_hier: IdVec<StateId, Vec<(StateId, u32, StateId)>>,
    /// The states whose signature mentions a state's block.
    dependents: IdVec<StateId, Vec<StateId>>,
    /// Where a state stands in its block.
    position: IdVec<StateId, usize>,
    /// States whose signature may have changed, by block, and the blocks that have some.
    dirty: Vec<Vec<StateId>>,
    is_dirty: IdVec<StateId, bool>,
    worklist: VecDeque<Block>,
}

impl<'a, L: Letter> Refinement<'a, L> {
    fn new(automaton: &'a Nwa<L>, class: impl Fn(StateId) -> u64) -> Self {
        let n = automaton.n_states();
        let alphabet = automaton.alphabet();
        let mut letters = HashMap::default();
        for a in alphabet.internal.into_iter().chain(alphabet.call).chain(alphabet.ret) {
            let next = letters.len() as u32;
            letters.entry(a).or_insert(next);
        }
        let mut dependents: IdVec<StateId, Vec<StateId>> = IdVec::from_elem(Vec::new(), n);
        let mut as_hier: IdVec<StateId, Vec<(StateId, u32, StateId)>> = IdVec::from_elem(Vec::new(), n);
        for q in automaton.states() {
            for &(_, t) in automaton.internal(q).iter().chain(automaton.calls(q)) {
                dependents[t].push(q);
            }
            for &(h, a, t) in automaton.returns(q) {
                as_hier[h].push((q, letters[&a], t));
                dependents[t].extend([q, h]);
                dependents[h].push(q);
                dependents[q].push(h);
            }
        }
        let mut by_class: BTreeMap<(u64, bool), Vec<StateId>> = BTreeMap::new();
        for q in automaton.states() {
            by_class.entry((class(q), automaton.is_accepting(q))).or_default().push(q);
        }
        let blocks: Vec<Vec<StateId>> = by_class.into_values().collect();
        let mut block_of = IdVec::from_elem(0, n);
        let mut position = IdVec::from_elem(0, n);
        for (b, block) in blocks.iter().enumerate() {
            for (i, &q) in block.iter().enumerate() {
                block_of[q] = b as Block;
                position[q] = i;
            }
        }
        Refinement {
            automaton,
            letters,
            block_of,
            position,
            as_hier,
            dependents,
            dirty: blocks.clone(),
            is_dirty: IdVec::from_elem(true, n),
            worklist: (0..blocks.len() as Block).collect(),
            blocks,
        }
    }

    fn signature(&self, q: StateId) -> Signature {
        let mut signature = Signature::new();
        for &(a, t) in self.automaton.internal(q) {
            signature.push((0, self.letters[&a], 0, self.block_of[t]));
        }
        for &(a, t) in self.automaton.calls(q) {
            signature.push((1, self.letters[&a], 0, self.block_of[t]));
        }
        for &(h, a, t) in self.automaton.returns(q) {
            signature.push((2, self.letters[&a], self.block_of[h], self.block_of[t]));
        }
        for &(p, a, t) in &self.as_hier[q] {
            signature.push((3, a, self.block_of[p], self.block_of[t]));
        }
        signature.sort_unstable();
        signature.dedup();
        signature
    }

    fn mark_dirty(&mut self, q: StateId) {
        if !std::mem::replace(&mut self.is_dirty[q], true) {
            let block = self.block_of[q];
            if self.dirty[block as usize].is_empty() {
                self.worklist.push_back(block);
            }
            self.dirty[block as usize].push(q);
        }
    }

    /// Takes the states of `part` out of their block and makes them a block of their own.
    fn split_off(&mut self, part: Vec<StateId>) {
        let name = self.blocks.len() as Block;
        for (i, &q) in part.iter().enumerate() {
            let old = &mut self.blocks[self.block_of[q] as usize];
            let hole = self.position[q];
            old.swap_remove(hole);
            if let Some(&moved) = old.get(hole) {
                self.position[moved] = hole;
            }
            self.block_of[q] = name;
            self.position[q] = i;
        }
        self.blocks.push(part.clone());
        // The old block may still list these; `refine` ignores what has moved away.
        let still_dirty: Vec<StateId> = part.iter().copied().filter(|q| self.is_dirty[*q]).collect();
        if !still_dirty.is_empty() {
            self.worklist.push_back(name);
        }
        self.dirty.push(still_dirty);
        for q in part {
            for i in 0..self.dependents[q].len() {
                self.mark_dirty(self.dependents[q][i]);
            }
        }
    }

    /// Splits off all `parts` (disjoint, together the whole block) but a largest one.
    fn split(&mut self, mut parts: Vec<Vec<StateId>>) {
        if let Some(largest) = (0..parts.len()).rev().max_by_key(|i| parts[*i].len()) {
            parts.swap_remove(largest);
        }
        for part in parts {
            self.split_off(part);
        }
    }

    /// Splits until all states of a block have the same signature.
    fn refine(&mut self, budget: &Budget) -> Result<(), Stop> {
        while let Some(block) = self.worklist.pop_front() {
            budget.check()?;
            let members = &self.blocks[block as usize];
            let mut touched = std::mem::take(&mut self.dirty[block as usize]);
            touched.retain(|q| self.block_of[*q] == block);
            let n_clean = members.len() - touched.len();
            // The clean states have one signature, and it did not change: any of them shows it.
            let representative = members.iter().copied().find(|q| !self.is_dirty[*q]);
            let unchanged = representative.map(|q| self.signature(q));
            let mut parts: BTreeMap<Signature, Vec<StateId>> = BTreeMap::new();
            for &q in &touched {
                self.is_dirty[q] = false;
                parts.entry(self.signature(q)).or_default().push(q);
            }
            let Some(unchanged) = unchanged else {
                self.split(parts.into_values().collect());
                continue;
            };
            let rejoining = parts.remove(&unchanged).unwrap_or_default();
            let n_staying = n_clean + rejoining.len();
            if parts.values().all(|part| part.len() <= n_staying) {
                for part in parts.into_values() {
                    self.split_off(part);
                }
            } else {
                let moving: HashSet<StateId, FxBuildHasher> = parts.values().flatten().copied().collect();
                let staying = self.blocks[block as usize].iter().copied().filter(|q| !moving.contains(q)).collect();
                let mut all: Vec<Vec<StateId>> = parts.into_values().collect();
                all.push(staying);
                self.split(all);
            }
        }
        Ok(())
    }

    /// The letters and target blocks of the returns of a double decker.
    fn return_behaviour(&self, up: StateId, hier: StateId) -> Vec<(u32, Block)> {
        let edges = self.automaton.returns_with(up, hier);
        let mut behaviour: Vec<_> = edges.iter().map(|(_, a, t)| (self.letters[a], self.block_of[*t])).collect();
        behaviour.sort_unstable();
        behaviour.dedup();
        behaviour
    }

    /// Splits blocks whose reachable double deckers return differently; says whether it did.
    fn split_inconsistent_returns(&mut self, deckers: &DoubleDeckers, budget: &Budget) -> Result<bool, Stop> {
        type Behaviour = Vec<(u32, Block)>;
        let mut of_blocks: BTreeMap<(Block, Block), Vec<(StateId, StateId)>> = BTreeMap::new();
        for (up, down) in deckers.pairs().filter(|(_, down)| *down != BOTTOM) {
            of_blocks.entry((self.block_of[up], self.block_of[down])).or_default().push((up, down));
        }
        let mut split_now = vec![false; self.blocks.len()];
        let mut changed = false;
        for ((up_block, hier_block), pairs) in of_blocks {
            budget.check()?;
            let first = self.return_behaviour(pairs[0].0, pairs[0].1);
            if pairs.iter().all(|(u, h)| self.return_behaviour(*u, *h) == first) {
                continue;
            }
            changed = true;
            // A block that was split in this pass makes the comparison stale; the next pass sees it.
            if split_now[up_block as usize] || split_now[hier_block as usize] {
                continue;
            }
            // Tell apart the hierarchical predecessors; if they all agree, it is the linear ones that differ.
            for (block, by_hier) in [(hier_block, true), (up_block, false)] {
                let members = &self.blocks[block as usize];
                let mut rows: BTreeMap<StateId, Vec<(StateId, Behaviour)>> =
                    members.iter().map(|q| (*q, Vec::new())).collect();
                for &(u, h) in &pairs {
                    let (row, column) = if by_hier { (h, u) } else { (u, h) };
                    let behaviour = self.return_behaviour(u, h);
                    rows.entry(row).or_default().push((column, behaviour));
                }
                let mut parts: BTreeMap<Vec<(StateId, Behaviour)>, Vec<StateId>> = BTreeMap::new();
                for (q, mut row) in rows {
                    row.sort_unstable();
                    parts.entry(row).or_default().push(q);
                }
                if parts.len() > 1 {
                    split_now[block as usize] = true;
                    self.split(parts.into_values().collect());
                    break;
                }
            }
        }
        Ok(changed)
    }
}

/// The quotient of `automaton` by the coarsest bisimulation that respects acceptance and `class`.
pub fn minimise<L: Letter>(
    automaton: &Nwa<L>,
    class: impl Fn(StateId) -> u64,
    budget: &Budget,
) -> Result<Minimised<L>, Stop> {
    if !automaton.has_returns() {
        let mut refinement = Refinement::new(automaton, class);
        refinement.refine(budget)?;
        return Ok(quotient(&refinement));
    }
    let deckers = DoubleDeckers::of(automaton, budget)?;
    let possible = without_impossible_returns(automaton, &deckers);
    let mut refinement = Refinement::new(&possible, class);
    refinement.refine(budget)?;
    while refinement.split_inconsistent_returns(&deckers, budget)? {
        refinement.refine(budget)?;
    }
    Ok(quotient(&refinement))
}

fn without_impossible_returns<L: Letter>(automaton: &Nwa<L>, deckers: &DoubleDeckers) -> Nwa<L> {
    let mut result = automaton.clone();
    result.retain_returns(|up, hier| deckers.downs(up).contains(&hier));
    result
}

fn quotient<L: Letter>(refinement: &Refinement<'_, L>) -> Minimised<L> {
    let automaton = refinement.automaton;
    // New names in the order of the first old member, so that the result does not depend on the
    // order of splitting.
    let mut quotient = Nwa::new();
    let mut name: Vec<Option<StateId>> = vec![None; refinement.blocks.len()];
    let mut renaming = IdVec::new();
    for q in automaton.states() {
        let block = refinement.block_of[q] as usize;
        let new = *name[block].get_or_insert_with(|| quotient.add_state(automaton.is_accepting(q)));
        renaming.push(new);
    }
    for &q in automaton.initial() {
        quotient.add_initial(renaming[q]);
    }
    for q in automaton.states() {
        for &(a, t) in automaton.internal(q) {
            quotient.add_internal(renaming[q], a, renaming[t]);
        }
        for &(a, t) in automaton.calls(q) {
            quotient.add_call(renaming[q], a, renaming[t]);
        }
        for &(h, a, t) in automaton.returns(q) {
            quotient.add_return(renaming[q], renaming[h], a, renaming[t]);
        }
    }
    Minimised { automaton: quotient, renaming }
}
