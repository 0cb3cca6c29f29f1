//! `craig bench`: many tasks with expected verdicts, points, plots, comparisons.
//!
//! A task is a BenchExec task definition (`.yml`, format 2.0): input files, properties with the verdict that is
//! expected of each, and the data model. Points are those of SV-COMP: +2 for a right *true*, +1 for a right *false*, −32 and −16 for wrong ones,
//! 0 for *unknown*. A violation of valid-memsafety is right only if the part that is named (valid-deref, …) is the expected
//! one. Every task runs in a process of its own, never from the cache: what is measured is work.

use crate::args::{BenchArgs, CheckArgs, DataModel};
use crate::exit::usage_error;
use crate::worker::{self, Job};
use crate::{exit, limits, property};
use base::Budget;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The version of the result file.
const VERSION: u32 = 1;

/// A task definition as written.
#[derive(Deserialize)]
struct Definition {
    #[serde(default)]
    format_version: String,
    input_files: Names,
    #[serde(default)]
    properties: Vec<ExpectedProperty>,
    #[serde(default)]
    options: Options,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Names {
    One(String),
    Several(Vec<String>),
}

#[derive(Deserialize)]
struct ExpectedProperty {
    property_file: String,
    expected_verdict: Option<bool>,
    subproperty: Option<String>,
}

#[derive(Deserialize, Default)]
struct Options {
    data_model: Option<String>,
}

/// One program with one property.
#[derive(Clone, Debug)]
struct Task {
    definition: PathBuf,
    file: PathBuf,
    property: ir::Property,
    /// `true`, `false`, `false(valid-deref)`, if it is known.
    expected: Option<String>,
    data_model: Option<String>,
}

/// How an answer relates to what is expected.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Status {
    CorrectTrue,
    CorrectFalse,
    WrongTrue,
    WrongFalse,
    Unknown,
    /// Nothing is expected, so nothing can be wrong.
    Unrated,
}

impl Status {
    fn points(self) -> i64 {
        match self {
            Status::CorrectTrue => 2,
            Status::CorrectFalse => 1,
            Status::WrongTrue => -32,
            Status::WrongFalse => -16,
            Status::Unknown | Status::Unrated => 0,
        }
    }
    fn is_correct(self) -> bool {
        matches!(self, Status::CorrectTrue | Status::CorrectFalse)
    }
    fn is_wrong(self) -> bool {
        matches!(self, Status::WrongTrue | Status::WrongFalse)
    }
    fn word(self) -> &'static str {
        match self {
            Status::CorrectTrue | Status::CorrectFalse => "correct",
            Status::WrongTrue | Status::WrongFalse => "WRONG",
            Status::Unknown => "unknown",
            Status::Unrated => "-",
        }
    }
}

fn rate(answer: &str, expected: Option<&str>) -> Status {
    let is_true = answer == "true";
    let is_false = answer.starts_with("false");
    let Some(expected) = expected else {
        return if is_true || is_false { Status::Unrated } else { Status::Unknown };
    };
    match (is_true, is_false, expected) {
        (true, _, "true") => Status::CorrectTrue,
        (true, _, _) => Status::WrongTrue,
        (_, true, "true") => Status::WrongFalse,
        (_, true, "false") => Status::CorrectFalse,
        (_, true, part) => {
            if answer == part {
                Status::CorrectFalse
            } else {
                Status::WrongFalse
            }
        }
        (false, false, _) => Status::Unknown,
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Outcome {
    task: String,
    file: String,
    property: String,
    expected: Option<String>,
    result: String,
    status: Status,
    points: i64,
    wall_seconds: f64,
    engine: String,
}

/// The result file.
#[derive(Serialize, Deserialize)]
struct Results {
    version: u32,
    craig: String,
    build: String,
    engine: String,
    timeout_seconds: f64,
    memory_bytes: u64,
    tasks: Vec<Outcome>,
}

pub fn run(args: &BenchArgs) -> u8 {
    match &args.compare[..] {
        [a, b] => compare(a, b, args.plot.as_deref()),
        _ => bench(args),
    }
}

fn bench(args: &BenchArgs) -> u8 {
    if args.engine != "auto" && engine::engine_by_name(&args.engine).is_none() {
        return usage_error(&format!("unknown engine '{}'; `craig engines` lists them", args.engine));
    }
    let wanted = match args.property.as_deref().map(property::parse).transpose() {
        Ok(wanted) => wanted,
        Err(message) => return usage_error(&message),
    };
    let mut tasks = match collect(&args.tasks) {
        Ok(tasks) => tasks,
        Err(message) => return usage_error(&message),
    };
    tasks.retain(|t| wanted.as_ref().is_none_or(|w| t.property.name() == w.name()));
    if tasks.is_empty() {
        return usage_error("no task to run; give task definitions (.yml) or a folder with some");
    }
    let outcomes = match run_all(&tasks, args) {
        Ok(outcomes) => outcomes,
        Err(message) => return usage_error(&message),
    };
    print!("{}", table(&outcomes));
    let results = Results {
        version: VERSION,
        craig: env!("CARGO_PKG_VERSION").to_string(),
        build: crate::cache::BUILD_ID.to_string(),
        engine: args.engine.clone(),
        timeout_seconds: args.timeout.as_secs_f64(),
        memory_bytes: args.memory,
        tasks: outcomes,
    };
    if let Some(path) = &args.output {
        let text = serde_json::to_string_pretty(&results).unwrap_or_default();
        if let Err(e) = std::fs::write(path, text + "\n") {
            return usage_error(&format!("cannot write {}: {e}", path.display()));
        }
    }
    if let Some(path) = &args.plot
        && let Err(status) = plot(path, &[("craig".to_string(), &results)])
    {
        return status;
    }
    if results.tasks.iter().any(|t| t.status.is_wrong()) { exit::VIOLATED } else { exit::HOLDS }
}

/// The tasks of definitions and folders, sorted, each once.
fn collect(paths: &[PathBuf]) -> Result<Vec<Task>, String> {
    let mut definitions = BTreeSet::new();
    for path in paths {
        if path.is_dir() {
            walk(path, &mut definitions, 0);
        } else {
            definitions.insert(path.clone());
        }
    }
    let mut tasks = Vec::new();
    for path in definitions {
        // One name for one task, however it was reached.
        tasks.extend(read(path.strip_prefix(".").unwrap_or(&path))?);
    }
    Ok(tasks)
}

fn walk(folder: &Path, out: &mut BTreeSet<PathBuf>, depth: usize) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|e| e.path()) {
        if path.is_dir() {
            if depth < 40 {
                walk(&path, out, depth + 1);
            }
        } else if path.extension().is_some_and(|e| e == "yml" || e == "yaml")
            && std::fs::read_to_string(&path).is_ok_and(|t| t.contains("input_files"))
        {
            out.insert(path);
        }
    }
}

fn read(path: &Path) -> Result<Vec<Task>, String> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).map_err(|e| format!("cannot read {shown}: {e}; check the path"))?;
    let definition: Definition =
        serde_saphyr::from_str(&text).map_err(|e| format!("{shown}: not a task definition: {e}"))?;
    if !definition.format_version.starts_with('2') {
        return Err(format!(
            "{shown}: format_version '{}' is not supported; craig reads task definitions 2.0",
            definition.format_version
        ));
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let file = match &definition.input_files {
        Names::One(name) => name,
        Names::Several(names) => match &names[..] {
            [name] => name,
            _ => return Err(format!("{shown}: {} input files; craig checks one at a time", names.len())),
        },
    };
    let mut tasks = Vec::new();
    for p in &definition.properties {
        let property_path = folder.join(&p.property_file);
        // A property that is not ours to decide (coverage) is no task of ours.
        let Ok(property) = property::parse(&property_path.to_string_lossy()) else {
            if !property_path.exists() {
                return Err(format!("{shown}: cannot read {}", property_path.display()));
            }
            continue;
        };
        let expected = p.expected_verdict.map(|v| match (v, &p.subproperty) {
            (true, _) => "true".to_string(),
            (false, None) => "false".to_string(),
            (false, Some(part)) => format!("false({part})"),
        });
        tasks.push(Task {
            definition: path.to_path_buf(),
            file: folder.join(file),
            property,
            expected,
            data_model: definition.options.data_model.clone(),
        });
    }
    Ok(tasks)
}

fn arguments(task: &Task, args: &BenchArgs) -> Result<CheckArgs, String> {
    let data_model = match task.data_model.as_deref() {
        None | Some("ILP32") => DataModel::Ilp32,
        Some("LP64") => DataModel::Lp64,
        Some(other) => {
            let task = task.definition.display();
            return Err(format!("{task}: data model '{other}' is unknown; use ILP32 or LP64"));
        }
    };
    let (engine, timeout, memory) = (args.engine.clone(), args.timeout, args.memory);
    Ok(CheckArgs { engine, data_model, timeout, memory, ..CheckArgs::of(&task.file) })
}

fn run_all(tasks: &[Task], args: &BenchArgs) -> Result<Vec<Outcome>, String> {
    let jobs: Vec<Job> = tasks
        .iter()
        .map(|task| Ok(Job::new(&task.file, &task.property, &arguments(task, args)?, args.engine_jobs)))
        .collect::<Result<_, String>>()?;
    let budget = Budget::unlimited();
    limits::cancel_on_interrupt(&budget);
    let next = AtomicUsize::new(0);
    let done: Mutex<BTreeMap<usize, Outcome>> = Mutex::new(BTreeMap::new());
    let printed = Mutex::new(0usize);
    std::thread::scope(|scope| {
        for _ in 0..args.jobs.clamp(1, tasks.len()) {
            scope.spawn(|| {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let (Some(task), Some(job)) = (tasks.get(i), jobs.get(i)) else { return };
                    let outcome = run_task(task, job, &budget);
                    let mut done = done.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                    done.insert(i, outcome);
                    let mut printed = printed.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                    while let Some(outcome) = done.get(&printed) {
                        println!("{}", line(outcome));
                        *printed += 1;
                    }
                }
            });
        }
    });
    Ok(done.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()).into_values().collect())
}

fn run_task(task: &Task, job: &Job, budget: &Budget) -> Outcome {
    let found = worker::run(job, &|| budget.check_now().is_err());
    let result = match found.problems.first() {
        Some(problem) => format!("error({})", problem.message),
        None => found.result.clone(),
    };
    let status = rate(&result, task.expected.as_deref());
    Outcome {
        task: task.definition.display().to_string(),
        file: task.file.display().to_string(),
        property: task.property.name().to_string(),
        expected: task.expected.clone(),
        result,
        status,
        points: status.points(),
        wall_seconds: found.wall_seconds,
        engine: found.engine,
    }
}

fn line(o: &Outcome) -> String {
    let expected = o.expected.as_deref().unwrap_or("-");
    format!(
        "{:8} {:>4} {:9.3} s  {:16} {}  {} (expected {expected})",
        o.status.word(),
        o.points,
        o.wall_seconds,
        o.property,
        o.task,
        o.result
    )
}

/// A row for each property and one for all.
fn table(outcomes: &[Outcome]) -> String {
    let mut out = format!(
        "\n{:18} {:>6} {:>13} {:>14} {:>11} {:>12} {:>8} {:>7} {:>10}\n",
        "property",
        "tasks",
        "correct true",
        "correct false",
        "wrong true",
        "wrong false",
        "unknown",
        "points",
        "seconds"
    );
    let properties: BTreeSet<&str> = outcomes.iter().map(|o| o.property.as_str()).collect();
    let row = |name: &str, chosen: &[&Outcome]| {
        let count = |s: Status| chosen.iter().filter(|o| o.status == s).count();
        format!(
            "{name:18} {:>6} {:>13} {:>14} {:>11} {:>12} {:>8} {:>7} {:>10.1}\n",
            chosen.len(),
            count(Status::CorrectTrue),
            count(Status::CorrectFalse),
            count(Status::WrongTrue),
            count(Status::WrongFalse),
            count(Status::Unknown),
            chosen.iter().map(|o| o.points).sum::<i64>(),
            chosen.iter().map(|o| o.wall_seconds).sum::<f64>()
        )
    };
    for property in &properties {
        let chosen: Vec<&Outcome> = outcomes.iter().filter(|o| o.property == *property).collect();
        out.push_str(&row(property, &chosen));
    }
    out.push_str(&row("all", &outcomes.iter().collect::<Vec<_>>()));
    out
}

fn plot(path: &Path, runs: &[(String, &Results)]) -> Result<(), u8> {
    let solved = |r: &Results| r.tasks.iter().filter(|t| t.status.is_correct()).map(|t| t.wall_seconds).collect();
    let curves: Vec<(String, Vec<f64>)> = runs.iter().map(|(name, r)| (name.clone(), solved(r))).collect();
    std::fs::write(path, report::chart::quantile_plot("Correctly solved tasks", &curves))
        .map_err(|e| usage_error(&format!("cannot write {}: {e}", path.display())))
}

fn load_results(path: &Path) -> Result<Results, String> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).map_err(|e| format!("cannot read {shown}: {e}; check the path"))?;
    let results: Results = serde_json::from_str(&text)
        .map_err(|e| format!("{shown}: not a result file of `craig bench --output`: {e}"))?;
    if results.version != VERSION {
        return Err(format!("{shown}: version {} of the result file, this craig reads {VERSION}", results.version));
    }
    Ok(results)
}

/// What changed between two runs.
fn compare(a: &Path, b: &Path, plot_path: Option<&Path>) -> u8 {
    let (first, second) = match (load_results(a), load_results(b)) {
        (Ok(first), Ok(second)) => (first, second),
        (Err(message), _) | (_, Err(message)) => return usage_error(&message),
    };
    print!("{}", comparison(&first, &second));
    if let Some(path) = plot_path {
        let runs = [(a.display().to_string(), &first), (b.display().to_string(), &second)];
        if let Err(status) = plot(path, &runs) {
            return status;
        }
    }
    if second.tasks.iter().any(|t| t.status.is_wrong()) { exit::VIOLATED } else { exit::HOLDS }
}

fn comparison(first: &Results, second: &Results) -> String {
    let key = |o: &Outcome| (o.task.clone(), o.property.clone());
    let old: BTreeMap<_, &Outcome> = first.tasks.iter().map(|o| (key(o), o)).collect();
    let new: BTreeMap<_, &Outcome> = second.tasks.iter().map(|o| (key(o), o)).collect();
    let mut out = String::new();
    let mut times = (0.0, 0.0, 0usize);
    for (key, &o) in &old {
        let Some(&n) = new.get(key) else { continue };
        let word = match (o.status.is_correct(), n.status.is_correct()) {
            (true, true) => {
                times = (times.0 + o.wall_seconds, times.1 + n.wall_seconds, times.2 + 1);
                continue;
            }
            (true, false) => "lost",
            (false, true) => "gained",
            (false, false) if o.status == n.status => continue,
            (false, false) => "changed",
        };
        out.push_str(&format!("{word:8} {:16} {}: {} -> {}\n", key.1, key.0, o.result, n.result));
    }
    for (word, ours, others) in [("only old", &old, &new), ("only new", &new, &old)] {
        for key in ours.keys().filter(|k| !others.contains_key(*k)) {
            out.push_str(&format!("{word} {:16} {}\n", key.1, key.0));
        }
    }
    let sum = |r: &Results| {
        let (correct, wrong) = (
            r.tasks.iter().filter(|t| t.status.is_correct()).count(),
            r.tasks.iter().filter(|t| t.status.is_wrong()).count(),
        );
        (correct, wrong, r.tasks.iter().map(|t| t.points).sum::<i64>())
    };
    let (a, b) = (sum(first), sum(second));
    out.push_str(&format!("{:24} {:>10} {:>10}\n", "", "old", "new"));
    out.push_str(&format!("{:24} {:>10} {:>10}\n", "correct", a.0, b.0));
    out.push_str(&format!("{:24} {:>10} {:>10}\n", "wrong", a.1, b.1));
    out.push_str(&format!("{:24} {:>10} {:>10}\n", "points", a.2, b.2));
    out.push_str(&format!("{:24} {:>10.1} {:>10.1}\n", format!("seconds on {} common", times.2), times.0, times.1));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_those_of_sv_comp() {
        let points = |answer: &str, expected: &str| rate(answer, Some(expected)).points();
        assert_eq!(points("true", "true"), 2);
        assert_eq!(points("false(unreach-call)", "false"), 1);
        assert_eq!(points("true", "false"), -32);
        assert_eq!(points("true", "false(valid-deref)"), -32);
        assert_eq!(points("false(unreach-call)", "true"), -16);
        assert_eq!(points("false(valid-deref)", "false(valid-deref)"), 1);
        assert_eq!(points("false(valid-free)", "false(valid-deref)"), -16);
        assert_eq!(points("unknown(timeout)", "true"), 0);
        assert_eq!(points("error(syntax)", "false"), 0);
        assert_eq!(rate("true", None), Status::Unrated);
    }

    #[test]
    fn definitions_are_read() {
        let text = "format_version: '2.0'\n# comment\ninput_files: 'a.c'\nproperties:\n  - property_file: p.prp\n    expected_verdict: false\n    subproperty: valid-free\noptions:\n  language: C\n  data_model: LP64\n";
        let definition: Definition = serde_saphyr::from_str(text).expect("a definition");
        assert!(matches!(&definition.input_files, Names::One(name) if name == "a.c"));
        assert_eq!(definition.properties[0].expected_verdict, Some(false));
        assert_eq!(definition.properties[0].subproperty.as_deref(), Some("valid-free"));
        assert_eq!(definition.options.data_model.as_deref(), Some("LP64"));
        let list = "format_version: '2.0'\ninput_files: ['a.c']\nproperties: []\n";
        let definition: Definition = serde_saphyr::from_str(list).expect("a definition");
        assert!(matches!(&definition.input_files, Names::Several(names) if names.len() == 1));
    }

    #[test]
    fn a_comparison_names_what_was_lost_and_gained() {
        let outcome = |task: &str, result: &str| {
            let status = rate(result, Some("true"));
            Outcome {
                task: task.to_string(),
                file: String::new(),
                property: "unreach-call".to_string(),
                expected: Some("true".to_string()),
                result: result.to_string(),
                status,
                points: status.points(),
                wall_seconds: 1.0,
                engine: String::new(),
            }
        };
        let results = |tasks: Vec<Outcome>| Results {
            version: VERSION,
            craig: String::new(),
            build: String::new(),
            engine: String::new(),
            timeout_seconds: 1.0,
            memory_bytes: 1,
            tasks,
        };
        let old = results(vec![outcome("a", "true"), outcome("b", "unknown(timeout)"), outcome("c", "true")]);
        let new = results(vec![outcome("a", "unknown(timeout)"), outcome("b", "true"), outcome("c", "true")]);
        let text = comparison(&old, &new);
        assert!(text.contains("lost     unreach-call     a") && text.contains("gained   unreach-call     b"), "{text}");
        assert!(text.contains("seconds on 1 common"), "{text}");
    }
}
