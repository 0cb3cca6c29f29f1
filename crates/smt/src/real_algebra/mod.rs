//! Polynomial constraints over the reals, decided by cylindrical algebraic coverings.
//!
//! | module | what it does |
//! |---|---|
//! | `poly` | polynomials in several variables: greatest common divisors, resultants, discriminants |
//! | `univariate` | polynomials in one variable: isolating their real roots |
//! | `modular` | polynomials without a common factor, modulo a prime |
//! | `number` | real algebraic numbers, and signs of polynomials at points that have them as coordinates |
//! | `covering` | the decision procedure for conjunctions |
//!
//! Nothing here knows terms or the solver; `arith::algebraic` brings the two together.

pub mod covering;
mod modular;
pub mod number;
pub mod poly;
pub mod univariate;

pub use covering::{Answer, Constraint, Relation, decide};
pub use number::Real;
pub use poly::Poly;

use base::Stop;

/// Why a computation ended without a result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Halt {
    Stopped(Stop),
    /// Outside of what is decided here, or too much work: which.
    GaveUp(&'static str),
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Halt {
        Halt::Stopped(stop)
    }
}
