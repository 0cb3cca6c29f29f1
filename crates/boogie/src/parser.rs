//! Tokens to syntax tree, by recursive descent with operator precedence.
//!
//! The grammar is that of the Boogie 2 manual, with what Ultimate adds: `fork`, `join`, `atomic`, struct types,
//! `{ field: value }` and `e!field`, `%`, and `/` on integers.
//!
//! **Recovery.** An error unwinds to the enclosing statement or declaration, whose rest is skipped
//! (to the next `;`, or to a word that can only start the next one), and parsing goes on: one run
//! reports many errors. [`MAX_ERRORS`] bounds the noise.
//!
//! **Depth.** No input may overflow the stack of this or a later pass, so nodes deeper than
//! [`MAX_DEPTH`] are refused; callers run the recursive passes on a stack that is made for that depth
//! (`crate::with_deep_stack`).

mod expr;
mod stmt;
mod types;

use crate::ast::*;
use crate::lexer::{self, Tok, Token};
use base::{Diagnostic, FileId, SourceMap, Span};

/// The deepest nesting of expressions and statements that is accepted.
pub const MAX_DEPTH: u32 = 1500;
/// After so many errors the rest of the file is not looked at.
pub const MAX_ERRORS: usize = 30;

/// The widest bit vector that is accepted; wider ones are typing errors more often than wishes.
pub const MAX_BV_WIDTH: u32 = 1 << 16;

/// An error that is already in the list.
struct Reported;
type Parse<T> = Result<T, Reported>;

pub fn parse(sources: &SourceMap, file: FileId) -> Result<File, Vec<Diagnostic>> {
    let text = &sources.file(file).text;
    let lexed = lexer::lex(file, text);
    let mut parser = Parser { text, tokens: lexed.tokens, pos: 0, nesting: 0, errors: lexed.errors };
    let mut out = parser.file();
    out.directives = lexed.directives;
    if parser.errors.is_empty() {
        return Ok(out);
    }
    // Lexical errors were collected first; the reader wants them in the order of the text.
    parser.errors.sort_by_key(|e| e.span.start);
    parser.errors.truncate(MAX_ERRORS);
    Err(parser.errors)
}

/// Parses a lone expression, such as an atomic proposition of an LTL formula; its positions are in `file`.
pub fn parse_expr(file: FileId, text: &str) -> Result<Expr, Vec<Diagnostic>> {
    let lexed = lexer::lex(file, text);
    let mut parser = Parser { text, tokens: lexed.tokens, pos: 0, nesting: 0, errors: lexed.errors };
    let expr =
        parser.expr().and_then(|e| if parser.tok() == Tok::Eof { Ok(e) } else { parser.expected("an operator") });
    match expr {
        Ok(expr) if parser.errors.is_empty() => Ok(expr),
        _ => Err(parser.errors),
    }
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    pos: usize,
    nesting: u32,
    errors: Vec<Diagnostic>,
}

impl<'a> Parser<'a> {
    // ---- tokens -------------------------------------------------------------------------------

    fn peek(&self, ahead: usize) -> Token {
        self.tokens[(self.pos + ahead).min(self.tokens.len() - 1)]
    }

    fn tok(&self) -> Tok {
        self.peek(0).tok
    }

    fn span(&self) -> Span {
        self.peek(0).span
    }

    fn text_of(&self, span: Span) -> &'a str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    fn bump(&mut self) -> Token {
        let token = self.peek(0);
        if self.pos + 1 < self.tokens.len() {
            self.pos += 1;
        }
        token
    }

    fn at(&self, symbol: &'static str) -> bool {
        self.tok() == Tok::Symbol(symbol)
    }

    fn at_keyword(&self, word: &'static str) -> bool {
        self.tok() == Tok::Keyword(word)
    }

    /// An identifier that acts as a keyword at this place.
    fn at_word(&self, word: &str) -> bool {
        self.tok() == Tok::Ident && self.text_of(self.span()) == word
    }

    fn eat(&mut self, symbol: &'static str) -> bool {
        let there = self.at(symbol);
        if there {
            self.bump();
        }
        there
    }

    fn eat_keyword(&mut self, word: &'static str) -> bool {
        let there = self.at_keyword(word);
        if there {
            self.bump();
        }
        there
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let there = self.at_word(word);
        if there {
            self.bump();
        }
        there
    }

    /// The end of what was consumed last.
    fn since(&self, start: Span) -> Loc {
        let last = self.tokens[self.pos.saturating_sub(1)].span;
        Loc(if last.start >= start.start { start.to(last) } else { start })
    }

    fn error(&mut self, span: Span, message: impl Into<String>) -> Reported {
        self.errors.push(Diagnostic::error(span, message));
        Reported
    }

    fn expected<T>(&mut self, what: &str) -> Parse<T> {
        let span = self.span();
        let found = match self.tok() {
            Tok::Eof => "the end of the file".to_string(),
            Tok::Keyword(w) => format!("the keyword `{w}`"),
            Tok::Ident | Tok::Int | Tok::Real | Tok::BitVec | Tok::Float | Tok::Symbol(_) => {
                format!("`{}`", self.text_of(span))
            }
            Tok::Str => "a string".to_string(),
        };
        Err(self.error(span, format!("expected {what}, found {found}")))
    }

    fn expect(&mut self, symbol: &'static str) -> Parse<Token> {
        if self.at(symbol) {
            return Ok(self.bump());
        }
        if symbol == ";" {
            // Point behind the statement that lacks it, not at the innocent next one.
            let last = self.tokens[self.pos.saturating_sub(1)].span;
            if self.pos > 0 {
                let end = last.end as usize;
                return Err(self.error(Span::new(last.file, end, end), "expected `;`"));
            }
        }
        self.expected(&format!("`{symbol}`"))
    }

    fn ident(&mut self, what: &str) -> Parse<Ident> {
        if self.tok() != Tok::Ident {
            return self.expected(what);
        }
        let span = self.bump().span;
        let word = self.text_of(span);
        let name = match word.strip_prefix('\\') {
            Some(rest) if lexer::is_keyword(rest) => rest,
            Some(_) | None => word,
        };
        Ok(Ident { name: name.to_string(), span: Loc(span) })
    }

    fn idents(&mut self, what: &str) -> Parse<Vec<Ident>> {
        let mut out = vec![self.ident(what)?];
        while self.eat(",") {
            out.push(self.ident(what)?);
        }
        Ok(out)
    }

    /// Runs `inner` one level deeper.
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.nesting >= MAX_DEPTH {
            let span = self.span();
            return Err(self.error(span, format!("nested more than {MAX_DEPTH} levels deep")));
        }
        self.nesting += 1;
        let out = inner(self);
        self.nesting -= 1;
        out
    }

    // ---- declarations -------------------------------------------------------------------------

    fn file(&mut self) -> File {
        let mut file = File::default();
        while self.tok() != Tok::Eof && self.errors.len() < MAX_ERRORS {
            let before = self.pos;
            if self.decl(&mut file.decls).is_err() {
                self.skip_to_decl(before);
            }
        }
        file
    }

    fn at_decl(&self) -> bool {
        matches!(self.tok(), Tok::Keyword("type" | "const" | "function" | "axiom" | "procedure" | "implementation"))
    }

    fn skip_to_decl(&mut self, before: usize) {
        if self.pos == before {
            self.bump();
        }
        let mut depth = 0usize;
        while self.tok() != Tok::Eof && !self.at_decl() && !(depth == 0 && self.at_keyword("var")) {
            match self.bump().tok {
                Tok::Symbol("{") => depth += 1,
                Tok::Symbol("}") => depth = depth.saturating_sub(1),
                Tok::Symbol(";") if depth == 0 && (self.at_keyword("var") || self.at_decl()) => break,
                _ => {}
            }
        }
    }

    fn decl(&mut self, out: &mut Vec<Decl>) -> Parse<()> {
        match self.tok() {
            Tok::Keyword("type") => self.type_decls(out),
            Tok::Keyword("const") => {
                let d = self.const_decl()?;
                out.push(Decl::Const(d));
                self.uses(out)
            }
            Tok::Keyword("var") => {
                let d = self.var_decl()?;
                out.push(Decl::Var(d));
                Ok(())
            }
            Tok::Keyword("function") => {
                let d = self.function()?;
                out.push(Decl::Function(d));
                self.uses(out)
            }
            Tok::Keyword("axiom") => self.axiom(out),
            Tok::Keyword("procedure") => {
                let d = self.procedure()?;
                out.push(Decl::Procedure(d));
                Ok(())
            }
            Tok::Keyword("implementation") => {
                self.bump();
                let sig = self.signature(false)?;
                self.eat(";");
                let body = self.body()?;
                out.push(Decl::Implementation(ImplementationDecl { sig, body }));
                Ok(())
            }
            // Recognised by position: these words may be names elsewhere.
            Tok::Ident | Tok::Keyword("invariant") => match self.text_of(self.span()) {
                "datatype" => {
                    let d = self.datatype()?;
                    out.push(Decl::Datatype(d));
                    Ok(())
                }
                "revealed" | "hideable" | "pure"
                    if matches!(self.peek(1).tok, Tok::Keyword("function" | "axiom" | "procedure")) =>
                {
                    self.bump();
                    self.decl(out)
                }
                word @ ("yield" | "action" | "pure" | "async" | "left" | "right" | "both" | "atomic" | "invariant") => {
                    Err(self.civl(word))
                }
                _ => self.expected("a declaration"),
            },
            _ => self.expected("a declaration"),
        }
    }

    fn axiom(&mut self, out: &mut Vec<Decl>) -> Parse<()> {
        self.bump();
        let attrs = self.attributes()?;
        let formula = self.expr()?;
        out.push(Decl::Axiom(AxiomDecl { attrs, formula }));
        self.expect(";")?;
        Ok(())
    }

    /// `uses { axiom …; }` after a constant or function: axioms that matter to it.
    fn uses(&mut self, out: &mut Vec<Decl>) -> Parse<()> {
        if !self.eat_word("uses") {
            return Ok(());
        }
        self.expect("{")?;
        while !self.at("}") {
            self.eat_word("hideable");
            if !self.at_keyword("axiom") {
                return self.expected("`axiom` or `}`");
            }
            self.axiom(out)?;
        }
        self.expect("}")?;
        Ok(())
    }

    /// Refuses what belongs to CIVL, Boogie's layer for concurrent programs.
    fn civl(&mut self, word: &str) -> Reported {
        let span = self.span();
        self.error(span, format!("unsupported: `{word}`, a part of CIVL (layered concurrent programs)"))
    }

    fn datatype(&mut self) -> Parse<DatatypeDecl> {
        self.bump();
        let attrs = self.attributes()?;
        let name = self.ident("the name of a datatype")?;
        let type_params = self.type_params()?;
        self.expect("{")?;
        let mut constructors = Vec::new();
        loop {
            let name = self.ident("the name of a constructor")?;
            constructors.push((name, self.typed_names_in_parens(false)?));
            if !self.eat(",") {
                break;
            }
        }
        self.expect("}")?;
        self.eat(";");
        Ok(DatatypeDecl { attrs, name, type_params, constructors })
    }

    fn attributes(&mut self) -> Parse<Vec<Attribute>> {
        let mut out = Vec::new();
        while self.at("{") && self.peek(1).tok == Tok::Symbol(":") {
            let start = self.bump().span;
            self.bump();
            // Attribute names are a world of their own: keywords are fine.
            let name = match self.tok() {
                Tok::Ident | Tok::Keyword(_) => {
                    let span = self.bump().span;
                    self.text_of(span).to_string()
                }
                _ => return self.expected("the name of an attribute"),
            };
            let mut args = Vec::new();
            while !self.at("}") {
                if self.tok() == Tok::Str {
                    let span = self.bump().span;
                    let quoted = self.text_of(span);
                    let inner = quoted.strip_prefix('"').unwrap_or(quoted);
                    args.push(AttributeArg::Str(inner.strip_suffix('"').unwrap_or(inner).to_string()));
                } else {
                    args.push(AttributeArg::Expr(self.expr()?));
                }
                if !self.eat(",") {
                    break;
                }
            }
            self.expect("}")?;
            out.push(Attribute { name, args, span: self.since(start) });
        }
        Ok(out)
    }

    fn type_decls(&mut self, out: &mut Vec<Decl>) -> Parse<()> {
        self.bump();
        let attrs = self.attributes()?;
        self.eat_word_before_ident("finite");
        loop {
            let name = self.ident("the name of a type")?;
            let mut params = Vec::new();
            while self.tok() == Tok::Ident {
                params.push(self.ident("a type parameter")?);
            }
            let synonym = if self.eat("=") { Some(self.ty()?) } else { None };
            out.push(Decl::Type(TypeDecl { attrs: attrs.clone(), name, params, synonym }));
            if !self.eat(",") {
                break;
            }
        }
        self.expect(";")?;
        Ok(())
    }

    fn eat_word_before_ident(&mut self, word: &str) {
        if self.at_word(word) && self.peek(1).tok == Tok::Ident {
            self.bump();
        }
    }

    fn const_decl(&mut self) -> Parse<ConstDecl> {
        self.bump();
        let attrs = self.attributes()?;
        let unique = self.eat_keyword("unique");
        let names = self.idents("the name of a constant")?;
        self.expect(":")?;
        let ty = self.ty()?;
        let order = if self.eat_keyword("extends") {
            let mut parents = Vec::new();
            if self.at_keyword("unique") || (self.tok() == Tok::Ident && !self.at_word("complete")) {
                loop {
                    let unique = self.eat_keyword("unique");
                    parents.push((unique, self.ident("the name of a constant")?));
                    if !self.eat(",") {
                        break;
                    }
                }
            }
            let complete = self.eat_word("complete");
            Some(OrderSpec { parents, complete })
        } else if self.eat_word("complete") {
            Some(OrderSpec { parents: Vec::new(), complete: true })
        } else {
            None
        };
        if !self.at_word("uses") {
            self.expect(";")?;
        }
        Ok(ConstDecl { attrs, unique, names, ty, order })
    }

    fn var_decl(&mut self) -> Parse<VarDecl> {
        self.bump();
        let attrs = self.attributes()?;
        let mut vars = vec![self.typed_names(true)?];
        while self.eat(",") {
            vars.push(self.typed_names(true)?);
        }
        self.expect(";")?;
        Ok(VarDecl { attrs, vars })
    }

    fn typed_names(&mut self, condition_allowed: bool) -> Parse<TypedNames> {
        let attrs = self.attributes()?;
        let names = self.idents("the name of a variable")?;
        self.expect(":")?;
        let ty = self.ty()?;
        let condition = if condition_allowed && self.eat_keyword("where") { Some(self.expr()?) } else { None };
        Ok(TypedNames { attrs, names, ty, condition })
    }

    fn typed_names_in_parens(&mut self, condition_allowed: bool) -> Parse<Vec<TypedNames>> {
        self.expect("(")?;
        let mut out = Vec::new();
        if !self.at(")") {
            out.push(self.typed_names(condition_allowed)?);
            while self.eat(",") {
                out.push(self.typed_names(condition_allowed)?);
            }
        }
        self.expect(")")?;
        Ok(out)
    }

    fn type_params(&mut self) -> Parse<Vec<Ident>> {
        if !self.eat("<") {
            return Ok(Vec::new());
        }
        let params = self.idents("a type parameter")?;
        self.expect(">")?;
        Ok(params)
    }

    fn function(&mut self) -> Parse<FunctionDecl> {
        self.bump();
        let attrs = self.attributes()?;
        let name = self.ident("the name of a function")?;
        let type_params = self.type_params()?;
        self.expect("(")?;
        let mut params = Vec::new();
        if !self.at(")") {
            loop {
                self.function_params(&mut params)?;
                if !self.eat(",") {
                    break;
                }
            }
        }
        self.expect(")")?;
        let result = if self.eat_keyword("returns") {
            self.expect("(")?;
            self.attributes()?;
            let named = self.tok() == Tok::Ident && self.peek(1).tok == Tok::Symbol(":");
            let name = if named { Some(self.ident("a name")?) } else { None };
            if named {
                self.bump();
            }
            let ty = self.ty()?;
            self.expect(")")?;
            FunctionParam { name, ty }
        } else {
            self.expect(":")?;
            FunctionParam { name: None, ty: self.ty()? }
        };
        let body = if self.eat("{") {
            let body = self.expr()?;
            self.expect("}")?;
            self.eat(";");
            Some(body)
        } else {
            if !self.at_word("uses") {
                self.expect(";")?;
            }
            None
        };
        Ok(FunctionDecl { attrs, name, type_params, params, result, body })
    }

    /// `x, y: T` or a type alone. Names come first, so look whether a `:` ends a row of names.
    fn function_params(&mut self, out: &mut Vec<FunctionParam>) -> Parse<()> {
        self.attributes()?;
        let mut ahead = 0;
        let is_name = |p: &Self, ahead: usize| {
            let token = p.peek(ahead);
            token.tok == Tok::Ident && !is_type_word(p.text_of(token.span))
        };
        while is_name(self, ahead) && self.peek(ahead + 1).tok == Tok::Symbol(",") {
            ahead += 2;
        }
        if is_name(self, ahead) && self.peek(ahead + 1).tok == Tok::Symbol(":") {
            let names = self.idents("the name of a parameter")?;
            self.expect(":")?;
            let ty = self.ty()?;
            out.extend(names.into_iter().map(|name| FunctionParam { name: Some(name), ty: ty.clone() }));
        } else {
            out.push(FunctionParam { name: None, ty: self.ty()? });
        }
        Ok(())
    }

    fn signature(&mut self, conditions_allowed: bool) -> Parse<Signature> {
        let attrs = self.attributes()?;
        let name = self.ident("the name of a procedure")?;
        let type_params = self.type_params()?;
        let params = self.typed_names_in_parens(conditions_allowed)?;
        let returns =
            if self.eat_keyword("returns") { self.typed_names_in_parens(conditions_allowed)? } else { Vec::new() };
        Ok(Signature { attrs, name, type_params, params, returns })
    }

    fn procedure(&mut self) -> Parse<ProcedureDecl> {
        self.bump();
        let sig = self.signature(true)?;
        let without_body = self.eat(";");
        let mut specs = Vec::new();
        loop {
            match self.tok() {
                Tok::Keyword("requires" | "ensures" | "modifies" | "free") => specs.extend(self.spec()?),
                Tok::Ident if self.at_measure() => self.measure()?,
                Tok::Ident => match self.text_of(self.span()) {
                    word @ ("yields" | "refines" | "creates" | "preserves" | "asserts") => {
                        return Err(self.civl(word));
                    }
                    _ => break,
                },
                _ => break,
            }
        }
        // `procedure P(); requires e; { … }` is not in the manual, but harmless.
        let body = if self.at("{") { Some(self.body()?) } else { None };
        if body.is_none() && !without_body && specs.is_empty() {
            return self.expected("`;` or the body of the procedure");
        }
        Ok(ProcedureDecl { sig, specs, body })
    }

    /// `measure e, f;` or `decreases e, f;`
    fn at_measure(&self) -> bool {
        (self.at_word("measure") || self.at_word("decreases")) && self.peek(1).tok != Tok::Symbol(":=")
    }

    /// An argument for termination. Craig looks for its own ones, so it is read and forgotten.
    fn measure(&mut self) -> Parse<()> {
        self.bump();
        self.attributes()?;
        if !self.at(";") && !self.eat("*") {
            self.exprs()?;
        }
        self.expect(";")?;
        Ok(())
    }

    fn spec(&mut self) -> Parse<Option<Spec>> {
        let start = self.span();
        let free = self.eat_keyword("free");
        if free && self.at_measure() {
            self.measure()?;
            return Ok(None);
        }
        let spec = match self.tok() {
            Tok::Keyword("requires") => {
                self.bump();
                Spec::Requires(self.condition(free, start)?)
            }
            Tok::Keyword("ensures") => {
                self.bump();
                Spec::Ensures(self.condition(free, start)?)
            }
            Tok::Keyword("modifies") => {
                self.bump();
                let names = if self.at(";") { Vec::new() } else { self.idents("a global variable")? };
                Spec::Modifies(names)
            }
            _ => return self.expected("`requires`, `ensures` or `modifies`"),
        };
        self.expect(";")?;
        Ok(Some(spec))
    }

    fn condition(&mut self, free: bool, start: Span) -> Parse<Condition> {
        let attrs = self.attributes()?;
        if self.at_keyword("call") {
            return Err(self.civl("call"));
        }
        let expr = self.expr()?;
        Ok(Condition { free, attrs, expr, span: self.since(start) })
    }
}

/// Is the word the name of a bit-vector or floating-point type?
pub fn is_type_word(word: &str) -> bool {
    bit_vector_width(word).is_some() || float_format(word).is_some()
}

/// The widths of significand and exponent if the word is `floatNeM`.
pub fn float_format(word: &str) -> Option<(u32, u32)> {
    let (significand, exponent) = word.strip_prefix("float")?.split_once('e')?;
    let number = |digits: &str| {
        let canonical = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        if canonical { Some(digits.parse().unwrap_or(u32::MAX)) } else { None }
    };
    Some((number(significand)?, number(exponent)?))
}

/// The width if the word is `bvN`.
pub fn bit_vector_width(word: &str) -> Option<u32> {
    let digits = word.strip_prefix("bv")?;
    let canonical = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    if canonical { Some(digits.parse().unwrap_or(u32::MAX)) } else { None }
}
