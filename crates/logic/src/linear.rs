//! Linear combinations over terms: `Σ coefficient · term + constant`.

use crate::rational::Rational;
use crate::sort::SortId;
use crate::term::{Op, TermId, TermPool};

/// A linear combination. The terms are sorted by id, are not numerals or sums, and have non-zero
/// coefficients; products of variables count as terms of their own.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Linear {
    pub terms: Vec<(TermId, Rational)>,
    pub constant: Rational,
}

impl Linear {
    pub fn constant(value: Rational) -> Linear {
        Linear { terms: Vec::new(), constant: value }
    }
    pub fn is_constant(&self) -> bool {
        self.terms.is_empty()
    }
    pub fn coefficient(&self, t: TermId) -> Option<&Rational> {
        self.terms.binary_search_by_key(&t, |(u, _)| *u).ok().map(|i| &self.terms[i].1)
    }
    pub fn scale(&mut self, factor: &Rational) {
        if factor.is_zero() {
            *self = Linear::default();
            return;
        }
        for (_, c) in &mut self.terms {
            *c = &*c * factor;
        }
        self.constant = &self.constant * factor;
    }
    /// `self + factor * other`.
    pub fn add_scaled(&mut self, other: &Linear, factor: &Rational) {
        if factor.is_zero() {
            return;
        }
        let mut merged = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut i, mut j) = (0, 0);
        while i < self.terms.len() || j < other.terms.len() {
            let left = self.terms.get(i).map(|t| t.0);
            let right = other.terms.get(j).map(|t| t.0);
            match (left, right) {
                (Some(a), Some(b)) if a == b => {
                    let sum = &self.terms[i].1 + &(&other.terms[j].1 * factor);
                    if !sum.is_zero() {
                        merged.push((a, sum));
                    }
                    i += 1;
                    j += 1;
                }
                (Some(a), b) if b.is_none_or(|b| a < b) => {
                    merged.push(self.terms[i].clone());
                    i += 1;
                }
                _ => {
                    let (t, c) = &other.terms[j];
                    merged.push((*t, c * factor));
                    j += 1;
                }
            }
        }
        self.terms = merged;
        self.constant = &self.constant + &(&other.constant * factor);
    }
    pub fn add_term(&mut self, t: TermId, factor: &Rational) {
        match self.terms.binary_search_by_key(&t, |(u, _)| *u) {
            Ok(i) => {
                let sum = &self.terms[i].1 + factor;
                if sum.is_zero() {
                    self.terms.remove(i);
                } else {
                    self.terms[i].1 = sum;
                }
            }
            Err(_) if factor.is_zero() => {}
            Err(i) => self.terms.insert(i, (t, factor.clone())),
        }
    }
    /// Scales so that the coefficients are coprime integers and the leading one is positive;
    /// returns the factor applied (it may be negative, which turns `<=` round).
    pub fn make_primitive(&mut self) -> Rational {
        let Some((_, first)) = self.terms.first() else { return Rational::one() };
        let leading_is_negative = first.is_negative();
        // The greatest rational of which all coefficients are integer multiples.
        let divisor = self.terms.iter().fold(Rational::zero(), |acc, (_, c)| acc.gcd(c));
        let mut factor = divisor.recip();
        if leading_is_negative {
            factor = -factor;
        }
        if !factor.is_one() {
            self.scale(&factor);
        }
        factor
    }
}

impl TermPool {
    /// The linear combination an arithmetic term denotes. Terms that are not sums, numerals or
    /// scaled terms stand for themselves.
    pub fn linear(&self, t: TermId) -> Linear {
        match self.op(t) {
            Op::Num(_) => Linear::constant(self.number(t).cloned().unwrap_or_default()),
            Op::Add => {
                // The arguments of a sum are monomials with distinct bases: collect, then sort.
                let mut result = Linear::default();
                for &arg in self.args(t) {
                    match self.scaled_base(arg) {
                        (None, constant) => result.constant = &result.constant + &constant,
                        (Some(base), factor) => result.terms.push((base, factor)),
                    }
                }
                result.terms.sort_by_key(|(base, _)| *base);
                result
            }
            _ => match self.scaled_base(t) {
                (None, constant) => Linear::constant(constant),
                (Some(base), factor) => Linear { terms: vec![(base, factor)], constant: Rational::zero() },
            },
        }
    }

    /// Splits `c * t` into `t` and `c`; a numeral has no base.
    fn scaled_base(&self, t: TermId) -> (Option<TermId>, Rational) {
        if let Some(n) = self.number(t) {
            return (None, n.clone());
        }
        if self.op(t) == Op::Mul
            && let [factor, base] = *self.args(t)
            && let Some(n) = self.number(factor)
        {
            return (Some(base), n.clone());
        }
        (Some(t), Rational::one())
    }

    /// The normalised term of a linear combination of the given sort (Int or Real).
    pub fn linear_term(&mut self, linear: &Linear, sort: SortId) -> TermId {
        let mut args = Vec::with_capacity(linear.terms.len() + 1);
        for (t, c) in &linear.terms {
            args.push(self.monomial(*t, c, sort));
        }
        if args.is_empty() || !linear.constant.is_zero() {
            args.push(self.num(linear.constant.clone(), sort));
        }
        if args.len() == 1 { args[0] } else { self.intern(Op::Add, sort, &args) }
    }

    fn monomial(&mut self, t: TermId, c: &Rational, sort: SortId) -> TermId {
        if c.is_one() {
            return t;
        }
        let n = self.num(c.clone(), sort);
        self.intern(Op::Mul, sort, &[n, t])
    }
}
