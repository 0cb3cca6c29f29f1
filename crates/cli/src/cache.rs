//! Answers by content: an unchanged program costs nothing.
//!
//! An entry is found by a SHA-256 of everything that is known beforehand: the build of Craig, the options that matter,
//! the file's name and its content. It is used only if every other file that the run read has the content it had, and
//! every file that it did not find is still absent (a new header earlier in the search path would change the program).
//! So a cached *holds* is one that this very build proved for these very bytes. Only definite answers are kept:
//! *unknown* may become an answer with more time. An entry names its own key and carries a checksum of key and answer,
//! so one that was damaged or stands in another's place is ignored.
//!
//! Entries are written by rename under names of their host and process, so a folder on a common file system serves a
//! whole cluster.
//!
//! Place: `$CRAIG_CACHE_DIR`, else `$XDG_CACHE_HOME/craig`, else `~/.cache/craig`.

use crate::args::CheckArgs;
use ir::Property;
use report::sha256;
use report::{FileResult, Kind};
use std::path::{Path, PathBuf};

/// Names the sources, compiler and settings this program was built from.
pub(crate) const BUILD_ID: &str = env!("CRAIG_BUILD_ID");

pub(crate) struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// The user's cache, if there is a place for one.
    pub(crate) fn open() -> Option<Cache> {
        let variable = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
        let folder = variable("CRAIG_CACHE_DIR")
            .or_else(|| variable("XDG_CACHE_HOME").map(|p| p.join("craig")))
            .or_else(|| variable("HOME").map(|p| p.join(".cache/craig")))?;
        std::fs::create_dir_all(&folder).ok()?;
        Some(Cache { folder })
    }

    /// In one of 256 folders: a cache that many hosts share has many entries.
    fn path(&self, key: &str) -> PathBuf {
        self.folder.join(key.get(..2).unwrap_or("00")).join(format!("{key}.json"))
    }

    /// An earlier answer that still stands.
    pub(crate) fn find(&self, key: &str) -> Option<FileResult> {
        let text = std::fs::read_to_string(self.path(key)).ok()?;
        let (checksum, rest) = text.split_once('\n')?;
        let (own_key, body) = rest.split_once('\n')?;
        if own_key != key || checksum != sha256::hex(rest.as_bytes()) {
            return None;
        }
        let mut found: FileResult = serde_json::from_str(body).ok()?;
        let unchanged = found.inputs.iter().all(|input| content_hash(Path::new(&input.path)) == input.sha256);
        if !unchanged || found.inputs.is_empty() {
            return None;
        }
        found.cached = true;
        Some(found)
    }

    /// Keeps a definite answer.
    pub(crate) fn put(&self, key: &str, found: &FileResult) {
        if !matches!(found.kind(), Kind::Holds | Kind::Violated) || found.inputs.is_empty() {
            return;
        }
        let Ok(body) = serde_json::to_string(found) else { return };
        let rest = format!("{key}\n{body}");
        let text = format!("{}\n{rest}", sha256::hex(rest.as_bytes()));
        // A failure only means no entry.
        let path = self.path(key);
        if std::fs::create_dir_all(path.parent().unwrap_or(&self.folder)).is_ok() {
            let _ = crate::host::write_by_rename(&path, &text);
        }
    }
}

fn content_hash(path: &Path) -> Option<String> {
    std::fs::read(path).ok().map(|bytes| sha256::hex(&bytes))
}

/// The name of an answer: everything it depends on that is known beforehand. Time, memory and the number of jobs decide
/// whether there is an answer, not which.
pub(crate) fn key(file: &Path, property: &Property, args: &CheckArgs) -> Option<String> {
    let CheckArgs {
        files: _,
        link: _,
        target: _,
        linked_from: _,
        property: _,
        engine,
        data_model: _,
        integers,
        c,
        timeout: _,
        memory: _,
        svcomp: _,
        all: _,
        witness: _,
        harness: _,
        format: _,
        blocks,
        complement,
        jobs: _,
        paranoid,
        fair,
        stats: _,
        explain_plan: _,
        report: _,
        no_cache: _,
        on: _,
        baseline: _,
        update_baseline: _,
        fail_on: _,
        revision,
        buffer,
    } = args;
    // What an editor has is not what is on the disk.
    if !buffer.is_empty() {
        return None;
    }
    let content = content_hash(file)?;
    let data_model = args.data_model();
    let options = format!(
        "{property:?} {engine:?} {data_model:?} {integers:?} {c:?} {blocks:?} {complement:?} {paranoid:?} {fair:?} {revision:?}"
    );
    let all = format!("{BUILD_ID}\n{options}\n{:?}\n{content}\n", file.as_os_str());
    Some(sha256::hex(all.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use report::Answer;
    use report::Input;

    fn cache(name: &str) -> Cache {
        let folder = std::env::temp_dir().join(format!("craig-cache-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder for the test");
        Cache { folder }
    }

    #[test]
    fn only_unchanged_definite_answers_come_back() {
        let cache = cache("answers");
        let (source, absent) = (cache.folder.join("a.c"), cache.folder.join("a.h"));
        std::fs::write(&source, "int main(void) { return 0; }").expect("written");
        let mut found = FileResult::bare("a.c", "unreach-call", Answer::Holds);
        let input = |p: &Path| Input { path: p.display().to_string(), sha256: content_hash(p) };
        found.inputs = vec![input(&source), input(&absent)];
        cache.put("k", &found);
        assert!(cache.find("k").is_some_and(|f| f.cached && f.result == Answer::Holds));
        assert!(cache.find("other").is_none());
        // A header that was not there before.
        std::fs::write(&absent, "int x;").expect("written");
        assert!(cache.find("k").is_none());
        std::fs::remove_file(&absent).expect("removed");
        assert!(cache.find("k").is_some());
        // A changed file, a damaged entry.
        std::fs::write(&source, "int main(void) { return 1; }").expect("written");
        assert!(cache.find("k").is_none());
        std::fs::write(&source, "int main(void) { return 0; }").expect("written");
        let entry = std::fs::read_to_string(cache.path("k")).expect("an entry");
        std::fs::write(cache.path("k"), entry.replace("unreach-call", "termination")).expect("written");
        assert!(cache.find("k").is_none());
        // An entry in the place of another.
        cache.put("k", &found);
        cache.put("other", &found);
        assert!(cache.find("k").is_some() && cache.find("other").is_some());
        std::fs::rename(cache.path("other"), cache.path("k")).expect("renamed");
        assert!(cache.find("k").is_none());
        // Unknown is not kept.
        let mut unknown = FileResult::bare("a.c", "unreach-call", Answer::Unknown("timeout".into()));
        unknown.inputs = found.inputs.clone();
        cache.put("u", &unknown);
        assert!(cache.find("u").is_none());
        let _ = std::fs::remove_dir_all(&cache.folder);
    }
}
