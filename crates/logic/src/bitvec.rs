//! Exact arithmetic on bit-vector values: the one evaluator that constants, models and circuits
//! are tested against. A value is its unsigned number, in `0 .. 2^width`.

use crate::rational::BigInt;
use crate::term::Op;

pub(crate) fn modulus(width: u32) -> BigInt {
    BigInt::ONE << width as usize
}

/// Reduces any integer to the range of the width.
pub(crate) fn wrap(value: BigInt, width: u32) -> BigInt {
    let m = modulus(width);
    let r = value % &m;
    if r < BigInt::ZERO { r + m } else { r }
}

/// The value read in two's complement.
pub(crate) fn signed(value: &BigInt, width: u32) -> BigInt {
    if *value >= modulus(width - 1) { value - modulus(width) } else { value.clone() }
}

fn all_ones(width: u32) -> BigInt {
    modulus(width) - BigInt::ONE
}

/// Truncating signed division with SMT-LIB's results for a zero divisor.
fn sdiv(a: &BigInt, b: &BigInt, width: u32) -> BigInt {
    let (sa, sb) = (signed(a, width), signed(b, width));
    if sb == BigInt::ZERO {
        return if sa < BigInt::ZERO { BigInt::ONE } else { all_ones(width) };
    }
    wrap(sa / sb, width)
}

fn srem(a: &BigInt, b: &BigInt, width: u32) -> BigInt {
    let (sa, sb) = (signed(a, width), signed(b, width));
    if sb == BigInt::ZERO { a.clone() } else { wrap(sa % sb, width) }
}

fn smod(a: &BigInt, b: &BigInt, width: u32) -> BigInt {
    let (sa, sb) = (signed(a, width), signed(b, width));
    if sb == BigInt::ZERO {
        return a.clone();
    }
    let r = sa % &sb;
    let r = if r != BigInt::ZERO && (r < BigInt::ZERO) != (sb < BigInt::ZERO) { r + sb } else { r };
    wrap(r, width)
}

/// A shift amount as a number of bits, or `None` if it is at least the width.
fn amount(b: &BigInt, width: u32) -> Option<usize> {
    usize::try_from(b).ok().filter(|&n| n < width as usize)
}

/// A binary operator on two values of the same width; `None` if `op` is not one.
pub(crate) fn binary(op: Op, a: &BigInt, b: &BigInt, width: u32) -> Option<BigInt> {
    let zero = BigInt::ZERO;
    Some(match op {
        Op::BvAnd => a & b,
        Op::BvOr => a | b,
        Op::BvXor => a ^ b,
        Op::BvAdd => wrap(a + b, width),
        Op::BvSub => wrap(a - b, width),
        Op::BvMul => wrap(a * b, width),
        Op::BvUdiv => {
            if *b == zero {
                all_ones(width)
            } else {
                a / b
            }
        }
        Op::BvUrem => {
            if *b == zero {
                a.clone()
            } else {
                a % b
            }
        }
        Op::BvSdiv => sdiv(a, b, width),
        Op::BvSrem => srem(a, b, width),
        Op::BvSmod => smod(a, b, width),
        Op::BvShl => amount(b, width).map_or(zero, |n| wrap(a << n, width)),
        Op::BvLshr => amount(b, width).map_or(zero, |n| a >> n),
        Op::BvAshr => {
            let s = signed(a, width);
            let n = amount(b, width).unwrap_or(width as usize);
            // Rust's and dashu's shift of negative numbers rounds down, as an arithmetic shift does.
            wrap(s >> n, width)
        }
        _ => return None,
    })
}

/// A comparison; `None` if `op` is not one.
pub(crate) fn compare(op: Op, a: &BigInt, b: &BigInt, width: u32) -> Option<bool> {
    Some(match op {
        Op::BvUlt => a < b,
        Op::BvUle => a <= b,
        Op::BvSlt => signed(a, width) < signed(b, width),
        Op::BvSle => signed(a, width) <= signed(b, width),
        _ => return None,
    })
}

/// Bits `hi..=lo`.
pub(crate) fn extract(a: &BigInt, hi: u32, lo: u32) -> BigInt {
    wrap(a >> lo as usize, hi - lo + 1)
}

pub(crate) fn not(a: &BigInt, width: u32) -> BigInt {
    all_ones(width) - a
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every operator at width 4 against machine arithmetic.
    #[test]
    fn four_bits_exhaustively() {
        let s = |v: i32| if v >= 8 { v - 16 } else { v };
        let w = |v: i32| v.rem_euclid(16);
        for a in 0..16i32 {
            for b in 0..16i32 {
                let run = |op| i32::try_from(binary(op, &a.into(), &b.into(), 4).unwrap()).unwrap();
                assert_eq!(run(Op::BvAdd), w(a + b));
                assert_eq!(run(Op::BvSub), w(a - b));
                assert_eq!(run(Op::BvMul), w(a * b));
                assert_eq!(run(Op::BvAnd), a & b);
                assert_eq!(run(Op::BvOr), a | b);
                assert_eq!(run(Op::BvXor), a ^ b);
                assert_eq!(run(Op::BvUdiv), if b == 0 { 15 } else { a / b });
                assert_eq!(run(Op::BvUrem), if b == 0 { a } else { a % b });
                let sd = if b == 0 { if s(a) < 0 { 1 } else { 15 } } else { w(s(a) / s(b)) };
                assert_eq!(run(Op::BvSdiv), sd);
                assert_eq!(run(Op::BvSrem), if b == 0 { a } else { w(s(a) % s(b)) });
                let floor_mod = if b == 0 { s(a) } else { s(a) - s(b) * (s(a) as f64 / s(b) as f64).floor() as i32 };
                assert_eq!(run(Op::BvSmod), w(floor_mod));
                assert_eq!(run(Op::BvShl), if b >= 4 { 0 } else { w(a << b) });
                assert_eq!(run(Op::BvLshr), if b >= 4 { 0 } else { a >> b });
                assert_eq!(run(Op::BvAshr), w(s(a) >> b.min(4)));
                let cmp = |op| compare(op, &a.into(), &b.into(), 4).unwrap();
                assert_eq!(cmp(Op::BvUlt), a < b);
                assert_eq!(cmp(Op::BvUle), a <= b);
                assert_eq!(cmp(Op::BvSlt), s(a) < s(b));
                assert_eq!(cmp(Op::BvSle), s(a) <= s(b));
            }
            assert_eq!(i32::try_from(not(&a.into(), 4)).unwrap(), 15 - a);
            assert_eq!(i32::try_from(extract(&a.into(), 2, 1)).unwrap(), (a >> 1) & 3);
        }
    }
}
