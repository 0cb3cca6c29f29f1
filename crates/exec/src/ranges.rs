//! Integers that are known up to an interval, beside the values and gaps of [`crate::valuation`].
//!
//! A variable that takes very many values keeps a program from having few states, though often only a few comparisons
//! ask for it: whether it is at most 11, or above 80. The constants that a variable is compared with cut the integers
//! into *cells*. Between two loop heads the values of such *wide* variables are computed as intervals; at a loop head a
//! wide variable is in one of its cells, and a state whose interval meets several of them becomes several states. So
//! there are finitely many states, which cover all that executions reach. (Intervals: Cousot and Cousot, "Static
//! Determination of Dynamic Properties of Programs", 1976; cells: predicate abstraction with the comparisons of the
//! program as predicates.)
//!
//! An interval is a gap with a number of its own, so whoever knows nothing of intervals sees a gap.

use crate::valuation::{Evaluator, Layout, Values, gap, interval_gap, interval_number};
use base::IdVec;
use ir::{Icfg, Label, Stmt, VarId};
use logic::{FastMap, Op, SortId, TermId, TermPool, Value};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// The integers from `low` to `high`; without a bound where there is none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Interval {
    pub(crate) low: Option<i128>,
    pub(crate) high: Option<i128>,
}

impl Interval {
    const ALL: Interval = Interval { low: None, high: None };

    fn point(n: i128) -> Interval {
        Interval { low: Some(n), high: Some(n) }
    }
    fn as_point(self) -> Option<i128> {
        self.low.filter(|low| self.high == Some(*low))
    }
    /// The integers of both; `None` if there are none.
    fn meet(self, other: Interval) -> Option<Interval> {
        let low = match (self.low, other.low) {
            (Some(a), Some(b)) => Some(a.max(b)),
            (known, None) | (None, known) => known,
        };
        let high = match (self.high, other.high) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (known, None) | (None, known) => known,
        };
        let is_empty = low.zip(high).is_some_and(|(low, high)| low > high);
        (!is_empty).then_some(Interval { low, high })
    }
    fn hull(self, other: Interval) -> Interval {
        let both = |a: Option<i128>, b: Option<i128>, of: fn(i128, i128) -> i128| Some(of(a?, b?));
        Interval { low: both(self.low, other.low, i128::min), high: both(self.high, other.high, i128::max) }
    }
    fn plus(self, other: Interval) -> Interval {
        let add = |a: Option<i128>, b: Option<i128>| a?.checked_add(b?);
        Interval { low: add(self.low, other.low), high: add(self.high, other.high) }
    }
    fn times(self, other: Interval) -> Interval {
        // With one factor known, a missing bound stays on its side.
        let scaled = |factor: i128, of: Interval| {
            let by = |n: Option<i128>| n.and_then(|n| n.checked_mul(factor));
            match factor {
                0 => Interval::point(0),
                1.. => Interval { low: by(of.low), high: by(of.high) },
                _ => Interval { low: by(of.high), high: by(of.low) },
            }
        };
        match (self.as_point(), other.as_point()) {
            (Some(factor), _) => scaled(factor, other),
            (_, Some(factor)) => scaled(factor, self),
            (None, None) => {
                let (Some(a), Some(b), Some(c), Some(d)) = (self.low, self.high, other.low, other.high) else {
                    return Interval::ALL;
                };
                let corners = [(a, c), (a, d), (b, c), (b, d)].map(|(x, y)| x.checked_mul(y));
                let known: Option<Vec<i128>> = corners.into_iter().collect();
                known.map_or(Interval::ALL, |k| Interval { low: k.iter().copied().min(), high: k.into_iter().max() })
            }
        }
    }
    /// Euclidean division by a number other than zero.
    fn divided_by(self, divisor: i128) -> Interval {
        let by = |n: Option<i128>| n.and_then(|n| n.checked_div_euclid(divisor));
        match divisor {
            1.. => Interval { low: by(self.low), high: by(self.high) },
            _ => Interval { low: by(self.high), high: by(self.low) },
        }
    }
    /// The Euclidean remainder of a division by a number other than zero.
    fn modulo(self, divisor: i128) -> Interval {
        let Some(largest) = divisor.checked_abs().map(|d| d - 1) else { return Interval::ALL };
        let quotient = self.divided_by(divisor);
        match (self.low, self.high) {
            (Some(low), Some(high)) if quotient.as_point().is_some() => {
                Interval { low: low.checked_rem_euclid(divisor), high: high.checked_rem_euclid(divisor) }
            }
            _ => Interval { low: Some(0), high: Some(largest) },
        }
    }
}

/// The intervals that occur, and the cells of the variables.
pub(crate) struct Ranges {
    known: Vec<Interval>,
    numbers: FastMap<Interval, u32>,
    by_term: FastMap<TermId, VarId>,
    /// The largest integer of each cell but the last, sorted.
    cuts: IdVec<VarId, Vec<i128>>,
    wide: Vec<VarId>,
}

/// A state does not become more states than this; instead less is known.
const MAX_SPLIT: usize = 64;
/// Larger terms are ignored.
const MAX_NODES: u32 = 2_000;

impl Ranges {
    /// `wide`: the variables that are known up to their cells at loop heads.
    pub(crate) fn new(icfg: &Icfg, pool: &TermPool, wide: &[VarId]) -> Ranges {
        let by_term: FastMap<TermId, VarId> = icfg.vars.iter().map(|(v, data)| (data.term, v)).collect();
        let cuts = if wide.is_empty() { IdVec::new() } else { cuts(icfg, pool, &by_term) };
        Ranges { known: Vec::new(), numbers: FastMap::default(), by_term, cuts, wide: wide.to_vec() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.wide.is_empty()
    }

    fn of(&self, value: &Value) -> Interval {
        match (value, interval_number(value)) {
            (_, Some(number)) => self.known.get(number as usize).copied().unwrap_or(Interval::ALL),
            (Value::Num(n), None) => n.to_i64().map_or(Interval::ALL, |n| Interval::point(i128::from(n))),
            _ => Interval::ALL,
        }
    }

    fn value(&mut self, interval: Interval) -> Value {
        match interval.as_point().and_then(|n| i64::try_from(n).ok()) {
            Some(n) => Value::int(n),
            None if interval == Interval::ALL => gap(),
            None => {
                let next = self.known.len() as u32;
                let number = *self.numbers.entry(interval).or_insert(next);
                if number == next {
                    self.known.push(interval);
                }
                interval_gap(number)
            }
        }
    }

    /// The value of a term of sort Int that is not known exactly.
    pub(crate) fn approximate(&mut self, evaluator: &Evaluator<'_>, t: TermId) -> Value {
        let interval = Reader { evaluator, ranges: self, fuel: Cell::new(MAX_NODES) }.interval(t);
        self.value(interval)
    }

    /// Is the formula not surely false?
    pub(crate) fn may_hold(&self, evaluator: &Evaluator<'_>, t: TermId) -> bool {
        Reader { evaluator, ranges: self, fuel: Cell::new(MAX_NODES) }.truth(t) != Some(false)
    }

    /// What an assumption that was passed says about variables.
    pub(crate) fn narrowed(&mut self, evaluator: &Evaluator<'_>, condition: TermId) -> Vec<(VarId, Value)> {
        let pool = evaluator.pool;
        let mut found: BTreeMap<VarId, Interval> = BTreeMap::new();
        for literal in pool.conjuncts(condition) {
            let (atom, positive) = match pool.op(literal) {
                Op::Not => (pool.arg(literal, 0), false),
                _ => (literal, true),
            };
            for (term, allowed) in bounds(pool, atom, positive) {
                let Some(&v) = self.by_term.get(&term) else { continue };
                let now = found.get(&v).copied().unwrap_or_else(|| self.of(&evaluator.eval(term)));
                if let Some(met) = now.meet(allowed).filter(|met| *met != now) {
                    found.insert(v, met);
                }
            }
        }
        found.into_iter().map(|(v, interval)| (v, self.value(interval))).collect()
    }

    /// At a loop head: the states, one for each choice of cells of the wide variables.
    pub(crate) fn in_cells(&mut self, layout: &Layout, values: &Values) -> Vec<Values> {
        let mut states = vec![values.clone()];
        let holds_interval = |v: VarId| interval_number(values.get(layout, v)).is_some();
        let concerned: Vec<VarId> = self.cuts.ids().filter(|v| self.wide.contains(v) || holds_interval(*v)).collect();
        for v in concerned {
            let value = values.get(layout, v);
            if matches!(value, Value::Element(..)) && interval_number(value).is_none() {
                continue;
            }
            let now = self.of(value);
            if now == Interval::ALL {
                for state in &mut states {
                    state.set(layout, v, gap());
                }
                continue;
            }
            let cells: Vec<Interval> = self.cells(v).into_iter().filter(|cell| cell.meet(now).is_some()).collect();
            let mut values: Vec<Value> = cells.into_iter().map(|cell| self.value(cell)).collect();
            if states.len() * values.len() > MAX_SPLIT {
                values = vec![gap()];
            }
            states = states
                .iter()
                .flat_map(|state| {
                    values.iter().map(|value| {
                        let mut copy = state.clone();
                        copy.set(layout, v, value.clone());
                        copy
                    })
                })
                .collect();
        }
        states
    }

    fn cells(&self, v: VarId) -> Vec<Interval> {
        let cuts = &self.cuts[v];
        let lows = std::iter::once(None).chain(cuts.iter().map(|c| c.checked_add(1)));
        let highs = cuts.iter().copied().map(Some).chain([None]);
        lows.zip(highs).map(|(low, high)| Interval { low, high }).collect()
    }
}

/// What a comparison with a number says about a term, if it is true (or false).
fn bounds(pool: &TermPool, atom: TermId, positive: bool) -> Vec<(TermId, Interval)> {
    let &[a, b] = pool.args(atom) else { return Vec::new() };
    if pool.sort(a) != SortId::INT {
        return Vec::new();
    }
    let number = |t: TermId| pool.number(t).and_then(|n| n.to_i64()).map(i128::from);
    let at_most = |n: i128| Interval { low: None, high: Some(n) };
    let at_least = |n: i128| Interval { low: Some(n), high: None };
    match (pool.op(atom), number(a), number(b), positive) {
        (Op::Le, None, Some(n), true) => vec![(a, at_most(n))],
        (Op::Le, None, Some(n), false) => vec![(a, at_least(n + 1))],
        (Op::Le, Some(n), None, true) => vec![(b, at_least(n))],
        (Op::Le, Some(n), None, false) => vec![(b, at_most(n - 1))],
        (Op::Lt, None, Some(n), true) => vec![(a, at_most(n - 1))],
        (Op::Lt, None, Some(n), false) => vec![(a, at_least(n))],
        (Op::Lt, Some(n), None, true) => vec![(b, at_least(n + 1))],
        (Op::Lt, Some(n), None, false) => vec![(b, at_most(n))],
        (Op::Eq, None, Some(n), true) => vec![(a, Interval::point(n))],
        (Op::Eq, Some(n), None, true) => vec![(b, Interval::point(n))],
        _ => Vec::new(),
    }
}

/// Where the comparisons of the program cut the integers, for each variable; variables that are copied into each other
/// share their cuts.
fn cuts(icfg: &Icfg, pool: &TermPool, by_term: &FastMap<TermId, VarId>) -> IdVec<VarId, Vec<i128>> {
    let mut own: IdVec<VarId, BTreeSet<i128>> = IdVec::from_elem(BTreeSet::new(), icfg.vars.len());
    let mut class: IdVec<VarId, VarId> = icfg.vars.ids().collect();
    fn find(class: &IdVec<VarId, VarId>, mut v: VarId) -> VarId {
        while class[v] != v {
            v = class[v];
        }
        v
    }
    let mut terms: Vec<TermId> = Vec::new();
    for edge in icfg.edges.values() {
        match &edge.label {
            Label::Stmt(Stmt::Assume(condition)) => terms.push(*condition),
            Label::Stmt(Stmt::Assign(pairs)) => {
                for &(v, t) in pairs {
                    terms.push(t);
                    if let Some(&w) = by_term.get(&t) {
                        let (a, b) = (find(&class, v), find(&class, w));
                        class[a] = b;
                    }
                }
            }
            _ => {}
        }
    }
    let mut found: Vec<(VarId, i128)> = Vec::new();
    pool.visit_postorder(&terms, |t| {
        for positive in [true, false] {
            for (term, interval) in bounds(pool, t, positive) {
                if let Some(&v) = by_term.get(&term) {
                    // A cell ends at the upper bound and below the lower one.
                    found.extend(interval.high.map(|n| (v, n)));
                    found.extend(interval.low.and_then(|n| Some((v, n.checked_sub(1)?))));
                }
            }
        }
    });
    for (v, cut) in found {
        own[find(&class, v)].insert(cut);
    }
    icfg.vars.ids().map(|v| own[find(&class, v)].iter().copied().collect()).collect()
}

/// Evaluates terms over intervals.
struct Reader<'a> {
    evaluator: &'a Evaluator<'a>,
    ranges: &'a Ranges,
    fuel: Cell<u32>,
}

impl Reader<'_> {
    fn is_spent(&self) -> bool {
        let left = self.fuel.get();
        self.fuel.set(left.saturating_sub(1));
        left == 0
    }

    fn interval(&self, t: TermId) -> Interval {
        let pool = self.evaluator.pool;
        if self.is_spent() || pool.sort(t) != SortId::INT {
            return Interval::ALL;
        }
        let args = pool.args(t);
        match (pool.op(t), args) {
            (Op::Add, _) => args.iter().map(|a| self.interval(*a)).fold(Interval::point(0), Interval::plus),
            (Op::Mul, _) => args.iter().map(|a| self.interval(*a)).fold(Interval::point(1), Interval::times),
            (Op::IntDiv | Op::Mod, &[a, b]) => match self.interval(b).as_point() {
                None | Some(0) => Interval::ALL,
                Some(divisor) if pool.op(t) == Op::Mod => self.interval(a).modulo(divisor),
                Some(divisor) => self.interval(a).divided_by(divisor),
            },
            (Op::Ite, &[c, a, b]) => match self.truth(c) {
                Some(true) => self.interval(a),
                Some(false) => self.interval(b),
                None => self.interval(a).hull(self.interval(b)),
            },
            _ => self.ranges.of(&self.evaluator.eval(t)),
        }
    }

    /// `None`: that is not known.
    fn truth(&self, t: TermId) -> Option<bool> {
        let pool = self.evaluator.pool;
        if self.is_spent() {
            return None;
        }
        let args = pool.args(t);
        match (pool.op(t), args) {
            (Op::Not, &[a]) => self.truth(a).map(|v| !v),
            (Op::And | Op::Or, _) => {
                let decisive = pool.op(t) == Op::Or;
                let mut result = Some(!decisive);
                for &arg in args {
                    match self.truth(arg) {
                        Some(v) if v == decisive => return Some(decisive),
                        Some(_) => {}
                        None => result = None,
                    }
                }
                result
            }
            (Op::Ite, &[c, a, b]) => match self.truth(c) {
                Some(true) => self.truth(a),
                Some(false) => self.truth(b),
                None => self.truth(a).filter(|v| self.truth(b) == Some(*v)),
            },
            (Op::Le | Op::Lt | Op::Eq, &[a, b]) if pool.sort(a) == SortId::INT => {
                let (a, b) = (self.interval(a), self.interval(b));
                let below = |x: Option<i128>, y: Option<i128>| x.zip(y).is_some_and(|(x, y)| x < y);
                let at_most = |x: Option<i128>, y: Option<i128>| x.zip(y).is_some_and(|(x, y)| x <= y);
                match pool.op(t) {
                    Op::Le if at_most(a.high, b.low) => Some(true),
                    Op::Le if below(b.high, a.low) => Some(false),
                    Op::Lt if below(a.high, b.low) => Some(true),
                    Op::Lt if at_most(b.high, a.low) => Some(false),
                    Op::Eq if a.as_point().is_some() && a.as_point() == b.as_point() => Some(true),
                    Op::Eq if below(a.high, b.low) || below(b.high, a.low) => Some(false),
                    _ => None,
                }
            }
            _ => match self.evaluator.eval(t) {
                Value::Bool(value) => Some(value),
                _ => None,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every operation on intervals contains what it gives for the integers in them.
    #[test]
    fn intervals_contain_what_is_computed() {
        let contains = |i: Interval, n: i128| i.low.is_none_or(|l| l <= n) && i.high.is_none_or(|h| n <= h);
        let intervals: Vec<Interval> =
            (-4..4).flat_map(|l| (l..5).map(move |h| Interval { low: Some(l), high: Some(h) })).collect();
        for &a in &intervals {
            for &b in &intervals {
                let members = |i: Interval| i.low.unwrap_or(0)..=i.high.unwrap_or(0);
                for x in members(a) {
                    for y in members(b) {
                        assert!(contains(a.plus(b), x + y));
                        assert!(contains(a.times(b), x * y), "{a:?} {b:?}");
                        assert!(contains(a.hull(b), x) && contains(a.hull(b), y));
                        if y != 0 {
                            assert!(contains(a.divided_by(y), x.div_euclid(y)));
                            assert!(contains(a.modulo(y), x.rem_euclid(y)));
                        }
                        if x == y {
                            assert!(a.meet(b).is_some_and(|m| contains(m, x)));
                        }
                    }
                }
            }
        }
        let above = Interval { low: Some(3), high: None };
        assert_eq!(above.times(Interval::point(-2)), Interval { low: None, high: Some(-6) });
        assert_eq!(above.divided_by(-2), Interval { low: None, high: Some(-1) });
        assert_eq!(above.modulo(5), Interval { low: Some(0), high: Some(4) });
    }
}
