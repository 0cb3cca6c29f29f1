//! Restricting a refutation to a partial assignment and to what follows from it by unit propagation.
//!
//! Once a refutation is restricted ([`restrict`]), some of its leaves are unit clauses. Each is a fact under the
//! assignment, so the refutation can be restricted to it as well, and again, until no leaf is a unit clause. The facts
//! are not lost: they are returned in the order of derivation, each with the leaf it is read off, because an
//! interpolant of what remains must be told about them (see [`crate::focused`]).
//!
//! This is what lowering units does to a proof, carried on through the resolutions that it makes superfluous.

use super::dag::{Node, ResolutionDag};
use super::restrict::restrict;
use crate::interpolate::labelled::Assignment;
use crate::sat::types::Lit;

/// A literal that follows from the assignment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fact {
    pub lit: Lit,
    /// The leaf that is this unit clause where the assignment and all earlier facts hold.
    pub tag: u32,
    /// The tags of the leaves that mention the variable when the fact is found.
    pub mentioned: Vec<u32>,
}

/// The refutation of what the assignment and the facts leave open, and the facts. `None` only if the given graph does
/// not derive the empty clause.
pub fn propagate(dag: &ResolutionDag, assignment: &Assignment) -> Option<(ResolutionDag, Vec<Fact>)> {
    let mut facts: Vec<Fact> = Vec::new();
    let mut open = restrict(dag, assignment)?;
    loop {
        let leaves = || {
            open.nodes.iter().filter_map(|node| match node {
                Node::Leaf { tag, clause } => Some((*tag, clause)),
                Node::Resolve { .. } => None,
            })
        };
        let n_known = facts.len();
        for (tag, clause) in leaves() {
            if let [lit] = clause[..]
                && facts[n_known..].iter().all(|fact| fact.lit.var() != lit.var())
            {
                facts.push(Fact { lit, tag, mentioned: Vec::new() });
            }
        }
        if facts.len() == n_known {
            return Some((open, facts));
        }
        for fact in &mut facts[n_known..] {
            let mentions = |clause: &[Lit]| clause.iter().any(|l| l.var() == fact.lit.var());
            fact.mentioned = leaves().filter(|(_, clause)| mentions(clause)).map(|(tag, _)| tag).collect();
            fact.mentioned.sort_unstable();
            fact.mentioned.dedup();
        }
        let news: Vec<Lit> = facts[n_known..].iter().map(|fact| fact.lit).collect();
        open = restrict(&open, &Assignment::new(&news)?)?;
    }
}
