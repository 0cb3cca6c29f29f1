//! Implications between linear inequalities as linear programs.
//!
//! `rows ⇒ goal ≥ 0` holds, for satisfiable rows, iff `goal = Σ λᵣ rowᵣ + slack` with `slack ≥ 0` and `λᵣ ≥ 0` (any
//! sign for equalities): Farkas' lemma. The goal may have unknown coefficients, as long as they are linear in the
//! unknowns of the program; so may further premises that enter with the fixed multiplier 1.
//!
//! Strict rows matter only for strict goals (the closure of a satisfiable set of rows is given by their non-strict
//! forms): `rows ⇒ goal > 0` holds iff the slack or the multiplier of some strict row is positive (Motzkin's
//! transposition). Where the goal may be scaled that is one linear constraint, their sum is at least 1. Elsewhere
//! strict rows count as their non-strict weakenings.

use super::linear::{Polyhedron, RowKind};
use logic::Rational;
use smt::arith::lp::{LinearProgram, Relation};
use std::collections::BTreeMap;

/// A number that is linear in the unknowns of a program.
#[derive(Clone, Debug, Default)]
pub(super) struct Unknown {
    terms: Vec<(usize, Rational)>,
    constant: Rational,
}

impl Unknown {
    pub(super) fn variable(unknown: usize) -> Unknown {
        Unknown { terms: vec![(unknown, Rational::one())], constant: Rational::zero() }
    }
    pub(super) fn add_scaled(&mut self, other: &Unknown, factor: &Rational) {
        self.terms.extend(other.terms.iter().map(|(u, c)| (*u, c * factor)));
        self.constant += &other.constant * factor;
    }
}

/// An affine form over columns, with unknown coefficients.
#[derive(Clone, Debug, Default)]
pub(super) struct Form {
    pub columns: BTreeMap<usize, Unknown>,
    pub constant: Unknown,
}

impl Form {
    /// `self + factor * other`.
    pub(super) fn plus(self, other: &Form, factor: i64) -> Form {
        self.plus_scaled(other, &Rational::from(factor))
    }
    pub(super) fn plus_scaled(mut self, other: &Form, factor: &Rational) -> Form {
        for (column, unknown) in &other.columns {
            self.columns.entry(*column).or_default().add_scaled(unknown, factor);
        }
        self.constant.add_scaled(&other.constant, factor);
        self
    }
    pub(super) fn plus_constant(mut self, value: i64) -> Form {
        self.constant.constant += Rational::from(value);
        self
    }
    /// Adds an unknown to the constant.
    pub(super) fn plus_unknown(mut self, unknown: usize, factor: i64) -> Form {
        self.constant.terms.push((unknown, Rational::from(factor)));
        self
    }
    /// The same form over columns moved by `offset`.
    pub(super) fn shifted(&self, offset: usize) -> Form {
        Form {
            columns: self.columns.iter().map(|(c, u)| (c + offset, u.clone())).collect(),
            constant: self.constant.clone(),
        }
    }
}

/// Requires `premises ∧ further ≥ 0 ⇒ goal ≥ 0`, the further premises with multiplier 1.
pub(super) fn require_implication(program: &mut LinearProgram, premises: &Polyhedron, further: &[&Form], goal: &Form) {
    let (sum, _) = combined(program, premises, further, goal);
    program.require(&sum.constant.terms, Relation::AtMost, -&sum.constant.constant);
}

/// Requires `premises ⇒ goal > 0`, for a goal that may be multiplied by any positive number.
pub(super) fn require_strict_implication(program: &mut LinearProgram, premises: &Polyhedron, goal: &Form) {
    let (sum, strict) = combined(program, premises, &[], goal);
    program.require(&sum.constant.terms, Relation::AtMost, -&sum.constant.constant);
    // slack + Σ strict multipliers ≥ 1, where the slack is minus the constant of the sum.
    let mut terms: Vec<(usize, Rational)> = sum.constant.terms.iter().map(|(u, c)| (*u, -c)).collect();
    terms.extend(strict.into_iter().map(|u| (u, Rational::one())));
    program.require(&terms, Relation::AtLeast, Rational::one() + &sum.constant.constant);
}

/// `Σ λ row + Σ further - goal`, its columns required to vanish; and the multipliers of the strict rows.
fn combined(program: &mut LinearProgram, premises: &Polyhedron, further: &[&Form], goal: &Form) -> (Form, Vec<usize>) {
    let mut strict = Vec::new();
    // sum = Σ λ row + Σ further - goal must have no columns and a constant of at most 0.
    let mut sum = Form::default();
    for row in &premises.rows {
        let multiplier = match row.kind {
            RowKind::AtLeast | RowKind::Above => program.nonnegative(),
            RowKind::Equal => program.unknown(),
        };
        if row.kind == RowKind::Above {
            strict.push(multiplier);
        }
        for (column, coefficient) in &row.coefficients {
            sum.columns.entry(*column).or_default().terms.push((multiplier, coefficient.clone()));
        }
        sum.constant.terms.push((multiplier, row.constant.clone()));
    }
    for form in further {
        sum = sum.plus(form, 1);
    }
    sum = sum.plus(goal, -1);
    for unknown in sum.columns.values() {
        program.require(&unknown.terms, Relation::Equal, -&unknown.constant);
    }
    (sum, strict)
}

/// Is the conjunction of the rows satisfiable over the rationals, strict rows taken seriously?
pub fn is_satisfiable(polyhedron: &Polyhedron, budget: &base::Budget) -> Result<bool, base::Stop> {
    let mut program = LinearProgram::new();
    let n = polyhedron.rows.iter().filter_map(|r| r.max_column()).max().map_or(0, |c| c + 1);
    for _ in 0..n {
        program.unknown();
    }
    for row in &polyhedron.rows {
        let relation = match row.kind {
            RowKind::AtLeast => Relation::AtLeast,
            RowKind::Above => Relation::Above,
            RowKind::Equal => Relation::Equal,
        };
        program.require(&row.coefficients, relation, -&row.constant);
    }
    match program.solve(budget) {
        smt::arith::lp::Solution::Found(_) => Ok(true),
        smt::arith::lp::Solution::Infeasible(_) => Ok(false),
        smt::arith::lp::Solution::Stopped(stop) => Err(stop),
    }
}
