//! Witnesses: quantified formulas that a choice of values decides.
//!
//! `assume (exists x :: e)` chooses an `x` and assumes `e`; `assert (forall x :: e)` fails if and only if some choice
//! of `x` makes `e` false. So quantifiers that ask for one value become local variables with arbitrary values (Skolem
//! constants: T. Skolem, *Logisch-kombinatorische Untersuchungen*, 1920), and an execution that violates the assertion
//! tells the value and can be replayed. Only quantifiers that are not below others are replaced, so no Skolem functions
//! are needed.
//!
//! `ir` asserts pre- and postconditions itself, without choices; those with quantifiers are asserted here instead.

use super::stmt::Draft;
use super::{Lower, Lowerer};
use crate::ast::Binder;
use crate::typed::{self, Expr, ExprKind};
use crate::types::TyId;
use base::Span;
use ir::{Check, InstrKind, Nondet, Note, VarId};
use logic::{Op, TermId};

impl Lowerer<'_> {
    /// A formula that holds for some values of the returned variables if and only if `formula` holds (or, if not
    /// `wanted`, fails).
    fn with_witnesses(&mut self, draft: &mut Draft, formula: TermId, wanted: bool, vars: &mut Vec<VarId>) -> TermId {
        if !self.pool.has_quantifier(formula) {
            return if wanted { formula } else { self.pool.not(formula) };
        }
        match (self.pool.op(formula), wanted) {
            (Op::Not, _) => {
                let inner = self.pool.arg(formula, 0);
                self.with_witnesses(draft, inner, !wanted, vars)
            }
            (Op::And, _) | (Op::Or, _) => {
                let is_and = self.pool.op(formula) == Op::And;
                let parts: Vec<TermId> = self.pool.args(formula).to_vec();
                let parts: Vec<TermId> =
                    parts.into_iter().map(|p| self.with_witnesses(draft, p, wanted, vars)).collect();
                if is_and == wanted { self.pool.and(&parts) } else { self.pool.or(&parts) }
            }
            (Op::Exists(q), true) | (Op::Forall(q), false) => {
                let bound = self.pool.quantifier(q).vars.clone();
                let mut pairs = Vec::new();
                for var in bound {
                    let name = self.pool.as_symbol(var).map_or("x".to_string(), |f| self.pool.fun(f).name.clone());
                    let sort = self.pool.sort(var);
                    let chosen = self.temporary(draft, &name, sort);
                    vars.push(chosen);
                    pairs.push((var, self.out.term(chosen)));
                }
                let body = self.pool.arg(formula, 0);
                let body = if self.pool.has_quantifier(body) { self.pool.freshen_binders(body) } else { body };
                let body = self.pool.substitute(body, &pairs);
                self.with_witnesses(draft, body, wanted, vars)
            }
            _ if wanted => formula,
            _ => self.pool.not(formula),
        }
    }

    /// Assumes a formula.
    pub(super) fn assume_with_witnesses(&mut self, draft: &mut Draft, formula: TermId, span: Span, note: Note) {
        let mut vars = Vec::new();
        let formula = self.with_witnesses(draft, formula, true, &mut vars);
        choose(draft, vars, span);
        draft.assume(formula, span, note);
    }

    /// Asserts a formula.
    pub(super) fn assert_with_witnesses(&mut self, draft: &mut Draft, formula: TermId, check: Check, span: Span) {
        let mut vars = Vec::new();
        let failure = self.with_witnesses(draft, formula, false, &mut vars);
        if vars.is_empty() {
            draft.body.push(InstrKind::Assert(formula, check), span);
            return;
        }
        // One way looks for values that make it fail, and ends; on the other it holds.
        let (look, pass) = (draft.body.new_label(), draft.body.new_label());
        draft.body.goto(vec![look, pass], span);
        draft.body.label(look, span);
        choose(draft, vars, span);
        let condition = self.pool.not(failure);
        draft.body.push(InstrKind::Assert(condition, check), span);
        draft.assume(TermId::FALSE, span, Note::Hidden);
        draft.body.label(pass, span);
        self.assume_with_witnesses(draft, formula, span, Note::Hidden);
    }

    /// Asserts those preconditions of a callee that `ir` leaves to us.
    pub(super) fn assert_preconditions(
        &mut self,
        draft: &mut Draft,
        callee: typed::ProcId,
        type_args: &[TyId],
        args: &[TermId],
        span: Span,
        what: &str,
    ) -> Lower<()> {
        let decl = self.symbols.typed.procs[callee].clone();
        if !decl.requires.iter().any(|c| !c.free && self.has_quantifiers(&c.expr)) {
            return Ok(());
        }
        let instance: Vec<_> = decl.type_params.iter().copied().zip(type_args.iter().copied()).collect();
        let saved_args = std::mem::replace(&mut self.type_args, instance);
        let mut saved = Vec::new();
        let mut rest = args;
        for &param in &decl.params {
            let (_, ty, span) = self.var_parts(param);
            let Ok(row) = self.row(ty, span) else { break };
            let (these, others) = rest.split_at(row.len().min(rest.len()));
            saved.push((param, self.symbols.env.insert(param, these.to_vec())));
            rest = others;
        }
        let mut formulas = Vec::new();
        for condition in decl.requires.iter().filter(|c| !c.free) {
            if self.has_quantifiers(&condition.expr) {
                formulas.push(self.formula(&condition.expr));
            }
        }
        self.unbind(saved);
        self.type_args = saved_args;
        self.mark(draft, span);
        for formula in formulas {
            let check = ir::Check::precondition(&decl.name, what, span);
            self.assert_with_witnesses(draft, formula?, check, span);
        }
        Ok(())
    }

    /// Whether a formula, or a function that it applies, has quantifiers.
    pub(super) fn has_quantifiers(&self, e: &Expr) -> bool {
        let mut seen = vec![false; self.symbols.typed.functions.len()];
        let mut stack = vec![e];
        while let Some(e) = stack.pop() {
            if mentions_quantifier(e) {
                return true;
            }
            let mut applied = Vec::new();
            super::applied_functions(e, &mut applied);
            for f in applied {
                if !std::mem::replace(&mut seen[f], true) {
                    stack.extend(&self.symbols.typed.functions[typed::FuncId(f as u32)].body);
                }
            }
        }
        false
    }
}

/// Gives variables arbitrary values.
fn choose(draft: &mut Draft, vars: Vec<VarId>, span: Span) {
    if !vars.is_empty() {
        draft.body.push_noted(InstrKind::Stmt(ir::Stmt::Havoc(vars, Nondet::Choice)), span, Note::Hidden);
    }
}

fn mentions_quantifier(e: &Expr) -> bool {
    let any = |parts: &[Expr]| parts.iter().any(mentions_quantifier);
    match &e.kind {
        ExprKind::Quantifier { binder: Binder::Forall | Binder::Exists, .. } => true,
        ExprKind::Quantifier { body, .. } => mentions_quantifier(body),
        ExprKind::Bool(_)
        | ExprKind::Int(_)
        | ExprKind::Real(_)
        | ExprKind::BitVec(_)
        | ExprKind::Float(_)
        | ExprKind::Rounding(_)
        | ExprKind::Var(_)
        | ExprKind::Error => false,
        ExprKind::Apply { args, .. } | ExprKind::Struct(args) | ExprKind::Binary(_, args) => any(args),
        ExprKind::Old(e)
        | ExprKind::Unary(_, e)
        | ExprKind::ToInt(e)
        | ExprKind::ToReal(e)
        | ExprKind::Field(e, _)
        | ExprKind::Is(e, _) => mentions_quantifier(e),
        ExprKind::Extract { operand, .. } => mentions_quantifier(operand),
        ExprKind::IfThenElse(parts) => any(&parts[..]),
        ExprKind::Select { map, index, .. } => mentions_quantifier(map) || any(index),
        ExprKind::Store { map, index, value, .. } => {
            mentions_quantifier(map) || any(index) || mentions_quantifier(value)
        }
        ExprKind::WithField { base, value, .. } | ExprKind::WithMember { base, value, .. } => {
            mentions_quantifier(base) || mentions_quantifier(value)
        }
        ExprKind::Member { base, .. } => mentions_quantifier(base),
        ExprKind::Let { values, body, .. } => any(values) || mentions_quantifier(body),
    }
}
