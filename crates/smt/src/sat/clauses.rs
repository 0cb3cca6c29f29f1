//! The clause database: one flat array of words.
//!
//! A clause is a header of four words and its literals. Deleted clauses stay until the owner collects the
//! garbage, which moves clauses and hands out the new places.

use super::types::Lit;
use crate::proof::ClauseId;

/// The place of a clause in the database.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClauseRef(pub u32);

const HEADER: usize = 4;
const LEARNT: u32 = 1;
const DELETED: u32 = 2;
/// Only a reason, not watched: dies with the assignment it explains.
const EPHEMERAL: u32 = 4;
const LBD_SHIFT: u32 = 8;

#[derive(Default)]
pub struct ClauseDb {
    words: Vec<u32>,
    wasted: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClauseKind {
    /// Needed for the formula's meaning, or for the completeness of a theory.
    Original,
    /// Redundant; may be forgotten.
    Learnt,
    Ephemeral,
}

impl ClauseDb {
    pub fn add(&mut self, lits: &[Lit], kind: ClauseKind, lbd: u32, scope: u32, proof: ClauseId) -> ClauseRef {
        let at = ClauseRef(self.words.len() as u32);
        let flags = match kind {
            ClauseKind::Original => 0,
            ClauseKind::Learnt => LEARNT,
            ClauseKind::Ephemeral => EPHEMERAL,
        };
        self.words.extend([lits.len() as u32, flags | lbd << LBD_SHIFT, scope, proof.0]);
        self.words.extend(lits.iter().map(|l| l.0));
        at
    }
    #[inline]
    pub fn len(&self, c: ClauseRef) -> usize {
        self.words[c.0 as usize] as usize
    }
    #[inline]
    pub fn lit(&self, c: ClauseRef, i: usize) -> Lit {
        Lit(self.words[c.0 as usize + HEADER + i])
    }
    pub fn lits(&self, c: ClauseRef) -> impl ExactSizeIterator<Item = Lit> + '_ {
        let start = c.0 as usize + HEADER;
        self.words[start..start + self.len(c)].iter().map(|&w| Lit(w))
    }
    #[inline]
    pub fn swap(&mut self, c: ClauseRef, i: usize, j: usize) {
        let start = c.0 as usize + HEADER;
        self.words.swap(start + i, start + j);
    }
    pub fn is_learnt(&self, c: ClauseRef) -> bool {
        self.words[c.0 as usize + 1] & LEARNT != 0
    }
    pub fn is_ephemeral(&self, c: ClauseRef) -> bool {
        self.words[c.0 as usize + 1] & EPHEMERAL != 0
    }
    #[inline]
    pub fn is_deleted(&self, c: ClauseRef) -> bool {
        self.words[c.0 as usize + 1] & DELETED != 0
    }
    pub fn lbd(&self, c: ClauseRef) -> u32 {
        self.words[c.0 as usize + 1] >> LBD_SHIFT
    }
    pub fn set_lbd(&mut self, c: ClauseRef, lbd: u32) {
        let w = &mut self.words[c.0 as usize + 1];
        *w = *w & ((1 << LBD_SHIFT) - 1) | lbd << LBD_SHIFT;
    }
    pub fn scope(&self, c: ClauseRef) -> u32 {
        self.words[c.0 as usize + 2]
    }
    pub fn proof(&self, c: ClauseRef) -> ClauseId {
        ClauseId(self.words[c.0 as usize + 3])
    }
    pub fn set_proof(&mut self, c: ClauseRef, id: ClauseId) {
        self.words[c.0 as usize + 3] = id.0;
    }
    pub fn delete(&mut self, c: ClauseRef) {
        if !self.is_deleted(c) {
            self.words[c.0 as usize + 1] |= DELETED;
            self.wasted += HEADER + self.len(c);
        }
    }
    /// Is it worth collecting the garbage?
    pub fn should_collect(&self) -> bool {
        self.wasted * 3 > self.words.len() && self.wasted > 4096
    }
    /// All clauses that are not deleted, in order.
    pub fn refs(&self) -> Vec<ClauseRef> {
        let mut out = Vec::new();
        let mut at = 0;
        while at < self.words.len() {
            let c = ClauseRef(at as u32);
            if !self.is_deleted(c) {
                out.push(c);
            }
            at += HEADER + self.len(c);
        }
        out
    }
    /// Moves the living clauses together; calls `moved(old, new)` for each.
    pub fn collect(&mut self, mut moved: impl FnMut(ClauseRef, ClauseRef)) {
        let old = std::mem::take(&mut self.words);
        let mut at = 0;
        while at < old.len() {
            let total = HEADER + old[at] as usize;
            if old[at + 1] & DELETED == 0 {
                moved(ClauseRef(at as u32), ClauseRef(self.words.len() as u32));
                self.words.extend_from_slice(&old[at..at + total]);
            }
            at += total;
        }
        self.wasted = 0;
    }
}
