//! Formulas over single bits, said in words.
//!
//! Refutations of bit-vectors speak about bits, and so do interpolants read off them. Where a part of a formula is
//! about neighbouring bits of a word it is replaced by an equivalent one about the word:
//!
//! * all bits of a range fixed in a conjunction (in a disjunction: all denied) → `x[hi:lo] = c`, `x[hi:lo] ≠ c`;
//! * bitwise equalities of a range of two words → `x[hi:lo] = y[hi:lo]`, dually `≠`;
//! * chains `x₃ ∧ (x₂ ∨ (x₁ ∧ …))`, which compare a word with a constant bit by bit → `c ≤ x`, `x ≤ c`.
//!
//! A range of the whole word needs no extraction.

use logic::{BigInt, FastMap, Op, TermId, TermPool};
use std::collections::BTreeMap;

/// A bit of a word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Bit {
    word: TermId,
    index: u32,
}

/// Nesting beyond which chains are not followed.
const MAX_DEPTH: usize = 80;

/// The formula with its parts said in words where possible.
pub fn lift(pool: &mut TermPool, root: TermId, memo: &mut FastMap<TermId, TermId>) -> TermId {
    let mut stack = vec![(root, false)];
    while let Some((t, parts_done)) = stack.pop() {
        if memo.contains_key(&t) {
            continue;
        }
        let op = pool.op(t);
        if !matches!(op, Op::And | Op::Or | Op::Not) {
            memo.insert(t, t);
            continue;
        }
        if let Some(bound) = chain_bound(pool, t) {
            memo.insert(t, bound);
            continue;
        }
        let args = pool.args(t).to_vec();
        if !parts_done {
            stack.push((t, true));
            stack.extend(args.iter().filter(|&&a| bit_literal(pool, a).is_none()).map(|&a| (a, false)));
            continue;
        }
        let lifted = match op {
            Op::Not => {
                let inner = memo.get(&args[0]).copied().unwrap_or(args[0]);
                pool.not(inner)
            }
            _ => junction(pool, &args, op == Op::And, memo),
        };
        memo.insert(t, lifted);
    }
    memo[&root]
}

/// The literal of a bit: which, and whether it is said to be one.
fn bit_literal(pool: &TermPool, literal: TermId) -> Option<(Bit, bool)> {
    let (atom, sign) = if pool.op(literal) == Op::Not { (pool.arg(literal, 0), false) } else { (literal, true) };
    if pool.op(atom) != Op::Eq {
        return None;
    }
    let (a, b) = (pool.arg(atom, 0), pool.arg(atom, 1));
    let (word, value) = match (pool.bv_number(a), pool.bv_number(b)) {
        (Some((n, 1)), None) => (b, n.is_one()),
        (None, Some((n, 1))) => (a, n.is_one()),
        _ => return None,
    };
    let bit = match pool.op(word) {
        Op::BvExtract(hi, lo) if hi == lo => Bit { word: pool.arg(word, 0), index: hi },
        _ => Bit { word, index: 0 },
    };
    Some((bit, value == sign))
}

/// The literal of an equality of two bits at the same place: the words in order, the place, and whether equal.
fn bit_equality(pool: &TermPool, literal: TermId) -> Option<((TermId, TermId), u32, bool)> {
    let (atom, sign) = if pool.op(literal) == Op::Not { (pool.arg(literal, 0), false) } else { (literal, true) };
    if pool.op(atom) != Op::Eq || !pool.is_bool(pool.arg(atom, 0)) {
        return None;
    }
    let (a, a_sign) = bit_literal(pool, pool.arg(atom, 0))?;
    let (b, b_sign) = bit_literal(pool, pool.arg(atom, 1))?;
    let same_width = pool.sort(a.word) == pool.sort(b.word);
    (a.index == b.index && same_width && a.word != b.word)
        .then(|| ((a.word.min(b.word), a.word.max(b.word)), a.index, sign == (a_sign == b_sign)))
}

fn range(pool: &mut TermPool, word: TermId, hi: u32, lo: u32) -> TermId {
    let width = pool.bitvec_width(pool.sort(word)).unwrap_or(0);
    if lo == 0 && hi + 1 == width { word } else { pool.bv(Op::BvExtract(hi, lo), &[word]) }
}

/// Maximal ranges `(hi, lo)` of consecutive keys, highest first.
fn ranges<T>(places: &BTreeMap<u32, T>) -> Vec<(u32, u32)> {
    let mut out: Vec<(u32, u32)> = Vec::new();
    for &place in places.keys() {
        match out.last_mut() {
            Some((hi, _)) if *hi + 1 == place => *hi = place,
            _ => out.push((place, place)),
        }
    }
    out.reverse();
    out
}

/// A conjunction or disjunction; other parts than bits are lifted already.
fn junction(pool: &mut TermPool, args: &[TermId], is_and: bool, memo: &FastMap<TermId, TermId>) -> TermId {
    // In a disjunction everything is negated: what must not all be so at once.
    let mut fixed: BTreeMap<TermId, BTreeMap<u32, bool>> = BTreeMap::new();
    let mut equal: BTreeMap<(TermId, TermId), BTreeMap<u32, TermId>> = BTreeMap::new();
    let mut parts: Vec<TermId> = Vec::new();
    for &arg in args {
        if let Some((bit, value)) = bit_literal(pool, arg) {
            let old = fixed.entry(bit.word).or_default().insert(bit.index, value == is_and);
            if old.is_some_and(|old| old != (value == is_and)) {
                return pool.bool(!is_and);
            }
        } else if let Some((words, place, equality)) = bit_equality(pool, arg)
            && equality == is_and
        {
            equal.entry(words).or_default().insert(place, arg);
        } else {
            parts.push(memo.get(&arg).copied().unwrap_or(arg));
        }
    }
    for (word, bits) in &fixed {
        for (hi, lo) in ranges(bits) {
            let number =
                (lo..=hi).fold(BigInt::ZERO, |n, i| if bits[&i] { n + (BigInt::ONE << (i - lo) as usize) } else { n });
            let value = pool.bv_num(number, hi - lo + 1);
            let part = range(pool, *word, hi, lo);
            let eq = pool.eq(part, value);
            parts.push(if is_and { eq } else { pool.not(eq) });
        }
    }
    for ((a, b), places) in &equal {
        for (hi, lo) in ranges(places) {
            if hi == lo && pool.bitvec_width(pool.sort(*a)) != Some(1) {
                parts.push(places[&hi]);
                continue;
            }
            let (x, y) = (range(pool, *a, hi, lo), range(pool, *b, hi, lo));
            let eq = pool.eq(x, y);
            parts.push(if is_and { eq } else { pool.not(eq) });
        }
    }
    if is_and { pool.and(&parts) } else { pool.or(&parts) }
}

/// A comparison with a constant that is written as a chain of alternating conjunctions and disjunctions.
fn chain_bound(pool: &mut TermPool, t: TermId) -> Option<TermId> {
    let mut levels: Vec<(Bit, bool)> = Vec::new();
    let polarity = chain(pool, t, &mut levels, 0)?;
    // One kind of junction only is a range of fixed bits.
    if levels.iter().all(|(_, is_and)| *is_and) || levels[..levels.len() - 1].iter().all(|(_, is_and)| !is_and) {
        return None;
    }
    let (word, hi) = (levels[0].0.word, levels[0].0.index);
    let mut number = BigInt::ZERO;
    for (k, (bit, is_and)) in levels.iter().enumerate() {
        if bit.word != word || bit.index + k as u32 != hi {
            return None;
        }
        // x ≥ c: a one must be matched, a zero may be exceeded. x ≤ c: the other way round.
        if *is_and == polarity {
            number += BigInt::ONE << bit.index as usize;
        }
    }
    let lo = levels[levels.len() - 1].0.index;
    if !polarity {
        number += (BigInt::ONE << lo as usize) - BigInt::ONE;
    }
    let part = range(pool, word, hi, 0);
    let bound = pool.bv_num(number, hi + 1);
    Some(if polarity { pool.bv(Op::BvUle, &[bound, part]) } else { pool.bv(Op::BvUle, &[part, bound]) })
}

/// Follows a chain from the outermost (highest) bit; each bit with whether a conjunction joins it to the rest. Returns
/// whether the bits are said to be ones; all must agree.
fn chain(pool: &TermPool, t: TermId, levels: &mut Vec<(Bit, bool)>, depth: usize) -> Option<bool> {
    if let Some((bit, polarity)) = bit_literal(pool, t) {
        levels.push((bit, true));
        return Some(polarity);
    }
    let is_and = match pool.op(t) {
        Op::And => true,
        Op::Or => false,
        _ => return None,
    };
    let mut bits: Vec<(Bit, bool)> = Vec::new();
    let mut rest = None;
    for &arg in pool.args(t) {
        match bit_literal(pool, arg) {
            Some(literal) => bits.push(literal),
            None if rest.is_none() => rest = Some(arg),
            None => return None,
        }
    }
    let polarity = bits.first()?.1;
    if bits.iter().any(|(_, p)| *p != polarity) || depth > MAX_DEPTH {
        return None;
    }
    bits.sort_by_key(|(bit, _)| std::cmp::Reverse(bit.index));
    levels.extend(bits.iter().map(|(bit, _)| (*bit, is_and)));
    match rest {
        Some(rest) => (chain(pool, rest, levels, depth + 1)? == polarity).then_some(polarity),
        None => {
            // The last bit has nothing to be joined to.
            if let Some(last) = levels.last_mut() {
                last.1 = true;
            }
            Some(polarity)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Random;
    use logic::{FunId, Model, Value};

    struct Words {
        pool: TermPool,
        symbols: Vec<FunId>,
        bits: Vec<Vec<TermId>>,
    }

    fn words(width: u32) -> Words {
        let mut pool = TermPool::new();
        let sort = pool.bitvec_sort(width);
        let (mut symbols, mut bits) = (Vec::new(), Vec::new());
        for name in ["x", "y"] {
            let word = pool.constant(name, sort);
            symbols.push(pool.as_symbol(word).expect("a constant"));
            let one = pool.bv_num(BigInt::ONE, 1);
            let row = (0..width)
                .map(|i| {
                    let bit = pool.bv(Op::BvExtract(i, i), &[word]);
                    pool.eq(bit, one)
                })
                .collect();
            bits.push(row);
        }
        Words { pool, symbols, bits }
    }

    fn lifted(w: &mut Words, t: TermId) -> String {
        let lifted = lift(&mut w.pool, t, &mut FastMap::default());
        w.pool.smtlib(lifted)
    }

    #[test]
    fn ranges_equalities_and_bounds() {
        let mut w = words(3);
        let x = w.bits[0].clone();
        let y = w.bits[1].clone();
        let not = |w: &mut Words, t: TermId| w.pool.not(t);
        let not_x1 = not(&mut w, x[1]);
        let all = w.pool.and(&[x[0], not_x1, x[2]]);
        assert_eq!(lifted(&mut w, all), "(= x #b101)");
        let none = w.pool.not(all);
        assert_eq!(lifted(&mut w, none), "(not (= x #b101))");
        let high = w.pool.and(&[x[2], not_x1, y[0]]);
        assert_eq!(lifted(&mut w, high), "(and (= #b1 ((_ extract 0 0) y)) (= #b10 ((_ extract 2 1) x)))");
        let pairs: Vec<TermId> = (0..3).map(|i| w.pool.eq(x[i], y[i])).collect();
        let same = w.pool.and(&pairs);
        assert_eq!(lifted(&mut w, same), "(= x y)");
        // x ≥ 5: the highest bit, and one of the others.
        let other = w.pool.or2(x[1], x[0]);
        let bound = w.pool.and2(x[2], other);
        assert_eq!(lifted(&mut w, bound), "(bvule #b101 x)");
        let below = w.pool.not(bound);
        assert_eq!(lifted(&mut w, below), "(not (bvule #b101 x))");
    }

    /// The lifted formula is equivalent, on all values of two words.
    #[test]
    fn random_formulas_keep_their_meaning() {
        let mut rng = Random::new(21);
        let mut n_changed = 0;
        for _ in 0..400 {
            let mut w = words(3);
            let mut formulas: Vec<TermId> = w.bits.concat();
            for i in 0..3 {
                let eq = w.pool.eq(w.bits[0][i], w.bits[1][i]);
                formulas.push(eq);
            }
            for _ in 0..8 {
                let parts: Vec<TermId> = (0..2 + rng.below(3))
                    .map(|_| {
                        let t = formulas[rng.below(formulas.len())];
                        if rng.below(4) == 0 { w.pool.not(t) } else { t }
                    })
                    .collect();
                let new = if rng.flip() { w.pool.and(&parts) } else { w.pool.or(&parts) };
                formulas.push(new);
            }
            let original = formulas[formulas.len() - 1];
            let lifted = lift(&mut w.pool, original, &mut FastMap::default());
            n_changed += usize::from(lifted != original);
            for world in 0u64..64 {
                let mut model = Model::new();
                for (k, &f) in w.symbols.iter().enumerate() {
                    model.set(f, Value::Bv((world >> (3 * k) & 7).into(), 3));
                }
                assert_eq!(model.holds(&w.pool, original), model.holds(&w.pool, lifted));
            }
        }
        assert!(n_changed > 50, "{n_changed}");
    }
}
