//! What an execution chose besides its inputs: the contents of objects that were never initialised, the
//! arguments of the function it starts with, and what was read into objects.
//!
//! Such a value has no call that returns it. It is said at the first statement behind the declaration that the
//! execution reaches, as an assumption about the object: `x == 5`. The value there is the current one, whatever
//! happened in between, so what is written is true of the execution in any case. Of large arrays only the elements are
//! said that the execution fixes; of pointers only that they are null, as an address means nothing in another
//! execution.
//!
//! Threads that run the same function have the same names for their own objects. A value is said by the thread that
//! chose it, and of objects with one name it speaks about those that this thread wrote.

use super::write::Subject;
use super::{Action, Format, Waypoint, WaypointKind};
use crate::trace::{literal, number};
use base::Span;
use ir::source::SourceType;
use ir::{Icfg, Label, Nondet, Run, RunStep, Stmt, VarId};
use logic::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The most values that one assumption mentions.
const MAX_VALUES: usize = 32;

/// The number of a thread, if there are several.
type Thread = Option<u64>;

pub(super) struct Unspecified<'a> {
    subject: &'a Subject<'a>,
    icfg: &'a Icfg,
    /// The values that variables have now, as far as they are known.
    now: BTreeMap<VarId, Value>,
    /// The thread that wrote a variable last.
    writer: BTreeMap<VarId, Thread>,
    /// Names of objects (see [`ir::source::SourceTable::names`]) whose values a thread says at a statement.
    pending: BTreeMap<(Thread, Span), BTreeSet<usize>>,
    /// Calls of threads that read into objects, until the thread reaches the next statement.
    read_at: BTreeMap<Thread, Span>,
}

impl<'a> Unspecified<'a> {
    pub(super) fn new(subject: &'a Subject<'a>, icfg: &'a Icfg, run: &Run) -> Unspecified<'a> {
        Unspecified {
            subject,
            icfg,
            now: run.initial.iter().cloned().collect(),
            writer: BTreeMap::new(),
            pending: BTreeMap::new(),
            read_at: BTreeMap::new(),
        }
    }

    /// What is to be said before a step of a thread.
    pub(super) fn before(&mut self, step: &RunStep, thread: Thread) -> Option<Waypoint> {
        let span = self.icfg.edges[step.edge].span;
        let call = self.read_at.get(&thread).copied();
        if let Some((call, at)) = call.and_then(|call| Some((call, self.statement_after(call, span)?))) {
            self.read_at.remove(&thread);
            let names = self.targets(call);
            self.pending.entry((thread, at)).or_default().extend(names);
        }
        let inside = |at: &Span| at.file == span.file && at.start <= span.start && span.end <= at.end;
        let at = self.pending.keys().find(|(who, at)| *who == thread && inside(at))?.1;
        let names = self.pending.remove(&(thread, at))?;
        let mut parts: Vec<String> = names.iter().flat_map(|&name| self.values(name, thread)).collect();
        parts.truncate(MAX_VALUES);
        if parts.is_empty() {
            return None;
        }
        Some(Waypoint {
            kind: WaypointKind::Assumption,
            action: Action::Follow,
            location: self.subject.location(at)?,
            constraint: Some((parts.join(" && "), Format::C)),
            thread,
        })
    }

    /// Notes what a step of a thread did.
    pub(super) fn after(&mut self, step: &RunStep, thread: Thread) {
        let table = self.subject.table;
        let edge = &self.icfg.edges[step.edge];
        let written = || step.chosen.iter().chain(&step.changed);
        self.now.extend(written().cloned());
        self.writer.extend(written().map(|(var, _)| (*var, thread)));
        let mut names: BTreeSet<usize> = BTreeSet::new();
        if let Label::Stmt(Stmt::Havoc(vars, why)) = &edge.label {
            let is_parameter = |input: &str| table.functions.values().any(|f| f.params.iter().any(|p| p.0 == input));
            match why {
                Nondet::Choice => {
                    names.extend(vars.iter().filter_map(|v| table.places.get(v)).map(|p| p.name));
                    // An object in memory is written from a temporary at its declaration.
                    let declared_here = |n: usize| {
                        table.names.get(n).is_some_and(|n| {
                            let at = n.scope;
                            at.file == edge.span.file && edge.span.start < at.start && at.start <= edge.span.end
                        })
                    };
                    names.extend(table.cells.iter().map(|c| c.place.name).filter(|&n| declared_here(n)));
                }
                Nondet::Input(function) if is_parameter(function) => {
                    let is_meant = |n: &&(usize, &ir::source::DeclaredName)| {
                        n.1.name == *function && n.1.scope.file == edge.span.file && n.1.scope.start == edge.span.start
                    };
                    names.extend(table.names.iter().enumerate().filter(|n| is_meant(&n)).map(|n| n.0));
                }
                Nondet::Read(_) => {
                    self.read_at.insert(thread, edge.span);
                }
                Nondet::Input(_) | Nondet::Inexact(_) | Nondet::Overapproximation(_) => {}
            }
        }
        // A fresh object.
        let is_new = |base: VarId| step.changed.iter().any(|(v, _)| *v == base);
        names.extend(table.cells.iter().filter(|c| c.base.is_some_and(is_new)).map(|c| c.place.name));
        for name in names {
            if let Some(at) = self.first_statement(name) {
                self.pending.entry((thread, at)).or_default().insert(name);
            }
        }
    }

    /// The statement that a step begins, if it is another one than that of a call in the same function.
    fn statement_after(&self, call: Span, step: Span) -> Option<Span> {
        let table = self.subject.table;
        let function = |s| table.function_around(s).map(|f| f.span);
        let statement = table.statement_around(step).filter(|_| step.file == call.file)?;
        let around = statement.start <= call.start && call.end <= statement.end;
        (!around && function(call) == function(step)).then_some(statement)
    }

    /// The names of the objects whose addresses a call is given.
    fn targets(&self, call: Span) -> Vec<usize> {
        let text = self.subject.sources.text(call);
        let mut names = Vec::new();
        for part in text.split('&').skip(1) {
            let end = part.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(part.len());
            names.extend(self.subject.table.name_at(&part[..end], call));
        }
        names
    }

    /// The first statement in the scope of a name.
    fn first_statement(&self, name: usize) -> Option<Span> {
        let table = self.subject.table;
        let scope = table.names.get(name)?.scope;
        let inside = |s: &&Span| s.file == scope.file && scope.start <= s.start && s.end <= scope.end;
        let statements = table.statements.iter().filter(inside).filter(|s| !table.declarations.contains(s));
        statements.copied().min_by_key(|s| (s.start, std::cmp::Reverse(s.end)))
    }

    /// The values of an object of a thread as conditions.
    fn values(&self, name: usize, thread: Thread) -> Vec<String> {
        let table = self.subject.table;
        let mut parts = Vec::new();
        let is_own = |var: VarId| self.writer.get(&var).is_none_or(|who| *who == thread);
        let places: Vec<_> = table.places.iter().filter(|(_, p)| p.name == name).collect();
        for (var, place) in &places {
            // Each thread has an object of this name.
            if places.iter().any(|(other, p)| other != var && p == place) && !is_own(**var) {
                continue;
            }
            match self.now.get(*var) {
                Some(Value::Array(array)) if !place.is_scalar() => {
                    let mut elements: BTreeMap<u64, &Value> = BTreeMap::new();
                    let length = place.lengths.iter().try_fold(1u64, |n, l| n.checked_mul((*l)?));
                    if let Some(length) = length.filter(|&n| n <= MAX_VALUES as u64) {
                        elements.extend((0..length).map(|position| (position, &array.default)));
                    }
                    for (index, value) in &array.entries {
                        elements.extend(number(index).and_then(|n| u64::try_from(n).ok()).map(|n| (n, value)));
                    }
                    for (position, value) in elements {
                        let Some(indices) = place.indices_of(position) else { continue };
                        let indices: Vec<String> = indices.iter().map(u64::to_string).collect();
                        parts.extend(condition(&place.text_at(&indices), &place.ty, value));
                    }
                }
                Some(value) if place.is_scalar() => parts.extend(condition(&place.text_at(&[]), &place.ty, value)),
                Some(_) | None => {}
            }
        }
        for cell in table.cells.iter().filter(|c| c.place.name == name) {
            let base = match cell.base {
                None => Some(0),
                Some(base) if !is_own(base) => continue,
                Some(base) => self.now.get(&base).and_then(number),
            };
            let array = self.now.get(&cell.array).and_then(Value::as_array);
            let (Some(base), Some(array)) = (base, array) else { continue };
            let address = base + cell.offset;
            let entry = array.entries.iter().find(|(k, _)| number(k) == Some(address));
            let value = entry.map_or(&array.default, |(_, value)| value);
            parts.extend(condition(&cell.place.text_at(&[]), &cell.place.ty, value));
        }
        parts
    }
}

/// `place == value`, if C can say the value.
fn condition(place: &str, ty: &SourceType, value: &Value) -> Option<String> {
    match ty {
        SourceType::Bool | SourceType::Int { .. } => {
            let (low, high) = ty.int_range()?;
            // The elements of an array are cut to their type when they are read.
            let is_foreign = matches!(value, Value::Num(_)) && !(low..=high).contains(&number(value)?);
            (!is_foreign).then(|| format!("{place} == {}", literal(ty, value)))
        }
        SourceType::Pointer => (number(value)? == 0).then(|| format!("{place} == 0")),
        SourceType::Float(_) => {
            let text = literal(ty, value);
            Some(if text.starts_with("(0.0 /") { format!("{place} != {place}") } else { format!("{place} == {text}") })
        }
    }
}
