//! Equalities between shared terms that the bounds imply: the difference of two terms is a combination of fixed
//! variables.
//!
//! Such an equality need not be guessed. It follows from two Farkas sums, one for each side, and a trichotomy; those
//! clauses hold at the level of the bounds they mention, so a chain `x₁ = f(x₀) + 1, x₂ = f(x₁) + 1, …` compared with
//! another one needs as many steps as it has members, and no search.

use logic::{Linear, Rational, TermId};
use std::collections::BTreeMap;

use super::simplex::{LinVar, Side};
use super::theory::{Arith, literal};
use crate::proof::Evidence;
use crate::sat::types::Lit;
use crate::theory::{Context, TheoryLemma};

impl Arith {
    /// Clauses that imply `left = right` (the given term, an atom) under the present bounds, if those fix the
    /// difference of its sides.
    pub(crate) fn implied_equality(&mut self, cx: &mut Context<'_>, equality: TermId) -> Option<Vec<TheoryLemma>> {
        let &[left, right] = cx.pool.args(equality) else { return None };
        let mut difference = cx.pool.linear(left);
        difference.add_scaled(&cx.pool.linear(right), &Rational::MINUS_ONE);
        let fixed = self.over_fixed_variables(cx, &difference)?;
        let (at_most, at_least) = (cx.pool.le(left, right), cx.pool.ge(left, right));
        let (at_most, at_least) = (literal(cx, at_most), literal(cx, at_least));
        let one_side = |arith: &Self, head: Lit, side: Side| {
            let premises = fixed.iter().filter_map(|(var, coeff)| {
                let side = if coeff.is_positive() { side } else { side.opposite() };
                let reason = arith.reason_lit(arith.simplex.bound_id(*var, side)?);
                let from_below = side == Side::Lower && arith.is_equality(reason);
                Some((reason, if from_below { -coeff.abs() } else { coeff.abs() }))
            });
            arith.farkas_lemma(Some((head, Rational::ONE)), premises.collect())
        };
        // The difference of the sides of an atom has coprime coefficients, and so have the bounds: the multiplier is 1.
        let above = one_side(self, at_most, Side::Upper);
        let below = one_side(self, at_least, Side::Lower);
        let trichotomy = vec![!at_least, literal(cx, equality), !at_most];
        Some(vec![above, below, TheoryLemma { lits: trichotomy, evidence: Evidence::Trichotomy }])
    }

    /// The linear combination as one of nonbasic variables, if all of those are fixed and its value is zero.
    fn over_fixed_variables(&self, cx: &Context<'_>, combination: &Linear) -> Option<Vec<(LinVar, Rational)>> {
        let mut sum: BTreeMap<LinVar, Rational> = BTreeMap::new();
        let mut add = |var: LinVar, coeff: Rational| *sum.entry(var).or_default() += coeff;
        for (base, coeff) in &combination.terms {
            let column = self.known_column(cx.pool, *base)?;
            match self.simplex.row_of(column) {
                None => add(column, coeff.clone()),
                Some(row) => {
                    let row: Vec<(LinVar, &Rational)> = row.collect();
                    let own = row.iter().find(|(var, _)| *var == column).map(|(_, own)| *own)?;
                    for &(var, other) in row.iter().filter(|(var, _)| *var != column) {
                        add(var, -(coeff * other / own));
                    }
                }
            }
        }
        sum.retain(|_, coeff| !coeff.is_zero());
        let mut value = combination.constant.clone();
        for (var, coeff) in &sum {
            if !self.simplex.is_fixed(*var) {
                return None;
            }
            value.add_mul(coeff, &self.simplex.value(*var).real);
        }
        value.is_zero().then(|| sum.into_iter().collect())
    }
}
