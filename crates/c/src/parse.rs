//! Tokens to syntax tree: C11 with what gcc accepts in practice.
//!
//! A recursive-descent parser. C's grammar depends on which names are typedefs, so the parser keeps a
//! stack of scopes that says for each declared name whether it is one; a name enters its scope at
//! the end of its declarator, before the initialiser. Nothing else is resolved here.
//!
//! An item at file scope that does not parse is skipped up to the end of its body or its `;` and kept
//! as [`Item::Broken`]: whether that matters depends on whether `main` reaches it.
//!
//! Invariant: every function either consumes at least one token or reports an error, so parsing ends;
//! nesting is bounded by [`MAX_DEPTH`], and long chains of operators by [`MAX_CHAIN`].

use std::rc::Rc;

use base::{Diagnostic, Span};
use rustc_hash::FxHashMap;

use crate::ast::*;
use crate::lex::{Interner, Punct, Sym, Token, TokenKind};
use crate::literal;

/// Statements and expressions nest at most this deep.
const MAX_DEPTH: usize = 4000;
/// A chain of operators (which makes a deep left spine) is at most this long.
const MAX_CHAIN: usize = 10_000;

macro_rules! keywords {
    ($($name:ident $($text:literal)+;)*) => {
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        enum Kw { $($name),* }
        const KEYWORDS: &[(&str, Kw)] = &[$($(($text, Kw::$name)),+),*];
    };
}

keywords! {
    Alignas "_Alignas" "alignas"; Alignof "_Alignof" "alignof"; GnuAlignof "__alignof" "__alignof__"; Asm "asm" "__asm" "__asm__"; Atomic "_Atomic";
    Attribute "__attribute__" "__attribute"; Auto "auto"; AutoType "__auto_type"; BitInt "_BitInt"; Bool "_Bool"; Break "break";
    BuiltinVaArg "__builtin_va_arg"; BuiltinOffsetof "__builtin_offsetof";
    BuiltinTypesCompatible "__builtin_types_compatible_p"; BuiltinChoose "__builtin_choose_expr"; BuiltinConvertVector "__builtin_convertvector";
    Case "case"; Char "char"; Complex "_Complex" "__complex__" "__complex"; Const "const" "__const" "__const__"; Constexpr "__constexpr"; Continue "continue"; Decimal "_Decimal32" "_Decimal64" "_Decimal128"; Default "default";
    Do "do"; Double "double" "_Float64" "_Float32x"; Else "else"; Enum "enum"; Extension "__extension__"; Extern "extern"; Float "float" "_Float32";
    Float16 "_Float16"; Float128 "_Float128" "__float128";
    For "for"; Generic "_Generic"; Goto "goto"; If "if"; Imag "__imag__" "__imag"; Inline "inline" "__inline" "__inline__"; Int "int";
    Int128 "__int128" "__int128_t"; UInt128 "__uint128_t"; Label "__label__"; Long "long"; LongDouble "_Float64x" "__float80";
    Noreturn "_Noreturn"; Real "__real__" "__real"; Register "register"; Restrict "restrict" "__restrict" "__restrict__"; Return "return"; Short "short";
    Signed "signed" "__signed" "__signed__"; Sizeof "sizeof"; Static "static"; StaticAssert "_Static_assert"; Struct "struct"; Switch "switch";
    Thread "__thread" "_Thread_local"; Typedef "typedef"; Typeof "typeof" "__typeof" "__typeof__"; TypeofUnqual "typeof_unqual" "__typeof_unqual" "__typeof_unqual__"; Union "union"; Unsigned "unsigned";
    VaList "__builtin_va_list"; Void "void"; Volatile "volatile" "__volatile" "__volatile__"; While "while";
}

/// Parsing of this item failed; the message is in the error.
type PResult<T> = Result<T, Diagnostic>;

pub struct Parser<'a> {
    tokens: &'a [Token],
    next: usize,
    interner: &'a mut Interner,
    keywords: FxHashMap<Sym, Kw>,
    /// For each scope, whether a name declared in it is a typedef.
    scopes: Vec<FxHashMap<Sym, bool>>,
    pack: Option<u32>,
    pack_stack: Vec<Option<u32>>,
    depth: usize,
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses a translation unit. The diagnostics are those of broken items, which are in the tree too.
pub fn parse(tokens: &[Token], interner: &mut Interner) -> (TranslationUnit, Vec<Diagnostic>) {
    let keywords: FxHashMap<Sym, Kw> = KEYWORDS.iter().map(|&(text, kw)| (interner.intern(text), kw)).collect();
    let tokens = with_new_keywords(tokens, interner, &keywords);
    let mut parser = Parser {
        tokens: &tokens,
        next: 0,
        interner,
        keywords,
        scopes: vec![FxHashMap::default()],
        pack: None,
        pack_stack: Vec::new(),
        depth: 0,
        diagnostics: Vec::new(),
    };
    parser.skip_pragmas();
    let unit = parser.translation_unit();
    (unit, parser.diagnostics)
}

/// Words that C23 made keywords, and how they were written before.
const NEW_KEYWORDS: &[(&str, &str)] = &[
    ("bool", "_Bool"),
    ("static_assert", "_Static_assert"),
    ("thread_local", "_Thread_local"),
    ("constexpr", "__constexpr"),
];

/// Replaces the keywords of C23 by their older spellings, unless the program uses the word as a name of its own.
fn with_new_keywords<'t>(
    tokens: &'t [Token],
    interner: &mut Interner,
    keywords: &FxHashMap<Sym, Kw>,
) -> std::borrow::Cow<'t, [Token]> {
    let mut out = std::borrow::Cow::Borrowed(tokens);
    for (word, spelling) in NEW_KEYWORDS {
        let Some(word) = interner.find(word) else { continue };
        let is_word = |t: &Token| t.kind == TokenKind::Ident && t.text == word;
        let is_name = |i: usize| {
            let Some(before) = i.checked_sub(1).map(|b| tokens[b]) else { return false };
            if let TokenKind::Ident = before.kind
                && let Some(Kw::Enum | Kw::Struct | Kw::Union | Kw::Goto) = keywords.get(&before.text)
            {
                return true;
            }
            let follows_type = match before.kind {
                TokenKind::Ident => match keywords.get(&before.text) {
                    Some(kw) => BasicWords::default().add(*kw),
                    None => true,
                },
                TokenKind::Punct(p) => matches!(p, Punct::Star | Punct::RBrace | Punct::Dot | Punct::Arrow),
                _ => false,
            };
            let ends =
                [Punct::Semi, Punct::Comma, Punct::Assign, Punct::LBracket, Punct::RParen, Punct::LParen, Punct::Colon];
            let next = tokens.get(i + 1);
            if next.is_some_and(|t| t.is(Punct::LParen)) && before.kind != TokenKind::Ident && !before.is(Punct::Star) {
                return false;
            }
            follows_type && next.is_some_and(|t| ends.iter().any(|&p| t.is(p)))
        };
        if !tokens.iter().any(is_word) || (0..tokens.len()).any(|i| is_word(&tokens[i]) && is_name(i)) {
            continue;
        }
        let spelling = interner.intern(spelling);
        for token in out.to_mut().iter_mut().filter(|t| is_word(t)) {
            token.text = spelling;
        }
    }
    out
}

enum SpecContext {
    File,
    Other,
}

/// Instructions that change nothing a program can see: they wait, or order accesses that are in order anyway.
const IDLE_INSTRUCTIONS: &[&str] = &["", "nop", "rep", "pause", "mfence", "lfence", "sfence", "cli", "sti"];

impl Parser<'_> {
    // ----- tokens -----

    fn peek(&self) -> Token {
        self.tokens[self.next]
    }
    fn peek_at(&self, n: usize) -> Token {
        self.tokens[(self.next + n).min(self.tokens.len() - 1)]
    }
    fn bump(&mut self) -> Token {
        let token = self.peek();
        if token.kind != TokenKind::Eof {
            self.next += 1;
            self.skip_pragmas();
        }
        token
    }
    fn skip_pragmas(&mut self) {
        while self.peek().kind == TokenKind::PragmaPack {
            let text = self.interner.text(self.peek().text).to_string();
            self.apply_pack(&text);
            self.next += 1;
        }
    }
    fn apply_pack(&mut self, text: &str) {
        for word in text.trim_matches(['(', ')']).split(',') {
            match word {
                "push" => self.pack_stack.push(self.pack),
                "pop" => self.pack = self.pack_stack.pop().flatten(),
                "" => self.pack = None,
                number => self.pack = number.parse().ok().or(self.pack),
            }
        }
    }
    fn is(&self, punct: Punct) -> bool {
        self.peek().is(punct)
    }
    fn accept(&mut self, punct: Punct) -> bool {
        let found = self.is(punct);
        if found {
            self.bump();
        }
        found
    }
    fn expect(&mut self, punct: Punct) -> PResult<Token> {
        if self.is(punct) {
            return Ok(self.bump());
        }
        Err(self.unexpected(&format!("expected '{}'", punct.text())))
    }
    fn unexpected(&self, wanted: &str) -> Diagnostic {
        let token = self.peek();
        let found = match token.kind {
            TokenKind::Eof => "the end of the file".to_string(),
            _ => format!("'{}'", self.interner.text(token.text)),
        };
        Diagnostic::error(token.span, format!("{wanted} before {found}"))
    }
    fn kw_of(&self, token: Token) -> Option<Kw> {
        if token.kind == TokenKind::Ident { self.keywords.get(&token.text).copied() } else { None }
    }
    fn kw(&self) -> Option<Kw> {
        self.kw_of(self.peek())
    }
    fn accept_kw(&mut self, kw: Kw) -> bool {
        let found = self.kw() == Some(kw);
        if found {
            self.bump();
        }
        found
    }
    fn is_plain_ident(&self, token: Token) -> bool {
        token.kind == TokenKind::Ident && !self.keywords.contains_key(&token.text)
    }
    fn ident(&mut self) -> PResult<(Sym, Span)> {
        let token = self.peek();
        if self.is_plain_ident(token) {
            self.bump();
            return Ok((token.text, token.span));
        }
        Err(self.unexpected("expected a name"))
    }
    fn last_span(&self) -> Span {
        self.tokens[self.next.saturating_sub(1)].span
    }
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> PResult<T>) -> PResult<T> {
        if self.depth >= MAX_DEPTH {
            return Err(Diagnostic::unsupported(self.peek().span, "a program that nests so deeply is not supported"));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    // ----- scopes -----

    fn declare(&mut self, name: Sym, is_typedef: bool) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name, is_typedef);
        }
    }
    fn is_typedef_name(&self, token: Token) -> bool {
        self.is_plain_ident(token)
            && self.scopes.iter().rev().find_map(|s| s.get(&token.text).copied()).unwrap_or(false)
    }
    fn in_scope<T>(&mut self, parse: impl FnOnce(&mut Self) -> PResult<T>) -> PResult<T> {
        self.scopes.push(FxHashMap::default());
        let result = parse(self);
        self.scopes.pop();
        result
    }

    fn starts_type(&self, token: Token) -> bool {
        match self.kw_of(token) {
            Some(
                Kw::Alignas
                | Kw::Atomic
                | Kw::Attribute
                | Kw::AutoType
                | Kw::BitInt
                | Kw::Bool
                | Kw::Char
                | Kw::Complex
                | Kw::Const
                | Kw::Decimal
                | Kw::Double
                | Kw::Enum
                | Kw::Float
                | Kw::Float16
                | Kw::Float128
                | Kw::Int
                | Kw::Int128
                | Kw::UInt128
                | Kw::Long
                | Kw::LongDouble
                | Kw::Short
                | Kw::Signed
                | Kw::Struct
                | Kw::Typeof
                | Kw::TypeofUnqual
                | Kw::Union
                | Kw::Unsigned
                | Kw::VaList
                | Kw::Void
                | Kw::Volatile
                | Kw::Restrict,
            ) => true,
            Some(_) => false,
            None => self.is_typedef_name(token),
        }
    }
    fn starts_declaration(&self, token: Token) -> bool {
        self.starts_type(token)
            || matches!(
                self.kw_of(token),
                Some(
                    Kw::Auto
                        | Kw::Constexpr
                        | Kw::Extern
                        | Kw::Inline
                        | Kw::Noreturn
                        | Kw::Register
                        | Kw::Static
                        | Kw::Thread
                        | Kw::Typedef
                )
            )
    }

    // ----- file scope -----

    fn translation_unit(&mut self) -> TranslationUnit {
        let mut items = Vec::new();
        while self.peek().kind != TokenKind::Eof {
            if self.accept(Punct::Semi) {
                continue;
            }
            let start = self.next;
            let n_scopes = self.scopes.len();
            match self.external_item() {
                Ok(item) => items.push(item),
                Err(diagnostic) => {
                    self.scopes.truncate(n_scopes);
                    self.depth = 0;
                    let name = self.recover(start);
                    self.diagnostics.push(diagnostic.clone());
                    items.push(Item::Broken { name, why: diagnostic });
                }
            }
        }
        TranslationUnit { items }
    }

    /// Skips the item that began at token `start`: to the end of its first brace group that looks like
    /// a body, or its `;` outside all brackets. Returns the name it seems to declare.
    fn recover(&mut self, start: usize) -> Option<Sym> {
        self.next = start;
        let mut depth = 0usize;
        let mut name = None;
        let mut last_ident = None;
        loop {
            let token = self.peek();
            match token.kind {
                TokenKind::Eof => return name,
                TokenKind::Ident if depth == 0 && self.is_plain_ident(token) => last_ident = Some(token.text),
                TokenKind::Punct(Punct::LParen) if depth == 0 => {
                    name = name.or(last_ident);
                    depth += 1;
                }
                TokenKind::Punct(Punct::LParen | Punct::LBracket | Punct::LBrace) => depth += 1,
                TokenKind::Punct(Punct::RParen | Punct::RBracket) => depth = depth.saturating_sub(1),
                TokenKind::Punct(Punct::RBrace) => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        self.bump();
                        self.accept(Punct::Semi);
                        return name.or(last_ident);
                    }
                }
                TokenKind::Punct(Punct::Semi) if depth == 0 => {
                    self.bump();
                    return name.or(last_ident);
                }
                _ => {}
            }
            self.bump();
        }
    }

    fn external_item(&mut self) -> PResult<Item> {
        while self.accept_kw(Kw::Extension) {}
        let start = self.peek().span;
        match self.kw() {
            Some(Kw::StaticAssert) => return Ok(Item::StaticAssert(self.static_assert()?)),
            Some(Kw::Asm) => {
                self.bump();
                self.skip_balanced()?;
                self.accept(Punct::Semi);
                return Ok(Item::Asm(start));
            }
            _ => {}
        }
        let specs = Rc::new(self.decl_specs(SpecContext::File)?);
        if self.accept(Punct::Semi) {
            return Ok(Item::Declaration(Declaration {
                specs,
                declarators: Vec::new(),
                span: start.to(self.last_span()),
            }));
        }
        let mut declarator = self.declarator(false)?;
        self.declarator_trailer(&mut declarator.attrs)?;
        let is_function = matches!(declarator.parts.last(), Some(DeclaratorPart::Function(_)));
        if is_function && (self.is(Punct::LBrace) || self.starts_declaration(self.peek())) {
            return Ok(Item::Function(Box::new(self.function_rest(specs, declarator, start)?)));
        }
        Ok(Item::Declaration(self.declaration_rest(specs, Some(declarator), start)?))
    }

    fn function_rest(&mut self, specs: Rc<DeclSpecs>, declarator: Declarator, start: Span) -> PResult<FunctionDef> {
        if let Some(name) = declarator.name {
            self.declare(name, false);
        }
        self.in_scope(|p| {
            let mut old_style = Vec::new();
            if let Some(DeclaratorPart::Function(part)) = declarator.parts.last() {
                for param in &part.params {
                    if let Some(name) = param.declarator.name {
                        p.declare(name, false);
                    }
                }
                for &(name, _) in &part.names {
                    p.declare(name, false);
                }
            }
            while !p.is(Punct::LBrace) {
                let start = p.peek().span;
                let specs = Rc::new(p.decl_specs(SpecContext::Other)?);
                old_style.push(p.declaration_rest(specs, None, start)?);
            }
            let body = p.block()?;
            let span = start.to(body.span);
            Ok(FunctionDef { specs, declarator, old_style, body, span })
        })
    }

    fn static_assert(&mut self) -> PResult<StaticAssert> {
        let start = self.bump().span;
        self.expect(Punct::LParen)?;
        let condition = self.conditional()?;
        let mut message = None;
        if self.accept(Punct::Comma) {
            let mut text = String::new();
            while self.peek().kind == TokenKind::Str {
                let token = self.bump();
                let units = literal::string(self.interner.text(token.text), 1).unwrap_or_default();
                text.push_str(&String::from_utf8_lossy(&units.iter().map(|&u| u as u8).collect::<Vec<_>>()));
            }
            message = Some(text);
        }
        self.expect(Punct::RParen)?;
        self.expect(Punct::Semi)?;
        Ok(StaticAssert { condition, message, span: start })
    }

    /// The declarators after the specifiers, up to and including `;`.
    fn declaration_rest(
        &mut self,
        specs: Rc<DeclSpecs>,
        first: Option<Declarator>,
        start: Span,
    ) -> PResult<Declaration> {
        let mut declarators = Vec::new();
        let is_typedef = specs.storage == Storage::Typedef;
        if first.is_none() && self.accept(Punct::Semi) {
            return Ok(Declaration { specs, declarators, span: start.to(self.last_span()) });
        }
        let mut first = first;
        loop {
            let declarator = match first.take() {
                Some(d) => d,
                None => {
                    let mut attrs = self.attributes()?;
                    let mut d = self.declarator(false)?;
                    self.declarator_trailer(&mut attrs)?;
                    d.attrs.merge(attrs);
                    d
                }
            };
            if let Some(name) = declarator.name {
                self.declare(name, is_typedef);
            }
            let init = if self.accept(Punct::Assign) { Some(self.initializer()?) } else { None };
            declarators.push(InitDeclarator { declarator, init });
            if !self.accept(Punct::Comma) {
                break;
            }
        }
        self.expect(Punct::Semi)?;
        Ok(Declaration { specs, declarators, span: start.to(self.last_span()) })
    }

    /// `asm("name")` and attributes after a declarator.
    fn declarator_trailer(&mut self, attrs: &mut Attrs) -> PResult<()> {
        loop {
            match self.kw() {
                Some(Kw::Asm) => {
                    self.bump();
                    attrs.link_name = self.link_name()?.or(attrs.link_name);
                }
                Some(Kw::Attribute) => attrs.merge(self.attributes()?),
                _ => return Ok(()),
            }
        }
    }

    /// The name in `asm("name")`, in one or several pieces.
    fn link_name(&mut self) -> PResult<Option<Sym>> {
        let mut name = String::new();
        for i in 1.. {
            let token = self.peek_at(i);
            let text = self.interner.text(token.text);
            match (token.kind, text.strip_prefix('"').and_then(|t| t.strip_suffix('"'))) {
                (TokenKind::Str, Some(piece)) => name.push_str(piece),
                _ => break,
            }
        }
        self.skip_balanced()?;
        Ok((!name.is_empty()).then(|| self.interner.intern(&name)))
    }

    /// Skips a parenthesised group.
    fn skip_balanced(&mut self) -> PResult<()> {
        while matches!(self.kw(), Some(Kw::Volatile | Kw::Goto | Kw::Inline)) {
            self.bump();
        }
        self.skip_group(Punct::LParen, Punct::RParen)
    }

    fn skip_group(&mut self, open: Punct, close: Punct) -> PResult<()> {
        self.expect(open)?;
        let mut depth = 1usize;
        while depth > 0 {
            match self.peek().kind {
                TokenKind::Punct(p) if p == open => depth += 1,
                TokenKind::Punct(p) if p == close => depth -= 1,
                TokenKind::Eof => return Err(self.unexpected("expected the end of this group")),
                _ => {}
            }
            self.bump();
        }
        Ok(())
    }

    // ----- specifiers -----

    fn attributes(&mut self) -> PResult<Attrs> {
        let mut attrs = Attrs::default();
        loop {
            if self.kw() == Some(Kw::Attribute) {
                self.bump();
                self.expect(Punct::LParen)?;
                self.expect(Punct::LParen)?;
                self.attribute_list(&mut attrs)?;
                self.expect(Punct::RParen)?;
                self.expect(Punct::RParen)?;
            } else if self.is(Punct::LBracket) && self.peek_at(1).is(Punct::LBracket) {
                self.bump();
                self.bump();
                self.attribute_list(&mut attrs)?;
                self.expect(Punct::RBracket)?;
                self.expect(Punct::RBracket)?;
            } else {
                return Ok(attrs);
            }
        }
    }

    fn attribute_list(&mut self, attrs: &mut Attrs) -> PResult<()> {
        loop {
            while self.accept(Punct::Comma) {}
            let token = self.peek();
            if token.kind != TokenKind::Ident {
                return Ok(());
            }
            self.bump();
            while self.accept(Punct::Colon) {
                self.bump();
            }
            let text = self.interner.text(token.text);
            let name = text.strip_prefix("__").and_then(|t| t.strip_suffix("__")).unwrap_or(text).to_string();
            match name.as_str() {
                "packed" => attrs.packed = true,
                "noreturn" => attrs.noreturn = true,
                "gnu_inline" => attrs.gnu_inline = true,
                "pure" | "const" => attrs.pure_function = true,
                "returns_nonnull" => attrs.returns_nonnull = true,
                "transparent_union" => attrs.transparent_union = true,
                "constructor" | "destructor" => {
                    let mut priority = None;
                    if self.accept(Punct::LParen) {
                        if !self.is(Punct::RParen) {
                            priority = Some(Rc::new(self.conditional()?));
                        }
                        self.expect(Punct::RParen)?;
                    }
                    let hook = if name == "constructor" { &mut attrs.constructor } else { &mut attrs.destructor };
                    *hook = Some(Hook { priority });
                    continue;
                }
                "cleanup" => {
                    self.expect(Punct::LParen)?;
                    attrs.cleanup = Some(self.bump().text);
                    self.expect(Punct::RParen)?;
                    continue;
                }
                "weak" => attrs.weak = true,
                "alias" | "ifunc" | "weakref" | "scalar_storage_order" => attrs.unsupported = Some(token.text),
                "vector_size" => {
                    self.expect(Punct::LParen)?;
                    attrs.vector_size = Some(Rc::new(self.conditional()?));
                    self.expect(Punct::RParen)?;
                    continue;
                }
                "aligned" => {
                    if self.accept(Punct::LParen) {
                        attrs.aligned.push(AlignSpec::Expr(Rc::new(self.conditional()?)));
                        self.expect(Punct::RParen)?;
                    } else {
                        attrs.aligned.push(AlignSpec::Max);
                    }
                    continue;
                }
                "mode" => {
                    self.expect(Punct::LParen)?;
                    attrs.mode = Some(self.bump().text);
                    self.expect(Punct::RParen)?;
                    continue;
                }
                _ => {}
            }
            if self.is(Punct::LParen) {
                self.skip_balanced()?;
            }
        }
    }

    fn decl_specs(&mut self, context: SpecContext) -> PResult<DeclSpecs> {
        let start = self.peek().span;
        let mut specs = DeclSpecs {
            storage: Storage::None,
            thread_local: false,
            is_constexpr: false,
            is_inline: false,
            is_noreturn: false,
            quals: Quals::default(),
            attrs: Attrs::default(),
            ty: TypeSpec::Missing,
            span: start,
        };
        let mut basic = BasicWords::default();
        let mut seen_type = false;
        // C23: `auto` beside another storage class asks for the type of the initialiser.
        let mut has_auto = false;
        let mut restricted = None;
        loop {
            let token = self.peek();
            let Some(kw) = self.kw_of(token) else {
                if self.is(Punct::LBracket) && self.peek_at(1).is(Punct::LBracket) {
                    specs.attrs.merge(self.attributes()?);
                    continue;
                }
                if !seen_type && !basic.any() && self.is_typedef_name(token) {
                    specs.ty = TypeSpec::Typedef(token.text);
                    seen_type = true;
                    self.bump();
                    continue;
                }
                break;
            };
            match kw {
                Kw::Typedef | Kw::Extern | Kw::Static | Kw::Register | Kw::Auto => {
                    self.bump();
                    let storage = match kw {
                        Kw::Typedef => Storage::Typedef,
                        Kw::Extern => Storage::Extern,
                        Kw::Static => Storage::Static,
                        Kw::Register => Storage::Register,
                        _ => Storage::Auto,
                    };
                    if storage == Storage::Auto && specs.storage != Storage::None {
                        has_auto = true;
                        continue;
                    }
                    if specs.storage == Storage::Auto {
                        has_auto = true;
                    } else if specs.storage != Storage::None {
                        return Err(Diagnostic::error(
                            token.span,
                            "multiple storage classes in declaration specifiers",
                        ));
                    }
                    specs.storage = storage;
                }
                Kw::BitInt | Kw::Decimal => {
                    let message = format!("{} is not supported", self.interner.text(token.text));
                    return Err(Diagnostic::unsupported(token.span, message));
                }
                Kw::Thread => {
                    self.bump();
                    specs.thread_local = true;
                }
                Kw::Constexpr => {
                    self.bump();
                    specs.is_constexpr = true;
                    specs.quals.is_const = true;
                }
                Kw::Inline => {
                    self.bump();
                    specs.is_inline = true;
                }
                Kw::Noreturn => {
                    self.bump();
                    specs.is_noreturn = true;
                }
                Kw::Extension => {
                    self.bump();
                }
                Kw::Const => {
                    self.bump();
                    specs.quals.is_const = true;
                }
                Kw::Volatile => {
                    self.bump();
                    specs.quals.is_volatile = true;
                }
                Kw::Restrict => {
                    self.bump();
                    restricted = Some(token.span);
                }
                Kw::Attribute => specs.attrs.merge(self.attributes()?),
                Kw::Alignas => {
                    self.bump();
                    self.expect(Punct::LParen)?;
                    let spec = if self.starts_type(self.peek()) {
                        AlignSpec::Type(Rc::new(self.type_name()?))
                    } else {
                        AlignSpec::Expr(Rc::new(self.conditional()?))
                    };
                    self.expect(Punct::RParen)?;
                    specs.attrs.aligned.push(spec);
                }
                Kw::Atomic => {
                    self.bump();
                    if self.is(Punct::LParen) && !seen_type && !basic.any() {
                        self.bump();
                        specs.ty = TypeSpec::Atomic(Box::new(self.type_name()?));
                        seen_type = true;
                        self.expect(Punct::RParen)?;
                    }
                    specs.quals.is_atomic = true;
                }
                Kw::Struct | Kw::Union | Kw::Enum | Kw::Typeof | Kw::TypeofUnqual | Kw::AutoType if seen_type => {
                    return Err(Diagnostic::error(token.span, "two or more data types in declaration specifiers"));
                }
                Kw::Struct | Kw::Union => {
                    let (record, attrs) = self.record_spec()?;
                    specs.ty = TypeSpec::Record(record);
                    specs.attrs.merge(attrs);
                    seen_type = true;
                }
                Kw::Enum => {
                    specs.ty = TypeSpec::Enum(self.enum_spec()?);
                    seen_type = true;
                }
                Kw::Typeof | Kw::TypeofUnqual => {
                    self.bump();
                    self.expect(Punct::LParen)?;
                    let ty = if self.starts_type(self.peek()) {
                        TypeSpec::TypeofType(Box::new(self.type_name()?))
                    } else {
                        TypeSpec::TypeofExpr(Box::new(self.expr()?))
                    };
                    specs.ty = if kw == Kw::Typeof { ty } else { TypeSpec::Unqualified(Box::new(ty)) };
                    self.expect(Punct::RParen)?;
                    seen_type = true;
                }
                Kw::AutoType => {
                    self.bump();
                    specs.ty = TypeSpec::AutoType;
                    seen_type = true;
                }
                _ => {
                    if !basic.add(kw) {
                        break;
                    }
                    self.bump();
                }
            }
        }
        if basic.any() {
            let Some(ty) = basic.resolve() else {
                return Err(Diagnostic::error(start, "these type specifiers do not go together"));
            };
            if seen_type {
                return Err(Diagnostic::error(start, "two or more data types in declaration specifiers"));
            }
            specs.ty = if basic.complex > 0 { TypeSpec::Complex(ty) } else { TypeSpec::Basic(ty) };
        } else if !seen_type && (specs.storage == Storage::Auto || has_auto) {
            specs.ty = TypeSpec::AutoType;
        }
        if has_auto && !matches!(specs.ty, TypeSpec::AutoType) {
            return Err(Diagnostic::error(start, "multiple storage classes in declaration specifiers"));
        }
        if let Some(span) = restricted
            && matches!(specs.ty, TypeSpec::Basic(_) | TypeSpec::Complex(_) | TypeSpec::Record(_) | TypeSpec::Enum(_))
        {
            return Err(Diagnostic::error(span, "invalid use of 'restrict'"));
        }
        let is_empty = !seen_type && !basic.any() && self.next > 0 && start == self.peek().span;
        if is_empty {
            // Implicit int is possible only before a function's or an object's name at file scope.
            let is_old_style = matches!(context, SpecContext::File)
                && (self.is_plain_ident(self.peek())
                    && [Punct::LParen, Punct::Assign, Punct::Semi].iter().any(|&p| self.peek_at(1).is(p))
                    || self.is(Punct::Star));
            if !is_old_style {
                return Err(self.unexpected("expected a declaration"));
            }
        }
        specs.span = start.to(self.last_span());
        Ok(specs)
    }

    /// A struct or union, with the attributes behind it that belong to what is declared.
    fn record_spec(&mut self) -> PResult<(RecordSpec, Attrs)> {
        let start = self.peek().span;
        let is_union = self.kw() == Some(Kw::Union);
        self.bump();
        let mut attrs = self.attributes()?;
        let tag = if self.is_plain_ident(self.peek()) { Some(self.bump().text) } else { None };
        let behind = self.attributes()?;
        let mut members = None;
        if self.is(Punct::LBrace) {
            attrs.merge(behind);
            self.bump();
            let pack_before = self.pack;
            members = Some(self.nested(|p| p.members())?);
            attrs.merge(self.attributes()?);
            let record = RecordSpec { is_union, tag, members, attrs, pack: pack_before, span: start };
            return Ok((record, Attrs::default()));
        }
        if tag.is_none() {
            return Err(self.unexpected("expected a tag or '{'"));
        }
        Ok((RecordSpec { is_union, tag, members, attrs, pack: self.pack, span: start }, behind))
    }

    fn members(&mut self) -> PResult<Vec<Member>> {
        let mut members = Vec::new();
        while !self.accept(Punct::RBrace) {
            if self.accept(Punct::Semi) {
                continue;
            }
            while self.accept_kw(Kw::Extension) {}
            if self.kw() == Some(Kw::StaticAssert) {
                members.push(Member::StaticAssert(self.static_assert()?));
                continue;
            }
            let start = self.peek().span;
            let specs = Rc::new(self.decl_specs(SpecContext::Other)?);
            if self.accept(Punct::Semi) {
                members.push(Member::Field { specs, declarator: None, width: None, span: start });
                continue;
            }
            loop {
                let mut attrs = self.attributes()?;
                let mut declarator = None;
                if !self.is(Punct::Colon) {
                    declarator = Some(self.declarator(false)?);
                }
                let width = if self.accept(Punct::Colon) { Some(self.conditional()?) } else { None };
                self.declarator_trailer(&mut attrs)?;
                let span = declarator.as_ref().map_or(start, |d| d.span);
                let mut declarator =
                    declarator.unwrap_or(Declarator { name: None, span, parts: Vec::new(), attrs: Attrs::default() });
                declarator.attrs.merge(attrs);
                members.push(Member::Field { specs: specs.clone(), declarator: Some(declarator), width, span });
                if !self.accept(Punct::Comma) {
                    break;
                }
            }
            if !self.is(Punct::RBrace) {
                self.expect(Punct::Semi)?;
            }
        }
        Ok(members)
    }

    fn enum_spec(&mut self) -> PResult<EnumSpec> {
        let start = self.bump().span;
        let mut attrs = self.attributes()?;
        let tag = if self.is_plain_ident(self.peek()) { Some(self.bump().text) } else { None };
        let mut underlying = None;
        if self.is(Punct::Colon) && self.starts_type(self.peek_at(1)) {
            self.bump();
            underlying = Some(Box::new(self.type_name()?));
        }
        let mut enumerators = None;
        if self.accept(Punct::LBrace) {
            let mut list = Vec::new();
            while !self.accept(Punct::RBrace) {
                let (name, span) = self.ident()?;
                self.attributes()?;
                let value = if self.accept(Punct::Assign) { Some(self.conditional()?) } else { None };
                self.declare(name, false);
                list.push((name, value, span));
                if !self.accept(Punct::Comma) {
                    self.expect(Punct::RBrace)?;
                    break;
                }
            }
            enumerators = Some(list);
            attrs.merge(self.attributes()?);
        } else if tag.is_none() {
            return Err(self.unexpected("expected a tag or '{'"));
        }
        Ok(EnumSpec { tag, enumerators, attrs, underlying, span: start })
    }

    // ----- declarators -----

    fn pointer_quals(&mut self, attrs: &mut Attrs) -> PResult<Quals> {
        let mut quals = Quals::default();
        loop {
            match self.kw() {
                Some(Kw::Const) => quals.is_const = true,
                Some(Kw::Volatile) => quals.is_volatile = true,
                Some(Kw::Atomic) => quals.is_atomic = true,
                Some(Kw::Restrict | Kw::Extension) => {}
                Some(Kw::Attribute) => {
                    attrs.merge(self.attributes()?);
                    continue;
                }
                _ => return Ok(quals),
            }
            self.bump();
        }
    }

    /// A declarator; an abstract one may lack its name.
    fn declarator(&mut self, abstract_allowed: bool) -> PResult<Declarator> {
        self.nested(|p| p.declarator_inner(abstract_allowed))
    }

    fn declarator_inner(&mut self, abstract_allowed: bool) -> PResult<Declarator> {
        let mut attrs = self.attributes()?;
        let mut parts = Vec::new();
        while self.accept(Punct::Star) {
            parts.push(DeclaratorPart::Pointer(self.pointer_quals(&mut attrs)?));
        }
        let span = self.peek().span;
        let mut inner = None;
        let mut name = None;
        if self.is_plain_ident(self.peek()) && !(abstract_allowed && self.is_typedef_name(self.peek())) {
            name = Some(self.bump().text);
        } else if self.is(Punct::LParen) && self.paren_opens_declarator(abstract_allowed) {
            self.bump();
            inner = Some(self.declarator(abstract_allowed)?);
            self.expect(Punct::RParen)?;
        } else if self.is_typedef_name(self.peek()) && !abstract_allowed {
            name = Some(self.bump().text);
        } else if !abstract_allowed {
            return Err(self.unexpected("expected a name"));
        }
        let mut suffixes = Vec::new();
        loop {
            if self.is(Punct::LBracket) && !self.peek_at(1).is(Punct::LBracket) {
                let start = self.bump().span;
                let mut ignored = Attrs::default();
                let mut quals = Quals::default();
                loop {
                    if self.accept_kw(Kw::Static) {
                        continue;
                    }
                    let more = self.pointer_quals(&mut ignored)?;
                    if more == Quals::default() && self.kw() != Some(Kw::Static) {
                        break;
                    }
                    quals = quals.union(more);
                }
                let size = if self.is(Punct::RBracket) {
                    None
                } else if self.is(Punct::Star) && self.peek_at(1).is(Punct::RBracket) {
                    self.bump();
                    None
                } else {
                    Some(Box::new(self.assignment()?))
                };
                self.expect(Punct::RBracket)?;
                suffixes.push(DeclaratorPart::Array { size, quals, span: start });
            } else if self.is(Punct::LBracket) {
                attrs.merge(self.attributes()?);
            } else if self.is(Punct::LParen) {
                suffixes.push(DeclaratorPart::Function(self.function_part()?));
            } else {
                break;
            }
        }
        attrs.merge(self.attributes()?);
        suffixes.reverse();
        parts.extend(suffixes);
        let mut declarator = Declarator { name, span, parts, attrs };
        if let Some(inner) = inner {
            declarator.name = inner.name;
            declarator.span = inner.span;
            declarator.parts.extend(inner.parts);
            declarator.attrs.merge(inner.attrs);
        }
        Ok(declarator)
    }

    /// Does this `(` open a nested declarator rather than a parameter list?
    fn paren_opens_declarator(&self, abstract_allowed: bool) -> bool {
        let next = self.peek_at(1);
        if !abstract_allowed {
            return true;
        }
        if next.is(Punct::Star) || next.is(Punct::LParen) || next.is(Punct::LBracket) || next.is(Punct::Caret) {
            return true;
        }
        if self.kw_of(next) == Some(Kw::Attribute) {
            return true;
        }
        self.is_plain_ident(next) && !self.is_typedef_name(next)
    }

    fn function_part(&mut self) -> PResult<FunctionPart> {
        self.expect(Punct::LParen)?;
        let mut part = FunctionPart::default();
        if self.accept(Punct::RParen) {
            part.unspecified = true;
            return Ok(part);
        }
        if self.kw() == Some(Kw::Void) && self.peek_at(1).is(Punct::RParen) {
            self.bump();
            self.bump();
            return Ok(part);
        }
        if self.is_plain_ident(self.peek()) && !self.is_typedef_name(self.peek()) {
            loop {
                let (name, span) = self.ident()?;
                part.names.push((name, span));
                if !self.accept(Punct::Comma) {
                    break;
                }
            }
            self.expect(Punct::RParen)?;
            part.unspecified = true;
            return Ok(part);
        }
        self.in_scope(|p| {
            loop {
                if p.accept(Punct::Ellipsis) {
                    part.variadic = true;
                    break;
                }
                while p.accept_kw(Kw::Extension) {}
                let start = p.peek().span;
                let specs = Rc::new(p.decl_specs(SpecContext::Other)?);
                let mut declarator = p.param_declarator()?;
                let mut attrs = Attrs::default();
                p.declarator_trailer(&mut attrs)?;
                declarator.attrs.merge(attrs);
                if let Some(name) = declarator.name {
                    p.declare(name, false);
                }
                part.params.push(Param { specs, declarator, span: start.to(p.last_span()) });
                if !p.accept(Punct::Comma) {
                    break;
                }
            }
            p.expect(Punct::RParen)?;
            Ok(part)
        })
    }

    /// A parameter's declarator, with or without a name. A typedef name directly here is a parameter
    /// name only when a type was already given, which `decl_specs` has made sure of; but in
    /// parentheses it is a parameter list (C11 6.7.6.3p11).
    fn param_declarator(&mut self) -> PResult<Declarator> {
        if self.is_typedef_name(self.peek()) {
            let next = self.peek_at(1);
            if next.is(Punct::Comma) || next.is(Punct::RParen) || next.is(Punct::LBracket) {
                return self.declarator(false);
            }
        }
        self.declarator(true)
    }

    fn type_name(&mut self) -> PResult<TypeName> {
        let start = self.peek().span;
        let specs = Rc::new(self.decl_specs(SpecContext::Other)?);
        let declarator = self.declarator(true)?;
        if declarator.name.is_some() {
            return Err(Diagnostic::error(declarator.span, "a type name has no identifier"));
        }
        Ok(TypeName { specs, declarator, span: start.to(self.last_span()) })
    }

    // ----- initialisers -----

    fn initializer(&mut self) -> PResult<Initializer> {
        if self.is(Punct::LBrace) {
            let start = self.peek().span;
            let items = self.nested(|p| p.init_list())?;
            return Ok(Initializer::List(items, start.to(self.last_span())));
        }
        Ok(Initializer::Expr(self.assignment()?))
    }

    fn init_list(&mut self) -> PResult<Vec<InitItem>> {
        self.expect(Punct::LBrace)?;
        let mut items = Vec::new();
        while !self.accept(Punct::RBrace) {
            let mut designators = Vec::new();
            // Old GNU form `field: value`.
            if self.is_plain_ident(self.peek()) && self.peek_at(1).is(Punct::Colon) {
                let (name, span) = self.ident()?;
                self.bump();
                designators.push(Designator::Field(name, span));
            } else {
                loop {
                    if self.accept(Punct::Dot) {
                        let (name, span) = self.ident()?;
                        designators.push(Designator::Field(name, span));
                    } else if self.accept(Punct::LBracket) {
                        let from = self.conditional()?;
                        if self.accept(Punct::Ellipsis) {
                            let to = self.conditional()?;
                            designators.push(Designator::Range(from, to));
                        } else {
                            designators.push(Designator::Index(from));
                        }
                        self.expect(Punct::RBracket)?;
                    } else {
                        break;
                    }
                }
                if !designators.is_empty() {
                    self.accept(Punct::Assign);
                }
            }
            let init = self.initializer()?;
            items.push(InitItem { designators, init });
            if !self.accept(Punct::Comma) {
                self.expect(Punct::RBrace)?;
                break;
            }
        }
        Ok(items)
    }

    // ----- statements -----

    fn block(&mut self) -> PResult<Block> {
        let start = self.expect(Punct::LBrace)?.span;
        self.in_scope(|p| {
            let mut stmts = Vec::new();
            while !p.accept(Punct::RBrace) {
                if p.peek().kind == TokenKind::Eof {
                    return Err(p.unexpected("expected '}'"));
                }
                stmts.push(p.stmt()?);
            }
            Ok(Block { stmts, span: start.to(p.last_span()) })
        })
    }

    fn stmt(&mut self) -> PResult<Stmt> {
        self.nested(|p| p.stmt_inner())
    }

    fn stmt_inner(&mut self) -> PResult<Stmt> {
        if self.is(Punct::LBracket) && self.peek_at(1).is(Punct::LBracket) {
            self.attributes()?;
        }
        let token = self.peek();
        let start = token.span;
        let done = |p: &Self, kind: StmtKind| Ok(Stmt { kind, span: start.to(p.last_span()) });
        if let TokenKind::Punct(p) = token.kind {
            match p {
                Punct::Semi => {
                    self.bump();
                    return done(self, StmtKind::Empty);
                }
                Punct::LBrace => {
                    let block = self.block()?;
                    return done(self, StmtKind::Block(block));
                }
                _ => {}
            }
        }
        if self.is_plain_ident(token) && self.peek_at(1).is(Punct::Colon) {
            self.bump();
            self.bump();
            self.attributes()?;
            let body = self.labelled_body(start)?;
            return done(self, StmtKind::Label(token.text, Box::new(body)));
        }
        match self.kw() {
            Some(Kw::If) => {
                self.bump();
                self.expect(Punct::LParen)?;
                let condition = self.expr()?;
                self.expect(Punct::RParen)?;
                let then = self.sub_stmt()?;
                let otherwise = if self.accept_kw(Kw::Else) { Some(Box::new(self.sub_stmt()?)) } else { None };
                done(self, StmtKind::If(condition, Box::new(then), otherwise))
            }
            Some(Kw::While) => {
                self.bump();
                self.expect(Punct::LParen)?;
                let condition = self.expr()?;
                self.expect(Punct::RParen)?;
                let body = self.sub_stmt()?;
                done(self, StmtKind::While(condition, Box::new(body)))
            }
            Some(Kw::Do) => {
                self.bump();
                let body = self.sub_stmt()?;
                if !self.accept_kw(Kw::While) {
                    return Err(self.unexpected("expected 'while'"));
                }
                self.expect(Punct::LParen)?;
                let condition = self.expr()?;
                self.expect(Punct::RParen)?;
                self.expect(Punct::Semi)?;
                done(self, StmtKind::DoWhile(Box::new(body), condition))
            }
            Some(Kw::For) => {
                self.bump();
                self.expect(Punct::LParen)?;
                self.in_scope(|p| {
                    let init = if p.accept(Punct::Semi) {
                        None
                    } else if p.starts_declaration(p.peek()) || p.kw() == Some(Kw::Extension) {
                        while p.accept_kw(Kw::Extension) {}
                        let begin = p.peek().span;
                        let specs = Rc::new(p.decl_specs(SpecContext::Other)?);
                        let declaration = p.declaration_rest(specs, None, begin)?;
                        let span = declaration.span;
                        Some(Box::new(Stmt { kind: StmtKind::Declaration(declaration), span }))
                    } else {
                        let e = p.expr()?;
                        p.expect(Punct::Semi)?;
                        let span = e.span;
                        Some(Box::new(Stmt { kind: StmtKind::Expr(e), span }))
                    };
                    let condition = if p.is(Punct::Semi) { None } else { Some(p.expr()?) };
                    p.expect(Punct::Semi)?;
                    let step = if p.is(Punct::RParen) { None } else { Some(p.expr()?) };
                    p.expect(Punct::RParen)?;
                    let body = Box::new(p.sub_stmt()?);
                    done(p, StmtKind::For { init, condition, step, body })
                })
            }
            Some(Kw::Switch) => {
                self.bump();
                self.expect(Punct::LParen)?;
                let value = self.expr()?;
                self.expect(Punct::RParen)?;
                let body = self.stmt()?;
                done(self, StmtKind::Switch(value, Box::new(body)))
            }
            Some(Kw::Case) => {
                self.bump();
                let from = self.conditional()?;
                let to = if self.accept(Punct::Ellipsis) { Some(self.conditional()?) } else { None };
                self.expect(Punct::Colon)?;
                let body = self.labelled_body(start)?;
                done(self, StmtKind::Case(from, to, Box::new(body)))
            }
            Some(Kw::Default) => {
                self.bump();
                self.expect(Punct::Colon)?;
                let body = self.labelled_body(start)?;
                done(self, StmtKind::Default(Box::new(body)))
            }
            Some(Kw::Goto) => {
                self.bump();
                if self.accept(Punct::Star) {
                    let target = self.expr()?;
                    self.expect(Punct::Semi)?;
                    return done(self, StmtKind::ComputedGoto(target));
                }
                let (label, _) = self.ident()?;
                self.expect(Punct::Semi)?;
                done(self, StmtKind::Goto(label))
            }
            Some(Kw::Break) => {
                self.bump();
                self.expect(Punct::Semi)?;
                done(self, StmtKind::Break)
            }
            Some(Kw::Continue) => {
                self.bump();
                self.expect(Punct::Semi)?;
                done(self, StmtKind::Continue)
            }
            Some(Kw::Return) => {
                self.bump();
                let value = if self.is(Punct::Semi) { None } else { Some(self.expr()?) };
                self.expect(Punct::Semi)?;
                done(self, StmtKind::Return(value))
            }
            Some(Kw::Asm) => {
                let asm = self.asm_stmt()?;
                done(self, StmtKind::Asm(asm))
            }
            Some(Kw::Label) => {
                self.bump();
                let mut names = Vec::new();
                loop {
                    names.push(self.ident()?.0);
                    if !self.accept(Punct::Comma) {
                        break;
                    }
                }
                self.expect(Punct::Semi)?;
                done(self, StmtKind::LocalLabels(names))
            }
            Some(Kw::StaticAssert) => {
                let assertion = self.static_assert()?;
                done(self, StmtKind::StaticAssert(assertion))
            }
            Some(Kw::Extension) if self.starts_declaration(self.peek_at(1)) => {
                self.bump();
                self.stmt_inner()
            }
            _ if self.starts_declaration(token) => self.block_declaration(start),
            _ => {
                let e = self.expr()?;
                self.expect(Punct::Semi)?;
                done(self, StmtKind::Expr(e))
            }
        }
    }

    /// A statement that is part of another one, which no declaration can be.
    fn sub_stmt(&mut self) -> PResult<Stmt> {
        let token = self.peek();
        let starts_attribute = self.kw_of(token) == Some(Kw::Attribute);
        let is_label = self.is_plain_ident(token) && self.peek_at(1).is(Punct::Colon);
        if self.starts_declaration(token) && !starts_attribute && !is_label {
            return Err(self.unexpected("expected a statement"));
        }
        self.stmt()
    }

    /// What follows a label: a statement, or nothing before `}` (C23), or a declaration.
    fn labelled_body(&mut self, label: Span) -> PResult<Stmt> {
        if self.is(Punct::RBrace) {
            return Ok(Stmt { kind: StmtKind::Empty, span: label });
        }
        self.stmt()
    }

    fn block_declaration(&mut self, start: Span) -> PResult<Stmt> {
        let specs = Rc::new(self.decl_specs(SpecContext::Other)?);
        if self.is(Punct::Semi) {
            // `__attribute__((fallthrough));`, or a tag declared alone.
            self.bump();
            let declaration = Declaration { specs, declarators: Vec::new(), span: start.to(self.last_span()) };
            return Ok(Stmt { span: declaration.span, kind: StmtKind::Declaration(declaration) });
        }
        let mut declarator = self.declarator(false)?;
        self.declarator_trailer(&mut declarator.attrs)?;
        let is_function = matches!(declarator.parts.last(), Some(DeclaratorPart::Function(_)));
        if is_function && self.is(Punct::LBrace) {
            let function = self.function_rest(specs, declarator, start)?;
            return Ok(Stmt { span: function.span, kind: StmtKind::NestedFunction(Box::new(function)) });
        }
        let declaration = self.declaration_rest(specs, Some(declarator), start)?;
        Ok(Stmt { span: declaration.span, kind: StmtKind::Declaration(declaration) })
    }

    fn asm_stmt(&mut self) -> PResult<AsmStmt> {
        self.bump();
        let mut has_labels = false;
        while let Some(kw @ (Kw::Volatile | Kw::Goto | Kw::Inline)) = self.kw() {
            has_labels |= kw == Kw::Goto;
            self.bump();
        }
        self.expect(Punct::LParen)?;
        let mut asm = AsmStmt {
            template_is_empty: true,
            outputs: Vec::new(),
            inputs: Vec::new(),
            clobbers_memory: false,
            has_labels,
        };
        let mut template = String::new();
        while self.peek().kind == TokenKind::Str {
            let token = self.bump();
            let units = literal::string(self.interner.text(token.text), 1).unwrap_or_default();
            template.extend(units.iter().map(|&u| char::from_u32(u).unwrap_or('?')));
        }
        let mut instructions = template.split(['\n', ';']).map(str::trim);
        asm.template_is_empty = instructions.all(|i| IDLE_INSTRUCTIONS.contains(&i));
        let mut section = 0;
        while !self.is(Punct::RParen) {
            if self.accept(Punct::Colon) {
                section += 1;
                continue;
            }
            if self.accept(Punct::Comma) {
                continue;
            }
            match section {
                1 | 2 => {
                    if self.accept(Punct::LBracket) {
                        self.bump();
                        self.expect(Punct::RBracket)?;
                    }
                    while self.peek().kind == TokenKind::Str {
                        self.bump();
                    }
                    self.expect(Punct::LParen)?;
                    let operand = self.expr()?;
                    self.expect(Punct::RParen)?;
                    if section == 1 { asm.outputs.push(operand) } else { asm.inputs.push(operand) }
                }
                3 if self.peek().kind == TokenKind::Str => {
                    let token = self.bump();
                    asm.clobbers_memory |= self.interner.text(token.text) == "\"memory\"";
                }
                4 => {
                    self.ident()?;
                }
                _ => return Err(self.unexpected("bad asm operand")),
            }
        }
        self.expect(Punct::RParen)?;
        self.expect(Punct::Semi)?;
        Ok(asm)
    }

    // ----- expressions -----

    fn expr(&mut self) -> PResult<Expr> {
        let mut left = self.assignment()?;
        let mut chain = 0;
        while self.accept(Punct::Comma) {
            self.check_chain(&mut chain)?;
            let right = self.assignment()?;
            let span = left.span.to(right.span);
            left = Expr { kind: ExprKind::Comma(Box::new(left), Box::new(right)), span };
        }
        Ok(left)
    }

    fn check_chain(&self, chain: &mut usize) -> PResult<()> {
        *chain += 1;
        if *chain > MAX_CHAIN {
            return Err(Diagnostic::unsupported(self.peek().span, "an expression this long is not supported"));
        }
        Ok(())
    }

    fn assignment(&mut self) -> PResult<Expr> {
        self.nested(|p| {
            let left = p.conditional()?;
            let op = match p.peek().kind {
                TokenKind::Punct(Punct::Assign) => None,
                TokenKind::Punct(Punct::StarAssign) => Some(BinaryOp::Mul),
                TokenKind::Punct(Punct::SlashAssign) => Some(BinaryOp::Div),
                TokenKind::Punct(Punct::PercentAssign) => Some(BinaryOp::Rem),
                TokenKind::Punct(Punct::PlusAssign) => Some(BinaryOp::Add),
                TokenKind::Punct(Punct::MinusAssign) => Some(BinaryOp::Sub),
                TokenKind::Punct(Punct::ShlAssign) => Some(BinaryOp::Shl),
                TokenKind::Punct(Punct::ShrAssign) => Some(BinaryOp::Shr),
                TokenKind::Punct(Punct::AmpAssign) => Some(BinaryOp::BitAnd),
                TokenKind::Punct(Punct::CaretAssign) => Some(BinaryOp::BitXor),
                TokenKind::Punct(Punct::PipeAssign) => Some(BinaryOp::BitOr),
                _ => return Ok(left),
            };
            p.bump();
            let right = p.assignment()?;
            let span = left.span.to(right.span);
            Ok(Expr { kind: ExprKind::Assign(op, Box::new(left), Box::new(right)), span })
        })
    }

    fn conditional(&mut self) -> PResult<Expr> {
        let condition = self.binary(0)?;
        if !self.accept(Punct::Question) {
            return Ok(condition);
        }
        self.nested(|p| {
            let middle = if p.is(Punct::Colon) { None } else { Some(Box::new(p.expr()?)) };
            p.expect(Punct::Colon)?;
            let otherwise = p.conditional()?;
            let span = condition.span.to(otherwise.span);
            Ok(Expr { kind: ExprKind::Cond(Box::new(condition), middle, Box::new(otherwise)), span })
        })
    }

    fn binary(&mut self, min_level: u8) -> PResult<Expr> {
        let mut left = self.unary()?;
        let mut chain = 0;
        loop {
            let (op, level) = match self.peek().kind {
                TokenKind::Punct(Punct::OrOr) => (BinaryOp::LogOr, 1),
                TokenKind::Punct(Punct::AndAnd) => (BinaryOp::LogAnd, 2),
                TokenKind::Punct(Punct::Pipe) => (BinaryOp::BitOr, 3),
                TokenKind::Punct(Punct::Caret) => (BinaryOp::BitXor, 4),
                TokenKind::Punct(Punct::Amp) => (BinaryOp::BitAnd, 5),
                TokenKind::Punct(Punct::EqEq) => (BinaryOp::Eq, 6),
                TokenKind::Punct(Punct::Ne) => (BinaryOp::Ne, 6),
                TokenKind::Punct(Punct::Lt) => (BinaryOp::Lt, 7),
                TokenKind::Punct(Punct::Gt) => (BinaryOp::Gt, 7),
                TokenKind::Punct(Punct::Le) => (BinaryOp::Le, 7),
                TokenKind::Punct(Punct::Ge) => (BinaryOp::Ge, 7),
                TokenKind::Punct(Punct::Shl) => (BinaryOp::Shl, 8),
                TokenKind::Punct(Punct::Shr) => (BinaryOp::Shr, 8),
                TokenKind::Punct(Punct::Plus) => (BinaryOp::Add, 9),
                TokenKind::Punct(Punct::Minus) => (BinaryOp::Sub, 9),
                TokenKind::Punct(Punct::Star) => (BinaryOp::Mul, 10),
                TokenKind::Punct(Punct::Slash) => (BinaryOp::Div, 10),
                TokenKind::Punct(Punct::Percent) => (BinaryOp::Rem, 10),
                _ => return Ok(left),
            };
            if level <= min_level {
                return Ok(left);
            }
            self.check_chain(&mut chain)?;
            self.bump();
            let right = self.binary(level)?;
            let span = left.span.to(right.span);
            left = Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span };
        }
    }

    fn unary(&mut self) -> PResult<Expr> {
        self.nested(|p| p.unary_inner())
    }

    fn unary_inner(&mut self) -> PResult<Expr> {
        let token = self.peek();
        let start = token.span;
        if let TokenKind::Punct(punct) = token.kind {
            let op = match punct {
                Punct::Plus => Some(UnaryOp::Plus),
                Punct::Minus => Some(UnaryOp::Neg),
                Punct::Tilde => Some(UnaryOp::BitNot),
                Punct::Not => Some(UnaryOp::Not),
                Punct::Star => Some(UnaryOp::Deref),
                Punct::Amp => Some(UnaryOp::AddrOf),
                _ => None,
            };
            if let Some(op) = op {
                self.bump();
                let operand = self.unary()?;
                let span = start.to(operand.span);
                return Ok(Expr { kind: ExprKind::Unary(op, Box::new(operand)), span });
            }
            match punct {
                Punct::Inc | Punct::Dec => {
                    self.bump();
                    let operand = Box::new(self.unary()?);
                    let span = start.to(operand.span);
                    let increment = punct == Punct::Inc;
                    return Ok(Expr { kind: ExprKind::IncDec { increment, prefix: true, operand }, span });
                }
                Punct::AndAnd => {
                    self.bump();
                    let (label, span) = self.ident()?;
                    return Ok(Expr { kind: ExprKind::LabelAddr(label), span: start.to(span) });
                }
                Punct::LParen if self.starts_type(self.peek_at(1)) => {
                    self.bump();
                    let ty = Box::new(self.type_name()?);
                    self.expect(Punct::RParen)?;
                    if self.is(Punct::LBrace) {
                        let literal = self.compound_literal(ty, start)?;
                        return self.postfix(literal);
                    }
                    let operand = self.unary()?;
                    let span = start.to(operand.span);
                    return Ok(Expr { kind: ExprKind::Cast(ty, Box::new(operand)), span });
                }
                _ => {}
            }
        }
        match self.kw() {
            Some(Kw::Extension) => {
                self.bump();
                self.unary()
            }
            Some(kw @ (Kw::Real | Kw::Imag)) => {
                self.bump();
                let operand = self.unary()?;
                let op = if kw == Kw::Real { UnaryOp::Real } else { UnaryOp::Imag };
                let span = start.to(operand.span);
                Ok(Expr { kind: ExprKind::Unary(op, Box::new(operand)), span })
            }
            Some(kw @ (Kw::Sizeof | Kw::Alignof | Kw::GnuAlignof)) => {
                self.bump();
                if self.is(Punct::LParen) && self.starts_type(self.peek_at(1)) {
                    let open = self.bump().span;
                    let ty = Box::new(self.type_name()?);
                    self.expect(Punct::RParen)?;
                    if self.is(Punct::LBrace) {
                        let literal = self.compound_literal(ty, open)?;
                        let operand = Box::new(self.postfix(literal)?);
                        let span = start.to(operand.span);
                        let kind = if kw == Kw::Sizeof {
                            ExprKind::SizeofExpr(operand)
                        } else {
                            ExprKind::AlignofExpr(operand)
                        };
                        return Ok(Expr { kind, span });
                    }
                    let span = start.to(self.last_span());
                    let kind = match kw {
                        Kw::Sizeof => ExprKind::SizeofType(ty),
                        _ => ExprKind::AlignofType(ty, kw == Kw::GnuAlignof),
                    };
                    return Ok(Expr { kind, span });
                }
                let operand = Box::new(self.unary()?);
                let span = start.to(operand.span);
                let kind =
                    if kw == Kw::Sizeof { ExprKind::SizeofExpr(operand) } else { ExprKind::AlignofExpr(operand) };
                Ok(Expr { kind, span })
            }
            _ => {
                let primary = self.primary()?;
                self.postfix(primary)
            }
        }
    }

    fn compound_literal(&mut self, ty: Box<TypeName>, start: Span) -> PResult<Expr> {
        let items = self.nested(|p| p.init_list())?;
        Ok(Expr { kind: ExprKind::CompoundLiteral(ty, items), span: start.to(self.last_span()) })
    }

    fn postfix(&mut self, mut e: Expr) -> PResult<Expr> {
        let mut chain = 0;
        loop {
            let TokenKind::Punct(punct) = self.peek().kind else { return Ok(e) };
            let start = e.span;
            let kind = match punct {
                Punct::LBracket => {
                    self.bump();
                    let index = self.expr()?;
                    self.expect(Punct::RBracket)?;
                    ExprKind::Index(Box::new(e), Box::new(index))
                }
                Punct::LParen => {
                    self.bump();
                    let mut args = Vec::new();
                    if !self.accept(Punct::RParen) {
                        loop {
                            args.push(self.assignment()?);
                            if !self.accept(Punct::Comma) {
                                break;
                            }
                        }
                        self.expect(Punct::RParen)?;
                    }
                    ExprKind::Call(Box::new(e), args)
                }
                Punct::Dot | Punct::Arrow => {
                    self.bump();
                    let (field, field_span) = self.ident()?;
                    ExprKind::Member { base: Box::new(e), arrow: punct == Punct::Arrow, field, field_span }
                }
                Punct::Inc | Punct::Dec => {
                    self.bump();
                    ExprKind::IncDec { increment: punct == Punct::Inc, prefix: false, operand: Box::new(e) }
                }
                _ => return Ok(e),
            };
            self.check_chain(&mut chain)?;
            e = Expr { kind, span: start.to(self.last_span()) };
        }
    }

    fn primary(&mut self) -> PResult<Expr> {
        let token = self.peek();
        let start = token.span;
        match token.kind {
            TokenKind::Number => {
                self.bump();
                Ok(Expr { kind: ExprKind::Number(token.text), span: start })
            }
            TokenKind::Char => {
                self.bump();
                Ok(Expr { kind: ExprKind::Char(token.text), span: start })
            }
            TokenKind::Str => {
                let mut parts = Vec::new();
                let mut span = start;
                while self.peek().kind == TokenKind::Str {
                    let part = self.bump();
                    parts.push(part.text);
                    span = span.to(part.span);
                }
                Ok(Expr { kind: ExprKind::Str(parts), span })
            }
            TokenKind::Punct(Punct::LParen) => {
                self.bump();
                if self.is(Punct::LBrace) {
                    let block = self.block()?;
                    self.expect(Punct::RParen)?;
                    return Ok(Expr { kind: ExprKind::StmtExpr(block), span: start.to(self.last_span()) });
                }
                let inner = self.expr()?;
                self.expect(Punct::RParen)?;
                Ok(Expr { span: start.to(self.last_span()), ..inner })
            }
            TokenKind::Ident => self.primary_word(token),
            _ => Err(self.unexpected("expected an expression")),
        }
    }

    fn primary_word(&mut self, token: Token) -> PResult<Expr> {
        let start = token.span;
        let kind = match self.kw() {
            None => {
                self.bump();
                let name = Expr { kind: ExprKind::Ident(token.text), span: start };
                let text = self.interner.text(token.text);
                if matches!(text, "__CPROVER_forall" | "__CPROVER_exists") && self.is(Punct::LBrace) {
                    // A quantified formula of CBMC, which is not modelled: lowering says so.
                    self.skip_group(Punct::LBrace, Punct::RBrace)?;
                    let span = start.to(self.last_span());
                    return Ok(Expr { kind: ExprKind::Call(Box::new(name), Vec::new()), span });
                }
                return Ok(name);
            }
            Some(Kw::Generic) => {
                self.bump();
                self.expect(Punct::LParen)?;
                let control = Box::new(self.assignment()?);
                let mut arms = Vec::new();
                while self.accept(Punct::Comma) {
                    let ty = if self.accept_kw(Kw::Default) { None } else { Some(self.type_name()?) };
                    self.expect(Punct::Colon)?;
                    arms.push((ty, self.assignment()?));
                }
                self.expect(Punct::RParen)?;
                ExprKind::Generic(control, arms)
            }
            Some(Kw::BuiltinVaArg) => {
                self.bump();
                self.expect(Punct::LParen)?;
                let list = Box::new(self.assignment()?);
                self.expect(Punct::Comma)?;
                let ty = Box::new(self.type_name()?);
                self.expect(Punct::RParen)?;
                ExprKind::VaArg(list, ty)
            }
            Some(Kw::BuiltinConvertVector) => {
                self.bump();
                self.expect(Punct::LParen)?;
                let vector = Box::new(self.assignment()?);
                self.expect(Punct::Comma)?;
                let ty = Box::new(self.type_name()?);
                self.expect(Punct::RParen)?;
                ExprKind::ConvertVector(vector, ty)
            }
            Some(Kw::BuiltinOffsetof) => {
                self.bump();
                self.expect(Punct::LParen)?;
                let ty = Box::new(self.type_name()?);
                self.expect(Punct::Comma)?;
                let (name, span) = self.ident()?;
                let mut path = vec![Designator::Field(name, span)];
                loop {
                    if self.accept(Punct::Dot) {
                        let (name, span) = self.ident()?;
                        path.push(Designator::Field(name, span));
                    } else if self.accept(Punct::LBracket) {
                        path.push(Designator::Index(self.expr()?));
                        self.expect(Punct::RBracket)?;
                    } else {
                        break;
                    }
                }
                self.expect(Punct::RParen)?;
                ExprKind::Offsetof(ty, path)
            }
            Some(Kw::BuiltinTypesCompatible) => {
                self.bump();
                self.expect(Punct::LParen)?;
                let left = Box::new(self.type_name()?);
                self.expect(Punct::Comma)?;
                let right = Box::new(self.type_name()?);
                self.expect(Punct::RParen)?;
                ExprKind::TypesCompatible(left, right)
            }
            Some(Kw::BuiltinChoose) => {
                self.bump();
                self.expect(Punct::LParen)?;
                let condition = Box::new(self.assignment()?);
                self.expect(Punct::Comma)?;
                let yes = Box::new(self.assignment()?);
                self.expect(Punct::Comma)?;
                let no = Box::new(self.assignment()?);
                self.expect(Punct::RParen)?;
                ExprKind::ChooseExpr(condition, yes, no)
            }
            Some(_) => return Err(self.unexpected("expected an expression")),
        };
        Ok(Expr { kind, span: start.to(self.last_span()) })
    }
}

/// The words of a basic type, in any order.
#[derive(Default)]
struct BasicWords {
    void: u8,
    boolean: u8,
    char: u8,
    short: u8,
    int: u8,
    long: u8,
    signed: u8,
    unsigned: u8,
    float: u8,
    double: u8,
    long_double: u8,
    float16: u8,
    float128: u8,
    complex: u8,
    int128: u8,
    uint128: u8,
    va_list: u8,
}

impl BasicWords {
    fn any(&self) -> bool {
        self.total() > 0
    }
    fn total(&self) -> u8 {
        self.void
            + self.boolean
            + self.char
            + self.short
            + self.int
            + self.long
            + self.signed
            + self.unsigned
            + self.float
            + self.double
            + self.long_double
            + self.float16
            + self.float128
            + self.complex
            + self.int128
            + self.uint128
            + self.va_list
    }
    fn add(&mut self, kw: Kw) -> bool {
        let word = match kw {
            Kw::Void => &mut self.void,
            Kw::Bool => &mut self.boolean,
            Kw::Char => &mut self.char,
            Kw::Short => &mut self.short,
            Kw::Int => &mut self.int,
            Kw::Long => &mut self.long,
            Kw::Signed => &mut self.signed,
            Kw::Unsigned => &mut self.unsigned,
            Kw::Float => &mut self.float,
            Kw::Double => &mut self.double,
            Kw::LongDouble => &mut self.long_double,
            Kw::Float16 => &mut self.float16,
            Kw::Float128 => &mut self.float128,
            Kw::Complex => &mut self.complex,
            Kw::Int128 => &mut self.int128,
            Kw::UInt128 => &mut self.uint128,
            Kw::VaList => &mut self.va_list,
            _ => return false,
        };
        *word = word.saturating_add(1);
        *word < 10
    }
    /// The type that the words name, or that of the parts if it is complex.
    fn resolve(&self) -> Option<BasicType> {
        let n_other = self.total() - self.complex;
        if self.complex > 1 || self.complex == 1 && self.boolean + self.void + self.va_list > 0 {
            return None;
        }
        if self.complex == 1 && n_other == 0 {
            return Some(BasicType::Double);
        }
        let only = |n: u8| n_other == n;
        let sign = self.signed + self.unsigned;
        if sign > 1 || self.int > 1 || self.long > 2 {
            return None;
        }
        let unsigned = self.unsigned == 1;
        let pick = |yes: BasicType, no: BasicType| Some(if unsigned { yes } else { no });
        if self.void == 1 && only(1) {
            Some(BasicType::Void)
        } else if self.boolean == 1 && only(1) {
            Some(BasicType::Bool)
        } else if self.va_list == 1 && only(1) {
            Some(BasicType::VaList)
        } else if self.uint128 == 1 && only(1) {
            Some(BasicType::UInt128)
        } else if self.int128 == 1 && only(1 + sign) {
            pick(BasicType::UInt128, BasicType::Int128)
        } else if self.float == 1 && only(1) {
            Some(BasicType::Float)
        } else if self.float16 == 1 && only(1) {
            Some(BasicType::Float16)
        } else if self.float128 == 1 && only(1) {
            Some(BasicType::Float128)
        } else if self.long_double == 1 && only(1) {
            Some(BasicType::LongDouble)
        } else if self.double == 1 && only(1 + self.long) && self.long <= 1 {
            Some(if self.long == 0 { BasicType::Double } else { BasicType::LongDouble })
        } else if self.char == 1 && only(1 + sign) {
            if sign == 0 { Some(BasicType::Char) } else { pick(BasicType::UChar, BasicType::SChar) }
        } else if self.short == 1 && only(1 + sign + self.int) {
            pick(BasicType::UShort, BasicType::Short)
        } else if self.long == 1 && only(1 + sign + self.int) {
            pick(BasicType::ULong, BasicType::Long)
        } else if self.long == 2 && only(2 + sign + self.int) {
            pick(BasicType::ULongLong, BasicType::LongLong)
        } else if only(sign + self.int) {
            pick(BasicType::UInt, BasicType::Int)
        } else {
            None
        }
    }
}
