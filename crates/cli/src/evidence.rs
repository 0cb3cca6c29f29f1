//! What `craig check` leaves behind besides its output: witnesses and tests that fail.

use crate::args::CheckArgs;
use crate::property;
use base::Budget;
use driver::{Answered, Question, artifacts};
use std::path::Path;

/// Writes the files that were asked for. What there is no file for (a witness of an *unknown*) is said on standard
/// error; a file that cannot be written is an error.
pub(crate) fn write(question: &Question<'_>, answered: &Answered, args: &CheckArgs) -> Result<(), String> {
    let witness = |file: &Path| witness_text(file, question, answered, args);
    let harness = |_: &Path| artifacts::harness(question, answered);
    write_file("--witness", args.witness(), witness)?;
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

fn witness_text(file: &Path, question: &Question<'_>, answered: &Answered, args: &CheckArgs) -> Result<String, String> {
    let entry = question.source.entry().unwrap_or("main");
    let specification = property::specification(question.property, entry).join("\n");
    let left = args.timeout.saturating_sub(answered.wall);
    let budget = Budget::with_timeout(left).with_memory_limit(args.memory);
    let witness = artifacts::witness(question, answered, &specification, creation_time(), &budget)?;
    if witness.n_dropped > 0 {
        eprintln!(
            "craig: {}: {} parts of the proof cannot be said in C at their places and were left out",
            file.display(),
            witness.n_dropped
        );
    }
    Ok(witness.text)
}

/// Now, or what `SOURCE_DATE_EPOCH` says, for reproducible witnesses.
fn creation_time() -> u64 {
    let fixed = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|s| s.parse().ok());
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_secs());
    fixed.unwrap_or(now)
}
