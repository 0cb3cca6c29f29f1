//! Tree interpolants without the refutation at hand, node by node: from another one ([`pure_refutation`]), or
//! by projecting models.
//!
//! Projection: for a node v, with A its formulas and its children's interpolants, and B everything else:
//! start with I = ⊥; as long as A ∧ ¬I has a model, project it onto the shared symbols
//! ([`project`]), keep only those literals that are needed to
//! contradict B (an unsatisfiable core, minimised), and add their conjunction to I as a disjunct.
//! At the end A implies I because A ∧ ¬I has no model, and each disjunct contradicts B because the
//! solver said so: the result needs no further check.
//!
//! Ends when finitely many disjuncts cover A (always for linear arithmetic, Booleans and
//! bit-vectors; usually for arrays and functions). Where a projection is too weak to contradict B, what the model says
//! about shared terms is added, in steps: comparisons of the shared terms of A; then of the shared terms of both
//! sides, of constant arrays of shared elements, of reads of shared arrays at shared indices, at the indices where two
//! of them differ and at the values of a small index sort, each compared with its value as well. Over Booleans, small
//! bit-vectors and arrays of these the last step fixes all there is to know about the shared symbols, so it cannot
//! fail. If it is still too weak, there is no interpolant of this form, and that is reported.

use super::colour::SymbolColours;
use super::projection::project;
use super::pure_refutation;
use super::refutation::Partitions;
use super::shorten::shorten;
use super::tree::{TreeNode, TreeShape};
use crate::solver::SmtSolver;
use base::Budget;
use logic::{
    FastSet, FunId, ItpError, ItpOptions, Model, Op, SatResult, Solver, Sort, SortId, TermId, TermPool, UnknownReason,
    Value,
};

/// How much a projection may take. Short interpolants come of few models; where it takes many, a refutation says it
/// shorter.
#[derive(Clone, Copy)]
struct Effort {
    max_disjuncts: usize,
    /// Describe models in full where projections are too weak.
    describes: bool,
}

const FIRST_TRY: Effort = Effort { max_disjuncts: 4, describes: false };
const UTMOST: Effort = Effort { max_disjuncts: 200, describes: true };

fn unknown(reason: &UnknownReason) -> ItpError {
    match reason {
        UnknownReason::Stopped(stop) => ItpError::Stopped(*stop),
        UnknownReason::Incomplete(why) => ItpError::NotFound(format!("a solver did not decide: {why}")),
    }
}

/// How many nodes got their interpolants in which way.
#[derive(Clone, Copy, Default, Debug)]
pub struct Used {
    pub refutations: usize,
    pub projections: usize,
}

/// How the interpolant of a node is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// By a projection of few models, which gives short formulas.
    SmallProjection,
    /// From a refutation of the two sides of the node.
    PureRefutation(ItpOptions),
    Projection,
}

/// One interpolant per node but the root, each by the first way that succeeds.
pub fn interpolate(
    pool: &mut TermPool,
    partitions: &Partitions,
    ways: &[Way],
    used: &mut Used,
    budget: &Budget,
) -> Result<Vec<TermId>, ItpError> {
    let tree = &partitions.tree;
    let n = tree.n_interpolants();
    let mut symbols = SymbolColours::new(pool, tree, &partitions.formulas, &partitions.background);
    let is_sequence = tree.is_sequence();
    // Proofs tell which literals were needed. On a sequence one solver serves all nodes: the
    // formulas are asserted from the last to the first, and taken back one node at a time.
    let mut b_side = SmtSolver::with_proofs();
    if is_sequence {
        for &formula in &partitions.background {
            b_side.assert(pool, formula);
        }
        for v in (1..tree.n_nodes()).rev() {
            b_side.push();
            for &formula in &partitions.formulas[v] {
                b_side.assert(pool, formula);
            }
        }
    }
    let mut result: Vec<TermId> = Vec::with_capacity(n);
    let mut patience = PATIENCE;
    for v in 0..n as TreeNode {
        if !is_sequence {
            b_side = SmtSolver::with_proofs();
            for formula in outside(partitions, &result, v) {
                b_side.assert(pool, formula);
            }
        }
        let mut inside: Vec<TermId> = partitions.background.clone();
        inside.extend(&partitions.formulas[v as usize]);
        inside.extend(tree.children(v).iter().map(|&c| result[c as usize]));
        let kept = shared_symbols(pool, tree, &mut symbols, &inside, v);
        let mut found: Result<TermId, ItpError> = Err(ItpError::NotFound("no way was tried".to_string()));
        for &way in ways {
            found = match way {
                Way::SmallProjection | Way::Projection => {
                    let effort = if way == Way::Projection { UTMOST } else { FIRST_TRY };
                    let projected = one_interpolant(pool, &inside, &kept, &mut b_side, effort, &mut patience, budget);
                    used.projections += usize::from(projected.is_ok());
                    projected
                }
                Way::PureRefutation(options) => {
                    let outside = outside(partitions, &result, v);
                    match pure_refutation::interpolant(pool, &inside, &outside, options, budget) {
                        Some(interpolant) => {
                            used.refutations += 1;
                            Ok(shorter(pool, interpolant, &inside, &mut b_side, budget))
                        }
                        None => Err(ItpError::NotFound("no refutation of two sides".to_string())),
                    }
                }
            };
            if found.is_ok() {
                break;
            }
            budget.check().map_err(ItpError::Stopped)?;
        }
        let interpolant = found?;
        result.push(interpolant);
        if is_sequence {
            b_side.pop(1);
        }
    }
    Ok(result)
}

/// The symbols of the formulas of a subtree that occur outside of it as well.
pub(super) fn shared_symbols(
    pool: &TermPool,
    tree: &TreeShape,
    symbols: &mut SymbolColours,
    inside: &[TermId],
    v: TreeNode,
) -> FastSet<FunId> {
    let mut kept: FastSet<FunId> = FastSet::default();
    for f in pool.free_symbols_of(inside) {
        let sides = symbols.symbol(tree, f).at(v);
        if sides.inside && sides.outside {
            kept.insert(f);
        }
    }
    kept
}

fn shorter(
    pool: &mut TermPool,
    interpolant: TermId,
    inside: &[TermId],
    b_side: &mut SmtSolver,
    budget: &Budget,
) -> TermId {
    let mut a_side = SmtSolver::without_proofs();
    for &formula in inside {
        a_side.assert(pool, formula);
    }
    shorten(pool, interpolant, &mut a_side, b_side, budget)
}

/// An interpolant of a tree of two nodes without parts that it can do without.
pub fn shorter_interpolant(
    pool: &mut TermPool,
    partitions: &Partitions,
    interpolant: TermId,
    budget: &Budget,
) -> TermId {
    let mut inside = partitions.background.clone();
    inside.extend(partitions.formulas.first().into_iter().flatten());
    let mut b_side = SmtSolver::without_proofs();
    for formula in outside(partitions, &[], 0) {
        b_side.assert(pool, formula);
    }
    shorter(pool, interpolant, &inside, &mut b_side, budget)
}

/// The formulas of nodes not in the subtree of `v`, except in finished subtrees, which are
/// represented by their interpolants.
fn outside(partitions: &Partitions, finished: &[TermId], v: TreeNode) -> Vec<TermId> {
    let tree = &partitions.tree;
    let mut outside: Vec<TermId> = partitions.background.clone();
    for u in v + 1..=tree.root() {
        outside.extend(&partitions.formulas[u as usize]);
    }
    for u in 0..v {
        if tree.parent(u).is_some_and(|p| p > v) && !tree.in_subtree(v, u) {
            outside.push(finished[u as usize]);
        }
    }
    outside
}

fn one_interpolant(
    pool: &mut TermPool,
    inside: &[TermId],
    kept: &FastSet<FunId>,
    b_side: &mut SmtSolver,
    effort: Effort,
    patience: &mut usize,
    budget: &Budget,
) -> Result<TermId, ItpError> {
    let keep = |f: FunId| kept.contains(&f);
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
        if disjuncts.len() >= effort.max_disjuncts {
            return Err(ItpError::NotFound("the projection has too many disjuncts".to_string()));
        }
        let model = a_side.model().cloned().ok_or_else(|| ItpError::NotFound("a check without a model".to_string()))?;
        let literals = project(pool, &model, inside, &keep, budget)
            .ok_or_else(|| ItpError::NotFound("quantified formulas cannot be projected".to_string()))?;
        let core = match contradicting_core(pool, b_side, literals.clone(), patience, budget)? {
            Some(core) => core,
            None => {
                let mut more = literals;
                more.extend(comparisons(pool, &model, inside, &keep));
                match contradicting_core(pool, b_side, more.clone(), patience, budget)? {
                    Some(core) => core,
                    None if !effort.describes => {
                        return Err(ItpError::NotFound("a projection is too weak".to_string()));
                    }
                    None => {
                        let outside = b_side.assertions().iter().map(|(_, t)| *t);
                        let all: Vec<TermId> = inside.iter().copied().chain(outside).collect();
                        more.extend(description(pool, &model, &all, &keep));
                        contradicting_core(pool, b_side, more, patience, budget)?
                            .ok_or_else(|| ItpError::NotFound("a projection is too weak".to_string()))?
                    }
                }
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
fn comparisons(pool: &mut TermPool, model: &Model, inside: &[TermId], keep: &dyn Fn(FunId) -> bool) -> Vec<TermId> {
    let mut terms = Vec::new();
    pool.visit_postorder(inside, |t| terms.push(t));
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

/// Limits of [`description`]: terms that are compared, and values of an index sort that are gone through.
const MAX_DESCRIBED: usize = 150;
const MAX_INDICES: u64 = 16;

/// All that the model says about terms over kept symbols, those that the formulas have and those that tell arrays
/// apart. The literals grow with the number of terms, not with that of pairs, but where disequalities are all there is.
fn description(pool: &mut TermPool, model: &Model, formulas: &[TermId], keep: &dyn Fn(FunId) -> bool) -> Vec<TermId> {
    let mut terms = Vec::new();
    pool.visit_postorder(formulas, |t| terms.push(t));
    terms.retain(|&t| {
        let is_compound = match pool.op(t) {
            Op::And | Op::Or | Op::Not | Op::Ite | Op::Distinct | Op::Forall(_) | Op::Exists(_) => true,
            Op::Eq => pool.is_bool(pool.arg(t, 0)),
            _ => false,
        };
        !is_compound && pool.free_symbols(t).iter().all(|&f| keep(f))
    });
    terms.sort_by_key(|&t| (pool.dag_size(t), t));
    terms.truncate(MAX_DESCRIBED);
    let mut arrays: Vec<TermId> = terms.iter().copied().filter(|&t| pool.array_parts(pool.sort(t)).is_some()).collect();
    let constants = constant_arrays(pool, formulas, &terms, &arrays);
    terms.extend(&constants);
    arrays.extend(&constants);
    let mut indices = terms.clone();
    for (k, &a) in arrays.iter().enumerate() {
        for &b in &arrays[k + 1..] {
            if pool.sort(a) == pool.sort(b) {
                indices.push(pool.array_diff(a, b));
            }
        }
    }
    for a in arrays {
        let Some((index_sort, _)) = pool.array_parts(pool.sort(a)) else { continue };
        if pool.as_symbol(a).is_none() {
            continue;
        }
        let mut reads: Vec<TermId> = indices.iter().copied().filter(|&i| pool.sort(i) == index_sort).collect();
        if pool.cardinality(index_sort).is_some_and(|n| n <= MAX_INDICES) {
            reads.extend(values_of_sort(pool, index_sort));
        }
        for index in reads {
            let read = pool.select(a, index);
            terms.push(read);
        }
    }
    terms.extend(indices);
    terms.sort_by_key(|&t| (pool.dag_size(t), t));
    terms.dedup();
    terms.truncate(4 * MAX_DESCRIBED);
    let mut literals = Vec::new();
    // The first term of each value, by sort; later ones are said to equal it.
    let mut named: Vec<(SortId, Value, TermId)> = Vec::new();
    for t in terms {
        let Ok(value) = model.eval(pool, t) else { continue };
        let sort = pool.sort(t);
        if let Value::Bool(holds) = value {
            literals.push(if holds { t } else { pool.not(t) });
            continue;
        }
        if let Some(numeral) = pool.value_term(&value, sort) {
            literals.push(pool.eq(t, numeral));
        }
        match named.iter().find(|(s, v, _)| *s == sort && *v == value) {
            Some(&(_, _, other)) => literals.push(pool.eq(t, other)),
            None => {
                if pool.value_term(&value, sort).is_none() {
                    for &(_, _, other) in named.iter().filter(|(s, _, _)| *s == sort) {
                        let equal = pool.eq(t, other);
                        literals.push(pool.not(equal));
                    }
                }
                named.push((sort, value, t));
            }
        }
    }
    literals.retain(|&l| model.holds(pool, l) == Ok(true) && l != TermId::TRUE);
    literals.sort_unstable();
    literals.dedup();
    literals
}

/// Elements of one sort that constant arrays are made of.
const MAX_ELEMENTS: usize = 6;

/// Constant arrays that kept arrays may equal, where the formulas have constant arrays of the sort: of kept elements,
/// and of what kept arrays hold at one index. A constant array of a local element is one of these if it equals a kept
/// array.
fn constant_arrays(pool: &mut TermPool, formulas: &[TermId], terms: &[TermId], arrays: &[TermId]) -> Vec<TermId> {
    let mut sorts: Vec<SortId> = Vec::new();
    pool.visit_postorder(formulas, |t| {
        if pool.op(t) == Op::ConstArray {
            sorts.push(pool.sort(t));
        }
    });
    sorts.sort_unstable();
    sorts.dedup();
    let mut found = Vec::new();
    for sort in sorts {
        let Some((index_sort, element_sort)) = pool.array_parts(sort) else { continue };
        let of_sort = |pool: &TermPool, s: SortId| terms.iter().copied().filter(move |&t| pool.sort(t) == s).collect();
        let mut elements: Vec<TermId> = of_sort(pool, element_sort);
        elements.truncate(MAX_ELEMENTS);
        let indices: Vec<TermId> = of_sort(pool, index_sort);
        let index = indices.first().copied().or_else(|| {
            let value = logic::default_value(pool, index_sort);
            pool.value_term(&value, index_sort)
        });
        let symbols = arrays.iter().copied().filter(|&a| pool.sort(a) == sort && pool.as_symbol(a).is_some());
        for a in symbols.take(MAX_ELEMENTS).collect::<Vec<_>>() {
            elements.extend(index.map(|i| pool.select(a, i)));
        }
        for element in elements {
            found.push(pool.const_array(sort, element));
        }
    }
    found
}

/// The values of a finite sort without arrays.
fn values_of_sort(pool: &mut TermPool, sort: SortId) -> Vec<TermId> {
    match *pool.sort_data(sort) {
        Sort::Bool => vec![TermId::FALSE, TermId::TRUE],
        Sort::BitVec(width) if width < 32 => (0..1i64 << width).map(|n| pool.bv_num(n.into(), width)).collect(),
        Sort::BitVec(_) | Sort::Int | Sort::Real | Sort::Array(..) | Sort::Uninterpreted(_) => Vec::new(),
    }
}

/// After so many attempts in a row that failed, a core is taken to be small enough: long ones (a cell of an array
/// each) would otherwise cost a check for every literal.
const MAX_IN_VAIN: usize = 12;

/// Attempts in one query that may fail before cores are taken as they come: a sequence of many nodes would otherwise
/// cost that many checks for each of them.
const PATIENCE: usize = 240;

/// A subset of the literals that contradicts the assertions of the solver, none of which can be
/// left out (within reason); `None` if all of them together do not.
pub(super) fn contradicting_core(
    pool: &mut TermPool,
    solver: &mut SmtSolver,
    literals: Vec<TermId>,
    patience: &mut usize,
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
    let mut n_in_vain = 0;
    for literal in order {
        if core.len() == 1 || n_in_vain == MAX_IN_VAIN || *patience == 0 {
            break;
        }
        if !core.contains(&literal) {
            continue;
        }
        budget.check().map_err(ItpError::Stopped)?;
        let fewer: Vec<TermId> = core.iter().copied().filter(|&l| l != literal).collect();
        if solver.check_assuming(pool, &fewer, budget) == SatResult::Unsat {
            let failed = solver.failed_assumptions();
            core = failed.into_iter().filter_map(|k| fewer.get(k).copied()).collect();
            n_in_vain = 0;
        } else {
            n_in_vain += 1;
            *patience = patience.saturating_sub(1);
        }
    }
    // An equation may be more than is needed: one of its halves often suffices.
    let mut n_in_vain = 0;
    for k in 0..core.len() {
        let literal = core[k];
        if n_in_vain == MAX_IN_VAIN || *patience == 0 {
            break;
        }
        if pool.op(literal) != Op::Eq || !pool.sort(pool.arg(literal, 0)).is_arith() {
            continue;
        }
        n_in_vain += 1;
        let (a, b) = (pool.arg(literal, 0), pool.arg(literal, 1));
        for half in [pool.le(a, b), pool.ge(a, b)] {
            budget.check().map_err(ItpError::Stopped)?;
            let mut weaker = core.clone();
            weaker[k] = half;
            if solver.check_assuming(pool, &weaker, budget) == SatResult::Unsat {
                core = weaker;
                n_in_vain = 0;
                break;
            }
            *patience = patience.saturating_sub(1);
        }
    }
    Ok(Some(core))
}
