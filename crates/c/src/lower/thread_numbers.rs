//! Numbers of threads that are used as numbers.
//!
//! Lowering numbers threads as they are created ([`super::threads`]). To a program a `pthread_t` is nothing but a name:
//! it may be copied, given to the thread library, and compared with another one for equality. What else a program does
//! with it depends on numbers that are not modelled, so those uses are searched for: where names come from and go to,
//! flow-insensitively.

use rustc_hash::FxHashSet;

use super::reachability::Reachability;
use crate::annotate;
use crate::hir::*;
use crate::types::TypeId;
use crate::visit::{Visit, parts_of_expr, parts_of_place, parts_of_stmt, root};

/// Expressions whose values are used as numbers.
pub(super) type Numbers = FxHashSet<*const Expr>;

pub(super) fn uses(unit: &Unit, reach: &Reachability) -> Numbers {
    const NAMING: [&str; 4] = ["pthread_create", "thrd_create", "pthread_self", "thrd_current"];
    if !reach.mentioned.iter().any(|f| NAMING.contains(&&*unit.funcs[*f].name)) {
        return Numbers::default();
    }
    let mut scan = Scan { unit, names: FxHashSet::default(), function: None, uses: None };
    loop {
        let before = scan.names.len();
        scan.functions(reach);
        if scan.names.len() == before {
            break;
        }
    }
    scan.uses = Some(Numbers::default());
    scan.functions(reach);
    scan.uses.unwrap_or_default()
}

/// What holds the name of a thread.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Holder {
    /// A variable, or what has this type in it.
    Variable(VarId, TypeId),
    /// A member of a record somewhere.
    Member(TypeId, u32),
    /// What a pointer variable points to.
    Target(VarId),
    /// The result of a function.
    Result(FuncId),
}

struct Scan<'a> {
    unit: &'a Unit,
    names: FxHashSet<Holder>,
    function: Option<FuncId>,
    /// `None`: the search for names is not finished.
    uses: Option<Numbers>,
}

fn holder(place: &Place) -> Option<Holder> {
    match (root(place), &place.kind) {
        (Some(var), _) => Some(Holder::Variable(var, place.ty.id)),
        (None, PlaceKind::Field(base, n)) => Some(Holder::Member(base.ty.id, *n)),
        (None, PlaceKind::Index(base, _)) => holder(base),
        (None, PlaceKind::Deref(pointer)) => match &pointer.without_conversions().kind {
            ExprKind::Load(place) => match place.kind {
                PlaceKind::Var(var) => Some(Holder::Target(var)),
                _ => None,
            },
            ExprKind::AddrOf(place) => holder(place),
            ExprKind::PtrAdd { ptr, .. } => match &ptr.without_conversions().kind {
                ExprKind::Load(place) => root(place).map(Holder::Target),
                ExprKind::AddrOf(place) => root(place).map(|var| Holder::Variable(var, place.ty.id)),
                _ => None,
            },
            _ => None,
        },
        (None, _) => None,
    }
}

impl Scan<'_> {
    fn functions(&mut self, reach: &Reachability) {
        for &func in reach.functions.iter().filter(|f| !self.unit.funcs[**f].is_library) {
            self.function = Some(func);
            self.unit.funcs[func].body.iter().for_each(|body| self.stmts(body));
        }
    }

    /// Is the value the name of a thread?
    fn is_name(&self, e: &Expr) -> bool {
        match &e.without_conversions().kind {
            ExprKind::Call { callee: Callee::Direct(func), .. } => {
                let is_own = matches!(&*self.unit.funcs[*func].name, "pthread_self" | "thrd_current");
                is_own || self.names.contains(&Holder::Result(*func))
            }
            ExprKind::Load(place) => holder(place).is_some_and(|h| self.names.contains(&h)),
            ExprKind::Assign(_, value) | ExprKind::Comma(_, value) => self.is_name(value),
            _ => false,
        }
    }

    fn copied(&mut self, value: &Expr, to: Option<Holder>) {
        if let Some(to) = to
            && self.is_name(value)
        {
            self.names.insert(to);
        }
    }

    /// A value is used as a number.
    fn used(&mut self, e: &Expr) {
        if self.is_name(e)
            && let Some(uses) = &mut self.uses
        {
            uses.insert(std::ptr::from_ref(e));
        }
    }

    fn call(&mut self, func: FuncId, args: &[Expr]) {
        let function = &self.unit.funcs[func];
        if matches!(&*function.name, "pthread_create" | "thrd_create") {
            match args.first().map(|a| &a.without_conversions().kind) {
                Some(ExprKind::AddrOf(place)) => self.names.extend(holder(place)),
                Some(ExprKind::Load(place)) => self.names.extend(root(place).map(Holder::Target)),
                _ => {}
            }
        }
        if function.body.is_some() && !function.is_library {
            for (&param, arg) in function.params.iter().zip(args) {
                self.copied(arg, Some(Holder::Variable(param, self.unit.vars[param].ty.id)));
                // Where a name is, is passed on.
                if let ExprKind::AddrOf(place) = &arg.without_conversions().kind
                    && holder(place).is_some_and(|h| self.names.contains(&h))
                {
                    self.names.insert(Holder::Target(param));
                }
            }
        }
    }
}

impl<'n> Visit<'n> for Scan<'_> {
    fn stmt(&mut self, stmt: &'n Stmt) {
        match &stmt.kind {
            StmtKind::If(c, ..)
            | StmtKind::While(c, _)
            | StmtKind::DoWhile(_, c)
            | StmtKind::Switch { value: c, .. } => {
                self.used(c);
            }
            StmtKind::For { condition: Some(c), .. } => self.used(c),
            StmtKind::Return(Some(value)) => {
                let result = self.function.map(Holder::Result);
                self.copied(value, result);
            }
            StmtKind::Decl(var, Some(init)) => {
                for item in &init.items {
                    self.copied(&item.value, Some(Holder::Variable(*var, item.ty.id)));
                }
            }
            _ => {}
        }
        parts_of_stmt(self, stmt);
    }
    fn expr(&mut self, e: &'n Expr) {
        match &e.kind {
            ExprKind::Binary(_, a, b) | ExprKind::LogAnd(a, b) | ExprKind::LogOr(a, b) => {
                self.used(a);
                self.used(b);
            }
            ExprKind::Compare(op, a, b) => {
                let is_equality = matches!(op, CmpOp::Eq | CmpOp::Ne);
                if !(is_equality && self.is_name(a) && self.is_name(b)) {
                    self.used(a);
                    self.used(b);
                }
            }
            ExprKind::Unary(_, a) | ExprKind::Not(a) | ExprKind::Cond(a, ..) => self.used(a),
            ExprKind::PtrAdd { index, .. } => self.used(index),
            ExprKind::CompoundAssign { rhs, .. } => self.used(rhs),
            ExprKind::Assign(place, value) => self.copied(value, holder(place)),
            ExprKind::Call { callee: Callee::Direct(func), args } => {
                // What a witness or a formula says is in the numbers of lowering.
                let name = &self.unit.funcs[*func].name;
                if [annotate::NOTE, annotate::PROPOSITION].iter().any(|p| name.starts_with(p)) {
                    return;
                }
                self.call(*func, args);
            }
            _ => {}
        }
        parts_of_expr(self, e);
    }
    fn place(&mut self, place: &'n Place) {
        // A thread-local variable is an array that names are indices of.
        if let PlaceKind::Index(base, index) = &place.kind
            && !matches!(base.kind, PlaceKind::Var(var) if self.unit.vars[var].per_thread)
        {
            self.used(index);
        }
        parts_of_place(self, place);
    }
}
