//! Text to tokens.
//!
//! Boogie's lexis: identifiers may hold ``_ . $ # ' ` ~ ^ \ ?`` (a leading `\` only marks a word as
//! not being a keyword), `/* */` comments nest, numerals may carry a `bvN` suffix, and every
//! operator with a mathematical symbol may be written with it (`∧`, `∀`, …).
//!
//! Comments are dropped, except those that carry an LTL property (`//@ ltl …` and
//! `//#LTLProperty: …`), which become [`Directive`]s.
//!
//! A bad character is reported and skipped; the token stream always ends with [`Tok::Eof`].

use crate::ast::{Directive, Loc};
use base::{Diagnostic, FileId, Span};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tok {
    Ident,
    Keyword(&'static str),
    Int,
    Real,
    /// `5bv32`
    BitVec,
    /// `0x1.8e0f24e8`, `0NaN24e8`, `0+oo24e8`
    Float,
    Str,
    Symbol(&'static str),
    Eof,
}

#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub tok: Tok,
    pub span: Span,
}

/// Words that can never be identifiers. `fork`, `join`, `atomic`, `assign`, `async`, `complete`, `finite` and
/// `using` are not among them: the parser recognises those by position, so that plain Boogie
/// programs may use them as names.
const KEYWORDS: &[&str] = &[
    "assert",
    "assume",
    "axiom",
    "bool",
    "break",
    "call",
    "const",
    "div",
    "else",
    "ensures",
    "exists",
    "extends",
    "false",
    "forall",
    "free",
    "function",
    "goto",
    "havoc",
    "if",
    "implementation",
    "int",
    "invariant",
    "lambda",
    "mod",
    "modifies",
    "old",
    "procedure",
    "real",
    "requires",
    "return",
    "returns",
    "then",
    "true",
    "type",
    "unique",
    "var",
    "where",
    "while",
];

/// Longest first, so that the first match is the right one. The second component is the ASCII
/// spelling under which the parser knows the symbol.
const SYMBOLS: &[(&str, &str)] = &[
    ("<==>", "<==>"),
    ("==>", "==>"),
    ("<==", "<=="),
    ("::", "::"),
    (":=", ":="),
    ("->", "->"),
    ("==", "=="),
    ("!=", "!="),
    ("<=", "<="),
    (">=", ">="),
    ("<:", "<:"),
    ("&&", "&&"),
    ("||", "||"),
    ("++", "++"),
    ("**", "**"),
    ("⇔", "<==>"),
    ("⇒", "==>"),
    ("⇐", "<=="),
    ("≠", "!="),
    ("≤", "<="),
    ("≥", ">="),
    ("∧", "&&"),
    ("∨", "||"),
    ("¬", "!"),
    ("•", "::"),
    ("<", "<"),
    (">", ">"),
    ("+", "+"),
    ("-", "-"),
    ("*", "*"),
    ("/", "/"),
    ("%", "%"),
    ("!", "!"),
    ("=", "="),
    ("(", "("),
    (")", ")"),
    ("[", "["),
    ("]", "]"),
    ("{", "{"),
    ("}", "}"),
    (",", ","),
    (";", ";"),
    (":", ":"),
    ("|", "|"),
];

/// Mathematical spellings of keywords.
const KEYWORD_SYMBOLS: &[(&str, &str)] = &[("∀", "forall"), ("∃", "exists"), ("λ", "lambda")];

pub fn is_keyword(word: &str) -> bool {
    KEYWORDS.binary_search(&word).is_ok()
}

fn is_ident_start(b: u8) -> bool {
    b.is_ascii_alphabetic() || b"_.$#'`~^\\?".contains(&b)
}

fn is_ident_continue(b: u8) -> bool {
    is_ident_start(b) || b.is_ascii_digit()
}

/// What the lexer found in a file.
pub struct Lexed {
    pub tokens: Vec<Token>,
    pub directives: Vec<Directive>,
    pub errors: Vec<Diagnostic>,
}

pub fn lex(file: FileId, text: &str) -> Lexed {
    let mut lexer = Lexer {
        file,
        text,
        pos: 0,
        out: Lexed { tokens: Vec::new(), directives: Vec::new(), errors: Vec::new() },
        has_odd_character: false,
    };
    lexer.run();
    lexer.out
}

struct Lexer<'a> {
    file: FileId,
    text: &'a str,
    pos: usize,
    out: Lexed,
    /// A character without a meaning was reported; one message is enough, however many there are.
    has_odd_character: bool,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.pos..]
    }

    fn byte(&self, offset: usize) -> u8 {
        self.text.as_bytes().get(self.pos + offset).copied().unwrap_or(0)
    }

    fn span_from(&self, start: usize) -> Span {
        Span::new(self.file, start, self.pos)
    }

    fn push(&mut self, tok: Tok, start: usize) {
        let span = self.span_from(start);
        self.out.tokens.push(Token { tok, span });
    }

    fn run(&mut self) {
        // A byte order mark is not part of the program.
        if self.rest().starts_with('\u{feff}') {
            self.pos += '\u{feff}'.len_utf8();
        }
        while self.pos < self.text.len() {
            self.token();
        }
        self.push(Tok::Eof, self.pos);
    }

    fn token(&mut self) {
        let start = self.pos;
        let b = self.byte(0);
        if self.rest().starts_with("//") {
            self.line_comment();
        } else if self.rest().starts_with("/*") {
            self.block_comment();
        } else if b.is_ascii_digit() {
            self.number();
        } else if is_ident_start(b) {
            self.word();
        } else if b == b'"' {
            self.string();
        } else if let Some(&(spelling, symbol)) = SYMBOLS.iter().find(|(s, _)| self.rest().starts_with(s)) {
            self.pos += spelling.len();
            self.push(Tok::Symbol(symbol), start);
        } else if let Some(&(spelling, word)) = KEYWORD_SYMBOLS.iter().find(|(s, _)| self.rest().starts_with(s)) {
            self.pos += spelling.len();
            self.push(Tok::Keyword(word), start);
        } else {
            let c = self.rest().chars().next().unwrap_or('\0');
            self.pos += c.len_utf8();
            if !c.is_whitespace() && !std::mem::replace(&mut self.has_odd_character, true) {
                let span = self.span_from(start);
                self.out.errors.push(Diagnostic::error(span, format!("the character {c:?} has no meaning here")));
            }
        }
    }

    fn line_comment(&mut self) {
        let start = self.pos;
        let length = self.rest().find('\n').unwrap_or(self.rest().len());
        self.pos += length;
        self.directive(start, start + 2, self.pos);
    }

    fn block_comment(&mut self) {
        let start = self.pos;
        let mut depth = 0usize;
        while self.pos < self.text.len() {
            if self.rest_bytes().starts_with(b"/*") {
                depth += 1;
                self.pos += 2;
            } else if self.rest_bytes().starts_with(b"*/") {
                depth -= 1;
                self.pos += 2;
                if depth == 0 {
                    self.directive(start, start + 2, self.pos - 2);
                    return;
                }
            } else {
                self.pos += 1;
            }
        }
        let span = Span::new(self.file, start, start + 2);
        self.out.errors.push(Diagnostic::error(span, "this comment is never closed"));
    }

    fn rest_bytes(&self) -> &[u8] {
        &self.text.as_bytes()[self.pos..]
    }

    /// Keeps a comment if it states a property.
    fn directive(&mut self, start: usize, body_start: usize, body_end: usize) {
        let Some(body) = self.text.get(body_start..body_end) else { return };
        let body = body.trim();
        let annotation = || {
            // `@ ltl FORMULA;` or `@ ltl invariant NAME: FORMULA;`
            let rest = body.strip_prefix('@')?.trim_start().strip_prefix("ltl ")?.trim_start();
            let named = rest.strip_prefix("invariant ").and_then(|named| named.split_once(':'));
            Some(named.map_or(rest, |(_, formula)| formula))
        };
        let Some(formula) = body.strip_prefix("#LTLProperty:").or_else(annotation) else { return };
        let formula = formula.trim_end_matches(|c: char| c == ';' || c.is_whitespace());
        let words: Vec<&str> = formula.split_whitespace().collect();
        let span = Loc(Span::new(self.file, start, body_end));
        self.out.directives.push(Directive { span, formula: words.join(" ") });
    }

    fn word(&mut self) {
        let start = self.pos;
        while is_ident_continue(self.byte(0)) {
            self.pos += 1;
        }
        let word = &self.text[start..self.pos];
        let tok = match KEYWORDS.binary_search(&word) {
            Ok(i) => Tok::Keyword(KEYWORDS[i]),
            Err(_) => Tok::Ident,
        };
        self.push(tok, start);
    }

    fn digits(&mut self) {
        // Boogie allows `_` between digits.
        while self.byte(0).is_ascii_digit() || (self.byte(0) == b'_' && self.byte(1).is_ascii_digit()) {
            self.pos += 1;
        }
    }

    /// The length of the floating-point literal at the present position, if there is one.
    fn float_length(&self) -> Option<usize> {
        let rest = self.rest_bytes();
        let digits = |from: usize| {
            let n = rest.get(from..)?.iter().take_while(|b| b.is_ascii_digit()).count();
            (n > 0).then_some(from + n)
        };
        // What follows the value: `24e8`.
        let format = |from: usize| {
            let end = digits(from)?;
            if rest.get(end) == Some(&b'e') { digits(end + 1) } else { None }
        };
        if let Some(after) = [&b"0NaN"[..], b"0nan", b"0+oo", b"0-oo"].iter().find(|p| rest.starts_with(p)) {
            return format(after.len());
        }
        if !rest.starts_with(b"0x") {
            return None;
        }
        let hex = |from: usize| {
            // `e` begins the exponent, where a digit or sign and an `f` follow; elsewhere it is a digit.
            let n = rest.get(from..)?.iter().take_while(|b| b.is_ascii_hexdigit() || **b == b'_').count();
            (n > 0).then_some(from + n)
        };
        let point = hex(2)?;
        if rest.get(point) != Some(&b'.') {
            return None;
        }
        // The longest fraction that leaves an exponent and a format behind it.
        let greedy = hex(point + 1)?;
        (point + 2..=greedy).rev().find_map(|end| {
            if rest.get(end) != Some(&b'e') {
                return None;
            }
            let sign = usize::from(matches!(rest.get(end + 1), Some(b'-' | b'+')));
            let exponent_end = digits(end + 1 + sign)?;
            if rest.get(exponent_end) != Some(&b'f') {
                return None;
            }
            format(exponent_end + 1)
        })
    }

    fn number(&mut self) {
        let start = self.pos;
        if let Some(length) = self.float_length() {
            self.pos += length;
            return self.push(Tok::Float, start);
        }
        self.digits();
        let mut tok = Tok::Int;
        if self.byte(0) == b'b' && self.byte(1) == b'v' && self.byte(2).is_ascii_digit() {
            self.pos += 2;
            self.digits();
            tok = Tok::BitVec;
        } else {
            if self.byte(0) == b'.' && self.byte(1).is_ascii_digit() {
                self.pos += 1;
                self.digits();
                tok = Tok::Real;
            }
            let sign = usize::from(self.byte(1) == b'-' || self.byte(1) == b'+');
            if self.byte(0) == b'e' && self.byte(1 + sign).is_ascii_digit() {
                self.pos += 1 + sign;
                self.digits();
                tok = Tok::Real;
            }
        }
        if is_ident_continue(self.byte(0)) {
            while is_ident_continue(self.byte(0)) {
                self.pos += 1;
            }
            let span = self.span_from(start);
            self.out.errors.push(Diagnostic::error(span, "this is neither a number nor a name"));
        }
        self.push(tok, start);
    }

    fn string(&mut self) {
        let start = self.pos;
        self.pos += 1;
        loop {
            match self.byte(0) {
                b'"' => {
                    self.pos += 1;
                    break;
                }
                b'\\' if self.pos + 1 < self.text.len() && self.byte(1).is_ascii() => self.pos += 2,
                b'\n' => return self.open_string(start),
                0 if self.pos >= self.text.len() => return self.open_string(start),
                _ => self.pos += 1,
            }
        }
        self.push(Tok::Str, start);
    }

    fn open_string(&mut self, start: usize) {
        let span = Span::new(self.file, start, start + 1);
        self.out.errors.push(Diagnostic::error(span, "this string is never closed"));
        self.push(Tok::Str, start);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn toks(text: &str) -> Vec<Tok> {
        lex(FileId(0), text).tokens.iter().map(|t| t.tok).collect()
    }

    #[test]
    fn keyword_table_is_sorted() {
        assert!(KEYWORDS.windows(2).all(|w| w[0] < w[1]));
    }

    #[test]
    fn numbers_and_names() {
        use Tok::*;
        assert_eq!(
            toks("3 3.5 1e3 5bv32 x.y ~p#1 ULTIMATE.start"),
            [Int, Real, Real, BitVec, Ident, Ident, Ident, Eof]
        );
    }

    #[test]
    fn longest_operator_wins() {
        use Tok::Symbol;
        assert_eq!(toks("<==><==<=<:"), [Symbol("<==>"), Symbol("<=="), Symbol("<="), Symbol("<:"), Tok::Eof]);
        assert_eq!(toks("∀∧≠"), [Tok::Keyword("forall"), Symbol("&&"), Symbol("!="), Tok::Eof]);
    }

    #[test]
    fn comments_nest_and_may_be_left_open() {
        assert_eq!(toks("/* a /* b */ c */ x"), [Tok::Ident, Tok::Eof]);
        let lexed = lex(FileId(0), "x /* a /* b */");
        assert_eq!(lexed.errors.len(), 1);
        assert_eq!(lexed.errors[0].span, Span::new(FileId(0), 2, 4));
    }

    #[test]
    fn ltl_comments_are_kept() {
        let lexed = lex(FileId(0), "// #LTLProperty: <>[]AP(x==0)\n//@ ltl invariant p: [](AP(x > 0));\n// other\n");
        let formulas: Vec<&str> = lexed.directives.iter().map(|d| d.formula.as_str()).collect();
        assert_eq!(formulas, ["<>[]AP(x==0)", "[](AP(x > 0))"]);
    }
}
