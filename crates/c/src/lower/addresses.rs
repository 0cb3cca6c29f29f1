//! Where the number behind an address does not matter.
//!
//! The numeric addresses of objects are unspecified, so a program that depends on one is not proved. But some
//! expressions have the same value wherever objects lie:
//! * sums in which the addresses of each object cancel out, as in `(size_t)(s + 1) - (size_t)s`;
//! * comparisons of such sums, and `==` between any two addresses: objects that live at the same time differ;
//! * remainders by what divides the alignment of the type that is pointed to: a pointer that is not aligned is
//!   undefined (6.3.2.3p7).
//! * comparisons with numbers of the last page: no object lies there, so `(unsigned long)p >= -4095ul` asks
//!   whether a pointer was made of a small negative number. (In the first page there may be objects, for all that C
//!   says.)
//!
//! The addresses may also be in variables ([`Holders`]).

use rustc_hash::{FxHashMap, FxHashSet};

use crate::hir::*;
use crate::types::{TypeId, Types};
use crate::visit::{Node, root, walk_stmt};

/// What an address is relative to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Object(VarId),
    /// What the variable points to.
    Pointee(VarId),
}

/// Integer variables that hold the address of an object, once and for all, and are only used where the number does not
/// matter.
///
/// Such a variable is declared with its value and never written again. Every other use of it is one that is the same
/// everywhere, or makes a pointer of it again; one that is not drops the variable, until nothing changes.
#[derive(Default)]
pub(super) struct Holders<'u> {
    /// The pointer that each was made of.
    made_of: FxHashMap<VarId, &'u Expr>,
    /// Variables that are written after their declaration, or whose address is taken.
    unsteady: FxHashSet<VarId>,
    /// Variables that only their own function writes.
    locals: FxHashSet<VarId>,
    /// Numbers as wide as pointers are compared with null or one of the last page.
    pub looks_for_pages: bool,
    /// Somewhere a pointer becomes a number that is wide enough to become it again.
    pub makes_numbers: bool,
}

/// The bytes at the end of the address space in which no object lies.
pub(super) const PAGE: i128 = 4096;

/// Is this null or a number of the last page, as an unsigned integer as wide as a pointer?
fn is_no_object(types: &Types, e: &Expr) -> bool {
    let is_address = types.int_kind(e.ty).is_some_and(|k| !k.is_signed() && types.int_size(k) == types.pointer_size());
    match e.kind {
        ExprKind::Int(n) => is_address && (n == 0 || n >= (1 << (8 * types.pointer_size())) - PAGE),
        _ => false,
    }
}

impl<'u> Holders<'u> {
    pub(super) fn of(unit: &'u Unit) -> Holders<'u> {
        let mut this = Holders::default();
        let types = &unit.types;
        let mut declared = FxHashMap::default();
        for function in unit.funcs.values() {
            for stmt in function.body.iter().flatten() {
                walk_stmt(stmt, &mut |node| match node {
                    Node::Declared(var, Some(init)) => {
                        let is_again = declared.insert(var, ()).is_some();
                        match &init.items[..] {
                            [item] if item.path.is_empty() && !is_again => {
                                if let Some(pointer) = converted_pointer(types, &item.value) {
                                    this.made_of.insert(var, pointer);
                                }
                            }
                            _ => {
                                this.unsteady.insert(var);
                            }
                        }
                        true
                    }
                    Node::Declared(var, None) => {
                        this.unsteady.insert(var);
                        true
                    }
                    Node::Written(place) | Node::Addressed(place) => {
                        if let Some(var) = root(place) {
                            this.unsteady.insert(var);
                        }
                        true
                    }
                    Node::Expr(e) => {
                        if let ExprKind::Compare(_, a, b) = &e.kind {
                            let is_page = |e: &Expr| is_no_object(types, e) && !matches!(e.kind, ExprKind::Int(0 | 1));
                            this.looks_for_pages |= is_page(a) || is_page(b);
                        }
                        this.makes_numbers |= converted_pointer(types, e).is_some();
                        true
                    }
                });
            }
        }
        let is_local = |storage: Storage| matches!(storage, Storage::Local | Storage::Param);
        this.locals = unit.vars.iter().filter(|(_, v)| is_local(v.storage)).map(|(id, _)| id).collect();
        let Holders { made_of, unsteady, locals, .. } = &mut this;
        made_of.retain(|var, pointer| !unsteady.contains(var) && locals.contains(var) && !has_effects(pointer));
        // Nothing else in the pointer may depend on numbers of addresses.
        let unclear = |(_, pointer): &(&VarId, &&Expr)| this.origin(types, pointer).is_none();
        let unclear: Vec<VarId> = this.made_of.iter().filter(unclear).map(|(var, _)| *var).collect();
        this.made_of.retain(|var, _| !unclear.contains(var));
        this.drop_exposed(unit);
        this
    }

    /// Drops the variables whose numeric value is used somewhere.
    fn drop_exposed(&mut self, unit: &'u Unit) {
        while !self.made_of.is_empty() {
            let mut exposed = Vec::new();
            for function in unit.funcs.values() {
                for stmt in function.body.iter().flatten() {
                    walk_stmt(stmt, &mut |node| match node {
                        Node::Expr(e) => {
                            if self.is_steady(&unit.types, e) {
                                return false;
                            }
                            if let Some(var) = loaded(e).filter(|var| self.made_of.contains_key(var)) {
                                exposed.push(var);
                            }
                            true
                        }
                        Node::Declared(..) | Node::Written(_) | Node::Addressed(_) => true,
                    });
                }
            }
            if exposed.is_empty() {
                return;
            }
            for var in exposed {
                self.made_of.remove(&var);
            }
        }
    }

    /// Is this a use of variables in which their numbers do not matter?
    fn is_steady(&self, types: &Types, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Binary(op, a, b) => self.is_the_same_everywhere(types, *op, a, b),
            ExprKind::Compare(op, a, b) => self.compares_the_same_everywhere(types, *op, a, b),
            ExprKind::Convert(inner) => types.is_pointer(e.ty) && loaded(inner).is_some(),
            _ => false,
        }
    }

    /// The pointer that the variable was declared with, if its numeric value is never used.
    pub(super) fn pointer_in(&self, var: VarId) -> Option<&'u Expr> {
        self.made_of.get(&var).copied()
    }

    /// The same of the variable that an expression is.
    pub(super) fn holder(&self, e: &Expr) -> Option<VarId> {
        loaded(e).filter(|var| self.made_of.contains_key(var))
    }

    fn origin(&self, types: &Types, pointer: &Expr) -> Option<Origin> {
        match &pointer.kind {
            ExprKind::AddrOf(place) => {
                let mut place = place;
                loop {
                    match &place.kind {
                        PlaceKind::Field(base, _) => place = base,
                        PlaceKind::Index(base, index) if self.is_plain(types, index) => place = base,
                        PlaceKind::Index(..) => return None,
                        PlaceKind::Deref(pointer) => return self.origin(types, pointer),
                        PlaceKind::Var(var) => return Some(Origin::Object(*var)),
                        PlaceKind::Temp(_) | PlaceKind::Compound(..) => return None,
                    }
                }
            }
            ExprKind::Load(Place { kind: PlaceKind::Var(var), .. }) => Some(Origin::Pointee(*var)),
            ExprKind::PtrAdd { ptr, index, .. } if self.is_plain(types, index) => self.origin(types, ptr),
            ExprKind::Convert(inner) if types.is_pointer(inner.ty) => self.origin(types, inner),
            _ => None,
        }
    }

    /// An expression that does not depend on a numeric address.
    fn is_plain(&self, types: &Types, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Int(_) => true,
            ExprKind::Load(Place { kind: PlaceKind::Var(var), .. }) => !self.made_of.contains_key(var),
            ExprKind::Convert(inner) => types.int_kind(inner.ty).is_some() && self.is_plain(types, inner),
            ExprKind::Binary(_, a, b) => self.is_plain(types, a) && self.is_plain(types, b),
            _ => false,
        }
    }

    /// The pointer that an integer as wide as it was made of, and what that is relative to: `None` if that is not
    /// known, or, for a variable, may have changed since.
    fn address<'e>(&self, types: &Types, e: &'e Expr) -> Option<(&'e Expr, Option<Origin>)>
    where
        'u: 'e,
    {
        let wide = |ty: TypeId| types.int_kind(ty).is_some_and(|k| types.int_size(k) >= types.pointer_size());
        if let Some(pointer) = converted_pointer(types, e) {
            return Some((pointer, self.origin(types, pointer)));
        }
        if let Some(pointer) = self.holder(e).and_then(|var| self.pointer_in(var)) {
            let origin = self.origin(types, pointer).filter(|o| match o {
                Origin::Object(_) => true,
                Origin::Pointee(var) => !self.unsteady.contains(var) && self.locals.contains(var),
            });
            return Some((pointer, origin));
        }
        match &e.kind {
            ExprKind::Convert(inner) if wide(e.ty) && wide(inner.ty) => self.address(types, inner),
            _ => None,
        }
    }

    /// Adds how often the address of each object occurs in a sum; false if the expression is not such a sum.
    fn count(&self, types: &Types, e: &Expr, times: i32, counts: &mut Vec<(Origin, i32)>) -> bool {
        if let Some((_, origin)) = self.address(types, e) {
            let Some(origin) = origin else { return false };
            match counts.iter_mut().find(|(o, _)| *o == origin) {
                Some((_, n)) => *n += times,
                None => counts.push((origin, times)),
            }
            return true;
        }
        match &e.kind {
            _ if self.is_plain(types, e) => true,
            ExprKind::Unary(UnOp::Neg, a) => self.count(types, a, -times, counts),
            ExprKind::Binary(BinOp::Add, a, b) => {
                self.count(types, a, times, counts) && self.count(types, b, times, counts)
            }
            ExprKind::Binary(BinOp::Sub, a, b) => {
                self.count(types, a, times, counts) && self.count(types, b, -times, counts)
            }
            _ => false,
        }
    }

    /// Has this operation on integers the same value wherever objects lie, although addresses are used?
    pub(super) fn is_the_same_everywhere(&self, types: &Types, op: BinOp, a: &Expr, b: &Expr) -> bool {
        if has_effects(a) || has_effects(b) {
            return false;
        }
        let mut counts = Vec::new();
        match op {
            BinOp::Add => {
                self.count(types, a, 1, &mut counts) && self.count(types, b, 1, &mut counts) && cancel(&counts)
            }
            BinOp::Sub => {
                self.count(types, a, 1, &mut counts) && self.count(types, b, -1, &mut counts) && cancel(&counts)
            }
            BinOp::Rem | BinOp::And => {
                let (Some((pointer, _)), ExprKind::Int(n)) = (self.address(types, a), &b.kind) else { return false };
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
    pub(super) fn compares_the_same_everywhere(&self, types: &Types, op: CmpOp, a: &Expr, b: &Expr) -> bool {
        if has_effects(a) || has_effects(b) {
            return false;
        }
        // What a variable holds may be the address of an object that is gone, and another may lie there; but not while
        // the variable that is the object lives.
        let is_alive = |e: &Expr| {
            converted_pointer(types, e).is_some()
                || matches!(self.address(types, e), Some((_, Some(Origin::Object(_)))))
        };
        if matches!(op, CmpOp::Eq | CmpOp::Ne) && is_alive(a) && is_alive(b) {
            return true;
        }
        let is_pointer = |e: &Expr| converted_pointer(types, e).is_some();
        if is_pointer(a) && is_no_object(types, b) || is_pointer(b) && is_no_object(types, a) {
            return true;
        }
        let mut counts = Vec::new();
        self.count(types, a, 1, &mut counts) && self.count(types, b, -1, &mut counts) && cancel(&counts)
    }
}

fn cancel(counts: &[(Origin, i32)]) -> bool {
    !counts.is_empty() && counts.iter().all(|&(_, n)| n == 0)
}

/// The pointer that an integer as wide as it is made of on the spot.
pub(super) fn converted_pointer<'e>(types: &Types, e: &'e Expr) -> Option<&'e Expr> {
    let wide = |ty: TypeId| types.int_kind(ty).is_some_and(|k| types.int_size(k) >= types.pointer_size());
    match &e.kind {
        ExprKind::Convert(inner) if wide(e.ty) && types.is_pointer(inner.ty) => Some(inner),
        ExprKind::Convert(inner) if wide(e.ty) && wide(inner.ty) => converted_pointer(types, inner),
        _ => None,
    }
}

/// What the pointer is a multiple of, going by what it points to.
pub(super) fn alignment(types: &Types, pointer: &Expr) -> u64 {
    let own = types.pointee(pointer.ty).map_or(1, |t| types.align_of(t.id));
    match &pointer.kind {
        ExprKind::Convert(inner) if types.is_pointer(inner.ty) => own.max(alignment(types, inner)),
        _ => own,
    }
}

/// The variable that an expression is the value of.
fn loaded(e: &Expr) -> Option<VarId> {
    match &e.kind {
        ExprKind::Load(Place { kind: PlaceKind::Var(var), .. }) => Some(*var),
        _ => None,
    }
}
