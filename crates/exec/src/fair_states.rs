//! Accepting cycles among all states of a graph, one by one: explicit-state model checking of temporal properties.
//!
//! The states of a graph with a Büchi condition ([`Icfg::acceptance`]) are made as in [`crate::states`], with gaps for
//! unknown values. States at loop heads are the nodes of a finite graph, the ways between them its edges. Every
//! infinite execution that counts goes round in a strongly connected component with an edge that passes an accepting
//! location; so if there is none, no execution counts. (Vardi, Wolper: "An Automata-Theoretic Approach to Automatic
//! Program Verification", LICS 1986; components instead of nested searches, as in Couvreur: "On-the-Fly Verification of
//! Linear Temporal Logic", FM 1999, but after the states are made.)
//!
//! Variables that take very many values may be named as *wide*: they are known up to the cells that comparisons cut the
//! integers into ([`crate::ranges`]). Then there are few states, but a lasso among them need not have an execution.
//!
//! Where a choice is followed by assumptions that leave few numbers, these are gone through one by one. A lasso that is
//! found may pass gaps: then it proves nothing until it has been executed.

use crate::few_values::{Horizon, few_values};
use crate::ranges::Ranges;
use crate::states::{CHUNK, Fixed, Seen};
use crate::valuation::{Evaluator, Layout, Values, gap};
use base::graph;
use ir::dataflow::Liveness;
use ir::{EdgeId, Icfg, Label, LocId, Stmt, VarId};
use logic::{SortId, TermId, TermPool, Value};
use std::collections::{BTreeMap, BTreeSet};

/// How far the enumeration goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    pub max_steps: u64,
    /// The most states at loop heads.
    pub max_states: usize,
}

/// A step of a lasso: the edge, and the number that it chooses.
pub type LassoStep = (EdgeId, Option<i64>);

/// A way to a cycle, and the cycle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lasso {
    pub stem: Vec<LassoStep>,
    pub cycle: Vec<LassoStep>,
}

/// How the enumeration ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// No execution is accepting; holds the number of steps.
    NoCycle(u64),
    /// Ways to accepting cycles with the cycles, the nearest first.
    Cycles(Vec<Lasso>),
    /// More states or steps than allowed; variables that took many values.
    TooMany(Vec<VarId>),
    /// There is something in the graph that is not executed here.
    NotExecutable(EdgeId),
    Stopped,
}

/// A way between states at loop heads, by the decisions on it.
struct Way {
    target: usize,
    is_accepting: bool,
    decisions: Vec<LassoStep>,
}

struct Explorer<'a> {
    graph: Fixed<'a>,
    layout: Layout,
    /// Numbers that a choice may take.
    choices: BTreeMap<EdgeId, (i64, i64)>,
    ranges: Ranges,
    nodes: Vec<(LocId, Values)>,
    ways: Vec<Vec<Way>>,
}

const STEPS_BETWEEN_POLLS: u64 = 256;
/// After this number of states, then twice as many and so on, the states so far are searched for cycles.
const FIRST_LOOK: usize = 64;
/// Which choices are gone through one by one.
const FAR: Horizon = Horizon { max_values: 32, max_ahead: 12, with_negations: true };
/// Variables with more values than this took many.
const MANY_VALUES: usize = 12;
/// The largest number of lassos that are returned.
const MAX_LASSOS: usize = 24;

/// Looks for accepting cycles among the states of a sequential graph without calls; `stop` is asked from time to time.
/// The variables in `wide` are known up to cells.
pub fn enumerate(
    icfg: &Icfg,
    pool: &mut TermPool,
    limits: &Limits,
    wide: &[VarId],
    stop: &mut dyn FnMut() -> bool,
) -> Outcome {
    let executable = |label: &Label| matches!(label, Label::Stmt(_));
    if let Some((edge, _)) = icfg.edges.iter().find(|(_, e)| !executable(&e.label)) {
        return Outcome::NotExecutable(edge);
    }
    let chunks = icfg.vars.ids().map(|v| v.0 / CHUNK as u32).collect();
    let mut graph = Fixed { icfg, dying: Liveness::plain(icfg, pool).dying(icfg) };
    let mut choices = BTreeMap::new();
    for e in icfg.edges.ids() {
        match few_values(&mut graph, e, pool, &FAR) {
            Ok(Some(range)) => _ = choices.insert(e, range),
            Ok(None) => {}
            Err(never) => match never {},
        }
    }
    let mut explorer = Explorer {
        layout: Layout::new(icfg, pool, &chunks, |_| gap()),
        graph,
        choices,
        ranges: Ranges::new(icfg, pool, wide),
        nodes: Vec::new(),
        ways: Vec::new(),
    };
    match explorer.states(pool, limits, stop) {
        Ok(n_steps) => match explorer.lassos(pool) {
            none if none.is_empty() => Outcome::NoCycle(n_steps),
            found => Outcome::Cycles(found),
        },
        Err(outcome) => outcome,
    }
}

/// A run on its way to the next loop head.
struct Run {
    loc: LocId,
    values: Values,
    is_accepting: bool,
    decisions: Vec<LassoStep>,
}

impl Explorer<'_> {
    fn is_accepting(&self, loc: LocId) -> bool {
        self.graph.icfg.acceptance.as_ref().is_none_or(|accepting| accepting.contains(&loc))
    }

    /// What can be done next.
    fn moves(&self, loc: LocId, values: &Values, pool: &TermPool) -> Vec<LassoStep> {
        let evaluator = Evaluator { pool, layout: &self.layout, values };
        let mut moves = Vec::new();
        for &e in self.graph.icfg.out_edges(loc) {
            match (&self.graph.icfg.edges[e].label, self.choices.get(&e)) {
                (Label::Stmt(Stmt::Assume(condition)), _) if !self.may_hold(&evaluator, *condition) => {}
                (_, Some(&(low, high))) => moves.extend((low..=high).map(|n| (e, Some(n)))),
                (_, None) => moves.push((e, None)),
            }
        }
        moves
    }

    fn may_hold(&self, evaluator: &Evaluator<'_>, condition: TermId) -> bool {
        evaluator.may_hold(condition) && (self.ranges.is_empty() || self.ranges.may_hold(evaluator, condition))
    }

    fn take(&mut self, (edge, choice): LassoStep, values: &mut Values, pool: &TermPool) {
        let icfg = self.graph.icfg;
        if let Label::Stmt(stmt) = &icfg.edges[edge].label {
            let before = (!self.ranges.is_empty()).then(|| values.clone());
            values.execute(&self.layout, pool, stmt, choice);
            if let Some(before) = before {
                self.approximate(stmt, &before, values, pool);
            }
        }
        for &v in &self.graph.dying[edge] {
            values.set(&self.layout, v, gap());
        }
    }

    /// What the intervals say about variables that a statement leaves open.
    fn approximate(&mut self, stmt: &Stmt, before: &Values, values: &mut Values, pool: &TermPool) {
        let evaluator = Evaluator { pool, layout: &self.layout, values: before };
        let mut known: Vec<(VarId, Value)> = Vec::new();
        match stmt {
            Stmt::Assign(pairs) => {
                for &(v, t) in pairs {
                    if self.graph.icfg.vars[v].sort == SortId::INT && *values.get(&self.layout, v) == gap() {
                        known.push((v, self.ranges.approximate(&evaluator, t)));
                    }
                }
            }
            Stmt::Assume(condition) => known = self.ranges.narrowed(&evaluator, *condition),
            Stmt::Havoc(..) => {}
        }
        for (v, value) in known {
            values.set(&self.layout, v, value);
        }
    }

    /// Makes all states and the ways between them; the number of steps.
    fn states(&mut self, pool: &TermPool, limits: &Limits, stop: &mut dyn FnMut() -> bool) -> Result<u64, Outcome> {
        let mut seen = Seen::default();
        let mut start = self.layout.start();
        seen.number(self.graph.icfg.entry(), &mut start);
        self.nodes.push((self.graph.icfg.entry(), start));
        let (mut n_steps, mut next_poll) = (0u64, STEPS_BETWEEN_POLLS);
        let mut next = 0;
        let mut next_look = FIRST_LOOK;
        while next < self.nodes.len() {
            // Most violations are near the start.
            if next == next_look {
                next_look *= 2;
                let found = self.lassos(pool);
                if !found.is_empty() && self.ranges.is_empty() {
                    return Err(Outcome::Cycles(found));
                }
            }
            let (loc, values) = self.nodes[next].clone();
            let mut ways = Vec::new();
            let mut runs = vec![Run { loc, values, is_accepting: false, decisions: Vec::new() }];
            let mut is_start = true;
            while let Some(mut run) = runs.pop() {
                loop {
                    if !is_start && self.graph.icfg.locs[run.loc].is_loop_head {
                        let states = match self.ranges.is_empty() {
                            true => vec![run.values],
                            false => self.ranges.in_cells(&self.layout, &run.values),
                        };
                        for mut state in states {
                            let (target, is_new) = seen.number(run.loc, &mut state);
                            if is_new {
                                self.nodes.push((run.loc, state));
                            }
                            let decisions = run.decisions.clone();
                            ways.push(Way { target, is_accepting: run.is_accepting, decisions });
                        }
                        break;
                    }
                    is_start = false;
                    let mut moves = self.moves(run.loc, &run.values, pool);
                    n_steps += moves.len() as u64;
                    if n_steps > limits.max_steps || self.nodes.len() > limits.max_states {
                        return Err(Outcome::TooMany(self.varied()));
                    }
                    if n_steps >= next_poll {
                        next_poll = n_steps + STEPS_BETWEEN_POLLS;
                        if stop() {
                            return Err(Outcome::Stopped);
                        }
                    }
                    let is_decision = moves.len() > 1;
                    let Some(first) = moves.pop() else { break };
                    for step in moves {
                        let mut other = run.values.clone();
                        self.take(step, &mut other, pool);
                        let loc = self.graph.icfg.edges[step.0].dst;
                        let decisions = run.decisions.iter().copied().chain([step]).collect();
                        let is_accepting = run.is_accepting || self.is_accepting(loc);
                        runs.push(Run { loc, values: other, is_accepting, decisions });
                    }
                    self.take(first, &mut run.values, pool);
                    run.loc = self.graph.icfg.edges[first.0].dst;
                    run.is_accepting |= self.is_accepting(run.loc);
                    if is_decision {
                        run.decisions.push(first);
                    }
                }
            }
            self.ways.push(ways);
            next += 1;
        }
        Ok(n_steps)
    }

    /// The integer variables that had many values at loop heads.
    fn varied(&self) -> Vec<VarId> {
        let is_integer = |v: &VarId| self.graph.icfg.vars[*v].sort == SortId::INT;
        let has_many = |v: &VarId| {
            let mut values: BTreeSet<&Value> = BTreeSet::new();
            self.nodes.iter().any(|(_, state)| {
                values.insert(state.get(&self.layout, *v));
                values.len() > MANY_VALUES
            })
        };
        self.graph.icfg.vars.ids().filter(is_integer).filter(has_many).collect()
    }

    /// Lassos with accepting cycles, of different states.
    fn lassos(&mut self, pool: &TermPool) -> Vec<Lasso> {
        let n = self.nodes.len();
        // States whose ways are not made yet have none.
        let ways = |q: usize| self.ways.get(q).map_or(&[][..], Vec::as_slice);
        let successors = |q: usize| ways(q).iter().map(|w| w.target).collect();
        let components = graph::components(n, &[0], successors);
        let component = graph::component_of(n, &components);
        let from_start = self.shortest(0, &|_| true);
        // The accepting way that is nearest to the start.
        let distance = |q: usize| from_start[q].as_ref().map(|(distance, _, _)| *distance);
        let candidates = (0..n).flat_map(|q| {
            let inside = ways(q).iter().enumerate().filter({
                let component = &component;
                move |(_, w)| w.is_accepting && component[w.target] == component[q]
            });
            inside.map(move |(i, _)| (q, i))
        });
        let mut candidates: Vec<(usize, usize)> = candidates.filter(|(q, _)| distance(*q).is_some()).collect();
        candidates.sort_by_key(|(q, i)| (distance(*q), *q, *i));
        let n_wanted = if self.ranges.is_empty() { 1 } else { MAX_LASSOS };
        // Different ways from one state differ little.
        candidates.dedup_by_key(|(q, _)| *q);
        candidates.truncate(n_wanted);
        let mut lassos = Vec::with_capacity(candidates.len());
        for (q, i) in candidates {
            let stem = self.steps_to(0, q, &from_start, pool);
            let back = self.shortest(self.ways[q][i].target, &|t| component[t] == component[q]);
            let mut cycle = self.steps(q, i, pool);
            cycle.extend(self.steps_to(self.ways[q][i].target, q, &back, pool));
            lassos.push(Lasso { stem, cycle });
        }
        lassos
    }

    /// Shortest ways from a node: the distance, and the last way.
    fn shortest(&self, start: usize, allowed: &dyn Fn(usize) -> bool) -> Vec<Option<(usize, usize, usize)>> {
        let mut found = vec![None; self.nodes.len()];
        found[start] = Some((0, usize::MAX, 0));
        let mut queue = std::collections::VecDeque::from([(start, 0)]);
        while let Some((q, distance)) = queue.pop_front() {
            for (i, way) in self.ways.get(q).map_or(&[][..], Vec::as_slice).iter().enumerate() {
                if found[way.target].is_none() && allowed(way.target) {
                    found[way.target] = Some((distance + 1, q, i));
                    queue.push_back((way.target, distance + 1));
                }
            }
        }
        found
    }

    fn steps_to(
        &mut self,
        start: usize,
        end: usize,
        found: &[Option<(usize, usize, usize)>],
        pool: &TermPool,
    ) -> Vec<LassoStep> {
        let mut ways = Vec::new();
        let mut at = end;
        while at != start {
            let Some((_, before, i)) = found[at] else { break };
            ways.push((before, i));
            at = before;
        }
        ways.iter().rev().flat_map(|&(q, i)| self.steps(q, i, pool)).collect()
    }

    /// All steps of a way.
    fn steps(&mut self, from: usize, way: usize, pool: &TermPool) -> Vec<LassoStep> {
        let (mut loc, mut values) = self.nodes[from].clone();
        let decisions = self.ways[from][way].decisions.clone();
        let mut decisions = decisions.iter();
        let mut steps = Vec::new();
        loop {
            let moves = self.moves(loc, &values, pool);
            let step = match moves[..] {
                [] => break,
                [only] => only,
                _ => match decisions.next() {
                    Some(decision) => *decision,
                    None => break,
                },
            };
            self.take(step, &mut values, pool);
            steps.push(step);
            loc = self.graph.icfg.edges[step.0].dst;
            if self.graph.icfg.locs[loc].is_loop_head {
                break;
            }
        }
        steps
    }
}
