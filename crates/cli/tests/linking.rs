//! `craig check --link`: several files are one program. What links and what runs is gcc's verdict; that declarations of
//! one thing do not agree is found by its link-time optimiser.

mod common;

use common::{craig, is_installed, result, stdout};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("linking").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    for (file, text) in files {
        let path = folder.join(file);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, text).expect("written");
    }
    folder
}

fn check(folder: &Path, arguments: &[&str]) -> Output {
    craig().arg("check").args(["--timeout", "30s"]).args(arguments).current_dir(folder).output().expect("craig runs")
}

fn message(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// What gcc makes of the files: `None` if they do not link, or the declarations do not agree; else whether the program
/// runs to its end.
fn with_gcc(folder: &Path, files: &[&str]) -> Option<bool> {
    let compile = |options: &[&str]| {
        let made = Command::new("gcc").args(options).args(files).args(["-o", "test"]).current_dir(folder).output();
        made.expect("gcc runs")
    };
    let made = compile(&["-w"]);
    let agree = message(&compile(&["-flto", "-Wlto-type-mismatch"]));
    if !made.status.success() || agree.contains("-Wlto-type-mismatch") {
        return None;
    }
    Some(Command::new(folder.join("test")).status().expect("the test runs").success())
}

type Program = (&'static str, &'static [(&'static str, &'static str)], Expected);

enum Expected {
    Runs,
    Fails,
    /// The message has these parts.
    Refused(&'static [&'static str]),
}
use Expected::{Fails, Refused, Runs};

const PROGRAMS: &[Program] = &[
    (
        "static",
        &[
            (
                "a.c",
                "#include <assert.h>\nstatic int x = 1;\nstatic int f(void) { return x; }\nint g(void);\nint main(void) { assert(f() == 1 && g() == 2); return 0; }\n",
            ),
            ("b.c", "static int x = 2;\nstatic int f(void) { return x; }\nint g(void) { return f(); }\n"),
        ],
        Runs,
    ),
    (
        "static_hides",
        &[
            (
                "a.c",
                "#include <assert.h>\nint x = 1;\nint g(void);\nint main(void) { g(); assert(x == 2); return 0; }\n",
            ),
            ("b.c", "static int x;\nint g(void) { return x = 2; }\n"),
        ],
        Fails,
    ),
    (
        "shared",
        &[
            (
                "a.c",
                "#include <assert.h>\nextern int x;\nvoid g(void);\nint main(void) { g(); assert(x == 5); return 0; }\n",
            ),
            ("b.c", "int x = 4;\nvoid g(void) { x++; }\n"),
        ],
        Runs,
    ),
    (
        "array_completed",
        &[
            (
                "a.c",
                "#include <assert.h>\nextern int a[];\nextern int n;\nint main(void) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; assert(s == 6); return 0; }\n",
            ),
            ("b.c", "int a[] = { 1, 2, 3 };\nint n = sizeof a / sizeof *a;\n"),
        ],
        Runs,
    ),
    (
        "opaque_record",
        &[
            (
                "a.c",
                "#include <assert.h>\nstruct s;\nstruct s *make(int);\nint get(struct s *);\nint main(void) { assert(get(make(7)) == 7); return 0; }\n",
            ),
            (
                "b.c",
                "struct s { int a, b; };\nstatic struct s one;\nstruct s *make(int b) { one.b = b; return &one; }\nint get(struct s *s) { return s->b; }\n",
            ),
        ],
        Runs,
    ),
    (
        "same_record_in_both",
        &[
            (
                "a.c",
                "#include <assert.h>\n#include \"h.h\"\nint main(void) { point p = { 1, 2, 0 }; p.next = &p; move(&p); assert(p.x == 2 && p.next->y == 2); return 0; }\n",
            ),
            ("b.c", "#include \"h.h\"\nvoid move(point *p) { p->next->x++; }\n"),
            ("h.h", "typedef struct point { int x, y; struct point *next; } point;\nvoid move(point *);\n"),
        ],
        Runs,
    ),
    (
        "records_of_one_tag",
        &[
            (
                "a.c",
                "#include <assert.h>\nstruct s { int a; };\nint f(void);\nint main(void) { struct s s = { 1 }; assert(s.a + f() == 3); return 0; }\n",
            ),
            ("b.c", "struct s { char c; long b; };\nint f(void) { struct s s = { 'x', 2 }; return s.b; }\n"),
        ],
        Runs,
    ),
    (
        "inline_in_header",
        &[
            (
                "a.c",
                "#include <assert.h>\n#include \"h.h\"\nint g(int);\nint main(void) { assert(twice(2) == g(1) + 2); return 0; }\n",
            ),
            ("b.c", "#include \"h.h\"\nint g(int x) { return twice(x); }\n"),
            ("h.h", "static inline int twice(int x) { return 2 * x; }\n"),
        ],
        Runs,
    ),
    (
        "inline_with_external_definition",
        &[
            (
                "a.c",
                "#include <assert.h>\n#include \"h.h\"\nint g(int);\nint main(void) { assert(twice(2) == g(1) + 2); return 0; }\n",
            ),
            ("b.c", "#include \"h.h\"\nextern int twice(int);\nint g(int x) { return twice(x); }\n"),
            ("h.h", "inline int twice(int x) { return 2 * x; }\n"),
        ],
        Runs,
    ),
    (
        "weak",
        &[
            (
                "a.c",
                "#include <assert.h>\nint f(void) { return 2; }\nint g(void);\nint main(void) { assert(g() == 2); return 0; }\n",
            ),
            ("b.c", "__attribute__((weak)) int f(void) { return 1; }\nint g(void) { return f(); }\n"),
        ],
        Runs,
    ),
    (
        "own_library_function",
        &[
            (
                "a.c",
                "#include <assert.h>\n#include <stdlib.h>\nint main(void) { assert(atoi(\"7\") == 42); return 0; }\n",
            ),
            ("b.c", "int atoi(const char *s) { return 42; }\n"),
        ],
        Runs,
    ),
    (
        "library_state_is_one",
        &[
            (
                "a.c",
                "#include <assert.h>\n#include <string.h>\nchar *rest(void);\nint main(void) { char t[] = \"a b\"; strtok(t, \" \"); assert(rest() == t + 2); return 0; }\n",
            ),
            ("b.c", "#include <string.h>\nchar *rest(void) { return strtok(0, \" \"); }\n"),
        ],
        Runs,
    ),
    (
        "function_pointer_across",
        &[
            (
                "a.c",
                "#include <assert.h>\ntypedef int (*op)(int);\nop pick(int);\nint main(void) { assert(pick(0)(3) == 4 && pick(1)(3) == 2); return 0; }\n",
            ),
            (
                "b.c",
                "static int up(int x) { return x + 1; }\nstatic int down(int x) { return x - 1; }\nint (*pick(int which))(int) { return which ? down : up; }\n",
            ),
        ],
        Runs,
    ),
    (
        "labels_switches_and_statics",
        &[
            (
                "a.c",
                "#include <assert.h>\nint f(int);\nstatic int g(int x) { switch (x) { case 1: goto end; default: return 0; } end: return 7; }\nint main(void) { f(1); assert(f(1) == 2 && g(1) == 7); return 0; }\n",
            ),
            (
                "b.c",
                "int f(int x) { static int n; switch (x) { case 1: goto end; default: return 0; } end: return ++n; }\n",
            ),
        ],
        Runs,
    ),
    (
        "old_style",
        &[
            ("a.c", "#include <assert.h>\nint f();\nint main(void) { assert(f(3) == 4); return 0; }\n"),
            ("b.c", "int f(x) int x; { return x + 1; }\n"),
        ],
        Runs,
    ),
    (
        "defined_twice",
        &[
            ("a.c", "int f(void) { return 1; }\nint main(void) { return f(); }\n"),
            ("b.c", "int f(void) { return 2; }\n"),
        ],
        Refused(&["b.c:1:5: error: multiple definition of 'f'", "a.c:1:5: note: first defined here"]),
    ),
    (
        "two_mains",
        &[("a.c", "int main(void) { return 0; }\n"), ("b.c", "int main(void) { return 1; }\n")],
        Refused(&["multiple definition of 'main'"]),
    ),
    (
        "tentative_twice",
        &[("a.c", "int x;\nint main(void) { return x; }\n"), ("b.c", "int x;\n")],
        Refused(&["multiple definition of 'x'", "first defined here", "extern"]),
    ),
    (
        "other_type",
        &[("a.c", "extern long x;\nint main(void) { return (int)x; }\n"), ("b.c", "int x = 3;\n")],
        Refused(&[
            "b.c:1:5: error: conflicting types for 'x'; have 'int'",
            "a.c:1:13: note: declared with type 'long' here",
        ]),
    ),
    (
        "other_parameters",
        &[
            ("a.c", "int f(int, int);\nint main(void) { return f(1, 2); }\n"),
            ("b.c", "int f(double x) { return (int)x; }\n"),
        ],
        Refused(&["conflicting types for 'f'; have 'int(double)'", "declared with type 'int(int, int)' here"]),
    ),
    (
        "other_members",
        &[
            ("a.c", "struct s { int a; };\nextern struct s x;\nint main(void) { return x.a; }\n"),
            ("b.c", "struct s { char c; int a; };\nstruct s x = { 'a', 1 };\n"),
        ],
        Refused(&["conflicting types for 'x'"]),
    ),
];

#[test]
fn as_gcc_links() {
    let has_gcc = is_installed("gcc");
    for (name, files, expected) in PROGRAMS {
        let folder = folder(name, files);
        let sources: Vec<&str> = files.iter().map(|f| f.0).filter(|f| f.ends_with(".c")).collect();
        if has_gcc {
            let judged = match expected {
                Runs => Some(true),
                Fails => Some(false),
                Refused(_) => None,
            };
            assert_eq!(with_gcc(&folder, &sources), judged, "gcc on {name}");
        }
        // The order of the files makes no difference.
        for order in [sources.clone(), sources.iter().rev().copied().collect()] {
            let output = check(&folder, &[&["--link"][..], &order].concat());
            match expected {
                Runs => assert_eq!(result(&output), "true", "{name}: {}", stdout(&output)),
                Fails => assert_eq!(result(&output), "false(unreach-call)", "{name}: {}", stdout(&output)),
                Refused(parts) => {
                    assert_eq!(output.status.code(), Some(2), "{name}: {}", stdout(&output));
                    let message = message(&output);
                    // Which of two places is the first depends on the order.
                    let parts = parts.iter().filter(|_| order == sources);
                    parts.for_each(|p| assert!(message.contains(p), "{name}: no '{p}' in: {message}"));
                }
            }
        }
    }
}

const LIBRARY: &[(&str, &str)] = &[
    (
        "src/main.c",
        "#include \"lib.h\"\nextern void reach_error(void);\nint main(void) { if (limit() != WANTED) reach_error(); return 0; }\n",
    ),
    ("src/lib.c", "#include \"lib.h\"\nint limit(void) { return LIMIT; }\n"),
    ("src/other.c", "int half(int x) { return 100 / x; }\n"),
    ("inc/lib.h", "int limit(void);\n"),
];

/// A compilation database as CMake writes it.
fn database(folder: &Path, limit: u32) {
    let entry = |file: &str, target: &str, options: &str| {
        format!(
            "{{\"directory\": \"{}\", \"file\": \"../src/{file}\", \"output\": \"CMakeFiles/{target}.dir/src/{file}.o\", \
             \"command\": \"cc -I../inc {options} -o CMakeFiles/{target}.dir/src/{file}.o -c ../src/{file}\"}}",
            folder.join("build").display()
        )
    };
    std::fs::create_dir_all(folder.join("build")).expect("made");
    let entries = [
        entry("main.c", "tool", "-DWANTED=3"),
        entry("lib.c", "core", &format!("-DLIMIT={limit}")),
        entry("other.c", "core", "-DLIMIT=9"),
    ];
    std::fs::write(folder.join("build/compile_commands.json"), format!("[{}]", entries.join(", "))).expect("written");
}

#[test]
fn programs_of_a_compilation_database() {
    let folder = folder("database", LIBRARY);
    let both = ["--link", "build/compile_commands.json", "--target", "tool", "--target", "core"];
    database(&folder, 3);
    assert_eq!(result(&check(&folder, &both)), "true");
    database(&folder, 4);
    assert_eq!(result(&check(&folder, &both)), "false(unreach-call)");
    // Without a name each target is a program. The functions of the library are called by others, with anything.
    let output = check(&folder, &["--link", "build/compile_commands.json", "-p", "no-division-by-zero", "--no-cache"]);
    let text = stdout(&output);
    let results: Vec<&str> = text.lines().filter(|l| l.starts_with("RESULT: ")).collect();
    assert_eq!(results, ["RESULT: true", "RESULT: false(no-division-by-zero)"], "{text}");
    assert!(text.contains("src/other.c:1:"), "{text}");
    let output = check(&folder, &["--link", "build/compile_commands.json", "--target", "tol"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(message(&output).contains("there is no target tol; it has tool, core"), "{}", message(&output));
}

#[test]
fn the_cache_knows_all_files() {
    let files = [
        (
            "one/a.c",
            "int f(void);\nextern void reach_error(void);\nint main(void) { if (f()) reach_error(); return 0; }\n",
        ),
        ("one/b.c", "int f(void) { return 0; }\n"),
    ];
    let folder = folder("cache", &files);
    let run = || {
        let mut command = craig();
        command.args(["check", "--link", "-p", "unreach-call", "-p", "no-overflow", "one"]).current_dir(&folder);
        let output = command.env("CRAIG_CACHE_DIR", folder.join("cache")).output().expect("craig runs");
        let results: Vec<String> =
            stdout(&output).lines().filter(|l| l.starts_with("RESULT: ")).map(str::to_string).collect();
        (results, message(&output))
    };
    assert_eq!(run().0, ["RESULT: true", "RESULT: true"]);
    let (results, summary) = run();
    assert_eq!(results, ["RESULT: true", "RESULT: true"]);
    assert!(summary.contains("2 cached"), "{summary}");
    std::fs::write(folder.join("one/b.c"), "int f(void) { return 1; }\n").expect("written");
    assert_eq!(run().0, ["RESULT: false(unreach-call)", "RESULT: true"]);
}

#[test]
fn places_and_tests_name_their_files() {
    let files = [
        ("a.c", "int nondet(void);\nint f(int);\nint main(void) { return f(nondet()); }\n"),
        ("b.c", "extern void reach_error(void);\nint f(int x) {\n  if (x == 77)\n    reach_error();\n  return 0;\n}\n"),
    ];
    let folder = folder("places", &files);
    let output = check(&folder, &["--link", "a.c", "b.c", "--harness", "test.c"]);
    assert_eq!(result(&output), "false(unreach-call)");
    assert!(stdout(&output).contains("b.c:4:"), "{}", stdout(&output));
    let test = std::fs::read_to_string(folder.join("test.c")).expect("a test");
    assert!(test.contains("a.c b.c"), "{test}");
    if is_installed("gcc") {
        let made = Command::new("gcc").args(["-w", "test.c", "a.c", "b.c", "-o", "test"]).current_dir(&folder).status();
        assert!(made.expect("gcc runs").success());
        assert!(!Command::new(folder.join("test")).status().expect("it runs").success());
    }
}

#[test]
fn what_cannot_be_linked_is_said() {
    let files = [
        ("a.c", "int main(void) { return 0; }\n"),
        ("b.bpl", "procedure main() {}\n"),
        ("bad.c", "int f(void) { return ; \n"),
    ];
    let folder = folder("refused", &files);
    let fails = |arguments: &[&str], part: &str| {
        let output = check(&folder, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stdout(&output));
        assert!(message(&output).contains(part), "{arguments:?}: no '{part}' in: {}", message(&output));
    };
    fails(&["--link", "a.c", "b.bpl"], "b.bpl: only C files are linked");
    fails(&["--link", "a.c", "missing.c"], "cannot read missing.c");
    fails(&["--link", "a.c", "bad.c"], "bad.c:2:");
    fails(&["--link", "a.c", "--target", "x"], "--target names a target of a compile_commands.json");
    fails(&["a.c", "--target", "x"], "--link");
    fails(&["--link", "a.c", "--baseline", "known"], "--baseline is not for linked programs");
}
