//! Execution of a whole program: every execution at once, as long as choices hardly matter.
//!
//! A program that reads no input has one execution, and running it to its end is a proof. Values that nobody fixed
//! (arbitrary choices, uninitialised variables, cells of memory) are *unspecified*: they stand for all values. What is computed from them is
//! unspecified too, unless the rest fixes it (`false && ?` is false, storing into an unspecified array gives an array that
//! is known in one place). An assumption that is unspecified is passed, which only adds executions; where several
//! edges may be taken all of them are, one after the other. So the runs that are made cover all executions of the
//! graph. If all of them end before an error and within the limits, no execution reaches an error, and
//! none is infinite.
//!
//! Symbols that the program never assigns are unspecified, so axioms only exclude executions; so do the values of
//! uninterpreted functions and of divisions by zero. Threads and blocks are not executed.

use crate::icfg::{CallSiteId, EdgeId, Icfg, Label, LocId};
use crate::program::{Stmt, VarId, VarKind};
use logic::{ArrayValue, FastMap, FunId, Op, Sort, SortId, TermId, TermPool, Value, apply};
use std::sync::Arc;

/// How far executions go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Of all runs together.
    pub max_steps: u64,
    /// How often there may be a choice of edges.
    pub max_branches: u64,
    pub max_depth: usize,
    /// An error is nothing but an end: the question is whether executions are finite.
    pub errors_end: bool,
}

/// What became of the executions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// All of them end, without an error unless errors are ends, after so many steps together.
    Ends(u64),
    /// Some run arrives at an error, after so many steps of all; since it may be more than an execution, that proves nothing.
    ErrorPossible {
        at: LocId,
        n_steps: u64,
    },
    TooLong,
    /// There is something in the graph that is not executed here.
    NotExecutable(EdgeId),
    Stopped,
}

#[derive(Clone)]
struct Activation {
    site: CallSiteId,
    saved: Vec<(VarId, Value)>,
}

#[derive(Clone)]
struct State {
    loc: LocId,
    values: Vec<Value>,
    stack: Vec<Activation>,
}

/// The value that stands for all values of a sort. No sort has it: Boolean is not uninterpreted.
fn unspecified() -> Value {
    Value::Element(SortId::BOOL, u32::MAX)
}

fn is_unspecified(value: &Value) -> bool {
    matches!(value, Value::Element(SortId::BOOL, _))
}

/// Is any part of the value unspecified?
fn has_gaps(value: &Value) -> bool {
    match value {
        Value::Array(array) => has_gaps(&array.default) || array.entries.iter().any(|(_, v)| has_gaps(v)),
        other => is_unspecified(other),
    }
}

struct Machine<'a> {
    icfg: &'a Icfg,
    pool: &'a TermPool,
    variables: FastMap<FunId, VarId>,
    /// Each old variable with its global.
    olds: Vec<(VarId, VarId)>,
}

/// The largest term that is evaluated without remembering what its parts are.
const MAX_TREE: u32 = 100;

impl Machine<'_> {
    fn eval(&self, state: &State, t: TermId) -> Value {
        let mut fuel = MAX_TREE;
        self.eval_tree(state, t, &mut fuel).unwrap_or_else(|| self.eval_shared(state, t))
    }

    /// `None` if there are more nodes than `fuel`.
    fn eval_tree(&self, state: &State, t: TermId, fuel: &mut u32) -> Option<Value> {
        *fuel = fuel.checked_sub(1)?;
        let args = self.pool.args(t);
        if let (Op::Ite, [c, a, b]) = (self.pool.op(t), args) {
            return match self.eval_tree(state, *c, fuel)? {
                Value::Bool(taken) => self.eval_tree(state, if taken { *a } else { *b }, fuel),
                _ => Some(unspecified()),
            };
        }
        let mut values = Vec::with_capacity(args.len());
        for &arg in args {
            values.push(self.eval_tree(state, arg, fuel)?);
        }
        Some(self.node(state, t, &values))
    }

    fn eval_shared(&self, state: &State, root: TermId) -> Value {
        let mut memo: FastMap<TermId, Value> = FastMap::default();
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if memo.contains_key(&t) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            if !matches!(self.pool.op(t), Op::Forall(_) | Op::Exists(_)) {
                stack.extend(self.pool.args(t).iter().filter(|a| !memo.contains_key(*a)));
            }
            if stack.len() > before {
                continue;
            }
            let known = |a: &TermId| memo.get(a).cloned().unwrap_or_else(unspecified);
            let values: Vec<Value> = self.pool.args(t).iter().map(known).collect();
            let value = match (self.pool.op(t), &values[..]) {
                (Op::Ite, [Value::Bool(c), a, b]) => if *c { a } else { b }.clone(),
                (Op::Ite, _) => unspecified(),
                _ => self.node(state, t, &values),
            };
            memo.insert(t, value);
            stack.pop();
        }
        memo.remove(&root).unwrap_or_else(unspecified)
    }

    /// The value of a term whose arguments have these values; conditionals are treated before.
    fn node(&self, state: &State, t: TermId, args: &[Value]) -> Value {
        let op = self.pool.op(t);
        let truth = |v: &Value| v.as_bool();
        match (op, args) {
            (Op::App(symbol), []) => match self.variables.get(&symbol) {
                Some(&v) => state.values[v.0 as usize].clone(),
                None => unspecified(),
            },
            (Op::App(_) | Op::Forall(_) | Op::Exists(_) | Op::Ite | Op::ArrayDiff, _) => unspecified(),
            (Op::And, _) if args.iter().any(|v| truth(v) == Some(false)) => Value::Bool(false),
            (Op::Or, _) if args.iter().any(|v| truth(v) == Some(true)) => Value::Bool(true),
            (Op::Select, [array, index]) => match array.as_array() {
                Some(array) if !has_gaps(index) => array.select(index).clone(),
                _ => unspecified(),
            },
            (Op::Store, [array, index, value]) => {
                let Sort::Array(index_sort, _) = *self.pool.sort_data(self.pool.sort(t)) else { return unspecified() };
                if has_gaps(index) {
                    return unspecified();
                }
                let nothing = || Arc::new(ArrayValue::constant(unspecified()));
                let array = array.as_array().cloned().unwrap_or_else(nothing);
                Value::Array(Arc::new(array.store(index.clone(), value.clone(), self.pool.cardinality(index_sort))))
            }
            (Op::ConstArray, [value]) => Value::Array(Arc::new(ArrayValue::constant(value.clone()))),
            _ if args.iter().any(has_gaps) => unspecified(),
            _ => match self.pool.value(t) {
                Some(value) => value,
                None => apply(self.pool, op, self.pool.sort(t), args).unwrap_or_else(unspecified),
            },
        }
    }

    /// Whether an edge may be taken.
    fn may_take(&self, state: &State, edge: EdgeId) -> bool {
        match &self.icfg.edges[edge].label {
            Label::Stmt(Stmt::Assume(condition)) => self.eval(state, *condition) != Value::Bool(false),
            Label::Return(site) => state.stack.last().is_some_and(|a| a.site == *site),
            _ => true,
        }
    }

    /// Takes an edge; false if that is not done here.
    fn take(&self, state: &mut State, edge: EdgeId) -> bool {
        let icfg = self.icfg;
        let at = |v: VarId| v.0 as usize;
        match &icfg.edges[edge].label {
            Label::Stmt(Stmt::Assume(_)) | Label::AtomicBegin | Label::AtomicEnd => {}
            Label::Stmt(Stmt::Assign(pairs)) => {
                let values: Vec<Value> = pairs.iter().map(|&(_, e)| self.eval(state, e)).collect();
                for (&(v, _), value) in pairs.iter().zip(values) {
                    state.values[at(v)] = value;
                }
            }
            Label::Stmt(Stmt::Havoc(vars, _)) => {
                for &v in vars {
                    state.values[at(v)] = unspecified();
                }
            }
            Label::Call(site) => {
                let call = &icfg.call_sites[*site];
                let callee = &icfg.procs[call.callee];
                let mut values: Vec<(VarId, Value)> =
                    callee.params.iter().zip(&call.args).map(|(&p, &a)| (p, self.eval(state, a))).collect();
                values.extend(callee.results.iter().chain(&callee.locals).map(|&v| (v, unspecified())));
                values.extend(self.olds.iter().map(|&(old, global)| (old, state.values[at(global)].clone())));
                let saved = values.iter().map(|(v, _)| (*v, state.values[at(*v)].clone())).collect();
                state.stack.push(Activation { site: *site, saved });
                for (v, value) in values {
                    state.values[at(v)] = value;
                }
            }
            Label::Return(site) => {
                let Some(activation) = state.stack.pop() else { return false };
                let call = &icfg.call_sites[*site];
                let callee = &icfg.procs[call.callee];
                let results: Vec<(VarId, Value)> = call
                    .results
                    .iter()
                    .zip(&callee.results)
                    .map(|(&to, &from)| (to, state.values[at(from)].clone()))
                    .collect();
                for (v, value) in activation.saved.into_iter().chain(results) {
                    state.values[at(v)] = value;
                }
            }
            Label::Block(_) | Label::Fork { .. } | Label::Join { .. } => return false,
        }
        state.loc = icfg.edges[edge].dst;
        true
    }
}

/// After how many steps a run asks whether to stop.
const STEPS_BETWEEN_POLLS: u64 = 256;

/// Executes a graph from its entry in all ways; `stop` is asked from time to time.
pub fn execute(icfg: &Icfg, pool: &TermPool, limits: &Limits, stop: &mut dyn FnMut() -> bool) -> Outcome {
    let variables = icfg.vars.iter().filter_map(|(id, v)| Some((pool.as_symbol(v.term)?, id))).collect();
    let old = |(id, v): (VarId, &crate::program::Variable)| match v.kind {
        VarKind::Old(global) => Some((id, global)),
        VarKind::Global | VarKind::Param(_) | VarKind::Result(_) | VarKind::Local(_) => None,
    };
    let olds = icfg.vars.iter().filter_map(old).collect();
    let machine = Machine { icfg, pool, variables, olds };
    let start = State { loc: icfg.entry(), values: vec![unspecified(); icfg.vars.len()], stack: Vec::new() };
    let mut waiting = vec![start];
    let (mut n_steps, mut n_branches, mut next_poll) = (0u64, 0u64, STEPS_BETWEEN_POLLS);
    while let Some(mut state) = waiting.pop() {
        loop {
            if icfg.locs[state.loc].error.is_some() {
                if limits.errors_end {
                    break;
                }
                return Outcome::ErrorPossible { at: state.loc, n_steps };
            }
            let mut open = icfg.out_edges(state.loc).iter().copied().filter(|&e| machine.may_take(&state, e));
            let Some(first) = open.next() else { break };
            let others: Vec<EdgeId> = open.collect();
            n_steps += 1 + others.len() as u64;
            n_branches += others.len() as u64;
            if n_steps > limits.max_steps || n_branches > limits.max_branches || state.stack.len() > limits.max_depth {
                return Outcome::TooLong;
            }
            if n_steps >= next_poll {
                next_poll = n_steps + STEPS_BETWEEN_POLLS;
                if stop() {
                    return Outcome::Stopped;
                }
            }
            for edge in others {
                let mut other = state.clone();
                if !machine.take(&mut other, edge) {
                    return Outcome::NotExecutable(edge);
                }
                waiting.push(other);
            }
            if !machine.take(&mut state, first) {
                return Outcome::NotExecutable(first);
            }
        }
    }
    Outcome::Ends(n_steps)
}
