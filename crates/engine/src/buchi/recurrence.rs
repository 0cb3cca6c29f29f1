//! Executions that never end.
//!
//! A *recurrence set* is a set of states from which one iteration of the cycle can be taken so that it ends in the set
//! again (Gupta et al. 2008). Nondeterministic choices are fixed first: each takes a constant value from an execution,
//! the value that the variable has already, or the bound that a later guard sets. Then an iteration is a function, and
//! the set must imply its guards and be closed under it.
//!
//! - *Fixed point*: a state that an iteration maps to itself. One solver query.
//! - *Geometric arguments*, last: see [`super::geometric`].
//! - *Closure*: start with the guards, as literals that hold in an execution. A guard `t ≤ c` that is not preserved may
//!   be because `t` can grow; then `t[after] ≤ t` is added, and so on for what was added: `x ≥ 0` with
//!   `x := x + y; y := y + 1` gives `y ≥ 0`, which is preserved. This finds the polynomially and exponentially growing
//!   runs for which Leike and Heizmann's geometric arguments are made, without guessing eigenvalues.
//!
//! What is found is checked again by the independent checker.

use super::cuts::CutGraph;
use super::streett::LassoWord;
use base::{Budget, Stop};
use ir::ssa::Ssa;
use ir::{Counterexample, CycleStep, EdgeId, Icfg, Label, NonTermination, Stmt, TraceStep, VarId};
use logic::{FastMap, FastSet, Model, Op, Rational, SatResult, Solver, SortId, TermId, TermPool, Value};
use smt::SmtSolver;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Duration;

const QUERY_LIMIT: Duration = Duration::from_secs(3);
/// How many ways to choose among the cases of disjunctive guards are tried.
const MAX_VARIANTS: u32 = 8;
/// How often guards are strengthened.
const MAX_ROUNDS: usize = 5;

pub(crate) struct Search<'a> {
    pub pool: &'a mut TermPool,
    pub icfg: &'a Icfg,
    pub budget: &'a Budget,
}

/// How the choices of a cycle are made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Choice {
    /// As in an execution of stem and cycle.
    FromExecution,
    /// The variable keeps its value.
    Keep,
    /// At the bound that a later guard sets.
    Boundary,
}

/// One iteration with all choices fixed, as a function of the variables.
pub(super) struct Turn {
    pub steps: Vec<CycleStep>,
    guards: Vec<TermId>,
    values: FastMap<VarId, TermId>,
}

impl Search<'_> {
    /// An infinite execution along the lasso, if one is found.
    pub(super) fn find(&mut self, graph: &CutGraph, lasso: &LassoWord) -> Result<Option<NonTermination>, Stop> {
        let (stem, cycle) = (graph.edges_of(&lasso.stem), graph.edges_of(&lasso.cycle));
        self.find_along(&stem, &cycle)
    }

    /// The same for a lasso that is given by its steps.
    pub(crate) fn find_along(&mut self, stem: &[EdgeId], cycle: &[EdgeId]) -> Result<Option<NonTermination>, Stop> {
        if stem.iter().chain(cycle).any(|e| self.is_inexact(*e)) {
            return Ok(None);
        }
        if let Some(found) = self.fixed_point(stem, cycle)? {
            return Ok(Some(found));
        }
        let whole: Vec<EdgeId> = stem.iter().chain(cycle).copied().collect();
        let Some((ssa, model)) = self.execution(&whole, &|_, _| Vec::new())? else { return Ok(None) };
        let has_choice = cycle.iter().any(|e| matches!(self.icfg.edges[*e].label, Label::Stmt(Stmt::Havoc(..))));
        let boundaries = if has_choice { self.boundaries(cycle) } else { BTreeMap::new() };
        for strategy in [Choice::FromExecution, Choice::Keep, Choice::Boundary] {
            if strategy != Choice::FromExecution && !has_choice {
                break;
            }
            let choose = |search: &mut Self, position: usize, v: VarId, now: TermId| -> Option<TermId> {
                let boundary = boundaries.get(&(position, v)).copied();
                match (strategy, boundary) {
                    (Choice::Keep, _) => return Some(now),
                    (Choice::Boundary, Some(term)) => return Some(term),
                    (Choice::FromExecution, _) | (Choice::Boundary, None) => {}
                }
                let constant = ssa.versions[stem.len() + position + 1][v];
                let value = model.eval(search.pool, constant).ok()?;
                search.pool.value_term(&value, search.icfg.vars[v].sort)
            };
            let Some(turn) = self.turn(cycle, &choose) else { continue };
            // Guards that are disjunctions: the case of the execution first, then others.
            let mut n_cases = 0;
            for variant in 0..MAX_VARIANTS {
                if let Some(found) = self.closure(stem, &ssa, &model, &turn, variant, &mut n_cases)? {
                    return Ok(Some(found));
                }
                if variant + 1 >= 1 << n_cases.min(8) {
                    break;
                }
            }
        }
        self.geometric(stem, cycle)
    }

    /// For choices that a later guard bounds (`havoc x; assume x ≥ 2*y`): the bound, over the variables before the
    /// choice.
    fn boundaries(&mut self, cycle: &[EdgeId]) -> BTreeMap<(usize, VarId), TermId> {
        // Each choice gets a name; the guards then say what is known about it.
        let names: RefCell<BTreeMap<(usize, VarId), TermId>> = RefCell::default();
        let choose = |search: &mut Self, position: usize, v: VarId, _: TermId| -> Option<TermId> {
            let name = search.pool.fresh_constant("choice", search.icfg.vars[v].sort);
            names.borrow_mut().insert((position, v), name);
            Some(name)
        };
        let Some(turn) = self.turn(cycle, &choose) else { return BTreeMap::new() };
        let names = names.into_inner();
        let is_name: FastSet<TermId> = names.values().copied().collect();
        let atoms: Vec<(TermId, bool)> = turn
            .guards
            .iter()
            .flat_map(|g| self.pool.conjuncts(*g))
            .map(|c| if self.pool.op(c) == Op::Not { (self.pool.arg(c, 0), false) } else { (c, true) })
            .collect();
        let mut result = BTreeMap::new();
        for (&(position, v), &name) in &names {
            let sort = self.icfg.vars[v].sort;
            if !sort.is_arith() {
                continue;
            }
            for &(atom, positive) in &atoms {
                if !matches!(self.pool.op(atom), Op::Le | Op::Lt | Op::Eq)
                    || !self.pool.sort(self.pool.arg(atom, 0)).is_arith()
                {
                    continue;
                }
                // left - right = factor·name + rest
                let difference = self.pool.sub(self.pool.arg(atom, 0), self.pool.arg(atom, 1));
                let mut rest = self.pool.linear(difference);
                let Some(factor) = rest.coefficient(name).cloned() else { continue };
                rest.add_term(name, &-&factor);
                if !(factor.is_one() || factor.is_minus_one()) || rest.terms.iter().any(|(t, _)| is_name.contains(t)) {
                    continue;
                }
                // On the boundary, or one step inside for a strict comparison.
                let strict = (self.pool.op(atom) == Op::Lt) == positive && self.pool.op(atom) != Op::Eq;
                let strict = strict || (!positive && self.pool.op(atom) == Op::Le);
                let step = match (strict, positive) {
                    (false, _) => Rational::zero(),
                    (true, true) => Rational::one(),
                    (true, false) => Rational::MINUS_ONE,
                };
                rest.constant += step;
                rest.scale(&-factor);
                let bound = self.pool.linear_term(&rest, sort);
                if let Some(term) = self.over_state_before(cycle, position, bound) {
                    result.entry((position, v)).or_insert(term);
                }
            }
        }
        result
    }

    /// A term over the values at the start of the cycle, over the variables before a step of it.
    pub(super) fn over_state_before(&mut self, cycle: &[EdgeId], position: usize, term: TermId) -> Option<TermId> {
        let unknown = |search: &mut Self, _: usize, v: VarId, _: TermId| -> Option<TermId> {
            Some(search.pool.fresh_constant("unknown", search.icfg.vars[v].sort))
        };
        let before = self.turn(&cycle[..position], &unknown)?;
        let mut pairs = Vec::new();
        for constant in self.pool.free_constants(term) {
            let (start, _) = self.icfg.vars.iter().find(|(_, var)| var.term == constant)?;
            let value = match before.values.get(&start) {
                None => self.icfg.vars[start].term,
                // It was overwritten; some variable may have kept it, or differ from it by a constant.
                Some(_) => {
                    let ids: Vec<VarId> = self.icfg.vars.ids().collect();
                    ids.into_iter().find_map(|v| {
                        let now = *before.values.get(&v)?;
                        let sort = self.icfg.vars[v].sort;
                        if now == constant {
                            return Some(self.icfg.vars[v].term);
                        }
                        if !sort.is_arith() || sort != self.pool.sort(constant) {
                            return None;
                        }
                        let form = self.pool.linear(now);
                        match &form.terms[..] {
                            [(only, factor)] if *only == constant && factor.is_one() => {
                                let shift = self.pool.num(-&form.constant, sort);
                                Some(self.pool.add(&[self.icfg.vars[v].term, shift]))
                            }
                            _ => None,
                        }
                    })?
                }
            };
            pairs.push((constant, value));
        }
        Some(self.pool.substitute(term, &pairs))
    }

    /// Steps that nothing can be concluded from.
    fn is_inexact(&self, edge: EdgeId) -> bool {
        let edge = &self.icfg.edges[edge];
        match &edge.label {
            _ if edge.not_modelled().is_some() => true,
            Label::Stmt(_) | Label::AtomicBegin | Label::AtomicEnd => false,
            Label::Block(_) | Label::Call(_) | Label::Return(_) | Label::Fork { .. } | Label::Join { .. } => true,
        }
    }

    /// An execution of a trace that also satisfies further formulas.
    fn execution(
        &mut self,
        trace: &[EdgeId],
        further: &dyn Fn(&mut TermPool, &Ssa) -> Vec<TermId>,
    ) -> Result<Option<(Ssa, Model)>, Stop> {
        let Ok(ssa) = Ssa::of_trace(self.pool, self.icfg, trace) else { return Ok(None) };
        let mut solver = SmtSolver::without_proofs();
        for &axiom in &self.icfg.axioms {
            solver.assert(self.pool, axiom);
        }
        for step in &ssa.steps {
            for &formula in &step.formulas {
                solver.assert(self.pool, formula);
            }
        }
        for formula in further(self.pool, &ssa) {
            solver.assert(self.pool, formula);
        }
        match solver.check(self.pool, &self.budget.child(QUERY_LIMIT)) {
            SatResult::Sat => {
                let model = solver.model().cloned();
                Ok(model.map(|m| (ssa, m)))
            }
            SatResult::Unsat => Ok(None),
            SatResult::Unknown(_) => {
                self.budget.check_now()?;
                Ok(None)
            }
        }
    }

    /// The first steps of an execution.
    pub(super) fn counterexample(&self, trace: &[EdgeId], ssa: &Ssa, model: &Model) -> Counterexample {
        let mut steps = Vec::with_capacity(trace.len());
        for (&edge, step) in trace.iter().zip(&ssa.steps) {
            let chosen: BTreeMap<VarId, Value> =
                step.chosen.iter().filter_map(|(v, c)| Some((*v, model.eval(self.pool, *c).ok()?))).collect();
            steps.push(TraceStep { edge, chosen });
        }
        Counterexample { initial: ssa.initial_values(self.pool, model), steps, symbols: model.clone() }
    }

    fn fixed_point(&mut self, stem: &[EdgeId], cycle: &[EdgeId]) -> Result<Option<NonTermination>, Stop> {
        let whole: Vec<EdgeId> = stem.iter().chain(cycle).copied().collect();
        let (start, end) = (stem.len(), whole.len());
        let same = |pool: &mut TermPool, ssa: &Ssa| {
            let pairs: Vec<(TermId, TermId)> =
                ssa.versions[start].iter().map(|(v, t)| (*t, ssa.versions[end][v])).filter(|(a, b)| a != b).collect();
            pairs.into_iter().map(|(a, b)| pool.eq(a, b)).collect()
        };
        let Some((ssa, model)) = self.execution(&whole, &same)? else { return Ok(None) };
        let choose = |search: &mut Self, position: usize, v: VarId, _: TermId| -> Option<TermId> {
            let value = model.eval(search.pool, ssa.versions[start + position + 1][v]).ok()?;
            search.pool.value_term(&value, search.icfg.vars[v].sort)
        };
        let Some(turn) = self.turn(cycle, &choose) else { return Ok(None) };
        // The set is the one state, as far as the iteration reads or changes it.
        let mut relevant: FastSet<TermId> = FastSet::default();
        for &t in turn.guards.iter().chain(turn.values.values()) {
            relevant.extend(self.pool.free_constants(t));
        }
        let mut state = Vec::new();
        for (v, variable) in self.icfg.vars.iter() {
            if !relevant.contains(&variable.term) && !turn.values.contains_key(&v) {
                continue;
            }
            let Ok(value) = model.eval(self.pool, ssa.versions[start][v]) else { return Ok(None) };
            let Some(value) = self.pool.value_term(&value, variable.sort) else { return Ok(None) };
            state.push(self.pool.eq(variable.term, value));
        }
        let recurrence = self.pool.and(&state);
        let stem = self.counterexample(stem, &ssa, &model);
        Ok(Some(NonTermination { stem, cycle: turn.steps, recurrence }))
    }

    /// One iteration as a function, the choices made by `choose` (position, variable, its value now).
    pub(super) fn turn(
        &mut self,
        cycle: &[EdgeId],
        choose: &dyn Fn(&mut Self, usize, VarId, TermId) -> Option<TermId>,
    ) -> Option<Turn> {
        let mut turn = Turn { steps: Vec::new(), guards: Vec::new(), values: FastMap::default() };
        for (position, &edge) in cycle.iter().enumerate() {
            let pairs: Vec<(TermId, TermId)> = turn.values.iter().map(|(v, t)| (self.icfg.vars[*v].term, *t)).collect();
            let mut chosen = BTreeMap::new();
            match &self.icfg.edges[edge].label {
                Label::Stmt(Stmt::Assume(condition)) => {
                    let guard = self.pool.substitute(*condition, &pairs);
                    turn.guards.push(guard);
                }
                Label::Stmt(Stmt::Assign(assignments)) => {
                    let new: Vec<(VarId, TermId)> =
                        assignments.iter().map(|(v, e)| (*v, self.pool.substitute(*e, &pairs))).collect();
                    turn.values.extend(new);
                }
                Label::Stmt(Stmt::Havoc(variables, _)) => {
                    for &v in variables {
                        // The step's own choice is over the variables before it: a constant, or the variable.
                        let value = choose(self, position, v, self.icfg.vars[v].term)?;
                        chosen.insert(v, value);
                        let over_start = self.pool.substitute(value, &pairs);
                        turn.values.insert(v, over_start);
                    }
                }
                Label::AtomicBegin | Label::AtomicEnd => {}
                Label::Block(_) | Label::Call(_) | Label::Return(_) | Label::Fork { .. } | Label::Join { .. } => {
                    return None;
                }
            }
            turn.steps.push(CycleStep { edge, chosen });
        }
        Some(turn)
    }

    /// A recurrence set around the guards of an iteration that the execution satisfies.
    fn closure(
        &mut self,
        stem: &[EdgeId],
        ssa: &Ssa,
        model: &Model,
        turn: &Turn,
        variant: u32,
        n_cases: &mut u32,
    ) -> Result<Option<NonTermination>, Stop> {
        // The values of the variables where the cycle starts.
        let mut here = model.clone();
        for (v, &constant) in ssa.versions[stem.len()].iter() {
            if let (Ok(value), Some(symbol)) =
                (model.eval(self.pool, constant), self.pool.as_symbol(self.icfg.vars[v].term))
            {
                here.set(symbol, value);
            }
        }
        let mut literals = Vec::new();
        *n_cases = 0;
        for &guard in &turn.guards {
            if !self.implying_literals(guard, &here, variant, n_cases, &mut literals) {
                return Ok(None);
            }
        }
        let pairs: Vec<(TermId, TermId)> = turn.values.iter().map(|(v, t)| (self.icfg.vars[*v].term, *t)).collect();
        for _ in 0..MAX_ROUNDS {
            self.budget.check_now()?;
            let set = self.pool.and(&literals);
            let mut added = Vec::new();
            let mut closed = true;
            for &literal in &literals.clone() {
                let after = self.pool.substitute(literal, &pairs);
                if self.implies(set, after)? {
                    continue;
                }
                closed = false;
                let Some(steady) = self.does_not_get_worse(literal, &pairs) else { return Ok(None) };
                if steady == TermId::FALSE {
                    return Ok(None);
                }
                if !literals.contains(&steady) && !added.contains(&steady) {
                    added.push(steady);
                }
            }
            if closed {
                let at_end = |pool: &mut TermPool, ssa: &Ssa| {
                    let versions = &ssa.versions[stem.len()];
                    let pairs: Vec<(TermId, TermId)> =
                        self.icfg.vars.iter().map(|(v, var)| (var.term, versions[v])).collect();
                    vec![pool.substitute(set, &pairs)]
                };
                let mut search = Search { pool: &mut *self.pool, icfg: self.icfg, budget: self.budget };
                let Some((ssa, model)) = search.execution(stem, &at_end)? else { return Ok(None) };
                let stem = self.counterexample(stem, &ssa, &model);
                return Ok(Some(NonTermination { stem, cycle: turn.steps.clone(), recurrence: set }));
            }
            if added.is_empty() {
                return Ok(None);
            }
            literals.extend(added);
        }
        Ok(None)
    }

    fn implies(&mut self, left: TermId, right: TermId) -> Result<bool, Stop> {
        let mut solver = SmtSolver::without_proofs();
        for &axiom in &self.icfg.axioms {
            solver.assert(self.pool, axiom);
        }
        solver.assert(self.pool, left);
        let fails = self.pool.not(right);
        solver.assert(self.pool, fails);
        match solver.check(self.pool, &self.budget.child(QUERY_LIMIT)) {
            SatResult::Unsat => Ok(true),
            SatResult::Sat => Ok(false),
            SatResult::Unknown(_) => {
                self.budget.check_now()?;
                Ok(false)
            }
        }
    }

    /// Literals that imply the formula; `false` if there are none. Where there is a choice, the one that holds in the
    /// model is taken, or, if the bit of `variant` that belongs to this choice is set, another one.
    fn implying_literals(
        &mut self,
        formula: TermId,
        model: &Model,
        variant: u32,
        n_cases: &mut u32,
        out: &mut Vec<TermId>,
    ) -> bool {
        let mut todo = vec![formula];
        while let Some(t) = todo.pop() {
            if t == TermId::TRUE {
                continue;
            }
            let args: Vec<TermId> = self.pool.args(t).to_vec();
            let mut cases = Vec::new();
            match self.pool.op(t) {
                Op::And => todo.extend(args),
                Op::Or => cases = args,
                Op::Not => {
                    let inner: Vec<TermId> = self.pool.args(args[0]).to_vec();
                    match self.pool.op(args[0]) {
                        Op::And => cases = inner.iter().map(|a| self.pool.not(*a)).collect(),
                        Op::Or => todo.extend(inner.iter().map(|a| self.pool.not(*a)).collect::<Vec<_>>()),
                        Op::Eq if self.pool.sort(inner[0]).is_arith() => {
                            cases = vec![self.pool.lt(inner[0], inner[1]), self.pool.gt(inner[0], inner[1])];
                        }
                        _ => out.push(t),
                    }
                }
                Op::False => return false,
                _ => out.push(t),
            }
            if cases.is_empty() {
                continue;
            }
            let other = (variant >> (*n_cases).min(31)) & 1 == 1;
            *n_cases += 1;
            let holds = |search: &Self, t: &TermId| model.holds(search.pool, *t) == Ok(true);
            let taken = cases.iter().find(|c| holds(self, c) != other).or(cases.first());
            todo.extend(taken.copied());
        }
        out.sort_unstable();
        out.dedup();
        true
    }

    /// A condition under which an iteration moves an inequality no closer to its bound, or an equation not at all.
    fn does_not_get_worse(&mut self, literal: TermId, pairs: &[(TermId, TermId)]) -> Option<TermId> {
        let (atom, positive) = match self.pool.op(literal) {
            Op::Not => (self.pool.arg(literal, 0), false),
            _ => (literal, true),
        };
        let args: Vec<TermId> = self.pool.args(atom).to_vec();
        match self.pool.op(atom) {
            Op::Le | Op::Lt => {
                let left = self.pool.sub(args[0], args[1]);
                let after = self.pool.substitute(left, pairs);
                Some(if positive { self.pool.le(after, left) } else { self.pool.ge(after, left) })
            }
            Op::Eq if positive && self.pool.sort(args[0]).is_arith() && self.pool.sort(args[0]) != SortId::BOOL => {
                let left = self.pool.sub(args[0], args[1]);
                let after = self.pool.substitute(left, pairs);
                Some(self.pool.eq(after, left))
            }
            _ => None,
        }
    }
}
