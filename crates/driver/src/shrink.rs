//! Smaller counterexamples: fewer inputs, then fewer iterations, then smaller values.
//!
//! What an engine finds first is often larger than needed: a solver likes odd numbers, a random test long executions.
//! An execution of a program without threads is determined by its inputs, so other inputs are tried. First, as in delta
//! debugging (Zeller and Hildebrandt, *Simplifying and Isolating Failure-Inducing Input*, 2002), stretches of inputs
//! are left out and single values moved towards zero. Then come all sequences over a few small numbers, shortest first,
//! up to the length that was reached, and delta debugging of the best one. Each of the three has its own effort. Other
//! choices (contents of objects that were not initialised, or that a function is given) stay those of the execution
//! that was found, by their place; at last their values are moved towards zero as well.
//!
//! An execution is taken only if it fails the same check, is accepted by the checker, and does nothing undefined
//! before. The effort is counted in steps, not in time: the same program gives the same execution.

use crate::load::{Language, Loaded};
use crate::numbers::{signed, value_like};
use crate::outcome::Violation;
use crate::session::{Attempt, Session};
use crate::undefined::{WithChecks, is_asked_before};
use base::Budget;
use exec::guided::{Chooser, Tester};
use ir::{Check, Counterexample, EdgeId, Guide, Icfg, Label, LocId, Nondet, Run, Stmt, VarId, VarRole};
use logic::{ArrayValue, BigInt, Rational, TermPool, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// An effort: executions that are tried, and their steps in units of 1024.
#[derive(Clone, Copy)]
struct Effort {
    n_runs: usize,
    n_units: u64,
}

/// The effort for delta debugging, each time, and for all short sequences.
const DELTA_DEBUGGING: Effort = Effort { n_runs: 1_000, n_units: 1_000 };
const SHORT_SEQUENCES: Effort = Effort { n_runs: 3_000, n_units: 3_000 };
/// The numbers that all sequences are made of.
const MAX_NUMBERS: usize = 16;
/// Longer executions are left as they are.
const MAX_STEPS: usize = 20_000;

/// The most other values that are made smaller.
const MAX_CHOICES: usize = 100;

/// How good an execution is; the first difference counts.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Score {
    n_inputs: usize,
    n_iterations: usize,
    sizes_of_inputs: BigInt,
    sizes_of_choices: BigInt,
    n_steps: usize,
}

/// Makes the execution of a violation smaller.
pub(crate) fn shrink(
    session: &Session<'_>,
    attempt: &Attempt,
    loaded: &Loaded,
    violation: &mut Violation,
    ends_where_undefined: bool,
    budget: &Budget,
) {
    let is_long = violation.run.steps.len() > MAX_STEPS || !violation.run.is_whole();
    if is_long || violation.lanes.is_some() || violation.copies.is_some() {
        return;
    }
    let recorded = Recorded::new(&violation.original, &violation.run);
    if recorded.inputs.is_empty() && recorded.numbers(&violation.original).is_empty() {
        return;
    }
    let Some(tester) = Tester::new(&violation.original, &loaded.pool) else { return };
    let is_asked = is_asked_before(session.property);
    let needs_checks = session.source.language == Language::C && !ends_where_undefined && is_asked;
    let checks = needs_checks.then(|| WithChecks::new(session, attempt));
    let mut search = Search {
        icfg: &violation.original,
        pool: &loaded.pool,
        tester,
        check: violation.run.check.clone(),
        checks,
        best: (score_of(&violation.original, &violation.run, &recorded.inputs, &recorded), recorded.inputs.clone()),
        recorded: Rc::new(recorded),
        found: None,
        left: DELTA_DEBUGGING,
        budget,
    };
    search.towards_zero();
    search.left = SHORT_SEQUENCES;
    search.all_short_ones();
    search.left = DELTA_DEBUGGING;
    search.towards_zero();
    search.left = DELTA_DEBUGGING;
    search.choices_towards_zero();
    if let Some(run) = search.found {
        violation.run = run;
    }
}

/// The choices of an execution.
#[derive(Clone)]
struct Recorded {
    initial: BTreeMap<VarId, Value>,
    inputs: Vec<Value>,
    /// Which of several open steps were taken, by where that was.
    steps: BTreeMap<LocId, Vec<EdgeId>>,
    /// What other steps chose.
    others: BTreeMap<EdgeId, Vec<BTreeMap<VarId, Value>>>,
}

/// A number among the choices of an execution that are no inputs.
#[derive(Clone)]
struct Chosen {
    var: VarId,
    /// The step that chose it, and which time that was; none: it was so at the start.
    step: Option<(EdgeId, usize)>,
    part: Part,
}

#[derive(Clone)]
enum Part {
    Whole,
    /// What all other elements of an array are.
    Default,
    Element(Value),
}

/// What is made smaller.
#[derive(Clone)]
enum Target {
    Input(usize),
    Choice(Chosen),
}

/// The variable that takes an input in a step.
pub(crate) fn input_of(icfg: &Icfg, edge: EdgeId) -> Option<VarId> {
    match &icfg.edges[edge].label {
        Label::Stmt(Stmt::Havoc(vars, Nondet::Input(_) | Nondet::Read(_))) if vars.len() == 1 => vars.first().copied(),
        _ => None,
    }
}

impl Recorded {
    fn new(icfg: &Icfg, run: &Run) -> Recorded {
        let mut recorded = Recorded {
            initial: run.initial.iter().cloned().collect(),
            inputs: Vec::new(),
            steps: BTreeMap::new(),
            others: BTreeMap::new(),
        };
        for step in &run.steps {
            recorded.steps.entry(icfg.edges[step.edge].src).or_default().push(step.edge);
            if step.chosen.is_empty() {
                continue;
            }
            match input_of(icfg, step.edge) {
                Some(_) => recorded.inputs.extend(step.chosen.iter().map(|(_, value)| value.clone())),
                None => recorded.others.entry(step.edge).or_default().push(step.chosen.iter().cloned().collect()),
            }
        }
        recorded
    }

    /// The numbers that are not zero, except those that say where objects are.
    fn numbers(&self, icfg: &Icfg) -> Vec<Chosen> {
        let at_start = self.initial.iter().map(|(var, value)| (*var, None, value));
        let later = self.others.iter().flat_map(|(edge, times)| {
            let all = times.iter().enumerate();
            all.flat_map(move |(n, chosen)| chosen.iter().map(move |(var, value)| (*var, Some((*edge, n)), value)))
        });
        let mut numbers = Vec::new();
        for (var, step, value) in at_start.chain(later) {
            if !matches!(icfg.vars[var].role, VarRole::Plain | VarRole::Temporary) {
                continue;
            }
            match value {
                Value::Array(array) => {
                    numbers.push(Chosen { var, step, part: Part::Default });
                    let elements = array.entries.keys().take(MAX_CHOICES).cloned();
                    numbers.extend(elements.map(|index| Chosen { var, step, part: Part::Element(index) }));
                }
                _ => numbers.push(Chosen { var, step, part: Part::Whole }),
            }
        }
        let zero = BigInt::from(0);
        numbers.retain(|chosen| self.number(chosen).is_some_and(|n| n != zero));
        numbers.truncate(MAX_CHOICES);
        numbers
    }

    fn value(&self, chosen: &Chosen) -> Option<&Value> {
        match chosen.step {
            None => self.initial.get(&chosen.var),
            Some((edge, n)) => self.others.get(&edge)?.get(n)?.get(&chosen.var),
        }
    }

    fn number(&self, chosen: &Chosen) -> Option<BigInt> {
        match (self.value(chosen)?, &chosen.part) {
            (value, Part::Whole) => signed(value),
            (Value::Array(array), Part::Default) => signed(&array.default),
            (Value::Array(array), Part::Element(index)) => signed(array.entries.get(index)?),
            _ => None,
        }
    }

    /// The same choices but for a number.
    fn with(&self, chosen: &Chosen, n: &BigInt) -> Option<Recorded> {
        let now = self.value(chosen)?;
        let value = match (now, &chosen.part) {
            (_, Part::Whole) => value_like(now, n)?,
            (Value::Array(array), part) => {
                let mut array = ArrayValue::clone(array);
                let value = value_like(&array.default, n)?;
                match part {
                    Part::Element(index) => array.set(index.clone(), value, None),
                    _ => array.default = value,
                }
                Value::Array(array.into())
            }
            _ => return None,
        };
        let mut changed = self.clone();
        let place = match chosen.step {
            None => changed.initial.get_mut(&chosen.var)?,
            Some((edge, n)) => changed.others.get_mut(&edge)?.get_mut(n)?.get_mut(&chosen.var)?,
        };
        *place = value;
        Some(changed)
    }
}

/// Makes the recorded choices, with other inputs.
struct Replayer<'a> {
    icfg: &'a Icfg,
    pool: &'a TermPool,
    recorded: &'a Recorded,
    inputs: &'a [Value],
    n_read: usize,
    n_steps: BTreeMap<LocId, usize>,
    n_others: BTreeMap<EdgeId, usize>,
}

impl Chooser for Replayer<'_> {
    fn initial(&mut self, v: VarId) -> Value {
        let default = || logic::default_value(self.pool, self.icfg.vars[v].sort);
        self.recorded.initial.get(&v).cloned().unwrap_or_else(default)
    }
    fn step(&mut self, open: &[EdgeId]) -> usize {
        let Some(at) = open.first().map(|e| self.icfg.edges[*e].src) else { return 0 };
        let n = self.n_steps.entry(at).or_default();
        *n += 1;
        let wanted = self.recorded.steps.get(&at).and_then(|taken| taken.get(*n - 1).or(taken.last()));
        wanted.and_then(|w| open.iter().position(|e| e == w)).unwrap_or(0)
    }
    fn values(&mut self, edge: EdgeId, vars: &[VarId]) -> Vec<Value> {
        let default = |v: &VarId| logic::default_value(self.pool, self.icfg.vars[*v].sort);
        if input_of(self.icfg, edge).is_some() {
            let value = self.inputs.get(self.n_read).cloned();
            self.n_read += 1;
            return vars.iter().map(|v| value.clone().unwrap_or_else(|| default(v))).collect();
        }
        let n = self.n_others.entry(edge).or_default();
        *n += 1;
        let chosen = self.recorded.others.get(&edge).and_then(|all| all.get(*n - 1).or(all.last()));
        vars.iter().map(|v| chosen.and_then(|c| c.get(v)).cloned().unwrap_or_else(|| default(v))).collect()
    }
}

fn size(n: &BigInt) -> BigInt {
    if *n < BigInt::from(0) { -n.clone() } else { n.clone() }
}

fn sizes(inputs: &[Value]) -> BigInt {
    inputs.iter().filter_map(signed).fold(BigInt::from(0), |sum, n| sum + size(&n))
}

fn score_of(icfg: &Icfg, run: &Run, inputs: &[Value], recorded: &Recorded) -> Score {
    let n_iterations = run.steps.iter().filter(|s| icfg.locs[icfg.edges[s.edge].dst].is_loop_head).count();
    let choices = recorded.numbers(icfg).into_iter().filter_map(|chosen| recorded.number(&chosen));
    Score {
        n_inputs: inputs.len(),
        n_iterations,
        sizes_of_inputs: sizes(inputs),
        sizes_of_choices: choices.fold(BigInt::from(0), |sum, n| sum + size(&n)),
        n_steps: run.steps.len(),
    }
}

struct Search<'a> {
    icfg: &'a Icfg,
    pool: &'a TermPool,
    tester: Tester<'a>,
    check: Check,
    checks: Option<WithChecks>,
    recorded: Rc<Recorded>,
    /// The best execution and its inputs.
    best: (Score, Vec<Value>),
    /// The best execution, if it is another one than was given.
    found: Option<Run>,
    left: Effort,
    budget: &'a Budget,
}

/// What came of inputs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tried {
    Better,
    /// Another execution that fails the check, or none.
    NotBetter,
    /// No more than these inputs were given, and the execution wanted more.
    WantsMore,
}

impl Search<'_> {
    fn is_over(&self) -> bool {
        self.left.n_runs == 0 || self.left.n_units == 0 || self.budget.check_now().is_err()
    }

    /// Executes the program with other inputs.
    fn attempt(&mut self, inputs: &[Value]) -> Tried {
        let recorded = Rc::clone(&self.recorded);
        self.attempt_with(inputs, recorded)
    }

    /// Executes the program with other inputs and choices.
    fn attempt_with(&mut self, inputs: &[Value], recorded: Rc<Recorded>) -> Tried {
        self.left.n_runs = self.left.n_runs.saturating_sub(1);
        let mut chooser = Replayer {
            icfg: self.icfg,
            pool: self.pool,
            recorded: &recorded,
            inputs,
            n_read: 0,
            n_steps: BTreeMap::new(),
            n_others: BTreeMap::new(),
        };
        let mut n_units = 0;
        let left = self.left.n_units;
        let mut stop = || {
            n_units += 1;
            n_units > left
        };
        let max_steps = (2 * self.best.0.n_steps as u64).max(1_000);
        let guide = self.tester.run_by(&mut chooser, max_steps, &mut stop);
        let n_read = chooser.n_read;
        self.left.n_units = left.saturating_sub(n_units);
        let missing = if n_read > inputs.len() { Tried::WantsMore } else { Tried::NotBetter };
        let Some(guide) = guide else { return missing };
        // What was missing was zero, and what was not read is no input.
        let mut inputs = inputs.to_vec();
        inputs.truncate(n_read);
        inputs.extend(self.zeros(&guide, inputs.len()));
        if inputs.len() > self.best.0.n_inputs {
            return missing;
        }
        match self.accepted(&guide) {
            Some(run) => {
                let score = score_of(self.icfg, &run, &inputs, &recorded);
                if score < self.best.0 {
                    self.best = (score, inputs);
                    self.recorded = recorded;
                    self.found = Some(run);
                    return Tried::Better;
                }
                missing
            }
            None => missing,
        }
    }

    /// The inputs behind the first ones of an execution.
    fn zeros(&self, guide: &Guide, n_given: usize) -> Vec<Value> {
        let Some(listed) = exec::guided::listed(self.icfg, self.pool, guide) else { return Vec::new() };
        let inputs = listed.steps.iter().filter(|s| input_of(self.icfg, s.edge).is_some());
        inputs.flat_map(|s| s.chosen.values().cloned()).skip(n_given).collect()
    }

    /// The execution, if it fails the same check without undefined behaviour before.
    fn accepted(&self, guide: &Guide) -> Option<Run> {
        let trace: Counterexample = exec::guided::listed(self.icfg, self.pool, guide)?;
        let run = check::check_counterexample(self.pool, self.icfg, &trace).ok()?;
        let is_same = run.check.property == self.check.property && run.check.span == self.check.span;
        let is_defined = || self.checks.as_ref().is_none_or(|c| c.fails_as(&run, self.icfg, self.check.property));
        (is_same && is_defined()).then_some(run)
    }

    /// Tries all sequences of a few small numbers, shortest first, up to the length of the best one.
    fn all_short_ones(&mut self) {
        let numbers = self.numbers();
        let mut frontier: Vec<Vec<Value>> = vec![Vec::new()];
        if self.attempt(&[]) != Tried::WantsMore && self.best.0.n_inputs == 0 {
            return;
        }
        while !frontier.is_empty() {
            let mut longer = Vec::new();
            for prefix in &frontier {
                for number in &numbers {
                    if self.is_over() || prefix.len() >= self.best.0.n_inputs {
                        return;
                    }
                    let mut inputs = prefix.clone();
                    inputs.push(number.clone());
                    if self.attempt(&inputs) == Tried::WantsMore {
                        longer.push(inputs);
                    }
                }
            }
            frontier = longer;
        }
    }

    /// Small numbers and those of the program, by size; what the execution read is among them.
    fn numbers(&self) -> Vec<Value> {
        let mut terms = Vec::new();
        for edge in self.icfg.edges.values() {
            terms.extend(self.icfg.read_terms(&edge.label));
        }
        let mut of_program: BTreeSet<BigInt> = BTreeSet::new();
        self.pool.visit_postorder(&terms, |t| {
            of_program.extend(self.pool.number(t).and_then(Rational::to_bigint));
            of_program.extend(self.pool.bv_number(t).and_then(|(n, w)| signed(&Value::Bv(n.to_bigint()?, w))));
        });
        let near: BTreeSet<BigInt> =
            of_program.iter().flat_map(|n| [-1, 0, 1].map(|d| n.clone() + BigInt::from(d))).collect();
        let read: Vec<BigInt> = self.recorded.inputs.iter().filter_map(signed).take(MAX_NUMBERS / 4).collect();
        let small = (-4..=4).map(BigInt::from);
        let mut all: Vec<BigInt> = small.chain(near).collect();
        all.sort_by_key(|n| (size(n), n.clone() < BigInt::from(0)));
        all.dedup();
        all.truncate(MAX_NUMBERS);
        for n in read {
            if !all.contains(&n) {
                all.push(n);
            }
        }
        let Some(like) = self.recorded.inputs.first() else { return Vec::new() };
        all.iter().filter_map(|n| value_like(like, n)).collect()
    }

    /// Leaves inputs out and makes them smaller, as long as that helps.
    fn towards_zero(&mut self) {
        loop {
            let before = self.best.0.clone();
            self.leave_out();
            for i in 0..self.best.1.len() {
                self.make_smaller(&Target::Input(i));
            }
            if self.best.0 >= before || self.is_over() {
                return;
            }
        }
    }

    fn leave_out(&mut self) {
        let mut length = self.best.1.len().div_ceil(2);
        while length > 0 {
            let mut start = 0;
            while start + length <= self.best.1.len() {
                if self.is_over() {
                    return;
                }
                let mut inputs = self.best.1.clone();
                inputs.drain(start..start + length);
                if self.attempt(&inputs) != Tried::Better {
                    start += length;
                }
            }
            length /= 2;
        }
    }

    /// Makes numbers smaller that are no inputs. First each is tried as zero, which is quick.
    fn choices_towards_zero(&mut self) {
        for is_first in [true, false] {
            for chosen in self.recorded.numbers(self.icfg) {
                if self.is_over() {
                    return;
                }
                let target = Target::Choice(chosen);
                if is_first {
                    self.with(&target, BigInt::from(0));
                } else {
                    self.make_smaller(&target);
                }
            }
        }
    }

    fn number(&self, target: &Target) -> Option<BigInt> {
        match target {
            Target::Input(i) => self.best.1.get(*i).and_then(signed),
            Target::Choice(chosen) => self.recorded.number(chosen),
        }
    }

    fn make_smaller(&mut self, target: &Target) {
        let Some(now) = self.number(target) else { return };
        let zero = BigInt::from(0);
        // The range of a signed type has one more negative number.
        if now < zero && !self.with(target, -now.clone()) {
            self.with(target, -now.clone() - BigInt::from(1));
        }
        let Some(now) = self.number(target) else { return };
        // Between a value that does and one that does not, both of one sign.
        let (mut does, mut does_not) = (now, zero.clone());
        if does == zero || self.with(target, zero) {
            return;
        }
        while !self.is_over() {
            let middle = (does.clone() + does_not.clone()) / BigInt::from(2);
            if middle == does || middle == does_not {
                return;
            }
            if self.with(target, middle.clone()) {
                does = middle;
            } else {
                does_not = middle;
            }
        }
    }

    /// Is the execution with another number better?
    fn with(&mut self, target: &Target, n: BigInt) -> bool {
        match target {
            Target::Input(i) => {
                let mut inputs = self.best.1.clone();
                let Some(value) = inputs.get(*i).and_then(|like| value_like(like, &n)) else { return false };
                inputs[*i] = value;
                self.attempt(&inputs) == Tried::Better
            }
            Target::Choice(chosen) => {
                let inputs = self.best.1.clone();
                let Some(recorded) = self.recorded.with(chosen, &n) else { return false };
                self.attempt_with(&inputs, Rc::new(recorded)) == Tried::Better
            }
        }
    }
}
