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

mod declarations;
mod declarators;
mod expressions;
mod specifiers;
mod statements;

use specifiers::BasicWords;
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
    Attribute "__attribute__" "__attribute"; Auto "auto"; AutoType "__auto_type"; BitInt "_BitInt" "__CPROVER_bitvector" "__CPROVER_signedbv" "__CPROVER_unsignedbv" "__CPROVER_fixedbv" "__CPROVER_floatbv" "__CPROVER_integer" "__CPROVER_natural" "__CPROVER_rational" "__CPROVER_real"; Bool "_Bool"; Break "break";
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
}
