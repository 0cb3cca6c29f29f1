//! Evidence for people and for other programs: C expressions, witnesses, tests that fail.
//!
//! Everything here is a function from a verdict and the program to text. Nothing reads files or the clock.

pub mod c_expression;
pub mod facts;
pub mod harness;
pub mod sha256;
pub mod trace;
pub mod witness;
