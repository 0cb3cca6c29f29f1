//! Expressions: every one gets its type, polymorphic ones by unification.

use super::{Checker, Dialect, zip_names};
use crate::ast::{self, BinaryOp, Binder, Ident, UnaryOp};
use crate::typed::*;
use crate::types::*;
use base::Span;

/// The largest exponent of a real literal; beyond it the number would fill the memory.
const MAX_EXPONENT: i32 = 5_000;

impl Checker {
    pub(super) fn lookup(&self, name: &str) -> Option<VarId> {
        self.scopes.iter().rev().find_map(|s| s.get(name)).or_else(|| self.globals.get(name)).copied()
    }

    /// A hint at the variable that a misspelt name may stand for.
    pub(super) fn did_you_mean(&self, name: &str) -> String {
        let known = self.scopes.iter().flat_map(|s| s.keys()).chain(self.globals.keys()).map(String::as_str);
        base::nearest(name, known).map_or(String::new(), |near| format!("; did you mean `{near}`?"))
    }

    pub(super) fn error_expr(&mut self, span: Span) -> Expr {
        Expr { kind: ExprKind::Error, ty: self.error_ty(), span }
    }

    /// A Boolean expression with all its types inferred.
    pub(super) fn formula(&mut self, e: &ast::Expr) -> Expr {
        let typed = self.expr(e);
        let bool_ty = self.mk(Ty::Bool);
        self.fits(&typed, bool_ty, "this");
        self.finish_holes();
        typed
    }

    pub(super) fn fits(&mut self, e: &Expr, expected: TyId, what: &str) {
        if !self.program.types.unify(e.ty, expected) {
            let (have, want) = (self.show(e.ty), self.show(expected));
            self.error(e.span, format!("{what} should have the type {want}, but has the type {have}"));
        }
    }

    pub(super) fn expr(&mut self, e: &ast::Expr) -> Expr {
        let span = e.span.0;
        let (kind, ty) = match &e.kind {
            ast::ExprKind::Bool(b) => (ExprKind::Bool(*b), self.mk(Ty::Bool)),
            ast::ExprKind::Int(digits) => (ExprKind::Int(digits.clone()), self.mk(Ty::Int)),
            ast::ExprKind::Real(text) => {
                let exponent = text.split_once('e').map_or(Ok(0), |(_, exponent)| exponent.parse::<i32>());
                if !exponent.is_ok_and(|e| e.abs() <= MAX_EXPONENT) {
                    self.error(span, format!("exponents beyond {MAX_EXPONENT} are not supported"));
                }
                (ExprKind::Real(text.clone()), self.mk(Ty::Real))
            }
            ast::ExprKind::BitVec { value, width } => {
                if !fits_in_bits(value, *width) {
                    self.warning(span, format!("{value} does not fit into {width} bits and is reduced"));
                }
                (ExprKind::BitVec(value.clone()), self.mk(Ty::BitVec(*width)))
            }
            ast::ExprKind::Float(text) => match float_format_of(text) {
                Some((significand, exponent)) => {
                    let ty = ast::TypeKind::Float { significand, exponent };
                    let ty = self.ty(&ast::Type { kind: ty, span: e.span });
                    (ExprKind::Float(text.clone()), ty)
                }
                None => {
                    self.error(span, "this floating-point number has no format; write e.g. 0x1.8e0f24e8");
                    return self.error_expr(span);
                }
            },
            ast::ExprKind::Var(name) => match self.lookup(name) {
                Some(var) => {
                    if self.program.vars[var].kind == VarKind::Global
                        && let Some(what) = self.stateless
                    {
                        let message = format!("{what} cannot mention the variable `{name}`: it has no state");
                        self.error(span, message);
                    }
                    (ExprKind::Var(var), self.program.vars[var].ty)
                }
                None if Rounding::named(name).is_some() => {
                    let mode = Rounding::named(name).unwrap_or(Rounding::NearestEven);
                    (ExprKind::Rounding(mode), self.mk(Ty::Rounding))
                }
                None => {
                    let hint = self.did_you_mean(name);
                    self.error(span, format!("there is no variable `{name}`{hint}"));
                    return self.error_expr(span);
                }
            },
            ast::ExprKind::Apply { callee, args } => return self.apply(callee, args, span),
            ast::ExprKind::Old(inner) => {
                if !self.two_states {
                    self.error(span, "`old` has no meaning here: there is only one state");
                }
                let inner = self.expr(inner);
                let ty = inner.ty;
                (ExprKind::Old(Box::new(inner)), ty)
            }
            ast::ExprKind::Unary(op, operand) => {
                let operand = self.expr(operand);
                let ty = match op {
                    UnaryOp::Not => {
                        let bool_ty = self.mk(Ty::Bool);
                        self.fits(&operand, bool_ty, "the operand of `!`");
                        bool_ty
                    }
                    UnaryOp::Neg => {
                        self.numeric(&operand, "-");
                        operand.ty
                    }
                };
                (ExprKind::Unary(*op, Box::new(operand)), ty)
            }
            ast::ExprKind::Binary(op, operands) => return self.binary(*op, operands, span),
            ast::ExprKind::IfThenElse(parts) => {
                let [condition, yes, no] = &**parts;
                let condition = self.expr(condition);
                let bool_ty = self.mk(Ty::Bool);
                self.fits(&condition, bool_ty, "the condition");
                let yes = self.expr(yes);
                let no = self.expr(no);
                let ty = yes.ty;
                self.fits(&no, ty, "the `else` part");
                (ExprKind::IfThenElse(Box::new([condition, yes, no])), ty)
            }
            ast::ExprKind::Select { map, index } => {
                let map = self.expr(map);
                let index: Vec<Expr> = index.iter().map(|e| self.expr(e)).collect();
                let Some((range, type_args)) = self.map_range(&map, &index, span) else {
                    return self.error_expr(span);
                };
                (ExprKind::Select { map: Box::new(map), type_args, index }, range)
            }
            ast::ExprKind::Store { map, index, value } => {
                let map = self.expr(map);
                let index: Vec<Expr> = index.iter().map(|e| self.expr(e)).collect();
                let value = self.expr(value);
                let Some((range, type_args)) = self.map_range(&map, &index, span) else {
                    return self.error_expr(span);
                };
                self.fits(&value, range, "the stored value");
                let ty = map.ty;
                (ExprKind::Store { map: Box::new(map), type_args, index, value: Box::new(value) }, ty)
            }
            ast::ExprKind::Extract { operand, high, low } => {
                let operand = self.expr(operand);
                match self.program.types.view(operand.ty) {
                    Ty::BitVec(width) if low <= high && high <= width => {}
                    Ty::BitVec(width) => {
                        let message = format!("the bits {high}:{low} are not a part of a bv{width}");
                        self.error(span, message);
                        return self.error_expr(span);
                    }
                    Ty::Error => return self.error_expr(span),
                    _ => {
                        let have = self.show(operand.ty);
                        self.error(
                            operand.span,
                            format!("bits can be extracted from bit vectors only, not from {have}"),
                        );
                        return self.error_expr(span);
                    }
                }
                let ty = self.mk(Ty::BitVec(high - low));
                (ExprKind::Extract { operand: Box::new(operand), high: *high, low: *low }, ty)
            }
            ast::ExprKind::Quantifier(q) => return self.quantifier(q, span),
            ast::ExprKind::Member(base, name) => {
                let base = self.expr(base);
                let Some((places, ty)) = self.member(&base, name) else { return self.error_expr(span) };
                (ExprKind::Member { base: Box::new(base), places }, ty)
            }
            ast::ExprKind::WithMember { base, member, value } => {
                let base = self.expr(base);
                let value = self.expr(value);
                let Some((places, ty)) = self.member(&base, member) else { return self.error_expr(span) };
                self.fits(&value, ty, "the new value of the field");
                let ty = base.ty;
                (ExprKind::WithMember { base: Box::new(base), places, value: Box::new(value) }, ty)
            }
            ast::ExprKind::Is(inner, constructor) => {
                let inner = self.expr(inner);
                let Some(index) = self.constructor_of(&inner, constructor) else { return self.error_expr(span) };
                (ExprKind::Is(Box::new(inner), index), self.mk(Ty::Bool))
            }
            ast::ExprKind::Let { vars, values, body } => {
                if vars.len() != values.len() {
                    let message = format!("{} variable(s), but {} value(s)", vars.len(), values.len());
                    self.error(span, message);
                    return self.error_expr(span);
                }
                let values: Vec<Expr> = values.iter().map(|e| self.expr(e)).collect();
                let typed: Vec<VarId> =
                    vars.iter().zip(&values).map(|(name, e)| self.new_var(name, e.ty, VarKind::Bound)).collect();
                let names: Vec<(Ident, VarId)> = vars.iter().cloned().zip(typed.iter().copied()).collect();
                self.enter_scope(&names);
                let body = self.expr(body);
                self.scopes.pop();
                let ty = body.ty;
                (ExprKind::Let { vars: typed, values, body: Box::new(body) }, ty)
            }
            ast::ExprKind::ToInt(inner) => {
                let inner = self.expr(inner);
                let (real, int) = (self.mk(Ty::Real), self.mk(Ty::Int));
                self.fits(&inner, real, "the operand of `int`");
                (ExprKind::ToInt(Box::new(inner)), int)
            }
            ast::ExprKind::ToReal(inner) => {
                let inner = self.expr(inner);
                let (real, int) = (self.mk(Ty::Real), self.mk(Ty::Int));
                self.fits(&inner, int, "the operand of `real`");
                (ExprKind::ToReal(Box::new(inner)), real)
            }
            ast::ExprKind::Ascribe(inner, ty) => {
                let inner = self.expr(inner);
                let ty = self.ty(ty);
                self.fits(&inner, ty, "this");
                return Expr { span, ..inner };
            }
            ast::ExprKind::Struct(fields) => {
                let mut types = Vec::new();
                let mut values = Vec::new();
                for (name, value) in fields {
                    if types.iter().any(|(n, _)| *n == name.name) {
                        self.error(name.span.0, format!("the field `{}` is given twice", name.name));
                    }
                    let value = self.expr(value);
                    types.push((name.name.clone(), value.ty));
                    values.push(value);
                }
                (ExprKind::Struct(values), self.mk(Ty::Struct(types)))
            }
            ast::ExprKind::Field(inner, name) => {
                let inner = self.expr(inner);
                let Some((field, ty)) = self.field(&inner, name) else { return self.error_expr(span) };
                (ExprKind::Field(Box::new(inner), field), ty)
            }
        };
        Expr { kind, ty, span }
    }

    pub(super) fn field(&mut self, base: &Expr, name: &Ident) -> Option<(usize, TyId)> {
        let ty = self.program.types.shallow(base.ty);
        match self.program.types.get(ty) {
            Ty::Struct(fields) => {
                let found = fields.iter().position(|(n, _)| *n == name.name).map(|i| (i, fields[i].1));
                if found.is_none() {
                    let have = self.show(ty);
                    self.error(name.span.0, format!("{have} has no field `{}`", name.name));
                }
                found
            }
            Ty::Error => None,
            _ => {
                let have = self.show(ty);
                self.error(base.span, format!("only structs have fields, not {have}"));
                None
            }
        }
    }

    /// The constructors of the datatype that a value belongs to, and the arguments of that datatype.
    fn constructors(&mut self, base: &Expr) -> Option<(CtorId, Vec<TyId>)> {
        let ty = self.program.types.shallow(base.ty);
        match self.program.types.get(ty).clone() {
            Ty::Ctor(ctor, args) if self.program.ctors[ctor].datatype.is_some() => Some((ctor, args)),
            Ty::Error => None,
            _ => {
                let have = self.show(ty);
                self.error(base.span, format!("only values of datatypes are made by constructors, not of {have}"));
                None
            }
        }
    }

    /// Where a field lies in the constructors that have one of this name, and its type.
    pub(super) fn member(&mut self, base: &Expr, name: &Ident) -> Option<(Vec<(usize, usize)>, TyId)> {
        let (ctor, args) = self.constructors(base)?;
        let constructors = self.program.ctors[ctor].datatype.clone()?;
        let mut places = Vec::new();
        let mut found: Option<TyId> = None;
        for (c, constructor) in constructors.iter().enumerate() {
            let Some(f) = constructor.fields.iter().position(|(n, _)| *n == name.name) else { continue };
            let ty = self.program.types.subst(constructor.fields[f].1, &constructor.type_params, &args);
            if let Some(first) = found
                && !self.program.types.unify(first, ty)
            {
                let message = format!("the field `{}` has different types in different constructors", name.name);
                self.error(name.span.0, message);
                return None;
            }
            found.get_or_insert(ty);
            places.push((c, f));
        }
        if found.is_none() {
            let have = self.program.ctors[ctor].name.clone();
            self.error(name.span.0, format!("no constructor of `{have}` has a field `{}`", name.name));
        }
        Some((places, found?))
    }

    /// The position of a constructor among those of the value's datatype.
    pub(super) fn constructor_of(&mut self, base: &Expr, name: &Ident) -> Option<usize> {
        let (ctor, _) = self.constructors(base)?;
        let constructors = self.program.ctors[ctor].datatype.as_ref()?;
        let index = constructors.iter().position(|c| c.name == name.name);
        if index.is_none() {
            let have = self.program.ctors[ctor].name.clone();
            self.error(name.span.0, format!("the datatype `{have}` has no constructor `{}`", name.name));
        }
        index
    }

    /// The type of `map[index]` and the type arguments of the map, after checking that the index fits.
    pub(super) fn map_range(&mut self, map: &Expr, index: &[Expr], span: Span) -> Option<(TyId, Vec<TyId>)> {
        let ty = self.program.types.shallow(map.ty);
        match self.program.types.get(ty).clone() {
            Ty::Map { n_params, domain, range } => {
                if domain.len() != index.len() {
                    let message = format!("this map takes {} index(es), not {}", domain.len(), index.len());
                    self.error(span, message);
                    return None;
                }
                let type_args: Vec<TyId> = (0..n_params).map(|_| self.hole(span)).collect();
                for (index, expected) in index.iter().zip(domain) {
                    let expected = self.program.types.open(expected, &type_args);
                    self.fits(index, expected, "this index");
                }
                let range = self.program.types.open(range, &type_args);
                Some((range, type_args))
            }
            Ty::Error => None,
            _ => {
                let have = self.show(ty);
                self.error(map.span, format!("only maps can be indexed, not {have}"));
                None
            }
        }
    }

    pub(super) fn apply(&mut self, callee: &Ident, args: &[ast::Expr], span: Span) -> Expr {
        let args: Vec<Expr> = args.iter().map(|e| self.expr(e)).collect();
        let Some(&id) = self.functions.get(&callee.name) else {
            let what = if self.procs.contains_key(&callee.name) {
                format!("`{}` is a procedure; use a `call` statement", callee.name)
            } else {
                format!("there is no function `{}`", callee.name)
            };
            self.error(callee.span.0, what);
            return self.error_expr(span);
        };
        let function = &self.program.functions[id];
        let (type_params, params, result) = (function.type_params.clone(), function.params.clone(), function.result);
        if params.len() != args.len() {
            let message = format!("`{}` takes {} argument(s), not {}", callee.name, params.len(), args.len());
            self.error(span, message);
            return self.error_expr(span);
        }
        let type_args: Vec<TyId> = type_params.iter().map(|_| self.hole(span)).collect();
        for (arg, &param) in args.iter().zip(&params) {
            let expected = self.program.types.subst(self.program.vars[param].ty, &type_params, &type_args);
            self.fits(arg, expected, "this argument");
        }
        let ty = self.program.types.subst(result, &type_params, &type_args);
        Expr { kind: ExprKind::Apply { callee: id, type_args, args }, ty, span }
    }

    /// Whether an operand is a number; a hole becomes an `int`.
    pub(super) fn numeric(&mut self, e: &Expr, op: &str) -> bool {
        match self.program.types.view(e.ty) {
            Ty::Int | Ty::Real | Ty::Float(..) | Ty::Error => true,
            Ty::Hole(_) => {
                let int = self.mk(Ty::Int);
                self.program.types.unify(e.ty, int)
            }
            _ => {
                let have = self.show(e.ty);
                self.error(e.span, format!("`{op}` needs numbers, not {have}"));
                false
            }
        }
    }

    pub(super) fn binary(&mut self, op: BinaryOp, operands: &[ast::Expr], span: Span) -> Expr {
        let operands: Vec<Expr> = operands.iter().map(|e| self.expr(e)).collect();
        let bool_ty = self.mk(Ty::Bool);
        let ty = match op {
            BinaryOp::Iff | BinaryOp::Implies | BinaryOp::Explies | BinaryOp::And | BinaryOp::Or => {
                for operand in &operands {
                    self.fits(operand, bool_ty, &format!("the operand of `{}`", op.spelling()));
                }
                bool_ty
            }
            BinaryOp::Eq | BinaryOp::Ne => {
                // `f == g` with f: Field a and g: Field int is false unless a is int.
                let (x, y) = (operands[0].ty, operands[1].ty);
                if !self.program.types.unify(x, y) && !self.program.types.may_agree(x, y) {
                    let (a, b) = (self.show(operands[0].ty), self.show(operands[1].ty));
                    self.error(span, format!("`{}` compares two values of one type, not {a} and {b}", op.spelling()));
                }
                bool_ty
            }
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                self.same_numeric(op, &operands);
                bool_ty
            }
            BinaryOp::Below => {
                if !self.program.types.unify(operands[0].ty, operands[1].ty) {
                    let (a, b) = (self.show(operands[0].ty), self.show(operands[1].ty));
                    self.error(span, format!("`<:` compares two values of one type, not {a} and {b}"));
                }
                bool_ty
            }
            BinaryOp::Concat => {
                let mut width = 0u32;
                for operand in &operands {
                    match self.program.types.view(operand.ty) {
                        Ty::BitVec(w) => width = width.saturating_add(*w),
                        Ty::Error => return self.error_expr(span),
                        _ => {
                            let have = self.show(operand.ty);
                            self.error(operand.span, format!("`++` joins bit vectors, not {have}"));
                            return self.error_expr(span);
                        }
                    }
                }
                if width > crate::parser::MAX_BV_WIDTH {
                    self.error(span, "this bit vector is too wide");
                    return self.error_expr(span);
                }
                self.mk(Ty::BitVec(width))
            }
            BinaryOp::Divide => return self.division(operands, span),
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => self.same_numeric(op, &operands),
            BinaryOp::Div | BinaryOp::Mod => {
                let int = self.mk(Ty::Int);
                for operand in &operands {
                    self.fits(operand, int, &format!("the operand of `{}`", op.spelling()));
                }
                int
            }
            BinaryOp::Pow => {
                let real = self.mk(Ty::Real);
                for operand in &operands {
                    self.fits(operand, real, "the operand of `**`");
                }
                real
            }
        };
        Expr { kind: ExprKind::Binary(op, operands), ty, span }
    }

    /// `a / b / c`, from the left. In Boogie integers are divided as reals.
    fn division(&mut self, operands: Vec<Expr>, span: Span) -> Expr {
        let is_number = |checker: &Self, e: &Expr| matches!(checker.program.types.view(e.ty), Ty::Int | Ty::Real);
        let is_int = |checker: &Self, e: &Expr| matches!(checker.program.types.view(e.ty), Ty::Int);
        if operands.iter().take(2).all(|e| is_int(self, e)) {
            self.integer_division.get_or_insert(span);
        }
        if self.dialect == Dialect::Boogie && operands.iter().all(|e| is_number(self, e)) {
            let real = self.mk(Ty::Real);
            let as_real = |e: Expr, is_int: bool| {
                let span = e.span;
                if is_int { Expr { kind: ExprKind::ToReal(Box::new(e)), ty: real, span } } else { e }
            };
            let operands = operands
                .into_iter()
                .map(|e| {
                    let int = is_int(self, &e);
                    as_real(e, int)
                })
                .collect();
            return Expr { kind: ExprKind::Binary(BinaryOp::Divide, operands), ty: real, span };
        }
        let ty = self.same_numeric(BinaryOp::Divide, &operands);
        Expr { kind: ExprKind::Binary(BinaryOp::Divide, operands), ty, span }
    }

    /// All operands must be of one numeric type, which is returned.
    pub(super) fn same_numeric(&mut self, op: BinaryOp, operands: &[Expr]) -> TyId {
        // A known operand decides before the holes do.
        let decisive = operands
            .iter()
            .find(|e| !matches!(self.program.types.view(e.ty), Ty::Hole(_) | Ty::Error))
            .unwrap_or(&operands[0]);
        if !self.numeric(decisive, op.spelling()) {
            return self.error_ty();
        }
        let ty = decisive.ty;
        for operand in operands {
            self.fits(operand, ty, &format!("the operand of `{}`", op.spelling()));
        }
        ty
    }

    pub(super) fn quantifier(&mut self, q: &ast::Quantifier, span: Span) -> Expr {
        let type_params = self.new_type_params(&q.type_params);
        let depth = self.enter_type_scope(&q.type_params, &type_params);
        let vars = self.signature_vars(&q.vars, VarKind::Bound);
        let names = zip_names(&q.vars, &vars);
        self.enter_scope(&names);
        let triggers: Vec<Vec<Expr>> =
            q.triggers.iter().map(|trigger| trigger.iter().map(|e| self.expr(e)).collect()).collect();
        let body = self.expr(&q.body);
        let ty = match q.kind {
            Binder::Forall | Binder::Exists => {
                let bool_ty = self.mk(Ty::Bool);
                self.fits(&body, bool_ty, "the body of the quantifier");
                bool_ty
            }
            Binder::Lambda => {
                let domain: Vec<TyId> =
                    vars.iter().map(|&v| self.program.types.bind(self.program.vars[v].ty, &type_params)).collect();
                let range = self.program.types.bind(body.ty, &type_params);
                self.mk(Ty::Map { n_params: type_params.len() as u32, domain, range })
            }
        };
        self.scopes.pop();
        self.type_scope.truncate(depth);
        let kind = ExprKind::Quantifier { binder: q.kind, type_params, vars, triggers, body: Box::new(body) };
        Expr { kind, ty, span }
    }
}

/// The widths of significand and exponent at the end of a floating-point literal: the `24e8` of `0x1.8e0f24e8` and
/// `0NaN24e8`.
fn float_format_of(text: &str) -> Option<(u32, u32)> {
    let (rest, exponent) = text.rsplit_once('e')?;
    let digits = rest.len() - rest.bytes().rev().take_while(u8::is_ascii_digit).count();
    Some((rest[digits..].parse().ok()?, exponent.parse().ok()?))
}

/// Whether a decimal numeral is below two to the given power.
fn fits_in_bits(digits: &str, width: u32) -> bool {
    digits.parse::<logic::Rational>().is_ok_and(|n| n < logic::Rational::pow2(width))
}
