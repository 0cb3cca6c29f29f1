//! Loop invariants stated in a Boogie program, tried as a proof before engines search for others.
//!
//! Boogie's own way: a loop is replaced by its invariants and what it does not change. So the candidate for the head of
//! a loop is what is asserted there, together with what is known before the loop about variables that the loop does not
//! modify. The checker judges it; what is left of it is offered to the engines. Reference: M. Barnett, K. R. M. Leino,
//! *Weakest-Precondition of Unstructured Programs*, 2005.

use crate::certify::{Claim, Effort, certify};
use crate::graphs::{Graphs, View};
use crate::outcome::Outcome;
use base::Budget;
use engine::Predicates;
use ir::{Annotation, Certificate, EdgeId, Icfg, Label, LocId, Stmt, VarId, Verdict};
use logic::{TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

/// The name under which an answer is given.
pub(crate) const STATED: &str = "stated-invariants";
/// Shares of the time: for the invariants as stated, and for their inductive part.
const DIRECT_SHARE: f64 = 0.1;
const PART_SHARE: f64 = 0.1;
/// More steps than this are not followed.
const MAX_STEPS: usize = 400;

/// An answer if the invariants suffice, and formulas for engines otherwise. `None`: the program states none.
pub(crate) fn try_stated(
    pool: &mut TermPool,
    graphs: &Graphs,
    claim: &Claim,
    budget: &Budget,
) -> Option<(Option<Outcome>, Predicates)> {
    let graph = graphs.view(View::Flat);
    if graph.has_threads() {
        return None;
    }
    let invariants = candidates(pool, graph)?;
    let stated = Annotation { invariants, contracts: BTreeMap::new() };
    let prove = |pool: &mut TermPool, annotation: &Annotation| {
        let verdict = Verdict::Holds(Certificate::Annotation(annotation.clone()));
        let limit = budget.share(DIRECT_SHARE);
        let outcome = certify(pool, graphs, View::Flat, verdict, claim, Effort::Plain, &limit);
        outcome.is_definite().then_some(outcome)
    };
    if let Some(outcome) = prove(pool, &stated) {
        return Some((Some(outcome), Predicates::new()));
    }
    let limit = budget.share(PART_SHARE);
    let part = check::inductive_part(pool, graph, &stated, claim.options, &limit).unwrap_or_default();
    if !part.invariants.is_empty()
        && part != stated
        && let Some(outcome) = prove(pool, &part)
    {
        return Some((Some(outcome), Predicates::new()));
    }
    let offers = stated.invariants.into_iter().map(|(loc, f)| (loc, pool.conjuncts(f))).collect();
    Some((None, offers))
}

/// A formula for each head of a loop; `None`: nothing is stated at any.
fn candidates(pool: &mut TermPool, icfg: &Icfg) -> Option<BTreeMap<LocId, TermId>> {
    let mut all = BTreeMap::new();
    let mut is_stated = false;
    for (head, _) in icfg.locs.iter().filter(|(_, l)| l.is_loop_head) {
        let mut parts = asserted_at(icfg, head);
        is_stated |= !parts.is_empty();
        parts.extend(kept(pool, icfg, head));
        all.insert(head, pool.and(&parts));
    }
    is_stated.then_some(all)
}

/// If a condition is asserted at a location: the edge on which it holds, and the condition.
fn checked_at(icfg: &Icfg, at: LocId) -> Option<(EdgeId, TermId)> {
    let [a, b] = *icfg.out_edges(at) else { return None };
    let fails = |e: EdgeId| icfg.locs[icfg.edges[e].dst].error.is_some();
    let passed = match (fails(a), fails(b)) {
        (false, true) => a,
        (true, false) => b,
        _ => return None,
    };
    assumed(icfg, passed).map(|condition| (passed, condition))
}

fn assumed(icfg: &Icfg, edge: EdgeId) -> Option<TermId> {
    match icfg.edges[edge].label {
        Label::Stmt(Stmt::Assume(condition)) => Some(condition),
        _ => None,
    }
}

/// The conditions that are asserted right at a location, one after the other.
fn asserted_at(icfg: &Icfg, loc: LocId) -> Vec<TermId> {
    let mut conditions = Vec::new();
    let mut at = loc;
    for _ in 0..MAX_STEPS {
        if let Some((passed, condition)) = checked_at(icfg, at) {
            conditions.push(condition);
            at = icfg.edges[passed].dst;
        } else if let [a, b] = *icfg.out_edges(at)
            && let Some(pass) =
                if looks_for_failure(icfg, a) { Some(b) } else { looks_for_failure(icfg, b).then_some(a) }
        {
            // A quantified condition: one way looks for values that make it fail, on the other one it is assumed.
            let mut edge = pass;
            while assumed(icfg, edge) == Some(TermId::TRUE)
                && let [next] = *icfg.out_edges(icfg.edges[edge].dst)
            {
                edge = next;
            }
            let Some(condition) = assumed(icfg, edge) else { break };
            conditions.push(condition);
            at = icfg.edges[edge].dst;
        } else if let [only] = *icfg.out_edges(at)
            && assumed(icfg, only) == Some(TermId::TRUE)
        {
            at = icfg.edges[only].dst;
        } else {
            break;
        }
        if at == loc {
            break;
        }
    }
    conditions
}

/// Does an edge choose values, then assert, and then end?
fn looks_for_failure(icfg: &Icfg, first: EdgeId) -> bool {
    let is_choice = |e: EdgeId| {
        matches!(icfg.edges[e].label, Label::Stmt(Stmt::Havoc(..))) || assumed(icfg, e) == Some(TermId::TRUE)
    };
    let mut edge = first;
    for _ in 0..4 {
        if !is_choice(edge) {
            return false;
        }
        let at = icfg.edges[edge].dst;
        if let Some((passed, _)) = checked_at(icfg, at) {
            let out = icfg.out_edges(icfg.edges[passed].dst);
            return out.iter().all(|&e| assumed(icfg, e) == Some(TermId::FALSE));
        }
        let [next] = *icfg.out_edges(at) else { return false };
        edge = next;
    }
    false
}

/// What is known before a loop and not changed in it: conditions and values on the only way to its head.
fn kept(pool: &mut TermPool, icfg: &Icfg, head: LocId) -> Vec<TermId> {
    let mut changed: BTreeSet<TermId> = BTreeSet::new();
    let mut facts = Vec::new();
    let mut at = head;
    let mut seen = BTreeSet::new();
    while seen.len() < MAX_STEPS && seen.insert(at) {
        let into: Vec<EdgeId> = match icfg.locs[at].is_loop_head {
            true => {
                let inside = natural_loop(icfg, at);
                for edge in icfg.edges.values().filter(|e| inside.contains(&e.src)) {
                    changed.extend(assigned(&edge.label).into_iter().map(|v| icfg.term(v)));
                }
                icfg.in_edges(at).iter().copied().filter(|&e| !inside.contains(&icfg.edges[e].src)).collect()
            }
            false => icfg.in_edges(at).to_vec(),
        };
        let [edge] = into[..] else { break };
        let is_kept = |pool: &TermPool, changed: &BTreeSet<TermId>, fact: TermId| {
            let mut keeps = true;
            pool.visit_postorder(&[fact], |t| keeps &= !changed.contains(&t));
            keeps
        };
        match &icfg.edges[edge].label {
            Label::Stmt(Stmt::Assume(condition)) => {
                facts.extend(pool.conjuncts(*condition).into_iter().filter(|&c| is_kept(pool, &changed, c)));
            }
            Label::Stmt(Stmt::Assign(pairs)) => {
                let new: BTreeSet<TermId> = pairs.iter().map(|p| icfg.term(p.0)).collect();
                for &(v, value) in pairs {
                    let equation = pool.eq(icfg.term(v), value);
                    if is_kept(pool, &changed, equation) && is_kept(pool, &new, value) {
                        facts.push(equation);
                    }
                }
                changed.extend(new);
            }
            Label::Stmt(Stmt::Havoc(vars, _)) => changed.extend(vars.iter().map(|&v| icfg.term(v))),
            _ => break,
        }
        at = icfg.edges[edge].src;
    }
    facts
}

/// The natural loop of a head: the locations that every way from the entry to goes through the head, and that lead back
/// to it.
fn natural_loop(icfg: &Icfg, head: LocId) -> BTreeSet<LocId> {
    let entry = icfg.procs[icfg.locs[head].proc].entry;
    let before = closure(entry, head, |l| icfg.out_edges(l).iter().map(|&e| icfg.edges[e].dst).collect());
    let sources = icfg.in_edges(head).iter().map(|&e| icfg.edges[e].src);
    let mut all = BTreeSet::from([head]);
    for source in sources.filter(|l| !before.contains(l)) {
        all.extend(closure(source, head, |l| icfg.in_edges(l).iter().map(|&e| icfg.edges[e].src).collect()));
    }
    all
}

/// What can be reached without a step from `but`.
fn closure(from: LocId, but: LocId, next: impl Fn(LocId) -> Vec<LocId>) -> BTreeSet<LocId> {
    let mut seen = BTreeSet::new();
    let mut work = vec![from];
    while let Some(at) = work.pop() {
        if at != but && seen.insert(at) {
            work.extend(next(at));
        }
    }
    seen
}

fn assigned(label: &Label) -> Vec<VarId> {
    match label {
        Label::Stmt(Stmt::Assign(pairs)) => pairs.iter().map(|p| p.0).collect(),
        Label::Stmt(Stmt::Havoc(vars, _)) => vars.clone(),
        Label::Block(transition) => transition.assigned.clone(),
        _ => Vec::new(),
    }
}
