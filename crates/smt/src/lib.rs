//! The interpolating SMT solver: CDCL(T) core, theories, refutations, interpolation.

pub mod arith;
pub mod atoms;
pub mod proof;
pub mod sat;
pub mod theory;
