//! Forward: what values a term can have in the states of a [`State`].

use crate::congruence::Congruence;
use crate::interval::Interval;
use crate::number::Number;
use crate::octagon::Form;
use crate::state::State;
use crate::value::{Truth, Value};
use crate::word::Word;
use logic::{FastMap, Linear, Op, Rational, TermId, TermPool};

/// Deeper terms are not looked into.
const MAX_DEPTH: usize = 200;
/// In so many conditions inside each other the branches are looked at with the condition assumed.
const MAX_SPLIT: u8 = 2;

impl State {
    /// The values that a term can have. The state has at least one.
    pub fn evaluate(&self, pool: &TermPool, term: TermId) -> Value {
        Evaluation { pool, state: self, memo: FastMap::default() }.value(term, 0)
    }

    /// The values of a linear combination. Pairs of variables of one pack are bounded together.
    pub(crate) fn linear_value(&self, pool: &TermPool, linear: &Linear, is_integer: bool) -> Number {
        Evaluation { pool, state: self, memo: FastMap::default() }.linear(linear, is_integer, 0)
    }
}

struct Evaluation<'a> {
    pool: &'a TermPool,
    state: &'a State,
    memo: FastMap<TermId, Value>,
}

fn truth(value: Option<bool>) -> Value {
    Value::Truth(value.map_or(Truth::ANY, Truth::known))
}

impl Evaluation<'_> {
    fn value(&mut self, term: TermId, depth: usize) -> Value {
        let pool = self.pool;
        if let Some(value) = pool.value(term) {
            return match value {
                logic::Value::Bool(b) => Value::Truth(Truth::known(b)),
                logic::Value::Num(n) => Value::Number(Number::point(n, pool.sort(term) == logic::SortId::INT)),
                logic::Value::Bv(v, width) => Value::Word(Word::point(&v, width)),
                logic::Value::Array(_) | logic::Value::Element(..) => Value::Unknown,
            };
        }
        if pool.as_symbol(term).is_some() {
            let known = self.state.values.get(&term).cloned();
            let value = known.unwrap_or_else(|| Value::all(pool, pool.sort(term)));
            return match (self.state.copies.get(&term), &value) {
                (Some((of, offset)), Value::Number(n)) => {
                    let of =
                        self.state.values.get(of).and_then(Value::number).cloned().unwrap_or_else(|| Number::all(true));
                    let met = of.add(&Number::point(offset.clone(), true)).meet(n);
                    met.map_or(value, Value::Number)
                }
                _ => value,
            };
        }
        if let Some(known) = self.memo.get(&term) {
            return known.clone();
        }
        if depth > MAX_DEPTH || !self.state.may_look() {
            return Value::all(pool, pool.sort(term));
        }
        let computed = self.compute(term, depth + 1);
        let value = match self.state.values.get(&term) {
            // A known cell.
            Some(known) => known.meet(&computed).unwrap_or_else(|| known.clone()),
            None => computed,
        };
        self.memo.insert(term, value.clone());
        value
    }

    fn number(&mut self, term: TermId, depth: usize) -> Number {
        let is_integer = self.pool.sort(term) == logic::SortId::INT;
        match self.value(term, depth) {
            Value::Number(n) => n,
            _ => Number::all(is_integer),
        }
    }

    fn word(&mut self, term: TermId, depth: usize) -> Word {
        match self.value(term, depth) {
            Value::Word(w) => w,
            _ => Word::all(self.pool.bitvec_width(self.pool.sort(term)).unwrap_or(1)),
        }
    }

    fn linear(&mut self, linear: &Linear, is_integer: bool, depth: usize) -> Number {
        let mut interval = Interval::point(linear.constant.clone());
        let is_whole = is_integer && linear.constant.is_integer();
        let mut congruence = if is_whole { Congruence::point(linear.constant.clone()) } else { Congruence::ALL };
        let numbers: Vec<Number> = linear.terms.iter().map(|(t, _)| self.number(*t, depth)).collect();
        let mut is_done = vec![false; linear.terms.len()];
        for i in 0..linear.terms.len() {
            let (term, factor) = &linear.terms[i];
            let own = numbers[i].scale(factor);
            if is_whole {
                congruence = if factor.is_integer() { congruence.add(&own.congruence) } else { Congruence::ALL };
            }
            if is_done[i] {
                continue;
            }
            // A partner of the same pack whose factor has the same magnitude, if together they are better bounded.
            let mut best: Option<(usize, Interval)> = None;
            for k in i + 1..linear.terms.len() {
                let (other, its) = &linear.terms[k];
                if is_done[k] || its.abs() != factor.abs() {
                    continue;
                }
                let Some(together) = self.pair(*term, factor.is_negative(), *other, its.is_negative()) else {
                    continue;
                };
                let apart = own.interval.add(&numbers[k].scale(its).interval);
                let together = together.scale(&factor.abs());
                if let Some(met) = apart.meet(&together)
                    && met != apart
                {
                    best = Some((k, met));
                    break;
                }
            }
            match best {
                Some((k, together)) => {
                    is_done[k] = true;
                    interval = interval.add(&together);
                }
                None => interval = interval.add(&own.interval),
            }
        }
        let all = Number { interval, congruence, is_integer };
        all.clone().reduced().unwrap_or(all)
    }

    /// The range of `±a ± b` in their octagon.
    fn pair(&self, a: TermId, a_negative: bool, b: TermId, b_negative: bool) -> Option<Interval> {
        let (pack, i) = self.state.vocabulary.place(a)?;
        let (same, k) = self.state.vocabulary.place(b)?;
        if pack != same {
            return None;
        }
        let octagon = self.state.octagon(pack)?;
        let (first, second) = (Form { variable: i, negative: a_negative }, Form { variable: k, negative: b_negative });
        let (minus_first, minus_second) =
            (Form { negative: !a_negative, ..first }, Form { negative: !b_negative, ..second });
        // first + second = first − (−second)
        let hi = octagon.difference(first, minus_second);
        let lo = octagon.difference(minus_first, second).map(|x| -x);
        Interval::new(lo, hi)
    }

    fn compute(&mut self, term: TermId, depth: usize) -> Value {
        let pool = self.pool;
        let sort = pool.sort(term);
        let is_integer = sort == logic::SortId::INT;
        let all = || Value::all(pool, sort);
        let arg = |i: usize| pool.arg(term, i);
        match pool.op(term) {
            Op::True | Op::False | Op::Num(_) | Op::BvNum(_) => all(),
            Op::App(_) | Op::Forall(_) | Op::Exists(_) | Op::ArrayDiff | Op::IsInt => all(),
            Op::Not => Value::Truth(self.value(arg(0), depth).truth().negated()),
            Op::And | Op::Or => {
                let is_and = pool.op(term) == Op::And;
                let mut is_open = false;
                for &a in pool.args(term) {
                    let t = self.value(a, depth).truth();
                    if is_and && t.is_false() || !is_and && t.is_true() {
                        return Value::Truth(Truth::known(!is_and));
                    }
                    is_open |= t == Truth::ANY;
                }
                truth((!is_open).then_some(is_and))
            }
            Op::Eq => self.equality(arg(0), arg(1), depth),
            Op::Distinct => {
                let args = pool.args(term);
                let mut is_open = false;
                for i in 0..args.len() {
                    for k in 0..i {
                        let equal = self.equality(args[i], args[k], depth).truth();
                        if equal.is_true() {
                            return Value::Truth(Truth::known(false));
                        }
                        is_open |= equal.may_be_true;
                    }
                }
                truth((!is_open).then_some(true))
            }
            Op::Ite => self.choice(term, depth),
            Op::Add => Value::Number(self.linear(&pool.linear(term), is_integer, depth)),
            Op::Mul => {
                let args = pool.args(term).to_vec();
                let mut product = self.number(args[0], depth);
                let mut i = 1;
                while i < args.len() {
                    let next = self.number(args[i], depth);
                    product = product.mul(&next);
                    if args.len() == 2 && args[0] == args[1] {
                        // A square.
                        let natural = Number::within(Interval { lo: Some(Rational::zero()), hi: None }, is_integer);
                        product = product.meet(&natural).unwrap_or(product);
                    }
                    i += 1;
                }
                Value::Number(product)
            }
            Op::Le | Op::Lt => {
                let mut linear = pool.linear(arg(0));
                linear.add_scaled(&pool.linear(arg(1)), &Rational::MINUS_ONE);
                let is_integer = pool.sort(arg(0)) == logic::SortId::INT;
                let difference = self.linear(&linear, is_integer, depth).interval;
                let is_strict = pool.op(term) == Op::Lt;
                let holds = difference.hi.as_ref().is_some_and(|hi| hi.is_negative() || hi.is_zero() && !is_strict);
                let fails = difference.lo.as_ref().is_some_and(|lo| lo.is_positive() || lo.is_zero() && is_strict);
                truth(if holds { Some(true) } else { fails.then_some(false) })
            }
            Op::RealDiv => {
                let (a, b) = (self.number(arg(0), depth), self.number(arg(1), depth));
                Value::Number(a.div(&b))
            }
            Op::IntDiv => {
                let (a, b) = (self.number(arg(0), depth), self.number(arg(1), depth));
                Value::Number(a.div_euclid(&b))
            }
            Op::Mod => {
                let (a, b) = (self.number(arg(0), depth), self.number(arg(1), depth));
                Value::Number(a.rem_euclid(&b))
            }
            Op::Abs => Value::Number(Number::within(self.number(arg(0), depth).interval.abs(), is_integer)),
            Op::ToReal => Value::Number(Number::within(self.number(arg(0), depth).interval, false)),
            Op::ToInt => Value::Number(Number::within(self.number(arg(0), depth).interval.floor(), true)),
            Op::Select => self.element(arg(0), arg(1), depth),
            Op::Store => {
                let (map, element) = (self.value(arg(0), depth), self.value(arg(2), depth));
                match map {
                    Value::Map(all) => Value::Map(std::sync::Arc::new(all.join(&element))),
                    other => other,
                }
            }
            Op::ConstArray => Value::Map(std::sync::Arc::new(self.value(arg(0), depth))),
            Op::BvToNat => {
                let w = self.word(arg(0), depth);
                let interval = Interval::new(Some(Rational::from(&w.lo)), Some(Rational::from(&w.hi)));
                Value::Number(Number::within(interval.unwrap_or(Interval::ALL), true))
            }
            Op::IntToBv(width) => {
                let n = self.number(arg(0), depth).interval;
                match (n.lo.and_then(|x| x.to_bigint()), n.hi.and_then(|x| x.to_bigint())) {
                    (Some(lo), Some(hi)) => {
                        let (unsigned, signed) =
                            (Word::unsigned(width, lo.clone(), hi.clone()), Word::signed(width, lo, hi));
                        Value::Word(unsigned.meet(&signed).unwrap_or(unsigned))
                    }
                    _ => all(),
                }
            }
            op @ (Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle) => {
                let (a, b) = (self.word(arg(0), depth), self.word(arg(1), depth));
                let (a_lo, a_hi, b_lo, b_hi) = match op {
                    Op::BvUlt | Op::BvUle => (a.lo, a.hi, b.lo, b.hi),
                    _ => (a.signed_lo, a.signed_hi, b.signed_lo, b.signed_hi),
                };
                truth(match op {
                    Op::BvUlt | Op::BvSlt if a_hi < b_lo => Some(true),
                    Op::BvUlt | Op::BvSlt if a_lo >= b_hi => Some(false),
                    Op::BvUle | Op::BvSle if a_hi <= b_lo => Some(true),
                    Op::BvUle | Op::BvSle if a_lo > b_hi => Some(false),
                    _ => None,
                })
            }
            Op::BvNot => Value::Word(self.word(arg(0), depth).not()),
            Op::BvNeg => Value::Word(self.word(arg(0), depth).neg()),
            Op::BvExtract(hi, lo) => Value::Word(self.word(arg(0), depth).extract(hi, lo)),
            Op::BvZeroExt(by) => Value::Word(self.word(arg(0), depth).zero_extend(by)),
            Op::BvSignExt(by) => Value::Word(self.word(arg(0), depth).sign_extend(by)),
            op => {
                let args = pool.args(term).to_vec();
                let mut result = self.word(args[0], depth);
                for &next in &args[1..] {
                    let b = self.word(next, depth);
                    result = binary(op, &result, &b).unwrap_or_else(|| Word::all(pool.bitvec_width(sort).unwrap_or(1)));
                }
                Value::Word(result)
            }
        }
    }

    fn equality(&mut self, a: TermId, b: TermId, depth: usize) -> Value {
        if a == b {
            return Value::Truth(Truth::known(true));
        }
        if self.pool.sort(a).is_arith() {
            let mut difference = self.pool.linear(a);
            difference.add_scaled(&self.pool.linear(b), &Rational::MINUS_ONE);
            let value = self.linear(&difference, self.pool.sort(a) == logic::SortId::INT, depth);
            return truth(match value.single() {
                Some(x) => Some(x.is_zero()),
                None if value.contains(&Rational::zero()) => None,
                None => Some(false),
            });
        }
        let (x, y) = (self.value(a, depth), self.value(b, depth));
        if matches!(x, Value::Map(_)) {
            return Value::Truth(Truth::ANY);
        }
        match (x.single(), y.single()) {
            (Some(x), Some(y)) => truth(Some(x == y)),
            _ => truth(if x.meet(&y).is_none() { Some(false) } else { None }),
        }
    }

    /// Either branch, each in the states where it is taken.
    fn choice(&mut self, term: TermId, depth: usize) -> Value {
        let pool = self.pool;
        let (condition, a, b) = (pool.arg(term, 0), pool.arg(term, 1), pool.arg(term, 2));
        let known = self.value(condition, depth).truth();
        if known.is_true() {
            return self.value(a, depth);
        }
        if known.is_false() {
            return self.value(b, depth);
        }
        if self.state.n_splits >= MAX_SPLIT {
            let (a, b) = (self.value(a, depth), self.value(b, depth));
            return a.join(&b);
        }
        let branch = |taken: bool, t: TermId| {
            let mut state = self.state.clone();
            state.n_splits += 1;
            state.refine(pool, condition, taken);
            (!state.is_bottom).then(|| state.evaluate(pool, t))
        };
        match (branch(true, a), branch(false, b)) {
            (Some(a), Some(b)) => a.join(&b),
            (Some(only), None) | (None, Some(only)) => only,
            (None, None) => Value::all(pool, pool.sort(term)),
        }
    }

    /// `map[index]`: of a known cell, through writes, or of any element.
    fn element(&mut self, map: TermId, index: TermId, depth: usize) -> Value {
        let pool = self.pool;
        if pool.op(map) == Op::Store {
            let (at, written) = (pool.arg(map, 1), pool.arg(map, 2));
            let same = self.equality(at, index, depth).truth();
            if same.is_true() {
                return self.value(written, depth);
            }
            let below = self.element(pool.arg(map, 0), index, depth + 1);
            if same.is_false() || depth > MAX_DEPTH {
                return if same.is_false() { below } else { Value::Unknown };
            }
            return below.join(&self.value(written, depth));
        }
        let summary = match self.value(map, depth) {
            Value::Map(element) => (*element).clone(),
            _ => Value::Unknown,
        };
        if pool.as_symbol(map).is_none() {
            return summary;
        }
        for cell in self.state.cells_of(map) {
            if pool.arg(cell, 1) == index || self.equality(pool.arg(cell, 1), index, depth).truth().is_true() {
                let known = self.state.values.get(&cell).cloned().unwrap_or(Value::Unknown);
                return known.meet(&summary).unwrap_or(known);
            }
        }
        summary
    }
}

/// An operation on two words.
fn binary(op: Op, a: &Word, b: &Word) -> Option<Word> {
    Some(match op {
        Op::BvConcat => a.concat(b),
        Op::BvAnd => a.and(b),
        Op::BvOr => a.or(b),
        Op::BvXor => a.xor(b),
        Op::BvAdd => a.add(b),
        Op::BvSub => a.sub(b),
        Op::BvMul => a.mul(b),
        Op::BvUdiv => a.udiv(b),
        Op::BvUrem => a.urem(b),
        Op::BvSdiv => a.sdiv(b),
        Op::BvSrem => a.srem(b),
        Op::BvSmod => a.smod(b),
        Op::BvShl => a.shl(b),
        Op::BvLshr => a.lshr(b),
        Op::BvAshr => a.ashr(b),
        _ => return None,
    })
}
