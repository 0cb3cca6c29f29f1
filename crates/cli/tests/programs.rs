//! Runs the built `craig` on every program under `tests/programs` and `examples`, as the head of each file says.
//!
//! The head is the comment lines at the start of the file, `// key: value`; lines without a known key are
//! prose. Keys:
//!
//! | key | value | default |
//! |---|---|---|
//! | expect | `true`, `false`, `false(subproperty)`, `unknown` | the file is not run |
//! | may | another answer that is allowed, e.g. `unknown`; never the opposite of what is expected | none |
//! | gives-up | of the engines, those that may answer `unknown`; they get one second | none |
//! | property | as for `--property` | unreach-call |
//! | data-model | as for `--data-model` | craig's |
//! | engine | as for `--engine`; several, separated by commas, run one after the other | auto |
//! | timeout | as for `--timeout` | 20s |
//! | args | further arguments, separated by blanks | none |
//!
//! Every verdict passes the checker inside `craig` before it is printed. The exit status must agree
//! with the answer. `CRAIG_PROGRAMS=boogie/loop` restricts the run to paths that contain the text.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(Clone, Default, Debug)]
struct Expectation {
    expect: String,
    may: Option<String>,
    gives_up: Vec<String>,
    property: Option<String>,
    data_model: Option<String>,
    engines: Vec<String>,
    timeout: Option<String>,
    args: Vec<String>,
}

/// What the head of a file says, if it expects anything.
fn expectation(text: &str) -> Option<Expectation> {
    let mut out = Expectation::default();
    for line in text.lines() {
        let Some(comment) = line.strip_prefix("//") else { break };
        let Some((key, value)) = comment.split_once(':') else { continue };
        let value = value.trim().to_string();
        match key.trim() {
            "expect" => out.expect = value,
            "may" => out.may = Some(value),
            "gives-up" => out.gives_up = value.split(',').map(|e| e.trim().to_string()).collect(),
            "property" => out.property = Some(value),
            "data-model" => out.data_model = Some(value),
            "engine" => out.engines = value.split(',').map(|e| e.trim().to_string()).collect(),
            "timeout" => out.timeout = Some(value),
            "args" => out.args = value.split_whitespace().map(str::to_string).collect(),
            _ => {}
        }
    }
    (!out.expect.is_empty()).then_some(out)
}

/// Whether an answer (`true`, `false(…)`, `unknown(…)`) is the wanted one.
fn matches(answer: &str, wanted: &str) -> bool {
    answer == wanted || answer.split_once('(').is_some_and(|(head, _)| head == wanted)
}

fn status_of(answer: &str) -> i32 {
    match answer.split('(').next() {
        Some("true") => 0,
        Some("false") => 1,
        _ => 3,
    }
}

/// Runs one file with one engine; `Err` says what is wrong.
fn run(root: &Path, path: &Path, wanted: &Expectation, engine: Option<&str>) -> Result<(), String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_craig"));
    command.current_dir(root).arg("check");
    let gives_up = wanted.gives_up.iter().any(|e| Some(e.as_str()) == engine);
    let timeout = if gives_up { "1s" } else { wanted.timeout.as_deref().unwrap_or("20s") };
    command.args(["--timeout", timeout]);
    if let Some(property) = &wanted.property {
        command.args(["--property", property]);
    }
    if let Some(model) = &wanted.data_model {
        command.args(["--data-model", model]);
    }
    if let Some(engine) = engine {
        command.args(["--engine", engine]);
    }
    command.args(&wanted.args).arg(path);
    let output = command.output().map_err(|e| format!("cannot start craig: {e}"))?;
    let stdout = String::from_utf8_lossy(&output.stdout);
    let shown = || format!("\n{stdout}{}", String::from_utf8_lossy(&output.stderr));
    let Some(answer) = stdout.lines().last().and_then(|line| line.strip_prefix("RESULT: ")) else {
        return Err(format!("no RESULT line{}", shown()));
    };
    let allowed = matches(answer, &wanted.expect)
        || wanted.may.as_ref().is_some_and(|may| matches(answer, may))
        || gives_up && matches(answer, "unknown");
    if !allowed {
        return Err(format!("expected {}, answered {answer}{}", wanted.expect, shown()));
    }
    if answer.starts_with("unknown(certificate rejected") {
        return Err(format!("evidence was rejected: {answer}{}", shown()));
    }
    if output.status.code() != Some(status_of(answer)) {
        return Err(format!("{answer} with exit status {:?}", output.status.code()));
    }
    Ok(())
}

fn collect(folder: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|e| e.path()) {
        if path.is_dir() {
            collect(&path, out);
        } else if path.extension().is_some_and(|e| e == "bpl" || e == "c" || e == "i") {
            out.push(path);
        }
    }
}

/// A program, what it expects, and the engine to run.
type Job = (PathBuf, Expectation, Option<String>);

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace is there")
}

fn jobs() -> Vec<Job> {
    let root = root();
    let mut paths = Vec::new();
    collect(&root.join("tests/programs"), &mut paths);
    collect(&root.join("examples"), &mut paths);
    paths.sort();
    let filter = std::env::var("CRAIG_PROGRAMS").unwrap_or_default();
    let mut jobs = Vec::new();
    for path in paths {
        let shown = path.strip_prefix(&root).unwrap_or(&path).to_path_buf();
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let Some(wanted) = expectation(&text) else { continue };
        assert!(
            !matches!(
                (wanted.expect.as_str(), wanted.may.as_deref()),
                ("true", Some("false")) | ("false", Some("true"))
            ),
            "{}: a wrong answer is never allowed",
            shown.display()
        );
        if !shown.to_string_lossy().contains(&filter) {
            continue;
        }
        let engines: Vec<Option<String>> =
            if wanted.engines.is_empty() { vec![None] } else { wanted.engines.iter().cloned().map(Some).collect() };
        jobs.extend(engines.into_iter().map(|engine| (shown.clone(), wanted.clone(), engine)));
    }
    jobs
}

/// Runs all jobs, two at a time, and fails with the list of those that went wrong.
fn run_all(jobs: &[Job]) {
    let root = root();
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((path, wanted, engine)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(why) = run(&root, path, wanted, engine.as_deref()) {
                        let engine = engine.as_ref().map_or(String::new(), |e| format!(" ({e})"));
                        let line = format!("{}{engine}: {why}", path.display());
                        failures.lock().expect("no thread panics").push(line);
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().expect("no thread panics");
    failures.sort();
    assert!(failures.is_empty(), "{} of {} runs failed:\n{}", failures.len(), jobs.len(), failures.join("\n"));
}

#[test]
fn every_program_gets_its_expected_verdict() {
    run_all(&jobs());
}

/// The same answers when every refutation of the checker's solver is checked again, step by step. Some rules of the
/// solver cannot be re-checked; then the answer is `unknown` and says so, but no proof is ever wrong.
#[test]
fn a_sample_in_paranoid_mode() {
    let strict = |(_, wanted, engine): &Job| {
        wanted.expect == "true" && wanted.may.is_none() && engine.as_deref().is_none_or(|e| e == "auto")
    };
    let sample: Vec<Job> = jobs().into_iter().filter(strict).step_by(4).collect();
    assert!(sample.len() >= 10 || std::env::var_os("CRAIG_PROGRAMS").is_some());
    let paranoid = |(path, mut wanted, engine): Job| {
        wanted.args.push("--paranoid".to_string());
        wanted.may = Some("unknown".to_string());
        wanted.timeout = Some("5s".to_string());
        (path, wanted, engine)
    };
    run_all(&sample.into_iter().map(paranoid).collect::<Vec<_>>());
}

#[test]
fn heads_are_read() {
    let head = "// expect: false(valid-deref)\n// may: unknown\n// engine: bmc, kojak\n// Prose: with a colon.\nint x; // expect: true\n";
    let wanted = expectation(head).expect("an expectation");
    assert_eq!(wanted.expect, "false(valid-deref)");
    assert_eq!(wanted.may.as_deref(), Some("unknown"));
    assert_eq!(wanted.engines, ["bmc", "kojak"]);
    assert!(matches("false(valid-deref)", &wanted.expect) && matches("false(valid-deref)", "false"));
    assert!(!matches("false(valid-free)", &wanted.expect) && !matches("unknown(timeout)", "true"));
    assert!(expectation("int main() {}").is_none());
}
