//! What `--property` means: properties by name and from SV-COMP property files.

use driver::property::entries_in_file_text;
pub(crate) use driver::property::{by_name, from_file_text, specification};
use ir::Property;

/// What several `--property` mean together, each once.
pub(crate) fn parse_all(arguments: &[String]) -> Result<Vec<Property>, String> {
    let mut properties = Vec::new();
    for argument in arguments {
        for property in parse_several(argument)? {
            if !properties.contains(&property) {
                properties.push(property);
            }
        }
    }
    Ok(properties)
}

/// Property files name the function that executions start in: it must be the one that is checked.
pub(crate) fn check_entries(arguments: &[String], entries: &[String]) -> Result<(), String> {
    for argument in arguments.iter().filter(|a| a.ends_with(".prp") && by_name(a).is_none()) {
        let named = entries_in_file_text(&std::fs::read_to_string(argument).unwrap_or_default());
        let is_asked = |name: &String| match entries {
            [] => name == "main",
            _ => entries.contains(name),
        };
        if let Some(other) = named.iter().find(|name| !is_asked(name)) {
            return Err(format!("{argument} is about executions that start in {other}; use --entry {other}"));
        }
    }
    Ok(())
}

/// What `--property` means where only one is wanted.
pub(crate) fn parse(argument: &str) -> Result<Property, String> {
    match &parse_several(argument)?[..] {
        [property] => Ok(property.clone()),
        _ => Err(format!("{argument} has several properties; name one of them")),
    }
}

/// A name, or the path of a property file, which may have several.
fn parse_several(argument: &str) -> Result<Vec<Property>, String> {
    if let Some(property) = by_name(argument) {
        return Ok(vec![property]);
    }
    if argument.ends_with(".prp") {
        let text = std::fs::read_to_string(argument)
            .map_err(|e| format!("cannot read the property file {argument}: {e}; check the path"))?;
        let properties = from_file_text(&text);
        if properties.is_empty() {
            return Err(format!(
                "{argument}: there is no property; a line such as CHECK( init(main()), LTL(G ! call(reach_error())) ) is \
                 expected"
            ));
        }
        return Ok(properties);
    }
    let names = driver::property::NAMES.join(", ");
    Err(format!("unknown property '{argument}'; use {names}, unreach-call:<function>, ltl:<formula>, or a .prp file"))
}
