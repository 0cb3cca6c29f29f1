//! The words that are left, by complementation: the difference of the literature, computed while it is searched.
//!
//! Each module is read as a Büchi automaton and complemented, with the cheapest construction that fits it
//! ([`Complement::Auto`]):
//!
//! - a module without rank accepts what reaches `false`: a deterministic automaton with an accepting trap, whose
//!   complement just avoids the trap;
//! - a rank module that never loses its rank on the lasso at hand after the *first* seed is taken in that form:
//!   deterministic, two copies for the complement;
//! - otherwise it guesses which seed is the last one: semi-deterministic, complemented by NCSB.
//!
//! So nothing is left for the rank-based construction, which can be had all the same ([`Complement::Rank`]). All
//! complements answer questions about successors only ([`automata::LazyNwa`]), and the modules behind them ask for a
//! Hoare triple only then.
//!
//! *The difference.* A layer for each module; a node of it is a node of the layer below with a state of the complement.
//! The words left are those of a generalised Büchi automaton with a set of accepting nodes for each layer.
//!
//! *Emptiness on the fly.* Depth-first search expands nodes of the top layer until a strongly connected set has nodes
//! of all accepting sets (Couvreur 1999); then short lassos are read off what was seen. What the search leaves without
//! having found any such set is dead: it is not entered again, nor is anything above it in the layers to come. So of a
//! difference only that is ever made which the search for a next lasso needs, until the last one, which is empty.
//!
//! A proof does not depend on any of this: its certificate consists of the modules, and whoever checks it multiplies
//! them.

use super::cuts::{CutGraph, PathId};
use super::module::Module;
use super::streett::{LassoWord, MAX_NODES, Mark, Node, Remainder};
use super::triples::Triples;
use automata::buchi::{ComplementError, DeterministicComplement, Ncsb, RankBased};
use automata::{DeterministicNwa, LazyNwa, StateId};
use base::{Budget, Stop};
use ir::{Icfg, LocId, ModuleMode};
use logic::{FastMap, TermPool};
use std::cell::RefCell;
use std::rc::Rc;

/// How modules are taken away from the words that are left.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Complement {
    /// Not by complements: modules are multiplied, see [`super::streett`].
    #[default]
    None,
    /// By the complement that fits the module.
    Auto,
    /// By NCSB, always.
    Ncsb,
    /// By ranks, always.
    Rank,
}

/// What Hoare triples are asked with; all modules of a proof share it.
pub(super) struct Oracle<'s, 'g> {
    pub pool: &'s mut TermPool,
    pub triples: &'s mut Triples<'g>,
}

/// A module that can answer.
#[derive(Clone)]
struct Asked<'o, 's, 'g> {
    module: Rc<RefCell<Module>>,
    oracle: &'o RefCell<Oracle<'s, 'g>>,
    budget: &'o Budget,
}

type Error = ComplementError<Stop>;

impl Asked<'_, '_, '_> {
    fn successor(&self, state: usize, path: PathId) -> Result<usize, Error> {
        let oracle = &mut *self.oracle.borrow_mut();
        let to = self.module.borrow_mut().successor(oracle.pool, oracle.triples, state, path, self.budget)?;
        Ok(to)
    }
    fn mode(&self, state: usize) -> ModuleMode {
        self.module.borrow().mode(state)
    }
    fn is_false(&self, state: usize) -> bool {
        self.module.borrow().is_false(state)
    }
}

/// Words have no calls here: see [`ir::pending_calls`].
fn no_calls<T>() -> Result<T, Error> {
    Err(ComplementError::NestedWord)
}

/// The words that reach `false`.
struct Infeasible<'o, 's, 'g>(Asked<'o, 's, 'g>);

impl DeterministicNwa<PathId> for Infeasible<'_, '_, '_> {
    type Error = Error;
    fn initial(&mut self) -> Result<StateId, Error> {
        Ok(StateId(Module::INITIAL as u32))
    }
    fn is_accepting(&self, state: StateId) -> bool {
        self.0.is_false(state.0 as usize)
    }
    fn is_accepting_trap(&self, state: StateId) -> bool {
        self.0.is_false(state.0 as usize)
    }
    fn internal(&mut self, state: StateId, path: PathId) -> Result<StateId, Error> {
        if self.is_accepting(state) {
            return Ok(state);
        }
        Ok(StateId(self.0.successor(state.0 as usize, path)? as u32))
    }
    fn call(&mut self, _: StateId, _: PathId) -> Result<StateId, Error> {
        no_calls()
    }
    fn ret(&mut self, _: StateId, _: StateId, _: PathId) -> Result<StateId, Error> {
        no_calls()
    }
}

/// A state of a module with what was guessed or seen; the ids of the automata below.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// No seed counts yet.
    Before(usize),
    /// From the seed that counts on the rank was never lost.
    Tracked(usize),
    /// The rank was lost.
    Lost,
    /// Nothing can be here: every continuation is accepted.
    False,
}

impl Phase {
    fn id(self) -> StateId {
        StateId(match self {
            Phase::Lost => 0,
            Phase::False => 1,
            Phase::Before(state) => 2 * state as u32 + 2,
            Phase::Tracked(state) => 2 * state as u32 + 3,
        })
    }
    fn of(id: StateId) -> Phase {
        match id.0 {
            0 => Phase::Lost,
            1 => Phase::False,
            n if n % 2 == 0 => Phase::Before((n as usize - 2) / 2),
            n => Phase::Tracked((n as usize - 3) / 2),
        }
    }
}

/// The words with infinitely many decreases and no loss after the first seed, and those that reach `false`.
struct FirstSeed<'o, 's, 'g>(Asked<'o, 's, 'g>);

impl FirstSeed<'_, '_, '_> {
    fn step(&self, phase: Phase, path: PathId) -> Result<Phase, Error> {
        let (from, tracked) = match phase {
            Phase::Lost | Phase::False => return Ok(phase),
            Phase::Before(state) => (state, false),
            Phase::Tracked(state) => (state, true),
        };
        let to = self.0.successor(from, path)?;
        if self.0.is_false(to) {
            return Ok(Phase::False);
        }
        Ok(match (self.0.mode(to), tracked) {
            (ModuleMode::Seed, false) | (ModuleMode::Tracking | ModuleMode::Decrease, true) => Phase::Tracked(to),
            (ModuleMode::Waiting | ModuleMode::Tracking | ModuleMode::Decrease, false) => Phase::Before(to),
            (ModuleMode::Waiting | ModuleMode::Seed, true) => Phase::Lost,
        })
    }
    fn is_decrease(&self, phase: Phase) -> bool {
        matches!(phase, Phase::Tracked(state) if self.0.mode(state) == ModuleMode::Decrease)
    }
    fn accepts(&self, lasso: &LassoWord) -> Result<bool, Error> {
        let mut at = Phase::Before(Module::INITIAL);
        for &path in &lasso.stem {
            at = self.step(at, path)?;
        }
        // The phases at the starts of iterations, and whether the iteration decreased the rank.
        let mut turns: Vec<(Phase, bool)> = Vec::new();
        loop {
            if matches!(at, Phase::False | Phase::Lost) {
                return Ok(at == Phase::False);
            }
            if let Some(first) = turns.iter().position(|t| t.0 == at) {
                return Ok(turns[first..].iter().any(|t| t.1));
            }
            let (start, mut decreased) = (at, false);
            for &path in &lasso.cycle {
                at = self.step(at, path)?;
                decreased |= self.is_decrease(at);
            }
            turns.push((start, decreased));
        }
    }
}

impl DeterministicNwa<PathId> for FirstSeed<'_, '_, '_> {
    type Error = Error;
    fn initial(&mut self) -> Result<StateId, Error> {
        Ok(Phase::Before(Module::INITIAL).id())
    }
    fn is_accepting(&self, state: StateId) -> bool {
        let phase = Phase::of(state);
        phase == Phase::False || self.is_decrease(phase)
    }
    fn is_accepting_trap(&self, state: StateId) -> bool {
        Phase::of(state) == Phase::False
    }
    fn is_rejecting_trap(&self, state: StateId) -> bool {
        Phase::of(state) == Phase::Lost
    }
    fn internal(&mut self, state: StateId, path: PathId) -> Result<StateId, Error> {
        Ok(self.step(Phase::of(state), path)?.id())
    }
    fn call(&mut self, _: StateId, _: PathId) -> Result<StateId, Error> {
        no_calls()
    }
    fn ret(&mut self, _: StateId, _: StateId, _: PathId) -> Result<StateId, Error> {
        no_calls()
    }
}

/// All words of the module: the last seed is guessed, after which nothing is.
struct AnySeed<'o, 's, 'g>(Asked<'o, 's, 'g>);

impl LazyNwa<PathId> for AnySeed<'_, '_, '_> {
    type Error = Error;
    fn initial(&mut self, out: &mut Vec<StateId>) -> Result<(), Error> {
        out.push(Phase::Before(Module::INITIAL).id());
        Ok(())
    }
    fn is_accepting(&self, state: StateId) -> bool {
        match Phase::of(state) {
            Phase::False => true,
            Phase::Tracked(state) => self.0.mode(state) == ModuleMode::Decrease,
            Phase::Before(_) | Phase::Lost => false,
        }
    }
    fn is_dead(&self, state: StateId) -> bool {
        Phase::of(state) == Phase::Lost
    }
    fn is_universal(&self, state: StateId) -> bool {
        Phase::of(state) == Phase::False
    }
    fn internal(&mut self, state: StateId, path: PathId, out: &mut Vec<StateId>) -> Result<(), Error> {
        let (from, tracked) = match Phase::of(state) {
            Phase::Lost => return Ok(()),
            Phase::False => {
                out.push(state);
                return Ok(());
            }
            Phase::Before(from) => (from, false),
            Phase::Tracked(from) => (from, true),
        };
        let to = self.0.successor(from, path)?;
        if self.0.is_false(to) {
            out.push(Phase::False.id());
            return Ok(());
        }
        match (self.0.mode(to), tracked) {
            (ModuleMode::Seed, false) => out.extend([Phase::Before(to).id(), Phase::Tracked(to).id()]),
            (ModuleMode::Waiting | ModuleMode::Tracking | ModuleMode::Decrease, false) => {
                out.push(Phase::Before(to).id());
            }
            (ModuleMode::Tracking | ModuleMode::Decrease, true) => out.push(Phase::Tracked(to).id()),
            (ModuleMode::Waiting | ModuleMode::Seed, true) => {}
        }
        Ok(())
    }
    fn call(&mut self, _: StateId, _: PathId, _: &mut Vec<StateId>) -> Result<(), Error> {
        no_calls()
    }
    fn ret(&mut self, _: StateId, _: StateId, _: PathId, _: &mut Vec<StateId>) -> Result<(), Error> {
        no_calls()
    }
}

/// A complement of some kind. Operands fail as complements do, so the errors of two levels are one.
enum Subtrahend<'o, 's, 'g> {
    Avoided(automata::Complement<Infeasible<'o, 's, 'g>>),
    Deterministic(DeterministicComplement<FirstSeed<'o, 's, 'g>>),
    Ncsb(Ncsb<AnySeed<'o, 's, 'g>>),
    Rank(RankBased<AnySeed<'o, 's, 'g>>),
}

fn flat(error: ComplementError<Error>) -> Error {
    match error {
        ComplementError::Operand(inner) => inner,
        ComplementError::NotSemiDeterministic => ComplementError::NotSemiDeterministic,
        ComplementError::NestedWord => ComplementError::NestedWord,
        ComplementError::TooManySuccessors => ComplementError::TooManySuccessors,
    }
}

impl Subtrahend<'_, '_, '_> {
    fn initial(&mut self, out: &mut Vec<StateId>) -> Result<(), Error> {
        match self {
            Subtrahend::Avoided(c) => c.initial(out),
            Subtrahend::Deterministic(c) => c.initial(out),
            Subtrahend::Ncsb(c) => c.initial(out).map_err(flat),
            Subtrahend::Rank(c) => c.initial(out).map_err(flat),
        }
    }
    fn successors(&mut self, state: StateId, path: PathId, out: &mut Vec<StateId>) -> Result<(), Error> {
        match self {
            Subtrahend::Avoided(c) => c.internal(state, path, out),
            Subtrahend::Deterministic(c) => c.internal(state, path, out),
            Subtrahend::Ncsb(c) => c.internal(state, path, out).map_err(flat),
            Subtrahend::Rank(c) => c.internal(state, path, out).map_err(flat),
        }
    }
    fn is_accepting(&self, state: StateId) -> bool {
        match self {
            Subtrahend::Avoided(c) => LazyNwa::is_accepting(c, state),
            Subtrahend::Deterministic(c) => LazyNwa::is_accepting(c, state),
            Subtrahend::Ncsb(c) => c.is_accepting(state),
            Subtrahend::Rank(c) => c.is_accepting(state),
        }
    }
    fn is_dead(&self, state: StateId) -> bool {
        match self {
            Subtrahend::Avoided(c) => LazyNwa::is_dead(c, state),
            Subtrahend::Deterministic(c) => LazyNwa::is_dead(c, state),
            Subtrahend::Ncsb(c) => c.is_dead(state),
            Subtrahend::Rank(c) => c.is_dead(state),
        }
    }
}

/// How many modules were complemented in which way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Used {
    pub deterministic: u64,
    pub ncsb: u64,
    pub rank: u64,
}

struct Layer<'o, 's, 'g> {
    complement: Subtrahend<'o, 's, 'g>,
    /// A node of the layer below, a state of the complement.
    nodes: Vec<(usize, StateId)>,
    ids: FastMap<(usize, StateId), usize>,
    common: Common,
}

/// What every layer has, the program too.
#[derive(Default)]
struct Common {
    initial: Vec<usize>,
    /// Of the nodes that were expanded.
    edges: Vec<Option<Vec<(PathId, usize)>>>,
    /// Known to lie on no way to anything that is left.
    dead: Vec<bool>,
}

impl Common {
    fn add_node(&mut self) {
        self.edges.push(None);
        self.dead.push(false);
    }
}

/// The remaining language of the program.
pub(super) struct Difference<'o, 's, 'g> {
    locs: Vec<LocId>,
    program: Common,
    layers: Vec<Layer<'o, 's, 'g>>,
    oracle: &'o RefCell<Oracle<'s, 'g>>,
    budget: &'o Budget,
    pub used: Used,
    pub n_nodes: usize,
}

/// How far the search for lassos goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Extent {
    /// Until there is a lasso.
    First,
    /// Until everything is known that can be reached.
    Everything,
}

impl<'o, 's, 'g> Difference<'o, 's, 'g> {
    /// All paths.
    pub(super) fn everything(
        icfg: &Icfg,
        graph: &CutGraph,
        oracle: &'o RefCell<Oracle<'s, 'g>>,
        budget: &'o Budget,
    ) -> Self {
        let mut ids: FastMap<LocId, usize> = FastMap::default();
        let mut locs = vec![icfg.entry()];
        ids.insert(icfg.entry(), 0);
        let mut program = Common { initial: vec![0], ..Common::default() };
        let mut next = 0;
        while next < locs.len() {
            let mut edges = Vec::new();
            for &path in graph.out.get(&locs[next]).map_or(&[][..], Vec::as_slice) {
                let to = graph.paths[path].to;
                let target = *ids.entry(to).or_insert_with(|| {
                    locs.push(to);
                    locs.len() - 1
                });
                edges.push((path, target));
            }
            program.add_node();
            program.edges[next] = Some(edges);
            next += 1;
        }
        Difference { locs, program, layers: Vec::new(), oracle, budget, used: Used::default(), n_nodes: next }
    }

    /// Takes away what a module rules out, the lasso included.
    pub(super) fn subtract(
        &mut self,
        module: Rc<RefCell<Module>>,
        lasso: &LassoWord,
        choice: Complement,
    ) -> Result<(), Error> {
        let has_rank = module.borrow().rank.is_some();
        let asked = Asked { module, oracle: self.oracle, budget: self.budget };
        let first_seed = FirstSeed(asked.clone());
        let complement = match choice {
            Complement::Auto | Complement::None if !has_rank => {
                self.used.deterministic += 1;
                Subtrahend::Avoided(automata::Complement(Infeasible(asked)))
            }
            Complement::Auto | Complement::None if first_seed.accepts(lasso)? => {
                self.used.deterministic += 1;
                Subtrahend::Deterministic(DeterministicComplement::new(first_seed))
            }
            Complement::Auto | Complement::None | Complement::Ncsb => {
                self.used.ncsb += 1;
                Subtrahend::Ncsb(Ncsb::new(AnySeed(asked)))
            }
            Complement::Rank => {
                self.used.rank += 1;
                Subtrahend::Rank(RankBased::new(AnySeed(asked)))
            }
        };
        let mut layer = Layer { complement, nodes: Vec::new(), ids: FastMap::default(), common: Common::default() };
        let mut starts = Vec::new();
        layer.complement.initial(&mut starts)?;
        let below = self.top();
        let pairs: Vec<(usize, StateId)> = below
            .initial
            .iter()
            .filter(|n| !below.dead[**n])
            .flat_map(|&n| starts.iter().map(move |&s| (n, s)))
            .collect();
        for pair in pairs {
            if !layer.complement.is_dead(pair.1) {
                let node = layer.node(pair);
                layer.common.initial.push(node);
            }
        }
        self.layers.push(layer);
        Ok(())
    }

    fn common(&self, level: usize) -> &Common {
        if level == 0 { &self.program } else { &self.layers[level - 1].common }
    }
    fn top(&self) -> &Common {
        self.common(self.layers.len())
    }

    /// The nodes that a node of the top layer stands on, from the top down to the program.
    fn tower(&self, node: usize) -> Vec<usize> {
        let mut tower = vec![node];
        let mut at = node;
        for layer in self.layers.iter().rev() {
            at = layer.nodes[at].0;
            tower.push(at);
        }
        tower
    }

    /// The edges of a node of the top layer; afterwards they are known.
    fn expand(&mut self, node: usize) -> Result<(), Error> {
        let tower = self.tower(node);
        for level in 1..=self.layers.len() {
            let at = tower[self.layers.len() - level];
            if self.common(level).edges[at].is_some() {
                continue;
            }
            self.budget.check()?;
            let (below, state) = self.layers[level - 1].nodes[at];
            let onwards = self.common(level - 1).edges[below].clone().unwrap_or_default();
            let (mut edges, mut answers) = (Vec::new(), Vec::new());
            for (path, target) in onwards {
                if self.common(level - 1).dead[target] {
                    continue;
                }
                let layer = &mut self.layers[level - 1];
                answers.clear();
                layer.complement.successors(state, path, &mut answers)?;
                for &answer in &answers {
                    if !layer.complement.is_dead(answer) {
                        edges.push((path, layer.node((target, answer))));
                    }
                }
                self.n_nodes = self.n_nodes.max(layer.nodes.len());
                if layer.nodes.len() > MAX_NODES {
                    return Err(ComplementError::Operand(Stop::OutOfMemory));
                }
            }
            self.layers[level - 1].common.edges[at] = Some(edges);
        }
        Ok(())
    }

    /// Which layers accept in a node of the top layer.
    fn accepting(&self, node: usize) -> Vec<bool> {
        let tower = self.tower(node);
        let accepts = |(i, layer): (usize, &Layer<'_, '_, '_>)| {
            let state = layer.nodes[tower[self.layers.len() - 1 - i]].1;
            layer.complement.is_accepting(state)
        };
        self.layers.iter().enumerate().map(accepts).collect()
    }

    /// Lassos that are left, short ones first; none: no word is left.
    pub(super) fn lassos(&mut self, extent: Extent) -> Result<Vec<LassoWord>, Error> {
        let explored = match extent {
            Extent::First => self.search()?,
            Extent::Everything => Some(self.reachable()?),
        };
        let Some(explored) = explored else { return Ok(Vec::new()) };
        Ok(self.seen_part(&explored).lassos(self.budget)?)
    }

    /// The nodes of the top layer that were seen until a strongly connected set with nodes of all accepting sets was
    /// found.
    fn search(&mut self) -> Result<Option<Vec<usize>>, Error> {
        const NEW: usize = usize::MAX;
        let level = self.layers.len();
        let mut numbers: FastMap<usize, usize> = FastMap::default();
        let mut seen: Vec<usize> = Vec::new();
        // Nodes whose component is not finished; components by their first number, with the layers that accept in them.
        let mut open: Vec<usize> = Vec::new();
        let mut roots: Vec<(usize, Vec<bool>)> = Vec::new();
        for start in self.top().initial.clone() {
            if numbers.contains_key(&start) || self.top().dead[start] {
                continue;
            }
            let mut frames: Vec<(usize, usize)> = vec![(start, NEW)];
            while let Some((node, position)) = frames.pop() {
                self.budget.check()?;
                let mut position = position;
                if position == NEW {
                    numbers.insert(node, seen.len());
                    roots.push((seen.len(), self.accepting(node)));
                    seen.push(node);
                    open.push(node);
                    self.expand(node)?;
                    position = 0;
                }
                let mut entered = None;
                while let Some((_, target)) = self.top().edges[node].as_ref().and_then(|e| e.get(position).copied()) {
                    position += 1;
                    if self.top().dead[target] {
                        continue;
                    }
                    let Some(&number) = numbers.get(&target) else {
                        entered = Some(target);
                        break;
                    };
                    // Not dead, so its component is open: everything since then belongs to it.
                    while roots.len() > 1 && roots[roots.len() - 1].0 > number {
                        if let Some((_, accepting)) = roots.pop()
                            && let Some((_, below)) = roots.last_mut()
                        {
                            below.iter_mut().zip(accepting).for_each(|(b, a)| *b |= a);
                        }
                    }
                    if roots.last().is_some_and(|(_, accepting)| accepting.iter().all(|a| *a)) {
                        let dead = &self.top().dead;
                        seen.retain(|n| !dead[*n]);
                        return Ok(Some(seen));
                    }
                }
                if let Some(target) = entered {
                    frames.push((node, position));
                    frames.push((target, NEW));
                    continue;
                }
                if roots.last().is_some_and(|(number, _)| *number == numbers[&node]) {
                    roots.pop();
                    while let Some(member) = open.pop() {
                        let common = if level == 0 { &mut self.program } else { &mut self.layers[level - 1].common };
                        common.dead[member] = true;
                        if member == node {
                            break;
                        }
                    }
                }
            }
        }
        Ok(None)
    }

    /// All nodes of the top layer that can be reached and are not known to be dead.
    fn reachable(&mut self) -> Result<Vec<usize>, Error> {
        let mut seen = Vec::new();
        let mut known: FastMap<usize, ()> = FastMap::default();
        for start in self.top().initial.clone() {
            if !self.top().dead[start] && known.insert(start, ()).is_none() {
                seen.push(start);
            }
        }
        let mut next = 0;
        while next < seen.len() {
            self.expand(seen[next])?;
            let top = self.top();
            for &(_, target) in top.edges[seen[next]].iter().flatten() {
                if !top.dead[target] && known.insert(target, ()).is_none() {
                    seen.push(target);
                }
            }
            next += 1;
        }
        Ok(seen)
    }

    /// The part of the difference between some nodes, as a graph with one start.
    fn seen_part(&self, seen: &[usize]) -> Remainder {
        let top = self.top();
        let initial: Vec<usize> = top.initial.iter().copied().filter(|n| seen.contains(n)).collect();
        // With several initial nodes there is one before them, with the edges of all.
        let shift = usize::from(initial.len() > 1);
        let mut order: Vec<usize> = seen.to_vec();
        if let &[only] = &initial[..] {
            order.sort_by_key(|n| *n != only);
        }
        let names: FastMap<usize, usize> = order.iter().enumerate().map(|(i, n)| (*n, i + shift)).collect();
        let edges_of = |node: usize| -> Vec<(PathId, usize)> {
            let known = top.edges[node].iter().flatten();
            known.filter_map(|(path, target)| Some((*path, *names.get(target)?))).collect()
        };
        let marks_of = |node: usize| -> Vec<Mark> {
            self.accepting(node).into_iter().map(|a| if a { Mark::Grant } else { Mark::Request }).collect()
        };
        let loc_of = |node: usize| self.tower(node).last().map_or(self.locs[0], |n| self.locs[*n]);
        let mut nodes = Vec::with_capacity(order.len() + shift);
        if shift == 1 {
            let edges = initial.iter().flat_map(|n| edges_of(*n)).collect();
            nodes.push(Node { loc: self.locs[0], marks: vec![Mark::Neither; self.layers.len()], edges });
        }
        for node in order {
            nodes.push(Node { loc: loc_of(node), marks: marks_of(node), edges: edges_of(node) });
        }
        Remainder { nodes }
    }
}

impl Layer<'_, '_, '_> {
    fn node(&mut self, pair: (usize, StateId)) -> usize {
        if let Some(&node) = self.ids.get(&pair) {
            return node;
        }
        self.nodes.push(pair);
        self.common.add_node();
        self.ids.insert(pair, self.nodes.len() - 1);
        self.nodes.len() - 1
    }
}
