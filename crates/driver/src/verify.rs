//! One attempt at a program as it was translated.

use crate::load::Loaded;
use crate::outcome::Finding;
use crate::portfolio::verify_graph;
use crate::product::verify_threads;
use crate::session::{Attempt, Session};
use crate::termination::verify_termination;
use base::Budget;
use ir::{Icfg, Property, Reason};

/// Runs engines and checks their evidence.
pub(crate) fn verify(
    session: &mut Session<'_>,
    attempt: &Attempt,
    loaded: &mut Loaded,
    property: &Property,
    budget: &Budget,
) -> Finding {
    if *property == Property::Termination {
        return verify_termination(session, attempt, loaded, budget);
    }
    if *property == Property::NoDataRace && loaded.program.source.is_empty() {
        let what = "data races in Boogie programs";
        return Finding::unknown(Reason::Unsupported(what.to_string()), "");
    }
    let graph = Icfg::build(&loaded.program, &mut loaded.pool);
    if graph.has_threads() {
        return verify_threads(session, attempt, loaded, &graph, property, budget);
    }
    verify_graph(session, attempt, loaded, graph, property, budget)
}
