//! Declarators, parameters and type names.

use super::*;

impl Parser<'_> {
    pub(super) fn pointer_quals(&mut self, attrs: &mut Attrs) -> PResult<Quals> {
        let mut quals = Quals::default();
        loop {
            match self.kw() {
                Some(Kw::Const) => quals.is_const = true,
                Some(Kw::Volatile) => quals.is_volatile = true,
                Some(Kw::Atomic) => quals.is_atomic = true,
                Some(Kw::Restrict | Kw::Extension) => {}
                Some(Kw::Attribute) => {
                    attrs.merge(self.attributes()?);
                    continue;
                }
                _ => return Ok(quals),
            }
            self.bump();
        }
    }

    /// A declarator; an abstract one may lack its name.
    pub(super) fn declarator(&mut self, abstract_allowed: bool) -> PResult<Declarator> {
        self.nested(|p| p.declarator_inner(abstract_allowed))
    }

    pub(super) fn declarator_inner(&mut self, abstract_allowed: bool) -> PResult<Declarator> {
        let mut attrs = self.attributes()?;
        let mut parts = Vec::new();
        while self.accept(Punct::Star) {
            parts.push(DeclaratorPart::Pointer(self.pointer_quals(&mut attrs)?));
        }
        let span = self.peek().span;
        let mut inner = None;
        let mut name = None;
        if self.is_plain_ident(self.peek()) && !(abstract_allowed && self.is_typedef_name(self.peek())) {
            name = Some(self.bump().text);
        } else if self.is(Punct::LParen) && self.paren_opens_declarator(abstract_allowed) {
            self.bump();
            inner = Some(self.declarator(abstract_allowed)?);
            self.expect(Punct::RParen)?;
        } else if self.is_typedef_name(self.peek()) && !abstract_allowed {
            name = Some(self.bump().text);
        } else if !abstract_allowed {
            return Err(self.unexpected("expected a name"));
        }
        let mut suffixes = Vec::new();
        loop {
            if self.is(Punct::LBracket) && !self.peek_at(1).is(Punct::LBracket) {
                let start = self.bump().span;
                let mut ignored = Attrs::default();
                let mut quals = Quals::default();
                loop {
                    if self.accept_kw(Kw::Static) {
                        continue;
                    }
                    let more = self.pointer_quals(&mut ignored)?;
                    if more == Quals::default() && self.kw() != Some(Kw::Static) {
                        break;
                    }
                    quals = quals.union(more);
                }
                let size = if self.is(Punct::RBracket) {
                    None
                } else if self.is(Punct::Star) && self.peek_at(1).is(Punct::RBracket) {
                    self.bump();
                    None
                } else {
                    Some(Box::new(self.assignment()?))
                };
                self.expect(Punct::RBracket)?;
                suffixes.push(DeclaratorPart::Array { size, quals, span: start });
            } else if self.is(Punct::LBracket) {
                attrs.merge(self.attributes()?);
            } else if self.is(Punct::LParen) {
                suffixes.push(DeclaratorPart::Function(self.function_part()?));
            } else {
                break;
            }
        }
        attrs.merge(self.attributes()?);
        suffixes.reverse();
        parts.extend(suffixes);
        let mut declarator = Declarator { name, span, parts, attrs };
        if let Some(inner) = inner {
            declarator.name = inner.name;
            declarator.span = inner.span;
            declarator.parts.extend(inner.parts);
            declarator.attrs.merge(inner.attrs);
        }
        Ok(declarator)
    }

    /// Does this `(` open a nested declarator rather than a parameter list?
    pub(super) fn paren_opens_declarator(&self, abstract_allowed: bool) -> bool {
        let next = self.peek_at(1);
        if !abstract_allowed {
            return true;
        }
        if next.is(Punct::Star) || next.is(Punct::LParen) || next.is(Punct::LBracket) || next.is(Punct::Caret) {
            return true;
        }
        if self.kw_of(next) == Some(Kw::Attribute) {
            return true;
        }
        self.is_plain_ident(next) && !self.is_typedef_name(next)
    }

    pub(super) fn function_part(&mut self) -> PResult<FunctionPart> {
        self.expect(Punct::LParen)?;
        let mut part = FunctionPart::default();
        if self.accept(Punct::RParen) {
            part.unspecified = true;
            return Ok(part);
        }
        if self.kw() == Some(Kw::Void) && self.peek_at(1).is(Punct::RParen) {
            self.bump();
            self.bump();
            return Ok(part);
        }
        if self.is_plain_ident(self.peek()) && !self.is_typedef_name(self.peek()) {
            loop {
                let (name, span) = self.ident()?;
                part.names.push((name, span));
                if !self.accept(Punct::Comma) {
                    break;
                }
            }
            self.expect(Punct::RParen)?;
            part.unspecified = true;
            return Ok(part);
        }
        self.in_scope(|p| {
            loop {
                if p.accept(Punct::Ellipsis) {
                    part.variadic = true;
                    break;
                }
                while p.accept_kw(Kw::Extension) {}
                let start = p.peek().span;
                let specs = Rc::new(p.decl_specs(SpecContext::Other)?);
                let mut declarator = p.param_declarator()?;
                let mut attrs = Attrs::default();
                p.declarator_trailer(&mut attrs)?;
                declarator.attrs.merge(attrs);
                if let Some(name) = declarator.name {
                    p.declare(name, false);
                }
                part.params.push(Param { specs, declarator, span: start.to(p.last_span()) });
                if !p.accept(Punct::Comma) {
                    break;
                }
            }
            p.expect(Punct::RParen)?;
            Ok(part)
        })
    }

    /// A parameter's declarator, with or without a name. A typedef name directly here is a parameter
    /// name only when a type was already given, which `decl_specs` has made sure of; but in
    /// parentheses it is a parameter list (C11 6.7.6.3p11).
    pub(super) fn param_declarator(&mut self) -> PResult<Declarator> {
        if self.is_typedef_name(self.peek()) {
            let next = self.peek_at(1);
            if next.is(Punct::Comma) || next.is(Punct::RParen) || next.is(Punct::LBracket) {
                return self.declarator(false);
            }
        }
        self.declarator(true)
    }

    pub(super) fn type_name(&mut self) -> PResult<TypeName> {
        let start = self.peek().span;
        let specs = Rc::new(self.decl_specs(SpecContext::Other)?);
        let declarator = self.declarator(true)?;
        if declarator.name.is_some() {
            return Err(Diagnostic::error(declarator.span, "a type name has no identifier"));
        }
        Ok(TypeName { specs, declarator, span: start.to(self.last_span()) })
    }
}
