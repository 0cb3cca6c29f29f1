//! Expressions to terms, with what they do emitted before them.
//!
//! A value is a pure term over the program's variables *at the point where it is used*. So an operand is
//! copied to a temporary when an operand evaluated after it has side effects. `&&`, `||` and `?:` stay
//! terms when their later operands neither do nor check anything; otherwise they become branches.

use ir::{Subject, Subproperty};
use std::rc::Rc;

use base::Span;
use ir::{InstrKind, Nondet};
use logic::{SortId, TermId};

use super::addresses::PAGE;
use super::alias::NodeId;
use super::int::IntVal;
use super::memory::{Loc, PtrVal};
use super::{Lowerer, R, Val, internal, unsupported};
use crate::hir::*;
use crate::library::{self, Model};
use crate::types::{IntKind, Ty, Type, TypeId, Types};
use crate::visit::{Node, root, walk_stmt};

/// Expressions nest at most this deep.
const MAX_DEPTH: usize = 20_000;

impl Lowerer<'_> {
    /// Evaluates an expression.
    pub fn expr(&mut self, e: &Expr) -> R<Val> {
        self.f.depth += 1;
        if self.f.depth > MAX_DEPTH {
            return unsupported(e.span, "an expression this deep");
        }
        let result = self.expr_inner(e);
        if self.threads.numbers.contains(&std::ptr::from_ref(e)) {
            let what = "the number of a thread";
            self.note_unsound(what, e.span);
            let mark = self.number_temp();
            self.havoc(vec![mark], Nondet::Overapproximation(what.into()), e.span);
        }
        self.f.depth -= 1;
        result
    }

    fn expr_inner(&mut self, e: &Expr) -> R<Val> {
        let span = e.span;
        match &e.kind {
            ExprKind::Int(v) => {
                if self.unit.types.is_pointer(e.ty) {
                    return Ok(self.constant_pointer(*v));
                }
                if self.unit.types.int_kind(e.ty) == Some(IntKind::UInt128) && *v < 0 {
                    let term = self.unsigned_num(*v as u128);
                    return Ok(Val::Int(IntVal { term, lo: 0, hi: i128::MAX }));
                }
                Ok(Val::Int(self.int_const(*v)))
            }
            ExprKind::Float(v) => Ok(self.float_constant(*v, e.ty)),
            ExprKind::Load(place) => {
                if let Some(value) = self.read_of_device(place, span) {
                    return value;
                }
                let loc = self.place(place)?;
                // A variable that is a whole statement, or converted to void, is only named.
                if self.is_discarded(e) && matches!(place.kind, PlaceKind::Var(_)) {
                    let outer = std::mem::replace(&mut self.context.reads_anything, true);
                    let value = self.load(&loc, place.ty, span);
                    self.context.reads_anything = outer;
                    return value;
                }
                let value = self.load(&loc, place.ty, span)?;
                if self.is_behind_device(place) {
                    return self.value_of_device(place, span);
                }
                Ok(value)
            }
            // The address of what a pointer points to is the pointer, null or not (C11 6.5.3.2p3).
            ExprKind::AddrOf(place) if self.mode.check_null && matches!(place.kind, PlaceKind::Deref(_)) => {
                match &place.kind {
                    PlaceKind::Deref(pointer) => self.expr(pointer),
                    _ => internal(span, "no dereference"),
                }
            }
            ExprKind::AddrOf(place) => {
                self.note_named_device(place, span);
                self.context.is_address = true;
                let loc = self.place(place)?;
                Ok(Val::Ptr(self.address(&loc, span)?))
            }
            ExprKind::Func(func) => {
                let function = &self.unit.funcs[*func];
                if function.is_weak && function.body.is_none() {
                    return unsupported(span, "the address of a weak function without body");
                }
                let address = self.function_address(*func);
                Ok(self.constant_pointer(address))
            }
            ExprKind::LabelAddr(label) => Ok(self.label_address(*label)),
            ExprKind::Unary(op, a) => {
                let value = self.expr(a)?;
                let Some(kind) = self.unit.types.int_kind(e.ty) else {
                    return match op {
                        UnOp::Neg => self.float_negate(&value, e.ty, span),
                        UnOp::BitNot => self.float_result(e.ty, span),
                    };
                };
                let v = self.int_of(&value);
                Ok(Val::Int(match op {
                    UnOp::Neg => self.negate(v, kind, span),
                    UnOp::BitNot => self.bit_not(v, kind),
                }))
            }
            ExprKind::Not(a) => {
                let truth = self.condition(a)?;
                Ok(Val::Bool(self.pool.not(truth)))
            }
            ExprKind::Binary(op, a, b) => {
                let types = &self.unit.types;
                let bare = self.context.bare_addresses || self.holders.is_the_same_everywhere(types, *op, a, b);
                let outer = std::mem::replace(&mut self.context.bare_addresses, bare);
                let operands = self.pair(a, b);
                self.context.bare_addresses = outer;
                let (a, b) = operands?;
                self.binary(*op, &a, &b, e.ty, span)
            }
            ExprKind::Compare(op, a, b) => {
                let ty = a.ty;
                let bare = matches!(op, CmpOp::Eq | CmpOp::Ne) && self.are_object_numbers(a, b)
                    || self.compares_with_no_address(a, b)
                    || self.compares_with_no_address(b, a)
                    || self.holders.compares_the_same_everywhere(&self.unit.types, *op, a, b);
                let outer = std::mem::replace(&mut self.context.bare_addresses, bare);
                self.context.only_sign = matches!(b.kind, ExprKind::Int(0)) && is_call(a);
                let operands = self.pair(a, b);
                self.context.bare_addresses = outer;
                if !matches!(op, CmpOp::Eq | CmpOp::Ne) {
                    self.in_one_object(a, b, span);
                }
                let may_be_unset = self.alias.may_be_unset(a) || self.alias.may_be_unset(b);
                let (x, y) = operands?;
                if may_be_unset {
                    self.same_address_same_object(&x, &y, span);
                }
                if matches!(op, CmpOp::Eq | CmpOp::Ne)
                    && (bare || self.holders.makes_numbers || self.unit.types.is_pointer(ty))
                {
                    let Val::Bool(equal) = self.compare(CmpOp::Eq, &x, &y, ty, span)? else {
                        return internal(span, "a comparison");
                    };
                    let equal = self.equality(equal, (a, &x), (b, &y), span);
                    return Ok(Val::Bool(if *op == CmpOp::Eq { equal } else { self.pool.not(equal) }));
                }
                self.compare(*op, &x, &y, ty, span)
            }
            ExprKind::LogAnd(a, b) => self.logical(true, a, b, span),
            ExprKind::LogOr(a, b) => self.logical(false, a, b, span),
            ExprKind::Cond(c, a, b) => {
                let truth = self.condition(c)?;
                self.choose(truth, c.span, e.ty, |s| s.expr(a), |s| s.expr(b), span)
            }
            ExprKind::Elvis { value, var, then, otherwise } => {
                let first = self.expr(value)?;
                let ty = self.unit.vars[*var].ty;
                let loc = self.var_loc(*var, span)?;
                self.store(&loc, ty, &first, span)?;
                let first = self.load(&loc, ty, span)?;
                let truth = self.truth(&first, ty.id, span)?;
                self.choose(truth, value.span, e.ty, |s| s.expr(then), |s| s.expr(otherwise), span)
            }
            ExprKind::Comma(a, b) => {
                self.expr(a)?;
                self.expr(b)
            }
            ExprKind::PtrAdd { ptr, index, size, negative } => {
                let is_accessed = std::mem::take(&mut self.context.is_accessed);
                let (p, i) = self.pair(ptr, index)?;
                if let (true, Val::Ptr(p)) = (is_accessed, &p) {
                    self.check_not_null(*p, span);
                }
                let size = self.expr(size)?;
                let object = self.alias.value(ptr);
                self.note_step(object, ptr.ty, span);
                Ok(Val::Ptr(self.offset_pointer(&p, &i, &size, *negative, span)?))
            }
            ExprKind::PtrDiff { left, right, size } => {
                self.in_one_object(left, right, span);
                self.note_difference_from_null(left, right, span);
                self.note_difference_from_null(right, left, span);
                let (a, b) = self.pair(left, right)?;
                let size = self.expr(size)?;
                let size = self.int_of(&size);
                let (Val::Ptr(a), Val::Ptr(b)) = (a, b) else { return unsupported(span, "a pointer difference") };
                let difference = self.minus(a.addr, b.addr);
                let term =
                    if size.lo == 1 && size.hi == 1 { difference } else { self.exact_quotient(difference, size.term) };
                let kind = self.unit.types.int_kind(e.ty).unwrap_or(IntKind::Long);
                let (lo, hi) = self.unit.types.int_range(kind);
                // Pointers into one object differ by less than half the address space.
                let fact = self.in_range(term, lo, hi);
                self.assume_undefined(fact, span);
                Ok(Val::Int(IntVal { term, lo, hi }))
            }
            ExprKind::Assign(place, value) => self.assignment(place, value, span),
            ExprKind::CompoundAssign { op, place, rhs, compute } => {
                self.note_constant_target(place, span);
                self.note_device(place, span);
                let mut rhs_value = self.expr(rhs)?;
                if place_has_effects(place) {
                    rhs_value = self.snapshot(rhs_value, span);
                }
                let loc = self.place(place)?;
                let is_atomic = place.ty.quals.is_atomic;
                if is_atomic {
                    self.begin_atomic(span);
                }
                let old = self.load(&loc, place.ty, span)?;
                let old = self.convert(&old, place.ty.id, *compute, span)?;
                let new = self.binary(*op, &old, &rhs_value, *compute, span)?;
                let new = self.convert(&new, *compute, place.ty.id, span)?;
                let result = self.store_and_reload(&loc, place.ty, new, span)?;
                if is_atomic {
                    self.end_atomic(span);
                }
                Ok(result)
            }
            ExprKind::PtrAssign { place, index, size, negative } => {
                let mut index = self.expr(index)?;
                if place_has_effects(place) {
                    index = self.snapshot(index, span);
                }
                let size = self.expr(size)?;
                let loc = self.place(place)?;
                let old = self.load(&loc, place.ty, span)?;
                self.note_step_of(place, span);
                let new = self.offset_pointer(&old, &index, &size, *negative, span)?;
                self.store_and_reload(&loc, place.ty, Val::Ptr(new), span)
            }
            ExprKind::IncDec { place, increment, prefix, size } => {
                self.note_constant_target(place, span);
                self.note_device(place, span);
                self.note_step_of(place, span);
                self.inc_dec(place, *increment, *prefix, size.as_deref(), span)
            }
            ExprKind::Call { callee, args } => self.call(e, callee, args),
            ExprKind::Convert(inner) => {
                if e.ty == TypeId::BOOL
                    && let Some(truth) = self.truth_of_any_pointer(inner)
                {
                    return truth;
                }
                let value = self.expr(inner)?;
                let from_int = self.unit.types.is_pointer(e.ty) && !self.unit.types.is_pointer(inner.ty);
                if self.mode.check_memsafety && from_int && self.comes_from_outside(inner) {
                    // As for functions without body that are declared to return pointers.
                    let what = "the pointer that a function without body returns as an integer";
                    let mark = self.number_temp();
                    self.havoc(vec![mark], Nondet::Overapproximation(what.into()), span);
                    self.note_imprecise(what, span);
                }
                let outer = std::mem::replace(&mut self.context.names_object, names_object(inner));
                let bare = self.context.bare_addresses || self.looks_at_no_address(inner, e.ty);
                let outer_bare = std::mem::replace(&mut self.context.bare_addresses, bare);
                let result = self.convert(&value, inner.ty, e.ty, span);
                self.context.bare_addresses = outer_bare;
                self.context.names_object = outer;
                match (result?, self.held_base(inner)) {
                    (Val::Ptr(p), Some(base)) => Ok(Val::Ptr(PtrVal { base: Some(base), ..p })),
                    (result, _) => Ok(result),
                }
            }
            ExprKind::StmtExpr(stmts, value) => {
                self.open_scope();
                self.begin_objects(stmts, span)?;
                self.stmts(stmts);
                let value = match value {
                    Some(value) => self.expr(value)?,
                    None => Val::Void,
                };
                // The block's objects die here, the value must not change with them.
                let value = self.snapshot(value, span);
                self.close_scope(span);
                Ok(value)
            }
            ExprKind::VaArg(list) => self.va_arg(list, e.ty, span),
            ExprKind::VaCopy(to, from) => self.va_copy(to, from, span),
            ExprKind::VaStart(list) => self.va_start(list, span),
            ExprKind::VaEnd(_) => Ok(Val::Void),
        }
    }

    /// How far a pointer is from null is the number of its address.
    fn note_difference_from_null(&mut self, pointer: &Expr, null: &Expr, span: Span) {
        if matches!(null.without_conversions().kind, ExprKind::Int(_))
            && self.alias.value(pointer).is_some_and(|node| !self.alias.holds_only_numbers(node))
        {
            self.note_unsound("the numerical value of an address", span);
        }
    }

    /// A pointer is moved.
    fn note_step(&mut self, object: Option<NodeId>, pointer: TypeId, span: Span) {
        let (Some(object), Some(pointee)) = (object, self.unit.types.pointee(pointer)) else { return };
        if !self.unit.funcs[self.alias.current].is_library && self.alias.may_leave_member(object, pointee.id) {
            self.note_assumption_once("a pointer to a member of a record stays inside that member (C11 6.5.6p8)", span);
        }
    }

    fn note_step_of(&mut self, pointer: &Place, span: Span) {
        let node = self.alias.place(pointer);
        let object = self.alias.pointed_to(node);
        self.note_step(object, pointer.ty.id, span);
    }

    /// A pointer becomes a number that is not the address of an object, or of which the program only uses the tag bits.
    fn looks_at_no_address(&mut self, pointer: &Expr, to: TypeId) -> bool {
        if !self.unit.types.is_pointer(pointer.ty) || self.unit.types.int_kind(to).is_none() || to == TypeId::BOOL {
            return false;
        }
        if self.alias.value(pointer).is_some_and(|node| self.alias.holds_only_numbers(node)) {
            return true;
        }
        let is_known = self.memory.only_tags;
        let only_tags = is_known.unwrap_or_else(|| {
            let current = self.alias.current;
            let functions: Vec<FuncId> = self.reach.functions.clone();
            let only_tags =
                super::tags::only_tags(self.unit, &mut self.alias, &self.holders, &functions, &self.entries);
            self.alias.current = current;
            only_tags
        });
        self.memory.only_tags = Some(only_tags);
        let is_wide = |ty: TypeId| self.unit.types.size_of(ty) >= Some(self.unit.types.pointer_size());
        only_tags && is_wide(to)
    }

    /// An uninitialised pointer that has the address of an object points into that object. (No two objects share an
    /// address.)
    fn same_address_same_object(&mut self, a: &Val, b: &Val, span: Span) {
        let (Val::Ptr(a), Val::Ptr(b)) = (a, b) else { return };
        let (Some(a_base), Some(b_base)) = (a.base, b.base) else { return };
        let zero = self.num(0);
        let (same, is_null) = (self.pool.eq(a.addr, b.addr), self.pool.eq(a.addr, zero));
        let (other, same_object) = (self.pool.not(same), self.pool.eq(a_base, b_base));
        let fact = self.pool.or(&[other, is_null, same_object]);
        self.assume_fact(fact, span);
    }

    /// Is the value what a function without body returns, perhaps converted?
    fn comes_from_outside(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Call { callee: Callee::Direct(f), .. } => {
                let function = &self.unit.funcs[*f];
                // An input is just any number.
                function.body.is_none() && !function.name.starts_with("__VERIFIER_nondet_")
            }
            ExprKind::Convert(inner) => self.comes_from_outside(inner),
            _ => false,
        }
    }

    pub fn constant_pointer(&mut self, address: i128) -> Val {
        let addr = self.num(address);
        // A number made into a pointer points into no object.
        let base = self.mode.check_memsafety.then(|| self.num(0));
        Val::Ptr(PtrVal { addr, base })
    }

    /// Declares a variable that holds an address whose number does not matter, with what the address points into.
    pub fn hold(&mut self, pointer: &Expr, var: VarId, span: Span) -> R<()> {
        if self.mode.check_memsafety
            && let Val::Ptr(PtrVal { base: Some(base), .. }) = self.expr(pointer)?
        {
            let held = match self.memory.held_bases.get(&var) {
                Some(&held) => held,
                None => {
                    let name = format!("#base of {}", self.unit.vars[var].name);
                    let held = self.local_var(&name, self.word.sort, Span::NONE);
                    self.memory.held_bases.insert(var, held);
                    held
                }
            };
            self.assign(held, base, span);
        }
        Ok(())
    }

    /// What the address in such a variable points into.
    fn held_base(&self, e: &Expr) -> Option<TermId> {
        let var = self.holders.holder(e)?;
        self.memory.held_bases.get(&var).map(|&held| self.program.term(held))
    }

    /// Is an address compared, as a number, with one that no object ever has: null, or one of the last page? The
    /// outcome is the same wherever objects lie.
    fn compares_with_no_address(&self, address: &Expr, number: &Expr) -> bool {
        let ExprKind::Convert(pointer) = &address.kind else { return false };
        let (Some(kind), ExprKind::Int(n)) = (self.unit.types.int_kind(address.ty), &number.kind) else { return false };
        let size = self.unit.types.pointer_size();
        let top = 1i128 << (8 * size);
        self.unit.types.is_pointer(pointer.ty)
            && matches!(pointer.kind, ExprKind::Load(_) | ExprKind::AddrOf(_))
            && !kind.is_signed()
            && self.unit.types.int_size(kind) == size
            && (*n == 0 || *n >= top - 4097)
    }

    /// Evaluates two operands from left to right.
    fn pair(&mut self, a: &Expr, b: &Expr) -> R<(Val, Val)> {
        let mut left = self.expr(a)?;
        if has_effects(b) {
            left = self.snapshot(left, a.span);
        }
        let right = self.expr(b)?;
        Ok((left, right))
    }

    /// Copies a value to temporaries, so that later changes do not reach it.
    pub fn snapshot(&mut self, value: Val, span: Span) -> Val {
        match value {
            Val::Int(v) => Val::Int(IntVal { term: self.copy_term(v.term, span), ..v }),
            Val::Bool(b) => {
                if self.pool.is_value(b) {
                    return Val::Bool(b);
                }
                let var = self.temp(SortId::BOOL);
                self.assign_temp(var, b, span);
                Val::Bool(self.program.term(var))
            }
            Val::Ptr(p) => {
                let addr = self.copy_term(p.addr, span);
                // Objects outside memory safety have their base equal to their address.
                let base = p.base.map(|b| if b == p.addr { addr } else { self.copy_term(b, span) });
                Val::Ptr(PtrVal { addr, base })
            }
            Val::Float(t) => Val::Float(self.copy_term(t, span)),
            Val::Record(values) => {
                let copies = values.iter().map(|v| self.snapshot(v.clone(), span)).collect();
                Val::Record(Rc::new(copies))
            }
            Val::Void => Val::Void,
        }
    }

    pub fn copy_term(&mut self, term: TermId, span: Span) -> TermId {
        if self.pool.is_value(term) {
            return term;
        }
        let var = self.number_temp();
        self.assign_temp(var, term, span);
        self.program.term(var)
    }

    // ----- truth -----

    pub fn truth(&mut self, value: &Val, ty: TypeId, span: Span) -> R<TermId> {
        Ok(match value {
            Val::Bool(b) => *b,
            Val::Int(v) => {
                let zero = self.num(0);
                let is_zero = self.pool.eq(v.term, zero);
                self.pool.not(is_zero)
            }
            Val::Ptr(p) => {
                let zero = self.num(0);
                let is_null = self.pool.eq(p.addr, zero);
                self.pool.not(is_null)
            }
            Val::Float(_) => match self.float_truth(value, ty) {
                Some(truth) => truth,
                None => self.unknown_truth("a floating number as a condition", span),
            },
            Val::Record(_) | Val::Void => return unsupported(span, "a condition that is not a scalar"),
        })
    }

    fn unknown_truth(&mut self, what: &str, span: Span) -> TermId {
        let var = self.temp(SortId::BOOL);
        self.havoc(vec![var], Nondet::Inexact(what.to_string()), span);
        self.note_imprecise(what, span);
        self.program.term(var)
    }

    pub fn condition(&mut self, e: &Expr) -> R<TermId> {
        self.context.only_sign = is_call(e);
        let value = self.expr(e)?;
        self.truth(&value, e.ty, e.span)
    }

    fn logical(&mut self, and: bool, a: &Expr, b: &Expr, span: Span) -> R<Val> {
        let left = self.condition(a)?;
        let value = self.choose(
            left,
            a.span,
            TypeId::INT,
            |s| if and { Ok(Val::Bool(s.condition(b)?)) } else { Ok(Val::Bool(TermId::TRUE)) },
            |s| if and { Ok(Val::Bool(TermId::FALSE)) } else { Ok(Val::Bool(s.condition(b)?)) },
            span,
        )?;
        Ok(value)
    }

    /// A choice between two values: a term if both sides only compute, otherwise a branch.
    fn choose(
        &mut self,
        condition: TermId,
        condition_span: Span,
        ty: TypeId,
        then: impl Fn(&mut Self) -> R<Val>,
        otherwise: impl Fn(&mut Self) -> R<Val>,
        span: Span,
    ) -> R<Val> {
        if condition == TermId::TRUE {
            return then(self);
        }
        if condition == TermId::FALSE {
            return otherwise(self);
        }
        // Try without a branch. Inside a trial the first effect ends the trial, so that nested
        // choices are not tried again and again.
        let (n_instrs, n_effects, n_labels) = (self.f.body.instrs.len(), self.f.n_effects, self.f.body.n_labels);
        let (n_scopes, depth) = (self.f.scopes.len(), self.f.depth);
        let n_jumps = self.f.lifetimes.n_jumps();
        let outer_trial = std::mem::replace(&mut self.f.trial, true);
        let a = then(self);
        let b = if self.f.n_effects == n_effects && a.is_ok() { otherwise(self) } else { unsupported(span, "") };
        self.f.trial = outer_trial;
        if self.f.n_effects == n_effects
            && let (Ok(a), Ok(b)) = (a, b)
            && let Some(value) = self.merge(condition, &a, &b)
        {
            return Ok(value);
        }
        self.f.body.instrs.truncate(n_instrs);
        self.f.body.n_labels = n_labels;
        self.f.n_effects = n_effects;
        self.f.scopes.truncate(n_scopes);
        self.f.lifetimes.forget_jumps(n_jumps);
        self.f.depth = depth;
        if outer_trial {
            self.f.n_effects += 1;
            return unsupported(span, "");
        }

        let condition = match self.snapshot(Val::Bool(condition), span) {
            Val::Bool(c) => c,
            _ => condition,
        };
        let end = self.new_label();
        let no = self.branch(condition, condition_span);
        let a = then(self)?;
        let targets = self.result_temps(ty, &a);
        self.assign_result(&targets, &a, span);
        self.jump(vec![end], span);
        self.otherwise(no, condition, condition_span);
        let b = otherwise(self)?;
        self.assign_result(&targets, &b, span);
        self.place_label(end, span);
        Ok(self.value_of_temps(&targets))
    }

    pub fn merge(&mut self, c: TermId, a: &Val, b: &Val) -> Option<Val> {
        Some(match (a, b) {
            (Val::Bool(x), Val::Bool(y)) => Val::Bool(self.pool.ite(c, *x, *y)),
            (Val::Int(_) | Val::Bool(_), Val::Int(_) | Val::Bool(_)) => {
                let (x, y) = (self.int_of(a), self.int_of(b));
                let term = self.pool.ite(c, x.term, y.term);
                Val::Int(IntVal { term, lo: x.lo.min(y.lo), hi: x.hi.max(y.hi) })
            }
            (Val::Ptr(x), Val::Ptr(y)) => {
                let addr = self.pool.ite(c, x.addr, y.addr);
                let base = match (x.base, y.base) {
                    (Some(p), Some(q)) => Some(self.pool.ite(c, p, q)),
                    _ => None,
                };
                Val::Ptr(PtrVal { addr, base })
            }
            (Val::Float(x), Val::Float(y)) => Val::Float(self.pool.ite(c, *x, *y)),
            (Val::Void, Val::Void) => Val::Void,
            (Val::Record(x), Val::Record(y)) if x.len() == y.len() => {
                let mut merged = Vec::with_capacity(x.len());
                for (p, q) in x.iter().zip(y.iter()) {
                    merged.push(self.merge(c, p, q)?);
                }
                Val::Record(Rc::new(merged))
            }
            _ => return None,
        })
    }

    /// Temporaries of the shape of a value.
    fn result_temps(&mut self, ty: TypeId, like: &Val) -> ResultTemps {
        match like {
            Val::Void => ResultTemps::Void,
            Val::Bool(_) if ty == TypeId::INT => ResultTemps::Bool(self.temp(SortId::BOOL)),
            Val::Bool(_) | Val::Int(_) => {
                let kind = self.unit.types.int_kind(ty).unwrap_or(IntKind::Int);
                ResultTemps::Int(self.number_temp(), kind)
            }
            Val::Ptr(p) => {
                let addr = self.number_temp();
                let base = p.base.map(|_| self.number_temp());
                ResultTemps::Ptr(addr, base)
            }
            Val::Float(_) => ResultTemps::Float(self.number_temp()),
            Val::Record(values) => {
                let scalars = self.scalars(ty).unwrap_or_default();
                let parts = values
                    .iter()
                    .enumerate()
                    .map(|(i, v)| {
                        let ty = scalars.get(i).map_or(TypeId::INT, |s| s.1.id);
                        self.result_temps(ty, v)
                    })
                    .collect();
                ResultTemps::Record(parts)
            }
        }
    }

    fn assign_result(&mut self, targets: &ResultTemps, value: &Val, span: Span) {
        match (targets, value) {
            (ResultTemps::Void, _) => {}
            (ResultTemps::Bool(var), Val::Bool(b)) => self.emit_hidden(assign(*var, *b), span),
            (ResultTemps::Bool(var), other) => {
                let v = self.int_of(other);
                let zero = self.num(0);
                let is_zero = self.pool.eq(v.term, zero);
                let truth = self.pool.not(is_zero);
                self.emit_hidden(assign(*var, truth), span);
            }
            (ResultTemps::Int(var, _), other) => {
                let v = self.int_of(other);
                self.emit_hidden(assign(*var, v.term), span);
            }
            (ResultTemps::Ptr(var, base_var), Val::Ptr(p)) => {
                let mut list = vec![(*var, p.addr)];
                if let (Some(b), Some(t)) = (base_var, p.base) {
                    list.push((*b, t));
                }
                self.emit_hidden(InstrKind::Stmt(ir::Stmt::Assign(list)), span);
            }
            (ResultTemps::Float(var), Val::Float(t)) => self.emit_hidden(assign(*var, *t), span),
            (ResultTemps::Record(parts), Val::Record(values)) => {
                for (part, value) in parts.iter().zip(values.iter()) {
                    self.assign_result(part, value, span);
                }
            }
            (ResultTemps::Ptr(..) | ResultTemps::Float(_) | ResultTemps::Record(_), _) => {}
        }
    }

    fn value_of_temps(&mut self, targets: &ResultTemps) -> Val {
        match targets {
            ResultTemps::Void => Val::Void,
            ResultTemps::Bool(var) => Val::Bool(self.program.term(*var)),
            ResultTemps::Int(var, kind) => {
                let (lo, hi) = self.unit.types.int_range(*kind);
                Val::Int(IntVal { term: self.program.term(*var), lo, hi })
            }
            ResultTemps::Ptr(addr, base) => {
                let base = base.map(|b| self.program.term(b));
                Val::Ptr(PtrVal { addr: self.program.term(*addr), base })
            }
            ResultTemps::Float(var) => Val::Float(self.program.term(*var)),
            ResultTemps::Record(parts) => {
                let values = parts.iter().map(|p| self.value_of_temps(p)).collect();
                Val::Record(Rc::new(values))
            }
        }
    }

    // ----- arithmetic -----

    fn binary(&mut self, op: BinOp, a: &Val, b: &Val, ty: TypeId, span: Span) -> R<Val> {
        match self.unit.types.int_kind(ty) {
            Some(kind) => {
                let (a, b) = (self.int_of(a), self.int_of(b));
                Ok(Val::Int(self.arith(op, a, b, kind, span)?))
            }
            None => self.float_binary(op, a, b, ty, span),
        }
    }

    fn compare(&mut self, op: CmpOp, a: &Val, b: &Val, ty: TypeId, span: Span) -> R<Val> {
        if self.unit.types.is_float(ty) {
            if let Some(truth) = self.float_compare(op, a, b, ty) {
                return Ok(Val::Bool(truth));
            }
            return Ok(Val::Bool(self.unknown_truth("comparison of floating numbers", span)));
        }
        // Comparing truth values with 0 and 1 keeps them truth values.
        if let (Val::Bool(t), Val::Int(c)) | (Val::Int(c), Val::Bool(t)) = (a, b)
            && c.lo == c.hi
            && matches!(op, CmpOp::Eq | CmpOp::Ne)
            && (c.lo == 0 || c.lo == 1)
        {
            let same = (c.lo == 1) == (op == CmpOp::Eq);
            return Ok(Val::Bool(if same { *t } else { self.pool.not(*t) }));
        }
        let (x, y) = match (a, b) {
            (Val::Ptr(p), Val::Ptr(q)) => (p.addr, q.addr),
            _ => {
                let (x, y) = (self.int_of(a), self.int_of(b));
                // Intervals may decide, if they are bounds.
                let is_bounded = |v: IntVal| v.lo > i128::MIN && v.hi < i128::MAX;
                let decides = is_bounded(x) && is_bounded(y);
                match op {
                    _ if !decides => {}
                    CmpOp::Lt if x.hi < y.lo => return Ok(Val::Bool(TermId::TRUE)),
                    CmpOp::Lt if x.lo >= y.hi => return Ok(Val::Bool(TermId::FALSE)),
                    CmpOp::Le if x.hi <= y.lo => return Ok(Val::Bool(TermId::TRUE)),
                    CmpOp::Le if x.lo > y.hi => return Ok(Val::Bool(TermId::FALSE)),
                    CmpOp::Gt if x.lo > y.hi => return Ok(Val::Bool(TermId::TRUE)),
                    CmpOp::Gt if x.hi <= y.lo => return Ok(Val::Bool(TermId::FALSE)),
                    CmpOp::Ge if x.lo >= y.hi => return Ok(Val::Bool(TermId::TRUE)),
                    CmpOp::Ge if x.hi < y.lo => return Ok(Val::Bool(TermId::FALSE)),
                    CmpOp::Eq if x.hi < y.lo || x.lo > y.hi => return Ok(Val::Bool(TermId::FALSE)),
                    CmpOp::Ne if x.hi < y.lo || x.lo > y.hi => return Ok(Val::Bool(TermId::TRUE)),
                    _ => {}
                }
                (x.term, y.term)
            }
        };
        Ok(Val::Bool(match op {
            CmpOp::Lt => self.lt(x, y),
            CmpOp::Le => self.le(x, y),
            CmpOp::Gt => self.gt(x, y),
            CmpOp::Ge => self.ge(x, y),
            CmpOp::Eq => self.pool.eq(x, y),
            CmpOp::Ne => {
                let equal = self.pool.eq(x, y);
                self.pool.not(equal)
            }
        }))
    }

    fn offset_pointer(&mut self, p: &Val, index: &Val, size: &Val, negative: bool, span: Span) -> R<PtrVal> {
        let Val::Ptr(p) = p else { return unsupported(span, "pointer arithmetic on no pointer") };
        let (index, size) = (self.int_of(index), self.int_of(size));
        let offset = self.mul2(index.term, size.term);
        let addr = if negative { self.minus(p.addr, offset) } else { self.add2(p.addr, offset) };
        let moved = PtrVal { addr, base: p.base };
        if self.mode.check_null {
            // Undefined (C11 6.5.6p8), though nothing is accessed yet; what is made of null is followed no further.
            let (exists, zero) = (self.is_not_null(*p), self.num(0));
            let stays = self.pool.eq(offset, zero);
            let fine = self.pool.or2(exists, stays);
            let message = "a null pointer may be moved";
            self.check_inexactly(fine, Subproperty::NoNullDereference, message, span);
        }
        if self.mode.check_pointers {
            let nothing = self.num(0);
            self.check_access(moved, nothing, span);
        }
        Ok(moved)
    }

    /// Converts a value between scalar types.
    pub fn convert(&mut self, value: &Val, from: TypeId, to: TypeId, span: Span) -> R<Val> {
        if to == TypeId::VOID {
            return Ok(Val::Void);
        }
        if from == to {
            return Ok(value.clone());
        }
        let types = &self.unit.types;
        match (types.get(from).clone(), types.get(to).clone()) {
            (Type::Int(_), Type::Int(IntKind::Bool)) => Ok(Val::Bool(self.truth(value, from, span)?)),
            (Type::Int(_), Type::Int(kind)) => {
                if let Val::Bool(b) = value {
                    return Ok(Val::Bool(*b));
                }
                let v = self.int_of(value);
                Ok(Val::Int(self.wrap(v, kind)))
            }
            (Type::Pointer(_), Type::Int(IntKind::Bool)) => Ok(Val::Bool(self.truth(value, from, span)?)),
            (Type::Pointer(_), Type::Int(kind)) => {
                let Val::Ptr(p) = value else { return internal(span, "no pointer") };
                let wide_enough = self.unit.types.int_size(kind) >= self.unit.types.pointer_size();
                // The addresses of objects are chosen by the model; a program that depends on them could see others. A
                // number that is too small to be made a pointer again may just as well be anything.
                let is_number = self.pool.is_value(p.addr) && !self.context.names_object;
                if !is_number && !self.context.bare_addresses {
                    let what = super::ADDRESS_NUMBER;
                    if !wide_enough {
                        self.note_imprecise(what, span);
                        return self.arbitrary(to, Nondet::Inexact(what.into()), span);
                    }
                    if self.holders.looks_for_pages {
                        return self.number_or_address(*p, to, span);
                    }
                    self.note_unsound_kind(ir::RemarkKind::AddressNumber, what, span);
                }
                let v = IntVal { term: p.addr, lo: 0, hi: i128::MAX };
                let (lo, hi) = self.unit.types.int_range(kind);
                let number = match wide_enough && !kind.is_signed() {
                    true => IntVal { term: v.term, lo, hi },
                    false => self.wrap(v, kind),
                };
                if is_number || self.context.bare_addresses {
                    return Ok(Val::Int(number));
                }
                let marked = self.number_temp();
                self.f.n_effects += 1;
                self.f.body.push_noted(assign(marked, number.term), span, ir::Note::Layout);
                Ok(Val::Int(IntVal { term: self.program.term(marked), ..number }))
            }
            (Type::Int(_), Type::Pointer(_)) => {
                let v = self.int_of(value);
                let unsigned = if self.unit.types.pointer_size() == 4 { IntKind::UInt } else { IntKind::ULongLong };
                let v = self.wrap(v, unsigned);
                if v.lo == v.hi {
                    return Ok(self.constant_pointer(v.lo));
                }
                let base = if self.mode.check_memsafety {
                    let unknown = self.num(-1);
                    Some(self.resolve_base(v.term, unknown, span))
                } else {
                    None
                };
                Ok(Val::Ptr(PtrVal { addr: v.term, base }))
            }
            (Type::Pointer(_), Type::Pointer(_)) => Ok(value.clone()),
            (Type::Float(_), Type::Int(IntKind::Bool)) => Ok(Val::Bool(self.truth(value, from, span)?)),
            (Type::Float(_), _) | (_, Type::Float(_)) => self.float_convert(value, from, to, span),
            (Type::VaList, Type::VaList) => Ok(value.clone()),
            _ => unsupported(span, "this conversion"),
        }
    }

    /// The integer that a pointer is, in programs that ask whether a pointer was made of a small number: that number,
    /// or any one but null and those of the last page, where no object lies.
    fn number_or_address(&mut self, p: PtrVal, to: TypeId, span: Span) -> R<Val> {
        let Some(kind) = self.unit.types.int_kind(to) else { return internal(span, "no integer") };
        let unsigned = if self.unit.types.pointer_size() == 4 { IntKind::UInt } else { IntKind::ULongLong };
        let (_, max) = self.unit.types.int_range(unsigned);
        let Val::Ptr(p) = self.snapshot(Val::Ptr(p), span) else { return internal(span, "pointer") };
        let is_address = self.in_range(p.addr, PAGE, max - PAGE);
        let result = self.number_temp();
        let no = self.branch_hidden(is_address, span);
        self.note_imprecise(super::ADDRESS_NUMBER, span);
        self.havoc(vec![result], Nondet::Inexact(super::ADDRESS_NUMBER.into()), span);
        let term = self.program.term(result);
        let fact = self.in_range(term, 1, max - PAGE);
        self.assume_fact(fact, span);
        let end = self.new_label();
        self.jump(vec![end], span);
        self.otherwise_hidden(no, is_address, span);
        self.assign_temp(result, p.addr, span);
        self.place_label(end, span);
        Ok(Val::Int(self.wrap(IntVal { term, lo: 0, hi: max }, kind)))
    }

    // ----- places -----

    pub fn place(&mut self, place: &Place) -> R<Loc> {
        let span = place.span;
        let is_address = std::mem::take(&mut self.context.is_address);
        match &place.kind {
            PlaceKind::Var(var) => self.var_loc(*var, span),
            PlaceKind::Deref(pointer) => {
                self.context.is_accessed = self.mode.check_null && is_moved(pointer);
                let value = self.expr(pointer)?;
                self.context.is_accessed = false;
                let Val::Ptr(ptr) = value else { return unsupported(span, "a dereference of no pointer") };
                self.check_not_null(ptr, span);
                let node = match self.alias.value(pointer) {
                    Some(node) => node,
                    None => self.alias.place(place),
                };
                if self.alias.is_made_of_numbers(node) && !self.unit.funcs[self.alias.current].is_library {
                    let what = "what lies at an address that is made of a number";
                    self.note_unsound(what, span);
                    let mark = self.number_temp();
                    self.havoc(vec![mark], Nondet::Overapproximation(what.into()), span);
                }
                Ok(self.deref_loc(ptr, node, place.ty.id))
            }
            PlaceKind::Field(base, index) => {
                let loc = self.place(base)?;
                Ok(self.field_loc(loc, base.ty.id, *index, span)?.0)
            }
            PlaceKind::Index(base, index) => {
                let mut loc = self.place(base)?;
                if has_effects(index) {
                    loc = self.fix_terms(loc, span);
                }
                let index = self.expr(index)?;
                let index = self.int_of(&index);
                if self.mode.check_arrays && !self.context.in_note && !self.context.unchecked_access {
                    self.check_index(base, index, is_address, span)?;
                }
                Ok(self.index_loc(loc, base.ty.id, index, span)?.0)
            }
            PlaceKind::Temp(e) => {
                let value = self.expr(e)?;
                let value = self.snapshot(value, span);
                match value {
                    Val::Record(values) => Ok(Loc::Value { value: values, ty: e.ty, path: Vec::new() }),
                    _ => unsupported(span, "a member of no record"),
                }
            }
            PlaceKind::Compound(var, init) => {
                if self.in_memory(*var) {
                    self.allocate_literal(*var, span)?;
                }
                self.initialise(*var, init, false, span)?;
                self.var_loc(*var, span)
            }
        }
    }

    /// An index of an array that is a part of something larger (C11 6.5.6p8): what lies behind the array is no part of
    /// it. Arrays at the end of what a pointer points to may stand for longer ones.
    fn check_index(&mut self, array: &Place, index: IntVal, is_address: bool, span: Span) -> R<()> {
        if matches!(array.kind, PlaceKind::Var(_) | PlaceKind::Compound(..))
            || matches!(array.kind, PlaceKind::Field(..)) && is_trailing(array, &self.unit.types)
            || self.unit.funcs[self.alias.current].is_library
        {
            return Ok(());
        }
        let Some(length) = self.array_length(array.ty.id, span)? else { return Ok(()) };
        let zero = self.num(0);
        let above = self.le(zero, index.term);
        let below = if is_address { self.le(index.term, length) } else { self.lt(index.term, length) };
        let inside = self.pool.and2(above, below);
        let subject = Subject::Index { index: index.term, length };
        let message = "the array index may be out of bounds".to_string();
        self.check_about(inside, Subproperty::ValidDeref, message, subject, span);
        Ok(())
    }

    /// Copies the terms of a location, as an index to be evaluated may change them.
    fn fix_terms(&mut self, loc: Loc, span: Span) -> Loc {
        match loc {
            Loc::Plain { var, path, index, bits } => {
                let index = index.map(|i| self.copy_term(i, span));
                Loc::Plain { var, path, index, bits }
            }
            Loc::Mem { ptr, node, position, bits } => match self.snapshot(Val::Ptr(ptr), span) {
                Val::Ptr(ptr) => {
                    let position = position.map(|p| self.fix_position(p, span));
                    Loc::Mem { ptr, node, position, bits }
                }
                _ => Loc::Mem { ptr, node, position, bits },
            },
            Loc::Value { .. } => loc,
        }
    }

    // ----- assignments -----

    fn assignment(&mut self, place: &Place, value: &Expr, span: Span) -> R<Val> {
        self.note_constant_target(place, span);
        self.note_assigned_lock(place, span);
        if let ExprKind::Load(source) = &value.kind
            && self.mode.check_uninitialised
            && self.unit.types.is_record(place.ty.id)
            && !place_has_effects(place)
            && !place_has_effects(source)
        {
            let (from, to) = (self.place(source)?, self.place(place)?);
            if self.copies_ghosts(&to, &from) {
                self.copy_record(&to, &from, place.ty, span)?;
                let outer = std::mem::replace(&mut self.context.reads_anything, true);
                let value = self.load(&to, place.ty, span);
                self.context.reads_anything = outer;
                return value;
            }
        }
        self.context.byte_origin = None;
        let mut v = self.expr(value)?;
        if place_has_effects(place) {
            v = self.snapshot(v, span);
        }
        let origin = self.context.byte_origin.take().filter(|_| is_loaded(value));
        let loc = self.place(place)?;
        self.context.copied_origin = origin;
        let result = self.store_and_reload(&loc, place.ty, v, span);
        self.context.copied_origin = None;
        result
    }

    /// Stores a value; the result is what the place then holds.
    fn store_and_reload(&mut self, loc: &Loc, ty: Ty, value: Val, span: Span) -> R<Val> {
        let value = self.canonical(value, loc, ty);
        match loc {
            Loc::Plain { index: None, .. } if !matches!(value, Val::Record(_)) && !self.is_shared(loc) => {
                self.store(loc, ty, &value, span)?;
                // The variable itself now is the value.
                let interval = match &value {
                    Val::Int(v) => Some((v.lo, v.hi)),
                    _ => None,
                };
                let result = self.load(loc, ty, span)?;
                Ok(match (result, interval) {
                    (Val::Int(v), Some((lo, hi))) => Val::Int(IntVal { term: v.term, lo, hi }),
                    (result, _) => result,
                })
            }
            _ => {
                let value = self.snapshot(value, span);
                self.store(loc, ty, &value, span)?;
                Ok(value)
            }
        }
    }

    fn inc_dec(&mut self, place: &Place, increment: bool, prefix: bool, size: Option<&Expr>, span: Span) -> R<Val> {
        let size = match size {
            Some(size) => Some(self.expr(size)?),
            None => None,
        };
        let loc = self.place(place)?;
        let is_atomic = place.ty.quals.is_atomic;
        if is_atomic {
            self.begin_atomic(span);
        }
        let old = self.load(&loc, place.ty, span)?;
        let old = self.snapshot(old, span);
        let new = match (self.unit.types.kind(place.ty).clone(), size) {
            (Type::Pointer(_), Some(size)) => {
                let one = Val::Int(self.int_const(1));
                Val::Ptr(self.offset_pointer(&old, &one, &size, !increment, span)?)
            }
            (Type::Int(IntKind::Bool), _) => {
                // `b++` gives 1, `b--` flips.
                let truth = self.truth(&old, place.ty.id, span)?;
                Val::Bool(if increment { TermId::TRUE } else { self.pool.not(truth) })
            }
            (Type::Int(kind), _) => {
                let one = self.int_const(1);
                let v = self.int_of(&old);
                let op = if increment { BinOp::Add } else { BinOp::Sub };
                // Narrow types are promoted, and the result converted back.
                let compute = if kind.rank() < IntKind::Int.rank() { IntKind::Int } else { kind };
                let sum = self.arith(op, v, one, compute, span)?;
                Val::Int(self.wrap(sum, kind))
            }
            _ => {
                let one = self.float_constant(1.0, place.ty.id);
                let op = if increment { BinOp::Add } else { BinOp::Sub };
                self.float_binary(op, &old, &one, place.ty.id, span)?
            }
        };
        let stored = self.store_and_reload(&loc, place.ty, new, span)?;
        if is_atomic {
            self.end_atomic(span);
        }
        Ok(if prefix { stored } else { old })
    }

    // ----- calls -----

    /// The terms a value is passed as.
    pub fn flatten(&mut self, value: &Val, out: &mut Vec<TermId>) {
        match value {
            Val::Int(_) | Val::Bool(_) => out.push(self.int_of(value).term),
            Val::Ptr(p) => {
                out.push(p.addr);
                out.extend(p.base);
            }
            Val::Float(t) => out.push(*t),
            Val::Record(values) => {
                for v in values.iter() {
                    self.flatten(v, out);
                }
            }
            Val::Void => {}
        }
    }

    fn call(&mut self, e: &Expr, callee: &Callee, args: &[Expr]) -> R<Val> {
        let span = e.span;
        let only_sign = std::mem::take(&mut self.context.only_sign);
        // The callee's pointer first, then the arguments from left to right.
        let pointer = match callee {
            Callee::Direct(_) => None,
            Callee::Indirect(pointer) => {
                let mut value = self.expr(pointer)?;
                if args.iter().any(has_effects) {
                    value = self.snapshot(value, span);
                }
                Some(value)
            }
        };
        if let Callee::Direct(func) = callee
            && self.unit.funcs[*func].body.is_none()
            && let Some(result) = self.special_call(*func, e, args)
        {
            // Arguments are part of it, so it begins when it ends.
            let name = self.unit.funcs[*func].name.clone();
            self.event(ir::EventKind::Call, &name, span);
            self.event(ir::EventKind::Return, &name, span);
            return result;
        }
        let mut values = Vec::with_capacity(args.len());
        for (i, arg) in args.iter().enumerate() {
            let mut value = match self.ignored_address(callee, i, arg) {
                Some(address) => {
                    self.expr(address)?;
                    Val::Int(self.int_const(0))
                }
                None => self.expr(arg)?,
            };
            if args[i + 1..].iter().any(has_effects) {
                value = self.snapshot(value, span);
            }
            values.push((value, arg.ty));
        }
        let result = match (callee, pointer) {
            (Callee::Direct(func), _) => {
                let function = &self.unit.funcs[*func];
                // Programs define it so that they can be linked; it marks a step all the same.
                if function.body.is_some() && library::find(&function.name).is_some_and(|f| f.model == Model::Observe) {
                    self.mark_step(span);
                }
                let value = self.call_function(*func, &values, e, args)?;
                let function = &self.unit.funcs[*func];
                let has_any_size = function.is_library && COMPARISONS.contains(&&*function.name);
                let is_truth = function.body.is_none() && function.name.contains("signbit")
                    || function.is_library && CLASSES.contains(&&*function.name);
                match only_sign {
                    false if has_any_size => self.any_of_sign(&value, span),
                    false if is_truth => self.any_of_truth(&value, span),
                    _ => Ok(value),
                }
            }
            (Callee::Indirect(pointer), Some(Val::Ptr(p))) => {
                let is_foreign = self.alias.value(pointer).is_some_and(|node| self.alias.is_foreign(node));
                self.call_pointer(p, is_foreign, &values, e, args)
            }
            (Callee::Indirect(_), _) => unsupported(span, "a call through no pointer"),
        };
        self.forget_given_lists(args, span)?;
        result
    }

    /// Is a list of arguments used elsewhere in the function, too?
    fn uses_list_again(&self, list: &Place) -> bool {
        let function = &self.unit.funcs[self.alias.current];
        let var = root(list);
        let is_same = |place: &Place| root(place) == var;
        let is_given = |arg: &Expr| {
            let is_list = matches!(self.unit.types.get(arg.ty), Type::VaList);
            is_list && matches!(&arg.kind, ExprKind::Load(place) if is_same(place))
        };
        let mut n_uses = 0;
        for stmt in function.body.iter().flatten().filter(|_| !function.is_library) {
            walk_stmt(stmt, &mut |node| {
                n_uses += match node {
                    Node::Expr(Expr { kind: ExprKind::VaArg(place), .. }) => usize::from(is_same(place)),
                    Node::Expr(Expr { kind: ExprKind::Call { args, .. }, .. }) => {
                        args.iter().filter(|arg| is_given(arg)).count()
                    }
                    _ => 0,
                };
                true
            });
        }
        n_uses > 1 || function.body.iter().flatten().any(may_repeat)
    }

    /// A list of arguments that a function was given is indeterminate afterwards (7.16p3): on some machines it has
    /// moved on, on others not.
    fn forget_given_lists(&mut self, args: &[Expr], span: Span) -> R<()> {
        for arg in args {
            if let (Type::VaList, ExprKind::Load(place)) = (self.unit.types.get(arg.ty), &arg.kind)
                && !place_has_effects(place)
                && self.uses_list_again(place)
            {
                let loc = self.place(place)?;
                let any = self.number_temp();
                self.havoc(vec![any], Nondet::Inexact("a list of arguments that a function was given".into()), span);
                let any = self.program.term(any);
                self.store(&loc, place.ty, &Val::Float(any), span)?;
            }
        }
        Ok(())
    }

    /// The address that is passed as a number to a function that does not use it: its value does not matter.
    fn ignored_address<'e>(&self, callee: &Callee, i: usize, arg: &'e Expr) -> Option<&'e Expr> {
        let Callee::Direct(func) = callee else { return None };
        let mut address = arg;
        while self.unit.types.is_integer(address.ty) {
            let ExprKind::Convert(inner) = &address.kind else { return None };
            address = inner;
        }
        if !self.unit.types.is_pointer(address.ty) || std::ptr::eq(address, arg) {
            return None;
        }
        let function = &self.unit.funcs[*func];
        let (&param, body) = (function.params.get(i)?, function.body.as_ref()?);
        (!crate::visit::mentions(body, param)).then_some(address)
    }

    /// A volatile object that the program does not define may hold another value at each read.
    fn read_of_device(&mut self, place: &Place, span: Span) -> Option<R<Val>> {
        let var = self.device(place)?;
        let name = self.unit.vars[var].name.to_string();
        if self.unit.types.int_kind(place.ty.id).is_none() {
            self.note_device(place, span);
            return None;
        }
        Some(self.arbitrary(place.ty.id, Nondet::Input(name), span))
    }

    /// The variable, if a place is a volatile part of one that the program does not define.
    fn device(&self, place: &Place) -> Option<VarId> {
        let var = crate::visit::root(place)?;
        let data = &self.unit.vars[var];
        let is_volatile = data.ty.quals.is_volatile || place.ty.quals.is_volatile;
        (is_volatile && data.storage == Storage::Static { defined: false }).then_some(var)
    }

    /// Is a volatile place behind a pointer from outside? Other writers of that place are unknown.
    fn is_behind_device(&mut self, place: &Place) -> bool {
        let mut base = place;
        let pointer = loop {
            match &base.kind {
                PlaceKind::Field(next, _) | PlaceKind::Index(next, _) => base = next,
                PlaceKind::Deref(pointer) => break pointer,
                PlaceKind::Var(_) | PlaceKind::Temp(_) | PlaceKind::Compound(..) => return false,
            }
        };
        let is_volatile = place.ty.quals.is_volatile || base.ty.quals.is_volatile;
        is_volatile && self.alias.value(pointer).is_some_and(|node| self.alias.is_outside(node))
    }

    /// What such a place holds when it is read once more.
    fn value_of_device(&mut self, place: &Place, span: Span) -> R<Val> {
        let what = "a volatile object that others may write";
        if self.unit.types.int_kind(place.ty.id).is_none() {
            self.note_unsound(what, span);
        }
        self.arbitrary(place.ty.id, Nondet::Inexact(what.into()), span)
    }

    /// Only plain reads and writes of such objects are modelled.
    fn note_device(&mut self, place: &Place, span: Span) {
        if self.is_behind_device(place) {
            self.note_unsound("a volatile object that others may write", span);
        }
        self.note_named_device(place, span);
    }
    fn note_named_device(&mut self, place: &Place, span: Span) {
        if let Some(var) = self.device(place) {
            self.note_unsound(&format!("{}, which is volatile and not defined here", self.unit.vars[var].name), span);
        }
    }

    /// A named constant may be the target of an assignment after a cast; by way of pointers that is checked where they
    /// lead.
    fn note_constant_target(&mut self, place: &Place, span: Span) {
        if self.mode.check_memsafety && crate::visit::root(place).is_some_and(|var| self.is_constant_object(var)) {
            self.note_unsound("a constant object is written", span);
        }
    }

    /// Any integer with the sign of this one.
    fn any_of_sign(&mut self, value: &Val, span: Span) -> R<Val> {
        let Val::Int(sign) = self.snapshot(value.clone(), span) else { return Ok(value.clone()) };
        let Val::Int(result) = self.arbitrary(TypeId::INT, Nondet::Choice, span)? else { return Ok(value.clone()) };
        let zero = self.num(0);
        for (a, b) in [(sign.term, result.term), (result.term, sign.term)] {
            let (below, above) = (self.lt(a, zero), self.gt(a, zero));
            let (also_below, also_above) = (self.lt(b, zero), self.gt(b, zero));
            let facts = [self.pool.implies(below, also_below), self.pool.implies(above, also_above)];
            for fact in facts {
                self.assume_fact(fact, span);
            }
        }
        Ok(Val::Int(result))
    }

    /// Any integer that is zero where this one is. Libraries have numbers of their own for true.
    fn any_of_truth(&mut self, value: &Val, span: Span) -> R<Val> {
        let truth = self.truth(value, TypeId::INT, span)?;
        let why = Nondet::Inexact("a nonzero result of a library function".into());
        let Val::Int(result) = self.arbitrary(TypeId::INT, why, span)? else { return Ok(value.clone()) };
        let zero = self.num(0);
        let is_zero = self.pool.eq(result.term, zero);
        let is_other = self.pool.not(is_zero);
        self.assume_fact(is_other, span);
        Ok(Val::Int(IntVal { term: self.pool.ite(truth, result.term, zero), ..result }))
    }

    /// Two pointers are ordered or subtracted, which has a meaning within one object only (6.5.6p9, 6.5.8p5).
    fn in_one_object(&mut self, a: &Expr, b: &Expr, span: Span) {
        if !self.unit.types.is_pointer(a.ty) || !self.unit.types.is_pointer(b.ty) {
            return;
        }
        let (Some(left), Some(right)) = (self.alias.value(a), self.alias.value(b)) else { return };
        let (left, right) = (self.alias.find(left), self.alias.find(right));
        let is_other = match (named_object(a), named_object(b)) {
            (Some(x), Some(y)) if x == y => return,
            (Some(_), Some(_)) => true,
            _ => left != right,
        };
        if is_other {
            let what = "the order of different objects in memory";
            self.note_unsound(what, span);
            let mark = self.number_temp();
            self.havoc(vec![mark], Nondet::Overapproximation(what.into()), span);
        } else if self.alias.n_objects(left) > 1 {
            self.note_assumption_once("pointers that are ordered or subtracted point into one object", span);
        }
    }

    /// Calls a function with evaluated arguments.
    pub fn call_function(&mut self, func: FuncId, values: &[(Val, TypeId)], e: &Expr, args: &[Expr]) -> R<Val> {
        let span = e.span;
        let unit = self.unit;
        let function = &unit.funcs[func];
        self.refuse_destructors(func, args, span)?;
        if self.mode.check_unreach && self.is_error(func) {
            let (message, subject) = match self.is_assertion_failure(func) {
                true => ("the assertion fails".to_string(), Subject::Assertion),
                false => (format!("{} is called", function.name), Subject::ErrorFunction(function.name.to_string())),
            };
            self.check_about(TermId::FALSE, Subproperty::UnreachCall, message, subject, span);
            self.jump(Vec::new(), span);
            let dead = self.new_label();
            self.place_label(dead, span);
            self.jump(Vec::new(), span);
            return self.dead_value(e.ty, span);
        }
        if function.body.is_none() {
            if let Some((broken_span, message)) = &function.broken {
                return unsupported(*broken_span, message.clone());
            }
            self.event(ir::EventKind::Call, &function.name, span);
            let value = self.library_call(func, values, e, args);
            self.event(ir::EventKind::Return, &function.name, span);
            return value;
        }
        if values.len() < function.params.len() {
            return unsupported(span, format!("a call of {} with too few arguments", function.name));
        }
        let mut terms = Vec::new();
        for (&param, (value, from)) in function.params.iter().zip(values) {
            let to = unit.vars[param].ty.id;
            let value = if unit.types.is_scalar(to) && unit.types.is_scalar(*from) {
                self.convert(value, *from, to, span)?
            } else if to == *from {
                value.clone()
            } else {
                return unsupported(span, "an argument of another type than the parameter");
            };
            self.flatten(&value, &mut terms);
        }
        terms.extend(self.self_argument());
        if self.is_variadic(function.ty) {
            let rest = values.get(function.params.len()..).unwrap_or_default();
            terms.push(self.pass_variable_arguments(rest, span)?);
        }
        let proc = self.proc_of(func);
        if terms.len() != self.program.procs[proc].params.len() {
            return unsupported(span, format!("the arguments of {}", function.name));
        }
        let ret = unit.types.function(function.ty).map_or(TypeId::VOID, |f| f.ret.id);
        let n_results = self.program.procs[proc].results.len();
        let results: Vec<ir::VarId> = (0..n_results).map(|_| self.number_temp()).collect();
        // Functions with such a name are atomic as a whole.
        let is_atomic = function.name.starts_with("__VERIFIER_atomic_");
        if is_atomic {
            self.begin_atomic(span);
        }
        self.refuse_waiting_in_atomic_section(span);
        self.emit(InstrKind::Call { callee: proc, args: terms, results: results.clone() }, span);
        if is_atomic {
            self.end_atomic(span);
        }
        let value = self.value_of_results(ret, &results, span)?;
        // A function used with another type than it has returns what the caller makes of it.
        if ret != e.ty && ret != TypeId::VOID && unit.types.is_scalar(ret) && unit.types.is_scalar(e.ty) {
            return self.convert(&value, ret, e.ty, span);
        }
        Ok(value)
    }

    fn value_of_results(&mut self, ty: TypeId, results: &[ir::VarId], span: Span) -> R<Val> {
        if ty == TypeId::VOID {
            return Ok(Val::Void);
        }
        let mut next = results.iter();
        let mut values = Vec::new();
        for (_, scalar, _) in self.scalars(ty)? {
            let Some(&var) = next.next() else { return internal(span, "results") };
            let base = if self.needs_base(scalar.id) { next.next().map(|&b| self.program.term(b)) } else { None };
            self.state_leaf_range(var, scalar.id, span);
            let term = self.program.term(var);
            values.push(self.value_from_terms(scalar.id, term, base));
        }
        if self.unit.types.is_record(ty) {
            return Ok(Val::Record(Rc::new(values)));
        }
        match values.pop() {
            Some(value) => Ok(value),
            None => Ok(Val::Void),
        }
    }

    /// A value where control never comes.
    pub fn dead_value(&mut self, ty: TypeId, span: Span) -> R<Val> {
        self.arbitrary(ty, Nondet::Choice, span)
    }

    /// Calls one of the functions whose address is taken; if the pointer may come from outside, perhaps one that is
    /// there.
    pub(crate) fn call_pointer(
        &mut self,
        p: PtrVal,
        is_foreign: bool,
        values: &[(Val, TypeId)],
        e: &Expr,
        args: &[Expr],
    ) -> R<Val> {
        let span = e.span;
        let values: Vec<(Val, TypeId)> = values.iter().map(|(v, ty)| (self.snapshot(v.clone(), span), *ty)).collect();
        let Val::Ptr(p) = self.snapshot(Val::Ptr(p), span) else { return internal(span, "pointer") };
        let end = self.new_label();
        let mut targets: Option<ResultTemps> = None;
        let candidates = self.reach.address_taken.clone();
        // Those that are not what the call takes them for.
        let mut others = Vec::new();
        for func in candidates {
            // Its address escapes only to the thread library.
            if self.threads.only_started.contains(&func) {
                continue;
            }
            let address = self.function_address(func);
            let address = self.num(address);
            let here = self.pool.eq(p.addr, address);
            // A function without (good) body says itself what it is.
            if self.unit.funcs[func].body.is_some() && !self.unit.understands_call(func, args, e.ty) {
                others.push(here);
                continue;
            }
            let next = self.branch_hidden(here, span);
            let value = match self.call_function(func, &values, e, args) {
                Ok(value) => value,
                Err(what) => {
                    self.give_up(&what);
                    let dead = self.new_label();
                    self.place_label(dead, span);
                    self.dead_value(e.ty, span)?
                }
            };
            if targets.is_none() {
                targets = Some(self.result_temps(e.ty, &value));
            }
            if let Some(targets) = &targets {
                self.assign_result(targets, &value, span);
            }
            self.jump(vec![end], span);
            self.otherwise_hidden(next, here, span);
        }
        let zero = self.num(0);
        let null = self.pool.eq(p.addr, zero);
        let no_function = is_foreign.then(|| {
            let exists = self.new_label();
            let null_label = self.new_label();
            self.jump(vec![null_label, exists], span);
            self.place_label(exists, span);
            let there = self.pool.not(null);
            self.assume_undefined(there, span);
            null_label
        });
        if let Some(null_label) = no_function {
            let value = self.unknown_function(super::library::FUNCTION_FROM_OUTSIDE, &values, e, args)?;
            if targets.is_none() {
                targets = Some(self.result_temps(e.ty, &value));
            }
            if let Some(targets) = &targets {
                self.assign_result(targets, &value, span);
            }
            self.jump(vec![end], span);
            self.place_label(null_label, span);
            self.assume_undefined(null, span);
        }
        // A call through a function pointer of another type is undefined behaviour.
        let is_other = self.pool.or(&others);
        if is_other != TermId::FALSE {
            let next = self.branch_hidden(is_other, span);
            let mark = self.number_temp();
            let what = "a call through a pointer to another kind of function";
            self.havoc(vec![mark], Nondet::Overapproximation(what.into()), span);
            let value = self.arbitrary(e.ty, Nondet::Choice, span)?;
            let targets = targets.get_or_insert_with(|| self.result_temps(e.ty, &value));
            self.assign_result(targets, &value, span);
            self.jump(vec![end], span);
            self.otherwise_hidden(next, is_other, span);
        }
        // None of them: the call has no meaning in C.
        self.check_not_null(p, span);
        if self.mode.check_memsafety {
            self.check(TermId::FALSE, Subproperty::ValidDeref, "a call through a pointer to no function".into(), span);
        }
        self.jump(Vec::new(), span);
        self.place_label(end, span);
        match targets {
            Some(targets) => Ok(self.value_of_temps(&targets)),
            None => self.dead_value(e.ty, span),
        }
    }
}

/// Functions of the library that compare: only the sign of what they return is specified.
const COMPARISONS: [&str; 7] = ["strcmp", "strncmp", "strcasecmp", "strncasecmp", "strcoll", "memcmp", "bcmp"];

/// Functions of the library of whose results only whether they are zero is specified.
const CLASSES: [&str; 12] = [
    "isalnum", "isalpha", "isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint", "ispunct", "isspace",
    "isupper", "isxdigit",
];

/// Is it a pointer that is moved, perhaps converted?
fn is_moved(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Convert(inner) => is_moved(inner),
        ExprKind::PtrAdd { .. } => true,
        _ => false,
    }
}

fn is_call(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Call { .. })
}

/// The variable that a pointer visibly points into.
pub(super) fn named_object(e: &Expr) -> Option<VarId> {
    match &e.kind {
        ExprKind::AddrOf(place) => crate::visit::root(place),
        ExprKind::Convert(inner) => named_object(inner),
        ExprKind::PtrAdd { ptr, .. } => named_object(ptr),
        _ => None,
    }
}

/// Is the pointer made from the address of an object or a function, by name? Such addresses are constants here.
fn names_object(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Func(_) | ExprKind::LabelAddr(_) => true,
        ExprKind::AddrOf(place) => {
            let mut place = place;
            loop {
                match &place.kind {
                    PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => place = base,
                    PlaceKind::Deref(pointer) => return names_object(pointer),
                    PlaceKind::Var(_) | PlaceKind::Temp(_) | PlaceKind::Compound(..) => return true,
                }
            }
        }
        ExprKind::Convert(inner) => names_object(inner),
        ExprKind::PtrAdd { ptr, .. } => names_object(ptr),
        ExprKind::Comma(_, last) => names_object(last),
        ExprKind::Cond(_, a, b) => names_object(a) || names_object(b),
        _ => false,
    }
}

fn assign(var: ir::VarId, term: TermId) -> InstrKind {
    InstrKind::Stmt(ir::Stmt::Assign(vec![(var, term)]))
}

enum ResultTemps {
    Void,
    Bool(ir::VarId),
    Int(ir::VarId, IntKind),
    Ptr(ir::VarId, Option<ir::VarId>),
    Float(ir::VarId),
    Record(Vec<ResultTemps>),
}

/// Is the value what some object holds, perhaps converted?
fn is_loaded(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Load(_) => true,
        ExprKind::Convert(inner) => is_loaded(inner),
        _ => false,
    }
}

/// May parts of a statement be executed several times?
fn may_repeat(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::While(..) | StmtKind::DoWhile(..) | StmtKind::For { .. } | StmtKind::Label(..) => true,
        StmtKind::Block(stmts) => stmts.iter().any(may_repeat),
        StmtKind::If(_, then, otherwise) => may_repeat(then) || otherwise.as_deref().is_some_and(may_repeat),
        StmtKind::Switch { body, .. } => may_repeat(body),
        _ => false,
    }
}

/// Is the array the last part of what a pointer points to, so that an object may have room for more elements?
fn is_trailing(array: &Place, types: &Types) -> bool {
    match &array.kind {
        PlaceKind::Deref(_) => true,
        PlaceKind::Field(base, index) => {
            let is_last = match types.get(base.ty.id) {
                Type::Record(record) => {
                    let record = &types.records[*record];
                    record.is_union || record.fields.as_ref().is_some_and(|f| f.len() == *index as usize + 1)
                }
                _ => false,
            };
            is_last && is_trailing(base, types)
        }
        PlaceKind::Var(_) | PlaceKind::Index(..) | PlaceKind::Temp(_) | PlaceKind::Compound(..) => false,
    }
}
