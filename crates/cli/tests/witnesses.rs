//! Witnesses: one with a number changed is not confirmed when it became wrong; bad ones are refused with a message.
//! That those of the suite's programs fit the schema and are confirmed is tested by `programs.rs`.

mod common;
#[path = "common/schema.rs"]
mod schema;

use common::{craig, file, result, stdout};
use std::path::{Path, PathBuf};
use std::process::Output;

fn check(program: &Path, witness: &Path, args: &[&str]) -> Output {
    let mut command = craig();
    command.env("SOURCE_DATE_EPOCH", "0").args(["check", "--timeout", "10s", "--jobs", "1"]).args(args);
    command.arg("--witness").args([witness, program]).output().expect("craig runs")
}

fn validate(program: &Path, witness: &Path, args: &[&str]) -> Output {
    craig().args(["validate", "--timeout", "60s"]).args(args).args([program, witness]).output().expect("craig runs")
}

fn witness_file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.witness.yml"))
}

const LOOP: &str = "extern void reach_error(void);\nint main(void) {\n  int i = 0, s = 0;\n  while (i < 10) {\n    i++;\n    \
                    s += 3;\n  }\n  if (s != 30) reach_error();\n  return 0;\n}\n";

const SEARCH: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n  \
                      int x = __VERIFIER_nondet_int();\n  int y = __VERIFIER_nondet_int();\n  if (x == 42 && y == x + 1)\n    \
                      reach_error();\n  return 0;\n}\n";

/// An entry made by hand, with the right hash.
fn entry(program: &Path, kind: &str, content: &str) -> String {
    let hash = report::sha256::hex(&std::fs::read(program).expect("the program"));
    let name = program.file_name().expect("a name").to_string_lossy();
    format!(
        "- entry_type: {kind}\n  metadata:\n    format_version: '2.1'\n    task:\n      input_files: [{name}]\n      \
         input_file_hashes: {{{name}: {hash}}}\n      specification: 'CHECK( init(main()), LTL(G ! call(reach_error())) )'\n      \
         data_model: ILP32\n      language: C\n  content:\n{content}"
    )
}

/// A witness made by hand.
fn by_hand(name: &str, program: &Path, content: &str) -> PathBuf {
    let kind = if content.contains("segment") { "violation_sequence" } else { "invariant_set" };
    let witness = witness_file(name);
    std::fs::write(&witness, entry(program, kind, content)).expect("written");
    witness
}

fn loop_invariant(line: u32, value: &str) -> String {
    format!(
        "  - invariant:\n      type: loop_invariant\n      location:\n        file_name: x.c\n        line: {line}\n      \
         value: \"{value}\"\n      format: c_expression\n"
    )
    .replace("        file_name: x.c\n", "")
}

#[test]
fn invariants_by_anyone() {
    let program = file("by_anyone.c", LOOP);
    let judged = |name: &str, content: &str| {
        let witness = by_hand(name, &program, content);
        result(&validate(&program, &witness, &[]))
    };
    // Inductive, not inductive but true, useless but true, false.
    assert_eq!(judged("inductive", &loop_invariant(4, "s == 3 * i && 0 <= i && i <= 10")), "confirmed");
    assert_eq!(judged("true", &loop_invariant(4, "s % 3 == 0")), "confirmed");
    assert_eq!(judged("useless", &loop_invariant(4, "1")), "confirmed");
    let rejected = judged("false", &loop_invariant(4, "s == 3 * i && i <= 9"));
    assert!(rejected.starts_with("rejected(") && rejected.contains("i <= 9"), "{rejected}");
    assert!(judged("false2", &loop_invariant(4, "s == 4 * i")).starts_with("rejected("));
    // Undefined behaviour in an invariant.
    assert!(!judged("undefined", &loop_invariant(4, "1 / i <= 1")).starts_with("confirmed"));
}

#[test]
fn a_changed_number_is_noticed() {
    let program = file("changed.c", SEARCH);
    let witness = witness_file("changed");
    assert_eq!(result(&check(&program, &witness, &[])), "false(unreach-call)");
    assert_eq!(result(&validate(&program, &witness, &[])), "confirmed");
    let text = std::fs::read_to_string(&witness).expect("there is a witness");
    for (from, to) in [("== 42", "== 41"), ("== 43", "== 42"), ("line: 7", "line: 8")] {
        let changed = witness_file("changed_here");
        assert!(text.contains(from), "{from}\n{text}");
        std::fs::write(&changed, text.replace(from, to)).expect("written");
        let output = validate(&program, &changed, &[]);
        assert!(result(&output).starts_with("rejected("), "{from} → {to}: {}", stdout(&output));
    }
    // What was never initialised is in the witness, too.
    let text = "extern void reach_error(void);\nint main(void) {\n  int x, a[3];\n  if (x == 5 && a[1] == 8)\n    reach_error();\n  return 0;\n}\n";
    let program = file("changed_garbage.c", text);
    let witness = witness_file("changed_garbage");
    assert_eq!(result(&check(&program, &witness, &[])), "false(unreach-call)");
    let text = std::fs::read_to_string(&witness).expect("there is a witness");
    for (from, to) in [("x == 5", "x == 6"), ("a[1] == 8", "a[1] == 7")] {
        let changed = witness_file("changed_garbage_here");
        assert!(text.contains(from), "{from}\n{text}");
        std::fs::write(&changed, text.replace(from, to)).expect("written");
        assert!(result(&validate(&program, &changed, &[])).starts_with("rejected("), "{from} → {to}");
    }
    let program = file("changed_loop.c", LOOP);
    let witness = by_hand("changed_loop", &program, &loop_invariant(4, "s == 3 * i && i <= 10"));
    let text = std::fs::read_to_string(&witness).expect("there is a witness");
    for (from, to) in [("3 * i", "2 * i"), ("<= 10", "<= 7")] {
        let changed = witness_file("changed_loop_here");
        std::fs::write(&changed, text.replace(from, to)).expect("written");
        assert!(result(&validate(&program, &changed, &[])).starts_with("rejected("), "{from} → {to}");
    }
}

/// The text with each number changed in turn, up and down; numbers inside names are none.
fn with_a_changed_number(text: &str) -> Vec<String> {
    let bytes = text.as_bytes();
    let is_name = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let mut changed = Vec::new();
    let mut i = 0;
    while i < bytes.len() {
        if !bytes[i].is_ascii_digit() || i > 0 && (is_name(bytes[i - 1]) || bytes[i - 1] == b'.') {
            i += 1;
            continue;
        }
        let end = (i..bytes.len()).find(|&j| !bytes[j].is_ascii_digit()).unwrap_or(bytes.len());
        let number: u64 = text[i..end].parse().expect("a number of a witness is small");
        for other in [Some(number + 1), number.checked_sub(1)].into_iter().flatten() {
            changed.push(format!("{}{other}{}", &text[..i], &text[end..]));
        }
        i = end;
    }
    changed
}

/// How a program ends when gcc has compiled it; `None`: killed.
fn run_by_gcc(name: &str, sources: &[String]) -> Option<i32> {
    let files: Vec<PathBuf> = sources.iter().enumerate().map(|(i, s)| file(&format!("{name}_{i}.c"), s)).collect();
    let out = files[0].with_extension("out");
    let mut gcc = std::process::Command::new("gcc");
    gcc.args(["-std=gnu11", "-w", "-fwrapv", "-Wl,-z,muldefs"]).args(&files).arg("-o").arg(&out);
    let compiled = gcc.output().expect("gcc runs");
    assert!(compiled.status.success(), "{name}: {}", String::from_utf8_lossy(&compiled.stderr));
    std::process::Command::new(&out).output().expect("it runs").status.code()
}

/// Programs that read all their inputs from one function, always at the same places, and then may fail.
const READERS: &[(&str, &str)] = &[
    ("sum", "int s = 0, i = 0; while (i < 3) { s += I(); i++; } if (s == 10) reach_error();"),
    ("above", "int x = I(), y = I(); if (x > 100 && x < 103 && y == -x) reach_error();"),
    ("bits", "int x = I(), y = I(); if ((x ^ y) == 90 && (x & 7) == 5) reach_error();"),
    ("element", "int a[4] = {7, 1, 3, 3}; int i = I(); if (i >= 0 && i < 4 && a[i] == 3) reach_error();"),
    ("recursion", "if (twice(I()) == 6) reach_error();"),
    ("wraps", "unsigned x = I(); if (x * 3u == 4294967290u + 1u) reach_error();"),
];

#[test]
fn a_changed_input_is_judged_as_gcc_judges_it() {
    if !common::is_installed("gcc") {
        return;
    }
    let (mut n_right, mut n_wrong) = (0, 0);
    for (name, body) in READERS {
        let text = format!(
            "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n#define I __VERIFIER_nondet_int\n\
             int twice(int n) {{ return n < 1 || n > 9 ? 0 : twice(n - 1) + 2; }}\nint main(void) {{ {} }}\n",
            body.replace("I()", "__VERIFIER_nondet_int()")
        );
        let program = file(&format!("reader_{name}.c"), &text);
        let witness = witness_file(&format!("reader_{name}"));
        let harness = program.with_file_name(format!("reader_{name}_test.c"));
        let harness_name = harness.display().to_string();
        let made = check(&program, &witness, &["--data-model", "LP64", "--harness", &harness_name]);
        assert_eq!(result(&made), "false(unreach-call)", "{name}");
        let harness = std::fs::read_to_string(&harness).expect("there is a test");
        let (before, values) = harness.split_once("values[] = {").expect("one input function");
        let (values, after) = values.split_once('}').expect("one input function");
        let text_of_witness = std::fs::read_to_string(&witness).expect("there is a witness");
        let is_value = |part: &&str| part.trim_end().parse::<i64>().is_ok();
        let numbers: Vec<&str> = values.split(',').map(str::trim).filter(is_value).collect();
        for changed in 0..numbers.len() {
            let other: i64 = numbers[changed].parse::<i64>().expect("a number") + 1;
            // The witness has the inputs in the same order.
            let mut nth = 0;
            let edited: Vec<String> = text_of_witness
                .split_inclusive('\n')
                .map(|line| {
                    if !line.contains("\\result == ") {
                        return line.to_string();
                    }
                    nth += 1;
                    let same = format!("\\result == {}", numbers[nth - 1]);
                    assert!(line.contains(&same), "{name}: {line} is not {same}");
                    if nth - 1 == changed {
                        line.replace(&same, &format!("\\result == {other}"))
                    } else {
                        line.to_string()
                    }
                })
                .collect();
            let changed_witness = witness_file(&format!("reader_{name}_{changed}"));
            std::fs::write(&changed_witness, edited.concat()).expect("written");
            let judged = result(&validate(&program, &changed_witness, &[]));
            let mut inputs: Vec<String> = numbers.iter().map(|n| n.to_string()).collect();
            inputs[changed] = other.to_string();
            let test = format!("{before}values[] = {{ {} }}{after}", inputs.join(", "));
            let is_violation = run_by_gcc(&format!("reader_{name}_{changed}"), &[test, text.clone()]).is_none();
            let wanted = if is_violation { "confirmed" } else { "rejected(" };
            assert!(judged.starts_with(wanted), "{name}, inputs {inputs:?}: {judged}, but gcc says {wanted}");
            if is_violation { n_right += 1 } else { n_wrong += 1 }
        }
    }
    assert!(n_right >= 1 && n_wrong >= 6, "{n_right} stayed right, {n_wrong} became wrong");
}

/// Deterministic programs with one loop, so that one execution tells whether an invariant holds.
const LOOPS: &[(&str, &str)] = &[
    ("thrice", "int i = 0, s = 0; while (i < 10) { i++; s += 3; } if (s != 30) reach_error();"),
    ("two", "int x = 20, y = 0; while (x > 0) { x -= 2; y++; } if (y != 10) reach_error();"),
    ("even", "unsigned n = 0; while (n < 1000) { n += 2; } if (n != 1000) reach_error();"),
];

#[test]
fn a_changed_invariant_is_judged_as_gcc_judges_it() {
    if !common::is_installed("gcc") {
        return;
    }
    let (mut n_right, mut n_wrong) = (0, 0);
    for (name, body) in LOOPS {
        let text = format!("extern void reach_error(void);\nint main(void) {{\n  {body}\n  return 0;\n}}\n");
        let program = file(&format!("loop_{name}.c"), &text);
        let witness = witness_file(&format!("loop_{name}"));
        // An engine whose proofs have invariants.
        let args = ["--data-model", "LP64", "--engine", "taipan"];
        assert_eq!(result(&check(&program, &witness, &args)), "true", "{name}");
        let written = std::fs::read_to_string(&witness).expect("there is a witness");
        let value = written.lines().find_map(|l| l.trim().strip_prefix("value: ")).expect("an invariant");
        let expression = value.trim_matches(|c| c == '"' || c == '\'');
        for (i, changed) in with_a_changed_number(expression).iter().enumerate().take(8) {
            let changed_witness = witness_file(&format!("loop_{name}_{i}"));
            std::fs::write(&changed_witness, written.replace(expression, changed)).expect("written");
            let judged = result(&validate(&program, &changed_witness, &[]));
            let checked = text
                .replace("while (", &format!("while (({{ if (!({changed})) __builtin_abort(); 1; }}) && ("))
                .replacen(") {", ")) {", 2)
                .replacen("main(void)) {", "main(void) {", 1);
            let error = "void reach_error(void) {}\n".to_string();
            let holds = run_by_gcc(&format!("loop_{name}_{i}"), &[checked, error]).is_some();
            let forbidden = if holds { "rejected(" } else { "confirmed" };
            assert!(!judged.starts_with(forbidden), "{name}: {changed}: {judged}, but gcc says holds: {holds}");
            if holds { n_right += 1 } else { n_wrong += 1 }
        }
    }
    assert!(n_right >= 1 && n_wrong >= 3, "{n_right} stayed right, {n_wrong} became wrong");
}

#[test]
fn ways_by_anyone() {
    let program = file("ways.c", SEARCH);
    let waypoint = |kind: &str, action: &str, line: u32, column: u32, constraint: &str| {
        let constraint = if constraint.is_empty() {
            String::new()
        } else {
            format!("        constraint:\n          value: \"{constraint}\"\n")
        };
        format!(
            "    - waypoint:\n        type: {kind}\n        action: {action}\n        location:\n          line: {line}\n          \
             column: {column}\n{constraint}"
        )
    };
    let segment = |waypoints: &[String]| format!("  - segment:\n{}", waypoints.concat());
    let target = segment(&[waypoint("target", "follow", 7, 5, "")]);
    let judged = |name: &str, segments: &[String]| {
        let witness = by_hand(name, &program, &[segments.concat(), target.clone()].concat());
        result(&validate(&program, &witness, &[]))
    };
    assert_eq!(judged("target_only", &[]), "confirmed");
    let branch = |outcome: &str| segment(&[waypoint("branching", "follow", 6, 3, outcome)]);
    assert_eq!(judged("branch", &[branch("true")]), "confirmed");
    assert!(judged("branch_false", &[branch("false")]).starts_with("rejected("));
    let assumed = |action: &str, value: &str| waypoint("assumption", action, 6, 3, value);
    assert_eq!(judged("assumed", &[segment(&[assumed("follow", "x > 40 && y < 50")])]), "confirmed");
    assert!(judged("assumed_not", &[segment(&[assumed("follow", "x > 50")])]).starts_with("rejected("));
    let both = segment(&[assumed("avoid", "x == 42"), waypoint("function_enter", "follow", 5, 33, "")]);
    assert_eq!(judged("entered", &[both]), "confirmed");
    let avoided = [
        segment(&[waypoint("function_enter", "follow", 5, 33, "")]),
        segment(&[assumed("avoid", "x == 42"), assumed("follow", "1")]),
    ];
    assert!(judged("avoided", &avoided).starts_with("rejected("));
}

fn segment(waypoints: &[String]) -> String {
    format!("  - segment:\n{}", waypoints.concat())
}

fn follow(kind: &str, line: u32, column: u32, rest: &str) -> String {
    let rest: String = rest.lines().map(|l| format!("        {l}\n")).collect();
    segment(&[format!(
        "    - waypoint:\n        type: {kind}\n        action: follow\n        location: {{line: {line}, column: {column}}}\n{rest}"
    )])
}

/// Inputs that no search finds: each digit goes into a sum modulo a prime.
#[test]
fn many_inputs_are_executed_not_searched_for() {
    let text = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n  long long s = 0;\n  \
                for (int i = 0; i < 33; i++) {\n    int v = __VERIFIER_nondet_int();\n    if (v < 0 || v > 9) return 0;\n    \
                s = (s * 7 + v) % 1000003;\n  }\n  if (s == WANTED)\n    reach_error();\n  return 0;\n}\n";
    let digits: Vec<i64> = (0..33).map(|i| (i * i + 3 * i + 1) % 10).collect();
    let sum = digits.iter().fold(0, |s, v| (s * 7 + v) % 1_000_003);
    let program = file("many_inputs.c", &text.replace("WANTED", &sum.to_string()));
    let told = |kind: &str, line: u32, column: u32, what: &str| {
        let of = |v: &i64| follow(kind, line, column, &format!("constraint: {{value: '{what} == {v}'}}"));
        let segments: String = digits.iter().map(of).collect();
        by_hand(&format!("many_inputs_{kind}"), &program, &(segments + &follow("target", 11, 5, "")))
    };
    for witness in [told("function_return", 6, 35, "\\result"), told("assumption", 7, 5, "v")] {
        let output = validate(&program, &witness, &[]);
        assert_eq!(result(&output), "confirmed", "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn contracts_of_recursive_functions_are_proofs() {
    let program = file(
        "recursive.c",
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint g;\nint f(int n) {\n  if (n <= 0) return 0;\n  \
         g = g + 1;\n  return f(n - 1) + 1;\n}\nint main(void) {\n  int n = __VERIFIER_nondet_int();\n  \
         if (n > 100 || n < 0) return 0;\n  g = 0;\n  int s = f(n);\n  if (s != n || g != n) reach_error();\n  return 0;\n}\n",
    );
    let judged = |name: &str, requires: &str, ensures: &str| {
        let contract = format!(
            "  - invariant:\n      type: function_contract\n      location: {{line: 4, column: 1}}\n      requires: {requires}\n      \
             ensures: {ensures}\n      format: ext_c_expression\n"
        );
        result(&validate(&program, &by_hand(name, &program, &contract), &[]))
    };
    let range = "0 <= n && n <= 100 && 0 <= g && g <= 100 - n";
    assert_eq!(judged("contract", range, "\\result == \\at(n, Old) && g == \\at(g, Old) + \\at(n, Old)"), "confirmed");
    let wrong = judged("contract_wrong", range, "\\result == \\at(n, Old) && g == \\at(g, Old) + 1");
    assert!(wrong.starts_with("rejected("), "{wrong}");
    let wrong = judged("contract_narrow", "0 < n && n <= 100", "\\result == \\at(n, Old)");
    assert!(wrong.starts_with("rejected("), "{wrong}");
}

#[test]
fn ghost_variables_of_threads() {
    let program = file(
        "ghosts.c",
        "#include <pthread.h>\nextern void reach_error(void);\nint g;\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
         void *f(void *arg) {\n  pthread_mutex_lock(&m);\n  g = 1;\n  g = 0;\n  pthread_mutex_unlock(&m);\n  return 0;\n}\n\
         int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, f, 0);\n  pthread_mutex_lock(&m);\n  if (g != 0) reach_error();\n  \
         pthread_mutex_unlock(&m);\n  pthread_join(t, 0);\n  return 0;\n}\n",
    );
    let judged = |name: &str, unlocked: u32, line: u32, invariant: &str| {
        let update = |line: u32, value: u32| {
            format!(
                "    - location: {{line: {line}, column: 3}}\n      updates: [{{variable: m_locked, value: '{value}'}}]\n"
            )
        };
        let updates = [update(6, 1), update(9, 0), update(15, 1), update(unlocked, 0)].concat();
        let variable = "    - {name: m_locked, scope: global, type: int, initial: {value: '0'}}\n";
        let ghosts = format!("    ghost_variables:\n{variable}    ghost_updates:\n{updates}");
        let invariant = format!(
            "  - invariant:\n      type: location_invariant\n      location: {{line: {line}, column: 3}}\n      value: '{invariant}'\n"
        );
        let witness = witness_file(name);
        let entries = [entry(&program, "ghost_instrumentation", &ghosts), entry(&program, "invariant_set", &invariant)];
        std::fs::write(&witness, entries.concat()).expect("written");
        result(&validate(&program, &witness, &[]))
    };
    assert_eq!(judged("ghosts", 17, 18, "m_locked || g == 0"), "confirmed");
    assert_eq!(judged("ghosts_inside", 17, 16, "m_locked == 1 && g == 0"), "confirmed");
    // The other thread may have the lock.
    assert!(judged("ghosts_wrong", 17, 18, "m_locked == 0").starts_with("rejected("));
    let unsupported = judged("ghosts_elsewhere", 16, 18, "1");
    assert!(unsupported.starts_with("unknown(line 16") && unsupported.contains("library functions"), "{unsupported}");
}

#[test]
fn threads_that_pass_waypoints() {
    let program = file(
        "passing.c",
        "#include <pthread.h>\nextern void reach_error(void);\nint x;\nvoid *f(void *arg) {\n  x = x + 1;\n  return 0;\n}\n\
         void *h(void *arg) {\n  x = 5;\n  return 0;\n}\nint main(void) {\n  pthread_t t, u;\n  pthread_create(&t, 0, f, 0);\n  \
         pthread_create(&u, 0, h, 0);\n  pthread_join(t, 0);\n  pthread_join(u, 0);\n  if (x == 6) reach_error();\n  return 0;\n}\n",
    );
    let judged = |name: &str, way: [(u32, u32, &str); 2]| {
        let of = |(thread, line, assumed): &(u32, u32, &str)| {
            follow("assumption", *line, 3, &format!("thread_id: {thread}\nconstraint: {{value: '{assumed}'}}"))
        };
        let segments: String = way.iter().map(of).collect();
        let witness = by_hand(name, &program, &(segments + &follow("target", 18, 15, "thread_id: 0")));
        result(&validate(&program, &witness, &[]))
    };
    assert_eq!(judged("passing", [(2, 9, "x == 0"), (1, 5, "x == 5")]), "confirmed");
    // One thread cannot do both.
    assert!(judged("passing_one", [(1, 9, "x == 0"), (1, 5, "x == 5")]).starts_with("unknown("));
    assert!(judged("passing_never", [(1, 5, "x == 0"), (2, 9, "x == 1")]).starts_with("rejected("));
}

/// A witness in GraphML: keys and values of the graph, nodes with a key, edges with keys and values.
fn graphml(name: &str, program: &Path, kind: &str, inner: &str) -> PathBuf {
    let data = |key: &str, value: &str| format!("<data key=\"{key}\">{value}</data>");
    let hash = report::sha256::hex(&std::fs::read(program).expect("the program"));
    let head = [
        data("witness-type", kind),
        data("sourcecodelang", "C"),
        data("specification", "CHECK( init(main()), LTL(G ! call(reach_error())) )"),
        data("programfile", &program.display().to_string()),
        data("programhash", &hash),
        data("architecture", "32bit"),
    ];
    let witness = witness_file(name);
    let text = format!(
        "<?xml version='1.0'?>\n<graphml><graph edgedefault='directed'>{}{inner}</graph></graphml>\n",
        head.concat()
    );
    std::fs::write(&witness, text).expect("written");
    witness
}

#[test]
fn the_old_format_is_read_where_possible() {
    let program = file("old_format.c", SEARCH);
    let edge = |from: u32, to: u32, keys: &[(&str, &str)]| {
        let data: String = keys.iter().map(|(k, v)| format!("<data key=\"{k}\">{v}</data>")).collect();
        format!("<edge source='n{from}' target='n{to}'>{data}</edge>")
    };
    let nodes = "<node id='n0'><data key='entry'>true</data></node><node id='n1'/><node id='n2'/><node id='n3'/>\
                 <node id='n4'><data key='violation'>true</data></node>";
    let way = |x: &str, y: &str| {
        let input = |n: u32, line: &str, value: &str| {
            let assumption = format!("\\result == {value};");
            let function = ("assumption.resultfunction", "__VERIFIER_nondet_int");
            edge(n, n + 1, &[("startline", line), ("assumption", &assumption), function])
        };
        let branch = edge(2, 3, &[("startline", "6"), ("control", "condition-true")]);
        let last = edge(3, 4, &[("startline", "7")]);
        [nodes.to_string(), input(0, "4", x), input(1, "5", y), branch, last].concat()
    };
    let judged = |name: &str, inner: &str| {
        result(&validate(&program, &graphml(name, &program, "violation_witness", inner), &[]))
    };
    assert_eq!(judged("old_violation", &way("42", "43")), "confirmed");
    // Its places are not exact enough to reject it.
    assert!(judged("old_violation_wrong", &way("42", "44")).starts_with("unknown("));
    let branching = way("42", "43") + &edge(2, 4, &[("startline", "6")]);
    let output = validate(&program, &graphml("old_branching", &program, "violation_witness", &branching), &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("branches at node n2"));
    let program = file("old_loop.c", LOOP);
    let invariants = |value: &str| {
        let nodes = format!(
            "<node id='n0'><data key='entry'>true</data></node><node id='n1'><data key='invariant'>{value}</data></node>"
        );
        let enter = edge(0, 1, &[("startline", "3"), ("enterLoopHead", "true")]);
        nodes + &enter + &edge(1, 1, &[("startline", "4"), ("control", "condition-true")])
    };
    let judged = |name: &str, value: &str| {
        result(&validate(&program, &graphml(name, &program, "correctness_witness", &invariants(value)), &[]))
    };
    assert_eq!(judged("old_invariant", "s == 3 * i &amp;&amp; i &lt;= 10"), "confirmed");
    assert!(judged("old_invariant_wrong", "s == 4 * i").starts_with("unknown("));
}

#[test]
fn termination() {
    let down = file("down.c", "int main(void) {\n  unsigned n = 7;\n  while (n > 0)\n    n--;\n  return 0;\n}\n");
    let witness = witness_file("down");
    assert_eq!(result(&check(&down, &witness, &["--property", "termination"])), "true");
    assert_eq!(schema::problems(&witness), Vec::<String>::new());
    assert_eq!(result(&validate(&down, &witness, &[])), "confirmed");
    let up = file("up.c", "int main(void) {\n  unsigned n = 7;\n  while (n >= 0)\n    n++;\n  return 0;\n}\n");
    let witness = witness_file("up");
    assert_eq!(result(&check(&up, &witness, &["--property", "termination"])), "false(termination)");
    assert_eq!(schema::problems(&witness), Vec::<String>::new());
    let text = std::fs::read_to_string(&witness).expect("there is a witness");
    assert!(text.contains("cycle"), "{text}");
    assert_eq!(result(&validate(&up, &witness, &[])), "confirmed");
}

#[test]
fn the_same_verdict_gives_the_same_witness() {
    let program = file("again.c", SEARCH);
    let (one, two) = (witness_file("again1"), witness_file("again2"));
    check(&program, &one, &[]);
    check(&program, &two, &[]);
    let read = |p: &Path| std::fs::read_to_string(p).expect("there is a witness");
    assert_eq!(read(&one), read(&two));
}

#[test]
fn bad_witnesses_are_refused_with_a_message() {
    let program = file("refused.c", SEARCH);
    let good = witness_file("refused");
    check(&program, &good, &[]);
    let text = std::fs::read_to_string(&good).expect("there is a witness");
    let refused = |name: &str, text: &str, args: &[&str], wanted: &[&str]| {
        let witness = witness_file(name);
        std::fs::write(&witness, text).expect("written");
        let output = validate(&program, &witness, args);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{message}");
        for part in wanted {
            assert!(message.contains(part), "{name}: no '{part}' in: {message}");
        }
    };
    refused("no_yaml", "{ [", &[], &["no_yaml", "not YAML", "docs/witnesses.md"]);
    refused("empty_list", "[]", &[], &["no entry"]);
    refused("graphml", "<graphml/>", &[], &["no element 'graph'"]);
    refused("no_line", &text.replace("line: 7", "lane: 7"), &[], &["entry 1", "segment", "'line' is missing"]);
    refused(
        "property",
        &text,
        &["--property", "no-overflow"],
        &["unreach-call", "not about no-overflow", "--property"],
    );
    refused(
        "unknown_property",
        &text.replace("G ! call(reach_error())", "nonsense"),
        &["-p", "nonsense"],
        &["nonsense"],
    );
    let hash = text.lines().find(|l| l.trim_start().len() > 64 && l.contains("refused.c:")).expect("a hash");
    let other = hash.rsplit(' ').next().map(|h| hash.replace(h, &"0".repeat(64))).expect("a hash");
    refused("other_hash", &text.replace(hash, &other), &[], &["another program", "SHA-256", "make a new witness"]);
    refused("no_place", &text.replace("line: 4", "line: 400"), &[], &["line 400", "no closing parenthesis"]);
    let missing = validate(&program, Path::new("nowhere.yml"), &[]);
    let message = String::from_utf8_lossy(&missing.stderr).into_owned();
    assert_eq!(missing.status.code(), Some(2));
    assert!(message.contains("nowhere.yml") && message.contains("check the path"), "{message}");
    let missing = validate(Path::new("nowhere.c"), &good, &[]);
    let message = String::from_utf8_lossy(&missing.stderr).into_owned();
    assert!(message.contains("nowhere.c") && message.contains("check the path"), "{message}");
}

#[test]
fn no_witness_without_a_verdict() {
    let program = file("no_witness.bpl", "procedure main() { assert true; }\n");
    let witness = witness_file("no_witness");
    let output = check(&program, &witness, &[]);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0));
    assert!(message.contains("witnesses speak about C programs"), "{message}");
    assert!(!witness.exists());
    let missing = check(Path::new("nowhere.c"), &witness, &[]);
    assert_eq!(missing.status.code(), Some(2));
}
