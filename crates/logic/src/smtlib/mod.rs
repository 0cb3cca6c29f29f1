//! SMT-LIB 2.6 text: printing with sharing (`print`), s-expressions with positions (`sexpr`), and
//! reading of sorts and terms (`read`). Commands are the business of whoever runs scripts.

mod print;
mod read;
mod sexpr;

pub use print::{SmtLib, quote_symbol};
pub use read::{Signature, parse_term};
pub use sexpr::{Node, NodeId, Pos, ReadError, SExpr, SExprReader};
