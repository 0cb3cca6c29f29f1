//! WHALE (Albarghouthi, Gurfinkel, Chechik; seed 003): inter-procedural verification with summaries from interpolants.
//!
//! The program is a set of acyclic procedures (loops are tail recursion, [`ir::tail_recursion`]). An **ARG** stands for a
//! procedure under a specification: a *guard* `G` over its inputs (parameters, globals) and a *summary* `S` over inputs and outputs (results,
//! globals, and whether an error was met). ARGs form a tree: each call in an expanded ARG is *justified* by an ARG of its own,
//! which starts with `G = S = true`. The root's summary is "no error".
//!
//! * `expand`: the body of an ARG as one formula (DAGCOND), all paths at once, with a child for every call.
//! * `cover`: an ARG is covered by another one of the same procedure whose specification implies its own (`G_i ⇒ G_j` and
//!   `G_i ∧ S_j ⇒ S_i`); ancestors may cover, which closes recursion.
//! * `refine`: first SPECCOND: does the body satisfy the specification if calls do as their ARGs say? If not, IDAGCOND: calls are
//!   *under*-approximated by what is unrolled below. If that is unsatisfiable with `G ∧ ¬S`, one refutation gives state/transition
//!   interpolants `g_k`, `s_k` for every call `k` (tree interpolation on a caterpillar), which become the guard and
//!   summary of its ARG. If it is satisfiable, the specification of this ARG is refuted: for the root this is a real
//!   execution, otherwise the parent has to find other specifications.
//! * ARGs are processed first in, first out, so that every ARG is tried again for covering.
//!
//! When nothing is left to do, the specifications of uncovered ARGs are contracts: `requires ⋁G_i`,
//! `ensures ⋀ (G_i ⇒ S_i)`.
//!
//! Departures: before interpolation, SPECCOND is tried with the *induction hypothesis*: a recursive call does what the nearest ARG of
//! its procedure above claims. A call has a flag that exactly the paths through it need (c_u ∧ c_w of the paper); guards of nodes
//! in [`ir::passive`] would not do, several branches may have true ones. What is claimed in the end is recomputed from the root
//! (`relied_on`), so stale specifications below ARGs that nobody needs any more play no part. Guards are projected to the inputs by (weakening) quantifier elimination rather than kept quantified, so
//! UPDATEGUARD only matters for the guard of complete ARGs; RESET keeps old specifications as candidates, which SPECCOND tries first.

use crate::framework::{Ctx, Engine, Phase, Task};
use base::{Id, IdVec};
use ir::passive::{Env, NodeId, Step, Unfolding, env_substitution};
use ir::tail_recursion::{TailMap, loops_to_recursion};
use ir::{
    Annotation, CallSiteId, Certificate, Contract, Counterexample, EdgeId, Icfg, Label, LocId, ProcId, Reason,
    TraceStep, VarId, VarKind, Verdict, primed,
};
use logic::{
    AssertionId, Farkas, FastMap, ItpOptions, ItpTree, Model, SatResult, Solver, SortId, Substitution, TermId,
    TermPool, UnknownReason, Value, qe,
};
use smt::SmtSolver;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

pub struct Whale;

impl Engine for Whale {
    fn name(&self) -> &'static str {
        "whale"
    }
    fn summary(&self) -> &'static str {
        "WHALE: procedure summaries from state/transition interpolants, also for recursion"
    }
    fn handles_calls(&self) -> bool {
        true
    }
    fn prefers_calls(&self) -> bool {
        true
    }
    fn run(&self, ctx: &mut Ctx<'_>, task: &Task<'_>) -> Verdict {
        if task.icfg.has_threads() {
            return Verdict::Unknown(Reason::Unsupported("threads (engine whale)".to_string()));
        }
        let (mut icfg, map) = loops_to_recursion(task.icfg, ctx.pool);
        icfg.ensure_old_vars(ctx.pool);
        let error = ctx.pool.fresh_constant("error", SortId::BOOL);
        let mut search = Search {
            icfg: &icfg,
            map: &map,
            error,
            args: IdVec::new(),
            queue: VecDeque::new(),
            guards: FastMap::default(),
            recursive: recursive_procs(&icfg),
        };
        match search.run(ctx) {
            Ok(verdict) => verdict,
            Err(reason) => Verdict::Unknown(reason),
        }
    }
}

base::define_id!(ArgId, "A");

/// A procedure under a specification.
struct Arg {
    proc: ProcId,
    parent: Option<ArgId>,
    /// Over parameters and globals (before).
    guard: TermId,
    /// Over parameters, globals before (unprimed), globals and results after (primed), and the error flag.
    summary: TermId,
    body: Option<Body>,
    safe: bool,
    covered_by: Option<ArgId>,
    queued: bool,
    /// How often its calls were given new specifications: the strength of interpolants alternates.
    n_refined: u32,
}

/// A body as formulas over constants of its own.
struct Body {
    unfolding: Unfolding,
    /// The constants of inputs.
    inputs: BTreeMap<VarId, TermId>,
    /// The constants of outputs: results and modified globals.
    outputs: BTreeMap<VarId, TermId>,
    error: TermId,
    /// All constraints and "control reaches the end".
    formula: TermId,
    exit: NodeId,
    calls: Vec<Call>,
}

struct Call {
    site: CallSiteId,
    child: ArgId,
    /// True on every path through the call.
    passed: TermId,
    /// The constants of the callee's parameters and of all globals before.
    inputs: BTreeMap<VarId, TermId>,
    /// The constants of the callee's results and modified globals after.
    outputs: BTreeMap<VarId, TermId>,
    error: TermId,
}

/// So many ARGs are expanded at once.
const MAX_EXPANDED: usize = 500;

/// The procedures that can call themselves, directly or through others.
fn recursive_procs(icfg: &Icfg) -> IdVec<ProcId, bool> {
    let mut callees: IdVec<ProcId, BTreeSet<ProcId>> = IdVec::from_elem(BTreeSet::new(), icfg.procs.len());
    for site in icfg.call_sites.values() {
        callees[site.caller].insert(site.callee);
    }
    let reaches_itself = |p: ProcId| {
        let mut seen: BTreeSet<ProcId> = BTreeSet::new();
        let mut todo: Vec<ProcId> = callees[p].iter().copied().collect();
        while let Some(q) = todo.pop() {
            if seen.insert(q) {
                todo.extend(callees[q].iter().copied());
            }
        }
        seen.contains(&p)
    };
    icfg.procs.ids().map(reaches_itself).collect()
}

/// The edges of a path, each with the constants of the values it chooses.
type Path = Vec<(EdgeId, Vec<(VarId, TermId)>)>;

struct Search<'a> {
    icfg: &'a Icfg,
    map: &'a TailMap,
    /// The error flag in summaries.
    error: TermId,
    args: IdVec<ArgId, Arg>,
    queue: VecDeque<ArgId>,
    /// Whether a guard is satisfiable.
    guards: FastMap<TermId, bool>,
    recursive: IdVec<ProcId, bool>,
}

impl Search<'_> {
    fn run(&mut self, ctx: &mut Ctx<'_>) -> Result<Verdict, Reason> {
        let root = self.icfg.root.ok_or_else(|| Reason::Incomplete("no root procedure".to_string()))?;
        let no_error = ctx.pool.not(self.error);
        let main = self.add_arg(root, None);
        self.args[main].summary = no_error;
        let mut rounds = 0;
        while let Some(arg) = self.next(ctx, main)? {
            ctx.budget.check_now()?;
            rounds += 1;
            ctx.observer.progress(rounds, "whale");
            ctx.stats.set("ARGs", self.args.len() as u64);
            if arg != main && self.cover(ctx, arg, main)? {
                continue;
            }
            self.expand(ctx, arg)?;
            if self.satisfies_by_specifications(ctx, arg)? {
                self.args[arg].safe = true;
                self.enqueue_children(arg);
                continue;
            }
            if self.satisfies_by_hypotheses(ctx, arg)? {
                self.args[arg].safe = true;
                self.enqueue_children(arg);
                continue;
            }
            ctx.stats.add("refinements", 1);
            // Without any path of a callee the best guess for its summary would be false.
            let children: Vec<ArgId> =
                self.args[arg].body.iter().flat_map(|b| b.calls.iter().map(|c| c.child)).collect();
            for child in children {
                self.expand(ctx, child)?;
            }
            if let Some(verdict) = self.refine(ctx, arg, main)? {
                return Ok(verdict);
            }
        }
        Ok(Verdict::Holds(self.certificate(ctx, main)?))
    }

    /// The ARG to work on: the first in the queue that the proof relies on and that is not proved. `None` if
    /// there is none at all, which is the end of the proof.
    fn next(&mut self, ctx: &mut Ctx<'_>, main: ArgId) -> Result<Option<ArgId>, Reason> {
        let relied = self.relied_on(ctx, main)?;
        while let Some(arg) = self.queue.pop_front() {
            self.args[arg].queued = false;
            if relied.contains(&arg) && !self.args[arg].safe {
                return Ok(Some(arg));
            }
        }
        Ok(relied.into_iter().find(|&a| !self.args[a].safe))
    }

    /// The uncovered ARGs whose specifications the root's needs: those of its calls, what covers them, and so on. An ARG with a
    /// specification that every procedure satisfies needs nothing below it, whatever is still written there.
    fn relied_on(&mut self, ctx: &mut Ctx<'_>, main: ArgId) -> Result<BTreeSet<ArgId>, Reason> {
        let mut relied = BTreeSet::new();
        let mut todo = vec![main];
        while let Some(mut arg) = todo.pop() {
            while let Some(by) = self.args[arg].covered_by {
                arg = by;
            }
            if relied.contains(&arg) || self.is_trivial(ctx, arg)? {
                continue;
            }
            relied.insert(arg);
            todo.extend(self.args[arg].body.iter().flat_map(|b| b.calls.iter().map(|c| c.child)));
        }
        Ok(relied)
    }

    fn add_arg(&mut self, proc: ProcId, parent: Option<ArgId>) -> ArgId {
        let id = self.args.push(Arg {
            proc,
            parent,
            guard: TermId::TRUE,
            summary: TermId::TRUE,
            body: None,
            safe: false,
            covered_by: None,
            queued: false,
            n_refined: 0,
        });
        self.enqueue(id);
        id
    }

    fn enqueue(&mut self, arg: ArgId) {
        if !std::mem::replace(&mut self.args[arg].queued, true) {
            self.queue.push_back(arg);
        }
    }

    fn enqueue_children(&mut self, arg: ArgId) {
        let children: Vec<ArgId> = self.args[arg].body.iter().flat_map(|b| b.calls.iter().map(|c| c.child)).collect();
        for child in children {
            if !self.args[child].safe {
                self.enqueue(child);
            }
        }
    }

    /// A specification that every procedure satisfies: no input satisfies the guard, or the summary is true.
    fn is_trivial(&mut self, ctx: &mut Ctx<'_>, arg: ArgId) -> Result<bool, Reason> {
        let Arg { guard, summary, .. } = self.args[arg];
        if summary == TermId::TRUE || guard == TermId::FALSE {
            return Ok(true);
        }
        if guard == TermId::TRUE {
            return Ok(false);
        }
        if let Some(&satisfiable) = self.guards.get(&guard) {
            return Ok(!satisfiable);
        }
        let satisfiable = self.satisfiable(ctx, &[guard])?;
        self.guards.insert(guard, satisfiable);
        Ok(!satisfiable)
    }

    fn satisfiable(&self, ctx: &mut Ctx<'_>, formulas: &[TermId]) -> Result<bool, Reason> {
        let mut solver = SmtSolver::without_proofs();
        for &axiom in &self.icfg.axioms {
            solver.assert(ctx.pool, axiom);
        }
        ctx.stats.add("solver calls", 1);
        match solver.check_assuming(ctx.pool, formulas, ctx.budget) {
            SatResult::Sat => Ok(true),
            SatResult::Unsat => Ok(false),
            SatResult::Unknown(UnknownReason::Stopped(stop)) => Err(Reason::Stopped(stop)),
            SatResult::Unknown(UnknownReason::Incomplete(why)) => Err(Reason::Incomplete(why)),
        }
    }

    /// COVERARG.
    fn cover(&mut self, ctx: &mut Ctx<'_>, arg: ArgId, main: ArgId) -> Result<bool, Reason> {
        let relied = self.relied_on(ctx, main)?;
        // Only earlier ones, which may be ancestors: the order keeps covering from going in circles.
        let candidates: Vec<ArgId> = relied.range(..arg).copied().collect();
        for other in candidates {
            if self.args[other].proc != self.args[arg].proc {
                continue;
            }
            let (g_i, s_i) = (self.args[arg].guard, self.args[arg].summary);
            let (g_j, s_j) = (self.args[other].guard, self.args[other].summary);
            let (not_g, not_s) = (ctx.pool.not(g_j), ctx.pool.not(s_i));
            if !self.satisfiable(ctx, &[g_i, not_g])? && !self.satisfiable(ctx, &[g_i, s_j, not_s])? {
                self.uncover_all(arg);
                self.args[arg].covered_by = Some(other);
                ctx.stats.add("covers", 1);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Takes the cover away from what an ARG covers: its specification is about to change, or proves nothing any more.
    fn uncover_all(&mut self, by: ArgId) {
        let covered: Vec<ArgId> = self.args.ids().filter(|&a| self.args[a].covered_by == Some(by)).collect();
        for arg in covered {
            self.args[arg].covered_by = None;
            self.enqueue(arg);
        }
    }

    // ---- formulas ----

    /// A guard over the constants of some inputs.
    fn bind_guard(&self, pool: &mut TermPool, guard: TermId, inputs: &BTreeMap<VarId, TermId>) -> TermId {
        let pairs = inputs.iter().map(|(v, &c)| (self.icfg.vars[*v].term, c));
        Substitution::from_pairs(pairs).apply(pool, guard)
    }

    fn bind_summary(
        &self,
        pool: &mut TermPool,
        summary: TermId,
        inputs: &BTreeMap<VarId, TermId>,
        outputs: &BTreeMap<VarId, TermId>,
        error: TermId,
    ) -> TermId {
        let mut substitution = Substitution::new();
        for (v, &c) in inputs {
            substitution.insert(self.icfg.vars[*v].term, c);
        }
        for (v, &c) in outputs {
            let after = primed(pool, self.icfg.vars[*v].term);
            substitution.insert(after, c);
        }
        substitution.insert(self.error, error);
        substitution.apply(pool, summary)
    }

    /// EXPANDARG: the body as one formula, a child for every call. Calls of procedures that are not recursive are expanded too, and
    /// what they call: there an under-approximation by what is unrolled is exact, so that no specification read off it is refuted.
    fn expand(&mut self, ctx: &mut Ctx<'_>, arg: ArgId) -> Result<(), Reason> {
        let mut todo = VecDeque::from([arg]);
        let mut n_expanded = 0;
        while let Some(next) = todo.pop_front() {
            if self.args[next].body.is_none() {
                ctx.observer.enter(Phase::Unrolling);
                let body = self.unfold(ctx, next);
                ctx.observer.leave(Phase::Unrolling);
                self.args[next].body = Some(body?);
                n_expanded += 1;
            } else if next != arg {
                continue;
            }
            if n_expanded < MAX_EXPANDED {
                let calls = self.args[next].body.iter().flat_map(|b| &b.calls);
                todo.extend(calls.map(|c| c.child).filter(|&c| !self.recursive[self.args[c].proc]));
            }
        }
        Ok(())
    }

    fn unfold(&mut self, ctx: &mut Ctx<'_>, arg: ArgId) -> Result<Body, Reason> {
        let proc = self.args[arg].proc;
        let icfg = self.icfg;
        let p = &icfg.procs[proc];
        // Every variable starts with a constant of its own.
        let start: IdVec<VarId, TermId> =
            icfg.vars.values().map(|v| ctx.pool.fresh_constant(&v.name, v.sort)).collect();
        let inputs: BTreeMap<VarId, TermId> = p.params.iter().chain(&icfg.globals).map(|&v| (v, start[v])).collect();
        let mut start = start;
        for (v, var) in icfg.vars.iter() {
            if let VarKind::Old(global) = var.kind {
                start[v] = start[global];
            }
        }
        let mut unfolding = Unfolding::new();
        let mut calls: Vec<Call> = Vec::new();
        let mut extra: Vec<TermId> = Vec::new();
        let root = unfolding.add_root(p.entry, TermId::TRUE, Rc::new(start));
        let rank = icfg.local_order(p.entry).rank;
        let mut pending: BTreeMap<(u32, LocId), Vec<Step>> = BTreeMap::new();
        let mut ready = vec![root];
        // Ways to the end: through the exit, into an error, or through a call that met one.
        let mut ends: Vec<(Step, TermId)> = Vec::new();
        loop {
            for node in std::mem::take(&mut ready) {
                ctx.budget.check()?;
                let loc = unfolding.nodes[node].loc;
                let stay = |edge| Step {
                    pred: node,
                    edge,
                    condition: TermId::TRUE,
                    env: unfolding.nodes[node].env.clone(),
                    chosen: Vec::new(),
                };
                if icfg.locs[loc].error.is_some() {
                    ends.push((stay(icfg.edges.next_id()), TermId::TRUE));
                    continue;
                }
                if loc == p.exit {
                    ends.push((stay(icfg.edges.next_id()), TermId::FALSE));
                    continue;
                }
                for &edge in icfg.out_edges(loc) {
                    let (step, dst) = match icfg.edges[edge].label {
                        Label::Return(_) => continue,
                        Label::Call(site) => {
                            let (call, step) = self.call_step(ctx.pool, &unfolding, node, edge, site, arg, &mut extra);
                            let failing = ctx.pool.and(&[call.passed, call.error]);
                            let failed = Step { condition: failing, ..step.clone() };
                            ends.push((failed, TermId::TRUE));
                            calls.push(call);
                            (step, icfg.edges[icfg.call_sites[site].return_edge].dst)
                        }
                        _ => {
                            let step = unfolding.step(ctx.pool, icfg, node, edge);
                            let step = step.ok_or_else(|| Reason::Unsupported("an edge (engine whale)".to_string()))?;
                            (step, icfg.edges[edge].dst)
                        }
                    };
                    if step.condition != TermId::FALSE {
                        pending.entry((rank[dst], dst)).or_default().push(step);
                    }
                }
            }
            let Some(((_, loc), steps)) = pending.pop_first() else { break };
            ready.push(unfolding.add_node(ctx.pool, icfg, loc, steps));
        }
        // The end: outputs and the error flag are joined like variables.
        let error = ctx.pool.fresh_constant("error", SortId::BOOL);
        let mut outputs = BTreeMap::new();
        for &v in p.results.iter().chain(&p.modifies) {
            let var = &icfg.vars[v];
            outputs.insert(v, ctx.pool.fresh_constant(&var.name, var.sort));
        }
        let mut ways = Vec::new();
        for (step, flag) in &mut ends {
            let mut parts = vec![step.condition, ctx.pool.eq(error, *flag)];
            for (&v, &constant) in &outputs {
                parts.push(ctx.pool.eq(constant, step.env[v]));
            }
            step.condition = ctx.pool.and(&parts);
            ways.push(step.clone());
        }
        if ways.is_empty() {
            let body = Body { unfolding, inputs, outputs, error, formula: TermId::FALSE, exit: root, calls };
            return Ok(body);
        }
        // All ways have one environment, so that the join adds nothing.
        let env: Env = unfolding.nodes[root].env.clone();
        for way in &mut ways {
            way.env = env.clone();
        }
        let exit = unfolding.add_node(ctx.pool, icfg, p.exit, ways);
        let mut parts = unfolding.constraints.clone();
        parts.extend(extra);
        parts.push(unfolding.nodes[exit].guard);
        let formula = ctx.pool.and(&parts);
        Ok(Body { unfolding, inputs, outputs, error, formula, exit, calls })
    }

    /// A call inside a body: constants for what goes in and out, and the step over it (without an error).
    #[allow(clippy::too_many_arguments)]
    fn call_step(
        &mut self,
        pool: &mut TermPool,
        unfolding: &Unfolding,
        node: NodeId,
        edge: EdgeId,
        site: CallSiteId,
        arg: ArgId,
        extra: &mut Vec<TermId>,
    ) -> (Call, Step) {
        let icfg = self.icfg;
        let info = &icfg.call_sites[site];
        let callee = &icfg.procs[info.callee];
        let env = unfolding.nodes[node].env.clone();
        let mut substitution = env_substitution(icfg, &env);
        // A fresh flag that only the path through this call needs: guards of nodes say that control *can* be there, so that of
        // two calls on different branches both could hold, and a call off the path would constrain it.
        let passed = pool.fresh_constant("passed", SortId::BOOL);
        let mut inputs = BTreeMap::new();
        let mut outputs = BTreeMap::new();
        for (&param, &actual) in callee.params.iter().zip(&info.args) {
            let value = substitution.apply(pool, actual);
            let constant = pool.fresh_constant(&icfg.vars[param].name, icfg.vars[param].sort);
            extra.push(pool.eq(constant, value));
            inputs.insert(param, constant);
        }
        for &global in &icfg.globals {
            let constant = pool.fresh_constant(&icfg.vars[global].name, icfg.vars[global].sort);
            extra.push(pool.eq(constant, env[global]));
            inputs.insert(global, constant);
        }
        let mut after = (*env).clone();
        for &global in &callee.modifies {
            let constant = pool.fresh_constant(&icfg.vars[global].name, icfg.vars[global].sort);
            outputs.insert(global, constant);
            after[global] = constant;
        }
        for (&result, &target) in callee.results.iter().zip(&info.results) {
            let constant = pool.fresh_constant(&icfg.vars[result].name, icfg.vars[result].sort);
            outputs.insert(result, constant);
            after[target] = constant;
        }
        let error = pool.fresh_constant("error", SortId::BOOL);
        let child = self.add_arg(info.callee, Some(arg));
        let returns = pool.not(error);
        let condition = pool.and(&[passed, returns]);
        let step = Step { pred: node, edge, condition, env: Rc::new(after), chosen: Vec::new() };
        (Call { site, child, passed, inputs, outputs, error }, step)
    }

    /// SPECCOND: does the body satisfy its specification if calls behave as specified?
    fn satisfies_by_specifications(&self, ctx: &mut Ctx<'_>, arg: ArgId) -> Result<bool, Reason> {
        let Some(body) = &self.args[arg].body else { return Ok(false) };
        let mut formulas = vec![body.formula];
        formulas.push(self.bind_guard(ctx.pool, self.args[arg].guard, &body.inputs));
        let summary = self.bind_summary(ctx.pool, self.args[arg].summary, &body.inputs, &body.outputs, body.error);
        formulas.push(ctx.pool.not(summary));
        for call in &body.calls {
            let child = &self.args[call.child];
            let guard = self.bind_guard(ctx.pool, child.guard, &call.inputs);
            let summary = self.bind_summary(ctx.pool, child.summary, &call.inputs, &call.outputs, call.error);
            let keeps = ctx.pool.implies(guard, summary);
            formulas.push(ctx.pool.implies(call.passed, keeps));
        }
        Ok(!self.satisfiable(ctx, &formulas)?)
    }

    /// The induction hypothesis first: is the specification satisfied if recursive calls do what the nearest ARG of their procedure
    /// above (or this one) claims? Then those become the specifications of the calls, which will be covered.
    fn satisfies_by_hypotheses(&mut self, ctx: &mut Ctx<'_>, arg: ArgId) -> Result<bool, Reason> {
        let children: Vec<ArgId> = self.args[arg].body.iter().flat_map(|b| b.calls.iter().map(|c| c.child)).collect();
        let mut before = Vec::new();
        for child in children {
            let mut above = Some(arg);
            while let Some(a) = above
                && self.args[a].proc != self.args[child].proc
            {
                above = self.args[a].parent;
            }
            let Some(above) = above else { continue };
            let claim = (self.args[above].guard, self.args[above].summary);
            let own = (self.args[child].guard, self.args[child].summary);
            if claim != own {
                before.push((child, own));
                (self.args[child].guard, self.args[child].summary) = claim;
            }
        }
        if before.is_empty() {
            return Ok(false);
        }
        let satisfied = self.satisfies_by_specifications(ctx, arg);
        if let Ok(true) = satisfied {
            ctx.stats.add("induction hypotheses", 1);
            for (child, _) in before {
                self.specification_changed(child);
            }
        } else {
            for (child, own) in before {
                (self.args[child].guard, self.args[child].summary) = own;
            }
        }
        satisfied
    }

    /// What was known because of an old specification is not known any more.
    fn specification_changed(&mut self, arg: ArgId) {
        self.args[arg].covered_by = None;
        self.args[arg].safe = false;
        self.uncover_all(arg);
    }

    /// The part of IDAGCOND below a call: what is unrolled of the callee, bound to the call's constants.
    fn unrolled(&self, pool: &mut TermPool, call: &Call) -> TermId {
        // Bottom up over the tree of ARGs, without recursion.
        let mut order = vec![call];
        let mut i = 0;
        while i < order.len() {
            if let Some(body) = &self.args[order[i].child].body {
                order.extend(body.calls.iter());
            }
            i += 1;
        }
        let mut formulas: BTreeMap<ArgId, TermId> = BTreeMap::new();
        for call in order.into_iter().rev() {
            let formula = match &self.args[call.child].body {
                None => TermId::FALSE,
                Some(body) => {
                    let mut parts = vec![body.formula, pool.eq(call.error, body.error)];
                    for (v, &c) in &call.inputs {
                        if let Some(&inner) = body.inputs.get(v) {
                            parts.push(pool.eq(c, inner));
                        }
                    }
                    for (v, &c) in &call.outputs {
                        if let Some(&inner) = body.outputs.get(v) {
                            parts.push(pool.eq(c, inner));
                        }
                    }
                    for inner in &body.calls {
                        parts.push(formulas[&inner.child]);
                    }
                    pool.and(&parts)
                }
            };
            let bound = pool.implies(call.passed, formula);
            formulas.insert(call.child, bound);
        }
        formulas[&call.child]
    }

    /// REFINEARG by state/transition interpolants.
    fn refine(&mut self, ctx: &mut Ctx<'_>, arg: ArgId, main: ArgId) -> Result<Option<Verdict>, Reason> {
        let Some(body) = &self.args[arg].body else {
            return Err(Reason::Incomplete("an unexpanded procedure".to_string()));
        };
        let guard = self.bind_guard(ctx.pool, self.args[arg].guard, &body.inputs);
        let summary = self.bind_summary(ctx.pool, self.args[arg].summary, &body.inputs, &body.outputs, body.error);
        let fails = ctx.pool.not(summary);
        let mut solver = SmtSolver::with_proofs();
        for &axiom in &self.icfg.axioms {
            solver.assert(ctx.pool, axiom);
        }
        let guard_id = solver.assert(ctx.pool, guard);
        let body_id = solver.assert(ctx.pool, body.formula);
        let mut call_ids: Vec<AssertionId> = Vec::new();
        for call in &body.calls {
            let formula = self.unrolled(ctx.pool, call);
            call_ids.push(solver.assert(ctx.pool, formula));
        }
        let fails_id = solver.assert(ctx.pool, fails);
        ctx.stats.add("solver calls", 1);
        match solver.check(ctx.pool, ctx.budget) {
            SatResult::Unknown(UnknownReason::Stopped(stop)) => return Err(Reason::Stopped(stop)),
            SatResult::Unknown(UnknownReason::Incomplete(why)) => return Err(Reason::Incomplete(why)),
            SatResult::Sat => {
                if arg == main {
                    let Some(model) = solver.model() else {
                        return Err(Reason::Incomplete("the solver gave no model".to_string()));
                    };
                    let found = self.execution(ctx.pool, model, main)?;
                    return Ok(Some(Verdict::Violated(self.map.original_counterexample(&found))));
                }
                // The specification is refuted: the parent has to find another one.
                self.uncover_all(arg);
                if let Some(parent) = self.args[arg].parent {
                    self.reset(parent);
                }
                return Ok(None);
            }
            SatResult::Unsat => {}
        }
        // Caterpillar: g_0 (guard), s_0 (body), then for each call a node with the last g and the call as children.
        let mut groups = vec![vec![guard_id], vec![body_id]];
        let mut parent = vec![Some(2), Some(2)];
        for &id in &call_ids {
            groups.push(Vec::new());
            groups.push(vec![id]);
            let here = groups.len() - 2;
            parent.push(Some(here + 2));
            parent.push(Some(here + 2));
        }
        groups.push(vec![fails_id]);
        parent.push(None);
        let tree = ItpTree { groups, parent };
        let farkas = if self.args[arg].n_refined.is_multiple_of(2) { Farkas::Strong } else { Farkas::Weak };
        self.args[arg].n_refined += 1;
        let interpolants = solver
            .interpolate(ctx.pool, &tree, ItpOptions { farkas, ..ItpOptions::default() }, ctx.budget)
            .map_err(|e| Reason::Incomplete(e.to_string()))?;
        let mut updates = Vec::new();
        let body = self.args[arg].body.as_ref();
        for (k, call) in body.iter().flat_map(|b| &b.calls).enumerate() {
            let (g, s) = (interpolants[2 * k + 2], interpolants[2 * k + 3]);
            let guard = self.project(ctx, g, call, false)?;
            let summary = self.project(ctx, s, call, true)?;
            updates.push((call.child, guard, summary));
        }
        for (child, guard, summary) in updates {
            // The new specifications belong together: none may be mixed with older guesses.
            if (guard, summary) != (self.args[child].guard, self.args[child].summary) {
                self.args[child].guard = guard;
                self.args[child].summary = summary;
                self.specification_changed(child);
            }
        }
        if !self.satisfies_by_specifications(ctx, arg)? {
            return Err(Reason::Incomplete("projected specifications are too weak".to_string()));
        }
        self.args[arg].safe = true;
        self.enqueue_children(arg);
        Ok(None)
    }

    /// RESET: the children's specifications were not good; they start anew, and the ARG is refined again.
    fn reset(&mut self, arg: ArgId) {
        self.args[arg].safe = false;
        let children: Vec<ArgId> = self.args[arg].body.iter().flat_map(|b| b.calls.iter().map(|c| c.child)).collect();
        for child in children {
            self.args[child].guard = TermId::TRUE;
            self.args[child].summary = TermId::TRUE;
            self.specification_changed(child);
        }
        self.uncover_all(arg);
        self.enqueue(arg);
    }

    /// GUARD and SUM: an interpolant at a call as a formula over the callee's own inputs and outputs.
    fn project(&self, ctx: &mut Ctx<'_>, interpolant: TermId, call: &Call, is_summary: bool) -> Result<TermId, Reason> {
        let mut to_formal = Substitution::new();
        to_formal.insert(call.passed, TermId::TRUE);
        for (v, &c) in &call.inputs {
            to_formal.insert(c, self.icfg.vars[*v].term);
        }
        if is_summary {
            for (v, &c) in &call.outputs {
                let after = primed(ctx.pool, self.icfg.vars[*v].term);
                to_formal.insert(c, after);
            }
            to_formal.insert(call.error, self.error);
        }
        let formula = to_formal.apply(ctx.pool, interpolant);
        let allowed = |pool: &mut TermPool, t: TermId| {
            if call.inputs.keys().any(|v| self.icfg.vars[*v].term == t) || (is_summary && t == self.error) {
                return true;
            }
            is_summary && call.outputs.keys().any(|v| primed(pool, self.icfg.vars[*v].term) == t)
        };
        let mut foreign = Vec::new();
        for t in ctx.pool.free_constants(formula) {
            if !allowed(ctx.pool, t) && self.is_own_constant(ctx.pool, t) {
                foreign.push(t);
            }
        }
        if foreign.is_empty() {
            return Ok(formula);
        }
        // A weaker guard and a weaker summary are both sound; a guard may always be weakened.
        let options = qe::Options::default().with_fallback(qe::Fallback::Weaken);
        let eliminated = qe::eliminate_exists(ctx.pool, &foreign, formula, &options, ctx.budget);
        ctx.budget.check()?;
        if eliminated.remaining.is_empty() { Ok(eliminated.formula) } else { Ok(TermId::TRUE) }
    }

    /// Constants of the program's functions and axioms are rigid; everything else was made here.
    fn is_own_constant(&self, pool: &TermPool, t: TermId) -> bool {
        let rigid = self.icfg.axioms.iter().any(|&a| pool.free_constants(a).binary_search(&t).is_ok());
        !rigid
    }

    /// The execution of the root that a model describes.
    fn execution(&self, pool: &mut TermPool, model: &Model, main: ArgId) -> Result<Counterexample, Reason> {
        let mut steps = Vec::new();
        let no_path = || Reason::Incomplete("model without a path".to_string());
        // A stack of activations: the ARG, its path, and how far it was followed.
        let path = self.path_of(pool, model, main).ok_or_else(no_path)?;
        let mut stack = vec![(main, path, 0usize)];
        while let Some((arg, path, next)) = stack.last_mut() {
            let Some((edge, chosen)) = path.get(*next).cloned() else {
                stack.pop();
                continue;
            };
            *next += 1;
            let Label::Call(site) = self.icfg.edges[edge].label else {
                let mut values = BTreeMap::new();
                for (v, t) in chosen {
                    values.insert(v, self.value(pool, model, t)?);
                }
                steps.push(TraceStep { edge, chosen: values });
                continue;
            };
            let arg = *arg;
            let is_last = *next == path.len();
            let nth = path[..*next - 1].iter().filter(|(e, _)| *e == edge).count();
            let Some(body) = &self.args[arg].body else { return Err(no_path()) };
            let call = body.calls.iter().filter(|c| c.site == site).nth(nth).ok_or_else(no_path)?;
            let child_body = self.args[call.child].body.as_ref().ok_or_else(no_path)?;
            let failed = model.holds(pool, child_body.error) == Ok(true);
            let mut chosen = BTreeMap::new();
            let callee = &self.icfg.procs[self.icfg.call_sites[site].callee];
            let start = &child_body.unfolding.nodes[NodeId::from_index(0)].env;
            for &v in callee.locals.iter().chain(&callee.results) {
                chosen.insert(v, self.value(pool, model, start[v])?);
            }
            steps.push(TraceStep { edge, chosen });
            let mut inner = self.path_of(pool, model, call.child).ok_or_else(no_path)?;
            if !(failed && is_last) {
                inner.push((self.icfg.call_sites[site].return_edge, Vec::new()));
            }
            stack.push((call.child, inner, 0));
        }
        let body = self.args[main].body.as_ref().ok_or_else(no_path)?;
        let start = body.unfolding.nodes[NodeId::from_index(0)].env.clone();
        let mut initial = BTreeMap::new();
        for (v, &t) in start.iter() {
            initial.insert(v, self.value(pool, model, t)?);
        }
        Ok(Counterexample { initial, steps, symbols: model.clone() })
    }

    fn value(&self, pool: &TermPool, model: &Model, t: TermId) -> Result<Value, Reason> {
        model.eval(pool, t).map_err(|_| Reason::Incomplete("a value of the model is quantified".to_string()))
    }

    /// The edges that a model takes through the body of an ARG, without the artificial last one.
    fn path_of(&self, pool: &TermPool, model: &Model, arg: ArgId) -> Option<Path> {
        let body = self.args[arg].body.as_ref()?;
        let (_, mut path) = body.unfolding.path_to(pool, model, body.exit)?;
        // The last step leads to the artificial end; a failed call is itself the last real step.
        if path.last()?.0 == self.icfg.edges.next_id() {
            path.pop();
        }
        Some(path)
    }

    /// The inputs of the guard for which the summary excludes an error: a contract promises both.
    fn error_free_inputs(&self, ctx: &mut Ctx<'_>, arg: ArgId) -> Result<TermId, Reason> {
        let Arg { proc, guard, summary, .. } = self.args[arg];
        let with_error = ctx.pool.substitute(summary, &[(self.error, TermId::TRUE)]);
        let p = &self.icfg.procs[proc];
        let mut outputs = Vec::new();
        for &v in p.results.iter().chain(&p.modifies) {
            outputs.push(primed(ctx.pool, self.icfg.vars[v].term));
        }
        let can_fail = qe::eliminate_exists(ctx.pool, &outputs, with_error, &qe::Options::default(), ctx.budget);
        if !can_fail.is_complete() {
            return Err(Reason::Incomplete("a precondition could not be written without quantifiers".to_string()));
        }
        let cannot_fail = ctx.pool.not(can_fail.formula);
        Ok(ctx.pool.and(&[guard, cannot_fail]))
    }

    /// One contract per procedure from the specifications that the proof relies on.
    ///
    /// A specification speaks of errors as outcomes, a contract excludes them: `requires` is the inputs for which some specification
    /// leaves no error possible. A call made from such an input is from such an input again: otherwise the callee's
    /// specification would allow an error, and so would the caller's.
    fn certificate(&mut self, ctx: &mut Ctx<'_>, main: ArgId) -> Result<Certificate, Reason> {
        let relied = self.relied_on(ctx, main)?;
        let icfg = self.icfg;
        let mut annotation = Annotation::default();
        for proc in icfg.procs.ids().filter(|&p| Some(p) != icfg.root) {
            let cases: Vec<ArgId> = relied.iter().copied().filter(|&a| self.args[a].proc == proc).collect();
            // Before: globals that may change are their old values. After: primed ones are what they are now.
            let mut before = Substitution::new();
            let mut both = Substitution::new();
            both.insert(self.error, TermId::FALSE);
            for &global in &icfg.procs[proc].modifies {
                if let Some(old) = icfg.old_of(global) {
                    before.insert(icfg.vars[global].term, icfg.vars[old].term);
                    both.insert(icfg.vars[global].term, icfg.vars[old].term);
                }
            }
            for &v in icfg.procs[proc].results.iter().chain(&icfg.procs[proc].modifies) {
                let after = primed(ctx.pool, icfg.vars[v].term);
                both.insert(after, icfg.vars[v].term);
            }
            let mut requires = Vec::new();
            let mut ensures = Vec::new();
            for &arg in &cases {
                requires.push(self.error_free_inputs(ctx, arg)?);
                let summary = both.apply(ctx.pool, self.args[arg].summary);
                // With one case, `requires` says the guard already.
                let guard = if cases.len() == 1 { TermId::TRUE } else { self.args[arg].guard };
                let guard = before.apply(ctx.pool, guard);
                ensures.push(ctx.pool.implies(guard, summary));
            }
            let contract = Contract { requires: ctx.pool.or(&requires), ensures: ctx.pool.and(&ensures) };
            annotation.contracts.insert(proc, contract);
        }
        Ok(Certificate::TailRecursive(annotation))
    }
}
