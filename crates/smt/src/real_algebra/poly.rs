//! Polynomials in several variables with rational coefficients, in recursive form: a polynomial in its greatest
//! variable whose coefficients are polynomials in smaller ones.
//!
//! Resultants come from the subresultant sequence (Collins; Brown and Traub, *On Euclid's Algorithm and the Theory of
//! Subresultants*, 1971), which needs only exact divisions. Their signs are not kept: nobody here asks for them.

use super::modular;
use base::{Budget, Stop};
use logic::Rational;
use std::cmp::Ordering;

/// Equal polynomials have equal representations: the last coefficient is not zero and there are at least two.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Poly {
    Const(Rational),
    /// `Σ coefficients[k] · var^k`.
    In {
        var: usize,
        coefficients: Vec<Poly>,
    },
}

impl Poly {
    pub fn zero() -> Poly {
        Poly::Const(Rational::ZERO)
    }
    pub fn constant(value: Rational) -> Poly {
        Poly::Const(value)
    }
    pub fn variable(var: usize) -> Poly {
        Poly::In { var, coefficients: vec![Poly::zero(), Poly::Const(Rational::ONE)] }
    }
    /// `Σ coefficients[k] · var^k`, for coefficients in smaller variables.
    pub fn from_coefficients(var: usize, mut coefficients: Vec<Poly>) -> Poly {
        while coefficients.last().is_some_and(Poly::is_zero) {
            coefficients.pop();
        }
        match coefficients.len() {
            0 => Poly::zero(),
            1 => coefficients.swap_remove(0),
            _ => Poly::In { var, coefficients },
        }
    }
    pub fn is_zero(&self) -> bool {
        matches!(self, Poly::Const(c) if c.is_zero())
    }
    pub fn as_constant(&self) -> Option<&Rational> {
        match self {
            Poly::Const(c) => Some(c),
            Poly::In { .. } => None,
        }
    }
    /// The greatest variable.
    pub fn main(&self) -> Option<usize> {
        match self {
            Poly::Const(_) => None,
            Poly::In { var, .. } => Some(*var),
        }
    }
    /// The coefficients as a polynomial in `var`, which no variable of it exceeds.
    pub fn coefficients_in(&self, var: usize) -> &[Poly] {
        match self {
            Poly::In { var: own, coefficients } if *own == var => coefficients,
            Poly::In { .. } | Poly::Const(_) => std::slice::from_ref(self),
        }
    }
    /// The degree in any variable.
    pub fn degree(&self, of: usize) -> usize {
        match self {
            Poly::Const(_) => 0,
            Poly::In { var, coefficients } if *var == of => coefficients.len() - 1,
            Poly::In { var, .. } if *var < of => 0,
            Poly::In { coefficients, .. } => coefficients.iter().map(|c| c.degree(of)).max().unwrap_or(0),
        }
    }
    /// The number of monomials.
    pub fn size(&self) -> usize {
        match self {
            Poly::Const(_) => 1,
            Poly::In { coefficients, .. } => coefficients.iter().map(Poly::size).sum(),
        }
    }
    /// Marks the variables that occur.
    pub fn note_variables(&self, seen: &mut Vec<bool>) {
        if let Poly::In { var, coefficients } = self {
            if seen.len() <= *var {
                seen.resize(*var + 1, false);
            }
            seen[*var] = true;
            for c in coefficients {
                c.note_variables(seen);
            }
        }
    }

    pub fn add(&self, other: &Poly) -> Poly {
        match (self, other) {
            (Poly::Const(a), Poly::Const(b)) => Poly::Const(a + b),
            (Poly::In { var: x, coefficients: a }, Poly::In { var: y, coefficients: b }) if x == y => {
                let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
                let mut sum = long.clone();
                for (c, d) in sum.iter_mut().zip(short) {
                    *c = c.add(d);
                }
                Poly::from_coefficients(*x, sum)
            }
            (Poly::In { var, coefficients }, lower) | (lower, Poly::In { var, coefficients })
                if lower.main().is_none_or(|m| m < *var) =>
            {
                let mut sum = coefficients.clone();
                sum[0] = sum[0].add(lower);
                Poly::from_coefficients(*var, sum)
            }
            (a, b) => b.add(a),
        }
    }
    pub fn scale(&self, factor: &Rational) -> Poly {
        match self {
            _ if factor.is_zero() => Poly::zero(),
            Poly::Const(c) => Poly::Const(c * factor),
            Poly::In { var, coefficients } => {
                Poly::In { var: *var, coefficients: coefficients.iter().map(|c| c.scale(factor)).collect() }
            }
        }
    }
    pub fn neg(&self) -> Poly {
        self.scale(&Rational::MINUS_ONE)
    }
    pub fn sub(&self, other: &Poly) -> Poly {
        self.add(&other.neg())
    }
    pub fn mul(&self, other: &Poly) -> Poly {
        match (self, other) {
            (Poly::Const(c), p) | (p, Poly::Const(c)) => p.scale(c),
            (Poly::In { var: x, coefficients: a }, Poly::In { var: y, coefficients: b }) => match x.cmp(y) {
                Ordering::Equal => {
                    let mut product = vec![Poly::zero(); a.len() + b.len() - 1];
                    for (i, c) in a.iter().enumerate().filter(|(_, c)| !c.is_zero()) {
                        for (j, d) in b.iter().enumerate() {
                            product[i + j] = product[i + j].add(&c.mul(d));
                        }
                    }
                    Poly::from_coefficients(*x, product)
                }
                Ordering::Greater => Poly::from_coefficients(*x, a.iter().map(|c| c.mul(other)).collect()),
                Ordering::Less => other.mul(self),
            },
        }
    }
    pub fn pow(&self, exponent: usize) -> Poly {
        let mut power = Poly::Const(Rational::ONE);
        for _ in 0..exponent {
            power = power.mul(self);
        }
        power
    }
    /// The derivative in the main variable.
    pub fn derivative(&self) -> Poly {
        match self {
            Poly::Const(_) => Poly::zero(),
            Poly::In { var, coefficients } => {
                let derived = coefficients.iter().enumerate().skip(1);
                Poly::from_coefficients(*var, derived.map(|(k, c)| c.scale(&Rational::from(k as i64))).collect())
            }
        }
    }
    /// A polynomial put in for a variable.
    pub fn substitute(&self, of: usize, value: &Poly) -> Poly {
        match self {
            Poly::Const(_) => self.clone(),
            Poly::In { var, .. } if *var < of => self.clone(),
            Poly::In { var, coefficients } => {
                let base = if *var == of { value.clone() } else { Poly::variable(*var) };
                let mut result = Poly::zero();
                for c in coefficients.iter().rev() {
                    result = result.mul(&base).add(&c.substitute(of, value));
                }
                result
            }
        }
    }
    /// The same polynomial with variable `v` called `names[v]`.
    pub fn rename(&self, names: &[usize]) -> Poly {
        match self {
            Poly::Const(_) => self.clone(),
            Poly::In { var, coefficients } => {
                let base = Poly::variable(names[*var]);
                let mut result = Poly::zero();
                for c in coefficients.iter().rev() {
                    result = result.mul(&base).add(&c.rename(names));
                }
                result
            }
        }
    }

    fn visit_numbers(&self, visit: &mut impl FnMut(&Rational)) {
        match self {
            Poly::Const(c) => visit(c),
            Poly::In { coefficients, .. } => coefficients.iter().for_each(|c| c.visit_numbers(visit)),
        }
    }
    /// The largest number of bits of a coefficient.
    pub fn bits(&self) -> usize {
        let mut bits = 0;
        self.visit_numbers(&mut |c| bits = bits.max(c.bit_size()));
        bits
    }
    fn has_negative_lead(&self) -> bool {
        match self {
            Poly::Const(c) => c.is_negative(),
            Poly::In { coefficients, .. } => coefficients.last().is_some_and(Poly::has_negative_lead),
        }
    }
    /// The multiple with coprime integer coefficients and a positive leading one: the same zeros.
    pub fn normalised(&self) -> Poly {
        if self.is_zero() {
            return Poly::zero();
        }
        let (mut numerators, mut denominators) = (Rational::ZERO, Rational::ONE);
        self.visit_numbers(&mut |c| {
            if !c.is_zero() {
                numerators = numerators.gcd(&c.numer_rational());
                denominators = denominators.lcm(&c.denom_rational());
            }
        });
        let factor = denominators / numerators.abs();
        self.scale(&if self.has_negative_lead() { -factor } else { factor })
    }

    /// `self / other` if the division leaves no rest.
    pub fn divided_by(&self, other: &Poly) -> Option<Poly> {
        match (self, other) {
            (_, Poly::Const(c)) => (!c.is_zero()).then(|| self.scale(&c.recip())),
            (a, _) if a.is_zero() => Some(Poly::zero()),
            (Poly::Const(_), Poly::In { .. }) => None,
            (Poly::In { var: x, coefficients: a }, Poly::In { var: y, coefficients: b }) => match x.cmp(y) {
                Ordering::Less => None,
                Ordering::Greater => {
                    let quotients: Option<Vec<Poly>> = a.iter().map(|c| c.divided_by(other)).collect();
                    Some(Poly::from_coefficients(*x, quotients?))
                }
                Ordering::Equal => {
                    let lead = b.last()?;
                    let mut rest = a.clone();
                    let mut quotient = vec![Poly::zero(); (a.len() + 1).saturating_sub(b.len())];
                    while rest.len() >= b.len() {
                        let top = rest.pop()?;
                        if top.is_zero() {
                            continue;
                        }
                        let shift = rest.len() + 1 - b.len();
                        let q = top.divided_by(lead)?;
                        for (k, c) in b[..b.len() - 1].iter().enumerate() {
                            rest[shift + k] = rest[shift + k].sub(&q.mul(c));
                        }
                        quotient[shift] = q;
                    }
                    rest.iter().all(Poly::is_zero).then(|| Poly::from_coefficients(*x, quotient))
                }
            },
        }
    }

    /// The greatest common divisor of the coefficients in the main variable.
    pub fn content(&self) -> Poly {
        match self {
            Poly::Const(_) => Poly::Const(Rational::ONE),
            Poly::In { coefficients, .. } => {
                let mut content = Poly::zero();
                for c in coefficients {
                    content = gcd(&content, c);
                    if content.as_constant().is_some_and(|c| !c.is_zero()) {
                        break;
                    }
                }
                content
            }
        }
    }
    /// Content and primitive part, both normalised.
    pub fn split_content(&self) -> (Poly, Poly) {
        let content = self.content();
        let part = self.divided_by(&content).unwrap_or_else(|| self.clone());
        (content, part.normalised())
    }
    /// The product of the different factors that have the main variable, each once; for a primitive polynomial.
    pub fn square_free(&self) -> Poly {
        let common = gcd(self, &self.derivative());
        self.divided_by(&common).unwrap_or_else(|| self.clone()).normalised()
    }
}

/// `lc(b)^(deg a − deg b + 1) · a` modulo `b`, both seen as polynomials in `var`.
fn pseudo_remainder(a: &Poly, b: &Poly, var: usize) -> Poly {
    let b = b.coefficients_in(var);
    let mut rest = a.coefficients_in(var).to_vec();
    let Some(lead) = b.last() else { return Poly::zero() };
    if rest.len() < b.len() {
        return a.clone();
    }
    let mut missing = rest.len() - b.len() + 1;
    while rest.len() >= b.len() {
        let Some(top) = rest.pop() else { break };
        missing -= 1;
        let shift = rest.len() + 1 - b.len();
        for c in &mut rest {
            *c = c.mul(lead);
        }
        if !top.is_zero() {
            for (k, c) in b[..b.len() - 1].iter().enumerate() {
                rest[shift + k] = rest[shift + k].sub(&top.mul(c));
            }
        }
    }
    Poly::from_coefficients(var, rest).mul(&lead.pow(missing))
}

/// The greatest common divisor, normalised.
pub fn gcd(a: &Poly, b: &Poly) -> Poly {
    if a.is_zero() {
        return b.normalised();
    }
    if b.is_zero() {
        return a.normalised();
    }
    let (Some(x), Some(y)) = (a.main(), b.main()) else { return Poly::Const(Rational::ONE) };
    match x.cmp(&y) {
        Ordering::Greater => gcd(&a.content(), b),
        Ordering::Less => gcd(a, &b.content()),
        Ordering::Equal if modular::have_no_common_factor(a, b, x) => gcd(&a.content(), &b.content()),
        Ordering::Equal => {
            let ((content_a, mut a), (content_b, mut b)) = (a.split_content(), b.split_content());
            if a.coefficients_in(x).len() < b.coefficients_in(x).len() {
                std::mem::swap(&mut a, &mut b);
            }
            while b.main() == Some(x) {
                let rest = pseudo_remainder(&a, &b, x);
                a = b;
                b = if rest.main() == Some(x) { rest.split_content().1 } else { rest };
            }
            // A rest without the variable that is not zero: only the contents have something in common.
            let common = if b.is_zero() { a } else { Poly::Const(Rational::ONE) };
            common.mul(&gcd(&content_a, &content_b)).normalised()
        }
    }
}

/// The resultant in `var`, which no variable of either exceeds, up to its sign. Its numbers grow with each step.
pub fn resultant(a: &Poly, b: &Poly, var: usize, budget: &Budget) -> Result<Poly, Stop> {
    let degree = |p: &Poly| p.coefficients_in(var).len() - 1;
    let lead = |p: &Poly| p.coefficients_in(var).last().cloned().unwrap_or_else(Poly::zero);
    let (mut a, mut b) = if degree(a) >= degree(b) { (a.clone(), b.clone()) } else { (b.clone(), a.clone()) };
    if a.is_zero() || b.is_zero() {
        return Ok(Poly::zero());
    }
    if degree(&b) == 0 {
        return Ok(b.pow(degree(&a)));
    }
    let (mut g, mut h) = (Poly::Const(Rational::ONE), Poly::Const(Rational::ONE));
    loop {
        budget.check_now()?;
        let delta = degree(&a) - degree(&b);
        let rest = pseudo_remainder(&a, &b, var);
        a = b;
        b = match rest.divided_by(&g.mul(&h.pow(delta))) {
            Some(quotient) => quotient,
            None => unreachable!("subresultants divide exactly"),
        };
        if b.is_zero() {
            return Ok(Poly::zero());
        }
        g = lead(&a);
        h = match delta {
            0 => h,
            1 => g.clone(),
            _ => match g.pow(delta).divided_by(&h.pow(delta - 1)) {
                Some(quotient) => quotient,
                None => unreachable!("subresultants divide exactly"),
            },
        };
        if degree(&b) == 0 {
            let n = degree(&a);
            let power = b.pow(n);
            return match power.divided_by(&h.pow(n - 1)) {
                Some(quotient) => Ok(quotient),
                None => unreachable!("subresultants divide exactly"),
            };
        }
    }
}

/// The discriminant in the main variable, up to its sign.
pub fn discriminant(p: &Poly, budget: &Budget) -> Result<Poly, Stop> {
    let Some(var) = p.main() else { return Ok(Poly::Const(Rational::ONE)) };
    if p.degree(var) < 2 {
        return Ok(Poly::Const(Rational::ONE));
    }
    let resultant = resultant(p, &p.derivative(), var, budget)?;
    match p.coefficients_in(var).last().and_then(|lead| resultant.divided_by(lead)) {
        Some(quotient) => Ok(quotient),
        None => unreachable!("the leading coefficient divides the resultant with the derivative"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(n: i64) -> Poly {
        Poly::constant(Rational::from(n))
    }

    #[test]
    fn discriminant_of_the_quadratic() {
        // x² + b x + c with c, b, x as 0, 1, 2: b² − 4c up to sign.
        let [c, b, x] = [0, 1, 2].map(Poly::variable);
        let p = x.mul(&x).add(&b.mul(&x)).add(&c);
        let expected = b.mul(&b).sub(&c.scale(&Rational::from(4)));
        assert_eq!(discriminant(&p, &Budget::unlimited()).unwrap().normalised(), expected.normalised());
    }

    #[test]
    fn common_divisors() {
        let [x, y] = [0, 1].map(Poly::variable);
        let f = x.mul(&y).add(&number(1));
        let g = y.mul(&y).sub(&x);
        let h = x.add(&y);
        let (a, b) = (f.mul(&h), g.mul(&h).mul(&h));
        assert_eq!(gcd(&a, &b), h.normalised());
        assert_eq!(gcd(&f, &g), number(1));
        assert_eq!(a.divided_by(&h), Some(f.clone()));
        assert_eq!(f.divided_by(&h), None);
        assert_eq!(h.mul(&h).mul(&f).square_free(), h.mul(&f).normalised());
        assert!(resultant(&a, &b, 1, &Budget::unlimited()).unwrap().is_zero());
        assert!(!resultant(&f, &g, 1, &Budget::unlimited()).unwrap().is_zero());
    }

    /// The resultant vanishes where the polynomials have a common zero: x² + y² = 1 and x = y at 2y² = 1.
    #[test]
    fn resultant_of_circle_and_line() {
        let [y, x] = [0, 1].map(Poly::variable);
        let circle = x.mul(&x).add(&y.mul(&y)).sub(&number(1));
        let line = x.sub(&y);
        let expected = y.mul(&y).scale(&Rational::from(2)).sub(&number(1));
        assert_eq!(resultant(&circle, &line, 1, &Budget::unlimited()).unwrap().normalised(), expected);
    }
}
