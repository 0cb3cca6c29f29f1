//! Congruences: all values are `residue` modulo `modulus` (Granger: Static Analysis of Arithmetical Congruences, 1989).
//!
//! Modulus 1 says nothing, modulus 0 says that the value is the residue.

use logic::Rational;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Congruence {
    pub modulus: Rational,
    pub residue: Rational,
}

impl Congruence {
    pub const ALL: Congruence = Congruence { modulus: Rational::ONE, residue: Rational::ZERO };

    pub fn point(value: Rational) -> Congruence {
        Congruence { modulus: Rational::zero(), residue: value }
    }
    pub fn new(modulus: Rational, residue: Rational) -> Congruence {
        let modulus = modulus.abs();
        let residue = if modulus.is_zero() { residue } else { residue.rem_euclid(&modulus) };
        Congruence { modulus, residue }
    }
    pub fn is_all(&self) -> bool {
        self.modulus.is_one()
    }
    pub fn contains(&self, value: &Rational) -> bool {
        if self.modulus.is_zero() {
            *value == self.residue
        } else {
            (value - &self.residue).rem_euclid(&self.modulus).is_zero()
        }
    }
    pub fn is_within(&self, other: &Congruence) -> bool {
        if other.modulus.is_zero() {
            return self.modulus.is_zero() && self.residue == other.residue;
        }
        self.modulus.rem_euclid(&other.modulus).is_zero() && other.contains(&self.residue)
    }
    pub fn join(&self, other: &Congruence) -> Congruence {
        let modulus = self.modulus.gcd(&other.modulus).gcd(&(&self.residue - &other.residue));
        Congruence::new(modulus, self.residue.clone())
    }
    /// The values of both. When the moduli differ the one that says more is kept, which is right but not exact.
    pub fn meet(&self, other: &Congruence) -> Option<Congruence> {
        if self.modulus.is_zero() {
            return other.contains(&self.residue).then(|| self.clone());
        }
        if other.modulus.is_zero() {
            return self.contains(&other.residue).then(|| other.clone());
        }
        let common = self.modulus.gcd(&other.modulus);
        if !(&self.residue - &other.residue).rem_euclid(&common).is_zero() {
            return None;
        }
        Some(if self.modulus >= other.modulus { self.clone() } else { other.clone() })
    }
    pub fn add(&self, other: &Congruence) -> Congruence {
        Congruence::new(self.modulus.gcd(&other.modulus), &self.residue + &other.residue)
    }
    /// Times an integer.
    pub fn scale(&self, factor: &Rational) -> Congruence {
        Congruence::new(&self.modulus * factor, &self.residue * factor)
    }
    pub fn mul(&self, other: &Congruence) -> Congruence {
        let modulus = (&self.modulus * &other.modulus)
            .gcd(&(&self.modulus * &other.residue))
            .gcd(&(&other.modulus * &self.residue));
        Congruence::new(modulus, &self.residue * &other.residue)
    }
    /// The remainder by a number that is not zero.
    pub fn rem_euclid(&self, divisor: &Rational) -> Congruence {
        let divisor = divisor.abs();
        if self.modulus.rem_euclid(&divisor).is_zero() {
            return Congruence::point(self.residue.rem_euclid(&divisor));
        }
        Congruence::new(self.modulus.gcd(&divisor), self.residue.clone())
    }
    /// The least value that is not below a number.
    pub fn round_up(&self, bound: &Rational) -> Rational {
        if self.modulus.is_zero() {
            return bound.clone();
        }
        bound + &(&self.residue - bound).rem_euclid(&self.modulus)
    }
    /// The largest value that is not above a number.
    pub fn round_down(&self, bound: &Rational) -> Rational {
        if self.modulus.is_zero() {
            return bound.clone();
        }
        bound - &(bound - &self.residue).rem_euclid(&self.modulus)
    }
}
