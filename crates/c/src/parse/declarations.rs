//! Items at file scope, and the initialisers of declarations.

use super::*;

impl Parser<'_> {
    pub(super) fn translation_unit(&mut self) -> TranslationUnit {
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
    pub(super) fn recover(&mut self, start: usize) -> Option<Sym> {
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

    pub(super) fn external_item(&mut self) -> PResult<Item> {
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

    pub(super) fn function_rest(
        &mut self,
        specs: Rc<DeclSpecs>,
        declarator: Declarator,
        start: Span,
    ) -> PResult<FunctionDef> {
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

    pub(super) fn static_assert(&mut self) -> PResult<StaticAssert> {
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
    pub(super) fn declaration_rest(
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
    pub(super) fn declarator_trailer(&mut self, attrs: &mut Attrs) -> PResult<()> {
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
    pub(super) fn link_name(&mut self) -> PResult<Option<Sym>> {
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
    pub(super) fn skip_balanced(&mut self) -> PResult<()> {
        while matches!(self.kw(), Some(Kw::Volatile | Kw::Goto | Kw::Inline)) {
            self.bump();
        }
        self.skip_group(Punct::LParen, Punct::RParen)
    }

    pub(super) fn skip_group(&mut self, open: Punct, close: Punct) -> PResult<()> {
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

    pub(super) fn initializer(&mut self) -> PResult<Initializer> {
        if self.is(Punct::LBrace) {
            let start = self.peek().span;
            let items = self.nested(|p| p.init_list())?;
            return Ok(Initializer::List(items, start.to(self.last_span())));
        }
        Ok(Initializer::Expr(self.assignment()?))
    }

    pub(super) fn init_list(&mut self) -> PResult<Vec<InitItem>> {
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
}
