//! Programs and graphs as text, and back.
//!
//! The text is a sequence of s-expressions, one declaration, instruction, location or edge a line, with
//! terms in SMT-LIB syntax. A variable is written as its name, `%` and its number, which is unique; the
//! primed constant of a block adds a `+`; auxiliary constants of blocks are `%a0`, `%a1`, …. `:at |f.s.e|` is a
//! source span (file, start, end). Subjects of checks ([`crate::program::Subject`]) are not written: they explain
//! violations and change none.
//!
//! ```text
//! (program)
//! (var x%0 Int global)
//! (var y%1 Int (local 0))
//! (procedure main () () (y%1) (x%0))
//! (requires (> x%0 0) :at |0.31.44|)
//! (body 2)
//! (assign ((y%1 (+ x%0 1))) :at |0.50.60|)
//! (goto 0 1)
//! (assert (> y%1 1) ("unreach-call" "assertion may fail") :at |0.62.70|)
//! ```
//!
//! Reading what was printed gives an equal program over fresh constants (names lose bars and backslashes,
//! which the syntax cannot hold).

mod print;
mod read;

pub use print::{print_icfg, print_program};
pub use read::{MakeConstant, read_icfg, read_icfg_with, read_program, read_program_with};
