//! GNU vectors: `__attribute__((vector_size(n)))`.
//!
//! Operators work element by element, as on scalars of the element type (what C would promote is cut back); a scalar
//! operand stands for a vector of copies. A comparison gives -1 where it is true and 0 elsewhere, in integers as wide
//! as the elements.

use super::expr::{Typed, int};
use super::parts::Parts;
use super::*;
use crate::ast::{BinaryOp, UnaryOp};

/// Larger vectors are refused.
const MAX_ELEMENTS: u64 = 1024;

impl Sema<'_> {
    /// The vector of a size in bytes whose elements have the type.
    pub(super) fn vector_type(&mut self, element: Ty, size: &ast::Expr) -> SResult<Ty> {
        let bytes = self.constant(size)?;
        let ok = match self.types.get(element.id) {
            Type::Int(kind) => *kind != IntKind::Bool,
            Type::Float(_) => true,
            _ => false,
        };
        if !ok {
            return err(size.span, format!("no vector of {}", self.types.show(element.id)));
        }
        let one = self.types.size_of(element.id).map_or(1, i128::from);
        if bytes <= 0 || bytes % one != 0 {
            return err(size.span, "the size of a vector must be a multiple of that of its elements");
        }
        let length = (bytes / one) as u64;
        if !length.is_power_of_two() {
            return err(size.span, "the number of elements of a vector must be a power of two");
        }
        if length > MAX_ELEMENTS {
            return unsupported(size.span, "a vector of this many elements is not supported");
        }
        match self.types.shaped(Shape::Vector { element: element.id, length }) {
            Some(id) => Ok(Ty { id, quals: element.quals }),
            None => err(size.span, "a vector of unknown size"),
        }
    }

    /// Signed integers as wide as the type: what comparisons give.
    fn mask_element(&mut self, element: TypeId) -> TypeId {
        let kind = match self.types.size_of(element) {
            Some(1) => IntKind::SChar,
            Some(2) => IntKind::Short,
            Some(4) => IntKind::Int,
            Some(8) if self.types.pointer_size() == 8 => IntKind::Long,
            Some(8) => IntKind::LongLong,
            _ => IntKind::Int128,
        };
        self.types.int(kind)
    }

    /// The parts of an operand: those of a vector, or copies of a scalar.
    fn operand(&mut self, e: Expr, element: TypeId, length: u64) -> SResult<Parts> {
        if self.types.vector(e.ty).is_some() {
            return Ok(self.parts(e));
        }
        let is_narrowed = self.types.is_float(e.ty) && self.types.is_integer(element);
        if is_narrowed || !self.types.is_arithmetic(e.ty) {
            let message =
                format!("a {} is not an element of a vector of {}", self.types.show(e.ty), self.types.show(element));
            return err(e.span, message);
        }
        let value = self.convert(e, element);
        let mut setup = Vec::new();
        let value = self.held(value, &mut setup);
        Ok(Parts { setup, parts: vec![value; length as usize] })
    }

    /// A binary operator of which at least one operand is a vector.
    pub(super) fn vector_binary(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> SResult<Expr> {
        let types = (self.types.vector(left.ty), self.types.vector(right.ty));
        let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        let fits = match types {
            (Some(a), Some(b)) if is_shift => a.1 == b.1,
            (Some((a, n)), Some((b, m))) => n == m && (a == b || self.is_signed_twin(a, b)),
            _ => true,
        };
        let (Some((element, length)), true) = (types.0.or(types.1), fits) else {
            let (l, r) = (self.types.show(left.ty), self.types.show(right.ty));
            return err(span, format!("wrong operands of {}: {l} and {r}", op.text()));
        };
        if matches!(op, BinaryOp::LogAnd | BinaryOp::LogOr) {
            return err(span, format!("{} needs scalars, not vectors", op.text()));
        }
        let is_comparison =
            matches!(op, BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne);
        let a = self.operand(left, element, length)?;
        let b = self.operand(right, element, length)?;
        let result_element = if is_comparison { self.mask_element(element) } else { element };
        let mut parts = Vec::with_capacity(a.parts.len());
        for (x, y) in a.parts.into_iter().zip(b.parts) {
            let mut value = self.binary(op, x, y, span)?;
            if is_comparison {
                let zero = int(0, TypeId::INT, span);
                value = self.arithmetic(BinOp::Sub, zero, value, span)?;
            }
            parts.push(self.convert(value, result_element));
        }
        let mut setup = a.setup;
        setup.extend(b.setup);
        let Some(ty) = self.types.shaped(Shape::Vector { element: result_element, length }) else {
            return err(span, "a vector of unknown size");
        };
        Ok(self.assemble(ty, Parts { setup, parts }, span))
    }

    /// Vectors of integers of one size: a mask is assigned to any of them.
    pub(super) fn mixes_masks(&self, a: TypeId, b: TypeId) -> bool {
        match (self.types.vector(a), self.types.vector(b)) {
            (Some((a, n)), Some((b, m))) => n == m && self.is_signed_twin(a, b),
            _ => false,
        }
    }

    /// Integers of one size that differ in their signs: gcc lets operators mix such vectors.
    fn is_signed_twin(&self, a: TypeId, b: TypeId) -> bool {
        match (self.types.int_kind(a), self.types.int_kind(b)) {
            (Some(x), Some(y)) => self.types.int_size(x) == self.types.int_size(y),
            _ => false,
        }
    }

    pub(super) fn vector_unary(&mut self, op: UnaryOp, e: Expr, span: Span) -> SResult<Expr> {
        let ty = e.ty;
        let Some((element, _)) = self.types.vector(ty) else { return internal(span, "no vector") };
        if !matches!(op, UnaryOp::Plus | UnaryOp::Neg | UnaryOp::BitNot)
            || op == UnaryOp::BitNot && !self.types.is_integer(element)
        {
            return err(span, format!("wrong operand of type {}", self.types.show(ty)));
        }
        let mut operand = self.parts(e);
        for part in &mut operand.parts {
            let placeholder = int(0, TypeId::INT, span);
            let value = std::mem::replace(part, placeholder);
            let value = self.unary_value(op, value, span)?;
            *part = self.convert(value, element);
        }
        Ok(self.assemble(ty, operand, span))
    }

    /// A cast from or to a vector keeps the bytes.
    pub(super) fn vector_cast(&mut self, value: Expr, to: TypeId, span: Span) -> SResult<Expr> {
        let from = value.ty;
        let is_bytes = |s: &Self, ty: TypeId| s.types.vector(ty).is_some() || s.types.is_integer(ty);
        if !is_bytes(self, from) || !is_bytes(self, to) || self.types.size_of(from) != self.types.size_of(to) {
            let message = format!("cannot cast {} to {}", self.types.show(from), self.types.show(to));
            return err(span, message);
        }
        if from == to {
            return Ok(value);
        }
        match (self.types.vector(from), self.types.vector(to)) {
            // Integers that differ in their signs only.
            (Some((a, _)), Some((b, _))) if self.is_signed_twin(a, b) => {
                let mut operand = self.parts(value);
                operand.parts = operand.parts.into_iter().map(|p| self.convert(p, b)).collect();
                Ok(self.assemble(to, operand, span))
            }
            _ => self.reinterpret(value, to),
        }
    }

    /// `v[i]`: a member, or, where the index is known only at run time, what lies there in memory.
    pub(super) fn vector_element(&mut self, vector: Place, index: Expr, span: Span) -> SResult<Typed> {
        let Some((element, length)) = self.types.vector(vector.ty.id) else {
            return internal(span, "no vector");
        };
        let index = self.promote(index);
        if !self.types.is_integer(index.ty) {
            return err(span, "array subscript is not an integer");
        }
        let ty = Ty::plain(element).with(vector.ty.quals);
        if let ExprKind::Int(i) = index.kind
            && (0..i128::from(length)).contains(&i)
        {
            let kind = PlaceKind::Field(Box::new(vector), i as u32);
            return Ok(Typed::Place(Place { kind, ty, span }));
        }
        let whole = self.types.pointer_to(vector.ty);
        let address = Expr { kind: ExprKind::AddrOf(vector), ty: whole, span };
        let pointer = self.types.pointer_to(ty);
        let first = Expr { kind: ExprKind::Convert(Box::new(address)), ty: pointer, span };
        let sum = self.binary(BinaryOp::Add, first, index, span)?;
        Ok(Typed::Place(Place { kind: PlaceKind::Deref(Box::new(sum)), ty, span }))
    }

    /// `__builtin_convertvector(v, T)`: each element as if by a cast.
    pub(super) fn convert_vector(&mut self, value: Expr, to: TypeId, span: Span) -> SResult<Expr> {
        let (Some((_, n)), Some((element, m))) = (self.types.vector(value.ty), self.types.vector(to)) else {
            return err(span, "__builtin_convertvector takes a vector and a type of vectors");
        };
        if n != m {
            return err(span, "__builtin_convertvector: the vectors differ in their numbers of elements");
        }
        let mut operand = self.parts(value);
        operand.parts = operand.parts.into_iter().map(|p| self.convert(p, element)).collect();
        Ok(self.assemble(to, operand, span))
    }

    /// `__builtin_shuffle(a, mask)` and `__builtin_shuffle(a, b, mask)`: the elements that the mask names, modulo their
    /// number.
    pub(super) fn shuffle(&mut self, args: &[ast::Expr], span: Span) -> SResult<Expr> {
        let mut values = Vec::new();
        for arg in args {
            values.push(self.rvalue(arg)?);
        }
        let Some(mask) = values.pop().filter(|_| matches!(values.len(), 1 | 2)) else {
            return err(span, "__builtin_shuffle takes two or three arguments");
        };
        let ty = values[0].ty;
        let is_int = |s: &Self, ty: TypeId| s.types.vector(ty).filter(|(e, _)| s.types.is_integer(*e));
        let (Some((_, n)), Some((_, m))) = (self.types.vector(ty), is_int(self, mask.ty)) else {
            return err(span, "__builtin_shuffle takes vectors, the last one of integers");
        };
        if n != m || values.iter().any(|v| v.ty != ty) {
            return err(span, "__builtin_shuffle: the vectors do not fit");
        }
        let (mut setup, mut elements) = (Vec::new(), Vec::new());
        for value in values {
            let operand = self.parts(value);
            setup.extend(operand.setup);
            for part in operand.parts {
                elements.push(self.held(part, &mut setup));
            }
        }
        let mask = self.parts(mask);
        setup.extend(mask.setup);
        let mut parts = Vec::new();
        for index in mask.parts {
            let limit = int(elements.len() as i128 - 1, TypeId::INT, span);
            let index = self.binary(BinaryOp::BitAnd, index, limit, span)?;
            let index = self.held(index, &mut setup);
            parts.push(self.chosen(&elements, index, span)?);
        }
        Ok(self.assemble(ty, Parts { setup, parts }, span))
    }

    /// The element with the index, which is in range.
    fn chosen(&mut self, elements: &[Expr], index: Expr, span: Span) -> SResult<Expr> {
        if let ExprKind::Int(i) = index.kind
            && let Some(element) = elements.get(i as usize)
        {
            return Ok(element.clone());
        }
        let Some((last, others)) = elements.split_last() else { return internal(span, "no elements") };
        let mut value = last.clone();
        for (i, element) in others.iter().enumerate().rev() {
            let number = int(i as i128, index.ty, span);
            let is_it = self.compare(CmpOp::Eq, index.clone(), number, span)?;
            let ty = value.ty;
            let kind = ExprKind::Cond(Box::new(is_it), Box::new(element.clone()), Box::new(value));
            value = Expr { kind, ty, span };
        }
        Ok(value)
    }

    /// `__builtin_shufflevector(a, b, i…)`: the elements of both with these constant indices; -1 leaves one open.
    pub(super) fn shuffle_vector(&mut self, args: &[ast::Expr], span: Span) -> SResult<Expr> {
        let [a, b, indices @ ..] = args else {
            return err(span, "__builtin_shufflevector takes two vectors and indices");
        };
        let (a, b) = (self.rvalue(a)?, self.rvalue(b)?);
        let (Some((element, _)), Some((other, _))) = (self.types.vector(a.ty), self.types.vector(b.ty)) else {
            return err(span, "__builtin_shufflevector takes two vectors and indices");
        };
        if element != other || !indices.len().is_power_of_two() {
            return err(span, "__builtin_shufflevector: the vectors do not fit");
        }
        let (mut setup, mut elements) = (Vec::new(), Vec::new());
        for value in [a, b] {
            let operand = self.parts(value);
            setup.extend(operand.setup);
            for part in operand.parts {
                elements.push(self.held(part, &mut setup));
            }
        }
        let mut parts = Vec::new();
        for index in indices {
            let i = self.constant(index)?;
            if i == -1 {
                return unsupported(index.span, "an open element of __builtin_shufflevector is not supported");
            }
            let Some(element) = usize::try_from(i).ok().and_then(|i| elements.get(i)) else {
                return err(index.span, "an index of __builtin_shufflevector is out of range");
            };
            parts.push(element.clone());
        }
        let length = parts.len() as u64;
        match self.types.shaped(Shape::Vector { element, length }) {
            Some(ty) => Ok(self.assemble(ty, Parts { setup, parts }, span)),
            None => err(span, "a vector of unknown size"),
        }
    }
}
