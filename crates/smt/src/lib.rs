//! The interpolating SMT solver: CDCL(T) core, theories, refutations, interpolation.

pub mod arith;
pub mod atoms;
pub mod focused;
pub mod interpolate;
pub mod linear_literal;
pub mod clausify;
pub mod euf;
pub mod proof;
pub mod reduce;
pub mod sat;
pub mod theory;

#[cfg(test)]
mod test_support;
