//! What a compiler rejects although its meaning would be clear: assignments to constants, initialisers that are no
//! constants, declarations that contradict each other (C11 6.5.16, 6.6, 6.7). Where gcc is more generous than the
//! standard, so are we.

use super::*;

/// What is done to a place, as a message says it.
#[derive(Clone, Copy)]
pub(super) enum Change {
    Assignment,
    Increment,
    Decrement,
    Asm,
}

impl Sema<'_> {
    /// Only what is neither constant nor a passing value can be changed.
    pub(super) fn require_modifiable(&self, place: &Place, change: Change, span: Span) -> SResult<()> {
        let verb = match change {
            Change::Assignment => "assignment of",
            Change::Increment => "increment of",
            Change::Decrement => "decrement of",
            Change::Asm => "asm output to",
        };
        if place.ty.id == TypeId::VOID {
            return err(span, "invalid use of void expression");
        }
        if is_temporary(place) {
            let operand = match change {
                Change::Assignment => "as left operand of assignment",
                Change::Increment => "as increment operand",
                Change::Decrement => "as decrement operand",
                Change::Asm => "in asm statement",
            };
            return err(span, format!("lvalue required {operand}"));
        }
        if !place.ty.quals.is_const && !self.has_constant_member(place.ty.id) {
            return Ok(());
        }
        let what = match &place.kind {
            PlaceKind::Var(var) if self.vars[*var].hidden && self.vars[*var].storage != Storage::Param => return Ok(()),
            PlaceKind::Var(var) if self.vars[*var].storage == Storage::Param => {
                format!("read-only parameter '{}'", self.vars[*var].name)
            }
            PlaceKind::Var(var) => format!("read-only variable '{}'", self.vars[*var].name),
            PlaceKind::Field(base, index) => {
                let field = self.types.fields(base.ty.id).and_then(|f| f.get(*index as usize).cloned());
                let name = field.as_ref().and_then(|f| f.name.clone()).unwrap_or_default();
                match field.is_some_and(|f| f.ty.quals.is_const) {
                    true => format!("read-only member '{name}'"),
                    false => format!("member '{name}' in read-only object"),
                }
            }
            _ => "read-only location".to_string(),
        };
        err(span, format!("{verb} {what}"))
    }

    /// Has a record a member that is constant, at any depth?
    fn has_constant_member(&self, ty: TypeId) -> bool {
        let Some(fields) = self.types.fields(ty) else { return false };
        fields.iter().any(|field| {
            let mut ty = field.ty;
            let mut is_const = ty.quals.is_const;
            while let Some(elem) = self.types.element(ty.id) {
                ty = elem;
                is_const |= elem.quals.is_const;
            }
            is_const || self.has_constant_member(ty.id)
        })
    }

    /// The initialiser of an object that lives as long as the program consists of constants.
    pub(super) fn require_constants(&self, init: &Init) -> SResult<()> {
        for item in &init.items {
            if !self.is_constant(&item.value) {
                return err(item.value.span, "initializer element is not constant");
            }
        }
        Ok(())
    }

    fn is_constant(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Func(_) | ExprKind::LabelAddr(_) => true,
            ExprKind::AddrOf(place) => self.has_constant_address(place),
            ExprKind::Load(place) => self.has_constant_value(place),
            ExprKind::Convert(inner) => {
                // An address cut short is not known before the program runs.
                let is_cut = self.types.is_pointer(inner.ty)
                    && self.types.is_integer(e.ty)
                    && self.types.size_of(e.ty) < self.types.size_of(inner.ty)
                    && e.ty != TypeId::BOOL;
                self.is_constant(inner) && (!is_cut || self.is_number(inner))
            }
            ExprKind::Unary(_, inner) | ExprKind::Not(inner) => self.is_constant(inner),
            ExprKind::Binary(BinOp::Div | BinOp::Rem, _, b) if matches!(b.kind, ExprKind::Int(0)) => false,
            // What is not evaluated may be anything.
            ExprKind::LogAnd(a, _) if matches!(a.kind, ExprKind::Int(0)) => true,
            ExprKind::LogOr(a, _) if matches!(a.kind, ExprKind::Int(n) if n != 0) => true,
            ExprKind::Binary(_, a, b) | ExprKind::Compare(_, a, b) | ExprKind::LogAnd(a, b) | ExprKind::LogOr(a, b) => {
                self.is_constant(a) && self.is_constant(b)
            }
            ExprKind::Cond(c, a, b) => self.is_constant(c) && self.is_constant(a) && self.is_constant(b),
            ExprKind::PtrAdd { ptr, index, size, .. } => {
                self.is_constant(ptr) && self.is_constant(index) && self.is_constant(size)
            }
            ExprKind::PtrDiff { left, right, size } => {
                self.is_constant(left) && self.is_constant(right) && self.is_constant(size)
            }
            // gcc computes what its builtins make of constants.
            ExprKind::Call { callee: Callee::Direct(func), args } => {
                let name = &self.funcs[*func].name;
                // An idiom of benchmarks, which no compiler takes: an object that may start with any value.
                name.starts_with("__VERIFIER_nondet_")
                    || (is_builtin(name) || name.starts_with("__builtin_") || is_builtin(&format!("__builtin_{name}")))
                        && args.iter().all(|arg| self.is_constant(arg))
            }
            ExprKind::Call { .. }
            | ExprKind::Comma(..)
            | ExprKind::Elvis { .. }
            | ExprKind::Assign(..)
            | ExprKind::CompoundAssign { .. }
            | ExprKind::PtrAssign { .. }
            | ExprKind::IncDec { .. }
            | ExprKind::StmtExpr(..)
            | ExprKind::VaArg(_)
            | ExprKind::VaStart(_)
            | ExprKind::VaEnd(_)
            | ExprKind::VaCopy(..) => false,
        }
    }

    /// A pointer that is a number, as in `(char *)0`.
    fn is_number(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Int(_) => true,
            ExprKind::Convert(inner) => self.is_number(inner),
            ExprKind::AddrOf(place) => {
                let mut place = place;
                while let PlaceKind::Field(base, _) | PlaceKind::Index(base, _) = &place.kind {
                    place = base;
                }
                matches!(&place.kind, PlaceKind::Deref(pointer) if self.is_number(pointer))
            }
            ExprKind::PtrAdd { ptr, .. } => self.is_number(ptr),
            _ => false,
        }
    }

    fn has_constant_address(&self, place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Var(var) => {
                matches!(self.vars[*var].storage, Storage::Static { .. }) && !self.vars[*var].thread_local
            }
            PlaceKind::Field(base, _) => self.has_constant_address(base),
            PlaceKind::Index(base, index) => self.has_constant_address(base) && self.is_constant(index),
            PlaceKind::Deref(pointer) => self.is_constant(pointer),
            PlaceKind::Temp(_) | PlaceKind::Compound(..) => false,
        }
    }

    /// A compound literal of constants, or a constant object (which gcc takes since version 8).
    fn has_constant_value(&self, place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Var(var) => {
                let is_static = matches!(self.vars[*var].storage, Storage::Static { defined: true });
                is_static && (place.ty.quals.is_const || self.vars[*var].hidden) && !place.ty.quals.is_volatile
            }
            PlaceKind::Field(base, _) => self.has_constant_value(base),
            PlaceKind::Index(base, index) => self.has_constant_value(base) && self.is_constant(index),
            PlaceKind::Compound(_, init) => init.items.iter().all(|item| self.is_constant(&item.value)),
            PlaceKind::Deref(_) | PlaceKind::Temp(_) => false,
        }
    }

    /// A name that is declared again with linkage: the types must agree.
    pub(super) fn require_same_object(&self, name: &str, old: Ty, new: Ty, span: Span) -> SResult<()> {
        if !self.types.compatible(old.id, new.id) {
            return err(span, format!("conflicting types for '{name}'; have '{}'", self.types.show(new.id)));
        }
        let same =
            |a: Quals, b: Quals| (a.is_const, a.is_volatile, a.is_atomic) == (b.is_const, b.is_volatile, b.is_atomic);
        if !same(old.quals, new.quals) {
            return err(span, format!("conflicting type qualifiers for '{name}'"));
        }
        Ok(())
    }

    /// Internal linkage is said at the first declaration.
    pub(super) fn require_linkage(
        &mut self,
        name: Sym,
        storage: ast::Storage,
        is_object: bool,
        span: Span,
    ) -> SResult<()> {
        if self.in_library {
            return Ok(());
        }
        let is_internal = storage == ast::Storage::Static;
        let was_internal = *self.internal.entry(name).or_insert(is_internal);
        if is_internal && !was_internal {
            return err(span, format!("static declaration of '{}' follows non-static declaration", self.text(name)));
        }
        if was_internal && !is_internal && is_object && storage != ast::Storage::Extern {
            return err(span, format!("non-static declaration of '{}' follows static declaration", self.text(name)));
        }
        Ok(())
    }

    /// A name of the scope that means something of another kind already.
    pub(super) fn require_kind(&mut self, name: Sym, new: &Entity, span: Span) -> SResult<()> {
        let at_file_scope = self.scopes.len() == 1;
        let old = self.scope().names.get(&name).cloned();
        let same = match (&old, new) {
            (None, _) => true,
            // Parameters of a prototype are hidden variables.
            (Some(Entity::Var(old)), Entity::Func(_)) => self.vars[*old].hidden,
            (Some(Entity::Var(_)), Entity::Var(_)) | (Some(Entity::Func(_)), Entity::Func(_)) => true,
            (Some(Entity::Func(_)), Entity::Var(_)) => !at_file_scope,
            (Some(Entity::Typedef(old)), Entity::Typedef(new)) => {
                let (old, new) = (old.ty, new.ty);
                let text = self.text(name);
                return match old.quals == new.quals && self.types.compatible(old.id, new.id) {
                    true => Ok(()),
                    false => err(span, format!("conflicting types for '{text}'; have '{}'", self.types.show(new.id))),
                };
            }
            _ => false,
        };
        if !same {
            return err(span, format!("'{}' redeclared as different kind of symbol", self.text(name)));
        }
        Ok(())
    }

    /// No two members of a record have one name, those of anonymous members included.
    pub(super) fn require_distinct_members(&self, fields: &[Field], span: Span) -> SResult<()> {
        fn collect(types: &Types, fields: &[Field], names: &mut Vec<std::sync::Arc<str>>) {
            for field in fields {
                match &field.name {
                    Some(name) => names.push(name.clone()),
                    None => {
                        if let Some(inner) = types.fields(field.ty.id) {
                            collect(types, &inner, names);
                        }
                    }
                }
            }
        }
        let mut names = Vec::new();
        collect(&self.types, fields, &mut names);
        names.sort();
        match names.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => err(span, format!("duplicate member '{}'", pair[0])),
            None => Ok(()),
        }
    }

    /// Objects whose types were left open until the end of the file.
    pub(super) fn check_tentative(&mut self) {
        for &var in &self.statics {
            let variable = &self.vars[var];
            let is_open_record = self.types.is_record(variable.ty.id) && self.types.size_of(variable.ty.id).is_none();
            if is_open_record && variable.storage == (Storage::Static { defined: true }) {
                let message = format!("storage size of '{}' isn't known", variable.name);
                self.diagnostics.push(Diagnostic::error(variable.span, message));
            }
        }
    }
}

/// A member of a value that nothing holds. (An array in one is an object as long as the expression is evaluated.)
fn is_temporary(place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Temp(_) => true,
        PlaceKind::Field(base, _) => is_temporary(base),
        PlaceKind::Var(_) | PlaceKind::Deref(_) | PlaceKind::Index(..) | PlaceKind::Compound(..) => false,
    }
}
