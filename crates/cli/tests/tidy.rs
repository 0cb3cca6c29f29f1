//! Guards the layout of the workspace: who may use whom, and that documents name things that exist.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The dependency table of docs/architecture.md.
const MAY_USE: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("logic", &["base"]),
    ("smt", &["base", "logic"]),
    ("automata", &["base"]),
    ("ir", &["base", "logic"]),
    ("exec", &["base", "logic", "ir"]),
    ("boogie", &["base", "logic", "ir"]),
    ("c", &["base", "logic", "ir"]),
    ("domains", &["base", "logic"]),
    ("unwinding", &["base", "logic", "ir"]),
    ("engine", &["base", "logic", "ir", "exec", "domains", "unwinding", "automata", "smt"]),
    ("check", &["base", "logic", "ir", "exec", "unwinding", "smt"]),
    ("report", &["base", "logic", "ir"]),
    ("driver", &["base", "logic", "automata", "ir", "exec", "boogie", "c", "engine", "check", "report"]),
    ("web", &["base", "smt", "ir", "c", "engine", "report", "driver"]),
    ("xtask", &["base", "logic", "smt"]),
];

fn dependencies(manifest: &str) -> Vec<String> {
    let mut section = "";
    let mut found = Vec::new();
    for line in manifest.lines().map(str::trim) {
        if line.starts_with('[') {
            section = line;
        } else if section == "[dependencies]"
            && let Some((name, _)) = line.split_once(['.', '=', ' '])
        {
            found.push(name.trim().to_string());
        }
    }
    found
}

#[test]
fn crates_use_only_what_the_table_allows() {
    let table: BTreeMap<&str, &[&str]> = MAY_USE.iter().copied().collect();
    for (name, allowed) in &table {
        let path = root().join("crates").join(name).join("Cargo.toml");
        let manifest = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        for dependency in dependencies(&manifest) {
            if table.contains_key(dependency.as_str()) {
                assert!(allowed.contains(&dependency.as_str()), "{name} must not depend on {dependency}");
            }
        }
    }
}

/// The table of docs/architecture.md is the one above.
#[test]
fn the_documented_table_is_the_enforced_one() {
    let page = std::fs::read_to_string(root().join("docs/architecture.md")).expect("the page");
    for (name, allowed) in MAY_USE {
        let row = page.lines().find(|l| l.starts_with(&format!("| {name} |"))).unwrap_or_else(|| panic!("{name}"));
        let last = row.trim_end_matches([' ', '|']).rsplit('|').next().unwrap_or_default().trim();
        let documented: Vec<&str> = last.split(", ").filter(|n| *n != "nothing").collect();
        assert_eq!(documented, *allowed, "{name}");
    }
}

/// The modules of a crate, each with those it names.
fn module_graph(folder: &Path) -> BTreeMap<String, Vec<String>> {
    let files = rust_files(folder);
    let stem = |f: &Path| f.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    let names: Vec<String> = files.iter().map(|f| stem(f)).filter(|n| n != "lib" && n != "main").collect();
    let mut graph = BTreeMap::new();
    for file in files.iter().filter(|f| names.contains(&stem(f))) {
        let text = std::fs::read_to_string(file).unwrap();
        let code: String =
            text.lines().filter(|l| !l.trim_start().starts_with("//")).map(|l| format!("{l}\n")).collect();
        let mut used = Vec::new();
        for part in code.split("crate::").skip(1) {
            let list = match part.strip_prefix('{') {
                Some(rest) => rest.split('}').next().unwrap_or_default(),
                None => part.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default(),
            };
            let words = list.split(|c: char| !c.is_alphanumeric() && c != '_');
            used.extend(words.filter(|w| names.iter().any(|n| n == w) && **w != *stem(file)).map(str::to_string));
        }
        graph.insert(stem(file), used);
    }
    graph
}

#[test]
fn modules_of_the_driver_and_the_command_line_form_no_cycle() {
    for folder in ["crates/driver/src", "crates/cli/src"] {
        let mut graph = module_graph(&root().join(folder));
        assert!(graph.len() > 10, "{folder}: {} modules", graph.len());
        while !graph.is_empty() {
            let free: Vec<String> = graph
                .iter()
                .filter(|(_, used)| used.iter().all(|u| !graph.contains_key(u)))
                .map(|(m, _)| m.clone())
                .collect();
            assert!(!free.is_empty(), "{folder}: a cycle among {:?}", graph.keys().collect::<Vec<_>>());
            graph.retain(|module, _| !free.contains(module));
        }
    }
}

/// Files, clock, threads and processes come through `driver::Host`.
#[test]
fn the_driver_touches_nothing_outside() {
    for file in rust_files(&root().join("crates/driver/src")) {
        let text = std::fs::read_to_string(&file).unwrap();
        for forbidden in [
            "println!",
            "eprintln!",
            "Instant::now",
            "SystemTime",
            "std::fs",
            "std::thread",
            "std::process",
            "std::env",
        ] {
            assert!(!text.contains(forbidden), "{} contains {forbidden}", file.display());
        }
    }
}

/// The library builds for systems without threads and processes (wasm32-wasip1): the driver and what it stands on start
/// none. The one exception gives deep recursion a stack of its own, and does without where there are no threads.
#[test]
fn the_library_starts_no_threads_or_processes() {
    for (name, _) in MAY_USE.iter().filter(|(name, _)| *name != "xtask") {
        for file in rust_files(&root().join("crates").join(name).join("src")) {
            let text = std::fs::read_to_string(&file).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            for forbidden in ["std::thread", "std::process", "std::net"] {
                let is_stack = file.ends_with("base/src/stack.rs") && forbidden == "std::thread";
                assert!(is_stack || !code.contains(forbidden), "{} contains {forbidden}", file.display());
            }
        }
    }
}

/// Papers are cited by author, title and year.
#[test]
fn no_private_citations() {
    let mut files = rust_files(&root().join("crates"));
    let pages = std::fs::read_dir(root().join("docs")).expect("the documents");
    files.extend(pages.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "md")));
    assert!(files.len() > 300, "{} files", files.len());
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(!text.contains(concat!("seed ", "00")), "{} cites a paper by a number of ours", file.display());
    }
}

#[test]
fn engines_do_not_print_or_read_the_clock() {
    for file in rust_files(&root().join("crates/engine/src")) {
        let text = std::fs::read_to_string(&file).unwrap();
        for forbidden in ["println!", "eprintln!", "Instant::now", "SystemTime"] {
            assert!(!text.contains(forbidden), "{} contains {forbidden}", file.display());
        }
    }
}

/// Where names are compared because the question is about names: (file, how the line continues).
const BY_NAME: &[(&str, &str)] = &[
    ("ir/src/source.rs", "n.name == own.name"),
    ("ir/src/source.rs", "n.name == name"),
    ("ir/src/program.rs", "p.name == name"),
    ("driver/src/temporal.rs", "p.name == proposition.text"),
    // Functions and variables of two versions are matched by name, among other things.
    ("driver/src/transfer.rs", "new.name == variable.name"),
    ("driver/src/transfer.rs", "original.vars[g].name == name"),
    ("driver/src/present.rs", "f.name.starts_with('<')"),
    // The number of a declaration.
    ("driver/src/cause.rs", "place.name == index"),
    ("driver/src/load.rs", "file(span.file).name.starts_with('<')"),
    // Where an execution starts is asked by name.
    ("driver/src/artifacts.rs", "f.name == entry"),
    ("report/src/harness.rs", "f.name == e"),
    ("report/src/witness/unspecified.rs", "n.1.name == *function"),
    ("report/src/witness/unspecified.rs", "name == name"),
    // Stored facts have functions by name; what initialises globals is only shown in other words.
    ("driver/src/upgrade.rs", "f.name == START"),
    ("driver/src/upgrade.rs", "f.name != START"),
];

/// Between stages there are types: no decision is made by the text of a message or the name of a variable.
#[test]
fn decisions_are_not_made_by_text() {
    let tests = [" == ", " != ", ".contains(", ".starts_with(", ".ends_with(", ".strip_prefix("];
    let messages = ["message", "reason", "result", "answer", "what.what"];
    for name in ["ir", "exec", "c", "boogie", "engine", "check", "report", "driver", "cli", "smt"] {
        for file in rust_files(&root().join("crates").join(name).join("src")) {
            let path = file.to_string_lossy().replace('\\', "/");
            let text = std::fs::read_to_string(&file).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            for line in code.lines().map(str::trim).filter(|l| !l.starts_with("//")) {
                let decides = |field: &str| tests.iter().any(|t| line.contains(&format!(".{field}{t}")));
                let by_message = messages.iter().any(|m| decides(m)) && !line.contains("Answer::");
                assert!(!by_message, "{path}: a decision by the text of a message: {line}");
                let is_listed = |&&(at, how): &&(&str, &str)| path.ends_with(at) && line.contains(how);
                // The front end for C compares names of C, and the command line names of files and engines.
                let by_name = !["c", "cli", "boogie", "smt"].contains(&name) && decides("name");
                assert!(!by_name || BY_NAME.iter().any(|e| is_listed(&e)), "{path}: a decision by a name: {line}");
            }
        }
    }
}

#[test]
fn every_module_opens_with_an_essay() {
    for (name, _) in MAY_USE {
        for file in rust_files(&root().join("crates").join(name).join("src")) {
            let text = std::fs::read_to_string(&file).unwrap();
            assert!(text.starts_with("//!"), "{} has no opening comment", file.display());
        }
    }
}

/// Comments keep to the width of the code, but for tables, whose rows cannot be wrapped.
#[test]
fn comments_keep_to_the_width() {
    let files = rust_files(&root().join("crates"));
    assert!(files.len() > 300, "{} files", files.len());
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        for (n, line) in text.lines().enumerate().filter(|(_, l)| l.trim_start().starts_with("//")) {
            let is_table = line.trim_start().trim_start_matches(['/', '!', ' ']).starts_with('|');
            assert!(is_table || line.chars().count() <= 120, "{}:{}: {line}", file.display(), n + 1);
        }
    }
}

fn rust_files(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let Ok(entries) = std::fs::read_dir(dir) else { return files };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// Paths in backticks in the documents must exist.
#[test]
fn documents_name_things_that_exist() {
    let mut documents: Vec<PathBuf> = vec![root().join("README.md"), root().join("docs/architecture.md")];
    if let Ok(entries) = std::fs::read_dir(root().join("docs")) {
        documents.extend(entries.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "md")));
    }
    for document in documents {
        let Ok(text) = std::fs::read_to_string(&document) else { continue };
        for quoted in text.split('`').skip(1).step_by(2) {
            let is_path = ["crates/", "docs/", "examples/", "tests/", "benches/"].iter().any(|p| quoted.starts_with(p));
            if is_path && !quoted.contains(['*', ' ', '<', '…', '{']) {
                assert!(root().join(quoted).exists(), "{} names {quoted}, which does not exist", document.display());
            }
        }
    }
}
