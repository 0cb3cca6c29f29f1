//! Why there is no answer, and what is most likely to give one. All of it is computed from the run that ended without
//! one.

use crate::answer::Answer;
use crate::result::{EngineRun, FileResult, Range};
use serde::{Deserialize, Serialize};

/// What the search could not get past.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ObstacleKind {
    /// A loop that proofs go on unrolling.
    Loop,
    Recursion,
    /// A product of variables.
    Product,
    /// Something that is not modelled exactly.
    NotExact,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Obstacle {
    pub kind: ObstacleKind,
    pub message: String,
    pub place: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<Range>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AdviceKind {
    Timeout,
    Memory,
    Engine,
    Property,
    Entry,
    /// Fewer values of an input.
    BoundInput,
    /// Fewer iterations of a loop.
    BoundLoop,
    /// What a function does or a loop keeps, written down.
    Contract,
    /// The body of a function.
    Define,
    /// Another way to say something that is not modelled.
    Rewrite,
    /// A bug in Craig.
    Report,
}

/// One thing that is likely to help.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Advice {
    pub kind: AdviceKind,
    /// What to do and why.
    pub message: String,
    /// Arguments for the next run, if that is all it takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<String>,
    /// A change of the program, if that is what it takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edit: Option<Insertion>,
    /// The place that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<Range>,
}

/// Text that is to be inserted as lines of its own.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Insertion {
    pub file: String,
    /// After this line, counted from 1.
    pub after_line: u32,
    pub text: String,
}

impl std::fmt::Display for Advice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (&self.arguments, &self.edit) {
            (Some(arguments), _) => write!(f, "{arguments}: {}", self.message),
            (None, Some(edit)) => {
                write!(f, "inserting `{}` after line {}: {}", edit.text.trim(), edit.after_line, self.message)
            }
            (None, None) => f.write_str(&self.message),
        }
    }
}

/// What became of an engine, over all its runs.
#[derive(Clone, PartialEq, Debug)]
pub struct Tried<'a> {
    pub engine: &'a str,
    pub seconds: f64,
    /// Why its longest run ended.
    pub result: &'a str,
}

/// The engines that ran, those that took the most time first.
pub fn tried(timeline: &[EngineRun]) -> Vec<Tried<'_>> {
    let mut found: Vec<(Tried<'_>, f64)> = Vec::new();
    for run in timeline {
        match found.iter_mut().find(|(t, _)| t.engine == run.engine) {
            Some((tried, longest)) => {
                tried.seconds += run.seconds;
                if run.seconds > *longest {
                    (tried.result, *longest) = (&run.result, run.seconds);
                }
            }
            None => found.push((Tried { engine: &run.engine, seconds: run.seconds, result: &run.result }, run.seconds)),
        }
    }
    found.sort_by(|a, b| b.0.seconds.total_cmp(&a.0.seconds));
    found.into_iter().map(|(tried, _)| tried).collect()
}

/// Engines that took less than this are not listed for people.
const MIN_SECONDS: f64 = 0.05;
const MAX_LISTED: usize = 8;

/// `trace-abstraction 3.2 s (timeout), …`
pub fn tried_text(found: &FileResult) -> String {
    let all = tried(&found.timeline);
    let listed: Vec<&Tried<'_>> = all.iter().filter(|t| t.seconds >= MIN_SECONDS).take(MAX_LISTED).collect();
    let text = |t: &&Tried<'_>| {
        let why = match Answer::from(t.result.to_string()) {
            Answer::Unknown(why) => why,
            other => other.to_string(),
        };
        format!("{} {:.1} s ({why})", t.engine, t.seconds)
    };
    let mut text = listed.iter().map(text).collect::<Vec<_>>().join(", ");
    let n_more = all.len() - listed.len();
    if n_more > 0 && !listed.is_empty() {
        text.push_str(&format!(", and {n_more} more for a moment"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_one_engine_are_added_up() {
        let run = |engine: &str, seconds: f64, result: &str| EngineRun {
            translation: "default encoding".into(),
            engine: engine.into(),
            began_seconds: 0.0,
            seconds,
            result: result.into(),
        };
        let timeline =
            [run("bmc", 0.5, "unknown(a)"), run("impact", 1.5, "unknown(timeout)"), run("bmc", 2.0, "unknown(b)")];
        let found = FileResult { timeline: timeline.to_vec(), ..FileResult::default() };
        assert_eq!(tried_text(&found), "bmc 2.5 s (b), impact 1.5 s (timeout)");
    }
}
