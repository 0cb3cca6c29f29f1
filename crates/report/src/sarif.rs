//! The answers as SARIF 2.1.0 (OASIS, *Static Analysis Results Interchange Format*), the document that code-scanning
//! services read.
//!
//! A violation is a result of kind `fail` with the execution as a code flow; *holds* is `pass`, *unknown* is `open`.
//! After the results for files come those for their checks, but for the violation: `pass` if proved, else `open`. A
//! file that could not be read is a notification of the invocation, which then was not successful. Columns count
//! Unicode code points, as our ranges do.

use crate::escape::uri;
use crate::no_answer::Advice;
use crate::result::{CheckResult, CheckStatus, FileResult, Kind, Range};
use crate::text::values;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// The rules: a name for every property and part of a property that a result can speak about.
const RULES: &[(&str, &str)] = &[
    ("unreach-call", "No call of an error function, no failing assertion, no broken contract"),
    ("no-overflow", "No signed integer overflow"),
    ("valid-memsafety", "No invalid access, no invalid free, no lost memory"),
    ("valid-deref", "No invalid access to memory"),
    ("valid-free", "No invalid free"),
    ("valid-memtrack", "No lost memory"),
    ("valid-memcleanup", "All memory is freed at the end"),
    ("termination", "Every execution ends"),
    ("no-data-race", "No two conflicting accesses at the same time"),
    ("no-deadlock", "No threads wait for each other forever"),
    ("ltl", "The LTL formula holds on every execution"),
];

pub fn render(found: &[FileResult], tool_version: &str) -> String {
    let mut rules: Vec<(String, String)> = RULES.iter().map(|(id, text)| (id.to_string(), text.to_string())).collect();
    let known: BTreeSet<String> = rules.iter().map(|(id, _)| id.clone()).collect();
    let others: BTreeSet<String> = found.iter().flat_map(rule_ids).filter(|id| !known.contains(id)).collect();
    rules.extend(others.into_iter().map(|id| (id.clone(), id)));
    let rule_index = |id: &str| rules.iter().position(|(other, _)| other == id).unwrap_or(0);

    let mut results: Vec<Value> =
        found.iter().filter(|f| f.kind() != Kind::BadInput).map(|f| result(f, rule_index(rule_id(f)))).collect();
    for f in found {
        // The violated check is told by the result for the file.
        let others = f.checks.iter().filter(|c| c.status != CheckStatus::Violated);
        results.extend(others.map(|c| check(f, c, rule_index(&c.property))));
    }
    results.extend(found.iter().flat_map(|f| gone(f, &rule_index)));
    let notifications: Vec<Value> =
        found.iter().filter(|f| f.kind() == Kind::BadInput).flat_map(notifications).collect();
    let files: BTreeSet<&str> = found.iter().map(|f| f.file.as_str()).collect();
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "craig",
                "semanticVersion": tool_version,
                "rules": rules.iter().map(|(id, text)| json!({
                    "id": id,
                    "shortDescription": { "text": text },
                    "defaultConfiguration": { "level": "error" },
                })).collect::<Vec<_>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": notifications.is_empty(),
                "toolExecutionNotifications": notifications,
            }],
            "artifacts": files.iter().map(|f| json!({ "location": { "uri": uri(f) } })).collect::<Vec<_>>(),
            "results": results,
        }],
    });
    format!("{document:#}\n")
}

/// All rules that the results for a file name.
fn rule_ids(found: &FileResult) -> Vec<String> {
    std::iter::once(rule_id(found).to_string()).chain(found.checks.iter().map(|c| c.property.clone())).collect()
}

fn rule_id(found: &FileResult) -> &str {
    match found.kind() {
        Kind::Violated => found.violated_property(),
        Kind::Holds | Kind::Unknown | Kind::BadInput => &found.property,
    }
}

fn result(found: &FileResult, rule_index: usize) -> Value {
    let (kind, level) = match found.kind() {
        Kind::Violated => ("fail", "error"),
        Kind::Holds => ("pass", "none"),
        Kind::Unknown | Kind::BadInput => ("open", "none"),
    };
    let mut object = json!({
        "ruleId": rule_id(found),
        "ruleIndex": rule_index,
        "kind": kind,
        "level": level,
        "message": { "text": found.message() },
        "locations": [location(&found.file, found.main_range(), None)],
    });
    if let Some(state) = found.upgrade.as_ref().and_then(|u| u.present()?.sarif()) {
        object["baselineState"] = json!(state);
    }
    let notes = found.violation.iter().flat_map(|v| v.notes()).map(|note| (note.range, note.message));
    let obstacles = found.obstacles.iter().map(|o| (o.range.clone(), format!("blocked by {}", o.message)));
    let related: Vec<Value> =
        notes.chain(obstacles).map(|(range, text)| location(&found.file, range.as_ref(), Some(&text))).collect();
    if !related.is_empty() {
        object["relatedLocations"] = json!(related);
    }
    if !found.advice.is_empty() || !found.obstacles.is_empty() {
        object["properties"] = json!({ "obstacles": found.obstacles, "advice": found.advice });
        let text = found.advice.iter().map(|a| format!("\ntry {a}")).collect::<String>();
        object["message"]["text"] = json!(format!("{}{text}", found.message()));
    }
    let fixes: Vec<Value> = found.advice.iter().filter_map(fix).collect();
    if !fixes.is_empty() {
        object["fixes"] = json!(fixes);
    }
    if found.kind() == Kind::Violated {
        let steps: Vec<Value> = found
            .steps()
            .enumerate()
            .map(|(i, (step, repeats))| {
                let values_text = values(step);
                let text = match (repeats, values_text.is_empty()) {
                    (false, true) => step.source.clone(),
                    (false, false) => format!("{}  [{values_text}]", step.source),
                    (true, true) => format!("forever: {}", step.source),
                    (true, false) => format!("forever: {}  [{values_text}]", step.source),
                };
                let text = step.observed.as_ref().map_or(text.clone(), |o| format!("{text}  ({o})"));
                let state: Map<String, Value> =
                    step.values.iter().map(|(name, value)| (name.clone(), json!({ "text": value }))).collect();
                json!({
                    "executionOrder": i + 1,
                    "nestingLevel": step.depth,
                    "importance": if step.values.is_empty() { "unimportant" } else { "important" },
                    "state": state,
                    "location": location(&found.file, step.range.as_ref(), Some(&text)),
                })
            })
            .collect();
        if !steps.is_empty() {
            object["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps }] }]);
        }
    }
    object
}

/// A change of the program that is likely to give an answer.
fn fix(advice: &Advice) -> Option<Value> {
    let edit = advice.edit.as_ref()?;
    let at = json!({ "startLine": edit.after_line + 1, "startColumn": 1, "endColumn": 1 });
    Some(json!({
        "description": { "text": advice.message },
        "artifactChanges": [{
            "artifactLocation": { "uri": uri(&edit.file) },
            "replacements": [{ "deletedRegion": at, "insertedContent": { "text": edit.text } }],
        }],
    }))
}

/// One check of a program.
fn check(found: &FileResult, check: &CheckResult, rule_index: usize) -> Value {
    let (kind, says) = match check.status {
        CheckStatus::Proved => ("pass", "cannot happen"),
        CheckStatus::Violated => ("fail", "happens"),
        CheckStatus::Open => ("open", "is not decided"),
    };
    json!({
        "ruleId": check.property,
        "ruleIndex": rule_index,
        "kind": kind,
        "level": "none",
        "message": { "text": format!("{}: {says}", check.message.trim_end()) },
        "locations": [location(&found.file, check.range.as_ref(), None)],
    })
}

/// Violations that only the old version has.
fn gone(found: &FileResult, rule_index: &dyn Fn(&str) -> usize) -> Vec<Value> {
    let violations = found.upgrade.iter().flat_map(|u| &u.violations);
    let gone = violations.filter(|v| v.state.sarif() == Some("absent"));
    gone.map(|v| {
        json!({
            "ruleId": v.property,
            "ruleIndex": rule_index(&v.property),
            "kind": "fail",
            "level": "none",
            "baselineState": "absent",
            "message": { "text": format!("{} ({})", v.message, v.state.words()) },
            "locations": [location(&found.file, None, None)],
        })
    })
    .collect()
}

fn notifications(found: &FileResult) -> Vec<Value> {
    let notification = |range: Option<&Range>, message: &str| {
        json!({
            "level": "error",
            "message": { "text": message },
            "locations": [location(&found.file, range, None)],
        })
    };
    if found.problems.is_empty() {
        return vec![notification(None, &found.message())];
    }
    found.problems.iter().map(|p| notification(p.range.as_ref(), &p.message)).collect()
}

fn location(file: &str, range: Option<&Range>, message: Option<&str>) -> Value {
    let file = range.map_or(file, |r| &r.file);
    let mut physical = json!({ "artifactLocation": { "uri": uri(file) } });
    if let Some(r) = range {
        physical["region"] = json!({
            "startLine": r.line,
            "startColumn": r.column,
            "endLine": r.end_line,
            "endColumn": r.end_column,
        });
    }
    let mut object = json!({ "physicalLocation": physical });
    if let Some(message) = message {
        object["message"] = json!({ "text": message });
    }
    object
}
