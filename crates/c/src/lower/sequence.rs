//! Variables that are changed and used in one expression without an order between the two (C11 6.5p2), as in `i = i++` or `a[i] = i++`.
//!
//! That is undefined. Lowering evaluates from left to right, compilers do as they like, so nothing is said about executions that
//! come there. Only variables that are named count: what two pointers point to is not compared, nor what functions do.

use crate::hir::*;

/// The variables that an expression names.
#[derive(Default)]
struct Accesses {
    read: Vec<VarId>,
    written: Vec<VarId>,
    /// Those that are changed by `++`, `--` or an operator, and not before the value is there.
    pending: Vec<VarId>,
    /// One that is changed and used without an order.
    conflict: Option<VarId>,
}

impl Accesses {
    /// Both happen, in no order.
    fn beside(mut self, other: Accesses) -> Accesses {
        let clash = |writes: &[VarId], to: &Accesses| {
            writes.iter().copied().find(|w| to.read.contains(w) || to.written.contains(w))
        };
        let clash = clash(&self.written, &other).or_else(|| clash(&other.written, &self));
        self.conflict = self.conflict.or(other.conflict).or(clash);
        self.add(other)
    }

    /// Both happen, this one first.
    fn then(mut self, other: Accesses) -> Accesses {
        self.conflict = self.conflict.or(other.conflict);
        self.pending.clear();
        self.add(other)
    }

    fn add(mut self, other: Accesses) -> Accesses {
        self.read.extend(other.read);
        self.written.extend(other.written);
        self.pending.extend(other.pending);
        self
    }

    /// A function is called after all of this.
    fn done(mut self) -> Accesses {
        self.pending.clear();
        self
    }
}

/// A variable that the whole expression changes and uses without an order.
pub(super) fn conflict(e: &Expr) -> Option<VarId> {
    accesses(e).conflict
}

fn accesses(e: &Expr) -> Accesses {
    match &e.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Func(_) | ExprKind::LabelAddr(_) => Accesses::default(),
        ExprKind::Load(place) => {
            let mut inside = inside(place);
            inside.read.extend(variable(place));
            inside
        }
        ExprKind::AddrOf(place) => inside(place),
        ExprKind::Unary(_, a) | ExprKind::Not(a) | ExprKind::Convert(a) => accesses(a),
        ExprKind::Binary(_, a, b) | ExprKind::Compare(_, a, b) => accesses(a).beside(accesses(b)),
        ExprKind::PtrAdd { ptr: a, index: b, .. } | ExprKind::PtrDiff { left: a, right: b, .. } => {
            accesses(a).beside(accesses(b))
        }
        ExprKind::LogAnd(a, b) | ExprKind::LogOr(a, b) | ExprKind::Comma(a, b) => accesses(a).then(accesses(b)),
        ExprKind::Cond(c, a, b) => {
            let (a, b) = (accesses(a), accesses(b));
            let conflict = a.conflict.or(b.conflict);
            let mut either = a.add(b);
            either.conflict = conflict;
            accesses(c).then(either)
        }
        ExprKind::Elvis { value, otherwise, .. } => accesses(value).then(accesses(otherwise)),
        ExprKind::Assign(place, value) => {
            let value = accesses(value);
            let target = variable(place);
            // The new value is stored when both sides are known, but not after what they change.
            let clash = target.filter(|var| value.pending.contains(var));
            let mut both = inside(place).beside(value);
            both.conflict = both.conflict.or(clash);
            both.written.extend(target);
            both
        }
        ExprKind::CompoundAssign { place, rhs: value, .. } | ExprKind::PtrAssign { place, index: value, .. } => {
            let value = accesses(value);
            let target = variable(place);
            let clash = target.filter(|var| value.written.contains(var));
            let mut both = inside(place).beside(value);
            both.conflict = both.conflict.or(clash);
            both.read.extend(target);
            both.written.extend(target);
            both.pending.extend(target);
            both
        }
        ExprKind::IncDec { place, .. } => {
            let target = variable(place);
            let mut all = inside(place);
            all.read.extend(target);
            all.written.extend(target);
            all.pending.extend(target);
            all
        }
        ExprKind::Call { callee, args } => {
            let first = match callee {
                Callee::Direct(_) => Accesses::default(),
                Callee::Indirect(pointer) => accesses(pointer),
            };
            args.iter().fold(first, |all, arg| all.beside(accesses(arg))).done()
        }
        // Statements have their own order, and a list of arguments is nobody's variable.
        ExprKind::StmtExpr(..)
        | ExprKind::VaArg(_)
        | ExprKind::VaStart(_)
        | ExprKind::VaEnd(_)
        | ExprKind::VaCopy(..) => Accesses::default(),
    }
}

/// What finding the place needs.
fn inside(place: &Place) -> Accesses {
    match &place.kind {
        PlaceKind::Var(_) | PlaceKind::Compound(..) => Accesses::default(),
        PlaceKind::Deref(e) | PlaceKind::Temp(e) => accesses(e),
        PlaceKind::Field(base, _) => inside(base),
        PlaceKind::Index(base, index) => inside(base).beside(accesses(index)),
    }
}

/// The variable that a place is, as a whole.
fn variable(place: &Place) -> Option<VarId> {
    match place.kind {
        PlaceKind::Var(var) => Some(var),
        _ => None,
    }
}
