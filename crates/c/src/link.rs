//! Several translation units become one program.
//!
//! What a linker does with symbols is done here with typed units (C11 6.2.2, 6.2.7, 6.9): names with external linkage
//! mean one thing everywhere, names with internal linkage one in each unit. Unlike a linker we know types, and
//! declarations of one thing that do not agree are errors, with both places. So are two definitions; a tentative
//! definition is one (gcc since version 10, `-fno-common`).
//!
//! * A record is one with the records of other units that have its tag (or none, too), its members and its layout. An
//!   incomplete one is what the other units define under its tag, if they agree; otherwise it stays incomplete and
//!   agrees with all of them.
//! * Of several definitions of a function the strong one counts, then the first weak one, then that of our library.
//! * An inline definition (6.7.4) is no external definition: it belongs to its unit.

use std::sync::Arc;

use base::{Diagnostic, Id, IdVec, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::hir::*;
use crate::rewrite::Rewrite;
use crate::types::*;

/// Links units. `is_library` tells the places of our own library.
pub(crate) fn link(units: Vec<Unit>, is_library: &dyn Fn(Span) -> bool) -> Result<Unit, Vec<Diagnostic>> {
    let mut units = units;
    if units.len() == 1
        && let Some(only) = units.pop()
    {
        return Ok(only);
    }
    let symbols = Symbols::resolve(&units, is_library)?;
    let (types, maps) = merge_types(&units, &symbols.of_units);
    let mut linker = Linker { symbols, types, maps, errors: Vec::new() };
    linker.check_functions(&units);
    linker.check_objects(&units);
    if !linker.errors.is_empty() {
        linker.errors.sort_by_key(|d| (d.span.file, d.span.start));
        return Err(linker.errors);
    }
    Ok(linker.build(units))
}

/// The numbers of a unit's things in the program.
struct Numbers {
    vars: IdVec<VarId, VarId>,
    funcs: IdVec<FuncId, FuncId>,
    first_label: u32,
}

/// What the things of the program are in the units: one of a unit, or those that a name with external linkage stands
/// for.
struct Symbols {
    funcs: IdVec<FuncId, Vec<(usize, FuncId)>>,
    vars: IdVec<VarId, Vec<(usize, VarId)>>,
    of_units: Vec<Numbers>,
}

#[derive(Clone, Copy)]
enum Symbol {
    Func(FuncId),
    Var(VarId),
}

impl Symbol {
    fn func(self) -> Option<FuncId> {
        match self {
            Symbol::Func(func) => Some(func),
            Symbol::Var(_) => None,
        }
    }
    fn var(self) -> Option<VarId> {
        match self {
            Symbol::Var(var) => Some(var),
            Symbol::Func(_) => None,
        }
    }
    fn what(self) -> &'static str {
        match self {
            Symbol::Func(_) => "a function",
            Symbol::Var(_) => "an object",
        }
    }
}

/// The names with external linkage, each with what it was first declared to be.
#[derive(Default)]
struct Names {
    known: FxHashMap<Arc<str>, (Symbol, Span)>,
    errors: Vec<Diagnostic>,
}

impl Names {
    /// What a name stands for that was declared to be `new`, unless it was declared before.
    fn find<I: Copy>(
        &mut self,
        name: &Arc<str>,
        span: Span,
        new: I,
        symbol: fn(I) -> Symbol,
        of_kind: fn(Symbol) -> Option<I>,
    ) -> I {
        let Some(&(first, at)) = self.known.get(name) else {
            self.known.insert(name.clone(), (symbol(new), span));
            return new;
        };
        of_kind(first).unwrap_or_else(|| {
            let (here, there) = (symbol(new).what(), first.what());
            let error = Diagnostic::error(span, format!("'{name}' is {here} here and {there} in another file"));
            self.errors.push(error.with_note(at, format!("'{name}' is declared here")));
            new
        })
    }
}

impl Symbols {
    fn resolve(units: &[Unit], is_library: &dyn Fn(Span) -> bool) -> Result<Symbols, Vec<Diagnostic>> {
        let mut this = Symbols { funcs: IdVec::new(), vars: IdVec::new(), of_units: Vec::new() };
        let mut names = Names::default();
        let mut first_label = 0;
        for (u, unit) in units.iter().enumerate() {
            let mut funcs = IdVec::new();
            for (id, function) in unit.funcs.iter() {
                let is_own = function.is_internal || function.is_inline && function.body.is_some();
                let new = FuncId::from_index(this.funcs.len());
                let here = match is_own {
                    true => new,
                    false => names.find(&function.name, function.span, new, Symbol::Func, Symbol::func),
                };
                add(&mut this.funcs, here, (u, id));
                funcs.push(here);
            }
            let mut vars = IdVec::new();
            for (id, var) in unit.vars.iter() {
                let is_static = matches!(var.storage, Storage::Static { .. }) && var.owner.is_none() && !var.hidden;
                let is_own = !is_static || !var.is_external && !is_library(var.span);
                let new = VarId::from_index(this.vars.len());
                let here = match is_own {
                    true => new,
                    false => names.find(&var.name, var.span, new, Symbol::Var, Symbol::var),
                };
                add(&mut this.vars, here, (u, id));
                vars.push(here);
            }
            this.of_units.push(Numbers { vars, funcs, first_label });
            first_label += unit.labels.len() as u32;
        }
        if names.errors.is_empty() { Ok(this) } else { Err(names.errors) }
    }
}

/// Adds what a unit has to a symbol, which may be the next one.
fn add<I: Id, T>(symbols: &mut IdVec<I, Vec<T>>, symbol: I, member: T) {
    if symbol.index() == symbols.len() {
        symbols.push(Vec::new());
    }
    symbols[symbol].push(member);
}

fn defined_twice(name: &str, span: Span, first: Span) -> Diagnostic {
    Diagnostic::error(span, format!("multiple definition of '{name}'")).with_note(first, "first defined here")
}

/// How much a declaration of a function says: our body counts less than any of the program.
fn weight(function: &Function) -> u8 {
    match function.body.is_some() || function.broken.is_some() {
        false => 0,
        true if function.is_library => 1,
        true if function.is_weak => 2,
        true => 3,
    }
}

// ----- types -----

/// From the types of a unit to those of the program.
type TypeMap = IdVec<TypeId, TypeId>;

fn merge_types(units: &[Unit], numbers: &[Numbers]) -> (Types, Vec<TypeMap>) {
    let Some(first) = units.first() else { return (Types::new(crate::DataModel::default()), Vec::new()) };
    let classes = Classes::of(units);
    let mut types = Types::new(first.types.model);
    for &(u, record) in &classes.representatives {
        let record = &units[u].types.records[record];
        types.records.push(Record { fields: None, ..record.clone() });
    }
    let mut maps = Vec::new();
    for (u, unit) in units.iter().enumerate() {
        let mut map = IdVec::new();
        // A type is made of earlier ones.
        for (_, ty) in unit.types.iter() {
            let mapped = mapped_type(ty, u, &unit.types, &map, &classes, &numbers[u], &mut types);
            map.push(mapped);
        }
        maps.push(map);
    }
    for (class, &(u, record)) in classes.representatives.iter().enumerate() {
        let Some(fields) = &units[u].types.records[record].fields else { continue };
        let field = |f: &Field| Field { ty: Ty { id: maps[u][f.ty.id], ..f.ty }, ..f.clone() };
        types.records[RecordId(class as u32)].fields = Some(fields.iter().map(field).collect());
    }
    (types, maps)
}

fn mapped_type(
    ty: &Type,
    unit: usize,
    own: &Types,
    map: &TypeMap,
    classes: &Classes,
    numbers: &Numbers,
    types: &mut Types,
) -> TypeId {
    let qualified = |ty: Ty| Ty { id: map[ty.id], ..ty };
    let mapped = match ty {
        Type::Void | Type::Int(_) | Type::Float(_) | Type::VaList => ty.clone(),
        Type::Pointer(to) => Type::Pointer(qualified(*to)),
        Type::Array(element, ArrayLen::Vla(var)) => Type::Array(qualified(*element), ArrayLen::Vla(numbers.vars[*var])),
        Type::Array(element, len) => Type::Array(qualified(*element), *len),
        Type::Function(f) => Type::Function(Arc::new(FnType {
            ret: qualified(f.ret),
            params: f.params.iter().map(|&p| qualified(p)).collect(),
            ..**f
        })),
        Type::Record(record) => match own.records[*record].shape {
            Shape::Members => Type::Record(classes.class[unit][*record]),
            shape => {
                let shape = match shape {
                    Shape::Vector { element, length } => Shape::Vector { element: map[element], length },
                    Shape::Complex(part) => Shape::Complex(map[part]),
                    Shape::Members => shape,
                };
                // It was laid out in its unit, so it can be here.
                return types.shaped(shape).unwrap_or(TypeId::VOID);
            }
        },
    };
    types.intern(mapped)
}

/// Which records of the units are one.
struct Classes {
    class: Vec<IdVec<RecordId, RecordId>>,
    representatives: Vec<(usize, RecordId)>,
}

impl Classes {
    fn of(units: &[Unit]) -> Classes {
        let mut this = Classes {
            class: units.iter().map(|u| u.types.records.iter().map(|_| RecordId(0)).collect()).collect(),
            representatives: Vec::new(),
        };
        // The classes of complete records by what is easily compared.
        let mut known: FxHashMap<String, Vec<RecordId>> = FxHashMap::default();
        let mut of_tag: FxHashMap<String, Vec<RecordId>> = FxHashMap::default();
        for (u, unit) in units.iter().enumerate() {
            for (id, record) in unit.types.records.iter() {
                let Some(fields) = record.fields.as_ref().filter(|_| record.shape == Shape::Members) else { continue };
                let names: Vec<&str> = fields.iter().map(|f| f.name.as_deref().unwrap_or("")).collect();
                let key = format!("{} {} {}", tag(record).unwrap_or(""), record.size, names.join(" "));
                let candidates = known.entry(key).or_default();
                let same = candidates.iter().copied().find(|c| {
                    let mut seen = FxHashSet::default();
                    same_record(units, this.representatives[c.0 as usize], (u, id), &mut seen)
                });
                let class = same.unwrap_or_else(|| this.add(u, id));
                if same.is_none() {
                    candidates.push(class);
                    if let Some(tag) = tag(record) {
                        of_tag.entry(tag.to_string()).or_default().push(class);
                    }
                }
                this.class[u][id] = class;
            }
        }
        for (u, unit) in units.iter().enumerate() {
            for (id, record) in unit.types.records.iter() {
                if record.shape != Shape::Members || record.fields.is_some() {
                    continue;
                }
                let meant = tag(record).and_then(|t| of_tag.get(t)).map(Vec::as_slice);
                this.class[u][id] = match meant {
                    Some(&[only]) => only,
                    _ => this.add(u, id),
                };
            }
        }
        this
    }

    fn add(&mut self, unit: usize, record: RecordId) -> RecordId {
        self.representatives.push((unit, record));
        RecordId(self.representatives.len() as u32 - 1)
    }
}

/// `struct s`, if it has a tag.
fn tag(record: &Record) -> Option<&str> {
    Some(record.name.as_str()).filter(|name| !name.contains('<'))
}

type InUnit<T> = (usize, T);

/// Are records of two units compatible (C11 6.2.7)? Pairs that were met before are taken to be so.
fn same_record(
    units: &[Unit],
    a: InUnit<RecordId>,
    b: InUnit<RecordId>,
    seen: &mut FxHashSet<(InUnit<RecordId>, InUnit<RecordId>)>,
) -> bool {
    if a == b || !seen.insert((a, b)) {
        return true;
    }
    let (x, y) = (&units[a.0].types.records[a.1], &units[b.0].types.records[b.1]);
    if tag(x) != tag(y) || x.is_union != y.is_union {
        return false;
    }
    match (x.shape, y.shape) {
        (Shape::Members, Shape::Members) => {}
        (Shape::Vector { element: e, length: n }, Shape::Vector { element: f, length: m }) => {
            return n == m && same_type(units, (a.0, e), (b.0, f), seen);
        }
        (Shape::Complex(e), Shape::Complex(f)) => return same_type(units, (a.0, e), (b.0, f), seen),
        _ => return false,
    }
    let (Some(of_x), Some(of_y)) = (&x.fields, &y.fields) else { return tag(x).is_some() };
    (x.size, x.align, of_x.len()) == (y.size, y.align, of_y.len())
        && of_x.iter().zip(of_y.iter()).all(|(f, g)| {
            (&f.name, f.width, f.bit_offset, f.ty.quals) == (&g.name, g.width, g.bit_offset, g.ty.quals)
                && same_type(units, (a.0, f.ty.id), (b.0, g.ty.id), seen)
        })
}

fn same_type(
    units: &[Unit],
    a: InUnit<TypeId>,
    b: InUnit<TypeId>,
    seen: &mut FxHashSet<(InUnit<RecordId>, InUnit<RecordId>)>,
) -> bool {
    let mut same = |x: Ty, y: Ty| x.quals == y.quals && same_type(units, (a.0, x.id), (b.0, y.id), seen);
    match (units[a.0].types.get(a.1), units[b.0].types.get(b.1)) {
        (Type::Pointer(x), Type::Pointer(y)) => same(*x, *y),
        (Type::Array(x, m), Type::Array(y, n)) => {
            let is_open = |len: &ArrayLen| !matches!(len, ArrayLen::Known(_));
            (m == n || is_open(m) || is_open(n)) && same(*x, *y)
        }
        (Type::Function(f), Type::Function(g)) => {
            let is_open = !f.prototyped || !g.prototyped;
            same(f.ret, g.ret)
                && (is_open
                    || (f.variadic, f.params.len()) == (g.variadic, g.params.len())
                        && f.params.iter().zip(&g.params).all(|(x, y)| same(Ty::plain(x.id), Ty::plain(y.id))))
        }
        (Type::Record(x), Type::Record(y)) => same_record(units, (a.0, *x), (b.0, *y), seen),
        (x @ (Type::Void | Type::Int(_) | Type::Float(_) | Type::VaList), y) => x == y,
        _ => false,
    }
}

// ----- symbols -----

struct Linker {
    symbols: Symbols,
    types: Types,
    maps: Vec<TypeMap>,
    errors: Vec<Diagnostic>,
}

impl Linker {
    /// All declarations of a function agree, and one of them defines it.
    fn check_functions(&mut self, units: &[Unit]) {
        let mut errors = Vec::new();
        for (_, members) in self.symbols.funcs.iter() {
            let of = |&(u, id): &(usize, FuncId)| (&units[u].funcs[id], self.maps[u][units[u].funcs[id].ty]);
            let mut strong = members.iter().map(of).filter(|(f, _)| weight(f) == 3);
            if let Some((first, _)) = strong.next() {
                errors.extend(strong.map(|(f, _)| {
                    let error = defined_twice(&f.name, f.span, first.span);
                    error.with_note(Span::NONE, "a function that several files include is static or inline")
                }));
            }
            let mut declared = members.iter().map(of).filter(|(f, _)| !f.is_assumed && !f.is_library);
            let Some((first, ty)) = declared.next() else { continue };
            let other = declared.find(|(_, other)| !self.agree(ty, *other));
            errors.extend(other.map(|(f, other)| self.conflict(&f.name, (f.span, other), (first.span, ty))));
        }
        self.errors.append(&mut errors);
    }

    /// All declarations of an object agree, and one of them defines it.
    fn check_objects(&mut self, units: &[Unit]) {
        let mut errors = Vec::new();
        for (_, members) in self.symbols.vars.iter().filter(|(_, m)| m.len() > 1) {
            let of = |&(u, id): &(usize, VarId)| (&units[u].vars[id], self.maps[u][units[u].vars[id].ty.id]);
            let mut defined = members
                .iter()
                .map(of)
                .filter(|(v, _)| v.is_external && v.storage == (Storage::Static { defined: true }));
            if let Some((first, _)) = defined.next() {
                errors.extend(defined.map(|(v, _)| {
                    let advice = format!("define '{}' in one file, and declare it extern in the others", v.name);
                    defined_twice(&v.name, v.span, first.span).with_note(Span::NONE, advice)
                }));
            }
            let mut all = members.iter().map(of);
            let Some((first, ty)) = all.next() else { continue };
            for (var, other) in all {
                let quals = |v: &Var| (v.ty.quals.is_const, v.ty.quals.is_volatile, v.ty.quals.is_atomic);
                if !self.agree(ty, other) {
                    errors.push(self.conflict(&var.name, (var.span, other), (first.span, ty)));
                } else if quals(var) != quals(first) || var.thread_local != first.thread_local {
                    let what = match var.thread_local == first.thread_local {
                        true => "type qualifiers",
                        false => "storage (one object is thread-local, the other is not)",
                    };
                    let message = format!("conflicting {what} for '{}'", var.name);
                    errors.push(Diagnostic::error(var.span, message).with_note(first.span, "declared here"));
                }
            }
        }
        self.errors.append(&mut errors);
    }

    fn conflict(&self, name: &str, (span, ty): (Span, TypeId), (at, other): (Span, TypeId)) -> Diagnostic {
        let message = format!("conflicting types for '{name}'; have '{}'", self.types.show(ty));
        Diagnostic::error(span, message).with_note(at, format!("declared with type '{}' here", self.types.show(other)))
    }

    /// Are types compatible? A record that is incomplete in its unit is so with any of its tag.
    fn agree(&self, a: TypeId, b: TypeId) -> bool {
        let types = &self.types;
        let same = |x: Ty, y: Ty| x.quals == y.quals && self.agree(x.id, y.id);
        match (types.get(a), types.get(b)) {
            _ if types.compatible(a, b) => true,
            (Type::Record(x), Type::Record(y)) => {
                let (x, y) = (&types.records[*x], &types.records[*y]);
                (x.fields.is_none() || y.fields.is_none()) && tag(x).is_some() && tag(x) == tag(y)
            }
            (Type::Pointer(x), Type::Pointer(y)) => same(*x, *y),
            (Type::Array(x, m), Type::Array(y, n)) => {
                let is_open = |len: &ArrayLen| !matches!(len, ArrayLen::Known(_));
                (m == n || is_open(m) || is_open(n)) && same(*x, *y)
            }
            (Type::Function(f), Type::Function(g)) => {
                let is_open = !f.prototyped || !g.prototyped;
                self.agree(f.ret.id, g.ret.id)
                    && (is_open
                        || (f.variadic, f.params.len()) == (g.variadic, g.params.len())
                            && f.params.iter().zip(&g.params).all(|(x, y)| self.agree(x.id, y.id)))
            }
            _ => false,
        }
    }

    // ----- the program -----

    fn build(self, units: Vec<Unit>) -> Unit {
        let Linker { symbols, types, maps, .. } = self;
        // Which of its members a function or object is made of.
        let mut made_of = FxHashSet::default();
        let mut func_at = FxHashMap::default();
        for (id, members) in symbols.funcs.iter() {
            let best = members.iter().rev().max_by_key(|(u, f)| {
                let function = &units[*u].funcs[*f];
                let is_prototyped = units[*u].types.function(function.ty).is_some_and(|t| t.prototyped);
                (weight(function), !function.is_assumed, is_prototyped)
            });
            if let Some(&best) = best {
                made_of.insert(best);
                func_at.insert(best, id);
            }
        }
        let mut statics = Vec::new();
        let mut funcs: Vec<Option<Function>> = symbols.funcs.iter().map(|_| None).collect();
        let mut vars: Vec<Option<Var>> = symbols.vars.iter().map(|_| None).collect();
        let (mut labels, mut remarks) = (IdVec::new(), Vec::new());
        let mut flags: Vec<Flags> = symbols.funcs.iter().map(|_| Flags::default()).collect();
        let mut is_static: FxHashSet<VarId> = FxHashSet::default();
        for (u, unit) in units.into_iter().enumerate() {
            let relocation = Relocation { numbers: &symbols.of_units[u], types: &maps[u] };
            // What belongs to a body that does not count is not there.
            let is_dropped = |var: &Var| var.owner.is_some_and(|f| !made_of.contains(&(u, f)));
            for &var in &unit.statics {
                let here = relocation.numbers.vars[var];
                if !is_dropped(&unit.vars[var]) && is_static.insert(here) {
                    statics.push(here);
                }
            }
            for (id, var) in unit.vars.iter() {
                let slot = &mut vars[relocation.numbers.vars[id].0 as usize];
                let var = relocation.var(var);
                *slot = Some(match slot.take() {
                    None => var,
                    Some(old) => joined(old, var, &types),
                });
            }
            for (id, function) in unit.funcs.iter() {
                let here = relocation.numbers.funcs[id];
                flags[here.0 as usize].add(function);
                if func_at.get(&(u, id)) == Some(&here) {
                    funcs[here.0 as usize] = Some(relocation.function(function));
                }
            }
            for label in unit.labels.values() {
                labels.push(label.clone());
            }
            remarks.extend(unit.remarks);
        }
        let funcs = funcs.into_iter().zip(flags).filter_map(|(f, flags)| f.map(|f| flags.on(f))).collect();
        let vars = vars.into_iter().flatten().collect();
        Unit { types, vars, funcs, labels, statics, remarks, is_linked: true }
    }
}

/// What any declaration of a function says of it.
#[derive(Default)]
struct Flags {
    noreturn: bool,
    is_pure: bool,
    returns_nonnull: bool,
    address_taken: bool,
    constructor: Option<i128>,
    destructor: Option<i128>,
    is_weak: bool,
}

impl Flags {
    fn add(&mut self, function: &Function) {
        self.noreturn |= function.noreturn;
        self.is_pure |= function.is_pure;
        self.returns_nonnull |= function.returns_nonnull;
        self.address_taken |= function.address_taken;
        self.constructor = self.constructor.or(function.constructor);
        self.destructor = self.destructor.or(function.destructor);
        self.is_weak |= function.is_weak;
    }
    fn on(self, function: Function) -> Function {
        let Flags { noreturn, is_pure, returns_nonnull, address_taken, constructor, destructor, is_weak } = self;
        let is_weak = is_weak && function.body.is_none();
        Function { noreturn, is_pure, returns_nonnull, address_taken, constructor, destructor, is_weak, ..function }
    }
}

/// What two declarations say of an object.
fn joined(old: Var, new: Var, types: &Types) -> Var {
    let is_defined = |v: &Var| v.storage == Storage::Static { defined: true };
    let ty = if types.size_of(old.ty.id).is_none() { new.ty } else { old.ty };
    let (first, second) = if is_defined(&new) && !is_defined(&old) { (new, old) } else { (old, new) };
    Var { ty, init: first.init.or(second.init), is_weak: first.is_weak | second.is_weak, ..first }
}

/// A unit's numbers become those of the program.
struct Relocation<'a> {
    numbers: &'a Numbers,
    types: &'a TypeMap,
}

impl Rewrite for Relocation<'_> {
    fn type_id(&self, ty: &mut TypeId) {
        *ty = self.types[*ty];
    }
    fn var_id(&self, var: &mut VarId) {
        *var = self.numbers.vars[*var];
    }
    fn func_id(&self, func: &mut FuncId) {
        *func = self.numbers.funcs[*func];
    }
    fn label(&self, label: &mut LabelId) {
        label.0 += self.numbers.first_label;
    }
}

impl Relocation<'_> {
    fn var(&self, var: &Var) -> Var {
        let mut var = var.clone();
        self.type_id(&mut var.ty.id);
        var.owner.iter_mut().for_each(|f| self.func_id(f));
        var.init.iter_mut().for_each(|init| self.init(init));
        var
    }

    fn function(&self, function: &Function) -> Function {
        let mut function = function.clone();
        self.type_id(&mut function.ty);
        function.params.iter_mut().for_each(|p| self.var_id(p));
        function.body.iter_mut().for_each(|body| self.stmts(body));
        function
    }
}
