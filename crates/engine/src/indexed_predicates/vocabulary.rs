//! The predicates and facts of a stage.

use super::cubes::MAX_PREDICATES;
use super::heap::Heap;
use crate::candidate_atoms::{local_constants, names_after, with_room};
use crate::houdini::Step;
use ir::Icfg;
use logic::{FastSet, Op, Rational, SortId, TermId, TermPool};
use std::collections::BTreeSet;

/// How much is said about blocks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Stage {
    /// Links lead to blocks or are null; what data is compared with.
    Closed,
    /// Also where a block stands among the pointers, and that links go up or down.
    Ordered,
    /// Also that links lead to neighbours in memory, and back.
    Chained,
    /// Also that links lead to pointers, what the data of blocks is that they lead to, and what variables are compared
    /// with.
    Related,
}

impl Stage {
    /// The stages that are tried, one after the other. Where blocks are freed their order alone says little.
    pub(super) fn all(heap: &Heap) -> &'static [Stage] {
        match heap.states {
            Some(_) => &[Stage::Closed, Stage::Chained, Stage::Related],
            None => &[Stage::Closed, Stage::Ordered, Stage::Related],
        }
    }
}

/// The most comparisons of variables that blocks are related to.
const MAX_COMPARED: usize = 6;

/// The most comparisons of the program that are used.
const MAX_ATOMS: usize = 12;

pub(super) struct Vocabulary {
    /// Facts about variables.
    pub facts: Vec<TermId>,
    pub kinds: Vec<KindOfBlock>,
}

pub(super) struct KindOfBlock {
    /// There is such a block at `k`.
    pub guard: TermId,
    pub predicates: Vec<TermId>,
    /// The arrays that it has cells of.
    pub arrays: Vec<TermId>,
}

impl Vocabulary {
    pub(super) fn new(pool: &mut TermPool, icfg: &Icfg, steps: &[Step], heap: &Heap, stage: Stage) -> Vocabulary {
        let (atoms, stored) = read(pool, icfg, steps);
        let mut vocabulary = Vocabulary { facts: Vec::new(), kinds: Vec::new() };
        vocabulary.facts = facts(pool, heap, &atoms);
        for i in 0..heap.kinds.len() {
            let predicates = predicates(pool, heap, i, stage, &atoms, &stored);
            let kind = &heap.kinds[i];
            let mut arrays: Vec<TermId> = kind.links.iter().map(|l| l.0).chain(kind.data.iter().copied()).collect();
            arrays.extend(heap.states.map(|s| s.0));
            let guard = heap.is_block(pool, kind, heap.k);
            vocabulary.kinds.push(KindOfBlock { guard, predicates, arrays });
        }
        vocabulary.kinds.extend(any_block(pool, heap));
        vocabulary
    }
}

/// Blocks of any kind have one of the sizes.
fn any_block(pool: &mut TermPool, heap: &Heap) -> Option<KindOfBlock> {
    let (states, sizes) = heap.states?;
    let (state, two) = (pool.select(states, heap.k), pool.int(ir::source::HEAP_BLOCK));
    let guard = pool.eq(state, two);
    let has = pool.select(sizes, heap.k);
    let of_kinds: Vec<Rational> = heap.kinds.iter().filter_map(|k| k.size.clone()).collect();
    let predicates = of_kinds.into_iter().map(|size| {
        let size = pool.int_num(size);
        pool.eq(has, size)
    });
    let predicates = predicates.collect();
    Some(KindOfBlock { guard, predicates, arrays: vec![states] })
}

/// Comparisons of numbers in the program, over variables before or after steps; and the numbers and variables that are
/// stored to arrays.
fn read(pool: &mut TermPool, icfg: &Icfg, steps: &[Step]) -> (BTreeSet<TermId>, BTreeSet<(TermId, TermId)>) {
    let (mut atoms, mut stored) = (BTreeSet::new(), BTreeSet::new());
    let variables: FastSet<TermId> = icfg.vars.values().map(|v| v.term).collect();
    for step in steps {
        let mut local = local_constants(pool, icfg, &step.transition);
        local.extend(icfg.vars.values().filter(|v| v.role == ir::VarRole::Temporary).map(|v| v.term));
        let names = names_after(pool, icfg, &step.transition);
        let mut found = Vec::new();
        pool.visit_postorder(&[step.transition.plain], |t| {
            if pool.op(t) == Op::Store {
                let (mut array, value) = (pool.arg(t, 0), pool.arg(t, 2));
                while pool.op(array) == Op::Store {
                    array = pool.arg(array, 0);
                }
                let value = names.iter().find(|n| n.0 == value).map_or(value, |n| n.1);
                let is_simple = pool.number(value).is_some() || variables.contains(&value) && !local.contains(&value);
                if variables.contains(&array) && is_simple {
                    stored.insert((array, value));
                }
            }
            if matches!(pool.op(t), Op::Le | Op::Lt | Op::Eq) && pool.sort(pool.arg(t, 0)) == SortId::INT {
                found.push(t);
            }
        });
        for t in found {
            let after = pool.substitute(t, &names);
            for form in [t, after] {
                if matches!(pool.op(form), Op::Le | Op::Lt | Op::Eq)
                    && !is_range(pool, form)
                    && pool.free_constants(form).iter().all(|c| !local.contains(c))
                {
                    atoms.insert(form);
                }
            }
        }
    }
    (atoms, stored)
}

/// What may hold of the variables.
fn facts(pool: &mut TermPool, heap: &Heap, atoms: &BTreeSet<TermId>) -> Vec<TermId> {
    let mut facts = Vec::new();
    let zero = pool.int(0);
    for &atom in atoms {
        if !has_arrays(pool, atom) {
            facts.push(atom);
            facts.push(pool.not(atom));
            facts.extend(with_room(pool, atom));
        }
    }
    facts.push(heap.is_aligned(pool, heap.top));
    for (i, &(x, base)) in heap.pointers.iter().enumerate() {
        let is_null = pool.eq(x, zero);
        facts.push(is_null);
        facts.push(pool.not(is_null));
        if let Some(base) = base {
            facts.push(pool.eq(x, base));
        }
        let mut any = vec![is_null];
        for kind in &heap.kinds {
            let is_block = heap.is_block(pool, kind, x);
            facts.push(is_block);
            facts.push(pool.or2(is_null, is_block));
            any.push(is_block);
        }
        facts.push(pool.or(&any));
        facts.push(pool.lt(x, heap.top));
        if let (Some(start), Some(stride)) = (&heap.start, &heap.stride) {
            // As long as there is no block, none was made; the newest block is the last one.
            let start = pool.int_num(start.clone());
            let none_made = pool.eq(heap.top, start);
            let is_some = pool.not(is_null);
            facts.push(pool.or2(is_some, none_made));
            let next = distance(pool, x, stride, 1);
            let is_newest = pool.eq(next, heap.top);
            facts.push(is_newest);
            facts.push(pool.or2(is_null, is_newest));
        }
        for &(y, _) in &heap.pointers[i + 1..] {
            let (le, ge) = (pool.le(x, y), pool.ge(x, y));
            let y_is_null = pool.eq(y, zero);
            facts.extend([le, ge]);
            facts.push(pool.or2(is_null, ge));
            facts.push(pool.or2(y_is_null, le));
        }
    }
    let mut seen = FastSet::default();
    facts.retain(|&f| f != TermId::TRUE && f != TermId::FALSE && seen.insert(f));
    facts
}

/// What may hold of a block at `k`.
fn predicates(
    pool: &mut TermPool,
    heap: &Heap,
    kind: usize,
    stage: Stage,
    atoms: &BTreeSet<TermId>,
    stored: &BTreeSet<(TermId, TermId)>,
) -> Vec<TermId> {
    let k = heap.k;
    let zero = pool.int(0);
    let kind = &heap.kinds[kind];
    let mut predicates = Vec::new();
    for &(link, base) in &kind.links {
        let to = pool.select(link, k);
        predicates.push(pool.eq(to, zero));
        if let Some(base) = base {
            let base = pool.select(base, k);
            predicates.push(pool.eq(to, base));
        }
        for target in &heap.kinds {
            predicates.push(heap.is_block(pool, target, to));
        }
    }
    if heap.states.is_some() {
        predicates.push(pool.lt(k, heap.top));
        predicates.push(heap.is_aligned(pool, k));
    }
    let mut about_data = Vec::new();
    for &atom in atoms {
        for (x, _) in &heap.pointers {
            let about = pool.substitute(atom, &[(*x, k)]);
            let is_about_data = kind.data.iter().any(|&d| reads_from(pool, about, d));
            if about != atom && is_about_data && reads_only(pool, about, k) && !about_data.contains(&about) {
                about_data.push(about);
            }
        }
    }
    for &(array, value) in stored.iter().filter(|s| kind.data.contains(&s.0)) {
        let has = pool.select(array, k);
        let is_it = pool.eq(has, value);
        if !about_data.contains(&is_it) {
            about_data.push(is_it);
        }
        if stage >= Stage::Ordered && pool.number(value).is_none() {
            about_data.push(pool.le(has, value));
        }
    }
    about_data.truncate(MAX_ATOMS);
    predicates.extend(&about_data);
    if stage >= Stage::Ordered {
        for &(x, _) in &heap.pointers {
            predicates.push(pool.eq(x, zero));
            predicates.push(pool.eq(k, x));
            predicates.push(pool.lt(k, x));
        }
        for &(link, _) in &kind.links {
            let to = pool.select(link, k);
            predicates.push(pool.gt(to, k));
        }
        // Which pointers are the same, where the program asks.
        let are_pointers = |c: &[TermId]| c.iter().all(|c| heap.pointers.iter().any(|p| p.0 == *c));
        for &atom in atoms.iter().filter(|&&a| pool.op(a) == Op::Eq && !has_arrays(pool, a)) {
            let constants = pool.free_constants(atom);
            if constants.len() == 2 && are_pointers(&constants) {
                predicates.push(atom);
            }
        }
    }
    if stage >= Stage::Chained {
        if let (Some(start), Some(stride)) = (&heap.start, &heap.stride) {
            let start = pool.int_num(start.clone());
            predicates.push(pool.eq(k, start));
            let next = distance(pool, k, stride, 1);
            predicates.push(pool.eq(next, heap.top));
            for &(link, _) in &kind.links {
                let to = pool.select(link, k);
                for n in [1, -1] {
                    let neighbour = distance(pool, k, stride, n);
                    predicates.push(pool.eq(to, neighbour));
                }
            }
        }
        for &(link, _) in &kind.links {
            let to = pool.select(link, k);
            for &(back, _) in kind.links.iter().filter(|l| l.0 != link) {
                let back = pool.select(back, to);
                predicates.push(pool.eq(back, k));
            }
        }
    }
    if stage >= Stage::Related {
        for &(link, _) in &kind.links {
            let to = pool.select(link, k);
            for &about in &about_data {
                predicates.push(pool.substitute(about, &[(k, to)]));
            }
            for &(x, _) in &heap.pointers {
                predicates.push(pool.eq(to, x));
            }
        }
        let compared = atoms.iter().filter(|&&a| !has_arrays(pool, a) && !pool.free_constants(a).contains(&heap.top));
        predicates.extend(compared.take(MAX_COMPARED));
    }
    let mut seen = FastSet::default();
    predicates.retain(|&p| p != TermId::TRUE && p != TermId::FALSE && seen.insert(p));
    predicates.truncate(MAX_PREDICATES);
    predicates
}

fn distance(pool: &mut TermPool, from: TermId, stride: &Rational, n: i64) -> TermId {
    let by = pool.int_num(stride * &Rational::from(n));
    pool.add(&[from, by])
}

fn has_arrays(pool: &TermPool, t: TermId) -> bool {
    let mut found = false;
    pool.visit_postorder(&[t], |t| found |= matches!(pool.op(t), Op::Select | Op::Store));
    found
}

/// Is a cell of this array read?
fn reads_from(pool: &TermPool, t: TermId, array: TermId) -> bool {
    let mut found = false;
    pool.visit_postorder(&[t], |t| found |= pool.op(t) == Op::Select && pool.arg(t, 0) == array);
    found
}

/// Are all cells that are read those of the block at `k`, or of blocks that it links to?
fn reads_only(pool: &TermPool, t: TermId, k: TermId) -> bool {
    let mut all = true;
    pool.visit_postorder(&[t], |t| {
        all &=
            pool.op(t) != Op::Store && (pool.op(t) != Op::Select || pool.free_constants(pool.arg(t, 1)).contains(&k));
    });
    all
}

/// A comparison with the end of the range of a type.
fn is_range(pool: &TermPool, atom: TermId) -> bool {
    let mut difference = pool.linear(pool.arg(atom, 0));
    difference.add_scaled(&pool.linear(pool.arg(atom, 1)), &Rational::from(-1i64));
    let near = [-1i64, 0, 1].map(|d| &difference.constant.abs() + &Rational::from(d));
    pool.op(atom) != Op::Eq
        && difference.terms.len() == 1
        && [7, 8, 15, 16, 31, 32, 63, 64].iter().any(|&bits| near.contains(&Rational::pow2(bits)))
}
