//! What an SMT solver offers. Tree interpolation is the primitive; sequences and pairs are trees
//! of a special shape (see [`ItpTree`]).

use crate::model::Model;
use crate::term::{TermId, TermPool};
use base::{Budget, Stop};

base::define_id!(
    /// An assertion made to a solver.
    AssertionId, "a"
);

/// Why a solver could not decide.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnknownReason {
    Stopped(Stop),
    /// The formula lies outside what the solver decides: which part, and why.
    Incomplete(String),
}

impl std::fmt::Display for UnknownReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            UnknownReason::Stopped(stop) => write!(f, "{stop}"),
            UnknownReason::Incomplete(why) => f.write_str(why),
        }
    }
}

/// The answer to a check. The evidence stays in the solver: ask for the model, the core or
/// interpolants before the next change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SatResult {
    Sat,
    Unsat,
    Unknown(UnknownReason),
}

/// A tree of partitions in postorder: children stand before their parents, the root is last.
/// `groups[v]` are the assertions of node `v`; `parent[v]` is its parent (`None` only for the root).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ItpTree {
    pub groups: Vec<Vec<AssertionId>>,
    pub parent: Vec<Option<usize>>,
}

impl ItpTree {
    /// `A_0, A_1, …, A_n`: each node has the one before as its only child.
    pub fn sequence(groups: Vec<Vec<AssertionId>>) -> ItpTree {
        let n = groups.len();
        ItpTree { groups, parent: (1..=n).map(|v| (v < n).then_some(v)).collect() }
    }
    pub fn len(&self) -> usize {
        self.groups.len()
    }
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }
}

/// How shared literals are labelled in the Boolean part: decides the strength of interpolants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Labelling {
    #[default]
    McMillan,
    Pudlak,
    McMillanPrime,
}

/// Which combination of a Farkas certificate becomes the interpolant of an arithmetic lemma.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Farkas {
    /// The sum of the A-part.
    #[default]
    Strong,
    /// The negated sum of the B-part.
    Weak,
    /// A conjunction of several sums of the A-part, each free of local variables.
    Decomposed,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ItpOptions {
    pub labelling: Labelling,
    pub farkas: Farkas,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ItpError {
    /// No refutation is there: the last check did not say unsat, or proofs were off.
    NoRefutation,
    /// The tree is ill-formed: what is wrong.
    BadTree(String),
    /// No method found an interpolant: why.
    NotFound(String),
    Stopped(Stop),
}

impl std::fmt::Display for ItpError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ItpError::NoRefutation => f.write_str("there is no refutation to interpolate"),
            ItpError::BadTree(why) => write!(f, "bad interpolation tree: {why}"),
            ItpError::NotFound(why) => write!(f, "no interpolant found: {why}"),
            ItpError::Stopped(stop) => write!(f, "{stop}"),
        }
    }
}

/// An incremental SMT solver. All terms belong to one pool, which is passed in.
pub trait Solver {
    fn push(&mut self);
    fn pop(&mut self, n: usize);
    /// Adds a formula; its id stays valid until it is popped.
    fn assert(&mut self, pool: &mut TermPool, t: TermId) -> AssertionId;
    fn check(&mut self, pool: &mut TermPool, budget: &Budget) -> SatResult {
        self.check_assuming(pool, &[], budget)
    }
    /// Checks under further assumptions, any formulas, for this call only.
    fn check_assuming(&mut self, pool: &mut TermPool, assumptions: &[TermId], budget: &Budget) -> SatResult;
    /// After `Sat`: a model of all assertions, already checked against them.
    fn model(&self) -> Option<&Model>;
    /// After `Unsat`: assertions that are unsatisfiable together (with the failed assumptions).
    fn unsat_core(&self) -> Vec<AssertionId>;
    /// After `Unsat` of `check_assuming`: indices of assumptions that the refutation used.
    fn failed_assumptions(&self) -> Vec<usize>;
    /// After `Unsat`, with proofs on: one formula per node but the root. Node `v`'s is implied by
    /// its group and its children's, contradicts the rest, and uses only symbols of both.
    /// Assertions in no group count as being in every partition.
    fn interpolate(
        &mut self,
        pool: &mut TermPool,
        tree: &ItpTree,
        options: ItpOptions,
        budget: &Budget,
    ) -> Result<Vec<TermId>, ItpError>;
}
