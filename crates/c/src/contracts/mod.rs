//! Contracts of functions: `__CPROVER_requires`, `__CPROVER_ensures`, `__CPROVER_assigns`, and the same clauses of ACSL in comments `/*@ … */`.
//!
//! Without `--modular` they are no part of the program and taken out. With it they are woven into the tokens between preprocessing and
//! parsing, like annotations ([`crate::annotate`]). A function `f` with a contract becomes three:
//!
//! | function | what it does |
//! |---|---|
//! | [`BODY`]`f` | the body as the program has it |
//! | `f`, so every call | checks what is required, gives what is assigned and returned any values, assumes what is ensured |
//! | [`CHECK`]`f`, where executions start | assumes what is required, runs the body, checks what is ensured and that nothing else was assigned |
//!
//! So clauses are parsed, resolved and typed by the code that does it for the program, and errors in them are at their columns. What C does
//! not have is translated: `\result`, `\old(e)`, `a ==> b`, `a <= b < c`, `\valid(p + (0..n-1))`, and at the top of a clause
//! `\forall integer i; a <= i < b ==> P`, which is an index of anybody's choice where it is checked and a loop where it is assumed.
//!
//! A body is checked with pointers that are required to be valid leading to objects of their own. A call whose arguments overlap is not
//! covered by that, and runs the body instead of using the contract.

use base::{Diagnostic, FileId, SourceMap, Span};

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

/// What a comment about functions begins with; other comments of ACSL are about statements and loops, or for other tools.
const WORDS: [&str; 17] = [
    "requires",
    "ensures",
    "assigns",
    "behavior",
    "assumes",
    "complete",
    "disjoint",
    "decreases",
    "terminates",
    "allocates",
    "frees",
    "exits",
    "predicate",
    "logic",
    "axiomatic",
    "lemma",
    "inductive",
];

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
struct Written {
    kind: Kind,
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
            written.extend(other.iter().map(|w| Written { kind: w.kind, pieces: w.pieces.clone(), span: w.span }));
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

    // ----- comments -----

    /// The contracts in comments, with the index of the token that each stands in front of.
    fn comments(&mut self, tokens: &[Token]) -> Vec<(usize, Vec<Written>)> {
        let mut found = Vec::new();
        let mut files: Vec<FileId> = Vec::new();
        for token in tokens {
            if !files.contains(&token.span.file) && self.sources.position(token.span).is_some() {
                files.push(token.span.file);
            }
        }
        for file in files {
            let text = self.sources.file(file).text.clone();
            for (start, end) in annotations_in(&text) {
                let words = text[start..end].trim_start_matches('@').trim_start();
                let first = words.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or("");
                let next = tokens.iter().position(|t| t.span.file == file && t.span.start as usize >= end);
                let Some(next) = next else { continue };
                // A comment in text that the preprocessor left out belongs to nothing.
                let between = &text[end..tokens[next].span.start as usize];
                if !WORDS.contains(&first) || !may_lead_to_function(between.trim_start_matches("*/")) {
                    continue;
                }
                match self.acsl(file, &text, start, end) {
                    Ok(written) if written.is_empty() => {}
                    Ok(written) => found.push((next, written)),
                    Err(diagnostic) => self.errors.push(diagnostic),
                }
            }
        }
        found
    }

    /// The clauses of a comment.
    fn acsl(&mut self, file: FileId, text: &str, start: usize, end: usize) -> W<Vec<Written>> {
        // Positions stay what they are.
        let mut blanked: Vec<u8> = vec![b' '; start];
        let mut ranges = Vec::new();
        let inside = &text.as_bytes()[start..end];
        for (i, &byte) in inside.iter().enumerate() {
            let is_range = |at: usize| inside.get(at) == Some(&b'.') && inside.get(at + 1) == Some(&b'.');
            let second = i > 0 && ranges.last() == Some(&(start + i - 1));
            match byte {
                b'.' if second => blanked.push(b' '),
                b'.' if is_range(i) => {
                    ranges.push(start + i);
                    blanked.push(b' ');
                }
                b'@' => blanked.push(b' '),
                _ => blanked.push(byte),
            }
        }
        let blanked = String::from_utf8_lossy(&blanked).into_owned();
        let mut diagnostics = Vec::new();
        let tokens = lex(&blanked, file, self.interner, &mut diagnostics);
        let tokens = self.expanded(&tokens);
        let pieces = self.pieces(&tokens, &ranges);
        let mut written = Vec::new();
        let mut at = 0;
        while at < pieces.len() {
            let span = pieces[at].span();
            let word = match &pieces[at] {
                Piece::Token(t) if t.kind == TokenKind::Ident => self.interner.text(t.text).to_string(),
                _ => return error(span, "a clause of a contract begins with requires, assigns or ensures"),
            };
            let kind = match word.as_str() {
                "requires" => Kind::Requires,
                "ensures" => Kind::Ensures,
                "assigns" => Kind::Assigns,
                _ => {
                    return error(
                        span,
                        format!("'{word}' is not supported in contracts; use requires, assigns, ensures"),
                    );
                }
            };
            let mut n_binders = 0usize;
            let mut close = at + 1;
            loop {
                let Some(piece) = pieces.get(close) else {
                    return error(span, "this clause does not end; put a ';' behind it");
                };
                let text = |sym| self.interner.text(sym);
                match piece {
                    Piece::Word(w, _) if matches!(text(*w), "forall" | "exists" | "let") => n_binders += 1,
                    p if p.is(Punct::Semi) && n_binders > 0 => n_binders -= 1,
                    p if p.is(Punct::Semi) => break,
                    _ => {}
                }
                close += 1;
            }
            written.push(Written { kind, pieces: pieces[at + 1..close].to_vec(), span });
            at = close + 1;
        }
        Ok(written)
    }

    /// Tokens with macros without parameters replaced, as the preprocessor does not look into comments.
    fn expanded(&self, tokens: &[Token]) -> Vec<Token> {
        let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
        for token in tokens {
            let is_member = out.last().is_some_and(|t| t.is(Punct::Dot) || t.is(Punct::Arrow));
            let is_word = out.last().is_some_and(|t| t.kind == TokenKind::Other);
            match self.constants.get(&token.text) {
                Some(expansion) if token.kind == TokenKind::Ident && !is_member && !is_word => {
                    out.extend(expansion.iter().map(|t| Token { span: token.span, ..*t }));
                }
                _ => out.push(*token),
            }
        }
        out
    }

    /// Tokens with what C does not have joined.
    fn pieces(&mut self, tokens: &[Token], ranges: &[usize]) -> Vec<Piece> {
        let mut out = Vec::new();
        let mut i = 0;
        let mut ranges = ranges.iter().peekable();
        let touches = |a: &Token, b: &Token| a.span.end == b.span.start && a.span.file == b.span.file;
        while let Some(token) = tokens.get(i) {
            while let Some(&&at) = ranges.peek().filter(|&&&at| at < token.span.start as usize) {
                out.push(Piece::To(Span::new(token.span.file, at, at + 2)));
                ranges.next();
            }
            let next = tokens.get(i + 1).filter(|n| touches(token, n));
            let third = next.and_then(|n| tokens.get(i + 2).filter(|t| touches(n, t)));
            let text = self.interner.text(token.text);
            match (text, next, third) {
                ("<=", Some(n), Some(t)) if n.is(Punct::Assign) && t.is(Punct::Gt) => {
                    out.push(Piece::Iff(token.span.to(t.span)));
                    i += 3;
                }
                ("==", Some(n), _) if n.is(Punct::Gt) => {
                    out.push(Piece::Implies(token.span.to(n.span)));
                    i += 2;
                }
                ("\\", Some(n), _) if n.kind == TokenKind::Ident => {
                    out.push(Piece::Word(n.text, token.span.to(n.span)));
                    i += 2;
                }
                _ => {
                    if token.kind != TokenKind::Eof {
                        out.push(Piece::Token(*token));
                    }
                    i += 1;
                }
            }
        }
        out
    }

    // ----- headers -----

    /// A header without the clauses in it, and those.
    fn split_header(&mut self, tokens: &[Token]) -> W<(Vec<Token>, Vec<Written>)> {
        let (mut header, mut written) = (Vec::new(), Vec::new());
        let mut i = 0;
        while i < tokens.len() {
            let token = tokens[i];
            let kind = match self.interner.text(token.text) {
                _ if token.kind != TokenKind::Ident => None,
                "__CPROVER_requires" => Some(Kind::Requires),
                "__CPROVER_ensures" => Some(Kind::Ensures),
                "__CPROVER_assigns" => Some(Kind::Assigns),
                "__CPROVER_frees" => return error(token.span, "__CPROVER_frees is not supported"),
                _ => None,
            };
            match (kind, matching(tokens, i + 1)) {
                (Some(kind), Some(close)) => {
                    let pieces = self.pieces(&tokens[i + 2..close], &[]);
                    written.push(Written { kind, pieces, span: token.span });
                    i = close + 1;
                }
                _ => {
                    header.push(token);
                    i += 1;
                }
            }
        }
        Ok((header, written))
    }

    /// The index of a function's name: what stands in front of the first parenthesis.
    fn name_in(&self, tokens: &[Token]) -> Option<usize> {
        let mut i = 0;
        while i < tokens.len() {
            let is_open = tokens.get(i + 1).is_some_and(|t| t.is(Punct::LParen));
            let text = self.interner.text(tokens[i].text);
            if tokens[i].kind == TokenKind::Ident && is_open {
                if ["__attribute__", "__attribute", "_Alignas", "__declspec", "asm", "__asm__"].contains(&text) {
                    i = matching(tokens, i + 1)? + 1;
                    continue;
                }
                const TYPES: [&str; 10] =
                    ["int", "void", "char", "short", "long", "unsigned", "signed", "float", "double", "_Bool"];
                return (!TYPES.contains(&text)).then_some(i);
            }
            if matches!(tokens[i].kind, TokenKind::Punct(Punct::LBrace | Punct::Assign)) {
                return None;
            }
            i += 1;
        }
        None
    }

    fn header(&mut self, tokens: Vec<Token>) -> W<Header> {
        let span = tokens.first().map_or(Span::NONE, |t| t.span);
        let Some(name) = self.name_in(&tokens) else {
            return error(span, "a contract belongs to a function; there is none with a plain declarator here");
        };
        let Some(close) = matching(&tokens, name + 1) else { return error(span, "a parenthesis is never closed") };
        let mut params = Vec::new();
        for part in split(&tokens[name + 2..close], Punct::Comma) {
            let is_void = part.len() == 1 && self.interner.text(part[0].text) == "void";
            if part.is_empty() || is_void {
                continue;
            }
            if part[0].is(Punct::Ellipsis) {
                return error(part[0].span, "contracts of functions with variable arguments are not supported");
            }
            // In `int (*p)(int)` the name is in the first parenthesis, in `int a[n]` before the first bracket.
            let open = part.iter().position(|t| t.is(Punct::LBracket)).unwrap_or(part.len());
            let pointer = part.windows(2).position(|w| w[0].is(Punct::LParen) && w[1].is(Punct::Star));
            let within = match pointer {
                Some(at) => {
                    let close = part.iter().skip(at).position(|t| t.is(Punct::RParen)).map_or(part.len(), |n| at + n);
                    &part[at..close.min(open.max(at))]
                }
                None => &part[..open],
            };
            let name = within.iter().rev().find(|t| t.kind == TokenKind::Ident);
            let is_type =
                |text: &str| matches!(text, "int" | "char" | "long" | "short" | "unsigned" | "double" | "float");
            match name.filter(|t| within.len() > 1 && !is_type(self.interner.text(t.text))) {
                Some(name) => params.push(*name),
                None => return error(part[0].span, "the contract needs a name for this parameter"),
            }
        }
        let before: Vec<&str> = tokens[..name].iter().map(|t| self.interner.text(t.text)).collect();
        let is_void = before.last() == Some(&"void");
        Ok(Header { tokens, name, params, is_void })
    }

    // ----- functions -----

    fn function(&mut self, header: Header, written: Vec<Written>, body: Option<&[Token]>, span: Span) -> W<()> {
        let name = self.interner.text(header.tokens[header.name].text).to_string();
        let number = self.table.contracts.len();
        let span = if body.is_some() { header.tokens[header.name].span } else { span };
        self.table.contracts.push(Contract {
            function: name.clone(),
            span,
            has_body: body.is_some(),
            provided: Vec::new(),
            body: None,
            check: None,
        });
        if !written.iter().any(|w| w.kind == Kind::Assigns) {
            let advice = "say what it may assign: assigns \\nothing; or a list of places";
            return error(span, format!("the contract of {name} has no assigns clause; {advice}"));
        }
        let mut olds = Vec::new();
        let (mut requires, mut ensures, mut assigns) = (Vec::new(), Vec::new(), Vec::new());
        for clause in &written {
            match clause.kind {
                Kind::Requires => self.parts(clause, &mut requires, None)?,
                Kind::Ensures => self.parts(clause, &mut ensures, Some(&mut olds))?,
                Kind::Assigns => self.assigned(clause, &mut assigns)?,
            }
        }
        for stated in &requires {
            if let Part::Valid { pointer, .. } = &stated.part
                && let [only] = &pointer[..]
            {
                let name = self.interner.text(only.text).to_string();
                self.table.contracts[number].provided.push(name);
            }
        }
        let prototype = self.renamed(&header, &name);
        self.out.extend(&prototype);
        self.add(";", span);
        if let Some(body) = body {
            let own = self.renamed(&header, &format!("{BODY}{name}"));
            self.out.extend(own);
            self.out.extend(body);
        }
        // What calls use. A body in another file comes before a contract without one.
        if body.is_none() {
            self.add("__attribute__((weak))", span);
        }
        self.out.extend(&prototype);
        self.add("{", span);
        self.add(&format!("{CALL}used_{number}();"), span);
        for stated in &requires {
            self.check(stated);
        }
        if body.is_some() {
            self.unless_separate(&requires, &header, &name, span);
        }
        self.remember(&olds);
        self.any_values(&assigns, number, span);
        if !header.is_void {
            self.result_type(&header, body.is_some(), &name, span);
            self.add(
                &format!("{CALL}value_{number}(void); __auto_type __craig_result = {CALL}value_{number}();"),
                span,
            );
        }
        for stated in &ensures {
            self.assume(stated);
        }
        self.add(if header.is_void { "}" } else { "return __craig_result; }" }, span);
        let Some(_) = body else { return Ok(()) };
        // The check of the body.
        let close = matching(&header.tokens, header.name + 1).unwrap_or(header.name + 1);
        self.add(&format!("static void {CHECK}{name}"), span);
        self.out.extend(&header.tokens[header.name + 1..=close]);
        self.add(&format!("{{ {CALL}enter_{number}();"), span);
        for stated in &requires {
            self.provide(stated);
        }
        self.remember(&olds);
        for place in &assigns {
            match place {
                Assigned::Place(place) => {
                    self.add(&format!("{CALL}assigns_{number}(("), span);
                    self.out.extend(place);
                    self.add("));", span);
                }
                Assigned::Range(array, from, to) => {
                    self.add(&format!("{CALL}assigns_{number}(("), span);
                    self.out.extend(array);
                    self.add(")[", span);
                    self.out.extend(from);
                    self.add("], (", span);
                    self.out.extend(array);
                    self.add(")[", span);
                    self.out.extend(to);
                    self.add("]);", span);
                }
            }
        }
        self.add(&format!("{CALL}begin_{number}();"), span);
        if !header.is_void {
            self.add("__auto_type __craig_result =", span);
        }
        self.call_body(&header, &name, span);
        self.add(&format!("; {CALL}end_{number}();"), span);
        for stated in &ensures {
            self.check(stated);
        }
        self.add("}", span);
        Ok(())
    }

    fn renamed(&mut self, header: &Header, name: &str) -> Vec<Token> {
        let mut tokens = header.tokens.clone();
        tokens[header.name].text = self.interner.intern(name);
        tokens
    }

    /// The type of the result, in front of a declarator.
    fn result_type(&mut self, header: &Header, has_body: bool, name: &str, span: Span) {
        self.add("__typeof__(", span);
        match has_body {
            true => self.call_body(header, name, span),
            false => {
                self.add(&format!("{name}("), span);
                self.arguments(header, span);
                self.add(")", span);
            }
        }
        self.add(")", span);
    }

    fn call_body(&mut self, header: &Header, name: &str, span: Span) {
        self.add(&format!("{BODY}{name}("), span);
        self.arguments(header, span);
        self.add(")", span);
    }

    fn arguments(&mut self, header: &Header, span: Span) {
        for (i, param) in header.params.iter().enumerate() {
            if i > 0 {
                self.add(",", span);
            }
            self.out.push(*param);
        }
    }

    fn remember(&mut self, olds: &[Vec<Token>]) {
        for (i, old) in olds.iter().enumerate() {
            let span = old.first().map_or(Span::NONE, |t| t.span);
            self.add(&format!("__auto_type __craig_old_{i} = ("), span);
            self.out.extend(old);
            self.add(");", span);
        }
    }

    /// A call that the contract does not cover, as pointers lead to one object: the body is run.
    fn unless_separate(&mut self, requires: &[Stated], header: &Header, name: &str, span: Span) {
        let mut objects: Vec<(&[Token], &[Token])> = Vec::new();
        for stated in requires {
            if let Part::Valid { pointer, count } = &stated.part {
                objects.push((pointer, count));
            }
        }
        if objects.is_empty() {
            return;
        }
        self.add("if (!(1", span);
        for (i, (p, n)) in objects.iter().enumerate() {
            self.add(&format!(" && {CALL}apart_{}(", self.table.contracts.len() - 1), span);
            self.sized(p, n, span);
            self.add(")", span);
            for (q, m) in &objects[..i] {
                self.add(" && __craig_separate(", span);
                self.sized(p, n, span);
                self.add(", ", span);
                self.sized(q, m, span);
                self.add(")", span);
            }
        }
        self.add(")) {", span);
        if !header.is_void {
            self.add("return ", span);
        }
        self.call_body(header, name, span);
        self.add(if header.is_void { "; return; }" } else { "; }" }, span);
    }

    /// A pointer and the size of what lies there.
    fn sized(&mut self, pointer: &[Token], count: &[Token], span: Span) {
        self.add("(", span);
        self.out.extend(pointer);
        self.add("), (", span);
        self.out.extend(count);
        self.add(") * (long long)sizeof(*(", span);
        self.out.extend(pointer);
        self.add("))", span);
    }

    /// Gives everything that may be assigned any values. Which places those are is settled before the first one changes.
    fn any_values(&mut self, assigns: &[Assigned], number: usize, span: Span) {
        for (i, place) in assigns.iter().enumerate() {
            match place {
                Assigned::Place(place) if place.len() == 1 => {}
                Assigned::Place(place) => {
                    self.add(&format!("__auto_type __craig_p{i} = &("), span);
                    self.out.extend(place);
                    self.add(");", span);
                }
                Assigned::Range(array, from, to) => {
                    self.add(&format!("__auto_type __craig_p{i} = ("), span);
                    self.out.extend(array);
                    self.add(&format!(") + 0; long long __craig_from{i} = ("), span);
                    self.out.extend(from);
                    self.add(&format!("), __craig_to{i} = ("), span);
                    self.out.extend(to);
                    self.add(");", span);
                }
            }
        }
        for (i, place) in assigns.iter().enumerate() {
            let value = format!("{CALL}value_{number}_{i}");
            let (head, place) = match place {
                Assigned::Place(place) if place.len() == 1 => (String::new(), place.clone()),
                Assigned::Place(_) => (String::new(), self.text(&format!("*__craig_p{i}"), span)),
                Assigned::Range(..) => (
                    format!("for (long long __craig_i = __craig_from{i}; __craig_i <= __craig_to{i}; __craig_i++)"),
                    self.text(&format!("__craig_p{i}[__craig_i]"), span),
                ),
            };
            self.add("{ __typeof__(", span);
            match &assigns[i] {
                Assigned::Range(..) => self.add(&format!("*__craig_p{i}"), span),
                Assigned::Place(_) => self.out.extend(&place),
            }
            self.add(&format!(") {value}(void); {head}"), span);
            self.out.extend(&place);
            self.add(&format!(" = {value}(); }}"), span);
        }
    }

    // ----- clauses -----

    fn check(&mut self, stated: &Stated) {
        let (span, number) = (stated.span, stated.number);
        self.add(&format!("{{ {CALL}check_{number}("), span);
        self.truth(&stated.part, span);
        self.add("); }", span);
    }

    /// The truth of a part; of a claim about all, that of one of anybody's choice.
    fn truth(&mut self, part: &Part, span: Span) {
        match part {
            Part::Plain(tokens) => {
                self.add("(", span);
                self.out.extend(tokens);
                self.add(")", span);
            }
            Part::Valid { pointer, count } => {
                self.add("__craig_valid(", span);
                self.sized(pointer, count, span);
                self.add(")", span);
            }
            Part::ForAll { variable, from, to, claim } => {
                self.add("({ long long ", span);
                self.out.push(*variable);
                self.add(" = __craig_any_index(); int __craig_holds = 1; if ((", span);
                self.out.extend(from);
                self.add(") <= ", span);
                self.out.push(*variable);
                self.add(" && ", span);
                self.out.push(*variable);
                self.add(" < (", span);
                self.out.extend(to);
                self.add(")) __craig_holds = !!(", span);
                self.out.extend(claim);
                self.add("); __craig_holds; })", span);
            }
        }
    }

    fn assume(&mut self, stated: &Stated) {
        let (span, number) = (stated.span, stated.number);
        match &stated.part {
            Part::ForAll { variable, from, to, claim } => {
                self.add("for (long long ", span);
                self.out.push(*variable);
                self.add(" = (", span);
                self.out.extend(from);
                self.add("); ", span);
                self.out.push(*variable);
                self.add(" < (", span);
                self.out.extend(to);
                self.add("); ", span);
                self.out.push(*variable);
                self.add(&format!("++) {CALL}assume_{number}("), span);
                self.out.extend(claim);
                self.add(");", span);
            }
            part => {
                self.add(&format!("{CALL}assume_{number}("), span);
                self.truth(part, span);
                self.add(");", span);
            }
        }
    }

    /// Makes what is required: objects behind pointers; the rest is assumed.
    fn provide(&mut self, stated: &Stated) {
        let Part::Valid { pointer, count } = &stated.part else { return self.assume(stated) };
        let span = stated.span;
        // Of nothing the pointer may be null. No object is larger than half of memory.
        self.add("{ long long __craig_n = (", span);
        self.out.extend(count);
        self.add(
            &format!("); {CALL}assume_{}(__craig_n <= (long long)(~(sizeof(char) - 1) >> 1) / ", stated.number),
            span,
        );
        self.add("(long long)sizeof(*(", span);
        self.out.extend(pointer);
        self.add("))); ", span);
        self.out.extend(pointer);
        self.add(
            " = __craig_n > 0 || __craig_any_index() ? __craig_object((__craig_n > 0 ? __craig_n : 0) * sizeof(*(",
            span,
        );
        self.out.extend(pointer);
        self.add("))) : (void *)0; }", span);
    }

    /// The parts of a requirement or a promise.
    fn parts(&mut self, clause: &Written, out: &mut Vec<Stated>, mut olds: Option<&mut Vec<Vec<Token>>>) -> W<()> {
        let text = self.written(clause);
        for pieces in split_pieces(&clause.pieces, |p| p.is(Punct::AndAnd), |s| self.is_binder(s)) {
            let span = pieces.first().map_or(clause.span, Piece::span);
            let Some(last) = pieces.last() else { return error(clause.span, "something is missing here") };
            let number = self.table.clauses.len();
            let whole = span.to(last.span());
            self.table.clauses.push(Clause { text: text.clone(), span: whole });
            let part = self.part(pieces, clause.kind, &mut olds)?;
            out.push(Stated { number, part, span: whole });
        }
        Ok(())
    }

    fn is_binder(&self, sym: crate::lex::Sym) -> bool {
        matches!(self.interner.text(sym), "forall" | "exists" | "let")
    }

    /// A clause as it was written.
    fn written(&self, clause: &Written) -> String {
        let (Some(first), Some(last)) = (clause.pieces.first(), clause.pieces.last()) else { return String::new() };
        let text = self.sources.text(first.span().to(last.span()));
        let words: Vec<&str> = text.split(|c: char| c.is_whitespace() || c == '@').filter(|w| !w.is_empty()).collect();
        format!("{} {}", clause.kind.word(), words.join(" "))
    }

    fn part(&mut self, pieces: &[Piece], kind: Kind, olds: &mut Option<&mut Vec<Vec<Token>>>) -> W<Part> {
        let pieces = without_parentheses(pieces);
        let Some(first) = pieces.first() else { return error(Span::NONE, "something is missing here") };
        let name = match first {
            Piece::Word(sym, _) => format!("\\{}", self.interner.text(*sym)),
            Piece::Token(t) if t.kind == TokenKind::Ident => self.interner.text(t.text).to_string(),
            _ => String::new(),
        };
        let arguments = match pieces {
            [_, open, inside @ .., close] if open.is(Punct::LParen) && close.is(Punct::RParen) => Some(inside),
            _ => None,
        };
        match (name.as_str(), arguments) {
            ("\\forall", _) => self.for_all(&pieces[1..], first.span(), olds),
            ("__CPROVER_forall", _) => match &pieces[1..] {
                [open, inside @ .., close] if open.is(Punct::LBrace) && close.is(Punct::RBrace) => {
                    self.for_all(inside, first.span(), olds)
                }
                _ => error(first.span(), "write __CPROVER_forall { type i; range ==> claim }"),
            },
            ("\\valid" | "\\valid_read", Some(inside)) if kind == Kind::Requires => self.valid(inside, first.span()),
            ("__CPROVER_is_fresh" | "__CPROVER_rw_ok" | "__CPROVER_w_ok" | "__CPROVER_r_ok", Some(inside))
                if kind == Kind::Requires =>
            {
                let parts = split_pieces(inside, |p| p.is(Punct::Comma), |_| false);
                let [pointer, size] = &parts[..] else {
                    return error(first.span(), format!("{name} takes a pointer and a size"));
                };
                let pointer = self.expression(pointer, &mut None)?;
                let size = self.expression(size, &mut None)?;
                let span = first.span();
                let mut count = self.text("((", span);
                count.extend(size);
                count.extend(self.text(") / (long long)sizeof(*(", span));
                count.extend(&pointer);
                count.extend(self.text(")))", span));
                Ok(Part::Valid { pointer, count })
            }
            _ => Ok(Part::Plain(self.expression(pieces, olds)?)),
        }
    }

    /// `p`, or `p + (0..n)`.
    fn valid(&mut self, inside: &[Piece], span: Span) -> W<Part> {
        let range = match inside {
            [.., close] if close.is(Punct::RParen) => {
                let open = inside.iter().rposition(|p| p.is(Punct::LParen));
                open.filter(|&o| o > 1 && inside[o - 1].is(Punct::Plus))
                    .filter(|&o| inside[o..].iter().any(|p| matches!(p, Piece::To(_))))
            }
            _ => None,
        };
        let Some(open) = range else {
            if let Some(to) = inside.iter().find(|p| matches!(p, Piece::To(_))) {
                return error(to.span(), "write \\valid(p + (0..n-1))");
            }
            let pointer = self.expression(inside, &mut None)?;
            return Ok(Part::Valid { pointer, count: self.text("1", span) });
        };
        let pointer = self.expression(&inside[..open - 1], &mut None)?;
        let bounds = split_pieces(&inside[open + 1..inside.len() - 1], |p| matches!(p, Piece::To(_)), |_| false);
        let [from, to] = &bounds[..] else { return error(inside[open].span(), "write a range as (0..n-1)") };
        let is_zero = matches!(from, [Piece::Token(t)] if self.interner.text(t.text) == "0");
        if !is_zero {
            let at = from.first().map_or(span, Piece::span);
            return error(at, "ranges of valid memory begin with 0 here");
        }
        let mut count = self.text("((long long)(", span);
        count.extend(self.expression(to, &mut None)?);
        count.extend(self.text(") + 1LL)", span));
        Ok(Part::Valid { pointer, count })
    }

    /// `integer i; a <= i < b ==> claim`
    fn for_all(&mut self, pieces: &[Piece], span: Span, olds: &mut Option<&mut Vec<Vec<Token>>>) -> W<Part> {
        let Some(semicolon) = pieces.iter().position(|p| p.is(Punct::Semi)) else {
            return error(span, "write \\forall integer i; a <= i < b ==> claim");
        };
        let Some(Piece::Token(variable)) = pieces[..semicolon].last().copied().filter(|_| semicolon >= 2) else {
            return error(span, "a type and a variable are missing here");
        };
        if let Some(comma) = pieces[..semicolon].iter().find(|p| p.is(Punct::Comma)) {
            return error(comma.span(), "one variable at a time is supported in \\forall");
        }
        let body = without_parentheses(&pieces[semicolon + 1..]);
        let sides = split_pieces(body, |p| matches!(p, Piece::Implies(_)), |_| false);
        let [range, claim] = &sides[..] else {
            return error(span, "write \\forall integer i; a <= i < b ==> claim");
        };
        let (mut from, mut to) = (None, None);
        for comparison in split_pieces(without_parentheses(range), |p| p.is(Punct::AndAnd), |_| false) {
            let comparison = without_parentheses(comparison);
            let (operands, operators) = self.chain(comparison);
            let is_it = |p: &[Piece]| matches!(p, [Piece::Token(t)] if t.text == variable.text);
            for (i, operator) in operators.iter().enumerate() {
                let (left, right) = (operands[i], operands[i + 1]);
                let (bound, is_lower, is_strict) = match (operator, is_it(left), is_it(right)) {
                    (Punct::Le | Punct::Lt, false, true) => (left, true, *operator == Punct::Lt),
                    (Punct::Le | Punct::Lt, true, false) => (right, false, *operator == Punct::Lt),
                    (Punct::Ge | Punct::Gt, true, false) => (right, true, *operator == Punct::Gt),
                    (Punct::Ge | Punct::Gt, false, true) => (left, false, *operator == Punct::Gt),
                    _ => {
                        let at = comparison.first().map_or(span, Piece::span);
                        return error(at, "the range of \\forall is given by bounds of its variable, as a <= i < b");
                    }
                };
                let mut tokens = self.text("((long long)(", span);
                tokens.extend(self.expression(bound, olds)?);
                // Both bounds are made those of `from <= i < to`.
                tokens.extend(self.text(if is_lower == is_strict { ") + 1LL)" } else { "))" }, span));
                if is_lower {
                    from = Some(tokens);
                } else {
                    to = Some(tokens);
                }
            }
        }
        let (Some(from), Some(to)) = (from, to) else {
            return error(span, "the range of \\forall needs both bounds, as a <= i < b");
        };
        if let Some(old) = claim.iter().find(|p| matches!(p, Piece::Word(w, _) if self.interner.text(*w) == "old")) {
            return error(old.span(), "\\old inside \\forall is not supported");
        }
        let claim = self.expression(claim, olds)?;
        Ok(Part::ForAll { variable, from, to, claim })
    }

    /// The operands and operators of comparisons in a row.
    fn chain<'p>(&self, pieces: &'p [Piece]) -> (Vec<&'p [Piece]>, Vec<Punct>) {
        let mut operators = Vec::new();
        let compares = |p: &Piece| match p {
            Piece::Token(t) => match t.kind {
                TokenKind::Punct(op @ (Punct::Lt | Punct::Le | Punct::Gt | Punct::Ge | Punct::EqEq | Punct::Ne)) => {
                    Some(op)
                }
                _ => None,
            },
            _ => None,
        };
        let operands = split_pieces(pieces, |p| compares(p).is_some(), |_| false);
        let mut depth = 0usize;
        for piece in pieces {
            match piece {
                p if p.is(Punct::LParen) || p.is(Punct::LBracket) || p.is(Punct::LBrace) => depth += 1,
                p if p.is(Punct::RParen) || p.is(Punct::RBracket) || p.is(Punct::RBrace) => {
                    depth = depth.saturating_sub(1)
                }
                p if depth == 0 => operators.extend(compares(p)),
                _ => {}
            }
        }
        (operands, operators)
    }

    /// An expression of ACSL as one of C.
    fn expression(&mut self, pieces: &[Piece], olds: &mut Option<&mut Vec<Vec<Token>>>) -> W<Vec<Token>> {
        let Some(first) = pieces.first() else { return error(Span::NONE, "an expression is missing in a contract") };
        let span = first.span();
        let none = |_| false;
        if pieces.iter().any(|p| p.is(Punct::Question)) {
            return self.operand(pieces, olds);
        }
        let sides = split_pieces(pieces, |p| matches!(p, Piece::Iff(_)), none);
        if let [a, b] = &sides[..] {
            return self.joined(&["(!(", ") == !(", "))"], &[a, b], span, olds);
        }
        if let Some(at) = position(pieces, |p| matches!(p, Piece::Implies(_))) {
            return self.joined(&["(!(", ") || (", "))"], &[&pieces[..at], &pieces[at + 1..]], span, olds);
        }
        for (operator, text) in [(Punct::OrOr, ") || ("), (Punct::AndAnd, ") && (")] {
            let sides = split_pieces(pieces, |p| p.is(operator), none);
            if sides.len() > 1 {
                let mut texts = vec!["(("];
                texts.extend(std::iter::repeat_n(text, sides.len() - 1));
                texts.push("))");
                return self.joined(&texts, &sides, span, olds);
            }
        }
        let (operands, operators) = self.chain(pieces);
        if operators.len() > 1 {
            let mut out = self.text("(1", span);
            for (i, operator) in operators.iter().enumerate() {
                let texts = [" && (", operator.text(), ")"];
                out.extend(self.joined(&texts, &[operands[i], operands[i + 1]], span, olds)?);
            }
            out.extend(self.text(")", span));
            return Ok(out);
        }
        self.operand(pieces, olds)
    }

    /// Expressions between texts.
    fn joined(
        &mut self,
        texts: &[&str],
        parts: &[&[Piece]],
        span: Span,
        olds: &mut Option<&mut Vec<Vec<Token>>>,
    ) -> W<Vec<Token>> {
        let mut out = Vec::new();
        for (i, text) in texts.iter().enumerate() {
            out.extend(self.text(text, span));
            if let Some(part) = parts.get(i) {
                out.extend(self.expression(part, olds)?);
            }
        }
        Ok(out)
    }

    fn operand(&mut self, pieces: &[Piece], olds: &mut Option<&mut Vec<Vec<Token>>>) -> W<Vec<Token>> {
        let mut out = Vec::new();
        let mut i = 0;
        while let Some(piece) = pieces.get(i) {
            let span = piece.span();
            let name = match piece {
                Piece::Word(sym, _) => format!("\\{}", self.interner.text(*sym)),
                Piece::Token(t) if t.kind == TokenKind::Ident => self.interner.text(t.text).to_string(),
                _ => String::new(),
            };
            let group = pieces.get(i + 1).filter(|p| p.is(Punct::LParen)).and_then(|_| closing(pieces, i + 1));
            match (name.as_str(), group) {
                ("\\result" | "__CPROVER_return_value", _) => {
                    if olds.is_none() {
                        return error(span, format!("{name} is for ensures"));
                    }
                    out.extend(self.text("__craig_result", span));
                }
                ("\\true", _) => out.extend(self.text("1", span)),
                ("\\false", _) => out.extend(self.text("0", span)),
                ("\\null", _) => out.extend(self.text("((void *)0)", span)),
                ("\\old" | "__CPROVER_old", Some(close)) => {
                    let inner = self.expression(&pieces[i + 2..close], &mut None)?;
                    let Some(olds) = olds else { return error(span, format!("{name} is for ensures")) };
                    let text = format!("__craig_old_{}", olds.len());
                    olds.push(inner);
                    out.extend(self.text(&text, span));
                    i = close;
                }
                ("__CPROVER_forall" | "__CPROVER_exists", _) => {
                    return error(span, format!("{name} is supported only as a part of a clause that '&&' joins"));
                }
                (other, _) if other.starts_with('\\') || other.starts_with("__CPROVER_") => {
                    let advice = match other {
                        "\\forall" | "\\valid" | "\\valid_read" | "__CPROVER_is_fresh" => {
                            " here: only in a part of a clause that '&&' joins"
                        }
                        _ => "",
                    };
                    return error(span, format!("{other} is not supported{advice}"));
                }
                _ => match piece {
                    Piece::Token(t) if t.is(Punct::LParen) || t.is(Punct::LBracket) => {
                        let Some(close) = closing(pieces, i) else { return error(span, "a bracket is never closed") };
                        out.push(*t);
                        for (k, part) in split_pieces(&pieces[i + 1..close], |p| p.is(Punct::Comma), |_| false)
                            .into_iter()
                            .enumerate()
                        {
                            if k > 0 {
                                out.extend(self.text(",", span));
                            }
                            if !part.is_empty() {
                                out.extend(self.expression(part, olds)?);
                            }
                        }
                        if let Piece::Token(t) = pieces[close] {
                            out.push(t);
                        }
                        i = close;
                    }
                    Piece::Token(t) => {
                        let assigns = matches!(t.kind, TokenKind::Punct(p) if p.text().ends_with('=')
                            && !matches!(p, Punct::EqEq | Punct::Ne | Punct::Le | Punct::Ge));
                        if assigns || t.is(Punct::Inc) || t.is(Punct::Dec) {
                            return error(span, "a contract changes nothing");
                        }
                        if t.is(Punct::Semi) || t.kind == TokenKind::Other {
                            return error(span, "this is not understood in a contract");
                        }
                        out.push(*t);
                    }
                    _ => return error(span, "this is not understood here"),
                },
            }
            i += 1;
        }
        Ok(out)
    }

    /// `assigns` with places, ranges `a[0..n-1]` and `*(a + (0..n-1))`, or nothing.
    fn assigned(&mut self, clause: &Written, out: &mut Vec<Assigned>) -> W<()> {
        for place in split_pieces(&clause.pieces, |p| p.is(Punct::Comma), |_| false) {
            let name = match place.first() {
                Some(Piece::Word(sym, _)) => self.interner.text(*sym).to_string(),
                Some(Piece::Token(t)) => self.interner.text(t.text).to_string(),
                _ => String::new(),
            };
            match place {
                [] => {}
                [Piece::Word(_, span)] => match name.as_str() {
                    "nothing" => {}
                    _ => return error(*span, format!("\\{name} is not supported in assigns")),
                },
                [Piece::Token(word), open, inside @ .., close]
                    if name.starts_with("__CPROVER_object") && open.is(Punct::LParen) && close.is(Punct::RParen) =>
                {
                    let parts = split_pieces(inside, |p| p.is(Punct::Comma), |_| false);
                    let ("__CPROVER_object_upto", [pointer, size]) = (name.as_str(), &parts[..]) else {
                        return error(word.span, format!("{name} is not supported in assigns; list the places"));
                    };
                    let (pointer, size) = (self.expression(pointer, &mut None)?, self.expression(size, &mut None)?);
                    let mut to = self.text("((long long)(", word.span);
                    to.extend(size);
                    to.extend(self.text(") / (long long)sizeof(*(", word.span));
                    to.extend(&pointer);
                    to.extend(self.text(")) - 1LL)", word.span));
                    out.push(Assigned::Range(pointer, self.text("0LL", word.span), to));
                }
                _ => match place.iter().position(|p| matches!(p, Piece::To(_))) {
                    None => out.push(Assigned::Place(self.expression(place, &mut None)?)),
                    Some(to) => out.push(self.assigned_range(place, to)?),
                },
            }
        }
        Ok(())
    }

    fn assigned_range(&mut self, place: &[Piece], to: usize) -> W<Assigned> {
        let wrong = || Diagnostic::error(place[to].span(), "write a range as a[0..n-1] or *(a + (0..n-1))");
        // `a[from..to]`
        let (array, inside) = match place {
            [array @ .., close] if close.is(Punct::RBracket) => {
                let open = array[..to].iter().rposition(|p| p.is(Punct::LBracket)).ok_or_else(wrong)?;
                (&array[..open], &array[open + 1..])
            }
            // `*(a + (from..to))`
            [star, open, inside @ .., close]
                if star.is(Punct::Star) && open.is(Punct::LParen) && close.is(Punct::RParen) =>
            {
                let at = inside.iter().rposition(|p| p.is(Punct::LParen)).filter(|&a| a > 1).ok_or_else(wrong)?;
                let [range @ .., last] = &inside[at + 1..] else { return Err(wrong()) };
                if !inside[at - 1].is(Punct::Plus) || !last.is(Punct::RParen) {
                    return Err(wrong());
                }
                (&inside[..at - 1], range)
            }
            _ => return Err(wrong()),
        };
        let bounds = split_pieces(inside, |p| matches!(p, Piece::To(_)), |_| false);
        let [from, to] = &bounds[..] else { return Err(wrong()) };
        let bound = |this: &mut Self, pieces: &[Piece]| -> W<Vec<Token>> {
            let span = pieces.first().map_or(Span::NONE, Piece::span);
            let mut tokens = this.text("((long long)(", span);
            tokens.extend(this.expression(pieces, &mut None)?);
            tokens.extend(this.text("))", span));
            Ok(tokens)
        };
        let (from, to) = (bound(self, from)?, bound(self, to)?);
        Ok(Assigned::Range(self.expression(array, &mut None)?, from, to))
    }

    // ----- tokens -----

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

/// Where the comments of a text that are meant for tools are: from behind the `@` to their end.
fn annotations_in(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut i = 0;
    while i < bytes.len() {
        match &bytes[i..] {
            [b'"' | b'\'', ..] => {
                let quote = bytes[i];
                i += 1;
                while i < bytes.len() && bytes[i] != quote && bytes[i] != b'\n' {
                    i += if bytes[i] == b'\\' { 2 } else { 1 };
                }
                i += 1;
            }
            [b'/', b'*', ..] => {
                let end = text[i + 2..].find("*/").map_or(bytes.len(), |n| i + 2 + n);
                if bytes.get(i + 2) == Some(&b'@') {
                    found.push((i + 3, end));
                }
                i = end + 2;
            }
            [b'/', b'/', ..] => {
                let end = text[i..].find('\n').map_or(bytes.len(), |n| i + n);
                if bytes.get(i + 2) == Some(&b'@') {
                    found.push((i + 3, end));
                }
                i = end;
            }
            _ => i += 1,
        }
    }
    found
}

/// May a text between a comment and a token be white space, other comments, and macros?
fn may_lead_to_function(text: &str) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find(['/', ';', '{', '}', '#', '=']) {
        let from = &rest[at..];
        rest = match (from.strip_prefix("/*"), from.strip_prefix("//")) {
            (Some(inside), _) => inside.find("*/").map_or("", |end| &inside[end + 2..]),
            (None, Some(inside)) => &inside[inside.find('\n').unwrap_or(inside.len())..],
            (None, None) => return false,
        };
    }
    true
}

fn split(tokens: &[Token], at: Punct) -> Vec<&[Token]> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0usize, 0);
    for (i, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Punct(Punct::LParen | Punct::LBrace | Punct::LBracket) => depth += 1,
            TokenKind::Punct(Punct::RParen | Punct::RBrace | Punct::RBracket) => depth = depth.saturating_sub(1),
            TokenKind::Punct(p) if p == at && depth == 0 => {
                parts.push(&tokens[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    parts.push(&tokens[start..]);
    parts
}

/// Pieces between separators outside of brackets; nothing is split behind a word that binds to the end.
fn split_pieces(
    pieces: &[Piece],
    separates: impl Fn(&Piece) -> bool,
    binds: impl Fn(crate::lex::Sym) -> bool,
) -> Vec<&[Piece]> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0usize, 0);
    for (i, piece) in pieces.iter().enumerate() {
        match piece {
            p if p.is(Punct::LParen) || p.is(Punct::LBrace) || p.is(Punct::LBracket) => depth += 1,
            p if p.is(Punct::RParen) || p.is(Punct::RBrace) || p.is(Punct::RBracket) => depth = depth.saturating_sub(1),
            Piece::Word(sym, _) if depth == 0 && binds(*sym) => break,
            p if depth == 0 && separates(p) => {
                parts.push(&pieces[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    parts.push(&pieces[start..]);
    parts
}

/// The first such piece outside of brackets.
fn position(pieces: &[Piece], is_it: impl Fn(&Piece) -> bool) -> Option<usize> {
    let first = split_pieces(pieces, is_it, |_| false).first().map_or(0, |p| p.len());
    (first < pieces.len()).then_some(first)
}

/// The piece that closes the bracket at an index.
fn closing(pieces: &[Piece], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (i, piece) in pieces.iter().enumerate().skip(open) {
        match piece {
            p if p.is(Punct::LParen) || p.is(Punct::LBrace) || p.is(Punct::LBracket) => depth += 1,
            p if p.is(Punct::RParen) || p.is(Punct::RBrace) || p.is(Punct::RBracket) => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(i);
                }
            }
            _ => {}
        }
    }
    None
}

/// Pieces without parentheses around all of them.
fn without_parentheses(pieces: &[Piece]) -> &[Piece] {
    match pieces {
        [open, inside @ .., _] if open.is(Punct::LParen) && closing(pieces, 0) == Some(pieces.len() - 1) => {
            without_parentheses(inside)
        }
        _ => pieces,
    }
}
