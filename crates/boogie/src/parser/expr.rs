//! Expressions, by operator precedence. The height of each tree is known when it is built, since a
//! chain of alternating operators is deep without any nesting in the text.

use super::{MAX_BV_WIDTH, MAX_DEPTH, Parse, Parser};
use crate::ast::*;
use crate::lexer::Tok;
use base::Span;

/// An expression and the height of its tree.
type Measured = (Expr, u32);

impl Parser<'_> {
    pub(super) fn exprs(&mut self) -> Parse<Vec<Expr>> {
        let mut out = vec![self.expr()?];
        while self.eat(",") {
            out.push(self.expr()?);
        }
        Ok(out)
    }

    pub(super) fn expr(&mut self) -> Parse<Expr> {
        self.measured().map(|(e, _)| e)
    }

    pub(super) fn measured(&mut self) -> Parse<Measured> {
        self.nested(|p| p.binary(0))
    }

    /// Expressions in a row, and the greatest height among them.
    pub(super) fn measured_list(&mut self) -> Parse<(Vec<Expr>, u32)> {
        let (first, mut height) = self.measured()?;
        let mut out = vec![first];
        while self.eat(",") {
            let (e, h) = self.measured()?;
            out.push(e);
            height = height.max(h);
        }
        Ok((out, height))
    }

    pub(super) fn node(&mut self, kind: ExprKind, start: Span, below: u32) -> Parse<Measured> {
        if below >= MAX_DEPTH {
            return Err(self.error(start, format!("expression nested more than {MAX_DEPTH} levels deep")));
        }
        Ok((Expr { kind, span: self.since(start) }, below + 1))
    }

    pub(super) fn binary_op(&self) -> Option<BinaryOp> {
        match self.tok() {
            Tok::Keyword("div") => Some(BinaryOp::Div),
            Tok::Keyword("mod") | Tok::Symbol("%") => Some(BinaryOp::Mod),
            Tok::Symbol(s) => BinaryOp::ALL.into_iter().find(|op| op.spelling() == s),
            _ => None,
        }
    }

    pub(super) fn binary(&mut self, min_precedence: u8) -> Parse<Measured> {
        let start = self.span();
        let (mut left, mut height) = self.is_constructor()?;
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

    /// `e is C`
    fn is_constructor(&mut self) -> Parse<Measured> {
        let start = self.span();
        let (e, height) = self.unary()?;
        if !self.at_word("is") || self.peek(1).tok != Tok::Ident {
            return Ok((e, height));
        }
        self.bump();
        let constructor = self.ident("the name of a constructor")?;
        self.node(ExprKind::Is(Box::new(e), constructor), start, height)
    }

    pub(super) fn unary(&mut self) -> Parse<Measured> {
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

    pub(super) fn postfix(&mut self) -> Parse<Measured> {
        let start = self.span();
        let (mut e, mut height) = self.atom()?;
        loop {
            if self.eat("[") {
                (e, height) = self.bracket(e, height, start)?;
            } else if self.at("!") && self.peek(1).tok == Tok::Ident {
                self.bump();
                let field = self.ident("the name of a field")?;
                (e, height) = self.node(ExprKind::Field(Box::new(e), field), start, height)?;
            } else if self.eat("->") {
                (e, height) = self.member(e, height, start)?;
            } else if self.eat(":") {
                // A type may go on with `<`, so the type takes what it can.
                let ty = self.ty()?;
                (e, height) = self.node(ExprKind::Ascribe(Box::new(e), ty), start, height)?;
            } else {
                return Ok((e, height));
            }
        }
    }

    /// After `e->`.
    fn member(&mut self, base: Expr, height: u32, start: Span) -> Parse<Measured> {
        let base = Box::new(base);
        if !self.eat("(") {
            let member = self.ident("the name of a field")?;
            return self.node(ExprKind::Member(base, member), start, height);
        }
        let member = self.ident("the name of a field")?;
        self.expect(":=")?;
        let (value, h) = self.measured()?;
        self.expect(")")?;
        self.node(ExprKind::WithMember { base, member, value: Box::new(value) }, start, height.max(h))
    }

    /// After `map[`.
    pub(super) fn bracket(&mut self, map: Expr, height: u32, start: Span) -> Parse<Measured> {
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

    pub(super) fn bit_position(&mut self) -> Parse<u32> {
        if self.tok() != Tok::Int {
            return self.expected("a bit position");
        }
        let span = self.bump().span;
        match digits_of(self.text_of(span)).parse::<u32>() {
            Ok(n) if n <= MAX_BV_WIDTH => Ok(n),
            Ok(_) | Err(_) => Err(self.error(span, "this bit position is out of range")),
        }
    }

    pub(super) fn atom(&mut self) -> Parse<Measured> {
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
            Tok::Float => {
                self.bump();
                self.node(ExprKind::Float(self.text_of(start).to_string()), start, 0)
            }
            Tok::Str => Err(self.error(start, "unsupported: strings in expressions")),
            Tok::Symbol("|") if self.peek(1).tok == Tok::Symbol("{") => {
                Err(self.error(start, "unsupported: statements in expressions (`|{ … }|`)"))
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

    pub(super) fn keyword_application(&mut self) -> Parse<Measured> {
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

    pub(super) fn if_then_else(&mut self) -> Parse<Measured> {
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

    pub(super) fn parenthesised(&mut self) -> Parse<Measured> {
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
        if self.eat_keyword("var") {
            return self.let_expression(start);
        }
        let (mut inner, height) = self.measured()?;
        self.expect(")")?;
        inner.span = self.since(start);
        Ok((inner, height))
    }

    /// After `(var`.
    fn let_expression(&mut self, start: Span) -> Parse<Measured> {
        let mut vars = Vec::new();
        loop {
            self.attributes()?;
            vars.push(self.ident("the name of a variable")?);
            if !self.eat(",") {
                break;
            }
        }
        self.expect(":=")?;
        let (values, height) = self.measured_list()?;
        self.expect(";")?;
        self.attributes()?;
        let (body, h) = self.measured()?;
        self.expect(")")?;
        self.node(ExprKind::Let { vars, values, body: Box::new(body) }, start, height.max(h))
    }

    /// After `(forall`.
    pub(super) fn quantifier(&mut self, kind: Binder, start: Span) -> Parse<Measured> {
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

    pub(super) fn struct_literal(&mut self) -> Parse<Measured> {
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

fn digits_of(text: &str) -> String {
    text.chars().filter(|&c| c != '_').collect()
}

/// Digits without separators and leading zeros.
fn normal_digits(text: &str) -> String {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let short = digits.trim_start_matches('0');
    if short.is_empty() { "0".to_string() } else { short.to_string() }
}
