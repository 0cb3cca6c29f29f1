//! Where executions start, and what is taken for granted there.
//!
//! The program starts in `_start`, which initialises the objects with static storage and calls one of the entry points.
//! `main` gets what the standard promises. Of another function it is assumed that whoever calls it keeps to
//! [`Environment`]: numbers are any; a pointer is null or leads to an object of its own, whose numbers are any and
//! whose pointers are made in the same way; a text ends. Every assumption is listed in the output. Where it has no use
//! (pointers to functions, to `void`, to types without a size) pointers are any.

use std::rc::Rc;

use base::Span;
use ir::{InstrKind, Nondet};

use super::alias::NodeId;
use super::int::IntVal;
use super::memory::{OUTSIDE_OBJECT, PtrVal, STATIC_OBJECT};
use super::reachability::constructors;
use super::{Lowerer, R, Val, unsupported};
use crate::hir::*;
use crate::types::{IntKind, Ty, Type, TypeId};

/// What is taken for granted about the world around the program.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Environment {
    /// `malloc` and its like may return null.
    pub malloc_may_fail: bool,
    /// What entry points other than `main` are given.
    pub pointers: Pointers,
    /// Objects with static storage have any values when such an entry point is called.
    pub any_globals: bool,
}

/// The pointers that an entry point is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pointers {
    /// Nothing is assumed.
    Any,
    Own {
        may_be_null: bool,
        /// How many elements each object has.
        n_elements: u32,
        /// Several pointers may lead to one object.
        may_alias: bool,
    },
}

impl Default for Pointers {
    fn default() -> Pointers {
        Pointers::Own { may_be_null: true, n_elements: 1, may_alias: false }
    }
}

impl Pointers {
    /// `any`, or words of `null`, `object`, `array:N` and `may-alias`, with commas between.
    pub fn parse(text: &str) -> Result<Pointers, String> {
        const MAX_ELEMENTS: u32 = 1024;
        if text == "any" {
            return Ok(Pointers::Any);
        }
        let (mut null, mut n_elements, mut alias) = (false, None, false);
        for word in text.split(',').map(str::trim) {
            match (word, word.strip_prefix("array:").map(str::parse)) {
                ("null", _) => null = true,
                ("object", _) => n_elements = Some(1),
                ("may-alias", _) => alias = true,
                (_, Some(Ok(n))) if (1..=MAX_ELEMENTS).contains(&n) => n_elements = Some(n),
                (_, Some(_)) => return Err(format!("arrays have 1 to {MAX_ELEMENTS} elements, e.g. array:8")),
                _ => return Err(format!("'{word}' is none of any, null, object, array:N, may-alias")),
            }
        }
        // Only `null` is a choice, too.
        Ok(Pointers::Own {
            may_be_null: null,
            n_elements: n_elements.unwrap_or(u32::from(!null || alias)),
            may_alias: alias,
        })
    }
}

impl std::fmt::Display for Pointers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Pointers::Own { may_be_null, n_elements, may_alias } = self else { return f.write_str("any") };
        let objects = (*n_elements > 0).then(|| format!("array:{n_elements}"));
        let words = [may_be_null.then(|| "null".to_string()), objects, may_alias.then(|| "may-alias".to_string())];
        f.write_str(&words.into_iter().flatten().collect::<Vec<_>>().join(","))
    }
}

/// An object that an entry point was given a pointer to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Given {
    ty: TypeId,
    start: i128,
}

/// Pointers in objects are followed so far; then they are null.
const MAX_DEPTH: usize = 3;
/// More objects are not made.
const MAX_GIVEN: usize = 48;
/// Objects with more pointers are not made.
const MAX_POINTERS: usize = 16;
/// Texts are shorter.
const TEXT_ROOM: i128 = 4096;
/// The number of arguments of `main` that have contents; executions with more prove nothing.
const MAIN_TEXTS: i128 = 5;
/// Linux passes no argument of as many bytes or more (`MAX_ARG_STRLEN`).
const ARGUMENT_ROOM: i128 = 131_072;
/// More names are not listed.
const MAX_NAMES: usize = 8;

impl Lowerer<'_> {
    /// Which functions are entered.
    pub(super) fn entry_note(&self) -> String {
        let names: Vec<&str> = self.entries.iter().map(|&f| &*self.unit.funcs[f].name).collect();
        let more = names.len().saturating_sub(MAX_NAMES);
        let listed = names[..names.len() - more].join(", ");
        let has_main = self.unit.funcs.values().any(|f| &*f.name == "main" && (f.body.is_some() || f.broken.is_some()));
        let why = match has_main {
            true => "",
            false => "; there is no main, so functions are called with any arguments (--entry names those to start in)",
        };
        match (&names[..], more) {
            ([_], _) => format!("entry point: {listed}{why}"),
            (_, 0) => format!("entry points: {listed}{why}"),
            _ => format!("entry points: {listed} and {more} more{why}"),
        }
    }

    /// Is it the check of a contract?
    fn is_check(&self, func: FuncId) -> bool {
        self.notes.contracts.contracts.iter().any(|c| c.check == Some(func))
    }

    fn is_main(&self, func: FuncId) -> bool {
        &*self.unit.funcs[func].name == "main"
    }

    /// Can whoever called an entry point, or a function without body, still lead to memory that was allocated?
    pub(super) fn others_keep(&self) -> bool {
        self.alias.heap_escapes()
            || self.entries.iter().any(|&entry| {
                let function = &self.unit.funcs[entry];
                let result = self.unit.types.function(function.ty).map(|f| f.ret.id);
                let types = function.params.iter().map(|&p| self.unit.vars[p].ty.id).chain(result);
                !self.is_main(entry)
                    && types.into_iter().any(|ty| super::alias::holds_pointer_type(&self.unit.types, ty))
            })
    }

    pub(super) fn lower_start(&mut self) -> R<()> {
        self.given.clear();
        let first = self.entries[0];
        for (span, message) in &self.unit.remarks {
            self.note_unsound(message, *span);
            let mark = self.number_temp();
            self.havoc(vec![mark], Nondet::Overapproximation(message.clone()), *span);
        }
        if self.threads.creates_threads && self.mode.assumes_no_races {
            let span = self.unit.funcs[first].span;
            self.note_assumption("there are no data races (check no-data-race)".into(), span);
        }
        self.initialise_statics()?;
        if !self.entries.iter().all(|&e| self.is_main(e) || self.is_check(e)) {
            self.globals_at_entry(self.unit.funcs[first].span)?;
        }
        let end = self.unit.funcs[first].end;
        match &self.entries.clone()[..] {
            [only] => self.enter(*only)?,
            entries => {
                let after = self.new_label();
                let labels: Vec<ir::LabelId> = entries.iter().map(|_| self.new_label()).collect();
                self.choose_label(&labels, Span::NONE);
                for (&entry, label) in entries.iter().zip(labels) {
                    self.place_label(label, Span::NONE);
                    if let Err(what) = self.enter(entry) {
                        self.give_up(&what);
                        let dead = self.new_label();
                        self.place_label(dead, Span::NONE);
                    }
                    self.jump(vec![after], Span::NONE);
                }
                self.place_label(after, Span::NONE);
            }
        }
        self.run_exit_handlers(end);
        self.program_end(true, end)
    }

    /// Goes to one of some labels. The number of the label is chosen, so that an execution can be repeated by its
    /// choices.
    fn choose_label(&mut self, labels: &[ir::LabelId], span: Span) {
        let [first, rest @ ..] = labels else { return };
        let which = self.number_temp();
        self.havoc(vec![which], Nondet::Choice, span);
        let which = self.program.term(which);
        for (i, &label) in rest.iter().enumerate() {
            let number = self.num(i as i128 + 1);
            let here = self.pool.eq(which, number);
            let no = self.branch_hidden(here, span);
            self.jump(vec![label], span);
            self.otherwise_hidden(no, here, span);
        }
        self.jump(vec![*first], span);
    }

    /// Calls an entry point.
    fn enter(&mut self, entry: FuncId) -> R<()> {
        let unit = self.unit;
        let function = &unit.funcs[entry];
        let span = function.span;
        if self.is_variadic(function.ty) {
            return unsupported(span, "variable arguments of the function that executions start in");
        }
        let is_main = self.is_main(entry);
        let contract = self.notes.contracts.contracts.iter().find(|c| c.check == Some(entry)).cloned();
        if contract.is_some() {
            // A contract is about every state that it allows.
            let outer = std::mem::replace(&mut self.mode.environment.any_globals, true);
            let made = self.globals_at_entry(span);
            self.mode.environment.any_globals = outer;
            made?;
        }
        let is_provided =
            |name: &str| contract.as_ref().is_some_and(|c| c.provided.iter().any(|provided| provided == name));
        let mut args = Vec::new();
        let mut count = None;
        for &param in &function.params {
            let (ty, name) = (unit.vars[param].ty, &unit.vars[param].name);
            let is_pointer = unit.types.is_pointer(ty.id);
            let (before, first) = (self.f.body.instrs.len(), args.len());
            if is_provided(name) {
                let null = self.constant_pointer(0);
                self.flatten(&null, &mut args);
                continue;
            }
            let n_parts = 1 + usize::from(self.needs_base(ty.id));
            let is_unused = is_pointer && self.is_ignored(entry, first..first + n_parts);
            let texts = match count {
                Some(count) if is_main && args.len() == 1 && !is_unused => self.main_arguments(param, count, span)?,
                _ => None,
            };
            let has_texts = texts.is_some();
            let value = match (texts, is_main && is_pointer) {
                (Some(value), _) => value,
                // No object of the outside that we make is like the environment.
                (None, true) => self.pointer_from_outside(ty.id, None, name, false, span)?,
                (None, false) => self.entry_argument(param, span)?,
            };
            if is_main && let Val::Int(v) = &value {
                let one = self.num(1);
                let positive = self.ge(v.term, one);
                self.assume(positive, span);
                count = count.or(Some(*v));
            }
            self.flatten(&value, &mut args);
            let is_ignored = self.is_ignored(entry, first..args.len());
            if is_main && matches!(value, Val::Int(_)) && !is_ignored {
                self.note_assumption(format!("{name} is at least 1"), span);
            }
            // The mark of more arguments than have texts stays: no value depends on it.
            if is_pointer && (is_ignored || is_main && !has_texts) {
                // What it points to matters only to executions that read it: many programs test `argc` first.
                for instr in &mut self.f.body.instrs[before..] {
                    if let InstrKind::Stmt(ir::Stmt::Havoc(_, why)) = &mut instr.kind {
                        *why = match why.not_modelled() {
                            Some(what) if !is_ignored => Nondet::Inexact(what.to_string()),
                            _ => Nondet::Choice,
                        };
                    }
                }
            } else if !is_main {
                self.note_given(entry, param);
            }
        }
        self.fill_outside_objects(span)?;
        for func in constructors(unit) {
            self.call_hook(func)?;
        }
        let proc = self.proc_of(entry);
        let results: Vec<ir::VarId> = (0..self.program.procs[proc].results.len()).map(|_| self.number_temp()).collect();
        args.extend(self.self_argument());
        self.emit(InstrKind::Call { callee: proc, args, results }, span);
        Ok(())
    }

    /// Says what is assumed of a parameter.
    fn note_given(&mut self, entry: FuncId, param: VarId) {
        let unit = self.unit;
        let Pointers::Own { may_be_null, n_elements, may_alias } = self.mode.environment.pointers else { return };
        let (ty, name, function) = (unit.vars[param].ty.id, &unit.vars[param].name, &unit.funcs[entry].name);
        let is_record = unit.types.is_record(ty) && super::alias::holds_pointer_type(&unit.types, ty);
        if !is_record && !self.is_pointer_to_object(ty) {
            return;
        }
        let is_text = unit.types.pointee(ty).is_some_and(|t| self.is_character(t.id));
        let object = match n_elements {
            0 => None,
            _ if is_text => Some(format!("a text that ends, of less than {TEXT_ROOM} characters")),
            1 => Some("an object of its type".to_string()),
            n => Some(format!("an array of {n} objects")),
        };
        let null = may_be_null.then(|| "null".to_string());
        let targets: Vec<String> = [null, object].into_iter().flatten().collect();
        let alone = if may_alias { "that others may point to as well" } else { "that nothing else points to" };
        let what = if is_record { "pointers in " } else { "" };
        let targets = targets.join(" or ");
        let alone = if n_elements > 0 { format!(", {alone}") } else { String::new() };
        self.note_assumption(format!("{what}{name} of {function}: {targets}{alone}"), unit.vars[param].span);
    }

    fn is_character(&self, ty: TypeId) -> bool {
        self.unit.types.int_kind(ty) == Some(IntKind::Char)
    }

    /// Is it a pointer to something that an object can be made of?
    fn is_pointer_to_object(&self, ty: TypeId) -> bool {
        let Some(pointee) = self.unit.types.pointee(ty) else { return false };
        let is_other = matches!(self.unit.types.get(pointee.id), Type::Void | Type::Function(_) | Type::VaList);
        !is_other && self.unit.types.size_of(pointee.id).is_some_and(|s| s > 0)
    }

    /// What an entry point is called with.
    fn entry_argument(&mut self, param: VarId, span: Span) -> R<Val> {
        let (ty, name) = (self.unit.vars[param].ty.id, self.unit.vars[param].name.clone());
        let node = self.alias.var_node(param);
        let target = self.alias.pointed_to(node);
        if self.unit.types.is_pointer(ty) {
            return self.given_pointer(ty, target, &name, 0, span);
        }
        if !self.unit.types.is_record(ty) {
            return self.arbitrary(ty, Nondet::Input(name.to_string()), span);
        }
        let mut values = Vec::new();
        for (_, part, _) in self.scalars(ty)? {
            values.push(if self.unit.types.is_pointer(part.id) {
                self.given_pointer(part.id, target, &name, 0, span)?
            } else {
                self.arbitrary(part.id, Nondet::Choice, span)?
            });
        }
        Ok(Val::Record(Rc::new(values)))
    }

    /// A pointer that an entry point is given, as [`Pointers`] says.
    fn given_pointer(&mut self, ty: TypeId, node: Option<NodeId>, name: &str, depth: usize, span: Span) -> R<Val> {
        let unit = self.unit;
        let any = |this: &mut Self| this.pointer_from_outside(ty, node, name, true, span);
        let Pointers::Own { may_be_null, n_elements, may_alias } = self.mode.environment.pointers else {
            return any(self);
        };
        let (Some(node), Some(pointee), true) = (node, unit.types.pointee(ty), self.is_pointer_to_object(ty)) else {
            return any(self);
        };
        let is_last = depth >= MAX_DEPTH;
        let pointers = match self.scalars(pointee.id) {
            Ok(scalars) => scalars.into_iter().filter(|s| unit.types.is_pointer(s.1.id)).collect::<Vec<_>>(),
            Err(_) if super::alias::holds_pointer_type(&unit.types, pointee.id) => return any(self),
            Err(_) => Vec::new(),
        };
        let is_text = self.is_character(pointee.id);
        let size = unit.types.size_of(pointee.id).unwrap_or(1) as i128;
        if !self.alias.is_dynamic(node)
            || self.given.len() >= MAX_GIVEN
            || pointers.len() * n_elements as usize > MAX_POINTERS
            || super::alias::has_union(&unit.types, pointee.id) && !pointers.is_empty()
        {
            return any(self);
        }
        if is_last {
            self.note_assumption_once("what pointers lead to in more than three steps is null", span);
        }
        if may_alias && self.given.iter().any(|g| self.may_overlap(g.ty, pointee.id)) {
            self.note_unsound("a pointer that may lead into a part of another object", span);
        }
        if may_alias && self.may_be_a_global(pointee.id) {
            self.note_unsound("a pointer that may lead to a global variable", span);
        }
        let addr = self.number_temp();
        let base = self.needs_base(ty).then(|| self.number_temp());
        let parts: Vec<ir::VarId> = [Some(addr), base].into_iter().flatten().collect();
        // Of two pointers to one type with different classes, at least one is never followed, only compared.
        let earlier = self.given.iter().filter(|g| may_alias && g.ty == pointee.id);
        let mut targets: Vec<i128> = earlier.map(|g| g.start).collect();
        let is_null_possible = may_be_null || is_last || n_elements == 0;
        targets.extend(is_null_possible.then_some(0));
        let own = (n_elements > 0 && !is_last).then(|| {
            let start = self.reserve(if is_text { TEXT_ROOM } else { size * i128::from(n_elements) });
            self.given.push(Given { ty: pointee.id, start });
            start
        });
        let labels: Vec<ir::LabelId> = targets.iter().chain(&own).map(|_| self.new_label()).collect();
        let end = self.new_label();
        self.choose_label(&labels, span);
        for (&start, &label) in targets.iter().chain(&own).zip(&labels) {
            self.place_label(label, span);
            let here = self.num(start);
            if start == 0 && !may_be_null && n_elements > 0 {
                // The user has not allowed this null: an execution that depends on it shows nothing.
                self.havoc(parts.clone(), Nondet::Inexact("what pointers lead to in many steps".into()), span);
                for &v in &parts {
                    let value = self.program.term(v);
                    let is_here = self.pool.eq(value, here);
                    self.emit_hidden(InstrKind::Stmt(ir::Stmt::Assume(is_here)), span);
                }
            } else {
                let list = parts.iter().map(|&v| (v, here)).collect();
                self.emit_hidden(InstrKind::Stmt(ir::Stmt::Assign(list)), span);
            }
            if own == Some(start) {
                let object = PtrVal { addr: here, base: base.map(|_| here) };
                let n = i128::from(n_elements);
                match is_text {
                    true => self.make_text(object, node, pointee, (OUTSIDE_OBJECT, TEXT_ROOM), span)?,
                    false => self.make_object(object, node, pointee, (size, n), name, depth, span)?,
                }
            }
            self.jump(vec![end], span);
        }
        self.place_label(end, span);
        let (addr, base) = (self.program.term(addr), base.map(|b| self.program.term(b)));
        Ok(Val::Ptr(PtrVal { addr, base }))
    }

    /// Is there a variable with static storage, in which an object of the type may lie, and that callers may have the
    /// address of?
    fn may_be_a_global(&self, ty: TypeId) -> bool {
        let unit = self.unit;
        unit.statics.iter().any(|&var| {
            let data = &unit.vars[var];
            let is_seen = data.is_external || self.in_memory(var);
            let mut element = data.ty.id;
            while let Type::Array(inner, _) = *unit.types.get(element) {
                element = inner.id;
            }
            is_seen && !data.hidden && (element == ty || self.may_overlap(element, ty))
        })
    }

    /// May an object of one type lie inside one of the other?
    fn may_overlap(&self, a: TypeId, b: TypeId) -> bool {
        let types = &self.unit.types;
        a != b && (self.is_character(a) || self.is_character(b) || types.has_part(a, b) || types.has_part(b, a))
    }

    /// The object at an address: any numbers, and pointers like those of the entry point.
    #[expect(clippy::too_many_arguments, reason = "all of them say which object it is")]
    fn make_object(
        &mut self,
        object: PtrVal,
        node: NodeId,
        ty: Ty,
        (size, n): (i128, i128),
        name: &str,
        depth: usize,
        span: Span,
    ) -> R<()> {
        if self.mode.check_memsafety {
            let bytes = self.int_const(size * n);
            self.set_object(object.addr, OUTSIDE_OBJECT, bytes, span);
        }
        if !super::alias::holds_pointer_type(&self.unit.types, ty.id) {
            return Ok(());
        }
        let target = self.alias.pointed_to(node);
        for i in 0..n {
            let offset = self.num(i * size);
            let addr = self.add2(object.addr, offset);
            let element = self.deref_loc(PtrVal { addr, ..object }, node, ty.id);
            for (path, part, _) in self.scalars(ty.id)? {
                if self.unit.types.is_pointer(part.id) {
                    let value = self.given_pointer(part.id, target, name, depth + 1, span)?;
                    let (loc, part) = self.walk_path(element.clone(), ty, &path, span)?;
                    self.store_initial(&loc, part, &value, span)?;
                }
            }
        }
        Ok(())
    }

    /// What the second parameter of `main` points to: pointers to texts, and a null pointer behind them (C11
    /// 5.1.2.2.1). The first ones have texts of their own; of the others nothing is known.
    fn main_arguments(&mut self, param: VarId, count: IntVal, span: Span) -> R<Option<Val>> {
        let unit = self.unit;
        let Some(pointer) = unit.types.pointee(unit.vars[param].ty.id) else { return Ok(None) };
        let Some(character) = unit.types.pointee(pointer.id).filter(|t| self.is_character(t.id)) else {
            return Ok(None);
        };
        let node = self.alias.var_node(param);
        let Some(list) = self.alias.pointed_to(node) else { return Ok(None) };
        let texts = self.alias.pointed_to(list);
        if ![Some(list), texts].into_iter().flatten().all(|n| self.alias.is_dynamic(n)) {
            return Ok(None);
        }
        let has_base = self.mode.check_memsafety;
        let width = unit.types.pointer_size() as i128;
        // With more there would be no room for the texts.
        let most = if width == 8 { i128::from(i32::MAX) } else { 1 << 27 };
        let start = self.reserve((most + 1) * width);
        let (most_term, list_start) = (self.num(most), self.num(start));
        let fits = self.le(count.term, most_term);
        self.assume_fact(fits, span);
        let object = PtrVal { addr: list_start, base: has_base.then_some(list_start) };
        let (one, bytes) = (self.num(1), self.num(width));
        let length = self.add2(count.term, one);
        let size = self.mul2(length, bytes);
        if has_base {
            let size = IntVal { term: size, lo: 2 * width, hi: (most + 1) * width };
            self.set_object(object.addr, STATIC_OBJECT, size, span);
        }
        let null = self.num(0);
        let offset = self.mul2(count.term, bytes);
        let end = self.add2(object.addr, offset);
        let loc = self.deref_loc(PtrVal { addr: end, ..object }, list, pointer.id);
        let none = Val::Ptr(PtrVal { addr: null, base: has_base.then_some(null) });
        self.store_initial(&loc, Ty::plain(pointer.id), &none, span)?;
        for i in 0..MAIN_TEXTS {
            let text = self.reserve(ARGUMENT_ROOM);
            let text = self.num(text);
            if let Some(texts) = texts {
                let object = PtrVal { addr: text, base: has_base.then_some(text) };
                self.make_text(object, texts, character, (STATIC_OBJECT, ARGUMENT_ROOM), span)?;
            }
            let number = self.num(i);
            let exists = self.lt(number, count.term);
            let value = self.pool.ite(exists, text, null);
            let place = self.num(start + i * width);
            let loc = self.deref_loc(PtrVal { addr: place, ..object }, list, pointer.id);
            let value = Val::Ptr(PtrVal { addr: value, base: has_base.then_some(value) });
            self.store_initial(&loc, Ty::plain(pointer.id), &value, span)?;
        }
        let few = self.num(MAIN_TEXTS);
        let more = self.gt(count.term, few);
        let after = self.new_label();
        let no = self.branch_hidden(more, span);
        let mark = self.number_temp();
        let what = format!("more than {MAIN_TEXTS} arguments of main");
        self.havoc(vec![mark], Nondet::Overapproximation(what), span);
        self.jump(vec![after], span);
        self.otherwise_hidden(no, more, span);
        self.place_label(after, span);
        Ok(Some(Val::Ptr(object)))
    }

    /// Addresses for an object that is there from the start.
    fn reserve(&mut self, bytes: i128) -> i128 {
        let start = self.memory.next_address;
        self.memory.next_address = (start + bytes + 31) / 16 * 16;
        start
    }

    /// A text of any length at an address, in an object with a liveness state and a maximal size in bytes.
    fn make_text(&mut self, object: PtrVal, node: NodeId, ty: Ty, (state, room): (i128, i128), span: Span) -> R<()> {
        let size = self.number_temp();
        self.havoc(vec![size], Nondet::Choice, span);
        let size = self.program.term(size);
        let fits = self.in_range(size, 1, room);
        self.assume(fits, span);
        if self.mode.check_memsafety {
            self.set_object(object.addr, state, IntVal { term: size, lo: 1, hi: room }, span);
        }
        let one = self.num(1);
        let last = self.minus(size, one);
        let addr = self.add2(object.addr, last);
        let loc = self.deref_loc(PtrVal { addr, ..object }, node, ty.id);
        let zero = Val::Int(self.int_const(0));
        self.store_initial(&loc, Ty::plain(ty.id), &zero, span)
    }

    /// What objects with static storage hold when a function of the program is called from outside.
    fn globals_at_entry(&mut self, span: Span) -> R<()> {
        let unit = self.unit;
        let mut is_assumed = false;
        for &var in &unit.statics {
            let data = &unit.vars[var];
            let is_used = match self.in_memory(var) {
                true => self.memory.var_addresses.contains_key(&var),
                false => self.memory.plain.keys().any(|(v, _)| *v == var),
            };
            let is_open = data.storage == Storage::Static { defined: true } && !data.hidden;
            if !is_used || !is_open || self.is_constant_object(var) {
                continue;
            }
            if !self.mode.environment.any_globals {
                is_assumed |= self.reach.assigned.contains(&var) || self.in_memory(var);
                continue;
            }
            let Ok(scalars) = self.scalars(data.ty.id) else {
                self.note_unsound(&format!("any value of {}, which is large", data.name), data.span);
                continue;
            };
            let node = self.alias.var_node(var);
            let target = self.alias.pointed_to(node);
            for (path, part, bits) in scalars {
                let name = format!("{}{}", data.name, self.path_text(data.ty.id, &path));
                if bits.is_some() || unit.types.is_pointer(part.id) && !self.alias_is_ready(target) {
                    self.note_unsound(&format!("any value of {name}"), data.span);
                    continue;
                }
                if unit.types.is_pointer(part.id) {
                    let pointers = self.mode.environment.pointers;
                    self.note_assumption(
                        format!("{name}: a pointer as entry points are given ({pointers})"),
                        data.span,
                    );
                }
                let value = match unit.types.is_pointer(part.id) {
                    true => self.given_pointer(part.id, target, &name, 0, data.span)?,
                    false => self.arbitrary(part.id, Nondet::Input(name), data.span)?,
                };
                let loc = self.var_loc(var, data.span)?;
                let (loc, part) = self.walk_path(loc, data.ty, &path, data.span)?;
                self.store_initial(&loc, part, &value, data.span)?;
            }
        }
        if is_assumed {
            self.note_assumption_once("globals have their initial values (see --globals)", span);
        }
        Ok(())
    }

    /// Can memory that pointers of a class lead to hold anything?
    fn alias_is_ready(&self, target: Option<NodeId>) -> bool {
        target.is_some_and(|node| self.alias.is_dynamic(node))
    }
}
