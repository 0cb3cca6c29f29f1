//! Floyd–Hoare annotations: initiation, consecution and safety, procedure by procedure.
//!
//! Within a procedure the *cut points* are its entry and every location that carries a formula or closes a
//! cycle. From each cut point all paths to the next ones are joined into one passive formula, and each
//! arrival is an obligation: the formula at the cut point reached must hold, an error location must not be
//! reachable, at the exit the contract's `ensures` must hold. A call is passed over by the callee's
//! contract: its `requires` is an obligation, then modified globals and results are arbitrary and `ensures` is
//! assumed. Together with the obligations of every callee's body this is the Hoare rule for recursive
//! procedures (partial correctness): contracts may be assumed at calls while they are being proved.
//!
//! The checker decides for itself where cycles are; a cycle without a formula is cut with `true`.

use crate::{Options, Prover, Refuted, Rejection};
use base::{Budget, Id, IdVec};
use ir::passive::{Env, NodeId, Step, Unfolding, env_substitution, identity_env, in_env};
use ir::{Annotation, CallSiteId, Contract, EdgeId, Icfg, Label, LocId, ProcId, Stmt, VarId, VarIndex, VarKind};
use logic::{FunId, TermId, TermPool};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Duration;

/// One formula of an annotation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Place {
    Invariant(LocId),
    Requires(ProcId),
    Ensures(ProcId),
}

/// Conjuncts that do not hold where they stand.
pub(crate) type Dropped = BTreeSet<(Place, TermId)>;

const TRIVIAL: Contract = Contract { requires: TermId::TRUE, ensures: TermId::TRUE };

/// The time for one error location where each is asked about on its own.
const ERROR_LIMIT: Duration = Duration::from_millis(250);

/// The error locations that an inductive annotation excludes. Each is asked about on its own: one that the annotation
/// does not exclude, or not within its time limit, is left out and spoils nothing for the others.
pub fn excluded_errors(
    pool: &mut TermPool,
    icfg: &Icfg,
    annotation: &Annotation,
    options: Options,
    budget: &Budget,
) -> Result<BTreeSet<LocId>, Rejection> {
    let reachable = RefCell::new(BTreeSet::new());
    let checker = Checker { reachable: Some(&reachable), ..Checker::new(pool, icfg, annotation, None) };
    checker.check_all(pool, options, budget)?;
    let reachable = reachable.into_inner();
    Ok(icfg.error_locs().filter(|l| !reachable.contains(l)).collect())
}

pub(crate) fn check(
    pool: &mut TermPool,
    icfg: &Icfg,
    annotation: &Annotation,
    options: Options,
    budget: &Budget,
) -> Result<(), Rejection> {
    Checker::new(pool, icfg, annotation, None).check_all(pool, options, budget)
}

/// Which procedure each variable symbol belongs to (globals and old variables: to all).
struct Scopes {
    owner: BTreeMap<FunId, Option<ProcId>>,
    var_of: BTreeMap<FunId, VarId>,
}

impl Scopes {
    fn new(pool: &TermPool, icfg: &Icfg) -> Scopes {
        let mut owner = BTreeMap::new();
        let mut var_of = BTreeMap::new();
        for (id, var) in icfg.vars.iter() {
            let Some(symbol) = pool.as_symbol(var.term) else { continue };
            var_of.insert(symbol, id);
            owner.insert(
                symbol,
                match var.kind {
                    VarKind::Global | VarKind::Old(_) => None,
                    VarKind::Param(p) | VarKind::Result(p) | VarKind::Local(p) => Some(p),
                },
            );
        }
        Scopes { owner, var_of }
    }
}

pub(crate) struct Checker<'a> {
    icfg: &'a Icfg,
    annotation: &'a Annotation,
    scopes: Scopes,
    index: Rc<VarIndex>,
    /// The variables for the values of globals before a call, and these globals.
    olds: Vec<(VarId, VarId)>,
    /// The locations with formulas, by procedure.
    annotated: BTreeMap<ProcId, Vec<LocId>>,
    /// Instead of refusing the annotation, collect what does not hold, and do not look at errors.
    dropped: Option<&'a RefCell<Dropped>>,
    /// Instead of refusing the annotation, collect the error locations that it does not exclude.
    reachable: Option<&'a RefCell<BTreeSet<LocId>>>,
}

impl<'a> Checker<'a> {
    pub(crate) fn new(
        pool: &TermPool,
        icfg: &'a Icfg,
        annotation: &'a Annotation,
        dropped: Option<&'a RefCell<Dropped>>,
    ) -> Checker<'a> {
        let old = |(id, var): (VarId, &ir::Variable)| match var.kind {
            VarKind::Old(global) => Some((id, global)),
            _ => None,
        };
        let olds = icfg.vars.iter().filter_map(old).collect();
        let mut annotated: BTreeMap<ProcId, Vec<LocId>> = BTreeMap::new();
        for &loc in annotation.invariants.keys() {
            annotated.entry(icfg.locs[loc].proc).or_default().push(loc);
        }
        let (scopes, index) = (Scopes::new(pool, icfg), Rc::new(VarIndex::new(icfg)));
        Checker { icfg, annotation, scopes, index, olds, annotated, dropped, reachable: None }
    }

    /// All obligations, procedure by procedure.
    fn check_all(&self, pool: &mut TermPool, options: Options, budget: &Budget) -> Result<(), Rejection> {
        let root = self.icfg.root.ok_or_else(|| Rejection::Unchecked("no root procedure".to_string()))?;
        self.check_vocabulary(pool)?;
        self.check_modifies()?;
        let requires = self.contract(root).requires;
        if requires != TermId::TRUE {
            let mut prover = Prover::new(pool, self.icfg, options);
            let fails = pool.not(requires);
            if !prover.impossible(pool, fails, budget)? {
                return Err(Rejection::Wrong("the root procedure has a precondition that need not hold".to_string()));
            }
        }
        // Procedures reached over call edges.
        let mut todo = vec![root];
        let mut seen = BTreeSet::from([root]);
        while let Some(proc) = todo.pop() {
            let called = self.check_proc(pool, proc, options, budget)?;
            todo.extend(called.into_iter().filter(|&p| seen.insert(p)));
        }
        Ok(())
    }

    fn formula(&self, place: Place) -> TermId {
        match place {
            Place::Invariant(loc) => self.annotation.invariants.get(&loc).copied().unwrap_or(TermId::TRUE),
            Place::Requires(proc) => self.contract(proc).requires,
            Place::Ensures(proc) => self.contract(proc).ensures,
        }
    }

    fn contract(&self, proc: ProcId) -> Contract {
        self.annotation.contracts.get(&proc).copied().unwrap_or(TRIVIAL)
    }

    /// Formulas must speak only about what is in scope: otherwise a "contract" could carry a
    /// caller's local through a call, or a fresh symbol could be assumed to have a value.
    fn check_vocabulary(&self, pool: &TermPool) -> Result<(), Rejection> {
        for (&loc, &formula) in &self.annotation.invariants {
            self.check_vocabulary_of(pool, Place::Invariant(loc), formula)?;
        }
        for (&proc, contract) in &self.annotation.contracts {
            self.check_vocabulary_of(pool, Place::Requires(proc), contract.requires)?;
            self.check_vocabulary_of(pool, Place::Ensures(proc), contract.ensures)?;
        }
        Ok(())
    }

    pub(crate) fn check_vocabulary_of(&self, pool: &TermPool, place: Place, formula: TermId) -> Result<(), Rejection> {
        match place {
            Place::Invariant(loc) => self.check_scope(pool, formula, self.icfg.locs[loc].proc, |_| true),
            Place::Requires(proc) => {
                self.check_scope(pool, formula, proc, |k| matches!(k, VarKind::Global | VarKind::Param(_)))
            }
            Place::Ensures(proc) => {
                self.check_scope(pool, formula, proc, |k| !matches!(k, VarKind::Local(_)))?;
                // `ensures` is used at call sites with the values of the arguments.
                let assigned = self.assigned_in(proc);
                for symbol in pool.free_symbols(formula) {
                    if let Some(v) = self.scopes.var_of.get(&symbol)
                        && matches!(self.icfg.vars[*v].kind, VarKind::Param(_))
                        && assigned.contains(v)
                    {
                        return Err(Rejection::Wrong(format!(
                            "the contract of {} speaks of parameter {}, which its body assigns",
                            self.icfg.procs[proc].name, self.icfg.vars[*v].name
                        )));
                    }
                }
                Ok(())
            }
        }
    }

    fn check_scope(
        &self,
        pool: &TermPool,
        formula: TermId,
        proc: ProcId,
        allowed: impl Fn(VarKind) -> bool,
    ) -> Result<(), Rejection> {
        for symbol in pool.free_symbols(formula) {
            match self.scopes.owner.get(&symbol) {
                Some(owner) => {
                    let v = self.scopes.var_of[&symbol];
                    if owner.is_some_and(|p| p != proc) || !allowed(self.icfg.vars[v].kind) {
                        return Err(Rejection::Wrong(format!(
                            "a formula of procedure {} speaks of {}, which is not in scope",
                            self.icfg.procs[proc].name, self.icfg.vars[v].name
                        )));
                    }
                }
                // Functions and constants of the program are rigid; copies of variables are not.
                None if pool.fun(symbol).instance_of.is_some() => {
                    return Err(Rejection::Wrong(format!(
                        "a formula speaks of {}, which is not a program variable",
                        pool.name(symbol)
                    )));
                }
                None => {}
            }
        }
        Ok(())
    }

    /// Calls leave globals outside `modifies` alone: every body must keep to its list, callees included.
    pub(crate) fn check_modifies(&self) -> Result<(), Rejection> {
        let allowed: IdVec<ProcId, BTreeSet<VarId>> =
            self.icfg.procs.values().map(|p| p.modifies.iter().copied().collect()).collect();
        let is_global = |v: &VarId| self.icfg.vars[*v].kind == VarKind::Global;
        for edge in self.icfg.edges.values() {
            let proc = self.icfg.locs[edge.src].proc;
            if Some(proc) == self.icfg.root {
                continue; // nobody calls it
            }
            let changed: Vec<VarId> = match &edge.label {
                Label::Stmt(Stmt::Assign(pairs)) => pairs.iter().map(|(v, _)| *v).collect(),
                Label::Stmt(Stmt::Havoc(vars, _)) => vars.clone(),
                Label::Block(transition) => transition.assigned.clone(),
                Label::Call(site) => {
                    let site = &self.icfg.call_sites[*site];
                    site.results.iter().chain(&self.icfg.procs[site.callee].modifies).copied().collect()
                }
                Label::Join { results, .. } => results.clone(),
                Label::Stmt(Stmt::Assume(_)) | Label::Return(_) | Label::Fork { .. } => Vec::new(),
                Label::AtomicBegin | Label::AtomicEnd => Vec::new(),
            };
            if let Some(v) = changed.iter().find(|v| is_global(v) && !allowed[proc].contains(v)) {
                return Err(Rejection::Wrong(format!(
                    "{} changes {}, which is not in its modifies list",
                    self.icfg.procs[proc].name, self.icfg.vars[*v].name
                )));
            }
        }
        Ok(())
    }

    fn assigned_in(&self, proc: ProcId) -> BTreeSet<VarId> {
        let mut assigned = BTreeSet::new();
        for edge in self.icfg.edges.values().filter(|e| self.icfg.locs[e.src].proc == proc) {
            match &edge.label {
                Label::Stmt(Stmt::Assign(pairs)) => assigned.extend(pairs.iter().map(|(v, _)| *v)),
                Label::Stmt(Stmt::Havoc(vars, _)) => assigned.extend(vars.iter().copied()),
                Label::Block(transition) => assigned.extend(transition.assigned.iter().copied()),
                Label::Call(site) => assigned.extend(self.icfg.call_sites[*site].results.iter().copied()),
                Label::Join { results, .. } => assigned.extend(results.iter().copied()),
                Label::Stmt(Stmt::Assume(_)) | Label::Return(_) | Label::Fork { .. } => {}
                Label::AtomicBegin | Label::AtomicEnd => {}
            }
        }
        assigned
    }

    /// All cut points of a procedure, and a rank of its locations in which edges that do not enter a
    /// cut point go forward. Which locations close a cycle is worked out here, not taken from marks in the graph.
    fn cut_points(&self, proc: ProcId) -> (BTreeSet<LocId>, IdVec<LocId, u32>) {
        let entry = self.icfg.procs[proc].entry;
        let order = self.icfg.local_order(entry);
        let mut cuts = order.heads;
        cuts.insert(entry);
        cuts.extend(self.annotated.get(&proc).into_iter().flatten());
        (cuts, order.rank)
    }

    /// The obligations of a procedure; those it calls.
    fn check_proc(
        &self,
        pool: &mut TermPool,
        proc: ProcId,
        options: Options,
        budget: &Budget,
    ) -> Result<BTreeSet<ProcId>, Rejection> {
        self.check_from(pool, proc, None, options, budget)
    }

    /// The same for the paths from some of its cut points only, if any are named; its entry counts as one.
    pub(crate) fn check_from(
        &self,
        pool: &mut TermPool,
        proc: ProcId,
        only: Option<&BTreeSet<LocId>>,
        options: Options,
        budget: &Budget,
    ) -> Result<BTreeSet<ProcId>, Rejection> {
        let entry = self.icfg.procs[proc].entry;
        let (cuts, rank) = self.cut_points(proc);
        let mut called = BTreeSet::new();
        let is_asked_for = |loc: LocId| only.is_none_or(|only| only.contains(&loc));
        let mut start = vec![self.contract(proc).requires];
        for &(old, global) in &self.olds {
            start.push(pool.eq(self.icfg.vars[old].term, self.icfg.vars[global].term));
        }
        let start = pool.and(&start);
        let from_entry = Region { proc, cuts: &cuts, rank: &rank };
        // The entry itself may carry a formula (a loop head at the very start).
        if self.annotation.invariants.contains_key(&entry) {
            let mut prover = Prover::new(pool, self.icfg, options);
            prover.assume(pool, start);
            let env = identity_env(self.icfg);
            self.oblige(pool, &mut prover, TermId::TRUE, Place::Invariant(entry), &env, budget, || {
                format!("the formula at the entry of {} does not hold initially", self.icfg.procs[proc].name)
            })?;
        } else if is_asked_for(entry) {
            self.check_region(pool, &from_entry, entry, start, &mut called, options, budget)?;
        }
        for &cut in &cuts {
            if self.icfg.locs[cut].proc != proc || rank[cut] == u32::MAX || !is_asked_for(cut) {
                continue;
            }
            if cut == entry && !self.annotation.invariants.contains_key(&entry) {
                // Re-entered without a formula: anything may hold there.
                if self.icfg.in_edges(entry).iter().all(|&e| matches!(self.icfg.edges[e].label, Label::Call(_))) {
                    continue;
                }
            }
            let invariant = self.annotation.invariants.get(&cut).copied().unwrap_or(TermId::TRUE);
            if invariant != TermId::FALSE {
                self.check_region(pool, &from_entry, cut, invariant, &mut called, options, budget)?;
            }
        }
        Ok(called)
    }

    /// All paths from one cut point to the next ones.
    #[allow(clippy::too_many_arguments)]
    fn check_region(
        &self,
        pool: &mut TermPool,
        region: &Region<'_>,
        from: LocId,
        assumption: TermId,
        called: &mut BTreeSet<ProcId>,
        options: Options,
        budget: &Budget,
    ) -> Result<(), Rejection> {
        let mut prover = Prover::new(pool, self.icfg, options);
        prover.assume(pool, assumption);
        let mut unfolding = Unfolding::with_index(self.index.clone());
        let mut n_assumed = 0;
        let mut ready = vec![unfolding.add_root(from, TermId::TRUE, identity_env(self.icfg))];
        let mut pending: BTreeMap<(u32, LocId), Vec<Step>> = BTreeMap::new();
        let mut arrivals: BTreeMap<LocId, Vec<Step>> = BTreeMap::new();
        loop {
            for node in std::mem::take(&mut ready) {
                budget.check()?;
                let loc = unfolding.nodes[node].loc;
                if loc == self.icfg.procs[region.proc].exit && node.index() > 0 {
                    // Arrivals at the exit that is no cut point of its own.
                    self.check_exit(pool, &mut prover, region.proc, &unfolding, node, budget)?;
                }
                if let Some(check) = &self.icfg.locs[loc].error {
                    if self.dropped.is_some() {
                        continue;
                    }
                    let guard = unfolding.nodes[node].guard;
                    if let Some(reachable) = self.reachable {
                        let is_open = reachable.borrow().contains(&loc);
                        let limit = budget.child(ERROR_LIMIT);
                        if !is_open && !matches!(prover.impossible(pool, guard, &limit), Ok(true)) {
                            budget.check_now()?;
                            reachable.borrow_mut().insert(loc);
                        }
                        continue;
                    }
                    if !prover.impossible(pool, guard, budget)? {
                        return Err(Rejection::Wrong(format!("an error location stays reachable: {}", check.message)));
                    }
                    continue;
                }
                for (edge, dst) in self.icfg.local_successors(loc) {
                    let step = match self.icfg.edges[edge].label {
                        Label::Call(site) => {
                            called.insert(self.icfg.call_sites[site].callee);
                            self.check_call(pool, &mut prover, &unfolding, node, edge, site, budget)?
                        }
                        _ => unfolding.step(pool, self.icfg, node, edge).ok_or_else(|| {
                            Rejection::Unchecked("an edge that the checker does not know".to_string())
                        })?,
                    };
                    if step.condition == TermId::FALSE {
                        continue;
                    }
                    if region.cuts.contains(&dst) {
                        arrivals.entry(dst).or_default().push(step);
                    } else {
                        pending.entry((region.rank[dst], dst)).or_default().push(step);
                    }
                }
            }
            for &constraint in &unfolding.constraints[n_assumed..] {
                prover.assume(pool, constraint);
            }
            n_assumed = unfolding.constraints.len();
            let Some(((_, loc), steps)) = pending.pop_first() else { break };
            ready.push(unfolding.add_node(pool, self.icfg, loc, steps));
            for &constraint in &unfolding.constraints[n_assumed..] {
                prover.assume(pool, constraint);
            }
            n_assumed = unfolding.constraints.len();
        }
        if from == self.icfg.procs[region.proc].exit {
            self.check_exit(pool, &mut prover, region.proc, &unfolding, NodeId(0), budget)?;
        }
        for (loc, steps) in arrivals {
            let node = unfolding.add_node(pool, self.icfg, loc, steps);
            for &constraint in &unfolding.constraints[n_assumed..] {
                prover.assume(pool, constraint);
            }
            n_assumed = unfolding.constraints.len();
            let (guard, env) = (unfolding.nodes[node].guard, unfolding.nodes[node].env.clone());
            self.oblige(pool, &mut prover, guard, Place::Invariant(loc), &env, budget, || {
                format!("the formula at {loc} is not preserved on the way from {from}")
            })?;
        }
        Ok(())
    }

    fn check_exit(
        &self,
        pool: &mut TermPool,
        prover: &mut Prover,
        proc: ProcId,
        unfolding: &Unfolding,
        node: NodeId,
        budget: &Budget,
    ) -> Result<(), Rejection> {
        let (guard, env) = (unfolding.nodes[node].guard, unfolding.nodes[node].env.clone());
        self.oblige(pool, prover, guard, Place::Ensures(proc), &env, budget, || {
            format!("the contract of {} does not hold at its exit", self.icfg.procs[proc].name)
        })
    }

    /// The obligation of a call, and the step over it.
    #[allow(clippy::too_many_arguments)]
    fn check_call(
        &self,
        pool: &mut TermPool,
        prover: &mut Prover,
        unfolding: &Unfolding,
        pred: NodeId,
        edge: EdgeId,
        site: CallSiteId,
        budget: &Budget,
    ) -> Result<Step, Rejection> {
        let site = &self.icfg.call_sites[site];
        let callee = &self.icfg.procs[site.callee];
        let contract = self.contract(site.callee);
        let env: &Env = &unfolding.nodes[pred].env;
        let mut caller = env_substitution(self.icfg, env);
        let args: Vec<TermId> = site.args.iter().map(|&a| caller.apply(pool, a)).collect();
        // Before the call: globals as they are, parameters are the arguments.
        let mut before = (**env).clone();
        for (&param, &arg) in callee.params.iter().zip(&args) {
            before[param] = arg;
        }
        let before: Env = Rc::new(before);
        let guard = unfolding.nodes[pred].guard;
        self.oblige(pool, prover, guard, Place::Requires(site.callee), &before, budget, || {
            format!("the precondition of {} does not hold at a call", callee.name)
        })?;
        // After it: modified globals and results are arbitrary, old(g) is g before.
        let mut after = (**env).clone();
        let mut chosen = Vec::new();
        for &global in &callee.modifies {
            let var = &self.icfg.vars[global];
            after[global] = pool.fresh_constant(&var.name, var.sort);
            chosen.push((global, after[global]));
        }
        let mut contract_env = (*before).clone();
        for &global in &callee.modifies {
            contract_env[global] = after[global];
        }
        for &(old, global) in &self.olds {
            contract_env[old] = env[global];
        }
        for (&result, &target) in callee.results.iter().zip(&site.results) {
            let var = &self.icfg.vars[result];
            let value = pool.fresh_constant(&var.name, var.sort);
            contract_env[result] = value;
            after[target] = value;
            chosen.push((target, value));
        }
        let condition = in_env(pool, self.icfg, &Rc::new(contract_env), contract.ensures);
        Ok(Step { pred, edge, condition, env: Rc::new(after), chosen })
    }

    /// The formula of a place must hold in an environment.
    #[allow(clippy::too_many_arguments)]
    fn oblige(
        &self,
        pool: &mut TermPool,
        prover: &mut Prover,
        guard: TermId,
        place: Place,
        env: &Env,
        budget: &Budget,
        complaint: impl FnOnce() -> String,
    ) -> Result<(), Rejection> {
        if let Some(dropped) = self.dropped {
            return self.drop_what_fails(pool, prover, guard, place, env, dropped, budget);
        }
        let formula = self.formula(place);
        let goal = in_env(pool, self.icfg, env, formula);
        let negated = pool.not(goal);
        let fails = pool.and(&[guard, negated]);
        if prover.impossible(pool, fails, budget)? { Ok(()) } else { Err(Rejection::Wrong(complaint())) }
    }

    #[allow(clippy::too_many_arguments)]
    fn drop_what_fails(
        &self,
        pool: &mut TermPool,
        prover: &mut Prover,
        guard: TermId,
        place: Place,
        env: &Env,
        dropped: &RefCell<Dropped>,
        budget: &Budget,
    ) -> Result<(), Rejection> {
        let formula = self.formula(place);
        let mut open: Vec<(TermId, TermId)> = Vec::new();
        for conjunct in pool.conjuncts(formula) {
            if !dropped.borrow().contains(&(place, conjunct)) {
                open.push((conjunct, in_env(pool, self.icfg, env, conjunct)));
            }
        }
        let drop = |conjunct: TermId| dropped.borrow_mut().insert((place, conjunct));
        while !open.is_empty() {
            let goals: Vec<TermId> = open.iter().map(|p| p.1).collect();
            match prover.refuted(pool, guard, &goals, budget)? {
                Refuted::None => break,
                Refuted::These(refuted) if refuted.contains(&true) => {
                    let mut is_refuted = refuted.into_iter();
                    open.retain(|(conjunct, _)| {
                        let is_refuted = is_refuted.next().unwrap_or(true);
                        if is_refuted {
                            drop(*conjunct);
                        }
                        !is_refuted
                    });
                }
                Refuted::These(_) | Refuted::Unclear => {
                    // No answer, or a model that does not tell: one by one.
                    for (conjunct, image) in open.drain(..) {
                        if !matches!(prover.refuted(pool, guard, &[image], budget)?, Refuted::None) {
                            drop(conjunct);
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

struct Region<'a> {
    proc: ProcId,
    cuts: &'a BTreeSet<LocId>,
    rank: &'a IdVec<LocId, u32>,
}
