//! Guards the layout of the workspace: who may use whom, and that documents name things that exist.

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
    ("boogie", &["base", "logic", "ir"]),
    ("c", &["base", "logic", "ir"]),
    ("engine", &["base", "logic", "ir", "automata", "smt"]),
    ("check", &["base", "logic", "ir", "automata", "smt"]),
    ("report", &["base", "logic", "ir"]),
    ("driver", &["base", "logic", "ir", "boogie", "c", "engine", "check", "report"]),
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

#[test]
fn engines_do_not_print_or_read_the_clock() {
    for file in rust_files(&root().join("crates/engine/src")) {
        let text = std::fs::read_to_string(&file).unwrap();
        for forbidden in ["println!", "eprintln!", "Instant::now", "SystemTime"] {
            assert!(!text.contains(forbidden), "{} contains {forbidden}", file.display());
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
