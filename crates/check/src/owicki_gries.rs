//! Owicki–Gries proofs: one thread at a time, for any number of threads. What has to be shown is listed by
//! [`ir::interleave::modular`].

use crate::{Options, Prover, Rejection};
use base::Budget;
use ir::interleave::concurrent::Concurrent;
use ir::interleave::modular::INSTANCES;
use ir::{OwickiGries, VarId};
use logic::{FunId, SortId, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) fn check(
    pool: &mut TermPool,
    program: &Concurrent,
    proof: &OwickiGries,
    options: Options,
    budget: &Budget,
) -> Result<(), Rejection> {
    let wrong = |what: &str| Err(Rejection::Wrong(what.to_string()));
    if program.max_instances < INSTANCES || proof.selves.len() != program.n_threads {
        return wrong("a proof about too few threads");
    }
    check_vocabulary(pool, program, proof)?;
    let first =
        |p: &ir::interleave::concurrent::PlaceId| proof.formulas.get(p).is_some_and(|formula| *formula != TermId::TRUE);
    if program.initial.iter().any(first) {
        return wrong("a formula at the start that need not hold");
    }
    let mut prover = Prover::new(pool, &program.graph, options);
    let numbers = proof.numbers(pool);
    prover.assume(pool, numbers);
    let Some(obligations) = program.obligations() else {
        return wrong("a step with which a thread meets two others that run one procedure");
    };
    for obligation in obligations {
        budget.check()?;
        let shown = proof.formula(pool, program, obligation.shown);
        let mut assumed: Vec<TermId> = Vec::new();
        for &p in &obligation.assumed {
            assumed.push(proof.formula(pool, program, p));
        }
        let before = pool.and(&assumed);
        assumed.push(program.actions[obligation.action].guard);
        for conjunct in pool.conjuncts(shown) {
            let after = proof.before(pool, program, obligation.action, conjunct);
            if after == conjunct && pool.conjuncts(before).contains(&conjunct) {
                continue;
            }
            let fails = pool.not(after);
            let question = pool.and(&assumed);
            let question = pool.and2(question, fails);
            if !prover.impossible(pool, question, budget)? {
                let is_interference = obligation.assumed.contains(&obligation.shown);
                return wrong(if program.is_error(obligation.shown) {
                    "an error stays reachable"
                } else if is_interference {
                    "a formula does not survive what another thread does"
                } else {
                    "a formula does not hold where a thread arrives"
                });
            }
        }
    }
    Ok(())
}

/// Formulas speak of shared variables, of those of their own thread, and of ghosts; ghosts are nothing else.
fn check_vocabulary(pool: &TermPool, program: &Concurrent, proof: &OwickiGries) -> Result<(), Rejection> {
    let wrong = |what: &str| Err(Rejection::Wrong(what.to_string()));
    let variables: BTreeMap<FunId, VarId> =
        program.graph.vars.iter().filter_map(|(v, var)| Some((pool.as_symbol(var.term)?, v))).collect();
    let mut rigid: BTreeSet<FunId> = BTreeSet::new();
    for action in program.actions.values() {
        let terms = action.updates.iter().map(|u| u.1).chain([action.guard]);
        rigid.extend(terms.flat_map(|t| pool.free_symbols(t)));
    }
    rigid.extend(program.graph.axioms.iter().flat_map(|t| pool.free_symbols(*t)));
    // Whose number a ghost is must not depend on which of the instances is looked at.
    let is_shared = |v: VarId| program.owners.get(v).is_some_and(|owner| owner.is_none());
    if !proof.ownerships.iter().all(|o| is_shared(o.lock) && pool.is_value(o.free)) {
        return wrong("an owner of what is not a shared variable, or is free under a condition");
    }
    let mut ghosts: BTreeSet<FunId> = BTreeSet::new();
    for &ghost in proof.ownerships.iter().map(|o| &o.owner).chain(&proof.selves) {
        let symbol = pool.as_symbol(ghost).filter(|s| !rigid.contains(s) && !variables.contains_key(s));
        let symbol = symbol.filter(|_| pool.sort(ghost) == SortId::INT);
        if !symbol.is_some_and(|s| ghosts.insert(s)) {
            return wrong("a ghost that is something else as well");
        }
    }
    let inputs: BTreeSet<FunId> =
        program.actions.values().flat_map(|a| &a.inputs).filter_map(|i| pool.as_symbol(*i)).collect();
    let owner_symbols: BTreeSet<FunId> = proof.ownerships.iter().filter_map(|o| pool.as_symbol(o.owner)).collect();
    for (&place, &formula) in &proof.formulas {
        let thread = program.places.get(place).and_then(|data| data.thread);
        let Some(thread) = thread.filter(|t| program.representative(*t) == *t) else {
            return wrong("a formula at a place of no thread");
        };
        for symbol in pool.free_symbols(formula) {
            let is_known = match variables.get(&symbol) {
                Some(&v) => program.owners[v].is_none_or(|owner| owner == thread),
                None if ghosts.contains(&symbol) => {
                    owner_symbols.contains(&symbol) || pool.as_symbol(proof.selves[thread]) == Some(symbol)
                }
                None => !inputs.contains(&symbol) && pool.fun(symbol).instance_of.is_none(),
            };
            if !is_known {
                return wrong("a formula speaks of what is not in scope");
            }
        }
    }
    Ok(())
}
