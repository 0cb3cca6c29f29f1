//! Reading contracts: clauses in comments of ACSL and behind the headers of functions, and those headers.

use base::{Diagnostic, FileId, Span};

use super::{Header, Kind, Piece, W, Weaver, Written, error, matching};
use crate::lex::{Punct, Token, TokenKind, lex};

/// What a comment about functions begins with; other comments of ACSL are about statements and loops, or for other
/// tools.
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

impl Weaver<'_> {
    /// The contracts in comments, with the index of the token that each stands in front of.
    pub(super) fn comments(&mut self, tokens: &[Token]) -> Vec<(usize, Vec<Written>)> {
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
                if !may_lead_to_function(between.trim_start_matches("*/")) {
                    continue;
                }
                if ["assert", "check", "admit"].contains(&first) {
                    let at = Span::new(file, start, end);
                    let message = format!("{first} of ACSL inside functions is not supported: write assert(…) in C");
                    self.errors.push(Diagnostic::error(at, message));
                    continue;
                }
                if !WORDS.contains(&first) {
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
            written.push(Written { kind, is_acsl: true, pieces: pieces[at + 1..close].to_vec(), span });
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
    pub(super) fn split_header(&mut self, tokens: &[Token]) -> W<(Vec<Token>, Vec<Written>)> {
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
                    written.push(Written { kind, is_acsl: false, pieces, span: token.span });
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
    pub(super) fn name_in(&self, tokens: &[Token]) -> Option<usize> {
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

    pub(super) fn header(&mut self, tokens: Vec<Token>) -> W<Header> {
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

pub(super) fn split(tokens: &[Token], at: Punct) -> Vec<&[Token]> {
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
