//! `craig check --all`: every violation, not just the first.
//!
//! All checks are searched at once. A violated one is reported and becomes an assumption, where executions then end,
//! and the search continues with the rest; a proof decides all remaining ones. If they cannot be decided together, each
//! remaining one is verified alone. Every search is made as for a single property ([`driver::check`]) and has the
//! limits of the command line for itself.

use crate::args::{CheckArgs, Format};
use crate::host::System;
use crate::progress::{Known, Progress};
use crate::{limits, show};
use base::{Budget, Span};
use driver::{Answered, Loaded, Outcome, Question, Settings, Settled, Source, present};
use ir::{Check, Icfg, Property};
use report::{Answer, FileResult, Kind};
use std::path::{Path, PathBuf};

/// A check by what makes it one question.
fn question(check: &Check) -> Settled {
    (check.property, check.span)
}

/// A check in words, and the answer for it.
#[derive(Clone)]
struct Found {
    span: Span,
    place: String,
    line: Option<u32>,
    property: String,
    message: String,
    answer: Answer,
}

impl Found {
    fn new(check: &Check, answer: &Answer, loaded: &Loaded) -> Found {
        Found {
            span: check.span,
            place: loaded.sources.show(check.span),
            line: loaded.sources.line_of(check.span),
            property: check.property.to_string(),
            message: check.message.clone(),
            answer: answer.clone(),
        }
    }
}

pub(crate) fn run_file(path: &Path, property: &Property, args: &CheckArgs, settings: &Settings) -> Kind {
    let mut table = Table {
        path: path.to_path_buf(),
        property: property.clone(),
        format: args.format,
        found: Vec::new(),
        violations: Vec::new(),
    };
    let read = {
        let _watched = table.watched(args, Vec::new());
        let source = Source::read(path, &args.read_options(), System::new()).and_then(|s| s.for_property(property));
        source.map(|source| {
            let loaded = Question::new(&source, property, settings).load();
            (source, loaded)
        })
    };
    let (source, mut loaded) = match read {
        Ok(read) => read,
        Err(message) => {
            if limits::claim_answer() {
                eprint!("{message}");
            }
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
    let asked = Asked { source: &source, property, settings, args, all: open.iter().map(question).collect() };
    while !open.is_empty() {
        let answered = asked.ask(&open, &open, &table, &loaded);
        let answer = answered.outcome.answer();
        // What was proved on the way stays so.
        let proved: Vec<Settled> = answered
            .situation
            .checks
            .iter()
            .filter(|c| c.status == driver::Status::Proved)
            .map(|c| question(&c.check))
            .collect();
        if !matches!(answered.outcome, Outcome::Holds(_)) {
            let (done, left): (Vec<Check>, Vec<Check>) = open.drain(..).partition(|c| proved.contains(&question(c)));
            table.found.extend(done.iter().map(|c| Found::new(c, &Answer::Holds, &loaded)));
            open = left;
        }
        let settle = |table: &mut Table, open: &mut Vec<Check>, answer: &Answer| {
            table.found.extend(open.drain(..).map(|check| Found::new(&check, answer, &loaded)));
        };
        match &answered.outcome {
            Outcome::Holds(_) => settle(&mut table, &mut open, &answer),
            Outcome::Violated(violation) => {
                let check = &violation.run.check;
                asked.show(&answered, &mut table.violations);
                let violated = question(check);
                let before = open.len();
                open.retain(|c| question(c) != violated);
                table.found.push(Found::new(check, &answer, &loaded));
                if open.len() == before {
                    // A check that is not in the program as it was first translated: another answer would be as
                    // foreign.
                    settle(&mut table, &mut open, &Answer::Unknown("the program has changed".to_string()));
                }
            }
            Outcome::NonTerminating(_) | Outcome::Unknown(_) if open.len() <= 1 => {
                settle(&mut table, &mut open, &answer);
            }
            Outcome::NonTerminating(_) | Outcome::Unknown(_) => {
                while !open.is_empty() {
                    let answered = asked.ask(&open[..1], &open, &table, &loaded);
                    if let Outcome::Violated(_) = answered.outcome {
                        asked.show(&answered, &mut table.violations);
                    }
                    let check = open.remove(0);
                    table.found.push(Found::new(&check, &answered.outcome.answer(), &loaded));
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

/// What the repeated searches have in common.
struct Asked<'a> {
    source: &'a Source,
    property: &'a Property,
    settings: &'a Settings,
    args: &'a CheckArgs,
    /// Every check of the program.
    all: Vec<Settled>,
}

impl Asked<'_> {
    /// Searches for a violation of some of the checks, in all the ways in which one property is asked for.
    fn ask(&self, asked: &[Check], open: &[Check], table: &Table, loaded: &Loaded) -> Answered {
        let (budget, _watcher) =
            table.watched(self.args, open.iter().map(|c| Found::new(c, &Answer::default(), loaded)).collect());
        let is_asked = |q: &Settled| asked.iter().any(|c| question(c) == *q);
        let settled = self.all.iter().filter(|q| !is_asked(q)).cloned().collect();
        let question = Question { settled, ..Question::new(self.source, self.property, self.settings) };
        driver::check(
            &question,
            &budget,
            &mut Progress::new(self.args.format == Format::Text, self.args.timeout, Known::default()),
        )
    }

    /// Adds a violation to those that were found. It is printed, unless the output is one document. What was said with
    /// an earlier one about entry points and assumptions is not said again.
    fn show(&self, answered: &Answered, violations: &mut Vec<FileResult>) {
        let found = present::result(self.source, self.property, answered);
        if matches!(self.args.format, Format::Text | Format::Github) {
            let mut news = found.clone();
            if violations.iter().any(|earlier| earlier.entry == news.entry) {
                news.entry.clear();
            }
            news.assumptions.retain(|a| !violations.iter().any(|earlier| earlier.assumptions.contains(a)));
            print!("{}", show::body(&news, self.args.format, self.args.stats));
        }
        violations.push(found);
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
        limits::watched(args.timeout, args.memory, move |reason: &ir::Reason| {
            let mut table = table.clone();
            let answer = Answer::Unknown(reason.to_string());
            table.found.extend(open.iter().map(|f| Found { answer: answer.clone(), ..f.clone() }));
            if table.found.is_empty() {
                let path = table.path.display().to_string();
                let found = FileResult::unknown(&path, table.property.name(), reason);
                return show::last_words(&found, table.format, false);
            }
            table.text().0
        })
    }

    /// One line for each check, then the result for all of them.
    fn text(mut self) -> (limits::LastWords, Kind) {
        self.found.sort_by(|a, b| (a.span, &a.property).cmp(&(b.span, &b.property)));
        let is_violated = |f: &&Found| matches!(f.answer, Answer::Violated(_));
        let is_unknown = |f: &&Found| matches!(f.answer, Answer::Unknown(_));
        let worst = self.found.iter().find(is_violated).or_else(|| self.found.iter().find(is_unknown));
        let result = worst.map_or(Answer::Holds, |f| f.answer.clone());
        let path = self.path.display().to_string();
        let overall = FileResult::bare(&path, self.property.name(), result.clone());
        let kind = overall.kind();
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
            }
            Format::Text | Format::Github => {
                let n_violated = self.found.iter().filter(is_violated).count();
                let n_unknown = self.found.iter().filter(is_unknown).count();
                words.stdout = format!(
                    "{path}: {}: {} violated, {} not, {} without an answer\n",
                    self.property.name(),
                    n_violated,
                    self.found.len() - n_violated - n_unknown,
                    n_unknown
                );
                for f in self.found.iter().filter(|f| f.answer != Answer::Holds) {
                    words.stdout += &format!("  {}: {}: {}\n", f.place, f.message.trim_end(), f.answer);
                }
            }
        }
        let line = if show::is_document(self.format) { &mut words.stderr } else { &mut words.stdout };
        line.push_str(&format!("RESULT: {result}\n"));
        (words, kind)
    }
}
