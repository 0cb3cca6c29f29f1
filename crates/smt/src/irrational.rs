//! Models in which some real constants have irrational values.
//!
//! [`logic::Model`] has rational values only. The irrational ones are kept beside it, and what depends on them is
//! evaluated here, exactly. Terms that are neither polynomials nor divisions, cases and roundings of such are not
//! understood; then nothing is claimed.

use crate::real_algebra::number::{roots_over, sign_at, value_at};
use crate::real_algebra::{Poly, Real};
use base::Budget;
use logic::{FastMap, FastSet, Model, Op, Rational, TermId, TermPool, Value};

/// Irrational values of constants.
#[derive(Clone, Debug)]
pub struct IrrationalPoint {
    values: Vec<(TermId, Real)>,
}

/// What is known about terms that depend on irrational values.
struct Evaluation<'a> {
    pool: &'a TermPool,
    model: &'a Model,
    budget: &'a Budget,
    /// The irrational values, and quotients of such.
    point: Vec<Real>,
    dependent: FastSet<TermId>,
    polys: FastMap<TermId, Poly>,
}

impl IrrationalPoint {
    /// The constants among the terms that have irrational values; `None` if there are none.
    pub(crate) fn new(pool: &TermPool, values: &[(TermId, Real)]) -> Option<IrrationalPoint> {
        let is_irrational =
            |(term, value): &&(TermId, Real)| matches!(value, Real::Root(_)) && pool.as_symbol(*term).is_some();
        let values: Vec<(TermId, Real)> = values.iter().filter(is_irrational).cloned().collect();
        (!values.is_empty()).then_some(IrrationalPoint { values })
    }

    /// Puts the truth of the formulas' atoms that depend on irrational values into the memo of an evaluation in the
    /// model. `false` if one of them is not understood: then the memo is of no use.
    pub(crate) fn judge(
        &self,
        pool: &TermPool,
        model: &Model,
        formulas: &[TermId],
        memo: &mut FastMap<TermId, Value>,
        budget: &Budget,
    ) -> bool {
        self.evaluate(pool, model, formulas, memo, budget).is_some()
    }

    /// The exact value of a real term, or the truth of a formula.
    pub fn value(&self, pool: &TermPool, model: &Model, term: TermId, budget: &Budget) -> Option<Exact> {
        let mut memo = FastMap::default();
        let evaluation = self.evaluate(pool, model, &[term], &mut memo, budget)?;
        if evaluation.dependent.contains(&term) && pool.sort(term).is_arith() {
            let value = value_at(evaluation.polys.get(&term)?, &evaluation.point, budget).ok()?;
            return Some(match value {
                Real::Rational(q) => Exact::Plain(Value::Num(q)),
                irrational @ Real::Root(_) => Exact::Irrational(irrational),
            });
        }
        model.eval_memo(pool, term, &mut memo).ok().map(Exact::Plain)
    }

    fn evaluate<'a>(
        &self,
        pool: &'a TermPool,
        model: &'a Model,
        roots: &[TermId],
        memo: &mut FastMap<TermId, Value>,
        budget: &'a Budget,
    ) -> Option<Evaluation<'a>> {
        let mut evaluation = Evaluation {
            pool,
            model,
            budget,
            point: Vec::new(),
            dependent: FastSet::default(),
            polys: FastMap::default(),
        };
        for (term, value) in &self.values {
            let poly = Poly::variable(evaluation.point.len());
            evaluation.point.push(value.clone());
            evaluation.dependent.insert(*term);
            evaluation.polys.insert(*term, poly);
        }
        let mut order = Vec::new();
        pool.visit_postorder(roots, |t| order.push(t));
        for t in order {
            if evaluation.dependent.contains(&t) || !pool.args(t).iter().any(|a| evaluation.dependent.contains(a)) {
                continue;
            }
            evaluation.dependent.insert(t);
            if pool.is_bool(t) {
                if let Some(truth) = evaluation.truth(t, memo)? {
                    memo.insert(t, Value::Bool(truth));
                }
            } else {
                let poly = evaluation.poly(t, memo)?;
                evaluation.polys.insert(t, poly);
            }
        }
        Some(evaluation)
    }
}

/// A value that a model with irrational constants gives to a term.
#[derive(Clone, Debug)]
pub enum Exact {
    Plain(Value),
    Irrational(Real),
}

impl Evaluation<'_> {
    /// An arithmetic term as a polynomial over the point.
    fn known(&self, t: TermId, memo: &mut FastMap<TermId, Value>) -> Option<Poly> {
        if self.dependent.contains(&t) {
            return self.polys.get(&t).cloned();
        }
        match self.model.eval_memo(self.pool, t, memo).ok()? {
            Value::Num(q) => Some(Poly::constant(q)),
            _ => None,
        }
    }

    /// The truth of an atom; `None` inside if it is a connective, which evaluation understands.
    fn truth(&self, t: TermId, memo: &mut FastMap<TermId, Value>) -> Option<Option<bool>> {
        let args = self.pool.args(t);
        match self.pool.op(t) {
            Op::Not | Op::And | Op::Or => Some(None),
            Op::Eq | Op::Distinct | Op::Ite if args.iter().all(|&a| self.pool.is_bool(a)) => Some(None),
            op @ (Op::Le | Op::Lt | Op::Eq) => {
                let (left, right) = (self.known(args[0], memo)?, self.known(args[1], memo)?);
                let sign = sign_at(&left.sub(&right), &self.point, self.budget).ok()?;
                Some(Some(match op {
                    Op::Le => sign <= 0,
                    Op::Lt => sign < 0,
                    _ => sign == 0,
                }))
            }
            _ => None,
        }
    }

    fn poly(&mut self, t: TermId, memo: &mut FastMap<TermId, Value>) -> Option<Poly> {
        let args = self.pool.args(t).to_vec();
        match self.pool.op(t) {
            Op::Add => {
                let mut sum = Poly::zero();
                for a in args {
                    sum = sum.add(&self.known(a, memo)?);
                }
                Some(sum)
            }
            Op::Mul => {
                let mut product = Poly::constant(Rational::ONE);
                for a in args {
                    product = product.mul(&self.known(a, memo)?);
                }
                Some(product)
            }
            Op::ToReal => self.known(args[0], memo),
            Op::ToInt => {
                let value = value_at(&self.known(args[0], memo)?, &self.point, self.budget).ok()?;
                Some(Poly::constant(value.floor()))
            }
            Op::Ite => match self.model.eval_memo(self.pool, args[0], memo).ok()? {
                Value::Bool(true) => self.known(args[1], memo),
                Value::Bool(false) => self.known(args[2], memo),
                _ => None,
            },
            Op::RealDiv => {
                let (dividend, divisor) = (self.known(args[0], memo)?, self.known(args[1], memo)?);
                if sign_at(&divisor, &self.point, self.budget).ok()? == 0 {
                    return None;
                }
                let var = self.point.len();
                let quotient = Poly::variable(var);
                let equation = divisor.mul(&quotient).sub(&dividend);
                let value = roots_over(&equation, var, &self.point, self.budget).ok()??.pop()?;
                self.point.push(value);
                Some(quotient)
            }
            _ => None,
        }
    }
}
