//! Trimming: deriving shared clauses anew, from what is needed anyway.
//!
//! A clause that is used several times or is short (a *lemma*) was derived by the solver from what it had at hand.
//! Often it follows by unit propagation from other clauses, too, some of which the proof needs in any case; then those
//! it was derived from may be needed by nobody. As in the trimming of clausal proofs (Heule, Hunt, Wetzler: "Trimming
//! while checking clausal proofs", FMCAD 2013), lemmas are visited from the last to the first. Each one that is needed
//! is assumed false; unit propagation in the leaves and the lemmas before it, those already needed first, ends in a
//! conflict; the clauses that gave the conflict are a new derivation, a chain of resolutions. It takes the place of the
//! old one if it is cheaper: its resolutions, and those of the lemmas that only it would need, are fewer. Otherwise, or
//! if propagation finds no conflict, all stays as it was. Lemmas that only it would need count [`NEW_LEMMA`] times,
//! because they need others in turn. That weight and the length of clauses that are lemmas though they are used once
//! were chosen on random formulas (100 variables, 450 clauses): without short ones the pass gains a third of what it
//! does.
//!
//! The lemma derived anew may be a subset of the old one, so the resolutions of those who use it are rebuilt as in
//! every pass.

use super::dag::{DagError, Node, NodeIndex, Rebuilder, ResolutionDag};
use crate::sat::types::Lit;

/// Clauses with so many literals are lemmas, used once or more.
const SHORT: usize = 8;
/// The weight of resolutions of lemmas that are not needed so far.
const NEW_LEMMA: usize = 4;
/// Visits of clauses by unit propagation, after which all stays as it was: so that large proofs end in seconds.
const MAX_VISITS: usize = 100_000_000;

/// A clause of the database: a leaf or a lemma.
struct Clause {
    node: NodeIndex,
    /// The first two literals are watched.
    lits: Vec<Lit>,
    is_needed: bool,
}

/// How a lemma is derived.
#[derive(Clone)]
enum Plan {
    AsBefore,
    /// The first node, then resolutions with the literal of the running clause and the node that has its complement.
    Chain(NodeIndex, Vec<(Lit, NodeIndex)>),
}

struct Trimmer<'a> {
    dag: &'a ResolutionDag,
    clauses: Vec<Clause>,
    /// Clauses by watched literal: those to be looked at when it becomes false.
    watches: Vec<Vec<u32>>,
    units: Vec<u32>,
    /// Per literal: true.
    is_true: Vec<bool>,
    /// The clause that made a variable's literal true; `None` for assumptions.
    reason: Vec<Option<u32>>,
    trail: Vec<Lit>,
    n_visits: usize,
}

impl Trimmer<'_> {
    fn is_false(&self, lit: Lit) -> bool {
        self.is_true[(!lit).0 as usize]
    }
    fn assign(&mut self, lit: Lit, reason: Option<u32>) {
        self.is_true[lit.0 as usize] = true;
        self.reason[lit.var().index()] = reason;
        self.trail.push(lit);
    }
    fn undo(&mut self) {
        for lit in self.trail.drain(..) {
            self.is_true[lit.0 as usize] = false;
            self.reason[lit.var().index()] = None;
        }
    }
    fn add(&mut self, node: NodeIndex, lits: &[Lit]) {
        let id = self.clauses.len() as u32;
        match lits {
            [] => {}
            [_] => self.units.push(id),
            [a, b, ..] => {
                self.watches[a.0 as usize].push(id);
                self.watches[b.0 as usize].push(id);
            }
        }
        self.clauses.push(Clause { node, lits: lits.to_vec(), is_needed: false });
    }
    /// A false clause among the first `n`, if unit propagation finds one under the assumptions on the trail.
    fn propagate(&mut self, n: u32) -> Option<u32> {
        // Needed clauses are propagated to the end before any other gives one literal.
        let mut heads = [0, 0];
        for pass in [true, false] {
            for k in 0..self.units.len() {
                let id = self.units[k];
                let clause = &self.clauses[id as usize];
                if id >= n || clause.is_needed != pass {
                    continue;
                }
                let lit = clause.lits[0];
                if self.is_false(lit) {
                    return Some(id);
                }
                if !self.is_true[lit.0 as usize] {
                    self.assign(lit, Some(id));
                }
            }
        }
        loop {
            let which = if heads[0] < self.trail.len() {
                0
            } else if heads[1] < self.trail.len() {
                1
            } else {
                return None;
            };
            let lit = self.trail[heads[which]];
            match self.visit(!lit, which == 0, n) {
                Visit::Conflict(id) => return Some(id),
                // A clause that is not needed gave a literal: let the needed ones see it first.
                Visit::Assigned if which == 1 => {}
                Visit::Assigned | Visit::Nothing => heads[which] += 1,
            }
        }
    }
    /// Looks at the clauses that watch a false literal: the needed ones, or the others, up to the first that gives a
    /// literal.
    fn visit(&mut self, lit: Lit, needed: bool, n: u32) -> Visit {
        let mut list = std::mem::take(&mut self.watches[lit.0 as usize]);
        let mut result = Visit::Nothing;
        self.n_visits += list.len();
        let mut k = 0;
        while k < list.len() {
            let id = list[k];
            if id >= n || self.clauses[id as usize].is_needed != needed {
                k += 1;
                continue;
            }
            let lits = &mut self.clauses[id as usize].lits;
            if lits[0] == lit {
                lits.swap(0, 1);
            }
            let first = lits[0];
            let place = (2..lits.len()).find(|&j| !self.is_true[(!lits[j]).0 as usize]);
            if self.is_true[first.0 as usize] {
                k += 1;
            } else if let Some(j) = place {
                lits.swap(1, j);
                let watched = lits[1];
                self.watches[watched.0 as usize].push(id);
                list.swap_remove(k);
            } else if self.is_false(first) {
                result = Visit::Conflict(id);
                break;
            } else {
                self.assign(first, Some(id));
                result = Visit::Assigned;
                k += 1;
                if !needed {
                    break;
                }
            }
        }
        // New watchers of the same literal cannot have come in: it is false.
        self.watches[lit.0 as usize] = list;
        result
    }
    /// The clauses that gave the conflict, as a chain of resolutions in reverse order of the trail.
    fn chain(&self, conflict: u32) -> (u32, Vec<(Lit, u32)>) {
        let mut is_open = vec![false; self.reason.len()];
        for lit in &self.clauses[conflict as usize].lits {
            is_open[lit.var().index()] = true;
        }
        let mut links = Vec::new();
        for &lit in self.trail.iter().rev() {
            let Some(reason) = self.reason[lit.var().index()].filter(|_| is_open[lit.var().index()]) else { continue };
            links.push((!lit, reason));
            for other in &self.clauses[reason as usize].lits {
                is_open[other.var().index()] = true;
            }
        }
        (conflict, links)
    }
}

enum Visit {
    Nothing,
    Assigned,
    Conflict(u32),
}

pub(super) fn trim(dag: &ResolutionDag) -> Result<ResolutionDag, DagError> {
    let clauses = dag.clauses()?;
    let uses = dag.uses();
    let root = dag.root as usize;
    let is_lemma = |k: usize| {
        matches!(dag.nodes[k], Node::Resolve { .. }) && (uses[k] > 1 || k == root || clauses[k].len() <= SHORT)
    };
    let n_lits = clauses.iter().flatten().map(|l| (l.0 | 1) as usize + 1).max().unwrap_or(0);
    let mut trimmer = Trimmer {
        dag,
        clauses: Vec::new(),
        watches: vec![Vec::new(); n_lits],
        units: Vec::new(),
        is_true: vec![false; n_lits],
        reason: vec![None; n_lits / 2],
        trail: Vec::new(),
        n_visits: 0,
    };
    let mut clause_of: Vec<Option<u32>> = vec![None; dag.nodes.len()];
    for k in 0..dag.nodes.len() {
        if matches!(dag.nodes[k], Node::Leaf { .. }) || is_lemma(k) {
            clause_of[k] = Some(trimmer.clauses.len() as u32);
            trimmer.add(k as NodeIndex, &clauses[k]);
        }
    }
    let costs = own_costs(dag, &is_lemma);
    let mut plans: Vec<Plan> = vec![Plan::AsBefore; dag.nodes.len()];
    if let Some(id) = clause_of[root] {
        trimmer.clauses[id as usize].is_needed = true;
    }
    for id in (0..trimmer.clauses.len() as u32).rev() {
        let node = trimmer.clauses[id as usize].node as usize;
        if !trimmer.clauses[id as usize].is_needed || matches!(dag.nodes[node], Node::Leaf { .. }) {
            continue;
        }
        let old: Vec<u32> = supports(dag, node, &clause_of);
        let mut found = None;
        if trimmer.n_visits < MAX_VISITS {
            for &lit in &clauses[node] {
                trimmer.assign(!lit, None);
            }
            found = trimmer.propagate(id).map(|conflict| trimmer.chain(conflict));
            trimmer.undo();
        }
        let price = |trimmer: &Trimmer<'_>, n_steps: usize, of: &[u32]| {
            let is_new = |c: &&Clause| !c.is_needed;
            let more = of.iter().map(|&c| &trimmer.clauses[c as usize]).filter(is_new);
            n_steps + NEW_LEMMA * more.map(|c| costs[c.node as usize]).sum::<usize>()
        };
        let old_price = price(&trimmer, costs[node], &old);
        let mut support = old;
        if let Some((first, links)) = found {
            let mut new: Vec<u32> = links.iter().map(|l| l.1).chain([first]).collect();
            new.sort_unstable();
            new.dedup();
            if price(&trimmer, links.len(), &new) < old_price {
                let node_of = |c: u32| trimmer.clauses[c as usize].node;
                plans[node] = Plan::Chain(node_of(first), links.iter().map(|&(l, c)| (l, node_of(c))).collect());
                support = new;
            }
        }
        for c in support {
            trimmer.clauses[c as usize].is_needed = true;
        }
    }
    let is_needed = |k: usize| clause_of[k].is_none_or(|c| trimmer.clauses[c as usize].is_needed);
    let mut out = Rebuilder::default();
    let mut renamed: Vec<NodeIndex> = vec![NodeIndex::MAX; trimmer.dag.nodes.len()];
    for (k, node) in dag.nodes.iter().enumerate() {
        if !is_needed(k) {
            continue;
        }
        renamed[k] = match (node, &plans[k]) {
            (Node::Leaf { .. }, _) => out.leaf(node),
            (Node::Resolve { .. }, Plan::Chain(first, links)) => {
                links.iter().fold(renamed[*first as usize], |running, &(pivot, other)| {
                    out.resolve(pivot, running, renamed[other as usize])
                })
            }
            (Node::Resolve { pivot, positive, negative }, Plan::AsBefore) => {
                let (l, r) = (renamed[*positive as usize], renamed[*negative as usize]);
                // Part of the old derivation of a lemma that is derived anew, or of one that is not needed.
                if l == NodeIndex::MAX || r == NodeIndex::MAX {
                    continue;
                }
                out.resolve(*pivot, l, r)
            }
        };
    }
    Ok(out.finish(renamed[root]))
}

/// Per node the resolutions of its derivation down to lemmas and leaves, itself included.
fn own_costs(dag: &ResolutionDag, is_lemma: &dyn Fn(usize) -> bool) -> Vec<usize> {
    let mut costs = vec![0; dag.nodes.len()];
    for (k, node) in dag.nodes.iter().enumerate() {
        if let Node::Resolve { positive, negative, .. } = node {
            let inner = |p: NodeIndex| if is_lemma(p as usize) { 0 } else { costs[p as usize] };
            costs[k] = 1 + inner(*positive) + inner(*negative);
        }
    }
    costs
}

/// The leaves and lemmas that the derivation of a node ends in.
fn supports(dag: &ResolutionDag, node: usize, clause_of: &[Option<u32>]) -> Vec<u32> {
    let mut out = Vec::new();
    let mut open = vec![node as NodeIndex];
    while let Some(k) = open.pop() {
        if let Node::Resolve { positive, negative, .. } = dag.nodes[k as usize] {
            for parent in [positive, negative] {
                match clause_of[parent as usize] {
                    Some(c) => out.push(c),
                    None => open.push(parent),
                }
            }
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}
