//! Random executions: by the interpreter here; [`crate::guided::Tester`] makes long ones.

use crate::interp::Machine;
use ir::{Counterexample, EdgeId, Icfg, Label, LocId, Nondet, Stmt, TraceStep, VarId};
use logic::{BigInt, Model, Rational, Sort, SortId, TermId, TermPool, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

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
/// execution. Only what [`crate::interp::replay`] accepts is returned.
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

/// A random execution up to the first state that `is_end` accepts (it also receives the number of steps); `None` if
/// there is none within the limits.
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
        if steps.len() >= limits.max_steps || machine.depth() > limits.max_depth {
            return None;
        }
        if steps.len().is_multiple_of(STEPS_BETWEEN_POLLS) && stop() {
            return None;
        }
        // Edges that can be taken; statements other than assumptions always can.
        let open = machine.open_call();
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

/// Candidate values for `variable`: indices at which arrays read by the next assumption (at `variable`) differ from
/// their default.
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
