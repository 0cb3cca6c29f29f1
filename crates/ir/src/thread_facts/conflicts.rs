//! Which accesses of two threads may conflict: may the threads be there in parallel, are the cells the same, does a
//! common lock exclude it?

use super::facts::{is_private, rename, symbols};
use super::{Cell, Facts, Place, ThreadId, Threads};
use crate::icfg::LocId;
use crate::program::VarId;
use logic::{Substitution, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

impl Threads<'_> {
    /// May two threads be at these locations in parallel? `alive`: the descendants of a thread that may be running when
    /// it is at a location.
    pub fn may_happen_in_parallel<'f>(
        &self,
        a: (ThreadId, LocId),
        b: (ThreadId, LocId),
        alive: &dyn Fn(ThreadId, LocId) -> Option<&'f BTreeSet<ThreadId>>,
    ) -> bool {
        let (mut left, mut right) = (self.ancestors(a.0), self.ancestors(b.0));
        left.reverse();
        right.reverse();
        if left[0] != right[0] {
            return true;
        }
        let common = left.iter().zip(&right).take_while(|(x, y)| x == y).count();
        if left[..common].iter().any(|&t| !self.thread(t).is_unique) {
            return true;
        }
        // All creators of a unique thread are in its chain; others may have several.
        if left[common..].iter().chain(&right[common..]).any(|&t| self.thread(t).creators.len() != 1) {
            return true;
        }
        let has =
            |thread: ThreadId, loc: LocId, other: ThreadId| alive(thread, loc).is_some_and(|s| s.contains(&other));
        let last = left[common - 1];
        match (left.get(common), right.get(common)) {
            (None, None) => false,
            (None, Some(_)) => has(last, a.1, b.0),
            (Some(_), None) => has(last, b.1, a.0),
            (Some(&x), Some(&y)) => {
                let at_fork = |child: ThreadId, other: ThreadId| {
                    self.thread(child).creators.iter().any(|(_, e)| has(last, self.icfg.edges[*e].src, other))
                };
                at_fork(x, b.0) || at_fork(y, a.0)
            }
        }
    }
}

/// A write by a thread, with symbols of its own.
pub struct Written {
    pub thread: ThreadId,
    pub src: LocId,
    pub index: Option<TermId>,
    pub facts: Facts,
    /// It is in a thread-local object.
    pub is_private: bool,
    /// What the symbols of the thread are called here.
    pub names: BTreeMap<TermId, TermId>,
}

impl Written {
    /// A write of a place by a thread that knows these facts.
    pub fn new(pool: &mut TermPool, (thread, src): (ThreadId, LocId), facts: &Facts, place: Place) -> Written {
        let index = match place {
            Place::Whole => None,
            Place::At(index) => Some(index),
        };
        let mut all = symbols(pool, facts);
        all.extend(index.into_iter().flat_map(|i| pool.free_constants(i)));
        let names: BTreeMap<TermId, TermId> =
            all.into_iter().map(|s| (s, pool.fresh_constant("other", pool.sort(s)))).collect();
        let mut renaming = Substitution::from_pairs(names.iter().map(|(a, b)| (*a, *b)));
        Written {
            thread,
            src,
            index: index.map(|i| renaming.apply(pool, i)),
            facts: rename(pool, facts, &mut renaming),
            is_private: is_private(pool, facts, index),
            names,
        }
    }
}

/// Two accesses by different threads: what each knows, with symbols of their own.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    pub facts: &'a Facts,
    pub index: Option<TermId>,
}

/// The formula that the two cells are the same one, and pairs of lock cells, one of each thread: if the cells of a pair
/// are the same, the lock excludes the conflict.
pub fn conflict(
    pool: &mut TermPool,
    locks: &BTreeMap<VarId, Option<VarId>>,
    a: Side<'_>,
    b: Side<'_>,
    apart: &[TermId],
) -> (TermId, Vec<(TermId, TermId)>) {
    let same = match (a.index, b.index) {
        (Some(x), Some(y)) => pool.eq(x, y),
        _ => TermId::TRUE,
    };
    let mut parts = vec![same];
    parts.extend(apart);
    if same != TermId::TRUE && same != TermId::FALSE {
        let mut wanted: BTreeSet<TermId> = parts.iter().flat_map(|&t| pool.free_constants(t)).collect();
        let conditions: Vec<(TermId, Vec<TermId>)> =
            a.facts.conditions.iter().chain(&b.facts.conditions).map(|&c| (c, pool.free_constants(c))).collect();
        let mut taken = vec![false; conditions.len()];
        loop {
            let mut more = false;
            for (i, (c, symbols)) in conditions.iter().enumerate() {
                if !taken[i] && symbols.iter().any(|s| wanted.contains(s)) {
                    taken[i] = true;
                    more = true;
                    parts.push(*c);
                    wanted.extend(symbols);
                }
            }
            if !more {
                break;
            }
        }
    }
    let together = pool.and(&parts);
    let mut pairs = Vec::new();
    let mut pair = |x: Option<TermId>, y: Option<TermId>| match (x, y) {
        (Some(x), Some(y)) => pairs.push((x, y)),
        (None, None) => pairs.push((TermId::TRUE, TermId::TRUE)),
        _ => {}
    };
    let held = |f: &Facts| -> Vec<Cell> {
        f.owned.iter().filter(|(_, c)| **c == TermId::TRUE).map(|(cell, _)| *cell).collect()
    };
    for (x, y) in [(a.facts, b.facts), (b.facts, a.facts)] {
        let is_first = std::ptr::eq(x, a.facts);
        for mine in held(x) {
            if is_first {
                for theirs in held(y).into_iter().filter(|c| c.0 == mine.0) {
                    pair(mine.1, theirs.1);
                }
            }
            let readers = locks.get(&mine.0).copied().flatten();
            for theirs in y.read_locked.iter().filter(|c| Some(c.0) == readers) {
                if is_first { pair(mine.1, theirs.1) } else { pair(theirs.1, mine.1) }
            }
        }
    }
    (together, pairs)
}
