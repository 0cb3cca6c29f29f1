//! Counterexamples stored as their nondeterministic choices; all other values are recomputed on replay.
//!
//! A violation behind a million iterations of a loop has millions of steps, which is too much to store or to read. Its
//! [`Guide`] says which values the execution chose and which edge it took where several were open; the compiled graph
//! ([`crate::compiled`]) makes the steps. [`follow`] accepts a guide under the conditions of [`crate::interp::replay`],
//! and lists of the steps the first ones, the last ones, and those between them that choose values. The interpreter
//! makes the steps again, of long executions the first and the last ones, so that the two have to agree.

use crate::compiled::{Compiled, Open, State};
use crate::execution::Way;
use crate::interp::{Machine, ReplayError};
use crate::random::{Random, RandomLimits, arrays_asked_for, indices_of};
use ir::{Choice, Counterexample, EdgeId, Guide, Icfg, Label, Nondet, Run, RunStep, Stmt, TraceStep, VarId};
use logic::{Model, TermPool, Value};
use std::collections::BTreeMap;

/// An execution of at most this number of steps is listed completely.
pub const MAX_LISTED: u64 = 20_000;
/// The number of steps listed at the beginning and at the end of a longer one.
const N_LISTED: u64 = 200;
/// More choices than this are not kept.
const MAX_CHOICES: usize = 4_000_000;
/// How often values are chosen anew when an assumption right after rules them out.
const MAX_ATTEMPTS: usize = 50;
/// The number of steps ahead in which a condition that a choice may satisfy is searched for.
const MAX_AHEAD: usize = 300;
/// After how many steps a run asks whether to stop.
const STEPS_BETWEEN_POLLS: u64 = 1024;

/// How a random execution ended.
pub enum Tested {
    Error(Guide),
    /// `chose`: the execution made choices, so that another seed may give another execution.
    NoError {
        chose: bool,
    },
}

/// Who makes the choices of an execution.
pub trait Chooser {
    /// The value of a variable at the start.
    fn initial(&mut self, v: VarId) -> Value;
    /// Which of several open steps is taken, by its index.
    fn step(&mut self, open: &[EdgeId]) -> usize;
    /// The values that a step gives to its variables, one for each.
    fn values(&mut self, edge: EdgeId, vars: &[VarId]) -> Vec<Value>;
}

/// Executes a graph with random choices. The same seed gives the same execution.
pub struct Tester<'a> {
    icfg: &'a Icfg,
    pool: &'a TermPool,
    graph: Compiled<'a>,
    random: Random,
}

impl<'a> Tester<'a> {
    /// `None` if the graph has parts that only the interpreter knows: axioms, uninterpreted functions, quantifiers.
    pub fn new(icfg: &'a Icfg, pool: &'a TermPool) -> Option<Tester<'a>> {
        let graph = Compiled::new(icfg, pool);
        (icfg.axioms.is_empty() && !graph.has_gaps).then(|| Tester {
            icfg,
            pool,
            graph,
            random: Random::new(icfg, pool, 0),
        })
    }

    /// One execution; `stop` is asked from time to time.
    pub fn run(&self, seed: u64, limits: &RandomLimits, stop: &mut dyn FnMut() -> bool) -> Tested {
        let mut chose = false;
        match self.to_error(&[], seed, limits, stop, &mut chose) {
            Some(guide) => Tested::Error(guide),
            None => Tested::NoError { chose },
        }
    }

    /// An execution that goes the way of a run with open values to its error, if there is one with the values of the
    /// seed.
    pub fn run_along(
        &self,
        way: &Way,
        seed: u64,
        limits: &RandomLimits,
        stop: &mut dyn FnMut() -> bool,
    ) -> Option<Guide> {
        self.to_error(&way.choices, seed, limits, stop, &mut false)
    }

    /// An execution to an error with given choices, if they lead to one.
    pub fn run_by(&self, chooser: &mut dyn Chooser, max_steps: u64, stop: &mut dyn FnMut() -> bool) -> Option<Guide> {
        let (icfg, graph) = (self.icfg, &self.graph);
        let mut state = graph.start();
        let mut guide = Guide { initial: BTreeMap::new(), choices: Vec::new(), n_steps: 0 };
        for &v in icfg.globals.iter().chain(&icfg.procs[icfg.root?].locals) {
            let value = chooser.initial(v);
            graph.set(&mut state, v, &value);
            guide.initial.insert(v, value);
        }
        while icfg.locs[state.loc].error.is_none() {
            let is_over = guide.n_steps >= max_steps || guide.choices.len() > MAX_CHOICES;
            if is_over || guide.n_steps.is_multiple_of(STEPS_BETWEEN_POLLS) && stop() {
                return None;
            }
            let edge = match graph.open(&mut state, false) {
                Open::None => return None,
                Open::One(edge) => edge,
                Open::Several(edges) => {
                    let edge = *edges.get(chooser.step(&edges))?;
                    guide.choices.push(Choice::Edge(edge));
                    edge
                }
            };
            if !graph.take(&mut state, edge) {
                return None;
            }
            guide.n_steps += 1;
            let vars = choosing(icfg, edge);
            if vars.is_empty() {
                continue;
            }
            let values = chooser.values(edge, &vars);
            for (&v, value) in vars.iter().zip(&values) {
                graph.set(&mut state, v, value);
            }
            guide.choices.push(Choice::Values(values));
        }
        Some(guide)
    }

    fn to_error(
        &self,
        mut way: &[(u64, EdgeId)],
        seed: u64,
        limits: &RandomLimits,
        stop: &mut dyn FnMut() -> bool,
        chose: &mut bool,
    ) -> Option<Guide> {
        let (icfg, pool, graph) = (self.icfg, self.pool, &self.graph);
        let mut random = self.random.with_seed(seed);
        let mut state = graph.start();
        let mut guide = Guide { initial: BTreeMap::new(), choices: Vec::new(), n_steps: 0 };
        for &v in icfg.globals.iter().chain(&icfg.procs[icfg.root?].locals) {
            let value = random.value(pool, icfg.vars[v].sort);
            graph.set(&mut state, v, &value);
            guide.initial.insert(v, value);
        }
        while icfg.locs[state.loc].error.is_none() {
            let is_over = guide.n_steps >= limits.max_steps as u64
                || state.depth() > limits.max_depth
                || guide.choices.len() > MAX_CHOICES;
            if is_over || guide.n_steps.is_multiple_of(STEPS_BETWEEN_POLLS) && stop() {
                return None;
            }
            let mut wanted = None;
            if let Some((&(at, edge), rest)) = way.split_first()
                && at == guide.n_steps
            {
                (wanted, way) = (Some(edge), rest);
            }
            let edge = match graph.open(&mut state, false) {
                Open::None => return None,
                Open::One(edge) if wanted.is_some_and(|w| w != edge) => return None,
                Open::One(edge) => edge,
                Open::Several(edges) => {
                    *chose = true;
                    let edge = wanted.unwrap_or_else(|| edges[random.below(edges.len())]);
                    if !edges.contains(&edge) {
                        return None;
                    }
                    guide.choices.push(Choice::Edge(edge));
                    edge
                }
            };
            if !graph.take(&mut state, edge) {
                return None;
            }
            guide.n_steps += 1;
            let vars = choosing(icfg, edge);
            if vars.is_empty() {
                continue;
            }
            let is_havoc = match &icfg.edges[edge].label {
                Label::Stmt(Stmt::Havoc(_, Nondet::Inexact(_) | Nondet::Overapproximation(_))) => return None,
                Label::Stmt(Stmt::Havoc(..)) => true,
                _ => false,
            };
            *chose |= is_havoc;
            let mut asked_for: Vec<Value> = Vec::new();
            let wish = match vars[..] {
                [v] if is_havoc => self.wish(&state, v),
                _ => None,
            };
            for attempt in 1.. {
                let mut values: Vec<Value> = vars.iter().map(|&v| random.value(pool, icfg.vars[v].sort)).collect();
                if let Some((wish, is_must)) = &wish
                    && (*is_must && seed % 4 != 3 || random.below(4) > 0)
                {
                    values = vec![wish.clone()];
                }
                if !asked_for.is_empty() && random.below(2) == 0 {
                    values = vec![asked_for[random.below(asked_for.len())].clone()];
                }
                for (&v, value) in vars.iter().zip(&values) {
                    graph.set(&mut state, v, value);
                }
                if is_havoc && attempt < MAX_ATTEMPTS && self.is_ruled_out(&mut state) {
                    if let (1, &[v]) = (attempt, &vars[..]) {
                        asked_for = self.indices_asked_for(&state, v);
                    }
                    continue;
                }
                guide.choices.push(Choice::Values(values));
                break;
            }
        }
        Some(guide)
    }

    /// The value that a condition ahead requires of a variable that was just chosen, and whether the path to it is
    /// unconditional. (With what is computed from the variable a wish may miss.)
    fn wish(&self, state: &State, variable: VarId) -> Option<(Value, bool)> {
        let mut ahead = self.graph.ahead_with_gap(state, variable);
        for _ in 0..MAX_AHEAD {
            let edges = match self.graph.open(&mut ahead, true) {
                Open::None => return None,
                Open::One(edge) => vec![edge],
                Open::Several(edges) => edges,
            };
            if let Some(wish) = edges.iter().find_map(|&e| self.graph.filling(&ahead, e, self.icfg.vars[variable].sort))
            {
                return Some((wish, edges.len() == 1));
            }
            let [edge] = edges[..] else { return None };
            let label = &self.icfg.edges[edge].label;
            let goes_on =
                matches!(label, Label::Stmt(Stmt::Assume(_) | Stmt::Assign(_)) | Label::AtomicBegin | Label::AtomicEnd);
            if !goes_on || !self.graph.take(&mut ahead, edge) {
                return None;
            }
        }
        None
    }

    /// The places of arrays where an assumption right ahead may find what it asks for at the place that a variable has.
    fn indices_asked_for(&self, state: &State, variable: VarId) -> Vec<Value> {
        let arrays = arrays_asked_for(self.icfg, self.pool, state.loc, self.icfg.vars[variable].term);
        let owners = self.icfg.vars.iter().filter(|(_, v)| arrays.contains(&v.term)).map(|(id, _)| id);
        owners.filter_map(|array| self.graph.value(state, array)).flat_map(|value| indices_of(&value)).collect()
    }

    /// Does an assumption right ahead end the execution?
    fn is_ruled_out(&self, state: &mut State) -> bool {
        let icfg = self.icfg;
        let mut loc = state.loc;
        while let &[edge] = icfg.out_edges(loc)
            && matches!(icfg.edges[edge].label, Label::Stmt(Stmt::Assume(_)))
        {
            if self.graph.is_open(state, edge) != Some(true) {
                return true;
            }
            if icfg.locs[loc].is_loop_head {
                break;
            }
            loc = icfg.edges[edge].dst;
        }
        false
    }
}

/// The variables that an edge chooses values for.
fn choosing(icfg: &Icfg, edge: EdgeId) -> Vec<VarId> {
    match &icfg.edges[edge].label {
        Label::Stmt(Stmt::Havoc(vars, _)) => vars.clone(),
        Label::Call(site) => {
            let callee = &icfg.procs[icfg.call_sites[*site].callee];
            callee.results.iter().chain(&callee.locals).copied().collect()
        }
        _ => Vec::new(),
    }
}

/// An execution on the compiled graph that makes the choices of a guide.
struct Guided<'a> {
    icfg: &'a Icfg,
    graph: Compiled<'a>,
    state: State,
    choices: std::slice::Iter<'a, Choice>,
}

impl<'a> Guided<'a> {
    fn new(icfg: &'a Icfg, pool: &'a TermPool, guide: &'a Guide) -> Guided<'a> {
        let graph = Compiled::new(icfg, pool);
        let mut state = graph.start();
        for (&v, value) in &guide.initial {
            graph.set(&mut state, v, value);
        }
        Guided { icfg, graph, state, choices: guide.choices.iter() }
    }

    /// The next step; `None` if there is none.
    fn step(&mut self) -> Option<TraceStep> {
        let edge = match self.graph.open(&mut self.state, false) {
            Open::None => return None,
            Open::One(edge) => edge,
            Open::Several(edges) => match self.choices.next()? {
                Choice::Edge(edge) => edges.into_iter().find(|e| e == edge)?,
                Choice::Values(_) => return None,
            },
        };
        if !self.graph.take(&mut self.state, edge) {
            return None;
        }
        let vars = choosing(self.icfg, edge);
        if vars.is_empty() {
            return Some(TraceStep { edge, chosen: BTreeMap::new() });
        }
        let Choice::Values(values) = self.choices.next()? else { return None };
        for (&v, value) in vars.iter().zip(values) {
            self.graph.set(&mut self.state, v, value);
        }
        Some(TraceStep { edge, chosen: vars.into_iter().zip(values.iter().cloned()).collect() })
    }
}

/// The execution with all its steps; `None` if it cannot be made.
pub fn listed(icfg: &Icfg, pool: &TermPool, guide: &Guide) -> Option<Counterexample> {
    let mut execution = Guided::new(icfg, pool, guide);
    let steps: Option<Vec<TraceStep>> = (0..guide.n_steps).map(|_| execution.step()).collect();
    Some(Counterexample { initial: guide.initial.clone(), steps: steps?, symbols: Model::new() })
}

/// Follows a guide to its end and accepts it if that is a violation. The interpreter makes every step of an execution
/// with at most `n_exact` steps, and the first and the last ones of others. `stop` is asked from time to time, and
/// `None` says that it said yes.
pub fn follow(
    icfg: &Icfg,
    pool: &TermPool,
    guide: &Guide,
    n_exact: u64,
    stop: &mut dyn FnMut() -> bool,
) -> Option<Result<Run, ReplayError>> {
    if !icfg.axioms.is_empty() {
        return Some(Err(ReplayError::AxiomFails(0)));
    }
    let mut execution = Guided::new(icfg, pool, guide);
    let mut machine = Machine::new(icfg, pool, Model::new());
    if let Err(error) = machine.start(&guide.initial) {
        return Some(Err(error));
    }
    let initial = guide.initial.iter().map(|(&v, value)| (v, value.clone())).collect();
    let mut steps: Vec<RunStep> = Vec::new();
    let mut n_left_out = 0;
    let is_exact = guide.n_steps <= n_exact;
    let last_ones = guide.n_steps.saturating_sub(N_LISTED).max(N_LISTED);
    for i in 0..guide.n_steps {
        if i.is_multiple_of(STEPS_BETWEEN_POLLS) && stop() {
            return None;
        }
        let mut meanwhile: Vec<(VarId, Value)> = Vec::new();
        if i == last_ones && i > N_LISTED && !is_exact {
            meanwhile = machine.move_to(&execution.graph, &execution.state);
        }
        let Some(step) = execution.step() else { return Some(Err(ReplayError::Disconnected(i as usize))) };
        if let Some(what) = icfg.edges[step.edge].not_modelled() {
            return Some(Err(ReplayError::Overapproximation(i as usize, what.to_string())));
        }
        let chosen: Vec<(VarId, Value)> = step.chosen.iter().map(|(&v, value)| (v, value.clone())).collect();
        let is_havoc = matches!(icfg.edges[step.edge].label, Label::Stmt(Stmt::Havoc(..)));
        let is_listed = i < N_LISTED || i >= last_ones;
        if is_listed || is_exact {
            match machine.step(i as usize, &step) {
                Ok(changed) => meanwhile.extend(changed),
                Err(error) => return Some(Err(error)),
            }
        }
        let changed = if is_listed {
            meanwhile
        } else if is_havoc && !chosen.is_empty() {
            chosen.clone()
        } else {
            n_left_out += 1;
            continue;
        };
        let depth = execution.state.depth() + 1;
        steps.push(RunStep { edge: step.edge, changed, chosen, depth, n_left_out });
        n_left_out = 0;
    }
    Some(match icfg.locs[machine.loc].error.clone() {
        Some(check) => Ok(Run { steps, check, initial, unchecked_axioms: Vec::new() }),
        None => Err(ReplayError::NoError),
    })
}
