//! When objects with automatic storage are born and die (C11 6.2.4).
//!
//! * An object of a block lives from the entry of the block, by whatever way, to its end. In functions without labels
//!   it is allocated where it is declared, which is indistinguishable from the entry. Otherwise it is allocated at the
//!   entry, and a jump into the block allocates it as well.
//! * A variable-length array lives from its declaration until control leaves the declaration's scope, also by a jump to
//!   before it.
//! * A compound literal lives until the block around it ends; statements that belong to others are blocks (6.8.4p3,
//!   6.8.5p5).
//! * Memory from `alloca` lives until the function returns. With gcc it dies earlier if a variable-length array that
//!   was there before dies earlier.
//!
//! A `goto` may stand before its label, so what dies and is born on its way is only known at the end of the function:
//! jumps are completed there.
//!
//! A compound literal or a call of `alloca` may not be evaluated before its scope ends. Such objects have the address 0
//! until they are born, which is the address of no object.

use base::Span;
use ir::{InstrKind, Note};
use logic::TermId;

use super::int::IntVal;
use super::memory::{Ghost, PtrVal};
use super::{Lowerer, R, internal};
use crate::hir::*;

/// Objects of a scope whose lifetime ends with it (only where lifetimes matter).
#[derive(Default)]
pub(super) struct ScopeFrame {
    id: u32,
    objects: Vec<ScopeObject>,
    /// The number of loops around the scope.
    loop_depth: usize,
    /// What to evaluate when control leaves, the last one first.
    pub cleanups: Vec<Expr>,
    /// Variables that were declared so far.
    pub declared: Vec<VarId>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct ScopeObject {
    base: TermId,
    is_vla: bool,
}

/// The scopes around a place, outermost first, with the objects that live there.
type ScopePath = Vec<(u32, Vec<ScopeObject>)>;

/// A jump whose way is not known yet.
struct OpenJump {
    /// Where the instruction is, which jumps to `bridge` for now.
    instr: usize,
    bridge: ir::LabelId,
    label: LabelId,
    from: ScopePath,
    span: Span,
}

/// What a function remembers about lifetimes.
#[derive(Default)]
pub(super) struct Lifetimes {
    n_scopes: u32,
    /// Objects in memory that are allocated at the entry of a scope, in functions with labels.
    begun: rustc_hash::FxHashMap<u32, Vec<VarId>>,
    labels: rustc_hash::FxHashMap<LabelId, ScopePath>,
    jumps: Vec<OpenJump>,
    /// The number of loops around the current place.
    pub loop_depth: usize,
    /// Variables with addresses that are 0 until there is an object.
    unborn: Vec<ir::VarId>,
    /// The newest of the objects that `alloca` made in loops; each leads to the one before ([`Ghost::OlderAlloca`]).
    newest_alloca: Option<ir::VarId>,
}

impl Lifetimes {
    /// The number of jumps so far: undoing a trial undoes its jumps.
    pub(super) fn n_jumps(&self) -> usize {
        self.jumps.len()
    }
    pub(super) fn forget_jumps(&mut self, n_jumps: usize) {
        self.jumps.truncate(n_jumps);
    }
}

impl Lowerer<'_> {
    // ----- scopes -----

    pub fn open_scope(&mut self) {
        self.f.lifetimes.n_scopes += 1;
        let (id, loop_depth) = (self.f.lifetimes.n_scopes, self.f.lifetimes.loop_depth);
        self.f.scopes.push(ScopeFrame { id, loop_depth, ..ScopeFrame::default() });
    }

    pub fn close_scope(&mut self, span: Span) {
        let depth = self.f.scopes.len() - 1;
        self.end_scopes(depth, span);
        self.f.scopes.pop();
    }

    /// Ends the lives of the objects of all scopes above `depth`, on the way out.
    pub fn end_scopes(&mut self, depth: usize, span: Span) {
        for i in (depth..self.f.scopes.len()).rev() {
            let cleanups = std::mem::take(&mut self.f.scopes[i].cleanups);
            for cleanup in cleanups.iter().rev() {
                if let Err(what) = self.expr(cleanup) {
                    self.give_up(&what);
                }
            }
            self.f.scopes[i].cleanups = cleanups;
        }
        let scopes = self.f.scopes[depth..].iter().rev();
        let bases: Vec<TermId> = scopes.flat_map(|s| s.objects.iter().rev().map(|o| o.base)).collect();
        self.end_objects(&bases, span);
    }

    fn end_objects(&mut self, bases: &[TermId], span: Span) {
        if bases.is_empty() {
            return;
        }
        let (alloc, dead) = (self.alloc(), self.num(0));
        for &base in bases {
            self.set_entry_term(alloc, base, dead, span);
        }
    }

    /// In a function with labels: allocates the objects that are declared in a block, at its entry.
    pub fn begin_objects(&mut self, stmts: &[Stmt], span: Span) -> R<()> {
        if !self.f.has_labels {
            return Ok(());
        }
        let mut declared = Vec::new();
        for stmt in stmts {
            let mut stmt = stmt;
            while let StmtKind::Label(_, inner) = &stmt.kind {
                stmt = inner;
            }
            if let StmtKind::Decl(var, _) = &stmt.kind
                && self.begins_at_entry(*var)
            {
                declared.push(*var);
            }
        }
        for &var in &declared {
            self.allocate_local(var, span)?;
        }
        if let Some(scope) = self.f.scopes.last() {
            self.f.lifetimes.begun.insert(scope.id, declared);
        }
        Ok(())
    }

    /// Is the object allocated at the entry of its block, rather than where it is declared?
    pub fn begins_at_entry(&self, var: VarId) -> bool {
        let is_fixed = self.unit.types.size_of(self.unit.vars[var].ty.id).is_some();
        self.f.has_labels && is_fixed && self.in_memory(var)
    }

    /// Gives a local in memory its address for this activation, and starts its life.
    pub fn allocate_local(&mut self, var: VarId, span: Span) -> R<()> {
        if !self.needs_fresh_address(var) {
            return Ok(());
        }
        let pointer = self.var_pointer(var, span)?;
        let Some(&local) = self.memory.dynamic_addresses.get(&var) else {
            return internal(span, "a local without address");
        };
        let size = self.size_value(self.unit.vars[var].ty.id, span)?;
        let address = self.bump(size, span);
        self.emit_hidden(InstrKind::Stmt(ir::Stmt::Assign(vec![(local, address)])), span);
        if self.mode.check_memsafety {
            self.set_object(pointer.addr, 1, size, span);
            let is_vla = self.unit.types.size_of(self.unit.vars[var].ty.id).is_none();
            let scope = self.f.scopes.len() - 1;
            self.ends_with_scope(scope, pointer.addr, is_vla);
        }
        Ok(())
    }

    /// As [`Self::allocate_local`], for an object that is made where an expression is evaluated, which may not come to
    /// pass.
    pub fn allocate_literal(&mut self, var: VarId, span: Span) -> R<()> {
        self.allocate_local(var, span)?;
        if self.mode.check_memsafety {
            self.f.lifetimes.unborn.extend(self.memory.dynamic_addresses.get(&var));
        }
        Ok(())
    }

    /// An object dies when the scope of this number ends.
    fn ends_with_scope(&mut self, scope: usize, base: TermId, is_vla: bool) {
        let object = ScopeObject { base, is_vla };
        let objects = &mut self.f.scopes[scope].objects;
        // A declaration that is reached again, or lowered again, is the same one.
        if !objects.contains(&object) {
            objects.push(object);
        }
    }

    // ----- alloca -----

    /// Memory that lives until the function returns.
    pub fn alloca(&mut self, size: IntVal, span: Span) -> PtrVal {
        let addr = self.bump(size, span);
        if !self.mode.check_memsafety {
            return PtrVal { addr, base: None };
        }
        self.set_object(addr, 1, size, span);
        let pointer = PtrVal { addr, base: Some(addr) };
        let with_vla = self.f.scopes.iter().rposition(|s| s.objects.iter().any(|o| o.is_vla));
        let scope = with_vla.unwrap_or(0);
        let is_repeated = self.f.has_labels || self.f.lifetimes.loop_depth > self.f.scopes[scope].loop_depth;
        if !is_repeated {
            let var = self.program.vars.iter().rev().find(|(_, data)| data.term == addr).map(|(var, _)| var);
            self.f.lifetimes.unborn.extend(var);
            self.ends_with_scope(scope, addr, false);
            return pointer;
        }
        if with_vla.is_some() {
            self.note_unsound("alloca in a loop beside a variable-length array", span);
        }
        let newest = match self.f.lifetimes.newest_alloca {
            Some(newest) => newest,
            None => {
                let newest = self.local_var("#alloca", self.word.sort, Span::NONE);
                self.f.lifetimes.unborn.push(newest);
                self.f.lifetimes.newest_alloca = Some(newest);
                newest
            }
        };
        let (older, before) = (self.ghost(Ghost::OlderAlloca), self.program.term(newest));
        self.set_entry_term(older, addr, before, span);
        self.emit_hidden(InstrKind::Stmt(ir::Stmt::Assign(vec![(newest, addr)])), span);
        pointer
    }

    /// Ends the lives of what `alloca` made in loops, when the function returns.
    fn end_allocas(&mut self, func: FuncId, span: Span) {
        let Some(newest) = self.f.lifetimes.newest_alloca else { return };
        // After the return of the first function no code is left to observe them.
        let runs_last = self.entries == [func] && !self.reach.recursive.contains(&func) && !self.has_exit_handlers();
        if runs_last {
            return;
        }
        let head = self.new_label();
        self.place_label(head, span);
        let (base, none) = (self.program.term(newest), self.num(0));
        let is_done = self.pool.eq(base, none);
        let is_more = self.pool.not(is_done);
        let done = self.branch_hidden(is_more, span);
        self.end_objects(&[base], span);
        let older = self.ghost(Ghost::OlderAlloca);
        let older = self.program.term(older);
        let before = self.pool.select(older, base);
        self.emit_hidden(InstrKind::Stmt(ir::Stmt::Assign(vec![(newest, before)])), span);
        self.jump(vec![head], span);
        self.otherwise_hidden(done, is_more, span);
    }

    // ----- jumps -----

    fn scope_path(&self) -> ScopePath {
        self.f.scopes.iter().map(|s| (s.id, s.objects.clone())).collect()
    }

    /// Control comes to a label of the program.
    pub fn place_c_label(&mut self, label: LabelId, span: Span) {
        let path = self.scope_path();
        self.f.lifetimes.labels.insert(label, path);
        // A jump to here may pass declarations of the scopes around, whose variables then keep what they held in an
        // earlier life. The first two scopes, of the parameters and of the body, live as long as the call.
        for scope in self.f.scopes.iter_mut().skip(2) {
            scope.declared.clear();
        }
        let label = self.c_label(label);
        self.place_label(label, span);
    }

    /// Jumps to a label of the program, which may be in other scopes.
    pub fn jump_to(&mut self, label: LabelId, span: Span) {
        let bridge = self.new_label();
        let jump = OpenJump { instr: self.f.body.instrs.len(), bridge, label, from: self.scope_path(), span };
        self.f.lifetimes.jumps.push(jump);
        self.jump(vec![bridge], span);
    }

    /// Ends and begins what lies on the ways of the function's jumps. Comes after everything else.
    fn complete_jumps(&mut self) {
        for jump in std::mem::take(&mut self.f.lifetimes.jumps) {
            let target = self.c_label(jump.label);
            let to = self.f.lifetimes.labels.get(&jump.label).cloned().unwrap_or_default();
            let n_common = jump.from.iter().zip(&to).take_while(|(a, b)| a.0 == b.0).count();
            let left = jump.from[n_common..].iter().flat_map(|(_, objects)| objects.iter());
            let common = jump.from[..n_common].iter().zip(&to);
            let passed = common.flat_map(|((_, here), (_, there))| {
                here.iter().filter(|object| object.is_vla && !there.contains(object))
            });
            let dead: Vec<TermId> = left.chain(passed).map(|object| object.base).collect();
            let entered = to.get(n_common..).unwrap_or_default();
            let begun: Vec<VarId> = entered
                .iter()
                .flat_map(|(id, _)| self.f.lifetimes.begun.get(id).into_iter().flatten())
                .copied()
                .collect();
            if dead.is_empty() && begun.is_empty() {
                if let Some(instr) = self.f.body.instrs.get_mut(jump.instr) {
                    instr.kind = InstrKind::Goto(vec![target]);
                }
                continue;
            }
            self.place_label(jump.bridge, jump.span);
            self.end_objects(&dead, jump.span);
            let scopes = std::mem::take(&mut self.f.scopes);
            self.open_scope();
            for var in begun {
                if let Err(what) = self.allocate_local(var, jump.span) {
                    self.give_up(&what);
                }
            }
            self.f.scopes = scopes;
            self.jump(vec![target], jump.span);
        }
    }

    /// The end of a function, behind all of its statements.
    pub fn end_function(&mut self, func: FuncId, span: Span) {
        let exit = self.f.exit;
        if !self.f.lifetimes.jumps.is_empty() {
            self.jump(vec![exit], span);
            self.complete_jumps();
        }
        self.place_label(exit, span);
        self.end_scopes(0, span);
        self.end_allocas(func, span);
        let unborn = std::mem::take(&mut self.f.lifetimes.unborn);
        let unborn: std::collections::BTreeSet<ir::VarId> = unborn.into_iter().collect();
        if !unborn.is_empty() {
            let none = self.num(0);
            let list = unborn.into_iter().map(|var| (var, none)).collect();
            let kind = InstrKind::Stmt(ir::Stmt::Assign(list));
            self.f.body.instrs.insert(0, ir::Instr { kind, span: Span::NONE, note: Note::Hidden });
        }
    }
}
