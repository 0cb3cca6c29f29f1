//! Integers and the values of the logic that stand for them.

use logic::{BigInt, Rational, Value};

/// The integer that a value stands for; words are signed.
pub(crate) fn signed(value: &Value) -> Option<BigInt> {
    match value {
        Value::Num(n) => n.to_bigint(),
        Value::Bv(n, width) => {
            let half = BigInt::from(1) << (*width as usize).saturating_sub(1);
            Some(if *n >= half { n.clone() - (half << 1usize) } else { n.clone() })
        }
        Value::Bool(_) | Value::Array(_) | Value::Element(..) => None,
    }
}

/// A number as a value of the sort of another.
pub(crate) fn value_like(like: &Value, n: &BigInt) -> Option<Value> {
    match like {
        Value::Num(_) => Some(Value::Num(Rational::from(n.clone()))),
        Value::Bv(_, width) => {
            let modulus = BigInt::from(1) << *width as usize;
            let n = if *n < BigInt::from(0) { n.clone() + modulus.clone() } else { n.clone() };
            (n >= BigInt::from(0) && n < modulus).then_some(Value::Bv(n, *width))
        }
        Value::Bool(_) | Value::Array(_) | Value::Element(..) => None,
    }
}
