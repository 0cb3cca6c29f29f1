//! What there is to choose from: properties, engines, examples.

use crate::examples::{EXAMPLES, Example};
use driver::property;
use serde_json::{Value, json};

/// One line on each property, for people who choose.
fn summary(name: &str) -> &'static str {
    match name {
        "unreach-call" => "No assertion fails and no error function is called",
        "no-overflow" => "No signed integer overflows",
        "no-division-by-zero" => "No integer is divided by zero",
        "no-invalid-shift" => "Shift amounts are in range",
        "no-uninitialised-read" => "No uninitialised memory is read",
        "no-null-dereference" => "No access through a null pointer",
        "undefined" => "Nothing that C leaves undefined happens",
        "all" => "Nothing undefined, no failing assertion, no lost memory",
        "valid-memsafety" => "Memory: accesses and frees are valid, nothing is lost",
        "valid-memcleanup" => "All memory is freed at the end",
        "termination" => "Every execution ends",
        "no-data-race" => "Threads do not race for data",
        "no-deadlock" => "Threads do not wait for each other forever",
        "ltl" => "A temporal formula holds",
        _ => "",
    }
}

pub fn reply(version: &str) -> Value {
    let properties: Vec<Value> =
        property::NAMES.iter().map(|name| json!({ "name": name, "summary": summary(name) })).collect();
    let engine = |e: &&'static dyn engine::Engine| {
        let supports = |name: &&&str| property::by_name(name).is_some_and(|p| e.supports(&p));
        let supported: Vec<&&str> = property::NAMES.iter().filter(supports).collect();
        json!({
            "name": e.name(), "summary": e.summary(), "properties": supported,
            "threads": e.profile().wants == engine::Wants::Threads,
        })
    };
    let engines: Vec<Value> = engine::engines().iter().map(engine).collect();
    let example = |e: &Example| {
        json!({
            "group": e.group, "title": e.title, "path": e.path, "language": e.language(), "property": e.property(),
            "entry": e.entry(), "expected": e.expected(), "source": e.source(), "old_source": e.old_source(),
        })
    };
    let examples: Vec<Value> = EXAMPLES.iter().map(example).collect();
    json!({ "kind": "registry", "version": version, "properties": properties, "engines": engines, "examples": examples })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_property_is_explained_and_every_engine_supports_one() {
        assert!(property::NAMES.iter().all(|n| !summary(n).is_empty()));
        let reply = reply("1");
        let engines = reply["engines"].as_array().expect("engines");
        assert!(engines.len() > 5);
        assert!(engines.iter().all(|e| !e["properties"].as_array().expect("properties").is_empty()), "{reply}");
    }
}
