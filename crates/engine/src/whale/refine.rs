//! REFINEARG: specifications for calls from one refutation (STITP).
//!
//! The question is whether the body of an ARG can violate its specification. The answer is asked of one conjunction:
//! the guard, the body, one part for every call, and the negated summary. A call's part says what is unrolled below it
//! (IDAGCOND), or what its specification *claims*. If the conjunction is unsatisfiable, the tree interpolants of a
//! caterpillar
//!
//! ```text
//! guard ∧ ¬summary ─ g_0 ─ g_1 ─ g_2 ─ … ─ false        body ⊨ s_0,  part_k ⊨ s_k,  g_k ∧ s_k ⊨ g_{k+1}
//!                     │     │     │
//!                    body part_1 part_2
//! ```
//!
//! give each call a guard (`g_k`: facts before the call) and a summary (`s_k`), renamed to the callee's own variables.
//! In the paper the negated summary comes last; then `g_k` tends to say something only under the condition that the
//! summary will be violated, which is lost when it is projected to the call's inputs. Only executions that violate the
//! summary matter here, so the condition may come first.
//!
//! **Chains.** A loop is a procedure that calls itself last. Where the summary to be shown speaks of outcomes only,
//! that call owes exactly the same summary, and the spine of the caterpillar runs on into its body instead of ending
//! before it. One refutation then gives the guards of all unrolled iterations, as sequence interpolants do for a path;
//! without this every iteration would be refined after the one before, and again whenever a guess above changes.

use super::body::{Body, Call};
use super::{Ahead, ArgId, Search};
use crate::framework::Ctx;
use ir::{ProcId, Reason, VarId, primed};
use logic::{
    AssertionId, Farkas, FastMap, ItpOptions, ItpTree, Model, SatResult, Solver, Substitution, TermId, TermPool,
    UnknownReason, qe,
};
use smt::SmtSolver;
use std::collections::{BTreeMap, BTreeSet};

/// A guard and a summary.
pub(super) type Specification = (TermId, TermId);

/// Whether a body can violate its specification, when calls behave as assumed.
pub(super) enum Explanation {
    /// It can, so.
    Violation(Box<Model>),
    /// It cannot if calls satisfy these specifications.
    Specifications(Vec<(ArgId, Specification)>),
}

/// Which calls get specifications from a refutation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Calls {
    /// Those that are not exact; where a last call owes the same summary, also those below it.
    Chains,
    /// None: the chain ends here, and other calls that are not exact do not return.
    End,
    /// Those that are not exact.
    Claimed,
    /// All.
    Each,
}

/// One step of a chain: an ARG whose body continues the spine.
struct Link<'a> {
    arg: ArgId,
    /// The call that leads here; none for the ARG in question itself.
    call: Option<&'a Call>,
    /// What is owed at its end.
    summary: TermId,
    /// The flags of the calls that lead here.
    passed: Vec<TermId>,
    /// What is known of the flags of other calls when control is here.
    known: Vec<(TermId, TermId)>,
}

/// A part of the conjunction, and whose specification its interpolants give.
struct Part<'a> {
    formula: TermId,
    of: Option<Subject<'a>>,
    /// It says that a call is not passed, because nothing is unrolled of it.
    is_end: bool,
}

struct Subject<'a> {
    call: &'a Call,
    /// What is known of flags before the call.
    known: Vec<(TermId, TermId)>,
    /// The summary, if it is known without interpolation.
    owed: Option<TermId>,
}

/// A body that is entered by a call.
struct Frame<'a> {
    body: &'a Body,
    call: &'a Call,
    bindings: FastMap<TermId, TermId>,
    substitution: Substitution,
    n_entered: usize,
    can_fail: bool,
}

impl<'a> Frame<'a> {
    fn new(
        body: &'a Body,
        call: &'a Call,
        inputs: &BTreeMap<VarId, TermId>,
        replaced: &mut Vec<(TermId, TermId)>,
    ) -> Frame<'a> {
        let bindings = body.bindings.iter().copied().collect();
        let can_fail = body.fails_here.is_some();
        let mut frame = Frame { body, call, bindings, substitution: Substitution::new(), n_entered: 0, can_fail };
        for (v, &own) in &body.inputs {
            if let Some(&value) = inputs.get(v) {
                frame.replace(own, value, replaced);
            }
        }
        frame
    }

    fn replace(&mut self, constant: TermId, value: TermId, replaced: &mut Vec<(TermId, TermId)>) {
        if constant != value {
            self.substitution.insert(constant, value);
            replaced.push((constant, value));
        }
    }
}

impl Search<'_> {
    /// SPECCOND: does the body satisfy its specification if calls behave as specified?
    pub(super) fn satisfies_by_specifications(&self, ctx: &mut Ctx<'_>, arg: ArgId) -> Result<bool, Reason> {
        let Some(body) = &self.args[arg].body else { return Ok(false) };
        let mut formulas = vec![body.formula];
        formulas.push(self.bind_guard(ctx.pool, self.args[arg].guard, &body.inputs));
        let summary = self.bind_summary(ctx.pool, self.args[arg].summary, &body.inputs, &body.outputs, body.error);
        formulas.push(ctx.pool.not(summary));
        for call in &body.calls {
            let child = &self.args[call.child];
            formulas.push(self.specified(ctx.pool, call, (child.guard, child.summary)));
        }
        Ok(!self.satisfiable(ctx, &formulas)?)
    }

    /// A call that does what a specification says.
    pub(super) fn specified(&self, pool: &mut TermPool, call: &Call, (guard, summary): Specification) -> TermId {
        let guard = self.bind_guard(pool, guard, &call.inputs);
        let summary = self.bind_summary(pool, summary, &call.inputs, &call.outputs, call.error);
        let keeps = pool.implies(guard, summary);
        pool.implies(call.passed, keeps)
    }

    /// The part of IDAGCOND below a call: what is unrolled of the callee. What goes into and comes out of calls below
    /// is replaced by the terms it is equal to, as in an inlined body, so that equations do not burden the solver;
    /// `replaced` says by which.
    pub(super) fn unrolled(&self, pool: &mut TermPool, top: &Call, replaced: &mut Vec<(TermId, TermId)>) -> TermId {
        let Some(body) = &self.args[top.child].body else { return pool.not(top.passed) };
        let mut parts = Vec::new();
        let mut frames = vec![Frame::new(body, top, &top.inputs, replaced)];
        while let Some(frame) = frames.last_mut() {
            if let Some(inner) = frame.body.calls.get(frame.n_entered) {
                frame.n_entered += 1;
                let mut inputs = BTreeMap::new();
                for (&v, constant) in &inner.inputs {
                    let value = frame.bindings.get(constant).map(|&value| frame.substitution.apply(pool, value));
                    let value = value.unwrap_or(*constant);
                    inputs.insert(v, value);
                    replaced.push((*constant, value));
                }
                match &self.args[inner.child].body {
                    Some(body) => frames.push(Frame::new(body, inner, &inputs, replaced)),
                    None => parts.push(pool.not(inner.passed)),
                }
                continue;
            }
            let Some(mut frame) = frames.pop() else { break };
            let (body, call) = (frame.body, frame.call);
            let error = if frame.can_fail { body.error } else { TermId::FALSE };
            frame.replace(body.error, error, replaced);
            let mut outputs: BTreeMap<VarId, TermId> = BTreeMap::new();
            for (v, &own) in &body.outputs {
                let value = match body.results.get(v) {
                    Some(&value) => frame.substitution.apply(pool, value),
                    None => own,
                };
                frame.replace(own, value, replaced);
                outputs.insert(*v, value);
            }
            let constraints = frame.substitution.apply(pool, body.constraints);
            parts.push(pool.implies(call.passed, constraints));
            let seen = call.outputs.iter().filter_map(|(v, &c)| Some((c, *outputs.get(v)?)));
            let seen: Vec<(TermId, TermId)> = seen.chain([(call.error, error)]).collect();
            match frames.last_mut() {
                Some(caller) => {
                    caller.can_fail |= error != TermId::FALSE;
                    for (constant, value) in seen {
                        caller.replace(constant, value, replaced);
                    }
                }
                None => {
                    for (constant, value) in seen {
                        let equal = pool.eq(constant, value);
                        parts.push(pool.implies(call.passed, equal));
                    }
                }
            }
        }
        pool.and(&parts)
    }

    /// The body of a call's ARG with the call's inputs and outputs for its own; without what the body itself calls.
    fn entered(&self, pool: &mut TermPool, call: &Call, replaced: &mut Vec<(TermId, TermId)>) -> TermId {
        let Some(body) = &self.args[call.child].body else { return TermId::FALSE };
        let mut frame = Frame::new(body, call, &call.inputs, replaced);
        frame.replace(body.error, call.error, replaced);
        for (v, &own) in &body.outputs {
            if let Some(&outer) = call.outputs.get(v) {
                frame.replace(own, outer, replaced);
            }
        }
        frame.substitution.apply(pool, body.formula)
    }

    /// If a call is the last step of its caller: what it owes so that the caller keeps a summary. `None` if something
    /// is done after the call, or if the summary speaks of the caller's inputs, which the callee does not know.
    pub(super) fn owed_by_last_call(
        &self,
        pool: &mut TermPool,
        caller: ProcId,
        call: &Call,
        summary: TermId,
    ) -> Option<TermId> {
        let icfg = self.icfg;
        let site = &icfg.call_sites[call.site];
        let (caller, callee) = (&icfg.procs[caller], &icfg.procs[site.callee]);
        if icfg.edges[site.return_edge].dst != caller.exit {
            return None;
        }
        let mut known = Substitution::new();
        let mut unknown: BTreeSet<TermId> = caller.params.iter().map(|v| icfg.vars[*v].term).collect();
        unknown.extend(icfg.globals.iter().map(|v| icfg.vars[*v].term));
        for &v in caller.results.iter().chain(&caller.modifies) {
            let after = primed(pool, icfg.vars[v].term);
            unknown.insert(after);
        }
        for &global in &callee.modifies {
            let after = primed(pool, icfg.vars[global].term);
            unknown.remove(&after);
        }
        for (&result, &target) in callee.results.iter().zip(&site.results) {
            let (from, to) = (primed(pool, icfg.vars[target].term), primed(pool, icfg.vars[result].term));
            unknown.remove(&from);
            known.insert(from, to);
        }
        if pool.free_constants(summary).iter().any(|t| unknown.contains(t)) {
            return None;
        }
        Some(known.apply(pool, summary))
    }

    /// Which of several sets of claims make the body satisfy its specification, if other calls do what is unrolled of
    /// them? The index of the first.
    pub(super) fn first_sufficient(
        &self,
        ctx: &mut Ctx<'_>,
        arg: ArgId,
        claims: &[BTreeMap<ArgId, Specification>],
    ) -> Result<Option<usize>, Reason> {
        let Some(body) = &self.args[arg].body else { return Ok(None) };
        let guard = self.bind_guard(ctx.pool, self.args[arg].guard, &body.inputs);
        let summary = self.bind_summary(ctx.pool, self.args[arg].summary, &body.inputs, &body.outputs, body.error);
        let fails = ctx.pool.not(summary);
        let mut solver = SmtSolver::without_proofs();
        for &axiom in &self.icfg.axioms {
            solver.assert(ctx.pool, axiom);
        }
        let mut formulas = vec![guard, fails, body.formula];
        for call in body.calls.iter().filter(|c| !claims.iter().any(|m| m.contains_key(&c.child))) {
            formulas.push(self.unrolled(ctx.pool, call, &mut Vec::new()));
        }
        for formula in formulas {
            solver.assert(ctx.pool, formula);
        }
        for (i, claims) in claims.iter().enumerate() {
            let mut assumptions = Vec::new();
            for call in &body.calls {
                if let Some(&claim) = claims.get(&call.child) {
                    assumptions.push(self.specified(ctx.pool, call, claim));
                }
            }
            ctx.stats.add("solver calls", 1);
            match solver.check_assuming(ctx.pool, &assumptions, ctx.budget) {
                SatResult::Unsat => return Ok(Some(i)),
                SatResult::Sat => {}
                SatResult::Unknown(UnknownReason::Stopped(stop)) => return Err(Reason::Stopped(stop)),
                SatResult::Unknown(UnknownReason::Incomplete(why)) => return Err(Reason::Incomplete(why)),
            }
        }
        Ok(None)
    }

    /// Does what is unrolled of a chain violate the specification of its first ARG?
    pub(super) fn has_violation(&mut self, ctx: &mut Ctx<'_>, top: ArgId) -> Result<bool, Reason> {
        let specification = (self.args[top].guard, self.args[top].summary);
        let mut ahead = match self.ahead.take() {
            Some(ahead) if ahead.top == top && ahead.specification == specification => ahead,
            _ => {
                let mut solver = SmtSolver::without_proofs();
                let Some(body) = &self.args[top].body else { return Ok(false) };
                let guard = self.bind_guard(ctx.pool, specification.0, &body.inputs);
                let summary = self.bind_summary(ctx.pool, specification.1, &body.inputs, &body.outputs, body.error);
                let fails = ctx.pool.not(summary);
                for formula in self.icfg.axioms.iter().copied().chain([guard, fails]) {
                    solver.assert(ctx.pool, formula);
                }
                Ahead { top, specification, solver, asserted: BTreeSet::new() }
            }
        };
        let mut ends = Vec::new();
        let first = Link { arg: top, call: None, summary: specification.1, passed: Vec::new(), known: Vec::new() };
        let mut links = vec![first];
        while let Some(link) = links.pop() {
            let mut parts = Vec::new();
            let next = self.add_parts(ctx.pool, &link, &BTreeMap::new(), Calls::Chains, &mut parts, &mut Vec::new());
            let is_new = ahead.asserted.insert(link.arg);
            for part in parts {
                // What is not unrolled yet may be later.
                match part.is_end {
                    true => ends.push(part.formula),
                    false if is_new => {
                        ahead.solver.assert(ctx.pool, part.formula);
                    }
                    false => {}
                }
            }
            links.extend(next);
        }
        ctx.stats.add("solver calls", 1);
        let answer = match ahead.solver.check_assuming(ctx.pool, &ends, ctx.budget) {
            SatResult::Sat => Ok(true),
            SatResult::Unsat => Ok(false),
            SatResult::Unknown(UnknownReason::Stopped(stop)) => Err(Reason::Stopped(stop)),
            SatResult::Unknown(UnknownReason::Incomplete(why)) => Err(Reason::Incomplete(why)),
        };
        self.ahead = Some(ahead);
        answer
    }

    /// Can the body of an ARG violate its specification? Calls with a claim do what it says, others what is unrolled of
    /// them.
    pub(super) fn explain(
        &self,
        ctx: &mut Ctx<'_>,
        top: ArgId,
        claims: &BTreeMap<ArgId, Specification>,
        calls: Calls,
    ) -> Result<Explanation, Reason> {
        self.explain_parts(ctx, top, claims, calls, None)
    }

    /// The same for executions of a chain that enter certain ARGs, each with what holds of its inputs then.
    pub(super) fn explain_along(
        &self,
        ctx: &mut Ctx<'_>,
        top: ArgId,
        path: &BTreeMap<ArgId, TermId>,
    ) -> Result<Explanation, Reason> {
        self.explain_parts(ctx, top, &BTreeMap::new(), Calls::Chains, Some(path))
    }

    fn explain_parts(
        &self,
        ctx: &mut Ctx<'_>,
        top: ArgId,
        claims: &BTreeMap<ArgId, Specification>,
        calls: Calls,
        path: Option<&BTreeMap<ArgId, TermId>>,
    ) -> Result<Explanation, Reason> {
        let Some(body) = &self.args[top].body else {
            return Err(Reason::Incomplete("an unexpanded procedure".to_string()));
        };
        let guard = self.bind_guard(ctx.pool, self.args[top].guard, &body.inputs);
        let summary = self.bind_summary(ctx.pool, self.args[top].summary, &body.inputs, &body.outputs, body.error);
        let fails = ctx.pool.not(summary);
        let mut parts = Vec::new();
        let mut replaced = Vec::new();
        let owed = self.args[top].summary;
        let mut links = vec![Link { arg: top, call: None, summary: owed, passed: Vec::new(), known: Vec::new() }];
        while let Some(link) = links.pop() {
            let n_links = path.map_or(self.args[top].n_links, BTreeMap::len);
            let is_long = link.passed.len() >= n_links && (path.is_some() || !self.error_is_near);
            let calls = if calls == Calls::Chains && is_long { Calls::End } else { calls };
            let own = parts.len();
            let next = self.add_parts(ctx.pool, &link, claims, calls, &mut parts, &mut replaced);
            if let (Some(path), Some(call)) = (path, link.call) {
                let mut forced = link.passed.clone();
                match path.get(&link.arg) {
                    Some(&holds) => forced.push(self.bind_guard(ctx.pool, holds, &call.inputs)),
                    None => forced = vec![ctx.pool.not(call.passed)],
                }
                forced.push(parts[own].formula);
                parts[own].formula = ctx.pool.and(&forced);
            }
            // The first call on top: its chain comes next.
            let is_off_path = path.is_some_and(|p| link.call.is_some() && !p.contains_key(&link.arg));
            if !is_off_path {
                links.extend(next.into_iter().rev());
            }
        }
        let mut solver = SmtSolver::with_proofs();
        for &axiom in &self.icfg.axioms {
            solver.assert(ctx.pool, axiom);
        }
        let guard_id = solver.assert(ctx.pool, guard);
        let ids: Vec<AssertionId> = parts.iter().map(|p| solver.assert(ctx.pool, p.formula)).collect();
        let fails_id = solver.assert(ctx.pool, fails);
        ctx.stats.add("solver calls", 1);
        match solver.check(ctx.pool, ctx.budget) {
            SatResult::Unknown(UnknownReason::Stopped(stop)) => return Err(Reason::Stopped(stop)),
            SatResult::Unknown(UnknownReason::Incomplete(why)) => return Err(Reason::Incomplete(why)),
            SatResult::Sat => {
                let Some(model) = solver.model() else {
                    return Err(Reason::Incomplete("the solver gave no model".to_string()));
                };
                // Only an execution of the root is shown.
                let replaced = if self.args[top].parent.is_none() { replaced } else { Vec::new() };
                let mut values = Vec::with_capacity(replaced.len());
                let mut memo = FastMap::default();
                for (constant, value) in replaced {
                    let value = model.eval_memo(ctx.pool, value, &mut memo);
                    if let (Some(symbol), Ok(value)) = (ctx.pool.as_symbol(constant), value) {
                        values.push((symbol, value));
                    }
                }
                let mut model = model.clone();
                for (symbol, value) in values {
                    model.set(symbol, value);
                }
                return Ok(Explanation::Violation(Box::new(model)));
            }
            SatResult::Unsat => {}
        }
        let farkas = if self.args[top].n_refined.is_multiple_of(2) { Farkas::Strong } else { Farkas::Weak };
        let interpolants = solver
            .interpolate(
                ctx.pool,
                &caterpillar(vec![guard_id, fails_id], &ids),
                ItpOptions { farkas, ..ItpOptions::default() },
                ctx.budget,
            )
            .map_err(|e| Reason::Incomplete(e.to_string()))?;
        let mut specifications = Vec::new();
        for (k, part) in parts.iter().enumerate() {
            let Some(subject) = &part.of else { continue };
            let (before, own) = (interpolants[2 * k], interpolants[2 * k + 1]);
            // What is exact keeps its summary whatever goes in; but where it can fail, its contract has to say when it
            // does not.
            let child = subject.call.child;
            let guard = match self.is_exact(child) && !self.recursion.fallible[self.args[child].proc] {
                true => TermId::TRUE,
                false => self.project(ctx, before, subject, false)?,
            };
            let summary = match subject.owed {
                Some(owed) => owed,
                None => self.project(ctx, own, subject, true)?,
            };
            specifications.push((subject.call.child, (guard, summary)));
        }
        Ok(Explanation::Specifications(specifications))
    }

    /// The parts of one link: its body and its calls. Returns the links that continue the chain.
    fn add_parts<'a>(
        &'a self,
        pool: &mut TermPool,
        link: &Link<'a>,
        claims: &BTreeMap<ArgId, Specification>,
        calls: Calls,
        parts: &mut Vec<Part<'a>>,
        replaced: &mut Vec<(TermId, TermId)>,
    ) -> Vec<Link<'a>> {
        let Some(body) = &self.args[link.arg].body else { return Vec::new() };
        let reached = pool.and(&link.passed);
        let own = parts.len();
        match link.call {
            None => parts.push(Part { formula: body.formula, of: None, is_end: false }),
            Some(call) => {
                let entered = self.entered(pool, call, replaced);
                let subject = Subject { call, known: link.known.clone(), owed: Some(link.summary) };
                parts.push(Part { formula: pool.implies(reached, entered), of: Some(subject), is_end: false });
            }
        }
        let no_error = pool.not(self.error);
        let mut next: Vec<Link<'a>> = Vec::new();
        for call in &body.calls {
            if let Some(&claim) = claims.get(&call.child) {
                let formula = self.specified(pool, call, claim);
                parts.push(Part { formula: pool.implies(reached, formula), of: None, is_end: false });
                continue;
            }
            let mut known = link.known.clone();
            known.push((call.passed, TermId::TRUE));
            for &i in &call.always_before {
                known.extend([(body.calls[i].passed, TermId::TRUE), (body.calls[i].error, TermId::FALSE)]);
            }
            let is_unrolled = self.args[call.child].body.is_some();
            if calls != Calls::Each && self.is_exact(call.child) {
                let formula = self.unrolled(pool, call, replaced);
                let formula = pool.implies(reached, formula);
                parts[own].formula = pool.and(&[parts[own].formula, formula]);
                continue;
            }
            if calls == Calls::End {
                let formula = pool.not(call.passed);
                parts.push(Part { formula: pool.implies(reached, formula), of: None, is_end: true });
                continue;
            }
            if calls == Calls::Chains
                && is_unrolled
                && let Some(summary) = self.owed_by_last_call(pool, self.args[link.arg].proc, call, link.summary)
            {
                // Nothing comes after a last call, so what does not come before it is not passed at all.
                known.extend(call.never_before.iter().map(|&i| (body.calls[i].passed, TermId::FALSE)));
                // It is the last call that violates what is owed.
                if summary == no_error {
                    known.push((call.error, TermId::TRUE));
                }
                let mut passed = link.passed.clone();
                passed.push(call.passed);
                next.push(Link { arg: call.child, call: Some(call), summary, passed, known });
                continue;
            }
            let formula = self.unrolled(pool, call, replaced);
            // Of what is not unrolled the best guess would be that it never returns.
            let of = is_unrolled.then_some(Subject { call, known, owed: None });
            parts.push(Part { formula: pool.implies(reached, formula), of, is_end: !is_unrolled });
        }
        next
    }

    /// GUARD and SUM: an interpolant at a call as a formula over the callee's own inputs and outputs.
    fn project(
        &self,
        ctx: &mut Ctx<'_>,
        interpolant: TermId,
        subject: &Subject<'_>,
        is_summary: bool,
    ) -> Result<TermId, Reason> {
        let call = subject.call;
        let mut to_formal = Substitution::from_pairs(subject.known.iter().copied());
        let mut formals: BTreeSet<TermId> = BTreeSet::new();
        for (v, &c) in &call.inputs {
            let formal = self.icfg.vars[*v].term;
            to_formal.insert(c, formal);
            formals.insert(formal);
        }
        if is_summary {
            for (v, &c) in &call.outputs {
                let after = primed(ctx.pool, self.icfg.vars[*v].term);
                to_formal.insert(c, after);
                formals.insert(after);
            }
            to_formal.insert(call.error, self.error);
            formals.insert(self.error);
        }
        let formula = to_formal.apply(ctx.pool, interpolant);
        let constants = ctx.pool.free_constants(formula).into_iter();
        let foreign: Vec<TermId> = constants.filter(|t| !formals.contains(t) && !self.rigid.contains(t)).collect();
        if foreign.is_empty() {
            return Ok(formula);
        }
        // A weaker guard and a weaker summary are both sound; a guard may always be weakened.
        let options = qe::Options::default().with_fallback(qe::Fallback::Weaken);
        let eliminated = qe::eliminate_exists(ctx.pool, &foreign, formula, &options, ctx.budget);
        ctx.budget.check()?;
        if eliminated.remaining.is_empty() { Ok(eliminated.formula) } else { Ok(TermId::TRUE) }
    }
}

/// The tree of the module's picture. Of part `k`, node `2k` is the spine before it and node `2k + 1` the part itself.
fn caterpillar(question: Vec<AssertionId>, parts: &[AssertionId]) -> ItpTree {
    let mut groups = vec![question];
    let mut parent = Vec::new();
    for &part in parts {
        let joined = groups.len() + 1;
        parent.extend([Some(joined), Some(joined)]);
        groups.push(vec![part]);
        groups.push(Vec::new());
    }
    parent.push(None);
    ItpTree { groups, parent }
}
