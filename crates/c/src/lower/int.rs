//! Integer arithmetic of C over mathematical integers.
//!
//! Canonical representation: the value of an integer expression always lies in the range of its type.
//! An operation computes in ℤ and brings the result back only where its interval says that it may leave
//! the range: sums and differences leave it by at most one period, so a comparison suffices; products and
//! narrowing conversions take the remainder. Where overflow is the property, a check takes the place of
//! the correction. Division truncates, `div` and `mod` of the logic are Euclidean.
//!
//! Bit operations are exact for constants, masks, single bits and disjoint operands; otherwise the
//! result is any value that satisfies the bounds stated with each operator, recorded as an
//! over-approximation.

use base::Span;
use ir::{InstrKind, Nondet, Operation, Subject, Subproperty};
use logic::{Op, Rational, TermId};

use super::{Lowerer, R, unsupported};
use crate::hir::BinOp;
use crate::types::IntKind;

/// An integer value with an interval that contains it.
#[derive(Clone, Copy, Debug)]
pub struct IntVal {
    pub term: TermId,
    pub lo: i128,
    pub hi: i128,
}

const BAD_SHIFT: &str = "a shift by a negative amount, or by the width or more";

/// An operation with its operands.
type Operated<'a> = (Operation, &'a [IntVal]);

impl Lowerer<'_> {
    pub fn int_const(&mut self, value: i128) -> IntVal {
        IntVal { term: self.num(value), lo: value, hi: value }
    }
    fn constant_of(&self, v: IntVal) -> Option<i128> {
        (v.lo == v.hi).then_some(v.lo)
    }

    /// `lo <= t <= hi`
    pub fn in_range(&mut self, t: TermId, lo: i128, hi: i128) -> TermId {
        let (lo, hi) = (self.num(lo), self.num(hi));
        let (a, b) = (self.le(lo, t), self.le(t, hi));
        self.pool.and2(a, b)
    }

    /// Brings a mathematical value into the range of a type.
    pub fn wrap(&mut self, v: IntVal, kind: IntKind) -> IntVal {
        self.note_width(kind);
        let (min, max) = self.unit.types.int_range(kind);
        if self.surely_in_range(v, kind) {
            return v;
        }
        if kind == IntKind::Bool {
            let zero = self.num(0);
            let is_zero = self.pool.eq(v.term, zero);
            let one = self.num(1);
            return IntVal { term: self.pool.ite(is_zero, zero, one), lo: 0, hi: 1 };
        }
        let bits = self.unit.types.int_bits(kind);
        let period = if bits < 127 { 1i128 << bits } else { i128::MAX };
        let above = v.hi > max;
        let below = v.lo < min;
        let is_near = !self.unit.types.is_wide(kind);
        if is_near && !self.is_exact() && v.hi <= max.saturating_add(period) && v.lo >= min.saturating_sub(period) {
            let modulus = self.pow2(bits);
            let mut term = v.term;
            if above {
                let limit = self.num(max);
                let too_big = self.gt(v.term, limit);
                let less = self.minus(v.term, modulus);
                term = self.pool.ite(too_big, less, term);
            }
            if below {
                let limit = self.num(min);
                let too_small = self.lt(v.term, limit);
                let more = self.sum(&[v.term, modulus]);
                term = self.pool.ite(too_small, more, term);
            }
            return IntVal { term, lo: min, hi: max };
        }
        let term = if min < 0 { self.low_bits_signed(v.term, bits) } else { self.low_bits(v.term, bits) };
        IntVal { term, lo: min, hi: max }
    }

    /// Does the interval show that the value lies in the range of the type? Intervals that touch the limits of `i128`
    /// may extend beyond them.
    fn surely_in_range(&self, v: IntVal, kind: IntKind) -> bool {
        let (min, max) = self.unit.types.int_range(kind);
        let is_bounded = !self.unit.types.is_wide(kind) || v.lo > i128::MIN && v.hi < i128::MAX;
        v.lo >= min && v.hi <= max && is_bounded
    }

    /// The check that the exact result of an operation is a value of the type.
    fn check_overflow(&mut self, fits: TermId, (operation, operands): Operated<'_>, kind: IntKind, span: Span) {
        let subject = Subject::Arithmetic {
            operation,
            operands: operands.iter().map(|v| v.term).collect(),
            type_name: kind.name().to_string(),
            range: self.unit.types.int_range(kind),
        };
        let message = format!("{} may overflow {}", operation.name(), kind.name());
        self.check_about(fits, Subproperty::NoOverflow, message, subject, span);
    }

    /// Is arithmetic in this type that of the integers?
    fn is_unbounded(&self, kind: IntKind) -> bool {
        self.context.in_proposition && kind.is_signed() && !self.unit.types.is_wide(kind)
    }

    /// A value that may have left the range of its type. Words must be wide enough for it.
    fn unbounded(&mut self, v: IntVal, span: Span) -> IntVal {
        let Some(width) = self.word.width else { return v };
        let top = 1i128 << (width - 1).min(126);
        if v.lo <= -top || v.hi >= top {
            self.word.overflowed = true;
        }
        if v.lo == i128::MIN || v.hi == i128::MAX {
            self.note_unsound("a proposition with numbers of more than 127 bits", span);
        }
        v
    }

    /// The result of a signed operation: checked where overflow is the property, wrapped otherwise.
    fn settle(&mut self, v: IntVal, kind: IntKind, (operation, operands): Operated<'_>, span: Span) -> IntVal {
        let (min, max) = self.unit.types.int_range(kind);
        if self.surely_in_range(v, kind) {
            return v;
        }
        if self.is_unbounded(kind) {
            return self.unbounded(v, span);
        }
        if kind.is_signed() && self.mode.check_overflow {
            let fits = self.in_type_range(v.term, kind);
            self.check_overflow(fits, (operation, operands), kind, span);
            return IntVal { term: v.term, lo: v.lo.max(min), hi: v.hi.min(max) };
        }
        if self.mode.no_wrap && !self.is_exact() {
            let fits = self.in_type_range(v.term, kind);
            self.check(fits, Subproperty::NoWrap, format!("{} may wrap around", operation.name()), span);
            return IntVal { term: v.term, lo: v.lo.max(min), hi: v.hi.min(max) };
        }
        self.wrap(v, kind)
    }

    pub fn negate(&mut self, v: IntVal, kind: IntKind, span: Span) -> IntVal {
        let term = self.negative(v.term);
        let negated = IntVal { term, lo: v.hi.saturating_neg(), hi: v.lo.saturating_neg() };
        let result = self.settle(negated, kind, (Operation::Negation, &[v]), span);
        self.honest(result, is_small(v), kind)
    }

    /// Forgets the bounds of a value of 128 bits, unless they were computed from small numbers.
    fn honest(&self, v: IntVal, are_small: bool, kind: IntKind) -> IntVal {
        if !self.unit.types.is_wide(kind) || are_small {
            return v;
        }
        let (lo, hi) = self.unit.types.int_range(kind);
        IntVal { lo, hi, ..v }
    }

    pub fn bit_not(&mut self, v: IntVal, kind: IntKind) -> IntVal {
        if kind == IntKind::UInt128 {
            let top = self.unsigned_num(u128::MAX);
            let term = self.minus(top, v.term);
            return IntVal { term, lo: 0, hi: i128::MAX };
        }
        let top = if kind.is_signed() { -1 } else { self.unit.types.int_range(kind).1 };
        let top_term = self.num(top);
        let term = self.minus(top_term, v.term);
        if self.unit.types.is_wide(kind) {
            return self.honest(IntVal { term, lo: 0, hi: 0 }, false, kind);
        }
        IntVal { term, lo: top - v.hi, hi: top - v.lo }
    }

    pub fn arith(&mut self, op: BinOp, a: IntVal, b: IntVal, kind: IntKind, span: Span) -> R<IntVal> {
        self.note_width(kind);
        if self.word.overflowed && self.word.width.is_some_and(|w| w < self.unit.types.int_bits(kind) + 2) {
            // This program is lowered again with wider words.
            return Ok(a);
        }
        let are_small = is_small(a) && is_small(b);
        if !self.unit.types.is_wide(kind) || are_small && !matches!(op, BinOp::Shl) {
            return self.arith_inside(op, a, b, kind, span);
        }
        // Bounds of large operands are unusable.
        let is_shift = matches!(op, BinOp::Shl | BinOp::Shr);
        let (wide_a, wide_b) = (self.honest(a, false, kind), if is_shift { b } else { self.honest(b, false, kind) });
        let keep = |v: IntVal, wide: IntVal| if v.lo == v.hi && is_small(v) { v } else { wide };
        let (x, y) = (keep(a, wide_a), keep(b, wide_b));
        let result = self.arith_inside(op, x, y, kind, span)?;
        if op == BinOp::Shr && kind == IntKind::UInt128 && b.lo >= 2 && b.lo < 128 {
            return Ok(IntVal { lo: 0, hi: (u128::MAX >> b.lo) as i128, ..result });
        }
        if op == BinOp::And && is_small(b) && b.lo == b.hi && b.lo >= 0 {
            return Ok(IntVal { lo: 0, hi: b.hi, ..result });
        }
        Ok(self.honest(result, false, kind))
    }

    fn arith_inside(&mut self, op: BinOp, a: IntVal, b: IntVal, kind: IntKind, span: Span) -> R<IntVal> {
        match op {
            BinOp::Add => {
                let term = self.sum(&[a.term, b.term]);
                let v = IntVal { term, lo: a.lo.saturating_add(b.lo), hi: a.hi.saturating_add(b.hi) };
                Ok(self.settle(v, kind, (Operation::Addition, &[a, b]), span))
            }
            BinOp::Sub => {
                let term = self.minus(a.term, b.term);
                let v = IntVal { term, lo: a.lo.saturating_sub(b.hi), hi: a.hi.saturating_sub(b.lo) };
                Ok(self.settle(v, kind, (Operation::Subtraction, &[a, b]), span))
            }
            BinOp::Mul => {
                let term = self.mul2(a.term, b.term);
                let v = self.product_interval(term, a, b);
                if self.is_exact() && self.mode.check_overflow && kind.is_signed() && !self.is_unbounded(kind) {
                    return Ok(self.checked_product(v, a, b, kind, span));
                }
                Ok(self.settle(v, kind, (Operation::Multiplication, &[a, b]), span))
            }
            BinOp::Div => self.divide(a, b, kind, span),
            BinOp::Rem => self.remainder(a, b, kind, span),
            BinOp::Shl => self.shift_left(a, b, kind, span),
            BinOp::Shr => self.shift_right(a, b, kind, span),
            BinOp::And => self.bit_and(a, b, kind, span),
            BinOp::Or => self.bit_or(a, b, kind, span),
            BinOp::Xor => self.bit_xor(a, b, kind, span),
        }
    }

    fn product_interval(&mut self, term: TermId, a: IntVal, b: IntVal) -> IntVal {
        let corners = [
            a.lo.saturating_mul(b.lo),
            a.lo.saturating_mul(b.hi),
            a.hi.saturating_mul(b.lo),
            a.hi.saturating_mul(b.hi),
        ];
        let lo = corners.iter().copied().min().unwrap_or(i128::MIN);
        let hi = corners.iter().copied().max().unwrap_or(i128::MAX);
        IntVal { term, lo, hi }
    }

    /// A product that must not overflow: a word cannot hold it, one of twice the width can.
    fn checked_product(&mut self, v: IntVal, a: IntVal, b: IntVal, kind: IntKind, span: Span) -> IntVal {
        let (min, max) = self.unit.types.int_range(kind);
        if self.surely_in_range(v, kind) {
            return v;
        }
        let bits = self.unit.types.int_bits(kind);
        let mut halves = [a.term, b.term];
        for half in &mut halves {
            let low = self.pool.bv(Op::BvExtract(bits - 1, 0), &[*half]);
            *half = self.pool.bv(Op::BvSignExt(bits), &[low]);
        }
        let product = self.pool.bv(Op::BvMul, &halves);
        let low = self.pool.bv(Op::BvExtract(bits - 1, 0), &[product]);
        let again = self.pool.bv(Op::BvSignExt(bits), &[low]);
        let fits = self.pool.eq(product, again);
        self.check_overflow(fits, (Operation::Multiplication, &[a, b]), kind, span);
        let width = self.word.width.unwrap_or(bits);
        let term = self.pool.bv(Op::BvSignExt(width.saturating_sub(bits)), &[low]);
        IntVal { term, lo: v.lo.max(min), hi: v.hi.min(max) }
    }

    /// Division or remainder of words, in as few bits as their type has.
    fn word_division(&mut self, signed: Op, unsigned: Op, a: IntVal, b: IntVal, kind: IntKind) -> TermId {
        let bits = self.unit.types.int_bits(kind);
        let width = self.word.width.unwrap_or(bits + 2);
        let is_signed = a.lo < 0 || b.lo < 0;
        // The least value divided by minus one needs a bit more.
        let used = match self.is_unbounded(kind) {
            true => width,
            false => if is_signed { bits + 1 } else { bits }.min(width),
        };
        let low = |this: &mut Self, t: TermId| this.pool.bv(Op::BvExtract(used - 1, 0), &[t]);
        let (x, y) = (low(self, a.term), low(self, b.term));
        let result = self.pool.bv(if is_signed { signed } else { unsigned }, &[x, y]);
        let extend = if is_signed { Op::BvSignExt(width - used) } else { Op::BvZeroExt(width - used) };
        self.pool.bv(extend, &[result])
    }

    /// The condition that a divisor is not zero.
    fn nonzero(&mut self, b: IntVal) -> TermId {
        if b.lo > 0 || b.hi < 0 {
            return TermId::TRUE;
        }
        let zero = self.num(0);
        let is_zero = self.pool.eq(b.term, zero);
        self.pool.not(is_zero)
    }

    /// As [`Self::defined_if`], where the condition is a check if a property is asked for.
    pub fn checked_if(
        &mut self,
        is_defined: TermId,
        asked: Option<Subproperty>,
        kind: IntKind,
        what: &str,
        span: Span,
        exact: impl FnOnce(&mut Self) -> R<IntVal>,
    ) -> R<IntVal> {
        let Some(property) = asked.filter(|_| !self.context.in_note && is_defined != TermId::TRUE) else {
            return self.defined_if(is_defined, kind, what, span, exact);
        };
        let subject = Subject::Claim { failed: format!("there is {what}") };
        self.check_about(is_defined, property, format!("there may be {what}"), subject, span);
        if is_defined == TermId::FALSE {
            return self.defined_if(is_defined, kind, what, span, exact);
        }
        exact(self)
    }

    /// A result that C defines under a condition only. Otherwise it is any value: a proof holds whatever a compiler
    /// makes of it, and an execution that comes there shows nothing. (Ending such executions instead would prove
    /// everything that follows.)
    pub fn defined_if(
        &mut self,
        is_defined: TermId,
        kind: IntKind,
        what: &str,
        span: Span,
        exact: impl FnOnce(&mut Self) -> R<IntVal>,
    ) -> R<IntVal> {
        if is_defined == TermId::TRUE || self.context.in_note {
            self.assume_undefined(is_defined, span);
            return exact(self);
        }
        let (lo, hi) = self.unit.types.int_range(kind);
        let result = self.number_temp();
        let any = IntVal { term: self.program.term(result), lo, hi };
        let end = self.new_label();
        if is_defined != TermId::FALSE {
            let no = self.branch_hidden(is_defined, span);
            let value = exact(self)?;
            self.emit_hidden(InstrKind::Stmt(ir::Stmt::Assign(vec![(result, value.term)])), span);
            self.jump(vec![end], span);
            self.otherwise_hidden(no, is_defined, span);
        }
        self.havoc(vec![result], Nondet::Overapproximation(what.to_string()), span);
        let fact = self.in_type_range(any.term, kind);
        self.assume_fact(fact, span);
        self.place_label(end, span);
        Ok(any)
    }

    fn divide(&mut self, a: IntVal, b: IntVal, kind: IntKind, span: Span) -> R<IntVal> {
        let nonzero = self.nonzero(b);
        let asked = self.mode.check_division.then_some(Subproperty::NoDivisionByZero);
        self.checked_if(nonzero, asked, kind, "a division by zero", span, |this| this.quotient(a, b, kind, span))
    }

    fn remainder(&mut self, a: IntVal, b: IntVal, kind: IntKind, span: Span) -> R<IntVal> {
        let nonzero = self.nonzero(b);
        let asked = self.mode.check_division.then_some(Subproperty::NoDivisionByZero);
        self.checked_if(nonzero, asked, kind, "a remainder of a division by zero", span, |this| {
            this.rest(a, b, kind, span)
        })
    }

    fn quotient(&mut self, a: IntVal, b: IntVal, kind: IntKind, span: Span) -> R<IntVal> {
        let term = if self.is_exact() {
            self.word_division(Op::BvSdiv, Op::BvUdiv, a, b, kind)
        } else if a.lo >= 0 {
            self.pool.int_div(a.term, b.term)
        } else {
            let quotient = self.pool.int_div(a.term, b.term);
            // Euclidean quotients of negative dividends are one too far from zero, unless exact.
            let zero = self.num(0);
            let rest = self.pool.modulo(a.term, b.term);
            let nonnegative = self.ge(a.term, zero);
            let divides = self.pool.eq(rest, zero);
            let exact = self.pool.or2(nonnegative, divides);
            let one = self.num(1);
            let up = self.sum(&[quotient, one]);
            let down = self.minus(quotient, one);
            let corrected = if b.lo > 0 {
                up
            } else if b.hi < 0 {
                down
            } else {
                let positive = self.gt(b.term, zero);
                self.pool.ite(positive, up, down)
            };
            self.pool.ite(exact, quotient, corrected)
        };
        let bound = a.lo.unsigned_abs().max(a.hi.unsigned_abs()).min(i128::MAX as u128) as i128;
        let (lo, hi) = if a.lo >= 0 && b.lo >= 0 { (0, bound) } else { (-bound, bound) };
        // Only the least value divided by minus one leaves the range.
        let (min, max) = self.unit.types.int_range(kind);
        let can_overflow = kind.is_signed() && a.lo == min && b.lo <= -1 && b.hi >= -1;
        let hi = if can_overflow { hi } else { hi.min(max) };
        let lo = lo.max(min);
        Ok(self.settle(IntVal { term, lo, hi }, kind, (Operation::Division, &[a, b]), span))
    }

    fn rest(&mut self, a: IntVal, b: IntVal, kind: IntKind, span: Span) -> R<IntVal> {
        // The least value divided by minus one has no quotient, so no remainder either (C11 6.5.5p6).
        let (min, _) = self.unit.types.int_range(kind);
        if self.mode.check_overflow && kind.is_signed() && a.lo == min && b.lo <= -1 && b.hi >= -1 {
            let (least, minus_one) = (self.num(min), self.num(-1));
            let (is_least, is_minus_one) = (self.pool.eq(a.term, least), self.pool.eq(b.term, minus_one));
            let overflows = self.pool.and2(is_least, is_minus_one);
            let fits = self.pool.not(overflows);
            self.check_overflow(fits, (Operation::Remainder, &[a, b]), kind, span);
        }
        let term = if self.is_exact() {
            self.word_division(Op::BvSrem, Op::BvUrem, a, b, kind)
        } else if a.lo >= 0 {
            self.pool.modulo(a.term, b.term)
        } else {
            let rest = self.pool.modulo(a.term, b.term);
            let zero = self.num(0);
            let nonnegative = self.ge(a.term, zero);
            let divides = self.pool.eq(rest, zero);
            let exact = self.pool.or2(nonnegative, divides);
            let magnitude = if b.lo > 0 {
                b.term
            } else if b.hi < 0 {
                self.negative(b.term)
            } else {
                let positive = self.gt(b.term, zero);
                let negated = self.negative(b.term);
                self.pool.ite(positive, b.term, negated)
            };
            let corrected = self.minus(rest, magnitude);
            self.pool.ite(exact, rest, corrected)
        };
        let bound = b.lo.unsigned_abs().max(b.hi.unsigned_abs()).min(i128::MAX as u128) as i128 - 1;
        let bound = bound.max(0);
        let lo = if a.lo >= 0 { 0 } else { (-bound).max(a.lo) };
        let hi = if a.hi <= 0 { 0 } else { bound.min(a.hi) };
        Ok(IntVal { term, lo, hi })
    }

    /// The condition that a shift amount is in range, and the least and the greatest such amount. Where a signed left
    /// shift counts as overflow, the condition is checked.
    fn shift_amounts(&mut self, b: IntVal, kind: IntKind, is_signed_left: bool, span: Span) -> (TermId, u32, u32) {
        let bits = self.unit.types.int_bits(kind);
        let mut inside = TermId::TRUE;
        if b.lo < 0 || b.hi >= bits as i128 {
            inside = self.in_range(b.term, 0, bits as i128 - 1);
            if is_signed_left && self.mode.check_overflow && !self.mode.check_shift {
                let subject = Subject::ShiftAmount { amount: b.term, width: bits };
                let message = "the shift amount may be out of range".to_string();
                self.check_about(inside, Subproperty::NoOverflow, message, subject, span);
                inside = TermId::TRUE;
            }
        }
        let lo = b.lo.clamp(0, bits as i128 - 1) as u32;
        let hi = b.hi.clamp(0, bits as i128 - 1) as u32;
        (inside, lo, hi)
    }

    fn shift_left(&mut self, a: IntVal, b: IntVal, kind: IntKind, span: Span) -> R<IntVal> {
        let (inside, lo, hi) = self.shift_amounts(b, kind, kind.is_signed(), span);
        let asked = self.mode.check_shift.then_some(Subproperty::NoInvalidShift);
        self.checked_if(inside, asked, kind, BAD_SHIFT, span, |this| this.shift_left_inside(a, b, (lo, hi), kind, span))
    }

    fn shift_right(&mut self, a: IntVal, b: IntVal, kind: IntKind, span: Span) -> R<IntVal> {
        let (inside, lo, hi) = self.shift_amounts(b, kind, false, span);
        let asked = self.mode.check_shift.then_some(Subproperty::NoInvalidShift);
        self.checked_if(inside, asked, kind, BAD_SHIFT, span, |this| {
            this.shift_right_inside(a, b, (lo, hi), kind, span)
        })
    }

    fn shift_left_inside(
        &mut self,
        a: IntVal,
        b: IntVal,
        (lo, hi): (u32, u32),
        kind: IntKind,
        span: Span,
    ) -> R<IntVal> {
        let signed_check = kind.is_signed() && self.mode.check_overflow;
        if self.is_exact() {
            return Ok(self.shift_word_left(a, b, hi, kind, signed_check, span));
        }
        if lo != hi && self.constant_of(a).is_none() && hi - lo > 8 {
            let result = self.overapproximated(kind, "left shift by a variable amount", span);
            if signed_check {
                return unsupported(span, "overflow of a left shift by a variable amount");
            }
            return Ok(result);
        }
        // One case for each amount.
        let mut chain: Option<IntVal> = None;
        for amount in (lo..=hi).rev() {
            let term = self.shift_up(a.term, amount);
            let scale = power(amount);
            let case = IntVal { term, lo: a.lo.saturating_mul(scale), hi: a.hi.saturating_mul(scale) };
            chain = Some(match chain {
                None => case,
                Some(rest) => {
                    let n = self.num(amount as i128);
                    let here = self.pool.eq(b.term, n);
                    let term = self.pool.ite(here, case.term, rest.term);
                    IntVal { term, lo: case.lo.min(rest.lo), hi: case.hi.max(rest.hi) }
                }
            });
        }
        let Some(v) = chain else { return unsupported(span, "shift without amounts") };
        if signed_check {
            let (_, max) = self.unit.types.int_range(kind);
            if a.lo < 0 || !self.surely_in_range(v, kind) {
                let zero = self.num(0);
                let max_term = self.num(max);
                let nonnegative = self.ge(a.term, zero);
                let small = self.le(v.term, max_term);
                let fits = self.pool.and2(nonnegative, small);
                self.check_overflow(fits, (Operation::LeftShift, &[a, b]), kind, span);
            }
            return Ok(IntVal { term: v.term, lo: v.lo.max(0), hi: v.hi.min(max) });
        }
        Ok(self.wrap(v, kind))
    }

    fn shift_word_left(&mut self, a: IntVal, b: IntVal, most: u32, kind: IntKind, checked: bool, span: Span) -> IntVal {
        let term = self.pool.bv(Op::BvShl, &[a.term, b.term]);
        let (min, max) = self.unit.types.int_range(kind);
        let scale = power(most);
        let v = IntVal { term, lo: a.lo.saturating_mul(scale).min(a.lo), hi: a.hi.saturating_mul(scale).max(a.hi) };
        if checked {
            if a.lo < 0 || !self.surely_in_range(v, kind) {
                let (zero, max_term) = (self.num(0), self.num(max));
                let nonnegative = self.ge(a.term, zero);
                let limit = self.pool.bv(Op::BvLshr, &[max_term, b.term]);
                let small = self.le(a.term, limit);
                let fits = self.pool.and2(nonnegative, small);
                self.check_overflow(fits, (Operation::LeftShift, &[a, b]), kind, span);
            }
            return IntVal { term, lo: 0, hi: max };
        }
        if self.surely_in_range(v, kind) && min <= max {
            return v;
        }
        self.wrap(IntVal { term, lo: i128::MIN, hi: i128::MAX }, kind)
    }

    fn shift_right_inside(
        &mut self,
        a: IntVal,
        b: IntVal,
        (lo, hi): (u32, u32),
        kind: IntKind,
        span: Span,
    ) -> R<IntVal> {
        if self.is_exact() {
            let term = self.pool.bv(Op::BvAshr, &[a.term, b.term]);
            let (small, large) = (lo.min(126), hi.min(126));
            let least = if a.lo < 0 { a.lo >> small } else { a.lo >> large };
            let most = if a.hi < 0 { a.hi >> large } else { a.hi >> small };
            return Ok(IntVal { term, lo: least, hi: most });
        }
        if lo != hi && self.constant_of(a).is_none() && hi - lo > 8 {
            let r = self.overapproximated(kind, "right shift by a variable amount", span);
            // a >= 0 ⇒ 0 <= r <= a;  a < 0 ⇒ a <= r <= -1
            let zero = self.num(0);
            let nonnegative = self.ge(a.term, zero);
            let (r0, ra) = (self.ge(r.term, zero), self.le(r.term, a.term));
            let up = self.pool.and2(r0, ra);
            let (ar, rm) = (self.le(a.term, r.term), self.lt(r.term, zero));
            let down = self.pool.and2(ar, rm);
            let fact = self.pool.ite(nonnegative, up, down);
            self.assume_fact(fact, span);
            return Ok(r);
        }
        let mut chain: Option<IntVal> = None;
        for amount in (lo..=hi).rev() {
            let term = self.shift_down(a.term, amount);
            let case = IntVal { term, lo: a.lo >> amount.min(126), hi: a.hi >> amount.min(126) };
            chain = Some(match chain {
                None => case,
                Some(rest) => {
                    let n = self.num(amount as i128);
                    let here = self.pool.eq(b.term, n);
                    let term = self.pool.ite(here, case.term, rest.term);
                    IntVal { term, lo: case.lo.min(rest.lo), hi: case.hi.max(rest.hi) }
                }
            });
        }
        match chain {
            Some(v) => Ok(v),
            None => unsupported(span, "shift without amounts"),
        }
    }

    /// `a & mask` for a constant mask, as a sum over the mask's runs of ones (holds for negative `a`).
    fn mask(&mut self, a: IntVal, mask: i128, kind: IntKind) -> Option<IntVal> {
        let is_wide = self.unit.types.is_wide(kind);
        // Of 128 bits the highest must be alike, and there is no complement without a sign.
        if is_wide && !(-(1i128 << 100)..1i128 << 100).contains(&mask) {
            return None;
        }
        let bits = self.unit.types.int_bits(kind).min(126);
        let full = (1i128 << bits) - 1;
        let ones = mask & full;
        let runs = runs_of_ones(ones, bits);
        let gaps = runs_of_ones(!ones & full, bits);
        if runs.len().min(gaps.len()) > 8 {
            return None;
        }
        // A mask with its sign bit set keeps the sign: subtract the gaps instead.
        let negative_mask = mask < 0;
        let (list, complement) = if negative_mask || (gaps.len() < runs.len() && a.lo >= 0 && !is_wide) {
            (gaps, true)
        } else {
            (runs, false)
        };
        let mut sum = Vec::new();
        for (low, length) in list {
            let shifted = self.shift_down(a.term, low);
            let part = self.low_bits(shifted, length);
            sum.push(self.shift_up(part, low));
        }
        let total = if sum.is_empty() { self.num(0) } else { self.sum(&sum) };
        let (min, max) = self.unit.types.int_range(kind);
        if complement {
            let term = self.minus(a.term, total);
            let lo = if a.lo >= 0 { 0 } else { min };
            Some(IntVal { term, lo, hi: a.hi.min(max) })
        } else {
            let hi = if a.lo >= 0 { a.hi.min(ones) } else { ones };
            Some(IntVal { term: total, lo: 0, hi })
        }
    }

    /// A bit operation on words.
    fn word_op(&mut self, op: Op, a: IntVal, b: IntVal, kind: IntKind) -> IntVal {
        let term = self.pool.bv(op, &[a.term, b.term]);
        let (min, max) = self.unit.types.int_range(kind);
        // Numbers that are not negative keep to as many bits as the wider one has.
        if a.lo >= 0 && b.lo >= 0 {
            let bits = 128 - (a.hi | b.hi).leading_zeros();
            let all = if bits < 126 { ((1i128 << bits) - 1).min(max) } else { max };
            let hi = if op == Op::BvAnd { a.hi.min(b.hi) } else { all };
            return IntVal { term, lo: 0, hi };
        }
        if op == Op::BvAnd && (a.lo >= 0 || b.lo >= 0) {
            return IntVal { term, lo: 0, hi: if a.lo >= 0 { a.hi } else { b.hi } };
        }
        IntVal { term, lo: min, hi: max }
    }

    fn is_bit(v: IntVal) -> bool {
        v.lo >= 0 && v.hi <= 1
    }

    fn bit_and(&mut self, a: IntVal, b: IntVal, kind: IntKind, span: Span) -> R<IntVal> {
        if a.term == b.term {
            return Ok(a);
        }
        if self.is_exact() {
            return Ok(self.word_op(Op::BvAnd, a, b, kind));
        }
        for (x, c) in [(a, b), (b, a)] {
            if let Some(c) = self.constant_of(c) {
                if c == 0 {
                    return Ok(self.int_const(0));
                }
                if let Some(v) = self.mask(x, c, kind) {
                    return Ok(v);
                }
            }
        }
        if Self::is_bit(a) && Self::is_bit(b) {
            let zero = self.num(0);
            let a_zero = self.pool.eq(a.term, zero);
            return Ok(IntVal { term: self.pool.ite(a_zero, zero, b.term), lo: 0, hi: 1 });
        }
        let r = self.overapproximated(kind, "bitwise and", span);
        let zero = self.num(0);
        let mut facts = Vec::new();
        for (x, y) in [(a, b), (b, a)] {
            let nonnegative = self.ge(x.term, zero);
            let (low, high) = (self.ge(r.term, zero), self.le(r.term, x.term));
            let inside = self.pool.and2(low, high);
            facts.push(self.pool.implies(nonnegative, inside));
            // x = 0 ⇒ r = 0;  x = -1 ⇒ r = y
            let is_zero = self.pool.eq(x.term, zero);
            let r_zero = self.pool.eq(r.term, zero);
            facts.push(self.pool.implies(is_zero, r_zero));
            if x.lo <= -1 {
                let minus_one = self.num(-1);
                let is_ones = self.pool.eq(x.term, minus_one);
                let r_y = self.pool.eq(r.term, y.term);
                facts.push(self.pool.implies(is_ones, r_y));
            }
        }
        if a.lo < 0 && b.lo < 0 {
            let (a_neg, b_neg) = (self.lt(a.term, zero), self.lt(b.term, zero));
            let both = self.pool.and2(a_neg, b_neg);
            let below = self.lt(r.term, zero);
            let (ra, rb) = (self.le(r.term, a.term), self.le(r.term, b.term));
            let sum = self.sum(&[a.term, b.term]);
            let above_sum = self.gt(r.term, sum);
            let all = self.pool.and(&[below, ra, rb, above_sum]);
            facts.push(self.pool.implies(both, all));
        }
        let equal = self.pool.eq(a.term, b.term);
        let same = self.pool.eq(r.term, a.term);
        facts.push(self.pool.implies(equal, same));
        let all = self.pool.and(&facts);
        self.assume_fact(all, span);
        Ok(r)
    }

    /// If one of the two is a constant for which [`Self::mask`] applies: `a | c = a + c − (a & c)`, and without what is
    /// common, `a ^ c = a + c − 2 (a & c)`.
    fn joined_with_constant(&mut self, a: IntVal, b: IntVal, kind: IntKind, keeps_common: bool) -> Option<IntVal> {
        let (min, max) = self.unit.types.int_range(kind);
        for (x, c) in [(a, b), (b, a)] {
            let Some(c) = self.constant_of(c) else { continue };
            if c == 0 {
                return Some(x);
            }
            if let Some(masked) = self.mask(x, c, kind) {
                let c_term = self.num(c);
                let sum = self.sum(&[x.term, c_term]);
                let (left_out, least) = if keeps_common {
                    (masked.term, c)
                } else {
                    let two = self.num(2);
                    (self.mul2(two, masked.term), 0)
                };
                let term = self.minus(sum, left_out);
                let lo = if x.lo >= 0 && c >= 0 { least } else { min };
                return Some(IntVal { term, lo, hi: max });
            }
        }
        None
    }

    fn bit_or(&mut self, a: IntVal, b: IntVal, kind: IntKind, span: Span) -> R<IntVal> {
        if a.term == b.term {
            return Ok(a);
        }
        if self.is_exact() {
            return Ok(self.word_op(Op::BvOr, a, b, kind));
        }
        if let Some(v) = self.joined_with_constant(a, b, kind, true) {
            return Ok(v);
        }
        if Self::is_bit(a) && Self::is_bit(b) {
            let zero = self.num(0);
            let one = self.num(1);
            let a_zero = self.pool.eq(a.term, zero);
            return Ok(IntVal { term: self.pool.ite(a_zero, b.term, one), lo: 0, hi: 1 });
        }
        if let Some(v) = self.disjoint_sum(a, b) {
            return Ok(v);
        }
        let r = self.overapproximated(kind, "bitwise or", span);
        let zero = self.num(0);
        let mut facts = Vec::new();
        for (x, y) in [(a, b), (b, a)] {
            let negative = self.lt(x.term, zero);
            let (low, high) = (self.le(x.term, r.term), self.lt(r.term, zero));
            let inside = self.pool.and2(low, high);
            facts.push(self.pool.implies(negative, inside));
            let is_zero = self.pool.eq(x.term, zero);
            let r_y = self.pool.eq(r.term, y.term);
            facts.push(self.pool.implies(is_zero, r_y));
        }
        let (a_pos, b_pos) = (self.ge(a.term, zero), self.ge(b.term, zero));
        let both = self.pool.and2(a_pos, b_pos);
        let (ra, rb) = (self.ge(r.term, a.term), self.ge(r.term, b.term));
        let sum = self.sum(&[a.term, b.term]);
        let below_sum = self.le(r.term, sum);
        let inside = self.pool.and(&[ra, rb, below_sum]);
        facts.push(self.pool.implies(both, inside));
        let equal = self.pool.eq(a.term, b.term);
        let same = self.pool.eq(r.term, a.term);
        facts.push(self.pool.implies(equal, same));
        let all = self.pool.and(&facts);
        self.assume_fact(all, span);
        Ok(r)
    }

    fn bit_xor(&mut self, a: IntVal, b: IntVal, kind: IntKind, span: Span) -> R<IntVal> {
        if a.term == b.term {
            return Ok(self.int_const(0));
        }
        if self.is_exact() {
            return Ok(self.word_op(Op::BvXor, a, b, kind));
        }
        if let Some(v) = self.joined_with_constant(a, b, kind, false) {
            return Ok(v);
        }
        if Self::is_bit(a) && Self::is_bit(b) {
            let zero = self.num(0);
            let one = self.num(1);
            let same = self.pool.eq(a.term, b.term);
            return Ok(IntVal { term: self.pool.ite(same, zero, one), lo: 0, hi: 1 });
        }
        if let Some(v) = self.disjoint_sum(a, b) {
            return Ok(v);
        }
        let r = self.overapproximated(kind, "bitwise exclusive or", span);
        let zero = self.num(0);
        let mut facts = Vec::new();
        let (a_pos, b_pos) = (self.ge(a.term, zero), self.ge(b.term, zero));
        let same_sign = self.pool.eq(a_pos, b_pos);
        let r_pos = self.ge(r.term, zero);
        facts.push(self.pool.eq(same_sign, r_pos));
        let equal = self.pool.eq(a.term, b.term);
        let r_zero = self.pool.eq(r.term, zero);
        facts.push(self.pool.eq(equal, r_zero));
        let both = self.pool.and2(a_pos, b_pos);
        let sum = self.sum(&[a.term, b.term]);
        let below_sum = self.le(r.term, sum);
        facts.push(self.pool.implies(both, below_sum));
        for (x, y) in [(a, b), (b, a)] {
            let is_zero = self.pool.eq(x.term, zero);
            let r_y = self.pool.eq(r.term, y.term);
            facts.push(self.pool.implies(is_zero, r_y));
        }
        let all = self.pool.and(&facts);
        self.assume_fact(all, span);
        Ok(r)
    }

    /// `a | b` and `a ^ b` are `a + b` when one is a multiple of 2^k and the other below 2^k.
    fn disjoint_sum(&mut self, a: IntVal, b: IntVal) -> Option<IntVal> {
        for (high, low) in [(a, b), (b, a)] {
            if low.lo < 0 || high.lo < 0 {
                continue;
            }
            let k = 128 - low.hi.leading_zeros();
            if self.is_multiple_of_pow2(high.term, k) {
                let term = self.sum(&[high.term, low.term]);
                return Some(IntVal { term, lo: high.lo.max(low.lo), hi: high.hi.saturating_add(low.hi) });
            }
        }
        None
    }

    /// Is the term visibly a multiple of 2^k: a product with, or a sum of, such numbers?
    fn is_multiple_of_pow2(&self, term: TermId, k: u32) -> bool {
        if k == 0 {
            return true;
        }
        if k > 100 {
            return false;
        }
        if let Some(n) = self.pool.number(term) {
            let modulus = Rational::pow2(k);
            return n.rem_euclid(&modulus).is_zero();
        }
        match self.pool.op(term) {
            logic::Op::Mul => {
                self.pool.args(term).iter().any(|&t| self.pool.number(t).is_some() && self.is_multiple_of_pow2(t, k))
            }
            logic::Op::Add => self.pool.args(term).iter().all(|&t| self.is_multiple_of_pow2(t, k)),
            _ => false,
        }
    }

    /// Any value of a type, because something was not modelled.
    pub fn overapproximated(&mut self, kind: IntKind, what: &str, span: Span) -> IntVal {
        let (min, max) = self.unit.types.int_range(kind);
        let var = self.number_temp();
        self.havoc(vec![var], Nondet::Inexact(what.to_string()), span);
        self.note_imprecise(what, span);
        let term = self.program.term(var);
        let fact = self.in_type_range(term, kind);
        self.assume_fact(fact, span);
        IntVal { term, lo: min, hi: max }
    }
}

/// Small enough for the bounds of one operation to be computed without saturation.
fn is_small(v: IntVal) -> bool {
    v.lo > -(1i128 << 62) && v.hi < 1i128 << 62
}

/// 2^k, or the greatest `i128` for "more".
fn power(k: u32) -> i128 {
    if k < 126 { 1i128 << k } else { i128::MAX }
}

/// The runs of ones of a number: (lowest bit, length).
fn runs_of_ones(mut bits: i128, width: u32) -> Vec<(u32, u32)> {
    let mut runs = Vec::new();
    let mut position = 0;
    while position < width {
        if bits & 1 == 0 {
            bits >>= 1;
            position += 1;
            continue;
        }
        let start = position;
        while position < width && bits & 1 == 1 {
            bits >>= 1;
            position += 1;
        }
        runs.push((start, position - start));
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::runs_of_ones;

    #[test]
    fn runs() {
        assert_eq!(runs_of_ones(0b1_0110, 8), [(1, 2), (4, 1)]);
        assert_eq!(runs_of_ones(0xff, 8), [(0, 8)]);
        assert_eq!(runs_of_ones(0, 8), []);
    }
}
