//! Locks that begin to live again.
//!
//! What a lock is in is kept beside the memory, by its address ([`super::threads`]). A local lock whose block is
//! entered again is a new one, so it needs an address of its own each time. A lock that is filled with zeros is free;
//! other assignments of whole locks are not modelled.

use rustc_hash::FxHashSet;

use super::int::IntVal;
use super::memory::PtrVal;
use super::threads::LockPart;
use super::{Lowerer, reachability::Reachability};
use crate::hir::*;
use crate::types::{Ty, TypeId, Types};
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

/// Of those, the ones whose locks are numbers.
const ON_NUMBERS: [&str; 3] = ["pthread_once", "pthread_spin_", "call_once"];

pub(super) fn is_on_locks(name: &str) -> bool {
    ON_LOCKS.iter().any(|beginning| name.starts_with(beginning))
}

/// The local variables that may be declared more often than once in an execution, if the program has locks.
pub(super) fn variables(unit: &Unit, reach: &Reachability, entries: &[FuncId]) -> FxHashSet<VarId> {
    if !reach.mentioned.iter().any(|f| is_on_locks(&unit.funcs[*f].name)) {
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

/// Is a mutex with static storage initialised to something else than zeros? Recursive mutexes of glibc are such.
pub(super) fn initialises_other_mutexes(unit: &Unit) -> bool {
    let is_lock = |name: &str| name.starts_with("pthread_mutex_");
    let types = unit.funcs.iter().filter(|(_, f)| is_lock(&f.name)).filter_map(|(_, f)| {
        let first = unit.types.function(f.ty)?.params.first().copied()?;
        unit.types.pointee(first.id).map(|mutex| mutex.id)
    });
    let mutexes: FxHashSet<TypeId> = types.filter(|ty| unit.types.is_record(*ty)).collect();
    let is_other = |item: &InitItem, ty: Ty| {
        let is_zero = matches!(item.value.without_conversions().kind, ExprKind::Int(0));
        !is_zero && passes_mutex(&unit.types, ty.id, &item.path, &mutexes)
    };
    let mut vars = unit.vars.iter().filter_map(|(_, var)| Some((var.init.as_ref()?, var.ty)));
    vars.any(|(init, ty)| init.items.iter().any(|item| is_other(item, ty)))
}

/// Does a path into an object lead into a mutex?
fn passes_mutex(types: &Types, mut ty: TypeId, path: &[Step], mutexes: &FxHashSet<TypeId>) -> bool {
    for step in path {
        if mutexes.contains(&ty) {
            return true;
        }
        let part = match step {
            Step::Field(n) => types.fields(ty).and_then(|fields| fields.get(*n as usize).map(|f| f.ty.id)),
            Step::Index(_) => types.element(ty).map(|element| element.id),
            Step::Byte(_) => None,
        };
        let Some(part) = part else { return false };
        ty = part;
    }
    mutexes.contains(&ty)
}

impl Lowerer<'_> {
    /// A range of bytes is filled with zeros, or (`None`) with something else: locks among them are free then.
    pub(super) fn overwrites_locks(&mut self, p: PtrVal, e: &Expr, zeros: Option<IntVal>, span: Span) {
        let has_locks = self.alias.value(e).is_some_and(|node| self.alias.has_locks(node));
        if !has_locks {
            return;
        }
        let ty = self.pointed_type(e).map(|ty| ty.id);
        let is_whole = |size: IntVal, ty: TypeId| {
            size.lo == size.hi && self.unit.types.size_of(ty).map(i128::from) == Some(size.lo)
        };
        let mut offsets = Vec::new();
        let known = match (ty, zeros) {
            (Some(ty), Some(size)) if is_whole(size, ty) => self.lock_offsets(ty, 0, &mut offsets),
            (Some(ty), None) if self.unit.types.has_members(ty) => {
                self.lock_offsets(ty, 0, &mut offsets) && offsets.is_empty()
            }
            _ => false,
        };
        if !known {
            self.note_unsound("threads: a lock that is overwritten", span);
            return;
        }
        let free = self.num(0);
        for offset in offsets {
            let offset = self.num(offset);
            let lock = PtrVal { addr: self.add2(p.addr, offset), ..p };
            for part in self.parts_of_locks() {
                self.set_lock_state(lock, part, free, span);
            }
        }
    }

    /// Where the locks in an object of a type begin; `false` if that is unknown.
    fn lock_offsets(&self, ty: TypeId, start: i128, offsets: &mut Vec<i128>) -> bool {
        const MAX_LOCKS: usize = 8;
        let types = &self.unit.types;
        if types.element(ty).is_some() {
            return !self.has_opaque_member(ty);
        }
        let Some(fields) = types.fields(ty) else {
            // The control variable of `pthread_once` and a spin lock are plain numbers.
            return !ON_NUMBERS.iter().any(|name| self.mentioned.iter().any(|m| m.starts_with(name)));
        };
        if fields.iter().any(|f| f.name.as_ref().is_some_and(|n| n.starts_with("__"))) {
            offsets.push(start);
            return offsets.len() <= MAX_LOCKS;
        }
        fields.iter().all(|f| self.lock_offsets(f.ty.id, start + i128::from(f.offset()), offsets))
    }

    /// The parts of locks that a program uses.
    fn parts_of_locks(&self) -> Vec<LockPart> {
        let mut parts = vec![LockPart::Owner, LockPart::Count];
        if self.threads.has_mutex_kinds {
            parts.extend([LockPart::Kind, LockPart::Holder]);
        }
        parts
    }

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
        if let Some(element) = types.element(ty) {
            return self.has_opaque_member(element.id);
        }
        types.fields(ty).is_some_and(|fields| {
            fields
                .iter()
                .any(|f| f.name.as_ref().is_some_and(|n| n.starts_with("__")) || self.has_opaque_member(f.ty.id))
        })
    }
}
