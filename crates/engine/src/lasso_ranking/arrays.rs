//! Arrays as cells.
//!
//! Equations that define a copy of a variable (`b = store(a, i, v)`, `i = j + 1`) are substituted, reads over writes
//! become `ite`s over equations of indices, and two reads of one array at indices that may be equal are tied together
//! (Ackermann). The remaining array terms are reads at the start, each of which can be treated as a number of its own:
//! a *cell*. This keeps the meaning, up to further equations between arrays, which stay and say nothing to the linear
//! part.

use logic::{FastMap, Op, Rational, Substitution, TermId, TermPool};

/// At most this many pairs of reads are tied together.
const MAX_PAIRS: usize = 10;
/// How deep chains of writes are followed.
const MAX_DEPTH: usize = 100;

/// The formulas without writes; and the reads that are left.
pub fn without_arrays(pool: &mut TermPool, formulas: &[TermId]) -> (Vec<TermId>, Vec<TermId>) {
    let has_arrays = formulas.iter().any(|f| {
        let mut found = false;
        pool.visit_postorder(&[*f], |t| found |= pool.array_parts(pool.sort(t)).is_some());
        found
    });
    if !has_arrays {
        return (formulas.to_vec(), Vec::new());
    }
    let mut conjuncts: Vec<TermId> = formulas.iter().flat_map(|f| pool.conjuncts(*f)).collect();
    // Later equations may define what earlier ones use; substitute until nothing is left to define.
    loop {
        let found = (0..conjuncts.len()).find_map(|i| Some((i, definition(pool, conjuncts[i])?)));
        let Some((i, (copy, value))) = found else { break };
        conjuncts.remove(i);
        let mut substitution = Substitution::from_pairs([(copy, value)]);
        conjuncts = conjuncts
            .iter()
            .flat_map(|c| {
                let t = substitution.apply(pool, *c);
                pool.conjuncts(t)
            })
            .collect();
    }
    let mut memo = FastMap::default();
    let mut result: Vec<TermId> = conjuncts.iter().map(|c| push_reads(pool, *c, &mut memo)).collect();
    let mut reads: Vec<TermId> = Vec::new();
    pool.visit_postorder(&result, |t| {
        if pool.op(t) == Op::Select {
            reads.push(t);
        }
    });
    let mut n_pairs = 0;
    for (i, &a) in reads.iter().enumerate() {
        for &b in &reads[i + 1..] {
            if pool.arg(a, 0) != pool.arg(b, 0) || n_pairs == MAX_PAIRS || pool.array_parts(pool.sort(a)).is_some() {
                continue;
            }
            let same_index = pool.eq(pool.arg(a, 1), pool.arg(b, 1));
            if same_index != TermId::FALSE {
                n_pairs += 1;
                let same_value = pool.eq(a, b);
                result.push(pool.implies(same_index, same_value));
            }
        }
    }
    (result, reads)
}

/// Reads an equation as a definition of a copy that an assignment made. Numbers are defined too, so that indices are
/// terms over the variables at the start.
fn definition(pool: &mut TermPool, formula: TermId) -> Option<(TermId, TermId)> {
    if pool.op(formula) != Op::Eq {
        return None;
    }
    let (a, b) = (pool.arg(formula, 0), pool.arg(formula, 1));
    let is_copy = |pool: &TermPool, t: TermId| pool.as_symbol(t).is_some_and(|f| pool.fun(f).instance_of.is_some());
    if pool.sort(a).is_arith() {
        let difference = pool.sub(a, b);
        let mut rest = pool.linear(difference);
        let unit = |c: &Rational| c.is_one() || c.is_minus_one();
        let (copy, factor) = rest.terms.iter().rev().find(|(t, c)| unit(c) && is_copy(pool, *t)).cloned()?;
        rest.add_term(copy, &-&factor);
        rest.scale(&-factor);
        let value = pool.linear_term(&rest, pool.sort(copy));
        return (!pool.free_constants(value).contains(&copy)).then_some((copy, value));
    }
    pool.array_parts(pool.sort(a))?;
    let defines = |x: TermId, t: TermId| is_copy(pool, x) && !pool.free_constants(t).contains(&x);
    if defines(a, b) {
        Some((a, b))
    } else if defines(b, a) {
        Some((b, a))
    } else {
        None
    }
}

/// Rewrites reads over writes, bottom up.
fn push_reads(pool: &mut TermPool, root: TermId, memo: &mut FastMap<TermId, TermId>) -> TermId {
    let mut order = Vec::new();
    pool.visit_postorder(&[root], |t| order.push(t));
    for t in order {
        if memo.contains_key(&t) {
            continue;
        }
        let args: Vec<TermId> = pool.args(t).iter().map(|a| memo.get(a).copied().unwrap_or(*a)).collect();
        let new = match pool.op(t) {
            Op::Select => read(pool, args[0], args[1], MAX_DEPTH),
            Op::Forall(_) | Op::Exists(_) => t,
            _ if args.is_empty() => t,
            _ => pool.rebuild(t, &args),
        };
        memo.insert(t, new);
    }
    memo.get(&root).copied().unwrap_or(root)
}

fn read(pool: &mut TermPool, array: TermId, index: TermId, depth: usize) -> TermId {
    let args: Vec<TermId> = pool.args(array).to_vec();
    match pool.op(array) {
        _ if depth == 0 => pool.select(array, index),
        Op::Store => {
            let here = pool.eq(args[1], index);
            match here {
                TermId::TRUE => args[2],
                TermId::FALSE => read(pool, args[0], index, depth - 1),
                _ => {
                    let elsewhere = read(pool, args[0], index, depth - 1);
                    pool.ite(here, args[2], elsewhere)
                }
            }
        }
        Op::Ite => {
            let (then, otherwise) = (read(pool, args[1], index, depth - 1), read(pool, args[2], index, depth - 1));
            pool.ite(args[0], then, otherwise)
        }
        _ => pool.select(array, index),
    }
}
