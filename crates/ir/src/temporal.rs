//! The product of a program with an automaton that reads its observations.
//!
//! A temporal property is violated by an infinite sequence of observations that the automaton of the negated formula accepts. The
//! product graph has a location for each location of the program and each state of the automaton; a step of the program that is
//! observed is followed by an assumption, the guard of an edge of the automaton, which reads the state after the step. The graph's
//! infinite executions that pass accepting locations infinitely often ([`Icfg::acceptance`]) are the violations. (Dietsch, Heizmann,
//! Langenfeld, Podelski: "Fairness Modulo Theory: A New Approach to LTL Software Model Checking", CAV 2015.)
//!
//! *What is observed.* Nothing before the entry procedure starts. If the program marks its steps ([`Note::Step`]), those. Else every
//! assignment of a variable of the source and every branch is a step. A formula without `X` cannot see how often a state is
//! repeated, so then only steps that may change a proposition are observed, the first one, and every arrival at a loop head, so that
//! infinite executions have infinitely many observations.
//!
//! *Executions that end* repeat their last state for ever: [`endless`] makes the end of a program an endless loop. An assumption that
//! fails is no end: such an execution does not exist.
//!
//! *Executions that make no marked step any more* leave the automaton where it is: they violate the property if that state is
//! accepting.

use crate::dataflow::VarIndex;
use crate::icfg::{EdgeId, Icfg, Label, LocId};
use crate::inline::{EdgeRole, InlineMap};
use crate::program::{Check, InstrKind, Note, Observations, Observed, ProcId, Program, Stmt, VarId};
use base::{IdVec, Span};
use logic::{FastMap, FastSet, TermId, TermPool};
use std::collections::BTreeSet;

/// A Büchi automaton whose guards are conjunctions of literals over the propositions of [`Observations`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Monitor {
    pub initial: Vec<usize>,
    pub accepting: Vec<bool>,
    /// The edges of each state.
    pub edges: Vec<Vec<MonitorEdge>>,
}

/// An edge of a [`Monitor`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MonitorEdge {
    /// Propositions with their truth values.
    pub guard: Vec<(usize, bool)>,
    pub target: usize,
}

/// What a location of the product stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ProductState {
    pub loc: LocId,
    /// `None`: nothing has been observed yet.
    pub monitor: Option<usize>,
    pub reading: Reading,
}

/// What the automaton has yet to read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reading {
    Nothing,
    /// The observation made by this step.
    Step(EdgeId),
    /// The last observation again, of an execution that failed a check.
    Repetition,
}

/// The product graph and the way back.
#[derive(Clone, Debug)]
pub struct Product {
    pub icfg: Icfg,
    /// The program's edge; `None`: the automaton reads an observation.
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
            ProductError::NotPlain => f.write_str("temporal properties of recursive programs or threads"),
            ProductError::TooLarge(n) => write!(f, "the product with the automaton has more than {n} locations"),
        }
    }
}

const MAX_LOCATIONS: usize = 400_000;

/// Makes the end of every execution an endless loop of observed steps: where the program stops, and where its entry procedures
/// return. Says whether the program has marked steps of its own.
pub fn endless(program: &mut Program) -> bool {
    let is_marked = |note: Note| note == Note::Step;
    let has_marks =
        program.procs.values().filter_map(|p| p.body.as_ref()).any(|b| b.instrs.iter().any(|i| is_marked(i.note)));
    let entries: BTreeSet<ProcId> = program.entries.iter().copied().collect();
    for (id, procedure) in program.procs.iter_mut() {
        let Some(body) = &mut procedure.body else { continue };
        let returns = |kind: &InstrKind| matches!(kind, InstrKind::Return) && entries.contains(&id);
        let stops = |kind: &InstrKind| matches!(kind, InstrKind::Goto(targets) if targets.is_empty());
        let needs_loop = entries.contains(&id) || body.instrs.iter().any(|i| stops(&i.kind));
        if !needs_loop {
            continue;
        }
        let end = body.new_label();
        for instr in &mut body.instrs {
            if returns(&instr.kind) || stops(&instr.kind) {
                instr.kind = InstrKind::Goto(vec![end]);
            }
        }
        if !entries.contains(&id) {
            // Falling off the end still returns.
            body.push_noted(InstrKind::Return, Span::NONE, Note::Hidden);
        }
        body.label(end, Span::NONE);
        body.push_noted(InstrKind::Stmt(Stmt::Assume(TermId::TRUE)), Span::NONE, Note::Step);
        body.goto(vec![end], Span::NONE);
    }
    has_marks
}

struct Builder<'a> {
    icfg: &'a Icfg,
    map: &'a InlineMap,
    original: &'a Icfg,
    monitor: &'a Monitor,
    observations: &'a Observations,
    has_next: bool,
    ends: &'a dyn Fn(&Check) -> bool,
    relevant: FastSet<VarId>,
    inside: IdVec<LocId, bool>,
    product: Product,
    numbers: FastMap<ProductState, LocId>,
    work: Vec<LocId>,
}

/// The product of a graph without calls with an automaton. `original` is the graph before inlining, `has_next` says whether the
/// formula can count steps, `ends` whether an execution that fails a check ends there; else it does not count.
pub fn product(
    icfg: &Icfg,
    (original, map): (&Icfg, &InlineMap),
    monitor: &Monitor,
    observations: &Observations,
    has_next: bool,
    ends: &dyn Fn(&Check) -> bool,
    pool: &mut TermPool,
) -> Result<Product, ProductError> {
    if icfg.has_calls() || icfg.has_threads() {
        return Err(ProductError::NotPlain);
    }
    let index = VarIndex::new(icfg);
    let states = observations.propositions.iter().filter_map(|p| match p {
        Observed::State(t) => Some(*t),
        Observed::Call(_) | Observed::Return(_) => None,
    });
    let relevant = index.vars_of(pool, &states.collect::<Vec<_>>()).into_iter().collect();
    let mut result = Icfg::new();
    result.vars = icfg.vars.clone();
    result.globals = icfg.globals.clone();
    result.procs = icfg.procs.clone();
    result.root = icfg.root;
    result.axioms = icfg.axioms.clone();
    let mut builder = Builder {
        icfg,
        map,
        original,
        monitor,
        observations,
        has_next,
        ends,
        relevant,
        inside: inside(icfg, map, observations.entry),
        product: Product { icfg: result, edges: IdVec::new(), locs: IdVec::new() },
        numbers: FastMap::default(),
        work: Vec::new(),
    };
    builder.build(pool)?;
    Ok(builder.product)
}

/// The locations of the entry procedure and of what it calls.
fn inside(icfg: &Icfg, map: &InlineMap, entry: ProcId) -> IdVec<LocId, bool> {
    let is_inside = |loc: LocId| {
        let Some((_, context)) = map.locs.get(loc) else { return false };
        let mut context = Some(*context);
        while let Some(c) = context {
            let data = &map.contexts[c];
            if data.proc == entry {
                return true;
            }
            context = data.call.map(|(_, outer)| outer);
        }
        false
    };
    icfg.locs.ids().map(is_inside).collect()
}

impl Builder<'_> {
    fn build(&mut self, pool: &mut TermPool) -> Result<(), ProductError> {
        let start = self.location(ProductState { loc: self.icfg.entry(), monitor: None, reading: Reading::Nothing });
        if let Some(root) = self.product.icfg.root {
            self.product.icfg.procs[root].entry = start;
        }
        while let Some(at) = self.work.pop() {
            if self.product.locs.len() > MAX_LOCATIONS {
                return Err(ProductError::TooLarge(MAX_LOCATIONS));
            }
            let state = self.product.locs[at];
            match state.reading {
                Reading::Nothing => self.steps(at, state),
                Reading::Step(_) => match self.may_wait(state.loc) {
                    Some(edge) => {
                        let data = &self.icfg.edges[edge];
                        self.edge(at, ProductState { loc: data.dst, ..state }, data.label.clone(), Some(edge));
                    }
                    None => self.read(at, state, pool),
                },
                Reading::Repetition => self.read(at, state, pool),
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
                    monitor: None,
                    reading: Reading::Nothing,
                }),
            };
            self.product.icfg.procs[root].exit = exit;
        }
        let accepts =
            |s: &ProductState| s.reading == Reading::Nothing && s.monitor.is_some_and(|q| self.monitor.accepting[q]);
        let accepting = self.product.locs.iter().filter(|(_, s)| accepts(s)).map(|(id, _)| id).collect();
        self.product.icfg.acceptance = Some(accepting);
        self.product.icfg.mark_loop_heads();
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

    fn steps(&mut self, at: LocId, state: ProductState) {
        for &edge in self.icfg.out_edges(state.loc) {
            let data = &self.icfg.edges[edge];
            let reading = match self.is_observed(edge, state.monitor.is_none()) {
                true => Reading::Step(self.representative(edge)),
                false => Reading::Nothing,
            };
            let to = ProductState { loc: data.dst, monitor: state.monitor, reading };
            self.edge(at, to, data.label.clone(), Some(edge));
        }
        if self.icfg.locs[state.loc].error.as_ref().is_some_and(|check| (self.ends)(check)) {
            let again = ProductState { reading: Reading::Repetition, ..state };
            self.edge(at, again, Label::Stmt(Stmt::Assume(TermId::TRUE)), None);
        }
    }

    /// An observation may be read one step later, if there is only one step and it changes nothing that is observed: an assumption
    /// that fails then spares the automaton the work.
    fn may_wait(&self, loc: LocId) -> Option<EdgeId> {
        let location = &self.icfg.locs[loc];
        let &[edge] = self.icfg.out_edges(loc) else { return None };
        let is_plain = !location.is_loop_head && location.error.is_none();
        let changes = self.assigned(edge).iter().any(|v| self.relevant.contains(v));
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
        let events = |e: EdgeId| -> Vec<bool> {
            self.observations.propositions.iter().map(|p| self.is_event(*p, e).unwrap_or(false)).collect()
        };
        let own = events(edge);
        let into = self.icfg.in_edges(self.icfg.edges[edge].dst);
        into.iter().copied().find(|&e| events(e) == own).unwrap_or(edge)
    }

    /// The truth of a proposition about a step; `None`: it is about the state.
    fn is_event(&self, proposition: Observed, edge: EdgeId) -> Option<bool> {
        let (wanted, procedure) = match proposition {
            Observed::State(_) => return None,
            Observed::Call(p) => (EdgeRole::Enter, p),
            Observed::Return(p) => (EdgeRole::Leave, p),
        };
        let Some(origin) = self.map.edges.get(edge) else { return Some(false) };
        let site = self.original.call_site(origin.edge);
        let callee = site.map(|site| self.original.call_sites[site].callee);
        Some(origin.role == wanted && callee == Some(procedure))
    }

    fn is_observed(&self, edge: EdgeId, is_first: bool) -> bool {
        let data = &self.icfg.edges[edge];
        let is_event = |p: &Observed| self.is_event(*p, edge) == Some(true);
        if data.note == Note::Step || self.observations.propositions.iter().any(is_event) {
            return true;
        }
        if self.observations.has_marked_steps || !self.inside[data.src] {
            return false;
        }
        let of_source = |v: &VarId| self.icfg.vars[*v].span != Span::NONE;
        let assigned = self.assigned(edge);
        let is_visible =
            !data.note.is_hidden() && assigned.iter().any(of_source) || matches!(data.note, Note::Branch(_));
        let changes = assigned.iter().any(|v| self.relevant.contains(v));
        // Without the last, an endless loop that does nothing would never be observed at all.
        let is_head = self.icfg.locs[data.dst].is_loop_head;
        if self.has_next || is_first {
            return is_visible || changes || is_first && is_head;
        }
        changes || is_head
    }

    fn read(&mut self, at: LocId, state: ProductState, pool: &mut TermPool) {
        let from: Vec<usize> = match state.monitor {
            Some(q) => vec![q],
            None => self.monitor.initial.clone(),
        };
        let mut seen: BTreeSet<(TermId, usize)> = BTreeSet::new();
        for q in from {
            for MonitorEdge { guard, target } in &self.monitor.edges[q] {
                let mut literals = Vec::new();
                for &(p, value) in guard {
                    let proposition = self.observations.propositions[p];
                    let is_event = match state.reading {
                        Reading::Step(step) => self.is_event(proposition, step).unwrap_or(false),
                        Reading::Nothing | Reading::Repetition => false,
                    };
                    literals.push(match proposition {
                        Observed::State(t) if value => t,
                        Observed::State(t) => pool.not(t),
                        Observed::Call(_) | Observed::Return(_) if is_event == value => TermId::TRUE,
                        Observed::Call(_) | Observed::Return(_) => TermId::FALSE,
                    });
                }
                let condition = pool.and(&literals);
                if condition != TermId::FALSE && seen.insert((condition, *target)) {
                    let to = ProductState { loc: state.loc, monitor: Some(*target), reading: Reading::Nothing };
                    self.edge(at, to, Label::Stmt(Stmt::Assume(condition)), None);
                }
            }
        }
    }
}
