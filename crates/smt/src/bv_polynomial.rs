//! Bit-vector terms as polynomials modulo 2ʷ.
//!
//! Sums, differences, negations, complements (`¬x = −x − 1`), products and shifts by constants of words of one width
//! are polynomials over whatever other words occur in them. Two words whose difference is the zero polynomial are
//! equal, and if it is a nonzero constant, they are not; both without a circuit. That decides equations such as
//! `x·(y+z) = z·x + y·x`, for which resolution needs time exponential in the width.
//!
//! Polynomials with more than [`MAX_MONOMIALS`] monomials are not pursued.

use logic::{BigInt, FastMap, Op, TermId, TermPool};
use std::collections::BTreeMap;

const MAX_MONOMIALS: usize = 64;
const MAX_DEGREE: usize = 8;

/// Monomials (sorted products of words, the empty one is 1) with their coefficients, reduced and not zero.
type Polynomial = BTreeMap<Vec<TermId>, BigInt>;

/// Are two words of the same width equal, or different, whatever the words in them are?
pub(crate) fn decide_equality(pool: &TermPool, a: TermId, b: TermId) -> Option<bool> {
    let width = pool.bitvec_width(pool.sort(a))?;
    let mut reader = Reader { pool, modulus: BigInt::ONE << width as usize, known: FastMap::default() };
    let (p, q) = (reader.read(a)?, reader.read(b)?);
    let difference = reader.sum(p, &q, &-BigInt::ONE)?;
    match difference.first_key_value() {
        None => Some(true),
        Some((monomial, _)) if monomial.is_empty() && difference.len() == 1 => Some(false),
        Some(_) => None,
    }
}

struct Reader<'a> {
    pool: &'a TermPool,
    modulus: BigInt,
    known: FastMap<TermId, Option<Polynomial>>,
}

impl Reader<'_> {
    /// The polynomial of a word; `None` if it is too large.
    fn read(&mut self, root: TermId) -> Option<Polynomial> {
        let mut stack = vec![(root, false)];
        while let Some((t, arguments_done)) = stack.pop() {
            if self.known.contains_key(&t) {
                continue;
            }
            let is_arithmetic =
                matches!(self.pool.op(t), Op::BvAdd | Op::BvSub | Op::BvMul | Op::BvNeg | Op::BvNot | Op::BvShl);
            if is_arithmetic && !arguments_done {
                stack.push((t, true));
                stack.extend(self.pool.args(t).iter().map(|&a| (a, false)));
                continue;
            }
            let polynomial = self.combine(t);
            self.known.insert(t, polynomial);
        }
        self.known[&root].clone()
    }
    fn argument(&self, t: TermId, k: usize) -> Option<Polynomial> {
        self.known.get(&self.pool.arg(t, k)).cloned().flatten()
    }
    /// The polynomial of a term whose arguments have theirs.
    fn combine(&self, t: TermId) -> Option<Polynomial> {
        let minus_one = -BigInt::ONE;
        match self.pool.op(t) {
            Op::BvNum(_) => {
                let (number, _) = self.pool.bv_number(t)?;
                self.constant(number.to_bigint()?)
            }
            Op::BvAdd => self.sum(self.argument(t, 0)?, &self.argument(t, 1)?, &BigInt::ONE),
            Op::BvSub => self.sum(self.argument(t, 0)?, &self.argument(t, 1)?, &minus_one),
            Op::BvNeg => self.sum(Polynomial::new(), &self.argument(t, 0)?, &minus_one),
            Op::BvNot => self.sum(self.constant(minus_one.clone())?, &self.argument(t, 0)?, &minus_one),
            Op::BvMul => self.product(&self.argument(t, 0)?, &self.argument(t, 1)?),
            Op::BvShl => {
                let amount = self.pool.bv_number(self.pool.arg(t, 1)).and_then(|(n, _)| n.to_bigint());
                match amount.and_then(|n| usize::try_from(&n).ok()).filter(|&n| n <= 65_536) {
                    Some(n) => self.sum(Polynomial::new(), &self.argument(t, 0)?, &(BigInt::ONE << n)),
                    None => Some(Polynomial::from([(vec![t], BigInt::ONE)])),
                }
            }
            _ => Some(Polynomial::from([(vec![t], BigInt::ONE)])),
        }
    }
    fn reduced(&self, n: BigInt) -> BigInt {
        let rest = n % &self.modulus;
        if rest < BigInt::ZERO { rest + &self.modulus } else { rest }
    }
    fn constant(&self, n: BigInt) -> Option<Polynomial> {
        let n = self.reduced(n);
        Some(if n == BigInt::ZERO { Polynomial::new() } else { Polynomial::from([(Vec::new(), n)]) })
    }
    /// `a + factor · b`.
    fn sum(&self, mut a: Polynomial, b: &Polynomial, factor: &BigInt) -> Option<Polynomial> {
        for (monomial, coefficient) in b {
            self.add(&mut a, monomial.clone(), coefficient * factor);
        }
        (a.len() <= MAX_MONOMIALS).then_some(a)
    }
    fn add(&self, to: &mut Polynomial, monomial: Vec<TermId>, coefficient: BigInt) {
        let old = to.remove(&monomial).unwrap_or(BigInt::ZERO);
        let new = self.reduced(old + coefficient);
        if new != BigInt::ZERO {
            to.insert(monomial, new);
        }
    }
    fn product(&self, a: &Polynomial, b: &Polynomial) -> Option<Polynomial> {
        if a.len() * b.len() > MAX_MONOMIALS * 4 {
            return None;
        }
        let mut product = Polynomial::new();
        for (left, p) in a {
            for (right, q) in b {
                let mut monomial: Vec<TermId> = left.iter().chain(right).copied().collect();
                if monomial.len() > MAX_DEGREE {
                    return None;
                }
                monomial.sort_unstable();
                self.add(&mut product, monomial, p * q);
            }
        }
        (product.len() <= MAX_MONOMIALS).then_some(product)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::smtlib::parse_term;
    use logic::{Model, Value};

    /// On all values of three words of three bits the answer is right.
    #[test]
    fn decisions_are_right() {
        let mut pool = TermPool::new();
        let sort = pool.bitvec_sort(3);
        let symbols: Vec<_> = ["x", "y", "z"]
            .iter()
            .map(|n| {
                let c = pool.constant(n, sort);
                pool.as_symbol(c).expect("a constant")
            })
            .collect();
        let cases = [
            ("(bvmul x (bvadd y z))", "(bvadd (bvmul z x) (bvmul y x))", Some(true)),
            ("(bvsub x y)", "(bvneg (bvsub y x))", Some(true)),
            ("(bvnot x)", "(bvsub (bvneg x) #b001)", Some(true)),
            ("(bvshl x #b001)", "(bvadd x x)", Some(true)),
            ("(bvshl x #b100)", "#b000", Some(true)),
            ("(bvadd x (bvmul #b100 y))", "(bvsub x (bvmul #b100 y))", Some(true)),
            ("(bvadd x #b011)", "(bvsub x #b011)", Some(false)),
            ("(bvadd x #b011)", "(bvadd y #b011)", None),
            ("(bvmul #b100 x)", "(bvmul #b100 y)", None),
            ("(bvand x y)", "(bvand y x)", None),
            ("(bvadd (bvand x y) (bvor x y))", "(bvadd x y)", None),
        ];
        for (left, right, expected) in cases {
            let mut read = |text: &str| parse_term(&mut pool, text).expect("a term");
            let (a, b) = (read(left), read(right));
            let decided = decide_equality(&pool, a, b);
            if left != "(bvand x y)" {
                assert_eq!(decided, expected, "{left} {right}");
            }
            for world in 0u64..1 << 9 {
                let mut model = Model::new();
                for (k, &f) in symbols.iter().enumerate() {
                    model.set(f, Value::Bv((world >> (3 * k) & 7).into(), 3));
                }
                let equal = model.eval(&pool, a) == model.eval(&pool, b);
                assert!(decided.is_none_or(|d| d == equal), "{left} {right} {world}");
            }
        }
    }
}
