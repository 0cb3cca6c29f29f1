//! What the invariants and contracts of a correctness witness say, read off the program that they were woven into.
//!
//! A woven expression is a check. The checks right at the head of a loop are its invariant; those at the entry of a
//! procedure its `requires`, over the parameters; those right before the exit its `ensures`, over the results, with
//! what the entry remembered as values of the parameters and old values of the globals. What cannot be expressed over
//! these is omitted, which is harmless: the result is a candidate that the checker judges.

use ir::{Annotation, Contract, EdgeId, Icfg, Label, LocId, ProcId, Stmt, Subproperty, VarId, VarKind};
use logic::{TermId, TermPool};
use std::collections::BTreeMap;

/// More steps than this between a check and the exit are not followed.
const MAX_STEPS: usize = 400;

/// The annotation that the woven checks of a graph amount to.
pub(crate) fn annotation(pool: &mut TermPool, icfg: &Icfg) -> Annotation {
    let mut invariants = BTreeMap::new();
    for (loc, _) in icfg.locs.iter().filter(|(_, l)| l.is_loop_head) {
        let parts = asserted_at(icfg, loc);
        invariants.insert(loc, pool.and(&parts));
    }
    let mut contracts = BTreeMap::new();
    for proc in icfg.procs.ids().filter(|&p| icfg.call_sites.values().any(|site| site.callee == p)) {
        contracts.insert(proc, contract(pool, icfg, proc));
    }
    Annotation { invariants, contracts }
}

/// If a woven condition is checked at a location: the edge on which it holds, and the condition.
fn checked_at(icfg: &Icfg, at: LocId) -> Option<(EdgeId, TermId)> {
    let [a, b] = *icfg.out_edges(at) else { return None };
    let is_violation = |e: EdgeId| {
        let check = &icfg.locs[icfg.edges[e].dst].error;
        check.as_ref().is_some_and(|check| check.property == Subproperty::WitnessInvariant)
    };
    let passed = match (is_violation(a), is_violation(b)) {
        (_, true) => a,
        (true, false) => b,
        (false, false) => return None,
    };
    match icfg.edges[passed].label {
        Label::Stmt(Stmt::Assume(condition)) => Some((passed, condition)),
        _ => None,
    }
}

/// The conditions that are checked right at a location, one after the other.
fn asserted_at(icfg: &Icfg, loc: LocId) -> Vec<TermId> {
    let mut conditions = Vec::new();
    let mut at = loc;
    while let Some((passed, condition)) = checked_at(icfg, at) {
        conditions.push(condition);
        at = icfg.edges[passed].dst;
        if at == loc || conditions.len() > icfg.edges.len() {
            break;
        }
    }
    conditions
}

/// What variables hold after some steps, over what they held before. `None`: anything.
#[derive(Default)]
struct Values(BTreeMap<TermId, Option<TermId>>);

impl Values {
    /// A term over the values before, if it can be said.
    fn before(&self, pool: &mut TermPool, term: TermId) -> Option<TermId> {
        let mut lost = false;
        pool.visit_postorder(&[term], |t| lost |= self.0.get(&t).is_some_and(Option::is_none));
        let known: Vec<(TermId, TermId)> = self.0.iter().filter_map(|(&v, value)| Some((v, (*value)?))).collect();
        (!lost).then(|| pool.substitute(term, &known))
    }

    fn step(&mut self, pool: &mut TermPool, icfg: &Icfg, label: &Label) {
        match label {
            Label::Stmt(Stmt::Assign(pairs)) => {
                let new: Vec<(TermId, Option<TermId>)> =
                    pairs.iter().map(|&(v, term)| (icfg.term(v), self.before(pool, term))).collect();
                self.0.extend(new);
            }
            Label::Stmt(Stmt::Havoc(vars, _)) => self.0.extend(vars.iter().map(|&v| (icfg.term(v), None))),
            _ => {}
        }
    }
}

/// The step that leaves a location if there is no choice: over a woven check, where it holds.
fn only_step(icfg: &Icfg, at: LocId) -> Option<EdgeId> {
    match *icfg.out_edges(at) {
        [edge] if !matches!(icfg.edges[edge].label, Label::Call(_) | Label::Return(_) | Label::Block(_)) => Some(edge),
        _ => checked_at(icfg, at).map(|(passed, _)| passed),
    }
}

fn contract(pool: &mut TermPool, icfg: &Icfg, proc: ProcId) -> Contract {
    let Contract { mut requires, mut ensures } = Contract { requires: TermId::TRUE, ensures: TermId::TRUE };
    let entry = icfg.procs[proc].entry;
    // From the entry, over its values.
    let mut values = Values::default();
    let mut at = entry;
    for _ in 0..MAX_STEPS {
        if at != entry && icfg.locs[at].is_loop_head {
            break;
        }
        if let Some((_, condition)) = checked_at(icfg, at)
            && let Some(condition) = values.before(pool, condition)
            && speaks_only_of(pool, icfg, condition, |kind| matches!(kind, VarKind::Global | VarKind::Param(_)))
        {
            requires = pool.and(&[requires, condition]);
        }
        let Some(edge) = only_step(icfg, at) else { break };
        values.step(pool, icfg, &icfg.edges[edge].label);
        at = icfg.edges[edge].dst;
    }
    let mut remembered = Vec::new();
    let olds: Vec<(TermId, TermId)> =
        icfg.globals.iter().filter_map(|&g| Some((icfg.term(g), icfg.term(icfg.old_of(g)?)))).collect();
    for (&v, value) in &values.0 {
        if let Some(value) = value {
            remembered.push((v, pool.substitute(*value, &olds)));
        }
    }
    // Before the exit, over the values there.
    let is_own = |v: VarId| matches!(icfg.vars[v].kind, VarKind::Local(p) if p == proc);
    let locals =
        icfg.vars.ids().filter(|&v| is_own(v)).map(|v| icfg.term(v)).collect::<std::collections::BTreeSet<_>>();
    for loc in icfg.locs.ids().filter(|&l| icfg.locs[l].proc == proc) {
        let Some((passed, condition)) = checked_at(icfg, loc) else { continue };
        let Some(behind) = to_exit(pool, icfg, icfg.edges[passed].dst, proc) else { continue };
        // What a result was given from is that result; locals that only the entry assigns keep their values.
        let results = icfg.procs[proc]
            .results
            .iter()
            .filter_map(|&r| Some((behind.0.get(&icfg.term(r)).copied()??, icfg.term(r))));
        let results: Vec<(TermId, TermId)> = results.filter(|(from, _)| locals.contains(from)).collect();
        let is_kept = |v: TermId| !results.iter().any(|(from, _)| *from == v) && n_assignments(icfg, v) == 1;
        let kept: Vec<(TermId, TermId)> =
            remembered.iter().filter(|(v, _)| locals.contains(v) && is_kept(*v)).copied().collect();
        let condition = pool.substitute(condition, &[results, kept].concat());
        let unchanged = |pool: &TermPool, t: TermId| {
            let mut changes = false;
            pool.visit_postorder(&[t], |t| {
                changes |= icfg.globals.iter().any(|&g| icfg.term(g) == t && behind.0.contains_key(&t))
            });
            !changes
        };
        if unchanged(pool, condition)
            && speaks_only_of(pool, icfg, condition, |kind| !matches!(kind, VarKind::Local(_)))
            && !pool.conjuncts(ensures).contains(&condition)
        {
            ensures = pool.and(&[ensures, condition]);
        }
    }
    Contract { requires, ensures }
}

fn n_assignments(icfg: &Icfg, variable: TermId) -> usize {
    let assigns = |label: &Label| match label {
        Label::Stmt(Stmt::Assign(pairs)) => pairs.iter().any(|&(v, _)| icfg.term(v) == variable),
        Label::Stmt(Stmt::Havoc(vars, _)) => vars.iter().any(|&v| icfg.term(v) == variable),
        Label::Return(site) => icfg.call_sites[*site].results.iter().any(|&v| icfg.term(v) == variable),
        _ => false,
    };
    icfg.edges.values().filter(|e| assigns(&e.label)).count()
}

/// What the steps from a location to the exit do, if there is only one way.
fn to_exit(pool: &mut TermPool, icfg: &Icfg, from: LocId, proc: ProcId) -> Option<Values> {
    let mut values = Values::default();
    let mut at = from;
    for _ in 0..MAX_STEPS {
        if at == icfg.procs[proc].exit {
            return Some(values);
        }
        let edge = only_step(icfg, at)?;
        values.step(pool, icfg, &icfg.edges[edge].label);
        at = icfg.edges[edge].dst;
    }
    None
}

fn speaks_only_of(pool: &TermPool, icfg: &Icfg, formula: TermId, may: impl Fn(VarKind) -> bool) -> bool {
    let mut only = true;
    pool.visit_postorder(&[formula], |t| {
        let variable = icfg.vars.iter().find(|(_, v)| v.term == t);
        only &= variable.is_none_or(|(_, v)| may(v.kind));
    });
    only
}
