//! Objects: where they live, how they are read, written, created and destroyed.
//!
//! A pointer is an address, an integer. Addresses of objects with static storage are constants;
//! the heap and the stack objects that need a fresh address take it from a counter that only grows, so
//! distinct objects never overlap and no address is used twice. Memory is a set of arrays from
//! addresses to values, split by class and layout (see [`super::alias`]).
//!
//! Where memory safety is checked a pointer also carries its *base*, the start of the object it was
//! made from. Ghost arrays say for each base whether the object is alive (1 static or stack, 2 heap) and its
//! size; an access is valid if it lies between. Otherwise programs are taken to be memory safe, which is
//! how the other properties are defined.

use std::rc::Rc;

use base::Span;
use ir::{InstrKind, Nondet, Subject, Subproperty, VarRole};
use logic::ieee::EXTENDED;
use logic::{SortId, TermId};

use super::alias::{Kind, Layout, NodeId, has_overlay, has_union, is_overlay, kind_of, largest_member};
use super::initialised;
use super::int::IntVal;
use super::threads::LockPart;
use super::{Lowerer, R, RegionKey, Val, internal, unsupported};
use crate::hir::*;
use crate::types::{ArrayLen, IntKind, Quals, Ty, Type, TypeId};

/// The bytes of a `long double` that mean something.
const X87_BYTES: u64 = 10;
/// Records with more scalars than this are not passed around by value.
const MAX_SCALARS: usize = 512;
/// Objects with more items than this are not initialised one by one.
const MAX_ITEMS: usize = 4096;
/// Uninitialised objects in memory with at most this many scalars are made arbitrary one by one.
const FEW_SCALARS: usize = 64;

/// Objects of others with more pointers than this are not followed exactly.
const MAX_FOREIGN_POINTERS: usize = 4;

/// What the program does not have but its meaning needs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ghost {
    /// The next free address.
    HeapTop,
    /// How many blocks are allocated and not freed.
    Live,
    /// By the start of an object: 0 dead, 1 static or on the stack, 2 on the heap.
    Alive,
    /// By the start of an object: its size.
    Size,
    /// By the start of an object that `alloca` made in a loop: the one made before it in the same call.
    OlderAlloca,
    /// Where the heap begins: objects below have values from the start.
    HeapStart,
    /// The rounding mode, as `fegetround` gives it.
    Rounding,
    /// By address: the state of locks whose place is not fixed.
    Locks(LockPart),
    /// The first thread that stays where it waits (see [`super::deadlocks`]), and whom the last one in its chain waits
    /// for: numbers of threads plus 1.
    Stuck,
    WaitsFor,
    /// A thread that has ended: its number plus 1.
    EndedOne,
    /// How many threads stay where they wait, and how many there are besides the first one.
    Staying,
    Running,
    /// By the number of a thread: not 0 if it has ended.
    Ended,
    /// By the number of a thread: not 0 if it was joined.
    Joined,
}

/// The variables behind a scalar: its value (or array of values), the base of a pointer, and the ghost that says
/// whether it is set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    pub value: ir::VarId,
    pub base: Option<ir::VarId>,
    pub init: Option<ir::VarId>,
}

impl Leaf {
    pub(super) fn variables(self) -> impl Iterator<Item = ir::VarId> {
        [Some(self.value), self.base, self.init].into_iter().flatten()
    }
}

#[derive(Clone, Copy, Debug)]
pub struct PtrVal {
    pub addr: TermId,
    pub base: Option<TermId>,
}

/// The position inside a record of a `Fields` class.
#[derive(Clone, Debug)]
pub struct RecordPosition {
    record: TypeId,
    addr: TermId,
    path: Vec<u32>,
    indexed: bool,
}

/// A bit-field: record, index of the field, its width.
#[derive(Clone, Copy, Debug)]
pub struct Bits {
    record: TypeId,
    field: u32,
    width: u32,
}

impl Bits {
    pub fn record(self) -> TypeId {
        self.record
    }
    pub fn field(self) -> u32 {
        self.field
    }
}

/// A scalar of a type: the way to it, its type, and its width if it is a bit-field.
pub(super) type Scalar = (Vec<Step>, Ty, Option<Bits>);

/// An array of a class with the bytes of its elements and whether they are signed.
type BulkArray = (Leaf, u64, bool);

#[derive(Clone, Debug)]
pub enum Loc {
    Plain {
        var: VarId,
        path: Vec<u32>,
        index: Option<TermId>,
        bits: Option<Bits>,
    },
    Mem {
        ptr: PtrVal,
        node: NodeId,
        position: Option<RecordPosition>,
        bits: Option<Bits>,
    },
    /// A part of a record value.
    Value {
        value: Rc<Vec<Val>>,
        ty: TypeId,
        path: Vec<Step>,
    },
}

/// The state of objects that live as long as the program and may be written, or on the stack.
pub(super) const STATIC_OBJECT: i128 = 1;

/// The state of objects that live as long as the program and must not be written; others are alive (1), on the heap (2)
/// or gone (0).
const CONSTANT_OBJECT: i128 = 3;

/// The state of objects on the heap.
pub(super) const HEAP_OBJECT: i128 = 2;

/// The liveness state of external objects.
pub(super) const OUTSIDE_OBJECT: i128 = 4;

impl Lowerer<'_> {
    pub fn needs_base(&self, ty: TypeId) -> bool {
        self.mode.check_memsafety && self.unit.types.is_pointer(ty)
    }

    // ----- shapes -----

    /// The scalars of a type with the way to each, arrays element by element.
    pub fn scalars(&self, ty: TypeId) -> R<Vec<Scalar>> {
        let mut out = Vec::new();
        self.collect_scalars(Ty::plain(ty), &mut Vec::new(), None, &mut out)?;
        Ok(out)
    }

    fn collect_scalars(&self, ty: Ty, path: &mut Vec<Step>, bits: Option<Bits>, out: &mut Vec<Scalar>) -> R<()> {
        if out.len() > MAX_SCALARS {
            return unsupported(self.f.span, "a record this large as a value");
        }
        match self.unit.types.kind(ty) {
            Type::Array(elem, ArrayLen::Known(n)) => {
                for i in 0..*n {
                    path.push(Step::Index(i));
                    self.collect_scalars(*elem, path, None, out)?;
                    path.pop();
                }
            }
            // A flexible array has no elements of its own.
            Type::Array(..) => {}
            Type::Record(r) => {
                let record = &self.unit.types.records[*r];
                let Some(fields) = record.fields.clone() else {
                    return unsupported(self.f.span, format!("incomplete {}", record.name));
                };
                // Members of a union that agree share their values: the largest has them all. Others
                // are bytes.
                if is_overlay(&self.unit.types, ty.id) {
                    return self.collect_bytes(ty, path, out);
                }
                let largest = largest_member(&self.unit.types, &fields);
                for (i, field) in fields.iter().enumerate() {
                    if field.width.is_some() && field.name.is_none() || record.is_union && largest != Some(i) {
                        continue;
                    }
                    path.push(Step::Field(i as u32));
                    let bits = field.width.map(|width| Bits { record: ty.id, field: i as u32, width });
                    self.collect_scalars(field.ty, path, bits, out)?;
                    path.pop();
                }
            }
            Type::Void | Type::Function(_) => {}
            Type::Int(_) | Type::Float(_) | Type::Pointer(_) | Type::VaList => {
                out.push((path.clone(), ty, bits));
            }
        }
        Ok(())
    }

    /// The bytes of a union. Where safety is checked a pointer stays whole, as it carries its object with it.
    fn collect_bytes(&self, ty: Ty, path: &mut Vec<Step>, out: &mut Vec<Scalar>) -> R<()> {
        let Some(size) = self.unit.types.size_of(ty.id).filter(|&s| s <= MAX_SCALARS as u64) else {
            return unsupported(self.f.span, "a union this large as a value");
        };
        let mut pointers = Vec::new();
        if self.mode.check_memsafety {
            self.collect_pointers(ty, 0, path, &mut pointers);
            pointers.sort_by_key(|(offset, _, _)| *offset);
        }
        let width = self.unit.types.pointer_size();
        let mut pointers = pointers.into_iter().peekable();
        let mut at = 0;
        while at < size {
            while pointers.peek().is_some_and(|(offset, _, _)| *offset < at) {
                pointers.next();
            }
            if let Some((_, path, ty)) = pointers.next_if(|(offset, _, _)| *offset == at) {
                out.push((path, ty, None));
                at += width;
                continue;
            }
            path.push(Step::Byte(at));
            out.push((path.clone(), Ty::plain(TypeId::UCHAR), None));
            path.pop();
            at += 1;
        }
        Ok(())
    }

    fn collect_pointers(&self, ty: Ty, offset: u64, path: &mut Vec<Step>, out: &mut Vec<(u64, Vec<Step>, Ty)>) {
        match self.unit.types.kind(ty) {
            Type::Pointer(_) => out.push((offset, path.clone(), ty)),
            Type::Array(elem, ArrayLen::Known(n)) => {
                let size = self.unit.types.size_of(elem.id).unwrap_or(0);
                // Unions as values are small.
                for i in 0..(*n).min(MAX_SCALARS as u64) {
                    path.push(Step::Index(i));
                    self.collect_pointers(*elem, offset + i * size, path, out);
                    path.pop();
                }
            }
            Type::Record(_) => {
                for (i, field) in self.unit.types.fields(ty.id).iter().flat_map(|f| f.iter()).enumerate() {
                    path.push(Step::Field(i as u32));
                    self.collect_pointers(field.ty, offset + field.offset(), path, out);
                    path.pop();
                }
            }
            _ => {}
        }
    }

    fn has_union(&self, ty: TypeId) -> bool {
        has_union(&self.unit.types, ty)
    }

    /// Does the object live in memory rather than in variables of its own?
    pub fn in_memory(&self, var: VarId) -> bool {
        self.alias.addressed.contains(&var) || self.has_union(self.unit.vars[var].ty.id)
    }

    pub fn path_text(&self, ty: TypeId, path: &[Step]) -> String {
        let mut text = String::new();
        let mut ty = ty;
        for step in path {
            match step {
                Step::Index(i) => {
                    text.push_str(&format!("[{i}]"));
                    ty = self.unit.types.element(ty).map_or(ty, |e| e.id);
                }
                Step::Byte(i) => text.push_str(&format!(".byte{i}")),
                Step::Field(i) => {
                    if let Some(fields) = self.unit.types.fields(ty) {
                        let field = &fields[*i as usize];
                        text.push_str(&field.selector());
                        ty = field.ty.id;
                    }
                }
            }
        }
        text
    }

    /// The leaves of a variable outside memory: field paths, whether arrays lie on the way, leaf type.
    fn plain_leaves(&self, ty: Ty, path: &mut Vec<u32>, in_array: bool, out: &mut Vec<(Vec<u32>, bool, Ty)>) {
        match self.unit.types.kind(ty) {
            Type::Array(elem, _) => self.plain_leaves(*elem, path, true, out),
            Type::Record(_) => {
                let Some(fields) = self.unit.types.fields(ty.id) else { return };
                for (i, field) in fields.iter().enumerate() {
                    if field.width.is_some() && field.name.is_none() {
                        continue;
                    }
                    path.push(i as u32);
                    self.plain_leaves(field.ty, path, in_array, out);
                    path.pop();
                }
            }
            _ => out.push((path.clone(), in_array, ty)),
        }
    }

    pub(super) fn int_array(&mut self) -> SortId {
        self.pool.array_sort(self.word.sort, self.word.sort)
    }

    /// The variable of a leaf of an object outside memory.
    pub(super) fn plain_leaf(&mut self, var: VarId, path: &[u32]) -> Leaf {
        if let Some(&leaf) = self.memory.plain.get(&(var, path.to_vec())) {
            return leaf;
        }
        let unit = self.unit;
        let data = &unit.vars[var];
        let (mut ty, mut in_array, mut name) = (data.ty.id, false, data.name.to_string());
        let mut rest = path.iter();
        loop {
            match unit.types.get(ty) {
                Type::Array(elem, _) => {
                    in_array = true;
                    ty = elem.id;
                }
                Type::Record(_) => {
                    let Some(&step) = rest.next() else { break };
                    let Some(fields) = unit.types.fields(ty) else { break };
                    name.push_str(&fields[step as usize].selector());
                    ty = fields[step as usize].ty.id;
                }
                _ => break,
            }
        }
        let sort = if in_array { self.int_array() } else { self.word.sort };
        let span = if data.hidden { Span::NONE } else { data.span };
        let is_static = matches!(data.storage, Storage::Static { .. });
        let make = |this: &mut Self, name: &str, span: Span| {
            if is_static { this.global_var(name, sort, span) } else { this.local_var(name, sort, span) }
        };
        let value = make(self, &name, span);
        let base = self.needs_base(ty).then(|| self.add_base(value));
        if let Some(kind) = unit.types.int_kind(ty).filter(|&k| !unit.types.is_wide(k)) {
            let range = unit.types.int_range(kind);
            if in_array {
                self.ranges.elements.insert(value, range);
            } else {
                self.ranges.values.insert(value, range);
            }
        }
        let is_watched = self.mode.check_uninitialised && !is_static && self.reach.undetermined.contains(&var);
        let init = is_watched.then(|| self.add_init(value));
        let leaf = Leaf { value, base, init };
        self.memory.plain.insert((var, path.to_vec()), leaf);
        leaf
    }

    fn region(&mut self, node: NodeId, key: RegionKey, with_base: bool) -> Leaf {
        let node = self.alias.find(node);
        if let Some(&leaf) = self.memory.regions.get(&(node, key)) {
            return leaf;
        }
        let sort = self.int_array();
        let kind = match key {
            RegionKey::Field(i) => format!("field{i}"),
            RegionKey::Kind(kind) => kind.name(),
            RegionKey::BitField(_, i) => format!("bits{i}"),
            RegionKey::Bytes => "bytes".to_string(),
        };
        let name = format!("#memory_{kind}_{}", node.0);
        let value = self.global_var(&name, sort, Span::NONE);
        let base = (with_base && self.mode.check_memsafety).then(|| self.add_base(value));
        if let RegionKey::Kind(Kind::Int(size)) = key
            && size <= 8
        {
            let bits = 8 * size as u32;
            let range = if self.alias.stored_signed(node, size) {
                (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)
            } else {
                (0, (1i128 << bits) - 1)
            };
            self.ranges.elements.insert(value, range);
        }
        let init = (self.mode.check_uninitialised && self.alias.is_dynamic(node)).then(|| self.add_init(value));
        let leaf = Leaf { value, base, init };
        self.memory.regions.insert((node, key), leaf);
        self.memory.region_list.push((node, key, leaf));
        leaf
    }

    // ----- ghosts -----

    /// The variable of a ghost, made on first use.
    pub fn ghost(&mut self, ghost: Ghost) -> ir::VarId {
        if let Some(&var) = self.memory.ghosts.get(&ghost) {
            return var;
        }
        let (name, is_array, role) = match ghost {
            Ghost::HeapTop => ("#heap", false, VarRole::AddressCounter),
            Ghost::HeapStart => ("#heap_start", false, VarRole::Plain),
            Ghost::Live => ("#live", false, VarRole::Plain),
            Ghost::Rounding => ("#rounding", false, VarRole::Plain),
            Ghost::Alive => ("#alive", true, VarRole::BlockStates),
            Ghost::Size => ("#size", true, VarRole::BlockSizes),
            Ghost::OlderAlloca => ("#older_alloca", true, VarRole::Plain),
            Ghost::Locks(super::threads::LockPart::Owner) => ("#locks", true, VarRole::Lock),
            Ghost::Locks(_) => ("#locks", true, VarRole::Plain),
            Ghost::Stuck => ("#stuck", false, VarRole::Plain),
            Ghost::WaitsFor => ("#waits_for", false, VarRole::WaitsFor),
            Ghost::EndedOne => ("#ended_one", false, VarRole::Plain),
            Ghost::Staying => ("#staying", false, VarRole::Plain),
            Ghost::Running => ("#running", false, VarRole::Plain),
            Ghost::Ended => ("#ended", true, VarRole::Plain),
            Ghost::Joined => ("#joined", true, VarRole::Plain),
        };
        let sort = if is_array { self.int_array() } else { self.word.sort };
        let var = self.global_var(name, sort, Span::NONE);
        self.program.vars[var].role = role;
        self.memory.ghosts.insert(ghost, var);
        var
    }
    pub fn alloc(&mut self) -> ir::VarId {
        self.ghost(Ghost::Alive)
    }
    pub fn size_ghost(&mut self) -> ir::VarId {
        self.ghost(Ghost::Size)
    }

    /// Says that an object of this state and size begins at an address.
    pub fn set_object(&mut self, base: TermId, state: i128, size: IntVal, span: Span) {
        let (alloc, sizes) = (self.alloc(), self.size_ghost());
        self.set_entry(alloc, base, state, span);
        self.set_entry_term(sizes, base, size.term, span);
    }
    fn set_entry(&mut self, array: ir::VarId, index: TermId, value: i128, span: Span) {
        let value = self.num(value);
        self.set_entry_term(array, index, value, span);
    }
    pub fn set_entry_term(&mut self, array: ir::VarId, index: TermId, value: TermId, span: Span) {
        let old = self.program.term(array);
        let new = self.pool.store(old, index, value);
        self.emit_hidden(InstrKind::Stmt(ir::Stmt::Assign(vec![(array, new)])), span);
    }

    // ----- addresses -----

    fn static_address(&mut self, var: VarId) -> i128 {
        if let Some(&address) = self.memory.var_addresses.get(&var) {
            return address;
        }
        let size = self.unit.types.size_of(self.unit.vars[var].ty.id).unwrap_or(1 << 20) as i128;
        let address = self.memory.next_address;
        // A gap between objects, so that one past the end is not the address of another object.
        self.memory.next_address = (address + size + 31) / 16 * 16;
        self.memory.var_addresses.insert(var, address);
        address
    }

    pub fn function_address(&mut self, func: FuncId) -> i128 {
        let next = 0x1000 + 16 * self.memory.func_addresses.len() as i128;
        *self.memory.func_addresses.entry(func).or_insert(next)
    }

    /// Does each activation need a fresh address for this local?
    pub fn needs_fresh_address(&self, var: VarId) -> bool {
        let data = &self.unit.vars[var];
        if matches!(data.storage, Storage::Static { .. }) {
            return false;
        }
        let always = self.mode.check_memsafety || self.mode.check_uninitialised;
        if always || self.threads.concurrent && !data.owner.is_some_and(|f| self.entries.contains(&f)) {
            return true;
        }
        let is_recursive = data.owner.is_some_and(|f| self.reach.recursive.contains(&f) || self.is_thread_function(f));
        let is_large = match self.scalars(data.ty.id) {
            Ok(scalars) => scalars.len() > FEW_SCALARS || self.unit.types.size_of(data.ty.id).is_none(),
            Err(_) => true,
        };
        is_recursive || is_large || self.threads.declared_again.contains(&var)
    }

    fn is_thread_function(&self, func: FuncId) -> bool {
        self.reach.address_taken.contains(&func)
    }

    /// The address of an object in memory.
    pub fn var_pointer(&mut self, var: VarId, _span: Span) -> R<PtrVal> {
        let addr = if self.needs_fresh_address(var) {
            let local = match self.memory.dynamic_addresses.get(&var) {
                Some(&local) => local,
                None => {
                    let name = format!("&{}", self.unit.vars[var].name);
                    let local = self.local_var(&name, self.word.sort, Span::NONE);
                    self.program.vars[local].role = VarRole::AddressOfLocal;
                    self.memory.dynamic_addresses.insert(var, local);
                    local
                }
            };
            self.program.term(local)
        } else {
            let address = self.static_address(var);
            self.num(address)
        };
        Ok(PtrVal { addr, base: self.mode.check_memsafety.then_some(addr) })
    }

    /// Takes `size` bytes from the counter; returns their address in a fresh temporary.
    pub fn bump(&mut self, size: IntVal, span: Span) -> TermId {
        let top = self.ghost(Ghost::HeapTop);
        let top_term = self.program.term(top);
        let var = self.number_temp();
        let address = self.program.term(var);
        let step = if size.lo == size.hi {
            self.num((size.hi + 31) / 16 * 16)
        } else {
            let gap = self.num(16);
            self.add2(size.term, gap)
        };
        let next = self.add2(top_term, step);
        // One step: no other thread takes the same address.
        self.emit_hidden(InstrKind::Stmt(ir::Stmt::Assign(vec![(var, top_term), (top, next)])), span);
        let next = self.add2(address, step);
        // Addresses are positive: no object has the null pointer as its address.
        let zero = self.num(0);
        let positive = self.gt(address, zero);
        self.assume_fact(positive, span);
        if self.is_exact() && size.lo != size.hi {
            // Words end where no real memory does.
            let (fits, room) = (self.gt(next, address), self.ge(size.term, zero));
            let fits = self.pool.and2(fits, room);
            self.assume_undefined(fits, span);
        }
        address
    }

    /// The size of a type as a value, also of variable-length arrays.
    pub fn size_value(&mut self, ty: TypeId, span: Span) -> R<IntVal> {
        if let Some(size) = self.unit.types.size_of(ty) {
            return Ok(self.int_const(size as i128));
        }
        match *self.unit.types.get(ty) {
            Type::Array(elem, len) => {
                let count = match len {
                    ArrayLen::Vla(var) => self.variable_length(var, span)?,
                    ArrayLen::Known(n) => self.int_const(n as i128),
                    ArrayLen::Incomplete => return unsupported(span, "an object of unknown size"),
                };
                let size = self.size_value(elem.id, span)?;
                let term = self.mul2(count.term, size.term);
                Ok(IntVal { term, lo: 0, hi: count.hi.saturating_mul(size.hi) })
            }
            _ => unsupported(span, "an object of unknown size"),
        }
    }

    /// The number of elements of an array of variable length. One of a negative length has none (6.7.6.2p5: undefined).
    fn variable_length(&mut self, var: VarId, span: Span) -> R<IntVal> {
        let loc = self.var_loc(var, span)?;
        let size_t = self.unit.types.size_t();
        let Val::Int(n) = self.load(&loc, Ty::plain(size_t), span)? else {
            return unsupported(span, "array length");
        };
        let most = (1i128 << (8 * self.unit.types.pointer_size() - 1)) - 1;
        if !self.mode.check_memsafety || n.hi <= most {
            return Ok(n);
        }
        let (limit, zero) = (self.num(most), self.num(0));
        let is_possible = self.le(n.term, limit);
        Ok(IntVal { term: self.pool.ite(is_possible, n.term, zero), lo: 0, hi: most })
    }

    /// How many elements an array has; none if its type does not say it.
    pub fn array_length(&mut self, array: TypeId, span: Span) -> R<Option<TermId>> {
        Ok(match *self.unit.types.get(array) {
            Type::Array(_, ArrayLen::Known(n)) => Some(self.num(n as i128)),
            Type::Array(_, ArrayLen::Vla(var)) => Some(self.variable_length(var, span)?.term),
            _ => None,
        })
    }

    // ----- locations -----

    pub fn var_loc(&mut self, var: VarId, span: Span) -> R<Loc> {
        if self.in_memory(var) {
            let ptr = self.var_pointer(var, span)?;
            let node = self.alias.var_node(var);
            let ty = self.unit.vars[var].ty.id;
            let position = self.unit.types.is_record(ty).then(|| RecordPosition {
                record: ty,
                addr: ptr.addr,
                path: Vec::new(),
                indexed: false,
            });
            return Ok(Loc::Mem { ptr, node, position, bits: None });
        }
        Ok(Loc::Plain { var, path: Vec::new(), index: None, bits: None })
    }

    /// The location a pointer points to.
    pub fn deref_loc(&mut self, ptr: PtrVal, node: NodeId, ty: TypeId) -> Loc {
        let position = self.unit.types.is_record(ty).then(|| RecordPosition {
            record: ty,
            addr: ptr.addr,
            path: Vec::new(),
            indexed: false,
        });
        Loc::Mem { ptr, node, position, bits: None }
    }

    pub fn field_loc(&mut self, base: Loc, record: TypeId, index: u32, span: Span) -> R<(Loc, Ty)> {
        let Some(fields) = self.unit.types.fields(record) else {
            return unsupported(span, "a member of an incomplete type");
        };
        let field = &fields[index as usize];
        let bits = field.width.map(|width| Bits { record, field: index, width });
        let loc = match base {
            Loc::Plain { var, mut path, index: array_index, .. } => {
                path.push(index);
                Loc::Plain { var, path, index: array_index, bits }
            }
            Loc::Mem { ptr, node, position, .. } => {
                let offset = self.num(field.offset() as i128);
                let addr = self.add2(ptr.addr, offset);
                let position = position.map(|mut p| {
                    p.path.push(index);
                    p
                });
                Loc::Mem { ptr: PtrVal { addr, ..ptr }, node, position, bits }
            }
            Loc::Value { value, ty, mut path } => {
                path.push(Step::Field(index));
                Loc::Value { value, ty, path }
            }
        };
        Ok((loc, field.ty))
    }

    pub fn index_loc(&mut self, base: Loc, array: TypeId, index: IntVal, span: Span) -> R<(Loc, Ty)> {
        let Type::Array(elem, len) = *self.unit.types.get(array) else {
            return unsupported(span, "an element of something that is not an array");
        };
        let loc = match base {
            Loc::Plain { var, path, index: outer, .. } => {
                let flat = match (outer, len) {
                    (None, _) => index.term,
                    (Some(outer), ArrayLen::Known(n)) => {
                        let n = self.num(n as i128);
                        let scaled = self.mul2(outer, n);
                        self.add2(scaled, index.term)
                    }
                    (Some(outer), ArrayLen::Vla(var)) => {
                        let n = self.variable_length(var, span)?;
                        let scaled = self.mul2(outer, n.term);
                        self.add2(scaled, index.term)
                    }
                    (Some(_), ArrayLen::Incomplete) => return unsupported(span, "an array of unknown size"),
                };
                Loc::Plain { var, path, index: Some(flat), bits: None }
            }
            Loc::Mem { ptr, node, position, .. } => {
                let size = self.size_value(elem.id, span)?;
                let offset = self.mul2(index.term, size.term);
                let addr = self.add2(ptr.addr, offset);
                let position = match position {
                    Some(mut p) => {
                        p.indexed = true;
                        Some(p)
                    }
                    None => self.unit.types.is_record(elem.id).then(|| RecordPosition {
                        record: elem.id,
                        addr,
                        path: Vec::new(),
                        indexed: false,
                    }),
                };
                Loc::Mem { ptr: PtrVal { addr, ..ptr }, node, position, bits: None }
            }
            Loc::Value { value, ty, mut path } => {
                if index.lo != index.hi || index.lo < 0 {
                    return unsupported(span, "a variable index into a temporary array");
                }
                path.push(Step::Index(index.lo as u64));
                Loc::Value { value, ty, path }
            }
        };
        Ok((loc, elem))
    }

    /// Copies the address in a position, as an index to be evaluated may change it.
    pub fn fix_position(&mut self, position: RecordPosition, span: Span) -> RecordPosition {
        let addr = self.copy_term(position.addr, span);
        RecordPosition { addr, ..position }
    }

    /// Follows constant steps.
    pub fn walk_path(&mut self, loc: Loc, ty: Ty, path: &[Step], span: Span) -> R<(Loc, Ty)> {
        let (mut loc, mut ty) = (loc, ty);
        for step in path {
            (loc, ty) = match step {
                Step::Field(i) => self.field_loc(loc, ty.id, *i, span)?,
                Step::Byte(i) => (self.byte_loc(loc, *i, span)?, Ty::plain(TypeId::UCHAR)),
                Step::Index(i) => {
                    let index = self.int_const(*i as i128);
                    self.index_loc(loc, ty.id, index, span)?
                }
            };
        }
        Ok((loc, ty))
    }

    /// A byte of a union.
    fn byte_loc(&mut self, loc: Loc, at: u64, span: Span) -> R<Loc> {
        match loc {
            Loc::Value { value, ty, mut path } => {
                path.push(Step::Byte(at));
                Ok(Loc::Value { value, ty, path })
            }
            Loc::Mem { ptr, node, .. } if self.alias.layout(node) == Layout::Bytes => {
                let offset = self.num(at as i128);
                let addr = self.add2(ptr.addr, offset);
                Ok(Loc::Mem { ptr: PtrVal { addr, ..ptr }, node, position: None, bits: None })
            }
            Loc::Mem { .. } | Loc::Plain { .. } => internal(span, "a union that is not in bytes"),
        }
    }

    /// The pointer to a location in memory.
    pub fn address(&mut self, loc: &Loc, span: Span) -> R<PtrVal> {
        match loc {
            Loc::Mem { ptr, .. } => Ok(*ptr),
            Loc::Plain { .. } | Loc::Value { .. } => internal(span, "the address of an object outside memory"),
        }
    }

    // ----- access -----

    /// The variables and the index for a scalar access in memory.
    pub(super) fn region_of(&mut self, loc: &Loc, ty: TypeId, span: Span) -> R<(Leaf, TermId)> {
        let Loc::Mem { ptr, node, position, bits } = loc else {
            return internal(span, "not in memory");
        };
        let Some(kind) = kind_of(&self.unit.types, ty) else {
            return internal(span, "not a scalar");
        };
        let is_pointer = kind == Kind::Pointer;
        match self.alias.layout(*node) {
            Layout::Fields => {
                let Some(position) = position else {
                    return internal(span, "an access the points-to analysis did not see");
                };
                let number = self.field_number(position);
                let leaf = self.region(*node, RegionKey::Field(number), is_pointer);
                if let Some(kind) = self.unit.types.int_kind(ty).filter(|&k| !self.unit.types.is_wide(k)) {
                    let range = self.unit.types.int_range(kind);
                    self.ranges.elements.insert(leaf.value, range);
                }
                Ok((leaf, if position.indexed { ptr.addr } else { position.addr }))
            }
            Layout::Kinds => {
                let key = match bits {
                    Some(bits) => match self.unit.types.record(bits.record) {
                        Some(record) => RegionKey::BitField(record, bits.field),
                        None => RegionKey::Kind(kind),
                    },
                    None => RegionKey::Kind(kind),
                };
                let leaf = self.region(*node, key, is_pointer);
                Ok((leaf, ptr.addr))
            }
            Layout::Bytes => internal(span, "bytes are read one by one"),
        }
    }

    /// The number of a leaf of a record.
    pub(super) fn field_number(&mut self, position: &RecordPosition) -> u32 {
        let n = self.memory.field_paths.len() as u32;
        *self.memory.field_paths.entry((position.record, position.path.clone())).or_insert(n)
    }

    /// The array and the index that hold a scalar of this type, if they hold its value unconverted.
    pub(super) fn cell_of(&mut self, loc: &Loc, ty: TypeId, span: Span) -> Option<(ir::VarId, TermId)> {
        let Loc::Mem { node, .. } = loc else { return None };
        let node = *node;
        if self.is_bytes(loc) {
            return None;
        }
        if let Some(kind) = self.unit.types.int_kind(ty) {
            let size = self.unit.types.int_size(kind);
            let is_shared = self.alias.layout(node) == Layout::Kinds;
            if is_shared && (kind == IntKind::Bool || self.alias.stored_signed(node, size) != kind.is_signed()) {
                return None;
            }
        }
        let (leaf, index) = self.region_of(loc, ty, span).ok()?;
        Some((leaf.value, index))
    }

    /// As [`Self::cell_of`], if the program uses the array.
    pub(super) fn used_cell_of(&mut self, loc: &Loc, ty: TypeId, span: Span) -> Option<(ir::VarId, TermId)> {
        let Loc::Mem { node, position, bits: None, .. } = loc else { return None };
        let (kind, class) = (kind_of(&self.unit.types, ty)?, self.alias.find(*node));
        let key = match self.alias.layout(*node) {
            Layout::Fields => {
                let position = position.as_ref()?;
                RegionKey::Field(*self.memory.field_paths.get(&(position.record, position.path.clone()))?)
            }
            Layout::Kinds => RegionKey::Kind(kind),
            Layout::Bytes => return None,
        };
        let is_used = self.memory.regions.contains_key(&(class, key));
        is_used.then(|| self.cell_of(loc, ty, span)).flatten()
    }

    pub(super) fn is_bytes(&mut self, loc: &Loc) -> bool {
        match loc {
            Loc::Mem { node, .. } => self.alias.layout(*node) == Layout::Bytes,
            Loc::Plain { .. } | Loc::Value { .. } => false,
        }
    }

    /// The check that an access of this size in bytes lies in a live object.
    pub fn check_access(&mut self, ptr: PtrVal, size: TermId, span: Span) {
        self.check_not_null(ptr, span);
        if !self.mode.check_memsafety {
            return;
        }
        let Some(base) = ptr.base else { return };
        let (alloc, sizes) = (self.alloc(), self.size_ghost());
        let (alloc, sizes) = (self.program.term(alloc), self.program.term(sizes));
        let zero = self.num(0);
        let state = self.pool.select(alloc, base);
        let alive = self.gt(state, zero);
        let object_size = self.pool.select(sizes, base);
        let end = self.add2(ptr.addr, size);
        let object_end = self.add2(base, object_size);
        let above = self.le(base, ptr.addr);
        let below = self.le(end, object_end);
        let valid = self.pool.and(&[alive, above, below]);
        let subject = Subject::Access { address: ptr.addr, base, size };
        self.check_about(valid, Subproperty::ValidDeref, "the memory access may be invalid".into(), subject, span);
    }

    /// The check that a pointer is not null, where that is the property.
    pub fn check_not_null(&mut self, ptr: PtrVal, span: Span) {
        if self.mode.check_null {
            let exists = self.is_not_null(ptr);
            let subject = Subject::Claim { failed: "a null pointer is dereferenced".to_string() };
            self.check_about(exists, Subproperty::NoNullDereference, "the pointer may be null".into(), subject, span);
        }
    }

    pub fn is_not_null(&mut self, ptr: PtrVal) -> TermId {
        let zero = self.num(0);
        let null = self.pool.eq(ptr.addr, zero);
        self.pool.not(null)
    }

    /// Are accesses of the library to memory checked or watched?
    pub fn watches_accesses(&self) -> bool {
        let checks = self.mode.check_memsafety || self.mode.check_null || self.mode.check_uninitialised;
        checks || self.mode.check_races && self.threads.concurrent
    }

    /// Whether an object is one that must not be written: a string literal or a constant of the whole program.
    pub(super) fn is_constant_object(&self, var: VarId) -> bool {
        let data = &self.unit.vars[var];
        let mut ty = data.ty;
        while let Type::Array(element, _) = *self.unit.types.get(ty.id) {
            ty = element;
        }
        data.is_string
            || matches!(data.storage, Storage::Static { .. }) && (data.ty.quals.is_const || ty.quals.is_const)
    }

    /// Checks that no constant object is written. (C 6.4.5, 6.7.3: that is undefined; it ends a program where constants
    /// are in protected memory.)
    pub fn check_writable(&mut self, ptr: PtrVal, node: NodeId, span: Span) {
        let (true, Some(base)) = (self.mode.check_memsafety, ptr.base) else { return };
        let has_constants = self.unit.statics.iter().any(|&var| {
            self.is_constant_object(var) && self.alias.known_node(var).is_some_and(|n| n == self.alias.find(node))
        });
        if !has_constants {
            return;
        }
        let alloc = self.alloc();
        let alloc = self.program.term(alloc);
        let (state, constant) = (self.pool.select(alloc, base), self.num(CONSTANT_OBJECT));
        let is_constant = self.pool.eq(state, constant);
        let writable = self.pool.not(is_constant);
        let subject = Subject::Constant { address: ptr.addr, base };
        let message = "a constant or a string literal may be written".to_string();
        self.check_about(writable, Subproperty::ValidDeref, message, subject, span);
    }

    /// Checks an access at a location: the object's bounds, or the array's for objects outside memory.
    fn check_loc(&mut self, loc: &Loc, ty: TypeId, span: Span) -> R<()> {
        if !self.mode.check_memsafety || self.context.unchecked_access {
            return Ok(());
        }
        match loc {
            Loc::Mem { ptr, bits, .. } => {
                let size = match bits {
                    Some(bits) => {
                        let (start, width) = self.bit_place(*bits);
                        self.int_const((start + width).div_ceil(8) as i128)
                    }
                    None => self.size_value(ty, span)?,
                };
                self.check_access(*ptr, size.term, span);
            }
            Loc::Plain { var, path, index: Some(index), .. } => {
                let count = self.element_count(*var, path, span)?;
                let zero = self.num(0);
                let above = self.le(zero, *index);
                let below = self.lt(*index, count);
                let inside = self.pool.and2(above, below);
                let subject = Subject::Index { index: *index, length: count };
                let message = "the array index may be out of bounds".to_string();
                self.check_about(inside, Subproperty::ValidDeref, message, subject, span);
            }
            Loc::Plain { .. } | Loc::Value { .. } => {}
        }
        Ok(())
    }

    /// A record is copied with the padding behind its last member, which no check of a member sees.
    fn check_tail(&mut self, loc: &Loc, ty: Ty, scalars: &[Scalar], span: Span) -> R<()> {
        let Some(size) = self.unit.types.size_of(ty.id) else { return Ok(()) };
        let ends = scalars.iter().filter_map(|(path, scalar, bits)| {
            let width = match bits {
                Some(bits) => bits.width as u64,
                None => 8 * self.unit.types.size_of(scalar.id)?,
            };
            Some(self.bit_offset(ty.id, path)? + width)
        });
        let is_padded = ends.max().is_some_and(|end| end.div_ceil(8) < size);
        if is_padded { self.check_loc(loc, ty.id, span) } else { Ok(()) }
    }

    /// How many elements the arrays on the way to a leaf of an object outside memory have in all.
    fn element_count(&mut self, var: VarId, path: &[u32], span: Span) -> R<TermId> {
        let mut ty = self.unit.vars[var].ty.id;
        let mut count = self.num(1);
        let mut rest = path.iter();
        loop {
            match *self.unit.types.get(ty) {
                Type::Array(elem, len) => {
                    let n = match len {
                        ArrayLen::Known(n) => self.num(n as i128),
                        ArrayLen::Vla(var) => self.variable_length(var, span)?.term,
                        ArrayLen::Incomplete => return unsupported(span, "an array of unknown size"),
                    };
                    count = self.mul2(count, n);
                    ty = elem.id;
                }
                Type::Record(_) => match (rest.next(), self.unit.types.fields(ty)) {
                    (Some(&step), Some(fields)) => ty = fields[step as usize].ty.id,
                    _ => return Ok(count),
                },
                _ => return Ok(count),
            }
        }
    }

    /// Where a bit-field begins in its first byte, and its width.
    fn bit_place(&self, bits: Bits) -> (u32, u32) {
        let fields = self.unit.types.fields(bits.record);
        let start = fields.map_or(0, |f| f[bits.field as usize].bit_offset % 8);
        (start as u32, bits.width)
    }

    fn bits_range(&self, bits: Bits, kind: IntKind) -> (i128, i128) {
        if bits.width >= 127 {
            return self.unit.types.int_range(kind);
        }
        if kind.is_signed() {
            (-(1i128 << (bits.width - 1)), (1i128 << (bits.width - 1)) - 1)
        } else {
            (0, (1i128 << bits.width) - 1)
        }
    }

    pub fn value_from_terms(&mut self, ty: TypeId, term: TermId, base: Option<TermId>) -> Val {
        match self.unit.types.get(ty) {
            Type::Int(kind) => {
                let (lo, hi) = self.unit.types.int_range(*kind);
                self.note_width(*kind);
                Val::Int(IntVal { term, lo, hi })
            }
            Type::Pointer(_) => {
                let base = if self.mode.check_memsafety { base.or(Some(term)) } else { None };
                Val::Ptr(PtrVal { addr: term, base })
            }
            _ => Val::Float(term),
        }
    }

    /// May other threads access the object?
    pub fn is_shared(&self, loc: &Loc) -> bool {
        self.threads.concurrent
            && match loc {
                Loc::Plain { var, .. } => {
                    let is_static = matches!(self.unit.vars[*var].storage, Storage::Static { .. });
                    is_static && self.reach.assigned.contains(var)
                }
                Loc::Mem { .. } => true,
                Loc::Value { .. } => false,
            }
    }

    /// Reads a location. What threads share is read in a step of its own.
    pub fn load(&mut self, loc: &Loc, ty: Ty, span: Span) -> R<Val> {
        if !self.is_shared(loc) {
            return self.load_in_place(loc, ty, span);
        }
        let is_scalar = ty.id != TypeId::VOID && !self.unit.types.is_record(ty.id);
        if !is_scalar && ty.quals.is_atomic {
            return self.at_once(span, |this| {
                let value = this.load_in_place(loc, ty, span)?;
                Ok(this.snapshot(value, span))
            });
        }
        let watch = if is_scalar { self.begin_access(loc, ty, false, span)? } else { None };
        let value = self.load_in_place(loc, ty, span)?;
        let value = self.snapshot(value, span);
        self.end_access(watch, span);
        Ok(value)
    }

    fn load_in_place(&mut self, loc: &Loc, ty: Ty, span: Span) -> R<Val> {
        if ty.id == TypeId::VOID {
            return Ok(Val::Void);
        }
        if self.unit.types.is_record(ty.id) {
            return self.load_record(loc, ty, span);
        }
        self.check_loc(loc, ty.id, span)?;
        match loc {
            Loc::Value { value, ty: whole, path } => {
                let scalars = self.scalars(*whole)?;
                match scalars.iter().position(|(p, _, _)| p == path) {
                    Some(i) => Ok(self.resolved(value[i].clone(), *whole, span)),
                    None => self.part_of_bytes(value, *whole, path, ty, span),
                }
            }
            Loc::Plain { var, path, index, bits } => {
                let leaf = self.plain_leaf(*var, path);
                self.check_initialised(leaf, *index, false, ty.id, span);
                let is_static = self.unit.vars[*var].storage == Storage::Static { defined: true };
                let read = |this: &mut Self, v: ir::VarId| {
                    let term = this.program.term(v);
                    match index {
                        Some(i) => this.pool.select(term, *i),
                        None => term,
                    }
                };
                let term = read(self, leaf.value);
                let base = leaf.base.map(|b| read(self, b));
                let value = self.value_from_terms(ty.id, term, base);
                Ok(self.with_range(value, ty.id, *bits, index.is_some() && !is_static, span))
            }
            Loc::Mem { node, bits, .. } => {
                if self.is_bytes(loc) {
                    return self.load_bytes(loc, ty, span);
                }
                let node = *node;
                let bits = *bits;
                let (leaf, index) = self.region_of(loc, ty.id, span)?;
                self.check_initialised(leaf, Some(index), true, ty.id, span);
                let array = self.program.term(leaf.value);
                let term = self.pool.select(array, index);
                let base = leaf.base.map(|b| {
                    let array = self.program.term(b);
                    self.pool.select(array, index)
                });
                if let Some(kind) = self.unit.types.int_kind(ty.id) {
                    let size = self.unit.types.int_size(kind);
                    let is_shared = bits.is_none() && self.alias.layout(node) == Layout::Kinds;
                    let stored_signed = self.alias.stored_signed(node, size);
                    if is_shared && (stored_signed != kind.is_signed() || kind == IntKind::Bool) {
                        let stored = signed_twin(kind, stored_signed);
                        let (lo, hi) = self.unit.types.int_range(stored);
                        let fact = self.in_type_range(term, stored);
                        self.assume_fact(fact, span);
                        let v = self.wrap(IntVal { term, lo, hi }, kind);
                        return Ok(Val::Int(v));
                    }
                    let dynamic = self.alias.is_dynamic(node);
                    let value = self.value_from_terms(ty.id, term, base);
                    return Ok(self.with_range(value, ty.id, bits, dynamic, span));
                }
                Ok(self.value_from_terms(ty.id, term, base))
            }
        }
    }

    /// States the range of a value that was read, where the program's steps do not already imply it.
    fn with_range(&mut self, value: Val, ty: TypeId, bits: Option<Bits>, state: bool, span: Span) -> Val {
        let (Val::Int(v), Some(kind)) = (&value, self.unit.types.int_kind(ty)) else { return value };
        let (lo, hi) = match bits {
            Some(bits) => self.bits_range(bits, kind),
            None => self.unit.types.int_range(kind),
        };
        let v = IntVal { term: v.term, lo, hi };
        if state {
            match bits {
                Some(_) => {
                    let fact = self.in_range(v.term, lo, hi);
                    self.assume_fact(fact, span);
                }
                None => {
                    let fact = self.in_type_range(v.term, kind);
                    self.state_range(fact, kind, span);
                }
            }
        }
        Val::Int(v)
    }

    fn load_record(&mut self, loc: &Loc, ty: Ty, span: Span) -> R<Val> {
        self.check_record(loc, ty, span)?;
        let scalars = self.scalars(ty.id)?;
        self.check_tail(loc, ty, &scalars, span)?;
        self.note_atomic_members(loc, &scalars, span);
        let mut values = Vec::with_capacity(scalars.len());
        let anything = std::mem::replace(&mut self.context.reads_anything, true);
        let raw = has_overlay(&self.unit.types, ty.id) && self.mode.check_memsafety;
        let outer = self.context.raw_bases;
        self.context.raw_bases |= raw;
        for (path, _, _) in scalars {
            let value = match self.walk_path(loc.clone(), ty, &path, span) {
                Ok((part, part_ty)) => self.load(&part, part_ty, span),
                Err(what) => Err(what),
            };
            match value {
                Ok(value) => values.push(value),
                Err(what) => {
                    self.context.raw_bases = outer;
                    self.context.reads_anything = anything;
                    return Err(what);
                }
            }
        }
        self.context.raw_bases = outer;
        self.context.reads_anything = anything;
        Ok(Val::Record(Rc::new(values)))
    }

    /// A pointer out of a record with unions: which object it points into may have been lost.
    fn resolved(&mut self, value: Val, whole: TypeId, span: Span) -> Val {
        match value {
            Val::Ptr(PtrVal { addr, base: Some(base) })
                if !self.context.raw_bases && has_overlay(&self.unit.types, whole) =>
            {
                let base = self.resolve_base(addr, base, span);
                Val::Ptr(PtrVal { addr, base: Some(base) })
            }
            other => other,
        }
    }

    /// A scalar inside a union that is a value, put together from the union's bytes.
    fn part_of_bytes(&mut self, value: &[Val], whole: TypeId, path: &[Step], ty: Ty, span: Span) -> R<Val> {
        // The union is the outermost one on the way.
        let mut at = Ty::plain(whole);
        let mut n_steps = 0;
        while !is_overlay(&self.unit.types, at.id) {
            let Some(next) = path.get(n_steps).and_then(|&step| self.step_into(at, step)) else {
                return unsupported(span, "this part of a record value");
            };
            (at, n_steps) = (next.1, n_steps + 1);
        }
        let (prefix, rest) = path.split_at(n_steps);
        let (mut offset, mut bits) = (0u64, None);
        for &step in rest {
            let Some((bit_offset, next, width)) = self.step_into(at, step) else {
                return unsupported(span, "this part of a record value");
            };
            offset += bit_offset / 8;
            bits = width.map(|width| ((bit_offset % 8) as u32, width));
            at = next;
        }
        if self.unit.types.is_pointer(ty.id) && self.mode.check_memsafety {
            return unsupported(span, "a pointer among the bytes of a union value");
        }
        let mut bytes: rustc_hash::FxHashMap<u64, TermId> = Default::default();
        for ((p, _, _), v) in self.scalars(whole)?.iter().zip(value) {
            if let Some([Step::Byte(i)]) = p.strip_prefix(prefix) {
                let v = self.int_of(v);
                bytes.insert(*i, v.term);
            }
        }
        let size = match bits {
            Some((start, width)) => (start + width).div_ceil(8) as u64,
            None => match self.byte_size(ty.id) {
                Some(size) => size,
                None => return unsupported(span, "this part of a record value"),
            },
        };
        let mut terms = Vec::new();
        for i in 0..size {
            let Some(&byte) = bytes.get(&(offset + i)) else {
                return unsupported(span, "this part of a record value");
            };
            terms.push(byte);
        }
        let (start, width) = bits.unwrap_or((0, 8 * size as u32));
        Ok(self.scalar_of_bytes(&terms, start, width, ty.id, span))
    }

    /// The part of an aggregate behind one step: its place in bits, its type, its width if it is a bit-field.
    fn step_into(&self, ty: Ty, step: Step) -> Option<(u64, Ty, Option<u32>)> {
        match step {
            Step::Field(i) => {
                let fields = self.unit.types.fields(ty.id)?;
                let field = fields.get(i as usize)?;
                Some((field.bit_offset, field.ty, field.width))
            }
            Step::Index(i) => {
                let elem = self.unit.types.element(ty.id)?;
                Some((8 * i * self.unit.types.size_of(elem.id)?, elem, None))
            }
            Step::Byte(i) => Some((8 * i, Ty::plain(TypeId::UCHAR), None)),
        }
    }

    /// Accesses a whole atomic record: in one step, and without a race (C11 6.2.5p20, 5.1.2.4p25).
    fn at_once<T>(&mut self, span: Span, access: impl FnOnce(&mut Self) -> R<T>) -> R<T> {
        let outer = std::mem::replace(&mut self.threads.before_threads, true);
        self.begin_atomic(span);
        let result = access(self);
        self.end_atomic(span);
        self.threads.before_threads = outer;
        result
    }

    /// Writes a location. The value must have the location's type.
    pub fn store(&mut self, loc: &Loc, ty: Ty, value: &Val, span: Span) -> R<()> {
        if ty.quals.is_atomic && matches!(value, Val::Record(_)) && self.is_shared(loc) {
            let plain = Ty { quals: Quals { is_atomic: false, ..ty.quals }, ..ty };
            return self.at_once(span, |this| this.store(loc, plain, value, span));
        }
        if let Val::Record(values) = value {
            let scalars = self.scalars(ty.id)?;
            if scalars.len() != values.len() {
                return internal(span, "record of another shape");
            }
            self.check_tail(loc, ty, &scalars, span)?;
            self.note_atomic_members(loc, &scalars, span);
            // All parts were read before any is written.
            let values: Vec<Val> = values.iter().map(|v| self.snapshot(v.clone(), span)).collect();
            if self.is_bytes(loc) {
                self.forget_padding(loc, ty, &scalars, span)?;
            }
            for ((path, _, _), value) in scalars.into_iter().zip(values) {
                let (part, part_ty) = self.walk_path(loc.clone(), ty, &path, span)?;
                self.store(&part, part_ty, &value, span)?;
            }
            return Ok(());
        }
        let watch = self.begin_access(loc, ty, true, span)?;
        self.store_scalar(loc, ty, value, span)?;
        self.end_access(watch, span);
        Ok(())
    }

    /// A record is about to be assigned as a whole: the bits that belong to no member become unspecified. Compilers
    /// mostly copy them, so an execution that depends on other values proves nothing.
    fn forget_padding(&mut self, loc: &Loc, ty: Ty, scalars: &[Scalar], span: Span) -> R<()> {
        let Some(size) = self.unit.types.size_of(ty.id) else { return Ok(()) };
        let mut covered = vec![0u8; size as usize];
        for (path, scalar, bits) in scalars {
            let (start, width) = match (self.bit_offset(ty.id, path), bits, self.unit.types.size_of(scalar.id)) {
                (Some(start), Some(bits), _) => (start, bits.width as u64),
                (Some(start), None, Some(size)) => (start, 8 * size),
                _ => return internal(span, "the place of a member"),
            };
            for bit in start..start + width {
                if let Some(byte) = covered.get_mut((bit / 8) as usize) {
                    *byte |= 1 << (bit % 8);
                }
            }
        }
        let padding: Vec<u64> = (0..size).filter(|&at| covered[at as usize] != 0xff).collect();
        if padding.is_empty() {
            return Ok(());
        }
        // Executions may keep the old bytes, which C allows, and are exact then.
        let keeps = self.temp(SortId::BOOL);
        self.havoc(vec![keeps], Nondet::Choice, span);
        let keeps = self.program.term(keeps);
        let no = self.branch_hidden(keeps, span);
        let end = self.new_label();
        self.jump(vec![end], span);
        self.otherwise_hidden(no, keeps, span);
        let what = "padding after an assignment";
        for at in padding {
            let value = self.arbitrary(TypeId::UCHAR, Nondet::Inexact(what.into()), span)?;
            let byte = self.byte_loc(loc.clone(), at, span)?;
            self.store_bytes(&byte, Ty::plain(TypeId::UCHAR), &value, span)?;
        }
        self.place_label(end, span);
        Ok(())
    }

    /// Where in a type a scalar begins.
    fn bit_offset(&self, ty: TypeId, path: &[Step]) -> Option<u64> {
        let (mut ty, mut bit) = (ty, 0);
        for step in path {
            match step {
                Step::Field(i) => {
                    let field = self.unit.types.fields(ty)?.get(*i as usize)?.clone();
                    bit += field.bit_offset;
                    ty = field.ty.id;
                }
                Step::Index(i) => {
                    ty = self.unit.types.element(ty)?.id;
                    bit += 8 * i * self.unit.types.size_of(ty)?;
                }
                Step::Byte(at) => {
                    bit += 8 * at;
                    ty = TypeId::UCHAR;
                }
            }
        }
        Some(bit)
    }

    fn store_scalar(&mut self, loc: &Loc, ty: Ty, value: &Val, span: Span) -> R<()> {
        self.check_loc(loc, ty.id, span)?;
        if let Loc::Mem { ptr, node, .. } = loc
            && !self.context.unchecked_access
        {
            self.check_writable(*ptr, *node, span);
        }
        let value = self.canonical(value.clone(), loc, ty);
        let (term, base) = match &value {
            Val::Int(v) => (v.term, None),
            Val::Bool(b) => {
                let (one, zero) = (self.num(1), self.num(0));
                (self.pool.ite(*b, one, zero), None)
            }
            Val::Ptr(p) => (p.addr, p.base),
            Val::Float(t) => (*t, None),
            Val::Record(_) | Val::Void => return internal(span, "storing no scalar"),
        };
        match loc {
            Loc::Value { .. } => unsupported(span, "assignment to a temporary"),
            Loc::Plain { var, path, index, .. } => {
                let leaf = self.plain_leaf(*var, path);
                let mut list = Vec::new();
                let one = self.num(1);
                for (v, t) in [(Some(leaf.value), Some(term)), (leaf.base, base), (leaf.init, Some(one))] {
                    let (Some(v), Some(t)) = (v, t) else { continue };
                    let new = match index {
                        Some(i) => {
                            let old = self.program.term(v);
                            self.pool.store(old, *i, t)
                        }
                        None => t,
                    };
                    list.push((v, new));
                }
                self.emit(InstrKind::Stmt(ir::Stmt::Assign(list)), span);
                Ok(())
            }
            Loc::Mem { node, bits, .. } => {
                if self.is_bytes(loc) {
                    return self.store_bytes(loc, ty, &value, span);
                }
                let mut term = term;
                if let (Some(kind), None) = (self.unit.types.int_kind(ty.id), bits) {
                    let size = self.unit.types.int_size(kind);
                    let stored_signed = self.alias.stored_signed(*node, size);
                    let is_shared = self.alias.layout(*node) == Layout::Kinds;
                    if is_shared && stored_signed != kind.is_signed() {
                        let stored = signed_twin(kind, stored_signed);
                        if let Val::Int(v) = &value {
                            term = self.wrap(*v, stored).term;
                        }
                    }
                }
                let (leaf, index) = self.region_of(loc, ty.id, span)?;
                let mut list = Vec::new();
                let one = self.num(1);
                for (v, t) in [(Some(leaf.value), Some(term)), (leaf.base, base), (leaf.init, Some(one))] {
                    let (Some(v), Some(t)) = (v, t) else { continue };
                    let old = self.program.term(v);
                    list.push((v, self.pool.store(old, index, t)));
                }
                self.emit(InstrKind::Stmt(ir::Stmt::Assign(list)), span);
                Ok(())
            }
        }
    }

    /// Cuts a value to the width of a bit-field.
    pub fn canonical(&mut self, value: Val, loc: &Loc, ty: Ty) -> Val {
        let bits = match loc {
            Loc::Plain { bits, .. } | Loc::Mem { bits, .. } => *bits,
            Loc::Value { .. } => None,
        };
        let (Some(bits), Some(kind)) = (bits, self.unit.types.int_kind(ty.id)) else { return value };
        let v = self.int_of(&value);
        if kind == IntKind::Bool {
            return Val::Int(v);
        }
        let (lo, hi) = self.bits_range(bits, kind);
        if v.lo >= lo && v.hi <= hi {
            return Val::Int(v);
        }
        let term =
            if kind.is_signed() { self.low_bits_signed(v.term, bits.width) } else { self.low_bits(v.term, bits.width) };
        Val::Int(IntVal { term, lo, hi })
    }

    pub fn int_of(&mut self, value: &Val) -> IntVal {
        match value {
            Val::Int(v) => *v,
            Val::Bool(b) => {
                let (one, zero) = (self.num(1), self.num(0));
                IntVal { term: self.pool.ite(*b, one, zero), lo: 0, hi: 1 }
            }
            Val::Ptr(p) => IntVal { term: p.addr, lo: 0, hi: i128::MAX },
            Val::Float(t) => IntVal { term: *t, lo: i128::MIN, hi: i128::MAX },
            Val::Record(_) | Val::Void => self.int_const(0),
        }
    }

    // ----- bytes -----

    /// The bytes of a scalar that is seen as bytes; `None` if it cannot be.
    fn byte_size(&mut self, ty: TypeId) -> Option<u64> {
        match self.unit.types.get(ty) {
            Type::Int(kind) => Some(self.unit.types.int_size(*kind)),
            Type::Pointer(_) => Some(self.unit.types.pointer_size()),
            _ => self.format(ty).map(|format| match format {
                EXTENDED => X87_BYTES,
                _ => format.width() as u64 / 8,
            }),
        }
    }

    /// The scalar whose `width` bits begin in the first byte at bit `start`, little end first.
    fn scalar_of_bytes(&mut self, bytes: &[TermId], start: u32, width: u32, ty: TypeId, span: Span) -> Val {
        let mut parts = Vec::new();
        for (i, &byte) in bytes.iter().enumerate() {
            let (from, to) = byte_part(i, start, width);
            let mut part = self.shift_down(byte, from);
            if to < 8 {
                part = self.low_bits(part, to - from);
            }
            parts.push(self.shift_up(part, 8 * i as u32 + from - start));
        }
        let term = self.sum(&parts);
        let hi = if width >= 127 { i128::MAX } else { (1i128 << width) - 1 };
        match self.unit.types.get(ty) {
            Type::Int(kind) if width < self.unit.types.int_bits(*kind) && kind.is_signed() => {
                let half = 1i128 << (width - 1);
                Val::Int(IntVal { term: self.low_bits_signed(term, width), lo: -half, hi: half - 1 })
            }
            Type::Int(kind) => {
                let kind = *kind;
                Val::Int(self.wrap(IntVal { term, lo: 0, hi }, kind))
            }
            Type::Pointer(_) => Val::Ptr(PtrVal { addr: term, base: None }),
            _ if self.format(ty) == Some(EXTENDED) => Val::Float(self.number_of_x87(term, span)),
            _ => Val::Float(term),
        }
    }

    /// The bits in memory of a `long double`: with the digit before the point, which is 0 only where the exponent is.
    fn x87_bits(&mut self, number: TermId) -> TermId {
        let (fraction, above) = (self.low_bits(number, 63), self.shift_down(number, 63));
        let exponent = self.low_bits(above, 15);
        let (zero, digit) = (self.num(0), self.pow2(63));
        let is_small = self.pool.eq(exponent, zero);
        let digit = self.pool.ite(is_small, zero, digit);
        let above = self.shift_up(above, 64);
        self.sum(&[fraction, digit, above])
    }

    /// The number that the bits in memory of a `long double` are. Processors refuse bits with the wrong digit before
    /// the point.
    fn number_of_x87(&mut self, bits: TermId, span: Span) -> TermId {
        let (fraction, above) = (self.low_bits(bits, 63), self.shift_down(bits, 64));
        let shifted = self.shift_up(above, 63);
        let number = self.sum(&[fraction, shifted]);
        let wanted = self.x87_bits(number);
        let is_number = self.pool.eq(bits, wanted);
        let result = self.number_temp();
        self.assign(result, number, span);
        let no = self.branch_hidden(is_number, span);
        let end = self.new_label();
        self.jump(vec![end], span);
        self.otherwise_hidden(no, is_number, span);
        self.havoc(vec![result], Nondet::Inexact("bits that are not a long double".into()), span);
        self.place_label(end, span);
        let result = self.program.term(result);
        let fact = self.in_range(result, 0, (1i128 << EXTENDED.width()) - 1);
        self.assume_fact(fact, span);
        result
    }

    fn load_bytes(&mut self, loc: &Loc, ty: Ty, span: Span) -> R<Val> {
        let Loc::Mem { ptr, node, bits, .. } = loc else { return internal(span, "bytes") };
        let (start, width) = match (bits, self.byte_size(ty.id)) {
            (Some(bits), _) => self.bit_place(*bits),
            (None, Some(size)) => (0, 8 * size as u32),
            (None, None) => return unsupported(span, "a floating number that is also seen as bytes"),
        };
        let (ptr, node) = (*ptr, *node);
        let leaf = self.byte_region(node);
        let array = self.program.term(leaf.value);
        let mut bytes = Vec::new();
        for i in 0..(start + width).div_ceil(8) {
            let offset = self.num(i as i128);
            let address = self.add2(ptr.addr, offset);
            self.check_initialised(leaf, Some(address), true, ty.id, span);
            let byte = self.pool.select(array, address);
            let fact = self.in_range(byte, 0, 255);
            self.assume_fact(fact, span);
            bytes.push(byte);
        }
        if let (Some(bases), [_]) = (leaf.base, &bytes[..]) {
            let array = self.program.term(bases);
            let stored = self.pool.select(array, ptr.addr);
            self.context.byte_origin = Some(self.copy_term(stored, span));
        }
        let value = self.scalar_of_bytes(&bytes, start, width, ty.id, span);
        let Val::Ptr(PtrVal { addr, .. }) = value else { return Ok(value) };
        let base = match leaf.base {
            Some(bases) => {
                let array = self.program.term(bases);
                let stored = self.pool.select(array, ptr.addr);
                // Bytes of several pointers, or none, make a pointer of unknown origin.
                let mut same = Vec::new();
                for i in 1..self.unit.types.pointer_size() {
                    let offset = self.num(i as i128);
                    let address = self.add2(ptr.addr, offset);
                    let other = self.pool.select(array, address);
                    same.push(self.pool.eq(stored, other));
                }
                let (same, lost) = (self.pool.and(&same), self.num(-1));
                let stored = self.pool.ite(same, stored, lost);
                Some(if self.context.raw_bases { stored } else { self.resolve_base(addr, stored, span) })
            }
            None => self.mode.check_memsafety.then(|| self.num(0)),
        };
        Ok(Val::Ptr(PtrVal { addr, base }))
    }

    /// The bytes of a class, where safety is checked with the base of the pointer that each is a byte of; −1 is a byte
    /// of no pointer.
    pub(super) fn byte_region(&mut self, node: NodeId) -> Leaf {
        let with_base = self.alias.kinds(node).contains(&Kind::Pointer);
        self.region(node, RegionKey::Bytes, with_base)
    }

    /// The base of the pointer `addr` among bytes. If its bytes did not come from one pointer, it points into the
    /// object that lives there now, if any does.
    pub fn resolve_base(&mut self, addr: TermId, stored: TermId, span: Span) -> TermId {
        let result = self.number_temp();
        self.assign(result, stored, span);
        let term = self.program.term(result);
        let lost_mark = self.num(-1);
        let is_lost = self.pool.eq(term, lost_mark);
        let known = self.branch_hidden(is_lost, span);
        let join = self.new_label();
        let zero = self.num(0);
        let is_null = self.pool.eq(addr, zero);
        let some = self.branch_hidden(is_null, span);
        self.assign(result, zero, span);
        self.jump(vec![join], span);
        self.otherwise_hidden(some, is_null, span);
        let (inside, outside) = (self.new_label(), self.new_label());
        self.jump(vec![inside, outside], span);
        self.place_label(inside, span);
        self.havoc(vec![result], Nondet::Choice, span);
        let (alive, sizes) = (self.alloc(), self.size_ghost());
        let (alive, sizes) = (self.program.term(alive), self.program.term(sizes));
        let (state, size) = (self.pool.select(alive, term), self.pool.select(sizes, term));
        let dead = self.pool.eq(state, zero);
        let end = self.add2(term, size);
        let (lives, begins, ends) = (self.pool.not(dead), self.le(term, addr), self.le(addr, end));
        let is_inside = self.pool.and(&[lives, begins, ends]);
        self.assume_undefined(is_inside, span);
        self.jump(vec![join], span);
        // An address where nothing lives is the start of no object.
        self.place_label(outside, span);
        let what = "the object behind a pointer made of bytes or an integer";
        self.havoc(vec![result], Nondet::Overapproximation(what.into()), span);
        self.note_imprecise(what, span);
        let nowhere = self.pool.eq(term, addr);
        self.assume_undefined(nowhere, span);
        self.jump(vec![join], span);
        self.otherwise_hidden(known, is_lost, span);
        self.place_label(join, span);
        term
    }

    fn store_bytes(&mut self, loc: &Loc, ty: Ty, value: &Val, span: Span) -> R<()> {
        let Loc::Mem { ptr, node, bits, .. } = loc else { return internal(span, "bytes") };
        let (start, width) = match (bits, self.byte_size(ty.id)) {
            (Some(bits), _) => self.bit_place(*bits),
            (None, Some(size)) => (0, 8 * size as u32),
            (None, None) => return unsupported(span, "a floating number that is also seen as bytes"),
        };
        let size = (start + width).div_ceil(8);
        let (ptr, node) = (*ptr, *node);
        let mut v = self.int_of(value);
        if self.format(ty.id) == Some(EXTENDED) {
            v.term = self.x87_bits(v.term);
        }
        let leaf = self.byte_region(node);
        if let Some(bases) = leaf.base {
            let mut array = self.program.term(bases);
            let lost = self.num(-1);
            let base = match value {
                Val::Ptr(PtrVal { base: Some(base), .. }) => *base,
                Val::Int(_) if size == 1 => self.context.copied_origin.unwrap_or(lost),
                _ => lost,
            };
            for i in 0..size as i128 {
                let offset = self.num(i);
                let address = self.add2(ptr.addr, offset);
                array = self.pool.store(array, address, base);
            }
            self.assign(bases, array, span);
        }
        if let Some(init) = leaf.init {
            if bits.is_some() {
                self.note_unsound("which bits of a byte are initialised", span);
            }
            let (mut array, set) = (self.program.term(init), self.num(initialised::SET));
            for i in 0..size as i128 {
                let offset = self.num(i);
                let address = self.add2(ptr.addr, offset);
                array = self.pool.store(array, address, set);
            }
            self.emit_hidden(InstrKind::Stmt(ir::Stmt::Assign(vec![(init, array)])), span);
        }
        let old = self.program.term(leaf.value);
        let mut array = old;
        for i in 0..size {
            let offset = self.num(i as i128);
            let address = self.add2(ptr.addr, offset);
            let (from, to) = byte_part(i as usize, start, width);
            // Bits of a bit-field may have any sign here: only their low ones are taken.
            let shifted = self.shift_down(v.term, 8 * i + from - start);
            let mut byte = self.low_bits(shifted, to - from);
            if to - from < 8 {
                // The rest of the byte keeps its value.
                let before = self.pool.select(old, address);
                let fact = self.in_range(before, 0, 255);
                self.assume_fact(fact, span);
                byte = self.shift_up(byte, from);
                let below = if from > 0 { self.low_bits(before, from) } else { self.num(0) };
                let above = self.shift_down(before, to);
                let above = self.shift_up(above, to);
                byte = self.sum(&[byte, below, above]);
            }
            array = self.pool.store(array, address, byte);
        }
        self.assign(leaf.value, array, span);
        Ok(())
    }

    // ----- whole objects -----

    /// Any value of a scalar or record type.
    pub fn arbitrary(&mut self, ty: TypeId, why: Nondet, span: Span) -> R<Val> {
        if ty == TypeId::VOID {
            return Ok(Val::Void);
        }
        if self.unit.types.is_record(ty) {
            let mut values = Vec::new();
            for (_, ty, _) in self.scalars(ty)? {
                values.push(self.arbitrary(ty.id, why.clone(), span)?);
            }
            return Ok(Val::Record(Rc::new(values)));
        }
        let var = self.number_temp();
        let mut vars = vec![var];
        let base = self.needs_base(ty).then(|| self.number_temp());
        vars.extend(base);
        self.havoc(vars, why, span);
        let term = self.program.term(var);
        let base = base.map(|b| self.program.term(b));
        let value = self.value_from_terms(ty, term, base);
        if self.unit.types.is_pointer(ty) {
            let zero = self.num(0);
            let fact = self.ge(term, zero);
            self.assume_fact(fact, span);
        }
        if let (Val::Float(bits), Some(format)) = (&value, self.format(ty)) {
            let fact = self.in_range(*bits, 0, (1i128 << format.width()) - 1);
            self.assume_fact(fact, span);
        }
        self.assume_leaf_range(var, ty, span);
        Ok(self.with_range(value, ty, None, false, span))
    }

    /// Makes an object's contents arbitrary, as those of an uninitialised local are.
    pub fn forget_object(&mut self, var: VarId, span: Span) -> R<()> {
        let ty = self.unit.vars[var].ty;
        if !self.in_memory(var) {
            let mut leaves = Vec::new();
            self.plain_leaves(ty, &mut Vec::new(), false, &mut leaves);
            let mut vars = Vec::new();
            let mut ranged = Vec::new();
            for (path, in_array, leaf_ty) in leaves {
                let leaf = self.plain_leaf(var, &path);
                vars.push(leaf.value);
                vars.extend(leaf.base);
                if let Some(init) = leaf.init {
                    let unset = self.init_term(init, initialised::UNSET);
                    self.emit_hidden(InstrKind::Stmt(ir::Stmt::Assign(vec![(init, unset)])), span);
                }
                if !in_array {
                    ranged.push((leaf.value, leaf_ty));
                }
            }
            if vars.is_empty() {
                return Ok(());
            }
            self.emit_hidden(InstrKind::Stmt(ir::Stmt::Havoc(vars, Nondet::Choice)), span);
            for (var, ty) in ranged {
                self.assume_leaf_range(var, ty.id, span);
            }
            return Ok(());
        }
        if self.needs_fresh_address(var) {
            if self.mode.check_uninitialised && self.begins_at_entry(var) {
                self.forget_written(var, span)?;
            }
            // Fresh memory has never been written.
            return Ok(());
        }
        let loc = self.var_loc(var, span)?;
        if self.is_bytes(&loc)
            && let (Loc::Mem { ptr, node, .. }, Some(size)) = (&loc, self.unit.types.size_of(ty.id))
            && size <= MAX_SCALARS as u64
        {
            // What lies between the members is arbitrary too.
            let uchar = Ty::plain(TypeId::UCHAR);
            for i in 0..size {
                let offset = self.num(i as i128);
                let addr = self.add2(ptr.addr, offset);
                let byte = Loc::Mem { ptr: PtrVal { addr, ..*ptr }, node: *node, position: None, bits: None };
                let value = self.arbitrary(TypeId::UCHAR, Nondet::Choice, span)?;
                self.store_initial(&byte, uchar, &value, span)?;
            }
            return Ok(());
        }
        for (path, _, _) in self.scalars(ty.id)? {
            let (part, part_ty) = self.walk_path(loc.clone(), ty, &path, span)?;
            let value = self.arbitrary(part_ty.id, Nondet::Choice, span)?;
            self.store(&part, part_ty, &value, span)?;
        }
        Ok(())
    }

    /// Initialises an object; `zeroed` if it is known to be all zero already.
    pub fn initialise(&mut self, var: VarId, init: &Init, zeroed: bool, span: Span) -> R<()> {
        let ty = self.unit.vars[var].ty;
        if let [item] = &init.items[..]
            && item.path.is_empty()
        {
            if let ExprKind::Load(place) = &item.value.kind
                && self.unit.types.is_record(ty.id)
                && self.mode.check_uninitialised
            {
                let (from, to) = (self.place(place)?, self.var_loc(var, span)?);
                if self.copies_ghosts(&to, &from) {
                    return self.copy_record(&to, &from, ty, span);
                }
            }
            let value = self.expr(&item.value)?;
            let loc = self.var_loc(var, span)?;
            return self.store(&loc, ty, &value, span);
        }
        // Evaluate before zeroing: an initialiser may mention the object itself.
        if init.zero_rest && !zeroed {
            self.zero_object(var, init, span)?;
        }
        let items: Vec<&InitItem> = init
            .items
            .iter()
            .filter(|i| !(zeroed || init.zero_rest) || !matches!(i.value.kind, ExprKind::Int(0)))
            .collect();
        if items.len() > MAX_ITEMS {
            return unsupported(span, "an initialiser this large");
        }
        for item in items {
            let value = self.expr(&item.value)?;
            let loc = self.var_loc(var, span)?;
            let (part, part_ty) = self.walk_path(loc, ty, &item.path, span)?;
            self.store_initial(&part, part_ty, &value, span)?;
        }
        Ok(())
    }

    /// A store by an initialiser, which is always inside its object.
    pub(super) fn store_initial(&mut self, loc: &Loc, ty: Ty, value: &Val, span: Span) -> R<()> {
        let checked = std::mem::replace(&mut self.context.unchecked_access, true);
        let result = self.store(loc, ty, value, span);
        self.context.unchecked_access = checked;
        result
    }

    /// Sets an object to zero (null, 0.0).
    pub fn zero_object(&mut self, var: VarId, _init: &Init, span: Span) -> R<()> {
        let ty = self.unit.vars[var].ty;
        let zero = self.num(0);
        if !self.in_memory(var) {
            let mut leaves = Vec::new();
            self.plain_leaves(ty, &mut Vec::new(), false, &mut leaves);
            let mut list = Vec::new();
            for (path, _, _) in leaves {
                let leaf = self.plain_leaf(var, &path);
                for v in [Some(leaf.value), leaf.base].into_iter().flatten() {
                    let sort = self.program.vars[v].sort;
                    let value = if sort == self.word.sort { zero } else { self.pool.const_array(sort, zero) };
                    list.push((v, value));
                }
                if let Some(init) = leaf.init {
                    list.push((init, self.init_term(init, initialised::SET)));
                }
            }
            if !list.is_empty() {
                self.emit(InstrKind::Stmt(ir::Stmt::Assign(list)), span);
            }
            return Ok(());
        }
        let loc = self.var_loc(var, span)?;
        let Loc::Mem { ptr, node, .. } = &loc else { return internal(span, "not in memory") };
        let size = self.size_value(ty.id, span)?;
        self.zero_memory(*ptr, *node, size, Some(ty), span)
    }

    /// Sets a stretch of memory to zero bytes. With a type of exactly that size, scalar by scalar.
    pub fn zero_memory(&mut self, ptr: PtrVal, node: NodeId, size: IntVal, ty: Option<Ty>, span: Span) -> R<()> {
        let exact =
            ty.filter(|t| self.unit.types.size_of(t.id).map(|s| s as i128) == Some(size.lo) && size.lo == size.hi);
        if let Some(ty) = exact
            && let Ok(scalars) = self.scalars(ty.id)
            && scalars.len() <= FEW_SCALARS
            && !self.has_union(ty.id)
        {
            let loc = self.deref_loc(ptr, node, ty.id);
            for (path, _, _) in scalars {
                let (part, part_ty) = self.walk_path(loc.clone(), ty, &path, span)?;
                let zero = self.num(0);
                let zero = self.value_from_terms(part_ty.id, zero, Some(zero));
                self.store_initial(&part, part_ty, &zero, span)?;
            }
            return Ok(());
        }
        let zero = self.int_const(0);
        self.fill_memory(ptr.addr, node, size, zero, span)
    }

    /// The scalar of so many bytes that are all the same, one of 0 to 255.
    fn repeated(&mut self, byte: IntVal, width: u32, signed: bool) -> TermId {
        if byte.lo < byte.hi {
            let ones = (0..width).map(|k| 1i128 << (8 * k)).sum();
            let ones = self.num(ones);
            let value = self.mul2(byte.term, ones);
            return if signed { self.low_bits_signed(value, 8 * width) } else { value };
        }
        let value = (0..width).fold(0u128, |value, k| value | (byte.lo as u128) << (8 * k));
        if signed && value >> (8 * width - 1) & 1 == 1 {
            let above = if width < 16 { u128::MAX << (8 * width) } else { 0 };
            return self.num((value | above) as i128);
        }
        self.unsigned_num(value)
    }

    /// Sets every byte of a stretch of memory: cell by cell if there are few, else by a loop over its addresses.
    pub fn fill_memory(&mut self, addr: TermId, node: NodeId, size: IntVal, byte: IntVal, span: Span) -> R<()> {
        let (arrays, step) = self.bulk_arrays(node, span)?;
        let Val::Int(size) = self.snapshot(Val::Int(size), span) else { return internal(span, "size") };
        let Val::Int(byte) = self.snapshot(Val::Int(byte), span) else { return internal(span, "byte") };
        let (zero, lost) = (self.num(0), self.num(-1));
        let is_zero = self.pool.eq(byte.term, zero);
        let mut cells = Vec::new();
        for (leaf, width, signed) in &arrays {
            if *width > 8 && is_zero != TermId::TRUE && (byte.lo != byte.hi || self.is_float_cell(node, *width)) {
                return unsupported(span, "memset of cells with more than 8 bytes");
            }
            let value = self.repeated(byte, *width as u32, *signed);
            // A null pointer has base 0; other bit patterns are not pointers.
            let base_value = self.pool.ite(is_zero, zero, lost);
            cells.push((leaf.value, value));
            cells.extend(leaf.base.map(|b| (b, base_value)));
            let one = self.num(1);
            cells.extend(leaf.init.map(|i| (i, one)));
        }
        let is_few = size.lo == size.hi && size.lo / step * cells.len() as i128 <= FEW_SCALARS as i128;
        if is_few {
            let watch = self.begin_bulk(addr, node, size.lo, step, true, span);
            let mut list = Vec::new();
            for &(v, value) in &cells {
                let mut array = self.program.term(v);
                for i in (0..size.lo).step_by(step as usize) {
                    let offset = self.num(i);
                    let address = self.add2(addr, offset);
                    array = self.pool.store(array, address, value);
                }
                list.push((v, array));
            }
            if !list.is_empty() {
                self.emit_hidden(InstrKind::Stmt(ir::Stmt::Assign(list)), span);
            }
            self.end_access(watch, span);
        } else {
            self.race_of_cells(addr, node, size, step, true, span);
            self.bulk_loop(size, step, true, span, |this, i| {
                let address = this.add2(addr, i);
                cells
                    .iter()
                    .map(|&(v, value)| {
                        let old = this.program.term(v);
                        (v, this.pool.store(old, address, value))
                    })
                    .collect()
            });
        }
        Ok(())
    }

    /// Runs a step for every address of a stretch of memory, upwards or downwards.
    fn bulk_loop(
        &mut self,
        size: IntVal,
        step: i128,
        upwards: bool,
        span: Span,
        mut body: impl FnMut(&mut Self, TermId) -> Vec<(ir::VarId, TermId)>,
    ) {
        let i = self.number_temp();
        let (zero, step) = (self.num(0), self.num(step));
        self.assign(i, if upwards { zero } else { size.term }, span);
        let head = self.new_label();
        self.place_label(head, span);
        let i_term = self.program.term(i);
        let more = if upwards { self.lt(i_term, size.term) } else { self.gt(i_term, zero) };
        let done = self.branch_hidden(more, span);
        let below = self.minus(i_term, step);
        let mut list = body(self, if upwards { i_term } else { below });
        let next = if upwards { self.add2(i_term, step) } else { below };
        list.push((i, next));
        self.emit_hidden(InstrKind::Stmt(ir::Stmt::Assign(list)), span);
        self.jump(vec![head], span);
        self.otherwise_hidden(done, more, span);
    }

    fn is_float_cell(&self, node: NodeId, width: u64) -> bool {
        self.alias.kinds(node).contains(&Kind::Float(width))
    }

    /// Copies a stretch of memory. Where the stretches may overlap, in the direction that keeps what is still to be
    /// read.
    pub fn copy_memory(
        &mut self,
        to: TermId,
        from: TermId,
        node: NodeId,
        size: IntVal,
        may_overlap: bool,
        span: Span,
    ) -> R<()> {
        let (arrays, step) = self.bulk_arrays(node, span)?;
        let Val::Int(size) = self.snapshot(Val::Int(size), span) else { return internal(span, "size") };
        let cells: Vec<ir::VarId> = arrays.iter().flat_map(|(leaf, _, _)| leaf.variables()).collect();
        let inits: Vec<ir::VarId> = arrays.iter().filter_map(|(leaf, _, _)| leaf.init).collect();
        let copied = |this: &mut Self, v: ir::VarId, source: TermId| match inits.contains(&v) {
            true => this.copied_init(v, Some(source), true),
            false => {
                let old = this.program.term(v);
                this.pool.select(old, source)
            }
        };
        let is_few = size.lo == size.hi && size.lo / step * cells.len() as i128 <= FEW_SCALARS as i128;
        if is_few {
            let source = self.begin_bulk(from, node, size.lo, step, false, span);
            let target = self.begin_bulk(to, node, size.lo, step, true, span);
            let mut list = Vec::new();
            for &v in &cells {
                let old = self.program.term(v);
                let mut array = old;
                for i in (0..size.lo).step_by(step as usize) {
                    let offset = self.num(i);
                    let (target, source) = (self.add2(to, offset), self.add2(from, offset));
                    let value = copied(self, v, source);
                    array = self.pool.store(array, target, value);
                }
                list.push((v, array));
            }
            if !list.is_empty() {
                self.emit_hidden(InstrKind::Stmt(ir::Stmt::Assign(list)), span);
            }
            self.end_access(target, span);
            self.end_access(source, span);
            return Ok(());
        }
        self.race_of_cells(from, node, size, step, false, span);
        self.race_of_cells(to, node, size, step, true, span);
        let copy = |this: &mut Self, i: TermId| {
            let (target, source) = (this.add2(to, i), this.add2(from, i));
            cells
                .iter()
                .map(|&v| {
                    let (old, value) = (this.program.term(v), copied(this, v, source));
                    (v, this.pool.store(old, target, value))
                })
                .collect()
        };
        if may_overlap {
            let below = self.le(to, from);
            let otherwise = self.branch_hidden(below, span);
            self.bulk_loop(size, step, true, span, copy);
            let end = self.new_label();
            self.jump(vec![end], span);
            self.otherwise_hidden(otherwise, below, span);
            self.bulk_loop(size, step, false, span, copy);
            self.jump(vec![end], span);
            self.place_label(end, span);
        } else {
            self.bulk_loop(size, step, true, span, copy);
        }
        Ok(())
    }

    /// The arrays of a class with the width of their elements, and the step between them. Cells that hold no scalar's
    /// start may be written freely: they are never read.
    fn bulk_arrays(&mut self, node: NodeId, span: Span) -> R<(Vec<BulkArray>, i128)> {
        match self.alias.layout(node) {
            Layout::Bytes => Ok((vec![(self.byte_region(node), 1, false)], 1)),
            Layout::Fields => internal(span, "bytes of a class split by fields"),
            Layout::Kinds => {
                if self.alias.has_bit_fields(node) {
                    return unsupported(span, "bytes of a record with bit-fields");
                }
                let kinds = self.alias.kinds(node);
                let mut arrays = Vec::new();
                for &kind in &kinds {
                    let (width, signed) = match kind {
                        Kind::Int(n) => (n, self.alias.stored_signed(node, n)),
                        Kind::Pointer => (self.unit.types.pointer_size(), false),
                        Kind::Float(n) => (n, false),
                        Kind::VaList => return unsupported(span, "bytes of a va_list"),
                    };
                    arrays.push((self.region(node, RegionKey::Kind(kind), kind == Kind::Pointer), width, signed));
                }
                let step = match &arrays[..] {
                    [(_, width, _)] => *width as i128,
                    _ => 1,
                };
                Ok((arrays, step))
            }
        }
    }

    pub fn branch_hidden(&mut self, condition: TermId, span: Span) -> ir::LabelId {
        let (yes, no) = (self.new_label(), self.new_label());
        self.jump(vec![yes, no], span);
        self.place_label(yes, span);
        self.assume_hidden(condition, span);
        no
    }
    pub fn otherwise_hidden(&mut self, no: ir::LabelId, condition: TermId, span: Span) {
        self.place_label(no, span);
        let negated = self.pool.not(condition);
        self.assume_hidden(negated, span);
    }
    /// The way that a branch takes.
    fn assume_hidden(&mut self, condition: TermId, span: Span) {
        if condition != TermId::TRUE {
            self.emit_hidden(InstrKind::Stmt(ir::Stmt::Assume(condition)), span);
        }
    }

    /// Gives objects with static storage their first values.
    pub fn initialise_statics(&mut self) -> R<()> {
        let unit = self.unit;
        let mut done = rustc_hash::FxHashSet::default();
        loop {
            let mut progress = false;
            for &var in &unit.statics {
                if done.contains(&var) {
                    continue;
                }
                let in_memory = self.in_memory(var);
                let is_used = if in_memory {
                    self.memory.var_addresses.contains_key(&var)
                } else {
                    self.memory.plain.keys().any(|(v, _)| *v == var)
                };
                if !is_used {
                    continue;
                }
                progress = true;
                self.initialise_static_after(var, &mut done)?;
            }
            if !progress {
                return Ok(());
            }
        }
    }

    /// Initialises an object after those whose values its initialiser takes: compound literals.
    fn initialise_static_after(&mut self, var: VarId, done: &mut rustc_hash::FxHashSet<VarId>) -> R<()> {
        if !done.insert(var) {
            return Ok(());
        }
        for item in self.unit.vars[var].init.iter().flat_map(|init| &init.items) {
            if let Some(first) = static_value(self.unit, &item.value) {
                self.initialise_static_after(first, done)?;
            }
        }
        self.initialise_static(var, self.in_memory(var))
    }

    fn initialise_static(&mut self, var: VarId, in_memory: bool) -> R<()> {
        // There are no threads yet, and constants get their values like other objects.
        let outer = std::mem::replace(&mut self.threads.before_threads, true);
        let checked = std::mem::replace(&mut self.context.unchecked_access, true);
        let result = self.initialise_static_alone(var, in_memory);
        self.context.unchecked_access = checked;
        self.threads.before_threads = outer;
        result
    }

    /// The standard streams are open from the start.
    fn open_standard_stream(&mut self, var: VarId, span: Span) -> R<()> {
        const SIZE: i128 = 512;
        let address = self.memory.next_address;
        self.memory.next_address = (address + SIZE + 31) / 16 * 16;
        let addr = self.num(address);
        if self.mode.check_memsafety {
            let (alloc, sizes) = (self.alloc(), self.size_ghost());
            self.set_entry(alloc, addr, 1, span);
            self.set_entry(sizes, addr, SIZE, span);
        }
        let stream = Val::Ptr(PtrVal { addr, base: self.mode.check_memsafety.then_some(addr) });
        let loc = self.var_loc(var, span)?;
        self.store(&loc, self.unit.vars[var].ty, &stream, span)
    }

    /// The pointers in an external object point to where external pointers do.
    fn foreign_pointers(&mut self, var: VarId, span: Span) -> R<()> {
        let (ty, name) = (self.unit.vars[var].ty, self.unit.vars[var].name.clone());
        if !super::alias::holds_pointer_type(&self.unit.types, ty.id) {
            return Ok(());
        }
        let is_pointer = |this: &Self, scalar: &Scalar| this.unit.types.is_pointer(scalar.1.id);
        let pointers: Vec<Scalar> = match self.scalars(ty.id) {
            Ok(scalars) => scalars.into_iter().filter(|s| is_pointer(self, s)).collect(),
            Err(_) => Vec::new(),
        };
        if pointers.is_empty() || pointers.len() > MAX_FOREIGN_POINTERS {
            let mark = self.number_temp();
            self.havoc(vec![mark], Nondet::Overapproximation(format!("where the pointers in {name} point")), span);
            return Ok(());
        }
        let node = self.alias.var_node(var);
        let target = self.alias.pointed_to(node);
        for (path, part, _) in pointers {
            let value = self.pointer_from_outside(part.id, target, &name, self.mode.check_unreach, span)?;
            let loc = self.var_loc(var, span)?;
            let (loc, part) = self.walk_path(loc, ty, &path, span)?;
            self.store(&loc, part, &value, span)?;
        }
        Ok(())
    }

    fn initialise_static_alone(&mut self, var: VarId, in_memory: bool) -> R<()> {
        let data = &self.unit.vars[var];
        let span = data.span;
        if in_memory && self.mode.check_memsafety {
            let ptr = self.var_pointer(var, span)?;
            let size = self.size_value(data.ty.id, span)?;
            let state = if self.is_constant_object(var) { CONSTANT_OBJECT } else { 1 };
            self.set_object(ptr.addr, state, size, span);
        }
        if data.storage == (Storage::Static { defined: false }) {
            if super::alias::is_standard_stream(&data.name) && self.unit.types.is_pointer(data.ty.id) {
                return self.open_standard_stream(var, span);
            }
            if data.is_weak {
                return unsupported(span, "a weak object without a definition, which may not be there");
            }
            // An external object: arbitrary contents.
            self.note_assumption(format!("extern object {}: any value", data.name), span);
            let node = self.alias.var_node(var);
            if in_memory && !self.alias.is_dynamic(node) {
                return unsupported(span, "an extern object among objects that are zero");
            }
            if !in_memory {
                self.forget_object(var, span)?;
            }
            return self.foreign_pointers(var, span);
        }
        let node = self.alias.var_node(var);
        let zeroed = in_memory && !self.alias.is_dynamic(node);
        let empty = Init { items: Vec::new(), zero_rest: true };
        let init = data.init.as_ref().unwrap_or(&empty);
        if !zeroed && init.items.is_empty()
            || !zeroed && !init.zero_rest && init.items.iter().any(|i| !i.path.is_empty())
        {
            self.zero_object(var, init, span)?;
            return Ok(());
        }
        self.initialise(var, init, zeroed, span)
    }
}

/// The object with static storage whose value an expression is, perhaps converted.
fn static_value(unit: &Unit, e: &Expr) -> Option<VarId> {
    match &e.kind {
        ExprKind::Convert(inner) => static_value(unit, inner),
        ExprKind::Load(place) => {
            let mut place = place;
            loop {
                match &place.kind {
                    PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => place = base,
                    PlaceKind::Var(var) => {
                        return matches!(unit.vars[*var].storage, Storage::Static { .. }).then_some(*var);
                    }
                    PlaceKind::Deref(_) | PlaceKind::Temp(_) | PlaceKind::Compound(..) => return None,
                }
            }
        }
        _ => None,
    }
}

/// Which bits of byte `i` belong to the `width` bits that begin at bit `start` of the first byte.
fn byte_part(i: usize, start: u32, width: u32) -> (u32, u32) {
    let first = 8 * i as u32;
    let from = start.max(first) - first;
    let to = (start + width).min(first + 8) - first;
    (from, to)
}

fn signed_twin(kind: IntKind, signed: bool) -> IntKind {
    use IntKind::*;
    if !signed {
        return if kind == Bool { UChar } else { kind.unsigned() };
    }
    match kind {
        Bool | Char | SChar | UChar => SChar,
        Short | UShort => Short,
        Int | UInt => Int,
        Long | ULong => Long,
        LongLong | ULongLong => LongLong,
        Int128 | UInt128 => Int128,
        Bits { width, .. } => Bits { signed: true, width },
    }
}
