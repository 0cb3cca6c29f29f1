//! Transition formulas: what a step without calls does, as a formula.
//!
//! The formula speaks about the value of a variable before (its own constant `v.term`) and, for
//! assigned variables only, after (the primed constant, [`primed`]). Variables that are not assigned
//! keep their value implicitly: there is never a `x' = x` for them. `aux` constants stand for
//! intermediate and nondeterministic values; they belong to this transition alone and every use of the
//! transition in a trace needs fresh copies of them (two uses that shared a havocked value would be
//! unsoundly infeasible).
//!
//! Choices come in two forms. `formula` names each branch by a Boolean `aux` constant, `(b₁ → φ₁) ∧ … ∧ (b₁ ∨ … )`:
//! a model says which branch was taken, and large formulas are not repeated. `plain` has disjunctions
//! instead and no such constants; post- and preconditions are computed from it, so that quantifier
//! elimination does not have to get rid of indicators. They are equivalent when `aux` is
//! quantified away.

use crate::icfg::{EdgeId, Icfg, Label};
use crate::program::{Stmt, VarId, Variable};
use base::IdVec;
use logic::{FastMap, FastSet, SortId, Substitution, TermId, TermPool};

/// Sorted and deduplicated variable lists.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    pub formula: TermId,
    /// The same without indicators.
    pub plain: TermId,
    /// Variables that may change, sorted.
    pub assigned: Vec<VarId>,
    /// The constants of `formula` that belong to this transition, sorted; those of `plain` are among them.
    pub aux: Vec<TermId>,
    /// The original edges this was composed of, and how.
    pub parts: Parts,
}

/// How a block was composed: the back map from a block to the edges of the graph before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Parts {
    /// One edge; for each value that it chooses, a term over the transition's constants that is the
    /// value in a model.
    Edge {
        edge: EdgeId,
        chosen: Vec<(VarId, TermId)>,
    },
    Seq(Vec<Parts>),
    /// One of the paths from node 0 to the last node of an acyclic graph.
    Graph {
        n_nodes: u32,
        edges: Vec<PartEdge>,
    },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartEdge {
    pub from: u32,
    pub to: u32,
    /// True in a model only if the edge can be taken and its source is reached along such edges.
    /// (So a path is found by walking back from the last node.)
    pub taken: TermId,
    pub parts: Parts,
}

/// An edge of the graph before, with terms for the values that it chooses.
pub type Leaf = (EdgeId, Vec<(VarId, TermId)>);

/// The constant that stands for a variable's value after a step.
pub fn primed(pool: &mut TermPool, term: TermId) -> TermId {
    pool.indexed(term, PRIME)
}

/// The index that [`TermPool::indexed`] reserves for primed copies; SSA uses smaller ones.
const PRIME: u32 = u32::MAX;

impl Parts {
    fn rename(&mut self, pool: &mut TermPool, renaming: &mut Substitution) {
        let mut stack = vec![self];
        while let Some(parts) = stack.pop() {
            match parts {
                Parts::Edge { chosen, .. } => {
                    for (_, t) in chosen {
                        *t = renaming.apply(pool, *t);
                    }
                }
                Parts::Seq(list) => stack.extend(list),
                Parts::Graph { edges, .. } => {
                    for e in edges {
                        e.taken = renaming.apply(pool, e.taken);
                        stack.push(&mut e.parts);
                    }
                }
            }
        }
    }

    /// The leaf edges of the path that a model takes, each with its chosen values, given the truth of
    /// the `taken` formulas. `None` if no path is marked as taken.
    pub fn path(&self, is_true: &mut dyn FnMut(TermId) -> bool) -> Option<Vec<Leaf>> {
        let mut path = Vec::new();
        let mut stack = vec![self];
        while let Some(parts) = stack.pop() {
            match parts {
                Parts::Edge { edge, chosen } => path.push((*edge, chosen.clone())),
                Parts::Seq(list) => stack.extend(list.iter().rev()),
                Parts::Graph { n_nodes, edges } => {
                    let mut into: Vec<Vec<usize>> = vec![Vec::new(); *n_nodes as usize];
                    for (i, e) in edges.iter().enumerate() {
                        into[e.to as usize].push(i);
                    }
                    let mut at = *n_nodes as usize - 1;
                    while at != 0 {
                        let &i = into[at].iter().find(|&&i| is_true(edges[i].taken))?;
                        stack.push(&edges[i].parts);
                        at = edges[i].from as usize;
                    }
                }
            }
        }
        Some(path)
    }

    /// All leaf edges, in some order, with repetitions.
    pub fn leaves(&self) -> Vec<EdgeId> {
        let mut leaves = Vec::new();
        let mut stack = vec![self];
        while let Some(parts) = stack.pop() {
            match parts {
                Parts::Edge { edge, .. } => leaves.push(*edge),
                Parts::Seq(list) => stack.extend(list.iter().rev()),
                Parts::Graph { edges, .. } => stack.extend(edges.iter().rev().map(|e| &e.parts)),
            }
        }
        leaves
    }
}

/// A formula with variables to be quantified away: existentially for strongest posts, universally
/// for weakest preconditions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Projection {
    pub body: TermId,
    pub eliminate: Vec<TermId>,
}

impl Transition {
    /// The transition of one statement.
    pub fn of_stmt(pool: &mut TermPool, vars: &IdVec<VarId, Variable>, stmt: &Stmt, edge: EdgeId) -> Transition {
        let (formula, mut assigned, chosen) = match stmt {
            Stmt::Assume(condition) => (*condition, Vec::new(), Vec::new()),
            Stmt::Havoc(havocked, _) => {
                let chosen = havocked.iter().map(|&v| (v, primed(pool, vars[v].term))).collect();
                (TermId::TRUE, havocked.clone(), chosen)
            }
            Stmt::Assign(pairs) => {
                let mut equations = Vec::with_capacity(pairs.len());
                for &(v, e) in pairs {
                    let after = primed(pool, vars[v].term);
                    equations.push(pool.eq(after, e));
                }
                (pool.and(&equations), pairs.iter().map(|p| p.0).collect(), Vec::new())
            }
        };
        assigned.sort_unstable();
        assigned.dedup();
        Transition { formula, plain: formula, assigned, aux: Vec::new(), parts: Parts::Edge { edge, chosen } }
    }

    /// The transition of a statement or block edge; `None` for calls, returns and thread operations.
    /// (Entering and leaving an atomic section changes nothing.)
    pub fn of_edge(pool: &mut TermPool, icfg: &Icfg, edge: EdgeId) -> Option<Transition> {
        match &icfg.edges[edge].label {
            Label::Stmt(stmt) => Some(Transition::of_stmt(pool, &icfg.vars, stmt, edge)),
            Label::Block(t) => Some((**t).clone()),
            Label::AtomicBegin | Label::AtomicEnd => {
                Some(Transition::of_stmt(pool, &icfg.vars, &Stmt::Assume(TermId::TRUE), edge))
            }
            Label::Call(_) | Label::Return(_) | Label::Fork { .. } | Label::Join { .. } => None,
        }
    }

    /// Does it do nothing?
    pub fn is_skip(&self) -> bool {
        self.formula == TermId::TRUE && self.assigned.is_empty()
    }

    /// Rewrites all its formulas.
    fn rename(&self, pool: &mut TermPool, renaming: &mut Substitution) -> Transition {
        let mut result = self.clone();
        result.formula = renaming.apply(pool, self.formula);
        result.plain = renaming.apply(pool, self.plain);
        result.parts.rename(pool, renaming);
        result
    }

    /// One after the other. Every formula is rewritten once, so the cost is linear.
    pub fn seq(pool: &mut TermPool, vars: &IdVec<VarId, Variable>, list: &[Transition]) -> Transition {
        // The last transition to assign each variable writes its primed constant.
        let mut last: FastMap<VarId, usize> = FastMap::default();
        for (i, t) in list.iter().enumerate() {
            for &v in &t.assigned {
                last.insert(v, i);
            }
        }
        // The present value of each variable assigned so far, by its constant.
        let mut current: FastMap<TermId, TermId> = FastMap::default();
        let mut used_aux: FastSet<TermId> = FastSet::default();
        let (mut formulas, mut plains) = (Vec::new(), Vec::new());
        let (mut aux, mut parts) = (Vec::new(), Vec::new());
        for (i, t) in list.iter().enumerate() {
            let mut renaming = Substitution::new();
            for c in pool.free_constants(t.formula) {
                if let Some(&value) = current.get(&c) {
                    renaming.insert(c, value);
                }
            }
            for &a in &t.aux {
                let mut name = a;
                if !used_aux.insert(a) {
                    let sort = pool.sort(a);
                    name = pool.fresh_constant("aux", sort);
                    renaming.insert(a, name);
                }
                aux.push(name);
            }
            let mut values = Vec::with_capacity(t.assigned.len());
            for &v in &t.assigned {
                let prime = primed(pool, vars[v].term);
                let mut value = prime;
                if last[&v] != i {
                    value = pool.fresh_constant(&vars[v].name, vars[v].sort);
                    aux.push(value);
                    renaming.insert(prime, value);
                }
                values.push((vars[v].term, value));
            }
            let renamed = t.rename(pool, &mut renaming);
            formulas.push(renamed.formula);
            plains.push(renamed.plain);
            match renamed.parts {
                Parts::Seq(list) => parts.extend(list),
                single => parts.push(single),
            }
            current.extend(values);
        }
        let mut assigned: Vec<VarId> = last.into_keys().collect();
        assigned.sort_unstable();
        Transition::assemble(pool, &formulas, &plains, assigned, aux, Parts::Seq(parts))
    }

    /// One of several.
    pub fn choice(pool: &mut TermPool, vars: &IdVec<VarId, Variable>, list: Vec<Transition>) -> Transition {
        let mut assigned: Vec<VarId> = list.iter().flat_map(|t| t.assigned.iter().copied()).collect();
        assigned.sort_unstable();
        assigned.dedup();
        let (mut aux, mut edges) = (Vec::new(), Vec::new());
        let (mut formulas, mut plains, mut indicators) = (Vec::new(), Vec::new(), Vec::new());
        for t in list {
            // Variables that only other branches assign keep their value here.
            let mut frame = Vec::new();
            for &v in assigned.iter().filter(|v| t.assigned.binary_search(v).is_err()) {
                let prime = primed(pool, vars[v].term);
                frame.push(pool.eq(prime, vars[v].term));
            }
            let frame = pool.and(&frame);
            let taken = pool.fresh_constant("branch", SortId::BOOL);
            let holds = pool.and2(t.formula, frame);
            formulas.push(pool.implies(taken, holds));
            plains.push(pool.and2(t.plain, frame));
            indicators.push(taken);
            aux.push(taken);
            aux.extend(&t.aux);
            edges.push(PartEdge { from: 0, to: 1, taken, parts: t.parts });
        }
        formulas.push(pool.or(&indicators));
        let plain = pool.or(&plains);
        Transition::assemble(pool, &formulas, &[plain], assigned, aux, Parts::Graph { n_nodes: 2, edges })
    }

    /// Puts conjuncts together and keeps the `aux` that occur.
    pub(crate) fn assemble(
        pool: &mut TermPool,
        formulas: &[TermId],
        plains: &[TermId],
        assigned: Vec<VarId>,
        aux: Vec<TermId>,
        parts: Parts,
    ) -> Transition {
        let formula = pool.and(formulas);
        let plain = pool.and(plains);
        let mine: FastSet<TermId> = aux.into_iter().collect();
        let mut aux = Vec::new();
        pool.visit_postorder(&[formula, plain], |t| {
            if mine.contains(&t) {
                aux.push(t);
            }
        });
        aux.sort_unstable();
        Transition { formula, plain, assigned, aux, parts }
    }

    /// The states after the transition from a state in `pre`: `body` over the variables, when
    /// `eliminate` is quantified existentially.
    pub fn post(&self, pool: &mut TermPool, vars: &IdVec<VarId, Variable>, pre: TermId) -> Projection {
        let mut before = Substitution::new();
        let mut eliminate = Vec::new();
        let mut step = Vec::new();
        for &v in &self.assigned {
            let Variable { name, sort, term, .. } = &vars[v];
            let old = pool.fresh_constant(name, *sort);
            eliminate.push(old);
            before.insert(*term, old);
            step.push((*term, old));
            step.push((primed(pool, *term), *term));
        }
        eliminate.extend(&self.aux);
        let pre = before.apply(pool, pre);
        let step = pool.substitute(self.plain, &step);
        let body = pool.and2(pre, step);
        keep_occurring(pool, body, eliminate)
    }

    /// The states from which the transition can lead only to `post`: `body` over the variables, when
    /// `eliminate` is quantified universally.
    pub fn weakest_pre(&self, pool: &mut TermPool, vars: &IdVec<VarId, Variable>, post: TermId) -> Projection {
        let mut after = Vec::with_capacity(self.assigned.len());
        for &v in &self.assigned {
            after.push((vars[v].term, primed(pool, vars[v].term)));
        }
        let post = pool.substitute(post, &after);
        let body = pool.implies(self.plain, post);
        let mut eliminate: Vec<TermId> = after.into_iter().map(|p| p.1).collect();
        eliminate.extend(&self.aux);
        keep_occurring(pool, body, eliminate)
    }
}

/// The weakest precondition of a statement; an assignment is a substitution, so nothing is left to
/// eliminate.
pub fn weakest_pre_of_stmt(
    pool: &mut TermPool,
    vars: &IdVec<VarId, Variable>,
    stmt: &Stmt,
    post: TermId,
) -> Projection {
    match stmt {
        Stmt::Assume(c) => Projection { body: pool.implies(*c, post), eliminate: Vec::new() },
        Stmt::Assign(pairs) => {
            let pairs: Vec<(TermId, TermId)> = pairs.iter().map(|&(v, e)| (vars[v].term, e)).collect();
            Projection { body: pool.substitute(post, &pairs), eliminate: Vec::new() }
        }
        Stmt::Havoc(havocked, _) => {
            let mut pairs = Vec::with_capacity(havocked.len());
            for &v in havocked {
                pairs.push((vars[v].term, primed(pool, vars[v].term)));
            }
            let body = pool.substitute(post, &pairs);
            keep_occurring(pool, body, pairs.into_iter().map(|p| p.1).collect())
        }
    }
}

fn keep_occurring(pool: &TermPool, body: TermId, eliminate: Vec<TermId>) -> Projection {
    let occurring: FastSet<TermId> = pool.free_constants(body).into_iter().collect();
    Projection { body, eliminate: eliminate.into_iter().filter(|t| occurring.contains(t)).collect() }
}
