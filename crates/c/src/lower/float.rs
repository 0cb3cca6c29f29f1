//! Floating numbers.
//!
//! In bit-precise mode floating numbers (`long double` has the 80 bits of the x87 unit) are the bits of IEEE 754
//! numbers in a word, and arithmetic is the circuits of [`logic::ieee`]: round to nearest, no excess precision. In
//! integer mode a number is opaque: it can be copied, but what is computed from it is any number, recorded as an
//! over-approximation.
//!
//! The bits above a number's width in a word mean nothing; every operation cuts them off.

use base::Span;
use ir::Nondet;
use logic::ieee::{DOUBLE, EXTENDED, Format, HALF, Ieee, QUAD, Rounding, SINGLE};
use logic::{BigInt, Op, SortId, TermId};

use super::int::IntVal;
use super::memory::Ghost;
use super::{Lowerer, R, Val, internal, unsupported};
use crate::hir::{BinOp, CmpOp};
use crate::types::{FloatKind, IntKind, Type, TypeId};

/// `FE_DOWNWARD`, `FE_UPWARD` and `FE_TOWARDZERO` on x86; `FE_TONEAREST` is zero.
const DOWNWARD: i64 = 0x400;
const UPWARD: i64 = 0x800;
pub(super) const TOWARDS_ZERO: i64 = 0xc00;

impl Lowerer<'_> {
    // ----- the rounding mode -----

    /// The variable with the rounding mode, in programs that change it.
    pub fn rounding_mode(&mut self) -> Option<ir::VarId> {
        self.mentioned.contains("fesetround").then(|| self.ghost(Ghost::Rounding))
    }

    /// `fesetround`: other numbers than those of the modes change nothing.
    pub fn set_rounding_mode(&mut self, mode: ir::VarId, wanted: TermId, span: Span) -> R<Val> {
        let is_mode: Vec<TermId> = [0, DOWNWARD, UPWARD, TOWARDS_ZERO]
            .into_iter()
            .map(|m| {
                let m = self.num(i128::from(m));
                self.pool.eq(wanted, m)
            })
            .collect();
        let is_mode = self.pool.or(&is_mode);
        let old = self.program.term(mode);
        let new = self.pool.ite(is_mode, wanted, old);
        self.assign_temp(mode, new, span);
        let (zero, one) = (self.num(0), self.num(1));
        Ok(Val::Int(IntVal { term: self.pool.ite(is_mode, zero, one), lo: 0, hi: 1 }))
    }

    /// A number that was rounded to nearest: any number under another mode.
    fn rounded(&mut self, value: Val, ty: TypeId, span: Span) -> R<Val> {
        let Some(mode) = self.rounding_mode() else { return Ok(value) };
        let (mode, zero) = (self.program.term(mode), self.num(0));
        let to_nearest = self.pool.eq(mode, zero);
        let result = self.number_temp();
        let term = self.int_of(&value).term;
        self.assign_temp(result, term, span);
        let no = self.branch_hidden(to_nearest, span);
        let end = self.new_label();
        self.jump(vec![end], span);
        self.otherwise_hidden(no, to_nearest, span);
        let what = "arithmetic under another rounding mode";
        self.note_imprecise(what, span);
        self.havoc(vec![result], Nondet::Inexact(what.into()), span);
        self.place_label(end, span);
        let term = self.program.term(result);
        Ok(self.value_from_terms(ty, term, None))
    }

    /// A number made integral as the rounding mode says.
    fn integral_by_mode(&mut self, x: TermId, format: Format) -> TermId {
        let even = self.ieee().rounding(Rounding::NearestEven).integral(x, format);
        let Some(mode) = self.rounding_mode() else { return even };
        let mode = self.program.term(mode);
        let others = [(DOWNWARD, Rounding::Down), (UPWARD, Rounding::Up), (TOWARDS_ZERO, Rounding::Zero)];
        let mut result = even;
        for (number, rounding) in others {
            let number = self.num(i128::from(number));
            let here = self.pool.eq(mode, number);
            let value = self.ieee().rounding(rounding).integral(x, format);
            result = self.pool.ite(here, value, result);
        }
        result
    }

    // ----- numbers -----

    /// The format of a type whose arithmetic is exact here.
    pub fn format(&mut self, ty: TypeId) -> Option<Format> {
        let width = self.word.width?;
        let format = match self.unit.types.get(ty) {
            Type::Float(FloatKind::Float) => SINGLE,
            Type::Float(FloatKind::Double) => DOUBLE,
            Type::Float(FloatKind::LongDouble) => EXTENDED,
            Type::Float(FloatKind::Half) => HALF,
            Type::Float(FloatKind::Quad) => QUAD,
            _ => return None,
        };
        if format.width() > width {
            self.word.overflowed = true;
            return None;
        }
        Some(format)
    }

    /// Not modelled: any number.
    pub fn float_result(&mut self, ty: TypeId, span: Span) -> R<Val> {
        let what = "floating-point arithmetic";
        self.note_imprecise(what, span);
        self.arbitrary(ty, Nondet::Inexact(what.into()), span)
    }

    /// A constant, rounded to its type already.
    pub fn float_constant(&mut self, value: f64, ty: TypeId) -> Val {
        let bits = match self.unit.types.get(ty) {
            Type::Float(FloatKind::Float) if self.is_exact() => (value as f32).to_bits() as i128,
            Type::Float(FloatKind::Half | FloatKind::LongDouble | FloatKind::Quad) => {
                let Some(format) = self.format(ty) else { return Val::Float(self.num(value.to_bits() as i128)) };
                let bits = self.pool.bv_num(BigInt::from(value.to_bits()), DOUBLE.width());
                let bits = self.ieee().convert(bits, DOUBLE, format);
                return self.float_value(bits, format);
            }
            _ => value.to_bits() as i128,
        };
        Val::Float(self.num(bits))
    }

    fn bits_of(&mut self, value: &Val, format: Format) -> TermId {
        let word = self.int_of(value).term;
        self.pool.bv(Op::BvExtract(format.width() - 1, 0), &[word])
    }
    fn float_value(&mut self, bits: TermId, format: Format) -> Val {
        let width = self.word.width.unwrap_or(format.width());
        Val::Float(self.pool.bv(Op::BvZeroExt(width - format.width()), &[bits]))
    }
    fn ieee(&mut self) -> Ieee<'_> {
        Ieee::new(self.pool)
    }

    pub fn float_truth(&mut self, value: &Val, ty: TypeId) -> Option<TermId> {
        let format = self.format(ty)?;
        let bits = self.bits_of(value, format);
        let zero = self.ieee().is_null(bits, format);
        Some(self.pool.not(zero))
    }

    pub fn float_negate(&mut self, value: &Val, ty: TypeId, span: Span) -> R<Val> {
        let Some(format) = self.format(ty) else { return self.float_result(ty, span) };
        let bits = self.bits_of(value, format);
        let result = self.ieee().negate(bits, format);
        Ok(self.float_value(result, format))
    }

    pub fn float_binary(&mut self, op: BinOp, a: &Val, b: &Val, ty: TypeId, span: Span) -> R<Val> {
        let Some(format) = self.format(ty) else { return self.float_result(ty, span) };
        let (x, y) = (self.bits_of(a, format), self.bits_of(b, format));
        let mut ieee = self.ieee();
        let result = match op {
            BinOp::Add => ieee.sum(x, y, format),
            BinOp::Sub => ieee.difference(x, y, format),
            BinOp::Mul => ieee.product(x, y, format),
            BinOp::Div => ieee.quotient(x, y, format),
            BinOp::Rem | BinOp::Shl | BinOp::Shr | BinOp::And | BinOp::Or | BinOp::Xor => {
                return unsupported(span, "this operation on floating numbers");
            }
        };
        // A NaN of constants is what compilers compute, whose sign may differ from what the processor gives.
        let nans = [x, y, result].map(|bits| self.ieee().is_nan(bits, format));
        let is_made_here = nans == [TermId::FALSE, TermId::FALSE, TermId::TRUE];
        let result = if is_made_here { self.with_any_nan_sign(result, format, span) } else { result };
        let value = self.float_value(result, format);
        self.rounded(value, ty, span)
    }

    /// A number whose sign is nondeterministic if it is a NaN. The sign of a computed NaN is unspecified (IEEE 754,
    /// 6.3): x86 sets it, gcc does not where it folds constants.
    fn with_any_nan_sign(&mut self, bits: TermId, format: Format, span: Span) -> TermId {
        let is_nan = self.ieee().is_nan(bits, format);
        if is_nan == TermId::FALSE {
            return bits;
        }
        // Only executions with a NaN pass the havoc: others stay exact.
        let (changes, after) = (self.temp(SortId::BOOL), self.new_label());
        let no = self.branch_hidden(is_nan, span);
        self.havoc(vec![changes], Nondet::Inexact("the sign of a NaN".into()), span);
        self.jump(vec![after], span);
        self.otherwise_hidden(no, is_nan, span);
        self.place_label(after, span);
        let changes = self.pool.and2(is_nan, self.program.term(changes));
        let other = self.ieee().negate(bits, format);
        self.pool.ite(changes, other, bits)
    }

    pub fn float_compare(&mut self, op: CmpOp, a: &Val, b: &Val, ty: TypeId) -> Option<TermId> {
        let format = self.format(ty)?;
        let (x, y) = (self.bits_of(a, format), self.bits_of(b, format));
        let mut ieee = self.ieee();
        Some(match op {
            CmpOp::Lt => ieee.less(x, y, format),
            CmpOp::Le => ieee.less_or_equal(x, y, format),
            CmpOp::Gt => ieee.less(y, x, format),
            CmpOp::Ge => ieee.less_or_equal(y, x, format),
            CmpOp::Eq => ieee.equal(x, y, format),
            CmpOp::Ne => {
                let equal = ieee.equal(x, y, format);
                self.pool.not(equal)
            }
        })
    }

    /// Conversions from and to floating numbers, but to `_Bool`.
    pub fn float_convert(&mut self, value: &Val, from: TypeId, to: TypeId, span: Span) -> R<Val> {
        match (self.format(from), self.format(to)) {
            (Some(a), Some(b)) => {
                let bits = self.bits_of(value, a);
                let result = self.ieee().convert(bits, a, b);
                let value = self.float_value(result, b);
                if b.fraction < a.fraction { self.rounded(value, to, span) } else { Ok(value) }
            }
            (None, Some(format)) if self.unit.types.int_kind(from).is_some() => {
                let v = self.int_of(value);
                let result = self.ieee().of_integer(v.term, true, format);
                let value = self.float_value(result, format);
                self.rounded(value, to, span)
            }
            (Some(format), None) => match self.unit.types.int_kind(to) {
                Some(kind) => {
                    let bits = self.bits_of(value, format);
                    self.float_to_int(bits, format, kind, span)
                }
                None => self.float_result(to, span),
            },
            _ => self.float_result(to, span),
        }
    }

    /// Truncates towards zero. A number outside the range of the type has no meaning in C: any result, and an
    /// execution that uses it proves nothing.
    fn float_to_int(&mut self, bits: TermId, format: Format, kind: IntKind, span: Span) -> R<Val> {
        let Some(width) = self.word.width else { return internal(span, "no word") };
        let (whole, fits) = self.ieee().rounding(Rounding::Zero).to_integer(bits, width, true, format);
        self.note_width(kind);
        let (min, max) = self.unit.types.int_range(kind);
        let inside = self.in_type_range(whole, kind);
        let defined = self.pool.and2(fits, inside);
        if defined == TermId::TRUE {
            return Ok(Val::Int(IntVal { term: whole, lo: min, hi: max }));
        }
        let result = self.number_temp();
        self.assign_temp(result, whole, span);
        let term = self.program.term(result);
        let no = self.branch_hidden(defined, span);
        let end = self.new_label();
        self.jump(vec![end], span);
        self.otherwise_hidden(no, defined, span);
        let what = "a floating number outside the range of the integer type it is converted to";
        self.havoc(vec![result], Nondet::Overapproximation(what.into()), span);
        let fact = self.in_type_range(term, kind);
        self.assume_fact(fact, span);
        self.place_label(end, span);
        Ok(Val::Int(IntVal { term, lo: min, hi: max }))
    }

    /// Library functions on floating numbers; `None` if the function is another one.
    pub fn float_function(&mut self, name: &str, values: &[(Val, TypeId)], ret: TypeId, span: Span) -> Option<R<Val>> {
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        let plain = plain.strip_prefix("__").unwrap_or(plain);
        let (stem, result) = known_function(plain)?;
        let Some(&(ref first, first_ty)) = values.first() else {
            return Some(unsupported(span, format!("{name} without argument")));
        };
        let second = values.get(1).cloned();
        // Comparisons by macro take arguments of two types.
        if let Some((other, other_ty)) = &second
            && let (Some(a), Some(b)) = (self.format(first_ty), self.format(*other_ty))
            && a != b
        {
            let common = if a.width() > b.width() { first_ty } else { *other_ty };
            let (Ok(x), Ok(y)) =
                (self.float_convert(first, first_ty, common, span), self.float_convert(other, *other_ty, common, span))
            else {
                return Some(unsupported(span, name.to_string()));
            };
            return self.float_function(name, &[(x, common), (y, common)], ret, span);
        }
        let second = second.map(|v| v.0);
        let Some(format) = self.format(first_ty) else {
            return Some(match result {
                Answer::Number => self.float_result(ret, span),
                Answer::Truth | Answer::Class | Answer::Whole => {
                    self.note_imprecise("floating-point arithmetic", span);
                    self.arbitrary(ret, Nondet::Inexact("floating-point arithmetic".into()), span)
                }
            });
        };
        let x = self.bits_of(first, format);
        let y = second.as_ref().map(|s| self.bits_of(s, format));
        if matches!(stem, "rint" | "nearbyint" | "lrint" | "llrint") && self.rounding_mode().is_some() {
            let term = self.integral_by_mode(x, format);
            return Some(match (result, self.unit.types.int_kind(ret)) {
                (Answer::Whole, Some(kind)) => self.float_to_int(term, format, kind, span),
                _ => Ok(self.float_value(term, format)),
            });
        }
        if stem == "sqrt" {
            let root = self.ieee().root(x, format);
            let value = self.float_value(root, format);
            return Some(self.rounded(value, ret, span));
        }
        let (x, y) = match (stem, y) {
            ("signbit", _) => (self.with_any_nan_sign(x, format, span), y),
            ("copysign", Some(y)) => (x, Some(self.with_any_nan_sign(y, format, span))),
            _ => (x, y),
        };
        let mut ieee = self.ieee();
        let term = match (stem, y) {
            ("fabs", _) => ieee.absolute(x, format),
            ("floor", _) => ieee.rounding(Rounding::Down).integral(x, format),
            ("ceil", _) => ieee.rounding(Rounding::Up).integral(x, format),
            ("trunc", _) => ieee.rounding(Rounding::Zero).integral(x, format),
            ("round" | "lround" | "llround", _) => ieee.rounding(Rounding::NearestAway).integral(x, format),
            ("rint" | "nearbyint" | "lrint" | "llrint", _) => ieee.rounding(Rounding::NearestEven).integral(x, format),
            ("fmin" | "fmax", Some(y)) => {
                let result = if stem == "fmin" { ieee.minimum(x, y, format) } else { ieee.maximum(x, y, format) };
                // Of two zeros, either may be the result (F.10.9.2).
                let both = [ieee.is_null(x, format), ieee.is_null(y, format)];
                let are_zeros = self.pool.and(&both);
                match are_zeros {
                    TermId::FALSE => result,
                    _ => {
                        let takes_other = self.temp(SortId::BOOL);
                        let what = format!("the sign of {stem} of two zeros");
                        self.havoc(vec![takes_other], Nondet::Inexact(what), span);
                        let is_open = self.pool.and2(are_zeros, self.program.term(takes_other));
                        let is_first = self.pool.eq(result, x);
                        let other = self.pool.ite(is_first, y, x);
                        self.pool.ite(is_open, other, result)
                    }
                }
            }
            ("copysign", Some(y)) => ieee.copy_sign(x, y, format),
            ("isnan", _) => ieee.is_nan(x, format),
            ("isinf", _) => ieee.is_infinite(x, format),
            ("isinf_sign", _) => ieee.is_infinite(x, format),
            ("signbit", _) => ieee.is_negative(x, format),
            ("isfinite" | "finite", _) => {
                let (a, b) = (ieee.is_nan(x, format), ieee.is_infinite(x, format));
                let special = self.pool.or2(a, b);
                self.pool.not(special)
            }
            ("isnormal", _) => {
                let parts = [
                    ieee.is_nan(x, format),
                    ieee.is_infinite(x, format),
                    ieee.is_null(x, format),
                    ieee.is_subnormal(x, format),
                ];
                let special = self.pool.or(&parts);
                self.pool.not(special)
            }
            ("isgreater", Some(y)) => ieee.less(y, x, format),
            ("isgreaterequal", Some(y)) => ieee.less_or_equal(y, x, format),
            ("isless", Some(y)) => ieee.less(x, y, format),
            ("islessequal", Some(y)) => ieee.less_or_equal(x, y, format),
            ("islessgreater", Some(y)) => {
                let (a, b) = (ieee.less(x, y, format), ieee.less(y, x, format));
                self.pool.or2(a, b)
            }
            ("isunordered", Some(y)) => ieee.unordered(x, y, format),
            ("fpclassify", _) => {
                let tests = [
                    (ieee.is_nan(x, format), 0),
                    (ieee.is_infinite(x, format), 1),
                    (ieee.is_null(x, format), 2),
                    (ieee.is_subnormal(x, format), 3),
                ];
                let mut class = self.num(4);
                for (test, number) in tests {
                    let number = self.num(number);
                    class = self.pool.ite(test, number, class);
                }
                return Some(Ok(Val::Int(IntVal { term: class, lo: 0, hi: 4 })));
            }
            _ => return Some(self.float_result(ret, span)),
        };
        Some(match result {
            Answer::Number => Ok(self.float_value(term, format)),
            // glibc's `__isinf` gives the sign as well.
            Answer::Truth if stem == "isinf_sign" => {
                let negative = self.ieee().is_negative(x, format);
                let (zero, one, minus) = (self.num(0), self.num(1), self.num(-1));
                let signed = self.pool.ite(negative, minus, one);
                let term = self.pool.ite(term, signed, zero);
                Ok(Val::Int(IntVal { term, lo: -1, hi: 1 }))
            }
            Answer::Truth => Ok(Val::Bool(term)),
            Answer::Whole => match self.unit.types.int_kind(ret) {
                Some(kind) => self.float_to_int(term, format, kind, span),
                None => unsupported(span, name.to_string()),
            },
            Answer::Class => unsupported(span, name.to_string()),
        })
    }
}

enum Answer {
    Number,
    Truth,
    Class,
    Whole,
}

/// Functions on `double` that are known, without their suffix for other types, and what they give.
fn known_function(name: &str) -> Option<(&'static str, Answer)> {
    const NUMBERS: &[&str] = &[
        "fabs",
        "sqrt",
        "floor",
        "ceil",
        "trunc",
        "round",
        "rint",
        "nearbyint",
        "fmin",
        "fmax",
        "copysign",
        "fmod",
        "remainder",
        "fdim",
        "sin",
        "cos",
        "tan",
        "asin",
        "acos",
        "atan",
        "atan2",
        "sinh",
        "cosh",
        "tanh",
        "exp",
        "exp2",
        "log",
        "log2",
        "log10",
        "pow",
        "cbrt",
        "hypot",
    ];
    const TRUTHS: &[&str] = &[
        "isnan",
        "isinf",
        "signbit",
        "isfinite",
        "finite",
        "isnormal",
        "isgreater",
        "isgreaterequal",
        "isless",
        "islessequal",
        "islessgreater",
        "isunordered",
        "isinf_sign",
    ];
    const WHOLE: &[&str] = &["lround", "llround", "lrint", "llrint"];
    let matching = |list: &'static [&'static str]| {
        list.iter().find(|&&f| name.strip_prefix(f).is_some_and(|suffix| matches!(suffix, "" | "f" | "l")))
    };
    if matches!(name, "fpclassify" | "fpclassifyf" | "fpclassifyl") {
        return Some(("fpclassify", Answer::Class));
    }
    if let Some(f) = matching(TRUTHS) {
        return Some((f, Answer::Truth));
    }
    if let Some(f) = matching(WHOLE) {
        return Some((f, Answer::Whole));
    }
    matching(NUMBERS).map(|f| (*f, Answer::Number))
}
