//! The product of a program with an automaton that reads its observations.
//!
//! A temporal property is violated by an infinite sequence of observations that the automaton of the negated formula
//! accepts. The product graph has a location for each location of the program and each state of the automaton; a step
//! of the program that is observed is followed by an assumption, the guard of an edge of the automaton, which reads the
//! state after the step. The graph's infinite executions that pass accepting locations infinitely often
//! ([`crate::Icfg::acceptance`]) are the violations. (Dietsch, Heizmann, Langenfeld, Podelski: "Fairness Modulo Theory:
//! A New Approach to LTL Software Model Checking", CAV 2015.)
//!
//! *What is observed.* Nothing before the entry procedure starts. If the program marks its steps ([`Note::Step`]),
//! those. Else every assignment of a variable of the source and every branch is a step. A formula without `X` cannot
//! see how often a state is repeated, so then only steps that may change a proposition are observed, the first one, and
//! every arrival at a loop head, so that infinite executions have infinitely many observations.
//!
//! *Executions that end* repeat their last state forever: [`endless`] makes the end of a program an endless loop. A
//! failing assumption is not an end: such an execution does not exist.
//!
//! *Executions that make no step any more* that is observed repeat the state of their last observation forever, without
//! its events. The automaton guesses that it reads the last observation ([`Monitor::stuttering`]); from there on
//! nothing may be observed. An execution in which nothing is ever observed violates the formula if that promises
//! something ([`Question::promises`]).
//!
//! | what | where |
//! |---|---|
//! | which steps are observed, and what happens in them | [`Observing`] |
//! | calls that are skipped by contract, for recursion | [`pending`] |
//! | the product, with fair schedules of threads | [`product`] |
//! | atomic sections of threads, as one step each | [`sections`] |
//! | parts of it that no violation passes | [`prune`] |

mod calls;
mod observing;
mod product;
mod prune;
mod sections;

pub use calls::pending;
pub use observing::Observing;
pub use observing::SkipOutcome;
pub use product::{Product, ProductError, ProductState, Question, Reading, Watch, product};

use crate::icfg::{EdgeId, Icfg, Label};
use crate::program::{InstrKind, Note, ProcId, Program, Stmt};
use base::Span;
use logic::{FastMap, TermId};
use std::collections::BTreeSet;

/// A conjunction of literals over the propositions of [`crate::Observations`], as sets of bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Guard {
    pub positive: u64,
    pub negative: u64,
}

impl Guard {
    /// The conjunction, unless it is contradictory.
    fn and(self, other: Guard) -> Option<Guard> {
        let both = Guard { positive: self.positive | other.positive, negative: self.negative | other.negative };
        (both.positive & both.negative == 0).then_some(both)
    }
    fn implies(self, other: Guard) -> bool {
        other.positive & !self.positive == 0 && other.negative & !self.negative == 0
    }
    /// The literals of some propositions only.
    fn restricted(self, to: u64) -> Guard {
        Guard { positive: self.positive & to, negative: self.negative & to }
    }
    /// Propositions with their truth values.
    fn literals(self) -> impl Iterator<Item = (usize, bool)> {
        let set = |bits: u64, value: bool| (0..64).filter(move |i| bits >> i & 1 == 1).map(move |i| (i, value));
        set(self.positive, true).chain(set(self.negative, false))
    }
}

/// A Büchi automaton whose guards are conjunctions of literals over the propositions of [`crate::Observations`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Monitor {
    pub initial: Vec<usize>,
    pub accepting: Vec<bool>,
    /// The edges of each state.
    pub edges: Vec<Vec<MonitorEdge>>,
}

/// An edge of a [`Monitor`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MonitorEdge {
    pub guard: Guard,
    pub target: usize,
}

/// Larger searches for repeated letters are given up.
const MAX_STUTTERING: usize = 20_000;

impl Monitor {
    /// Does a state accept every word? (Only the plain case is seen: it accepts and stays where it is, whatever comes.)
    pub fn is_universal(&self, q: usize) -> bool {
        let stays = |e: &MonitorEdge| e.target == q && e.guard == Guard::default();
        self.accepting[q] && self.edges[q].iter().any(stays)
    }

    /// Is the formula's negation decided by a finite part of a word, so that the automaton accepts only by reaching a
    /// universal state?
    pub fn is_decided_in_time(&self) -> bool {
        (0..self.edges.len()).all(|q| !self.accepting[q] || self.is_universal(q))
    }

    /// The weakest conditions under which a letter, repeated forever, is accepted from a state; each is sufficient.
    pub fn stuttering(&self, q: usize) -> Vec<Guard> {
        // The conjunction of the guards on the way only grows, so it is the same all around a cycle.
        let mut nodes: Vec<(usize, Guard)> = vec![(q, Guard::default())];
        let mut numbers: FastMap<(usize, Guard), usize> = FastMap::default();
        numbers.insert(nodes[0], 0);
        let mut edges: Vec<Vec<usize>> = Vec::new();
        while let Some(&(state, cube)) = nodes.get(edges.len()) {
            if nodes.len() > MAX_STUTTERING {
                // Everything may be accepted then; what is found that way is examined again.
                return vec![Guard::default()];
            }
            let mut row = Vec::new();
            for edge in &self.edges[state] {
                let Some(both) = cube.and(edge.guard) else { continue };
                let number = *numbers.entry((edge.target, both)).or_insert_with(|| {
                    nodes.push((edge.target, both));
                    nodes.len() - 1
                });
                row.push(number);
            }
            edges.push(row);
        }
        let components = base::graph::components(nodes.len(), &[0], |n| edges[n].clone());
        let accepts =
            |c: &&base::graph::Component| c.has_cycle && c.members.iter().any(|n| self.accepting[nodes[*n].0]);
        let mut found: Vec<Guard> = components.iter().filter(accepts).map(|c| nodes[c.members[0]].1).collect();
        found.sort();
        found.dedup();
        let weakest = |g: &Guard| !found.iter().any(|other| other != g && g.implies(*other));
        found.iter().copied().filter(weakest).collect()
    }
}

/// Makes the end of every execution an endless loop of observed steps: where the program stops, and where its entry
/// procedures return. Says whether the program has marked steps of its own.
pub fn endless(program: &mut Program) -> bool {
    let is_marked = |note: Note| note == Note::Step;
    let has_marks =
        program.procs.values().filter_map(|p| p.body.as_ref()).any(|b| b.instrs.iter().any(|i| is_marked(i.note)));
    let entries: BTreeSet<ProcId> = program.entries.iter().copied().collect();
    // When the program has ended, so have its threads.
    let has_threads = program.has_threads();
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
        let again = body.new_label();
        body.label(end, Span::NONE);
        if has_threads {
            body.push_noted(InstrKind::AtomicBegin, Span::NONE, Note::Hidden);
        }
        body.label(again, Span::NONE);
        body.push_noted(InstrKind::Stmt(Stmt::Assume(TermId::TRUE)), Span::NONE, Note::Step);
        body.goto(vec![again], Span::NONE);
    }
    has_marks
}

/// Does a graph choose between assumptions nondeterministically? That is not blocking: another one may hold.
pub fn chooses_blindly(icfg: &Icfg) -> bool {
    let is_assumption = |e: &EdgeId| matches!(icfg.edges[*e].label, Label::Stmt(Stmt::Assume(c)) if c != TermId::TRUE);
    let is_blind = |e: &EdgeId| {
        let edge = &icfg.edges[*e];
        let is_skip = matches!(edge.label, Label::Stmt(Stmt::Assume(TermId::TRUE)));
        is_skip && !matches!(edge.note, Note::Branch(_)) && icfg.out_edges(edge.dst).iter().any(is_assumption)
    };
    icfg.locs.ids().any(|loc| icfg.out_edges(loc).len() > 1 && icfg.out_edges(loc).iter().any(is_blind))
}

/// A graph in which a violation of a formula that is decided in time is an error: see [`Monitor::is_decided_in_time`].
/// No error means that the property holds. An error does not mean a violation: an assumption may fail after it.
pub fn as_safety(product: &Product, monitor: &Monitor, check: &crate::program::Check) -> Icfg {
    let is_bad = |s: &ProductState| match s.watch {
        Watch::In(q) => monitor.is_universal(q),
        Watch::Diverged => true,
        Watch::Nothing => false,
    };
    let mut graph = Icfg::new();
    graph.vars = product.icfg.vars.clone();
    graph.globals = product.icfg.globals.clone();
    graph.procs = product.icfg.procs.clone();
    graph.root = product.icfg.root;
    graph.axioms = product.icfg.axioms.clone();
    for (loc, data) in product.icfg.locs.iter() {
        let new = graph.add_loc(data.proc, data.span);
        graph.locs[new].error = is_bad(&product.locs[loc]).then(|| check.clone());
    }
    for edge in product.icfg.edges.values().filter(|e| !is_bad(&product.locs[e.src])) {
        graph.add_edge(edge.src, edge.dst, edge.label.clone(), edge.span, edge.note);
    }
    graph.mark_loop_heads();
    graph
}
