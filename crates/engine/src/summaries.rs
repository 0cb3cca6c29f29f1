//! Contracts from a proof: tree interpolation along the call tree (Sery, Fedyukovich, Sharygina: Interpolation-based
//! function summaries in bounded model checking, HVC 2011; here cut at loop invariants instead of a bound).
//!
//! Every call is a node of the tree, with a copy of the callee's body between loop invariants as its formula. The
//! formula of the whole tree says that some error is reached, or that some loop invariant is not established. One
//! refutation gives each call an interpolant over the values before and after it, and a flag that it *fails*: what the
//! body does, as far as the caller needs it. Since a node's formula and the interpolants of its calls imply its own
//! interpolant, the contracts fit together:
//!
//! * `ensures` is the interpolant where the call does not fail, of all calls of a procedure together;
//! * `requires` is that it does not fail: for some call of the procedure, its interpolant excludes that.
//!
//! Whoever uses the result has it checked.

use base::{Budget, IdVec};
use ir::passive::{Env, NodeId, Step, Unfolding, env_substitution, identity_env, in_env};
use ir::{Annotation, CallSiteId, Contract, EdgeId, Icfg, Label, LocId, ProcId, VarId, VarIndex, VarKind};
use logic::{
    AssertionId, ItpOptions, ItpTree, SatResult, Solver, SortId, Substitution, TermId, TermPool, default_value,
};
use smt::SmtSolver;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Larger trees are not interpolated.
const MAX_NODES: usize = 20_000;
const MAX_CALLS: usize = 400;
/// A procedure whose calls need more different preconditions than this gets none.
const MAX_CASES: usize = 8;

/// Contracts that, with these loop invariants, exclude all errors; `None` if there is recursion, the invariants are not
/// enough, or nothing was found within the limits.
pub fn contracts(
    pool: &mut TermPool,
    icfg: &Icfg,
    invariants: &BTreeMap<LocId, TermId>,
    budget: &Budget,
) -> Option<Annotation> {
    let root = icfg.root?;
    let mut tree = Tree {
        icfg,
        invariants,
        index: Rc::new(VarIndex::new(icfg)),
        touched: BTreeMap::new(),
        calls: Vec::new(),
        n_nodes: 0,
        path: Vec::new(),
        budget,
    };
    let (formula, children, _) = tree.body(pool, root, None)?;
    tree.calls.push(Call { proc: root, interface: None, formula, parent: None });
    let last = tree.calls.len() - 1;
    children.into_iter().for_each(|c| tree.calls[c].parent = Some(last));
    let mut solver = SmtSolver::with_proofs();
    for &axiom in &icfg.axioms {
        solver.assert(pool, axiom);
    }
    let groups: Vec<Vec<AssertionId>> = tree.calls.iter().map(|c| vec![solver.assert(pool, c.formula)]).collect();
    if solver.check(pool, budget) != SatResult::Unsat {
        return None;
    }
    let shape = ItpTree { groups, parent: tree.calls.iter().map(|c| c.parent).collect() };
    let interpolants = solver.interpolate(pool, &shape, ItpOptions::default(), budget).ok()?;
    let mut cases: BTreeMap<ProcId, (Vec<TermId>, Vec<TermId>)> = BTreeMap::new();
    for (call, interpolant) in tree.calls.iter().zip(interpolants) {
        let Some(interface) = &call.interface else { continue };
        let (requires, ensures) = interface.contract(pool, icfg, call.proc, interpolant);
        let known = cases.entry(call.proc).or_default();
        if !known.0.contains(&requires) {
            known.0.push(requires);
        }
        known.1.push(ensures);
    }
    let mut contract = |(requires, ensures): (Vec<TermId>, Vec<TermId>)| Contract {
        requires: if requires.len() > MAX_CASES { TermId::TRUE } else { pool.or(&requires) },
        ensures: pool.and(&ensures),
    };
    let contracts: BTreeMap<ProcId, Contract> =
        cases.into_iter().map(|(proc, found)| (proc, contract(found))).collect();
    let mut annotation = Annotation { invariants: invariants.clone(), contracts };
    // Loop invariants may hold only if the procedure was called as it requires.
    for (&proc, contract) in &annotation.contracts {
        let mut before = Substitution::new();
        for &g in &icfg.procs[proc].modifies {
            before.insert(icfg.vars[g].term, old_value(icfg, g));
        }
        let required = before.apply(pool, contract.requires);
        for head in icfg.local_order(icfg.procs[proc].entry).heads {
            let invariant = annotation.invariants.entry(head).or_insert(TermId::TRUE);
            *invariant = pool.and(&[*invariant, required]);
        }
    }
    Some(annotation)
}

/// The value of a global before a call.
fn old_value(icfg: &Icfg, global: VarId) -> TermId {
    let old = icfg.vars.values().find(|v| v.kind == VarKind::Old(global));
    old.map_or(icfg.vars[global].term, |v| v.term)
}

/// The values that a call and its callee share.
struct Interface {
    /// Is the call made, and does it end in an error?
    is_made: TermId,
    fails: TermId,
    may_fail: bool,
    params: Vec<TermId>,
    before: BTreeMap<VarId, TermId>,
    after: BTreeMap<VarId, TermId>,
    results: Vec<TermId>,
}

struct Call {
    proc: ProcId,
    /// `None`: it is the root, which nobody calls.
    interface: Option<Interface>,
    formula: TermId,
    parent: Option<usize>,
}

impl Interface {
    fn new(pool: &mut TermPool, icfg: &Icfg, proc: ProcId, touched: &BTreeSet<VarId>) -> Interface {
        let mut fresh = |v: VarId| pool.fresh_constant(&icfg.vars[v].name, icfg.vars[v].sort);
        let callee = &icfg.procs[proc];
        let params = callee.params.iter().map(|&v| fresh(v)).collect();
        let before = touched.iter().map(|&v| (v, fresh(v))).collect();
        let after = callee.modifies.iter().map(|&v| (v, fresh(v))).collect();
        let results = callee.results.iter().map(|&v| fresh(v)).collect();
        let is_made = pool.fresh_constant("made", SortId::BOOL);
        let fails = pool.fresh_constant("fails", SortId::BOOL);
        Interface { is_made, fails, may_fail: true, params, before, after, results }
    }

    /// The contract that an interpolant says, over the variables of the procedure.
    fn contract(&self, pool: &mut TermPool, icfg: &Icfg, proc: ProcId, interpolant: TermId) -> (TermId, TermId) {
        let callee = &icfg.procs[proc];
        let term = |v: VarId| icfg.vars[v].term;
        let mut at_exit = Substitution::from_pairs([(self.is_made, TermId::TRUE), (self.fails, TermId::FALSE)]);
        let mut at_entry = Substitution::from_pairs([(self.is_made, TermId::TRUE), (self.fails, TermId::TRUE)]);
        for (&v, &value) in callee.params.iter().zip(&self.params) {
            at_exit.insert(value, term(v));
            at_entry.insert(value, term(v));
        }
        for (&v, &value) in &self.before {
            let is_modified = self.after.contains_key(&v);
            at_exit.insert(value, if is_modified { old_value(icfg, v) } else { term(v) });
            at_entry.insert(value, term(v));
        }
        // A call that fails has no values after it: any will do.
        for (&v, &value) in &self.after {
            at_exit.insert(value, term(v));
            at_entry.insert(value, term(v));
        }
        for (&v, &value) in callee.results.iter().zip(&self.results) {
            at_exit.insert(value, term(v));
            let any = default_value(pool, icfg.vars[v].sort);
            if let Some(any) = pool.value_term(&any, icfg.vars[v].sort) {
                at_entry.insert(value, any);
            }
        }
        let ensures = at_exit.apply(pool, interpolant);
        // The interpolant of a body that cannot fail says nothing about failing.
        let fails = if self.may_fail { at_entry.apply(pool, interpolant) } else { TermId::FALSE };
        (pool.not(fails), ensures)
    }
}

struct Tree<'a> {
    icfg: &'a Icfg,
    invariants: &'a BTreeMap<LocId, TermId>,
    index: Rc<VarIndex>,
    /// The globals that a procedure or its callees read or modify.
    touched: BTreeMap<ProcId, BTreeSet<VarId>>,
    /// In postorder.
    calls: Vec<Call>,
    n_nodes: usize,
    /// The procedures whose bodies are being made.
    path: Vec<ProcId>,
    budget: &'a Budget,
}

impl Tree<'_> {
    fn touched(&mut self, pool: &TermPool, proc: ProcId) -> BTreeSet<VarId> {
        if let Some(known) = self.touched.get(&proc) {
            return known.clone();
        }
        // Recursion is refused elsewhere.
        self.touched.insert(proc, BTreeSet::new());
        let icfg = self.icfg;
        let mut found: BTreeSet<VarId> = icfg.procs[proc].modifies.iter().copied().collect();
        let mut terms: Vec<TermId> = Vec::new();
        for edge in icfg.edges.values().filter(|e| icfg.locs[e.src].proc == proc) {
            terms.extend(icfg.read_terms(&edge.label));
            if let Label::Call(site) = edge.label {
                terms.extend(&icfg.call_sites[site].args);
                found.extend(self.touched(pool, icfg.call_sites[site].callee));
            }
        }
        terms.extend(self.invariants.iter().filter(|(l, _)| icfg.locs[**l].proc == proc).map(|(_, &f)| f));
        for v in self.index.vars_of(pool, &terms) {
            match icfg.vars[v].kind {
                VarKind::Global => found.insert(v),
                VarKind::Old(global) => found.insert(global),
                _ => false,
            };
        }
        self.touched.insert(proc, found.clone());
        found
    }

    /// The values at the entry of a body.
    fn at_entry(&self, pool: &mut TermPool, proc: ProcId, interface: Option<&Interface>) -> Env {
        let mut env = (*identity_env(self.icfg)).clone();
        let body = &self.icfg.procs[proc];
        for &v in body.locals.iter().chain(&body.results) {
            env[v] = pool.fresh_constant(&self.icfg.vars[v].name, self.icfg.vars[v].sort);
        }
        if let Some(interface) = interface {
            for (&v, &value) in body.params.iter().zip(&interface.params) {
                env[v] = value;
            }
            for (&v, &value) in &interface.before {
                env[v] = value;
            }
        }
        for (v, var) in self.icfg.vars.iter() {
            if let VarKind::Old(global) = var.kind {
                env[v] = env[global];
            }
        }
        Rc::new(env)
    }

    /// The values at a loop head of which only the invariant is known.
    fn at_head(&self, pool: &mut TermPool, proc: ProcId, entry: &Env) -> Env {
        let mut env = (**entry).clone();
        let body = &self.icfg.procs[proc];
        let is_root = self.icfg.root == Some(proc);
        let globals: &[VarId] = if is_root { &self.icfg.globals } else { &body.modifies };
        for &v in body.locals.iter().chain(&body.results).chain(&body.params).chain(globals) {
            env[v] = pool.fresh_constant(&self.icfg.vars[v].name, self.icfg.vars[v].sort);
        }
        // A parameter that is never assigned keeps its value.
        for &v in body.params.iter().filter(|v| !self.is_assigned(proc, **v)) {
            env[v] = entry[v];
        }
        Rc::new(env)
    }

    fn is_assigned(&self, proc: ProcId, v: VarId) -> bool {
        let icfg = self.icfg;
        icfg.edges.values().filter(|e| icfg.locs[e.src].proc == proc).any(|e| match &e.label {
            Label::Stmt(ir::Stmt::Assign(pairs)) => pairs.iter().any(|p| p.0 == v),
            Label::Stmt(ir::Stmt::Havoc(vars, _)) => vars.contains(&v),
            Label::Stmt(ir::Stmt::Assume(_)) | Label::Return(_) => false,
            Label::Call(site) => icfg.call_sites[*site].results.contains(&v),
            _ => true,
        })
    }

    /// The formula of a body, its calls, and whether it may fail.
    fn body(
        &mut self,
        pool: &mut TermPool,
        proc: ProcId,
        interface: Option<&Interface>,
    ) -> Option<(TermId, Vec<usize>, bool)> {
        if self.path.contains(&proc) || self.calls.len() > MAX_CALLS {
            return None;
        }
        self.path.push(proc);
        let icfg = self.icfg;
        let (entry, exit) = (icfg.procs[proc].entry, icfg.procs[proc].exit);
        let order = icfg.local_order(entry);
        let mut cuts = order.heads;
        cuts.extend(self.invariants.keys().filter(|l| icfg.locs[**l].proc == proc));
        cuts.retain(|l| order.rank[*l] != u32::MAX);
        if cuts.contains(&entry) || cuts.contains(&exit) {
            return None;
        }
        let mut unfolding = Unfolding::with_index(self.index.clone());
        let start = self.at_entry(pool, proc, interface);
        let mut ready = vec![unfolding.add_root(entry, TermId::TRUE, start.clone())];
        for &head in &cuts {
            let invariant = self.invariants.get(&head).copied().unwrap_or(TermId::TRUE);
            if invariant == TermId::FALSE {
                continue;
            }
            let env = self.at_head(pool, proc, &start);
            let holds = in_env(pool, icfg, &env, invariant);
            let guard = pool.fresh_constant("at", SortId::BOOL);
            let definition = pool.implies(guard, holds);
            unfolding.constraints.push(definition);
            ready.push(unfolding.add_root(head, guard, env));
        }
        let (mut children, mut failures, mut exits) = (Vec::new(), Vec::new(), Vec::new());
        let mut pending: BTreeMap<(u32, LocId), Vec<Step>> = BTreeMap::new();
        let mut arrivals: BTreeMap<LocId, Vec<Step>> = BTreeMap::new();
        loop {
            for node in std::mem::take(&mut ready) {
                self.budget.check().ok()?;
                self.n_nodes += 1;
                if self.n_nodes > MAX_NODES {
                    return None;
                }
                let loc = unfolding.nodes[node].loc;
                if icfg.locs[loc].error.is_some() {
                    failures.push(unfolding.nodes[node].guard);
                    continue;
                }
                if loc == exit {
                    exits.push(node);
                }
                for (edge, dst) in icfg.local_successors(loc) {
                    let step = match icfg.edges[edge].label {
                        Label::Call(site) => {
                            self.call(pool, &unfolding, (node, edge, site), &mut children, &mut failures)?
                        }
                        _ => unfolding.step(pool, icfg, node, edge)?,
                    };
                    if step.condition == TermId::FALSE {
                        continue;
                    }
                    match cuts.contains(&dst) {
                        true => arrivals.entry(dst).or_default().push(step),
                        false => pending.entry((order.rank[dst], dst)).or_default().push(step),
                    }
                }
            }
            let Some(((_, loc), steps)) = pending.pop_first() else { break };
            ready.push(unfolding.add_node(pool, icfg, loc, steps));
        }
        for (head, steps) in arrivals {
            let invariant = self.invariants.get(&head).copied().unwrap_or(TermId::TRUE);
            if invariant != TermId::TRUE {
                let node = unfolding.add_node(pool, icfg, head, steps);
                let node = &unfolding.nodes[node];
                let holds = in_env(pool, icfg, &node.env, invariant);
                let fails = pool.not(holds);
                failures.push(pool.and(&[node.guard, fails]));
            }
        }
        self.path.pop();
        let fails = pool.or(&failures);
        let end = match interface {
            None => fails,
            Some(interface) => {
                let mut ways = vec![pool.and(&[interface.fails, fails])];
                for node in exits {
                    ways.push(self.at_exit(pool, proc, interface, &unfolding, node));
                }
                let way = pool.or(&ways);
                pool.implies(interface.is_made, way)
            }
        };
        unfolding.constraints.push(end);
        Some((pool.and(&unfolding.constraints), children, fails != TermId::FALSE))
    }

    /// The callee ends without a failure.
    fn at_exit(
        &self,
        pool: &mut TermPool,
        proc: ProcId,
        interface: &Interface,
        unfolding: &Unfolding,
        node: NodeId,
    ) -> TermId {
        let (guard, env): (TermId, &IdVec<VarId, TermId>) = (unfolding.nodes[node].guard, &unfolding.nodes[node].env);
        let mut parts = vec![guard, pool.not(interface.fails)];
        let results = self.icfg.procs[proc].results.iter().copied().zip(interface.results.iter().copied());
        for (v, value) in interface.after.iter().map(|(&v, &value)| (v, value)).chain(results) {
            parts.push(pool.eq(value, env[v]));
        }
        pool.and(&parts)
    }

    /// The step over a call, whose body becomes a node of the tree.
    fn call(
        &mut self,
        pool: &mut TermPool,
        unfolding: &Unfolding,
        (node, edge, site): (NodeId, EdgeId, CallSiteId),
        children: &mut Vec<usize>,
        failures: &mut Vec<TermId>,
    ) -> Option<Step> {
        let site = &self.icfg.call_sites[site];
        let proc = site.callee;
        let touched = self.touched(pool, proc);
        let mut interface = Interface::new(pool, self.icfg, proc, &touched);
        let (formula, inner, may_fail) = self.body(pool, proc, Some(&interface))?;
        interface.may_fail = may_fail;
        let own = self.calls.len();
        inner.into_iter().for_each(|c| self.calls[c].parent = Some(own));
        children.push(own);
        let (guard, env) = (unfolding.nodes[node].guard, &unfolding.nodes[node].env);
        let mut caller = env_substitution(self.icfg, env);
        let mut parts = vec![interface.is_made];
        for (&arg, &value) in site.args.iter().zip(&interface.params) {
            let arg = caller.apply(pool, arg);
            parts.push(pool.eq(value, arg));
        }
        for (&v, &value) in &interface.before {
            parts.push(pool.eq(value, env[v]));
        }
        if may_fail {
            let mut failing = parts.clone();
            failing.extend([guard, interface.fails]);
            failures.push(pool.and(&failing));
            parts.push(pool.not(interface.fails));
        }
        let mut after = (**env).clone();
        let mut chosen = Vec::new();
        let results = site.results.iter().copied().zip(interface.results.iter().copied());
        for (v, value) in interface.after.iter().map(|(&v, &value)| (v, value)).chain(results) {
            after[v] = value;
            chosen.push((v, value));
        }
        self.calls.push(Call { proc, interface: Some(interface), formula, parent: None });
        Some(Step { pred: node, edge, condition: pool.and(&parts), env: Rc::new(after), chosen })
    }
}
