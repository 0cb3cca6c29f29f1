//! Complex numbers, of floating numbers and (GNU) of integers.
//!
//! Computed as gcc does: a real operand stays real; a product is the plain formula, unless both parts of it come out as
//! NaN, when a library function looks for infinities: that is not modelled. Nor is the quotient of two complex floating
//! numbers, which that library scales in its own way. On integers it is Smith's method (Smith, "Algorithm 116: Complex
//! division", 1962), cutting off as it goes.

use super::expr::int;
use super::parts::Parts;
use super::*;
use crate::ast::{BinaryOp, UnaryOp};

impl Sema<'_> {
    pub(super) fn complex_of(&mut self, part: TypeId, span: Span) -> SResult<TypeId> {
        match self.types.shaped(Shape::Complex(part)) {
            Some(ty) => Ok(ty),
            None => err(span, "a complex number of unknown size"),
        }
    }

    /// The real and the imaginary part, which may be used several times.
    fn held_parts(&mut self, e: Expr, setup: &mut Vec<Expr>) -> (Expr, Expr) {
        let span = e.span;
        let operand = self.parts(e);
        setup.extend(operand.setup);
        let mut parts: Vec<Expr> = operand.parts.into_iter().map(|p| self.held(p, setup)).collect();
        let zero = int(0, TypeId::INT, span);
        let imaginary = parts.pop().unwrap_or(zero.clone());
        (parts.pop().unwrap_or(zero), imaginary)
    }

    /// Conversions from and to complex numbers: to a real number the imaginary part is dropped.
    pub(super) fn complex_convert(&mut self, e: Expr, to: TypeId) -> Expr {
        let span = e.span;
        match (self.types.complex(e.ty), self.types.complex(to)) {
            (Some(_), Some(part)) => {
                let mut operand = self.parts(e);
                operand.parts = operand.parts.into_iter().map(|p| self.convert(p, part)).collect();
                self.assemble(to, operand, span)
            }
            (Some(_), None) if to == TypeId::BOOL => {
                let truth = self.complex_truth(e, span);
                self.convert(truth, to)
            }
            (Some(_), None) => {
                let real = self.complex_part(e, false);
                self.convert(real, to)
            }
            (None, Some(part)) => {
                let real = self.convert(e, part);
                let imaginary = self.zero(part, span);
                self.assemble(to, Parts { setup: Vec::new(), parts: vec![real, imaginary] }, span)
            }
            (None, None) => e,
        }
    }

    /// Is a part not zero?
    pub(super) fn complex_truth(&mut self, e: Expr, span: Span) -> Expr {
        let operand = self.parts(e);
        let mut truth = int(0, TypeId::INT, span);
        for part in operand.parts {
            let zero = self.zero(part.ty, span);
            if let Ok(differs) = self.compare(CmpOp::Ne, part, zero, span) {
                truth = self.logical(false, truth, differs, span);
            }
        }
        super::parts::after(operand.setup, truth)
    }

    /// A binary operator of which at least one operand is complex, and the other a number.
    pub(super) fn complex_binary(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> SResult<Expr> {
        let is_number = |s: &Self, ty: TypeId| s.types.is_arithmetic(ty) || s.types.complex(ty).is_some();
        let is_known =
            matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Eq | BinaryOp::Ne);
        if !is_number(self, left.ty) || !is_number(self, right.ty) || !is_known {
            let (l, r) = (self.types.show(left.ty), self.types.show(right.ty));
            return err(span, format!("wrong operands of {}: {l} and {r}", op.text()));
        }
        let (left, right) = (self.promote(left), self.promote(right));
        let ty = self.common_type(left.ty, right.ty);
        let Some(part) = self.types.complex(ty) else { return internal(span, "no complex number") };
        let (left_real, right_real) = (self.types.complex(left.ty).is_none(), self.types.complex(right.ty).is_none());
        let mut setup = Vec::new();
        // Of a real operand the imaginary part is not there; a zero would change signs of zeros.
        let mut operand = |s: &mut Self, e: Expr, is_real: bool| {
            let (a, b) = if is_real {
                let a = s.convert(e, part);
                (s.held(a, &mut setup), s.zero(part, span))
            } else {
                s.held_parts(e, &mut setup)
            };
            (s.convert(a, part), s.convert(b, part))
        };
        let (a, b) = operand(self, left, left_real);
        let (c, d) = operand(self, right, right_real);
        let parts = match op {
            BinaryOp::Eq | BinaryOp::Ne => {
                let compare = if op == BinaryOp::Eq { CmpOp::Eq } else { CmpOp::Ne };
                let (real, imaginary) = (self.compare(compare, a, c, span)?, self.compare(compare, b, d, span)?);
                let both = self.logical(op == BinaryOp::Eq, real, imaginary, span);
                return Ok(super::parts::after(setup, both));
            }
            BinaryOp::Add => {
                let imaginary = match (left_real, right_real) {
                    (true, _) => d,
                    (_, true) => b,
                    _ => self.part_op(BinOp::Add, b, d, span)?,
                };
                vec![self.part_op(BinOp::Add, a, c, span)?, imaginary]
            }
            BinaryOp::Sub => {
                let imaginary = match (left_real, right_real) {
                    (true, _) => {
                        let negative = self.unary_value(UnaryOp::Neg, d, span)?;
                        self.convert(negative, part)
                    }
                    (_, true) => b,
                    _ => self.part_op(BinOp::Sub, b, d, span)?,
                };
                vec![self.part_op(BinOp::Sub, a, c, span)?, imaginary]
            }
            BinaryOp::Mul if left_real || right_real => {
                let (scalar, x, y) = if left_real { (a, c, d) } else { (c, a, b) };
                vec![self.part_op(BinOp::Mul, x, scalar.clone(), span)?, self.part_op(BinOp::Mul, y, scalar, span)?]
            }
            BinaryOp::Mul => self.complex_product([a, b, c, d], &mut setup, span)?,
            _ if right_real => {
                vec![self.part_op(BinOp::Div, a, c.clone(), span)?, self.part_op(BinOp::Div, b, c, span)?]
            }
            _ => self.complex_quotient([a, b, c, d], part, &mut setup, span)?,
        };
        Ok(self.assemble(ty, Parts { setup, parts }, span))
    }

    /// Arithmetic in the type of the parts, cut back to it.
    fn part_op(&mut self, op: BinOp, left: Expr, right: Expr, span: Span) -> SResult<Expr> {
        let ty = left.ty;
        let (left, right) = (self.promote(left), self.promote(right));
        let value = self.arithmetic(op, left, right, span)?;
        Ok(self.convert(value, ty))
    }

    fn complex_product(&mut self, [a, b, c, d]: [Expr; 4], setup: &mut Vec<Expr>, span: Span) -> SResult<Vec<Expr>> {
        let ac = self.part_op(BinOp::Mul, a.clone(), c.clone(), span)?;
        let bd = self.part_op(BinOp::Mul, b.clone(), d.clone(), span)?;
        let ad = self.part_op(BinOp::Mul, a, d, span)?;
        let bc = self.part_op(BinOp::Mul, b, c, span)?;
        let (real, imaginary) = (self.part_op(BinOp::Sub, ac, bd, span)?, self.part_op(BinOp::Add, ad, bc, span)?);
        if self.types.is_integer(real.ty) {
            return Ok(vec![real, imaginary]);
        }
        let (real, imaginary) = (self.held(real, setup), self.held(imaginary, setup));
        let real_is_nan = self.compare(CmpOp::Ne, real.clone(), real.clone(), span)?;
        let imaginary_is_nan = self.compare(CmpOp::Ne, imaginary.clone(), imaginary.clone(), span)?;
        let is_nan = self.logical(true, real_is_nan, imaginary_is_nan, span);
        if matches!(is_nan.kind, ExprKind::Int(0)) {
            return Ok(vec![real, imaginary]);
        }
        let is_nan = self.held(is_nan, setup);
        let mut parts = Vec::new();
        for part in [real, imaginary] {
            let ty = part.ty;
            let recovered = self.unmodelled("complex_product", part.clone(), span);
            let kind = ExprKind::Cond(Box::new(is_nan.clone()), Box::new(recovered), Box::new(part));
            parts.push(Expr { kind, ty, span });
        }
        Ok(parts)
    }

    fn complex_quotient(
        &mut self,
        [a, b, c, d]: [Expr; 4],
        part: TypeId,
        setup: &mut Vec<Expr>,
        span: Span,
    ) -> SResult<Vec<Expr>> {
        if self.types.is_float(part) {
            let name = "complex_quotient";
            return Ok(vec![self.unmodelled(name, a, span), self.unmodelled(name, b, span)]);
        }
        let magnitude = |s: &mut Self, x: &Expr| -> SResult<Expr> {
            let zero = s.zero(part, span);
            let negative = s.compare(CmpOp::Lt, x.clone(), zero, span)?;
            let minus = s.unary_value(UnaryOp::Neg, x.clone(), span)?;
            let minus = s.convert(minus, part);
            let kind = ExprKind::Cond(Box::new(negative), Box::new(minus), Box::new(x.clone()));
            Ok(Expr { kind, ty: part, span })
        };
        let (size_c, size_d) = (magnitude(self, &c)?, magnitude(self, &d)?);
        let is_less = self.compare(CmpOp::Lt, size_c, size_d, span)?;
        let is_less = self.held(is_less, setup);
        let pick = |yes: Expr, no: Expr| {
            let kind = ExprKind::Cond(Box::new(is_less.clone()), Box::new(yes), Box::new(no));
            Expr { kind, ty: part, span }
        };
        // The smaller part of the divisor over the larger one.
        let (small, large) = (pick(c.clone(), d.clone()), pick(d, c));
        let (small, large) = (self.held(small, setup), self.held(large, setup));
        let ratio = self.part_op(BinOp::Div, small.clone(), large.clone(), span)?;
        let ratio = self.held(ratio, setup);
        let scaled = self.part_op(BinOp::Mul, small, ratio.clone(), span)?;
        let divisor = self.part_op(BinOp::Add, scaled, large, span)?;
        let divisor = self.held(divisor, setup);
        let a_scaled = self.part_op(BinOp::Mul, a.clone(), ratio.clone(), span)?;
        let b_scaled = self.part_op(BinOp::Mul, b.clone(), ratio, span)?;
        let (a_scaled, b_scaled) = (self.held(a_scaled, setup), self.held(b_scaled, setup));
        let real_less = self.part_op(BinOp::Add, a_scaled.clone(), b.clone(), span)?;
        let real_more = self.part_op(BinOp::Add, b_scaled.clone(), a.clone(), span)?;
        let imaginary_less = self.part_op(BinOp::Sub, b_scaled, a, span)?;
        let imaginary_more = self.part_op(BinOp::Sub, b, a_scaled, span)?;
        let (real, imaginary) = (pick(real_less, real_more), pick(imaginary_less, imaginary_more));
        Ok(vec![
            self.part_op(BinOp::Div, real, divisor.clone(), span)?,
            self.part_op(BinOp::Div, imaginary, divisor, span)?,
        ])
    }

    /// A number that is not modelled: the result of a function that lowering takes for any number.
    fn unmodelled(&mut self, name: &str, argument: Expr, span: Span) -> Expr {
        let ty = argument.ty;
        let func = self.builtin_function(&format!("{}{name}", crate::prelude::UNKNOWN_VALUE), "d.", span);
        let kind = ExprKind::Call { callee: Callee::Direct(func), args: vec![argument] };
        Expr { kind, ty, span }
    }

    /// Unary operators; `~` is the conjugate.
    pub(super) fn complex_unary(&mut self, op: UnaryOp, e: Expr, span: Span) -> SResult<Expr> {
        let ty = e.ty;
        let Some(part) = self.types.complex(ty) else { return internal(span, "no complex number") };
        if op == UnaryOp::Not {
            let truth = self.complex_truth(e, span);
            return Ok(self.not(truth, span));
        }
        let mut operand = self.parts(e);
        let negated: &[usize] = match op {
            UnaryOp::Neg => &[0, 1],
            UnaryOp::BitNot => &[1],
            _ => &[],
        };
        for &i in negated {
            if let Some(value) = operand.parts.get(i).cloned() {
                let value = self.unary_value(UnaryOp::Neg, value, span)?;
                operand.parts[i] = self.convert(value, part);
            }
        }
        Ok(self.assemble(ty, operand, span))
    }

    /// `__real__ e` and `__imag__ e` of a value.
    pub(super) fn complex_part(&mut self, e: Expr, imaginary: bool) -> Expr {
        let mut setup = Vec::new();
        // The other part is evaluated, too.
        let (real, imaginary_part) = self.held_parts(e, &mut setup);
        super::parts::after(setup, if imaginary { imaginary_part } else { real })
    }

    /// `__builtin_complex(a, b)`.
    pub(super) fn builtin_complex(&mut self, args: &[ast::Expr], span: Span) -> SResult<Expr> {
        let [real, imaginary] = args else { return err(span, "__builtin_complex takes two arguments") };
        let (real, imaginary) = (self.rvalue(real)?, self.rvalue(imaginary)?);
        if real.ty != imaginary.ty || !self.types.is_float(real.ty) {
            return err(span, "__builtin_complex takes two floating numbers of one type");
        }
        let ty = self.complex_of(real.ty, span)?;
        Ok(self.assemble(ty, Parts { setup: Vec::new(), parts: vec![real, imaginary] }, span))
    }
}
