//! (to be written)

mod rational;
pub use rational::*;
