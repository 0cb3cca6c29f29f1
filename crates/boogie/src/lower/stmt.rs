//! Statements to instructions.

use super::{CallKind, Contract, Lower, Lowerer, Map};
use crate::typed::{self, Condition, Expr, Procedure, Stmt, StmtKind};
use base::Span;
use ir::{Body, Check, InstrKind, LabelId, Nondet, Note, ProcId, VarId, VarKind};
use logic::{SortId, TermId};

/// An enclosing statement that `break` can leave.
struct Enclosing {
    labels: Vec<String>,
    is_loop: bool,
    end: LabelId,
    /// The atomic section around it, if any.
    atomic: Option<u32>,
}

/// A branch whose other side is still to come.
struct Branch {
    no: LabelId,
    negation: TermId,
    span: Span,
}

/// The body under construction.
pub(super) struct Draft {
    proc: ProcId,
    pub(super) body: Body,
    locals: Vec<VarId>,
    /// User labels, with the atomic section they stand in.
    labels: Map<String, (LabelId, Option<u32>)>,
    enclosing: Vec<Enclosing>,
    /// The outermost atomic section control is in. Inner ones mean nothing.
    atomic: Option<u32>,
    n_atomic: u32,
    /// Where the postconditions are asserted, if they are in the body.
    end: Option<LabelId>,
}

impl Draft {
    /// `return`
    fn leave(&mut self, span: Span, note: Note) {
        match self.end {
            Some(end) => self.body.push_noted(InstrKind::Goto(vec![end]), span, note),
            None => self.body.push_noted(InstrKind::Return, span, note),
        }
    }

    pub(super) fn assume(&mut self, condition: TermId, span: Span, note: Note) {
        self.body.push_noted(InstrKind::Stmt(ir::Stmt::Assume(condition)), span, note);
    }
}

impl Lowerer<'_> {
    /// The implementations of a procedure, any of which may be executed. Where what is assumed inside does not hold
    /// none is, and the procedure does what its contract allows.
    pub(super) fn body(&mut self, proc: ProcId, decl: &Procedure, contract: &Contract) -> (Vec<VarId>, Body) {
        let mut draft = Draft {
            proc,
            body: Body::default(),
            locals: Vec::new(),
            labels: Map::default(),
            enclosing: Vec::new(),
            atomic: None,
            n_atomic: 0,
            end: None,
        };
        if contract.assumed_inside != TermId::TRUE {
            self.contract_alone(&mut draft, decl, contract.assumed_inside, &contract.ensures);
        }
        if !contract.obligations.is_empty() {
            draft.end = Some(draft.body.new_label());
        }
        let starts: Vec<LabelId> = decl.bodies.iter().map(|_| draft.body.new_label()).collect();
        if starts.len() > 1 {
            draft.body.goto(starts.clone(), decl.span);
        }
        for (body, start) in decl.bodies.iter().zip(starts) {
            draft.body.label(start, decl.span);
            draft.labels.clear();
            draft.n_atomic = 0;
            for &var in &body.locals {
                let ids = self.declare_var(var, VarKind::Local(proc));
                draft.locals.extend(ids);
            }
            self.assume_conditions(&mut draft, &[&decl.returns[..], &body.locals[..]].concat(), decl.span);
            let mut counter = 0;
            declare_labels(&body.block, None, &mut counter, &mut draft);
            self.block(&mut draft, &body.block);
            draft.leave(body.end, Note::Hidden);
        }
        if let Some(end) = draft.end {
            draft.body.label(end, decl.span);
            for &(formula, span) in &contract.obligations {
                let claim = format!("a postcondition of {}", decl.name);
                let check = Check::claim(ir::Subproperty::UnreachCall, &claim, span);
                self.assert_with_witnesses(&mut draft, formula, check, span);
            }
            draft.body.push_noted(InstrKind::Return, decl.span, Note::Hidden);
        }
        (draft.locals, draft.body)
    }

    /// Goes on if `condition` holds. Otherwise changes what the procedure may change as its contract allows, and
    /// returns.
    fn contract_alone(&mut self, draft: &mut Draft, decl: &Procedure, condition: TermId, contract: &[TermId]) {
        let (enter, leave) = (draft.body.new_label(), draft.body.new_label());
        draft.body.goto(vec![enter, leave], decl.span);
        draft.body.label(leave, decl.span);
        let negation = self.pool.not(condition);
        draft.assume(negation, decl.span, Note::Hidden);
        let changed: Vec<typed::VarId> = decl.returns.iter().chain(&self.changing).copied().collect();
        let ids: Vec<VarId> = changed.iter().flat_map(|v| self.symbols.ir_vars[v].iter().copied()).collect();
        if !ids.is_empty() {
            let stmt = ir::Stmt::Havoc(ids, Nondet::Choice);
            draft.body.push_noted(InstrKind::Stmt(stmt), decl.span, Note::Hidden);
        }
        self.assume_conditions(draft, &changed, decl.span);
        for &formula in contract {
            draft.assume(formula, decl.span, Note::Hidden);
        }
        draft.body.push_noted(InstrKind::Return, decl.span, Note::Hidden);
        draft.body.label(enter, decl.span);
        draft.assume(condition, decl.span, Note::Hidden);
    }

    /// If what was just lowered approximates, says so in front of the statement that uses it.
    pub(super) fn mark(&mut self, draft: &mut Draft, span: Span) {
        let Some(what) = self.approximation.take() else { return };
        let marker = self.temporary(draft, "approximation", SortId::BOOL);
        self.out.fidelity.imprecise.push(ir::Remark {
            kind: ir::RemarkKind::Other,
            span,
            message: format!("{what} is not modelled exactly"),
        });
        let stmt = ir::Stmt::Havoc(vec![marker], Nondet::Overapproximation(what));
        draft.body.push_noted(InstrKind::Stmt(stmt), span, Note::Hidden);
    }

    pub(super) fn temporary(&mut self, draft: &mut Draft, name: &str, sort: SortId) -> VarId {
        let var = self.out.add_var(self.pool, name, sort, VarKind::Local(draft.proc), Span::NONE);
        draft.locals.push(var);
        var
    }

    /// Assumes what is known of variables that just got arbitrary values: their types and `where` clauses.
    fn assume_conditions(&mut self, draft: &mut Draft, vars: &[typed::VarId], span: Span) {
        let mut done = Vec::new();
        for &var in vars {
            if let Some(term) = self.typing(var) {
                draft.assume(term, span, Note::Hidden);
            }
        }
        for &var in vars {
            let Some(term) = self.where_clause(var) else { continue };
            self.mark(draft, span);
            if !done.contains(&term) {
                draft.assume(term, span, Note::Hidden);
                done.push(term);
            }
        }
    }

    fn block(&mut self, draft: &mut Draft, block: &[Stmt]) {
        let mut names: Vec<String> = Vec::new();
        for stmt in block {
            if let StmtKind::Label(name) = &stmt.kind {
                let label = draft.labels[name].0;
                draft.body.label(label, stmt.span);
                self.at_label(draft, name, stmt.span);
                names.push(name.clone());
                continue;
            }
            // What is wrong with one statement is reported; the next ones may have more.
            let _ = self.stmt(draft, stmt, std::mem::take(&mut names));
        }
    }

    /// A step in which control arrives at a label that a temporal property speaks about.
    fn at_label(&mut self, draft: &mut Draft, name: &str, span: Span) {
        self.out.label_names.push(name.to_string());
        let event = ir::Event { kind: ir::EventKind::At, name: name.to_string() };
        if !self.events.contains(&event) {
            return;
        }
        let known = self.out.events.iter().position(|e| *e == event);
        let number = known.unwrap_or_else(|| {
            self.out.events.push(event);
            self.out.events.len() - 1
        });
        let step = InstrKind::Stmt(ir::Stmt::Assume(TermId::TRUE));
        draft.body.push_noted(step, span, Note::Mark(number as u32));
    }

    /// `names`: the labels directly in front of the statement.
    fn stmt(&mut self, draft: &mut Draft, stmt: &Stmt, names: Vec<String>) -> Lower<()> {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Label(_) => {}
            StmtKind::Assert(e) => {
                let claim = format!("assertion {}", self.quote(e.span));
                self.assert(draft, e, &claim, span)?;
            }
            StmtKind::Assume(e) => {
                let condition = self.formula(e)?;
                self.mark(draft, span);
                self.assume_with_witnesses(draft, condition, span, Note::None);
            }
            StmtKind::Havoc(vars) => {
                let ids: Vec<VarId> = vars.iter().flat_map(|v| self.symbols.ir_vars[v].iter().copied()).collect();
                let ids = without_repetition(ids);
                if !ids.is_empty() {
                    draft.body.stmt(ir::Stmt::Havoc(ids, Nondet::Choice), span);
                }
                self.assume_conditions(draft, vars, span);
            }
            StmtKind::Assign(pairs) => {
                let mut out = Vec::new();
                for (var, value) in pairs {
                    let targets = self.symbols.ir_vars[var].clone();
                    out.extend(targets.into_iter().zip(self.expr(value)?));
                }
                self.mark(draft, span);
                if !out.is_empty() {
                    draft.body.stmt(ir::Stmt::Assign(out), span);
                }
            }
            StmtKind::Sequence(stmts) => self.block(draft, stmts),
            StmtKind::Call { free, lhs, callee, type_args, args } => {
                self.call(draft, lhs, (*callee, *free), type_args, args, span)?;
            }
            StmtKind::CallForall { callee, type_args, args } => {
                self.call_forall(draft, *callee, type_args, args, span)?;
            }
            StmtKind::Fork { id, callee, type_args, args } => {
                let id = self.exprs(id)?;
                let args = self.exprs(args)?;
                self.mark(draft, span);
                let type_args: Vec<_> = type_args.iter().map(|&t| self.ty(t)).collect();
                self.assert_preconditions(draft, *callee, &type_args, &args, span, "fork")?;
                let callee = self.instance(*callee, type_args, CallKind::default(), span);
                draft.body.push(InstrKind::Fork { id, callee, args }, span);
            }
            StmtKind::Join { id, lhs } => {
                let id = self.exprs(id)?;
                self.mark(draft, span);
                let results: Vec<VarId> = lhs.iter().flat_map(|v| self.symbols.ir_vars[v].iter().copied()).collect();
                if without_repetition(results.clone()).len() != results.len() {
                    return Err(self.unsupported(span, "a variable that is assigned twice"));
                }
                draft.body.push(InstrKind::Join { id, results }, span);
            }
            StmtKind::Atomic(block) => {
                if draft.atomic.is_some() {
                    self.block(draft, block);
                    return Ok(());
                }
                draft.atomic = Some(draft.n_atomic);
                draft.n_atomic += 1;
                draft.body.push(InstrKind::AtomicBegin, span);
                self.block(draft, block);
                draft.body.push(InstrKind::AtomicEnd, Span { start: span.end.saturating_sub(1), ..span });
                draft.atomic = None;
            }
            StmtKind::If { branches, otherwise } => {
                self.if_statement(draft, branches, otherwise.as_deref(), names, span)?;
            }
            StmtKind::While { guard, invariants, body } => {
                self.while_statement(draft, guard.as_ref(), invariants, body, names, span)?;
            }
            StmtKind::Goto(labels) => self.goto(draft, labels, span)?,
            StmtKind::Break(name) => {
                let target = draft
                    .enclosing
                    .iter()
                    .rev()
                    .find(|e| name.as_ref().map_or(e.is_loop, |n| e.labels.contains(n)))
                    .map(|e| (e.end, e.atomic));
                match target {
                    Some((end, atomic)) => {
                        self.leave_atomic(draft, atomic, span);
                        draft.body.push(InstrKind::Goto(vec![end]), span);
                    }
                    // The label of a simple statement: leaving it is going on after it.
                    None => return Err(self.unsupported(span, "`break` out of a statement that is no `if` or `while`")),
                }
            }
            StmtKind::Return => {
                self.leave_atomic(draft, None, span);
                draft.leave(span, Note::None);
            }
        }
        Ok(())
    }

    /// The source of an expression, shortened to one line.
    fn quote(&self, span: Span) -> String {
        let text = self.sources.text(span);
        let words: Vec<&str> = text.split_whitespace().collect();
        let line = words.join(" ");
        if line.chars().count() > 80 {
            let short: String = line.chars().take(77).collect();
            return format!("`{short}…`");
        }
        format!("`{line}`")
    }

    fn assert(&mut self, draft: &mut Draft, e: &Expr, claim: &str, span: Span) -> Lower<()> {
        let condition = self.formula(e)?;
        self.mark(draft, span);
        let check = Check::claim(ir::Subproperty::UnreachCall, claim, span);
        self.assert_with_witnesses(draft, condition, check, span);
        Ok(())
    }

    /// Ends the atomic section when jumping to a place outside of it.
    fn leave_atomic(&mut self, draft: &mut Draft, target: Option<u32>, span: Span) {
        if draft.atomic.is_some() && target.is_none() {
            draft.body.push_noted(InstrKind::AtomicEnd, span, Note::Hidden);
        }
    }

    fn goto(&mut self, draft: &mut Draft, labels: &[(String, Span)], span: Span) -> Lower<()> {
        let mut targets = Vec::new();
        let mut leaving = Vec::new();
        for (name, label_span) in labels {
            let Some(&(label, atomic)) = draft.labels.get(name) else { continue };
            if atomic == draft.atomic {
                targets.push(label);
            } else if atomic.is_none() {
                let stop = draft.body.new_label();
                targets.push(stop);
                leaving.push((stop, label));
            } else {
                return Err(self.unsupported(*label_span, "a jump into an atomic section"));
            }
        }
        draft.body.push(InstrKind::Goto(targets), span);
        for (stop, label) in leaving {
            draft.body.label(stop, span);
            draft.body.push_noted(InstrKind::AtomicEnd, span, Note::Hidden);
            draft.body.goto(vec![label], span);
        }
        Ok(())
    }

    /// Branches on a condition. What follows is executed if it holds; [`Self::end_branch`] begins the rest.
    fn branch(&mut self, draft: &mut Draft, guard: Option<&Expr>, span: Span) -> Lower<Branch> {
        let (condition, negation, span) = match guard {
            Some(e) => {
                let condition = self.formula(e)?;
                (condition, self.pool.not(condition), e.span)
            }
            None => (TermId::TRUE, TermId::TRUE, span),
        };
        self.mark(draft, span);
        let (yes, no) = (draft.body.new_label(), draft.body.new_label());
        draft.body.goto(vec![yes, no], span);
        draft.body.label(yes, span);
        self.assume_with_witnesses(draft, condition, span, Note::Branch(true));
        Ok(Branch { no, negation, span })
    }

    fn end_branch(&mut self, draft: &mut Draft, branch: &Branch, continuation: LabelId) {
        draft.body.goto(vec![continuation], branch.span);
        draft.body.label(branch.no, branch.span);
        self.assume_with_witnesses(draft, branch.negation, branch.span, Note::Branch(false));
    }

    fn if_statement(
        &mut self,
        draft: &mut Draft,
        branches: &[(Option<Expr>, Vec<Stmt>)],
        otherwise: Option<&[Stmt]>,
        labels: Vec<String>,
        span: Span,
    ) -> Lower<()> {
        let end = draft.body.new_label();
        draft.enclosing.push(Enclosing { labels, is_loop: false, end, atomic: draft.atomic });
        for (guard, block) in branches {
            let keyword = Span { end: span.start + 2, ..span };
            let branch = self.branch(draft, guard.as_ref(), keyword)?;
            self.block(draft, block);
            self.end_branch(draft, &branch, end);
        }
        if let Some(block) = otherwise {
            self.block(draft, block);
        }
        draft.body.label(end, span);
        draft.enclosing.pop();
        Ok(())
    }

    fn while_statement(
        &mut self,
        draft: &mut Draft,
        guard: Option<&Expr>,
        invariants: &[Condition],
        body: &[Stmt],
        labels: Vec<String>,
        span: Span,
    ) -> Lower<()> {
        let keyword = Span { end: span.start + 5, ..span };
        let (head, end) = (draft.body.new_label(), draft.body.new_label());
        draft.body.label(head, keyword);
        for invariant in invariants {
            if invariant.free {
                let condition = self.formula(&invariant.expr)?;
                self.mark(draft, invariant.span);
                self.assume_with_witnesses(draft, condition, invariant.span, Note::None);
            } else {
                let claim = format!("loop invariant {}", self.quote(invariant.expr.span));
                self.assert(draft, &invariant.expr, &claim, invariant.span)?;
            }
        }
        let branch = self.branch(draft, guard, keyword)?;
        draft.enclosing.push(Enclosing { labels, is_loop: true, end, atomic: draft.atomic });
        self.block(draft, body);
        draft.enclosing.pop();
        self.end_branch(draft, &branch, head);
        draft.body.label(end, span);
        Ok(())
    }

    fn call(
        &mut self,
        draft: &mut Draft,
        lhs: &[typed::VarId],
        (callee, free): (typed::ProcId, bool),
        type_args: &[crate::types::TyId],
        args: &[Expr],
        span: Span,
    ) -> Lower<()> {
        let args = self.exprs(args)?;
        self.mark(draft, span);
        let type_args: Vec<_> = type_args.iter().map(|&t| self.ty(t)).collect();
        let decl = &self.symbols.typed.procs[callee];
        let (returns, type_params) = (decl.returns.clone(), decl.type_params.clone());
        let by_contract = self.is_modular && !decl.bodies.is_empty() && !decl.is_inlined;
        let instance = self.instance(callee, type_args.clone(), CallKind { is_free: free, by_contract }, span);
        let results: Vec<VarId> = if lhs.is_empty() && !returns.is_empty() {
            let mut out = Vec::new();
            for var in returns {
                let (name, ty, _) = self.var_parts(var);
                let ty = self.symbols.typed.types.subst(ty, &type_params, &type_args);
                for sort in self.row(ty, span)? {
                    out.push(self.temporary(draft, &name, sort));
                }
            }
            out
        } else {
            lhs.iter().flat_map(|v| self.symbols.ir_vars[v].iter().copied()).collect()
        };
        if !free {
            self.assert_preconditions(draft, callee, &type_args, &args, span, "call")?;
        }
        draft.body.push(InstrKind::Call { callee: instance, args, results }, span);
        Ok(())
    }

    /// Uses a procedure as a lemma: assumes `forall * :: requires ==> ensures`.
    fn call_forall(
        &mut self,
        draft: &mut Draft,
        callee: typed::ProcId,
        type_args: &[crate::types::TyId],
        args: &[Option<Expr>],
        span: Span,
    ) -> Lower<()> {
        let decl = self.symbols.typed.procs[callee].clone();
        if !decl.type_params.is_empty() || !type_args.is_empty() {
            return Err(self.unsupported(span, "`call forall` of a polymorphic procedure"));
        }
        let mut bound = Vec::new();
        let mut meanings = Vec::new();
        for (&param, arg) in decl.params.iter().zip(args) {
            let terms = match arg {
                Some(e) => self.expr(e)?,
                None => {
                    let (name, ty, _) = self.var_parts(param);
                    let row = self.row(ty, span)?;
                    let terms: Vec<TermId> = row.into_iter().map(|sort| self.pool.fresh_bound(&name, sort)).collect();
                    bound.extend_from_slice(&terms);
                    terms
                }
            };
            meanings.push((param, terms));
        }
        // The callee may be the procedure itself: its parameters mean something else meanwhile.
        let saved: Vec<_> =
            meanings.into_iter().map(|(param, terms)| (param, self.symbols.env.insert(param, terms))).collect();
        // It changes nothing, so `old(g)` is `g` of the moment.
        let changing = std::mem::take(&mut self.changing);
        let threads = std::mem::replace(&mut self.has_threads, false);
        let lemma = self.lemma(&decl);
        self.changing = changing;
        self.has_threads = threads;
        for (param, terms) in saved {
            match terms {
                Some(terms) => self.symbols.env.insert(param, terms),
                None => self.symbols.env.remove(&param),
            };
        }
        self.mark(draft, span);
        let lemma = self.pool.forall(&bound, Vec::new(), lemma?);
        draft.assume(lemma, span, Note::None);
        if !decl.bodies.is_empty() {
            self.add_entry(callee);
        }
        Ok(())
    }

    /// `requires ==> ensures` for the present meaning of the parameters.
    fn lemma(&mut self, decl: &Procedure) -> Lower<TermId> {
        let conditions = decl.params.iter().filter_map(|&p| self.symbols.typed.vars[p].condition.clone());
        let conditions: Vec<Expr> = conditions.chain(decl.requires.iter().map(|c| c.expr.clone())).collect();
        let pre: Vec<TermId> = conditions.iter().map(|e| self.formula(e)).collect::<Lower<_>>()?;
        let post: Vec<TermId> = decl.ensures.iter().map(|c| self.formula(&c.expr)).collect::<Lower<_>>()?;
        let (pre, post) = (self.pool.and(&pre), self.pool.and(&post));
        Ok(self.pool.implies(pre, post))
    }
}

fn without_repetition(vars: Vec<VarId>) -> Vec<VarId> {
    let mut out: Vec<VarId> = Vec::new();
    for var in vars {
        if !out.contains(&var) {
            out.push(var);
        }
    }
    out
}

/// Gives every user label its place, with the outermost atomic section around it. The sections are
/// numbered in the order in which [`Lowerer::stmt`] meets them.
fn declare_labels(block: &[Stmt], atomic: Option<u32>, counter: &mut u32, draft: &mut Draft) {
    for stmt in block {
        match &stmt.kind {
            StmtKind::Label(name) => {
                let label = draft.body.new_label();
                draft.labels.insert(name.clone(), (label, atomic));
            }
            StmtKind::Atomic(body) => {
                let inner = atomic.unwrap_or_else(|| {
                    *counter += 1;
                    *counter - 1
                });
                declare_labels(body, Some(inner), counter, draft);
            }
            StmtKind::While { body, .. } => declare_labels(body, atomic, counter, draft),
            StmtKind::If { branches, otherwise } => {
                for (_, body) in branches {
                    declare_labels(body, atomic, counter, draft);
                }
                if let Some(body) = otherwise {
                    declare_labels(body, atomic, counter, draft);
                }
            }
            StmtKind::Assert(_)
            | StmtKind::Assume(_)
            | StmtKind::Havoc(_)
            | StmtKind::Assign(_)
            | StmtKind::Sequence(_)
            | StmtKind::Call { .. }
            | StmtKind::CallForall { .. }
            | StmtKind::Fork { .. }
            | StmtKind::Join { .. }
            | StmtKind::Goto(_)
            | StmtKind::Break(_)
            | StmtKind::Return => {}
        }
    }
}
