//! What `craig check` leaves behind besides its output: witnesses and tests that fail.

use crate::args::{CheckArgs, DataModel};
use crate::check::{Answer, Loaded, Outcome};
use crate::property;
use base::{Budget, FileId};
use ir::Property;
use report::facts::Proof;
use report::witness::{self, Content, InvariantKind, Item, Task};
use report::{harness, sha256, standard_input, trace};
use std::path::Path;
use std::time::Duration;

/// Writes the files that were asked for. What there is no file for (a witness of an *unknown*) is said on standard error; a file that cannot
/// be written is an error.
pub fn write(
    path: &Path,
    property: &Property,
    loaded: &Loaded,
    outcome: &Outcome,
    args: &CheckArgs,
) -> Result<(), String> {
    let witness = |file: &Path| witness_text(file, path, property, loaded, outcome, args);
    let harness = |_: &Path| harness_text(path, loaded, outcome, args);
    write_file("--witness", args.witness.as_deref(), witness)?;
    write_file("--harness", args.harness.as_deref(), harness)
}

/// Writes the text that `make` makes for a file; if there is none, says why.
fn write_file(
    option: &str,
    file: Option<&Path>,
    make: impl FnOnce(&Path) -> Result<String, String>,
) -> Result<(), String> {
    let Some(file) = file else { return Ok(()) };
    match make(file) {
        Ok(text) => std::fs::write(file, text)
            .map_err(|e| format!("cannot write {}: {e}; choose another place for {option}", file.display())),
        Err(why) => {
            eprintln!("craig: {why}");
            Ok(())
        }
    }
}

/// The file that was given is the first one read.
fn given_file(loaded: &Loaded) -> Option<FileId> {
    loaded.sources.files().map(|(id, _)| id).next()
}

fn witness_text(
    file: &Path,
    path: &Path,
    property: &Property,
    loaded: &Loaded,
    outcome: &Outcome,
    args: &CheckArgs,
) -> Result<String, String> {
    let table = &loaded.program.source;
    let (false, Some(given)) = (table.is_empty(), given_file(loaded)) else {
        return Err("witnesses speak about C programs; no witness was written".to_string());
    };
    let subject = witness::write::Subject { sources: &loaded.sources, file: given, table };
    let pool = outcome.pool.as_ref().unwrap_or(&loaded.pool);
    let content = match (&outcome.answer, &outcome.icfg, &outcome.original) {
        (Answer::Holds(certificate), Some(icfg), _) => {
            // A pointer may be invalid, and then a witness would be undefined.
            let (map, through_pointers) = (outcome.map.as_ref(), false);
            let proof = Proof { pool, icfg, map, table, certificate, through_pointers };
            let (mut content, mut n_dropped) = witness::write::correctness(&subject, &proof);
            n_dropped += drop_unproved(&mut content, path, property, outcome, args);
            if n_dropped > 0 {
                eprintln!(
                    "craig: {}: {n_dropped} parts of the proof cannot be said in C at their places and were left out",
                    file.display()
                );
            }
            Some(content)
        }
        (Answer::Violated(run), _, Some(original)) => witness::write::violation(&subject, original, run),
        (Answer::NonTerminating(found), Some(icfg), _) => {
            let (icfg, pool) = crate::show::graph_of_lasso(icfg, pool);
            witness::write::non_termination(&subject, &icfg, &pool, found)
        }
        (Answer::Unknown(_), _, _) => return Err("there is no verdict; no witness was written".to_string()),
        _ => None,
    };
    let content = content.ok_or("the verdict has no place in the program; no witness was written")?;
    let entry = args.c.entry.as_deref().unwrap_or("main");
    let task = task(path, property, entry, args.data_model)?;
    witness::write::text(&content, &task, &creation_time())
}

/// The most time for relations that have to be checked before they are written.
const CHECK_TIME: Duration = Duration::from_secs(3);

/// Ranks explain why paths end, but a relation must hold between any two rounds: it is written only if it does.
/// How many were left out.
fn drop_unproved(
    content: &mut Content,
    path: &Path,
    property: &Property,
    outcome: &Outcome,
    args: &CheckArgs,
) -> usize {
    let Content::Invariants(items) = content else { return 0 };
    let left = args.timeout.saturating_sub(outcome.wall) / 2;
    let budget = Budget::with_timeout(left.min(CHECK_TIME)).with_memory_limit(args.memory);
    let before = items.len();
    items.retain(|item| match item {
        Item::Invariant { kind: InvariantKind::LoopTransition, .. } => {
            crate::validate::holds(path, property, args, item, &budget)
        }
        Item::Invariant { .. } | Item::Contract { .. } => true,
    });
    before - items.len()
}

/// The task of a program and a property.
pub fn task(path: &Path, property: &Property, entry: &str, data_model: DataModel) -> Result<Task, String> {
    let bytes = std::fs::read(path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
    let name = path.display().to_string();
    Ok(Task {
        input_files: vec![name.clone()],
        input_file_hashes: vec![(name, sha256::hex(&bytes))],
        specification: property::specification(property, entry).join("\n"),
        data_model: match data_model {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        }
        .to_string(),
        language: "C".to_string(),
    })
}

/// Now, or what `SOURCE_DATE_EPOCH` says, for witnesses that are made again byte by byte.
fn creation_time() -> String {
    let fixed = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|s| s.parse().ok());
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_secs());
    witness::write::iso_8601(fixed.unwrap_or(now))
}

fn harness_text(path: &Path, loaded: &Loaded, outcome: &Outcome, args: &CheckArgs) -> Result<String, String> {
    let table = &loaded.program.source;
    if table.is_empty() {
        return Err("tests are made of C programs; none was written".to_string());
    }
    let (Answer::Violated(run), Some(original)) = (&outcome.answer, &outcome.original) else {
        return Err("there is no finite execution that fails; no test was written".to_string());
    };
    let message = format!("{}: {}", loaded.sources.show(run.check.span), run.check.message);
    let program = path.display().to_string();
    let subject = harness::Subject {
        program: &program,
        violated: &run.check.property,
        message: &message,
        entry: args.c.entry.as_deref().filter(|e| *e != "main"),
        table,
        standard_input: standard_input::of(original, run, &loaded.sources),
    };
    Ok(harness::text(&subject, &trace::inputs(original, run)))
}
