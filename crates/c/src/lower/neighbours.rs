//! Equality of pointers that C leaves to chance.
//!
//! The end of an object may be the address of the next one (C11 6.5.9p6), and of two string literals one may be stored
//! as the tail of the other (6.4.5p7). Here objects lie apart, so that addresses alone would distinguish such pointers.
//! Where one pointer may be an end and the other a start, the result of `==` is any value, and an execution that
//! depends on it shows nothing.
//!
//! Pointers that are never moved are not past the end, and within one object no check is needed: a loop `p != end` is
//! unchanged.

use base::Span;
use ir::Nondet;
use logic::{SortId, TermId};

use super::addresses::converted_pointer;
use super::alias::NodeId;
use super::expr::named_object;
use super::memory::PtrVal;
use super::{Lowerer, Val};
use crate::hir::*;

/// With more objects than this, that two of them are neighbours is not asked.
const MAX_NEIGHBOURS: usize = 64;

/// An object with a name: where it starts and how large it is.
struct NamedObject {
    var: VarId,
    start: TermId,
    size: i128,
}

impl Lowerer<'_> {
    /// The truth of `a == b`, given what the addresses say.
    pub(super) fn equality(&mut self, equal: TermId, a: (&Expr, &Val), b: (&Expr, &Val), span: Span) -> TermId {
        let Some(by_chance) = self.equal_by_chance(a, b, span) else { return equal };
        let any = self.temp(SortId::BOOL);
        self.havoc(vec![any], Nondet::Inexact("whether one object follows another in memory".into()), span);
        let any = self.program.term(any);
        self.pool.ite(by_chance, any, equal)
    }

    /// Where the way in which objects lie in memory decides whether two pointers are equal.
    fn equal_by_chance(&mut self, a: (&Expr, &Val), b: (&Expr, &Val), span: Span) -> Option<TermId> {
        let zero = self.num(0);
        let (x, y) = (self.address_in(a)?, self.address_in(b)?);
        let is_own = self.unit.funcs[self.alias.current].is_library;
        if is_own || x.addr == zero || y.addr == zero {
            return None;
        }
        if let (Some(x), Some(y)) = (named_object(a.0), named_object(b.0))
            && x == y
        {
            return None;
        }
        let (left, right) = (self.alias.value(a.0)?, self.alias.value(b.0)?);
        let (left, right) = (self.alias.find(left), self.alias.find(right));
        if !self.alias.may_be_end(left) && !self.alias.may_be_end(right) {
            return None;
        }
        let is_several = left != right || self.alias.n_objects(left) > 1;
        let named = [left, right].map(|class| self.named_objects(class));
        let by_chance = match (x.base, y.base, &named) {
            _ if !is_several => return None,
            (_, _, [Some(left), Some(right)]) if left.len() + right.len() <= MAX_NEIGHBOURS => {
                let (one, other) = (self.end_meets_start(x, left, y, right), self.end_meets_start(y, right, x, left));
                let tails = self.tails_of_texts(x, left, y, right);
                self.pool.or(&[one, other, tails])
            }
            (Some(_), Some(_), _) => {
                let (one, other) = (self.end_of_object_meets(x, y), self.end_of_object_meets(y, x));
                self.pool.or2(one, other)
            }
            _ if left != right => {
                let (no_x, no_y) = (self.pool.eq(x.addr, zero), self.pool.eq(y.addr, zero));
                let nothing = self.pool.or2(no_x, no_y);
                self.pool.not(nothing)
            }
            _ => {
                let what = "the end of an object is not compared with the start of another one by == or !=";
                self.note_assumption_once(what, span);
                return None;
            }
        };
        (by_chance != TermId::FALSE).then_some(by_chance)
    }

    /// The address that a value is: a pointer, or one that was made a number.
    fn address_in(&mut self, (e, value): (&Expr, &Val)) -> Option<PtrVal> {
        match value {
            Val::Ptr(p) => Some(*p),
            Val::Int(v) => {
                let types = &self.unit.types;
                let is_wide = types.int_kind(e.ty).is_some_and(|k| types.int_size(k) >= types.pointer_size());
                let is_converted = converted_pointer(types, e).is_some();
                // Not what was calculated from one.
                let is_kept = is_wide && self.holders.makes_numbers && !is_calculated(e);
                let objects = self.alias.value(e).filter(|_| is_kept);
                let is_one = is_converted || objects.is_some_and(|node| !self.alias.holds_only_numbers(node));
                is_one.then_some(PtrVal { addr: v.term, base: None })
            }
            Val::Bool(_) | Val::Float(_) | Val::Record(_) | Val::Void => None,
        }
    }

    /// The objects of a class, if each has a name and an address that is known here.
    fn named_objects(&mut self, class: NodeId) -> Option<Vec<NamedObject>> {
        let mut objects = Vec::new();
        for var in self.alias.named_objects(class)? {
            let data = &self.unit.vars[var];
            let is_here = !self.needs_fresh_address(var) || data.owner == Some(self.alias.current);
            let size = self.unit.types.size_of(data.ty.id).filter(|_| is_here)?;
            let start = self.var_pointer(var, data.span).ok()?.addr;
            objects.push(NamedObject { var, start, size: size.into() });
        }
        Some(objects)
    }

    /// Is `x` the end of one of its objects and `y` the start of another one of its own?
    fn end_meets_start(&mut self, x: PtrVal, left: &[NamedObject], y: PtrVal, right: &[NamedObject]) -> TermId {
        let starts: Vec<TermId> = right.iter().map(|object| self.pool.eq(y.addr, object.start)).collect();
        let is_start = self.pool.or(&starts);
        let mut cases = Vec::new();
        for object in left {
            let size = self.num(object.size);
            let end = self.add2(object.start, size);
            let (is_end, is_own) = (self.pool.eq(x.addr, end), self.pool.eq(y.addr, object.start));
            let is_other = self.pool.not(is_own);
            cases.push(self.pool.and(&[is_end, is_other, is_start]));
        }
        self.pool.or(&cases)
    }

    /// Is `x` the end of its object and `y` the start of another one?
    fn end_of_object_meets(&mut self, x: PtrVal, y: PtrVal) -> TermId {
        let (Some(x_base), Some(y_base)) = (x.base, y.base) else { return TermId::FALSE };
        let sizes = self.size_ghost();
        let sizes = self.program.term(sizes);
        let size = self.pool.select(sizes, x_base);
        let end = self.add2(x_base, size);
        let (is_end, is_start) = (self.pool.eq(x.addr, end), self.pool.eq(y.addr, y_base));
        let is_one = self.pool.eq(x_base, y_base);
        let is_other = self.pool.not(is_one);
        self.pool.and(&[is_end, is_start, is_other])
    }

    /// Are the pointers as far from the ends of two literals of which one is the tail of the other?
    fn tails_of_texts(&mut self, x: PtrVal, left: &[NamedObject], y: PtrVal, right: &[NamedObject]) -> TermId {
        let mut cases = Vec::new();
        for one in left {
            for other in right.iter().filter(|o| o.var != one.var) {
                let (Some(text), Some(tail)) = (self.text_of(one.var), self.text_of(other.var)) else { continue };
                if !text.ends_with(&tail) && !tail.ends_with(&text) {
                    continue;
                }
                let (end, other_end) = (self.num(text.len() as i128), self.num(tail.len() as i128));
                let (end, other_end) = (self.add2(one.start, end), self.add2(other.start, other_end));
                let (left, left_there) = (self.minus(end, x.addr), self.minus(other_end, y.addr));
                let shorter = text.len().min(tail.len()) as i128;
                let (is_inside, is_as_far) = (self.in_range(left, 0, shorter), self.pool.eq(left, left_there));
                cases.push(self.pool.and2(is_inside, is_as_far));
            }
        }
        self.pool.or(&cases)
    }
}

fn is_calculated(e: &Expr) -> bool {
    matches!(e.without_conversions().kind, ExprKind::Unary(..) | ExprKind::Binary(..))
}
