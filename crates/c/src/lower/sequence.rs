//! Variables that are changed and used in one expression without an order between the two (C11 6.5p2), as in `i = i++` or `a[i] = i++`.
//!
//! That is undefined; where functions that are called do one or the other, as in `f() + g()`, the order is unspecified. Lowering evaluates from
//! left to right, compilers do as they like, so nothing is said about executions that come there. Only variables that are named count, of
//! functions those with static storage: what two pointers point to is not compared.

use base::IdVec;
use rustc_hash::FxHashSet;

use super::addresses::{Node, root, walk_stmt};
use crate::hir::*;

/// The variables with static storage that each function names, itself or by what it calls.
pub(super) struct Effects {
    read: IdVec<FuncId, FxHashSet<VarId>>,
    written: IdVec<FuncId, FxHashSet<VarId>>,
    /// What an indirect call may call.
    address_taken: Vec<FuncId>,
}

impl Effects {
    pub(super) fn of(unit: &Unit, address_taken: &[FuncId]) -> Effects {
        let is_static = |var: &VarId| matches!(unit.vars[*var].storage, Storage::Static { .. });
        let mut read: IdVec<FuncId, FxHashSet<VarId>> = unit.funcs.ids().map(|_| FxHashSet::default()).collect();
        let mut written: IdVec<FuncId, FxHashSet<VarId>> = unit.funcs.ids().map(|_| FxHashSet::default()).collect();
        let mut calls: Vec<(FuncId, FuncId)> = Vec::new();
        for (func, function) in unit.funcs.iter() {
            for stmt in function.body.iter().flatten() {
                walk_stmt(stmt, &mut |node| {
                    match node {
                        Node::Written(place) => {
                            written[func].extend(root(place).filter(is_static));
                        }
                        Node::Expr(e) => match &e.kind {
                            ExprKind::Load(place) => {
                                read[func].extend(root(place).filter(is_static));
                            }
                            ExprKind::Call { callee: Callee::Direct(callee), .. } => calls.push((func, *callee)),
                            ExprKind::Call { callee: Callee::Indirect(_), .. } => {
                                calls.extend(address_taken.iter().map(|&callee| (func, callee)));
                            }
                            _ => {}
                        },
                        Node::Declared(..) | Node::Addressed(_) => {}
                    }
                    true
                });
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for &(caller, callee) in &calls {
                for sets in [&mut read, &mut written] {
                    let more: Vec<VarId> = sets[callee].difference(&sets[caller]).copied().collect();
                    changed |= !more.is_empty();
                    sets[caller].extend(more);
                }
            }
        }
        Effects { read, written, address_taken: address_taken.to_vec() }
    }

    fn call(&self, callee: &Callee) -> Accesses {
        let targets = match callee {
            Callee::Direct(func) => std::slice::from_ref(func),
            Callee::Indirect(_) => &self.address_taken,
        };
        let all = |sets: &IdVec<FuncId, FxHashSet<VarId>>| {
            let mut vars: Vec<VarId> = targets.iter().flat_map(|&f| sets[f].iter().copied()).collect();
            vars.sort();
            vars
        };
        Accesses { read: all(&self.read), written: all(&self.written), ..Accesses::default() }
    }
}

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
pub(super) fn conflict(effects: &Effects, e: &Expr) -> Option<VarId> {
    effects.accesses(e).conflict
}

/// Are both the same call, so that it does not matter which comes first if their results are treated alike?
fn are_alike(a: &Expr, b: &Expr) -> bool {
    let call = |e: &Expr| match &e.kind {
        ExprKind::Call { callee: Callee::Direct(func), args } => {
            let numbers = args.iter().map(|arg| match arg.kind {
                ExprKind::Int(n) => Some(n),
                _ => None,
            });
            Some((*func, numbers.collect::<Option<Vec<i128>>>()?))
        }
        _ => None,
    };
    call(a).is_some_and(|a| Some(a) == call(b))
}

impl Effects {
    fn accesses(&self, e: &Expr) -> Accesses {
        match &e.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Func(_) | ExprKind::LabelAddr(_) => Accesses::default(),
            ExprKind::Load(place) => {
                let mut inside = self.inside(place);
                inside.read.extend(variable(place));
                inside
            }
            ExprKind::AddrOf(place) => self.inside(place),
            ExprKind::Unary(_, a) | ExprKind::Not(a) | ExprKind::Convert(a) => self.accesses(a),
            ExprKind::Binary(BinOp::Add | BinOp::Mul | BinOp::And | BinOp::Or | BinOp::Xor, a, b)
                if are_alike(a, b) =>
            {
                self.accesses(a).then(self.accesses(b))
            }
            ExprKind::Compare(CmpOp::Eq | CmpOp::Ne, a, b) if are_alike(a, b) => {
                self.accesses(a).then(self.accesses(b))
            }
            ExprKind::Binary(_, a, b) | ExprKind::Compare(_, a, b) => self.accesses(a).beside(self.accesses(b)),
            ExprKind::PtrAdd { ptr: a, index: b, .. } | ExprKind::PtrDiff { left: a, right: b, .. } => {
                self.accesses(a).beside(self.accesses(b))
            }
            ExprKind::LogAnd(a, b) | ExprKind::LogOr(a, b) | ExprKind::Comma(a, b) => {
                self.accesses(a).then(self.accesses(b))
            }
            ExprKind::Cond(c, a, b) => {
                let (a, b) = (self.accesses(a), self.accesses(b));
                let conflict = a.conflict.or(b.conflict);
                let mut either = a.add(b);
                either.conflict = conflict;
                self.accesses(c).then(either)
            }
            ExprKind::Elvis { value, otherwise, .. } => self.accesses(value).then(self.accesses(otherwise)),
            ExprKind::Assign(place, value) => {
                let value = self.accesses(value);
                let target = variable(place);
                // The new value is stored when both sides are known, but not after what they change.
                let clash = target.filter(|var| value.pending.contains(var));
                let mut both = self.inside(place).beside(value);
                both.conflict = both.conflict.or(clash);
                both.written.extend(target);
                both
            }
            ExprKind::CompoundAssign { place, rhs: value, .. } | ExprKind::PtrAssign { place, index: value, .. } => {
                let value = self.accesses(value);
                let target = variable(place);
                let clash = target.filter(|var| value.written.contains(var));
                let mut both = self.inside(place).beside(value);
                both.conflict = both.conflict.or(clash);
                both.read.extend(target);
                both.written.extend(target);
                both.pending.extend(target);
                both
            }
            ExprKind::IncDec { place, .. } => {
                let target = variable(place);
                let mut all = self.inside(place);
                all.read.extend(target);
                all.written.extend(target);
                all.pending.extend(target);
                all
            }
            ExprKind::Call { callee, args } => {
                let first = match callee {
                    Callee::Direct(_) => Accesses::default(),
                    Callee::Indirect(pointer) => self.accesses(pointer),
                };
                args.iter().fold(first, |all, arg| all.beside(self.accesses(arg))).done().then(self.call(callee))
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
    fn inside(&self, place: &Place) -> Accesses {
        match &place.kind {
            PlaceKind::Var(_) | PlaceKind::Compound(..) => Accesses::default(),
            PlaceKind::Deref(e) | PlaceKind::Temp(e) => self.accesses(e),
            PlaceKind::Field(base, _) => self.inside(base),
            PlaceKind::Index(base, index) => self.inside(base).beside(self.accesses(index)),
        }
    }
}

/// The variable that a place is, as a whole.
fn variable(place: &Place) -> Option<VarId> {
    match place.kind {
        PlaceKind::Var(var) => Some(var),
        _ => None,
    }
}
