//! The contract of the command line: RESULT line, exit status, text and JSON, help and messages.

mod common;

use common::{craig, file, result, stdout};
use serde_json::Value;
use std::path::Path;
use std::process::Output;

const SAFE: &str = "procedure main() {
  var x, n: int;
  x := 0;
  while (x < n) { x := x + 1; }
  assert n < 0 || x >= n;
}
";

const UNSAFE: &str = "procedure main() {
  var x: int;
  havoc x;
  assume x > 3;
  x := x + 1;
  assert x != 7;
}
";

const RECURSIVE: &str = "procedure half(n: int) returns (r: int) {
  if (n <= 1) { r := 0; } else { call r := half(n - 2); r := r + 1; }
}
procedure main() {
  var a, b: int;
  assume a >= 0;
  call b := half(a);
  assert b >= 0;
}
";

fn check(path: &Path, arguments: &[&str]) -> Output {
    craig().arg("check").args(arguments).arg(path).output().expect("craig runs")
}

fn json(path: &Path, arguments: &[&str]) -> Value {
    let output = check(path, &[arguments, &["--format", "json"]].concat());
    let text = stdout(&output);
    let (object, last) = text.trim_end().rsplit_once('\n').expect("an object, then the RESULT line");
    let object: Value = serde_json::from_str(object).expect("valid JSON");
    assert_eq!(last, format!("RESULT: {}", object["result"].as_str().expect("a result")));
    assert_eq!(object["version"], 1);
    assert_eq!(object["file"], path.display().to_string());
    object
}

#[test]
fn exit_statuses() {
    let (safe, broken) = (file("exit_safe.bpl", SAFE), file("exit_unsafe.bpl", UNSAFE));
    let output = check(&safe, &[]);
    assert_eq!((result(&output).as_str(), output.status.code()), ("true", Some(0)));
    let output = check(&broken, &[]);
    assert_eq!((result(&output).as_str(), output.status.code()), ("false(unreach-call)", Some(1)));
    let output = check(&file("exit_recursive.bpl", RECURSIVE), &["--engine", "bmc"]);
    assert!(result(&output).starts_with("unknown("));
    assert_eq!(output.status.code(), Some(3));
    // Several files: each has its RESULT line, and the worst counts.
    let output = craig().arg("check").args([&safe, &broken, &safe]).output().expect("craig runs");
    let results: Vec<String> =
        stdout(&output).lines().filter(|l| l.starts_with("RESULT: ")).map(str::to_string).collect();
    assert_eq!(results, ["RESULT: true", "RESULT: false(unreach-call)", "RESULT: true"]);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn bad_usage_and_bad_input() {
    let safe = file("usage_safe.bpl", SAFE);
    for arguments in [&["--engine", "steam"][..], &["--property", "beauty"], &["--timeout", "soon"], &["--colour"]] {
        let output = check(&safe, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(!output.stderr.is_empty() && output.stdout.is_empty(), "{arguments:?}");
    }
    for name in ["does_not_exist.bpl", "unknown_kind.txt"] {
        let path = if name.ends_with("txt") { file(name, "") } else { Path::new(name).to_path_buf() };
        let output = check(&path, &[]);
        assert_eq!(output.status.code(), Some(2), "{name}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(name));
    }
    // Two errors, each with its place and a caret below it.
    let broken = file("two_errors.bpl", "procedure main() {\n  var x: int;\n  x := true;\n  y := 1;\n}\n");
    let output = check(&broken, &[]);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2));
    let place = broken.display().to_string();
    assert!(message.contains(&format!("{place}:3:")) && message.contains(&format!("{place}:4:3")), "{message}");
    assert!(message.lines().filter(|l| l.trim_start_matches([' ', '|']).starts_with('^')).count() >= 2, "{message}");
    let broken = file("error.c", "int main(void) {\n  int x = ;\n  return x;\n}\n");
    let output = check(&broken, &[]);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2));
    assert!(message.contains("error.c:2:11") && message.contains('^'), "{message}");
}

#[test]
fn a_proof_as_json() {
    let object = json(&file("json_safe.bpl", SAFE), &[]);
    assert_eq!(object["result"], "true");
    assert_eq!(object["property"], "unreach-call");
    assert!(object["wall_seconds"].as_f64().is_some_and(|s| s >= 0.0));
    assert!(object["engine"].is_string());
    assert!(object["statistics"]["solver calls"].as_u64().is_some_and(|n| n > 0), "{object:#}");
    let object = json(&file("json_invariant.bpl", SAFE), &["--engine", "kojak"]);
    let invariants = object["invariants"].as_array().expect("a list");
    assert_eq!(invariants.len(), 1, "{object:#}");
    assert_eq!(invariants[0]["line"], 4);
    assert!(invariants[0]["formula"].as_str().is_some_and(|f| !f.is_empty()));
}

#[test]
fn contracts_as_json() {
    let object = json(&file("json_recursive.bpl", RECURSIVE), &[]);
    assert_eq!(object["result"], "true");
    let contract = object["invariants"].as_array().expect("a list").iter().find(|f| f["place"] == "procedure half");
    let formula = contract.expect("a contract")["formula"].as_str().expect("text");
    assert!(formula.contains("requires ") && formula.contains("ensures "), "{formula}");
}

#[test]
fn an_execution_as_json() {
    let object = json(&file("json_unsafe.bpl", UNSAFE), &[]);
    assert_eq!(object["result"], "false(unreach-call)");
    assert_eq!(object["violation"]["line"], 6);
    assert_eq!(object["violation"]["property"], "unreach-call");
    let steps = object["execution"].as_array().expect("a list");
    let havoc = steps.iter().find(|s| s["line"] == 3).expect("the havoc");
    assert_eq!(havoc["values"]["x"], "6");
    let assignment = steps.iter().find(|s| s["line"] == 5).expect("the assignment");
    assert_eq!(assignment["source"], "x := x + 1;");
    assert_eq!(assignment["values"]["x"], "7");
}

#[test]
fn no_answer_as_json() {
    let object = json(&file("json_unknown.bpl", RECURSIVE), &["--engine", "bmc"]);
    assert!(object["result"].as_str().is_some_and(|r| r.starts_with("unknown(")));
    assert!(object["reason"].is_string());
}

#[test]
fn an_execution_as_text() {
    let output = stdout(&check(&file("text_unsafe.bpl", UNSAFE), &[]));
    let line = |n: u32| {
        let place = format!("text_unsafe.bpl:{n}:");
        output.lines().filter(|l| l.contains(&place)).collect::<Vec<_>>().join("\n")
    };
    assert!(line(3).contains("x = 6"), "{output}");
    assert!(line(5).contains("x := x + 1") && line(5).contains("x = 7"), "{output}");
    assert!(line(6).contains("assert"), "{output}");
}

#[test]
fn invariants_as_text() {
    let output = stdout(&check(&file("text_safe.bpl", SAFE), &["--engine", "trace-abstraction"]));
    assert!(output.lines().any(|l| l.trim_start().starts_with("loop at line 4: ")), "{output}");
}

#[test]
fn statistics_of_every_engine() {
    let text = "procedure main() {
      var x, y, z: int;
      assume y >= z;
      while (x < y) { x := x + 1; }
      assert x >= z;
    }";
    let path = file("stats.bpl", text);
    let sizes = [
        ("trace-abstraction", "largest automaton"),
        ("kojak", "nodes"),
        ("impact", "tree vertices"),
        ("predicate-abstraction", "tree nodes"),
    ];
    for (engine, size) in sizes {
        let output = stdout(&check(&path, &["--engine", engine, "--stats"]));
        let wanted =
            ["statistics:", "wall seconds", "solver calls", "interpolation: Craig", "seconds in TraceCheck", size];
        for name in wanted {
            assert!(output.contains(name), "{engine}: no {name}:\n{output}");
        }
        assert!(output.contains("iterations") || output.contains("refinements"), "{engine}:\n{output}");
    }
}

#[test]
fn help_fits_a_screen_and_engines_are_listed() {
    let help = stdout(&craig().args(["check", "--help"]).output().expect("craig runs"));
    // A screen of 40 lines with 100 columns; longer lines are wrapped.
    let rows: usize = help.lines().map(|l| l.chars().count().div_ceil(100).max(1)).sum();
    assert!(rows <= 40, "{rows} rows:\n{help}");
    for flag in ["--property", "--engine", "--timeout", "--memory", "--format", "--blocks", "--jobs", "--paranoid"] {
        assert!(help.contains(flag), "{flag}");
    }
    let engines = stdout(&craig().arg("engines").output().expect("craig runs"));
    let names = ["auto", "trace-abstraction", "kojak", "impact", "predicate-abstraction", "whale", "bmc", "buchi"];
    for name in names {
        assert!(engines.lines().any(|l| l.starts_with(name)), "{name}:\n{engines}");
    }
}

#[test]
fn the_same_input_gives_the_same_output() {
    let path = file("deterministic.bpl", SAFE);
    let run = || stdout(&check(&path, &["--jobs", "1"]));
    assert_eq!(run(), run());
}

#[test]
fn every_stage_can_be_dumped() {
    let boogie = file("dump.bpl", SAFE);
    let c = file("dump.c", "int main(void) { int i = 0; while (i < 3) i++; return i; }\n");
    for path in [&boogie, &c] {
        for stage in ["ast", "program", "icfg", "blocks"] {
            for to in ["text", "dot"] {
                let output = craig().args(["dump", "--stage", stage, "--to", to]).arg(path).output().expect("runs");
                let text = stdout(&output);
                let message = String::from_utf8_lossy(&output.stderr).into_owned();
                assert_eq!(output.status.code(), Some(0), "{stage} {to}: {message}");
                assert_eq!(to == "dot", text.starts_with("digraph"), "{stage} {to}:\n{text}");
                assert!(text.lines().count() > 3, "{stage} {to}:\n{text}");
            }
        }
    }
}

#[test]
fn termination_is_explained() {
    let loops = "procedure main() {\n  var i, n: int;\n  i := 0;\n  while (i < n) { i := i + 1; }\n}\n";
    let counting = file("termination_counting.bpl", loops);
    let output = check(&counting, &["--property", "termination"]);
    let text = stdout(&output);
    assert!(text.contains("loop at line 4 terminates because `n - i` decreases"), "{text}");
    let object = json(&counting, &["--property", "termination"]);
    assert_eq!(object["invariants"][0]["formula"], "terminates because `n - i` decreases");

    let lecture = "procedure main() {\n  var x, y: int;\n  while (x > 0 && y > 0) {\n    \
                   if (*) { x := x - 1; } else { havoc x; y := y - 1; }\n  }\n}\n";
    let text = stdout(&check(&file("termination_lecture.bpl", lecture), &["--property", "termination"]));
    for rank in ["x", "y"] {
        assert!(text.contains(&format!("loop at line 3 terminates because `{rank}` decreases")), "{text}");
    }
}

#[test]
fn endless_executions_are_shown_with_values() {
    let text = "procedure main() {\n  var x: int;\n  x := 5;\n  while (x >= 1) { x := 2 * x + 1; }\n}\n";
    let growing = file("termination_growing.bpl", text);
    let output = check(&growing, &["--property", "termination"]);
    assert_eq!(result(&output), "false(termination)");
    let text = stdout(&output);
    assert!(text.contains("[x = 5]") && text.contains("then for ever, always with"), "{text}");
    let object = json(&growing, &["--property", "termination"]);
    assert!(object["stem"].is_array() && object["cycle"].is_array() && object["recurrence"].is_string(), "{object}");
    assert_eq!(object["stem"][0]["values"]["x"], "5");
}
