//! Equalities that every branch of a disjunction implies.
//!
//! `(x = y ∧ y = z) ∨ (x = w ∧ w = z)` implies `x = z`, but no clause says so, and without that atom a chain of `n`
//! such diamonds has only refutations of exponential size. Making the equality an atom is enough: decided false first,
//! each branch clashes with it, and it is learnt as a fact. Nothing is added to the meaning of the formula.

use logic::{FastMap, Op, SortId, TermId, TermPool};

/// Disjunctions with more equations than this are left alone.
const MAX_EQUATIONS: usize = 64;

/// Equality atoms implied by all branches of a disjunctive conjunct of the formula, over uninterpreted sorts and
/// arrays, that are not among its own atoms.
pub(crate) fn implied_equalities(pool: &mut TermPool, formula: TermId) -> Vec<TermId> {
    let mut found = Vec::new();
    for conjunct in pool.conjuncts(formula) {
        if pool.op(conjunct) == Op::Or {
            common_equalities(pool, conjunct, &mut found);
        }
    }
    found
}

fn common_equalities(pool: &mut TermPool, disjunction: TermId, found: &mut Vec<TermId>) {
    let mut branches: Vec<Vec<TermId>> = Vec::new();
    for &branch in pool.args(disjunction) {
        let equations: Vec<TermId> =
            pool.conjuncts(branch).into_iter().filter(|&t| pool.op(t) == Op::Eq && is_plain(pool, t)).collect();
        if equations.len() < 2 {
            // A branch with one equation implies nothing that is no atom.
            return;
        }
        branches.push(equations);
    }
    if branches.iter().map(Vec::len).sum::<usize>() > MAX_EQUATIONS {
        return;
    }
    // A term's class in each branch; terms with the same classes everywhere are equal everywhere.
    let mut classes: FastMap<TermId, Vec<TermId>> = FastMap::default();
    let mut terms: Vec<TermId> = branches.iter().flatten().flat_map(|&e| pool.args(e).to_vec()).collect();
    terms.sort_unstable();
    terms.dedup();
    for equations in &branches {
        let mut representative: FastMap<TermId, TermId> = FastMap::default();
        let find = |map: &FastMap<TermId, TermId>, mut t: TermId| {
            while let Some(&up) = map.get(&t) {
                t = up;
            }
            t
        };
        for &e in equations {
            let (a, b) = (find(&representative, pool.arg(e, 0)), find(&representative, pool.arg(e, 1)));
            if a != b {
                representative.insert(a, b);
            }
        }
        for &t in &terms {
            classes.entry(t).or_default().push(find(&representative, t));
        }
    }
    let mut first_of: FastMap<&[TermId], TermId> = FastMap::default();
    for &t in &terms {
        match first_of.get(classes[&t].as_slice()) {
            None => {
                first_of.insert(&classes[&t], t);
            }
            Some(&other) => {
                let eq = pool.eq(other, t);
                if pool.op(eq) == Op::Eq && !branches.iter().any(|b| b.contains(&eq)) {
                    found.push(eq);
                }
            }
        }
    }
}

fn is_plain(pool: &TermPool, equation: TermId) -> bool {
    let sort = pool.sort(pool.arg(equation, 0));
    !sort.is_arith() && sort != SortId::BOOL && pool.bitvec_width(sort).is_none()
}
