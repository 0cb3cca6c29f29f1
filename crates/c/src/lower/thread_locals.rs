//! Thread-local variables as arrays with an element for each thread.
//!
//! `_Thread_local int x = 3;` becomes an array, and `x` its element at the number of the running thread (as lowering
//! numbers threads: 0 for the first one, then as they are created). Elements are zero at first; other values are
//! assigned where a thread begins. So the functions that threads run must be known and not be called otherwise; if they
//! are not, or if there is no definition, the variables are unchanged, and lowering rejects them.

use super::threads::OWN_NUMBER;
use crate::hir::*;
use crate::rewrite::{Rewrite, parts_of_place};
use crate::types::{ArrayLen, FnType, Ty, Type, TypeId};
use crate::visit::{Node, walk_stmt};
use base::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// More threads than a program can have.
const N_THREADS: u64 = 1 << 16;

/// Does the program itself use `errno`? Library functions that set it do not count as a use.
fn names_errno(unit: &Unit) -> bool {
    let mut found = false;
    for function in unit.funcs.values().filter(|f| !f.is_library) {
        for stmt in function.body.iter().flatten() {
            walk_stmt(stmt, &mut |node| {
                if let Node::Expr(Expr { kind: ExprKind::Call { callee: Callee::Direct(f), .. }, .. }) = node {
                    found |= &*unit.funcs[*f].name == "__errno_location";
                }
                true
            });
        }
    }
    found
}

/// Gives each thread its own variables.
pub(crate) fn separate(unit: &mut Unit) {
    // Where only functions of the library set `errno` it makes no difference whose it is.
    if !names_errno(unit) {
        let errno = unit.vars.iter().find(|(_, v)| &*v.name == crate::prelude::ERRNO).map(|(id, _)| id);
        if let Some(errno) = errno {
            unit.vars[errno].thread_local = false;
        }
    }
    let locals: Vec<VarId> = unit.vars.iter().filter(|(_, v)| v.thread_local).map(|(id, _)| id).collect();
    if locals.is_empty() || locals.iter().any(|&v| unit.vars[v].storage != Storage::Static { defined: true }) {
        return;
    }
    let uses = Uses::of(unit);
    let has_values = locals.iter().any(|&v| unit.vars[v].init.is_some());
    if !uses.creates || has_values && !uses.is_clear {
        return;
    }
    let own_id = function_for_own_id(unit);
    let own_id = Expr {
        kind: ExprKind::Call { callee: Callee::Direct(own_id), args: Vec::new() },
        ty: TypeId::ULONG,
        span: Span::NONE,
    };
    let mut arrays = FxHashMap::default();
    let mut first_values = Vec::new();
    for v in locals {
        let ty = unit.vars[v].ty;
        let array = Ty { id: unit.types.intern(Type::Array(ty, ArrayLen::Known(N_THREADS))), ..ty };
        arrays.insert(v, array);
        unit.vars[v].ty = array;
        unit.vars[v].thread_local = false;
        unit.vars[v].per_thread = true;
        let Some(init) = &mut unit.vars[v].init else { continue };
        first_values.extend(init.items.iter().map(|item| (v, item.clone())));
        for item in &mut init.items {
            item.path.insert(0, Step::Index(0));
        }
        init.zero_rest = true;
    }
    let rewriter = Rewriter { arrays, own_id };
    let funcs: Vec<FuncId> = unit.funcs.ids().collect();
    for func in funcs {
        let span = unit.funcs[func].span;
        let Some(mut body) = unit.funcs[func].body.take() else { continue };
        rewriter.stmts(&mut body);
        if uses.run.contains(&func) {
            let begins = first_values.iter().map(|(v, item)| rewriter.assignment(unit, *v, item, span));
            let begins: Vec<Stmt> = begins.collect();
            body.splice(0..0, begins);
        }
        unit.funcs[func].body = Some(body);
    }
}

/// The functions that threads start with and that are called in no other way. Where nothing is called by a pointer,
/// they may also come from tables.
pub(super) fn only_started(unit: &Unit) -> FxHashSet<FuncId> {
    let (mut named, mut run, mut given) = (Vec::new(), Vec::new(), FxHashSet::default());
    let mut calls_pointers = false;
    for stmt in unit.funcs.values().flat_map(|f| f.body.iter().flatten()) {
        walk_stmt(stmt, &mut |node| {
            let Node::Expr(e) = node else { return true };
            match &e.kind {
                ExprKind::Func(func) => named.push(*func),
                ExprKind::Call { callee: Callee::Indirect(_), .. } => calls_pointers = true,
                ExprKind::Call { callee: Callee::Direct(func), args } => {
                    given.insert(*func);
                    let started = match &*unit.funcs[*func].name {
                        "pthread_create" => args.get(2),
                        "thrd_create" => args.get(1),
                        _ => {
                            given.extend(args.iter().filter_map(function_named));
                            let types = args.iter().filter_map(|a| unit.types.pointee(a.ty));
                            calls_pointers |= types.into_iter().any(|ty| unit.types.is_function(ty.id));
                            None
                        }
                    };
                    run.extend(started.and_then(function_named));
                }
                _ => {}
            }
            true
        });
    }
    let times = |list: &[FuncId], func: FuncId| list.iter().filter(|f| **f == func).count();
    let in_tables: FxHashSet<FuncId> = unit
        .statics
        .iter()
        .filter_map(|&v| unit.vars[v].init.as_ref())
        .flat_map(|init| init.items.iter().filter_map(|item| function_named(&item.value)))
        .collect();
    let is_started = |f: &FuncId| {
        let is_named_elsewhere = in_tables.contains(f) || times(&named, *f) > times(&run, *f);
        !given.contains(f) && (!is_named_elsewhere || !calls_pointers)
    };
    named.iter().chain(&in_tables).copied().filter(is_started).collect()
}

/// What becomes of the functions that threads run.
struct Uses {
    creates: bool,
    run: FxHashSet<FuncId>,
    /// They are known, and are not called otherwise.
    is_clear: bool,
}

impl Uses {
    fn of(unit: &Unit) -> Uses {
        let (mut creates, mut is_clear) = (false, true);
        let (mut run, mut named) = (Vec::new(), Vec::new());
        for stmt in unit.funcs.values().flat_map(|f| f.body.iter().flatten()) {
            walk_stmt(stmt, &mut |node| {
                let Node::Expr(e) = node else { return true };
                match &e.kind {
                    ExprKind::Func(func) => named.push(*func),
                    ExprKind::Call { callee: Callee::Direct(func), args } => {
                        named.push(*func);
                        let started = match &*unit.funcs[*func].name {
                            "pthread_create" => args.get(2),
                            "thrd_create" => args.get(1),
                            _ => return true,
                        };
                        creates = true;
                        match started.and_then(function_named) {
                            Some(func) => run.push(func),
                            None => is_clear = false,
                        }
                    }
                    _ => {}
                }
                true
            });
        }
        for item in unit.statics.iter().filter_map(|&v| unit.vars[v].init.as_ref()).flat_map(|i| &i.items) {
            named.extend(function_named(&item.value));
        }
        // Each start names the function once; whoever names it again may call it.
        let times = |list: &[FuncId], func: FuncId| list.iter().filter(|f| **f == func).count();
        is_clear &= run.iter().all(|f| times(&named, *f) == times(&run, *f) && unit.funcs[*f].body.is_some());
        Uses { creates, run: run.into_iter().collect(), is_clear }
    }
}

fn function_named(e: &Expr) -> Option<FuncId> {
    match e.without_conversions().kind {
        ExprKind::Func(func) => Some(func),
        _ => None,
    }
}

/// The function that gives the number of the running thread, declared if it is not.
fn function_for_own_id(unit: &mut Unit) -> FuncId {
    if let Some((id, _)) = unit.funcs.iter().find(|(_, f)| &*f.name == OWN_NUMBER) {
        return id;
    }
    let ret = Ty::plain(TypeId::ULONG);
    let ty = FnType { ret, params: Vec::new(), variadic: false, prototyped: true };
    let ty = unit.types.intern(Type::Function(Arc::new(ty)));
    unit.funcs.push(Function::declared(OWN_NUMBER.into(), ty, Span::NONE))
}

/// Names of thread-local variables become elements of arrays.
struct Rewriter {
    arrays: FxHashMap<VarId, Ty>,
    own_id: Expr,
}

impl Rewriter {
    /// The element of the running thread.
    fn own(&self, v: VarId, array: Ty, ty: Ty, span: Span) -> Place {
        let whole = Place { kind: PlaceKind::Var(v), ty: array, span };
        let index = Expr { span, ..self.own_id.clone() };
        Place { kind: PlaceKind::Index(Box::new(whole), Box::new(index)), ty, span }
    }

    /// The first value of a part of a variable, where a thread begins.
    fn assignment(&self, unit: &Unit, v: VarId, item: &InitItem, span: Span) -> Stmt {
        let element = |ty: Ty| match unit.types.get(ty.id) {
            Type::Array(element, _) => element.with(ty.quals),
            _ => ty,
        };
        let array = self.arrays[&v];
        let mut place = self.own(v, array, element(array), span);
        for step in &item.path {
            let inside = Box::new(place.clone());
            let (kind, ty) = match *step {
                Step::Field(n) => {
                    let fields = unit.types.fields(place.ty.id);
                    let ty = fields.and_then(|f| f.get(n as usize).map(|f| f.ty)).unwrap_or(item.ty);
                    (PlaceKind::Field(inside, n), ty)
                }
                Step::Index(n) | Step::Byte(n) => {
                    let index = Expr { kind: ExprKind::Int(n.into()), ty: TypeId::ULONG, span };
                    (PlaceKind::Index(inside, Box::new(index)), element(place.ty))
                }
            };
            place = Place { kind, ty, span };
        }
        let value = Box::new(item.value.clone());
        let kind = ExprKind::Assign(Box::new(place), value);
        Stmt { kind: StmtKind::Expr(Expr { kind, ty: item.ty.id, span }), span }
    }
}

impl Rewrite for Rewriter {
    fn place(&self, place: &mut Place) {
        match place.kind {
            PlaceKind::Var(v) if self.arrays.contains_key(&v) => {
                *place = self.own(v, self.arrays[&v], place.ty, place.span);
            }
            _ => parts_of_place(self, place),
        }
    }
}
