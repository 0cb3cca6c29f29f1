//! Abstract domains: sets of states of a program, kept small enough to compute with (Cousot, Cousot: Abstract
//! Interpretation, POPL 1977).
//!
//! A [`Domain`] stands for a set of states, that is, of values for the variables (0-ary symbols) of the terms. Every
//! operation keeps at least the states that it has to keep. Numbers are exact: nothing here wraps around.
//!
//! * values of single terms ([`Value`]): truth values, [`interval`]s and [`congruence`]s of numbers, [`word`]s (two
//!   intervals and known bits), summaries of maps;
//! * relations: [`octagon`]s over packs of variables, copies `x = y + c`, and cells of maps `a[i]` at indices that
//!   variables name;
//! * [`State`]: the reduced product of all these;
//! * [`Disjunction`]: several states side by side, told apart by the values of chosen variables;
//! * [`affine`] spaces and spaces modulo a power of two ([`residues`]), for whoever goes from point to point.

pub mod affine;
pub mod congruence;
mod disjunction;
mod evaluate;
mod formulas;
pub mod geometry;
pub mod interval;
pub mod number;
pub mod octagon;
mod refine;
pub mod residues;
mod state;
mod thresholds;
mod value;
pub mod word;

pub use disjunction::{Disjunction, Partition};
pub use state::{State, Vocabulary};
pub use thresholds::Thresholds;
pub use value::{Truth, Value};

use logic::{TermId, TermPool};

/// A set of states.
pub trait Domain: Clone {
    /// No state.
    fn is_bottom(&self) -> bool;
    /// At least the states of both.
    fn join(&self, pool: &TermPool, other: &Self) -> Self;
    /// At least the states of both, in such a way that repeating it ends.
    fn widen(&self, pool: &TermPool, next: &Self, thresholds: &Thresholds) -> Self;
    /// At least the states of `next`, which are some of these; repeating it may not end.
    fn narrow(&self, pool: &TermPool, next: &Self) -> Self;
    /// Is every state of this one a state of the other? `false` also if that is not known.
    fn is_within(&self, pool: &TermPool, other: &Self) -> bool;
    /// What follows from the parts is written into the other parts. Not for what is widened later.
    fn reduce(&mut self, pool: &TermPool);
    /// The states in which a condition holds, perhaps more.
    fn assume(&mut self, pool: &mut TermPool, condition: TermId);
    /// Each variable gets the value that its term has before.
    fn assign(&mut self, pool: &mut TermPool, pairs: &[(TermId, TermId)]);
    /// The variables may have any values.
    fn forget(&mut self, pool: &mut TermPool, variables: &[TermId]);
    /// Formulas that hold in all states, as strong as they can be said without quantifiers.
    fn formulas(&self, pool: &mut TermPool) -> Vec<TermId>;
}
