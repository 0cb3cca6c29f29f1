//! Contracts in the lowered program (see [`crate::contracts`]).
//!
//! A *frame* is what a function may change. When its body is checked, everything that the body (or what it calls) may
//! write is copied before it runs and compared after: scalar variables directly, memory arrays at a nondeterministic
//! index that the contract does not name and that is not part of an object allocated in between. The index is chosen
//! before the body runs, so that invariants of its loops can speak about that one cell. What cannot be compared makes
//! the answer *unknown*.
//!
//! What a contract leaves open is marked as an over-approximation: an execution that passes it proves nothing about the
//! program.

use std::collections::BTreeSet;

use base::Span;
use ir::{Check, InstrKind, Nondet, ProcId, Stmt as IrStmt, Subject, Subproperty, VarKind};
use logic::{SortId, TermId};
use rustc_hash::FxHashSet;

use super::alias::NodeId;
use super::int::IntVal;
use super::memory::{Ghost, Leaf, Loc, PtrVal};
use super::{FunctionState, Lowerer, R, Val, empty_procedure, internal, unsupported};
use crate::contracts::Contract;
use crate::hir::*;
use crate::types::Types;
use crate::visit::{Node, root, walk_stmt};

/// What a contract lets its function change, and the procedures that copy and compare.
pub(super) struct Frame {
    contract: usize,
    allowed: Vec<Allowed>,
    save: ProcId,
    compare: ProcId,
    /// Where the heap ended when the function was called.
    top: ir::VarId,
}

enum Allowed {
    Variable(ir::VarId),
    /// Of an array, from an index to another.
    Cells(ir::VarId, ir::VarId, ir::VarId),
}

impl Lowerer<'_> {
    /// A call that stands for a part of a contract.
    pub(super) fn contract_call(&mut self, rest: &str, e: &Expr, args: &[Expr], span: Span) -> R<Val> {
        let (word, number) = rest.split_once('_').unwrap_or((rest, ""));
        let number: usize = number.split('_').next().and_then(|n| n.parse().ok()).unwrap_or(usize::MAX);
        if let ("check" | "assume", [condition]) = (word, args) {
            let Some(clause) = self.notes.contracts.clauses.get(number).cloned() else {
                return unsupported(span, "a function that only contracts use");
            };
            let condition = self.contract_condition(condition)?;
            if word == "check" {
                let check = Check::claim(Subproperty::Contract, &clause.text, clause.span);
                self.emit(InstrKind::Assert(condition, check), span);
            } else {
                self.assume(condition, span);
            }
            return Ok(Val::Int(self.int_const(0)));
        }
        let Some(contract) = self.notes.contracts.contracts.get(number).cloned() else {
            return unsupported(span, "a function that only contracts use");
        };
        match (word, args) {
            ("used" | "enter", []) if self.threads.creates_threads => {
                return unsupported(span, "contracts in programs with threads");
            }
            ("used", []) => {
                let is_checked = contract.check.is_some_and(|f| self.entries.contains(&f));
                if !is_checked {
                    let why = if contract.has_body { "is not checked here" } else { "has no body here" };
                    let what = format!("the contract of {}, which {why}", contract.function);
                    self.note_assumption(what, contract.span);
                } else if self.may_share_objects(&contract) {
                    let which = format!("pointers given to {}", contract.function);
                    let what = format!("{which} that may lead to one object; say which of them are \\valid");
                    self.note_unsound(&what, span);
                }
            }
            ("enter", []) => {
                // The arguments are given objects of their own: where clauses compare pointers, that may leave out all
                // that they allow.
                if contract.check.is_some_and(|f| Named::by_itself(self.unit, f).compares) {
                    let what = format!("a contract of {} that compares pointers", contract.function);
                    self.note_unsound(&what, contract.span);
                }
            }
            ("apart", [pointer, size]) => {
                let c = self.apart_from_globals(contract.check.or(contract.body), pointer, size, span)?;
                return Ok(Val::Bool(c));
            }
            ("value", []) => {
                let is_assigned = rest.matches('_').count() > 1;
                if is_assigned && self.mode.check_uninitialised {
                    let what = format!("whether {} sets what its contract lets it assign", contract.function);
                    self.note_unsound(&what, contract.span);
                }
                let why = format!("what the contract of {} leaves open", contract.function);
                return self.arbitrary(e.ty, Nondet::Overapproximation(why), span);
            }
            ("assigns", [first, rest @ ..]) => self.allow(number, first, rest.first(), span)?,
            ("begin", []) => {
                let at = self.frame(number);
                let (top, save) = (self.frames[at].top, self.frames[at].save);
                let heap = self.ghost(Ghost::HeapTop);
                let heap = self.program.term(heap);
                self.emit_hidden(InstrKind::Stmt(IrStmt::Assign(vec![(top, heap)])), span);
                self.emit_hidden(InstrKind::Call { callee: save, args: Vec::new(), results: Vec::new() }, span);
            }
            ("end", []) => {
                let at = self.frame(number);
                let callee = self.frames[at].compare;
                self.emit_hidden(InstrKind::Call { callee, args: Vec::new(), results: Vec::new() }, span);
            }
            _ => return unsupported(span, "a function that only contracts use"),
        }
        Ok(Val::Int(self.int_const(0)))
    }

    /// The check gives each pointer an object of its own. Calls are compared with that for pointers that are valid
    /// ([`Self::apart_from_globals`]); may another one lead to what a second pointer leads to, or to an object that the
    /// function names?
    fn may_share_objects(&self, contract: &Contract) -> bool {
        let Some(check) = contract.check else { return false };
        let params = self.unit.funcs[check].params.iter().map(|&v| &self.unit.vars[v]);
        let pointers: Vec<&Var> = params.filter(|v| self.unit.types.is_pointer(v.ty.id)).collect();
        let is_open = |v: &&Var| !contract.provided.iter().any(|name| **name == *v.name);
        let is_object = |v: VarId| {
            let is_static = matches!(self.unit.vars[v].storage, Storage::Static { .. });
            is_static && self.in_memory(v) && !self.is_constant_object(v)
        };
        let names_objects = || {
            let named = named_in(self.unit, check);
            named.is_any || named.vars.into_iter().any(is_object)
        };
        pointers.iter().any(is_open) && (pointers.len() > 1 || names_objects())
    }

    /// The truth of a part of a contract. Undefined behaviour in it is not a violation of the program.
    fn contract_condition(&mut self, e: &Expr) -> R<TermId> {
        let outer = (self.context.in_note, self.context.in_contract);
        (self.context.in_note, self.context.in_contract) = (true, true);
        let condition = self.condition(e);
        (self.context.in_note, self.context.in_contract) = outer;
        condition
    }

    /// A check inside a contract: where it fails nothing is known.
    pub(super) fn check_in_contract(&mut self, condition: TermId, check: &Check, span: Span) {
        if condition == TermId::TRUE {
            return;
        }
        let fails = self.pool.not(condition);
        let no = self.branch_hidden(fails, span);
        let mark = self.temp(SortId::BOOL);
        let what = format!("a contract that cannot be evaluated: {}", check.message);
        self.havoc(vec![mark], Nondet::Overapproximation(what.clone()), span);
        let failed = Check::new(Subproperty::Contract, what, span);
        self.emit(InstrKind::Assert(TermId::FALSE, failed), span);
        self.jump(Vec::new(), span);
        self.otherwise_hidden(no, fails, span);
    }

    /// The number of a contract's frame.
    fn frame(&mut self, contract: usize) -> usize {
        if let Some(at) = self.frames.iter().position(|f| f.contract == contract) {
            return at;
        }
        let name = self.notes.contracts.contracts.get(contract).map(|c| c.function.clone()).unwrap_or_default();
        let save = self.program.procs.push(empty_procedure(&format!("state before {name}")));
        let compare = self.program.procs.push(empty_procedure(&format!("frame of {name}")));
        let top = self.global_var("#frame_top", self.word.sort, Span::NONE);
        self.frames.push(Frame { contract, allowed: Vec::new(), save, compare, top });
        self.frames.len() - 1
    }

    /// A place that may change, or those from it to another one.
    fn allow(&mut self, contract: usize, first: &Expr, last: Option<&Expr>, span: Span) -> R<()> {
        let (Some(from), Some(to)) = (place_of(first), place_of(last.unwrap_or(first))) else {
            return unsupported(span, "something in an assigns clause that is not an object");
        };
        let outer = (self.context.in_note, self.context.in_contract);
        (self.context.in_note, self.context.in_contract) = (true, true);
        let locs = self.place(from).and_then(|a| Ok((a, self.place(to)?)));
        (self.context.in_note, self.context.in_contract) = outer;
        let (low, high) = locs?;
        let at = self.frame(contract);
        for (path, _, _) in self.scalars(from.ty.id)? {
            let (low, ty) = self.walk_path(low.clone(), from.ty, &path, span)?;
            let (high, _) = self.walk_path(high.clone(), to.ty, &path, span)?;
            let (leaf, range): (Leaf, Option<(TermId, TermId)>) = match (&low, &high) {
                (Loc::Plain { var, path, index, .. }, Loc::Plain { index: last, .. }) => {
                    (self.plain_leaf(*var, path), index.zip(*last))
                }
                (Loc::Mem { node, .. }, Loc::Mem { .. }) if self.is_bytes(&low) => {
                    let leaf = self.byte_region(*node);
                    let size = self.unit.types.size_of(ty.id).unwrap_or(1) as i128;
                    let (low, high) = (self.address(&low, span)?.addr, self.address(&high, span)?.addr);
                    let more = self.num(size - 1);
                    let high = self.add2(high, more);
                    (leaf, Some((low, high)))
                }
                (Loc::Mem { .. }, Loc::Mem { .. }) => {
                    let (leaf, low) = self.region_of(&low, ty.id, span)?;
                    let (_, high) = self.region_of(&high, ty.id, span)?;
                    (leaf, Some((low, high)))
                }
                _ => return unsupported(span, "something in an assigns clause that is not an object"),
            };
            for variable in leaf.variables() {
                let allowed = match range {
                    None => Allowed::Variable(variable),
                    Some((low, high)) => {
                        let from = self.global_var("#frame_from", self.word.sort, Span::NONE);
                        let to = self.global_var("#frame_to", self.word.sort, Span::NONE);
                        let both = vec![(from, low), (to, high)];
                        self.emit_hidden(InstrKind::Stmt(IrStmt::Assign(both)), span);
                        Allowed::Cells(variable, from, to)
                    }
                };
                self.frames[at].allowed.push(allowed);
            }
        }
        Ok(())
    }

    /// Is a range of bytes disjoint from all objects that a function names, or that a named pointer leads to? Not so
    /// where it compares pointers: then it matters whether two of them lead into one object.
    fn apart_from_globals(&mut self, body: Option<FuncId>, pointer: &Expr, size: &Expr, span: Span) -> R<TermId> {
        let node = self.alias.value(pointer).map(|n| self.alias.find(n));
        let (Val::Ptr(p), n) = (self.expr(pointer)?, self.expr(size)?) else { return internal(span, "a pointer") };
        let n = self.int_of(&n);
        let mut parts = Vec::new();
        let named = body.map(|f| named_in(self.unit, f));
        if named.as_ref().is_some_and(|named| named.compares) {
            return Ok(TermId::FALSE);
        }
        for &var in &self.unit.statics {
            let is_named = named.as_ref().is_none_or(|named| named.is_any || named.vars.contains(&var));
            let leads_there = |own: NodeId| {
                let reached = self.alias.reachable_from(own);
                reached.iter().any(|&n| n != self.alias.find(own) && Some(self.alias.find(n)) == node)
            };
            if is_named && self.alias.known_node(var).is_some_and(leads_there) {
                return Ok(TermId::FALSE);
            }
            if !is_named || !self.in_memory(var) || self.is_constant_object(var) {
                continue;
            }
            let own = self.alias.var_node(var);
            if node.is_some_and(|node| self.alias.find(own) != node) {
                continue;
            }
            let size = self.unit.types.size_of(self.unit.vars[var].ty.id).unwrap_or(1) as i128;
            let object = self.var_pointer(var, span)?;
            let size = self.int_const(size);
            parts.push(self.are_separate((p, n), (object, size)));
        }
        Ok(self.pool.and(&parts))
    }

    /// Do objects at two addresses not overlap? Those of no size do not.
    pub(super) fn are_separate(&mut self, (p, n): (PtrVal, IntVal), (q, m): (PtrVal, IntVal)) -> TermId {
        let zero = self.num(0);
        let (none, neither) = (self.le(n.term, zero), self.le(m.term, zero));
        let (end, other_end) = (self.add2(p.addr, n.term), self.add2(q.addr, m.term));
        let (before, after) = (self.le(end, q.addr), self.le(other_end, p.addr));
        self.pool.or(&[none, neither, before, after])
    }

    /// Is there an object of this size in bytes at an address? (Where memory safety is not checked, a pointer that is
    /// not null is valid.)
    pub(super) fn is_valid(&mut self, p: PtrVal, n: IntVal) -> TermId {
        let zero = self.num(0);
        let none = self.le(n.term, zero);
        let Some(base) = p.base.filter(|_| self.mode.check_memsafety) else {
            let exists = self.is_not_null(p);
            return self.pool.or2(none, exists);
        };
        let (alive, sizes) = (self.alloc(), self.size_ghost());
        let (alive, sizes) = (self.program.term(alive), self.program.term(sizes));
        let state = self.pool.select(alive, base);
        let lives = self.gt(state, zero);
        let size = self.pool.select(sizes, base);
        let (end, object_end) = (self.add2(p.addr, n.term), self.add2(base, size));
        let (above, below) = (self.le(base, p.addr), self.le(end, object_end));
        let valid = self.pool.and(&[lives, above, below]);
        self.pool.or2(none, valid)
    }

    /// An object that a function whose contract is checked is given.
    pub(super) fn object_for_contract(&mut self, size: IntVal, span: Span) -> PtrVal {
        let addr = self.bump(size, span);
        if self.mode.check_uninitialised {
            // What is given has values.
            let (start, top) = (self.ghost(Ghost::HeapStart), self.ghost(Ghost::HeapTop));
            let top = self.program.term(top);
            self.emit_hidden(InstrKind::Stmt(IrStmt::Assign(vec![(start, top)])), span);
        }
        if self.mode.check_memsafety {
            self.set_object(addr, super::memory::OUTSIDE_OBJECT, size, span);
        } else if self.mentioned.contains("realloc") {
            let sizes = self.size_ghost();
            self.set_entry_term(sizes, addr, size.term, span);
        }
        PtrVal { addr, base: self.mode.check_memsafety.then_some(addr) }
    }

    // ----- frames -----

    /// The procedures that copy and compare, when everything is lowered.
    pub(super) fn complete_frames(&mut self) {
        for frame in std::mem::take(&mut self.frames) {
            let Some(contract) = self.notes.contracts.contracts.get(frame.contract).cloned() else { continue };
            let (name, span) = (contract.function.as_str(), contract.span);
            let body = contract.body.map(|f| self.proc_of(f));
            let mut written: Vec<ir::VarId> =
                body.map(|p| self.written_by(p)).unwrap_or_default().into_iter().collect();
            written.retain(|&v| self.is_framed(&frame, name, v, span));
            self.f = FunctionState::new(frame.save, span);
            let mut copies = Vec::new();
            for &variable in &written {
                let index = self.framed_index(&frame, variable, span);
                let now = self.state_of(variable, index);
                let old = self.global_var("#frame_before", self.word.sort, Span::NONE);
                self.emit_hidden(InstrKind::Stmt(IrStmt::Assign(vec![(old, now)])), span);
                copies.push((variable, index, old));
            }
            self.finish_function(frame.save);
            self.f = FunctionState::new(frame.compare, span);
            for (variable, index, old) in copies {
                let (now, before) = (self.state_of(variable, index), self.program.term(old));
                let (what, verb) = match self.program.vars[variable].name.as_str() {
                    "#alive" => ("the life of an object of its caller".to_string(), "end"),
                    other if other.starts_with('#') => ("memory that its contract does not name".to_string(), "assign"),
                    other => (format!("{other}, which its contract does not name"), "assign"),
                };
                let same = self.pool.eq(now, before);
                let check = Check::new(Subproperty::Contract, format!("{name} may {verb} {what}"), span)
                    .about(Subject::Claim { failed: format!("{name} {verb}s {what}") });
                self.emit(InstrKind::Assert(same, check), span);
            }
            self.finish_function(frame.compare);
        }
    }

    /// What is compared of a variable: its value, or that of an array at an index.
    fn state_of(&mut self, variable: ir::VarId, index: Option<ir::VarId>) -> TermId {
        let term = self.program.term(variable);
        match index {
            None => term,
            Some(index) => {
                let index = self.program.term(index);
                self.pool.select(term, index)
            }
        }
    }

    /// What a procedure and those that it calls may write.
    fn written_by(&self, start: ProcId) -> BTreeSet<ir::VarId> {
        let mut written = BTreeSet::new();
        let (mut seen, mut work) = (FxHashSet::default(), vec![start]);
        while let Some(proc) = work.pop() {
            if !seen.insert(proc) {
                continue;
            }
            for instr in self.program.procs[proc].body.iter().flat_map(|b| &b.instrs) {
                match &instr.kind {
                    InstrKind::Stmt(IrStmt::Assign(list)) => written.extend(list.iter().map(|(v, _)| *v)),
                    InstrKind::Stmt(IrStmt::Havoc(list, _)) => written.extend(list),
                    InstrKind::Call { callee, results, .. } => {
                        written.extend(results);
                        work.push(*callee);
                    }
                    _ => {}
                }
            }
        }
        written.retain(|&v| self.program.vars[v].kind == VarKind::Global);
        written
    }

    /// Must a variable be as before? What cannot be compared makes the answer unknown.
    fn is_framed(&mut self, frame: &Frame, function: &str, variable: ir::VarId, span: Span) -> bool {
        let ghost = self.memory.ghosts.iter().find(|(_, v)| **v == variable).map(|(ghost, _)| *ghost);
        let name = self.program.vars[variable].name.clone();
        let is_value = |leaf: &Leaf| leaf.value == variable || leaf.base == Some(variable);
        let is_init = |leaf: &Leaf| leaf.init == Some(variable);
        let mut leaves = self.memory.region_list.iter().map(|(_, _, leaf)| leaf).chain(self.memory.plain.values());
        let what = match ghost {
            Some(Ghost::Alive) => return true,
            // Freshly allocated heap blocks are not shared.
            Some(Ghost::HeapTop | Ghost::HeapStart | Ghost::Size | Ghost::OlderAlloca) => return false,
            Some(Ghost::Live) => "memory that it allocates or frees".to_string(),
            Some(Ghost::Rounding) => "the rounding mode".to_string(),
            Some(Ghost::Locks(_)) => "locks".to_string(),
            Some(
                Ghost::Stuck
                | Ghost::WaitsFor
                | Ghost::EndedOne
                | Ghost::Staying
                | Ghost::Running
                | Ghost::Ended
                | Ghost::Joined,
            ) => "threads that wait".to_string(),
            None if leaves.any(is_value) => {
                return !frame.allowed.iter().any(|a| matches!(a, Allowed::Variable(v) if *v == variable));
            }
            // Callers do not rely on what was set.
            None if name.starts_with("#frame") || self.memory.region_list.iter().any(|(_, _, leaf)| is_init(leaf)) => {
                return false;
            }
            None if self.memory.plain.values().any(is_init) => return false,
            None => name,
        };
        self.note_unsound(&format!("the contract of {function} says nothing about {what}"), span);
        false
    }

    /// Of an array: a nondeterministic index that the contract does not name, and that is not part of an object of the
    /// function.
    fn framed_index(&mut self, frame: &Frame, variable: ir::VarId, span: Span) -> Option<ir::VarId> {
        let array = self.int_array();
        if self.program.vars[variable].sort != array {
            return None;
        }
        let index = self.global_var("#frame_at", self.word.sort, Span::NONE);
        self.havoc(vec![index], Nondet::Choice, span);
        let at = self.program.term(index);
        let mut elsewhere = Vec::new();
        for allowed in &frame.allowed {
            if let Allowed::Cells(array, from, to) = allowed
                && *array == variable
            {
                let (from, to) = (self.program.term(*from), self.program.term(*to));
                let (below, above) = (self.lt(at, from), self.gt(at, to));
                elsewhere.push(self.pool.or2(below, above));
            }
        }
        // Objects of the function itself: those in the part of the heap that is new, and those with an address of their
        // own.
        let top = self.program.term(frame.top);
        elsewhere.push(self.lt(at, top));
        let mut own: Vec<(VarId, i128)> = self.memory.var_addresses.iter().map(|(&v, &a)| (v, a)).collect();
        own.sort();
        for (var, address) in own {
            if matches!(self.unit.vars[var].storage, Storage::Static { .. }) {
                continue;
            }
            let size = self.unit.types.size_of(self.unit.vars[var].ty.id).unwrap_or(1 << 20) as i128;
            let (low, high) = (self.num(address), self.num(address + size));
            let (below, above) = (self.lt(at, low), self.ge(at, high));
            elsewhere.push(self.pool.or2(below, above));
        }
        let elsewhere = self.pool.and(&elsewhere);
        self.emit_hidden(InstrKind::Stmt(IrStmt::Assume(elsewhere)), span);
        Some(index)
    }
}

/// The place that an argument reads.
fn place_of(e: &Expr) -> Option<&Place> {
    match &e.kind {
        ExprKind::Load(place) => Some(place),
        ExprKind::AddrOf(place) => match &place.kind {
            PlaceKind::Index(array, _) => Some(array),
            _ => Some(place),
        },
        ExprKind::Convert(inner) => place_of(inner),
        _ => None,
    }
}

/// What a function and those that it calls name.
fn named_in(unit: &Unit, start: FuncId) -> Named<'_> {
    let mut named = Named::new(unit);
    named.funcs.push(start);
    let mut seen = FxHashSet::default();
    while let Some(func) = named.funcs.pop() {
        if seen.insert(func) {
            named.body(unit, func);
        }
    }
    named
}

struct Named<'u> {
    types: &'u Types,
    vars: FxHashSet<VarId>,
    funcs: Vec<FuncId>,
    /// Perhaps all variables.
    is_any: bool,
    /// Are pointers compared with each other, or as numbers?
    compares: bool,
}

impl<'u> Named<'u> {
    fn new(unit: &'u Unit) -> Named<'u> {
        let vars = FxHashSet::default();
        Named { types: &unit.types, vars, funcs: Vec::new(), is_any: false, compares: false }
    }

    /// What a function names without those that it calls.
    fn by_itself(unit: &'u Unit, func: FuncId) -> Named<'u> {
        let mut named = Named::new(unit);
        named.body(unit, func);
        named
    }

    fn body(&mut self, unit: &'u Unit, func: FuncId) {
        for stmt in unit.funcs[func].body.iter().flatten() {
            walk_stmt(stmt, &mut |node| {
                self.visit(&node);
                true
            });
        }
    }

    fn visit(&mut self, node: &Node<'_>) {
        let e = match node {
            Node::Declared(var, _) => return self.vars.extend([*var]),
            Node::Written(place) | Node::Addressed(place) => return self.vars.extend(root(place)),
            Node::Expr(e) => e,
        };
        let is_address = |e: &Expr| self.types.is_pointer(e.ty) && !is_null(e);
        match &e.kind {
            ExprKind::Load(place) => self.vars.extend(root(place)),
            ExprKind::VaCopy(_, from) => self.vars.extend(root(from)),
            ExprKind::Func(func) => self.funcs.push(*func),
            ExprKind::Call { callee: Callee::Direct(func), .. } => self.funcs.push(*func),
            ExprKind::Call { callee: Callee::Indirect(_), .. } => self.is_any = true,
            ExprKind::PtrDiff { .. } => self.compares = true,
            ExprKind::Compare(_, a, b) => self.compares |= is_address(a) && is_address(b),
            ExprKind::Convert(inner) => self.compares |= is_address(inner) && self.types.is_integer(e.ty),
            _ => {}
        }
    }
}

fn is_null(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Int(0) => true,
        ExprKind::Convert(inner) => is_null(inner),
        _ => false,
    }
}
