//! What a path on the command line stands for: a program, or any number of them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Does the argument stand for any number of programs?
pub(crate) fn is_collection(path: &Path) -> bool {
    path.is_dir() || path.file_name().is_some_and(|n| n == "compile_commands.json")
}

/// The programs in a folder and below, sorted.
pub(crate) fn programs_in(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    walk(folder, &mut files, &mut BTreeSet::new());
    files
}

/// Each folder is looked into once, as links may form circles.
fn walk(folder: &Path, out: &mut Vec<PathBuf>, seen: &mut BTreeSet<PathBuf>) {
    if !seen.insert(folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf())) {
        return;
    }
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    paths.sort();
    for path in paths {
        let hidden = path.file_name().and_then(|n| n.to_str()).is_some_and(|n| n.starts_with('.'));
        if hidden {
            continue;
        }
        if path.is_dir() {
            walk(&path, out, seen);
        } else if driver::Language::is_program(&path) {
            out.push(path);
        }
    }
}
