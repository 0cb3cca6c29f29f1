//! Passes that change functions in place.
//!
//! [`Rewrite`] goes through everything below a statement. A pass overrides what it changes: the numbers of types,
//! variables, functions and labels, or whole places, for which it calls [`parts_of_place`] where it leaves them as they
//! are.

use crate::hir::*;
use crate::types::TypeId;

pub(crate) trait Rewrite {
    fn type_id(&self, _ty: &mut TypeId) {}
    fn var_id(&self, _var: &mut VarId) {}
    fn func_id(&self, _func: &mut FuncId) {}
    fn label(&self, _label: &mut LabelId) {}

    fn place(&self, place: &mut Place) {
        parts_of_place(self, place);
    }

    fn init(&self, init: &mut Init) {
        for item in &mut init.items {
            self.type_id(&mut item.ty.id);
            self.expr(&mut item.value);
        }
    }

    fn stmts(&self, stmts: &mut [Stmt]) {
        stmts.iter_mut().for_each(|s| self.stmt(s));
    }

    fn stmt(&self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::Empty | StmtKind::Break | StmtKind::Continue => {}
            StmtKind::Expr(e) | StmtKind::Cleanup(e) | StmtKind::ComputedGoto(e) => self.expr(e),
            StmtKind::Decl(var, init) => {
                self.var_id(var);
                init.iter_mut().for_each(|i| self.init(i));
            }
            StmtKind::Block(stmts) => self.stmts(stmts),
            StmtKind::If(condition, yes, no) => {
                self.expr(condition);
                self.stmt(yes);
                no.iter_mut().for_each(|s| self.stmt(s));
            }
            StmtKind::While(condition, body) | StmtKind::DoWhile(body, condition) => {
                self.expr(condition);
                self.stmt(body);
            }
            StmtKind::For { init, condition, step, body } => {
                self.stmts(init);
                condition.iter_mut().chain(step).for_each(|e| self.expr(e));
                self.stmt(body);
            }
            StmtKind::Switch { value, body, cases, default } => {
                self.expr(value);
                self.stmt(body);
                cases.iter_mut().map(|c| &mut c.2).chain(default).for_each(|l| self.label(l));
            }
            StmtKind::Label(label, body) => {
                self.label(label);
                self.stmt(body);
            }
            StmtKind::Goto(label) => self.label(label),
            StmtKind::Return(value) => value.iter_mut().for_each(|e| self.expr(e)),
            StmtKind::Asm { outputs, inputs, is_empty: _, clobbers_memory: _, has_labels: _ } => {
                outputs.iter_mut().for_each(|p| self.place(p));
                inputs.iter_mut().for_each(|e| self.expr(e));
            }
        }
    }

    fn expr(&self, e: &mut Expr) {
        self.type_id(&mut e.ty);
        match &mut e.kind {
            ExprKind::Int(_) | ExprKind::Float(_) => {}
            ExprKind::Load(place) | ExprKind::AddrOf(place) => self.place(place),
            ExprKind::VaArg(place) | ExprKind::VaStart(place) | ExprKind::VaEnd(place) => self.place(place),
            ExprKind::VaCopy(to, from) => [to, from].into_iter().for_each(|p| self.place(p)),
            ExprKind::Func(func) => self.func_id(func),
            ExprKind::LabelAddr(label) => self.label(label),
            ExprKind::Unary(_, a) | ExprKind::Not(a) | ExprKind::Convert(a) => self.expr(a),
            ExprKind::Binary(_, a, b)
            | ExprKind::Compare(_, a, b)
            | ExprKind::LogAnd(a, b)
            | ExprKind::LogOr(a, b)
            | ExprKind::Comma(a, b) => [a, b].into_iter().for_each(|e| self.expr(e)),
            ExprKind::Elvis { value, var, then, otherwise } => {
                self.var_id(var);
                [value, then, otherwise].into_iter().for_each(|e| self.expr(e));
            }
            ExprKind::Cond(a, b, c)
            | ExprKind::PtrAdd { ptr: a, index: b, size: c, negative: _ }
            | ExprKind::PtrDiff { left: a, right: b, size: c } => [a, b, c].into_iter().for_each(|e| self.expr(e)),
            ExprKind::Assign(place, value) => {
                self.place(place);
                self.expr(value);
            }
            ExprKind::CompoundAssign { op: _, place, rhs, compute } => {
                self.place(place);
                self.expr(rhs);
                self.type_id(compute);
            }
            ExprKind::PtrAssign { place, index, size, negative: _ } => {
                self.place(place);
                [index, size].into_iter().for_each(|e| self.expr(e));
            }
            ExprKind::IncDec { place, increment: _, prefix: _, size } => {
                self.place(place);
                size.iter_mut().for_each(|e| self.expr(e));
            }
            ExprKind::Call { callee, args } => {
                match callee {
                    Callee::Direct(func) => self.func_id(func),
                    Callee::Indirect(e) => self.expr(e),
                }
                args.iter_mut().for_each(|e| self.expr(e));
            }
            ExprKind::StmtExpr(stmts, value) => {
                self.stmts(stmts);
                value.iter_mut().for_each(|e| self.expr(e));
            }
        }
    }
}

/// Goes on below a place.
pub(crate) fn parts_of_place<R: Rewrite + ?Sized>(rewrite: &R, place: &mut Place) {
    rewrite.type_id(&mut place.ty.id);
    match &mut place.kind {
        PlaceKind::Var(var) => rewrite.var_id(var),
        PlaceKind::Deref(e) | PlaceKind::Temp(e) => rewrite.expr(e),
        PlaceKind::Field(base, _) => rewrite.place(base),
        PlaceKind::Index(base, index) => {
            rewrite.place(base);
            rewrite.expr(index);
        }
        PlaceKind::Compound(var, init) => {
            rewrite.var_id(var);
            rewrite.init(init);
        }
    }
}
