//! The answer as workflow commands of GitHub Actions, which the service shows beside the changed lines: an error for a
//! violation or for input that cannot be read, a warning for *unknown*. *holds* is a plain line of the log, and so is a
//! violation that an old version has too.

use crate::escape::{workflow_data, workflow_property};
use crate::result::{FileResult, Kind, Range};
use crate::text::values;
use crate::upgrade::State;

/// Longer executions are cut; the log is no place for thousands of steps.
const MAX_STEPS: usize = 30;

pub fn render(found: &FileResult) -> String {
    match found.kind() {
        Kind::Holds => format!("{}: {} holds\n", found.file.replace(['\n', '\r'], " "), found.property),
        Kind::Violated if found.upgrade.as_ref().is_some_and(|u| u.present() == Some(State::Old)) => {
            let file = found.file.replace(['\n', '\r'], " ");
            format!("{file}: {} is violated as in the old version\n", found.violated_property())
        }
        Kind::Violated => {
            let title = format!("{} is violated", found.violated_property());
            command("error", found, found.main_range(), &title, &with_steps(found))
        }
        Kind::Unknown => {
            let mut message = found.message();
            for obstacle in &found.obstacles {
                message.push_str(&format!("\n{}: blocked by {}", obstacle.place, obstacle.message));
            }
            for advice in &found.advice {
                message.push_str(&format!("\ntry {advice}"));
            }
            command("warning", found, found.main_range(), "no answer", &message)
        }
        Kind::BadInput => {
            let command = |range, message: &str| command("error", found, range, "not readable", message);
            if found.problems.is_empty() {
                return command(None, &found.message());
            }
            found.problems.iter().map(|p| command(p.range.as_ref(), &p.message)).collect()
        }
    }
}

fn with_steps(found: &FileResult) -> String {
    let steps: Vec<_> = found.steps().collect();
    let mut message = found.message();
    if steps.len() > MAX_STEPS {
        message.push_str(&format!("\n… {} earlier steps", steps.len() - MAX_STEPS));
    }
    for (step, repeats) in steps.iter().skip(steps.len().saturating_sub(MAX_STEPS)) {
        let values = values(step);
        let values = if values.is_empty() { values } else { format!("  [{values}]") };
        let repeated = if *repeats { "forever: " } else { "" };
        message.push_str(&format!("\n{}: {repeated}{}{values}", step.place, step.source));
    }
    message
}

fn command(level: &str, found: &FileResult, range: Option<&Range>, title: &str, message: &str) -> String {
    let place = match range {
        Some(r) => format!(
            "file={},line={},col={},endLine={},endColumn={}",
            workflow_property(&r.file),
            r.line,
            r.column,
            r.end_line,
            r.end_column
        ),
        None => format!("file={}", workflow_property(&found.file)),
    };
    format!("::{level} {place},title={}::{}\n", workflow_property(title), workflow_data(message))
}
