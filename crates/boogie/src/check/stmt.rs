//! Statements: targets of assignments, calls, labels and jumps.

use super::{Checker, Map};
use crate::ast::{self, Ident};
use crate::typed::*;
use crate::types::*;
use base::Span;

/// What holds inside one implementation.
pub(super) struct BodyContext {
    pub(super) modifies: Vec<VarId>,
    pub(super) proc_name: String,
    pub(super) labels: Map<String, Span>,
    /// Labels of the enclosing statements, for `break`.
    pub(super) enclosing: Vec<String>,
    pub(super) loops: usize,
}

impl Checker {
    /// `assert {:verified_under A} P` asserts `A || P`: somebody else has verified it where `A` holds.
    fn asserted(&mut self, attrs: &[ast::Attribute], expr: &ast::Expr) -> Expr {
        let mut formula = self.formula(expr);
        for attr in attrs.iter().filter(|a| a.name == "verified_under") {
            let [ast::AttributeArg::Expr(under)] = &attr.args[..] else { continue };
            let under = self.formula(under);
            let (ty, span) = (formula.ty, formula.span);
            formula = Expr { kind: ExprKind::Binary(ast::BinaryOp::Or, vec![under, formula]), ty, span };
        }
        formula
    }

    pub(super) fn collect_labels(&mut self, block: &ast::Block, context: &mut BodyContext) {
        for stmt in &block.stmts {
            match &stmt.kind {
                ast::StmtKind::Label(label) => {
                    if let Some(&first) = context.labels.get(&label.name) {
                        self.duplicate("the label", &label.name, label.span.0, first);
                    }
                    context.labels.insert(label.name.clone(), label.span.0);
                }
                ast::StmtKind::Atomic(body) | ast::StmtKind::While { body, .. } => self.collect_labels(body, context),
                ast::StmtKind::If { branches, otherwise } => {
                    for (_, block) in branches {
                        self.collect_labels(block, context);
                    }
                    if let Some(block) = otherwise {
                        self.collect_labels(block, context);
                    }
                }
                ast::StmtKind::Assert { .. }
                | ast::StmtKind::Assume { .. }
                | ast::StmtKind::Havoc(_)
                | ast::StmtKind::Assign { .. }
                | ast::StmtKind::Unpack { .. }
                | ast::StmtKind::Advice(_)
                | ast::StmtKind::Call { .. }
                | ast::StmtKind::CallForall { .. }
                | ast::StmtKind::Fork { .. }
                | ast::StmtKind::Join { .. }
                | ast::StmtKind::Goto(_)
                | ast::StmtKind::Break(_)
                | ast::StmtKind::Return => {}
            }
        }
    }

    pub(super) fn block(&mut self, block: &ast::Block, context: &mut BodyContext) -> Vec<Stmt> {
        let mut out = Vec::new();
        // Labels directly before a statement name it for `break`.
        let n_enclosing = context.enclosing.len();
        for stmt in &block.stmts {
            if let ast::StmtKind::Label(label) = &stmt.kind {
                context.enclosing.push(label.name.clone());
            }
            if let Some(kind) = self.stmt(stmt, context) {
                out.push(Stmt { kind, span: stmt.span.0 });
            }
            if !matches!(stmt.kind, ast::StmtKind::Label(_)) {
                context.enclosing.truncate(n_enclosing);
            }
        }
        context.enclosing.truncate(n_enclosing);
        out
    }

    pub(super) fn stmt(&mut self, stmt: &ast::Stmt, context: &mut BodyContext) -> Option<StmtKind> {
        let span = stmt.span.0;
        Some(match &stmt.kind {
            ast::StmtKind::Label(label) => StmtKind::Label(label.name.clone()),
            ast::StmtKind::Assert { attrs, expr } => {
                self.refuse(attrs, &["only"]);
                StmtKind::Assert(self.asserted(attrs, expr))
            }
            ast::StmtKind::Assume { attrs, expr } => {
                self.refuse(attrs, &["start_checking_here"]);
                StmtKind::Assume(self.formula(expr))
            }
            ast::StmtKind::Havoc(names) => {
                StmtKind::Havoc(names.iter().filter_map(|n| self.target(n, context)).collect())
            }
            ast::StmtKind::Assign { lhs, rhs } => self.assign(lhs, rhs, span, context)?,
            ast::StmtKind::Unpack { constructor, vars, value } => {
                self.unpack(constructor, vars, value, span, context)?
            }
            ast::StmtKind::Advice(_) => return None,
            ast::StmtKind::Call { attrs, free, lhs, callee, args } => {
                self.refuse(attrs, &["verified_under"]);
                let args: Vec<Option<&ast::Expr>> = args.iter().map(Some).collect();
                let call = self.call(callee, &args, Some(lhs), true, context);
                self.finish_holes();
                let (callee, type_args, args, lhs) = call?;
                let args = args.into_iter().flatten().collect();
                StmtKind::Call { free: *free, lhs, callee, type_args, args }
            }
            ast::StmtKind::CallForall { callee, args, .. } => {
                let args: Vec<Option<&ast::Expr>> = args.iter().map(Option::as_ref).collect();
                let call = self.call(callee, &args, None, true, context);
                self.finish_holes();
                let (callee_id, type_args, args, _) = call?;
                if !self.program.procs[callee_id].returns.is_empty()
                    || !self.program.procs[callee_id].modifies.is_empty()
                {
                    self.error(callee.span.0, "`call forall` needs a procedure without results that modifies nothing");
                }
                StmtKind::CallForall { callee: callee_id, type_args, args }
            }
            ast::StmtKind::Fork { id, callee, args } => {
                let id: Vec<Expr> = id.iter().map(|e| self.expr(e)).collect();
                let args: Vec<Option<&ast::Expr>> = args.iter().map(Some).collect();
                // The thread's writes are checked where the thread is declared.
                let call = self.call(callee, &args, None, false, context);
                self.finish_holes();
                let (callee, type_args, args, _) = call?;
                StmtKind::Fork { id, callee, type_args, args: args.into_iter().flatten().collect() }
            }
            ast::StmtKind::Join { id, lhs } => {
                let id: Vec<Expr> = id.iter().map(|e| self.expr(e)).collect();
                self.finish_holes();
                let lhs = lhs.iter().filter_map(|n| self.target(n, context)).collect();
                StmtKind::Join { id, lhs }
            }
            ast::StmtKind::Atomic(block) => StmtKind::Atomic(self.block(block, context)),
            ast::StmtKind::If { branches, otherwise } => {
                let mut out = Vec::new();
                for (guard, block) in branches {
                    out.push((self.guard(guard), self.block(block, context)));
                }
                let otherwise = otherwise.as_ref().map(|block| self.block(block, context));
                StmtKind::If { branches: out, otherwise }
            }
            ast::StmtKind::While { guard, invariants, body } => {
                let guard = self.guard(guard);
                let invariants = invariants.iter().map(|c| self.condition(c)).collect();
                context.loops += 1;
                let body = self.block(body, context);
                context.loops -= 1;
                StmtKind::While { guard, invariants, body }
            }
            ast::StmtKind::Goto(labels) => {
                for label in labels {
                    if !context.labels.contains_key(&label.name) {
                        self.error(label.span.0, format!("there is no label `{}` in this procedure", label.name));
                    }
                }
                StmtKind::Goto(labels.iter().map(|l| (l.name.clone(), l.span.0)).collect())
            }
            ast::StmtKind::Break(None) => {
                if context.loops == 0 {
                    self.error(span, "`break` outside of a loop");
                }
                StmtKind::Break(None)
            }
            ast::StmtKind::Break(Some(label)) => {
                if !context.enclosing.contains(&label.name) {
                    self.error(label.span.0, format!("no enclosing statement has the label `{}`", label.name));
                }
                StmtKind::Break(Some(label.name.clone()))
            }
            ast::StmtKind::Return => StmtKind::Return,
        })
    }

    pub(super) fn guard(&mut self, guard: &ast::Guard) -> Option<Expr> {
        match guard {
            ast::Guard::Any => None,
            ast::Guard::Expr(e) => Some(self.formula(e)),
        }
    }

    /// A variable that is about to change.
    pub(super) fn target(&mut self, name: &Ident, context: &BodyContext) -> Option<VarId> {
        let span = name.span.0;
        let Some(var) = self.lookup(&name.name) else {
            self.error(span, format!("there is no variable `{}`", name.name));
            return None;
        };
        match self.program.vars[var].kind {
            VarKind::Local | VarKind::Return => {}
            VarKind::Global => {
                if context.modifies.binary_search(&var).is_err() {
                    let message = format!(
                        "`{}` is changed here, but the `modifies` clause of `{}` does not name it",
                        name.name, context.proc_name
                    );
                    self.warning(span, message);
                }
            }
            VarKind::Const { .. } => self.error(span, format!("the constant `{}` cannot be changed", name.name)),
            VarKind::Param => self.error(span, format!("the parameter `{}` cannot be changed", name.name)),
            VarKind::Bound => self.error(span, format!("the bound variable `{}` cannot be changed", name.name)),
        }
        Some(var)
    }

    pub(super) fn assign(
        &mut self,
        lhs: &[ast::Lhs],
        rhs: &[ast::Expr],
        span: Span,
        context: &BodyContext,
    ) -> Option<StmtKind> {
        if lhs.len() != rhs.len() {
            let message = format!("{} target(s), but {} value(s)", lhs.len(), rhs.len());
            self.error(span, message);
            return None;
        }
        let mut out: Vec<(VarId, Expr)> = Vec::new();
        for (lhs, rhs) in lhs.iter().zip(rhs) {
            let var = self.target(&lhs.base, context);
            let value = self.expr(rhs);
            let Some(var) = var else { continue };
            if out.iter().any(|(v, _)| *v == var) {
                self.error(lhs.span.0, format!("`{}` is assigned twice in one statement", lhs.base.name));
                continue;
            }
            let ty = self.program.vars[var].ty;
            let old = Expr { kind: ExprKind::Var(var), ty, span: lhs.base.span.0 };
            let value = self.update(old, &lhs.path, value, lhs.span.0);
            out.push((var, value));
        }
        self.finish_holes();
        Some(StmtKind::Assign(out))
    }

    /// `C(x, y) := e`: asserts `e is C` and assigns its fields.
    fn unpack(
        &mut self,
        constructor: &Ident,
        vars: &[Ident],
        value: &ast::Expr,
        span: Span,
        context: &BodyContext,
    ) -> Option<StmtKind> {
        let value = self.expr(value);
        self.finish_holes();
        let index = self.constructor_of(&value, constructor)?;
        let Ty::Ctor(ctor, args) = self.program.types.view(value.ty).clone() else { return None };
        let declared = self.program.ctors[ctor].datatype.as_ref()?[index].clone();
        if declared.fields.len() != vars.len() {
            let message = format!("`{}` has {} field(s), not {}", declared.name, declared.fields.len(), vars.len());
            self.error(span, message);
            return None;
        }
        let mut pairs: Vec<(VarId, Expr)> = Vec::new();
        for (i, (name, (_, ty))) in vars.iter().zip(&declared.fields).enumerate() {
            let Some(var) = self.target(name, context) else { continue };
            if pairs.iter().any(|(v, _)| *v == var) {
                self.error(name.span.0, format!("`{}` is assigned twice in one statement", name.name));
            }
            let ty = self.program.types.subst(*ty, &declared.type_params, &args);
            let kind = ExprKind::Member { base: Box::new(value.clone()), places: vec![(index, i)] };
            let part = Expr { kind, ty, span };
            self.fits(&part, self.program.vars[var].ty, "this field");
            pairs.push((var, part));
        }
        let bool_ty = self.mk(Ty::Bool);
        let is = Expr { kind: ExprKind::Is(Box::new(value), index), ty: bool_ty, span };
        let stmt = |kind| Stmt { kind, span };
        Some(StmtKind::Sequence(vec![stmt(StmtKind::Assert(is)), stmt(StmtKind::Assign(pairs))]))
    }

    /// `base` with the part that `path` leads to replaced by `value`.
    pub(super) fn update(&mut self, base: Expr, path: &[ast::Access], value: Expr, span: Span) -> Expr {
        let Some((first, rest)) = path.split_first() else {
            self.fits(&value, base.ty, "the assigned value");
            return value;
        };
        let ty = base.ty;
        match first {
            ast::Access::Index(index) => {
                let index: Vec<Expr> = index.iter().map(|e| self.expr(e)).collect();
                let Some((range, type_args)) = self.map_range(&base, &index, span) else {
                    return self.error_expr(span);
                };
                let kind = ExprKind::Select {
                    map: Box::new(base.clone()),
                    type_args: type_args.clone(),
                    index: index.clone(),
                };
                let part = Expr { kind, ty: range, span };
                let value = Box::new(self.update(part, rest, value, span));
                Expr { kind: ExprKind::Store { map: Box::new(base), type_args, index, value }, ty, span }
            }
            ast::Access::Member(name) => {
                let Some((places, field_ty)) = self.member(&base, name) else { return self.error_expr(span) };
                let kind = ExprKind::Member { base: Box::new(base.clone()), places: places.clone() };
                let part = Expr { kind, ty: field_ty, span };
                let value = Box::new(self.update(part, rest, value, span));
                Expr { kind: ExprKind::WithMember { base: Box::new(base), places, value }, ty, span }
            }
            ast::Access::Field(name) => {
                let Some((field, field_ty)) = self.field(&base, name) else { return self.error_expr(span) };
                let part = Expr { kind: ExprKind::Field(Box::new(base.clone()), field), ty: field_ty, span };
                let value = Box::new(self.update(part, rest, value, span));
                Expr { kind: ExprKind::WithField { base: Box::new(base), field, value }, ty, span }
            }
        }
    }

    /// Checks arguments and results; `None` when the callee is unknown or the counts do not fit.
    #[allow(clippy::type_complexity)]
    pub(super) fn call(
        &mut self,
        callee: &Ident,
        args: &[Option<&ast::Expr>],
        lhs: Option<&[Ident]>,
        check_modifies: bool,
        context: &BodyContext,
    ) -> Option<(ProcId, Vec<TyId>, Vec<Option<Expr>>, Vec<VarId>)> {
        let span = callee.span.0;
        let typed_args: Vec<Option<Expr>> = args.iter().map(|a| a.map(|e| self.expr(e))).collect();
        let Some(&id) = self.procs.get(&callee.name) else {
            self.error(span, format!("there is no procedure `{}`", callee.name));
            return None;
        };
        let proc = &self.program.procs[id];
        let (type_params, params, returns) = (proc.type_params.clone(), proc.params.clone(), proc.returns.clone());
        let modifies = proc.modifies.clone();
        if params.len() != args.len() {
            let message = format!("`{}` takes {} argument(s), not {}", callee.name, params.len(), args.len());
            self.error(span, message);
            return None;
        }
        let type_args: Vec<TyId> = type_params.iter().map(|_| self.hole(span)).collect();
        for (arg, &param) in typed_args.iter().zip(&params) {
            let expected = self.program.types.subst(self.program.vars[param].ty, &type_params, &type_args);
            if let Some(arg) = arg {
                self.fits(arg, expected, "this argument");
            }
        }
        let mut targets = Vec::new();
        // Ultimate allows to ignore the results altogether.
        if let Some(lhs) = lhs.filter(|lhs| !lhs.is_empty()) {
            if lhs.len() != returns.len() {
                let message = format!("`{}` has {} result(s), not {}", callee.name, returns.len(), lhs.len());
                self.error(span, message);
                return None;
            }
            for (name, &result) in lhs.iter().zip(&returns) {
                let Some(var) = self.target(name, context) else { continue };
                if targets.contains(&var) {
                    self.error(name.span.0, format!("`{}` receives two results", name.name));
                }
                targets.push(var);
                let have = self.program.types.subst(self.program.vars[result].ty, &type_params, &type_args);
                let want = self.program.vars[var].ty;
                if !self.program.types.unify(have, want) {
                    let (have, want) = (self.show(have), self.show(want));
                    self.error(name.span.0, format!("the result has the type {have}, `{}` the type {want}", name.name));
                }
            }
            if targets.len() != returns.len() {
                return None;
            }
        }
        let unnamed = modifies.iter().find(|v| context.modifies.binary_search(v).is_err());
        if let Some(&var) = unnamed.filter(|_| check_modifies) {
            let message = format!(
                "`{}` may change `{}`, but the `modifies` clause of `{}` does not name it",
                callee.name, self.program.vars[var].name, context.proc_name
            );
            self.warning(span, message);
        }
        Some((id, type_args, typed_args, targets))
    }
}
