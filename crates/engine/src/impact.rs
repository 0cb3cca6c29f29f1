//! Lazy abstraction with interpolants (McMillan, *Lazy abstraction with interpolants*, CAV 2006).
//!
//! The graph is unwound into a tree whose vertices carry formulas, all `true` at first. When an error vertex is
//! reached, the path to it is checked; if infeasible, its interpolants are conjoined to the labels along it. A
//! vertex is *covered* by an earlier one of the same location if its label implies the other's: whatever can
//! happen from it can happen from there. When every leaf is covered or excluded (label `false`), the
//! labels of the uncovered vertices, joined per location, are an inductive annotation.
//!
//! Departures and details: depth-first with the newest leaf first; a vertex is only closed again when its label
//! changed, top down along the refined path, stopping at the first success (all below is then covered);
//! of interpolants that follow the values along a path, one that stays true to the end is preferred (`steady`);
//! *forced covering* asks for one interpolation query whether the path from the nearest common ancestor
//! implies the other's label, for a few nearest candidates.

use crate::framework::{Ctx, Engine, Phase, Predicates, Task};
use crate::hoare::{HoareChecker, Validity};
use crate::predicate_exchange;
use crate::prepared::{Prepared, prepare};
use crate::profile::{Profile, Wants};
use crate::refinement::closing_interpolants;
use crate::trace_check::{Source, Strength, TraceProof, TraceResult, refute_segment};
use base::{Id, IdVec};
use ir::blocks::BlockMode;
use ir::linking::is_return_address;
use ir::{EdgeId, Icfg, LocId, Reason, Verdict};
use logic::TermId;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) struct Impact;

impl Engine for Impact {
    fn name(&self) -> &'static str {
        "impact"
    }
    fn summary(&self) -> &'static str {
        "lazy abstraction with interpolants: an unwinding tree whose labels come from refuted error paths"
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
        let mut tree = Tree {
            icfg: &prepared.icfg,
            hoare,
            invariants,
            vertices: IdVec::new(),
            at: BTreeMap::new(),
            leaves: Vec::new(),
            addresses: prepared.icfg.vars.values().filter(|v| is_return_address(v)).map(|v| v.term).collect(),
            lifted: BTreeSet::new(),
        };
        match tree.unwind(ctx, &prepared) {
            Ok(verdict) => verdict,
            Err(reason) => Verdict::Unknown(reason),
        }
    }
}

/// Craig interpolants, or else predicates computed from the slice.
fn path_predicates(ctx: &mut Ctx<'_>, icfg: &Icfg, proof: &mut TraceProof) -> Result<Vec<TermId>, Reason> {
    let mut failure = None;
    for source in [Source::Craig(Strength::Strong), Source::Backward, Source::Forward] {
        match proof.predicates(ctx, icfg, source) {
            Ok(predicates) => return Ok(predicates),
            Err(Reason::Stopped(stop)) => return Err(Reason::Stopped(stop)),
            Err(reason) => {
                failure.get_or_insert(reason);
            }
        }
    }
    Err(failure.unwrap_or_else(|| Reason::Incomplete("no source of predicates".to_string())))
}

base::define_id!(VertexId, "u");

/// How many earlier vertices are tried for a forced cover.
const FORCED_CANDIDATES: usize = 3;

/// The number of different predicates along a path that is too many, and the number tried instead.
const STEADY_FROM: usize = 4;
const STEADY_CANDIDATES: usize = 6;

/// The number of predicates of a path that are tried at all locations.
const LIFTED_AT_ONCE: usize = 6;

struct Vertex {
    loc: LocId,
    parent: Option<(VertexId, EdgeId)>,
    children: Vec<VertexId>,
    label: TermId,
    covered_by: Option<VertexId>,
    /// Vertices that this one covers.
    covers: Vec<VertexId>,
    expanded: bool,
}

struct Tree<'a> {
    icfg: &'a Icfg,
    hoare: HoareChecker<'a>,
    /// Inductive from the start: every vertex is born with its location's.
    invariants: BTreeMap<LocId, TermId>,
    vertices: IdVec<VertexId, Vertex>,
    /// The vertices of each location, oldest first.
    at: BTreeMap<LocId, Vec<VertexId>>,
    /// Unexpanded leaves, newest last. May hold vertices that are covered or expanded by now.
    leaves: Vec<VertexId>,
    /// The return addresses of linked procedures.
    addresses: BTreeSet<TermId>,
    /// Predicates that were tried at all locations.
    lifted: BTreeSet<TermId>,
}

impl Tree<'_> {
    fn unwind(&mut self, ctx: &mut Ctx<'_>, prepared: &Prepared) -> Result<Verdict, Reason> {
        self.add(self.icfg.entry(), None);
        let mut rounds = 0;
        while let Some(vertex) = self.leaves.pop() {
            ctx.budget.check()?;
            ctx.stats.max("tree vertices", self.vertices.len() as u64);
            if self.vertices[vertex].expanded || self.vertices[vertex].label == TermId::FALSE || self.is_covered(vertex)
            {
                continue;
            }
            let error = self.icfg.locs[self.vertices[vertex].loc].error.is_some();
            if !error && self.close(ctx, vertex) {
                continue;
            }
            if !error && self.force_cover(ctx, vertex)? {
                continue;
            }
            if error {
                rounds += 1;
                ctx.stats.set("refinements", rounds);
                ctx.observer.progress(rounds, "impact");
                if let Some(verdict) = self.refine(ctx, prepared, vertex)? {
                    return Ok(verdict);
                }
            } else {
                self.expand(vertex);
            }
        }
        let mut invariants: BTreeMap<LocId, Vec<TermId>> = BTreeMap::new();
        for (id, vertex) in self.vertices.iter() {
            if !self.is_covered(id) {
                invariants.entry(vertex.loc).or_default().push(vertex.label);
            }
        }
        Ok(Verdict::Holds(prepared.certificate(ctx.pool, invariants)))
    }

    fn add(&mut self, loc: LocId, parent: Option<(VertexId, EdgeId)>) {
        let id = self.vertices.push(Vertex {
            loc,
            parent,
            children: Vec::new(),
            label: self.invariants.get(&loc).copied().unwrap_or(TermId::TRUE),
            covered_by: None,
            covers: Vec::new(),
            expanded: false,
        });
        if let Some((p, _)) = parent {
            self.vertices[p].children.push(id);
        }
        self.at.entry(loc).or_default().push(id);
        self.leaves.push(id);
    }

    fn expand(&mut self, vertex: VertexId) {
        self.vertices[vertex].expanded = true;
        let loc = self.vertices[vertex].loc;
        // The last child is expanded first: errors, so that labels appear early.
        let mut edges: Vec<EdgeId> = self.icfg.out_edges(loc).to_vec();
        edges.sort_by_key(|&e| self.icfg.locs[self.icfg.edges[e].dst].error.is_some());
        for edge in edges {
            self.add(self.icfg.edges[edge].dst, Some((vertex, edge)));
        }
    }

    /// Is it, or an ancestor, covered?
    fn is_covered(&self, vertex: VertexId) -> bool {
        let mut at = vertex;
        loop {
            if self.vertices[at].covered_by.is_some() {
                return true;
            }
            match self.vertices[at].parent {
                Some((p, _)) => at = p,
                None => return false,
            }
        }
    }

    fn is_ancestor(&self, ancestor: VertexId, mut of: VertexId) -> bool {
        while let Some((p, _)) = self.vertices[of].parent {
            if p == ancestor {
                return true;
            }
            of = p;
        }
        false
    }

    /// Covers a vertex by an earlier one if its label allows it.
    fn close(&mut self, ctx: &mut Ctx<'_>, vertex: VertexId) -> bool {
        let loc = self.vertices[vertex].loc;
        if !self.icfg.locs[loc].is_loop_head && self.at[&loc].len() > 64 {
            return false;
        }
        let candidates: Vec<VertexId> = self.at[&loc].iter().copied().take_while(|&w| w < vertex).collect();
        for other in candidates {
            let (label, wanted) = (self.vertices[vertex].label, self.vertices[other].label);
            if !self.is_covered(other) && self.hoare.implies(ctx, label, wanted) == Validity::Valid {
                self.cover(vertex, other);
                return true;
            }
        }
        false
    }

    fn cover(&mut self, vertex: VertexId, by: VertexId) {
        self.vertices[vertex].covered_by = Some(by);
        self.vertices[by].covers.push(vertex);
        // What lies below is out of the tree: it covers nothing any more.
        let mut below = vec![vertex];
        while let Some(v) = below.pop() {
            self.uncover_all(v);
            below.extend(self.vertices[v].children.iter().copied());
        }
    }

    /// Takes the cover away from everything that `vertex` covers.
    fn uncover_all(&mut self, vertex: VertexId) {
        for covered in std::mem::take(&mut self.vertices[vertex].covers) {
            if self.vertices[covered].covered_by == Some(vertex) {
                self.vertices[covered].covered_by = None;
                self.revive(covered);
            }
        }
    }

    /// Leaves below a vertex that is uncovered are expanded again.
    fn revive(&mut self, vertex: VertexId) {
        let mut below = vec![vertex];
        while let Some(v) = below.pop() {
            if !self.vertices[v].expanded {
                self.leaves.push(v);
            }
            below.extend(self.vertices[v].children.iter().copied());
        }
    }

    fn path(&self, from: Option<VertexId>, to: VertexId) -> (Vec<VertexId>, Vec<EdgeId>) {
        let mut vertices = vec![to];
        let mut edges = Vec::new();
        let mut at = to;
        while Some(at) != from {
            let Some((p, e)) = self.vertices[at].parent else { break };
            vertices.push(p);
            edges.push(e);
            at = p;
        }
        vertices.reverse();
        edges.reverse();
        (vertices, edges)
    }

    fn refine(&mut self, ctx: &mut Ctx<'_>, prepared: &Prepared, vertex: VertexId) -> Result<Option<Verdict>, Reason> {
        if !self.invariants.is_empty()
            && let Some((parent, edge)) = self.vertices[vertex].parent
            && self.hoare.internal(ctx, self.vertices[parent].label, edge, TermId::FALSE) == Validity::Valid
        {
            self.vertices[vertex].label = TermId::FALSE;
            return Ok(None);
        }
        let (vertices, edges) = self.path(None, vertex);
        match refute_segment(ctx, self.icfg, TermId::TRUE, &edges, TermId::FALSE) {
            TraceResult::Feasible(counterexample) => {
                Ok(Some(Verdict::Violated(prepared.counterexample(ctx.pool, counterexample)?)))
            }
            TraceResult::Unknown(reason) => Err(reason),
            TraceResult::Infeasible(mut proof) => {
                let closing = closing_interpolants(ctx, self.icfg, &mut proof, &mut self.hoare)?;
                let predicates = match closing {
                    Some(predicates) => predicates,
                    None => {
                        proof.minimise_core_without_returns(ctx, self.icfg)?;
                        path_predicates(ctx, self.icfg, &mut proof)?
                    }
                };
                let predicates = self.steady(ctx, &edges, &predicates).unwrap_or(predicates);
                prepared.offer(ctx, &edges, std::slice::from_ref(&predicates));
                self.strengthen_path(ctx, &vertices, &predicates);
                self.lift(ctx, &predicates);
                Ok(None)
            }
        }
    }

    /// In a graph of linked procedures a path goes through a procedure as often as it is called, and a tree has a
    /// vertex for each context. What holds in all of them need not be found anew in each: predicates of a path are
    /// tried at all locations, and those that are inductive become part of every label.
    fn lift(&mut self, ctx: &mut Ctx<'_>, predicates: &[TermId]) {
        if self.addresses.is_empty() {
            return;
        }
        let mut fresh: Vec<TermId> = Vec::new();
        for &p in predicates {
            let speaks_of_contexts = ctx.pool.free_constants(p).iter().any(|t| self.addresses.contains(t));
            if p != TermId::TRUE && p != TermId::FALSE && !speaks_of_contexts && !self.lifted.contains(&p) {
                fresh.push(p);
            }
        }
        fresh.sort_by_key(|&p| (ctx.pool.dag_size(p), p));
        fresh.dedup();
        fresh.truncate(LIFTED_AT_ONCE);
        if fresh.is_empty() {
            return;
        }
        self.lifted.extend(fresh.iter().copied());
        let mut candidates = Predicates::new();
        for (loc, location) in self.icfg.locs.iter() {
            if location.error.is_none() && loc != self.icfg.entry() && !self.icfg.in_edges(loc).is_empty() {
                let mut list = fresh.clone();
                list.extend(self.invariants.get(&loc).map(|&known| ctx.pool.conjuncts(known)).into_iter().flatten());
                candidates.insert(loc, list);
            }
        }
        let found =
            predicate_exchange::inductive(ctx, &mut self.hoare, self.icfg, candidates, predicate_exchange::TIME_SHARE);
        for (loc, formula) in found {
            let old = self.invariants.insert(loc, formula).unwrap_or(TermId::TRUE);
            if old == formula {
                continue;
            }
            ctx.stats.add("lifted predicates", 1);
            // Covers stay: both labels get the same conjunct.
            for v in self.at.get(&loc).cloned().unwrap_or_default() {
                self.vertices[v].label = ctx.pool.and(&[self.vertices[v].label, formula]);
            }
        }
    }

    /// A sequence in which one predicate stays as long as possible, made from a sequence in which predicates follow the
    /// values along the path (`x >= 0`, `x >= 1`, …): the same label at many vertices lets one cover the other. Like
    /// the given one, every predicate and the edge after it imply the next.
    fn steady(&mut self, ctx: &mut Ctx<'_>, edges: &[EdgeId], predicates: &[TermId]) -> Option<Vec<TermId>> {
        let trivial = [TermId::TRUE, TermId::FALSE];
        let mut candidates: Vec<TermId> = predicates.iter().copied().filter(|p| !trivial.contains(p)).collect();
        candidates.sort_unstable();
        candidates.dedup();
        if candidates.len() < STEADY_FROM {
            return None;
        }
        candidates.sort_by_key(|&p| (ctx.pool.dag_size(p), p));
        for candidate in candidates.into_iter().take(STEADY_CANDIDATES) {
            let start =
                (0..edges.len()).find(|&i| self.hoare.implies(ctx, predicates[i], candidate) == Validity::Valid)?;
            let mut end = None;
            for i in start..edges.len() {
                if self.hoare.internal(ctx, candidate, edges[i], predicates[i + 1]) == Validity::Valid {
                    end = Some(i);
                }
                if self.hoare.internal(ctx, candidate, edges[i], candidate) != Validity::Valid {
                    break;
                }
            }
            if let Some(end) = end
                && 2 * (end - start) >= edges.len()
            {
                let mut sequence = predicates.to_vec();
                sequence[start..=end].fill(candidate);
                return Some(sequence);
            }
        }
        None
    }

    /// Conjoins predicates to the labels along a path; then tries to cover what changed, top down.
    fn strengthen_path(&mut self, ctx: &mut Ctx<'_>, vertices: &[VertexId], predicates: &[TermId]) {
        let mut changed = Vec::new();
        for (&v, &p) in vertices.iter().zip(predicates) {
            let label = self.vertices[v].label;
            if self.hoare.implies(ctx, label, p) == Validity::Valid {
                continue;
            }
            self.vertices[v].label = ctx.pool.and(&[label, p]);
            self.uncover_all(v);
            changed.push(v);
        }
        for v in changed {
            if self.vertices[v].label != TermId::FALSE && !self.is_covered(v) && self.close(ctx, v) {
                break;
            }
        }
    }

    /// Tries to make a vertex coverable by strengthening the path to it.
    fn force_cover(&mut self, ctx: &mut Ctx<'_>, vertex: VertexId) -> Result<bool, Reason> {
        let loc = self.vertices[vertex].loc;
        if !self.icfg.locs[loc].is_loop_head {
            return Ok(false);
        }
        let candidates: Vec<VertexId> = self.at[&loc]
            .iter()
            .copied()
            .take_while(|&w| w < vertex)
            .filter(|&w| self.vertices[w].label != TermId::TRUE && !self.is_covered(w))
            .collect();
        for &other in candidates.iter().rev().take(FORCED_CANDIDATES) {
            let common = self.common_ancestor(other, vertex);
            let (vertices, edges) = self.path(Some(common), vertex);
            let (pre, post) = (self.vertices[common].label, self.vertices[other].label);
            ctx.stats.add("forced covers tried", 1);
            ctx.observer.enter(Phase::Abstraction);
            let result = refute_segment(ctx, self.icfg, pre, &edges, post);
            ctx.observer.leave(Phase::Abstraction);
            match result {
                TraceResult::Infeasible(mut proof) => {
                    proof.minimise_core_without_returns(ctx, self.icfg)?;
                    let mut predicates = proof.craig_predicates(ctx, self.icfg)?;
                    // The ends are given: the ancestor's label stays, the goal is the other's label.
                    if let (Some(first), Some(last)) = (predicates.first_mut(), vertices.len().checked_sub(1)) {
                        *first = TermId::TRUE;
                        predicates[last] = post;
                    }
                    self.strengthen_path(ctx, &vertices, &predicates);
                    if self.vertices[vertex].covered_by.is_none() && !self.is_covered(other) && !self.is_covered(vertex)
                    {
                        self.cover(vertex, other);
                    }
                    if self.is_covered(vertex) {
                        ctx.stats.add("forced covers", 1);
                        return Ok(true);
                    }
                }
                TraceResult::Feasible(_) => {}
                TraceResult::Unknown(Reason::Stopped(stop)) => return Err(Reason::Stopped(stop)),
                TraceResult::Unknown(_) => {}
            }
        }
        Ok(false)
    }

    fn common_ancestor(&self, a: VertexId, b: VertexId) -> VertexId {
        let mut at = a;
        loop {
            if at == b || self.is_ancestor(at, b) {
                return at;
            }
            match self.vertices[at].parent {
                Some((p, _)) => at = p,
                None => return VertexId::from_index(0),
            }
        }
    }
}
