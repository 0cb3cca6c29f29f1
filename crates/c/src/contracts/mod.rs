//! Contracts of functions: `__CPROVER_requires`, `__CPROVER_ensures`, `__CPROVER_assigns`, and the same clauses of ACSL
//! in comments `/*@ … */`.
//!
//! Without `--modular` they are no part of the program and taken out. With it they are woven into the tokens between
//! preprocessing and parsing, like annotations ([`crate::annotate`]). A function `f` with a contract becomes three:
//!
//! | function | what it does |
//! |---|---|
//! | [`BODY`]`f` | the body as the program has it |
//! | `f`, so every call | checks what is required, gives what is assigned and returned any values, assumes what is ensured |
//! | [`CHECK`]`f`, where executions start | assumes what is required, runs the body, checks what is ensured and that nothing else was assigned |
//!
//! So clauses are parsed, resolved and typed by the code that does it for the program, and errors in them are at their
//! columns. What C does not have is translated: `\result`, `\old(e)`, `a ==> b`, `a <= b < c`, `\valid(p + (0..n-1))`,
//! and at the top of a clause `\forall integer i; a <= i < b ==> P`, which is an index of anybody's choice where it is
//! checked and a loop where it is assumed.
//!
//! A body is checked with pointers that are required to be valid leading to objects of their own. A call whose
//! arguments overlap is not covered by that, and runs the body instead of using the contract.

mod generate;
mod read;
mod translate;

use base::{Diagnostic, SourceMap, Span};

use crate::hir::{FuncId, Unit};
use crate::lex::{Interner, Punct, Token, TokenKind, lex};
use crate::preprocess::Constants;

/// What the names of variables that are added begin with.
pub(crate) const OWN: &str = "__craig_";
/// The body of the function whose name follows.
pub(crate) const BODY: &str = "__craig_body_";
/// The check of the contract of the function whose name follows.
pub(crate) const CHECK: &str = "__craig_check_";
/// Calls that only the lowering knows; a word and the number of a contract or clause follow.
pub(crate) const CALL: &str = "__craig_contract_";

/// A contract, for those who speak about it.
#[derive(Clone, Debug)]
pub(crate) struct Contract {
    pub function: String,
    pub span: Span,
    pub has_body: bool,
    /// The parameters that lead to objects that the check makes.
    pub provided: Vec<String>,
    /// The functions that stand for it, when the program is checked.
    pub body: Option<FuncId>,
    pub check: Option<FuncId>,
}

/// What is checked or assumed at a place.
#[derive(Clone, Debug)]
pub(crate) struct Clause {
    /// `requires n > 0`
    pub text: String,
    pub span: Span,
}

/// The tables behind the numbers in the names of [`CALL`]s.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contracts {
    pub contracts: Vec<Contract>,
    pub clauses: Vec<Clause>,
}

impl Contracts {
    /// Finds the functions of contracts in the program, and gives them the names that people know.
    pub(crate) fn resolve(&mut self, unit: &mut Unit) {
        for contract in &mut self.contracts {
            let at = contract.span;
            let find = |prefix: &str| {
                let name = format!("{prefix}{}", contract.function);
                let is_here = |span: Span| span.file == at.file && span.start <= at.start && at.end <= span.end;
                unit.funcs.iter().find(|(_, f)| *f.name == *name && is_here(f.span)).map(|(id, _)| id)
            };
            (contract.body, contract.check) = (find(BODY), find(CHECK));
            if let Some(body) = contract.body {
                unit.funcs[body].name = contract.function.as_str().into();
            }
            if let Some(check) = contract.check {
                unit.funcs[check].name = format!("{} (contract)", contract.function).into();
            }
        }
    }
}

type W<T> = Result<T, Diagnostic>;

fn error<T>(span: Span, message: impl Into<String>) -> W<T> {
    Err(Diagnostic::error(span, message))
}

/// What is said of functions and loops, and is taken out where it is not used.
const CLAUSES: [&str; 7] = [
    "__CPROVER_requires",
    "__CPROVER_ensures",
    "__CPROVER_assigns",
    "__CPROVER_frees",
    "__CPROVER_loop_invariant",
    "__CPROVER_loop_assigns",
    "__CPROVER_decreases",
];

/// Tokens without contracts.
pub(crate) fn strip(tokens: Vec<Token>, interner: &Interner) -> Vec<Token> {
    let names: Vec<_> = CLAUSES.iter().filter_map(|name| interner.find(name)).collect();
    if names.is_empty() {
        return tokens;
    }
    let mut kept = Vec::with_capacity(tokens.len());
    let mut i = 0;
    while i < tokens.len() {
        let is_clause = tokens[i].kind == TokenKind::Ident && names.contains(&tokens[i].text);
        match matching(&tokens, i + 1).filter(|_| is_clause) {
            Some(close) => i = close + 1,
            None => {
                kept.push(tokens[i]);
                i += 1;
            }
        }
    }
    kept
}

/// The token that closes the bracket at an index, if one opens there.
fn matching(tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (i, token) in tokens.iter().enumerate().skip(open) {
        match token.kind {
            TokenKind::Punct(Punct::LParen | Punct::LBrace | Punct::LBracket) => depth += 1,
            TokenKind::Punct(Punct::RParen | Punct::RBrace | Punct::RBracket) => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return (i > open).then_some(i);
        }
    }
    None
}

/// Tokens with the functions that contracts stand for.
pub(crate) fn weave(
    sources: &SourceMap,
    interner: &mut Interner,
    tokens: Vec<Token>,
    constants: &Constants,
    table: &mut Contracts,
) -> Result<Vec<Token>, Vec<Diagnostic>> {
    let n_others = table.contracts.len();
    let mut weaver = Weaver { sources, interner, out: Vec::new(), table, n_others, errors: Vec::new(), constants };
    weaver.run(&tokens);
    if !weaver.errors.is_empty() {
        return Err(weaver.errors);
    }
    // Loop contracts are not used.
    Ok(strip(weaver.out, weaver.interner))
}

/// A piece of a clause: a token, or what C does not have.
#[derive(Clone, Copy, Debug)]
enum Piece {
    Token(Token),
    /// `\name`
    Word(crate::lex::Sym, Span),
    Implies(Span),
    Iff(Span),
    /// `..`
    To(Span),
}

impl Piece {
    fn span(&self) -> Span {
        match self {
            Piece::Token(t) => t.span,
            Piece::Word(_, span) | Piece::Implies(span) | Piece::Iff(span) | Piece::To(span) => *span,
        }
    }
    fn is(&self, punct: Punct) -> bool {
        matches!(self, Piece::Token(t) if t.is(punct))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Requires,
    Ensures,
    Assigns,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Kind::Requires => "requires",
            Kind::Ensures => "ensures",
            Kind::Assigns => "assigns",
        }
    }
}

/// A clause as it was written.
#[derive(Clone)]
struct Written {
    kind: Kind,
    /// In a comment.
    is_acsl: bool,
    pieces: Vec<Piece>,
    span: Span,
}

/// A part of a requirement or promise.
enum Part {
    /// An expression of C.
    Plain(Vec<Token>),
    /// For all values of a variable from one to another (which is not reached).
    ForAll { variable: Token, from: Vec<Token>, to: Vec<Token>, claim: Vec<Token> },
    /// So many objects lie at a pointer.
    Valid { pointer: Vec<Token>, count: Vec<Token> },
}

struct Stated {
    number: usize,
    part: Part,
    span: Span,
}

/// What a function may assign.
enum Assigned {
    Place(Vec<Token>),
    /// Elements of an array: the array, the first and the last index.
    Range(Vec<Token>, Vec<Token>, Vec<Token>),
}

/// A function's header in the text.
struct Header {
    /// Without clauses.
    tokens: Vec<Token>,
    /// The index of the name in them.
    name: usize,
    params: Vec<Token>,
    is_void: bool,
}

struct Weaver<'a> {
    sources: &'a SourceMap,
    interner: &'a mut Interner,
    out: Vec<Token>,
    table: &'a mut Contracts,
    /// The contracts of other files.
    n_others: usize,
    errors: Vec<Diagnostic>,
    /// What names stand for that the preprocessor knows.
    constants: &'a Constants,
}

/// What is declared for the functions that we add.
const DECLARATIONS: &str = "void *__craig_object(__typeof__(sizeof(char))); int __craig_valid(const void *, long long); \
    int __craig_separate(const void *, long long, const void *, long long); long long __craig_any_index(void);";

impl Weaver<'_> {
    fn run(&mut self, tokens: &[Token]) {
        let comments = self.comments(tokens);
        let first = tokens.first().map_or(Span::NONE, |t| Span { end: t.span.start, ..t.span });
        let declarations = self.text(DECLARATIONS, first);
        self.out.extend(declarations);
        // The contracts of functions that were only declared so far, by name.
        let mut declared: Vec<(String, Vec<Written>, Header, Span)> = Vec::new();
        let mut start = 0;
        while start < tokens.len() {
            let Some(item) = Item::at(tokens, start) else {
                self.out.extend(&tokens[start..]);
                break;
            };
            let end = item.end;
            if let Err(diagnostic) = self.item(tokens, &item, &comments, &mut declared) {
                self.errors.push(diagnostic);
            }
            start = end;
        }
        // What has no body here may have one in another file, which then counts.
        let eof = self.out.pop_if(|t| t.kind == TokenKind::Eof);
        for (_, written, header, span) in declared {
            if let Err(diagnostic) = self.function(header, written, None, span) {
                self.errors.push(diagnostic);
            }
        }
        self.out.extend(eof);
    }

    fn item(
        &mut self,
        tokens: &[Token],
        item: &Item,
        comments: &[(usize, Vec<Written>)],
        declared: &mut Vec<(String, Vec<Written>, Header, Span)>,
    ) -> W<()> {
        let whole = &tokens[item.start..item.end];
        let header_end = item.body.unwrap_or(item.end - 1);
        let is_here = |at: usize| item.start <= at && at < header_end;
        let stated: Vec<&Vec<Written>> = comments.iter().filter(|(at, _)| is_here(*at)).map(|(_, w)| w).collect();
        if let Some((at, written)) = comments.iter().find(|(at, _)| header_end <= *at && *at < item.end) {
            let span = written.first().map_or(tokens[*at].span, |w| w.span);
            return error(span, "this contract stands in front of no function");
        }
        let (header, mut written) = self.split_header(&tokens[item.start..header_end])?;
        if written.is_empty() && stated.is_empty() {
            // A contract may have been stated where the function was declared.
            let known = item.body.and_then(|_| declared.iter().position(|d| self.names(&header) == Some(d.0.clone())));
            let Some(known) = known else {
                self.out.extend(whole);
                return Ok(());
            };
            let (_, written, _, span) = declared.remove(known);
            let header = self.header(header)?;
            return self.function(header, written, item.body.map(|b| &tokens[b..item.end]), span);
        }
        let span = tokens[item.start].span;
        let header = self.header(header)?;
        let name = self.interner.text(header.tokens[header.name].text).to_string();
        let span = header.tokens.get(header.name).map_or(span, |t| t.span);
        for other in stated {
            written.extend(other.iter().cloned());
        }
        if declared.iter().any(|d| d.0 == name)
            || self.table.contracts.iter().skip(self.n_others).any(|c| c.function == name)
        {
            return error(span, format!("{name} has a contract already; state it once"));
        }
        match item.body {
            Some(body) => self.function(header, written, Some(&tokens[body..item.end]), span),
            None => {
                self.out.extend(&header.tokens);
                let semicolon = self.text(";", span);
                self.out.extend(semicolon);
                declared.push((name, written, header, span));
                Ok(())
            }
        }
    }

    /// The name of the function that some tokens declare, if they do.
    fn names(&self, header: &[Token]) -> Option<String> {
        self.name_in(header).map(|i| self.interner.text(header[i].text).to_string())
    }

    /// Tokens of a text of ours, all at one place.
    fn text(&mut self, text: &str, span: Span) -> Vec<Token> {
        let mut diagnostics = Vec::new();
        let mut tokens = lex(text, span.file, self.interner, &mut diagnostics);
        tokens.retain(|t| t.kind != TokenKind::Eof);
        for token in &mut tokens {
            token.span = span;
        }
        tokens
    }

    fn add(&mut self, text: &str, span: Span) {
        let tokens = self.text(text, span);
        self.out.extend(tokens);
    }
}

/// An external declaration: its tokens, and where the body begins if it is a function definition.
struct Item {
    start: usize,
    end: usize,
    body: Option<usize>,
}

impl Item {
    fn at(tokens: &[Token], start: usize) -> Option<Item> {
        let mut i = start;
        while i < tokens.len() {
            match tokens[i].kind {
                TokenKind::Punct(Punct::Semi) => return Some(Item { start, end: i + 1, body: None }),
                TokenKind::Punct(Punct::LParen | Punct::LBracket) => i = matching(tokens, i)? + 1,
                TokenKind::Punct(Punct::LBrace) => {
                    let close = matching(tokens, i)?;
                    if i == start {
                        // The body of an old-style definition.
                        return Some(Item { start, end: close + 1, body: None });
                    }
                    if tokens[i - 1].is(Punct::RParen) {
                        return Some(Item { start, end: close + 1, body: Some(i) });
                    }
                    i = close + 1;
                }
                TokenKind::Eof => return None,
                _ => i += 1,
            }
        }
        None
    }
}
