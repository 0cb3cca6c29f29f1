//! `craig check --link`: files that are one program.
//!
//! The files that are named, and those in folders that are named, are one program. A `compile_commands.json` has a
//! program for each target ([`crate::database`]); the targets that `--target` names are one together.

use crate::args::CheckArgs;
use crate::{database, programs};
use std::path::{Path, PathBuf};

/// The programs that the arguments stand for: each has its first file as file, and the others as what it is linked
/// with.
pub(crate) fn linked(args: &CheckArgs) -> Result<Vec<CheckArgs>, String> {
    let is_database = |f: &PathBuf| !f.is_dir() && programs::is_collection(f);
    match (&args.files[..], args.files.iter().find(|f| is_database(f))) {
        ([database], Some(_)) => targets(database, args),
        (_, Some(database)) => Err(format!("{}: link one database at a time, and no other files", database.display())),
        (_, None) if !args.target.is_empty() => Err("--target names a target of a compile_commands.json".to_string()),
        (files, None) => {
            let mut all = Vec::new();
            for file in files {
                match file.is_dir() {
                    true => all.extend(programs::programs_in(file)),
                    false => all.push(file.clone()),
                }
            }
            let program = program(all.into_iter().map(|f| (f, args.clone())).collect(), args)?;
            program.map(|p| vec![p]).ok_or_else(|| "there is no .c or .i file in these folders".to_string())
        }
    }
}

/// The programs of a compilation database.
fn targets(database: &Path, args: &CheckArgs) -> Result<Vec<CheckArgs>, String> {
    let entries = database::read(database, args)?;
    let mut names: Vec<String> = Vec::new();
    for entry in &entries {
        if !names.contains(&entry.target) {
            names.push(entry.target.clone());
        }
    }
    if let Some(unknown) = args.target.iter().find(|t| !names.contains(t)) {
        let known: Vec<&str> = names.iter().map(String::as_str).filter(|n| !n.is_empty()).collect();
        let known = if known.is_empty() { "it names none".to_string() } else { format!("it has {}", known.join(", ")) };
        return Err(format!("{}: there is no target {unknown}; {known}", database.display()));
    }
    let wanted: Vec<Vec<String>> = match &args.target[..] {
        [] => names.into_iter().map(|n| vec![n]).collect(),
        together => vec![together.to_vec()],
    };
    let mut programs = Vec::new();
    for target in wanted {
        let files = entries.iter().filter(|e| target.contains(&e.target)).map(|e| (e.file.clone(), e.args.clone()));
        let origin = CheckArgs { target: target.clone(), ..args.clone() };
        programs.extend(program(files.collect(), &origin)?);
    }
    Ok(programs)
}

/// One program of some files, each with its own options.
fn program(files: Vec<(PathBuf, CheckArgs)>, origin: &CheckArgs) -> Result<Option<CheckArgs>, String> {
    let mut files = files.into_iter();
    let Some((first, mut own)) = files.next() else { return Ok(None) };
    for (path, other) in files {
        if other.data_model() != own.data_model() {
            let what = "is compiled for another data model (-m32, -m64) than";
            return Err(format!("{} {what} {}; they cannot be linked", path.display(), first.display()));
        }
        own.c.linked.push(driver::OtherFile { path, include_dirs: other.c.include, defines: other.c.define });
    }
    own.files = vec![first];
    own.link = false;
    own.linked_from = Some(Box::new(origin.clone()));
    Ok(Some(own))
}
