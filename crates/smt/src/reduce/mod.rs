//! Making refutations smaller before anything is read off them.
//!
//! Each pass is one published idea in its own module; all take a [`ResolutionDag`] and return one
//! that derives a subset of the same clause from a subset of the same leaves, so a reduced
//! refutation still refutes, unsatisfiable cores only shrink, and every interpolation system still
//! applies. [`reduce`] runs passes in the order given, in rounds, until nothing gets smaller or the
//! budget ends; a pass that makes the proof bigger is undone.
//!
//! | pass | idea |
//! |---|---|
//! | [`StructuralHashing`](Pass::StructuralHashing) | one node per (pivot, antecedents) and per clause |
//! | [`RecyclePivots`](Pass::RecyclePivots) | drop a resolution whose pivot is resolved again below, in tree-like parts |
//! | [`RecyclePivotsWithIntersection`](Pass::RecyclePivotsWithIntersection) | the same, through shared nodes |
//! | [`LowerUnits`](Pass::LowerUnits) | resolve against shared unit clauses once, at the root |
//! | [`LowerUnitPivots`](Pass::LowerUnitPivots) | the same for every unit clause, shared or not |
//! | [`Regularise`](Pass::Regularise) | no pivot twice on a path, duplicating shared nodes where needed |
//! | [`Subsumption`](Pass::Subsumption) | a node whose clause contains that of an earlier node is that node |
//! | [`Trim`](Pass::Trim) | shared clauses derived anew by unit propagation from what is needed anyway |

mod dag;
mod hashing;
mod lower_units;
mod propagate;
mod recycle_pivots;
mod regularise;
mod restrict;
mod subsume;
mod trim;

pub use dag::{DagError, Node, NodeIndex, ResolutionDag, normalised, resolvent};
pub use propagate::{Fact, propagate};
pub use restrict::restrict;

use base::Budget;

/// A reduction by name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pass {
    StructuralHashing,
    RecyclePivots,
    RecyclePivotsWithIntersection,
    LowerUnits,
    LowerUnitPivots,
    Regularise,
    Subsumption,
    Trim,
}

impl Pass {
    pub const ALL: [Pass; 8] = [
        Pass::StructuralHashing,
        Pass::RecyclePivots,
        Pass::RecyclePivotsWithIntersection,
        Pass::LowerUnits,
        Pass::LowerUnitPivots,
        Pass::Regularise,
        Pass::Subsumption,
        Pass::Trim,
    ];
    /// The order that pays on solver proofs: units first, because they make clauses shorter; hashing, which is cheap,
    /// before subsumption.
    pub const RECOMMENDED: [Pass; 5] =
        [Pass::LowerUnits, Pass::StructuralHashing, Pass::Subsumption, Pass::Trim, Pass::RecyclePivotsWithIntersection];

    /// The name used on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Pass::StructuralHashing => "hash",
            Pass::RecyclePivots => "rp",
            Pass::RecyclePivotsWithIntersection => "rpi",
            Pass::LowerUnits => "lu",
            Pass::LowerUnitPivots => "lup",
            Pass::Regularise => "regularise",
            Pass::Subsumption => "subsume",
            Pass::Trim => "trim",
        }
    }
    pub fn from_name(name: &str) -> Option<Pass> {
        Pass::ALL.into_iter().find(|p| p.name() == name)
    }
    /// Runs this pass once.
    pub fn apply(self, dag: &ResolutionDag) -> Result<ResolutionDag, DagError> {
        dag.check_order()?;
        let dag = &dag.without_garbage();
        match self {
            Pass::StructuralHashing => hashing::merge_equal_nodes(dag),
            Pass::RecyclePivots => recycle_pivots::recycle_pivots(dag, recycle_pivots::AtSharedNodes::ForgetAll),
            Pass::RecyclePivotsWithIntersection => {
                recycle_pivots::recycle_pivots(dag, recycle_pivots::AtSharedNodes::Intersect)
            }
            Pass::LowerUnits => lower_units::lower_units(dag, lower_units::Which::Shared),
            Pass::LowerUnitPivots => lower_units::lower_units(dag, lower_units::Which::All),
            Pass::Regularise => regularise::regularise(dag),
            Pass::Subsumption => subsume::merge_subsumed_nodes(dag),
            Pass::Trim => trim::trim(dag),
        }
    }
}

/// What [`reduce`] did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ReductionStats {
    pub nodes_before: usize,
    pub nodes_after: usize,
    pub rounds: usize,
}

/// Runs the passes in rounds, at most `max_rounds`, while they help and the budget lasts.
pub fn reduce(
    dag: &ResolutionDag,
    passes: &[Pass],
    max_rounds: usize,
    budget: &Budget,
) -> Result<(ResolutionDag, ReductionStats), DagError> {
    let mut best = dag.without_garbage();
    let mut stats = ReductionStats { nodes_before: best.len(), nodes_after: best.len(), rounds: 0 };
    'rounds: for _ in 0..max_rounds {
        let before = best.len();
        stats.rounds += 1;
        for pass in passes {
            if budget.check_now().is_err() {
                break 'rounds;
            }
            let candidate = pass.apply(&best)?;
            if candidate.len() <= best.len() {
                best = candidate;
            }
        }
        if best.len() >= before {
            break;
        }
    }
    stats.nodes_after = best.len();
    Ok((best, stats))
}

#[cfg(test)]
mod tests;
