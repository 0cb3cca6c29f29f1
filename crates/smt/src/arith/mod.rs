//! Linear arithmetic over integers and reals.

pub mod delta;
pub mod hermite;
pub mod lp;
pub mod simplex;
