//! Fused multiplication and addition, and the remainder.

use super::{Format, Ieee};
use crate::term::{Op, TermId};

impl Ieee<'_> {
    /// `a · b + c`, rounded once.
    pub fn fused(&mut self, a: TermId, b: TermId, c: TermId, f: Format) -> TermId {
        let (pa, pb, pc) = (self.parts(a, f), self.parts(b, f), self.parts(c, f));
        let ew = f.exponent_width() + 2;
        let w = 2 * (f.fraction + 1);
        let product_negative = self.pool.xor(pa.negative, pb.negative);
        // Product and summand with as many digits each, and a leading one unless they are zero.
        let (x, y) = (self.resize(pa.significand, w), self.resize(pb.significand, w));
        let product = self.pool.bv(Op::BvMul, &[x, y]);
        let (product, shift) = self.normalise(product, ew);
        let (ea, eb) = (self.resize_signed(pa.exponent, ew), self.resize_signed(pb.exponent, ew));
        let one = self.num(1, ew);
        let exponent = self.add(ea, eb);
        let exponent = self.add(exponent, one);
        let product_exponent = self.sub(exponent, shift);
        let summand = self.append_zeros(pc.significand, f.fraction + 1);
        let (summand, shift) = self.normalise(summand, ew);
        let ec = self.resize_signed(pc.exponent, ew);
        let summand_exponent = self.sub(ec, shift);
        // Zeros come last, whatever their exponents.
        let lowest = self.num(-(1i128 << (ew - 2)), ew);
        let product_zero = self.or(pa.zero, pb.zero);
        let product_exponent = self.ite(product_zero, lowest, product_exponent);
        let summand_exponent = self.ite(pc.zero, lowest, summand_exponent);
        // The larger magnitude first.
        let less = self.slt(product_exponent, summand_exponent);
        let same = self.pool.eq(product_exponent, summand_exponent);
        let smaller = self.ult(product, summand);
        let smaller = self.and(same, smaller);
        let swap = self.or(less, smaller);
        let big_exponent = self.ite(swap, summand_exponent, product_exponent);
        let small_exponent = self.ite(swap, product_exponent, summand_exponent);
        let big = self.ite(swap, summand, product);
        let small = self.ite(swap, product, summand);
        let negative = self.ite(swap, pc.negative, product_negative);
        let distance = self.sub(big_exponent, small_exponent);
        let (big, small) = (self.append_zeros(big, 3), self.append_zeros(small, 3));
        let small = self.shift_right_sticky(small, distance);
        let (big, small) = (self.resize(big, w + 4), self.resize(small, w + 4));
        let subtract = self.pool.xor(product_negative, pc.negative);
        let (sum, difference) = (self.add(big, small), self.sub(big, small));
        let value = self.ite(subtract, difference, sum);
        let is_zero = self.is_zero(value);
        let (value, shift) = self.normalise(value, ew);
        let exponent = self.add(big_exponent, one);
        let exponent = self.sub(exponent, shift);
        let zero_sign = self.sign_of_zero_sum(product_negative, pc.negative);
        let sign = self.ite(is_zero, zero_sign, negative);
        let finite = self.round(sign, exponent, value, f);
        let infinite = self.or(pa.infinite, pb.infinite);
        let no_product = self.and(infinite, product_zero);
        let opposite = self.pool.and(&[infinite, pc.infinite, subtract]);
        let undefined = self.or(no_product, opposite);
        let infinite_product = self.infinity(product_negative, f);
        let nan = self.default_nan(f);
        let r = self.ite(pc.infinite, c, finite);
        let r = self.ite(infinite, infinite_product, r);
        let r = self.ite(undefined, nan, r);
        let quiet = self.quiet(c, f);
        let r = self.ite(pc.nan, quiet, r);
        self.unless_nan((a, pa.nan), (b, pb.nan), r, f)
    }

    /// `a − b · n`, where n is the integer nearest to `a / b`, ties to even.
    ///
    /// With the significands A and B as integers and d the difference of the exponents, this is about A · 2^d modulo B.
    /// Doubling d times and reducing each time keeps the numbers short; modulo 4 · B the parity of n and the half are
    /// seen as well.
    pub fn remainder(&mut self, a: TermId, b: TermId, f: Format) -> TermId {
        let (pa, pb) = (self.parts(a, f), self.parts(b, f));
        let ew = f.exponent_width();
        let w = f.fraction + 5;
        let distance = self.sub(pa.exponent, pb.exponent);
        let x = self.resize(pa.significand, w);
        let y = self.resize(pb.significand, w);
        // In units of half of b's last digit: the divisor is 2 · B, and twice that is the modulus.
        let divisor = self.append_low(y, 1);
        let modulus = self.append_low(y, 2);
        let mut rest = self.pool.bv(Op::BvUrem, &[x, modulus]);
        for i in 0..(1i128 << f.exponent) - 2 {
            let i = self.num(i, ew);
            let more = self.sle(i, distance);
            let doubled = self.append_low(rest, 1);
            let less = self.ult(doubled, modulus);
            let reduced = self.sub(doubled, modulus);
            let reduced = self.ite(less, doubled, reduced);
            rest = self.ite(more, reduced, rest);
        }
        let even = self.ult(rest, divisor);
        let odd = self.not(even);
        let reduced = self.sub(rest, divisor);
        let rest = self.ite(odd, reduced, rest);
        let twice = self.append_low(rest, 1);
        let above = self.ult(divisor, twice);
        let tie = self.pool.eq(divisor, twice);
        let tie_up = self.and(tie, odd);
        let up = self.or(above, tie_up);
        let other = self.sub(divisor, rest);
        let magnitude = self.ite(up, other, rest);
        let is_zero = self.is_zero(magnitude);
        let flipped = self.pool.xor(pa.negative, up);
        let negative = self.ite(is_zero, pa.negative, flipped);
        let (value, shift) = self.normalise(magnitude, ew);
        let top = self.num(w as i128 - 2 - f.fraction as i128, ew);
        let exponent = self.add(pb.exponent, top);
        let exponent = self.sub(exponent, shift);
        let r = self.round(negative, exponent, value, f);
        // Far below the divisor the number is its own remainder.
        let minus_one = self.num(-1, ew);
        let is_small = self.slt(distance, minus_one);
        let unchanged = self.pool.or(&[is_small, pb.infinite, pa.zero]);
        let r = self.ite(unchanged, a, r);
        let undefined = self.or(pa.infinite, pb.zero);
        let nan = self.default_nan(f);
        let r = self.ite(undefined, nan, r);
        self.unless_nan((a, pa.nan), (b, pb.nan), r, f)
    }

    /// Shifts left by a constant.
    fn append_low(&mut self, t: TermId, n: u32) -> TermId {
        let w = self.width(t);
        let low = self.extract(t, w - 1 - n, 0);
        self.append_zeros(low, n)
    }
}
