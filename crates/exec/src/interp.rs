//! The interpreter: exact execution of a graph, to replay counterexamples and to run random tests.
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

use crate::compiled::{Compiled, Open, State};
use crate::fidelity::Doubts;
use base::IdVec;
use ir::{
    CallSiteId, Check, Counterexample, EdgeId, Icfg, Label, LocId, NonTermination, Nondet, Run, RunStep, Stmt,
    TraceStep, VarId, VarKind,
};
use logic::{BigInt, EvalError, FunId, Model, Rational, Sort, SortId, TermId, TermPool, Value, default_value};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

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
    /// The last location is no error location.
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
        let changed = machine.step(i, step)?;
        // The execution may be none at all, which is worse.
        if let (Err(doubt), None) = (doubt, &overapproximation) {
            overapproximation = Some(doubt);
        }
        if let Label::Stmt(Stmt::Havoc(_, Nondet::Overapproximation(what))) = &icfg.edges[step.edge].label
            && overapproximation.is_none()
        {
            overapproximation = Some(ReplayError::Overapproximation(i, what.clone()));
        }
        let chosen = match &icfg.edges[step.edge].label {
            Label::Stmt(Stmt::Havoc(vars, _)) => vars.iter().map(|&v| (v, machine.value(v))).collect(),
            Label::Call(_) => step.chosen.iter().map(|(&v, value)| (v, value.clone())).collect(),
            _ => Vec::new(),
        };
        steps.push(RunStep { edge: step.edge, changed, chosen, depth: machine.stack.len() + 1, n_left_out: 0 });
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

/// The truth of formulas along an execution, each after the step of the given number; in order. `None` where it cannot be evaluated.
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
    icfg: &'a Icfg,
    pool: &'a TermPool,
    model: Model,
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

/// A step may be several in a graph with more checks; and this many may be made in any case.
const STEPS_FOR_ONE: u64 = 8;
const MIN_DRIVEN: u64 = 1_000_000;

/// How a driven execution ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Driven {
    /// It met this violation.
    Error(Check),
    /// It stopped, or no edge could be taken, or too many steps were made.
    NoError,
}

/// Executes a graph with the choices of an execution of another graph of the same source: where that execution made
/// arbitrary values at a place in the source, this one takes them in the same order. Used to execute a program
/// again with more checks in it. Where several edges can be taken the first is.
pub fn drive(icfg: &Icfg, pool: &TermPool, run: &Run, of: &Icfg) -> Driven {
    let mut choices = Choices::default();
    for step in &run.steps {
        choices.add(of.edges[step.edge].span, step.chosen.iter().map(|(_, value)| value.clone()));
    }
    choices.n_steps = run.n_steps();
    drive_by(icfg, pool, choices)
}

/// The arbitrary values of an execution, by the places in the source where they were made, in the order of the execution.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    by_place: BTreeMap<base::Span, VecDeque<Value>>,
    /// The steps of the execution.
    n_steps: u64,
}

impl Choices {
    fn add(&mut self, place: base::Span, values: impl IntoIterator<Item = Value>) {
        self.n_steps += 1;
        let mut values = values.into_iter().peekable();
        if values.peek().is_some() {
            self.by_place.entry(place).or_default().extend(values);
        }
    }
}

/// The choices of an endless execution in its stem and some turns; `None` if it cannot be executed.
pub fn choices_of_lasso(icfg: &Icfg, pool: &TermPool, lasso: &NonTermination, n_turns: usize) -> Option<Choices> {
    let mut machine = Machine::new(icfg, pool, lasso.stem.symbols.clone());
    for (&v, value) in &lasso.stem.initial {
        machine.set(v, value.clone());
    }
    let mut choices = Choices::default();
    for step in &lasso.stem.steps {
        machine.step(choices.n_steps as usize, step).ok()?;
        choices.add(icfg.edges[step.edge].span, step.chosen.values().cloned());
    }
    for _ in 0..n_turns {
        for step in &lasso.cycle {
            let mut chosen = BTreeMap::new();
            for (&v, &term) in &step.chosen {
                chosen.insert(v, machine.model.eval(pool, term).ok()?);
            }
            choices.add(icfg.edges[step.edge].span, chosen.values().cloned());
            machine.step(choices.n_steps as usize, &TraceStep { edge: step.edge, chosen }).ok()?;
        }
    }
    Some(choices)
}

/// As [`drive`], with these choices.
pub fn drive_by(icfg: &Icfg, pool: &TermPool, choices: Choices) -> Driven {
    let max_steps = (choices.n_steps * STEPS_FOR_ONE).max(MIN_DRIVEN);
    let mut choices = choices.by_place;
    let graph = Compiled::new(icfg, pool);
    let mut state = graph.start();
    let defaults: IdVec<VarId, Value> = icfg.vars.values().map(|v| default_value(pool, v.sort)).collect();
    for v in icfg.vars.ids() {
        graph.set(&mut state, v, &defaults[v]);
    }
    for _ in 0..max_steps {
        if let Some(check) = &icfg.locs[state.loc].error {
            return Driven::Error(check.clone());
        }
        let edge = match graph.open(&mut state, false) {
            Open::None => return Driven::NoError,
            Open::One(edge) => edge,
            Open::Several(edges) => edges[0],
        };
        if !graph.take(&mut state, edge) {
            return Driven::NoError;
        }
        match &icfg.edges[edge].label {
            Label::Stmt(Stmt::Havoc(vars, _)) => {
                let mut queue = choices.get_mut(&icfg.edges[edge].span);
                for &v in vars {
                    let next = queue.as_mut().and_then(|q| q.pop_front());
                    let value = next.filter(|value| has_sort(pool, value, icfg.vars[v].sort));
                    graph.set(&mut state, v, value.as_ref().unwrap_or(&defaults[v]));
                }
            }
            Label::Call(site) => {
                let callee = &icfg.procs[icfg.call_sites[*site].callee];
                for &v in callee.results.iter().chain(&callee.locals) {
                    graph.set(&mut state, v, &defaults[v]);
                }
            }
            _ => {}
        }
    }
    Driven::NoError
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RandomLimits {
    pub max_steps: usize,
    pub max_depth: usize,
}

impl Default for RandomLimits {
    fn default() -> Self {
        RandomLimits { max_steps: 2_000, max_depth: 200 }
    }
}

/// One random execution; the counterexample if it ends in an error. The same seed gives the same
/// execution. Only what [`replay`] accepts is returned.
pub fn random_run(icfg: &Icfg, pool: &TermPool, seed: u64, limits: &RandomLimits) -> Option<Counterexample> {
    random_execution(icfg, pool, seed, limits, &mut || false, &mut false)
}

/// After how many steps a run asks whether to stop.
const STEPS_BETWEEN_POLLS: usize = 64;
/// How often values are chosen anew when an assumption right after rules them out.
const MAX_CHOICES: usize = 50;

/// As [`random_run`]; `stop` is asked from time to time, and `chose` is set if the execution made choices.
pub fn random_execution(
    icfg: &Icfg,
    pool: &TermPool,
    seed: u64,
    limits: &RandomLimits,
    stop: &mut dyn FnMut() -> bool,
    chose: &mut bool,
) -> Option<Counterexample> {
    let mut at_error = |machine: &Machine<'_>, _: usize| icfg.locs[machine.loc].error.is_some();
    random_trace(icfg, pool, seed, limits, stop, &mut at_error, chose)
}

/// A random execution up to the first state that `is_end` accepts (it is also told the number of steps); `None` if there is none within the
/// limits.
pub(crate) fn random_trace(
    icfg: &Icfg,
    pool: &TermPool,
    seed: u64,
    limits: &RandomLimits,
    stop: &mut dyn FnMut() -> bool,
    is_end: &mut dyn FnMut(&Machine<'_>, usize) -> bool,
    chose: &mut bool,
) -> Option<Counterexample> {
    let mut random = Random::new(icfg, pool, seed);
    let mut machine = Machine::new(icfg, pool, Model::new());
    let mut initial = BTreeMap::new();
    let root = icfg.root?;
    for &v in icfg.globals.iter().chain(&icfg.procs[root].locals) {
        let value = random.value(pool, icfg.vars[v].sort);
        machine.set(v, value.clone());
        initial.insert(v, value);
    }
    if icfg.axioms.iter().any(|&a| machine.model.holds(pool, a) != Ok(true)) {
        return None;
    }
    let mut steps: Vec<TraceStep> = Vec::new();
    while !is_end(&machine, steps.len()) {
        if steps.len() >= limits.max_steps || machine.stack.len() > limits.max_depth {
            return None;
        }
        if steps.len().is_multiple_of(STEPS_BETWEEN_POLLS) && stop() {
            return None;
        }
        // Edges that can be taken; statements other than assumptions always can.
        let open = machine.stack.last().map(|a| a.site);
        let enabled: Vec<EdgeId> = icfg
            .out_edges(machine.loc)
            .iter()
            .copied()
            .filter(|&e| match &icfg.edges[e].label {
                Label::Stmt(Stmt::Assume(c)) => machine.model.holds(pool, *c) == Ok(true),
                Label::Stmt(Stmt::Assign(_) | Stmt::Havoc(_, Nondet::Choice | Nondet::Input(_) | Nondet::Read(_))) => {
                    true
                }
                Label::Stmt(Stmt::Havoc(_, Nondet::Inexact(_) | Nondet::Overapproximation(_))) => false,
                Label::Call(_) | Label::AtomicBegin | Label::AtomicEnd => true,
                Label::Return(site) => open == Some(*site),
                Label::Block(_) | Label::Fork { .. } | Label::Join { .. } => false,
            })
            .collect();
        *chose |= enabled.len() > 1;
        let edge = *enabled.get(random.below(enabled.len()))?;
        let vars: Vec<VarId> = match &icfg.edges[edge].label {
            Label::Stmt(Stmt::Havoc(vars, _)) => vars.clone(),
            Label::Call(site) => {
                let callee = &icfg.procs[icfg.call_sites[*site].callee];
                callee.results.iter().chain(&callee.locals).copied().collect()
            }
            _ => Vec::new(),
        };
        let is_havoc = matches!(icfg.edges[edge].label, Label::Stmt(Stmt::Havoc(..)));
        *chose |= is_havoc;
        let from = machine.loc;
        let mut asked_for: Vec<Value> = Vec::new();
        for attempt in 1.. {
            let mut chosen: BTreeMap<VarId, Value> =
                vars.iter().map(|&v| (v, random.value(pool, icfg.vars[v].sort))).collect();
            if !asked_for.is_empty() && random.below(2) == 0 {
                let i = random.below(asked_for.len());
                chosen.insert(vars[0], asked_for[i].clone());
            }
            let step = TraceStep { edge, chosen };
            machine.step(steps.len(), &step).ok()?;
            if is_havoc && attempt < MAX_CHOICES && ruled_out(&machine, pool) {
                if attempt == 1 && vars.len() == 1 {
                    asked_for = indices_asked_for(&machine, pool, icfg.vars[vars[0]].term);
                }
                machine.loc = from;
                continue;
            }
            steps.push(step);
            break;
        }
    }
    Some(Counterexample { initial, steps, symbols: Model::new() })
}

/// Does an assumption right ahead end the execution?
fn ruled_out(machine: &Machine<'_>, pool: &TermPool) -> bool {
    let icfg = machine.icfg;
    let mut loc = machine.loc;
    while let &[edge] = icfg.out_edges(loc)
        && let Label::Stmt(Stmt::Assume(c)) = icfg.edges[edge].label
    {
        if machine.model.holds(pool, c) != Ok(true) {
            return true;
        }
        if icfg.locs[loc].is_loop_head {
            break;
        }
        loc = icfg.edges[edge].dst;
    }
    false
}

/// Candidate values for `variable`: indices at which arrays read by the next assumption (at `variable`) differ from their default.
fn indices_asked_for(machine: &Machine<'_>, pool: &TermPool, variable: TermId) -> Vec<Value> {
    let arrays = arrays_asked_for(machine.icfg, pool, machine.loc, variable);
    arrays.into_iter().flat_map(|array| machine.model.eval(pool, array).ok()).flat_map(|v| indices_of(&v)).collect()
}

/// The arrays in assumptions right ahead that are asked for an element at the place that a variable has.
pub(crate) fn arrays_asked_for(icfg: &Icfg, pool: &TermPool, loc: LocId, variable: TermId) -> Vec<TermId> {
    let mut arrays = Vec::new();
    for &edge in icfg.out_edges(loc) {
        let Label::Stmt(Stmt::Assume(condition)) = icfg.edges[edge].label else { continue };
        pool.visit_postorder(&[condition], |t| {
            if pool.op(t) == logic::Op::Select && pool.arg(t, 1) == variable {
                arrays.push(pool.arg(t, 0));
            }
        });
    }
    arrays
}

/// Where an array has other elements than elsewhere.
pub(crate) fn indices_of(array: &Value) -> Vec<Value> {
    match array {
        Value::Array(array) => array.entries.iter().filter(|e| *e.1 != array.default).map(|e| e.0.clone()).collect(),
        _ => Vec::new(),
    }
}

/// A source of random values: small ones, and ones near the numbers that occur in the program.
#[derive(Clone)]
pub(crate) struct Random {
    bits: base::Random,
    numbers: Vec<Rational>,
}

impl Random {
    pub(crate) fn with_seed(&self, seed: u64) -> Random {
        Random { bits: base::Random::new(seed), numbers: self.numbers.clone() }
    }
    pub(crate) fn new(icfg: &Icfg, pool: &TermPool, seed: u64) -> Random {
        const MOST_NUMBERS: usize = 256;
        let mut terms = Vec::new();
        for edge in icfg.edges.values() {
            terms.extend(icfg.read_terms(&edge.label));
        }
        let mut numbers = Vec::new();
        pool.visit_postorder(&terms, |t| {
            if numbers.len() < MOST_NUMBERS {
                numbers.extend(pool.number(t).cloned());
                numbers.extend(pool.bv_number(t).map(|(n, _)| n.clone()));
            }
        });
        numbers.sort();
        numbers.dedup();
        Random { bits: base::Random::new(seed), numbers }
    }
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.bits.below(n)
    }
    fn number(&mut self) -> Rational {
        let near = Rational::from(self.below(3) as i64 - 1);
        match self.below(8) {
            0..=3 => Rational::from(self.below(7) as i64 - 2),
            4..=6 if !self.numbers.is_empty() => {
                let i = self.below(self.numbers.len());
                &self.numbers[i] + &near
            }
            _ => {
                let bits = self.below(33);
                let magnitude = Rational::from((self.bits.bits() & ((1u64 << bits) - 1)) as i64);
                if self.below(2) == 0 { magnitude } else { -magnitude }
            }
        }
    }
    pub(crate) fn value(&mut self, pool: &TermPool, sort: SortId) -> Value {
        match pool.sort_data(sort) {
            Sort::Bool => Value::Bool(self.below(2) == 1),
            Sort::Int => Value::Num(self.number().floor()),
            Sort::Real => {
                let divisor = Rational::from(self.below(3) as i64 + 1);
                Value::Num(&self.number() / &divisor)
            }
            Sort::BitVec(width) => {
                let modulus = Rational::from(BigInt::from(1) << *width as usize);
                let n = self.number().floor().rem_euclid(&modulus);
                Value::Bv(n.to_bigint().unwrap_or_default(), *width)
            }
            Sort::Uninterpreted(_) => Value::Element(sort, self.below(3) as u32),
            Sort::Array(index, element) => {
                let (index, element) = (*index, *element);
                let mut array = logic::ArrayValue::constant(self.value(pool, element));
                for _ in 0..self.below(4) {
                    let (i, v) = (self.value(pool, index), self.value(pool, element));
                    array.set(i, v, pool.cardinality(index));
                }
                Value::Array(Arc::new(array))
            }
        }
    }
}
