//! Compilation databases (Clang's *JSON Compilation Database*): which C files there are, how each is compiled, and
//! which program each belongs to.
//!
//! The format does not know programs. The build systems that write it name them in the paths of their object files:
//! CMake in `CMakeFiles/NAME.dir/`, Meson in `NAME.p/`. Files without such a path belong together.

use crate::args::{CheckArgs, DataModel};
use std::path::{Path, PathBuf};

/// A C file with the options of its own command.
pub(crate) struct Entry {
    pub file: PathBuf,
    pub args: CheckArgs,
    /// The program it is part of; empty if the database does not say.
    pub target: String,
}

/// The C files of a database.
pub(crate) fn read(path: &Path, args: &CheckArgs) -> Result<Vec<Entry>, String> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).map_err(|e| format!("cannot read {shown}: {e}; check the path"))?;
    let entries: serde_json::Value = serde_json::from_str(&text).map_err(|e| format!("{shown}: no JSON: {e}"))?;
    let entries = entries.as_array().ok_or_else(|| format!("{shown}: not a list of compile commands"))?;
    let mut out = Vec::new();
    for (i, entry) in entries.iter().enumerate() {
        let file = entry["file"].as_str().ok_or_else(|| format!("{shown}: entry {i} has no \"file\""))?;
        if !(file.ends_with(".c") || file.ends_with(".i")) {
            continue;
        }
        let folder = Path::new(entry["directory"].as_str().unwrap_or("."));
        // Relative folders count from the database's own.
        let folder = path.parent().unwrap_or(Path::new("")).join(folder);
        let words: Vec<String> = match (&entry["arguments"], &entry["command"]) {
            (serde_json::Value::Array(words), _) => {
                words.iter().filter_map(|w| w.as_str().map(str::to_string)).collect()
            }
            (_, serde_json::Value::String(command)) => shlex::split(command)
                .ok_or_else(|| format!("{shown}: entry {i}: a quote in its \"command\" is never closed"))?,
            _ => return Err(format!("{shown}: entry {i} has neither \"arguments\" nor \"command\"")),
        };
        let object = entry["output"].as_str().or_else(|| after(&words, "-o")).unwrap_or("");
        let own = with_compiler_options(args, &words, &folder)
            .map_err(|option| format!("{shown}: entry {i} ({file}): {option} is not supported"))?;
        out.push(Entry { file: near(&folder.join(file)), args: own, target: target_of(object) });
    }
    if out.is_empty() {
        return Err(format!("{shown}: no C file in it"));
    }
    Ok(out)
}

/// The word behind an option.
fn after<'a>(words: &'a [String], option: &str) -> Option<&'a str> {
    words.iter().position(|w| w == option).and_then(|i| words.get(i + 1)).map(String::as_str)
}

/// The program that the path of an object file names.
fn target_of(object: &str) -> String {
    let folders: Vec<&str> = object.split('/').collect();
    let cmake = folders.windows(2).find(|w| w[0] == "CMakeFiles").and_then(|w| w[1].strip_suffix(".dir"));
    let meson = || folders.iter().rev().skip(1).find_map(|f| f.strip_suffix(".p"));
    cmake.or_else(meson).unwrap_or("").to_string()
}

/// A path as the user would write it: below the present folder it is shown relative.
fn near(path: &Path) -> PathBuf {
    let here = std::env::current_dir().and_then(|p| p.canonicalize());
    match (path.canonicalize(), here) {
        (Ok(path), Ok(here)) => path.strip_prefix(&here).map(Path::to_path_buf).unwrap_or(path),
        _ => path.to_path_buf(),
    }
}

/// Options that change what a program means in a way that is not modelled.
const UNSUPPORTED: [&str; 6] =
    ["-include", "-imacros", "-funsigned-char", "-fshort-enums", "-fpack-struct", "-fshort-wchar"];

/// The options of a compiler that mean something to us: search folders, macros, the data model. The error is an option
/// that is not supported.
fn with_compiler_options(args: &CheckArgs, words: &[String], folder: &Path) -> Result<CheckArgs, String> {
    let mut own = args.clone();
    let is_named = |define: &str, name: &str| define.split('=').next() == Some(name);
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        if UNSUPPORTED.contains(&word.as_str()) {
            return Err(word.clone());
        }
        match word.as_str() {
            "-m64" => own.data_model = Some(DataModel::Lp64),
            "-m32" => own.data_model = Some(DataModel::Ilp32),
            // Arguments of other options must not be taken for options.
            "-o" | "-x" | "-MF" | "-MT" | "-MQ" => drop(words.next()),
            _ => {
                // The argument of an option is the rest of its word, or the next word.
                let options = ["-isystem", "-iquote", "-idirafter", "-I", "-D", "-U"];
                let Some(option) = options.into_iter().find(|o| word.starts_with(o)) else { continue };
                let rest = &word[option.len()..];
                let value = if rest.is_empty() { words.next().map(String::as_str) } else { Some(rest) };
                let Some(value) = value else { continue };
                match option {
                    "-D" => own.c.define.push(value.to_string()),
                    "-U" => own.c.define.retain(|d| !is_named(d, value)),
                    _ => own.c.include.push(near(&folder.join(value))),
                }
            }
        }
    }
    Ok(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn build_systems_name_the_program() {
        assert_eq!(target_of("CMakeFiles/server.dir/src/a.c.o"), "server");
        assert_eq!(target_of("lib/CMakeFiles/core.dir/a.c.o"), "core");
        assert_eq!(target_of("src/tool.p/main.c.o"), "tool");
        assert_eq!(target_of("a.o"), "");
        assert_eq!(target_of(""), "");
    }

    #[test]
    fn options_of_a_command() {
        let args = CheckArgs::of(Path::new("a.c"));
        let words = |text: &str| -> Vec<String> { text.split(' ').map(str::to_string).collect() };
        let own =
            with_compiler_options(&args, &words("cc -DA=1 -D B -UB -Iinc -I sub -m32 -o -DX a.c"), Path::new("/p"))
                .expect("understood");
        assert_eq!(own.c.define, ["A=1"]);
        assert_eq!(own.c.include, [Path::new("/p/inc"), Path::new("/p/sub")]);
        assert_eq!(own.data_model, Some(DataModel::Ilp32));
        assert!(with_compiler_options(&args, &words("cc -include config.h a.c"), Path::new("/p")).is_err());
    }
}
