//! Statements.

use super::*;
use crate::ast::StmtKind as A;

impl Sema<'_> {
    /// The statements of a block, in a scope of their own.
    pub(super) fn block_statements(&mut self, block: &ast::Block) -> SResult<Vec<Stmt>> {
        self.scopes.push(Scope::default());
        let result = self.statements(&block.stmts);
        self.scopes.pop();
        result
    }

    pub(super) fn statements(&mut self, stmts: &[ast::Stmt]) -> SResult<Vec<Stmt>> {
        let mut out = Vec::with_capacity(stmts.len());
        // The first error is the function's; the others are told as well.
        let mut first = None;
        for stmt in stmts {
            let (n_scopes, n_pending) = (self.scopes.len(), self.pending.len());
            let Err(diagnostic) = self.stmt_into(stmt, &mut out) else { continue };
            self.scopes.truncate(n_scopes);
            self.pending.truncate(n_pending);
            match first {
                None => first = Some(diagnostic),
                Some(_) => self.diagnostics.push(diagnostic),
            }
        }
        match first {
            None => Ok(out),
            Some(diagnostic) => Err(diagnostic),
        }
    }

    fn stmt_into(&mut self, stmt: &ast::Stmt, out: &mut Vec<Stmt>) -> SResult<()> {
        match &stmt.kind {
            A::Declaration(declaration) => {
                let stmts = self.declaration(declaration)?;
                out.extend(stmts);
            }
            _ => {
                let checked = self.stmt(stmt)?;
                if !self.temporaries.is_empty() {
                    self.temporaries.clear();
                    return unsupported(stmt.span, "an array in a temporary object is not supported here");
                }
                out.append(&mut self.pending);
                out.push(checked);
            }
        }
        Ok(())
    }

    /// A statement that must be one: what a declaration makes of several is put in a block.
    fn single(&mut self, stmt: &ast::Stmt) -> SResult<Box<Stmt>> {
        let mut out = Vec::new();
        self.scopes.push(Scope::default());
        let result = self.stmt_into(stmt, &mut out);
        self.scopes.pop();
        result?;
        if out.len() == 1
            && let Some(only) = out.pop()
        {
            return Ok(Box::new(only));
        }
        Ok(Box::new(Stmt { kind: StmtKind::Block(out), span: stmt.span }))
    }

    pub(super) fn label(&mut self, name: Sym, defines: bool, span: Span) -> SResult<LabelId> {
        let text = self.text(name);
        let Some(context) = self.function.as_mut() else {
            return err(span, "a label outside a function");
        };
        let local = self.scopes.iter_mut().rev().find_map(|scope| scope.labels.get_mut(&name));
        match local.or_else(|| context.labels.get_mut(&name)) {
            Some((id, is_defined)) => {
                if defines && *is_defined {
                    return err(span, format!("label {text} is defined twice"));
                }
                *is_defined |= defines;
                Ok(*id)
            }
            None => {
                let id = self.labels.push(text);
                context.labels.insert(name, (id, defines));
                Ok(id)
            }
        }
    }

    fn in_loop<T>(&mut self, check: impl FnOnce(&mut Self) -> SResult<T>) -> SResult<T> {
        if let Some(context) = self.function.as_mut() {
            context.n_loops += 1;
        }
        let result = check(self);
        if let Some(context) = self.function.as_mut() {
            context.n_loops -= 1;
        }
        result
    }

    pub(super) fn condition(&mut self, e: &ast::Expr) -> SResult<Expr> {
        let value = self.full(|s| {
            let value = s.rvalue(e)?;
            Ok(s.truth_value(value))
        })?;
        if !self.types.is_scalar(value.ty) {
            return err(e.span, format!("a condition cannot have type {}", self.types.show(value.ty)));
        }
        Ok(value)
    }

    fn stmt(&mut self, stmt: &ast::Stmt) -> SResult<Stmt> {
        let span = stmt.span;
        let kind = match &stmt.kind {
            A::Empty => StmtKind::Empty,
            A::Expr(e) => StmtKind::Expr(self.full(|s| s.discarded(e))?),
            A::Declaration(declaration) => StmtKind::Block(self.declaration(declaration)?),
            A::NestedFunction(_) => return unsupported(span, "nested functions are not supported"),
            A::StaticAssert(assertion) => {
                self.static_assert(assertion)?;
                StmtKind::Empty
            }
            A::Block(block) => StmtKind::Block(self.block_statements(block)?),
            A::If(condition, then, otherwise) => {
                let condition = self.condition(condition)?;
                let then = self.single(then)?;
                let otherwise = match otherwise {
                    Some(s) => Some(self.single(s)?),
                    None => None,
                };
                StmtKind::If(condition, then, otherwise)
            }
            A::While(condition, body) => {
                let condition = self.condition(condition)?;
                let body = self.in_loop(|s| s.single(body))?;
                StmtKind::While(condition, body)
            }
            A::DoWhile(body, condition) => {
                let body = self.in_loop(|s| s.single(body))?;
                StmtKind::DoWhile(body, self.condition(condition)?)
            }
            A::For { init, condition, step, body } => {
                self.scopes.push(Scope::default());
                let result = (|| {
                    let mut first = Vec::new();
                    if let Some(init) = init {
                        if let A::Declaration(declaration) = &init.kind
                            && matches!(declaration.specs.storage, ast::Storage::Static | ast::Storage::Extern)
                        {
                            return err(init.span, "a loop declares a variable that is not its own");
                        }
                        self.stmt_into(init, &mut first)?;
                    }
                    let condition = match condition {
                        Some(c) => Some(self.condition(c)?),
                        None => None,
                    };
                    let step = match step {
                        Some(step) => Some(self.full(|s| s.discarded(step))?),
                        None => None,
                    };
                    let body = self.in_loop(|s| s.single(body))?;
                    Ok(StmtKind::For { init: first, condition, step, body })
                })();
                self.scopes.pop();
                result?
            }
            A::Switch(value, body) => {
                let value = self.full(|s| {
                    let value = s.rvalue(value)?;
                    Ok(s.promote(value))
                })?;
                if !self.types.is_integer(value.ty) {
                    return err(span, "switch needs an integer");
                }
                let ty = value.ty;
                if let Some(context) = self.function.as_mut() {
                    context.switches.push(SwitchContext { ty, cases: Vec::new(), default: None });
                }
                let body = self.in_loop(|s| s.single(body));
                let context = self.function.as_mut().and_then(|c| c.switches.pop());
                let (cases, default) = context.map_or((Vec::new(), None), |c| (c.cases, c.default));
                StmtKind::Switch { value, body: body?, cases, default }
            }
            A::Case(from, to, body) => {
                let low = self.case_value(from)?;
                let high = match to {
                    Some(to) => self.case_value(to)?,
                    None => low,
                };
                let label = self.labels.push("case".into());
                let Some(context) = self.function.as_mut().and_then(|c| c.switches.last_mut()) else {
                    return err(span, "case outside a switch");
                };
                if context.cases.iter().any(|&(a, b, _)| a <= high && low <= b) {
                    return err(span, "duplicate case value");
                }
                context.cases.push((low, high, label));
                StmtKind::Label(label, self.single(body)?)
            }
            A::Default(body) => {
                let label = self.labels.push("default".into());
                let Some(context) = self.function.as_mut().and_then(|c| c.switches.last_mut()) else {
                    return err(span, "default outside a switch");
                };
                if context.default.replace(label).is_some() {
                    return err(span, "two defaults in one switch");
                }
                StmtKind::Label(label, self.single(body)?)
            }
            A::Label(name, body) => {
                let label = self.label(*name, true, span)?;
                // A declaration after a label belongs to the enclosing block: no scope of its own.
                let mut out = Vec::new();
                self.stmt_into(body, &mut out)?;
                let body = match (out.len(), out.pop()) {
                    (1, Some(only)) => only,
                    (_, last) => {
                        out.extend(last);
                        return Ok(Stmt { kind: self.spill_label(label, out, span), span });
                    }
                };
                StmtKind::Label(label, Box::new(body))
            }
            A::Goto(name) => StmtKind::Goto(self.label(*name, false, span)?),
            A::ComputedGoto(e) => {
                let target = self.rvalue(e)?;
                if !self.types.is_pointer(target.ty) {
                    return err(e.span, "computed goto must be pointer type");
                }
                StmtKind::ComputedGoto(target)
            }
            A::Break => {
                if self.function.as_ref().is_none_or(|c| c.n_loops == 0) {
                    return err(span, "break outside a loop or switch");
                }
                StmtKind::Break
            }
            A::Continue => {
                if self.function.as_ref().is_none_or(|c| c.n_loops <= c.switches.len()) {
                    return err(span, "continue outside a loop");
                }
                StmtKind::Continue
            }
            A::Return(value) => {
                let ret = self.function.as_ref().map_or(Ty::plain(TypeId::VOID), |c| c.ret);
                match value {
                    None => StmtKind::Return(None),
                    Some(e) if ret.id == TypeId::VOID => {
                        let value = self.full(|s| s.discarded(e))?;
                        let eval = Stmt { kind: StmtKind::Expr(value), span };
                        StmtKind::Block(vec![eval, Stmt { kind: StmtKind::Return(None), span }])
                    }
                    Some(e) => {
                        let value = self.full(|s| {
                            let value = s.rvalue(e)?;
                            s.assign_convert(value, ret.id)
                        })?;
                        StmtKind::Return(Some(value))
                    }
                }
            }
            A::Asm(asm) => {
                let mut outputs = Vec::new();
                for e in &asm.outputs {
                    outputs.push(self.asm_place(e)?);
                }
                let mut inputs = Vec::new();
                for e in &asm.inputs {
                    inputs.push(self.rvalue(e)?);
                }
                StmtKind::Asm {
                    outputs,
                    inputs,
                    is_empty: asm.template_is_empty,
                    clobbers_memory: asm.clobbers_memory,
                    has_labels: asm.has_labels,
                }
            }
            A::LocalLabels(names) => {
                for &name in names {
                    let label = self.labels.push(self.text(name));
                    if self.scope().labels.insert(name, (label, false)).is_some() {
                        return err(span, format!("duplicate label declaration '{}'", self.text(name)));
                    }
                }
                StmtKind::Empty
            }
        };
        Ok(Stmt { kind, span })
    }

    /// A label before a declaration that became several statements. The declared objects must stay
    /// in the enclosing block, so only the first statement carries the label.
    fn spill_label(&mut self, label: LabelId, stmts: Vec<Stmt>, span: Span) -> StmtKind {
        let empty = Stmt { kind: StmtKind::Empty, span };
        let labelled = Stmt { kind: StmtKind::Label(label, Box::new(empty)), span };
        self.pending.push(labelled);
        let mut stmts = stmts;
        let last = stmts.pop();
        self.pending.extend(stmts);
        last.map_or(StmtKind::Empty, |s| s.kind)
    }

    fn case_value(&mut self, e: &ast::Expr) -> SResult<i128> {
        let value = self.constant(e)?;
        let ty = self.function.as_ref().and_then(|c| c.switches.last()).map_or(TypeId::INT, |s| s.ty);
        Ok(match self.types.int_kind(ty) {
            Some(kind) => self.types.wrap(value, kind),
            None => value,
        })
    }

    /// An expression whose value is not used.
    pub(super) fn discarded(&mut self, e: &ast::Expr) -> SResult<Expr> {
        let checked = self.expr(e)?;
        self.use_discarded(checked)
    }
}
