//! Passes that look at functions. ([`crate::rewrite`] is for those that change them.)
//!
//! [`Visit`] goes through everything below a statement. A pass overrides what it looks at, and calls `parts_of_…` to go
//! on below it. [`walk_stmt`] does the same for those who need no more than a closure.

use crate::hir::*;

pub(crate) trait Visit<'n> {
    /// A variable is declared; its initialiser is visited after this.
    fn declared(&mut self, _var: VarId, _init: Option<&'n Init>) {}
    /// A place is written; it is visited as well.
    fn written(&mut self, _place: &'n Place) {}
    /// The address of a place is taken; it is visited as well.
    fn addressed(&mut self, _place: &'n Place) {}

    fn stmt(&mut self, stmt: &'n Stmt) {
        parts_of_stmt(self, stmt);
    }
    fn expr(&mut self, e: &'n Expr) {
        parts_of_expr(self, e);
    }
    fn place(&mut self, place: &'n Place) {
        parts_of_place(self, place);
    }
    fn stmts(&mut self, stmts: &'n [Stmt]) {
        stmts.iter().for_each(|s| self.stmt(s));
    }
    fn init(&mut self, init: &'n Init) {
        init.items.iter().for_each(|item| self.expr(&item.value));
    }
}

/// Visits what a statement is made of, in the order of the text but for assignments: the value before the place.
pub(crate) fn parts_of_stmt<'n, V: Visit<'n> + ?Sized>(visit: &mut V, stmt: &'n Stmt) {
    match &stmt.kind {
        StmtKind::Empty | StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue | StmtKind::Return(None) => {}
        StmtKind::Expr(e) | StmtKind::Cleanup(e) | StmtKind::ComputedGoto(e) | StmtKind::Return(Some(e)) => {
            visit.expr(e)
        }
        StmtKind::Decl(var, init) => {
            visit.declared(*var, init.as_ref());
            init.iter().for_each(|i| visit.init(i));
        }
        StmtKind::Block(stmts) => visit.stmts(stmts),
        StmtKind::If(c, then, otherwise) => {
            visit.expr(c);
            visit.stmt(then);
            otherwise.iter().for_each(|s| visit.stmt(s));
        }
        StmtKind::While(c, body) | StmtKind::DoWhile(body, c) => {
            visit.expr(c);
            visit.stmt(body);
        }
        StmtKind::For { init, condition, step, body } => {
            visit.stmts(init);
            condition.iter().chain(step).for_each(|e| visit.expr(e));
            visit.stmt(body);
        }
        StmtKind::Switch { value, body, .. } => {
            visit.expr(value);
            visit.stmt(body);
        }
        StmtKind::Label(_, body) => visit.stmt(body),
        StmtKind::Asm { outputs, inputs, .. } => {
            for place in outputs {
                visit.written(place);
                visit.place(place);
            }
            inputs.iter().for_each(|e| visit.expr(e));
        }
    }
}

pub(crate) fn parts_of_place<'n, V: Visit<'n> + ?Sized>(visit: &mut V, place: &'n Place) {
    match &place.kind {
        PlaceKind::Var(_) => {}
        PlaceKind::Deref(e) | PlaceKind::Temp(e) => visit.expr(e),
        PlaceKind::Field(base, _) => visit.place(base),
        PlaceKind::Index(base, index) => {
            visit.place(base);
            visit.expr(index);
        }
        PlaceKind::Compound(var, init) => {
            visit.declared(*var, Some(init));
            visit.init(init);
        }
    }
}

pub(crate) fn parts_of_expr<'n, V: Visit<'n> + ?Sized>(visit: &mut V, e: &'n Expr) {
    match &e.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Func(_) | ExprKind::LabelAddr(_) => {}
        ExprKind::Load(place) => visit.place(place),
        ExprKind::AddrOf(place) => {
            visit.addressed(place);
            visit.place(place);
        }
        ExprKind::Unary(_, a) | ExprKind::Not(a) | ExprKind::Convert(a) => visit.expr(a),
        ExprKind::Binary(_, a, b)
        | ExprKind::Compare(_, a, b)
        | ExprKind::LogAnd(a, b)
        | ExprKind::LogOr(a, b)
        | ExprKind::Comma(a, b) => {
            visit.expr(a);
            visit.expr(b);
        }
        ExprKind::Cond(a, b, c) => [a, b, c].into_iter().for_each(|e| visit.expr(e)),
        ExprKind::Elvis { value, then, otherwise, .. } => {
            [value, then, otherwise].into_iter().for_each(|e| visit.expr(e));
        }
        ExprKind::PtrAdd { ptr: a, index: b, size: c, .. } | ExprKind::PtrDiff { left: a, right: b, size: c } => {
            [a, b, c].into_iter().for_each(|e| visit.expr(e));
        }
        ExprKind::Assign(place, value) => {
            visit.written(place);
            visit.expr(value);
            visit.place(place);
        }
        ExprKind::CompoundAssign { place, rhs, .. } => {
            visit.written(place);
            visit.expr(rhs);
            visit.place(place);
        }
        ExprKind::PtrAssign { place, index, size, .. } => {
            visit.written(place);
            visit.expr(index);
            visit.expr(size);
            visit.place(place);
        }
        ExprKind::IncDec { place, size, .. } => {
            visit.written(place);
            size.iter().for_each(|e| visit.expr(e));
            visit.place(place);
        }
        ExprKind::Call { callee, args } => {
            if let Callee::Indirect(pointer) = callee {
                visit.expr(pointer);
            }
            args.iter().for_each(|e| visit.expr(e));
        }
        ExprKind::StmtExpr(stmts, value) => {
            visit.stmts(stmts);
            value.iter().for_each(|e| visit.expr(e));
        }
        ExprKind::VaArg(place) | ExprKind::VaStart(place) | ExprKind::VaEnd(place) => {
            visit.written(place);
            visit.place(place);
        }
        ExprKind::VaCopy(to, from) => {
            visit.written(to);
            visit.place(to);
            visit.place(from);
        }
    }
}

/// What a walk over a function meets.
pub(crate) enum Node<'n> {
    Declared(VarId, Option<&'n Init>),
    Written(&'n Place),
    Addressed(&'n Place),
    Expr(&'n Expr),
}

/// Shows everything in a statement to `visit`, which says of an expression whether to go into it.
pub(crate) fn walk_stmt<'n>(stmt: &'n Stmt, visit: &mut dyn FnMut(Node<'n>) -> bool) {
    Shown(visit).stmt(stmt);
}

struct Shown<'v, 'n>(&'v mut dyn FnMut(Node<'n>) -> bool);

impl<'n> Visit<'n> for Shown<'_, 'n> {
    fn declared(&mut self, var: VarId, init: Option<&'n Init>) {
        (self.0)(Node::Declared(var, init));
    }
    fn written(&mut self, place: &'n Place) {
        (self.0)(Node::Written(place));
    }
    fn addressed(&mut self, place: &'n Place) {
        (self.0)(Node::Addressed(place));
    }
    fn expr(&mut self, e: &'n Expr) {
        if (self.0)(Node::Expr(e)) {
            parts_of_expr(self, e);
        }
    }
}

/// Does a variable occur in a body?
pub(crate) fn mentions(body: &[Stmt], var: VarId) -> bool {
    struct Search(VarId, bool);
    impl<'n> Visit<'n> for Search {
        fn place(&mut self, place: &'n Place) {
            self.1 |= matches!(place.kind, PlaceKind::Var(v) if v == self.0);
            parts_of_place(self, place);
        }
    }
    let mut search = Search(var, false);
    search.stmts(body);
    search.1
}

/// The variable that a place is a part of.
pub(crate) fn root(place: &Place) -> Option<VarId> {
    match &place.kind {
        PlaceKind::Var(var) => Some(*var),
        PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => root(base),
        PlaceKind::Deref(_) | PlaceKind::Temp(_) | PlaceKind::Compound(..) => None,
    }
}
