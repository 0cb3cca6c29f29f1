//! Rows, polyhedra, lassos: the numbers without the names.

use logic::Rational;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RowKind {
    /// `… ≥ 0`
    AtLeast,
    /// `… > 0`
    Above,
    /// `… = 0`
    Equal,
}

/// `Σ coefficient · column + constant` compared with zero. Columns are sorted, coefficients are not zero.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Row {
    pub coefficients: Vec<(usize, Rational)>,
    pub constant: Rational,
    pub kind: RowKind,
}

impl Row {
    pub fn new(coefficients: impl IntoIterator<Item = (usize, Rational)>, constant: Rational, kind: RowKind) -> Row {
        let mut sorted: Vec<(usize, Rational)> = coefficients.into_iter().collect();
        sorted.sort_by_key(|(column, _)| *column);
        let mut result: Vec<(usize, Rational)> = Vec::with_capacity(sorted.len());
        for (column, coefficient) in sorted {
            match result.last_mut() {
                Some((last, sum)) if *last == column => *sum += coefficient,
                Some(_) | None => result.push((column, coefficient)),
            }
        }
        result.retain(|(_, c)| !c.is_zero());
        Row { coefficients: result, constant, kind }
    }

    /// For columns that hold integers only: coprime integer coefficients, the constant rounded, no
    /// strictness. `None` if an equality has no integer solution.
    pub fn tightened(mut self) -> Option<Row> {
        let divisor = self.coefficients.iter().fold(Rational::zero(), |acc, (_, c)| acc.gcd(c));
        if divisor.is_zero() {
            return Some(self);
        }
        let factor = divisor.recip();
        for (_, c) in &mut self.coefficients {
            *c = &*c * &factor;
        }
        let constant = &self.constant * &factor;
        self.constant = match self.kind {
            RowKind::AtLeast => constant.floor(),
            // … > 0 over integers: the integer part is at least 1 - ⌈constant⌉.
            RowKind::Above => constant.ceil() - Rational::one(),
            RowKind::Equal if constant.is_integer() => constant,
            RowKind::Equal => return None,
        };
        if self.kind == RowKind::Above {
            self.kind = RowKind::AtLeast;
        }
        Some(self)
    }

    pub fn max_column(&self) -> Option<usize> {
        self.coefficients.last().map(|(column, _)| *column)
    }

    /// Does the row hold at a point?
    pub fn holds(&self, point: &[Rational]) -> bool {
        let value: Rational =
            self.coefficients.iter().map(|(column, c)| c * &point[*column]).sum::<Rational>() + &self.constant;
        match self.kind {
            RowKind::AtLeast => !value.is_negative(),
            RowKind::Above => value.is_positive(),
            RowKind::Equal => value.is_zero(),
        }
    }
}

/// A conjunction of rows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Polyhedron {
    pub rows: Vec<Row>,
}

/// A stem and a loop over `n` variables. The columns of a stem disjunct are the variables after the stem
/// (`0..n`) and auxiliary ones (from `n`); those of a loop disjunct the variables before an iteration (`0..n`),
/// after it (`n..2n`) and auxiliary ones (from `2n`).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LinearLasso {
    pub n: usize,
    pub stem: Vec<Polyhedron>,
    pub turn: Vec<Polyhedron>,
}

/// `Σ coefficients[i] · xᵢ + constant` over the variables of a lasso.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Affine {
    pub coefficients: Vec<Rational>,
    pub constant: Rational,
}

impl Affine {
    pub fn value(&self, point: &[Rational]) -> Rational {
        self.coefficients.iter().zip(point).map(|(c, x)| c * x).sum::<Rational>() + &self.constant
    }
    /// The least positive factor that makes all numbers integers.
    pub fn denominator(&self) -> Rational {
        self.coefficients.iter().chain([&self.constant]).fold(Rational::one(), |acc, c| acc.lcm(&c.denom_rational()))
    }
    pub fn scaled(&self, factor: &Rational) -> Affine {
        Affine {
            coefficients: self.coefficients.iter().map(|c| c * factor).collect(),
            constant: &self.constant * factor,
        }
    }
    pub fn is_constant(&self) -> bool {
        self.coefficients.iter().all(Rational::is_zero)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tightening_rounds_towards_the_integers() {
        // 2x - 1 > 0 becomes x - 1 ≥ 0; 3x - 2 ≥ 0 becomes x - 1 ≥ 0; 2x = 1 has no solution.
        let row = |c: i64, b: i64, kind| Row::new([(0, Rational::from(c))], Rational::from(b), kind);
        let expected = Some(row(1, -1, RowKind::AtLeast));
        assert_eq!(row(2, -1, RowKind::Above).tightened(), expected);
        assert_eq!(row(3, -2, RowKind::AtLeast).tightened(), expected);
        assert_eq!(row(1, 0, RowKind::Above).tightened(), expected);
        assert_eq!(row(2, -1, RowKind::Equal).tightened(), None);
    }
}
