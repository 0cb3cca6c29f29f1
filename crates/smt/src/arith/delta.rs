//! Rationals extended by an infinitesimal.
//!
//! A strict bound `x < c` is handled as `x ≤ c − δ` for a positive δ that is smaller than every rational that matters
//! (Dutertre and de Moura, *A Fast Linear-Arithmetic Solver for DPLL(T)*, CAV 2006). The order is lexicographic. A
//! model picks a concrete δ at the very end.

use std::fmt;

use logic::Rational;

/// The number `real + infinitesimal · δ`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Delta {
    pub real: Rational,
    pub infinitesimal: Rational,
}

impl Delta {
    pub const ZERO: Delta = Delta { real: Rational::ZERO, infinitesimal: Rational::ZERO };

    pub fn new(real: Rational, infinitesimal: Rational) -> Delta {
        Delta { real, infinitesimal }
    }

    /// The number just below `real`.
    pub fn below(real: Rational) -> Delta {
        Delta { real, infinitesimal: Rational::MINUS_ONE }
    }

    /// The number just above `real`.
    pub fn above(real: Rational) -> Delta {
        Delta { real, infinitesimal: Rational::ONE }
    }

    pub fn is_integer(&self) -> bool {
        self.infinitesimal.is_zero() && self.real.is_integer()
    }

    pub fn is_rational(&self) -> bool {
        self.infinitesimal.is_zero()
    }

    /// `self += factor * term`.
    pub fn add_mul(&mut self, factor: &Rational, term: &Delta) {
        self.real.add_mul(factor, &term.real);
        if !term.infinitesimal.is_zero() {
            self.infinitesimal.add_mul(factor, &term.infinitesimal);
        }
    }

    pub fn plus(&self, other: &Delta) -> Delta {
        Delta { real: &self.real + &other.real, infinitesimal: &self.infinitesimal + &other.infinitesimal }
    }

    pub fn minus(&self, other: &Delta) -> Delta {
        Delta { real: &self.real - &other.real, infinitesimal: &self.infinitesimal - &other.infinitesimal }
    }

    pub fn times(&self, factor: &Rational) -> Delta {
        Delta { real: &self.real * factor, infinitesimal: &self.infinitesimal * factor }
    }

    /// The rational that results when δ is given this value.
    pub fn at(&self, delta: &Rational) -> Rational {
        &self.real + &self.infinitesimal * delta
    }
}

impl From<Rational> for Delta {
    fn from(real: Rational) -> Delta {
        Delta { real, infinitesimal: Rational::ZERO }
    }
}

impl fmt::Display for Delta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_rational() {
            write!(f, "{}", self.real)
        } else {
            write!(f, "{}+({})δ", self.real, self.infinitesimal)
        }
    }
}

impl fmt::Debug for Delta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
