//! Clauses in terms of C: what ACSL and CBMC have besides is translated.

use base::{Diagnostic, Span};

use super::{Assigned, Clause, Kind, Part, Piece, Stated, W, Weaver, Written, error};
use crate::lex::{Punct, Token, TokenKind};

impl Weaver<'_> {
    /// The parts of a requirement or a promise.
    pub(super) fn parts(
        &mut self,
        clause: &Written,
        out: &mut Vec<Stated>,
        mut olds: Option<&mut Vec<Vec<Token>>>,
    ) -> W<()> {
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
    pub(super) fn valid(&mut self, inside: &[Piece], span: Span) -> W<Part> {
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
        if position(pieces, |p| p.is(Punct::Question)).is_some() {
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
    pub(super) fn assigned(&mut self, clause: &Written, out: &mut Vec<Assigned>) -> W<()> {
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
pub(super) fn position(pieces: &[Piece], is_it: impl Fn(&Piece) -> bool) -> Option<usize> {
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
