//! Conjunctions of polynomial constraints, by cylindrical algebraic coverings (Ábrahám, Davenport, England and Kremer,
//! *Deciding the consistency of non-linear real arithmetic constraints with a conflict driven search using cylindrical
//! algebraic coverings*, 2021).
//!
//! Variables get values one after the other. Over a partial point, constraints in the next variable exclude intervals
//! of its values; a value outside of all of them is tried, and where no value of the variables after it works, the
//! covering of their line is *characterised*: polynomials whose signs must not change make an interval around the value
//! impossible as well. When the intervals cover the line of the first variable, there is no solution.
//!
//! The characterisation is McCallum's projection (discriminants, resultants of neighbours, leading coefficients). It is
//! not enough where a polynomial vanishes on a whole line over the point; then the procedure gives up. Polynomials with
//! common factors are divided by them, because their resultants would be zero and say nothing.
//!
//! Departures: equations in which some variable is linear with a constant coefficient are used up by substitution
//! before; all polynomials of an interval take part in resultants with those at its ends; rational values are preferred
//! to algebraic ones.

use super::number::{MAX_BITS, Real, at_rationals, roots_over, sign_at};
use super::poly::{Poly, discriminant, gcd, resultant};
use super::{Halt, univariate::Univariate};
use base::Budget;
use logic::Rational;
use std::cmp::Ordering;

/// Larger polynomials end the search.
const MAX_SIZE: usize = 4000;
/// After so many values of a variable with which nothing could be found out, no more are tried.
const MAX_FAILURES: u32 = 4;

/// What a polynomial is compared with zero by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Relation {
    pub fn holds(self, sign: i32) -> bool {
        match self {
            Relation::Equal => sign == 0,
            Relation::NotEqual => sign != 0,
            Relation::Less => sign < 0,
            Relation::LessEqual => sign <= 0,
            Relation::Greater => sign > 0,
            Relation::GreaterEqual => sign >= 0,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Constraint {
    pub poly: Poly,
    pub relation: Relation,
}

#[derive(Clone, Debug)]
pub enum Answer {
    /// A value for each variable.
    Sat(Vec<Real>),
    /// The constraints with these numbers contradict each other.
    Unsat(Vec<usize>),
}

/// A constraint with the numbers of those that it was made from.
#[derive(Clone, Debug)]
struct Derived {
    poly: Poly,
    relation: Relation,
    origins: Vec<usize>,
}

/// Values of a variable that are impossible over a partial point: an open interval, or one point if its ends are equal.
#[derive(Clone, Debug)]
struct Interval {
    lower: Option<Real>,
    upper: Option<Real>,
    /// Polynomials that are zero at the ends.
    lower_polys: Vec<Poly>,
    upper_polys: Vec<Poly>,
    /// Square-free polynomials in the variable, and polynomials in the variables before it.
    main: Vec<Poly>,
    below: Vec<Poly>,
    origins: Vec<usize>,
}

impl Interval {
    fn is_point(&self) -> bool {
        match (&self.lower, &self.upper) {
            (Some(l), Some(u)) => l.compare(u) == Ordering::Equal,
            _ => false,
        }
    }
}

fn compare_lower(a: &Option<Real>, b: &Option<Real>) -> Ordering {
    match (a, b) {
        (None, None) => Ordering::Equal,
        (None, Some(_)) => Ordering::Less,
        (Some(_), None) => Ordering::Greater,
        (Some(a), Some(b)) => a.compare(b),
    }
}
fn compare_upper(a: &Option<Real>, b: &Option<Real>) -> Ordering {
    match (a, b) {
        (None, None) => Ordering::Equal,
        (None, Some(_)) => Ordering::Greater,
        (Some(_), None) => Ordering::Less,
        (Some(a), Some(b)) => a.compare(b),
    }
}

fn merge(into: &mut Vec<usize>, from: &[usize]) {
    into.extend_from_slice(from);
    into.sort_unstable();
    into.dedup();
}

/// Decides constraints over the variables `0..n_vars`, unless that takes more than so many intervals.
pub fn decide(constraints: &[Constraint], n_vars: usize, max_intervals: u32, budget: &Budget) -> Result<Answer, Halt> {
    let mut derived: Vec<Derived> = constraints
        .iter()
        .enumerate()
        .map(|(k, c)| Derived { poly: c.poly.clone(), relation: c.relation, origins: vec![k] })
        .collect();
    let solved = solve_equations(&mut derived, n_vars, budget)?;
    let mut open = Vec::new();
    for c in derived {
        match c.poly.as_constant() {
            Some(value) if c.relation.holds(value.signum()) => {}
            Some(_) => return Ok(Answer::Unsat(c.origins)),
            None => open.push(c),
        }
    }
    // The variables in the order in which they get values: those of high degree first, so that those of low degree are
    // eliminated first.
    let mut occurring: Vec<usize> = (0..n_vars).filter(|&v| open.iter().any(|c| c.poly.degree(v) > 0)).collect();
    let weight = |v: usize| {
        let degree = open.iter().map(|c| c.poly.degree(v)).max().unwrap_or(0);
        let n_uses = open.iter().filter(|c| c.poly.degree(v) > 0).count();
        (degree, n_uses)
    };
    occurring.sort_by_key(|&v| std::cmp::Reverse(weight(v)));
    let mut names = vec![0; n_vars];
    for (new, &old) in occurring.iter().enumerate() {
        names[old] = new;
    }
    let renamed = open.iter().map(|c| Derived { poly: c.poly.rename(&names), ..c.clone() }).collect();
    let mut search = Search { constraints: renamed, n_vars: occurring.len(), n_intervals: 0, max_intervals, budget };
    let mut sample = Vec::new();
    match search.cover(&mut sample)? {
        Cover::Sat(values) => {
            let mut point = vec![Real::Rational(Rational::ZERO); n_vars];
            for (value, &old) in values.into_iter().zip(&occurring) {
                point[old] = value;
            }
            // Those solved last depend on no other solved one.
            for (var, value) in solved.iter().rev() {
                point[*var] = super::number::value_at(value, &point, budget)?;
            }
            Ok(Answer::Sat(point))
        }
        Cover::Unsat(intervals) => {
            let mut origins = Vec::new();
            for interval in &intervals {
                merge(&mut origins, &interval.origins);
            }
            Ok(Answer::Unsat(origins))
        }
    }
}

/// Uses up equations in which a variable is linear with a constant coefficient: the variables and what they equal, in
/// order.
fn solve_equations(constraints: &mut Vec<Derived>, n_vars: usize, budget: &Budget) -> Result<Vec<(usize, Poly)>, Halt> {
    let mut solved = Vec::new();
    loop {
        let mut found = None;
        for (k, c) in constraints.iter().enumerate() {
            if c.relation != Relation::Equal {
                continue;
            }
            // The variable of the highest number: products come after their factors.
            let candidate = (0..n_vars).rev().filter(|&v| c.poly.degree(v) == 1).find_map(|v| {
                let rest = c.poly.substitute(v, &Poly::zero());
                let factor = c.poly.sub(&rest).divided_by(&Poly::variable(v))?;
                Some((v, rest.scale(&-factor.as_constant()?.recip())))
            });
            if let Some((var, value)) = candidate {
                found = Some((k, var, value));
                break;
            }
        }
        let Some((k, var, value)) = found else { return Ok(solved) };
        budget.check_now()?;
        let equation = constraints.remove(k);
        for c in constraints.iter_mut().filter(|c| c.poly.degree(var) > 0) {
            c.poly = c.poly.substitute(var, &value);
            merge(&mut c.origins, &equation.origins);
            if c.poly.size() > MAX_SIZE {
                return Err(Halt::GaveUp("a polynomial of too many terms"));
            }
        }
        solved.push((var, value));
    }
}

enum Cover {
    Sat(Vec<Real>),
    Unsat(Vec<Interval>),
}

struct Search<'a> {
    constraints: Vec<Derived>,
    n_vars: usize,
    n_intervals: u32,
    max_intervals: u32,
    budget: &'a Budget,
}

impl Search<'_> {
    /// Covers the line over the point, or extends the point to a solution.
    fn cover(&mut self, sample: &mut Vec<Real>) -> Result<Cover, Halt> {
        let level = sample.len();
        if level == self.n_vars {
            return Ok(Cover::Sat(sample.clone()));
        }
        let mut intervals = self.excluded(sample)?;
        let mut failure = None;
        let mut n_failures = 0;
        while let Some(value) = outside(&intervals) {
            self.budget.check_now()?;
            match self.impossible(sample, &value) {
                Ok(Ok(values)) => return Ok(Cover::Sat(values)),
                Ok(Err(interval)) => intervals.push(*interval),
                Err(Halt::Stopped(stop)) => return Err(Halt::Stopped(stop)),
                Err(halt) => {
                    // Another value may be part of a solution, but none will show that there is none.
                    n_failures += 1;
                    if n_failures > MAX_FAILURES || self.n_intervals > self.max_intervals {
                        return Err(halt);
                    }
                    failure = Some(halt);
                    intervals.push(Interval {
                        lower: Some(value.clone()),
                        upper: Some(value),
                        lower_polys: Vec::new(),
                        upper_polys: Vec::new(),
                        main: Vec::new(),
                        below: Vec::new(),
                        origins: Vec::new(),
                    });
                }
            }
        }
        match failure {
            Some(halt) => Err(halt),
            None => Ok(Cover::Unsat(chain(&intervals)?)),
        }
    }

    /// A solution over the point and a value, or the interval around the value that has none for the same reason.
    fn impossible(&mut self, sample: &mut Vec<Real>, value: &Real) -> Result<Result<Vec<Real>, Box<Interval>>, Halt> {
        sample.push(value.clone());
        let covered = self.cover(sample);
        let characterised = match covered {
            Ok(Cover::Sat(values)) => return Ok(Ok(values)),
            Ok(Cover::Unsat(above)) => {
                let mut origins = Vec::new();
                for interval in &above {
                    merge(&mut origins, &interval.origins);
                }
                self.characterise(sample, &above).map(|polys| (polys, origins))
            }
            Err(halt) => Err(halt),
        };
        sample.pop();
        let (polys, origins) = characterised?;
        Ok(Err(Box::new(self.around(sample, value, polys, origins)?)))
    }

    fn count_interval(&mut self) -> Result<(), Halt> {
        self.n_intervals += 1;
        if self.n_intervals > self.max_intervals {
            return Err(Halt::GaveUp("too many intervals"));
        }
        self.budget.check_now()?;
        Ok(())
    }

    /// The intervals that constraints in the next variable exclude.
    fn excluded(&mut self, sample: &[Real]) -> Result<Vec<Interval>, Halt> {
        let level = sample.len();
        let mut found = Vec::new();
        for k in 0..self.constraints.len() {
            if self.constraints[k].poly.main() != Some(level) {
                continue;
            }
            let Derived { poly, relation, origins } = self.constraints[k].clone();
            let whole = |main: Vec<Poly>, below: Vec<Poly>| Interval {
                lower: None,
                upper: None,
                lower_polys: Vec::new(),
                upper_polys: Vec::new(),
                main,
                below,
                origins: origins.clone(),
            };
            let Some(roots) = roots_over(&poly, level, sample, self.budget)? else {
                // Zero on the whole line: that all coefficients are zero is the reason.
                if !relation.holds(0) {
                    self.count_interval()?;
                    let below = poly.coefficients_in(level).iter().filter(|c| !c.is_zero()).cloned().collect();
                    return Ok(vec![whole(Vec::new(), below)]);
                }
                continue;
            };
            let (content, part) = poly.split_content();
            let main = vec![part.square_free()];
            let below = vec![content];
            let partial = at_rationals(&poly, sample);
            let sign_between = |low: Option<&Real>, high: Option<&Real>| -> Result<i32, Halt> {
                let mut point = sample.to_vec();
                point.push(Real::Rational(Real::between(low, high)));
                sign_at(&partial, &point, self.budget)
            };
            let mut new = Vec::new();
            for i in 0..=roots.len() {
                let (low, high) = (i.checked_sub(1).and_then(|i| roots.get(i)), roots.get(i));
                if !relation.holds(sign_between(low, high)?) {
                    new.push((low.cloned(), high.cloned()));
                }
                if let Some(root) = high
                    && !relation.holds(0)
                {
                    new.push((Some(root.clone()), Some(root.clone())));
                }
            }
            for (lower, upper) in new {
                self.count_interval()?;
                let (lower_polys, upper_polys) = (
                    if lower.is_some() { main.clone() } else { Vec::new() },
                    if upper.is_some() { main.clone() } else { Vec::new() },
                );
                found.push(Interval {
                    lower,
                    upper,
                    lower_polys,
                    upper_polys,
                    main: main.clone(),
                    below: below.clone(),
                    origins: origins.clone(),
                });
            }
        }
        Ok(found)
    }

    /// Polynomials in the variables of the point: as long as their signs do not change, the covering stays one.
    fn characterise(&mut self, sample: &[Real], covering: &[Interval]) -> Result<Vec<Poly>, Halt> {
        let var = sample.len();
        let mut polys: Vec<Poly> = Vec::new();
        for interval in covering {
            polys.extend(interval.below.iter().cloned());
            for p in &interval.main {
                self.guard(p)?;
                polys.push(discriminant(p, self.budget)?);
                let mut is_zero = true;
                for c in p.coefficients_in(var).iter().rev().filter(|c| !c.is_zero()) {
                    polys.push(c.clone());
                    if sign_at(c, sample, self.budget)? != 0 {
                        is_zero = false;
                        break;
                    }
                }
                if is_zero {
                    return Err(Halt::GaveUp("a polynomial that vanishes on a line"));
                }
                for end in interval.lower_polys.iter().chain(&interval.upper_polys) {
                    polys.extend(self.separation(end, p, var)?);
                }
            }
        }
        for pair in covering.windows(2) {
            for p in &pair[0].upper_polys {
                for q in &pair[1].lower_polys {
                    polys.extend(self.separation(p, q, var)?);
                }
            }
        }
        Ok(polys)
    }

    /// The polynomial that is zero where different zeros of two polynomials meet.
    fn separation(&self, p: &Poly, q: &Poly, var: usize) -> Result<Option<Poly>, Halt> {
        if p == q {
            return Ok(None);
        }
        self.guard(p)?;
        self.guard(q)?;
        let common = gcd(p, q);
        if common.main() != Some(var) {
            return Ok(Some(resultant(p, q, var, self.budget)?));
        }
        // Where the common factor meets the others, a discriminant is zero.
        match (p.divided_by(&common), q.divided_by(&common)) {
            (Some(p), Some(q)) if p.main() == Some(var) && q.main() == Some(var) => {
                Ok(Some(resultant(&p, &q, var, self.budget)?))
            }
            (Some(_), Some(_)) => Ok(None),
            _ => Err(Halt::GaveUp("a common factor that does not divide")),
        }
    }

    fn guard(&self, p: &Poly) -> Result<(), Halt> {
        self.budget.check_now()?;
        if p.size() > MAX_SIZE || p.bits() > MAX_BITS {
            return Err(Halt::GaveUp("a polynomial of too many terms"));
        }
        Ok(())
    }

    /// The interval around a value in which no polynomial changes its sign.
    fn around(
        &mut self,
        sample: &[Real],
        value: &Real,
        polys: Vec<Poly>,
        origins: Vec<usize>,
    ) -> Result<Interval, Halt> {
        self.count_interval()?;
        let level = sample.len();
        let (main, below) = self.basis(polys, level)?;
        let mut interval = Interval {
            lower: None,
            upper: None,
            lower_polys: Vec::new(),
            upper_polys: Vec::new(),
            main,
            below,
            origins,
        };
        for p in interval.main.clone() {
            let Some(roots) = roots_over(&p, level, sample, self.budget)? else {
                return Err(Halt::GaveUp("a polynomial that vanishes on a line"));
            };
            for root in roots {
                let side = root.compare(value);
                if side != Ordering::Greater {
                    match compare_lower(&Some(root.clone()), &interval.lower) {
                        Ordering::Greater => {
                            interval.lower = Some(root.clone());
                            interval.lower_polys = vec![p.clone()];
                        }
                        Ordering::Equal => interval.lower_polys.push(p.clone()),
                        Ordering::Less => {}
                    }
                }
                if side != Ordering::Less {
                    match compare_upper(&Some(root.clone()), &interval.upper) {
                        Ordering::Less => {
                            interval.upper = Some(root);
                            interval.upper_polys = vec![p.clone()];
                        }
                        Ordering::Equal => interval.upper_polys.push(p.clone()),
                        Ordering::Greater => {}
                    }
                }
            }
        }
        Ok(interval)
    }

    /// Square-free polynomials without common factors in variable `level`, and what remains in the variables before.
    fn basis(&self, polys: Vec<Poly>, level: usize) -> Result<(Vec<Poly>, Vec<Poly>), Halt> {
        let mut below = Vec::new();
        let mut work = Vec::new();
        for p in polys {
            self.guard(&p)?;
            if p.is_zero() {
                return Err(Halt::GaveUp("a projection that is zero"));
            }
            if p.main() == Some(level) {
                let (content, part) = p.split_content();
                below.push(content);
                work.push(part.square_free());
            } else {
                below.push(p.normalised());
            }
        }
        let mut main: Vec<Poly> = Vec::new();
        while let Some(p) = work.pop() {
            self.budget.check_now()?;
            if p.main() != Some(level) || main.contains(&p) {
                continue;
            }
            let meets = main.iter().position(|q| gcd(&p, q).main() == Some(level));
            match meets {
                None => main.push(p),
                Some(at) => {
                    let q = main.swap_remove(at);
                    let common = gcd(&p, &q);
                    for part in [&p, &q] {
                        match part.divided_by(&common) {
                            Some(rest) => work.push(rest.normalised()),
                            None => return Err(Halt::GaveUp("a common factor that does not divide")),
                        }
                    }
                    work.push(common);
                }
            }
        }
        below.retain(|p| p.as_constant().is_none());
        below.sort();
        below.dedup();
        main.sort();
        Ok((main, below))
    }
}

/// A value outside of all intervals; a rational one if there is one.
fn outside(intervals: &[Interval]) -> Option<Real> {
    let mut sorted: Vec<&Interval> = intervals.iter().collect();
    // A point comes before the intervals that start at it.
    sorted.sort_by(|a, b| compare_lower(&a.lower, &b.lower).then_with(|| b.is_point().cmp(&a.is_point())));
    let mut point = None;
    // Everything below `end` is covered, and `end` itself if it is closed.
    let mut end: Option<Real> = None;
    let mut is_start = true;
    let mut is_closed = true;
    for interval in sorted {
        let side = if is_start {
            if interval.lower.is_none() { Ordering::Equal } else { Ordering::Greater }
        } else {
            compare_lower(&interval.lower, &end)
        };
        match side {
            Ordering::Greater => {
                let low = if is_start { None } else { end.as_ref() };
                return Some(Real::Rational(Real::between(low, interval.lower.as_ref())));
            }
            Ordering::Equal if !is_start && interval.is_point() => {
                is_closed = true;
                continue;
            }
            Ordering::Equal if !is_closed && point.is_none() => point = end.clone(),
            Ordering::Equal | Ordering::Less => {}
        }
        if is_start || compare_upper(&interval.upper, &end) == Ordering::Greater {
            match &interval.upper {
                None => return point,
                Some(upper) => {
                    end = Some(upper.clone());
                    is_closed = false;
                    is_start = false;
                }
            }
        }
    }
    let low = if is_start { None } else { end.as_ref() };
    Some(Real::Rational(Real::between(low, None)))
}

/// Intervals that cover the line, each reaching farther than the one before and meeting it; the given ones cover it.
fn chain(intervals: &[Interval]) -> Result<Vec<Interval>, Halt> {
    let mut chain: Vec<Interval> = Vec::new();
    // `None` before the first one. The end is covered if the last interval is a point.
    let mut end: Option<Option<Real>> = None;
    let mut is_closed = false;
    loop {
        let mut best: Option<&Interval> = None;
        for interval in intervals {
            let fits = match &end {
                None => interval.lower.is_none(),
                Some(end) => {
                    let side = compare_lower(&interval.lower, end);
                    let is_farther = compare_upper(&interval.upper, end) == Ordering::Greater;
                    match side {
                        Ordering::Less => is_farther,
                        Ordering::Equal => (is_farther && is_closed) || (interval.is_point() && !is_closed),
                        Ordering::Greater => false,
                    }
                }
            };
            let is_better = best.is_none_or(|b| compare_upper(&interval.upper, &b.upper) == Ordering::Greater);
            if fits && is_better {
                best = Some(interval);
            }
        }
        let Some(best) = best else { return Err(Halt::GaveUp("intervals that do not cover the line")) };
        chain.push(best.clone());
        if best.upper.is_none() {
            return Ok(chain);
        }
        is_closed = best.is_point();
        end = Some(best.upper.clone());
    }
}

/// The polynomial of a number that is not rational, and which of its real roots it is, counted from one.
pub fn as_root(value: &Real) -> Option<(Univariate, usize)> {
    match value {
        Real::Rational(_) => None,
        Real::Root(root) => {
            let roots = Real::roots(&root.poly);
            let index = roots.iter().position(|r| r.compare(value) == Ordering::Equal)?;
            Some((root.poly.clone(), index + 1))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(n: i64) -> Poly {
        Poly::constant(Rational::from(n))
    }

    fn is_sat(constraints: &[(Poly, Relation)], n_vars: usize) -> bool {
        let constraints: Vec<Constraint> =
            constraints.iter().map(|(poly, relation)| Constraint { poly: poly.clone(), relation: *relation }).collect();
        match decide(&constraints, n_vars, 5000, &Budget::unlimited()).unwrap() {
            Answer::Sat(point) => {
                for c in &constraints {
                    assert!(c.relation.holds(sign_at(&c.poly, &point, &Budget::unlimited()).unwrap()), "{point:?}");
                }
                true
            }
            Answer::Unsat(core) => {
                assert!(!core.is_empty());
                false
            }
        }
    }

    #[test]
    fn roots_of_two() {
        let x = Poly::variable(0);
        let square = x.mul(&x).sub(&number(2));
        assert!(is_sat(&[(square.clone(), Relation::Equal)], 1));
        assert!(is_sat(&[(square.clone(), Relation::Equal), (x.clone(), Relation::Greater)], 1));
        let large = x.sub(&number(2));
        assert!(!is_sat(&[(square, Relation::Equal), (large, Relation::Greater)], 1));
        assert!(!is_sat(&[(x.mul(&x).add(&number(1)), Relation::LessEqual)], 1));
    }

    #[test]
    fn circle_and_hyperbola() {
        // x² + y² = 1 has points with xy = 1/4, one kind with xy = 1/2, none with xy > 1/2.
        let [x, y] = [0, 1].map(Poly::variable);
        let circle = x.mul(&x).add(&y.mul(&y)).sub(&number(1));
        let product = |c: Rational| x.mul(&y).sub(&Poly::constant(c));
        assert!(is_sat(&[(circle.clone(), Relation::Equal), (product(Rational::ratio(1, 4)), Relation::Equal)], 2));
        assert!(is_sat(&[(circle.clone(), Relation::Equal), (product(Rational::ratio(1, 2)), Relation::Equal)], 2));
        assert!(!is_sat(&[(circle, Relation::Equal), (product(Rational::ratio(1, 2)), Relation::Greater)], 2));
    }

    #[test]
    fn a_sphere_has_no_point_outside_of_its_cube() {
        let [x, y, z] = [0, 1, 2].map(Poly::variable);
        let square = |p: &Poly| p.mul(p);
        let sphere = square(&x).add(&square(&y)).add(&square(&z)).sub(&number(1));
        let sum = x.add(&y).add(&z);
        assert!(is_sat(&[(sphere.clone(), Relation::Less), (sum.sub(&number(1)), Relation::Greater)], 3));
        assert!(!is_sat(&[(sphere.clone(), Relation::Less), (sum.sub(&number(2)), Relation::Greater)], 3));
        assert!(!is_sat(&[(sphere, Relation::Less), (square(&sum).sub(&number(3)), Relation::Greater)], 3));
    }
}
