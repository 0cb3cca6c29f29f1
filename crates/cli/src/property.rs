//! Properties by name and from SV-COMP property files.

use ir::Property;

/// A property of this name.
pub fn by_name(name: &str) -> Option<Property> {
    Some(match name {
        "unreach-call" => Property::UnreachCall,
        "no-overflow" => Property::NoOverflow,
        "valid-memsafety" => Property::ValidMemsafety,
        "valid-memcleanup" => Property::ValidMemcleanup,
        "termination" => Property::Termination,
        "no-data-race" => Property::NoDataRace,
        "ltl" => Property::Ltl(None),
        _ => return name.strip_prefix("ltl:").map(|f| Property::Ltl(Some(f.to_string()))),
    })
}

/// What `--property` means: a name, or the path of a property file.
pub fn parse(argument: &str) -> Result<Property, String> {
    if let Some(property) = by_name(argument) {
        return Ok(property);
    }
    if argument.ends_with(".prp") {
        let text = std::fs::read_to_string(argument).map_err(|e| format!("cannot read {argument}: {e}"))?;
        return from_file_text(&text).ok_or_else(|| format!("{argument}: no property that craig knows"));
    }
    Err(format!(
        "unknown property '{argument}'; use unreach-call, no-overflow, valid-memsafety, valid-memcleanup, termination, \
         no-data-race, ltl, ltl:<formula>, or a .prp file"
    ))
}

/// The property of an SV-COMP property file: `CHECK( init(main()), LTL(G ! call(reach_error())) )`.
pub fn from_file_text(text: &str) -> Option<Property> {
    let mut found = None;
    for line in text.lines() {
        let Some(start) = line.find("LTL(") else { continue };
        let formula = line[start + 4..].trim_end();
        let formula = formula.strip_suffix(')').unwrap_or(formula).trim_end();
        let formula = formula.strip_suffix(')').unwrap_or(formula).trim();
        let property = if formula.contains("call(") && formula.starts_with('G') {
            Property::UnreachCall
        } else if formula.contains("! overflow") || formula.contains("!overflow") {
            Property::NoOverflow
        } else if formula.contains("valid-memcleanup") {
            Property::ValidMemcleanup
        } else if formula.contains("valid-deref")
            || formula.contains("valid-free")
            || formula.contains("valid-memtrack")
        {
            Property::ValidMemsafety
        } else if formula.contains("! data-race") || formula.contains("!data-race") {
            Property::NoDataRace
        } else if formula == "F end" {
            Property::Termination
        } else {
            Property::Ltl(Some(formula.to_string()))
        };
        found = Some(property);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn property_files() {
        let file = |f: &str| from_file_text(&format!("CHECK( init(main()), LTL({f}) )\n"));
        assert_eq!(file("G ! call(reach_error())"), Some(Property::UnreachCall));
        assert_eq!(file("G ! overflow"), Some(Property::NoOverflow));
        assert_eq!(file("F end"), Some(Property::Termination));
        assert_eq!(file("G valid-free"), Some(Property::ValidMemsafety));
        assert_eq!(file("G valid-memcleanup"), Some(Property::ValidMemcleanup));
        assert_eq!(file("G ! data-race"), Some(Property::NoDataRace));
        assert_eq!(from_file_text("nothing"), None);
    }
}
