pub mod circuit;
pub mod labelled;
pub mod tree;

#[cfg(test)]
mod labelled_tests;
