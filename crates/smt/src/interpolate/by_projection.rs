//! Tree interpolants without a refutation: by projecting models.
//!
//! For a node v, with A its formulas and its children's interpolants, and B everything else:
//! start with I = ⊥; as long as A ∧ ¬I has a model, project it onto the shared symbols
//! ([`project`](super::projection::project)), keep only those literals that are needed to
//! contradict B (an unsatisfiable core, minimised), and add their conjunction to I as a disjunct.
//! At the end A implies I because A ∧ ¬I has no model, and each disjunct contradicts B because the
//! solver said so: the result needs no further check.
//!
//! Ends when finitely many disjuncts cover A (always for linear arithmetic, Booleans and
//! bit-vectors; usually for arrays and functions). Where a projection is too weak to contradict B,
//! comparisons of shared terms as the model has them are added; if that is still too weak, there
//! is no interpolant of this form, and that is reported.

use super::projection::project;
use super::refutation::Partitions;
use super::tree::TreeNode;
use crate::solver::SmtSolver;
use base::Budget;
use logic::{FastSet, FunId, ItpError, Model, Op, SatResult, Solver, TermId, TermPool, UnknownReason};

/// More disjuncts than this in one interpolant are not worth having.
const MAX_DISJUNCTS: usize = 200;

fn unknown(reason: &UnknownReason) -> ItpError {
    match reason {
        UnknownReason::Stopped(stop) => ItpError::Stopped(*stop),
        UnknownReason::Incomplete(why) => ItpError::NotFound(format!("a solver did not decide: {why}")),
    }
}

/// One interpolant per node but the root.
pub fn interpolate(pool: &mut TermPool, partitions: &Partitions, budget: &Budget) -> Result<Vec<TermId>, ItpError> {
    let tree = &partitions.tree;
    let n = tree.n_interpolants();
    let mut result: Vec<TermId> = Vec::with_capacity(n);
    for v in 0..n as TreeNode {
        // Outside: formulas of nodes not in the subtree, except in finished subtrees, which are
        // represented by their interpolants.
        let mut outside: Vec<TermId> = partitions.background.clone();
        let mut open: Vec<TermId> = Vec::new();
        for u in v + 1..=tree.root() {
            outside.extend(&partitions.formulas[u as usize]);
        }
        let own_children = tree.children(v);
        for u in 0..v {
            let finished = tree.parent(u).is_some_and(|p| p > v);
            if finished && !tree.in_subtree(v, u) {
                outside.push(result[u as usize]);
            }
        }
        open.extend(&partitions.background);
        open.extend(&partitions.formulas[v as usize]);
        open.extend(own_children.iter().map(|&c| result[c as usize]));
        let interpolant = one_interpolant(pool, partitions, v, &open, &outside, budget)?;
        result.push(interpolant);
    }
    Ok(result)
}

fn one_interpolant(
    pool: &mut TermPool,
    partitions: &Partitions,
    v: TreeNode,
    inside: &[TermId],
    outside: &[TermId],
    budget: &Budget,
) -> Result<TermId, ItpError> {
    let tree = &partitions.tree;
    let symbols_where = |pool: &TermPool, wanted: bool| -> FastSet<FunId> {
        let formulas: Vec<TermId> = (0..tree.n_nodes() as TreeNode)
            .filter(|&u| tree.in_subtree(v, u) == wanted)
            .flat_map(|u| partitions.formulas[u as usize].iter().copied())
            .chain(partitions.background.iter().copied())
            .collect();
        pool.free_symbols_of(&formulas).into_iter().collect()
    };
    let (here, there) = (symbols_where(pool, true), symbols_where(pool, false));
    let keep = |f: FunId| here.contains(&f) && there.contains(&f);

    // Proofs tell which literals were needed.
    let mut b_side = SmtSolver::with_proofs();
    for &formula in outside {
        b_side.assert(pool, formula);
    }
    // B alone may be contradictory, or A alone: the shortest interpolants there are.
    match b_side.check(pool, budget) {
        SatResult::Unsat => return Ok(TermId::TRUE),
        SatResult::Sat => {}
        SatResult::Unknown(reason) => return Err(unknown(&reason)),
    }
    let mut a_side = SmtSolver::without_proofs();
    for &formula in inside {
        a_side.assert(pool, formula);
    }
    let mut disjuncts: Vec<TermId> = Vec::new();
    loop {
        budget.check().map_err(ItpError::Stopped)?;
        match a_side.check(pool, budget) {
            SatResult::Unsat => break,
            SatResult::Sat => {}
            SatResult::Unknown(reason) => return Err(unknown(&reason)),
        }
        if disjuncts.len() >= MAX_DISJUNCTS {
            return Err(ItpError::NotFound("the projection has too many disjuncts".to_string()));
        }
        let model = a_side.model().cloned().ok_or_else(|| ItpError::NotFound("a check without a model".to_string()))?;
        let literals = project(pool, &model, inside, &keep)
            .ok_or_else(|| ItpError::NotFound("quantified formulas cannot be projected".to_string()))?;
        let core = match contradicting_core(pool, &mut b_side, literals.clone(), budget)? {
            Some(core) => core,
            None => {
                let mut more = literals;
                more.extend(comparisons(pool, &model, inside, outside, &keep));
                contradicting_core(pool, &mut b_side, more, budget)?
                    .ok_or_else(|| ItpError::NotFound("a projection is too weak".to_string()))?
            }
        };
        let cube = pool.and(&core);
        let negation = pool.not(cube);
        disjuncts.push(cube);
        a_side.assert(pool, negation);
    }
    Ok(pool.or(&disjuncts))
}

/// At most this many terms are compared with each other.
const MAX_COMPARED: usize = 40;

/// What the model says about the order and equality of terms over kept symbols: what a projection
/// of functions, for which there is no elimination, may have left out.
fn comparisons(
    pool: &mut TermPool,
    model: &Model,
    inside: &[TermId],
    outside: &[TermId],
    keep: &dyn Fn(FunId) -> bool,
) -> Vec<TermId> {
    let roots: Vec<TermId> = inside.iter().chain(outside).copied().collect();
    let mut terms = Vec::new();
    pool.visit_postorder(&roots, |t| terms.push(t));
    terms.retain(|&t| {
        let is_leaf = matches!(pool.op(t), Op::App(_) | Op::Select | Op::Num(_) | Op::BvNum(_));
        is_leaf && !pool.is_bool(t) && pool.free_symbols(t).iter().all(|&f| keep(f))
    });
    terms.sort_by_key(|&t| (pool.dag_size(t), t));
    terms.truncate(MAX_COMPARED);
    let mut literals = Vec::new();
    for (i, &a) in terms.iter().enumerate() {
        for &b in &terms[i + 1..] {
            if pool.sort(a) != pool.sort(b) {
                continue;
            }
            let eq = pool.eq(a, b);
            let mut options = vec![eq];
            if pool.sort(a).is_arith() {
                options.extend([pool.lt(a, b), pool.gt(a, b)]);
            } else {
                options.push(pool.not(eq));
            }
            literals.extend(options.into_iter().find(|&l| model.holds(pool, l) == Ok(true)));
        }
    }
    literals
}

/// A subset of the literals that contradicts the assertions of the solver, none of which can be
/// left out (within reason); `None` if all of them together do not.
fn contradicting_core(
    pool: &mut TermPool,
    solver: &mut SmtSolver,
    literals: Vec<TermId>,
    budget: &Budget,
) -> Result<Option<Vec<TermId>>, ItpError> {
    let mut core = literals;
    match solver.check_assuming(pool, &core, budget) {
        SatResult::Unsat => {
            let failed = solver.failed_assumptions();
            core = failed.into_iter().filter_map(|k| core.get(k).copied()).collect();
        }
        SatResult::Sat => return Ok(None),
        SatResult::Unknown(reason) => return Err(unknown(&reason)),
    }
    // Literals over many symbols first: dropping those helps most.
    let mut order = core.clone();
    order.sort_by_key(|&l| (std::cmp::Reverse(pool.dag_size(l)), l));
    for literal in order {
        if core.len() == 1 {
            break;
        }
        let fewer: Vec<TermId> = core.iter().copied().filter(|&l| l != literal).collect();
        if solver.check_assuming(pool, &fewer, budget) == SatResult::Unsat {
            let failed = solver.failed_assumptions();
            core = failed.into_iter().filter_map(|k| fewer.get(k).copied()).collect();
        }
    }
    // An equation may be more than is needed: one of its halves often suffices.
    for k in 0..core.len() {
        let literal = core[k];
        if pool.op(literal) != Op::Eq || !pool.sort(pool.arg(literal, 0)).is_arith() {
            continue;
        }
        let (a, b) = (pool.arg(literal, 0), pool.arg(literal, 1));
        for half in [pool.le(a, b), pool.ge(a, b)] {
            let mut weaker = core.clone();
            weaker[k] = half;
            if solver.check_assuming(pool, &weaker, budget) == SatResult::Unsat {
                core = weaker;
                break;
            }
        }
    }
    Ok(Some(core))
}
