//! Polynomials in one variable and their real roots, isolated by Sturm's theorem and bisection.

use super::modular;
use super::poly::Poly;
use logic::Rational;

/// `Σ coefficients[k] · x^k`; the last coefficient is not zero. No coefficients: the zero polynomial.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Univariate {
    pub coefficients: Vec<Rational>,
}

impl Univariate {
    pub fn new(mut coefficients: Vec<Rational>) -> Univariate {
        while coefficients.last().is_some_and(Rational::is_zero) {
            coefficients.pop();
        }
        Univariate { coefficients }
    }
    /// A polynomial in at most one variable.
    pub fn from_poly(p: &Poly) -> Option<Univariate> {
        match p {
            Poly::Const(c) => Some(Univariate::new(vec![c.clone()])),
            Poly::In { coefficients, .. } => {
                let numbers: Option<Vec<Rational>> = coefficients.iter().map(|c| c.as_constant().cloned()).collect();
                Some(Univariate::new(numbers?))
            }
        }
    }
    pub fn to_poly(&self, var: usize) -> Poly {
        Poly::from_coefficients(var, self.coefficients.iter().cloned().map(Poly::Const).collect())
    }
    pub fn is_zero(&self) -> bool {
        self.coefficients.is_empty()
    }
    pub fn degree(&self) -> usize {
        self.coefficients.len().saturating_sub(1)
    }
    pub fn at(&self, x: &Rational) -> Rational {
        let mut value = Rational::ZERO;
        for c in self.coefficients.iter().rev() {
            value = value * x + c;
        }
        value
    }
    fn derivative(&self) -> Univariate {
        let derived = self.coefficients.iter().enumerate().skip(1);
        Univariate::new(derived.map(|(k, c)| c * Rational::from(k as i64)).collect())
    }
    /// Divided by the positive number that makes the coefficients coprime integers.
    fn primitive(&self) -> Univariate {
        let (mut numerators, mut denominators) = (Rational::ZERO, Rational::ONE);
        for c in self.coefficients.iter().filter(|c| !c.is_zero()) {
            numerators = numerators.gcd(&c.numer_rational());
            denominators = denominators.lcm(&c.denom_rational());
        }
        if numerators.is_zero() {
            return self.clone();
        }
        let factor = denominators / numerators.abs();
        Univariate { coefficients: self.coefficients.iter().map(|c| c * &factor).collect() }
    }
    /// Quotient and rest.
    fn divide(&self, other: &Univariate) -> (Univariate, Univariate) {
        let Some(lead) = other.coefficients.last() else { return (Univariate::default(), self.clone()) };
        let mut rest = self.coefficients.clone();
        let n = other.coefficients.len();
        let mut quotient = vec![Rational::ZERO; (rest.len() + 1).saturating_sub(n)];
        while rest.len() >= n {
            let Some(top) = rest.pop() else { break };
            if top.is_zero() {
                continue;
            }
            let shift = rest.len() + 1 - n;
            let q = top / lead;
            for (k, c) in other.coefficients[..n - 1].iter().enumerate() {
                rest[shift + k] = &rest[shift + k] - &(&q * c);
            }
            quotient[shift] = q;
        }
        (Univariate::new(quotient), Univariate::new(rest))
    }
    /// The quotient, primitive, if there is no rest.
    pub(super) fn divided_exactly(&self, other: &Univariate) -> Option<Univariate> {
        let (quotient, rest) = self.divide(other);
        rest.is_zero().then(|| quotient.primitive())
    }
    pub fn gcd(&self, other: &Univariate) -> Univariate {
        let (mut a, mut b) = (self.primitive(), other.primitive());
        let residues = |p: &Univariate| p.coefficients.iter().map(modular::residue).collect::<Option<Vec<u64>>>();
        if residues(&a).zip(residues(&b)).is_some_and(|(a, b)| modular::are_coprime(a, b)) {
            return Univariate::new(vec![Rational::ONE]);
        }
        while !b.is_zero() {
            let rest = a.divide(&b).1.primitive();
            a = b;
            b = rest;
        }
        a
    }
    /// With every root once.
    pub fn square_free(&self) -> Univariate {
        let common = self.gcd(&self.derivative());
        if common.degree() == 0 { self.primitive() } else { self.divide(&common).0.primitive() }
    }
    /// Without this root.
    pub(super) fn without_root(&self, root: &Rational) -> Univariate {
        self.divide(&Univariate::new(vec![-root, Rational::ONE])).0.primitive()
    }
    /// All real roots lie strictly between this number's negation and the number.
    pub fn root_bound(&self) -> Rational {
        let Some(lead) = self.coefficients.last() else { return Rational::ONE };
        let largest = self.coefficients.iter().map(Rational::abs).max().unwrap_or(Rational::ONE);
        let bound = largest / lead.abs() + Rational::ONE;
        let mut power = Rational::from(2);
        while power <= bound {
            power *= Rational::from(2);
        }
        power
    }
    /// No root but zero has an absolute value below this positive number.
    pub fn nonzero_root_bound(&self) -> Rational {
        let mut numbers = self.coefficients.iter().map(Rational::abs).skip_while(Rational::is_zero);
        let Some(last) = numbers.next() else { return Rational::ONE };
        let largest = numbers.max().unwrap_or(Rational::ZERO);
        &last / &(&last + &largest)
    }
}

/// Sturm's sequence of a polynomial: counts its roots in intervals.
pub struct Sturm {
    sequence: Vec<Univariate>,
}

impl Sturm {
    pub fn new(p: &Univariate) -> Sturm {
        let mut sequence = vec![p.clone(), p.derivative().primitive()];
        while let [.., a, b] = &sequence[..] {
            if b.is_zero() {
                sequence.pop();
                break;
            }
            let rest = a.divide(b).1;
            let negated = Univariate { coefficients: rest.coefficients.iter().map(|c| -c).collect() };
            sequence.push(negated.primitive());
        }
        Sturm { sequence }
    }
    fn variations(&self, x: &Rational) -> usize {
        let mut n = 0;
        let mut last = 0;
        for p in &self.sequence {
            let sign = p.at(x).signum();
            if sign != 0 {
                n += usize::from(last != 0 && sign != last);
                last = sign;
            }
        }
        n
    }
    /// The number of roots in `(low, high]`.
    pub fn count(&self, low: &Rational, high: &Rational) -> usize {
        self.variations(low).saturating_sub(self.variations(high))
    }
}
