//! Eliminating arrays, and rewriting terms so that numbers become linear.
//!
//! * `b = store(a, i, v)` is the same as `select(b, i) = v` and `a = store(b, i, w)` for some `w`: a
//!   stored-to array is solved for, at the price of one fresh element.
//! * `select(store(a, i, v), j)` becomes `ite(i = j, v, select(a, j))`.
//! * An array that is only read is replaced by one fresh element per index, with
//!   equal elements at equal indices (Ackermann). Disequalities of such an array with others over an
//!   infinite index sort constrain nothing.
//! * `ite` in terms is lifted to the atom; `div`, `mod` by a constant and `abs` get their definitions
//!   with fresh quotients.
//!
//! Each step is exact and may add variables, which are then to be eliminated too.

use super::atoms::{atoms_with, mentions};
use crate::rational::Rational;
use crate::sort::SortId;
use crate::term::{Op, TermId, TermPool};
use crate::{FastSet, Substitution};

/// The outcome of a rewriting step: new conjuncts, and variables that came up.
pub(crate) struct Rewritten {
    pub conjuncts: Vec<TermId>,
    pub new_vars: Vec<TermId>,
    /// For each new variable of [`solve_store`], the term over the old array that it equals.
    pub meanings: Vec<TermId>,
}

/// Solves `b = store(… a …)` for the array variable `a`.
pub(crate) fn solve_store(pool: &mut TermPool, conjuncts: &[TermId], a: TermId) -> Option<Rewritten> {
    for (position, &conjunct) in conjuncts.iter().enumerate() {
        if pool.op(conjunct) != Op::Eq || pool.sort(pool.arg(conjunct, 0)) != pool.sort(a) {
            continue;
        }
        let (left, right) = (pool.arg(conjunct, 0), pool.arg(conjunct, 1));
        for (chain, known) in [(left, right), (right, left)] {
            let with = mentions(pool, &[conjunct], a);
            if with.contains(&known) || !with.contains(&chain) {
                continue;
            }
            let mut stores = Vec::new();
            let mut base = chain;
            while pool.op(base) == Op::Store && !with.contains(&pool.arg(base, 1)) {
                stores.push((pool.arg(base, 1), pool.arg(base, 2), pool.arg(base, 0)));
                base = pool.arg(base, 0);
            }
            if base != a {
                continue;
            }
            let mut value = known;
            let mut result: Vec<TermId> = Vec::new();
            let mut new_vars = Vec::new();
            let mut meanings = Vec::new();
            for (index, stored, inner) in stores {
                let read = pool.select(value, index);
                result.push(pool.eq(read, stored));
                let element = pool.fresh_constant("elem", pool.sort(stored));
                new_vars.push(element);
                meanings.push(pool.select(inner, index));
                value = pool.store(value, index, element);
            }
            result.extend(conjuncts.iter().enumerate().filter(|(i, _)| *i != position).map(|(_, &c)| c));
            let mut substitution = Substitution::from_pairs([(a, value)]);
            let conjuncts = result.into_iter().map(|c| substitution.apply(pool, c)).collect();
            return Some(Rewritten { conjuncts, new_vars, meanings });
        }
    }
    None
}

/// Replaces the reads of an array that is only read. `None` if it occurs in another way, or if it
/// is read at more than `max_reads` places.
pub(crate) fn ackermann(pool: &mut TermPool, conjuncts: &[TermId], a: TermId, max_reads: usize) -> Option<Rewritten> {
    let (index_sort, element_sort) = pool.array_parts(pool.sort(a))?;
    let roomy = matches!(index_sort, SortId::INT | SortId::REAL)
        && (element_sort.is_arith() || pool.cardinality(element_sort).is_some_and(|n| n >= 2));
    let mut kept: Vec<TermId> = Vec::new();
    for &conjunct in conjuncts {
        // `a != b`: they differ at one of infinitely many indices that nothing else speaks of.
        if roomy && pool.op(conjunct) == Op::Not {
            let inner = pool.arg(conjunct, 0);
            if pool.op(inner) == Op::Eq
                && let Some(position) = pool.args(inner).iter().position(|&side| side == a)
            {
                let other = pool.arg(inner, 1 - position);
                if !mentions(pool, &[other], a).contains(&other) {
                    continue;
                }
            }
        }
        kept.push(conjunct);
    }
    let mut reads: Vec<(TermId, TermId)> = Vec::new();
    let mut constraints = Vec::new();
    loop {
        let with = mentions(pool, &kept, a);
        let mut next = None;
        let mut only_read = true;
        pool.visit_postorder(&kept, |t| {
            if !with.contains(&t) || t == a {
                return;
            }
            let is_read = pool.op(t) == Op::Select && pool.arg(t, 0) == a;
            if is_read && !with.contains(&pool.arg(t, 1)) && next.is_none() {
                next = Some(t);
            }
            let direct = pool.args(t).iter().skip(usize::from(is_read)).any(|&arg| arg == a);
            only_read &= !direct && !matches!(pool.op(t), Op::Forall(_) | Op::Exists(_));
        });
        if !only_read {
            return None;
        }
        let Some(read) = next else { break };
        if reads.len() >= max_reads {
            return None;
        }
        let index = pool.arg(read, 1);
        let element = pool.fresh_constant("elem", element_sort);
        for &(other, value) in &reads {
            let same_index = pool.eq(index, other);
            let same_value = pool.eq(element, value);
            constraints.push(pool.implies(same_index, same_value));
        }
        reads.push((index, element));
        let mut substitution = Substitution::from_pairs([(read, element)]);
        kept = kept.into_iter().map(|c| substitution.apply(pool, c)).collect();
    }
    kept.append(&mut constraints);
    let new_vars = reads.into_iter().map(|(_, v)| v).collect();
    Some(Rewritten { conjuncts: kept, new_vars, meanings: Vec::new() })
}

/// Makes one kind of term that hides `x` explicit; `None` if there is none.
pub(crate) fn expose(pool: &mut TermPool, conjuncts: &[TermId], x: TermId) -> Option<Rewritten> {
    let with = mentions(pool, conjuncts, x);
    // Inner terms have smaller ids, so the first is innermost.
    let mut hidden: Vec<TermId> = Vec::new();
    let mut quantified: FastSet<TermId> = FastSet::default();
    pool.visit_postorder(conjuncts, |t| {
        let below_quantifier = pool.args(t).iter().any(|a| quantified.contains(a));
        if below_quantifier || pool.is_bound_variable(t) {
            quantified.insert(t);
        }
        if with.contains(&t) && !quantified.contains(&t) && hides(pool, t) {
            hidden.push(t);
        }
    });
    hidden.sort_unstable();
    let mut pairs: Vec<(TermId, TermId)> = Vec::new();
    let mut new_vars = Vec::new();
    let mut definitions = Vec::new();
    let first = *hidden.first()?;
    match pool.op(first) {
        Op::Select => {
            let (store, j) = (pool.arg(first, 0), pool.arg(first, 1));
            let (a, i, v) = (pool.arg(store, 0), pool.arg(store, 1), pool.arg(store, 2));
            let same = pool.eq(i, j);
            let rest = pool.select(a, j);
            pairs.push((first, pool.ite(same, v, rest)));
        }
        Op::Abs => {
            let t = pool.arg(first, 0);
            let sort = pool.sort(t);
            let zero = pool.num(Rational::zero(), sort);
            let positive = pool.ge(t, zero);
            let negated = pool.neg(t);
            pairs.push((first, pool.ite(positive, t, negated)));
        }
        Op::IntDiv | Op::Mod => {
            let (t, divisor) = (pool.arg(first, 0), pool.arg(first, 1));
            let k = pool.number(divisor)?.clone();
            let quotient = pool.fresh_constant("quot", SortId::INT);
            new_vars.push(quotient);
            let product = pool.scale(quotient, &k);
            let remainder = pool.sub(t, product);
            let zero = pool.int(0);
            let last = pool.int_num(&k.abs() - &Rational::one());
            definitions.push(pool.le(zero, remainder));
            definitions.push(pool.le(remainder, last));
            let (as_div, as_mod) = (pool.int_div(t, divisor), pool.modulo(t, divisor));
            for (term, meaning) in [(as_div, quotient), (as_mod, remainder)] {
                if matches!(pool.op(term), Op::IntDiv | Op::Mod) {
                    pairs.push((term, meaning));
                }
            }
            // The constructors may have put the term differently from how it stands here.
            let meaning = if pool.op(first) == Op::IntDiv { quotient } else { remainder };
            pairs.retain(|(term, _)| *term != first);
            pairs.push((first, meaning));
        }
        Op::Ite => {
            // Lift to every atom that holds it.
            let (c, a, b) = (pool.arg(first, 0), pool.arg(first, 1), pool.arg(first, 2));
            let holding = mentions(pool, conjuncts, first);
            let mut atoms: Vec<TermId> = Vec::new();
            for &conjunct in conjuncts {
                atoms.extend(atoms_with(pool, conjunct, &holding).into_iter().map(|(atom, _, _)| atom));
            }
            atoms.sort_unstable();
            atoms.dedup();
            for atom in atoms {
                let then = pool.substitute(atom, &[(first, a)]);
                let otherwise = pool.substitute(atom, &[(first, b)]);
                pairs.push((atom, pool.ite(c, then, otherwise)));
            }
        }
        _ => return None,
    }
    let mut substitution = Substitution::from_pairs(pairs);
    let mut rewritten: Vec<TermId> = conjuncts.iter().map(|&c| substitution.apply(pool, c)).collect();
    rewritten.extend(definitions);
    Some(Rewritten { conjuncts: rewritten, new_vars, meanings: Vec::new() })
}

fn hides(pool: &TermPool, t: TermId) -> bool {
    match pool.op(t) {
        Op::Select => pool.op(pool.arg(t, 0)) == Op::Store,
        Op::Abs => true,
        Op::IntDiv | Op::Mod => pool.number(pool.arg(t, 1)).is_some_and(|k| !k.is_zero()),
        Op::Ite => !pool.is_bool(t),
        _ => false,
    }
}

/// Those variables that occur in some formulas.
pub(crate) fn occurring(pool: &TermPool, formulas: &[TermId], vars: &[TermId]) -> Vec<TermId> {
    let wanted: FastSet<TermId> = vars.iter().copied().collect();
    let mut found: FastSet<TermId> = FastSet::default();
    pool.visit_postorder(formulas, |t| {
        if wanted.contains(&t) {
            found.insert(t);
        }
    });
    let mut seen = FastSet::default();
    vars.iter().copied().filter(|v| found.contains(v) && seen.insert(*v)).collect()
}
