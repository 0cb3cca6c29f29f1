//! Bodies of ARGs as formulas (DAGCOND): all paths at once, with constants for what goes into and comes out of every
//! call.
//!
//! The passive form of [`ir::passive`] joins the paths; a call is a step of its own whose outputs are new constants,
//! and a call that meets an error is a way to the end. Each call has a flag that exactly the paths through it need (c_u
//! ∧ c_w of the paper): the guards of nodes would not do, several branches may have true ones, and a call off the path
//! would constrain it.

use super::{ArgId, Search};
use crate::framework::{Ctx, Phase};
use base::IdVec;
use ir::passive::{Env, NodeId, Step, Unfolding, env_substitution};
use ir::{CallSiteId, EdgeId, Label, LocId, Reason, VarId, VarKind};
use logic::{SortId, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

/// The number of ARGs that are expanded together.
const MAX_EXPANDED: usize = 500;

/// A body as formulas over constants of its own.
pub(super) struct Body {
    pub(super) unfolding: Unfolding,
    /// The constants of inputs.
    pub(super) inputs: BTreeMap<VarId, TermId>,
    /// The constants of outputs: results and modified globals.
    pub(super) outputs: BTreeMap<VarId, TermId>,
    /// The values of outputs at the exit, if it can be reached.
    pub(super) results: BTreeMap<VarId, TermId>,
    pub(super) error: TermId,
    /// True on every path into an error of the body itself, not of what it calls; none if there is no such path.
    pub(super) fails_here: Option<TermId>,
    /// All constraints and "control reaches the end", without the bindings.
    pub(super) constraints: TermId,
    /// The constants that go into calls, with their values.
    pub(super) bindings: Vec<(TermId, TermId)>,
    /// Constraints and bindings.
    pub(super) formula: TermId,
    pub(super) exit: NodeId,
    pub(super) calls: Vec<Call>,
}

pub(super) struct Call {
    pub(super) site: CallSiteId,
    pub(super) child: ArgId,
    /// The node before it.
    before: NodeId,
    edge: EdgeId,
    /// True on every path through the call.
    pub(super) passed: TermId,
    /// The calls of the same body (by index) that every path to this one passes, and those that none does.
    pub(super) always_before: Vec<usize>,
    pub(super) never_before: Vec<usize>,
    /// The constants of the callee's parameters and of all globals before.
    pub(super) inputs: BTreeMap<VarId, TermId>,
    /// The constants of the callee's results and modified globals after.
    pub(super) outputs: BTreeMap<VarId, TermId>,
    pub(super) error: TermId,
}

impl Search<'_> {
    /// EXPANDARG: the body as one formula, a child for every call. Calls of procedures that are not recursive are
    /// expanded too, and what they call: there an under-approximation by what is unrolled is exact, so that no
    /// specification read off it is refuted.
    pub(super) fn expand(&mut self, ctx: &mut Ctx<'_>, arg: ArgId) -> Result<(), Reason> {
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
                todo.extend(calls.map(|c| c.child).filter(|&c| self.recursion.unrolled[self.args[c].proc]));
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
        let mut bindings: Vec<(TermId, TermId)> = Vec::new();
        let mut fails_here = None;
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
                    let flag = *fails_here.get_or_insert_with(|| ctx.pool.fresh_constant("fails", SortId::BOOL));
                    ends.push((Step { condition: flag, ..stay(icfg.edges.next_id()) }, TermId::TRUE));
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
                            let (call, step) =
                                self.call_step(ctx.pool, &unfolding, node, edge, site, arg, &mut bindings);
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
        order_calls(&unfolding, &mut calls);
        // The end: outputs and the error flag are joined like variables.
        let error = ctx.pool.fresh_constant("error", SortId::BOOL);
        let mut outputs = BTreeMap::new();
        for &v in p.results.iter().chain(&p.modifies) {
            let var = &icfg.vars[v];
            outputs.insert(v, ctx.pool.fresh_constant(&var.name, var.sort));
        }
        let mut ways = Vec::new();
        let mut results = BTreeMap::new();
        for (step, flag) in &mut ends {
            let mut parts = vec![step.condition, ctx.pool.eq(error, *flag)];
            // The outputs of a call that reached an error are irrelevant.
            if *flag == TermId::FALSE {
                for (&v, &constant) in &outputs {
                    parts.push(ctx.pool.eq(constant, step.env[v]));
                    results.insert(v, step.env[v]);
                }
            }
            step.condition = ctx.pool.and(&parts);
            ways.push(step.clone());
        }
        if ways.is_empty() {
            let (constraints, formula, exit) = (TermId::FALSE, TermId::FALSE, root);
            return Ok(Body {
                unfolding,
                inputs,
                outputs,
                results,
                error,
                fails_here,
                constraints,
                bindings,
                formula,
                exit,
                calls,
            });
        }
        // All ways have one environment, so that the join adds nothing.
        let env: Env = unfolding.nodes[root].env.clone();
        for way in &mut ways {
            way.env = env.clone();
        }
        let exit = unfolding.add_node(ctx.pool, icfg, p.exit, ways);
        let mut parts = unfolding.constraints.clone();
        parts.push(unfolding.nodes[exit].guard);
        let constraints = ctx.pool.and(&parts);
        parts.extend(bindings.iter().map(|&(constant, value)| ctx.pool.eq(constant, value)));
        let formula = ctx.pool.and(&parts);
        Ok(Body { unfolding, inputs, outputs, results, error, fails_here, constraints, bindings, formula, exit, calls })
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
        bindings: &mut Vec<(TermId, TermId)>,
    ) -> (Call, Step) {
        let icfg = self.icfg;
        let info = &icfg.call_sites[site];
        let callee = &icfg.procs[info.callee];
        let env = unfolding.nodes[node].env.clone();
        let mut substitution = env_substitution(icfg, &env);
        // A fresh flag that only the path through this call needs: guards of nodes say that control *can* be there, so
        // that of two calls on different branches both could hold, and a call off the path would constrain it.
        let passed = pool.fresh_constant("passed", SortId::BOOL);
        let mut inputs = BTreeMap::new();
        let mut outputs = BTreeMap::new();
        for (&param, &actual) in callee.params.iter().zip(&info.args) {
            let value = substitution.apply(pool, actual);
            let constant = pool.fresh_constant(&icfg.vars[param].name, icfg.vars[param].sort);
            bindings.push((constant, value));
            inputs.insert(param, constant);
        }
        for &global in &icfg.globals {
            let constant = pool.fresh_constant(&icfg.vars[global].name, icfg.vars[global].sort);
            bindings.push((constant, env[global]));
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
        let (always_before, never_before) = (Vec::new(), Vec::new());
        let call =
            Call { site, child, before: node, edge, passed, always_before, never_before, inputs, outputs, error };
        (call, step)
    }
}

/// Finds out which calls come before which.
fn order_calls(unfolding: &Unfolding, calls: &mut [Call]) {
    let places: Vec<(NodeId, EdgeId)> = calls.iter().map(|c| (c.before, c.edge)).collect();
    // The steps that lead to a node without passing a certain one, and whether a root is among their starts.
    let backwards = |from: NodeId, without: Option<(NodeId, EdgeId)>| {
        let mut steps: BTreeSet<(NodeId, EdgeId)> = BTreeSet::new();
        let mut seen = BTreeSet::from([from]);
        let mut todo = vec![from];
        let mut from_root = false;
        while let Some(node) = todo.pop() {
            from_root |= unfolding.nodes[node].incoming.is_empty();
            for way in &unfolding.nodes[node].incoming {
                if Some((way.pred, way.edge)) == without {
                    continue;
                }
                steps.insert((way.pred, way.edge));
                if seen.insert(way.pred) {
                    todo.push(way.pred);
                }
            }
        }
        (steps, from_root)
    };
    for call in calls.iter_mut() {
        let (steps, _) = backwards(call.before, None);
        for (i, &place) in places.iter().enumerate() {
            if place == (call.before, call.edge) {
                continue;
            }
            if !steps.contains(&place) {
                call.never_before.push(i);
            } else if !backwards(call.before, Some(place)).1 {
                call.always_before.push(i);
            }
        }
    }
}
