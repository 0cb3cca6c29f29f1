//! A test that fails under one schedule: a program with threads and points at which they wait for their turn.
//!
//! An execution is a row of *blocks*, each the steps of one thread. Where a block ends, the thread is about to make a
//! step that others can notice; there the source gets a *point*. A thread that comes to the point at which its block
//! ends hands over to the thread of the next block and waits until it is its turn again. So one thread runs at a time,
//! and the program's own locks need no change: a thread whose turn it is can take what it takes in the execution. The
//! points are put around expressions by their text (`({ point; x; })`, and `({ v = x + 1; point; x = v; })` where a
//! thread stops between reading and writing), so everything else stays as it was written.
//!
//! A data race is shown by two threads that stand before the two accesses at once; a deadlock by threads that all go on
//! when the schedule has ended, and do not get any further.
//!
//! Departures from the execution: a thread that it leaves unfinished goes on when nobody else does; waiting for a
//! condition returns at once, as POSIX allows, unless deadlocks are looked for. Steps inside the expansion of a macro
//! are one step.

use crate::harness::{ERRORS, INTRINSICS, Subject, gcc_options, head, one_line, type_name};
use crate::trace::{InputValue, input_type, literal};
use base::{FileId, Span};
use ir::source::SourceTable;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// A step of a thread.
#[derive(Clone, Copy, Debug)]
pub struct ThreadStep {
    /// Threads are numbered as they are created, from 0 for the first one.
    pub thread: usize,
    /// Where it stands; of a step that others can notice, the part that they notice.
    pub place: Span,
    /// Tells the steps at one place apart.
    pub edge: u32,
    /// Can other threads notice it?
    pub is_shared: bool,
}

/// How the execution ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The last step fails.
    Failure,
    /// Two steps are accesses that race, by their positions.
    Race([usize; 2]),
    Deadlock,
}

/// What is made into a test.
pub struct Scheduled<'a> {
    pub subject: Subject<'a>,
    pub file: FileId,
    /// The text of the program.
    pub source: &'a str,
    pub steps: &'a [ThreadStep],
    /// The inputs, with the threads that read them.
    pub inputs: &'a [(usize, InputValue)],
    pub ending: Ending,
}

/// Where in an expression a point is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Position {
    Before,
    /// Before the write of an assignment.
    Middle,
    After,
}

/// The points inside library functions, which have the first numbers.
const IN_WAIT: usize = 0;
const IN_BARRIER: usize = 1;
/// The end of a thread.
const FINISHED: usize = 2;
const N_INSIDE: usize = 3;

/// Where a block ends: at a point that the thread passes for the n-th time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct End {
    point: usize,
    pass: usize,
    is_race: bool,
}

/// What a step is in its group: the steps of one evaluation of an expression.
#[derive(Clone, Copy, Debug)]
struct InGroup {
    /// The position of the first step of the group.
    first: usize,
    /// How often the thread has evaluated the expression, this time included.
    pass: usize,
    /// Is there a step before it in the group that others can notice?
    is_later: bool,
}

struct Builder<'a> {
    scheduled: &'a Scheduled<'a>,
    groups: Vec<InGroup>,
    /// The numbers of points.
    points: BTreeMap<(Span, Position), usize>,
    races: BTreeSet<usize>,
}

/// The text of the test, or why there is none.
pub fn text(scheduled: &Scheduled<'_>) -> Result<String, String> {
    let text_at = |place: Span| scheduled.source.get(place.start as usize..place.end as usize).unwrap_or_default();
    let groups = groups(scheduled.steps, &|place| place.file == scheduled.file && is_bulk(text_at(place)));
    let mut builder = Builder { scheduled, groups, points: BTreeMap::new(), races: BTreeSet::new() };
    let blocks = builder.blocks()?;
    let program = builder.program();
    Ok(builder.file(&blocks, &program))
}

/// Is it a call of a library function that accesses many cells?
fn is_bulk(text: &str) -> bool {
    ["mem", "str", "print", "fprint", "sprint", "puts", "scanf", "sscanf"].iter().any(|name| text.starts_with(name))
        && text.ends_with(')')
}

/// The groups of the steps: those at one place, until one of them comes again. `is_bulk`: do steps come again in one
/// evaluation there?
fn groups(steps: &[ThreadStep], is_bulk: &dyn Fn(Span) -> bool) -> Vec<InGroup> {
    let mut passes: BTreeMap<(usize, Span), usize> = BTreeMap::new();
    // Of each thread: the steps of the group it is in.
    let mut open: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut groups: Vec<InGroup> = Vec::with_capacity(steps.len());
    for (i, step) in steps.iter().enumerate() {
        let group = open.entry(step.thread).or_default();
        let goes_on = group.last().is_some_and(|&j| steps[j].place == step.place)
            && (is_bulk(step.place) || !group.iter().any(|&j| steps[j].edge == step.edge));
        if !goes_on {
            group.clear();
            *passes.entry((step.thread, step.place)).or_default() += 1;
        }
        group.push(i);
        groups.push(InGroup {
            first: group[0],
            pass: passes[&(step.thread, step.place)],
            is_later: group.iter().any(|&j| j != i && steps[j].is_shared),
        });
    }
    groups
}

/// Functions that a thread waits in while others run.
fn inside(text: &str) -> Option<usize> {
    match text.split(['(', ' ']).next() {
        Some("pthread_cond_wait" | "cnd_wait") => Some(IN_WAIT),
        Some("pthread_barrier_wait") => Some(IN_BARRIER),
        _ => None,
    }
}

/// Is it where a thread ends?
fn ends_thread(text: &str) -> bool {
    text == "}" || text.starts_with("pthread_exit") || text.starts_with("thrd_exit")
}

/// Is it a call in which a thread may wait for others?
fn may_wait(text: &str) -> bool {
    let name = text.split('(').next().unwrap_or_default();
    let is_no_wait = ["unlock", "try"].iter().any(|part| name.contains(part));
    !is_no_wait && ["lock", "wait", "join", "once"].iter().any(|part| name.contains(part))
}

/// An expression as far as it matters where a point goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    /// The lengths of the left side and of the operator: `=`, `+=`, …
    Assignment {
        left: usize,
        operator: usize,
    },
    /// `x++`, `--x`: where the operand begins and ends.
    Step {
        start: usize,
        end: usize,
    },
    Other,
}

/// The shape of an expression.
fn shape(text: &str) -> Shape {
    let bytes = text.as_bytes();
    let (mut depth, mut quote, mut i) = (0usize, None, 0);
    while i < bytes.len() {
        let c = bytes[i];
        match (quote, c) {
            (Some(_), b'\\') => i += 1,
            (Some(q), c) if c == q => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(c),
            (None, b'(' | b'[' | b'{') => depth += 1,
            (None, b')' | b']' | b'}') => depth = depth.saturating_sub(1),
            (None, b'=') if depth == 0 => {
                let before = if i > 0 { bytes[i - 1] } else { 0 };
                if bytes.get(i + 1) == Some(&b'=') {
                    i += 1;
                } else if matches!(before, b'<' | b'>') && i >= 2 && bytes[i - 2] == before {
                    return Shape::Assignment { left: i - 2, operator: 3 };
                } else if b"+-*/%&|^".contains(&before) {
                    return Shape::Assignment { left: i - 1, operator: 2 };
                } else if !matches!(before, b'<' | b'>' | b'!') {
                    return Shape::Assignment { left: i, operator: 1 };
                }
            }
            (None, b'?' | b',' | b';') if depth == 0 => return Shape::Other,
            (None, _) => {}
        }
        i += 1;
    }
    for operator in ["++", "--"] {
        let operand = text.strip_prefix(operator).or_else(|| text.strip_suffix(operator));
        if let Some(operand) = operand {
            let start = if text.starts_with(operator) { 2 } else { 0 };
            return Shape::Step { start, end: start + operand.len() };
        }
    }
    Shape::Other
}

/// Is it surely an object whose address can be taken? (A member may be a bit-field.)
fn has_address(text: &str) -> bool {
    let is_name = |t: &str| {
        let mut chars = t.chars();
        chars.next().is_some_and(|c| c.is_alphabetic() || c == '_') && chars.all(|c| c.is_alphanumeric() || c == '_')
    };
    let text = text.trim();
    match text.split_once('[') {
        Some((array, index)) => is_name(array) && index.ends_with(']') && !index.contains(['[', '?', ',']),
        None => is_name(text.trim_start_matches(['*', ' '])),
    }
}

impl Builder<'_> {
    fn text_at(&self, place: Span) -> &str {
        self.scheduled.source.get(place.start as usize..place.end as usize).unwrap_or_default()
    }
    fn table(&self) -> &SourceTable {
        self.scheduled.subject.table
    }

    /// Can a point be put there?
    fn is_possible(&self, place: Span) -> bool {
        let text = self.text_at(place);
        place.file == self.scheduled.file
            && !text.is_empty()
            && text != "}"
            && !self.table().functions.values().any(|f| f.span == place)
            && (!self.table().declarations.contains(&place) || self.initialiser(place).is_some())
    }

    /// Where the initialiser of a declaration begins, if it is an expression.
    fn initialiser(&self, place: Span) -> Option<usize> {
        let text = self.text_at(place);
        match shape(text) {
            Shape::Assignment { left, operator: 1 } => {
                let rest = text[left + 1..].trim_start();
                (!rest.starts_with(['{', '"'])).then(|| text.len() - rest.len())
            }
            _ => None,
        }
    }

    /// The point before a step, or in the function that the thread waits in.
    fn before(&mut self, step: usize, waits: bool) -> Option<End> {
        let steps = self.scheduled.steps;
        let (place, group) = (steps[step].place, self.groups[step]);
        if let Some(point) = inside(self.text_at(place)).filter(|_| group.is_later || waits) {
            // How often the thread has come to such a function.
            let is_first = |i: &usize| self.groups[*i].first == *i && steps[*i].thread == steps[step].thread;
            let pass =
                (0..=group.first).filter(is_first).filter(|&i| inside(self.text_at(steps[i].place)) == Some(point));
            return Some(End { point, pass: pass.count(), is_race: false });
        }
        let position = if group.is_later { Position::Middle } else { Position::Before };
        if position == Position::Middle && self.is_macro(place) {
            return None;
        }
        self.point(place, position, group.pass)
    }
    /// A macro is seen from outside only.
    fn is_macro(&self, place: Span) -> bool {
        let is_name = self.text_at(place).chars().all(|c| c.is_alphanumeric() || c == '_');
        is_name && self.arguments_after(place) > 0
    }
    fn point(&mut self, place: Span, position: Position, pass: usize) -> Option<End> {
        if !self.is_possible(place) {
            return None;
        }
        let next = self.points.len() + N_INSIDE;
        let point = *self.points.entry((place, position)).or_insert(next);
        Some(End { point, pass, is_race: false })
    }

    /// The blocks: their threads, and where they end; the last one ends where the program fails.
    fn blocks(&mut self) -> Result<Vec<(usize, Option<End>)>, String> {
        let steps = self.scheduled.steps;
        let mut shared: Vec<usize> = (0..steps.len()).filter(|&i| steps[i].is_shared).collect();
        let mut arrivals = Vec::new();
        match self.scheduled.ending {
            Ending::Race(accesses) => {
                let firsts = accesses.map(|a| self.groups[a].first);
                for first in firsts {
                    shared.retain(|&i| steps[i].thread != steps[first].thread || i < first);
                    arrivals.push(first);
                }
                let last = firsts[0].max(firsts[1]);
                shared.retain(|&i| i < last);
            }
            Ending::Deadlock => {
                // Every thread stands before what it waits for.
                let threads: BTreeSet<usize> = shared.iter().map(|&i| steps[i].thread).collect();
                for thread in threads {
                    let last = shared.iter().rev().find(|&&i| steps[i].thread == thread).copied();
                    if let Some(last) = last.filter(|&i| may_wait(self.text_at(steps[i].place))) {
                        let first = self.groups[last].first;
                        shared.retain(|&i| steps[i].thread != thread || i < first);
                        arrivals.push(first);
                    }
                }
            }
            Ending::Failure => {}
        }
        let is_deadlock = self.scheduled.ending == Ending::Deadlock;
        let mut blocks: Vec<(usize, Option<End>)> = Vec::new();
        let mut at = 0;
        while at < shared.len() {
            let thread = steps[shared[at]].thread;
            let n = shared[at..].iter().take_while(|&&i| steps[i].thread == thread).count();
            let last = shared[at + n - 1];
            at += n;
            if at == shared.len() && arrivals.is_empty() && !is_deadlock {
                blocks.push((thread, None));
                break;
            }
            let is_own = |i: &&usize| steps[**i].thread == thread;
            let next = shared[at..].iter().chain(&arrivals).find(is_own).copied();
            let mut end = None;
            if let Some(next) = next {
                end = self.before(next, is_deadlock && arrivals.contains(&next));
                end = end.map(|end| End { is_race: self.is_race(next, &arrivals), ..end });
                if end.is_none() && self.is_macro(steps[next].place) {
                    return Err(format!("a thread would have to stop inside {}", self.text_at(steps[next].place)));
                }
            }
            let pass = self.groups[last].pass;
            let is_finished = next.is_none() && ends_thread(self.text_at(steps[last].place));
            let end = match end {
                None if is_finished => Some(End { point: FINISHED, pass: 0, is_race: false }),
                None => self.point(steps[last].place, Position::After, pass),
                Some(end) => Some(end),
            };
            let Some(end) = end else {
                return Err("a thread would have to stop where the source has no expression".to_string());
            };
            // Of a library function that is several steps only the whole can be waited for.
            let is_there = blocks.iter().rev().find(|b| b.0 == thread).is_some_and(|b| b.1 == Some(end));
            if !is_there {
                blocks.push((thread, Some(end)));
            }
        }
        // Threads that have done nothing yet.
        for &arrival in &arrivals {
            let thread = steps[arrival].thread;
            if !blocks.iter().any(|b| b.0 == thread) {
                let end =
                    self.before(arrival, is_deadlock).ok_or("an access stands where the source has no expression")?;
                blocks.push((thread, Some(End { is_race: self.is_race(arrival, &arrivals), ..end })));
            }
        }
        let n_races = blocks.iter().filter(|b| b.1.is_some_and(|e| e.is_race)).count();
        if matches!(self.scheduled.ending, Ending::Race(_)) && n_races != 2 {
            return Err("the accesses that race are not steps of their own".to_string());
        }
        for block in &blocks {
            self.races.extend(block.1.filter(|e| e.is_race).map(|e| e.point));
        }
        Ok(blocks)
    }
    fn is_race(&self, step: usize, arrivals: &[usize]) -> bool {
        matches!(self.scheduled.ending, Ending::Race(_)) && arrivals.contains(&step)
    }

    // ----- the program with its points -----

    fn program(&self) -> String {
        let mut places: Vec<Span> = self.points.keys().map(|p| p.0).collect();
        places.dedup();
        // Outer ones first.
        places.sort_by_key(|p| (p.start, std::cmp::Reverse(p.end)));
        let source = self.scheduled.source;
        let text = self.with_points(0, source.len(), &places);
        fail_in(&text)
    }

    /// The text of a range with the points of the places in it.
    fn with_points(&self, start: usize, end: usize, places: &[Span]) -> String {
        let source = self.scheduled.source;
        let (mut out, mut at) = (String::new(), start);
        for (i, place) in places.iter().enumerate() {
            let (from, to) = (place.start as usize, place.end as usize);
            if from < at || to > end {
                continue;
            }
            out.push_str(&source[at..from]);
            let to = to + self.arguments_after(*place);
            out.push_str(&self.wrapped(*place, to, &places[i + 1..]));
            at = to;
        }
        out.push_str(source.get(at..end).unwrap_or_default());
        out
    }

    /// The place of a macro is its name: its arguments belong to it.
    fn arguments_after(&self, place: Span) -> usize {
        let text = self.text_at(place);
        let rest = &self.scheduled.source[place.end as usize..];
        let is_name = text.chars().all(|c| c.is_alphanumeric() || c == '_');
        if !is_name || !rest.trim_start().starts_with('(') {
            return 0;
        }
        let mut depth = 0usize;
        for (i, c) in rest.char_indices() {
            match c {
                '(' => depth += 1,
                ')' if depth == 1 => return i + 1,
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        0
    }

    /// What a thread does at a point, if there is one.
    fn call(&self, place: Span, position: Position, object: &str) -> String {
        let Some(&point) = self.points.get(&(place, position)) else { return String::new() };
        if !self.races.contains(&point) {
            return format!("craig_point({point}); ");
        }
        match has_address(object) {
            true => format!("craig_race({point}, (char *)&({object}), sizeof({object})); "),
            false => format!("craig_race({point}, 0, 0); "),
        }
    }

    /// An expression with its points.
    fn wrapped(&self, place: Span, end: usize, inner: &[Span]) -> String {
        let start = place.start as usize;
        let text = self.scheduled.source[start..end].trim_end();
        let is_inside = |p: &&Span| p.start as usize >= start && p.end as usize <= end && **p != place;
        let inner: Vec<Span> = inner.iter().filter(is_inside).copied().collect();
        let part = |from: usize, to: usize| self.with_points(start + from, start + to, &inner);
        let at = |position, object: &str| self.call(place, position, object);
        if let Some(init) = self.initialiser(place).filter(|_| self.table().declarations.contains(&place)) {
            let points = at(Position::Before, "") + &at(Position::Middle, "") + &at(Position::After, "");
            let value = part(init, text.len());
            return format!("{}({{ __auto_type craig_v = ({value}); {points}craig_v; }})", &text[..init]);
        }
        if text.ends_with([';', '}']) {
            let points = at(Position::Before, "") + &at(Position::Middle, "") + &at(Position::After, "");
            return format!("{{ {points}{} }}", part(0, text.len()));
        }
        match shape(text) {
            Shape::Assignment { left, operator } => {
                let object = text[..left].trim();
                let (before, middle) = (at(Position::Before, object), at(Position::Middle, object));
                let after = at(Position::After, object);
                let right = part(left + operator, text.len());
                let operation = &text[left..left + operator - 1];
                if operator == 1 {
                    // The right side is evaluated first.
                    format!(
                        "({{ __auto_type craig_v = ({right}); {before}{middle}__auto_type craig_w = ({object} = craig_v); {after}craig_w; }})"
                    )
                } else if middle.is_empty() {
                    format!(
                        "({{ __auto_type craig_v = ({right}); {before}__auto_type craig_w = ({object} {operation}= craig_v); {after}craig_w; }})"
                    )
                } else {
                    format!(
                        "({{ __auto_type craig_u = ({right}); {before}__auto_type craig_v = {object} {operation} craig_u; {middle}__auto_type craig_w = ({object} = craig_v); {after}craig_w; }})"
                    )
                }
            }
            Shape::Step { start: from, end: to } => {
                let object = text[from..to].trim();
                let (before, middle) = (at(Position::Before, object), at(Position::Middle, object));
                let after = at(Position::After, object);
                if middle.is_empty() {
                    return format!("({{ {before}__auto_type craig_v = ({text}); {after}craig_v; }})");
                }
                let operation = if text.contains("++") { '+' } else { '-' };
                let value = if from == 0 { "craig_v" } else { "craig_w" };
                format!(
                    "({{ {before}__auto_type craig_v = {object}; {middle}__auto_type craig_w = ({object} = craig_v {operation} 1); {after}{value}; }})"
                )
            }
            Shape::Other => {
                let points = at(Position::Before, text) + &at(Position::Middle, text);
                let after = at(Position::After, text);
                let inside = part(0, text.len());
                match after.is_empty() {
                    true => format!("({{ {points}{inside}; }})"),
                    false if text.starts_with("__VERIFIER_atomic_") => format!("({{ {points}{inside}; {after}}})"),
                    false => format!("({{ {points}__auto_type craig_v = ({inside}); {after}craig_v; }})"),
                }
            }
        }
    }

    // ----- the file -----

    fn file(&self, blocks: &[(usize, Option<End>)], program: &str) -> String {
        let subject = &self.scheduled.subject;
        let is_deadlock = self.scheduled.ending == Ending::Deadlock;
        let mut options = gcc_options(subject.violated, subject.table).join(" ");
        let waits = ["pthread_cond_wait", "pthread_barrier_wait", "pthread_create", "pthread_exit", "thrd_create"];
        let wraps: Vec<String> = waits.iter().map(|name| format!("--wrap={name}")).collect();
        let _ = write!(options, " -pthread -Wl,{}", wraps.join(","));
        let mut out = head(subject, &format!("gcc {options} THIS_FILE -lm -o test"));
        let source = self.scheduled.source;
        out.push_str(
            "void craig_point(int);\nvoid craig_race(int, char *, unsigned long);\nvoid craig_failed(const char *);\n",
        );
        let _ = writeln!(out, "\n/* The program: {}. */", one_line(subject.program));
        let _ = writeln!(out, "# 1 \"{}\"", one_line(subject.program).replace(['"', '\\'], "_"));
        out.push_str(program);
        out.push_str("\n# 1 \"schedule\"\n/* The blocks of the schedule: the thread, and at which point it hands over, when it comes there for the n-th time. */\n");
        out.push_str("struct craig_block { int thread, point, pass, is_race; };\n");
        out.push_str("static const struct craig_block craig_blocks[] = {\n");
        for (thread, end) in blocks {
            let (point, pass, is_race) = end.map_or((-1, 0, 0), |e| (e.point as i64, e.pass, i32::from(e.is_race)));
            let _ = writeln!(out, "  {{ {thread}, {point}, {pass}, {is_race} }},");
        }
        out.push_str("};\n");
        let _ = writeln!(
            out,
            "enum {{ CRAIG_N = {}, CRAIG_POINTS = {}, CRAIG_DEADLOCK = {} }};",
            blocks.len(),
            self.points.len() + N_INSIDE,
            i32::from(is_deadlock)
        );
        out.push_str(RUNTIME);
        for name in ERRORS {
            if !is_defined(source, name) {
                let _ = writeln!(
                    out,
                    "void craig_{name}(void) __asm__(\"{name}\");\nvoid craig_{name}(void) {{ craig_failed(\"{name} is called\"); }}"
                );
            }
        }
        if !is_defined(source, "__VERIFIER_assume") {
            out.push_str("void craig_assume(int) __asm__(\"__VERIFIER_assume\");\nvoid craig_assume(int condition) { if (!condition) craig_exit(108); }\n");
        }
        for name in ["__VERIFIER_atomic_begin", "__VERIFIER_atomic_end"] {
            if !is_defined(source, name) {
                let _ = writeln!(out, "void craig{name}(void) __asm__(\"{name}\");\nvoid craig{name}(void) {{}}");
            }
        }
        self.inputs(&mut out);
        out
    }

    /// Every thread has its own inputs.
    fn inputs(&self, out: &mut String) {
        let table = self.table();
        let mut values: BTreeMap<&str, BTreeMap<usize, Vec<String>>> = BTreeMap::new();
        for name in table.inputs.keys() {
            if name.starts_with("__VERIFIER_nondet_") {
                values.insert(name, BTreeMap::new());
            }
        }
        for (thread, input) in self.scheduled.inputs {
            if !table.inputs.contains_key(&input.function) && !input.function.starts_with("__VERIFIER_nondet_") {
                continue;
            }
            let value = literal(&input_type(table, &input.function), &input.value);
            values.entry(&input.function).or_default().entry(*thread).or_default().push(value);
        }
        let is_ours = |name: &str| ERRORS.iter().chain(&INTRINSICS).any(|n| *n == name) || values.contains_key(name);
        for (i, name) in table.absent.iter().filter(|n| !is_ours(n)).enumerate() {
            let _ = writeln!(out, "void craig_absent_{i}(void) __asm__(\"{name}\");\nvoid craig_absent_{i}(void) {{}}");
        }
        for (i, (name, by_thread)) in values.iter().enumerate() {
            if is_defined(self.scheduled.source, name) {
                continue;
            }
            let ty = input_type(table, name);
            let ty = type_name(&ty);
            let _ = writeln!(out, "{ty} craig_input_{i}(void) __asm__(\"{name}\");\n{ty} craig_input_{i}(void) {{");
            out.push_str("  static __thread unsigned next;\n  switch (craig_me) {\n");
            for (thread, values) in by_thread {
                let _ = writeln!(
                    out,
                    "    case {thread}: {{ const {ty} values[] = {{ {} }}; return next < {} ? values[next++] : 0; }}",
                    values.join(", "),
                    values.len()
                );
            }
            out.push_str("    default: return 0;\n  }\n}\n");
        }
    }
}

/// Does the text define a function?
fn is_defined(source: &str, name: &str) -> bool {
    body_of(source, name).is_some()
}

/// Where the body of a function begins, after its brace.
fn body_of(source: &str, name: &str) -> Option<usize> {
    for (i, _) in source.match_indices(name) {
        let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let rest = &source[i + name.len()..];
        if is_part(source[..i].chars().next_back()) || is_part(rest.chars().next()) {
            continue;
        }
        let after = rest.trim_start();
        let close = after.find(')').filter(|_| after.starts_with('('));
        let Some(close) = close.filter(|&c| !after[1..c].contains('(')) else { continue };
        if let Some(body) = after[close + 1..].trim_start().strip_prefix('{') {
            return Some(source.len() - body.len());
        }
    }
    None
}

/// The error functions of a program fail, whatever they do.
fn fail_in(program: &str) -> String {
    let mut text = program.to_string();
    for name in ERRORS {
        if let Some(body) = body_of(&text, name) {
            text.insert_str(body, &format!(" craig_failed(\"{name} is called\"); "));
        }
    }
    text
}

/// Threads that wait for their turn. Names of the library are declared under other names: the program may have included
/// its headers or not.
const RUNTIME: &str = r#"
void craig_abort(void) __asm__("abort") __attribute__((noreturn));
void craig_exit(int) __asm__("_Exit") __attribute__((noreturn));
int craig_puts(const char *) __asm__("puts");
int craig_flush(void *) __asm__("fflush");
int craig_usleep(unsigned) __asm__("usleep");
unsigned craig_alarm(unsigned) __asm__("alarm");
void (*craig_signal(int, void (*)(int)))(int) __asm__("signal");
void *craig_malloc(unsigned long) __asm__("malloc");
int craig_lock(void *) __asm__("pthread_mutex_lock");
int craig_unlock(void *) __asm__("pthread_mutex_unlock");
int __real_pthread_create(void *, const void *, void *(*)(void *), void *);
int __real_thrd_create(void *, int (*)(void *), void *);
int __real_pthread_cond_wait(void *, void *);
int __real_pthread_barrier_wait(void *);
void __real_pthread_exit(void *) __attribute__((noreturn));

static int craig_turn, craig_created, craig_standing;
static char *craig_address;
static unsigned long craig_size;
static __thread int craig_me;
static __thread int craig_passes[CRAIG_POINTS];

void craig_failed(const char *why) {
  craig_puts(why);
  craig_flush(0);
  craig_abort();
}
static void craig_late(int signal) {
  if (CRAIG_DEADLOCK && __atomic_load_n(&craig_turn, __ATOMIC_SEQ_CST) >= CRAIG_N) craig_failed("deadlock: no thread can continue");
  craig_puts("the schedule was not followed");
  craig_flush(0);
  craig_exit(111);
}
__attribute__((constructor)) static void craig_begin(void) {
  craig_signal(14, craig_late);
  craig_alarm(CRAIG_DEADLOCK && CRAIG_N == 0 ? 1 : 10);
}
/* The first turn from `from` on that is one of this thread. */
static int craig_next(int from) {
  while (from < CRAIG_N && craig_blocks[from].thread != craig_me) from++;
  return from;
}
/* Waits for the turn. A thread without one goes on when nobody else does. */
static void craig_wait(void) {
  int seen = -1, quiet = 0;
  for (;;) {
    int turn = __atomic_load_n(&craig_turn, __ATOMIC_SEQ_CST);
    if (turn >= CRAIG_N || craig_blocks[turn].thread == craig_me) return;
    quiet = turn == seen ? quiet + 1 : 0;
    seen = turn;
    if (quiet > 2000 && craig_next(turn) == CRAIG_N) return;
    craig_usleep(200);
  }
}
static void craig_hand_over(void) {
  int turn = __atomic_add_fetch(&craig_turn, 1, __ATOMIC_SEQ_CST);
  if (CRAIG_DEADLOCK && turn == CRAIG_N) craig_alarm(1);
}
/* Does the block end here? */
static const struct craig_block *craig_ends(int point) {
  int turn = __atomic_load_n(&craig_turn, __ATOMIC_SEQ_CST);
  int pass = ++craig_passes[point];
  const struct craig_block *block = &craig_blocks[turn < CRAIG_N ? turn : 0];
  return turn < CRAIG_N && block->thread == craig_me && block->point == point && block->pass == pass ? block : 0;
}
void craig_point(int point) {
  if (craig_ends(point)) {
    craig_hand_over();
    craig_wait();
  }
}
void craig_race(int point, char *address, unsigned long size) {
  const struct craig_block *block = craig_ends(point);
  if (!block) return;
  if (block->is_race) {
    int is_apart = craig_address && address && (address + size <= craig_address || craig_address + craig_size <= address);
    if (++craig_standing == 2 && !is_apart) craig_failed("data race: two threads stand before their accesses at once");
    craig_address = address;
    craig_size = size;
  }
  craig_hand_over();
  craig_wait();
}
static void craig_thread_ends(void) {
  int turn = __atomic_load_n(&craig_turn, __ATOMIC_SEQ_CST);
  if (turn < CRAIG_N && craig_blocks[turn].thread == craig_me && craig_blocks[turn].point >= 0) craig_hand_over();
}
struct craig_start { void *(*function)(void *); int (*c11)(void *); void *argument; int number; };
static void craig_starts(struct craig_start *start) {
  craig_me = start->number;
  craig_wait();
}
static void *craig_run(void *argument) {
  struct craig_start *start = argument;
  craig_starts(start);
  void *result = start->function(start->argument);
  craig_thread_ends();
  return result;
}
static int craig_run_c11(void *argument) {
  struct craig_start *start = argument;
  craig_starts(start);
  int result = start->c11(start->argument);
  craig_thread_ends();
  return result;
}
static struct craig_start *craig_started(void *argument) {
  static struct craig_start all[1024];
  int number = __atomic_add_fetch(&craig_created, 1, __ATOMIC_SEQ_CST);
  struct craig_start *start = &all[number % 1024];
  start->argument = argument;
  start->number = number;
  return start;
}
int __wrap_pthread_create(void *id, const void *attributes, void *(*function)(void *), void *argument) {
  struct craig_start *start = craig_started(argument);
  start->function = function;
  return __real_pthread_create(id, attributes, craig_run, start);
}
int __wrap_thrd_create(void *id, int (*function)(void *), void *argument) {
  struct craig_start *start = craig_started(argument);
  start->c11 = function;
  return __real_thrd_create(id, craig_run_c11, start);
}
void __wrap_pthread_exit(void *result) {
  craig_thread_ends();
  __real_pthread_exit(result);
}
int __wrap_pthread_cond_wait(void *condition, void *mutex) {
  if (CRAIG_DEADLOCK) {
    if (craig_ends(0)) craig_hand_over();
    int result = __real_pthread_cond_wait(condition, mutex);
    craig_wait();
    return result;
  }
  craig_unlock(mutex);
  craig_point(0);
  return craig_lock(mutex);
}
int __wrap_pthread_barrier_wait(void *barrier) {
  if (craig_ends(1)) craig_hand_over();
  int result = __real_pthread_barrier_wait(barrier);
  craig_wait();
  return result;
}
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_of_expressions() {
        assert_eq!(shape("x = y == 2"), Shape::Assignment { left: 2, operator: 1 });
        assert_eq!(shape("a[i == 1] += f(b = 2)"), Shape::Assignment { left: 10, operator: 2 });
        assert_eq!(shape("x <<= 1"), Shape::Assignment { left: 2, operator: 3 });
        assert_eq!(shape("x <= 1"), Shape::Other);
        assert_eq!(shape("f(\"=\", x)"), Shape::Other);
        assert_eq!(shape("p->n++"), Shape::Step { start: 0, end: 4 });
        assert_eq!(shape("--x"), Shape::Step { start: 2, end: 3 });
    }

    #[test]
    fn definitions_are_found_in_the_text() {
        assert!(is_defined("void reach_error() { }", "reach_error"));
        assert!(!is_defined("void reach_error(void); int main() { reach_error(); }", "reach_error"));
        assert!(!is_defined("void my_reach_error() { }", "reach_error"));
    }

    #[test]
    fn evaluations_are_counted() {
        let place = |start| Span::new(FileId(0), start, start + 1);
        let step = |thread, at, edge| ThreadStep { thread, place: place(at), edge, is_shared: true };
        // `x++` twice: the second time the first edge comes again.
        let steps = [step(0, 1, 1), step(0, 1, 2), step(1, 1, 1), step(0, 1, 1), step(0, 1, 2)];
        let groups = groups(&steps, &|_| false);
        let told: Vec<(usize, usize, bool)> = groups.iter().map(|g| (g.first, g.pass, g.is_later)).collect();
        assert_eq!(told, [(0, 1, false), (0, 1, true), (2, 1, false), (3, 2, false), (3, 2, true)]);
    }
}
