//! Statements to instructions.

use base::Span;
use ir::{InstrKind, Nondet, Subject, Subproperty};
use logic::TermId;

use super::sequence::{self, Conflict};
use super::{JumpTarget, Lowerer, R, Val, internal, unsupported};
use crate::hir::*;
use crate::types::TypeId;

impl Lowerer<'_> {
    pub fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    /// Lowers a statement; one that is not understood ends the execution there.
    fn stmt(&mut self, stmt: &Stmt) {
        let (n_scopes, depth) = (self.f.scopes.len(), self.f.depth);
        let (n_breaks, n_continues) = (self.f.breaks.len(), self.f.continues.len());
        let loop_depth = self.f.lifetimes.loop_depth;
        if let Err(what) = self.stmt_inner(stmt) {
            self.f.scopes.truncate(n_scopes);
            self.f.breaks.truncate(n_breaks);
            self.f.continues.truncate(n_continues);
            self.f.depth = depth;
            self.f.lifetimes.loop_depth = loop_depth;
            self.give_up(&what);
        }
    }

    fn jump_target(&mut self) -> JumpTarget {
        JumpTarget { label: self.new_label(), depth: self.f.scopes.len() }
    }

    pub fn c_label(&mut self, label: LabelId) -> ir::LabelId {
        if let Some(&l) = self.f.labels.get(&label) {
            return l;
        }
        let l = self.new_label();
        self.f.labels.insert(label, l);
        l
    }

    /// Branches on a condition: the then part follows, the label is that of the else part.
    fn branch_on(&mut self, condition: &Expr) -> R<(ir::LabelId, TermId)> {
        let c = self.condition(condition)?;
        let no = self.branch(c, condition.span);
        Ok((no, c))
    }

    /// Nothing is said about executions with a variable that is changed and used in no order.
    fn check_order(&mut self, stmt: &Stmt) {
        // The items of an initialiser have no order among each other either.
        let mut in_no_order: Vec<Vec<&Expr>> = Vec::new();
        match &stmt.kind {
            StmtKind::Expr(e)
            | StmtKind::Cleanup(e)
            | StmtKind::If(e, ..)
            | StmtKind::While(e, _)
            | StmtKind::DoWhile(_, e)
            | StmtKind::Switch { value: e, .. }
            | StmtKind::ComputedGoto(e)
            | StmtKind::Return(Some(e)) => in_no_order.push(vec![e]),
            StmtKind::For { condition, step, .. } => in_no_order.extend(condition.iter().chain(step).map(|e| vec![e])),
            StmtKind::Decl(_, Some(init)) => in_no_order.push(init.items.iter().map(|item| &item.value).collect()),
            StmtKind::Empty
            | StmtKind::Decl(_, None)
            | StmtKind::Block(_)
            | StmtKind::Label(..)
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(None)
            | StmtKind::Asm { .. } => {}
        }
        for all in in_no_order {
            if let Some(first) = all.iter().find(|e| has_effects(e))
                && let Some(conflict) = sequence::conflict(&self.effects, &mut self.alias, &all)
            {
                let what = match conflict {
                    Conflict::Variable(var) => {
                        format!("side effects on {} are unsequenced", self.unit.vars[var].name)
                    }
                    Conflict::Place => "side effects on what may be one object are unsequenced".to_string(),
                };
                self.note_unsound(&what, first.span);
                let mark = self.number_temp();
                self.havoc(vec![mark], Nondet::Overapproximation(what), first.span);
            }
        }
    }

    /// A variable-length array has at least one element (C11 6.7.6.2p5); a negative length is a large one in `size_t`.
    fn check_array_length(&mut self, length: Val, span: Span) {
        let length = self.int_of(&length);
        let largest = (1i128 << (8 * self.unit.types.pointer_size() - 1)) - 1;
        let (one, largest) = (self.num(1), self.num(largest));
        let (above, below) = (self.le(one, length.term), self.le(length.term, largest));
        let is_possible = self.pool.and2(above, below);
        let failed = "the length of the array is not positive".to_string();
        let message = "the length of the array may not be positive".to_string();
        self.check_about(is_possible, Subproperty::ValidDeref, message, Subject::Claim { failed }, span);
    }

    fn stmt_inner(&mut self, stmt: &Stmt) -> R<()> {
        let span = stmt.span;
        self.check_order(stmt);
        match &stmt.kind {
            StmtKind::Empty => {}
            StmtKind::Expr(e) => {
                self.discarded = e.without_conversions();
                let value = self.expr(e)?;
                if let ExprKind::Assign(place, _) = &e.kind
                    && let PlaceKind::Var(var) = place.kind
                    && self.unit.vars[var].is_array_length
                    && self.mode.check_arrays
                {
                    self.check_array_length(value, span);
                }
            }
            StmtKind::Decl(var, init) => {
                if let Some(scope) = self.f.scopes.last_mut() {
                    scope.declared.push(*var);
                }
                if self.in_memory(*var) && !self.begins_at_entry(*var) {
                    self.allocate_local(*var, span)?;
                }
                if let Some([item]) = init.as_ref().map(|init| &init.items[..])
                    && item.path.is_empty()
                    && self.unit.types.is_record(item.value.ty)
                {
                    let place = Place { kind: PlaceKind::Var(*var), ty: self.unit.vars[*var].ty, span };
                    self.note_assigned_lock(&place, span);
                }
                match (init, self.holders.pointer_in(*var)) {
                    (None, _) => self.forget_object(*var, span)?,
                    (Some(init), None) => self.initialise(*var, init, false, span)?,
                    (Some(init), Some(pointer)) => {
                        self.hold(pointer, *var, span)?;
                        let outer = std::mem::replace(&mut self.context.bare_addresses, true);
                        let result = self.initialise(*var, init, false, span);
                        self.context.bare_addresses = outer;
                        result?;
                    }
                }
            }
            StmtKind::Cleanup(e) => {
                if let Some(scope) = self.f.scopes.last_mut() {
                    scope.cleanups.push(e.clone());
                }
            }
            StmtKind::Block(stmts) => {
                self.open_scope();
                self.begin_objects(stmts, span)?;
                self.stmts(stmts);
                self.close_scope(span);
            }
            StmtKind::If(condition, then, otherwise) => {
                let (no, c) = self.branch_on(condition)?;
                self.substatement(then);
                let end = self.new_label();
                self.jump(vec![end], span);
                self.otherwise(no, c, condition.span);
                if let Some(otherwise) = otherwise {
                    self.substatement(otherwise);
                }
                self.place_label(end, span);
            }
            StmtKind::While(condition, body) => {
                if matches!(condition.kind, ExprKind::Int(v) if v != 0) {
                    self.note_endless_loop(body, span);
                }
                let (head, exit) = (self.jump_target(), self.jump_target());
                self.place_label(head.label, span);
                self.f.lifetimes.loop_depth += 1;
                let (no, c) = self.branch_on(condition)?;
                self.loop_body(body, exit, head);
                self.f.lifetimes.loop_depth -= 1;
                self.jump(vec![head.label], span);
                self.otherwise(no, c, condition.span);
                self.place_label(exit.label, span);
            }
            StmtKind::DoWhile(body, condition) => {
                let (next, exit) = (self.jump_target(), self.jump_target());
                let head = self.new_label();
                self.place_label(head, span);
                self.f.lifetimes.loop_depth += 1;
                self.loop_body(body, exit, next);
                self.place_label(next.label, span);
                let (no, c) = self.branch_on(condition)?;
                self.f.lifetimes.loop_depth -= 1;
                self.jump(vec![head], span);
                self.otherwise(no, c, condition.span);
                self.place_label(exit.label, span);
            }
            StmtKind::For { init, condition, step, body } => {
                if condition.as_ref().is_none_or(|c| matches!(c.kind, ExprKind::Int(v) if v != 0)) {
                    self.note_endless_loop(body, span);
                }
                self.open_scope();
                self.begin_objects(init, span)?;
                self.stmts(init);
                self.f.lifetimes.loop_depth += 1;
                let (next, exit) = (self.jump_target(), self.jump_target());
                let head = self.new_label();
                self.place_label(head, span);
                let no = match condition {
                    Some(condition) => Some((self.branch_on(condition)?, condition.span)),
                    None => None,
                };
                self.loop_body(body, exit, next);
                self.place_label(next.label, span);
                if let Some(step) = step {
                    self.expr(step)?;
                }
                self.f.lifetimes.loop_depth -= 1;
                self.jump(vec![head], span);
                if let Some(((no, c), condition_span)) = no {
                    self.otherwise(no, c, condition_span);
                }
                self.place_label(exit.label, span);
                self.close_scope(span);
            }
            StmtKind::Switch { value, body, cases, default } => self.switch(value, body, cases, *default, span)?,
            StmtKind::Label(label, _) if self.unit.labels[*label].starts_with("__CPROVER_ASYNC") => {
                return unsupported(span, "a thread of CBMC's");
            }
            StmtKind::Label(label, body) => {
                self.place_c_label(*label, span);
                let name = self.unit.labels[*label].clone();
                self.event(ir::EventKind::At, &name, span);
                self.stmt(body);
            }
            StmtKind::Goto(_) | StmtKind::ComputedGoto(_) if self.f.scopes.iter().any(|s| !s.cleanups.is_empty()) => {
                return unsupported(span, "goto beside attribute cleanup");
            }
            StmtKind::Goto(label) => self.jump_to(*label, span),
            StmtKind::ComputedGoto(target) => self.computed_goto(target, span)?,
            StmtKind::Break => match self.f.breaks.last().copied() {
                Some(target) => self.leave_to(target, span),
                None => return internal(span, "break outside a loop"),
            },
            StmtKind::Continue => match self.f.continues.last().copied() {
                Some(target) => self.leave_to(target, span),
                None => return internal(span, "continue outside a loop"),
            },
            StmtKind::Return(value) => {
                if let Some(value) = value {
                    self.return_value(value, span)?;
                } else if !self.f.results.is_empty() {
                    let results = self.f.results.clone();
                    self.havoc(results, Nondet::Choice, span);
                }
                // Everything of the function dies; the exit ends the parameters.
                self.end_scopes(1, span);
                let exit = self.f.exit;
                self.jump(vec![exit], span);
            }
            StmtKind::Asm { outputs, inputs, is_empty, clobbers_memory, has_labels } => {
                if *has_labels {
                    return unsupported(span, "asm goto");
                }
                for input in inputs {
                    self.expr(input)?;
                }
                if !is_empty && *clobbers_memory {
                    // Pointers in memory could point anywhere afterwards.
                    if self.alias.has_pointers_in_memory() {
                        return unsupported(span, "inline assembly that changes memory");
                    }
                    let mark = self.number_temp();
                    self.havoc(vec![mark], Nondet::Overapproximation("inline assembly".into()), span);
                    self.memory.outside_writes.push((mark, None));
                    self.note_imprecise("inline assembly", span);
                }
                for place in outputs {
                    let loc = self.place(place)?;
                    let why = Nondet::Inexact("inline assembly".into());
                    let value = self.arbitrary(place.ty.id, why, span)?;
                    self.note_imprecise("inline assembly", span);
                    self.store(&loc, place.ty, &value, span)?;
                }
            }
        }
        Ok(())
    }

    /// Lost memory is noticed where the program ends, which an endless loop never reaches.
    fn note_endless_loop(&mut self, body: &Stmt, span: Span) {
        let allocates = ["malloc", "calloc", "realloc"].iter().any(|f| self.mentioned.contains(*f));
        if self.mode.check_lost_memory && allocates && !leaves(body) {
            self.note_unsound("memory that is lost in an endless loop", span);
        }
    }

    fn loop_body(&mut self, body: &Stmt, exit: JumpTarget, next: JumpTarget) {
        self.f.breaks.push(exit);
        self.f.continues.push(next);
        self.substatement(body);
        self.f.breaks.pop();
        self.f.continues.pop();
    }

    /// A statement that belongs to another one is a block, with or without braces.
    fn substatement(&mut self, stmt: &Stmt) {
        self.open_scope();
        self.stmt(stmt);
        self.close_scope(stmt.span);
    }

    fn leave_to(&mut self, target: JumpTarget, span: Span) {
        self.end_scopes(target.depth, span);
        self.jump(vec![target.label], span);
    }

    fn return_value(&mut self, e: &Expr, span: Span) -> R<()> {
        let value = self.expr(e)?;
        if e.ty == TypeId::VOID {
            return Ok(());
        }
        let mut terms = Vec::new();
        self.flatten(&value, &mut terms);
        let results = self.f.results.clone();
        if terms.len() != results.len() {
            return internal(span, "results");
        }
        let list: Vec<(ir::VarId, TermId)> = results.into_iter().zip(terms).collect();
        if !list.is_empty() {
            self.emit(InstrKind::Stmt(ir::Stmt::Assign(list)), span);
        }
        Ok(())
    }

    fn switch(
        &mut self,
        value: &Expr,
        body: &Stmt,
        cases: &[(i128, i128, LabelId)],
        default: Option<LabelId>,
        span: Span,
    ) -> R<()> {
        let v = self.expr(value)?;
        let v = self.snapshot(v, span);
        let v = match &v {
            Val::Int(_) | Val::Bool(_) => self.int_of(&v),
            _ => return unsupported(span, "a switch on no integer"),
        };
        let exit = self.jump_target();
        let mut none = Vec::new();
        let mut targets = Vec::new();
        let mut tests = Vec::new();
        for &(low, high, label) in cases {
            let test = if low == high {
                let n = self.num(low);
                self.pool.eq(v.term, n)
            } else {
                self.in_range(v.term, low, high)
            };
            none.push(self.pool.not(test));
            let stub = self.new_label();
            targets.push(stub);
            tests.push((stub, test, label));
        }
        let other = self.new_label();
        targets.push(other);
        self.jump(targets, span);
        for (stub, test, target) in tests {
            self.place_label(stub, span);
            self.assume_branch(test, true, value.span);
            self.jump_to(target, span);
        }
        self.place_label(other, span);
        let none = self.pool.and(&none);
        self.assume_branch(none, true, value.span);
        match default {
            Some(label) => self.jump_to(label, span),
            None => self.jump(vec![exit.label], span),
        }
        self.f.breaks.push(exit);
        self.substatement(body);
        self.f.breaks.pop();
        self.place_label(exit.label, span);
        Ok(())
    }
}

/// Can control leave a loop with this body, other than by ending the program?
fn leaves(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Break | StmtKind::Goto(_) | StmtKind::ComputedGoto(_) | StmtKind::Return(_) => true,
        StmtKind::Block(stmts) => stmts.iter().any(leaves),
        StmtKind::If(_, a, b) => leaves(a) || b.as_ref().is_some_and(|b| leaves(b)),
        // A break inside belongs to the inner loop; returns and gotos do not.
        StmtKind::While(_, body) | StmtKind::DoWhile(body, _) | StmtKind::For { body, .. } => leaves(body),
        StmtKind::Switch { body, .. } | StmtKind::Label(_, body) => leaves(body),
        StmtKind::Empty
        | StmtKind::Expr(_)
        | StmtKind::Cleanup(_)
        | StmtKind::Decl(..)
        | StmtKind::Continue
        | StmtKind::Asm { .. } => false,
    }
}
