//! `craig upgrade`: a new version, with what is known of an old one.
//!
//! The old version is checked in a process of its own, which leaves what it found in a folder ([`crate::baseline`]);
//! with `--baseline` that folder may know it already. Then the new version is checked like any other, with these facts
//! as candidates. Of folders, programs with the same path are versions of each other; each pair is a process.

use crate::args::{CheckArgs, Format, Place, UpgradeArgs};
use crate::baseline::Baseline;
use crate::check::{self, Old};
use crate::exit::usage_error;
use crate::git::Revision;
use crate::worker::{self, Job};
use crate::{limits, many, programs, property, show};
use base::Budget;
use driver::Settings;
use ir::Property;
use report::FileResult;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) fn run(args: &UpgradeArgs) -> u8 {
    let asked = property::parse_all(&args.check.property).and_then(|p| Ok((p, args.check.settings()?)));
    let (mut properties, settings) = match asked {
        Ok(asked) => asked,
        Err(message) => return usage_error(&message),
    };
    if properties.is_empty() {
        properties.push(Property::UnreachCall);
    }
    if args.check.all || args.check.explain_plan {
        return usage_error("--all and --explain-plan are for `craig check`");
    }
    if args.check.link {
        return usage_error("--link is for `craig check`; give old and new versions of single files");
    }
    if args.check.on != Place::Local {
        return usage_error("--on is for `craig check` and `craig bench`");
    }
    if args.check.revision.is_some() {
        return usage_error("--revision is for `craig check`; use --since");
    }
    let pairs = match pairs(args) {
        Ok(pairs) => pairs,
        Err(message) => return usage_error(&message),
    };
    match (&pairs[..], &properties[..]) {
        ([pair], [property]) => one(pair, property, args, &settings),
        _ => several(&pairs, &properties, args),
    }
}

/// An old version, if there is one, and the new one.
struct Pair {
    old: Option<PathBuf>,
    new: PathBuf,
}

fn pairs(args: &UpgradeArgs) -> Result<Vec<Pair>, String> {
    let files = &args.check.files;
    if args.since.is_some() {
        let mut all = Vec::new();
        for file in files {
            let found = if file.is_dir() { programs::programs_in(file) } else { vec![file.clone()] };
            all.extend(found.into_iter().map(|new| Pair { old: Some(new.clone()), new }));
        }
        return Ok(all);
    }
    let [old, new] = &files[..] else {
        let what = format!("{} files were given", files.len());
        return Err(format!("{what}; write `craig upgrade OLD NEW`, or `craig upgrade --since REV FILE…`"));
    };
    match (old.is_dir(), new.is_dir()) {
        (false, false) => Ok(vec![Pair { old: Some(old.clone()), new: new.clone() }]),
        (true, true) => {
            let found = programs::programs_in(new);
            if found.is_empty() {
                return Err(format!("{}: no .c, .i or .bpl file in this folder", new.display()));
            }
            let counterpart =
                |file: &Path| file.strip_prefix(new).ok().map(|rest| old.join(rest)).filter(|f| f.exists());
            Ok(found.into_iter().map(|file| Pair { old: counterpart(&file), new: file }).collect())
        }
        _ => Err("OLD and NEW must both be files or both be folders".to_string()),
    }
}

fn one(pair: &Pair, property: &Property, args: &UpgradeArgs, settings: &Settings) -> u8 {
    let check = &args.check;
    let old = match &pair.old {
        Some(path) => match known(path, property, args, settings) {
            Ok(old) => old,
            Err(status) => return status,
        },
        None => Old { remarks: vec!["there is no old version".to_string()], ..Old::default() },
    };
    let (status, leftovers) = check::run_file(&pair.new, property, check, settings, Some(&old));
    std::mem::forget(leftovers);
    status
}

/// What is known of an old version; it is checked if nothing is.
fn known(path: &Path, property: &Property, args: &UpgradeArgs, settings: &Settings) -> Result<Old, u8> {
    let check = &args.check;
    let text = match &args.since {
        None => std::fs::read(path),
        Some(revision) => match Revision::open(path, revision) {
            Ok(host) => host.read_file(path).map_err(std::io::Error::other),
            Err(message) => return Err(usage_error(&message)),
        },
    };
    let text = text.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    if let (Err(e), None) = (&text, &args.since) {
        return Err(usage_error(&format!("cannot read {}: {e}; check the path", path.display())));
    }
    let mut old = Old {
        path: Some(path.to_path_buf()),
        revision: args.since.clone(),
        text: text.as_ref().ok().cloned(),
        ..Old::default()
    };
    if text.is_err() {
        let revision = args.since.as_deref().unwrap_or_default();
        old.remarks.push(format!("{} is not there at {revision}: everything is new", path.display()));
        return Ok(old);
    }
    if let Some(folder) = &check.baseline {
        let mode = driver::mode_of(property, settings, &check.read_options());
        (old.facts, old.remarks) = Baseline::new(folder).of_program(path, &mode);
        if old.facts.is_some() {
            return Ok(old);
        }
    }
    // Facts go from process to process in a folder of their own.
    let folder = std::env::temp_dir().join(format!("craig-upgrade-{}", std::process::id()));
    std::fs::create_dir(&folder)
        .map_err(|e| usage_error(&format!("cannot make {}: {e}; remove it", folder.display())))?;
    let own = CheckArgs {
        baseline: Some(folder.clone()),
        update_baseline: true,
        revision: args.since.clone(),
        ..check.clone()
    };
    let job = Job::new(path, property, &own, settings.n_jobs);
    let budget = Budget::unlimited();
    limits::cancel_on_interrupt(&budget);
    let found = worker::run(&job, &|| budget.check_now().is_err());
    let mut facts = Baseline::new(&folder).all();
    let _ = std::fs::remove_dir_all(&folder);
    match facts.pop() {
        Some(mut facts) => {
            facts.program = path.display().to_string();
            old.facts = Some(Arc::new(facts));
        }
        None => {
            let why = found.problems.first().map_or(found.message(), |p| p.message.clone());
            old.remarks.push(format!("the old version teaches nothing: {why}"));
        }
    }
    Ok(old)
}

fn several(pairs: &[Pair], properties: &[Property], args: &UpgradeArgs) -> u8 {
    let check = &args.check;
    let single = [("--witness", &check.witness), ("--harness", &check.harness), ("--report", &check.report)];
    if let Some((name, _)) = single.iter().find(|(_, file)| file.is_some()) {
        return usage_error(&format!("{name} is for one file and one property; check them one by one"));
    }
    let budget = Budget::unlimited();
    limits::cancel_on_interrupt(&budget);
    let n_jobs = check.n_jobs();
    let mut all: Vec<FileResult> = Vec::new();
    for pair in pairs {
        for property in properties {
            let job = match (&pair.old, &args.since) {
                (Some(_), Some(revision)) => {
                    let mut job = Job::upgrade(&pair.new, &pair.new, property, check, n_jobs);
                    // One file only: both versions have its name.
                    job.arguments.pop();
                    let at = job.arguments.iter().position(|a| a == "--").unwrap_or(0);
                    job.arguments.splice(at..at, ["--since".into(), revision.into()]);
                    job
                }
                (Some(old), None) => Job::upgrade(old, &pair.new, property, check, n_jobs),
                (None, _) => Job::new(&pair.new, property, check, n_jobs),
            };
            let found = worker::run(&job, &|| budget.check_now().is_err());
            if matches!(check.format, Format::Text | Format::Github) {
                for problem in &found.problems {
                    eprint!("{}", problem.rendered);
                }
                show::print(&show::document(&found, check.format, check.stats), &found, check.format);
            }
            all.push(found);
        }
    }
    many::conclude(&all, check, false)
}
