//! Large-block encoding: a graph with fewer locations and bigger formulas.
//!
//! The two transformations of *Splitting via Interpolants* (Ermis, Hoenicke, Podelski 2012, section
//! 4.2, after Beyer et al. 2009) compose an edge with its successors where a location has one way
//! in, and join parallel edges by disjunction, until only loop heads and sinks are left. We compute
//! that fixpoint directly. Locations that must stay are entries, exits, loop heads, error
//! locations and both ends of calls and thread operations. For each of them, the loop-free *region*
//! that can be reached without passing another is encoded once; every other location at its border
//! gets one edge, the block of all paths to it.
//!
//! **Encoding.** Along a path a variable is replaced by the term of its value, as in the passive form
//! of verification conditions; long terms get a name. Where paths with different values
//! join, the variable gets a new constant, and each incoming edge an equation. An edge that not every
//! path uses has a Boolean constant *taken*:
//!
//! ```text
//! taken(e) → condition(e) ∧ equations(e)          taken(e) → some edge into the source of e is taken
//! ```
//!
//! and some edge into the target is taken. So formulas are named, never repeated, and a block is linear
//! in its paths' graph. Locations that every path passes are recognised; what happens there is asserted
//! outright and costs the solver no decision. The `plain` form nests disjunctions between two such
//! locations.
//!
//! **Never too large.** A region stops growing at a number of edges, of term nodes, of targets
//! ([`BlockLimits`]); its frontier then stays, as new sources. A location is inside few regions, else
//! it stays too. So the work is linear in the graph.
//!
//! Steps whose condition is false once constants are propagated are dropped, so locations may become
//! unreachable and disappear. So do dead ends within a region, where executions stop without a verdict. Graphs with
//! threads are returned as they are: merging steps that other threads may interrupt would lose executions.

use crate::dataflow::VarIndex;
use crate::icfg::{CallSiteId, EdgeId, Icfg, Label, LocId};
use crate::program::{Note, Stmt, VarId};
use crate::transition::{PartEdge, Parts, Transition, primed};
use crate::verdict::{Counterexample, TraceStep};
use base::{IdVec, Span};
use logic::{FastMap, Model, SortId, Substitution, TermId, TermPool, Value};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::rc::Rc;

/// How far statements are merged into blocks before an engine runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BlockMode {
    /// One edge a statement.
    Off,
    /// Straight-line code becomes one edge.
    Sequence,
    /// All paths of a loop-free region become one edge.
    #[default]
    Large,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockLimits {
    /// Edges of a region.
    pub max_edges: usize,
    /// Nodes of the statements' terms in a region.
    pub max_nodes: usize,
    /// Locations at the border of a region.
    pub max_targets: usize,
    /// Regions that a location may be inside of.
    pub max_regions: u32,
}

impl Default for BlockLimits {
    fn default() -> Self {
        BlockLimits { max_edges: 256, max_nodes: 2_000, max_targets: 24, max_regions: 4 }
    }
}

/// From the graph of blocks back to the graph before.
#[derive(Clone, Debug, Default)]
pub struct BlockMap {
    pub edges: IdVec<EdgeId, Parts>,
    pub locs: IdVec<LocId, LocId>,
}

impl BlockMap {
    /// The same execution in the graph before. The counterexample's model must hold the values of the
    /// blocks' auxiliary constants under the names that [`crate::ssa`] gives them: the copy
    /// number *n* of a constant at its *n*-th use along the trace. `None` if it does not describe a path.
    pub fn original_counterexample(
        &self,
        blocks: &Icfg,
        pool: &mut TermPool,
        trace: &Counterexample,
    ) -> Option<Counterexample> {
        let mut uses: FastMap<TermId, u32> = FastMap::default();
        let mut steps = Vec::new();
        for step in &trace.steps {
            let parts = self.edges.get(step.edge)?;
            let Label::Block(block) = &blocks.edges[step.edge].label else {
                let Parts::Edge { edge, .. } = parts else { return None };
                steps.push(TraceStep { edge: *edge, chosen: step.chosen.clone() });
                continue;
            };
            // The values of the block's own constants.
            let mut model = Model::new();
            for &aux in &block.aux {
                let n = uses.entry(aux).or_insert(0);
                *n += 1;
                let copy = pool.indexed(aux, *n);
                if let Ok(value) = trace.symbols.eval(pool, copy) {
                    model.set(pool.as_symbol(aux)?, value);
                }
            }
            for &v in &block.assigned {
                let prime = primed(pool, blocks.vars[v].term);
                if let Some(value) = step.chosen.get(&v) {
                    model.set(pool.as_symbol(prime)?, value.clone());
                }
            }
            let path = parts.path(&mut |taken| model.holds(pool, taken) == Ok(true))?;
            for (edge, chosen) in path {
                let mut values: BTreeMap<VarId, Value> = BTreeMap::new();
                for (v, t) in chosen {
                    values.insert(v, model.eval(pool, t).ok()?);
                }
                steps.push(TraceStep { edge, chosen: values });
            }
        }
        Some(Counterexample { initial: trace.initial.clone(), steps, symbols: trace.symbols.clone() })
    }
}

/// The graph of blocks, and the way back.
pub fn encode(icfg: &Icfg, pool: &mut TermPool, mode: BlockMode, limits: &BlockLimits) -> (Icfg, BlockMap) {
    let mode = if icfg.has_threads() { BlockMode::Off } else { mode };
    let stays = staying_locations(icfg, mode);
    let order = topological_order(icfg, &stays);
    let mut result = Icfg::new();
    result.vars = icfg.vars.clone();
    result.globals = icfg.globals.clone();
    result.axioms = icfg.axioms.clone();
    result.root = icfg.root;
    let mut encoder = Encoder {
        icfg,
        pool,
        mode,
        limits: *limits,
        index: VarIndex::new(icfg),
        stays,
        order,
        n_regions: IdVec::from_elem(0, icfg.locs.len()),
        result,
        map: BlockMap::default(),
        new_loc: IdVec::from_elem(None, icfg.locs.len()),
        queue: Vec::new(),
    };
    encoder.run();
    (encoder.result, encoder.map)
}

/// Can the edge be part of a block?
fn is_mergeable(label: &Label) -> bool {
    match label {
        Label::Stmt(_) => true,
        Label::Block(_)
        | Label::Call(_)
        | Label::Return(_)
        | Label::Fork { .. }
        | Label::Join { .. }
        | Label::AtomicBegin
        | Label::AtomicEnd => false,
    }
}

fn staying_locations(icfg: &Icfg, mode: BlockMode) -> IdVec<LocId, bool> {
    let mut stays: IdVec<LocId, bool> = icfg.locs.values().map(|l| l.is_loop_head || l.error.is_some()).collect();
    for p in icfg.procs.values() {
        stays[p.entry] = true;
        stays[p.exit] = true;
    }
    for edge in icfg.edges.values() {
        if mode == BlockMode::Off || !is_mergeable(&edge.label) {
            stays[edge.src] = true;
            stays[edge.dst] = true;
        }
    }
    if mode == BlockMode::Sequence {
        for l in icfg.locs.ids() {
            stays[l] |= icfg.in_edges(l).len() != 1 || icfg.out_edges(l).len() != 1;
        }
    }
    stays
}

/// Numbers the locations that may vanish so that edges between them go upwards. They form no
/// cycle, for every cycle has a loop head. Dead ends, from which no location that stays can be
/// reached, have no number.
fn topological_order(icfg: &Icfg, stays: &IdVec<LocId, bool>) -> IdVec<LocId, Option<u32>> {
    let mut finished = Vec::new();
    let mut seen = IdVec::from_elem(false, icfg.locs.len());
    for start in icfg.locs.ids().filter(|&l| stays[l]) {
        let mut stack = vec![(start, 0)];
        while let Some((loc, next)) = stack.last_mut() {
            let (loc, i) = (*loc, *next);
            let Some(&edge) = icfg.out_edges(loc).get(i) else {
                stack.pop();
                if !stays[loc] {
                    finished.push(loc);
                }
                continue;
            };
            *next += 1;
            let to = icfg.edges[edge].dst;
            if !stays[to] && !std::mem::replace(&mut seen[to], true) {
                stack.push((to, 0));
            }
        }
    }
    // Successors are finished first.
    let mut leads_on = stays.clone();
    for &loc in &finished {
        leads_on[loc] = icfg.out_edges(loc).iter().any(|&e| leads_on[icfg.edges[e].dst]);
    }
    let mut order = IdVec::from_elem(None, icfg.locs.len());
    for (i, &loc) in finished.iter().rev().enumerate() {
        order[loc] = leads_on[loc].then_some(i as u32);
    }
    order
}

/// The value of each variable that changed since the region's source.
type Env = Rc<BTreeMap<VarId, TermId>>;

/// A step inside a region. Node 0 is the source; nodes are numbered in topological order.
struct RegionEdge {
    from: usize,
    edge: EdgeId,
    /// What must hold, definitions of named terms and equations of the join included.
    condition: TermId,
    env: Env,
    chosen: Vec<(VarId, TermId)>,
    /// The constant that says it is taken, made when needed.
    taken: Option<TermId>,
}

#[derive(Default)]
struct Region {
    edges: Vec<RegionEdge>,
    /// The edges into each node.
    into: Vec<Vec<usize>>,
    /// The border, in the order of discovery, with the edges into each location.
    targets: Vec<(LocId, Vec<usize>)>,
    /// All constants made for the region.
    aux: Vec<TermId>,
    n_term_nodes: usize,
}

struct Encoder<'a> {
    icfg: &'a Icfg,
    pool: &'a mut TermPool,
    mode: BlockMode,
    limits: BlockLimits,
    index: VarIndex,
    stays: IdVec<LocId, bool>,
    order: IdVec<LocId, Option<u32>>,
    n_regions: IdVec<LocId, u32>,
    result: Icfg,
    map: BlockMap,
    new_loc: IdVec<LocId, Option<LocId>>,
    /// Locations of the result whose edges are still to be made.
    queue: Vec<LocId>,
}

impl Encoder<'_> {
    fn run(&mut self) {
        let icfg = self.icfg;
        for p in icfg.procs.values() {
            let mut copy = p.clone();
            copy.entry = self.loc(p.entry);
            copy.exit = self.loc(p.exit);
            self.result.procs.push(copy);
        }
        self.queue.reverse();
        while let Some(source) = self.queue.pop() {
            let from = self.queue.len();
            self.edges_from(source);
            self.queue[from..].reverse();
        }
    }

    /// The location of the result for one that stays.
    fn loc(&mut self, original: LocId) -> LocId {
        if let Some(loc) = self.new_loc[original] {
            return loc;
        }
        let old = &self.icfg.locs[original];
        let loc = self.result.add_loc(old.proc, old.span);
        self.result.locs[loc].is_loop_head = old.is_loop_head;
        self.result.locs[loc].error = old.error.clone();
        self.map.locs.push(original);
        self.new_loc[original] = Some(loc);
        self.queue.push(original);
        loc
    }

    fn add_edge(&mut self, src: LocId, dst: LocId, label: Label, span: Span, note: Note, parts: Parts) -> EdgeId {
        let (src, dst) = (self.loc(src), self.loc(dst));
        self.map.edges.push(parts);
        self.result.add_edge(src, dst, label, span, note)
    }

    fn edges_from(&mut self, source: LocId) {
        let icfg = self.icfg;
        for &e in icfg.out_edges(source) {
            let edge = &icfg.edges[e];
            match &edge.label {
                Label::Call(site) => self.copy_call(*site),
                // Made together with its call.
                Label::Return(_) => {}
                Label::Block(_) | Label::Fork { .. } | Label::Join { .. } | Label::AtomicBegin | Label::AtomicEnd => {
                    self.copy_edge(e);
                }
                Label::Stmt(_) if self.mode == BlockMode::Off => self.copy_edge(e),
                Label::Stmt(_) => {}
            }
        }
        if self.mode == BlockMode::Off {
            return;
        }
        let mut region = self.explore(source);
        for i in 0..region.targets.len() {
            let (target, into) = region.targets[i].clone();
            match self.mode {
                BlockMode::Off => {}
                BlockMode::Sequence => {
                    for e in into {
                        self.block(source, target, &[e], &mut region);
                    }
                }
                BlockMode::Large => self.block(source, target, &into, &mut region),
            }
        }
    }

    fn copy_edge(&mut self, e: EdgeId) {
        let edge = &self.icfg.edges[e];
        let parts = Parts::Edge { edge: e, chosen: Vec::new() };
        self.add_edge(edge.src, edge.dst, edge.label.clone(), edge.span, edge.note, parts);
    }

    fn copy_call(&mut self, site: CallSiteId) {
        let mut copy = self.icfg.call_sites[site].clone();
        let new_site = self.result.call_sites.next_id();
        for (e, label, is_call) in
            [(copy.call_edge, Label::Call(new_site), true), (copy.return_edge, Label::Return(new_site), false)]
        {
            let edge = &self.icfg.edges[e];
            let parts = Parts::Edge { edge: e, chosen: Vec::new() };
            let made = self.add_edge(edge.src, edge.dst, label, edge.span, edge.note, parts);
            *(if is_call { &mut copy.call_edge } else { &mut copy.return_edge }) = made;
        }
        self.result.call_sites.push(copy);
    }

    fn constant(&mut self, name: &str, sort: SortId, region: &mut Region) -> TermId {
        let constant = self.pool.fresh_constant(name, sort);
        region.aux.push(constant);
        constant
    }

    /// All loop-free paths from a location to the next ones that stay.
    fn explore(&mut self, source: LocId) -> Region {
        let icfg = self.icfg;
        let mut region = Region { into: vec![Vec::new()], ..Region::default() };
        let mut target_index: FastMap<LocId, usize> = FastMap::default();
        // Edges into locations that are reached but not yet expanded.
        let mut waiting: FastMap<LocId, Vec<usize>> = FastMap::default();
        let mut heap: BinaryHeap<Reverse<(u32, LocId)>> = BinaryHeap::new();
        let mut node = 0;
        let mut at = source;
        let mut env: Env = Rc::default();
        loop {
            for &e in icfg.out_edges(at) {
                let Label::Stmt(stmt) = &icfg.edges[e].label else { continue };
                let to = icfg.edges[e].dst;
                // The number of a location that may vanish; dead ends are left out.
                let number = match (self.stays[to], self.order[to]) {
                    (true, _) => 0,
                    (false, Some(number)) => number,
                    (false, None) => continue,
                };
                let Some(step) = self.step(stmt, e, node, &env, &mut region) else { continue };
                let i = region.edges.len();
                region.edges.push(step);
                if !self.stays[to] && self.n_regions[to] >= self.limits.max_regions && !waiting.contains_key(&to) {
                    self.stays[to] = true;
                }
                if self.stays[to] {
                    let targets = &mut region.targets;
                    let t = *target_index.entry(to).or_insert_with(|| {
                        targets.push((to, Vec::new()));
                        targets.len() - 1
                    });
                    targets[t].1.push(i);
                } else {
                    waiting
                        .entry(to)
                        .or_insert_with(|| {
                            heap.push(Reverse((number, to)));
                            Vec::new()
                        })
                        .push(i);
                }
            }
            let is_full = region.edges.len() >= self.limits.max_edges
                || region.n_term_nodes >= self.limits.max_nodes
                || region.targets.len() >= self.limits.max_targets;
            let Some(Reverse((_, next))) = heap.pop() else { break };
            let into = waiting.remove(&next).unwrap_or_default();
            if is_full {
                self.stays[next] = true;
                region.targets.push((next, into));
                while let Some(Reverse((_, rest))) = heap.pop() {
                    self.stays[rest] = true;
                    region.targets.push((rest, waiting.remove(&rest).unwrap_or_default()));
                }
                break;
            }
            self.n_regions[next] += 1;
            env = self.join(&into, &mut region);
            region.into.push(into);
            node = region.into.len() - 1;
            at = next;
        }
        region
    }

    /// A statement after an environment; `None` if it cannot be executed there.
    fn step(&mut self, stmt: &Stmt, edge: EdgeId, from: usize, env: &Env, region: &mut Region) -> Option<RegionEdge> {
        let mut condition = TermId::TRUE;
        let mut chosen = Vec::new();
        let mut after = env.clone();
        match stmt {
            Stmt::Assume(c) => condition = self.in_env(*c, env, region),
            Stmt::Assign(pairs) => {
                let mut definitions = Vec::new();
                let mut values = Vec::with_capacity(pairs.len());
                for &(v, e) in pairs {
                    let mut value = self.in_env(e, env, region);
                    if !is_small(self.pool, value) {
                        let var = &self.icfg.vars[v];
                        let name = self.constant(&var.name, var.sort, region);
                        definitions.push(self.pool.eq(name, value));
                        value = name;
                    }
                    values.push((v, value));
                }
                condition = self.pool.and(&definitions);
                Rc::make_mut(&mut after).extend(values);
            }
            Stmt::Havoc(vars, _) => {
                for &v in vars {
                    let var = &self.icfg.vars[v];
                    let value = self.constant(&var.name, var.sort, region);
                    chosen.push((v, value));
                }
                Rc::make_mut(&mut after).extend(chosen.iter().copied());
            }
        }
        (condition != TermId::FALSE).then_some(RegionEdge { from, edge, condition, env: after, chosen, taken: None })
    }

    fn in_env(&mut self, t: TermId, env: &Env, region: &mut Region) -> TermId {
        let mut renaming = Substitution::new();
        let index = &self.index;
        let n_nodes = &mut region.n_term_nodes;
        self.pool.visit_postorder(&[t], |t| {
            *n_nodes += 1;
            if let Some(v) = index.var(t)
                && let Some(&value) = env.get(&v)
            {
                renaming.insert(t, value);
            }
        });
        renaming.apply(self.pool, t)
    }

    /// The environment where these edges meet; adds equations to their conditions.
    fn join(&mut self, into: &[usize], region: &mut Region) -> Env {
        let first = region.edges[into[0]].env.clone();
        if into.iter().all(|&i| Rc::ptr_eq(&region.edges[i].env, &first)) {
            return first;
        }
        let mut joined = BTreeMap::new();
        let mut equations: Vec<Vec<TermId>> = vec![Vec::new(); into.len()];
        for v in self.changed(into, region) {
            let values = self.values(v, into, region);
            if values.iter().all(|&t| t == values[0]) {
                joined.insert(v, values[0]);
                continue;
            }
            let var = &self.icfg.vars[v];
            let constant = self.constant(&var.name, var.sort, region);
            joined.insert(v, constant);
            for (list, value) in equations.iter_mut().zip(values) {
                list.push(self.pool.eq(constant, value));
            }
        }
        for (&i, mut list) in into.iter().zip(equations) {
            if !list.is_empty() {
                list.push(region.edges[i].condition);
                region.edges[i].condition = self.pool.and(&list);
            }
        }
        Rc::new(joined)
    }

    /// The variables with a value of their own after one of these edges, sorted.
    fn changed(&self, into: &[usize], region: &Region) -> Vec<VarId> {
        let mut vars: Vec<VarId> = into.iter().flat_map(|&i| region.edges[i].env.keys().copied()).collect();
        vars.sort_unstable();
        vars.dedup();
        vars
    }
    fn values(&self, v: VarId, into: &[usize], region: &Region) -> Vec<TermId> {
        let value = |&i: &usize| region.edges[i].env.get(&v).copied().unwrap_or(self.icfg.vars[v].term);
        into.iter().map(value).collect()
    }

    /// The block of all paths of a region to one of its targets.
    fn block(&mut self, source: LocId, target: LocId, into: &[usize], region: &mut Region) {
        let icfg = self.icfg;
        let spot = icfg.edges[region.edges[into[0]].edge].span;
        if let [only] = *into
            && region.edges[only].from == 0
        {
            // A single statement stays one.
            self.copy_edge(region.edges[only].edge);
            return;
        }
        // The nodes on paths to the target, in topological order, and their edges.
        let mut position: FastMap<usize, usize> = FastMap::default();
        let mut nodes = Vec::new();
        let mut stack: Vec<usize> = into.iter().map(|&i| region.edges[i].from).collect();
        while let Some(n) = stack.pop() {
            if position.insert(n, 0).is_none() {
                nodes.push(n);
                stack.extend(region.into[n].iter().map(|&i| region.edges[i].from));
            }
        }
        nodes.sort_unstable();
        for (p, &n) in nodes.iter().enumerate() {
            position.insert(n, p);
        }
        let end = nodes.len();
        // Region edge, from, to; grouped by the last.
        let mut edges: Vec<(usize, usize, usize)> = Vec::new();
        for (p, &n) in nodes.iter().enumerate() {
            edges.extend(region.into[n].iter().map(|&i| (i, position[&region.edges[i].from], p)));
        }
        edges.extend(into.iter().map(|&i| (i, position[&region.edges[i].from], end)));

        // Values at the target.
        let mut assigned = Vec::new();
        let mut equations: FastMap<usize, Vec<TermId>> = FastMap::default();
        for v in self.changed(into, region) {
            let before = icfg.vars[v].term;
            let values = self.values(v, into, region);
            if values.iter().all(|&t| t == before) {
                continue;
            }
            assigned.push(v);
            let prime = primed(self.pool, before);
            for (&i, value) in into.iter().zip(values) {
                let equation = self.pool.eq(prime, value);
                equations.entry(i).or_default().push(equation);
            }
        }
        let mut holds: FastMap<usize, TermId> = FastMap::default();
        for &(i, _, to) in &edges {
            let mut condition = region.edges[i].condition;
            if to == end
                && let Some(mut list) = equations.remove(&i)
            {
                list.push(condition);
                condition = self.pool.and(&list);
            }
            holds.insert(i, condition);
        }

        let shape = Shape::new(&edges, end);
        let mut taken: FastMap<usize, TermId> = FastMap::default();
        for (k, &(i, ..)) in edges.iter().enumerate() {
            let indicator = if shape.is_must[k] {
                TermId::TRUE
            } else if let Some(t) = region.edges[i].taken {
                t
            } else {
                let t = self.constant("taken", SortId::BOOL, region);
                region.edges[i].taken = Some(t);
                t
            };
            taken.insert(i, indicator);
        }
        // Some edge into each node is taken.
        let mut some_way_in = vec![TermId::TRUE; end + 1];
        for ways_in in edges.chunk_by(|a, b| a.2 == b.2) {
            let ways: Vec<TermId> = ways_in.iter().map(|e| taken[&e.0]).collect();
            some_way_in[ways_in[0].2] = self.pool.or(&ways);
        }
        let mut formulas = Vec::new();
        for &(i, from, _) in &edges {
            formulas.push(self.pool.implies(taken[&i], holds[&i]));
            if !shape.is_cut[from] {
                formulas.push(self.pool.implies(taken[&i], some_way_in[from]));
            }
        }
        formulas.extend((1..=end).filter(|&p| shape.is_cut[p]).map(|p| some_way_in[p]));

        // The plain form: nested disjunctions from one node that all paths pass to the next.
        let mut plains = Vec::new();
        let mut reach = vec![TermId::TRUE; end + 1];
        for ways_in in edges.chunk_by(|a, b| a.2 == b.2) {
            let p = ways_in[0].2;
            let mut ways = Vec::new();
            for &(i, from, _) in ways_in {
                ways.push(self.pool.and2(reach[from], holds[&i]));
            }
            let reached = self.pool.or(&ways);
            if shape.is_cut[p] {
                plains.push(reached);
            } else {
                reach[p] = reached;
            }
        }

        let leaf = |i: usize| Parts::Edge { edge: region.edges[i].edge, chosen: region.edges[i].chosen.clone() };
        let parts = if shape.is_must.iter().all(|&m| m) {
            Parts::Seq(edges.iter().map(|e| leaf(e.0)).collect())
        } else {
            let part = |&(i, from, to): &(usize, usize, usize)| PartEdge {
                from: from as u32,
                to: to as u32,
                taken: taken[&i],
                parts: leaf(i),
            };
            Parts::Graph { n_nodes: end as u32 + 1, edges: edges.iter().map(part).collect() }
        };
        let transition =
            Transition::assemble(self.pool, &formulas, &plains, assigned, region.aux.clone(), parts.clone());
        if transition.formula == TermId::FALSE {
            return;
        }
        self.add_edge(source, target, Label::Block(Box::new(transition)), spot, Note::None, parts);
    }
}

/// Which edges and nodes all paths from node 0 to the last pass.
struct Shape {
    is_must: Vec<bool>,
    is_cut: Vec<bool>,
}

impl Shape {
    /// Nodes are in topological order and all lie on some path. An edge is on every path iff it
    /// is the only one across some gap between neighbours; a node is iff no edge jumps over it.
    fn new(edges: &[(usize, usize, usize)], end: usize) -> Shape {
        // Differences of the number, and of the sum of the indices, of edges across each gap.
        let mut count = vec![0i64; end + 2];
        let mut sum = vec![0i64; end + 2];
        let mut jumping = vec![0i64; end + 2];
        for (k, &(_, from, to)) in edges.iter().enumerate() {
            count[from] += 1;
            count[to] -= 1;
            sum[from] += k as i64;
            sum[to] -= k as i64;
            jumping[from + 1] += 1;
            jumping[to] -= 1;
        }
        let mut is_must = vec![false; edges.len()];
        let mut is_cut = vec![false; end + 1];
        let (mut across, mut which, mut over) = (0, 0, 0);
        for p in 0..=end {
            across += count[p];
            which += sum[p];
            over += jumping[p];
            is_cut[p] = over == 0;
            if p < end && across == 1 {
                is_must[which as usize] = true;
            }
        }
        Shape { is_must, is_cut }
    }
}

/// Is the term small enough to be repeated instead of named?
fn is_small(pool: &TermPool, t: TermId) -> bool {
    const MOST_NODES: usize = 24;
    let mut stack = vec![t];
    let mut n = 0;
    while let Some(t) = stack.pop() {
        n += 1;
        if n > MOST_NODES {
            return false;
        }
        stack.extend(pool.args(t));
    }
    true
}
