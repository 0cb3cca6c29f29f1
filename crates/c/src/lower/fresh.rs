//! Functions that return a new object whenever they are called: `malloc` and its like, and those that return nothing
//! but what such functions gave them. Where a `void *` comes from such a call, the type that it is converted to is the
//! type of the object.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::hir::*;
use crate::library::{self, Model, Returns};
use crate::types::TypeId;
use crate::visit::{Visit, parts_of_expr, parts_of_stmt};

/// What a function returns, and what its variables are set to.
#[derive(Default)]
struct Flow<'n> {
    returned: Vec<&'n Expr>,
    /// The values of plain assignments and initialisers.
    assigned: FxHashMap<VarId, Vec<&'n Expr>>,
    /// How often a variable, or a part of it, is written in any way.
    n_written: FxHashMap<VarId, usize>,
    addressed: FxHashSet<VarId>,
}

impl<'n> Visit<'n> for Flow<'n> {
    fn declared(&mut self, var: VarId, init: Option<&'n Init>) {
        for item in init.iter().flat_map(|i| &i.items) {
            self.assigned.entry(var).or_default().push(&item.value);
            *self.n_written.entry(var).or_default() += 1;
        }
    }
    fn written(&mut self, place: &'n Place) {
        if let Some(var) = crate::visit::root(place) {
            *self.n_written.entry(var).or_default() += 1;
        }
    }
    fn addressed(&mut self, place: &'n Place) {
        self.addressed.extend(crate::visit::root(place));
    }
    fn stmt(&mut self, stmt: &'n Stmt) {
        if let StmtKind::Return(Some(e)) = &stmt.kind {
            self.returned.push(e);
        }
        parts_of_stmt(self, stmt);
    }
    fn expr(&mut self, e: &'n Expr) {
        if let ExprKind::Assign(place, value) = &e.kind
            && let PlaceKind::Var(var) = place.kind
        {
            self.assigned.entry(var).or_default().push(value);
        }
        parts_of_expr(self, e);
    }
}

impl Flow<'_> {
    fn is_fresh(&self, unit: &Unit, known: &FxHashSet<FuncId>, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Convert(inner) => self.is_fresh(unit, known, inner),
            ExprKind::Int(0) => true,
            ExprKind::Cond(_, a, b) => self.is_fresh(unit, known, a) && self.is_fresh(unit, known, b),
            ExprKind::Load(place) => match place.kind {
                PlaceKind::Var(var) => self.holds_fresh(unit, known, var),
                _ => false,
            },
            _ => is_fresh_call(unit, known, e),
        }
    }

    /// Is a local `void *` only set to new objects? It cannot be read in a loop before it is set, because it is not set
    /// to itself.
    fn holds_fresh(&self, unit: &Unit, known: &FxHashSet<FuncId>, var: VarId) -> bool {
        let data = &unit.vars[var];
        let values = self.assigned.get(&var).map_or(&[][..], Vec::as_slice);
        let is_void = unit.types.pointee(data.ty.id).is_some_and(|p| p.id == TypeId::VOID);
        let is_call = |e: &&Expr| is_fresh_call(unit, known, without_conversions(e)) || is_null(e);
        is_void
            && !matches!(data.storage, Storage::Static { .. })
            && !self.addressed.contains(&var)
            && !values.is_empty()
            && self.n_written.get(&var).copied() == Some(values.len())
            && values.iter().all(is_call)
    }
}

fn without_conversions(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Convert(inner) => without_conversions(inner),
        _ => e,
    }
}

fn is_null(e: &Expr) -> bool {
    matches!(without_conversions(e).kind, ExprKind::Int(0))
}

/// Does the call make an object of its own? Other functions return what they were given, or keep.
pub(super) fn is_fresh_call(unit: &Unit, known: &FxHashSet<FuncId>, e: &Expr) -> bool {
    let ExprKind::Call { callee: Callee::Direct(func), .. } = &e.kind else { return false };
    let function = &unit.funcs[*func];
    match function.body {
        Some(_) => known.contains(func),
        None => library::find(&function.name)
            .is_some_and(|row| row.returns == Returns::Fresh && row.model != Model::Reallocate),
    }
}

/// The functions with a body that return new objects.
pub(super) fn functions(unit: &Unit, reachable: &[FuncId]) -> FxHashSet<FuncId> {
    let is_void = |ty: TypeId| unit.types.pointee(ty).is_some_and(|p| p.id == TypeId::VOID);
    let returns_void_pointer = |f: FuncId| unit.types.function(unit.funcs[f].ty).is_some_and(|t| is_void(t.ret.id));
    let mut flows: Vec<(FuncId, Flow<'_>)> = Vec::new();
    for &func in reachable.iter().filter(|&&f| returns_void_pointer(f)) {
        if let Some(body) = &unit.funcs[func].body {
            let mut flow = Flow::default();
            flow.stmts(body);
            flows.push((func, flow));
        }
    }
    let mut known = FxHashSet::default();
    loop {
        let before = known.len();
        for (func, flow) in &flows {
            if !flow.returned.is_empty() && flow.returned.iter().all(|e| flow.is_fresh(unit, &known, e)) {
                known.insert(*func);
            }
        }
        if known.len() == before {
            return known;
        }
    }
}
