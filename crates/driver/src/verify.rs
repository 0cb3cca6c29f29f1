//! One verification attempt on a translated program.

use crate::load::{Language, Loaded};
use crate::outcome::Finding;
use crate::portfolio::verify_graph;
use crate::product::verify_threads;
use crate::session::{Attempt, Session};
use crate::settings::Engines;
use crate::temporal::verify_temporal;
use crate::termination::verify_termination;
use crate::{threads, undefined};
use base::Budget;
use engine::Wants;
use ir::slicing::{Depth, is_skip, slice};
use ir::{Icfg, Property, Reason};
use logic::TermPool;

/// Runs engines and checks their evidence. The second budget limits the check of what an engine for threads found.
pub(crate) fn verify(
    session: &mut Session<'_>,
    attempt: &Attempt,
    loaded: &mut Loaded,
    property: &Property,
    budgets: (&Budget, &Budget),
) -> Finding {
    if let Some(refused) = refused(session, property) {
        return refused;
    }
    if *property == Property::Termination && !is_for_threads(attempt) {
        return verify_termination(session, attempt, loaded, budgets.0);
    }
    if matches!(property, Property::Ltl(_)) {
        return verify_temporal(session, attempt, loaded, budgets.0);
    }
    let graph = Icfg::build(&loaded.program, &mut loaded.pool);
    verify_built(session, attempt, loaded, graph, property, budgets)
}

/// The answer to a property of C programs about another language.
fn refused(session: &Session<'_>, property: &Property) -> Option<Finding> {
    let is_refused = session.source.language == Language::Boogie && is_only_in_c(property);
    let what = || format!("{} in Boogie programs", property.name());
    is_refused.then(|| Finding::unknown(Reason::Unsupported(what()), ""))
}

/// Boogie has neither a memory model nor machine words, so the property has no meaning there.
fn is_only_in_c(property: &Property) -> bool {
    match property {
        Property::UnreachCall
        | Property::UnreachCallOf(_)
        | Property::Termination
        | Property::Ltl(_)
        | Property::NoDeadlock => false,
        Property::NoOverflow
        | Property::NoDivisionByZero
        | Property::NoInvalidShift
        | Property::NoUninitialisedRead
        | Property::NoNullDereference
        | Property::ValidMemsafety
        | Property::ValidMemcleanup
        | Property::Undefined
        | Property::All
        | Property::NoDataRace => true,
    }
}

/// The same for a program with checks for all undefined behaviour, at which executions end.
pub(crate) fn verify_checked(
    session: &mut Session<'_>,
    attempt: &Attempt,
    loaded: &mut Loaded,
    budgets: (&Budget, &Budget),
) -> Finding {
    let property = session.property;
    let mut graph = Icfg::build(&loaded.program, &mut loaded.pool);
    if property.is_unreach_call() {
        undefined::end_where_undefined(&mut graph, property);
    }
    verify_built(session, attempt, loaded, graph, property, budgets)
}

/// The same for a program slice. Only proofs count.
pub(crate) fn verify_sliced(
    session: &mut Session<'_>,
    attempt: &Attempt,
    loaded: &mut Loaded,
    depth: Depth,
    budgets: (&Budget, &Budget),
) -> Finding {
    let property = session.property;
    if let Some(refused) = refused(session, property) {
        return refused;
    }
    let graph = Icfg::build(&loaded.program, &mut loaded.pool);
    // Whether threads wait forever depends on conditions.
    let sliced = (*property != Property::NoDeadlock).then(|| worthwhile(&mut loaded.pool, &graph, depth)).flatten();
    // What was verified before is not verified again.
    let is_new =
        |s: &Icfg| depth == Depth::Data || worthwhile(&mut loaded.pool, &graph, Depth::Data).as_ref() != Some(s);
    let sliced = sliced.filter(is_new);
    match sliced {
        Some(sliced) => verify_built(session, attempt, loaded, sliced, property, budgets),
        None => Finding::unknown(Reason::Incomplete("no smaller program has the same checks".to_string()), ""),
    }
}

/// A slice is used if it has at most this fraction of the edges.
const MAX_PART: f64 = 0.7;

/// The program slice of the checks; `None` if hardly anything is removed.
fn worthwhile(pool: &mut TermPool, graph: &Icfg, depth: Depth) -> Option<Icfg> {
    let sliced = slice(pool, graph, depth);
    let n_steps = |graph: &Icfg| graph.edges.values().filter(|e| !is_skip(e)).count() as f64;
    (n_steps(&sliced) <= MAX_PART * n_steps(graph)).then_some(sliced)
}

fn is_for_threads(attempt: &Attempt) -> bool {
    matches!(attempt.engines, Engines::Only(engine) if engine.profile().wants == Wants::Threads)
}

fn verify_built(
    session: &mut Session<'_>,
    attempt: &Attempt,
    loaded: &mut Loaded,
    graph: Icfg,
    property: &Property,
    budgets: (&Budget, &Budget),
) -> Finding {
    match attempt.engines {
        Engines::Only(engine) if is_for_threads(attempt) => {
            threads::verify_by(session, engine, loaded, &graph, property, budgets)
        }
        _ if graph.has_threads() => verify_threads(session, attempt, loaded, &graph, property, budgets.0),
        _ => verify_graph(session, attempt, loaded, graph, property, budgets.0),
    }
}
