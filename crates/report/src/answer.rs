//! The answer of a check as a type, and as the text of the RESULT line.

use ir::Reason;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What follows `RESULT: `. In JSON it is that text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "String", from = "String")]
pub enum Answer {
    Holds,
    /// The property that is violated, or the part of it.
    Violated(String),
    /// Why there is no answer.
    Unknown(String),
    /// The program could not be read.
    BadInput,
}

impl Default for Answer {
    fn default() -> Answer {
        Answer::Unknown(String::new())
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Holds => f.write_str("true"),
            Answer::Violated(property) => write!(f, "false({property})"),
            Answer::Unknown(reason) => write!(f, "unknown({reason})"),
            Answer::BadInput => f.write_str("error"),
        }
    }
}

impl From<Answer> for String {
    fn from(answer: Answer) -> String {
        answer.to_string()
    }
}

impl From<String> for Answer {
    fn from(text: String) -> Answer {
        let (word, rest) = text.split_once('(').unwrap_or((&text, ""));
        let inner = rest.strip_suffix(')').unwrap_or(rest);
        match word {
            "true" => Answer::Holds,
            "false" => Answer::Violated(inner.to_string()),
            "error" => Answer::BadInput,
            "unknown" => Answer::Unknown(inner.to_string()),
            _ => Answer::Unknown(text),
        }
    }
}

/// Why there is no answer, as far as it matters for what the user can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReasonKind {
    Timeout,
    OutOfMemory,
    Cancelled,
    /// Something in the program is not modelled.
    Unsupported,
    /// The engine cannot check the property.
    UnsupportedProperty,
    /// The execution that was found passes something that is not modelled exactly.
    NotExact,
    /// The execution that was found depends on undefined behaviour.
    Undefined,
    /// The search ended without an answer.
    Incomplete,
    /// The evidence was not accepted: a bug in Craig.
    Rejected,
    /// Another bug in Craig.
    Internal,
}

impl ReasonKind {
    pub fn of(reason: &Reason) -> ReasonKind {
        match reason {
            Reason::Stopped(base::Stop::Timeout) => ReasonKind::Timeout,
            Reason::Stopped(base::Stop::OutOfMemory) => ReasonKind::OutOfMemory,
            Reason::Stopped(base::Stop::Cancelled) => ReasonKind::Cancelled,
            Reason::Unsupported(_) => ReasonKind::Unsupported,
            Reason::UnsupportedProperty(_) => ReasonKind::UnsupportedProperty,
            Reason::NotExact(_) => ReasonKind::NotExact,
            Reason::Undefined(_) => ReasonKind::Undefined,
            Reason::Incomplete(_) | Reason::Exhausted(_) => ReasonKind::Incomplete,
            Reason::Rejected(_) => ReasonKind::Rejected,
            Reason::Internal(_) => ReasonKind::Internal,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_as_they_are_written() {
        let unknown = Answer::Unknown("unsupported: f (at a.c:1)".into());
        for answer in [Answer::Holds, Answer::Violated("valid-free".into()), unknown, Answer::BadInput] {
            assert_eq!(Answer::from(answer.to_string()), answer);
        }
        assert_eq!(Answer::from("nonsense".to_string()), Answer::Unknown("nonsense".into()));
    }
}
