//! Data races as failing checks.
//!
//! Two accesses race if they are made by different threads to the same memory location, at least one writes, at least
//! one is not atomic, and neither happens before the other (C11 5.1.2.4); under interleavings: if they can stand next
//! to each other. A memory location is a scalar object, or a run of bit-fields beside each other (3.14).
//!
//! Every location that threads share gets a ghost. A write first gives the ghost an arbitrary number, then writes, then
//! checks that the ghost still has that number; a read does the same with the number it finds. If a write of another
//! thread falls in between, it may choose a different number, and the check fails; if no write ever can, no check
//! fails. (The idea is that of Dietsch, Heizmann, Klumpp and others in Ultimate, with one ghost for each location.)
//!
//! Nothing falls between the parts of an atomic section, so a read in one would go unnoticed by a write outside that it
//! falls into. Programs with atomic sections or operations have a second ghost for each location, which reads mark and
//! writes observe. Objects with an `_Atomic` type are not watched.
//!
//! In memory the ghosts are arrays by address, one for each array that holds values ([`Part`]): accesses of a class
//! agree on where its scalars begin, but in classes of bytes, where every byte has its own ghost. Accesses of whole
//! stretches touch the ghosts of all parts.

use base::Span;
use ir::Subproperty;
use ir::{InstrKind, Nondet};
use logic::{SortId, TermId};

use super::alias::{Kind, Layout, NodeId, kind_of};
use super::int::IntVal;
use super::memory::{Bits, Loc, PtrVal, Scalar};
use super::{Lowerer, R, internal, unsupported};
use crate::hir::*;
use crate::types::{Ty, TypeId, Types};
use crate::visit::{Node, root, walk_stmt};

/// Accesses of at most this many cells are watched in one step.
const FEW_CELLS: i128 = 64;

/// What a ghost keeps track of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Event {
    Write,
    Read,
}

/// What a ghost stands for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum RaceKey {
    /// A scalar of an object outside memory, or an array of them.
    Plain(VarId, Vec<u32>),
    /// The locations of a part of a class, by address.
    Class(NodeId, Part),
}

/// The locations of a class that lie in one array; those of different parts never overlap.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Part {
    /// A leaf of the records of the class, by number.
    Field(u32),
    Kind(Kind),
    /// Bit-fields, and classes that are seen as bytes.
    Rest,
}

/// An access under watch: what must still be so afterwards.
pub struct Watch(Vec<Expected>);

/// The numbers at some places of a ghost.
struct Expected {
    ghost: ir::VarId,
    /// Empty if the ghost is a single number.
    indices: Vec<TermId>,
    /// The number at every place, or a copy of the whole ghost.
    value: TermId,
}

/// Accesses of atomic types are not watched: among each other they do not race.
const MIXED: &str = "data races on an object that is accessed as an atomic one and otherwise";

impl Lowerer<'_> {
    /// Begins an access of a scalar that threads share; `None` where no race is possible.
    pub fn begin_access(&mut self, loc: &Loc, ty: Ty, is_write: bool, span: Span) -> R<Option<Watch>> {
        let is_watched = self.mode.check_races && !self.context.unchecked_access && !self.threads.before_threads;
        if !is_watched || !self.is_shared(loc) {
            return Ok(None);
        }
        if ty.quals.is_atomic {
            let is_mixed = match loc {
                Loc::Mem { node, .. } => self.alias.mixes_atomic(*node),
                Loc::Plain { var, .. } => has_mixed_union(&self.unit.types, self.unit.vars[*var].ty.id),
                Loc::Value { .. } => false,
            };
            if is_mixed {
                self.note_unsound(MIXED, span);
            }
            return Ok(None);
        }
        let (key, indices) = match loc {
            Loc::Plain { var, path, index, bits } => {
                let mut path = path.clone();
                if let (Some(bits), Some(last)) = (bits, path.last_mut()) {
                    *last = self.first_of_run(*bits);
                }
                (RaceKey::Plain(*var, path), index.iter().copied().collect())
            }
            Loc::Mem { ptr, node, bits, position } => {
                let (addr, node) = (ptr.addr, self.alias.find(*node));
                let layout = self.alias.layout(node);
                let part = match (bits, layout, position) {
                    (Some(_), ..) | (None, Layout::Bytes, _) => Part::Rest,
                    (None, Layout::Fields, Some(position)) => Part::Field(self.field_number(position)),
                    (None, Layout::Fields, None) => {
                        return internal(span, "an access the points-to analysis did not see");
                    }
                    (None, Layout::Kinds, _) => match kind_of(&self.unit.types, ty.id) {
                        Some(kind) => Part::Kind(kind),
                        None => return internal(span, "not a scalar"),
                    },
                };
                let indices = match (bits, layout) {
                    (Some(_), Layout::Bytes) => {
                        return unsupported(span, "data races on bit-fields that are also seen as bytes");
                    }
                    (Some(bits), Layout::Fields | Layout::Kinds) => {
                        // From the access back to the start of the run.
                        let back = self.num(-(self.bytes_into_run(*bits) as i128));
                        vec![self.add2(addr, back)]
                    }
                    (None, Layout::Fields | Layout::Kinds) => vec![addr],
                    (None, Layout::Bytes) => {
                        let Some(size) = self.unit.types.size_of(ty.id) else {
                            return unsupported(span, "data races on an object of unknown size");
                        };
                        self.addresses_from(addr, size as i128, 1)
                    }
                };
                (RaceKey::Class(node, part), indices)
            }
            Loc::Value { .. } => return Ok(None),
        };
        Ok(Some(self.watch(key, indices, is_write, span)))
    }

    /// Begins the access of a stretch of cells of a class, `step` bytes apart.
    pub fn begin_bulk(
        &mut self,
        addr: TermId,
        node: NodeId,
        size: i128,
        step: i128,
        is_write: bool,
        span: Span,
    ) -> Option<Watch> {
        if !self.watches_bulk() || size == 0 {
            return None;
        }
        let indices = self.addresses_from(addr, size, step);
        Some(self.watch_parts(node, indices, is_write, span))
    }

    /// The same places of all parts of a class.
    fn watch_parts(&mut self, node: NodeId, indices: Vec<TermId>, is_write: bool, span: Span) -> Watch {
        let node = self.alias.find(node);
        if self.alias.has_atomic(node) {
            self.note_unsound(MIXED, span);
        }
        let mut parts = vec![Part::Rest];
        match self.alias.layout(node) {
            Layout::Bytes => {}
            Layout::Kinds => {
                let kinds = self.alias.kinds(node);
                parts = kinds.into_iter().map(Part::Kind).collect();
                if self.alias.has_bit_fields(node) {
                    parts.push(Part::Rest);
                }
            }
            // Their fields are accessed one by one.
            Layout::Fields => self.note_unsound("data races on a stretch of records", span),
        }
        let mut all = Vec::new();
        for part in parts {
            all.extend(self.watch(RaceKey::Class(node, part), indices.clone(), is_write, span).0);
        }
        Watch(all)
    }

    fn addresses_from(&mut self, addr: TermId, size: i128, step: i128) -> Vec<TermId> {
        let mut out = Vec::new();
        for i in (0..size).step_by(step.max(1) as usize) {
            let offset = self.num(i);
            out.push(self.add2(addr, offset));
        }
        out
    }

    fn watch(&mut self, key: RaceKey, indices: Vec<TermId>, is_write: bool, span: Span) -> Watch {
        // Places may depend on what the access changes.
        let indices: Vec<TermId> = indices.into_iter().map(|i| self.copy_term(i, span)).collect();
        let is_array = !indices.is_empty();
        let writes = self.race_ghost((key.clone(), Event::Write), is_array);
        if !self.threads.has_atomic_sections {
            return Watch(vec![if is_write {
                self.mark(writes, indices, span)
            } else {
                self.observe(writes, indices, span)
            }]);
        }
        let reads = self.race_ghost((key, Event::Read), is_array);
        if is_write {
            let no_reads = self.observe(reads, indices.clone(), span);
            Watch(vec![no_reads, self.mark(writes, indices, span)])
        } else {
            let no_writes = self.observe(writes, indices.clone(), span);
            // Other reads do no harm.
            self.mark(reads, indices, span);
            Watch(vec![no_writes])
        }
    }

    /// Gives places of a ghost an arbitrary number.
    fn mark(&mut self, ghost: ir::VarId, indices: Vec<TermId>, span: Span) -> Expected {
        let number = self.number_temp();
        self.havoc(vec![number], Nondet::Choice, span);
        let (value, old) = (self.program.term(number), self.program.term(ghost));
        let new = match &indices[..] {
            [] => value,
            places => places.iter().fold(old, |array, &i| self.pool.store(array, i, value)),
        };
        self.emit_hidden(InstrKind::Stmt(ir::Stmt::Assign(vec![(ghost, new)])), span);
        Expected { ghost, indices, value }
    }

    /// Remembers what a ghost has at some places.
    fn observe(&mut self, ghost: ir::VarId, indices: Vec<TermId>, span: Span) -> Expected {
        let now = self.program.term(ghost);
        let found = match &indices[..] {
            [only] => self.pool.select(now, *only),
            _ => now,
        };
        let copy = self.temp(self.pool.sort(found));
        self.emit_hidden(InstrKind::Stmt(ir::Stmt::Assign(vec![(copy, found)])), span);
        Expected { ghost, indices, value: self.program.term(copy) }
    }

    /// Ends the access: no other thread may have interfered.
    pub fn end_access(&mut self, watch: Option<Watch>, span: Span) {
        let Some(Watch(list)) = watch else { return };
        let mut same = Vec::new();
        for Expected { ghost, indices, value } in list {
            let now = self.program.term(ghost);
            if indices.is_empty() {
                same.push(self.pool.eq(now, value));
                continue;
            }
            let is_copy = self.pool.sort(value) == self.pool.sort(now);
            for i in indices {
                let there = self.pool.select(now, i);
                let wanted = if is_copy { self.pool.select(value, i) } else { value };
                same.push(self.pool.eq(there, wanted));
            }
        }
        let same = self.pool.and(&same);
        self.check(same, Subproperty::NoDataRace, "there may be a data race".into(), span);
    }

    fn race_ghost(&mut self, key: (RaceKey, Event), is_array: bool) -> ir::VarId {
        if let Some(&ghost) = self.threads.race_ghosts.get(&key) {
            return ghost;
        }
        let number = self.word.sort;
        let sort: SortId = if is_array { self.pool.array_sort(number, number) } else { number };
        let event = match key.1 {
            Event::Write => "writes",
            Event::Read => "reads",
        };
        let name = match &key.0 {
            RaceKey::Plain(var, path) => format!("#{event}({}{path:?})", self.unit.vars[*var].name),
            RaceKey::Class(node, Part::Field(n)) => format!("#{event}_field{n}_{}", node.0),
            RaceKey::Class(node, Part::Kind(kind)) => format!("#{event}_{}_{}", kind.name(), node.0),
            RaceKey::Class(node, Part::Rest) => format!("#{event}_{}", node.0),
        };
        let ghost = self.global_var(&name, sort, Span::NONE);
        self.program.vars[ghost].role = ir::VarRole::AccessMark;
        self.threads.race_ghosts.insert(key, ghost);
        ghost
    }

    /// The first bit-field of the run that a bit-field belongs to. An unnamed one of width 0 ends a run.
    fn first_of_run(&self, bits: Bits) -> u32 {
        let Some(fields) = self.unit.types.fields(bits.record()) else { return bits.field() };
        let mut first = bits.field();
        while first > 0 && fields[first as usize - 1].width.is_some_and(|w| w > 0) {
            first -= 1;
        }
        first
    }

    fn bytes_into_run(&self, bits: Bits) -> u64 {
        let Some(fields) = self.unit.types.fields(bits.record()) else { return 0 };
        fields[bits.field() as usize].offset() - fields[self.first_of_run(bits) as usize].offset()
    }

    /// The library accesses a number of bytes behind a pointer.
    pub fn race_of_bytes(&mut self, p: PtrVal, e: &Expr, size: IntVal, is_write: bool, span: Span) -> R<()> {
        if !self.watches_bulk() || size.hi == 0 {
            return Ok(());
        }
        let Some(node) = self.alias.value(e) else { return unsupported(span, "data races at a fixed address") };
        if self.alias.layout(node) == Layout::Fields
            && let Some(ty) = self.pointed_type(e)
            && size.lo == size.hi
            && self.unit.types.size_of(ty.id).map(|s| s as i128) == Some(size.lo)
        {
            return self.race_of_members(p, node, ty, is_write, span);
        }
        self.race_of_cells(p.addr, node, size, 1, is_write, span);
        Ok(())
    }

    /// An access of a stretch of cells of a class, `step` bytes apart: at once if they are few, else one after the
    /// other.
    pub fn race_of_cells(&mut self, addr: TermId, node: NodeId, size: IntVal, step: i128, is_write: bool, span: Span) {
        if !self.watches_bulk() {
            return;
        }
        if size.lo == size.hi && size.lo / step.max(1) <= FEW_CELLS {
            let watch = self.begin_bulk(addr, node, size.lo, step, is_write, span);
            self.end_access(watch, span);
            return;
        }
        let at = self.number_temp();
        let (zero, step) = (self.num(0), self.num(step));
        self.assign(at, zero, span);
        let (head, end) = (self.new_label(), self.new_label());
        self.place_label(head, span);
        let position = self.program.term(at);
        let more = self.lt(position, size.term);
        let done = self.branch_hidden(more, span);
        let cell = self.add2(addr, position);
        let watch = self.watch_parts(node, vec![cell], is_write, span);
        self.end_access(Some(watch), span);
        let next = self.add2(position, step);
        self.assign(at, next, span);
        self.jump(vec![head], span);
        self.otherwise_hidden(done, more, span);
        self.jump(vec![end], span);
        self.place_label(end, span);
    }

    /// Freeing a block is a write of all of it (C11 7.22.3p2 and 5.1.2.4p4). Its size is not known here: that another
    /// part than the first object in it is written shows no violation.
    pub fn race_of_freed(&mut self, p: PtrVal, e: &Expr, span: Span) -> R<()> {
        let Some(node) = self.alias.value(e).filter(|_| self.watches_bulk()) else { return Ok(()) };
        if self.alias.has_atomic(node) {
            self.note_unsound(MIXED, span);
        }
        let zero = self.num(0);
        let is_null = self.pool.eq(p.addr, zero);
        let no = self.branch_hidden(is_null, span);
        let end = self.new_label();
        self.jump(vec![end], span);
        self.otherwise_hidden(no, is_null, span);
        self.race_of_object(p, node, e, span)?;
        let offset = self.number_temp();
        self.havoc(vec![offset], Nondet::Overapproximation("which part of a freed block is used".into()), span);
        let offset = self.program.term(offset);
        let is_inside = self.lt(zero, offset);
        self.assume(is_inside, span);
        let addr = self.add2(p.addr, offset);
        self.race_of_object(PtrVal { addr, ..p }, node, e, span)?;
        self.place_label(end, span);
        Ok(())
    }

    /// The object at a place is written: a record member by member where members are distinguished, else the cell.
    fn race_of_object(&mut self, p: PtrVal, node: NodeId, e: &Expr, span: Span) -> R<()> {
        match self.pointed_type(e) {
            Some(ty) if self.alias.layout(node) == Layout::Fields => {
                self.race_of_members(p, node, ty, true, span)?;
            }
            _ => {
                let watch = self.watch_parts(node, vec![p.addr], true, span);
                self.end_access(Some(watch), span);
            }
        }
        Ok(())
    }

    /// All scalars of the object of a type at a place are accessed.
    fn race_of_members(&mut self, p: PtrVal, node: NodeId, ty: Ty, is_write: bool, span: Span) -> R<()> {
        let loc = self.deref_loc(p, node, ty.id);
        for (path, _, _) in self.scalars(ty.id)? {
            let (part, part_ty) = self.walk_path(loc.clone(), ty, &path, span)?;
            let watch = self.begin_access(&part, part_ty, is_write, span)?;
            self.end_access(watch, span);
        }
        Ok(())
    }

    /// A record is accessed as a whole, with its atomic members.
    pub(super) fn note_atomic_members(&mut self, loc: &Loc, scalars: &[Scalar], span: Span) {
        if self.watches_bulk() && scalars.iter().any(|(_, ty, _)| ty.quals.is_atomic) && self.is_shared(loc) {
            self.note_unsound(MIXED, span);
        }
    }

    /// Is it the address of a local variable that is passed only to atomic exchanges?
    pub(super) fn is_only_expected(&self, e: &Expr) -> bool {
        fn local(unit: &Unit, e: &Expr) -> Option<VarId> {
            match &e.kind {
                ExprKind::Convert(inner) => local(unit, inner),
                ExprKind::AddrOf(place) => match place.kind {
                    PlaceKind::Var(var) if matches!(unit.vars[var].storage, Storage::Local) => Some(var),
                    _ => None,
                },
                _ => None,
            }
        }
        let Some(var) = local(self.unit, e) else { return false };
        let (mut n_addresses, mut n_expected) = (0, 0);
        for stmt in self.unit.funcs[self.alias.current].body.iter().flatten() {
            walk_stmt(stmt, &mut |node| {
                match node {
                    Node::Addressed(place) => n_addresses += usize::from(root(place) == Some(var)),
                    Node::Expr(Expr { kind: ExprKind::Call { callee: Callee::Direct(func), args }, .. })
                        if &*self.unit.funcs[*func].name == "__atomic_compare_exchange_n" =>
                    {
                        n_expected += usize::from(args.get(1).and_then(|e| local(self.unit, e)) == Some(var));
                    }
                    _ => {}
                }
                true
            });
        }
        n_addresses == n_expected
    }

    /// What an exchange expects is read and written beside the atomic step, not in it.
    pub(super) fn note_shared_expectation(&mut self, loc: &Loc, span: Span) {
        if self.watches_bulk() && self.is_shared(loc) {
            self.note_unsound("data races on what an atomic exchange expects", span);
        }
    }

    /// Initialising a lock or an atomic object is not an atomic access of it (C11 7.17.2.2): no other thread may use it
    /// then.
    pub(super) fn note_late_initialisation(&mut self, what: &str, e: &Expr) {
        if self.watches_bulk() && !self.threads.early.contains(&std::ptr::from_ref(e)) {
            self.note_unsound(&format!("data races of initialising {what} while other threads may run"), e.span);
        }
    }

    /// A stretch of memory is written in one step, other than its bytes would be.
    pub(super) fn note_one_step(&mut self, size: IntVal, e: &Expr) {
        let is_early = self.threads.early.contains(&std::ptr::from_ref(e));
        if self.threads.concurrent && !is_early && !self.mode.check_races && size.hi > 1 {
            let what = "there are no data races (several bytes are copied or filled in one step; no-data-race asks)";
            self.note_assumption_once(what, e.span);
        }
    }

    fn watches_bulk(&self) -> bool {
        self.mode.check_races
            && self.threads.concurrent
            && !self.context.unchecked_access
            && !self.threads.before_threads
    }
}

/// Is there a union of atomic and other members in a type?
pub(super) fn has_mixed_union(types: &Types, ty: TypeId) -> bool {
    fn has_atomic(types: &Types, ty: Ty) -> bool {
        let parts = types.fields(ty.id);
        ty.quals.is_atomic
            || types.element(ty.id).is_some_and(|element| has_atomic(types, element))
            || parts.is_some_and(|fields| fields.iter().any(|f| has_atomic(types, f.ty)))
    }
    if let Some(element) = types.element(ty) {
        return has_mixed_union(types, element.id);
    }
    let (Some(record), Some(fields)) = (types.record(ty), types.fields(ty)) else { return false };
    if types.records[record].is_union {
        return fields.len() > 1 && fields.iter().any(|f| has_atomic(types, f.ty));
    }
    fields.iter().any(|f| has_mixed_union(types, f.ty.id))
}
