//! More general conflicts: bounds of a Farkas sum replaced by weaker ones.
//!
//! A conflict often contradicts itself by more than it has to. The surplus can be spent: a literal `s ≤ 1` gives way to
//! a true literal `s ≤ 2` of the same form as long as the sum stays absurd. The clause then excludes more, and its
//! literals tend to be older.
//!
//! Large-block encodings make this worth while. A chain of `x' = x + 1 ∨ x' = x + 2` has exponentially many paths,
//! and clauses over the equalities exclude one path each; with `x' ≤ x + 2`, true on both branches, one clause does for
//! all. Such bounds may be missing among the atoms: when conflicts keep coming, an equality whose place another
//! equality of the same form could take is an occasion to ask for the atom of the bound they have in common.

use logic::{Rational, SortId};

use super::delta::Delta;
use super::simplex::{BoundId, LinVar, Side};
use super::theory::{Arith, Shape, literal};
use crate::sat::types::{LBool, Lit};
use crate::theory::Context;

/// So many conflicts and explanations in a scope before new atoms are made.
const OCCASIONS_BEFORE_ATOMS: u32 = 24;
/// At most so many atoms are made in a scope.
const MAX_NEW_ATOMS: usize = 2000;

/// A bound that alternatives of one form have in common.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct WantedBound {
    form: LinVar,
    side: Side,
    value: Rational,
}

impl Arith {
    /// How much a sum of bounds falls short of zero; negative iff they contradict each other.
    pub(super) fn total(&self, farkas: &[(BoundId, Rational)]) -> Delta {
        let mut total = Delta::ZERO;
        for (id, multiplier) in farkas {
            let bound = self.simplex.bound(*id);
            match bound.side {
                Side::Upper => total.add_mul(multiplier, &bound.value),
                Side::Lower => total.add_mul(&-multiplier, &bound.value),
            }
        }
        total
    }

    /// The true literals behind the bounds with their multipliers (negative where an equality is used from below),
    /// weakened as far as the (negative) total allows. All literals are true now.
    pub(super) fn weakened(
        &mut self,
        cx: &Context<'_>,
        farkas: &[(BoundId, Rational)],
        mut total: Delta,
    ) -> Vec<(Lit, Rational)> {
        let mut parts = Vec::with_capacity(farkas.len());
        for (id, multiplier) in farkas {
            let bound = self.simplex.bound(*id);
            let (form, side) = (bound.var, bound.side);
            let mut lit = Lit(bound.reason);
            let mut is_equality = self.is_equality(lit);
            if self.atoms_of[form].len() > 1 {
                let original = bound.value.clone();
                let mut weakest = original.clone();
                for &var in &self.atoms_of[form] {
                    let Some(atom) = self.atom(var) else { continue };
                    let truth = cx.value(var.positive());
                    let value = match (atom.bound(truth == LBool::True), truth) {
                        (Some((other_side, value)), LBool::True | LBool::False) if other_side == side => value,
                        _ => continue,
                    };
                    if is_weaker(side, &value, &weakest)
                        && spent(&total, multiplier, &original, &value, side) < Delta::ZERO
                    {
                        weakest = value;
                        lit = var.lit(truth == LBool::True);
                        is_equality = false;
                    }
                }
                if is_equality && self.occasions > OCCASIONS_BEFORE_ATOMS {
                    self.want_common_bounds(cx, form, side, &original, multiplier, &total);
                }
                total = spent(&total, multiplier, &original, &weakest, side);
            }
            let signed = if is_equality && side == Side::Lower { -multiplier } else { multiplier.clone() };
            parts.push((lit, signed));
        }
        parts
    }

    pub(super) fn is_equality(&self, lit: Lit) -> bool {
        self.atom(lit.var()).is_some_and(|atom| atom.shape == Shape::Equal)
    }

    /// Remembers the bounds of other equalities of the form that would do as well.
    fn want_common_bounds(
        &mut self,
        cx: &Context<'_>,
        form: LinVar,
        side: Side,
        original: &Delta,
        multiplier: &Rational,
        total: &Delta,
    ) {
        for index in 0..self.atoms_of[form].len() {
            let var = self.atoms_of[form][index];
            let Some(atom) = self.atom(var) else { continue };
            let value = Delta::from(atom.constant.clone());
            let would_do = atom.shape == Shape::Equal
                && cx.value(var.positive()) != LBool::True
                && is_weaker(side, &value, original)
                && spent(total, multiplier, original, &value, side) < Delta::ZERO;
            if would_do {
                let wanted = WantedBound { form, side, value: atom.constant.clone() };
                if self.n_wanted < MAX_NEW_ATOMS && !self.wanted.contains(&wanted) {
                    self.n_wanted += 1;
                    self.wanted.push(wanted);
                }
            }
        }
    }

    /// Makes the atoms asked for; not while a conflict is being reported.
    pub(super) fn make_wanted_atoms(&mut self, cx: &mut Context<'_>) {
        for WantedBound { form, side, value } in std::mem::take(&mut self.wanted) {
            let definition = self.definition(form);
            let (linear, sort) = self.linear_of(cx.pool, &definition);
            if sort == SortId::INT && !value.is_integer() {
                continue;
            }
            let left = cx.pool.linear_term(&linear, sort);
            let right = cx.pool.num(value, sort);
            let atom = match side {
                Side::Upper => cx.pool.le(left, right),
                Side::Lower => cx.pool.ge(left, right),
            };
            literal(cx, atom);
        }
    }
}

fn is_weaker(side: Side, value: &Delta, than: &Delta) -> bool {
    match side {
        Side::Upper => value > than,
        Side::Lower => value < than,
    }
}

/// The total when one bound moves from `original` to `value`.
fn spent(total: &Delta, multiplier: &Rational, original: &Delta, value: &Delta, side: Side) -> Delta {
    let difference = match side {
        Side::Upper => value.minus(original),
        Side::Lower => original.minus(value),
    };
    let mut result = total.clone();
    result.add_mul(multiplier, &difference);
    result
}
