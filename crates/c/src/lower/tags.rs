//! Tagged pointers: programs that keep marks in the low bits of addresses.
//!
//! A pointer to a type of alignment 2ᵏ has k low bits that are zero wherever objects lie. Setting, clearing and reading
//! these bits, comparing what comes out by `==`, and making a pointer of it again do not depend on where that is. So if
//! the program does nothing else with integers that may be addresses, none of its values depends on the numbers of
//! addresses. [`super::addresses`] has the operations that are fine one by one, in every program.

use rustc_hash::FxHashMap;

use super::addresses::{Holders, alignment};
use super::alias::Alias;
use crate::hir::*;
use crate::types::TypeId;
use crate::visit::{Visit, parts_of_expr, parts_of_place, parts_of_stmt};

/// Does the program use only the low bits of integers that are converted from addresses?
pub(super) fn only_tags<'u>(
    unit: &'u Unit,
    alias: &mut Alias<'u>,
    holders: &Holders<'u>,
    functions: &[FuncId],
    entries: &[FuncId],
) -> bool {
    if alias.moves_parts_of_pointers() {
        return false;
    }
    let mut uses = Uses {
        unit,
        alias,
        holders,
        alignment: None,
        frees: false,
        starts: entries.to_vec(),
        is_fine: true,
        known: FxHashMap::default(),
    };
    for pass in [Pass::Alignment, Pass::Uses] {
        let mut walk = Walk { uses: &mut uses, pass };
        unit.statics.iter().filter_map(|&var| unit.vars[var].init.as_ref()).for_each(|init| walk.init(init));
        for &func in functions {
            uses.alias.current = func;
            let mut walk = Walk { uses: &mut uses, pass };
            unit.funcs[func].body.iter().for_each(|body| walk.stmts(body));
        }
    }
    uses.is_fine
}

/// Library functions after which another object may lie where one was.
const ENDS_OBJECTS: [&str; 8] =
    ["free", "cfree", "realloc", "reallocarray", "alloca", "__builtin_alloca", "longjmp", "siglongjmp"];

#[derive(Clone, Copy, PartialEq)]
enum Pass {
    Alignment,
    Uses,
}

struct Uses<'l, 'u> {
    unit: &'u Unit,
    alias: &'l mut Alias<'u>,
    holders: &'l Holders<'u>,
    /// The least alignment of what was pointed to by pointers that became integers.
    alignment: Option<u64>,
    /// Blocks are freed: another one may lie where one was.
    frees: bool,
    /// Functions in which executions start and that nothing calls: the objects of their outermost blocks are never
    /// gone.
    starts: Vec<FuncId>,
    is_fine: bool,
    /// Of expressions, by their addresses: may they be addresses?
    known: FxHashMap<*const Expr, bool>,
}

struct Walk<'w, 'l, 'u> {
    uses: &'w mut Uses<'l, 'u>,
    pass: Pass,
}

impl<'u> Visit<'u> for Walk<'_, '_, 'u> {
    fn stmt(&mut self, stmt: &'u Stmt) {
        if self.pass == Pass::Uses {
            match &stmt.kind {
                StmtKind::Switch { value, .. } => self.uses.refuse(value),
                StmtKind::Asm { inputs, .. } => inputs.iter().for_each(|e| self.uses.refuse(e)),
                _ => {}
            }
        }
        parts_of_stmt(self, stmt);
    }
    fn expr(&mut self, e: &'u Expr) {
        match self.pass {
            Pass::Alignment => {
                self.uses.note_alignment(e);
                self.uses.note_free(e);
            }
            Pass::Uses => self.uses.look_at(e),
        }
        parts_of_expr(self, e);
    }
    fn place(&mut self, place: &'u Place) {
        if let (Pass::Uses, PlaceKind::Index(_, index)) = (self.pass, &place.kind) {
            self.uses.refuse(index);
        }
        parts_of_place(self, place);
    }
}

impl<'u> Uses<'_, 'u> {
    fn note_alignment(&mut self, e: &'u Expr) {
        let types = &self.unit.types;
        if let ExprKind::Convert(pointer) = &e.kind
            && types.int_kind(e.ty).is_some()
            && types.is_pointer(pointer.ty)
        {
            let own = alignment(types, pointer);
            self.alignment = Some(self.alignment.map_or(own, |a| a.min(own)));
        }
    }

    fn note_free(&mut self, e: &Expr) {
        if let ExprKind::Call { callee: Callee::Direct(func), .. } | ExprKind::Func(func) = &e.kind {
            self.frees |= ENDS_OBJECTS.contains(&&*self.unit.funcs[*func].name);
            self.starts.retain(|start| start != func);
        }
    }

    /// Is there an object as long as the program runs wherever this address points to?
    fn is_never_gone(&mut self, e: &'u Expr) -> bool {
        let Some(node) = self.alias.value(e) else { return false };
        let (unit, starts) = (self.unit, &self.starts);
        let is_outermost = |var: &VarId| {
            let bodies = starts.iter().filter_map(|f| unit.funcs[*f].body.as_ref());
            bodies.flatten().any(|stmt| matches!(&stmt.kind, StmtKind::Decl(own, _) if own == var))
        };
        let is_kept = |var: &VarId| matches!(unit.vars[*var].storage, Storage::Static { .. }) || is_outermost(var);
        !self.frees && self.alias.variables(node).iter().all(is_kept)
    }

    /// May an integer be the address of an object, perhaps with a tag?
    fn is_address(&mut self, e: &'u Expr) -> bool {
        if let Some(&known) = self.known.get(&std::ptr::from_ref(e)) {
            return known;
        }
        let types = &self.unit.types;
        let is_wide = types.int_kind(e.ty).is_some_and(|k| types.int_size(k) >= types.pointer_size());
        let is_address = is_wide
            && !matches!(e.kind, ExprKind::Int(_))
            && !self.is_tag(e)
            && self.alias.value(e).is_some_and(|node| !self.alias.holds_only_numbers(node));
        self.known.insert(std::ptr::from_ref(e), is_address);
        is_address
    }

    /// Is it a number of so few bits that all are below the alignment?
    fn is_tag(&self, e: &Expr) -> bool {
        let limit = i128::from(self.alignment.unwrap_or(1));
        match &e.kind {
            ExprKind::Int(n) => (0..limit).contains(n),
            ExprKind::Compare(..) | ExprKind::Not(_) | ExprKind::LogAnd(..) | ExprKind::LogOr(..) => limit > 1,
            ExprKind::Convert(inner) => self.unit.types.int_kind(inner.ty).is_some() && self.is_tag(inner),
            ExprKind::Cond(_, a, b) => self.is_tag(a) && self.is_tag(b),
            ExprKind::Binary(BinOp::And, a, b) => self.is_tag(a) || self.is_tag(b),
            ExprKind::Binary(BinOp::Or | BinOp::Xor, a, b) => self.is_tag(a) && self.is_tag(b),
            _ => false,
        }
    }

    /// Is it a constant that keeps all bits but some of the low ones?
    fn is_mask(&self, e: &Expr) -> bool {
        let ExprKind::Int(n) = e.without_conversions().kind else { return false };
        let bits = 8 * self.unit.types.pointer_size();
        let cleared = if n < 0 { -1 - n } else { (1 << bits) - 1 - n };
        (0..i128::from(self.alignment.unwrap_or(1))).contains(&cleared)
    }

    fn refuse(&mut self, e: &'u Expr) {
        if self.is_address(e) {
            self.is_fine = false;
        }
    }

    /// Analyses what an expression does with its operands.
    fn look_at(&mut self, e: &'u Expr) {
        match &e.kind {
            ExprKind::Unary(_, a) => self.refuse(a),
            ExprKind::Binary(op, a, b) => {
                let is_steady = self.holders.is_the_same_everywhere(&self.unit.types, *op, a, b);
                if !is_steady {
                    self.look_at_operation(*op, a, b);
                }
            }
            ExprKind::Compare(op, a, b) => {
                let is_equality = matches!(op, CmpOp::Eq | CmpOp::Ne);
                let is_steady = self.holders.compares_the_same_everywhere(&self.unit.types, *op, a, b);
                let (first, second) = (self.is_address(a), self.is_address(b));
                let is_fine = match (first, second) {
                    (true, true) => is_equality && self.is_never_gone(a) && self.is_never_gone(b),
                    (true, false) => is_equality && self.is_tag(b),
                    (false, true) => is_equality && self.is_tag(a),
                    (false, false) => true,
                };
                self.is_fine &= is_fine || is_steady;
            }
            ExprKind::CompoundAssign { op, place, rhs, .. } => {
                let types = &self.unit.types;
                let is_wide = types.int_kind(place.ty.id).is_some_and(|k| types.int_size(k) >= types.pointer_size());
                let node = self.alias.place(place);
                let target = self.alias.pointed_to(node).filter(|_| is_wide);
                let is_address = target.is_some_and(|node| !self.alias.holds_only_numbers(node));
                let keeps = match op {
                    BinOp::And => self.is_tag(rhs) || self.is_mask(rhs),
                    BinOp::Or | BinOp::Xor => self.is_tag(rhs),
                    _ => false,
                };
                self.is_fine &= !is_address || keeps;
            }
            ExprKind::IncDec { place, size: None, .. } => {
                let node = self.alias.place(place);
                let target = self.alias.pointed_to(node);
                self.is_fine &= target.is_none_or(|node| self.alias.holds_only_numbers(node));
            }
            ExprKind::PtrAdd { index, .. } | ExprKind::PtrAssign { index, .. } => self.refuse(index),
            ExprKind::Convert(inner) => {
                let types = &self.unit.types;
                let is_narrow = types.int_kind(e.ty).is_some_and(|k| types.int_size(k) < types.pointer_size());
                if is_narrow && e.ty != TypeId::BOOL || types.is_float(e.ty) {
                    self.refuse(inner);
                }
            }
            ExprKind::Call { callee, args } => {
                let has_body = match callee {
                    Callee::Direct(func) => self.unit.funcs[*func].body.is_some(),
                    Callee::Indirect(_) => false,
                };
                if !has_body {
                    args.iter().for_each(|e| self.refuse(e));
                }
            }
            _ => {}
        }
    }

    fn look_at_operation(&mut self, op: BinOp, a: &'u Expr, b: &'u Expr) {
        let (address, other) = match (self.is_address(a), self.is_address(b)) {
            (false, false) => return,
            (true, true) => {
                self.is_fine = false;
                return;
            }
            (true, false) => (a, b),
            (false, true) => (b, a),
        };
        let is_left = std::ptr::eq(address, a);
        let limit = i128::from(self.alignment.unwrap_or(1));
        self.is_fine &= match op {
            BinOp::And => self.is_tag(other) || self.is_mask(other),
            BinOp::Or | BinOp::Xor => self.is_tag(other),
            BinOp::Rem => {
                is_left && matches!(other.without_conversions().kind, ExprKind::Int(n) if n > 0 && limit % n == 0)
            }
            _ => false,
        };
    }
}
