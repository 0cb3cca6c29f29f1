//! Characters to preprocessing tokens.
//!
//! The lexer knows nothing of keywords, macros or types: it cuts a file into identifiers, numbers,
//! literals and punctuators (C11 6.4) and remembers for each whether it opens a line (directives do)
//! and whether white space stands before it (stringification needs that). Texts are interned, so a
//! token is a small `Copy` value. Line splices are removed first; spans always point into the file as
//! the user wrote it.
//!
//! Invariant: the spans of the tokens of one file are disjoint and increasing.

use base::{Diagnostic, FileId, Span};
use rustc_hash::FxHashMap;

/// An interned text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Sym(pub u32);

/// The texts behind [`Sym`]s.
#[derive(Default, Debug)]
pub struct Interner {
    ids: FxHashMap<Box<str>, Sym>,
    texts: Vec<Box<str>>,
}

impl Interner {
    pub fn intern(&mut self, text: &str) -> Sym {
        if let Some(&sym) = self.ids.get(text) {
            return sym;
        }
        let sym = Sym(self.texts.len() as u32);
        self.texts.push(text.into());
        self.ids.insert(text.into(), sym);
        sym
    }
    /// The symbol of a text that was interned before.
    pub fn find(&self, text: &str) -> Option<Sym> {
        self.ids.get(text).copied()
    }
    pub fn text(&self, sym: Sym) -> &str {
        &self.texts[sym.0 as usize]
    }
}

macro_rules! punctuators {
    ($($name:ident $text:literal)*) => {
        /// A punctuator.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Punct { $($name),* }
        impl Punct {
            pub fn text(self) -> &'static str {
                match self { $(Punct::$name => $text),* }
            }
            fn from_text(text: &[u8]) -> Option<Punct> {
                const ALL: &[(&[u8], Punct)] = &[$(($text.as_bytes(), Punct::$name)),*];
                ALL.iter().find(|(t, _)| *t == text).map(|&(_, p)| p)
            }
        }
    };
}

punctuators! {
    LParen "(" RParen ")" LBracket "[" RBracket "]" LBrace "{" RBrace "}" Semi ";" Comma "," Dot "."
    Arrow "->" Inc "++" Dec "--" Amp "&" Star "*" Plus "+" Minus "-" Tilde "~" Not "!" Slash "/"
    Percent "%" Shl "<<" Shr ">>" Lt "<" Gt ">" Le "<=" Ge ">=" EqEq "==" Ne "!=" Caret "^" Pipe "|"
    AndAnd "&&" OrOr "||" Question "?" Colon ":" Ellipsis "..." Assign "=" StarAssign "*="
    SlashAssign "/=" PercentAssign "%=" PlusAssign "+=" MinusAssign "-=" ShlAssign "<<="
    ShrAssign ">>=" AmpAssign "&=" CaretAssign "^=" PipeAssign "|=" Hash "#" HashHash "##"
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TokenKind {
    Ident,
    Number,
    Char,
    Str,
    Punct(Punct),
    /// A character that no token starts with; an error unless the preprocessor drops it.
    Other,
    /// The argument of a `#pragma pack`, passed through to the parser.
    PragmaPack,
    Eof,
}

#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub kind: TokenKind,
    /// The spelling, without splices.
    pub text: Sym,
    pub span: Span,
    pub at_line_start: bool,
    pub after_space: bool,
    /// A macro name met during its own expansion: never expanded again.
    pub no_expand: bool,
}

impl Token {
    pub fn is(&self, punct: Punct) -> bool {
        self.kind == TokenKind::Punct(punct)
    }
}

/// Source text with splices removed, and the way back to offsets in the original.
struct Cleaned<'a> {
    text: std::borrow::Cow<'a, [u8]>,
    /// (offset in `text`, bytes removed before it), increasing.
    removed: Vec<(usize, usize)>,
}

impl<'a> Cleaned<'a> {
    fn new(text: &'a str) -> Cleaned<'a> {
        let bytes = text.as_bytes();
        if !text.contains("\\\n") && !text.contains("\\\r\n") {
            return Cleaned { text: bytes.into(), removed: Vec::new() };
        }
        let (mut out, mut removed, mut i) = (Vec::with_capacity(bytes.len()), Vec::new(), 0);
        while i < bytes.len() {
            let splice = match &bytes[i..] {
                [b'\\', b'\n', ..] => 2,
                [b'\\', b'\r', b'\n', ..] => 3,
                _ => 0,
            };
            if splice == 0 {
                out.push(bytes[i]);
                i += 1;
            } else {
                i += splice;
                removed.push((out.len(), i - out.len()));
            }
        }
        Cleaned { text: out.into(), removed }
    }
    fn original(&self, offset: usize) -> usize {
        let i = self.removed.partition_point(|&(at, _)| at <= offset);
        if i == 0 { offset } else { offset + self.removed[i - 1].1 }
    }
}

fn is_ident_start(c: u8) -> bool {
    c.is_ascii_alphabetic() || c == b'_' || c == b'$' || c >= 0x80
}

fn starts_identifier(s: &[u8]) -> bool {
    match s[0] {
        b'\\' => universal_name(s).is_some(),
        0x80.. => wide_character(s).1,
        c => is_ident_start(c),
    }
}

fn is_ident_continue(c: u8) -> bool {
    is_ident_start(c) || c.is_ascii_digit()
}

/// The mark that some editors put before a text in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The length of the universal character name (`\\u00e9`) here, if there is one.
fn universal_name(s: &[u8]) -> Option<usize> {
    let n_digits = match s {
        [b'\\', b'u', ..] => 4,
        [b'\\', b'U', ..] => 8,
        _ => return None,
    };
    s.get(2..2 + n_digits).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit)).map(|_| 2 + n_digits)
}

/// An identifier with the characters that its universal names stand for.
fn plain_identifier(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let n = universal_name(&rest.as_bytes()[at..]).unwrap_or(1);
        let code = u32::from_str_radix(rest.get(at + 2..at + n).unwrap_or_default(), 16).ok();
        out.extend(code.and_then(char::from_u32));
        rest = &rest[at + n..];
    }
    out + rest
}

/// The length of the character beyond ASCII here, and whether it may stand in an identifier. (What was no UTF-8 has
/// become U+FFFD.)
fn wide_character(s: &[u8]) -> (usize, bool) {
    let text = std::str::from_utf8(&s[..s.len().min(4)]).or_else(|e| std::str::from_utf8(&s[..e.valid_up_to()]));
    match text.ok().and_then(|t| t.chars().next()) {
        Some(c) => (c.len_utf8(), c.is_alphanumeric() || !(c.is_whitespace() || c.is_control() || is_symbol(c))),
        None => (1, false),
    }
}

/// Quotation marks, dashes, arrows and other signs, and the mark of what could not be read.
fn is_symbol(c: char) -> bool {
    matches!(c, '\u{a1}'..='\u{a7}' | '\u{ab}' | '\u{ac}' | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{203e}' | '\u{2190}'..='\u{2bff}' | '\u{3000}'..='\u{3003}' | '\u{fffd}' | '\u{feff}')
}

/// Cuts `text` into tokens; the last one is [`TokenKind::Eof`]. Unterminated literals and comments
/// are reported and lexed as far as they go.
pub fn lex(text: &str, file: FileId, interner: &mut Interner, diagnostics: &mut Vec<Diagnostic>) -> Vec<Token> {
    let cleaned = Cleaned::new(text);
    let s: &[u8] = &cleaned.text;
    let mut tokens = Vec::with_capacity(s.len() / 4);
    let (mut i, mut at_line_start, mut after_space) = (0usize, true, false);
    // A byte order mark says nothing.
    if s.starts_with(BYTE_ORDER_MARK) {
        i = BYTE_ORDER_MARK.len();
    }
    let span = |from: usize, to: usize| Span::new(file, cleaned.original(from), cleaned.original(to));
    while let Some(&c) = s.get(i) {
        let start = i;
        match c {
            b'\n' => {
                at_line_start = true;
                after_space = true;
                i += 1;
                continue;
            }
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {
                after_space = true;
                i += 1;
                continue;
            }
            b'/' if s.get(i + 1) == Some(&b'/') => {
                while i < s.len() && s[i] != b'\n' {
                    i += 1;
                }
                after_space = true;
                continue;
            }
            b'/' if s.get(i + 1) == Some(&b'*') => {
                i += 2;
                while i < s.len() && !(s[i] == b'*' && s.get(i + 1) == Some(&b'/')) {
                    i += 1;
                }
                if i >= s.len() {
                    diagnostics.push(Diagnostic::error(span(start, start + 2), "unterminated comment"));
                }
                i = (i + 2).min(s.len());
                after_space = true;
                continue;
            }
            _ => {}
        }
        let kind = match c {
            b'"' => lex_quoted(s, &mut i, b'"'),
            b'\'' => lex_quoted(s, &mut i, b'\''),
            _ if starts_identifier(&s[i..]) => {
                while i < s.len() {
                    match s[i] {
                        b'\\' => match universal_name(&s[i..]) {
                            Some(n) => i += n,
                            None => break,
                        },
                        0x80.. => match wide_character(&s[i..]) {
                            (n, true) => i += n,
                            (_, false) => break,
                        },
                        c if is_ident_continue(c) => i += 1,
                        _ => break,
                    }
                }
                match (&s[start..i], s.get(i)) {
                    (b"L" | b"u" | b"U" | b"u8", Some(b'"')) => lex_quoted(s, &mut i, b'"'),
                    (b"L" | b"u" | b"U" | b"u8", Some(b'\'')) => lex_quoted(s, &mut i, b'\''),
                    _ => TokenKind::Ident,
                }
            }
            _ if c.is_ascii_digit() || (c == b'.' && s.get(i + 1).is_some_and(u8::is_ascii_digit)) => {
                while i < s.len() {
                    match s[i] {
                        b'e' | b'E' | b'p' | b'P' if matches!(s.get(i + 1), Some(b'+' | b'-')) => i += 2,
                        d if is_ident_continue(d) || d == b'.' => i += 1,
                        // C23 lets digits be grouped.
                        b'\'' if s.get(i + 1).is_some_and(u8::is_ascii_hexdigit) => i += 2,
                        _ => break,
                    }
                }
                TokenKind::Number
            }
            _ => lex_punctuator(s, &mut i),
        };
        let text = match kind {
            TokenKind::Punct(p) => interner.intern(p.text()),
            TokenKind::Ident if s[start..i].contains(&b'\\') => {
                interner.intern(&plain_identifier(&String::from_utf8_lossy(&s[start..i])))
            }
            _ => interner.intern(&String::from_utf8_lossy(&s[start..i])),
        };
        tokens.push(Token { kind, text, span: span(start, i), at_line_start, after_space, no_expand: false });
        at_line_start = false;
        after_space = false;
    }
    let text = interner.intern("");
    tokens.push(Token {
        kind: TokenKind::Eof,
        text,
        span: span(s.len(), s.len()),
        at_line_start: true,
        after_space: true,
        no_expand: false,
    });
    tokens
}

/// A literal; without its closing quote no token of C, which is an error only where the text is used.
fn lex_quoted(s: &[u8], i: &mut usize, quote: u8) -> TokenKind {
    *i += 1;
    while *i < s.len() && s[*i] != quote && s[*i] != b'\n' {
        *i += if s[*i] == b'\\' { 2 } else { 1 };
    }
    if s.get(*i) == Some(&quote) {
        *i += 1;
    } else {
        *i = (*i).min(s.len());
        return TokenKind::Other;
    }
    if quote == b'"' { TokenKind::Str } else { TokenKind::Char }
}

fn lex_punctuator(s: &[u8], i: &mut usize) -> TokenKind {
    for len in [3usize, 2, 1] {
        let Some(text) = s.get(*i..*i + len) else { continue };
        let text: &[u8] = match text {
            b"<:" => b"[",
            b":>" => b"]",
            b"<%" => b"{",
            b"%>" => b"}",
            b"%:" => b"#",
            other => other,
        };
        if let Some(p) = Punct::from_text(text) {
            *i += len;
            return TokenKind::Punct(p);
        }
    }
    *i += if s[*i] < 0x80 { 1 } else { wide_character(&s[*i..]).0 };
    TokenKind::Other
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<String> {
        let (mut interner, mut diagnostics) = (Interner::default(), Vec::new());
        let tokens = lex(source, FileId(0), &mut interner, &mut diagnostics);
        tokens.iter().map(|t| interner.text(t.text).to_string()).collect()
    }

    #[test]
    fn longest_match_and_numbers() {
        assert_eq!(texts("a+++b 0x1p-3 1.e+5f ..."), ["a", "++", "+", "b", "0x1p-3", "1.e+5f", "...", ""]);
    }

    #[test]
    fn characters_beyond_ascii() {
        assert_eq!(texts("\u{feff}int \u{e9}x\\u00e9;"), ["int", "\u{e9}x\u{e9}", ";", ""]);
        assert_eq!(texts("a\u{fffd}\u{fffd}b"), ["a", "\u{fffd}", "\u{fffd}", "b", ""]);
    }

    #[test]
    fn splices_vanish_but_spans_stay() {
        let (mut interner, mut diagnostics) = (Interner::default(), Vec::new());
        let tokens = lex("ab\\\ncd x", FileId(0), &mut interner, &mut diagnostics);
        assert_eq!(interner.text(tokens[0].text), "abcd");
        assert_eq!((tokens[1].span.start, tokens[1].span.end), (7, 8));
    }

    #[test]
    fn comments_and_literals() {
        assert_eq!(texts("L\"a\\\"b\" /* x */ '\\'' // y\n z"), ["L\"a\\\"b\"", "'\\''", "z", ""]);
    }
}
