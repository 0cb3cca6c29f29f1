//! The theory of floating point, reduced to bit-vectors (see [`crate::Meaning`]).
//!
//! Where the standard leaves a value open it is one of all that are allowed, the same wherever the operation is applied
//! to the same arguments: `fp.min` and `fp.max` of zeros of different signs, conversions of numbers that do not fit.

use super::super::sexpr::NodeId;
use super::{Result, TermReader};
use crate::Meaning;
use crate::ieee::{DOUBLE, Format, HALF, Ieee, QUAD, Rounding, SINGLE};
use crate::rational::{BigInt, Rational};
use crate::sort::SortId;
use crate::term::{Op, TermId, TermPool};

/// Formats with more digits are refused.
const MAX_EXPONENT: u32 = 30;
const MAX_SIGNIFICAND: u32 = 4096;
/// Circuits that have a part for each exponent are made up to this many bits of exponent.
const MAX_UNROLLED_EXPONENT: u32 = 11;

/// The format of `(_ FloatingPoint e s)`.
pub(super) fn format(exponent: u32, significand: u32) -> std::result::Result<Format, String> {
    if (2..=MAX_EXPONENT).contains(&exponent) && (2..=MAX_SIGNIFICAND).contains(&significand) {
        Ok(Format { exponent, fraction: significand - 1 })
    } else {
        Err(format!("exponents have 2 to {MAX_EXPONENT} bits, significands 2 to {MAX_SIGNIFICAND}"))
    }
}

/// The sorts that have names of their own.
pub(super) fn named_sort(pool: &mut TermPool, name: &str) -> Option<SortId> {
    let format = match name {
        "Float16" => HALF,
        "Float32" => SINGLE,
        "Float64" => DOUBLE,
        "Float128" => QUAD,
        "RoundingMode" => return Some(pool.rounding_mode_sort()),
        _ => return None,
    };
    Some(pool.float_sort(format))
}

/// Is this a symbol of the theory (that is not indexed)?
pub(super) fn is_symbol(name: &str) -> bool {
    name == "fp" || name.starts_with("fp.") || rounding(name).is_some()
}

fn rounding(name: &str) -> Option<Rounding> {
    Some(match name {
        "RNE" | "roundNearestTiesToEven" => Rounding::NearestEven,
        "RNA" | "roundNearestTiesToAway" => Rounding::NearestAway,
        "RTP" | "roundTowardPositive" => Rounding::Up,
        "RTN" | "roundTowardNegative" => Rounding::Down,
        "RTZ" | "roundTowardZero" => Rounding::Zero,
        _ => return None,
    })
}

impl TermReader<'_> {
    fn float_format(&self, t: TermId) -> Option<Format> {
        match self.pool.meaning(self.pool.sort(t)) {
            Some(Meaning::Float(format)) => Some(format),
            Some(Meaning::RoundingMode) | None => None,
        }
    }
    fn is_rounding_mode(&self, t: TermId) -> bool {
        self.pool.meaning(self.pool.sort(t)) == Some(Meaning::RoundingMode)
    }
    fn float(&mut self, bits: TermId, format: Format) -> TermId {
        let sort = self.pool.float_sort(format);
        self.pool.of_bits(sort, bits)
    }
    fn float_constant(&mut self, bits: BigInt, format: Format) -> TermId {
        let bits = self.pool.bv_num(bits, format.width());
        self.float(bits, format)
    }

    /// A symbol of the theory that has no indices, applied.
    pub(super) fn float_builtin(&mut self, node: NodeId, name: &str, args: &[TermId]) -> Result<TermId> {
        if let (Some(rounding), []) = (rounding(name), args) {
            let code = Rounding::ALL.iter().position(|&r| r == rounding).unwrap_or_default();
            let bits = self.pool.bv_num(code.into(), Rounding::WIDTH);
            let sort = self.pool.rounding_mode_sort();
            return Ok(self.pool.of_bits(sort, bits));
        }
        if name == "fp" {
            return self.literal(node, args);
        }
        // The operands have one format, behind the rounding mode if there is one.
        let has_mode =
            matches!(name, "fp.add" | "fp.sub" | "fp.mul" | "fp.div" | "fp.fma" | "fp.sqrt" | "fp.roundToIntegral");
        let (mode, operands) = match args {
            [mode, rest @ ..] if has_mode && self.is_rounding_mode(*mode) => (Some(self.pool.to_bits(*mode)), rest),
            _ if has_mode => return self.fail(node, format!("{name} takes a rounding mode first")),
            _ => (None, args),
        };
        let Some(f) = operands.first().and_then(|&t| self.float_format(t)) else {
            return self.fail(node, format!("{name} takes floating-point numbers"));
        };
        if operands.iter().any(|&t| self.float_format(t) != Some(f)) {
            return self.fail(node, format!("{name} takes floating-point numbers of one format"));
        }
        let mut bits: Vec<TermId> = operands.iter().map(|&t| self.pool.to_bits(t)).collect();
        // One circuit for both orders of summands and of factors.
        if let ("fp.add" | "fp.mul", &mut [ref mut a, ref mut b]) | ("fp.fma", &mut [ref mut a, ref mut b, _]) =
            (name, bits.as_mut_slice())
            && a > b
        {
            std::mem::swap(a, b);
        }
        if let "fp.eq" | "fp.lt" | "fp.leq" | "fp.gt" | "fp.geq" = name {
            return self.comparison(node, name, &bits, f);
        }
        let mut ieee = match mode {
            Some(mode) => Ieee::new(self.pool).rounding_by(mode),
            None => Ieee::new(self.pool),
        };
        let truth = match (name, bits.as_slice()) {
            ("fp.isNaN", &[a]) => Some(ieee.is_nan(a, f)),
            ("fp.isInfinite", &[a]) => Some(ieee.is_infinite(a, f)),
            ("fp.isZero", &[a]) => Some(ieee.is_null(a, f)),
            ("fp.isSubnormal", &[a]) => Some(ieee.is_subnormal(a, f)),
            ("fp.isNormal", &[a]) => {
                let others = [ieee.is_nan(a, f), ieee.is_infinite(a, f), ieee.is_null(a, f), ieee.is_subnormal(a, f)];
                let other = self.pool.or(&others);
                return Ok(self.pool.not(other));
            }
            ("fp.isNegative" | "fp.isPositive", &[a]) => {
                let (nan, negative) = (ieee.is_nan(a, f), ieee.is_negative(a, f));
                let wanted = if name == "fp.isNegative" { negative } else { self.pool.not(negative) };
                let number = self.pool.not(nan);
                return Ok(self.pool.and2(number, wanted));
            }
            _ => None,
        };
        if let Some(truth) = truth {
            return Ok(truth);
        }
        let result = match (name, bits.as_slice()) {
            ("fp.add", &[a, b]) => ieee.sum(a, b, f),
            ("fp.sub", &[a, b]) => ieee.difference(a, b, f),
            ("fp.mul", &[a, b]) => ieee.product(a, b, f),
            ("fp.div", &[a, b]) => ieee.quotient(a, b, f),
            ("fp.fma", &[a, b, c]) => ieee.fused(a, b, c, f),
            ("fp.sqrt", &[a]) => ieee.root(a, f),
            ("fp.roundToIntegral", &[a]) => ieee.integral(a, f),
            ("fp.rem", &[a, b]) => {
                if f.exponent > MAX_UNROLLED_EXPONENT && !(self.pool.is_value(a) && self.pool.is_value(b)) {
                    return self.fail(node, "fp.rem of numbers with this many bits of exponent is not supported");
                }
                Ieee::new(self.pool).remainder(a, b, f)
            }
            ("fp.neg" | "fp.abs", &[a]) => {
                let changed = if name == "fp.neg" { ieee.negate(a, f) } else { ieee.absolute(a, f) };
                let nan = ieee.is_nan(a, f);
                self.pool.ite(nan, a, changed)
            }
            ("fp.min" | "fp.max", &[a, b]) => {
                let plain = if name == "fp.min" { ieee.minimum(a, b, f) } else { ieee.maximum(a, b, f) };
                self.zero_choice(name, a, b, plain, f)
            }
            ("fp.to_real", &[a]) => return self.real_value(node, a, f),
            ("fp.to_ieee_bv", &[a]) => {
                // z3's: the NaN with a clear sign bit.
                let nan = Ieee::new(self.pool).is_nan(a, f);
                let sign = BigInt::ONE << (f.width() as usize - 1);
                let positive = self.pool.bv_num(f.nan() - sign, f.width());
                return Ok(self.pool.ite(nan, positive, a));
            }
            _ => {
                let known = ["add", "sub", "mul", "div", "fma", "sqrt", "rem", "neg", "abs", "min", "max", "isNaN"];
                let is_known = known.contains(&name.trim_start_matches("fp.")) || name.starts_with("fp.is");
                let what = if is_known { "wrong number of arguments of" } else { "unknown function" };
                return self.fail(node, format!("{what} {name}"));
            }
        };
        Ok(self.float(result, f))
    }

    /// `(fp sign exponent fraction)` of words.
    fn literal(&mut self, node: NodeId, args: &[TermId]) -> Result<TermId> {
        let widths: Vec<Option<u32>> = args.iter().map(|&t| self.pool.bitvec_width(self.pool.sort(t))).collect();
        let (&[sign, exponent, fraction], &[Some(1), Some(e), Some(m)]) = (args, widths.as_slice()) else {
            return self.fail(node, "fp takes a sign bit, an exponent and a fraction");
        };
        let f = format(e, m + 1).or_else(|message| self.fail(node, message))?;
        let bits = self.pool.bv(Op::BvConcat, &[exponent, fraction]);
        let bits = self.pool.bv(Op::BvConcat, &[sign, bits]);
        let bits = self.pool.canonical(Meaning::Float(f), bits);
        Ok(self.float(bits, f))
    }

    fn comparison(&mut self, node: NodeId, name: &str, bits: &[TermId], f: Format) -> Result<TermId> {
        if bits.len() < 2 {
            return self.fail(node, format!("{name} takes two arguments or more"));
        }
        let mut links = Vec::with_capacity(bits.len() - 1);
        for pair in bits.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            let mut ieee = Ieee::new(self.pool);
            links.push(match name {
                "fp.eq" => ieee.equal(a, b, f),
                "fp.lt" => ieee.less(a, b, f),
                "fp.leq" => ieee.less_or_equal(a, b, f),
                "fp.gt" => ieee.less(b, a, f),
                _ => ieee.less_or_equal(b, a, f),
            });
        }
        Ok(self.pool.and(&links))
    }

    /// The minimum or maximum of zeros of different signs is one of them; which one depends on their order only.
    fn zero_choice(&mut self, name: &str, a: TermId, b: TermId, plain: TermId, f: Format) -> TermId {
        let mut ieee = Ieee::new(self.pool);
        let (za, zb) = (ieee.is_null(a, f), ieee.is_null(b, f));
        let (na, nb) = (ieee.is_negative(a, f), ieee.is_negative(b, f));
        let differ = self.pool.xor(na, nb);
        let open = self.pool.and(&[za, zb, differ]);
        if open == TermId::FALSE {
            return plain;
        }
        let mut choice = |order: &str| {
            let symbol = format!(".{name}.{}.{}.{order}", f.exponent, f.fraction + 1);
            self.pool.constant(&symbol, SortId::BOOL)
        };
        let (first, second) = (choice("-+"), choice("+-"));
        let takes_first = self.pool.ite(na, first, second);
        let zero = self.pool.ite(takes_first, a, b);
        self.pool.ite(open, zero, plain)
    }

    /// The real value of a number; of infinity and NaN any.
    fn real_value(&mut self, node: NodeId, a: TermId, f: Format) -> Result<TermId> {
        if f.exponent > MAX_UNROLLED_EXPONENT {
            return self.fail(node, "fp.to_real of numbers with this many bits of exponent is not supported");
        }
        let word = self.pool.sort(a);
        let value = Ieee::new(self.pool).to_real(a, f);
        let mut ieee = Ieee::new(self.pool);
        let (nan, infinite) = (ieee.is_nan(a, f), ieee.is_infinite(a, f));
        let special = self.pool.or2(nan, infinite);
        let other = self.pool.declare_fun(&format!(".fp.to_real.{}", f.exponent), &[word], SortId::REAL);
        let other = self.pool.app(other, &[a]);
        Ok(self.pool.ite(special, other, value))
    }

    /// An indexed symbol of the theory, applied; `None` if the name is not one.
    pub(super) fn float_indexed(
        &mut self,
        node: NodeId,
        name: &str,
        indices: &[u32],
        args: &[TermId],
    ) -> Result<Option<TermId>> {
        let constant = ["+oo", "-oo", "NaN", "+zero", "-zero"].contains(&name) && args.is_empty();
        if constant || ["to_fp", "to_fp_unsigned", "to_fp_bv", "to_fp_signed"].contains(&name) {
            let &[e, s] = indices else { return self.fail(node, format!("{name} takes two numerals")) };
            let f = format(e, s).or_else(|message| self.fail(node, message))?;
            let sign = BigInt::ONE << (f.width() as usize - 1);
            return Ok(Some(match name {
                "+oo" => self.float_constant(f.infinity(), f),
                "-oo" => self.float_constant(sign + f.infinity(), f),
                "NaN" => self.float_constant(f.nan(), f),
                "+zero" => self.float_constant(BigInt::ZERO, f),
                "-zero" => self.float_constant(sign, f),
                _ => self.float_of(node, name, args, f)?,
            }));
        }
        if let "fp.to_ubv" | "fp.to_sbv" = name {
            let (&[width], &[mode, a]) = (indices, args) else {
                return self.fail(node, format!("{name} takes a width, a rounding mode and a number"));
            };
            let Some(f) = self.float_format(a).filter(|_| self.is_rounding_mode(mode)) else {
                return self.fail(node, format!("{name} takes a rounding mode and a number"));
            };
            if width == 0 || width > super::MAX_WIDTH {
                return self.fail(node, format!("bit-vectors have a width from 1 to {}", super::MAX_WIDTH));
            }
            let (mode, bits) = (self.pool.to_bits(mode), self.pool.to_bits(a));
            let (value, fits) = Ieee::new(self.pool).rounding_by(mode).to_integer(bits, width, name == "fp.to_sbv", f);
            // Out of range it is any function of the arguments.
            let result = self.pool.sort(value);
            let sorts = [self.pool.sort(mode), self.pool.sort(bits)];
            let symbol = format!(".{name}.{}", f.exponent);
            let other = self.pool.declare_fun(&symbol, &sorts, result);
            let other = self.pool.app(other, &[mode, bits]);
            return Ok(Some(self.pool.ite(fits, value, other)));
        }
        Ok(None)
    }

    /// `to_fp` and `to_fp_unsigned`: of bits, and with a rounding mode of another format, of integers and reals.
    fn float_of(&mut self, node: NodeId, name: &str, args: &[TermId], f: Format) -> Result<TermId> {
        if let &[bits] = args
            && name != "to_fp_unsigned"
        {
            if self.pool.bitvec_width(self.pool.sort(bits)) == Some(f.width()) {
                let bits = self.pool.canonical(Meaning::Float(f), bits);
                return Ok(self.float(bits, f));
            }
            return self.fail(node, format!("{name} without a rounding mode takes {} bits", f.width()));
        }
        let &[mode, a] = args else { return self.fail(node, format!("{name} takes a rounding mode and a value")) };
        if !self.is_rounding_mode(mode) {
            return self.fail(node, format!("{name} takes a rounding mode first"));
        }
        let mode = self.pool.to_bits(mode);
        if let Some(from) = self.float_format(a)
            && name != "to_fp_unsigned"
        {
            let bits = self.pool.to_bits(a);
            let bits = Ieee::new(self.pool).rounding_by(mode).convert(bits, from, f);
            return Ok(self.float(bits, f));
        }
        if self.pool.bitvec_width(self.pool.sort(a)).is_some() {
            let bits = Ieee::new(self.pool).rounding_by(mode).of_integer(a, name != "to_fp_unsigned", f);
            return Ok(self.float(bits, f));
        }
        if !self.pool.sort(a).is_arith() {
            return self.fail(node, format!("{name} takes a number, not a {}", self.sort_text(a)));
        }
        let Some(value) = self.pool.number(a).cloned() else {
            return self.fail(node, format!("{name} of a real that is no constant is not supported"));
        };
        let bits = self.rounded_constant(&value, mode, f);
        Ok(self.float(bits, f))
    }

    fn rounded_constant(&mut self, value: &Rational, mode: TermId, f: Format) -> TermId {
        let mut result = self.pool.bv_num(f.rounded(value, Rounding::ALL[0]), f.width());
        for (code, &rounding) in Rounding::ALL.iter().enumerate().skip(1) {
            let bits = self.pool.bv_num(f.rounded(value, rounding), f.width());
            let code = self.pool.bv_num(code.into(), Rounding::WIDTH);
            let here = self.pool.eq(mode, code);
            result = self.pool.ite(here, bits, result);
        }
        result
    }
}
