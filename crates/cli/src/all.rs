//! `craig check --all`: every violation, not just the first.
//!
//! All checks are searched at once. A violated one is reported and becomes an assumption, where executions then end,
//! and the search goes on with the rest; a proof settles all that are left. When there is no
//! answer for all together, each of the remaining ones is asked for alone. Every search is made as for a single
//! property ([`check::answer`]) and has the limits of the command line for itself.

use crate::args::{CheckArgs, Format, Translation};
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
    let translation = Translation { interleaved: true, no_wrap: false };
    let usual = CheckArgs { translation, ..args.clone() };
    let mut loaded = match check::load(path, property, &usual) {
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
    let asked = Asked { path, property, args: &usual, all: open.iter().map(question).collect() };
    let mut found = Vec::new();
    let mut violations = Vec::new();
    while !open.is_empty() {
        let (read, outcome, answer) = match asked.ask(&open) {
            Ok(answered) => answered,
            Err(LoadError::BadInput(message)) => {
                eprint!("{message}");
                return Kind::BadInput;
            }
        };
        match &outcome.answer {
            Answer::Holds(_) => {
                found.extend(open.drain(..).map(|check| Found { check, answer: answer.clone() }));
            }
            Answer::Violated(run) => {
                violations.push(shown(path, property, &read, &outcome, args));
                let violated = question(&run.check);
                let before = open.len();
                open.retain(|c| question(c) != violated);
                found.push(Found { check: run.check.clone(), answer });
                if open.len() == before {
                    // Only if the program was changed meanwhile: another answer would be as foreign.
                    let answer = "unknown(the program has changed)".to_string();
                    found.extend(open.drain(..).map(|check| Found { check, answer: answer.clone() }));
                }
            }
            Answer::NonTerminating(_) | Answer::Unknown(_) if open.len() == 1 => {
                found.extend(open.drain(..).map(|check| Found { check, answer: answer.clone() }));
            }
            Answer::NonTerminating(_) | Answer::Unknown(_) => {
                for check in std::mem::take(&mut open) {
                    let answer = match asked.ask(std::slice::from_ref(&check)) {
                        Ok((read, outcome, answer)) => {
                            if let Answer::Violated(_) = outcome.answer {
                                violations.push(shown(path, property, &read, &outcome, args));
                            }
                            answer
                        }
                        Err(LoadError::BadInput(_)) => "unknown(the program cannot be read any more)".to_string(),
                    };
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
    if matches!(args.format, Format::Text | Format::Github) {
        print!("{}", show::body(&found, args.format, args.stats));
    }
    found
}

/// What is asked for again and again.
struct Asked<'a> {
    path: &'a Path,
    property: &'a Property,
    args: &'a CheckArgs,
    /// Every check of the program.
    all: Vec<Question>,
}

impl Asked<'_> {
    /// Searches for a violation of some of the checks, in all the ways in which one property is asked for. What the
    /// program was read as, and the answer.
    fn ask(&self, open: &[Check]) -> Result<(Loaded, Outcome, String), LoadError> {
        let (budget, _watcher) = check::watched(self.path, self.property, self.args);
        let is_open = |q: &Question| open.iter().any(|c| question(c) == *q);
        let settled = self.all.iter().filter(|q| !is_open(q)).cloned().collect();
        let args = CheckArgs { settled, ..self.args.clone() };
        let read = check::load(self.path, self.property, &args)?;
        let (read, outcome) = check::answer(self.path, self.property, &args, read, &budget, Instant::now());
        let answer = outcome.answer.result();
        Ok((read, outcome, answer))
    }
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
                "result": result, "checks": checks, "violations": violations,
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
