//! The temporal formulas that questions are about: from the property, or from a comment of the program.

use automata::ltl::{self, Parsed, PropositionKind};
use ir::Property;

/// A temporal formula that stands in a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stated {
    /// Counted from one.
    pub line: usize,
    pub formula: String,
}

/// The temporal formulas in the comments of a program: `//@ ltl invariant name: φ;` and `//#LTLProperty: φ`.
pub fn formulas(text: &str) -> Vec<Stated> {
    let of_line = |line: &str| -> Option<String> {
        let comment = &line[line.find("//")? + 2..];
        let comment = comment.trim_start();
        if let Some(formula) = comment.strip_prefix("#LTLProperty:") {
            return Some(formula.trim().to_string());
        }
        let rest = comment.strip_prefix('@')?.trim_start().strip_prefix("ltl")?;
        let rest = rest.strip_prefix([' ', '\t'])?.trim();
        let formula = match rest.strip_prefix("invariant") {
            Some(named) => named.split_once(':')?.1,
            None => rest,
        };
        Some(formula.trim().trim_end_matches(';').trim().to_string())
    };
    let lines = text.lines().enumerate();
    lines.filter_map(|(i, line)| Some(Stated { line: i + 1, formula: of_line(line)? })).collect()
}

/// The formula of a property of a program, read, or why there is none; `None` for other properties. `name` and `text` are the program's.
pub(crate) fn parsed(name: &str, text: &str, property: &Property) -> Result<Option<Parsed>, String> {
    let Property::Ltl(given) = property else { return Ok(None) };
    let (formula, place) = match (given, &formulas(text)[..]) {
        (Some(formula), _) => (formula.clone(), "the formula".to_string()),
        (None, [stated]) => (stated.formula.clone(), format!("{name}:{}", stated.line)),
        (None, []) => {
            let how = "write it as --property 'LTL(G \"x > 0\")', or into the program as //@ ltl invariant name: [](AP(x > 0));";
            return Err(format!("{name}: there is no temporal formula; {how}"));
        }
        (None, several) => {
            let lines: Vec<String> = several.iter().map(|s| s.line.to_string()).collect();
            let what = format!("formulas stand in lines {}; ask for one with --property", lines.join(", "));
            return Err(format!("{name}: {what} 'LTL(…)'"));
        }
    };
    ltl::parse(&formula).map(Some).map_err(|error| {
        let column = formula[..error.offset.min(formula.len())].chars().count();
        let caret = format!("{}^", " ".repeat(column));
        format!("{place}, column {}: {}\n  {formula}\n  {caret}", column + 1, error.message)
    })
}

/// The expressions among the propositions, in order.
pub(crate) fn expressions(parsed: &Parsed) -> Vec<String> {
    let is_expression = |p: &&ltl::Proposition| p.kind == PropositionKind::Expression;
    parsed.propositions.iter().filter(is_expression).map(|p| p.text.clone()).collect()
}
