//! `craig check`: from a file to a printed answer.

use crate::args::{CheckArgs, Format, Place};
use crate::baseline::Baseline;
use crate::exit::{self, usage_error};
use crate::git::Revision;
use crate::host::{Buffers, System};
use crate::progress::{Known, Progress};
use crate::{all, bench, evidence, explain, limits, link, many, on_cluster, programs, property, show};
use base::Budget;
use driver::advice::Run;
use driver::{Answered, Purpose, Question, Settings, Source, present};
use ir::Property;
use report::FileResult;
use report::upgrade::Upgrade;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

pub(crate) fn run(args: &CheckArgs) -> u8 {
    match asked(args) {
        Ok((args, properties, settings)) => run_all(&args, &properties, &settings),
        Err(message) => usage_error(&message),
    }
}

/// What is asked. A task definition (`.yml`) stands for its program, its data model and, unless others are named, its
/// properties.
fn asked(args: &CheckArgs) -> Result<(CheckArgs, Vec<Property>, Settings), String> {
    let settings = args.settings()?;
    let mut args = args.clone();
    let mut properties = property::parse_all(&args.property)?;
    property::check_entries(&args.property, &args.c.entry)?;
    let is_task = |path: &Path| path.extension().is_some_and(|e| e == "yml" || e == "yaml");
    match &args.files[..] {
        [path] if is_task(path) => {
            let tasks = bench::task::collect(std::slice::from_ref(path))?;
            let task = tasks.first().ok_or_else(|| format!("{}: no property that craig checks", path.display()))?;
            args.data_model = Some(args.data_model.map_or_else(|| task.data_model(), Ok)?);
            args.files = vec![task.file.clone()];
            if properties.is_empty() {
                properties = tasks.into_iter().map(|t| t.property).collect();
            }
        }
        files => {
            if let Some(path) = files.iter().find(|f| is_task(f)) {
                return Err(format!("{}: check one task at a time, or use `craig bench`", path.display()));
            }
        }
    }
    if properties.is_empty() {
        properties.push(Property::UnreachCall);
    }
    if args.c.modular {
        if properties.iter().any(|p| matches!(p, Property::Termination | Property::Ltl(_))) {
            let why = "contracts say nothing about termination: a call is taken to return";
            return Err(format!("{why}; leave --modular out, or check another property"));
        }
        if args.baseline.is_some() {
            return Err("--baseline is not for --modular yet; leave one of them out".to_string());
        }
    }
    if args.link {
        if args.witness().is_some() {
            return Err("witnesses are about one file; leave --witness and --svcomp or --link out".to_string());
        }
        if args.baseline.is_some() {
            return Err("--baseline is not for linked programs yet; leave it or --link out".to_string());
        }
        // A program for each target is a matter of many.
        let mut programs = link::linked(&args)?;
        if let (Some(only), true) = (programs.pop(), programs.is_empty()) {
            args = only;
        }
    }
    Ok((args, properties, settings))
}

fn run_all(args: &CheckArgs, properties: &[Property], settings: &Settings) -> u8 {
    let of_files: Vec<(&Path, Vec<Property>)> =
        args.files.iter().map(|f| (f.as_path(), many::in_program(f, properties))).collect();
    let questions: Vec<(&Path, &Property)> =
        of_files.iter().flat_map(|(f, properties)| properties.iter().map(move |p| (*f, p))).collect();
    let collection = args.files.iter().find(|f| programs::is_collection(f));
    if args.explain_plan && (args.all || questions.len() > 1 || collection.is_some()) {
        return usage_error("--explain-plan is for one file and one property, without --all");
    }
    if questions.len() > 1 || collection.is_some() || args.on == Place::Slurm {
        let single = [("--witness", &args.witness), ("--harness", &args.harness), ("--report", &args.report)];
        if let Some((name, _)) = single.iter().find(|(_, file)| file.is_some()) {
            return usage_error(&format!("{name} is for one file and one property, checked here; leave it out"));
        }
    }
    if args.all && args.baseline.is_some() {
        return usage_error("--baseline is not for --all; leave one of them out");
    }
    match (args.all, collection, &questions[..]) {
        (false, None, &[(file, property)]) if args.on == Place::Slurm => on_cluster::run(file, property, args),
        (_, _, _) if args.on == Place::Slurm => {
            usage_error("--on slurm is for one file and one property, without --all")
        }
        (true, Some(folder), _) => {
            usage_error(&format!("{}: --all takes programs by name, not folders", folder.display()))
        }
        (true, None, _) => {
            let mut worst = report::Kind::Holds;
            for (i, &(file, property)) in questions.iter().enumerate() {
                if i > 0 {
                    limits::next_answer();
                }
                worst = worst.max(all::run_file(file, property, args, settings));
            }
            worst.exit_status()
        }
        (false, None, &[(file, property)]) => {
            let (status, leftovers) = run_file(file, property, args, settings, None);
            // Freeing millions of terms one by one would take longer than ending the process.
            std::mem::forget(leftovers);
            status
        }
        (false, _, _) => many::run(args, properties),
    }
}

/// The exit status, and what is no longer needed. `old`: what is known of an old version, if that was asked for.
pub(crate) fn run_file(
    path: &Path,
    property: &Property,
    args: &CheckArgs,
    settings: &Settings,
    old: Option<&Old>,
) -> (u8, Option<Answered>) {
    let began = Instant::now();
    // Better now than after an hour of work.
    if let Some(page) = &args.report
        && let Err(e) = std::fs::File::create(page)
    {
        return (
            usage_error(&format!("cannot write {}: {e}; choose another place for --report", page.display())),
            None,
        );
    }
    for (option, file) in [("--witness", &args.witness), ("--harness", &args.harness)] {
        let Some(file) = file else { continue };
        if matches!(property, Property::Ltl(_)) {
            let message = format!("{option}: there is no such evidence for temporal properties; leave it out");
            return (usage_error(&message), None);
        }
        let folder = file.parent().filter(|f| !f.as_os_str().is_empty());
        if file.is_dir() || folder.is_some_and(|f| !f.is_dir()) {
            let message =
                format!("cannot write {}: its directory does not exist, or it is a directory", file.display());
            return (usage_error(&format!("{message}; choose another place for {option}")), None);
        }
    }
    let (table, sources) = (Known::default(), Sources::default());
    let (budget, watcher) = watched(path, property, args, settings, (table.clone(), sources.clone()));
    let host = match &args.revision {
        None if args.buffer.is_empty() => System::new(),
        None => match Buffers::from_files(&args.buffer) {
            Ok(host) => host,
            Err(message) => return (usage_error(&message), None),
        },
        Some(revision) => match Revision::open(path, revision) {
            Ok(host) => host,
            Err(message) => return (usage_error(&message), None),
        },
    };
    let read = Source::read(path, &args.read_options(), host);
    let source = match read.and_then(|source| source.for_property(property)) {
        Ok(source) => source,
        Err(why) => {
            let document = show::document(&present::bad_input(path, property, &why), args.format, false);
            if limits::claim_answer() {
                eprint!("{why}");
                print!("{document}");
            }
            return (exit::BAD_INPUT, None);
        }
    };
    *sources.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(source.sources());
    let mut question = Question::new(&source, property, settings);
    if args.explain_plan {
        let plan = explain::text(&question);
        if limits::claim_answer() {
            print!("{plan}");
        }
        return (exit::HOLDS, None);
    }
    let store = args.baseline.as_deref().map(Baseline::new);
    let mut remarks = Vec::new();
    match (old, &store) {
        (Some(old), _) => {
            question.reuse = old.facts.iter().cloned().collect();
            remarks.clone_from(&old.remarks);
        }
        (None, Some(store)) => (question.reuse, remarks) = store.find(&question),
        (None, None) => {}
    }
    let mut progress = Progress::new(args.format == Format::Text, args.timeout, table);
    let mut answered = driver::check(&question, &budget, &mut progress);
    drop(progress);
    answered.wall = began.elapsed();
    if args.report.is_none() && args.witness.is_none() && args.harness.is_none() {
        watcher.answered(show::last_words(&without_evidence(&question, &answered), args.format, args.stats));
    }
    let mut versions = Versions { upgrade: None, old_text: old.and_then(|o| o.text.clone()) };
    if old.is_some() || store.is_some() {
        let cpu = limits::cpu_time();
        let purpose = if args.update_baseline { Purpose::Store } else { Purpose::Report };
        let facts = driver::learn(&question, &mut answered, cpu, purpose);
        let mut upgrade = match question.reuse.first() {
            Some(known) => {
                let old_has_it = old.is_some_and(|o| o.also_violates(&question, &facts, args, &budget));
                driver::upgrade::compare(known, &facts, &answered, cpu, old_has_it)
            }
            None => Upgrade::default(),
        };
        upgrade.remarks = remarks;
        versions.upgrade = Some(upgrade);
        if let (Some(store), true, true) = (&store, args.update_baseline, answered.outcome.is_definite())
            && let Err(message) = store.put(&facts)
        {
            return (if limits::claim_answer() { usage_error(&message) } else { exit::UNKNOWN }, Some(answered));
        }
    }
    let status = match evidence::write(&question, &answered, args) {
        Ok(()) => print(&question, &answered, versions, args, &watcher),
        Err(message) if limits::claim_answer() => usage_error(&message),
        Err(_) => exit::UNKNOWN,
    };
    (status, Some(answered))
}

/// What is known of an old version.
#[derive(Default)]
pub(crate) struct Old {
    pub facts: Option<Arc<driver::Facts>>,
    pub remarks: Vec<String>,
    /// The old version itself, if there is a file or a revision with it.
    pub path: Option<PathBuf>,
    pub revision: Option<String>,
    pub text: Option<String>,
}

/// So much time for a look whether the old version has the new one's violation.
const TIME_FOR_OLD: Duration = Duration::from_secs(5);

impl Old {
    /// Does the execution that was found violate the old version too?
    fn also_violates(&self, question: &Question<'_>, facts: &driver::Facts, args: &CheckArgs, budget: &Budget) -> bool {
        let Some(path) = self.path.as_deref().filter(|_| matches!(facts.result, report::Answer::Violated(_))) else {
            return false;
        };
        let host = match &self.revision {
            None => System::new(),
            Some(revision) => match Revision::open(path, revision) {
                Ok(host) => host,
                Err(_) => return false,
            },
        };
        let source = Source::read(path, &args.read_options(), host).and_then(|s| s.for_property(question.property));
        let Ok(source) = source else { return false };
        let old = Question::new(&source, question.property, question.settings);
        driver::upgrade::also_violated(&old, facts, &budget.child(TIME_FOR_OLD))
    }
}

/// What is said about the change.
struct Versions {
    upgrade: Option<Upgrade>,
    old_text: Option<String>,
}

/// The texts that checks stand in, once they are read.
type Sources = Arc<Mutex<Option<Arc<base::SourceMap>>>>;

/// The limits of a question, and who watches over them. The results for checks so far are reported in any case.
fn watched(
    path: &Path,
    property: &Property,
    args: &CheckArgs,
    settings: &Settings,
    (table, sources): (Known, Sources),
) -> (Budget, limits::Watcher) {
    let (path, property, settings, format) = (path.to_path_buf(), property.clone(), settings.clone(), args.format);
    let (page, statistics, began) = (args.report.clone(), args.stats, Instant::now());
    limits::watched(args.timeout, args.memory, move |reason| {
        let mut situation = table.try_lock().map(|t| t.clone()).unwrap_or_default();
        situation.ends(began.elapsed(), reason);
        let sources = sources.try_lock().ok().and_then(|s| s.clone());
        let nothing = base::SourceMap::new();
        let known = sources.as_deref().unwrap_or(&nothing);
        let run = Run { situation: &situation, property: &property, settings: &settings, sources: known, reason };
        let found = FileResult { wall_seconds: began.elapsed().as_secs_f64(), ..present::ended(&path, &run) };
        if let Some(page) = &page {
            // Whoever asked for a page gets one; that it cannot be written changes nothing about the answer any more.
            let _ = std::fs::write(page, present::bare_page(&found, sources.as_deref(), env!("CARGO_PKG_VERSION")));
        }
        show::last_words(&found, format, statistics)
    })
}

/// The verdict, the checks and what ran.
fn without_evidence(question: &Question<'_>, answered: &Answered) -> FileResult {
    let path = question.source.path.display().to_string();
    FileResult {
        checks: present::check_results(&answered.loaded.sources, &answered.situation.checks),
        timeline: present::timeline(&answered.situation),
        wall_seconds: answered.wall.as_secs_f64(),
        ..FileResult::bare(&path, question.property.name(), answered.outcome.answer())
    }
}

/// Prints the answer. A page that was asked for is written first: without it there is no answer.
fn print(
    question: &Question<'_>,
    answered: &Answered,
    versions: Versions,
    args: &CheckArgs,
    watcher: &limits::Watcher,
) -> u8 {
    let (source, property) = (question.source, question.property);
    let is_answered =
        || watcher.answered(show::last_words(&without_evidence(question, answered), args.format, args.stats));
    if args.report.is_none() {
        is_answered();
    }
    let mut found = present::result(source, property, answered);
    found.upgrade = versions.upgrade;
    if let Some(page) = &args.report {
        // After another preprocessor the lines are those of the file on the disk.
        let text_of = |f: &base::SourceFile| match args.c.cpp {
            Some(_) => std::fs::read_to_string(&f.name).unwrap_or_else(|_| f.text.clone()),
            None => f.text.clone(),
        };
        let text = present::html_page(answered, &found, env!("CARGO_PKG_VERSION"), &text_of, versions.old_text);
        if let Err(e) = std::fs::write(page, text) {
            let message = format!("cannot write {}: {e}; choose another place for --report", page.display());
            return if limits::claim_answer() { usage_error(&message) } else { exit::UNKNOWN };
        }
        is_answered();
    }
    let document = show::document(&found, args.format, args.stats);
    let kind = many::upgrade_kind(&found, args.fail_on);
    if limits::claim_answer() {
        if kind != found.kind() {
            eprintln!("craig: the old version has this violation too: no failure with --fail-on new");
        }
        show::print(&document, &found, args.format);
    }
    kind.exit_status()
}
