//! Task definitions of SV-COMP: the few lines of YAML that they use.

use super::conventions::{Found, Test, test};
use std::path::Path;

pub(super) fn read(file: &Path, text: &str) -> Found {
    let folder = file.parent().unwrap_or(Path::new("."));
    let (mut input, mut model) = (None, "ILP32");
    // Each property, with its expectation.
    let mut properties: Vec<(String, Option<bool>)> = Vec::new();
    let mut wants_input = false;
    for line in text.lines() {
        let line = line.split(" #").next().unwrap_or("").trim();
        let line = line.strip_prefix("- ").unwrap_or(line);
        let (key, value) = match line.split_once(':') {
            Some((key, value)) => (key.trim(), value.trim().trim_matches(['\'', '"'])),
            None if wants_input => ("input_files", line.trim_matches(['\'', '"'])),
            None => continue,
        };
        wants_input = key == "input_files" && value.is_empty();
        match key {
            "input_files" if !value.is_empty() => {
                let earlier = input.replace(value.trim_matches(['[', ']', '\'', '"']).to_string());
                if earlier.is_some() {
                    return Err("several input files".to_string());
                }
            }
            "property_file" => {
                let name = value.rsplit('/').next().unwrap_or("").trim_end_matches(".prp");
                properties.push((name.to_string(), None));
            }
            "expected_verdict" => {
                if let Some(last) = properties.last_mut() {
                    last.1 = value.parse().ok();
                }
            }
            "data_model" => model = if value == "LP64" { "LP64" } else { "ILP32" },
            "language" if value != "C" => return Err(format!("language {value}")),
            _ => {}
        }
    }
    let Some(input) = input else { return Err("no input file".to_string()) };
    let known = ["unreach-call", "valid-memsafety", "no-overflow", "termination", "valid-memcleanup", "no-data-race"];
    let tests: Vec<Test> = properties
        .iter()
        .filter(|(property, expected)| known.contains(&property.as_str()) && expected.is_some())
        .map(|(property, expected)| Test {
            name: format!("{} {property}", file.display()),
            ..test(&folder.join(&input), property, *expected, model)
        })
        .collect();
    if tests.is_empty() { Err("no property of ours".to_string()) } else { Ok(tests) }
}
