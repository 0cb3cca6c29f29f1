//! Datatypes, and the canonical form of rows that could say one thing in two ways.
//!
//! **Rows.** A value of a datatype that does not contain itself is a row: which constructor made it (a truth value for
//! two constructors, a number for more), then the fields of all constructors. The fields of constructors that did not
//! make the value have a fixed default, so that equal values have equal rows and nothing has to be known about
//! datatypes by a solver.
//!
//! **Symbols.** A recursive datatype is an uninterpreted sort with functions: constructors, selectors, and a number
//! that tells the constructors apart. Axioms say that constructors are injective, different from each other and
//! exhaustive, and that a value lies deeper than its parts. They are quantified, so they help proofs; a violation
//! that needs them is not confirmed.
//!
//! In both forms the field of another constructor's value is unspecified: a function of the value.
//!
//! **Canonical rows.** Variables start with, and `havoc` gives them, canonical rows only ([`Lowerer::canonical`] is
//! assumed); bound variables range over those. Elements of maps and results of unknown functions are made
//! canonical where they are read ([`Lowerer::normalise`]). Floating-point numbers are in the same place: there is one
//! NaN, but many bit patterns for it. Only the equality of maps sees what is not canonical; it is marked as an
//! approximation there.

use super::{Lower, Lowerer};
use crate::types::{Ty, TyId};
use base::Span;
use logic::ieee::Format;
use logic::{BigInt, FunId, Op, Sort, SortId, TermId};
use std::sync::Arc;

/// How values of a datatype are represented.
pub(super) struct Layout {
    pub(super) sorts: Vec<SortId>,
    pub(super) constructors: Vec<Vec<Field>>,
    form: Form,
}

enum Form {
    /// The first term of the row tells the constructor, unless there is only one.
    Row,
    Symbols {
        constructors: Vec<FunId>,
        which: FunId,
    },
}

pub(super) struct Field {
    pub(super) ty: TyId,
    sorts: Vec<SortId>,
    /// Where it begins in the row.
    start: usize,
    /// Its value, as a function of the row: of any value made by symbols, of other constructors' values in a row.
    selectors: Vec<FunId>,
}

impl Lowerer<'_> {
    /// The types that a value of a type consists of.
    fn parts(&mut self, ty: TyId) -> Vec<TyId> {
        match self.symbols.typed.types.view(ty).clone() {
            Ty::Map { n_params: 0, mut domain, range } => {
                domain.push(range);
                domain
            }
            Ty::Map { .. } => self.known_instances(ty),
            Ty::Struct(fields) => fields.into_iter().map(|(_, t)| t).collect(),
            Ty::Ctor(ctor, args) => {
                let constructors = self.symbols.typed.ctors[ctor].datatype.clone().unwrap_or_default();
                let mut out = Vec::new();
                for constructor in constructors {
                    for (_, field) in constructor.fields {
                        let field = self.symbols.typed.types.resolve(field);
                        out.push(self.symbols.typed.types.subst(field, &constructor.type_params, &args));
                    }
                }
                out
            }
            _ => Vec::new(),
        }
    }

    /// Whether a value of a datatype may contain another one of it.
    fn is_recursive(&mut self, ty: TyId, span: Span) -> Lower<bool> {
        let mut seen = vec![ty];
        let mut stack = self.parts(ty);
        while let Some(part) = stack.pop() {
            if part == ty {
                return Ok(true);
            }
            if seen.contains(&part) {
                continue;
            }
            if self.symbols.typed.types.depth(part) > self.max_depth {
                return Err(self.unsupported(span, "a datatype that contains ever larger instances of itself"));
            }
            seen.push(part);
            stack.extend(self.parts(part));
        }
        Ok(false)
    }

    pub(super) fn is_datatype(&self, ty: TyId) -> bool {
        matches!(self.symbols.typed.types.view(ty),
            Ty::Ctor(ctor, _) if self.symbols.typed.ctors[*ctor].datatype.is_some())
    }

    /// The representation of a datatype, whose type arguments are known.
    pub(super) fn layout(&mut self, ty: TyId, span: Span) -> Lower<Arc<Layout>> {
        let ty = self.ty(ty);
        if let Some(layout) = self.symbols.layouts.get(&ty) {
            return Ok(layout.clone());
        }
        let Ty::Ctor(ctor, args) = self.symbols.typed.types.view(ty).clone() else {
            return Err(self.unsupported(span, "a constructor of something that is not a datatype"));
        };
        let declared = self.symbols.typed.ctors[ctor].datatype.clone().unwrap_or_default();
        let name = crate::check::show_type(&self.symbols.typed, ty);
        let recursive = self.is_recursive(ty, span)?;
        if recursive {
            // Known before the fields are looked at, which mention the type.
            let sort = self.pool.uninterpreted_sort(&name);
            self.symbols.rows.insert(ty, vec![sort]);
        }
        let mut fields: Vec<Vec<(TyId, Vec<SortId>)>> = Vec::new();
        for constructor in &declared {
            let mut these = Vec::new();
            for (_, field) in &constructor.fields {
                let field = self.symbols.typed.types.resolve(*field);
                let field = self.symbols.typed.types.subst(field, &constructor.type_params, &args);
                these.push((field, self.row(field, span)?));
            }
            fields.push(these);
        }
        let mut sorts: Vec<SortId> = match declared.len() {
            _ if recursive => self.row(ty, span)?,
            0 | 1 => Vec::new(),
            2 => vec![SortId::BOOL],
            _ => vec![SortId::INT],
        };
        if !recursive {
            let own = sorts.clone();
            sorts = own.into_iter().chain(fields.iter().flatten().flat_map(|(_, s)| s.clone())).collect();
        }
        if sorts.len() > super::MAX_ROW {
            return Err(self.unsupported(span, &format!("values with more than {} parts", super::MAX_ROW)));
        }
        let mut start = usize::from(!recursive && declared.len() > 1);
        let mut constructors = Vec::new();
        for (constructor, fields) in declared.iter().zip(fields) {
            let mut these = Vec::new();
            for ((field_name, _), (ty, field_sorts)) in constructor.fields.iter().zip(fields) {
                let needed = recursive || declared.len() > 1;
                let symbol = format!("{field_name}#{}", constructor.name);
                let selectors = field_sorts
                    .iter()
                    .filter(|_| needed)
                    .map(|&sort| self.pool.fresh_fun(&symbol, &sorts, sort))
                    .collect();
                let length = field_sorts.len();
                these.push(Field { ty, sorts: field_sorts, start, selectors });
                start += length;
            }
            constructors.push(these);
        }
        let form = if recursive {
            let symbols = declared
                .iter()
                .zip(&constructors)
                .map(|(c, fields)| {
                    let args: Vec<SortId> = fields.iter().flat_map(|f| f.sorts.iter().copied()).collect();
                    self.pool.fresh_fun(&c.name, &args, sorts[0])
                })
                .collect();
            let which = self.pool.fresh_fun(&format!("which#{name}"), &sorts, SortId::INT);
            Form::Symbols { constructors: symbols, which }
        } else {
            Form::Row
        };
        let layout = Arc::new(Layout { sorts, constructors, form });
        self.symbols.layouts.insert(ty, layout.clone());
        self.symbols.rows.insert(ty, layout.sorts.clone());
        if recursive {
            self.datatype_axioms(&layout);
        }
        Ok(layout)
    }

    /// What is known about the functions of a recursive datatype.
    fn datatype_axioms(&mut self, layout: &Layout) {
        let Form::Symbols { constructors, which } = &layout.form else { return };
        let sort = layout.sorts[0];
        // How deep a value lies above its parts of the same sort: no value contains itself.
        let depth = self.pool.fresh_fun("depth", &[sort], SortId::INT);
        let value = self.pool.fresh_bound("value", sort);
        let value_which = self.pool.app(*which, &[value]);
        for (index, (&constructor, fields)) in constructors.iter().zip(&layout.constructors).enumerate() {
            let sorts: Vec<SortId> = fields.iter().flat_map(|f| f.sorts.iter().copied()).collect();
            let vars: Vec<TermId> = sorts.iter().map(|&s| self.pool.fresh_bound("x", s)).collect();
            let made = self.pool.app(constructor, &vars);
            let number = self.pool.int(index as i64);
            let made_which = self.pool.app(*which, &[made]);
            let mut facts = vec![self.pool.eq(made_which, number)];
            let selectors: Vec<FunId> = fields.iter().flat_map(|f| f.selectors.iter().copied()).collect();
            let mut parts = Vec::new();
            for (&var, &selector) in vars.iter().zip(&selectors) {
                let selected = self.pool.app(selector, &[made]);
                facts.push(self.pool.eq(selected, var));
                if self.pool.sort(var) == sort {
                    let (inner, outer) = (self.pool.app(depth, &[var]), self.pool.app(depth, &[made]));
                    facts.push(self.pool.lt(inner, outer));
                }
                parts.push(self.pool.app(selector, &[value]));
            }
            let facts = self.pool.and(&facts);
            let axiom = self.pool.forall(&vars, vec![vec![made]], facts);
            self.out.axioms.push(axiom);
            let again = self.pool.app(constructor, &parts);
            let (is_this, same) = (self.pool.eq(value_which, number), self.pool.eq(value, again));
            let rebuilt = self.pool.implies(is_this, same);
            let axiom = self.pool.forall(&[value], vec![vec![value_which]], rebuilt);
            self.out.axioms.push(axiom);
        }
        let (zero, count) = (self.pool.int(0), self.pool.int(constructors.len() as i64));
        let (low, high) = (self.pool.le(zero, value_which), self.pool.lt(value_which, count));
        let range = self.pool.and2(low, high);
        let axiom = self.pool.forall(&[value], vec![vec![value_which]], range);
        self.out.axioms.push(axiom);
    }

    /// The value that a constructor makes of the (joined) rows of its fields.
    pub(super) fn construct(&mut self, layout: &Layout, index: usize, args: &[TermId]) -> Vec<TermId> {
        let own = &layout.constructors[index];
        match &layout.form {
            Form::Symbols { constructors, .. } => vec![self.pool.app(constructors[index], args)],
            Form::Row => {
                let mut row: Vec<TermId> = layout.sorts.iter().map(|&s| self.default_term(s)).collect();
                match layout.constructors.len() {
                    0 | 1 => {}
                    2 => row[0] = self.pool.bool(index == 1),
                    _ => row[0] = self.pool.int(index as i64),
                }
                let start = own.first().map_or(0, |f| f.start);
                row[start..start + args.len()].copy_from_slice(args);
                row
            }
        }
    }

    /// Whether a value was made by a constructor.
    pub(super) fn is_made_by(&mut self, layout: &Layout, index: usize, row: &[TermId]) -> TermId {
        match (&layout.form, layout.constructors.len()) {
            (Form::Symbols { which, .. }, _) => {
                let which = self.pool.app(*which, row);
                let number = self.pool.int(index as i64);
                self.pool.eq(which, number)
            }
            (Form::Row, 0 | 1) => TermId::TRUE,
            (Form::Row, 2) if index == 1 => row[0],
            (Form::Row, 2) => self.pool.not(row[0]),
            (Form::Row, _) => {
                let number = self.pool.int(index as i64);
                self.pool.eq(row[0], number)
            }
        }
    }

    /// A field of a value; unspecified, but a function of the value, if another constructor made it.
    pub(super) fn field_of(&mut self, layout: &Layout, place: (usize, usize), row: &[TermId]) -> Vec<TermId> {
        let field = &layout.constructors[place.0][place.1];
        let elsewhere: Vec<TermId> = field.selectors.iter().map(|&f| self.pool.app(f, row)).collect();
        if matches!(layout.form, Form::Symbols { .. }) {
            return self.normalise(field.ty, elsewhere);
        }
        let stored = row[field.start..field.start + field.sorts.len()].to_vec();
        if elsewhere.is_empty() {
            return stored;
        }
        let elsewhere = self.normalise(field.ty, elsewhere);
        let here = self.is_made_by(layout, place.0, row);
        stored.into_iter().zip(elsewhere).map(|(a, b)| self.pool.ite(here, a, b)).collect()
    }

    /// A value with a field replaced, whichever of these constructors made it. If none did, the last one makes it anew
    /// of fields that are unspecified.
    pub(super) fn with_field(
        &mut self,
        layout: &Layout,
        places: &[(usize, usize)],
        row: &[TermId],
        value: &[TermId],
    ) -> Vec<TermId> {
        let mut result: Option<Vec<TermId>> = None;
        for &(index, field) in places.iter().rev() {
            let mut args = Vec::new();
            for i in 0..layout.constructors[index].len() {
                if i == field {
                    args.extend_from_slice(value);
                } else {
                    args.extend(self.field_of(layout, (index, i), row));
                }
            }
            let made = self.construct(layout, index, &args);
            result = Some(match result {
                None => made,
                Some(others) => {
                    let here = self.is_made_by(layout, index, row);
                    made.into_iter().zip(others).map(|(a, b)| self.pool.ite(here, a, b)).collect()
                }
            });
        }
        result.unwrap_or_else(|| row.to_vec())
    }

    // ---- canonical rows -----------------------------------------------------------------------

    /// A value of a sort, always the same.
    fn default_term(&mut self, sort: SortId) -> TermId {
        if let Some(&term) = self.symbols.defaults.get(&sort) {
            return term;
        }
        let term = match self.pool.sort_data(sort).clone() {
            Sort::Bool => TermId::FALSE,
            Sort::Int => self.pool.int(0),
            Sort::Real => self.pool.real_num(logic::Rational::from(0i64)),
            Sort::BitVec(width) => self.pool.bv_num(BigInt::ZERO, width),
            Sort::Array(_, element) => {
                let element = self.default_term(element);
                self.pool.const_array(sort, element)
            }
            Sort::Uninterpreted(_) => self.pool.fresh_constant("default", sort),
        };
        self.symbols.defaults.insert(sort, term);
        term
    }

    /// Whether rows of a type may say one thing in two ways.
    fn is_ambiguous(&mut self, ty: TyId) -> bool {
        let ty = self.ty(ty);
        match self.symbols.typed.types.view(ty).clone() {
            Ty::Float(..) | Ty::Rounding => true,
            Ty::Struct(fields) => fields.into_iter().any(|(_, t)| self.is_ambiguous(t)),
            Ty::Ctor(..) if self.is_datatype(ty) => match self.layout(ty, Span::NONE) {
                Ok(layout) if matches!(layout.form, Form::Row) => {
                    layout.constructors.len() > 1
                        || layout.constructors.iter().flatten().any(|f| self.is_ambiguous(f.ty))
                }
                Ok(_) | Err(_) => false,
            },
            _ => false,
        }
    }

    /// Whether two values of a type can be equal although their rows differ: maps from or to ambiguous rows.
    pub(super) fn has_ambiguous_maps(&mut self, ty: TyId) -> bool {
        let ty = self.ty(ty);
        let mut seen = Vec::new();
        let mut stack = vec![(ty, false)];
        while let Some((part, in_map)) = stack.pop() {
            if seen.contains(&(part, in_map)) {
                continue;
            }
            seen.push((part, in_map));
            if in_map && self.is_ambiguous(part) {
                return true;
            }
            let is_map = matches!(self.symbols.typed.types.view(part), Ty::Map { .. });
            let parts = self.parts(part);
            stack.extend(parts.into_iter().map(|p| (p, in_map || is_map)));
        }
        false
    }

    /// The row that says the same and is canonical.
    pub(super) fn normalise(&mut self, ty: TyId, row: Vec<TermId>) -> Vec<TermId> {
        if !self.is_ambiguous(ty) {
            return row;
        }
        let ty = self.ty(ty);
        match self.symbols.typed.types.view(ty).clone() {
            Ty::Float(significand, exponent) => {
                let format = Format { exponent, fraction: significand - 1 };
                row.into_iter().map(|bits| self.one_nan(bits, format)).collect()
            }
            Ty::Rounding => {
                let (zero, four) = (self.pool.int(0), self.pool.int(4));
                let (low, high) = (self.pool.le(zero, row[0]), self.pool.le(row[0], four));
                let fits = self.pool.and2(low, high);
                vec![self.pool.ite(fits, row[0], zero)]
            }
            Ty::Struct(fields) => {
                let mut out = Vec::new();
                for (_, field) in fields {
                    let Ok(sorts) = self.row(field, Span::NONE) else { return row };
                    let part = row[out.len()..out.len() + sorts.len()].to_vec();
                    out.extend(self.normalise(field, part));
                }
                out
            }
            _ => {
                let Ok(layout) = self.layout(ty, Span::NONE) else { return row };
                let mut out = row.clone();
                if layout.constructors.len() > 2 {
                    let (zero, count) = (self.pool.int(0), self.pool.int(layout.constructors.len() as i64));
                    let (low, high) = (self.pool.le(zero, row[0]), self.pool.lt(row[0], count));
                    let fits = self.pool.and2(low, high);
                    out[0] = self.pool.ite(fits, row[0], zero);
                }
                for (index, fields) in layout.constructors.iter().enumerate() {
                    let here = self.is_made_by(&layout, index, &out);
                    for field in fields {
                        let range = field.start..field.start + field.sorts.len();
                        let part = self.normalise(field.ty, row[range.clone()].to_vec());
                        for (i, term) in range.zip(part) {
                            let default = self.default_term(layout.sorts[i]);
                            out[i] = self.pool.ite(here, term, default);
                        }
                    }
                }
                out
            }
        }
    }

    /// That a row is canonical.
    pub(super) fn canonical(&mut self, ty: TyId, row: &[TermId]) -> TermId {
        if !self.is_ambiguous(ty) {
            return TermId::TRUE;
        }
        let normal = self.normalise(ty, row.to_vec());
        self.row_eq(row, &normal)
    }

    /// The bits of a number, with one pattern for NaN.
    pub(super) fn one_nan(&mut self, bits: TermId, format: Format) -> TermId {
        let is_nan = self.is_nan(bits, format);
        let nan = self.nan(format);
        self.pool.ite(is_nan, nan, bits)
    }

    /// The canonical NaN.
    pub(super) fn nan(&mut self, format: Format) -> TermId {
        let exponent = (BigInt::ONE << format.exponent as usize) - BigInt::ONE;
        let pattern = (exponent << format.fraction as usize) + (BigInt::ONE << (format.fraction as usize - 1));
        self.pool.bv_num(pattern, format.width())
    }

    pub(super) fn is_nan(&mut self, bits: TermId, format: Format) -> TermId {
        let width = format.width();
        let exponent = self.pool.bv(Op::BvExtract(width - 2, format.fraction), &[bits]);
        let ones = self.pool.bv_num((BigInt::ONE << format.exponent as usize) - BigInt::ONE, format.exponent);
        let fraction = self.pool.bv(Op::BvExtract(format.fraction - 1, 0), &[bits]);
        let zero = self.pool.bv_num(BigInt::ZERO, format.fraction);
        let (special, empty) = (self.pool.eq(exponent, ones), self.pool.eq(fraction, zero));
        let some = self.pool.not(empty);
        self.pool.and2(special, some)
    }
}
