//! Why an execution violates its property: the values where it ends, and the life of the objects in memory, in terms of
//! the source program.
//!
//! A check says what it is about ([`ir::Subject`]) in terms over the variables of the program. The steps of the
//! replayed execution say what these are at the end, and, through the arrays with the states and sizes of objects,
//! which object was made and ended where. If the numbers do not show the failure (the front end may have made the
//! condition stronger than its subject), the message of the check is shown instead: nothing is shown that is not true.

use crate::graphs::graph_of_lasso;
use crate::load::Loaded;
use crate::outcome::{InfiniteExecution, Violation};
use base::{Id, SourceMap, Span};
use ir::source::{SourcePlace, SourceTable, SourceType};
use ir::{Label, Note, Operation, RunStep, Stmt, Subject, Subproperty, VarId, VarRole};
use logic::{BigInt, Model, Rational, TermId, Value};
use report::Range;
use report::c_expression::value_text;
use report::cause::{Access, Cause, Frame, NamedValue, Object, Place, Storage, Wait};
use std::collections::{BTreeMap, BTreeSet};

/// Longer expressions are cut.
const MAX_EXPRESSION: usize = 80;
/// The largest number of values shown with a condition.
const MAX_VALUES: usize = 8;
/// The largest number of blocks shown for a leak.
const MAX_BLOCKS: usize = 10;
/// The states of objects ([`VarRole::BlockStates`]) that are not on the heap.
const CONSTANT_OBJECT: i128 = 3;
const OUTSIDE_OBJECT: i128 = 4;

/// A lock: its variable, or the array of all locks and its address.
type LockId = (VarId, Option<i64>);

/// Why, and where it is to be shown.
pub(crate) struct Told {
    pub(crate) span: Span,
    pub(crate) message: String,
    pub(crate) cause: Cause,
}

/// The cause of a violation.
pub(crate) fn of_violation(loaded: &Loaded, violation: &Violation) -> Told {
    let check = &violation.run.check;
    let end = End::new(loaded, violation);
    let blamed = blamed(loaded, violation);
    let span = blamed.as_ref().map_or(check.span, |b| b.0);
    let cause = end.cause(span).unwrap_or_else(|| Cause::Other {
        message: plainly(check, &expression(&loaded.sources, span)),
        values: if blamed.is_none() { end.values_of_condition() } else { Vec::new() },
    });
    let message = match &blamed {
        Some((_, function)) => format!("in {function}: {}", cause.message()),
        None => cause.message(),
    };
    Told { span, message, cause }
}

/// Of a violation inside the library: the user's call, and of which function.
fn blamed(loaded: &Loaded, violation: &Violation) -> Option<(Span, String)> {
    let Violation { run, original: icfg, .. } = violation;
    if !loaded.is_library(run.check.span) {
        return None;
    }
    let spans = run.steps.iter().rev().map(|s| icfg.edges[s.edge].span);
    let call = spans.into_iter().find(|&s| !s.is_none() && !loaded.is_library(s))?;
    let function = loaded.sources.text(call).split('(').next().unwrap_or_default().trim();
    Some((call, function.to_string()))
}

/// What has failed, where the numbers do not show how.
fn plainly(check: &ir::Check, expression: &str) -> String {
    match check.property {
        Subproperty::NoDivisionByZero => return format!("`{expression}` divides by zero"),
        // Not all of its checks are about shifts.
        Subproperty::NoInvalidShift if expression.contains("<<") || expression.contains(">>") => {
            return format!("`{expression}` shifts by a negative amount, or by the width of the number or more");
        }
        Subproperty::NoUninitialisedRead => return format!("`{expression}` is read before it is initialised"),
        _ => {}
    }
    let words = match check.subject.as_deref() {
        None if check.property == Subproperty::NoDataRace => "there is a data race",
        None if check.property == Subproperty::NoDeadlock => "there is a deadlock",
        None => &check.message,
        Some(Subject::Claim { failed }) => failed,
        Some(Subject::Assertion) => "the assertion fails",
        Some(Subject::ErrorFunction(name)) => return format!("{name} is called"),
        Some(Subject::Arithmetic { operation, type_name, .. }) => {
            return format!("{} overflows {type_name}", operation.name());
        }
        Some(Subject::ShiftAmount { .. }) => "the shift amount is out of range",
        Some(Subject::Access { .. }) => "the memory access is invalid",
        Some(Subject::Constant { .. }) => "a constant or a string literal is written",
        Some(Subject::Index { .. }) => "the array index is out of bounds",
        Some(Subject::Free { .. }) => "invalid free: not a live heap block",
        Some(Subject::Blocks { .. }) if check.property == Subproperty::ValidMemtrack => "memory is lost at the end",
        Some(Subject::Blocks { .. }) => "memory is not freed at the end",
        Some(Subject::Copy { .. }) => "objects that are copied overlap",
    };
    words.trim_end().to_string()
}

/// The text of a span on one line. A span that is the name of a macro is shown with its arguments.
pub(crate) fn expression(sources: &SourceMap, span: Span) -> String {
    let text = sources.text(span);
    let is_name = !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let rest = if is_name { sources.file(span.file).text.get(span.end as usize..).unwrap_or("") } else { "" };
    let whole = format!("{text}{}", arguments(rest).unwrap_or(""));
    let mut line = whole.split_whitespace().collect::<Vec<_>>().join(" ");
    // Parentheses around everything say nothing.
    if line.starts_with('(') && arguments(&line).is_some_and(|a| a.len() == line.len()) {
        line = line[1..line.len() - 1].trim().to_string();
    }
    if line.chars().count() <= MAX_EXPRESSION {
        return line;
    }
    let cut: String = line.chars().take(MAX_EXPRESSION - 1).collect();
    format!("{cut}…")
}

/// The parenthesis that a text starts with, up to its partner.
fn arguments(text: &str) -> Option<&str> {
    if !text.trim_start_matches([' ', '\t']).starts_with('(') {
        return None;
    }
    let mut depth = 0usize;
    let mut quote: Option<char> = None;
    let mut is_escaped = false;
    for (i, c) in text.char_indices() {
        if let Some(q) = quote {
            if is_escaped {
                is_escaped = false;
            } else if c == '\\' {
                is_escaped = true;
            } else if c == q {
                quote = None;
            }
            continue;
        }
        match c {
            '"' | '\'' => quote = Some(c),
            '(' => depth += 1,
            ')' if depth == 1 => return text.get(..=i),
            ')' => depth -= 1,
            // A statement ends before the parenthesis does, so this is not a list of arguments.
            ';' | '{' | '}' => return None,
            _ => {}
        }
    }
    None
}

/// The arguments of a call, as they stand in its text.
fn split_arguments(call: &str) -> Vec<&str> {
    let Some(start) = call.find('(') else { return Vec::new() };
    let inner = arguments(&call[start..]).and_then(|a| a.get(1..a.len() - 1)).unwrap_or("");
    let (mut depth, mut from, mut found, mut is_text) = (0i32, 0, Vec::new(), false);
    for (i, c) in inner.char_indices() {
        match c {
            '"' if !inner[..i].ends_with('\\') => is_text = !is_text,
            _ if is_text => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                found.push(inner[from..i].trim());
                from = i + 1;
            }
            _ => {}
        }
    }
    found.push(inner[from..].trim());
    found
}

/// An integer value; words are signed.
fn integer(value: &Value) -> Option<BigInt> {
    match value {
        Value::Num(n) => n.to_bigint(),
        Value::Bv(n, width) => {
            let half = BigInt::from(1) << (*width as usize - 1);
            Some(if *n >= half { n.clone() - (half << 1usize) } else { n.clone() })
        }
        Value::Bool(_) | Value::Array(_) | Value::Element(..) => None,
    }
}

fn small(value: &Value) -> Option<i64> {
    integer(value).and_then(|n| i64::try_from(n).ok())
}

/// The life of an object.
struct History {
    storage: Storage,
    address: i64,
    made: Span,
    ended: Option<Span>,
}

/// The state at the end of an execution.
struct End<'a> {
    loaded: &'a Loaded,
    violation: &'a Violation,
    values: BTreeMap<VarId, Value>,
    /// The step that changed a variable last.
    changed: BTreeMap<VarId, usize>,
    /// By their addresses.
    objects: BTreeMap<i64, History>,
}

impl<'a> End<'a> {
    fn new(loaded: &'a Loaded, violation: &'a Violation) -> End<'a> {
        let (run, icfg) = (&violation.run, &violation.original);
        let mut end = End {
            loaded,
            violation,
            values: run.initial.iter().cloned().collect(),
            changed: BTreeMap::new(),
            objects: BTreeMap::new(),
        };
        let mut at = Span::NONE;
        for (i, step) in run.steps.iter().enumerate() {
            let span = icfg.edges[step.edge].span;
            // The start of the program declares its objects; inside the library it is the call that counts.
            if !span.is_none() && !loaded.is_library(span) {
                at = span;
            }
            // What the locals of a procedure start with.
            if matches!(icfg.edges[step.edge].label, Label::Call(_)) {
                end.values.extend(step.chosen.iter().cloned());
            }
            for (var, value) in &step.changed {
                if icfg.vars[*var].role == VarRole::BlockStates {
                    end.states_change(*var, value, at);
                }
                end.values.insert(*var, value.clone());
                end.changed.insert(*var, i);
            }
        }
        end
    }

    /// The elements of an array that change.
    fn changes(&self, var: VarId, new: &Value) -> Vec<(i64, i64)> {
        let Value::Array(new) = new else { return Vec::new() };
        let old = self.values.get(&var).and_then(Value::as_array);
        let keys = match old {
            Some(old) => new.entries.differing_keys(&old.entries),
            None => new.entries.keys().collect(),
        };
        keys.into_iter().filter_map(|k| Some((small(k)?, small(new.select(k))?))).collect()
    }

    fn states_change(&mut self, var: VarId, value: &Value, at: Span) {
        for (address, state) in self.changes(var, value) {
            let storage = match i128::from(state) {
                0 => {
                    if let Some(object) = self.objects.get_mut(&address) {
                        object.ended = Some(at);
                    }
                    continue;
                }
                n if n == i128::from(ir::source::HEAP_BLOCK) => Storage::Heap,
                CONSTANT_OBJECT => Storage::Constant,
                OUTSIDE_OBJECT => Storage::Outside,
                _ => Storage::Variable,
            };
            self.objects.insert(address, History { storage, address, made: at, ended: None });
        }
    }

    /// The size of the object at an address. (No two objects have the same.)
    fn size_at(&self, address: i64) -> i64 {
        let icfg = &self.violation.original;
        let Some((var, _)) = icfg.vars.iter().find(|(_, v)| v.role == VarRole::BlockSizes) else { return 0 };
        let Value::Array(sizes) = self.value(var) else { return 0 };
        let entry = sizes.entries.iter().find(|(k, _)| small(k) == Some(address)).map(|(_, size)| size);
        small(entry.unwrap_or(&sizes.default)).unwrap_or(0)
    }

    fn place(&self, span: Span) -> Place {
        Place { place: self.loaded.sources.show(span), range: Range::of(&self.loaded.sources, span) }
    }

    fn object(&self, history: &History) -> Object {
        let text = self.loaded.sources.text(history.made);
        let name: String = text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let is_name = name.chars().next().is_some_and(|c| !c.is_numeric());
        let named = history.storage != Storage::Heap && is_name;
        Object {
            storage: history.storage,
            name: named.then_some(name),
            size: self.size_at(history.address),
            made: (!history.made.is_none()).then(|| self.place(history.made)),
            ended: history.ended.filter(|s| !s.is_none()).map(|s| self.place(s)),
        }
    }

    /// Of variables that are copies of one, the one that the last step is about: it occurs there, or its thread changed
    /// it last.
    fn chosen(&self, candidates: &[VarId]) -> Option<VarId> {
        let (run, icfg) = (&self.violation.run, &self.violation.original);
        let last = run.steps.last()?;
        if let [single] = candidates {
            return Some(*single);
        }
        let mentioned = match icfg.edges[last.edge].label {
            Label::Stmt(Stmt::Assume(failed)) => self.loaded.pool.free_constants(failed),
            _ => Vec::new(),
        };
        let thread = self.violation.thread(last.edge);
        candidates.iter().copied().max_by_key(|v| {
            let by_thread = self
                .changed
                .get(v)
                .filter(|i| run.steps.get(**i).is_some_and(|s| self.violation.thread(s.edge) == thread));
            (mentioned.contains(&icfg.term(*v)), by_thread, std::cmp::Reverse(*v))
        })
    }

    fn value(&self, var: VarId) -> Value {
        let sort = self.violation.original.vars[var].sort;
        self.values.get(&var).cloned().unwrap_or_else(|| logic::default_value(&self.loaded.pool, sort))
    }

    /// The value of a term over the variables of the program.
    fn eval(&self, term: TermId) -> Option<Value> {
        let (pool, icfg, program) = (&self.loaded.pool, &self.violation.original, &self.loaded.program);
        let mut model = Model::new();
        for constant in pool.free_constants(term) {
            let mut candidates: Vec<VarId> = match &self.violation.copies {
                Some(copies) => copies
                    .iter()
                    .filter(|(_, original)| program.vars.get(*original).is_some_and(|v| v.term == constant))
                    .map(|(copy, _)| *copy)
                    .collect(),
                None => Vec::new(),
            };
            if candidates.is_empty() {
                candidates.extend(icfg.vars.iter().filter(|(_, v)| v.term == constant).map(|(id, _)| id));
            }
            let var = self.chosen(&candidates)?;
            model.set(pool.as_symbol(constant)?, self.value(var));
        }
        model.eval(pool, term).ok()
    }

    fn number(&self, term: TermId) -> Option<i64> {
        self.eval(term).as_ref().and_then(small)
    }

    /// An address. One beyond 64 bits, as that of `p[n - 1]` with an unsigned `n` of zero, is told as machines
    /// compute it.
    fn address(&self, term: TermId) -> Option<i64> {
        let n = Rational::from(integer(&self.eval(term)?)?);
        let (word, sign) = (Rational::pow2(64), Rational::pow2(63));
        ((n + &sign).rem_euclid(&word) - sign).to_i64()
    }

    /// The cause, if the numbers show it. `at` is where it is shown.
    fn cause(&self, at: Span) -> Option<Cause> {
        let check = &self.violation.run.check;
        let expression = expression(&self.loaded.sources, at);
        match (check.property, check.subject.as_deref()) {
            (Subproperty::NoDataRace, _) => race(self.loaded, self.violation),
            (Subproperty::NoDeadlock, _) => self.deadlock(),
            (_, Some(Subject::Assertion)) => self.assertion(at),
            (_, Some(Subject::ErrorFunction(name))) => Some(self.error_call(name, at)),
            (_, Some(subject)) => self.about(subject, expression),
            _ => None,
        }
    }

    fn about(&self, subject: &Subject, expression: String) -> Option<Cause> {
        match subject {
            Subject::Claim { .. } | Subject::Assertion | Subject::ErrorFunction(_) => None,
            Subject::Arithmetic { operation, operands, type_name, range } => {
                self.overflow(*operation, operands, type_name, *range, expression)
            }
            Subject::ShiftAmount { amount, width } => {
                let amount = integer(&self.eval(*amount)?)?;
                let is_outside = amount < BigInt::from(0) || amount >= BigInt::from(*width);
                is_outside.then(|| Cause::ShiftAmount { expression, amount: amount.to_string(), width: *width })
            }
            Subject::Access { address, base, size } => {
                let (address, base, size) = (self.address(*address)?, self.number(*base)?, self.number(*size)?);
                self.access(expression, address, base, size)
            }
            Subject::Constant { base, .. } => {
                let object = self.object(self.objects.get(&self.number(*base)?)?);
                (object.storage == Storage::Constant).then_some(Cause::ConstantWrite { expression, object })
            }
            Subject::Index { index, length } => {
                let (index, length) = (integer(&self.eval(*index)?)?, self.number(*length)?);
                let is_outside = index < BigInt::from(0) || index >= BigInt::from(length);
                is_outside.then(|| Cause::Index { expression, index: index.to_string(), length })
            }
            Subject::Free { address, base } => {
                let (address, base) = (self.number(*address)?, self.number(*base)?);
                let Some(history) = self.objects.get(&base) else {
                    return (address != 0).then_some(Cause::InvalidFree { expression, object: None, offset: 0 });
                };
                let (object, offset) = (self.object(history), address.saturating_sub(base));
                match object.storage {
                    Storage::Heap if history.ended.is_some() => Some(Cause::DoubleFree { expression, object }),
                    Storage::Heap if offset == 0 => None,
                    _ => Some(Cause::InvalidFree { expression, object: Some(object), offset }),
                }
            }
            Subject::Blocks { live } => self.leak(*live),
            Subject::Copy { to, from, size } => {
                let (to, from, size) = (self.number(*to)?, self.number(*from)?, self.number(*size)?);
                let distance = to.saturating_sub(from);
                (distance.abs() < size && distance != 0).then_some(Cause::Overlap { expression, distance, size })
            }
        }
    }

    fn access(&self, expression: String, address: i64, base: i64, size: i64) -> Option<Cause> {
        let offset = address.saturating_sub(base);
        if base == 0 {
            return Some(Cause::NullPointer { expression, offset, size });
        }
        let Some(history) = self.objects.get(&base) else { return Some(Cause::WildPointer { expression, size }) };
        let object = self.object(history);
        if history.ended.is_some() {
            return Some(Cause::Dangling { expression, object, offset, size });
        }
        let is_inside = offset >= 0 && offset.saturating_add(size) <= object.size;
        (!is_inside).then_some(Cause::OutOfBounds { expression, object, offset, size })
    }

    fn overflow(
        &self,
        operation: Operation,
        operands: &[TermId],
        type_name: &str,
        range: (i128, i128),
        expression: String,
    ) -> Option<Cause> {
        let values: Vec<BigInt> = operands.iter().map(|t| integer(&self.eval(*t)?)).collect::<Option<_>>()?;
        let exact = match (operation, values.as_slice()) {
            (Operation::Negation, [a]) => Some(-a.clone()),
            (Operation::Addition, [a, b]) => Some(a.clone() + b.clone()),
            (Operation::Subtraction, [a, b]) => Some(a.clone() - b.clone()),
            (Operation::Multiplication, [a, b]) => Some(a.clone() * b.clone()),
            // Nothing else leaves the range.
            (Operation::Division, [a, b]) if *b == BigInt::from(-1) => Some(-a.clone()),
            (Operation::LeftShift, [a, b]) if *a >= BigInt::from(0) => {
                let amount = u32::try_from(b.clone()).ok().filter(|n| *n <= 256)?;
                Some(a.clone() << amount as usize)
            }
            (Operation::LeftShift | Operation::Remainder, [_, _]) => None,
            _ => return None,
        };
        let is_inside = |n: &BigInt| *n >= BigInt::from(range.0) && *n <= BigInt::from(range.1);
        if exact.as_ref().is_some_and(is_inside) {
            return None;
        }
        Some(Cause::Overflow {
            expression,
            operator: operation.symbol().to_string(),
            operands: values.iter().map(BigInt::to_string).collect(),
            result: exact.map(|n| n.to_string()),
            type_name: type_name.to_string(),
            min: range.0.to_string(),
            max: range.1.to_string(),
        })
    }

    fn leak(&self, live: TermId) -> Option<Cause> {
        let (run, icfg) = (&self.violation.run, &self.violation.original);
        let count = usize::try_from(self.number(live)?).ok().filter(|n| *n > 0)?;
        let left = self.objects.values().filter(|o| o.storage == Storage::Heap && o.ended.is_none());
        let blocks: Vec<Object> = left.map(|o| self.object(o)).collect();
        // Without the states of objects it is known how many were allocated where, not which of them were freed.
        let counter = icfg.vars.iter().find(|(_, v)| v.term == live).map(|(id, _)| id);
        let mut allocated: Vec<Place> = Vec::new();
        let mut before = 0;
        for step in &run.steps {
            let counted = step.changed.iter().find(|(v, _)| Some(*v) == counter).and_then(|(_, n)| small(n));
            let Some(now) = counted else { continue };
            if now > before && blocks.is_empty() {
                allocated.push(self.place(icfg.edges[step.edge].span));
            }
            before = now;
        }
        allocated.dedup();
        allocated.truncate(MAX_BLOCKS);
        let is_lost = run.check.property == Subproperty::ValidMemtrack;
        let blocks = blocks.into_iter().take(MAX_BLOCKS).collect();
        Some(Cause::Leak { count, blocks, allocated, is_lost })
    }

    /// A failed assertion: its condition is an argument.
    fn assertion(&self, at: Span) -> Option<Cause> {
        let text = expression(&self.loaded.sources, at);
        let argument = *split_arguments(&text).first()?;
        // After the preprocessor the condition is a string.
        let literal = argument.strip_prefix('"').and_then(|s| s.strip_suffix('"'));
        let condition = literal.unwrap_or(argument).to_string();
        let values = self.values_in(&condition, at);
        (!condition.is_empty()).then_some(Cause::Assertion { condition, values })
    }

    /// The call of an error function, with the condition that led to it.
    fn error_call(&self, function: &str, at: Span) -> Cause {
        let function = function.to_string();
        match self.guard(at) {
            Some((condition, holds, from)) => {
                let values = self.values_in(&condition, from);
                Cause::ErrorCall { function, condition: Some(condition), holds, values }
            }
            None => Cause::ErrorCall { function, condition: None, holds: true, values: Vec::new() },
        }
    }

    /// The condition that a call stands under: its text, its outcome, and where its names mean what they mean. A
    /// parameter that alone is the condition is shown as the argument of the call.
    fn guard(&self, at: Span) -> Option<(String, bool, Span)> {
        let (table, icfg, run) = (&self.loaded.program.source, &self.violation.original, &self.violation.run);
        let thread = self.violation.thread(run.steps.last()?.edge);
        let depth = run.steps.last()?.depth;
        let is_inside = |outer: Span| outer.file == at.file && outer.start <= at.start && at.end <= outer.end;
        let position = run.steps.iter().rposition(|s| {
            matches!(icfg.edges[s.edge].note, Note::Branch(_))
                && s.depth == depth
                && self.violation.thread(s.edge) == thread
        })?;
        let edge = &icfg.edges[run.steps[position].edge];
        let Note::Branch(taken) = edge.note else { return None };
        if !table.statement_around(edge.span).is_some_and(is_inside) {
            return None;
        }
        let text = expression(&self.loaded.sources, edge.span);
        let plain = text.trim_start_matches(['!', '(', ' ']).trim_end_matches([')', ' ']);
        let n_negations = text.chars().take_while(|c| matches!(c, '!' | '(' | ' ')).filter(|c| *c == '!').count();
        if text.chars().filter(|c| *c == '!').count() != n_negations {
            return Some((text, taken, at));
        }
        match self.argument(plain, position, table) {
            Some((argument, call)) => Some((argument, taken == (n_negations % 2 == 0), call)),
            None => Some((text, taken, at)),
        }
    }

    /// The argument that a parameter got in the call that the steps up to a position are inside of, and the call.
    fn argument(&self, name: &str, position: usize, table: &SourceTable) -> Option<(String, Span)> {
        let (icfg, run) = (&self.violation.original, &self.violation.run);
        let depth = run.steps[position].depth;
        let call = run.steps[..position]
            .iter()
            .rev()
            .find(|s| s.depth == depth && matches!(icfg.edges[s.edge].label, Label::Call(_)))?;
        let Label::Call(site) = icfg.edges[call.edge].label else { return None };
        let function = table.functions.get(&icfg.call_sites[site].callee)?;
        let index = function.params.iter().position(|p| p.0 == name)?;
        let span = icfg.edges[call.edge].span;
        let text = expression(&self.loaded.sources, span);
        let argument = split_arguments(&text).get(index).copied()?.to_string();
        (!argument.is_empty()).then_some((argument, span))
    }

    /// The values of the variables that a condition names.
    fn values_in(&self, condition: &str, at: Span) -> Vec<NamedValue> {
        let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
        for name in names_in(condition) {
            if seen.insert(name)
                && found.len() < MAX_VALUES
                && let Some(value) = self.value_of_name(name, at)
            {
                found.push(NamedValue { name: name.to_string(), value });
            }
        }
        found
    }

    fn value_of_name(&self, name: &str, at: Span) -> Option<String> {
        let table = &self.loaded.program.source;
        let index = table.name_at(name, at)?;
        let is_it = |place: &SourcePlace| place.name == index && place.is_scalar() && place.text_at(&[]) == name;
        let vars: Vec<VarId> = table.places.iter().filter(|(_, p)| is_it(p)).map(|(v, _)| *v).collect();
        if let Some(var) = self.chosen(&vars) {
            let (ty, value) = (&table.places[&var].ty, self.value(var));
            // Of an address only that it is null says something.
            let is_address = *ty == SourceType::Pointer && report::trace::number(&value) != Some(0);
            return (!is_address).then(|| value_text(ty, &value));
        }
        // An object in memory.
        let cell = table.cells.iter().find(|c| is_it(&c.place))?;
        let base = match cell.base {
            None => 0,
            Some(base) => i128::from(small(&self.value(base))?),
        };
        let Value::Array(memory) = self.value(cell.array) else { return None };
        let address = base + cell.offset;
        let element = memory.entries.iter().find(|(k, _)| report::trace::number(k) == Some(address));
        Some(value_text(&cell.place.ty, element.map_or(&memory.default, |e| e.1)))
    }

    /// Who waits at the end, for what, and who has that.
    fn deadlock(&self) -> Option<Cause> {
        let (run, icfg, pool) = (&self.violation.run, &self.violation.original, &self.loaded.pool);
        let (last, names) = (run.steps.last()?, self.violation.thread_names());
        let name = |step: &RunStep| self.violation.thread(step.edge).and_then(|t| names.get(&t).cloned());
        let place =
            |span: Span| Place { place: self.loaded.sources.show(span), range: Range::of(&self.loaded.sources, span) };
        // Who took a lock last, and which threads stay where they wait.
        let mut taken: BTreeMap<LockId, &RunStep> = BTreeMap::new();
        let mut chain = Vec::new();
        let mut staying: Vec<(&RunStep, Option<LockId>)> = Vec::new();
        let mut before = End {
            values: run.initial.iter().cloned().collect(),
            changed: BTreeMap::new(),
            objects: BTreeMap::new(),
            ..*self
        };
        let mut looked_at: BTreeMap<Option<u32>, LockId> = BTreeMap::new();
        for step in &run.steps {
            let thread = self.violation.thread(step.edge);
            match &icfg.edges[step.edge].label {
                Label::Stmt(Stmt::Assume(condition)) => {
                    if let Some(lock) = before.lock_in(*condition) {
                        looked_at.insert(thread, lock);
                    }
                }
                // The start of the program writes it, too.
                Label::Stmt(Stmt::Assign(pairs))
                    if pairs.iter().any(|p| icfg.vars[p.0].role == VarRole::WaitsFor && !pool.is_value(p.1)) =>
                {
                    if step.changed.iter().any(|c| icfg.vars[c.0].role == VarRole::WaitsFor) {
                        chain.push(staying.len());
                    }
                    staying.push((step, looked_at.get(&thread).copied()));
                }
                Label::Stmt(Stmt::Assign(_)) => {
                    looked_at.remove(&thread);
                }
                _ => {}
            }
            for (var, value) in step.changed.iter().filter(|c| icfg.vars[c.0].role == VarRole::Lock) {
                match pool.array_parts(icfg.vars[*var].sort) {
                    Some(_) => {
                        for (address, state) in before.changes(*var, value) {
                            if state != 0 {
                                taken.insert((*var, Some(address)), step);
                            }
                        }
                    }
                    None if small(value) != Some(0) => {
                        taken.insert((*var, None), step);
                    }
                    None => {}
                }
            }
            before.values.extend(step.changed.iter().cloned());
        }
        if staying.is_empty() {
            let thread = self.violation.thread(last.edge);
            staying.push((last, looked_at.get(&thread).copied()));
        }
        let wait = |(step, lock): (&RunStep, Option<LockId>)| {
            let span = icfg.edges[step.edge].span;
            let text = expression(&self.loaded.sources, span);
            // Other calls take a lock besides.
            let is_lock = text.split_once('(').is_some_and(|(callee, _)| callee.trim_end().ends_with("lock"));
            let holder = lock.and_then(|l| taken.get(&l)).copied().filter(|_| is_lock);
            Wait {
                thread: name(step),
                lock: holder.and_then(|_| split_arguments(&text).first().map(|a| a.to_string())),
                held_by: holder.and_then(&name),
                since: holder.map(|s| place(icfg.edges[s.edge].span)),
                at: place(span),
                expression: text,
            }
        };
        let all: Vec<Wait> = staying.into_iter().map(wait).collect();
        let in_chain: Vec<Wait> = chain.iter().filter_map(|&i| all.get(i).cloned()).collect();
        // In a circle the last one waits for the first one. Others that wait do not matter then.
        let is_circle = match (&in_chain[..], chain.last()) {
            ([first, .., last], Some(&i)) if i + 1 == all.len() => {
                last.held_by == first.thread || last.lock.is_none() && last.expression.contains("join")
            }
            _ => false,
        };
        Some(Cause::Deadlock { waits: if is_circle { in_chain } else { all } })
    }

    /// The lock that a condition is about.
    fn lock_in(&self, condition: TermId) -> Option<LockId> {
        let (icfg, pool) = (&self.violation.original, &self.loaded.pool);
        let constants = pool.free_constants(condition);
        let (lock, data) = icfg.vars.iter().find(|(_, v)| v.role == VarRole::Lock && constants.contains(&v.term))?;
        if pool.array_parts(data.sort).is_none() {
            return Some((lock, None));
        }
        let mut address = None;
        pool.visit_postorder(&[condition], |t| {
            if pool.op(t) == logic::Op::Select && pool.arg(t, 0) == data.term {
                address = Some(pool.arg(t, 1));
            }
        });
        let address = address?;
        let mut model = Model::new();
        for constant in pool.free_constants(address) {
            let (var, _) = icfg.vars.iter().find(|(_, v)| v.term == constant)?;
            model.set(pool.as_symbol(constant)?, self.value(var));
        }
        let value = model.eval(pool, address).ok()?;
        Some((lock, Some(small(&value)?)))
    }

    /// The values of the variables in the condition that failed, for languages whose variables are those of the
    /// program.
    fn values_of_condition(&self) -> Vec<NamedValue> {
        let (icfg, pool) = (&self.violation.original, &self.loaded.pool);
        let Some(last) = self.violation.run.steps.last() else { return Vec::new() };
        let Label::Stmt(Stmt::Assume(failed)) = icfg.edges[last.edge].label else { return Vec::new() };
        let mentioned = pool.free_constants(failed);
        let is_told =
            |v: &ir::Variable| !v.span.is_none() && mentioned.contains(&v.term) && pool.array_parts(v.sort).is_none();
        let told = icfg.vars.iter().filter(|(_, v)| is_told(v)).take(MAX_VALUES);
        let table = &self.loaded.program.source;
        let named = |id: VarId, v: &ir::Variable| {
            let value = self.value(id);
            // Of an address only that it is null says something.
            let text = match table.places.get(&id).map(|p| &p.ty) {
                Some(SourceType::Pointer) if report::trace::number(&value) != Some(0) => return None,
                Some(ty) => value_text(ty, &value),
                None => value.show(),
            };
            Some(NamedValue { name: v.name.clone(), value: text })
        };
        told.filter_map(|(id, v)| named(id, v)).collect()
    }
}

/// The identifiers of an expression that may be variables: no members, no functions.
fn names_in(condition: &str) -> Vec<&str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut names = Vec::new();
    let mut rest = 0;
    while let Some(start) = condition[rest..].find(is_part).map(|i| i + rest) {
        let end = condition[start..].find(|c| !is_part(c)).map_or(condition.len(), |i| i + start);
        let (before, after) = (condition[..start].trim_end(), condition[end..].trim_start());
        let is_member = before.ends_with('.') || before.ends_with("->");
        let is_number = condition[start..].starts_with(|c: char| c.is_numeric());
        if !is_member && !is_number && !after.starts_with('(') {
            names.push(&condition[start..end]);
        }
        rest = end;
    }
    names
}

/// The steps of two accesses that race, by their positions: the one whose check fails, and the one that fell in
/// between.
pub(crate) fn racing_steps(loaded: &Loaded, violation: &Violation) -> Option<[usize; 2]> {
    let Violation { run, original: icfg, .. } = violation;
    let last = run.steps.last()?;
    let Label::Stmt(Stmt::Assume(failed)) = icfg.edges[last.edge].label else { return None };
    let mentioned = loaded.pool.free_constants(failed);
    let is_mark = |v: &ir::Variable| v.role == VarRole::AccessMark && mentioned.contains(&v.term);
    let marks: Vec<VarId> = icfg.vars.iter().filter(|(_, v)| is_mark(v)).map(|(id, _)| id).collect();
    // Whoever changed the mark last did so between the access and its check.
    let position = run.steps.len() - 1;
    let writes = |s: &RunStep| marks.iter().any(|m| icfg.writes(&icfg.edges[s.edge].label, *m));
    Some([position, run.steps[..position].iter().rposition(writes)?])
}

/// Two accesses that race: what both are, who makes them, and with which locks.
fn race(loaded: &Loaded, violation: &Violation) -> Option<Cause> {
    let Violation { run, original: icfg, .. } = violation;
    let [last, other] = racing_steps(loaded, violation)?;
    let names = violation.thread_names();
    let access = |i: usize, span: Span| Access {
        expression: expression(&loaded.sources, span),
        thread: violation.thread(run.steps[i].edge).and_then(|t| names.get(&t).cloned()),
        locks: held_locks(loaded, violation, &run.steps[i]),
        at: place_of(loaded, span),
        stack: call_stack(loaded, violation, i),
    };
    let span_of_other = icfg.edges[run.steps[other].edge].span;
    Some(Cause::Race { accesses: [access(last, run.check.span), access(other, span_of_other)] })
}

fn place_of(loaded: &Loaded, span: Span) -> Place {
    Place { place: loaded.sources.show(span), range: Range::of(&loaded.sources, span) }
}

/// The functions of the program that a thread is in when it takes a step, the innermost first.
fn call_stack(loaded: &Loaded, violation: &Violation, step: usize) -> Vec<Frame> {
    let functions = &loaded.program.source.functions;
    let calls = violation.stacks.get(step).map_or(&[][..], Vec::as_slice);
    let shown = calls.iter().rev().filter(|frame| functions.contains_key(&frame.proc));
    let called =
        |span: Span| !span.is_none() && !loaded.is_library(span) && !functions.values().any(|f| f.span == span);
    shown
        .map(|frame| Frame {
            function: frame.function.clone(),
            call: called(frame.call).then(|| place_of(loaded, frame.call)),
        })
        .collect()
}

/// The locks that the thread of a step has taken and not released before it, in the words of the calls.
fn held_locks(loaded: &Loaded, violation: &Violation, until: &RunStep) -> Vec<String> {
    let icfg = &violation.original;
    let pool = &loaded.pool;
    let thread = violation.thread(until.edge);
    let mut held: Vec<String> = Vec::new();
    for step in violation.run.steps.iter().take_while(|s| !std::ptr::eq(*s, until)) {
        let Label::Stmt(Stmt::Assign(pairs)) = &icfg.edges[step.edge].label else { continue };
        if violation.thread(step.edge) != thread {
            continue;
        }
        let call = loaded.sources.text(icfg.edges[step.edge].span);
        let argument = call.split_once('(').map_or(call, |(_, rest)| rest.trim_end_matches(')')).trim().to_string();
        for (_, value) in pairs.iter().filter(|p| icfg.vars[p.0].role == VarRole::Lock) {
            let stored = if pool.op(*value) == logic::Op::Store { pool.arg(*value, 2) } else { *value };
            let is_free = pool.number(stored).is_some_and(Rational::is_zero);
            held.retain(|lock| *lock != argument);
            if !is_free && !argument.is_empty() {
                held.push(argument.clone());
            }
        }
    }
    held
}

/// Which loop or recursion does not end, and where it stands. `always` holds each time around.
pub(crate) fn of_infinite(loaded: &Loaded, infinite: &InfiniteExecution, always: &str) -> Option<Told> {
    let (icfg, _) = &graph_of_lasso(&infinite.graph, &loaded.pool);
    let table = &loaded.program.source;
    let cycle: Vec<ir::LocId> = infinite.lasso.cycle.iter().map(|s| icfg.edges[s.edge].src).collect();
    let told = |span: Span, cause: Cause| Told { span, message: cause.message(), cause };
    if infinite.graph.has_calls() {
        let entered = infinite.graph.procs.values().find(|p| cycle.contains(&p.entry));
        if let Some(procedure) = entered {
            let (function, always) = (procedure.name.clone(), always.to_string());
            return Some(told(procedure.span, Cause::EndlessRecursion { function, always }));
        }
    }
    let depth = |loc: ir::LocId| {
        let origin = infinite.map.as_ref().and_then(|m| m.locs.get(loc).map(|o| m.call_string(o.1).len()));
        origin.unwrap_or(0)
    };
    // The outermost of the loops that are gone around: the others end.
    let heads = cycle.iter().copied().filter(|l| icfg.locs[*l].is_loop_head && !icfg.locs[*l].span.is_none());
    let size = |span: Span| table.loop_at(span).map_or(0, |l| l.span.end - l.span.start);
    let head = heads.min_by_key(|l| (depth(*l), std::cmp::Reverse(size(icfg.locs[*l].span)), l.index()))?;
    let span = icfg.locs[head].span;
    let span = table.loop_at(span).map_or(span, head_of);
    let at = Place { place: loaded.sources.show(span), range: Range::of(&loaded.sources, span) };
    Some(told(span, Cause::EndlessLoop { at, always: always.to_string() }))
}

/// A loop from its keyword to the end of its condition.
fn head_of(looping: &ir::source::SourceLoop) -> Span {
    match looping.condition {
        Some(condition) if looping.kind == ir::source::LoopKind::While => Span { end: condition.end, ..looping.span },
        _ => Span { end: looping.span.start + 1, ..looping.span },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_of_calls() {
        assert_eq!(split_arguments("f(a, g(b, c), \"x,y\")"), ["a", "g(b, c)", "\"x,y\""]);
        assert_eq!(arguments("(a + (b)) * 2"), Some("(a + (b))"));
        assert_eq!(arguments(" (\")\")"), Some(" (\")\")"));
        assert_eq!(arguments("; (a)"), None);
    }

    #[test]
    fn names_that_are_variables() {
        assert_eq!(names_in("s < 20 && f(x) != p->next || q.x == y2"), ["s", "x", "p", "q", "y2"]);
    }
}
