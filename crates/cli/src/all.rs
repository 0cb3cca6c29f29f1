//! `craig check --all`: every violation, not just the first.
//!
//! All checks are searched at once. A violated one is reported and becomes an assumption, where executions then end,
//! and the search goes on with the rest; a proof settles all that are left. When there is no
//! answer for all together, each of the remaining ones is asked for alone. Every search is made as for a single
//! property ([`check::answer`]) and has the limits of the command line for itself.

use crate::args::{CheckArgs, Format, Translation};
use crate::check::{self, Answer, LoadError, Loaded, Outcome};
use crate::{limits, show};
use base::{Budget, Span};
use ir::{Check, Icfg, Property};
use report::{FileResult, Kind};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A check of the program by what makes it one question: property and place.
type Question = (String, Span);

fn question(check: &Check) -> Question {
    (check.property.clone(), check.span)
}

/// A check in words, and the answer for it.
#[derive(Clone)]
struct Found {
    span: Span,
    place: String,
    line: Option<u32>,
    property: String,
    message: String,
    /// `true`, `false(…)` or `unknown(…)`.
    answer: String,
}

impl Found {
    fn new(check: &Check, answer: &str, loaded: &Loaded) -> Found {
        Found {
            span: check.span,
            place: loaded.sources.show(check.span),
            line: loaded.sources.line_of(check.span),
            property: check.property.clone(),
            message: check.message.clone(),
            answer: answer.to_string(),
        }
    }
}

pub fn run_file(path: &Path, property: &Property, args: &CheckArgs) -> Kind {
    let translation = Translation { interleaved: true, no_wrap: false };
    let usual = CheckArgs { translation, ..args.clone() };
    let bad_input = |message: check::BadInput| {
        if limits::claim_answer() {
            eprint!("{message}");
        }
        Kind::BadInput
    };
    let mut table = Table {
        path: path.to_path_buf(),
        property: property.clone(),
        format: args.format,
        found: Vec::new(),
        violations: Vec::new(),
    };
    let mut loaded = {
        let _watched = table.watched(args, Vec::new());
        match check::load(path, property, &usual) {
            Ok(loaded) => loaded,
            Err(LoadError::BadInput(message)) => return bad_input(message),
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
    while !open.is_empty() {
        let (read, outcome, answer) = match asked.ask(&open, &open, &table, &loaded) {
            Ok(answered) => answered,
            Err(LoadError::BadInput(message)) => return bad_input(message),
        };
        let settle = |table: &mut Table, open: &mut Vec<Check>, answer: &str| {
            table.found.extend(open.drain(..).map(|check| Found::new(&check, answer, &loaded)));
        };
        match &outcome.answer {
            Answer::Holds(_) => settle(&mut table, &mut open, &answer),
            Answer::Violated(run) => {
                table.violations.push(shown(path, property, &read, &outcome, args));
                let violated = question(&run.check);
                let before = open.len();
                open.retain(|c| question(c) != violated);
                table.found.push(Found::new(&run.check, &answer, &loaded));
                if open.len() == before {
                    // Only if the program was changed meanwhile: another answer would be as foreign.
                    settle(&mut table, &mut open, "unknown(the program has changed)");
                }
            }
            Answer::NonTerminating(_) | Answer::Unknown(_) if open.len() == 1 => {
                settle(&mut table, &mut open, &answer);
            }
            Answer::NonTerminating(_) | Answer::Unknown(_) => {
                while !open.is_empty() {
                    let answer = match asked.ask(&open[..1], &open, &table, &loaded) {
                        Ok((read, outcome, answer)) => {
                            if let Answer::Violated(_) = outcome.answer {
                                table.violations.push(shown(path, property, &read, &outcome, args));
                            }
                            answer
                        }
                        Err(LoadError::BadInput(_)) => "unknown(the program cannot be read any more)".to_string(),
                    };
                    let check = open.remove(0);
                    table.found.push(Found::new(&check, &answer, &loaded));
                }
            }
        }
    }
    let (words, kind) = table.text();
    if limits::claim_answer() {
        print!("{}", words.stdout);
        eprint!("{}", words.stderr);
    }
    kind
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
    fn ask(
        &self,
        asked: &[Check],
        open: &[Check],
        table: &Table,
        loaded: &Loaded,
    ) -> Result<(Loaded, Outcome, String), LoadError> {
        let (budget, _watcher) = table.watched(self.args, open.iter().map(|c| Found::new(c, "", loaded)).collect());
        let is_asked = |q: &Question| asked.iter().any(|c| question(c) == *q);
        let settled = self.all.iter().filter(|q| !is_asked(q)).cloned().collect();
        let args = CheckArgs { settled, ..self.args.clone() };
        let read = check::load(self.path, self.property, &args)?;
        let (read, outcome) = check::answer(self.path, self.property, &args, read, &budget, Instant::now());
        let answer = outcome.answer.result();
        Ok((read, outcome, answer))
    }
}

/// What is known of all checks.
#[derive(Clone)]
struct Table {
    path: PathBuf,
    property: Property,
    format: Format,
    found: Vec<Found>,
    violations: Vec<FileResult>,
}

impl Table {
    /// Limits for the next search. Should it be ended from outside, the table is printed all the same, with the
    /// reason as the answer of the checks that are open.
    fn watched(&self, args: &CheckArgs, open: Vec<Found>) -> (Budget, limits::Watcher) {
        let table = self.clone();
        check::watched_with(args, move |reason: &str| {
            let mut table = table.clone();
            let answer = format!("unknown({reason})");
            table.found.extend(open.iter().map(|f| Found { answer: answer.clone(), ..f.clone() }));
            if table.found.is_empty() {
                return show::last_words(&table.path, &table.property, table.format, &answer);
            }
            table.text().0
        })
    }

    /// One line for each check, then the result for all of them.
    fn text(mut self) -> (limits::LastWords, Kind) {
        self.found.sort_by(|a, b| (a.span, &a.property).cmp(&(b.span, &b.property)));
        let first = |prefix: &str| self.found.iter().find(|f| f.answer.starts_with(prefix)).map(|f| f.answer.clone());
        let result = first("false").or_else(|| first("unknown")).unwrap_or_else(|| "true".to_string());
        let path = self.path.display().to_string();
        let overall = FileResult::bare(&path, self.property.name(), &result);
        let kind = overall.kind();
        let count = |prefix: &str| self.found.iter().filter(|f| f.answer.starts_with(prefix)).count();
        let mut words = limits::LastWords { status: kind.exit_status(), ..limits::LastWords::default() };
        match self.format {
            Format::Json => {
                let check = |f: &Found| {
                    serde_json::json!({
                        "place": f.place, "line": f.line, "property": f.property, "message": f.message, "result": f.answer,
                    })
                };
                let checks: Vec<serde_json::Value> = self.found.iter().map(check).collect();
                let object = serde_json::json!({
                    "version": 1, "file": path, "property": self.property.name(),
                    "result": result, "checks": checks, "violations": self.violations,
                });
                words.stdout = format!("{object:#}\n");
            }
            Format::Sarif | Format::Junit => {
                if self.violations.is_empty() {
                    self.violations.push(overall);
                }
                words.stdout = match self.format {
                    Format::Junit => report::junit::render(&self.violations),
                    _ => report::sarif::render(&self.violations, env!("CARGO_PKG_VERSION")),
                };
                words.stderr = format!("RESULT: {result}\n");
                return (words, kind);
            }
            Format::Text | Format::Github => {
                let counts = (count("false"), count("true"), count("unknown"));
                words.stdout = format!(
                    "{path}: {}: {} violated, {} not, {} without an answer\n",
                    self.property.name(),
                    counts.0,
                    counts.1,
                    counts.2
                );
                for f in self.found.iter().filter(|f| f.answer != "true") {
                    words.stdout += &format!("  {}: {}: {}\n", f.place, f.message.trim_end(), f.answer);
                }
            }
        }
        words.stdout += &format!("RESULT: {result}\n");
        (words, kind)
    }
}
