//! `sprintf` and `snprintf` with a literal format, as calls of functions that put one piece each.
//!
//! `sprintf(d, "n=%d", x)` becomes `end(d, limit, put_signed(d, limit, put_text(d, limit, 0, "n="), x))`: every function takes
//! where to put and returns where the next piece goes, whether there is room or not (the functions are in
//! [`crate::prelude`]). The destination and the limit occur several times, so they must be without effects. Flags, widths,
//! precisions and floating numbers are not treated here: then the call stays what it is.

use super::expr::{Typed, int};
use super::*;

enum Piece {
    Text(Vec<u32>),
    /// The conversion `%d` or `%i`, with its type.
    Signed(TypeId),
    /// An unsigned conversion: its type, the base, and the letter of the digit ten.
    Unsigned(TypeId, i128, char),
    Char,
    String,
}

/// The parts of a format; `None` if there is something that is not treated.
fn pieces(format: &[u32], size_t: TypeId) -> Option<Vec<Piece>> {
    let mut found = Vec::new();
    let mut text = Vec::new();
    let mut units = format.iter().map(|&u| char::from_u32(u).unwrap_or('\u{fffd}')).zip(format).peekable();
    while let Some((c, &unit)) = units.next() {
        if c != '%' || units.next_if(|u| u.0 == '%').is_some() {
            text.push(unit);
            continue;
        }
        if !text.is_empty() {
            found.push(Piece::Text(std::mem::take(&mut text)));
        }
        let mut length = String::new();
        while let Some((c, _)) = units.next_if(|u| "lz".contains(u.0)) {
            length.push(c);
        }
        let (signed, unsigned) = match &length[..] {
            "" => (TypeId::INT, TypeId::UINT),
            "l" => (TypeId::LONG, TypeId::ULONG),
            "ll" => (TypeId::LLONG, TypeId::ULLONG),
            "z" => (size_t, size_t),
            _ => return None,
        };
        found.push(match (units.next()?.0, &length[..]) {
            ('d' | 'i', "" | "l" | "ll") => Piece::Signed(signed),
            ('u', _) => Piece::Unsigned(unsigned, 10, 'a'),
            ('x', _) => Piece::Unsigned(unsigned, 16, 'a'),
            ('X', _) => Piece::Unsigned(unsigned, 16, 'A'),
            ('o', _) => Piece::Unsigned(unsigned, 8, 'a'),
            ('c', "") => Piece::Char,
            ('s', "") => Piece::String,
            _ => return None,
        });
    }
    if !text.is_empty() {
        found.push(Piece::Text(text));
    }
    Some(found)
}

/// Can the expression be evaluated several times, with the same value?
fn is_simple(e: &ast::Expr) -> bool {
    use ast::ExprKind as A;
    match &e.kind {
        A::Ident(_) | A::Number(_) | A::Char(_) | A::Str(_) | A::SizeofExpr(_) | A::SizeofType(_) => true,
        A::Unary(_, inner) | A::Cast(_, inner) => is_simple(inner),
        A::Member { base, .. } => is_simple(base),
        A::Binary(_, a, b) | A::Index(a, b) => is_simple(a) && is_simple(b),
        _ => false,
    }
}

impl Sema<'_> {
    /// A call of `sprintf` or `snprintf`, if it can be said by pieces.
    pub(super) fn formatted(&mut self, name: &str, args: &[ast::Expr], span: Span) -> SResult<Option<Expr>> {
        let (limit, format, rest) = match (name, args) {
            ("sprintf", [_, format, rest @ ..]) => (None, format, rest),
            ("snprintf", [_, limit, format, rest @ ..]) => (Some(limit), format, rest),
            _ => return Ok(None),
        };
        let ast::ExprKind::Str(parts) = &format.kind else { return Ok(None) };
        let size_t = self.types.size_t();
        let Some((units, 1)) = self.string_units(parts) else { return Ok(None) };
        let Some(pieces) = pieces(&units, size_t) else { return Ok(None) };
        let n_taken = pieces.iter().filter(|p| !matches!(p, Piece::Text(_))).count();
        if n_taken != rest.len() || !is_simple(&args[0]) || !limit.is_none_or(is_simple) {
            return Ok(None);
        }
        let text = self.types.pointer_to(Ty::plain(TypeId::CHAR));
        let to = self.rvalue(&args[0])?;
        let to = self.assign_convert(to, text)?;
        let limit = match limit {
            None => {
                let max = self.types.int_kind(size_t).map_or(0, |kind| self.types.int_range(kind).1);
                int(max, size_t, span)
            }
            Some(limit) => {
                let limit = self.rvalue(limit)?;
                self.assign_convert(limit, size_t)?
            }
        };
        let mut at = int(0, size_t, span);
        let mut rest = rest.iter();
        for piece in pieces {
            let taken = if matches!(piece, Piece::Text(_)) { None } else { rest.next() };
            let argument = taken.map(|e| self.rvalue(e)).transpose()?;
            let (function, letters, more) = match (piece, argument) {
                (Piece::Text(units), _) => {
                    let var = self.string_var(units, TypeId::CHAR, span);
                    let place = Place { kind: PlaceKind::Var(var), ty: self.vars[var].ty, span };
                    let value = self.value_of(Typed::Place(place))?;
                    ("__craig_put_text", "zczzc", vec![value])
                }
                (Piece::String, Some(value)) => ("__craig_put_text", "zczzc", vec![self.assign_convert(value, text)?]),
                (Piece::Char, Some(value)) => ("__craig_put_char", "zczzi", vec![self.convert(value, TypeId::INT)]),
                (Piece::Signed(ty), Some(value)) => {
                    let value = self.convert(value, ty);
                    ("__craig_put_signed", "zczzL", vec![self.convert(value, TypeId::LLONG)])
                }
                (Piece::Unsigned(ty, base, ten), Some(value)) => {
                    let value = self.convert(value, ty);
                    let value = self.convert(value, TypeId::ULLONG);
                    let (base, ten) = (int(base, TypeId::INT, span), int(ten as i128, TypeId::INT, span));
                    ("__craig_put_unsigned", "zczzMii", vec![value, base, ten])
                }
                (_, None) => return err(span, "internal: too few arguments of a format"),
            };
            let func = self.builtin_function(function, letters, span);
            let mut args = vec![to.clone(), limit.clone(), at];
            args.extend(more);
            at = Expr { kind: ExprKind::Call { callee: Callee::Direct(func), args }, ty: size_t, span };
        }
        let func = self.builtin_function("__craig_put_end", "iczz", span);
        let kind = ExprKind::Call { callee: Callee::Direct(func), args: vec![to, limit, at] };
        Ok(Some(Expr { kind, ty: TypeId::INT, span }))
    }
}
