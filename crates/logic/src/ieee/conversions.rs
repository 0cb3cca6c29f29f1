//! From one format to another, from and to integers and reals.

use super::{Format, Ieee, bits_for};
use crate::rational::Rational;
use crate::sort::SortId;
use crate::term::{Op, TermId};

impl Ieee<'_> {
    /// From one format to another.
    pub fn convert(&mut self, a: TermId, from: Format, to: Format) -> TermId {
        if from == to {
            return a;
        }
        let pa = self.parts(a, from);
        let ew = from.exponent_width();
        let (value, shift) = self.normalise(pa.significand, ew);
        let exponent = self.sub(pa.exponent, shift);
        let finite = self.round(pa.negative, exponent, value, to);
        let infinity = self.infinity(pa.negative, to);
        // A NaN keeps the first bits of its payload.
        let fraction = self.extract(a, from.fraction - 1, 0);
        let payload = if to.fraction >= from.fraction {
            self.append_zeros(fraction, to.fraction - from.fraction)
        } else {
            self.extract(fraction, from.fraction - 1, from.fraction - to.fraction)
        };
        let top = self.num((1 << to.exponent) - 1, to.exponent);
        let magnitude = self.concat(top, payload);
        let nan = self.pack(pa.negative, magnitude);
        let nan = self.quiet(nan, to);
        let r = self.ite(pa.infinite, infinity, finite);
        self.ite(pa.nan, nan, r)
    }

    /// The number that an integer of any width is rounded to.
    pub fn of_integer(&mut self, a: TermId, signed: bool, f: Format) -> TermId {
        let w = self.width(a);
        let negative = if signed { self.bit(a, w - 1) } else { TermId::FALSE };
        let negated = self.pool.bv(Op::BvNeg, &[a]);
        let magnitude = self.ite(negative, negated, a);
        let ew = f.exponent_width().max(bits_for(w) + 2);
        let (value, shift) = self.normalise(magnitude, ew);
        let top = self.num(w as i128 - 1, ew);
        let exponent = self.sub(top, shift);
        let r = self.round(negative, exponent, value, f);
        let is_zero = self.is_zero(a);
        let zero = self.zero(TermId::FALSE, f);
        self.ite(is_zero, zero, r)
    }

    /// The integer of `width` bits that a number is rounded to, and whether it fits (never for NaN and
    /// infinity). What does not fit has an arbitrary result.
    pub fn to_integer(&mut self, a: TermId, width: u32, signed: bool, f: Format) -> (TermId, TermId) {
        let pa = self.parts(a, f);
        let ew = f.exponent_width().max(bits_for(width) + 2);
        let exponent = self.resize_signed(pa.exponent, ew);
        let limit = self.num(width as i128, ew);
        let is_large = self.sle(limit, exponent);
        // Fixed point: `width` digits before the point, the fraction and one more after it.
        let w = width + f.fraction + 1;
        let word = self.append_zeros(pa.significand, 1);
        let word = self.resize(word, w.max(f.fraction + 2));
        let word = self.resize(word, w);
        let amount = self.resize(exponent, w.max(ew));
        let amount = self.resize(amount, w);
        let shifted = self.pool.bv(Op::BvShl, &[word, amount]);
        // A half or more but less than one, and what is smaller still.
        let half_word = self.extract(word, w - 1, 1);
        let half_word = self.resize(half_word, w);
        let some = self.is_nonzero(pa.significand);
        let sticky = self.bit_of(some);
        let sticky = self.resize(sticky, w);
        let (zero, minus_one) = (self.num(0, ew), self.num(-1, ew));
        let is_small = self.slt(exponent, zero);
        let is_half = self.pool.eq(exponent, minus_one);
        let small = self.ite(is_half, half_word, sticky);
        let fixed = self.ite(is_small, small, shifted);
        let whole = self.extract(fixed, w - 1, f.fraction + 1);
        let half = self.bit(fixed, f.fraction);
        let rest = self.extract(fixed, f.fraction - 1, 0);
        let rest = self.is_nonzero(rest);
        let odd = self.bit(whole, 0);
        let up = self.rounds_up(pa.negative, odd, half, rest);
        let up = self.bit_of(up);
        let (wide, up) = (self.resize(whole, width + 1), self.resize(up, width + 1));
        let magnitude = self.add(wide, up);
        let low = self.resize(magnitude, width);
        let negated = self.pool.bv(Op::BvNeg, &[low]);
        let value = self.ite(pa.negative, negated, low);
        let in_range = if signed {
            // Below 2^(width − 1), or equal to it for negative numbers.
            let least = self.pool.bv_num(crate::BigInt::ONE << (width as usize - 1), width + 1);
            let below = self.ult(magnitude, least);
            let is_least = self.pool.eq(magnitude, least);
            let is_least = self.and(pa.negative, is_least);
            self.or(below, is_least)
        } else {
            let nothing = self.is_zero(magnitude);
            let carry = self.bit(magnitude, width);
            let no_carry = self.not(carry);
            self.ite(pa.negative, nothing, no_carry)
        };
        let special = self.pool.or(&[pa.nan, pa.infinite, is_large]);
        let good = self.not(special);
        (value, self.and(good, in_range))
    }

    /// The value of a finite number as a real: one case for each exponent.
    pub fn to_real(&mut self, a: TermId, f: Format) -> TermId {
        let biased = self.extract(a, f.width() - 2, f.fraction);
        let pa = self.parts(a, f);
        let digits = self.pool.bv(Op::BvToNat, &[pa.significand]);
        let digits = self.pool.to_real(digits);
        let mut magnitude = self.pool.num(Rational::zero(), SortId::REAL);
        let n = 1u32 << f.exponent;
        for k in 0..n - 1 {
            let power = i64::from(k.max(1)) - f.bias() - i64::from(f.fraction);
            let scale = Rational::pow2(power.unsigned_abs() as u32);
            let scale = if power < 0 { scale.recip() } else { scale };
            let scale = self.pool.num(scale, SortId::REAL);
            let value = self.pool.mul(&[scale, digits]);
            let k = self.num(i128::from(k), f.exponent);
            let here = self.pool.eq(biased, k);
            magnitude = self.ite(here, value, magnitude);
        }
        let negated = self.pool.neg(magnitude);
        self.ite(pa.negative, negated, magnitude)
    }
}
