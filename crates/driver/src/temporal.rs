//! Temporal properties: the product of the program with the Büchi automaton of the negated formula has no execution that counts.
//!
//! The formula comes with the property or stands in a comment of the program ([`crate::formula`]). Its propositions go to the front end, which
//! says what they mean as terms; [`ir::temporal`] makes the product, whose infinite executions the engines for termination look at. As
//! for termination, a proof is about executions in which signed numbers go on growing, and a violation must not overflow.

use crate::formula::parsed;
use crate::load::{Language, Loaded};
use crate::outcome::Finding;
use crate::session::{Attempt, Session};
use crate::termination::verify_infinite;
use automata::ltl::{self, LtlAutomaton, Parsed, PropositionKind};
use base::Budget;
use ir::inline::{InlineLimits, inline_calls};
use ir::temporal::{Monitor, MonitorEdge, endless, product};
use ir::{Icfg, Observed, Program, Reason};
use logic::TermPool;

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
        MonitorEdge { guard, target: e.target }
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
    let name = session.source.path.display().to_string();
    let Ok(Some(parsed)) = parsed(&name, session.source.text(), session.property) else {
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
