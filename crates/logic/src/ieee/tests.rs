//! The circuits against the processor, and against exact arithmetic on all numbers of small formats.

use super::*;

#[test]
fn nearest_numbers_are_those_of_the_processor() {
    let mut random = base::Random::new(7);
    for _ in 0..2000 {
        let bits = random.bits();
        let value = f64::from_bits(bits);
        if !value.is_finite() || value == 0.0 {
            continue;
        }
        let (mantissa, exponent) = {
            let e = ((bits >> 52) & 0x7ff) as i64;
            let m = bits & ((1 << 52) - 1);
            if e == 0 { (m, -1074) } else { (m | (1 << 52), e - 1075) }
        };
        let scale = Rational::pow2(exponent.unsigned_abs() as u32);
        let exact = Rational::from(mantissa as i64);
        let exact = if exponent < 0 { &exact / &scale } else { &exact * &scale };
        let exact = if value < 0.0 { -exact } else { exact };
        assert_eq!(DOUBLE.nearest(&exact), BigInt::from(bits), "{value}");
        assert_eq!(SINGLE.nearest(&exact), BigInt::from((value as f32).to_bits()), "{value} as a float");
    }
    assert_eq!(SINGLE.nearest(&Rational::ratio(1, 3)), BigInt::from((1.0f32 / 3.0).to_bits()));
}

struct Bits(base::Random);
impl Bits {
    /// Bits of a number: special ones, near ones, any ones.
    fn bits(&mut self, f: Format) -> u64 {
        let mask = if f.width() == 64 { u64::MAX } else { (1 << f.width()) - 1 };
        let fraction = (1u64 << f.fraction) - 1;
        let sign = (self.0.bits() & 1) << (f.width() - 1);
        let bias = f.bias() as u64;
        let exponent = match self.0.bits() % 8 {
            0 => 0,
            1 => (1 << f.exponent) - 1,
            2 => self.0.bits() % 3,
            3 => (1 << f.exponent) - 2 - self.0.bits() % 3,
            4 | 5 => bias - 3 + self.0.bits() % 7,
            _ => self.0.bits() % (1 << f.exponent),
        };
        let low = match self.0.bits() % 5 {
            0 => 0,
            1 => fraction,
            2 => 1 << (self.0.bits() % f.fraction as u64),
            _ => self.0.bits() & fraction,
        };
        (sign | exponent << f.fraction | low) & mask
    }
}

fn value(pool: &TermPool, t: TermId) -> u64 {
    let (n, _) = pool.bv_number(t).expect("constants fold");
    n.to_string().parse().expect("an unsigned number")
}
fn word(pool: &mut TermPool, bits: u64, width: u32) -> TermId {
    pool.bv_num(BigInt::from(bits), width)
}
fn same(f: Format, ours: u64, theirs: u64) -> bool {
    let is_nan =
        |bits: u64| bits << (64 - f.width() + 1) > (((1u64 << f.exponent) - 1) << f.fraction) << (64 - f.width() + 1);
    ours == theirs || is_nan(ours) && is_nan(theirs)
}

/// What the processor computes, in the order in which the circuits are asked.
macro_rules! of_processor {
    ($p:expr, $q:expr) => {
        [
            $p + $q,
            $p - $q,
            $p * $q,
            $p / $q,
            $p.sqrt(),
            -$p,
            $p.abs(),
            $p.trunc(),
            $p.floor(),
            $p.ceil(),
            $p.round(),
            $p.round_ties_even(),
        ]
    };
}

#[test]
fn arithmetic_of_the_processor() {
    let mut r = Bits(base::Random::new(5));
    for round in 0..1500 {
        let mut pool = TermPool::new();
        let f = if round % 2 == 0 { SINGLE } else { DOUBLE };
        let (x, y) = (r.bits(f), r.bits(f));
        let (a, b) = (word(&mut pool, x, f.width()), word(&mut pool, y, f.width()));
        let mut ieee = Ieee::new(&mut pool);
        let ours = [
            ieee.sum(a, b, f),
            ieee.difference(a, b, f),
            ieee.product(a, b, f),
            ieee.quotient(a, b, f),
            ieee.root(a, f),
            ieee.negate(a, f),
            ieee.absolute(a, f),
            Ieee::new(ieee.pool).rounding(Rounding::Zero).integral(a, f),
            Ieee::new(ieee.pool).rounding(Rounding::Down).integral(a, f),
            Ieee::new(ieee.pool).rounding(Rounding::Up).integral(a, f),
            Ieee::new(ieee.pool).rounding(Rounding::NearestAway).integral(a, f),
            Ieee::new(ieee.pool).rounding(Rounding::NearestEven).integral(a, f),
        ];
        let relations = [ieee.less(a, b, f), ieee.less_or_equal(a, b, f), ieee.equal(a, b, f)];
        let theirs: [u64; 12] = if f == SINGLE {
            let (p, q) = (f32::from_bits(x as u32), f32::from_bits(y as u32));
            of_processor!(p, q).map(|v| v.to_bits() as u64)
        } else {
            let (p, q) = (f64::from_bits(x), f64::from_bits(y));
            of_processor!(p, q).map(|v| v.to_bits())
        };
        for (i, (&ours, &theirs)) in ours.iter().zip(&theirs).enumerate() {
            let ours = value(&pool, ours);
            assert!(same(f, ours, theirs), "operation {i} on {x:#x} and {y:#x}: {ours:#x}, not {theirs:#x}");
        }
        let theirs = if f == SINGLE {
            let (p, q) = (f32::from_bits(x as u32), f32::from_bits(y as u32));
            [p < q, p <= q, p == q]
        } else {
            let (p, q) = (f64::from_bits(x), f64::from_bits(y));
            [p < q, p <= q, p == q]
        };
        for (i, (&ours, &theirs)) in relations.iter().zip(&theirs).enumerate() {
            assert_eq!(ours == TermId::TRUE, theirs, "relation {i} on {x:#x} and {y:#x}");
            assert!(pool.is_value(ours));
        }
    }
}

#[test]
fn conversions_of_the_processor() {
    let mut r = Bits(base::Random::new(9));
    for _ in 0..1500 {
        let mut pool = TermPool::new();
        let (x, y) = (r.bits(SINGLE), r.bits(DOUBLE));
        let n = match r.0.bits() % 3 {
            0 => r.0.bits() as i64,
            1 => (r.0.bits() >> (r.0.bits() % 64)) as i64,
            _ => -((r.0.bits() >> (1 + r.0.bits() % 63)) as i64),
        };
        let (a, b) = (word(&mut pool, x, 32), word(&mut pool, y, 64));
        let integer = pool.bv_num(BigInt::from(n), 66);
        let mut ieee = Ieee::new(&mut pool).rounding(Rounding::NearestEven);
        let wider = ieee.convert(a, SINGLE, DOUBLE);
        let narrower = ieee.convert(b, DOUBLE, SINGLE);
        let single = ieee.of_integer(integer, true, SINGLE);
        let double = ieee.of_integer(integer, true, DOUBLE);
        let mut ieee = ieee.rounding(Rounding::Zero);
        let whole = [
            ieee.to_integer(a, 32, true, SINGLE),
            ieee.to_integer(b, 32, true, DOUBLE),
            ieee.to_integer(b, 64, true, DOUBLE),
        ];
        let (p, q) = (f32::from_bits(x as u32), f64::from_bits(y));
        assert!(same(DOUBLE, value(&pool, wider), (p as f64).to_bits()), "{x:#x}");
        assert!(same(SINGLE, value(&pool, narrower), (q as f32).to_bits() as u64), "{y:#x}");
        assert_eq!(value(&pool, single), (n as f32).to_bits() as u64, "{n}");
        assert_eq!(value(&pool, double), (n as f64).to_bits(), "{n}");
        let fits = |v: f64, bits: i32| {
            let limit = 2f64.powi(bits - 1);
            v.trunc() >= -limit && v.trunc() < limit
        };
        let theirs = [
            (p as i32 as u32 as u64, fits(p as f64, 32)),
            (q as i32 as u32 as u64, fits(q, 32)),
            (q as i64 as u64, fits(q, 64)),
        ];
        for ((ours, good), (theirs, fits)) in whole.into_iter().zip(theirs) {
            assert_eq!(good == TermId::TRUE, fits, "{x:#x} {y:#x}");
            if fits {
                assert_eq!(value(&pool, ours), theirs, "{x:#x} {y:#x}");
            }
        }
    }
}

/// The exact value of bits: nothing for NaN and infinity.
fn exact(bits: u64, f: Format) -> Option<Rational> {
    let fraction = bits & ((1 << f.fraction) - 1);
    let exponent = (bits >> f.fraction) & ((1 << f.exponent) - 1);
    if exponent == (1 << f.exponent) - 1 {
        return None;
    }
    let digits = if exponent == 0 { fraction } else { fraction | 1 << f.fraction };
    let power = exponent.max(1) as i64 - f.bias() - f.fraction as i64;
    let scale = Rational::pow2(power.unsigned_abs() as u32);
    let value = Rational::from(digits as i64);
    let value = if power < 0 { &value / &scale } else { &value * &scale };
    Some(if bits >> (f.width() - 1) == 1 { -value } else { value })
}

/// A number rounded by trying all numbers: the definition of the standard, with an exponent range that does not end.
fn by_search(value: &Rational, rounding: Rounding, f: Format) -> u64 {
    assert!(!value.is_zero());
    let magnitude = value.abs();
    let sign = if value.is_negative() { 1 << (f.width() - 1) } else { 0 };
    let infinity = ((1u64 << f.exponent) - 1) << f.fraction;
    // The number after the greatest one takes the place of infinity.
    let of = |bits: u64| {
        let wide = Format { exponent: f.exponent + 1, fraction: f.fraction };
        let shift = 1i64 << (f.exponent - 1);
        let value = exact(bits, wide).expect("finite");
        let scale = Rational::pow2(shift as u32);
        &value * &scale
    };
    // Subnormal numbers of the wide format are other ones, so they are compared by their own format.
    let of = |bits: u64| if bits < infinity { exact(bits, f).expect("finite") } else { of(bits) };
    let below = (0..=infinity).rev().find(|&b| of(b) <= magnitude).expect("zero is below");
    if of(below) == magnitude && below < infinity {
        return sign | below;
    }
    let to_nearest = matches!(rounding, Rounding::NearestEven | Rounding::NearestAway);
    let outwards = match rounding {
        Rounding::Up => !value.is_negative(),
        Rounding::Down => value.is_negative(),
        _ => false,
    };
    if below == infinity {
        return sign | if to_nearest || outwards { infinity } else { infinity - 1 };
    }
    let (low, high) = (of(below), of(below + 1));
    let (down, up) = (&magnitude - &low, &high - &magnitude);
    let take_upper = match rounding {
        Rounding::NearestEven => up < down || (up == down && below % 2 == 1),
        Rounding::NearestAway => up <= down,
        _ => outwards,
    };
    sign | if take_upper { below + 1 } else { below }
}

fn is_nan(bits: u64, f: Format) -> bool {
    bits & ((1 << (f.width() - 1)) - 1) > ((1 << f.exponent) - 1) << f.fraction
}
fn is_infinite(bits: u64, f: Format) -> bool {
    bits & ((1 << (f.width() - 1)) - 1) == ((1 << f.exponent) - 1) << f.fraction
}

/// All numbers of small formats, all rounding modes: finite operands against exact arithmetic, and results that are
/// zero have the sign that the standard says. The mode is a constant term, so both ways of giving it are one here.
#[test]
fn exact_arithmetic_on_small_formats() {
    for (exponent, fraction) in [(2, 1), (3, 2), (2, 3)] {
        let f = Format { exponent, fraction };
        let n = 1u64 << f.width();
        for x in 0..n {
            for y in 0..n {
                for (code, &rounding) in Rounding::ALL.iter().enumerate() {
                    // Of the larger formats each pair meets one mode; all of them meet all modes with other pairs.
                    if n > 16 && !(x + 3 * y + code as u64).is_multiple_of(5) {
                        continue;
                    }
                    let (Some(p), Some(q)) = (exact(x, f), exact(y, f)) else { continue };
                    let mut pool = TermPool::new();
                    let (a, b) = (word(&mut pool, x, f.width()), word(&mut pool, y, f.width()));
                    let mode = word(&mut pool, code as u64, Rounding::WIDTH);
                    let mut ieee = Ieee::new(&mut pool).rounding_by(mode);
                    let sign = |bits: u64| bits >> (f.width() - 1) == 1;
                    let zero_sum = |s: bool, t: bool| if s == t { s } else { rounding == Rounding::Down };
                    let c = (x * 7 + y * 3) % n;
                    let summand = word(ieee.pool, c, f.width());
                    let mut all = vec![
                        ("sum", ieee.sum(a, b, f), Some(&p + &q), zero_sum(sign(x), sign(y))),
                        ("difference", ieee.difference(a, b, f), Some(&p - &q), zero_sum(sign(x), !sign(y))),
                        ("product", ieee.product(a, b, f), Some(&p * &q), sign(x) != sign(y)),
                    ];
                    if let Some(r) = exact(c, f) {
                        let value = &(&p * &q) + &r;
                        let negative = zero_sum(sign(x) != sign(y), sign(c));
                        all.push(("fused", ieee.fused(a, b, summand, f), Some(value), negative));
                    }
                    if !q.is_zero() {
                        all.push(("quotient", ieee.quotient(a, b, f), Some(&p / &q), sign(x) != sign(y)));
                        let ratio = &p / &q;
                        let floor = ratio.floor();
                        let half = Rational::ratio(1, 2);
                        let is_odd = !(&floor * &half).is_integer();
                        let up = ratio.fract() > half || (ratio.fract() == half && is_odd);
                        let n = if up { &floor + &Rational::one() } else { floor };
                        all.push(("remainder", ieee.remainder(a, b, f), Some(&p - &(&q * &n)), sign(x)));
                    }
                    for (what, term, value, negative) in all {
                        let ours = value_of(ieee.pool, term);
                        let Some(value) = value else { continue };
                        let zero = if negative { 1 << (f.width() - 1) } else { 0 };
                        let theirs = if value.is_zero() { zero } else { by_search(&value, rounding, f) };
                        assert_eq!(ours, theirs, "{what} of {x:#b}, {y:#b} and {c:#b}, {rounding:?}, {f:?}");
                        if !value.is_zero() {
                            assert_eq!(f.rounded(&value, rounding), BigInt::from(theirs), "{value} {rounding:?} {f:?}");
                        }
                    }
                    if y < 5 {
                        conversions_on_small_formats(&mut pool, x, &p, rounding, f);
                    }
                }
            }
        }
    }
}

fn conversions_on_small_formats(pool: &mut TermPool, x: u64, p: &Rational, rounding: Rounding, f: Format) {
    let a = word(pool, x, f.width());
    let mut ieee = Ieee::new(pool).rounding(rounding);
    let half = Rational::ratio(1, 2);
    let floor = p.floor();
    let is_odd = !(&floor * &half).is_integer();
    let up = match rounding {
        Rounding::NearestEven => p.fract() > half || (p.fract() == half && is_odd),
        Rounding::NearestAway => p.fract() > half || (p.fract() == half && !p.is_negative()),
        Rounding::Up => !p.fract().is_zero(),
        Rounding::Down => false,
        Rounding::Zero => p.is_negative() && !p.fract().is_zero(),
    };
    let whole = if up { &floor + &Rational::one() } else { floor };
    for (width, signed) in [(1, false), (2, true), (2, false), (3, true), (5, true), (5, false)] {
        let (value, fits) = ieee.to_integer(a, width, signed, f);
        let (least, most) = if signed { (-(1i64 << (width - 1)), 1i64 << (width - 1)) } else { (0, 1i64 << width) };
        let should_fit = whole >= Rational::from(least) && whole < Rational::from(most);
        assert_eq!(fits == TermId::TRUE, should_fit, "{p} {rounding:?} to {width} bits, signed: {signed}");
        if should_fit {
            let modulus = 1i64 << width;
            let expected = whole.to_i64().expect("small").rem_euclid(modulus);
            assert_eq!(value_of(ieee.pool, value), expected as u64, "{p} {rounding:?} to {width} bits");
        }
    }
    let real = ieee.to_real(a, f);
    assert_eq!(ieee.pool.number(real), Some(p));
    for to in [Format { exponent: 2, fraction: 2 }, Format { exponent: 4, fraction: 1 }, SINGLE] {
        let other = ieee.convert(a, f, to);
        if !p.is_zero() && to != SINGLE {
            assert_eq!(value_of(ieee.pool, other), by_search(p, rounding, to), "{p} {rounding:?} to {to:?}");
        } else if to == SINGLE {
            assert_eq!(exact(value_of(ieee.pool, other), to).as_ref(), Some(p));
        }
    }
    // The bits as an integer.
    for signed in [false, true] {
        let made = ieee.of_integer(a, signed, f);
        let n = x as i64 - if signed && x >> (f.width() - 1) == 1 { 1 << f.width() } else { 0 };
        let expected = if n == 0 { 0 } else { by_search(&Rational::from(n), rounding, f) };
        assert_eq!(value_of(ieee.pool, made), expected, "{n} {rounding:?} {f:?}");
    }
}

fn value_of(pool: &TermPool, t: TermId) -> u64 {
    value(pool, t)
}

/// What is not finite: infinities and NaN go through the operations as the standard says.
#[test]
fn special_values_on_small_formats() {
    let f = Format { exponent: 2, fraction: 2 };
    let n = 1u64 << f.width();
    for x in 0..n {
        for y in 0..n {
            for c in 0..n {
                let mut pool = TermPool::new();
                let [a, b, d] = [x, y, c].map(|bits| word(&mut pool, bits, f.width()));
                let mut ieee = Ieee::new(&mut pool);
                let fused = ieee.fused(a, b, d, f);
                let remainder = ieee.remainder(a, b, f);
                let (fused, remainder) = (value(&pool, fused), value(&pool, remainder));
                let nan = is_nan(x, f) || is_nan(y, f);
                let is_zero = |bits: u64| exact(bits, f).is_some_and(|v| v.is_zero());
                let negative = |bits: u64| bits >> (f.width() - 1) == 1;
                let infinite = is_infinite(x, f) || is_infinite(y, f);
                let product_negative = negative(x) != negative(y);
                let undefined = infinite && (is_zero(x) || is_zero(y))
                    || infinite && is_infinite(c, f) && product_negative != negative(c);
                assert_eq!(is_nan(fused, f), nan || is_nan(c, f) || undefined, "{x:#b} {y:#b} {c:#b}");
                if !is_nan(fused, f) && (infinite || is_infinite(c, f)) {
                    let sign = if infinite { product_negative } else { negative(c) };
                    assert!(is_infinite(fused, f) && negative(fused) == sign, "{x:#b} {y:#b} {c:#b}");
                }
                assert_eq!(is_nan(remainder, f), nan || is_infinite(x, f) || is_zero(y), "{x:#b} {y:#b}");
                if !is_nan(remainder, f) && is_infinite(y, f) {
                    assert_eq!(remainder, x);
                }
            }
        }
    }
}
