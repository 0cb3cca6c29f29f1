//! Checks of termination proofs and of executions that never end.
//!
//! *Termination.* A [`TerminationProof`] is a list of modules, see there. Four things make it a proof. (1) Every edge
//! of a module that is used is a valid Hoare triple, where `Seed` and `Decrease` states set the ghosts to the rank; so
//! along the execution of a word the formulas hold. (2) A `Decrease` really is one, so that no executable word has
//! infinitely many decreases after its last loss. (3) Every cycle passes a cut point. (4) Multiplying the paths between
//! cut points with one module after the other leaves no cycle that all modules tolerate. (4) is decided by strongly
//! connected components: one is tolerated unless a module has a decrease but no loss in it; then its decreasing nodes
//! are taken out and the rest is looked at again.
//!
//! *Büchi conditions.* If the graph has one ([`Icfg::acceptance`]), cycles without an accepting location need no
//! argument, and an execution that never ends must pass one in its cycle.
//!
//! *Calls.* In a graph with calls the contracts are proved first; then the proof is about the graph in which calls are
//! skipped by contract or entered for ever, which is made here again ([`ir::pending_calls`]).
//!
//! *Non-termination.* The stem is executed with the given values; the recurrence set is checked to hold after it, and
//! to be closed under the cycle by one solver query over symbolic execution with the given choices.
//!
//! Nothing here searches: a proof that leaves something open is rejected.

use crate::{Options, Prover, Rejection, annotation};
use base::{Budget, Stop};
use ir::pending_calls::without_returns;
use ir::{EdgeId, Icfg, Label, LocId, ModuleMode, NonTermination, RankingModule, Stmt, TerminationProof, VarId};
use logic::{FastMap, FastSet, Op, Rational, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

fn reject<T>(why: impl Into<String>) -> Result<T, Rejection> {
    Err(Rejection::Wrong(why.into()))
}

/// More paths than this are not enumerated.
const MAX_PATHS: usize = 20_000;
const MAX_NODES: usize = 200_000;

/// A path between cut points: when it can be taken and what it does, over the values before it.
struct Path {
    edges: Vec<EdgeId>,
    to: LocId,
    condition: TermId,
    values: Vec<(TermId, TermId)>,
}

/// Symbolic execution of a sequence of steps from a state in which some variables have the given values; `choose` gives
/// the values of havocs over the variables before the step.
fn execute(
    pool: &mut TermPool,
    icfg: &Icfg,
    edges: &[EdgeId],
    start: BTreeMap<VarId, TermId>,
    choose: &mut dyn FnMut(&mut TermPool, usize, VarId) -> Result<TermId, Rejection>,
) -> Result<(TermId, BTreeMap<VarId, TermId>), Rejection> {
    let mut values = start;
    let mut conditions = Vec::new();
    for (position, &edge) in edges.iter().enumerate() {
        let pairs: Vec<(TermId, TermId)> = values.iter().map(|(v, t)| (icfg.vars[*v].term, *t)).collect();
        match &icfg.edges[edge].label {
            Label::Stmt(Stmt::Assume(condition)) => conditions.push(pool.substitute(*condition, &pairs)),
            Label::Stmt(Stmt::Assign(assignments)) => {
                let new: Vec<(VarId, TermId)> =
                    assignments.iter().map(|(v, e)| (*v, pool.substitute(*e, &pairs))).collect();
                values.extend(new);
            }
            Label::Stmt(Stmt::Havoc(variables, _)) => {
                let mut new = Vec::with_capacity(variables.len());
                for &v in variables {
                    let chosen = choose(pool, position, v)?;
                    new.push((v, pool.substitute(chosen, &pairs)));
                }
                values.extend(new);
            }
            Label::AtomicBegin | Label::AtomicEnd => {}
            Label::Block(_) | Label::Call(_) | Label::Return(_) | Label::Fork { .. } | Label::Join { .. } => {
                return reject(format!("step {edge} is not a plain statement"));
            }
        }
    }
    Ok((pool.and(&conditions), values))
}

/// The variables that a conjunction says are equal to a value.
fn fixed_values(pool: &TermPool, icfg: &Icfg, formula: TermId) -> BTreeMap<VarId, TermId> {
    let by_term: FastMap<TermId, VarId> = icfg.vars.iter().map(|(v, data)| (data.term, v)).collect();
    let mut fixed = BTreeMap::new();
    for conjunct in pool.conjuncts(formula) {
        if let Some(&v) = by_term.get(&conjunct) {
            fixed.insert(v, TermId::TRUE);
        }
        if pool.op(conjunct) == Op::Not
            && let Some(&v) = by_term.get(&pool.arg(conjunct, 0))
        {
            fixed.insert(v, TermId::FALSE);
        }
        if pool.op(conjunct) != Op::Eq {
            continue;
        }
        let (a, b) = (pool.arg(conjunct, 0), pool.arg(conjunct, 1));
        for (variable, value) in [(a, b), (b, a)] {
            if let Some(&v) = by_term.get(&variable)
                && pool.free_constants(value).is_empty()
            {
                fixed.insert(v, value);
            }
        }
    }
    fixed
}

/// Does `left` imply `right`, the axioms given?
fn implies(
    pool: &mut TermPool,
    prover: &mut Prover,
    left: &[TermId],
    right: TermId,
    budget: &Budget,
) -> Result<bool, Rejection> {
    budget.check_now()?;
    let fails = pool.not(right);
    let mut conjuncts = left.to_vec();
    conjuncts.push(fails);
    let refuted = pool.and(&conjuncts);
    prover.impossible(pool, refuted, budget)
}

/// Accepts a proof that no execution of the graph is infinite.
pub(crate) fn check(
    pool: &mut TermPool,
    icfg: &Icfg,
    proof: &TerminationProof,
    options: Options,
    budget: &Budget,
) -> Result<(), Rejection> {
    let expanded;
    let icfg = if icfg.has_calls() {
        annotation::check(pool, &without_errors(icfg), &proof.summaries, options, budget)?;
        (expanded, _) = without_returns(icfg, &proof.summaries.contracts, pool);
        &expanded
    } else {
        icfg
    };
    let mut prover = Prover::new(pool, icfg, options);
    let mut cut_points = proof.cut_points.clone();
    cut_points.insert(icfg.entry());
    every_cycle_is_cut(icfg, &cut_points)?;
    let paths = enumerate_paths(pool, icfg, &mut prover, &cut_points, budget)?;
    let mut rest = Graph::of_paths(icfg, &paths);
    rest.keep_live(budget)?;
    for (number, module) in proof.modules.iter().enumerate() {
        if rest.nodes.is_empty() {
            break;
        }
        well_formed(pool, icfg, module)?;
        rest = subtract(pool, &mut prover, &paths, &rest, module, number, budget)?;
        rest.keep_live(budget)?;
    }
    if rest.nodes.is_empty() { Ok(()) } else { reject("some infinite path is not ruled out by any module") }
}

/// Executions that reach an error end there; whether they do is another property.
fn without_errors(icfg: &Icfg) -> Icfg {
    let mut graph = icfg.clone();
    for (_, location) in graph.locs.iter_mut() {
        location.error = None;
    }
    graph
}

fn every_cycle_is_cut(icfg: &Icfg, cut_points: &BTreeSet<LocId>) -> Result<(), Rejection> {
    // Topological sorting of the graph without edges into cut points must consume it.
    let mut n_in: FastMap<LocId, usize> = FastMap::default();
    for edge in icfg.edges.values().filter(|e| !cut_points.contains(&e.dst)) {
        *n_in.entry(edge.dst).or_insert(0) += 1;
    }
    let mut ready: Vec<LocId> = icfg.locs.ids().filter(|l| !n_in.contains_key(l)).collect();
    let mut n_done = 0;
    while let Some(loc) = ready.pop() {
        n_done += 1;
        for &edge in icfg.out_edges(loc) {
            let to = icfg.edges[edge].dst;
            if let Some(n) = n_in.get_mut(&to) {
                *n -= 1;
                if *n == 0 {
                    ready.push(to);
                }
            }
        }
    }
    if n_done == icfg.locs.len() { Ok(()) } else { reject("a cycle of the graph has no cut point") }
}

/// All paths between cut points that can be executed at all.
fn enumerate_paths(
    pool: &mut TermPool,
    icfg: &Icfg,
    prover: &mut Prover,
    cut_points: &BTreeSet<LocId>,
    budget: &Budget,
) -> Result<BTreeMap<LocId, Vec<Path>>, Rejection> {
    // Executions that leave these locations reach no cut point any more, so they end.
    let mut relevant = cut_points.clone();
    let mut worklist: Vec<LocId> = cut_points.iter().copied().collect();
    while let Some(loc) = worklist.pop() {
        for &edge in icfg.in_edges(loc) {
            if relevant.insert(icfg.edges[edge].src) {
                worklist.push(icfg.edges[edge].src);
            }
        }
    }
    let mut result: BTreeMap<LocId, Vec<Path>> = BTreeMap::new();
    let mut sources = VecDeque::from([icfg.entry()]);
    let mut seen = BTreeSet::from([icfg.entry()]);
    let mut n_paths = 0;
    while let Some(source) = sources.pop_front() {
        let mut open: Vec<Vec<EdgeId>> = icfg.out_edges(source).iter().rev().map(|e| vec![*e]).collect();
        let mut complete = Vec::new();
        while let Some(edges) = open.pop() {
            budget.check()?;
            if n_paths + open.len() > MAX_PATHS {
                return reject("too many paths between cut points");
            }
            let Some(&last) = edges.last() else { continue };
            let at = icfg.edges[last].dst;
            if cut_points.contains(&at) {
                n_paths += 1;
                complete.push((edges, at));
            } else if relevant.contains(&at) {
                for &edge in icfg.out_edges(at).iter().rev() {
                    let mut longer = edges.clone();
                    longer.push(edge);
                    open.push(longer);
                }
            }
        }
        for (edges, to) in complete {
            let mut fresh = |pool: &mut TermPool, _: usize, v: VarId| {
                Ok(pool.fresh_constant(&icfg.vars[v].name, icfg.vars[v].sort))
            };
            let (condition, values) = execute(pool, icfg, &edges, BTreeMap::new(), &mut fresh)?;
            // Where this is not known the path stays, which is on the safe side.
            match implies(pool, prover, &[condition], TermId::FALSE, budget) {
                Ok(true) => continue,
                Ok(false) | Err(Rejection::Unchecked(_)) => {}
                Err(other) => return Err(other),
            }
            let values = values.into_iter().map(|(v, t)| (icfg.vars[v].term, t)).collect();
            result.entry(source).or_default().push(Path { edges, to, condition, values });
            if seen.insert(to) {
                sources.push_back(to);
            }
        }
    }
    Ok(result)
}

fn well_formed(pool: &TermPool, icfg: &Icfg, module: &RankingModule) -> Result<(), Rejection> {
    let Some(first) = module.states.first() else { return reject("it has no states") };
    if first.mode != ModuleMode::Waiting || first.formula != TermId::TRUE {
        return reject("its initial state assumes something");
    }
    if module.rank.len() != module.ghosts.len() {
        return reject("ranks and ghosts do not match");
    }
    let ghosts: FastSet<TermId> = module.ghosts.iter().copied().collect();
    if ghosts.len() != module.ghosts.len() {
        return reject("two components share a ghost");
    }
    // Ghosts must be symbols that the program does not have.
    let mut program = icfg.axioms.clone();
    program.extend(icfg.vars.values().map(|v| v.term));
    for edge in icfg.edges.values() {
        match &edge.label {
            Label::Stmt(Stmt::Assume(t)) => program.push(*t),
            Label::Stmt(Stmt::Assign(pairs)) => program.extend(pairs.iter().map(|p| p.1)),
            Label::Stmt(Stmt::Havoc(..)) | Label::AtomicBegin | Label::AtomicEnd => {}
            Label::Block(_) | Label::Call(_) | Label::Return(_) | Label::Fork { .. } | Label::Join { .. } => {
                return reject("the graph has steps that are not plain statements");
            }
        }
    }
    let mentions_ghost = |t: TermId| pool.free_constants(t).iter().any(|c| ghosts.contains(c));
    if program.into_iter().chain(module.rank.iter().copied()).any(mentions_ghost) {
        return reject("a ghost occurs in the program or in a rank");
    }
    for (&rank, &ghost) in module.rank.iter().zip(&module.ghosts) {
        if pool.as_symbol(ghost).is_none() || !pool.sort(rank).is_arith() || pool.sort(rank) != pool.sort(ghost) {
            return reject("a rank is not a number");
        }
    }
    for state in &module.states {
        match state.mode {
            ModuleMode::Tracking => {}
            ModuleMode::Waiting | ModuleMode::Seed | ModuleMode::Decrease => {
                if mentions_ghost(state.formula) {
                    return reject("a state speaks about ghosts that it does not keep");
                }
            }
        }
    }
    Ok(())
}

/// The rank is smaller than the ghosts, see [`ModuleMode::Decrease`].
fn decrease(pool: &mut TermPool, module: &RankingModule) -> TermId {
    let mut cases = Vec::new();
    for i in 0..module.rank.len() {
        let (rank, ghost) = (module.rank[i], module.ghosts[i]);
        let sort = pool.sort(rank);
        let (zero, one) = (pool.num(Rational::ZERO, sort), pool.num(Rational::ONE, sort));
        let least = pool.add(&[rank, one]);
        let mut case = vec![pool.le(zero, ghost), pool.le(least, ghost)];
        for j in 0..i {
            case.push(pool.le(module.rank[j], module.ghosts[j]));
        }
        cases.push(pool.and(&case));
    }
    pool.or(&cases)
}

/// A path by its source and position.
type PathKey = (LocId, usize);

struct Node {
    loc: LocId,
    modes: Vec<ModuleMode>,
    edges: Vec<(PathKey, usize)>,
}

/// The first node is initial.
struct Graph {
    nodes: Vec<Node>,
}

fn subtract(
    pool: &mut TermPool,
    prover: &mut Prover,
    paths: &BTreeMap<LocId, Vec<Path>>,
    graph: &Graph,
    module: &RankingModule,
    number: usize,
    budget: &Budget,
) -> Result<Graph, Rejection> {
    let decreases = decrease(pool, module);
    let seeded: Vec<TermId> = module.rank.iter().zip(&module.ghosts).map(|(&r, &g)| pool.eq(g, r)).collect();
    let mut valid: FastSet<(usize, PathKey)> = FastSet::default();
    let mut ids: FastMap<(usize, usize), usize> = FastMap::default();
    let mut keys = vec![(0, 0)];
    let mut nodes = vec![Node {
        loc: graph.nodes[0].loc,
        modes: graph.nodes[0].modes.iter().copied().chain([module.states[0].mode]).collect(),
        edges: Vec::new(),
    }];
    ids.insert((0, 0), 0);
    let mut next = 0;
    while next < nodes.len() {
        budget.check()?;
        if nodes.len() > MAX_NODES {
            return reject("the product of the modules is too large");
        }
        let (old, from) = keys[next];
        for &(key, target) in &graph.nodes[old].edges {
            let path = &paths[&key.0][key.1];
            let Some(&to) = module.edges.get(&(from, path.edges.clone())) else {
                return reject(format!("module {number} has no edge from state {from} for a path that is left"));
            };
            let Some(arrival) = module.states.get(to) else {
                return reject(format!("module {number} has no state {to}"));
            };
            if valid.insert((from, key)) {
                let departure = module.states[from];
                let mut left = vec![departure.formula, path.condition];
                match departure.mode {
                    ModuleMode::Seed | ModuleMode::Decrease => left.extend(&seeded),
                    ModuleMode::Waiting | ModuleMode::Tracking => {}
                }
                let claim = match arrival.mode {
                    ModuleMode::Decrease => pool.and2(arrival.formula, decreases),
                    ModuleMode::Waiting | ModuleMode::Seed | ModuleMode::Tracking => arrival.formula,
                };
                let claim = pool.substitute(claim, &path.values);
                if !implies(pool, prover, &left, claim, budget)? {
                    return reject(format!("module {number}: the edge from state {from} to state {to} is not valid"));
                }
            }
            if arrival.formula == TermId::FALSE {
                continue;
            }
            let node = *ids.entry((target, to)).or_insert_with(|| {
                let old = &graph.nodes[target];
                let modes = old.modes.iter().copied().chain([arrival.mode]).collect();
                nodes.push(Node { loc: old.loc, modes, edges: Vec::new() });
                keys.push((target, to));
                nodes.len() - 1
            });
            nodes[next].edges.push((key, node));
        }
        next += 1;
    }
    Ok(Graph { nodes })
}

impl Graph {
    fn of_paths(icfg: &Icfg, paths: &BTreeMap<LocId, Vec<Path>>) -> Graph {
        // A Büchi condition of the graph is tolerated like a module that falls with every path that does not accept and
        // starts anew with every one that does.
        let modes = |is_accepting: bool| match (&icfg.acceptance, is_accepting) {
            (None, _) => Vec::new(),
            (Some(_), true) => vec![ModuleMode::Waiting],
            (Some(_), false) => vec![ModuleMode::Decrease],
        };
        let mut ids: FastMap<(LocId, bool), usize> = FastMap::default();
        let is_accepting = icfg.is_accepting_path(&[]);
        let mut nodes = vec![Node { loc: icfg.entry(), modes: modes(is_accepting), edges: Vec::new() }];
        ids.insert((icfg.entry(), is_accepting), 0);
        let mut next = 0;
        while next < nodes.len() {
            let loc = nodes[next].loc;
            for (i, path) in paths.get(&loc).map_or(&[][..], Vec::as_slice).iter().enumerate() {
                let is_accepting = icfg.is_accepting_path(&path.edges);
                let node = *ids.entry((path.to, is_accepting)).or_insert_with(|| {
                    nodes.push(Node { loc: path.to, modes: modes(is_accepting), edges: Vec::new() });
                    nodes.len() - 1
                });
                nodes[next].edges.push(((loc, i), node));
            }
            next += 1;
        }
        Graph { nodes }
    }

    /// Keeps the nodes from which a tolerated cycle can be reached; none if the initial one is not among them.
    fn keep_live(&mut self, budget: &Budget) -> Result<(), Stop> {
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for (n, node) in self.nodes.iter().enumerate() {
            for &(_, t) in &node.edges {
                before[t].push(n);
            }
        }
        let mut live = vec![false; self.nodes.len()];
        let mut worklist = Vec::new();
        let mut open: Vec<Vec<usize>> = vec![(0..self.nodes.len()).collect()];
        while let Some(set) = open.pop() {
            for component in self.components(&set, &before, budget)? {
                let n_modules = self.nodes[component[0]].modes.len();
                let intolerant = (0..n_modules).find(|&m| {
                    let mode = |n: &usize| self.nodes[*n].modes[m];
                    component.iter().any(|n| mode(n) == ModuleMode::Decrease)
                        && component.iter().all(|n| matches!(mode(n), ModuleMode::Tracking | ModuleMode::Decrease))
                });
                match intolerant {
                    Some(m) => open.push(
                        component.into_iter().filter(|n| self.nodes[*n].modes[m] != ModuleMode::Decrease).collect(),
                    ),
                    None => worklist.extend(component),
                }
            }
        }
        worklist.iter().for_each(|n| live[*n] = true);
        while let Some(n) = worklist.pop() {
            for &b in &before[n] {
                if !std::mem::replace(&mut live[b], true) {
                    worklist.push(b);
                }
            }
        }
        if live.first() != Some(&true) {
            self.nodes.clear();
            return Ok(());
        }
        let mut names = vec![0; live.len()];
        let mut n_live = 0;
        for (n, is_live) in live.iter().enumerate() {
            names[n] = n_live;
            n_live += usize::from(*is_live);
        }
        let mut n = 0;
        self.nodes.retain(|_| {
            n += 1;
            live[n - 1]
        });
        for node in &mut self.nodes {
            node.edges.retain(|(_, t)| live[*t]);
            node.edges.iter_mut().for_each(|(_, t)| *t = names[*t]);
        }
        Ok(())
    }

    /// The strongly connected components of a set of nodes that contain a cycle (Kosaraju).
    fn components(&self, set: &[usize], before: &[Vec<usize>], budget: &Budget) -> Result<Vec<Vec<usize>>, Stop> {
        let mut unvisited: FastSet<usize> = set.iter().copied().collect();
        let mut finished = Vec::with_capacity(set.len());
        for &root in set {
            if !unvisited.remove(&root) {
                continue;
            }
            let mut stack = vec![(root, 0)];
            while let Some((n, position)) = stack.pop() {
                budget.check()?;
                match self.nodes[n].edges.get(position) {
                    Some(&(_, t)) => {
                        stack.push((n, position + 1));
                        if unvisited.remove(&t) {
                            stack.push((t, 0));
                        }
                    }
                    None => finished.push(n),
                }
            }
        }
        let mut unassigned: FastSet<usize> = set.iter().copied().collect();
        let mut components = Vec::new();
        for &root in finished.iter().rev() {
            if !unassigned.remove(&root) {
                continue;
            }
            let mut component = vec![root];
            let mut next = 0;
            while next < component.len() {
                budget.check()?;
                for &b in &before[component[next]] {
                    if unassigned.remove(&b) {
                        component.push(b);
                    }
                }
                next += 1;
            }
            if component.len() > 1 || self.nodes[root].edges.iter().any(|(_, t)| *t == root) {
                components.push(component);
            }
        }
        Ok(components)
    }
}

/// Accepts an execution that never ends.
pub fn check_nontermination(
    pool: &mut TermPool,
    icfg: &Icfg,
    found: &NonTermination,
    options: Options,
    budget: &Budget,
) -> Result<(), Rejection> {
    let expanded;
    let icfg = if icfg.has_calls() {
        // Contracts do not matter: an execution that skips a call is refused.
        (expanded, _) = without_returns(icfg, &BTreeMap::new(), pool);
        &expanded
    } else {
        icfg
    };
    let (mut at, state) = exec::interp::final_state(icfg, pool, &found.stem)
        .map_err(|error| Rejection::Unchecked(format!("the stem cannot be replayed: {error}")))?;
    if state.holds(pool, found.recurrence) != Ok(true) {
        return reject("the recurrence set does not contain the state after the stem");
    }
    let start = at;
    for step in &found.cycle {
        let Some(edge) = icfg.edges.get(step.edge) else { return reject("a step is not an edge of the graph") };
        if edge.src != at {
            return reject("the cycle is not connected");
        }
        at = edge.dst;
        if let Some(what) = edge.not_modelled() {
            return reject(format!("the cycle passes something that is not modelled exactly: {what}"));
        }
    }
    if found.cycle.is_empty() || at != start {
        return reject("the cycle does not come back to where it starts");
    }
    let edges: Vec<EdgeId> = found.cycle.iter().map(|s| s.edge).collect();
    if !icfg.is_accepting_path(&edges) {
        return reject("the cycle passes no accepting location");
    }
    let variables: FastSet<TermId> = icfg.vars.values().map(|v| v.term).collect();
    let mut choose = |pool: &mut TermPool, position: usize, v: VarId| {
        let Some(&chosen) = found.cycle[position].chosen.get(&v) else {
            return reject(format!("no choice is given for {}", icfg.vars[v].name));
        };
        let is_state_term = pool.free_constants(chosen).iter().all(|c| variables.contains(c));
        if pool.sort(chosen) != icfg.vars[v].sort || !is_state_term {
            return reject(format!("the choice for {} is not a term over the variables", icfg.vars[v].name));
        }
        Ok(chosen)
    };
    // Where the set fixes a variable, its value is used at once: then long cycles from a single state are just
    // executed.
    let fixed = fixed_values(pool, icfg, found.recurrence);
    let (condition, values) = execute(pool, icfg, &edges, fixed, &mut choose)?;
    let values: Vec<(TermId, TermId)> = values.into_iter().map(|(v, t)| (icfg.vars[v].term, t)).collect();
    let again = pool.substitute(found.recurrence, &values);
    let claim = pool.and2(condition, again);
    let mut prover = Prover::new(pool, icfg, options);
    if implies(pool, &mut prover, &[found.recurrence], claim, budget)? {
        Ok(())
    } else {
        reject("the recurrence set is not closed under the cycle")
    }
}

/// The truth of formulas after so many steps of the cycle of an infinite execution that was accepted: the same in every
/// iteration, or `None` if that is not known.
pub fn truths_in_cycle(
    pool: &mut TermPool,
    icfg: &Icfg,
    found: &NonTermination,
    asked: &[(usize, TermId)],
    options: Options,
    budget: &Budget,
) -> Result<Vec<Option<bool>>, Rejection> {
    let mut fixed = fixed_values(pool, icfg, found.recurrence);
    // What no turn changes is as it was after the stem.
    let (_, state) = exec::interp::final_state(icfg, pool, &found.stem)
        .map_err(|error| Rejection::Unchecked(format!("the stem cannot be replayed: {error}")))?;
    let is_kept = |v: VarId| found.cycle.iter().all(|s| !icfg.writes(&icfg.edges[s.edge].label, v));
    for (v, variable) in icfg.vars.iter().filter(|(v, _)| is_kept(*v)) {
        if let Ok(value) = state.eval(pool, variable.term)
            && let Some(term) = pool.value_term(&value, variable.sort)
        {
            fixed.insert(v, term);
        }
    }
    let mut prover = Prover::new(pool, icfg, options);
    let mut answers = Vec::with_capacity(asked.len());
    let mut values: BTreeMap<VarId, TermId> = fixed;
    let mut n_done = 0;
    let mut known: FastMap<TermId, Option<bool>> = FastMap::default();
    for &(position, formula) in asked {
        // Positions come in order; a step at a time.
        while n_done <= position {
            let Some(step) = found.cycle.get(n_done) else { return reject("a position is not in the cycle") };
            let mut choose = |_: &mut TermPool, _: usize, v: VarId| match step.chosen.get(&v) {
                Some(&chosen) => Ok(chosen),
                None => reject(format!("no choice is given for {}", icfg.vars[v].name)),
            };
            (_, values) = execute(pool, icfg, &[step.edge], values, &mut choose)?;
            n_done += 1;
        }
        let pairs: Vec<(TermId, TermId)> = values.iter().map(|(v, t)| (icfg.vars[*v].term, *t)).collect();
        let now = pool.substitute(formula, &pairs);
        let answer = match (now, known.get(&now)) {
            (TermId::TRUE, _) => Some(true),
            (TermId::FALSE, _) => Some(false),
            (_, Some(answer)) => *answer,
            (_, None) => {
                let fails = pool.not(now);
                let mut follows = |claim: TermId, pool: &mut TermPool| match implies(
                    pool,
                    &mut prover,
                    &[found.recurrence],
                    claim,
                    budget,
                ) {
                    Ok(follows) => Ok(follows),
                    Err(Rejection::Unchecked(_)) => Ok(false),
                    Err(other) => Err(other),
                };
                let answer = if follows(now, pool)? {
                    Some(true)
                } else if follows(fails, pool)? {
                    Some(false)
                } else {
                    None
                };
                known.insert(now, answer);
                answer
            }
        };
        answers.push(answer);
    }
    Ok(answers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::{IdVec, Span};
    use ir::{Counterexample, CycleStep, IcfgProc, ModuleState, Note, ProcId, TraceStep, VarKind, Variable};
    use logic::{Model, SortId, Value};

    /// `while (x > 0) x := x + step`: locations 0 (the loop head) and 1, edges 0 (guard), 1 (update), 2 (exit to 2).
    fn counting(pool: &mut TermPool, step: i64) -> (Icfg, TermId) {
        let mut icfg = Icfg::new();
        let root = ProcId(0);
        let x = pool.constant("x", SortId::INT);
        icfg.vars = IdVec::from_iter([Variable {
            name: "x".into(),
            sort: SortId::INT,
            term: x,
            kind: VarKind::Global,
            role: ir::VarRole::Plain,
            span: Span::NONE,
        }]);
        icfg.globals = vec![VarId(0)];
        let locs: Vec<LocId> = (0..3).map(|_| icfg.add_loc(root, Span::NONE)).collect();
        icfg.procs = IdVec::from_iter([IcfgProc {
            name: "main".into(),
            entry: locs[0],
            exit: locs[2],
            params: vec![],
            results: vec![],
            locals: vec![],
            modifies: vec![VarId(0)],
            span: Span::NONE,
        }]);
        icfg.root = Some(root);
        let zero = pool.int(0);
        let (guard, exit) = (pool.gt(x, zero), pool.le(x, zero));
        let by = pool.int(step);
        let next = pool.add(&[x, by]);
        icfg.add_edge(locs[0], locs[1], Label::Stmt(Stmt::Assume(guard)), Span::NONE, Note::None);
        icfg.add_edge(locs[1], locs[0], Label::Stmt(Stmt::Assign(vec![(VarId(0), next)])), Span::NONE, Note::None);
        icfg.add_edge(locs[0], locs[2], Label::Stmt(Stmt::Assume(exit)), Span::NONE, Note::None);
        icfg.locs[locs[0]].is_loop_head = true;
        (icfg, x)
    }

    fn proof(pool: &mut TermPool, rank: TermId) -> TerminationProof {
        let ghost = pool.constant("ghost", SortId::INT);
        let turn = vec![EdgeId(0), EdgeId(1)];
        let state = |mode| ModuleState { mode, formula: TermId::TRUE };
        TerminationProof {
            summaries: ir::Annotation::default(),
            cut_points: BTreeSet::from([LocId(0)]),
            modules: vec![RankingModule {
                rank: vec![rank],
                ghosts: vec![ghost],
                states: vec![state(ModuleMode::Waiting), state(ModuleMode::Seed), state(ModuleMode::Decrease)],
                edges: BTreeMap::from([((0, turn.clone()), 1), ((1, turn.clone()), 2), ((2, turn), 2)]),
            }],
        }
    }

    fn verdict(pool: &mut TermPool, icfg: &Icfg, proof: &TerminationProof) -> Result<(), Rejection> {
        check(pool, icfg, proof, Options::default(), &Budget::unlimited())
    }

    #[test]
    fn a_decreasing_rank_is_accepted_and_others_are_not() {
        let mut pool = TermPool::new();
        let (icfg, x) = counting(&mut pool, -1);
        let good = proof(&mut pool, x);
        assert_eq!(verdict(&mut pool, &icfg, &good), Ok(()));
        let negated = pool.neg(x);
        let growing = proof(&mut pool, negated);
        assert!(verdict(&mut pool, &icfg, &growing).is_err());
        let (upwards, x) = counting(&mut pool, 1);
        let wrong = proof(&mut pool, x);
        assert!(verdict(&mut pool, &upwards, &wrong).is_err());
    }

    #[test]
    fn proofs_with_gaps_are_rejected() {
        let mut pool = TermPool::new();
        let (icfg, x) = counting(&mut pool, -1);
        let good = proof(&mut pool, x);
        // No modules; a missing edge; losses in every iteration; a loop without a cut point.
        let mut bad = good.clone();
        bad.modules.clear();
        assert!(verdict(&mut pool, &icfg, &bad).is_err());
        let mut bad = good.clone();
        bad.modules[0].edges.pop_last();
        assert!(verdict(&mut pool, &icfg, &bad).is_err());
        let mut bad = good.clone();
        bad.modules[0].edges.insert((2, vec![EdgeId(0), EdgeId(1)]), 1);
        assert!(verdict(&mut pool, &icfg, &bad).is_err());
        let mut bad = good.clone();
        bad.modules[0].states[0].formula = TermId::FALSE;
        assert!(verdict(&mut pool, &icfg, &bad).is_err());
        // A ghost that is a variable of the program would change by itself.
        let mut bad = good;
        bad.modules[0].ghosts = vec![x];
        assert!(verdict(&mut pool, &icfg, &bad).is_err());
    }

    #[test]
    fn recurrence_sets_must_be_reached_and_closed() {
        let mut pool = TermPool::new();
        let (icfg, x) = counting(&mut pool, 1);
        let zero = pool.int(0);
        let positive = pool.gt(x, zero);
        let stem = |value: i64| Counterexample {
            initial: BTreeMap::from([(VarId(0), Value::int(value))]),
            steps: Vec::<TraceStep>::new(),
            symbols: Model::new(),
        };
        let step = |edge| CycleStep { edge: EdgeId(edge), chosen: BTreeMap::new() };
        let cycle = vec![step(0), step(1)];
        let options = Options::default();
        let budget = Budget::unlimited();
        let good = NonTermination { stem: stem(3), cycle: cycle.clone(), recurrence: positive };
        assert_eq!(check_nontermination(&mut pool, &icfg, &good, options, &budget), Ok(()));
        let unreached = NonTermination { stem: stem(0), ..good.clone() };
        assert!(check_nontermination(&mut pool, &icfg, &unreached, options, &budget).is_err());
        let open = NonTermination { cycle: vec![step(0)], ..good.clone() };
        assert!(check_nontermination(&mut pool, &icfg, &open, options, &budget).is_err());
        let three = pool.int(3);
        let not_closed = NonTermination { recurrence: pool.eq(x, three), ..good };
        assert!(check_nontermination(&mut pool, &icfg, &not_closed, options, &budget).is_err());
    }
}
