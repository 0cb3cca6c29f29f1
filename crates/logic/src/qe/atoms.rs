//! How a variable occurs in a formula: the atoms seen from that variable.
//!
//! The *skeleton* of a formula is its Boolean structure (`and or not`, and `ite` and `=` of
//! formulas). A variable is *linear* in a formula if it occurs only in atoms of the skeleton that
//! are linear inequalities, equations or divisibilities in it. Only then do the arithmetic methods
//! apply. Atoms come with the polarities under which they occur, so no negation normal form has to
//! be built.

use crate::linear::Linear;
use crate::rational::Rational;
use crate::sort::SortId;
use crate::term::{Op, TermId, TermPool};
use crate::{FastMap, FastSet};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Relation {
    /// `… <= 0`
    Le,
    /// `… < 0`
    Lt,
    /// `… = 0`
    Eq,
    /// The expression is a multiple of a positive integer.
    Divides,
}

/// An atom seen from a variable `x`: `coefficient * x + rest (relation) 0`.
#[derive(Clone, Debug)]
pub(crate) struct View {
    pub atom: TermId,
    pub relation: Relation,
    /// Not zero.
    pub coefficient: Rational,
    pub rest: Linear,
    /// The divisor of [`Relation::Divides`], else one.
    pub divisor: Rational,
    /// Does the atom occur positively, negatively?
    pub positive: bool,
    pub negative: bool,
}

impl View {
    /// The value of `x` at which the left side is zero.
    pub(super) fn boundary(&self) -> Linear {
        let mut b = self.rest.clone();
        b.scale(&-self.coefficient.recip());
        b
    }
}

/// The subterms of some formulas that mention a variable.
pub(crate) fn mentions(pool: &TermPool, roots: &[TermId], x: TermId) -> FastSet<TermId> {
    let mut with = FastSet::default();
    pool.visit_postorder(roots, |t| {
        if t == x || pool.args(t).iter().any(|a| with.contains(a)) {
            with.insert(t);
        }
    });
    with
}

/// Is this part of the Boolean structure (as opposed to an atom)?
pub(crate) fn is_skeleton(pool: &TermPool, t: TermId) -> bool {
    match pool.op(t) {
        Op::Not | Op::And | Op::Or => true,
        Op::Ite => pool.is_bool(t),
        Op::Eq => pool.is_bool(pool.arg(t, 0)),
        _ => false,
    }
}

/// The atoms below the skeleton that mention `x`, with their polarities, in the order of their ids.
pub(crate) fn atoms_with(pool: &TermPool, formula: TermId, with: &FastSet<TermId>) -> Vec<(TermId, bool, bool)> {
    let mut polarities: FastMap<TermId, (bool, bool)> = FastMap::default();
    let mut atoms = Vec::new();
    let mut stack = vec![(formula, true)];
    while let Some((t, positive)) = stack.pop() {
        if !with.contains(&t) {
            continue;
        }
        let seen = polarities.entry(t).or_insert((false, false));
        let flag = if positive { &mut seen.0 } else { &mut seen.1 };
        if std::mem::replace(flag, true) {
            continue;
        }
        if !is_skeleton(pool, t) {
            atoms.push(t);
            continue;
        }
        match pool.op(t) {
            Op::Not => stack.push((pool.arg(t, 0), !positive)),
            Op::And | Op::Or => stack.extend(pool.args(t).iter().map(|&a| (a, positive))),
            Op::Ite => {
                let [c, a, b] = [pool.arg(t, 0), pool.arg(t, 1), pool.arg(t, 2)];
                stack.extend([(c, true), (c, false), (a, positive), (b, positive)]);
            }
            _ => stack.extend(pool.args(t).iter().flat_map(|&a| [(a, true), (a, false)])),
        }
    }
    atoms.sort_unstable();
    atoms.dedup();
    atoms.into_iter().map(|t| (t, polarities[&t].0, polarities[&t].1)).collect()
}

/// The atoms of a formula seen from `x`; `None` if `x` is not linear in it.
pub(crate) fn linear_views(pool: &TermPool, formula: TermId, x: TermId) -> Option<Vec<View>> {
    let with = mentions(pool, &[formula], x);
    let mut views = Vec::new();
    for (atom, positive, negative) in atoms_with(pool, formula, &with) {
        let mut view = view(pool, atom, x, &with)?;
        view.positive = positive;
        view.negative = negative;
        views.push(view);
    }
    Some(views)
}

/// One atom seen from `x`, if linear in it.
pub(crate) fn view(pool: &TermPool, atom: TermId, x: TermId, with: &FastSet<TermId>) -> Option<View> {
    let (relation, mut linear, divisor) = match pool.op(atom) {
        op @ (Op::Le | Op::Lt | Op::Eq) if pool.sort(pool.arg(atom, 0)).is_arith() => {
            let (left, right) = (pool.arg(atom, 0), pool.arg(atom, 1));
            if let Some(divides) = divisibility(pool, atom) {
                (Relation::Divides, divides.1, divides.0)
            } else {
                let mut linear = pool.linear(left);
                linear.add_scaled(&pool.linear(right), &Rational::from(-1));
                let relation = match op {
                    Op::Le => Relation::Le,
                    Op::Lt => Relation::Lt,
                    _ => Relation::Eq,
                };
                (relation, linear, Rational::one())
            }
        }
        _ => return None,
    };
    let position = linear.terms.iter().position(|(t, _)| *t == x)?;
    let (_, coefficient) = linear.terms.remove(position);
    if linear.terms.iter().any(|(t, _)| with.contains(t)) {
        return None;
    }
    Some(View { atom, relation, coefficient, rest: linear, divisor, positive: true, negative: false })
}

/// Reads `t mod k = c` as "`k` divides `t - c`".
fn divisibility(pool: &TermPool, atom: TermId) -> Option<(Rational, Linear)> {
    let (left, right) = (pool.arg(atom, 0), pool.arg(atom, 1));
    if pool.op(atom) != Op::Eq || pool.op(left) != Op::Mod {
        return None;
    }
    let remainder = pool.number(right)?;
    let divisor = pool.number(pool.arg(left, 1))?;
    if !divisor.is_positive() || remainder.is_negative() || remainder >= divisor {
        return None;
    }
    let mut linear = pool.linear(pool.arg(left, 0));
    linear.constant = &linear.constant - remainder;
    Some((divisor.clone(), linear))
}

/// The atom `linear (relation) 0` as a term. Coefficients of a divisibility must be integers.
pub(crate) fn relation_term(
    pool: &mut TermPool,
    relation: Relation,
    linear: Linear,
    divisor: &Rational,
    sort: SortId,
) -> TermId {
    match relation {
        Relation::Le => pool.linear_le(linear, false, sort),
        Relation::Lt => pool.linear_le(linear, true, sort),
        Relation::Eq => equation(pool, linear, sort),
        Relation::Divides => {
            let t = pool.linear_term(&linear, sort);
            let k = pool.int_num(divisor.clone());
            let rest = pool.modulo(t, k);
            let zero = pool.int(0);
            pool.eq(rest, zero)
        }
    }
}

/// `linear = 0`, also if its coefficients are fractions.
pub(crate) fn equation(pool: &mut TermPool, mut linear: Linear, sort: SortId) -> TermId {
    if linear.is_constant() {
        return pool.bool(linear.constant.is_zero());
    }
    linear.make_primitive();
    if sort == SortId::INT && !linear.constant.is_integer() {
        return TermId::FALSE;
    }
    let t = pool.linear_term(&linear, sort);
    let zero = pool.num(Rational::zero(), sort);
    pool.eq(t, zero)
}

/// The atom with `x` replaced by `numerator / denominator` (positive), scaled to stay integral.
pub(crate) fn replace(
    pool: &mut TermPool,
    view: &View,
    numerator: &Linear,
    denominator: &Rational,
    sort: SortId,
) -> TermId {
    let mut linear = numerator.clone();
    linear.scale(&view.coefficient);
    linear.add_scaled(&view.rest, denominator);
    relation_term(pool, view.relation, linear, &(&view.divisor * denominator), sort)
}
