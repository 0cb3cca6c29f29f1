//! Which pointers may point to the same objects, and how each group of objects is laid out in memory.
//!
//! Unification-based points-to analysis (Steensgaard, POPL 1996), field-insensitive, over the
//! functions that can be reached. Every object belongs to a *class*; every pointer points into one. Two
//! accesses can touch the same bytes only if their classes are equal, so each class gets memory of its own.
//!
//! Within a class the way memory is split depends on how it is seen ([`Layout`]):
//! * `Fields`: only as whole records of the type they were made as, and the address of a member is never taken: one
//!   array for each leaf of each record type, indexed by the record's address (Burstall's model).
//! * `Kinds`: all views agree on which scalar kind lies where: one array for each kind.
//! * `Bytes`: views disagree (unions, casts that reinterpret): an array of bytes, exact but slow.
//!
//! Integers as wide as a pointer may carry one, so they take part in the analysis like pointers; where some pointers
//! are seen as bytes, the analysis is done again with integers of all widths.
//!
//! Invariant: walking an expression a second time unifies nothing new; lowering asks for classes by
//! walking again.

use base::{IdVec, Span};
use rustc_hash::{FxHashMap, FxHashSet};

mod retyped;

use super::fresh;
use crate::hir::*;
use crate::library::{self, Argument, Extent, LibraryFunction, Model, Returns};
use crate::types::{ArrayLen, Field, Ty, Type, TypeId, Types};

base::define_id!(
    /// An object group before unification; [`Alias::find`] gives its class.
    NodeId, "n"
);

/// The kind of site where a number becomes a pointer.
const NUMBER_SITE: u8 = 3;

/// What a scalar access sees; accesses of different kinds use different arrays.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// An integer of this size in bytes, signed or unsigned: both share one array.
    Int(u64),
    Pointer,
    /// A floating-point number of this size in bytes.
    Float(u64),
    VaList,
}

impl Kind {
    /// What arrays of such scalars are called.
    pub fn name(self) -> String {
        match self {
            Kind::Int(n) => format!("int{n}"),
            Kind::Pointer => "pointer".to_string(),
            Kind::Float(n) => format!("float{n}"),
            Kind::VaList => "va_list".to_string(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    Fields,
    Kinds,
    Bytes,
}

/// A copy or a fill of bytes: what the pointers point to, as far as they have a type, what the number of
/// bytes is visibly a multiple of, and the number itself if it is a constant.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Bulk {
    view: Option<TypeId>,
    source: Option<TypeId>,
    /// All bytes get one value.
    is_fill: bool,
    multiple: u64,
    exact: Option<u64>,
}

impl Bulk {
    /// Of a whole block from its start.
    const BLOCK: Bulk = Bulk { view: None, source: None, is_fill: false, multiple: 0, exact: None };
}

#[derive(Default, Clone)]
struct Node {
    parent: Option<NodeId>,
    points_to: Option<NodeId>,
    /// Types of objects: declared, or what a fresh `void *` was converted to.
    created: Vec<TypeId>,
    /// Types that some other `void *` or integer was converted back to.
    restored: Vec<TypeId>,
    /// Conversions from one object pointer to another.
    reinterpreted: Vec<(TypeId, TypeId)>,
    /// Kinds accessed through a pointer to a scalar.
    scalar_accesses: Vec<Kind>,
    /// Kinds of scalars, members included, whose address was taken.
    scalar_addresses: Vec<Kind>,
    /// Integer accesses: (size, signed).
    int_accesses: Vec<(u64, bool)>,
    /// The address of a member or of an array in a record was taken.
    interior: bool,
    /// Copies and fills of bytes.
    bulk: Vec<Bulk>,
    /// A pointer without a type (`void *`) was moved by bytes.
    stepped: bool,
    /// The greatest number of bytes that all moves of pointers are visibly multiples of; 0 if there are none.
    step: u64,
    /// Some pointer into the class may be the end of its object.
    ends: bool,
    /// Some object is on the heap or the stack: fresh memory of the class has any contents.
    dynamic: bool,
    /// Some object was made outside of the program, and so was what it points to.
    foreign: bool,
    /// Pointers into the class came from functions without body, or from whoever called the entry point.
    outside: bool,
    /// The outside knows the address of some object of the class, or can name it.
    escaped: bool,
    /// Written through pointers to characters.
    written_as_bytes: bool,
    /// The types of records that pointers into the class were followed to.
    records: Vec<TypeId>,
    /// Some object is on the heap.
    heap: bool,
    /// Some object is used as a lock.
    lock: bool,
    /// Some access has an atomic type.
    atomic: bool,
    /// A pointer into the class was converted between an atomic type and another one.
    atomic_converted: bool,
    /// A pointer into the class was converted from an integer that is not a constant.
    made_of_number: bool,
}

pub struct Alias<'a> {
    pub unit: &'a Unit,
    nodes: IdVec<NodeId, Node>,
    var_nodes: FxHashMap<VarId, NodeId>,
    ret_nodes: FxHashMap<FuncId, NodeId>,
    func_nodes: FxHashMap<FuncId, NodeId>,
    site_nodes: FxHashMap<(Span, u8), NodeId>,
    /// Functions an indirect call may reach.
    address_taken: Vec<FuncId>,
    /// Pointers may move byte by byte, so integers of any width may carry a part of one.
    parts_carry: bool,
    /// The function whose body is being walked; statement expressions may return from it.
    pub current: FuncId,
    layouts: FxHashMap<NodeId, Layout>,
    /// What variable arguments may point to.
    arguments: Option<NodeId>,
    /// The objects that functions of the library return pointers to, by function.
    own_nodes: FxHashMap<&'static str, NodeId>,
    /// Some pointer may be any at all: objects need not have escaped to be what it points to.
    any_pointer: bool,
    /// Variables whose address is taken, so that they live in memory.
    pub addressed: FxHashSet<VarId>,
    /// Locals that are declared without a value.
    unset: FxHashSet<VarId>,
    /// An integer that may carry a pointer is made narrower.
    narrows_pointers: bool,
    /// An integer that is not a constant is converted to a pointer.
    makes_pointers: bool,
    /// The functions with a body that return new objects.
    fresh: FxHashSet<FuncId>,
}

pub fn kind_of(types: &Types, ty: TypeId) -> Option<Kind> {
    Some(match types.get(ty) {
        Type::Int(kind) => Kind::Int(types.int_size(*kind)),
        Type::Float(_) => Kind::Float(types.size_of(ty)?),
        Type::Pointer(_) => Kind::Pointer,
        Type::VaList => Kind::VaList,
        Type::Void | Type::Array(..) | Type::Function(_) | Type::Record(_) => return None,
    })
}

impl<'a> Alias<'a> {
    /// The analysis of a program that starts in one of the `entries`.
    pub fn new(unit: &'a Unit, entries: &[FuncId], reachable: &[FuncId], address_taken: Vec<FuncId>) -> Alias<'a> {
        let usual = Alias::walk(unit, entries, reachable, address_taken.clone(), false);
        if usual.narrows_pointers && usual.makes_pointers || usual.sees_parts_of_pointers() {
            Alias::walk(unit, entries, reachable, address_taken, true)
        } else {
            usual
        }
    }

    fn walk(
        unit: &'a Unit,
        entries: &[FuncId],
        reachable: &[FuncId],
        address_taken: Vec<FuncId>,
        parts_carry: bool,
    ) -> Alias<'a> {
        let mut this = Alias {
            unit,
            nodes: IdVec::new(),
            var_nodes: FxHashMap::default(),
            ret_nodes: FxHashMap::default(),
            func_nodes: FxHashMap::default(),
            site_nodes: FxHashMap::default(),
            address_taken,
            parts_carry,
            current: FuncId(0),
            layouts: FxHashMap::default(),
            arguments: None,
            own_nodes: FxHashMap::default(),
            any_pointer: false,
            addressed: FxHashSet::default(),
            unset: FxHashSet::default(),
            narrows_pointers: false,
            makes_pointers: false,
            fresh: fresh::functions(unit, reachable),
        };
        for &var in &unit.statics {
            if let Some(init) = &unit.vars[var].init {
                let node = this.var_node(var);
                this.init(node, init);
            }
        }
        for &func in reachable {
            if let Some(body) = &unit.funcs[func].body {
                this.current = func;
                this.stmts(body, func);
            }
        }
        this.start_in(entries);
        this.link_outside();
        this.note_retyped_pointers();
        this
    }

    // ----- union-find -----

    fn fresh(&mut self) -> NodeId {
        self.nodes.push(Node::default())
    }
    pub fn find(&self, mut node: NodeId) -> NodeId {
        while let Some(parent) = self.nodes[node].parent {
            node = parent;
        }
        node
    }
    fn unify(&mut self, a: NodeId, b: NodeId) {
        let mut work = vec![(a, b)];
        while let Some((a, b)) = work.pop() {
            let (a, b) = (self.find(a), self.find(b));
            if a == b {
                continue;
            }
            // The older node stays, so that classes are numbered in order of appearance.
            let (keep, drop) = if a < b { (a, b) } else { (b, a) };
            let old = std::mem::take(&mut self.nodes[drop]);
            self.nodes[drop].parent = Some(keep);
            let node = &mut self.nodes[keep];
            for ty in old.created {
                push_new(&mut node.created, ty);
            }
            for ty in old.restored {
                push_new(&mut node.restored, ty);
            }
            for pair in old.reinterpreted {
                push_new(&mut node.reinterpreted, pair);
            }
            for kind in old.scalar_accesses {
                push_new(&mut node.scalar_accesses, kind);
            }
            for kind in old.scalar_addresses {
                push_new(&mut node.scalar_addresses, kind);
            }
            for access in old.int_accesses {
                push_new(&mut node.int_accesses, access);
            }
            for bulk in old.bulk {
                push_new(&mut node.bulk, bulk);
            }
            node.interior |= old.interior;
            node.stepped |= old.stepped;
            node.step = gcd(node.step, old.step);
            node.ends |= old.ends;
            node.dynamic |= old.dynamic;
            node.foreign |= old.foreign;
            node.outside |= old.outside;
            node.escaped |= old.escaped;
            node.written_as_bytes |= old.written_as_bytes;
            node.heap |= old.heap;
            node.lock |= old.lock;
            node.atomic |= old.atomic;
            node.atomic_converted |= old.atomic_converted;
            node.made_of_number |= old.made_of_number;
            for ty in old.records {
                push_new(&mut node.records, ty);
            }
            match (node.points_to, old.points_to) {
                (Some(x), Some(y)) => work.push((x, y)),
                (None, Some(y)) => node.points_to = Some(y),
                _ => {}
            }
        }
    }
    /// The program starts in one of these functions: what their parameters point to comes from outside. Everything that
    /// can be reached from foreign objects may hold anything; zeros would be a guess.
    fn start_in(&mut self, entries: &[FuncId]) {
        let unit = self.unit;
        for &entry in entries {
            // The arguments of `main` are objects of their own.
            let is_outside = &*unit.funcs[entry].name != "main";
            for &param in &unit.funcs[entry].params {
                if self.may_carry_pointer(unit.vars[param].ty.id) {
                    let node = self.var_node(param);
                    let target = self.target(node);
                    self.nodes[target].foreign = true;
                    self.nodes[target].outside |= is_outside;
                }
            }
        }
        // What others have defined holds pointers of theirs, but for the standard streams.
        for &var in &unit.statics {
            let data = &unit.vars[var];
            let is_theirs = data.storage == Storage::Static { defined: false } && !is_standard_stream(&data.name);
            if is_theirs
                && holds_pointer_type(&unit.types, data.ty.id)
                && let Some(node) = self.known_node(var)
            {
                let target = self.target(node);
                self.nodes[target].foreign = true;
                self.nodes[target].outside = true;
            }
        }
        let foreign: Vec<NodeId> = self.nodes.iter().filter(|(_, n)| n.foreign).map(|(id, _)| id).collect();
        for node in foreign {
            let is_outside = self.nodes[self.find(node)].outside;
            for reached in self.reachable_from(node) {
                let reached = &mut self.nodes[reached];
                reached.foreign = true;
                reached.dynamic = true;
                reached.outside |= is_outside;
            }
        }
    }

    /// The class and all that its pointers lead to.
    pub fn reachable_from(&self, node: NodeId) -> Vec<NodeId> {
        let mut found = Vec::new();
        let mut next = Some(self.find(node));
        while let Some(node) = next.filter(|n| !found.contains(n)) {
            found.push(node);
            next = self.pointed_to(node);
        }
        found
    }

    /// A pointer from outside may lead to any object that the outside knows of and that has the type of the pointer, or
    /// a part of that type; so may two of them. Objects of the program that are named outside, or whose address was
    /// given away, are known there; a pointer that may be any at all may lead to the others, too.
    fn link_outside(&mut self) {
        let roots = |this: &Self, pred: &dyn Fn(&Node) -> bool| -> Vec<NodeId> {
            this.nodes.iter().filter(|(_, n)| n.parent.is_none() && pred(n)).map(|(id, _)| id).collect()
        };
        if roots(self, &|n| n.outside).is_empty() {
            return;
        }
        let mut globals = Vec::new();
        for &var in &self.unit.statics {
            let data = &self.unit.vars[var];
            let is_known = data.is_external || self.any_pointer && self.addressed.contains(&var);
            let is_fixed = data.is_string || data.ty.quals.is_const || is_standard_stream(&data.name);
            if let (true, false, Some(node)) = (is_known, is_fixed, self.known_node(var)) {
                globals.push((var, node));
                if let Some(target) = self.pointed_to(node) {
                    self.nodes[target].escaped = true;
                }
            }
        }
        for node in roots(self, &|n| n.escaped) {
            for reached in self.reachable_from(node) {
                self.nodes[reached].escaped = true;
            }
        }
        loop {
            let mut pairs = Vec::new();
            let outside = roots(self, &|n| n.outside);
            for (i, &pointers) in outside.iter().enumerate() {
                for &(var, node) in &globals {
                    let ty = self.unit.vars[var].ty.id;
                    let (node, is_plain) = (self.find(node), !self.addressed.contains(&var));
                    if (node != pointers || is_plain) && self.may_lead_to(pointers, ty) {
                        pairs.push((pointers, node, Some(var)));
                    }
                }
                let any_pointer = self.any_pointer;
                for object in roots(self, &|n| n.escaped || any_pointer) {
                    let types = self.nodes[object].created.clone();
                    if object != pointers && types.iter().any(|&ty| self.may_lead_to(pointers, ty)) {
                        pairs.push((pointers, object, None));
                    }
                }
                for &other in &outside[i + 1..] {
                    let leads = |from: NodeId, to: NodeId| self.views(to).iter().any(|&ty| self.may_lead_to(from, ty));
                    let is_same_kind = || {
                        let mine = &self.nodes[pointers].scalar_accesses;
                        mine.iter().any(|kind| self.nodes[other].scalar_accesses.contains(kind))
                    };
                    if leads(pointers, other) || leads(other, pointers) || is_same_kind() {
                        pairs.push((pointers, other, None));
                    }
                }
            }
            if pairs.is_empty() {
                return;
            }
            for (a, b, var) in pairs {
                if let Some(var) = var
                    && self.addressed.insert(var)
                {
                    let node = self.var_node(var);
                    self.note_object(node, var);
                }
                let is_written_as_bytes = self.nodes[self.find(a)].written_as_bytes;
                self.unify(a, b);
                if is_written_as_bytes {
                    // Character types may access any object.
                    let node = self.find(a);
                    push_new(&mut self.nodes[node].restored, TypeId::CHAR);
                }
            }
        }
    }

    /// The types that pointers into a class were given.
    fn views(&self, node: NodeId) -> Vec<TypeId> {
        let data = &self.nodes[self.find(node)];
        let types = &self.unit.types;
        let reinterpreted = data.reinterpreted.iter().flat_map(|(from, to)| [from, to]);
        let mut out = Vec::new();
        for &ty in data.created.iter().chain(&data.restored).chain(reinterpreted).chain(&data.records) {
            push_new(&mut out, strip(types, ty));
        }
        out
    }

    /// May pointers into a class lead to an object of this type? If they see it as what it is, or as a part of it;
    /// characters are seen in texts, and written everywhere; copies of bytes go anywhere.
    fn may_lead_to(&self, pointers: NodeId, object: TypeId) -> bool {
        let data = &self.nodes[self.find(pointers)];
        let types = &self.unit.types;
        data.written_as_bytes
            || !data.bulk.is_empty()
            || self.views(pointers).iter().any(|&view| has_part(types, object, view))
            || data.scalar_accesses.iter().any(|&kind| has_kind(types, object, kind))
    }

    /// What the pointers in an object point to, if anything is known of it.
    pub fn pointed_to(&self, node: NodeId) -> Option<NodeId> {
        self.nodes[self.find(node)].points_to.map(|target| self.find(target))
    }

    fn target(&mut self, node: NodeId) -> NodeId {
        let node = self.find(node);
        if let Some(target) = self.nodes[node].points_to {
            return self.find(target);
        }
        let target = self.fresh();
        self.nodes[node].points_to = Some(target);
        target
    }

    // ----- nodes of things -----

    /// The node of a variable that was mentioned.
    pub fn known_node(&self, var: VarId) -> Option<NodeId> {
        self.var_nodes.get(&var).map(|&node| self.find(node))
    }

    pub fn var_node(&mut self, var: VarId) -> NodeId {
        if let Some(&node) = self.var_nodes.get(&var) {
            return self.find(node);
        }
        let node = self.fresh();
        self.var_nodes.insert(var, node);
        // Unions live in memory even if their address is not taken.
        let ty = self.unit.vars[var].ty.id;
        if has_union(&self.unit.types, ty) {
            self.note_object(node, var);
        }
        node
    }
    /// The variable is an object in memory.
    fn note_object(&mut self, node: NodeId, var: VarId) {
        let node = self.find(node);
        let data = &self.unit.vars[var];
        let ty = data.ty.id;
        // An object that is defined elsewhere has any contents too.
        if !matches!(data.storage, Storage::Static { defined: true }) {
            self.nodes[node].dynamic = true;
        }
        push_new(&mut self.nodes[node].created, ty);
        self.note_access(node, ty);
    }
    fn ret_node(&mut self, func: FuncId) -> NodeId {
        if let Some(&node) = self.ret_nodes.get(&func) {
            return self.find(node);
        }
        let node = self.fresh();
        self.ret_nodes.insert(func, node);
        node
    }
    fn func_node(&mut self, func: FuncId) -> NodeId {
        if let Some(&node) = self.func_nodes.get(&func) {
            return self.find(node);
        }
        let node = self.fresh();
        self.func_nodes.insert(func, node);
        node
    }
    fn site_node(&mut self, span: Span, which: u8) -> NodeId {
        if let Some(&node) = self.site_nodes.get(&(span, which)) {
            return self.find(node);
        }
        let node = self.fresh();
        self.nodes[node].dynamic = true;
        self.site_nodes.insert((span, which), node);
        node
    }

    fn may_carry_pointer(&self, ty: TypeId) -> bool {
        match self.unit.types.get(ty) {
            Type::Pointer(_) | Type::Record(_) | Type::VaList => true,
            Type::Int(kind) => self.parts_carry || self.unit.types.int_size(*kind) >= self.unit.types.pointer_size(),
            // The bits of a part of one.
            Type::Float(_) => self.parts_carry,
            Type::Void | Type::Array(..) | Type::Function(_) => false,
        }
    }

    // ----- walking -----

    fn stmts(&mut self, stmts: &[Stmt], func: FuncId) {
        for stmt in stmts {
            self.stmt(stmt, func);
        }
    }

    fn stmt(&mut self, stmt: &Stmt, func: FuncId) {
        match &stmt.kind {
            StmtKind::Empty | StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue | StmtKind::Return(None) => {}
            StmtKind::Expr(e) | StmtKind::Cleanup(e) | StmtKind::ComputedGoto(e) => {
                self.value(e);
            }
            StmtKind::Decl(var, Some(init)) => {
                let node = self.var_node(*var);
                self.init(node, init);
            }
            StmtKind::Decl(var, None) => {
                self.unset.insert(*var);
            }
            StmtKind::Block(stmts) => self.stmts(stmts, func),
            StmtKind::If(c, then, otherwise) => {
                self.value(c);
                self.stmt(then, func);
                if let Some(otherwise) = otherwise {
                    self.stmt(otherwise, func);
                }
            }
            StmtKind::While(c, body) | StmtKind::DoWhile(body, c) => {
                self.value(c);
                self.stmt(body, func);
            }
            StmtKind::For { init, condition, step, body } => {
                self.stmts(init, func);
                for e in condition.iter().chain(step) {
                    self.value(e);
                }
                self.stmt(body, func);
            }
            StmtKind::Switch { value, body, .. } => {
                self.value(value);
                self.stmt(body, func);
            }
            StmtKind::Label(_, body) => self.stmt(body, func),
            StmtKind::Return(Some(e)) => {
                let value = self.value(e);
                let ret = self.ret_node(func);
                self.flow(ret, value);
            }
            StmtKind::Asm { outputs, inputs, is_empty, .. } => {
                // Any of what comes in may be what comes out, and what lies at a place that comes in may be pointed to.
                let gives_pointer = outputs.iter().any(|place| self.may_carry_pointer(place.ty.id));
                let mut given = Vec::new();
                for e in inputs {
                    given.extend(self.value(e));
                    if let ExprKind::Load(place) = &e.kind
                        && gives_pointer
                        && !is_empty
                    {
                        self.take_address(place);
                        given.push(self.place(place));
                    }
                }
                for place in outputs {
                    let node = self.place(place);
                    if self.may_carry_pointer(place.ty.id) {
                        for &value in &given {
                            self.flow(node, Some(value));
                            self.note_view(Some(value), place.ty.id);
                        }
                    }
                }
            }
        }
    }

    fn init(&mut self, node: NodeId, init: &Init) {
        for item in &init.items {
            let value = self.value(&item.value);
            self.flow(node, value);
        }
    }

    /// A value that may point into `value` is stored in an object of `node`.
    fn flow(&mut self, node: NodeId, value: Option<NodeId>) {
        if let Some(value) = value {
            let target = self.target(node);
            self.unify(target, value);
        }
    }

    /// The class of the object a place lies in.
    pub fn place(&mut self, place: &Place) -> NodeId {
        let node = self.object(place);
        if place.ty.quals.is_atomic {
            let node = self.find(node);
            self.nodes[node].atomic = true;
        }
        node
    }

    fn object(&mut self, place: &Place) -> NodeId {
        match &place.kind {
            PlaceKind::Var(var) => self.var_node(*var),
            PlaceKind::Deref(pointer) => {
                let node = self.value(pointer);
                let node = match node {
                    Some(node) => node,
                    None => self.site_node(place.span, 1),
                };
                let node = self.find(node);
                // Of an array of scalars, the elements are accessed.
                if let Some(kind) = kind_of(&self.unit.types, strip(&self.unit.types, place.ty.id)) {
                    push_new(&mut self.nodes[node].scalar_accesses, kind);
                } else if place.ty.id != TypeId::VOID {
                    push_new(&mut self.nodes[node].records, place.ty.id);
                }
                node
            }
            PlaceKind::Field(base, _) => self.place(base),
            PlaceKind::Index(base, index) => {
                self.value(index);
                self.place(base)
            }
            PlaceKind::Temp(e) => {
                let value = self.value(e);
                let node = self.site_node(place.span, 2);
                self.flow(node, value);
                node
            }
            PlaceKind::Compound(var, init) => {
                let node = self.var_node(*var);
                self.init(node, init);
                node
            }
        }
    }

    /// All scalars of an object of a type are stored.
    fn note_stored(&mut self, node: NodeId, ty: TypeId) {
        let unit = self.unit;
        self.note_access(node, ty);
        if let Some(kind) = kind_of(&unit.types, ty) {
            let node = self.find(node);
            push_new(&mut self.nodes[node].scalar_accesses, kind);
            self.nodes[node].written_as_bytes |= kind == Kind::Int(1);
        }
        if let Some(fields) = unit.types.fields(ty) {
            for field in fields.iter() {
                self.note_stored(node, field.ty.id);
            }
        }
        if let Some(elem) = unit.types.element(ty) {
            self.note_stored(node, elem.id);
        }
    }

    fn note_access(&mut self, node: NodeId, ty: TypeId) {
        if let Type::Int(kind) = self.unit.types.get(ty) {
            let access = (self.unit.types.int_size(*kind), kind.is_signed());
            let node = self.find(node);
            push_new(&mut self.nodes[node].int_accesses, access);
        }
        if let Some(fields) = self.unit.types.fields(ty) {
            for field in fields.iter() {
                self.note_access(node, field.ty.id);
            }
        }
        if let Some(elem) = self.unit.types.element(ty) {
            self.note_access(node, elem.id);
        }
    }

    fn note_write(&mut self, node: NodeId, place: &Place) {
        self.note_access(node, place.ty.id);
        let is_byte = kind_of(&self.unit.types, place.ty.id) == Some(Kind::Int(1));
        if is_byte && matches!(place.kind, PlaceKind::Deref(_)) {
            let node = self.find(node);
            self.nodes[node].written_as_bytes = true;
        }
    }

    fn take_address(&mut self, place: &Place) {
        let mut current = place;
        let mut through_field = false;
        loop {
            match &current.kind {
                PlaceKind::Var(var) | PlaceKind::Compound(var, _) => {
                    if self.addressed.insert(*var) {
                        let node = self.var_node(*var);
                        self.note_object(node, *var);
                    }
                    break;
                }
                PlaceKind::Field(base, _) => {
                    through_field = true;
                    current = base;
                }
                PlaceKind::Index(base, _) => current = base,
                PlaceKind::Deref(_) | PlaceKind::Temp(_) => break,
            }
        }
        if self.may_be_beyond(place) {
            let node = self.place(place);
            let node = self.find(node);
            self.nodes[node].ends = true;
        }
        let kind = kind_of(&self.unit.types, strip(&self.unit.types, place.ty.id));
        if !through_field && kind.is_none() {
            return;
        }
        let node = self.place(place);
        let node = self.find(node);
        self.nodes[node].interior |= through_field;
        if let Some(kind) = kind {
            push_new(&mut self.nodes[node].scalar_addresses, kind);
        }
    }

    /// May the index of a place be the length of its array? Nothing is there, but it has an address.
    fn may_be_beyond(&self, place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Index(base, index) => {
                let is_inside = match (&index.kind, self.unit.types.get(base.ty.id)) {
                    (ExprKind::Int(i), Type::Array(_, ArrayLen::Known(n))) => (0..i128::from(*n)).contains(i),
                    _ => false,
                };
                !is_inside || self.may_be_beyond(base)
            }
            PlaceKind::Field(base, _) => self.may_be_beyond(base),
            PlaceKind::Var(_) | PlaceKind::Deref(_) | PlaceKind::Temp(_) | PlaceKind::Compound(..) => false,
        }
    }

    /// What the value of an expression may point to. For records: what their pointers may point to.
    pub fn value(&mut self, e: &Expr) -> Option<NodeId> {
        match &e.kind {
            ExprKind::Int(_) | ExprKind::Float(_) => None,
            ExprKind::LabelAddr(_) => None,
            ExprKind::Func(func) => Some(self.func_node(*func)),
            ExprKind::Load(place) => {
                let node = self.place(place);
                self.note_access(node, place.ty.id);
                self.may_carry_pointer(e.ty).then(|| self.target(node))
            }
            ExprKind::AddrOf(place) => {
                let node = self.place(place);
                self.take_address(place);
                Some(self.find(node))
            }
            ExprKind::Unary(_, x) => self.value(x),
            ExprKind::Not(x) => {
                self.value(x);
                None
            }
            ExprKind::Binary(_, a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                self.join(a, b)
            }
            ExprKind::Compare(CmpOp::Eq | CmpOp::Ne, a, b) if self.may_be_unset(a) || self.may_be_unset(b) => {
                // An uninitialised pointer may be the address that it is compared with.
                let (a, b) = (self.value(a), self.value(b));
                self.join(a, b);
                None
            }
            ExprKind::Compare(_, a, b) | ExprKind::LogAnd(a, b) | ExprKind::LogOr(a, b) => {
                self.value(a);
                self.value(b);
                None
            }
            ExprKind::Cond(c, a, b) => {
                self.value(c);
                let (a, b) = (self.value(a), self.value(b));
                self.join(a, b)
            }
            ExprKind::Elvis { value, var, then, otherwise } => {
                let value = self.value(value);
                let node = self.var_node(*var);
                self.flow(node, value);
                let (a, b) = (self.value(then), self.value(otherwise));
                self.join(a, b)
            }
            ExprKind::Comma(a, b) => {
                self.value(a);
                self.value(b)
            }
            ExprKind::PtrAdd { ptr, index, size, negative } => {
                self.value(index);
                self.value(size);
                let node = self.value(ptr);
                self.note_step(node, ptr.ty, visible_step(index, size), is_forward(index, *negative));
                node
            }
            ExprKind::PtrDiff { left, right, size } => {
                self.value(left);
                self.value(right);
                self.value(size);
                None
            }
            ExprKind::Assign(place, value) => {
                let value = self.value(value);
                let node = self.place(place);
                self.note_write(node, place);
                self.flow(node, value);
                value
            }
            ExprKind::CompoundAssign { place, rhs, .. } => {
                let value = self.value(rhs);
                let node = self.place(place);
                self.note_write(node, place);
                self.flow(node, value);
                self.may_carry_pointer(e.ty).then(|| self.target(node))
            }
            ExprKind::PtrAssign { place, index, size, negative } => {
                self.value(index);
                self.value(size);
                let node = self.place(place);
                let target = self.target(node);
                self.note_step(Some(target), e.ty, visible_step(index, size), is_forward(index, *negative));
                Some(target)
            }
            ExprKind::IncDec { place, size, increment, .. } => {
                if let Some(size) = size {
                    self.value(size);
                }
                let node = self.place(place);
                self.note_write(node, place);
                let target = self.may_carry_pointer(e.ty).then(|| self.target(node));
                let step = size.as_deref().map_or(0, |size| visible_multiple(size, 0));
                self.note_step(target, e.ty, step, *increment);
                target
            }
            ExprKind::Call { callee, args } => self.call(e, callee, args),
            ExprKind::Convert(inner) => {
                let value = self.value(inner);
                let unit = self.unit;
                let is_number = |ty: TypeId| unit.types.int_kind(ty).is_some() && ty != TypeId::BOOL;
                self.narrows_pointers |= value.is_some() && is_number(e.ty) && !self.may_carry_pointer(e.ty);
                self.makes_pointers |=
                    self.unit.types.is_pointer(e.ty) && is_number(inner.ty) && !matches!(inner.kind, ExprKind::Int(_));
                if let Some(pointee) = self.unit.types.pointee(e.ty) {
                    let is_null = matches!(inner.kind, ExprKind::Int(_));
                    if pointee.id != TypeId::VOID && !self.unit.types.is_function(pointee.id) && !is_null {
                        let node = match value {
                            Some(node) => node,
                            None => self.site_node(e.span, NUMBER_SITE),
                        };
                        let node = self.find(node);
                        self.note_conversion(node, inner, pointee.id);
                        self.nodes[node].made_of_number |= is_number(inner.ty);
                        let before = self.unit.types.pointee(inner.ty).filter(|p| p.id != TypeId::VOID);
                        let changes = |p: Ty| p.quals.is_atomic != pointee.quals.is_atomic;
                        self.nodes[node].atomic_converted |= before.is_some_and(changes);
                        return Some(node);
                    }
                    return value;
                }
                if self.may_carry_pointer(e.ty) { value } else { None }
            }
            ExprKind::StmtExpr(stmts, value) => {
                let func = self.current;
                self.stmts(stmts, func);
                match value {
                    Some(value) => self.value(value),
                    None => None,
                }
            }
            ExprKind::VaArg(place) => {
                self.place(place);
                let node = self.may_carry_pointer(e.ty).then(|| self.argument_node());
                self.note_view(node, e.ty);
                node
            }
            ExprKind::VaStart(place) | ExprKind::VaEnd(place) => {
                self.place(place);
                None
            }
            ExprKind::VaCopy(to, from) => {
                self.place(to);
                self.place(from);
                None
            }
        }
    }

    /// What variable arguments point to, of all calls together.
    fn argument_node(&mut self) -> NodeId {
        let node = match self.arguments {
            Some(node) => node,
            None => self.fresh(),
        };
        self.arguments = Some(node);
        self.find(node)
    }

    /// A pointer into the class is converted to point to `to`.
    fn note_conversion(&mut self, node: NodeId, from: &Expr, to: TypeId) {
        let types = &self.unit.types;
        let data = &mut self.nodes[node];
        match types.pointee(from.ty) {
            Some(pointee) if pointee.id != TypeId::VOID && !types.is_function(pointee.id) => {
                if pointee.id != to {
                    push_new(&mut data.reinterpreted, (pointee.id, to));
                }
            }
            Some(_) if fresh::is_fresh_call(self.unit, &self.fresh, from) => push_new(&mut data.created, to),
            _ => push_new(&mut data.restored, to),
        }
    }

    /// A pointer into the class arrives as one of this type, whatever it was.
    fn note_view(&mut self, node: Option<NodeId>, pointer: TypeId) {
        let types = &self.unit.types;
        let (Some(node), Some(pointee)) = (node, types.pointee(pointer)) else { return };
        if pointee.id != TypeId::VOID && !types.is_function(pointee.id) {
            let node = self.find(node);
            push_new(&mut self.nodes[node].restored, pointee.id);
        }
    }

    /// How many objects, or places that make some, pointers into the class may point to; two if there are more.
    pub fn n_objects(&self, node: NodeId) -> usize {
        let class = self.find(node);
        let is_here = |n: &&NodeId| self.find(**n) == class;
        let vars = self.var_nodes.iter().filter(|(var, n)| self.addressed.contains(var) && is_here(n)).count();
        let sites = self.site_nodes.values().filter(is_here).count();
        let own = self.own_nodes.values().filter(is_here).count();
        let outside = usize::from(self.nodes[class].outside || self.nodes[class].foreign) * 2;
        (vars + sites + own + outside).min(2)
    }

    /// May a pointer into the class be the end of its object? (Of an object without bytes, every pointer is.)
    pub fn may_be_end(&self, node: NodeId) -> bool {
        let class = self.find(node);
        let data = &self.nodes[class];
        data.ends || data.created.iter().any(|&ty| self.unit.types.size_of(ty) == Some(0))
    }

    /// The objects of a class, if all have names.
    pub fn named_objects(&self, node: NodeId) -> Option<Vec<VarId>> {
        let class = self.find(node);
        let is_here = |n: &NodeId| self.find(*n) == class;
        let data = &self.nodes[class];
        if data.outside || data.foreign || self.site_nodes.values().any(is_here) || self.own_nodes.values().any(is_here)
        {
            return None;
        }
        Some(self.variables(class))
    }

    /// Is there just one object that pointers into the class may point to, for the whole run?
    pub fn is_one_object(&self, node: NodeId) -> bool {
        let class = self.find(node);
        let is_here = |n: &NodeId| self.find(*n) == class;
        let is_made = self.site_nodes.values().any(is_here);
        let own = self.own_nodes.values().filter(|n| is_here(n)).count();
        let data = &self.nodes[class];
        match &self.variables(class)[..] {
            [] => own == 1 && !is_made,
            [var] => {
                let is_static = matches!(self.unit.vars[*var].storage, Storage::Static { .. });
                is_static && own == 0 && !is_made && !data.outside && !data.foreign
            }
            _ => false,
        }
    }

    /// The variables that pointers into the class may point to.
    pub fn variables(&self, node: NodeId) -> Vec<VarId> {
        let class = self.find(node);
        let is_object = |(var, n): &(&VarId, &NodeId)| self.addressed.contains(var) && self.find(**n) == class;
        let mut vars: Vec<VarId> = self.var_nodes.iter().filter(is_object).map(|(&v, _)| v).collect();
        vars.sort();
        vars
    }

    /// Is there nothing in the class that a pointer could point to? Then pointers into it are numbers.
    pub fn holds_only_numbers(&self, node: NodeId) -> bool {
        let class = self.find(node);
        let is_here = |n: &NodeId| self.find(*n) == class;
        let data = &self.nodes[class];
        let is_outside = data.outside || data.foreign || data.escaped || self.any_pointer;
        // A pointer converted from a number points to no object.
        let is_site = |((_, which), n): (&(Span, u8), &NodeId)| *which != NUMBER_SITE && is_here(n);
        !is_outside
            && !self.var_nodes.iter().any(|(var, n)| self.addressed.contains(var) && is_here(n))
            && !self.site_nodes.iter().any(is_site)
            && !self.own_nodes.values().any(is_here)
            && !self.func_nodes.values().any(is_here)
    }

    /// Do pointers into the class lead to addresses that the program makes of numbers, where no object of it lies?
    pub fn is_made_of_numbers(&self, node: NodeId) -> bool {
        self.nodes[self.find(node)].made_of_number && self.holds_only_numbers(node)
    }

    /// Are there integers that hold a part of a pointer?
    pub fn moves_parts_of_pointers(&self) -> bool {
        self.parts_carry
    }

    /// Is it a pointer out of a local that was declared without a value?
    pub fn may_be_unset(&self, e: &Expr) -> bool {
        let ExprKind::Load(place) = &e.without_conversions().kind else { return false };
        let mut place = place;
        while let PlaceKind::Field(base, _) | PlaceKind::Index(base, _) = &place.kind {
            place = base;
        }
        self.unit.types.is_pointer(e.ty) && matches!(&place.kind, PlaceKind::Var(var) if self.unset.contains(var))
    }

    /// A pointer of a type is moved: by bytes, if it points to nothing in particular.
    fn note_step(&mut self, node: Option<NodeId>, ty: TypeId, step: u64, is_forward: bool) {
        let (Some(node), Some(pointee)) = (node, self.unit.types.pointee(ty)) else { return };
        let node = self.find(node);
        let data = &mut self.nodes[node];
        data.ends |= is_forward;
        data.stepped |= pointee.id == TypeId::VOID;
        data.step = gcd(data.step, step);
    }

    /// Bytes of the class are copied or set, as many as `size` says.
    fn note_bulk(&mut self, node: NodeId, to: Option<&Expr>, from: Option<&Expr>, size: Option<&Expr>) {
        let multiple = size.map_or(1, |size| visible_multiple(size, 0));
        let exact = size.and_then(constant_size);
        let node = self.find(node);
        let views = [to, from].map(|e| e.and_then(|e| self.bulk_view(e)));
        for (view, source) in [(views[0], views[1]), (views[1], views[0])] {
            push_new(&mut self.nodes[node].bulk, Bulk { view, source, is_fill: from.is_none(), multiple, exact });
            if from.is_none() {
                break;
            }
        }
        // One scalar is copied as what it is.
        for view in views.into_iter().flatten() {
            if let Some(kind) = kind_of(&self.unit.types, strip(&self.unit.types, view)) {
                push_new(&mut self.nodes[node].scalar_accesses, kind);
            }
        }
    }

    /// What a pointer points to before it became a `void *`.
    fn bulk_view(&self, e: &Expr) -> Option<TypeId> {
        let types = &self.unit.types;
        match &e.kind {
            ExprKind::Convert(inner) if types.is_pointer(inner.ty) => self.bulk_view(inner),
            _ => types.pointee(e.ty).map(|t| t.id).filter(|&t| t != TypeId::VOID),
        }
    }

    fn join(&mut self, a: Option<NodeId>, b: Option<NodeId>) -> Option<NodeId> {
        match (a, b) {
            (Some(a), Some(b)) => {
                self.unify(a, b);
                Some(self.find(a))
            }
            (a, b) => a.or(b),
        }
    }

    fn call(&mut self, e: &Expr, callee: &Callee, args: &[Expr]) -> Option<NodeId> {
        let values: Vec<Option<NodeId>> = args.iter().map(|a| self.value(a)).collect();
        let targets = match callee {
            Callee::Direct(func) => vec![*func],
            Callee::Indirect(pointer) => {
                self.value(pointer);
                let fits =
                    |f: &&FuncId| self.unit.funcs[**f].body.is_none() || self.unit.understands_call(**f, args, e.ty);
                self.address_taken.iter().filter(fits).copied().collect()
            }
        };
        let mut result = None;
        for func in targets {
            let function = &self.unit.funcs[func];
            if function.body.is_some() {
                for (i, param) in function.params.iter().enumerate() {
                    let node = self.var_node(*param);
                    if let Some(value) = values.get(i) {
                        self.flow(node, *value);
                        let ty = self.unit.vars[*param].ty.id;
                        if args[i].ty != ty {
                            self.note_view(*value, ty);
                        }
                    }
                }
                if self.unit.types.function(function.ty).is_some_and(|f| f.variadic) {
                    for value in values.iter().skip(function.params.len()).flatten() {
                        let node = self.argument_node();
                        self.unify(node, *value);
                    }
                }
                let ret = self.ret_node(func);
                let target = self.may_carry_pointer(e.ty).then(|| self.target(ret));
                if self.unit.types.function(function.ty).is_some_and(|f| f.ret.id != e.ty) {
                    self.note_view(target, e.ty);
                }
                result = self.join(result, target);
            } else {
                let name = function.name.clone();
                let target = self.library_call(&name, e, &values);
                result = self.join(result, target);
            }
        }
        result
    }

    fn library_call(&mut self, name: &str, e: &Expr, values: &[Option<NodeId>]) -> Option<NodeId> {
        let args: &[Expr] = match &e.kind {
            ExprKind::Call { args, .. } => args,
            _ => &[],
        };
        if name.starts_with("__atomic_") || name.starts_with("__sync_") {
            return self.atomic_call(name, e, values);
        }
        if super::intrinsics::makes_any(name)
            && let (Some(mut first), Some(Some(node))) = (args.first(), values.first())
        {
            while let ExprKind::Convert(inner) = &first.kind
                && self.unit.types.is_pointer(inner.ty)
            {
                first = inner;
            }
            if let Some(pointee) = self.unit.types.pointee(first.ty) {
                self.note_stored(*node, pointee.id);
            }
        }
        match library::find(name).filter(|row| row.takes(&self.unit.types, args)) {
            Some(row) => self.known_call(row, name, e, args, values),
            None => self.unknown_call(name, e, values),
        }
    }

    /// A function of the library: its row says what it does.
    fn known_call(
        &mut self,
        row: &'static LibraryFunction,
        name: &str,
        e: &Expr,
        args: &[Expr],
        values: &[Option<NodeId>],
    ) -> Option<NodeId> {
        let arg = |i: usize| values.get(i).copied().flatten();
        let is_printed = matches!(row.model, Model::Print(_));
        for (i, (value, e)) in values.iter().zip(args).enumerate() {
            let Some(node) = value.map(|node| self.find(node)) else { continue };
            let pointee = self.unit.types.pointee(e.ty).map(|t| t.id);
            let what = row.argument(i);
            let is_shared = matches!(what, Some(Argument::Pointer { extent: Extent::Shared, .. }));
            self.nodes[node].lock |= is_shared && row.model == Model::Thread;
            let is_text = matches!(what, Some(Argument::Pointer { extent: Extent::Text, .. }));
            if let Some(pointee) = pointee.filter(|_| is_text || is_printed)
                && kind_of(&self.unit.types, pointee) == Some(Kind::Int(1))
            {
                // Texts are read as characters.
                push_new(&mut self.nodes[node].scalar_accesses, Kind::Int(1));
                self.note_access(node, pointee);
            }
            // What is written may have any contents afterwards; what `scanf` is given behind its format is.
            let is_written = what.is_some_and(Argument::is_written) || what.is_none() && !is_printed;
            if is_written && !matches!(what, Some(Argument::Pointer { extent: Extent::Shared | Extent::Stream, .. })) {
                self.nodes[node].dynamic = true;
            }
            let is_object = matches!(what, Some(Argument::Pointer { extent: Extent::Object, writes: true, .. }))
                || what.is_none() && matches!(row.model, Model::Scan(_));
            if let Some(pointee) = pointee.filter(|_| is_object) {
                self.note_access(node, pointee);
                if let Some(kind) = kind_of(&self.unit.types, pointee) {
                    push_new(&mut self.nodes[node].scalar_accesses, kind);
                }
            }
        }
        match row.model {
            Model::Copy { .. } => {
                let both = self.join(arg(0), arg(1));
                if let Some(node) = both {
                    self.note_bulk(node, args.first(), args.get(1), args.get(2));
                }
            }
            Model::Fill => {
                if let Some(node) = arg(0) {
                    self.note_bulk(node, args.first(), None, args.last());
                }
            }
            Model::Reallocate => {
                let fresh = Some(self.site_node(e.span, 0));
                // Whole blocks: no scalar inside is cut in two.
                let node = self.join(arg(0), fresh);
                if let Some(node) = node {
                    let node = self.find(node);
                    push_new(&mut self.nodes[node].bulk, Bulk::BLOCK);
                    self.nodes[node].heap = true;
                }
                return node;
            }
            Model::Thread => self.thread_call(name, values),
            _ => {}
        }
        match row.returns {
            Returns::Value => None,
            Returns::Fresh => {
                let node = self.site_node(e.span, 0);
                let node = self.find(node);
                self.nodes[node].heap = true;
                Some(node)
            }
            Returns::Argument(i) => arg(i),
            Returns::Own(object) => {
                let node = match self.own_nodes.get(object) {
                    Some(&node) => self.find(node),
                    None => self.fresh(),
                };
                self.own_nodes.insert(object, node);
                self.nodes[node].dynamic = true;
                self.nodes[node].foreign = true;
                Some(node)
            }
        }
    }

    /// Pointers that threads are given and leave behind.
    fn thread_call(&mut self, name: &str, values: &[Option<NodeId>]) {
        let arg = |i: usize| values.get(i).copied().flatten();
        match name {
            // What a thread returns is stored.
            "pthread_join" | "thrd_join" => {
                if let Some(object) = arg(1) {
                    for func in self.address_taken.clone() {
                        let ret = self.ret_node(func);
                        let value = self.target(ret);
                        self.flow(object, Some(value));
                    }
                }
            }
            "pthread_exit" => {
                let ret = self.ret_node(self.current);
                self.flow(ret, arg(0));
            }
            // The thread function's parameter gets the argument.
            "pthread_create" | "thrd_create" => {
                for func in self.address_taken.clone() {
                    if let [param] = self.unit.funcs[func].params[..] {
                        let (node, given) = (self.var_node(param), arg(if name == "thrd_create" { 2 } else { 3 }));
                        self.flow(node, given);
                        self.note_view(given, self.unit.vars[param].ty.id);
                    }
                }
            }
            _ => {}
        }
    }

    /// Values move between the object and the other arguments.
    fn atomic_call(&mut self, name: &str, e: &Expr, values: &[Option<NodeId>]) -> Option<NodeId> {
        let object = values.first().copied().flatten()?;
        for value in values.iter().skip(1) {
            self.flow(object, *value);
        }
        if name == "__atomic_compare_exchange_n"
            && let Some(expected) = values.get(1).copied().flatten()
        {
            let (a, b) = (self.target(object), self.target(expected));
            self.unify(a, b);
            self.note_pointee_access(e, 1, expected);
        }
        self.note_pointee_access(e, 0, object);
        Some(self.target(object))
    }

    /// A function that nothing is known of: the outside learns the addresses that it is given, and what it returns
    /// comes from there.
    fn unknown_call(&mut self, name: &str, e: &Expr, values: &[Option<NodeId>]) -> Option<NodeId> {
        for node in values.iter().flatten() {
            for reached in self.reachable_from(*node) {
                self.nodes[reached].dynamic = true;
            }
            let node = self.find(*node);
            self.nodes[node].escaped = true;
        }
        if !self.may_carry_pointer(e.ty) {
            return None;
        }
        let node = self.site_node(e.span, 0);
        let node = self.find(node);
        self.nodes[node].foreign = true;
        // A number is an address only where the program makes it one.
        self.nodes[node].outside = true;
        // What a contract leaves open may be any address, too.
        let is_open = name.strip_prefix(crate::contracts::CALL).is_some_and(|rest| rest.starts_with("value_"));
        self.any_pointer |= is_open || name.starts_with("__VERIFIER_nondet_");
        Some(node)
    }

    /// An argument of a call is a pointer whose object is read and written.
    fn note_pointee_access(&mut self, e: &Expr, i: usize, object: NodeId) {
        if let ExprKind::Call { args, .. } = &e.kind
            && let Some(arg) = args.get(i)
            && let Some(pointee) = self.unit.types.pointee(arg.ty)
        {
            self.note_access(object, pointee.id);
            if let Some(kind) = kind_of(&self.unit.types, pointee.id) {
                let object = self.find(object);
                push_new(&mut self.nodes[object].scalar_accesses, kind);
            }
        }
    }

    // ----- layouts -----

    /// Is there a class whose pointers are also seen as bytes? Then they may be copied byte by byte.
    fn sees_parts_of_pointers(&self) -> bool {
        let mut roots = self.nodes.iter().filter(|(_, node)| node.parent.is_none()).map(|(id, _)| id);
        roots.any(|node| self.holds_pointers(node) && self.compute_layout(node) == Layout::Bytes)
    }

    /// How the memory of a class is split.
    pub fn layout(&mut self, node: NodeId) -> Layout {
        let node = self.find(node);
        if let Some(&layout) = self.layouts.get(&node) {
            return layout;
        }
        let layout = self.compute_layout(node);
        self.layouts.insert(node, layout);
        layout
    }

    /// Might a pointer to a member of a record be moved to a member of another kind? Each kind has an array of its own,
    /// so that it would not be seen there.
    pub fn may_leave_member(&mut self, node: NodeId, pointee: TypeId) -> bool {
        let node = self.find(node);
        let (types, data) = (&self.unit.types, &self.nodes[node]);
        let Some(kind) = kind_of(types, strip(types, pointee)).filter(|_| data.interior) else { return false };
        let has_another = data.created.iter().any(|&ty| {
            let mut kinds = Vec::new();
            collect_kinds(types, ty, &mut kinds);
            kinds.contains(&kind) && kinds.len() > 1
        });
        has_another && self.layout(node) == Layout::Kinds
    }

    fn compute_layout(&self, node: NodeId) -> Layout {
        let types = &self.unit.types;
        let data = &self.nodes[node];
        let strip = |ty: TypeId| strip(types, ty);
        let mut created: Vec<TypeId> = Vec::new();
        for &ty in &data.created {
            push_new(&mut created, strip(ty));
        }
        // Objects whose own members disagree.
        if created.iter().any(|&ty| leaf_kinds(types, ty).is_none())
            || self.types_of(data).any(|ty| has_overlay(types, ty))
            || !data.bulk.is_empty() && self.has_bit_fields(node)
        {
            return Layout::Bytes;
        }
        // A scalar view that is never used to access anything does not count.
        let is_idle = |ty: TypeId| match kind_of(types, ty) {
            Some(kind) => !data.scalar_accesses.contains(&kind),
            None => false,
        };
        // Nor does one that no pointer of the class has from the start.
        let is_passing = |ty: TypeId| {
            is_idle(ty)
                && !created.contains(&ty)
                && kind_of(types, ty).is_none_or(|kind| !data.scalar_addresses.contains(&kind))
        };
        let mut views = created.clone();
        let mut restored = data.restored.clone();
        for &(from, to) in &data.reinterpreted {
            let (from, to) = (strip(from), strip(to));
            if is_idle(to) {
                continue;
            }
            if is_passing(from) {
                push_new(&mut restored, to);
                continue;
            }
            if !self.views_agree(from, to) {
                return Layout::Bytes;
            }
            push_new(&mut views, from);
            push_new(&mut views, to);
        }
        let mut only_whole_objects = data.reinterpreted.is_empty();
        // Memory without a declared type has the types that it is accessed as.
        let wholes: Vec<TypeId> = match created.is_empty() {
            true => {
                let seen = restored.iter().chain(&data.records).map(|&ty| strip(ty));
                seen.filter(|&ty| !is_idle(ty)).collect()
            }
            false => created.clone(),
        };
        let is_text = |ty: TypeId| leaf_kinds(types, ty).is_some_and(|l| uniform(&l, Kind::Int(1)));
        for &ty in &restored {
            let ty = strip(ty);
            if is_idle(ty) {
                continue;
            }
            // Character types may access any object.
            if kind_of(types, ty) == Some(Kind::Int(1)) && !wholes.iter().all(|&whole| is_text(whole)) {
                return Layout::Bytes;
            }
            // A record may be the first member of another one.
            let is_part = created.iter().any(|&whole| whole != ty && has_part(types, whole, ty));
            only_whole_objects &= created.is_empty() || created.contains(&ty) && !is_part;
            // C lets an object be accessed only as what it is (6.5p7): a pointer that comes back from
            // `void *` points to one of the types the class was made of, or to a part of one; of characters, to each of
            // them.
            let mut parts = created.iter().map(|&whole| has_part(types, whole, ty));
            let is_seen = match is_text(ty) || created.iter().any(|&whole| is_text(whole)) {
                true => parts.all(|is_part| is_part),
                false => parts.any(|is_part| is_part),
            };
            if !created.is_empty() && !is_seen {
                return Layout::Bytes;
            }
            push_new(&mut views, ty);
        }
        if !self.bulk_keeps_scalars(node, &views) || self.steps_into_scalars(node, &views) {
            return Layout::Bytes;
        }
        // What is accessed must be there in some view.
        let is_there = |kind: Kind| views.iter().any(|&ty| has_kind(types, ty, kind));
        if !created.is_empty() && data.scalar_accesses.iter().any(|&kind| !is_there(kind)) {
            return Layout::Bytes;
        }
        // Members of a union share their bytes, so they must not have arrays of their own.
        let only_records = !views.is_empty() && views.iter().all(|&ty| types.is_record(ty) && !has_union(types, ty));
        only_whole_objects &= !created.is_empty() || views.len() == 1;
        if only_records
            && only_whole_objects
            && !data.interior
            && data.bulk.is_empty()
            && data.scalar_accesses.is_empty()
        {
            return Layout::Fields;
        }
        Layout::Kinds
    }

    fn kinds_of_views(&self, node: NodeId, views: &[TypeId]) -> Vec<Kind> {
        let data = &self.nodes[node];
        let mut kinds = data.scalar_accesses.clone();
        for &view in views {
            collect_kinds(&self.unit.types, view, &mut kinds);
        }
        for &(size, _) in &data.int_accesses {
            push_new(&mut kinds, Kind::Int(size));
        }
        kinds
    }

    fn kind_width(&self, kind: Kind) -> u64 {
        match kind {
            Kind::Int(n) | Kind::Float(n) => n,
            Kind::Pointer => self.unit.types.pointer_size(),
            Kind::VaList => 0,
        }
    }

    /// May a pointer be moved into the middle of a scalar, and then be used for one?
    fn steps_into_scalars(&self, node: NodeId, views: &[TypeId]) -> bool {
        let least = self.kinds_of_views(node, views).into_iter().map(|kind| self.kind_width(kind)).min().unwrap_or(0);
        // A `long long` or a `long double` may begin at any multiple of four.
        let unit = if least.is_multiple_of(4) { least.min(4) } else { least };
        unit > 1 && !self.nodes[node].step.is_multiple_of(unit)
    }

    /// Do copies and fills of bytes in the class never cut a scalar in two, nor copy one to where another kind lies?
    /// With one kind only, whole elements are moved; otherwise whole objects of a type that the class has.
    fn bulk_keeps_scalars(&self, node: NodeId, views: &[TypeId]) -> bool {
        let types = &self.unit.types;
        let data = &self.nodes[node];
        let kinds = self.kinds_of_views(node, views);
        let width = |kind: Kind| self.kind_width(kind);
        let is_byte = |ty: TypeId| kind_of(types, ty) == Some(Kind::Int(1));
        // Where nothing moves by bytes, a `void *` points to the start of something.
        let moved_by_bytes = data.stepped || data.reinterpreted.iter().any(|&(_, to)| is_byte(to));
        data.bulk.iter().all(|bulk| {
            if bulk.multiple == 0 {
                return true;
            }
            match (&kinds[..], bulk.view) {
                ([], _) => true,
                ([kind], Some(view)) => {
                    let is_uniform = leaf_kinds(types, view).is_some_and(|l| uniform(&l, *kind));
                    is_uniform && width(*kind) > 0 && bulk.multiple.is_multiple_of(width(*kind))
                }
                ([kind], None) => {
                    width(*kind) == 1
                        || !moved_by_bytes && width(*kind) > 0 && bulk.multiple.is_multiple_of(width(*kind))
                }
                (_, Some(view)) => {
                    let view = strip(types, view);
                    let size = types.size_of(view).unwrap_or(0);
                    if let Some(kind) = kind_of(types, view) {
                        // One scalar of the same kind here and there.
                        let same = bulk.source.is_none_or(|s| kind_of(types, s) == Some(kind));
                        return same && bulk.exact == Some(size);
                    }
                    let is_whole = types.is_record(view) && views.contains(&view);
                    let is_multiple = size > 0 && bulk.multiple.is_multiple_of(size);
                    // Copied to where the same scalars lie.
                    let is_alike = match bulk.source {
                        _ if bulk.is_fill => true,
                        Some(source) => strip(types, source) == view || self.views_agree(view, strip(types, source)),
                        None => views.iter().all(|&v| v == view || kind_of(types, v).is_some()),
                    };
                    is_whole && is_multiple && is_alike
                }
                (_, None) => {
                    let whole =
                        |&&v: &&TypeId| types.size_of(v).is_some_and(|s| s > 0 && bulk.multiple.is_multiple_of(s));
                    let mut records = views.iter().filter(|&&v| types.is_record(v));
                    !moved_by_bytes && records.clone().count() == 1 && records.all(|v| whole(&v))
                }
            }
        })
    }

    /// Do two types, laid over each other, have the same scalars in the same places?
    fn views_agree(&self, a: TypeId, b: TypeId) -> bool {
        let types = &self.unit.types;
        let (Some(leaves_a), Some(leaves_b)) = (leaf_kinds(types, a), leaf_kinds(types, b)) else { return false };
        // Every bit-field of a record type has an array of its own.
        if a != b && (has_bit_field(types, a) || has_bit_field(types, b)) {
            return false;
        }
        match (kind_of(types, a), kind_of(types, b)) {
            (Some(x), Some(y)) => x == y,
            // A pointer to a scalar may be moved over the whole record.
            (Some(kind), None) => uniform(&leaves_b, kind),
            (None, Some(kind)) => uniform(&leaves_a, kind),
            (None, None) => {
                !has_long_array(types, a) && !has_long_array(types, b) && prefix_agrees(&leaves_a, &leaves_b)
            }
        }
    }

    /// Are values of this integer size read or written both signed and unsigned in the class, and if
    /// only one way, which? Stored values are signed unless all accesses are unsigned.
    pub fn stored_signed(&self, node: NodeId, size: u64) -> bool {
        let node = self.find(node);
        let accesses = &self.nodes[node].int_accesses;
        accesses.contains(&(size, true)) || !accesses.contains(&(size, false))
    }

    /// Can fresh memory of the class appear while the program runs?
    pub fn is_dynamic(&self, node: NodeId) -> bool {
        self.nodes[self.find(node)].dynamic
    }

    /// Whether some object in memory may hold a pointer.
    pub fn has_pointers_in_memory(&self) -> bool {
        self.addressed.iter().any(|var| self.var_nodes.get(var).is_some_and(|&node| self.holds_pointers(node)))
            || self.site_nodes.values().any(|&node| self.holds_pointers(node))
            || self.unit.statics.iter().any(|var| self.var_nodes.get(var).is_some_and(|&n| self.holds_pointers(n)))
    }

    /// The string literals that a class consists of, if it consists of nothing else.
    pub fn literals(&self, node: NodeId) -> Option<Vec<VarId>> {
        let class = self.find(node);
        if self.nodes[class].dynamic || self.nodes[class].foreign {
            return None;
        }
        let mut vars: Vec<VarId> =
            self.var_nodes.iter().filter(|(_, n)| self.find(**n) == class).map(|(&v, _)| v).collect();
        vars.sort();
        vars.iter().all(|&v| self.unit.vars[v].is_string).then_some(vars)
    }

    /// Do any pointers come from outside?
    pub fn has_outside(&self) -> bool {
        self.nodes.values().any(|n| n.outside)
    }

    /// Do pointers into the class come from outside?
    pub fn is_outside(&self, node: NodeId) -> bool {
        self.nodes[self.find(node)].outside
    }

    /// Does something in the class come from outside?
    pub fn is_foreign(&self, node: NodeId) -> bool {
        self.nodes[self.find(node)].foreign
    }

    /// Is there an object in the class? Integers that are as wide as pointers point to something, too, but mostly there
    /// is nothing.
    pub fn is_object(&self, node: NodeId) -> bool {
        let target = self.find(node);
        let data = &self.nodes[target];
        data.foreign || !data.created.is_empty() || !data.bulk.is_empty() || !self.kinds(target).is_empty()
    }

    /// Can a pointer lie in an object of the class?
    pub fn holds_pointers(&self, node: NodeId) -> bool {
        self.nodes[self.find(node)].foreign
            || self.kinds(node).contains(&Kind::Pointer)
            || self.pointed_to(node).is_some_and(|target| self.is_object(target))
    }

    /// The types of the objects of a class, without arrays around them.
    pub fn created(&self, node: NodeId) -> Vec<TypeId> {
        let types = &self.unit.types;
        let mut out = Vec::new();
        for &ty in &self.nodes[self.find(node)].created {
            let mut ty = ty;
            while let Some(elem) = types.element(ty) {
                ty = elem.id;
            }
            push_new(&mut out, ty);
        }
        out
    }

    /// Are bytes copied or set anywhere?
    pub fn has_bulk(&self) -> bool {
        self.nodes.values().any(|n| !n.bulk.is_empty())
    }

    /// May the outside keep, or free, a block of the heap?
    pub fn heap_escapes(&self) -> bool {
        self.nodes.values().any(|n| n.heap && n.escaped)
    }

    /// Are there locks in the class?
    pub fn has_locks(&self, node: NodeId) -> bool {
        self.nodes[self.find(node)].lock
    }

    /// Are there accesses of an atomic type?
    pub fn has_atomic(&self, node: NodeId) -> bool {
        self.nodes[self.find(node)].atomic
    }

    /// May one object of the class be accessed as an atomic one and as another one?
    pub fn mixes_atomic(&self, node: NodeId) -> bool {
        let data = &self.nodes[self.find(node)];
        data.atomic_converted
            || data.atomic && self.types_of(data).any(|ty| super::races::has_mixed_union(&self.unit.types, ty))
    }

    /// The types of the objects of a class as far as the program shows them: made, converted to, or followed to.
    /// Objects of the outside are only followed to.
    fn types_of<'n>(&self, data: &'n Node) -> impl Iterator<Item = TypeId> + use<'n> {
        let converted = data.reinterpreted.iter().flat_map(|(from, to)| [from, to]);
        data.created.iter().chain(&data.restored).chain(converted).chain(&data.records).copied()
    }

    /// Has a record of the class a bit-field?
    pub fn has_bit_fields(&self, node: NodeId) -> bool {
        self.types_of(&self.nodes[self.find(node)]).any(|ty| has_bit_field(&self.unit.types, ty))
    }

    /// All kinds that occur in a class, for copies of bytes.
    pub fn kinds(&self, node: NodeId) -> Vec<Kind> {
        let node = self.find(node);
        let data = &self.nodes[node];
        let mut kinds = data.scalar_accesses.clone();
        for ty in self.types_of(data) {
            collect_kinds(&self.unit.types, ty, &mut kinds);
        }
        for &(size, _) in &data.int_accesses {
            push_new(&mut kinds, Kind::Int(size));
        }
        kinds.sort();
        kinds.dedup();
        kinds
    }
}

fn collect_kinds(types: &Types, ty: TypeId, out: &mut Vec<Kind>) {
    if let Some(kind) = kind_of(types, ty) {
        push_new(out, kind);
    } else if let Some(elem) = types.element(ty) {
        collect_kinds(types, elem.id, out);
    } else if let Some(fields) = types.fields(ty) {
        for field in fields.iter() {
            collect_kinds(types, field.ty.id, out);
        }
    }
}

/// The type without arrays around it.
fn strip(types: &Types, mut ty: TypeId) -> TypeId {
    while let Some(elem) = types.element(ty) {
        ty = elem.id;
    }
    ty
}

pub(super) fn push_new<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}

pub fn has_union(types: &Types, ty: TypeId) -> bool {
    match types.get(ty) {
        Type::Array(elem, _) => has_union(types, elem.id),
        Type::Record(r) => {
            types.records[*r].is_union || types.fields(ty).is_some_and(|f| f.iter().any(|f| has_union(types, f.ty.id)))
        }
        _ => false,
    }
}

/// Is the type a union whose largest member does not have the scalars of all others? Its values are bytes.
pub fn is_overlay(types: &Types, ty: TypeId) -> bool {
    let Some(record) = types.record(ty) else { return false };
    if !types.records[record].is_union {
        return false;
    }
    let Some(fields) = types.fields(ty) else { return false };
    if fields.len() < 2 {
        return fields.iter().any(|f| has_overlay(types, f.ty.id));
    }
    if leaf_kinds(types, ty).is_none() || has_bit_field(types, ty) {
        return true;
    }
    let Some(largest) = largest_member(types, &fields) else { return true };
    let Some(all) = leaf_kinds(types, fields[largest].ty.id) else { return true };
    let has_long = fields.iter().any(|f| has_long_array(types, f.ty.id));
    if has_long {
        // Elements that were not compared one by one.
        let mut element = fields[largest].ty.id;
        while let Some(elem) = types.element(element) {
            element = elem.id;
        }
        let Some(kind) = kind_of(types, element) else { return true };
        return !fields.iter().all(|f| leaf_kinds(types, f.ty.id).is_some_and(|l| uniform(&l, kind)));
    }
    !fields.iter().all(|f| leaf_kinds(types, f.ty.id).is_some_and(|l| l.iter().all(|leaf| all.contains(leaf))))
}

/// Is the type, or a part of it, such a union?
pub fn has_overlay(types: &Types, ty: TypeId) -> bool {
    match types.get(ty) {
        Type::Array(elem, _) => has_overlay(types, elem.id),
        Type::Record(_) => {
            is_overlay(types, ty) || types.fields(ty).is_some_and(|f| f.iter().any(|f| has_overlay(types, f.ty.id)))
        }
        _ => false,
    }
}

/// The member of a union that is largest, the first of those.
pub fn largest_member(types: &Types, fields: &[Field]) -> Option<usize> {
    let size = |f: &Field| types.size_of(f.ty.id);
    (0..fields.len()).max_by_key(|&i| (size(&fields[i]), std::cmp::Reverse(i)))
}

/// What the size of a copy is visibly a multiple of.
fn visible_multiple(e: &Expr, depth: u32) -> u64 {
    if depth > 32 {
        return 1;
    }
    match &e.kind {
        ExprKind::Int(n) => u64::try_from(*n).unwrap_or(1),
        ExprKind::Convert(inner) => visible_multiple(inner, depth + 1),
        ExprKind::Binary(BinOp::Mul, a, b) => {
            let (a, b) = (visible_multiple(a, depth + 1), visible_multiple(b, depth + 1));
            // A product may wrap around; it keeps factors of two.
            let product = a.checked_mul(b).unwrap_or(1);
            if product == 0 { 0 } else { 1 << product.trailing_zeros().min(31) }
        }
        ExprKind::Binary(BinOp::Add | BinOp::Sub, a, b) => {
            let both = gcd(visible_multiple(a, depth + 1), visible_multiple(b, depth + 1));
            if both == 0 { 0 } else { 1 << both.trailing_zeros().min(31) }
        }
        _ => 1,
    }
}

/// May a pointer be moved towards the end of its object?
fn is_forward(index: &Expr, negative: bool) -> bool {
    match index.kind {
        ExprKind::Int(n) => n != 0 && (n > 0) != negative,
        _ => true,
    }
}

/// A number of bytes that a pointer is visibly moved by a multiple of.
fn visible_step(index: &Expr, size: &Expr) -> u64 {
    visible_multiple(index, 0).saturating_mul(visible_multiple(size, 0))
}

fn constant_size(e: &Expr) -> Option<u64> {
    match &e.kind {
        ExprKind::Int(n) => u64::try_from(*n).ok(),
        ExprKind::Convert(inner) => constant_size(inner),
        _ => None,
    }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// A bit-field's marker is its place in bits times this, plus its width.
const BITS_OFFSET: u64 = 256;

/// The scalars of a type with their offsets: (offset, kind, bit-field marker). `None` if members of a
/// union disagree. Large arrays count with their first elements only, which suffices for comparison.
fn leaf_kinds(types: &Types, ty: TypeId) -> Option<Vec<(u64, Kind, u64)>> {
    let mut out = Vec::new();
    collect_leaves(types, ty, 0, &mut out)?;
    out.sort();
    out.dedup();
    for pair in out.windows(2) {
        let (a, kind, bits_a) = pair[0];
        let (b, _, bits_b) = pair[1];
        let size = match kind {
            _ if bits_a != 0 => (bits_a / BITS_OFFSET % 8 + bits_a % BITS_OFFSET).div_ceil(8),
            Kind::Int(n) | Kind::Float(n) => n,
            Kind::Pointer => types.pointer_size(),
            Kind::VaList => 4,
        };
        if a + size > b && !(bits_a != 0 && bits_b != 0) {
            return None;
        }
    }
    Some(out)
}

/// Elements of an array that are compared one by one.
const FEW: u64 = 16;

fn has_long_array(types: &Types, ty: TypeId) -> bool {
    match types.get(ty) {
        Type::Array(elem, crate::types::ArrayLen::Known(n)) => *n > FEW || has_long_array(types, elem.id),
        Type::Array(..) => true,
        Type::Record(_) => types.fields(ty).is_some_and(|f| f.iter().any(|f| has_long_array(types, f.ty.id))),
        _ => false,
    }
}

fn collect_leaves(types: &Types, ty: TypeId, offset: u64, out: &mut Vec<(u64, Kind, u64)>) -> Option<()> {
    if let Some(kind) = kind_of(types, ty) {
        out.push((offset, kind, 0));
        return Some(());
    }
    match types.get(ty) {
        Type::Array(elem, len) => {
            let n = match len {
                crate::types::ArrayLen::Known(n) => *n,
                _ => 1,
            };
            let size = types.size_of(elem.id)?;
            for i in 0..n.min(FEW) {
                collect_leaves(types, elem.id, offset + i * size, out)?;
            }
            Some(())
        }
        Type::Record(_) => {
            for field in types.fields(ty)?.iter() {
                match field.width {
                    // Those without a name are padding.
                    Some(_) if field.name.is_none() => {}
                    // Bit-fields that share bytes are distinguished by their bit offsets.
                    Some(width) => {
                        let kind = kind_of(types, field.ty.id)?;
                        out.push((offset + field.offset(), kind, field.bit_offset * BITS_OFFSET + width as u64));
                    }
                    None => collect_leaves(types, field.ty.id, offset + field.offset(), out)?,
                }
            }
            Some(())
        }
        _ => Some(()),
    }
}

fn uniform(leaves: &[(u64, Kind, u64)], kind: Kind) -> bool {
    leaves.iter().all(|&(_, k, bits)| k == kind && bits == 0)
}

fn has_bit_field(types: &Types, ty: TypeId) -> bool {
    if let Some(elem) = types.element(ty) {
        return has_bit_field(types, elem.id);
    }
    let is_named = |f: &Field| f.width.is_some() && f.name.is_some();
    types.fields(ty).is_some_and(|f| f.iter().any(|f| is_named(f) || has_bit_field(types, f.ty.id)))
}

/// Is `part` the type itself, or that of a member or element, at any depth?
fn has_part(types: &Types, whole: TypeId, part: TypeId) -> bool {
    let same_kind = kind_of(types, part).is_some() && kind_of(types, part) == kind_of(types, whole);
    if whole == part || same_kind {
        return true;
    }
    if let Some(elem) = types.element(whole) {
        return has_part(types, elem.id, part);
    }
    types.fields(whole).is_some_and(|fields| fields.iter().any(|f| has_part(types, f.ty.id, part)))
}

/// Has an object of the type a scalar of this kind?
fn has_kind(types: &Types, whole: TypeId, kind: Kind) -> bool {
    let mut kinds = Vec::new();
    collect_kinds(types, whole, &mut kinds);
    kinds.contains(&kind)
}

/// Is there a pointer in a value of the type?
pub fn holds_pointer_type(types: &Types, ty: TypeId) -> bool {
    has_kind(types, ty, Kind::Pointer)
}

/// The objects of the library that programs name.
pub fn is_standard_stream(name: &str) -> bool {
    matches!(name, "stdin" | "stdout" | "stderr")
}

/// Two records agree if one's scalars are a prefix of the other's.
fn prefix_agrees(a: &[(u64, Kind, u64)], b: &[(u64, Kind, u64)]) -> bool {
    a.iter().zip(b).all(|(x, y)| x == y)
}
