//! The answer as JSON for programs; `docs/json.md` describes the document. A single file gives one object, several give
//! one object with the list of them, so that a reader finds `version` at the top either way.

use crate::result::{FileResult, Kind, VERSION};
use serde_json::{Value, json};

/// The document for one file.
pub fn one(found: &FileResult) -> String {
    let object = serde_json::to_value(found).unwrap_or(Value::Null);
    format!("{object:#}\n")
}

/// The document for several files.
pub fn several(found: &[FileResult]) -> String {
    let count = |kind: Kind| found.iter().filter(|f| f.kind() == kind).count();
    let object = json!({
        "version": VERSION,
        "results": found,
        "summary": {
            "files": found.len(),
            "holds": count(Kind::Holds),
            "violated": count(Kind::Violated),
            "unknown": count(Kind::Unknown),
            "errors": count(Kind::BadInput),
            "cached": found.iter().filter(|f| f.cached).count(),
        },
    });
    format!("{object:#}\n")
}
