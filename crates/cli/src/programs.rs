//! What a path on the command line stands for: a program, or any number of them.

use std::path::{Path, PathBuf};

/// Does the argument stand for any number of programs?
pub(crate) fn is_collection(path: &Path) -> bool {
    path.is_dir() || path.file_name().is_some_and(|n| n == "compile_commands.json")
}

/// Deeper folders are not looked into; links may form a circle.
const MAX_DEPTH: usize = 40;

/// The programs in a folder and below, sorted.
pub(crate) fn programs_in(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    walk(folder, &mut files, 0);
    files
}

fn walk(folder: &Path, out: &mut Vec<PathBuf>, depth: usize) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    paths.sort();
    for path in paths {
        let hidden = path.file_name().and_then(|n| n.to_str()).is_some_and(|n| n.starts_with('.'));
        if hidden {
            continue;
        }
        if path.is_dir() {
            if depth < MAX_DEPTH {
                walk(&path, out, depth + 1);
            }
        } else if driver::Language::is_program(&path) {
            out.push(path);
        }
    }
}
