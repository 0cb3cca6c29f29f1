//! Reads of uninitialised memory.
//!
//! Beside every variable that may be read before it is set, and beside every array of memory, stands a ghost of the
//! same shape that is [`SET`] where something was written. Fresh memory has never been written, and no address is used
//! twice, so ghosts of memory begin with [`UNSET`] everywhere; objects with static storage, and those of the outside,
//! lie below the heap and have values from the start. Where an uninitialised value was copied to, the ghost is
//! [`COPY_OF_UNSET`].
//!
//! A read of a scalar is checked. A copy of a record or of bytes is none: it copies the ghosts as well. A record that
//! is passed or returned by value has no ghosts; if a part of it is uninitialised there, it is not tracked whether the
//! part is ever read, and the answer is unknown.

use base::Span;
use ir::{InstrKind, Nondet, Subject, Subproperty};
use logic::TermId;
use rustc_hash::FxHashSet;

use super::alias::Alias;
use super::memory::{Ghost, Leaf, Loc};
use super::{Lowerer, R, unsupported};
use crate::hir::*;
use crate::types::{Ty, TypeId};
use crate::visit::{Node, walk_stmt};

/// What ghosts hold.
pub(super) const UNSET: i128 = 0;
pub(super) const SET: i128 = 1;
const COPY_OF_UNSET: i128 = 2;

const MESSAGE: &str = "what is read here may not be initialised";
const PASSED_ON: &str = "a part of the record that is passed on may not be initialised";

impl Lowerer<'_> {
    /// The ghost beside a variable or an array.
    pub(super) fn add_init(&mut self, of: ir::VarId) -> ir::VarId {
        let data = &self.program.vars[of];
        let (name, sort, kind) = (format!("initialised({})", data.name), data.sort, data.kind);
        let ghost = self.program.add_var(self.pool, &name, sort, kind, Span::NONE);
        if let ir::VarKind::Local(_) = kind {
            self.f.locals.push(ghost);
            self.f.inits.push(ghost);
        }
        ghost
    }

    /// Nothing is set when a function begins.
    pub(super) fn begin_uninitialised(&mut self) {
        let ghosts = std::mem::take(&mut self.f.inits);
        let list: Vec<(ir::VarId, TermId)> = ghosts.into_iter().map(|v| (v, self.init_term(v, UNSET))).collect();
        if !list.is_empty() {
            let kind = InstrKind::Stmt(ir::Stmt::Assign(list));
            self.f.body.instrs.insert(0, ir::Instr { kind, span: Span::NONE, note: ir::Note::Hidden });
        }
    }

    /// The value of a whole ghost.
    pub(super) fn init_term(&mut self, ghost: ir::VarId, value: i128) -> TermId {
        let (sort, value) = (self.program.vars[ghost].sort, self.num(value));
        if sort == self.word.sort { value } else { self.pool.const_array(sort, value) }
    }

    /// Is what a leaf holds, at an index if it is an array, set?
    fn is_set(&mut self, init: ir::VarId, index: Option<TermId>, in_memory: bool) -> TermId {
        let ghost = self.program.term(init);
        let (value, set) = (index.map_or(ghost, |i| self.pool.select(ghost, i)), self.num(SET));
        let set = self.pool.eq(value, set);
        match index {
            Some(address) if in_memory => {
                let start = self.ghost(Ghost::HeapStart);
                let start = self.program.term(start);
                let (is_static, copy_of_unset) = (self.lt(address, start), self.num(COPY_OF_UNSET));
                if !self.copies_memory {
                    return self.pool.or2(set, is_static);
                }
                let is_copy_of_unset = self.pool.eq(value, copy_of_unset);
                let is_kept = self.pool.not(is_copy_of_unset);
                let has_value = self.pool.and2(is_static, is_kept);
                self.pool.or2(set, has_value)
            }
            _ => set,
        }
    }

    /// The ghost of a copy of that.
    pub(super) fn copied_init(&mut self, init: ir::VarId, index: Option<TermId>, in_memory: bool) -> TermId {
        let set = self.is_set(init, index, in_memory);
        let (set_now, copy_of_unset) = (self.num(SET), self.num(COPY_OF_UNSET));
        self.pool.ite(set, set_now, copy_of_unset)
    }

    /// The check of a read.
    pub(super) fn check_initialised(
        &mut self,
        leaf: Leaf,
        index: Option<TermId>,
        in_memory: bool,
        ty: TypeId,
        span: Span,
    ) {
        let Some(init) = leaf.init else { return };
        if self.context.unchecked_access || self.context.reads_anything || self.context.in_note {
            return;
        }
        let set = self.is_set(init, index, in_memory);
        if self.f.moves_bytes && self.unit.types.size_of(ty) == Some(1) {
            self.check_inexactly(set, Subproperty::NoUninitialisedRead, MESSAGE, span);
        } else {
            let subject = Subject::Claim { failed: "what is read here is not initialised".to_string() };
            self.check_about(set, Subproperty::NoUninitialisedRead, MESSAGE.into(), subject, span);
        }
    }

    /// Something that must hold for a proof, though an execution in which it does not shows nothing.
    pub(super) fn check_inexactly(&mut self, condition: TermId, property: Subproperty, message: &str, span: Span) {
        if condition == TermId::TRUE {
            return;
        }
        let no = self.branch_hidden(condition, span);
        let end = self.new_label();
        self.jump(vec![end], span);
        self.otherwise_hidden(no, condition, span);
        let mark = self.number_temp();
        self.havoc(vec![mark], Nondet::Overapproximation(message.into()), span);
        self.check(TermId::FALSE, property, message.into(), span);
        self.jump(Vec::new(), span);
        self.place_label(end, span);
    }

    /// The ghost of a scalar, and the index of its entry.
    fn init_of(&mut self, loc: &Loc, ty: TypeId, span: Span) -> R<Option<(ir::VarId, Option<TermId>)>> {
        let (leaf, index) = match loc {
            Loc::Value { .. } => return Ok(None),
            Loc::Plain { var, path, index, .. } => (self.plain_leaf(*var, path), *index),
            Loc::Mem { .. } => {
                let (leaf, index) = self.region_of(loc, ty, span)?;
                (leaf, Some(index))
            }
        };
        Ok(leaf.init.map(|init| (init, index)))
    }

    /// Sets the ghost of a scalar. What has none must be initialised: otherwise the information would be lost.
    fn set_init(&mut self, loc: &Loc, ty: TypeId, value: TermId, span: Span) -> R<()> {
        let Some((ghost, index)) = self.init_of(loc, ty, span)? else {
            let set = self.num(SET);
            let set = self.pool.eq(value, set);
            self.check_inexactly(set, Subproperty::NoUninitialisedRead, PASSED_ON, span);
            return Ok(());
        };
        let new = match index {
            Some(index) => {
                let old = self.program.term(ghost);
                self.pool.store(old, index, value)
            }
            None => value,
        };
        self.emit_hidden(InstrKind::Stmt(ir::Stmt::Assign(vec![(ghost, new)])), span);
        Ok(())
    }

    /// Copies a record scalar by scalar, with the ghosts.
    pub(super) fn copy_record(&mut self, to: &Loc, from: &Loc, ty: Ty, span: Span) -> R<()> {
        let mut ghosts = Vec::new();
        for (path, _, _) in self.scalars(ty.id)? {
            let (part, part_ty) = self.walk_path(from.clone(), ty, &path, span)?;
            let set = match self.init_of(&part, part_ty.id, span)? {
                Some((init, index)) => {
                    let in_memory = matches!(part, Loc::Mem { .. });
                    self.copied_init(init, index, in_memory)
                }
                None => self.num(SET),
            };
            ghosts.push((path, self.copy_term(set, span)));
        }
        let outer = std::mem::replace(&mut self.context.reads_anything, true);
        let value = self.load(from, ty, span);
        self.context.reads_anything = outer;
        self.store(to, ty, &value?, span)?;
        for (path, set) in ghosts {
            let (part, part_ty) = self.walk_path(to.clone(), ty, &path, span)?;
            self.set_init(&part, part_ty.id, set, span)?;
        }
        Ok(())
    }

    /// Can a record be copied that way? Records with parts that are seen as bytes cannot.
    pub(super) fn copies_ghosts(&mut self, to: &Loc, from: &Loc) -> bool {
        self.mode.check_uninitialised
            && [to, from].iter().all(|loc| !self.is_bytes(loc) && !matches!(loc, Loc::Value { .. }))
    }

    /// A record is taken as a value: its parts should be set.
    pub(super) fn check_record(&mut self, loc: &Loc, ty: Ty, span: Span) -> R<()> {
        if !self.mode.check_uninitialised
            || self.context.reads_anything
            || self.context.unchecked_access
            || self.context.in_note
        {
            return Ok(());
        }
        if matches!(loc, Loc::Value { .. }) {
            return Ok(());
        }
        let mut all = Vec::new();
        for (path, _, _) in self.scalars(ty.id)? {
            let (part, part_ty) = self.walk_path(loc.clone(), ty, &path, span)?;
            if self.is_bytes(&part) {
                let Loc::Mem { ptr, node, .. } = &part else { continue };
                let leaf = self.byte_region(*node);
                let size = self.unit.types.size_of(part_ty.id).unwrap_or(1);
                for i in 0..size as i128 {
                    let offset = self.num(i);
                    let address = self.add2(ptr.addr, offset);
                    if let Some(init) = leaf.init {
                        all.push(self.is_set(init, Some(address), true));
                    }
                }
            } else if let Some((init, index)) = self.init_of(&part, part_ty.id, span)? {
                all.push(self.is_set(init, index, matches!(part, Loc::Mem { .. })));
            }
        }
        let all = self.pool.and(&all);
        self.check_inexactly(all, Subproperty::NoUninitialisedRead, PASSED_ON, span);
        Ok(())
    }

    /// An object is declared again, at the same address: it is uninitialised.
    pub(super) fn forget_written(&mut self, var: VarId, span: Span) -> R<()> {
        let (ty, loc) = (self.unit.vars[var].ty, self.var_loc(var, span)?);
        if self.is_bytes(&loc) {
            return unsupported(
                span,
                "an object seen as bytes in a function with jumps, and whether it is initialised",
            );
        }
        let zero = self.num(0);
        for (path, _, _) in self.scalars(ty.id)? {
            let (part, part_ty) = self.walk_path(loc.clone(), ty, &path, span)?;
            if self.init_of(&part, part_ty.id, span)?.is_some() {
                self.set_init(&part, part_ty.id, zero, span)?;
            }
        }
        Ok(())
    }
}

/// Does the program copy records or bytes, which may not be set?
pub(super) fn copies_memory(unit: &Unit, alias: &Alias<'_>, functions: &[FuncId]) -> bool {
    let mut found = alias.has_bulk();
    for stmt in functions.iter().flat_map(|&f| unit.funcs[f].body.iter().flatten()) {
        walk_stmt(stmt, &mut |node| {
            found |= matches!(node, Node::Expr(e) if unit.types.is_record(e.ty));
            true
        });
    }
    found
}

/// The local variables of a function that may be read before they are set: declared without a value, or with one that
/// mentions them, or jumped over; and records, which may be set to copies of others.
#[derive(Default)]
pub(super) struct Declared {
    all: Vec<VarId>,
    open: FxHashSet<VarId>,
    jumps: bool,
}

impl Declared {
    pub(super) fn declare(&mut self, var: VarId, is_set: bool) {
        self.all.push(var);
        if !is_set {
            self.open.insert(var);
        }
    }
    pub(super) fn jump(&mut self) {
        self.jumps = true;
    }
    /// Those of the current function.
    pub(super) fn take(&mut self) -> FxHashSet<VarId> {
        let Declared { all, open, jumps } = std::mem::take(self);
        if jumps { all.into_iter().collect() } else { open }
    }
}
