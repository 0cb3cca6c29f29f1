//! Annotations of a witness in the lowered program (see [`crate::annotate`]).
//!
//! Invariants become checks of their own. A guided execution carries a counter, the *segment* of the witness it is in:
//! a waypoint to follow assumes its condition in its segment and continues with the next one, a waypoint to avoid
//! assumes that its condition fails. A violation counts only in the last segment and only in the text of the target;
//! others end the execution. So the executions that violate the program are exactly those that the witness describes.

use base::Span;
use ir::Subproperty;
use ir::{Check, InstrKind};
use logic::TermId;

use super::{Lowerer, R, Val, unsupported};
use crate::annotate::Role;
use crate::hir::Expr;

#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// What each annotation means, its line and its text.
    pub roles: Vec<(Role, u32, String)>,
    /// Executions are guided, and this is the last segment.
    pub final_segment: Option<u32>,
    /// Where violations count; `None`: everywhere, in every segment.
    pub target: Option<Span>,
    /// What a temporal property speaks about.
    pub(crate) events: Vec<ir::Event>,
    pub(crate) contracts: crate::contracts::Contracts,
}

impl Lowerer<'_> {
    fn segment(&mut self) -> ir::VarId {
        match self.segment {
            Some(var) => var,
            None => {
                let var = self.global_var("#segment", self.word.sort, Span::NONE);
                self.program.vars[var].role = ir::VarRole::WitnessSegment;
                self.segment = Some(var);
                var
            }
        }
    }

    fn in_segment(&mut self, number: u32) -> TermId {
        let var = self.segment();
        let (now, wanted) = (self.program.term(var), self.num(i128::from(number)));
        self.pool.eq(now, wanted)
    }

    /// A call that stands for the annotations of one place: a visit of it.
    pub fn annotations(&mut self, numbers: &str, expressions: &[Expr], span: Span) -> R<Val> {
        let notes = || numbers.split('_').map(|n| n.parse().ok().and_then(|n: usize| self.notes.roles.get(n)).cloned());
        let Some(notes) = notes().collect::<Option<Vec<_>>>().filter(|notes| notes.len() == expressions.len()) else {
            return unsupported(span, "a function that only witnesses use");
        };
        let end = self.new_label();
        let mut is_guided = false;
        for ((role, line, text), expression) in notes.into_iter().zip(expressions) {
            match role {
                Role::Invariant => {
                    // It speaks about one state: no other thread may write while it is evaluated.
                    self.begin_atomic(span);
                    let condition = self.noted(expression)?;
                    let claim = format!("the invariant {text} of line {line}");
                    let check = Check::claim(Subproperty::WitnessInvariant, &claim, span);
                    self.emit(InstrKind::Assert(condition, check), span);
                    self.end_atomic(span);
                }
                Role::Follow(segment) => self.pass(expression, segment, segment + 1, end, span)?,
                Role::Cycle(segment, next) => self.pass(expression, segment, next, end, span)?,
                Role::Avoid(segment) => {
                    let here = self.in_segment(segment);
                    self.begin_atomic(span);
                    let elsewhere = self.branch_hidden(here, span);
                    let condition = self.noted(expression)?;
                    let fails = self.pool.not(condition);
                    self.emit_hidden(InstrKind::Stmt(ir::Stmt::Assume(fails)), span);
                    let done = self.new_label();
                    self.jump(vec![done], span);
                    self.otherwise_hidden(elsewhere, here, span);
                    self.place_label(done, span);
                    self.end_atomic(span);
                }
            }
            is_guided |= role != Role::Invariant;
        }
        if is_guided {
            self.jump(vec![end], span);
            self.place_label(end, span);
        }
        Ok(Val::Int(self.int_const(0)))
    }

    /// The truth of an annotation.
    fn noted(&mut self, expression: &Expr) -> R<TermId> {
        let outer = std::mem::replace(&mut self.context.in_note, true);
        let condition = self.condition(expression);
        self.context.in_note = outer;
        condition
    }

    /// A call that stands for a proposition of a temporal formula: its truth as a term over the variables. Nothing is
    /// executed.
    pub fn proposition(&mut self, number: &str, expression: &Expr, span: Span) -> R<Val> {
        let before = self.f.body.instrs.len();
        let outer = std::mem::replace(&mut self.context.in_proposition, true);
        let condition = self.condition(expression);
        self.context.in_proposition = outer;
        let condition = condition?;
        // What is computed on the way is put into the term. Nothing is checked: arithmetic of propositions does not
        // overflow.
        let mut values: Vec<(TermId, TermId)> = Vec::new();
        let mut is_plain = true;
        for instr in self.f.body.instrs.drain(before..) {
            match instr.kind {
                InstrKind::Stmt(ir::Stmt::Assign(pairs)) => {
                    let new: Vec<(TermId, TermId)> = pairs
                        .iter()
                        .map(|&(v, t)| (self.program.vars[v].term, self.pool.substitute(t, &values)))
                        .collect();
                    values.retain(|(known, _)| new.iter().all(|(v, _)| v != known));
                    values.extend(new);
                }
                InstrKind::Assert(..) => {}
                InstrKind::Stmt(ir::Stmt::Assume(_)) if instr.note == ir::Note::Fact => {}
                InstrKind::Stmt(ir::Stmt::Assume(TermId::TRUE)) => {}
                _ => is_plain = false,
            }
        }
        let condition = self.pool.substitute(condition, &values);
        if !is_plain {
            return unsupported(span, "a proposition whose evaluation branches or chooses");
        }
        if let Ok(number) = number.parse() {
            self.propositions.insert(number, condition);
        }
        Ok(Val::Int(self.int_const(0)))
    }

    /// A step in which something happens that a temporal property speaks about.
    pub(crate) fn event(&mut self, kind: ir::EventKind, name: &str, span: Span) {
        let is_meant = |e: &ir::Event| e.kind == kind && e.name == name;
        if !self.notes.events.iter().any(is_meant) {
            return;
        }
        let known = self.program.events.iter().position(is_meant);
        let number = known.unwrap_or_else(|| {
            self.program.events.push(ir::Event { kind, name: name.to_string() });
            self.program.events.len() - 1
        });
        self.f.n_effects += 1;
        let step = InstrKind::Stmt(ir::Stmt::Assume(TermId::TRUE));
        self.f.body.push_noted(step, span, ir::Note::Mark(number as u32));
    }

    /// In a segment the condition must hold, and the next segment begins; nothing else is passed in this visit, which
    /// continues at `end`.
    fn pass(&mut self, expression: &Expr, segment: u32, next: u32, end: ir::LabelId, span: Span) -> R<()> {
        let here = self.in_segment(segment);
        // No other thread may pass a waypoint in between.
        self.begin_atomic(span);
        let elsewhere = self.branch_hidden(here, span);
        let condition = self.noted(expression)?;
        self.emit_hidden(InstrKind::Stmt(ir::Stmt::Assume(condition)), span);
        let (counter, next) = (self.segment(), self.num(i128::from(next)));
        self.emit_hidden(InstrKind::Stmt(ir::Stmt::Assign(vec![(counter, next)])), span);
        self.end_atomic(span);
        self.jump(vec![end], span);
        self.otherwise_hidden(elsewhere, here, span);
        self.end_atomic(span);
        Ok(())
    }

    /// Emits a check, or what becomes of it in a guided execution or inside an annotation.
    pub fn emit_check(&mut self, condition: TermId, check: Check, span: Span) {
        let is_memory = [Subproperty::ValidDeref, Subproperty::ValidFree, Subproperty::ValidMemtrack];
        if self.mode.follows_objects && is_memory.contains(&check.property) {
            return;
        }
        if self.context.in_contract {
            return self.check_in_contract(condition, &check, span);
        }
        if self.context.in_note && self.notes.final_segment.is_some() {
            // A waypoint that cannot be evaluated is not passed.
            self.emit_hidden(InstrKind::Stmt(ir::Stmt::Assume(condition)), span);
            return;
        }
        if self.context.in_note {
            // Evaluating an annotation must not be undefined.
            let message = format!("an annotation cannot be evaluated: {}", check.message);
            let check = Check::new(Subproperty::WitnessInvariant, message, span);
            self.emit(InstrKind::Assert(condition, check), span);
            return;
        }
        // Without a target the question is another one than a violation.
        let (Some(last), Some(target)) = (self.notes.final_segment, self.notes.target) else {
            self.emit(InstrKind::Assert(condition, check), span);
            return;
        };
        // Code of other files, such as the library's, has no statement in the program that could be the target.
        let counts =
            target.file != check.span.file || target.start <= check.span.start && check.span.start < target.end;
        if counts {
            let here = self.in_segment(last);
            let elsewhere = self.pool.not(here);
            let holds = self.pool.or(&[condition, elsewhere]);
            if holds != TermId::TRUE {
                self.emit(InstrKind::Assert(holds, check), span);
            }
        }
        self.emit_hidden(InstrKind::Stmt(ir::Stmt::Assume(condition)), span);
    }
}
