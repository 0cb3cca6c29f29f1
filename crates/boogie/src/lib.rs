//! Boogie 2 text to [`ir::Program`].
//!
//! ```text
//! text ─lexer─► tokens ─parser─► ast ─check─► typed ─lower─► ir::Program
//!                                 └─printer─► text
//! ```
//!
//! [`parse`] and [`print()`] give and show the syntax tree, [`compile`] goes all the way. What is wrong with
//! the input comes back as diagnostics, several at once; what the language has and Craig has not starts
//! with "unsupported:". No input makes this crate panic: recursion is bounded by the parser
//! ([`parser::MAX_DEPTH`]), and all passes run on a stack that suffices for it.

pub mod ast;
mod check;
mod deadlocks;
pub mod lexer;
mod lower;
pub mod parser;
pub mod printer;
mod typed;
mod types;

pub use check::Dialect;
pub use deadlocks::check_deadlocks;
pub use printer::print;

use base::{Diagnostic, FileId, SourceMap, with_deep_stack};
use logic::{TermId, TermPool};

/// The syntax tree of a file.
pub fn parse(sources: &SourceMap, file: FileId) -> Result<ast::File, Vec<Diagnostic>> {
    with_deep_stack(|| parser::parse(sources, file))
}

/// How a program is read.
#[derive(Clone, Default, Debug)]
pub struct Options {
    /// The procedure in which executions start; otherwise see `docs/boogie.md`, "Entry points".
    pub entry: Option<String>,
    /// Whose program it is; otherwise the first dialect that accepts it.
    pub dialect: Option<Dialect>,
    /// Calls use the contracts of procedures that have a body, as in Boogie, and every body is an entry.
    pub modular: bool,
    /// The labels that a temporal property speaks about.
    pub events: Vec<ir::Event>,
}

/// The program in a file.
pub fn compile(sources: &SourceMap, file: FileId, pool: &mut TermPool) -> Result<ir::Program, Vec<Diagnostic>> {
    compile_with(sources, file, &Options::default(), pool)
}

pub fn compile_with(
    sources: &SourceMap,
    file: FileId,
    options: &Options,
    pool: &mut TermPool,
) -> Result<ir::Program, Vec<Diagnostic>> {
    Compilation::new(sources, file, options, pool).map(|c| c.program)
}

/// A program together with what is needed to understand properties that speak about its variables.
pub struct Compilation {
    pub program: ir::Program,
    /// LTL formulas stated in comments.
    pub ltl: Vec<ast::Directive>,
    symbols: lower::Symbols,
}

impl Compilation {
    pub fn new(
        sources: &SourceMap,
        file: FileId,
        options: &Options,
        pool: &mut TermPool,
    ) -> Result<Compilation, Vec<Diagnostic>> {
        with_deep_stack(|| {
            let tree = parser::parse(sources, file)?;
            let typed = check::check(&tree, options.dialect)?;
            let (program, symbols) = lower::lower(sources, file, typed, options, pool)?;
            Ok(Compilation { program, ltl: tree.directives, symbols })
        })
    }

    /// The meaning of a Boolean Boogie expression over the globals and the variables of the entry procedure, e.g. the
    /// `x > 0` of `AP(x > 0)`.
    pub fn proposition(
        &mut self,
        sources: &mut SourceMap,
        text: &base::Excerpt,
        pool: &mut TermPool,
    ) -> Result<TermId, Vec<Diagnostic>> {
        let file = sources.add(&text.name, &text.whole);
        let sources = &*sources;
        with_deep_stack(|| {
            let expr = parser::parse_expr(file, &text.blanked())?;
            let entry = match &self.program.entries[..] {
                &[only] => Some(self.program.procs[only].name.clone()),
                _ => None,
            };
            let typed = check::check_proposition(&mut self.symbols.typed, entry.as_deref(), &expr)?;
            lower::lower_proposition(sources, &mut self.symbols, pool, &typed)
        })
    }
}
