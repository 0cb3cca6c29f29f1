//! The verification engines.

pub mod lasso_ranking;
