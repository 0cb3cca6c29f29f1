//! What programs for CBMC and ESBMC ask of a pointer: may so many bytes be accessed there, how large is the object, how
//! far inside does it point, do two point into one object.
//!
//! The answers are made of what memory safety keeps of pointers and objects ([`super::memory`]), so a program that asks
//! has this for every property. They are known of null and of pointers into objects that are alive; of others they are
//! any value, on which no violation may rest. Which number an object has is open like the number of an address.

use base::Span;
use ir::{InstrKind, Nondet};
use logic::TermId;

use super::{IntVal, Lowerer, PtrVal, R, Val, unsupported};
use crate::hir::{Callee, Expr, ExprKind};
use crate::library::{Model, PointerFact};
use crate::types::TypeId;

impl Lowerer<'_> {
    pub(super) fn pointer_fact(
        &mut self,
        fact: PointerFact,
        values: &[(Val, TypeId)],
        e: &Expr,
        args: &[Expr],
    ) -> R<Val> {
        let span = e.span;
        let Some((Val::Ptr(p), ty)) = values.first() else { return unsupported(span, "a question about no pointer") };
        let Some(base) = p.base.filter(|_| !self.threads.concurrent) else {
            return unsupported(span, "a question about a pointer");
        };
        let (p, zero) = (*p, self.num(0));
        let (is_known, exact) = match fact {
            PointerFact::Accessible => {
                let size = match values.get(1) {
                    Some((n, _)) => self.int_of(n),
                    None => self.size_behind(&args[0], span)?,
                };
                let some = self.gt(size.term, zero);
                (some, self.is_valid(p, size))
            }
            PointerFact::SameObject => {
                let Some((Val::Ptr(q), _)) = values.get(1) else {
                    return unsupported(span, "a question about one pointer");
                };
                let Some(other) = q.base else { return unsupported(span, "a question about a pointer") };
                let (first, second) = (self.is_followed(p, base), self.is_followed(*q, other));
                (self.pool.and2(first, second), self.pool.eq(base, other))
            }
            PointerFact::IsDynamic => {
                let state = self.object_state(base);
                let heap = self.num(super::memory::HEAP_OBJECT);
                let outside = self.num(super::memory::OUTSIDE_OBJECT);
                let (is_followed, is_outside) = (self.is_followed(p, base), self.pool.eq(state, outside));
                let is_own = self.pool.not(is_outside);
                (self.pool.and2(is_followed, is_own), self.pool.eq(state, heap))
            }
            PointerFact::Object if self.context.bare_addresses => {
                let is_known = self.is_followed(p, base);
                return self.number_if(is_known, base, e.ty, span);
            }
            PointerFact::Object => {
                let start = Val::Ptr(PtrVal { addr: base, base: Some(base) });
                return self.convert(&start, *ty, e.ty, span);
            }
            PointerFact::Size | PointerFact::Offset => {
                let is_known = self.is_followed(p, base);
                let is_null = self.pool.eq(p.addr, zero);
                let exact = match fact {
                    PointerFact::Size => {
                        let sizes = self.size_ghost();
                        let sizes = self.program.term(sizes);
                        let size = self.pool.select(sizes, base);
                        self.pool.ite(is_null, zero, size)
                    }
                    _ => self.minus(p.addr, base),
                };
                return self.number_if(is_known, exact, e.ty, span);
            }
        };
        let one = self.num(1);
        let exact = self.pool.ite(exact, one, zero);
        self.number_if(is_known, exact, e.ty, span)
    }

    /// Are both the numbers of objects? Whether they are equal does not depend on which they are.
    pub(super) fn are_object_numbers(&self, a: &Expr, b: &Expr) -> bool {
        let is_number = |mut e: &Expr| {
            while let ExprKind::Convert(inner) = &e.kind {
                e = inner;
            }
            let ExprKind::Call { callee: Callee::Direct(f), .. } = &e.kind else { return false };
            let row = crate::library::find(&self.unit.funcs[*f].name);
            row.is_some_and(|row| row.model == Model::Pointer(PointerFact::Object))
        };
        is_number(a) && is_number(b)
    }

    fn object_state(&mut self, base: TermId) -> TermId {
        let states = self.alloc();
        let states = self.program.term(states);
        self.pool.select(states, base)
    }

    /// Is a pointer null, or does it point into an object that is alive, or to its end?
    fn is_followed(&mut self, p: PtrVal, base: TermId) -> TermId {
        let zero = self.num(0);
        let (none, start) = (self.pool.eq(p.addr, zero), self.pool.eq(base, zero));
        let is_null = self.pool.and2(none, start);
        let state = self.object_state(base);
        let lives = self.gt(state, zero);
        let sizes = self.size_ghost();
        let sizes = self.program.term(sizes);
        let size = self.pool.select(sizes, base);
        let end = self.add2(base, size);
        let (above, below) = (self.le(base, p.addr), self.le(p.addr, end));
        let inside = self.pool.and(&[lives, above, below]);
        self.pool.or2(is_null, inside)
    }

    /// The size of what an argument points to, as it was before its conversion to `void *`.
    fn size_behind(&mut self, argument: &Expr, span: Span) -> R<IntVal> {
        let mut e = argument;
        while let ExprKind::Convert(inner) = &e.kind
            && self.unit.types.is_pointer(inner.ty)
        {
            e = inner;
        }
        match self.unit.types.pointee(e.ty).filter(|t| t.id != TypeId::VOID) {
            Some(pointee) => self.size_value(pointee.id, span),
            None => unsupported(span, "a question about a pointer to nothing in particular"),
        }
    }

    /// A number where it is known, and any other one elsewhere.
    fn number_if(&mut self, is_known: TermId, exact: TermId, ty: TypeId, span: Span) -> R<Val> {
        let Some(kind) = self.unit.types.int_kind(ty) else {
            return unsupported(span, "an answer about a pointer that is no number");
        };
        let (lo, hi) = self.unit.types.int_range(kind);
        let result = self.number_temp();
        let end = self.new_label();
        let no = self.branch_hidden(is_known, span);
        self.emit_hidden(InstrKind::Stmt(ir::Stmt::Assign(vec![(result, exact)])), span);
        self.jump(vec![end], span);
        self.otherwise_hidden(no, is_known, span);
        self.havoc(vec![result], Nondet::Inexact("what is asked about an invalid pointer".into()), span);
        let term = self.program.term(result);
        let fits = self.in_range(term, lo, hi);
        self.assume_fact(fits, span);
        self.place_label(end, span);
        Ok(Val::Int(IntVal { term, lo, hi }))
    }
}
