//! Requests: what may be asked, and how much of it.
//!
//! A request with a field that is not listed here is refused, and so is one beyond the [`Limits`] of whoever answers;
//! times and memory beyond them are cut down instead.

use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
    /// What there is to choose from.
    Registry,
    Check(Check),
    Solve(Solve),
    Interpolate(Interpolate),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Language {
    C,
    Boogie,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Integers {
    Int,
    Bitvec,
    #[default]
    Auto,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum DataModel {
    #[serde(rename = "ILP32")]
    Ilp32,
    #[default]
    #[serde(rename = "LP64")]
    Lp64,
}

/// Does a program have a property?
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    pub language: Language,
    pub source: String,
    /// An older version of the program, to compare with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_source: Option<String>,
    /// By name; `ltl:` is followed by a formula.
    pub property: String,
    #[serde(default = "auto")]
    pub engine: String,
    #[serde(default)]
    pub integers: Integers,
    #[serde(default)]
    pub data_model: DataModel,
    /// The function executions start in; `None`: `main`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
    #[serde(default = "ten_seconds")]
    pub timeout_ms: u64,
    #[serde(default = "one_gigabyte")]
    pub memory_mb: u64,
}

/// An SMT-LIB script.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Solve {
    pub script: String,
    #[serde(default = "ten_seconds")]
    pub timeout_ms: u64,
}

/// Interpolants of an unsatisfiable formula in DIMACS format, under partial assignments.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Interpolate {
    pub cnf: String,
    /// The first so many clauses are A.
    pub split: usize,
    /// Literals to assume: the first none, one, two, … of them, an answer for each.
    #[serde(default)]
    pub assignment: Vec<i64>,
    #[serde(default = "mcmillan")]
    pub labelling: String,
    #[serde(default = "propagated")]
    pub focus: String,
    #[serde(default = "ten_seconds")]
    pub timeout_ms: u64,
}

fn auto() -> String {
    "auto".to_string()
}
fn mcmillan() -> String {
    "mcmillan".to_string()
}
fn propagated() -> String {
    "propagated".to_string()
}
fn ten_seconds() -> u64 {
    10_000
}
fn one_gigabyte() -> u64 {
    1024
}

/// How much may be asked.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub source_bytes: usize,
    pub timeout_ms: u64,
    pub memory_mb: u64,
}

/// Names and formulas are not longer than this.
const MAX_WORD: usize = 2_000;
/// More assigned literals are not looked at one by one.
const MAX_ASSIGNED: usize = 200;

impl Request {
    /// Reads a request and holds it to the limits.
    pub fn parse(text: &str, limits: &Limits) -> Result<Request, String> {
        let mut request: Request = serde_json::from_str(text).map_err(|e| format!("this is no request: {e}"))?;
        let too_long = |what: &str, bytes: usize| {
            let (kilobytes, limit) = (bytes.div_ceil(1024), limits.source_bytes / 1024);
            Err(format!("the {what} has {kilobytes} kB; at most {limit} kB are taken here"))
        };
        match &mut request {
            Request::Registry => {}
            Request::Check(asked) => {
                let bytes = asked.source.len() + asked.old_source.as_ref().map_or(0, String::len);
                if bytes > limits.source_bytes {
                    return too_long("program", bytes);
                }
                let words = [Some(&asked.property), Some(&asked.engine), asked.entry.as_ref()];
                if words.into_iter().flatten().any(|w| w.len() > MAX_WORD) {
                    return Err(format!("property, engine and entry have at most {MAX_WORD} bytes each"));
                }
                asked.timeout_ms = asked.timeout_ms.clamp(1, limits.timeout_ms);
                asked.memory_mb = asked.memory_mb.clamp(16, limits.memory_mb);
            }
            Request::Solve(asked) => {
                if asked.script.len() > limits.source_bytes {
                    return too_long("script", asked.script.len());
                }
                asked.timeout_ms = asked.timeout_ms.clamp(1, limits.timeout_ms);
            }
            Request::Interpolate(asked) => {
                if asked.cnf.len() > limits.source_bytes {
                    return too_long("formula", asked.cnf.len());
                }
                if asked.assignment.len() > MAX_ASSIGNED {
                    return Err(format!("at most {MAX_ASSIGNED} literals can be assigned"));
                }
                asked.timeout_ms = asked.timeout_ms.clamp(1, limits.timeout_ms);
            }
        }
        Ok(request)
    }

    /// One line of JSON, without its end.
    pub fn line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits { source_bytes: 1024, timeout_ms: 5_000, memory_mb: 512 };

    #[test]
    fn limits_hold() {
        let text = r#"{"kind":"check","language":"c","source":"int main(void){}","property":"unreach-call","timeout_ms":90000}"#;
        let Ok(Request::Check(asked)) = Request::parse(text, &LIMITS) else { panic!("a check") };
        assert_eq!((asked.timeout_ms, asked.memory_mb, asked.engine.as_str()), (5_000, 512, "auto"));
        let long = format!(r#"{{"kind":"solve","script":"{}"}}"#, ";".repeat(2048));
        assert_eq!(Request::parse(&long, &LIMITS), Err("the script has 2 kB; at most 1 kB are taken here".to_string()));
    }

    #[test]
    fn only_listed_options_are_taken() {
        for option in
            [r#""cpp":"sh -c id""#, r#""include":["/etc"]"#, r#""witness":"/tmp/w""#, r#""name":"/etc/passwd""#]
        {
            let text = format!(r#"{{"kind":"check","language":"c","source":"","property":"termination",{option}}}"#);
            let refused = Request::parse(&text, &LIMITS).expect_err("an option that is not listed");
            assert!(refused.contains("unknown field"), "{refused}");
        }
        for text in ["", "[]", "{}", r#"{"kind":"run"}"#, r#"{"kind":"check"}"#, "\u{0}"] {
            assert!(Request::parse(text, &LIMITS).is_err(), "{text}");
        }
    }

    #[test]
    fn requests_are_read_back() {
        let text = r#"{"kind":"interpolate","cnf":"p cnf 1 2\n1 0\n-1 0\n","split":1}"#;
        let request = Request::parse(text, &LIMITS).expect("a request");
        assert!(!request.line().contains('\n'));
        assert_eq!(Request::parse(&request.line(), &LIMITS), Ok(request));
    }
}
