//! Witnesses against the published schema of their format.

use serde_json::Value;
use std::path::Path;

/// Every place where a witness breaks the schema.
pub(crate) fn problems(witness: &Path) -> Vec<String> {
    let schema: Value = serde_json::from_str(include_str!("../witness.schema.json")).expect("the schema is JSON");
    let schema = jsonschema::validator_for(&schema).expect("the schema is one");
    let text = std::fs::read_to_string(witness).expect("there is a witness");
    let document: Value = serde_saphyr::from_str(&text).expect("a witness is YAML");
    schema.iter_errors(&document).map(|e| format!("{}: {e}", e.instance_path)).collect()
}
