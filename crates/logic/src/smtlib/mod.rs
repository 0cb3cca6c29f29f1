//! SMT-LIB 2.6 text: printing with sharing (`print`), s-expressions with positions (`sexpr`), and
//! reading of sorts and terms (`read`). Commands are the business of whoever runs scripts.

mod print;

pub use print::{SmtLib, quote_symbol};
