pub mod circuit;
pub mod euf;
pub mod farkas;
pub mod labelled;
pub mod tree;

#[cfg(test)]
mod labelled_tests;
