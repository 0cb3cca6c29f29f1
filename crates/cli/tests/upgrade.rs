//! `craig upgrade` and `--baseline`: verdicts of pairs of versions, what is said about the change, and stores that were
//! damaged.
//!
//! Every folder of `tests/programs/upgrade` has an old and a new version with their expected verdicts in their heads;
//! `state` says what is said of the violation. (That the verdicts are right without an old version is tested by
//! `programs.rs`.)

mod common;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// An empty folder of this test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("upgrade").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn craig(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_craig"));
    command.current_dir(folder).args(words).env("CRAIG_CACHE_DIR", folder.join(".cache"));
    command.output().expect("craig runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn json(output: &Output) -> Value {
    let text = stdout(output);
    let mut documents = serde_json::Deserializer::from_str(&text).into_iter::<Value>();
    match documents.next() {
        Some(Ok(value)) => value,
        _ => panic!("no document: {text}\n{}", String::from_utf8_lossy(&output.stderr)),
    }
}

/// The value of a key in the head of a program.
fn head(program: &Path, key: &str) -> Option<String> {
    let text = std::fs::read_to_string(program).expect("a program");
    let lines = text.lines().take_while(|l| l.starts_with("//"));
    let mut found = lines.filter_map(|l| l.trim_start_matches("//").trim().strip_prefix(&format!("{key}:")));
    found.next().map(|v| v.trim().to_string())
}

#[test]
fn pairs_of_versions() {
    let pairs = root().join("tests/programs/upgrade");
    let mut folders: Vec<PathBuf> = std::fs::read_dir(&pairs).expect("pairs").flatten().map(|e| e.path()).collect();
    folders.sort();
    assert!(folders.len() >= 18, "{}", folders.len());
    for folder in folders {
        let (old, new) = (folder.join("old.c"), folder.join("new.c"));
        let property = head(&new, "property").unwrap_or("unreach-call".to_string());
        let (old, new) = (old.display().to_string(), new.display().to_string());
        let words =
            ["upgrade", "--jobs", "1", "--timeout", "60s", "--format", "json", "--property", &property, &old, &new];
        let output = craig(&folder, &words);
        let found = json(&output);
        let expected = head(Path::new(&new), "expect").expect("an expectation");
        let result = found["result"].as_str().unwrap_or_default();
        assert!(result.starts_with(&expected), "{new}: {result}, expected {expected}");
        let status = if expected == "true" { 0 } else { 1 };
        assert_eq!(output.status.code(), Some(status), "{new}");
        let old_result = found["upgrade"]["old"]["result"].as_str().unwrap_or_default();
        let old_expected = head(Path::new(&old), "expect").expect("an expectation");
        assert!(old_result.starts_with(&old_expected), "{old}: {old_result}, expected {old_expected}");
        let state = head(Path::new(&new), "state").map(|s| s.replace(' ', "-"));
        let told = found["upgrade"]["violations"][0]["state"].as_str().map(str::to_string);
        assert_eq!(told, state, "{new}: {found:#}");
    }
}

const LOOP: &str = "extern void reach_error(void);
extern int input(void);
int twice(int n) {
  int s = 0;
  for (int i = 0; i < n; i++) s += 2;
  return s;
}
int main(void) {
  int n = input();
  if (n < 0 || n > 1000) return 0;
  if (twice(n) != 2 * n) reach_error();
  return 0;
}
";

/// The same with other names, an added function, and another layout.
fn renamed() -> String {
    let text =
        LOOP.replace("int s = 0", "int sum = 0").replace("s += 2", "sum += 2").replace("return s;", "return sum;");
    let text = text.replace("twice", "doubled").replace("  int n = input", "\n\n  int n = input");
    format!("{text}int unused(void) {{ return 3; }}\n")
}

const CALLS: &str = "extern void reach_error(void);
extern int input(void);
int total;
int clamp(int x) { if (x < 0) return 0; if (x > 100) return 100; return x; }
void add(int x) { int y = clamp(x); if (y < 0) reach_error(); total = total + y; }
int twice(int n) {
  int s = 0;
  for (int i = 0; i < n; i++) s += 2;
  return s;
}
int main(void) {
  int k = input();
  if (k < 0 || k > 1000) return 0;
  for (int i = 0; i < k; i++) add(input());
  if (total < 0) reach_error();
  int n = clamp(input());
  if (twice(n) != 2 * n) reach_error();
  return 0;
}
";

/// A proof with its calls inlined gives contracts; they are stored, and validated for the next version.
#[test]
fn contracts_are_stored_and_reused() {
    let folder = folder("contracts");
    let old = CALLS.to_string();
    // A new function calls the callee as well: it gets its contract by interpolation.
    let check = "if (total < 0) reach_error();";
    let new = old.replace("int main", "int more(int m) { return twice(clamp(m)); }\nint main");
    let new = new.replace(check, &format!("{check}\n  if (more(input()) < 0) reach_error();"));
    // The contract of the callee is wrong now, and so is the program.
    let broken = new.replace("s += 2", "s += 3");
    // That of another one is wrong, but nobody needs that.
    let harmless = new.replace("x > 100) return 100", "x > 100) return 99");
    for (name, text) in [("old.c", &old), ("new.c", &new), ("broken.c", &broken), ("harmless.c", &harmless)] {
        std::fs::write(folder.join(name), text).expect("written");
    }
    let words = ["check", "--jobs", "1", "--baseline", "known", "--update-baseline", "old.c"];
    assert_eq!(craig(&folder, &words).status.code(), Some(0));
    let mut documents = std::fs::read_dir(folder.join("known")).expect("a store").flatten();
    let text = std::fs::read_to_string(documents.next().expect("a document").path()).expect("a text");
    let known: Value = serde_json::from_str(&text).expect("JSON");
    let contracts = known["modular"]["contracts"].as_array().expect("contracts");
    let promises = |name: &str| {
        let at = known["functions"].as_array().and_then(|l| l.iter().position(|f| f["name"] == name));
        let own = contracts.iter().find(|c| c["function"].as_u64() == at.map(|n| n as u64));
        own.and_then(|c| c["ensures"].as_array()).map_or(0, Vec::len)
    };
    assert!(promises("twice") > 0 && promises("clamp") > 0, "{contracts:#?}");
    for (name, expected) in [("new.c", "true"), ("harmless.c", "true"), ("broken.c", "false(unreach-call)")] {
        let words = ["upgrade", "--jobs", "1", "--baseline", "known", "--format", "json", "old.c", name];
        let found = json(&craig(&folder, &words));
        assert_eq!(found["result"], expected, "{name}");
        if expected == "true" {
            assert_eq!(found["engine"], "reuse", "{name}: {found:#}");
        }
    }
}

/// The contracts that `whale` finds are facts as well: that of a function that changed is repaired.
#[test]
fn contracts_of_whale_are_repaired() {
    let folder = folder("whale");
    let old = "extern void reach_error(void);
extern int input(void);
int part(int x) { return x / 3; }
int main(void) {
  int a = input();
  if (part(a) > a && a >= 0) reach_error();
  return 0;
}
";
    std::fs::write(folder.join("old.c"), old).expect("written");
    std::fs::write(folder.join("new.c"), old.replace("x / 3", "x / 4")).expect("written");
    std::fs::write(folder.join("wrong.c"), old.replace("x / 3", "x / 4 + 1")).expect("written");
    let upgrade = |new: &str| {
        json(&craig(&folder, &["upgrade", "--engine", "whale", "--jobs", "1", "--format", "json", "old.c", new]))
    };
    let found = upgrade("new.c");
    assert_eq!((&found["result"], &found["engine"]), (&Value::from("true"), &Value::from("reuse")), "{found:#}");
    let facts = &found["upgrade"]["facts"];
    assert!(facts["repaired"].as_u64() > Some(0), "{facts:#}");
    assert_eq!(upgrade("wrong.c")["result"], "false(unreach-call)");
}

#[test]
fn renaming_and_layout_cost_no_proof() {
    let folder = folder("renaming");
    std::fs::write(folder.join("old.c"), LOOP).expect("written");
    std::fs::write(folder.join("new.c"), renamed()).expect("written");
    let found = json(&craig(&folder, &["upgrade", "--jobs", "1", "--format", "json", "old.c", "new.c"]));
    assert_eq!(found["result"], "true");
    assert_eq!(found["engine"], "reuse", "{found:#}");
    let upgrade = &found["upgrade"];
    assert_eq!(upgrade["facts"]["offered"], upgrade["facts"]["kept"]);
    assert!(upgrade.get("proved_again").is_none());
    let changes: Vec<(&str, &str)> = upgrade["functions"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|f| (f["name"].as_str().unwrap_or_default(), f["change"].as_str().unwrap_or_default()))
        .collect();
    assert!(changes.contains(&("doubled", "renamed")), "{changes:?}");
}

#[test]
fn a_baseline_is_deterministic_and_used() {
    let folder = folder("baseline");
    std::fs::write(folder.join("a.c"), LOOP).expect("written");
    let update = ["check", "--jobs", "1", "--baseline", "known", "--update-baseline", "a.c"];
    let names = || {
        let mut names: Vec<_> =
            std::fs::read_dir(folder.join("known")).expect("a store").flatten().map(|e| e.file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(craig(&folder, &update).status.code(), Some(0));
    let first = names();
    assert_eq!(first.len(), 1);
    std::fs::write(folder.join("a.c"), LOOP.replace("int i = 0; i < n; i++", "int k = 0; k < n; k++"))
        .expect("written");
    let found = json(&craig(&folder, &["check", "--jobs", "1", "--baseline", "known", "--format", "json", "a.c"]));
    assert_eq!((&found["result"], &found["engine"]), (&"true".into(), &"reuse".into()), "{found:#}");
    // Another file with the same functions: it was renamed.
    std::fs::rename(folder.join("a.c"), folder.join("b.c")).expect("renamed");
    let output = craig(&folder, &["check", "--jobs", "1", "--baseline", "known", "b.c"]);
    assert!(stdout(&output).contains("a.c is most like it"), "{}", stdout(&output));
    assert!(stdout(&output).contains("(engine reuse)"), "{}", stdout(&output));
}

#[test]
fn a_damaged_baseline_costs_time_and_is_told() {
    let folder = folder("damaged");
    std::fs::write(folder.join("a.c"), LOOP).expect("written");
    let store = folder.join("known");
    let document = || {
        let _ = std::fs::remove_dir_all(&store);
        let update = ["check", "--jobs", "1", "--baseline", "known", "--update-baseline", "a.c"];
        assert_eq!(craig(&folder, &update).status.code(), Some(0));
        let path = std::fs::read_dir(&store).expect("a store").flatten().next().expect("a document").path();
        (path.clone(), std::fs::read_to_string(path).expect("a document"))
    };
    let check = |more: &[&str]| {
        let words = [&["check", "--jobs", "1", "--baseline", "known"], more, &["a.c"]].concat();
        let output = craig(&folder, &words);
        (output.status.code(), stdout(&output))
    };
    let (path, text) = document();
    for (damaged, remark) in [
        (text[..text.len() / 3].to_string(), "cannot be read"),
        (text.replace("\"result\": \"true\"", "\"result\": \"false(unreach-call)\""), "not as craig wrote it"),
        (text.replace("\"version\": 1", "\"version\": 7"), "another format or version"),
        (String::new(), "cannot be read"),
    ] {
        std::fs::write(&path, damaged).expect("written");
        let (status, text) = check(&[]);
        assert_eq!(status, Some(0), "{text}");
        assert!(text.contains(remark), "{remark}: {text}");
        assert!(text.ends_with("RESULT: true\n"), "{text}");
    }
    // A liar who knows the format: facts that do not hold, with the right name.
    let lie = |change: &dyn Fn(&str) -> String| {
        let (path, text) = document();
        let lie = change(&text);
        assert_ne!(lie, text);
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let key = name.rsplit_once('-').expect("a key").0;
        std::fs::remove_file(&path).expect("removed");
        let lying = store.join(format!("{key}-{}.json", &report::sha256::hex(lie.as_bytes())[..16]));
        std::fs::write(lying, lie).expect("written");
    };
    let wrong = LOOP.replace("s += 2", "s += 3");
    let lies: [&dyn Fn(&str) -> String; 4] = [
        &|t| t.replace("$v0", "$v1"),
        &|t| t.replace("$v", "$v9"),
        &|t| t.replace("\"line\": ", "\"line\": 100"),
        &|t| t.replace("\"conjuncts\": [", "\"conjuncts\": [\"false\", \"(= 1 2\", \"(= $v0 $g0)\", "),
    ];
    for change in lies {
        lie(change);
        let (status, text) = check(&[]);
        assert_eq!(status, Some(0), "{text}");
        assert!(text.ends_with("RESULT: true\n"), "{text}");
        // And no lie makes a wrong program right.
        std::fs::write(folder.join("a.c"), &wrong).expect("written");
        let (status, text) = check(&[]);
        assert_eq!(status, Some(1), "{text}");
        std::fs::write(folder.join("a.c"), LOOP).expect("written");
    }
    // Another data model.
    let _ = document();
    let (status, text) = check(&["--data-model", "ILP32"]);
    assert_eq!(status, Some(0));
    assert!(text.contains("not for ILP32"), "{text}");
}

#[test]
fn only_new_violations_fail_if_asked_so() {
    let folder = folder("fail-on");
    let bad = LOOP.replace("s += 2", "s += 3");
    std::fs::write(folder.join("old.c"), &bad).expect("written");
    std::fs::write(folder.join("new.c"), bad.replace("int s = 0", "int total = 0, s = 0")).expect("written");
    let words = ["upgrade", "--jobs", "1", "--fail-on", "new", "old.c", "new.c"];
    let output = craig(&folder, &words);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    assert!(stdout(&output).ends_with("RESULT: false(unreach-call)\n"));
    assert!(String::from_utf8_lossy(&output.stderr).contains("old version has this violation too"));
    let github = [&words[..], &["--format", "github"]].concat();
    assert!(!stdout(&craig(&folder, &github)).contains("::error"));
    let sarif = craig(&folder, &["upgrade", "--jobs", "1", "--format", "sarif", "old.c", "new.c"]);
    assert_eq!(json(&sarif)["runs"][0]["results"][0]["baselineState"], "unchanged");
    std::fs::write(folder.join("old.c"), LOOP).expect("written");
    let output = craig(&folder, &words);
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
    assert!(stdout(&output).contains(": new\n"), "{}", stdout(&output));
}

#[test]
fn the_old_version_comes_from_git_with_its_headers() {
    let folder = folder("git");
    let git = |words: &[&str]| {
        let mut command = Command::new("git");
        command.current_dir(&folder).args(["-c", "user.name=t", "-c", "user.email=t@t"]).args(words);
        assert!(command.output().expect("git runs").status.success(), "{words:?}");
    };
    std::fs::create_dir(folder.join("inc")).expect("a folder");
    std::fs::write(folder.join("inc/step.h"), "#define STEP 2\n").expect("written");
    let program = format!("#include \"step.h\"\n{}", LOOP.replace("s += 2", "s += STEP"));
    std::fs::write(folder.join("a.c"), &program).expect("written");
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "first"]);
    // Only the header changes.
    std::fs::write(folder.join("inc/step.h"), "#define STEP 3\n").expect("written");
    let words = ["upgrade", "--jobs", "1", "--since", "HEAD", "-I", "inc", "--format", "json", "a.c"];
    let output = craig(&folder, &words);
    let found = json(&output);
    assert_eq!(found["result"], "false(unreach-call)", "{found:#}");
    assert_eq!(found["upgrade"]["old"]["result"], "true");
    assert_eq!(found["upgrade"]["violations"][0]["state"], "new");
    // A revision and a repository that are not there.
    let output = craig(&folder, &["upgrade", "--since", "nowhere", "a.c"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no revision 'nowhere'"));
    // A file that is younger.
    std::fs::write(folder.join("b.c"), LOOP).expect("written");
    let output = craig(&folder, &["upgrade", "--jobs", "1", "--since", "HEAD", "b.c"]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    assert!(stdout(&output).contains("is not there at HEAD"), "{}", stdout(&output));
}

#[test]
fn folders_and_bad_input() {
    let folder = folder("folders");
    for version in ["old", "new"] {
        std::fs::create_dir(folder.join(version)).expect("a folder");
        std::fs::write(folder.join(version).join("a.c"), LOOP).expect("written");
    }
    std::fs::write(folder.join("new/b.c"), LOOP).expect("written");
    let output = craig(&folder, &["upgrade", "--jobs", "1", "--format", "json", "old", "new"]);
    let found = json(&output);
    assert_eq!(output.status.code(), Some(0), "{found:#}");
    assert_eq!(found["results"].as_array().map(Vec::len), Some(2));
    assert_eq!(found["results"][0]["engine"], "reuse");
    for words in [&["upgrade", "old/a.c"][..], &["upgrade", "old", "new/a.c"], &["upgrade", "x.c", "new/a.c"]] {
        let output = craig(&folder, words);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(!output.stderr.is_empty());
    }
    let output = craig(&folder, &["check", "--update-baseline", "new/a.c"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn termination_proofs_are_reused() {
    let folder = folder("liveness");
    let ends = "extern int input(void);
int main(void) {
  int x = input(), y = input();
  while (x > 0 && y > 0) {
    if (input()) { x--; y = 100; } else y--;
  }
  return 0;
}
";
    std::fs::write(folder.join("old.c"), ends).expect("written");
    let renamed =
        ends.replace("x--; y = 100;", "x--; y = 100; ;").replace("int x = input(), y", "int x = input();\n  int y");
    std::fs::write(folder.join("new.c"), renamed).expect("written");
    let words = ["upgrade", "--jobs", "1", "--property", "termination", "--format", "json", "old.c", "new.c"];
    let found = json(&craig(&folder, &words));
    assert_eq!((&found["result"], &found["engine"]), (&"true".into(), &"reuse".into()), "{found:#}");
    let never = ends.replace("else y--", "else y = 1");
    std::fs::write(folder.join("new.c"), &never).expect("written");
    let found = json(&craig(&folder, &words));
    assert_eq!(found["result"], "false(termination)", "{found:#}");
}

/// The page has both versions.
#[test]
fn the_page_shows_both_versions() {
    let folder = folder("page");
    std::fs::write(folder.join("old.c"), LOOP).expect("written");
    std::fs::write(folder.join("new.c"), renamed()).expect("written");
    let output = craig(&folder, &["upgrade", "--jobs", "1", "--report", "page.html", "old.c", "new.c"]);
    assert_eq!(output.status.code(), Some(0));
    let page = std::fs::read_to_string(folder.join("page.html")).expect("a page");
    assert!(page.contains("class=\"versions\"") && page.contains("class=\"gone\""));
}
