//! The SAT core: clause database, decision heap, conflict-driven search.

pub mod clauses;
pub mod core;
mod heap;
pub mod types;

pub use self::core::{Host, Origin, Outcome, Registered, Sat, Stats};
pub use types::{LBool, Lit, Var};
