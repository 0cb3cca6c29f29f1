//! How answers are rated: SV-COMP's points, tables, and the result file.
//!
//! +2 for a right *true*, +1 for a right *false*, −32 and −16 for wrong ones, 0 for *unknown*. A violation of
//! valid-memsafety is right only if the part that is named (valid-deref, …) is the expected one.

use report::Answer;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The version of the result file.
pub(super) const VERSION: u32 = 1;

/// How an answer relates to what is expected.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Status {
    CorrectTrue,
    CorrectFalse,
    WrongTrue,
    WrongFalse,
    Unknown,
    /// Nothing is expected, so nothing can be wrong.
    #[default]
    Unrated,
}

impl Status {
    pub(super) fn points(self) -> i64 {
        match self {
            Status::CorrectTrue => 2,
            Status::CorrectFalse => 1,
            Status::WrongTrue => -32,
            Status::WrongFalse => -16,
            Status::Unknown | Status::Unrated => 0,
        }
    }
    pub(super) fn is_correct(self) -> bool {
        matches!(self, Status::CorrectTrue | Status::CorrectFalse)
    }
    pub(super) fn is_wrong(self) -> bool {
        matches!(self, Status::WrongTrue | Status::WrongFalse)
    }
    pub(super) fn word(self) -> &'static str {
        match self {
            Status::CorrectTrue | Status::CorrectFalse => "correct",
            Status::WrongTrue | Status::WrongFalse => "WRONG",
            Status::Unknown => "unknown",
            Status::Unrated => "-",
        }
    }
}

/// `expected` is `true`, `false`, or `false(part)`.
pub(super) fn rate(answer: &Answer, expected: Option<&str>) -> Status {
    let expected = expected.map(|e| Answer::from(e.to_string()));
    match (answer, expected) {
        (Answer::Unknown(_) | Answer::BadInput, _) => Status::Unknown,
        (Answer::Holds | Answer::Violated(_), None) => Status::Unrated,
        (Answer::Holds, Some(Answer::Holds)) => Status::CorrectTrue,
        (Answer::Holds, Some(_)) => Status::WrongTrue,
        (Answer::Violated(part), Some(Answer::Violated(other))) if other.is_empty() || *part == other => {
            Status::CorrectFalse
        }
        (Answer::Violated(_), Some(_)) => Status::WrongFalse,
    }
}

/// Is it a verdict?
pub(super) fn is_answer(result: &str) -> bool {
    matches!(Answer::from(result.to_string()), Answer::Holds | Answer::Violated(_))
}

/// Is one *holds* and the other *violated*?
pub(super) fn contradict(a: &str, b: &str) -> bool {
    let (a, b) = (Answer::from(a.to_string()), Answer::from(b.to_string()));
    matches!((a, b), (Answer::Holds, Answer::Violated(_)) | (Answer::Violated(_), Answer::Holds))
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Outcome {
    pub(super) task: String,
    pub(super) file: String,
    pub(super) property: String,
    pub(super) expected: Option<String>,
    pub(super) result: String,
    pub(super) status: Status,
    pub(super) points: i64,
    pub(super) wall_seconds: f64,
    /// Of the process, user and system.
    #[serde(default)]
    pub(super) cpu_seconds: f64,
    /// The peak.
    #[serde(default)]
    pub(super) memory_bytes: u64,
    #[serde(default)]
    pub(super) host: String,
    /// The set (`.set` file) that named the task.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) category: String,
    pub(super) engine: String,
}

/// The result file.
#[derive(Serialize, Deserialize)]
pub(super) struct Results {
    pub(super) version: u32,
    pub(super) craig: String,
    pub(super) build: String,
    pub(super) engine: String,
    pub(super) timeout_seconds: f64,
    pub(super) memory_bytes: u64,
    pub(super) tasks: Vec<Outcome>,
}

impl Results {
    pub(super) fn empty() -> Results {
        Results {
            version: VERSION,
            craig: String::new(),
            build: String::new(),
            engine: String::new(),
            timeout_seconds: 0.0,
            memory_bytes: 0,
            tasks: Vec::new(),
        }
    }

    pub(super) fn has_wrong(&self) -> bool {
        self.tasks.iter().any(|t| t.status.is_wrong())
    }
}

pub(super) fn line(o: &Outcome) -> String {
    let expected = o.expected.as_deref().unwrap_or("-");
    format!(
        "{:8} {:>4} {:9.3} s  {:16} {}  {} (expected {expected})",
        o.status.word(),
        o.points,
        o.wall_seconds,
        o.property,
        o.task,
        o.result
    )
}

/// A row for each property, one for each category if there are several, and one for all.
pub(super) fn table(outcomes: &[Outcome]) -> String {
    let mut out = format!(
        "\n{:18} {:>6} {:>13} {:>14} {:>11} {:>12} {:>8} {:>7} {:>10}\n",
        "property",
        "tasks",
        "correct true",
        "correct false",
        "wrong true",
        "wrong false",
        "unknown",
        "points",
        "seconds"
    );
    for property in names(outcomes, |o| &o.property) {
        out.push_str(&row(property, outcomes.iter().filter(|o| o.property == property)));
    }
    let categories = names(outcomes, |o| &o.category);
    if categories.len() > 1 {
        out.push_str("\ncategory\n");
        for category in &categories {
            let name = if category.is_empty() { "(none)" } else { category };
            out.push_str(&row(name, outcomes.iter().filter(|o| o.category == *category)));
        }
    }
    out.push_str(&row("all", outcomes.iter()));
    if categories.len() > 1 {
        out.push_str(&format!("points, every category with the same weight: {:.1}\n", weighted_points(outcomes)));
    }
    out
}

fn names(outcomes: &[Outcome], of: impl Fn(&Outcome) -> &String) -> BTreeSet<&str> {
    outcomes.iter().map(|o| of(o).as_str()).collect()
}

fn row<'a>(name: &str, chosen: impl Iterator<Item = &'a Outcome>) -> String {
    let chosen: Vec<&Outcome> = chosen.collect();
    let count = |s: Status| chosen.iter().filter(|o| o.status == s).count();
    format!(
        "{name:18} {:>6} {:>13} {:>14} {:>11} {:>12} {:>8} {:>7} {:>10.1}\n",
        chosen.len(),
        count(Status::CorrectTrue),
        count(Status::CorrectFalse),
        count(Status::WrongTrue),
        count(Status::WrongFalse),
        count(Status::Unknown),
        chosen.iter().map(|o| o.points).sum::<i64>(),
        chosen.iter().map(|o| o.wall_seconds).sum::<f64>()
    )
}

/// SV-COMP's score of a category that has categories: the average of their points per task, times their tasks in all.
/// So a small category counts as much as a large one.
fn weighted_points(outcomes: &[Outcome]) -> f64 {
    let categories = names(outcomes, |o| &o.category);
    let per_task = |category: &str| {
        let points: Vec<i64> = outcomes.iter().filter(|o| o.category == category).map(|o| o.points).collect();
        points.iter().sum::<i64>() as f64 / points.len().max(1) as f64
    };
    let average = categories.iter().map(|c| per_task(c)).sum::<f64>() / categories.len().max(1) as f64;
    average * outcomes.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_those_of_sv_comp() {
        let points = |answer: &str, expected: &str| rate(&Answer::from(answer.to_string()), Some(expected)).points();
        assert_eq!(points("true", "true"), 2);
        assert_eq!(points("false(unreach-call)", "false"), 1);
        assert_eq!(points("true", "false"), -32);
        assert_eq!(points("true", "false(valid-deref)"), -32);
        assert_eq!(points("false(unreach-call)", "true"), -16);
        assert_eq!(points("false(valid-deref)", "false(valid-deref)"), 1);
        assert_eq!(points("false(valid-free)", "false(valid-deref)"), -16);
        assert_eq!(points("unknown(timeout)", "true"), 0);
        assert_eq!(points("error(syntax)", "false"), 0);
        assert_eq!(rate(&Answer::Holds, None), Status::Unrated);
    }

    #[test]
    fn a_small_category_counts_as_much_as_a_large_one() {
        let outcome = |category: &str, status: Status| Outcome {
            status,
            points: status.points(),
            category: category.to_string(),
            ..Outcome::default()
        };
        // One of one solved (2 points a task), and one of three (2/3): the average 4/3 times four tasks.
        let mut outcomes = vec![outcome("small", Status::CorrectTrue), outcome("large", Status::CorrectTrue)];
        outcomes.extend([outcome("large", Status::Unknown), outcome("large", Status::Unknown)]);
        assert!((weighted_points(&outcomes) - 16.0 / 3.0).abs() < 1e-9);
    }

    #[test]
    fn only_opposite_answers_contradict() {
        assert!(contradict("true", "false(unreach-call)") && contradict("false(valid-deref)", "true"));
        assert!(!contradict("true", "unknown(timeout)") && !contradict("false(valid-deref)", "false(valid-free)"));
    }
}
