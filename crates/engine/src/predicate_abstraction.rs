//! Predicate abstraction with refinement, lazily (Graf, Saïdi, *Construction of abstract state graphs with PVS*, CAV
//! 1997; Henzinger, Jhala, Majumdar, Sutre, *Lazy abstraction*, POPL 2002).
//!
//! *AbstReach* explores the graph with abstract states: the abstraction `α(post(φ, edge))` of a step is made of the
//! predicates known at the target location. **Cartesian**: the conjunction of all predicates, or negations of
//! predicates, that the step implies. **Boolean**: the strongest Boolean combination, found by enumerating the truth
//! assignments to the predicates that some step can produce. Every abstract state remembers its *Parent*, so an
//! abstract error gives a path. If the path is infeasible, predicates that exclude it are added: interpolated, greatest
//! (weakest preconditions) or least (strongest postconditions) solutions, whichever the refinement strategy yields.
//! Predicates are local to locations, and only the part of the tree from the first node with a new predicate on is
//! explored again (lazy abstraction).
//!
//! Cartesian abstraction is used until a path comes back although its predicates are known; then
//! correlations between predicates are missing, and the locations on it switch to Boolean abstraction.
//!
//! Which abstraction, which solution and whether predicates are local is a choice ([`Config`]). The predicates that
//! other engines offer are the first precision.

use crate::framework::{Ctx, Engine, Phase, Task};
use crate::hoare::{HoareChecker, Validity};
use crate::prepared::{Prepared, prepare};
use crate::profile::{Profile, Wants};
use crate::refinement::{Refine, Refinement, Refiner};
use crate::trace_check::{Source, Strength, TraceResult, check_trace};
use base::IdVec;
use ir::blocks::BlockMode;
use ir::{EdgeId, Icfg, LocId, Reason, Verdict};
use logic::{SatResult, Solver, TermId};
use smt::SmtSolver;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// How the abstraction of a step is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Abstraction {
    Cartesian,
    Boolean,
    /// Boolean where Cartesian turns out to be too weak.
    #[default]
    OnDemand,
}

/// Which solution of the refinement constraints of an infeasible path gives the predicates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Solution {
    /// Strongest postconditions.
    Least,
    /// Weakest preconditions.
    Greatest,
    /// Craig interpolants.
    Interpolated,
    /// What the refinement strategy of all engines picks.
    #[default]
    Strategy,
}

/// Where a predicate is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Scope {
    /// At the location for which it was found.
    #[default]
    Local,
    /// Everywhere.
    Global,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Config {
    pub abstraction: Abstraction,
    pub solution: Solution,
    pub scope: Scope,
}

impl Config {
    pub const DEFAULT: Config =
        Config { abstraction: Abstraction::OnDemand, solution: Solution::Strategy, scope: Scope::Local };
}

#[derive(Default)]
pub struct PredicateAbstraction {
    pub config: Config,
}

impl Engine for PredicateAbstraction {
    fn name(&self) -> &'static str {
        "predicate-abstraction"
    }
    fn summary(&self) -> &'static str {
        "predicate abstraction with lazy refinement: abstract reachability over predicates local to locations"
    }
    fn profile(&self) -> Profile {
        Profile::refining(Wants::NoCalls)
    }
    fn search(&self, ctx: &mut Ctx<'_>, task: &Task<'_>) -> Verdict {
        let prepared = match prepare(ctx, task, BlockMode::Large) {
            Ok(prepared) => prepared,
            Err(reason) => return Verdict::Unknown(reason),
        };
        let mut search = AbstReach::new(ctx.pool, &prepared.icfg, prepared.offered(task), self.config);
        match search.run(ctx, &prepared) {
            Ok(verdict) => verdict,
            Err(reason) => Verdict::Unknown(reason),
        }
    }
}

base::define_id!(
    /// A node of the abstract reachability tree.
    NodeId, "n"
);

/// The most truth assignments that a Boolean abstraction enumerates; beyond, the Cartesian one is taken.
const MAX_CUBES: usize = 48;

/// `α` with a list of predicates: those that the formula implies.
pub fn entailed(
    ctx: &mut Ctx<'_>,
    hoare: &mut HoareChecker<'_>,
    formula: TermId,
    predicates: &[TermId],
) -> Vec<TermId> {
    predicates.iter().copied().filter(|&p| hoare.implies(ctx, formula, p) == Validity::Valid).collect()
}

/// A node of the tree as others see it: location, abstract state, and the step from its parent.
pub type ReachNode = (LocId, TermId, Option<(NodeId, EdgeId)>);

struct Node {
    loc: LocId,
    /// The abstract state.
    state: TermId,
    parent: Option<(NodeId, EdgeId)>,
    children: Vec<NodeId>,
    removed: bool,
    /// Another node describes at least these states: not explored further.
    covered_by: Option<NodeId>,
    covers: Vec<NodeId>,
}

/// Abstract reachability with the tree of how states were reached.
pub struct AbstReach<'a> {
    config: Config,
    icfg: &'a Icfg,
    hoare: HoareChecker<'a>,
    /// The predicates of each location, in the order they were found.
    precision: BTreeMap<LocId, Vec<TermId>>,
    boolean_at: BTreeSet<LocId>,
    nodes: IdVec<NodeId, Node>,
    at: BTreeMap<LocId, Vec<NodeId>>,
    worklist: VecDeque<NodeId>,
}

impl<'a> AbstReach<'a> {
    pub fn new(
        pool: &mut logic::TermPool,
        icfg: &'a Icfg,
        precision: BTreeMap<LocId, Vec<TermId>>,
        config: Config,
    ) -> AbstReach<'a> {
        let mut search = AbstReach {
            config,
            icfg,
            hoare: HoareChecker::new(pool, icfg),
            precision,
            boolean_at: BTreeSet::new(),
            nodes: IdVec::new(),
            at: BTreeMap::new(),
            worklist: VecDeque::new(),
        };
        if config.abstraction == Abstraction::Boolean {
            search.boolean_at = icfg.locs.ids().collect();
        }
        search.add(icfg.entry(), TermId::TRUE, None);
        search
    }

    /// The nodes that describe reachable states: neither removed nor covered.
    pub fn reach_states(&self) -> Vec<(NodeId, ReachNode)> {
        let live = self.nodes.iter().filter(|(_, n)| !n.removed && n.covered_by.is_none());
        live.map(|(id, n)| (id, (n.loc, n.state, n.parent))).collect()
    }

    fn run(&mut self, ctx: &mut Ctx<'_>, prepared: &Prepared) -> Result<Verdict, Reason> {
        let mut refiner = Refiner::new();
        let mut rounds = 0;
        while let Some(error) = self.explore(ctx)? {
            rounds += 1;
            ctx.stats.set("refinements", rounds);
            ctx.observer.progress(rounds, "predicate abstraction");
            if let Some(verdict) = self.refine(ctx, prepared, &mut refiner, error)? {
                return Ok(verdict);
            }
        }
        let mut invariants: BTreeMap<LocId, Vec<TermId>> = BTreeMap::new();
        for (_, (loc, state, _)) in self.reach_states() {
            invariants.entry(loc).or_default().push(state);
        }
        ctx.stats.set("predicates", self.precision.values().map(|p| p.len() as u64).sum());
        Ok(Verdict::Holds(prepared.certificate(ctx.pool, invariants)))
    }

    /// Applies `post#` until no new states appear, or an error location is reached: then its node.
    pub fn explore(&mut self, ctx: &mut Ctx<'_>) -> Result<Option<NodeId>, Reason> {
        while let Some(node) = self.worklist.pop_front() {
            ctx.budget.check()?;
            if self.nodes[node].removed || self.nodes[node].covered_by.is_some() {
                continue;
            }
            let loc = self.nodes[node].loc;
            if self.icfg.locs[loc].error.is_some() {
                return Ok(Some(node));
            }
            if self.cover(ctx, node) {
                continue;
            }
            for &edge in self.icfg.out_edges(loc) {
                let before = self.nodes[node].state;
                let after = ctx.phase(Phase::Abstraction, |ctx| self.abstract_post(ctx, before, edge))?;
                if after != TermId::FALSE {
                    self.add(self.icfg.edges[edge].dst, after, Some((node, edge)));
                }
            }
            ctx.stats.max("tree nodes", self.nodes.len() as u64);
        }
        Ok(None)
    }

    fn add(&mut self, loc: LocId, state: TermId, parent: Option<(NodeId, EdgeId)>) {
        let id = self.nodes.push(Node {
            loc,
            state,
            parent,
            children: Vec::new(),
            removed: false,
            covered_by: None,
            covers: Vec::new(),
        });
        if let Some((p, _)) = parent {
            self.nodes[p].children.push(id);
        }
        self.at.entry(loc).or_default().push(id);
        if self.icfg.locs[loc].error.is_some() {
            self.worklist.push_front(id);
        } else {
            self.worklist.push_back(id);
        }
    }

    /// Is there a node of the same location that describes all of this one's states?
    fn cover(&mut self, ctx: &mut Ctx<'_>, node: NodeId) -> bool {
        let (loc, state) = (self.nodes[node].loc, self.nodes[node].state);
        let candidates = self.at[&loc].clone();
        for other in candidates {
            let candidate = &self.nodes[other];
            let usable = other < node && !candidate.removed && candidate.covered_by.is_none();
            let wider = candidate.state;
            if usable && self.hoare.implies(ctx, state, wider) == Validity::Valid {
                self.nodes[node].covered_by = Some(other);
                self.nodes[other].covers.push(node);
                return true;
            }
        }
        false
    }

    /// `α(post(state, edge))` over the predicates of the target.
    fn abstract_post(&mut self, ctx: &mut Ctx<'_>, state: TermId, edge: EdgeId) -> Result<TermId, Reason> {
        if self.hoare.internal(ctx, state, edge, TermId::FALSE) == Validity::Valid {
            return Ok(TermId::FALSE);
        }
        let dst = self.icfg.edges[edge].dst;
        let predicates = self.precision.get(&dst).cloned().unwrap_or_default();
        let mut literals = Vec::new();
        let mut undetermined = Vec::new();
        for p in predicates {
            let negated = ctx.pool.not(p);
            if self.hoare.internal(ctx, state, edge, p) == Validity::Valid {
                literals.push(p);
            } else if self.hoare.internal(ctx, state, edge, negated) == Validity::Valid {
                literals.push(negated);
            } else {
                undetermined.push(p);
            }
        }
        if undetermined.len() >= 2 && self.boolean_at.contains(&dst) {
            let combination = self.boolean_post(ctx, state, edge, &undetermined)?;
            literals.push(combination);
        }
        Ok(ctx.pool.and(&literals))
    }

    /// The strongest combination of some predicates after a step: all truth assignments that occur.
    fn boolean_post(
        &mut self,
        ctx: &mut Ctx<'_>,
        state: TermId,
        edge: EdgeId,
        predicates: &[TermId],
    ) -> Result<TermId, Reason> {
        let mut images = Vec::with_capacity(predicates.len());
        let never = self.hoare.precondition(ctx.pool, edge, TermId::FALSE);
        let Some(never) = never else { return Ok(TermId::TRUE) };
        for &p in predicates {
            match self.hoare.image(ctx.pool, edge, p) {
                Some(image) => images.push(image),
                None => return Ok(TermId::TRUE),
            }
        }
        let possible = ctx.pool.not(never);
        let mut solver = SmtSolver::without_proofs();
        for &axiom in &self.icfg.axioms {
            solver.assert(ctx.pool, axiom);
        }
        solver.assert(ctx.pool, state);
        solver.assert(ctx.pool, possible);
        let mut cubes = Vec::new();
        loop {
            ctx.stats.add("solver calls", 1);
            match solver.check(ctx.pool, ctx.budget) {
                SatResult::Unsat => return Ok(ctx.pool.or(&cubes)),
                SatResult::Unknown(logic::UnknownReason::Stopped(stop)) => return Err(Reason::Stopped(stop)),
                SatResult::Unknown(_) => return Ok(TermId::TRUE),
                SatResult::Sat => {
                    let Some(model) = solver.model().cloned() else { return Ok(TermId::TRUE) };
                    if cubes.len() == MAX_CUBES {
                        return Ok(TermId::TRUE);
                    }
                    let mut cube = Vec::new();
                    let mut blocked = Vec::new();
                    for (&p, &image) in predicates.iter().zip(&images) {
                        let Ok(holds) = model.holds(ctx.pool, image) else { return Ok(TermId::TRUE) };
                        let (literal, other) = if holds { (p, ctx.pool.not(image)) } else { (ctx.pool.not(p), image) };
                        cube.push(literal);
                        blocked.push(other);
                    }
                    cubes.push(ctx.pool.and(&cube));
                    let block = ctx.pool.or(&blocked);
                    solver.assert(ctx.pool, block);
                }
            }
        }
    }

    fn refine(
        &mut self,
        ctx: &mut Ctx<'_>,
        prepared: &Prepared,
        refiner: &mut Refiner,
        error: NodeId,
    ) -> Result<Option<Verdict>, Reason> {
        let mut path = vec![error];
        let mut trace = Vec::new();
        while let Some((p, e)) = self.nodes[path[path.len() - 1]].parent {
            path.push(p);
            trace.push(e);
        }
        path.reverse();
        trace.reverse();
        let refinement = match self.config.solution {
            Solution::Strategy => refiner.refine(ctx, self.icfg, &trace, &mut self.hoare)?,
            Solution::Least => solve(ctx, self.icfg, &trace, Source::Forward)?,
            Solution::Greatest => solve(ctx, self.icfg, &trace, Source::Backward)?,
            Solution::Interpolated => solve(ctx, self.icfg, &trace, Source::Craig(Strength::Strong))?,
        };
        let sequences = match refinement {
            Refinement::Feasible(counterexample) => {
                return Ok(Some(Verdict::Violated(prepared.counterexample(ctx.pool, counterexample)?)));
            }
            Refinement::Predicates(sequences) => sequences,
        };
        prepared.offer(ctx, &trace, &sequences);
        let mut pivot = None;
        for sequence in &sequences {
            for (i, &p) in sequence.iter().enumerate() {
                if p == TermId::TRUE || p == TermId::FALSE {
                    continue;
                }
                let (first, locs): (usize, Vec<LocId>) = match self.config.scope {
                    Scope::Local => (i, vec![self.nodes[path[i]].loc]),
                    Scope::Global => (1, self.icfg.locs.ids().collect()),
                };
                let mut new = false;
                for loc in locs {
                    let known = self.precision.entry(loc).or_default();
                    for conjunct in ctx.pool.conjuncts(p) {
                        if !known.contains(&conjunct) {
                            known.push(conjunct);
                            new = true;
                        }
                    }
                }
                if new {
                    pivot = Some(pivot.map_or(first, |q: usize| q.min(first)));
                }
            }
        }
        let pivot = match pivot {
            Some(pivot) => pivot,
            None => {
                // All predicates are known: what is missing are correlations between them.
                let before = self.boolean_at.len();
                if self.config.abstraction == Abstraction::Cartesian {
                    return Err(Reason::Incomplete("the Cartesian abstraction is too weak".to_string()));
                }
                self.boolean_at.extend(path.iter().map(|&n| self.nodes[n].loc));
                if self.boolean_at.len() == before {
                    return Err(Reason::Incomplete("the abstraction cannot exclude an infeasible path".to_string()));
                }
                1
            }
        };
        self.explore_again(path[pivot.max(1)]);
        Ok(None)
    }

    /// Removes the subtree of a node and queues its parent's step anew.
    fn explore_again(&mut self, node: NodeId) {
        let Some((parent, _)) = self.nodes[node].parent else { return };
        let mut below = std::mem::take(&mut self.nodes[parent].children);
        while let Some(n) = below.pop() {
            self.nodes[n].removed = true;
            if let Some(by) = self.nodes[n].covered_by.take() {
                self.nodes[by].covers.retain(|&c| c != n);
            }
            for covered in std::mem::take(&mut self.nodes[n].covers) {
                if !self.nodes[covered].removed && self.nodes[covered].covered_by == Some(n) {
                    self.nodes[covered].covered_by = None;
                    self.worklist.push_back(covered);
                }
            }
            below.append(&mut self.nodes[n].children);
        }
        for list in self.at.values_mut() {
            list.retain(|&n| !self.nodes[n].removed);
        }
        self.worklist.push_back(parent);
    }
}

/// The solution of the refinement constraints of a path that one source of predicates gives.
fn solve(ctx: &mut Ctx<'_>, icfg: &Icfg, trace: &[EdgeId], source: Source) -> Result<Refinement, Reason> {
    match check_trace(ctx, icfg, trace) {
        TraceResult::Feasible(counterexample) => Ok(Refinement::Feasible(counterexample)),
        TraceResult::Unknown(reason) => Err(reason),
        TraceResult::Infeasible(mut proof) => Ok(Refinement::Predicates(vec![proof.predicates(ctx, icfg, source)?])),
    }
}
