//! `__CPROVER_forall { int i; 0 <= i && i < n ==> claim }` and `__CPROVER_exists` in expressions, as loops over the
//! numbers between the bounds, in a statement expression (GNU C).
//!
//! The whole formula is evaluated for every number, with its own bounds, so the loop may pass more numbers than these
//! but not fewer: it starts at a constant that is not negative, and ends where the formula's upper bound or the type
//! does. A formula without such bounds stays as it is, and lowering says that it is not modelled.

use crate::lex::{Interner, Punct, Sym, Token, TokenKind, lex};
use base::Span;

/// Tokens with loops for quantified formulas.
pub(crate) fn unfold(tokens: Vec<Token>, interner: &mut Interner) -> Vec<Token> {
    let names = [interner.find("__CPROVER_forall"), interner.find("__CPROVER_exists")];
    if names == [None, None] {
        return tokens;
    }
    Unfolding { forall: names[0], exists: names[1], interner, n: 0 }.within(&tokens)
}

struct Unfolding<'a> {
    forall: Option<Sym>,
    exists: Option<Sym>,
    interner: &'a mut Interner,
    /// How many there were, for names of variables.
    n: usize,
}

/// `i < e` or `e < i` and the like, for the variable `i`.
enum Bound<'t> {
    Lower(&'t [Token]),
    Upper,
}

impl Unfolding<'_> {
    fn within(&mut self, tokens: &[Token]) -> Vec<Token> {
        let mut out = Vec::with_capacity(tokens.len());
        let mut i = 0;
        while let Some(token) = tokens.get(i) {
            let is_name = |name: Option<Sym>| token.kind == TokenKind::Ident && name == Some(token.text);
            let is_all = is_name(self.forall);
            let opens = tokens.get(i + 1).is_some_and(|t| t.is(Punct::LBrace));
            let close = if opens && (is_all || is_name(self.exists)) { closing(tokens, i + 1) } else { None };
            match close.and_then(|close| Some((close, self.as_loop(&tokens[i + 2..close], is_all, token.span)?))) {
                Some((close, replaced)) => {
                    out.extend(replaced);
                    i = close + 1;
                }
                None => {
                    out.push(*token);
                    i += 1;
                }
            }
        }
        out
    }

    /// The loop for `int i; formula`.
    fn as_loop(&mut self, tokens: &[Token], is_all: bool, span: Span) -> Option<Vec<Token>> {
        let semicolon = tokens.iter().position(|t| t.is(Punct::Semi))?;
        let ([ty @ .., variable], formula) = (&tokens[..semicolon], &tokens[semicolon + 1..]) else { return None };
        let formula = match formula {
            [inner @ .., last] if last.is(Punct::Semi) => inner,
            formula => formula,
        };
        let is_unsigned = self.is_unsigned(ty)?;
        let (mut start, mut end) = (if is_unsigned { Some(Vec::new()) } else { None }, None);
        for (comparison, is_negated) in self.bounds(formula, is_all) {
            match self.bound(comparison, is_negated, variable.text) {
                Some(Bound::Lower(number)) => start = Some(number.to_vec()),
                Some(Bound::Upper) => end = Some((comparison.to_vec(), is_negated)),
                None => {}
            }
        }
        let (start, (end, is_negated)) = (start?, end?);
        self.n += 1;
        let (holds, last) = (format!("__craig_holds_{}", self.n), format!("__craig_last_{}", self.n));
        let name = self.interner.text(variable.text).to_string();
        let claim = self.within(formula);
        let start = if start.is_empty() { self.text("0", span) } else { start };
        let mut out = self.text(&format!("({{ _Bool {holds} = {};", i32::from(is_all)), span);
        out.extend(ty);
        out.push(*variable);
        out.extend(self.text("=", span));
        out.extend(start);
        out.extend(self.text(if is_negated { "; while (!(" } else { "; while ((" }, span));
        out.extend(end);
        out.extend(self.text(if is_all { ")) { if (!(" } else { ")) { if ((" }, span));
        out.extend(claim);
        out.extend(self.text(&format!(")) {holds} = {};", i32::from(!is_all)), span));
        out.extend(ty);
        let step = format!("{last} = {name}; {name} = (__typeof__({name}))((unsigned long long){name} + 1ULL);");
        out.extend(self.text(&format!("{step} if ({name} <= {last}) break; }} {holds}; }})"), span));
        Some(out)
    }

    /// Is it a type of integers, and an unsigned one?
    fn is_unsigned(&self, ty: &[Token]) -> Option<bool> {
        let mut is_unsigned = false;
        let mut is_type = false;
        for token in ty {
            match self.interner.text(token.text) {
                "unsigned" | "size_t" | "__CPROVER_size_t" | "uint8_t" | "uint16_t" | "uint32_t" | "uint64_t"
                | "uintptr_t" | "_Bool" => is_unsigned = true,
                "int" | "long" | "short" | "signed" | "char" | "ssize_t" | "int8_t" | "int16_t" | "int32_t"
                | "int64_t" | "intptr_t" | "ptrdiff_t" => {}
                _ => return None,
            }
            is_type = true;
        }
        is_type.then_some(is_unsigned)
    }

    /// The comparisons outside of which the formula is true (for all) or false (exists); those of which the negation
    /// is such a one are marked.
    fn bounds<'t>(&self, formula: &'t [Token], is_all: bool) -> Vec<(&'t [Token], bool)> {
        let formula = without_parentheses(formula);
        let plainly = |parts: Vec<&'t [Token]>| parts.into_iter().map(|part| (part, false));
        if !is_all {
            return plainly(conjuncts(formula)).collect();
        }
        if let Some(&at) = top_level(formula, is_implication).first() {
            let mut found: Vec<_> = plainly(conjuncts(&formula[..at])).collect();
            found.extend(self.bounds(&formula[at + 2..], is_all));
            return found;
        }
        let mut found = Vec::new();
        for part in parts(formula, Punct::OrOr) {
            match part {
                _ if !top_level(part, |t| t[0].is(Punct::Question)).is_empty() => return Vec::new(),
                [not, inside @ ..] if not.is(Punct::Not) && closing(inside, 0) == Some(inside.len() - 1) => {
                    found.extend(plainly(conjuncts(inside)));
                }
                part => found.push((without_parentheses(part), true)),
            }
        }
        found
    }

    fn bound<'t>(&self, comparison: &'t [Token], is_negated: bool, variable: Sym) -> Option<Bound<'t>> {
        let is_it = |t: &[Token]| matches!(t, [t] if t.kind == TokenKind::Ident && t.text == variable);
        let mentions = |t: &[Token]| t.iter().any(|t| t.kind == TokenKind::Ident && t.text == variable);
        let comparisons = [Punct::Lt, Punct::Le, Punct::Gt, Punct::Ge];
        let at = top_level(comparison, |t| comparisons.iter().any(|&p| t[0].is(p)));
        let &[at] = &at[..] else { return None };
        if !top_level(comparison, |t| is_looser(&t[0])).is_empty() {
            return None;
        }
        let (left, right) = (&comparison[..at], &comparison[at + 1..]);
        let upward = (comparison[at].is(Punct::Lt) || comparison[at].is(Punct::Le)) != is_negated;
        let (other, is_upper) = match (is_it(left), is_it(right)) {
            (true, false) => (right, upward),
            (false, true) => (left, !upward),
            _ => return None,
        };
        let is_small = |t: &Token| self.interner.text(t.text).parse::<u8>().is_ok_and(|n| n < 128);
        match other {
            _ if mentions(other) => None,
            _ if is_upper => Some(Bound::Upper),
            [number] if number.kind == TokenKind::Number && is_small(number) => Some(Bound::Lower(other)),
            _ => None,
        }
    }

    fn text(&mut self, text: &str, span: Span) -> Vec<Token> {
        let mut tokens = lex(text, span.file, self.interner, &mut Vec::new());
        tokens.retain(|t| t.kind != TokenKind::Eof);
        for token in &mut tokens {
            token.span = span;
        }
        tokens
    }
}

/// Operators that bind less than comparisons, and what has effects.
fn is_looser(token: &Token) -> bool {
    let TokenKind::Punct(punct) = token.kind else { return false };
    let text = punct.text();
    let assigns = text.ends_with('=') && !matches!(punct, Punct::Le | Punct::Ge);
    assigns || matches!(text, "&" | "|" | "^" | "&&" | "||" | "?" | ":" | "," | "++" | "--" | "!=")
}

/// The index of the token that closes the bracket at an index.
fn closing(tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (i, token) in tokens.iter().enumerate().skip(open) {
        depth = match token.kind {
            TokenKind::Punct(Punct::LParen | Punct::LBrace | Punct::LBracket) => depth + 1,
            TokenKind::Punct(Punct::RParen | Punct::RBrace | Punct::RBracket) => depth.checked_sub(1)?,
            _ => depth,
        };
        if depth == 0 {
            return (i > open).then_some(i);
        }
    }
    None
}

/// The indices outside of all brackets of which something holds.
fn top_level(tokens: &[Token], holds: impl Fn(&[Token]) -> bool) -> Vec<usize> {
    let mut found = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        if holds(&tokens[i..]) {
            found.push(i);
        }
        let opens = matches!(tokens[i].kind, TokenKind::Punct(Punct::LParen | Punct::LBrace | Punct::LBracket));
        i = closing(tokens, i).filter(|_| opens).unwrap_or(i) + 1;
    }
    found
}

fn without_parentheses(tokens: &[Token]) -> &[Token] {
    match tokens {
        [open, inside @ .., _] if open.is(Punct::LParen) && closing(tokens, 0) == Some(tokens.len() - 1) => {
            without_parentheses(inside)
        }
        tokens => tokens,
    }
}

/// Is it `==>`?
fn is_implication(tokens: &[Token]) -> bool {
    tokens[0].is(Punct::EqEq) && tokens.get(1).is_some_and(|t| t.is(Punct::Gt))
}

/// What an operator joins.
fn parts(tokens: &[Token], operator: Punct) -> Vec<&[Token]> {
    let mut found = Vec::new();
    let mut start = 0;
    for end in top_level(tokens, |t| t[0].is(operator)).into_iter().chain([tokens.len()]) {
        found.push(&tokens[start..end]);
        start = end + 1;
    }
    found
}

/// What `&&` joins, also in parentheses; nothing is known of parts of `||`, `?` and `==>`.
fn conjuncts(tokens: &[Token]) -> Vec<&[Token]> {
    let tokens = without_parentheses(tokens);
    let is_other = |t: &[Token]| t[0].is(Punct::OrOr) || t[0].is(Punct::Question) || is_implication(t);
    if !top_level(tokens, is_other).is_empty() {
        return Vec::new();
    }
    match &parts(tokens, Punct::AndAnd)[..] {
        [_] => vec![tokens],
        several => several.iter().flat_map(|part| conjuncts(part)).collect(),
    }
}
