//! Declaration specifiers: storage classes, types, records, enumerations and attributes.

use super::*;

impl Parser<'_> {
    pub(super) fn attributes(&mut self) -> PResult<Attrs> {
        let mut attrs = Attrs::default();
        loop {
            if self.kw() == Some(Kw::Attribute) {
                self.bump();
                self.expect(Punct::LParen)?;
                self.expect(Punct::LParen)?;
                self.attribute_list(&mut attrs)?;
                self.expect(Punct::RParen)?;
                self.expect(Punct::RParen)?;
            } else if self.is(Punct::LBracket) && self.peek_at(1).is(Punct::LBracket) {
                self.bump();
                self.bump();
                self.attribute_list(&mut attrs)?;
                self.expect(Punct::RBracket)?;
                self.expect(Punct::RBracket)?;
            } else {
                return Ok(attrs);
            }
        }
    }

    pub(super) fn attribute_list(&mut self, attrs: &mut Attrs) -> PResult<()> {
        loop {
            while self.accept(Punct::Comma) {}
            let token = self.peek();
            if token.kind != TokenKind::Ident {
                return Ok(());
            }
            self.bump();
            while self.accept(Punct::Colon) {
                self.bump();
            }
            let text = self.interner.text(token.text);
            let name = text.strip_prefix("__").and_then(|t| t.strip_suffix("__")).unwrap_or(text).to_string();
            match name.as_str() {
                "packed" => attrs.packed = true,
                "noreturn" => attrs.noreturn = true,
                "gnu_inline" => attrs.gnu_inline = true,
                "pure" | "const" => attrs.pure_function = true,
                "returns_nonnull" => attrs.returns_nonnull = true,
                "transparent_union" => attrs.transparent_union = true,
                "constructor" | "destructor" => {
                    let mut priority = None;
                    if self.accept(Punct::LParen) {
                        if !self.is(Punct::RParen) {
                            priority = Some(Rc::new(self.conditional()?));
                        }
                        self.expect(Punct::RParen)?;
                    }
                    let hook = if name == "constructor" { &mut attrs.constructor } else { &mut attrs.destructor };
                    *hook = Some(Hook { priority });
                    continue;
                }
                "cleanup" => {
                    self.expect(Punct::LParen)?;
                    attrs.cleanup = Some(self.bump().text);
                    self.expect(Punct::RParen)?;
                    continue;
                }
                "weak" => attrs.weak = true,
                "alias" | "ifunc" | "weakref" | "scalar_storage_order" => attrs.unsupported = Some(token.text),
                "vector_size" => {
                    self.expect(Punct::LParen)?;
                    attrs.vector_size = Some(Rc::new(self.conditional()?));
                    self.expect(Punct::RParen)?;
                    continue;
                }
                "aligned" => {
                    if self.accept(Punct::LParen) {
                        attrs.aligned.push(AlignSpec::Expr(Rc::new(self.conditional()?)));
                        self.expect(Punct::RParen)?;
                    } else {
                        attrs.aligned.push(AlignSpec::Max);
                    }
                    continue;
                }
                "mode" => {
                    self.expect(Punct::LParen)?;
                    attrs.mode = Some(self.bump().text);
                    self.expect(Punct::RParen)?;
                    continue;
                }
                _ => {}
            }
            if self.is(Punct::LParen) {
                self.skip_balanced()?;
            }
        }
    }

    pub(super) fn decl_specs(&mut self, context: SpecContext) -> PResult<DeclSpecs> {
        let start = self.peek().span;
        let mut specs = DeclSpecs {
            storage: Storage::None,
            thread_local: false,
            is_constexpr: false,
            is_inline: false,
            is_noreturn: false,
            quals: Quals::default(),
            attrs: Attrs::default(),
            ty: TypeSpec::Missing,
            span: start,
        };
        let mut basic = BasicWords::default();
        let mut seen_type = false;
        // C23: `auto` beside another storage class asks for the type of the initialiser.
        let mut has_auto = false;
        let mut restricted = None;
        loop {
            let token = self.peek();
            let Some(kw) = self.kw_of(token) else {
                if self.is(Punct::LBracket) && self.peek_at(1).is(Punct::LBracket) {
                    specs.attrs.merge(self.attributes()?);
                    continue;
                }
                if !seen_type && !basic.any() && self.is_typedef_name(token) {
                    specs.ty = TypeSpec::Typedef(token.text);
                    seen_type = true;
                    self.bump();
                    continue;
                }
                break;
            };
            match kw {
                Kw::Typedef | Kw::Extern | Kw::Static | Kw::Register | Kw::Auto => {
                    self.bump();
                    let storage = match kw {
                        Kw::Typedef => Storage::Typedef,
                        Kw::Extern => Storage::Extern,
                        Kw::Static => Storage::Static,
                        Kw::Register => Storage::Register,
                        _ => Storage::Auto,
                    };
                    if storage == Storage::Auto && specs.storage != Storage::None {
                        has_auto = true;
                        continue;
                    }
                    if specs.storage == Storage::Auto {
                        has_auto = true;
                    } else if specs.storage != Storage::None {
                        return Err(Diagnostic::error(
                            token.span,
                            "multiple storage classes in declaration specifiers",
                        ));
                    }
                    specs.storage = storage;
                }
                Kw::BitInt | Kw::Decimal => {
                    let message = format!("{} is not supported", self.interner.text(token.text));
                    return Err(Diagnostic::unsupported(token.span, message));
                }
                Kw::Thread => {
                    self.bump();
                    specs.thread_local = true;
                }
                Kw::Constexpr => {
                    self.bump();
                    specs.is_constexpr = true;
                    specs.quals.is_const = true;
                }
                Kw::Inline => {
                    self.bump();
                    specs.is_inline = true;
                }
                Kw::Noreturn => {
                    self.bump();
                    specs.is_noreturn = true;
                }
                Kw::Extension => {
                    self.bump();
                }
                Kw::Const => {
                    self.bump();
                    specs.quals.is_const = true;
                }
                Kw::Volatile => {
                    self.bump();
                    specs.quals.is_volatile = true;
                }
                Kw::Restrict => {
                    self.bump();
                    restricted = Some(token.span);
                }
                Kw::Attribute => specs.attrs.merge(self.attributes()?),
                Kw::Alignas => {
                    self.bump();
                    self.expect(Punct::LParen)?;
                    let spec = if self.starts_type(self.peek()) {
                        AlignSpec::Type(Rc::new(self.type_name()?))
                    } else {
                        AlignSpec::Expr(Rc::new(self.conditional()?))
                    };
                    self.expect(Punct::RParen)?;
                    specs.attrs.aligned.push(spec);
                }
                Kw::Atomic => {
                    self.bump();
                    if self.is(Punct::LParen) && !seen_type && !basic.any() {
                        self.bump();
                        specs.ty = TypeSpec::Atomic(Box::new(self.type_name()?));
                        seen_type = true;
                        self.expect(Punct::RParen)?;
                    }
                    specs.quals.is_atomic = true;
                }
                Kw::Struct | Kw::Union | Kw::Enum | Kw::Typeof | Kw::TypeofUnqual | Kw::AutoType if seen_type => {
                    return Err(Diagnostic::error(token.span, "two or more data types in declaration specifiers"));
                }
                Kw::Struct | Kw::Union => {
                    let (record, attrs) = self.record_spec()?;
                    specs.ty = TypeSpec::Record(record);
                    specs.attrs.merge(attrs);
                    seen_type = true;
                }
                Kw::Enum => {
                    specs.ty = TypeSpec::Enum(self.enum_spec()?);
                    seen_type = true;
                }
                Kw::Typeof | Kw::TypeofUnqual => {
                    self.bump();
                    self.expect(Punct::LParen)?;
                    let ty = if self.starts_type(self.peek()) {
                        TypeSpec::TypeofType(Box::new(self.type_name()?))
                    } else {
                        TypeSpec::TypeofExpr(Box::new(self.expr()?))
                    };
                    specs.ty = if kw == Kw::Typeof { ty } else { TypeSpec::Unqualified(Box::new(ty)) };
                    self.expect(Punct::RParen)?;
                    seen_type = true;
                }
                Kw::AutoType => {
                    self.bump();
                    specs.ty = TypeSpec::AutoType;
                    seen_type = true;
                }
                _ => {
                    if !basic.add(kw) {
                        break;
                    }
                    self.bump();
                }
            }
        }
        if basic.any() {
            let Some(ty) = basic.resolve() else {
                return Err(Diagnostic::error(start, "these type specifiers do not go together"));
            };
            if seen_type {
                return Err(Diagnostic::error(start, "two or more data types in declaration specifiers"));
            }
            specs.ty = if basic.complex > 0 { TypeSpec::Complex(ty) } else { TypeSpec::Basic(ty) };
        } else if !seen_type && (specs.storage == Storage::Auto || has_auto) {
            specs.ty = TypeSpec::AutoType;
        }
        if has_auto && !matches!(specs.ty, TypeSpec::AutoType) {
            return Err(Diagnostic::error(start, "multiple storage classes in declaration specifiers"));
        }
        if let Some(span) = restricted
            && matches!(specs.ty, TypeSpec::Basic(_) | TypeSpec::Complex(_) | TypeSpec::Record(_) | TypeSpec::Enum(_))
        {
            return Err(Diagnostic::error(span, "invalid use of 'restrict'"));
        }
        let is_empty = !seen_type && !basic.any() && self.next > 0 && start == self.peek().span;
        if is_empty {
            // Implicit int is possible only before a function's or an object's name at file scope.
            let is_old_style = matches!(context, SpecContext::File)
                && (self.is_plain_ident(self.peek())
                    && [Punct::LParen, Punct::Assign, Punct::Semi].iter().any(|&p| self.peek_at(1).is(p))
                    || self.is(Punct::Star));
            if !is_old_style {
                return Err(self.unexpected("expected a declaration"));
            }
        }
        specs.span = start.to(self.last_span());
        Ok(specs)
    }

    /// A struct or union, with the attributes behind it that belong to what is declared.
    pub(super) fn record_spec(&mut self) -> PResult<(RecordSpec, Attrs)> {
        let start = self.peek().span;
        let is_union = self.kw() == Some(Kw::Union);
        self.bump();
        let mut attrs = self.attributes()?;
        let tag = if self.is_plain_ident(self.peek()) { Some(self.bump().text) } else { None };
        let behind = self.attributes()?;
        let mut members = None;
        if self.is(Punct::LBrace) {
            attrs.merge(behind);
            self.bump();
            let pack_before = self.pack;
            members = Some(self.nested(|p| p.members())?);
            attrs.merge(self.attributes()?);
            let record = RecordSpec { is_union, tag, members, attrs, pack: pack_before, span: start };
            return Ok((record, Attrs::default()));
        }
        if tag.is_none() {
            return Err(self.unexpected("expected a tag or '{'"));
        }
        Ok((RecordSpec { is_union, tag, members, attrs, pack: self.pack, span: start }, behind))
    }

    pub(super) fn members(&mut self) -> PResult<Vec<Member>> {
        let mut members = Vec::new();
        while !self.accept(Punct::RBrace) {
            if self.accept(Punct::Semi) {
                continue;
            }
            while self.accept_kw(Kw::Extension) {}
            if self.kw() == Some(Kw::StaticAssert) {
                members.push(Member::StaticAssert(self.static_assert()?));
                continue;
            }
            let start = self.peek().span;
            let specs = Rc::new(self.decl_specs(SpecContext::Other)?);
            if self.accept(Punct::Semi) {
                members.push(Member::Field { specs, declarator: None, width: None, span: start });
                continue;
            }
            loop {
                let mut attrs = self.attributes()?;
                let mut declarator = None;
                if !self.is(Punct::Colon) {
                    declarator = Some(self.declarator(false)?);
                }
                let width = if self.accept(Punct::Colon) { Some(self.conditional()?) } else { None };
                self.declarator_trailer(&mut attrs)?;
                let span = declarator.as_ref().map_or(start, |d| d.span);
                let mut declarator =
                    declarator.unwrap_or(Declarator { name: None, span, parts: Vec::new(), attrs: Attrs::default() });
                declarator.attrs.merge(attrs);
                members.push(Member::Field { specs: specs.clone(), declarator: Some(declarator), width, span });
                if !self.accept(Punct::Comma) {
                    break;
                }
            }
            if !self.is(Punct::RBrace) {
                self.expect(Punct::Semi)?;
            }
        }
        Ok(members)
    }

    pub(super) fn enum_spec(&mut self) -> PResult<EnumSpec> {
        let start = self.bump().span;
        let mut attrs = self.attributes()?;
        let tag = if self.is_plain_ident(self.peek()) { Some(self.bump().text) } else { None };
        let mut underlying = None;
        if self.is(Punct::Colon) && self.starts_type(self.peek_at(1)) {
            self.bump();
            underlying = Some(Box::new(self.type_name()?));
        }
        let mut enumerators = None;
        if self.accept(Punct::LBrace) {
            let mut list = Vec::new();
            while !self.accept(Punct::RBrace) {
                let (name, span) = self.ident()?;
                self.attributes()?;
                let value = if self.accept(Punct::Assign) { Some(self.conditional()?) } else { None };
                self.declare(name, false);
                list.push((name, value, span));
                if !self.accept(Punct::Comma) {
                    self.expect(Punct::RBrace)?;
                    break;
                }
            }
            enumerators = Some(list);
            attrs.merge(self.attributes()?);
        } else if tag.is_none() {
            return Err(self.unexpected("expected a tag or '{'"));
        }
        Ok(EnumSpec { tag, enumerators, attrs, underlying, span: start })
    }
}

/// The words of a basic type, in any order.
#[derive(Default)]
pub(super) struct BasicWords {
    void: u8,
    boolean: u8,
    char: u8,
    short: u8,
    int: u8,
    long: u8,
    signed: u8,
    unsigned: u8,
    float: u8,
    double: u8,
    long_double: u8,
    float16: u8,
    float128: u8,
    complex: u8,
    int128: u8,
    uint128: u8,
    va_list: u8,
}

impl BasicWords {
    fn any(&self) -> bool {
        self.total() > 0
    }
    fn total(&self) -> u8 {
        self.void
            + self.boolean
            + self.char
            + self.short
            + self.int
            + self.long
            + self.signed
            + self.unsigned
            + self.float
            + self.double
            + self.long_double
            + self.float16
            + self.float128
            + self.complex
            + self.int128
            + self.uint128
            + self.va_list
    }
    pub(super) fn add(&mut self, kw: Kw) -> bool {
        let word = match kw {
            Kw::Void => &mut self.void,
            Kw::Bool => &mut self.boolean,
            Kw::Char => &mut self.char,
            Kw::Short => &mut self.short,
            Kw::Int => &mut self.int,
            Kw::Long => &mut self.long,
            Kw::Signed => &mut self.signed,
            Kw::Unsigned => &mut self.unsigned,
            Kw::Float => &mut self.float,
            Kw::Double => &mut self.double,
            Kw::LongDouble => &mut self.long_double,
            Kw::Float16 => &mut self.float16,
            Kw::Float128 => &mut self.float128,
            Kw::Complex => &mut self.complex,
            Kw::Int128 => &mut self.int128,
            Kw::UInt128 => &mut self.uint128,
            Kw::VaList => &mut self.va_list,
            _ => return false,
        };
        *word = word.saturating_add(1);
        *word < 10
    }
    /// The type that the words name, or that of the parts if it is complex.
    fn resolve(&self) -> Option<BasicType> {
        let n_other = self.total() - self.complex;
        if self.complex > 1 || self.complex == 1 && self.boolean + self.void + self.va_list > 0 {
            return None;
        }
        if self.complex == 1 && n_other == 0 {
            return Some(BasicType::Double);
        }
        let only = |n: u8| n_other == n;
        let sign = self.signed + self.unsigned;
        if sign > 1 || self.int > 1 || self.long > 2 {
            return None;
        }
        let unsigned = self.unsigned == 1;
        let pick = |yes: BasicType, no: BasicType| Some(if unsigned { yes } else { no });
        if self.void == 1 && only(1) {
            Some(BasicType::Void)
        } else if self.boolean == 1 && only(1) {
            Some(BasicType::Bool)
        } else if self.va_list == 1 && only(1) {
            Some(BasicType::VaList)
        } else if self.uint128 == 1 && only(1) {
            Some(BasicType::UInt128)
        } else if self.int128 == 1 && only(1 + sign) {
            pick(BasicType::UInt128, BasicType::Int128)
        } else if self.float == 1 && only(1) {
            Some(BasicType::Float)
        } else if self.float16 == 1 && only(1) {
            Some(BasicType::Float16)
        } else if self.float128 == 1 && only(1) {
            Some(BasicType::Float128)
        } else if self.long_double == 1 && only(1) {
            Some(BasicType::LongDouble)
        } else if self.double == 1 && only(1 + self.long) && self.long <= 1 {
            Some(if self.long == 0 { BasicType::Double } else { BasicType::LongDouble })
        } else if self.char == 1 && only(1 + sign) {
            if sign == 0 { Some(BasicType::Char) } else { pick(BasicType::UChar, BasicType::SChar) }
        } else if self.short == 1 && only(1 + sign + self.int) {
            pick(BasicType::UShort, BasicType::Short)
        } else if self.long == 1 && only(1 + sign + self.int) {
            pick(BasicType::ULong, BasicType::Long)
        } else if self.long == 2 && only(2 + sign + self.int) {
            pick(BasicType::ULongLong, BasicType::LongLong)
        } else if only(sign + self.int) {
            pick(BasicType::UInt, BasicType::Int)
        } else {
            None
        }
    }
}
