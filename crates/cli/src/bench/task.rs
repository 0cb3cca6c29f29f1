//! BenchExec task definitions (`.yml`, format 2.0): input files, properties with the verdict that is expected of each,
//! and the data model.

use crate::args::DataModel;
use crate::property;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A task definition as written.
#[derive(Deserialize)]
struct Definition {
    #[serde(default)]
    format_version: String,
    input_files: Names,
    #[serde(default)]
    properties: Vec<ExpectedProperty>,
    #[serde(default)]
    options: Options,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Names {
    One(String),
    Several(Vec<String>),
}

#[derive(Deserialize)]
struct ExpectedProperty {
    property_file: String,
    expected_verdict: Option<bool>,
    subproperty: Option<String>,
}

#[derive(Deserialize, Default)]
struct Options {
    data_model: Option<String>,
}

/// One program with one property.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub definition: PathBuf,
    pub file: PathBuf,
    pub property: ir::Property,
    /// `true`, `false`, `false(valid-deref)`, if it is known.
    pub expected: Option<String>,
    pub data_model: Option<String>,
    /// The set that named it, if one did.
    pub category: String,
}

impl Task {
    /// The sizes of C types that the task is about.
    pub(crate) fn data_model(&self) -> Result<DataModel, String> {
        match self.data_model.as_deref() {
            None | Some("ILP32") => Ok(DataModel::Ilp32),
            Some("LP64") => Ok(DataModel::Lp64),
            Some(other) => {
                let task = self.definition.display();
                Err(format!("{task}: data model '{other}' is unknown; use ILP32 or LP64"))
            }
        }
    }
}

/// The tasks of definitions, folders and sets, sorted, each once.
pub(crate) fn collect(paths: &[PathBuf]) -> Result<Vec<Task>, String> {
    // The category of a definition is the first set that names it.
    let mut definitions: BTreeMap<PathBuf, String> = BTreeMap::new();
    for path in paths {
        let mut found = BTreeSet::new();
        let mut category = String::new();
        if path.is_dir() {
            walk(path, &mut found, 0);
        } else if path.extension().is_some_and(|e| e == "set") {
            category = path.file_stem().and_then(|n| n.to_str()).unwrap_or_default().to_string();
            found = read_set(path)?;
        } else {
            found.insert(path.clone());
        }
        for definition in found {
            definitions.entry(definition).or_insert_with(|| category.clone());
        }
    }
    let mut tasks = Vec::new();
    for (path, category) in definitions {
        // One name for one task, however it was reached.
        let found = read(path.strip_prefix(".").unwrap_or(&path))?;
        tasks.extend(found.into_iter().map(|task| Task { category: category.clone(), ..task }));
    }
    Ok(tasks)
}

/// The definitions that a set names: a pattern a line, relative to the set; `#` begins a comment.
fn read_set(path: &Path) -> Result<BTreeSet<PathBuf>, String> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).map_err(|e| format!("cannot read {shown}: {e}; check the path"))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut found = BTreeSet::new();
    for (i, line) in text.lines().enumerate() {
        let pattern = line.split('#').next().unwrap_or_default().trim();
        if pattern.is_empty() {
            continue;
        }
        let before = found.len();
        matching(folder, &pattern.split('/').collect::<Vec<_>>(), &mut found);
        if found.len() == before && !pattern.contains(['*', '?']) {
            return Err(format!("{shown}:{}: there is no {pattern}", i + 1));
        }
    }
    Ok(found)
}

/// The files below a folder whose path matches a pattern, part by part.
fn matching(folder: &Path, parts: &[&str], out: &mut BTreeSet<PathBuf>) {
    match parts {
        [] => {}
        [part, rest @ ..] if !part.contains(['*', '?']) => {
            let path = folder.join(part);
            if rest.is_empty() && path.is_file() {
                out.insert(path);
            } else {
                matching(&path, rest, out);
            }
        }
        [part, rest @ ..] => {
            let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            let Ok(entries) = std::fs::read_dir(here) else { return };
            for entry in entries.flatten() {
                let name = entry.file_name();
                let Some(name) = name.to_str().filter(|n| matches_part(part.as_bytes(), n.as_bytes())) else {
                    continue;
                };
                let path = folder.join(name);
                if rest.is_empty() && path.is_file() {
                    out.insert(path);
                } else if path.is_dir() {
                    matching(&path, rest, out);
                }
            }
        }
    }
}

/// Does a name match a pattern of letters, `?` and `*`?
fn matches_part(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern, name) {
        ([], []) => true,
        ([b'*', rest @ ..], _) => (0..=name.len()).any(|i| matches_part(rest, &name[i..])),
        ([b'?', rest @ ..], [_, name @ ..]) => matches_part(rest, name),
        ([p, rest @ ..], [n, name @ ..]) => p == n && matches_part(rest, name),
        _ => false,
    }
}

fn walk(folder: &Path, out: &mut BTreeSet<PathBuf>, depth: usize) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|e| e.path()) {
        if path.is_dir() {
            if depth < 40 {
                walk(&path, out, depth + 1);
            }
        } else if path.extension().is_some_and(|e| e == "yml" || e == "yaml")
            && std::fs::read_to_string(&path).is_ok_and(|t| t.contains("input_files"))
        {
            out.insert(path);
        }
    }
}

fn read(path: &Path) -> Result<Vec<Task>, String> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).map_err(|e| format!("cannot read {shown}: {e}; check the path"))?;
    let definition: Definition =
        serde_saphyr::from_str(&text).map_err(|e| format!("{shown}: not a task definition: {e}"))?;
    if !definition.format_version.starts_with('2') {
        return Err(format!(
            "{shown}: format_version '{}' is not supported; craig reads task definitions 2.0",
            definition.format_version
        ));
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let file = match &definition.input_files {
        Names::One(name) => name,
        Names::Several(names) => match &names[..] {
            [name] => name,
            _ => return Err(format!("{shown}: {} input files; craig checks one at a time", names.len())),
        },
    };
    let mut tasks = Vec::new();
    for p in &definition.properties {
        let property_path = folder.join(&p.property_file);
        // Properties that are not verification properties (coverage) are skipped.
        let Ok(property) = property::parse(&property_path.to_string_lossy()) else {
            if !property_path.exists() {
                return Err(format!("{shown}: cannot read {}", property_path.display()));
            }
            continue;
        };
        let expected = p.expected_verdict.map(|v| match (v, &p.subproperty) {
            (true, _) => "true".to_string(),
            (false, None) => "false".to_string(),
            (false, Some(part)) => format!("false({part})"),
        });
        tasks.push(Task {
            definition: path.to_path_buf(),
            file: folder.join(file),
            property,
            expected,
            data_model: definition.options.data_model.clone(),
            category: String::new(),
        });
    }
    Ok(tasks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_read() {
        let text = "format_version: '2.0'\n# comment\ninput_files: 'a.c'\nproperties:\n  - property_file: p.prp\n    expected_verdict: false\n    subproperty: valid-free\noptions:\n  language: C\n  data_model: LP64\n";
        let definition: Definition = serde_saphyr::from_str(text).expect("a definition");
        assert!(matches!(&definition.input_files, Names::One(name) if name == "a.c"));
        assert_eq!(definition.properties[0].expected_verdict, Some(false));
        assert_eq!(definition.properties[0].subproperty.as_deref(), Some("valid-free"));
        assert_eq!(definition.options.data_model.as_deref(), Some("LP64"));
        let list = "format_version: '2.0'\ninput_files: ['a.c']\nproperties: []\n";
        let definition: Definition = serde_saphyr::from_str(list).expect("a definition");
        assert!(matches!(&definition.input_files, Names::Several(names) if names.len() == 1));
    }

    #[test]
    fn patterns_match_as_in_a_shell() {
        let is = |pattern: &str, name: &str| matches_part(pattern.as_bytes(), name.as_bytes());
        assert!(is("*.yml", "a.yml") && is("a*b*.yml", "axxbyy.yml") && is("?.yml", "a.yml") && is("*", ""));
        assert!(!is("*.yml", "a.yaml") && !is("?.yml", ".yml") && !is("a*b.yml", "acyml") && !is("", "a"));
    }
}
