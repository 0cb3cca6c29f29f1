//! Real algebraic numbers, and signs of polynomials at points that have them as coordinates.
//!
//! A number is rational, or the only root of a square-free polynomial in an open interval. A polynomial at a point is
//! first estimated by intervals. Whether it is zero is decided by its *norm*: the product of `y − p` over all
//! conjugates of the coordinates, which resultants compute, has the value as a root, and its other roots are not too
//! near to zero.

use super::Halt;
use super::poly::{Poly, resultant};
use super::univariate::{Sturm, Univariate};
use base::Budget;
use logic::Rational;
use std::cmp::Ordering;

/// Estimates are refined so often before the norm is computed.
const ESTIMATES: u32 = 24;
/// Larger norms and coefficients are not computed.
const MAX_DEGREE: usize = 48;
pub const MAX_BITS: usize = 4000;

#[derive(Clone, Debug)]
pub enum Real {
    Rational(Rational),
    Root(Root),
}

/// The only root of a square-free polynomial between two numbers that are no roots.
#[derive(Clone, Debug)]
pub struct Root {
    pub poly: Univariate,
    pub low: Rational,
    pub high: Rational,
    /// The sign of the polynomial at `low`.
    sign_low: i32,
}

/// The least integer of absolute value, else the coarsest dyadic number, strictly between two rationals.
fn simple_between(low: &Rational, high: &Rational) -> Rational {
    let mut unit = Rational::ONE;
    loop {
        let first = (low / &unit).floor() + Rational::ONE;
        let last = (high / &unit).ceil() - Rational::ONE;
        if first <= last {
            let nearest = if first.is_positive() {
                first
            } else if last.is_negative() {
                last
            } else {
                Rational::ZERO
            };
            return nearest * unit;
        }
        unit /= Rational::from(2);
    }
}

impl Real {
    /// The real roots of a polynomial that is not zero, in order.
    pub fn roots(p: &Univariate) -> Vec<Real> {
        if p.degree() == 0 {
            return Vec::new();
        }
        let mut p = p.square_free();
        let mut found: Vec<Real> = Vec::new();
        'again: while p.degree() > 0 {
            if p.degree() == 1 {
                found.push(Real::Rational(-(&p.coefficients[0] / &p.coefficients[1])));
                break;
            }
            let sturm = Sturm::new(&p);
            let bound = p.root_bound();
            let mut stack = vec![(-&bound, bound)];
            let mut isolated = Vec::new();
            while let Some((low, high)) = stack.pop() {
                match sturm.count(&low, &high) {
                    0 => {}
                    1 => {
                        let sign_low = p.at(&low).signum();
                        isolated.push(Root { poly: p.clone(), low, high, sign_low });
                    }
                    _ => {
                        let middle = (&low + &high) / Rational::from(2);
                        if p.at(&middle).is_zero() {
                            p = p.without_root(&middle);
                            found.push(Real::Rational(middle));
                            continue 'again;
                        }
                        stack.push((low, middle.clone()));
                        stack.push((middle, high));
                    }
                }
            }
            let numbers: Vec<Real> = isolated.into_iter().map(Root::rationalised).collect();
            let rationals: Vec<Rational> = numbers.iter().filter_map(|n| n.as_rational().cloned()).collect();
            if rationals.is_empty() {
                found.extend(with_quadratic_factors(p, numbers));
                break;
            }
            for q in rationals {
                p = p.without_root(&q);
                found.push(Real::Rational(q));
            }
        }
        found.sort_by(|a, b| a.compare(b));
        found
    }

    pub fn as_rational(&self) -> Option<&Rational> {
        match self {
            Real::Rational(q) => Some(q),
            Real::Root(_) => None,
        }
    }
    /// A closed interval around the number.
    pub fn bounds(&self) -> (&Rational, &Rational) {
        match self {
            Real::Rational(q) => (q, q),
            Real::Root(root) => (&root.low, &root.high),
        }
    }
    fn interval(&self) -> Interval {
        let (low, high) = self.bounds();
        (low.clone(), high.clone())
    }
    /// Halves the interval.
    pub fn refine(&mut self) {
        if let Real::Root(root) = self {
            let middle = (&root.low + &root.high) / Rational::from(2);
            match root.poly.at(&middle).signum() {
                0 => *self = Real::Rational(middle),
                sign if sign == root.sign_low => root.low = middle,
                _ => root.high = middle,
            }
        }
    }
    pub fn compare(&self, other: &Real) -> Ordering {
        let (mut a, mut b) = (self.clone(), other.clone());
        match (&a, &b) {
            (Real::Rational(p), Real::Rational(q)) => return p.cmp(q),
            (Real::Rational(_), Real::Root(_)) => return b.compare(&a).reverse(),
            (Real::Root(root), Real::Rational(q)) => {
                if root.low < *q && *q < root.high && root.poly.at(q).is_zero() {
                    return Ordering::Equal;
                }
            }
            (Real::Root(r), Real::Root(s)) => {
                let (low, high) = ((&r.low).max(&s.low), (&r.high).min(&s.high));
                if low < high {
                    let common = r.poly.gcd(&s.poly);
                    // The ends of the overlap are no common roots: each is an end of one of the two intervals.
                    if common.degree() > 0 && Sturm::new(&common).count(low, high) == 1 {
                        return Ordering::Equal;
                    }
                }
            }
        }
        loop {
            let ((a_low, a_high), (b_low, b_high)) = (a.bounds(), b.bounds());
            // Roots lie strictly inside of their intervals.
            if a_high <= b_low {
                return Ordering::Less;
            }
            if b_high <= a_low {
                return Ordering::Greater;
            }
            if let (Real::Rational(p), Real::Rational(q)) = (&a, &b) {
                return p.cmp(q);
            }
            a.refine();
            b.refine();
        }
    }
    /// A rational strictly between two numbers, the first of which is less; `None` is infinity.
    pub fn between(low: Option<&Real>, high: Option<&Real>) -> Rational {
        match (low, high) {
            (None, None) => Rational::ZERO,
            (Some(low), None) => {
                let above = low.bounds().1.floor() + Rational::ONE;
                above.max(Rational::ZERO)
            }
            (None, Some(high)) => {
                let below = high.bounds().0.ceil() - Rational::ONE;
                below.min(Rational::ZERO)
            }
            (Some(low), Some(high)) => {
                let (mut low, mut high) = (low.clone(), high.clone());
                while low.bounds().1 >= high.bounds().0 {
                    low.refine();
                    high.refine();
                }
                simple_between(low.bounds().1, high.bounds().0)
            }
        }
    }
    /// The greatest integer not above.
    pub fn floor(&self) -> Rational {
        let mut number = self.clone();
        loop {
            match &number {
                Real::Rational(q) => return q.floor(),
                Real::Root(root) => {
                    let next = root.low.floor() + Rational::ONE;
                    if next >= root.high {
                        return next - Rational::ONE;
                    }
                    if &next + Rational::ONE >= root.high && root.poly.at(&next).is_zero() {
                        return next;
                    }
                }
            }
            number.refine();
        }
    }
}

impl Root {
    /// The root as a rational if it is one: with integer coefficients its denominator divides the leading one.
    fn rationalised(self) -> Real {
        let Some(lead) = self.poly.coefficients.last().map(Rational::abs) else { return Real::Root(self) };
        if lead.bit_size() > 64 {
            return Real::Root(self);
        }
        let mut number = Real::Root(self);
        loop {
            let Real::Root(root) = &number else { return number };
            let (low, high) = (&root.low * &lead, &root.high * &lead);
            let first = low.floor() + Rational::ONE;
            if first >= high {
                return number;
            }
            if &first + Rational::ONE >= high {
                let candidate = first / &lead;
                if root.poly.at(&candidate).is_zero() {
                    return Real::Rational(candidate);
                }
                return number;
            }
            number.refine();
        }
    }
}

/// Irrational roots of one polynomial, as roots of quadratic factors of it where two of them have a rational sum and
/// product. Towers of numbers stay low that way.
fn with_quadratic_factors(mut poly: Univariate, mut roots: Vec<Real>) -> Vec<Real> {
    let mut found = Vec::new();
    let mut alone = Vec::new();
    'next: while let Some(mut a) = roots.pop() {
        let lead = poly.coefficients.last().map(Rational::abs).unwrap_or(Rational::ONE);
        if poly.degree() <= 2 || lead.bit_size() > 64 {
            alone.push(a);
            continue;
        }
        for k in 0..roots.len() {
            // With integer coefficients, lead·(a + b) and lead·a·b are integers.
            let mut b = roots[k].clone();
            let factor = loop {
                let (sum, product) = (plus(&a.interval(), &b.interval()), times(&a.interval(), &b.interval()));
                match (only_integer(&sum, &lead), only_integer(&product, &lead)) {
                    (Some(sum), Some(product)) => break Some(Univariate::new(vec![product, -sum, lead.clone()])),
                    _ if has_no_integer(&sum, &lead) || has_no_integer(&product, &lead) => break None,
                    _ => {}
                }
                a.refine();
                b.refine();
            };
            // It may divide because of other roots near by: it has these two if it changes its sign at both.
            let changes_sign = |root: &Real, factor: &Univariate| {
                let (low, high) = root.bounds();
                factor.at(low).signum() * factor.at(high).signum() < 0
            };
            if let Some(factor) = factor
                && changes_sign(&a, &factor)
                && changes_sign(&b, &factor)
                && let Some(rest) = poly.divided_exactly(&factor)
            {
                poly = rest;
                roots.swap_remove(k);
                found.extend(Real::roots(&factor));
                continue 'next;
            }
        }
        alone.push(a);
    }
    // The others are roots of what remains; their intervals stay.
    for mut root in alone {
        if let Real::Root(root) = &mut root {
            root.sign_low = poly.at(&root.low).signum();
            root.poly = poly.clone();
        }
        found.push(root);
    }
    found
}

/// The only integer in a multiple of an interval.
fn only_integer(interval: &Interval, factor: &Rational) -> Option<Rational> {
    let (low, high) = (&interval.0 * factor, &interval.1 * factor);
    let first = low.ceil();
    (first <= high && &first + Rational::ONE > high).then_some(first)
}
fn has_no_integer(interval: &Interval, factor: &Rational) -> bool {
    (&interval.0 * factor).ceil() > &interval.1 * factor
}

/// An interval of rationals.
type Interval = (Rational, Rational);

fn plus(a: &Interval, b: &Interval) -> Interval {
    (&a.0 + &b.0, &a.1 + &b.1)
}
fn times(a: &Interval, b: &Interval) -> Interval {
    let products = [&a.0 * &b.0, &a.0 * &b.1, &a.1 * &b.0, &a.1 * &b.1];
    let low = products.iter().min().cloned().unwrap_or_default();
    let high = products.iter().max().cloned().unwrap_or_default();
    (low, high)
}

fn estimate(p: &Poly, point: &[Real]) -> Interval {
    match p {
        Poly::Const(c) => (c.clone(), c.clone()),
        Poly::In { var, coefficients } => {
            let (low, high) = point[*var].bounds();
            let base = (low.clone(), high.clone());
            let mut value = (Rational::ZERO, Rational::ZERO);
            for c in coefficients.iter().rev() {
                let c = estimate(c, point);
                value = times(&value, &base);
                value = (value.0 + c.0, value.1 + c.1);
            }
            value
        }
    }
}

/// The polynomial at the rational coordinates of a point; variables beyond the point stay.
pub fn at_rationals(p: &Poly, point: &[Real]) -> Poly {
    match p {
        Poly::Const(_) => p.clone(),
        Poly::In { var, coefficients } => {
            let coefficients: Vec<Poly> = coefficients.iter().map(|c| at_rationals(c, point)).collect();
            match point.get(*var) {
                Some(Real::Rational(q)) => {
                    let mut value = Poly::zero();
                    for c in coefficients.iter().rev() {
                        value = value.scale(q).add(c);
                    }
                    value
                }
                Some(Real::Root(_)) | None => Poly::from_coefficients(*var, coefficients),
            }
        }
    }
}

/// The product over all conjugates of the algebraic coordinates: a polynomial in the variable `kept`, which is no
/// coordinate.
fn norm(p: &Poly, point: &[Real], kept: usize, budget: &Budget) -> Result<Univariate, Halt> {
    let mut seen = Vec::new();
    p.note_variables(&mut seen);
    let mut names = vec![0; seen.len().max(kept + 1)];
    let mut polys = Vec::new();
    for (var, value) in point.iter().enumerate() {
        if let (Real::Root(root), true) = (value, seen.get(var).copied().unwrap_or(false) && var != kept) {
            names[var] = polys.len() + 1;
            polys.push(&root.poly);
        }
    }
    let mut norm = p.rename(&names);
    for (k, poly) in polys.iter().enumerate().rev() {
        budget.check_now()?;
        let degree = norm.degree(0).max(1) * poly.degree();
        if degree > MAX_DEGREE || norm.bits() > MAX_BITS {
            return Err(Halt::GaveUp("an algebraic number of too high a degree"));
        }
        norm = resultant(&poly.to_poly(k + 1), &norm, k + 1, budget)?.normalised();
    }
    Univariate::from_poly(&norm).ok_or(Halt::GaveUp("a norm with several variables"))
}

/// The sign of a polynomial at a point that has all its variables.
pub fn sign_at(p: &Poly, point: &[Real], budget: &Budget) -> Result<i32, Halt> {
    let p = at_rationals(p, point);
    if let Some(c) = p.as_constant() {
        return Ok(c.signum());
    }
    let mut point = point.to_vec();
    let mut smallest = None;
    let mut n_estimates = 0;
    loop {
        let (low, high) = estimate(&p, &point);
        if low.is_positive() || high.is_negative() || (low.is_zero() && high.is_zero()) {
            return Ok(low.signum());
        }
        if let Some(smallest) = &smallest
            && -&low < *smallest
            && high < *smallest
        {
            return Ok(0);
        }
        n_estimates += 1;
        if n_estimates == ESTIMATES {
            // y − p, with y as a variable of its own.
            let y = point.len();
            // Refining may have found rational coordinates.
            let value = Poly::variable(y).sub(&at_rationals(&p, &point));
            smallest = Some(norm(&value, &point, y, budget)?.nonzero_root_bound());
        }
        if n_estimates % 64 == 0 {
            budget.check_now()?;
        }
        for value in &mut point {
            value.refine();
        }
    }
}

/// The coefficients in `var` without the leading ones that vanish at the point.
fn reduced(p: &Poly, var: usize, point: &[Real], budget: &Budget) -> Result<Poly, Halt> {
    let mut coefficients = p.coefficients_in(var).to_vec();
    while let Some(lead) = coefficients.last() {
        if sign_at(lead, point, budget)? != 0 {
            break;
        }
        coefficients.pop();
    }
    Ok(Poly::from_coefficients(var, coefficients))
}

/// The roots in `var` of a polynomial over a point that has all its other variables, in order; `None` if it is zero
/// everywhere there.
pub fn roots_over(p: &Poly, var: usize, point: &[Real], budget: &Budget) -> Result<Option<Vec<Real>>, Halt> {
    let p = at_rationals(p, point);
    let p = reduced(&p, var, point, budget)?;
    if p.is_zero() {
        return Ok(None);
    }
    if p.main() != Some(var) {
        return Ok(Some(Vec::new()));
    }
    if let Some(plain) = Univariate::from_poly(&p) {
        return Ok(Some(Real::roots(&plain)));
    }
    let norm = norm(&p, point, var, budget)?;
    if norm.is_zero() {
        return Err(Halt::GaveUp("a polynomial that vanishes over a conjugate point"));
    }
    let mut roots = Vec::new();
    for root in Real::roots(&norm) {
        let mut extended = point.to_vec();
        extended.truncate(var);
        // A change of sign across the interval, which has no other root of the norm, shows the root without another
        // norm.
        if let Real::Root(isolated) = &root {
            let side = |end: &Rational| {
                let mut point = extended.clone();
                point.push(Real::Rational(end.clone()));
                sign_at(&p, &point, budget)
            };
            if side(&isolated.low)? * side(&isolated.high)? < 0 {
                roots.push(root);
                continue;
            }
        }
        extended.push(root.clone());
        if sign_at(&p, &extended, budget)? == 0 {
            roots.push(root);
        }
    }
    Ok(Some(roots))
}

/// The value of a polynomial at a point, as a number of its own.
pub fn value_at(p: &Poly, point: &[Real], budget: &Budget) -> Result<Real, Halt> {
    let p = at_rationals(p, point);
    if let Some(c) = p.as_constant() {
        return Ok(Real::Rational(c.clone()));
    }
    let y = point.len();
    let norm = norm(&Poly::variable(y).sub(&p), point, y, budget)?;
    let mut candidates = Real::roots(&norm);
    let mut point = point.to_vec();
    loop {
        budget.check_now()?;
        let (low, high) = estimate(&p, &point);
        let (low, high) = (Real::Rational(low), Real::Rational(high));
        candidates.retain(|c| c.compare(&low) != Ordering::Less && c.compare(&high) != Ordering::Greater);
        if candidates.len() <= 1 {
            return candidates.pop().ok_or(Halt::GaveUp("no candidate for a value"));
        }
        for value in &mut point {
            value.refine();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn poly(coefficients: &[i64]) -> Univariate {
        Univariate::new(coefficients.iter().map(|&c| Rational::from(c)).collect())
    }

    #[test]
    fn roots_in_order() {
        // (x² − 2)(x − 1)(3x + 1)(x² + 1)
        let one = |c: &[i64]| poly(c).to_poly(0);
        let p = one(&[-2, 0, 1]).mul(&one(&[-1, 1])).mul(&one(&[1, 3])).mul(&one(&[1, 0, 1]));
        let roots = Real::roots(&Univariate::from_poly(&p).unwrap());
        assert_eq!(roots.len(), 4);
        assert_eq!(roots[1].as_rational(), Some(&Rational::ratio(-1, 3)));
        assert_eq!(roots[2].as_rational(), Some(&Rational::ONE));
        assert_eq!(roots[0].floor(), Rational::from(-2));
        assert_eq!(roots[3].floor(), Rational::ONE);
        assert!(Real::roots(&poly(&[1, 0, 1])).is_empty());
        assert_eq!(Real::roots(&poly(&[4, -4, 1])).len(), 1);
    }

    /// Products of random factors, often with roots near to each other, against Sturm's count.
    #[test]
    fn roots_of_products() {
        let mut random = base::Random::new(7);
        let check = |p: Univariate| {
            let (roots, plain) = (Real::roots(&p), p.square_free());
            let bound = plain.root_bound() + Rational::ONE;
            assert_eq!(roots.len(), Sturm::new(&plain).count(&-&bound, &bound), "{p:?}");
            assert!(roots.windows(2).all(|w| w[0].compare(&w[1]) == Ordering::Less), "{p:?}");
            for root in &roots {
                match root {
                    Real::Rational(q) => assert!(p.at(q).is_zero(), "{p:?}"),
                    Real::Root(r) => {
                        assert_eq!(r.poly.at(&r.low).signum() * r.poly.at(&r.high).signum(), -1, "{p:?}");
                        let common = r.poly.gcd(&plain);
                        assert_eq!(Sturm::new(&common).count(&r.low, &r.high), 1, "{p:?}");
                    }
                }
            }
        };
        // The cubic factor has a root near to −√2.
        check(poly(&[-18, 6, 19, -5, -5, 1]));
        for _ in 0..300 {
            let mut product = Poly::constant(Rational::ONE);
            for _ in 0..2 + random.below(2) {
                let degree = 1 + random.below(4);
                let mut factor: Vec<i64> = (0..degree).map(|_| random.below(13) as i64 - 6).collect();
                factor.push(1 + random.below(3) as i64);
                product = product.mul(&poly(&factor).to_poly(0));
            }
            check(Univariate::from_poly(&product).unwrap());
        }
    }

    /// Refining finds that the first coordinate is 3/8; the value at the point is tiny, not zero.
    #[test]
    fn coordinates_that_become_rational() {
        let budget = Budget::unlimited();
        let ten = Rational::from(10_000_000_000_i64);
        let k = &ten * &ten + Rational::from(39);
        let m = &k * &Rational::from(100) + Rational::ONE;
        let wide = Univariate::new(vec![-m, Rational::ZERO, k]).to_poly(0).mul(&poly(&[-3, 8]).to_poly(0));
        let near = Rational::ratio(3, 8);
        let roots = Real::roots(&Univariate::from_poly(&wide).unwrap());
        let x = roots.into_iter().find(|r| r.compare(&Real::Rational(near.clone())) == Ordering::Equal).unwrap();
        let y = Real::roots(&poly(&[-2, 0, 1])).pop().unwrap();
        let [a, b] = [0, 1].map(Poly::variable);
        // 3·(15994428·√2 − 22619537), and 15994428²·2 − 22619537² = −1.
        let p = a.mul(&b).scale(&Rational::from(8 * 15_994_428)).sub(&Poly::constant(Rational::from(3 * 22_619_537)));
        assert_eq!(sign_at(&p, &[x, y], &budget), Ok(-1));
    }

    #[test]
    fn sums_of_roots() {
        let budget = Budget::unlimited();
        let sqrt = |n: i64| Real::roots(&poly(&[-n, 0, 1])).pop().unwrap();
        // √2·√3 = √6, and √2 + √3 > √9.8.
        let point = [sqrt(2), sqrt(3), sqrt(6)];
        let [x, y, z] = [0, 1, 2].map(Poly::variable);
        assert_eq!(sign_at(&x.mul(&y).sub(&z), &point, &budget), Ok(0));
        let square = x.add(&y).mul(&x.add(&y)).sub(&Poly::constant(Rational::ratio(98, 10)));
        assert_eq!(sign_at(&square, &point, &budget), Ok(1));
        assert_eq!(value_at(&x.mul(&y), &point, &budget).unwrap().compare(&sqrt(6)), Ordering::Equal);
        // The roots of z² − x z over √2: 0 and √2.
        let roots = roots_over(&z.mul(&z).sub(&x.mul(&z)), 2, &point[..2], &budget).unwrap().unwrap();
        assert_eq!(roots.len(), 2);
        assert_eq!(roots[1].compare(&sqrt(2)), Ordering::Equal);
    }
}
