//! Affine spaces over the integers modulo 2ʷ (Müller-Olm, Seidl 2005).
//!
//! Counters that wrap around satisfy equations only modulo a power of two: `head − tail ≡ count (mod 2³²)`. The
//! residues are a ring, not a field: a row is brought into echelon form by a pivot of the least *valuation* (the fewest
//! factors 2), because such a number divides all others up to a unit. A direction whose pivot is 2ᵉ with e > 0
//! leaves the equation `2ʷ⁻ᵉ·x ≡ c` behind, that is, what is known about the last e bits of `x`.

use crate::geometry::{Geometry, linear_sum};
use logic::{BigInt, Rational, TermId, TermPool};

/// Integers modulo 2ʷ, w at most 64.
pub struct Residues {
    pub bits: u32,
}

/// A point, and the directions in which the space extends, in echelon form.
pub struct Space {
    origin: Vec<u64>,
    directions: Vec<Direction>,
}

/// `row[pivot]` is 2^`valuation`, which divides all of `row`; later rows are 0 there.
struct Direction {
    row: Vec<u64>,
    pivot: usize,
    valuation: u32,
}

impl Geometry for Residues {
    type Space = Space;

    fn everything(&self, n: usize) -> Space {
        let unit = |k: usize| (0..n).map(|i| u64::from(i == k)).collect::<Vec<u64>>();
        Space { origin: vec![0; n], directions: self.echelon((0..n).map(unit).collect()) }
    }

    fn point(&self, point: &[Rational]) -> Space {
        Space { origin: self.residues(point), directions: Vec::new() }
    }

    fn include(&self, space: &mut Space, point: &[Rational]) -> bool {
        let point = self.residues(point);
        if self.annihilators(space).iter().all(|a| self.product(a, &point) == self.product(a, &space.origin)) {
            return false;
        }
        let mut rows: Vec<Vec<u64>> = space.directions.drain(..).map(|d| d.row).collect();
        rows.push(point.iter().zip(&space.origin).map(|(p, o)| self.reduce(p.wrapping_sub(*o))).collect());
        space.directions = self.echelon(rows);
        true
    }

    fn equations(&self, pool: &mut TermPool, space: &Space, terms: &[TermId]) -> Vec<TermId> {
        let mut equations = Vec::new();
        for a in self.annihilators(space) {
            let constant = self.product(&a, &space.origin);
            // A common factor 2ᵍ leaves an equation modulo 2ʷ⁻ᵍ.
            let shift = a.iter().map(|x| x.trailing_zeros()).min().unwrap_or(0).min(self.bits - 1);
            let rest = Residues { bits: self.bits - shift };
            let coefficients: Vec<Rational> = a.iter().map(|x| rest.nearest_to_zero(x >> shift)).collect();
            let sum = linear_sum(pool, &coefficients, terms);
            let modulus = pool.int_num(rest.modulus());
            let constant = pool.int_num(Rational::from(constant >> shift));
            let residue = pool.modulo(sum, modulus);
            equations.push(pool.eq(residue, constant));
        }
        equations
    }
}

impl Residues {
    pub fn modulus(&self) -> Rational {
        Rational::from(1i128 << self.bits)
    }

    fn reduce(&self, x: u64) -> u64 {
        x & (u64::MAX >> (64 - self.bits))
    }

    fn residues(&self, point: &[Rational]) -> Vec<u64> {
        let residue = |x: &Rational| {
            let number = x.rem_euclid(&self.modulus()).to_bigint().unwrap_or(BigInt::ZERO);
            u64::try_from(number).unwrap_or(0)
        };
        point.iter().map(residue).collect()
    }

    /// The number of this residue class with the least absolute value.
    fn nearest_to_zero(&self, x: u64) -> Rational {
        let number = i128::from(self.reduce(x));
        Rational::from(if number > 1i128 << (self.bits - 1) { number - (1i128 << self.bits) } else { number })
    }

    fn product(&self, a: &[u64], x: &[u64]) -> u64 {
        self.reduce(a.iter().zip(x).fold(0, |sum: u64, (a, x)| sum.wrapping_add(a.wrapping_mul(*x))))
    }

    /// Directions that span what the rows span.
    fn echelon(&self, mut rows: Vec<Vec<u64>>) -> Vec<Direction> {
        let mut directions = Vec::new();
        loop {
            let entries =
                rows.iter().enumerate().flat_map(|(r, row)| row.iter().enumerate().map(move |(k, x)| (r, k, x)));
            let nonzero = entries.filter(|(_, _, x)| **x != 0);
            let Some((valuation, r, pivot)) = nonzero.map(|(r, k, x)| (x.trailing_zeros(), r, k)).min() else { break };
            let mut row = rows.swap_remove(r);
            let unit = inverse(row[pivot] >> valuation);
            row.iter_mut().for_each(|x| *x = self.reduce(x.wrapping_mul(unit)));
            for other in &mut rows {
                let factor = other[pivot] >> valuation;
                for (x, d) in other.iter_mut().zip(&row) {
                    *x = self.reduce(x.wrapping_sub(factor.wrapping_mul(*d)));
                }
            }
            directions.push(Direction { row, pivot, valuation });
        }
        directions
    }

    /// Vectors that generate all those orthogonal to every direction.
    fn annihilators(&self, space: &Space) -> Vec<Vec<u64>> {
        let n = space.origin.len();
        let directions = &space.directions;
        // Solves the rows before the first `n_rows`, from the last to the first, for what the pivots must be.
        let solve = |mut a: Vec<u64>, n_rows: usize| {
            for d in directions[..n_rows].iter().rev() {
                let rest = (0..n).filter(|&k| k != d.pivot);
                let sum = rest.fold(0u64, |sum, k| sum.wrapping_add((d.row[k] >> d.valuation).wrapping_mul(a[k])));
                a[d.pivot] = self.reduce(sum.wrapping_neg());
            }
            a
        };
        let start = |k: usize, value: u64| {
            let mut a = vec![0; n];
            a[k] = value;
            a
        };
        let free = (0..n).filter(|k| directions.iter().all(|d| d.pivot != *k));
        let mut annihilators: Vec<Vec<u64>> = free.map(|k| solve(start(k, 1), directions.len())).collect();
        for (j, d) in directions.iter().enumerate().filter(|(_, d)| d.valuation > 0) {
            annihilators.push(solve(start(d.pivot, 1 << (self.bits - d.valuation)), j));
        }
        annihilators
    }
}

/// The inverse of an odd number modulo 2⁶⁴, by Newton's iteration.
fn inverse(x: u64) -> u64 {
    // Five correct bits at first, twice as many after each step.
    let mut y = x.wrapping_mul(3) ^ 2;
    for _ in 0..4 {
        y = y.wrapping_mul(2u64.wrapping_sub(x.wrapping_mul(y)));
    }
    y
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn rationals(point: &[u64]) -> Vec<Rational> {
        point.iter().map(|&x| Rational::from(x)).collect()
    }

    /// All points that are a sum of the first point and multiples of the differences to it.
    fn spanned(points: &[Vec<u64>], modulus: u64) -> BTreeSet<Vec<u64>> {
        let mut known = BTreeSet::from([points[0].clone()]);
        let mut todo = vec![points[0].clone()];
        while let Some(p) = todo.pop() {
            for q in points {
                let next: Vec<u64> = (0..p.len()).map(|k| (p[k] + q[k] + modulus - points[0][k]) % modulus).collect();
                if known.insert(next.clone()) {
                    todo.push(next);
                }
            }
        }
        known
    }

    proptest! {
        #[test]
        fn the_equations_of_a_space_hold_exactly_on_it(points in prop::collection::vec(prop::collection::vec(0u64..8, 3), 1..5)) {
            let ring = Residues { bits: 3 };
            let mut space = ring.point(&rationals(&points[0]));
            for (k, p) in points.iter().enumerate().skip(1) {
                let is_new = !spanned(&points[..k], 8).contains(p);
                prop_assert_eq!(ring.include(&mut space, &rationals(p)), is_new);
            }
            let annihilators = ring.annihilators(&space);
            let expected = spanned(&points, 8);
            for code in 0..512u64 {
                let p = vec![code % 8, code / 8 % 8, code / 64];
                let holds = annihilators.iter().all(|a| ring.product(a, &p) == ring.product(a, &space.origin));
                prop_assert_eq!(holds, expected.contains(&p), "{:?}", p);
            }
        }

        #[test]
        fn odd_numbers_have_inverses(x in any::<u64>()) {
            prop_assert_eq!((x | 1).wrapping_mul(inverse(x | 1)), 1);
        }
    }
}
