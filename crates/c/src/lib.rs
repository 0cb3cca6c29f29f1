//! The C front end: C11 with GNU extensions to the program the engines check.
//!
//! The road: [`lex`] cuts characters into tokens, [`preprocess`] expands macros and headers,
//! [`parse`] builds the syntax tree of [`ast`], [`sema`] checks types and builds the typed
//! program of [`hir`] with layouts from [`types`].

pub mod ast;
pub mod headers;
pub mod hir;
pub mod lex;
pub mod literal;
pub mod parse;
pub mod preprocess;
pub mod sema;
pub mod types;

/// The sizes of the basic types: gcc on x86 with `-m32` or `-m64`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DataModel {
    #[default]
    Ilp32,
    Lp64,
}
