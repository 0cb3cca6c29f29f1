//! A search for an execution of threads that violates something: states one by one, schedules with few preemptions
//! first.
//!
//! Most violations need few context switches where a thread could have gone on (Musuvathi and Qadeer, *Iterative
//! context bounding*, PLDI 2007). So states are taken in the order of what their schedules cost: a preemption costs
//! one; unusual input values cost one, and so does the first value that is not modelled exactly (executions in which
//! nothing depends on it count); a thread that runs for long without a switch pays each time its run doubles, so that
//! an endless loop does not starve the search. Among states of one cost the youngest is first. A state is what the
//! threads' places and the values of all variables that may still be read are, and none is visited twice (by its hash:
//! two states may be taken for one, and a violation be missed).
//!
//! The search runs on the product of the threads, which is built as far as the search gets, with its persistent sets.
//! What comes out is a sequential graph, a part of the product, and an execution of it, which is replayed like any
//! other. Nothing is proved here.
//!
//! Departures from the paper: states are stored, not repeated from the start; data choices are part of the search;
//! there is no preemption in atomic sections and at independent steps. Marks of accesses, which only find data races,
//! are the numbers of the threads.

use crate::valuation::{Evaluator, Layout, Values};
use base::IdVec;
use ir::dataflow::{Liveness, VarIndex};
use ir::interleave::{Fused, GrowingProduct, InterleaveError, Interleaved, ThreadLimits, unchanged};
use ir::{Counterexample, EdgeId, Icfg, Label, LocId, Nondet, Note, Stmt, TraceStep, VarId, VarKind, VarRole};
use logic::{FastMap, Model, Rational, Sort, SortId, TermPool, Value, default_value};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchLimits {
    /// The largest number of visited states.
    pub max_states: usize,
    /// The most states that wait; what comes to more is dropped.
    pub max_waiting: usize,
    /// The most steps that are remembered.
    pub max_steps: usize,
    /// States whose schedules cost more are not visited.
    pub max_cost: usize,
}

impl Default for SearchLimits {
    fn default() -> Self {
        SearchLimits { max_states: 5_000_000, max_waiting: 300_000, max_steps: 20_000_000, max_cost: usize::MAX }
    }
}

/// What a search came to.
pub enum Outcome {
    /// An execution of the part of the product, to an error.
    Violation(Box<Counterexample>),
    /// There are no other states with the values that were tried.
    Nothing,
    /// Too many states, or too costly ones, or the search was stopped.
    Stopped,
}

pub struct Searched {
    /// The part of the product that was built.
    pub product: Interleaved,
    pub outcome: Outcome,
    pub n_states: usize,
    /// Some execution started more threads than there was room for; it was not followed any further.
    pub more_threads: bool,
}

/// Looks for a violation in a graph with threads, all calls inlined. `stop` is polled with whether some execution
/// started more threads than the bound.
pub fn search(
    icfg: &Icfg,
    pool: &mut TermPool,
    threads: &ThreadLimits,
    limits: &SearchLimits,
    stop: &mut dyn FnMut(bool) -> bool,
) -> Result<Searched, InterleaveError> {
    let Some(fused) = Fused::new(icfg, pool)? else {
        return Ok(Searched { product: unchanged(icfg), outcome: Outcome::Nothing, n_states: 0, more_threads: false });
    };
    let product = GrowingProduct::new(&fused, pool, threads);
    let search = Search {
        layout: layout(&product, pool),
        dying: dying_variables(fused.graph(), pool),
        candidates: Candidates::new(fused.graph(), pool),
        waiting: Vec::new(),
        n_waiting: 0,
        seen: FastMap::default(),
        steps: Vec::new(),
        fused: fused.graph(),
        product,
    };
    search.run(icfg, pool, limits, stop)
}

/// The globals in the first chunk, the variables of each thread in one of their own, with the values that the search
/// begins with.
fn layout(product: &GrowingProduct<'_>, pool: &TermPool) -> Layout {
    Layout::new(product.graph(), pool, &product.owners(), |sort| default_value(pool, sort))
}

/// The locals that die at each edge: written by the edge or live before it, and dead after it.
pub(crate) fn dying_variables(icfg: &Icfg, pool: &TermPool) -> IdVec<EdgeId, Vec<VarId>> {
    let joins_read =
        icfg.edges.values().any(|e| matches!(&e.label, Label::Join { results, .. } if !results.is_empty()));
    let live = if joins_read { Liveness::with_results(icfg, pool) } else { Liveness::plain(icfg, pool) };
    let is_local = |v: &VarId| !matches!(icfg.vars[*v].kind, VarKind::Global | VarKind::Old(_));
    // Other threads may read a global at any time.
    let index = VarIndex::new(icfg);
    let read: BTreeSet<VarId> =
        icfg.edges.values().flat_map(|e| index.vars_of(pool, &icfg.read_terms(&e.label))).collect();
    let mut dying = live.dying(icfg);
    for (e, vars) in dying.iter_mut() {
        let label = &icfg.edges[e].label;
        vars.retain(|v| is_local(v) || !read.contains(v) && icfg.writes(label, *v));
    }
    dying
}

/// The values that are tried for what a program leaves open.
struct Candidates {
    numbers: Vec<Rational>,
    /// The variables that only mark accesses: what matters is that no two threads choose one number.
    marks: BTreeSet<VarId>,
    /// What the language leaves open within an expression, as memory that was never written.
    unspecified: BTreeSet<VarId>,
}

/// What a step chooses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Chosen {
    Mark,
    Unspecified,
    Any,
}

impl Chosen {
    /// The number of values that cost nothing.
    fn n_free(self) -> usize {
        match self {
            Chosen::Mark | Chosen::Unspecified => 1,
            Chosen::Any => 2,
        }
    }
}

/// The numbers that a thread marks accesses with: one, and another for who looks twice.
const N_MARKS: usize = 2;
/// The number of constants of the program that are tried.
const MAX_NUMBERS: usize = 4;

impl Candidates {
    fn new(icfg: &Icfg, pool: &TermPool) -> Candidates {
        let mut numbers: Vec<Rational> = [0, 1, 2, -1].map(Rational::from).to_vec();
        for edge in icfg.edges.values().filter(|e| e.note != Note::Fact) {
            let Label::Stmt(Stmt::Assume(condition)) = edge.label else { continue };
            pool.visit_postorder(&[condition], |t| {
                if let Some(n) = pool.number(t)
                    && numbers.len() < MAX_NUMBERS + 4
                    && !numbers.contains(n)
                {
                    numbers.push(n.clone());
                }
            });
        }
        let is_temporary = |v: &VarId| icfg.vars[*v].role == VarRole::Temporary;
        let mut unspecified = BTreeSet::new();
        for edge in icfg.edges.values() {
            if let Label::Stmt(Stmt::Havoc(vars, Nondet::Choice)) = &edge.label {
                unspecified.extend(vars.iter().copied().filter(is_temporary));
            }
        }
        let index = VarIndex::new(icfg);
        let is_mark = |v: &VarId| icfg.vars[*v].role == VarRole::AccessMark;
        let mut marks = unspecified.clone();
        marks.retain(|v| icfg.vars[*v].sort == SortId::INT);
        for edge in icfg.edges.values() {
            let about_marks = match &edge.label {
                Label::Stmt(Stmt::Assign(pairs)) => pairs.iter().all(|(v, _)| is_mark(v)),
                Label::Stmt(Stmt::Assume(condition)) => index.vars_of(pool, &[*condition]).iter().any(is_mark),
                _ => false,
            };
            if !about_marks {
                for v in index.vars_of(pool, &icfg.read_terms(&edge.label)) {
                    marks.remove(&v);
                }
            }
        }
        Candidates { numbers, marks, unspecified }
    }
    fn chosen(&self, vars: &[VarId]) -> Chosen {
        if vars.iter().all(|v| self.marks.contains(v)) {
            Chosen::Mark
        } else if vars.iter().all(|v| self.unspecified.contains(v)) {
            Chosen::Unspecified
        } else {
            Chosen::Any
        }
    }
    fn n_values(&self, pool: &TermPool, sort: SortId) -> usize {
        match pool.sort_data(sort) {
            Sort::Bool => 2,
            Sort::Int | Sort::Real | Sort::BitVec(_) => self.numbers.len(),
            Sort::Uninterpreted(_) | Sort::Array(..) => 1,
        }
    }
    /// The value with an index; the last one if there are fewer.
    fn value(&self, pool: &TermPool, sort: SortId, choice: usize) -> Value {
        let number = &self.numbers[choice.min(self.numbers.len() - 1)];
        match pool.sort_data(sort) {
            Sort::Bool => Value::Bool(choice > 0),
            Sort::Int => Value::Num(number.floor()),
            Sort::Real => Value::Num(number.clone()),
            Sort::BitVec(width) => {
                let modulus = Rational::from(logic::BigInt::from(1) << *width as usize);
                Value::Bv(number.floor().rem_euclid(&modulus).to_bigint().unwrap_or_default(), *width)
            }
            Sort::Uninterpreted(_) | Sort::Array(..) => default_value(pool, sort),
        }
    }
}

/// A state in the queue.
#[derive(Clone)]
struct State {
    loc: LocId,
    values: Values,
    /// Who made the last step, and how many in a row.
    thread: usize,
    run: u32,
    cost: usize,
    /// Did it pass a value that is not modelled exactly?
    is_doubtful: bool,
    /// The last step, as an index into the steps.
    step: u32,
}

struct Step {
    before: u32,
    edge: EdgeId,
    chosen: Option<Box<[(VarId, Value)]>>,
}

const NO_STEP: u32 = u32::MAX;
/// The number of consecutive steps after which a thread pays for the first time.
const FREE_RUN: u32 = 256;
/// How often states are compared with those that were seen, where there is nothing to choose.
const STEPS_BETWEEN_LOOKS: u32 = 16;
const STEPS_BETWEEN_POLLS: usize = 512;
/// States that cost more wait together.
const MAX_COST: usize = 1000;

struct Search<'a> {
    fused: &'a Icfg,
    product: GrowingProduct<'a>,
    layout: Layout,
    dying: IdVec<EdgeId, Vec<VarId>>,
    candidates: Candidates,
    /// By cost.
    waiting: Vec<Vec<State>>,
    n_waiting: usize,
    seen: FastMap<(LocId, u64), ()>,
    steps: Vec<Step>,
}

impl Search<'_> {
    fn run(
        mut self,
        icfg: &Icfg,
        pool: &mut TermPool,
        limits: &SearchLimits,
        stop: &mut dyn FnMut(bool) -> bool,
    ) -> Result<Searched, InterleaveError> {
        let entry = self.product.graph().entry();
        let values = self.layout.start();
        self.wait(State { loc: entry, values, thread: 0, run: 0, cost: 0, is_doubtful: false, step: NO_STEP });
        let mut outcome = Outcome::Nothing;
        let mut next_poll = 0;
        'search: while let Some(mut state) = self.next() {
            if state.cost > limits.max_cost {
                outcome = Outcome::Stopped;
                break;
            }
            if !self.is_new(&state) {
                continue;
            }
            let mut steps_without_look = 0;
            loop {
                if self.steps.len() >= next_poll {
                    next_poll = self.steps.len() + STEPS_BETWEEN_POLLS;
                    let too_much = self.steps.len() > limits.max_steps
                        || self.seen.len() > limits.max_states
                        || self.product.graph().edges.len() > MAX_PART;
                    if too_much || stop(self.product.too_many().is_some()) {
                        outcome = Outcome::Stopped;
                        break 'search;
                    }
                }
                if self.is_violation(state.loc) {
                    outcome = Outcome::Violation(Box::new(self.trace(state.step)));
                    break 'search;
                }
                let cost = state.cost;
                let mut next = self.successors(state, pool)?;
                // The last one is followed first: that of the running thread.
                let Some(follow) = next.pop() else { break };
                for other in next {
                    if self.n_waiting < limits.max_waiting && !self.was_there(&other) {
                        self.wait(other);
                    }
                }
                if follow.cost > cost {
                    self.wait(follow);
                    break;
                }
                steps_without_look += 1;
                if steps_without_look >= STEPS_BETWEEN_LOOKS {
                    steps_without_look = 0;
                    if !self.is_new(&follow) {
                        break;
                    }
                }
                state = follow;
            }
        }
        let (n_states, more_threads) = (self.seen.len(), self.product.too_many().is_some());
        Ok(Searched { product: self.product.finish(icfg), outcome, n_states, more_threads })
    }

    fn wait(&mut self, state: State) {
        let cost = state.cost.min(MAX_COST);
        if self.waiting.len() <= cost {
            self.waiting.resize_with(cost + 1, Vec::new);
        }
        self.waiting[cost].push(state);
        self.n_waiting += 1;
    }
    fn next(&mut self) -> Option<State> {
        let state = self.waiting.iter_mut().find_map(|states| states.pop())?;
        self.n_waiting -= 1;
        Some(state)
    }
    fn is_new(&mut self, state: &State) -> bool {
        self.seen.insert((state.loc, state.values.hash()), ()).is_none()
    }
    fn was_there(&self, state: &State) -> bool {
        self.seen.contains_key(&(state.loc, state.values.hash()))
    }
    /// That there are too many threads is none.
    fn is_violation(&self, loc: LocId) -> bool {
        self.product.graph().locs[loc].error.is_some() && self.product.too_many() != Some(loc)
    }
    fn trace(&self, mut last: u32) -> Counterexample {
        let mut steps = Vec::new();
        while last != NO_STEP {
            let step = &self.steps[last as usize];
            let chosen: BTreeMap<VarId, Value> = step.chosen.iter().flatten().cloned().collect();
            steps.push(TraceStep { edge: step.edge, chosen });
            last = step.before;
        }
        steps.reverse();
        Counterexample { initial: BTreeMap::new(), steps, symbols: Model::new() }
    }

    /// The states after one step, that of the same thread last.
    fn successors(&mut self, state: State, pool: &mut TermPool) -> Result<Vec<State>, InterleaveError> {
        self.product.expand(state.loc, pool)?;
        let pool = &*pool;
        let moves = self.moves(&state, pool);
        let mut result = Vec::with_capacity(moves.len());
        let mut source = Some(state.values);
        for (n, Move { edge, choice, cost, run, is_doubtful }) in moves.iter().copied().enumerate() {
            // The last one takes the values, so that nothing is copied where there is nothing to choose.
            let values = if n + 1 == moves.len() { source.take() } else { source.clone() };
            let Some(mut values) = values else { break };
            let (thread, original) = self.product.origin(edge);
            let data = &self.product.graph().edges[edge];
            let mut chosen = Vec::new();
            match &data.label {
                Label::Stmt(stmt @ Stmt::Assign(_)) => values.execute(&self.layout, pool, stmt, None),
                Label::Stmt(Stmt::Havoc(vars, _)) => {
                    let kind = self.chosen(edge);
                    for &v in vars {
                        let value = match kind {
                            Chosen::Mark => Value::Num(Rational::from((1 + N_MARKS * thread + choice) as i64)),
                            _ => self.candidates.value(pool, self.product.graph().vars[v].sort, choice),
                        };
                        chosen.push((v, value.clone()));
                        values.set(&self.layout, v, value);
                    }
                }
                // Moves are made of statements only.
                Label::Stmt(Stmt::Assume(_))
                | Label::Block(_)
                | Label::Call(_)
                | Label::Return(_)
                | Label::Fork { .. }
                | Label::Join { .. }
                | Label::AtomicBegin
                | Label::AtomicEnd => {}
            }
            for &v in &self.dying[original] {
                values.reset(&self.layout, self.product.rename_var(thread, v));
            }
            let step = self.steps.len() as u32;
            let chosen = (!chosen.is_empty()).then(|| chosen.into_boxed_slice());
            self.steps.push(Step { before: state.step, edge, chosen });
            result.push(State { loc: data.dst, values, thread, run, cost, is_doubtful, step });
        }
        Ok(result)
    }

    /// Enabled moves. Moves of the running thread come last, so that popping prefers them (fewest preemptions).
    fn moves(&self, state: &State, pool: &TermPool) -> Vec<Move> {
        let graph = self.product.graph();
        let evaluator = Evaluator { pool, layout: &self.layout, values: &state.values };
        let mut open: Vec<EdgeId> = Vec::new();
        for &e in graph.out_edges(state.loc) {
            let is_open = match &graph.edges[e].label {
                Label::Stmt(Stmt::Assume(condition)) => evaluator.holds(*condition),
                // An execution that comes here shows nothing.
                Label::Stmt(Stmt::Havoc(_, Nondet::Overapproximation(_))) => false,
                Label::Stmt(Stmt::Assign(_) | Stmt::Havoc(..)) => true,
                Label::Block(_)
                | Label::Call(_)
                | Label::Return(_)
                | Label::Fork { .. }
                | Label::Join { .. }
                | Label::AtomicBegin
                | Label::AtomicEnd => false,
            };
            if is_open {
                open.push(e);
            }
        }
        let owner = |e: EdgeId| self.product.origin(e).0;
        let may_go_on = open.iter().any(|&e| owner(e) == state.thread);
        open.sort_by_key(|&e| owner(e) == state.thread);
        let mut moves = Vec::with_capacity(open.len());
        for edge in open {
            let (mut cost, mut run) = (state.cost, 1);
            if owner(edge) == state.thread {
                run = state.run.saturating_add(1);
                cost += usize::from(run > FREE_RUN && run.is_power_of_two());
            } else {
                cost += usize::from(may_go_on);
            }
            let n_choices = self.n_choices(edge, pool);
            let n_free = self.chosen(edge).n_free();
            let is_doubtful = state.is_doubtful || self.is_inexact(edge);
            cost += usize::from(is_doubtful && !state.is_doubtful);
            for choice in (0..n_choices).rev() {
                moves.push(Move { edge, choice, cost: cost + usize::from(choice >= n_free), run, is_doubtful });
            }
        }
        moves
    }

    /// What a step chooses.
    fn chosen(&self, edge: EdgeId) -> Chosen {
        match &self.fused.edges[self.product.origin(edge).1].label {
            Label::Stmt(Stmt::Havoc(vars, _)) => self.candidates.chosen(vars),
            _ => Chosen::Any,
        }
    }

    /// Is the value one that the program itself may never have? The replay accepts executions in which nothing
    /// depends on it.
    fn is_inexact(&self, edge: EdgeId) -> bool {
        matches!(self.product.graph().edges[edge].label, Label::Stmt(Stmt::Havoc(_, Nondet::Inexact(_))))
    }

    /// How many values are tried for a step.
    fn n_choices(&self, edge: EdgeId, pool: &TermPool) -> usize {
        let graph = self.product.graph();
        let Label::Stmt(Stmt::Havoc(vars, _)) = &graph.edges[edge].label else { return 1 };
        // Dead variables need no choice.
        let original = self.product.origin(edge).1;
        if let Label::Stmt(Stmt::Havoc(written, _)) = &self.fused.edges[original].label
            && written.iter().all(|v| self.dying[original].contains(v))
        {
            return 1;
        }
        if self.is_inexact(edge) {
            return 1;
        }
        if self.chosen(edge) == Chosen::Mark {
            return N_MARKS;
        }
        vars.iter().map(|&v| self.candidates.n_values(pool, graph.vars[v].sort)).max().unwrap_or(1)
    }
}

/// An edge, which values it chooses, what the schedule costs then, and how many steps the thread has made in a row.
#[derive(Clone, Copy)]
struct Move {
    edge: EdgeId,
    choice: usize,
    cost: usize,
    run: u32,
    is_doubtful: bool,
}

/// The most edges of the part of the product that is built.
const MAX_PART: usize = 400_000;
