//! Exact rational numbers with a machine-word fast path.
//!
//! Nearly every number that linear arithmetic meets in program verification fits into a machine word, so a
//! [`Rational`] holds numerator and denominator as two `i64` inline (sixteen bytes in all, the big form hides in the
//! niche of the non-zero denominator) and falls back to boxed big integers only when a result does not fit. The small
//! operations compute in `i128`, where no intermediate result can overflow, and keep the greatest common divisors in
//! `u64` by cancelling before multiplying (Knuth, *The Art of Computer Programming* 2, section 4.5.1).
//!
//! Invariants:
//! - numerator and denominator are coprime, the denominator is positive, zero is `0/1`;
//! - the big form is used only if the number does not fit the small form.
//!
//! Every value therefore has exactly one representation, and the derived `Eq` and `Hash` are equality by value.

use std::cmp::Ordering;
use std::fmt;
use std::iter::Sum;
use std::num::NonZeroI64;
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};
use std::str::FromStr;

use dashu::base::{BitTest, DivRemEuclid, Gcd, Signed, UnsignedAbs};
use dashu::integer::UBig;

/// Integers of any size.
pub type BigInt = dashu::integer::IBig;

/// An exact rational number; see the module text for the representation.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rational(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small { num: i64, den: NonZeroI64 },
    Big(Box<BigRatio>),
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct BigRatio {
    num: BigInt,
    den: BigInt,
}

const ONE_DEN: NonZeroI64 = NonZeroI64::new(1).unwrap();

fn gcd_u64(mut a: u64, mut b: u64) -> u64 {
    if a == 0 {
        return b;
    }
    if b == 0 {
        return a;
    }
    let shift = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    loop {
        b >>= b.trailing_zeros();
        if a > b {
            std::mem::swap(&mut a, &mut b);
        }
        b -= a;
        if b == 0 {
            return a << shift;
        }
    }
}

fn big_gcd(a: &BigInt, b: &BigInt) -> BigInt {
    if *a == BigInt::ZERO && *b == BigInt::ZERO {
        return BigInt::ZERO;
    }
    // The library's algorithm runs out of its own scratch memory on some pairs of long numbers (dashu-int 0.4.3), so
    // those are first made short by division.
    let (mut a, mut b) = (a.clone().unsigned_abs(), b.clone().unsigned_abs());
    while b.bit_len() > LONG || (a.bit_len() > LONG && !b.is_zero()) {
        let rest = a % &b;
        a = b;
        b = rest;
    }
    BigInt::from(a.gcd(b))
}

/// Longer numbers (in bits) are not given to the library's greatest common divisor.
const LONG: usize = 1500;

impl Rational {
    /// The number 0.
    pub const ZERO: Rational = Rational::integer(0);
    /// The number 1.
    pub const ONE: Rational = Rational::integer(1);
    /// The number −1.
    pub const MINUS_ONE: Rational = Rational::integer(-1);

    /// The number 0.
    pub const fn zero() -> Self {
        Self::ZERO
    }

    /// The number 1.
    pub const fn one() -> Self {
        Self::ONE
    }

    /// A small integer, usable in constants.
    pub const fn integer(num: i64) -> Self {
        Rational(Repr::Small { num, den: ONE_DEN })
    }

    /// The fraction `num / den`.
    ///
    /// # Panics
    /// If `den` is zero.
    pub fn new(num: BigInt, den: BigInt) -> Self {
        assert!(den != BigInt::ZERO, "a fraction needs a non-zero denominator");
        let gcd = big_gcd(&num, &den);
        let (mut num, mut den) = if gcd == BigInt::ONE { (num, den) } else { (num / &gcd, den / &gcd) };
        if den.is_negative() {
            num = -num;
            den = -den;
        }
        Self::from_coprime(num, den)
    }

    /// The fraction `num / den` of machine integers.
    ///
    /// # Panics
    /// If `den` is zero.
    pub fn ratio(num: i64, den: i64) -> Self {
        assert!(den != 0, "a fraction needs a non-zero denominator");
        let gcd = i128::from(gcd_u64(num.unsigned_abs(), den.unsigned_abs()));
        let sign = if den < 0 { -1 } else { 1 };
        Self::from_coprime_i128(sign * i128::from(num) / gcd, sign * i128::from(den) / gcd)
    }

    /// `num / den`, which must be coprime with `den > 0`.
    fn from_coprime_i128(num: i128, den: i128) -> Self {
        match (i64::try_from(num), i64::try_from(den)) {
            (Ok(num), Ok(den)) => Self::small(num, den),
            (Err(_), _) | (_, Err(_)) => {
                Rational(Repr::Big(Box::new(BigRatio { num: BigInt::from(num), den: BigInt::from(den) })))
            }
        }
    }

    /// `num / den`, which must be coprime with `den > 0`.
    fn from_coprime(num: BigInt, den: BigInt) -> Self {
        match (i64::try_from(&num), i64::try_from(&den)) {
            (Ok(num), Ok(den)) => Self::small(num, den),
            (Err(_), _) | (_, Err(_)) => Rational(Repr::Big(Box::new(BigRatio { num, den }))),
        }
    }

    #[inline]
    fn small(num: i64, den: i64) -> Self {
        debug_assert!(den > 0);
        Rational(Repr::Small { num, den: NonZeroI64::new(den).unwrap_or(ONE_DEN) })
    }

    /// The numerator in lowest terms; carries the sign.
    pub fn numer(&self) -> BigInt {
        match &self.0 {
            Repr::Small { num, .. } => BigInt::from(*num),
            Repr::Big(big) => big.num.clone(),
        }
    }

    /// The denominator in lowest terms; positive.
    pub fn denom(&self) -> BigInt {
        match &self.0 {
            Repr::Small { den, .. } => BigInt::from(den.get()),
            Repr::Big(big) => big.den.clone(),
        }
    }

    /// The numerator as a rational number, without leaving the fast path.
    pub fn numer_rational(&self) -> Rational {
        match &self.0 {
            Repr::Small { num, .. } => Self::integer(*num),
            Repr::Big(big) => Self::from(big.num.clone()),
        }
    }

    /// The denominator as a rational number, without leaving the fast path.
    pub fn denom_rational(&self) -> Rational {
        match &self.0 {
            Repr::Small { den, .. } => Self::integer(den.get()),
            Repr::Big(big) => Self::from(big.den.clone()),
        }
    }

    /// Whether this is 0.
    #[inline]
    pub fn is_zero(&self) -> bool {
        matches!(&self.0, Repr::Small { num: 0, .. })
    }

    /// Whether this is 1.
    #[inline]
    pub fn is_one(&self) -> bool {
        matches!(&self.0, Repr::Small { num: 1, den } if den.get() == 1)
    }

    /// Whether this is −1.
    #[inline]
    pub fn is_minus_one(&self) -> bool {
        matches!(&self.0, Repr::Small { num: -1, den } if den.get() == 1)
    }

    /// Whether the denominator is 1.
    #[inline]
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Repr::Small { den, .. } => den.get() == 1,
            Repr::Big(big) => big.den == BigInt::ONE,
        }
    }

    /// −1, 0 or 1.
    #[inline]
    pub fn signum(&self) -> i32 {
        match &self.0 {
            Repr::Small { num, .. } => num.signum() as i32,
            Repr::Big(big) => {
                if big.num.is_negative() {
                    -1
                } else {
                    1
                }
            }
        }
    }

    /// Whether this is below 0.
    #[inline]
    pub fn is_negative(&self) -> bool {
        self.signum() < 0
    }

    /// Whether this is above 0.
    #[inline]
    pub fn is_positive(&self) -> bool {
        self.signum() > 0
    }

    /// The absolute value.
    pub fn abs(&self) -> Rational {
        if self.is_negative() { -self } else { self.clone() }
    }

    /// The reciprocal.
    ///
    /// # Panics
    /// If this is zero.
    pub fn recip(&self) -> Rational {
        match &self.0 {
            Repr::Small { num, den } => {
                assert!(*num != 0, "zero has no reciprocal");
                let sign = i128::from(num.signum());
                Self::from_coprime_i128(sign * i128::from(den.get()), sign * i128::from(*num))
            }
            Repr::Big(big) => {
                if big.num.is_negative() {
                    Self::from_coprime(-big.den.clone(), -big.num.clone())
                } else {
                    Self::from_coprime(big.den.clone(), big.num.clone())
                }
            }
        }
    }

    /// The greatest integer that is not above.
    pub fn floor(&self) -> Rational {
        match &self.0 {
            Repr::Small { num, den } => Self::integer(num.div_euclid(den.get())),
            Repr::Big(big) => Self::from((&big.num).div_rem_euclid(&big.den).0),
        }
    }

    /// The least integer that is not below.
    pub fn ceil(&self) -> Rational {
        -(-self).floor()
    }

    /// The distance to the floor, in `[0, 1)`.
    pub fn fract(&self) -> Rational {
        self - self.floor()
    }

    /// The quotient of integers as SMT-LIB's `div` has it: `self = divisor * q + r` with `0 ≤ r < |divisor|`.
    /// For fractions the quotient is the integer `q` with the same property.
    ///
    /// # Panics
    /// If the divisor is zero.
    pub fn div_euclid(&self, divisor: &Rational) -> Rational {
        let quotient = self / divisor;
        if divisor.is_negative() { quotient.ceil() } else { quotient.floor() }
    }

    /// The remainder that belongs to [`Rational::div_euclid`]; never negative.
    ///
    /// # Panics
    /// If the divisor is zero.
    pub fn rem_euclid(&self, divisor: &Rational) -> Rational {
        self - self.div_euclid(divisor) * divisor
    }

    /// The greatest rational of which both numbers are integer multiples: for integers the greatest common divisor.
    /// Never negative; `gcd(0, x) = |x|`.
    pub fn gcd(&self, other: &Rational) -> Rational {
        if let (Repr::Small { num: a, den: b }, Repr::Small { num: c, den: d }) = (&self.0, &other.0)
            && b.get() == 1
            && d.get() == 1
        {
            return Self::from(gcd_u64(a.unsigned_abs(), c.unsigned_abs()));
        }
        if self.is_integer() && other.is_integer() {
            return Self::from_coprime(big_gcd(&self.numer(), &other.numer()), BigInt::ONE);
        }
        let (b, d) = (self.denom(), other.denom());
        Self::new(big_gcd(&(self.numer() * &d), &(other.numer() * &b)), b * d)
    }

    /// The least positive rational that is an integer multiple of both: for integers the least common multiple.
    /// Never negative; `lcm(0, x) = 0`.
    pub fn lcm(&self, other: &Rational) -> Rational {
        if self.is_zero() || other.is_zero() {
            return Self::ZERO;
        }
        (self / self.gcd(other) * other).abs()
    }

    /// The least common multiple of the denominators.
    pub fn denom_lcm(&self, other: &Rational) -> Rational {
        if other.is_integer() {
            self.denom_rational()
        } else if self.is_integer() {
            other.denom_rational()
        } else {
            self.denom_rational().lcm(&other.denom_rational())
        }
    }

    /// Two to the power of `exponent`.
    pub fn pow2(exponent: u32) -> Rational {
        if exponent < 63 { Self::integer(1 << exponent) } else { Self::from(BigInt::ONE << exponent as usize) }
    }

    /// This number to the power of `exponent`; `x.pow(0)` is 1.
    pub fn pow(&self, exponent: u32) -> Rational {
        match &self.0 {
            Repr::Small { num, den } => match (num.checked_pow(exponent), den.get().checked_pow(exponent)) {
                (Some(num), Some(den)) => Self::small(num, den),
                (None, _) | (_, None) => Self::from_coprime(
                    BigInt::from(*num).pow(exponent as usize),
                    BigInt::from(den.get()).pow(exponent as usize),
                ),
            },
            Repr::Big(big) => Self::from_coprime(big.num.pow(exponent as usize), big.den.pow(exponent as usize)),
        }
    }

    /// The number as a machine integer, if it is one.
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Repr::Small { num, den } if den.get() == 1 => Some(*num),
            Repr::Small { .. } | Repr::Big(_) => None,
        }
    }

    /// The number as an integer, if it is one.
    pub fn to_bigint(&self) -> Option<BigInt> {
        self.is_integer().then(|| self.numer())
    }

    /// The number of bits of the larger of numerator and denominator: the measure by which callers bound growth.
    pub fn bit_size(&self) -> usize {
        match &self.0 {
            Repr::Small { num, den } => {
                (64 - num.unsigned_abs().leading_zeros().min(den.get().leading_zeros())) as usize
            }
            Repr::Big(big) => big.num.clone().unsigned_abs().bit_len().max(big.den.bit_len()),
        }
    }

    /// `self += factor * term`, the inner step of every row operation.
    #[inline]
    pub fn add_mul(&mut self, factor: &Rational, term: &Rational) {
        if let (Repr::Small { num: a, den: b }, Repr::Small { num: c, den: d }, Repr::Small { num: e, den: f }) =
            (&mut self.0, &factor.0, &term.0)
            && b.get() == 1
            && d.get() == 1
            && f.get() == 1
            && let Some(product) = c.checked_mul(*e)
            && let Some(sum) = a.checked_add(product)
        {
            *a = sum;
            return;
        }
        *self += factor * term;
    }

    /// Divides by a divisor: both are integers, and the quotient is one.
    #[inline]
    pub fn divide_exactly(&mut self, divisor: &Rational) {
        match (&mut self.0, &divisor.0) {
            (Repr::Small { num, den }, Repr::Small { num: by, den: one })
                if den.get() == 1 && one.get() == 1 && *by != 0 && *by != -1 =>
            {
                debug_assert_eq!(*num % *by, 0);
                *num /= *by;
            }
            _ => *self = &*self / divisor,
        }
    }

    #[inline]
    fn add_ref(&self, other: &Rational) -> Rational {
        if let (Repr::Small { num: a, den: b }, Repr::Small { num: c, den: d }) = (&self.0, &other.0) {
            return Self::add_small(*a, b.get(), *c, d.get());
        }
        // Where one of them is an integer, so is every common divisor of the sum's parts one of the other's.
        match (self.is_integer(), other.is_integer()) {
            (true, true) => Self::from_coprime(self.numer() + other.numer(), BigInt::ONE),
            (true, false) => {
                let d = other.denom();
                Self::from_coprime(self.numer() * &d + other.numer(), d)
            }
            (false, true) => {
                let b = self.denom();
                Self::from_coprime(self.numer() + other.numer() * &b, b)
            }
            (false, false) => {
                let (b, d) = (self.denom(), other.denom());
                if b == d {
                    return Self::new(self.numer() + other.numer(), b);
                }
                Self::new(self.numer() * &d + other.numer() * &b, b * d)
            }
        }
    }

    fn add_small(a: i64, b: i64, c: i64, d: i64) -> Rational {
        if b == 1 && d == 1 {
            return match a.checked_add(c) {
                Some(sum) => Self::integer(sum),
                None => Self::from_coprime_i128(i128::from(a) + i128::from(c), 1),
            };
        }
        if b == d || d == 1 || b == 1 {
            // One denominator divides the other, and mostly everything fits.
            let (den, sum) = match (b, d) {
                (1, _) => (d, a.checked_mul(d).and_then(|a| a.checked_add(c))),
                (_, 1) => (b, c.checked_mul(b).and_then(|c| c.checked_add(a))),
                _ => (b, a.checked_add(c)),
            };
            if let Some(sum) = sum {
                let gcd = if b == d { gcd_u64(sum.unsigned_abs(), den.unsigned_abs()) as i64 } else { 1 };
                return if gcd == 1 { Self::small(sum, den) } else { Self::small(sum / gcd, den / gcd) };
            }
        }
        let gcd = gcd_u64(b.unsigned_abs(), d.unsigned_abs()) as i64;
        let numerator = i128::from(a) * i128::from(d / gcd) + i128::from(c) * i128::from(b / gcd);
        if gcd == 1 {
            return Self::from_coprime_i128(numerator, i128::from(b) * i128::from(d));
        }
        let rest = gcd_u64((numerator % i128::from(gcd)).unsigned_abs() as u64, gcd as u64) as i64;
        Self::from_coprime_i128(numerator / i128::from(rest), i128::from(b / gcd) * i128::from(d / rest))
    }

    #[inline]
    fn mul_ref(&self, other: &Rational) -> Rational {
        if let (Repr::Small { num: a, den: b }, Repr::Small { num: c, den: d }) = (&self.0, &other.0) {
            let (a, b, c, d) = (*a, b.get(), *c, d.get());
            if b == 1
                && d == 1
                && let Some(product) = a.checked_mul(c)
            {
                return Self::integer(product);
            }
            // A denominator is positive, so a divisor of it is one of 63 bits.
            let ad = if d == 1 { 1 } else { gcd_u64(a.unsigned_abs(), d.unsigned_abs()) as i64 };
            let cb = if b == 1 { 1 } else { gcd_u64(c.unsigned_abs(), b.unsigned_abs()) as i64 };
            let cancel = |x: i64, by: i64| if by == 1 { x } else { x / by };
            let (num, den) = ((cancel(a, ad), cancel(c, cb)), (cancel(b, cb), cancel(d, ad)));
            if let (Some(num), Some(den)) = (num.0.checked_mul(num.1), den.0.checked_mul(den.1)) {
                return Self::small(num, den);
            }
            let wide = |(x, y): (i64, i64)| i128::from(x) * i128::from(y);
            return Self::from_coprime_i128(wide(num), wide(den));
        }
        if self.is_integer() && other.is_integer() {
            return Self::from_coprime(self.numer() * other.numer(), BigInt::ONE);
        }
        Self::new(self.numer() * other.numer(), self.denom() * other.denom())
    }
}

impl Default for Rational {
    fn default() -> Self {
        Self::ZERO
    }
}

impl From<i64> for Rational {
    fn from(value: i64) -> Self {
        Self::integer(value)
    }
}

impl From<i32> for Rational {
    fn from(value: i32) -> Self {
        Self::integer(i64::from(value))
    }
}

impl From<u32> for Rational {
    fn from(value: u32) -> Self {
        Self::integer(i64::from(value))
    }
}

impl From<u64> for Rational {
    fn from(value: u64) -> Self {
        Self::from_coprime_i128(i128::from(value), 1)
    }
}

impl From<i128> for Rational {
    fn from(value: i128) -> Self {
        Self::from_coprime_i128(value, 1)
    }
}

impl From<BigInt> for Rational {
    fn from(value: BigInt) -> Self {
        Self::from_coprime(value, BigInt::ONE)
    }
}

impl From<&BigInt> for Rational {
    fn from(value: &BigInt) -> Self {
        match i64::try_from(value) {
            Ok(small) => Self::integer(small),
            Err(_) => Self::from_coprime(value.clone(), BigInt::ONE),
        }
    }
}

impl From<UBig> for Rational {
    fn from(value: UBig) -> Self {
        Self::from(BigInt::from(value))
    }
}

impl Ord for Rational {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Small { num: a, den: b }, Repr::Small { num: c, den: d }) => {
                if b == d {
                    a.cmp(c)
                } else {
                    (i128::from(*a) * i128::from(d.get())).cmp(&(i128::from(*c) * i128::from(b.get())))
                }
            }
            (Repr::Big(_), Repr::Small { .. } | Repr::Big(_)) | (Repr::Small { .. }, Repr::Big(_)) => {
                let by_sign = self.signum().cmp(&other.signum());
                if by_sign != Ordering::Equal {
                    return by_sign;
                }
                if self.is_integer() && other.is_integer() {
                    return self.numer().cmp(&other.numer());
                }
                (self.numer() * other.denom()).cmp(&(other.numer() * self.denom()))
            }
        }
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Neg for &Rational {
    type Output = Rational;
    fn neg(self) -> Rational {
        match &self.0 {
            Repr::Small { num, den } => match num.checked_neg() {
                Some(num) => Rational(Repr::Small { num, den: *den }),
                None => Rational::from_coprime_i128(-i128::from(*num), i128::from(den.get())),
            },
            Repr::Big(big) => Rational::from_coprime(-big.num.clone(), big.den.clone()),
        }
    }
}

impl Neg for Rational {
    type Output = Rational;
    fn neg(self) -> Rational {
        -&self
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $assign_trait:ident, $assign_method:ident, |$left:ident, $right:ident| $body:expr) => {
        impl $trait<&Rational> for &Rational {
            type Output = Rational;
            fn $method(self, other: &Rational) -> Rational {
                let ($left, $right) = (self, other);
                $body
            }
        }
        impl $trait<Rational> for &Rational {
            type Output = Rational;
            fn $method(self, other: Rational) -> Rational {
                self.$method(&other)
            }
        }
        impl $trait<&Rational> for Rational {
            type Output = Rational;
            fn $method(self, other: &Rational) -> Rational {
                (&self).$method(other)
            }
        }
        impl $trait<Rational> for Rational {
            type Output = Rational;
            fn $method(self, other: Rational) -> Rational {
                (&self).$method(&other)
            }
        }
        impl $assign_trait<&Rational> for Rational {
            fn $assign_method(&mut self, other: &Rational) {
                *self = (&*self).$method(other);
            }
        }
        impl $assign_trait<Rational> for Rational {
            fn $assign_method(&mut self, other: Rational) {
                *self = (&*self).$method(&other);
            }
        }
    };
}

operator!(Add, add, AddAssign, add_assign, |left, right| left.add_ref(right));
operator!(Sub, sub, SubAssign, sub_assign, |left, right| left.add_ref(&-right));
operator!(Mul, mul, MulAssign, mul_assign, |left, right| left.mul_ref(right));
operator!(Div, div, DivAssign, div_assign, |left, right| left.mul_ref(&right.recip()));

impl Sum for Rational {
    fn sum<I: Iterator<Item = Rational>>(iter: I) -> Rational {
        iter.fold(Rational::ZERO, |sum, x| sum + x)
    }
}

impl<'a> Sum<&'a Rational> for Rational {
    fn sum<I: Iterator<Item = &'a Rational>>(iter: I) -> Rational {
        iter.fold(Rational::ZERO, |sum, x| sum + x)
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.0, self.is_integer()) {
            (Repr::Small { num, .. }, true) => write!(f, "{num}"),
            (Repr::Small { num, den }, false) => write!(f, "{num}/{den}"),
            (Repr::Big(big), true) => write!(f, "{}", big.num),
            (Repr::Big(big), false) => write!(f, "{}/{}", big.num, big.den),
        }
    }
}

impl fmt::Debug for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a number of the form `12`, `-12`, `1.25` or `3/4`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseRationalError;

impl fmt::Display for ParseRationalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a number such as 12, -12, 1.25 or 3/4")
    }
}

impl std::error::Error for ParseRationalError {}

fn parse_digits(digits: &str) -> Result<BigInt, ParseRationalError> {
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(ParseRationalError);
    }
    if digits.len() <= 18 {
        return digits.parse::<i64>().map(BigInt::from).map_err(|_| ParseRationalError);
    }
    UBig::from_str_radix(digits, 10).map(BigInt::from).map_err(|_| ParseRationalError)
}

impl FromStr for Rational {
    type Err = ParseRationalError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (negative, text) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let magnitude = if let Some((num, den)) = text.split_once('/') {
            let den = parse_digits(den)?;
            if den == BigInt::ZERO {
                return Err(ParseRationalError);
            }
            Self::new(parse_digits(num)?, den)
        } else if let Some((whole, decimals)) = text.split_once('.') {
            let scale = BigInt::from(10).pow(decimals.len());
            Self::new(parse_digits(whole)? * &scale + parse_digits(decimals)?, scale)
        } else {
            Self::from(parse_digits(text)?)
        };
        Ok(if negative { -magnitude } else { magnitude })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dashu::rational::RBig;
    use proptest::prelude::*;
    use std::collections::hash_map::DefaultHasher;
    use std::hash::{Hash, Hasher};

    /// Of numbers long enough for division by recursion.
    #[test]
    fn common_divisors_of_long_numbers() {
        let mut random = base::Random::new(1);
        let mut number = |n_words: usize| {
            let words: Vec<u64> = (0..n_words).map(|_| random.one_of(&[0, u64::MAX, 1]) ^ random.bits()).collect();
            BigInt::from(UBig::from_words(&words) | UBig::ONE)
        };
        for n in 0..400 {
            let (a, b, common) = (number(1 + n % 97), number(1 + n % 113), number(n % 61));
            let (x, y) = (&a * &common, &b * &common);
            let found = big_gcd(&x, &y);
            assert_eq!((&x % &found, &y % &found, &found % &common), Default::default());
            // Euclid's algorithm, subtraction of multiples only.
            let (mut p, mut q) = (&x / &found, &y / &found);
            while q != BigInt::ZERO {
                (p, q) = (q.clone(), p % q);
            }
            assert_eq!(p, BigInt::ONE);
        }
    }

    fn oracle(x: &Rational) -> RBig {
        RBig::from_parts(x.numer(), x.denom().unsigned_abs())
    }

    fn hash(x: &Rational) -> u64 {
        let mut hasher = DefaultHasher::new();
        x.hash(&mut hasher);
        hasher.finish()
    }

    fn well_formed(x: &Rational) -> bool {
        let (num, den) = (x.numer(), x.denom());
        let fits = i64::try_from(&num).is_ok() && i64::try_from(&den).is_ok();
        den.is_positive() && big_gcd(&num, &den) == BigInt::ONE && matches!(x.0, Repr::Small { .. }) == fits
    }

    fn word() -> impl Strategy<Value = i64> {
        prop_oneof![
            -12i64..=12,
            any::<i64>(),
            Just(i64::MIN),
            Just(i64::MAX),
            Just(i64::MIN + 1),
            (0u32..62).prop_map(|k| 1 << k)
        ]
    }

    fn number() -> impl Strategy<Value = Rational> {
        (word(), word(), word(), 0u8..4).prop_map(|(a, b, c, shape)| {
            let b = if b == 0 { 1 } else { b };
            match shape {
                0 => Rational::from(a),
                1 | 2 => Rational::ratio(a, b),
                _ => Rational::new(BigInt::from(a) * BigInt::from(c), BigInt::from(b)),
            }
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn field_operations_agree_with_the_oracle(x in number(), y in number(), z in number()) {
            prop_assert!(well_formed(&x));
            let (ox, oy) = (oracle(&x), oracle(&y));
            for (ours, theirs) in [(&x + &y, &ox + &oy), (&x - &y, &ox - &oy), (&x * &y, &ox * &oy)] {
                prop_assert!(well_formed(&ours));
                prop_assert_eq!(oracle(&ours), theirs);
            }
            if !y.is_zero() {
                let quotient = &x / &y;
                prop_assert!(well_formed(&quotient));
                prop_assert_eq!(oracle(&quotient), &ox / &oy);
                prop_assert_eq!(quotient * &y, x.clone());
            }
            let mut fused = x.clone();
            fused.add_mul(&y, &z);
            prop_assert_eq!(fused, &x + &y * &z);
            prop_assert_eq!(x.cmp(&y), ox.cmp(&oy));
            prop_assert_eq!(x == y, ox == oy);
            prop_assert_eq!(hash(&((&x + &y) - &y)), hash(&x));
            prop_assert!(well_formed(&-&x) && -&x + &x == Rational::ZERO);
        }

        #[test]
        fn rounding(x in number()) {
            let (floor, ceil) = (x.floor(), x.ceil());
            prop_assert!(floor.is_integer() && ceil.is_integer() && well_formed(&floor) && well_formed(&ceil));
            prop_assert!(floor <= x && x < &floor + Rational::ONE);
            prop_assert!(ceil >= x && x > &ceil - Rational::ONE);
            prop_assert_eq!(oracle(&floor), RBig::from(oracle(&x).floor()));
        }

        #[test]
        fn euclidean_division(x in number(), y in number()) {
            if !y.is_zero() {
                let (quotient, remainder) = (x.div_euclid(&y), x.rem_euclid(&y));
                prop_assert!(quotient.is_integer());
                prop_assert_eq!(&quotient * &y + &remainder, x);
                prop_assert!(!remainder.is_negative() && remainder < y.abs());
            }
        }

        #[test]
        fn divisors_and_multiples(x in number(), y in number()) {
            let gcd = x.gcd(&y);
            prop_assert!(!gcd.is_negative() && gcd.is_zero() == (x.is_zero() && y.is_zero()));
            if !gcd.is_zero() {
                let (a, b) = (&x / &gcd, &y / &gcd);
                prop_assert!(a.is_integer() && b.is_integer() && a.gcd(&b).is_one());
            }
            let lcm = x.lcm(&y);
            prop_assert_eq!(&lcm * &gcd, (&x * &y).abs());
            let denom = x.denom_lcm(&y);
            prop_assert!((&x * &denom).is_integer() && (&y * &denom).is_integer());
        }

        #[test]
        fn printing_and_reading(x in number(), places in 0u32..30) {
            prop_assert_eq!(x.to_string().parse::<Rational>(), Ok(x.clone()));
            let scaled = &x.numer_rational() / Rational::from(10).pow(places);
            let digits = format!("{:0>width$}", x.numer_rational().abs().to_string(), width = places as usize + 1);
            let (whole, decimals) = digits.split_at(digits.len() - places as usize);
            let sign = if x.is_negative() { "-" } else { "" };
            let point = if places == 0 { "" } else { "." };
            prop_assert_eq!(format!("{sign}{whole}{point}{decimals}").parse::<Rational>(), Ok(scaled));
        }

        #[test]
        fn powers(x in number(), exponent in 0u32..9) {
            let power = x.pow(exponent);
            prop_assert!(well_formed(&power));
            prop_assert_eq!(power, (0..exponent).fold(Rational::ONE, |product, _| product * &x));
            prop_assert_eq!(Rational::pow2(exponent * 9), Rational::from(2).pow(exponent * 9));
        }
    }

    #[test]
    fn sixteen_bytes() {
        assert_eq!(std::mem::size_of::<Rational>(), 16);
        assert_eq!(ONE_DEN.get(), 1);
    }

    #[test]
    fn remainders_follow_smt_lib() {
        for (x, y, quotient, remainder) in [(-7, 2, -4, 1), (7, -2, -3, 1), (-7, -2, 4, 1), (7, 2, 3, 1)] {
            let (x, y) = (Rational::from(x), Rational::from(y));
            assert_eq!(x.div_euclid(&y), Rational::from(quotient));
            assert_eq!(x.rem_euclid(&y), Rational::from(remainder));
        }
    }

    #[test]
    fn bad_texts_are_rejected() {
        for text in ["", "-", "1/", "/2", "1/0", "1.", ".5", "1.2.3", "1e3", "+1", "--1", "1/-2", "ä"] {
            assert_eq!(text.parse::<Rational>(), Err(ParseRationalError), "{text:?}");
        }
        assert_eq!("1.25".parse(), Ok(Rational::ratio(5, 4)));
        assert_eq!("-12".parse(), Ok(Rational::from(-12)));
        assert_eq!("-3/4".parse(), Ok(Rational::ratio(-3, 4)));
    }
}
