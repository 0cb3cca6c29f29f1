//! Contracts for recursive procedures, guessed and confirmed.
//!
//! A ranking argument for a recursive program has to know what the calls that return have done: that `fib` returns no
//! negative number, that the result of McCarthy's function is at least its argument minus 10. The facts that such
//! arguments need are simple, so they are guessed: comparisons of results, parameters, modified globals and their old
//! values, with the constants of the program; the same at loop heads. Guesses that are not inductive are thrown away
//! until the rest confirms itself (Houdini: Flanagan and Leino 2001), calls being passed over by the contracts that are
//! left. The result is the greatest inductive subset, so the order does not matter.
//!
//! Nothing depends on it for soundness: the checker proves contracts by itself.

use base::{Budget, Stop};
use ir::pending_calls::without_returns;
use ir::{Annotation, Contract, EdgeId, Icfg, Label, LocId, ProcId, Stmt, Transition, VarId, VarKind, primed};
use logic::{FastMap, FastSet, Rational, SatResult, Solver, SortId, TermId, TermPool, UnknownReason};
use smt::SmtSolver;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// More constants than this are not tried in comparisons. Those of the procedure come first.
const MAX_CONSTANTS: usize = 6;
/// More guesses than this are not made for one place.
const MAX_GUESSES: usize = 400;
/// Procedures with more paths than this between loop heads and calls get no contract.
const MAX_PATHS: usize = 150;
const QUERY_LIMIT: Duration = Duration::from_millis(300);

/// Bounds of the integer types of C, for results that are arbitrary otherwise.
const TYPE_BOUNDS: [(i128, i128); 6] = [
    (0, 255),
    (-128, 127),
    (-2_147_483_648, 2_147_483_647),
    (0, 4_294_967_295),
    (-9_223_372_036_854_775_808, 9_223_372_036_854_775_807),
    (0, 18_446_744_073_709_551_615),
];

/// Inductive contracts and invariants for a graph with calls. If time runs out in here there are none.
pub fn infer(pool: &mut TermPool, icfg: &Icfg, budget: &Budget) -> Result<Annotation, Stop> {
    let mut guesses = Guesses::new(pool, icfg);
    let limit = match budget.remaining() {
        Some(left) => budget.child(left.mul_f64(0.25)),
        None => budget.clone(),
    };
    match guesses.confirm(pool, icfg, &limit) {
        Ok(()) => {
            guesses.drop_implied(pool, &limit);
            Ok(guesses.annotation(pool))
        }
        Err(_) => {
            budget.check_now()?;
            Ok(Annotation::default())
        }
    }
}

/// Formulas that are still believed.
struct Guesses {
    ensures: BTreeMap<ProcId, Vec<TermId>>,
    invariants: BTreeMap<LocId, Vec<TermId>>,
}

/// A path within one procedure, from its entry or a loop head to a loop head or the exit.
struct LocalPath {
    from: LocId,
    to: LocId,
    edges: Vec<EdgeId>,
}

impl Guesses {
    fn new(pool: &mut TermPool, icfg: &Icfg) -> Guesses {
        let all = constants(pool, icfg, None);
        let mut guesses = Guesses { ensures: BTreeMap::new(), invariants: BTreeMap::new() };
        let called: BTreeSet<ProcId> = icfg.call_sites.values().map(|s| s.callee).collect();
        for &proc in &called {
            let p = &icfg.procs[proc];
            let assigned = assigned_in(icfg, proc);
            let mut constants = constants(pool, icfg, Some(proc));
            for constant in &all {
                if !constants.contains(constant) {
                    constants.push(constant.clone());
                }
            }
            constants.truncate(MAX_CONSTANTS);
            let steady: Vec<VarId> = p.params.iter().copied().filter(|v| !assigned.contains(v)).collect();
            let mut subjects: Vec<VarId> = p.results.clone();
            subjects.extend(&p.modifies);
            let formulas = comparisons(pool, icfg, &subjects, &steady, &constants);
            guesses.ensures.insert(proc, formulas);
            let heads = icfg.locs.iter().filter(|(_, l)| l.is_loop_head && l.proc == proc).map(|(id, _)| id);
            for head in heads {
                let mut subjects: Vec<VarId> = p.locals.iter().chain(&p.results).chain(&p.params).copied().collect();
                subjects.retain(|v| assigned.contains(v));
                subjects.extend(&p.modifies);
                let formulas = comparisons(pool, icfg, &subjects, &steady, &constants);
                guesses.invariants.insert(head, formulas);
            }
        }
        guesses
    }

    fn contracts(&self, pool: &mut TermPool) -> BTreeMap<ProcId, Contract> {
        let contract = |pool: &mut TermPool, f: &Vec<TermId>| Contract { requires: TermId::TRUE, ensures: pool.and(f) };
        self.ensures.iter().map(|(p, f)| (*p, contract(pool, f))).collect()
    }

    fn annotation(&self, pool: &mut TermPool) -> Annotation {
        let contracts = self.contracts(pool);
        let invariants = self.invariants.iter().map(|(l, f)| (*l, pool.and(f))).collect();
        Annotation { invariants, contracts }
    }

    /// Drops candidates until the rest is inductive.
    fn confirm(&mut self, pool: &mut TermPool, icfg: &Icfg, budget: &Budget) -> Result<(), Stop> {
        let mut paths: BTreeMap<ProcId, Vec<LocalPath>> = BTreeMap::new();
        let (graph, map) = without_returns(icfg, &BTreeMap::new(), pool);
        let enters: BTreeSet<EdgeId> = map.calls.values().map(|(_, enter)| *enter).collect();
        for &proc in &self.ensures.keys().copied().collect::<Vec<_>>() {
            match local_paths(icfg, &graph, &enters, proc, budget)? {
                Some(found) => {
                    paths.insert(proc, found);
                }
                None => self.forget(icfg, proc),
            }
        }
        // A procedure is re-examined when one of its assumptions is dropped.
        let mut dirty: BTreeSet<ProcId> = paths.keys().copied().collect();
        while let Some(proc) = dirty.pop_first() {
            let contracts = self.contracts(pool);
            let (graph, _) = without_returns(icfg, &contracts, pool);
            let Some(own) = paths.get(&proc) else { continue };
            let (mut lost_invariant, mut lost_ensures) = (false, false);
            for path in own {
                budget.check_now()?;
                let exit = icfg.procs[proc].exit;
                let before = self.before(pool, icfg, proc, path.from);
                let claims = if path.to == exit {
                    self.ensures.get(&proc).cloned().unwrap_or_default()
                } else {
                    self.invariants.get(&path.to).cloned().unwrap_or_default()
                };
                let kept = confirmed(pool, &graph, path, before, &claims, budget)?;
                if kept.len() < claims.len() {
                    if path.to == exit {
                        lost_ensures = true;
                        self.ensures.insert(proc, kept);
                    } else {
                        lost_invariant = true;
                        self.invariants.insert(path.to, kept);
                    }
                }
            }
            if lost_invariant {
                dirty.insert(proc);
            }
            if lost_ensures {
                let callers = icfg.call_sites.values().filter(|s| s.callee == proc).map(|s| s.caller);
                dirty.extend(callers.filter(|c| paths.contains_key(c)));
            }
        }
        Ok(())
    }

    /// Leaves out what follows from the rest: the same contracts, but readable.
    fn drop_implied(&mut self, pool: &mut TermPool, budget: &Budget) {
        for formulas in self.ensures.values_mut().chain(self.invariants.values_mut()) {
            // The later ones are the weaker and stranger ones.
            for i in (0..formulas.len()).rev() {
                let candidate = formulas[i];
                let mut solver = SmtSolver::without_proofs();
                for &other in formulas.iter().filter(|f| **f != candidate) {
                    solver.assert(pool, other);
                }
                let fails = pool.not(candidate);
                solver.assert(pool, fails);
                if solver.check(pool, &budget.child(QUERY_LIMIT)) == SatResult::Unsat {
                    formulas.remove(i);
                }
            }
        }
    }

    fn forget(&mut self, icfg: &Icfg, proc: ProcId) {
        self.ensures.insert(proc, Vec::new());
        for (loc, formulas) in &mut self.invariants {
            if icfg.locs[*loc].proc == proc {
                formulas.clear();
            }
        }
    }

    /// What is known where a path starts.
    fn before(&self, pool: &mut TermPool, icfg: &Icfg, proc: ProcId, at: LocId) -> TermId {
        if let Some(formulas) = self.invariants.get(&at) {
            return pool.and(formulas);
        }
        if at != icfg.procs[proc].entry {
            return TermId::TRUE;
        }
        let mut equations = Vec::new();
        for variable in icfg.vars.values() {
            if let VarKind::Old(global) = variable.kind {
                equations.push(pool.eq(variable.term, icfg.vars[global].term));
            }
        }
        pool.and(&equations)
    }
}

/// The claims that hold after a path from every state with `before`.
fn confirmed(
    pool: &mut TermPool,
    graph: &Icfg,
    path: &LocalPath,
    before: TermId,
    claims: &[TermId],
    budget: &Budget,
) -> Result<Vec<TermId>, Stop> {
    let mut steps = Vec::with_capacity(path.edges.len());
    for &edge in &path.edges {
        let Some(step) = Transition::of_edge(pool, graph, edge) else { return Ok(Vec::new()) };
        steps.push(step);
    }
    let transition = Transition::seq(pool, &graph.vars, &steps);
    let mut solver = SmtSolver::without_proofs();
    for &formula in graph.axioms.iter().chain([&before, &transition.formula]) {
        solver.assert(pool, formula);
    }
    let primes: Vec<(TermId, TermId)> = transition
        .assigned
        .iter()
        .map(|v| {
            let term = graph.vars[*v].term;
            (term, primed(pool, term))
        })
        .collect();
    let mut kept = Vec::new();
    for &claim in claims {
        let after = pool.substitute(claim, &primes);
        let fails = pool.not(after);
        match solver.check_assuming(pool, &[fails], &budget.child(QUERY_LIMIT)) {
            SatResult::Unsat => kept.push(claim),
            SatResult::Sat | SatResult::Unknown(UnknownReason::Incomplete(_)) => {}
            SatResult::Unknown(UnknownReason::Stopped(_)) => budget.check_now()?,
        }
    }
    Ok(kept)
}

/// The paths of a procedure between its entry, its loop heads and its exit; calls are skipped. `None` if there are too
/// many.
fn local_paths(
    icfg: &Icfg,
    graph: &Icfg,
    enters: &BTreeSet<EdgeId>,
    proc: ProcId,
    budget: &Budget,
) -> Result<Option<Vec<LocalPath>>, Stop> {
    let (entry, exit) = (icfg.procs[proc].entry, icfg.procs[proc].exit);
    let is_cut = |loc: LocId| icfg.locs.get(loc).is_some_and(|l| l.is_loop_head) || loc == exit;
    let mut paths = Vec::new();
    let mut sources = vec![entry];
    let mut seen = BTreeSet::from([entry]);
    while let Some(from) = sources.pop() {
        let mut open: Vec<(LocId, Vec<EdgeId>)> = vec![(from, Vec::new())];
        while let Some((at, edges)) = open.pop() {
            budget.check()?;
            if paths.len() + open.len() > MAX_PATHS {
                return Ok(None);
            }
            if !edges.is_empty() && is_cut(at) {
                if at != exit && seen.insert(at) {
                    sources.push(at);
                }
                paths.push(LocalPath { from, to: at, edges });
                continue;
            }
            for &edge in graph.out_edges(at) {
                let dead = matches!(graph.edges[edge].label, Label::Stmt(Stmt::Assume(TermId::FALSE)));
                if !dead && !enters.contains(&edge) {
                    let mut longer = edges.clone();
                    longer.push(edge);
                    open.push((graph.edges[edge].dst, longer));
                }
            }
        }
    }
    Ok(Some(paths))
}

fn assigned_in(icfg: &Icfg, proc: ProcId) -> FastSet<VarId> {
    let mut assigned = FastSet::default();
    for edge in icfg.edges.values().filter(|e| icfg.locs[e.src].proc == proc) {
        match &edge.label {
            Label::Stmt(Stmt::Assign(pairs)) => assigned.extend(pairs.iter().map(|(v, _)| *v)),
            Label::Stmt(Stmt::Havoc(vars, _)) => assigned.extend(vars.iter().copied()),
            Label::Block(transition) => assigned.extend(transition.assigned.iter().copied()),
            Label::Call(site) => assigned.extend(icfg.call_sites[*site].results.iter().copied()),
            Label::Join { results, .. } => assigned.extend(results.iter().copied()),
            Label::Stmt(Stmt::Assume(_)) | Label::Return(_) | Label::Fork { .. } => {}
            Label::AtomicBegin | Label::AtomicEnd => {}
        }
    }
    assigned
}

/// Small constants of a procedure or of the whole program, the most frequent first.
fn constants(pool: &TermPool, icfg: &Icfg, of: Option<ProcId>) -> Vec<Rational> {
    let mut counts: FastMap<Rational, usize> = FastMap::default();
    let small =
        |n: &Rational| n.is_integer() && n.to_i64().is_some_and(|n| n.unsigned_abs() > 1 && n.unsigned_abs() < 100_000);
    for edge in icfg.edges.values().filter(|e| of.is_none_or(|proc| icfg.locs[e.src].proc == proc)) {
        pool.visit_postorder(&icfg.read_terms(&edge.label), |t| {
            if let Some(n) = pool.number(t).filter(|n| small(n)) {
                *counts.entry(n.abs()).or_default() += 1;
            }
        });
    }
    let mut sorted: Vec<(Rational, usize)> = counts.into_iter().collect();
    sorted.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    sorted.into_iter().map(|(n, _)| n).collect()
}

/// Comparisons of `subjects` with constants, with each other, with the old values of globals, and with `steady`
/// variables.
fn comparisons(
    pool: &mut TermPool,
    icfg: &Icfg,
    subjects: &[VarId],
    steady: &[VarId],
    constants: &[Rational],
) -> Vec<TermId> {
    let mut formulas: Vec<TermId> = Vec::new();
    let mut add = |t: TermId| {
        if t != TermId::TRUE && t != TermId::FALSE && formulas.len() < MAX_GUESSES && !formulas.contains(&t) {
            formulas.push(t);
        }
    };
    let numeric = |v: &VarId| icfg.vars[*v].sort == SortId::INT;
    // Globals that keep their values: of every sort.
    for &v in subjects.iter().filter(|v| icfg.vars[**v].kind == VarKind::Global) {
        if let Some(old) = icfg.old_of(v) {
            let (now, before) = (icfg.vars[v].term, icfg.vars[old].term);
            add(pool.eq(now, before));
            if numeric(&v) {
                add(pool.le(now, before));
                add(pool.ge(now, before));
            }
        }
    }
    for &v in subjects.iter().filter(|v| numeric(v)) {
        let x = icfg.vars[v].term;
        for bound in [0, 1] {
            let bound = pool.int(bound);
            add(pool.ge(x, bound));
            add(pool.le(x, bound));
        }
        for (low, high) in TYPE_BOUNDS {
            let (low, high) = (pool.num(Rational::from(low), SortId::INT), pool.num(Rational::from(high), SortId::INT));
            add(pool.ge(x, low));
            add(pool.le(x, high));
        }
        for c in constants {
            for bound in [c.clone(), -c] {
                let bound = pool.num(bound, SortId::INT);
                add(pool.ge(x, bound));
                add(pool.le(x, bound));
            }
        }
        for &p in steady.iter().filter(|p| numeric(p)) {
            let y = icfg.vars[p].term;
            for shift in [Rational::zero(), Rational::one(), Rational::from(-1)]
                .into_iter()
                .chain(constants.iter().flat_map(|c| [c.clone(), -c]))
            {
                let shift = pool.num(shift, SortId::INT);
                let other = pool.add(&[y, shift]);
                add(pool.ge(x, other));
                add(pool.le(x, other));
            }
            // Under a condition on the parameter.
            for least in [0, 1] {
                let least = pool.int(least);
                let condition = pool.ge(y, least);
                let zero = pool.int(0);
                let one = pool.int(1);
                for claim in [pool.ge(x, zero), pool.ge(x, one), pool.le(x, y), pool.lt(x, y), pool.ge(x, y)] {
                    add(pool.implies(condition, claim));
                }
            }
        }
    }
    formulas
}
