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

/// An expression and the height of its tree.
type Measured = (Expr, u32);

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

/// Parses a lone expression, such as an atomic proposition of an LTL formula.
pub fn parse_expr(sources: &SourceMap, file: FileId) -> Result<Expr, Vec<Diagnostic>> {
    let text = &sources.file(file).text;
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
            Tok::Ident | Tok::Int | Tok::Real | Tok::BitVec | Tok::Symbol(_) => format!("`{}`", self.text_of(span)),
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
                Ok(())
            }
            Tok::Keyword("var") => {
                let d = self.var_decl()?;
                out.push(Decl::Var(d));
                Ok(())
            }
            Tok::Keyword("function") => {
                let d = self.function()?;
                out.push(Decl::Function(d));
                Ok(())
            }
            Tok::Keyword("axiom") => {
                self.bump();
                let attrs = self.attributes()?;
                let formula = self.expr()?;
                out.push(Decl::Axiom(AxiomDecl { attrs, formula }));
                self.expect(";")?;
                Ok(())
            }
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
            _ => self.expected("a declaration"),
        }
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
        self.expect(";")?;
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
            self.expect(";")?;
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
            token.tok == Tok::Ident && bit_vector_width(p.text_of(token.span)).is_none()
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
        while matches!(self.tok(), Tok::Keyword("requires" | "ensures" | "modifies" | "free")) {
            specs.push(self.spec()?);
        }
        // `procedure P(); requires e; { … }` is not in the manual, but harmless.
        let body = if self.at("{") { Some(self.body()?) } else { None };
        if body.is_none() && !without_body && specs.is_empty() {
            return self.expected("`;` or the body of the procedure");
        }
        Ok(ProcedureDecl { sig, specs, body })
    }

    fn spec(&mut self) -> Parse<Spec> {
        let start = self.span();
        let free = self.eat_keyword("free");
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
        Ok(spec)
    }

    fn condition(&mut self, free: bool, start: Span) -> Parse<Condition> {
        let attrs = self.attributes()?;
        let expr = self.expr()?;
        Ok(Condition { free, attrs, expr, span: self.since(start) })
    }

    // ---- statements ---------------------------------------------------------------------------

    fn body(&mut self) -> Parse<Body> {
        self.expect("{")?;
        let mut locals = Vec::new();
        while self.at_keyword("var") {
            let before = self.pos;
            match self.var_decl() {
                Ok(d) => locals.push(d),
                Err(Reported) => self.skip_to_stmt(before),
            }
        }
        let block = self.stmts();
        let end = self.span();
        self.expect("}")?;
        Ok(Body { locals, block, end: Loc(end) })
    }

    fn block(&mut self) -> Parse<Block> {
        self.expect("{")?;
        let block = self.nested(|p| Ok(p.stmts()))?;
        self.expect("}")?;
        Ok(block)
    }

    /// Statements up to the closing brace, the end, or something that can only be a declaration.
    fn stmts(&mut self) -> Block {
        let mut stmts = Vec::new();
        while !self.at("}") && self.tok() != Tok::Eof && !self.at_decl() && self.errors.len() < MAX_ERRORS {
            let before = self.pos;
            match self.stmt() {
                Ok(stmt) => stmts.push(stmt),
                Err(Reported) => self.skip_to_stmt(before),
            }
        }
        Block { stmts }
    }

    fn skip_to_stmt(&mut self, before: usize) {
        if self.pos == before {
            self.bump();
        }
        let mut depth = 0usize;
        loop {
            match self.tok() {
                Tok::Eof => return,
                Tok::Symbol("}") if depth == 0 => return,
                Tok::Symbol("{") => depth += 1,
                Tok::Symbol("}") => depth -= 1,
                Tok::Symbol(";") if depth == 0 => {
                    self.bump();
                    return;
                }
                Tok::Keyword(
                    "assert" | "assume" | "havoc" | "call" | "while" | "goto" | "return" | "break" | "var",
                ) if depth == 0 => return,
                _ if self.at_decl() => return,
                _ => {}
            }
            self.bump();
        }
    }

    fn stmt(&mut self) -> Parse<Stmt> {
        let start = self.span();
        let kind = self.nested(Self::stmt_kind)?;
        Ok(Stmt { kind, span: self.since(start) })
    }

    fn stmt_kind(&mut self) -> Parse<StmtKind> {
        match self.tok() {
            Tok::Keyword("assert") => {
                self.bump();
                let attrs = self.attributes()?;
                let expr = self.expr()?;
                self.expect(";")?;
                Ok(StmtKind::Assert { attrs, expr })
            }
            Tok::Keyword("assume") => {
                self.bump();
                let attrs = self.attributes()?;
                let expr = self.expr()?;
                self.expect(";")?;
                Ok(StmtKind::Assume { attrs, expr })
            }
            Tok::Keyword("havoc") => {
                self.bump();
                let names = self.idents("a variable")?;
                self.expect(";")?;
                Ok(StmtKind::Havoc(names))
            }
            Tok::Keyword("call" | "free") => self.call(),
            Tok::Keyword("if") => self.if_statement(),
            Tok::Keyword("while") => self.while_statement(),
            Tok::Keyword("goto") => {
                self.bump();
                let labels = self.idents("a label")?;
                self.expect(";")?;
                Ok(StmtKind::Goto(labels))
            }
            Tok::Keyword("break") => {
                self.bump();
                let label = if self.at(";") { None } else { Some(self.ident("a label or `;`")?) };
                self.expect(";")?;
                Ok(StmtKind::Break(label))
            }
            Tok::Keyword("return") => {
                self.bump();
                self.expect(";")?;
                Ok(StmtKind::Return)
            }
            Tok::Ident => self.ident_statement(),
            _ => self.expected("a statement"),
        }
    }

    fn ident_statement(&mut self) -> Parse<StmtKind> {
        let next = self.peek(1).tok;
        if next == Tok::Symbol(":") {
            let label = self.ident("a label")?;
            self.bump();
            return Ok(StmtKind::Label(label));
        }
        let is_target = matches!(next, Tok::Symbol(":=" | "[" | "," | "!"));
        if !is_target {
            match self.text_of(self.span()) {
                "atomic" => {
                    self.bump();
                    return Ok(StmtKind::Atomic(self.block()?));
                }
                "fork" => return self.fork(),
                "join" => return self.join(),
                _ => {}
            }
        }
        let mut lhs = vec![self.lhs()?];
        while self.eat(",") {
            lhs.push(self.lhs()?);
        }
        self.expect(":=")?;
        let rhs = self.exprs()?;
        self.expect(";")?;
        Ok(StmtKind::Assign { lhs, rhs })
    }

    fn lhs(&mut self) -> Parse<Lhs> {
        let start = self.span();
        let base = self.ident("a variable")?;
        let mut path = Vec::new();
        loop {
            if self.eat("[") {
                let index = if self.at("]") { Vec::new() } else { self.exprs()? };
                self.expect("]")?;
                path.push(Access::Index(index));
            } else if self.eat("!") {
                path.push(Access::Field(self.ident("the name of a field")?));
            } else {
                return Ok(Lhs { base, path, span: self.since(start) });
            }
        }
    }

    fn fork(&mut self) -> Parse<StmtKind> {
        self.bump();
        let id = self.exprs()?;
        let callee = self.ident("the name of a procedure")?;
        let args = self.args()?;
        self.expect(";")?;
        Ok(StmtKind::Fork { id, callee, args })
    }

    fn join(&mut self) -> Parse<StmtKind> {
        self.bump();
        let id = self.exprs()?;
        let lhs = if self.eat_word("assign") { self.idents("a variable")? } else { Vec::new() };
        self.expect(";")?;
        Ok(StmtKind::Join { id, lhs })
    }

    fn args(&mut self) -> Parse<Vec<Expr>> {
        self.expect("(")?;
        let args = if self.at(")") { Vec::new() } else { self.exprs()? };
        self.expect(")")?;
        Ok(args)
    }

    fn call(&mut self) -> Parse<StmtKind> {
        let free = self.eat_keyword("free");
        if !self.eat_keyword("call") {
            return self.expected("`call`");
        }
        let attrs = self.attributes()?;
        if self.eat_keyword("forall") {
            let callee = self.ident("the name of a procedure")?;
            self.expect("(")?;
            let mut args = Vec::new();
            while !self.at(")") {
                args.push(if self.eat("*") { None } else { Some(self.expr()?) });
                if !self.eat(",") {
                    break;
                }
            }
            self.expect(")")?;
            self.expect(";")?;
            return Ok(StmtKind::CallForall { attrs, callee, args });
        }
        let mut names = self.idents("a variable or the name of a procedure")?;
        let (lhs, callee) = if self.eat(":=") {
            (names, self.ident("the name of a procedure")?)
        } else if names.len() == 1 {
            let callee = names.remove(0);
            (Vec::new(), callee)
        } else {
            return self.expected("`:=`");
        };
        let args = self.args()?;
        self.expect(";")?;
        Ok(StmtKind::Call { attrs, free, lhs, callee, args })
    }

    fn guard(&mut self) -> Parse<Guard> {
        self.expect("(")?;
        let guard = if self.at("*") && self.peek(1).tok == Tok::Symbol(")") {
            self.bump();
            Guard::Any
        } else {
            Guard::Expr(self.expr()?)
        };
        self.expect(")")?;
        Ok(guard)
    }

    fn if_statement(&mut self) -> Parse<StmtKind> {
        let mut branches = Vec::new();
        loop {
            self.bump();
            let guard = self.guard()?;
            branches.push((guard, self.block()?));
            if !self.eat_keyword("else") {
                return Ok(StmtKind::If { branches, otherwise: None });
            }
            if !self.at_keyword("if") {
                let otherwise = Some(self.block()?);
                return Ok(StmtKind::If { branches, otherwise });
            }
        }
    }

    fn while_statement(&mut self) -> Parse<StmtKind> {
        self.bump();
        let guard = self.guard()?;
        let mut invariants = Vec::new();
        while self.at_keyword("invariant") || self.at_keyword("free") {
            let start = self.span();
            let free = self.eat_keyword("free");
            if !self.eat_keyword("invariant") {
                return self.expected("`invariant`");
            }
            invariants.push(self.condition(free, start)?);
            self.expect(";")?;
        }
        let body = self.block()?;
        Ok(StmtKind::While { guard, invariants, body })
    }

    // ---- types --------------------------------------------------------------------------------

    fn ty(&mut self) -> Parse<Type> {
        self.nested(|p| {
            let start = p.span();
            if p.tok() == Tok::Ident && bit_vector_width(p.text_of(start)).is_none() {
                let name = p.ident("a type")?;
                let mut args = Vec::new();
                while p.at_type_atom() {
                    args.push(p.type_atom()?);
                }
                return Ok(Type { kind: TypeKind::Named { name, args }, span: p.since(start) });
            }
            p.type_atom()
        })
    }

    fn at_type_atom(&self) -> bool {
        match self.tok() {
            Tok::Keyword("int" | "real" | "bool") | Tok::Symbol("(" | "[" | "<") => true,
            // `complete` and `using` end the type of a constant.
            Tok::Ident => !self.at_word("complete") && !self.at_word("using"),
            _ => false,
        }
    }

    /// A type that needs no parentheses as an argument.
    fn type_atom(&mut self) -> Parse<Type> {
        self.nested(Self::type_atom_inner)
    }

    fn type_atom_inner(&mut self) -> Parse<Type> {
        let start = self.span();
        let kind = match self.tok() {
            Tok::Keyword("int") => {
                self.bump();
                TypeKind::Int
            }
            Tok::Keyword("real") => {
                self.bump();
                TypeKind::Real
            }
            Tok::Keyword("bool") => {
                self.bump();
                TypeKind::Bool
            }
            Tok::Ident => match bit_vector_width(self.text_of(start)) {
                Some(width) => {
                    self.bump();
                    if width > MAX_BV_WIDTH {
                        return Err(
                            self.error(start, format!("bit vectors wider than {MAX_BV_WIDTH} are not supported"))
                        );
                    }
                    TypeKind::BitVec(width)
                }
                None => TypeKind::Named { name: self.ident("a type")?, args: Vec::new() },
            },
            Tok::Symbol("(") => {
                self.bump();
                let inner = self.ty()?;
                self.expect(")")?;
                return Ok(inner);
            }
            Tok::Symbol("{") => {
                self.bump();
                let mut fields = Vec::new();
                while !self.at("}") {
                    let names = self.idents("the name of a field")?;
                    self.expect(":")?;
                    let ty = self.ty()?;
                    fields.extend(names.into_iter().map(|name| (name, ty.clone())));
                    if !self.eat(",") {
                        break;
                    }
                }
                self.expect("}")?;
                TypeKind::Struct(fields)
            }
            Tok::Symbol("[" | "<") => {
                let type_params = self.type_params()?;
                self.expect("[")?;
                let mut domain = Vec::new();
                if !self.at("]") {
                    domain.push(self.ty()?);
                    while self.eat(",") {
                        domain.push(self.ty()?);
                    }
                }
                self.expect("]")?;
                let range = Box::new(self.ty()?);
                TypeKind::Map { type_params, domain, range }
            }
            _ => return self.expected("a type"),
        };
        Ok(Type { kind, span: self.since(start) })
    }

    // ---- expressions --------------------------------------------------------------------------

    fn exprs(&mut self) -> Parse<Vec<Expr>> {
        let mut out = vec![self.expr()?];
        while self.eat(",") {
            out.push(self.expr()?);
        }
        Ok(out)
    }

    fn expr(&mut self) -> Parse<Expr> {
        self.measured().map(|(e, _)| e)
    }

    fn measured(&mut self) -> Parse<Measured> {
        self.nested(|p| p.binary(0))
    }

    /// Expressions in a row, and the greatest height among them.
    fn measured_list(&mut self) -> Parse<(Vec<Expr>, u32)> {
        let (first, mut height) = self.measured()?;
        let mut out = vec![first];
        while self.eat(",") {
            let (e, h) = self.measured()?;
            out.push(e);
            height = height.max(h);
        }
        Ok((out, height))
    }

    fn node(&mut self, kind: ExprKind, start: Span, below: u32) -> Parse<Measured> {
        if below >= MAX_DEPTH {
            return Err(self.error(start, format!("expression nested more than {MAX_DEPTH} levels deep")));
        }
        Ok((Expr { kind, span: self.since(start) }, below + 1))
    }

    fn binary_op(&self) -> Option<BinaryOp> {
        match self.tok() {
            Tok::Keyword("div") => Some(BinaryOp::Div),
            Tok::Keyword("mod") | Tok::Symbol("%") => Some(BinaryOp::Mod),
            Tok::Symbol(s) => BinaryOp::ALL.into_iter().find(|op| op.spelling() == s),
            _ => None,
        }
    }

    fn binary(&mut self, min_precedence: u8) -> Parse<Measured> {
        let start = self.span();
        let (mut left, mut height) = self.unary()?;
        while let Some(op) = self.binary_op().filter(|op| op.precedence() >= min_precedence) {
            let mut operands = vec![left];
            while self.binary_op() == Some(op) {
                if operands.len() > 1 && !op.chains() {
                    let span = self.span();
                    return Err(self.error(span, format!("`{}` does not chain; use parentheses", op.spelling())));
                }
                self.bump();
                let (right, h) = self.nested(|p| p.binary(op.precedence() + 1))?;
                operands.push(right);
                height = height.max(h);
            }
            (left, height) = self.node(ExprKind::Binary(op, operands), start, height)?;
            let next = self.binary_op().filter(|next| next.precedence() == op.precedence());
            if let Some(next) = next.filter(|next| op.assoc() != Assoc::Left || next.assoc() != Assoc::Left) {
                let span = self.span();
                let message = format!("`{}` and `{}` do not mix; use parentheses", op.spelling(), next.spelling());
                return Err(self.error(span, message));
            }
        }
        Ok((left, height))
    }

    fn unary(&mut self) -> Parse<Measured> {
        let start = self.span();
        let op = match self.tok() {
            Tok::Symbol("!") => UnaryOp::Not,
            Tok::Symbol("-") => UnaryOp::Neg,
            _ => return self.postfix(),
        };
        self.bump();
        let (operand, height) = self.nested(Self::unary)?;
        self.node(ExprKind::Unary(op, Box::new(operand)), start, height)
    }

    fn postfix(&mut self) -> Parse<Measured> {
        let start = self.span();
        let (mut e, mut height) = self.atom()?;
        loop {
            if self.eat("[") {
                (e, height) = self.bracket(e, height, start)?;
            } else if self.at("!") && self.peek(1).tok == Tok::Ident {
                self.bump();
                let field = self.ident("the name of a field")?;
                (e, height) = self.node(ExprKind::Field(Box::new(e), field), start, height)?;
            } else {
                return Ok((e, height));
            }
        }
    }

    /// After `map[`.
    fn bracket(&mut self, map: Expr, height: u32, start: Span) -> Parse<Measured> {
        let map = Box::new(map);
        if self.tok() == Tok::Int && self.peek(1).tok == Tok::Symbol(":") {
            let high = self.bit_position()?;
            self.bump();
            let low = self.bit_position()?;
            self.expect("]")?;
            return self.node(ExprKind::Extract { operand: map, high, low }, start, height);
        }
        let (index, h) = if self.at("]") || self.at(":=") { (Vec::new(), 0) } else { self.measured_list()? };
        let height = height.max(h);
        if self.eat(":=") {
            let (value, h) = self.measured()?;
            self.expect("]")?;
            let value = Box::new(value);
            return self.node(ExprKind::Store { map, index, value }, start, height.max(h));
        }
        self.expect("]")?;
        self.node(ExprKind::Select { map, index }, start, height)
    }

    fn bit_position(&mut self) -> Parse<u32> {
        if self.tok() != Tok::Int {
            return self.expected("a bit position");
        }
        let span = self.bump().span;
        match digits_of(self.text_of(span)).parse::<u32>() {
            Ok(n) if n <= MAX_BV_WIDTH => Ok(n),
            Ok(_) | Err(_) => Err(self.error(span, "this bit position is out of range")),
        }
    }

    fn atom(&mut self) -> Parse<Measured> {
        let start = self.span();
        match self.tok() {
            Tok::Keyword(word @ ("true" | "false")) => {
                self.bump();
                self.node(ExprKind::Bool(word == "true"), start, 0)
            }
            Tok::Int => {
                self.bump();
                self.node(ExprKind::Int(normal_digits(self.text_of(start))), start, 0)
            }
            Tok::Real => {
                self.bump();
                self.node(ExprKind::Real(digits_of(self.text_of(start))), start, 0)
            }
            Tok::BitVec => {
                self.bump();
                let (value, width) = self.text_of(start).split_once("bv").unwrap_or(("0", "1"));
                match digits_of(width).parse::<u32>() {
                    Ok(width) if width <= MAX_BV_WIDTH => {
                        self.node(ExprKind::BitVec { value: normal_digits(value), width }, start, 0)
                    }
                    Ok(_) | Err(_) => Err(self.error(start, "this bit vector is too wide")),
                }
            }
            Tok::Ident => {
                let name = self.ident("a name")?;
                if !self.eat("(") {
                    return self.node(ExprKind::Var(name.name), start, 0);
                }
                let (args, height) = if self.at(")") { (Vec::new(), 0) } else { self.measured_list()? };
                self.expect(")")?;
                self.node(ExprKind::Apply { callee: name, args }, start, height)
            }
            Tok::Keyword("old" | "int" | "real") => self.keyword_application(),
            Tok::Keyword("if") => self.if_then_else(),
            Tok::Symbol("(") => self.parenthesised(),
            Tok::Symbol("{") => self.struct_literal(),
            _ => self.expected("an expression"),
        }
    }

    fn keyword_application(&mut self) -> Parse<Measured> {
        let start = self.span();
        let word = self.bump().tok;
        self.expect("(")?;
        let (operand, height) = self.measured()?;
        self.expect(")")?;
        let operand = Box::new(operand);
        let kind = match word {
            Tok::Keyword("old") => ExprKind::Old(operand),
            Tok::Keyword("int") => ExprKind::ToInt(operand),
            _ => ExprKind::ToReal(operand),
        };
        self.node(kind, start, height)
    }

    fn if_then_else(&mut self) -> Parse<Measured> {
        let start = self.span();
        self.bump();
        let (condition, h0) = self.measured()?;
        if !self.eat_keyword("then") {
            return self.expected("`then`");
        }
        let (yes, h1) = self.measured()?;
        if !self.eat_keyword("else") {
            return self.expected("`else`");
        }
        let (no, h2) = self.measured()?;
        self.node(ExprKind::IfThenElse(Box::new([condition, yes, no])), start, h0.max(h1).max(h2))
    }

    fn parenthesised(&mut self) -> Parse<Measured> {
        let start = self.span();
        self.bump();
        let binder = match self.tok() {
            Tok::Keyword("forall") => Some(Binder::Forall),
            Tok::Keyword("exists") => Some(Binder::Exists),
            Tok::Keyword("lambda") => Some(Binder::Lambda),
            _ => None,
        };
        if let Some(kind) = binder {
            self.bump();
            return self.quantifier(kind, start);
        }
        let (mut inner, height) = self.measured()?;
        if self.eat(":") {
            let ty = self.ty()?;
            self.expect(")")?;
            return self.node(ExprKind::Ascribe(Box::new(inner), ty), start, height);
        }
        self.expect(")")?;
        inner.span = self.since(start);
        Ok((inner, height))
    }

    /// After `(forall`.
    fn quantifier(&mut self, kind: Binder, start: Span) -> Parse<Measured> {
        let type_params = self.type_params()?;
        let mut vars = Vec::new();
        if !self.at("::") || type_params.is_empty() {
            vars.push(self.typed_names(false)?);
            while self.eat(",") {
                vars.push(self.typed_names(false)?);
            }
        }
        self.expect("::")?;
        let mut attrs = Vec::new();
        let mut triggers = Vec::new();
        loop {
            attrs.extend(self.attributes()?);
            let is_struct = self.peek(1).tok == Tok::Ident && self.peek(2).tok == Tok::Symbol(":");
            if !self.at("{") || is_struct {
                break;
            }
            self.bump();
            triggers.push(self.exprs()?);
            self.expect("}")?;
        }
        let (body, height) = self.measured()?;
        self.expect(")")?;
        let quantifier = Quantifier { kind, type_params, vars, attrs, triggers, body };
        self.node(ExprKind::Quantifier(Box::new(quantifier)), start, height)
    }

    fn struct_literal(&mut self) -> Parse<Measured> {
        let start = self.span();
        self.bump();
        let mut fields = Vec::new();
        let mut height = 0;
        while !self.at("}") {
            let name = self.ident("the name of a field")?;
            self.expect(":")?;
            let (value, h) = self.measured()?;
            height = height.max(h);
            fields.push((name, value));
            if !self.eat(",") {
                break;
            }
        }
        self.expect("}")?;
        self.node(ExprKind::Struct(fields), start, height)
    }
}

/// The width if the word is `bvN`.
pub fn bit_vector_width(word: &str) -> Option<u32> {
    let digits = word.strip_prefix("bv")?;
    let canonical = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    if canonical { Some(digits.parse().unwrap_or(u32::MAX)) } else { None }
}

fn digits_of(text: &str) -> String {
    text.chars().filter(|&c| c != '_').collect()
}

/// Digits without separators and leading zeros.
fn normal_digits(text: &str) -> String {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let short = digits.trim_start_matches('0');
    if short.is_empty() { "0".to_string() } else { short.to_string() }
}
