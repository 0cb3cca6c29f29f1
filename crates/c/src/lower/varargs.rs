//! Variable arguments and label addresses.
//!
//! A call of a variadic function puts the arguments after the named ones into cells of fresh memory of their own, and
//! passes the address of the first one as one more parameter; a record takes a cell for each of its scalars. A
//! `va_list` is the address of the next cell. Cells lie apart from the program's memory, so no store of the program
//! changes them. A ghost says of each cell what kind of value it holds: taking one argument too many, or one of another
//! type, is undefined (C11 7.16.1.1p2), and gives any value that shows nothing.
//!
//! The address of a label is a number of its own; a computed goto compares it with the labels of its function whose
//! address is taken somewhere.

use std::rc::Rc;

use base::Span;
use ir::Nondet;
use logic::TermId;

use super::alias::{Kind, kind_of};
use super::int::IntVal;
use super::memory::{Leaf, PtrVal};
use super::{Lowerer, R, Val, unsupported};
use crate::hir::{Expr, LabelId, Place};
use crate::types::{Type, TypeId};

/// The distance of cells.
const CELL: i128 = 8;
/// The kinds of arguments are their sizes; those of floating-point numbers, and of what is neither, come behind.
const FLOATS: u64 = 32;
const OTHERS: u64 = 64;
/// Where the addresses of labels start: below all objects and above all functions.
const FIRST_LABEL: i128 = 0x8000;

impl Lowerer<'_> {
    pub fn is_variadic(&self, function: TypeId) -> bool {
        self.unit.types.function(function).is_some_and(|f| f.variadic)
    }

    fn cells(&mut self) -> Leaf {
        if let Some(cells) = self.memory.cells {
            return cells;
        }
        let sort = self.pool.array_sort(self.word.sort, self.word.sort);
        let value = self.global_var("#arguments", sort, Span::NONE);
        let base = self.mode.check_memsafety.then(|| self.add_base(value));
        let cells = Leaf { value, base, init: None };
        self.memory.cells = Some(cells);
        cells
    }

    /// Stores arguments in cells; gives the address of the first.
    pub fn pass_variable_arguments(&mut self, values: &[(Val, TypeId)], span: Span) -> R<TermId> {
        if values.is_empty() {
            return Ok(self.num(0));
        }
        // A record takes a cell for each of its scalars.
        let mut scalars = Vec::new();
        for (value, ty) in values {
            match value {
                Val::Record(parts) => {
                    let types = self.scalars(*ty)?;
                    if parts.len() != types.len() {
                        return unsupported(span, "this record among variable arguments");
                    }
                    scalars.extend(parts.iter().cloned().zip(types.iter().map(|(_, ty, _)| ty.id)));
                }
                Val::Void => return unsupported(span, "this record among variable arguments"),
                Val::Int(_) | Val::Bool(_) | Val::Ptr(_) | Val::Float(_) => scalars.push((value.clone(), *ty)),
            }
        }
        let size = self.int_const(CELL * (scalars.len() + 1) as i128);
        let first = self.bump(size, span);
        let (cells, kinds) = (self.cells(), self.cell_kinds());
        for (i, (value, ty)) in scalars.iter().enumerate() {
            let offset = self.num(CELL * i as i128);
            let address = self.add2(first, offset);
            let (term, kind) = (self.int_of(value).term, self.cell_kind(*ty));
            self.set_entry_term(cells.value, address, term, span);
            self.set_entry_term(kinds, address, kind, span);
            if let (Some(bases), Val::Ptr(PtrVal { base: Some(base), .. })) = (cells.base, value) {
                self.set_entry_term(bases, address, *base, span);
            }
        }
        let (offset, nothing) = (self.num(CELL * scalars.len() as i128), self.num(0));
        let end = self.add2(first, offset);
        self.set_entry_term(kinds, end, nothing, span);
        Ok(first)
    }

    fn cell_kinds(&mut self) -> ir::VarId {
        if let Some(kinds) = self.memory.cell_kinds {
            return kinds;
        }
        let sort = self.int_array();
        let kinds = self.global_var("#argument_kinds", sort, Span::NONE);
        self.memory.cell_kinds = Some(kinds);
        kinds
    }

    /// The kind of an argument of a type. Integers that differ in their signs only, and pointers of all types, may
    /// stand for each other, and so do pointers and integers of their size on all machines.
    fn cell_kind(&mut self, ty: TypeId) -> TermId {
        let kind = match kind_of(&self.unit.types, ty) {
            Some(Kind::Int(size)) => size,
            Some(Kind::Pointer) => self.unit.types.pointer_size(),
            Some(Kind::Float(size)) => FLOATS + size,
            Some(Kind::VaList) | None => OTHERS,
        };
        self.num(kind.into())
    }

    /// Makes the cells from here on any values, if they do not hold arguments of these types.
    fn forget_wrong_arguments(&mut self, here: TermId, types: &[TypeId], span: Span) {
        let (cells, kinds) = (self.cells(), self.cell_kinds());
        let zero = self.num(0);
        let is_none = self.pool.eq(here, zero);
        let mut wrong = vec![is_none];
        let mut addresses = Vec::new();
        for (i, &ty) in types.iter().enumerate() {
            let offset = self.num(CELL * i as i128);
            let address = self.add2(here, offset);
            let (array, wanted) = (self.program.term(kinds), self.cell_kind(ty));
            let kind = self.pool.select(array, address);
            let fits = self.pool.eq(kind, wanted);
            wrong.push(self.pool.not(fits));
            addresses.push(address);
        }
        let is_wrong = self.pool.or(&wrong);
        let fine = self.branch_hidden(is_wrong, span);
        for address in addresses {
            for array in [Some(cells.value), cells.base].into_iter().flatten() {
                let any = self.number_temp();
                let what = "a variable argument that is not there or of another type";
                self.havoc(vec![any], Nondet::Overapproximation(what.into()), span);
                let any = self.program.term(any);
                self.set_entry_term(array, address, any, span);
            }
        }
        let end = self.new_label();
        self.jump(vec![end], span);
        self.otherwise_hidden(fine, is_wrong, span);
        self.place_label(end, span);
    }

    pub fn va_start(&mut self, list: &Place, span: Span) -> R<Val> {
        let Some(first) = self.f.arguments else {
            return unsupported(span, "va_start outside a function with variable arguments");
        };
        let first = Val::Float(self.program.term(first));
        let loc = self.place(list)?;
        self.store(&loc, list.ty, &first, span)?;
        Ok(Val::Void)
    }

    pub fn va_copy(&mut self, to: &Place, from: &Place, span: Span) -> R<Val> {
        let loc = self.place(from)?;
        let value = self.load(&loc, from.ty, span)?;
        let value = self.snapshot(value, span);
        let loc = self.place(to)?;
        self.store(&loc, to.ty, &value, span)?;
        Ok(Val::Void)
    }

    pub fn va_arg(&mut self, list: &Place, ty: TypeId, span: Span) -> R<Val> {
        let loc = self.place(list)?;
        let value = self.load(&loc, list.ty, span)?;
        let Val::Float(mut here) = self.snapshot(value, span) else { return unsupported(span, "this kind of va_list") };
        let mut values = Vec::new();
        let scalars = self.scalars(ty)?;
        let types: Vec<TypeId> = scalars.iter().map(|(_, scalar, _)| scalar.id).collect();
        self.forget_wrong_arguments(here, &types, span);
        for scalar in types {
            values.push(self.cell(here, scalar));
            let step = self.num(CELL);
            here = self.add2(here, step);
        }
        self.store(&loc, list.ty, &Val::Float(here), span)?;
        if self.unit.types.is_record(ty) {
            return Ok(Val::Record(Rc::new(values)));
        }
        match values.pop() {
            Some(value) => Ok(value),
            None => unsupported(span, "this type of variable argument"),
        }
    }

    /// What a cell holds, as a scalar type.
    fn cell(&mut self, here: TermId, ty: TypeId) -> Val {
        let cells = self.cells();
        let array = self.program.term(cells.value);
        let term = self.pool.select(array, here);
        let base = cells.base.map(|bases| {
            let array = self.program.term(bases);
            self.pool.select(array, here)
        });
        match self.unit.types.get(ty) {
            // The cell may hold the same bits as another type.
            Type::Int(kind) => {
                let kind = *kind;
                Val::Int(self.wrap(IntVal { term, lo: i128::MIN, hi: i128::MAX }, kind))
            }
            _ => self.value_from_terms(ty, term, base),
        }
    }

    // ----- labels -----

    pub fn label_address(&mut self, label: LabelId) -> Val {
        let position =
            self.reach.taken_labels.iter().position(|&l| l == label).unwrap_or(self.reach.taken_labels.len());
        self.constant_pointer(FIRST_LABEL + 16 * position as i128)
    }

    pub fn computed_goto(&mut self, target: &Expr, span: Span) -> R<()> {
        let value = self.expr(target)?;
        let Val::Ptr(target) = self.snapshot(value, span) else { return unsupported(span, "a goto to no label") };
        let labels: Vec<LabelId> = self.reach.taken_labels.clone();
        let function = self.alias.current;
        for label in labels {
            if self.reach.label_owners.get(&label) != Some(&function) {
                continue;
            }
            let Val::Ptr(address) = self.label_address(label) else { continue };
            let here = self.pool.eq(target.addr, address.addr);
            let next = self.branch_hidden(here, span);
            self.jump_to(label, span);
            self.otherwise_hidden(next, here, span);
        }
        // No label of this function: the jump has no meaning in C.
        self.jump(Vec::new(), span);
        Ok(())
    }
}
