//! What an answer about a new version says about the change: which functions changed, what became of old facts, and
//! which violations are new.

use crate::escape::xml;
use crate::result::FileResult;
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// The part of a result that compares with an old version.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Upgrade {
    pub old: OldAnswer,
    /// CPU seconds for the new version; 0 if that is not known.
    pub cpu_seconds: f64,
    /// How many functions are as they were.
    pub n_unchanged: usize,
    /// All others.
    pub functions: Vec<FunctionChange>,
    pub facts: FactCounts,
    /// Functions whose facts had to be found again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub proved_again: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub violations: Vec<ViolationChange>,
    /// What is worth knowing about the facts that were given: not readable, for another data model, ….
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

/// The answer for the old version.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct OldAnswer {
    pub file: String,
    /// As in the RESULT line; empty: nothing is known of an old version.
    pub result: String,
    pub engine: String,
    /// About the CPU seconds it took.
    pub cpu_seconds: f64,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    Changed,
    Added,
    Removed,
    Renamed,
    Moved,
}

impl Change {
    pub fn word(self) -> &'static str {
        match self {
            Change::Changed => "changed",
            Change::Added => "added",
            Change::Removed => "removed",
            Change::Renamed => "renamed",
            Change::Moved => "moved",
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FunctionChange {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_name: Option<String>,
    pub change: Change,
}

/// Facts are counted by conjuncts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct FactCounts {
    pub offered: usize,
    pub kept: usize,
    pub repaired: usize,
    pub dropped: usize,
}

/// What is known of a violation in both versions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// The old version does not have it: its check was proved there, or is new.
    New,
    /// The old version has it too.
    Old,
    /// The new version is proved not to have it.
    Fixed,
    /// The new version has no such check.
    CheckDeleted,
    NotKnown,
}

impl State {
    pub fn words(self) -> &'static str {
        match self {
            State::New => "new",
            State::Old => "old",
            State::Fixed => "fixed",
            State::CheckDeleted => "check deleted",
            State::NotKnown => "not known whether new",
        }
    }
    /// The `baselineState` of SARIF; nothing says that it is not known.
    pub fn sarif(self) -> Option<&'static str> {
        match self {
            State::New => Some("new"),
            State::Old => Some("unchanged"),
            State::Fixed | State::CheckDeleted => Some("absent"),
            State::NotKnown => None,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ViolationChange {
    pub state: State,
    pub property: String,
    pub function: String,
    pub message: String,
}

impl Upgrade {
    /// The state of the violation that the new version has.
    pub fn present(&self) -> Option<State> {
        let is_present = |s: &State| matches!(s, State::New | State::Old | State::NotKnown);
        self.violations.iter().map(|v| v.state).find(is_present)
    }
}

/// More functions of a kind are only counted.
const MAX_NAMES: usize = 12;

/// As text for people.
pub fn text(found: &FileResult) -> String {
    let Some(upgrade) = &found.upgrade else { return String::new() };
    let mut out = String::new();
    for remark in &upgrade.remarks {
        let _ = writeln!(out, "{}: baseline: {remark}", found.file);
    }
    if upgrade.old.result.is_empty() {
        return out;
    }
    let old = &upgrade.old;
    let _ = writeln!(out, "old version: {} {}{}", old.file, old.result, engine(&old.engine));
    let mut parts = vec![format!("{} unchanged", upgrade.n_unchanged)];
    for change in [Change::Changed, Change::Added, Change::Removed, Change::Renamed, Change::Moved] {
        let all: Vec<String> = upgrade.functions.iter().filter(|f| f.change == change).map(shown_name).collect();
        if all.is_empty() {
            continue;
        }
        let names = all.iter().take(MAX_NAMES).cloned().collect::<Vec<_>>().join(", ");
        let more = if all.len() > MAX_NAMES { ", …" } else { "" };
        parts.push(format!("{} {} ({names}{more})", all.len(), change.word()));
    }
    let _ = writeln!(out, "functions: {}", parts.join(", "));
    let counts = upgrade.facts;
    let _ = writeln!(
        out,
        "facts: {} offered, {} kept, {} repaired, {} dropped",
        counts.offered, counts.kept, counts.repaired, counts.dropped
    );
    if !upgrade.proved_again.is_empty() {
        let names = upgrade.proved_again.iter().take(MAX_NAMES).cloned().collect::<Vec<_>>().join(", ");
        let _ = writeln!(out, "proved again: {names}");
    }
    let _ = writeln!(out, "cpu: {:.2} s; the old version took about {:.2} s", upgrade.cpu_seconds, old.cpu_seconds);
    for violation in &upgrade.violations {
        let at = if violation.function.is_empty() { String::new() } else { format!(" in {}", violation.function) };
        let _ = writeln!(out, "violation{at}: {}: {}", violation.message, violation.state.words());
    }
    out
}

fn engine(name: &str) -> String {
    if name.is_empty() { String::new() } else { format!(" (engine {name})") }
}

fn shown_name(change: &FunctionChange) -> String {
    match &change.old_name {
        Some(old) => format!("{old} is {}", change.name),
        None => change.name.clone(),
    }
}

/// Longer files are not compared line by line.
const MAX_LINES: usize = 6_000;

/// Both versions side by side, as a table of an HTML page.
pub fn side_by_side(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    if old.len() > MAX_LINES || new.len() > MAX_LINES {
        return "<p>the files are too long to be shown side by side</p>".to_string();
    }
    let mut out = String::from("<table class=\"versions\">\n");
    let mut row = |a: Option<usize>, b: Option<usize>| {
        let class = match (a, b) {
            (Some(_), Some(_)) => "same",
            (Some(_), None) => "gone",
            _ => "come",
        };
        let cell = |i: Option<usize>, lines: &[&str]| match i {
            Some(i) => format!("<td class=\"number\">{}</td><td><code>{}</code></td>", i + 1, xml(lines[i])),
            None => "<td></td><td></td>".to_string(),
        };
        let _ = writeln!(out, "<tr class=\"{class}\">{}{}</tr>", cell(a, &old), cell(b, &new));
    };
    let (mut i, mut j) = (0, 0);
    for (a, b) in common_lines(&old, &new).into_iter().chain([(old.len(), new.len())]) {
        (i..a).for_each(|k| row(Some(k), None));
        (j..b).for_each(|k| row(None, Some(k)));
        if a < old.len() {
            row(Some(a), Some(b));
        }
        (i, j) = (a + 1, b + 1);
    }
    out.push_str("</table>\n");
    out
}

/// A longest common subsequence, between what both have in common at the start and at the end.
fn common_lines(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    let start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (rest_old, rest_new) = (&old[start..], &new[start..]);
    let end = rest_old.iter().rev().zip(rest_new.iter().rev()).take_while(|(a, b)| a == b).count();
    let (a, b) = (&rest_old[..rest_old.len() - end], &rest_new[..rest_new.len() - end]);
    let mut pairs: Vec<(usize, usize)> = (0..start).map(|i| (i, i)).collect();
    if a.len() * b.len() <= 4_000_000 {
        let width = b.len() + 1;
        let mut best = vec![0u32; (a.len() + 1) * width];
        for i in (0..a.len()).rev() {
            for j in (0..b.len()).rev() {
                best[i * width + j] = if a[i] == b[j] {
                    best[(i + 1) * width + j + 1] + 1
                } else {
                    best[(i + 1) * width + j].max(best[i * width + j + 1])
                };
            }
        }
        let (mut i, mut j) = (0, 0);
        while i < a.len() && j < b.len() {
            if a[i] == b[j] {
                pairs.push((start + i, start + j));
                (i, j) = (i + 1, j + 1);
            } else if best[(i + 1) * width + j] >= best[i * width + j + 1] {
                i += 1;
            } else {
                j += 1;
            }
        }
    }
    pairs.extend((0..end).map(|k| (old.len() - end + k, new.len() - end + k)));
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stand_beside_their_old_ones() {
        let page = side_by_side("a\nb\nc", "a\nx\nc");
        assert!(page.contains("<tr class=\"gone\">") && page.contains("<tr class=\"come\">"));
        assert_eq!(page.matches("class=\"same\"").count(), 2);
        assert_eq!(common_lines(&["a", "b", "c", "d"], &["b", "a", "c", "e", "d"]), [(1, 0), (2, 2), (3, 4)]);
    }
}
