//! The complement of any Büchi automaton over words without calls, by ranks.
//!
//! A word is rejected iff the graph of all runs over it has an odd ranking: ranks never grow along an edge,
//! accepting states have even ranks, and every run ends in an odd rank (Kupferman and Vardi, 2001). The complement
//! follows the set of reachable states, at some point guesses a *tight* ranking (the largest rank is odd and
//! every odd rank below occurs), and from then on checks that no run stays in an even rank for ever.
//!
//! This is Schewe's variant ("Büchi complementation made tight", 2009): the largest rank stays the same after the
//! guess, even ranks are checked one after the other (`index` is the one in question, `open` the runs
//! that are still in it), and besides the largest possible ranking only one other successor is
//! followed: that in which all open runs drop to the odd rank below.

use super::ComplementError;
use crate::lazy::LazyNwa;
use crate::nwa::{Letter, StateId};
use base::IdVec;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::collections::BTreeMap;
use std::rc::Rc;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Macro {
    /// Before the guess: the states that runs may be in.
    Subset(Vec<StateId>),
    /// After it: their ranks, the even rank in question and the states still in it.
    Ranked { ranks: Vec<(StateId, u32)>, index: u32, open: Vec<StateId> },
}

/// At most this many rankings are guessed for one set.
const MAX_RANKINGS: usize = 1 << 16;

pub struct RankBased<B> {
    inner: B,
    macros: IdVec<StateId, Rc<Macro>>,
    ids: HashMap<Rc<Macro>, StateId, FxBuildHasher>,
}

impl<B> RankBased<B> {
    pub fn new(inner: B) -> Self {
        RankBased { inner, macros: IdVec::new(), ids: HashMap::default() }
    }
    fn id(&mut self, state: Macro) -> StateId {
        if let Some(id) = self.ids.get(&state) {
            return *id;
        }
        let state = Rc::new(state);
        let id = self.macros.push(state.clone());
        self.ids.insert(state, id);
        id
    }
    /// The subset `states`, and every tight ranking of it.
    fn guess<L: Letter>(
        &mut self,
        states: Vec<StateId>,
        out: &mut Vec<StateId>,
    ) -> Result<(), ComplementError<B::Error>>
    where
        B: LazyNwa<L>,
    {
        let accepting: Vec<bool> = states.iter().map(|q| self.inner.is_accepting(*q)).collect();
        let n_plain = accepting.iter().filter(|a| !**a).count() as u32;
        let mut listed = 0;
        // An odometer over all rankings up to the largest odd rank, accepting states even.
        for largest in (1..=n_plain).map(|k| 2 * k - 1) {
            let mut ranks = vec![0u32; states.len()];
            'rankings: loop {
                listed += 1;
                if listed > MAX_RANKINGS {
                    return Err(ComplementError::TooManySuccessors);
                }
                if is_tight(ranks.iter().copied(), largest) {
                    let ranks = states.iter().copied().zip(ranks.iter().copied()).collect();
                    out.push(self.id(Macro::Ranked { ranks, index: 0, open: Vec::new() }));
                }
                for (rank, accepting) in ranks.iter_mut().zip(&accepting) {
                    *rank += if *accepting { 2 } else { 1 };
                    if *rank <= largest {
                        continue 'rankings;
                    }
                    *rank = 0;
                }
                break;
            }
        }
        out.push(self.id(Macro::Subset(states)));
        Ok(())
    }
}

/// Is `largest` (odd) the largest rank, and does every odd rank below occur?
fn is_tight(ranks: impl Iterator<Item = u32> + Clone, largest: u32) -> bool {
    ranks.clone().max() == Some(largest) && (1..=largest).step_by(2).all(|odd| ranks.clone().any(|r| r == odd))
}

impl<L: Letter, B: LazyNwa<L>> LazyNwa<L> for RankBased<B> {
    type Error = ComplementError<B::Error>;

    fn initial(&mut self, out: &mut Vec<StateId>) -> Result<(), Self::Error> {
        let mut states = Vec::new();
        self.inner.initial(&mut states).map_err(ComplementError::Operand)?;
        states.sort_unstable();
        states.dedup();
        self.guess(states, out)
    }
    fn is_accepting(&self, state: StateId) -> bool {
        match &*self.macros[state] {
            Macro::Subset(states) => states.is_empty(),
            Macro::Ranked { open, .. } => open.is_empty(),
        }
    }
    fn is_dead(&self, state: StateId) -> bool {
        match &*self.macros[state] {
            Macro::Subset(states) => states.iter().any(|q| self.inner.is_universal(*q)),
            Macro::Ranked { ranks, .. } => ranks.iter().any(|(q, _)| self.inner.is_universal(*q)),
        }
    }
    fn is_universal(&self, state: StateId) -> bool {
        matches!(&*self.macros[state], Macro::Subset(states) if states.is_empty())
    }
    fn internal(&mut self, state: StateId, letter: L, out: &mut Vec<StateId>) -> Result<(), Self::Error> {
        let mut answers = Vec::new();
        match &*self.macros[state].clone() {
            Macro::Subset(states) => {
                for &q in states {
                    self.inner.internal(q, letter, &mut answers).map_err(ComplementError::Operand)?;
                }
                answers.retain(|q| !self.inner.is_dead(*q));
                answers.sort_unstable();
                answers.dedup();
                self.guess(answers, out)
            }
            Macro::Ranked { ranks, index, open } => {
                let largest = ranks.iter().map(|(_, r)| *r).max().unwrap_or(0);
                let mut next: BTreeMap<StateId, u32> = BTreeMap::new();
                let mut still_open = Vec::new();
                for &(q, rank) in ranks {
                    self.inner.internal(q, letter, &mut answers).map_err(ComplementError::Operand)?;
                    for t in answers.drain(..).filter(|t| !self.inner.is_dead(*t)) {
                        // The largest even rank up to an odd one is one less.
                        let rank = if self.inner.is_accepting(t) { rank & !1 } else { rank };
                        next.entry(t).and_modify(|r| *r = (*r).min(rank)).or_insert(rank);
                        if open.binary_search(&q).is_ok() {
                            still_open.push(t);
                        }
                    }
                }
                if !is_tight(next.values().copied(), largest) {
                    return Ok(());
                }
                let index = if open.is_empty() { (index + 2) % (largest + 1) } else { *index };
                if open.is_empty() {
                    still_open = next.keys().copied().collect();
                }
                still_open.retain(|q| next[q] == index);
                still_open.sort_unstable();
                still_open.dedup();
                if index > 0 {
                    let mut lowered = next.clone();
                    let (accepting, plain): (Vec<StateId>, Vec<StateId>) =
                        still_open.iter().partition(|q| self.inner.is_accepting(**q));
                    for q in plain {
                        lowered.insert(q, index - 1);
                    }
                    if is_tight(lowered.values().copied(), largest) {
                        let ranks = lowered.into_iter().collect();
                        out.push(self.id(Macro::Ranked { ranks, index, open: accepting }));
                    }
                }
                let ranks = next.into_iter().collect();
                out.push(self.id(Macro::Ranked { ranks, index, open: still_open }));
                Ok(())
            }
        }
    }
    fn call(&mut self, _: StateId, _: L, _: &mut Vec<StateId>) -> Result<(), Self::Error> {
        Err(ComplementError::NestedWord)
    }
    fn ret(&mut self, _: StateId, _: StateId, _: L, _: &mut Vec<StateId>) -> Result<(), Self::Error> {
        Err(ComplementError::NestedWord)
    }
}
