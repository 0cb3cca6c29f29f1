//! Integer solutions of linear equations, by Hermite normal form.
//!
//! For a system `A·x = b` over the integers, unimodular column operations turn `A` into a lower triangular `H = A·U`.
//! Forward substitution solves `H·y = b`; the system has an integer solution iff each `yₖ` is an integer. If `yₖ` is
//! not, then row k of `H⁻¹` is a vector `λ` of multipliers such that `λ·A` has integer coefficients (it is a row of
//! `U⁻¹`) while `λ·b = yₖ` is no integer. Such a combination is used twice:
//! - if all equations hold, it is a contradiction and its own certificate (Jain, Clarke and Grumberg, CAV 2008);
//! - if the equations are the constraints that are *tight* at a vertex of the relaxation, the integer form `λ·A·x` has
//!   a fractional value there, and branching on it cuts the vertex off; unlike branching on variables this ends on
//!   many unbounded problems (Dillig, Dillig and Aiken, *Cuts from Proofs*, CAV 2009).
//!
//! `λₖ` uses only equations up to k, so equations given first are used first. Matrices here are small and sparse; we
//! keep columns as sparse vectors and bound the growth of numbers instead of computing modulo a determinant.

use base::{Budget, Stop};
use logic::Rational;

use super::simplex::LinVar;

/// `Σ coefficient · variable = constant`, with integer coefficients of integer variables.
#[derive(Clone, Debug)]
pub struct Equation {
    pub form: Vec<(LinVar, Rational)>,
    pub constant: Rational,
}

/// A combination of equations whose form has integer coefficients and whose constant is no integer.
#[derive(Clone, Debug)]
pub struct FractionalRow {
    /// Indices of equations with non-zero rational multipliers; increasing.
    pub multipliers: Vec<(usize, Rational)>,
    /// The combined form, by variable.
    pub form: Vec<(LinVar, Rational)>,
    pub constant: Rational,
}

/// A column sorted by row, without zeros.
type Column = Vec<(usize, Rational)>;

/// A finished row of the triangle.
struct Pivot {
    row: usize,
    column: usize,
    /// The diagonal element.
    diagonal: Rational,
}

/// Numbers beyond this many bits are not worth the trouble: the caller has other means.
const MAX_BITS: usize = 512;

/// All fractional rows of the system (at most `limit`), in the order of their last equations. Stops early, with those
/// found so far, when numbers grow too large.
pub fn fractional_rows(equations: &[Equation], limit: usize, budget: &Budget) -> Result<Vec<FractionalRow>, Stop> {
    let mut variables: Vec<LinVar> = equations.iter().flat_map(|e| e.form.iter().map(|(x, _)| *x)).collect();
    variables.sort_unstable();
    variables.dedup();
    let mut columns: Vec<Column> = vec![Vec::new(); variables.len()];
    for (row, equation) in equations.iter().enumerate() {
        for (var, coeff) in &equation.form {
            debug_assert!(coeff.is_integer());
            if let Ok(column) = variables.binary_search(var) {
                columns[column].push((row, coeff.clone()));
            }
        }
    }
    let mut active = vec![true; columns.len()];
    let mut pivots: Vec<Pivot> = Vec::new();
    let mut values: Vec<Rational> = Vec::new();
    let mut found = Vec::new();
    for row in 0..equations.len() {
        budget.check()?;
        let pivot_column = triangulate(&mut columns, &active, row, budget)?;
        if let Some(column) = pivot_column {
            active[column] = false;
            if columns[column][0].1.is_negative() {
                for (_, coeff) in &mut columns[column] {
                    *coeff = -&*coeff;
                }
            }
            reduce_left_of_diagonal(&mut columns, &pivots, column);
            let diagonal = columns[column][0].1.clone();
            if columns[column].iter().any(|(_, coeff)| coeff.bit_size() > MAX_BITS) {
                return Ok(found);
            }
            let rest = residue(&columns, &pivots, &values, row, &equations[row].constant);
            let value = rest / &diagonal;
            pivots.push(Pivot { row, column, diagonal });
            let is_fractional = !value.is_integer();
            values.push(value);
            if is_fractional {
                found.push(fractional_row(equations, &columns, &pivots, row, None));
            }
        } else {
            // The equation depends on earlier ones: what is left is `0 = rest`.
            let rest = residue(&columns, &pivots, &values, row, &equations[row].constant);
            if !rest.is_zero() {
                let half = Rational::ratio(1, 2) / rest;
                found.push(fractional_row(equations, &columns, &pivots, row, Some(half)));
            }
        }
        if found.len() >= limit {
            break;
        }
    }
    Ok(found)
}

/// Euclid's algorithm on the active columns until at most one has an entry in the row.
fn triangulate(columns: &mut [Column], active: &[bool], row: usize, budget: &Budget) -> Result<Option<usize>, Stop> {
    let has_entry = |columns: &[Column], c: usize| columns[c].first().is_some_and(|(first, _)| *first == row);
    let mut involved: Vec<usize> = (0..columns.len()).filter(|&c| active[c] && has_entry(columns, c)).collect();
    while involved.len() > 1 {
        budget.check()?;
        // Smallest coefficient first, then the sparsest column.
        let Some(&smallest) = involved.iter().min_by_key(|&&c| (columns[c][0].1.abs(), columns[c].len(), c)) else {
            break;
        };
        let source = columns[smallest].clone();
        for &c in &involved {
            if c != smallest {
                let quotient = round(&(&columns[c][0].1 / &source[0].1));
                subtract(&mut columns[c], &source, &quotient);
            }
        }
        involved.retain(|&c| has_entry(columns, c));
    }
    Ok(involved.first().copied())
}

/// Makes the entries left of a new diagonal element smaller than it.
fn reduce_left_of_diagonal(columns: &mut [Column], pivots: &[Pivot], column: usize) {
    let source = columns[column].clone();
    let (row, diagonal) = (source[0].0, &source[0].1);
    for pivot in pivots {
        let entry = entry(&columns[pivot.column], row);
        let quotient = (entry / diagonal).floor();
        if !quotient.is_zero() {
            subtract(&mut columns[pivot.column], &source, &quotient);
        }
    }
}

/// `constant − Σ H[row, k] · yₖ` over the pivots so far.
fn residue(columns: &[Column], pivots: &[Pivot], values: &[Rational], row: usize, constant: &Rational) -> Rational {
    let mut rest = constant.clone();
    for (pivot, value) in pivots.iter().zip(values) {
        rest.add_mul(&-entry(&columns[pivot.column], row), value);
    }
    rest
}

/// The multipliers of `row` in terms of the equations: substitutes the solved rows backwards. `scale` replaces the
/// reciprocal of the diagonal for a row without one.
fn fractional_row(
    equations: &[Equation],
    columns: &[Column],
    pivots: &[Pivot],
    row: usize,
    scale: Option<Rational>,
) -> FractionalRow {
    let mut pending = vec![Rational::ZERO; pivots.len()];
    let mut multipliers: Vec<(usize, Rational)> = Vec::new();
    let mut absorb = |row: usize, factor: Rational, pending: &mut [Rational], n_before: usize| {
        for (k, pivot) in pivots[..n_before].iter().enumerate() {
            pending[k].add_mul(&-&factor, &entry(&columns[pivot.column], row));
        }
        multipliers.push((row, factor));
    };
    match scale {
        Some(scale) => absorb(row, scale, &mut pending, pivots.len()),
        None => {
            if let Some(last) = pending.last_mut() {
                *last = Rational::ONE;
            }
        }
    }
    for k in (0..pivots.len()).rev() {
        if !pending[k].is_zero() {
            let factor = &pending[k] / &pivots[k].diagonal;
            absorb(pivots[k].row, factor, &mut pending, k);
        }
    }
    multipliers.sort_by_key(|(index, _)| *index);
    let mut form: Vec<(LinVar, Rational)> = Vec::new();
    let mut constant = Rational::ZERO;
    for (index, multiplier) in &multipliers {
        constant.add_mul(multiplier, &equations[*index].constant);
        form.extend(equations[*index].form.iter().map(|(var, coeff)| (*var, coeff * multiplier)));
    }
    FractionalRow { multipliers, form: collect(form), constant }
}

/// Adds up repeated variables.
fn collect(mut form: Vec<(LinVar, Rational)>) -> Vec<(LinVar, Rational)> {
    form.sort_by_key(|(var, _)| *var);
    let mut sum: Vec<(LinVar, Rational)> = Vec::new();
    for (var, coeff) in form {
        match sum.last_mut() {
            Some((last, total)) if *last == var => *total += coeff,
            Some(_) | None => sum.push((var, coeff)),
        }
    }
    sum.retain(|(_, coeff)| !coeff.is_zero());
    sum
}

fn entry(column: &Column, row: usize) -> Rational {
    match column.binary_search_by_key(&row, |(r, _)| *r) {
        Ok(index) => column[index].1.clone(),
        Err(_) => Rational::ZERO,
    }
}

fn round(value: &Rational) -> Rational {
    (value + Rational::ratio(1, 2)).floor()
}

/// `target −= factor · source`.
fn subtract(target: &mut Column, source: &Column, factor: &Rational) {
    let mut merged = Vec::with_capacity(target.len() + source.len());
    let mut old = std::mem::take(target).into_iter().peekable();
    let negative = -factor;
    for (row, coeff) in source {
        while let Some(first) = old.next_if(|(r, _)| r < row) {
            merged.push(first);
        }
        let mut sum = match old.next_if(|(r, _)| r == row) {
            Some((_, sum)) => sum,
            None => Rational::ZERO,
        };
        sum.add_mul(&negative, coeff);
        if !sum.is_zero() {
            merged.push((*row, sum));
        }
    }
    merged.extend(old);
    *target = merged;
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const N: usize = 3;

    fn equation((coeffs, constant): &([i64; N], i64)) -> Equation {
        let form = coeffs.iter().enumerate().filter(|(_, c)| **c != 0);
        Equation {
            form: form.map(|(x, c)| (LinVar(x as u32), Rational::from(*c))).collect(),
            constant: Rational::from(*constant),
        }
    }

    /// Is there an integer solution with small entries?
    fn small_solution(system: &[([i64; N], i64)], range: i64) -> bool {
        let mut point = [-range; N];
        loop {
            if system.iter().all(|(a, b)| a.iter().zip(&point).map(|(a, x)| a * x).sum::<i64>() == *b) {
                return true;
            }
            let Some(k) = point.iter().position(|x| *x < range) else { return false };
            point[k] += 1;
            point[..k].fill(-range);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn rows_certify_themselves(
            system in proptest::collection::vec((proptest::array::uniform3(-5i64..=5), -9i64..=9), 1..4)
        ) {
            let equations: Vec<Equation> = system.iter().map(equation).collect();
            let rows = fractional_rows(&equations, 10, &Budget::unlimited()).unwrap();
            for row in &rows {
                prop_assert!(row.form.iter().all(|(_, coeff)| coeff.is_integer()));
                prop_assert!(!row.constant.is_integer());
                let mut form: Vec<(LinVar, Rational)> = Vec::new();
                let mut constant = Rational::ZERO;
                for (index, multiplier) in &row.multipliers {
                    constant.add_mul(multiplier, &equations[*index].constant);
                    form.extend(equations[*index].form.iter().map(|(x, c)| (*x, c * multiplier)));
                }
                prop_assert_eq!(&collect(form), &row.form);
                prop_assert_eq!(&constant, &row.constant);
            }
            if small_solution(&system, 8) {
                prop_assert!(rows.is_empty());
            }
        }

        /// Systems that have a solution by construction never get a fractional row; those made unsolvable by a
        /// divisor always do.
        #[test]
        fn rows_exist_exactly_if_unsolvable(
            rows in proptest::collection::vec(proptest::array::uniform3(-7i64..=7), 1..4),
            point in proptest::array::uniform3(-20i64..=20),
            divisor in 2i64..6, shift in 1i64..5,
        ) {
            let at = |a: &[i64; N]| a.iter().zip(&point).map(|(a, x)| a * x).sum::<i64>();
            let solvable: Vec<Equation> = rows.iter().map(|a| equation(&(*a, at(a)))).collect();
            prop_assert!(fractional_rows(&solvable, 1, &Budget::unlimited()).unwrap().is_empty());
            prop_assume!(shift % divisor != 0);
            let mut unsolvable = solvable;
            let scaled = rows[0].map(|a| a * divisor);
            unsolvable.push(equation(&(scaled, at(&rows[0]) * divisor + shift)));
            prop_assert_eq!(fractional_rows(&unsolvable, 1, &Budget::unlimited()).unwrap().len(), 1);
        }
    }
}
