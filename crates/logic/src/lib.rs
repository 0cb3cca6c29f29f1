//! Terms, sorts and values: the language that every other part speaks.
//!
//! * [`TermPool`]: hash-consed terms; a [`TermId`] is a `u32`. Constructors normalise, so equal
//!   formulas are often the same id (see `term.rs` for what is normalised).
//! * [`TermPool::smtlib`], [`TermPool::infix`]: text for machines and for people; [`smtlib`] reads.
//! * [`Linear`]: linear combinations, the form in which arithmetic is normalised.
//! * [`Value`], [`Model`]: exact evaluation of terms.
//! * [`TermPool::simplify`]: smaller equivalent formulas; [`qe`]: quantifier elimination and projection.
//! * [`ieee`]: floating-point arithmetic as bit-vector terms; [`Meaning`]: the sorts of the theory of floating point.
//! * [`datatypes`]: algebraic datatypes by reduction to functions.
//! * [`Solver`]: what an SMT solver offers to its clients.
//!
//! This crate cannot decide satisfiability, does no I/O, and never iterates in hash order.

mod bitvec;
mod comparison;
mod construct;
pub mod datatypes;
mod encoded;
pub mod ieee;
mod import;
mod infix;
mod linear;
mod model;
pub mod qe;
mod rational;
mod simplify;
pub mod smtlib;
mod solver;
mod sort;
mod term;
mod traverse;
mod value;

pub use encoded::Meaning;
pub use infix::Rename;
pub use linear::Linear;
pub use model::{EvalError, FunValue, Model, apply, default_value};
pub use rational::*;
pub use solver::{AssertionId, Farkas, ItpError, ItpOptions, ItpTree, Labelling, SatResult, Solver, UnknownReason};
pub use sort::{Sort, SortId};
pub use term::{FunDecl, FunId, Op, Quantifier, TermId, TermPool};
pub use traverse::Substitution;
pub use value::{ArrayValue, Value};

/// A hash map with a fast hash. Never iterate over one where order could be seen.
pub type FastMap<K, V> = hashbrown::HashMap<K, V, rustc_hash::FxBuildHasher>;
/// A hash set with a fast hash. Never iterate over one where order could be seen.
pub type FastSet<K> = hashbrown::HashSet<K, rustc_hash::FxBuildHasher>;
