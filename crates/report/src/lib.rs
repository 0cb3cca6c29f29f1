//! Evidence for people and for other programs: C expressions, witnesses, tests that fail.
//!
//! Everything here is a function from a verdict and the program to text. Nothing reads files or the clock.

pub mod c_expression;
