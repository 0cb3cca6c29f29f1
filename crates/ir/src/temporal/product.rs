//! The product graph.
//!
//! *Fair schedules.* If requested, an execution of threads counts only if every thread that is continuously enabled
//! from some point on takes infinitely many steps (weak fairness). That is a generalised Büchi condition, one set for
//! each thread beside the automaton's; a counter of levels waits for one after the other. A thread that waits at an
//! assumption is not enabled. Where an assumption that fails may also mean that there is no such execution
//! ([`Question::assumptions_wait`]), nothing is concluded from executions that rely on it.
//!
//! *Threads that all wait.* Whether that is an end, at which the last state is repeated, or no execution at all,
//! depends on what they wait for. So it counts for proofs, and nothing is concluded from executions that end like that.

use super::prune::prune;
use super::sections::{Blocked, Sections};
use super::{Guard, Monitor, MonitorEdge, Observing};
use crate::dataflow::VarIndex;
use crate::icfg::{EdgeId, Icfg, Label, LocId};
use crate::program::{Check, Nondet, Note, Observations, Observed, Stmt, VarId, VarRole, Variable};
use base::{IdVec, Span};
use logic::{FastMap, FastSet, TermId, TermPool};
use std::collections::BTreeSet;

/// Where the automaton is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Watch {
    /// Nothing has been observed yet.
    Nothing,
    In(usize),
    /// Nothing is observed any more, and that violates the formula.
    Diverged,
}

/// What a location of the product stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ProductState {
    pub loc: LocId,
    pub watch: Watch,
    pub reading: Reading,
    /// Of fair schedules: 1 waits for the automaton, n + 2 for thread n, and after the last comes 0. Without fairness
    /// always 0.
    pub level: usize,
}

/// What the automaton does at a location.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reading {
    Nothing,
    /// It has yet to read the observation made by this step.
    Step(EdgeId),
    /// It has yet to read the last observation again, of an execution that failed a check or blocks forever.
    Repetition,
    /// It has just read something and is in an accepting state.
    Accepting,
    /// A call is about to be skipped; was an accepting state passed in it?
    Skip(EdgeId, bool),
    /// All threads wait.
    Waiting,
    /// In a call that was not unrolled: anything may be observed.
    Deeper,
}

/// The product graph and the way back.
#[derive(Clone, Debug)]
pub struct Product {
    pub icfg: Icfg,
    /// The program's edge; `None`: the automaton reads an observation, or it is a step that only the product has.
    pub edges: IdVec<EdgeId, Option<EdgeId>>,
    pub locs: IdVec<LocId, ProductState>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProductError {
    /// The graph has calls or threads.
    NotPlain,
    /// More locations than this.
    TooLarge(usize),
}

impl std::fmt::Display for ProductError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ProductError::NotPlain => f.write_str("a graph with calls or threads in a product"),
            ProductError::TooLarge(n) => write!(f, "the product with the automaton has more than {n} locations"),
        }
    }
}

const MAX_LOCATIONS: usize = 400_000;

/// What is asked about a program.
pub struct Question<'a> {
    /// The automaton of the violations.
    pub monitor: &'a Monitor,
    pub observations: &'a Observations,
    /// Can the formula count steps?
    pub has_next: bool,
    /// Is the formula violated by an execution in which nothing is observed?
    pub promises: bool,
    /// Does an execution that fails a check end there? Else it does not count, unless it has violated the formula
    /// before.
    pub ends: &'a dyn Fn(&Check) -> bool,
    /// Only fair schedules count.
    pub is_fair: bool,
    /// Does a thread wait at an assumption until it holds? Else there is no execution in which it fails.
    pub assumptions_wait: bool,
    /// May a call that was not unrolled violate the formula? Else there is no execution with such a call.
    pub goes_deeper: bool,
}

struct Builder<'a> {
    icfg: &'a Icfg,
    question: &'a Question<'a>,
    observing: &'a Observing,
    relevant: FastSet<VarId>,
    /// The variables of the program text, and the arrays that its objects in memory are kept in.
    of_source: FastSet<VarId>,
    /// Levels of fair schedules; 1 without fairness.
    n_levels: usize,
    sections: Sections<'a>,
    /// For each state of the automaton: the letters that are accepted when they are repeated.
    stuttering: Vec<Vec<Guard>>,
    product: Product,
    numbers: FastMap<ProductState, LocId>,
    work: Vec<LocId>,
}

/// The product of a graph without calls with an automaton.
pub fn product(
    icfg: &Icfg,
    observing: &Observing,
    question: &Question<'_>,
    pool: &mut TermPool,
) -> Result<Product, ProductError> {
    if icfg.has_calls() || icfg.has_threads() {
        return Err(ProductError::NotPlain);
    }
    let index = VarIndex::new(icfg);
    let states = question.observations.propositions.iter().filter_map(|p| match p {
        Observed::State(t) => Some(*t),
        Observed::Call(_) | Observed::Return(_) | Observed::Mark(_) => None,
    });
    let watched = index.vars_of(pool, &states.collect::<Vec<_>>());
    let mut result = Icfg::new();
    result.vars = icfg.vars.clone();
    result.globals = icfg.globals.clone();
    result.procs = icfg.procs.clone();
    result.root = icfg.root;
    result.axioms = icfg.axioms.clone();
    // Without marks and without X there is no end of observations.
    let may_diverge = question.observations.has_marked_steps || question.has_next;
    let n_threads = observing.threads.values().map(|t| t + 1).max().unwrap_or(0);
    let n_states = question.monitor.edges.len();
    let mut builder = Builder {
        icfg,
        question,
        observing,
        relevant: watched.iter().copied().collect(),
        of_source: {
            let is_memory = |v: &Variable| v.role == VarRole::Plain && pool.array_parts(v.sort).is_some();
            icfg.vars.iter().filter(|(_, v)| v.span != Span::NONE || is_memory(v)).map(|(id, _)| id).collect()
        },
        sections: Sections::new(icfg, &observing.sections),
        n_levels: if question.is_fair && n_threads > 0 { n_threads + 2 } else { 1 },
        stuttering: match may_diverge {
            true => (0..n_states).map(|q| question.monitor.stuttering(q)).collect(),
            false => vec![Vec::new(); n_states],
        },
        product: Product { icfg: result, edges: IdVec::new(), locs: IdVec::new() },
        numbers: FastMap::default(),
        work: Vec::new(),
    };
    builder.build(pool)?;
    Ok(prune(builder.product, &watched, pool))
}

impl Builder<'_> {
    fn build(&mut self, pool: &mut TermPool) -> Result<(), ProductError> {
        let (loc, level) = (self.icfg.entry(), usize::from(self.n_levels > 1));
        let start = self.location(ProductState { loc, watch: Watch::Nothing, reading: Reading::Nothing, level });
        // There are no calls: the other procedures are only names.
        for (_, proc) in self.product.icfg.procs.iter_mut() {
            proc.entry = start;
        }
        while let Some(at) = self.work.pop() {
            if self.product.locs.len() > MAX_LOCATIONS {
                return Err(ProductError::TooLarge(MAX_LOCATIONS));
            }
            let state = self.product.locs[at];
            match state.reading {
                Reading::Nothing | Reading::Accepting => self.steps(at, state, pool),
                Reading::Step(_) => match self.may_wait(state.loc) {
                    Some(edge) => {
                        let data = &self.icfg.edges[edge];
                        let level = self.level_after(state, edge);
                        let to = ProductState { loc: data.dst, level, ..state };
                        self.edge(at, to, data.label.clone(), Some(edge));
                    }
                    None => self.read(at, state, pool),
                },
                Reading::Repetition => self.read(at, state, pool),
                Reading::Skip(edge, _) => {
                    let data = &self.icfg.edges[edge];
                    let to = ProductState { loc: data.dst, reading: Reading::Nothing, ..state };
                    self.edge(at, to, data.label.clone(), Some(edge));
                }
                Reading::Waiting => {
                    let why = Nondet::Overapproximation("threads that wait for each other".to_string());
                    let again = ProductState { reading: Reading::Repetition, ..state };
                    self.edge(at, again, Label::Stmt(Stmt::Havoc(Vec::new(), why)), None);
                }
                Reading::Deeper => self.assume(at, state, TermId::TRUE),
            }
        }
        // The exit of the root need not be reachable; procedures name one all the same.
        let exit = self.icfg.root.map(|root| self.icfg.procs[root].exit);
        let exits = exit.and_then(|exit| self.product.locs.iter().find(|(_, s)| s.loc == exit).map(|(id, _)| id));
        if let Some(root) = self.product.icfg.root {
            let exit = match exits {
                Some(exit) => exit,
                None => self.add_location(ProductState {
                    loc: self.icfg.procs[root].exit,
                    watch: Watch::Nothing,
                    reading: Reading::Nothing,
                    level: 1,
                }),
            };
            for (_, proc) in self.product.icfg.procs.iter_mut() {
                proc.exit = exit;
            }
        }
        let is_fair = self.n_levels > 1;
        let accepts = |s: &ProductState| match s.reading {
            _ if is_fair => s.level == 0,
            Reading::Accepting | Reading::Skip(_, true) | Reading::Deeper => true,
            Reading::Nothing => s.watch == Watch::Diverged,
            Reading::Step(_) | Reading::Repetition | Reading::Skip(_, false) | Reading::Waiting => false,
        };
        let accepting = self.product.locs.iter().filter(|(_, s)| accepts(s)).map(|(id, _)| id).collect();
        self.product.icfg.acceptance = Some(accepting);
        Ok(())
    }

    fn location(&mut self, state: ProductState) -> LocId {
        if let Some(&known) = self.numbers.get(&state) {
            return known;
        }
        let id = self.add_location(state);
        self.numbers.insert(state, id);
        self.work.push(id);
        id
    }

    fn add_location(&mut self, state: ProductState) -> LocId {
        let from = &self.icfg.locs[state.loc];
        let id = self.product.icfg.add_loc(from.proc, from.span);
        self.product.locs.push(state);
        id
    }

    fn edge(&mut self, from: LocId, to: ProductState, label: Label, origin: Option<EdgeId>) {
        let to = self.location(to);
        let (span, note) = match origin {
            Some(edge) => (self.icfg.edges[edge].span, self.icfg.edges[edge].note),
            None => (Span::NONE, Note::Hidden),
        };
        self.product.icfg.add_edge(from, to, label, span, note);
        self.product.edges.push(origin);
    }

    fn assume(&mut self, from: LocId, to: ProductState, condition: TermId) {
        self.edge(from, to, Label::Stmt(Stmt::Assume(condition)), None);
    }

    /// The level after one that was reached.
    fn next_level(&self, level: usize) -> usize {
        (level + 1) % self.n_levels
    }

    /// The level after a step of the program.
    fn level_after(&self, state: ProductState, edge: EdgeId) -> usize {
        if self.n_levels == 1 {
            return 0;
        }
        let level = state.level.max(1);
        // An execution that is not observed any more is in an accepting state all the time.
        let is_reached = match level {
            1 => state.watch == Watch::Diverged,
            of_thread => self.observing.threads[edge] == of_thread - 2,
        };
        if is_reached { self.next_level(level) } else { level }
    }

    fn steps(&mut self, at: LocId, state: ProductState, pool: &mut TermPool) {
        let is_first = state.watch == Watch::Nothing;
        let is_decided = match state.watch {
            Watch::In(q) => self.question.monitor.is_universal(q),
            Watch::Nothing | Watch::Diverged => false,
        };
        let out = self.icfg.out_edges(state.loc);
        for &edge in out {
            let data = &self.icfg.edges[edge];
            if let Some(outcomes) = self.observing.skips.get(&edge) {
                self.skip(at, state, edge, outcomes, pool);
                continue;
            }
            if self.question.goes_deeper && self.observing.deeper.contains(&edge) {
                let why = Nondet::Overapproximation("a call deeper than those that were explored".to_string());
                let to = ProductState { watch: Watch::Diverged, reading: Reading::Deeper, ..state };
                self.edge(at, to, Label::Stmt(Stmt::Havoc(Vec::new(), why)), None);
                continue;
            }
            let is_observed = self.is_observed(edge, is_first);
            if is_observed && state.watch == Watch::Diverged {
                continue;
            }
            let level = self.level_after(state, edge);
            let reading = match is_observed {
                true => Reading::Step(self.representative(edge)),
                false => Reading::Nothing,
            };
            let to = ProductState { loc: data.dst, watch: state.watch, reading, level };
            // What becomes undefined after the formula has been violated does not matter.
            let label = match is_decided && self.is_beside_check(edge) {
                true => Label::Stmt(Stmt::Assume(TermId::TRUE)),
                false => data.label.clone(),
            };
            self.edge(at, to, label, Some(edge));
        }
        let is_inside = out.iter().any(|e| self.observing.inside[*e]);
        if is_first && is_inside && self.question.promises && self.question.observations.has_marked_steps {
            let silent = ProductState { watch: Watch::Diverged, reading: Reading::Nothing, ..state };
            self.assume(at, silent, TermId::TRUE);
        }
        let check = self.icfg.locs[state.loc].error.as_ref();
        if check.is_some_and(|check| is_decided || (self.question.ends)(check)) {
            self.assume(at, ProductState { reading: Reading::Repetition, ..state }, TermId::TRUE);
        } else if check.is_none() && !self.observing.threads.is_empty() {
            self.waiting(at, state, pool);
        }
    }

    /// Is it the assumption that a check does not fail at which executions do not end?
    fn is_beside_check(&self, edge: EdgeId) -> bool {
        let data = &self.icfg.edges[edge];
        let error = |e: &EdgeId| self.icfg.locs[self.icfg.edges[*e].dst].error.as_ref();
        let is_assumption = matches!(data.label, Label::Stmt(Stmt::Assume(_))) && error(&edge).is_none();
        let beside = self.icfg.out_edges(data.src).iter().filter_map(error);
        is_assumption && beside.filter(|check| !(self.question.ends)(check)).count() > 0
    }

    /// Where threads may block.
    fn waiting(&mut self, at: LocId, state: ProductState, pool: &mut TermPool) {
        if self.sections.is_inside(state.loc) {
            return;
        }
        let out = self.icfg.out_edges(state.loc).to_vec();
        let level = state.level.max(1);
        let is_of_level = |e: &EdgeId| level > 1 && self.observing.threads[*e] == level - 2;
        let of_level: Vec<EdgeId> = out.iter().copied().filter(is_of_level).collect();
        let condition = self.sections.all_blocked(&out, pool).condition;
        if condition != TermId::FALSE && state.watch != Watch::Diverged {
            self.assume(at, ProductState { reading: Reading::Waiting, ..state }, condition);
        }
        let Blocked { condition, is_exact } = self.sections.all_blocked(&of_level, pool);
        if self.n_levels > 1 && level > 1 && condition != TermId::FALSE {
            let to = ProductState { level: self.next_level(level), reading: Reading::Nothing, ..state };
            // A thread that has no step here at all has not started, has ended, or has to let another finish an atomic
            // section.
            match of_level.is_empty() || is_exact && self.question.assumptions_wait {
                true => self.assume(at, to, condition),
                false => {
                    let why = "a thread that waits forever in a fair schedule".to_string();
                    let middle = self.add_location(state);
                    let blocked = Label::Stmt(Stmt::Assume(condition));
                    self.product.icfg.add_edge(at, middle, blocked, Span::NONE, Note::Hidden);
                    self.product.edges.push(None);
                    self.edge(middle, to, Label::Stmt(Stmt::Havoc(Vec::new(), Nondet::Overapproximation(why))), None);
                }
            }
        }
    }

    /// What a skipped call may have done.
    fn skip(
        &mut self,
        at: LocId,
        state: ProductState,
        edge: EdgeId,
        outcomes: &[super::observing::SkipOutcome],
        pool: &mut TermPool,
    ) {
        let from = match state.watch {
            Watch::Nothing => None,
            Watch::In(q) => Some(q),
            Watch::Diverged => {
                self.assume(at, ProductState { reading: Reading::Skip(edge, true), ..state }, TermId::TRUE);
                return;
            }
        };
        for outcome in outcomes.iter().filter(|o| o.from == from) {
            let watch = outcome.to.map_or(Watch::Nothing, Watch::In);
            let reading = Reading::Skip(edge, outcome.is_accepting);
            let condition = self.condition(outcome.guard, 0, pool);
            if condition != TermId::FALSE {
                self.assume(at, ProductState { watch, reading, ..state }, condition);
            }
            // It may have made the last observation.
            if self.stuttering.iter().any(|s| !s.is_empty()) && condition != TermId::FALSE {
                let reading = Reading::Skip(edge, true);
                self.assume(at, ProductState { watch: Watch::Diverged, reading, ..state }, condition);
            }
        }
    }

    /// An observation may be read one step later, if there is only one step and it changes nothing that is observed: an
    /// assumption that fails then spares the automaton the work.
    fn may_wait(&self, loc: LocId) -> Option<EdgeId> {
        let location = &self.icfg.locs[loc];
        let &[edge] = self.icfg.out_edges(loc) else { return None };
        let is_cut_off = self.question.goes_deeper && self.observing.deeper.contains(&edge);
        let is_plain =
            !location.is_loop_head && location.error.is_none() && !self.observing.silent[edge] && !is_cut_off;
        let changes = self.assigned(edge).iter().any(|v| self.relevant.contains(v));
        // A thread may block at an assumption forever.
        let has_threads = !self.observing.threads.is_empty();
        let data = &self.icfg.edges[edge];
        let is_assumption = matches!(data.label, Label::Stmt(Stmt::Assume(c)) if c != TermId::TRUE);
        let may_block = is_assumption || self.observing.sections.contains(&data.dst);
        let is_plain = is_plain && !(has_threads && may_block);
        (is_plain && !changes && !self.is_observed(edge, false)).then_some(edge)
    }

    fn assigned(&self, edge: EdgeId) -> Vec<VarId> {
        match &self.icfg.edges[edge].label {
            Label::Stmt(Stmt::Assign(pairs)) => pairs.iter().map(|p| p.0).collect(),
            Label::Stmt(Stmt::Havoc(vars, _)) => vars.clone(),
            _ => Vec::new(),
        }
    }

    /// The step that stands for all steps into the same location with the same events.
    fn representative(&self, edge: EdgeId) -> EdgeId {
        let own = self.observing.events[edge];
        let into = self.icfg.in_edges(self.icfg.edges[edge].dst);
        into.iter().copied().find(|&e| self.observing.events[e] == own).unwrap_or(edge)
    }

    fn is_observed(&self, edge: EdgeId, is_first: bool) -> bool {
        let data = &self.icfg.edges[edge];
        if self.observing.silent[edge] {
            // But every cycle has an observation, unless that is looked after otherwise.
            let may_diverge = self.question.observations.has_marked_steps || self.question.has_next;
            return !may_diverge && self.observing.inside[edge] && self.icfg.locs[data.dst].is_loop_head;
        }
        if data.note == Note::Step || self.observing.events[edge] != 0 {
            return true;
        }
        if self.question.observations.has_marked_steps || !self.observing.inside[edge] {
            return false;
        }
        let assigned = self.assigned(edge);
        let is_assignment = || assigned.iter().any(|v| self.of_source.contains(v));
        let is_visible = !data.note.is_hidden() && is_assignment() || matches!(data.note, Note::Branch(_));
        let changes = assigned.iter().any(|v| self.relevant.contains(v));
        // Without the last, an endless loop that does nothing would never be observed at all.
        let is_head = self.icfg.locs[data.dst].is_loop_head;
        if self.question.has_next || is_first {
            return is_visible || changes || is_first && is_head;
        }
        changes || is_head
    }

    /// A conjunction of literals in a step with these events.
    fn condition(&self, guard: Guard, events: u64, pool: &mut TermPool) -> TermId {
        let mut literals = Vec::new();
        for (p, value) in guard.literals() {
            literals.push(match self.question.observations.propositions[p] {
                Observed::State(t) if value => t,
                Observed::State(t) => pool.not(t),
                Observed::Call(_) | Observed::Return(_) | Observed::Mark(_) => match (events >> p & 1 == 1) == value {
                    true => TermId::TRUE,
                    false => TermId::FALSE,
                },
            });
        }
        pool.and(&literals)
    }

    fn read(&mut self, at: LocId, state: ProductState, pool: &mut TermPool) {
        let monitor = self.question.monitor;
        let from: Vec<usize> = match state.watch {
            Watch::In(q) => vec![q],
            Watch::Nothing => monitor.initial.clone(),
            Watch::Diverged => return,
        };
        let events = match state.reading {
            Reading::Step(step) => self.observing.events[step],
            _ => 0,
        };
        let mut seen: BTreeSet<(TermId, Option<usize>)> = BTreeSet::new();
        for q in from {
            for MonitorEdge { guard, target } in &monitor.edges[q] {
                let condition = self.condition(*guard, events, pool);
                if condition != TermId::FALSE && seen.insert((condition, Some(*target))) {
                    self.arrive(at, state, Watch::In(*target), condition);
                }
                for repeated in self.stuttering[*target].clone() {
                    // The state is repeated; what happened in the step happens once.
                    let later = self.condition(repeated, 0, pool);
                    let condition = pool.and2(condition, later);
                    if condition != TermId::FALSE && seen.insert((condition, None)) {
                        let to = ProductState { watch: Watch::Diverged, reading: Reading::Nothing, ..state };
                        self.assume(at, to, condition);
                    }
                }
            }
        }
    }

    /// The automaton has read something.
    fn arrive(&mut self, at: LocId, state: ProductState, watch: Watch, condition: TermId) {
        let is_accepting = matches!(watch, Watch::In(q) if self.question.monitor.accepting[q]);
        let (reading, level) = match (self.n_levels, state.level, is_accepting) {
            (1, level, true) => (Reading::Accepting, level),
            // With fairness the automaton's set is the first one.
            (2.., 0 | 1, true) => (Reading::Nothing, self.next_level(1)),
            (_, level, _) => (Reading::Nothing, level),
        };
        self.assume(at, ProductState { watch, reading, level, ..state }, condition);
    }
}
