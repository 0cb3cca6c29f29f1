//! Which numbers a term can have: an interval with a step.
//!
//! Words are read as signed numbers. The rules look at one operator at a time; what is known of its arguments comes
//! from the caller, who may know more of them on a path than in general.

use logic::{Op, Rational, SortId, TermId, TermPool};

/// The numbers `low`, `low + step`, … up to `high`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Range {
    pub(crate) low: i128,
    pub(crate) high: i128,
    pub(crate) step: i128,
}

/// Wider words are not looked at.
const MAX_WIDTH: u32 = 120;

/// Nor are greater numbers: differences, counts and sums of ranges do not overflow.
pub(crate) const GREATEST: i128 = 1 << MAX_WIDTH;

fn gcd(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.abs()
}

impl Range {
    pub(crate) fn point(n: i128) -> Range {
        Range { low: n, high: n, step: 1 }
    }
    pub(crate) fn new(low: i128, high: i128) -> Range {
        Range { low, high, step: 1 }
    }
    /// All signed words of a width.
    pub(crate) fn of_width(width: u32) -> Option<Range> {
        (width <= MAX_WIDTH).then(|| Range::new(-(1 << (width - 1)), (1 << (width - 1)) - 1))
    }
    pub(crate) fn as_point(self) -> Option<i128> {
        (self.low == self.high).then_some(self.low)
    }
    pub(crate) fn is_within(self, low: i128, high: i128) -> bool {
        low <= self.low && self.high <= high
    }
    pub(crate) fn count(self) -> i128 {
        (self.high - self.low) / self.step + 1
    }
    pub(crate) fn numbers(self) -> impl Iterator<Item = i128> {
        (0..self.count()).map(move |i| self.low + i * self.step)
    }
    /// The step of a point fits every other.
    fn own_step(self) -> i128 {
        if self.low == self.high { 0 } else { self.step }
    }
    fn with_step(low: i128, high: i128, step: i128) -> Range {
        Range { low, high, step: step.max(1) }
    }
    pub(crate) fn hull(self, other: Range) -> Range {
        let step = gcd(gcd(self.own_step(), other.own_step()), self.low.saturating_sub(other.low));
        Range::with_step(self.low.min(other.low), self.high.max(other.high), step)
    }
    /// Those that lie in an interval; `None` if there are none.
    pub(crate) fn cut(self, low: i128, high: i128) -> Option<Range> {
        let up =
            if low > self.low { self.low + (low - self.low + self.step - 1) / self.step * self.step } else { self.low };
        let high = high.min(self.high);
        (up <= high).then(|| Range { low: up, high: up + (high - up) / self.step * self.step, step: self.step })
    }
    fn plus(self, other: Range) -> Option<Range> {
        let step = gcd(self.own_step(), other.own_step());
        Some(Range::with_step(self.low.checked_add(other.low)?, self.high.checked_add(other.high)?, step))
    }
    fn negated(self) -> Option<Range> {
        Some(Range { low: self.high.checked_neg()?, high: self.low.checked_neg()?, step: self.step })
    }
    fn times(self, other: Range) -> Option<Range> {
        let (range, factor) = match (self.as_point(), other.as_point()) {
            (_, Some(factor)) => (self, factor),
            (Some(factor), _) => (other, factor),
            (None, None) => {
                let corners =
                    [(self.low, other.low), (self.low, other.high), (self.high, other.low), (self.high, other.high)];
                let products: Option<Vec<i128>> = corners.into_iter().map(|(a, b)| a.checked_mul(b)).collect();
                let products = products?;
                return Some(Range::new(*products.iter().min()?, *products.iter().max()?));
            }
        };
        let (a, b) = (range.low.checked_mul(factor)?, range.high.checked_mul(factor)?);
        Some(Range::with_step(a.min(b), a.max(b), range.own_step().checked_mul(factor)?.abs()))
    }
}

/// The number of a literal; words signed.
pub(crate) fn number(pool: &TermPool, t: TermId) -> Option<i128> {
    let to_i128 = |n: &Rational| -> Option<i128> {
        match n.to_i64() {
            Some(n) => Some(i128::from(n)),
            None => n.to_bigint()?.to_string().parse().ok(),
        }
    };
    if let Some((n, width)) = pool.bv_number(t) {
        if width > MAX_WIDTH {
            return None;
        }
        let n = to_i128(n)?;
        return Some(if n >= 1 << (width - 1) { n - (1 << width) } else { n });
    }
    if pool.sort(t) != SortId::INT {
        return None;
    }
    to_i128(pool.number(t)?).filter(|n| (-GREATEST..GREATEST).contains(n))
}

/// What the sort alone says.
pub(crate) fn of_sort(pool: &TermPool, sort: SortId) -> Option<Range> {
    pool.bitvec_width(sort).and_then(Range::of_width)
}

/// The range of a term by that of its arguments. `None`: any integer, or no number at all.
pub(crate) fn of_term(pool: &TermPool, t: TermId, mut of: impl FnMut(TermId) -> Option<Range>) -> Option<Range> {
    if let Some(n) = number(pool, t) {
        return Some(Range::point(n));
    }
    let all = of_sort(pool, pool.sort(t));
    let found = by_operator(pool, t, &mut of);
    match (found, all) {
        (Some(range), Some(all)) => Some(if range.is_within(all.low, all.high) { range } else { all }),
        (None, all) => all,
        // Integers, or wide words: these do not wrap around within the greatest numbers.
        (found, None) => found.filter(|r| r.is_within(-GREATEST, GREATEST - 1)),
    }
}

fn by_operator(pool: &TermPool, t: TermId, of: &mut dyn FnMut(TermId) -> Option<Range>) -> Option<Range> {
    let args = pool.args(t);
    match pool.op(t) {
        Op::Ite => Some(of(args[1])?.hull(of(args[2])?)),
        Op::Add => {
            let mut sum = Range::point(0);
            for &a in args {
                sum = sum.plus(of(a)?)?;
            }
            Some(sum)
        }
        Op::Mul => {
            let mut product = Range::point(1);
            for &a in args {
                product = product.times(of(a)?)?;
            }
            Some(product)
        }
        Op::Mod => {
            let divisor = of(args[1])?.as_point().filter(|&d| d > 0)?;
            match of(args[0]) {
                Some(a) if a.is_within(0, divisor - 1) => Some(a),
                _ => Some(Range::new(0, divisor - 1)),
            }
        }
        Op::IntDiv => {
            let divisor = of(args[1])?.as_point().filter(|&d| d > 0)?;
            let a = of(args[0])?;
            Some(Range::new(a.low.div_euclid(divisor), a.high.div_euclid(divisor)))
        }
        Op::BvAdd => of(args[0])?.plus(of(args[1])?),
        Op::BvSub => of(args[0])?.plus(of(args[1])?.negated()?),
        Op::BvNeg => of(args[0])?.negated(),
        Op::BvMul => of(args[0])?.times(of(args[1])?),
        Op::BvSignExt(_) => of(args[0]),
        Op::BvZeroExt(_) => {
            // Bits cut off and filled up with zeros: a remainder.
            if let Op::BvExtract(high, 0) = pool.op(args[0])
                && high < MAX_WIDTH
                && let Some(whole) = of(pool.arg(args[0], 0))
                && whole.is_within(0, (1 << (high + 1)) - 1)
            {
                return Some(whole);
            }
            let range = of(args[0])?;
            let width = pool.bitvec_width(pool.sort(args[0])).filter(|w| *w <= MAX_WIDTH)?;
            Some(if range.low >= 0 { range } else { Range::new(0, (1 << width) - 1) })
        }
        Op::BvExtract(high, 0) => {
            let (range, all) = (of(args[0])?, Range::of_width(high + 1)?);
            range.is_within(all.low, all.high).then_some(range)
        }
        Op::BvAnd => {
            let (a, b) = (of(args[0])?, of(args[1])?);
            match (a.low >= 0, b.low >= 0) {
                (true, true) => Some(Range::new(0, a.high.min(b.high))),
                (true, false) => Some(Range::new(0, a.high)),
                (false, true) => Some(Range::new(0, b.high)),
                (false, false) => None,
            }
        }
        Op::BvOr | Op::BvXor => {
            let (a, b) = (of(args[0])?, of(args[1])?);
            (a.low >= 0 && b.low >= 0).then(|| {
                let bits = 128 - a.high.max(b.high).leading_zeros();
                Range::new(0, (1i128 << bits.min(126)) - 1)
            })
        }
        Op::BvShl => {
            let by = of(args[1])?.as_point().filter(|by| (0..100).contains(by))?;
            of(args[0])?.times(Range::point(1 << by))
        }
        Op::BvLshr | Op::BvAshr => {
            let by = of(args[1])?.as_point().filter(|by| (0..120).contains(by))?;
            let a = of(args[0])?;
            (a.low >= 0 || pool.op(t) == Op::BvAshr).then(|| Range::new(a.low >> by, a.high >> by))
        }
        Op::BvUrem | Op::BvSrem | Op::BvSmod => {
            let (a, b) = (of(args[0])?, of(args[1])?);
            (a.low >= 0 && b.low > 0).then(|| Range::new(0, a.high.min(b.high - 1)))
        }
        Op::BvUdiv | Op::BvSdiv => {
            let (a, b) = (of(args[0])?, of(args[1])?);
            (a.low >= 0 && b.low > 0).then(|| Range::new(a.low / b.high, a.high / b.low))
        }
        _ => None,
    }
}

/// Does a comparison hold whatever the numbers are, or never?
pub(crate) fn decide(pool: &TermPool, atom: TermId, mut of: impl FnMut(TermId) -> Option<Range>) -> Option<bool> {
    let op = pool.op(atom);
    if !matches!(op, Op::Eq | Op::Le | Op::Lt | Op::BvSle | Op::BvSlt | Op::BvUle | Op::BvUlt) {
        return None;
    }
    let (a, b) = (of(pool.arg(atom, 0))?, of(pool.arg(atom, 1))?);
    let at_most = |a: Range, b: Range| {
        if a.high <= b.low {
            Some(true)
        } else if a.low > b.high {
            Some(false)
        } else {
            None
        }
    };
    match op {
        Op::Eq if a.high < b.low || b.high < a.low => Some(false),
        Op::Eq if (a.low - b.low) % gcd(a.own_step(), b.own_step()).max(1) != 0 => Some(false),
        Op::Eq if a.as_point().is_some() && a == b => Some(true),
        Op::Eq => None,
        Op::Le | Op::BvSle => at_most(a, b),
        Op::Lt | Op::BvSlt => at_most(b, a).map(|not| !not),
        Op::BvUle if a.low >= 0 && b.low >= 0 => at_most(a, b),
        Op::BvUlt if a.low >= 0 && b.low >= 0 => at_most(b, a).map(|not| !not),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All pairs of small ranges against all their numbers.
    #[test]
    fn operations_contain_all_results() {
        let mut ranges = Vec::new();
        for low in -5..5 {
            for step in 1..4 {
                for n in 0..4 {
                    ranges.push(Range { low, high: low + n * step, step: if n == 0 { 1 } else { step } });
                }
            }
        }
        let contains = |r: Range, n: i128| r.numbers().any(|m| m == n);
        for &a in &ranges {
            for &b in &ranges {
                let (hull, sum, product) = (a.hull(b), a.plus(b), a.times(b));
                for x in a.numbers() {
                    assert!(contains(hull, x));
                    for y in b.numbers() {
                        assert!(contains(hull, y));
                        assert!(sum.is_some_and(|s| contains(s, x + y)), "{a:?} + {b:?}");
                        assert!(product.is_some_and(|p| contains(p, x * y)), "{a:?} * {b:?}");
                    }
                }
                let cut = a.cut(b.low, b.high);
                for x in a.numbers() {
                    let inside = b.low <= x && x <= b.high;
                    assert_eq!(cut.is_some_and(|c| contains(c, x)), inside, "{a:?} in {b:?}");
                }
            }
        }
    }
}
