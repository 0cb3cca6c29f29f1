//! What variables hold while a graph is unwound: terms that are constants wherever they can be, and arrays as cells.
//!
//! *Cases.* Where paths meet, a number that was a constant on each of them is one of a few constants, each under a
//! condition. Such a term is an ordinary `ite` chain, and the table of its cases is kept beside it: an operator is
//! applied to the constants, so indices and pointers stay constants under conditions, and comparing them yields a
//! condition instead of a comparison.
//!
//! *Cells.* An array is a base and the cells that were written at constant indices. Reading at one of a few indices
//! selects among cells, writing there changes each of them under a condition. Only where the indices are too many a
//! read or a write becomes one of the base, for the theory of arrays.
//!
//! *Known.* What holds on the path that is followed: the ranges of numbers that it compared, and conditions that it
//! passed. What is made of a term is equal to it in all executions of the path, not in others.

use super::range::{self, Range};
use base::SharedMap;
use logic::{BigInt, FastMap, Op, SortId, TermId, TermPool};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A number with more cases is just a term.
const MAX_CASES: usize = 64;
/// An operator is not applied to more combinations of cases.
const MAX_PRODUCT: usize = 128;
/// A read at an unknown index selects among at most so many cells, a write changes at most so many.
const MAX_READ: i128 = 4096;
const MAX_WRITTEN: i128 = 256;
/// Junctions with more members get a name.
const MAX_MEMBERS: usize = 4;
/// How deep ranges are looked for on a path, and in general.
const DEPTH: u32 = 8;
const GENERAL_DEPTH: u32 = 64;

#[derive(Clone, Debug)]
pub(crate) struct Cells {
    /// What is at all other indices.
    pub(crate) base: TermId,
    /// By the literal of the index.
    pub(crate) cells: SharedMap<TermId, Scalar>,
}

/// A number or a condition.
#[derive(Clone, Debug)]
pub(crate) struct Scalar {
    pub(crate) term: TermId,
    cases: Option<Cases>,
}

impl Scalar {
    pub(crate) fn new(term: TermId) -> Scalar {
        Scalar { term, cases: None }
    }
}

impl PartialEq for Scalar {
    fn eq(&self, other: &Scalar) -> bool {
        self.term == other.term && self.cases.is_some() == other.cases.is_some()
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Val {
    Scalar(Scalar),
    Array(Rc<Cells>),
}

impl PartialEq for Val {
    fn eq(&self, other: &Val) -> bool {
        match (self, other) {
            (Val::Scalar(a), Val::Scalar(b)) => a == b,
            (Val::Array(a), Val::Array(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }
}

/// What holds on a path: the least and the greatest that a number can be; of a condition 1 for true, 0 for false.
pub(crate) type Known = SharedMap<TermId, (i128, i128)>;

/// Constants and when the term is each of them. One of the conditions holds wherever the term is used.
type Cases = Rc<Vec<(TermId, TermId)>>;

/// The terms of an unwinding and what is known of them wherever they stand.
#[derive(Default)]
pub(crate) struct Values {
    ranges: FastMap<TermId, Option<Range>>,
    names: FastMap<TermId, TermId>,
    /// What fresh symbols stand for: formulas to assert wherever the symbol occurs.
    pub(crate) definitions: FastMap<TermId, Vec<TermId>>,
    /// The subterms of terms of the program, arguments first.
    orders: FastMap<TermId, Option<Rc<Vec<TermId>>>>,
}

pub(crate) fn literal(pool: &mut TermPool, sort: SortId, n: i128) -> TermId {
    match pool.bitvec_width(sort) {
        Some(width) => pool.bv_num(BigInt::from(n), width),
        None => pool.int_num(logic::Rational::from(BigInt::from(n))),
    }
}

impl Values {
    // ---- names and conditions ----

    /// A literal for a condition: junctions of many members are not copied about.
    pub(crate) fn named(&mut self, pool: &mut TermPool, t: TermId) -> TermId {
        if !matches!(pool.op(t), Op::And | Op::Or) || pool.args(t).len() <= MAX_MEMBERS {
            return t;
        }
        if let Some(&name) = self.names.get(&t) {
            return name;
        }
        let name = pool.fresh_constant("at", SortId::BOOL);
        let definition = pool.eq(name, t);
        self.define(name, definition);
        self.names.insert(t, name);
        name
    }

    /// What a name of a condition stands for.
    pub(crate) fn meaning(&self, pool: &TermPool, name: TermId) -> Option<TermId> {
        let definition = *self.definitions.get(&name)?.first()?;
        let is_named = pool.op(definition) == Op::Eq && pool.sort(name) == SortId::BOOL;
        let other = |i: usize| (pool.arg(definition, i) == name).then(|| pool.arg(definition, 1 - i));
        if is_named { other(0).or_else(|| other(1)) } else { None }
    }

    pub(crate) fn define(&mut self, symbol: TermId, definition: TermId) {
        self.definitions.entry(symbol).or_default().push(definition);
    }

    pub(crate) fn and(&mut self, pool: &mut TermPool, a: TermId, b: TermId) -> TermId {
        let both = pool.and2(a, b);
        self.named(pool, both)
    }

    // ---- ranges ----

    /// What a term can be anywhere.
    pub(crate) fn range(&mut self, pool: &TermPool, t: TermId) -> Option<Range> {
        self.range_to(pool, t, GENERAL_DEPTH)
    }

    fn range_to(&mut self, pool: &TermPool, t: TermId, depth: u32) -> Option<Range> {
        if let Some(&known) = self.ranges.get(&t) {
            return known;
        }
        if depth == 0 {
            return range::of_sort(pool, pool.sort(t));
        }
        let found = range::of_term(pool, t, |a| self.range_to(pool, a, depth - 1));
        self.ranges.insert(t, found);
        found
    }

    /// What a term can be on a path.
    pub(crate) fn range_known(&mut self, pool: &TermPool, known: &Known, t: TermId) -> Option<Range> {
        self.known_to(pool, known, t, DEPTH)
    }

    fn known_to(&mut self, pool: &TermPool, known: &Known, t: TermId, depth: u32) -> Option<Range> {
        let general = self.range(pool, t);
        if known.is_empty() || general.is_some_and(|r| r.as_point().is_some()) {
            return general;
        }
        let mut found = general;
        if depth > 0 && !pool.args(t).is_empty() {
            let finer = range::of_term(pool, t, |a| self.known_to(pool, known, a, depth - 1));
            found = match (found, finer) {
                (Some(a), Some(b)) => Some(if b.high - b.low <= a.high - a.low { b } else { a }),
                (a, b) => a.or(b),
            };
        }
        match known.get(&t) {
            Some(&(low, high)) => match found {
                Some(range) => range.cut(low, high).or(found),
                None if low > i128::MIN && high < i128::MAX => Some(Range::new(low, high)),
                None => None,
            },
            None => found,
        }
    }

    /// Adds to what is known that a condition holds.
    pub(crate) fn learn(&mut self, pool: &mut TermPool, known: &mut Known, condition: TermId, holds: bool) {
        match (pool.op(condition), holds) {
            (Op::Not, _) => {
                let inner = pool.arg(condition, 0);
                return self.learn(pool, known, inner, !holds);
            }
            (Op::And, true) | (Op::Or, false) => {
                for part in pool.args(condition).to_vec() {
                    self.learn(pool, known, part, holds);
                }
            }
            (Op::True | Op::False, _) => return,
            _ => {}
        }
        let truth = i128::from(holds);
        known.insert(condition, (truth, truth));
        let op = pool.op(condition);
        if !matches!(op, Op::Eq | Op::Le | Op::Lt | Op::BvSle | Op::BvSlt | Op::BvUle | Op::BvUlt) {
            return;
        }
        let (a, b) = (pool.arg(condition, 0), pool.arg(condition, 1));
        let (ra, rb) = (self.range_known(pool, known, a), self.range_known(pool, known, b));
        let (left, right) = ((a, ra), (b, rb));
        let is_natural = |r: Option<Range>| r.is_some_and(|r| r.low >= 0);
        match (op, holds) {
            (Op::Eq, true) => {
                self.learn_order(pool, known, left, right, 0);
                self.learn_order(pool, known, right, left, 0);
            }
            (Op::Le | Op::BvSle, true) => self.learn_order(pool, known, left, right, 0),
            (Op::Le | Op::BvSle, false) => self.learn_order(pool, known, right, left, 1),
            (Op::Lt | Op::BvSlt, true) => self.learn_order(pool, known, left, right, 1),
            (Op::Lt | Op::BvSlt, false) => self.learn_order(pool, known, right, left, 0),
            // At most a number that is not negative, as an unsigned one: not negative itself.
            (Op::BvUle | Op::BvUlt, true) if is_natural(rb) => {
                self.restrict(pool, known, a, 0, i128::MAX, DEPTH);
                self.learn_order(pool, known, left, right, i128::from(op == Op::BvUlt));
            }
            (Op::BvUle, false) if is_natural(ra) && is_natural(rb) => self.learn_order(pool, known, right, left, 1),
            (Op::BvUlt, false) if is_natural(ra) && is_natural(rb) => self.learn_order(pool, known, right, left, 0),
            _ => {}
        }
    }

    /// `left + gap <= right`
    fn learn_order(
        &mut self,
        pool: &TermPool,
        known: &mut Known,
        left: (TermId, Option<Range>),
        right: (TermId, Option<Range>),
        gap: i128,
    ) {
        if let Some(r) = right.1 {
            self.restrict(pool, known, left.0, i128::MIN, r.high.saturating_sub(gap), DEPTH);
        }
        if let Some(l) = left.1 {
            self.restrict(pool, known, right.0, l.low.saturating_add(gap), i128::MAX, DEPTH);
        }
    }

    /// A term lies in an interval; so do some of its parts.
    fn restrict(&mut self, pool: &TermPool, known: &mut Known, t: TermId, low: i128, high: i128, depth: u32) {
        if pool.is_value(t) {
            return;
        }
        // Bounds beyond the numbers of ranges say less, or nothing.
        let low = if low < -range::GREATEST { i128::MIN } else { low.min(range::GREATEST) };
        let high = if high > range::GREATEST { i128::MAX } else { high.max(-range::GREATEST) };
        let (low, high) = match self.range_known(pool, known, t) {
            Some(now) => {
                let (low, high) = (low.max(now.low), high.min(now.high));
                if low > high || (low == now.low && high == now.high) {
                    return;
                }
                (low, high)
            }
            None => match known.get(&t) {
                Some(&(l, h)) => (low.max(l), high.min(h)),
                None => (low, high),
            },
        };
        if low > high {
            return;
        }
        known.insert(t, (low, high));
        if depth == 0 {
            return;
        }
        let args = pool.args(t);
        match pool.op(t) {
            Op::BvSignExt(_) => self.restrict(pool, known, args[0], low, high, depth - 1),
            Op::BvZeroExt(_) => {
                let inner = args[0];
                if self.range_known(pool, known, inner).is_some_and(|r| r.low >= 0) {
                    self.restrict(pool, known, inner, low, high, depth - 1);
                }
            }
            Op::BvAdd | Op::Add if args.len() == 2 => {
                for (x, c) in [(args[0], args[1]), (args[1], args[0])] {
                    let Some(c) = range::number(pool, c) else { continue };
                    let shift = |n: i128| if n == i128::MIN || n == i128::MAX { Some(n) } else { n.checked_sub(c) };
                    let (Some(l), Some(h)) = (shift(low), shift(high)) else { continue };
                    // No wrap-around.
                    let is_exact = pool.op(t) == Op::Add
                        || match (self.range_known(pool, known, x), range::of_sort(pool, pool.sort(t))) {
                            (Some(r), Some(all)) => {
                                r.low.saturating_add(c) >= all.low && r.high.saturating_add(c) <= all.high
                            }
                            _ => false,
                        };
                    if is_exact {
                        self.restrict(pool, known, x, l, h, depth - 1);
                    }
                }
            }
            _ => {}
        }
    }

    // ---- cases ----

    fn cases_of(&self, pool: &TermPool, value: &Scalar) -> Option<Cases> {
        if pool.is_value(value.term) {
            return Some(Rc::new(vec![(value.term, TermId::TRUE)]));
        }
        value.cases.clone()
    }

    /// What is each of these constants under its condition; one condition holds on every path where it is used.
    fn of_cases(&mut self, pool: &mut TermPool, sort: SortId, cases: Vec<(TermId, TermId)>) -> Scalar {
        let mut by_value: BTreeMap<TermId, Vec<TermId>> = BTreeMap::new();
        for (value, condition) in cases {
            if condition != TermId::FALSE {
                by_value.entry(value).or_default().push(condition);
            }
        }
        if sort == SortId::BOOL {
            let conditions = by_value.remove(&TermId::TRUE).unwrap_or_default();
            let when = pool.or(&conditions);
            return Scalar::new(self.named(pool, when));
        }
        let mut merged: Vec<(TermId, TermId)> = Vec::with_capacity(by_value.len());
        for (value, conditions) in by_value {
            let when = pool.or(&conditions);
            let when = self.named(pool, when);
            merged.push((value, when));
        }
        let Some(&(last, _)) = merged.last() else {
            // No path leads here.
            return Scalar::new(pool.fresh_constant("none", sort));
        };
        let mut term = last;
        for &(value, when) in merged.iter().rev().skip(1) {
            term = pool.ite(when, value, term);
        }
        // The last condition follows from the others, so that a term has one table only, wherever it was made.
        let others: Vec<TermId> = merged.iter().rev().skip(1).map(|c| c.1).collect();
        let otherwise = pool.or(&others);
        let otherwise = self.named(pool, otherwise);
        if let Some(last) = merged.last_mut() {
            last.1 = pool.not(otherwise);
        }
        let is_table = merged.len() > 1 && merged.len() <= MAX_CASES && !pool.is_value(term);
        Scalar { term, cases: is_table.then(|| Rc::new(merged)) }
    }

    // ---- operators ----

    /// An operator applied to numbers and conditions.
    pub(crate) fn apply(&mut self, pool: &mut TermPool, known: &Known, like: TermId, args: &[Scalar]) -> Scalar {
        let op = pool.op(like);
        let terms: Vec<TermId> = args.iter().map(|a| a.term).collect();
        if terms.iter().all(|&a| pool.is_value(a)) || matches!(op, Op::Not | Op::And | Op::Or) {
            let made = pool.rebuild(like, &terms);
            return Scalar::new(match op {
                Op::And | Op::Or => self.named(pool, made),
                _ => self.fold(pool, known, made),
            });
        }
        let sort = pool.sort(like);
        if op == Op::Ite {
            return match self.truth(pool, known, terms[0]) {
                Some(truth) => args[if truth { 1 } else { 2 }].clone(),
                None => {
                    let not = pool.not(terms[0]);
                    self.join(pool, &[terms[0], not], &args[1..])
                }
            };
        }
        if !matches!(op, Op::App(_)) {
            let cases: Option<Vec<Cases>> = args.iter().map(|a| self.cases_of(pool, a)).collect();
            if let Some(cases) = cases
                && cases.iter().try_fold(1usize, |n, c| n.checked_mul(c.len())).is_some_and(|n| n <= MAX_PRODUCT)
            {
                return self.apply_to_cases(pool, like, sort, &cases);
            }
        }
        let made = pool.rebuild(like, &terms);
        Scalar::new(self.fold(pool, known, made))
    }

    fn apply_to_cases(&mut self, pool: &mut TermPool, like: TermId, sort: SortId, cases: &[Cases]) -> Scalar {
        let mut combinations: Vec<(Vec<TermId>, TermId)> = vec![(Vec::new(), TermId::TRUE)];
        for choice in cases {
            let mut longer = Vec::with_capacity(combinations.len() * choice.len());
            for (values, when) in &combinations {
                for &(value, condition) in choice.iter() {
                    let both = if *when == condition { *when } else { self.and(pool, *when, condition) };
                    if both != TermId::FALSE {
                        let values: Vec<TermId> = values.iter().copied().chain([value]).collect();
                        longer.push((values, both));
                    }
                }
            }
            combinations = longer;
        }
        let mut results = Vec::with_capacity(combinations.len());
        for (values, when) in combinations {
            results.push((pool.rebuild(like, &values), when));
        }
        if results.iter().all(|(value, _)| pool.is_value(*value)) {
            return self.of_cases(pool, sort, results);
        }
        // Division by zero and the like: no literal.
        let (conditions, values): (Vec<TermId>, Vec<TermId>) = results.into_iter().map(|(v, c)| (c, v)).unzip();
        Scalar::new(self.chain(pool, &conditions, &values))
    }

    /// Is a condition true or false on a path?
    pub(crate) fn truth(&mut self, pool: &mut TermPool, known: &Known, condition: TermId) -> Option<bool> {
        match self.fold(pool, known, condition) {
            TermId::TRUE => Some(true),
            TermId::FALSE => Some(false),
            _ => None,
        }
    }

    /// The same in fewer words, by ranges and by what is known.
    pub(crate) fn fold(&mut self, pool: &mut TermPool, known: &Known, t: TermId) -> TermId {
        let op = pool.op(t);
        let sort = pool.sort(t);
        if sort == SortId::BOOL {
            if let Some(&(truth, _)) = known.get(&t) {
                return pool.bool(truth == 1);
            }
            if op == Op::Not {
                let inner = pool.arg(t, 0);
                let folded = self.fold(pool, known, inner);
                return if folded == inner { t } else { pool.not(folded) };
            }
            return match range::decide(pool, t, |a| self.range_known(pool, known, a)) {
                Some(truth) => pool.bool(truth),
                None => t,
            };
        }
        // Bits cut off a number that has no more, and filled up again.
        if let Op::BvZeroExt(n) | Op::BvSignExt(n) = op
            && let Op::BvExtract(high, 0) = pool.op(pool.arg(t, 0))
        {
            let whole = pool.arg(pool.arg(t, 0), 0);
            let width = pool.bitvec_width(pool.sort(whole)).unwrap_or_default();
            let fits = self.range_known(pool, known, whole).is_some_and(|r| match op {
                Op::BvZeroExt(_) => high < 120 && r.is_within(0, (1 << (high + 1)) - 1),
                _ => Range::of_width(high + 1).is_some_and(|all| r.is_within(all.low, all.high)),
            });
            if fits && width == high + 1 + n {
                return whole;
            }
        }
        if (pool.bitvec_width(sort).is_some() || sort == SortId::INT)
            && !pool.is_value(t)
            && let Some(n) = self.range_known(pool, known, t).and_then(Range::as_point)
        {
            return literal(pool, sort, n);
        }
        t
    }

    // ---- joins ----

    /// The value that is each of these under its condition.
    pub(crate) fn join(&mut self, pool: &mut TermPool, conditions: &[TermId], values: &[Scalar]) -> Scalar {
        if values.iter().all(|v| v.term == values[0].term) {
            let all_have = values.iter().all(|v| v.cases.is_some());
            return if all_have { values[0].clone() } else { Scalar::new(values[0].term) };
        }
        let sort = pool.sort(values[0].term);
        let cases: Option<Vec<Cases>> = values.iter().map(|v| self.cases_of(pool, v)).collect();
        if let Some(cases) = cases
            && sort != SortId::BOOL
        {
            let mut all = Vec::new();
            for (&condition, cases) in conditions.iter().zip(&cases) {
                for &(value, when) in cases.iter() {
                    all.push((value, self.and(pool, condition, when)));
                }
            }
            return self.of_cases(pool, sort, all);
        }
        let terms: Vec<TermId> = values.iter().map(|v| v.term).collect();
        Scalar::new(self.chain(pool, conditions, &terms))
    }

    fn chain(&mut self, pool: &mut TermPool, conditions: &[TermId], values: &[TermId]) -> TermId {
        let mut groups: Vec<(TermId, Vec<TermId>)> = Vec::new();
        for (&condition, &value) in conditions.iter().zip(values) {
            if condition == TermId::FALSE {
                continue;
            }
            match groups.iter_mut().find(|g| g.0 == value) {
                Some(group) => group.1.push(condition),
                None => groups.push((value, vec![condition])),
            }
        }
        let Some((last, _)) = groups.pop() else { return values[0] };
        let mut term = last;
        for (value, conditions) in groups.into_iter().rev() {
            let when = pool.or(&conditions);
            let when = self.named(pool, when);
            term = pool.ite(when, value, term);
        }
        if pool.sort(term) == SortId::BOOL { self.named(pool, term) } else { term }
    }

    /// The array that is each of these under its condition; all that as far as `guard` holds.
    pub(crate) fn join_arrays(
        &mut self,
        pool: &mut TermPool,
        guard: TermId,
        conditions: &[TermId],
        arrays: &[Rc<Cells>],
    ) -> Rc<Cells> {
        let first = &arrays[0];
        let mut keys: Vec<TermId> = Vec::new();
        for other in &arrays[1..] {
            if !Rc::ptr_eq(first, other) {
                keys.extend(first.cells.differing_keys(&other.cells).into_iter().copied());
            }
        }
        let mut base = first.base;
        if arrays.iter().any(|a| a.base != base) {
            for array in arrays {
                keys.extend(array.cells.keys().copied());
            }
            base = pool.fresh_constant("memory", pool.sort(base));
            for (&condition, array) in conditions.iter().zip(arrays) {
                let equal = pool.eq(base, array.base);
                let here = pool.and2(guard, condition);
                let definition = pool.implies(here, equal);
                self.define(base, definition);
            }
        }
        keys.sort_unstable();
        keys.dedup();
        let mut cells = first.cells.clone();
        for key in keys {
            let values: Vec<Scalar> = arrays.iter().map(|a| cell(pool, a, key)).collect();
            let joined = self.join(pool, conditions, &values);
            cells.insert(key, joined);
        }
        Rc::new(Cells { base, cells })
    }

    // ---- arrays ----

    /// The indices that an index can be; `None` if they are too many.
    fn indices(&mut self, pool: &mut TermPool, known: &Known, index: TermId, most: i128) -> Option<Vec<TermId>> {
        let range = self.range_known(pool, known, index)?;
        if range.count() > most {
            return None;
        }
        let sort = pool.sort(index);
        Some(range.numbers().map(|n| literal(pool, sort, n)).collect())
    }

    pub(crate) fn read(&mut self, pool: &mut TermPool, known: &Known, array: &Cells, index: &Scalar) -> Scalar {
        if pool.is_value(index.term) {
            return cell(pool, array, index.term);
        }
        if let Some(cases) = &index.cases {
            let (mut conditions, mut values) = (Vec::new(), Vec::new());
            for &(place, when) in cases.iter() {
                conditions.push(when);
                values.push(cell(pool, array, place));
            }
            return self.join(pool, &conditions, &values);
        }
        let index = index.term;
        if let Some(places) = self.indices(pool, known, index, MAX_READ) {
            let values: Vec<TermId> = places.iter().map(|&p| cell(pool, array, p).term).collect();
            return Scalar::new(search(pool, index, &places, &values));
        }
        // Any cell that was written, or none of them.
        if array.cells.len() as i128 <= MAX_WRITTEN {
            let mut value = pool.select(array.base, index);
            for (&place, there) in array.cells.iter() {
                let is_there = pool.eq(index, place);
                value = pool.ite(is_there, there.term, value);
            }
            return Scalar::new(value);
        }
        let whole = self.materialise(pool, array);
        Scalar::new(pool.select(whole, index))
    }

    pub(crate) fn write(
        &mut self,
        pool: &mut TermPool,
        known: &Known,
        array: &Cells,
        index: &Scalar,
        value: Scalar,
    ) -> Cells {
        let mut after = array.clone();
        if pool.is_value(index.term) {
            after.cells.insert(index.term, value);
            return after;
        }
        if let Some(cases) = &index.cases {
            for &(place, when) in cases.iter() {
                let before = cell(pool, array, place);
                let not = pool.not(when);
                let changed = self.join(pool, &[when, not], &[value.clone(), before]);
                after.cells.insert(place, changed);
            }
            return after;
        }
        let index = index.term;
        if let Some(places) = self.indices(pool, known, index, MAX_WRITTEN) {
            for place in places {
                let before = cell(pool, array, place);
                let is_there = pool.eq(index, place);
                let changed = pool.ite(is_there, value.term, before.term);
                after.cells.insert(place, Scalar::new(changed));
            }
            return after;
        }
        if array.cells.len() as i128 <= MAX_WRITTEN {
            for (&place, before) in array.cells.iter() {
                let is_there = pool.eq(index, place);
                let changed = pool.ite(is_there, value.term, before.term);
                after.cells.insert(place, Scalar::new(changed));
            }
            after.base = pool.store(array.base, index, value.term);
            return after;
        }
        let whole = self.materialise(pool, array);
        Cells { base: pool.store(whole, index, value.term), cells: SharedMap::new() }
    }

    /// The array as one term.
    pub(crate) fn materialise(&mut self, pool: &mut TermPool, array: &Cells) -> TermId {
        let mut whole = array.base;
        for (&place, value) in array.cells.iter() {
            whole = pool.store(whole, place, value.term);
        }
        whole
    }

    // ---- terms of the program ----

    /// The value of a term of the program; `None` if it has a quantifier.
    pub(crate) fn evaluate(
        &mut self,
        pool: &mut TermPool,
        known: &Known,
        t: TermId,
        variable: impl Fn(TermId) -> Option<Val>,
    ) -> Option<Val> {
        let order = match self.orders.get(&t) {
            Some(order) => order.clone(),
            None => {
                let mut order = Vec::new();
                let mut has_quantifier = false;
                pool.visit_postorder(&[t], |s| {
                    has_quantifier |= matches!(pool.op(s), Op::Forall(_) | Op::Exists(_));
                    order.push(s);
                });
                let order = (!has_quantifier).then(|| Rc::new(order));
                self.orders.insert(t, order.clone());
                order
            }
        }?;
        let mut found: FastMap<TermId, Val> = FastMap::default();
        for &s in order.iter() {
            let value = match variable(s) {
                Some(value) => value,
                None => self.evaluate_one(pool, known, s, &found)?,
            };
            found.insert(s, value);
        }
        found.remove(&t)
    }

    fn evaluate_one(
        &mut self,
        pool: &mut TermPool,
        known: &Known,
        s: TermId,
        found: &FastMap<TermId, Val>,
    ) -> Option<Val> {
        let args = pool.args(s).to_vec();
        let array = |t: TermId| match found.get(&t) {
            Some(Val::Array(cells)) => Some(cells.clone()),
            _ => None,
        };
        let is_array = pool.array_parts(pool.sort(s)).is_some();
        let plain = |base: TermId| Some(Val::Array(Rc::new(Cells { base, cells: SharedMap::new() })));
        match pool.op(s) {
            Op::Select => {
                let cells = array(args[0])?;
                let index = self.scalar(pool, found.get(&args[1])?);
                if is_array {
                    let whole = self.materialise(pool, &cells);
                    return plain(pool.select(whole, index.term));
                }
                return Some(Val::Scalar(self.read(pool, known, &cells, &index)));
            }
            Op::Store => {
                let cells = array(args[0])?;
                let (index, value) = (self.scalar(pool, found.get(&args[1])?), self.scalar(pool, found.get(&args[2])?));
                return Some(Val::Array(Rc::new(self.write(pool, known, &cells, &index, value))));
            }
            Op::Ite if is_array => {
                let (a, b) = (array(args[1])?, array(args[2])?);
                let condition = self.scalar(pool, found.get(&args[0])?).term;
                if let Some(truth) = self.truth(pool, known, condition) {
                    return Some(Val::Array(if truth { a } else { b }));
                }
                let not = pool.not(condition);
                return Some(Val::Array(self.join_arrays(pool, TermId::TRUE, &[condition, not], &[a, b])));
            }
            _ => {}
        }
        let mut scalars = Vec::with_capacity(args.len());
        for a in &args {
            scalars.push(self.scalar(pool, found.get(a)?));
        }
        if is_array {
            let terms: Vec<TermId> = scalars.iter().map(|s| s.term).collect();
            return plain(pool.rebuild(s, &terms));
        }
        Some(Val::Scalar(self.apply(pool, known, s, &scalars)))
    }

    /// A value as one term.
    pub(crate) fn scalar(&mut self, pool: &mut TermPool, value: &Val) -> Scalar {
        match value {
            Val::Scalar(scalar) => scalar.clone(),
            Val::Array(cells) => Scalar::new(self.materialise(pool, cells)),
        }
    }
}

fn cell(pool: &mut TermPool, array: &Cells, index: TermId) -> Scalar {
    match array.cells.get(&index) {
        Some(value) => value.clone(),
        None => Scalar::new(pool.select(array.base, index)),
    }
}

/// The value at the place that the index is: a tree of comparisons with the middle.
fn search(pool: &mut TermPool, index: TermId, places: &[TermId], values: &[TermId]) -> TermId {
    if values.iter().all(|v| *v == values[0]) {
        return values[0];
    }
    let middle = places.len() / 2;
    let left = search(pool, index, &places[..middle], &values[..middle]);
    let right = search(pool, index, &places[middle..], &values[middle..]);
    let below = if pool.bitvec_width(pool.sort(index)).is_some() {
        pool.bv(Op::BvSlt, &[index, places[middle]])
    } else {
        pool.lt(index, places[middle])
    };
    pool.ite(below, left, right)
}
