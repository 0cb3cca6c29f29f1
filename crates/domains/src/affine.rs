//! Affine spaces over the rationals (Karr 1976).

use crate::geometry::{Geometry, linear_sum};
use logic::{Rational, TermId, TermPool};

pub struct Rationals;

/// An affine space: a point, and the directions in which it extends, in reduced row echelon form.
pub struct Space {
    origin: Vec<Rational>,
    directions: Vec<Vec<Rational>>,
}

impl Geometry for Rationals {
    type Space = Space;

    fn everything(&self, n: usize) -> Space {
        let unit = |k: usize| (0..n).map(|i| Rational::from(i64::from(i == k))).collect::<Vec<_>>();
        Space { origin: vec![Rational::from(0i64); n], directions: (0..n).map(unit).collect() }
    }

    fn point(&self, point: &[Rational]) -> Space {
        Space { origin: point.to_vec(), directions: Vec::new() }
    }

    fn include(&self, space: &mut Space, point: &[Rational]) -> bool {
        let mut row: Vec<Rational> = point.iter().zip(&space.origin).map(|(p, o)| p - o).collect();
        for direction in &space.directions {
            if let Some(k) = pivot(direction) {
                subtract(&mut row, direction, k);
            }
        }
        let Some(k) = pivot(&row) else { return false };
        let scale = row[k].recip();
        row.iter_mut().for_each(|x| *x = &*x * &scale);
        for direction in &mut space.directions {
            subtract(direction, &row, k);
        }
        space.directions.push(row);
        true
    }

    fn equations(&self, pool: &mut TermPool, space: &Space, terms: &[TermId]) -> Vec<TermId> {
        let mut equations = Vec::new();
        for (coefficients, constant) in space.equations() {
            let denominators = coefficients.iter().chain([&constant]).map(Rational::denom_rational);
            let scale = denominators.fold(Rational::from(1i64), |a, b| a.lcm(&b));
            let coefficients: Vec<Rational> = coefficients.iter().map(|a| a * &scale).collect();
            let (left, right) = (linear_sum(pool, &coefficients, terms), pool.int_num(&constant * &scale));
            equations.push(pool.eq(left, right));
        }
        equations
    }
}

impl Space {
    /// Equations `coefficients · x = constant` whose solutions are the space.
    fn equations(&self) -> Vec<(Vec<Rational>, Rational)> {
        let n = self.origin.len();
        let pivots: Vec<usize> = self.directions.iter().filter_map(|row| pivot(row)).collect();
        let free = (0..n).filter(|k| !pivots.contains(k));
        free.map(|k| {
            let mut coefficients = vec![Rational::from(0i64); n];
            coefficients[k] = Rational::from(1i64);
            for (row, &p) in self.directions.iter().zip(&pivots) {
                coefficients[p] = -row[k].clone();
            }
            let constant =
                coefficients.iter().zip(&self.origin).fold(Rational::from(0i64), |sum, (a, x)| &sum + &(a * x));
            (coefficients, constant)
        })
        .collect()
    }
}

fn pivot(row: &[Rational]) -> Option<usize> {
    row.iter().position(|x| !x.is_zero())
}

/// Takes so much of `direction`, which is 1 at `k`, from `row` that `row` is 0 there.
fn subtract(row: &mut [Rational], direction: &[Rational], k: usize) {
    let factor = row[k].clone();
    if !factor.is_zero() {
        for (x, d) in row.iter_mut().zip(direction) {
            *x = &*x - &(&factor * d);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(numbers: &[i64]) -> Vec<Rational> {
        numbers.iter().map(|&n| Rational::from(n)).collect()
    }

    #[test]
    fn the_equations_of_a_space_hold_exactly_on_it() {
        let mut space = Rationals.point(&row(&[1, 2, 3]));
        assert!(Rationals.include(&mut space, &row(&[2, 4, 3])));
        assert!(!Rationals.include(&mut space, &row(&[0, 0, 3])), "on the line through both");
        let holds = |space: &Space, point: &[i64]| {
            space.equations().iter().all(|(a, c)| {
                let sum = a.iter().zip(row(point)).fold(Rational::from(0i64), |sum, (a, x)| &sum + &(a * &x));
                sum == *c
            })
        };
        assert_eq!(space.equations().len(), 2);
        for point in [[1, 2, 3], [2, 4, 3], [-3, -6, 3]] {
            assert!(holds(&space, &point), "{point:?}");
        }
        for point in [[1, 2, 4], [1, 1, 3], [0, 0, 0]] {
            assert!(!holds(&space, &point), "{point:?}");
        }
        assert!(Rationals.include(&mut space, &row(&[0, 1, 3])) && Rationals.include(&mut space, &row(&[0, 0, 0])));
        assert!(space.equations().is_empty(), "everything");
    }
}
