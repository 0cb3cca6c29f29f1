//! The interpolating SMT solver: CDCL(T) core, theories, refutations, interpolation.

pub mod arith;
pub mod arrays;
pub mod atoms;
pub mod bitblast;
mod bv_polynomial;
pub mod clausify;
pub mod combination;
pub mod euf;
pub mod focused;
mod implied_equalities;
mod implied_linear;
pub mod interpolate;
pub mod linear_literal;
mod model;
pub mod proof;
pub mod proof_check;
pub mod quantifiers;
pub mod reduce;
pub mod sat;
pub mod script;
pub mod solver;
pub mod theory;

pub use script::{Progress, ScriptOptions, ScriptSummary, run_script};
pub use solver::{SmtOptions, SmtSolver};

#[cfg(test)]
mod test_support;
