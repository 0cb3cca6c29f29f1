//! What an affine space is, for the fixed point that looks for one at each location.

use logic::{Rational, TermId, TermPool};

/// A kind of affine spaces.
pub trait Geometry {
    type Space;

    /// The space of all points with `n` coordinates.
    fn everything(&self, n: usize) -> Self::Space;

    fn point(&self, point: &[Rational]) -> Self::Space;

    /// The smallest space that contains the point too. Is it larger?
    fn include(&self, space: &mut Self::Space, point: &[Rational]) -> bool;

    /// Equations between the terms whose solutions are the space.
    fn equations(&self, pool: &mut TermPool, space: &Self::Space, terms: &[TermId]) -> Vec<TermId>;
}

/// `coefficients · terms`.
pub fn linear_sum(pool: &mut TermPool, coefficients: &[Rational], terms: &[TermId]) -> TermId {
    let mut sum = Vec::new();
    for (a, &x) in coefficients.iter().zip(terms) {
        if !a.is_zero() {
            sum.push(pool.scale(x, a));
        }
    }
    pool.add(&sum)
}
