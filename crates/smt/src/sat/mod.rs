//! The SAT core.

pub mod types;

pub use types::{LBool, Lit, Var};
