//! How C programs are given to `craig check`: headers, macros, preprocessors, entries, several properties, all
//! violations.

mod common;

use common::{craig, file, result, stdout};
use std::path::Path;
use std::process::Output;

fn check(path: &Path, args: &[&str]) -> Output {
    craig().args(["check", "--timeout", "20s"]).args(args).arg(path).output().expect("craig runs")
}

fn folder(name: &str) -> std::path::PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("the test folder can be written");
    folder
}

#[test]
fn headers_and_macros() {
    let include = folder("include_here");
    std::fs::write(include.join("limit.h"), "#define LIMIT 10\n").expect("written");
    let path = file(
        "headers.c",
        "#include \"limit.h\"\nextern void reach_error(void);\nint main(void) {\n  int x = LIMIT;\n#ifdef BROKEN\n  x += BROKEN;\n\
         #endif\n  if (x != 10) reach_error();\n  return 0;\n}\n",
    );
    let include = include.display().to_string();
    assert_eq!(check(&path, &[]).status.code(), Some(2));
    assert_eq!(result(&check(&path, &["-I", &include])), "true");
    assert_eq!(result(&check(&path, &["-I", &include, "-D", "BROKEN"])), "false(unreach-call)");
    assert_eq!(result(&check(&path, &[&format!("-I{include}"), "-DBROKEN=0"])), "true");
}

#[test]
fn a_preprocessor_of_the_users_choice() {
    let path = file(
        "by_gcc.c",
        "#define BAD(x) if (x) reach_error()\nextern void reach_error(void);\n\n\nint main(void) {\n  int x = N;\n  BAD(x);\n}\n",
    );
    let output = check(&path, &["--cpp", "gcc -E", "-DN=1"]);
    assert_eq!(result(&output), "false(unreach-call)");
    // Positions are those of what the user wrote.
    assert!(stdout(&output).contains("by_gcc.c:7:"), "{}", stdout(&output));
    assert_eq!(result(&check(&path, &["--cpp", "gcc -E", "-DN=0"])), "true");
    let output = check(&path, &["--cpp", "no-such-program -E"]);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2));
    assert!(message.contains("is no-such-program installed?"), "{message}");
}

#[test]
fn library_functions() {
    let text = "extern void reach_error(void);\nint half(int x, unsigned char c) {\n  if (x > 100 && c == 7) reach_error();\n  \
                return x / 2;\n}\nint safe(int x) {\n  if (x > 10) x = 10;\n  if (x > 10) reach_error();\n  return x;\n}\n";
    let path = file("library.c", text);
    let output = check(&path, &["--entry", "half"]);
    assert_eq!(result(&output), "false(unreach-call)");
    assert_eq!(result(&check(&path, &["--entry", "safe"])), "true");
    let output = check(&path, &["--entry", "nobody"]);
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.contains("nobody") && message.contains("library.c"), "{message}");
}

#[test]
fn several_properties_in_one_run() {
    let path = file("several.c", "extern void reach_error(void);\nint main(int argc) {\n  return argc + 1;\n}\n");
    let output = check(&path, &["--property", "unreach-call", "--property", "no-overflow", "-p", "termination"]);
    let text = stdout(&output);
    let results: Vec<&str> = text.lines().filter_map(|l| l.strip_prefix("RESULT: ")).collect();
    assert_eq!(results, ["true", "false(no-overflow)", "true"], "{text}");
    assert_eq!(output.status.code(), Some(1));
    let properties = file(
        "several.prp",
        "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\nCHECK( init(main()), LTL(G ! overflow) )\n",
    );
    let text = stdout(&check(&path, &["--property", &properties.display().to_string()]));
    let results: Vec<&str> = text.lines().filter_map(|l| l.strip_prefix("RESULT: ")).collect();
    assert_eq!(results, ["true", "false(no-overflow)"], "{text}");
}

#[test]
fn all_violations() {
    let path = file(
        "all.c",
        "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n  int y = x + 1;\n  \
         if (x < 100 && x > -100)\n    y = x + 7;\n  int z = x - 1;\n  return y > z;\n}\n",
    );
    let output = check(&path, &["--property", "no-overflow", "--all"]);
    let text = stdout(&output);
    assert_eq!(result(&output), "false(no-overflow)", "{text}");
    assert!(text.contains("no-overflow: 2 violated"), "{text}");
    assert!(text.contains("all.c:4:") && text.contains("all.c:7:") && text.contains(": false(no-overflow)"), "{text}");
    assert_eq!(output.status.code(), Some(1));
    let output = check(&path, &["--property", "no-overflow", "--all", "--format", "json"]);
    assert!(stdout(&output).contains("\"checks\""), "{}", stdout(&output));
    let safe = file("all_safe.c", "int main(void) { int x = 1; return x + 1; }\n");
    assert_eq!(result(&check(&safe, &["--property", "no-overflow", "--all"])), "true");
}

/// Fermat's theorem for cubes keeps the question for all checks without an answer; then each one is asked for alone.
#[test]
fn checks_are_asked_for_alone_when_all_together_are_too_hard() {
    let path = file(
        "one_is_hard.c",
        "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n  long long x = __VERIFIER_nondet_int();\n  \
         long long y = __VERIFIER_nondet_int();\n  long long z = __VERIFIER_nondet_int();\n  \
         if (x < 1 || y < 1 || z < 1 || x > 1000000 || y > 1000000 || z > 1000000) return 0;\n  \
         assert(x + y > x);\n  assert(x * x * x + y * y * y != z * z * z);\n  assert(x != 77);\n  return 0;\n}\n",
    );
    let output = craig()
        .args(["check", "--timeout", "4s", "--all", "--format", "json"])
        .arg(&path)
        .output()
        .expect("craig runs");
    let text = stdout(&output);
    let found: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let answer = |line: u64| {
        let checks = found["checks"].as_array().expect("checks");
        checks.iter().find(|c| c["line"] == line).and_then(|c| c["result"].as_str()).unwrap_or("missing").to_string()
    };
    assert_eq!(answer(8), "true");
    assert!(!answer(9).starts_with("false"), "{}", answer(9));
    assert_eq!(answer(10), "false(unreach-call)");
}

#[test]
fn what_pointers_point_to_has_a_name() {
    let program = file(
        "named_heap.c",
        "#include <stdlib.h>\nextern void reach_error(void);\nstruct node { int val; struct node *next; };\nint main(void) {\n  \
         struct node *n = malloc(sizeof *n);\n  if (!n) return 1;\n  n->val = 30;\n  n->next = 0;\n  int *a = malloc(3 * sizeof(int));\n  \
         if (!a) return 1;\n  a[2] = n->val + 1;\n  if (a[2] == 31) reach_error();\n  return 0;\n}\n",
    );
    let text = stdout(&check(&program, &[]));
    assert!(text.contains("n->val = 30]") && text.contains("a[2] = 31"), "{text}");
    // A loop whose invariant is about an object behind a pointer.
    let program = file(
        "heap_invariant.c",
        "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n  \
         int *p = malloc(sizeof *p);\n  if (!p) return 1;\n  *p = 1;\n  while (__VERIFIER_nondet_int()) {\n    if (*p < 9) *p = *p + 1;\n  }\n  \
         if (*p > 20) reach_error();\n  return 0;\n}\n",
    );
    let text = stdout(&check(&program, &["--engine", "trace-abstraction"]));
    assert!(text.contains("RESULT: true") && text.contains("*p"), "{text}");
}

#[test]
fn what_goes_wrong_in_the_library_is_told_at_the_call() {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/c/copy_without_its_end.c");
    let text = stdout(&check(&program, &["--property", "valid-memsafety"]));
    assert!(text.contains("copy_without_its_end.c:14:5: in strcpy: `strcpy("), "{text}");
    assert!(!text.contains("<library>"), "{text}");
}

#[test]
fn values_and_invariants_are_c() {
    let path = file(
        "values.c",
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nstruct point { int x; char tag; };\n\
         int main(void) {\n  struct point p = { 3, 'q' };\n  int a[4];\n  a[2] = __VERIFIER_nondet_int();\n  \
         if (a[2] == 77 && p.x == 3) reach_error();\n  return 0;\n}\n",
    );
    let text = stdout(&check(&path, &[]));
    assert!(text.contains("'q' (113)"), "{text}");
    assert!(text.contains("__VERIFIER_nondet_int() = 77"), "{text}");
    assert!(text.contains("a[2] = 77"), "{text}");
    let path = file(
        "in_memory.c",
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nvoid set(int *p, int v) { *p = v; }\n\
         int main(void) {\n  int x = 1;\n  set(&x, __VERIFIER_nondet_int());\n  if (x == 12) reach_error();\n  return 0;\n}\n",
    );
    let text = stdout(&check(&path, &[]));
    assert!(text.contains("x = 12"), "{text}");
    let path = file(
        "invariant.c",
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n  \
         int n = __VERIFIER_nondet_int(), a = 0, b = 0;\n  while (n != 0) {\n    if (a > 1000) break;\n    a++;\n    b++;\n    \
         n = __VERIFIER_nondet_int();\n  }\n  if (a != b) reach_error();\n  return 0;\n}\n",
    );
    let output = check(&path, &["--engine", "trace-abstraction"]);
    let text = stdout(&output);
    assert_eq!(result(&output), "true", "{text}");
    let line = text.lines().find(|l| l.contains("loop at line 5")).unwrap_or_else(|| panic!("{text}"));
    assert!(line.ends_with("a == b"), "{line}");
}

#[test]
fn the_data_model_is_the_hosts_unless_a_task_or_the_competition_says_otherwise() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("data-model");
    std::fs::create_dir_all(&folder).expect("made");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("written");
    write(
        "a.c",
        "extern void reach_error(void);\nint main(void) { if (sizeof(long) != 8) reach_error(); return 0; }\n",
    );
    write("p.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    let task = |model: &str| {
        format!(
            "format_version: '2.0'\ninput_files: a.c\nproperties:\n  - property_file: p.prp\n    expected_verdict: true\n{model}"
        )
    };
    write("host.yml", &task("options:\n  language: C\n  data_model: LP64\n"));
    write("small.yml", &task(""));
    let run = |arguments: &[&str]| {
        let output = common::craig().current_dir(&folder).arg("check").args(arguments).output().expect("runs");
        result(&output)
    };
    let (holds, violated) = ("true", "false(unreach-call)");
    assert_eq!(run(&["a.c"]), holds);
    assert_eq!(run(&["a.c", "--data-model", "ILP32"]), violated);
    assert_eq!(run(&["host.yml"]), holds);
    assert_eq!(run(&["small.yml"]), violated, "SV-COMP's default");
    assert_eq!(run(&["small.yml", "--data-model", "LP64"]), holds);
    assert_eq!(run(&["small.yml", "-p", "no-overflow"]), holds, "another property of the same program");
    let _ = std::fs::remove_file(folder.join("witness.yml"));
    assert_eq!(run(&["a.c", "--svcomp"]), violated);
    let witness = std::fs::read_to_string(folder.join("witness.yml")).expect("the competition wants a witness");
    assert!(witness.contains("entry_type: violation_sequence") && witness.contains("data_model: ILP32"), "{witness}");
    // What does not say what it is about is refused.
    write("no.yml", "a: b\n");
    let output = common::craig().current_dir(&folder).args(["check", "no.yml"]).output().expect("runs");
    assert_eq!(output.status.code(), Some(2));
}
