//! Passive form of an acyclic unfolding: all paths of a loop-free region as one linear-size formula.
//!
//! Every node of the unfolding has a Boolean *guard* ("control was here") and an *environment* that maps each
//! variable to the term of its value there. Assignments change only the environment. Where paths
//! join, variables whose terms differ get a fresh constant, and the node's guard implies that one incoming
//! path was taken whose values the constants have:
//!
//! ```text
//! guard(n)  =>  OR over incoming (m, edge):  guard(m) ∧ condition(edge) ∧ joined constants = values along it
//! ```
//!
//! The implication goes backwards only, which suffices: a model with `guard(n)` contains a real path to
//! `n` (followed from `n` back to a root), and every real path extends to a model. This is the
//! flow-sensitive encoding of verification-condition generators, and what bounded model checking and the
//! checker of annotations use.

use crate::dataflow::VarIndex;
use crate::icfg::{EdgeId, Icfg, Label, LocId};
use crate::program::{Stmt, VarId};
use crate::transition::primed;
use base::{Id, IdVec};
use logic::{Model, Substitution, TermId, TermPool};
use std::cell::OnceCell;
use std::rc::Rc;

base::define_id!(
    /// A node of an [`Unfolding`].
    NodeId, "n"
);

/// The term of every variable at some point, by variable.
pub type Env = Rc<IdVec<VarId, TermId>>;

/// One way into a node.
#[derive(Clone, Debug)]
pub struct Step {
    pub pred: NodeId,
    pub edge: EdgeId,
    /// What must hold along the step besides the predecessor's guard.
    pub condition: TermId,
    /// The environment after the step.
    pub env: Env,
    /// Constants that stand for values chosen by the step.
    pub chosen: Vec<(VarId, TermId)>,
}

#[derive(Clone, Debug)]
pub struct Node {
    pub loc: LocId,
    pub guard: TermId,
    pub env: Env,
    pub incoming: Vec<Incoming>,
}

#[derive(Clone, Debug)]
pub struct Incoming {
    pub pred: NodeId,
    pub edge: EdgeId,
    /// True in a model only if this way in was possible (includes the predecessor's guard).
    pub taken: TermId,
    pub chosen: Vec<(VarId, TermId)>,
}

/// An edge of a path, with the constants of the values it chose.
pub type PathStep = (EdgeId, Vec<(VarId, TermId)>);

/// An acyclic unfolding under construction. Constraints accumulate; assert each once.
#[derive(Clone, Debug, Default)]
pub struct Unfolding {
    pub nodes: IdVec<NodeId, Node>,
    pub constraints: Vec<TermId>,
    /// The variables of the graph, once it is known.
    index: OnceCell<Rc<VarIndex>>,
}

/// The environment in which every variable has its own constant as value.
pub fn identity_env(icfg: &Icfg) -> Env {
    Rc::new(icfg.vars.values().map(|v| v.term).collect())
}

/// Replaces the variables in a formula by their values in an environment.
pub fn in_env(pool: &mut TermPool, icfg: &Icfg, env: &Env, t: TermId) -> TermId {
    let mut substitution = env_substitution(icfg, env);
    substitution.apply(pool, t)
}

/// The substitution of an environment, for several formulas.
pub fn env_substitution(icfg: &Icfg, env: &Env) -> Substitution {
    Substitution::from_pairs(icfg.vars.iter().filter(|(v, var)| env[*v] != var.term).map(|(v, var)| (var.term, env[v])))
}

impl Unfolding {
    pub fn new() -> Unfolding {
        Unfolding::default()
    }

    /// One of many unfoldings of a graph, which share what is known about its variables.
    pub fn with_index(index: Rc<VarIndex>) -> Unfolding {
        Unfolding { index: OnceCell::from(index), ..Unfolding::default() }
    }

    pub fn add_root(&mut self, loc: LocId, guard: TermId, env: Env) -> NodeId {
        self.nodes.push(Node { loc, guard, env, incoming: Vec::new() })
    }

    /// The step along a statement or block edge; `None` for calls, returns and thread operations.
    pub fn step(&self, pool: &mut TermPool, icfg: &Icfg, pred: NodeId, edge: EdgeId) -> Option<Step> {
        let env = &self.nodes[pred].env;
        let index = self.index.get_or_init(|| Rc::new(VarIndex::new(icfg)));
        // Only the variables that the step reads: a map of all would be quadratic in large programs.
        let mut substitution = Substitution::new();
        for t in icfg.read_terms(&icfg.edges[edge].label) {
            for v in index.vars_of(pool, &[t]) {
                substitution.insert(icfg.vars[v].term, env[v]);
            }
        }
        let step = |condition, env, chosen| Some(Step { pred, edge, condition, env, chosen });
        match &icfg.edges[edge].label {
            Label::Stmt(Stmt::Assume(c)) => {
                let condition = substitution.apply(pool, *c);
                step(condition, env.clone(), Vec::new())
            }
            Label::Stmt(Stmt::Assign(pairs)) => {
                let mut after = (**env).clone();
                for &(v, e) in pairs {
                    after[v] = substitution.apply(pool, e);
                }
                step(TermId::TRUE, Rc::new(after), Vec::new())
            }
            Label::Stmt(Stmt::Havoc(vars, _)) => {
                let mut after = (**env).clone();
                let chosen = havoc(pool, icfg, &mut after, vars);
                step(TermId::TRUE, Rc::new(after), chosen)
            }
            Label::Block(transition) => {
                let mut after = (**env).clone();
                let chosen = havoc(pool, icfg, &mut after, &transition.assigned);
                for &(v, c) in &chosen {
                    let prime = primed(pool, icfg.vars[v].term);
                    substitution.insert(prime, c);
                }
                for &aux in &transition.aux {
                    let sort = pool.sort(aux);
                    let copy = pool.fresh_constant("aux", sort);
                    substitution.insert(aux, copy);
                }
                let condition = substitution.apply(pool, transition.formula);
                step(condition, Rc::new(after), chosen)
            }
            // There is no interference: graphs with threads are not unfolded.
            Label::AtomicBegin | Label::AtomicEnd => step(TermId::TRUE, env.clone(), Vec::new()),
            Label::Call(_) | Label::Return(_) | Label::Fork { .. } | Label::Join { .. } => None,
        }
    }

    /// A node with these ways in (at least one).
    pub fn add_node(&mut self, pool: &mut TermPool, icfg: &Icfg, loc: LocId, steps: Vec<Step>) -> NodeId {
        let (env, equalities) = join_envs(pool, icfg, &steps);
        let mut incoming = Vec::with_capacity(steps.len());
        let mut ways = Vec::with_capacity(steps.len());
        for (step, mut parts) in steps.into_iter().zip(equalities) {
            parts.push(self.nodes[step.pred].guard);
            parts.push(step.condition);
            let taken = pool.and(&parts);
            ways.push(taken);
            incoming.push(Incoming { pred: step.pred, edge: step.edge, taken, chosen: step.chosen });
        }
        let reached = pool.or(&ways);
        // A guard that is a literal needs no name.
        let guard = if pool.args(reached).len() <= 1 {
            reached
        } else {
            let guard = pool.fresh_constant("at", logic::SortId::BOOL);
            let definition = pool.implies(guard, reached);
            self.constraints.push(definition);
            guard
        };
        self.nodes.push(Node { loc, guard, env, incoming })
    }

    /// The path that a model takes to a node: steps from a root, with the values chosen on the way.
    /// `None` if the model does not satisfy the constraints.
    pub fn path_to(&self, pool: &TermPool, model: &Model, node: NodeId) -> Option<(NodeId, Vec<PathStep>)> {
        let mut memo = logic::FastMap::default();
        let mut steps = Vec::new();
        let mut at = node;
        while !self.nodes[at].incoming.is_empty() {
            let way = self.nodes[at]
                .incoming
                .iter()
                .find(|i| matches!(model.eval_memo(pool, i.taken, &mut memo), Ok(logic::Value::Bool(true))))?;
            steps.push((way.edge, way.chosen.clone()));
            at = way.pred;
        }
        steps.reverse();
        Some((at, steps))
    }
}

fn havoc(pool: &mut TermPool, icfg: &Icfg, env: &mut IdVec<VarId, TermId>, vars: &[VarId]) -> Vec<(VarId, TermId)> {
    let mut chosen = Vec::with_capacity(vars.len());
    for &v in vars {
        let value = pool.fresh_constant(&icfg.vars[v].name, icfg.vars[v].sort);
        env[v] = value;
        chosen.push((v, value));
    }
    chosen
}

/// The joined environment, and for each step the equations between joined constants and its values.
fn join_envs(pool: &mut TermPool, icfg: &Icfg, steps: &[Step]) -> (Env, Vec<Vec<TermId>>) {
    let mut equalities = vec![Vec::new(); steps.len()];
    let first = &steps[0].env;
    if steps.iter().all(|s| Rc::ptr_eq(&s.env, first)) {
        return (first.clone(), equalities);
    }
    let mut env = (**first).clone();
    for index in 0..env.len() {
        let v = VarId::from_index(index);
        if steps.iter().all(|s| s.env[v] == first[v]) {
            continue;
        }
        let joined = pool.fresh_constant(&icfg.vars[v].name, icfg.vars[v].sort);
        env[v] = joined;
        for (step, equations) in steps.iter().zip(&mut equalities) {
            equations.push(pool.eq(joined, step.env[v]));
        }
    }
    (Rc::new(env), equalities)
}
