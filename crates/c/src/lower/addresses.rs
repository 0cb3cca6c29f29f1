//! Where the number behind an address does not matter.
//!
//! Which numbers objects have as addresses is not ours to say, so a program that looks at one is not proved. But some
//! expressions have the same value wherever objects lie:
//! * sums in which the addresses of each object cancel out, as in `(size_t)(s + 1) - (size_t)s`;
//! * comparisons of such sums, and `==` between any two addresses: objects that live at the same time differ;
//! * remainders by what divides the alignment of the type that is pointed to: a pointer that is not aligned is undefined (6.3.2.3p7).

use super::expr::has_effects;
use crate::hir::*;
use crate::types::{TypeId, Types};

/// What an address is relative to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Object(VarId),
    /// What the variable points to.
    Pointee(VarId),
}

fn origin(types: &Types, pointer: &Expr) -> Option<Origin> {
    match &pointer.kind {
        ExprKind::AddrOf(place) => {
            let mut place = place;
            loop {
                match &place.kind {
                    PlaceKind::Field(base, _) => place = base,
                    PlaceKind::Index(base, index) if is_plain(types, index) => place = base,
                    PlaceKind::Index(..) => return None,
                    PlaceKind::Deref(pointer) => return origin(types, pointer),
                    PlaceKind::Var(var) => return Some(Origin::Object(*var)),
                    PlaceKind::Temp(_) | PlaceKind::Compound(..) => return None,
                }
            }
        }
        ExprKind::Load(Place { kind: PlaceKind::Var(var), .. }) => Some(Origin::Pointee(*var)),
        ExprKind::PtrAdd { ptr, index, .. } if is_plain(types, index) => origin(types, ptr),
        ExprKind::Convert(inner) if types.is_pointer(inner.ty) => origin(types, inner),
        _ => None,
    }
}

/// An expression in which no address is looked at.
fn is_plain(types: &Types, e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Int(_) | ExprKind::Load(Place { kind: PlaceKind::Var(_), .. }) => true,
        ExprKind::Convert(inner) => types.int_kind(inner.ty).is_some() && is_plain(types, inner),
        ExprKind::Binary(_, a, b) => is_plain(types, a) && is_plain(types, b),
        _ => false,
    }
}

/// The pointer that an integer as wide as it was made of.
fn converted_pointer<'e>(types: &Types, e: &'e Expr) -> Option<&'e Expr> {
    let wide = |ty: TypeId| types.int_kind(ty).is_some_and(|k| types.int_size(k) >= types.pointer_size());
    match &e.kind {
        ExprKind::Convert(inner) if wide(e.ty) && types.is_pointer(inner.ty) => Some(inner),
        ExprKind::Convert(inner) if wide(e.ty) && wide(inner.ty) => converted_pointer(types, inner),
        _ => None,
    }
}

/// Adds how often the address of each object occurs in a sum; false if the expression is no such sum.
fn count(types: &Types, e: &Expr, times: i32, counts: &mut Vec<(Origin, i32)>) -> bool {
    if let Some(pointer) = converted_pointer(types, e) {
        let Some(origin) = origin(types, pointer) else { return false };
        match counts.iter_mut().find(|(o, _)| *o == origin) {
            Some((_, n)) => *n += times,
            None => counts.push((origin, times)),
        }
        return true;
    }
    match &e.kind {
        _ if is_plain(types, e) => true,
        ExprKind::Unary(UnOp::Neg, a) => count(types, a, -times, counts),
        ExprKind::Binary(BinOp::Add, a, b) => count(types, a, times, counts) && count(types, b, times, counts),
        ExprKind::Binary(BinOp::Sub, a, b) => count(types, a, times, counts) && count(types, b, -times, counts),
        _ => false,
    }
}

fn cancel(counts: &[(Origin, i32)]) -> bool {
    !counts.is_empty() && counts.iter().all(|&(_, n)| n == 0)
}

/// Has this operation on integers the same value wherever objects lie, although addresses are looked at?
pub fn is_the_same_everywhere(types: &Types, op: BinOp, a: &Expr, b: &Expr) -> bool {
    if has_effects(a) || has_effects(b) {
        return false;
    }
    let mut counts = Vec::new();
    match op {
        BinOp::Add => count(types, a, 1, &mut counts) && count(types, b, 1, &mut counts) && cancel(&counts),
        BinOp::Sub => count(types, a, 1, &mut counts) && count(types, b, -1, &mut counts) && cancel(&counts),
        BinOp::Rem | BinOp::And => {
            let (Some(pointer), ExprKind::Int(n)) = (converted_pointer(types, a), &b.kind) else { return false };
            let alignment = i128::from(alignment(types, pointer));
            match op {
                BinOp::Rem => *n > 0 && alignment % n == 0,
                _ => (0..alignment).contains(n),
            }
        }
        BinOp::Mul | BinOp::Div | BinOp::Shl | BinOp::Shr | BinOp::Or | BinOp::Xor => false,
    }
}

/// The same for a comparison.
pub fn compares_the_same_everywhere(types: &Types, op: CmpOp, a: &Expr, b: &Expr) -> bool {
    if has_effects(a) || has_effects(b) {
        return false;
    }
    if matches!(op, CmpOp::Eq | CmpOp::Ne)
        && converted_pointer(types, a).is_some()
        && converted_pointer(types, b).is_some()
    {
        return true;
    }
    let mut counts = Vec::new();
    count(types, a, 1, &mut counts) && count(types, b, -1, &mut counts) && cancel(&counts)
}

/// What the pointer is a multiple of, going by what it points to.
fn alignment(types: &Types, pointer: &Expr) -> u64 {
    let own = types.pointee(pointer.ty).map_or(1, |t| types.align_of(t.id));
    match &pointer.kind {
        ExprKind::Convert(inner) if types.is_pointer(inner.ty) => own.max(alignment(types, inner)),
        _ => own,
    }
}
