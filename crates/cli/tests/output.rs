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
    let object: Value = serde_json::from_str(&text).expect("standard output is one JSON document");
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    let last = messages.lines().last().expect("the RESULT line");
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
    // A program that cannot be read is no part of a proof: the last RESULT says so, whichever was read last.
    let missing = Path::new("does_not_exist.bpl");
    let output = craig().arg("check").args([missing, &safe]).output().expect("craig runs");
    assert_eq!(result(&output), "unknown(1 of 2 programs could not be read)");
    assert_eq!(output.status.code(), Some(2));
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

/// Arguments, name and text of a program, exit status, what must be said.
type Case<'a> = (&'a [&'a str], &'a str, &'a str, i32, &'a [&'a str]);

/// A message says what is wrong, where, and what to do next.
#[test]
fn messages_say_what_to_do_next() {
    let good = "extern void reach_error(void);\nint main(void) {\n  int x = 0;\n  while (x < 5) x++;\n  return 0;\n}\n";
    let setjmp =
        "#include <setjmp.h>\njmp_buf b;\nint main(void) {\n  if (setjmp(b)) __builtin_abort();\n  longjmp(b, 1);\n}\n";
    let nowhere = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no_such_folder/file").display().to_string();
    let cases: &[Case<'_>] = &[
        (&[], "says_setjmp.c", setjmp, 3, &["says_setjmp.c:4:", "not modelled: setjmp", "try a model", "docs/c.md"]),
        (&["--property", "beauty"], "says_1.c", good, 2, &["unknown property 'beauty'", "use unreach-call", ".prp"]),
        (&["--property", "no.prp"], "says_2.c", good, 2, &["cannot read the property file no.prp", "check the path"]),
        (&["--property", "ltl:G (x > 0)"], "says_3.c", good, 2, &["column 6", "is no operator", "AP(x > 0)", "^"]),
        (&["--property", "LTL(G \"y > 0\")"], "says_3b.c", good, 2, &["the formula:1:4", "y is not declared"]),
        (
            &["--property", "LTL(F call(man))"],
            "says_3c.c",
            good,
            2,
            &["column 3", "there is no function man", "did you mean main?"],
        ),
        (&["--property", "LTL(F at(end))"], "says_3d.c", good, 2, &["column 3", "there is no label end"]),
        (&["--engine", "steam"], "says_4.c", good, 2, &["unknown engine 'steam'", "use auto, trace-abstraction"]),
        (&["--timeout", "soon"], "says_5.c", good, 2, &["'soon': invalid duration", "90s"]),
        (&["--memory", "1xB"], "says_6.c", good, 2, &["unknown unit 'xB'", "use KB, MB or GB"]),
        (&["--memory", "1MB"], "says_7.c", good, 3, &["out of memory", "try --memory 2MB"]),
        (&["--entry", "start"], "says_8.c", good, 2, &["no function start", "--entry", "main"]),
        (&["--witness", &nowhere], "says_9.c", good, 2, &["cannot write", "choose another place for --witness"]),
        (&["--harness", &nowhere], "says_10.c", good, 2, &["cannot write", "choose another place for --harness"]),
        (&["--report", &nowhere], "says_11.c", good, 2, &["cannot write", "choose another place for --report"]),
        (&["--cpp", "no-such-cpp -E"], "says_12.c", good, 2, &["no-such-cpp", "is no-such-cpp installed?"]),
        (&[], "says_13.c", "#include \"no.h\"\nint main(void) { return 0; }\n", 2, &[":1:", "no.h not found", "-I"]),
        (
            &[],
            "says_14.c",
            "int f(void) { return 0; }\nint g(void) { return 1; }\n",
            0,
            &["entry points: f, g; there is no main"],
        ),
        (&[], "says_15.c", "int main(void) { return x; }\n", 2, &["says_15.c:1:25", "x is not declared", "^"]),
        (&[], "says_16.c", "\u{7f}ELF\0", 2, &["binary data", "craig reads the text of programs"]),
        (&[], "says_17.cpp", "int x;", 2, &["unknown kind of file", "craig reads .c, .i and .bpl"]),
    ];
    for (arguments, name, text, status, wanted) in cases {
        let output = check(&file(name, text), arguments);
        let said = format!("{}{}", String::from_utf8_lossy(&output.stderr), stdout(&output));
        assert_eq!(output.status.code(), Some(*status), "{name}: {said}");
        for part in *wanted {
            assert!(said.contains(part), "{name}: no '{part}' in: {said}");
        }
    }
    let missing = check(Path::new("no_such_program.c"), &[]);
    assert_eq!(missing.status.code(), Some(2));
    let said = String::from_utf8_lossy(&missing.stderr).into_owned();
    assert!(said.contains("cannot read no_such_program.c") && said.contains("check the path"), "{said}");
    let many: String = (0..100).map(|i| format!("int f{i}(void) {{ return x{i}; }}\n")).collect();
    let output = check(&file("says_many.c", &format!("{many}int main(void) {{ return f0(); }}\n")), &[]);
    assert!(String::from_utf8_lossy(&output.stderr).lines().count() < 90);
}

/// `craig check … | head -1` ends without a complaint.
#[test]
fn a_reader_may_go_away() {
    use std::process::Stdio;
    let program = file("reader_goes.bpl", SAFE);
    for files in [1, 3] {
        let mut command = craig();
        command.args(["check", "--no-cache"]).args(vec![&program; files]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("craig runs");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!said.contains("internal error"), "{said}");
        assert_eq!(output.status.code(), Some(141), "{said}");
    }
}

/// What cannot be written is an error, and there is no answer that says otherwise.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let (safe, c) = (file("full_safe.bpl", SAFE), file("full_safe.c", "int main(void) { return 0; }"));
    let full = || std::process::Stdio::from(std::fs::File::options().write(true).open("/dev/full").expect("/dev/full"));
    for format in ["text", "json", "sarif", "junit", "github"] {
        for programs in [&[&safe][..], &[&safe, &c][..]] {
            let mut command = craig();
            command.args(["check", "--no-cache", "--format", format]).args(programs).stdout(full());
            let output = command.output().expect("craig runs");
            assert_eq!(output.status.code(), Some(2), "{format}");
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(message.contains("cannot write to standard output"), "{message}");
            assert!(!message.contains("RESULT: true"), "{message}");
        }
    }
    for arguments in [&["engines"][..], &["man"][..], &["dump", "--stage", "icfg", "F"][..], &["smt", "S"][..]] {
        let script = file("full.smt2", "(check-sat)(echo \"a\")");
        let mut command = craig();
        for argument in arguments {
            match *argument {
                "F" => command.arg(&safe),
                "S" => command.arg(&script),
                _ => command.arg(argument),
            };
        }
        let output = command.stdout(full()).output().expect("craig runs");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
    for option in ["--report", "--witness"] {
        let output = check(&c, &[option, "/dev/full"]);
        assert_eq!(output.status.code(), Some(2), "{option}");
        assert_eq!(stdout(&output), "", "{option}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write /dev/full"), "{option}");
    }
    // Messages for people may get lost.
    let output = craig().arg("check").arg(&safe).stderr(full()).output().expect("craig runs");
    assert_eq!((result(&output).as_str(), output.status.code()), ("true", Some(0)));
}

#[test]
fn a_proof_as_json() {
    let object = json(&file("json_safe.bpl", SAFE), &[]);
    assert_eq!(object["result"], "true");
    assert_eq!(object["property"], "unreach-call");
    assert!(object["wall_seconds"].as_f64().is_some_and(|s| s >= 0.0));
    assert!(object["engine"].is_string());
    let object = json(&file("json_invariant.bpl", SAFE), &["--engine", "kojak"]);
    assert!(object["statistics"]["solver calls"].as_u64().is_some_and(|n| n > 0), "{object:#}");
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

/// A rank belongs to the loop whose steps change it, wherever the proof compares it; in C it is written without
/// conversions.
#[test]
fn ranks_are_told_of_the_right_loop() {
    let nested = "procedure main() {\n  var i, j, n: int;\n  i := 0;\n  while (i < n) {\n    j := i;\n    \
                  while (j > 0) { j := j - 2; }\n    i := i + 1;\n  }\n}\n";
    let text = stdout(&check(&file("termination_nested.bpl", nested), &["--property", "termination"]));
    assert!(text.contains("loop at line 4 terminates because `n - i` decreases"), "{text}");
    assert!(text.contains("loop at line 6 terminates because `j` decreases"), "{text}");

    let nested = "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int n = __VERIFIER_nondet_int();\n  \
                  for (int i = 0; i < n; i++) {\n    for (int j = 0; j < 10; j++) { }\n  }\n  return 0;\n}\n";
    let path = file("termination_nested.c", nested);
    let text = stdout(&check(&path, &["--property", "termination"]));
    assert!(text.contains("loop at line 4 terminates because `n - i` decreases"), "{text}");
    assert!(text.contains("loop at line 5 terminates because `9 - j` decreases"), "{text}");
    let object = json(&path, &["--property", "termination"]);
    let ranks: Vec<&str> =
        object["invariants"].as_array().expect("facts").iter().filter_map(|f| f["formula"].as_str()).collect();
    assert!(ranks.contains(&"terminates because `n - i` decreases"), "{object}");

    let recursion = "unsigned fib(unsigned n) {\n  if (n < 2) return n;\n  return fib(n - 1) + fib(n - 2);\n}\n\
                     extern unsigned __VERIFIER_nondet_uint(void);\nint main(void) { return fib(__VERIFIER_nondet_uint()) > 3; }\n";
    let text = stdout(&check(&file("termination_fib.c", recursion), &["--property", "termination"]));
    assert!(text.contains("recursion of fib terminates because `n` decreases"), "{text}");
}

/// The verdict does not depend on how modules are subtracted.
#[test]
fn modules_are_subtracted_by_the_complement_that_was_asked_for() {
    let loops = "procedure main() {\n  var i, n: int;\n  i := 0;\n  while (i < n) { i := i + 1; }\n}\n";
    let path = file("termination_complement.bpl", loops);
    let expected =
        [("none", None), ("auto", Some("deterministic")), ("ncsb", Some("NCSB")), ("rank", Some("rank-based"))];
    for (complement, by) in expected {
        let options = ["--property", "termination", "--engine", "buchi", "--stats", "--complement", complement];
        let output = check(&path, &options);
        assert_eq!(result(&output), "true", "{complement}");
        let text = stdout(&output);
        let used = |line: &str| {
            by.is_some_and(|by| line.contains(&format!("{by} complements")) && line.trim_end().ends_with('1'))
        };
        assert_eq!(text.lines().any(used), by.is_some(), "{text}");
    }
}

#[test]
fn endless_executions_are_shown_with_values() {
    let text = "procedure main() {\n  var x: int;\n  x := 5;\n  while (x >= 1) { x := 2 * x + 1; }\n}\n";
    let growing = file("termination_growing.bpl", text);
    let output = check(&growing, &["--property", "termination"]);
    assert_eq!(result(&output), "false(termination)");
    let text = stdout(&output);
    assert!(text.contains("[x = 5]") && text.contains("then forever, always with"), "{text}");
    let object = json(&growing, &["--property", "termination"]);
    assert!(object["stem"].is_array() && object["cycle"].is_array() && object["recurrence"].is_string(), "{object}");
    let stem = object["stem"].as_array().expect("steps");
    assert!(stem.iter().any(|step| step["values"]["x"] == "5" && step["line"] == 3), "{object}");
}

#[test]
fn temporal_violations_show_what_is_observed() {
    let text = "int on, off;\nint main(void) { on = 1; while (1) { on = 0; off = 1; } }\n";
    let program = file("temporal_observed.c", text);
    let formula = ["--property", "LTL(G F \"on == 1\")"];
    let output = check(&program, &formula);
    assert_eq!(result(&output), "false(ltl)");
    let shown = stdout(&output);
    assert!(shown.contains("observed: on == 1: yes") && shown.contains("observed: on == 1: no"), "{shown}");
    let object = json(&program, &formula);
    assert_eq!(object["formula"], "G F \"on == 1\"");
    let truths = |part: &str| -> Vec<serde_json::Value> {
        let steps = object[part].as_array().cloned().unwrap_or_default();
        steps
            .iter()
            .filter(|s| s["observed"].is_object())
            .map(|s| s["observed"]["propositions"]["on == 1"].clone())
            .collect()
    };
    assert!(truths("stem").contains(&true.into()), "{object}");
    assert!(!truths("cycle").is_empty() && truths("cycle").iter().all(|t| *t == false), "{object}");
    for format in ["sarif", "github"] {
        let output = check(&program, &[&formula[..], &["--format", format]].concat());
        assert_eq!(output.status.code(), Some(1), "{format}");
    }
    let sarif = stdout(&check(&program, &[&formula[..], &["--format", "sarif"]].concat()));
    assert!(sarif.contains("observed: on == 1: no; automaton: state"), "{sarif}");
    let page = Path::new(env!("CARGO_TARGET_TMPDIR")).join("temporal_observed.html");
    let page_argument = page.display().to_string();
    check(&program, &[&formula[..], &["--report", &page_argument]].concat());
    let page = std::fs::read_to_string(&page).expect("the page is written");
    assert!(page.contains("class=\"step repeated\"") && page.contains("observed: on == 1: no"), "{page}");
}

/// Every formula is a check of its own; the last RESULT is that of all.
#[test]
fn several_formulas_are_several_checks() {
    let text = "//@ ltl invariant a: []AP(x != 1);\n//@ ltl invariant b: <>AP(x == 2);\nint x;\nint main(void) { x = 1; x = 2; return 0; }\n";
    let program = file("temporal_several.c", text);
    let output = check(&program, &["--property", "ltl", "--no-cache"]);
    let shown = stdout(&output);
    assert!(shown.contains("[]AP(x != 1) is violated") && shown.contains("<>AP(x == 2) holds"), "{shown}");
    assert_eq!(result(&output), "false(ltl)");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn an_interleaved_execution_shows_the_variables_of_the_program() {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/c/threads_lost_update.c");
    let output = check(&program, &[]);
    assert_eq!(result(&output), "false(unreach-call)");
    let text = stdout(&output);
    // An increment is lost, so x is never more than 1; thread numbers count from 1.
    let values = |name: &str| {
        let shown: Vec<&str> = text.split(['[', ']', ',']).map(str::trim).collect();
        let is_it = |s: &&&str| s.strip_prefix(name).is_some_and(|rest| rest.starts_with(" = "));
        shown.iter().filter(is_it).map(|s| s.rsplit_once("= ").expect("a value").1.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(values("x").last().map(String::as_str), Some("1"), "{text}");
    assert!(values("x").iter().all(|v| v == "0" || v == "1"), "{text}");
    assert!(["1", "2"].contains(&values("a")[0].as_str()), "{text}");
}
