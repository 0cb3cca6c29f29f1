//! Linear arithmetic over integers and reals.
//!
//! | module | what it does |
//! |---|---|
//! | `axioms` | defining clauses of `div`, `mod`, `abs`, `to_int`, `is_int` |
//! | `delta` | rationals with an infinitesimal, for strict bounds |
//! | `simplex` | feasibility of bounds over linear equations, with Farkas conflicts |
//! | `hermite` | integer equations: divisibility conflicts and cuts |
//! | `theory` | atoms to bounds, conflicts to clauses, models |
//! | `integers` | equations, branches and cuts for integer variables |
//! | `fixed_differences` | equalities of shared terms that bounds imply |
//! | `weakening` | more general conflicts |
//! | `nonlinear` | products, by clauses that are false in a wrong model |
//! | `algebraic` | products that those clauses do not settle, by coverings |
//! | `lp` | exact linear programming for other clients |

pub mod algebraic;
pub mod axioms;
pub mod delta;
mod fixed_differences;
pub mod hermite;
mod integers;
pub mod lp;
pub mod nonlinear;
pub mod simplex;
#[cfg(test)]
mod tests;
mod theory;
mod weakening;

pub use theory::{Arith, ArithStats};
