//! The numbers of the lowered program: mathematical integers, or words of bits.
//!
//! Lowering computes with C values in *canonical* form: the number itself, always inside the range of its type. In
//! integer mode a number is an integer term. In bit-precise mode it is a word wide enough for every type of the program
//! with two bits to spare, read as a signed number: sums and differences of canonical values are exact in it,
//! signed comparison compares all types alike, and bit operations on two's complement are those of C. Addresses,
//! sizes and the bits of floating numbers are words too, so that one sort serves all of memory.
//!
//! Programs without 64-bit types get narrow words. [`Lowerer::num`] notices a number that does not fit; then
//! the program is lowered again with wider ones.

use logic::{BigInt, Op, Rational, SortId, TermId, TermPool};

use super::Lowerer;

/// How integers are represented.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Integers {
    /// Mathematical integers; bit operations that are not arithmetic, and floating-point numbers, are
    /// over-approximated.
    #[default]
    Unbounded,
    /// Bit-vectors: exact for all operations, floating-point included.
    Words,
}

/// The widths of words, narrow first: for types of 32, 64 and 128 bits.
pub(super) const WIDTHS: [u32; 3] = [34, 66, 130];

#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    pub sort: SortId,
    /// Of words; `None` for mathematical integers.
    pub width: Option<u32>,
    /// A number did not fit in a word.
    pub overflowed: bool,
}

impl Word {
    pub(super) fn new(pool: &mut TermPool, width: Option<u32>) -> Word {
        let sort = match width {
            Some(width) => pool.bitvec_sort(width),
            None => SortId::INT,
        };
        Word { sort, width, overflowed: false }
    }
}

impl Lowerer<'_> {
    pub fn is_exact(&self) -> bool {
        self.word.width.is_some()
    }
    /// Values of this type occur: words must be wide enough.
    pub fn note_width(&mut self, kind: crate::types::IntKind) {
        if let Some(width) = self.word.width
            && self.unit.types.int_bits(kind) + 2 > width
        {
            self.word.overflowed = true;
        }
    }
    /// A temporary for a number.
    pub fn number_temp(&mut self) -> ir::VarId {
        self.temp(self.word.sort)
    }

    pub fn num(&mut self, value: i128) -> TermId {
        match self.word.width {
            None => self.pool.int_num(Rational::from(value)),
            Some(width) => {
                if width <= 127 && !(-(1i128 << (width - 1))..1i128 << (width - 1)).contains(&value) {
                    self.word.overflowed = true;
                }
                self.pool.bv_num(BigInt::from(value), width)
            }
        }
    }
    pub fn unsigned_num(&mut self, value: u128) -> TermId {
        match i128::try_from(value) {
            Ok(value) => self.num(value),
            Err(_) => {
                let (top, rest) = (self.pow2(127), self.num((value & i128::MAX as u128) as i128));
                self.add2(top, rest)
            }
        }
    }
    /// The least and the greatest value of a type.
    pub fn range_terms(&mut self, kind: crate::types::IntKind) -> (TermId, TermId) {
        let (min, max) = self.unit.types.int_range(kind);
        if kind == crate::types::IntKind::UInt128 {
            return (self.num(0), self.unsigned_num(u128::MAX));
        }
        (self.num(min), self.num(max))
    }
    /// The value lies in the range of a type.
    pub fn in_type_range(&mut self, t: TermId, kind: crate::types::IntKind) -> TermId {
        let (lo, hi) = self.range_terms(kind);
        let (a, b) = (self.le(lo, t), self.le(t, hi));
        self.pool.and2(a, b)
    }
    pub fn is_zero_constant(&mut self, t: TermId) -> bool {
        t == self.num(0)
    }
    pub fn pow2(&mut self, exponent: u32) -> TermId {
        match self.word.width {
            None => self.pool.int_num(Rational::pow2(exponent)),
            Some(width) => {
                if exponent + 1 >= width {
                    self.word.overflowed = true;
                }
                self.pool.bv_num(BigInt::ONE << exponent as usize, width)
            }
        }
    }

    fn fold(&mut self, op: Op, terms: &[TermId], neutral: i128) -> TermId {
        match terms.split_first() {
            None => self.num(neutral),
            Some((&first, rest)) => rest.iter().fold(first, |sum, &t| self.pool.bv(op, &[sum, t])),
        }
    }
    pub fn sum(&mut self, terms: &[TermId]) -> TermId {
        if self.is_exact() { self.fold(Op::BvAdd, terms, 0) } else { self.pool.add(terms) }
    }
    pub fn add2(&mut self, a: TermId, b: TermId) -> TermId {
        self.sum(&[a, b])
    }
    pub fn minus(&mut self, a: TermId, b: TermId) -> TermId {
        if self.is_exact() { self.pool.bv(Op::BvSub, &[a, b]) } else { self.pool.sub(a, b) }
    }
    pub fn mul2(&mut self, a: TermId, b: TermId) -> TermId {
        if self.is_exact() { self.pool.bv(Op::BvMul, &[a, b]) } else { self.pool.mul(&[a, b]) }
    }
    pub fn negative(&mut self, a: TermId) -> TermId {
        if self.is_exact() { self.pool.bv(Op::BvNeg, &[a]) } else { self.pool.neg(a) }
    }
    pub fn le(&mut self, a: TermId, b: TermId) -> TermId {
        if self.is_exact() { self.pool.bv(Op::BvSle, &[a, b]) } else { self.pool.le(a, b) }
    }
    pub fn lt(&mut self, a: TermId, b: TermId) -> TermId {
        if self.is_exact() { self.pool.bv(Op::BvSlt, &[a, b]) } else { self.pool.lt(a, b) }
    }
    pub fn ge(&mut self, a: TermId, b: TermId) -> TermId {
        self.le(b, a)
    }
    pub fn gt(&mut self, a: TermId, b: TermId) -> TermId {
        self.lt(b, a)
    }

    /// The quotient of an exact division.
    pub fn exact_quotient(&mut self, a: TermId, b: TermId) -> TermId {
        if self.is_exact() { self.pool.bv(Op::BvSdiv, &[a, b]) } else { self.pool.int_div(a, b) }
    }
    /// `⌊t / 2^k⌋`
    pub fn shift_down(&mut self, t: TermId, k: u32) -> TermId {
        if k == 0 {
            return t;
        }
        if self.is_exact() {
            let k = self.num(k as i128);
            return self.pool.bv(Op::BvAshr, &[t, k]);
        }
        let divisor = self.pow2(k);
        self.pool.int_div(t, divisor)
    }
    /// The low bits of a word, extended again; `None` where numbers are not words.
    fn cut(&mut self, t: TermId, k: u32, extend: fn(u32) -> Op) -> Option<TermId> {
        let width = self.word.width?;
        if k >= width {
            self.word.overflowed = true;
            return Some(t);
        }
        let low = self.pool.bv(Op::BvExtract(k - 1, 0), &[t]);
        Some(self.pool.bv(extend(width - k), &[low]))
    }
    /// `t mod 2^k`, from 0 up.
    pub fn low_bits(&mut self, t: TermId, k: u32) -> TermId {
        match self.cut(t, k, Op::BvZeroExt) {
            Some(low) => low,
            None => {
                let modulus = self.pow2(k);
                self.pool.modulo(t, modulus)
            }
        }
    }
    /// The number from −2^(k−1) up that is equal to `t` modulo 2^k.
    pub fn low_bits_signed(&mut self, t: TermId, k: u32) -> TermId {
        match self.cut(t, k, Op::BvSignExt) {
            Some(low) => low,
            None => {
                let half = self.pow2(k - 1);
                let shifted = self.pool.add(&[t, half]);
                let rest = self.low_bits(shifted, k);
                self.pool.sub(rest, half)
            }
        }
    }
    /// `t · 2^k`; in words only the low bits are right.
    pub fn shift_up(&mut self, t: TermId, k: u32) -> TermId {
        if self.is_exact() {
            let k = self.num(k as i128);
            return self.pool.bv(Op::BvShl, &[t, k]);
        }
        let factor = self.pow2(k);
        self.pool.mul(&[t, factor])
    }
}
