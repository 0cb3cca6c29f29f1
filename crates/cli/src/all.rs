//! `craig check --all`: every violation, not just the first.
//!
//! All checks are searched at once. A violated one is reported and taken out of the graph, where executions then end,
//! and the search goes on with the rest; a proof settles all that are left. When there is no
//! answer for all together, each of the remaining ones is asked for alone. Every search has the
//! limits of the command line for itself.

use crate::args::{CheckArgs, Format};
use crate::check::{self, Answer, LoadError, Loaded, Outcome};
use crate::{limits, show};
use base::Span;
use ir::{Check, Icfg, Property};
use report::{FileResult, Kind};
use std::path::Path;
use std::time::Instant;

/// A check of the program by what makes it one question: property and place.
type Question = (String, Span);

fn question(check: &Check) -> Question {
    (check.property.clone(), check.span)
}

struct Found {
    check: Check,
    /// `true`, `false(…)` or `unknown(…)`.
    answer: String,
}

pub fn run_file(path: &Path, property: &Property, args: &CheckArgs) -> Kind {
    let mut loaded = match check::load(path, property, args) {
        Ok(loaded) => loaded,
        Err(LoadError::BadInput(message)) => {
            eprint!("{message}");
            return Kind::BadInput;
        }
    };
    if !property.is_safety() {
        eprintln!("craig: --all needs a property with checks in the program; {} has none", property.name());
        return Kind::BadInput;
    }
    let graph = Icfg::build(&loaded.program, &mut loaded.pool);
    let mut open: Vec<Check> = Vec::new();
    for loc in graph.error_locs() {
        if let Some(check) = &graph.locs[loc].error
            && !open.iter().any(|c| question(c) == question(check))
        {
            open.push(check.clone());
        }
    }
    let mut found = Vec::new();
    let mut violations = Vec::new();
    while !open.is_empty() {
        let (outcome, answer) = ask(path, property, args, &mut loaded, &graph, &open);
        match &outcome.answer {
            Answer::Holds(_) => {
                found.extend(open.drain(..).map(|check| Found { check, answer: answer.clone() }));
            }
            Answer::Violated(run) => {
                violations.push(shown(path, property, &loaded, &outcome, args));
                let violated = question(&run.check);
                open.retain(|c| question(c) != violated);
                found.push(Found { check: run.check.clone(), answer });
            }
            Answer::NonTerminating(_) | Answer::Unknown(_) if open.len() == 1 => {
                found.extend(open.drain(..).map(|check| Found { check, answer: answer.clone() }));
            }
            Answer::NonTerminating(_) | Answer::Unknown(_) => {
                for check in std::mem::take(&mut open) {
                    let (outcome, answer) =
                        ask(path, property, args, &mut loaded, &graph, std::slice::from_ref(&check));
                    if let Answer::Violated(_) = outcome.answer {
                        violations.push(shown(path, property, &loaded, &outcome, args));
                    }
                    found.push(Found { check, answer });
                }
            }
        }
    }
    summary(path, property, &loaded, found, violations, args)
}

/// A violation; where the output is one document it is printed at the end.
fn shown(path: &Path, property: &Property, loaded: &Loaded, outcome: &Outcome, args: &CheckArgs) -> FileResult {
    let found = show::result(path, property, loaded, outcome);
    if !show::is_document(args.format) {
        print!("{}", show::body(&found, args.format, args.stats));
    }
    found
}

/// Searches for a violation of some of the checks.
fn ask(
    path: &Path,
    property: &Property,
    args: &CheckArgs,
    loaded: &mut Loaded,
    graph: &Icfg,
    open: &[Check],
) -> (Outcome, String) {
    let (budget, _watcher) = check::watched(path, property, args);
    let mut graph = graph.clone();
    for (_, location) in graph.locs.iter_mut() {
        location.error.take_if(|check| !open.iter().any(|c| question(c) == question(check)));
    }
    let mut outcome = check::verify_graph(loaded, graph, property, args, &budget, Instant::now());
    if let Some(reason) = check::undefined_behaviour(path, property, args, &outcome) {
        outcome.answer = Answer::Unknown(reason);
    }
    let answer = outcome.answer.result();
    (outcome, answer)
}

/// One line for each check, then the result for all of them.
fn summary(
    path: &Path,
    property: &Property,
    loaded: &Loaded,
    mut found: Vec<Found>,
    mut violations: Vec<FileResult>,
    args: &CheckArgs,
) -> Kind {
    found.sort_by(|a, b| (a.check.span, &a.check.property).cmp(&(b.check.span, &b.check.property)));
    let first = |prefix: &str| found.iter().find(|f| f.answer.starts_with(prefix)).map(|f| f.answer.clone());
    let result = first("false").or_else(|| first("unknown")).unwrap_or_else(|| "true".to_string());
    if !limits::claim_answer() {
        return Kind::Unknown;
    }
    let overall = FileResult::bare(&path.display().to_string(), property.name(), &result);
    let kind = overall.kind();
    let count = |prefix: &str| found.iter().filter(|f| f.answer.starts_with(prefix)).count();
    match args.format {
        Format::Json => {
            let checks: Vec<serde_json::Value> = found
                .iter()
                .map(|f| {
                    serde_json::json!({
                        "place": loaded.sources.show(f.check.span),
                        "line": loaded.sources.line_of(f.check.span),
                        "property": f.check.property,
                        "message": f.check.message,
                        "result": f.answer,
                    })
                })
                .collect();
            let object = serde_json::json!({
                "version": 1, "file": path.display().to_string(), "property": property.name(),
                "result": result, "checks": checks,
            });
            println!("{object:#}");
        }
        Format::Sarif | Format::Junit => {
            if violations.is_empty() {
                violations.push(overall);
            }
            print!(
                "{}",
                match args.format {
                    Format::Junit => report::junit::render(&violations),
                    _ => report::sarif::render(&violations, env!("CARGO_PKG_VERSION")),
                }
            );
            eprintln!("RESULT: {result}");
            return kind;
        }
        Format::Text | Format::Github => {
            println!(
                "{}: {}: {} violated, {} not, {} without an answer",
                path.display(),
                property.name(),
                count("false"),
                count("true"),
                count("unknown")
            );
            for f in found.iter().filter(|f| f.answer != "true") {
                println!("  {}: {}: {}", loaded.sources.show(f.check.span), f.check.message.trim_end(), f.answer);
            }
        }
    }
    println!("RESULT: {result}");
    kind
}
