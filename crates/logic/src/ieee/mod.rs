//! IEEE 754 binary arithmetic as bit-vector terms, for C programs and for the theory of floating point.
//!
//! Every operation takes and gives the bits of its numbers. The scheme is that of the standard: take the numbers
//! apart, compute with a few more digits and a *sticky* bit that stands for all the digits below, then round
//! once. Rounding adds one to exponent and fraction read as one number, so that a carry out of the
//! fraction goes into the exponent, turns the greatest subnormal into the least normal number, and the
//! greatest number into infinity, all without a case of its own.
//!
//! An operation on a NaN gives that NaN, made quiet (the first of two); one that has no result gives the NaN with
//! its sign bit set: what x86 processors do.
//!
//! So if all NaNs that go in are the NaN with its sign bit and its first fraction bit set, so are those that come out:
//! for the theory of floating point, which has only one NaN, that is the one.
//!
//! The constructors of terms fold constants, so the tests compare these circuits with the processor's own
//! arithmetic number by number, and with exact arithmetic on all numbers of small formats.

mod conversions;
mod fused;

use crate::rational::{BigInt, Rational};
use crate::term::{Op, TermId, TermPool};

/// The widths of exponent and fraction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Format {
    pub exponent: u32,
    pub fraction: u32,
}

pub const HALF: Format = Format { exponent: 5, fraction: 10 };
pub const SINGLE: Format = Format { exponent: 8, fraction: 23 };
pub const DOUBLE: Format = Format { exponent: 11, fraction: 52 };
/// The numbers of the x87 unit, without the digit before the point, which other formats do not store either.
pub const EXTENDED: Format = Format { exponent: 15, fraction: 63 };
pub const QUAD: Format = Format { exponent: 15, fraction: 112 };

impl Format {
    pub fn width(self) -> u32 {
        1 + self.exponent + self.fraction
    }
    fn bias(self) -> i64 {
        (1 << (self.exponent - 1)) - 1
    }
    /// The bits of the number nearest to `value`, ties to even; beyond the greatest number, infinity.
    pub fn nearest(self, value: &Rational) -> BigInt {
        self.rounded(value, Rounding::NearestEven)
    }
    /// The bits of the number that `value` is rounded to.
    pub fn rounded(self, value: &Rational, rounding: Rounding) -> BigInt {
        let sign = if value.is_negative() { BigInt::ONE << (self.width() as usize - 1) } else { BigInt::ZERO };
        let magnitude = value.abs();
        if magnitude.is_zero() {
            return sign;
        }
        let two = Rational::from(2i64);
        let power = |e: i64| {
            let p = Rational::pow2(e.unsigned_abs() as u32);
            if e < 0 { p.recip() } else { p }
        };
        // The greatest exponent with 2^exponent ≤ magnitude, but not below that of subnormal numbers.
        let bits = |n: &BigInt| Rational::from(n.clone()).bit_size() as i64;
        let mut exponent = bits(&magnitude.numer()) - bits(&magnitude.denom());
        if magnitude < power(exponent) {
            exponent -= 1;
        }
        let least = 1 - self.bias();
        let exponent = exponent.max(least);
        let scaled = &magnitude * &power(i64::from(self.fraction) - exponent);
        let (whole, rest) = (scaled.floor(), scaled.fract());
        let half = two.recip();
        let odd = !(&whole / &two).is_integer();
        let up = match rounding {
            Rounding::NearestEven => rest > half || (rest == half && odd),
            Rounding::NearestAway => rest >= half,
            Rounding::Up => !rest.is_zero() && !value.is_negative(),
            Rounding::Down => !rest.is_zero() && value.is_negative(),
            Rounding::Zero => false,
        };
        let significand = if up { &whole + &Rational::one() } else { whole };
        // Exponent and fraction as one number: a carry goes where it belongs. Subnormal numbers have no leading one.
        let significand = significand.to_bigint().unwrap_or_default();
        let field = (BigInt::from(exponent - least) << self.fraction as usize) + significand;
        let infinity = ((BigInt::ONE << self.exponent as usize) - BigInt::ONE) << self.fraction as usize;
        let to_infinity = match rounding {
            Rounding::NearestEven | Rounding::NearestAway => true,
            Rounding::Up => !value.is_negative(),
            Rounding::Down => value.is_negative(),
            Rounding::Zero => false,
        };
        let greatest = if to_infinity { infinity.clone() } else { infinity.clone() - BigInt::ONE };
        sign + if field >= infinity { greatest } else { field }
    }
    /// The exponents of all numbers, of their products and quotients, and a little more. Numbers are normalised, so the
    /// number of their digits counts as well.
    fn exponent_width(self) -> u32 {
        self.exponent.max(bits_for(2 * self.fraction + 8)) + 3
    }
    /// The one NaN of the theory of floating point.
    pub fn nan(self) -> BigInt {
        ((BigInt::ONE << (self.exponent as usize + 2)) - BigInt::ONE) << (self.fraction as usize - 1)
    }
    /// The bits of positive infinity.
    pub fn infinity(self) -> BigInt {
        ((BigInt::ONE << self.exponent as usize) - BigInt::ONE) << self.fraction as usize
    }
}

/// How many bits a number takes.
fn bits_for(n: u32) -> u32 {
    32 - n.leading_zeros()
}

/// How what lies between two numbers is rounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rounding {
    /// To the nearest, ties to even.
    NearestEven,
    /// To the nearest, ties away from zero.
    NearestAway,
    Up,
    Down,
    /// Towards zero.
    Zero,
}

impl Rounding {
    /// In the order of their codes, where the mode is a term.
    pub const ALL: [Rounding; 5] =
        [Rounding::NearestEven, Rounding::NearestAway, Rounding::Up, Rounding::Down, Rounding::Zero];
    /// The bits of a rounding mode that is a term.
    pub const WIDTH: u32 = 3;
}

/// A rounding mode, or a term of [`Rounding::WIDTH`] bits with the code of one.
#[derive(Clone, Copy)]
enum Mode {
    Fixed(Rounding),
    Term(TermId),
}

/// A number taken apart.
struct Parts {
    negative: TermId,
    nan: TermId,
    infinite: TermId,
    zero: TermId,
    /// Signed, without bias; of subnormal numbers that of the least normal ones.
    exponent: TermId,
    /// With the leading digit: one, or zero for subnormal numbers.
    significand: TermId,
}

/// A builder of circuits.
pub struct Ieee<'a> {
    pool: &'a mut TermPool,
    mode: Mode,
}

impl<'a> Ieee<'a> {
    /// Rounds to the nearest, ties to even.
    pub fn new(pool: &'a mut TermPool) -> Ieee<'a> {
        Ieee { pool, mode: Mode::Fixed(Rounding::NearestEven) }
    }
    pub fn rounding(self, rounding: Rounding) -> Ieee<'a> {
        Ieee { mode: Mode::Fixed(rounding), ..self }
    }
    /// Rounds as a term says: the index of a mode in [`Rounding::ALL`].
    pub fn rounding_by(self, mode: TermId) -> Ieee<'a> {
        Ieee { mode: Mode::Term(mode), ..self }
    }
    fn is_mode(&mut self, rounding: Rounding) -> TermId {
        match self.mode {
            Mode::Fixed(fixed) => self.pool.bool(fixed == rounding),
            Mode::Term(t) => {
                let code = Rounding::ALL.iter().position(|&r| r == rounding).unwrap_or_default();
                let code = self.num(code as i128, Rounding::WIDTH);
                self.pool.eq(t, code)
            }
        }
    }
    /// Is the magnitude increased, if the first digit lost is `half` and there are others if `rest`?
    fn rounds_up(&mut self, negative: TermId, odd: TermId, half: TermId, rest: TermId) -> TermId {
        let (even, away) = (self.is_mode(Rounding::NearestEven), self.is_mode(Rounding::NearestAway));
        let tie_up = self.pool.or(&[rest, odd, away]);
        let nearest = self.or(even, away);
        let nearest = self.pool.and(&[nearest, half, tie_up]);
        let some = self.or(half, rest);
        let outwards = self.rounds_outwards(negative);
        let directed = self.and(outwards, some);
        self.or(nearest, directed)
    }
    /// Is everything of this sign rounded away from zero?
    fn rounds_outwards(&mut self, negative: TermId) -> TermId {
        let (up, down) = (self.is_mode(Rounding::Up), self.is_mode(Rounding::Down));
        let positive = self.not(negative);
        let up = self.and(up, positive);
        let down = self.and(down, negative);
        self.or(up, down)
    }

    // ----- words -----

    fn num(&mut self, value: i128, width: u32) -> TermId {
        self.pool.bv_num(BigInt::from(value), width)
    }
    fn width(&self, t: TermId) -> u32 {
        self.pool.bitvec_width(self.pool.sort(t)).unwrap_or(1)
    }
    fn extract(&mut self, t: TermId, hi: u32, lo: u32) -> TermId {
        self.pool.bv(Op::BvExtract(hi, lo), &[t])
    }
    fn bit(&mut self, t: TermId, i: u32) -> TermId {
        let bit = self.extract(t, i, i);
        let one = self.num(1, 1);
        self.pool.eq(bit, one)
    }
    /// One bit from a truth value.
    fn bit_of(&mut self, b: TermId) -> TermId {
        let (one, zero) = (self.num(1, 1), self.num(0, 1));
        self.pool.ite(b, one, zero)
    }
    fn concat(&mut self, a: TermId, b: TermId) -> TermId {
        self.pool.bv(Op::BvConcat, &[a, b])
    }
    /// Zeros before, up to a width; or the low bits.
    fn resize(&mut self, t: TermId, width: u32) -> TermId {
        let have = self.width(t);
        if width >= have { self.pool.bv(Op::BvZeroExt(width - have), &[t]) } else { self.extract(t, width - 1, 0) }
    }
    fn resize_signed(&mut self, t: TermId, width: u32) -> TermId {
        let have = self.width(t);
        if width >= have { self.pool.bv(Op::BvSignExt(width - have), &[t]) } else { self.extract(t, width - 1, 0) }
    }
    fn add(&mut self, a: TermId, b: TermId) -> TermId {
        self.pool.bv(Op::BvAdd, &[a, b])
    }
    fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        self.pool.bv(Op::BvSub, &[a, b])
    }
    fn ult(&mut self, a: TermId, b: TermId) -> TermId {
        self.pool.bv(Op::BvUlt, &[a, b])
    }
    fn slt(&mut self, a: TermId, b: TermId) -> TermId {
        self.pool.bv(Op::BvSlt, &[a, b])
    }
    fn sle(&mut self, a: TermId, b: TermId) -> TermId {
        self.pool.bv(Op::BvSle, &[a, b])
    }
    fn is_zero(&mut self, t: TermId) -> TermId {
        let w = self.width(t);
        let zero = self.num(0, w);
        self.pool.eq(t, zero)
    }
    fn is_nonzero(&mut self, t: TermId) -> TermId {
        let zero = self.is_zero(t);
        self.pool.not(zero)
    }
    fn not(&mut self, t: TermId) -> TermId {
        self.pool.not(t)
    }
    fn and(&mut self, a: TermId, b: TermId) -> TermId {
        self.pool.and2(a, b)
    }
    fn or(&mut self, a: TermId, b: TermId) -> TermId {
        self.pool.or2(a, b)
    }
    fn ite(&mut self, c: TermId, a: TermId, b: TermId) -> TermId {
        self.pool.ite(c, a, b)
    }
    /// Appends zeros below.
    fn append_zeros(&mut self, t: TermId, n: u32) -> TermId {
        if n == 0 {
            return t;
        }
        let zeros = self.num(0, n);
        self.concat(t, zeros)
    }
    /// Shifts right by an amount; the last bit collects what falls out.
    fn shift_right_sticky(&mut self, t: TermId, amount: TermId) -> TermId {
        let w = self.width(t);
        let aw = self.width(amount);
        // Amounts beyond the width leave only the sticky bit.
        let mut result = t;
        let mut sticky = TermId::FALSE;
        let mut too_far = TermId::FALSE;
        for k in 0..aw {
            let here = self.bit(amount, k);
            if k < 31 && (1u32 << k) < w {
                let step = 1u32 << k;
                let lost = self.extract(result, step - 1, 0);
                let lost = self.is_nonzero(lost);
                let lost = self.and(here, lost);
                sticky = self.or(sticky, lost);
                let kept = self.extract(result, w - 1, step);
                let shifted = self.resize(kept, w);
                result = self.ite(here, shifted, result);
            } else {
                too_far = self.or(too_far, here);
            }
        }
        let nonzero = self.is_nonzero(t);
        let all_lost = self.and(too_far, nonzero);
        let zero = self.num(0, w);
        result = self.ite(too_far, zero, result);
        sticky = self.or(sticky, all_lost);
        let last = self.bit(result, 0);
        let last = self.or(last, sticky);
        let last = self.bit_of(last);
        let high = self.extract(result, w - 1, 1);
        self.concat(high, last)
    }
    /// Shifts left until the first bit is one; returns the shifted word and by how much, in `aw` bits.
    fn normalise(&mut self, t: TermId, aw: u32) -> (TermId, TermId) {
        let w = self.width(t);
        let mut result = t;
        let mut amount = self.num(0, aw);
        let mut step = 1u32;
        while step * 2 < w {
            step *= 2;
        }
        while step >= 1 {
            if step < w {
                let top = self.extract(result, w - 1, w - step);
                let empty = self.is_zero(top);
                let low = self.extract(result, w - 1 - step, 0);
                let shifted = self.append_zeros(low, step);
                result = self.ite(empty, shifted, result);
                let by = self.num(step as i128, aw);
                let more = self.pool.bv(Op::BvOr, &[amount, by]);
                amount = self.ite(empty, more, amount);
            }
            step /= 2;
        }
        (result, amount)
    }

    // ----- numbers -----

    fn parts(&mut self, t: TermId, f: Format) -> Parts {
        let ew = f.exponent_width();
        let negative = self.bit(t, f.width() - 1);
        let biased = self.extract(t, f.width() - 2, f.fraction);
        let fraction = self.extract(t, f.fraction - 1, 0);
        let fraction_zero = self.is_zero(fraction);
        let top = self.num((1 << f.exponent) - 1, f.exponent);
        let special = self.pool.eq(biased, top);
        let subnormal = self.is_zero(biased);
        let fraction_nonzero = self.not(fraction_zero);
        let nan = self.and(special, fraction_nonzero);
        let infinite = self.and(special, fraction_zero);
        let zero = self.and(subnormal, fraction_zero);
        let wide = self.resize(biased, ew);
        let bias = self.num(f.bias() as i128, ew);
        let normal_exponent = self.sub(wide, bias);
        let least = self.num(1 - f.bias() as i128, ew);
        let exponent = self.ite(subnormal, least, normal_exponent);
        let normal = self.not(subnormal);
        let leading = self.bit_of(normal);
        let significand = self.concat(leading, fraction);
        Parts { negative, nan, infinite, zero, exponent, significand }
    }

    fn pack(&mut self, negative: TermId, magnitude: TermId) -> TermId {
        let sign = self.bit_of(negative);
        self.concat(sign, magnitude)
    }
    fn infinity(&mut self, negative: TermId, f: Format) -> TermId {
        let magnitude = self.pool.bv_num(f.infinity(), f.width() - 1);
        self.pack(negative, magnitude)
    }
    fn zero(&mut self, negative: TermId, f: Format) -> TermId {
        let magnitude = self.num(0, f.width() - 1);
        self.pack(negative, magnitude)
    }
    /// The NaN of operations without a result.
    fn default_nan(&mut self, f: Format) -> TermId {
        self.pool.bv_num(f.nan(), f.width())
    }
    fn quiet(&mut self, t: TermId, f: Format) -> TermId {
        let bit = self.pool.bv_num(BigInt::ONE << (f.fraction as usize - 1), f.width());
        self.pool.bv(Op::BvOr, &[t, bit])
    }

    /// Rounds `significand · 2^(exponent − (width − 1))`, where the significand's first bit is one, or it is zero
    /// and the result is zero. The exponent is signed.
    fn round(&mut self, negative: TermId, exponent: TermId, significand: TermId, f: Format) -> TermId {
        let ew = self.width(exponent).max(f.exponent_width()) + 1;
        let exponent = self.resize_signed(exponent, ew);
        // At least one bit to decide, and one for the sticky rest.
        let significand = {
            let w = self.width(significand);
            let want = f.fraction + 3;
            if w < want { self.append_zeros(significand, want - w) } else { significand }
        };
        let w = self.width(significand);
        let is_zero = self.is_zero(significand);
        let least = self.num(1 - f.bias() as i128, ew);
        let subnormal = self.slt(exponent, least);
        let distance = self.sub(least, exponent);
        let none = self.num(0, ew);
        let distance = self.ite(subnormal, distance, none);
        let shifted = self.shift_right_sticky(significand, distance);
        let bias = self.num(f.bias() as i128, ew);
        let biased = self.add(exponent, bias);
        let biased = self.ite(subnormal, none, biased);
        // Without the leading digit: it is implied by the exponent, or missing below the least normal number.
        let kept = self.extract(shifted, w - 2, w - 1 - f.fraction);
        let half = self.bit(shifted, w - 2 - f.fraction);
        let rest = self.extract(shifted, w - 3 - f.fraction, 0);
        let rest = self.is_nonzero(rest);
        let odd = self.bit(kept, 0);
        let up = self.rounds_up(negative, odd, half, rest);
        let joined = self.concat(biased, kept);
        let up = self.bit_of(up);
        let up = self.resize(up, ew + f.fraction);
        let rounded = self.add(joined, up);
        let limit = self.pool.bv_num(f.infinity(), ew + f.fraction);
        let fits = self.ult(rounded, limit);
        let magnitude = self.extract(rounded, f.width() - 2, 0);
        let finite = self.pack(negative, magnitude);
        let too_large = self.overflow(negative, f);
        let result = self.ite(fits, finite, too_large);
        let zero = self.zero(negative, f);
        self.ite(is_zero, zero, result)
    }

    /// What numbers beyond the greatest one are rounded to.
    fn overflow(&mut self, negative: TermId, f: Format) -> TermId {
        let infinity = self.infinity(negative, f);
        let greatest = self.pool.bv_num(f.infinity() - BigInt::ONE, f.width() - 1);
        let greatest = self.pack(negative, greatest);
        let (even, away) = (self.is_mode(Rounding::NearestEven), self.is_mode(Rounding::NearestAway));
        let outwards = self.rounds_outwards(negative);
        let to_infinity = self.pool.or(&[even, away, outwards]);
        self.ite(to_infinity, infinity, greatest)
    }
    /// The sign of a sum that is zero: that of both operands, or else positive unless rounding goes down.
    fn sign_of_zero_sum(&mut self, a: TermId, b: TermId) -> TermId {
        let both = self.and(a, b);
        let some = self.or(a, b);
        let down = self.is_mode(Rounding::Down);
        let down = self.and(down, some);
        self.or(both, down)
    }

    /// The first NaN among two operands, or else the result.
    fn unless_nan(&mut self, a: (TermId, TermId), b: (TermId, TermId), result: TermId, f: Format) -> TermId {
        let quiet_b = self.quiet(b.0, f);
        let rest = self.ite(b.1, quiet_b, result);
        let quiet_a = self.quiet(a.0, f);
        self.ite(a.1, quiet_a, rest)
    }

    pub fn negate(&mut self, a: TermId, f: Format) -> TermId {
        let sign = self.pool.bv_num(BigInt::ONE << (f.width() as usize - 1), f.width());
        self.pool.bv(Op::BvXor, &[a, sign])
    }
    pub fn absolute(&mut self, a: TermId, f: Format) -> TermId {
        let magnitude = self.extract(a, f.width() - 2, 0);
        self.pack(TermId::FALSE, magnitude)
    }
    pub fn copy_sign(&mut self, a: TermId, sign: TermId, f: Format) -> TermId {
        let negative = self.bit(sign, f.width() - 1);
        let magnitude = self.extract(a, f.width() - 2, 0);
        self.pack(negative, magnitude)
    }

    pub fn sum(&mut self, a: TermId, b: TermId, f: Format) -> TermId {
        let (pa, pb) = (self.parts(a, f), self.parts(b, f));
        // The larger magnitude first.
        let ma = self.extract(a, f.width() - 2, 0);
        let mb = self.extract(b, f.width() - 2, 0);
        let swap = self.ult(ma, mb);
        let big_exponent = self.ite(swap, pb.exponent, pa.exponent);
        let small_exponent = self.ite(swap, pa.exponent, pb.exponent);
        let big = self.ite(swap, pb.significand, pa.significand);
        let small = self.ite(swap, pa.significand, pb.significand);
        let negative = self.ite(swap, pb.negative, pa.negative);
        let distance = self.sub(big_exponent, small_exponent);
        // Three more digits: with a difference that loses its first digit, two of them still decide.
        let big = self.append_zeros(big, 3);
        let small = self.append_zeros(small, 3);
        let small = self.shift_right_sticky(small, distance);
        let w = f.fraction + 5;
        let (big, small) = (self.resize(big, w), self.resize(small, w));
        let subtract = self.pool.xor(pa.negative, pb.negative);
        let sum = self.add(big, small);
        let difference = self.sub(big, small);
        let value = self.ite(subtract, difference, sum);
        let (value, shift) = self.normalise(value, f.exponent_width());
        let one = self.num(1, f.exponent_width());
        let exponent = self.add(big_exponent, one);
        let exponent = self.sub(exponent, shift);
        let is_zero = self.is_zero(value);
        let zero_sign = self.sign_of_zero_sum(pa.negative, pb.negative);
        let sign = self.ite(is_zero, zero_sign, negative);
        let finite = self.round(sign, exponent, value, f);
        // Infinities.
        let infinite_a = self.infinity(pa.negative, f);
        let infinite_b = self.infinity(pb.negative, f);
        let both = self.and(pa.infinite, pb.infinite);
        let undefined = self.and(both, subtract);
        let nan = self.default_nan(f);
        let r = self.ite(pb.infinite, infinite_b, finite);
        let r = self.ite(pa.infinite, infinite_a, r);
        let r = self.ite(undefined, nan, r);
        self.unless_nan((a, pa.nan), (b, pb.nan), r, f)
    }

    pub fn difference(&mut self, a: TermId, b: TermId, f: Format) -> TermId {
        let pb = self.parts(b, f);
        let negated = self.negate(b, f);
        // A NaN keeps its sign.
        let other = self.ite(pb.nan, b, negated);
        self.sum(a, other, f)
    }

    pub fn product(&mut self, a: TermId, b: TermId, f: Format) -> TermId {
        let (pa, pb) = (self.parts(a, f), self.parts(b, f));
        let negative = self.pool.xor(pa.negative, pb.negative);
        let w = 2 * (f.fraction + 1);
        let (x, y) = (self.resize(pa.significand, w), self.resize(pb.significand, w));
        let value = self.pool.bv(Op::BvMul, &[x, y]);
        let (value, shift) = self.normalise(value, f.exponent_width());
        let exponent = self.add(pa.exponent, pb.exponent);
        let one = self.num(1, f.exponent_width());
        let exponent = self.add(exponent, one);
        let exponent = self.sub(exponent, shift);
        let finite = self.round(negative, exponent, value, f);
        let infinite = self.or(pa.infinite, pb.infinite);
        let some_zero = self.or(pa.zero, pb.zero);
        let undefined = self.and(infinite, some_zero);
        let infinity = self.infinity(negative, f);
        let nan = self.default_nan(f);
        let r = self.ite(infinite, infinity, finite);
        let r = self.ite(undefined, nan, r);
        self.unless_nan((a, pa.nan), (b, pb.nan), r, f)
    }

    pub fn quotient(&mut self, a: TermId, b: TermId, f: Format) -> TermId {
        let (pa, pb) = (self.parts(a, f), self.parts(b, f));
        let negative = self.pool.xor(pa.negative, pb.negative);
        let ew = f.exponent_width();
        let (dividend, shift_a) = self.normalise(pa.significand, ew);
        let (divisor, shift_b) = self.normalise(pb.significand, ew);
        let exponent = self.sub(pa.exponent, pb.exponent);
        let exponent = self.sub(exponent, shift_a);
        let exponent = self.add(exponent, shift_b);
        // Restoring division, digit by digit. The remainder stays below twice the divisor.
        let w = f.fraction + 3;
        let mut rest = self.resize(dividend, w);
        let divisor = self.resize(divisor, w);
        let mut digits: Option<TermId> = None;
        for _ in 0..f.fraction + 4 {
            let less = self.ult(rest, divisor);
            let digit = self.not(less);
            let reduced = self.sub(rest, divisor);
            rest = self.ite(digit, reduced, rest);
            let low = self.extract(rest, w - 2, 0);
            rest = self.append_zeros(low, 1);
            let digit = self.bit_of(digit);
            digits = Some(match digits {
                None => digit,
                Some(d) => self.concat(d, digit),
            });
        }
        let sticky = self.is_nonzero(rest);
        let sticky = self.bit_of(sticky);
        let digits = match digits {
            Some(d) => self.concat(d, sticky),
            None => sticky,
        };
        // The quotient of two significands lies between a half and two.
        let (value, shift) = self.normalise(digits, ew);
        let exponent = self.sub(exponent, shift);
        let finite = self.round(negative, exponent, value, f);
        let zero = self.zero(negative, f);
        let infinity = self.infinity(negative, f);
        let nan = self.default_nan(f);
        let both_zero = self.and(pa.zero, pb.zero);
        let both_infinite = self.and(pa.infinite, pb.infinite);
        let undefined = self.or(both_zero, both_infinite);
        let r = self.ite(pb.zero, infinity, finite);
        let vanishes = self.or(pa.zero, pb.infinite);
        let r = self.ite(vanishes, zero, r);
        let r = self.ite(pa.infinite, infinity, r);
        let r = self.ite(undefined, nan, r);
        self.unless_nan((a, pa.nan), (b, pb.nan), r, f)
    }

    /// Square root, digit by digit.
    pub fn root(&mut self, a: TermId, f: Format) -> TermId {
        let pa = self.parts(a, f);
        let ew = f.exponent_width();
        let (significand, shift) = self.normalise(pa.significand, ew);
        let exponent = self.sub(pa.exponent, shift);
        // An even exponent: the radicand lies between one and four.
        let odd = self.bit(exponent, 0);
        let n = f.fraction + 3;
        let w = 2 * n;
        let wide = self.resize(significand, w);
        let shift_even = w - 2 - f.fraction;
        let low = self.extract(wide, w - 1 - shift_even, 0);
        let even_radicand = self.append_zeros(low, shift_even);
        let low = self.extract(even_radicand, w - 2, 0);
        let odd_radicand = self.append_zeros(low, 1);
        let radicand = self.ite(odd, odd_radicand, even_radicand);
        let half = self.extract(exponent, ew - 1, 1);
        let exponent = self.resize_signed(half, ew);
        // Two digits of the radicand at a time.
        let rw = n + 2;
        let mut rest = self.num(0, rw);
        let mut digits = self.num(0, rw);
        for i in 0..n {
            let pair = self.extract(radicand, w - 1 - 2 * i, w - 2 - 2 * i);
            let low = self.extract(rest, rw - 3, 0);
            rest = self.concat(low, pair);
            // Twice the digits so far, and a one below: what a one as the next digit takes away.
            let low = self.extract(digits, rw - 3, 0);
            let one = self.num(1, 2);
            let taken = self.concat(low, one);
            let less = self.ult(rest, taken);
            let digit = self.not(less);
            let reduced = self.sub(rest, taken);
            rest = self.ite(digit, reduced, rest);
            let low = self.extract(digits, rw - 2, 0);
            let digit = self.bit_of(digit);
            digits = self.concat(low, digit);
        }
        let sticky = self.is_nonzero(rest);
        let sticky = self.bit_of(sticky);
        let value = self.extract(digits, n - 1, 0);
        let value = self.concat(value, sticky);
        let finite = self.round(TermId::FALSE, exponent, value, f);
        let nan = self.default_nan(f);
        let infinity = self.infinity(TermId::FALSE, f);
        let r = self.ite(pa.infinite, infinity, finite);
        let r = self.ite(pa.negative, nan, r);
        let r = self.ite(pa.zero, a, r);
        let quiet = self.quiet(a, f);
        self.ite(pa.nan, quiet, r)
    }

    // ----- comparisons and classes -----

    pub fn is_nan(&mut self, a: TermId, f: Format) -> TermId {
        self.parts(a, f).nan
    }
    pub fn is_infinite(&mut self, a: TermId, f: Format) -> TermId {
        self.parts(a, f).infinite
    }
    pub fn is_negative(&mut self, a: TermId, f: Format) -> TermId {
        self.bit(a, f.width() - 1)
    }
    /// Zero, of either sign.
    pub fn is_null(&mut self, a: TermId, f: Format) -> TermId {
        self.parts(a, f).zero
    }
    pub fn is_subnormal(&mut self, a: TermId, f: Format) -> TermId {
        let biased = self.extract(a, f.width() - 2, f.fraction);
        let low = self.is_zero(biased);
        let fraction = self.extract(a, f.fraction - 1, 0);
        let some = self.is_nonzero(fraction);
        self.and(low, some)
    }
    pub fn unordered(&mut self, a: TermId, b: TermId, f: Format) -> TermId {
        let (x, y) = (self.is_nan(a, f), self.is_nan(b, f));
        self.or(x, y)
    }
    pub fn equal(&mut self, a: TermId, b: TermId, f: Format) -> TermId {
        let unordered = self.unordered(a, b, f);
        let (za, zb) = (self.is_null(a, f), self.is_null(b, f));
        let zeros = self.and(za, zb);
        let same = self.pool.eq(a, b);
        let same = self.or(same, zeros);
        let ordered = self.not(unordered);
        self.and(ordered, same)
    }
    pub fn less(&mut self, a: TermId, b: TermId, f: Format) -> TermId {
        let unordered = self.unordered(a, b, f);
        let (na, nb) = (self.is_negative(a, f), self.is_negative(b, f));
        let (za, zb) = (self.is_null(a, f), self.is_null(b, f));
        let zeros = self.and(za, zb);
        let below = self.ult(a, b);
        let above = self.ult(b, a);
        let (pa, pb) = (self.not(na), self.not(nb));
        let both_positive = self.and(pa, pb);
        let both_negative = self.and(na, nb);
        let mixed = self.and(na, pb);
        let first = self.and(both_positive, below);
        let second = self.and(both_negative, above);
        let r = self.pool.or(&[first, second, mixed]);
        let ordered = self.not(unordered);
        let nonzero = self.not(zeros);
        self.pool.and(&[r, ordered, nonzero])
    }
    pub fn less_or_equal(&mut self, a: TermId, b: TermId, f: Format) -> TermId {
        let less = self.less(a, b, f);
        let equal = self.equal(a, b, f);
        self.or(less, equal)
    }

    /// The integral number that `a` is rounded to.
    pub fn integral(&mut self, a: TermId, f: Format) -> TermId {
        let pa = self.parts(a, f);
        let ew = f.exponent_width();
        // Numbers with large exponents are integral; the others have `fraction − exponent` digits after the point.
        let limit = self.num(f.fraction as i128, ew);
        let is_large = self.sle(limit, pa.exponent);
        let minus_one = self.num(-1, ew);
        let is_tiny = self.slt(pa.exponent, minus_one);
        let exponent = self.ite(is_tiny, minus_one, pa.exponent);
        // With a guard digit, and a sticky one.
        let word = self.append_zeros(pa.significand, 1);
        let tiny_some = self.is_nonzero(word);
        let tiny_rest = self.bit_of(tiny_some);
        let tiny_word = {
            let w = f.fraction + 2;
            self.resize(tiny_rest, w)
        };
        let word = self.ite(is_tiny, tiny_word, word);
        let distance = self.sub(limit, exponent);
        let shifted_full = self.append_zeros(word, 1);
        let shifted = self.shift_right_sticky(shifted_full, distance);
        // shifted: fraction + 3 digits, the last two after the point.
        let w = f.fraction + 3;
        let whole = self.extract(shifted, w - 1, 2);
        let half = self.bit(shifted, 1);
        let rest = self.bit(shifted, 0);
        let odd = self.bit(whole, 0);
        let up = self.rounds_up(pa.negative, odd, half, rest);
        let up = self.bit_of(up);
        let wide = self.resize(whole, f.fraction + 2);
        let up = self.resize(up, f.fraction + 2);
        let value = self.add(wide, up);
        let (value, shift) = self.normalise(value, ew);
        let top = self.num(f.fraction as i128 + 1, ew);
        let exponent = self.sub(top, shift);
        let r = self.round(pa.negative, exponent, value, f);
        let special = self.or(pa.nan, pa.infinite);
        let unchanged = self.pool.or(&[special, is_large, pa.zero]);
        let quiet = self.quiet(a, f);
        let same = self.ite(pa.nan, quiet, a);
        self.ite(unchanged, same, r)
    }

    /// The smaller of two numbers; a NaN counts as missing.
    pub fn minimum(&mut self, a: TermId, b: TermId, f: Format) -> TermId {
        self.extreme(a, b, true, f)
    }
    pub fn maximum(&mut self, a: TermId, b: TermId, f: Format) -> TermId {
        self.extreme(a, b, false, f)
    }
    fn extreme(&mut self, a: TermId, b: TermId, least: bool, f: Format) -> TermId {
        let less = if least { self.less(a, b, f) } else { self.less(b, a, f) };
        let (na, nb) = (self.is_nan(a, f), self.is_nan(b, f));
        let take_a = self.or(less, nb);
        let r = self.ite(take_a, a, b);
        self.ite(na, b, r)
    }
}

#[cfg(test)]
mod tests;
