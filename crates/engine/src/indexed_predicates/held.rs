//! Predicates about holders and ranks of blocks ([`ir::holders`]), for data whose links are changed: blocks are put in
//! between, taken out, and turned round.
//!
//! Of a block: its link is null, leads to a block, whose holder is the link again, and which ranks below; the block is
//! itself held by another that ranks above; it is the one that a pointer points to. Of pointers: they point to blocks
//! that no variable points to, or one points to the successor of the other.

use super::cubes::MAX_PREDICATES;
use super::heap::{Heap, Kind};
use super::vocabulary::{KindOfBlock, Vocabulary};
use crate::houdini::Step;
use ir::holders::{Link, WithHolders};
use ir::{Label, Stmt, VarRole};
use logic::{FastSet, Op, Rational, SortId, TermId, TermPool};
use std::collections::BTreeSet;

/// The most places at which the invariant is instantiated for a step.
const MAX_PLACES: usize = 20;
/// The most local objects that are taken for pointers.
const MAX_CELLS: usize = 3;
/// The most pointers that are compared with each other, depending on a third one.
const MAX_COMPARED: usize = 8;

/// Holders, and what the program has besides blocks.
pub(super) struct Held {
    links: Vec<Link>,
    rank: TermId,
    /// Addresses of local objects, and sizes that objects are given.
    locals: Vec<TermId>,
    sizes: BTreeSet<TermId>,
}

impl Held {
    /// Takes note of the local objects that hold pointers: they are pointers, too.
    pub(super) fn new(pool: &mut TermPool, with: &WithHolders, heap: &mut Heap) -> Held {
        let addresses = with.icfg.vars.values().filter(|v| v.role == VarRole::AddressOfLocal).map(|v| v.term);
        let addresses: FastSet<TermId> = addresses.collect();
        let (mut locals, mut stored_to, mut sizes) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
        for edge in with.icfg.edges.values() {
            let Label::Stmt(Stmt::Assign(pairs)) = &edge.label else { continue };
            for &(_, value) in pairs {
                if pool.op(value) == Op::Store && addresses.contains(&pool.arg(value, 1)) {
                    let (address, stored) = (pool.arg(value, 1), pool.arg(value, 2));
                    if !locals.contains(&address) {
                        locals.push(address);
                    }
                    sizes.extend(pool.number(stored).is_some().then_some(stored));
                    let link = with.links.iter().find(|link| link.array == pool.arg(value, 0));
                    stored_to.extend(link.map(|link| (link.array, link.base, address)));
                }
            }
        }
        let mut cells: Vec<(TermId, Option<TermId>)> = Vec::new();
        for (array, base, address) in stored_to.into_iter().take(MAX_CELLS) {
            let (cell, base) = (pool.select(array, address), pool.select(base, address));
            if heap.pointers.iter().all(|p| p.0 != cell) {
                cells.push((cell, Some(base)));
            }
        }
        let starts: Vec<TermId> = heap.pointers.iter().map(|p| p.0).filter(|&p| heap.is_start(pool, p)).collect();
        heap.pointers.retain(|p| !starts.contains(&p.0));
        heap.pointers.extend(cells);
        Held { links: with.links.clone(), rank: with.rank, locals, sizes }
    }

    /// The vocabulary, given what is said of variables anyway.
    pub(super) fn vocabulary(&self, pool: &mut TermPool, heap: &Heap, mut plain: Vocabulary) -> Vocabulary {
        self.facts(pool, heap, &mut plain.facts);
        for (i, kind) in heap.kinds.iter().enumerate() {
            let predicates = self.predicates(pool, heap, kind);
            let arrays = self.links.iter().map(|l| l.holder).chain(heap.states.map(|s| s.0));
            plain.kinds[i] = KindOfBlock { guard: plain.kinds[i].guard, predicates, arrays: arrays.collect() };
        }
        plain
    }

    /// "A block that is alive points to the block at this address, by the link that is its holder."
    fn is_held(&self, pool: &mut TermPool, heap: &Heap, link: &Link, block: TermId) -> TermId {
        let cell = pool.select(link.holder, block);
        let leads_to = pool.select(link.base, cell);
        let points = pool.eq(leads_to, block);
        let mut from = Vec::new();
        for offset in &link.offsets {
            let start = shifted(pool, cell, offset, -1);
            for kind in with_room_for(heap, offset) {
                from.push(heap.is_block(pool, kind, start));
            }
        }
        let (from, zero) = (pool.or(&from), pool.int(0));
        let is_some = pool.gt(cell, zero);
        pool.and(&[is_some, points, from])
    }

    fn predicates(&self, pool: &mut TermPool, heap: &Heap, kind: &Kind) -> Vec<TermId> {
        let (k, zero) = (heap.k, pool.int(0));
        let mut predicates = Vec::new();
        let own_rank = pool.select(self.rank, k);
        for link in &self.links {
            // Where cells lie inside of blocks, the array is one for all kinds.
            let is_shared = link.offsets.iter().any(|offset| !offset.is_zero());
            let is_own = is_shared || kind.links.iter().any(|l| l.0 == link.array);
            for offset in link.offsets.iter().filter(|_| is_own) {
                if kind.size.as_ref().is_some_and(|size| size <= offset) {
                    continue;
                }
                let cell = shifted(pool, k, offset, 1);
                let (to, base) = (pool.select(link.array, cell), pool.select(link.base, cell));
                predicates.push(pool.eq(to, zero));
                predicates.push(pool.eq(to, base));
                for target in &heap.kinds {
                    predicates.push(heap.is_block(pool, target, base));
                }
                let holder = pool.select(link.holder, base);
                predicates.push(pool.eq(holder, cell));
                let rank = pool.select(self.rank, base);
                predicates.push(pool.lt(rank, own_rank));
            }
            predicates.push(self.is_held(pool, heap, link, k));
            let holder = pool.select(link.holder, k);
            for offset in &link.offsets {
                let start = shifted(pool, holder, offset, -1);
                let rank = pool.select(self.rank, start);
                predicates.push(pool.lt(own_rank, rank));
            }
        }
        predicates.push(pool.lt(k, heap.top));
        predicates.push(pool.gt(k, zero));
        if let Some(size) = kind.size.as_ref().filter(|_| !self.locals.is_empty()) {
            // A cell of a block is no local object.
            let end = shifted(pool, k, size, 1);
            predicates.push(pool.le(end, heap.top));
            for &local in &self.locals {
                let (before, after) = (pool.le(end, local), pool.lt(local, k));
                predicates.push(pool.or2(before, after));
            }
        }
        for &(x, _) in &heap.pointers {
            predicates.push(pool.eq(k, x));
        }
        let mut seen = FastSet::default();
        predicates.retain(|&p| p != TermId::TRUE && p != TermId::FALSE && seen.insert(p));
        predicates.truncate(MAX_PREDICATES);
        predicates
    }

    fn facts(&self, pool: &mut TermPool, heap: &Heap, facts: &mut Vec<TermId>) {
        let (zero, one) = (pool.int(0), pool.int(1));
        if let Some((states, sizes)) = heap.states {
            for &local in &self.locals {
                let (state, size) = (pool.select(states, local), pool.select(sizes, local));
                facts.push(pool.eq(state, one));
                for &number in &self.sizes {
                    facts.push(pool.eq(size, number));
                }
                facts.push(pool.lt(local, heap.top));
            }
        }
        for link in &self.links {
            // Nothing else points to what a local object points to.
            for &local in &self.locals {
                let (to, base) = (pool.select(link.array, local), pool.select(link.base, local));
                let holder = pool.select(link.holder, base);
                let (is_null, holds) = (pool.eq(to, zero), pool.eq(holder, local));
                facts.push(pool.or2(is_null, holds));
            }
            for &(x, base) in &heap.pointers {
                let is_null = pool.eq(x, zero);
                let held = self.is_held(pool, heap, link, x);
                let alone = pool.not(held);
                facts.push(pool.or2(is_null, alone));
                for offset in &link.offsets {
                    if let Some(base) = base {
                        self.cell_facts(pool, heap, (x, base), offset, facts);
                    }
                    let cell = shifted(pool, x, offset, 1);
                    let next = pool.select(link.array, cell);
                    let is_last = pool.eq(next, zero);
                    facts.push(pool.or2(is_null, is_last));
                    for &(y, _) in heap.pointers.iter().filter(|p| p.0 != x) {
                        let leads_to = pool.eq(next, y);
                        facts.push(leads_to);
                        facts.push(pool.or2(is_null, leads_to));
                        let y_is_null = pool.eq(y, zero);
                        let holder = pool.select(link.holder, y);
                        let holds = pool.eq(holder, cell);
                        facts.push(pool.or2(y_is_null, holds));
                        facts.push(pool.or(&[is_null, y_is_null, holds]));
                    }
                }
            }
        }
        for &(x, _) in &heap.pointers {
            let is_null = pool.eq(x, zero);
            for &(y, _) in heap.pointers.iter().filter(|p| p.0 != x) {
                let (same, y_is_null) = (pool.eq(x, y), pool.eq(y, zero));
                let y_is_some = pool.not(y_is_null);
                let differ = pool.not(same);
                facts.extend([same, differ]);
                facts.push(pool.or2(is_null, y_is_some));
                facts.push(pool.or2(is_null, same));
                facts.push(pool.or2(is_null, differ));
                let is_some = pool.not(is_null);
                for link in &self.links {
                    let held = self.is_held(pool, heap, link, y);
                    let alone = pool.not(held);
                    facts.push(pool.or(&[is_some, y_is_null, alone]));
                }
                for &(z, _) in heap.pointers.iter().take(MAX_COMPARED).filter(|p| p.0 > y && p.0 != x) {
                    let same = pool.eq(y, z);
                    facts.push(pool.or2(is_some, same));
                }
            }
        }
        let mut seen = FastSet::default();
        facts.retain(|&f| f != TermId::TRUE && f != TermId::FALSE && seen.insert(f));
    }

    /// What may hold of a pointer to a cell: it is that of a block, or a local object.
    fn cell_facts(
        &self,
        pool: &mut TermPool,
        heap: &Heap,
        (x, base): (TermId, TermId),
        offset: &Rational,
        facts: &mut Vec<TermId>,
    ) {
        let cell = shifted(pool, base, offset, 1);
        let is_cell = pool.eq(x, cell);
        facts.push(is_cell);
        let mut is_block = Vec::new();
        for kind in with_room_for(heap, offset) {
            is_block.push(heap.is_block(pool, kind, base));
        }
        let is_block = pool.or(&is_block);
        for &local in &self.locals {
            let (is_local, starts_there) = (pool.eq(x, local), pool.eq(base, local));
            facts.push(pool.or2(is_local, is_cell));
            facts.push(pool.or2(is_local, is_block));
            facts.push(pool.or2(starts_there, is_block));
            let elsewhere = pool.not(is_local);
            facts.push(pool.or2(elsewhere, starts_there));
        }
    }

    /// The blocks that a step uses.
    pub(super) fn places(&self, pool: &mut TermPool, heap: &Heap, step: &Step) -> Vec<TermId> {
        let mut found = Vec::new();
        pool.visit_postorder(&[step.transition.formula], |t| {
            if matches!(pool.op(t), Op::Select | Op::Store)
                && pool.sort(pool.arg(t, 1)) == SortId::INT
                && pool.sort(pool.arg(t, 0)) != pool.sort(self.rank)
            {
                found.push(pool.arg(t, 1));
            }
        });
        let constants = pool.free_constants(step.transition.formula);
        let mentioned = heap.pointers.iter().map(|p| p.0);
        let mentioned = mentioned.filter(|&p| pool.free_constants(p).iter().all(|c| constants.contains(c)));
        let mut places: Vec<TermId> = mentioned.collect();
        let offsets: Vec<Rational> = self.links.iter().flat_map(|l| l.offsets.iter().cloned()).collect();
        for index in found {
            let mut linear = pool.linear(index);
            if offsets.contains(&linear.constant) && !linear.terms.is_empty() {
                linear.constant = Rational::from(0i64);
            }
            let start = pool.linear_term(&linear, SortId::INT);
            places.push(start);
        }
        let mut seen = FastSet::default();
        places.retain(|&p| pool.number(p).is_none() && seen.insert(p));
        places.truncate(MAX_PLACES);
        places
    }

    /// Further blocks that matter for what is known of others: a local object may hold what it points to, and is no
    /// cell of a block. What a step makes of these blocks themselves depends on others again.
    pub(super) fn beside(&self, pool: &mut TermPool, heap: &Heap, step: &Step) -> Vec<TermId> {
        let constants = pool.free_constants(step.transition.formula);
        let mut beside = Vec::new();
        for link in self.links.iter().filter(|_| !self.locals.is_empty()) {
            let cell = pool.select(link.holder, heap.k);
            for offset in &link.offsets {
                beside.push(shifted(pool, cell, offset, -1));
                let locals = self.locals.iter().filter(|local| constants.contains(*local));
                beside.extend(locals.map(|&local| shifted(pool, local, offset, -1)));
            }
        }
        beside
    }
}

fn shifted(pool: &mut TermPool, from: TermId, offset: &Rational, sign: i64) -> TermId {
    let by = pool.int_num(offset * &Rational::from(sign));
    pool.add(&[from, by])
}

/// The kinds of blocks that have a cell there.
fn with_room_for<'a>(heap: &'a Heap, offset: &Rational) -> impl Iterator<Item = &'a Kind> {
    let offset = offset.clone();
    heap.kinds.iter().filter(move |k| k.size.as_ref().is_some_and(|size| offset < *size))
}
