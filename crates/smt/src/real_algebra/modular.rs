//! Polynomials that have no common factor, found out modulo a prime.
//!
//! Greatest common divisors are mostly one, and Euclid's algorithm takes longest to find that out, because its numbers
//! grow. Modulo a prime they do not. A common factor of integer polynomials is a common factor of their images modulo
//! a prime, and of what they become where all variables but one have values, of the same degree if the leading
//! coefficients do not vanish (von zur Gathen and Gerhard, *Modern Computer Algebra*, chapter 6). So if the images have
//! none the polynomials have none; the converse is not claimed.

use super::poly::Poly;
use logic::Rational;

/// A Mersenne prime, 2⁶¹ − 1.
const PRIME: u64 = (1 << 61) - 1;

fn times(a: u64, b: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(PRIME)) as u64
}

fn inverse(a: u64) -> u64 {
    // Fermat's little theorem.
    let (mut power, mut base, mut exponent) = (1, a, PRIME - 2);
    while exponent > 0 {
        if exponent % 2 == 1 {
            power = times(power, base);
        }
        base = times(base, base);
        exponent /= 2;
    }
    power
}

/// The residue of an integer; `None` for other numbers.
pub(super) fn residue(n: &Rational) -> Option<u64> {
    if !n.is_integer() {
        return None;
    }
    if let Some(small) = n.to_i64() {
        return u64::try_from(small.rem_euclid(PRIME as i64)).ok();
    }
    let prime = Rational::from(PRIME as i64);
    let quotient = (n / &prime).floor();
    (n - &(quotient * prime)).to_i64().and_then(|rest| u64::try_from(rest).ok())
}

/// The coefficients in one variable, at a fixed point of the others; the lowest first.
fn image(p: &Poly, var: usize) -> Option<Vec<u64>> {
    p.coefficients_in(var).iter().map(value).collect()
}

fn value(p: &Poly) -> Option<u64> {
    match p {
        Poly::Const(c) => residue(c),
        Poly::In { var, coefficients } => {
            // Any numbers will do that are no small ones: at those many polynomials vanish.
            let at = (*var as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) % PRIME;
            let mut result = 0;
            for c in coefficients.iter().rev() {
                result = (times(result, at) + value(c)?) % PRIME;
            }
            Some(result)
        }
    }
}

/// Is it certain that the polynomials have no common factor with this variable, their main one?
pub(super) fn have_no_common_factor(a: &Poly, b: &Poly, var: usize) -> bool {
    match (image(a, var), image(b, var)) {
        (Some(a), Some(b)) => are_coprime(a, b),
        _ => false,
    }
}

/// The same for images, which must have kept their leading coefficients.
pub(super) fn are_coprime(mut a: Vec<u64>, mut b: Vec<u64>) -> bool {
    if a.last().is_none_or(|&c| c == 0) || b.last().is_none_or(|&c| c == 0) {
        return false;
    }
    if a.len() < b.len() {
        std::mem::swap(&mut a, &mut b);
    }
    // Euclid's algorithm; a nonzero constant at last says that there is no common factor.
    while b.len() > 1 {
        let Some(&lead) = b.last() else { return false };
        let unit = inverse(lead);
        while a.len() >= b.len() {
            let Some(top) = a.pop() else { return false };
            let factor = times(top, unit);
            let shift = a.len() + 1 - b.len();
            for (k, &c) in b[..b.len() - 1].iter().enumerate() {
                a[shift + k] = (a[shift + k] + PRIME - times(factor, c)) % PRIME;
            }
        }
        while a.last() == Some(&0) {
            a.pop();
        }
        std::mem::swap(&mut a, &mut b);
    }
    b.len() == 1
}

#[cfg(test)]
mod tests {
    use super::super::poly::gcd;
    use super::*;

    /// Random polynomials in two variables: those with a common factor are never said to have none, and nearly all
    /// others are.
    #[test]
    fn common_factors_are_not_missed() {
        let mut random = base::Random::new(11);
        let mut polynomial = |degree: usize| {
            let [x, y] = [0, 1].map(Poly::variable);
            let mut sum = Poly::zero();
            for k in 0..=degree {
                for l in 0..=degree {
                    let c = Poly::constant(Rational::from(random.below(19) as i64 - 9));
                    sum = sum.add(&c.mul(&x.pow(k)).mul(&y.pow(l)));
                }
            }
            sum
        };
        let mut n_coprime = 0;
        for _ in 0..60 {
            let (a, b, c) = (polynomial(2), polynomial(2), polynomial(1));
            if a.main() != Some(1) || b.main() != Some(1) || c.main() != Some(1) {
                continue;
            }
            n_coprime += u32::from(have_no_common_factor(&a, &b, 1));
            let (a, b) = (a.mul(&c), b.mul(&c));
            assert!(!have_no_common_factor(&a, &b, 1));
            assert!(gcd(&a, &b).divided_by(&c.normalised()).is_some());
        }
        assert!(n_coprime > 40, "{n_coprime}");
        let large = Rational::from(i64::MAX) * Rational::from(i64::MAX);
        assert_eq!(residue(&(Rational::from(PRIME as i64) * large.clone())), Some(0));
        assert_eq!(residue(&-large.clone()).map(|r| (r + residue(&large).unwrap()) % PRIME), Some(0));
    }
}
