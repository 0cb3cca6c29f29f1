//! Boogie 2 text to [`ir::Program`].
pub mod ast;
pub mod lexer;
pub mod parser;
pub mod printer;
