//! Interpolants from refutations.
//!
//! Tree interpolation is the primitive: given a tree of groups of assertions, one formula per node
//! but the root, such that a node's formulas together with its children's interpolants imply its
//! own interpolant, which together with the rest is contradictory, over symbols that occur both
//! inside and outside the subtree. Two nodes are the classical pair, a path is a sequence.
//!
//! [`tree_interpolants`] goes these ways in turn:
//!
//! 1. [`refutation`]: labelled interpolation over the resolution steps ([`labelled`]), with
//!    certificates of arithmetic lemmas ([`farkas`]) and equality lemmas ([`euf`]). All nodes of
//!    the tree in one pass. Stops at literals that mix local symbols of both sides.
//! 2. The same with literals that mix symbols cut in two ([`mixed`]).
//! 3. [`forward_backward`], for long trees: what each node implies, reduced to what its parent needs.
//! 4. [`pure_refutation`]: a second refutation for each node, whose clauses belong to one side each.
//! 5. [`by_projection`]: from models of the A-part, node by node, with solvers that keep no proofs.
//!
//! Where the first way gives long formulas about bits, [`word_relations`] looks for relations between words.
//! All interpolants are said in words rather than bits where possible ([`words`]), and simplified ([`simplify`]). If
//! the caller wants it, they are then verified with solvers that know nothing of the refutation ([`verify`]): a result
//! that fails is replaced by one of a later way, and what fails at last is an error, never an answer.

pub mod by_projection;
pub mod circuit;
pub mod colour;
pub mod euf;
pub mod farkas;
mod forward_backward;
pub mod labelled;
pub mod mixed;
pub mod projection;
pub mod pure_refutation;
pub mod refutation;
pub mod shorten;
pub mod simplify;
pub mod tree;
pub mod verify;
mod word_relations;
pub mod words;

#[cfg(test)]
mod labelled_tests;
#[cfg(test)]
mod rejection_tests;

pub use refutation::{MixedLiterals, Partitions, Refutation};

use crate::atoms::AtomTable;
use crate::reduce::{Node, ResolutionDag};
use crate::sat::types::Lit;
use base::Budget;
use by_projection::Way;
use labelled::{Assignment, Obstacle};
use logic::{AssertionId, FastMap, ItpError, ItpOptions, ItpTree, Op, Substitution, TermId, TermPool};
use std::time::Duration;
use tree::{TreeNode, TreeShape};

/// Builds the partitions of a tree. `assertions` are all assertions of the solver with their ids;
/// those in no group are in the background.
pub fn partitions(tree: &ItpTree, assertions: &[(AssertionId, TermId)]) -> Result<Partitions, ItpError> {
    let n = tree.groups.len();
    if n == 0 || tree.parent.len() != n {
        return Err(ItpError::BadTree("it needs a group and a parent per node".to_string()));
    }
    let mut parents: Vec<TreeNode> = Vec::with_capacity(n);
    for (v, parent) in tree.parent.iter().enumerate() {
        match parent {
            Some(p) if v + 1 < n => parents.push(TreeNode::try_from(*p).unwrap_or(TreeNode::MAX)),
            None if v + 1 == n => parents.push(n as TreeNode),
            _ => return Err(ItpError::BadTree("the last node, and only it, is the root".to_string())),
        }
    }
    let shape =
        TreeShape::new(&parents).ok_or_else(|| ItpError::BadTree("the nodes are not in postorder".to_string()))?;
    let term_of: FastMap<AssertionId, TermId> = assertions.iter().copied().collect();
    let mut formulas = vec![Vec::new(); n];
    let mut node_of: FastMap<AssertionId, TreeNode> = FastMap::default();
    for (v, group) in tree.groups.iter().enumerate() {
        for &id in group {
            let Some(&term) = term_of.get(&id) else {
                return Err(ItpError::BadTree(format!("there is no assertion {id}")));
            };
            if node_of.insert(id, v as TreeNode).is_some() {
                return Err(ItpError::BadTree(format!("the assertion {id} is in two groups")));
            }
            formulas[v].push(term);
        }
    }
    let terms = term_of;
    let background = assertions.iter().filter(|(id, _)| !node_of.contains_key(id)).map(|(_, t)| *t).collect();
    Ok(Partitions { tree: shape, formulas, node_of, background, terms })
}

/// How interpolants came about.
#[derive(Clone, Copy, Default, Debug)]
pub struct ItpStats {
    pub queries: u64,
    /// Queries whose refutation has mixed literals, which were cut in two.
    pub by_mixed_rules: u64,
    /// Queries whose refutation has a step that cannot be interpolated: answered from refutations whose
    /// clauses belong to one side each, or by projection at some node at least.
    pub by_pure_refutation: u64,
    pub by_projection: u64,
    /// Results that failed their verification and were replaced. Each is a defect of an interpolation rule.
    pub rejected: u64,
}

/// What is asked of a refutation.
#[derive(Clone, Copy)]
pub struct ItpQuery<'a> {
    pub partitions: &'a Partitions,
    /// Literals (atoms or negated atoms) that are assumed: every implication need hold only where they are true.
    pub assigned: &'a [TermId],
    pub options: ItpOptions,
    /// Verify before returning: what fails is replaced by the result of another way, which is verified too.
    pub verify: bool,
}

/// Tree interpolants of a refutation, in the order of the nodes, the root left out.
///
/// Under an assignment they are smaller, and many can be computed from one refutation.
pub fn tree_interpolants(
    pool: &mut TermPool,
    refutation: Refutation<'_>,
    query: ItpQuery<'_>,
    stats: &mut ItpStats,
    budget: &Budget,
) -> Result<Vec<TermId>, ItpError> {
    stats.queries += 1;
    let ItpQuery { partitions, assigned, options, verify } = query;
    let assignment = assignment(pool, refutation.atoms, assigned)?;
    let dag = refutation::resolution_dag(refutation.proof, refutation.root);
    let falsified = dag.nodes.iter().any(|node| match node {
        Node::Leaf { clause, .. } => assignment.falsifies(clause),
        Node::Resolve { .. } => false,
    });
    if falsified && !assignment.is_empty() {
        return Err(ItpError::BadTree("the assignment falsifies a clause".to_string()));
    }
    match refutation::interpolate(
        pool,
        refutation,
        &dag,
        partitions,
        &assignment,
        options,
        MixedLiterals::Refused,
        budget,
    ) {
        Ok(formulas) => {
            let formulas = match by_word_relations(pool, refutation, query, &formulas, budget)? {
                Some(shorter) => shorter,
                None => tidy(pool, formulas, budget),
            };
            // Cheap enough to be done always: a symbol that is not shared would break whoever relies on the tree.
            let is_in_vocabulary = verify::vocabulary(pool, partitions, &formulas).is_ok();
            #[cfg(test)]
            let formulas = rejection_tests::spoil(pool, formulas);
            if is_in_vocabulary
                && (!verify || verify::verify_under(pool, partitions, assigned, &formulas, budget).is_ok())
            {
                return Ok(formulas);
            }
            stats.rejected += 1;
        }
        Err(Obstacle::Stopped(stop)) => return Err(ItpError::Stopped(stop)),
        Err(Obstacle::MixedPivot(_) | Obstacle::Leaf { .. } | Obstacle::LabellingNeedsSequence) => {}
    }
    let core = under(pool, core_partitions(refutation, partitions), assigned);
    if let Some(formulas) = by_mixed_rules(pool, refutation, &dag, &assignment, &core, query, stats, budget)? {
        return Ok(formulas);
    }
    if core.tree.n_interpolants() >= forward_backward::MIN_CUTS
        && let Some(formulas) = forward_backward::interpolate(pool, &core, forward_backward::projection, budget)
            .map_err(ItpError::Stopped)?
    {
        let result = accepted(pool, query, Ok(formulas), stats, budget);
        if !matches!(result, Err(ItpError::NotFound(_))) {
            stats.by_projection += 1;
            return result;
        }
    }
    let mut used = by_projection::Used::default();
    let ways = [Way::SmallProjection, Way::PureRefutation(options), Way::Projection];
    let first = by_projection::interpolate(pool, &core, &ways, &mut used, budget);
    let n_queries = if used.projections == 0 { &mut stats.by_pure_refutation } else { &mut stats.by_projection };
    *n_queries += 1;
    let is_mixed = used.refutations > 0;
    match accepted(pool, query, first, stats, budget) {
        Err(ItpError::NotFound(_)) if is_mixed => {
            let projected = by_projection::interpolate(pool, &core, &[Way::Projection], &mut used, budget);
            accepted(pool, query, projected, stats, budget)
        }
        result => result,
    }
}

/// Trees of so few cuts may get interpolants by projection if those are shorter.
const FEW_CUTS: usize = 6;
/// Interpolants of this size (each) are short enough.
const SHORT: usize = 10;
/// Interpolants of this size that are about bits are long: relations between words may say the same.
const LONG: usize = 40;
/// What looking for a shorter one may take.
const TIME_FOR_BREVITY: Duration = Duration::from_millis(200);

fn total_size(pool: &TermPool, formulas: &[TermId]) -> usize {
    formulas.iter().map(|&f| pool.dag_size(f)).sum()
}

/// What relations between words say shorter than the formulas that were found, if they do.
fn by_word_relations(
    pool: &mut TermPool,
    refutation: Refutation<'_>,
    query: ItpQuery<'_>,
    found: &[TermId],
    budget: &Budget,
) -> Result<Option<Vec<TermId>>, ItpError> {
    let size = total_size(pool, found);
    if size <= LONG * found.len() || !word_relations::mentions_words(pool, found) {
        return Ok(None);
    }
    let core = under(pool, core_partitions(refutation, query.partitions), query.assigned);
    let brief = budget.child(TIME_FOR_BREVITY);
    let related = forward_backward::interpolate(pool, &core, word_relations::implied, &brief).unwrap_or(None);
    budget.check().map_err(ItpError::Stopped)?;
    let related = related.map(|formulas| tidy(pool, formulas, budget));
    Ok(related.filter(|formulas| total_size(pool, formulas) < size))
}

/// From the refutation, its mixed literals cut in two. `None` if that fails.
#[allow(clippy::too_many_arguments)]
fn by_mixed_rules(
    pool: &mut TermPool,
    refutation: Refutation<'_>,
    dag: &ResolutionDag,
    assignment: &Assignment,
    core: &Partitions,
    query: ItpQuery<'_>,
    stats: &mut ItpStats,
    budget: &Budget,
) -> Result<Option<Vec<TermId>>, ItpError> {
    let ItpQuery { partitions, options, .. } = query;
    let rules = MixedLiterals::CutInTwo;
    let found = refutation::interpolate(pool, refutation, dag, partitions, assignment, options, rules, budget);
    let mut formulas = match found {
        Ok(formulas) => tidy(pool, formulas, budget),
        Err(Obstacle::Stopped(stop)) => return Err(ItpError::Stopped(stop)),
        Err(Obstacle::MixedPivot(_) | Obstacle::Leaf { .. } | Obstacle::LabellingNeedsSequence) => return Ok(None),
    };
    let n_cuts = formulas.len();
    let brief = budget.child(TIME_FOR_BREVITY);
    if n_cuts <= FEW_CUTS && total_size(pool, &formulas) > SHORT * n_cuts {
        let mut used = by_projection::Used::default();
        let projected = by_projection::interpolate(pool, core, &[Way::SmallProjection], &mut used, &brief);
        if let Ok(projected) = projected {
            let projected = tidy(pool, projected, budget);
            if total_size(pool, &projected) < total_size(pool, &formulas) {
                stats.by_projection += 1;
                return accepted(pool, query, Ok(projected), stats, budget).map(Some);
            }
        }
        budget.check().map_err(ItpError::Stopped)?;
    }
    if let [formula] = formulas[..] {
        formulas = vec![by_projection::shorter_interpolant(pool, core, formula, &brief)];
    }
    // On trees with branching the rules are not known to add up.
    let is_sequence = partitions.tree.is_sequence();
    let verify = query.verify || !is_sequence;
    let is_in_vocabulary = verify::vocabulary(pool, partitions, &formulas).is_ok();
    match accepted(pool, ItpQuery { verify, ..query }, Ok(formulas), stats, budget) {
        Ok(formulas) if is_in_vocabulary => {
            stats.by_mixed_rules += 1;
            Ok(Some(formulas))
        }
        Err(error @ ItpError::Stopped(_)) => Err(error),
        Ok(_) | Err(_) => Ok(None),
    }
}

/// What was found node by node, made readable, and verified if that is wanted.
fn accepted(
    pool: &mut TermPool,
    query: ItpQuery<'_>,
    found: Result<Vec<TermId>, ItpError>,
    stats: &mut ItpStats,
    budget: &Budget,
) -> Result<Vec<TermId>, ItpError> {
    let formulas = tidy(pool, found?, budget);
    if query.verify
        && let Err(flaw) = verify::verify_under(pool, query.partitions, query.assigned, &formulas, budget)
    {
        budget.check().map_err(ItpError::Stopped)?;
        stats.rejected += 1;
        return Err(ItpError::NotFound(format!("the result failed its verification ({flaw:?})")));
    }
    Ok(formulas)
}

/// Equivalent formulas that are smaller or easier to read.
fn tidy(pool: &mut TermPool, formulas: Vec<TermId>, budget: &Budget) -> Vec<TermId> {
    let mut memo = FastMap::default();
    let formulas = formulas.into_iter().map(|t| words::lift(pool, t, &mut memo)).collect();
    simplify::simplify(pool, formulas, budget)
}

/// The literals as an assignment of the variables of the refutation.
fn assignment(pool: &TermPool, atoms: &AtomTable, assigned: &[TermId]) -> Result<Assignment, ItpError> {
    let mut lits: Vec<Lit> = Vec::new();
    for &t in assigned {
        let (mut atom, mut positive) = (t, true);
        while pool.op(atom) == Op::Not {
            atom = pool.arg(atom, 0);
            positive = !positive;
        }
        // An atom that the refutation does not know cannot focus it.
        lits.extend(atoms.var(atom).map(|v| v.lit(positive)));
    }
    Assignment::new(&lits).ok_or_else(|| ItpError::BadTree("an atom is assigned both ways".to_string()))
}

/// The partitions where the assigned literals are true: Boolean constants are replaced by their
/// values, other atoms join the background.
fn under(pool: &mut TermPool, mut partitions: Partitions, assigned: &[TermId]) -> Partitions {
    let mut pairs = Vec::new();
    for &t in assigned {
        let (atom, value) = if pool.op(t) == Op::Not { (pool.arg(t, 0), TermId::FALSE) } else { (t, TermId::TRUE) };
        if pool.as_symbol(atom).is_some() {
            pairs.push((atom, value));
        } else {
            partitions.background.push(t);
        }
    }
    let mut substitution = Substitution::from_pairs(pairs);
    for formula in partitions.formulas.iter_mut().flatten().chain(&mut partitions.background) {
        *formula = substitution.apply(pool, *formula);
    }
    partitions
}

/// The partitions with only the formulas that the refutation uses; a node without any is ⊤.
fn core_partitions(refutation: Refutation<'_>, partitions: &Partitions) -> Partitions {
    let mut core = Partitions {
        formulas: vec![Vec::new(); partitions.formulas.len()],
        background: Vec::new(),
        ..partitions.clone()
    };
    for id in refutation.proof.assertions_below(refutation.root) {
        let Some(&term) = partitions.terms.get(&id) else { continue };
        match partitions.node_of.get(&id) {
            Some(&v) => core.formulas[v as usize].push(term),
            None => core.background.push(term),
        }
    }
    core
}
