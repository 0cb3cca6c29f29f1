//! Reading witnesses of any producer.
//!
//! The text becomes a tree of values first, then entries. Unknown keys are ignored, as the format asks; a missing
//! or malformed one is an error that says which, in which entry. Entries of other kinds than invariants,
//! violations and ghost variables are refused: they could change what the others mean.

use super::{Action, Content, Entry, Format, GhostUpdate, GhostVariable, Ghosts};
use super::{InvariantKind, Item, Location, Task, Waypoint, WaypointKind, graphml};
use serde_json::Value as Json;

type Outcome<T> = Result<T, String>;

/// Larger texts are not read.
const MAX_BYTES: usize = 64 << 20;

/// The entries of a witness; the error says what is wrong and where.
pub fn entries(text: &str) -> Outcome<Vec<Entry>> {
    if text.len() > MAX_BYTES {
        return Err("the file is too large for a witness".to_string());
    }
    if text.trim_start().starts_with('<') {
        return graphml::entry(text).map(|entry| vec![entry]);
    }
    let tree: Json = serde_saphyr::from_str(text).map_err(|e| format!("this is not YAML: {e}"))?;
    let Json::Array(list) = tree else {
        return Err("a witness is a list of entries; this is none".to_string());
    };
    if list.is_empty() {
        return Err("there is no entry in this witness".to_string());
    }
    list.iter().enumerate().map(|(i, e)| entry(e).map_err(|why| format!("entry {}: {why}", i + 1))).collect()
}

fn entry(tree: &Json) -> Outcome<Entry> {
    let metadata = key(tree, "metadata")?;
    let format_version = text_of(key(metadata, "format_version")?);
    // Tools that try something new put their name behind.
    let number = format_version.split('-').next().unwrap_or_default();
    if !matches!(number, "2.0" | "2" | "2.1" | "2.2") {
        return Err(format!("unknown format version {format_version}; craig reads 2.0, 2.1 and 2.2"));
    }
    let task = read_task(key(metadata, "task")?).map_err(|why| format!("task: {why}"))?;
    let content = key(tree, "content")?;
    let content = match text_of(key(tree, "entry_type")?).as_str() {
        "invariant_set" => Content::Invariants(numbered(list(content)?, "item", invariant)?),
        "violation_sequence" => Content::Violation(numbered(list(content)?, "segment", segment)?),
        "ghost_instrumentation" => Content::Ghosts(ghosts(content)?),
        other => {
            let known = "invariant_set, violation_sequence and ghost_instrumentation";
            return Err(format!("unknown kind of entry '{other}'; craig reads {known}"));
        }
    };
    if let Content::Violation(segments) = &content {
        check_segments(segments)?;
    }
    Ok(Entry { format_version, task, content })
}

fn numbered<T>(list: &[Json], what: &str, read: impl Fn(&Json) -> Outcome<T>) -> Outcome<Vec<T>> {
    list.iter().enumerate().map(|(i, t)| read(t).map_err(|why| format!("{what} {}: {why}", i + 1))).collect()
}

fn key<'a>(tree: &'a Json, name: &str) -> Outcome<&'a Json> {
    tree.get(name).filter(|v| !v.is_null()).ok_or_else(|| format!("the key '{name}' is missing"))
}

fn list(tree: &Json) -> Outcome<&[Json]> {
    match tree {
        Json::Array(items) => Ok(items),
        _ => Err("a list is expected".to_string()),
    }
}

/// A scalar as it is written, whatever YAML takes it for.
fn text_of(tree: &Json) -> String {
    match tree {
        Json::String(s) => s.clone(),
        Json::Number(n) => match n.as_f64() {
            Some(f) if n.is_f64() && f.fract() == 0.0 => format!("{f:.1}"),
            _ => n.to_string(),
        },
        Json::Bool(b) => b.to_string(),
        Json::Null | Json::Array(_) | Json::Object(_) => String::new(),
    }
}

fn read_task(tree: &Json) -> Outcome<Task> {
    let files = list(key(tree, "input_files")?)?.iter().map(text_of).collect();
    let hashes = match tree.get("input_file_hashes") {
        Some(Json::Object(map)) => map.iter().map(|(f, h)| (f.clone(), text_of(h))).collect(),
        _ => Vec::new(),
    };
    let optional = |name: &str| tree.get(name).map(text_of).unwrap_or_default();
    Ok(Task {
        input_files: files,
        input_file_hashes: hashes,
        specification: text_of(key(tree, "specification")?),
        data_model: optional("data_model"),
        language: optional("language"),
    })
}

fn location(tree: &Json) -> Outcome<Location> {
    let number = |name: &str| -> Outcome<Option<u32>> {
        match tree.get(name) {
            None | Some(Json::Null) => Ok(None),
            Some(v) => {
                let n = v.as_u64().and_then(|n| u32::try_from(n).ok());
                n.map(Some).ok_or_else(|| format!("'{name}' is not a number"))
            }
        }
    };
    Ok(Location {
        file_name: tree.get("file_name").map(text_of).unwrap_or_default(),
        line: number("line")?.ok_or("the key 'line' is missing")?,
        // Some producers count columns from 0 and mean the start of the line.
        column: number("column")?.filter(|&c| c > 0),
        function: tree.get("function").map(text_of).filter(|f| !f.is_empty()),
    })
}

fn format(tree: Option<&Json>) -> Outcome<Format> {
    match tree.map(text_of).as_deref() {
        None | Some("" | "c_expression" | "C") => Ok(Format::C),
        Some("acsl_expression" | "ext_c_expression") => Ok(Format::Extended),
        Some(other) => Err(format!("unknown format of expressions '{other}'")),
    }
}

fn invariant(tree: &Json) -> Outcome<Item> {
    if let Some(contract) = tree.get("contract") {
        return read_contract(contract);
    }
    let body = key(tree, "invariant")?;
    let kind = match text_of(key(body, "type")?).as_str() {
        "loop_invariant" => InvariantKind::Loop,
        "location_invariant" => InvariantKind::Location,
        "loop_transition_invariant" | "transition_loop_invariant" => InvariantKind::LoopTransition,
        "location_transition_invariant" | "transition_location_invariant" => InvariantKind::LocationTransition,
        "flow_insensitive_invariant" => {
            let location = Location { file_name: String::new(), line: 0, column: None, function: None };
            let (value, format) = (text_of(key(body, "value")?), format(body.get("format"))?);
            return Ok(Item::Invariant { kind: InvariantKind::Everywhere, location, value, format });
        }
        "function_contract" => return read_contract(body),
        other => return Err(format!("unknown kind of invariant '{other}'")),
    };
    Ok(Item::Invariant {
        kind,
        location: location(key(body, "location")?)?,
        value: text_of(key(body, "value")?),
        format: format(body.get("format"))?,
    })
}

fn ghosts(tree: &Json) -> Outcome<Ghosts> {
    let of = |name: &str| tree.get(name).filter(|v| !v.is_null()).map_or(Ok(&[][..]), list);
    let variables = numbered(of("ghost_variables")?, "ghost variable", |v| {
        let scope = v.get("scope").map(text_of).unwrap_or_default();
        if !matches!(scope.as_str(), "" | "global") {
            return Err(format!("its scope is '{scope}'; craig reads global ghost variables"));
        }
        let initial = key(key(v, "initial")?, "value")?;
        Ok(GhostVariable { name: text_of(key(v, "name")?), ty: text_of(key(v, "type")?), initial: text_of(initial) })
    })?;
    let updates = numbered(of("ghost_updates")?, "ghost update", |u| {
        let location = location(key(u, "location")?)?;
        let update = |v: &Json| {
            let (variable, value) = (text_of(key(v, "variable")?), text_of(key(v, "value")?));
            Ok(GhostUpdate { location: location.clone(), variable, value })
        };
        numbered(list(key(u, "updates")?)?, "update", update)
    })?;
    Ok(Ghosts { variables, updates: updates.into_iter().flatten().collect() })
}

fn read_contract(body: &Json) -> Outcome<Item> {
    let clause = |name: &str| body.get(name).map(text_of).filter(|t| !t.is_empty()).unwrap_or_else(|| "1".to_string());
    Ok(Item::Contract {
        location: location(key(body, "location")?)?,
        requires: clause("requires"),
        ensures: clause("ensures"),
        format: format(body.get("format"))?,
    })
}

fn segment(tree: &Json) -> Outcome<Vec<Waypoint>> {
    let waypoints = numbered(list(key(tree, "segment")?)?, "waypoint", |w| waypoint(key(w, "waypoint")?))?;
    if waypoints.is_empty() {
        return Err("there is no waypoint".to_string());
    }
    Ok(waypoints)
}

fn waypoint(tree: &Json) -> Outcome<Waypoint> {
    let kind = match text_of(key(tree, "type")?).as_str() {
        "assumption" => WaypointKind::Assumption,
        "branching" => WaypointKind::Branching,
        "function_enter" => WaypointKind::FunctionEnter,
        "function_return" => WaypointKind::FunctionReturn,
        "target" => WaypointKind::Target,
        other => return Err(format!("unknown kind of waypoint '{other}'")),
    };
    let action = match text_of(key(tree, "action")?).as_str() {
        "follow" => Action::Follow,
        "avoid" => Action::Avoid,
        "cycle" => Action::Cycle,
        other => return Err(format!("unknown action '{other}'")),
    };
    let thread = match tree.get("thread_id").filter(|t| !t.is_null()) {
        None => None,
        Some(id) => Some(id.as_u64().ok_or("'thread_id' is not a number")?),
    };
    let constraint = match tree.get("constraint").filter(|c| !c.is_null()) {
        None => None,
        Some(constraint) => {
            let value = text_of(key(constraint, "value")?);
            Some((value, format(constraint.get("format"))?))
        }
    };
    if constraint.is_none() && matches!(kind, WaypointKind::Assumption | WaypointKind::Branching) {
        return Err(format!("a waypoint of type {} needs a constraint", kind.name()));
    }
    Ok(Waypoint { kind, action, location: location(key(tree, "location")?)?, constraint, thread })
}

/// Every segment follows (or repeats) exactly one waypoint, the target comes last.
fn check_segments(segments: &[Vec<Waypoint>]) -> Outcome<()> {
    let last = segments.len().checked_sub(1).ok_or("there is no segment")?;
    let repeats = segments.iter().flatten().any(|w| w.action == Action::Cycle);
    let mut in_cycle = false;
    for (i, segment) in segments.iter().enumerate() {
        let wrong = |why: &str| Err(format!("segment {}: {why}", i + 1));
        let passed = segment.iter().filter(|w| w.action != Action::Avoid);
        let [passed] = passed.collect::<Vec<_>>()[..] else {
            return wrong("exactly one waypoint must be followed or repeated");
        };
        let is_target = passed.kind == WaypointKind::Target;
        if is_target != (i == last && !repeats) {
            return wrong("the target must be the waypoint of the last segment, and of no other");
        }
        if in_cycle && passed.action != Action::Cycle {
            return wrong("nothing can come after segments that repeat");
        }
        in_cycle |= passed.action == Action::Cycle;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::write;
    use super::*;

    fn task() -> Task {
        Task {
            input_files: vec!["a.c".into()],
            input_file_hashes: vec![("a.c".into(), "00".repeat(32))],
            specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )".into(),
            data_model: "ILP32".into(),
            language: "C".into(),
        }
    }

    fn at(line: u32) -> Location {
        Location { file_name: "a.c".into(), line, column: Some(3), function: Some("main".into()) }
    }

    #[test]
    fn what_is_written_is_read() {
        let waypoint = |kind, action, constraint: Option<(&str, Format)>| Waypoint {
            kind,
            action,
            location: at(7),
            constraint: constraint.map(|(c, f)| (c.to_string(), f)),
            thread: None,
        };
        let contents = [
            Content::Invariants(vec![]),
            Content::Invariants(vec![
                Item::Invariant {
                    kind: InvariantKind::Loop,
                    location: at(5),
                    value: "!(x < 0) && c == ':' # \"odd\"".into(),
                    format: Format::C,
                },
                Item::Contract {
                    location: at(1),
                    requires: "1".into(),
                    ensures: "\\result >= \\at(x, Old)".into(),
                    format: Format::Extended,
                },
            ]),
            Content::Violation(vec![
                vec![
                    waypoint(WaypointKind::Assumption, Action::Avoid, Some(("x == 1", Format::C))),
                    waypoint(WaypointKind::FunctionReturn, Action::Follow, Some(("\\result == -5", Format::Extended))),
                ],
                vec![waypoint(WaypointKind::Target, Action::Follow, None)],
            ]),
            Content::Violation(vec![vec![waypoint(WaypointKind::Branching, Action::Cycle, Some(("true", Format::C)))]]),
        ];
        for content in contents {
            let text = write::text(&content, &task(), "2026-01-01T00:00:00Z").expect("it can be written");
            let read = entries(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
            assert_eq!(read.len(), 1);
            assert_eq!(read[0].task, task());
            assert_eq!(read[0].content, content, "{text}");
        }
    }

    #[test]
    fn errors_name_the_place() {
        let message = |text: &str| entries(text).expect_err("an error");
        assert!(message("<?xml version=\"1.0\"?>").contains("graphml"));
        assert!(message("[").contains("not YAML"));
        assert!(message("a: 1").contains("list of entries"));
        assert_eq!(message("- entry_type: x"), "entry 1: the key 'metadata' is missing");
        let text = write::text(&Content::Violation(vec![]), &task(), "now").expect("text");
        assert!(message(&text).contains("there is no segment"));
        let text = write::text(&Content::Invariants(vec![]), &task(), "now").expect("text");
        assert!(message(&text.replace("2.0", "9.0")).contains("unknown format version 9.0"));
        assert!(message(&text.replace("invariant_set", "ghost")).contains("unknown kind of entry 'ghost'"));
    }
}
