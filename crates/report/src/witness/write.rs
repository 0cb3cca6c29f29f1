//! The witness of a verdict.
//!
//! A proof gives its loop invariants, contracts and ranks as far as C can say them at their places ([`crate::facts`]);
//! a proof without loops gives an empty set. An execution gives the values of its inputs in order, each at the
//! closing parenthesis of its call, those of other choices ([`super::unspecified`]), and then the statement in which
//! the property is violated. The identifier is made from the content, so the same verdict has the same one.

use super::unspecified::Unspecified;
use super::{Action, Content, Entry, Format, InvariantKind, Item, Location, Task, Waypoint, WaypointKind};
use crate::facts::{CFact, InvariantPlace, Proof, facts};
use crate::sha256;
use crate::trace::{InputValue, input, input_type, literal};
use base::{FileId, SourceMap, Span};
use ir::source::SourceTable;
use ir::{Icfg, Label, NonTermination, Nondet, Run, RunStep, Stmt, Subproperty};
use logic::Value;
use serde::Serialize;

/// The program a witness is about.
pub struct Subject<'a> {
    pub sources: &'a SourceMap,
    /// The file that was given.
    pub file: FileId,
    pub table: &'a SourceTable,
}

impl Subject<'_> {
    /// The place of a byte, if it lies in the file that was given.
    fn location_at(&self, span: Span, offset: u32) -> Option<Location> {
        if span.file != self.file {
            return None;
        }
        let at = Span { start: offset, end: offset, ..span };
        let (name, line, column) = self.sources.given_position(at)?;
        if name != self.sources.file(self.file).name {
            return None;
        }
        let function = self.table.function_around(at);
        Some(Location {
            file_name: name.to_string(),
            line,
            column: Some(column),
            function: function.map(|f| f.name.clone()),
        })
    }
    pub(super) fn location(&self, span: Span) -> Option<Location> {
        self.location_at(span, span.start)
    }
    /// The closing parenthesis of a call.
    fn end_of_call(&self, span: Span) -> Option<Location> {
        let last = span.end.checked_sub(1)?;
        let is_call = self.sources.text(span).ends_with(')');
        is_call.then(|| self.location_at(span, last)).flatten()
    }
}

/// A contract of more characters helps nobody: it takes longer to check than to find another one.
const MAX_CONTRACT: usize = 1_000;

/// The invariants of a proof, and how many parts of them C cannot say.
pub fn correctness(subject: &Subject<'_>, proof: &Proof<'_>) -> (Content, usize) {
    let mut items = Vec::new();
    let mut n_dropped = 0;
    for fact in facts(proof) {
        match fact {
            CFact::Invariant { at, expression } => {
                n_dropped += expression.n_dropped;
                let Some(location) = subject.location(at.span()).filter(|_| !expression.is_trivial()) else { continue };
                let kind = match at {
                    InvariantPlace::Loop(_) => InvariantKind::Loop,
                    InvariantPlace::Statement(_) => InvariantKind::Location,
                };
                items.push(Item::Invariant { kind, location, value: expression.text, format: Format::C });
            }
            CFact::Contract { span, requires, ensures, .. } => {
                n_dropped += requires.n_dropped + ensures.n_dropped;
                let Some(location) = subject.location(span) else { continue };
                if requires.text.len() + ensures.text.len() > MAX_CONTRACT {
                    n_dropped += 1;
                    continue;
                }
                if !requires.is_trivial() || !ensures.is_trivial() {
                    let (requires, ensures) = (requires.text, ensures.text);
                    items.push(Item::Contract { location, requires, ensures, format: Format::Extended });
                }
            }
            CFact::Rank { exact: Some((InvariantPlace::Loop(span), components, before)), .. } => {
                let Some(location) = subject.location(span) else { continue };
                items.push(Item::Invariant {
                    kind: InvariantKind::LoopTransition,
                    location,
                    value: falls(&components, &before),
                    format: Format::Extended,
                });
            }
            CFact::Rank { exact: Some((InvariantPlace::Statement(_), _, _)) | None, .. } => n_dropped += 1,
            CFact::Bound(_) | CFact::Executed(_) | CFact::Enumerated(_) => {}
        }
    }
    (Content::Invariants(join_transitions(items)), n_dropped)
}

/// Some component is smaller than before, was not negative, and those in front of it did not grow.
fn falls(now: &[String], before: &[String]) -> String {
    let cases: Vec<String> = (0..now.len())
        .map(|i| {
            let mut parts: Vec<String> = (0..i).map(|j| format!("{} <= {}", now[j], before[j])).collect();
            parts.push(format!("{} < {}", now[i], before[i]));
            parts.push(format!("{} >= 0", before[i]));
            parts.join(" && ")
        })
        .collect();
    match &cases[..] {
        [single] => single.clone(),
        several => several.iter().map(|c| format!("({c})")).collect::<Vec<_>>().join(" || "),
    }
}

/// Relations at one loop are alternatives: each pair of visits satisfies one of them.
fn join_transitions(items: Vec<Item>) -> Vec<Item> {
    let mut joined: Vec<Item> = Vec::new();
    for item in items {
        let Item::Invariant { kind: InvariantKind::LoopTransition, location, value, .. } = &item else {
            joined.push(item);
            continue;
        };
        let same = joined.iter_mut().find_map(|other| match other {
            Item::Invariant { kind: InvariantKind::LoopTransition, location: at, value: before, .. }
                if at == location =>
            {
                Some(before)
            }
            _ => None,
        });
        match same {
            Some(before) => *before = format!("{before} || ({value})"),
            None => {
                let (location, value) = (location.clone(), format!("({value})"));
                joined.push(Item::Invariant {
                    kind: InvariantKind::LoopTransition,
                    location,
                    value,
                    format: Format::Extended,
                });
            }
        }
    }
    joined
}

fn returned(subject: &Subject<'_>, input: &InputValue, action: Action) -> Option<Waypoint> {
    let location = subject.end_of_call(input.span)?;
    let ty = input_type(subject.table, &input.function);
    let value = literal(&ty, &input.value);
    let constraint =
        if value.starts_with("(0.0 /") { "\\result != \\result".to_string() } else { format!("\\result == {value}") };
    Some(Waypoint {
        kind: WaypointKind::FunctionReturn,
        action,
        location,
        constraint: Some((constraint, Format::Extended)),
        thread: None,
    })
}

/// The way of an execution that violates a safety property.
/// `thread`: who takes a step, if there are several threads; 0 is the one that starts.
pub fn violation(
    subject: &Subject<'_>,
    icfg: &Icfg,
    run: &Run,
    thread: &dyn Fn(&RunStep) -> Option<u64>,
) -> Option<Content> {
    let mut segments: Vec<Vec<Waypoint>> = Vec::new();
    let mut unspecified = Unspecified::new(subject, icfg, run);
    // What was not initialised can be told only where every step is known.
    let is_whole = run.is_whole();
    for step in &run.steps {
        segments.extend(unspecified.before(step, thread(step)).filter(|_| is_whole).map(|w| vec![w]));
        if let Some(input) = input(icfg, step) {
            let waypoint = returned(subject, &input, Action::Follow);
            segments.extend(waypoint.map(|w| vec![Waypoint { thread: thread(step), ..w }]));
        }
        unspecified.after(step, thread(step));
    }
    // Of two accesses that race either may be the second one.
    let is_race = run.check.property == Subproperty::NoDataRace;
    let last = run.steps.last().filter(|_| !is_race).and_then(thread);
    // A violation inside a library function is said at its call, which is not entered: the program has no body of it.
    let is_own = |span: Span| !span.is_none() && span.file == subject.file;
    let span = match is_own(run.check.span) {
        true => run.check.span,
        false => run.steps.iter().rev().map(|s| icfg.edges[s.edge].span).find(|&s| is_own(s))?,
    };
    let target = subject.table.statement_around(span).unwrap_or(span);
    let location = subject.location(target)?;
    let (kind, action) = (WaypointKind::Target, Action::Follow);
    segments.push(vec![Waypoint { kind, action, location, constraint: None, thread: last }]);
    Some(Content::Violation(segments))
}

/// The way of an execution that never ends; `icfg` is the graph it speaks about.
pub fn non_termination(
    subject: &Subject<'_>,
    icfg: &Icfg,
    pool: &logic::TermPool,
    found: &NonTermination,
) -> Option<Content> {
    let mut segments: Vec<Vec<Waypoint>> = Vec::new();
    let input_at = |edge: ir::EdgeId, value: Option<Value>| {
        let edge = &icfg.edges[edge];
        match (&edge.label, value) {
            (Label::Stmt(Stmt::Havoc(_, Nondet::Input(function))), Some(value)) => {
                Some(InputValue { function: function.clone(), span: edge.span, value })
            }
            _ => None,
        }
    };
    for step in &found.stem.steps {
        if let Some(input) = input_at(step.edge, step.chosen.values().next().cloned()) {
            segments.extend(returned(subject, &input, Action::Follow).map(|w| vec![w]));
        }
    }
    let before = segments.len();
    for step in &found.cycle {
        let value = step.chosen.values().next().and_then(|t| pool.value(*t));
        if let Some(input) = input_at(step.edge, value) {
            segments.extend(returned(subject, &input, Action::Cycle).map(|w| vec![w]));
        }
    }
    if segments.len() == before {
        segments.push(vec![recurring_place(subject, icfg, found)?]);
    }
    Some(Content::Violation(segments))
}

/// Something of the program that every iteration of the cycle passes.
fn recurring_place(subject: &Subject<'_>, icfg: &Icfg, found: &NonTermination) -> Option<Waypoint> {
    let waypoint = |kind, span: Span, constraint: &str| {
        let location = subject.location(span)?;
        let constraint = Some((constraint.to_string(), Format::C));
        Some(Waypoint { kind, action: Action::Cycle, location, constraint, thread: None })
    };
    let visited = |e: ir::EdgeId| icfg.locs[icfg.edges[e].dst].span;
    // A loop whose condition is evaluated in each iteration, else a statement of its body. Not one inside another of
    // them: that is left in each iteration.
    let loops: Vec<_> = found.cycle.iter().filter_map(|s| subject.table.loop_at(visited(s.edge))).collect();
    let contains = |a: Span, b: Span| a != b && a.file == b.file && a.start <= b.start && b.end <= a.end;
    let is_inner = |inner: Span| loops.iter().any(|l| contains(l.span, inner));
    for repeated in loops.iter().filter(|l| !is_inner(l.span)) {
        let has_condition = !subject.sources.text(repeated.span).replace(' ', "").starts_with("for(;;");
        if has_condition {
            return waypoint(WaypointKind::Branching, repeated.span, "true");
        }
        if repeated.first.start != repeated.span.start {
            return waypoint(WaypointKind::Assumption, repeated.first, "1");
        }
    }
    let statement = found.cycle.iter().find_map(|s| {
        let span = visited(s.edge);
        subject.table.statements.iter().find(|t| t.file == span.file && t.start == span.start)
    });
    waypoint(WaypointKind::Assumption, *statement?, "1")
}

// ----- text -----

#[derive(Serialize)]
struct YamlEntry<'a> {
    entry_type: &'static str,
    metadata: YamlMetadata<'a>,
    content: Vec<YamlItem<'a>>,
}

#[derive(Serialize)]
struct YamlMetadata<'a> {
    format_version: &'a str,
    uuid: String,
    creation_time: &'a str,
    producer: YamlProducer<'a>,
    task: YamlTask<'a>,
}

#[derive(Serialize)]
struct YamlProducer<'a> {
    name: &'a str,
    version: &'a str,
}

#[derive(Serialize)]
struct YamlTask<'a> {
    input_files: &'a [String],
    input_file_hashes: std::collections::BTreeMap<&'a str, &'a str>,
    specification: &'a str,
    data_model: &'a str,
    language: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum YamlItem<'a> {
    Invariant(YamlInvariant<'a>),
    Contract(YamlContract<'a>),
    Segment(Vec<YamlWaypoint<'a>>),
}

#[derive(Serialize)]
struct YamlInvariant<'a> {
    r#type: &'static str,
    location: YamlLocation<'a>,
    value: &'a str,
    format: &'static str,
}

#[derive(Serialize)]
struct YamlContract<'a> {
    r#type: &'static str,
    location: YamlLocation<'a>,
    requires: &'a str,
    ensures: &'a str,
    format: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum YamlWaypoint<'a> {
    Waypoint(YamlWaypointBody<'a>),
}

#[derive(Serialize)]
struct YamlWaypointBody<'a> {
    r#type: &'static str,
    action: &'static str,
    location: YamlLocation<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    constraint: Option<YamlConstraint<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thread_id: Option<u64>,
}

#[derive(Serialize)]
struct YamlConstraint<'a> {
    value: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<&'static str>,
}

#[derive(Serialize)]
struct YamlLocation<'a> {
    file_name: &'a str,
    line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    function: Option<&'a str>,
}

fn location(l: &Location) -> YamlLocation<'_> {
    YamlLocation { file_name: &l.file_name, line: l.line, column: l.column, function: l.function.as_deref() }
}

/// Version 2.0 calls the extended expressions after the language that has `\result`.
fn format_name(format: Format, version: &str) -> &'static str {
    match format {
        Format::C => "c_expression",
        Format::Extended if version == "2.0" => "acsl_expression",
        Format::Extended => "ext_c_expression",
    }
}

fn item<'a>(item: &'a Item, version: &str) -> YamlItem<'a> {
    match item {
        Item::Invariant { kind, location: at, value, format } => YamlItem::Invariant(YamlInvariant {
            r#type: kind.name(),
            location: location(at),
            value,
            format: format_name(*format, version),
        }),
        Item::Contract { location: at, requires, ensures, format } => YamlItem::Contract(YamlContract {
            r#type: "function_contract",
            location: location(at),
            requires,
            ensures,
            format: format_name(*format, version),
        }),
    }
}

fn waypoint<'a>(w: &'a Waypoint, version: &str) -> YamlWaypoint<'a> {
    let constraint = w.constraint.as_ref().map(|(value, format)| YamlConstraint {
        value,
        // The outcome of a branch is a word, not an expression.
        format: (w.kind != WaypointKind::Branching).then(|| format_name(*format, version)),
    });
    YamlWaypoint::Waypoint(YamlWaypointBody {
        r#type: w.kind.name(),
        action: w.action.name(),
        location: location(&w.location),
        constraint,
        thread_id: w.thread,
    })
}

/// The text of a witness with one entry. `creation_time` is in the format of ISO 8601.
pub fn text(content: &Content, task: &Task, creation_time: &str) -> Result<String, String> {
    let version = Entry::needed_version(content);
    let (entry_type, content): (_, Vec<YamlItem<'_>>) = match content {
        Content::Invariants(items) => ("invariant_set", items.iter().map(|i| item(i, version)).collect()),
        Content::Violation(segments) => {
            let segments = segments.iter().map(|s| YamlItem::Segment(s.iter().map(|w| waypoint(w, version)).collect()));
            ("violation_sequence", segments.collect())
        }
        Content::Ghosts(_) => return Err("ghost variables are read, not written".to_string()),
    };
    let identity = serde_json::to_string(&(&content, &task.input_file_hashes, &task.specification));
    let entry = YamlEntry {
        entry_type,
        metadata: YamlMetadata {
            format_version: version,
            uuid: identifier(identity.map_err(|e| e.to_string())?.as_bytes()),
            creation_time,
            producer: YamlProducer { name: "Craig", version: env!("CARGO_PKG_VERSION") },
            task: YamlTask {
                input_files: &task.input_files,
                input_file_hashes: task.input_file_hashes.iter().map(|(f, h)| (f.as_str(), h.as_str())).collect(),
                specification: &task.specification,
                data_model: &task.data_model,
                language: &task.language,
            },
        },
        content,
    };
    // Folded lines would be right, but are hard to read and to compare.
    let options = serde_saphyr::ser_options! { prefer_block_scalars: false };
    serde_saphyr::to_string_with_options(&[entry], options).map_err(|e| e.to_string())
}

/// A UUID made from a digest (version 8 of RFC 9562: the bits are ours).
fn identifier(bytes: &[u8]) -> String {
    let mut digest = sha256::digest(bytes);
    digest[6] = digest[6] & 0x0f | 0x80;
    digest[8] = digest[8] & 0x3f | 0x80;
    let hex: String = digest[..16].iter().map(|b| format!("{b:02x}")).collect();
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

/// Seconds since 1970 as a date and time of ISO 8601.
pub fn iso_8601(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Days in eras of 400 years, which begin in March so that leap days are last.
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3600, rest / 60 % 60, rest % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        assert_eq!(iso_8601(0), "1970-01-01T00:00:00Z");
        assert_eq!(iso_8601(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(iso_8601(1_731_715_199), "2024-11-15T23:59:59Z");
    }

    #[test]
    fn ranks_fall() {
        let texts = |t: &[&str]| t.iter().map(|s| s.to_string()).collect::<Vec<_>>();
        assert_eq!(falls(&texts(&["x"]), &texts(&["x'"])), "x < x' && x' >= 0");
        assert_eq!(
            falls(&texts(&["x", "y"]), &texts(&["x'", "y'"])),
            "(x < x' && x' >= 0) || (x <= x' && y < y' && y' >= 0)"
        );
    }
}
