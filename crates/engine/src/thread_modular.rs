//! Thread-modular proofs: formulas at the places of one thread that survive what all others do, whatever their number.
//!
//! References: Owicki, Gries, *An Axiomatic Proof Technique for Parallel Programs I*, 1976; Flanagan, Leino, *Houdini,
//! an Annotation Assistant for ESC/Java*, 2001. Candidates for formulas are taken from the program: what its guards and
//! assignments say, who holds a lock (a ghost variable, [`ir::interleave::modular`]), and what holds of shared
//! variables while a lock is free. Those that are not kept by some step of the thread or of another one are dropped,
//! until all that are left are kept. If they exclude every error, they are the proof, for any number of threads.
//!
//! Nothing is said about programs that need to know where several threads are at the same time, and no violation is
//! found.

use crate::profile::{Cost, Gives, Profile};
use crate::{Ctx, Engine, Task};
use ir::interleave::concurrent::{Concurrent, PlaceId, PlaceKind};
use ir::interleave::modular::{INSTANCES, Obligation};
use ir::{Certificate, OwickiGries, Reason, VarId, Verdict};
use logic::{FastMap, FastSet, Op, SatResult, Solver, TermId, TermPool, Value};
use smt::SmtSolver;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

pub(crate) struct ThreadModular;

/// The most candidates for one place.
const MAX_CANDIDATES: usize = 300;
/// The time for one question.
const QUERY_LIMIT: Duration = Duration::from_millis(500);

impl Engine for ThreadModular {
    fn name(&self) -> &'static str {
        "thread-modular"
    }
    fn summary(&self) -> &'static str {
        "Owicki-Gries proofs for any number of threads: formulas at places of one thread that survive all others"
    }
    fn profile(&self) -> Profile {
        Profile::for_threads(Cost::Quick, &[Gives::Proofs])
    }
    fn search(&self, ctx: &mut Ctx<'_>, task: &Task<'_>) -> Verdict {
        let program = match Concurrent::new(task.icfg, ctx.pool, INSTANCES) {
            Ok(program) => program,
            Err(error) => return Verdict::Unknown(Reason::Unsupported(error.to_string())),
        };
        match prove(ctx, &program) {
            Ok(Some(proof)) => {
                ctx.concurrent = Some(program);
                Verdict::Holds(Certificate::OwickiGries(Box::new(proof)))
            }
            Ok(None) => {
                Verdict::Unknown(Reason::Exhausted("no formulas of single threads exclude the errors".to_string()))
            }
            Err(reason) => Verdict::Unknown(reason),
        }
    }
}

fn prove(ctx: &mut Ctx<'_>, program: &Concurrent) -> Result<Option<OwickiGries>, Reason> {
    let locks = locks(ctx.pool, program);
    let mut proof = OwickiGries::new(ctx.pool, program, &locks);
    let mut candidates = candidates(ctx, program, &proof);
    let Some(obligations) = program.obligations() else {
        return Err(Reason::Unsupported(
            "a step with which a thread meets two others that run one procedure".to_string(),
        ));
    };
    ctx.stats.set("candidates", candidates.values().map(|c| c.len() as u64).sum());
    ctx.stats.set("obligations", obligations.len() as u64);
    let mut solver = SmtSolver::without_proofs();
    for &axiom in &program.graph.axioms {
        solver.assert(ctx.pool, axiom);
    }
    let numbers = proof.numbers(ctx.pool);
    solver.assert(ctx.pool, numbers);
    let mut round = 0;
    loop {
        round += 1;
        let n: usize = candidates.values().map(Vec::len).sum();
        ctx.observer.progress(round, &format!("{n} candidates"));
        let mut changed = false;
        for obligation in &obligations {
            ctx.budget.check_now()?;
            if !program.is_error(obligation.shown) {
                changed |= keep(ctx, program, &proof, &mut solver, &mut candidates, obligation)?;
            }
        }
        if !changed {
            break;
        }
    }
    for (place, list) in candidates {
        let formula = ctx.pool.and(&list);
        proof.formulas.insert(place, formula);
    }
    let errors = obligations.iter().filter(|o| program.is_error(o.shown));
    for obligation in errors {
        ctx.budget.check_now()?;
        let mut question = vec![program.actions[obligation.action].guard];
        for &p in &obligation.assumed {
            question.push(proof.formula(ctx.pool, program, p));
        }
        let question = ctx.pool.and(&question);
        if solver.check_assuming(ctx.pool, &[question], &ctx.budget.child(QUERY_LIMIT)) != SatResult::Unsat {
            return Ok(None);
        }
    }
    Ok(Some(proof))
}

/// Drops the candidates that an obligation does not keep; were there any?
fn keep(
    ctx: &mut Ctx<'_>,
    program: &Concurrent,
    proof: &OwickiGries,
    solver: &mut SmtSolver,
    candidates: &mut BTreeMap<PlaceId, Vec<TermId>>,
    obligation: &Obligation,
) -> Result<bool, Reason> {
    let Some(shown) = program.representative_place(obligation.shown) else { return Ok(false) };
    let Some(goals) = candidates.get(&shown) else { return Ok(false) };
    let rename = |pool: &mut TermPool, formula: TermId, place: PlaceId| match program.places[place].thread {
        Some(thread) => program.rename(pool, formula, program.representative(thread), thread, &proof.selves),
        None => formula,
    };
    let mut assumed: FastSet<TermId> = FastSet::default();
    for &p in &obligation.assumed {
        let Some(known) = program.representative_place(p) else { continue };
        for &c in candidates.get(&known).into_iter().flatten() {
            assumed.insert(rename(ctx.pool, c, p));
        }
    }
    // What is to be shown, with the candidate it is about.
    let mut open: Vec<(TermId, TermId)> = Vec::new();
    for &candidate in goals {
        let goal = rename(ctx.pool, candidate, obligation.shown);
        let before = proof.before(ctx.pool, program, obligation.action, goal);
        if before != TermId::TRUE && !assumed.contains(&before) {
            open.push((candidate, before));
        }
    }
    if open.is_empty() {
        return Ok(false);
    }
    let mut premises: Vec<TermId> = assumed.into_iter().collect();
    premises.sort_unstable();
    premises.push(program.actions[obligation.action].guard);
    let premise = ctx.pool.and(&premises);
    let mut dropped: FastSet<TermId> = FastSet::default();
    let mut alone = false;
    while !open.is_empty() {
        ctx.budget.check_now()?;
        let part: Vec<TermId> = if alone { vec![open[0].1] } else { open.iter().map(|o| o.1).collect() };
        let goal = ctx.pool.and(&part);
        let fails = ctx.pool.not(goal);
        let question = ctx.pool.and2(premise, fails);
        ctx.stats.add("solver calls", 1);
        match solver.check_assuming(ctx.pool, &[question], &ctx.budget.child(QUERY_LIMIT)) {
            SatResult::Unsat if alone => {
                open.remove(0);
            }
            SatResult::Unsat => break,
            SatResult::Sat => {
                let mut memo = FastMap::default();
                let model = solver.model().cloned();
                let before = open.len();
                if let Some(model) = model {
                    open.retain(|(candidate, goal)| {
                        let holds = model.eval_memo(ctx.pool, *goal, &mut memo) == Ok(Value::Bool(true));
                        if !holds {
                            dropped.insert(*candidate);
                        }
                        holds
                    });
                }
                if open.len() == before {
                    let first = open.remove(0);
                    dropped.insert(first.0);
                }
            }
            SatResult::Unknown(_) if alone => {
                let first = open.remove(0);
                dropped.insert(first.0);
            }
            SatResult::Unknown(_) => alone = true,
        }
    }
    if dropped.is_empty() {
        return Ok(false);
    }
    if let Some(list) = candidates.get_mut(&shown) {
        list.retain(|c| !dropped.contains(c));
    }
    Ok(true)
}

/// Shared variables that are found to have a value, and set to another one in the same action: with the value that they
/// are found to have.
fn locks(pool: &mut TermPool, program: &Concurrent) -> Vec<(VarId, TermId)> {
    let mut locks: BTreeSet<(VarId, TermId)> = BTreeSet::new();
    for action in program.actions.values() {
        for &(v, value) in &action.updates {
            if program.owners[v].is_some() || pool.array_parts(program.graph.vars[v].sort).is_some() {
                continue;
            }
            let term = program.graph.term(v);
            for conjunct in pool.conjuncts(action.guard) {
                if pool.is_bool(term) && !pool.is_value(term) {
                    let (free, taken) = (TermId::FALSE, TermId::TRUE);
                    if value == taken && pool.not(term) == conjunct {
                        locks.insert((v, free));
                    }
                    continue;
                }
                let found = pool.args(conjunct).iter().copied().find(|t| pool.is_value(*t));
                if let Some(found) = found.filter(|f| pool.sort(*f) == pool.sort(term) && *f != value)
                    && pool.eq(term, found) == conjunct
                {
                    locks.insert((v, found));
                }
            }
        }
    }
    // A variable with several such values is a lock of the one that most often is found first: that it starts with.
    let mut of_variable: BTreeMap<VarId, TermId> = BTreeMap::new();
    for (v, free) in locks {
        let starts_with = program
            .actions
            .values()
            .any(|a| a.thread == 0 && a.guard == TermId::TRUE && a.updates.contains(&(v, free)));
        if starts_with || !of_variable.contains_key(&v) {
            of_variable.insert(v, free);
        }
    }
    of_variable.into_iter().collect()
}

/// Formulas that may hold at places of representatives.
fn candidates(ctx: &mut Ctx<'_>, program: &Concurrent, proof: &OwickiGries) -> BTreeMap<PlaceId, Vec<TermId>> {
    let index = ir::VarIndex::new(&program.graph);
    let mut atoms: BTreeSet<TermId> = BTreeSet::new();
    let mut constants: BTreeMap<VarId, BTreeSet<TermId>> = BTreeMap::new();
    for action in program.actions.values() {
        let terms: Vec<TermId> = action.updates.iter().map(|u| u.1).chain([action.guard]).collect();
        collect_atoms(ctx.pool, &terms, &mut atoms);
        for &(v, value) in &action.updates {
            let term = program.graph.term(v);
            let is_array = ctx.pool.array_parts(program.graph.vars[v].sort).is_some();
            if ctx.pool.is_value(value) {
                constants.entry(v).or_default().insert(value);
            }
            if !is_array && !action.reads.contains(&v) && !has_input(ctx.pool, value, &action.inputs) {
                atoms.insert(ctx.pool.eq(term, value));
            }
        }
    }
    for (v, values) in constants {
        let term = program.graph.term(v);
        for value in values {
            atoms.insert(ctx.pool.eq(term, value));
            if ctx.pool.sort(value) == logic::SortId::INT {
                atoms.insert(ctx.pool.le(term, value));
                atoms.insert(ctx.pool.ge(term, value));
            }
        }
    }
    let inputs: BTreeSet<TermId> = program.actions.values().flat_map(|a| a.inputs.iter().copied()).collect();
    let mut all: BTreeSet<TermId> = BTreeSet::new();
    for atom in atoms {
        let speaks_of_inputs = ctx.pool.free_constants(atom).iter().any(|c| inputs.contains(c));
        if !ctx.pool.is_value(atom) && !speaks_of_inputs {
            all.insert(atom);
            all.insert(ctx.pool.not(atom));
        }
    }
    let mut result = BTreeMap::new();
    let representatives = program.representatives();
    for (place, data) in program.places.iter() {
        let Some(thread) = data.thread.filter(|t| representatives.contains(t)) else { continue };
        if !matches!(data.kind, PlaceKind::At(_) | PlaceKind::Finished) || program.initial.contains(&place) {
            continue;
        }
        let mut list: Vec<TermId> = Vec::new();
        let mut shared: Vec<TermId> = Vec::new();
        for &atom in &all {
            let vars = index.vars_of(ctx.pool, &[atom]);
            if vars.iter().all(|v| program.owners[*v].is_none_or(|owner| owner == thread)) {
                list.push(atom);
                if vars.iter().all(|v| program.owners[*v].is_none()) {
                    shared.push(atom);
                }
            }
        }
        let nobody = ctx.pool.int(0);
        for ownership in &proof.ownerships {
            let is_free = match ownership.free {
                TermId::FALSE => ctx.pool.not(program.graph.term(ownership.lock)),
                free => ctx.pool.eq(program.graph.term(ownership.lock), free),
            };
            let mine = ctx.pool.eq(ownership.owner, proof.selves[thread]);
            let nobodys = ctx.pool.eq(ownership.owner, nobody);
            list.push(mine);
            list.push(ctx.pool.not(mine));
            list.push(ctx.pool.eq(is_free, nobodys));
            for &atom in &shared {
                list.push(ctx.pool.implies(is_free, atom));
            }
            for &other in &shared {
                list.push(ctx.pool.or2(mine, other));
            }
        }
        list.retain(|c| *c != TermId::TRUE && *c != TermId::FALSE);
        list.sort_unstable();
        list.dedup();
        list.truncate(MAX_CANDIDATES);
        result.insert(place, list);
    }
    result
}

fn has_input(pool: &TermPool, term: TermId, inputs: &[TermId]) -> bool {
    pool.free_constants(term).iter().any(|c| inputs.contains(c))
}

/// The atoms of Boolean terms, and of conditions inside others.
fn collect_atoms(pool: &TermPool, terms: &[TermId], atoms: &mut BTreeSet<TermId>) {
    pool.visit_postorder(terms, |t| {
        let is_connective = matches!(pool.op(t), Op::And | Op::Or | Op::Not | Op::Ite);
        let joins_booleans = pool.args(t).iter().any(|a| pool.is_bool(*a));
        if pool.is_bool(t) && !is_connective && !joins_booleans && !pool.has_quantifier(t) && !pool.is_value(t) {
            atoms.insert(t);
        }
    });
}
