//! Interpolants from a second refutation, whose clauses belong to one side each.
//!
//! A refutation may have literals that mix local symbols of A and B, and then cannot be read. They come from two
//! places, and both are avoided when the pair (A, B) is refuted once more, knowing the sides.
//!
//! **Arrays.** The array solver instantiates `i = j ∨ store(a,i,v)[j] = a[j]` wherever a store meets a read, so the
//! store may be local to A and the index to B. Here arrays are mere functions, and each side gets the instances that it
//! can state in its own symbols: every store at every index, every constant array at every index, and a witness
//! `diff(a,b)` for every equality between arrays (Totla and Wies, *Complete instantiation-based interpolation*, POPL
//! 2013; Bruttomesso, Ghilardi and Ranise, LMCS 2012). Sides that must tell each other at which indices shared arrays
//! may differ need a name for those indices. If the first attempt fails, every pair of shared arrays `a`, `b` gets the
//! terms by which `a` turns into `b` one difference at a time: `a₁ = store(a, diff(a,b), b[diff(a,b)])`, `a₂` from `a₁`
//! likewise, with the question whether `aₖ = b`. An interpolant can then say "a and b differ in at most two places" as
//! `a₂ = b`. If there are constant arrays, `b` may also be the constant array of one of `a`'s elements: "a is constant
//! but for one place". Which element that is need not have a name, so a few are looked for: one at any index, one that
//! differs from it, one that differs elsewhere; of an array that is constant but for k places, one of the first k + 1
//! is the element of all others.
//!
//! **Theories that share terms.** When arithmetic gives `i` of A and `j` of B the same value and functions can tell,
//! the equality `i = j` would be decided. Here it is split into `i = 5` and `j = 5`, or goes through a term of their
//! class that both sides know (`View::propose_equality`).
//!
//! Instances are valid formulas, so the result is an interpolant of A and B themselves. Not complete in this form
//! (differences, instances and splits are bounded): `None` says that another way has to be taken.

use super::refutation::{self, Refutation};
use crate::interpolate::labelled::Assignment;
use crate::solver::SmtSolver;
use base::Budget;
use logic::{
    AssertionId, FastSet, FunId, ItpOptions, ItpTree, Op, Rational, SatResult, Solver, Sort, SortId, TermId, TermPool,
};

/// At most so many differences between shared arrays are named.
const MAX_DIFFERENCES: usize = 3;
/// With more pairs of shared arrays, or more instances, this way is too slow.
const MAX_PAIRS: usize = 10;
const MAX_INSTANCES: usize = 4000;

/// What array axioms can be instantiated with.
#[derive(Default)]
struct ArrayTerms {
    stores: Vec<TermId>,
    constants: Vec<TermId>,
    equalities: Vec<TermId>,
    indices: Vec<TermId>,
    has_quantifiers: bool,
}

impl ArrayTerms {
    fn of(pool: &TermPool, formulas: &[TermId]) -> ArrayTerms {
        let mut found = ArrayTerms::default();
        pool.visit_postorder(formulas, |t| match pool.op(t) {
            Op::Store => {
                found.stores.push(t);
                found.indices.push(pool.arg(t, 1));
            }
            Op::Select => found.indices.push(pool.arg(t, 1)),
            Op::ArrayDiff => found.indices.push(t),
            Op::ConstArray => found.constants.push(t),
            Op::Eq if pool.array_parts(pool.sort(pool.arg(t, 0))).is_some() => found.equalities.push(t),
            Op::Forall(_) | Op::Exists(_) => found.has_quantifiers = true,
            _ => {}
        });
        // Every element of an uninterpreted sort may be an index at which a constant array matters: such a sort may
        // have no others than those that terms name.
        let sorts: Vec<SortId> =
            found.constants.iter().filter_map(|&t| Some(pool.array_parts(pool.sort(t))?.0)).collect();
        if sorts.iter().any(|&sort| matches!(pool.sort_data(sort), Sort::Uninterpreted(_))) {
            pool.visit_postorder(formulas, |t| {
                let sort = pool.sort(t);
                if sorts.contains(&sort) && matches!(pool.sort_data(sort), Sort::Uninterpreted(_)) {
                    found.indices.push(t);
                }
            });
        }
        found.indices.sort_unstable();
        found.indices.dedup();
        found
    }
}

/// An interpolant of the two sides, if this way finds one.
pub fn interpolant(
    pool: &mut TermPool,
    a: &[TermId],
    b: &[TermId],
    options: ItpOptions,
    budget: &Budget,
) -> Option<TermId> {
    let both: Vec<TermId> = a.iter().chain(b).copied().collect();
    let terms = ArrayTerms::of(pool, &both);
    if terms.has_quantifiers {
        return None;
    }
    let vocabularies = [a, b].map(|side| pool.free_symbols_of(side).into_iter().collect::<FastSet<FunId>>());
    for n_differences in 0..=MAX_DIFFERENCES {
        let pairs = shared_pairs(pool, &vocabularies, &terms, n_differences);
        if n_differences > 0 && (pairs.is_empty() || pairs.len() > MAX_PAIRS) {
            return None;
        }
        let mut formulas = both.clone();
        if n_differences > 0 {
            for &(from, to) in &pairs {
                let is_constant = pool.op(to) == Op::ConstArray;
                formulas.extend(differences(pool, from, to, n_differences - usize::from(is_constant)));
            }
        }
        let [of_a, of_b] = instances(pool, &formulas, &vocabularies)?;
        let mut solver = SmtSolver::with_proofs();
        solver.refute_purely(vocabularies.clone());
        let mut assert_all = |formulas: &[&[TermId]]| -> Vec<AssertionId> {
            formulas.iter().copied().flatten().map(|&f| solver.assert(pool, f)).collect()
        };
        let groups = vec![assert_all(&[a, &of_a]), assert_all(&[b, &of_b])];
        match solver.check(pool, budget) {
            SatResult::Unsat => {
                let tree = ItpTree { groups, parent: vec![Some(1), None] };
                let partitions = super::partitions(&tree, solver.assertions()).ok()?;
                let (proof, root, atoms) = solver.refutation()?;
                let dag = refutation::resolution_dag(proof, root);
                let refutation = Refutation { proof, root, atoms };
                let result = refutation::interpolate(
                    pool,
                    refutation,
                    &dag,
                    &partitions,
                    &Assignment::default(),
                    options,
                    refutation::MixedLiterals::CutInTwo,
                    budget,
                );
                return result.ok()?.first().copied();
            }
            SatResult::Sat | SatResult::Unknown(_) => budget.check().ok()?,
        }
    }
    None
}

/// Pairs of arrays that both sides know, of the same sort: shared symbols, and if there are constant arrays, those of
/// elements of a shared symbol that may be the element of all but a few indices.
fn shared_pairs(
    pool: &mut TermPool,
    vocabularies: &[FastSet<FunId>; 2],
    terms: &ArrayTerms,
    n_differences: usize,
) -> Vec<(TermId, TermId)> {
    let mut shared: Vec<FunId> = vocabularies[0].intersection(&vocabularies[1]).copied().collect();
    shared.sort_unstable();
    shared.retain(|&f| pool.fun(f).args.is_empty());
    let symbols: Vec<TermId> = shared.into_iter().map(|f| pool.app(f, &[])).collect();
    let arrays: Vec<TermId> = symbols.iter().copied().filter(|&t| pool.array_parts(pool.sort(t)).is_some()).collect();
    let mut pairs = Vec::new();
    for (k, &from) in arrays.iter().enumerate() {
        pairs.extend(arrays[k + 1..].iter().filter(|&&to| pool.sort(from) == pool.sort(to)).map(|&to| (from, to)));
        let sort = pool.sort(from);
        let Some((index_sort, _)) = pool.array_parts(sort) else { continue };
        if !terms.constants.iter().any(|&t| pool.sort(t) == sort) {
            continue;
        }
        if index_sort == SortId::BOOL {
            for index in [TermId::FALSE, TermId::TRUE] {
                let element = pool.select(from, index);
                pairs.push((from, pool.const_array(sort, element)));
            }
            continue;
        }
        let named = symbols.iter().copied().find(|&t| pool.sort(t) == index_sort);
        let mut index = match (pool.sort_data(index_sort).clone(), named) {
            (Sort::Int, _) => pool.int(0),
            (Sort::Real, _) => pool.real_num(Rational::ZERO),
            (Sort::BitVec(width), _) => pool.bv_num(0.into(), width),
            (_, Some(named)) => named,
            // Where an array differs from itself is some index, nobody knows which.
            (_, None) => pool.array_diff(from, from),
        };
        let mut seen: Vec<TermId> = Vec::new();
        for _ in 0..=n_differences {
            let element = pool.select(from, index);
            let constant = pool.const_array(sort, element);
            pairs.push((from, constant));
            // The next one is neither this element nor at a place that was looked at.
            let rest = seen.iter().fold(from, |array, &index| pool.store(array, index, element));
            seen.push(index);
            index = pool.array_diff(rest, constant);
        }
    }
    pairs
}

/// The equalities `from = to`, `from₁ = to`, … up to the given number of differences.
fn differences(pool: &mut TermPool, from: TermId, to: TermId, n: usize) -> Vec<TermId> {
    let mut equalities = Vec::new();
    let mut array = from;
    for _ in 0..n {
        equalities.push(pool.eq(array, to));
        let index = pool.array_diff(array, to);
        let value = pool.select(to, index);
        array = pool.store(array, index, value);
    }
    equalities.push(pool.eq(array, to));
    equalities
}

/// Instances of the axioms for the terms of the formulas, for each side those over its own vocabulary; what both can
/// state goes to the second. `None` if they are too many.
fn instances(pool: &mut TermPool, formulas: &[TermId], vocabularies: &[FastSet<FunId>; 2]) -> Option<[Vec<TermId>; 2]> {
    let mut found = [Vec::new(), Vec::new()];
    let side_of = |pool: &TermPool, t: TermId| {
        let symbols = pool.free_symbols(t);
        [1, 0].into_iter().find(|&side| symbols.iter().all(|f| vocabularies[side].contains(f)))
    };
    let mut put = |pool: &TermPool, instance: TermId| {
        if instance != TermId::TRUE
            && let Some(side) = side_of(pool, instance)
        {
            found[side].push(instance);
        }
    };
    let ArrayTerms { stores, constants, equalities, mut indices, .. } = ArrayTerms::of(pool, formulas);
    for equality in equalities {
        let (left, right) = (pool.arg(equality, 0), pool.arg(equality, 1));
        let index = pool.array_diff(left, right);
        indices.push(index);
        let (at_left, at_right) = (pool.select_plain(left, index), pool.select_plain(right, index));
        let same = pool.eq(at_left, at_right);
        let different = pool.not(same);
        let instance = pool.or2(equality, different);
        put(pool, instance);
    }
    indices.sort_unstable();
    indices.dedup();
    if (stores.len() + constants.len()) * indices.len() > MAX_INSTANCES {
        return None;
    }
    for &store in &stores {
        let (array, at, value) = (pool.arg(store, 0), pool.arg(store, 1), pool.arg(store, 2));
        let read = pool.select_plain(store, at);
        let instance = pool.eq(read, value);
        put(pool, instance);
        for &index in indices.iter().filter(|&&i| i != at) {
            if pool.sort(index) != pool.sort(at) {
                continue;
            }
            let same_index = pool.eq(at, index);
            let (after, before) = (pool.select_plain(store, index), pool.select_plain(array, index));
            let same_value = pool.eq(after, before);
            let instance = pool.or2(same_index, same_value);
            put(pool, instance);
        }
    }
    for &array in &constants {
        let value = pool.arg(array, 0);
        let index_sort = pool.array_parts(pool.sort(array)).map(|(index, _)| index);
        for &index in &indices {
            if Some(pool.sort(index)) != index_sort {
                continue;
            }
            let read = pool.select_plain(array, index);
            let instance = pool.eq(read, value);
            put(pool, instance);
        }
    }
    Some(found)
}
