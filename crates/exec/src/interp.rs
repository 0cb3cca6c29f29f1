//! The interpreter: exact execution of a graph, to replay counterexamples.
//!
//! Values are those of [`logic::Value`]: unbounded integers, rationals, bit-vectors, arrays as finite maps
//! with a default. Uninterpreted functions and division by zero are as the counterexample's model
//! says. An execution proves a violation only if [`replay`] accepts it:
//!
//! * it starts at the initial location, each step leaves where the last one arrived, returns match
//!   their calls, and it ends at an error location;
//! * every assumption on the way is true, every chosen value has the sort of its variable;
//! * it chooses no value at a place that the front end could not model exactly;
//! * the axioms are true. Axioms with quantifiers cannot be evaluated; the result names them.
//!
//! Assumptions with quantifiers cannot be evaluated either, and then there is no verdict. Blocks must
//! be expanded to statements before a replay. Executions with several threads are not replayed here.

use crate::compiled::{Compiled, State};
use crate::fidelity::Doubts;
use base::IdVec;
use ir::{
    CallSiteId, Counterexample, Icfg, Label, LocId, NonTermination, Nondet, Run, RunStep, Stmt, TraceStep, VarId,
    VarKind,
};
use logic::{EvalError, FunId, Model, Sort, SortId, TermId, TermPool, Value, default_value};
use std::collections::BTreeMap;

/// Why an execution is not accepted. Indices count steps from zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReplayError {
    /// The step does not start where the execution is.
    Disconnected(usize),
    /// A return without its call.
    WrongReturn(usize),
    AssumptionFails(usize),
    AxiomFails(usize),
    /// A value of the wrong sort for the variable.
    IllSorted(usize, VarId),
    /// A term with a quantifier stands where its value is needed.
    NotEvaluable(usize, TermId),
    /// The last location is not an error location.
    NoError,
    /// All is well, except that this step chose a value where the front end over-approximates.
    Overapproximation(usize, String),
    /// The step is a block: expand blocks before the replay.
    Block(usize),
    Threads(usize),
}

impl std::fmt::Display for ReplayError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ReplayError::Disconnected(i) => write!(f, "step {i} does not start where the execution is"),
            ReplayError::WrongReturn(i) => write!(f, "step {i} returns to another call than the open one"),
            ReplayError::AssumptionFails(i) => write!(f, "the assumption of step {i} is false"),
            ReplayError::AxiomFails(i) => write!(f, "axiom {i} is false in the counterexample's model"),
            ReplayError::IllSorted(i, v) => write!(f, "step {i} has a value of the wrong sort for {v}"),
            ReplayError::NotEvaluable(i, _) => write!(f, "step {i} depends on a quantified formula"),
            ReplayError::NoError => f.write_str("the execution does not end in an error"),
            ReplayError::Overapproximation(i, what) => {
                write!(f, "step {i} passes something that is not modelled exactly: {what}")
            }
            ReplayError::Block(i) => write!(f, "step {i} is a block of statements"),
            ReplayError::Threads(i) => write!(f, "step {i} is a thread operation"),
        }
    }
}

/// Follows a counterexample step by step and accepts it if it is a violation.
pub fn replay(icfg: &Icfg, pool: &TermPool, trace: &Counterexample) -> Result<Run, ReplayError> {
    let mut machine = Machine::new(icfg, pool, trace.symbols.clone());
    machine.start(&trace.initial)?;
    let initial = trace.initial.iter().map(|(&v, value)| (v, value.clone())).collect();
    let mut unchecked_axioms = Vec::new();
    for (i, &axiom) in icfg.axioms.iter().enumerate() {
        match machine.model.holds(pool, axiom) {
            Ok(true) => {}
            Ok(false) => return Err(ReplayError::AxiomFails(i)),
            Err(EvalError::Quantified(_)) => unchecked_axioms.push(i),
            Err(EvalError::IllSorted(t)) => return Err(ReplayError::NotEvaluable(0, t)),
        }
    }
    let mut steps = Vec::with_capacity(trace.steps.len());
    let mut overapproximation = None;
    let mut doubts = Doubts::new(icfg, pool);
    for (i, step) in trace.steps.iter().enumerate() {
        let doubt = doubts.step(&machine, i, step.edge);
        steps.push(machine.recorded(i, step)?);
        // The execution may be none at all, which is worse.
        if let (Err(doubt), None) = (doubt, &overapproximation) {
            overapproximation = Some(doubt);
        }
        if let Label::Stmt(Stmt::Havoc(_, Nondet::Overapproximation(what))) = &icfg.edges[step.edge].label
            && overapproximation.is_none()
        {
            overapproximation = Some(ReplayError::Overapproximation(i, what.clone()));
        }
    }
    let check = icfg.locs[machine.loc].error.clone().ok_or(ReplayError::NoError)?;
    match overapproximation {
        Some(error) => Err(error),
        None => Ok(Run { steps, check, initial, unchecked_axioms }),
    }
}

/// Where an execution ends, and the values of all variables there; it need not be an error. Executions
/// that pass something over-approximated are refused.
pub fn final_state(icfg: &Icfg, pool: &TermPool, trace: &Counterexample) -> Result<(LocId, Model), ReplayError> {
    let mut machine = Machine::new(icfg, pool, trace.symbols.clone());
    machine.start(&trace.initial)?;
    for (i, &axiom) in icfg.axioms.iter().enumerate() {
        match machine.model.holds(pool, axiom) {
            Ok(true) | Err(EvalError::Quantified(_)) => {}
            Ok(false) => return Err(ReplayError::AxiomFails(i)),
            Err(EvalError::IllSorted(t)) => return Err(ReplayError::NotEvaluable(0, t)),
        }
    }
    for (i, step) in trace.steps.iter().enumerate() {
        machine.step(i, step)?;
        if let Some(what) = icfg.edges[step.edge].not_modelled() {
            return Err(ReplayError::Overapproximation(i, what.to_string()));
        }
    }
    for v in icfg.vars.ids() {
        let value = machine.value(v);
        machine.set(v, value);
    }
    Ok((machine.loc, machine.model))
}

/// The steps of an infinite execution: its stem and the first iteration of its cycle.
pub fn steps_of_lasso(icfg: &Icfg, pool: &TermPool, lasso: &NonTermination) -> Result<Vec<RunStep>, ReplayError> {
    let mut machine = Machine::new(icfg, pool, lasso.stem.symbols.clone());
    machine.start(&lasso.stem.initial)?;
    let mut steps = Vec::with_capacity(lasso.stem.steps.len() + lasso.cycle.len());
    for step in &lasso.stem.steps {
        steps.push(machine.recorded(steps.len(), step)?);
    }
    for step in &lasso.cycle {
        let value = |(&v, &t): (&VarId, &TermId)| Ok((v, machine.eval(steps.len(), t)?));
        let chosen = step.chosen.iter().map(value).collect::<Result<_, ReplayError>>()?;
        steps.push(machine.recorded(steps.len(), &TraceStep { edge: step.edge, chosen })?);
    }
    Ok(steps)
}

/// The truth of formulas along an execution, each after the step of the given number; in order. `None` where it cannot
/// be evaluated.
pub fn truths_along(
    icfg: &Icfg,
    pool: &TermPool,
    trace: &Counterexample,
    asked: &[(usize, TermId)],
) -> Result<Vec<Option<bool>>, ReplayError> {
    let mut machine = Machine::new(icfg, pool, trace.symbols.clone());
    machine.start(&trace.initial)?;
    let mut asked = asked.iter().peekable();
    let mut answers = Vec::new();
    for (n, step) in trace.steps.iter().enumerate() {
        machine.step(n, step)?;
        while let Some((_, formula)) = asked.next_if(|(after, _)| *after == n) {
            answers.push(machine.model.holds(pool, *formula).ok());
        }
    }
    Ok(answers)
}

/// Is this a value of the sort?
pub fn has_sort(pool: &TermPool, value: &Value, sort: SortId) -> bool {
    match (value, pool.sort_data(sort)) {
        (Value::Bool(_), Sort::Bool) | (Value::Num(_), Sort::Real) => true,
        (Value::Num(n), Sort::Int) => n.is_integer(),
        (Value::Bv(_, w), Sort::BitVec(width)) => w == width,
        (Value::Element(s, _), Sort::Uninterpreted(_)) => *s == sort,
        (Value::Array(a), Sort::Array(index, element)) => {
            has_sort(pool, &a.default, *element)
                && a.entries.iter().all(|(i, v)| has_sort(pool, i, *index) && has_sort(pool, v, *element))
        }
        _ => false,
    }
}

struct Activation {
    site: CallSiteId,
    /// What the callee's variables and the old variables were before the call (`None`: no value yet).
    saved: Vec<(FunId, Option<Value>)>,
}

/// A state of the execution. The model holds the values of all variables in scope.
pub(crate) struct Machine<'a> {
    pub(crate) icfg: &'a Icfg,
    pool: &'a TermPool,
    pub(crate) model: Model,
    pub(crate) loc: LocId,
    stack: Vec<Activation>,
    symbols: IdVec<VarId, FunId>,
    /// Each old variable with its global.
    olds: Vec<(VarId, VarId)>,
}

impl<'a> Machine<'a> {
    pub(crate) fn new(icfg: &'a Icfg, pool: &'a TermPool, model: Model) -> Machine<'a> {
        let symbols = icfg.vars.values().map(|v| pool.as_symbol(v.term).expect("variables are constants")).collect();
        let olds = icfg
            .vars
            .iter()
            .filter_map(|(id, v)| match v.kind {
                VarKind::Old(g) => Some((id, g)),
                VarKind::Global | VarKind::Param(_) | VarKind::Result(_) | VarKind::Local(_) => None,
            })
            .collect();
        Machine { icfg, pool, model, loc: icfg.entry(), stack: Vec::new(), symbols, olds }
    }

    /// Sets the variables to what they are at the start.
    pub(crate) fn start(&mut self, initial: &BTreeMap<VarId, Value>) -> Result<(), ReplayError> {
        for (&v, value) in initial {
            if self.icfg.vars.get(v).is_none_or(|var| !has_sort(self.pool, value, var.sort)) {
                return Err(ReplayError::IllSorted(0, v));
            }
            self.set(v, value.clone());
        }
        Ok(())
    }

    /// Goes where another execution is, and says what has another value there. What is a gap there gets a default.
    pub(crate) fn move_to(&mut self, graph: &Compiled<'_>, state: &State) -> Vec<(VarId, Value)> {
        let default = |v: VarId| default_value(self.pool, self.icfg.vars[v].sort);
        self.loc = state.loc;
        let symbols = &self.symbols;
        let activation = |(site, saved): (CallSiteId, Vec<(VarId, Option<Value>)>)| Activation {
            site,
            saved: saved.into_iter().map(|(v, value)| (symbols[v], value)).collect(),
        };
        self.stack = graph.activations(state).map(activation).collect();
        let values: Vec<(VarId, Value)> =
            self.icfg.vars.ids().map(|v| (v, graph.value(state, v).unwrap_or_else(|| default(v)))).collect();
        let mut changed = Vec::new();
        self.assign(values, &mut changed);
        changed
    }

    /// The number of calls that are open.
    pub(crate) fn depth(&self) -> usize {
        self.stack.len()
    }
    /// The innermost of them.
    pub(crate) fn open_call(&self) -> Option<CallSiteId> {
        self.stack.last().map(|a| a.site)
    }
    /// Takes a step and says what it changed and chose.
    fn recorded(&mut self, i: usize, step: &TraceStep) -> Result<RunStep, ReplayError> {
        let changed = self.step(i, step)?;
        let chosen = match &self.icfg.edges[step.edge].label {
            Label::Stmt(Stmt::Havoc(vars, _)) => vars.iter().map(|&v| (v, self.value(v))).collect(),
            Label::Call(_) => step.chosen.iter().map(|(&v, value)| (v, value.clone())).collect(),
            _ => Vec::new(),
        };
        Ok(RunStep { edge: step.edge, changed, chosen, depth: self.stack.len() + 1, n_left_out: 0 })
    }
    pub(crate) fn value(&self, v: VarId) -> Value {
        match self.model.get(self.symbols[v]) {
            Some(value) => value.clone(),
            None => default_value(self.pool, self.icfg.vars[v].sort),
        }
    }
    pub(crate) fn set(&mut self, v: VarId, value: Value) {
        self.model.set(self.symbols[v], value);
    }
    pub(crate) fn eval(&self, step: usize, t: TermId) -> Result<Value, ReplayError> {
        self.model.eval(self.pool, t).map_err(|e| match e {
            EvalError::Quantified(t) | EvalError::IllSorted(t) => ReplayError::NotEvaluable(step, t),
        })
    }
    fn chosen_or_default(&self, step: &TraceStep, v: VarId) -> Value {
        step.chosen.get(&v).cloned().unwrap_or_else(|| default_value(self.pool, self.icfg.vars[v].sort))
    }

    pub(crate) fn step(&mut self, i: usize, step: &TraceStep) -> Result<Vec<(VarId, Value)>, ReplayError> {
        let edge = self.icfg.edges.get(step.edge).ok_or(ReplayError::Disconnected(i))?;
        if edge.src != self.loc {
            return Err(ReplayError::Disconnected(i));
        }
        let mut changed = Vec::new();
        match &edge.label {
            Label::Stmt(Stmt::Assume(condition)) => {
                if self.eval(i, *condition)? != Value::Bool(true) {
                    return Err(ReplayError::AssumptionFails(i));
                }
            }
            Label::Stmt(Stmt::Assign(pairs)) => {
                let mut values = Vec::with_capacity(pairs.len());
                for &(v, e) in pairs {
                    values.push((v, self.eval(i, e)?));
                }
                self.assign(values, &mut changed);
            }
            Label::Stmt(Stmt::Havoc(vars, _)) => {
                let values: Vec<_> = vars.iter().map(|&v| (v, self.chosen_or_default(step, v))).collect();
                self.check_sorts(i, &values)?;
                self.assign(values, &mut changed);
            }
            Label::Call(site) => self.call(i, *site, step, &mut changed)?,
            Label::Return(site) => self.leave(i, *site, &mut changed)?,
            Label::Block(_) => return Err(ReplayError::Block(i)),
            Label::Fork { .. } | Label::Join { .. } => return Err(ReplayError::Threads(i)),
            Label::AtomicBegin | Label::AtomicEnd => {}
        }
        self.loc = edge.dst;
        Ok(changed)
    }

    fn check_sorts(&self, i: usize, values: &[(VarId, Value)]) -> Result<(), ReplayError> {
        match values.iter().find(|(v, value)| !has_sort(self.pool, value, self.icfg.vars[*v].sort)) {
            Some((v, _)) => Err(ReplayError::IllSorted(i, *v)),
            None => Ok(()),
        }
    }

    fn assign(&mut self, values: Vec<(VarId, Value)>, changed: &mut Vec<(VarId, Value)>) {
        for (v, value) in values {
            if self.value(v) != value {
                changed.push((v, value.clone()));
            }
            self.set(v, value);
        }
    }

    fn call(
        &mut self,
        i: usize,
        site: CallSiteId,
        step: &TraceStep,
        changed: &mut Vec<(VarId, Value)>,
    ) -> Result<(), ReplayError> {
        let icfg = self.icfg;
        let call = &icfg.call_sites[site];
        let callee = &icfg.procs[call.callee];
        let mut values = Vec::new();
        for (&p, &a) in callee.params.iter().zip(&call.args) {
            values.push((p, self.eval(i, a)?));
        }
        changed.extend(values.iter().cloned());
        let n_params = values.len();
        for &v in callee.results.iter().chain(&callee.locals) {
            values.push((v, self.chosen_or_default(step, v)));
        }
        self.check_sorts(i, &values[n_params..])?;
        for &(old, g) in &self.olds {
            values.push((old, self.value(g)));
        }
        let saved = values.iter().map(|(v, _)| (self.symbols[*v], self.model.get(self.symbols[*v]).cloned())).collect();
        self.stack.push(Activation { site, saved });
        for (v, value) in values {
            self.set(v, value);
        }
        Ok(())
    }

    fn leave(&mut self, i: usize, site: CallSiteId, changed: &mut Vec<(VarId, Value)>) -> Result<(), ReplayError> {
        let icfg = self.icfg;
        let Some(activation) = self.stack.pop().filter(|a| a.site == site) else {
            return Err(ReplayError::WrongReturn(i));
        };
        let call = &icfg.call_sites[site];
        let callee = &icfg.procs[call.callee];
        let results = call.results.iter().zip(&callee.results).map(|(&to, &from)| (to, self.value(from))).collect();
        for (symbol, value) in activation.saved {
            // A variable without a value has the default of its sort, so nothing is lost by setting it.
            let sort = self.pool.fun(symbol).result;
            self.model.set(symbol, value.unwrap_or_else(|| default_value(self.pool, sort)));
        }
        self.assign(results, changed);
        Ok(())
    }
}
