//! Counters that only grow: the one that addresses of new objects come from, and the one that numbers threads.
//! Values taken from such a counter are fresh: no other thread has the same one.

use super::Threads;
use crate::icfg::{EdgeId, Label};
use crate::program::{Stmt, VarId, VarRole};
use logic::{SortId, TermId, TermPool};
use std::collections::BTreeSet;

impl Threads<'_> {
    /// All assignments of a variable, `None` where it becomes anything.
    fn assignments(&self, v: VarId) -> Vec<(EdgeId, Option<TermId>)> {
        let mut all = Vec::new();
        for (id, edge) in self.icfg.edges.iter() {
            match &edge.label {
                Label::Stmt(Stmt::Assign(pairs)) => {
                    all.extend(pairs.iter().filter(|p| p.0 == v).map(|p| (id, Some(p.1))));
                }
                label if self.icfg.writes(label, v) => all.push((id, None)),
                _ => {}
            }
        }
        all
    }

    /// The counter of addresses: assigned constants by the root, and else only together with a local that gets its old
    /// value, and by more.
    pub(super) fn find_allocator(&self, pool: &mut TermPool) -> Option<VarId> {
        for edge in self.icfg.edges.values() {
            let Label::Stmt(Stmt::Assign(pairs)) = &edge.label else { continue };
            // A front end says which counter that is: other numbers that are counted are no addresses of objects.
            let is_counter = |v: VarId| self.icfg.vars[v].role == VarRole::AddressCounter;
            for &(v, _) in pairs.iter().filter(|p| self.is_global(p.0) && is_counter(p.0)) {
                if self.taken_from(pairs, v, pool).is_some() && self.is_only_taken_from(v, pool) {
                    return Some(v);
                }
            }
        }
        None
    }

    /// The local that takes its value from a counter, and by how much the counter grows.
    pub fn taken_from(&self, pairs: &[(VarId, TermId)], counter: VarId, pool: &mut TermPool) -> Option<(VarId, u32)> {
        let old = self.icfg.term(counter);
        let &(local, _) = pairs.iter().find(|p| !self.is_global(p.0) && p.1 == old)?;
        let &(_, new) = pairs.iter().find(|p| p.0 == counter)?;
        if pool.sort(old) != SortId::INT {
            return None;
        }
        let more = pool.sub(new, old);
        let size = match pool.number(more) {
            Some(size) => size.to_i64()?,
            // The front end leaves a gap.
            None => 16,
        };
        (size > 0).then_some((local, u32::try_from(size).ok()?))
    }

    fn is_only_taken_from(&self, counter: VarId, pool: &mut TermPool) -> bool {
        self.assignments(counter).into_iter().all(|(edge, value)| {
            let Label::Stmt(Stmt::Assign(pairs)) = &self.icfg.edges[edge].label else { return false };
            let is_start = value.is_some_and(|v| pool.is_value(v)) && self.is_at_start(edge);
            is_start || self.taken_from(pairs, counter, pool).is_some()
        })
    }

    /// Is the edge taken by the root, at most once, and before any thread is created?
    fn is_at_start(&self, edge: EdgeId) -> bool {
        // From the entry of the root up to here there is only one way.
        let Some(root) = self.icfg.root else { return false };
        let mut loc = self.icfg.procs[root].entry;
        if !self.icfg.in_edges(loc).is_empty() {
            return false;
        }
        for _ in 0..self.icfg.locs.len() {
            let &[only] = self.icfg.out_edges(loc) else { return false };
            if only == edge {
                return true;
            }
            let next = &self.icfg.edges[only];
            if matches!(next.label, Label::Fork { .. } | Label::Call(_)) || self.icfg.in_edges(next.dst).len() != 1 {
                return false;
            }
            loc = next.dst;
        }
        false
    }

    /// Forks whose id is the new value of a counter that was made for it, so that no other thread has it.
    pub(super) fn find_named_forks(&self, pool: &mut TermPool) -> BTreeSet<EdgeId> {
        let mut named = BTreeSet::new();
        let mut the_counter: Option<VarId> = None;
        let forks: Vec<EdgeId> =
            self.icfg.edges.iter().filter(|(_, e)| matches!(e.label, Label::Fork { .. })).map(|(id, _)| id).collect();
        for &fork in &forks {
            let Some(counter) = self.counter_of_fork(fork, pool) else { return BTreeSet::new() };
            if the_counter.is_some_and(|c| c != counter) {
                return BTreeSet::new();
            }
            the_counter = Some(counter);
            named.insert(fork);
        }
        let Some(counter) = the_counter else { return named };
        let one = pool.int(1);
        let old = self.icfg.term(counter);
        let only_counts = self.assignments(counter).into_iter().all(|(edge, value)| {
            value.is_some_and(|v| (pool.is_value(v) && self.is_at_start(edge)) || pool.sub(v, old) == one)
        });
        if only_counts { named } else { BTreeSet::new() }
    }

    /// Going back from a fork on the only way: the assignment `counter := counter + 1, id := counter + 1`.
    fn counter_of_fork(&self, fork: EdgeId, pool: &mut TermPool) -> Option<VarId> {
        let Label::Fork { id, .. } = &self.icfg.edges[fork].label else { return None };
        let &[id] = &id[..] else { return None };
        if pool.sort(id) != SortId::INT {
            return None;
        }
        // Another thread may write a global one before the fork.
        let id = self.index.var(id).filter(|v| !self.is_global(*v))?;
        let mut loc = self.icfg.edges[fork].src;
        for _ in 0..64 {
            let &[edge] = self.icfg.in_edges(loc) else { return None };
            let data = &self.icfg.edges[edge];
            if matches!(data.label, Label::Call(_) | Label::Return(_)) {
                return None;
            }
            if self.icfg.writes(&data.label, id) {
                let Label::Stmt(Stmt::Assign(pairs)) = &data.label else { return None };
                let &(_, value) = pairs.iter().find(|p| p.0 == id)?;
                let &(counter, _) = pairs.iter().find(|p| self.is_global(p.0) && p.1 == value)?;
                let one = pool.int(1);
                let old = self.icfg.term(counter);
                return (pool.sub(value, old) == one).then_some(counter);
            }
            loc = data.src;
        }
        None
    }
}
