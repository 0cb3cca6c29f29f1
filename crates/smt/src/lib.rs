//! (to be written)

pub mod arith;
