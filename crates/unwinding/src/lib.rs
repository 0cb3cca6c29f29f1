//! Unwinding a graph until all its loops have ended, with all paths to a place merged.
//!
//! Locations are worked off in a weak topological order: a loop is unwound to its end, iteration by iteration, before
//! what comes after it, and there all ways out of it meet. So counters are constants in each iteration, and the work
//! grows with the iterations, not with the paths (Clarke, Kroening, Lerda: A tool for checking ANSI-C programs, 2004;
//! the merging is theirs).
//!
//! The state at a place is what variables hold ([`values`]), and a *guard*: conditions that hold in exactly the
//! executions that come there. Branches of one place exclude each other; where the program leaves the choice open,
//! fresh conditions make it. So at most one way into a place is taken, and the joined value is that of the way whose
//! guard holds. Conditions that two ways in do not share are merged where they complete each other, so guards stay
//! short.
//!
//! A check that an error location follows is not added to the guard of what comes after it. That makes no difference as
//! long as errors are looked at in the order in which they are found: what is possible only after an earlier error is
//! found with that error.
//!
//! This module asks no solver. [`Unwinder::next`] stops at errors, some at a time, and at a further iteration of a loop
//! whose guard is new, and is told whether an execution comes there. What symbols in a formula stand for is added by
//! [`Unwinder::cone`]: only what a question depends on.

pub mod order;
mod outlook;
mod range;
mod values;

use crate::order::{Element, weak_topological_order};
pub use crate::outlook::Outlook;
use crate::outlook::Progress;
use base::{Budget, IdVec, SharedMap};
use ir::{Edge, EdgeId, Icfg, Label, LocId, Note, Reason, Stmt, Transition, VarId, VarIndex, primed};
use logic::{FastMap, FastSet, Model, Op, SortId, Substitution, TermId, TermPool, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use values::{Cells, Known, Scalar, Val, Values};

type Env = SharedMap<VarId, Val>;

/// Conditions, sorted. All of them hold.
type Guard = Rc<Vec<TermId>>;

/// A way into a place.
#[derive(Clone)]
struct Step {
    pred: usize,
    edge: EdgeId,
    guard: Guard,
    env: Env,
    known: Known,
    chosen: Vec<(VarId, TermId)>,
}

/// A place that was passed, to find the way of an execution back.
struct Node {
    incoming: Vec<Incoming>,
}

struct Incoming {
    pred: usize,
    edge: EdgeId,
    guard: Guard,
    chosen: Vec<(VarId, TermId)>,
}

impl Step {
    fn incoming(self) -> Incoming {
        Incoming { pred: self.pred, edge: self.edge, guard: self.guard, chosen: self.chosen }
    }
}

struct State {
    node: usize,
    guard: Guard,
    env: Env,
    known: Known,
}

/// An error that paths lead to, and when.
pub struct Error {
    pred: usize,
    edge: EdgeId,
    chosen: Vec<(VarId, TermId)>,
    /// In which executions.
    pub when: TermId,
}

/// What a block does to the variables that it assigns.
#[derive(Default)]
struct Effect {
    values: Vec<(VarId, Val)>,
    chosen: Vec<(VarId, TermId)>,
}

/// Values of symbols other than variables.
type Primes = BTreeMap<TermId, Val>;

/// What [`Unwinder::next`] stopped at.
pub enum Event {
    /// The errors of these numbers, in the order in which they were found.
    Errors(Vec<usize>),
    /// One more iteration of a loop.
    Iteration {
        /// When it is made.
        when: TermId,
        /// How many iterations the loop has had of which that had to be asked.
        count: u32,
        /// How many times its head was passed since it was entered.
        passes: u32,
        /// That head.
        head: LocId,
        /// Does its end seem to come nearer?
        outlook: Outlook,
    },
    /// A loop whose number of iterations depends on nothing passes its limit, or surely will.
    TooMany,
    Done,
}

/// Where paths go no further, how many conditions are looked at where others meet.
const MAX_ENDS: usize = 8;
/// Branches of one place are compared with each other up to this number.
const MAX_BRANCHES: usize = 8;
/// A loop of which more iterations seem to be left is given up, after some; before, it may be getting faster. Tables
/// with 2^16 entries are still worked through; more iterations took the whole time and came to no end.
const VERY_MANY: i128 = 70_000;
const SOME_PASSES: u32 = 100;
/// Longer conjunctions, or more of them, are not looked at for what they have in common.
const MAX_CONDITIONS: usize = 96;

pub struct Unwinder<'a> {
    icfg: &'a Icfg,
    index: VarIndex,
    /// Positions in the weak topological order, and the last one in the loop of a head.
    position: IdVec<LocId, u32>,
    at: Vec<LocId>,
    end: FastMap<u32, u32>,
    /// The heads of the loops that an edge leaves, other than to an error.
    leaves: FastMap<EdgeId, Vec<u32>>,
    /// The heads of loops that no edge leaves.
    endless: FastSet<u32>,
    pending: BTreeMap<u32, Vec<Step>>,
    again: BTreeMap<u32, Vec<Step>>,
    /// Loops that are being unwound, by the positions of their heads.
    iterations: FastMap<u32, Iterations>,
    waiting: Option<(u32, State)>,
    /// Errors that were not asked about. They are before an iteration is, which may depend on what they exclude.
    open: Vec<usize>,
    asked: Option<Event>,
    nodes: Vec<Node>,
    pub errors: Vec<Error>,
    values: Values,
    /// Guards that no execution satisfies.
    ends: Vec<Guard>,
    /// Terms whose symbols are explained.
    explained: FastSet<TermId>,
    /// How many iterations were made.
    pub n_iterations: u32,
    /// The most passes of one head from entering its loop to leaving it.
    pub most_passes: u32,
    /// Some execution seems to stay in a loop in which nothing changes. That is no error, but no end either.
    pub has_standstill: bool,
    max_passes: u32,
}

#[derive(Clone, Default)]
struct Iterations {
    /// Of the last one.
    guard: Guard,
    env: Env,
    passes: u32,
    /// How many had another guard than the one before.
    count: u32,
    progress: Progress,
}

fn incomplete(what: &str) -> Reason {
    Reason::Incomplete(what.to_string())
}

impl<'a> Unwinder<'a> {
    /// `max_passes`: of one head from entering its loop to leaving it; that of [`Event::Iteration`] is left to the
    /// caller.
    pub fn new(pool: &mut TermPool, icfg: &'a Icfg, max_passes: u32) -> Unwinder<'a> {
        let successors = |loc: LocId| icfg.out_edges(loc).iter().map(|&e| icfg.edges[e].dst).collect();
        let order = weak_topological_order(icfg.locs.len(), icfg.entry(), &successors);
        let mut unwinder = Unwinder {
            icfg,
            index: VarIndex::new(icfg),
            position: IdVec::from_elem(u32::MAX, icfg.locs.len()),
            at: Vec::new(),
            end: FastMap::default(),
            leaves: FastMap::default(),
            endless: FastSet::default(),
            pending: BTreeMap::new(),
            again: BTreeMap::new(),
            iterations: FastMap::default(),
            waiting: None,
            open: Vec::new(),
            asked: None,
            nodes: Vec::new(),
            errors: Vec::new(),
            values: Values::default(),
            ends: Vec::new(),
            explained: FastSet::default(),
            n_iterations: 0,
            most_passes: 0,
            has_standstill: false,
            max_passes,
        };
        unwinder.number(&order);
        unwinder.find_exits();
        let mut env = Env::new();
        for (v, var) in icfg.vars.iter() {
            let value = match pool.array_parts(var.sort) {
                Some(_) => Val::Array(Rc::new(Cells { base: var.term, cells: SharedMap::new() })),
                None => Val::Scalar(Scalar::new(var.term)),
            };
            env.insert(v, value);
        }
        unwinder.nodes.push(Node { incoming: Vec::new() });
        let start = State { node: 0, guard: Rc::new(Vec::new()), env, known: Known::new() };
        unwinder.waiting = Some((unwinder.position[icfg.entry()], start));
        unwinder
    }

    fn number(&mut self, elements: &[Element]) {
        for element in elements {
            let place = self.at.len() as u32;
            match element {
                Element::Location(loc) => {
                    self.position[*loc] = place;
                    self.at.push(*loc);
                }
                Element::Component(head, body) => {
                    self.position[*head] = place;
                    self.at.push(*head);
                    self.number(body);
                    self.end.insert(place, self.at.len() as u32 - 1);
                }
            }
        }
    }

    /// Which edges leave which loops.
    fn find_exits(&mut self) {
        let mut loops: Vec<(u32, u32)> = self.end.iter().map(|(&head, &end)| (head, end)).collect();
        loops.sort_unstable();
        self.endless = loops.iter().map(|l| l.0).collect();
        for (e, edge) in self.icfg.edges.iter() {
            let (from, to) = (self.position[edge.src], self.position[edge.dst]);
            if from == u32::MAX || self.icfg.locs[edge.dst].error.is_some() {
                continue;
            }
            // Loops that begin after the edge do not have it inside.
            let around = loops[..loops.partition_point(|l| l.0 <= from)].iter().filter(|l| from <= l.1);
            // Executions may also end where nothing but an assumption leads on.
            let may_end = matches!(edge.label, Label::Stmt(Stmt::Assume(c)) if c != TermId::TRUE)
                && edge.note != Note::Fact
                && self.icfg.out_edges(edge.src).len() == 1;
            let mut left = Vec::new();
            for &(head, end) in around {
                let is_left = to < head || end < to;
                if is_left {
                    left.push(head);
                }
                if is_left || may_end {
                    self.endless.remove(&head);
                }
            }
            if !left.is_empty() {
                self.leaves.insert(e, left);
            }
        }
    }

    /// Goes on to the next event. After [`Event::Iteration`] the answer is due first, by [`Self::answer`].
    pub fn next(&mut self, pool: &mut TermPool, budget: &Budget) -> Result<Event, Reason> {
        loop {
            if let Some(event) = self.asked.take() {
                return Ok(event);
            }
            budget.check_now()?;
            if let Some((place, state)) = self.waiting.take() {
                self.enter_loop(pool, place, &state);
                self.expand(pool, place, state)?;
                continue;
            }
            let next = self.pending.first_key_value().map(|(&place, _)| place);
            let head = self.again.last_key_value().map(|(&place, _)| place);
            match (next, head) {
                (None, None) if !self.open.is_empty() => return Ok(Event::Errors(std::mem::take(&mut self.open))),
                (None, None) => return Ok(Event::Done),
                (Some(place), head) if head.is_none_or(|h| place <= self.end[&h]) => {
                    let steps = self.pending.remove(&place).unwrap_or_default();
                    let state = self.enter(pool, steps);
                    self.enter_loop(pool, place, &state);
                    self.expand(pool, place, state)?;
                }
                (_, Some(head)) => {
                    let steps = self.again.remove(&head).unwrap_or_default();
                    let state = self.enter(pool, steps);
                    self.n_iterations += 1;
                    let mut loop_ = self.iterations.remove(&head).unwrap_or_default();
                    loop_.passes += 1;
                    let is_asked = loop_.guard != state.guard || self.endless.contains(&head);
                    // The states here are those of the iteration before: what they lead to has been looked at.
                    if loop_.guard == state.guard && is_same(&loop_.env, &state.env) {
                        self.has_standstill = true;
                        continue;
                    }
                    let outlook = match self.endless.contains(&head) {
                        true => Outlook::Far,
                        false => loop_.progress.outlook(pool, &mut self.values, &loop_.guard, &state),
                    };
                    let is_hopeless =
                        !is_asked && loop_.passes > SOME_PASSES && loop_.progress.remaining() > Some(VERY_MANY);
                    loop_.progress.next(pool);
                    loop_.env = state.env.clone();
                    loop_.guard = state.guard.clone();
                    loop_.count += u32::from(is_asked);
                    let (count, passes) = (loop_.count, loop_.passes);
                    self.iterations.insert(head, loop_);
                    if is_asked {
                        let when = pool.and(&state.guard);
                        self.waiting = Some((head, state));
                        let asked = Event::Iteration { when, count, passes, head: self.at[head as usize], outlook };
                        if self.open.is_empty() {
                            return Ok(asked);
                        }
                        self.asked = Some(asked);
                        return Ok(Event::Errors(std::mem::take(&mut self.open)));
                    }
                    if is_hopeless || passes > self.max_passes {
                        return Ok(Event::TooMany);
                    }
                    self.most_passes = self.most_passes.max(passes);
                    self.expand(pool, head, state)?;
                }
                (Some(_), None) => return Err(Reason::Internal("a place of the unwinding is lost".to_string())),
            }
        }
    }

    /// Is the iteration made that [`Self::next`] stopped at? `None`: nobody knows, and it is left out.
    pub fn answer(&mut self, pool: &mut TermPool, is_made: Option<bool>) -> Result<(), Reason> {
        let Some((head, state)) = self.waiting.take() else { return Ok(()) };
        match is_made {
            Some(true) => {
                let passes = self.iterations.get(&head).map_or(0, |l| l.passes);
                self.most_passes = self.most_passes.max(passes);
                self.expand(pool, head, state)?;
            }
            Some(false) => self.ends.push(state.guard),
            None => {}
        }
        Ok(())
    }

    /// Counts anew at the head of a loop.
    fn enter_loop(&mut self, pool: &TermPool, place: u32, state: &State) {
        if self.end.contains_key(&place) {
            self.n_iterations += 1;
            self.most_passes = self.most_passes.max(1);
            let entered = Iterations {
                guard: state.guard.clone(),
                env: state.env.clone(),
                passes: 1,
                count: 0,
                progress: Progress::new(pool),
            };
            self.iterations.insert(place, entered);
        }
    }

    // ---- guards ----

    /// The conditions that all ways in share, and for each way when it is the one that is taken.
    fn merge(&mut self, pool: &mut TermPool, guards: &[Guard]) -> (Vec<TermId>, Vec<TermId>) {
        let mut common: Vec<TermId> = (*guards[0]).clone();
        for guard in &guards[1..] {
            common.retain(|c| guard.binary_search(c).is_ok());
        }
        let rest = |guard: &Guard| -> Vec<TermId> {
            guard.iter().copied().filter(|c| common.binary_search(c).is_err()).collect()
        };
        let rests: Vec<Vec<TermId>> = guards.iter().map(rest).collect();
        let mut selectors = Vec::with_capacity(rests.len());
        for rest in &rests {
            let all = pool.and(rest);
            selectors.push(self.values.named(pool, all));
        }
        // What cannot happen completes the rest.
        let mut left: BTreeSet<Vec<TermId>> = rests.into_iter().collect();
        for end in self.ends.iter().rev().take(MAX_ENDS) {
            if common.iter().all(|c| end.binary_search(c).is_ok()) {
                left.insert(rest(end));
            }
        }
        while let Some((a, b, merged)) = completing(pool, &left) {
            left.remove(&a);
            left.remove(&b);
            left.insert(merged);
        }
        if !left.contains(&Vec::new()) {
            let mut ways = Vec::with_capacity(left.len());
            for way in &left {
                let all = pool.and(way);
                ways.push(self.values.named(pool, all));
            }
            let one = pool.or(&ways);
            if one != TermId::TRUE {
                let name = self.values.named(pool, one);
                let at = common.binary_search(&name).unwrap_or_else(|at| at);
                common.insert(at, name);
            }
        }
        (common, selectors)
    }

    /// The state at a place with these ways in.
    fn enter(&mut self, pool: &mut TermPool, mut steps: Vec<Step>) -> State {
        let node = self.nodes.len();
        if steps.len() == 1
            && let Some(step) = steps.pop()
        {
            let state = State { node, guard: step.guard.clone(), env: step.env.clone(), known: step.known.clone() };
            self.nodes.push(Node { incoming: vec![step.incoming()] });
            return state;
        }
        let guards: Vec<Guard> = steps.iter().map(|s| s.guard.clone()).collect();
        let (guard, selectors) = self.merge(pool, &guards);
        let first = steps[0].env.clone();
        let mut changed: Vec<VarId> = Vec::new();
        for step in &steps[1..] {
            changed.extend(first.differing_keys(&step.env).into_iter().copied());
        }
        changed.sort_unstable();
        changed.dedup();
        let mut env = first;
        for v in changed {
            let values: Vec<Val> = steps.iter().filter_map(|s| s.env.get(&v).cloned()).collect();
            let joined = match &values[0] {
                Val::Scalar(_) => {
                    let scalars: Vec<Scalar> = values.iter().map(|v| self.values.scalar(pool, v)).collect();
                    Val::Scalar(self.values.join(pool, &selectors, &scalars))
                }
                Val::Array(_) => {
                    let arrays: Vec<Rc<Cells>> = values
                        .into_iter()
                        .filter_map(|v| if let Val::Array(cells) = v { Some(cells) } else { None })
                        .collect();
                    let when = pool.and(&guard);
                    Val::Array(self.values.join_arrays(pool, when, &selectors, &arrays))
                }
            };
            env.insert(v, joined);
        }
        let mut known = steps[0].known.clone();
        for step in &steps[1..] {
            let differing: Vec<TermId> = known.differing_keys(&step.known).into_iter().copied().collect();
            for t in differing {
                match (known.get(&t).copied(), step.known.get(&t)) {
                    (Some((a, b)), Some(&(c, d))) if !pool.is_bool(t) => known.insert(t, (a.min(c), b.max(d))),
                    _ => known.remove(&t),
                };
            }
        }
        let incoming = steps.into_iter().map(Step::incoming).collect();
        self.nodes.push(Node { incoming });
        State { node, guard: Rc::new(guard), env, known }
    }

    // ---- steps ----

    /// The value of a term of the program, in which other symbols than variables may have values, too.
    fn evaluate(&mut self, pool: &mut TermPool, state: &State, primes: &Primes, t: TermId) -> Val {
        let index = &self.index;
        let variable = |s: TermId| match index.var(s) {
            Some(v) => state.env.get(&v).cloned(),
            None => primes.get(&s).cloned(),
        };
        if let Some(value) = self.values.evaluate(pool, &state.known, t, variable) {
            return value;
        }
        // Under quantifiers terms are just put in.
        let mut substitution = Substitution::new();
        for v in self.index.vars_of(pool, &[t]) {
            if let Some(value) = state.env.get(&v) {
                let value = self.values.scalar(pool, value).term;
                substitution.insert(self.icfg.vars[v].term, value);
            }
        }
        for (&symbol, value) in primes {
            let value = self.values.scalar(pool, value).term;
            substitution.insert(symbol, value);
        }
        let term = substitution.apply(pool, t);
        match pool.array_parts(pool.sort(term)) {
            Some(_) => Val::Array(Rc::new(Cells { base: term, cells: SharedMap::new() })),
            None => Val::Scalar(Scalar::new(term)),
        }
    }

    fn condition(&mut self, pool: &mut TermPool, state: &State, condition: TermId) -> TermId {
        let value = self.evaluate(pool, state, &Primes::default(), condition);
        let condition = self.values.scalar(pool, &value).term;
        self.values.fold(pool, &state.known, condition)
    }

    /// What a block does: its formula over any values for the variables that it assigns.
    fn block(&mut self, pool: &mut TermPool, state: &State, transition: &Transition) -> (TermId, Effect) {
        let mut effect = Effect::default();
        let mut primes = Primes::default();
        for &v in &transition.assigned {
            let (value, chosen) = self.fresh(pool, &self.icfg.vars[v].name, self.icfg.vars[v].sort);
            primes.insert(primed(pool, self.icfg.vars[v].term), value.clone());
            effect.values.push((v, value));
            effect.chosen.push((v, chosen));
        }
        for &aux in &transition.aux {
            let (value, _) = self.fresh(pool, "aux", pool.sort(aux));
            primes.insert(aux, value);
        }
        let value = self.evaluate(pool, state, &primes, transition.formula);
        let condition = self.values.scalar(pool, &value).term;
        (self.values.fold(pool, &state.known, condition), effect)
    }

    fn fresh(&self, pool: &mut TermPool, name: &str, sort: SortId) -> (Val, TermId) {
        let symbol = pool.fresh_constant(name, sort);
        let value = match pool.array_parts(sort) {
            Some(_) => Val::Array(Rc::new(Cells { base: symbol, cells: SharedMap::new() })),
            None => Val::Scalar(Scalar::new(symbol)),
        };
        (value, symbol)
    }

    /// The steps from a place.
    fn expand(&mut self, pool: &mut TermPool, place: u32, state: State) -> Result<(), Reason> {
        let icfg = self.icfg;
        let loc = self.at[place as usize];
        let mut ways: Vec<(EdgeId, TermId, Effect)> = Vec::new();
        for &edge in icfg.out_edges(loc) {
            let (condition, effect) = match &icfg.edges[edge].label {
                Label::Stmt(Stmt::Assume(condition)) => (self.condition(pool, &state, *condition), Effect::default()),
                Label::Block(transition) => self.block(pool, &state, transition),
                _ => (TermId::TRUE, Effect::default()),
            };
            if condition != TermId::FALSE {
                ways.push((edge, condition, effect));
            } else if self.leaves.contains_key(&edge) {
                self.stays(pool, &state, edge);
            }
        }
        // Fresh conditions where the branches do not exclude each other.
        let conditions: Vec<TermId> = ways.iter().map(|w| w.1).collect();
        let mut choices = vec![TermId::TRUE; ways.len()];
        if ways.len() > 1 && !exclude_each_other(pool, &conditions) {
            let mut before: Vec<TermId> = Vec::new();
            for (i, choice) in choices.iter_mut().enumerate() {
                let mut parts = before.clone();
                if i + 1 < ways.len() {
                    let fresh = pool.fresh_constant("choice", logic::SortId::BOOL);
                    parts.push(fresh);
                    before.push(pool.not(fresh));
                }
                let all = pool.and(&parts);
                *choice = self.values.named(pool, all);
            }
        }
        let leads_to_error = |edge: EdgeId| icfg.locs[icfg.edges[edge].dst].error.is_some();
        let is_check = ways.len() == 2
            && ways.iter().filter(|w| leads_to_error(w.0)).count() == 1
            && choices[0] == TermId::TRUE
            && pool.not(conditions[0]) == conditions[1];
        for ((edge, condition, effect), choice) in ways.into_iter().zip(choices) {
            let label = &icfg.edges[edge];
            if leads_to_error(edge) {
                let mut parts = (*state.guard).clone();
                parts.extend([condition, choice]);
                let when = pool.and(&parts);
                if when != TermId::FALSE {
                    self.open.push(self.errors.len());
                    self.errors.push(Error { pred: state.node, edge, chosen: effect.chosen, when });
                }
                continue;
            }
            let mut known = state.known.clone();
            if condition != TermId::TRUE {
                self.values.learn(pool, &mut known, condition, true);
            }
            let mut guard = state.guard.clone();
            let condition =
                if is_check || self.is_range_of_choice(icfg, pool, label) { TermId::TRUE } else { condition };
            for part in [condition, choice] {
                guard = add(pool, &guard, part);
            }
            if guard.first() == Some(&TermId::FALSE) {
                continue;
            }
            let mut step = Step { pred: state.node, edge, guard, env: state.env.clone(), known, chosen: effect.chosen };
            for (v, value) in effect.values {
                step.env.insert(v, value);
            }
            match &label.label {
                // Nobody can interfere: graphs with threads are not unwound.
                Label::Stmt(Stmt::Assume(_)) | Label::Block(_) | Label::AtomicBegin | Label::AtomicEnd => {}
                Label::Stmt(Stmt::Assign(pairs)) => {
                    for &(v, t) in pairs {
                        let value = self.evaluate(pool, &state, &Primes::default(), t);
                        step.env.insert(v, value);
                    }
                }
                Label::Stmt(Stmt::Havoc(vars, _)) => {
                    for &v in vars {
                        let (value, chosen) = self.any(pool, v, label);
                        step.env.insert(v, value);
                        step.chosen.push((v, chosen));
                    }
                }
                Label::Call(_) | Label::Return(_) | Label::Fork { .. } | Label::Join { .. } => {
                    return Err(incomplete("a step that is not unwound"));
                }
            }
            let dst = label.dst;
            let place = self.position[dst];
            // An edge against the order enters the head of a loop around its source.
            if place <= self.position[loc] {
                self.again.entry(place).or_default().push(step);
            } else {
                self.pending.entry(place).or_default().push(step);
            }
        }
        Ok(())
    }

    /// Constants decide that an edge out of a loop is not taken: how far they are from deciding otherwise.
    fn stays(&mut self, pool: &mut TermPool, state: &State, edge: EdgeId) {
        let Label::Stmt(Stmt::Assume(condition)) = self.icfg.edges[edge].label else { return };
        let atom = if pool.op(condition) == Op::Not { pool.arg(condition, 0) } else { condition };
        let &[a, b] = pool.args(atom) else { return };
        let mut number = |t: TermId| {
            let value = self.evaluate(pool, state, &Primes::default(), t);
            let term = self.values.scalar(pool, &value).term;
            range::number(pool, term)
        };
        let (Some(a), Some(b)) = (number(a), number(b)) else { return };
        for head in &self.leaves[&edge] {
            if let Some(loop_) = self.iterations.get_mut(head) {
                loop_.progress.stays(edge, (a - b).abs());
            }
        }
    }

    /// Any value for a variable. Words that the next statement restricts to a range have no more bits than that.
    fn any(&mut self, pool: &mut TermPool, v: VarId, edge: &Edge) -> (Val, TermId) {
        let var = &self.icfg.vars[v];
        if pool.array_parts(var.sort).is_some() {
            return self.fresh(pool, &var.name, var.sort);
        }
        let restricted = self.range_after(pool, v, edge.dst);
        let term = match (pool.bitvec_width(var.sort), restricted) {
            (Some(width), Some((low, high))) => {
                let bits = |n: i128| 128 - n.leading_zeros();
                let (needed, op): (u32, fn(u32) -> Op) = if low >= 0 {
                    (bits(high).max(1), Op::BvZeroExt)
                } else {
                    (bits(high.max(-1 - low)) + 1, Op::BvSignExt)
                };
                if needed < width {
                    let sort = pool.bitvec_sort(needed);
                    let bits = pool.fresh_constant(&var.name, sort);
                    pool.bv(op(width - needed), &[bits])
                } else {
                    pool.fresh_constant(&var.name, var.sort)
                }
            }
            _ => pool.fresh_constant(&var.name, var.sort),
        };
        if let Some((low, high)) = restricted {
            // The restriction is stated once, with the symbol.
            let symbol = if pool.args(term).is_empty() { term } else { pool.arg(term, 0) };
            let (low, high) = (values::literal(pool, var.sort, low), values::literal(pool, var.sort, high));
            let within = if pool.bitvec_width(var.sort).is_some() {
                let above = pool.bv(Op::BvSle, &[low, term]);
                let below = pool.bv(Op::BvSle, &[term, high]);
                [above, below]
            } else {
                [pool.le(low, term), pool.le(term, high)]
            };
            for condition in within {
                let folded = self.values.fold(pool, &Known::new(), condition);
                if folded != TermId::TRUE {
                    self.values.define(symbol, folded);
                }
            }
        }
        (Val::Scalar(Scalar::new(term)), term)
    }

    /// The range that the only statement at a location restricts a variable to that was just chosen.
    fn range_after(&mut self, pool: &mut TermPool, v: VarId, loc: LocId) -> Option<(i128, i128)> {
        let [edge] = *self.icfg.out_edges(loc) else { return None };
        let Label::Stmt(Stmt::Assume(condition)) = &self.icfg.edges[edge].label else { return None };
        let term = self.icfg.vars[v].term;
        let mut known = Known::new();
        let parts = pool.conjuncts(*condition);
        let is_bound = |pool: &TermPool, part: TermId| {
            let atom = if pool.op(part) == Op::Not { pool.arg(part, 0) } else { part };
            pool.args(atom).len() == 2
                && pool.args(atom).contains(&term)
                && pool.args(atom).iter().any(|&a| pool.is_value(a))
        };
        if !parts.iter().all(|&part| is_bound(pool, part)) {
            return None;
        }
        for _ in 0..2 {
            for &part in &parts {
                self.values.learn(pool, &mut known, part, true);
            }
        }
        let &(low, high) = known.get(&term)?;
        // Exactly this range, not more than it: every number in it satisfies the statement.
        if low == i128::MIN || high == i128::MAX {
            return None;
        }
        let inside = Known::from_iter([(term, (low, high))]);
        parts.iter().all(|&part| self.values.fold(pool, &inside, part) == TermId::TRUE).then_some((low, high))
    }

    /// Is this the statement after a choice that restricts it, and was that stated with the symbol?
    fn is_range_of_choice(&mut self, icfg: &Icfg, pool: &mut TermPool, edge: &Edge) -> bool {
        let Label::Stmt(Stmt::Assume(_)) = &edge.label else { return false };
        let [into] = *icfg.in_edges(edge.src) else { return false };
        let Label::Stmt(Stmt::Havoc(vars, _)) = &icfg.edges[into].label else { return false };
        let [v] = vars[..] else { return false };
        self.range_after(pool, v, edge.src).is_some()
    }

    // ---- questions ----

    /// What the symbols in a formula stand for, as far as it was not told before: to be asserted with it.
    pub fn cone(&mut self, pool: &TermPool, formula: TermId) -> Vec<TermId> {
        let mut told = Vec::new();
        let mut open = vec![formula];
        while let Some(t) = open.pop() {
            if !self.explained.insert(t) {
                continue;
            }
            open.extend_from_slice(pool.args(t));
            if let Some(definitions) = self.values.definitions.get(&t) {
                told.extend_from_slice(definitions);
                open.extend_from_slice(definitions);
            }
        }
        told
    }

    /// What all symbols stand for, as far as it was not told before.
    pub fn all_definitions(&mut self, pool: &TermPool) -> Vec<TermId> {
        let mut symbols: Vec<TermId> = self.values.definitions.keys().copied().collect();
        symbols.sort_unstable();
        symbols.into_iter().flat_map(|symbol| self.cone(pool, symbol)).collect()
    }

    /// The error location of an error.
    pub fn location(&self, error: usize) -> LocId {
        self.icfg.edges[self.errors[error].edge].dst
    }

    /// The execution to an error in a model: its edges, with the terms of the values that were chosen on the way.
    pub fn path_to(&self, pool: &TermPool, model: &Model, error: usize) -> Option<Vec<ir::passive::PathStep>> {
        let mut memo = FastMap::default();
        let error = &self.errors[error];
        let mut steps = vec![(error.edge, error.chosen.clone())];
        let mut at = error.pred;
        while !self.nodes[at].incoming.is_empty() {
            let way = self.nodes[at].incoming.iter().find(|way| {
                way.guard.iter().all(|&c| matches!(model.eval_memo(pool, c, &mut memo), Ok(Value::Bool(true))))
            })?;
            steps.push((way.edge, way.chosen.clone()));
            at = way.pred;
        }
        steps.reverse();
        Some(steps)
    }
}

/// Do variables hold the same?
fn is_same(a: &Env, b: &Env) -> bool {
    a.differing_keys(b).into_iter().all(|v| match (a.get(v), b.get(v)) {
        (Some(Val::Array(a)), Some(Val::Array(b))) => a.base == b.base && a.cells.differing_keys(&b.cells).is_empty(),
        (a, b) => a == b,
    })
}

/// A guard with one more condition; `false` alone if it contradicts another.
fn add(pool: &mut TermPool, guard: &Guard, condition: TermId) -> Guard {
    if condition == TermId::TRUE {
        return guard.clone();
    }
    let mut all = (**guard).clone();
    for part in pool.conjuncts(condition) {
        let not = pool.not(part);
        if all.binary_search(&not).is_ok() || part == TermId::FALSE {
            return Rc::new(vec![TermId::FALSE]);
        }
        if let Err(at) = all.binary_search(&part) {
            all.insert(at, part);
        }
    }
    Rc::new(all)
}

/// Two conjunctions that differ in one condition only, which is true in one and false in the other: together they are
/// what they share.
fn completing(
    pool: &mut TermPool,
    conjunctions: &BTreeSet<Vec<TermId>>,
) -> Option<(Vec<TermId>, Vec<TermId>, Vec<TermId>)> {
    let mut by_length: Vec<&Vec<TermId>> = conjunctions.iter().filter(|c| c.len() <= MAX_CONDITIONS).collect();
    if by_length.len() > MAX_CONDITIONS {
        return None;
    }
    by_length.sort_by_key(|c| std::cmp::Reverse(c.len()));
    for a in by_length {
        for (i, &condition) in a.iter().enumerate().rev() {
            let not = pool.not(condition);
            let mut other = a.clone();
            other.remove(i);
            let merged = other.clone();
            let at = other.binary_search(&not).unwrap_or_else(|at| at);
            other.insert(at, not);
            if conjunctions.contains(&other) {
                return Some((a.clone(), other, merged));
            }
        }
    }
    None
}

/// Is at most one of these conditions true, as can be seen at once?
fn exclude_each_other(pool: &mut TermPool, conditions: &[TermId]) -> bool {
    if let [a, b] = conditions {
        return pool.and2(*a, *b) == TermId::FALSE;
    }
    // One number compared with different constants, and none of these.
    let mut subject = None;
    let mut constants = FastSet::default();
    let mut others = Vec::new();
    for &c in conditions {
        let constant = match pool.op(c) {
            Op::Eq => (0..2).find(|&i| pool.is_value(pool.arg(c, i))).map(|i| (pool.arg(c, i), pool.arg(c, 1 - i))),
            _ => None,
        };
        match constant {
            Some((constant, of)) if subject.is_none_or(|s| s == of) => {
                subject = Some(of);
                if !constants.insert(constant) {
                    return false;
                }
            }
            _ => others.push(c),
        }
    }
    match others[..] {
        [] => return true,
        [other] => {
            let parts: FastSet<TermId> = pool.conjuncts(other).into_iter().collect();
            let mut equations = conditions.iter().copied().filter(|&c| c != other);
            if equations.all(|c| parts.contains(&pool.not(c))) {
                return true;
            }
        }
        _ => {}
    }
    conditions.len() <= MAX_BRANCHES
        && (0..conditions.len()).all(|i| (0..i).all(|j| pool.and2(conditions[i], conditions[j]) == TermId::FALSE))
}
