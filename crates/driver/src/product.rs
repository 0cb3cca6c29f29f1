//! Programs with threads as sequential ones: engines work on the product of the threads' control flows.

use crate::load::Loaded;
use crate::outcome::{Finding, Outcome};
use crate::portfolio::verify_graph;
use crate::session::{Attempt, Session};
use base::Budget;
use ir::inline::{InlineLimits, InlineMap, inline_calls};
use ir::interleave::{Interleaved, ThreadLimits};
use ir::{Icfg, Property, Reason, VarId};
use logic::TermPool;

/// Verifies the sequential graph of a program with threads.
pub(crate) fn verify_threads(
    session: &mut Session<'_>,
    attempt: &Attempt,
    loaded: &mut Loaded,
    graph: &Icfg,
    property: &Property,
    budget: &Budget,
) -> Finding {
    let mut product = Err(Reason::Incomplete("no product".to_string()));
    // A violation may need only some of many threads.
    for max_instances in [ThreadLimits::default().max_instances, 2, 1] {
        product = sequential(graph, &mut loaded.pool, &ThreadLimits { max_instances, ..ThreadLimits::default() });
        if !matches!(&product, Err(Reason::Unsupported(_))) {
            break;
        }
    }
    let (Interleaved { icfg: product, copies, lanes, .. }, map) = match product {
        Ok(product) => product,
        Err(reason) => return Finding::unknown(reason, ""),
    };
    let mut finding = verify_graph(session, attempt, loaded, product.clone(), property, budget);
    if let Outcome::Violated(violation) = &finding.outcome
        && let check = &violation.run.check
        && is_too_many_threads(check)
    {
        // Only violations with few threads can be found.
        let remark = ir::Remark { kind: ir::RemarkKind::Other, span: check.span, message: check.message.clone() };
        loaded.program.fidelity.unsound.push(remark);
        let mut few = product;
        for (_, location) in few.locs.iter_mut() {
            location.error.take_if(|check| is_too_many_threads(check));
        }
        finding = verify_graph(session, attempt, loaded, few, property, budget);
    }
    Finding { outcome: finding.outcome.about_copies(copies).in_lanes(lanes, graph, &map), ..finding }
}

/// Is it the check that there are no more threads than the product has room for?
pub(crate) fn is_too_many_threads(check: &ir::Check) -> bool {
    check.property == ir::Subproperty::ThreadCount
}

/// The product of the threads of a graph; its variables, with the ones of the graph that they are copies of. And what
/// was inlined before.
pub(crate) fn sequential(
    graph: &Icfg,
    pool: &mut TermPool,
    limits: &ThreadLimits,
) -> Result<(Interleaved, InlineMap), Reason> {
    let (inlined, map) =
        inline_calls(graph, pool, &InlineLimits::default()).map_err(|e| Reason::Incomplete(e.to_string()))?;
    let product = ir::interleave::interleave(&inlined, pool, limits).map_err(|e| Reason::Unsupported(e.to_string()))?;
    let copies = of_the_program(product.copies, &map);
    Ok((Interleaved { copies, ..product }, map))
}

/// Copies of the variables of an inlined graph as copies of those of the program.
pub(crate) fn of_the_program(copies: Vec<(VarId, VarId)>, map: &InlineMap) -> Vec<(VarId, VarId)> {
    // Auxiliary variables of an engine are not copies.
    copies.into_iter().filter_map(|(copy, inlined)| Some((copy, map.vars.get(inlined)?.0))).collect()
}
