//! The answer for one program, ready to be shown, sent or kept.
//!
//! The names of the fields are those of the JSON document (`docs/json.md`): they may be added to, never renamed or
//! given another meaning without a new [`VERSION`]. Absent lists mean that the answer has no such part; so a proof
//! has `invariants`, a violation has `execution`, an infinite execution has `stem` and `cycle`.
//!
//! Invariant: `result` is exactly what the RESULT line says, or `error` for a program that could not be read.

use crate::answer::{Answer, ReasonKind};
use crate::cause::Cause;
use crate::no_answer::{Advice, Obstacle};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The version of the JSON document.
pub(crate) const VERSION: u32 = 1;

/// What became of a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    Holds,
    Unknown,
    /// The program could not be read.
    BadInput,
    Violated,
}

impl Kind {
    /// The exit status of `craig check`; of several files the greatest kind decides.
    pub fn exit_status(self) -> u8 {
        match self {
            Kind::Holds => 0,
            Kind::Violated => 1,
            Kind::BadInput => 2,
            Kind::Unknown => 3,
        }
    }
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct FileResult {
    pub version: u32,
    pub file: String,
    pub property: String,
    /// The formula of a temporal property.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formula: Option<String>,
    /// `true`, `false(…)`, `unknown(…)`, or `error`.
    pub result: Answer,
    pub engine: String,
    pub wall_seconds: f64,
    #[serde(default)]
    pub statistics: BTreeMap<String, u64>,
    /// Seconds that the engine spent in its phases.
    #[serde(default)]
    pub phases: BTreeMap<String, f64>,
    /// Which engines ran when, on which translation of the program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub timeline: Vec<EngineRun>,
    /// How the program is entered, if that had to be worked out.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub entry: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invariants: Option<Vec<Fact>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub violation: Option<Violation>,
    /// What the execution took from outside, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub input_values: Vec<InputValue>,
    /// The variables among the values of the execution that all functions share.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub globals: BTreeSet<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub execution: Option<Vec<Step>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stem: Option<Vec<Step>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycle: Option<Vec<Step>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recurrence: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason_kind: Option<ReasonKind>,
    /// Facts found on the way that are worth telling when there is no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known: Option<Vec<String>>,
    /// What is known of each check of the program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<CheckResult>,
    /// What the answer takes for granted.
    #[serde(default)]
    pub assumptions: Vec<Remark>,
    /// What keeps *holds* from being answered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_modelled: Vec<Remark>,
    /// What the search could not get past.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub obstacles: Vec<Obstacle>,
    /// What is most likely to give an answer, the best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub advice: Vec<Advice>,
    /// Why the program could not be read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<Problem>,
    /// Every file that was read or looked for: the answer depends on these and on nothing else.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<Input>,
    /// The answer is an earlier one for the same content.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cached: bool,
    /// What the answer says about the change from an old version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upgrade: Option<crate::upgrade::Upgrade>,
}

impl FileResult {
    pub fn kind(&self) -> Kind {
        match self.result {
            Answer::Holds => Kind::Holds,
            Answer::Violated(_) => Kind::Violated,
            Answer::BadInput => Kind::BadInput,
            Answer::Unknown(_) => Kind::Unknown,
        }
    }
    /// An answer without details.
    pub fn bare(file: &str, property: &str, result: Answer) -> FileResult {
        let reason = match &result {
            Answer::Unknown(reason) => Some(reason.clone()),
            Answer::Holds | Answer::Violated(_) | Answer::BadInput => None,
        };
        FileResult {
            version: VERSION,
            file: file.to_string(),
            property: property.to_string(),
            result,
            reason,
            ..FileResult::default()
        }
    }
    /// No answer, without details.
    pub fn unknown(file: &str, property: &str, reason: &ir::Reason) -> FileResult {
        let bare = FileResult::bare(file, property, Answer::Unknown(reason.to_string()));
        FileResult { reason_kind: Some(ReasonKind::of(reason)), ..bare }
    }
    /// The property, with its formula if it has one.
    pub fn asked(&self) -> String {
        match &self.formula {
            Some(formula) => format!("{} {formula}", self.property),
            None => self.property.clone(),
        }
    }
    /// What is violated: the property or the part of it that the answer names.
    pub fn violated_property(&self) -> &str {
        match &self.result {
            Answer::Violated(part) => part,
            Answer::Holds | Answer::Unknown(_) | Answer::BadInput => &self.property,
        }
    }
    /// One sentence on what was found.
    pub fn message(&self) -> String {
        match self.kind() {
            Kind::Holds => format!("{} holds", self.asked()),
            Kind::Violated if self.formula.is_some() => format!("{} is violated", self.asked()),
            Kind::Violated => match (&self.violation, &self.recurrence) {
                (Some(violation), _) => violation.message.trim_end().to_string(),
                (None, Some(recurrence)) => format!("an execution never ends: it loops with {recurrence}"),
                (None, None) => format!("{} is violated", self.violated_property()),
            },
            Kind::Unknown => format!("no answer: {}", self.reason.as_deref().unwrap_or_default()),
            Kind::BadInput => match self.problems.first() {
                Some(problem) => problem.message.clone(),
                None => "the program cannot be read".to_string(),
            },
        }
    }
    /// Where a violation, or a problem of the input, is to be shown.
    pub fn main_range(&self) -> Option<&Range> {
        match self.kind() {
            Kind::Violated => match &self.violation {
                Some(violation) => violation.range.as_ref(),
                None => self.cycle.iter().flatten().find_map(|s| s.range.as_ref()),
            },
            Kind::BadInput => self.problems.iter().find_map(|p| p.range.as_ref()),
            Kind::Unknown => {
                let not_modelled = self.not_modelled.iter().find_map(|r| r.range.as_ref());
                not_modelled.or_else(|| self.obstacles.iter().find_map(|o| o.range.as_ref()))
            }
            Kind::Holds => None,
        }
    }
    /// The files in which something stands that the answer speaks of.
    pub fn files_concerned(&self) -> BTreeSet<&str> {
        let facts = self.invariants.iter().flatten().filter_map(|f| f.range.as_ref());
        let steps = self.steps().filter_map(|(s, _)| s.range.as_ref());
        let remarks = self.assumptions.iter().chain(&self.not_modelled).filter_map(|r| r.range.as_ref());
        facts.chain(steps).chain(remarks).chain(self.main_range()).map(|r| r.file.as_str()).collect()
    }
    /// The steps of the execution, of whatever kind it is; the flag marks those that repeat for ever.
    pub fn steps(&self) -> impl Iterator<Item = (&Step, bool)> {
        let finite = self.execution.iter().chain(&self.stem).flatten().map(|s| (s, false));
        finite.chain(self.cycle.iter().flatten().map(|s| (s, true)))
    }
}

/// A stretch of source text; lines and columns count characters from 1, the end is exclusive.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Range {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

impl Range {
    pub fn of(sources: &base::SourceMap, span: base::Span) -> Option<Range> {
        let (file, line, column) = sources.given_position(span)?;
        // The name and line may be those of what the text was made from; the length is that of the text.
        let text = sources.file(span.file);
        let (first, _) = text.line_col(span.start);
        let (last, end_column) = text.line_col(span.end.max(span.start));
        Some(Range { file: file.to_string(), line, column, end_line: line + (last - first), end_column })
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FactKind {
    Invariant,
    Contract,
    Ranking,
    /// The loops were unwound completely.
    Bound,
}

/// A loop or procedure fact of a proof, in the words of the program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fact {
    pub kind: FactKind,
    pub place: String,
    pub line: Option<u32>,
    pub formula: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<Range>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Violation {
    pub property: String,
    pub message: String,
    pub place: String,
    pub line: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<Range>,
    /// What the message says, with its parts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
}

impl Violation {
    /// Other places that the message speaks of.
    pub fn notes(&self) -> Vec<Remark> {
        self.cause.as_ref().map_or(Vec::new(), Cause::notes)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CheckStatus {
    /// It fails in no execution in which no other one failed before.
    Proved,
    Violated,
    /// Neither is known.
    Open,
}

/// One check of a program and what is known of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CheckResult {
    pub property: String,
    pub message: String,
    pub place: String,
    pub line: Option<u32>,
    /// The expression that is checked, as it stands in the program.
    pub expression: String,
    pub status: CheckStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<Range>,
}

/// How many checks are proved, violated and open.
pub fn totals(checks: &[CheckResult]) -> (usize, usize, usize) {
    let count = |status| checks.iter().filter(|c| c.status == status).count();
    (count(CheckStatus::Proved), count(CheckStatus::Violated), count(CheckStatus::Open))
}

/// A value that an execution took from outside.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct InputValue {
    /// The function that returned it, or the parameter of the function that was entered.
    pub name: String,
    pub value: String,
    pub place: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<Range>,
}

/// A step of an execution that a person wants to see.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Step {
    pub place: String,
    pub line: Option<u32>,
    pub source: String,
    /// What the step changed; in the cycle of an infinite execution, in its first iteration.
    pub values: BTreeMap<String, String>,
    /// The number of calls the step is inside of.
    pub depth: usize,
    /// The function it stands in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// The thread that takes it, if there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<Range>,
    /// The edge of the control-flow graph, for pictures.
    #[serde(skip)]
    pub edge: Option<u32>,
    /// What a temporal formula sees after the step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed: Option<Observed>,
}

/// What a temporal formula sees of a state or step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Observed {
    /// The truth of each proposition; without one, it differs between iterations.
    pub propositions: BTreeMap<String, Option<bool>>,
    /// Where the automaton of the negated formula is then.
    pub automaton: String,
}

impl std::fmt::Display for Observed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let said = |(name, truth): (&String, &Option<bool>)| match truth {
            Some(true) => format!("{name}: yes"),
            Some(false) => format!("{name}: no"),
            None => format!("{name}: differs between iterations"),
        };
        let said: Vec<String> = self.propositions.iter().map(said).collect();
        write!(f, "observed: {}; automaton: {}", said.join(", "), self.automaton)
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Remark {
    pub place: String,
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<Range>,
}

/// An engine that ran.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EngineRun {
    pub translation: String,
    pub engine: String,
    /// Since the question was asked.
    pub began_seconds: f64,
    pub seconds: f64,
    /// As in the RESULT line.
    pub result: String,
}

/// A problem of the input.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Problem {
    pub message: String,
    /// The message with the line of the source and a caret, as printed on a terminal.
    pub rendered: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<Range>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Input {
    pub path: String,
    /// SHA-256 of the content, or nothing: there was no such file.
    pub sha256: Option<String>,
}
