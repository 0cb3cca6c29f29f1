//! A proof of a program with its calls inlined, as one with contracts: [`engine::summaries`].
//!
//! Loop invariants of copies of a function are joined to one of the function, as far as they speak of its own variables
//! and globals; contracts are interpolated; of both the inductive part is kept.

use crate::outcome::Proof;
use base::Budget;
use engine::summaries;
use ir::inline::InlineMap;
use ir::{Annotation, Certificate, Icfg, LocId};
use logic::{Substitution, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

/// The graph with its calls, and formulas that hold in it. `None` if the proof has contracts already, or none are
/// found.
pub(crate) fn of_proof(pool: &mut TermPool, proof: &Proof, budget: &Budget) -> Option<(Icfg, Annotation)> {
    let map = proof.map.as_ref()?;
    let is_inlined = !proof.graph.has_calls() && proof.graph.locs.len() == map.locs.len();
    if !is_inlined || proof.copies.is_some() || !proof.original.has_calls() || proof.original.has_threads() {
        return None;
    }
    let invariants = match &proof.certificate {
        Certificate::Annotation(annotation) => of_functions(pool, proof, map, annotation),
        Certificate::Unwinding(_) | Certificate::Execution(_) | Certificate::States(_) => BTreeMap::new(),
        _ => return None,
    };
    let mut graph = proof.original.clone();
    graph.ensure_old_vars(pool);
    let found = summaries::contracts(pool, &graph, &invariants, budget)?;
    let part = check::inductive_part(pool, &graph, &found, check::Options::default(), budget).ok()?;
    let is_trivial = |c: &ir::Contract| c.requires == TermId::TRUE && c.ensures == TermId::TRUE;
    (!part.contracts.values().all(is_trivial)).then_some((graph, part))
}

/// Invariants of copies as invariants of the functions: what holds in one of the copies.
fn of_functions(
    pool: &mut TermPool,
    proof: &Proof,
    map: &InlineMap,
    annotation: &Annotation,
) -> BTreeMap<LocId, TermId> {
    let index = ir::VarIndex::new(&proof.graph);
    let mut cases: BTreeMap<LocId, BTreeSet<TermId>> = BTreeMap::new();
    for (&copy, &formula) in &annotation.invariants {
        let Some(&(loc, context)) = map.locs.get(copy) else { continue };
        let mut kept = Vec::new();
        for conjunct in pool.conjuncts(formula) {
            let vars = index.vars_of(pool, &[conjunct]);
            let own = |v: &ir::VarId| {
                let (original, of) = map.vars.get(*v)?;
                let is_in_scope = of.is_none_or(|of| of == context);
                is_in_scope.then(|| (proof.graph.vars[*v].term, proof.original.vars[*original].term))
            };
            if let Some(pairs) = vars.iter().map(own).collect::<Option<Vec<_>>>() {
                kept.push(Substitution::from_pairs(pairs).apply(pool, conjunct));
            }
        }
        cases.entry(loc).or_default().insert(pool.and(&kept));
    }
    let joined = |(loc, cases): (LocId, BTreeSet<TermId>)| {
        let cases: Vec<TermId> = cases.into_iter().collect();
        (loc, pool.or(&cases))
    };
    cases.into_iter().map(joined).collect()
}
