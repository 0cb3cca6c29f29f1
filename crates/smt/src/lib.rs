//! The interpolating SMT solver: CDCL(T) core, theories, refutations, interpolation.

pub mod arith;
mod arrays;
mod atoms;
mod bitblast;
mod bounded_integers;
mod bv_polynomial;
mod clausify;
mod combination;
pub mod context;
mod euf;
pub mod focused;
mod implied_equalities;
mod implied_linear;
pub mod interpolate;
pub mod irrational;
pub mod linear_literal;
pub mod lrat;
mod model;
mod proof;
pub mod proof_check;
mod quantifiers;
pub mod real_algebra;
pub mod reduce;
mod residues;
pub mod sat;
pub mod script;
mod solver;
mod theory;

pub use script::{Progress, ScriptOptions, ScriptSummary, run_script};
pub use solver::{SmtOptions, SmtSolver};

#[cfg(test)]
mod test_support;
