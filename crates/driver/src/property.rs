//! Properties by name and in the words of SV-COMP's property files.

use ir::Property;

/// The names of all properties that have one word.
pub const NAMES: &[&str] = &[
    "unreach-call",
    "no-overflow",
    "no-division-by-zero",
    "no-invalid-shift",
    "no-uninitialised-read",
    "no-null-dereference",
    "valid-memsafety",
    "valid-memcleanup",
    "undefined",
    "all",
    "termination",
    "no-data-race",
    "no-deadlock",
    "ltl",
];

/// A property of this name.
pub fn by_name(name: &str) -> Option<Property> {
    Some(match name {
        "unreach-call" => Property::UnreachCall,
        "no-overflow" => Property::NoOverflow,
        "valid-memsafety" => Property::ValidMemsafety,
        "valid-memcleanup" => Property::ValidMemcleanup,
        "no-division-by-zero" => Property::NoDivisionByZero,
        "no-invalid-shift" => Property::NoInvalidShift,
        "no-uninitialised-read" => Property::NoUninitialisedRead,
        "no-null-dereference" => Property::NoNullDereference,
        "undefined" => Property::Undefined,
        "all" => Property::All,
        "termination" => Property::Termination,
        "no-data-race" => Property::NoDataRace,
        "no-deadlock" => Property::NoDeadlock,
        "ltl" => Property::Ltl(None),
        _ => {
            let of = name.strip_prefix("unreach-call:").filter(|f| is_identifier(f));
            let of = of.map(|f| Property::UnreachCallOf(f.to_string()));
            let in_parentheses = |n: &str| Some(n.trim().strip_prefix("LTL(")?.strip_suffix(')')?.trim().to_string());
            let formula = name.strip_prefix("ltl:").map(str::to_string).or_else(|| in_parentheses(name));
            return of.or_else(|| formula.map(|f| Property::Ltl(Some(f))));
        }
    })
}

fn is_identifier(text: &str) -> bool {
    let is_first = |c: char| c.is_alphabetic() || c == '_';
    text.starts_with(is_first) && text.chars().all(|c| is_first(c) || c.is_ascii_digit())
}

/// The formula of a property in an SV-COMP property file. SV-COMP has none for the last ones; they are by their names.
pub fn specification(property: &Property, entry: &str) -> Vec<String> {
    let formulas: Vec<String> = match property {
        Property::UnreachCall => vec!["G ! call(reach_error())".to_string()],
        Property::UnreachCallOf(function) => vec![format!("G ! call({function}())")],
        Property::NoOverflow => vec!["G ! overflow".to_string()],
        Property::ValidMemsafety => ["G valid-free", "G valid-deref", "G valid-memtrack"].map(String::from).to_vec(),
        Property::ValidMemcleanup => vec!["G valid-memcleanup".to_string()],
        Property::Termination => vec!["F end".to_string()],
        Property::NoDataRace => vec!["G ! data-race".to_string()],
        Property::NoDivisionByZero
        | Property::NoInvalidShift
        | Property::NoUninitialisedRead
        | Property::NoNullDereference
        | Property::NoDeadlock
        | Property::Undefined
        | Property::All => vec![format!("G {}", property.name())],
        Property::Ltl(formula) => vec![formula.clone().unwrap_or_default()],
    };
    formulas.into_iter().map(|f| format!("CHECK( init({entry}()), LTL({f}) )")).collect()
}

/// The properties of an SV-COMP property file: `CHECK( init(main()), LTL(G ! call(reach_error())) )`.
pub fn from_file_text(text: &str) -> Vec<Property> {
    let mut found = Vec::new();
    for line in text.lines() {
        let Some(start) = line.find("LTL(") else { continue };
        let formula = line[start + 4..].trim_end();
        let formula = formula.strip_suffix(')').unwrap_or(formula).trim_end();
        let formula = formula.strip_suffix(')').unwrap_or(formula).trim();
        let called = formula.split_once("call(").map(|(_, rest)| rest.split(['(', ')']).next().unwrap_or("").trim());
        let property = if let (Some(function), true) = (called, formula.starts_with('G')) {
            if is_identifier(function) { Property::UnreachCallOf(function.to_string()) } else { Property::UnreachCall }
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
        } else if let Some(named) = formula.strip_prefix("G ").and_then(by_name) {
            named
        } else if formula == "F end" {
            Property::Termination
        } else {
            Property::Ltl(Some(formula.to_string()))
        };
        if !found.contains(&property) {
            found.push(property);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn property_files() {
        let line = |f: &str| format!("CHECK( init(main()), LTL({f}) )\n");
        let file = |f: &str| from_file_text(&line(f));
        assert_eq!(file("G ! call(reach_error())"), [Property::UnreachCallOf("reach_error".to_string())]);
        assert_eq!(file("G ! call(__VERIFIER_error())"), [Property::UnreachCallOf("__VERIFIER_error".to_string())]);
        assert_eq!(file("G ! overflow"), [Property::NoOverflow]);
        assert_eq!(file("F end"), [Property::Termination]);
        assert_eq!(file("G valid-free"), [Property::ValidMemsafety]);
        assert_eq!(file("G valid-memcleanup"), [Property::ValidMemcleanup]);
        assert_eq!(file("G ! data-race"), [Property::NoDataRace]);
        assert_eq!(from_file_text("nothing"), []);
        let several = [line("G valid-free"), line("G valid-deref"), line("G ! overflow")].concat();
        assert_eq!(from_file_text(&several), [Property::ValidMemsafety, Property::NoOverflow]);
    }

    #[test]
    fn names_are_those_of_the_properties() {
        for name in NAMES {
            assert_eq!(by_name(name).map(|p| p.name()), Some(*name));
        }
    }

    #[test]
    fn specifications_are_read_back() {
        let with_function = ["unreach-call:f"].into_iter();
        for name in with_function.chain(NAMES.iter().copied().filter(|n| !["unreach-call", "ltl"].contains(n))) {
            let property = by_name(name).expect("a property");
            assert_eq!(from_file_text(&specification(&property, "main").join("\n")), [property]);
        }
    }
}
