//! From formulas to rows: the disjunctive normal form of a formula, weakened to what is linear.
//!
//! A cube is grown literal by literal; disjunctions, `ite`, disequalities and absolute values branch, after everything
//! that does not. Division and remainder by a constant become rows over an auxiliary column for the quotient. What is
//! not linear (products, array reads, uninterpreted functions, bit-vectors) is an auxiliary column without
//! meaning, the same term always the same column. Booleans are columns that are 0 or 1.
//!
//! The result is implied by the formula (an over-approximation). When there would be too many
//! cubes, disjunctions that are not split yet are dropped, which weakens it further.

use super::farkas::is_satisfiable;
use super::linear::{Polyhedron, Row, RowKind};
use base::{Budget, Stop};
use logic::{FastMap, FastSet, Linear, Op, Rational, SortId, TermId, TermPool};

/// At most this many cubes are made.
const MAX_CUBES: usize = 64;

/// The disjuncts, and what the auxiliary columns stand for.
#[derive(Clone, Debug, Default)]
pub struct Extraction {
    pub disjuncts: Vec<Polyhedron>,
    /// The term of each column; the given ones first.
    pub columns: Vec<TermId>,
    /// Nothing was dropped or left without meaning: the rows say as much as the formula.
    pub exact: bool,
}

struct Extractor<'a> {
    pool: &'a mut TermPool,
    columns: Vec<TermId>,
    column_of: FastMap<TermId, usize>,
    exact: bool,
}

#[derive(Clone, Default)]
struct Cube {
    /// Literals to be processed.
    pending: Vec<(TermId, bool)>,
    /// Those that branch.
    branching: Vec<Branching>,
    rows: Vec<Row>,
    /// Terms whose meaning has been added.
    defined: FastSet<TermId>,
    /// Quotients that are split into cases.
    split: Vec<TermId>,
}

#[derive(Clone, Copy)]
enum Branching {
    Literal(TermId, bool),
    /// An arithmetic `ite` or `abs`.
    Definition(TermId),
    /// A quotient by a positive constant: the dividend is negative, smaller than the divisor, or not. Over the
    /// rationals this says more than the rows of the division.
    Quotient(TermId),
}

/// The disjunctive normal form of a conjunction of formulas, over the given columns and new ones.
pub fn dnf_rows(
    pool: &mut TermPool,
    formulas: &[TermId],
    columns: &[TermId],
    budget: &Budget,
) -> Result<Extraction, Stop> {
    let mut extractor = Extractor { pool, columns: Vec::new(), column_of: FastMap::default(), exact: true };
    for &term in columns {
        extractor.columns.push(term);
        // A term may stand in several given columns; rows use the first.
        let next = extractor.columns.len() - 1;
        extractor.column_of.entry(term).or_insert(next);
    }
    let start = Cube { pending: formulas.iter().map(|f| (*f, true)).collect(), ..Cube::default() };
    let mut open = vec![start];
    let mut disjuncts = Vec::new();
    while let Some(mut cube) = open.pop() {
        if !extractor.absorb(&mut cube) {
            continue;
        }
        let branches_further = !cube.branching.is_empty();
        if branches_further && !is_satisfiable(&Polyhedron { rows: cube.rows.clone() }, budget)? {
            continue;
        }
        let room = open.len() + disjuncts.len() < MAX_CUBES;
        match cube.branching.pop() {
            Some(branching) if room => open.extend(extractor.branches(&cube, branching)),
            Some(_) => {
                extractor.exact = false;
                cube.branching.clear();
                disjuncts.push(Polyhedron { rows: cube.rows });
            }
            None => disjuncts.push(Polyhedron { rows: cube.rows }),
        }
    }
    Ok(Extraction { disjuncts, columns: extractor.columns, exact: extractor.exact })
}

impl Extractor<'_> {
    /// Processes the pending literals; `false` if the cube is contradictory.
    fn absorb(&mut self, cube: &mut Cube) -> bool {
        while let Some((term, positive)) = cube.pending.pop() {
            let args: Vec<TermId> = self.pool.args(term).to_vec();
            match self.pool.op(term) {
                Op::True if positive => {}
                Op::False if !positive => {}
                Op::True | Op::False => return false,
                Op::Not => cube.pending.push((args[0], !positive)),
                Op::And if positive => cube.pending.extend(args.iter().map(|a| (*a, true))),
                Op::Or if !positive => cube.pending.extend(args.iter().map(|a| (*a, false))),
                Op::And | Op::Or => cube.branching.push(Branching::Literal(term, positive)),
                Op::Ite => cube.branching.push(Branching::Literal(term, positive)),
                Op::Le | Op::Lt => {
                    // left - right ≤ 0, < 0, or the negation of that.
                    let strict = self.pool.op(term) == Op::Lt;
                    let mut form = self.linear(args[1], cube);
                    let left = self.linear(args[0], cube);
                    form.add_scaled(&left, &Rational::from(-1));
                    if !positive {
                        form.scale(&Rational::from(-1));
                    }
                    let kind = if strict == positive { RowKind::Above } else { RowKind::AtLeast };
                    if !self.add_row(form, kind, cube) {
                        return false;
                    }
                }
                Op::Eq if self.pool.sort(args[0]).is_arith() => {
                    if !positive {
                        cube.branching.push(Branching::Literal(term, false));
                        continue;
                    }
                    let mut form = self.linear(args[0], cube);
                    let right = self.linear(args[1], cube);
                    form.add_scaled(&right, &Rational::from(-1));
                    if !self.add_row(form, RowKind::Equal, cube) {
                        return false;
                    }
                }
                Op::Eq if self.pool.sort(args[0]) == SortId::BOOL => {
                    cube.branching.push(Branching::Literal(term, positive));
                }
                Op::App(_) | Op::Select => {
                    self.exact &= args.is_empty();
                    let column = Linear { terms: vec![(term, Rational::one())], constant: Rational::zero() };
                    let mut form = column;
                    form.constant = Rational::from(if positive { -1 } else { 0 });
                    if !self.add_row(form, RowKind::Equal, cube) {
                        return false;
                    }
                }
                // Quantifiers, equations between arrays, bit-vectors, …
                _ => self.exact = false,
            }
        }
        true
    }

    fn branches(&mut self, cube: &Cube, branching: Branching) -> Vec<Cube> {
        let with = |literals: &[(TermId, bool)]| {
            let mut next = cube.clone();
            next.pending.extend_from_slice(literals);
            next
        };
        match branching {
            Branching::Literal(term, positive) => {
                let args: Vec<TermId> = self.pool.args(term).to_vec();
                match self.pool.op(term) {
                    Op::And | Op::Or => args.iter().rev().map(|a| with(&[(*a, positive)])).collect(),
                    Op::Ite => vec![
                        with(&[(args[0], true), (args[1], positive)]),
                        with(&[(args[0], false), (args[2], positive)]),
                    ],
                    Op::Eq if self.pool.sort(args[0]).is_arith() => {
                        let (less, greater) = (self.pool.lt(args[0], args[1]), self.pool.gt(args[0], args[1]));
                        vec![with(&[(less, true)]), with(&[(greater, true)])]
                    }
                    _ => vec![
                        with(&[(args[0], true), (args[1], positive)]),
                        with(&[(args[0], false), (args[1], !positive)]),
                    ],
                }
            }
            Branching::Quotient(quotient) => {
                let (dividend, divisor) = (self.pool.arg(quotient, 0), self.pool.arg(quotient, 1));
                let (zero, one) = (self.pool.int(0), self.pool.int(1));
                let negative = self.pool.lt(dividend, zero);
                let small = self.pool.lt(dividend, divisor);
                let (is_zero, is_positive) = (self.pool.eq(quotient, zero), self.pool.ge(quotient, one));
                let is_negative = self.pool.lt(quotient, zero);
                vec![
                    with(&[(negative, true), (is_negative, true)]),
                    with(&[(small, false), (is_positive, true)]),
                    with(&[(negative, false), (small, true), (is_zero, true)]),
                ]
            }
            Branching::Definition(term) => {
                let args: Vec<TermId> = self.pool.args(term).to_vec();
                let (condition, then, otherwise) = match self.pool.op(term) {
                    Op::Ite => (args[0], args[1], args[2]),
                    _ => {
                        let zero = self.pool.num(Rational::zero(), self.pool.sort(args[0]));
                        let negated = self.pool.neg(args[0]);
                        (self.pool.ge(args[0], zero), args[0], negated)
                    }
                };
                let mut result = Vec::new();
                for (holds, value) in [(true, then), (false, otherwise)] {
                    let mut next = with(&[(condition, holds)]);
                    let mut form = self.linear(value, &mut next);
                    form.add_term(term, &Rational::from(-1));
                    if self.add_row(form, RowKind::Equal, &mut next) {
                        result.push(next);
                    }
                }
                result
            }
        }
    }

    /// The linear combination of a term, with the meaning of its parts added to the cube.
    fn linear(&mut self, term: TermId, cube: &mut Cube) -> Linear {
        let mut result = Linear::default();
        let mut todo = vec![(term, Rational::one())];
        while let Some((term, factor)) = todo.pop() {
            let form = self.pool.linear(term);
            result.constant += &form.constant * &factor;
            for (part, coefficient) in form.terms {
                let coefficient = coefficient * &factor;
                match self.pool.op(part) {
                    // Its value is that of the integer.
                    Op::ToReal => todo.push((self.pool.arg(part, 0), coefficient)),
                    _ => {
                        self.define(part, cube);
                        result.add_term(part, &coefficient);
                    }
                }
            }
        }
        result
    }

    /// Adds what is known about a term that is not a sum.
    fn define(&mut self, term: TermId, cube: &mut Cube) {
        if self.column_of.contains_key(&term) && !matches!(self.pool.op(term), Op::Ite | Op::Abs | Op::IntDiv | Op::Mod)
        {
            return;
        }
        if !cube.defined.insert(term) {
            return;
        }
        let args: Vec<TermId> = self.pool.args(term).to_vec();
        match self.pool.op(term) {
            Op::App(_) if args.is_empty() => {}
            Op::Ite | Op::Abs => cube.branching.push(Branching::Definition(term)),
            Op::IntDiv | Op::Mod => match self.pool.number(args[1]).cloned() {
                Some(divisor) if !divisor.is_zero() => {
                    // 0 ≤ dividend - divisor·quotient ≤ |divisor| - 1
                    let quotient = self.pool.int_div(args[0], args[1]);
                    let mut remainder = self.linear(args[0], cube);
                    remainder.add_term(quotient, &-&divisor);
                    let mut room = remainder.clone();
                    room.scale(&Rational::from(-1));
                    room.constant += divisor.abs() - Rational::one();
                    self.add_row(remainder.clone(), RowKind::AtLeast, cube);
                    self.add_row(room, RowKind::AtLeast, cube);
                    if self.pool.op(quotient) == Op::IntDiv && divisor.is_positive() && !cube.split.contains(&quotient)
                    {
                        cube.split.push(quotient);
                        // Last in the order of splitting: these are the ones to drop when there are too many.
                        cube.branching.insert(0, Branching::Quotient(quotient));
                    }
                    if self.pool.op(term) == Op::Mod {
                        remainder.add_term(term, &Rational::from(-1));
                        self.add_row(remainder, RowKind::Equal, cube);
                    }
                }
                Some(_) | None => self.exact = false,
            },
            Op::ToInt => {
                let mut above = self.linear(args[0], cube);
                above.add_term(term, &Rational::from(-1));
                let mut below = above.clone();
                below.scale(&Rational::from(-1));
                below.constant += Rational::one();
                self.add_row(above, RowKind::AtLeast, cube);
                self.add_row(below, RowKind::Above, cube);
            }
            _ => self.exact = false,
        }
    }

    /// Adds a row; `false` if it is absurd on its own.
    fn add_row(&mut self, form: Linear, kind: RowKind, cube: &mut Cube) -> bool {
        let integers = form.terms.iter().all(|(t, _)| self.pool.sort(*t) != SortId::REAL);
        let columns: Vec<(usize, Rational)> = form.terms.iter().map(|(t, c)| (self.column(*t), c.clone())).collect();
        let row = Row::new(columns, form.constant, kind);
        let row = if integers { row.tightened() } else { Some(row) };
        let Some(row) = row else { return false };
        if row.coefficients.is_empty() {
            return row.holds(&[]);
        }
        cube.rows.push(row);
        true
    }

    fn column(&mut self, term: TermId) -> usize {
        if let Some(column) = self.column_of.get(&term) {
            return *column;
        }
        self.columns.push(term);
        self.column_of.insert(term, self.columns.len() - 1);
        self.columns.len() - 1
    }
}
