//! What is proved before the search begins: a part of the checks, and edges that no execution takes.
//!
//! A quick engine ([`plan::PRELUDE`](crate::plan::PRELUDE)) leaves an annotation that excludes some locations. The
//! checker must accept it for the graph in which only the errors among them count: then these checks are proved,
//! regardless of the others. If it does not, the annotation of all branches is reduced to its inductive part, and each
//! error is asked about on its own. The engines after it are given the graph without the dead edges. What they find is
//! about the whole graph again once the annotation is added to theirs: a formula that holds at a location of the
//! smaller graph holds there together with what made it smaller.

use crate::checks::settled;
use crate::load::Settled;
use base::Budget;
use engine::Facts;
use ir::{Annotation, Certificate, Contract, Icfg, Label, LocId, Stmt, Verdict};
use logic::{TermId, TermPool};
use std::collections::BTreeSet;

/// A graph without its dead edges, and why they are dead.
pub(crate) struct Pruned {
    pub(crate) graph: Icfg,
    annotation: Annotation,
    /// The checks that cannot fail.
    pub(crate) proved: Vec<Settled>,
}

/// The graph without what was excluded; `None` if the checker does not accept the reasons in time.
pub(crate) fn prune(
    pool: &mut TermPool,
    graph: &Icfg,
    facts: Facts,
    options: check::Options,
    budget: &Budget,
) -> Option<Pruned> {
    if is_accepted(pool, graph, &facts, options, &budget.share(WHOLE_SHARE)) {
        return Some(without_dead_edges(graph, facts.annotation, &facts.unreached));
    }
    // What of it holds, branch by branch, and what that excludes.
    let candidates = facts.at_branches(pool, graph)?;
    let annotation = check::inductive_part(pool, graph, &candidates, options, budget).ok()?;
    let mut unreached = check::excluded_errors(pool, graph, &annotation, options, budget).ok()?;
    unreached.extend(annotation.invariants.iter().filter(|(_, f)| **f == TermId::FALSE).map(|(loc, _)| *loc));
    Some(without_dead_edges(graph, annotation, &unreached))
}

/// The share of the time for the annotation of the loop heads.
const WHOLE_SHARE: f64 = 0.4;

/// Does the annotation of the loop heads exclude all errors that it is said to exclude?
fn is_accepted(pool: &mut TermPool, graph: &Icfg, facts: &Facts, options: check::Options, budget: &Budget) -> bool {
    // Errors that stay possible do not count here: an execution ends there.
    let mut partial = graph.clone();
    for (loc, location) in partial.locs.iter_mut() {
        if !facts.unreached.contains(&loc) {
            location.error = None;
        }
    }
    let certificate = Certificate::Annotation(facts.annotation.clone());
    check::check_certificate(pool, &partial, &certificate, options, budget).is_ok()
}

fn without_dead_edges(graph: &Icfg, annotation: Annotation, unreached: &BTreeSet<LocId>) -> Pruned {
    let mut pruned = graph.clone();
    for (_, edge) in pruned.edges.iter_mut() {
        let is_dead = unreached.contains(&edge.src) || unreached.contains(&edge.dst);
        if is_dead && matches!(edge.label, Label::Stmt(_)) {
            edge.label = Label::Stmt(Stmt::Assume(TermId::FALSE));
        }
    }
    for (loc, location) in pruned.locs.iter_mut() {
        if unreached.contains(&loc) {
            location.error = None;
        }
    }
    // A check that was copied is proved if all its copies are.
    let open: Vec<Settled> = pruned.locs.values().filter_map(|l| l.error.as_ref()).map(settled).collect();
    let mut proved: Vec<Settled> = graph.locs.values().filter_map(|l| l.error.as_ref()).map(settled).collect();
    proved.retain(|s| !open.contains(s));
    proved.sort_unstable();
    proved.dedup();
    Pruned { graph: pruned, annotation, proved }
}

impl Pruned {
    /// A verdict about the smaller graph as one about the whole: with what made it smaller.
    pub(crate) fn about_all(&self, pool: &mut TermPool, verdict: Verdict) -> Verdict {
        let (mut found, links) = match verdict {
            Verdict::Holds(Certificate::Annotation(found)) => (found, None),
            Verdict::Holds(Certificate::Holders(links, found)) => (found, Some(links)),
            _ => return verdict,
        };
        for (loc, formula) in &self.annotation.invariants {
            let own = found.invariants.get(loc).copied().unwrap_or(TermId::TRUE);
            let both = pool.and(&[own, *formula]);
            found.invariants.insert(*loc, both);
        }
        for (proc, contract) in &self.annotation.contracts {
            let trivial = Contract { requires: TermId::TRUE, ensures: TermId::TRUE };
            let own = found.contracts.get(proc).copied().unwrap_or(trivial);
            let requires = pool.and(&[own.requires, contract.requires]);
            let ensures = pool.and(&[own.ensures, contract.ensures]);
            found.contracts.insert(*proc, Contract { requires, ensures });
        }
        Verdict::Holds(match links {
            Some(links) => Certificate::Holders(links, found),
            None => Certificate::Annotation(found),
        })
    }
}
