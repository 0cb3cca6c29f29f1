//! Numbers: an interval and, of integers, a congruence, each of which sharpens the other.

use crate::Thresholds;
use crate::congruence::Congruence;
use crate::interval::Interval;
use logic::Rational;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Number {
    pub interval: Interval,
    pub congruence: Congruence,
    /// An Int; otherwise a Real, about which the congruence says nothing.
    pub is_integer: bool,
}

impl Number {
    pub fn all(is_integer: bool) -> Number {
        Number { interval: Interval::ALL, congruence: Congruence::ALL, is_integer }
    }
    pub fn point(value: Rational, is_integer: bool) -> Number {
        let congruence = if is_integer { Congruence::point(value.clone()) } else { Congruence::ALL };
        Number { interval: Interval::point(value), congruence, is_integer }
    }
    pub fn within(interval: Interval, is_integer: bool) -> Number {
        let all = Number { interval: interval.clone(), congruence: Congruence::ALL, is_integer };
        all.clone().reduced().unwrap_or(all)
    }
    /// Each part sharpened by the other; `None` if nothing is left.
    pub fn reduced(mut self) -> Option<Number> {
        if !self.is_integer {
            return Some(self);
        }
        self.interval = self.interval.tighten()?;
        if self.congruence.modulus.is_zero() {
            let value = self.congruence.residue.clone();
            if !self.interval.contains(&value) {
                return None;
            }
            self.interval = Interval::point(value);
            return Some(self);
        }
        let lo = self.interval.lo.as_ref().map(|x| self.congruence.round_up(x));
        let hi = self.interval.hi.as_ref().map(|x| self.congruence.round_down(x));
        self.interval = Interval::new(lo, hi)?;
        if let Some(value) = self.interval.single() {
            self.congruence = Congruence::point(value.clone());
        }
        Some(self)
    }
    pub fn single(&self) -> Option<&Rational> {
        self.interval.single()
    }
    pub fn contains(&self, value: &Rational) -> bool {
        self.interval.contains(value) && (!self.is_integer || value.is_integer() && self.congruence.contains(value))
    }
    pub fn is_all(&self) -> bool {
        self.interval.is_all() && self.congruence.is_all()
    }
    pub fn is_within(&self, other: &Number) -> bool {
        self.interval.is_within(&other.interval) && (!self.is_integer || self.congruence.is_within(&other.congruence))
    }
    pub fn join(&self, other: &Number) -> Number {
        Number {
            interval: self.interval.join(&other.interval),
            congruence: self.congruence.join(&other.congruence),
            is_integer: self.is_integer,
        }
    }
    pub fn meet(&self, other: &Number) -> Option<Number> {
        let interval = self.interval.meet(&other.interval)?;
        let congruence = self.congruence.meet(&other.congruence)?;
        Number { interval, congruence, is_integer: self.is_integer }.reduced()
    }
    /// Joins of congruences change finitely often: a modulus is replaced by a divisor of it.
    pub fn widen(&self, next: &Number, thresholds: &Thresholds) -> Number {
        Number {
            interval: self.interval.widen(&next.interval, thresholds),
            congruence: self.congruence.join(&next.congruence),
            is_integer: self.is_integer,
        }
    }
    pub fn narrow(&self, next: &Number) -> Number {
        Number { interval: self.interval.narrow(&next.interval), ..self.clone() }
    }
    fn made(interval: Interval, congruence: Congruence, is_integer: bool) -> Number {
        let congruence = if is_integer { congruence } else { Congruence::ALL };
        let made = Number { interval, congruence, is_integer };
        made.clone().reduced().unwrap_or(made)
    }
    pub fn add(&self, other: &Number) -> Number {
        Number::made(self.interval.add(&other.interval), self.congruence.add(&other.congruence), self.is_integer)
    }
    pub fn scale(&self, factor: &Rational) -> Number {
        let congruence =
            if self.is_integer && factor.is_integer() { self.congruence.scale(factor) } else { Congruence::ALL };
        Number::made(self.interval.scale(factor), congruence, self.is_integer)
    }
    pub fn mul(&self, other: &Number) -> Number {
        let congruence = if self.is_integer { self.congruence.mul(&other.congruence) } else { Congruence::ALL };
        Number::made(self.interval.mul(&other.interval), congruence, self.is_integer)
    }
    pub fn div_euclid(&self, divisor: &Number) -> Number {
        let interval = self.interval.div_euclid(&divisor.interval).unwrap_or(Interval::ALL);
        Number::made(interval, Congruence::ALL, true)
    }
    pub fn rem_euclid(&self, divisor: &Number) -> Number {
        let Some(interval) = self.interval.rem_euclid(&divisor.interval) else { return Number::all(true) };
        let congruence = match divisor.single() {
            Some(d) => self.congruence.rem_euclid(d),
            None => Congruence::ALL,
        };
        Number::made(interval, congruence, true)
    }
    pub fn div(&self, divisor: &Number) -> Number {
        Number::within(self.interval.div(&divisor.interval).unwrap_or(Interval::ALL), false)
    }
}
