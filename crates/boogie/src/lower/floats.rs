//! Floating-point numbers: bits in a word, computed by the circuits of [`logic::ieee`].
//!
//! Operators round to the nearest number. A builtin with a rounding mode that is not known, or one that has no
//! circuit, is an unknown function, and what uses it an approximation.

use super::Lowerer;
use crate::ast::BinaryOp;
use crate::typed::{Builtin, Rounding};
use logic::ieee::{self, Format, Ieee};
use logic::{BigInt, Op, Rational, SortId, TermId};

/// The number that stands for a rounding mode.
pub(super) fn rounding_number(mode: Rounding) -> i64 {
    match mode {
        Rounding::NearestEven => 0,
        Rounding::NearestAway => 1,
        Rounding::Up => 2,
        Rounding::Down => 3,
        Rounding::TowardsZero => 4,
    }
}

/// The circuits are made for formats from 3 to 15 bits of exponent and up to 113 of significand.
fn has_circuits(format: Format) -> bool {
    (3..=15).contains(&format.exponent) && (2..=112).contains(&format.fraction)
}

impl Lowerer<'_> {
    fn ieee(&mut self) -> Ieee<'_> {
        Ieee::new(self.pool)
    }

    /// `0x1.8e0f24e8`, `0NaN24e8`, `0-oo24e8`: hexadecimal digits times a power of sixteen.
    pub(super) fn float_literal(&mut self, text: &str, format: Format) -> TermId {
        let infinity = ((BigInt::ONE << format.exponent as usize) - BigInt::ONE) << format.fraction as usize;
        let bits = if text.starts_with("0N") || text.starts_with("0n") {
            return self.nan(format);
        } else if text.starts_with("0+") {
            infinity
        } else if text.starts_with("0-") {
            infinity + (BigInt::ONE << (format.width() as usize - 1))
        } else {
            format.nearest(&hexadecimal(text))
        };
        self.pool.bv_num(bits, format.width())
    }

    /// An operator of the language on floating-point numbers; `None` if it has no circuit.
    pub(super) fn float_operator(&mut self, op: BinaryOp, a: TermId, b: TermId, format: Format) -> Option<TermId> {
        if !has_circuits(format) {
            return None;
        }
        let mut ieee = self.ieee();
        let result = match op {
            BinaryOp::Eq => return Some(ieee.equal(a, b, format)),
            BinaryOp::Ne => {
                let equal = ieee.equal(a, b, format);
                return Some(self.pool.not(equal));
            }
            BinaryOp::Lt => return Some(ieee.less(a, b, format)),
            BinaryOp::Le => return Some(ieee.less_or_equal(a, b, format)),
            BinaryOp::Gt => return Some(ieee.less(b, a, format)),
            BinaryOp::Ge => return Some(ieee.less_or_equal(b, a, format)),
            BinaryOp::Add => ieee.sum(a, b, format),
            BinaryOp::Sub => ieee.difference(a, b, format),
            BinaryOp::Mul => ieee.product(a, b, format),
            BinaryOp::Divide => ieee.quotient(a, b, format),
            _ => return None,
        };
        Some(self.one_nan(result, format))
    }

    pub(super) fn float_negation(&mut self, a: TermId, format: Format) -> TermId {
        let sign = self.pool.bv_num(BigInt::ONE << (format.width() as usize - 1), format.width());
        let negated = self.pool.bv(Op::BvXor, &[a, sign]);
        self.one_nan(negated, format)
    }

    /// A builtin on floating-point numbers. `formats` are those of the arguments, `to` that of the result.
    pub(super) fn float_builtin(
        &mut self,
        builtin: &Builtin,
        args: &[TermId],
        formats: &[Option<Format>],
        to: Option<Format>,
        result: SortId,
    ) -> Option<TermId> {
        let mut name = builtin.name.as_str();
        // The rounding mode: in the name, or the first argument.
        let takes_mode = matches!(
            name,
            "fp.add"
                | "fp.sub"
                | "fp.mul"
                | "fp.div"
                | "fp.fma"
                | "fp.sqrt"
                | "fp.roundToIntegral"
                | "fp.to_sbv"
                | "fp.to_ubv"
        ) || (matches!(name, "to_fp" | "to_fp_unsigned")
            && (args.len() == 2 || builtin.rounding.is_some()));
        let (mode, args, formats) = match (builtin.rounding, args, takes_mode) {
            (Some(mode), _, _) => (Some(rounding_number(mode)), args, formats),
            (None, [mode, rest @ ..], true) => {
                (self.pool.number(*mode).and_then(Rational::to_i64), rest, formats.get(1..)?)
            }
            _ => (Some(0), args, formats),
        };
        let mode = usize::try_from(mode?).ok().and_then(|code| ieee::Rounding::ALL.get(code)).copied()?;
        if let ("+oo" | "-oo" | "+zero" | "-zero" | "NaN", [], Some(format)) = (name, args, to) {
            return Some(match name {
                "NaN" => self.nan(format),
                "+oo" => self.float_literal("0+oo", format),
                "-oo" => self.float_literal("0-oo", format),
                "+zero" => self.pool.bv_num(BigInt::ZERO, format.width()),
                _ => self.pool.bv_num(BigInt::ONE << (format.width() as usize - 1), format.width()),
            });
        }
        if let ("fp", [sign, exponent, fraction], Some(format)) = (name, args, to) {
            let bits = self.pool.bv(Op::BvConcat, &[*exponent, *fraction]);
            let bits = self.pool.bv(Op::BvConcat, &[*sign, bits]);
            return Some(self.one_nan(bits, format));
        }
        if let ("to_fp" | "to_fp_unsigned", &[a], Some(to)) = (name, args, to) {
            let unsigned = name == "to_fp_unsigned";
            let from = formats.first().copied().flatten();
            return self.float_from(a, from, to, takes_mode.then_some(mode), unsigned);
        }
        let format = formats.iter().copied().flatten().next()?;
        if !has_circuits(format) {
            return None;
        }
        name = name.strip_prefix("fp.")?;
        let mut ieee = self.ieee().rounding(mode);
        let number = match (name, args) {
            ("add", &[a, b]) => ieee.sum(a, b, format),
            ("sub", &[a, b]) => ieee.difference(a, b, format),
            ("mul", &[a, b]) => ieee.product(a, b, format),
            ("div", &[a, b]) => ieee.quotient(a, b, format),
            ("sqrt", &[a]) => ieee.root(a, format),
            ("abs", &[a]) => ieee.absolute(a, format),
            ("neg", &[a]) => return Some(self.float_negation(a, format)),
            ("fma", &[a, b, c]) => ieee.fused(a, b, c, format),
            ("roundToIntegral", &[a]) => ieee.integral(a, format),
            ("to_sbv" | "to_ubv", &[a]) => {
                let width = self.pool.bitvec_width(result)?;
                let (value, fits) = self.ieee().rounding(mode).to_integer(a, width, name == "to_sbv", format);
                // Out of range the result is unspecified, but a function of rounding mode and operand.
                let operator = match (name == "to_sbv", mode) {
                    (true, ieee::Rounding::NearestEven) => "fp.to_sbv.RNE",
                    (true, ieee::Rounding::NearestAway) => "fp.to_sbv.RNA",
                    (true, ieee::Rounding::Up) => "fp.to_sbv.RTP",
                    (true, ieee::Rounding::Down) => "fp.to_sbv.RTN",
                    (true, ieee::Rounding::Zero) => "fp.to_sbv.RTZ",
                    (false, ieee::Rounding::NearestEven) => "fp.to_ubv.RNE",
                    (false, ieee::Rounding::NearestAway) => "fp.to_ubv.RNA",
                    (false, ieee::Rounding::Up) => "fp.to_ubv.RTP",
                    (false, ieee::Rounding::Down) => "fp.to_ubv.RTN",
                    (false, ieee::Rounding::Zero) => "fp.to_ubv.RTZ",
                };
                let sort = self.pool.sort(a);
                let other = self.unspecified(operator, sort, result);
                let other = self.pool.app(other, &[a]);
                return Some(self.pool.ite(fits, value, other));
            }
            ("eq", &[a, b]) => return Some(ieee.equal(a, b, format)),
            ("lt", &[a, b]) => return Some(ieee.less(a, b, format)),
            ("leq", &[a, b]) => return Some(ieee.less_or_equal(a, b, format)),
            ("gt", &[a, b]) => return Some(ieee.less(b, a, format)),
            ("geq", &[a, b]) => return Some(ieee.less_or_equal(b, a, format)),
            ("isNaN", &[a]) => return Some(ieee.is_nan(a, format)),
            ("isInfinite", &[a]) => return Some(ieee.is_infinite(a, format)),
            ("isZero", &[a]) => return Some(ieee.is_null(a, format)),
            ("isSubnormal", &[a]) => return Some(ieee.is_subnormal(a, format)),
            ("isNormal", &[a]) => {
                let others = [
                    ieee.is_nan(a, format),
                    ieee.is_infinite(a, format),
                    ieee.is_null(a, format),
                    ieee.is_subnormal(a, format),
                ];
                let other = self.pool.or(&others);
                return Some(self.pool.not(other));
            }
            ("isNegative" | "isPositive", &[a]) => {
                let (nan, negative) = (ieee.is_nan(a, format), ieee.is_negative(a, format));
                let wanted = if name == "isNegative" { negative } else { self.pool.not(negative) };
                let number = self.pool.not(nan);
                return Some(self.pool.and2(number, wanted));
            }
            _ => return None,
        };
        Some(self.one_nan(number, format))
    }

    /// Conversion to a floating-point number: of bits (without a rounding mode), of another format, of words and
    /// numerals.
    fn float_from(
        &mut self,
        a: TermId,
        from: Option<Format>,
        to: Format,
        rounding: Option<ieee::Rounding>,
        unsigned: bool,
    ) -> Option<TermId> {
        if let Some(from) = from {
            let exact = has_circuits(from) && has_circuits(to);
            let mode = rounding.unwrap_or(ieee::Rounding::NearestEven);
            let result = if exact { self.ieee().rounding(mode).convert(a, from, to) } else { return None };
            return Some(self.one_nan(result, to));
        }
        if let Some(number) = self.pool.number(a).cloned() {
            let mode = rounding.unwrap_or(ieee::Rounding::NearestEven);
            return Some(self.pool.bv_num(to.rounded(&number, mode), to.width()));
        }
        let width = self.pool.bitvec_width(self.pool.sort(a))?;
        let Some(mode) = rounding else {
            return if width == to.width() { Some(self.one_nan(a, to)) } else { None };
        };
        if !has_circuits(to) || width > 64 {
            return None;
        }
        let result = self.ieee().rounding(mode).of_integer(a, !unsigned, to);
        Some(self.one_nan(result, to))
    }
}

/// `0x1a.8e-2f24e8`: sixteen to the power of the exponent times the hexadecimal number.
fn hexadecimal(text: &str) -> Rational {
    let body = text.strip_prefix("0x").unwrap_or(text);
    // The format is behind the last `f` that only digits and an `e` follow.
    let (number, _) = body.rsplit_once('f').unwrap_or((body, ""));
    let (digits, exponent) = number.rsplit_once('e').unwrap_or((number, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let sixteen = Rational::from(16i64);
    let mut value = Rational::from(0i64);
    for digit in whole.chars().chain(fraction.chars()).filter_map(|c| c.to_digit(16)) {
        value = &(&value * &sixteen) + &Rational::from(i64::from(digit));
    }
    let n_fraction = fraction.chars().filter(char::is_ascii_hexdigit).count() as i64;
    // Beyond these exponents every format has zero or infinity.
    const MOST: i64 = 20_000;
    let exponent = exponent.parse::<i64>().unwrap_or(if exponent.starts_with('-') { -MOST } else { MOST });
    let scale = exponent.clamp(-MOST, MOST) - n_fraction;
    let power = sixteen.pow(scale.unsigned_abs() as u32);
    if scale < 0 { &value / &power } else { &value * &power }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_numbers() {
        assert_eq!(hexadecimal("0x1.8e0f24e8"), Rational::ratio(3, 2));
        assert_eq!(hexadecimal("0x1.0e1f24e8"), Rational::from(16i64));
        assert_eq!(hexadecimal("0xf.fe-1f53e11"), Rational::ratio(255, 256));
    }
}
