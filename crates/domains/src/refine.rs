//! Backward: the states in which a condition holds (constraint propagation, as in Benhamou et al.: Revising Hull and
//! Box Consistency, ICLP 1999).
//!
//! A bound on a sum bounds each of its parts by what the others leave, and each pair of a pack.

use crate::Domain;
use crate::congruence::Congruence;
use crate::interval::Interval;
use crate::number::Number;
use crate::octagon::{Form, Octagon};
use crate::state::State;
use crate::value::{Truth, Value};
use crate::word::Word;
use logic::{BigInt, Linear, Op, Rational, SortId, TermId, TermPool};
use std::collections::BTreeSet;

/// Disjunctions with more parts are only asked whether some part is possible.
const MAX_CASES: usize = 4;
/// Deeper conditions are not looked into.
const MAX_DEPTH: usize = 24;

impl State {
    /// Keeps the states in which a condition has a truth value.
    pub(crate) fn refine(&mut self, pool: &TermPool, condition: TermId, holds: bool) {
        self.refine_within(pool, condition, holds, 0);
        self.settle_packs(pool);
    }

    /// Tells the octagons what was found out about their variables.
    fn settle_packs(&mut self, pool: &TermPool) {
        let mut touched = std::mem::take(&mut self.touched);
        touched.sort_unstable();
        touched.dedup();
        for pack in touched {
            if let Some(octagon) = self.packs.get(&pack).filter(|_| !self.is_bottom) {
                let octagon = (**octagon).clone();
                self.take_octagon(pool, pack, octagon);
            }
        }
    }

    fn refine_within(&mut self, pool: &TermPool, condition: TermId, holds: bool, depth: usize) {
        if self.is_bottom || !self.may_look() {
            return;
        }
        let known = self.evaluate(pool, condition).truth();
        if holds && known.is_false() || !holds && known.is_true() {
            return self.fail();
        }
        if known != Truth::ANY || depth > MAX_DEPTH {
            return;
        }
        let arg = |i: usize| pool.arg(condition, i);
        match pool.op(condition) {
            Op::Not => self.refine_within(pool, arg(0), !holds, depth + 1),
            Op::And | Op::Or if (pool.op(condition) == Op::And) == holds => {
                // What a later part says may sharpen what an earlier one says.
                for _ in 0..2 {
                    for &part in pool.args(condition) {
                        self.refine_within(pool, part, holds, depth + 1);
                    }
                }
            }
            Op::And | Op::Or => {
                let cases: Vec<TermId> = pool.args(condition).to_vec();
                self.refine_cases(pool, &cases, holds, depth);
            }
            Op::Ite => {
                let (c, a, b) = (arg(0), arg(1), arg(2));
                let mut first = self.clone();
                first.refine_within(pool, c, true, depth + 1);
                first.refine_within(pool, a, holds, depth + 1);
                self.refine_within(pool, c, false, depth + 1);
                self.refine_within(pool, b, holds, depth + 1);
                *self = first.join(pool, self);
            }
            Op::Le | Op::Lt => {
                let mut linear = pool.linear(arg(0));
                linear.add_scaled(&pool.linear(arg(1)), &Rational::MINUS_ONE);
                let is_integer = pool.sort(arg(0)) == SortId::INT;
                if holds {
                    self.bound(pool, &linear, is_integer, depth);
                } else {
                    // Over the reals `>` is taken for `>=`.
                    linear.scale(&Rational::MINUS_ONE);
                    if is_integer {
                        linear.constant = &linear.constant + &Rational::one();
                    }
                    self.bound(pool, &linear, is_integer, depth);
                }
            }
            Op::Eq => self.refine_equality(pool, arg(0), arg(1), holds, depth),
            op @ (Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle) => {
                let (a, b) = if holds { (arg(0), arg(1)) } else { (arg(1), arg(0)) };
                // `not (a < b)` is `b <= a`.
                let is_strict = matches!(op, Op::BvUlt | Op::BvSlt) == holds;
                self.compare_words(pool, a, b, matches!(op, Op::BvSlt | Op::BvSle), is_strict, depth);
            }
            Op::App(_) | Op::Select => self.refine_term(pool, condition, Value::Truth(Truth::known(holds)), depth),
            _ => {}
        }
    }

    /// At least one of the cases has the truth value.
    fn refine_cases(&mut self, pool: &TermPool, cases: &[TermId], holds: bool, depth: usize) {
        let is_possible = |c: &&TermId| {
            let t = self.evaluate(pool, **c).truth();
            if holds { t.may_be_true } else { t.may_be_false }
        };
        let possible: Vec<TermId> = cases.iter().filter(is_possible).copied().collect();
        if possible.is_empty() {
            return self.fail();
        }
        if possible.len() > MAX_CASES {
            return;
        }
        let mut joined: Option<State> = None;
        for case in possible {
            let mut state = self.clone();
            state.refine_within(pool, case, holds, depth + 1);
            if !state.is_bottom {
                joined = Some(joined.map_or_else(|| state.clone(), |j| j.join(pool, &state)));
            }
        }
        match joined {
            Some(state) => *self = state,
            None => self.fail(),
        }
    }

    fn refine_equality(&mut self, pool: &TermPool, a: TermId, b: TermId, holds: bool, depth: usize) {
        let sort = pool.sort(a);
        if sort.is_arith() {
            let mut difference = pool.linear(a);
            difference.add_scaled(&pool.linear(b), &Rational::MINUS_ONE);
            let is_integer = sort == SortId::INT;
            if holds {
                self.bound(pool, &difference, is_integer, depth);
                self.congruent(pool, &difference, is_integer, depth);
                difference.scale(&Rational::MINUS_ONE);
                self.bound(pool, &difference, is_integer, depth);
            } else if is_integer {
                // A bound that is excluded moves by one.
                let range = self.linear_value(pool, &difference, true).interval;
                if range.hi.as_ref().is_some_and(Rational::is_zero) {
                    difference.constant = &difference.constant + &Rational::one();
                    self.bound(pool, &difference, true, depth);
                } else if range.lo.as_ref().is_some_and(Rational::is_zero) {
                    difference.scale(&Rational::MINUS_ONE);
                    difference.constant = &difference.constant + &Rational::one();
                    self.bound(pool, &difference, true, depth);
                } else if let [(term, factor)] = &difference.terms[..] {
                    // `x ≠ c` at an end of what x can be.
                    let excluded = -(&difference.constant / factor);
                    let now = self.evaluate(pool, *term).interval();
                    let one = Rational::one();
                    let lo = if now.lo.as_ref() == Some(&excluded) { Some(&excluded + &one) } else { now.lo };
                    let hi = if now.hi.as_ref() == Some(&excluded) { Some(&excluded - &one) } else { now.hi };
                    match Interval::new(lo, hi) {
                        Some(left) => self.refine_term(pool, *term, Value::Number(Number::within(left, true)), depth),
                        None => self.fail(),
                    }
                }
            }
            return;
        }
        let (x, y) = (self.evaluate(pool, a), self.evaluate(pool, b));
        match (&x, &y) {
            (Value::Truth(x), Value::Truth(y)) => {
                if *x != Truth::ANY {
                    self.refine_within(pool, b, x.is_true() == holds, depth + 1);
                } else if *y != Truth::ANY {
                    self.refine_within(pool, a, y.is_true() == holds, depth + 1);
                }
            }
            (Value::Word(_), Value::Word(_)) if holds => {
                self.refine_term(pool, a, y.clone(), depth);
                self.refine_term(pool, b, x.clone(), depth);
            }
            (Value::Word(x), Value::Word(y)) => {
                for (t, own, other) in [(a, x, y), (b, y, x)] {
                    let Some(excluded) = other.single() else { continue };
                    let mut left = own.clone();
                    if left.lo == *excluded {
                        left.lo += BigInt::ONE;
                    }
                    if left.hi == *excluded {
                        left.hi -= BigInt::ONE;
                    }
                    match left.reduced() {
                        Some(left) => self.refine_term(pool, t, Value::Word(left), depth),
                        None => return self.fail(),
                    }
                }
            }
            _ => {}
        }
    }

    fn compare_words(&mut self, pool: &TermPool, a: TermId, b: TermId, is_signed: bool, is_strict: bool, depth: usize) {
        let word = |state: &State, t: TermId| match state.evaluate(pool, t) {
            Value::Word(w) => Some(w),
            _ => None,
        };
        let (Some(x), Some(y)) = (word(self, a), word(self, b)) else { return };
        let step = if is_strict { BigInt::ONE } else { BigInt::ZERO };
        let (mut less, mut more) = (Word::all(x.width), Word::all(y.width));
        if is_signed {
            less.signed_hi = less.signed_hi.min(&y.signed_hi - &step);
            more.signed_lo = more.signed_lo.max(&x.signed_lo + &step);
        } else {
            less.hi = less.hi.min(&y.hi - &step);
            more.lo = more.lo.max(&x.lo + &step);
        }
        match (less.reduced(), more.reduced()) {
            (Some(less), Some(more)) => {
                self.refine_term(pool, a, Value::Word(less), depth);
                self.refine_term(pool, b, Value::Word(more), depth);
            }
            _ => self.fail(),
        }
    }

    /// `linear ≤ 0`.
    fn bound(&mut self, pool: &TermPool, linear: &Linear, is_integer: bool, depth: usize) {
        if self.is_bottom {
            return;
        }
        if linear.terms.is_empty() {
            if linear.constant.is_positive() {
                self.fail();
            }
            return;
        }
        let lows: Vec<Option<Rational>> =
            linear.terms.iter().map(|(t, f)| self.evaluate(pool, *t).interval().scale(f).lo).collect();
        let n_infinite = lows.iter().filter(|l| l.is_none()).count();
        let total: Rational = lows.iter().flatten().fold(linear.constant.clone(), |sum, l| &sum + l);
        // Twice: the second time a bound may come from a pair.
        let mut packs: BTreeSet<u32> = BTreeSet::new();
        let mut pairs: Vec<(u32, Form, Form, Rational)> = Vec::new();
        for i in 0..linear.terms.len() {
            let (a, factor) = &linear.terms[i];
            let Some((pack, own)) = self.vocabulary.place(*a) else { continue };
            for k in i + 1..linear.terms.len() {
                let (b, its) = &linear.terms[k];
                let Some((same, other)) = self.vocabulary.place(*b) else { continue };
                if pack != same || factor.abs() != its.abs() {
                    continue;
                }
                let n_others = n_infinite - usize::from(lows[i].is_none()) - usize::from(lows[k].is_none());
                if n_others > 0 {
                    continue;
                }
                let zero = Rational::zero();
                let rest = &(&total - lows[i].as_ref().unwrap_or(&zero)) - lows[k].as_ref().unwrap_or(&zero);
                // factor·a + its·b ≤ −rest
                let bound = &-rest / &factor.abs();
                let first = Form { variable: own, negative: factor.is_negative() };
                let second = Form { variable: other, negative: !its.is_negative() };
                pairs.push((pack, first, second, bound));
                packs.insert(pack);
            }
        }
        for (i, (term, factor)) in linear.terms.iter().enumerate() {
            if n_infinite > usize::from(lows[i].is_none()) {
                continue;
            }
            let rest = &total - lows[i].as_ref().unwrap_or(&Rational::zero());
            // factor·term ≤ −rest
            let limit = &-rest / factor;
            let range = if factor.is_positive() {
                Interval { lo: None, hi: Some(limit) }
            } else {
                Interval { lo: Some(limit), hi: None }
            };
            let value = Number { interval: range, congruence: Congruence::ALL, is_integer };
            let Some(value) = value.reduced() else { return self.fail() };
            self.refine_term(pool, *term, Value::Number(value), depth);
            if self.is_bottom {
                return;
            }
        }
        for pack in packs {
            let n = self.vocabulary.pack(pack).len();
            let mut octagon = self.packs.get(&pack).map_or_else(|| Octagon::all(n), |o| (**o).clone());
            for (_, a, b, bound) in pairs.iter().filter(|p| p.0 == pack) {
                octagon.add(*a, *b, bound);
            }
            self.take_octagon(pool, pack, octagon);
        }
    }

    fn take_octagon(&mut self, pool: &TermPool, pack: u32, mut octagon: Octagon) {
        if self.is_bottom {
            return;
        }
        // What is known about the variables alone.
        let vocabulary = self.vocabulary.clone();
        for (i, &variable) in vocabulary.pack(pack).iter().enumerate() {
            let known = self.evaluate(pool, variable).interval();
            if let Some(hi) = &known.hi {
                octagon.add_unary(Form::plus(i), hi);
            }
            if let Some(lo) = &known.lo {
                octagon.add_unary(Form::minus(i), &-lo.clone());
            }
        }
        if !octagon.close() {
            return self.fail();
        }
        self.set_octagon(pack, octagon);
        self.propagate(pool, pack);
    }

    /// `linear = 0`, as far as it says something about residues of single terms.
    fn congruent(&mut self, pool: &TermPool, linear: &Linear, is_integer: bool, depth: usize) {
        if !is_integer || self.is_bottom || linear.terms.len() > 3 {
            return;
        }
        for i in 0..linear.terms.len() {
            let (term, factor) = &linear.terms[i];
            if !(factor.is_one() || factor.is_minus_one()) {
                continue;
            }
            let mut rest = linear.clone();
            rest.terms.remove(i);
            rest.scale(&-factor.clone());
            let rest = self.linear_value(pool, &rest, true);
            let value = Number { interval: Interval::ALL, congruence: rest.congruence, is_integer: true };
            if !value.congruence.is_all() {
                self.refine_term(pool, *term, Value::Number(value), depth);
            }
            if self.is_bottom {
                return;
            }
        }
    }

    /// Keeps the states in which a term has one of these values.
    fn refine_term(&mut self, pool: &TermPool, term: TermId, value: Value, depth: usize) {
        if self.is_bottom {
            return;
        }
        let now = self.evaluate(pool, term);
        let Some(met) = now.meet(&value) else { return self.fail() };
        if met == now || depth > MAX_DEPTH {
            return;
        }
        if pool.as_symbol(term).is_some() {
            self.set_value(term, met.clone());
            let copy = self.copies.get(&term).cloned();
            if let (Some((of, offset)), Value::Number(n)) = (copy, &met) {
                let shifted = n.add(&Number::point(-offset, true));
                self.refine_term(pool, of, Value::Number(shifted), depth + 1);
            }
            if let Some((pack, _)) = self.vocabulary.place(term) {
                self.touched.push(pack);
            }
            return;
        }
        if !self.may_look() {
            return;
        }
        let arg = |i: usize| pool.arg(term, i);
        match (pool.op(term), &met) {
            (Op::Select, _) if State::is_cell(pool, term) => self.set_cell(pool, term, met),
            (Op::Add | Op::Mul, Value::Number(n)) => {
                let linear = pool.linear(term);
                if linear.terms.iter().any(|(t, _)| *t == term) {
                    return; // a product
                }
                if let Some(hi) = &n.interval.hi {
                    let mut above = linear.clone();
                    above.constant = &above.constant - hi;
                    self.bound(pool, &above, n.is_integer, depth + 1);
                }
                if let Some(lo) = &n.interval.lo {
                    let mut below = linear;
                    below.scale(&Rational::MINUS_ONE);
                    below.constant = &below.constant + lo;
                    self.bound(pool, &below, n.is_integer, depth + 1);
                }
            }
            (Op::Mod, Value::Number(n)) => {
                let Some(divisor) = pool.number(arg(1)).map(Rational::abs).filter(|d| !d.is_zero()) else { return };
                let dividend = self.evaluate(pool, arg(0)).interval();
                let whole = Interval { lo: Some(Rational::zero()), hi: Some(&divisor - &Rational::one()) };
                let mut left = Number::all(true);
                if dividend.is_within(&whole) {
                    left.interval = n.interval.clone();
                }
                if let Some(rest) = n.single() {
                    left.congruence = Congruence::new(divisor, rest.clone());
                }
                self.refine_term(pool, arg(0), Value::Number(left), depth + 1);
            }
            (Op::IntDiv, Value::Number(n)) => {
                let Some(divisor) = pool.number(arg(1)).filter(|d| d.is_positive()) else { return };
                let one = Rational::one();
                let lo = n.interval.lo.as_ref().map(|lo| lo * divisor);
                let hi = n.interval.hi.as_ref().map(|hi| &(&(hi + &one) * divisor) - &one);
                if let Some(left) = Interval::new(lo, hi) {
                    self.refine_term(pool, arg(0), Value::Number(Number::within(left, true)), depth + 1);
                }
            }
            (Op::ToReal, Value::Number(n)) => {
                if let Some(whole) = n.interval.tighten() {
                    self.refine_term(pool, arg(0), Value::Number(Number::within(whole, true)), depth + 1);
                } else {
                    self.fail();
                }
            }
            (Op::Ite, _) => {
                let is_possible = |state: &State, t: TermId| state.evaluate(pool, t).meet(&met).is_some();
                match (is_possible(self, arg(1)), is_possible(self, arg(2))) {
                    (false, false) => self.fail(),
                    (true, true) => {}
                    (first, _) => {
                        self.refine_within(pool, arg(0), first, depth + 1);
                        let branch = if first { arg(1) } else { arg(2) };
                        self.refine_term(pool, branch, met, depth + 1);
                    }
                }
            }
            (Op::BvZeroExt(_), Value::Word(w)) => {
                let own = self.evaluate(pool, arg(0));
                if let Value::Word(own) = own {
                    let mut left = Word::all(own.width);
                    left.lo = left.lo.max(w.lo.clone());
                    left.hi = left.hi.min(w.hi.clone());
                    match left.reduced() {
                        Some(left) => self.refine_term(pool, arg(0), Value::Word(left), depth + 1),
                        None => self.fail(),
                    }
                }
            }
            (Op::BvSignExt(_), Value::Word(w)) => {
                let own = self.evaluate(pool, arg(0));
                if let Value::Word(own) = own {
                    let mut left = Word::all(own.width);
                    left.signed_lo = left.signed_lo.max(w.signed_lo.clone());
                    left.signed_hi = left.signed_hi.min(w.signed_hi.clone());
                    match left.reduced() {
                        Some(left) => self.refine_term(pool, arg(0), Value::Word(left), depth + 1),
                        None => self.fail(),
                    }
                }
            }
            _ => {}
        }
    }
}
