//! Words of a fixed width: an unsigned and a signed interval and the bits that are known (Regehr, Duongsaa: Deriving
//! Abstract Transfer Functions for Analyzing Embedded Software, LCTES 2006). Each part sharpens the others.
//!
//! All arithmetic is on integers of any size; what leaves the range of the width is either moved back as a whole or
//! given up.

use crate::Thresholds;
use logic::{BigInt, Rational};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Word {
    pub width: u32,
    /// Unsigned bounds.
    pub lo: BigInt,
    pub hi: BigInt,
    /// Signed bounds.
    pub signed_lo: BigInt,
    pub signed_hi: BigInt,
    /// Bits that are certainly 0, and certainly 1.
    pub zeros: BigInt,
    pub ones: BigInt,
}

fn power(exponent: u32) -> BigInt {
    BigInt::ONE << exponent as usize
}

/// The number of bits that a natural number needs.
fn length(n: &BigInt) -> u32 {
    let mut bits = 0;
    let mut rest = n.clone();
    while rest > BigInt::ZERO {
        rest >>= 1;
        bits += 1;
    }
    bits
}

impl Word {
    pub fn all(width: u32) -> Word {
        Word {
            width,
            lo: BigInt::ZERO,
            hi: power(width) - BigInt::ONE,
            signed_lo: -power(width - 1),
            signed_hi: power(width - 1) - BigInt::ONE,
            zeros: BigInt::ZERO,
            ones: BigInt::ZERO,
        }
    }
    /// The word of an unsigned value below 2 to the width.
    pub fn point(value: &BigInt, width: u32) -> Word {
        let signed = if *value >= power(width - 1) { value - power(width) } else { value.clone() };
        Word {
            width,
            lo: value.clone(),
            hi: value.clone(),
            signed_lo: signed.clone(),
            signed_hi: signed,
            zeros: (power(width) - BigInt::ONE) - value,
            ones: value.clone(),
        }
    }
    fn mask(&self) -> BigInt {
        power(self.width) - BigInt::ONE
    }
    pub fn is_all(&self) -> bool {
        *self == Word::all(self.width)
    }
    pub fn single(&self) -> Option<&BigInt> {
        (self.lo == self.hi).then_some(&self.lo)
    }
    pub fn contains(&self, value: &BigInt) -> bool {
        let signed = self.as_signed(value);
        let inverse = self.mask() - value;
        *value >= self.lo
            && *value <= self.hi
            && signed >= self.signed_lo
            && signed <= self.signed_hi
            && &self.zeros & &inverse == self.zeros
            && &self.ones & value == self.ones
    }
    fn as_signed(&self, value: &BigInt) -> BigInt {
        if *value >= power(self.width - 1) { value - power(self.width) } else { value.clone() }
    }
    /// Each part sharpened by the others; `None` if nothing is left.
    pub fn reduced(mut self) -> Option<Word> {
        let half = power(self.width - 1);
        let size = power(self.width);
        for _ in 0..2 {
            // Bits bound the unsigned value.
            let most = self.mask() - &self.zeros;
            self.lo = self.lo.max(self.ones.clone());
            self.hi = self.hi.min(most);
            // On one side of the sign both orders agree.
            if self.hi < half {
                self.signed_lo = self.signed_lo.max(self.lo.clone());
                self.signed_hi = self.signed_hi.min(self.hi.clone());
            } else if self.lo >= half {
                self.signed_lo = self.signed_lo.max(&self.lo - &size);
                self.signed_hi = self.signed_hi.min(&self.hi - &size);
            }
            if self.signed_lo >= BigInt::ZERO {
                self.lo = self.lo.max(self.signed_lo.clone());
                self.hi = self.hi.min(self.signed_hi.clone());
            } else if self.signed_hi < BigInt::ZERO {
                self.lo = self.lo.max(&self.signed_lo + &size);
                self.hi = self.hi.min(&self.signed_hi + &size);
            }
            if self.lo > self.hi || self.signed_lo > self.signed_hi {
                return None;
            }
            // The bits in front that both bounds share are known.
            let free = length(&(&self.lo ^ &self.hi));
            let known = self.mask() - (power(free) - BigInt::ONE);
            self.ones |= &known & &self.lo;
            self.zeros |= &known & (self.mask() - &self.lo);
            if &self.ones & &self.zeros != BigInt::ZERO {
                return None;
            }
        }
        Some(self)
    }
    fn or_all(self) -> Word {
        let width = self.width;
        self.reduced().unwrap_or_else(|| Word::all(width))
    }
    pub fn is_within(&self, other: &Word) -> bool {
        self.lo >= other.lo
            && self.hi <= other.hi
            && self.signed_lo >= other.signed_lo
            && self.signed_hi <= other.signed_hi
            && &self.zeros & &other.zeros == other.zeros
            && &self.ones & &other.ones == other.ones
    }
    pub fn join(&self, other: &Word) -> Word {
        Word {
            width: self.width,
            lo: (&self.lo).min(&other.lo).clone(),
            hi: (&self.hi).max(&other.hi).clone(),
            signed_lo: (&self.signed_lo).min(&other.signed_lo).clone(),
            signed_hi: (&self.signed_hi).max(&other.signed_hi).clone(),
            zeros: &self.zeros & &other.zeros,
            ones: &self.ones & &other.ones,
        }
    }
    pub fn meet(&self, other: &Word) -> Option<Word> {
        Word {
            width: self.width,
            lo: (&self.lo).max(&other.lo).clone(),
            hi: (&self.hi).min(&other.hi).clone(),
            signed_lo: (&self.signed_lo).max(&other.signed_lo).clone(),
            signed_hi: (&self.signed_hi).min(&other.signed_hi).clone(),
            zeros: &self.zeros | &other.zeros,
            ones: &self.ones | &other.ones,
        }
        .reduced()
    }
    /// Bounds that move go on to the next threshold or to the end of the range; known bits only become fewer.
    pub fn widen(&self, next: &Word, thresholds: &Thresholds) -> Word {
        let all = Word::all(self.width);
        let below = |old: &BigInt, new: &BigInt, end: &BigInt| {
            if new >= old {
                return old.clone();
            }
            let found = thresholds.below(&Rational::from(new)).and_then(|r| r.to_bigint());
            found.filter(|n| n > end).unwrap_or_else(|| end.clone())
        };
        let above = |old: &BigInt, new: &BigInt, end: &BigInt| {
            if new <= old {
                return old.clone();
            }
            let found = thresholds.above(&Rational::from(new)).and_then(|r| r.to_bigint());
            found.filter(|n| n < end).unwrap_or_else(|| end.clone())
        };
        Word {
            width: self.width,
            lo: below(&self.lo, &next.lo, &all.lo),
            hi: above(&self.hi, &next.hi, &all.hi),
            signed_lo: below(&self.signed_lo, &next.signed_lo, &all.signed_lo),
            signed_hi: above(&self.signed_hi, &next.signed_hi, &all.signed_hi),
            zeros: &self.zeros & &next.zeros,
            ones: &self.ones & &next.ones,
        }
    }
    /// Bounds at the end of the range become those of a smaller word.
    pub fn narrow(&self, next: &Word) -> Word {
        let all = Word::all(self.width);
        let pick = |own: &BigInt, end: &BigInt, next: &BigInt| if own == end { next.clone() } else { own.clone() };
        Word {
            lo: pick(&self.lo, &all.lo, &next.lo),
            hi: pick(&self.hi, &all.hi, &next.hi),
            signed_lo: pick(&self.signed_lo, &all.signed_lo, &next.signed_lo),
            signed_hi: pick(&self.signed_hi, &all.signed_hi, &next.signed_hi),
            ..self.clone()
        }
    }

    /// The word with these bounds, given without regard to the width.
    pub fn unsigned(width: u32, lo: BigInt, hi: BigInt) -> Word {
        let mut word = Word::all(width);
        word.set_unsigned(lo, hi);
        word.or_all()
    }
    pub fn signed(width: u32, lo: BigInt, hi: BigInt) -> Word {
        let mut word = Word::all(width);
        word.set_signed(lo, hi);
        word.or_all()
    }
    /// Takes over bounds modulo the size; they say nothing if they wrap around.
    fn set_unsigned(&mut self, lo: BigInt, hi: BigInt) {
        let shift = floor_shift(&lo, self.width);
        let (lo, hi) = (lo - &shift, hi - &shift);
        if hi <= self.mask() {
            (self.lo, self.hi) = (lo, hi);
        }
    }
    fn set_signed(&mut self, lo: BigInt, hi: BigInt) {
        let half = power(self.width - 1);
        let shift = floor_shift(&(&lo + &half), self.width);
        let (lo, hi) = (lo - &shift, hi - &shift);
        if hi < half {
            (self.signed_lo, self.signed_hi) = (lo, hi);
        }
    }
    /// How many of the last bits are known.
    fn n_known_low(&self) -> u32 {
        let known = &self.zeros | &self.ones;
        (0..self.width).take_while(|&k| (&known >> k as usize) & BigInt::ONE == BigInt::ONE).count() as u32
    }
    /// The result of an operation under which the last bits depend on the last bits only.
    fn ring(&self, other: &Word, op: impl Fn(&BigInt, &BigInt) -> BigInt, bounds: Vec<(BigInt, BigInt)>) -> Word {
        let mut word = Word::all(self.width);
        if let [(lo, hi), (signed_lo, signed_hi)] = &bounds[..] {
            word.set_unsigned(lo.clone(), hi.clone());
            word.set_signed(signed_lo.clone(), signed_hi.clone());
        }
        let n = self.n_known_low().min(other.n_known_low());
        if n > 0 {
            let low = modulo(&op(&self.ones, &other.ones), n);
            let mask = power(n) - BigInt::ONE;
            word.ones = low.clone();
            word.zeros = mask - low;
        }
        word.or_all()
    }
    pub fn add(&self, other: &Word) -> Word {
        let bounds = vec![
            (&self.lo + &other.lo, &self.hi + &other.hi),
            (&self.signed_lo + &other.signed_lo, &self.signed_hi + &other.signed_hi),
        ];
        self.ring(other, |a, b| a + b, bounds)
    }
    pub fn sub(&self, other: &Word) -> Word {
        let bounds = vec![
            (&self.lo - &other.hi, &self.hi - &other.lo),
            (&self.signed_lo - &other.signed_hi, &self.signed_hi - &other.signed_lo),
        ];
        self.ring(other, |a, b| a - b, bounds)
    }
    pub fn neg(&self) -> Word {
        Word::point(&BigInt::ZERO, self.width).sub(self)
    }
    pub fn mul(&self, other: &Word) -> Word {
        let corners = [
            &self.signed_lo * &other.signed_lo,
            &self.signed_lo * &other.signed_hi,
            &self.signed_hi * &other.signed_lo,
            &self.signed_hi * &other.signed_hi,
        ];
        let least = corners.iter().min().cloned().unwrap_or_default();
        let most = corners.iter().max().cloned().unwrap_or_default();
        self.ring(other, |a, b| a * b, vec![(&self.lo * &other.lo, &self.hi * &other.hi), (least, most)])
    }
    pub fn not(&self) -> Word {
        Word {
            width: self.width,
            lo: self.mask() - &self.hi,
            hi: self.mask() - &self.lo,
            signed_lo: -&self.signed_hi - BigInt::ONE,
            signed_hi: -&self.signed_lo - BigInt::ONE,
            zeros: self.ones.clone(),
            ones: self.zeros.clone(),
        }
    }
    pub fn and(&self, other: &Word) -> Word {
        let mut word = Word::all(self.width);
        word.ones = &self.ones & &other.ones;
        word.zeros = &self.zeros | &other.zeros;
        word.hi = (&self.hi).min(&other.hi).clone();
        word.or_all()
    }
    pub fn or(&self, other: &Word) -> Word {
        let mut word = Word::all(self.width);
        word.ones = &self.ones | &other.ones;
        word.zeros = &self.zeros & &other.zeros;
        word.lo = (&self.lo).max(&other.lo).clone();
        word.hi = power(length(&self.hi).max(length(&other.hi))) - BigInt::ONE;
        word.or_all()
    }
    pub fn xor(&self, other: &Word) -> Word {
        let mut word = Word::all(self.width);
        word.ones = (&self.ones & &other.zeros) | (&self.zeros & &other.ones);
        word.zeros = (&self.ones & &other.ones) | (&self.zeros & &other.zeros);
        word.hi = power(length(&self.hi).max(length(&other.hi))) - BigInt::ONE;
        word.or_all()
    }
    /// The number of places of a shift, if it is known and below the width.
    fn places(&self, by: &Word) -> Option<u32> {
        let n = by.single()?;
        u32::try_from(n.clone()).ok().filter(|n| *n < self.width)
    }
    pub fn shl(&self, by: &Word) -> Word {
        match self.places(by) {
            Some(n) => self.mul(&Word::point(&power(n), self.width)),
            None => Word::all(self.width),
        }
    }
    pub fn lshr(&self, by: &Word) -> Word {
        let mut word = Word::all(self.width);
        match self.places(by) {
            Some(n) => {
                let n = n as usize;
                word.lo = &self.lo >> n;
                word.hi = &self.hi >> n;
                word.ones = &self.ones >> n;
                word.zeros = (&self.zeros >> n) | (self.mask() - (self.mask() >> n));
            }
            None => word.hi = self.hi.clone(),
        }
        word.or_all()
    }
    pub fn ashr(&self, by: &Word) -> Word {
        let mut word = Word::all(self.width);
        match self.places(by) {
            Some(n) => {
                let divisor = power(n);
                word.signed_lo = floor_div(&self.signed_lo, &divisor);
                word.signed_hi = floor_div(&self.signed_hi, &divisor);
            }
            None => {
                word.signed_lo = (&self.signed_lo).min(&BigInt::ZERO).clone();
                word.signed_hi = (&self.signed_hi).max(&-BigInt::ONE).clone();
            }
        }
        word.or_all()
    }
    /// Division; by zero it gives all ones.
    pub fn udiv(&self, by: &Word) -> Word {
        if by.lo == BigInt::ZERO {
            return Word::all(self.width);
        }
        Word::unsigned(self.width, &self.lo / &by.hi, &self.hi / &by.lo)
    }
    /// The remainder; by zero it is the dividend.
    pub fn urem(&self, by: &Word) -> Word {
        let mut hi = self.hi.clone();
        if by.lo > BigInt::ZERO {
            if self.hi < by.lo {
                return self.clone();
            }
            hi = hi.min(&by.hi - BigInt::ONE);
        }
        Word::unsigned(self.width, BigInt::ZERO, hi)
    }
    fn is_natural(&self) -> bool {
        self.signed_lo >= BigInt::ZERO
    }
    /// Signed division, towards zero.
    pub fn sdiv(&self, by: &Word) -> Word {
        if self.is_natural() && by.is_natural() {
            return self.udiv(by);
        }
        // By a positive number the magnitude does not grow.
        if by.signed_lo > BigInt::ZERO {
            let divide = |x: &BigInt| {
                let by = if *x < BigInt::ZERO { &by.signed_lo } else { &by.signed_hi };
                x / by
            };
            let most = |x: &BigInt| {
                let by = if *x < BigInt::ZERO { &by.signed_hi } else { &by.signed_lo };
                x / by
            };
            return Word::signed(self.width, divide(&self.signed_lo), most(&self.signed_hi));
        }
        Word::all(self.width)
    }
    /// The remainder with the sign of the dividend.
    pub fn srem(&self, by: &Word) -> Word {
        if self.is_natural() && by.is_natural() {
            return self.urem(by);
        }
        if by.signed_lo > BigInt::ZERO {
            let most = &by.signed_hi - BigInt::ONE;
            let lo = (&self.signed_lo).min(&BigInt::ZERO).clone().max(-&most);
            let hi = (&self.signed_hi).max(&BigInt::ZERO).clone().min(most);
            return Word::signed(self.width, lo, hi);
        }
        Word::all(self.width)
    }
    /// The remainder with the sign of the divisor.
    pub fn smod(&self, by: &Word) -> Word {
        if self.is_natural() && by.is_natural() {
            return self.urem(by);
        }
        if by.signed_lo > BigInt::ZERO {
            return Word::signed(self.width, BigInt::ZERO, &by.signed_hi - BigInt::ONE);
        }
        Word::all(self.width)
    }
    /// `self` in front of `other`.
    pub fn concat(&self, other: &Word) -> Word {
        let width = self.width + other.width;
        let shift = other.width as usize;
        let mut word = Word::all(width);
        word.lo = (&self.lo << shift) + &other.lo;
        word.hi = (&self.hi << shift) + &other.hi;
        word.zeros = (&self.zeros << shift) | &other.zeros;
        word.ones = (&self.ones << shift) | &other.ones;
        word.or_all()
    }
    /// Bits `hi` down to `lo`.
    pub fn extract(&self, hi: u32, lo: u32) -> Word {
        let width = hi - lo + 1;
        let mask = power(width) - BigInt::ONE;
        let mut word = Word::all(width);
        word.zeros = (&self.zeros >> lo as usize) & &mask;
        word.ones = (&self.ones >> lo as usize) & &mask;
        // Where the bits in front are the same, bounds stay.
        let front = (hi + 1) as usize;
        if &self.lo >> front == &self.hi >> front {
            let cut = |x: &BigInt| (x >> lo as usize) & &mask;
            (word.lo, word.hi) = (cut(&self.lo), cut(&self.hi));
        }
        if lo == 0 && self.signed_lo >= -power(width - 1) && self.signed_hi < power(width - 1) {
            (word.signed_lo, word.signed_hi) = (self.signed_lo.clone(), self.signed_hi.clone());
        }
        word.or_all()
    }
    pub fn zero_extend(&self, by: u32) -> Word {
        let mut word = Word::all(self.width + by);
        (word.lo, word.hi) = (self.lo.clone(), self.hi.clone());
        word.ones = self.ones.clone();
        word.zeros = &self.zeros | (word.mask() - self.mask());
        word.or_all()
    }
    pub fn sign_extend(&self, by: u32) -> Word {
        let mut word = Word::all(self.width + by);
        (word.signed_lo, word.signed_hi) = (self.signed_lo.clone(), self.signed_hi.clone());
        let low = power(self.width - 1) - BigInt::ONE;
        word.ones = &self.ones & &low;
        word.zeros = &self.zeros & &low;
        word.or_all()
    }
}

/// The multiple of 2 to the width that is to be subtracted to make a number one of the range from zero.
fn floor_shift(x: &BigInt, width: u32) -> BigInt {
    x - modulo(x, width)
}

/// A number modulo 2 to the width.
pub fn modulo(x: &BigInt, width: u32) -> BigInt {
    let size = power(width);
    let rest = x % &size;
    if rest < BigInt::ZERO { rest + size } else { rest }
}

fn floor_div(x: &BigInt, divisor: &BigInt) -> BigInt {
    let quotient = x / divisor;
    if *x < BigInt::ZERO && &quotient * divisor != *x { quotient - BigInt::ONE } else { quotient }
}
