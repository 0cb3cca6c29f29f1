//! `peers DIR`: runs the test suite of another tool and compares its expectations with the answers of `craig check`.
//!
//! Understood are the conventions in [`conventions`]: `test.desc` (CBMC, ESBMC), task definitions (`.yml`, SV-COMP),
//! comments in the program (Goblint, SeaHorn) and names of files (older SV-COMP, CPAchecker). What a test asks for is
//! mapped to the properties of Craig; a test that asks for something else is skipped and counted. A test with several
//! properties holds if all hold.

mod conventions;
mod task_definition;
mod test_desc;

use conventions::{Program, Test};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

pub(crate) const USAGE: &str = "usage: cargo xtask peers DIR --bin CRAIG [--style auto|cbmc|esbmc|sv-comp|goblint|seahorn|names] [--timeout TIME] [--jobs N] [--out FILE.tsv] [-- OPTIONS OF CRAIG]";

pub(crate) struct Options {
    folder: PathBuf,
    bin: PathBuf,
    style: conventions::Style,
    timeout: String,
    n_jobs: usize,
    out: Option<PathBuf>,
    rest: Vec<String>,
}

impl Options {
    pub(crate) fn parse(args: &[String]) -> Result<Options, String> {
        let mut options = Options {
            folder: PathBuf::new(),
            bin: PathBuf::new(),
            style: conventions::Style::Auto,
            timeout: "5s".to_string(),
            n_jobs: 1,
            out: None,
            rest: Vec::new(),
        };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            if arg == "--" {
                options.rest.extend(args.by_ref().cloned());
                break;
            }
            if !arg.starts_with("--") {
                options.folder = arg.into();
                continue;
            }
            let value = args.next().ok_or_else(|| format!("{arg} wants a value"))?;
            match arg.as_str() {
                "--bin" => options.bin = value.into(),
                "--style" => options.style = conventions::Style::parse(value)?,
                "--timeout" => options.timeout = value.clone(),
                "--jobs" => {
                    options.n_jobs = value.parse().map_err(|_| format!("--jobs wants a number, not '{value}'"))?;
                }
                "--out" => options.out = Some(value.into()),
                _ => return Err(format!("unknown option {arg}")),
            }
        }
        if options.folder.as_os_str().is_empty() || options.bin.as_os_str().is_empty() {
            return Err("peers wants a folder and --bin".to_string());
        }
        Ok(options)
    }
}

/// How the answer to a test compares.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Grade {
    Right,
    Wrong,
    Unknown,
    /// No answer, but an error or a crash.
    Rejected,
    /// The test does not tell what is right.
    Open,
}

impl Grade {
    fn name(self) -> &'static str {
        match self {
            Grade::Right => "right",
            Grade::Wrong => "WRONG",
            Grade::Unknown => "unknown",
            Grade::Rejected => "rejected",
            Grade::Open => "open",
        }
    }
}

/// The answer to the conjunction of a test's properties.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Answer {
    Holds,
    Violated(String),
    Unknown(String),
    Rejected(String),
}

fn grade(expected: Option<bool>, answer: &Answer) -> Grade {
    match (expected, answer) {
        (_, Answer::Rejected(_)) => Grade::Rejected,
        (None, _) => Grade::Open,
        (_, Answer::Unknown(_)) => Grade::Unknown,
        (Some(expected), answer) => {
            if expected == (*answer == Answer::Holds) {
                Grade::Right
            } else {
                Grade::Wrong
            }
        }
    }
}

/// True when nothing is wrong.
pub(crate) fn run(options: &Options) -> Result<bool, String> {
    let (tests, skipped) = conventions::tests_of(&options.folder, options.style)?;
    let results: Mutex<Vec<(usize, Answer)>> = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    let scratch = std::env::temp_dir().join(format!("craig-peers-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).map_err(|e| format!("{}: {e}", scratch.display()))?;
    std::thread::scope(|scope| {
        for _ in 0..options.n_jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(test) = tests.get(number) else { break };
                    let answer = answer(options, test, &scratch.join(number.to_string()));
                    if grade(test.expected, &answer) == Grade::Wrong {
                        println!("WRONG {}: expected {:?}, answered {answer:?}", test.name, test.expected);
                    }
                    if let Ok(mut results) = results.lock() {
                        results.push((number, answer));
                    }
                }
            });
        }
    });
    let _ = std::fs::remove_dir_all(&scratch);
    let mut results = results.into_inner().map_err(|e| e.to_string())?;
    results.sort_by_key(|(number, _)| *number);
    print(options, &tests, &results, &skipped)?;
    Ok(!results.iter().any(|(number, answer)| grade(tests[*number].expected, answer) == Grade::Wrong))
}

fn print(
    options: &Options,
    tests: &[Test],
    results: &[(usize, Answer)],
    skipped: &BTreeMap<String, usize>,
) -> Result<(), String> {
    let mut counts: BTreeMap<(String, Grade), usize> = BTreeMap::new();
    let mut reasons: BTreeMap<(Grade, String), usize> = BTreeMap::new();
    let mut lines = String::new();
    for (number, answer) in results {
        let test = &tests[*number];
        let grade = grade(test.expected, answer);
        *counts.entry((test.suite.clone(), grade)).or_default() += 1;
        *counts.entry(("all".into(), grade)).or_default() += 1;
        if let Answer::Unknown(why) | Answer::Rejected(why) = answer {
            *reasons.entry((grade, shortened(why))).or_default() += 1;
        }
        let expected = test.expected.map_or("?".to_string(), |e| e.to_string());
        lines.push_str(&format!("{}\t{}\t{expected}\t{}\t{answer:?}\n", test.name, test.suite, grade.name()));
    }
    const GRADES: [Grade; 5] = [Grade::Right, Grade::Wrong, Grade::Unknown, Grade::Rejected, Grade::Open];
    println!("{:<40} {:>7} {:>7} {:>7} {:>8} {:>7}", "suite", "right", "wrong", "unknown", "rejected", "open");
    let mut suites: Vec<&String> = counts.keys().map(|(suite, _)| suite).collect();
    suites.dedup();
    for suite in suites {
        let of = |grade| counts.get(&(suite.clone(), grade)).copied().unwrap_or(0);
        let [right, wrong, unknown, rejected, open] = GRADES.map(of);
        println!("{suite:<40} {right:>7} {wrong:>7} {unknown:>7} {rejected:>8} {open:>7}");
    }
    let mut reasons: Vec<_> = reasons.into_iter().collect();
    reasons.sort_by_key(|((grade, _), n)| (*grade, std::cmp::Reverse(*n)));
    for ((grade, reason), n) in reasons {
        println!("{n:>6} {}: {reason}", grade.name());
    }
    for (reason, n) in skipped {
        println!("{n:>6} skipped: {reason}");
    }
    match &options.out {
        Some(file) => std::fs::write(file, lines).map_err(|e| format!("{}: {e}", file.display())),
        None => Ok(()),
    }
}

/// Without the places and numbers that keep like reasons apart.
fn shortened(reason: &str) -> String {
    let words: Vec<&str> =
        reason.split_whitespace().filter(|w| !w.contains(".c:") && !w.contains(".i:") && !w.contains('/')).collect();
    let text: String =
        words.iter().take(12).map(|w| w.trim_matches(|c: char| c.is_ascii_digit())).collect::<Vec<_>>().join(" ");
    text
}

/// All of the properties, one after the other, until one is violated.
fn answer(options: &Options, test: &Test, scratch: &Path) -> Answer {
    let mut all = Answer::Holds;
    let file = match &test.program {
        Program::File(file) => file.clone(),
        Program::Rewritten { text, .. } => {
            let file = scratch.with_extension("c");
            if let Err(e) = std::fs::write(&file, text) {
                return Answer::Rejected(e.to_string());
            }
            file
        }
    };
    for property in &test.properties {
        let mut command = Command::new(&options.bin);
        command.args(["check", "--timeout", &options.timeout, "--property", property]);
        command.args(&test.options).args(&options.rest).arg(&file);
        if let Program::Rewritten { folder, .. } = &test.program {
            command.arg("-I").arg(folder);
        }
        let output = match command.output() {
            Ok(output) => output,
            Err(e) => return Answer::Rejected(e.to_string()),
        };
        let text = String::from_utf8_lossy(&output.stdout);
        let result = text.lines().rev().find_map(|line| line.strip_prefix("RESULT: ")).unwrap_or("");
        if let Some(rest) = result.strip_prefix("false") {
            let part = rest.trim_matches(['(', ')']);
            if !test.ignored.contains(&part) {
                return Answer::Violated(part.to_string());
            }
        } else if result.starts_with("unknown") {
            all = Answer::Unknown(result.to_string());
        } else if result != "true" {
            let errors = String::from_utf8_lossy(&output.stderr).into_owned() + &text;
            let first = errors.lines().find(|l| l.contains("error")).unwrap_or("no result");
            return Answer::Rejected(first.to_string());
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_graded() {
        assert_eq!(grade(Some(true), &Answer::Holds), Grade::Right);
        assert_eq!(grade(Some(false), &Answer::Holds), Grade::Wrong);
        assert_eq!(grade(Some(true), &Answer::Violated("unreach-call".into())), Grade::Wrong);
        assert_eq!(grade(None, &Answer::Holds), Grade::Open);
        assert_eq!(grade(Some(true), &Answer::Unknown("timeout".into())), Grade::Unknown);
        assert_eq!(grade(None, &Answer::Rejected("error".into())), Grade::Rejected);
    }

    #[test]
    fn like_reasons_are_one() {
        assert_eq!(shortened("a/b.c:3:4: error: no header <x.h>"), "error: no header <x.h>");
    }
}
