//! Bit-vectors as Boolean circuits, built as terms.
//!
//! Every bit-vector term has a Boolean term per bit, lowest first. The bits of a leaf (a constant symbol, a function
//! application, an array read) are the atoms `((_ extract i i) t) = #b1`; everything else is a circuit over those.
//! Circuits are ordinary hash-consed Boolean terms, so common parts are shared across formulas and scopes, the
//! clausifier does the rest, and an interpolant over bits is a formula over extracts of the user's own words.
//!
//! The circuits: ripple-carry adders, shift-and-add multipliers, restoring dividers (which give SMT-LIB's results for
//! a zero divisor without a special case), barrel shifters. Equations that polynomials decide get no circuit
//! ([`crate::bv_polynomial`]). Signed division goes through absolute values. All of them
//! are compared with the evaluator on all inputs of up to four bits.

use crate::bv_polynomial::decide_equality;
use base::{Budget, Stop};
use logic::{BigInt, FastMap, Op, Rational, TermId, TermPool};

/// The bits of terms, remembered: they depend on nothing but the pool.
#[derive(Default)]
pub(crate) struct BitBlaster {
    bits: FastMap<TermId, Vec<TermId>>,
}

type Bits = Vec<TermId>;

fn width(pool: &TermPool, t: TermId) -> usize {
    pool.bitvec_width(pool.sort(t)).map_or(0, |w| w as usize)
}

/// Is this a term whose bits are atoms?
fn is_leaf(op: Op) -> bool {
    matches!(op, Op::App(_) | Op::Select | Op::IntToBv(_) | Op::ArrayDiff)
}

/// The atom that says that bit `i` of a leaf is one.
fn bit_atom(pool: &mut TermPool, leaf: TermId, i: usize) -> TermId {
    let i = i as u32;
    let bit = pool.bv(Op::BvExtract(i, i), &[leaf]);
    let one = pool.bv_num(BigInt::ONE, 1);
    pool.eq(bit, one)
}

/// Is this equality the atom of a bit of a leaf, and so needs no circuit? If yes, is the leaf itself one bit wide?
pub(crate) fn as_bit_atom(pool: &TermPool, atom: TermId) -> Option<TermId> {
    if pool.op(atom) != Op::Eq {
        return None;
    }
    let (a, b) = (pool.arg(atom, 0), pool.arg(atom, 1));
    let is_one = |t: TermId| pool.bv_number(t).is_some_and(|(n, w)| w == 1 && n.is_one());
    let word = if is_one(a) {
        b
    } else if is_one(b) {
        a
    } else {
        return None;
    };
    match pool.op(word) {
        Op::BvExtract(hi, lo) if hi == lo && is_leaf(pool.op(pool.arg(word, 0))) => Some(pool.arg(word, 0)),
        op if is_leaf(op) => Some(word),
        _ => None,
    }
}

impl BitBlaster {
    /// The bits computed earlier.
    pub(crate) fn known_bits(&self, t: TermId) -> Option<&[TermId]> {
        self.bits.get(&t).map(Vec::as_slice)
    }
    /// Computes the bits of all words in a comparison, as long as the budget allows. What was computed is remembered,
    /// so that it can be called again.
    pub(crate) fn prepare(&mut self, pool: &mut TermPool, atom: TermId, budget: &Budget) -> Result<(), Stop> {
        if !matches!(pool.op(atom), Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle)
            || width(pool, pool.arg(atom, 0)) == 0
            || (pool.op(atom) == Op::Eq && decide_equality(pool, pool.arg(atom, 0), pool.arg(atom, 1)).is_some())
        {
            return Ok(());
        }
        let mut stack = vec![(pool.arg(atom, 0), false), (pool.arg(atom, 1), false)];
        while let Some((t, arguments_done)) = stack.pop() {
            if self.bits.contains_key(&t) {
                continue;
            }
            if arguments_done || is_leaf(pool.op(t)) {
                // Multiplication and division are quadratic in the width.
                (0..width(pool, t)).try_for_each(|_| budget.check())?;
                self.bits(pool, t);
                continue;
            }
            stack.push((t, true));
            stack.extend(pool.args(t).iter().filter(|&&a| width(pool, a) > 0).map(|&a| (a, false)));
        }
        Ok(())
    }
    /// The bits of a bit-vector term, lowest first.
    pub(crate) fn bits(&mut self, pool: &mut TermPool, root: TermId) -> Bits {
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.bits.contains_key(&t) {
                stack.pop();
                continue;
            }
            let op = pool.op(t);
            if !is_leaf(op) {
                let before = stack.len();
                for &a in pool.args(t) {
                    if pool.bitvec_width(pool.sort(a)).is_some() && !self.bits.contains_key(&a) {
                        stack.push(a);
                    }
                }
                if stack.len() > before {
                    continue;
                }
            }
            stack.pop();
            let bits = self.compute(pool, t);
            debug_assert_eq!(bits.len(), width(pool, t));
            self.bits.insert(t, bits);
        }
        self.bits[&root].clone()
    }
    /// The circuit of a bit-vector comparison or equality.
    pub(crate) fn atom(&mut self, pool: &mut TermPool, atom: TermId) -> TermId {
        let (x, y) = (pool.arg(atom, 0), pool.arg(atom, 1));
        if pool.op(atom) == Op::Eq
            && let Some(equal) = decide_equality(pool, x, y)
        {
            return constant(equal);
        }
        let (a, b) = (self.bits(pool, x), self.bits(pool, y));
        match pool.op(atom) {
            Op::Eq => equal(pool, &a, &b),
            Op::BvUlt => unsigned_less(pool, &a, &b, TermId::FALSE),
            Op::BvUle => unsigned_less(pool, &a, &b, TermId::TRUE),
            Op::BvSlt => signed_less(pool, &a, &b, TermId::FALSE),
            Op::BvSle => signed_less(pool, &a, &b, TermId::TRUE),
            op => unreachable!("{op:?} is no comparison of bit-vectors"),
        }
    }

    /// The valid clauses that tie a term to bits: of a comparison or equality of words that it is what its circuit
    /// says, of a conversion from or to integers that the number is the weighted sum of the bits.
    pub(crate) fn axioms(&mut self, pool: &mut TermPool, t: TermId) -> Vec<Vec<TermId>> {
        match pool.op(t) {
            Op::BvToNat => {
                let sum = self.weighted_bits(pool, pool.arg(t, 0));
                vec![vec![pool.eq(t, sum)]]
            }
            Op::IntToBv(w) => {
                let sum = self.weighted_bits(pool, t);
                let modulus = pool.int_num(Rational::from(BigInt::ONE << w as usize));
                let rest = pool.modulo(pool.arg(t, 0), modulus);
                vec![vec![pool.eq(rest, sum)]]
            }
            Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle => {
                let circuit = self.atom(pool, t);
                let (not_atom, not_circuit) = (pool.not(t), pool.not(circuit));
                vec![vec![not_atom, circuit], vec![t, not_circuit]]
            }
            _ => Vec::new(),
        }
    }
    /// `Σ 2^i · bit_i` as an Int term.
    fn weighted_bits(&mut self, pool: &mut TermPool, word: TermId) -> TermId {
        let bits = self.bits(pool, word);
        let zero = pool.int(0);
        let mut sum = vec![zero];
        for (i, bit) in bits.into_iter().enumerate() {
            let weight = pool.int_num(Rational::from(BigInt::ONE << i));
            sum.push(pool.ite(bit, weight, zero));
        }
        pool.add(&sum)
    }

    /// The bits of a term whose arguments have theirs.
    fn compute(&mut self, pool: &mut TermPool, t: TermId) -> Bits {
        let w = width(pool, t);
        let op = pool.op(t);
        if is_leaf(op) {
            return (0..w).map(|i| bit_atom(pool, t, i)).collect();
        }
        if let Some((n, _)) = pool.bv_number(t) {
            let n = n.to_bigint().unwrap_or(BigInt::ZERO);
            return (0..w).map(|i| constant((&n >> i) % BigInt::from(2) != BigInt::ZERO)).collect();
        }
        let args: Vec<TermId> = pool.args(t).to_vec();
        let mut operands = args.iter().filter_map(|a| self.bits.get(a).cloned());
        let a = operands.next().unwrap_or_default();
        let b = operands.next().unwrap_or_default();
        match op {
            Op::Ite => mux(pool, args[0], &a, &b),
            Op::BvConcat => b.into_iter().chain(a).collect(),
            Op::BvExtract(hi, lo) => a[lo as usize..=hi as usize].to_vec(),
            Op::BvZeroExt(n) => a.into_iter().chain(std::iter::repeat_n(TermId::FALSE, n as usize)).collect(),
            Op::BvSignExt(n) => {
                let sign = a[a.len() - 1];
                a.into_iter().chain(std::iter::repeat_n(sign, n as usize)).collect()
            }
            Op::BvNot => invert(pool, &a),
            Op::BvNeg => negate(pool, &a),
            Op::BvAnd => a.iter().zip(&b).map(|(&x, &y)| pool.and2(x, y)).collect(),
            Op::BvOr => a.iter().zip(&b).map(|(&x, &y)| pool.or2(x, y)).collect(),
            Op::BvXor => a.iter().zip(&b).map(|(&x, &y)| pool.xor(x, y)).collect(),
            Op::BvAdd => add(pool, &a, &b, TermId::FALSE).0,
            Op::BvSub => subtract(pool, &a, &b).0,
            Op::BvMul => multiply(pool, &a, &b),
            Op::BvUdiv => divide(pool, &a, &b).0,
            Op::BvUrem => divide(pool, &a, &b).1,
            Op::BvSdiv => {
                let (q, _) = signed_parts(pool, &a, &b);
                let different = pool.xor(a[w - 1], b[w - 1]);
                negate_if(pool, different, &q)
            }
            Op::BvSrem => {
                let (_, r) = signed_parts(pool, &a, &b);
                negate_if(pool, a[w - 1], &r)
            }
            Op::BvSmod => {
                // The remainder with the sign of the divisor.
                let (_, r) = signed_parts(pool, &a, &b);
                let signed = negate_if(pool, a[w - 1], &r);
                let shifted = add(pool, &signed, &b, TermId::FALSE).0;
                let is_zero = none(pool, &r);
                let same_sign = pool.eq(a[w - 1], b[w - 1]);
                let keep = pool.or2(is_zero, same_sign);
                mux(pool, keep, &signed, &shifted)
            }
            Op::BvShl => shift(pool, &a, &b, TermId::FALSE, true),
            Op::BvLshr => shift(pool, &a, &b, TermId::FALSE, false),
            Op::BvAshr => {
                let sign = a[w - 1];
                shift(pool, &a, &b, sign, false)
            }
            op => unreachable!("{op:?} does not make bit-vectors"),
        }
    }
}

fn constant(bit: bool) -> TermId {
    if bit { TermId::TRUE } else { TermId::FALSE }
}

fn invert(pool: &mut TermPool, a: &[TermId]) -> Bits {
    a.iter().map(|&x| pool.not(x)).collect()
}

fn mux(pool: &mut TermPool, c: TermId, a: &[TermId], b: &[TermId]) -> Bits {
    a.iter().zip(b).map(|(&x, &y)| pool.ite(c, x, y)).collect()
}

fn none(pool: &mut TermPool, a: &[TermId]) -> TermId {
    let some = pool.or(a);
    pool.not(some)
}

fn equal(pool: &mut TermPool, a: &[TermId], b: &[TermId]) -> TermId {
    let bits: Bits = a.iter().zip(b).map(|(&x, &y)| pool.eq(x, y)).collect();
    pool.and(&bits)
}

/// Sum and carry.
fn add(pool: &mut TermPool, a: &[TermId], b: &[TermId], carry: TermId) -> (Bits, TermId) {
    let mut carry = carry;
    let mut sum = Vec::with_capacity(a.len());
    for (&x, &y) in a.iter().zip(b) {
        let half = pool.xor(x, y);
        sum.push(pool.xor(half, carry));
        let (both, through) = (pool.and2(x, y), pool.and2(half, carry));
        carry = pool.or2(both, through);
    }
    (sum, carry)
}

/// Difference, and whether `a >= b` (no borrow).
fn subtract(pool: &mut TermPool, a: &[TermId], b: &[TermId]) -> (Bits, TermId) {
    let not_b = invert(pool, b);
    add(pool, a, &not_b, TermId::TRUE)
}

fn negate(pool: &mut TermPool, a: &[TermId]) -> Bits {
    let zeros = vec![TermId::FALSE; a.len()];
    subtract(pool, &zeros, a).0
}

fn negate_if(pool: &mut TermPool, c: TermId, a: &[TermId]) -> Bits {
    let negated = negate(pool, a);
    mux(pool, c, &negated, a)
}

fn multiply(pool: &mut TermPool, a: &[TermId], b: &[TermId]) -> Bits {
    let w = a.len();
    let mut sum = vec![TermId::FALSE; w];
    for k in 0..w {
        if b[k] == TermId::FALSE {
            continue;
        }
        // The part of a << k that fits, where bit k of b is set.
        let row: Bits = a[..w - k].iter().map(|&x| pool.and2(x, b[k])).collect();
        let high = add(pool, &sum[k..], &row, TermId::FALSE).0;
        sum.truncate(k);
        sum.extend(high);
    }
    sum
}

/// Quotient and remainder by restoring division, from the highest bit down. The partial remainder stays below the
/// divisor, so one more bit is enough; with a zero divisor every step "fits": all ones, and the dividend is left.
fn divide(pool: &mut TermPool, a: &[TermId], b: &[TermId]) -> (Bits, Bits) {
    let w = a.len();
    let divisor: Bits = b.iter().copied().chain([TermId::FALSE]).collect();
    let mut remainder = vec![TermId::FALSE; w + 1];
    let mut quotient = vec![TermId::FALSE; w];
    for i in (0..w).rev() {
        remainder.rotate_right(1);
        remainder[0] = a[i];
        let (difference, fits) = subtract(pool, &remainder, &divisor);
        remainder = mux(pool, fits, &difference, &remainder);
        quotient[i] = fits;
    }
    remainder.truncate(w);
    (quotient, remainder)
}

/// Quotient and remainder of the absolute values.
fn signed_parts(pool: &mut TermPool, a: &[TermId], b: &[TermId]) -> (Bits, Bits) {
    let (sign_a, sign_b) = (a[a.len() - 1], b[b.len() - 1]);
    let (x, y) = (negate_if(pool, sign_a, a), negate_if(pool, sign_b, b));
    divide(pool, &x, &y)
}

/// A barrel shifter: one stage per bit of the amount.
fn shift(pool: &mut TermPool, a: &[TermId], amount: &[TermId], fill: TermId, left: bool) -> Bits {
    let w = a.len();
    let mut current = a.to_vec();
    for (k, &bit) in amount.iter().enumerate() {
        let distance = if k < usize::BITS as usize - 1 { (1usize << k).min(w) } else { w };
        let moved: Bits = (0..w)
            .map(|i| match left {
                true if i >= distance => current[i - distance],
                false if i + distance < w => current[i + distance],
                _ => fill,
            })
            .collect();
        current = mux(pool, bit, &moved, &current);
    }
    current
}

/// `a < b`, or `if_equal` when they are equal.
fn unsigned_less(pool: &mut TermPool, a: &[TermId], b: &[TermId], if_equal: TermId) -> TermId {
    let mut less = if_equal;
    for (&x, &y) in a.iter().zip(b) {
        // The higher bit decides if it differs.
        let same = pool.eq(x, y);
        less = pool.ite(same, less, y);
    }
    less
}

fn signed_less(pool: &mut TermPool, a: &[TermId], b: &[TermId], if_equal: TermId) -> TermId {
    // Turning the sign bits makes two's complement order like unsigned order.
    let (mut a, mut b) = (a.to_vec(), b.to_vec());
    for bits in [&mut a, &mut b] {
        if let Some(sign) = bits.last_mut() {
            *sign = pool.not(*sign);
        }
    }
    unsigned_less(pool, &a, &b, if_equal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::{Model, Value};

    fn value(pool: &TermPool, model: &Model, bits: &[TermId]) -> u64 {
        bits.iter().enumerate().map(|(i, &b)| u64::from(model.holds(pool, b) == Ok(true)) << i).sum()
    }

    /// Every operator and comparison at widths up to four, on all inputs, against the evaluator.
    #[test]
    fn circuits_agree_with_the_evaluator() {
        use Op::*;
        for w in 1..=4u32 {
            let mut pool = TermPool::new();
            let sort = pool.bitvec_sort(w);
            let (x, y) = (pool.constant("x", sort), pool.constant("y", sort));
            let (fx, fy) = (pool.as_symbol(x).unwrap(), pool.as_symbol(y).unwrap());
            let mut words = Vec::new();
            for op in [
                BvAnd, BvOr, BvXor, BvAdd, BvSub, BvMul, BvUdiv, BvUrem, BvSdiv, BvSrem, BvSmod, BvShl, BvLshr, BvAshr,
                BvConcat,
            ] {
                words.push(pool.bv(op, &[x, y]));
            }
            for op in [BvNot, BvNeg, BvZeroExt(2), BvSignExt(2), BvExtract(w - 1, w / 2)] {
                words.push(pool.bv(op, &[x]));
            }
            let less = pool.bv(BvSlt, &[x, y]);
            words.push(pool.ite(less, x, y));
            let mut atoms = vec![pool.eq(x, y)];
            for op in [BvUlt, BvUle, BvSlt, BvSle] {
                atoms.push(pool.bv(op, &[x, y]));
            }
            let mut blaster = BitBlaster::default();
            let circuits: Vec<Bits> = words.iter().map(|&t| blaster.bits(&mut pool, t)).collect();
            let comparisons: Vec<TermId> = atoms.iter().map(|&t| blaster.atom(&mut pool, t)).collect();
            for a in 0..1u64 << w {
                for b in 0..1u64 << w {
                    let mut model = Model::new();
                    model.set(fx, Value::Bv(a.into(), w));
                    model.set(fy, Value::Bv(b.into(), w));
                    for (&t, bits) in words.iter().zip(&circuits) {
                        let Ok(Value::Bv(expected, _)) = model.eval(&pool, t) else { panic!("a bit-vector") };
                        let got = BigInt::from(value(&pool, &model, bits));
                        assert_eq!(got, expected, "{:?} of {a} and {b} at width {w}", pool.op(t));
                    }
                    for (&t, &circuit) in atoms.iter().zip(&comparisons) {
                        assert_eq!(model.holds(&pool, t), model.holds(&pool, circuit), "{:?} {a} {b}", pool.op(t));
                    }
                }
            }
        }
    }
}
