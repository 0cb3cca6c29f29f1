//! By how much an iteration multiplies: rational eigenvalues of its linear part.
//!
//! Both sides of the analysis need numbers that would otherwise be unknowns multiplied by unknowns: the factor by which
//! an iteration multiplies a supporting invariant, and the factor by which it stretches the ray of a geometric
//! argument. Where an iteration is `x' = M x + c` these are eigenvalues of `M` (invariants are left eigenvectors, rays
//! right ones), so they need not be guessed: solve the equations of the iteration for the values after it, split `M`
//! into its strongly connected blocks, and find the rational roots of each characteristic polynomial
//! (Faddeev–LeVerrier, then the rational root test).
//!
//! Only candidates come out of this; whoever uses one solves a linear program or asks a solver with it.

use super::linear::{Polyhedron, RowKind};
use logic::Rational;

/// Larger blocks are left alone.
const MAX_BLOCK: usize = 6;
/// Coefficients of polynomials beyond this are not factored.
const MAX_FACTORED: i64 = 1_000_000;

/// The rational eigenvalues that are not negative of the update of some variables; `before[i]` and `after[i]` are the
/// columns of the i-th variable (the same column if it does not change).
pub fn rational_eigenvalues(turn: &Polyhedron, before: &[usize], after: &[usize]) -> Vec<Rational> {
    let matrix = update_matrix(turn, before, after);
    let mut found: Vec<Rational> = Vec::new();
    for block in blocks(&matrix) {
        if block.len() > MAX_BLOCK {
            continue;
        }
        let part: Vec<Vec<Rational>> = block
            .iter()
            .map(|&i| {
                let row = matrix[i].as_deref().unwrap_or_default();
                block.iter().map(|&j| row[j].clone()).collect()
            })
            .collect();
        for root in rational_roots(&characteristic_polynomial(&part)) {
            if !root.is_negative() && !found.contains(&root) {
                found.push(root);
            }
        }
    }
    found
}

/// Row i: the coefficients of the variables before the iteration in the i-th variable after it; `None` if the equations
/// do not determine it, or only from something that they do not determine.
fn update_matrix(turn: &Polyhedron, before: &[usize], after: &[usize]) -> Vec<Option<Vec<Rational>>> {
    let n = before.len();
    let equations = || turn.rows.iter().filter(|r| r.kind == RowKind::Equal);
    // Auxiliary columns first, then the values after the iteration, then those before it: what is eliminated first.
    let mut order: Vec<usize> = equations().flat_map(|r| r.coefficients.iter().map(|(c, _)| *c)).collect();
    order.sort_unstable();
    order.dedup();
    order.retain(|c| !before.contains(c) && !after.contains(c));
    let n_aux = order.len();
    order.extend(after.iter().zip(before).filter(|(a, b)| a != b).map(|(a, _)| *a));
    let n_eliminated = order.len();
    order.extend(before);
    let mut rows: Vec<Vec<Rational>> = equations()
        .map(|r| {
            let value = |column: &usize| r.coefficients.iter().find(|(c, _)| c == column).map(|(_, k)| k.clone());
            order.iter().map(|c| value(c).unwrap_or_default()).collect()
        })
        .collect();
    let mut pivots: Vec<(usize, usize)> = Vec::new();
    for column in 0..n_eliminated {
        let next = pivots.len();
        let Some(pivot) = (next..rows.len()).find(|r| !rows[*r][column].is_zero()) else { continue };
        rows.swap(next, pivot);
        let inverse = rows[next][column].recip();
        rows[next].iter_mut().for_each(|x| *x = &*x * &inverse);
        let pivot_row = rows[next].clone();
        for (r, row) in rows.iter_mut().enumerate() {
            if r != next && !row[column].is_zero() {
                let factor = row[column].clone();
                for (x, p) in row.iter_mut().zip(&pivot_row) {
                    *x -= &factor * p;
                }
            }
        }
        pivots.push((column, next));
    }
    let mut matrix: Vec<Option<Vec<Rational>>> = vec![None; n];
    for i in 0..n {
        if before[i] == after[i] {
            let unit = (0..n).map(|j| if i == j { Rational::one() } else { Rational::zero() });
            matrix[i] = Some(unit.collect());
            continue;
        }
        let Some(column) = order[n_aux..n_eliminated].iter().position(|c| *c == after[i]) else { continue };
        let Some(&(column, row)) = pivots.iter().find(|(c, _)| *c == n_aux + column) else { continue };
        let others_vanish = (0..n_eliminated).all(|c| c == column || rows[row][c].is_zero());
        if others_vanish {
            matrix[i] = Some(rows[row][n_eliminated..].iter().map(|c| -c).collect());
        }
    }
    // What depends on something undetermined is undetermined.
    loop {
        let bad = (0..n)
            .find(|&i| matrix[i].as_ref().is_some_and(|row| (0..n).any(|j| !row[j].is_zero() && matrix[j].is_none())));
        match bad {
            Some(i) => matrix[i] = None,
            None => return matrix,
        }
    }
}

/// The strongly connected blocks of the variables that the matrix determines.
fn blocks(matrix: &[Option<Vec<Rational>>]) -> Vec<Vec<usize>> {
    let n = matrix.len();
    let mut reaches: Vec<Vec<bool>> =
        matrix.iter().map(|row| (0..n).map(|j| row.as_ref().is_some_and(|r| !r[j].is_zero())).collect()).collect();
    for k in 0..n {
        for i in 0..n {
            if reaches[i][k] {
                let through = reaches[k].clone();
                reaches[i].iter_mut().zip(through).for_each(|(r, t)| *r |= t);
            }
        }
    }
    let mut assigned = vec![false; n];
    let mut result = Vec::new();
    for i in 0..n {
        if assigned[i] || matrix[i].is_none() {
            continue;
        }
        let block: Vec<usize> = (i..n).filter(|&j| j == i || (reaches[i][j] && reaches[j][i])).collect();
        block.iter().for_each(|j| assigned[*j] = true);
        result.push(block);
    }
    result
}

/// Coefficients from the constant upwards; the last is 1.
fn characteristic_polynomial(matrix: &[Vec<Rational>]) -> Vec<Rational> {
    let k = matrix.len();
    let mut coefficients = vec![Rational::zero(); k + 1];
    coefficients[k] = Rational::one();
    let mut power: Vec<Vec<Rational>> = vec![vec![Rational::zero(); k]; k];
    for step in 1..=k {
        // power := matrix · power + c·1, then the next coefficient is -trace(matrix · power) / step.
        let mut next = product(matrix, &power);
        for (i, row) in next.iter_mut().enumerate() {
            row[i] += &coefficients[k + 1 - step];
        }
        power = next;
        let trace: Rational = product(matrix, &power).iter().enumerate().map(|(i, row)| row[i].clone()).sum();
        coefficients[k - step] = -(trace / Rational::from(step as i64));
    }
    coefficients
}

fn product(a: &[Vec<Rational>], b: &[Vec<Rational>]) -> Vec<Vec<Rational>> {
    let k = a.len();
    let entry = |i: usize, j: usize| (0..k).map(|l| &a[i][l] * &b[l][j]).sum::<Rational>();
    (0..k).map(|i| (0..k).map(|j| entry(i, j)).collect()).collect()
}

/// The rational roots of a polynomial given from the constant upwards.
fn rational_roots(polynomial: &[Rational]) -> Vec<Rational> {
    let mut rest: &[Rational] = polynomial;
    let mut roots = Vec::new();
    if rest.first().is_some_and(Rational::is_zero) {
        roots.push(Rational::zero());
        while rest.first().is_some_and(Rational::is_zero) {
            rest = &rest[1..];
        }
    }
    let scale = rest.iter().fold(Rational::one(), |acc, c| acc.lcm(&c.denom_rational()));
    let whole: Vec<Rational> = rest.iter().map(|c| c * &scale).collect();
    let ends = (whole.first().and_then(Rational::to_i64), whole.last().and_then(Rational::to_i64));
    let (Some(first), Some(last)) = ends else { return roots };
    if whole.len() < 2 || first.saturating_abs() > MAX_FACTORED || last.saturating_abs() > MAX_FACTORED {
        return roots;
    }
    for numerator in divisors(first) {
        for denominator in divisors(last) {
            for sign in [1, -1] {
                let candidate = Rational::from(sign * numerator) / Rational::from(denominator);
                let value = whole.iter().rev().fold(Rational::zero(), |acc, c| acc * &candidate + c);
                if value.is_zero() && !roots.contains(&candidate) {
                    roots.push(candidate);
                }
            }
        }
    }
    roots
}

fn divisors(n: i64) -> Vec<i64> {
    let n = n.saturating_abs();
    let mut found: Vec<i64> =
        (1..).take_while(|d| d * d <= n).filter(|d| n % d == 0).flat_map(|d| [d, n / d]).collect();
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::super::linear::Row;
    use super::*;
    use proptest::prelude::*;

    /// The iteration `x' = matrix · x + 1` over columns 0..n and n..2n.
    fn turn(matrix: &[Vec<i64>]) -> Polyhedron {
        let n = matrix.len();
        let rows = matrix.iter().enumerate().map(|(i, row)| {
            let before = row.iter().enumerate().map(|(j, c)| (j, Rational::from(*c)));
            Row::new(before.chain([(n + i, Rational::from(-1))]), Rational::one(), RowKind::Equal)
        });
        Polyhedron { rows: rows.collect() }
    }

    fn eigenvalues(matrix: &[Vec<i64>]) -> Vec<Rational> {
        let n = matrix.len();
        let (before, after): (Vec<usize>, Vec<usize>) = ((0..n).collect(), (n..2 * n).collect());
        let mut found = rational_eigenvalues(&turn(matrix), &before, &after);
        found.sort();
        found
    }

    fn numbers(values: &[i64]) -> Vec<Rational> {
        values.iter().map(|v| Rational::from(*v)).collect()
    }

    #[test]
    fn eigenvalues_that_are_no_coefficients() {
        assert_eq!(eigenvalues(&[vec![2, 1], vec![1, 2]]), numbers(&[1, 3]));
        assert_eq!(eigenvalues(&[vec![3, -2], vec![1, 0]]), numbers(&[1, 2]));
        assert_eq!(eigenvalues(&[vec![0, -1], vec![1, 0]]), numbers(&[]));
        assert_eq!(eigenvalues(&[vec![2, 5, 7], vec![0, 3, 1], vec![0, 0, 0]]), numbers(&[0, 2, 3]));
    }

    #[test]
    fn only_what_is_determined_counts() {
        // x' = 2x + h with h free; y' = 3y through an auxiliary column: 2t = y, y' = 6t.
        let one = Rational::one;
        let row = |terms: &[(usize, i64)]| {
            Row::new(terms.iter().map(|(c, k)| (*c, Rational::from(*k))), Rational::zero(), RowKind::Equal)
        };
        let rows = vec![row(&[(0, 2), (4, 1), (2, -1)]), row(&[(5, 2), (1, -1)]), row(&[(5, 6), (3, -1)])];
        let turn = Polyhedron { rows };
        assert_eq!(rational_eigenvalues(&turn, &[0, 1], &[2, 3]), vec![Rational::from(3)]);
        // A variable that does not change.
        assert_eq!(rational_eigenvalues(&Polyhedron::default(), &[0], &[0]), vec![one()]);
    }

    proptest! {
        /// The roots are exactly the candidates λ with a vanishing determinant of M - λ.
        #[test]
        fn roots_make_the_matrix_singular(entries in prop::collection::vec(-3i64..4, 9)) {
            let matrix: Vec<Vec<i64>> = entries.chunks(3).map(<[i64]>::to_vec).collect();
            let determinant = |shift: i64| {
                let m = |i: usize, j: usize| matrix[i][j] - if i == j { shift } else { 0 };
                m(0, 0) * (m(1, 1) * m(2, 2) - m(1, 2) * m(2, 1)) - m(0, 1) * (m(1, 0) * m(2, 2) - m(1, 2) * m(2, 0))
                    + m(0, 2) * (m(1, 0) * m(2, 1) - m(1, 1) * m(2, 0))
            };
            // Rational eigenvalues of integer matrices are integers, here at most 9.
            let expected: Vec<i64> = (0..10).filter(|l| determinant(*l) == 0).collect();
            prop_assert_eq!(eigenvalues(&matrix), numbers(&expected));
        }
    }
}
