//! Declarations: specifiers and declarators to types, names to entities.

use std::rc::Rc;

use super::*;
use crate::ast::{AlignSpec, BasicType, DeclSpecs, Declarator, DeclaratorPart, Initializer, RecordSpec, TypeSpec};

/// The priority of a constructor that names none: after all that name one.
const LAST_PRIORITY: i128 = 65535;

impl Sema<'_> {
    // ----- types -----

    fn basic_type(&mut self, basic: BasicType) -> TypeId {
        match basic {
            BasicType::Void => TypeId::VOID,
            BasicType::Bool => TypeId::BOOL,
            BasicType::Char => TypeId::CHAR,
            BasicType::SChar => TypeId::SCHAR,
            BasicType::UChar => TypeId::UCHAR,
            BasicType::Short => TypeId::SHORT,
            BasicType::UShort => TypeId::USHORT,
            BasicType::Int => TypeId::INT,
            BasicType::UInt => TypeId::UINT,
            BasicType::Long => TypeId::LONG,
            BasicType::ULong => TypeId::ULONG,
            BasicType::LongLong => TypeId::LLONG,
            BasicType::ULongLong => TypeId::ULLONG,
            BasicType::Int128 => self.types.int(IntKind::Int128),
            BasicType::UInt128 => self.types.int(IntKind::UInt128),
            BasicType::Float => TypeId::FLOAT,
            BasicType::Double => TypeId::DOUBLE,
            BasicType::LongDouble => TypeId::LDOUBLE,
            BasicType::Float16 => self.types.intern(Type::Float(FloatKind::Half)),
            BasicType::Float128 => self.types.intern(Type::Float(FloatKind::Quad)),
            BasicType::VaList => TypeId::VA_LIST,
        }
    }

    /// The type of specifiers and the alignment they ask for.
    pub(super) fn specified_type(&mut self, specs: &DeclSpecs) -> SResult<(Ty, Option<u64>)> {
        let align = self.alignment(&specs.attrs.aligned)?;
        let mut ty = self.type_spec(&specs.ty, specs.span)?;
        if let Some(size) = &specs.attrs.vector_size {
            ty = self.vector_type(ty, size)?;
        }
        let ty = self.apply_mode(ty, specs.attrs.mode);
        Ok((ty.with(specs.quals), align))
    }

    fn type_spec(&mut self, spec: &TypeSpec, span: Span) -> SResult<Ty> {
        Ok(match spec {
            TypeSpec::Basic(basic) => Ty::plain(self.basic_type(*basic)),
            TypeSpec::Complex(part) => {
                let part = self.basic_type(*part);
                Ty::plain(self.complex_of(part, span)?)
            }
            TypeSpec::Unqualified(inner) => Ty::plain(self.type_spec(inner, span)?.id),
            TypeSpec::Missing => Ty::plain(TypeId::INT),
            TypeSpec::Typedef(name) => match self.lookup(*name) {
                Some(Entity::Typedef(typedef)) => typedef.ty,
                _ => return err(span, format!("unknown type name '{}'", self.text(*name))),
            },
            TypeSpec::Record(spec) => Ty::plain(self.record_type(spec)?),
            TypeSpec::Enum(spec) => Ty::plain(self.enum_type(spec)?),
            TypeSpec::TypeofExpr(e) => self.type_of_expr(e)?,
            TypeSpec::TypeofType(name) => self.type_name(name)?,
            TypeSpec::Atomic(name) => {
                let mut ty = self.type_name(name)?;
                if self.types.is_array(ty.id) || self.types.is_function(ty.id) {
                    return err(span, format!("'_Atomic'-qualified {}", self.types.show(ty.id)));
                }
                ty.quals.is_atomic = true;
                ty
            }
            TypeSpec::AutoType => return err(span, "__auto_type needs an initialiser"),
        })
    }

    fn apply_mode(&mut self, ty: Ty, mode: Option<Sym>) -> Ty {
        let Some(mode) = mode else { return ty };
        let text = self.text(mode);
        if let Type::Float(_) = self.types.get(ty.id) {
            let id = match text.trim_matches('_') {
                "SF" => TypeId::FLOAT,
                "DF" => TypeId::DOUBLE,
                "XF" => TypeId::LDOUBLE,
                _ => ty.id,
            };
            return Ty { id, quals: ty.quals };
        }
        let Some(kind) = self.types.int_kind(ty.id) else { return ty };
        let pointer_sized = if self.types.pointer_size() == 8 { IntKind::Long } else { IntKind::Int };
        let signed = match text.trim_matches('_') {
            "QI" | "byte" => IntKind::SChar,
            "HI" => IntKind::Short,
            "SI" => IntKind::Int,
            "DI" if self.types.pointer_size() == 8 => IntKind::Long,
            "DI" => IntKind::LongLong,
            "TI" => IntKind::Int128,
            "word" | "pointer" | "unwind_word" => pointer_sized,
            _ => return ty,
        };
        let kind = if kind.is_signed() { signed } else { signed.unsigned() };
        Ty { id: self.types.int(kind), quals: ty.quals }
    }

    pub(super) fn alignment(&mut self, specs: &[AlignSpec]) -> SResult<Option<u64>> {
        let mut best = None;
        for spec in specs {
            let align = match spec {
                AlignSpec::Max => 16,
                AlignSpec::Expr(e) => {
                    let align = self.constant(e)?;
                    if align != 0 && (align < 0 || align & (align - 1) != 0) {
                        return err(e.span, format!("requested alignment '{align}' is not a positive power of 2"));
                    }
                    align.clamp(1, 1 << 28) as u64
                }
                AlignSpec::Type(name) => {
                    let ty = self.type_name(name)?;
                    self.types.align_of(ty.id)
                }
            };
            best = best.max(Some(align));
        }
        Ok(best)
    }

    pub(super) fn type_name(&mut self, name: &ast::TypeName) -> SResult<Ty> {
        let (base, _) = self.specified_type(&name.specs)?;
        let ty = self.declared_type(base, &name.declarator)?;
        Ok(self.apply_mode(ty, name.declarator.attrs.mode))
    }

    /// The alignment that a typedef name gives to what is declared with it: not to what only points to its type.
    pub(super) fn typedef_align(&self, specs: &DeclSpecs, declarator: Option<&Declarator>) -> Option<u64> {
        let align = match &specs.ty {
            TypeSpec::Typedef(name) => match self.lookup(*name) {
                Some(Entity::Typedef(typedef)) => typedef.align,
                _ => None,
            },
            TypeSpec::TypeofType(name) => self.typedef_align(&name.specs, Some(&name.declarator)),
            _ => None,
        };
        let is_it = |part: &DeclaratorPart| matches!(part, DeclaratorPart::Array { .. });
        align.filter(|_| declarator.is_none_or(|d| d.parts.iter().all(is_it)))
    }

    /// The alignment that a declaration gives to what it declares, beside that of the type.
    fn declared_align(
        &mut self,
        of_specs: Option<u64>,
        specs: &DeclSpecs,
        declarator: &Declarator,
    ) -> SResult<Option<u64>> {
        let own = of_specs.max(self.alignment(&declarator.attrs.aligned)?);
        Ok(own.or_else(|| self.typedef_align(specs, Some(declarator))))
    }

    /// May a type be made of an enumeration?
    pub(super) fn may_be_enum(&self, spec: &TypeSpec) -> bool {
        match spec {
            TypeSpec::Enum(_) | TypeSpec::TypeofExpr(_) | TypeSpec::AutoType => true,
            TypeSpec::Typedef(name) => {
                matches!(self.lookup(*name), Some(Entity::Typedef(Typedef { may_be_enum: true, .. })))
            }
            TypeSpec::TypeofType(name) | TypeSpec::Atomic(name) => self.may_be_enum(&name.specs.ty),
            TypeSpec::Unqualified(inner) => self.may_be_enum(inner),
            TypeSpec::Basic(_) | TypeSpec::Complex(_) | TypeSpec::Missing | TypeSpec::Record(_) => false,
        }
    }

    /// Are there several enumerations that a type could be made of? They are different types, although their underlying
    /// types are one.
    pub(super) fn is_ambiguous_enum(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            Type::Pointer(inner) | Type::Array(inner, _) => self.is_ambiguous_enum(inner.id),
            // The types of parameters and results are not looked at one by one.
            Type::Function(_) => self.enumerations.len() > 1,
            _ => self.enumerations.iter().filter(|&&e| e == ty).count() > 1,
        }
    }

    /// Applies a declarator's constructors to the specified type.
    pub(super) fn declared_type(&mut self, base: Ty, declarator: &Declarator) -> SResult<Ty> {
        let mut ty = base;
        if let Some(size) = &declarator.attrs.vector_size {
            ty = self.vector_type(ty, size)?;
        }
        for part in &declarator.parts {
            ty = match part {
                DeclaratorPart::Pointer(quals) => Ty { id: self.types.pointer_to(ty), quals: *quals },
                DeclaratorPart::Array { size, span, .. } => {
                    if self.types.is_function(ty.id) || ty.id == TypeId::VOID {
                        return err(*span, "array of functions or of void");
                    }
                    let is_open_record = self.types.is_record(ty.id) && self.types.fields(ty.id).is_none();
                    if is_open_record
                        || matches!(self.types.get(ty.id), Type::Array(_, ArrayLen::Incomplete))
                            && !self.in_parameters()
                    {
                        return err(
                            *span,
                            format!("array type has incomplete element type '{}'", self.types.show(ty.id)),
                        );
                    }
                    let len = match size {
                        None => ArrayLen::Incomplete,
                        Some(e) => self.array_length(e)?,
                    };
                    Ty::plain(self.types.intern(Type::Array(ty, len)))
                }
                DeclaratorPart::Function(_) if self.types.is_array(ty.id) => {
                    return err(declarator.span, "declared as function returning an array");
                }
                DeclaratorPart::Function(_) if self.types.is_function(ty.id) => {
                    return err(declarator.span, "declared as function returning a function");
                }
                DeclaratorPart::Function(part) => {
                    let mut params = Vec::new();
                    self.scopes.push(Scope::default());
                    for param in &part.params {
                        let ty = self.param_type(&param.specs, &param.declarator);
                        match ty {
                            Ok(ty) => params.push(ty),
                            Err(e) => {
                                self.scopes.pop();
                                return Err(e);
                            }
                        }
                    }
                    self.scopes.pop();
                    // `(void)`, where a typedef says `void`.
                    let is_void = |ty: &Ty| ty.id == TypeId::VOID;
                    if params.len() == 1 && !part.variadic {
                        params.retain(|ty| !is_void(ty));
                    }
                    if params.iter().any(is_void) {
                        return err(declarator.span, "'void' must be the only parameter");
                    }
                    let function = FnType {
                        ret: Ty::plain(ty.id),
                        params,
                        variadic: part.variadic,
                        prototyped: !part.unspecified,
                    };
                    Ty::plain(self.types.intern(Type::Function(Arc::new(function))))
                }
            };
        }
        Ok(ty)
    }

    /// A parameter's type, with arrays and functions turned into pointers. The name is declared so
    /// that later parameters (`int n, int a[n]`) can use it.
    pub(super) fn param_type(&mut self, specs: &DeclSpecs, declarator: &Declarator) -> SResult<Ty> {
        let (base, _) = self.specified_type(specs)?;
        let ty = self.declared_type(base, declarator)?;
        let ty = self.apply_mode(ty, declarator.attrs.mode);
        let mut ty = self.adjusted_param(ty);
        if let Some(DeclaratorPart::Array { quals, .. }) = declarator.parts.last() {
            ty.quals = *quals;
        }
        if !matches!(specs.storage, ast::Storage::None | ast::Storage::Register) {
            return err(declarator.span, "storage class specified for a parameter");
        }
        if ty.id == TypeId::VOID && declarator.name.is_some() {
            return err(declarator.span, "a parameter has incomplete type 'void'");
        }
        if let Some(name) = declarator.name {
            let text = self.text(name);
            if self.scope().names.contains_key(&name) {
                return err(declarator.span, format!("redefinition of parameter '{text}'"));
            }
            let var = self.new_var(&text, ty, declarator.span, Storage::Param, true);
            self.scope().names.insert(name, Entity::Var(var));
        }
        Ok(ty)
    }

    pub(super) fn adjusted_param(&mut self, ty: Ty) -> Ty {
        match self.types.kind(ty).clone() {
            Type::Array(elem, _) => Ty::plain(self.types.pointer_to(elem)),
            Type::Function(_) => Ty::plain(self.types.pointer_to(ty)),
            _ => ty,
        }
    }

    fn array_length(&mut self, e: &ast::Expr) -> SResult<ArrayLen> {
        let value = self.rvalue(e)?;
        if !self.types.is_integer(value.ty) {
            return err(e.span, "the size of an array must be an integer");
        }
        if let ExprKind::Int(n) = value.kind {
            if n < 0 {
                return err(e.span, "the size of an array is negative");
            }
            return Ok(ArrayLen::Known(n as u64));
        }
        if self.function.is_none() {
            // In a prototype the size says nothing; a definition's parameters are checked again inside it.
            if self.scopes.len() > 1 {
                return Ok(ArrayLen::Incomplete);
            }
            return err(e.span, "the size of an array at file scope must be constant");
        }
        // The number of elements is computed once, where the declaration is reached.
        let size_t = self.types.size_t();
        let var = self.new_var("array length", Ty::plain(size_t), e.span, Storage::Local, true);
        self.vars[var].is_array_length = true;
        let value = self.convert(value, size_t);
        self.pending.push(Stmt { kind: StmtKind::Decl(var, None), span: e.span });
        let place = Place { kind: PlaceKind::Var(var), ty: Ty::plain(size_t), span: e.span };
        let assign = Expr { kind: ExprKind::Assign(Box::new(place), Box::new(value)), ty: size_t, span: e.span };
        self.pending.push(Stmt { kind: StmtKind::Expr(assign), span: e.span });
        Ok(ArrayLen::Vla(var))
    }

    fn record_type(&mut self, spec: &ast::RecordSpec) -> SResult<TypeId> {
        let word = if spec.is_union { "union" } else { "struct" };
        let existing = match spec.tag {
            Some(tag) if spec.members.is_some() => self.scopes.last().and_then(|s| s.tags.get(&tag).copied()),
            Some(tag) => self.lookup_tag(tag),
            None => None,
        };
        let id = match existing {
            Some(Tag::Record(id)) if self.types.records[id].is_union == spec.is_union => id,
            Some(_) => return err(spec.span, "this tag is already something else"),
            None => {
                let name = match spec.tag {
                    Some(tag) => format!("{word} {}", self.text(tag)),
                    None => {
                        self.n_anonymous += 1;
                        format!("{word} <anonymous {}>", self.n_anonymous)
                    }
                };
                let id = self.types.records.push(Record {
                    name,
                    shape: Shape::Members,
                    is_union: spec.is_union,
                    fields: None,
                    size: 0,
                    align: 1,
                });
                if let Some(tag) = spec.tag {
                    self.scope().tags.insert(tag, Tag::Record(id));
                }
                id
            }
        };
        if let Some(members) = &spec.members {
            if self.types.records[id].fields.is_some() {
                return err(spec.span, format!("{} is defined twice", self.types.records[id].name));
            }
            let mut fields = Vec::new();
            let mut shared = None;
            for member in members {
                match member {
                    ast::Member::StaticAssert(assertion) => self.static_assert(assertion)?,
                    ast::Member::Field { specs, declarator, width, span } => {
                        // The members of one declaration share what it says of their type: a struct is defined there
                        // once.
                        let base = match &shared {
                            Some((before, base)) if Rc::ptr_eq(before, specs) => *base,
                            _ => self.specified_type(specs)?,
                        };
                        shared = Some((specs.clone(), base));
                        let member = (specs.as_ref(), declarator.as_ref(), width.as_ref());
                        self.field(member, base, spec.attrs.packed, *span, &mut fields)?;
                    }
                }
            }
            if let Some(attribute) = spec.attrs.unsupported {
                self.remarks.push((spec.span, format!("attribute {} of a record", self.text(attribute))));
            }
            let rules =
                LayoutRules { packed: spec.attrs.packed, pack: spec.pack, align: self.alignment(&spec.attrs.aligned)? };
            self.require_distinct_members(&fields, spec.span)?;
            let is_flexible = |f: &Field| matches!(self.types.get(f.ty.id), Type::Array(_, ArrayLen::Incomplete));
            if !spec.is_union && matches!(&fields[..], [only] if is_flexible(only)) {
                return err(spec.span, "flexible array member in a struct with no named members");
            }
            if let Some(field) = fields.iter().find(|f| self.is_variably_sized(f.ty.id)) {
                let name = field.name.clone().unwrap_or_default();
                return unsupported(spec.span, format!("the member {name} of variable size is not supported"));
            }
            if self.types.complete_record(id, fields, rules).is_none() {
                return err(spec.span, "a member has incomplete type");
            }
        }
        Ok(self.types.intern(Type::Record(id)))
    }

    fn field(
        &mut self,
        (specs, declarator, width): (&DeclSpecs, Option<&Declarator>, Option<&ast::Expr>),
        (base, base_align): (Ty, Option<u64>),
        in_packed: bool,
        span: Span,
        fields: &mut Vec<Field>,
    ) -> SResult<()> {
        let Some(declarator) = declarator else {
            // An anonymous struct or union member; anything else declares nothing, not even one with a tag.
            let is_anonymous = matches!(&specs.ty, TypeSpec::Record(RecordSpec { tag: None, members: Some(_), .. }));
            if is_anonymous && self.types.is_record(base.id) {
                fields.push(Field {
                    name: None,
                    ty: base,
                    width: None,
                    bit_offset: 0,
                    align: base_align,
                    packed: specs.attrs.packed,
                    placed: 1,
                });
            }
            return Ok(());
        };
        let ty = self.declared_type(base, declarator)?;
        let ty = self.apply_mode(ty, declarator.attrs.mode);
        if self.types.is_function(ty.id) {
            return err(span, "a member cannot be a function");
        }
        if ty.id == TypeId::VOID {
            return err(span, "a member cannot be void");
        }
        if specs.storage != ast::Storage::None {
            return err(span, "a member has no storage class");
        }
        let width = match width {
            None => None,
            Some(e) => {
                let Some(kind) = self.types.int_kind(ty.id) else {
                    return err(span, "a bit-field must have an integer type");
                };
                let bits = self.constant(e)?;
                if bits == 0 && declarator.name.is_some() {
                    return err(span, "zero width for a bit-field with a name");
                }
                if bits < 0 || bits > self.types.int_bits(kind) as i128 {
                    return err(span, "the width of this bit-field is out of range");
                }
                Some(bits as u32)
            }
        };
        let name = declarator.name.map(|n| self.text(n));
        if name.is_none() && width.is_none() {
            return err(span, "a member needs a name");
        }
        // What is packed has the alignment that the member itself is given, not that of a typedef.
        let is_packed = in_packed || specs.attrs.packed || declarator.attrs.packed;
        let of_type = self.typedef_align(specs, Some(declarator)).filter(|_| !is_packed);
        let align = base_align.max(self.alignment(&declarator.attrs.aligned)?).max(of_type);
        // Unlike an attribute of the member, one of the type may also lower the alignment.
        let lowers = of_type.is_some_and(|a| a < self.types.align_of(ty.id));
        let packed = specs.attrs.packed || declarator.attrs.packed || lowers;
        fields.push(Field { name, ty, width, bit_offset: 0, align, packed, placed: 1 });
        Ok(())
    }

    fn enum_type(&mut self, spec: &ast::EnumSpec) -> SResult<TypeId> {
        let underlying = match &spec.underlying {
            Some(name) => Some(self.type_name(name)?.id),
            None => None,
        };
        let Some(enumerators) = &spec.enumerators else {
            if let Some(tag) = spec.tag
                && let Some(found) = self.lookup_tag(tag)
            {
                return match found {
                    Tag::Enum(ty) => Ok(ty),
                    Tag::Record(_) => err(spec.span, "this tag is already something else"),
                };
            }
            return Ok(underlying.unwrap_or(TypeId::UINT));
        };
        if let Some(tag) = spec.tag
            && let Some(found) = self.scope().tags.get(&tag)
        {
            let message = match found {
                Tag::Enum(_) => format!("redeclaration of 'enum {}'", self.text(tag)),
                Tag::Record(_) => "this tag is already something else".to_string(),
            };
            return err(spec.span, message);
        }
        let mut next: i128 = 0;
        let (mut low, mut high) = (0i128, 0i128);
        let mut values = Vec::new();
        for (name, value, span) in enumerators {
            if let Some(e) = value {
                next = self.constant(e)?;
            }
            low = low.min(next);
            high = high.max(next);
            let ty = match underlying {
                Some(ty) => ty,
                None if (-(1i128 << 31)..1i128 << 31).contains(&next) => TypeId::INT,
                None if (0..1i128 << 32).contains(&next) => TypeId::UINT,
                None if next < 1i128 << 63 => {
                    if self.types.pointer_size() == 8 {
                        TypeId::LONG
                    } else {
                        TypeId::LLONG
                    }
                }
                None if self.types.pointer_size() == 8 => TypeId::ULONG,
                None => TypeId::ULLONG,
            };
            if matches!(
                self.scope().names.get(name),
                Some(Entity::EnumConst(..) | Entity::Var(_) | Entity::Typedef(..) | Entity::Func(_))
            ) {
                return err(*span, format!("{} is declared twice", self.text(*name)));
            }
            self.scope().names.insert(*name, Entity::EnumConst(next, ty));
            values.push((*name, next));
            next = match next.checked_add(1) {
                Some(n) => n,
                None => return err(*span, "enumerator out of range"),
            };
        }
        let ty = match underlying {
            Some(ty) => ty,
            None => {
                let candidates: &[IntKind] = match (low < 0, spec.attrs.packed) {
                    (true, true) => &[IntKind::SChar, IntKind::Short, IntKind::Int, IntKind::Long, IntKind::LongLong],
                    (true, false) => &[IntKind::Int, IntKind::Long, IntKind::LongLong],
                    (false, true) => {
                        &[IntKind::UChar, IntKind::UShort, IntKind::UInt, IntKind::ULong, IntKind::ULongLong]
                    }
                    (false, false) => &[IntKind::UInt, IntKind::ULong, IntKind::ULongLong],
                };
                let fits = |kind: &&IntKind| {
                    let (min, max) = self.types.int_range(**kind);
                    min <= low && high <= max
                };
                match candidates.iter().find(fits) {
                    Some(&kind) => self.types.int(kind),
                    None => return err(spec.span, "no integer type holds all enumerators"),
                }
            }
        };
        let ty = match spec.attrs.mode {
            None => ty,
            mode => {
                let moded = self.apply_mode(Ty::plain(ty), mode).id;
                let (min, max) = self.types.int_kind(moded).map_or((low, high), |kind| self.types.int_range(kind));
                if low < min || high > max {
                    return err(spec.span, "the mode is too small for the enumerators");
                }
                moded
            }
        };
        // With an enumerator outside int, all of them have the enumeration's type afterwards.
        if self.types.size_of(ty) == Some(8) {
            for (name, value) in values {
                self.scope().names.insert(name, Entity::EnumConst(value, ty));
            }
        }
        if let Some(tag) = spec.tag {
            self.scope().tags.insert(tag, Tag::Enum(ty));
        }
        self.enumerations.push(ty);
        Ok(ty)
    }

    // ----- declarations -----

    /// Checks a declaration; returns the statements it stands for (none at file scope).
    pub(super) fn declaration(&mut self, declaration: &ast::Declaration) -> SResult<Vec<Stmt>> {
        let mut stmts = Vec::new();
        let is_auto = matches!(declaration.specs.ty, TypeSpec::AutoType);
        let (base, base_align) =
            if is_auto { (Ty::plain(TypeId::INT), None) } else { self.specified_type(&declaration.specs)? };
        stmts.append(&mut self.pending);
        for init_declarator in &declaration.declarators {
            let declarator = &init_declarator.declarator;
            let mut base = base;
            if is_auto {
                let Some(Initializer::Expr(e)) = &init_declarator.init else {
                    return err(declarator.span, "'__auto_type' requires an initialized data declaration");
                };
                base = Ty::plain(self.rvalue_type(e)?).with(declaration.specs.quals);
            }
            let ty = self.declared_type(base, declarator)?;
            let ty = self.apply_mode(ty, declarator.attrs.mode);
            stmts.append(&mut self.pending);
            let Some(name) = declarator.name else { continue };
            let attrs_unsupported = declarator.attrs.unsupported.or(declaration.specs.attrs.unsupported);
            let is_static_constant = declaration.specs.is_constexpr && declaration.specs.storage == ast::Storage::None;
            let storage = if is_static_constant { ast::Storage::Static } else { declaration.specs.storage };
            self.check_storage(declaration, init_declarator, ty)?;
            match storage {
                ast::Storage::Typedef => {
                    let align = self.declared_align(base_align, &declaration.specs, declarator)?;
                    let typedef = Typedef { ty, align, may_be_enum: self.may_be_enum(&declaration.specs.ty) };
                    self.require_kind(name, &Entity::Typedef(typedef), declarator.span)?;
                    self.has_aligned_typedefs |= align.is_some();
                    self.scope().names.insert(name, Entity::Typedef(typedef));
                }
                _ if self.types.is_function(ty.id) => {
                    self.require_linkage(name, storage, false, declarator.span)?;
                    let func = self.declare_function(name, ty.id, declarator.span)?;
                    self.funcs[func].is_inline &= declaration.specs.is_inline && storage != ast::Storage::Extern;
                    let noreturn =
                        declaration.specs.is_noreturn || declaration.specs.attrs.noreturn || declarator.attrs.noreturn;
                    self.funcs[func].noreturn |= noreturn;
                    self.function_attributes(func, &declaration.specs.attrs, &declarator.attrs)?;
                    if attrs_unsupported.is_some() {
                        self.funcs[func].broken = Some((declarator.span, "function alias".into()));
                    }
                }
                storage => {
                    if attrs_unsupported.is_some() {
                        return unsupported(declarator.span, "attribute alias is not supported");
                    }
                    if let Some(link) = declarator.attrs.link_name
                        && link != name
                        && (self.function.is_none() || storage == ast::Storage::Extern)
                    {
                        self.link_names.push((name, link, declarator.span));
                    }
                    let init = init_declarator.init.as_ref();
                    self.declare_object(
                        name,
                        ty,
                        storage,
                        declaration.specs.thread_local,
                        declarator.span,
                        init,
                        &mut stmts,
                    )?;
                    if let Some(align) = self.declared_align(base_align, &declaration.specs, declarator)?
                        && let Some(Entity::Var(var)) = self.lookup(name)
                    {
                        let before = self.var_aligns.entry(var).or_insert(align);
                        *before = align.max(*before);
                    }
                    if (declarator.attrs.weak || declaration.specs.attrs.weak)
                        && let Some(Entity::Var(var)) = self.lookup(name)
                    {
                        self.vars[var].is_weak = true;
                    }
                    let cleanup = declarator.attrs.cleanup.or(declaration.specs.attrs.cleanup);
                    if let Some(function) = cleanup
                        && let Some(Entity::Var(var)) = self.lookup(name)
                        && self.vars[var].storage == Storage::Local
                    {
                        stmts.push(self.cleanup(function, var, declarator.span)?);
                    }
                }
            }
        }
        Ok(stmts)
    }

    /// What a storage class may not be combined with.
    fn check_storage(&self, declaration: &ast::Declaration, declared: &ast::InitDeclarator, ty: Ty) -> SResult<()> {
        let span = declared.declarator.span;
        let name = declared.declarator.name.map(|n| self.text(n)).unwrap_or_default();
        let (at_file_scope, is_function) = (self.function.is_none(), self.types.is_function(ty.id));
        let is_register_name = declared.declarator.attrs.link_name.is_some();
        match declaration.specs.storage {
            ast::Storage::Typedef if declared.init.is_some() => err(span, format!("typedef '{name}' is initialized")),
            ast::Storage::Typedef => Ok(()),
            _ if is_function && declared.init.is_some() => {
                err(span, format!("function '{name}' is initialized like a variable"))
            }
            ast::Storage::Static if is_function && !at_file_scope => {
                err(span, format!("invalid storage class for function '{name}'"))
            }
            ast::Storage::Auto if at_file_scope && !matches!(declaration.specs.ty, TypeSpec::AutoType) => {
                err(span, format!("file-scope declaration of '{name}' specifies 'auto'"))
            }
            ast::Storage::Register if at_file_scope && !is_register_name => {
                err(span, format!("register name not specified for '{name}'"))
            }
            ast::Storage::Extern if !at_file_scope && declared.init.is_some() => {
                err(span, format!("'{name}' has both 'extern' and initializer"))
            }
            ast::Storage::Extern if !at_file_scope && self.is_variably_sized(ty.id) => {
                err(span, "object with variably modified type must have no linkage")
            }
            ast::Storage::None | ast::Storage::Auto | ast::Storage::Register
                if declaration.specs.thread_local && !at_file_scope =>
            {
                err(span, format!("function-scope '{name}' implicitly auto and declared '_Thread_local'"))
            }
            _ => Ok(()),
        }
    }

    /// Is the innermost scope that of a prototype's parameters, where sizes say nothing?
    fn in_parameters(&self) -> bool {
        self.function.is_none() && self.scopes.len() > 1
    }

    /// `__attribute__((cleanup(function)))`: a call with the address of the variable, for the end of its scope.
    fn cleanup(&mut self, function: Sym, var: VarId, span: Span) -> SResult<Stmt> {
        let Some(Entity::Func(func)) = self.lookup(function) else {
            return err(span, format!("{} is not a cleanup function", self.text(function)));
        };
        let Some(signature) = self.types.function(self.funcs[func].ty) else {
            return err(span, "only functions can be called");
        };
        let ty = self.vars[var].ty;
        let place = Place { kind: PlaceKind::Var(var), ty, span };
        let address = Expr { kind: ExprKind::AddrOf(place), ty: self.types.pointer_to(ty), span };
        let address = match &signature.params[..] {
            [param] => self.assign_convert(address, param.id)?,
            [] if !signature.prototyped => address,
            _ => return err(span, "a function that cleans up takes one pointer"),
        };
        let kind = ExprKind::Call { callee: Callee::Direct(func), args: vec![address] };
        Ok(Stmt { kind: StmtKind::Cleanup(Expr { kind, ty: signature.ret.id, span }), span })
    }

    fn initialise_static(&mut self, var: VarId, ty: Ty, init: Init) -> SResult<()> {
        self.require_constants(&init)?;
        self.vars[var].ty = ty;
        if let Some(roomy) = self.with_flexible_array(ty, &init) {
            self.declared_types.insert(var, ty);
            self.vars[var].ty = roomy;
        }
        self.vars[var].init = Some(init);
        Ok(())
    }

    /// The type of an object with as many elements of its flexible array as are initialised (GNU).
    fn with_flexible_array(&mut self, ty: Ty, init: &Init) -> Option<Ty> {
        let record = self.types.record(ty.id).filter(|&r| !self.types.records[r].is_union)?;
        let mut fields = self.types.fields(ty.id)?.to_vec();
        let last = fields.len().checked_sub(1)?;
        let Type::Array(elem, ArrayLen::Incomplete) = *self.types.get(fields[last].ty.id) else { return None };
        let index = |item: &InitItem| match item.path[..] {
            [Step::Field(i), Step::Index(k), ..] if i as usize == last => Some(k + 1),
            _ => None,
        };
        let length = init.items.iter().filter_map(index).max()?;
        let array = self.types.intern(Type::Array(elem, ArrayLen::Known(length)));
        fields[last].ty = Ty { id: array, ..fields[last].ty };
        let end = fields[last].offset() + self.types.size_of(array)?;
        let old = &self.types.records[record];
        let (name, shape, align, size) = (old.name.clone(), old.shape, old.align, old.size.max(end));
        let fields = Some(fields.into());
        let id = self.types.records.push(Record { name, shape, is_union: false, fields, size, align });
        Some(Ty { id: self.types.intern(Type::Record(id)), ..ty })
    }

    /// What attributes of a declaration or a definition say of a function.
    fn function_attributes(&mut self, func: FuncId, specs: &ast::Attrs, declarator: &ast::Attrs) -> SResult<()> {
        for attrs in [specs, declarator] {
            if let Some(hook) = &attrs.constructor {
                self.funcs[func].constructor = Some(self.priority(hook)?);
            }
            if let Some(hook) = &attrs.destructor {
                self.funcs[func].destructor = Some(self.priority(hook)?);
            }
            self.funcs[func].is_weak |= attrs.weak;
            self.funcs[func].is_pure |= attrs.pure_function;
            self.funcs[func].returns_nonnull |= attrs.returns_nonnull;
            if let Some(link) = attrs.link_name {
                let name = self.funcs[func].name.clone();
                let name = self.interner.intern(&name);
                if name != link {
                    self.link_names.push((name, link, self.funcs[func].span));
                }
            }
        }
        Ok(())
    }

    fn priority(&mut self, hook: &ast::Hook) -> SResult<i128> {
        match &hook.priority {
            Some(e) => self.constant(e),
            None => Ok(LAST_PRIORITY),
        }
    }

    /// Declares a function; several declarations of a name are one function.
    fn declare_function(&mut self, name: Sym, ty: TypeId, span: Span) -> SResult<FuncId> {
        let func = match self.linkage.get(&name) {
            Some(Entity::Func(f)) => {
                let f = *f;
                let (old, new) = (self.types.function(self.funcs[f].ty), self.types.function(ty));
                // A compiler takes the call for one of a function that returns int, and then rejects the program.
                if let (Some(old), Some(new)) = (&old, &new)
                    && self.implicit.remove(&f)
                    && new.ret.id != TypeId::VOID
                    && new.ret.id != old.ret.id
                {
                    let message = format!("{} is called before it is declared with another type", self.text(name));
                    self.remarks.push((span, message));
                }
                if !self.in_library && !self.assumed.contains(&f) && !self.types.compatible(self.funcs[f].ty, ty) {
                    let message =
                        format!("conflicting types for '{}'; have '{}'", self.text(name), self.types.show(ty));
                    return err(span, message);
                }
                // A prototype says more than `()`; a definition settles the matter.
                if let (Some(old), Some(new)) = (old, new)
                    && self.funcs[f].body.is_none()
                    && (new.prototyped || !old.prototyped)
                {
                    self.funcs[f].ty = ty;
                }
                f
            }
            Some(_) => return err(span, format!("{} is declared as an object and as a function", self.text(name))),
            None => self.new_function(name, ty, span),
        };
        if !self.in_library {
            self.assumed.remove(&func);
            self.funcs[func].is_internal = self.internal.get(&name) == Some(&true);
        }
        self.require_kind(name, &Entity::Func(func), span)?;
        self.scope().names.insert(name, Entity::Func(func));
        Ok(func)
    }

    #[allow(clippy::too_many_arguments)]
    fn declare_object(
        &mut self,
        name: Sym,
        ty: Ty,
        storage: ast::Storage,
        thread_local: bool,
        span: Span,
        init: Option<&Initializer>,
        stmts: &mut Vec<Stmt>,
    ) -> SResult<()> {
        let text = self.text(name);
        if ty.id == TypeId::VOID {
            return err(span, format!("{text} has type void"));
        }
        let at_file_scope = self.function.is_none();
        if let Some(Entity::Typedef(..) | Entity::EnumConst(..)) = self.scope().names.get(&name) {
            return err(span, format!("'{text}' redeclared as different kind of symbol"));
        }
        if at_file_scope || storage == ast::Storage::Extern {
            if let Some(Entity::Var(old)) = self.scope().names.get(&name).cloned()
                && !matches!(self.vars[old].storage, Storage::Static { .. })
            {
                return err(span, format!("extern declaration of '{text}' follows declaration with no linkage"));
            }
            self.require_linkage(name, storage, true, span)?;
            let is_extern = storage == ast::Storage::Extern && init.is_none();
            let var = match self.linkage.get(&name) {
                Some(Entity::Var(v)) => {
                    let v = *v;
                    let old = self.vars[v].ty;
                    if !self.in_library {
                        self.require_same_object(&text, old, ty, span)?;
                    }
                    // A later declaration may complete an array.
                    if self.types.size_of(old.id).is_none() && self.types.is_array(ty.id) {
                        self.vars[v].ty = ty;
                    }
                    if !is_extern {
                        self.vars[v].storage = Storage::Static { defined: true };
                        self.vars[v].span = span;
                    }
                    v
                }
                Some(_) => return err(span, format!("{text} is declared as a function and as an object")),
                None => {
                    let v = self.new_var(&text, ty, span, Storage::Static { defined: !is_extern }, false);
                    self.vars[v].owner = None;
                    self.vars[v].is_external = storage != ast::Storage::Static;
                    self.vars[v].thread_local = thread_local;
                    self.linkage.insert(name, Entity::Var(v));
                    v
                }
            };
            self.scope().names.insert(name, Entity::Var(var));
            if init.is_some() && self.vars[var].init.is_some() {
                return err(span, format!("{text} is defined twice"));
            }
            if let Some(init) = init {
                let (ty, flat) = self.initializer(self.vars[var].ty, init, span)?;
                self.initialise_static(var, ty, flat)?;
            }
            return Ok(());
        }
        if let Some(context) = &self.function
            && self.scopes.len() == context.body_scope + 1
            && self.scopes[context.body_scope - 1].names.contains_key(&name)
        {
            return err(span, format!("'{text}' redeclared as different kind of symbol"));
        }
        let earlier = self.scope().names.get(&name).cloned();
        if matches!(earlier, Some(Entity::Var(v)) if !self.vars[v].hidden) {
            return err(span, format!("{text} is declared twice in one scope"));
        }
        if storage == ast::Storage::Static {
            if self.is_variably_sized(ty.id) {
                return err(span, format!("the size of {text} is not constant"));
            }
            let var = self.new_var(&text, ty, span, Storage::Static { defined: true }, false);
            self.vars[var].thread_local = thread_local;
            self.scope().names.insert(name, Entity::Var(var));
            if let Some(init) = init {
                let (ty, flat) = self.initializer(ty, init, span)?;
                self.initialise_static(var, ty, flat)?;
            }
            return self.require_complete(var, span);
        }
        // What we add to the program is not shown.
        let is_ours = text.starts_with(crate::contracts::OWN);
        let var = self.new_var(&text, ty, span, Storage::Local, is_ours);
        if storage == ast::Storage::Register {
            self.registers.insert(var);
        }
        self.scope().names.insert(name, Entity::Var(var));
        let flat = match init {
            Some(Initializer::Expr(_)) if self.is_variably_sized(ty.id) => {
                return err(span, "variable-sized object may not be initialized");
            }
            Some(Initializer::List(items, _)) if self.is_variably_sized(ty.id) && !items.is_empty() => {
                return err(span, "variable-sized object may not be initialized");
            }
            None => None,
            Some(init) => {
                let (ty, flat) = self.initializer(ty, init, span)?;
                self.vars[var].ty = ty;
                Some(flat)
            }
        };
        stmts.append(&mut self.pending);
        self.require_complete(var, span)?;
        // The step of an execution that initialises is shown with the initialiser.
        let end = match init {
            Some(Initializer::Expr(e)) => e.span,
            Some(Initializer::List(_, whole)) => *whole,
            None => span,
        };
        let span = if end.file == span.file && end.start >= span.start { span.to(end) } else { span };
        stmts.push(Stmt { kind: StmtKind::Decl(var, flat), span });
        Ok(())
    }

    fn require_complete(&self, var: VarId, span: Span) -> SResult<()> {
        let ty = self.vars[var].ty.id;
        let is_vla = self.is_variably_sized(ty);
        if self.types.size_of(ty).is_none() && !is_vla {
            return err(span, format!("the size of {} is not known", self.vars[var].name));
        }
        Ok(())
    }

    pub(super) fn is_variably_sized(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            Type::Array(elem, len) => matches!(len, ArrayLen::Vla(_)) || self.is_variably_sized(elem.id),
            _ => false,
        }
    }

    // ----- functions -----

    pub(super) fn function_definition(&mut self, def: &ast::FunctionDef) -> SResult<()> {
        let Some(name) = def.declarator.name else {
            return err(def.span, "a function needs a name");
        };
        let (base, _) = self.specified_type(&def.specs)?;
        let ty = self.declared_type(base, &def.declarator)?;
        let Some(mut fn_type) = self.types.function(ty.id) else {
            return err(def.span, "this is not a function");
        };
        let span = def.declarator.span;
        let old = match self.linkage.get(&name) {
            Some(Entity::Func(f)) if self.funcs[*f].body.is_some() => Some(*f),
            _ => None,
        };
        let had_body = old.is_some_and(|f| !self.inline_only.contains(&f));
        self.require_linkage(name, def.specs.storage, false, span)?;
        let func = self.declare_function(name, ty.id, span)?;
        if def.is_for_inlining_only() {
            // The library has the function itself, and such bodies call it by the name that the compiler has for it. A
            // definition goes before.
            if had_body || crate::library::find(&self.text(name)).is_some() {
                return Ok(());
            }
            self.inline_only.insert(func);
        } else {
            self.inline_only.remove(&func);
        }
        if had_body {
            return err(span, format!("{} is defined twice", self.text(name)));
        }
        self.funcs[func].noreturn |= def.specs.is_noreturn || def.specs.attrs.noreturn || def.declarator.attrs.noreturn;
        self.function_attributes(func, &def.specs.attrs, &def.declarator.attrs)?;
        self.funcs[func].span = span;
        self.funcs[func].is_inline &= def.specs.is_inline && def.specs.storage != ast::Storage::Extern;
        self.function = Some(FunctionContext {
            func,
            ret: fn_type.ret,
            labels: FxHashMap::default(),
            switches: Vec::new(),
            n_loops: 0,
            func_name_var: None,
            body_scope: self.scopes.len() + 1,
        });
        self.scopes.push(Scope::default());
        let part = def.declarator.parts.iter().rev().find_map(|p| match p {
            DeclaratorPart::Function(part) => Some(part),
            _ => None,
        });
        let result = (|| {
            let Some(part) = part else { return err(def.span, "this is not a function") };
            let mut params = Vec::new();
            if part.names.is_empty() {
                if let Some(d) = def.old_style.iter().flat_map(|d| &d.declarators).next() {
                    let name = d.declarator.name.map(|n| self.text(n)).unwrap_or_default();
                    let message = format!("declaration for parameter '{name}' but no such parameter");
                    return err(d.declarator.span, message);
                }
                for param in &part.params {
                    let ty = self.param_type(&param.specs, &param.declarator)?;
                    if ty.id == TypeId::VOID {
                        continue;
                    }
                    let var = match param.declarator.name.and_then(|n| self.scope().names.get(&n).cloned()) {
                        Some(Entity::Var(v)) => {
                            self.vars[v].hidden = false;
                            v
                        }
                        _ => self.new_var("unnamed parameter", ty, param.span, Storage::Param, true),
                    };
                    params.push(var);
                }
            } else {
                let initialised = def.old_style.iter().flat_map(|d| &d.declarators).find(|d| d.init.is_some());
                if let Some(d) = initialised {
                    let name = d.declarator.name.map(|n| self.text(n)).unwrap_or_default();
                    return err(d.declarator.span, format!("parameter '{name}' is initialized"));
                }
                self.old_style_params(def, part, &mut params)?;
                let mut old = (*fn_type).clone();
                old.params = params.iter().map(|&p| self.vars[p].ty).collect();
                fn_type = Arc::new(old);
                self.funcs[func].ty = self.types.intern(Type::Function(fn_type.clone()));
            }
            if self.funcs[func].ty != ty.id && part.names.is_empty() {
                self.funcs[func].ty = ty.id;
            }
            for (i, &param) in params.iter().enumerate() {
                let ty = self.vars[param].ty.id;
                if self.types.is_record(ty) && self.types.size_of(ty).is_none() {
                    return err(self.vars[param].span, format!("parameter {} has incomplete type", i + 1));
                }
            }
            let ret = fn_type.ret.id;
            if self.types.is_record(ret) && self.types.size_of(ret).is_none() {
                return err(span, "return type is an incomplete type");
            }
            self.funcs[func].params = params;
            let mut body = std::mem::take(&mut self.pending);
            body.extend(self.block_statements(&def.body)?);
            if let Some(context) = &self.function {
                for (label, (_, is_defined)) in &context.labels {
                    if !is_defined {
                        return err(def.span, format!("label {} is used but not defined", self.interner.text(*label)));
                    }
                }
            }
            Ok(body)
        })();
        match result {
            Ok(body) => {
                self.funcs[func].body = Some(body);
                self.funcs[func].is_library = self.in_library;
                self.funcs[func].broken = None;
                let end = def.body.span;
                self.funcs[func].end = Span { start: end.end.saturating_sub(1), ..end };
                Ok(())
            }
            Err(diagnostic) => {
                self.funcs[func].broken = Some((diagnostic.span, diagnostic.message.clone()));
                Err(diagnostic)
            }
        }
    }

    /// Parameters of an old-style definition: declared after the list, int if not at all.
    fn old_style_params(
        &mut self,
        def: &ast::FunctionDef,
        part: &ast::FunctionPart,
        params: &mut Vec<VarId>,
    ) -> SResult<()> {
        let mut declared: FxHashMap<Sym, Ty> = FxHashMap::default();
        for declaration in &def.old_style {
            let (base, _) = self.specified_type(&declaration.specs)?;
            for d in &declaration.declarators {
                let ty = self.declared_type(base, &d.declarator)?;
                let ty = self.adjusted_param(ty);
                if let Some(name) = d.declarator.name {
                    if !part.names.iter().any(|(n, _)| *n == name) {
                        let message = format!("declaration for parameter '{}' but no such parameter", self.text(name));
                        return err(d.declarator.span, message);
                    }
                    declared.insert(name, ty);
                }
            }
        }
        for &(name, span) in &part.names {
            let ty = declared.get(&name).copied().unwrap_or(Ty::plain(TypeId::INT));
            let text = self.text(name);
            let var = self.new_var(&text, ty, span, Storage::Param, false);
            self.scope().names.insert(name, Entity::Var(var));
            params.push(var);
        }
        Ok(())
    }
}
