//! The heap as the front end for C lays it out ([`ir::source`]): a counter of addresses, arrays over addresses, and,
//! where memory safety is checked, the state and the size of every block.

use crate::houdini::Step;
use ir::source::HEAP_BLOCK;
use ir::{Icfg, Label, LocId, Stmt, VarRole};
use logic::{FastSet, Op, Rational, Sort, SortId, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

/// The most kinds of blocks.
const MAX_KINDS: usize = 3;
/// The most variables that are taken for pointers.
const MAX_POINTERS: usize = 6;
const MAX_LIVE_POINTERS: usize = 10;

pub(super) struct Heap {
    /// The address of an arbitrary block.
    pub k: TermId,
    /// The next address to be given out, the first, and by how much it grows if that is always the same.
    pub top: TermId,
    pub start: Option<Rational>,
    pub stride: Option<Rational>,
    /// State and size of each block, if they are kept.
    pub states: Option<(TermId, TermId)>,
    pub kinds: Vec<Kind>,
    /// Variables, and arrays, that hold where the blocks of pointers start.
    starts: FastSet<TermId>,
    /// Variables and cells of fixed places that hold addresses, with those for the starts of their blocks.
    pub pointers: Vec<(TermId, Option<TermId>)>,
}

/// Blocks of the same size.
pub(super) struct Kind {
    pub size: Option<Rational>,
    /// Arrays of addresses, with those of the starts of the blocks; arrays of other things.
    pub links: Vec<(TermId, Option<TermId>)>,
    pub data: Vec<TermId>,
}

impl Heap {
    /// `statements`: the program before its statements were merged. `None` if there is nothing to be said about blocks.
    /// `live`: where pointers matter that are worth a word; without it, all are.
    pub(super) fn read(
        pool: &mut TermPool,
        statements: &Icfg,
        icfg: &Icfg,
        steps: &[Step],
        live: Option<&BTreeMap<LocId, FastSet<TermId>>>,
    ) -> Option<Heap> {
        let with_role = |role: VarRole| icfg.vars.values().find(|v| v.role == role).map(|v| v.term);
        let top = with_role(VarRole::AddressCounter)?;
        if pool.sort(top) != SortId::INT {
            return None;
        }
        let states = with_role(VarRole::BlockStates).zip(with_role(VarRole::BlockSizes));
        let (start, stride) = growth(pool, statements);
        if states.is_none() && (start.is_none() || stride.is_none()) {
            return None;
        }
        let is_bookkeeping = |t: TermId| states.is_some_and(|(a, b)| t == a || t == b);
        let of_program = icfg.vars.values().filter(|v| v.role != VarRole::Temporary);
        let arrays: Vec<TermId> = of_program.map(|v| v.term).filter(|&t| is_memory(pool, t)).collect();
        let arrays: Vec<TermId> = arrays.into_iter().filter(|&t| !is_bookkeeping(t)).collect();
        let base_of: BTreeMap<TermId, TermId> = icfg
            .vars
            .values()
            .filter_map(|v| match v.role {
                VarRole::BaseOf(of) => Some((icfg.vars[of].term, v.term)),
                _ => None,
            })
            .collect();
        let starts: FastSet<TermId> = base_of.values().copied().collect();
        let known_links: FastSet<TermId> = base_of.keys().copied().filter(|t| arrays.contains(t)).collect();
        let mut used = Used::read(pool, icfg, steps, &arrays, states.map(|s| s.1));
        used.spread(states.is_some().then_some(&known_links));
        let is_auxiliary = |v: &ir::Variable| matches!(v.role, VarRole::Temporary | VarRole::BaseOf(_));
        let auxiliary: FastSet<TermId> = icfg.vars.values().filter(|v| is_auxiliary(v)).map(|v| v.term).collect();
        used.pointers.retain(|&p| p != top && !auxiliary.contains(&p));
        let sizes: BTreeSet<Option<Rational>> = match states {
            Some(_) => used.sizes.iter().cloned().map(Some).collect(),
            None => BTreeSet::from([None]),
        };
        let sizes: BTreeSet<Option<Rational>> = match (live, states) {
            (Some(_), Some((_, array))) => {
                let of_others = sizes_of_others(pool, statements, array);
                sizes.into_iter().filter(|size| size.as_ref().is_none_or(|size| !of_others.contains(size))).collect()
            }
            _ => sizes,
        };
        let is_link = |a: TermId| used.links.contains(&a);
        let mut kinds = Vec::new();
        for size in sizes.iter().take(MAX_KINDS) {
            let members: Vec<TermId> = arrays
                .iter()
                .copied()
                .filter(|a| !starts.contains(a) && used.moving.contains(a))
                .filter(|a| match (size, used.of_size.get(a)) {
                    (Some(size), Some(of)) if sizes.len() > 1 => of.contains(size),
                    _ => true,
                })
                .collect();
            let (links, data): (Vec<TermId>, Vec<TermId>) = members.iter().partition(|&&a| is_link(a));
            let links = links.into_iter().map(|a| (a, base_of.get(&a).copied())).collect();
            kinds.push(Kind { size: size.clone(), links, data });
        }
        if kinds.is_empty() || kinds.iter().all(|k| k.links.is_empty()) {
            return None;
        }
        let variable = |t: TermId| icfg.vars.values().find(|v| v.term == t);
        let mut pointers: Vec<(TermId, Option<TermId>)> = Vec::new();
        for &pointer in &used.pointers {
            if pool.op(pointer) == Op::Select {
                let base = base_of.get(&pool.arg(pointer, 0)).copied();
                let base = base.map(|base| pool.select(base, pool.arg(pointer, 1)));
                pointers.push((pointer, base));
                continue;
            }
            if variable(pointer).is_some() {
                pointers.push((pointer, base_of.get(&pointer).copied()));
            }
        }
        pointers.sort_by_key(|&(t, _)| variable(t).is_some_and(|v| v.span == base::Span::NONE));
        if let Some(live) = live {
            let at_heads: FastSet<TermId> =
                live.iter().filter(|(l, _)| icfg.locs[**l].is_loop_head).flat_map(|(_, t)| t.iter().copied()).collect();
            pointers.retain(|(t, _)| pool.free_constants(*t).iter().all(|c| at_heads.contains(c)));
        }
        pointers.truncate(if live.is_some() { MAX_LIVE_POINTERS } else { MAX_POINTERS });
        let k = pool.fresh_constant("block", SortId::INT);
        Some(Heap { starts, k, top, start, stride, states, kinds, pointers })
    }

    /// Does the array link blocks?
    pub(super) fn is_link(&self, array: TermId) -> bool {
        self.kinds.iter().any(|kind| kind.links.iter().any(|link| link.0 == array))
    }

    /// Is it the array of states or that of sizes?
    pub(super) fn is_bookkeeping(&self, array: TermId) -> bool {
        self.states.is_some_and(|(states, sizes)| array == states || array == sizes)
    }

    /// Is it what a pointer says that its block starts at?
    pub(super) fn is_start(&self, pool: &TermPool, address: TermId) -> bool {
        self.starts.contains(&address) || pool.op(address) == Op::Select && self.starts.contains(&pool.arg(address, 0))
    }

    /// Is there a block of this kind at the address?
    pub(super) fn is_block(&self, pool: &mut TermPool, kind: &Kind, address: TermId) -> TermId {
        match (self.states, &kind.size) {
            (Some((states, sizes)), Some(size)) => {
                let (state, two) = (pool.select(states, address), pool.int(HEAP_BLOCK));
                let is_alive = pool.eq(state, two);
                let (has, size) = (pool.select(sizes, address), pool.int_num(size.clone()));
                let is_so_large = pool.eq(has, size);
                pool.and2(is_alive, is_so_large)
            }
            _ => {
                let lies_below = pool.lt(address, self.top);
                let is_aligned = self.is_aligned(pool, address);
                pool.and2(lies_below, is_aligned)
            }
        }
    }

    /// The address is one that the counter may have had.
    pub(super) fn is_aligned(&self, pool: &mut TermPool, address: TermId) -> TermId {
        let (Some(start), Some(stride)) = (&self.start, &self.stride) else { return TermId::TRUE };
        let (start, stride, zero) = (pool.int_num(start.clone()), pool.int_num(stride.clone()), pool.int(0));
        let distance = pool.sub(address, start);
        let remainder = pool.modulo(distance, stride);
        let is_multiple = pool.eq(remainder, zero);
        let is_above = pool.ge(address, start);
        pool.and2(is_above, is_multiple)
    }
}

/// An array from addresses to numbers.
fn is_memory(pool: &TermPool, t: TermId) -> bool {
    matches!(*pool.sort_data(pool.sort(t)), Sort::Array(SortId::INT, SortId::INT))
}

/// The first address, and the common divisor of the distances of addresses if sizes do not vary.
fn growth(pool: &TermPool, statements: &Icfg) -> (Option<Rational>, Option<Rational>) {
    let Some((top, term)) =
        statements.vars.iter().find(|(_, v)| v.role == VarRole::AddressCounter).map(|(id, v)| (id, v.term))
    else {
        return (None, None);
    };
    let (mut start, mut strides) = (None, BTreeSet::new());
    for edge in statements.edges.values() {
        let Label::Stmt(Stmt::Assign(pairs)) = &edge.label else { continue };
        for &(_, value) in pairs.iter().filter(|(v, _)| *v == top) {
            if let Some(number) = pool.number(value) {
                start = Some(number.clone());
                continue;
            }
            let linear = pool.linear(value);
            match &linear.terms[..] {
                [(t, one)] if *t == term && one.is_one() => strides.insert(linear.constant.clone()),
                _ => return (start, None),
            };
        }
    }
    let stride = strides.into_iter().reduce(|a, b| a.gcd(&b)).filter(Rational::is_positive);
    (start, stride)
}

/// The sizes that only local objects have, or objects at fixed addresses (globals, string literals).
fn sizes_of_others(pool: &TermPool, statements: &Icfg, sizes: TermId) -> BTreeSet<Rational> {
    let is_local = |t: TermId| {
        pool.number(t).is_some() || statements.vars.values().any(|v| v.term == t && v.role == VarRole::AddressOfLocal)
    };
    let (mut of_locals, mut of_others) = (BTreeSet::new(), BTreeSet::new());
    for edge in statements.edges.values() {
        let Label::Stmt(Stmt::Assign(pairs)) = &edge.label else { continue };
        for &(_, value) in pairs.iter().filter(|p| pool.op(p.1) == Op::Store && pool.arg(p.1, 0) == sizes) {
            if let Some(size) = pool.number(pool.arg(value, 2)) {
                let set = if is_local(pool.arg(value, 1)) { &mut of_locals } else { &mut of_others };
                set.insert(size.clone());
            }
        }
    }
    &of_locals - &of_others
}

/// How steps use arrays.
#[derive(Default)]
struct Used {
    /// Sizes that blocks of the heap are given.
    sizes: BTreeSet<Rational>,
    /// The sizes of the blocks that an array is stored to where they are made.
    of_size: BTreeMap<TermId, BTreeSet<Rational>>,
    /// Variables that are addresses, in the order in which they are met.
    pointers: Vec<TermId>,
    /// Arrays whose elements are used as addresses.
    links: FastSet<TermId>,
    /// Arrays that are used at places that are not fixed.
    moving: FastSet<TermId>,
    /// Variables that are given the value of other variables, or of elements of arrays.
    copied: Vec<(TermId, TermId)>,
    loaded: Vec<(TermId, TermId)>,
    /// Variables whose values are stored to arrays.
    kept: Vec<(TermId, TermId)>,
    /// Arrays to which elements of other arrays are stored.
    moved: Vec<(TermId, TermId)>,
}

impl Used {
    fn read(pool: &mut TermPool, icfg: &Icfg, steps: &[Step], arrays: &[TermId], sizes: Option<TermId>) -> Used {
        let mut used = Used::default();
        let variables: FastSet<TermId> = icfg.vars.values().map(|v| v.term).collect();
        let addresses: FastSet<TermId> =
            icfg.vars.values().filter(|v| v.role == VarRole::AddressOfLocal).map(|v| v.term).collect();
        let fixed = |t: TermId, pool: &TermPool| pool.number(t).is_some() || addresses.contains(&t);
        for step in steps {
            let mut owner: BTreeMap<TermId, TermId> = BTreeMap::new();
            for &array in arrays.iter().chain(&sizes) {
                owner.insert(array, array);
            }
            for &(before, after) in &step.after {
                if arrays.contains(&before) || Some(before) == sizes {
                    owner.insert(after, before);
                }
            }
            let mut terms = Vec::new();
            pool.visit_postorder(&[step.transition.plain], |t| terms.push(t));
            let mut made: Vec<(TermId, Rational)> = Vec::new();
            let mut stored: Vec<(TermId, TermId)> = Vec::new();
            for &t in &terms {
                match pool.op(t) {
                    Op::Select | Op::Store => {
                        let Some(&array) = owner.get(&root(pool, pool.arg(t, 0))) else { continue };
                        let index = pool.arg(t, 1);
                        if pool.op(t) == Op::Store {
                            if variables.contains(&pool.arg(t, 2)) {
                                used.kept.push((pool.arg(t, 2), array));
                            }
                            let value = pool.arg(t, 2);
                            if pool.op(value) == Op::Select
                                && let Some(&of) = owner.get(&root(pool, pool.arg(value, 0)))
                            {
                                used.moved.push((array, of));
                            }
                            match pool.number(pool.arg(t, 2)) {
                                Some(size) if Some(array) == sizes => made.push((index, size.clone())),
                                _ => stored.push((array, index)),
                            }
                        }
                        if Some(array) == sizes {
                            continue;
                        }
                        if !fixed(index, pool) {
                            used.moving.insert(array);
                        }
                        let is_cell = pool.op(index) == Op::Select
                            && variables.contains(&pool.arg(index, 0))
                            && fixed(pool.arg(index, 1), pool);
                        let is_variable = variables.contains(&index) && !fixed(index, pool);
                        if (is_variable || is_cell) && !used.pointers.contains(&index) {
                            used.pointers.push(index);
                        }
                        if pool.op(index) == Op::Select
                            && let Some(&of) = owner.get(&root(pool, pool.arg(index, 0)))
                        {
                            used.links.insert(of);
                        }
                    }
                    Op::Eq => {
                        for (a, b) in [(pool.arg(t, 0), pool.arg(t, 1)), (pool.arg(t, 1), pool.arg(t, 0))] {
                            let Some(&(variable, _)) = step.after.iter().find(|p| p.1 == a) else { continue };
                            if variables.contains(&b) {
                                used.copied.push((variable, b));
                            } else if pool.op(b) == Op::Select
                                && let Some(&of) = owner.get(&root(pool, pool.arg(b, 0)))
                            {
                                used.loaded.push((variable, of));
                            }
                        }
                    }
                    _ => {}
                }
            }
            for (at, size) in made {
                for &(array, _) in stored.iter().filter(|s| s.1 == at) {
                    used.of_size.entry(array).or_default().insert(size.clone());
                }
                used.sizes.insert(size);
            }
        }
        used
    }

    /// What is copied from an address or to one is an address. `links`: the arrays of addresses, if they are known.
    fn spread(&mut self, links: Option<&FastSet<TermId>>) {
        if let Some(links) = links {
            self.links = links.clone();
        }
        loop {
            let (mut found, n_links) = (Vec::new(), self.links.len());
            for &(x, y) in &self.copied {
                let (has_x, has_y) = (self.pointers.contains(&x), self.pointers.contains(&y));
                found.extend((has_x && !has_y).then_some(y));
                found.extend((has_y && !has_x).then_some(x));
            }
            for &(x, array) in self.loaded.iter().chain(&self.kept) {
                if self.links.contains(&array) && !self.pointers.contains(&x) {
                    found.push(x);
                } else if links.is_none() && self.pointers.contains(&x) {
                    self.links.insert(array);
                }
            }
            for &(a, b) in self.moved.iter().filter(|_| links.is_none()) {
                if self.links.contains(&a) || self.links.contains(&b) {
                    self.links.extend([a, b]);
                }
            }
            match found.first() {
                Some(&first) => self.pointers.push(first),
                None if self.links.len() == n_links => break,
                None => {}
            }
        }
    }
}

/// The array below stores.
fn root(pool: &TermPool, mut array: TermId) -> TermId {
    while pool.op(array) == Op::Store {
        array = pool.arg(array, 0);
    }
    array
}
