//! Statements.

use super::*;

impl Parser<'_> {
    pub(super) fn block(&mut self) -> PResult<Block> {
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

    pub(super) fn stmt(&mut self) -> PResult<Stmt> {
        self.nested(|p| p.stmt_inner())
    }

    pub(super) fn stmt_inner(&mut self) -> PResult<Stmt> {
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
    pub(super) fn sub_stmt(&mut self) -> PResult<Stmt> {
        let token = self.peek();
        let starts_attribute = self.kw_of(token) == Some(Kw::Attribute);
        let is_label = self.is_plain_ident(token) && self.peek_at(1).is(Punct::Colon);
        if self.starts_declaration(token) && !starts_attribute && !is_label {
            return Err(self.unexpected("expected a statement"));
        }
        self.stmt()
    }

    /// What follows a label: a statement, or nothing before `}` (C23), or a declaration.
    pub(super) fn labelled_body(&mut self, label: Span) -> PResult<Stmt> {
        if self.is(Punct::RBrace) {
            return Ok(Stmt { kind: StmtKind::Empty, span: label });
        }
        self.stmt()
    }

    pub(super) fn block_declaration(&mut self, start: Span) -> PResult<Stmt> {
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

    pub(super) fn asm_stmt(&mut self) -> PResult<AsmStmt> {
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
}
