//! The formats for other programs, read back: SARIF, JUnit, GitHub annotations, JSON of several files; and the runs
//! over several files they come from.

mod common;

use common::{craig, file, stdout};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Output;

const SAFE: &str = "procedure main() {\n  var x: int;\n  x := 1;\n  assert x == 1;\n}\n";
const UNSAFE: &str = "procedure main() {\n  var x: int;\n  havoc x;\n  assume x > 3;\n  assert x != 7; // <&>\n}\n";
const BROKEN: &str = "procedure main() {\n  x := ;\n}\n";
const RECURSIVE: &str = "procedure f(n: int) returns (r: int) {\n  if (n <= 0) { r := 0; } else { call r := f(n - 1); }\n}\nprocedure main() {\n  var a, b: int;\n  call b := f(a);\n  assert b >= 0;\n}\n";

/// A folder of its own for a test, with these files.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    for (file, text) in files {
        let path = folder.join(file);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder for the test");
        std::fs::write(path, text).expect("written");
    }
    folder
}

fn check_in(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = craig();
    command.current_dir(folder).env("CRAIG_CACHE_DIR", folder.join(".cache")).arg("check");
    command.args(arguments).output().expect("craig runs")
}

fn all_kinds(name: &str) -> PathBuf {
    folder(name, &[("a safe.bpl", SAFE), ("b.bpl", UNSAFE), ("c.bpl", BROKEN), ("d.bpl", RECURSIVE)])
}

#[test]
fn sarif_has_the_required_parts() {
    let folder = all_kinds("sarif");
    let output = check_in(&folder, &["--engine", "bmc", "--format", "sarif", "."]);
    assert_eq!(output.status.code(), Some(1));
    let log: Value = serde_json::from_str(&stdout(&output)).expect("the output is the document alone");
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let driver = &run["tool"]["driver"];
    assert_eq!(driver["name"], "craig");
    let rules = driver["rules"].as_array().expect("rules");
    let results = run["results"].as_array().expect("results");
    // One for each file, then one for each check that is not the violation: a.bpl's holds, d.bpl's is open.
    let kinds: Vec<&str> = results.iter().filter_map(|r| r["kind"].as_str()).collect();
    assert_eq!(kinds, ["pass", "fail", "open", "pass", "open"]);
    for result in results {
        // 3.27: a result has a message, its rule is the one at ruleIndex, kinds and levels are of the standard.
        assert!(result["message"]["text"].as_str().is_some_and(|t| !t.is_empty()));
        let index = result["ruleIndex"].as_u64().expect("an index") as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
        let (kind, level) = (result["kind"].as_str().expect("a kind"), result["level"].as_str().expect("a level"));
        assert!(matches!((kind, level), ("fail", "error") | ("pass", "none") | ("open", "none")), "{kind} {level}");
        for location in result["locations"].as_array().expect("locations") {
            check_location(location);
        }
    }
    let failed = results.iter().find(|r| r["kind"] == "fail").expect("a violation");
    assert_eq!(failed["locations"][0]["physicalLocation"]["region"]["startLine"], 5);
    // 3.36, 3.37, 3.38: code flow, thread flow, its locations in order.
    let steps = failed["codeFlows"][0]["threadFlows"][0]["locations"].as_array().expect("the execution");
    assert!(!steps.is_empty());
    for (i, step) in steps.iter().enumerate() {
        assert_eq!(step["executionOrder"], i as u64 + 1);
        assert!(step["location"]["message"]["text"].is_string());
        check_location(&step["location"]);
    }
    assert!(steps.iter().any(|s| s["state"]["x"]["text"] == "7"));
    // 3.20.21: what went wrong while running; 3.20.14: then the run was no success.
    let invocation = &run["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    assert!(invocation["toolExecutionNotifications"][0]["message"]["text"].is_string());
    let uris: Vec<&str> =
        run["artifacts"].as_array().expect("artifacts").iter().filter_map(|a| a["location"]["uri"].as_str()).collect();
    assert!(uris.contains(&"a%20safe.bpl"), "{uris:?}");
}

fn check_location(location: &Value) {
    let place = &location["physicalLocation"];
    let uri = place["artifactLocation"]["uri"].as_str().expect("a URI");
    assert!(!uri.contains([' ', '<', '>', '"']), "{uri}");
    if let Some(region) = place.get("region") {
        let part = |name: &str| region[name].as_u64().expect("a number");
        assert!(part("startLine") >= 1 && part("startColumn") >= 1);
        assert!((part("endLine"), part("endColumn")) >= (part("startLine"), part("startColumn")));
    }
}

/// The elements of a document with their attributes, if it is well formed; enough XML for what we write.
fn elements(xml: &str) -> Vec<(String, Vec<(String, String)>)> {
    let mut found = Vec::new();
    let mut open: Vec<String> = Vec::new();
    let mut rest = xml;
    while let Some(start) = rest.find('<') {
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        assert!(!rest[..start].contains('>'), "a bare > in text");
        rest = &rest[end + 1..];
        if tag.starts_with('?') {
            continue;
        }
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "tags are nested");
            continue;
        }
        let (body, closed) = match tag.strip_suffix('/') {
            Some(body) => (body, true),
            None => (tag, false),
        };
        let (name, mut attributes) = body.split_once(' ').unwrap_or((body, ""));
        let mut list = Vec::new();
        while let Some((key, after)) = attributes.split_once("=\"") {
            let (value, next) = after.split_once('"').expect("a quote ends");
            list.push((key.trim().to_string(), value.to_string()));
            attributes = next;
        }
        if !closed {
            open.push(name.to_string());
        }
        found.push((name.to_string(), list));
    }
    assert!(open.is_empty(), "all tags are closed");
    found
}

#[test]
fn junit_is_well_formed_and_counts() {
    let folder = all_kinds("junit");
    let output = check_in(&folder, &["--engine", "bmc", "--format", "junit", "a safe.bpl", "b.bpl", "c.bpl", "d.bpl"]);
    let found = elements(&stdout(&output));
    let count = |name: &str| found.iter().filter(|(n, _)| n == name).count();
    assert_eq!((count("testcase"), count("failure"), count("error")), (4, 1, 2));
    let (_, attributes) = found.iter().find(|(n, _)| n == "testsuites").expect("a root");
    let value = |name: &str| attributes.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str());
    assert_eq!((value("tests"), value("failures"), value("errors")), (Some("4"), Some("1"), Some("2")));
}

#[test]
fn github_annotations() {
    let folder = all_kinds("github");
    let output = check_in(&folder, &["--engine", "bmc", "--format", "github", "."]);
    let text = stdout(&output);
    let line = |start: &str| text.lines().find(|l| l.starts_with(start)).unwrap_or_else(|| panic!("{start}:\n{text}"));
    let error = line("::error file=b.bpl,line=5,col=3,");
    let message = error.rsplit("::").next().expect("a message");
    assert!(message.contains("does not hold") && message.contains("%0A") && message.contains("x = 7"), "{error}");
    line("::error file=c.bpl,line=2,");
    line("::warning file=d.bpl,");
    assert!(text.ends_with(")\n") && text.contains("\nRESULT: false(unreach-call)\n"));
}

#[test]
fn several_files_as_json() {
    let folder = all_kinds("several_json");
    let output = check_in(&folder, &["--engine", "bmc", "--format", "json", "."]);
    let text = stdout(&output);
    assert!(String::from_utf8_lossy(&output.stderr).lines().any(|l| l == "RESULT: false(unreach-call)"));
    let document: Value = serde_json::from_str(&text).expect("standard output is one JSON document");
    assert_eq!(document["version"], 1);
    let results: Vec<&str> =
        document["results"].as_array().expect("a list").iter().filter_map(|r| r["result"].as_str()).collect();
    assert_eq!(results[..3], ["true", "false(unreach-call)", "error"]);
    assert!(results[3].starts_with("unknown("), "{results:?}");
    assert_eq!(document["summary"]["files"], 4);
    assert_eq!(document["results"][2]["problems"][0]["range"]["line"], 2);
}

#[test]
fn unchanged_files_are_not_checked_again() {
    let c = "#include \"limit.h\"\nextern void reach_error(void);\nint main(void) {\n  int x = LIMIT;\n  if (x > 5) reach_error();\n  return 0;\n}\n";
    let folder = folder("cache", &[("a.bpl", SAFE), ("sub/b.c", c), ("sub/limit.h", "#define LIMIT 3\n")]);
    let run = |arguments: &[&str]| {
        let output = check_in(&folder, &[&["--format", "json", "."], arguments].concat());
        let text = stdout(&output);
        let document: Value = serde_json::from_str(&text).expect("JSON");
        let results = document["results"].as_array().expect("a list");
        let answers: Vec<String> = results.iter().map(|r| r["result"].as_str().unwrap_or("").to_string()).collect();
        (answers, document["summary"]["cached"].as_u64())
    };
    let both = |a: &str, b: &str| vec![a.to_string(), b.to_string()];
    assert_eq!(run(&[]), (both("true", "true"), Some(0)));
    assert_eq!(run(&[]), (both("true", "true"), Some(2)));
    // Other options, other answers.
    assert_eq!(run(&["--engine", "bmc"]).1, Some(0));
    assert_eq!(run(&["--no-cache"]).1, Some(0));
    // A changed header changes the program.
    std::fs::write(folder.join("sub/limit.h"), "#define LIMIT 9\n").expect("written");
    assert_eq!(run(&[]), (both("true", "false(unreach-call)"), Some(1)));
    std::fs::write(folder.join("a.bpl"), UNSAFE).expect("written");
    assert_eq!(run(&[]), (both("false(unreach-call)", "false(unreach-call)"), Some(1)));
}

/// The answer of one program in the place of another's.
#[test]
fn exchanged_entries_of_the_cache_are_not_used() {
    let folder = folder("cache_exchange", &[("a.bpl", SAFE), ("b.bpl", UNSAFE)]);
    let cache = folder.join("entries");
    let run = || {
        let mut command = craig();
        command.current_dir(&folder).env("CRAIG_CACHE_DIR", &cache);
        stdout(&command.args(["check", "--format", "json", "a.bpl", "b.bpl"]).output().expect("craig runs"))
    };
    let answers = |text: &str| {
        let document: Value = serde_json::from_str(text).expect("JSON");
        let result = |i: usize| document["results"][i]["result"].as_str().unwrap_or("").to_string();
        (result(0), result(1), document["summary"]["cached"].as_u64())
    };
    let expected = |n| ("true".to_string(), "false(unreach-call)".to_string(), Some(n));
    assert_eq!(answers(&run()), expected(0));
    assert_eq!(answers(&run()), expected(2));
    // Entries lie in folders named by the first digits of their keys, so two of them may share one.
    let inside = |folder: &Path| std::fs::read_dir(folder).expect("a folder").flatten().map(|e| e.path());
    let mut entries: Vec<PathBuf> = inside(&cache).flat_map(|shard| inside(&shard)).collect();
    entries.sort();
    let [a, b] = &entries[..] else { panic!("{entries:?}") };
    let draft = cache.join("draft");
    for (from, to) in [(a, &draft), (b, a), (&draft, b)] {
        std::fs::rename(from, to).expect("renamed");
    }
    assert_eq!(answers(&run()), expected(0));
}

#[test]
fn a_compilation_database() {
    let c = "#include \"limit.h\"\nextern void reach_error(void);\nint main(void) {\n  int x = LIMIT + EXTRA;\n  if (x > 5) reach_error();\n  return 0;\n}\n";
    let folder = folder("database", &[("src/a.c", c), ("src/b.c", c), ("inc/limit.h", "#define LIMIT 3\n")]);
    let entry = |file: &str, words: &str| {
        format!("{{\"directory\": \"{}\", \"file\": \"{file}\", {words}}}", folder.join("src").display())
    };
    let a = entry("a.c", r#""command": "cc -I../inc -DEXTRA=1 -c a.c""#);
    let b = entry("b.c", r#""arguments": ["cc", "-I", "../inc", "-D", "EXTRA=9", "-c", "b.c"]"#);
    let cpp = entry("x.cpp", r#""command": "c++ -c x.cpp""#);
    std::fs::write(folder.join("compile_commands.json"), format!("[{a}, {b}, {cpp}]")).expect("written");
    let output = check_in(&folder, &["compile_commands.json"]);
    let text = stdout(&output);
    let results: Vec<&str> = text.lines().filter(|l| l.starts_with("RESULT: ")).collect();
    assert_eq!(results, ["RESULT: true", "RESULT: false(unreach-call)"], "{text}");
    std::fs::write(folder.join("compile_commands.json"), "{}").expect("written");
    let output = check_in(&folder, &["compile_commands.json"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("not a list of compile commands"));
}

#[test]
fn messages_say_what_where_and_what_next() {
    let folder = folder("messages", &[("a.bpl", SAFE), ("empty/readme.txt", ""), ("p.prp", "CHECK( nonsense )\n")]);
    let fails = |arguments: &[&str], parts: &[&str]| {
        let output = check_in(&folder, arguments);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        for part in parts {
            assert!(message.contains(part), "{arguments:?}: no '{part}' in: {message}");
        }
    };
    fails(&["missing.c"], &["cannot read missing.c", "check the path"]);
    fails(&["empty"], &["empty", "no .c, .i or .bpl file"]);
    fails(&["a.bpl", "--property", "beauty"], &["unknown property 'beauty'", "use unreach-call"]);
    fails(&["a.bpl", "--property", "p.prp"], &["p.prp", "there is no property", "is expected"]);
    fails(&["a.bpl", "--property", "gone.prp"], &["gone.prp", "check the path"]);
    fails(&["a.bpl", "--report", "no/such/folder/x.html"], &["cannot write", "--report"]);
    fails(&["a.bpl", "a.bpl", "--report", "x.html"], &["--report is for one file"]);
    fails(&["a.bpl", "--memory", "lots"], &["lots", "4GB"]);
}

#[test]
fn too_little_memory_and_unsupported_c_are_unknown_with_a_reason() {
    let heavy = file("memory.bpl", RECURSIVE);
    let arguments = ["check", "--memory", "1MB", "--engine", "trace-abstraction"];
    let output = craig().args(arguments).arg(&heavy).output().expect("craig runs");
    assert_eq!(output.status.code(), Some(3));
    let text = stdout(&output);
    assert!(text.ends_with("RESULT: unknown(out of memory)\n"), "{text}");
    assert!(text.contains("--memory"), "what to do next: {text}");
    let jump = "#include <setjmp.h>\njmp_buf place;\nint main(void) {\n  return setjmp(place);\n}\n";
    let output = craig().arg("check").arg(file("jump.c", jump)).output().expect("craig runs");
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.contains("jump.c:4:10: not modelled: ") && text.contains("RESULT: unknown(unsupported: "), "{text}");
}

#[test]
fn completions_and_manual_page_know_every_option() {
    for shell in ["bash", "zsh", "fish"] {
        let text = stdout(&craig().args(["completions", shell]).output().expect("craig runs"));
        for word in ["check", "bench", "paranoid", "data-model"] {
            assert!(text.contains(word), "{shell}: {word}");
        }
    }
    let page = stdout(&craig().arg("man").output().expect("craig runs"));
    assert!(page.contains(".TH"));
    for word in ["CRAIG CHECK", "CRAIG BENCH", "paranoid", "timeout"] {
        assert!(page.contains(word), "{word}");
    }
}

#[test]
fn a_benchmark_run_and_a_comparison() {
    let task = |file: &str, verdict: &str| {
        format!(
            "format_version: '2.0'\ninput_files: '{file}'\nproperties:\n  - property_file: p.prp\n    expected_verdict: {verdict}\noptions:\n  language: C\n  data_model: ILP32\n"
        )
    };
    let folder = folder(
        "bench",
        &[
            ("a.bpl", SAFE),
            ("b.bpl", UNSAFE),
            ("a.yml", &task("a.bpl", "true")),
            ("b.yml", &task("b.bpl", "false")),
            ("wrong/c.bpl", SAFE),
            ("wrong/c.yml", &task("c.bpl", "false").replace("p.prp", "../p.prp")),
            ("p.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"),
        ],
    );
    let bench = |arguments: &[&str]| craig().current_dir(&folder).arg("bench").args(arguments).output().expect("runs");
    let output = bench(&["a.yml", "b.yml", "--output", "old.json", "--plot", "plot.svg"]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    let last: Vec<&str> = text.lines().last().expect("a table").split_whitespace().collect();
    assert_eq!(last[..8], ["all", "2", "1", "1", "0", "0", "0", "3"], "{text}");
    assert!(std::fs::read_to_string(folder.join("plot.svg")).is_ok_and(|s| s.contains("(2 solved)")));
    // A wrong label costs 32 points and the exit status says so.
    let output = bench(&[".", "--output", "new.json"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).lines().last().is_some_and(|l| l.contains("-29")), "{}", stdout(&output));
    let output = bench(&["--compare", "old.json", "new.json"]);
    let text = stdout(&output);
    assert!(text.contains("only new") && text.contains("seconds on 2 common"), "{text}");
    assert_eq!(output.status.code(), Some(1), "the new run has a wrong answer");
    assert_eq!(bench(&["missing.yml"]).status.code(), Some(2));
    assert_eq!(bench(&[]).status.code(), Some(2));
}
