//! Eliminating a number that occurs linearly.
//!
//! * Fourier–Motzkin on a conjunction of literals: every lower bound meets every upper bound. Over
//!   the reals this is exact, also with disequalities (they matter only where the interval is a
//!   point). Over the integers it is exact when in every pair one coefficient is one (Pugh's
//!   omega test: the dark shadow is then the real shadow), and with at most one disequality.
//! * Virtual substitution on any Boolean structure: Loos and Weispfenning's test points over the
//!   reals, Cooper's over the integers. The number of copies of the formula is the number of
//!   lower (or upper) bounds, times the least common multiple of the divisors for Cooper.
//!
//! Negative occurrences are handled by polarity, so nothing is put into a normal form first.

use super::atoms::{Relation, View, linear_views, relation_term, replace};
use crate::Substitution;
use crate::linear::Linear;
use crate::rational::Rational;
use crate::sort::SortId;
use crate::term::{Op, TermId, TermPool};

/// A bound `coefficient * x (>= or <=) term`, the coefficient positive.
struct Bound {
    coefficient: Rational,
    term: Linear,
    strict: bool,
}

/// What the literals say about `x`.
#[derive(Default)]
pub(crate) struct Bounds {
    lower: Vec<Bound>,
    upper: Vec<Bound>,
    /// `coefficient * x != term`.
    unequal: Vec<Bound>,
    /// Literals about divisibility, and whether any is negated.
    divides: Vec<View>,
    negated_divides: bool,
}

/// Reads conjuncts that all mention `x` as bounds on it; `None` if one is no linear literal or an
/// equation (those are solved, not combined).
pub(crate) fn bounds(pool: &TermPool, conjuncts: &[TermId], x: TermId) -> Option<Bounds> {
    let mut result = Bounds::default();
    for &literal in conjuncts {
        let (atom, negated) = match pool.op(literal) {
            Op::Not => (pool.arg(literal, 0), true),
            _ => (literal, false),
        };
        let views = linear_views(pool, literal, x)?;
        let [view] = views.as_slice() else { return None };
        if view.atom != atom {
            return None;
        }
        let positive_coefficient = view.coefficient.is_positive();
        // coefficient * x + rest (<=, <) 0 with a positive coefficient bounds from above.
        let coefficient = view.coefficient.abs();
        let mut term = view.rest.clone();
        term.scale(&Rational::from(if positive_coefficient { -1 } else { 1 }));
        match (view.relation, negated) {
            (Relation::Eq, false) => return None,
            (Relation::Eq, true) => result.unequal.push(Bound { coefficient, term, strict: false }),
            (Relation::Divides, _) => {
                result.divides.push(view.clone());
                result.negated_divides |= negated;
            }
            (Relation::Le | Relation::Lt, _) => {
                let is_upper = positive_coefficient != negated;
                let mut strict = (view.relation == Relation::Lt) != negated;
                if strict && pool.sort(x) == SortId::INT {
                    // Without this, combining two strict bounds would forget the step between them.
                    term.constant = &term.constant + &Rational::from(if is_upper { -1 } else { 1 });
                    strict = false;
                }
                let bound = Bound { coefficient, term, strict };
                if is_upper { result.upper.push(bound) } else { result.lower.push(bound) }
            }
        }
    }
    Some(result)
}

impl Bounds {
    /// How many conjuncts elimination makes, if it is exact for this sort.
    pub(crate) fn exact_cost(&self, sort: SortId) -> Option<usize> {
        let one_sided = self.lower.is_empty() || self.upper.is_empty();
        if sort == SortId::INT {
            if !self.divides.is_empty() {
                // One divisibility with one-sided bounds is solvable by a condition on the rest.
                let simple = self.divides.len() == 1 && !self.negated_divides && self.unequal.is_empty();
                return (one_sided && simple).then_some(1);
            }
            if !one_sided {
                let unit = |b: &Bound| b.coefficient.is_one();
                let pairs_exact = self.lower.iter().all(|l| unit(l) || self.upper.iter().all(unit));
                let unequal_exact = match self.unequal.as_slice() {
                    [] => true,
                    [only] => unit(only) && self.lower.iter().chain(&self.upper).all(unit),
                    _ => false,
                };
                if !pairs_exact || !unequal_exact {
                    return None;
                }
            }
        }
        Some(if one_sided { 0 } else { self.lower.len() * self.upper.len() * (1 + self.unequal.len()) })
    }

    /// Over the integers with a single upper (or a single lower) bound the extreme witness is a
    /// quotient: `b*x <= t` is met best by `t div b`. Exact for all coefficients, at the price of `div`.
    pub(crate) fn extreme_witness(&self, pool: &mut TermPool) -> Option<Vec<TermId>> {
        if !self.divides.is_empty() || !self.unequal.is_empty() {
            return None;
        }
        let (single, others, sign) = match (self.lower.as_slice(), self.upper.as_slice()) {
            (lower, [single]) => (single, lower, 1),
            ([single], upper) => (single, upper, -1),
            _ => return None,
        };
        // A lower bound a*x >= s is the upper bound a*(-x) <= -s.
        let sign = Rational::from(sign);
        let mut numerator = single.term.clone();
        numerator.scale(&sign);
        let numerator = pool.linear_term(&numerator, SortId::INT);
        let divisor = pool.int_num(single.coefficient.clone());
        let witness = pool.int_div(numerator, divisor);
        let mut result = Vec::with_capacity(others.len());
        for bound in others {
            // a*x >= s for x = witness, or (mirrored) a*(-x) >= -t for -x = witness.
            let mut difference = bound.term.clone();
            difference.scale(&sign);
            difference.add_scaled(&pool.linear(witness), &-&bound.coefficient);
            result.push(pool.linear_le(difference, false, SortId::INT));
        }
        Some(result)
    }

    /// Is the combination at least implied, as a real shadow (an over-approximation)?
    pub(crate) fn shadow_cost(&self) -> usize {
        self.lower.len() * self.upper.len()
    }

    /// The conjuncts without `x`. Exact where [`Bounds::exact_cost`] says so; otherwise (over the
    /// integers) the real shadow, which is implied.
    pub(crate) fn combine(&self, pool: &mut TermPool, sort: SortId) -> Vec<TermId> {
        let mut result = Vec::new();
        if let [only] = self.divides.as_slice()
            && (self.lower.is_empty() || self.upper.is_empty())
            && !self.negated_divides
        {
            let divisor = only.divisor.gcd(&only.coefficient);
            result.push(relation_term(pool, Relation::Divides, only.rest.clone(), &divisor, sort));
        }
        let exact_points = sort == SortId::REAL || self.unequal.len() <= 1;
        for l in &self.lower {
            for u in &self.upper {
                // a*x >= s and b*x <= t give b*s <= a*t.
                let mut difference = l.term.clone();
                difference.scale(&u.coefficient);
                difference.add_scaled(&u.term, &-&l.coefficient);
                let strict = l.strict || u.strict;
                let meets = pool.linear_le(difference.clone(), strict, sort);
                result.push(meets);
                if strict || !exact_points {
                    continue;
                }
                // Where the interval is one point, that point must be allowed.
                let apart = if self.unequal.is_empty() { TermId::TRUE } else { pool.linear_le(difference, true, sort) };
                for n in &self.unequal {
                    let mut gap = l.term.clone();
                    gap.scale(&n.coefficient);
                    gap.add_scaled(&n.term, &-&l.coefficient);
                    let same = super::atoms::equation(pool, gap, sort);
                    let different = pool.not(same);
                    result.push(pool.or2(apart, different));
                }
            }
        }
        result
    }
}

/// A point at which virtual substitution looks.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Point {
    /// Beyond all bounds on the side from which we come.
    Infinity,
    At(Linear),
    /// A little inside of it.
    Beside(Linear),
}

/// The copies of a formula whose disjunction says that some `x` satisfies it.
pub(crate) struct TestPoints {
    views: Vec<View>,
    points: Vec<Point>,
    from_below: bool,
    sort: SortId,
    /// The common multiple of the coefficients, and the period (integers only).
    scale: Rational,
    period: Rational,
}

impl TestPoints {
    /// `None` if `x` is not linear in the formula.
    pub(crate) fn new(pool: &TermPool, formula: TermId, x: TermId) -> Option<TestPoints> {
        let sort = pool.sort(x);
        let views = linear_views(pool, formula, x)?;
        let mut scale = Rational::one();
        let mut period = Rational::one();
        if sort == SortId::INT {
            for v in &views {
                scale = scale.lcm(&v.coefficient);
            }
            period = scale.clone();
            for v in views.iter().filter(|v| v.relation == Relation::Divides) {
                period = period.lcm(&(&v.divisor * &(&scale / &v.coefficient.abs())));
            }
        } else if views.iter().any(|v| v.relation == Relation::Divides) {
            return None;
        }
        let below = points(&views, true, sort, &scale);
        let above = points(&views, false, sort, &scale);
        let from_below = below.len() <= above.len();
        let points = if from_below { below } else { above };
        Some(TestPoints { views, points, from_below, sort, scale, period })
    }

    /// How many copies of the formula the result holds.
    pub(crate) fn n_copies(&self) -> Option<usize> {
        if self.sort != SortId::INT {
            return Some(self.points.len());
        }
        let period = usize::try_from(self.period.to_i64()?).ok()?;
        let at_infinity = usize::try_from((&self.period / &self.scale).to_i64()?).ok()?;
        period.checked_mul(self.points.len() - 1)?.checked_add(at_infinity)
    }

    pub(crate) fn disjuncts(&self, pool: &mut TermPool, formula: TermId) -> Vec<TermId> {
        let mut result = Vec::new();
        for point in &self.points {
            if self.sort != SortId::INT {
                result.push(self.real_copy(pool, formula, point));
                continue;
            }
            let n = self.period.to_i64().unwrap_or(0);
            for j in 0..n {
                // Towards the inside: upwards from a lower bound, downwards from an upper one.
                let offset = Rational::from(if self.from_below { j } else { -j });
                match point {
                    Point::Infinity => {
                        if (&offset / &self.scale).is_integer() {
                            result.push(self.int_copy(pool, formula, &Linear::constant(offset), true));
                        }
                    }
                    Point::At(b) | Point::Beside(b) => {
                        let mut b = b.clone();
                        b.constant = &b.constant + &offset;
                        result.push(self.int_copy(pool, formula, &b, false));
                    }
                }
            }
        }
        result
    }

    /// The copy that a model selects: it is true there if the formula is.
    /// `value` evaluates a linear combination in the model, `x` is the model's value of `x`.
    pub(crate) fn selected(
        &self,
        pool: &mut TermPool,
        formula: TermId,
        x: &Rational,
        value: &mut dyn FnMut(&TermPool, &Linear) -> Option<Rational>,
    ) -> Option<TermId> {
        let scaled = x * &self.scale;
        // The nearest point on the side we come from.
        let mut best: Option<(Rational, &Point)> = None;
        for point in &self.points {
            let b = match point {
                Point::Infinity => continue,
                Point::At(b) | Point::Beside(b) => value(pool, b)?,
            };
            let strict = matches!(point, Point::Beside(_));
            let reached = match (self.from_below, strict) {
                (true, false) => b <= scaled,
                (true, true) => b < scaled,
                (false, false) => b >= scaled,
                (false, true) => b > scaled,
            };
            let nearer = best.as_ref().is_none_or(|(old, p)| {
                let closer = if self.from_below { b > *old } else { b < *old };
                closer || (b == *old && strict && matches!(p, Point::At(_)))
            });
            if reached && nearer {
                best = Some((b, point));
            }
        }
        let Some((b, point)) = best else {
            return Some(if self.sort == SortId::INT {
                // Any number with the same remainder as x does.
                let residue = scaled.rem_euclid(&self.period);
                self.int_copy(pool, formula, &Linear::constant(residue), true)
            } else {
                self.real_copy(pool, formula, &Point::Infinity)
            });
        };
        if self.sort != SortId::INT {
            return Some(self.real_copy(pool, formula, point));
        }
        let (Point::At(term) | Point::Beside(term)) = point else { return None };
        let distance = &scaled - &b;
        let residue =
            if self.from_below { distance.rem_euclid(&self.period) } else { -(-distance).rem_euclid(&self.period) };
        let mut term = term.clone();
        term.constant = &term.constant + &residue;
        Some(self.int_copy(pool, formula, &term, false))
    }

    fn real_copy(&self, pool: &mut TermPool, formula: TermId, point: &Point) -> TermId {
        let mut substitution = Substitution::new();
        for v in &self.views {
            // Seen from the inside, does the left side approach zero from below?
            let rising = v.coefficient.is_positive() == self.from_below;
            let replacement = match point {
                Point::Infinity => pool.bool(v.relation != Relation::Eq && rising),
                Point::At(b) => replace(pool, v, b, &Rational::one(), self.sort),
                Point::Beside(_) if v.relation == Relation::Eq => TermId::FALSE,
                Point::Beside(b) => {
                    let relation = if rising { Relation::Lt } else { Relation::Le };
                    let beside = View { relation, ..v.clone() };
                    replace(pool, &beside, b, &Rational::one(), self.sort)
                }
            };
            substitution.insert(v.atom, replacement);
        }
        substitution.apply(pool, formula)
    }

    /// The formula with `scale * x` at the given place, which must be a multiple of the scale.
    fn int_copy(&self, pool: &mut TermPool, formula: TermId, place: &Linear, at_infinity: bool) -> TermId {
        let mut substitution = Substitution::new();
        for v in &self.views {
            let rising = v.coefficient.is_positive() == self.from_below;
            let replacement = if at_infinity && v.relation != Relation::Divides {
                pool.bool(v.relation != Relation::Eq && rising)
            } else {
                replace(pool, v, place, &self.scale, self.sort)
            };
            substitution.insert(v.atom, replacement);
        }
        let copy = substitution.apply(pool, formula);
        let multiple = relation_term(pool, Relation::Divides, place.clone(), &self.scale, self.sort);
        pool.and2(copy, multiple)
    }
}

/// The bounds from below (or above) on `scale * x`.
fn points(views: &[View], from_below: bool, sort: SortId, scale: &Rational) -> Vec<Point> {
    let mut result = vec![Point::Infinity];
    for v in views {
        let mut b = v.boundary();
        b.scale(scale);
        let mut add = |strict: bool| {
            let point = match (sort == SortId::INT, strict) {
                // Beyond an integer is its neighbour.
                (true, true) => {
                    let mut b = b.clone();
                    b.constant = &b.constant + &Rational::from(if from_below { 1 } else { -1 });
                    Point::At(b)
                }
                (_, false) => Point::At(b.clone()),
                (false, true) => Point::Beside(b.clone()),
            };
            if !result.contains(&point) {
                result.push(point);
            }
        };
        // Does the atom, taken positively, bound x on our side?
        let bounds_here = v.coefficient.is_negative() == from_below;
        match v.relation {
            Relation::Divides => {}
            Relation::Eq => {
                if v.positive {
                    add(false);
                }
                if v.negative {
                    add(true);
                }
            }
            Relation::Le | Relation::Lt => {
                let strict = v.relation == Relation::Lt;
                if bounds_here && v.positive {
                    add(strict);
                }
                if !bounds_here && v.negative {
                    add(!strict);
                }
            }
        }
    }
    result
}
