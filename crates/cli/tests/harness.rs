//! Tests that `--harness` writes really fail: every violated C program of the suite is compiled with gcc and run.
//!
//! Programs are checked for LP64 where gcc cannot make 32-bit programs, for which the verdict may differ; then there
//! is nothing to test.

mod common;

use common::{craig, file, stdout};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Violations that gcc's sanitizers do not see, or that need more than inputs.
const NOT_REPEATED: &[(&str, &str)] = &[
    ("integer_may_be_an_address.c", "depends on an address"),
    ("qsort_is_not_stable.c", "depends on an order that the standard leaves open"),
    ("malloc_of_zero.c", "the sanitizer allocates a byte"),
    ("uninitialised_values.c", "depends on uninitialised memory"),
    ("uninitialised_is_arbitrary.c", "depends on uninitialised memory"),
    ("thread_waits_for_lock.c", "depends on a schedule"),
    ("threads_lost_update.c", "depends on a schedule"),
];

struct Program {
    path: PathBuf,
    name: String,
    property: String,
    model: Option<String>,
}

fn head<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    text.lines()
        .take_while(|l| l.starts_with("//"))
        .find_map(|l| l[2..].trim().strip_prefix(key)?.trim().strip_prefix(':'))
        .map(str::trim)
}

fn violated_programs() -> Vec<Program> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/c");
    let mut programs = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the programs are there").flatten() {
        let path = entry.path();
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let property = head(&text, "property").unwrap_or("unreach-call").to_string();
        let is_violated = head(&text, "expect").is_some_and(|e| e.starts_with("false"));
        let has_args = head(&text, "args").is_some();
        if is_violated && !has_args && property != "termination" && path.extension().is_some_and(|e| e == "c") {
            let name = entry.file_name().to_string_lossy().into_owned();
            programs.push(Program { path, name, property, model: head(&text, "data-model").map(str::to_string) });
        }
    }
    programs.sort_by(|a, b| a.name.cmp(&b.name));
    programs
}

fn gcc_makes(machine: &str) -> bool {
    let source = file(&format!("probe{machine}.c"), "int main(void) { return 0; }\n");
    let out = source.with_extension("out");
    let status = Command::new("gcc").arg(machine).arg(&source).arg("-o").arg(out).stderr(Stdio::null()).status();
    status.is_ok_and(|s| s.success())
}

/// Compiles a test as its head says; then runs it. `None`: it does not compile.
fn fails(test: &Path, program: &Path) -> Result<bool, String> {
    let text = std::fs::read_to_string(test).map_err(|e| e.to_string())?;
    let command = text.lines().find_map(|l| l.trim().strip_prefix("gcc ")).ok_or("no command in the head")?;
    let out = test.with_extension("out");
    let words = command.split_whitespace().take_while(|w| *w != "THIS_FILE");
    let output = Command::new("gcc")
        .args(words)
        .arg(test)
        .arg(program)
        .args(["-lm", "-lpthread", "-o"])
        .arg(&out)
        .output()
        .map_err(|e| e.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let run = Command::new(&out)
        .env("ASAN_OPTIONS", "detect_leaks=1:detect_stack_use_after_return=1")
        .output()
        .map_err(|e| e.to_string())?;
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    if said.contains("LeakSanitizer has encountered a fatal error") {
        return Err("leaks cannot be looked for here".to_string());
    }
    // The program's own status may be anything: an abort or a report of a sanitizer counts.
    Ok(run.status.code().is_none() || said.contains("Sanitizer") || said.contains("runtime error"))
}

#[test]
fn written_tests_fail_when_run() {
    if Command::new("gcc").arg("--version").output().is_err() {
        eprintln!("gcc is not installed: nothing is tested");
        return;
    }
    let has_32 = gcc_makes("-m32");
    let mut n_run = 0;
    let mut problems = Vec::new();
    for program in violated_programs() {
        let model = match program.model.as_deref() {
            Some("LP64") => "LP64",
            _ if has_32 => "ILP32",
            _ => "LP64",
        };
        let test = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("harness_{}", program.name));
        let output = craig()
            .args(["check", "--timeout", "20s", "--property", &program.property, "--data-model", model, "--harness"])
            .args([&test, &program.path])
            .output()
            .expect("craig runs");
        if !stdout(&output).contains("RESULT: false") {
            continue;
        }
        if let Some((_, why)) = NOT_REPEATED.iter().find(|(name, _)| *name == program.name) {
            eprintln!("{}: not run: {why}", program.name);
            continue;
        }
        if program.property == "no-data-race" {
            eprintln!("{}: not run: depends on a schedule", program.name);
            continue;
        }
        match fails(&test, &program.path) {
            Ok(true) => n_run += 1,
            Ok(false) => problems.push(format!("{}: the test passes", program.name)),
            Err(why) => problems.push(format!("{}: {why}", program.name)),
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(n_run >= 12, "only {n_run} tests were run");
}

#[test]
fn inputs_and_entries_reach_the_program() {
    let program = file(
        "harness_inputs.c",
        "extern int __VERIFIER_nondet_int(void);\nextern unsigned char __VERIFIER_nondet_uchar(void);\nvoid reach_error(void) {}\n\
         int twice(int a, long long b) {\n  int x = __VERIFIER_nondet_int();\n  int y = __VERIFIER_nondet_int();\n  \
         if (a == 5 && b == -10000000000LL && x - y == 7 && x > 100 && __VERIFIER_nondet_uchar() == 255)\n    reach_error();\n  return 0;\n}\n\
         int main(void) { return 0; }\n",
    );
    let test = program.with_file_name("harness_inputs_test.c");
    let output = craig()
        .args(["check", "--entry", "twice", "--data-model", "LP64", "--harness"])
        .args([&test, &program])
        .output()
        .expect("craig runs");
    assert!(stdout(&output).contains("RESULT: false(unreach-call)"), "{}", stdout(&output));
    assert_eq!(fails(&test, &program), Ok(true));
}

#[test]
fn there_is_no_test_without_a_violation() {
    let program = file("harness_none.c", "int main(void) { return 0; }\n");
    let test = program.with_file_name("harness_none_test.c");
    let output = craig().args(["check", "--harness"]).args([&test, &program]).output().expect("craig runs");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0));
    assert!(message.contains("no test was written"), "{message}");
}
