//! Data races as failing checks.
//!
//! Two accesses race if they are made by different threads to the same memory location, at least one writes, at least one
//! is not atomic, and neither happens before the other (C11 5.1.2.4); under interleavings: if they can stand next to each other. A memory
//! location is a scalar object, or a run of bit-fields beside each other (3.14).
//!
//! Every location that threads share gets a ghost. A write first gives the ghost an arbitrary number, then writes, then
//! checks that the ghost still has that number; a read does the same with the number it finds. If a write of another thread
//! falls in between, it may choose a different number, and the check fails; if no write ever can, no check fails. (The
//! idea is that of Dietsch, Heizmann, Klumpp and others in Ultimate, with one ghost for each location.)
//!
//! In memory the ghost is an array by address for each class: accesses of a class agree on where its scalars begin, but in classes
//! of bytes, where every byte has its own ghost.

use base::Span;
use ir::{InstrKind, Nondet};
use logic::{SortId, TermId};

use super::alias::{Layout, NodeId};
use super::memory::{Bits, Loc};
use super::{Lowerer, R, unsupported};
use crate::hir::VarId;
use crate::types::Ty;

pub const NO_DATA_RACE: &str = "no-data-race";

/// What a ghost stands for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum RaceKey {
    /// A scalar of an object outside memory, or an array of them.
    Plain(VarId, Vec<u32>),
    /// The locations of a class, by address.
    Class(NodeId),
}

/// An access under watch: the ghost, the places in it, and the number that must be there afterwards.
pub struct Watch {
    ghost: ir::VarId,
    /// Empty if the ghost is a single number.
    indices: Vec<TermId>,
    number: TermId,
}

impl Lowerer<'_> {
    /// Begins an access of a scalar that threads share; `None` where no race is possible.
    pub fn begin_access(&mut self, loc: &Loc, ty: Ty, is_write: bool, span: Span) -> R<Option<Watch>> {
        let is_watched = self.mode.check_races && !self.unchecked_access && !self.in_atomic_access;
        if !is_watched || ty.quals.is_atomic || !self.is_shared(loc) {
            return Ok(None);
        }
        let (key, indices, is_array) = match loc {
            Loc::Plain { var, path, index, bits } => {
                let mut path = path.clone();
                if let (Some(bits), Some(last)) = (bits, path.last_mut()) {
                    *last = self.first_of_run(*bits);
                }
                (RaceKey::Plain(*var, path), index.iter().copied().collect(), index.is_some())
            }
            Loc::Mem { ptr, node, bits, .. } => {
                let (addr, node) = (ptr.addr, self.alias.find(*node));
                let indices = match (bits, self.alias.layout(node)) {
                    (Some(bits), _) => {
                        // From the access back to the start of the run.
                        let back = self.num(-(self.bytes_into_run(*bits) as i128));
                        vec![self.add2(addr, back)]
                    }
                    (None, Layout::Fields | Layout::Kinds) => vec![addr],
                    (None, Layout::Bytes) => {
                        let Some(size) = self.unit.types.size_of(ty.id) else {
                            return unsupported(span, "data races on an object of unknown size");
                        };
                        (0..size)
                            .map(|i| {
                                let offset = self.num(i as i128);
                                self.add2(addr, offset)
                            })
                            .collect()
                    }
                };
                (RaceKey::Class(node), indices, true)
            }
            Loc::Value { .. } => return Ok(None),
        };
        if matches!(loc, Loc::Mem { node, bits: Some(_), .. } if self.alias.layout(*node) == Layout::Bytes) {
            return unsupported(span, "data races on bit-fields that are also seen as bytes");
        }
        let ghost = self.race_ghost(key, is_array);
        // Places may depend on what the access changes.
        let indices: Vec<TermId> = indices.into_iter().map(|i| self.copy_term(i, span)).collect();
        let number = self.number_temp();
        let number_term = self.program.term(number);
        let ghost_term = self.program.term(ghost);
        if is_write {
            self.havoc(vec![number], Nondet::Choice, span);
            let new = match &indices[..] {
                [] => number_term,
                places => places.iter().fold(ghost_term, |array, &i| self.pool.store(array, i, number_term)),
            };
            self.emit_hidden(InstrKind::Stmt(ir::Stmt::Assign(vec![(ghost, new)])), span);
        } else {
            // Bytes written together have one number; others differ and are each watched.
            let found = match indices.first() {
                None => ghost_term,
                Some(&first) => self.pool.select(ghost_term, first),
            };
            if indices.len() > 1 {
                return Ok(Some(self.watch_bytes(ghost, indices, span)));
            }
            self.emit_hidden(InstrKind::Stmt(ir::Stmt::Assign(vec![(number, found)])), span);
        }
        Ok(Some(Watch { ghost, indices, number: number_term }))
    }

    /// A read of several bytes keeps a copy of the whole ghost.
    fn watch_bytes(&mut self, ghost: ir::VarId, indices: Vec<TermId>, span: Span) -> Watch {
        let sort = self.program.vars[ghost].sort;
        let copy = self.temp(sort);
        let old = self.program.term(ghost);
        self.emit_hidden(InstrKind::Stmt(ir::Stmt::Assign(vec![(copy, old)])), span);
        Watch { ghost, indices, number: self.program.term(copy) }
    }

    /// Ends the access: nobody may have written in the meantime.
    pub fn end_access(&mut self, watch: Option<Watch>, span: Span) {
        let Some(Watch { ghost, indices, number }) = watch else { return };
        let now = self.program.term(ghost);
        let is_copy = self.pool.sort(number) == self.pool.sort(now) && !indices.is_empty();
        let same: Vec<TermId> = match &indices[..] {
            [] => vec![self.pool.eq(now, number)],
            places => places
                .iter()
                .map(|&i| {
                    let there = self.pool.select(now, i);
                    let wanted = if is_copy { self.pool.select(number, i) } else { number };
                    self.pool.eq(there, wanted)
                })
                .collect(),
        };
        let same = self.pool.and(&same);
        self.check(same, NO_DATA_RACE, "there may be a data race".into(), span);
    }

    fn race_ghost(&mut self, key: RaceKey, is_array: bool) -> ir::VarId {
        if let Some(&ghost) = self.race_ghosts.get(&key) {
            return ghost;
        }
        let number = self.word.sort;
        let sort: SortId = if is_array { self.pool.array_sort(number, number) } else { number };
        let name = match &key {
            RaceKey::Plain(var, path) => format!("#race({}{path:?})", self.unit.vars[*var].name),
            RaceKey::Class(node) => format!("#race_{}", node.0),
        };
        let ghost = self.global_var(&name, sort, Span::NONE);
        self.race_ghosts.insert(key, ghost);
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

    /// Copies of bytes are not watched.
    pub fn no_races_in_bulk(&mut self, span: Span) -> R<()> {
        if self.mode.check_races && self.concurrent && !self.unchecked_access {
            return unsupported(span, "data races of copies of bytes");
        }
        Ok(())
    }
}
