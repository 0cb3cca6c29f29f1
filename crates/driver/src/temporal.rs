//! Temporal properties: the product of the program with the Büchi automaton of the negated formula has no execution that counts.
//!
//! The formula comes with the property or stands in a comment of the program ([`formulas`]). Its propositions go to the front end, which
//! says what they mean as terms; [`ir::temporal`] makes the product, whose infinite executions the engines for termination look at. As
//! for termination, a proof is about executions in which signed numbers go on growing, and a violation must not overflow.

use crate::load::{BadInput, Language, Loaded, Source};
use crate::outcome::Finding;
use crate::session::{Attempt, Session};
use crate::termination::verify_infinite;
use automata::ltl::{self, LtlAutomaton, Parsed, PropositionKind};
use base::Budget;
use ir::inline::{InlineLimits, inline_calls};
use ir::temporal::{Monitor, endless, product};
use ir::{Icfg, Observed, Program, Property, Reason};
use logic::TermPool;

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

/// The formula of a property, read; `None` for other properties.
pub(crate) fn parsed(source: &Source, property: &Property) -> Result<Option<Parsed>, BadInput> {
    let Property::Ltl(given) = property else { return Ok(None) };
    let name = source.path.display();
    let (formula, place) = match (given, &formulas(source.text())[..]) {
        (Some(formula), _) => (formula.clone(), "the formula".to_string()),
        (None, [stated]) => (stated.formula.clone(), format!("{name}:{}", stated.line)),
        (None, []) => {
            let how = "write it as --property 'LTL(G \"x > 0\")', or into the program as //@ ltl invariant name: [](AP(x > 0));";
            return Err(BadInput::new(format!("{name}: there is no temporal formula; {how}")));
        }
        (None, several) => {
            let lines: Vec<String> = several.iter().map(|s| s.line.to_string()).collect();
            let what = format!("formulas stand in lines {}; ask for one with --property", lines.join(", "));
            return Err(BadInput::new(format!("{name}: {what} 'LTL(…)'")));
        }
    };
    ltl::parse(&formula).map(Some).map_err(|error| {
        let column = formula[..error.offset.min(formula.len())].chars().count();
        let caret = format!("{}^", " ".repeat(column));
        BadInput::new(format!("{place}, column {}: {}\n  {formula}\n  {caret}", column + 1, error.message))
    })
}

/// The expressions among the propositions, in order.
pub(crate) fn expressions(parsed: &Parsed) -> Vec<String> {
    let is_expression = |p: &&ltl::Proposition| p.kind == PropositionKind::Expression;
    parsed.propositions.iter().filter(is_expression).map(|p| p.text.clone()).collect()
}

/// Puts the propositions about calls between those that the front end understood.
fn with_events(program: &mut Program, parsed: &Parsed) -> Result<(), Reason> {
    let unsupported = |what: String| Reason::Unsupported(what);
    let entry = program.entries.first().copied();
    let known = program.observations.take();
    let mut states = known.iter().flat_map(|o| o.propositions.clone());
    let mut propositions = Vec::with_capacity(parsed.propositions.len());
    for proposition in &parsed.propositions {
        let procedure = || {
            let found = program.procs.iter().find(|(_, p)| p.name == proposition.text).map(|(id, _)| id);
            found.ok_or_else(|| unsupported(format!("{proposition}: no function of this name is translated")))
        };
        propositions.push(match proposition.kind {
            PropositionKind::Expression => {
                let what = || unsupported(format!("the proposition {proposition}"));
                states.next().ok_or_else(what)?
            }
            PropositionKind::Call => Observed::Call(procedure()?),
            PropositionKind::Return => Observed::Return(procedure()?),
            PropositionKind::At => return Err(unsupported(format!("the proposition {proposition}"))),
        });
    }
    let Some(entry) = known.as_ref().map(|o| o.entry).or(entry) else {
        return Err(unsupported("a program without entry procedure".to_string()));
    };
    program.observations = Some(ir::Observations { propositions, entry, has_marked_steps: false });
    Ok(())
}

fn monitor(automaton: &LtlAutomaton) -> Monitor {
    let edge = |e: &ltl::LtlEdge| {
        let guard = e.guard.literals().map(|(p, value)| (p as usize, value)).collect();
        (guard, e.target)
    };
    Monitor {
        initial: automaton.initial.clone(),
        accepting: automaton.accepting.clone(),
        edges: automaton.edges.iter().map(|row| row.iter().map(edge).collect()).collect(),
    }
}

/// Does every execution of a program satisfy the formula of the property?
pub(crate) fn verify_temporal(
    session: &mut Session<'_>,
    attempt: &Attempt,
    loaded: &mut Loaded,
    budget: &Budget,
) -> Finding {
    let unknown = |reason: Reason| Finding::unknown(reason, "");
    let Ok(Some(parsed)) = parsed(session.source, session.property) else {
        return unknown(Reason::Unsupported("a property without formula".to_string()));
    };
    if let Err(reason) = with_events(&mut loaded.program, &parsed) {
        return unknown(reason);
    }
    let negated = ltl::negation_normal_form(&parsed.formula, false);
    let monitor = match ltl::translate(&negated, budget) {
        Ok(automaton) => monitor(&automaton),
        Err(stop) => return unknown(Reason::Stopped(stop)),
    };
    let has_next = parsed.formula.has_next();
    let is_c = session.source.language == Language::C;
    // In C the only checks are for what is undefined; in Boogie an execution that fails one has ended.
    let ends = move |_: &ir::Check| !is_c;
    let mut copies = Vec::new();
    let mut graph_of = |program: &Program, pool: &mut TermPool| -> Result<Icfg, Reason> {
        let mut program = program.clone();
        let has_marked_steps = endless(&mut program);
        let Some(observations) = &mut program.observations else {
            return Err(Reason::Unsupported("a program that cannot be observed".to_string()));
        };
        observations.has_marked_steps = has_marked_steps;
        let graph = Icfg::build(&program, pool);
        let (inlined, map) =
            inline_calls(&graph, pool, &InlineLimits::default()).map_err(|e| Reason::Incomplete(e.to_string()))?;
        let Some(observations) = &program.observations else {
            return Err(Reason::Unsupported("a program that cannot be observed".to_string()));
        };
        let made = product(&inlined, (&graph, &map), &monitor, observations, has_next, &ends, pool);
        copies = map.vars.iter().map(|(copy, (original, _))| (copy, *original)).collect();
        made.map(|product| product.icfg).map_err(|e| Reason::Unsupported(e.to_string()))
    };
    let finding = verify_infinite(session, attempt, loaded, budget, &mut graph_of);
    loaded.program.source = loaded.program.source.for_copies(&copies);
    finding
}
