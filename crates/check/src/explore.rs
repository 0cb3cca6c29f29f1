//! Executions with unknown values, made one step after the other by the exact evaluator.
//!
//! Proofs by execution and by enumeration of states are found by compiled code and by state vectors with chunks. Here
//! the same executions are made again by code that shares nothing with those: a state is a list of values, and terms
//! are evaluated operator by operator with [`logic::apply`], the definition of what operators mean. A value may be
//! *unknown*; it then stands for all values of its sort. What depends on unknown values is unknown, unless the rest
//! fixes it (`false && ?` is false; an array is known where it was written). An assumption that may hold is passed. So
//! the states that are made cover those of all executions.
//!
//! Two states are the same if they agree on the variables on which later assumptions depend. Where a choice is followed
//! by assumptions that leave few numbers, the numbers are tried one by one.

use crate::Rejection;
use base::{Budget, IdVec};
use ir::switches::Switches;
use ir::{CallSiteId, EdgeId, Icfg, Label, LocId, Stmt, VarId, VarKind};
use logic::{ArrayValue, FastMap, FastSet, FunId, Op, Sort, SortId, TermId, TermPool, Value, apply};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Which executions there are, and when one need not be followed.
pub(crate) struct Rules {
    /// An error is the end of an execution, not a violation.
    pub errors_end: bool,
    pub merge: Merge,
    /// A variable that is unknown is known after an assumption that it equals something known.
    pub solves_equations: bool,
    pub choices: Option<Choices>,
}

/// Where states are compared with earlier ones; one that was there is not followed again.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Merge {
    Never,
    /// Where paths join, once there was a branch.
    AfterBranches,
    /// Where paths branch or join.
    Always,
}

/// When the values of a choice are tried one by one.
#[derive(Clone, Copy)]
pub(crate) struct Choices {
    /// If there are at most so many.
    pub max_values: i64,
    /// Within so many steps an assumption must say so.
    pub max_ahead: usize,
    /// Negated bounds count, too.
    pub with_negations: bool,
}

/// The value that stands for all values. No term has it: Boolean is no uninterpreted sort.
fn unknown() -> Value {
    Value::Element(SortId::BOOL, 0)
}

/// Is the value, or a part of it, unknown?
fn is_open(value: &Value) -> bool {
    match value {
        Value::Element(SortId::BOOL, _) => true,
        Value::Array(array) => is_open(&array.default) || array.entries.iter().any(|(_, v)| is_open(v)),
        Value::Bool(_) | Value::Num(_) | Value::Bv(..) | Value::Element(..) => false,
    }
}

/// A value, and its number among the values that were compared (0: none yet).
#[derive(Clone)]
struct Slot {
    value: Value,
    number: u32,
}

#[derive(Clone)]
struct Activation {
    site: CallSiteId,
    saved: Vec<(VarId, Value)>,
}

#[derive(Clone)]
pub(crate) struct State {
    loc: LocId,
    slots: Vec<Slot>,
    stack: Vec<Activation>,
}

/// An edge, and the number that it chooses.
type Move = (EdgeId, Option<i64>);

/// Terms of at most so many nodes are evaluated as trees, which is faster than to remember what their parts are.
const MAX_TREE: u32 = 100;
/// After so many steps the budget is asked.
const STEPS_BETWEEN_POLLS: u64 = 256;

pub(crate) struct Explorer<'a> {
    icfg: &'a Icfg,
    pool: &'a TermPool,
    rules: Rules,
    budget: &'a Budget,
    variables: FastMap<FunId, VarId>,
    /// Each old variable with its global.
    olds: Vec<(VarId, VarId)>,
    /// The variables on which later assumptions depend; `None`: they may all be.
    live: Option<IdVec<LocId, Vec<VarId>>>,
    /// The least and the largest number of choices with few values.
    ranges: BTreeMap<EdgeId, (i64, i64)>,
    numbers: FastMap<Value, u32>,
    switches: Switches,
    limit: u64,
    n_steps: u64,
    next_poll: u64,
}

/// Why an exploration ended early.
pub(crate) enum Ended {
    /// There are more steps than allowed.
    TooLong,
    Rejected(Rejection),
}

impl From<Rejection> for Ended {
    fn from(rejection: Rejection) -> Ended {
        Ended::Rejected(rejection)
    }
}

impl<'a> Explorer<'a> {
    pub(crate) fn new(
        icfg: &'a Icfg,
        pool: &'a mut TermPool,
        rules: Rules,
        limit: u64,
        budget: &'a Budget,
    ) -> Explorer<'a> {
        let ranges = match rules.choices {
            Some(choices) => {
                icfg.edges.ids().filter_map(|e| Some((e, range_of_choice(icfg, pool, e, choices)?))).collect()
            }
            None => BTreeMap::new(),
        };
        let pool: &TermPool = pool;
        let variables = icfg.vars.iter().filter_map(|(v, data)| Some((pool.as_symbol(data.term)?, v))).collect();
        let olds = icfg.vars.iter().filter_map(|(old, data)| match data.kind {
            VarKind::Old(global) => Some((old, global)),
            VarKind::Global | VarKind::Param(_) | VarKind::Result(_) | VarKind::Local(_) => None,
        });
        let olds = olds.collect();
        let mut explorer = Explorer {
            icfg,
            pool,
            rules,
            budget,
            variables,
            olds,
            live: None,
            ranges,
            numbers: FastMap::default(),
            switches: Switches::default(),
            limit,
            n_steps: 0,
            next_poll: STEPS_BETWEEN_POLLS,
        };
        if !icfg.has_calls() {
            explorer.live = Some(explorer.live_variables());
        }
        explorer
    }

    fn start(&self) -> State {
        let slots = vec![Slot { value: unknown(), number: 0 }; self.icfg.vars.len()];
        State { loc: self.icfg.entry(), slots, stack: Vec::new() }
    }

    /// Makes all executions. Accepts them if none reaches an error, or errors end them.
    pub(crate) fn run(mut self) -> Result<(), Ended> {
        let mut seen: FastSet<Box<[u32]>> = FastSet::default();
        let mut has_branched = self.rules.merge == Merge::Always;
        let mut waiting = vec![self.start()];
        while let Some(mut state) = waiting.pop() {
            loop {
                if let Some(check) = &self.icfg.locs[state.loc].error {
                    if self.rules.errors_end {
                        break;
                    }
                    return Err(Rejection::Wrong(format!("an error can be reached: {}", check.message)).into());
                }
                if self.is_compared(state.loc, has_branched) && !seen.insert(self.key(&mut state)) {
                    break;
                }
                let mut moves = self.moves(&state)?;
                self.count(moves.len())?;
                has_branched |= moves.len() > 1 && self.rules.merge != Merge::Never;
                let Some(last) = moves.pop() else { break };
                for step in moves {
                    let mut other = state.clone();
                    self.take(&mut other, step);
                    waiting.push(other);
                }
                self.take(&mut state, last);
            }
        }
        Ok(())
    }

    /// Makes all executions, and accepts them if none is infinite and passes an accepting location again and again.
    ///
    /// States at loop heads are the nodes of a finite graph; an execution that counts goes round in a component of it
    /// that has an edge with an accepting location on the way.
    pub(crate) fn run_for_cycles(mut self) -> Result<(), Ended> {
        let mut numbers: FastMap<Box<[u32]>, usize> = FastMap::default();
        let mut start = self.start();
        numbers.insert(self.key(&mut start), 0);
        let mut nodes = vec![start];
        let mut edges: Vec<Vec<(usize, bool)>> = Vec::new();
        while edges.len() < nodes.len() {
            let from = nodes[edges.len()].clone();
            let mut out = Vec::new();
            let mut waiting = vec![(from, false, true)];
            while let Some((mut state, mut accepts, mut is_start)) = waiting.pop() {
                loop {
                    if !is_start && self.icfg.locs[state.loc].is_loop_head {
                        let next = nodes.len();
                        let node = *numbers.entry(self.key(&mut state)).or_insert(next);
                        if node == next {
                            nodes.push(state);
                        }
                        out.push((node, accepts));
                        break;
                    }
                    is_start = false;
                    let mut moves = self.moves(&state)?;
                    self.count(moves.len())?;
                    let Some(last) = moves.pop() else { break };
                    for step in moves {
                        let mut other = state.clone();
                        self.take(&mut other, step);
                        let accepts = accepts || self.is_accepting(other.loc);
                        waiting.push((other, accepts, false));
                    }
                    self.take(&mut state, last);
                    accepts |= self.is_accepting(state.loc);
                }
            }
            edges.push(out);
        }
        let component = components(&edges);
        let is_inside = |(from, out): (usize, &Vec<(usize, bool)>)| {
            out.iter().any(|&(to, accepts)| accepts && component[from] == component[to])
        };
        match edges.iter().enumerate().any(is_inside) {
            true => Err(Rejection::Wrong("there may be an accepting cycle".to_string()).into()),
            false => Ok(()),
        }
    }

    fn is_accepting(&self, loc: LocId) -> bool {
        self.icfg.acceptance.as_ref().is_none_or(|accepting| accepting.contains(&loc))
    }

    fn count(&mut self, n: usize) -> Result<(), Ended> {
        self.n_steps += n as u64;
        if self.n_steps > self.limit {
            return Err(Ended::TooLong);
        }
        if self.n_steps >= self.next_poll {
            self.next_poll = self.n_steps + STEPS_BETWEEN_POLLS;
            self.budget.check_now().map_err(Rejection::from)?;
        }
        Ok(())
    }

    fn is_compared(&self, loc: LocId, has_branched: bool) -> bool {
        let joins = self.icfg.in_edges(loc).len() > 1;
        match self.rules.merge {
            Merge::Never => false,
            Merge::AfterBranches => has_branched && joins,
            Merge::Always => joins || self.icfg.out_edges(loc).len() > 1,
        }
    }

    /// States with the same key have the same future.
    fn key(&mut self, state: &mut State) -> Box<[u32]> {
        let numbers = &mut self.numbers;
        let mut number = |value: &Value| match numbers.get(value) {
            Some(&number) => number,
            None => {
                let number = numbers.len() as u32 + 1;
                numbers.insert(value.clone(), number);
                number
            }
        };
        let mut key = vec![state.loc.0];
        let mut add = |slot: &mut Slot| {
            if slot.number == 0 {
                slot.number = number(&slot.value);
            }
            key.push(slot.number);
        };
        match &self.live {
            Some(live) => live[state.loc].iter().for_each(|v| add(&mut state.slots[v.0 as usize])),
            None => state.slots.iter_mut().for_each(add),
        }
        for activation in &state.stack {
            key.push(activation.site.0);
            key.extend(activation.saved.iter().map(|(_, value)| number(value)));
        }
        key.into_boxed_slice()
    }

    /// What can be done next.
    fn moves(&mut self, state: &State) -> Result<Vec<Move>, Rejection> {
        let mut moves = Vec::new();
        let looked_up = self.switches.at(self.icfg, self.pool, state.loc).and_then(|switch| {
            let value = &state.slots[switch.variable().0 as usize].value;
            (!is_open(value)).then(|| switch.edges(value))
        });
        for &e in looked_up.as_deref().unwrap_or(self.icfg.out_edges(state.loc)) {
            let is_possible = match &self.icfg.edges[e].label {
                Label::Stmt(Stmt::Assume(condition)) => self.eval(state, *condition) != Value::Bool(false),
                Label::Stmt(_) | Label::Call(_) | Label::AtomicBegin | Label::AtomicEnd => true,
                Label::Return(site) => state.stack.last().is_some_and(|a| a.site == *site),
                Label::Block(_) | Label::Fork { .. } | Label::Join { .. } => {
                    return Err(Rejection::Unchecked("a statement cannot be executed".to_string()));
                }
            };
            match self.ranges.get(&e) {
                _ if !is_possible => {}
                Some(&(low, high)) => moves.extend((low..=high).map(|n| (e, Some(n)))),
                None => moves.push((e, None)),
            }
        }
        Ok(moves)
    }

    fn take(&self, state: &mut State, (edge, choice): Move) {
        let set = |slots: &mut [Slot], v: VarId, value: Value| slots[v.0 as usize] = Slot { value, number: 0 };
        let get = |slots: &[Slot], v: VarId| slots[v.0 as usize].value.clone();
        match &self.icfg.edges[edge].label {
            Label::Stmt(Stmt::Assume(condition)) => {
                if self.rules.solves_equations {
                    self.solve(state, *condition);
                }
            }
            Label::Stmt(Stmt::Assign(pairs)) => {
                let values: Vec<Value> = pairs.iter().map(|&(_, t)| self.eval(state, t)).collect();
                for (&(v, _), value) in pairs.iter().zip(values) {
                    set(&mut state.slots, v, value);
                }
            }
            Label::Stmt(Stmt::Havoc(vars, _)) => {
                for &v in vars {
                    set(&mut state.slots, v, choice.map_or_else(unknown, Value::int));
                }
            }
            Label::Call(site) => {
                let call = &self.icfg.call_sites[*site];
                let callee = &self.icfg.procs[call.callee];
                let args = callee.params.iter().zip(&call.args).map(|(&p, &a)| (p, self.eval(state, a)));
                let unset = callee.results.iter().chain(&callee.locals).map(|&v| (v, unknown()));
                let olds = self.olds.iter().map(|&(old, global)| (old, get(&state.slots, global)));
                let entered: Vec<(VarId, Value)> = args.chain(unset).chain(olds).collect();
                let saved = entered.iter().map(|(v, _)| (*v, get(&state.slots, *v))).collect();
                for (v, value) in entered {
                    set(&mut state.slots, v, value);
                }
                state.stack.push(Activation { site: *site, saved });
            }
            Label::Return(site) => {
                let call = &self.icfg.call_sites[*site];
                let callee = &self.icfg.procs[call.callee];
                let values: Vec<Value> = callee.results.iter().map(|&v| get(&state.slots, v)).collect();
                let saved = state.stack.pop().map(|a| a.saved).unwrap_or_default();
                for (v, value) in saved.into_iter().chain(call.results.iter().copied().zip(values)) {
                    set(&mut state.slots, v, value);
                }
            }
            // Nothing else is a move.
            Label::AtomicBegin | Label::AtomicEnd | Label::Block(_) | Label::Fork { .. } | Label::Join { .. } => {}
        }
        state.loc = self.icfg.edges[edge].dst;
    }

    /// What an assumption that holds says about variables that are unknown.
    fn solve(&self, state: &mut State, condition: TermId) {
        let parts = if self.pool.op(condition) == Op::And { self.pool.args(condition) } else { &[condition] };
        for &part in parts {
            let (a, b) = match (self.pool.op(part), self.pool.args(part)) {
                (Op::Eq, &[a, b]) => (a, b),
                (Op::Not, &[p]) => (p, TermId::FALSE),
                _ => (part, TermId::TRUE),
            };
            for (to, from) in [(a, b), (b, a)] {
                let Some(&v) = self.pool.as_symbol(to).and_then(|symbol| self.variables.get(&symbol)) else { continue };
                let slot = &state.slots[v.0 as usize];
                // Other terms would have to be evaluated where the rest of the assumption is known already.
                if slot.value == unknown() && self.pool.args(from).is_empty() {
                    let value = self.eval(state, from);
                    state.slots[v.0 as usize] = Slot { value, number: 0 };
                }
            }
        }
    }

    // ----- terms -----

    fn eval(&self, state: &State, root: TermId) -> Value {
        let mut fuel = MAX_TREE;
        self.eval_tree(state, root, &mut fuel).unwrap_or_else(|| self.eval_shared(state, root))
    }

    /// Evaluates a small term as a tree; `None` if it has more nodes than `fuel`.
    fn eval_tree(&self, state: &State, t: TermId, fuel: &mut u32) -> Option<Value> {
        *fuel = fuel.checked_sub(1)?;
        let args = self.pool.args(t);
        match (self.pool.op(t), args) {
            (_, []) => Some(self.leaf(state, t)),
            (Op::Forall(_) | Op::Exists(_), _) => Some(unknown()),
            // Only the branch that is taken.
            (Op::Ite, &[condition, a, b]) => match self.eval_tree(state, condition, fuel)? {
                Value::Bool(taken) => self.eval_tree(state, if taken { a } else { b }, fuel),
                _ => Some(unknown()),
            },
            (_, &[a]) => Some(self.operator(t, &[self.eval_tree(state, a, fuel)?])),
            (_, &[a, b]) => {
                let values = [self.eval_tree(state, a, fuel)?, self.eval_tree(state, b, fuel)?];
                Some(self.operator(t, &values))
            }
            _ => {
                let values: Option<Vec<Value>> = args.iter().map(|&a| self.eval_tree(state, a, fuel)).collect();
                Some(self.operator(t, &values?))
            }
        }
    }

    /// Evaluates a term, each of its parts once.
    fn eval_shared(&self, state: &State, root: TermId) -> Value {
        let mut known: FastMap<TermId, Value> = FastMap::default();
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if known.contains_key(&t) {
                stack.pop();
                continue;
            }
            let args = self.pool.args(t);
            let before = stack.len();
            if let (Op::Ite, &[condition, a, b]) = (self.pool.op(t), args) {
                // Only the branch that is taken.
                match known.get(&condition) {
                    None => stack.push(condition),
                    Some(Value::Bool(taken)) => {
                        let branch = if *taken { a } else { b };
                        match known.get(&branch).cloned() {
                            Some(value) => {
                                known.insert(t, value);
                            }
                            None => stack.push(branch),
                        }
                    }
                    Some(_) => {
                        known.insert(t, unknown());
                    }
                }
                continue;
            }
            if !matches!(self.pool.op(t), Op::Forall(_) | Op::Exists(_)) {
                stack.extend(args.iter().filter(|a| !known.contains_key(*a)));
            }
            if stack.len() > before {
                continue;
            }
            let value = match args {
                [] => self.leaf(state, t),
                _ => {
                    let values: Vec<Value> =
                        args.iter().map(|a| known.get(a).cloned().unwrap_or_else(unknown)).collect();
                    self.operator(t, &values)
                }
            };
            known.insert(t, value);
            stack.pop();
        }
        known.remove(&root).unwrap_or_else(unknown)
    }

    fn leaf(&self, state: &State, t: TermId) -> Value {
        match self.pool.as_symbol(t) {
            Some(symbol) => {
                self.variables.get(&symbol).map_or_else(unknown, |v| state.slots[v.0 as usize].value.clone())
            }
            None => self
                .pool
                .value(t)
                .or_else(|| apply(self.pool, self.pool.op(t), self.pool.sort(t), &[]))
                .unwrap_or_else(unknown),
        }
    }

    /// The value of a term whose arguments have these values.
    fn operator(&self, t: TermId, args: &[Value]) -> Value {
        let (op, sort) = (self.pool.op(t), self.pool.sort(t));
        match (op, args) {
            (Op::App(_) | Op::Forall(_) | Op::Exists(_) | Op::ArrayDiff, _) => unknown(),
            (Op::And, _) if args.contains(&Value::Bool(false)) => Value::Bool(false),
            (Op::Or, _) if args.contains(&Value::Bool(true)) => Value::Bool(true),
            (Op::Select, [Value::Array(array), index]) if !is_open(index) => array.select(index).clone(),
            (Op::Store, [array, index, value]) => {
                let Sort::Array(indices, _) = *self.pool.sort_data(sort) else { return unknown() };
                if is_open(index) {
                    return unknown();
                }
                let array = match array {
                    Value::Array(array) => array.clone(),
                    _ => Arc::new(ArrayValue::constant(unknown())),
                };
                Value::Array(Arc::new(array.store(index.clone(), value.clone(), self.pool.cardinality(indices))))
            }
            (Op::ConstArray, [value]) => Value::Array(Arc::new(ArrayValue::constant(value.clone()))),
            _ if args.iter().any(is_open) => unknown(),
            // A division by zero may have any value.
            _ => apply(self.pool, op, sort, args).unwrap_or_else(unknown),
        }
    }

    // ----- what is read later -----

    /// A variable that is read only to compute others on which no assumption depends is not among them.
    fn live_variables(&self) -> IdVec<LocId, Vec<VarId>> {
        let icfg = self.icfg;
        let read = |t: TermId, set: &mut FastSet<VarId>| {
            self.pool.visit_postorder(&[t], |part| {
                if let Some(v) = self.pool.as_symbol(part).and_then(|symbol| self.variables.get(&symbol)) {
                    set.insert(*v);
                }
            });
        };
        // What an edge reads in any case, and what it reads for each variable that it writes.
        let mut reads: IdVec<EdgeId, FastSet<VarId>> = IdVec::new();
        let mut writes: IdVec<EdgeId, FastMap<VarId, FastSet<VarId>>> = IdVec::new();
        for edge in icfg.edges.values() {
            let (mut read_here, mut written) = (FastSet::default(), FastMap::default());
            match &edge.label {
                Label::Stmt(Stmt::Assume(condition)) => read(*condition, &mut read_here),
                Label::Stmt(Stmt::Assign(pairs)) => {
                    for &(v, t) in pairs {
                        read(t, written.entry(v).or_default());
                    }
                }
                Label::Stmt(Stmt::Havoc(vars, _)) => written.extend(vars.iter().map(|&v| (v, FastSet::default()))),
                // Calls are not in such graphs, and the rest is not executed.
                Label::Call(_)
                | Label::Return(_)
                | Label::Block(_)
                | Label::Fork { .. }
                | Label::Join { .. }
                | Label::AtomicBegin
                | Label::AtomicEnd => {}
            }
            reads.push(read_here);
            writes.push(written);
        }
        let mut live: IdVec<LocId, FastSet<VarId>> = IdVec::from_elem(FastSet::default(), icfg.locs.len());
        let mut waiting: Vec<LocId> = icfg.locs.ids().collect();
        while let Some(loc) = waiting.pop() {
            let mut now = live[loc].clone();
            for &e in icfg.out_edges(loc) {
                now.extend(reads[e].iter().copied());
                for v in &live[icfg.edges[e].dst] {
                    match writes[e].get(v) {
                        Some(for_it) => now.extend(for_it.iter().copied()),
                        None => {
                            now.insert(*v);
                        }
                    }
                }
            }
            if now.len() > live[loc].len() {
                live[loc] = now;
                waiting.extend(icfg.in_edges(loc).iter().map(|&e| icfg.edges[e].src));
            }
        }
        let sorted = |set: &FastSet<VarId>| {
            let mut vars: Vec<VarId> = set.iter().copied().collect();
            vars.sort_unstable();
            vars
        };
        live.values().map(sorted).collect()
    }
}

/// If an edge chooses a number and the assumptions on the only way onwards allow few: the least and the largest.
fn range_of_choice(icfg: &Icfg, pool: &mut TermPool, edge: EdgeId, choices: Choices) -> Option<(i64, i64)> {
    let Label::Stmt(Stmt::Havoc(vars, _)) = &icfg.edges[edge].label else { return None };
    let &[v] = &vars[..] else { return None };
    let x = icfg.term(v);
    if icfg.vars[v].sort != SortId::INT {
        return None;
    }
    // What was assigned since, over the values right after the choice.
    let mut assigned: Vec<(TermId, TermId)> = Vec::new();
    let (mut low, mut high): (Option<i64>, Option<i64>) = (None, None);
    let mut at = icfg.edges[edge].dst;
    for _ in 0..choices.max_ahead {
        let &[next] = icfg.out_edges(at) else { break };
        match &icfg.edges[next].label {
            Label::Stmt(Stmt::Assume(condition)) => {
                let condition = pool.substitute(*condition, &assigned);
                let parts = if pool.op(condition) == Op::And { pool.args(condition).to_vec() } else { vec![condition] };
                for part in parts {
                    let (is_negated, atom) = match pool.op(part) {
                        Op::Not => (true, pool.arg(part, 0)),
                        _ => (false, part),
                    };
                    let (Op::Le, &[a, b]) = (pool.op(atom), pool.args(atom)) else { continue };
                    if is_negated && !choices.with_negations {
                        continue;
                    }
                    let number = |t: TermId| pool.number(t).and_then(|n| n.to_i64());
                    // `a ≤ b`, or its negation `b + 1 ≤ a`.
                    let (least, most) = match is_negated {
                        false if b == x => (number(a), None),
                        false if a == x => (None, number(b)),
                        true if b == x => (None, number(a).and_then(|n| n.checked_sub(1))),
                        true if a == x => (number(b).and_then(|n| n.checked_add(1)), None),
                        _ => (None, None),
                    };
                    low = low.max(least);
                    high = high.into_iter().chain(most).min();
                }
            }
            Label::Stmt(Stmt::Assign(pairs)) => {
                let new: Vec<(TermId, TermId)> =
                    pairs.iter().map(|&(w, t)| (icfg.term(w), pool.substitute(t, &assigned))).collect();
                assigned.retain(|(known, _)| new.iter().all(|(w, _)| w != known));
                assigned.extend(new);
                if assigned.iter().any(|(w, _)| *w == x) {
                    break;
                }
            }
            _ => break,
        }
        at = icfg.edges[next].dst;
    }
    low.zip(high).filter(|(low, high)| low <= high && high.saturating_sub(*low) < choices.max_values)
}

/// The number of the strongly connected component of each node (Kosaraju).
fn components(edges: &[Vec<(usize, bool)>]) -> Vec<usize> {
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); edges.len()];
    for (from, out) in edges.iter().enumerate() {
        out.iter().for_each(|&(to, _)| before[to].push(from));
    }
    let mut finished = Vec::with_capacity(edges.len());
    let mut is_visited = vec![false; edges.len()];
    for root in 0..edges.len() {
        if std::mem::replace(&mut is_visited[root], true) {
            continue;
        }
        let mut stack = vec![(root, 0)];
        while let Some((node, i)) = stack.pop() {
            match edges[node].get(i) {
                Some(&(to, _)) => {
                    stack.push((node, i + 1));
                    if !std::mem::replace(&mut is_visited[to], true) {
                        stack.push((to, 0));
                    }
                }
                None => finished.push(node),
            }
        }
    }
    let mut component = vec![usize::MAX; edges.len()];
    for &root in finished.iter().rev() {
        let mut stack = vec![root];
        while let Some(node) = stack.pop() {
            if component[node] == usize::MAX {
                component[node] = root;
                stack.extend(before[node].iter().copied().filter(|&n| component[n] == usize::MAX));
            }
        }
    }
    component
}
