//! Intervals of numbers (Cousot, Cousot: Abstract Interpretation, POPL 1977), with exact bounds.
//!
//! A missing bound is infinite. Intervals are never empty: operations that may leave nothing give an `Option`.

use crate::Thresholds;
use logic::Rational;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Interval {
    pub lo: Option<Rational>,
    pub hi: Option<Rational>,
}

fn zero() -> Rational {
    Rational::zero()
}

/// A bound of a product, where an infinite bound is told by its sign.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Extended {
    MinusInfinity,
    Finite(Rational),
    Infinity,
}

impl Extended {
    fn signum(&self) -> i32 {
        match self {
            Extended::MinusInfinity => -1,
            Extended::Finite(x) => x.signum(),
            Extended::Infinity => 1,
        }
    }
    /// Zero times infinity is zero: bounds are limits of products of finite numbers.
    fn times(&self, other: &Extended) -> Extended {
        match (self, other) {
            (Extended::Finite(a), Extended::Finite(b)) => Extended::Finite(a * b),
            _ => match self.signum() * other.signum() {
                0 => Extended::Finite(zero()),
                1 => Extended::Infinity,
                _ => Extended::MinusInfinity,
            },
        }
    }
    fn finite(self) -> Option<Rational> {
        match self {
            Extended::Finite(x) => Some(x),
            Extended::MinusInfinity | Extended::Infinity => None,
        }
    }
}

impl Interval {
    pub const ALL: Interval = Interval { lo: None, hi: None };

    pub fn point(value: Rational) -> Interval {
        Interval { lo: Some(value.clone()), hi: Some(value) }
    }
    pub fn new(lo: Option<Rational>, hi: Option<Rational>) -> Option<Interval> {
        match (&lo, &hi) {
            (Some(a), Some(b)) if a > b => None,
            _ => Some(Interval { lo, hi }),
        }
    }
    pub fn between(lo: i64, hi: i64) -> Interval {
        Interval { lo: Some(Rational::from(lo)), hi: Some(Rational::from(hi)) }
    }
    pub fn is_all(&self) -> bool {
        self.lo.is_none() && self.hi.is_none()
    }
    /// The only number of the interval.
    pub fn single(&self) -> Option<&Rational> {
        match (&self.lo, &self.hi) {
            (Some(a), Some(b)) if a == b => Some(a),
            _ => None,
        }
    }
    pub fn contains(&self, value: &Rational) -> bool {
        self.lo.as_ref().is_none_or(|lo| lo <= value) && self.hi.as_ref().is_none_or(|hi| value <= hi)
    }
    pub fn is_within(&self, other: &Interval) -> bool {
        let above = match (&other.lo, &self.lo) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(a), Some(b)) => a <= b,
        };
        let below = match (&other.hi, &self.hi) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(a), Some(b)) => b <= a,
        };
        above && below
    }
    pub fn join(&self, other: &Interval) -> Interval {
        let lo = self.lo.as_ref().zip(other.lo.as_ref()).map(|(a, b)| a.min(b).clone());
        let hi = self.hi.as_ref().zip(other.hi.as_ref()).map(|(a, b)| a.max(b).clone());
        Interval { lo, hi }
    }
    pub fn meet(&self, other: &Interval) -> Option<Interval> {
        let lo = match (&self.lo, &other.lo) {
            (Some(a), Some(b)) => Some(a.max(b).clone()),
            (a, b) => a.clone().or_else(|| b.clone()),
        };
        let hi = match (&self.hi, &other.hi) {
            (Some(a), Some(b)) => Some(a.min(b).clone()),
            (a, b) => a.clone().or_else(|| b.clone()),
        };
        Interval::new(lo, hi)
    }
    /// A bound that moves goes on to the next threshold.
    pub fn widen(&self, next: &Interval, thresholds: &Thresholds) -> Interval {
        let lo = match (&self.lo, &next.lo) {
            (Some(a), Some(b)) if b < a => thresholds.below(b),
            (Some(a), Some(_)) => Some(a.clone()),
            _ => None,
        };
        let hi = match (&self.hi, &next.hi) {
            (Some(a), Some(b)) if b > a => thresholds.above(b),
            (Some(a), Some(_)) => Some(a.clone()),
            _ => None,
        };
        Interval { lo, hi }
    }
    /// Infinite bounds become those of a smaller interval.
    pub fn narrow(&self, next: &Interval) -> Interval {
        Interval { lo: self.lo.clone().or_else(|| next.lo.clone()), hi: self.hi.clone().or_else(|| next.hi.clone()) }
    }
    pub fn add(&self, other: &Interval) -> Interval {
        let lo = self.lo.as_ref().zip(other.lo.as_ref()).map(|(a, b)| a + b);
        let hi = self.hi.as_ref().zip(other.hi.as_ref()).map(|(a, b)| a + b);
        Interval { lo, hi }
    }
    pub fn scale(&self, factor: &Rational) -> Interval {
        match factor.signum() {
            0 => Interval::point(zero()),
            1 => Interval { lo: self.lo.as_ref().map(|x| x * factor), hi: self.hi.as_ref().map(|x| x * factor) },
            _ => Interval { lo: self.hi.as_ref().map(|x| x * factor), hi: self.lo.as_ref().map(|x| x * factor) },
        }
    }
    pub fn neg(&self) -> Interval {
        self.scale(&Rational::MINUS_ONE)
    }
    fn low(&self) -> Extended {
        self.lo.clone().map_or(Extended::MinusInfinity, Extended::Finite)
    }
    fn high(&self) -> Extended {
        self.hi.clone().map_or(Extended::Infinity, Extended::Finite)
    }
    pub fn mul(&self, other: &Interval) -> Interval {
        let products = [
            self.low().times(&other.low()),
            self.low().times(&other.high()),
            self.high().times(&other.low()),
            self.high().times(&other.high()),
        ];
        let lo = products.iter().min().cloned().and_then(Extended::finite);
        let hi = products.iter().max().cloned().and_then(Extended::finite);
        Interval { lo, hi }
    }
    pub fn abs(&self) -> Interval {
        let is_negative = |x: &Option<Rational>| x.as_ref().is_none_or(|x| x.is_negative());
        match (is_negative(&self.lo), self.hi.as_ref().is_some_and(|x| !x.is_positive())) {
            (false, _) => self.clone(),
            (true, true) => self.neg(),
            (true, false) => {
                let hi = self.lo.as_ref().zip(self.hi.as_ref()).map(|(a, b)| (-a.clone()).max(b.clone()));
                Interval { lo: Some(zero()), hi }
            }
        }
    }
    /// Euclidean division of integers: the remainder is never negative. `None`: the divisor may be zero.
    pub fn div_euclid(&self, divisor: &Interval) -> Option<Interval> {
        let one = Rational::one();
        match (&divisor.lo, &divisor.hi) {
            (Some(lo), _) if *lo >= one => {
                let by = |x: &Rational, d: Option<&Rational>| match d {
                    Some(d) => x.div_euclid(d),
                    None => Rational::from(if x.is_negative() { -1i64 } else { 0 }),
                };
                // Monotone in the dividend; in the divisor towards zero (or minus one).
                let bound = |x: &Option<Rational>, least: bool| {
                    x.as_ref().map(|x| {
                        let (a, b) = (by(x, divisor.lo.as_ref()), by(x, divisor.hi.as_ref()));
                        if least { a.min(b) } else { a.max(b) }
                    })
                };
                Some(Interval { lo: bound(&self.lo, true), hi: bound(&self.hi, false) })
            }
            (_, Some(hi)) if hi.is_negative() => Some(self.div_euclid(&divisor.neg())?.neg()),
            _ => None,
        }
    }
    /// The remainder of Euclidean division of integers. `None`: the divisor may be zero.
    pub fn rem_euclid(&self, divisor: &Interval) -> Option<Interval> {
        if divisor.contains(&zero()) {
            return None;
        }
        if let Some(d) = divisor.single().map(Rational::abs)
            && let (Some(lo), Some(hi)) = (&self.lo, &self.hi)
            && lo.div_euclid(&d) == hi.div_euclid(&d)
        {
            return Some(Interval { lo: Some(lo.rem_euclid(&d)), hi: Some(hi.rem_euclid(&d)) });
        }
        let largest = divisor.abs();
        // Numbers below every divisor stay as they are.
        if let (Some(lo), Some(hi), Some(least)) = (&self.lo, &self.hi, &largest.lo)
            && !lo.is_negative()
            && hi < least
        {
            return Some(self.clone());
        }
        let mut hi = largest.hi.map(|d| &d - &Rational::one());
        if let (Some(lo), Some(own)) = (&self.lo, &self.hi)
            && !lo.is_negative()
            && hi.as_ref().is_none_or(|hi| own < hi)
        {
            hi = Some(own.clone());
        }
        Some(Interval { lo: Some(zero()), hi })
    }
    /// Division of reals. `None`: the divisor may be zero.
    pub fn div(&self, divisor: &Interval) -> Option<Interval> {
        if divisor.contains(&zero()) {
            return None;
        }
        let recip = |x: &Option<Rational>| x.as_ref().map_or_else(zero, Rational::recip);
        Some(self.mul(&Interval { lo: Some(recip(&divisor.hi)), hi: Some(recip(&divisor.lo)) }))
    }
    /// The integers of the interval.
    pub fn tighten(&self) -> Option<Interval> {
        Interval::new(self.lo.as_ref().map(Rational::ceil), self.hi.as_ref().map(Rational::floor))
    }
    /// The interval of the largest integers not above.
    pub fn floor(&self) -> Interval {
        Interval { lo: self.lo.as_ref().map(Rational::floor), hi: self.hi.as_ref().map(Rational::floor) }
    }
}
