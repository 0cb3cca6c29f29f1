//! Locks that begin to live again.
//!
//! What a lock is in is kept beside the memory, by its address ([`super::threads`]). A local lock whose block is entered again is a new one, so it
//! needs an address of its own each time; an assignment of a whole lock is not modelled.

use rustc_hash::FxHashSet;

use super::{Lowerer, reachability::Reachability};
use crate::hir::*;
use crate::types::TypeId;
use crate::visit::{Visit, parts_of_stmt};
use base::Span;

/// The beginnings of the names of functions on locks.
const ON_LOCKS: [&str; 10] = [
    "pthread_mutex_",
    "pthread_rwlock_",
    "pthread_spin_",
    "pthread_barrier_",
    "pthread_cond_",
    "pthread_once",
    "sem_",
    "mtx_",
    "cnd_",
    "call_once",
];

/// The local variables that may be declared more often than once in an execution, if the program has locks.
pub(super) fn variables(unit: &Unit, reach: &Reachability, entries: &[FuncId]) -> FxHashSet<VarId> {
    let is_on_locks = |f: &&FuncId| ON_LOCKS.iter().any(|name| unit.funcs[**f].name.starts_with(name));
    if !reach.mentioned.iter().any(|f| is_on_locks(&f)) {
        return FxHashSet::default();
    }
    let mut found = Declared::default();
    for &func in &reach.functions {
        let is_called = !entries.contains(&func) || reach.called.contains(&func);
        found.n_loops = usize::from(is_called);
        found.again.extend(unit.funcs[func].params.iter().filter(|_| is_called));
        unit.funcs[func].body.iter().for_each(|body| found.stmts(body));
    }
    found.again
}

/// The variables that are declared inside loops, or anywhere if the function is called.
#[derive(Default)]
struct Declared {
    n_loops: usize,
    again: FxHashSet<VarId>,
}

impl<'n> Visit<'n> for Declared {
    fn declared(&mut self, var: VarId, _: Option<&'n Init>) {
        if self.n_loops > 0 {
            self.again.insert(var);
        }
    }
    fn stmt(&mut self, stmt: &'n Stmt) {
        // A label may be jumped back to.
        let is_loop = matches!(
            stmt.kind,
            StmtKind::While(..) | StmtKind::DoWhile(..) | StmtKind::For { .. } | StmtKind::Label(..)
        );
        self.n_loops += usize::from(is_loop);
        parts_of_stmt(self, stmt);
        self.n_loops -= usize::from(is_loop);
    }
}

impl Lowerer<'_> {
    /// Is a whole lock assigned, be it a part of a record?
    pub(super) fn note_assigned_lock(&mut self, place: &Place, span: Span) {
        let node = self.alias.place(place);
        if self.alias.has_locks(node) && self.has_state_of_a_lock(place) {
            self.note_unsound("threads: a lock that is assigned", span);
        }
    }

    fn has_state_of_a_lock(&self, place: &Place) -> bool {
        match place.kind {
            PlaceKind::Var(_) => true,
            _ => self.has_opaque_member(place.ty.id),
        }
    }

    /// Locks are records with members of reserved names, here and in other libraries.
    fn has_opaque_member(&self, ty: TypeId) -> bool {
        let types = &self.unit.types;
        types.fields(ty).is_some_and(|fields| {
            fields
                .iter()
                .any(|f| f.name.as_ref().is_some_and(|n| n.starts_with("__")) || self.has_opaque_member(f.ty.id))
        })
    }
}
