//! Enough interleavings of the threads: sleep sets, and threads that need not be followed, on the fly.
//!
//! The result is what a certificate needs ([`ir::ReducedNode`]), or a trace to an error that the annotation does not
//! exclude; the shortest such traces come first. An order of the threads decides which of many equivalent interleavings
//! is kept.

use super::commutation::Commutation;
use crate::framework::Ctx;
use ir::interleave::concurrent::{ActionId, Concurrent, PlaceId, PlaceKind};
use ir::{Reason, ReducedNode, VarId};
use logic::{FastMap, FastSet, TermId};
use std::collections::{BTreeSet, VecDeque};
use std::hash::Hash;

/// Which thread comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// One thread after the other.
    Threads,
    /// After a thread the next one.
    Lockstep,
    /// In an order made of a number.
    Seeded(u64),
}

/// What holds along interleavings.
pub(crate) trait Annotator {
    type State: Clone + Eq + Hash;
    fn start(&mut self) -> Self::State;
    /// What holds after an action; `None` if it cannot be taken.
    fn step(&mut self, ctx: &mut Ctx<'_>, state: &Self::State, action: ActionId) -> Option<Self::State>;
    fn formula(&mut self, ctx: &mut Ctx<'_>, state: &Self::State) -> TermId;
}

pub(crate) enum Explored {
    /// No error is reached.
    Proof(Vec<ReducedNode>),
    /// This leads to an error, as far as is known.
    Trace(Vec<ActionId>),
}

/// The most nodes.
const MAX_NODES: usize = 300_000;

/// Explores the interleavings that matter for the errors of a thread; that there are too many threads may count as one.
pub(crate) fn explore<A: Annotator>(
    ctx: &mut Ctx<'_>,
    program: &Concurrent,
    commutation: &mut Commutation<'_>,
    annotator: &mut A,
    (thread, with_too_many): (usize, bool),
    order: Order,
) -> Result<Explored, Reason> {
    let start = annotator.start();
    let mut search = Search {
        program,
        thread,
        with_too_many,
        order,
        nodes: Vec::new(),
        origins: Vec::new(),
        states: Vec::new(),
        known: FastMap::default(),
        membranes: FastMap::default(),
        work: VecDeque::new(),
    };
    let formula = annotator.formula(ctx, &start);
    search.node(program.initial.clone(), start, formula, Vec::new(), (usize::MAX, None));
    search.run(ctx, commutation, annotator)
}

/// Where tokens are, what holds, and who moved last if that matters.
type Key<S> = (Vec<PlaceId>, S, usize);

struct Search<'a, S> {
    program: &'a Concurrent,
    thread: usize,
    with_too_many: bool,
    order: Order,
    nodes: Vec<ReducedNode>,
    /// The node before and the action; the thread that moved last.
    origins: Vec<(usize, Option<ActionId>)>,
    states: Vec<S>,
    known: FastMap<Key<S>, Vec<usize>>,
    /// The threads to follow, by marking, the thread that comes first, and actions that cannot be taken.
    membranes: FastMap<(Vec<PlaceId>, usize, Vec<ActionId>), Vec<usize>>,
    work: VecDeque<usize>,
}

impl<S: Clone + Eq + Hash> Search<'_, S> {
    fn run<A: Annotator<State = S>>(
        mut self,
        ctx: &mut Ctx<'_>,
        commutation: &mut Commutation<'_>,
        annotator: &mut A,
    ) -> Result<Explored, Reason> {
        while let Some(n) = self.work.pop_front() {
            ctx.budget.check()?;
            if self.nodes.len() > MAX_NODES {
                return Err(Reason::Incomplete("too many interleavings".to_string()));
            }
            let (marking, formula) = (self.nodes[n].marking.clone(), self.nodes[n].formula);
            let dead = self.dead(ctx, annotator, n);
            let threads = self.membrane(ctx, commutation, &marking, self.first(n), dead);
            let mut actions = self.enabled(&marking);
            actions.retain(|a| threads.binary_search(&self.program.actions[*a].thread).is_ok());
            let first = self.first(n);
            actions.sort_by_key(|a| (self.rank(self.program.actions[*a].thread, first), *a));
            let mut sleep: BTreeSet<ActionId> = self.nodes[n].sleep.iter().copied().collect();
            let mut next = Vec::new();
            for a in actions {
                if self.nodes[n].sleep.binary_search(&a).is_ok() {
                    continue;
                }
                let state = self.states[n].clone();
                let Some(after) = annotator.step(ctx, &state, a) else {
                    next.push((a, None));
                    continue;
                };
                if self.program.actions[a].post.iter().any(|p| self.program.is_error(*p)) {
                    return Ok(Explored::Trace(self.trace(n, a)));
                }
                let mut asleep = Vec::new();
                for &b in &sleep {
                    if commutation.commute(ctx, a, b, formula) {
                        asleep.push(b);
                    }
                }
                let Some(marking) = self.program.fire(&marking, a) else { continue };
                let formula = annotator.formula(ctx, &after);
                let target = self.node(marking, after, formula, asleep, (n, Some(a)));
                next.push((a, Some(target)));
                sleep.insert(a);
            }
            self.nodes[n].threads = threads;
            self.nodes[n].next = next;
        }
        ctx.stats.add("interleaving states", self.nodes.len() as u64);
        Ok(Explored::Proof(self.nodes))
    }

    /// Actions that can be taken, but those to errors of other threads: they end the program.
    fn enabled(&self, marking: &[PlaceId]) -> Vec<ActionId> {
        let program = self.program;
        let is_foreign = |p: &PlaceId| {
            program.is_error(*p)
                && (program.places[*p].thread != Some(self.thread) || !self.with_too_many && program.is_too_many(*p))
        };
        let mut enabled = program.enabled(marking);
        enabled.retain(|a| !program.actions[*a].post.iter().any(is_foreign));
        enabled
    }

    /// Actions that wait for a token, but could not be taken if it were there.
    fn dead<A: Annotator<State = S>>(&self, ctx: &mut Ctx<'_>, annotator: &mut A, n: usize) -> Vec<ActionId> {
        let (program, marking) = (self.program, &self.nodes[n].marking);
        let waits = |a: &ActionId| program.actions[*a].pre.iter().any(|p| marking.binary_search(p).is_err());
        let at = marking.iter().filter(|p| matches!(program.places[**p].kind, PlaceKind::At(_)));
        let waiting: Vec<ActionId> = at.flat_map(|p| program.actions_from(*p)).copied().filter(waits).collect();
        // Those that start threads wait for their turn, whatever holds.
        let joins = |a: &ActionId| program.actions[*a].turns.iter().any(|turn| turn.joined.is_some());
        waiting.into_iter().filter(joins).filter(|a| annotator.step(ctx, &self.states[n], *a).is_none()).collect()
    }

    /// The thread that comes first after a node.
    fn first(&self, n: usize) -> usize {
        match (self.order, self.origins[n].1) {
            (Order::Lockstep, Some(a)) => (self.program.actions[a].thread + 1) % self.program.n_threads,
            _ => 0,
        }
    }

    fn rank(&self, thread: usize, first: usize) -> u64 {
        let n = self.program.n_threads;
        match self.order {
            Order::Threads | Order::Lockstep => ((thread + n - first) % n) as u64,
            Order::Seeded(seed) => (thread as u64 + 1).wrapping_mul(seed | 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 7,
        }
    }

    fn node(
        &mut self,
        marking: Vec<PlaceId>,
        state: S,
        formula: TermId,
        sleep: Vec<ActionId>,
        origin: (usize, Option<ActionId>),
    ) -> usize {
        let last = match (self.order, origin.1) {
            (Order::Lockstep, Some(a)) => self.program.actions[a].thread,
            _ => 0,
        };
        let known = self.known.entry((marking.clone(), state.clone(), last)).or_default();
        let covers = |n: &&usize| self.nodes[**n].sleep.iter().all(|a| sleep.binary_search(a).is_ok());
        if let Some(&n) = known.iter().find(covers) {
            return n;
        }
        let n = self.nodes.len();
        known.push(n);
        self.nodes.push(ReducedNode { marking, formula, sleep, threads: Vec::new(), next: Vec::new() });
        self.origins.push(origin);
        self.states.push(state);
        self.work.push_back(n);
        n
    }

    fn trace(&self, mut n: usize, last: ActionId) -> Vec<ActionId> {
        let mut trace = vec![last];
        while let (before, Some(a)) = self.origins[n] {
            trace.push(a);
            n = before;
        }
        trace.reverse();
        trace
    }

    /// The threads that have to be followed from a marking on: few, such that what they do next depends on nothing that
    /// the others may do, and the others alone reach no error and are not waited for.
    fn membrane(
        &mut self,
        ctx: &mut Ctx<'_>,
        commutation: &mut Commutation<'_>,
        marking: &[PlaceId],
        first: usize,
        dead: Vec<ActionId>,
    ) -> Vec<usize> {
        let key = (marking.to_vec(), first, dead);
        if let Some(known) = self.membranes.get(&key) {
            return known.clone();
        }
        let dead = &key.2;
        let program = self.program;
        let running: Vec<(usize, PlaceId)> = marking
            .iter()
            .filter(|p| matches!(program.places[**p].kind, PlaceKind::At(_)))
            .filter_map(|p| Some((program.places[*p].thread?, *p)))
            .collect();
        let enabled = self.enabled(marking);
        let mut seeds = running.clone();
        seeds.sort_by_key(|s| self.rank(s.0, first));
        let mut best: Vec<usize> = running.iter().map(|r| r.0).collect();
        let mut best_size = enabled.len();
        for &(seed, _) in &seeds {
            let closed = self.closure(ctx, commutation, (marking, dead), &running, &enabled, seed);
            let size = enabled.iter().filter(|a| closed.contains(&program.actions[**a].thread)).count();
            if closed.len() < running.len() && size < best_size {
                best = closed.into_iter().collect();
                best_size = size;
                if size <= 1 {
                    break;
                }
            }
        }
        best.sort_unstable();
        self.membranes.insert(key, best.clone());
        best
    }

    fn closure(
        &self,
        ctx: &mut Ctx<'_>,
        commutation: &mut Commutation<'_>,
        (marking, dead): (&[PlaceId], &[ActionId]),
        running: &[(usize, PlaceId)],
        enabled: &[ActionId],
        seed: usize,
    ) -> BTreeSet<usize> {
        let program = self.program;
        let mut inside = BTreeSet::from([seed]);
        // Threads with errors that matter cannot stay outside.
        for &(t, place) in running {
            if commutation.future(place).errors.contains(&self.thread) {
                inside.insert(t);
            }
        }
        loop {
            let mut written: FastSet<VarId> = FastSet::default();
            if !dead.is_empty() {
                for &(_, place) in running.iter().filter(|r| !inside.contains(&r.0)) {
                    let future = commutation.future(place);
                    written.extend(future.actions.iter().flat_map(|a| &program.actions[*a].writes));
                }
            }
            let mut missing: BTreeSet<PlaceId> = BTreeSet::new();
            for &(_, place) in running.iter().filter(|r| inside.contains(&r.0)) {
                for &a in program.actions_from(place) {
                    let stays = |a: ActionId| !program.actions[a].reads.iter().any(|v| written.contains(v));
                    if dead.contains(&a) && stays(a) {
                        continue;
                    }
                    missing
                        .extend(program.actions[a].pre.iter().copied().filter(|p| marking.binary_search(p).is_err()));
                }
            }
            let own: Vec<ActionId> =
                enabled.iter().copied().filter(|a| inside.contains(&program.actions[*a].thread)).collect();
            let dependent = running.iter().find(|(t, place)| {
                !inside.contains(t)
                    && (own.iter().any(|&a| commutation.conflicts(ctx, a, *place))
                        || commutation
                            .future(*place)
                            .actions
                            .iter()
                            .any(|b| program.actions[*b].post.iter().any(|p| missing.contains(p))))
            });
            match dependent {
                Some(&(t, _)) => {
                    inside.insert(t);
                }
                None => return inside,
            }
        }
    }
}
