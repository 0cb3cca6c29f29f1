//! Locks and reader counts: which variables may be locks, and what a write to one means for its owner.

use super::facts::{are_distinct, is_private};
use super::{Cell, Step, Threads};
use crate::icfg::Label;
use crate::program::{Stmt, VarId};
use logic::{Op, SortId, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

impl Threads<'_> {
    /// Shared variables that a thread may take from zero to something else inside an atomic section, as far as the text
    /// shows: they may be locks. Each with the variable that is counted up in a section that tests it: it may count
    /// readers.
    pub fn lock_candidates(&self, pool: &mut TermPool) -> BTreeMap<VarId, Option<VarId>> {
        let mut candidates: BTreeMap<VarId, Option<VarId>> = BTreeMap::new();
        let mut counted: BTreeSet<(VarId, VarId)> = BTreeSet::new();
        for begin in self.icfg.edges.values().filter(|e| e.label == Label::AtomicBegin) {
            let (mut tested, mut counts) = (BTreeSet::new(), BTreeSet::new());
            let mut seen = BTreeSet::new();
            let mut work = vec![begin.dst];
            while let Some(loc) = work.pop() {
                if !seen.insert(loc) {
                    continue;
                }
                for &e in self.icfg.out_edges(loc) {
                    let edge = &self.icfg.edges[e];
                    match &edge.label {
                        Label::AtomicEnd => continue,
                        Label::Stmt(Stmt::Assume(c)) => {
                            tested.extend(self.index.vars_of(pool, &[*c]).into_iter().filter(|v| self.is_global(*v)));
                        }
                        Label::Stmt(Stmt::Assign(pairs)) => {
                            for &(v, value) in pairs.iter().filter(|p| self.is_global(p.0)) {
                                let (stored, old) = match pool.op(value) {
                                    Op::Store => {
                                        let (array, place) = (pool.arg(value, 0), pool.arg(value, 1));
                                        (pool.arg(value, 2), pool.select(array, place))
                                    }
                                    _ => (value, self.icfg.term(v)),
                                };
                                if pool.op(stored) == Op::Ite || is_nonzero_value(pool, stored) {
                                    candidates.insert(v, None);
                                }
                                let one = pool.int(1);
                                if pool.sort(stored) == SortId::INT && pool.sub(stored, old) == one {
                                    counts.insert(v);
                                }
                            }
                        }
                        _ => {}
                    }
                    work.push(edge.dst);
                }
            }
            counted.extend(tested.iter().flat_map(|&t| counts.iter().map(move |&c| (t, c))));
        }
        for (lock, count) in counted {
            if lock != count && candidates.contains_key(&lock) {
                candidates.insert(lock, Some(count));
                candidates.remove(&count);
            }
        }
        candidates
    }

    /// A cell of a lock is written: it is taken, or released by its owner, or nothing changes for its owner.
    pub(super) fn write_lock(&self, pool: &mut TermPool, cell: Cell, value: TermId, step: &mut Step) {
        let facts = &mut step.after;
        let Some(zero) = zero_like(pool, value) else {
            step.broken.insert(cell.0);
            return;
        };
        let becomes_zero = pool.eq(value, zero);
        let was_zero = facts.cells.get(&cell).copied().map(|old| (old, pool.eq(old, zero)));
        let readers = self.locks[&cell.0];
        if becomes_zero != TermId::FALSE {
            let is_still_owned = was_zero.is_some_and(|(old, was)| {
                let was_not = pool.not(was);
                pool.and2(was_not, becomes_zero) == TermId::FALSE || is_zero_only_if(pool, value, old)
            });
            let may = facts.owned.get(&cell) == Some(&TermId::TRUE)
                || is_still_owned
                || is_private(pool, facts, cell.1)
                || readers.is_some_and(|r| facts.read_locked.contains(&(r, cell.1)))
                || step.is_alone;
            if !may {
                step.broken.insert(cell.0);
            }
            // What this thread owned at places that may be this one.
            let mine: Vec<Cell> = facts.owned.keys().filter(|c| c.0 == cell.0).copied().collect();
            for other in mine {
                if !are_distinct(pool, facts, other.1, cell.1) {
                    facts.owned.remove(&other);
                }
            }
        }
        let Some((_, was_zero)) = was_zero else { return };
        let nonzero = pool.not(becomes_zero);
        let mut condition = pool.and2(was_zero, nonzero);
        if let Some(readers) = readers {
            let count = facts.cells.get(&(readers, cell.1)).copied();
            let none = match count.and_then(|count| Some((count, zero_like(pool, count)?))) {
                Some((count, zero)) => pool.eq(count, zero),
                None => TermId::FALSE,
            };
            condition = pool.and2(condition, none);
        }
        if condition == TermId::FALSE {
            return;
        }
        if condition == TermId::TRUE {
            // It was free, so it is none of those that this thread has.
            let mine: Vec<Cell> = facts.owned.iter().filter(|(_, c)| **c == TermId::TRUE).map(|(c, _)| *c).collect();
            for other in mine.into_iter().filter(|c| c.0 == cell.0 && *c != cell) {
                if let (Some(a), Some(b)) = (other.1, cell.1) {
                    let same = pool.eq(a, b);
                    let different = pool.not(same);
                    if different != TermId::TRUE {
                        facts.conditions.insert(different);
                    }
                }
            }
        }
        facts.owned.insert(cell, condition);
    }

    /// The number of readers of a lock changes.
    pub(super) fn write_readers(&self, pool: &mut TermPool, cell: Cell, value: TermId, step: &mut Step) {
        let facts = &mut step.after;
        let Some(owner) = self.locks.iter().find(|(_, r)| **r == Some(cell.0)).map(|(o, _)| (*o, cell.1)) else {
            return;
        };
        if pool.sort(value) != SortId::INT {
            step.broken.insert(cell.0);
            return;
        }
        let old = facts.cells.get(&cell).copied();
        let (zero, one, minus_one) = (pool.int(0), pool.int(1), pool.int(-1));
        let change = old.map(|old| pool.sub(value, old));
        if change == Some(one) {
            if facts.cells.get(&owner).is_some_and(|&v| is_zero_value(pool, v)) {
                facts.read_locked.insert(cell);
            }
            return;
        }
        let had_share = facts.read_locked.contains(&cell);
        let mine: Vec<Cell> = facts.read_locked.iter().filter(|c| c.0 == cell.0).copied().collect();
        for other in mine {
            if !are_distinct(pool, facts, other.1, cell.1) {
                facts.read_locked.remove(&other);
            }
        }
        // The choices in the value.
        let choices = match pool.op(value) {
            Op::Ite => vec![pool.arg(value, 1), pool.arg(value, 2)],
            _ => vec![value],
        };
        let changes: Vec<Option<TermId>> = choices.iter().map(|&c| old.map(|old| pool.sub(c, old))).collect();
        let at_most_one_less = changes.iter().all(|c| *c == Some(minus_one) || *c == Some(zero));
        // Its owner has no readers beside it; the cell of a lock that is owned is not zero.
        let by_owner = facts.owned.get(&owner) == Some(&TermId::TRUE)
            && match (pool.op(value), facts.cells.get(&owner).copied()) {
                (Op::Ite, Some(state)) => {
                    let free = zero_like(pool, state).map(|zero| pool.eq(state, zero));
                    free == Some(pool.arg(value, 0)) && changes[1] == Some(zero)
                }
                _ => changes[0] == Some(zero) || value == zero,
            };
        let may = changes.iter().all(|c| *c == Some(zero))
            || (had_share && at_most_one_less)
            || by_owner
            || is_private(pool, facts, cell.1)
            || step.is_alone;
        if !may {
            step.broken.insert(cell.0);
        }
    }
}

/// `ite(c, taken, old)` is zero only if it was.
fn is_zero_only_if(pool: &TermPool, value: TermId, old: TermId) -> bool {
    let is_fine = |part: TermId| part == old || is_nonzero_value(pool, part);
    pool.op(value) == Op::Ite && is_fine(pool.arg(value, 1)) && is_fine(pool.arg(value, 2))
}

/// What a lock of this sort is when it is free.
fn zero_like(pool: &mut TermPool, value: TermId) -> Option<TermId> {
    if pool.is_bool(value) {
        return Some(TermId::FALSE);
    }
    if let Some(width) = pool.bitvec_width(pool.sort(value)) {
        return Some(pool.bv_num(0.into(), width));
    }
    (pool.sort(value) == SortId::INT).then(|| pool.int(0))
}

fn is_zero_value(pool: &TermPool, t: TermId) -> bool {
    pool.is_value(t)
        && (pool.number(t).is_some_and(|n| n.is_zero()) || pool.bv_number(t).is_some_and(|(n, _)| n.is_zero()))
}

fn is_nonzero_value(pool: &TermPool, t: TermId) -> bool {
    pool.is_value(t) && !pool.is_bool(t) && !is_zero_value(pool, t)
}
