//! The part of an annotation that holds: Houdini (Flanagan, Leino: Houdini, an Annotation Assistant for ESC/Java, FME
//! 2001) over loop invariants and contracts.
//!
//! Every conjunct is assumed where it stands; those that some way to it does not establish are dropped, until all are
//! established. The ways are those of the checker: all paths between cut points at once, calls passed over by the
//! contract of the callee. Where conjuncts were dropped only the paths from there are looked at again, and where a
//! contract lost some, those of all procedures that use it. So a contract of a procedure that did not change costs one
//! look, and one that failed is repaired conjunct by conjunct (Asadzade and others: UpProver, FMSD 2023) before its
//! callers are looked at.
//!
//! Nothing depends on the result but time: whoever builds a proof on it has the proof checked as a whole.

use crate::annotation::{Checker, Dropped, Place};
use crate::{Options, Rejection};
use base::Budget;
use ir::{Annotation, Contract, Icfg, Label, LocId, ProcId};
use logic::{TermId, TermPool};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// The largest set of conjuncts of the candidates that is inductive. Whether it excludes errors is not looked at.
pub fn inductive_part(
    pool: &mut TermPool,
    icfg: &Icfg,
    candidates: &Annotation,
    options: Options,
    budget: &Budget,
) -> Result<Annotation, Rejection> {
    let mut current = in_scope(pool, icfg, candidates);
    // What is left to be looked at: cut points, or everything.
    let mut open: BTreeMap<ProcId, Option<BTreeSet<LocId>>> = bottom_up(icfg).into_iter().map(|p| (p, None)).collect();
    let order = bottom_up(icfg);
    let callers = callers(icfg);
    while let Some(proc) = order.iter().copied().find(|p| open.contains_key(p)) {
        let only = open.remove(&proc).flatten();
        let dropped = RefCell::new(Dropped::new());
        let checker = Checker::new(pool, icfg, &current, Some(&dropped));
        checker.check_from(pool, proc, only.as_ref(), options, budget)?;
        for (place, conjunct) in dropped.into_inner() {
            without(pool, &mut current, place, conjunct);
            match place {
                Place::Invariant(loc) => {
                    let own = open.entry(icfg.locs[loc].proc).or_insert_with(|| Some(BTreeSet::new()));
                    if let Some(some) = own {
                        some.insert(loc);
                    }
                }
                Place::Requires(callee) => {
                    open.insert(callee, None);
                }
                Place::Ensures(callee) => {
                    let users = callers.get(&callee).into_iter().flatten();
                    open.extend(users.map(|caller| (*caller, None)));
                }
            }
        }
    }
    current.invariants.retain(|_, formula| *formula != TermId::TRUE);
    Ok(current)
}

/// The candidates without the conjuncts that speak about what is not in scope.
fn in_scope(pool: &mut TermPool, icfg: &Icfg, candidates: &Annotation) -> Annotation {
    let checker = Checker::new(pool, icfg, candidates, None);
    let mut filtered = |place: Place, formula: TermId| {
        let mut kept = pool.conjuncts(formula);
        kept.retain(|&c| checker.check_vocabulary_of(pool, place, c).is_ok());
        pool.and(&kept)
    };
    let invariants = candidates.invariants.iter().map(|(&loc, &f)| (loc, filtered(Place::Invariant(loc), f))).collect();
    let contracts = candidates.contracts.iter().map(|(&proc, contract)| {
        // Nobody calls the root, so nothing establishes what it requires.
        let is_root = icfg.root == Some(proc);
        let requires = if is_root { TermId::TRUE } else { filtered(Place::Requires(proc), contract.requires) };
        (proc, Contract { requires, ensures: filtered(Place::Ensures(proc), contract.ensures) })
    });
    let contracts = contracts.collect();
    Annotation { invariants, contracts }
}

fn without(pool: &mut TermPool, annotation: &mut Annotation, place: Place, conjunct: TermId) {
    let mut rest = |formula: &mut TermId| {
        let kept: Vec<TermId> = pool.conjuncts(*formula).into_iter().filter(|&c| c != conjunct).collect();
        *formula = pool.and(&kept);
    };
    match place {
        Place::Invariant(loc) => annotation.invariants.get_mut(&loc).into_iter().for_each(&mut rest),
        Place::Requires(proc) => {
            annotation.contracts.get_mut(&proc).into_iter().for_each(|c| rest(&mut c.requires));
        }
        Place::Ensures(proc) => {
            annotation.contracts.get_mut(&proc).into_iter().for_each(|c| rest(&mut c.ensures));
        }
    }
}

fn callers(icfg: &Icfg) -> BTreeMap<ProcId, BTreeSet<ProcId>> {
    let mut callers: BTreeMap<ProcId, BTreeSet<ProcId>> = BTreeMap::new();
    for edge in icfg.edges.values() {
        if let Label::Call(site) = edge.label {
            let site = &icfg.call_sites[site];
            callers.entry(site.callee).or_default().insert(site.caller);
        }
    }
    callers
}

/// The procedures that can be reached, callees before their callers as far as there is no recursion.
fn bottom_up(icfg: &Icfg) -> Vec<ProcId> {
    let mut called: BTreeMap<ProcId, Vec<ProcId>> = BTreeMap::new();
    for edge in icfg.edges.values() {
        if let Label::Call(site) = edge.label {
            let site = &icfg.call_sites[site];
            called.entry(site.caller).or_default().push(site.callee);
        }
    }
    let mut order = Vec::new();
    let mut seen = BTreeSet::new();
    let mut stack: Vec<(ProcId, usize)> = icfg.root.into_iter().map(|r| (r, 0)).collect();
    seen.extend(icfg.root);
    while let Some((proc, next)) = stack.last_mut() {
        match called.get(proc).and_then(|list| list.get(*next)) {
            Some(&callee) => {
                *next += 1;
                if seen.insert(callee) {
                    stack.push((callee, 0));
                }
            }
            None => {
                order.push(*proc);
                stack.pop();
            }
        }
    }
    order
}
