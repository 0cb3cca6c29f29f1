//! The temporal formulas that questions are about: from the property, or from a comment of the program.

use automata::ltl::{self, Parsed, PropositionKind};
use base::Excerpt;
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

/// The properties that a property stands for in a program: `ltl` is every formula that the program states.
pub fn properties(text: &str, property: &Property) -> Vec<Property> {
    match (property, &formulas(text)[..]) {
        (Property::Ltl(None), several @ [_, _, ..]) => {
            several.iter().map(|s| Property::Ltl(Some(s.formula.clone()))).collect()
        }
        _ => vec![property.clone()],
    }
}

/// A formula that was read, with its text.
pub(crate) struct Formula {
    pub(crate) text: String,
    /// Where it stands, for messages.
    place: String,
    pub(crate) parsed: Parsed,
}

/// The formula of a property of a program, read, or why there is none; `None` for other properties. `name` and `text`
/// are the program's.
pub(crate) fn parsed(name: &str, text: &str, property: &Property) -> Result<Option<Formula>, String> {
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
    match ltl::parse(&formula) {
        Ok(parsed) => Ok(Some(Formula { text: formula, place, parsed })),
        Err(error) => Err(pointed(&formula, &place, error.offset, &error.message)),
    }
}

/// A message about a place in a formula.
fn pointed(formula: &str, place: &str, offset: usize, message: &str) -> String {
    let column = formula[..offset.min(formula.len())].chars().count();
    let caret = format!("{}^", " ".repeat(column));
    format!("{place}, column {}: {message}\n  {formula}\n  {caret}", column + 1)
}

impl Formula {
    /// The expressions among the propositions, in order.
    pub(crate) fn expressions(&self) -> Vec<Excerpt> {
        let is_expression = |p: &&ltl::Proposition| p.kind == PropositionKind::Expression;
        let excerpt = |p: &ltl::Proposition| {
            let before = p.offset.min(self.text.len());
            let start = self.text[before..].find(&p.text).map_or(before, |at| before + at);
            let (name, whole) = ("the formula".to_string(), self.text.clone());
            Excerpt { name, whole, start, end: (start + p.text.len()).min(self.text.len()) }
        };
        self.parsed.propositions.iter().filter(is_expression).map(excerpt).collect()
    }

    /// A message about the proposition that speaks of an event.
    pub(crate) fn at_event(&self, event: &ir::Event, message: &str) -> String {
        let is_meant = |p: &&ltl::Proposition| p.kind != PropositionKind::Expression && p.text == event.name;
        let offset = self.parsed.propositions.iter().find(is_meant).map_or(0, |p| p.offset);
        pointed(&self.text, &self.place, offset, message)
    }

    /// The other propositions, by what happens.
    pub(crate) fn events(&self) -> Vec<ir::Event> {
        let event = |p: &ltl::Proposition| {
            let kind = match p.kind {
                PropositionKind::Expression => return None,
                PropositionKind::Call => ir::EventKind::Call,
                PropositionKind::Return => ir::EventKind::Return,
                PropositionKind::At => ir::EventKind::At,
            };
            Some(ir::Event { kind, name: p.text.clone() })
        };
        self.parsed.propositions.iter().filter_map(event).collect()
    }
}
