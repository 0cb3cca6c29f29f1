//! Calls that surely run before the first thread is created.
//!
//! The analysis is syntactic, over the functions that executions start in: what stands before the first statement that
//! may create a thread, and outside of loops with such a statement. Functions that are only called from there run early
//! as well.

use rustc_hash::FxHashSet;

use super::reachability::Reachability;
use crate::hir::*;
use crate::visit::{Node, Visit, parts_of_expr, parts_of_stmt, walk_stmt};

/// The calls, by their expressions.
pub(super) type Early = FxHashSet<*const Expr>;

pub(super) fn calls(unit: &Unit, reach: &Reachability, entries: &[FuncId]) -> Early {
    let creators = creators(unit, reach);
    let mut scan = Scan { creators: &creators, created: false, early: Early::default(), late: Vec::new() };
    let is_first = |f: &FuncId| entries.contains(f) && !reach.called.contains(f) && !reach.address_taken.contains(f);
    // Who calls whom when a thread may have been created.
    let mut late: Vec<(FuncId, FuncId)> = Vec::new();
    for &func in &reach.functions {
        scan.created = !is_first(&func);
        unit.funcs[func].body.iter().for_each(|body| scan.stmts(body));
        late.extend(scan.late.drain(..).map(|callee| (func, callee)));
    }
    // Functions all calls of which are early.
    let may_be_early = |f: &FuncId| {
        let is_alone = !entries.contains(f) && !reach.address_taken.contains(f) && !creators.functions.contains(f);
        is_alone && unit.funcs[*f].destructor.is_none()
    };
    let mut functions: FxHashSet<FuncId> = reach.functions.iter().copied().filter(may_be_early).collect();
    loop {
        let before = functions.len();
        for (caller, callee) in &late {
            if !functions.contains(caller) {
                functions.remove(callee);
            }
        }
        if functions.len() == before {
            break;
        }
    }
    let mut result = scan.early;
    for &func in reach.functions.iter().filter(|f| functions.contains(f)) {
        for stmt in unit.funcs[func].body.iter().flatten() {
            walk_stmt(stmt, &mut |node| {
                if let Node::Expr(e) = node
                    && matches!(e.kind, ExprKind::Call { .. })
                {
                    result.insert(std::ptr::from_ref(e));
                }
                true
            });
        }
    }
    result
}

/// Who may create a thread.
struct Creators {
    functions: FxHashSet<FuncId>,
    /// A function that is called through a pointer may.
    by_pointer: bool,
}

impl Creators {
    fn has(&self, callee: &Callee) -> bool {
        match callee {
            Callee::Direct(func) => self.functions.contains(func),
            Callee::Indirect(_) => self.by_pointer,
        }
    }
}

fn creators(unit: &Unit, reach: &Reachability) -> Creators {
    let is_create = |f: &FuncId| matches!(&*unit.funcs[*f].name, "pthread_create" | "thrd_create");
    let functions = reach.mentioned.iter().copied().filter(is_create).collect();
    let mut found = Creators { functions, by_pointer: false };
    loop {
        let before = (found.functions.len(), found.by_pointer);
        for &func in &reach.functions {
            let mut creates = false;
            for stmt in unit.funcs[func].body.iter().flatten() {
                creates |= may_create(&found, stmt);
            }
            if creates {
                found.functions.insert(func);
            }
        }
        found.by_pointer |= reach.address_taken.iter().any(|f| found.functions.contains(f));
        if before == (found.functions.len(), found.by_pointer) {
            return found;
        }
    }
}

fn may_create(creators: &Creators, stmt: &Stmt) -> bool {
    let mut found = false;
    walk_stmt(stmt, &mut |node| {
        if let Node::Expr(e) = node
            && let ExprKind::Call { callee, .. } = &e.kind
        {
            found |= creators.has(callee);
        }
        true
    });
    found
}

/// Goes through a function in the order of its text.
struct Scan<'a> {
    creators: &'a Creators,
    /// A thread may have been created.
    created: bool,
    early: Early,
    /// What is called when one may have been created.
    late: Vec<FuncId>,
}

impl<'n> Visit<'n> for Scan<'_> {
    fn stmt(&mut self, stmt: &'n Stmt) {
        let has_parts = matches!(stmt.kind, StmtKind::Block(_) | StmtKind::If(..));
        // A label may be jumped back to from anywhere.
        self.created |= matches!(stmt.kind, StmtKind::Label(..)) || !has_parts && may_create(self.creators, stmt);
        parts_of_stmt(self, stmt);
    }
    fn expr(&mut self, e: &'n Expr) {
        if let ExprKind::Call { callee, .. } = &e.kind {
            self.created |= self.creators.has(callee);
            match callee {
                Callee::Direct(func) if self.created => self.late.push(*func),
                Callee::Direct(_) => {
                    self.early.insert(std::ptr::from_ref(e));
                }
                Callee::Indirect(_) => {}
            }
        }
        parts_of_expr(self, e);
    }
}
