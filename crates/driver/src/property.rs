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
    let text = without_comments(text);
    let mut found = Vec::new();
    for formula in in_parentheses(&text, "LTL(") {
        let property = of_formula(formula.trim());
        if !found.contains(&property) {
            found.push(property);
        }
    }
    found
}

/// The functions that the executions of such a file start in, each once.
pub fn entries_in_file_text(text: &str) -> Vec<String> {
    let text = without_comments(text);
    let mut names: Vec<String> =
        in_parentheses(&text, "init(").map(|call| call.split('(').next().unwrap_or(call).trim().to_string()).collect();
    names.dedup();
    names
}

/// The text without `//` and `/* */`, which mean nothing inside quotes.
fn without_comments(text: &str) -> String {
    let mut out = String::new();
    let (mut rest, mut is_quoted) = (text, false);
    while let Some(c) = rest.chars().next() {
        let end = match c {
            _ if is_quoted => None,
            _ if rest.starts_with("//") => Some(rest.find('\n').unwrap_or(rest.len())),
            _ if rest.starts_with("/*") => Some(rest.find("*/").map_or(rest.len(), |i| i + 2)),
            _ => None,
        };
        is_quoted ^= c == '"';
        match end {
            Some(end) => {
                out.push(' ');
                rest = &rest[end..];
            }
            None => {
                out.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    out
}

/// What stands between each such opening parenthesis and the closing one; quoted text has none.
fn in_parentheses<'t>(text: &'t str, open: &'static str) -> impl Iterator<Item = &'t str> {
    text.match_indices(open).map(move |(at, _)| {
        let rest = &text[at + open.len()..];
        let (mut depth, mut is_quoted) = (1, false);
        let end = rest.find(|c| {
            match c {
                '"' => is_quoted = !is_quoted,
                '(' if !is_quoted => depth += 1,
                ')' if !is_quoted => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        &rest[..end.unwrap_or(rest.len())]
    })
}

/// Properties that SV-COMP has names for are told by their formulas; others are temporal.
fn of_formula(formula: &str) -> Property {
    let plain: String = formula.chars().filter(|c| !c.is_whitespace()).collect();
    let called = plain.strip_prefix("G!call(").and_then(|rest| {
        let (name, rest) = rest.split_once(['(', ')'])?;
        // `f` or `f()`, and nothing behind it.
        (is_identifier(name) && rest.trim_end_matches(')').is_empty()).then_some(name)
    });
    match (called, plain.as_str()) {
        (Some(function), _) => Property::UnreachCallOf(function.to_string()),
        (_, "G!overflow") => Property::NoOverflow,
        (_, "Gvalid-memcleanup") => Property::ValidMemcleanup,
        (_, "Gvalid-deref" | "Gvalid-free" | "Gvalid-memtrack") => Property::ValidMemsafety,
        (_, "G!data-race") => Property::NoDataRace,
        (_, "Fend") => Property::Termination,
        (_, plain) => match plain.strip_prefix('G').and_then(by_name) {
            Some(named) => named,
            None => Property::Ltl(Some(formula.to_string())),
        },
    }
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
        // Only what is one of them is one of them.
        let temporal = |f: &str| vec![Property::Ltl(Some(f.to_string()))];
        for formula in ["G F call(h)", "G (call(f) ==> F call(g))", "G (! call(g) || \"x==1\")", "G ! call(f) && F end"]
        {
            assert_eq!(file(formula), temporal(formula));
        }
        assert_eq!(file("G!call(f)"), [Property::UnreachCallOf("f".to_string())]);
        assert_eq!(from_file_text(&format!("// {}{}", line("F end"), line("G ! overflow"))), [Property::NoOverflow]);
        let commented = format!("/* {} */ {} // {}", line("F end"), line("G ! overflow"), line("G valid-free"));
        assert_eq!(from_file_text(&commented), [Property::NoOverflow]);
        assert_eq!(file("F \"a//b == 1\""), temporal("F \"a//b == 1\""));
        assert_eq!(from_file_text("CHECK( init(main()),\n  LTL(F end) ) behind"), [Property::Termination]);
        assert_eq!(file("F \"a == ')'\""), temporal("F \"a == ')'\""));
        assert_eq!(entries_in_file_text(&line("F end")), ["main"]);
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
