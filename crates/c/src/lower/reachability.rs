//! What executions can reach in a unit: functions by calls and by their addresses, and what is seen on the way through
//! their bodies.

use rustc_hash::{FxHashMap, FxHashSet};

use super::alias::push_new;
use super::initialised::Declared;
use crate::hir::*;
use crate::visit::{Visit, parts_of_expr, parts_of_place, parts_of_stmt, root};

/// What `main` can reach, by calls and by addresses.
pub(super) struct Reachability {
    pub functions: Vec<FuncId>,
    /// All functions that are named, with or without a body.
    pub mentioned: Vec<FuncId>,
    pub address_taken: Vec<FuncId>,
    pub recursive: FxHashSet<FuncId>,
    /// Variables that are assigned somewhere.
    pub assigned: FxHashSet<VarId>,
    pub taken_labels: Vec<LabelId>,
    pub label_owners: FxHashMap<LabelId, FuncId>,
    pub called: FxHashSet<FuncId>,
    pub fixed_locks: bool,
    pub fixed_conditions: bool,
    /// Local variables that may be read before they are set.
    pub undetermined: FxHashSet<VarId>,
}

impl Reachability {
    pub(super) fn new(unit: &Unit, entries: &[FuncId]) -> Reachability {
        let mut scan = Scan {
            calls: Vec::new(),
            taken: Vec::new(),
            indirect: false,
            assigned: FxHashSet::default(),
            taken_labels: Vec::new(),
            labels: Vec::new(),
            fixed_locks: true,
            fixed_conditions: true,
            named: FxHashSet::default(),
            declared: Declared::default(),
            unit,
        };
        let mut undetermined = FxHashSet::default();
        let mut label_owners = FxHashMap::default();
        let mut called = FxHashSet::default();
        // Addresses in initialisers of statics count as taken.
        for &var in &unit.statics {
            if let Some(init) = &unit.vars[var].init {
                scan.init(init);
            }
        }
        let mut edges: FxHashMap<FuncId, Vec<FuncId>> = FxHashMap::default();
        let mut order = Vec::new();
        let mut mentioned = Vec::new();
        let mut seen = FxHashSet::default();
        let mut indirect_callers = Vec::new();
        let mut taken: Vec<FuncId> = std::mem::take(&mut scan.taken);
        let mut work: Vec<FuncId> = entries.iter().rev().copied().collect();
        let hooks: Vec<FuncId> = constructors(unit).into_iter().chain(destructors(unit)).collect();
        called.extend(hooks.iter().copied());
        work.splice(0..0, hooks);
        loop {
            while let Some(func) = work.pop() {
                if !seen.insert(func) {
                    continue;
                }
                mentioned.push(func);
                let Some(body) = &unit.funcs[func].body else { continue };
                order.push(func);
                scan.calls.clear();
                scan.indirect = false;
                scan.stmts(body);
                undetermined.extend(scan.declared.take());
                label_owners.extend(scan.labels.drain(..).map(|label| (label, func)));
                scan.taken.drain(..).for_each(|f| push_new(&mut taken, f));
                let calls_others = |f: &FuncId| {
                    matches!(&*unit.funcs[*f].name, "pthread_create" | "pthread_once" | "thrd_create" | "call_once")
                };
                if scan.indirect || scan.calls.iter().any(calls_others) {
                    indirect_callers.push(func);
                }
                called.extend(scan.calls.iter().copied());
                edges.insert(func, scan.calls.clone());
                work.extend(scan.calls.iter().rev().copied());
            }
            // Anything whose address is taken may be called (or handed to a thread).
            let mut more = taken.clone();
            if mentioned.iter().any(|&f| &*unit.funcs[f].name == "atexit") {
                more.extend(exit_handlers(unit));
            }
            more.retain(|f| !seen.contains(f));
            if more.is_empty() {
                break;
            }
            work.extend(more);
        }
        for func in indirect_callers {
            if let Some(list) = edges.get_mut(&func) {
                list.extend(taken.iter().copied());
            }
        }
        let recursive = order.iter().copied().filter(|&f| reaches(&edges, f, f)).collect();
        Reachability {
            functions: order,
            mentioned,
            address_taken: taken,
            recursive,
            assigned: scan.assigned,
            taken_labels: scan.taken_labels,
            label_owners,
            called,
            fixed_locks: scan.fixed_locks,
            fixed_conditions: scan.fixed_conditions,
            undetermined,
        }
    }
}

/// The functions that run before the one that executions start in, in order.
pub(super) fn constructors(unit: &Unit) -> Vec<FuncId> {
    let has_text = |f: &Function| f.body.is_some() || f.broken.is_some();
    let hooks = unit.funcs.iter().filter(|(_, f)| has_text(f));
    let mut hooks: Vec<(i128, FuncId)> = hooks.filter_map(|(id, f)| Some((f.constructor?, id))).collect();
    hooks.sort_by_key(|&(priority, func)| (priority, unit.funcs[func].span.start));
    hooks.into_iter().map(|(_, func)| func).collect()
}

/// The functions that run when the program has ended in order.
pub(super) fn destructors(unit: &Unit) -> Vec<FuncId> {
    let has_text = |f: &Function| f.body.is_some() || f.broken.is_some();
    let hooks = unit.funcs.iter().filter(|(_, f)| has_text(f));
    let mut hooks: Vec<(i128, FuncId)> = hooks.filter_map(|(id, f)| Some((f.destructor?, id))).collect();
    hooks.sort_by_key(|&(priority, func)| std::cmp::Reverse((priority, unit.funcs[func].span.start)));
    hooks.into_iter().map(|(_, func)| func).collect()
}

/// The function that runs what `atexit` was given.
pub(super) fn exit_handlers(unit: &Unit) -> Option<FuncId> {
    let is_it = |f: &Function| &*f.name == crate::prelude::EXIT_HANDLERS && f.body.is_some();
    unit.funcs.iter().find(|(_, f)| is_it(f)).map(|(id, _)| id)
}

fn reaches(edges: &FxHashMap<FuncId, Vec<FuncId>>, from: FuncId, to: FuncId) -> bool {
    let mut seen = FxHashSet::default();
    let mut work = vec![from];
    while let Some(f) = work.pop() {
        for &g in edges.get(&f).map_or(&[][..], |v| v) {
            if g == to {
                return true;
            }
            if seen.insert(g) {
                work.push(g);
            }
        }
    }
    false
}

/// Collects calls, addresses of functions and assigned variables.
struct Scan<'a> {
    calls: Vec<FuncId>,
    taken: Vec<FuncId>,
    indirect: bool,
    assigned: FxHashSet<VarId>,
    taken_labels: Vec<LabelId>,
    labels: Vec<LabelId>,
    fixed_locks: bool,
    fixed_conditions: bool,
    /// Variables that the initialiser of a declaration names.
    named: FxHashSet<VarId>,
    declared: Declared,
    unit: &'a Unit,
}

/// Does the program text fix which object this is the address of?
pub(super) fn is_fixed_address(unit: &Unit, e: &Expr) -> bool {
    let ExprKind::AddrOf(place) = &e.without_conversions().kind else { return false };
    let mut place = place;
    loop {
        match &place.kind {
            PlaceKind::Var(var) => return matches!(unit.vars[*var].storage, Storage::Static { .. }),
            PlaceKind::Field(base, _) => place = base,
            PlaceKind::Index(base, index) if matches!(index.kind, ExprKind::Int(_)) => place = base,
            PlaceKind::Index(..) | PlaceKind::Deref(_) | PlaceKind::Temp(_) | PlaceKind::Compound(..) => return false,
        }
    }
}

impl Scan<'_> {
    fn note_locks(&mut self, func: FuncId, args: &[Expr]) {
        let name = &self.unit.funcs[func].name;
        let lock = match name.strip_prefix("pthread_").or_else(|| name.strip_prefix("sem_")) {
            Some(rest) if rest.starts_with("cond_") && rest.ends_with("wait") => args.get(1),
            Some(rest) if ["mutex_", "rwlock_", "spin_", "barrier_", "once"].iter().any(|p| rest.starts_with(p)) => {
                args.first()
            }
            Some(_) if name.starts_with("sem_") => args.first(),
            None if name.starts_with("cnd_") && name.ends_with("wait") => args.get(1),
            None if name.starts_with("mtx_") || &**name == "call_once" => args.first(),
            _ => None,
        };
        if lock.is_some_and(|lock| !is_fixed_address(self.unit, lock)) {
            self.fixed_locks = false;
        }
        let is_condition = name.starts_with("pthread_cond_") || name.starts_with("cnd_");
        if is_condition && args.first().is_some_and(|a| !is_fixed_address(self.unit, a)) {
            self.fixed_conditions = false;
        }
    }
}

impl<'u> Visit<'u> for Scan<'_> {
    fn stmt(&mut self, stmt: &'u Stmt) {
        match &stmt.kind {
            StmtKind::Decl(var, init) => {
                self.named.clear();
                parts_of_stmt(self, stmt);
                let is_record = self.unit.types.is_record(self.unit.vars[*var].ty.id);
                self.declared.declare(*var, init.is_some() && !is_record && !self.named.contains(var));
                return;
            }
            StmtKind::Switch { .. } => self.declared.jump(),
            StmtKind::Label(label, _) => {
                self.declared.jump();
                self.labels.push(*label);
            }
            _ => {}
        }
        parts_of_stmt(self, stmt);
    }
    fn place(&mut self, place: &'u Place) {
        if let PlaceKind::Var(var) = place.kind {
            self.named.insert(var);
        }
        parts_of_place(self, place);
    }
    fn written(&mut self, place: &'u Place) {
        self.assigned.extend(root(place));
    }
    fn expr(&mut self, e: &'u Expr) {
        match &e.kind {
            ExprKind::LabelAddr(label) => push_new(&mut self.taken_labels, *label),
            ExprKind::Func(func) => {
                // Called by a pointer, it may be given any lock.
                if super::lock_lifetimes::is_on_locks(&self.unit.funcs[*func].name) {
                    self.fixed_locks = false;
                    self.fixed_conditions = false;
                }
                push_new(&mut self.taken, *func);
            }
            ExprKind::Call { callee: Callee::Direct(func), args } => {
                self.note_locks(*func, args);
                push_new(&mut self.calls, *func);
            }
            ExprKind::Call { callee: Callee::Indirect(_), .. } => self.indirect = true,
            _ => {}
        }
        parts_of_expr(self, e);
    }
}
