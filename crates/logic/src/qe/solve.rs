//! Destructive equality resolution: a conjunct that forces `x = t`, with `t` free of `x`, lets `x`
//! be replaced by `t` everywhere.
//!
//! Equations are solved linearly (over the integers only for coefficients one and minus one; see
//! `arith` for the others), through the invertible bit-vector operators, and a value stored in a
//! known array is read back. All of it is exact.

use super::atoms::{Relation, mentions, view};
use crate::FastSet;
use crate::linear::Linear;
use crate::rational::Rational;
use crate::sort::SortId;
use crate::term::{Op, TermId, TermPool};

/// A variable of `vars` and the value that a conjunct forces upon it.
pub(crate) fn forced_value(pool: &mut TermPool, conjunct: TermId, vars: &FastSet<TermId>) -> Option<(TermId, TermId)> {
    if vars.contains(&conjunct) {
        return Some((conjunct, TermId::TRUE));
    }
    match pool.op(conjunct) {
        Op::Not => {
            let inner = pool.arg(conjunct, 0);
            if vars.contains(&inner) {
                return Some((inner, TermId::FALSE));
            }
            if pool.op(inner) == Op::Eq && pool.is_bool(pool.arg(inner, 0)) {
                let (x, t) = solved_side(pool, inner, vars)?;
                return Some((x, pool.not(t)));
            }
            None
        }
        Op::Eq if pool.sort(pool.arg(conjunct, 0)).is_arith() => {
            linear_solution(pool, conjunct, vars).or_else(|| read_back(pool, conjunct, vars))
        }
        Op::Eq => solved_side(pool, conjunct, vars)
            .or_else(|| read_back(pool, conjunct, vars))
            .or_else(|| inverted(pool, conjunct, vars)),
        _ => None,
    }
}

/// `x = t` as it stands.
fn solved_side(pool: &TermPool, equation: TermId, vars: &FastSet<TermId>) -> Option<(TermId, TermId)> {
    let (a, b) = (pool.arg(equation, 0), pool.arg(equation, 1));
    [(a, b), (b, a)].into_iter().find(|&(x, t)| vars.contains(&x) && !mentions(pool, &[t], x).contains(&t))
}

fn linear_solution(pool: &mut TermPool, equation: TermId, vars: &FastSet<TermId>) -> Option<(TermId, TermId)> {
    let sort = pool.sort(pool.arg(equation, 0));
    let mut linear = pool.linear(pool.arg(equation, 0));
    linear.add_scaled(&pool.linear(pool.arg(equation, 1)), &Rational::from(-1));
    for (x, c) in &linear.terms {
        if !vars.contains(x) || (sort == SortId::INT && !c.abs().is_one()) {
            continue;
        }
        let with = mentions(pool, &[equation], *x);
        if let Some(v) = view(pool, equation, *x, &with)
            && v.relation == Relation::Eq
        {
            return Some((*x, pool.linear_term(&v.boundary(), sort)));
        }
    }
    None
}

/// An equation `c * x + rest = 0` over the integers with a coefficient other than one.
pub(crate) fn scaled_equation(
    pool: &TermPool,
    conjunct: TermId,
    vars: &FastSet<TermId>,
) -> Option<(TermId, Linear, Rational)> {
    if pool.op(conjunct) != Op::Eq || pool.sort(pool.arg(conjunct, 0)) != SortId::INT {
        return None;
    }
    let mut linear = pool.linear(pool.arg(conjunct, 0));
    linear.add_scaled(&pool.linear(pool.arg(conjunct, 1)), &Rational::from(-1));
    let mut best: Option<(TermId, Linear, Rational)> = None;
    for (x, c) in &linear.terms {
        if !vars.contains(x) || best.as_ref().is_some_and(|(_, _, d)| *d <= c.abs()) {
            continue;
        }
        let with = mentions(pool, &[conjunct], *x);
        if let Some(v) = view(pool, conjunct, *x, &with)
            && v.relation == Relation::Eq
        {
            let mut numerator = v.rest.clone();
            numerator.scale(&Rational::from(if c.is_positive() { -1 } else { 1 }));
            best = Some((*x, numerator, c.abs()));
        }
    }
    best
}

/// `store(a, i, x) = b` forces `x = select(b, i)`.
fn read_back(pool: &mut TermPool, equation: TermId, vars: &FastSet<TermId>) -> Option<(TermId, TermId)> {
    let (a, b) = (pool.arg(equation, 0), pool.arg(equation, 1));
    for (stored, known) in [(a, b), (b, a)] {
        if pool.op(stored) != Op::Store {
            continue;
        }
        let (index, x) = (pool.arg(stored, 1), pool.arg(stored, 2));
        if vars.contains(&x) {
            let with = mentions(pool, &[known, index], x);
            if !with.contains(&known) && !with.contains(&index) {
                return Some((x, pool.select(known, index)));
            }
        }
    }
    None
}

/// Undoes bit-vector operators around `x`, from the outside in.
fn inverted(pool: &mut TermPool, equation: TermId, vars: &FastSet<TermId>) -> Option<(TermId, TermId)> {
    pool.bitvec_width(pool.sort(pool.arg(equation, 0)))?;
    let (a, b) = (pool.arg(equation, 0), pool.arg(equation, 1));
    for (side, other) in [(a, b), (b, a)] {
        let mut inside = Vec::new();
        pool.visit_postorder(&[side], |t| {
            if vars.contains(&t) {
                inside.push(t);
            }
        });
        for x in inside {
            let with = mentions(pool, &[side, other], x);
            if with.contains(&other) {
                continue;
            }
            if let Some(t) = invert(pool, side, other, x, &with) {
                return Some((x, t));
            }
        }
    }
    None
}

fn invert(pool: &mut TermPool, side: TermId, other: TermId, x: TermId, with: &FastSet<TermId>) -> Option<TermId> {
    let (mut side, mut other) = (side, other);
    while side != x {
        let op = pool.op(side);
        match *pool.args(side) {
            [inner] if matches!(op, Op::BvNot | Op::BvNeg) => {
                other = pool.bv(op, &[other]);
                side = inner;
            }
            [a, b] if with.contains(&a) != with.contains(&b) => {
                let (inner, rest) = if with.contains(&a) { (a, b) } else { (b, a) };
                other = match op {
                    Op::BvAdd => pool.bv(Op::BvSub, &[other, rest]),
                    Op::BvXor => pool.bv(Op::BvXor, &[other, rest]),
                    Op::BvSub if inner == a => pool.bv(Op::BvAdd, &[other, rest]),
                    Op::BvSub => pool.bv(Op::BvSub, &[rest, other]),
                    _ => return None,
                };
                side = inner;
            }
            _ => return None,
        }
    }
    Some(other)
}
