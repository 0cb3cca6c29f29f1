//! Arithmetic literals as linear constraints, for code that reads refutations.
//!
//! `Le`, `Lt` and `Eq` atoms, positive or negative, become `Σ cᵢ·tᵢ + c  (≤, <, =)  0`. Over the
//! integers strict constraints are made weak. `to_real(t)` counts as `t`, since the solver keeps
//! one variable for both. A disequality is no linear constraint.

use logic::{Linear, Op, Rational, SortId, TermId, TermPool};

/// How a linear expression compares with zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    AtMost,
    Below,
    Equal,
}

/// A linear expression and how it compares with zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinearLiteral {
    pub linear: Linear,
    pub relation: Relation,
}

/// The linear form of a term with `to_real` looked through.
pub fn linear_form(pool: &TermPool, term: TermId) -> Linear {
    let outer = pool.linear(term);
    if outer.terms.iter().all(|(t, _)| pool.op(*t) != Op::ToReal) {
        return outer;
    }
    let mut result = Linear::constant(outer.constant.clone());
    for (t, c) in &outer.terms {
        if pool.op(*t) == Op::ToReal {
            result.add_scaled(&pool.linear(pool.arg(*t, 0)), c);
        } else {
            result.add_term(*t, c);
        }
    }
    result
}

/// The constraint of an arithmetic literal; `None` for disequalities and other atoms.
pub fn linear_literal(pool: &TermPool, atom: TermId, positive: bool) -> Option<LinearLiteral> {
    let (relation, strict) = match pool.op(atom) {
        Op::Le => (Relation::AtMost, false),
        Op::Lt => (Relation::Below, true),
        Op::Eq if pool.sort(pool.arg(atom, 0)).is_arith() && positive => (Relation::Equal, false),
        _ => return None,
    };
    let mut linear = linear_form(pool, pool.arg(atom, 0));
    linear.add_scaled(&linear_form(pool, pool.arg(atom, 1)), &Rational::from(-1));
    if relation == Relation::Equal {
        return Some(LinearLiteral { linear, relation });
    }
    let mut strict = strict;
    if !positive {
        linear.scale(&Rational::from(-1));
        strict = !strict;
    }
    let over_integers = pool.sort(pool.arg(atom, 0)) == SortId::INT;
    if strict && over_integers && linear.terms.iter().all(|(_, c)| c.is_integer()) && linear.constant.is_integer() {
        linear.constant = &linear.constant + &Rational::one();
        strict = false;
    }
    Some(LinearLiteral { linear, relation: if strict { Relation::Below } else { Relation::AtMost } })
}

/// Does a term of a linear form take integer values only?
pub fn is_integral(pool: &TermPool, term: TermId) -> bool {
    pool.sort(term) == SortId::INT
}

/// The term of a linear form made by [`linear_form`], and its sort: Int if all terms are Int and
/// all numbers integers, Real otherwise with `to_real` put back.
pub fn form_term(pool: &mut TermPool, linear: &Linear) -> (TermId, SortId) {
    let integral =
        linear.terms.iter().all(|(t, c)| is_integral(pool, *t) && c.is_integer()) && linear.constant.is_integer();
    if integral {
        return (pool.linear_term(linear, SortId::INT), SortId::INT);
    }
    let real = real_form(pool, linear);
    (pool.linear_term(&real, SortId::REAL), SortId::REAL)
}

fn real_form(pool: &mut TermPool, linear: &Linear) -> Linear {
    let mut real = Linear::constant(linear.constant.clone());
    for (t, c) in &linear.terms {
        let t = if is_integral(pool, *t) { pool.to_real(*t) } else { *t };
        real.add_term(t, c);
    }
    real
}

/// The atom `linear ≤ 0` or `linear < 0`, rounded if all terms are integers.
pub fn form_atom(pool: &mut TermPool, linear: &Linear, strict: bool) -> TermId {
    if linear.terms.iter().all(|(t, _)| is_integral(pool, *t)) {
        return pool.linear_le(linear.clone(), strict, SortId::INT);
    }
    let real = real_form(pool, linear);
    pool.linear_le(real, strict, SortId::REAL)
}

/// The atom `linear = 0`.
pub fn form_equality(pool: &mut TermPool, linear: &Linear) -> TermId {
    let mut scaled = linear.clone();
    scaled.make_primitive();
    if scaled.is_constant() {
        return pool.bool(scaled.constant.is_zero());
    }
    let integral = scaled.terms.iter().all(|(t, _)| is_integral(pool, *t));
    if integral && !scaled.constant.is_integer() {
        return TermId::FALSE;
    }
    let (term, sort) = form_term(pool, &scaled);
    let zero = pool.num(Rational::zero(), sort);
    pool.eq(term, zero)
}
