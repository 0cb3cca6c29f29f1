//! Comparisons as people write them.
//!
//! The pool keeps `x - y <= -1` and `not (x <= 5)`; people (and short SMT-LIB text) say `x < y` and
//! `x > 5`. Both printers share this view: the monomials with a positive coefficient left, the
//! others right, and over the integers the relation that makes the constant small.

use crate::rational::Rational;
use crate::sort::SortId;
use crate::term::{Op, TermId, TermPool};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Relation {
    Lt,
    Le,
    Gt,
    Ge,
}

impl Relation {
    pub(crate) fn symbol(self) -> &'static str {
        match self {
            Relation::Lt => "<",
            Relation::Le => "<=",
            Relation::Gt => ">",
            Relation::Ge => ">=",
        }
    }
}

/// `Σ left (relation) Σ right + constant`; all coefficients are positive.
pub(crate) struct Comparison {
    pub left: Vec<(TermId, Rational)>,
    pub relation: Relation,
    pub right: Vec<(TermId, Rational)>,
    pub constant: Rational,
    pub sort: SortId,
}

/// Reads an inequality, or (if `negated`) its negation.
pub(crate) fn comparison(pool: &TermPool, atom: TermId, negated: bool) -> Option<Comparison> {
    let strict = match pool.op(atom) {
        Op::Le => false,
        Op::Lt => true,
        _ => return None,
    };
    let [sum, bound] = *pool.args(atom) else { return None };
    let sort = pool.sort(sum);
    let mut constant = pool.number(bound)?.clone();
    let mut relation = match (strict, negated) {
        (false, false) => Relation::Le,
        (true, false) => Relation::Lt,
        (false, true) => Relation::Gt,
        (true, true) => Relation::Ge,
    };
    if sort == SortId::INT && constant.is_minus_one() {
        relation = match relation {
            Relation::Le => Relation::Lt,
            Relation::Gt => Relation::Ge,
            other => other,
        };
        if matches!(relation, Relation::Lt | Relation::Ge) {
            constant = Rational::zero();
        }
    }
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for (t, c) in pool.linear(sum).terms {
        if c.is_positive() {
            left.push((t, c));
        } else {
            right.push((t, -c));
        }
    }
    Some(Comparison { left, relation, right, constant, sort })
}
