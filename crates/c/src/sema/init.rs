//! Initialisers: nested, designated, elided braces to a flat list of leaves (C11 6.7.9).
//!
//! The cursor walks the sub-objects in order; an item without braces for an aggregate either
//! initialises it as a whole (a struct expression, a string for a char array) or opens it without a brace. A
//! later item for the same leaf wins, and an item for a part of something given before overrides it.

use super::*;
use crate::ast::{Designator, InitItem as AstItem, Initializer};

/// Designated ranges (`[0 ... 99999] = x`) of more elements than this are refused.
const MAX_RANGE: u64 = 100_000;

impl Sema<'_> {
    /// Flattens an initialiser for an object; the type may be completed by it (`int a[] = {…}`).
    pub(super) fn initializer(&mut self, ty: Ty, init: &Initializer, span: Span) -> SResult<(Ty, Init)> {
        match init {
            Initializer::Expr(e) => {
                if let Some(elem) = self.types.element(ty.id)
                    && let Some((units, width)) = self.string_of(e)
                    && self.types.size_of(elem.id) == Some(width as u64)
                {
                    let ty = self.complete_array(ty, units.len() as u64 + 1);
                    let mut items = Vec::new();
                    self.string_items(&units, ty, &mut Vec::new(), e.span, &mut items);
                    return Ok((ty, Init { items, zero_rest: true }));
                }
                if self.types.is_array(ty.id) {
                    // GNU: a compound literal may initialise an array.
                    if let ast::ExprKind::CompoundLiteral(_, items) = &e.kind {
                        return self.list(ty, items, span);
                    }
                    return err(e.span, "an array needs a list or a string to initialise it");
                }
                let value = self.full(|s| {
                    let value = s.rvalue(e)?;
                    s.assign_convert(value, ty.id)
                })?;
                Ok((ty, Init { items: vec![InitItem { path: Vec::new(), ty, value }], zero_rest: false }))
            }
            Initializer::List(items, span) => self.list(ty, items, *span),
        }
    }

    pub(super) fn list(&mut self, ty: Ty, items: &[AstItem], span: Span) -> SResult<(Ty, Init)> {
        if self.is_single(ty.id) {
            return match items {
                [] => {
                    let value = self.zero(ty.id, span);
                    Ok((ty, Init { items: vec![InitItem { path: Vec::new(), ty, value }], zero_rest: false }))
                }
                [first, ..] => match first.designators.first() {
                    Some(Designator::Field(_, at)) => err(*at, "field name not in record or union initializer"),
                    Some(Designator::Index(e) | Designator::Range(e, _)) => {
                        err(e.span, "array index in non-array initializer")
                    }
                    None => self.initializer(ty, &first.init, span),
                },
            };
        }
        // `char s[] = { "abc" }`
        if self.types.is_array(ty.id)
            && let [AstItem { designators, init: Initializer::Expr(e) }] = items
            && designators.is_empty()
            && self.string_of(e).is_some()
            && let Some(elem) = self.types.element(ty.id)
            && self.types.is_integer(elem.id)
        {
            return self.initializer(ty, &items[0].init, span);
        }
        // A string is the whole array, or else one of its elements.
        if let Some(elem) = self.types.element(ty.id)
            && self.types.size_of(elem.id) == Some(1)
            && let [AstItem { designators, init: Initializer::Expr(e) }, _, ..] = items
            && designators.is_empty()
            && self.types.is_integer(elem.id)
            && self.string_of(e).is_some()
        {
            return err(span, "excess elements in character array initializer");
        }
        let mut out = Vec::new();
        let mut path = Vec::new();
        let mut cursor = 0;
        let n = self.aggregate_items(ty, 0, items, &mut cursor, true, &mut path, &mut out, span)?;
        let ty = self.complete_array(ty, n);
        Ok((ty, Init { items: override_earlier(out), zero_rest: true }))
    }

    /// Is the type initialised by one expression, in braces or not?
    fn is_single(&self, ty: TypeId) -> bool {
        self.types.is_scalar(ty) || self.types.complex(ty).is_some()
    }

    fn complete_array(&mut self, ty: Ty, n: u64) -> Ty {
        match *self.types.kind(ty) {
            Type::Array(elem, ArrayLen::Incomplete) => {
                Ty { id: self.types.intern(Type::Array(elem, ArrayLen::Known(n))), quals: ty.quals }
            }
            _ => ty,
        }
    }

    /// The units of a string literal expression (also in parentheses) with their width.
    fn string_of(&mut self, e: &ast::Expr) -> Option<(Vec<u32>, u8)> {
        match &e.kind {
            ast::ExprKind::Str(parts) => self.string_units(parts),
            _ => None,
        }
    }

    fn string_items(&mut self, units: &[u32], ty: Ty, path: &mut Vec<Step>, span: Span, out: &mut Vec<InitItem>) {
        let Type::Array(elem, len) = *self.types.kind(ty) else { return };
        let room = match len {
            ArrayLen::Known(n) => n,
            _ => units.len() as u64 + 1,
        };
        let kind = self.types.int_kind(elem.id).unwrap_or(IntKind::Char);
        for (i, &unit) in units.iter().chain([&0]).enumerate().take(room as usize) {
            path.push(Step::Index(i as u64));
            let value = Expr { kind: ExprKind::Int(self.types.wrap(unit as i128, kind)), ty: elem.id, span };
            out.push(InitItem { path: path.clone(), ty: elem, value });
            path.pop();
        }
    }

    pub(super) fn zero(&mut self, ty: TypeId, span: Span) -> Expr {
        let zero = Expr { kind: ExprKind::Int(0), ty: TypeId::INT, span };
        self.convert(zero, ty)
    }

    /// The sub-objects an aggregate hands out to undesignated items: all but unnamed bit-fields; of a
    /// union only the first.
    fn part(&self, ty: Ty, index: u64) -> Option<(Step, Ty)> {
        match self.types.kind(ty) {
            Type::Array(elem, ArrayLen::Known(n)) if index >= *n => {
                let _ = elem;
                None
            }
            Type::Array(elem, _) => Some((Step::Index(index), *elem)),
            Type::Record(r) => {
                let record = &self.types.records[*r];
                let fields = record.fields.as_ref()?;
                if record.is_union && index > 0 {
                    return None;
                }
                let (i, field) = fields
                    .iter()
                    .enumerate()
                    .filter(|(_, f)| f.name.is_some() || f.width.is_none())
                    .nth(index as usize)?;
                Some((Step::Field(i as u32), field.ty))
            }
            _ => None,
        }
    }

    /// Walks items for the aggregate `ty` at `path`, from its part number `start` on; returns the number of elements
    /// seen. With `braced` the whole list belongs to it and designators are honoured.
    #[allow(clippy::too_many_arguments)]
    fn aggregate_items(
        &mut self,
        ty: Ty,
        start: u64,
        items: &[AstItem],
        cursor: &mut usize,
        braced: bool,
        path: &mut Vec<Step>,
        out: &mut Vec<InitItem>,
        span: Span,
    ) -> SResult<u64> {
        let mut index: u64 = start;
        let mut n_elements: u64 = 0;
        while *cursor < items.len() {
            let item = &items[*cursor];
            if !item.designators.is_empty() {
                if !braced {
                    return Ok(n_elements);
                }
                index = self.designated(ty, items, cursor, path, out, &mut n_elements)?;
                continue;
            }
            let Some((step, part_ty)) = self.part(ty, index) else {
                if braced {
                    // Excess elements: gcc warns and ignores them.
                    *cursor += 1;
                    continue;
                }
                return Ok(n_elements);
            };
            path.push(step);
            self.initialise_part(part_ty, items, cursor, path, out, span)?;
            path.pop();
            index += 1;
            n_elements = n_elements.max(index);
        }
        Ok(n_elements)
    }

    /// Initialises one sub-object with the item at the cursor, and for elided braces with those after it.
    fn initialise_part(
        &mut self,
        ty: Ty,
        items: &[AstItem],
        cursor: &mut usize,
        path: &mut Vec<Step>,
        out: &mut Vec<InitItem>,
        span: Span,
    ) -> SResult<()> {
        let item = &items[*cursor];
        match &item.init {
            Initializer::List(inner, inner_span) => {
                *cursor += 1;
                if self.is_single(ty.id) {
                    let (_, init) = self.list(ty, inner, *inner_span)?;
                    out.extend(init.items.into_iter().map(|i| InitItem { path: path.clone(), ..i }));
                    return Ok(());
                }
                // A braced list sets every leaf below: zero first what it does not mention.
                self.zero_mark(ty, path, *inner_span, out);
                if self.types.is_array(ty.id)
                    && let [AstItem { designators, init: Initializer::Expr(e) }] = inner.as_slice()
                    && designators.is_empty()
                    && let Some((units, _)) = self.string_of(e)
                    && self.types.element(ty.id).is_some_and(|elem| self.types.is_integer(elem.id))
                {
                    self.string_items(&units, ty, path, e.span, out);
                    return Ok(());
                }
                let mut inner_cursor = 0;
                self.aggregate_items(ty, 0, inner, &mut inner_cursor, true, path, out, *inner_span)?;
                Ok(())
            }
            Initializer::Expr(e) => {
                if let Some(elem) = self.types.element(ty.id)
                    && let Some((units, width)) = self.string_of(e)
                    && self.types.size_of(elem.id) == Some(width as u64)
                    && self.types.is_integer(elem.id)
                {
                    self.string_items(&units, ty, path, e.span, out);
                    *cursor += 1;
                    return Ok(());
                }
                if self.types.is_array(ty.id) {
                    return self.aggregate_items(ty, 0, items, cursor, false, path, out, span).map(|_| ());
                }
                if self.types.is_record(ty.id) && !self.is_single(ty.id) {
                    // A struct-typed expression initialises the whole; anything else opens it.
                    let whole = self.rvalue_type(e)? == ty.id;
                    if !whole {
                        return self.aggregate_items(ty, 0, items, cursor, false, path, out, span).map(|_| ());
                    }
                }
                let value = self.full(|s| {
                    let value = s.rvalue(e)?;
                    s.assign_convert(value, ty.id)
                })?;
                out.push(InitItem { path: path.clone(), ty, value });
                *cursor += 1;
                Ok(())
            }
        }
    }

    /// Braces for a part that an earlier item already touched reset it; nothing to do otherwise, as
    /// everything starts as zero.
    fn zero_mark(&mut self, _ty: Ty, path: &[Step], _span: Span, out: &mut Vec<InitItem>) {
        out.retain(|item| !item.path.starts_with(path));
    }

    /// Handles the designated item at the cursor; returns the index after the designated part.
    fn designated(
        &mut self,
        ty: Ty,
        items: &[AstItem],
        cursor: &mut usize,
        path: &mut Vec<Step>,
        out: &mut Vec<InitItem>,
        n_elements: &mut u64,
    ) -> SResult<u64> {
        let item = &items[*cursor];
        let Some(first) = item.designators.first() else { return Ok(0) };
        let item_span = match first {
            Designator::Field(_, span) => *span,
            Designator::Index(e) | Designator::Range(e, _) => e.span,
        };
        let depth = path.len();
        let mut current = ty;
        // Where a range of elements is designated, and which.
        let mut ranges: Vec<(usize, u64, u64)> = Vec::new();
        // For each step of the way the aggregate that it starts in, and the part after it there.
        let mut levels: Vec<(Ty, u64)> = Vec::new();
        for designator in &item.designators {
            match designator {
                Designator::Field(name, span) => {
                    let text = self.text(*name);
                    let Some(steps) = self.find_field(current.id, &text) else {
                        return err(*span, format!("{} has no member {text}", self.types.show(current.id)));
                    };
                    for step in steps {
                        levels.push((current, self.position_after(current, step)));
                        if let Some(fields) = self.types.fields(current.id) {
                            current = fields[step as usize].ty;
                        }
                        path.push(Step::Field(step));
                    }
                }
                Designator::Index(e) | Designator::Range(e, _) => {
                    let Some(elem) = self.types.element(current.id) else {
                        return err(e.span, "an index designator for something that is not an array");
                    };
                    let low = self.constant(e)?;
                    let high = if let Designator::Range(_, to) = designator { self.constant(to)? } else { low };
                    let limit = match self.types.kind(current) {
                        Type::Array(_, ArrayLen::Known(n)) => *n as i128,
                        _ => i64::MAX as i128,
                    };
                    if low < 0 || high < low || high >= limit {
                        return err(e.span, "array index in initialiser out of range");
                    }
                    let (low, high) = (low as u64, high as u64);
                    if high > low {
                        ranges.push((path.len(), low, high));
                    }
                    if levels.is_empty() {
                        *n_elements = (*n_elements).max(high + 1);
                    }
                    levels.push((current, high + 1));
                    path.push(Step::Index(low));
                    current = elem;
                }
            }
        }
        let copies = ranges.iter().fold(1u64, |n, (_, low, high)| n.saturating_mul(high - low + 1));
        if copies > MAX_RANGE {
            return unsupported(item_span, "a range of this many elements in an initialiser is not supported");
        }
        let from = *cursor;
        let mut part = Vec::new();
        self.initialise_part(current, items, cursor, path, &mut part, Span::NONE)?;
        if *cursor == from {
            *cursor += 1;
        }
        // GCC evaluates such a value once.
        if copies > 1
            && let Some(i) = part.iter().find(|i| has_effects(&i.value))
        {
            return unsupported(i.value.span, "a range of elements initialised by a value with side effects");
        }
        for n in 0..copies {
            let mut target = path.clone();
            let mut rest = n;
            for &(position, low, high) in ranges.iter().rev() {
                target[position] = Step::Index(low + rest % (high - low + 1));
                rest /= high - low + 1;
            }
            // Compilers do not agree on the rest of a whole that was given before (defect report 413 of C11).
            let is_in_whole = |i: &InitItem| i.path.len() < target.len() && target.starts_with(&i.path);
            if levels.len() > 1 && out.iter().any(is_in_whole) {
                return unsupported(item_span, "an initialiser for a part of what an expression initialised before");
            }
            if matches!(item.init, Initializer::List(..)) {
                self.zero_mark(current, &target, Span::NONE, out);
            }
            for (at, (aggregate, _)) in (depth..).zip(&levels) {
                if matches!(self.types.kind(*aggregate), Type::Record(r) if self.types.records[*r].is_union) {
                    // The last member of a union that is given is the one that counts.
                    let is_other =
                        |i: &InitItem| i.path.len() > at && i.path[..at] == target[..at] && i.path[at] != target[at];
                    out.retain(|i| !is_other(i));
                }
            }
            out.extend(part.iter().map(|i| {
                let mut copy = i.clone();
                copy.path[..target.len()].copy_from_slice(&target);
                copy
            }));
        }
        // Items without designators go on behind the designated part, from the inside out (C11 6.7.9p17).
        for &(position, _, high) in &ranges {
            path[position] = Step::Index(high);
        }
        while levels.len() > 1
            && let Some((aggregate, next)) = levels.pop()
        {
            path.pop();
            self.aggregate_items(aggregate, next, items, cursor, false, path, out, Span::NONE)?;
        }
        path.truncate(depth);
        Ok(levels.first().map_or(0, |l| l.1))
    }

    /// The undesignated position after a field.
    fn position_after(&self, ty: Ty, field: u32) -> u64 {
        let Some(fields) = self.types.fields(ty.id) else { return 0 };
        fields.iter().take(field as usize + 1).filter(|f| f.name.is_some() || f.width.is_none()).count() as u64
    }

    /// The way to a member by name, through anonymous members.
    pub(super) fn find_field(&self, ty: TypeId, name: &str) -> Option<Vec<u32>> {
        let fields = self.types.fields(ty)?;
        for (i, field) in fields.iter().enumerate() {
            match &field.name {
                Some(n) if &**n == name => return Some(vec![i as u32]),
                Some(_) => {}
                None => {
                    if let Some(mut rest) = self.find_field(field.ty.id, name) {
                        rest.insert(0, i as u32);
                        return Some(rest);
                    }
                }
            }
        }
        None
    }
}

/// Of several items for one leaf only the last stays; one for a whole part drops earlier ones below.
fn override_earlier(items: Vec<InitItem>) -> Vec<InitItem> {
    let mut sorted: Vec<usize> = (0..items.len()).collect();
    sorted.sort_by(|&a, &b| items[a].path.cmp(&items[b].path).then(a.cmp(&b)));
    let mut keep = vec![true; items.len()];
    for pair in sorted.windows(2) {
        if items[pair[0]].path == items[pair[1]].path {
            keep[pair[0]] = false;
        }
    }
    items.into_iter().zip(keep).filter(|(_, k)| *k).map(|(i, _)| i).collect()
}
