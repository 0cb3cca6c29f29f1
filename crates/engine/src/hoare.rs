//! Hoare triples `{pre} edge {post}`: valid, invalid, or not known.
//!
//! For statements the weakest precondition is a substitution, so a triple is an implication between
//! state formulas: `pre ∧ c ⇒ post` for an assume, `pre ⇒ post[x := e]` for an assignment, `pre ⇒
//! post[x := fresh]` for a havoc, and backwards through the parts of a straight-line block. Normalised terms make many
//! of them trivial. The chain of answers, cheapest first:
//!
//! 1. syntactic and data-flow rules (`pre` is false, `post` is true, nothing relevant is assigned);
//! 2. the cache of implications;
//! 3. *samples*: states remembered from failed checks, one of which satisfies the left and not the right side;
//! 4. the solver, with a limit for each query.
//!
//! Calls and returns follow the reading of [`ir::Icfg`]: a precondition of the callee speaks of its
//! parameters, globals and `old` variables; at a return the state before the call comes back in.
//! "Not known" must be treated as "no edge" by whoever builds proofs from triples.

use crate::framework::{Ctx, Phase};
use base::Budget;
use ir::{EdgeId, Icfg, Label, ProcId, Stmt, VarId, VarKind, primed};
use logic::{FastMap, Model, SatResult, Solver, Substitution, TermId, TermPool, Value};
use smt::SmtSolver;
use std::collections::VecDeque;
use std::time::Duration;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Validity {
    Valid,
    Invalid,
    Unknown,
}

/// How many sample states are kept.
const N_SAMPLES: usize = 24;
/// How many evaluated terms a sample remembers.
const MAX_MEMO: usize = 100_000;
/// The time for one solver query, unless someone wants another.
const QUERY_LIMIT: Duration = Duration::from_secs(2);
/// The copy of a callee's local variables at a return (its locals may be the caller's, in recursion).
const CALLEE_COPY: u32 = u32::MAX - 1;
/// Globals before the call, at a return.
const BEFORE_CALL: u32 = u32::MAX - 2;

/// Checks triples of one graph.
pub struct HoareChecker<'a> {
    icfg: &'a Icfg,
    solver: SmtSolver,
    /// `left ⇒ right`.
    implications: FastMap<(TermId, TermId), Validity>,
    /// States from failed checks, the one that refuted last first, each with what was evaluated in it.
    samples: VecDeque<(Model, FastMap<TermId, Value>)>,
    free_constants: FastMap<TermId, Vec<TermId>>,
    var_of: FastMap<TermId, VarId>,
    query_limit: Duration,
}

impl<'a> HoareChecker<'a> {
    pub fn new(pool: &mut TermPool, icfg: &'a Icfg) -> HoareChecker<'a> {
        let mut solver = SmtSolver::without_proofs();
        for &axiom in &icfg.axioms {
            solver.assert(pool, axiom);
        }
        HoareChecker {
            icfg,
            solver,
            implications: FastMap::default(),
            samples: VecDeque::new(),
            free_constants: FastMap::default(),
            var_of: icfg.vars.iter().map(|(id, v)| (v.term, id)).collect(),
            query_limit: QUERY_LIMIT,
        }
    }

    /// The same with another limit for one query.
    pub fn with_query_limit(self, query_limit: Duration) -> HoareChecker<'a> {
        HoareChecker { query_limit, ..self }
    }

    /// The variables a formula speaks about (its free constants), cached.
    pub fn constants_of(&mut self, pool: &TermPool, t: TermId) -> &[TermId] {
        self.free_constants.entry(t).or_insert_with(|| pool.free_constants(t))
    }

    /// Does the formula speak about a variable that the edge may change?
    pub fn touches(&mut self, pool: &TermPool, edge: EdgeId, t: TermId) -> bool {
        let assigned = assigned_by(self.icfg, edge);
        if assigned.is_empty() {
            return false;
        }
        let terms: Vec<TermId> = assigned.iter().map(|&v| self.icfg.vars[v].term).collect();
        self.constants_of(pool, t).iter().any(|c| terms.contains(c))
    }

    /// `{pre} edge {post}` for an edge that is neither call nor return.
    pub fn internal(&mut self, ctx: &mut Ctx<'_>, pre: TermId, edge: EdgeId, post: TermId) -> Validity {
        if pre == TermId::FALSE || post == TermId::TRUE {
            return Validity::Valid;
        }
        if pre == post && !self.touches(ctx.pool, edge, post) {
            return Validity::Valid;
        }
        let right = self.precondition(ctx.pool, edge, post);
        match right {
            Some(right) => self.implies(ctx, pre, right),
            None => Validity::Unknown,
        }
    }

    /// `{pre} call {post}`, where `post` speaks about the callee's scope.
    pub fn call(&mut self, ctx: &mut Ctx<'_>, pre: TermId, edge: EdgeId, post: TermId) -> Validity {
        if pre == TermId::FALSE || post == TermId::TRUE {
            return Validity::Valid;
        }
        match self.call_precondition(ctx.pool, edge, post) {
            Some(right) => self.implies(ctx, pre, right),
            None => Validity::Unknown,
        }
    }

    /// What a predicate at the entry of a callee says about the state before the call.
    fn call_precondition(&self, pool: &mut TermPool, edge: EdgeId, post: TermId) -> Option<TermId> {
        let Label::Call(site) = self.icfg.edges[edge].label else { return None };
        let site = &self.icfg.call_sites[site];
        let callee = &self.icfg.procs[site.callee];
        let mut substitution = Substitution::new();
        for (&param, &arg) in callee.params.iter().zip(&site.args) {
            substitution.insert(self.icfg.vars[param].term, arg);
        }
        for &local in callee.locals.iter().chain(&callee.results) {
            let term = self.icfg.vars[local].term;
            let copy = pool.indexed(term, CALLEE_COPY);
            substitution.insert(term, copy);
        }
        self.old_to_now(&mut substitution);
        Some(substitution.apply(pool, post))
    }

    fn old_to_now(&self, substitution: &mut Substitution) {
        for var in self.icfg.vars.values() {
            if let VarKind::Old(global) = var.kind {
                substitution.insert(var.term, self.icfg.vars[global].term);
            }
        }
    }

    /// `{exit, before} return {post}`: `exit` holds at the callee's exit, `before` held at the call.
    pub fn ret(&mut self, ctx: &mut Ctx<'_>, exit: TermId, before: TermId, edge: EdgeId, post: TermId) -> Validity {
        if exit == TermId::FALSE || before == TermId::FALSE || post == TermId::TRUE {
            return Validity::Valid;
        }
        let Some((mut left, right)) = self.return_formulas(ctx.pool, &[exit], &[before], edge, post) else {
            return Validity::Unknown;
        };
        // The caller first: that order was found to suit the solver.
        left.reverse();
        let left = ctx.pool.and(&left);
        self.implies(ctx, left, right)
    }

    /// What a return says of the state after the call: `exit`, then `before`, imply the last formula.
    fn return_formulas(
        &self,
        pool: &mut TermPool,
        exit: &[TermId],
        before: &[TermId],
        edge: EdgeId,
        post: TermId,
    ) -> Option<(Vec<TermId>, TermId)> {
        let Label::Return(site) = self.icfg.edges[edge].label else { return None };
        let site = &self.icfg.call_sites[site];
        let callee = &self.icfg.procs[site.callee];
        // Globals that the callee may change have a value before the call of their own.
        let mut to_before = Substitution::new();
        let mut exit_map = Substitution::new();
        for &global in &callee.modifies {
            let term = self.icfg.vars[global].term;
            let copy = pool.indexed(term, BEFORE_CALL);
            to_before.insert(term, copy);
        }
        for (&param, &arg) in callee.params.iter().zip(&site.args) {
            // A parameter that the body assigns no longer has the argument's value at the exit.
            let term = self.icfg.vars[param].term;
            let value = if self.is_assigned_in(site.callee, param) {
                pool.indexed(term, CALLEE_COPY)
            } else {
                to_before.apply(pool, arg)
            };
            exit_map.insert(term, value);
        }
        for &local in callee.locals.iter().chain(&callee.results) {
            let term = self.icfg.vars[local].term;
            let copy = pool.indexed(term, CALLEE_COPY);
            exit_map.insert(term, copy);
        }
        for var in self.icfg.vars.values() {
            if let VarKind::Old(global) = var.kind {
                let now = self.icfg.vars[global].term;
                let value = to_before.apply(pool, now);
                exit_map.insert(var.term, value);
            }
        }
        let mut left: Vec<TermId> = exit.iter().map(|&t| exit_map.apply(pool, t)).collect();
        left.extend(before.iter().map(|&t| to_before.apply(pool, t)));
        let mut results = Substitution::new();
        for (&result, &target) in callee.results.iter().zip(&site.results) {
            let copy = pool.indexed(self.icfg.vars[result].term, CALLEE_COPY);
            results.insert(self.icfg.vars[target].term, copy);
        }
        let right = results.apply(pool, post);
        Some((left, right))
    }

    fn is_assigned_in(&self, proc: ProcId, var: VarId) -> bool {
        self.icfg
            .edges
            .iter()
            .any(|(id, e)| self.icfg.locs[e.src].proc == proc && assigned_by(self.icfg, id).contains(&var))
    }

    /// The weakest precondition of an internal edge (with fresh constants for havocked values).
    pub fn precondition(&mut self, pool: &mut TermPool, edge: EdgeId, post: TermId) -> Option<TermId> {
        match &self.icfg.edges[edge].label {
            Label::Stmt(stmt) => Some(precondition_of_stmt(pool, self.icfg, stmt, post)),
            Label::Block(block) => {
                let after = self.image(pool, edge, post)?;
                Some(pool.implies(block.formula, after))
            }
            Label::Call(_) | Label::Return(_) | Label::Fork { .. } | Label::Join { .. } => None,
            Label::AtomicBegin | Label::AtomicEnd => Some(post),
        }
    }

    /// What a predicate after an internal edge says about the state before (and the values chosen).
    pub fn image(&mut self, pool: &mut TermPool, edge: EdgeId, post: TermId) -> Option<TermId> {
        match &self.icfg.edges[edge].label {
            Label::Stmt(Stmt::Assume(_)) | Label::AtomicBegin | Label::AtomicEnd => Some(post),
            Label::Stmt(stmt) => Some(precondition_of_stmt(pool, self.icfg, stmt, post)),
            Label::Block(block) => {
                let mut substitution = Substitution::new();
                for &v in &block.assigned {
                    let term = self.icfg.vars[v].term;
                    let after = primed(pool, term);
                    substitution.insert(term, after);
                }
                Some(substitution.apply(pool, post))
            }
            Label::Call(_) | Label::Return(_) | Label::Fork { .. } | Label::Join { .. } => None,
        }
    }

    /// Which of the formulas before an edge make sure that `post` holds after it: indices into `pre`, and for a return
    /// also into `before`, what is known before its call. `None` if the triple is not known to hold.
    pub fn reasons(
        &mut self,
        ctx: &mut Ctx<'_>,
        pre: &[TermId],
        before: &[TermId],
        edge: EdgeId,
        post: TermId,
    ) -> Option<(Vec<usize>, Vec<usize>)> {
        let is_internal = !matches!(self.icfg.edges[edge].label, Label::Call(_) | Label::Return(_));
        if is_internal
            && let Some(same) = pre.iter().position(|&p| p == post)
            && !self.touches(ctx.pool, edge, post)
        {
            return Some((vec![same], Vec::new()));
        }
        let (mut question, right) = match self.icfg.edges[edge].label {
            Label::Return(_) => self.return_formulas(ctx.pool, pre, before, edge, post)?,
            Label::Call(_) => (pre.to_vec(), self.call_precondition(ctx.pool, edge, post)?),
            _ => (pre.to_vec(), self.precondition(ctx.pool, edge, post)?),
        };
        if right == TermId::TRUE {
            return Some((Vec::new(), Vec::new()));
        }
        question.push(ctx.pool.not(right));
        let used = self.small_core(ctx, &question)?;
        let own: Vec<usize> = used.iter().copied().filter(|&i| i < pre.len()).collect();
        let of_caller = used.iter().filter(|&&i| i >= pre.len() && i < pre.len() + before.len());
        Some((own, of_caller.map(|&i| i - pre.len()).collect()))
    }

    /// Formulas that contradict each other, none of which can be left out; the last formula stays. `None` if they do
    /// not.
    fn small_core(&mut self, ctx: &mut Ctx<'_>, formulas: &[TermId]) -> Option<Vec<usize>> {
        let limit = ctx.budget.child(self.query_limit);
        let mut core = self.core_of(ctx, formulas, (0..formulas.len()).collect(), &limit)?;
        let mut i = 0;
        while i < core.len() {
            let mut fewer = core.clone();
            if fewer.remove(i) + 1 == formulas.len() {
                break;
            }
            match self.core_of(ctx, formulas, fewer, &limit) {
                Some(smaller) => core = smaller,
                None => i += 1,
            }
        }
        Some(core)
    }

    /// Those of the chosen formulas that a refutation uses.
    fn core_of(
        &mut self,
        ctx: &mut Ctx<'_>,
        formulas: &[TermId],
        chosen: Vec<usize>,
        limit: &Budget,
    ) -> Option<Vec<usize>> {
        let question: Vec<TermId> = chosen.iter().map(|&i| formulas[i]).collect();
        ctx.stats.add("solver calls", 1);
        let answer = ctx.phase(Phase::HoareChecks, |ctx| self.solver.check_assuming(ctx.pool, &question, limit));
        if answer != SatResult::Unsat {
            return None;
        }
        let mut used: Vec<usize> = self.solver.failed_assumptions().into_iter().map(|i| chosen[i]).collect();
        used.sort_unstable();
        Some(used)
    }

    /// Does `left` imply `right`?
    pub fn implies(&mut self, ctx: &mut Ctx<'_>, left: TermId, right: TermId) -> Validity {
        if left == TermId::FALSE || right == TermId::TRUE || left == right {
            return Validity::Valid;
        }
        if let Some(&known) = self.implications.get(&(left, right)) {
            ctx.stats.add("triples from the cache", 1);
            return known;
        }
        let negated = ctx.pool.not(right);
        let question = ctx.pool.and(&[left, negated]);
        if question == TermId::FALSE {
            return Validity::Valid;
        }
        if self.refuted_by_sample(ctx.pool, left, negated) {
            ctx.stats.add("triples refuted by samples", 1);
            self.implications.insert((left, right), Validity::Invalid);
            return Validity::Invalid;
        }
        ctx.observer.enter(Phase::HoareChecks);
        let answer = self.ask(ctx.pool, question, &ctx.budget.child(self.query_limit));
        ctx.observer.leave(Phase::HoareChecks);
        ctx.stats.add("solver calls", 1);
        ctx.stats.add("triples by the solver", 1);
        self.implications.insert((left, right), answer);
        answer
    }

    /// Does some sample satisfy both formulas?
    fn refuted_by_sample(&mut self, pool: &TermPool, left: TermId, right: TermId) -> bool {
        for i in 0..self.samples.len() {
            let (model, memo) = &mut self.samples[i];
            if memo.len() > MAX_MEMO {
                memo.clear();
            }
            let yes = Ok(Value::Bool(true));
            if model.eval_memo(pool, left, memo) == yes && model.eval_memo(pool, right, memo) == yes {
                let hit = self.samples.remove(i);
                if let Some(hit) = hit {
                    self.samples.push_front(hit);
                }
                return true;
            }
        }
        false
    }

    /// Is the formula satisfiable? `Valid` means no.
    fn ask(&mut self, pool: &mut TermPool, question: TermId, budget: &Budget) -> Validity {
        match self.solver.check_assuming(pool, &[question], budget) {
            SatResult::Unsat => Validity::Valid,
            SatResult::Sat => {
                if let Some(model) = self.solver.model() {
                    if self.samples.len() == N_SAMPLES {
                        self.samples.pop_back();
                    }
                    self.samples.push_front((model.clone(), FastMap::default()));
                }
                Validity::Invalid
            }
            SatResult::Unknown(_) => Validity::Unknown,
        }
    }

    /// The program variable a constant belongs to.
    pub fn variable(&self, constant: TermId) -> Option<VarId> {
        self.var_of.get(&constant).copied()
    }
}

fn precondition_of_stmt(pool: &mut TermPool, icfg: &Icfg, stmt: &Stmt, post: TermId) -> TermId {
    match stmt {
        Stmt::Assume(c) => pool.implies(*c, post),
        Stmt::Assign(pairs) => {
            let pairs: Vec<(TermId, TermId)> = pairs.iter().map(|&(v, e)| (icfg.vars[v].term, e)).collect();
            pool.substitute(post, &pairs)
        }
        Stmt::Havoc(vars, _) => {
            // One copy per variable and formula is enough: it stands for any value, and the
            // precondition is only ever proved, never assumed.
            let pairs: Vec<(TermId, TermId)> = vars
                .iter()
                .map(|&v| {
                    let term = icfg.vars[v].term;
                    (term, primed(pool, term))
                })
                .collect();
            pool.substitute(post, &pairs)
        }
    }
}

/// The variables an edge may change in its own scope (a return: results and modified globals).
pub fn assigned_by(icfg: &Icfg, edge: EdgeId) -> Vec<VarId> {
    match &icfg.edges[edge].label {
        Label::Stmt(Stmt::Assign(pairs)) => pairs.iter().map(|(v, _)| *v).collect(),
        Label::Stmt(Stmt::Havoc(vars, _)) => vars.clone(),
        Label::Stmt(Stmt::Assume(_)) | Label::AtomicBegin | Label::AtomicEnd => Vec::new(),
        Label::Block(block) => block.assigned.clone(),
        Label::Return(site) => {
            let site = &icfg.call_sites[*site];
            site.results.iter().chain(&icfg.procs[site.callee].modifies).copied().collect()
        }
        Label::Join { results, .. } => results.clone(),
        Label::Call(_) | Label::Fork { .. } => Vec::new(),
    }
}
