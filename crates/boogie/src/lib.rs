//! Boogie 2 text to [`ir::Program`].
pub mod ast;
pub mod check;
pub mod lexer;
pub mod parser;
pub mod printer;
pub mod typed;
pub mod types;
