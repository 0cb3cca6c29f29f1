//! The constructors of terms, which normalise as `term.rs` describes.
//!
//! Every constructor is sound as a rewriting: the result is equal to the plain application in
//! every model. Nothing here searches; cost is about linear in the arguments.

use crate::linear::Linear;
use crate::rational::{BigInt, Rational};
use crate::sort::{Sort, SortId};
use crate::term::{FunId, Op, Quantifier, TermId, TermPool};
use crate::value::Value;
use crate::{apply, bitvec};

/// Products of sums are multiplied out only up to this many monomials.
const MAX_EXPANSION: usize = 16;

impl TermPool {
    // ---- constants ----

    pub fn bool(&mut self, value: bool) -> TermId {
        if value { TermId::TRUE } else { TermId::FALSE }
    }
    pub fn num(&mut self, value: Rational, sort: SortId) -> TermId {
        debug_assert!(sort.is_arith());
        debug_assert!(sort != SortId::INT || value.is_integer());
        let n = self.intern_number(value);
        self.intern(Op::Num(n), sort, &[])
    }
    pub fn int(&mut self, value: i64) -> TermId {
        self.num(Rational::from(value), SortId::INT)
    }
    pub fn int_num(&mut self, value: Rational) -> TermId {
        self.num(value, SortId::INT)
    }
    pub fn real_num(&mut self, value: Rational) -> TermId {
        self.num(value, SortId::REAL)
    }
    /// A bit-vector constant; the value is taken modulo two to the width.
    pub fn bv_num(&mut self, value: BigInt, width: u32) -> TermId {
        let sort = self.bitvec_sort(width);
        let n = self.intern_number(Rational::from(bitvec::wrap(value, width)));
        self.intern(Op::BvNum(n), sort, &[])
    }

    /// A declared symbol applied to arguments.
    pub fn app(&mut self, f: FunId, args: &[TermId]) -> TermId {
        debug_assert_eq!(self.fun(f).args.len(), args.len(), "{}", self.name(f));
        let sort = self.fun(f).result;
        self.intern(Op::App(f), sort, args)
    }

    // ---- Booleans ----

    pub fn not(&mut self, t: TermId) -> TermId {
        match self.op(t) {
            Op::True => TermId::FALSE,
            Op::False => TermId::TRUE,
            Op::Not => self.arg(t, 0),
            _ => self.intern(Op::Not, SortId::BOOL, &[t]),
        }
    }
    pub fn and(&mut self, args: &[TermId]) -> TermId {
        self.junction(Op::And, args)
    }
    pub fn or(&mut self, args: &[TermId]) -> TermId {
        self.junction(Op::Or, args)
    }
    pub fn and2(&mut self, a: TermId, b: TermId) -> TermId {
        self.and(&[a, b])
    }
    pub fn or2(&mut self, a: TermId, b: TermId) -> TermId {
        self.or(&[a, b])
    }
    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let na = self.not(a);
        self.or(&[na, b])
    }
    pub fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        let e = self.eq(a, b);
        self.not(e)
    }

    fn junction(&mut self, op: Op, args: &[TermId]) -> TermId {
        let (unit, zero) = if op == Op::And { (TermId::TRUE, TermId::FALSE) } else { (TermId::FALSE, TermId::TRUE) };
        let mut flat: Vec<TermId> = Vec::with_capacity(args.len());
        for &t in args {
            if t == zero {
                return zero;
            }
            if t == unit {
                continue;
            }
            if self.op(t) == op {
                flat.extend_from_slice(self.args(t));
            } else {
                flat.push(t);
            }
        }
        flat.sort_unstable();
        flat.dedup();
        for &t in &flat {
            if self.op(t) == Op::Not && flat.binary_search(&self.arg(t, 0)).is_ok() {
                return zero;
            }
        }
        match flat.len() {
            0 => unit,
            1 => flat[0],
            _ => self.intern(op, SortId::BOOL, &flat),
        }
    }

    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        debug_assert_eq!(self.sort(a), self.sort(b), "both sides of an equation have one sort");
        if a == b {
            return TermId::TRUE;
        }
        let sort = self.sort(a);
        if sort.is_arith() {
            return self.arith_eq(a, b, sort);
        }
        if self.is_value(a) && self.is_value(b) {
            return TermId::FALSE; // distinct ids of values are distinct values
        }
        if sort == SortId::BOOL {
            for (x, y) in [(a, b), (b, a)] {
                match self.op(x) {
                    Op::True => return y,
                    Op::False => return self.not(y),
                    Op::Not => {
                        let inner = self.arg(x, 0);
                        let e = self.eq(inner, y);
                        return self.not(e);
                    }
                    _ => {}
                }
            }
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        self.intern(Op::Eq, SortId::BOOL, &[a, b])
    }

    fn arith_eq(&mut self, a: TermId, b: TermId, sort: SortId) -> TermId {
        let mut linear = self.linear(a);
        linear.add_scaled(&self.linear(b), &Rational::from(-1));
        if linear.is_constant() {
            return self.bool(linear.constant.is_zero());
        }
        let (mut linear, sort) = self.among_integers(linear, sort);
        linear.make_primitive();
        if sort == SortId::INT && !linear.constant.is_integer() {
            return TermId::FALSE;
        }
        let mut left = Linear::default();
        let mut right = Linear::constant(-&linear.constant);
        for (t, c) in linear.terms {
            if c.is_positive() {
                left.terms.push((t, c));
            } else {
                right.terms.push((t, -c));
            }
        }
        let left = self.linear_term(&left, sort);
        let right = self.linear_term(&right, sort);
        self.intern(Op::Eq, SortId::BOOL, &[left, right])
    }

    /// A statement about reals that are all integers is one about integers: there it can be rounded.
    fn among_integers(&self, linear: Linear, sort: SortId) -> (Linear, SortId) {
        if sort == SortId::INT || linear.terms.iter().any(|(t, _)| self.op(*t) != Op::ToReal) {
            return (linear, sort);
        }
        let mut result = Linear::constant(linear.constant);
        for (t, c) in &linear.terms {
            result.add_scaled(&self.linear(self.arg(*t, 0)), c);
        }
        (result, SortId::INT)
    }

    pub fn distinct(&mut self, args: &[TermId]) -> TermId {
        let mut sorted = args.to_vec();
        sorted.sort_unstable();
        if sorted.windows(2).any(|w| w[0] == w[1]) {
            return TermId::FALSE;
        }
        match sorted.len() {
            0 | 1 => TermId::TRUE,
            2 => {
                let e = self.eq(sorted[0], sorted[1]);
                self.not(e)
            }
            _ if sorted.iter().all(|&t| self.is_value(t)) => TermId::TRUE,
            n if self.cardinality(self.sort(sorted[0])).is_some_and(|c| c < n as u64) => TermId::FALSE,
            _ => self.intern(Op::Distinct, SortId::BOOL, &sorted),
        }
    }

    pub fn ite(&mut self, c: TermId, a: TermId, b: TermId) -> TermId {
        debug_assert_eq!(self.sort(a), self.sort(b), "both branches have one sort");
        match self.op(c) {
            Op::True => return a,
            Op::False => return b,
            Op::Not => {
                let inner = self.arg(c, 0);
                return self.ite(inner, b, a);
            }
            _ => {}
        }
        if a == b {
            return a;
        }
        if self.sort(a) == SortId::BOOL {
            let nc = self.not(c);
            if a == TermId::TRUE || a == c {
                return self.or(&[c, b]);
            }
            if a == TermId::FALSE || a == nc {
                return self.and(&[nc, b]);
            }
            if b == TermId::TRUE || b == nc {
                return self.or(&[nc, a]);
            }
            if b == TermId::FALSE || b == c {
                return self.and(&[c, a]);
            }
            if self.not(a) == b {
                return self.eq(c, a);
            }
        }
        let sort = self.sort(a);
        self.intern(Op::Ite, sort, &[c, a, b])
    }

    /// Quantifiers over no variable, or over a constant body, vanish.
    pub fn forall(&mut self, vars: &[TermId], patterns: Vec<Vec<TermId>>, body: TermId) -> TermId {
        self.quantify(true, vars, patterns, body)
    }
    pub fn exists(&mut self, vars: &[TermId], body: TermId) -> TermId {
        self.quantify(false, vars, Vec::new(), body)
    }
    fn quantify(&mut self, universal: bool, vars: &[TermId], patterns: Vec<Vec<TermId>>, body: TermId) -> TermId {
        if vars.is_empty() || self.is_value(body) {
            return body;
        }
        let q = self.intern_quantifier(Quantifier { vars: vars.to_vec(), patterns });
        let op = if universal { Op::Forall(q) } else { Op::Exists(q) };
        self.intern(op, SortId::BOOL, &[body])
    }

    // ---- arithmetic ----

    pub fn add(&mut self, args: &[TermId]) -> TermId {
        let sort = self.sort(args[0]);
        let mut sum = self.linear(args[0]);
        for &t in &args[1..] {
            debug_assert_eq!(self.sort(t), sort);
            let next = self.linear(t);
            sum.add_scaled(&next, &Rational::one());
        }
        self.linear_term(&sum, sort)
    }
    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        let sort = self.sort(a);
        let mut sum = self.linear(a);
        sum.add_scaled(&self.linear(b), &Rational::from(-1));
        self.linear_term(&sum, sort)
    }
    pub fn neg(&mut self, a: TermId) -> TermId {
        self.scale(a, &Rational::from(-1))
    }
    pub fn scale(&mut self, a: TermId, factor: &Rational) -> TermId {
        let sort = self.sort(a);
        let mut linear = self.linear(a);
        linear.scale(factor);
        self.linear_term(&linear, sort)
    }
    pub fn mul(&mut self, args: &[TermId]) -> TermId {
        let sort = self.sort(args[0]);
        if args.len() > 2 && args.iter().all(|&t| self.is_monomial(t)) {
            // At once: a power of a thousand factors has no use for the 998 below it.
            return self.product(args, sort);
        }
        let mut product = self.linear(args[0]);
        for &t in &args[1..] {
            let next = self.linear(t);
            product = self.multiply(product, next, sort);
        }
        self.linear_term(&product, sort)
    }

    fn multiply(&mut self, a: Linear, b: Linear, sort: SortId) -> Linear {
        if a.is_constant() || b.is_constant() {
            let (mut linear, factor) = if a.is_constant() { (b, a.constant) } else { (a, b.constant) };
            linear.scale(&factor);
            return linear;
        }
        if a.terms.len() * b.terms.len() > MAX_EXPANSION {
            let left = self.linear_term(&a, sort);
            let right = self.linear_term(&b, sort);
            let product = self.product(&[left, right], sort);
            return Linear { terms: vec![(product, Rational::one())], constant: Rational::zero() };
        }
        let mut result = Linear::constant(&a.constant * &b.constant);
        for (t, c) in &a.terms {
            result.add_term(*t, &(c * &b.constant));
        }
        for (t, c) in &b.terms {
            result.add_term(*t, &(c * &a.constant));
        }
        for (t, c) in &a.terms {
            for (u, d) in &b.terms {
                let product = self.product(&[*t, *u], sort);
                result.add_term(product, &(c * d));
            }
        }
        result
    }

    /// Is it neither a sum nor a number nor a multiple of anything?
    fn is_monomial(&self, t: TermId) -> bool {
        let linear = self.linear(t);
        linear.constant.is_zero() && matches!(&linear.terms[..], [(_, c)] if *c == Rational::one())
    }

    /// The product of terms that are not numerals, with its factors sorted.
    fn product(&mut self, parts: &[TermId], sort: SortId) -> TermId {
        let mut factors = Vec::new();
        for &t in parts {
            if self.op(t) == Op::Mul && self.number(self.arg(t, 0)).is_none() {
                factors.extend_from_slice(self.args(t));
            } else {
                factors.push(t);
            }
        }
        factors.sort_unstable();
        self.intern(Op::Mul, sort, &factors)
    }

    pub fn le(&mut self, a: TermId, b: TermId) -> TermId {
        self.inequality(a, b, false)
    }
    pub fn lt(&mut self, a: TermId, b: TermId) -> TermId {
        self.inequality(a, b, true)
    }
    pub fn ge(&mut self, a: TermId, b: TermId) -> TermId {
        self.inequality(b, a, false)
    }
    pub fn gt(&mut self, a: TermId, b: TermId) -> TermId {
        self.inequality(b, a, true)
    }

    fn inequality(&mut self, a: TermId, b: TermId, strict: bool) -> TermId {
        debug_assert_eq!(self.sort(a), self.sort(b));
        let sort = self.sort(a);
        let mut linear = self.linear(a);
        linear.add_scaled(&self.linear(b), &Rational::from(-1));
        self.linear_le(linear, strict, sort)
    }

    /// The atom `linear <= 0`, or `linear < 0` if strict.
    pub fn linear_le(&mut self, linear: Linear, strict: bool, sort: SortId) -> TermId {
        if linear.is_constant() {
            let c = &linear.constant;
            return self.bool(c.is_negative() || (!strict && c.is_zero()));
        }
        let (mut linear, sort) = self.among_integers(linear, sort);
        let turned = linear.make_primitive().is_negative();
        // s + k (<=, <) 0, or turned round: s + k (>=, >) 0, with s leading positive.
        let bound = -&std::mem::take(&mut linear.constant);
        let s = self.linear_term(&linear, sort);
        if sort == SortId::INT {
            // Not turned: s <= bound, s < bound. Turned: not (s < bound), not (s <= bound).
            let upper_is_strict = strict != turned;
            let bound = if upper_is_strict { bound.ceil() - Rational::one() } else { bound.floor() };
            let c = self.num(bound, sort);
            let atom = self.intern(Op::Le, SortId::BOOL, &[s, c]);
            return if turned { self.not(atom) } else { atom };
        }
        let c = self.num(bound, sort);
        let op = if strict != turned { Op::Lt } else { Op::Le };
        let atom = self.intern(op, SortId::BOOL, &[s, c]);
        if turned { self.not(atom) } else { atom }
    }

    pub fn real_div(&mut self, a: TermId, b: TermId) -> TermId {
        match self.number(b).cloned() {
            Some(n) if !n.is_zero() => self.scale(a, &n.recip()),
            _ => self.intern(Op::RealDiv, SortId::REAL, &[a, b]),
        }
    }
    pub fn int_div(&mut self, a: TermId, b: TermId) -> TermId {
        match (self.number(a).cloned(), self.number(b).cloned()) {
            (Some(x), Some(y)) if !y.is_zero() => self.int_num(x.div_euclid(&y)),
            (_, Some(y)) if y.is_one() => a,
            (_, Some(y)) if y == Rational::from(-1) => self.neg(a),
            (_, Some(y)) if !y.is_zero() => {
                // (k*y + r) div y = k + r div y, for a constant k*y.
                let mut linear = self.linear(a);
                let quotient = linear.constant.div_euclid(&y);
                if quotient.is_zero() {
                    return self.intern(Op::IntDiv, SortId::INT, &[a, b]);
                }
                linear.constant = linear.constant.rem_euclid(&y);
                let rest = self.linear_term(&linear, SortId::INT);
                let rest = self.intern(Op::IntDiv, SortId::INT, &[rest, b]);
                let k = self.int_num(quotient);
                self.add(&[rest, k])
            }
            _ => self.intern(Op::IntDiv, SortId::INT, &[a, b]),
        }
    }
    pub fn modulo(&mut self, a: TermId, b: TermId) -> TermId {
        match (self.number(a).cloned(), self.number(b).cloned()) {
            (Some(x), Some(y)) if !y.is_zero() => self.int_num(x.rem_euclid(&y)),
            (_, Some(y)) if !y.is_zero() => {
                let y = y.abs();
                if y.is_one() {
                    return self.int(0);
                }
                // Coefficients and the constant count modulo y: the ones nearest to zero are taken.
                let nearest = |c: &Rational| {
                    let rest = c.rem_euclid(&y);
                    if &rest + &rest > y { &rest - &y } else { rest }
                };
                let mut linear = self.linear(a);
                for (_, c) in &mut linear.terms {
                    *c = nearest(c);
                }
                linear.terms.retain(|(_, c)| !c.is_zero());
                linear.constant = nearest(&linear.constant);
                if linear.is_constant() {
                    return self.int_num(linear.constant.rem_euclid(&y));
                }
                let b = self.int_num(y.clone());
                let reduced = self.linear_term(&linear, SortId::INT);
                if self.op(reduced) == Op::Mod && self.arg(reduced, 1) == b {
                    return reduced;
                }
                self.intern(Op::Mod, SortId::INT, &[reduced, b])
            }
            _ => self.intern(Op::Mod, SortId::INT, &[a, b]),
        }
    }
    pub fn abs(&mut self, a: TermId) -> TermId {
        match self.number(a).cloned() {
            Some(n) => {
                let sort = self.sort(a);
                self.num(n.abs(), sort)
            }
            None => {
                let sort = self.sort(a);
                self.intern(Op::Abs, sort, &[a])
            }
        }
    }
    /// An Int as a Real, pushed down to the terms of the sum; a Real stays as it is.
    pub fn to_real(&mut self, a: TermId) -> TermId {
        if self.sort(a) == SortId::REAL {
            return a;
        }
        let linear = self.linear(a);
        let mut result = Linear::constant(linear.constant);
        for (t, c) in linear.terms {
            let t = self.intern(Op::ToReal, SortId::REAL, &[t]);
            result.add_term(t, &c);
        }
        self.linear_term(&result, SortId::REAL)
    }
    pub fn to_int(&mut self, a: TermId) -> TermId {
        let (whole, rest) = self.whole_part(a);
        if rest.is_constant() {
            // A constant left over is a proper fraction.
            return self.linear_term(&whole, SortId::INT);
        }
        let rest = self.linear_term(&rest, SortId::REAL);
        let floor = self.intern(Op::ToInt, SortId::INT, &[rest]);
        let whole = self.linear_term(&whole, SortId::INT);
        self.add(&[floor, whole])
    }
    pub fn is_int(&mut self, a: TermId) -> TermId {
        let (_, rest) = self.whole_part(a);
        if rest.is_constant() {
            return self.bool(rest.constant.is_zero());
        }
        let rest = self.linear_term(&rest, SortId::REAL);
        self.intern(Op::IsInt, SortId::BOOL, &[rest])
    }
    /// The summands of a real term that are integers, as a form over integers, and the others. The constant of the
    /// second form is at least zero and less than one.
    fn whole_part(&self, a: TermId) -> (Linear, Linear) {
        let linear = self.linear(a);
        let mut whole = Linear::constant(linear.constant.floor());
        let mut rest = Linear::constant(&linear.constant - &whole.constant);
        for (t, c) in &linear.terms {
            if self.op(*t) == Op::ToReal && c.is_integer() {
                whole.add_scaled(&self.linear(self.arg(*t, 0)), c);
            } else {
                rest.add_term(*t, c);
            }
        }
        (whole, rest)
    }

    // ---- arrays ----

    /// Are these terms different in every model, as can be seen at once?
    pub fn known_distinct(&mut self, a: TermId, b: TermId) -> bool {
        self.sort(a) == self.sort(b) && self.eq(a, b) == TermId::FALSE
    }
    pub fn select(&mut self, array: TermId, index: TermId) -> TermId {
        let mut array = array;
        loop {
            match self.op(array) {
                Op::Store => {
                    let (inner, i, v) = (self.arg(array, 0), self.arg(array, 1), self.arg(array, 2));
                    if i == index {
                        return v;
                    }
                    if !self.known_distinct(i, index) {
                        break;
                    }
                    array = inner;
                }
                Op::ConstArray => return self.arg(array, 0),
                _ => break,
            }
        }
        let (_, element) = self.array_parts(self.sort(array)).expect("select takes an array");
        self.intern(Op::Select, element, &[array, index])
    }
    /// A read that is not simplified, not even over a store at the same index: for instances of the axioms of
    /// arrays, which would otherwise be rewritten to `true`.
    pub fn select_plain(&mut self, array: TermId, index: TermId) -> TermId {
        let (_, element) = self.array_parts(self.sort(array)).expect("select takes an array");
        self.intern(Op::Select, element, &[array, index])
    }
    pub fn store(&mut self, array: TermId, index: TermId, value: TermId) -> TermId {
        let mut array = array;
        if self.op(array) == Op::Store && self.arg(array, 1) == index {
            array = self.arg(array, 0);
        }
        if self.op(value) == Op::Select && self.args(value) == [array, index] {
            return array;
        }
        if self.op(array) == Op::ConstArray && self.arg(array, 0) == value {
            return array;
        }
        let sort = self.sort(array);
        self.intern(Op::Store, sort, &[array, index, value])
    }
    pub fn const_array(&mut self, sort: SortId, value: TermId) -> TermId {
        debug_assert!(self.array_parts(sort).is_some_and(|(_, e)| e == self.sort(value)));
        self.intern(Op::ConstArray, sort, &[value])
    }
    pub fn array_diff(&mut self, a: TermId, b: TermId) -> TermId {
        let (index, _) = self.array_parts(self.sort(a)).expect("diff takes arrays");
        self.intern(Op::ArrayDiff, index, &[a, b])
    }

    // ---- bit-vectors ----

    fn width(&self, t: TermId) -> u32 {
        self.bitvec_width(self.sort(t)).expect("a bit-vector")
    }
    fn folded(&mut self, op: Op, sort: SortId, args: &[TermId]) -> Option<TermId> {
        let values: Option<Vec<Value>> = args.iter().map(|&t| self.value(t)).collect();
        let value = apply(self, op, sort, &values?)?;
        self.value_term(&value, sort)
    }
    /// A bit-vector operator applied to arguments of the right widths: any `Op` from `BvConcat` to
    /// `IntToBv`.
    pub fn bv(&mut self, op: Op, args: &[TermId]) -> TermId {
        let width = |pool: &TermPool, i: usize| pool.width(args[i]);
        let sort = match op {
            Op::BvConcat => {
                let w = width(self, 0) + width(self, 1);
                self.bitvec_sort(w)
            }
            Op::BvExtract(hi, lo) => {
                debug_assert!(lo <= hi && hi < width(self, 0));
                if lo == 0 && hi + 1 == width(self, 0) {
                    return args[0];
                }
                self.bitvec_sort(hi - lo + 1)
            }
            Op::BvZeroExt(n) | Op::BvSignExt(n) => {
                if n == 0 {
                    return args[0];
                }
                let w = width(self, 0) + n;
                self.bitvec_sort(w)
            }
            Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle => SortId::BOOL,
            Op::BvToNat => SortId::INT,
            Op::IntToBv(w) => self.bitvec_sort(w),
            _ => self.sort(args[0]),
        };
        if let Some(t) = self.folded(op, sort, args) {
            return t;
        }
        self.bv_simplified(op, sort, args)
    }

    /// Cheap identities with a constant or equal arguments.
    fn bv_simplified(&mut self, op: Op, sort: SortId, args: &[TermId]) -> TermId {
        let is = |pool: &TermPool, t: TermId, want: &BigInt| {
            pool.bv_number(t).is_some_and(|(n, _)| n.to_bigint().as_ref() == Some(want))
        };
        let zero = BigInt::ZERO;
        if let [a, b] = *args {
            let commutes = matches!(op, Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvAdd | Op::BvMul);
            if commutes && a > b {
                return self.bv_simplified(op, sort, &[b, a]);
            }
            let (a0, b0) = (is(self, a, &zero), is(self, b, &zero));
            match op {
                Op::BvAdd | Op::BvOr | Op::BvXor if a0 => return b,
                Op::BvAdd | Op::BvOr | Op::BvXor | Op::BvSub if b0 => return a,
                Op::BvShl | Op::BvLshr | Op::BvAshr if b0 => return a,
                Op::BvAnd | Op::BvMul if a0 => return a,
                Op::BvAnd | Op::BvMul if b0 => return b,
                Op::BvMul if is(self, a, &BigInt::ONE) => return b,
                Op::BvMul if is(self, b, &BigInt::ONE) => return a,
                Op::BvAnd | Op::BvOr if a == b => return a,
                Op::BvSub | Op::BvXor if a == b => {
                    let w = self.width(a);
                    return self.bv_num(zero, w);
                }
                Op::BvUlt | Op::BvSlt if a == b => return TermId::FALSE,
                Op::BvUle | Op::BvSle if a == b => return TermId::TRUE,
                Op::BvUlt if b0 => return TermId::FALSE,
                Op::BvUle if a0 => return TermId::TRUE,
                _ => {}
            }
        }
        if let ([t], Op::IntToBv(width)) = (args, op)
            && self.op(*t) == Op::BvToNat
        {
            let word = self.arg(*t, 0);
            let own = self.width(word);
            return match width.checked_sub(own) {
                Some(more) => self.bv(Op::BvZeroExt(more), &[word]),
                None => self.bv(Op::BvExtract(width - 1, 0), &[word]),
            };
        }
        if let ([a], Op::BvNot | Op::BvNeg) = (args, op)
            && self.op(*a) == op
        {
            return self.arg(*a, 0);
        }
        self.intern(op, sort, args)
    }

    // ---- any head ----

    /// Applies the constructor of a head to new arguments: what substitution and rewriting use.
    /// `like` is a term with this head (it supplies sorts and binders).
    pub fn rebuild(&mut self, like: TermId, args: &[TermId]) -> TermId {
        if self.args(like) == args {
            return like;
        }
        let (op, sort) = (self.op(like), self.sort(like));
        match op {
            Op::True | Op::False | Op::Num(_) | Op::BvNum(_) => like,
            _ => self.apply_head(op, sort, args),
        }
    }

    /// Applies the constructor of a head. Literals have none: they are made from their value.
    pub(crate) fn apply_head(&mut self, op: Op, sort: SortId, args: &[TermId]) -> TermId {
        match op {
            Op::True | Op::False | Op::Num(_) | Op::BvNum(_) => self.intern(op, sort, &[]),
            Op::App(f) => self.app(f, args),
            Op::Not => self.not(args[0]),
            Op::And => self.and(args),
            Op::Or => self.or(args),
            Op::Eq => self.eq(args[0], args[1]),
            Op::Distinct => self.distinct(args),
            Op::Ite => self.ite(args[0], args[1], args[2]),
            Op::Add => self.add(args),
            Op::Mul => self.mul(args),
            Op::Le => self.le(args[0], args[1]),
            Op::Lt => self.lt(args[0], args[1]),
            Op::RealDiv => self.real_div(args[0], args[1]),
            Op::IntDiv => self.int_div(args[0], args[1]),
            Op::Mod => self.modulo(args[0], args[1]),
            Op::Abs => self.abs(args[0]),
            Op::ToReal => self.to_real(args[0]),
            Op::ToInt => self.to_int(args[0]),
            Op::IsInt => self.is_int(args[0]),
            Op::Select => self.select(args[0], args[1]),
            Op::Store => self.store(args[0], args[1], args[2]),
            Op::ConstArray => self.const_array(sort, args[0]),
            Op::ArrayDiff => self.array_diff(args[0], args[1]),
            op @ (Op::BvConcat
            | Op::BvExtract(..)
            | Op::BvNot
            | Op::BvNeg
            | Op::BvAnd
            | Op::BvOr
            | Op::BvXor
            | Op::BvAdd
            | Op::BvSub
            | Op::BvMul
            | Op::BvUdiv
            | Op::BvUrem
            | Op::BvSdiv
            | Op::BvSrem
            | Op::BvSmod
            | Op::BvShl
            | Op::BvLshr
            | Op::BvAshr
            | Op::BvUlt
            | Op::BvUle
            | Op::BvSlt
            | Op::BvSle
            | Op::BvZeroExt(_)
            | Op::BvSignExt(_)
            | Op::BvToNat
            | Op::IntToBv(_)) => self.bv(op, args),
            Op::Forall(q) => {
                let Quantifier { vars, patterns } = self.quantifier(q).clone();
                self.forall(&vars, patterns, args[0])
            }
            Op::Exists(q) => {
                let vars = self.quantifier(q).vars.clone();
                self.exists(&vars, args[0])
            }
        }
    }

    /// The sort of an element of an array term, a convenience for front ends.
    pub fn element_sort(&self, array: TermId) -> Option<SortId> {
        match self.sort_data(self.sort(array)) {
            Sort::Array(_, element) => Some(*element),
            _ => None,
        }
    }
}
