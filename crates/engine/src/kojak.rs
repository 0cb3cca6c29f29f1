//! Splitting via interpolants (Ermis, Hoenicke, Podelski, *Splitting via interpolants*, VMCAI 2012, Algorithm 1).
//!
//! The program is a graph whose nodes are locations with an invariant, all `true` at first. Each iteration looks for a
//! path to an error node. If it is infeasible, every node on it is *split* on its interpolant `I`: one copy has the
//! invariant `∧ I`, the other `∧ ¬I`, both with copies of all edges. Then infeasible edges are *sliced*: an edge goes
//! if no state of its source's invariant steps into its target's. Nodes that can no longer be reached or can no longer
//! reach an error are removed. When no error node is left, the invariants of a location's copies, joined, are an
//! inductive annotation: the copies of a location always cover all states, only unreachable copies vanish.
//!
//! What keeps the number of prover calls small (our departures): a node whose interpolant is `true` or `false`, or
//! decided by its invariant, is not copied; edges between copies that are infeasible by construction of the
//! interpolants need no call; all others are sliced lazily, when a path to an error would use them, by the cached
//! triple checks `{inv} edge {¬inv'}`. An edge that was not examined stays, so the graph always over-approximates the
//! executions. For the removed copies that cannot reach an error the invariants are kept for the annotation.

use crate::framework::{Ctx, Engine, Phase, Task};
use crate::hoare::{HoareChecker, Validity};
use crate::prepared::{Prepared, prepare};
use crate::profile::{Profile, Wants};
use crate::refinement::{Refine, Refinement, Refiner};
use base::IdVec;
use ir::blocks::BlockMode;
use ir::{EdgeId, Icfg, LocId, Reason, Verdict};
use logic::{FastMap, TermId};
use std::collections::{BTreeMap, VecDeque};

pub(crate) struct Kojak;

impl Engine for Kojak {
    fn name(&self) -> &'static str {
        "kojak"
    }
    fn summary(&self) -> &'static str {
        "splitting via interpolants: nodes of the graph are split and infeasible edges sliced away"
    }
    fn profile(&self) -> Profile {
        Profile::refining(Wants::NoCalls)
    }
    fn search(&self, ctx: &mut Ctx<'_>, task: &Task<'_>) -> Verdict {
        let prepared = match prepare(ctx, task, BlockMode::Large) {
            Ok(prepared) => prepared,
            Err(reason) => return Verdict::Unknown(reason),
        };
        let (hoare, invariants) = prepared.opening(ctx, task);
        let mut graph = SplitGraph::new(&prepared.icfg, hoare, &invariants);
        match graph.run(ctx, &prepared) {
            Ok(verdict) => verdict,
            Err(reason) => Verdict::Unknown(reason),
        }
    }
}

base::define_id!(
    NodeId, "n";
    ArcId, "a"
);

struct Node {
    loc: LocId,
    invariant: TermId,
    out: Vec<ArcId>,
    into: Vec<ArcId>,
    alive: bool,
}

/// A copy of an edge between two nodes.
struct Arc {
    src: NodeId,
    dst: NodeId,
    edge: EdgeId,
    alive: bool,
    /// Some state of the source's present invariant steps into the target's, or that is not known.
    feasible: bool,
}

struct SplitGraph<'a> {
    icfg: &'a Icfg,
    hoare: HoareChecker<'a>,
    nodes: IdVec<NodeId, Node>,
    arcs: IdVec<ArcId, Arc>,
    entries: Vec<NodeId>,
    /// Triples that hold because interpolants are what they are: `{left} edge {right}`.
    known: FastMap<EdgeId, Vec<(TermId, TermId)>>,
    /// Invariants of nodes that were removed because they cannot reach an error.
    harmless: BTreeMap<LocId, Vec<TermId>>,
}

impl<'a> SplitGraph<'a> {
    fn new(icfg: &'a Icfg, hoare: HoareChecker<'a>, invariants: &BTreeMap<LocId, TermId>) -> SplitGraph<'a> {
        let mut graph = SplitGraph {
            icfg,
            hoare,
            nodes: IdVec::new(),
            arcs: IdVec::new(),
            entries: Vec::new(),
            known: FastMap::default(),
            harmless: BTreeMap::new(),
        };
        let known = |loc| invariants.get(&loc).copied().unwrap_or(TermId::TRUE);
        let ids: IdVec<LocId, NodeId> = icfg.locs.ids().map(|loc| graph.add_node(loc, known(loc))).collect();
        for (edge, e) in icfg.edges.iter() {
            graph.add_arc(ids[e.src], ids[e.dst], edge);
        }
        graph.entries.push(ids[icfg.entry()]);
        graph
    }

    fn add_node(&mut self, loc: LocId, invariant: TermId) -> NodeId {
        self.nodes.push(Node { loc, invariant, out: Vec::new(), into: Vec::new(), alive: true })
    }

    fn add_arc(&mut self, src: NodeId, dst: NodeId, edge: EdgeId) -> ArcId {
        let id = self.arcs.push(Arc { src, dst, edge, alive: true, feasible: false });
        self.nodes[src].out.push(id);
        self.nodes[dst].into.push(id);
        id
    }

    fn run(&mut self, ctx: &mut Ctx<'_>, prepared: &Prepared) -> Result<Verdict, Reason> {
        let mut refiner = Refiner::new();
        self.prune();
        let mut last_path = Vec::new();
        for round in 1.. {
            ctx.budget.check_now()?;
            let Some(path) = self.feasible_looking_path(ctx)? else { break };
            if path == last_path {
                return Err(Reason::Incomplete("splitting removed no edge".to_string()));
            }
            ctx.stats.set("iterations", round);
            ctx.observer.progress(round, "kojak");
            let trace: Vec<EdgeId> = path.iter().map(|&a| self.arcs[a].edge).collect();
            let sequences = match refiner.refine(ctx, self.icfg, &trace, &mut self.hoare)? {
                Refinement::Feasible(counterexample) => {
                    return Ok(Verdict::Violated(prepared.counterexample(ctx.pool, counterexample)?));
                }
                Refinement::Predicates(sequences) => sequences,
            };
            let Some(predicates) = sequences.into_iter().next() else {
                return Err(Reason::Incomplete("no predicates".to_string()));
            };
            prepared.offer(ctx, &trace, std::slice::from_ref(&predicates));
            ctx.observer.enter(Phase::Abstraction);
            let split = self.split_path(ctx, &path, &predicates);
            ctx.observer.leave(Phase::Abstraction);
            split?;
            last_path = path;
            self.prune();
            ctx.stats.max("nodes", self.nodes.values().filter(|n| n.alive).count() as u64);
        }
        self.prune();
        let mut invariants = std::mem::take(&mut self.harmless);
        for node in self.nodes.values().filter(|n| n.alive) {
            invariants.entry(node.loc).or_default().push(node.invariant);
        }
        Ok(Verdict::Holds(prepared.certificate(ctx.pool, invariants)))
    }

    /// A shortest path from an entry to an error node.
    fn error_path(&self) -> Option<Vec<ArcId>> {
        let mut reached_by: IdVec<NodeId, Option<ArcId>> = IdVec::from_elem(None, self.nodes.len());
        let mut seen: IdVec<NodeId, bool> = IdVec::from_elem(false, self.nodes.len());
        let mut queue: VecDeque<NodeId> = VecDeque::new();
        for &entry in self.entries.iter().filter(|&&e| self.nodes[e].alive) {
            seen[entry] = true;
            queue.push_back(entry);
        }
        while let Some(node) = queue.pop_front() {
            if self.icfg.locs[self.nodes[node].loc].error.is_some() {
                let mut path = Vec::new();
                let mut at = node;
                while let Some(arc) = reached_by[at] {
                    path.push(arc);
                    at = self.arcs[arc].src;
                }
                path.reverse();
                return Some(path);
            }
            for &arc in &self.nodes[node].out {
                let dst = self.arcs[arc].dst;
                if self.arcs[arc].alive && !std::mem::replace(&mut seen[dst], true) {
                    reached_by[dst] = Some(arc);
                    queue.push_back(dst);
                }
            }
        }
        None
    }

    /// Splits the nodes of a path on their predicates and slices edges.
    fn split_path(&mut self, ctx: &mut Ctx<'_>, path: &[ArcId], predicates: &[TermId]) -> Result<(), Reason> {
        // A node may occur several times on the path: it is split by each of its predicates in turn. `copies[n]` are
        // the present copies of a node of the path.
        let mut positions: Vec<(NodeId, TermId)> = Vec::new();
        for (i, &arc) in path.iter().enumerate() {
            positions.push((self.arcs[arc].src, predicates[i]));
        }
        for (i, &arc) in path.iter().enumerate() {
            let triples = self.known.entry(self.arcs[arc].edge).or_default();
            if !triples.contains(&(predicates[i], predicates[i + 1])) {
                triples.push((predicates[i], predicates[i + 1]));
            }
        }
        let mut copies: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
        let mut changed: Vec<NodeId> = Vec::new();
        for (node, predicate) in positions {
            ctx.budget.check()?;
            if predicate == TermId::TRUE || predicate == TermId::FALSE {
                copies.entry(node).or_insert_with(|| vec![node]);
                continue;
            }
            let present = copies.entry(node).or_insert_with(|| vec![node]).clone();
            let mut next = Vec::new();
            for copy in present {
                let invariant = self.nodes[copy].invariant;
                let negated = ctx.pool.not(predicate);
                // The invariant `true` decides nothing.
                let decided = invariant != TermId::TRUE
                    && (self.hoare.implies(ctx, invariant, predicate) == Validity::Valid
                        || self.hoare.implies(ctx, invariant, negated) == Validity::Valid);
                if decided {
                    next.push(copy);
                    continue;
                }
                let other = self.split(ctx, copy, predicate);
                next.extend([copy, other]);
                changed.extend([copy, other]);
            }
            copies.insert(node, next);
        }
        // Nodes that were not split may have lost edges, too.
        changed.extend(copies.values().flatten().copied());
        changed.sort_unstable();
        changed.dedup();
        for node in changed {
            let arcs: Vec<ArcId> = self.nodes[node].out.iter().chain(&self.nodes[node].into).copied().collect();
            for arc in arcs {
                self.arcs[arc].feasible = false;
                if self.arcs[arc].alive && self.is_known_infeasible(ctx, arc) {
                    self.arcs[arc].alive = false;
                }
            }
        }
        Ok(())
    }

    /// A path to an error whose every edge can be taken by itself; edges that cannot are removed on the way.
    fn feasible_looking_path(&mut self, ctx: &mut Ctx<'_>) -> Result<Option<Vec<ArcId>>, Reason> {
        while let Some(path) = self.error_path() {
            let mut whole = true;
            // From the error back: an edge close to it cuts off more paths.
            for &arc in path.iter().rev() {
                ctx.budget.check()?;
                if !self.arcs[arc].feasible && !self.check_arc(ctx, arc) {
                    whole = false;
                    break;
                }
            }
            if whole {
                return Ok(Some(path));
            }
        }
        Ok(None)
    }

    /// Removes an edge that no state of its source takes into its target. Does it stay?
    fn check_arc(&mut self, ctx: &mut Ctx<'_>, arc: ArcId) -> bool {
        let Arc { src, dst, edge, .. } = self.arcs[arc];
        let (before, after) = (self.nodes[src].invariant, self.nodes[dst].invariant);
        // Between nodes about which nothing is known the path check says more.
        let says_nothing = before == TermId::TRUE && after == TermId::TRUE;
        let outside = ctx.pool.not(after);
        let infeasible = !says_nothing && self.hoare.internal(ctx, before, edge, outside) == Validity::Valid;
        self.arcs[arc].feasible = !infeasible;
        self.arcs[arc].alive = !infeasible;
        !infeasible
    }

    /// Does some triple that holds by construction exclude this edge?
    fn is_known_infeasible(&self, ctx: &mut Ctx<'_>, arc: ArcId) -> bool {
        let Arc { src, dst, edge, .. } = self.arcs[arc];
        let Some(triples) = self.known.get(&edge) else { return false };
        let before = ctx.pool.conjuncts(self.nodes[src].invariant);
        let after = ctx.pool.conjuncts(self.nodes[dst].invariant);
        triples.iter().any(|&(left, right)| {
            let outside = ctx.pool.not(right);
            let holds = |all: &[TermId], pool: &logic::TermPool, t: TermId| {
                t == TermId::TRUE || pool.conjuncts(t).iter().all(|c| all.contains(c))
            };
            holds(&before, ctx.pool, left) && holds(&after, ctx.pool, outside)
        })
    }

    /// Splits a node: it keeps `∧ predicate`, the new copy gets `∧ ¬predicate`.
    fn split(&mut self, ctx: &mut Ctx<'_>, node: NodeId, predicate: TermId) -> NodeId {
        ctx.stats.add("splits", 1);
        let negated = ctx.pool.not(predicate);
        let invariant = self.nodes[node].invariant;
        let other_invariant = ctx.pool.and(&[invariant, negated]);
        self.nodes[node].invariant = ctx.pool.and(&[invariant, predicate]);
        let other = self.add_node(self.nodes[node].loc, other_invariant);
        if self.entries.contains(&node) {
            self.entries.push(other);
        }
        let alive = |graph: &Self, arcs: &[ArcId]| -> Vec<ArcId> {
            arcs.iter().copied().filter(|&a| graph.arcs[a].alive).collect()
        };
        let (out, into) = (alive(self, &self.nodes[node].out), alive(self, &self.nodes[node].into));
        for arc in out {
            let Arc { dst, edge, .. } = self.arcs[arc];
            self.add_arc(other, dst, edge);
            if dst == node {
                // A self loop becomes four.
                self.add_arc(other, other, edge);
            }
        }
        for arc in into {
            let Arc { src, edge, .. } = self.arcs[arc];
            self.add_arc(src, other, edge);
        }
        other
    }

    /// Removes nodes that cannot be reached, and those that cannot reach an error.
    fn prune(&mut self) {
        let mut forward: IdVec<NodeId, bool> = IdVec::from_elem(false, self.nodes.len());
        let mut stack: Vec<NodeId> = self.entries.iter().copied().filter(|&e| self.nodes[e].alive).collect();
        while let Some(node) = stack.pop() {
            if std::mem::replace(&mut forward[node], true) {
                continue;
            }
            let out = self.nodes[node].out.iter().filter(|&&a| self.arcs[a].alive);
            stack.extend(out.map(|&a| self.arcs[a].dst));
        }
        let mut backward: IdVec<NodeId, bool> = IdVec::from_elem(false, self.nodes.len());
        let mut stack: Vec<NodeId> = self
            .nodes
            .iter()
            .filter(|(id, n)| n.alive && forward[*id] && self.icfg.locs[n.loc].error.is_some())
            .map(|(id, _)| id)
            .collect();
        while let Some(node) = stack.pop() {
            if std::mem::replace(&mut backward[node], true) {
                continue;
            }
            let into = self.nodes[node].into.iter().filter(|&&a| self.arcs[a].alive);
            stack.extend(into.map(|&a| self.arcs[a].src).filter(|&n| forward[n]));
        }
        let mut gone = Vec::new();
        for (id, node) in self.nodes.iter_mut() {
            if !node.alive {
                continue;
            }
            if forward[id] && !backward[id] {
                self.harmless.entry(node.loc).or_default().push(node.invariant);
            }
            if !forward[id] || !backward[id] {
                node.alive = false;
                gone.push(id);
            }
        }
        for id in gone {
            let arcs: Vec<ArcId> = self.nodes[id].out.iter().chain(&self.nodes[id].into).copied().collect();
            for arc in arcs {
                self.arcs[arc].alive = false;
            }
        }
        for (_, node) in self.nodes.iter_mut() {
            if node.alive {
                node.out.retain(|&a| self.arcs[a].alive);
                node.into.retain(|&a| self.arcs[a].alive);
            }
        }
    }
}
