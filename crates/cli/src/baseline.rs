//! A folder with what is known of earlier versions: `--baseline`.
//!
//! There is one document ([`driver::Facts`]) for each program and question. Its file is named after the program, the
//! question (the first hash) and its own content (the second), so that two branches never change the same file: merging
//! is the union of files, and no index can be in conflict. After a merge there may be two documents for a question;
//! both are used, and the next update leaves one.
//!
//! Nothing in the folder is believed. A document that cannot be read, was changed by hand, or is for another question
//! is not used, and a remark says so.

use driver::{Facts, Outline, Question};
use report::sha256;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The number of hash digits in a name.
const DIGITS: usize = 16;
/// Of more documents, only those of the program itself are looked at.
const MAX_DOCUMENTS: usize = 500;
/// Larger documents are not facts of ours and are ignored.
const MAX_BYTES: u64 = 200 << 20;

pub(crate) struct Baseline {
    folder: PathBuf,
}

impl Baseline {
    pub(crate) fn new(folder: &Path) -> Baseline {
        Baseline { folder: folder.to_path_buf() }
    }

    /// What is known of other versions of a program, and remarks on what could not be used.
    pub(crate) fn find(&self, question: &Question<'_>) -> (Vec<Arc<Facts>>, Vec<String>) {
        let mut remarks = Vec::new();
        if self.folder.exists() && !self.folder.is_dir() {
            remarks.push(format!("{} is not a directory; it is not used", self.folder.display()));
            return (Vec::new(), remarks);
        }
        let program = self.name_of(&question.source.path);
        let key = key(&program, &driver::mode(question));
        let names = self.documents();
        let is_own = |name: &&String| name.contains(&format!("-{key}-"));
        let own = names.iter().filter(is_own).filter_map(|name| self.read(name, &mut remarks));
        let mut found: Vec<Arc<Facts>> = own.filter(|f| f.mode == driver::mode(question)).map(Arc::new).collect();
        if found.is_empty() && names.len() <= MAX_DOCUMENTS {
            found.extend(self.nearest(question, &program, &names, &mut remarks));
        }
        (found, remarks)
    }

    /// The document of the program that has most functions in common with this one: the file may have been renamed.
    fn nearest(
        &self,
        question: &Question<'_>,
        program: &str,
        names: &[String],
        remarks: &mut Vec<String>,
    ) -> Option<Arc<Facts>> {
        let mode = driver::mode(question);
        let mut ignored = Vec::new();
        let all: Vec<Facts> = names.iter().filter_map(|name| self.read(name, &mut ignored)).collect();
        for other in all.iter().filter(|f| f.program == program && f.mode.property == mode.property) {
            let (theirs, ours) = (&other.mode, &mode);
            remarks.push(format!(
                "what is known of {program} is for {} {} {}, not for {} {} {}; it is not used",
                theirs.data_model, theirs.integers, theirs.entry, ours.data_model, ours.integers, ours.entry
            ));
        }
        let candidates: Vec<Facts> = all.into_iter().filter(|f| f.mode == mode).collect();
        if candidates.is_empty() {
            return None;
        }
        let own: BTreeSet<Outline> = driver::outline(question).into_iter().collect();
        let in_common = |f: &Facts| f.outline.iter().filter(|o| own.contains(o)).count();
        let best = candidates.into_iter().max_by_key(|f| (in_common(f), std::cmp::Reverse(f.program.clone())))?;
        if in_common(&best) * 2 < own.len().max(best.outline.len()) {
            return None;
        }
        remarks.push(format!("nothing is known of {program}; {} is most like it", best.program));
        Some(Arc::new(best))
    }

    /// What is known of a program by its path, without looking at the program.
    pub(crate) fn of_program(&self, path: &Path, mode: &driver::Mode) -> (Option<Arc<Facts>>, Vec<String>) {
        let mut remarks = Vec::new();
        let key = key(&self.name_of(path), mode);
        let names = self.documents();
        let own = names.iter().filter(|name| name.contains(&format!("-{key}-")));
        let facts = own.filter_map(|name| self.read(name, &mut remarks)).find(|f| f.mode == *mode);
        (facts.map(Arc::new), remarks)
    }

    /// All documents, for a folder that holds those of one run.
    pub(crate) fn all(&self) -> Vec<Facts> {
        let mut ignored = Vec::new();
        self.documents().iter().filter_map(|name| self.read(name, &mut ignored)).collect()
    }

    /// Writes what is known, instead of what was known for the same program and question.
    pub(crate) fn put(&self, facts: &Facts) -> Result<(), String> {
        let cannot = |e: std::io::Error| {
            format!("cannot write to {}: {e}; choose another folder for --baseline", self.folder.display())
        };
        std::fs::create_dir_all(&self.folder).map_err(cannot)?;
        let mut facts = facts.clone();
        facts.program = self.name_of(Path::new(&facts.program));
        let key = key(&facts.program, &facts.mode);
        let text = facts.to_json();
        let stem = Path::new(&facts.program).file_stem().map_or("program".into(), |s| s.to_string_lossy());
        let stem: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let name = format!("{stem}-{key}-{}.json", &sha256::hex(text.as_bytes())[..DIGITS]);
        crate::host::write_by_rename(&self.folder.join(&name), &text).map_err(cannot)?;
        for other in self.documents().iter().filter(|n| **n != name && n.contains(&format!("-{key}-"))) {
            let _ = std::fs::remove_file(self.folder.join(other));
        }
        Ok(())
    }

    fn documents(&self) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(&self.folder) else { return Vec::new() };
        let names = entries.flatten().map(|e| e.file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.filter(|n| n.ends_with(".json") && !n.starts_with('.')).collect();
        names.sort();
        names
    }

    fn read(&self, name: &str, remarks: &mut Vec<String>) -> Option<Facts> {
        let path = self.folder.join(name);
        let too_large = std::fs::metadata(&path).is_ok_and(|m| m.len() > MAX_BYTES);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) if !too_large => text,
            _ => {
                remarks.push(format!("{} cannot be read; it is not used", path.display()));
                return None;
            }
        };
        let facts = match Facts::from_json(&text) {
            Ok(facts) => facts,
            Err(why) => {
                remarks.push(format!("{} {why}; it is not used", path.display()));
                return None;
            }
        };
        let content = sha256::hex(text.as_bytes());
        if !name.ends_with(&format!("-{}.json", &content[..DIGITS])) {
            remarks.push(format!("{} is not as craig wrote it; it is not used", path.display()));
            return None;
        }
        Some(facts)
    }

    /// A program's name in the folder: its path from where the folder stands, so that it is the same on every machine.
    fn name_of(&self, program: &Path) -> String {
        let folder = self.folder.canonicalize().ok().and_then(|f| f.parent().map(Path::to_path_buf));
        let absolute = program.canonicalize().ok();
        let relative = match (&folder, &absolute) {
            (Some(folder), Some(program)) => program.strip_prefix(folder).ok(),
            _ => None,
        };
        let name = relative.unwrap_or(program).display().to_string();
        name.replace('\\', "/")
    }
}

/// The name of a question about a program.
fn key(program: &str, mode: &driver::Mode) -> String {
    let driver::Mode { property, data_model, integers, entry } = mode;
    let text = format!("{program}\n{property}\n{data_model}\n{integers}\n{entry}\n");
    sha256::hex(text.as_bytes())[..DIGITS].to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(program: &str, result: &str) -> Facts {
        Facts {
            format: "craig-facts".into(),
            version: 1,
            program: program.into(),
            result: report::Answer::from(result.to_string()),
            ..Facts::default()
        }
    }

    fn store(name: &str) -> Baseline {
        let folder = std::env::temp_dir().join(format!("craig-baseline-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        Baseline::new(&folder)
    }

    #[test]
    fn a_question_has_one_document_and_merging_is_union() {
        let (ours, theirs) = (store("ours"), store("theirs"));
        let mode = driver::Mode::default();
        ours.put(&facts("a.c", "true")).expect("written");
        ours.put(&facts("a.c", "false(p)")).expect("written");
        assert_eq!(ours.all().len(), 1);
        theirs.put(&facts("a.c", "true")).expect("written");
        theirs.put(&facts("b.c", "true")).expect("written");
        for name in theirs.documents() {
            std::fs::copy(theirs.folder.join(&name), ours.folder.join(&name)).expect("copied");
        }
        assert_eq!(ours.all().len(), 3);
        assert!(ours.of_program(Path::new("b.c"), &mode).0.is_some());
        ours.put(&facts("a.c", "true")).expect("written");
        assert_eq!(ours.all().len(), 2);
        let _ = (std::fs::remove_dir_all(&ours.folder), std::fs::remove_dir_all(&theirs.folder));
    }

    #[test]
    fn damaged_documents_are_told_and_not_used() {
        let store = store("damaged");
        let mode = driver::Mode::default();
        let damage = |change: &dyn Fn(&str) -> String| -> Vec<String> {
            store.put(&facts("a.c", "true")).expect("written");
            let name = store.documents().pop().expect("a document");
            let path = store.folder.join(name);
            let text = std::fs::read_to_string(&path).expect("read");
            std::fs::write(&path, change(&text)).expect("written");
            let (found, remarks) = store.of_program(Path::new("a.c"), &mode);
            assert!(found.is_none());
            remarks
        };
        assert!(damage(&|t| t[..t.len() / 2].to_string())[0].contains("cannot be read"));
        assert!(damage(&|t| t.replace("\"true\"", "\"false(p)\""))[0].contains("not as craig wrote it"));
        assert!(damage(&|t| t.replace("\"version\": 1", "\"version\": 99"))[0].contains("another format or version"));
        assert!(damage(&|_| "[]".to_string())[0].contains("another format or version"));
        let _ = std::fs::remove_dir_all(&store.folder);
    }
}
