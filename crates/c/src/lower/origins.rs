//! Which variables of the lowered program are C places, and where loops and functions stand.
//!
//! Scopes are read off the typed program: a local is visible from its declarator to the end of the block
//! it is declared in, a parameter in the whole function, a static object everywhere. Objects declared
//! inside statement expressions get no scope and so are never printed.

use base::Span;
use ir::source::{
    DeclaredName, LoopKind, SourceCell, SourceFunction, SourceLoop, SourcePlace, SourceTable, SourceTarget, SourceType,
    TargetScalar,
};
use rustc_hash::FxHashMap;

use super::Lowerer;
use super::alias::NodeId;
use super::library::is_of_library;
use super::memory::PtrVal;
use crate::hir::*;
use crate::types::{ArrayLen, FloatKind, Ty, Type, TypeId, Types};

/// The source type of a scalar type.
pub(super) fn source_type(types: &Types, ty: TypeId) -> Option<SourceType> {
    Some(match types.get(ty) {
        Type::Int(crate::types::IntKind::Bool) => SourceType::Bool,
        Type::Int(kind) => {
            SourceType::Int { bits: types.int_bits(*kind), signed: kind.is_signed(), name: kind.name().to_string() }
        }
        Type::Pointer(_) => SourceType::Pointer,
        Type::Float(kind) => SourceType::Float(match kind {
            FloatKind::Float => 32,
            FloatKind::Double => 64,
            FloatKind::LongDouble => 80,
            FloatKind::Half => 16,
            FloatKind::Quad => 128,
        }),
        Type::Void | Type::Array(..) | Type::Record(_) | Type::Function(_) | Type::VaList => {
            return None;
        }
    })
}

/// Objects with more scalars than this are not listed.
const MAX_CELLS: usize = 64;
/// An address to find offsets from.
const SOME_ADDRESS: i128 = 1 << 20;

fn number_of(value: &logic::Value) -> Option<i128> {
    match value {
        logic::Value::Num(n) => n.to_i64().map(i128::from),
        logic::Value::Bv(n, _) => i128::try_from(n.clone()).ok(),
        logic::Value::Bool(_) | logic::Value::Array(_) | logic::Value::Element(..) => None,
    }
}

/// Collects scopes, loops and statements of function bodies.
struct Walk<'a> {
    unit: &'a Unit,
    table: SourceTable,
    name_of: FxHashMap<VarId, usize>,
}

impl Walk<'_> {
    fn declare(&mut self, var: VarId, scope: Span) {
        let data = &self.unit.vars[var];
        if !data.hidden && !self.name_of.contains_key(&var) {
            self.name_of.insert(var, self.table.names.len());
            self.table.names.push(DeclaredName { name: data.name.to_string(), scope });
        }
    }

    /// A scope that begins behind the declarator of a variable and ends where the block ends.
    fn scope_of(&self, var: VarId, end: Span) -> Span {
        let span = self.unit.vars[var].span;
        Span { file: span.file, start: span.end, end: end.end }
    }

    fn stmts(&mut self, stmts: &[Stmt], block: Span) {
        for stmt in stmts {
            self.stmt(stmt, block);
        }
    }

    fn stmt(&mut self, stmt: &Stmt, block: Span) {
        self.table.statements.push(stmt.span);
        match &stmt.kind {
            StmtKind::Decl(var, _) => {
                self.table.declarations.insert(stmt.span);
                let scope = self.scope_of(*var, block);
                self.declare(*var, scope);
            }
            StmtKind::Block(stmts) => self.stmts(stmts, stmt.span),
            StmtKind::If(_, a, b) => {
                self.stmt(a, a.span);
                if let Some(b) = b {
                    self.stmt(b, b.span);
                }
            }
            StmtKind::While(c, body) => self.a_loop(LoopKind::While, stmt.span, Some(c.span), body),
            StmtKind::DoWhile(body, c) => self.a_loop(LoopKind::DoWhile, stmt.span, Some(c.span), body),
            StmtKind::For { init, condition, body, .. } => {
                self.stmts(init, stmt.span);
                self.a_loop(LoopKind::For, stmt.span, condition.as_ref().map(|c| c.span), body);
            }
            StmtKind::Switch { body, .. } => self.stmt(body, body.span),
            StmtKind::Label(_, body) => self.stmt(body, block),
            StmtKind::Empty
            | StmtKind::Expr(_)
            | StmtKind::Cleanup(_)
            | StmtKind::Goto(_)
            | StmtKind::ComputedGoto(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Asm { .. } => {}
        }
    }

    fn a_loop(&mut self, kind: LoopKind, span: Span, condition: Option<Span>, body: &Stmt) {
        let first = match &body.kind {
            StmtKind::Block(stmts) => stmts.first().map_or(body.span, |s| s.span),
            _ => body.span,
        };
        // The variables of a `for` are declared behind its keyword.
        let scope_at = if kind == LoopKind::For { Span { end: body.span.start, ..body.span } } else { span };
        self.table.loops.push(SourceLoop { kind, span, condition, first, scope_at });
        self.stmt(body, body.span);
    }
}

impl Lowerer<'_> {
    /// The table of the whole program; called when everything is lowered.
    pub(super) fn source_table(&mut self) -> SourceTable {
        let unit = self.unit;
        let mut walk = Walk { unit, table: SourceTable::default(), name_of: FxHashMap::default() };
        for &var in &unit.statics {
            // Static locals are declared by their statement below.
            let data = &unit.vars[var];
            if data.owner.is_none() {
                // Of several files only one knows it; what it means in others may be something else.
                let is_of_file = unit.is_linked && !data.is_external;
                let scope = if is_of_file { Span { start: 0, end: u32::MAX, ..data.span } } else { Span::NONE };
                walk.declare(var, scope);
            }
        }
        for function in unit.funcs.values() {
            let Some(body) = &function.body else { continue };
            let whole = function.span.to(function.end);
            for &param in &function.params {
                walk.declare(param, whole);
            }
            walk.stmts(body, whole);
        }
        let Walk { mut table, name_of, .. } = walk;
        for ((var, path), leaf) in &self.memory.plain {
            if let Some(&name) = name_of.get(var)
                && let Some(place) = self.source_place(*var, path, name)
            {
                table.places.insert(leaf.value, place);
            }
        }
        let mut objects: Vec<(VarId, usize)> = name_of.iter().map(|(&v, &n)| (v, n)).collect();
        objects.sort();
        for (var, name) in objects {
            self.add_cells(&mut table, var, name);
        }
        self.add_pointers(&mut table);
        let mut functions: Vec<_> = self.procs.iter().map(|(&f, &p)| (f, p)).collect();
        functions.sort();
        for (func, proc) in functions {
            self.add_function(&mut table, func, proc);
        }
        for function in unit.funcs.values().filter(|f| f.body.is_none() && self.mentioned.contains(&f.name)) {
            let returned = unit.types.function(function.ty).map(|f| f.ret.id);
            if let Some(ty) = returned.and_then(|ty| source_type(&unit.types, ty)) {
                if function.is_assumed && returned != Some(TypeId::INT) {
                    table.undeclared.insert(function.name.to_string());
                }
                table.inputs.insert(function.name.to_string(), ty);
            }
        }
        let absent = unit.funcs.values().filter(|f| f.body.is_none() && !is_of_library(&f.name));
        table.absent = absent.map(|f| f.name.to_string()).collect();
        table.has_int128 = unit.types.pointer_size() == 8;
        table.long_bits = 8 * unit.types.pointer_size() as u32;
        table
    }

    /// The scalars of an object in memory, where they are stored as their type says.
    fn add_cells(&mut self, table: &mut SourceTable, var: VarId, name: usize) {
        let unit = self.unit;
        let (ty, span) = (unit.vars[var].ty, unit.vars[var].span);
        let base = self.memory.dynamic_addresses.get(&var).copied();
        let is_used = base.is_some() || self.memory.var_addresses.contains_key(&var);
        if !is_used || !self.in_memory(var) {
            return;
        }
        let Ok(scalars) = self.scalars(ty.id) else { return };
        if scalars.len() > MAX_CELLS {
            return;
        }
        let n_vars = self.program.vars.len();
        for (path, leaf_ty, bits) in scalars {
            let (Some(source), None) = (source_type(&unit.types, leaf_ty.id), bits) else { continue };
            let Ok(loc) = self.var_loc(var, span) else { return };
            let Ok((loc, _)) = self.walk_path(loc, ty, &path, span) else { continue };
            let Some((array, index)) = self.cell_of(&loc, leaf_ty.id, span) else { continue };
            // An array that nothing reads or writes has no place in the program.
            if base::Id::index(array) >= n_vars {
                continue;
            }
            let offset = match base {
                None => self.pool.value(index).and_then(|v| number_of(&v)),
                Some(b) => {
                    let linear = self.pool.linear(index);
                    match &linear.terms[..] {
                        [(t, c)] if *t == self.program.term(b) && c.is_one() => {
                            linear.constant.to_i64().map(i128::from)
                        }
                        _ => None,
                    }
                }
            };
            let Some(offset) = offset else { continue };
            let text = format!("{}{}", unit.vars[var].name, self.path_text(ty.id, &path));
            let place = SourcePlace { name, pieces: vec![text], lengths: Vec::new(), ty: source };
            table.cells.push(SourceCell { place, array, base, offset });
        }
    }

    /// What the pointers among the places point to.
    fn add_pointers(&mut self, table: &mut SourceTable) {
        let mut pointers: Vec<(VarId, Vec<u32>, ir::VarId)> =
            self.memory.plain.iter().map(|((var, path), leaf)| (*var, path.clone(), leaf.value)).collect();
        pointers.sort();
        let mut known = FxHashMap::default();
        for (var, path, value) in pointers {
            if table.places.get(&value).is_none_or(|p| p.ty != SourceType::Pointer || !p.is_scalar()) {
                continue;
            }
            let mut ty = self.unit.vars[var].ty.id;
            for &field in &path {
                if let Some(fields) = self.unit.types.fields(ty)
                    && let Some(field) = fields.get(field as usize)
                {
                    ty = field.ty.id;
                }
            }
            let node = self.alias.var_node(var);
            if let (Some(pointee), Some(node)) = (self.unit.types.pointee(ty), self.alias.pointed_to(node))
                && let Some(target) = self.target(table, &mut known, node, pointee)
            {
                table.pointers.insert(value, target);
            }
        }
    }

    /// The target of pointers to a type in a class of memory.
    fn target(
        &mut self,
        table: &mut SourceTable,
        known: &mut FxHashMap<(NodeId, TypeId), usize>,
        node: NodeId,
        ty: Ty,
    ) -> Option<usize> {
        if let Some(&found) = known.get(&(node, ty.id)) {
            return Some(found);
        }
        let unit = self.unit;
        let size = unit.types.size_of(ty.id).filter(|&s| s > 0)?;
        let scalars = self.scalars(ty.id).ok().filter(|s| !s.is_empty() && s.len() <= MAX_CELLS)?;
        let number = table.targets.len();
        table.targets.push(SourceTarget { size: i128::from(size), scalars: Vec::new() });
        known.insert((node, ty.id), number);
        let address = self.num(SOME_ADDRESS);
        let mut found = Vec::new();
        for (path, leaf_ty, bits) in scalars {
            let (Some(source), None) = (source_type(&unit.types, leaf_ty.id), bits) else { continue };
            let base = self.mode.check_memsafety.then_some(address);
            let object = self.deref_loc(PtrVal { addr: address, base }, node, ty.id);
            let Ok((loc, _)) = self.walk_path(object, ty, &path, Span::NONE) else { continue };
            let Some((array, index)) = self.used_cell_of(&loc, leaf_ty.id, Span::NONE) else { continue };
            let Some(index) = self.pool.value(index).and_then(|v| number_of(&v)) else { continue };
            // Lists lead back to where they come from, so this ends.
            let target = match (unit.types.pointee(leaf_ty.id), self.alias.pointed_to(node)) {
                (Some(pointee), Some(next)) => self.target(table, known, next, pointee),
                _ => None,
            };
            let path = self.path_text(ty.id, &path);
            found.push(TargetScalar { path, ty: source, array, offset: index - SOME_ADDRESS, target });
        }
        table.targets[number].scalars = found;
        Some(number)
    }

    fn add_function(&self, table: &mut SourceTable, func: FuncId, proc: ir::ProcId) {
        let types = &self.unit.types;
        let function = &self.unit.funcs[func];
        let result = types.function(function.ty).and_then(|f| source_type(types, f.ret.id));
        let params = function.params.iter().map(|&p| {
            let var = &self.unit.vars[p];
            (var.name.to_string(), source_type(types, var.ty.id))
        });
        let params: Vec<_> = params.collect();
        let procedure = &self.program.procs[proc];
        let mut next = 0;
        for (i, &param) in function.params.iter().enumerate() {
            let Ok(scalars) = self.scalars(self.unit.vars[param].ty.id) else { break };
            for (path, ty, _) in scalars {
                if let (true, Some(&var), Some(ty)) =
                    (path.is_empty(), procedure.params.get(next), source_type(types, ty.id))
                {
                    table.arguments.insert(var, (i, ty));
                }
                next += 1 + usize::from(self.needs_base(ty.id));
            }
        }
        if let (Some(ty), Some(&var)) = (&result, procedure.results.first()) {
            table.results.insert(var, ty.clone());
        }
        let entry = SourceFunction { name: function.name.to_string(), span: function.span, result, params };
        table.functions.insert(proc, entry);
    }

    fn source_place(&self, var: VarId, path: &[u32], name: usize) -> Option<SourcePlace> {
        let types = &self.unit.types;
        let data = &self.unit.vars[var];
        let (mut ty, mut pieces, mut lengths) = (data.ty.id, vec![data.name.to_string()], Vec::new());
        let mut rest = path.iter();
        loop {
            match types.get(ty) {
                Type::Array(elem, length) => {
                    lengths.push(match length {
                        ArrayLen::Known(n) => Some(*n),
                        ArrayLen::Vla(_) | ArrayLen::Incomplete => None,
                    });
                    pieces.push(String::new());
                    ty = elem.id;
                }
                Type::Record(_) => {
                    let field = types.fields(ty)?.get(*rest.next()? as usize)?.clone();
                    pieces.last_mut()?.push_str(&field.selector());
                    ty = field.ty.id;
                }
                _ => break,
            }
        }
        Some(SourcePlace { name, pieces, lengths, ty: source_type(types, ty)? })
    }
}
