pub mod circuit;
pub mod labelled;
pub mod tree;
