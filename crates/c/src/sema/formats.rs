//! `sprintf`, `snprintf` and `sscanf` with a literal format, as calls of functions that put or take one piece each.
//!
//! `sprintf(d, "n=%d", x)` becomes `end(d, limit, put_signed(d, limit, put_text(d, limit, 0, "n="), x))`: every
//! function takes where to put and returns where the next piece goes, whether there is room or not (the functions are
//! in [`crate::prelude`]). The destination and the limit occur several times, so they must be without effects.
//! Conversions with flags, widths or precisions have functions of their own. Floating numbers and addresses are not
//! treated here: then the call stays what it is.

use super::expr::{Typed, int};
use super::*;

#[derive(PartialEq, Eq, Debug)]
enum Piece {
    Text(Vec<u32>),
    Conversion(Conversion),
}

#[derive(PartialEq, Eq, Debug)]
enum What {
    /// The conversion `%d` or `%i`, with its type.
    Signed(TypeId),
    /// An unsigned conversion: its type, the base, and the letter of the digit ten.
    Unsigned(TypeId, i128, char),
    Char,
    String,
}

#[derive(PartialEq, Eq, Debug)]
struct Conversion {
    what: What,
    /// The sum of the values of [`FLAGS`].
    flags: i128,
    width: Extent,
    precision: Extent,
}

/// A width or a precision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Extent {
    None,
    Fixed(i128),
    Argument,
}

/// As the functions in [`crate::prelude`] know them.
const FLAGS: [(char, i128); 5] = [('-', 1), ('0', 2), ('#', 4), ('+', 8), (' ', 16)];

impl Conversion {
    fn is_plain(&self) -> bool {
        self.flags == 0 && self.width == Extent::None && self.precision == Extent::None
    }

    fn n_arguments(&self) -> usize {
        1 + [self.width, self.precision].iter().filter(|&&e| e == Extent::Argument).count()
    }
}

/// Reads a width or a precision; `None` if it is too large.
fn extent<'u>(units: &mut std::iter::Peekable<impl Iterator<Item = (char, &'u u32)>>) -> Option<Extent> {
    if units.next_if(|u| u.0 == '*').is_some() {
        return Some(Extent::Argument);
    }
    let mut number = None;
    while let Some((digit, _)) = units.next_if(|u| u.0.is_ascii_digit()) {
        number = Some(10 * number.unwrap_or(0i128) + i128::from(digit as u32 - '0' as u32));
        if number > Some(i128::from(i32::MAX)) {
            return None;
        }
    }
    Some(number.map_or(Extent::None, Extent::Fixed))
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
        let mut flags = 0;
        while let Some((_, value)) = units.peek().and_then(|u| FLAGS.iter().find(|f| f.0 == u.0)) {
            flags |= value;
            units.next();
        }
        let width = extent(&mut units)?;
        let precision = match units.next_if(|u| u.0 == '.') {
            Some(_) => match extent(&mut units)? {
                // Only a point is zero.
                Extent::None => Extent::Fixed(0),
                other => other,
            },
            None => Extent::None,
        };
        let mut length = String::new();
        while let Some((c, _)) = units.next_if(|u| "hljzt".contains(u.0)) {
            length.push(c);
        }
        let (signed, unsigned) = number_types(&length, size_t)?;
        let what = match (units.next()?.0, &length[..]) {
            ('d' | 'i', _) => What::Signed(signed),
            ('u', _) => What::Unsigned(unsigned, 10, 'a'),
            ('x', _) => What::Unsigned(unsigned, 16, 'a'),
            ('X', _) => What::Unsigned(unsigned, 16, 'A'),
            ('o', _) => What::Unsigned(unsigned, 8, 'a'),
            ('c', "") => What::Char,
            ('s', "") => What::String,
            _ => return None,
        };
        found.push(Piece::Conversion(Conversion { what, flags, width, precision }));
    }
    if !text.is_empty() {
        found.push(Piece::Text(text));
    }
    Some(found)
}

/// A part of a format of `sscanf`.
#[derive(PartialEq, Eq, Debug)]
enum Wanted {
    Blanks,
    Literal(u32),
    /// Its type, the base, the width.
    Number(TypeId, i128, i128),
    Char,
    Word(i128),
    /// `%n`
    Consumed(TypeId),
}

/// The parts of a format of `sscanf`; `None` if there is something that is not treated.
fn wanted(format: &[u32], size_t: TypeId) -> Option<Vec<Wanted>> {
    let mut found = Vec::new();
    let mut units = format.iter().map(|&u| char::from_u32(u).unwrap_or('\u{fffd}')).zip(format).peekable();
    while let Some((c, &unit)) = units.next() {
        if c.is_ascii_whitespace() || c == '\u{b}' {
            found.push(Wanted::Blanks);
            continue;
        }
        if c != '%' {
            found.push(Wanted::Literal(unit));
            continue;
        }
        let (width, has_width) = match extent(&mut units)? {
            Extent::None => (i128::from(i32::MAX), false),
            Extent::Fixed(0) | Extent::Argument => return None,
            Extent::Fixed(n) => (n, true),
        };
        let mut length = String::new();
        while let Some((c, _)) = units.next_if(|u| "hljzt".contains(u.0)) {
            length.push(c);
        }
        let (signed, unsigned) = number_types(&length, size_t)?;
        found.push(match (units.next()?.0, &length[..]) {
            ('d', _) => Wanted::Number(signed, 10, width),
            ('i', _) => Wanted::Number(signed, 0, width),
            ('u', _) => Wanted::Number(unsigned, 10, width),
            ('x' | 'X', _) => Wanted::Number(unsigned, 16, width),
            ('o', _) => Wanted::Number(unsigned, 8, width),
            ('c', "") if !has_width => Wanted::Char,
            ('s', "") => Wanted::Word(width),
            ('n', _) if !has_width => Wanted::Consumed(signed),
            _ => return None,
        });
    }
    Some(found)
}

/// The signed and the unsigned type of a conversion with a length.
fn number_types(length: &str, size_t: TypeId) -> Option<(TypeId, TypeId)> {
    let word = if size_t == TypeId::UINT { TypeId::INT } else { TypeId::LONG };
    Some(match length {
        "hh" => (TypeId::SCHAR, TypeId::UCHAR),
        "h" => (TypeId::SHORT, TypeId::USHORT),
        "" => (TypeId::INT, TypeId::UINT),
        "l" => (TypeId::LONG, TypeId::ULONG),
        "ll" | "j" => (TypeId::LLONG, TypeId::ULLONG),
        "z" | "t" => (word, size_t),
        _ => return None,
    })
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
        let n_arguments = |p: &Piece| match p {
            Piece::Text(_) => 0,
            Piece::Conversion(c) => c.n_arguments(),
        };
        let n_taken: usize = pieces.iter().map(n_arguments).sum();
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
            let conversion = match piece {
                Piece::Text(units) => {
                    let var = self.string_var(units, TypeId::CHAR, span);
                    let place = Place { kind: PlaceKind::Var(var), ty: self.vars[var].ty, span };
                    let value = self.value_of(Typed::Place(place))?;
                    at = self.put("__craig_put_text", "zczzc", [to.clone(), limit.clone(), at], vec![value], span);
                    continue;
                }
                Piece::Conversion(conversion) => conversion,
            };
            let mut extents = Vec::new();
            for (extent, absent) in [(conversion.width, 0), (conversion.precision, -1)] {
                extents.push(match extent {
                    Extent::None => int(absent, TypeId::INT, span),
                    Extent::Fixed(n) => int(n, TypeId::INT, span),
                    Extent::Argument => {
                        let Some(e) = rest.next() else { return internal(span, "too few arguments of a format") };
                        let value = self.rvalue(e)?;
                        self.convert(value, TypeId::INT)
                    }
                });
            }
            let Some(e) = rest.next() else { return internal(span, "too few arguments of a format") };
            let value = self.rvalue(e)?;
            let is_plain = conversion.is_plain();
            let (function, letters, mut more) = match conversion.what {
                What::String => {
                    let value = self.assign_convert(value, text)?;
                    if is_plain {
                        ("__craig_put_text", "zczzc", vec![value])
                    } else {
                        ("__craig_set_text", "zczzciii", vec![value])
                    }
                }
                What::Char => {
                    let value = self.convert(value, TypeId::INT);
                    if is_plain {
                        ("__craig_put_char", "zczzi", vec![value])
                    } else {
                        ("__craig_set_char", "zczziiii", vec![value])
                    }
                }
                What::Signed(ty) => {
                    let value = self.convert(value, ty);
                    let value = self.convert(value, TypeId::LLONG);
                    if is_plain {
                        ("__craig_put_signed", "zczzL", vec![value])
                    } else {
                        ("__craig_set_signed", "zczzLiii", vec![value])
                    }
                }
                What::Unsigned(ty, base, ten) => {
                    let value = self.convert(value, ty);
                    let value = self.convert(value, TypeId::ULLONG);
                    let (base, ten) = (int(base, TypeId::INT, span), int(ten as i128, TypeId::INT, span));
                    let values = vec![value, base, ten];
                    if is_plain {
                        ("__craig_put_unsigned", "zczzMii", values)
                    } else {
                        ("__craig_set_unsigned", "zczzMiiiii", values)
                    }
                }
            };
            if !is_plain {
                more.push(int(conversion.flags, TypeId::INT, span));
                more.extend(extents);
            }
            at = self.put(function, letters, [to.clone(), limit.clone(), at], more, span);
        }
        let func = self.builtin_function("__craig_put_end", "iczz", span);
        let kind = ExprKind::Call { callee: Callee::Direct(func), args: vec![to, limit, at] };
        Ok(Some(Expr { kind, ty: TypeId::INT, span }))
    }

    /// A call of `sscanf`, if it can be said by pieces: each that was read is stored and counted, and they follow one
    /// another.
    pub(super) fn scanned(&mut self, name: &str, args: &[ast::Expr], span: Span) -> SResult<Option<Expr>> {
        let ("sscanf" | "__isoc99_sscanf", [text, format, targets @ ..]) = (name, args) else { return Ok(None) };
        let ast::ExprKind::Str(parts) = &format.kind else { return Ok(None) };
        let size_t = self.types.size_t();
        let Some((units, 1)) = self.string_units(parts) else { return Ok(None) };
        let Some(wanted) = wanted(&units, size_t) else { return Ok(None) };
        let n_targets = wanted.iter().filter(|w| !matches!(w, Wanted::Blanks | Wanted::Literal(_))).count();
        if n_targets != targets.len() || !targets.iter().all(is_simple) {
            return Ok(None);
        }
        let chars = self.types.pointer_to(Ty::plain(TypeId::CHAR));
        let source = self.rvalue(text)?;
        let source = self.assign_convert(source, chars)?;
        let mut all = self.call_piece("__craig_scan_begin", "ic", vec![source], span);
        let mut targets = targets.iter();
        let number = |n: i128, ty: TypeId| int(n, ty, span);
        for part in wanted {
            let step = match part {
                Wanted::Blanks => self.call_piece("__craig_scan_blanks", "i", vec![], span),
                Wanted::Literal(c) => {
                    self.call_piece("__craig_scan_literal", "ii", vec![number(i128::from(c), TypeId::INT)], span)
                }
                Wanted::Number(ty, base, width) => {
                    let Some(kind) = self.types.int_kind(ty) else { return Ok(None) };
                    // Numbers are read as long, or long long, and cut.
                    let is_long = self.types.size_of(ty) > self.types.size_of(TypeId::LONG);
                    let wide = match (kind.is_signed(), is_long) {
                        (true, false) => TypeId::LONG,
                        (true, true) => TypeId::LLONG,
                        (false, false) => TypeId::ULONG,
                        (false, true) => TypeId::ULLONG,
                    };
                    let max = self.types.int_kind(wide).map_or(0, |kind| self.types.int_range(kind).1);
                    let args = vec![
                        number(base, TypeId::INT),
                        number(width, TypeId::INT),
                        number(max, TypeId::ULLONG),
                        number(i128::from(kind.is_signed()), TypeId::INT),
                    ];
                    let read = self.call_piece("__craig_scan_number", "iiiMi", args, span);
                    self.stored(read, targets.next(), ty, true, span)?
                }
                Wanted::Char => {
                    let read = self.call_piece("__craig_scan_char", "i", vec![], span);
                    self.stored(read, targets.next(), TypeId::CHAR, true, span)?
                }
                Wanted::Consumed(ty) => {
                    let read = self.call_piece("__craig_scan_consumed", "i", vec![], span);
                    self.stored(read, targets.next(), ty, false, span)?
                }
                Wanted::Word(width) => {
                    let Some(target) = targets.next() else { return Ok(None) };
                    let target = self.rvalue(target)?;
                    let target = self.assign_convert(target, chars)?;
                    let args = vec![target, number(width, TypeId::INT)];
                    let read = self.call_piece("__craig_scan_word", "ici", args, span);
                    let count = self.call_piece("__craig_scan_count", "i", vec![], span);
                    Expr { kind: ExprKind::LogAnd(Box::new(read), Box::new(count)), ty: TypeId::INT, span }
                }
            };
            all = Expr { kind: ExprKind::Comma(Box::new(all), Box::new(step)), ty: TypeId::INT, span };
        }
        let end = self.call_piece("__craig_scan_end", "i", vec![], span);
        Ok(Some(Expr { kind: ExprKind::Comma(Box::new(all), Box::new(end)), ty: TypeId::INT, span }))
    }

    /// `read && (*target = value, count)`
    fn stored(
        &mut self,
        read: Expr,
        target: Option<&ast::Expr>,
        ty: TypeId,
        counts: bool,
        span: Span,
    ) -> SResult<Expr> {
        let Some(target) = target else { return internal(span, "too few targets of a format") };
        let pointer = self.types.pointer_to(Ty::plain(ty));
        let target = self.rvalue(target)?;
        let target = self.assign_convert(target, pointer)?;
        let value = self.call_piece("__craig_scan_value", "M", vec![], span);
        let value = self.convert(value, ty);
        let place = Place { kind: PlaceKind::Deref(Box::new(target)), ty: Ty::plain(ty), span };
        let store = Expr { kind: ExprKind::Assign(Box::new(place), Box::new(value)), ty, span };
        let last = match counts {
            true => self.call_piece("__craig_scan_count", "i", vec![], span),
            false => int(0, TypeId::INT, span),
        };
        let then = Expr { kind: ExprKind::Comma(Box::new(store), Box::new(last)), ty: TypeId::INT, span };
        Ok(Expr { kind: ExprKind::LogAnd(Box::new(read), Box::new(then)), ty: TypeId::INT, span })
    }

    fn call_piece(&mut self, function: &str, letters: &str, args: Vec<Expr>, span: Span) -> Expr {
        let func = self.builtin_function(function, letters, span);
        let ty = self.types.function(self.funcs[func].ty).map_or(TypeId::INT, |f| f.ret.id);
        Expr { kind: ExprKind::Call { callee: Callee::Direct(func), args }, ty, span }
    }

    /// The call of a function that puts a piece.
    fn put(&mut self, function: &str, letters: &str, place: [Expr; 3], more: Vec<Expr>, span: Span) -> Expr {
        let func = self.builtin_function(function, letters, span);
        let mut args = Vec::from(place);
        args.extend(more);
        Expr { kind: ExprKind::Call { callee: Callee::Direct(func), args }, ty: self.types.size_t(), span }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_are_told_apart() {
        let pieces = |f: &str| pieces(&f.chars().map(|c| c as u32).collect::<Vec<_>>(), TypeId::ULONG);
        let conversion =
            |what, flags, width, precision| Piece::Conversion(Conversion { what, flags, width, precision });
        assert_eq!(
            pieces("%-5d%%%.*s"),
            Some(vec![
                conversion(What::Signed(TypeId::INT), 1, Extent::Fixed(5), Extent::None),
                Piece::Text(vec!['%' as u32]),
                conversion(What::String, 0, Extent::None, Extent::Argument),
            ])
        );
        assert_eq!(pieces("%+08hhx%."), None);
        assert_eq!(
            pieces("%#.x"),
            Some(vec![conversion(What::Unsigned(TypeId::UINT, 16, 'a'), 4, Extent::None, Extent::Fixed(0))])
        );
        let units: Vec<u32> = "x %2d%s%n".chars().map(|c| c as u32).collect();
        assert_eq!(
            wanted(&units, TypeId::ULONG),
            Some(vec![
                Wanted::Literal('x' as u32),
                Wanted::Blanks,
                Wanted::Number(TypeId::INT, 10, 2),
                Wanted::Word(i128::from(i32::MAX)),
                Wanted::Consumed(TypeId::INT),
            ])
        );
        assert_eq!((pieces("%f"), pieces("%n"), pieces("%99999999999d")), (None, None, None));
    }
}
