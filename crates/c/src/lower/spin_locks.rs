//! Loops that wait for a lock with `__sync_lock_test_and_set`.
//!
//! That operation is an acquire barrier only: what was written before it need not be seen by whoever sees its value. In
//! `while (__sync_lock_test_and_set(&lock, 1));` that value has no effect, as control continues only with the zero that
//! `__sync_lock_release` wrote. Other uses prove nothing about threads.

use base::Span;
use rustc_hash::FxHashSet;

use crate::hir::*;
use crate::visit::{Visit, parts_of_stmt};

/// The operation.
pub(super) const LOCK_TEST_AND_SET: &str = "__sync_lock_test_and_set";

/// The places of the calls that wait for a lock.
pub(super) fn spin_locks(unit: &Unit) -> FxHashSet<Span> {
    let mut loops = Loops { unit, found: FxHashSet::default() };
    for body in unit.funcs.values().filter_map(|f| f.body.as_ref()) {
        loops.stmts(body);
    }
    loops.found
}

struct Loops<'u> {
    unit: &'u Unit,
    found: FxHashSet<Span>,
}

impl<'u> Visit<'u> for Loops<'u> {
    fn stmt(&mut self, stmt: &'u Stmt) {
        let (condition, body) = match &stmt.kind {
            StmtKind::While(condition, body) | StmtKind::DoWhile(body, condition) => (Some(condition), Some(body)),
            StmtKind::For { condition, body, .. } => (condition.as_ref(), Some(body)),
            _ => (None, None),
        };
        if let (Some(condition), Some(body)) = (condition, body) {
            let mut jumps = Jumps { found: false };
            jumps.stmt(body);
            if !jumps.found {
                self.found.extend(self.taken_lock(condition));
            }
        }
        parts_of_stmt(self, stmt);
    }
}

impl Loops<'_> {
    /// The call, if the condition fails only where its result is zero.
    fn taken_lock(&self, condition: &Expr) -> Option<Span> {
        match &condition.kind {
            ExprKind::Call { callee: Callee::Direct(func), .. } => {
                (&*self.unit.funcs[*func].name == LOCK_TEST_AND_SET).then_some(condition.span)
            }
            ExprKind::Convert(inner) => self.taken_lock(inner),
            ExprKind::Compare(CmpOp::Ne, value, other) if matches!(other.kind, ExprKind::Int(0)) => {
                self.taken_lock(value)
            }
            ExprKind::Compare(CmpOp::Eq, value, other) if matches!(other.kind, ExprKind::Int(1)) => {
                self.taken_lock(value)
            }
            _ => None,
        }
    }
}

/// Does control leave by another way than the condition?
struct Jumps {
    found: bool,
}

impl<'u> Visit<'u> for Jumps {
    fn stmt(&mut self, stmt: &'u Stmt) {
        self.found |=
            matches!(stmt.kind, StmtKind::Break | StmtKind::Goto(_) | StmtKind::ComputedGoto(_) | StmtKind::Return(_));
        parts_of_stmt(self, stmt);
    }
}
