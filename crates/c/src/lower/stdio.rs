//! Input and output: what `scanf` reads, and what the functions that write return.
//!
//! `scanf` returns how many targets it wrote, so a target is written exactly if its number is below the result. That is
//! said for formats that are string literals and whose conversions fit their targets. The text that
//! `sscanf` reads is the program's own, and a width bounds the values: there any value is more than can
//! occur. Output happens nowhere, but texts that are written are read, so where memory safety is checked they must be
//! there up to their ends; a result counts only if it is used, and is as exact as the standard.

use base::Span;
use ir::Nondet;
use logic::TermId;

use super::alias::NodeId;
use super::int::IntVal;
use super::memory::PtrVal;
use super::{Lowerer, R, Val, internal, unsupported};
use crate::hir::*;
use crate::library::{LibraryFunction, Model};
use crate::types::{Ty, TypeId};

/// A conversion of a format that assigns.
struct Conversion {
    letter: u8,
    length: Vec<u8>,
    width: Option<u32>,
    /// The characters between brackets.
    set: Option<Set>,
    /// Only blanks stand before it.
    is_first: bool,
}

/// The characters that a text may consist of: ranges, or all others.
struct Set {
    ranges: Vec<(u8, u8)>,
    is_negated: bool,
}

impl Set {
    /// What `%s` takes: no blanks.
    fn word() -> Set {
        Set { ranges: vec![(b' ', b' '), (9, 13)], is_negated: true }
    }

    /// Reads what stands behind an opening bracket.
    fn parse(rest: &mut std::iter::Peekable<impl Iterator<Item = u8>>) -> Option<Set> {
        let is_negated = rest.next_if_eq(&b'^').is_some();
        let mut listed = Vec::new();
        // A bracket that closes is a character where it stands first.
        listed.extend(rest.next_if_eq(&b']'));
        loop {
            match rest.next()? {
                b']' => break,
                c => listed.push(c),
            }
        }
        let mut ranges = Vec::new();
        let mut i = 0;
        while let Some(&low) = listed.get(i) {
            match listed.get(i + 1..i + 3) {
                Some(&[b'-', high]) if low <= high => {
                    ranges.push((low, high));
                    i += 3;
                }
                _ => {
                    ranges.push((low, low));
                    i += 1;
                }
            }
        }
        Some(Set { ranges, is_negated })
    }
}

impl Conversion {
    fn text(&self) -> String {
        self.length.iter().chain([&self.letter]).map(|&c| char::from(c)).collect()
    }
}

/// The assigning conversions of a `scanf` format; `None` if it has something that is not understood.
fn conversions(format: &[u8]) -> Option<Vec<Conversion>> {
    let mut found = Vec::new();
    let mut rest = format.iter().copied().peekable();
    let mut is_first = true;
    while let Some(c) = rest.next() {
        if c != b'%' {
            is_first &= c.is_ascii_whitespace();
            continue;
        }
        if rest.next_if_eq(&b'%').is_some() {
            is_first = false;
            continue;
        }
        let is_skipped = rest.next_if_eq(&b'*').is_some();
        let mut width = None;
        while let Some(digit) = rest.next_if(u8::is_ascii_digit) {
            width = Some((10 * width.unwrap_or(0) + u32::from(digit - b'0')).min(1 << 20));
        }
        let mut length = Vec::new();
        while let Some(c) = rest.next_if(|c| b"hljztL".contains(c)) {
            length.push(c);
        }
        let letter = rest.next()?;
        let set = match letter {
            b's' => Some(Set::word()),
            b'[' => Some(Set::parse(&mut rest)?),
            _ if b"diouxXaAeEfFgGc".contains(&letter) => None,
            _ => return None,
        };
        if !is_skipped {
            found.push(Conversion { letter, length, width, set, is_first });
        }
        is_first = false;
    }
    Some(found)
}

/// A text that `scanf` reads, and when.
struct Word<'s> {
    set: &'s Set,
    width: Option<u32>,
    written: TermId,
    why: Nondet,
}

/// How many characters a `%s` takes at most.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Precision {
    None,
    Fixed(i128),
    /// That many, given by the argument of this number.
    Argument(usize),
}

/// A text that a `printf` format takes: the number of its argument after the format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Text {
    argument: usize,
    precision: Precision,
}

/// The texts of a `printf` format and the number of its arguments; `None` if it stores something or is not understood.
fn texts(format: &[u8]) -> Option<(Vec<Text>, usize)> {
    let (mut found, mut n_arguments) = (Vec::new(), 0);
    let mut rest = format.iter().copied().peekable();
    while let Some(c) = rest.next() {
        if c != b'%' || rest.next_if_eq(&b'%').is_some() {
            continue;
        }
        while rest.next_if(|c| b"-+ #0'".contains(c)).is_some() {}
        if rest.next_if_eq(&b'*').is_some() {
            n_arguments += 1;
        }
        while rest.next_if(u8::is_ascii_digit).is_some() {}
        let mut precision = Precision::None;
        if rest.next_if_eq(&b'.').is_some() {
            let mut n = 0i128;
            while let Some(digit) = rest.next_if(u8::is_ascii_digit) {
                n = (10 * n + i128::from(digit - b'0')).min(i128::from(i32::MAX));
            }
            precision = Precision::Fixed(n);
            if rest.next_if_eq(&b'*').is_some() {
                precision = Precision::Argument(n_arguments);
                n_arguments += 1;
            }
        }
        let mut is_wide = false;
        while let Some(c) = rest.next_if(|c| b"hljztLq".contains(c)) {
            is_wide |= c == b'l';
        }
        match rest.next()? {
            b's' if !is_wide => found.push(Text { argument: n_arguments, precision }),
            b'd' | b'i' | b'o' | b'u' | b'x' | b'X' | b'c' | b'p' => {}
            b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' => {}
            b'm' => continue,
            _ => return None,
        }
        n_arguments += 1;
    }
    Some((found, n_arguments))
}

impl Lowerer<'_> {
    /// Reads a string up to its end, or up to a number of characters: they must be readable.
    pub fn read_text(&mut self, text: &Val, e: &Expr, most: Option<IntVal>, span: Span) -> R<()> {
        let is_watched = self.watches_accesses();
        if !is_watched || self.literal_text(e).is_some() {
            return Ok(());
        }
        let Val::Ptr(p) = self.snapshot(text.clone(), span) else {
            return unsupported(span, "a string to be written that is not a pointer");
        };
        self.check_not_null(p, span);
        let Some(node) = self.alias.value(e) else {
            return unsupported(span, "a text to be written at a constant address");
        };
        let char = Ty::plain(TypeId::CHAR);
        let at = self.number_temp();
        let zero = self.num(0);
        self.assign(at, zero, span);
        let (head, end) = (self.new_label(), self.new_label());
        self.place_label(head, span);
        let position = self.program.term(at);
        if let Some(most) = most {
            let more = self.lt(position, most.term);
            // A negative precision is none.
            let none = self.lt(most.term, zero);
            let more = self.pool.or2(more, none);
            let all = self.branch_hidden(more, span);
            let go_on = self.new_label();
            self.jump(vec![go_on], span);
            self.otherwise_hidden(all, more, span);
            self.jump(vec![end], span);
            self.place_label(go_on, span);
        }
        let addr = self.add2(p.addr, position);
        let loc = self.deref_loc(PtrVal { addr, ..p }, node, TypeId::CHAR);
        let c = self.load(&loc, char, span)?;
        let is_end = self.truth(&c, TypeId::CHAR, span)?;
        let is_end = self.pool.not(is_end);
        let more = self.branch_hidden(is_end, span);
        self.jump(vec![end], span);
        self.otherwise_hidden(more, is_end, span);
        let one = self.num(1);
        let next = self.add2(position, one);
        self.assign(at, next, span);
        self.jump(vec![head], span);
        self.place_label(end, span);
        Ok(())
    }

    /// Reads the texts that `printf` is given.
    fn read_printed(&mut self, values: &[(Val, TypeId)], args: &[Expr], at: usize, span: Span) -> R<()> {
        let Some(format) = args.get(at).and_then(|f| self.literal_text(f)) else {
            return self.unknown_format(args, at, span);
        };
        let Some((texts, n_arguments)) = texts(&format) else {
            return unsupported(span, "this format of printf");
        };
        let first = at + 1;
        if args.len() < first + n_arguments {
            return unsupported(span, "a format with more conversions than arguments");
        }
        for text in texts {
            let at = first + text.argument;
            let most = match text.precision {
                Precision::None => None,
                Precision::Fixed(n) => Some(self.int_const(n)),
                Precision::Argument(i) => Some(self.int_of(&values[first + i].0)),
            };
            self.read_text(&values[at].0, &args[at], most, span)?;
        }
        Ok(())
    }

    /// Output with a format that is not a literal: which strings it reads is unknown; it may store the number of
    /// characters with `%n`, unless it is one of several literals without.
    fn unknown_format(&mut self, args: &[Expr], at: usize, span: Span) -> R<()> {
        let formats = args.get(at).and_then(|f| self.alias.value(f)).and_then(|node| self.alias.literals(node));
        let formats: Option<Vec<Vec<u8>>> = formats.and_then(|vars| vars.iter().map(|&v| self.text_of(v)).collect());
        let is_plain = |pred: &dyn Fn(&[u8]) -> bool| formats.as_ref().is_some_and(|all| all.iter().all(|f| pred(f)));
        let stores_nothing = is_plain(&|f| texts(f).is_some());
        let converts_nothing = is_plain(&|f| !f.contains(&b'%'));
        let is_watched = self.watches_accesses();
        if is_watched && !converts_nothing {
            self.note_unsound("what a format that is not a literal reads", span);
        }
        if stores_nothing {
            return Ok(());
        }
        for arg in args.iter().skip(at + 1) {
            let Some(pointee) = self.unit.types.pointee(arg.ty) else { continue };
            if self.unit.types.int_kind(pointee.id).is_none() || pointee.quals.is_const {
                continue;
            }
            let Some(node) = self.alias.value(arg) else {
                return unsupported(span, "a format that is not a literal");
            };
            let mark = self.number_temp();
            let why = Nondet::Inexact("what a format that is not a literal stores".into());
            self.havoc(vec![mark], why, span);
            self.memory.outside_writes.push((mark, Some(node)));
        }
        Ok(())
    }

    /// The characters of a string literal that an expression is, without the final zero.
    pub fn literal_text(&self, e: &Expr) -> Option<Vec<u8>> {
        let place = match &e.kind {
            ExprKind::Convert(inner) => return self.literal_text(inner),
            ExprKind::AddrOf(place) => place,
            _ => return None,
        };
        let array = match &place.kind {
            PlaceKind::Index(array, index) if matches!(index.kind, ExprKind::Int(0)) => array,
            _ => place,
        };
        let PlaceKind::Var(var) = array.kind else { return None };
        self.text_of(var)
    }

    /// The characters of the object of a string literal, without the final zero.
    pub(super) fn text_of(&self, var: VarId) -> Option<Vec<u8>> {
        let var = &self.unit.vars[var];
        let items = &var.init.as_ref().filter(|_| var.is_string)?.items;
        let mut text = Vec::new();
        for item in items {
            match (&item.path[..], &item.value.kind) {
                ([Step::Index(at)], ExprKind::Int(c)) if *at == text.len() as u64 => text.push(*c as u8),
                _ => return None,
            }
        }
        if let Some(end) = text.iter().position(|&c| c == 0) {
            text.truncate(end);
        }
        Some(text)
    }

    /// Whether a conversion writes an object of a type.
    fn fits(&self, conversion: &Conversion, pointee: TypeId) -> bool {
        let types = &self.unit.types;
        let size = types.size_of(pointee);
        let length = &conversion.length[..];
        match conversion.letter {
            b'c' => size == Some(1) && conversion.width.is_none() && length.is_empty(),
            b's' | b'[' => size == Some(1) && length.is_empty(),
            b'd' | b'i' | b'o' | b'u' | b'x' | b'X' => {
                let wanted = match length {
                    b"hh" => Some(1),
                    b"h" => Some(2),
                    b"" => Some(4),
                    b"l" => types.size_of(TypeId::LONG),
                    b"ll" | b"j" => Some(8),
                    b"z" | b"t" => types.size_of(types.size_t()),
                    _ => None,
                };
                types.int_kind(pointee).is_some() && wanted.is_some() && size == wanted
            }
            _ => {
                let wanted = match length {
                    b"" => TypeId::FLOAT,
                    b"l" => TypeId::DOUBLE,
                    _ => return false,
                };
                pointee == wanted
            }
        }
    }

    /// `scanf` and its like; the format is the argument before `first`.
    pub fn scan(&mut self, name: &str, values: &[(Val, TypeId)], args: &[Expr], first: usize, e: &Expr) -> R<Val> {
        let span = e.span;
        let format = first.checked_sub(1).and_then(|i| args.get(i)).and_then(|f| self.literal_text(f));
        let Some(conversions) = format.as_deref().and_then(conversions) else {
            return unsupported(span, "a format of scanf that is not a simple string");
        };
        let targets = values.get(first..).unwrap_or_default();
        if conversions.len() != targets.len() {
            return unsupported(span, "a scanf with too few or too many targets");
        }
        // The text is the program's own.
        let is_own_text = name.ends_with("sscanf");
        let mut why = Nondet::Input(name.to_string());
        if is_own_text {
            why = Nondet::Inexact(format!("what {name} reads"));
        }
        let Val::Int(count) = self.arbitrary(e.ty, why, span)? else { return internal(span, "scanf") };
        let mut fact = self.in_range(count.term, -1, targets.len() as i128);
        if conversions.first().is_some_and(|c| c.letter == b'c' && c.is_first) {
            // A character is there, or the input ends.
            let zero = self.num(0);
            let none = self.pool.eq(count.term, zero);
            let some = self.pool.not(none);
            fact = self.pool.and2(fact, some);
        }
        self.assume(fact, span);
        for (i, ((value, ty), conversion)) in targets.iter().zip(&conversions).enumerate() {
            let (Val::Ptr(p), Some(pointee)) = (value, self.unit.types.pointee(*ty)) else {
                return unsupported(span, "a target of scanf that is not a pointer");
            };
            if !self.fits(conversion, pointee.id) {
                return unsupported(span, "a conversion of scanf that does not fit its target");
            }
            let Some(node) = args.get(first + i).and_then(|a| self.alias.value(a)) else {
                return unsupported(span, "scanf to an unknown object");
            };
            let number = self.num(i as i128);
            let written = self.gt(count.term, number);
            if let Some(set) = &conversion.set {
                let why = if is_own_text { Nondet::Inexact(format!("what {name} reads")) } else { Nondet::Choice };
                let word = Word { set, width: conversion.width, written, why };
                self.scan_word(*p, node, pointee, word, span)?;
                continue;
            }
            let loc = self.deref_loc(*p, node, pointee.id);
            // The number of digits, one less with a sign.
            let range = match (conversion.width, conversion.letter) {
                (Some(width @ 1..=9), b'd') if self.unit.types.size_of(pointee.id) >= Some(4) => {
                    Some((1 - 10i128.pow(width - 1), 10i128.pow(width) - 1))
                }
                _ => None,
            };
            let why = if is_own_text || conversion.width.is_some() && range.is_none() {
                Nondet::Inexact(format!("what {name} reads"))
            } else {
                Nondet::Read(conversion.text())
            };
            let new = self.arbitrary(pointee.id, why, span)?;
            if let (Val::Int(v), Some((lo, hi))) = (&new, range) {
                let fact = self.in_range(v.term, lo, hi);
                self.assume(fact, span);
            }
            if !matches!(new, Val::Int(_) | Val::Float(_)) {
                return unsupported(span, "scanf of a pointer");
            }
            let nothing = self.branch_hidden(written, span);
            self.store(&loc, pointee, &new, span)?;
            let end = self.new_label();
            self.jump(vec![end], span);
            self.otherwise_hidden(nothing, written, span);
            self.place_label(end, span);
        }
        Ok(Val::Int(count))
    }

    /// Stores characters of a set, at least one, and a zero behind them.
    fn scan_word(&mut self, p: PtrVal, node: NodeId, pointee: Ty, word: Word<'_>, span: Span) -> R<()> {
        let Word { set, width, written, why } = word;
        let nothing = self.branch_hidden(written, span);
        let at = self.number_temp();
        let (zero, one) = (self.num(0), self.num(1));
        self.assign(at, zero, span);
        let (head, another, last, end) = (self.new_label(), self.new_label(), self.new_label(), self.new_label());
        self.place_label(head, span);
        let position = self.program.term(at);
        let addr = self.add2(p.addr, position);
        let loc = self.deref_loc(PtrVal { addr, ..p }, node, pointee.id);
        self.jump(vec![another, last], span);
        self.place_label(another, span);
        if let Some(width) = width {
            let width = self.num(width.into());
            let fits = self.lt(position, width);
            self.assume(fits, span);
        }
        let byte = self.arbitrary(TypeId::UCHAR, why, span)?;
        let term = self.int_of(&byte).term;
        let ranges: Vec<TermId> =
            set.ranges.iter().map(|&(low, high)| self.in_range(term, low.into(), high.into())).collect();
        let is_listed = self.pool.or(&ranges);
        let is_taken = if set.is_negated { self.pool.not(is_listed) } else { is_listed };
        self.assume(is_taken, span);
        let c = self.convert(&byte, TypeId::UCHAR, pointee.id, span)?;
        self.store(&loc, pointee, &c, span)?;
        let next = self.add2(position, one);
        self.assign(at, next, span);
        self.jump(vec![head], span);
        self.place_label(last, span);
        let some = self.gt(position, zero);
        self.assume(some, span);
        let terminator = Val::Int(self.int_const(0));
        self.store(&loc, pointee, &terminator, span)?;
        self.jump(vec![end], span);
        self.otherwise_hidden(nothing, written, span);
        self.jump(vec![end], span);
        self.place_label(end, span);
        Ok(())
    }

    /// Whether the value of an expression is discarded.
    pub fn is_discarded(&self, e: &Expr) -> bool {
        std::ptr::eq(self.discarded, e)
    }

    /// A function that only writes to the outside.
    pub fn output(
        &mut self,
        row: &LibraryFunction,
        name: &str,
        values: &[(Val, TypeId)],
        args: &[Expr],
        e: &Expr,
        span: Span,
    ) -> R<Val> {
        let name = name.trim_start_matches("__builtin_");
        let is_watched = self.watches_accesses();
        match row.model {
            Model::Print(format) => self.read_printed(values, args, format, span)?,
            Model::PrintList if is_watched => self.note_unsound("what a format with a list of arguments reads", span),
            _ => {}
        }
        if e.ty == TypeId::VOID {
            return Ok(Val::Void);
        }
        if self.is_discarded(e) {
            return if self.unit.types.int_kind(e.ty).is_some() {
                Ok(Val::Int(self.int_const(0)))
            } else {
                self.dead_value(e.ty, span)
            };
        }
        let int = |v: Option<&(Val, TypeId)>| match v {
            Some((Val::Int(v), _)) => Some(*v),
            _ => None,
        };
        let (_, max) = self.unit.types.int_kind(e.ty).map_or((0, 0), |kind| self.unit.types.int_range(kind));
        let (low, high) = match name {
            "puts" | "fputs" => (-1, max),
            "printf" | "fprintf" => {
                let format = args.get(usize::from(name == "fprintf")).and_then(|f| self.literal_text(f));
                let plain = format.filter(|f| !f.contains(&b'%'));
                let Some(length) = plain.map(|f| f.len() as i128) else { return self.some_output(name, e, span) };
                let value = self.arbitrary(e.ty, Nondet::Choice, span)?;
                let Val::Int(v) = &value else { return internal(span, "printf") };
                let (length, zero) = (self.num(length), self.num(0));
                let (all, failed) = (self.pool.eq(v.term, length), self.gt(zero, v.term));
                let fact = self.pool.or2(all, failed);
                self.assume(fact, span);
                return Ok(value);
            }
            "putchar" | "putc" | "fputc" => {
                let Some(c) = int(values.first()).filter(|c| 0 <= c.lo && c.hi <= 255) else {
                    return self.some_output(name, e, span);
                };
                let value = self.arbitrary(e.ty, Nondet::Choice, span)?;
                let Val::Int(v) = &value else { return internal(span, "putchar") };
                let minus_one = self.num(-1);
                let (written, failed) = (self.pool.eq(v.term, c.term), self.pool.eq(v.term, minus_one));
                let fact = self.pool.or2(written, failed);
                self.assume(fact, span);
                return Ok(value);
            }
            _ => return self.some_output(name, e, span),
        };
        let value = self.arbitrary(e.ty, Nondet::Choice, span)?;
        if let Val::Int(v) = &value {
            let fact = self.in_range(v.term, low, high);
            self.assume(fact, span);
        }
        Ok(value)
    }

    fn some_output(&mut self, name: &str, e: &Expr, span: Span) -> R<Val> {
        self.arbitrary(e.ty, Nondet::Inexact(format!("the result of {name}")), span)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_formats() {
        let text = |argument, precision| Text { argument, precision };
        assert_eq!(texts(b"100%% %d"), Some((vec![], 1)));
        assert_eq!(texts(b"%s%-5s"), Some((vec![text(0, Precision::None), text(1, Precision::None)], 2)));
        assert_eq!(
            texts(b"%*d %.3s %.*s"),
            Some((vec![text(2, Precision::Fixed(3)), text(4, Precision::Argument(3))], 5))
        );
        assert_eq!((texts(b"%n"), texts(b"%ls"), texts(b"%")), (None, None, None));
    }

    #[test]
    fn formats() {
        let letters = |f: &str| conversions(f.as_bytes()).map(|c| c.iter().map(Conversion::text).collect::<Vec<_>>());
        assert_eq!(letters("%d %u%%%*d %lld"), Some(vec!["d".into(), "u".into(), "lld".into()]));
        assert_eq!(letters("x=%2hd"), Some(vec!["hd".into()]));
        assert_eq!(letters("%3s%[^]a-c]%d"), Some(vec!["s".into(), "[".into(), "d".into()]));
        assert_eq!(letters("%[abc"), None);
        let sets = conversions(b"%[^]a-c-]").map(|c| c.into_iter().filter_map(|c| c.set).collect::<Vec<_>>());
        let sets: Vec<_> = sets.into_iter().flatten().map(|s| (s.ranges, s.is_negated)).collect();
        assert_eq!(sets, vec![(vec![(b']', b']'), (b'a', b'c'), (b'-', b'-')], true)]);
        assert_eq!(letters("%n"), None);
        assert_eq!(letters("%"), None);
        let first = |f: &str| conversions(f.as_bytes()).map(|c| c[0].is_first);
        assert_eq!((first(" %c"), first("a%c"), first("%*d%c")), (Some(true), Some(false), Some(false)));
    }
}
