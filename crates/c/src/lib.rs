//! The C front end: C11 with GNU extensions to the program the engines check.
//!
//! The road: [`lex`] cuts characters into tokens, [`preprocess`] expands macros and headers,
//! [`parse`] builds the syntax tree of [`ast`].

pub mod ast;
pub mod headers;
pub mod lex;
pub mod literal;
pub mod parse;
pub mod preprocess;

/// The sizes of the basic types: gcc on x86 with `-m32` or `-m64`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DataModel {
    #[default]
    Ilp32,
    Lp64,
}
