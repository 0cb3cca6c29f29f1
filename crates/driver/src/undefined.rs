//! Undefined behaviour: the C standard gives no meaning to an execution from its first undefined operation on.
//!
//! A violation is replayed in the program instrumented with checks for undefined behaviour. If it depends on undefined
//! behaviour, the search is repeated among the executions without any. In the same way an execution through a construct
//! that is not modelled exactly shows nothing, and the search is repeated among the others.

use crate::formula::parsed;
use crate::graphs::graph_of_lasso;
use crate::load::{Language, Loaded, also_checked};
use crate::outcome::{Finding, InfiniteExecution, Outcome, Violation};
use crate::portfolio::verify_graph;
use crate::product::verify_threads;
use crate::session::{Attempt, Reuse, Session};
use crate::settings::Engines;
use crate::shorten::shortened;
use crate::threads;
use automata::ltl::{self, LassoWord, Letter};
use base::Budget;
use engine::Wants;
use exec::driven::Driven;
use ir::{Icfg, Label, Program, Property, Reason, Stmt, Subproperty};
use logic::TermId;

/// The property that was asked for, and those whose violation is undefined behaviour before it. (An uninitialised
/// variable has an arbitrary value, as in SV-COMP; programs for other verifiers obtain their inputs that way. The
/// property no-uninitialised-read forbids it.)
fn strict(property: &Property) -> Vec<Property> {
    let others: &[Property] = match property {
        Property::ValidMemsafety => &[Property::NoOverflow],
        Property::NoOverflow => &[Property::ValidMemsafety],
        Property::Undefined | Property::All => &[],
        _ => &[Property::NoOverflow, Property::ValidMemsafety],
    };
    std::iter::once(property).chain(others).cloned().collect()
}

/// Loads a program that also checks for undefined behaviour. Indices that leave an array inside a larger object count,
/// unless memory safety itself is asked for: it is about whole objects.
fn load_strictly(session: &Session<'_>, checks: &[Property], attempt: &Attempt) -> Loaded {
    let mut how = session.translation(checks, attempt);
    how.mode.check_arrays = checks.len() > 1 && *session.property != Property::ValidMemsafety;
    session.source.translate(&how)
}

/// Is the check one of those that a property is about?
fn is_about(property: &Property, check: &ir::Check) -> bool {
    property.subproperties().contains(&check.property)
}

/// Withdraws a violation that depends on undefined behaviour, or finds another one that does not.
pub(crate) fn only_defined(
    session: &mut Session<'_>,
    attempt: &Attempt,
    loaded: &mut Loaded,
    finding: Finding,
    budget: &Budget,
) -> Finding {
    if session.source.language != Language::C {
        return finding;
    }
    // The programs verified here have other checks.
    let attempt = &Attempt { reuse: Reuse::Nothing, ..*attempt };
    let has_threads = loaded.program.has_threads();
    let finding = match &finding.outcome {
        Outcome::Unknown(Reason::NotExact(_)) if !has_threads => {
            verify_exact(session, attempt, loaded, budget).unwrap_or(finding)
        }
        _ => finding,
    };
    let doubt = match &finding.outcome {
        Outcome::Violated(_) if has_threads && session.property.is_unreach_call() => {
            return match verify_defined_threads(session, attempt, budget) {
                Ok(Some((again, violated))) => {
                    *loaded = again;
                    violated
                }
                Ok(None) => finding,
                Err(reason) => Finding { outcome: Outcome::Unknown(reason), ..finding },
            };
        }
        _ if has_threads => return finding,
        Outcome::Violated(violation) => undefined_behaviour(session, attempt, violation),
        Outcome::NonTerminating(infinite) => {
            let reason = undefined_iterations(session, attempt, loaded, infinite);
            let Outcome::NonTerminating(mut infinite) = finding.outcome else { return finding };
            let outcome = match (reason, infinite.longer.take()) {
                (None, _) => {
                    let options = check::Options { paranoid: session.settings.paranoid };
                    let is_temporal = matches!(session.property, Property::Ltl(_));
                    let short =
                        if is_temporal { None } else { shortened(&infinite, &mut loaded.pool, options, budget) };
                    let is_defined =
                        |s: &InfiniteExecution| undefined_iterations(session, attempt, loaded, s).is_none();
                    Outcome::NonTerminating(short.filter(is_defined).map_or(infinite, Box::new))
                }
                (Some(reason), Some(longer)) => match undefined_iterations(session, attempt, loaded, &longer) {
                    Some(_) => Outcome::Unknown(reason),
                    None => Outcome::NonTerminating(longer),
                },
                (Some(reason), None) => Outcome::Unknown(reason),
            };
            return Finding { outcome, ..finding };
        }
        Outcome::Holds(_) | Outcome::Unknown(_) => None,
    };
    let Some(reason) = doubt else { return finding };
    match verify_defined(session, attempt, budget) {
        Some((again, violated)) => {
            *loaded = again;
            violated
        }
        None => Finding { outcome: Outcome::Unknown(reason), ..finding },
    }
}

/// Searches for a violation without undefined behaviour.
fn verify_defined(session: &mut Session<'_>, attempt: &Attempt, budget: &Budget) -> Option<(Loaded, Finding)> {
    let property = session.property;
    let mut loaded = load_strictly(session, &strict(property), attempt);
    let mut graph = Icfg::build(&loaded.program, &mut loaded.pool);
    end_where_undefined(&mut graph, property);
    let finding = verify_graph(session, attempt, &mut loaded, graph, property, budget);
    matches!(finding.outcome, Outcome::Violated(_)).then_some((loaded, finding))
}

/// Searches for a violation that passes only constructs that are modelled exactly.
fn verify_exact(session: &mut Session<'_>, attempt: &Attempt, loaded: &mut Loaded, budget: &Budget) -> Option<Finding> {
    let property = session.property;
    if !property.is_safety() {
        return None;
    }
    let mut graph = Icfg::build(&loaded.program, &mut loaded.pool);
    for (_, edge) in graph.edges.iter_mut() {
        if edge.not_modelled().is_some() {
            edge.label = Label::Stmt(Stmt::Assume(TermId::FALSE));
        }
    }
    let finding = verify_graph(session, attempt, loaded, graph, property, budget);
    matches!(finding.outcome, Outcome::Violated(_)).then_some(finding)
}

/// Re-verifies a concurrent violation in the instrumented program, because a schedule cannot be replayed there.
/// `Ok(None)`: the program has no checks of undefined behaviour; `Err`: the violation depends on undefined behaviour.
fn verify_defined_threads(
    session: &mut Session<'_>,
    attempt: &Attempt,
    budget: &Budget,
) -> Result<Option<(Loaded, Finding)>, Reason> {
    let property = session.property;
    let doubt = || Reason::Incomplete("the violation could not be repeated with all checks".to_string());
    let mut strict = load_with_checks(session, attempt);
    if n_undefined(&strict.program, property) == 0 {
        return Ok(None);
    }
    let mut graph = Icfg::build(&strict.program, &mut strict.pool);
    end_where_undefined(&mut graph, property);
    let finding = match attempt.engines {
        Engines::Only(engine) if engine.profile().wants == Wants::Threads => {
            threads::verify_by(session, engine, &mut strict, &graph, property, (budget, budget))
        }
        _ => verify_threads(session, attempt, &mut strict, &graph, property, budget),
    };
    match finding.outcome {
        Outcome::Violated(_) => Ok(Some((strict, finding))),
        Outcome::Holds(_) | Outcome::NonTerminating(_) | Outcome::Unknown(_) => Err(doubt()),
    }
}

/// The number of checks for undefined behaviour in a program.
fn n_undefined(program: &Program, property: &Property) -> usize {
    let is_undefined = |c: &ir::Check| !is_about(property, c) && c.property != Subproperty::ValidMemtrack;
    let is_check = |i: &&ir::Instr| matches!(&i.kind, ir::InstrKind::Assert(_, c) if is_undefined(c));
    let bodies = program.procs.values().filter_map(|p| p.body.as_ref());
    bodies.map(|b| b.instrs.iter().filter(is_check).count()).sum::<usize>()
}

/// The program with all undefined-behaviour checks that it needs; for properties other than unreach-call, and other
/// languages than C, the default translation.
pub(crate) fn load_with_checks(session: &Session<'_>, attempt: &Attempt) -> Loaded {
    let property = session.property;
    if session.source.language != Language::C || !property.is_unreach_call() {
        return session.load(also_checked(property), attempt);
    }
    let strict = strict(property);
    let few = load_strictly(session, &strict[..2], attempt);
    let all = load_strictly(session, &strict, attempt);
    let as_many = n_undefined(&few.program, property) == n_undefined(&all.program, property);
    if as_many { few } else { all }
}

/// Executions end at undefined behaviour.
pub(crate) fn end_where_undefined(graph: &mut Icfg, property: &Property) {
    for (_, location) in graph.locs.iter_mut() {
        location.error.take_if(|check| !is_about(property, check));
    }
}

/// The result of replaying an execution in the instrumented program.
pub(crate) enum Replayed {
    /// It violates the same property, without undefined behaviour before.
    Same,
    /// It has undefined behaviour before: the place, and which.
    Undefined(String, String),
    /// It could not be replayed.
    Unclear,
}

/// The program instrumented with checks for undefined behaviour.
pub(crate) struct WithChecks {
    loaded: Loaded,
    graph: Icfg,
}

impl WithChecks {
    pub(crate) fn new(session: &Session<'_>, attempt: &Attempt) -> WithChecks {
        let mut loaded = load_strictly(session, &strict(session.property), attempt);
        let graph = Icfg::build(&loaded.program, &mut loaded.pool);
        WithChecks { loaded, graph }
    }
    /// Does an execution violate the same property here, without undefined behaviour before?
    pub(crate) fn fails_as(&self, run: &ir::Run, original: &Icfg, property: Subproperty) -> bool {
        match exec::driven::drive(&self.graph, &self.loaded.pool, run, original) {
            Driven::Error(check) => check.property == property,
            Driven::NoError => false,
        }
    }
}

/// Replays an execution to an error in the program instrumented with checks for undefined behaviour; with fewer checks
/// if that is not possible with all of them. `property`: the one that the execution violates.
pub(crate) fn replay_with_checks(
    session: &Session<'_>,
    attempt: &Attempt,
    violation: &Violation,
    property: Subproperty,
) -> Replayed {
    let strict = strict(session.property);
    for checks in [&strict[..], &strict[..(strict.len() - 1).max(1)]] {
        let mut again = load_strictly(session, checks, attempt);
        let graph = Icfg::build(&again.program, &mut again.pool);
        match exec::driven::drive(&graph, &again.pool, &violation.run, &violation.original) {
            Driven::Error(check) if check.property == property => return Replayed::Same,
            Driven::Error(check) if check.property == Subproperty::ValidMemtrack => return Replayed::Same,
            Driven::Error(check) => {
                let place = again.sources.show(check.span);
                return Replayed::Undefined(place, check.message.trim_end().to_string());
            }
            Driven::NoError => {}
        }
    }
    Replayed::Unclear
}

/// Is undefined behaviour before a violation of the property looked for? For some properties it is a violation itself.
pub(crate) fn is_asked_before(property: &Property) -> bool {
    !matches!(
        property,
        Property::Undefined | Property::All | Property::NoDataRace | Property::Termination | Property::Ltl(_)
    )
}

/// Why a violation does not count, if undefined behaviour precedes it.
fn undefined_behaviour(session: &Session<'_>, attempt: &Attempt, violation: &Violation) -> Option<Reason> {
    if !is_asked_before(session.property) {
        return None;
    }
    match replay_with_checks(session, attempt, violation, violation.run.check.property) {
        Replayed::Same => None,
        Replayed::Undefined(place, what) => {
            Some(Reason::Undefined(format!("the violation depends on undefined behaviour: {place}: {what}")))
        }
        Replayed::Unclear if !session.property.is_unreach_call() => None,
        Replayed::Unclear => {
            Some(Reason::Incomplete("the violation could not be repeated with all checks".to_string()))
        }
    }
}

/// Is a temporal formula violated by the stem of an execution, whatever is observed after it?
fn is_violated_by_stem(session: &Session<'_>, found: &InfiniteExecution) -> bool {
    let name = session.source.path.display().to_string();
    let (Some(word), Ok(Some(formula))) = (&found.observed, parsed(&name, session.source.text(), session.property))
    else {
        return false;
    };
    let stem = word.stem.iter().map(|(_, o)| o.letter).collect();
    let anything = Letter { positive: 0, unknown: u64::MAX };
    let word = LassoWord::partial(stem, vec![anything]);
    word.is_some_and(|word| ltl::decided_on(&formula.parsed.formula, &word) == Some(false))
}

/// How many iterations of an infinite execution are executed again with more checks.
const ITERATIONS_AGAIN: usize = 3;

/// Why an infinite execution does not count, if it has undefined behaviour. Its stem and a few iterations are replayed
/// in the instrumented program, and all other iterations must access what these do ([`exec::drift`]). (Overflow does
/// not occur in it anyway: see [`crate::termination`].)
fn undefined_iterations(
    session: &Session<'_>,
    attempt: &Attempt,
    loaded: &Loaded,
    found: &InfiniteExecution,
) -> Option<Reason> {
    let (icfg, pool) = graph_of_lasso(&found.graph, &loaded.pool);
    let doubt = |what: String| {
        Some(Reason::Undefined(format!("the endless execution may depend on undefined behaviour: {what}")))
    };
    let is_decided = is_violated_by_stem(session, found);
    let source = &loaded.program.source;
    let original = |v: ir::VarId| found.map.as_ref().map_or(Some(v), |m| m.vars.get(v).map(|o| o.0));
    let is_pointer = |v: ir::VarId| {
        original(v).and_then(|v| source.places.get(&v)).is_some_and(|p| p.ty == ir::source::SourceType::Pointer)
    };
    match exec::drift::drift(&icfg, &pool, &found.lasso, &is_pointer) {
        _ if is_decided => {}
        exec::drift::Drift::Nothing => {}
        exec::drift::Drift::Variable(v) => {
            return doubt(format!("what it accesses differs between iterations, with {}", icfg.vars[v].name));
        }
        exec::drift::Drift::NotExecutable => return doubt("it could not be executed".to_string()),
    }
    let n_iterations = if is_decided { 0 } else { ITERATIONS_AGAIN };
    let choices = exec::driven::choices_of_lasso(&icfg, &pool, &found.lasso, n_iterations)?;
    let mut how = session.translation(&[Property::NoOverflow, Property::ValidMemsafety], attempt);
    how.mode.check_pointers = true;
    how.mode.check_arrays = true;
    how.settled.clear();
    let mut again = session.source.translate(&how);
    let graph = Icfg::build(&again.program, &mut again.pool);
    match exec::driven::drive_by(&graph, &again.pool, choices) {
        Driven::Error(check) if check.property != Subproperty::ValidMemtrack => {
            let place = again.sources.show(check.span);
            let what = check.message.trim_end();
            Some(Reason::Undefined(format!("the endless execution depends on undefined behaviour: {place}: {what}")))
        }
        Driven::Error(_) | Driven::NoError => None,
    }
}
