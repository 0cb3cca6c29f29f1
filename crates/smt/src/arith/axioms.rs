//! Defining axioms of the arithmetic operators that the simplex does not know.
//!
//! `x div k`, `x mod k`, `|x|`, `to_int(r)` and `is_int(r)` are columns (or atoms) of their own; what ties them to
//! their arguments are a few valid clauses per term, added when the term is first met. They are instances of a fixed
//! scheme, so a proof checker recomputes them and compares. For a divisor that is no constant the clauses are guarded
//! by `divisor = 0` and contain products, which the non-linear part takes care of. Division by zero stays an
//! uninterpreted function of the dividend: there is no axiom for it.
//!
//! Conditionals are defined elsewhere; here they get bounds that hold in both branches, where these are plain to see:
//! a maximum is at least both of its arguments, and what is incremented under a condition is not decreased. They follow
//! from the definition by two cases, but a chain of `n` maxima has `2ⁿ` of those.

use crate::linear_literal::{LinearLiteral, Relation, linear_form, linear_literal};
use logic::{Linear, Op, Rational, SortId, TermId, TermPool};

/// The defining clauses of a term, each a list of literals (atoms or negated atoms). Empty for terms that need none.
/// Valid clauses in which a literal is trivially true are left out, trivially false literals are dropped.
pub fn axioms(pool: &mut TermPool, term: TermId) -> Vec<Vec<TermId>> {
    let clauses = match (pool.op(term), pool.args(term)) {
        (Op::IntDiv, &[a, b]) => division(pool, term, a, b),
        (Op::Mod, &[a, b]) => remainder(pool, term, a, b),
        (Op::RealDiv, &[a, b]) => real_division(pool, term, a, b),
        (Op::Abs, &[a]) => absolute_value(pool, term, a),
        (Op::ToInt, &[a]) => floor(pool, term, a),
        (Op::IsInt, &[a]) => integrality(pool, term, a),
        (Op::Ite, &[c, a, b]) if pool.sort(term).is_arith() => bounds_of_conditional(pool, term, c, a, b),
        _ => Vec::new(),
    };
    clauses.into_iter().filter_map(simplified).collect()
}

/// Whether [`axioms`] defines terms with this head.
pub fn has_axioms(op: Op) -> bool {
    matches!(op, Op::IntDiv | Op::Mod | Op::RealDiv | Op::Abs | Op::ToInt | Op::IsInt)
}

fn simplified(mut clause: Vec<TermId>) -> Option<Vec<TermId>> {
    if clause.contains(&TermId::TRUE) {
        return None;
    }
    clause.retain(|lit| *lit != TermId::FALSE);
    Some(clause)
}

/// `b = 0 ∨ b·q ≤ a` and `b = 0 ∨ a − b·q < |b|`.
fn division(pool: &mut TermPool, quotient: TermId, a: TermId, b: TermId) -> Vec<Vec<TermId>> {
    let product = pool.mul(&[b, quotient]);
    let rest = pool.sub(a, product);
    remainder_range(pool, rest, b)
}

/// `b = 0 ∨ r = a − b·(a div b)`, and the range of `r`.
fn remainder(pool: &mut TermPool, remainder: TermId, a: TermId, b: TermId) -> Vec<Vec<TermId>> {
    if pool.number(b).is_some_and(Rational::is_zero) {
        return Vec::new();
    }
    let quotient = pool.int_div(a, b);
    let product = pool.mul(&[b, quotient]);
    let rest = pool.sub(a, product);
    let equal = pool.eq(remainder, rest);
    let zero = pool.int(0);
    let by_zero = pool.eq(b, zero);
    let mut clauses = remainder_range(pool, remainder, b);
    clauses.push(vec![by_zero, equal]);
    clauses
}

/// `b = 0 ∨ 0 ≤ rest < |b|`.
fn remainder_range(pool: &mut TermPool, rest: TermId, b: TermId) -> Vec<Vec<TermId>> {
    let zero = pool.int(0);
    if let Some(divisor) = pool.number(b).cloned() {
        if divisor.is_zero() {
            return Vec::new();
        }
        let size = pool.int_num(divisor.abs());
        return vec![vec![pool.ge(rest, zero)], vec![pool.lt(rest, size)]];
    }
    let by_zero = pool.eq(b, zero);
    let not_negative = pool.ge(rest, zero);
    let minus_b = pool.sub(zero, b);
    let (b_positive, b_negative) = (pool.gt(b, zero), pool.lt(b, zero));
    let (not_positive, not_below) = (pool.not(b_positive), pool.not(b_negative));
    let (below_b, below_minus_b) = (pool.lt(rest, b), pool.lt(rest, minus_b));
    vec![vec![by_zero, not_negative], vec![not_positive, below_b], vec![not_below, below_minus_b]]
}

/// `b = 0 ∨ b·q = a`.
fn real_division(pool: &mut TermPool, quotient: TermId, a: TermId, b: TermId) -> Vec<Vec<TermId>> {
    let zero = pool.real_num(Rational::ZERO);
    let by_zero = pool.eq(b, zero);
    let product = pool.mul(&[b, quotient]);
    let equal = pool.eq(product, a);
    vec![vec![by_zero, equal]]
}

/// `a < 0 ∨ |a| = a`, `a ≥ 0 ∨ |a| = −a`, `|a| ≥ 0`, and as a maximum `|a| ≥ a`, `|a| ≥ −a`.
fn absolute_value(pool: &mut TermPool, absolute: TermId, a: TermId) -> Vec<Vec<TermId>> {
    let sort = pool.sort(a);
    let zero = pool.num(Rational::ZERO, sort);
    let negative = pool.lt(a, zero);
    let not_negative = pool.not(negative);
    let minus_a = pool.sub(zero, a);
    let (same, opposite) = (pool.eq(absolute, a), pool.eq(absolute, minus_a));
    let at_least = [zero, a, minus_a].map(|bound| vec![pool.ge(absolute, bound)]);
    [vec![negative, same], vec![not_negative, opposite]].into_iter().chain(at_least).collect()
}

/// For `ite(c, a, b)`: both arguments as lower bounds if it is their maximum, as upper bounds if it is their minimum;
/// if they differ by a constant, the smaller one as lower and the larger one as upper bound.
fn bounds_of_conditional(
    pool: &mut TermPool,
    term: TermId,
    condition: TermId,
    a: TermId,
    b: TermId,
) -> Vec<Vec<TermId>> {
    let mut difference = linear_form(pool, a);
    difference.add_scaled(&linear_form(pool, b), &Rational::MINUS_ONE);
    if difference.is_constant() {
        let (low, high) = if difference.constant.is_negative() { (a, b) } else { (b, a) };
        return vec![vec![pool.ge(term, low)], vec![pool.le(term, high)]];
    }
    let (atom, positive) =
        if pool.op(condition) == Op::Not { (pool.arg(condition, 0), false) } else { (condition, true) };
    let (Some(then), Some(otherwise)) = (linear_literal(pool, atom, positive), linear_literal(pool, atom, !positive))
    else {
        return Vec::new();
    };
    let mut opposite = difference.clone();
    opposite.scale(&Rational::MINUS_ONE);
    let is_int = pool.sort(term) == SortId::INT;
    if makes_nonnegative(&then, &difference, is_int) && makes_nonnegative(&otherwise, &opposite, is_int) {
        vec![vec![pool.ge(term, a)], vec![pool.ge(term, b)]]
    } else if makes_nonnegative(&then, &opposite, is_int) && makes_nonnegative(&otherwise, &difference, is_int) {
        vec![vec![pool.le(term, a)], vec![pool.le(term, b)]]
    } else {
        Vec::new()
    }
}

/// Does the constraint imply `form ≥ 0` because it is `form ≥ c` for some `c ≥ 0` (over the integers `c > −1`), up to a
/// factor?
fn makes_nonnegative(constraint: &LinearLiteral, form: &Linear, is_int: bool) -> bool {
    let Some((base, coefficient)) = form.terms.first() else { return false };
    let Some(other) = constraint.linear.coefficient(*base) else { return false };
    let factor = -(other / coefficient);
    if constraint.relation == Relation::Equal || !factor.is_positive() {
        return false;
    }
    // The constraint says `rest − factor·form ≤ 0`.
    let mut rest = constraint.linear.clone();
    rest.add_scaled(form, &factor);
    let least = &rest.constant / &factor;
    rest.is_constant() && (!least.is_negative() || is_int && least > Rational::MINUS_ONE)
}

/// `to_int(a) ≤ a < to_int(a) + 1`.
fn floor(pool: &mut TermPool, integer: TermId, a: TermId) -> Vec<Vec<TermId>> {
    debug_assert_eq!(pool.sort(integer), SortId::INT);
    let real = pool.to_real(integer);
    let one = pool.real_num(Rational::ONE);
    let next = pool.add(&[real, one]);
    vec![vec![pool.le(real, a)], vec![pool.lt(a, next)]]
}

/// `is_int(a) ⇔ a = to_int(a)`.
fn integrality(pool: &mut TermPool, atom: TermId, a: TermId) -> Vec<Vec<TermId>> {
    let integer = pool.to_int(a);
    let real = pool.to_real(integer);
    let equal = pool.eq(a, real);
    let (not_atom, not_equal) = (pool.not(atom), pool.not(equal));
    vec![vec![not_atom, equal], vec![atom, not_equal]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::{Model, Value};

    /// Every axiom is true for all small values of its variables.
    #[test]
    fn axioms_are_valid() {
        let mut pool = TermPool::new();
        let (x, y) = (pool.constant("x", SortId::INT), pool.constant("y", SortId::INT));
        let (r, s) = (pool.constant("r", SortId::REAL), pool.constant("s", SortId::REAL));
        let two_x = pool.scale(x, &Rational::from(2));
        let sum = pool.add(&[two_x, y]);
        let mut terms = vec![pool.int_div(x, y), pool.modulo(x, y), pool.abs(x), pool.abs(r), pool.abs(sum)];
        terms.extend([pool.to_int(r), pool.is_int(r), pool.real_div(r, s)]);
        for divisor in [-4, -3, -1, 1, 2, 5] {
            let divisor = pool.int(divisor);
            terms.extend([pool.int_div(sum, divisor), pool.modulo(sum, divisor), pool.modulo(x, divisor)]);
        }
        for (left, right) in [(x, y), (sum, x), (r, s)] {
            let zero = pool.num(Rational::ZERO, pool.sort(left));
            let difference = pool.sub(left, right);
            let conditions = [
                pool.lt(left, right),
                pool.ge(left, right),
                pool.le(difference, zero),
                pool.gt(difference, zero),
                pool.eq(left, right),
                pool.lt(left, zero),
            ];
            for condition in conditions {
                let minus = pool.sub(zero, left);
                let shifted = pool.sub(left, difference);
                for (a, b) in [(left, right), (right, left), (left, minus), (minus, left), (shifted, left)] {
                    terms.push(pool.ite(condition, a, b));
                }
            }
            let one = pool.num(Rational::ONE, pool.sort(left));
            let more = pool.add(&[left, one]);
            let test = pool.lt(right, zero);
            terms.extend([pool.ite(test, more, left), pool.ite(test, left, more)]);
        }
        let symbols = [x, y, r, s].map(|t| pool.as_symbol(t).unwrap());
        let mut n_clauses = 0;
        for term in terms {
            for clause in axioms(&mut pool, term) {
                n_clauses += 1;
                for a in -4..=4 {
                    for b in -4..=4 {
                        let mut model = Model::new();
                        model.set(symbols[0], Value::int(a));
                        model.set(symbols[1], Value::int(b));
                        model.set(symbols[2], Value::Num(Rational::ratio(a, 2)));
                        model.set(symbols[3], Value::Num(Rational::ratio(b, 3)));
                        assert!(clause.iter().any(|&lit| model.holds(&pool, lit).unwrap()), "{a} {b} {clause:?}");
                    }
                }
            }
        }
        assert!(n_clauses > 90, "{n_clauses}");
    }
}
