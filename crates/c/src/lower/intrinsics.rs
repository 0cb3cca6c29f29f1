//! Intrinsic functions of other tools for assumptions, assertions and nondeterministic choices: those of CBMC, ESBMC,
//! SV-COMP, SeaHorn, Goblint, KLEE and Frama-C that programs use most.
//!
//! A body in the program wins. A function of another tool that is not here, and any function without body whose name
//! says that it asserts something, is not modelled: taking it for a function without effect would prove what it
//! refutes.

use base::Span;
use ir::Nondet;
use ir::{Subject, Subproperty};
use logic::TermId;

use super::{Errors, Lowerer, R, Unsupported, Val, unsupported};
use crate::hir::*;
use crate::types::TypeId;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Intrinsic {
    /// Executions where the first argument is 0 are not followed.
    Assume,
    /// Assertion that the first argument is not 0; the program continues if it fails.
    Assert,
    /// The same, but the program ends.
    AssertOrAbort,
    /// The program does not come here.
    Fail,
    /// The program ends.
    Stop,
    BeginAtomic,
    EndAtomic,
    /// For the eyes of the tool.
    NoEffect,
    /// Any value of the type of the result.
    Any,
    /// Any value from the first argument to the second.
    Interval,
    /// Any value from the first argument to below the second.
    HalfOpenInterval,
    /// One of two values.
    Either,
    /// The object behind the first argument, as large as the second one says, gets any value.
    MakeAny,
}

fn intrinsic(name: &str) -> Option<Intrinsic> {
    use Intrinsic::*;
    Some(match name {
        "__CPROVER_assume"
        | "__ESBMC_assume"
        | "__SEA_assume"
        | "__goblint_assume"
        | "klee_assume"
        | "assume"
        | "assume_abort_if_not" => Assume,
        "__CPROVER_assert"
        | "__CPROVER_precondition"
        | "__CPROVER_postcondition"
        | "__ESBMC_assert"
        | "__goblint_check" => Assert,
        "__VERIFIER_assert" | "__SEA_assert" | "sassert" | "__goblint_assert" | "klee_assert" => AssertOrAbort,
        "__SEAHORN_error" | "__SEAHORN_fail" | "klee_report_error" => Fail,
        "klee_silent_exit" | "klee_abort" => Stop,
        "__CPROVER_atomic_begin" | "__ESBMC_atomic_begin" => BeginAtomic,
        "__CPROVER_atomic_end" | "__ESBMC_atomic_end" => EndAtomic,
        "__CPROVER_input"
        | "__CPROVER_output"
        | "__CPROVER_cover"
        | "__CPROVER_printf"
        | "__CPROVER_fence"
        | "__CPROVER_initialize"
        | "__ESBMC_yield"
        | "__ESBMC_cover"
        | "__ESBMC_unroll"
        | "__goblint_assume_join"
        | "__goblint_split_begin"
        | "__goblint_split_end"
        | "klee_open_merge"
        | "klee_close_merge"
        | "klee_prefer_cex"
        | "klee_print_expr"
        | "klee_print_range"
        | "klee_warning"
        | "klee_warning_once"
        | "Frama_C_dump_each" => NoEffect,
        "klee_int" => Any,
        "klee_range" => HalfOpenInterval,
        "Frama_C_nondet" | "Frama_C_nondet_ptr" => Either,
        "klee_make_symbolic"
        | "Frama_C_make_unknown"
        | "__CPROVER_havoc_slice"
        | "__CPROVER_havoc_object"
        | "__VERIFIER_nondet_memory" => MakeAny,
        _ if name.starts_with("Frama_C_show_each") => NoEffect,
        _ if name.starts_with("Frama_C_") && name.ends_with("interval") => Interval,
        _ => return None,
    })
}

/// Does the name say that the function belongs to another tool, or asserts something?
fn looks_like_an_intrinsic(name: &str) -> bool {
    let tools = [
        "__CPROVER_",
        "__ESBMC_",
        "__VERIFIER_",
        "__SEA_",
        "__SEAHORN_",
        "__SMACK_",
        "__goblint_",
        "klee_",
        "Frama_C_",
    ];
    tools.iter().any(|prefix| name.starts_with(prefix)) || name.to_ascii_lowercase().contains("assert")
}

/// Is it one that ends or begins an atomic section?
pub(super) fn is_atomic_mark(name: &str) -> bool {
    matches!(intrinsic(name), Some(Intrinsic::BeginAtomic | Intrinsic::EndAtomic))
}

/// Does the name say that it is an error to come there?
pub(super) fn is_failure(name: &str) -> bool {
    intrinsic(name) == Some(Intrinsic::Fail)
}

/// Does it store any value in the object that its first argument points to?
pub(super) fn makes_any(name: &str) -> bool {
    intrinsic(name) == Some(Intrinsic::MakeAny)
}

/// Why a function without body is not taken for one without effect.
pub(super) fn not_modelled(name: &str, span: Span) -> Option<Unsupported> {
    let what = format!("{name} has no body, and what it asserts or does is not known");
    looks_like_an_intrinsic(name).then_some(Unsupported { kind: ir::RemarkKind::Other, span, what })
}

impl Lowerer<'_> {
    /// The call of a function without body that another tool knows.
    pub fn intrinsic_call(
        &mut self,
        name: &str,
        values: &[(Val, TypeId)],
        e: &Expr,
        args: &[Expr],
        span: Span,
    ) -> Option<R<Val>> {
        let intrinsic = intrinsic(name)?;
        // `assume` of a program's own may be about something else.
        if name == "assume" && values.len() != 1 {
            return None;
        }
        Some(self.intrinsic(intrinsic, name, values, e, args, span))
    }

    fn intrinsic(
        &mut self,
        intrinsic: Intrinsic,
        name: &str,
        values: &[(Val, TypeId)],
        e: &Expr,
        args: &[Expr],
        span: Span,
    ) -> R<Val> {
        match intrinsic {
            Intrinsic::Assume => {
                let c = self.first_truth(name, values, span)?;
                self.assume(c, span);
            }
            Intrinsic::Assert | Intrinsic::AssertOrAbort => {
                let c = self.first_truth(name, values, span)?;
                if self.mode.check_unreach && self.mode.errors == Errors::All {
                    self.check_about(
                        c,
                        Subproperty::UnreachCall,
                        "the assertion may fail".into(),
                        Subject::Assertion,
                        span,
                    );
                } else if intrinsic == Intrinsic::AssertOrAbort {
                    self.end_unless(c, span)?;
                }
            }
            Intrinsic::Fail | Intrinsic::Stop => return self.stop(e.ty, span),
            Intrinsic::BeginAtomic => self.begin_atomic_section(span),
            Intrinsic::EndAtomic => self.end_atomic_section(span),
            Intrinsic::NoEffect => {}
            Intrinsic::Any => return self.arbitrary(e.ty, Nondet::Input(name.to_string()), span),
            Intrinsic::Interval | Intrinsic::HalfOpenInterval => {
                let ([(low, _), (high, _), ..], Some(_)) = (values, self.unit.types.int_kind(e.ty)) else {
                    return unsupported(span, name.to_string());
                };
                let (low, high) = (self.int_of(low), self.int_of(high));
                let value = self.arbitrary(e.ty, Nondet::Input(name.to_string()), span)?;
                let v = self.int_of(&value);
                let from = self.le(low.term, v.term);
                let to = match intrinsic {
                    Intrinsic::Interval => self.le(v.term, high.term),
                    _ => self.lt(v.term, high.term),
                };
                let inside = self.pool.and2(from, to);
                self.assume(inside, span);
                return Ok(value);
            }
            Intrinsic::Either => {
                let [(first, from), (second, other)] = values else { return unsupported(span, name.to_string()) };
                let first = self.convert(first, *from, e.ty, span)?;
                let second = self.convert(second, *other, e.ty, span)?;
                let choice = self.arbitrary(TypeId::BOOL, Nondet::Input(name.to_string()), span)?;
                let choice = self.truth(&choice, TypeId::BOOL, span)?;
                return match self.merge(choice, &first, &second) {
                    Some(value) => Ok(value),
                    None => unsupported(span, name.to_string()),
                };
            }
            Intrinsic::MakeAny => self.make_any(name, values, args, span)?,
        }
        // Whoever uses the result of a function that has none gets any number.
        if e.ty == TypeId::VOID { Ok(Val::Void) } else { self.arbitrary(e.ty, Nondet::Choice, span) }
    }

    fn first_truth(&mut self, name: &str, values: &[(Val, TypeId)], span: Span) -> R<TermId> {
        match values.first() {
            Some((value, ty)) => self.truth(value, *ty, span),
            None => unsupported(span, format!("{name} without argument")),
        }
    }

    /// One whole object becomes any value.
    fn make_any(&mut self, name: &str, values: &[(Val, TypeId)], args: &[Expr], span: Span) -> R<()> {
        let what = || format!("{name} of other than one whole object");
        let ([(Val::Ptr(p), _), size @ ..], Some(first)) = (values, args.first()) else {
            return unsupported(span, what());
        };
        let size = size.first().map(|(size, _)| self.int_of(size));
        let object = self.pointed_type(first).filter(|ty| match size {
            Some(size) => {
                let exact = self.unit.types.size_of(ty.id).map(|s| s as i128);
                size.lo == size.hi && exact == Some(size.lo)
            }
            None => is_whole_variable(first),
        });
        let (Some(ty), Some(node)) = (object, self.alias.value(first)) else { return unsupported(span, what()) };
        let loc = self.deref_loc(*p, node, ty.id);
        for (path, scalar, _) in self.scalars(ty.id)? {
            if self.unit.types.is_pointer(scalar.id) {
                return unsupported(span, format!("{name} of pointers"));
            }
            let (part, part_ty) = self.walk_path(loc.clone(), ty, &path, span)?;
            let value = self.arbitrary(part_ty.id, Nondet::Input(name.to_string()), span)?;
            self.store(&part, part_ty, &value, span)?;
        }
        Ok(())
    }
}

/// The address of a whole variable?
fn is_whole_variable(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Convert(inner) => is_whole_variable(inner),
        ExprKind::AddrOf(place) => matches!(place.kind, PlaceKind::Var(_)),
        _ => false,
    }
}
