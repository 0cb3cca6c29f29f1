//! Expressions, by precedence climbing.

use super::*;

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> PResult<Expr> {
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

    pub(super) fn check_chain(&self, chain: &mut usize) -> PResult<()> {
        *chain += 1;
        if *chain > MAX_CHAIN {
            return Err(Diagnostic::unsupported(self.peek().span, "an expression this long is not supported"));
        }
        Ok(())
    }

    pub(super) fn assignment(&mut self) -> PResult<Expr> {
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

    pub(super) fn conditional(&mut self) -> PResult<Expr> {
        let condition = self.implication()?;
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

    /// `a ==> b` of CBMC's: `!a || b`. (C has no `==` before `>`.)
    fn implication(&mut self) -> PResult<Expr> {
        let left = self.binary(0)?;
        if !self.is_implication() {
            return Ok(left);
        }
        self.bump();
        self.bump();
        let right = self.nested(|p| p.implication())?;
        let (span, left_span) = (left.span.to(right.span), left.span);
        let not = Expr { kind: ExprKind::Unary(UnaryOp::Not, Box::new(left)), span: left_span };
        Ok(Expr { kind: ExprKind::Binary(BinaryOp::LogOr, Box::new(not), Box::new(right)), span })
    }

    fn is_implication(&self) -> bool {
        self.is(Punct::EqEq) && self.peek_at(1).is(Punct::Gt) && !self.peek_at(1).after_space
    }

    pub(super) fn binary(&mut self, min_level: u8) -> PResult<Expr> {
        let mut left = self.unary()?;
        let mut chain = 0;
        loop {
            let (op, level) = match self.peek().kind {
                TokenKind::Punct(Punct::OrOr) => (BinaryOp::LogOr, 1),
                TokenKind::Punct(Punct::AndAnd) => (BinaryOp::LogAnd, 2),
                TokenKind::Punct(Punct::Pipe) => (BinaryOp::BitOr, 3),
                TokenKind::Punct(Punct::Caret) => (BinaryOp::BitXor, 4),
                TokenKind::Punct(Punct::Amp) => (BinaryOp::BitAnd, 5),
                TokenKind::Punct(Punct::EqEq) if self.is_implication() => return Ok(left),
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

    pub(super) fn unary(&mut self) -> PResult<Expr> {
        self.nested(|p| p.unary_inner())
    }

    pub(super) fn unary_inner(&mut self) -> PResult<Expr> {
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

    pub(super) fn compound_literal(&mut self, ty: Box<TypeName>, start: Span) -> PResult<Expr> {
        let items = self.nested(|p| p.init_list())?;
        Ok(Expr { kind: ExprKind::CompoundLiteral(ty, items), span: start.to(self.last_span()) })
    }

    pub(super) fn postfix(&mut self, mut e: Expr) -> PResult<Expr> {
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

    pub(super) fn primary(&mut self) -> PResult<Expr> {
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

    pub(super) fn primary_word(&mut self, token: Token) -> PResult<Expr> {
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
