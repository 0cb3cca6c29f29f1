//! Expressions: typing, conversions, constant folding.

use super::constraints::Change;
use super::parts::Parts;
use super::*;
use crate::ast::{BinaryOp, Designator, ExprKind as A, UnaryOp};
use crate::literal;

/// An expression before it is known whether its value or its place is wanted.
pub(super) enum Typed {
    Value(Expr),
    Place(Place),
    Func(FuncId, Span),
}

impl Typed {
    fn span(&self) -> Span {
        match self {
            Typed::Value(e) => e.span,
            Typed::Place(p) => p.span,
            Typed::Func(_, span) => *span,
        }
    }
}

pub(super) fn int(value: i128, ty: TypeId, span: Span) -> Expr {
    Expr { kind: ExprKind::Int(value), ty, span }
}

impl Sema<'_> {
    // ----- values, places, types -----

    pub(super) fn rvalue(&mut self, e: &ast::Expr) -> SResult<Expr> {
        let typed = self.expr(e)?;
        self.value_of(typed)
    }

    pub(super) fn value_of(&mut self, typed: Typed) -> SResult<Expr> {
        match typed {
            Typed::Value(e) => Ok(e),
            Typed::Func(func, span) => {
                self.funcs[func].address_taken = true;
                let ty = self.types.pointer_to(Ty::plain(self.funcs[func].ty));
                Ok(Expr { kind: ExprKind::Func(func), ty, span })
            }
            Typed::Place(place) => self.load(place),
        }
    }

    pub(super) fn load(&mut self, place: Place) -> SResult<Expr> {
        let span = place.span;
        match self.types.kind(place.ty).clone() {
            Type::Array(elem, _) => {
                let ty = self.types.pointer_to(elem);
                let (setup, place) = self.without_temporary(place);
                let pointer = Expr { kind: ExprKind::AddrOf(place), ty, span };
                Ok(super::parts::after(setup, pointer))
            }
            Type::Function(_) => match place.kind {
                // `*f` on a function pointer is the function, which decays to the pointer again.
                PlaceKind::Deref(pointer) => Ok(*pointer),
                _ => unsupported(span, "this function designator is not supported"),
            },
            _ => {
                let ty = place.ty.id;
                if let Some(value) = self.fixed_value(&place) {
                    return Ok(int(value, ty, span));
                }
                Ok(Expr { kind: ExprKind::Load(place), ty, span })
            }
        }
    }

    /// The array in a record that is no object, but a value, is in an object that lives until the full expression ends
    /// (6.2.4p8): what gives it its value, and the place in that object.
    fn without_temporary(&mut self, place: Place) -> (Vec<Expr>, Place) {
        let Place { kind, ty, span } = place;
        let (setup, kind) = match kind {
            PlaceKind::Field(base, field) => {
                let (setup, base) = self.without_temporary(*base);
                (setup, PlaceKind::Field(Box::new(base), field))
            }
            PlaceKind::Index(base, index) => {
                let (setup, base) = self.without_temporary(*base);
                (setup, PlaceKind::Index(Box::new(base), index))
            }
            PlaceKind::Temp(value) => {
                let mut setup = Vec::new();
                let object = self.held_in_variable(*value, &mut setup);
                if let PlaceKind::Var(var) = object.kind {
                    self.temporaries.push(var);
                }
                (setup, object.kind)
            }
            kind => (Vec::new(), kind),
        };
        (setup, Place { kind, ty, span })
    }

    /// A full expression: the objects that it needs for itself are gone when it has its value.
    pub(super) fn full(&mut self, make: impl FnOnce(&mut Self) -> SResult<Expr>) -> SResult<Expr> {
        let outer = std::mem::take(&mut self.temporaries);
        let value = make(self);
        let own = std::mem::replace(&mut self.temporaries, outer);
        let value = value?;
        if own.is_empty() {
            return Ok(value);
        }
        let (ty, span) = (value.ty, value.span);
        let declared = own.into_iter().map(|var| Stmt { kind: StmtKind::Decl(var, None), span }).collect();
        Ok(Expr { kind: ExprKind::StmtExpr(declared, Some(Box::new(value))), ty, span })
    }

    /// The value of a constant object that keeps it as long as the program runs.
    fn fixed_value(&self, place: &Place) -> Option<i128> {
        let PlaceKind::Var(var) = place.kind else { return None };
        let (variable, quals) = (&self.vars[var], place.ty.quals);
        let is_fixed = quals.is_const && !quals.is_volatile && !quals.is_atomic;
        if !is_fixed || !matches!(variable.storage, Storage::Static { .. }) || !self.types.is_integer(place.ty.id) {
            return None;
        }
        match &variable.init.as_ref()?.items[..] {
            [InitItem { path, value: Expr { kind: ExprKind::Int(value), ty, .. }, .. }]
                if path.is_empty() && *ty == place.ty.id =>
            {
                Some(*value)
            }
            _ => None,
        }
    }

    /// An expression that must denote an object.
    pub(super) fn place(&mut self, e: &ast::Expr) -> SResult<Place> {
        let typed = self.expr(e)?;
        match typed {
            Typed::Place(place) => Ok(place),
            Typed::Value(_) => err(e.span, "an lvalue is needed here"),
            Typed::Func(..) => err(e.span, "a function is not an object"),
        }
    }

    /// The place of an asm output: gcc takes a cast as an lvalue there.
    pub(super) fn asm_place(&mut self, e: &ast::Expr) -> SResult<Place> {
        let typed = self.expr(e)?;
        let place = match typed {
            Typed::Place(place) => place,
            Typed::Value(Expr { kind: ExprKind::Load(place), .. }) => place,
            Typed::Value(_) | Typed::Func(..) => return err(e.span, "an lvalue is needed here"),
        };
        self.require_modifiable(&place, super::constraints::Change::Asm, e.span)?;
        Ok(place)
    }

    /// The value of an expression that may be of type void.
    pub(super) fn use_discarded(&mut self, typed: Typed) -> SResult<Expr> {
        match typed {
            Typed::Value(e) => Ok(e),
            Typed::Func(..) => self.value_of(typed),
            Typed::Place(place) => {
                if place.ty.id == TypeId::VOID {
                    let span = place.span;
                    return Ok(match place.kind {
                        PlaceKind::Deref(pointer) => *pointer,
                        _ => int(0, TypeId::INT, span),
                    });
                }
                self.load(place)
            }
        }
    }

    /// An expression whose type names have lengths of arrays to compute: they are computed where it stands.
    fn with_lengths(&mut self, make: impl FnOnce(&mut Self) -> SResult<Expr>) -> SResult<Expr> {
        let n_pending = self.pending.len();
        let value = make(self)?;
        let before = self.pending.split_off(n_pending);
        if before.is_empty() {
            return Ok(value);
        }
        let (ty, span) = (value.ty, value.span);
        Ok(Expr { kind: ExprKind::StmtExpr(before, Some(Box::new(value))), ty, span })
    }

    /// Types an expression without keeping it (operands of sizeof and typeof).
    fn unevaluated<T>(&mut self, check: impl FnOnce(&mut Self) -> SResult<T>) -> SResult<T> {
        let (n_pending, n_temporaries) = (self.pending.len(), self.temporaries.len());
        let labels = self.function.as_ref().map(|f| f.labels.clone());
        let result = check(self);
        self.pending.truncate(n_pending);
        self.temporaries.truncate(n_temporaries);
        if let (Some(context), Some(labels)) = (self.function.as_mut(), labels) {
            context.labels = labels;
        }
        result
    }

    /// The type of an expression as sizeof and typeof see it: nothing decays.
    pub(super) fn type_of_expr(&mut self, e: &ast::Expr) -> SResult<Ty> {
        self.unevaluated(|s| {
            Ok(match s.expr(e)? {
                Typed::Value(value) => Ty::plain(value.ty),
                Typed::Place(place) if s.place_width(&place).is_some() => {
                    return err(e.span, "'typeof' applied to a bit-field");
                }
                Typed::Place(place) => place.ty,
                Typed::Func(func, _) => Ty::plain(s.funcs[func].ty),
            })
        })
    }

    /// The type of an expression's value.
    pub(super) fn rvalue_type(&mut self, e: &ast::Expr) -> SResult<TypeId> {
        self.unevaluated(|s| Ok(s.rvalue(e)?.ty))
    }

    // ----- conversions -----

    /// The bit-field width behind a value, if it was read from (or assigned to) one.
    fn bit_field_width(&self, e: &Expr) -> Option<u32> {
        let place = match &e.kind {
            ExprKind::Load(place) => place,
            ExprKind::Assign(place, _) | ExprKind::CompoundAssign { place, .. } | ExprKind::IncDec { place, .. } => {
                place
            }
            ExprKind::Comma(_, last) => return self.bit_field_width(last),
            _ => return None,
        };
        self.place_width(place)
    }

    /// Does an expression name a bit-field?
    fn is_bit_field(&mut self, e: &ast::Expr) -> SResult<bool> {
        if !matches!(e.kind, A::Member { .. }) {
            return Ok(false);
        }
        self.unevaluated(|s| {
            Ok(match s.expr(e)? {
                Typed::Place(place) => s.place_width(&place).is_some(),
                Typed::Value(_) | Typed::Func(..) => false,
            })
        })
    }

    fn place_width(&self, place: &Place) -> Option<u32> {
        match &place.kind {
            PlaceKind::Field(base, index) => self.types.fields(base.ty.id)?.get(*index as usize)?.width,
            _ => None,
        }
    }

    /// The integer promotions.
    pub(super) fn promote(&mut self, e: Expr) -> Expr {
        let Some(kind) = self.types.int_kind(e.ty) else { return e };
        if let Some(width) = self.bit_field_width(&e) {
            let fits_int = width < 32 || width == 32 && kind.is_signed();
            return match () {
                () if fits_int => self.convert(e, TypeId::INT),
                () if width == 32 => self.convert(e, TypeId::UINT),
                () if width < 64 => {
                    let ty = self.types.int(IntKind::Bits { signed: kind.is_signed(), width: width as u8 });
                    self.convert(e, ty)
                }
                () => e,
            };
        }
        if kind.rank() < IntKind::Int.rank() { self.convert(e, TypeId::INT) } else { e }
    }

    /// The common type of the usual arithmetic conversions.
    pub(super) fn common_type(&mut self, a: TypeId, b: TypeId) -> TypeId {
        if self.types.complex(a).is_some() || self.types.complex(b).is_some() {
            let (x, y) = (self.types.complex(a).unwrap_or(a), self.types.complex(b).unwrap_or(b));
            let part = self.common_type(x, y);
            return self.types.shaped(Shape::Complex(part)).unwrap_or(a);
        }
        let float = |types: &Types, t: TypeId| match types.get(t) {
            Type::Float(kind) => Some(*kind),
            _ => None,
        };
        match (float(&self.types, a), float(&self.types, b)) {
            (None, None) => {}
            (x, y) => return if x >= y { a } else { b },
        }
        let (Some(x), Some(y)) = (self.types.int_kind(a), self.types.int_kind(b)) else { return a };
        if x == y {
            return a;
        }
        if matches!(x, IntKind::Bits { .. }) || matches!(y, IntKind::Bits { .. }) {
            // The wider one; of equal widths the unsigned one.
            let key = |types: &Types, kind: IntKind| (types.int_bits(kind), !kind.is_signed());
            return if key(&self.types, x) >= key(&self.types, y) { a } else { b };
        }
        if x.is_signed() == y.is_signed() {
            return if x.rank() >= y.rank() { a } else { b };
        }
        let (unsigned, signed) = if x.is_signed() { (y, x) } else { (x, y) };
        let kind = if unsigned.rank() >= signed.rank() {
            unsigned
        } else if self.types.int_bits(signed) > self.types.int_bits(unsigned) {
            signed
        } else {
            signed.unsigned()
        };
        self.types.int(kind)
    }

    /// Converts a value to a type; folds constants and drops conversions that change nothing.
    pub(super) fn convert(&mut self, e: Expr, to: TypeId) -> Expr {
        if e.ty == to {
            return e;
        }
        let span = e.span;
        if self.types.complex(e.ty).is_some() && to != TypeId::VOID || self.types.complex(to).is_some() {
            return self.complex_convert(e, to);
        }
        match (&e.kind, self.types.get(to).clone()) {
            (ExprKind::Int(v), Type::Int(kind)) if self.types.is_integer(e.ty) => {
                return int(self.types.wrap(*v, kind), to, span);
            }
            (ExprKind::Int(v), Type::Float(kind))
                if self.types.is_integer(e.ty) && (*v >= 0 || self.types.int_kind(e.ty) != Some(IntKind::UInt128)) =>
            {
                // Rounded once: by way of double a float would be rounded twice.
                let value = match kind {
                    FloatKind::Half => (v.unsigned_abs() < 1 << 53).then(|| round_float(*v as f64, kind)),
                    FloatKind::Float => Some(*v as f32 as f64),
                    FloatKind::Double => Some(*v as f64),
                    FloatKind::LongDouble | FloatKind::Quad => (v.unsigned_abs() < 1 << 53).then_some(*v as f64),
                };
                if let Some(value) = value {
                    return Expr { kind: ExprKind::Float(value), ty: to, span };
                }
            }
            // What a long double holds beyond a double is not known here.
            (ExprKind::Float(v), Type::Float(_) | Type::Int(_))
                if self.is_longer_than_double(e.ty) && !is_short(*v) => {}
            (ExprKind::Float(v), Type::Float(kind)) => {
                return Expr { kind: ExprKind::Float(round_float(*v, kind)), ty: to, span };
            }
            (ExprKind::Float(v), Type::Int(kind)) => {
                if kind == IntKind::Bool {
                    return int((*v != 0.0) as i128, to, span);
                }
                let (low, high) = self.types.int_range(kind);
                let truncated = v.trunc();
                if truncated >= low as f64 && truncated <= high as f64 && truncated.abs() < 9e15 {
                    return int(truncated as i128, to, span);
                }
            }
            (ExprKind::Convert(inner), Type::Int(target)) => {
                // There and back through a type that holds all values changes nothing.
                if inner.ty == to
                    && let Some(middle) = self.types.int_kind(e.ty)
                {
                    let (a, b) = self.types.int_range(middle);
                    let (c, d) = self.types.int_range(target);
                    if a <= c && d <= b && middle != IntKind::UInt128 {
                        return (**inner).clone();
                    }
                }
            }
            _ => {}
        }
        Expr { kind: ExprKind::Convert(Box::new(e)), ty: to, span }
    }

    fn is_null_constant(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Int(0) => true,
            ExprKind::Convert(inner) => self.types.is_pointer(e.ty) && self.is_null_constant(inner),
            _ => false,
        }
    }

    /// Conversion as if by assignment, with what gcc tolerates.
    pub(super) fn assign_convert(&mut self, e: Expr, to: TypeId) -> SResult<Expr> {
        if e.ty == to {
            return Ok(e);
        }
        let span = e.span;
        if self.mixes_masks(e.ty, to) {
            return self.vector_cast(e, to, span);
        }
        let ok = match (self.types.get(e.ty), self.types.get(to)) {
            (Type::Int(_) | Type::Float(_), Type::Int(_) | Type::Float(_)) => true,
            (Type::Pointer(_), Type::Pointer(_)) => true,
            (Type::Int(_), Type::Pointer(_)) | (Type::Pointer(_), Type::Int(_)) => true,
            (Type::Int(_) | Type::Float(_), Type::Record(_)) if self.types.complex(to).is_some() => true,
            (Type::Record(_), Type::Int(_) | Type::Float(_)) if self.types.complex(e.ty).is_some() => true,
            (Type::Record(_), Type::Record(_)) => {
                self.types.complex(e.ty).is_some() && self.types.complex(to).is_some()
            }
            // A transparent union takes any of its members.
            (_, Type::Record(r)) if self.types.records[*r].is_union => {
                return self.transparent_union(e, to);
            }
            (_, Type::Void) => true,
            _ => false,
        };
        if !ok {
            let (from, to) = (self.types.show(e.ty), self.types.show(to));
            // How the list is made up is the compiler's affair.
            let is_list = from.contains("va_list") || to.contains("va_list");
            return match is_list {
                true => unsupported(span, format!("a conversion of {from} to {to} is not supported")),
                false => err(span, format!("cannot convert {from} to {to}")),
            };
        }
        Ok(self.convert(e, to))
    }

    fn transparent_union(&mut self, e: Expr, to: TypeId) -> SResult<Expr> {
        let span = e.span;
        let fields = self.types.fields(to).unwrap_or_else(|| Arc::new([]));
        for (i, field) in fields.iter().enumerate() {
            let is_address = self.types.is_pointer(e.ty) || self.is_null_constant(&e);
            let both_pointers = self.types.is_pointer(field.ty.id) && is_address;
            if field.ty.id == e.ty || both_pointers {
                let value = self.convert(e, field.ty.id);
                let var = self.new_var("union argument", Ty::plain(to), span, Storage::Local, true);
                let item = InitItem { path: vec![Step::Field(i as u32)], ty: field.ty, value };
                let init = Init { items: vec![item], zero_rest: true };
                let place = Place { kind: PlaceKind::Compound(var, Box::new(init)), ty: Ty::plain(to), span };
                return self.load(place);
            }
        }
        err(span, "cannot convert to this union")
    }

    // ----- the expressions -----

    pub(super) fn expr(&mut self, e: &ast::Expr) -> SResult<Typed> {
        let span = e.span;
        let value = match &e.kind {
            A::Ident(name) => return self.identifier(*name, span),
            A::Number(text) => self.number(*text, span)?,
            A::Char(text) => {
                let text = self.text(*text);
                let Some(value) = literal::character(&text) else {
                    return err(span, "bad character constant");
                };
                let ty = match text.as_bytes().first() {
                    Some(b'L') => self.types.wchar_t(),
                    Some(b'u') if !text.starts_with("u8") => TypeId::USHORT,
                    Some(b'U') => TypeId::UINT,
                    _ => TypeId::INT,
                };
                int(value as i128, ty, span)
            }
            A::Str(parts) => return self.string(parts, span),
            A::Unary(op, operand) => return self.unary(*op, operand, span),
            A::IncDec { increment, prefix, operand } => self.inc_dec(*increment, *prefix, operand, span)?,
            A::Binary(op, left, right) => {
                let left = self.rvalue(left)?;
                let right = self.rvalue(right)?;
                self.binary(*op, left, right, span)?
            }
            A::Assign(op, left, right) => self.assign(*op, left, right, span)?,
            A::Cond(condition, then, otherwise) => match then {
                Some(then) => return self.conditional(condition, then, otherwise, span),
                None => self.elvis(condition, otherwise, span)?,
            },
            A::Comma(left, right) => {
                let left = self.discarded(left)?;
                let right = self.rvalue(right)?;
                let ty = right.ty;
                Expr { kind: ExprKind::Comma(Box::new(left), Box::new(right)), ty, span }
            }
            A::Call(callee, args) => self.call(callee, args, span)?,
            A::Index(base, index) => {
                let base = self.expr(base)?;
                let index = self.rvalue(index)?;
                return self.index(base, index, span);
            }
            A::Member { base, arrow, field, field_span } => {
                return self.member(base, *arrow, *field, *field_span, span);
            }
            A::Cast(name, operand) => {
                let to = self.type_name(name)?;
                return self.cast(to, operand, span);
            }
            A::CompoundLiteral(name, items) => {
                let ty = self.type_name(name)?;
                return self.compound_literal(ty, items, span);
            }
            A::SizeofExpr(operand) => {
                if self.unevaluated(|s| s.is_bit_field(operand))? {
                    return err(span, "'sizeof' applied to a bit-field");
                }
                let ty = self.type_of_expr(operand)?;
                let has_variable_size = self.types.is_array(ty.id) && self.types.size_of(ty.id).is_none();
                match has_variable_size {
                    // Then the operand is evaluated (6.5.3.4p2), at least as far as lengths go.
                    true => self.with_lengths(|s| {
                        let typed = s.expr(operand)?;
                        let ty = match &typed {
                            Typed::Place(place) => Some(place.ty.id),
                            _ => None,
                        };
                        let value = s.value_of(typed)?;
                        let size = s.size_expr(ty.unwrap_or(value.ty), span)?;
                        let before = if has_effects(&value) { vec![value] } else { Vec::new() };
                        Ok(super::parts::after(before, size))
                    })?,
                    false => self.size_expr(ty.id, span)?,
                }
            }
            A::SizeofType(name) => self.with_lengths(|s| {
                let ty = s.type_name(name)?;
                s.size_expr(ty.id, span)
            })?,
            A::AlignofExpr(operand) => {
                let align = self.unevaluated(|s| match s.expr(operand)? {
                    Typed::Place(place) => s.align_of_place(&place),
                    Typed::Value(value) => s.align_of_value(value.ty, span),
                    Typed::Func(..) => Ok(1),
                })?;
                int(align as i128, self.types.size_t(), span)
            }
            A::AlignofType(name, preferred) => {
                let ty = self.unevaluated(|s| s.type_name(name))?;
                if self.types.is_record(ty.id) && self.types.size_of(ty.id).is_none() {
                    return err(span, format!("alignment of incomplete type '{}'", self.types.show(ty.id)));
                }
                let natural = if *preferred { self.preferred_align(ty.id) } else { self.types.align_of(ty.id) };
                // An attribute beside the type outweighs the type, as a typedef with an attribute does.
                let specified = self.alignment(&name.specs.attrs.aligned)?;
                let given = specified.max(self.alignment(&name.declarator.attrs.aligned)?);
                let align = given.or(self.typedef_align(&name.specs, Some(&name.declarator))).unwrap_or(natural);
                int(align as i128, self.types.size_t(), span)
            }
            A::StmtExpr(block) => self.stmt_expr(block, span)?,
            A::LabelAddr(name) => {
                let label = self.label(*name, false, span)?;
                let ty = self.types.pointer_to(Ty::plain(TypeId::VOID));
                Expr { kind: ExprKind::LabelAddr(label), ty, span }
            }
            A::Generic(control, arms) => return self.generic(control, arms, span),
            A::Offsetof(name, path) => self.offsetof(name, path, span)?,
            A::ConvertVector(vector, name) => {
                let value = self.rvalue(vector)?;
                let ty = self.type_name(name)?;
                self.convert_vector(value, ty.id, span)?
            }
            A::VaArg(list, name) => {
                let list = self.list_place(list)?;
                let is_list = list.ty.id == TypeId::VA_LIST || self.types.pointee(list.ty.id).is_some();
                if !is_list {
                    return err(span, "first argument to 'va_arg' not of type 'va_list'");
                }
                let ty = self.type_name(name)?;
                Expr { kind: ExprKind::VaArg(Box::new(list)), ty: ty.id, span }
            }
            A::TypesCompatible(a, b) => {
                let may_differ = self.may_be_enum(&a.specs.ty) && self.may_be_enum(&b.specs.ty);
                let (a, b) = (self.type_name(a)?, self.type_name(b)?);
                let are_compatible = self.types.compatible(a.id, b.id);
                if are_compatible && may_differ && self.is_ambiguous_enum(a.id) {
                    return unsupported(span, "__builtin_types_compatible_p of enumerations is not supported");
                }
                int(are_compatible as i128, TypeId::INT, span)
            }
            A::ChooseExpr(condition, yes, no) => {
                let chosen = if self.constant(condition)? != 0 { yes } else { no };
                return self.expr(chosen);
            }
        };
        Ok(Typed::Value(value))
    }

    /// `__alignof__` of an expression that names an object: what its declaration says, not only its type.
    fn align_of_place(&self, place: &Place) -> SResult<u64> {
        match &place.kind {
            PlaceKind::Var(var) => match self.var_aligns.get(var) {
                Some(&align) => Ok(align),
                None if self.vars[*var].storage == Storage::Param => self.align_of_value(place.ty.id, place.span),
                None => Ok(self.preferred_align(place.ty.id)),
            },
            PlaceKind::Field(base, index) => {
                let fields = self.types.fields(base.ty.id);
                match fields.as_ref().and_then(|fields| fields.get(*index as usize)) {
                    Some(field) if field.width.is_some() => err(place.span, "'__alignof' applied to a bit-field"),
                    Some(field) => Ok(field.placed),
                    None => self.align_of_value(place.ty.id, place.span),
                }
            }
            PlaceKind::Deref(pointer) => {
                if let ExprKind::AddrOf(inner) = &pointer.kind {
                    return self.align_of_place(inner);
                }
                // gcc takes the largest alignment that pointers have on the way through conversions.
                let (mut best, mut pointer) = (self.align_of_value(place.ty.id, place.span)?, &**pointer);
                while let ExprKind::Convert(inner) = &pointer.kind
                    && let Type::Pointer(to) = self.types.get(inner.ty)
                {
                    best = best.max(self.preferred_align(to.id));
                    pointer = inner;
                }
                Ok(best)
            }
            PlaceKind::Index(..) | PlaceKind::Temp(_) | PlaceKind::Compound(..) => {
                self.align_of_value(place.ty.id, place.span)
            }
        }
    }

    /// The alignment of an expression's type, where no typedef may hide in it that has its own.
    fn align_of_value(&self, ty: TypeId, span: Span) -> SResult<u64> {
        match self.has_aligned_typedefs {
            true => unsupported(span, "the alignment of an expression beside a typedef with an alignment"),
            false => Ok(self.preferred_align(ty)),
        }
    }

    /// `__alignof__`: on 32 bits, doubles and long longs prefer 8 although structs give them 4.
    fn preferred_align(&self, ty: TypeId) -> u64 {
        match self.types.get(ty) {
            Type::Int(IntKind::LongLong | IntKind::ULongLong) | Type::Float(FloatKind::Double) => 8,
            _ => self.types.align_of(ty),
        }
    }

    fn identifier(&mut self, name: Sym, span: Span) -> SResult<Typed> {
        match self.lookup(name) {
            Some(Entity::Var(var)) => {
                let ty = self.vars[var].ty;
                let place = Place { kind: PlaceKind::Var(var), ty, span };
                Ok(Typed::Place(match self.declared_types.get(&var) {
                    Some(&declared) => self.seen_as(place, declared),
                    None => place,
                }))
            }
            Some(Entity::Func(func)) => Ok(Typed::Func(func, span)),
            Some(Entity::EnumConst(value, ty)) => Ok(Typed::Value(int(value, ty, span))),
            Some(Entity::Typedef(..)) => err(span, format!("{} is a type", self.text(name))),
            None => {
                if let Some(Entity::Func(func)) = self.linkage.get(&name) {
                    return Ok(Typed::Func(*func, span));
                }
                let text = self.text(name);
                match &*text {
                    "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__" => self.function_name(span),
                    "true" => Ok(Typed::Value(int(1, TypeId::INT, span))),
                    "false" => Ok(Typed::Value(int(0, TypeId::INT, span))),
                    "nullptr" => {
                        let ty = self.types.pointer_to(Ty::plain(TypeId::VOID));
                        let zero = int(0, TypeId::INT, span);
                        Ok(Typed::Value(self.convert(zero, ty)))
                    }
                    _ => {
                        let known: Vec<Arc<str>> = self.names_in_scope();
                        let hint = base::nearest(&text, known.iter().map(|n| &**n));
                        let hint = hint.map_or(String::new(), |name| format!("; did you mean {name}?"));
                        err(span, format!("{text} is not declared{hint}"))
                    }
                }
            }
        }
    }

    /// An object as one of another type that begins like its own.
    fn seen_as(&mut self, place: Place, ty: Ty) -> Place {
        let (span, own) = (place.span, place.ty);
        let address = Expr { kind: ExprKind::AddrOf(place), ty: self.types.pointer_to(own), span };
        let to = self.types.pointer_to(ty);
        let address = Expr { kind: ExprKind::Convert(Box::new(address)), ty: to, span };
        Place { kind: PlaceKind::Deref(Box::new(address)), ty, span }
    }

    /// The variables, functions and constants that can be named here.
    fn names_in_scope(&self) -> Vec<Arc<str>> {
        let mut names: Vec<Arc<str>> =
            self.scopes.iter().flat_map(|s| s.names.keys()).map(|name| self.text(*name)).collect();
        names.sort();
        names
    }

    fn function_name(&mut self, span: Span) -> SResult<Typed> {
        let Some(context) = &self.function else { return err(span, "__func__ outside a function") };
        let var = match context.func_name_var {
            Some(var) => var,
            None => {
                let name = self.funcs[context.func].name.clone();
                let units: Vec<u32> = name.bytes().map(u32::from).collect();
                let var = self.string_var(units, TypeId::CHAR, span);
                if let Some(context) = self.function.as_mut() {
                    context.func_name_var = Some(var);
                }
                var
            }
        };
        Ok(Typed::Place(Place { kind: PlaceKind::Var(var), ty: self.vars[var].ty, span }))
    }

    fn number(&mut self, text: Sym, span: Span) -> SResult<Expr> {
        let text = self.text(text);
        // GNU: `2i` and `2.0fi` are imaginary.
        if let Some(real) = literal::without_imaginary(&text) {
            let value = self.real_number(&real, span)?;
            let ty = self.complex_of(value.ty, span)?;
            let zero = self.zero(value.ty, span);
            return Ok(self.assemble(ty, Parts { setup: Vec::new(), parts: vec![zero, value] }, span));
        }
        self.real_number(&text, span)
    }

    fn real_number(&mut self, text: &str, span: Span) -> SResult<Expr> {
        if let Some(lit) = literal::integer(text) {
            use IntKind::*;
            let candidates: &[IntKind] = match (lit.decimal, lit.unsigned, lit.longs) {
                (true, false, 0) => &[Int, Long, LongLong],
                (false, false, 0) => &[Int, UInt, Long, ULong, LongLong, ULongLong],
                (_, true, 0) => &[UInt, ULong, ULongLong],
                (true, false, 1) => &[Long, LongLong],
                (false, false, 1) => &[Long, ULong, LongLong, ULongLong],
                (_, true, 1) => &[ULong, ULongLong],
                (true, false, _) => &[LongLong],
                (false, false, _) => &[LongLong, ULongLong],
                (_, true, _) => &[ULongLong],
            };
            for &kind in candidates {
                let (_, max) = self.types.int_range(kind);
                if lit.value <= max as u128 {
                    let ty = self.types.int(kind);
                    return Ok(int(lit.value as i128, ty, span));
                }
            }
            if lit.value <= u64::MAX as u128 {
                return Ok(int(lit.value as i128, TypeId::ULLONG, span));
            }
            return err(span, "this integer is too large for its type");
        }
        if let Some((value, suffix)) = literal::floating(text) {
            let kind = match suffix {
                literal::FloatSuffix::Half => FloatKind::Half,
                literal::FloatSuffix::Float => FloatKind::Float,
                literal::FloatSuffix::Double => FloatKind::Double,
                literal::FloatSuffix::LongDouble => FloatKind::LongDouble,
                literal::FloatSuffix::Quad => FloatKind::Quad,
            };
            let ty = self.types.intern(Type::Float(kind));
            if kind > FloatKind::Double && !literal::is_exact(text, value) {
                return self.long_double(text, ty, span);
            }
            if kind == FloatKind::Half {
                if !literal::is_exact(text, value) {
                    return unsupported(span, "a _Float16 constant with this many digits is not supported");
                }
                return Ok(Expr { kind: ExprKind::Float(round_float(value, kind)), ty, span });
            }
            // A decimal float constant is rounded once, from the text, not by way of double.
            let value = match kind {
                FloatKind::Float => {
                    let body = text.trim_end_matches(['f', 'F']);
                    body.parse::<f32>().unwrap_or(value as f32) as f64
                }
                _ => value,
            };
            return Ok(Expr { kind: ExprKind::Float(value), ty, span });
        }
        err(span, format!("bad number {text}"))
    }

    /// A constant that no double is: the digits times or divided by a power of ten, both of which are `long double`s.
    fn long_double(&mut self, text: &str, ty: TypeId, span: Span) -> SResult<Expr> {
        // 10²⁷ is the last power of ten with 64 digits or fewer, trailing zeros aside.
        let Some((digits, exponent)) = literal::decimal(text).filter(|(_, e)| e.unsigned_abs() <= 27) else {
            return unsupported(span, "a long double constant of this size or with this many digits is not supported");
        };
        let whole = |this: &mut Self, n: i128| this.convert(int(n, TypeId::ULLONG, span), ty);
        let size = exponent.unsigned_abs();
        let digits = whole(self, i128::from(digits));
        let (low, high) = (whole(self, 10i128.pow(size.min(19))), whole(self, 10i128.pow(size.saturating_sub(19))));
        let power = if size > 19 { self.arithmetic(BinOp::Mul, low, high, span)? } else { low };
        let op = if exponent < 0 { BinOp::Div } else { BinOp::Mul };
        self.arithmetic(op, digits, power, span)
    }

    /// The units of adjacent string literals, and the width of one.
    pub(super) fn string_units(&mut self, parts: &[Sym]) -> Option<(Vec<u32>, u8)> {
        let width = parts.iter().map(|&p| literal::string_width(self.interner.text(p))).max()?;
        let mut units = Vec::new();
        for &part in parts {
            units.extend(literal::string(self.interner.text(part), width)?);
        }
        Some((units, width))
    }

    fn string(&mut self, parts: &[Sym], span: Span) -> SResult<Typed> {
        let Some((units, width)) = self.string_units(parts) else {
            return err(span, "bad string literal");
        };
        let is_utf32 = parts.iter().any(|&p| literal::is_utf32(self.interner.text(p)));
        let elem = match width {
            1 => TypeId::CHAR,
            2 => TypeId::USHORT,
            _ if is_utf32 => TypeId::UINT,
            _ => self.types.wchar_t(),
        };
        let var = self.string_var(units, elem, span);
        Ok(Typed::Place(Place { kind: PlaceKind::Var(var), ty: self.vars[var].ty, span }))
    }

    /// The static object of a string; equal strings share one.
    pub(super) fn string_var(&mut self, units: Vec<u32>, elem: TypeId, span: Span) -> VarId {
        let key = (units, elem);
        if let Some(&var) = self.strings.get(&key) {
            return var;
        }
        let ty = Type::Array(Ty::plain(elem), ArrayLen::Known(key.0.len() as u64 + 1));
        let ty = Ty::plain(self.types.intern(ty));
        let kind = self.types.int_kind(elem).unwrap_or(IntKind::Char);
        let items = key.0.iter().enumerate().map(|(i, &unit)| InitItem {
            path: vec![Step::Index(i as u64)],
            ty: Ty::plain(elem),
            value: int(self.types.wrap(unit as i128, kind), elem, span),
        });
        let init = Init { items: items.collect(), zero_rest: true };
        let var = self.new_var("string literal", ty, span, Storage::Static { defined: true }, true);
        self.vars[var].owner = None;
        self.vars[var].init = Some(init);
        self.vars[var].is_string = true;
        self.strings.insert(key, var);
        var
    }

    fn unary(&mut self, op: UnaryOp, operand: &ast::Expr, span: Span) -> SResult<Typed> {
        match op {
            UnaryOp::AddrOf => {
                let typed = self.expr(operand)?;
                return Ok(Typed::Value(self.address_of(typed, span)?));
            }
            UnaryOp::Deref => {
                let typed = self.expr(operand)?;
                return self.deref(typed, span);
            }
            _ => {}
        }
        if let UnaryOp::Real | UnaryOp::Imag = op {
            let typed = self.expr(operand)?;
            return self.real_or_imaginary(typed, op == UnaryOp::Imag, span);
        }
        let e = self.rvalue(operand)?;
        Ok(Typed::Value(self.unary_value(op, e, span)?))
    }

    /// `__real__` and `__imag__`, which are lvalues if their operand is one.
    fn real_or_imaginary(&mut self, typed: Typed, imaginary: bool, span: Span) -> SResult<Typed> {
        let ty = match &typed {
            Typed::Value(e) => e.ty,
            Typed::Place(place) => place.ty.id,
            Typed::Func(..) => return err(span, "a function is not a number"),
        };
        match (typed, self.types.complex(ty)) {
            (Typed::Place(place), Some(part)) => {
                let ty = Ty::plain(part).with(place.ty.quals);
                let kind = PlaceKind::Field(Box::new(place), imaginary as u32);
                Ok(Typed::Place(Place { kind, ty, span }))
            }
            (typed, Some(_)) => {
                let value = self.value_of(typed)?;
                Ok(Typed::Value(self.complex_part(value, imaginary)))
            }
            (_, None) if !self.types.is_arithmetic(ty) => {
                err(span, format!("wrong operand of type {}", self.types.show(ty)))
            }
            (typed, None) if imaginary => {
                let value = self.value_of(typed)?;
                let zero = self.zero(ty, span);
                Ok(Typed::Value(super::parts::after(vec![value], zero)))
            }
            (typed, None) => Ok(typed),
        }
    }

    /// A unary operator on a value.
    pub(super) fn unary_value(&mut self, op: UnaryOp, e: Expr, span: Span) -> SResult<Expr> {
        if self.types.complex(e.ty).is_some() {
            return self.complex_unary(op, e, span);
        }
        if self.types.vector(e.ty).is_some() {
            return self.vector_unary(op, e, span);
        }
        if op == UnaryOp::Not {
            if !self.types.is_scalar(e.ty) {
                return err(span, "! needs a scalar");
            }
            return Ok(self.not(e, span));
        }
        if !self.types.is_arithmetic(e.ty) {
            return err(span, format!("wrong operand of type {}", self.types.show(e.ty)));
        }
        let e = self.promote(e);
        let ty = e.ty;
        let value = match op {
            UnaryOp::Plus => e,
            UnaryOp::Neg => match &e.kind {
                ExprKind::Int(v) => match self.types.int_kind(ty) {
                    Some(kind) => {
                        let wrapped = self.types.wrap(v.wrapping_neg(), kind);
                        if kind.is_signed() && Some(wrapped) != v.checked_neg() {
                            Expr { kind: ExprKind::Unary(UnOp::Neg, Box::new(e)), ty, span }
                        } else {
                            int(wrapped, ty, span)
                        }
                    }
                    None => return internal(span, "constant without integer type"),
                },
                ExprKind::Float(v) => Expr { kind: ExprKind::Float(-v), ty, span },
                _ => Expr { kind: ExprKind::Unary(UnOp::Neg, Box::new(e)), ty, span },
            },
            UnaryOp::BitNot => {
                let Some(kind) = self.types.int_kind(ty) else { return err(span, "~ needs an integer") };
                match &e.kind {
                    ExprKind::Int(v) => int(self.types.wrap(!*v, kind), ty, span),
                    _ => Expr { kind: ExprKind::Unary(UnOp::BitNot, Box::new(e)), ty, span },
                }
            }
            UnaryOp::Not | UnaryOp::AddrOf | UnaryOp::Deref | UnaryOp::Real | UnaryOp::Imag => e,
        };
        Ok(value)
    }

    pub(super) fn not(&mut self, e: Expr, span: Span) -> Expr {
        match &e.kind {
            ExprKind::Int(v) => int((*v == 0) as i128, TypeId::INT, span),
            ExprKind::Float(v) => int((*v == 0.0) as i128, TypeId::INT, span),
            _ => Expr { kind: ExprKind::Not(Box::new(e)), ty: TypeId::INT, span },
        }
    }

    fn address_of(&mut self, typed: Typed, span: Span) -> SResult<Expr> {
        match typed {
            Typed::Func(..) => self.value_of(typed),
            Typed::Place(place) => {
                if self.place_width(&place).is_some() {
                    return err(span, "a bit-field has no address");
                }
                if let PlaceKind::Var(var) = place.kind
                    && self.registers.contains(&var)
                {
                    return err(span, format!("address of register variable '{}' requested", self.vars[var].name));
                }
                let ty = self.types.pointer_to(place.ty);
                Ok(match place.kind {
                    // `&*p` is `p`.
                    PlaceKind::Deref(pointer) => Expr { ty, ..*pointer },
                    _ => self.fold_address(Expr { kind: ExprKind::AddrOf(place), ty, span }),
                })
            }
            Typed::Value(_) => err(span, "this value has no address"),
        }
    }

    /// `&((T *)0)->f`: the offsetof idiom with a constant base is a constant.
    fn fold_address(&mut self, e: Expr) -> Expr {
        let ExprKind::AddrOf(place) = &e.kind else { return e };
        match self.constant_address(place) {
            Some(address) => {
                let size_t = self.types.size_t();
                let kind = self.types.int_kind(size_t).unwrap_or(IntKind::ULong);
                let constant = int(self.types.wrap(address, kind), size_t, e.span);
                Expr { kind: ExprKind::Convert(Box::new(constant)), ty: e.ty, span: e.span }
            }
            None => e,
        }
    }

    fn constant_address(&self, place: &Place) -> Option<i128> {
        match &place.kind {
            PlaceKind::Deref(pointer) => self.constant_pointer(pointer),
            PlaceKind::Field(base, index) => {
                let fields = self.types.fields(base.ty.id)?;
                Some(self.constant_address(base)? + fields[*index as usize].offset() as i128)
            }
            PlaceKind::Index(base, index) => {
                let ExprKind::Int(i) = index.kind else { return None };
                let size = self.types.size_of(place.ty.id)? as i128;
                Some(self.constant_address(base)? + i.checked_mul(size)?)
            }
            PlaceKind::Var(_) | PlaceKind::Temp(_) | PlaceKind::Compound(..) => None,
        }
    }

    fn constant_pointer(&self, e: &Expr) -> Option<i128> {
        match &e.kind {
            ExprKind::Int(v) => Some(*v),
            ExprKind::Convert(inner) if self.types.is_pointer(e.ty) => self.constant_pointer(inner),
            _ => None,
        }
    }

    fn deref(&mut self, typed: Typed, span: Span) -> SResult<Typed> {
        match typed {
            // `*f` is `f`.
            Typed::Func(..) => Ok(typed),
            Typed::Place(place) if self.types.is_array(place.ty.id) => {
                let zero = int(0, self.types.ptrdiff_t(), span);
                self.index(Typed::Place(place), zero, span)
            }
            other => {
                let pointer = self.value_of(other)?;
                self.deref_value(pointer, span)
            }
        }
    }

    fn deref_value(&mut self, pointer: Expr, span: Span) -> SResult<Typed> {
        let Some(pointee) = self.types.pointee(pointer.ty) else {
            return err(span, format!("cannot dereference a {}", self.types.show(pointer.ty)));
        };
        // `*(a + i)` and `*&x` go back to the object, so that it need not be addressed.
        let kind = match pointer.kind {
            ExprKind::AddrOf(place) if place.ty.id == pointee.id => return Ok(Typed::Place(Place { span, ..place })),
            ExprKind::AddrOf(place) if self.types.element(place.ty.id).is_some_and(|e| e.id == pointee.id) => {
                let zero = int(0, self.types.ptrdiff_t(), span);
                PlaceKind::Index(Box::new(place), Box::new(zero))
            }
            ExprKind::PtrAdd { ptr, index, size, negative: false } => match ptr.kind {
                ExprKind::AddrOf(place) if self.types.element(place.ty.id).is_some_and(|e| e.id == pointee.id) => {
                    PlaceKind::Index(Box::new(place), index)
                }
                _ => {
                    let e = Expr {
                        kind: ExprKind::PtrAdd { ptr, index, size, negative: false },
                        ty: pointer.ty,
                        span: pointer.span,
                    };
                    PlaceKind::Deref(Box::new(e))
                }
            },
            kind => PlaceKind::Deref(Box::new(Expr { kind, ty: pointer.ty, span: pointer.span })),
        };
        Ok(Typed::Place(Place { kind, ty: pointee, span }))
    }

    fn index(&mut self, base: Typed, index: Expr, span: Span) -> SResult<Typed> {
        match base {
            Typed::Place(place) if self.types.vector(place.ty.id).is_some() => self.vector_element(place, index, span),
            Typed::Value(value) if self.types.vector(value.ty).is_some() => {
                let ty = Ty::plain(value.ty);
                let place = Place { kind: PlaceKind::Temp(Box::new(value)), ty, span };
                self.vector_element(place, index, span)
            }
            Typed::Place(place)
                if self.types.is_array(place.ty.id)
                    && self.types.is_integer(index.ty)
                    && (matches!(index.kind, ExprKind::Int(_)) || !is_in_temporary(&place)) =>
            {
                let index = self.promote(index);
                let Some(elem) = self.types.element(place.ty.id) else {
                    return internal(span, "array without element");
                };
                let ty = elem.with(place.ty.quals);
                Ok(Typed::Place(Place { kind: PlaceKind::Index(Box::new(place), Box::new(index)), ty, span }))
            }
            other => {
                let base = self.value_of(other)?;
                let sum = self.binary(BinaryOp::Add, base, index, span)?;
                self.deref_value(sum, span)
            }
        }
    }

    fn member(&mut self, base: &ast::Expr, arrow: bool, field: Sym, field_span: Span, span: Span) -> SResult<Typed> {
        let typed = self.expr(base)?;
        let typed = if arrow { self.deref(typed, span)? } else { typed };
        let mut place = match typed {
            Typed::Place(place) => place,
            Typed::Value(value) => match value.kind {
                ExprKind::Load(place) => place,
                _ => {
                    let ty = Ty::plain(value.ty);
                    Place { ty, span, kind: PlaceKind::Temp(Box::new(value)) }
                }
            },
            Typed::Func(..) => return err(span, "a function has no members"),
        };
        let name = self.text(field);
        if !self.types.has_members(place.ty.id) {
            return err(field_span, format!("{} has no members", self.types.show(place.ty.id)));
        }
        let Some(path) = self.find_field(place.ty.id, &name) else {
            return err(field_span, format!("{} has no member {name}", self.types.show(place.ty.id)));
        };
        for index in path {
            let Some(fields) = self.types.fields(place.ty.id) else {
                return err(field_span, "incomplete type");
            };
            let ty = fields[index as usize].ty.with(place.ty.quals);
            place = Place { kind: PlaceKind::Field(Box::new(place), index), ty, span };
        }
        Ok(Typed::Place(place))
    }

    fn inc_dec(&mut self, increment: bool, prefix: bool, operand: &ast::Expr, span: Span) -> SResult<Expr> {
        let place = self.place(operand)?;
        let change = if increment { Change::Increment } else { Change::Decrement };
        self.require_modifiable(&place, change, span)?;
        let ty = place.ty.id;
        if self.has_parts(ty) {
            return self.step_by_parts(place, increment, prefix, span);
        }
        if !self.types.is_scalar(ty) {
            return err(span, "++ and -- need a scalar");
        }
        let size = match self.types.pointee(ty) {
            Some(pointee) => Some(Box::new(self.size_expr(pointee.id, span)?)),
            None => None,
        };
        Ok(Expr { kind: ExprKind::IncDec { place: Box::new(place), increment, prefix, size }, ty, span })
    }

    /// The size of a type, as an expression where it depends on a variable-length array.
    pub(super) fn size_expr(&mut self, ty: TypeId, span: Span) -> SResult<Expr> {
        let size_t = self.types.size_t();
        if let Some(size) = self.types.size_of(ty) {
            return Ok(int(size as i128, size_t, span));
        }
        match *self.types.get(ty) {
            Type::Array(elem, len) => {
                let count = match len {
                    ArrayLen::Vla(var) => {
                        let place = Place { kind: PlaceKind::Var(var), ty: Ty::plain(size_t), span };
                        self.load(place)?
                    }
                    ArrayLen::Known(n) => int(n as i128, size_t, span),
                    ArrayLen::Incomplete => return err(span, "the size of this type is not known"),
                };
                let size = self.size_expr(elem.id, span)?;
                self.arithmetic(BinOp::Mul, count, size, span)
            }
            _ => err(span, format!("the size of {} is not known", self.types.show(ty))),
        }
    }

    /// Arithmetic on operands of equal, promoted type; folds when the result is defined.
    pub(super) fn arithmetic(&mut self, op: BinOp, left: Expr, right: Expr, span: Span) -> SResult<Expr> {
        let ty = left.ty;
        if let (ExprKind::Int(a), ExprKind::Int(b), Some(kind)) = (&left.kind, &right.kind, self.types.int_kind(ty)) {
            let bits = self.types.int_bits(kind);
            let exact = match op {
                _ if kind == IntKind::UInt128 => fold_unsigned(op, *a as u128, *b as u128).map(|v| v as i128),
                BinOp::Add => a.checked_add(*b),
                BinOp::Sub => a.checked_sub(*b),
                BinOp::Mul => a.checked_mul(*b),
                BinOp::Div => a.checked_div(*b),
                BinOp::Rem => a.checked_rem(*b),
                BinOp::Shl if (0..bits as i128).contains(b) && *b < 64 && *a >= 0 => a.checked_mul(1i128 << *b),
                BinOp::Shr if (0..bits as i128).contains(b) => Some(*a >> *b),
                BinOp::Shl | BinOp::Shr => None,
                BinOp::And => Some(*a & *b),
                BinOp::Or => Some(*a | *b),
                BinOp::Xor => Some(*a ^ *b),
            };
            if let Some(exact) = exact {
                let wrapped = self.types.wrap(exact, kind);
                // What overflows must be seen by the overflow check: keep it as an operation.
                if !kind.is_signed() || wrapped == exact {
                    return Ok(int(wrapped, ty, span));
                }
            }
        }
        if let (ExprKind::Float(a), ExprKind::Float(b), Type::Float(kind)) =
            (&left.kind, &right.kind, self.types.get(ty).clone())
            && kind <= FloatKind::Double
        {
            let value = match op {
                BinOp::Add => Some(a + b),
                BinOp::Sub => Some(a - b),
                BinOp::Mul => Some(a * b),
                BinOp::Div => Some(a / b),
                _ => None,
            };
            if let Some(value) = value {
                // For float operands the double result rounds to the correct float result.
                return Ok(Expr { kind: ExprKind::Float(round_float(value, kind)), ty, span });
            }
        }
        Ok(Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty, span })
    }

    fn index_value(&mut self, index: Expr) -> Expr {
        self.promote(index)
    }

    pub(super) fn binary(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> SResult<Expr> {
        if self.types.vector(left.ty).is_some() || self.types.vector(right.ty).is_some() {
            return self.vector_binary(op, left, right, span);
        }
        let is_logical = matches!(op, BinaryOp::LogAnd | BinaryOp::LogOr);
        if self.types.complex(left.ty).is_some() || self.types.complex(right.ty).is_some() {
            if !is_logical {
                return self.complex_binary(op, left, right, span);
            }
            let (left, right) = (self.truth_value(left), self.truth_value(right));
            return self.binary(op, left, right, span);
        }
        let (lp, rp) = (self.types.pointee(left.ty), self.types.pointee(right.ty));
        let (li, ri) = (self.types.is_integer(left.ty), self.types.is_integer(right.ty));
        let both_arithmetic = self.types.is_arithmetic(left.ty) && self.types.is_arithmetic(right.ty);
        let wrong = |s: &Self| {
            let (l, r) = (s.types.show(left.ty), s.types.show(right.ty));
            err(span, format!("wrong operands of {}: {l} and {r}", op.text()))
        };
        let op = match op {
            BinaryOp::LogAnd | BinaryOp::LogOr => {
                if !self.types.is_scalar(left.ty) || !self.types.is_scalar(right.ty) {
                    return wrong(self);
                }
                return Ok(self.logical(op == BinaryOp::LogAnd, left, right, span));
            }
            BinaryOp::Add | BinaryOp::Sub => {
                let negative = op == BinaryOp::Sub;
                match (lp, rp) {
                    (Some(pointee), None) if ri => {
                        let size = Box::new(self.size_expr(pointee.id, span)?);
                        let ty = left.ty;
                        let index = Box::new(self.index_value(right));
                        return Ok(Expr {
                            kind: ExprKind::PtrAdd { ptr: Box::new(left), index, size, negative },
                            ty,
                            span,
                        });
                    }
                    (None, Some(pointee)) if li && !negative => {
                        let size = Box::new(self.size_expr(pointee.id, span)?);
                        let ty = right.ty;
                        let index = Box::new(self.index_value(left));
                        return Ok(Expr {
                            kind: ExprKind::PtrAdd { ptr: Box::new(right), index, size, negative },
                            ty,
                            span,
                        });
                    }
                    (Some(pointee), Some(_)) if negative => {
                        let size = Box::new(self.size_expr(pointee.id, span)?);
                        let ty = self.types.ptrdiff_t();
                        return Ok(Expr {
                            kind: ExprKind::PtrDiff { left: Box::new(left), right: Box::new(right), size },
                            ty,
                            span,
                        });
                    }
                    _ => {}
                }
                if negative { BinOp::Sub } else { BinOp::Add }
            }
            BinaryOp::Mul => BinOp::Mul,
            BinaryOp::Div => BinOp::Div,
            BinaryOp::Rem if li && ri => BinOp::Rem,
            BinaryOp::BitAnd if li && ri => BinOp::And,
            BinaryOp::BitOr if li && ri => BinOp::Or,
            BinaryOp::BitXor if li && ri => BinOp::Xor,
            BinaryOp::Shl | BinaryOp::Shr if li && ri => {
                let left = self.promote(left);
                let right = self.promote(right);
                let op = if op == BinaryOp::Shl { BinOp::Shl } else { BinOp::Shr };
                return self.arithmetic(op, left, right, span);
            }
            BinaryOp::Lt => return self.compare(CmpOp::Lt, left, right, span),
            BinaryOp::Gt => return self.compare(CmpOp::Gt, left, right, span),
            BinaryOp::Le => return self.compare(CmpOp::Le, left, right, span),
            BinaryOp::Ge => return self.compare(CmpOp::Ge, left, right, span),
            BinaryOp::Eq => return self.compare(CmpOp::Eq, left, right, span),
            BinaryOp::Ne => return self.compare(CmpOp::Ne, left, right, span),
            BinaryOp::Rem | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor | BinaryOp::Shl | BinaryOp::Shr => {
                return wrong(self);
            }
        };
        if !both_arithmetic {
            return wrong(self);
        }
        let (left, right) = self.usual_conversions(left, right);
        self.arithmetic(op, left, right, span)
    }

    fn usual_conversions(&mut self, left: Expr, right: Expr) -> (Expr, Expr) {
        let (left, right) = (self.promote(left), self.promote(right));
        let ty = self.common_type(left.ty, right.ty);
        (self.convert(left, ty), self.convert(right, ty))
    }

    /// A complex number as a condition: whether it is not zero. Anything else is a condition already.
    pub(super) fn truth_value(&mut self, e: Expr) -> Expr {
        let span = e.span;
        if self.types.complex(e.ty).is_some() { self.complex_truth(e, span) } else { e }
    }

    fn is_longer_than_double(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Float(FloatKind::LongDouble | FloatKind::Quad))
    }

    pub(super) fn logical(&mut self, and: bool, left: Expr, right: Expr, span: Span) -> Expr {
        let truth = |e: &Expr| match e.kind {
            ExprKind::Int(v) => Some(v != 0),
            ExprKind::Float(v) => Some(v != 0.0),
            _ => None,
        };
        match (truth(&left), truth(&right)) {
            // The right operand is not evaluated.
            (Some(l), _) if l != and => return int(l as i128, TypeId::INT, span),
            (Some(_), Some(r)) => return int(r as i128, TypeId::INT, span),
            _ => {}
        }
        let (left, right) = (Box::new(left), Box::new(right));
        let kind = if and { ExprKind::LogAnd(left, right) } else { ExprKind::LogOr(left, right) };
        Expr { kind, ty: TypeId::INT, span }
    }

    pub(super) fn compare(&mut self, op: CmpOp, left: Expr, right: Expr, span: Span) -> SResult<Expr> {
        let both_arithmetic = self.types.is_arithmetic(left.ty) && self.types.is_arithmetic(right.ty);
        let (left, right) = if both_arithmetic {
            self.usual_conversions(left, right)
        } else if self.types.is_pointer(left.ty) && (self.types.is_pointer(right.ty) || self.types.is_integer(right.ty))
        {
            let ty = left.ty;
            let right = self.convert(right, ty);
            (left, right)
        } else if self.types.is_integer(left.ty) && self.types.is_pointer(right.ty) {
            let ty = right.ty;
            let left = self.convert(left, ty);
            (left, right)
        } else {
            return err(
                span,
                format!("cannot compare {} with {}", self.types.show(left.ty), self.types.show(right.ty)),
            );
        };
        let ordering = match (&left.kind, &right.kind) {
            (ExprKind::Int(a), ExprKind::Int(b)) if self.types.int_kind(left.ty) == Some(IntKind::UInt128) => {
                Some((*a as u128).partial_cmp(&(*b as u128)))
            }
            (ExprKind::Int(a), ExprKind::Int(b)) => Some(a.partial_cmp(b)),
            (ExprKind::Float(a), ExprKind::Float(b))
                if !self.is_longer_than_double(left.ty) || is_short(*a) && is_short(*b) =>
            {
                Some(a.partial_cmp(b))
            }
            _ => None,
        };
        if let Some(ordering) = ordering {
            use std::cmp::Ordering::*;
            let value = match op {
                CmpOp::Lt => ordering == Some(Less),
                CmpOp::Le => matches!(ordering, Some(Less | Equal)),
                CmpOp::Gt => ordering == Some(Greater),
                CmpOp::Ge => matches!(ordering, Some(Greater | Equal)),
                CmpOp::Eq => ordering == Some(Equal),
                CmpOp::Ne => ordering != Some(Equal),
            };
            return Ok(int(value as i128, TypeId::INT, span));
        }
        Ok(Expr { kind: ExprKind::Compare(op, Box::new(left), Box::new(right)), ty: TypeId::INT, span })
    }

    fn assign(&mut self, op: Option<BinaryOp>, left: &ast::Expr, right: &ast::Expr, span: Span) -> SResult<Expr> {
        let place = self.place(left)?;
        self.require_modifiable(&place, Change::Assignment, span)?;
        let rhs = self.rvalue(right)?;
        let ty = place.ty.id;
        if let Some(op) = op
            && (self.has_parts(ty) || self.has_parts(rhs.ty))
        {
            return self.assign_by_parts(op, place, rhs, span);
        }
        let Some(op) = op else {
            if self.types.is_array(ty) {
                return err(span, "an array cannot be assigned");
            }
            let rhs = self.assign_convert(rhs, ty)?;
            return Ok(Expr { kind: ExprKind::Assign(Box::new(place), Box::new(rhs)), ty, span });
        };
        if let Some(pointee) = self.types.pointee(ty) {
            if !matches!(op, BinaryOp::Add | BinaryOp::Sub) || !self.types.is_integer(rhs.ty) {
                return err(span, "only += and -= work on pointers");
            }
            let size = Box::new(self.size_expr(pointee.id, span)?);
            let index = Box::new(self.index_value(rhs));
            let negative = op == BinaryOp::Sub;
            return Ok(Expr { kind: ExprKind::PtrAssign { place: Box::new(place), index, size, negative }, ty, span });
        }
        if !self.types.is_arithmetic(ty) || !self.types.is_arithmetic(rhs.ty) {
            return err(span, "wrong operands of a compound assignment");
        }
        let old = self.load(place.clone())?;
        let old = self.promote(old);
        let rhs = self.promote(rhs);
        let (op, is_shift) = match op {
            BinaryOp::Add => (BinOp::Add, false),
            BinaryOp::Sub => (BinOp::Sub, false),
            BinaryOp::Mul => (BinOp::Mul, false),
            BinaryOp::Div => (BinOp::Div, false),
            BinaryOp::Rem => (BinOp::Rem, false),
            BinaryOp::Shl => (BinOp::Shl, true),
            BinaryOp::Shr => (BinOp::Shr, true),
            BinaryOp::BitAnd => (BinOp::And, false),
            BinaryOp::BitOr => (BinOp::Or, false),
            BinaryOp::BitXor => (BinOp::Xor, false),
            _ => return internal(span, "no such compound assignment"),
        };
        let needs_integers = !matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div);
        if needs_integers && !(self.types.is_integer(ty) && self.types.is_integer(rhs.ty)) {
            return err(span, "this compound assignment needs integers");
        }
        let (compute, rhs) = if is_shift {
            (old.ty, rhs)
        } else {
            let common = self.common_type(old.ty, rhs.ty);
            (common, self.convert(rhs, common))
        };
        let kind = ExprKind::CompoundAssign { op, place: Box::new(place), rhs: Box::new(rhs), compute };
        Ok(Expr { kind, ty, span })
    }

    /// The type of a conditional whose arms have these types.
    fn arms_type(&mut self, a: &Expr, b: &Expr, span: Span) -> SResult<TypeId> {
        if a.ty == b.ty {
            return Ok(a.ty);
        }
        if a.ty == TypeId::VOID || b.ty == TypeId::VOID {
            return Ok(TypeId::VOID);
        }
        let is_number = |ty: TypeId| self.types.is_arithmetic(ty) || self.types.complex(ty).is_some();
        if is_number(a.ty) && is_number(b.ty) {
            return Ok(self.common_type(a.ty, b.ty));
        }
        match (self.types.pointee(a.ty), self.types.pointee(b.ty)) {
            (Some(x), Some(y)) => {
                // A null pointer constant takes the other's type; `void *` wins otherwise.
                if self.is_null_constant(a) && x.id == TypeId::VOID {
                    return Ok(b.ty);
                }
                if self.is_null_constant(b) && y.id == TypeId::VOID {
                    return Ok(a.ty);
                }
                Ok(if y.id == TypeId::VOID { b.ty } else { a.ty })
            }
            (Some(_), None) if self.types.is_integer(b.ty) => Ok(a.ty),
            (None, Some(_)) if self.types.is_integer(a.ty) => Ok(b.ty),
            _ => {
                err(span, format!("the arms of ?: do not fit: {} and {}", self.types.show(a.ty), self.types.show(b.ty)))
            }
        }
    }

    fn conditional(
        &mut self,
        condition: &ast::Expr,
        then: &ast::Expr,
        otherwise: &ast::Expr,
        span: Span,
    ) -> SResult<Typed> {
        let condition = self.condition(condition)?;
        let then = self.expr(then)?;
        let then = self.use_discarded(then)?;
        let otherwise = self.expr(otherwise)?;
        let otherwise = self.use_discarded(otherwise)?;
        let (then, otherwise) = (self.promote(then), self.promote(otherwise));
        let ty = self.arms_type(&then, &otherwise, span)?;
        let (then, otherwise) = (self.convert(then, ty), self.convert(otherwise, ty));
        let truth = match condition.kind {
            ExprKind::Int(v) => Some(v != 0),
            _ => None,
        };
        Ok(Typed::Value(match truth {
            Some(true) => Expr { span, ..then },
            Some(false) => Expr { span, ..otherwise },
            None => Expr { kind: ExprKind::Cond(Box::new(condition), Box::new(then), Box::new(otherwise)), ty, span },
        }))
    }

    fn elvis(&mut self, value: &ast::Expr, otherwise: &ast::Expr, span: Span) -> SResult<Expr> {
        let value = self.condition(value)?;
        let value = self.promote(value);
        let otherwise = self.rvalue(otherwise)?;
        let otherwise = self.promote(otherwise);
        let ty = self.arms_type(&value, &otherwise, span)?;
        let var = self.new_var("?: operand", Ty::plain(value.ty), span, Storage::Local, true);
        let place = Place { kind: PlaceKind::Var(var), ty: Ty::plain(value.ty), span };
        let then = self.load(place)?;
        let then = Box::new(self.convert(then, ty));
        let otherwise = Box::new(self.convert(otherwise, ty));
        Ok(Expr { kind: ExprKind::Elvis { value: Box::new(value), var, then, otherwise }, ty, span })
    }

    fn cast(&mut self, to: Ty, operand: &ast::Expr, span: Span) -> SResult<Typed> {
        let typed = self.expr(operand)?;
        if to.id == TypeId::VOID {
            let value = self.use_discarded(typed)?;
            let kind = ExprKind::Convert(Box::new(value));
            return Ok(Typed::Value(Expr { kind, ty: TypeId::VOID, span }));
        }
        let operand_span = typed.span();
        let value = self.value_of(typed)?;
        if self.types.vector(value.ty).is_some() || self.types.vector(to.id).is_some() {
            return Ok(Typed::Value(self.vector_cast(value, to.id, span)?));
        }
        let is_number = |ty: TypeId| self.types.is_arithmetic(ty) || self.types.complex(ty).is_some();
        let is_complex = self.types.complex(value.ty).is_some() || self.types.complex(to.id).is_some();
        if is_complex && is_number(value.ty) && is_number(to.id) {
            let converted = self.convert(value, to.id);
            return Ok(Typed::Value(Expr { span, ..converted }));
        }
        let ok = value.ty == to.id
            || self.types.is_scalar(to.id)
                && self.types.is_scalar(value.ty)
                && !(self.types.is_float(to.id) && self.types.is_pointer(value.ty))
                && !(self.types.is_pointer(to.id) && self.types.is_float(value.ty));
        if !ok {
            if self.types.record(to.id).is_some_and(|r| self.types.records[r].is_union) {
                return Ok(Typed::Value(self.transparent_union(value, to.id)?));
            }
            let message = format!("cannot cast {} to {}", self.types.show(value.ty), self.types.show(to.id));
            return err(operand_span, message);
        }
        // The value of a cast is no longer that of a bit-field, even if the type stays.
        if value.ty == to.id && self.bit_field_width(&value).is_some() {
            let kind = ExprKind::Convert(Box::new(value));
            return Ok(Typed::Value(Expr { kind, ty: to.id, span }));
        }
        let converted = self.convert(value, to.id);
        Ok(Typed::Value(Expr { span, ..converted }))
    }

    fn compound_literal(&mut self, ty: Ty, items: &[ast::InitItem], span: Span) -> SResult<Typed> {
        // The initialiser is checked through the same road as a declaration's.
        let (ty, init) = self.list(ty, items, span)?;
        if self.function.is_none() && !self.has_parts(ty.id) {
            let var = self.new_var("compound literal", ty, span, Storage::Static { defined: true }, true);
            self.vars[var].init = Some(init);
            return Ok(Typed::Place(Place { kind: PlaceKind::Var(var), ty, span }));
        }
        let var = self.new_var("compound literal", ty, span, Storage::Local, true);
        Ok(Typed::Place(Place { kind: PlaceKind::Compound(var, Box::new(init)), ty, span }))
    }

    fn stmt_expr(&mut self, block: &ast::Block, span: Span) -> SResult<Expr> {
        if self.function.is_none() {
            return err(span, "a statement expression outside a function");
        }
        let outer_pending = std::mem::take(&mut self.pending);
        self.scopes.push(Scope::default());
        let result = (|| {
            let (last, labels, init) = match block.stmts.split_last() {
                Some((last, init)) => match labelled_value(last) {
                    Some((labels, e)) => (Some(e), labels, init),
                    None => (None, Vec::new(), block.stmts.as_slice()),
                },
                None => (None, Vec::new(), block.stmts.as_slice()),
            };
            let mut stmts = self.statements(init)?;
            for (name, span) in labels {
                let label = self.label(name, true, span)?;
                let empty = Box::new(Stmt { kind: StmtKind::Empty, span });
                stmts.push(Stmt { kind: StmtKind::Label(label, empty), span });
            }
            let value = match last {
                Some(e) => {
                    let typed = self.expr(e)?;
                    let value = self.use_discarded(typed)?;
                    Some(value)
                }
                None => None,
            };
            stmts.append(&mut self.pending);
            Ok((stmts, value))
        })();
        self.scopes.pop();
        self.pending = outer_pending;
        let (stmts, value) = result?;
        let ty = value.as_ref().map_or(TypeId::VOID, |v| v.ty);
        Ok(Expr { kind: ExprKind::StmtExpr(stmts, value.map(Box::new)), ty, span })
    }

    fn generic(
        &mut self,
        control: &ast::Expr,
        arms: &[(Option<ast::TypeName>, ast::Expr)],
        span: Span,
    ) -> SResult<Typed> {
        let ty = self.rvalue_type(control)?;
        let (mut chosen, mut default) = (None, None);
        let mut seen: Vec<Ty> = Vec::new();
        for (name, e) in arms {
            let Some(name) = name else {
                if default.replace(e).is_some() {
                    return err(span, "duplicate 'default' case in '_Generic'");
                }
                continue;
            };
            let arm = self.type_name(name)?;
            if seen.iter().any(|s| s.quals == arm.quals && s.id == arm.id) && !self.may_be_enum(&name.specs.ty) {
                return err(name.span, "'_Generic' specifies two compatible types");
            }
            seen.push(arm);
            // Values have no qualifiers, so an arm with some is never meant.
            if chosen.is_none() && arm.quals == Quals::default() && self.types.compatible(arm.id, ty) {
                if self.may_be_enum(&name.specs.ty) && self.is_ambiguous_enum(arm.id) {
                    return unsupported(span, "_Generic that tells enumerations apart is not supported");
                }
                chosen = Some(e);
            }
        }
        match chosen.or(default) {
            Some(e) => self.expr(e),
            None => err(span, format!("no arm of _Generic for {}", self.types.show(ty))),
        }
    }

    fn offsetof(&mut self, name: &ast::TypeName, path: &[Designator], span: Span) -> SResult<Expr> {
        let size_t = self.types.size_t();
        let mut ty = self.type_name(name)?.id;
        let mut total = int(0, size_t, span);
        for step in path {
            let add = match step {
                Designator::Field(field, field_span) => {
                    let text = self.text(*field);
                    let Some(steps) = self.find_field(ty, &text) else {
                        return err(*field_span, format!("{} has no member {text}", self.types.show(ty)));
                    };
                    let mut offset = 0;
                    for index in steps {
                        if let Some(fields) = self.types.fields(ty) {
                            if fields[index as usize].width.is_some() {
                                return err(*field_span, format!("attempt to take address of bit-field '{text}'"));
                            }
                            offset += fields[index as usize].offset();
                            ty = fields[index as usize].ty.id;
                        }
                    }
                    int(offset as i128, size_t, span)
                }
                Designator::Index(e) => {
                    let Some(elem) = self.types.element(ty) else { return err(span, "offsetof: no array") };
                    ty = elem.id;
                    let index = self.rvalue(e)?;
                    let index = self.convert(index, size_t);
                    let size = self.size_expr(ty, span)?;
                    self.arithmetic(BinOp::Mul, index, size, span)?
                }
                Designator::Range(..) => return err(span, "offsetof: no range here"),
            };
            total = self.arithmetic(BinOp::Add, total, add, span)?;
        }
        Ok(total)
    }

    // ----- calls -----

    fn call(&mut self, callee: &ast::Expr, args: &[ast::Expr], span: Span) -> SResult<Expr> {
        if let A::Ident(name) = callee.kind {
            let text = self.text(name);
            let declared = self.lookup(name).is_some();
            if let Some(result) = self.builtin_call(&text, args, declared, span) {
                return result;
            }
            if !declared && !self.linkage.contains_key(&name) {
                let ty = self.implicit_type(&text);
                let func = self.new_function(name, ty, span);
                self.implicit.insert(func);
                self.assumed.insert(func);
                if !self.in_library {
                    self.internal.entry(name).or_insert(false);
                }
                self.scopes[0].names.insert(name, Entity::Func(func));
            }
        }
        let typed = self.expr(callee)?;
        let (callee, ty) = match typed {
            Typed::Func(func, _) => (Callee::Direct(func), self.funcs[func].ty),
            other => {
                let pointer = self.value_of(other)?;
                let Some(pointee) = self.types.pointee(pointer.ty) else {
                    return err(span, "only functions can be called");
                };
                match pointer.kind {
                    ExprKind::Func(func) => (Callee::Direct(func), self.funcs[func].ty),
                    _ => (Callee::Indirect(Box::new(pointer)), pointee.id),
                }
            }
        };
        let Some(function) = self.types.function(ty) else {
            return err(span, "only functions can be called");
        };
        let mut values = Vec::with_capacity(args.len());
        for (i, arg) in args.iter().enumerate() {
            let value = self.rvalue(arg)?;
            let value = match function.params.get(i) {
                Some(param) if function.prototyped => self.assign_convert(value, param.id)?,
                _ => self.default_promotion(value),
            };
            values.push(value);
        }
        if function.prototyped
            && (values.len() < function.params.len() || values.len() > function.params.len() && !function.variadic)
        {
            // Nothing is known of a part of such a program: the compiler would not build it.
            let how_many = if values.len() < function.params.len() { "few" } else { "many" };
            let name = match &callee {
                Callee::Direct(f) => format!("function {}", self.funcs[*f].name),
                Callee::Indirect(_) => "the function that is pointed to".to_string(),
            };
            let (n, wanted) = (values.len(), function.params.len());
            return err(span, format!("too {how_many} arguments to {name}: {n}, it takes {wanted}"));
        }
        Ok(Expr { kind: ExprKind::Call { callee, args: values }, ty: function.ret.id, span })
    }

    pub(super) fn default_promotion(&mut self, e: Expr) -> Expr {
        if e.ty == TypeId::FLOAT {
            return self.convert(e, TypeId::DOUBLE);
        }
        let e = self.promote(e);
        match self.types.int_kind(e.ty) {
            Some(IntKind::Bits { signed: true, .. }) => self.convert(e, TypeId::LLONG),
            Some(IntKind::Bits { signed: false, .. }) => self.convert(e, TypeId::ULLONG),
            _ => e,
        }
    }
}

/// The expression that a statement is, behind its labels.
fn labelled_value(stmt: &ast::Stmt) -> Option<(Vec<(Sym, Span)>, &ast::Expr)> {
    let (mut labels, mut stmt) = (Vec::new(), stmt);
    loop {
        match &stmt.kind {
            ast::StmtKind::Expr(e) => return Some((labels, e)),
            ast::StmtKind::Label(name, body) => {
                labels.push((*name, stmt.span));
                stmt = body;
            }
            _ => return None,
        }
    }
}

/// A number with few binary digits: the text it came from meant exactly it.
fn is_short(value: f64) -> bool {
    (value * 1024.0).fract() == 0.0 && value.abs() < 1e9
}

fn round_float(value: f64, kind: FloatKind) -> f64 {
    match kind {
        FloatKind::Half => round_to_half(value),
        FloatKind::Float => value as f32 as f64,
        FloatKind::Double | FloatKind::LongDouble | FloatKind::Quad => value,
    }
}

/// Arithmetic of `unsigned __int128`; `None` where it is not defined.
fn fold_unsigned(op: BinOp, a: u128, b: u128) -> Option<u128> {
    Some(match op {
        BinOp::Add => a.wrapping_add(b),
        BinOp::Sub => a.wrapping_sub(b),
        BinOp::Mul => a.wrapping_mul(b),
        BinOp::Div => a.checked_div(b)?,
        BinOp::Rem => a.checked_rem(b)?,
        BinOp::Shl if b < 128 => a << b,
        BinOp::Shr if b < 128 => a >> b,
        BinOp::Shl | BinOp::Shr => return None,
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
    })
}

/// Rounds to the eleven digits of `_Float16`, ties to even.
fn round_to_half(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    // The last digit of numbers of this size; those below 2⁻¹⁴ have that of the least normal ones.
    let exponent = (((value.to_bits() >> 52) & 0x7ff) as i32 - 1023).max(-14);
    let unit = 2f64.powi(exponent - 10);
    let rounded = (value / unit).round_ties_even() * unit;
    if rounded.abs() > 65504.0 { f64::INFINITY.copysign(value) } else { rounded }
}

/// Is the place in a record that is no object, but a value?
fn is_in_temporary(place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Temp(_) => true,
        PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => is_in_temporary(base),
        PlaceKind::Var(_) | PlaceKind::Deref(_) | PlaceKind::Compound(..) => false,
    }
}
