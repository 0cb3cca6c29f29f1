//! Files as git has them at a revision, headers included.
//!
//! Names come from `git ls-tree` and contents from `git cat-file`: unlike an archive these leave nothing out, and no
//! working tree is touched. Files outside the repository (headers of the system) are read as they are.

use crate::host::System;
use crate::limits;
use driver::{Host, ReadOptions};
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

pub(crate) struct Revision {
    root: PathBuf,
    commit: String,
    files: BTreeSet<PathBuf>,
    system: Arc<dyn Host>,
}

impl Revision {
    /// The repository of a file at a revision.
    pub(crate) fn open(file: &Path, revision: &str) -> Result<Arc<dyn Host>, String> {
        let folder = absolute(file).parent().map(Path::to_path_buf).unwrap_or_default();
        // The folder itself may be younger than the revision.
        let folder = folder.ancestors().find(|f| f.is_dir()).unwrap_or(Path::new("/")).to_path_buf();
        if revision.starts_with('-') {
            return Err(format!("'{revision}' is not a revision"));
        }
        let root = git(&folder, &["rev-parse", "--show-toplevel"])
            .map_err(|e| format!("{}: no git repository: {e}", file.display()))?;
        let root = PathBuf::from(String::from_utf8_lossy(&root).trim_end_matches('\n'));
        let commit = git(&folder, &["rev-parse", "--verify", "--quiet", &format!("{revision}^{{commit}}")])
            .map_err(|_| format!("git knows no revision '{revision}'; `git log` lists them"))?;
        let commit = String::from_utf8_lossy(&commit).trim().to_string();
        let listed = git(&root, &["ls-tree", "-r", "-z", "--name-only", &commit])?;
        let names = listed.split(|b| *b == 0).filter(|n| !n.is_empty());
        let files = names.map(|n| PathBuf::from(String::from_utf8_lossy(n).into_owned())).collect();
        Ok(Arc::new(Revision { root, commit, files, system: System::new() }))
    }
}

impl Host for Revision {
    fn read_file(&self, path: &Path) -> Result<Vec<u8>, String> {
        let path = absolute(path);
        let Ok(name) = path.strip_prefix(&self.root) else { return self.system.read_file(&path) };
        if !self.files.contains(name) {
            return Err(format!("there is no such file at {}", &self.commit[..self.commit.len().min(12)]));
        }
        git(&self.root, &["cat-file", "blob", &format!("{}:{}", self.commit, name.display())])
    }

    fn preprocess(&self, _path: &Path, _command: &str, _options: &ReadOptions) -> Result<String, String> {
        Err("another preprocessor cannot read what git has; leave --cpp out".to_string())
    }

    fn now(&self) -> Duration {
        self.system.now()
    }

    fn spawn(&self, work: Box<dyn FnOnce() + Send>) -> bool {
        self.system.spawn(work)
    }
}

/// Runs git in a folder.
fn git(folder: &Path, words: &[&str]) -> Result<Vec<u8>, String> {
    let mut command = Command::new("git");
    let output = limits::run_helper(command.arg("-C").arg(folder).args(words)).map_err(|e| format!("git: {e}"))?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(String::from_utf8_lossy(&output.stderr).trim_end().to_string()),
    }
}

/// The path from the root, without `.` and `..`; links in the part that exists are followed.
fn absolute(path: &Path) -> PathBuf {
    let joined = std::env::current_dir().unwrap_or_default().join(path);
    let mut clean = PathBuf::new();
    for part in joined.components() {
        match part {
            Component::ParentDir => {
                clean.pop();
            }
            Component::CurDir => {}
            _ => clean.push(part),
        }
    }
    let existing = clean.ancestors().find_map(|a| Some((a.canonicalize().ok()?, clean.strip_prefix(a).ok()?)));
    match existing {
        Some((real, rest)) if rest.as_os_str().is_empty() => real,
        Some((real, rest)) => real.join(rest),
        None => clean,
    }
}
