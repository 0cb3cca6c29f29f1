//! Products of variables, by incremental linearisation.
//!
//! A product is a column of its own. When a linear model gives it another value than its factors have, clauses are
//! added that are valid for all products and false in this model (Cimatti, Griggio, Irfan, Roveri and Sebastiani,
//! *Incremental Linearization*, TOCL 2018): the rules of signs and zero, monotonicity over the integers, and tangent
//! planes at the model's point and at the corners of the factors' bounds. Equations that hold are multiplied by what
//! their variables are multiplied by elsewhere: from `i = n + 1` and the product `i·i` comes `i·i = n·i + i`, and so on
//! until nothing is new (no product gets a higher degree than the problem has); sums of powers are proved that way. If
//! a few rounds of those do not settle it, coverings decide (`algebraic`), and where they fail a factor is fixed at its
//! present value by a decision, which makes the product linear; over bounded integers this enumeration is complete.
//! Where rounds run out the answer is *unknown*. Products of more than two factors are taken apart from the left; a
//! non-constant divisor gets here through the axioms of division.
//!
//! Every other clause is one of [`facts`] at some point `(a, b)`. The proof carries only the product: [`is_fact`] finds
//! the point among the constants of the clause, so a checker has nothing to search for.

use base::Stop;
use logic::{Linear, Op, Rational, SortId, TermId, TermPool};

use super::simplex::LinVar;
use super::theory::{Arith, Origin};
use crate::proof::Evidence;
use crate::sat::types::LBool;
use crate::theory::{Context, FinalCheck, TheoryLemma};

/// Rounds with tangent planes before factors are fixed, and before coverings decide if all products are real.
const TANGENT_ROUNDS: u32 = 8;
const REAL_TANGENT_ROUNDS: u32 = 3;
/// Points with longer coordinates get no tangents.
const MAX_TANGENT_BITS: usize = 128;
/// Equations with more summands are not multiplied.
const MAX_SUMMANDS: usize = 6;
/// At most so many equations are multiplied in a scope.
const MAX_MULTIPLIED: usize = 96;
/// Products of integers are put to coverings every so many rounds.
const COVERING_INTERVAL: u32 = 16;
/// Rounds in all before giving up.
const MAX_ROUNDS: u32 = 400;

/// The two factors of a product that is no multiple of a constant.
pub(super) fn factors(pool: &mut TermPool, product: TermId) -> Option<(TermId, TermId)> {
    if !is_product(pool, product) {
        return None;
    }
    let args = pool.args(product).to_vec();
    let (first, rest) = args.split_first()?;
    let rest = if let [second] = rest { *second } else { pool.mul(rest) };
    Some((*first, rest))
}

pub(super) fn is_product(pool: &TermPool, term: TermId) -> bool {
    pool.op(term) == Op::Mul && pool.args(term).iter().all(|arg| pool.number(*arg).is_none())
}

/// Valid clauses about `product = x · y`, as lists of literals: those that hold anyway, then those about `(a, b)`.
pub fn facts(pool: &mut TermPool, product: TermId, point: &(Rational, Rational)) -> Vec<Vec<TermId>> {
    let Some((x, y)) = factors(pool, product) else { return Vec::new() };
    let mut clauses = sign_facts(pool, product, x, y);
    clauses.extend(point_facts(pool, product, x, y, point));
    clauses.push(line_fact(pool, product, x, y, &point.0));
    clauses.push(line_fact(pool, product, y, x, &point.1));
    clauses
}

/// Whether the clause is one of [`facts`] of the product, for a point that its literals mention.
pub fn is_fact(pool: &mut TermPool, product: TermId, clause: &[TermId]) -> bool {
    let mut sorted = clause.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let Some((x, y)) = factors(pool, product) else { return false };
    let mut first = coordinates(pool, clause, x);
    let second = coordinates(pool, clause, y);
    if x == y {
        // A tangent of a square shows twice its point as a coefficient.
        for lit in clause {
            for coefficient in atom_linear(pool, *lit).terms.iter().map(|(_, c)| c.abs()) {
                for shift in [0, 1, -1] {
                    let half = (&coefficient + Rational::from(shift)) / Rational::from(2);
                    first.extend([-&half, half]);
                }
            }
        }
        first.sort();
        first.dedup();
    }
    for a in &first {
        for b in &second {
            let found = facts(pool, product, &(a.clone(), b.clone())).into_iter().any(|mut fact| {
                fact.retain(|lit| *lit != TermId::FALSE);
                fact.sort_unstable();
                fact.dedup();
                fact == sorted
            });
            if found {
                return true;
            }
        }
    }
    false
}

/// `left − right` of an atom under a literal.
fn atom_linear(pool: &TermPool, literal: TermId) -> Linear {
    let atom = if pool.op(literal) == Op::Not { pool.arg(literal, 0) } else { literal };
    match pool.args(atom) {
        &[left, right] => {
            let mut linear = pool.linear(left);
            linear.add_scaled(&pool.linear(right), &Rational::MINUS_ONE);
            linear
        }
        _ => Linear::default(),
    }
}

/// Values of a factor at which literals about it alone change, up to the rounding of negations; and zero.
fn coordinates(pool: &TermPool, clause: &[TermId], factor: TermId) -> Vec<Rational> {
    let own = pool.linear(factor);
    let mut found = vec![Rational::ZERO];
    for lit in clause {
        let linear = atom_linear(pool, *lit);
        let (Some((base, scale)), Some((own_base, own_scale))) = (linear.terms.first(), own.terms.first()) else {
            continue;
        };
        if base != own_base {
            continue;
        }
        // rest = linear − ratio·own is a constant iff the literal is about the factor alone.
        let ratio = scale / own_scale;
        let mut rest = linear.clone();
        rest.add_scaled(&own, &-&ratio);
        if rest.is_constant() {
            let value = -(rest.constant / ratio);
            for shift in [0, 1, -1] {
                found.push(&value + Rational::from(shift));
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

/// `a·factor = b·factor` for the equality `a = b`; `None` if it says nothing.
pub fn multiplied(pool: &mut TermPool, equality: TermId, factor: TermId) -> Option<TermId> {
    let (Op::Eq, &[left, right]) = (pool.op(equality), pool.args(equality)) else { return None };
    if pool.sort(left) != pool.sort(factor) || !pool.sort(factor).is_arith() {
        return None;
    }
    let (left, right) = (pool.mul(&[left, factor]), pool.mul(&[right, factor]));
    let product = pool.eq(left, right);
    (pool.op(product) == Op::Eq).then_some(product)
}

/// The number of factors of a term that is no sum.
fn degree(pool: &TermPool, base: TermId) -> usize {
    if is_product(pool, base) { pool.args(base).len() } else { 1 }
}

/// The rules of zero and of signs, and monotonicity over the integers.
fn sign_facts(pool: &mut TermPool, z: TermId, x: TermId, y: TermId) -> Vec<Vec<TermId>> {
    let sort = pool.sort(z);
    let zero = pool.num(Rational::ZERO, sort);
    let [x_zero, y_zero, z_zero] = [x, y, z].map(|t| pool.eq(t, zero));
    let [x_nonzero, y_nonzero, z_nonzero] = [x_zero, y_zero, z_zero].map(|t| pool.not(t));
    let [x_up, y_up, z_up] = [x, y, z].map(|t| pool.gt(t, zero));
    let [x_down, y_down, z_down] = [x, y, z].map(|t| pool.lt(t, zero));
    let [x_not_up, y_not_up] = [x_up, y_up].map(|t| pool.not(t));
    let [x_not_down, y_not_down] = [x_down, y_down].map(|t| pool.not(t));
    let mut clauses = vec![
        vec![x_nonzero, z_zero],
        vec![y_nonzero, z_zero],
        vec![z_nonzero, x_zero, y_zero],
        vec![x_not_up, y_not_up, z_up],
        vec![x_not_down, y_not_down, z_up],
        vec![x_not_up, y_not_down, z_down],
        vec![x_not_down, y_not_up, z_down],
    ];
    if x == y {
        clauses.push(vec![pool.ge(z, zero)]);
    }
    if sort == SortId::INT {
        let (minus_x, minus_y) = (pool.sub(zero, x), pool.sub(zero, y));
        for (x_guard, x_size) in [(x_not_up, x), (x_not_down, minus_x)] {
            for (y_guard, y_size) in [(y_not_up, y), (y_not_down, minus_y)] {
                let same_sign = (x_guard == x_not_up) == (y_guard == y_not_up);
                let z_size = if same_sign { z } else { pool.sub(zero, z) };
                clauses.push(vec![x_guard, y_guard, pool.ge(z_size, x_size)]);
                clauses.push(vec![x_guard, y_guard, pool.ge(z_size, y_size)]);
            }
        }
    }
    clauses
}

/// Tangent planes: `(x − a)·(y − b)` has the sign of its factors. For squares, also `(x − a)·(x − a ∓ 1) ≥ 0` over
/// the integers.
fn point_facts(
    pool: &mut TermPool,
    z: TermId,
    x: TermId,
    y: TermId,
    (a, b): &(Rational, Rational),
) -> Vec<Vec<TermId>> {
    let sort = pool.sort(z);
    if sort == SortId::INT && !(a.is_integer() && b.is_integer()) {
        return Vec::new();
    }
    let (a_term, b_term) = (pool.num(a.clone(), sort), pool.num(b.clone(), sort));
    // plane = b·x + a·y − a·b
    let mut plane = Linear::constant(-(a * b));
    plane.add_scaled(&pool.linear(x), b);
    plane.add_scaled(&pool.linear(y), a);
    let plane = pool.linear_term(&plane, sort);
    let (x_below, x_above) = (pool.lt(x, a_term), pool.gt(x, a_term));
    let (y_below, y_above) = (pool.lt(y, b_term), pool.gt(y, b_term));
    let (z_above, z_below) = (pool.ge(z, plane), pool.le(z, plane));
    let mut clauses = vec![
        vec![x_below, y_below, z_above],
        vec![x_above, y_above, z_above],
        vec![x_below, y_above, z_below],
        vec![x_above, y_below, z_below],
    ];
    if x == y {
        let neighbours: &[i64] = if sort == SortId::INT { &[0, 1, -1] } else { &[0] };
        for shift in neighbours {
            // (x − a)(x − c) ≥ 0 for c = a, and for c = a ± 1 over the integers.
            let c = a + Rational::from(*shift);
            let mut bound = Linear::constant(-(a * &c));
            bound.add_scaled(&pool.linear(x), &(a + &c));
            let bound = pool.linear_term(&bound, sort);
            clauses.push(vec![pool.ge(z, bound)]);
        }
    }
    clauses
}

/// `x ≠ a ∨ z = a·y`.
fn line_fact(pool: &mut TermPool, z: TermId, x: TermId, y: TermId, a: &Rational) -> Vec<TermId> {
    let sort = pool.sort(z);
    if sort == SortId::INT && !a.is_integer() {
        return vec![TermId::TRUE];
    }
    let a_term = pool.num(a.clone(), sort);
    let fixed = pool.eq(x, a_term);
    let line = pool.scale(y, a);
    vec![pool.not(fixed), pool.eq(z, line)]
}

impl Arith {
    /// Compares products with their factors in the model just found.
    pub(super) fn check_products(&mut self, cx: &mut Context<'_>) -> Option<FinalCheck> {
        self.polled_check_products(cx).unwrap_or_else(|stop| Some(FinalCheck::Stopped(stop)))
    }

    /// Polls the budget once per product: a power of a thousand factors is a thousand products.
    fn polled_check_products(&mut self, cx: &mut Context<'_>) -> Result<Option<FinalCheck>, Stop> {
        let mut wrong: Vec<(TermId, TermId, TermId)> = Vec::new();
        for product in self.products.clone() {
            cx.budget.check_now()?;
            let Some((x, y)) = factors(cx.pool, product) else { continue };
            let value = |term| self.rational_value(cx.pool, term);
            if let (Some(z), Some(a), Some(b)) = (value(product), value(x), value(y))
                && z != a * b
            {
                wrong.push((product, x, y));
            }
        }
        if wrong.is_empty() {
            self.product_rounds = 0;
            self.covering_failures = 0;
            return Ok(None);
        }
        self.product_rounds += 1;
        if self.product_rounds > MAX_ROUNDS {
            self.product_rounds = 0;
            let why = "non-linear arithmetic: no model and no refutation found";
            return Ok(Some(FinalCheck::GiveUp(why.to_string())));
        }
        let signs = self.violated(cx, &wrong, |_, pool, (z, x, y)| sign_facts(pool, z, x, y))?;
        if !signs.is_empty() {
            return Ok(Some(FinalCheck::Lemmas(signs)));
        }
        let multiplied = self.multiply_equations(cx, &wrong)?;
        if !multiplied.is_empty() {
            return Ok(Some(FinalCheck::Lemmas(multiplied)));
        }
        let is_real = wrong.iter().all(|(z, _, _)| cx.pool.sort(*z) == SortId::REAL);
        let n_rounds = if is_real { REAL_TANGENT_ROUNDS } else { TANGENT_ROUNDS };
        if self.product_rounds <= n_rounds {
            let tangents = self.violated(cx, &wrong, |arith, pool, (z, x, y)| {
                let points = arith.tangent_points(pool, x, y);
                points.iter().flat_map(|point| point_facts(pool, z, x, y, point)).collect()
            })?;
            if !tangents.is_empty() {
                return Ok(Some(FinalCheck::Lemmas(tangents)));
            }
        }
        let lines = self.lines_of_fixed_factors(cx, &wrong)?;
        if !lines.is_empty() {
            return Ok(Some(FinalCheck::Lemmas(lines)));
        }
        // Over the integers fixing factors is worth a few tries in between.
        let is_time = is_real || self.covering_helped || self.product_rounds % COVERING_INTERVAL == TANGENT_ROUNDS + 1;
        if is_time && let Some(answer) = self.decide_products(cx)? {
            return Ok(Some(answer));
        }
        if let Some(decision) = self.fix_a_factor(cx, &wrong) {
            return Ok(Some(decision));
        }
        if !is_time && let Some(answer) = self.decide_products(cx)? {
            return Ok(Some(answer));
        }
        Ok(Some(FinalCheck::GiveUp("non-linear arithmetic: a factor cannot be fixed".to_string())))
    }

    /// Equations that hold now, times the cofactors of their variables in products with a wrong value.
    fn multiply_equations(
        &mut self,
        cx: &mut Context<'_>,
        wrong: &[(TermId, TermId, TermId)],
    ) -> Result<Vec<TheoryLemma>, Stop> {
        let mut lemmas = Vec::new();
        if self.multiplied.len() >= MAX_MULTIPLIED {
            return Ok(lemmas);
        }
        let highest = self.products.iter().map(|product| degree(cx.pool, *product)).max().unwrap_or(0);
        let mut cofactors: Vec<(TermId, TermId)> = Vec::new();
        for &(product, _, _) in wrong {
            let args = cx.pool.args(product).to_vec();
            for (k, &base) in args.iter().enumerate() {
                cx.budget.check_now()?;
                // Factors are sorted: a power has one cofactor.
                if k > 0 && args[k - 1] == base {
                    continue;
                }
                let others: Vec<TermId> =
                    args.iter().enumerate().filter(|(other, _)| *other != k).map(|(_, arg)| *arg).collect();
                cofactors.push((base, cx.pool.mul(&others)));
            }
        }
        cofactors.sort_unstable();
        cofactors.dedup();
        for form in self.created.clone() {
            cx.budget.check_now()?;
            let (Some(lower), Some(upper)) = (self.simplex.lower(form), self.simplex.upper(form)) else { continue };
            let definition = self.definition(form);
            if lower.value != upper.value || !lower.value.is_rational() || definition.len() > MAX_SUMMANDS {
                continue;
            }
            let value = lower.value.real.clone();
            let (linear, sort) = self.linear_of(cx.pool, &definition);
            let equation_degree = linear.terms.iter().map(|(base, _)| degree(cx.pool, *base)).max().unwrap_or(0);
            let (left, right) = (cx.pool.linear_term(&linear, sort), cx.pool.num(value, sort));
            let equality = cx.pool.eq(left, right);
            for &(base, cofactor) in &cofactors {
                let is_about = linear.terms.iter().any(|(term, _)| *term == base);
                if !is_about || equation_degree + degree(cx.pool, cofactor) > highest {
                    continue;
                }
                if self.multiplied.len() >= MAX_MULTIPLIED || self.multiplied.contains(&(equality, cofactor)) {
                    continue;
                }
                self.multiplied.push((equality, cofactor));
                if let Some(product) = multiplied(cx.pool, equality, cofactor)
                    && cx.pool.op(equality) == Op::Eq
                {
                    let lits = vec![!self.own_literal(cx, equality), self.own_literal(cx, product)];
                    lemmas.push(TheoryLemma { lits, evidence: Evidence::Multiplied { equality, factor: cofactor } });
                }
            }
        }
        Ok(lemmas)
    }

    /// Products one of whose factors has its value by a true equality are linear.
    fn lines_of_fixed_factors(
        &mut self,
        cx: &mut Context<'_>,
        wrong: &[(TermId, TermId, TermId)],
    ) -> Result<Vec<TheoryLemma>, Stop> {
        let mut lines = Vec::new();
        for &(z, x, y) in wrong {
            cx.budget.check_now()?;
            for (fixed, other) in [(x, y), (y, x)] {
                let Some(value) = self.rational_value(cx.pool, fixed) else { continue };
                let sort = cx.pool.sort(fixed);
                if sort == SortId::INT && !value.is_integer() {
                    continue;
                }
                let value_term = cx.pool.num(value.clone(), sort);
                let equality = cx.pool.eq(fixed, value_term);
                let holds = match equality {
                    TermId::TRUE => LBool::True,
                    TermId::FALSE => continue,
                    _ => {
                        let lit = self.own_literal(cx, equality);
                        cx.value(lit)
                    }
                };
                if holds == LBool::True {
                    let clause = line_fact(cx.pool, z, fixed, other, &value);
                    lines.extend(self.fact_lemma(cx, z, &clause));
                    break;
                }
            }
        }
        Ok(lines)
    }

    /// Makes a product linear by fixing one of its factors at its value.
    fn fix_a_factor(&mut self, cx: &mut Context<'_>, wrong: &[(TermId, TermId, TermId)]) -> Option<FinalCheck> {
        // The factor with the least absolute value is the likeliest to matter.
        let mut best: Option<(Rational, TermId)> = None;
        for &(_, x, y) in wrong {
            for factor in [x, y] {
                if let Some(value) = self.rational_value(cx.pool, factor)
                    && best.as_ref().is_none_or(|(least, _)| value.abs() < least.abs())
                {
                    best = Some((value, factor));
                }
            }
        }
        if let Some((value, factor)) = best {
            let sort = cx.pool.sort(factor);
            let value_term = cx.pool.num(value, sort);
            let equality = cx.pool.eq(factor, value_term);
            let lit = self.own_literal(cx, equality);
            if cx.value(lit) == LBool::Undef {
                return Some(FinalCheck::Decide(lit));
            }
        }
        None
    }

    /// The model's point, and the corners of the factors' bounds; none whose coordinates are long. Tangents at the
    /// points that they lead to are Newton's method: near an irrational root the digits double with each of them.
    fn tangent_points(&self, pool: &TermPool, x: TermId, y: TermId) -> Vec<(Rational, Rational)> {
        let mut points = Vec::new();
        if let (Some(a), Some(b)) = (self.rational_value(pool, x), self.rational_value(pool, y)) {
            points.push((a, b));
        }
        for a in self.corner_values(pool, x) {
            for b in self.corner_values(pool, y) {
                points.push((a.clone(), b.clone()));
            }
        }
        points.retain(|(a, b)| a.bit_size().max(b.bit_size()) <= MAX_TANGENT_BITS);
        points
    }

    fn corner_values(&self, pool: &TermPool, term: TermId) -> Vec<Rational> {
        let Some(column) = self.known_column(pool, term) else { return Vec::new() };
        let bounds = [self.simplex.lower(column), self.simplex.upper(column)];
        bounds.into_iter().flatten().filter(|b| b.value.is_rational()).map(|b| b.value.real.clone()).collect()
    }

    fn violated(
        &mut self,
        cx: &mut Context<'_>,
        wrong: &[(TermId, TermId, TermId)],
        facts: impl Fn(&Arith, &mut TermPool, (TermId, TermId, TermId)) -> Vec<Vec<TermId>>,
    ) -> Result<Vec<TheoryLemma>, Stop> {
        let mut lemmas = Vec::new();
        for &(z, x, y) in wrong {
            cx.budget.check_now()?;
            for clause in facts(self, cx.pool, (z, x, y)) {
                let is_false = clause.iter().all(|lit| self.holds(cx.pool, *lit) == Some(false));
                if is_false {
                    lemmas.extend(self.fact_lemma(cx, z, &clause));
                }
            }
        }
        Ok(lemmas)
    }

    fn fact_lemma(&mut self, cx: &mut Context<'_>, product: TermId, clause: &[TermId]) -> Option<TheoryLemma> {
        if clause.contains(&TermId::TRUE) {
            return None;
        }
        let mut lits = Vec::with_capacity(clause.len());
        for term in clause.iter().filter(|term| **term != TermId::FALSE) {
            let lit = self.own_literal(cx, *term);
            if !lits.contains(&lit) {
                lits.push(lit);
            }
        }
        Some(TheoryLemma { lits, evidence: Evidence::Nonlinear(product) })
    }

    /// The truth of a literal in the present model.
    fn holds(&self, pool: &TermPool, literal: TermId) -> Option<bool> {
        let (atom, positive) =
            if pool.op(literal) == Op::Not { (pool.arg(literal, 0), false) } else { (literal, true) };
        let truth = match (pool.op(atom), pool.args(atom)) {
            (Op::True, _) => true,
            (Op::False, _) => false,
            (op @ (Op::Le | Op::Lt | Op::Eq), &[left, right]) => {
                let (left, right) = (self.rational_value(pool, left)?, self.rational_value(pool, right)?);
                match op {
                    Op::Le => left <= right,
                    Op::Lt => left < right,
                    _ => left == right,
                }
            }
            _ => return None,
        };
        Some(truth == positive)
    }

    /// Takes note of a new column that is a product: its factors need columns too.
    pub(super) fn note_product(&mut self, pool: &mut TermPool, column: LinVar) {
        let Origin::Column(term) = self.origins[column] else { return };
        if let Some((x, y)) = factors(pool, term) {
            self.products.push(term);
            for factor in [x, y] {
                for (base, _) in pool.linear(factor).terms {
                    self.column(pool, base);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::{Model, Value};

    #[test]
    fn equations_are_multiplied_and_expanded() {
        let mut pool = TermPool::new();
        let [i, n] = ["i", "n"].map(|name| pool.constant(name, SortId::INT));
        let one = pool.int(1);
        let next = pool.add(&[n, one]);
        let equality = pool.eq(i, next);
        let product = multiplied(&mut pool, equality, i).unwrap();
        let (square, mixed) = (pool.mul(&[i, i]), pool.mul(&[n, i]));
        let sum = pool.add(&[mixed, i]);
        assert_eq!(product, pool.eq(square, sum));
        let bound = pool.le(i, n);
        assert_eq!(multiplied(&mut pool, bound, i), None);
    }

    #[test]
    fn facts_are_valid_and_recognised() {
        let mut pool = TermPool::new();
        for sort in [SortId::INT, SortId::REAL] {
            let (x, y) = (pool.constant("x", sort), pool.constant("y", sort));
            for product in [pool.mul(&[x, y]), pool.mul(&[x, x])] {
                let symbols = [x, y].map(|t| pool.as_symbol(t).unwrap());
                let scale = if sort == SortId::INT { 1 } else { 2 };
                for (a, b) in [(0, 0), (1, -2), (3, 3), (-1, 2)] {
                    let point = (Rational::ratio(a, scale), Rational::ratio(b, scale));
                    let point = if sort == SortId::INT { (a.into(), b.into()) } else { point };
                    for clause in facts(&mut pool, product, &point) {
                        for u in -4..=4 {
                            for v in -4..=4 {
                                let mut model = Model::new();
                                model.set(symbols[0], Value::Num(Rational::ratio(u, scale)));
                                model.set(symbols[1], Value::Num(Rational::ratio(v, scale)));
                                assert!(clause.iter().any(|&lit| model.holds(&pool, lit).unwrap()));
                            }
                        }
                        if !clause.contains(&TermId::TRUE) {
                            assert!(is_fact(&mut pool, product, &clause));
                        }
                    }
                }
                let zero = pool.num(Rational::ZERO, sort);
                let wrong = pool.ge(x, zero);
                assert!(!is_fact(&mut pool, product, &[wrong]));
            }
        }
    }
}
