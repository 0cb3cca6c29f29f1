//! The words that are left: the product of the graph of paths with all modules, and its fair cycles.
//!
//! A node is a cut point with a state of every module. A word remains iff its run avoids `false` and, for every module,
//! has finitely many decreases or infinitely many losses: a Streett condition, *infinitely many requests need
//! infinitely many grants*. A strongly connected set of nodes satisfies it iff no module has a request but no grant in
//! it; where one has, its requesting nodes are taken out and what remains is decomposed again (Emerson and Lei 1987).
//! Nodes from which no such set can be reached are dropped before the next module is multiplied on.
//!
//! The words of a generalised Büchi automaton are of this kind too: every node that does not accept requests, every one
//! that does grants (see [`super::complement`]).

use super::cuts::{CutGraph, PathId};
use super::module::Module;
use super::triples::Triples;
use base::{Budget, Stop};
use ir::{Icfg, LocId, ModuleMode};
use logic::{FastMap, TermPool};
use std::collections::VecDeque;

/// What a node does for one pair of the condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mark {
    Request,
    Grant,
    Neither,
}

impl From<ModuleMode> for Mark {
    fn from(mode: ModuleMode) -> Mark {
        match mode {
            ModuleMode::Decrease => Mark::Request,
            ModuleMode::Waiting | ModuleMode::Seed => Mark::Grant,
            ModuleMode::Tracking => Mark::Neither,
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Node {
    pub loc: LocId,
    /// One for the Büchi condition of the graph, if it has one, and one for each module.
    pub marks: Vec<Mark>,
    pub edges: Vec<(PathId, usize)>,
}

/// The remaining language of the program.
pub(super) struct Remainder {
    /// The first one is initial; none: no infinite word is left.
    pub nodes: Vec<Node>,
}

/// A lasso of paths.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct LassoWord {
    pub stem: Vec<PathId>,
    pub cycle: Vec<PathId>,
}

pub(super) const MAX_NODES: usize = 50_000;
/// The number of nodes from which short cycles are searched for.
const MAX_ANCHORS: usize = 60;

impl Remainder {
    /// All paths.
    pub(super) fn everything(icfg: &Icfg, graph: &CutGraph, budget: &Budget) -> Result<Remainder, Stop> {
        // With a Büchi condition of the graph, arriving by an accepting path grants, by another one requests.
        let marks = |is_accepting: bool| match (&icfg.acceptance, is_accepting) {
            (None, _) => Vec::new(),
            (Some(_), true) => vec![Mark::Grant],
            (Some(_), false) => vec![Mark::Request],
        };
        let mut ids: FastMap<(LocId, bool), usize> = FastMap::default();
        let is_accepting = icfg.is_accepting_path(&[]);
        let mut nodes = vec![Node { loc: icfg.entry(), marks: marks(is_accepting), edges: Vec::new() }];
        ids.insert((icfg.entry(), is_accepting), 0);
        let mut next = 0;
        while next < nodes.len() {
            budget.check()?;
            for &path in graph.out.get(&nodes[next].loc).map_or(&[][..], Vec::as_slice) {
                let to = graph.paths[path].to;
                let is_accepting = icfg.is_accepting_path(&graph.paths[path].edges);
                let target = *ids.entry((to, is_accepting)).or_insert_with(|| {
                    nodes.push(Node { loc: to, marks: marks(is_accepting), edges: Vec::new() });
                    nodes.len() - 1
                });
                nodes[next].edges.push((path, target));
            }
            next += 1;
        }
        let mut all = Remainder { nodes };
        all.keep_live(budget)?;
        Ok(all)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
    pub(super) fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Takes away what a module rules out. Also returns which of the module's edges were used.
    pub(super) fn subtract(
        &self,
        pool: &mut TermPool,
        triples: &mut Triples<'_>,
        module: &mut Module,
        budget: &Budget,
    ) -> Result<(Remainder, Vec<(usize, PathId)>), Stop> {
        let mut used = Vec::new();
        let mut nodes: Vec<Node> = Vec::new();
        let mut keys: Vec<(usize, usize)> = Vec::new();
        let mut ids: FastMap<(usize, usize), usize> = FastMap::default();
        let mut node_of =
            |key: (usize, usize), mode: ModuleMode, nodes: &mut Vec<Node>, keys: &mut Vec<(usize, usize)>| {
                *ids.entry(key).or_insert_with(|| {
                    let old = &self.nodes[key.0];
                    let marks = old.marks.iter().copied().chain([mode.into()]).collect();
                    nodes.push(Node { loc: old.loc, marks, edges: Vec::new() });
                    keys.push(key);
                    nodes.len() - 1
                })
            };
        if !self.nodes.is_empty() {
            node_of((0, Module::INITIAL), module.mode(Module::INITIAL), &mut nodes, &mut keys);
        }
        let mut next = 0;
        while next < nodes.len() {
            budget.check()?;
            if nodes.len() > MAX_NODES {
                return Err(Stop::OutOfMemory);
            }
            let (old, state) = keys[next];
            for &(path, target) in &self.nodes[old].edges {
                let to = module.successor(pool, triples, state, path, budget)?;
                used.push((state, path));
                if !module.is_false(to) {
                    let node = node_of((target, to), module.mode(to), &mut nodes, &mut keys);
                    nodes[next].edges.push((path, node));
                }
            }
            next += 1;
        }
        let mut rest = Remainder { nodes };
        rest.keep_live(budget)?;
        Ok((rest, used))
    }

    /// Drops the nodes from which no fair cycle can be reached.
    fn keep_live(&mut self, budget: &Budget) -> Result<(), Stop> {
        let mut live = vec![false; self.nodes.len()];
        let mut worklist = Vec::new();
        for set in self.fair_sets(budget)? {
            for n in set {
                if !std::mem::replace(&mut live[n], true) {
                    worklist.push(n);
                }
            }
        }
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for (n, node) in self.nodes.iter().enumerate() {
            for &(_, t) in &node.edges {
                before[t].push(n);
            }
        }
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
        let mut name = vec![usize::MAX; self.nodes.len()];
        let mut kept = 0;
        for (n, is_live) in live.iter().enumerate() {
            if *is_live {
                name[n] = kept;
                kept += 1;
            }
        }
        let nodes = std::mem::take(&mut self.nodes);
        for (n, mut node) in nodes.into_iter().enumerate() {
            if live[n] {
                node.edges.retain(|(_, t)| live[*t]);
                node.edges.iter_mut().for_each(|(_, t)| *t = name[*t]);
                self.nodes.push(node);
            }
        }
        Ok(())
    }

    /// The modules that a set of nodes with a cycle through all of them violates: a request and no grant.
    fn violated(&self, set: &[usize]) -> Vec<usize> {
        let n_modules = self.nodes.first().map_or(0, |n| n.marks.len());
        let has = |m: usize, mark: Mark| set.iter().any(|n| self.nodes[*n].marks[m] == mark);
        (0..n_modules).filter(|m| has(*m, Mark::Request) && !has(*m, Mark::Grant)).collect()
    }

    /// Maximal strongly connected sets of nodes that satisfy the condition.
    fn fair_sets(&self, budget: &Budget) -> Result<Vec<Vec<usize>>, Stop> {
        let mut found = Vec::new();
        let mut open: Vec<Vec<usize>> = vec![(0..self.nodes.len()).collect()];
        let mut inside = vec![0usize; self.nodes.len()];
        let mut round = 0;
        while let Some(set) = open.pop() {
            round += 1;
            for &n in &set {
                inside[n] = round;
            }
            for component in self.components(&set, &inside, round, budget)? {
                let violated = self.violated(&component);
                if violated.is_empty() {
                    found.push(component);
                    continue;
                }
                let requests = |n: &usize| violated.iter().any(|m| self.nodes[*n].marks[*m] == Mark::Request);
                open.push(component.into_iter().filter(|n| !requests(n)).collect());
            }
        }
        Ok(found)
    }

    /// Strongly connected components with a cycle, of the part where `inside` is `round` (Tarjan).
    fn components(
        &self,
        set: &[usize],
        inside: &[usize],
        round: usize,
        budget: &Budget,
    ) -> Result<Vec<Vec<usize>>, Stop> {
        const NEW: usize = usize::MAX;
        let mut index: FastMap<usize, usize> = FastMap::default();
        let mut low: FastMap<usize, usize> = FastMap::default();
        let mut done: FastMap<usize, ()> = FastMap::default();
        let (mut stack, mut result) = (Vec::new(), Vec::new());
        for &root in set {
            if index.contains_key(&root) {
                continue;
            }
            let mut frames: Vec<(usize, usize)> = vec![(root, NEW)];
            while let Some((n, position)) = frames.pop() {
                budget.check()?;
                let mut position = position;
                if position == NEW {
                    let number = index.len();
                    index.insert(n, number);
                    low.insert(n, number);
                    stack.push(n);
                    position = 0;
                }
                let mut entered = None;
                while let Some(&(_, t)) = self.nodes[n].edges.get(position) {
                    position += 1;
                    if inside[t] != round {
                        continue;
                    }
                    match index.get(&t) {
                        None => {
                            entered = Some(t);
                            break;
                        }
                        Some(&i) if !done.contains_key(&t) => {
                            low.entry(n).and_modify(|l| *l = (*l).min(i));
                        }
                        Some(_) => {}
                    }
                }
                if let Some(t) = entered {
                    frames.push((n, position));
                    frames.push((t, NEW));
                    continue;
                }
                if let Some(&(parent, _)) = frames.last() {
                    let own = low[&n];
                    low.entry(parent).and_modify(|l| *l = (*l).min(own));
                }
                if low[&n] == index[&n] {
                    let mut component = Vec::new();
                    while let Some(member) = stack.pop() {
                        done.insert(member, ());
                        component.push(member);
                        if member == n {
                            break;
                        }
                    }
                    let loops = self.nodes[n].edges.iter().any(|(_, t)| *t == n);
                    if component.len() > 1 || loops {
                        component.sort_unstable();
                        result.push(component);
                    }
                }
            }
        }
        Ok(result)
    }

    /// Shortest ways from `start`, through `allowed` nodes: for each node the edge by which it is reached.
    fn ways(&self, start: usize, allowed: &dyn Fn(usize) -> bool) -> Vec<Option<(usize, PathId)>> {
        let mut parent = vec![None; self.nodes.len()];
        let mut queue = VecDeque::from([start]);
        while let Some(n) = queue.pop_front() {
            for &(path, t) in &self.nodes[n].edges {
                if allowed(t) && parent[t].is_none() {
                    parent[t] = Some((n, path));
                    queue.push_back(t);
                }
            }
        }
        parent
    }

    /// The way to `end` in reverse, ending at `start` (at least one step).
    fn read_way(parent: &[Option<(usize, PathId)>], start: usize, end: usize) -> Vec<(usize, PathId)> {
        let mut way = Vec::new();
        let mut at = end;
        while let Some((before, path)) = parent[at] {
            way.push((at, path));
            at = before;
            if at == start {
                break;
            }
        }
        way.reverse();
        way
    }

    /// Words that are left: short ones first, one for each place where a cycle can start.
    pub(super) fn lassos(&self, budget: &Budget) -> Result<Vec<LassoWord>, Stop> {
        let mut found: Vec<LassoWord> = Vec::new();
        let sets = self.fair_sets(budget)?;
        if sets.is_empty() {
            return Ok(found);
        }
        let from_start = self.ways(0, &|_| true);
        let stem_to = |n: usize| -> Vec<PathId> {
            if n == 0 { Vec::new() } else { Self::read_way(&from_start, 0, n).into_iter().map(|s| s.1).collect() }
        };
        for set in &sets {
            let mut in_set = vec![false; self.nodes.len()];
            set.iter().for_each(|n| in_set[*n] = true);
            let allowed = |n: usize| in_set[n];
            let mut short = false;
            let mut before: FastMap<usize, Vec<(usize, PathId)>> = FastMap::default();
            for &n in set {
                for &(path, t) in self.nodes[n].edges.iter().filter(|(_, t)| in_set[*t]) {
                    before.entry(t).or_default().push((n, path));
                }
            }
            for &anchor in set.iter().take(MAX_ANCHORS) {
                budget.check()?;
                // The next step on a shortest way to the anchor.
                let mut onwards: FastMap<usize, (PathId, usize)> = FastMap::default();
                let mut queue = VecDeque::from([anchor]);
                while let Some(t) = queue.pop_front() {
                    for &(n, path) in before.get(&t).map_or(&[][..], Vec::as_slice) {
                        if n != anchor && !onwards.contains_key(&n) {
                            onwards.insert(n, (path, t));
                            queue.push_back(n);
                        }
                    }
                }
                for &(first, mut at) in self.nodes[anchor].edges.iter().filter(|(_, t)| in_set[*t]) {
                    let (mut cycle, mut nodes) = (vec![first], vec![at]);
                    while at != anchor {
                        let Some(&(path, next)) = onwards.get(&at) else { break };
                        cycle.push(path);
                        nodes.push(next);
                        at = next;
                    }
                    if at == anchor && self.violated(&nodes).is_empty() {
                        short = true;
                        found.push(LassoWord { stem: stem_to(anchor), cycle });
                    }
                }
            }
            if !short {
                // A walk through all nodes of the set satisfies the condition.
                let anchor = set[0];
                let (mut at, mut cycle) = (anchor, Vec::new());
                for &next in set.iter().skip(1).chain([&anchor]) {
                    let parent = self.ways(at, &allowed);
                    cycle.extend(Self::read_way(&parent, at, next).into_iter().map(|s| s.1));
                    at = next;
                }
                found.push(LassoWord { stem: stem_to(anchor), cycle });
            }
        }
        found.sort_by_key(|l| (l.cycle.len(), l.stem.len()));
        found.dedup();
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MARKS: [Mark; 4] = [Mark::Grant, Mark::Grant, Mark::Neither, Mark::Request];

    /// Is there a cycle through exactly these nodes?
    fn is_strongly_connected(graph: &Remainder, set: &[usize]) -> bool {
        let reachable = |from: usize| {
            let mut found = Vec::new();
            let mut worklist = vec![from];
            while let Some(n) = worklist.pop() {
                for &(_, t) in &graph.nodes[n].edges {
                    if set.contains(&t) && !found.contains(&t) {
                        found.push(t);
                        worklist.push(t);
                    }
                }
            }
            found
        };
        set.iter().all(|n| set.iter().all(|m| reachable(*n).contains(m)))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

        /// A node lies in a fair set iff some set of nodes with a cycle through all of them contains it and violates
        /// nothing.
        #[test]
        fn fair_sets_are_those_of_the_definition(
            n in 1usize..6,
            marks in prop::collection::vec((0usize..4, 0usize..4), 6),
            edges in prop::collection::vec((0usize..6, 0usize..6), 0..14),
        ) {
            let mut nodes: Vec<Node> = (0..n)
                .map(|i| Node { loc: LocId(i as u32), marks: vec![MARKS[marks[i].0], MARKS[marks[i].1]], edges: Vec::new() })
                .collect();
            for (i, &(from, to)) in edges.iter().enumerate() {
                nodes[from % n].edges.push((PathId(i as u32), to % n));
            }
            let mut graph = Remainder { nodes };
            let mut expected = vec![false; n];
            for subset in 1usize..1 << n {
                let set: Vec<usize> = (0..n).filter(|i| subset & (1 << i) != 0).collect();
                if is_strongly_connected(&graph, &set) && graph.violated(&set).is_empty() {
                    set.iter().for_each(|i| expected[*i] = true);
                }
            }
            let mut found = vec![false; n];
            for set in graph.fair_sets(&Budget::unlimited()).unwrap() {
                prop_assert!(is_strongly_connected(&graph, &set) && graph.violated(&set).is_empty());
                set.iter().for_each(|i| found[*i] = true);
            }
            prop_assert_eq!(&found, &expected);

            // Every lasso is a path of the graph whose cycle satisfies the condition.
            for lasso in graph.lassos(&Budget::unlimited()).unwrap() {
                let step = |at: usize, path: &PathId| graph.nodes[at].edges.iter().find(|e| e.0 == *path).map(|e| e.1);
                // Unlike here, all nodes of a product can be reached.
                let Some(start) = lasso.stem.iter().try_fold(0, step) else { continue };
                if start == 0 && lasso.stem.is_empty() && step(0, &lasso.cycle[0]).is_none() {
                    continue;
                }
                let (mut at, mut seen) = (start, Vec::new());
                for path in &lasso.cycle {
                    let next = step(at, path);
                    prop_assert!(next.is_some());
                    at = next.unwrap_or(0);
                    seen.push(at);
                }
                prop_assert_eq!(at, start);
                prop_assert!(graph.violated(&seen).is_empty());
            }
            let reachable = reaches_fair(&graph, &found);
            graph.keep_live(&Budget::unlimited()).unwrap();
            prop_assert_eq!(!graph.is_empty(), reachable);
        }
    }

    fn reaches_fair(graph: &Remainder, fair: &[bool]) -> bool {
        let (mut seen, mut worklist) = (vec![0], vec![0]);
        while let Some(n) = worklist.pop() {
            if fair[n] {
                return true;
            }
            for &(_, t) in &graph.nodes[n].edges {
                if !seen.contains(&t) {
                    seen.push(t);
                    worklist.push(t);
                }
            }
        }
        false
    }
}
