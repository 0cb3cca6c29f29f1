//! Transition formulas: what a step without calls does, as a formula.
//!
//! The formula speaks about the value of a variable before (its own constant `v.term`) and, for
//! assigned variables only, after (the primed constant, [`primed`]). Variables that are not assigned
//! keep their value implicitly: there is never a `x' = x` for them. `aux` constants stand for
//! intermediate and nondeterministic values; they belong to this transition alone and every use of the
//! transition in a trace needs fresh copies of them (two uses that shared a havocked value would be
//! unsoundly infeasible).

use crate::program::{Stmt, VarId, Variable};
use base::IdVec;
use logic::{TermId, TermPool};

/// Sorted and deduplicated variable lists.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    pub formula: TermId,
    /// Variables that may change, sorted.
    pub assigned: Vec<VarId>,
    pub aux: Vec<TermId>,
    /// The original edges this was composed of, and how (leaf: a single statement).
    pub parts: Parts,
}

/// How a block was composed: the back map from a block to the edges of the graph before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Parts {
    Edge(crate::EdgeId),
    Seq(Vec<Parts>),
    /// One of several; the indicator is an `aux` Boolean that is true in a model only if that
    /// branch was taken.
    Choice(Vec<(TermId, Parts)>),
}

/// The constant that stands for a variable's value after a step.
pub fn primed(pool: &mut TermPool, term: TermId) -> TermId {
    pool.indexed(term, PRIME)
}

/// The index that [`TermPool::indexed`] reserves for primed copies; SSA uses smaller ones.
const PRIME: u32 = u32::MAX;

impl Transition {
    /// The transition of one statement.
    pub fn of_stmt(pool: &mut TermPool, vars: &IdVec<VarId, Variable>, stmt: &Stmt, edge: crate::EdgeId) -> Transition {
        let parts = Parts::Edge(edge);
        match stmt {
            Stmt::Assume(condition) => Transition { formula: *condition, assigned: Vec::new(), aux: Vec::new(), parts },
            Stmt::Havoc(havocked, _) => {
                let mut assigned = havocked.clone();
                assigned.sort_unstable();
                assigned.dedup();
                Transition { formula: TermId::TRUE, assigned, aux: Vec::new(), parts }
            }
            Stmt::Assign(pairs) => {
                let mut equations = Vec::with_capacity(pairs.len());
                let mut assigned = Vec::with_capacity(pairs.len());
                for &(v, e) in pairs {
                    let after = primed(pool, vars[v].term);
                    equations.push(pool.eq(after, e));
                    assigned.push(v);
                }
                assigned.sort_unstable();
                Transition { formula: pool.and(&equations), assigned, aux: Vec::new(), parts }
            }
        }
    }
}
