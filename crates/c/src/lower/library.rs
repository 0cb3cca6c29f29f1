//! What functions without a body do.
//!
//! A body in the user's program always wins over a model. The string functions are C of their own
//! (see [`crate::prelude`]); here are those that need the memory model, end the program, or choose.

use base::Span;
use ir::{InstrKind, Nondet, Subject, Subproperty};
use logic::{SortId, TermId};
use rustc_hash::FxHashSet;

use super::alias::{NodeId, holds_pointer_type};
use super::float::TOWARDS_ZERO;
use super::int::IntVal;
use super::intrinsics::{is_failure, not_modelled};
use super::memory::{Ghost, OUTSIDE_OBJECT, PtrVal};
use super::spin_locks::{LOCK_TEST_AND_SET, spin_locks};
use super::{Errors, Lowerer, R, Val, internal, unsupported};
use crate::hir::*;
use crate::library::{self, Argument, Extent, Gives, LibraryFunction, Model, Returns};
use crate::types::{ArrayLen, IntKind, Quals, Ty, Type, TypeId};
use crate::visit::{Node, root, walk_stmt};

/// The number of elements of an external object; pointers to it point to the middle one.
const OUTSIDE_ELEMENTS: i128 = 4096;

/// The largest number of pointers in an external object, and of external objects.
const MAX_OUTSIDE_POINTERS: usize = 3;
const MAX_OUTSIDE_OBJECTS: usize = 8;

/// The address of a function that the program does not have.
const OUTSIDE_FUNCTION: i128 = 0x800;

/// What such a function is called in messages.
pub(super) const FUNCTION_FROM_OUTSIDE: &str = "a function from outside";

/// Variables of the library, beside `errno`, that its functions change.
const LIBRARY_VARIABLES: [&str; 8] =
    ["optind", "optarg", "optopt", "opterr", "signgam", "environ", "timezone", "daylight"];

/// Does a function of the library change its variable? Those about options are changed by `getopt` and its like alone.
fn changes(function: &str, variable: &str) -> bool {
    !variable.starts_with("opt") || function.contains("getopt") || function.starts_with("argp_")
}

/// The size of a text that the library returns.
const OWN_TEXT: i128 = 256;

/// The number of seconds before and after 1970 for which the year fits into an int.
const NEAR_TIME: i128 = 67_000_000_000_000_000;

/// The size of a text that comes from the user: Linux allows so much in one variable of the environment.
const LONG_TEXT: i128 = 131_072;

/// A pointer that the library is given, and what it does with it.
struct LibraryArgument<'e> {
    pointer: PtrVal,
    ty: TypeId,
    e: &'e Expr,
    reads: bool,
    writes: bool,
}

impl Lowerer<'_> {
    /// Is it what `assert` of some C library calls when it fails? Their first argument is a text; programs have other
    /// functions of such names, which are given a condition.
    pub fn is_assertion_failure(&self, func: FuncId) -> bool {
        let function = &self.unit.funcs[func];
        let first = self.unit.types.function(function.ty).and_then(|f| f.params.first().map(|p| p.id));
        match &*function.name {
            "__assert_fail" | "__assert_perror_fail" => true,
            "__assert" | "__assert_rtn" | "__assert_func" | "_assert" => {
                first.is_some_and(|ty| self.unit.types.is_pointer(ty))
            }
            _ => false,
        }
    }

    /// Is a call of the function an error?
    pub fn is_error(&self, func: FuncId) -> bool {
        match self.mode.errors {
            Errors::All => {
                let function = &self.unit.funcs[func];
                let is_named = matches!(&*function.name, "reach_error" | "__VERIFIER_error" | "__assert_fail");
                let is_failure = || self.is_assertion_failure(func) || is_failure(&function.name);
                is_named || function.body.is_none() && is_failure()
            }
            // Several files may have a static function of that name.
            Errors::CallsOf(named) => named.is_some_and(|n| self.unit.funcs[n].name == self.unit.funcs[func].name),
        }
    }

    /// Calls that must see their arguments unevaluated.
    pub fn special_call(&mut self, func: FuncId, e: &Expr, args: &[Expr]) -> Option<R<Val>> {
        let name = self.unit.funcs[func].name.clone();
        let span = e.span;
        if let Some(rest) = name.strip_prefix(crate::contracts::CALL) {
            return Some(self.contract_call(rest, e, args, span));
        }
        if let Some(numbers) = name.strip_prefix(crate::annotate::NOTE) {
            return Some(self.annotations(numbers, args, span));
        }
        if let (Some(number), [expression]) = (name.strip_prefix(crate::annotate::PROPOSITION), args) {
            return Some(self.proposition(number, expression, span));
        }
        match &*name {
            "assert" if args.len() == 1 => Some(self.assertion(func, &args[0], e, span)),
            "__sync_synchronize" => Some(Ok(Val::Void)),
            _ if (name.starts_with("__atomic_") || name.starts_with("__sync_")) && !args.is_empty() => {
                Some(self.atomic(&name, args, e))
            }
            _ => {
                let row = self.library_row(&name, args)?;
                match row.model {
                    Model::Fill => Some(self.memset(e, args, span)),
                    Model::AllocateZeroed => Some(self.calloc(e, args, span)),
                    _ => None,
                }
            }
        }
    }

    /// `assert` called as a function: no header, but the meaning is plain.
    fn assertion(&mut self, func: FuncId, condition: &Expr, e: &Expr, span: Span) -> R<Val> {
        let counts = self.mode.errors == Errors::All || self.is_error(func);
        let c = self.condition(condition)?;
        if self.mode.check_unreach && counts {
            self.check_about(c, Subproperty::UnreachCall, "the assertion may fail".into(), Subject::Assertion, span);
        } else {
            self.end_unless(c, span)?;
        }
        if e.ty == TypeId::VOID { Ok(Val::Void) } else { Ok(Val::Int(self.int_const(0))) }
    }

    /// Ends the program if a condition is false.
    pub fn end_unless(&mut self, condition: TermId, span: Span) -> R<()> {
        let no = self.branch(condition, span);
        let end = self.new_label();
        self.jump(vec![end], span);
        self.otherwise(no, condition, span);
        self.program_end(false, span)?;
        self.place_label(end, span);
        Ok(())
    }

    /// Ends the program; what follows is dead.
    pub fn stop(&mut self, ty: TypeId, span: Span) -> R<Val> {
        self.program_end(false, span)?;
        self.behind_the_end(ty, span)
    }

    /// A value for code that is not reached.
    fn behind_the_end(&mut self, ty: TypeId, span: Span) -> R<Val> {
        let dead = self.new_label();
        self.place_label(dead, span);
        self.jump(Vec::new(), span);
        self.dead_value(ty, span)
    }

    /// A function without body that is declared not to return: how it ends is not known.
    fn never_returns(&mut self, name: &str, ty: TypeId, span: Span) -> R<Val> {
        self.note_assumption(format!("function {name} without body: it ends the program, as it does not return"), span);
        let exits = matches!(name, "err" | "errx" | "verr" | "verrx");
        if exits {
            self.run_exit_handlers(span);
        }
        if self.threads.concurrent
            || self.mode.check_memcleanup
            || self.mode.check_lost_memory
            || !exits && self.has_exit_handlers()
        {
            self.note_unsound(&format!("how {name} ends the program"), span);
        }
        self.jump(Vec::new(), span);
        self.behind_the_end(ty, span)
    }

    /// Whether an arbitrary pointer is null, where that is all that matters of it.
    pub fn truth_of_any_pointer(&mut self, e: &Expr) -> Option<R<Val>> {
        let mut pointer = e;
        while let ExprKind::Convert(inner) = &pointer.kind
            && self.unit.types.is_pointer(pointer.ty)
        {
            pointer = inner;
        }
        let ExprKind::Call { callee: Callee::Direct(f), args } = &pointer.kind else { return None };
        let function = &self.unit.funcs[*f];
        let is_any = function.body.is_none() && function.name.starts_with("__VERIFIER_nondet_") && args.is_empty();
        if !is_any || !self.unit.types.is_pointer(pointer.ty) {
            return None;
        }
        let value = self.arbitrary(TypeId::BOOL, Nondet::Choice, e.span);
        Some(value)
    }

    /// The row of a library function, if it is called as one: a program may declare another function of that name.
    fn library_row(&self, name: &str, args: &[Expr]) -> Option<&'static LibraryFunction> {
        library::find(name).filter(|row| row.takes(&self.unit.types, args))
    }

    pub fn library_call(&mut self, func: FuncId, values: &[(Val, TypeId)], e: &Expr, args: &[Expr]) -> R<Val> {
        let span = e.span;
        let name = self.unit.funcs[func].name.clone();
        if let Some(rest) = name.strip_prefix("__VERIFIER_nondet_").filter(|_| values.is_empty()) {
            return self.nondeterministic(&name, rest, e);
        }
        let is_number = self.unit.types.int_kind(e.ty).is_some() || self.unit.types.is_float(e.ty);
        if let Some(rest) = name.strip_prefix("nondet_").filter(|_| values.is_empty() && is_number) {
            return self.nondeterministic(&name, rest, e);
        }
        if name.starts_with(crate::prelude::ANY_VALUE) {
            return self.arbitrary(e.ty, Nondet::Choice, span);
        }
        if name.starts_with(crate::prelude::UNKNOWN_VALUE) {
            let what = match &*name {
                "__craig_unknown_long" => "a clock after the year 2038",
                "__craig_unknown_size" => "what __builtin_object_size finds out",
                name if name.contains("complex") => "floating-point arithmetic",
                _ => "a number in a text that is long or not decimal",
            };
            self.note_imprecise(what, span);
            return self.arbitrary(e.ty, Nondet::Inexact(what.into()), span);
        }
        if let Some(result) = self.intrinsic_call(&name, values, e, args, span) {
            return result;
        }
        if self.is_assertion_failure(func) {
            return self.stop(e.ty, span);
        }
        if matches!(&*name, "flockfile" | "ftrylockfile" | "funlockfile") && self.mode.check_deadlock {
            return unsupported(span, "threads: locks of streams");
        }
        if matches!(&*name, "fesetenv" | "feupdateenv") && self.mentioned.contains("fesetround") {
            return unsupported(span, "restoring the floating-point environment");
        }
        let Some(row) = self.library_row(&name, args) else {
            let families = ["pthread_", "sem_", "thrd_", "mtx_", "cnd_", "tss_"];
            if families.iter().any(|f| name.starts_with(f)) {
                return unsupported(span, format!("threads: {name}"));
            }
            if crate::headers::declares(&name) {
                self.forget_errno(&name, span)?;
            }
            let result = self.unknown_function(&name, values, e, args)?;
            return if self.unit.funcs[func].noreturn { self.never_returns(&name, e.ty, span) } else { Ok(result) };
        };
        if !row.is_thread_safe && self.mode.check_races && self.threads.concurrent {
            self.note_unsound(&format!("{name} may race with itself in memory of the library"), span);
        }
        self.library_accesses(row, &name, values, args, span)?;
        if row.sets_errno {
            self.forget_errno(&name, span)?;
        }
        self.library_model(row, &name, values, e, args)
    }

    /// Temporal properties observe the state here.
    pub fn mark_step(&mut self, span: Span) {
        let step = InstrKind::Stmt(ir::Stmt::Assume(TermId::TRUE));
        self.f.n_effects += 1;
        self.f.body.push_noted(step, span, ir::Note::Step);
    }

    /// Any value of a type, by the name of the function that gives it.
    fn nondeterministic(&mut self, name: &str, rest: &str, e: &Expr) -> R<Val> {
        let span = e.span;
        if self.unit.types.is_pointer(e.ty) {
            return self.outside_pointer(e, name, true);
        }
        let value = self.arbitrary(e.ty, Nondet::Input(name.to_string()), span)?;
        if rest == "bool"
            && let Val::Int(v) = &value
        {
            let fact = self.in_range(v.term, 0, 1);
            self.assume(fact, span);
            return Ok(Val::Int(IntVal { lo: 0, hi: 1, ..*v }));
        }
        Ok(value)
    }

    fn library_model(
        &mut self,
        row: &LibraryFunction,
        name: &str,
        values: &[(Val, TypeId)],
        e: &Expr,
        args: &[Expr],
    ) -> R<Val> {
        let span = e.span;
        let arg = |i: usize| values.get(i).map(|(v, _)| v.clone());
        match row.model {
            Model::Prelude => self.unknown_function(name, values, e, args),
            Model::Plain(gives) => {
                self.library_writes(row, name, values, args, span)?;
                self.library_result(row, gives, name, values, e)
            }
            Model::Thread => self.thread_call(name, values, e, args),
            Model::Assume => {
                let Some(value) = arg(0) else { return unsupported(span, "__VERIFIER_assume without argument") };
                let c = self.truth(&value, values[0].1, span)?;
                self.assume(c, span);
                Ok(Val::Void)
            }
            Model::Observe => {
                self.mark_step(span);
                Ok(Val::Void)
            }
            Model::Stop { runs_handlers } => {
                if runs_handlers {
                    self.run_exit_handlers(span);
                }
                self.stop(e.ty, span)
            }
            Model::Unreachable => {
                self.note_assumption("__builtin_unreachable is not reached".into(), span);
                self.assume_undefined(TermId::FALSE, span);
                Ok(Val::Void)
            }
            Model::Allocate => {
                // The size is the last argument, behind an alignment.
                let Some((size, _)) = values.last() else { return unsupported(span, "malloc without size") };
                let size = self.int_of(size);
                self.null_or(span, |this| Ok(this.allocate_heap(size, span)))
            }
            Model::AllocateOnStack => {
                let Some(size) = arg(0) else { return unsupported(span, "alloca without size") };
                let size = self.int_of(&size);
                Ok(Val::Ptr(self.alloca(size, span)))
            }
            Model::Free => {
                let Some(Val::Ptr(p)) = arg(0) else { return unsupported(span, "free without pointer") };
                if let Some(pointer) = args.first() {
                    self.race_of_freed(p, pointer, span)?;
                }
                self.free(p, span);
                Ok(Val::Void)
            }
            Model::Reallocate => {
                let (Some(Val::Ptr(p)), Some(size)) = (arg(0), arg(1)) else {
                    return unsupported(span, "realloc without arguments");
                };
                let size = self.int_of(&size);
                let Val::Ptr(p) = self.snapshot(Val::Ptr(p), span) else { return internal(span, "pointer") };
                if let Some(pointer) = args.first() {
                    self.race_of_freed(p, pointer, span)?;
                }
                self.null_or(span, |this| match this.realloc(p, size, e, args, span)? {
                    Val::Ptr(new) => Ok(new),
                    _ => internal(span, "pointer"),
                })
            }
            // Both see their arguments unevaluated.
            Model::Fill | Model::AllocateZeroed => unsupported(span, format!("{name} by pointer")),
            Model::Copy { to, may_overlap } => {
                let (Some(Val::Ptr(target)), Some(Val::Ptr(source)), Some(size)) = (arg(to), arg(1 - to), arg(2))
                else {
                    return unsupported(span, "memcpy without arguments");
                };
                let size = self.int_of(&size);
                self.note_one_step(size, e);
                self.memcpy((target, &args[to]), (source, &args[1 - to]), size, may_overlap, span)?;
                Ok(if e.ty == TypeId::VOID { Val::Void } else { Val::Ptr(target) })
            }
            Model::Object => {
                let Some(size) = arg(0) else { return unsupported(span, "internal: an object without size") };
                let size = self.int_of(&size);
                Ok(Val::Ptr(self.object_for_contract(size, span)))
            }
            Model::Valid => {
                let (Some(Val::Ptr(p)), Some(n)) = (arg(0), arg(1)) else {
                    return unsupported(span, "internal: what is valid");
                };
                let n = self.int_of(&n);
                if !self.mode.check_memsafety {
                    self.note_assumption_once(
                        "pointers that contracts require to be valid are, but for null (check valid-memsafety)",
                        span,
                    );
                }
                Ok(Val::Bool(self.is_valid(p, n)))
            }
            Model::Pointer(fact) => self.pointer_fact(fact, values, e, args),
            Model::Separate => {
                let (Some(Val::Ptr(p)), Some(n), Some(Val::Ptr(q)), Some(m)) = (arg(0), arg(1), arg(2), arg(3)) else {
                    return unsupported(span, "internal: what is separate");
                };
                let (n, m) = (self.int_of(&n), self.int_of(&m));
                Ok(Val::Bool(self.are_separate((p, n), (q, m))))
            }
            Model::Disjoint => {
                let (Some(Val::Ptr(to)), Some(Val::Ptr(from)), Some(size)) = (arg(0), arg(1), arg(2)) else {
                    return unsupported(span, "internal: what must not overlap");
                };
                let size = self.int_of(&size);
                self.check_disjoint(to, from, size, span);
                Ok(Val::Void)
            }
            Model::BeginAtomic => {
                self.begin_atomic_section(span);
                Ok(Val::Void)
            }
            Model::EndAtomic => {
                self.end_atomic_section(span);
                Ok(Val::Void)
            }
            Model::Unsupported => unsupported(span, name.to_string()),
            Model::Scan(format) => self.scan(name, values, args, format + 1, e),
            Model::Print(_) | Model::PrintList | Model::Put => self.output(row, name, values, args, e, span),
            Model::Open => {
                let pointee = self.unit.types.pointee(e.ty);
                let size = pointee.and_then(|t| self.unit.types.size_of(t.id)).unwrap_or(256);
                self.opaque_object(size as i128, span)
            }
            Model::Close(gives) => {
                if let (true, Some(Val::Ptr(PtrVal { base: Some(base), .. }))) = (self.mode.check_memsafety, arg(0)) {
                    let (alloc, gone) = (self.alloc(), self.num(0));
                    self.set_entry_term(alloc, base, gone, span);
                }
                self.library_result(row, gives, name, values, e)
            }
            Model::NextByte => {
                let source = if name == crate::prelude::NEXT_BYTE { ir::STANDARD_INPUT } else { name };
                let value = self.arbitrary(e.ty, Nondet::Input(source.to_string()), span)?;
                if let Val::Int(v) = &value {
                    let fact = self.in_range(v.term, -1, 255);
                    self.assume(fact, span);
                }
                Ok(value)
            }
            Model::Random => {
                // A seed fixes the numbers that follow, unless it comes from the clock.
                let is_seeded = self.mentioned.contains("srand") || self.mentioned.contains("srandom");
                let why = if is_seeded && !self.mentioned.contains("time") {
                    Nondet::Inexact(format!("the results of {name} after a seed"))
                } else {
                    Nondet::Input(name.to_string())
                };
                let value = self.arbitrary(e.ty, why, span)?;
                if let Val::Int(v) = &value {
                    // RAND_MAX of glibc, and what POSIX says of `random`, whose type may be wider.
                    let fact = self.in_range(v.term, 0, i32::MAX.into());
                    self.assume_fact(fact, span);
                }
                Ok(value)
            }
            Model::ByteSwap => {
                let Some(value) = arg(0) else { return unsupported(span, "bswap without argument") };
                let v = self.int_of(&value);
                let n = self.unit.types.size_of(e.ty).unwrap_or(4);
                Ok(Val::Int(self.byte_swap(v, n)))
            }
            Model::CountBits => {
                let (Some(value), Some(ty)) = (arg(0), values.first().map(|v| v.1)) else {
                    return unsupported(span, format!("{name} without argument"));
                };
                let bits = self.unit.types.int_kind(ty).map_or(32, |kind| self.unit.types.int_bits(kind));
                let v = self.int_of(&value);
                let Some(what) = name.strip_prefix("__builtin_").and_then(bit_count) else {
                    return unsupported(span, name.to_string());
                };
                let is_defined = match what {
                    BitCount::Leading | BitCount::Trailing => {
                        let zero = self.num(0);
                        let is_zero = self.pool.eq(v.term, zero);
                        self.pool.not(is_zero)
                    }
                    BitCount::Ones | BitCount::Parity | BitCount::FirstSet => TermId::TRUE,
                };
                let what_if_zero = format!("{name} of 0");
                let asked = self.mode.check_shift.then_some(Subproperty::NoInvalidShift);
                let result = self.checked_if(is_defined, asked, IntKind::Int, &what_if_zero, span, |this| {
                    Ok(this.count_bits(what, v, bits))
                })?;
                Ok(Val::Int(result))
            }
            Model::NotANumber => Ok(self.float_constant(f64::NAN, e.ty)),
            Model::Infinity => Ok(self.float_constant(f64::INFINITY, e.ty)),
            Model::Rounding => Ok(Val::Int(match self.rounding_mode() {
                Some(mode) => IntVal { term: self.program.term(mode), lo: 0, hi: i128::from(TOWARDS_ZERO) },
                None => self.int_const(0),
            })),
            Model::SetRounding => {
                let (Some(wanted), Some(mode)) = (arg(0), self.rounding_mode()) else {
                    return unsupported(span, "fesetround without argument");
                };
                let wanted = self.int_of(&wanted).term;
                self.set_rounding_mode(mode, wanted, span)
            }
            Model::Float => match self.float_function(name, values, e.ty, span) {
                Some(result) => result,
                None => self.library_result(row, Gives::Unknown, name, values, e),
            },
        }
    }

    // ----- accesses of the library -----

    /// Checks what the library does with its pointers: the memory must be there, and no other thread may be at it.
    fn library_accesses(
        &mut self,
        row: &LibraryFunction,
        name: &str,
        values: &[(Val, TypeId)],
        args: &[Expr],
        span: Span,
    ) -> R<()> {
        // Copies check and watch what they move.
        let is_watched = self.watches_accesses();
        if !is_watched || matches!(row.model, Model::Copy { .. }) {
            return Ok(());
        }
        for (i, &what) in row.arguments.iter().enumerate() {
            let Argument::Pointer { may_be_null, reads, writes, extent } = what else { continue };
            let (Some((Val::Ptr(p), ty)), Some(e)) = (values.get(i), args.get(i)) else { continue };
            let is_null = self.is_zero_constant(p.addr);
            if extent == Extent::Model || is_null && may_be_null {
                continue;
            }
            let Val::Ptr(p) = self.snapshot(Val::Ptr(*p), span) else { continue };
            let end = may_be_null.then(|| {
                let zero = self.num(0);
                let null = self.pool.eq(p.addr, zero);
                let there = self.branch_hidden(null, span);
                let end = self.new_label();
                self.jump(vec![end], span);
                self.otherwise_hidden(there, null, span);
                end
            });
            let argument = LibraryArgument { pointer: p, ty: *ty, e, reads, writes };
            self.library_access(row, name, &argument, extent, values, span)?;
            if let Some(end) = end {
                self.place_label(end, span);
            }
        }
        Ok(())
    }

    fn library_access(
        &mut self,
        row: &LibraryFunction,
        name: &str,
        argument: &LibraryArgument<'_>,
        extent: Extent,
        values: &[(Val, TypeId)],
        span: Span,
    ) -> R<()> {
        let LibraryArgument { pointer, ty, e, reads, writes } = *argument;
        if reads
            && self.mode.check_uninitialised
            && matches!(extent, Extent::Object | Extent::Bytes(_) | Extent::Items(..))
        {
            self.note_unsound(&format!("whether what {name} reads is initialised"), span);
        }
        let pointee = self.unit.types.pointee(ty);
        let is_fixed = self.is_inside_static(e, writes);
        match extent {
            Extent::Model => Ok(()),
            Extent::Stream => {
                let one = self.num(1);
                self.check_access(pointer, one, span);
                Ok(())
            }
            Extent::Shared if is_fixed => Ok(()),
            Extent::Shared => {
                let size = pointee.and_then(|t| self.unit.types.size_of(t.id)).unwrap_or(1).max(1);
                let size = self.num(size as i128);
                self.check_access(pointer, size, span);
                Ok(())
            }
            Extent::Text => {
                self.read_text(&Val::Ptr(pointer), e, None, span)?;
                if writes && self.mode.check_races {
                    self.note_unsound(&format!("what {name} writes"), span);
                }
                Ok(())
            }
            Extent::Object => {
                // What is stored in the end is checked there.
                let is_stored = writes && row.model == Model::Thread;
                let size = pointee.and_then(|t| self.unit.types.size_of(t.id)).unwrap_or(1).max(1);
                if !(is_fixed || is_stored) {
                    let size = self.num(size as i128);
                    self.check_access(pointer, size, span);
                }
                if let (true, Some(node)) = (writes, self.alias.value(e)) {
                    self.check_writable(pointer, node, span);
                }
                if reads || !is_stored {
                    let size = self.int_const(size as i128);
                    self.race_of_bytes(pointer, e, size, writes && !is_stored, span)?;
                }
                Ok(())
            }
            Extent::Bytes(_) | Extent::Items(..) => {
                let Some(size) = self.extent_size(extent, values) else { return Ok(()) };
                self.check_block(pointer, size, span);
                if let (true, Some(node)) = (writes, self.alias.value(e)) {
                    self.check_writable(pointer, node, span);
                }
                self.race_of_bytes(pointer, e, size, writes, span)
            }
        }
    }

    /// Is it visibly the address of a whole object of its type, in one with static storage that may be written if it
    /// is?
    fn is_inside_static(&self, mut e: &Expr, writes: bool) -> bool {
        let types = &self.unit.types;
        let size = |e: &Expr| types.pointee(e.ty).and_then(|t| types.size_of(t.id));
        let wanted = size(e);
        while let ExprKind::Convert(inner) = &e.kind {
            if size(inner) != wanted {
                return false;
            }
            e = inner;
        }
        let ExprKind::AddrOf(place) = &e.kind else { return false };
        let mut place = place;
        loop {
            match &place.kind {
                PlaceKind::Var(var) => {
                    let is_static = matches!(self.unit.vars[*var].storage, Storage::Static { .. });
                    return is_static && !(writes && self.is_constant_object(*var));
                }
                PlaceKind::Field(base, _) => place = base,
                PlaceKind::Index(base, index) => match (&index.kind, types.get(base.ty.id)) {
                    (ExprKind::Int(i), Type::Array(_, ArrayLen::Known(n))) if (0..*n as i128).contains(i) => {
                        place = base;
                    }
                    _ => return false,
                },
                PlaceKind::Deref(_) | PlaceKind::Temp(_) | PlaceKind::Compound(..) => return false,
            }
        }
    }

    /// How many bytes an extent has that arguments give.
    fn extent_size(&mut self, extent: Extent, values: &[(Val, TypeId)]) -> Option<IntVal> {
        match extent {
            Extent::Bytes(n) => values.get(n).map(|(v, _)| v.clone()).map(|v| self.int_of(&v)),
            Extent::Items(n, size) => {
                let (n, size) = (values.get(n)?.0.clone(), values.get(size)?.0.clone());
                let (n, size) = (self.int_of(&n), self.int_of(&size));
                let term = self.mul2(n.term, size.term);
                Some(IntVal { term, lo: n.lo.saturating_mul(size.lo), hi: n.hi.saturating_mul(size.hi) })
            }
            Extent::Object | Extent::Text | Extent::Stream | Extent::Shared | Extent::Model => None,
        }
    }

    /// Contents that a function without a model writes: anything.
    fn library_writes(
        &mut self,
        row: &LibraryFunction,
        name: &str,
        values: &[(Val, TypeId)],
        args: &[Expr],
        span: Span,
    ) -> R<()> {
        for (i, &what) in row.arguments.iter().enumerate() {
            let Argument::Pointer { may_be_null, reads, writes, extent } = what else { continue };
            let (Some((Val::Ptr(p), ty)), Some(e)) = (values.get(i), args.get(i)) else { continue };
            if extent == Extent::Model && self.literal_text(e).is_none() {
                // How far it goes is in the standard, but not here.
                if self.mode.check_memsafety {
                    self.note_unsound(&format!("which memory {name} accesses"), span);
                }
                if self.mode.check_races && self.threads.concurrent && (reads || writes) {
                    self.note_unsound(&format!("which memory {name} accesses"), span);
                }
            }
            if !writes || matches!(extent, Extent::Stream | Extent::Shared) || self.is_zero_constant(p.addr) {
                continue;
            }
            let why = Nondet::Inexact(format!("what {name} writes"));
            let Some(node) = self.alias.value(e) else {
                return unsupported(span, format!("{name} at a fixed address"));
            };
            let pointee = self.unit.types.pointee(*ty).filter(|t| t.id != TypeId::VOID);
            if let (Extent::Object, Some(pointee)) = (extent, pointee) {
                let zero = self.num(0);
                let null = self.pool.eq(p.addr, zero);
                let skip = may_be_null.then(|| {
                    let there = self.branch_hidden(null, span);
                    let end = self.new_label();
                    self.jump(vec![end], span);
                    self.otherwise_hidden(there, null, span);
                    end
                });
                let value = self.arbitrary(pointee.id, why, span)?;
                let loc = self.deref_loc(*p, node, pointee.id);
                let outer = std::mem::replace(&mut self.context.unchecked_access, true);
                let stored = self.store(&loc, pointee, &value, span);
                self.context.unchecked_access = outer;
                stored?;
                if let Some(end) = skip {
                    self.place_label(end, span);
                }
                continue;
            }
            if self.alias.holds_pointers(node) {
                self.note_unsound(&format!("what {name} writes over pointers"), span);
            }
            let mark = self.number_temp();
            self.havoc(vec![mark], why, span);
            self.memory.outside_writes.push((mark, Some(node)));
        }
        Ok(())
    }

    /// The result of a function whose effects are in its row.
    fn library_result(
        &mut self,
        row: &LibraryFunction,
        gives: Gives,
        name: &str,
        values: &[(Val, TypeId)],
        e: &Expr,
    ) -> R<Val> {
        let span = e.span;
        let what = format!("the result of {name}");
        match (gives, row.returns) {
            (Gives::Effect, _) => {
                let mark = self.number_temp();
                self.havoc(vec![mark], Nondet::Overapproximation(format!("the effect of {name}")), span);
                self.dead_value(e.ty, span)
            }
            _ if e.ty == TypeId::VOID => Ok(Val::Void),
            (_, Returns::Argument(i)) => match values.get(i) {
                Some((Val::Ptr(p), _)) => {
                    let failed = self.temp(SortId::BOOL);
                    self.havoc(vec![failed], Nondet::Inexact(what), span);
                    let (failed, zero) = (self.program.term(failed), self.num(0));
                    let addr = self.pool.ite(failed, zero, p.addr);
                    let base = p.base.map(|base| self.pool.ite(failed, zero, base));
                    Ok(Val::Ptr(PtrVal { addr, base }))
                }
                _ => unsupported(span, format!("{name} without arguments")),
            },
            (Gives::Object | Gives::NullOrObject | Gives::PerhapsNull, Returns::Own(object)) => {
                self.own_object(name, object, gives, values, e)
            }
            (Gives::Object | Gives::NullOrObject | Gives::PerhapsNull, _) => internal(span, "an object of no name"),
            _ if self.is_discarded(e) && self.unit.types.int_kind(e.ty).is_some() => Ok(Val::Int(self.int_const(0))),
            (Gives::Any, _) => self.arbitrary(e.ty, Nondet::Choice, span),
            (Gives::Between(low, high) | Gives::Within(low, high), _) => {
                let is_exact = matches!(gives, Gives::Between(..));
                let value =
                    self.arbitrary(e.ty, if is_exact { Nondet::Choice } else { Nondet::Inexact(what) }, span)?;
                if let Val::Int(v) = &value {
                    let fact = self.in_range(v.term, low.into(), high.into());
                    self.assume(fact, span);
                }
                Ok(value)
            }
            (Gives::Unknown, _) => self.arbitrary(e.ty, Nondet::Inexact(what), span),
        }
    }

    /// An object of the library that each call of a function fills anew: a text that ends, or one object of the type.
    /// Whether two calls return the same one is not modelled.
    fn own_object(
        &mut self,
        name: &str,
        object: &'static str,
        gives: Gives,
        values: &[(Val, TypeId)],
        e: &Expr,
    ) -> R<Val> {
        let span = e.span;
        let (Some(node), Some(pointee)) = (self.alias.value(e), self.unit.types.pointee(e.ty)) else {
            return unsupported(span, name.to_string());
        };
        let what = format!("what {name} returns");
        let is_text = self.unit.types.size_of(pointee.id) == Some(1);
        let size = match object {
            "environment" | "locale" => LONG_TEXT,
            _ if is_text => OWN_TEXT,
            _ => self.unit.types.size_of(pointee.id).unwrap_or(1) as i128,
        };
        let elsewhere = self.temp(SortId::BOOL);
        self.havoc(vec![elsewhere], Nondet::Inexact(what.clone()), span);
        let elsewhere = self.program.term(elsewhere);
        let [common, own] = [Span::NONE, span].map(|site| self.own_address(object, site, size));
        let (common, own) = (self.num(common), self.num(own));
        let addr = self.pool.ite(elsewhere, own, common);
        let here = PtrVal { addr, base: self.mode.check_memsafety.then_some(addr) };
        let result = PtrVal { addr: self.fresh_term(), base: here.base.map(|_| self.fresh_term()) };
        let end = self.new_label();
        if gives != Gives::Object {
            let failed = self.temp(SortId::BOOL);
            // Several calls may be about one thing.
            let is_exact = gives == Gives::NullOrObject && self.n_calls(name) == 1;
            self.havoc(vec![failed], if is_exact { Nondet::Choice } else { Nondet::Inexact(what.clone()) }, span);
            let (failed, zero) = (self.program.term(failed), self.num(0));
            let failed = match (object, self.is_far_time(values, e)?) {
                ("calendar", Some(is_far)) => self.pool.and2(failed, is_far),
                _ => failed,
            };
            let no = self.branch_hidden(failed, span);
            self.set_pointer(result, PtrVal { addr: zero, base: here.base.map(|_| zero) }, span);
            self.jump(vec![end], span);
            self.otherwise_hidden(no, failed, span);
        }
        let mark = self.number_temp();
        self.havoc(vec![mark], Nondet::Inexact(what), span);
        self.memory.outside_writes.push((mark, Some(node)));
        if self.mode.check_memsafety {
            let (alloc, sizes) = (self.alloc(), self.size_ghost());
            let (one, n_bytes) = (self.num(1), self.num(size));
            self.set_entry_term(alloc, addr, one, span);
            self.set_entry_term(sizes, addr, n_bytes, span);
        }
        if is_text {
            let last = self.num(size - 1);
            let addr = self.add2(addr, last);
            let loc = self.deref_loc(PtrVal { addr, ..here }, node, pointee.id);
            let zero = Val::Int(self.int_const(0));
            let outer = std::mem::replace(&mut self.context.unchecked_access, true);
            let stored = self.store(&loc, Ty::plain(pointee.id), &zero, span);
            self.context.unchecked_access = outer;
            stored?;
        }
        self.set_pointer(result, here, span);
        self.place_label(end, span);
        Ok(Val::Ptr(result))
    }

    /// Is the time that a function is given so far away that its year may not fit into an int?
    fn is_far_time(&mut self, values: &[(Val, TypeId)], e: &Expr) -> R<Option<TermId>> {
        let ExprKind::Call { args, .. } = &e.kind else { return Ok(None) };
        let (Some((Val::Ptr(p), _)), Some(arg)) = (values.first(), args.first()) else { return Ok(None) };
        let (Some(node), Some(time)) = (self.alias.value(arg), self.unit.types.pointee(arg.ty)) else {
            return Ok(None);
        };
        if self.unit.types.int_kind(time.id).is_none() {
            return Ok(None);
        }
        let loc = self.deref_loc(*p, node, time.id);
        let outer = std::mem::replace(&mut self.context.unchecked_access, true);
        let value = self.load(&loc, time, e.span);
        self.context.unchecked_access = outer;
        let Val::Int(value) = value? else { return Ok(None) };
        let is_near = self.in_range(value.term, -NEAR_TIME, NEAR_TIME);
        Ok(Some(self.pool.not(is_near)))
    }

    /// The address of such an object, for the calls at one place of the program.
    fn own_address(&mut self, object: &'static str, site: Span, size: i128) -> i128 {
        let next = &mut self.memory.next_address;
        *self.memory.own_objects.entry((object, site)).or_insert_with(|| {
            let address = *next;
            *next = (address + size + 31) / 16 * 16;
            address
        })
    }

    /// Those of the variables that the program names.
    fn named_among(&self, vars: Vec<VarId>) -> Vec<VarId> {
        if vars.is_empty() {
            return vars;
        }
        let mut named = FxHashSet::default();
        for stmt in self.unit.funcs.values().filter_map(|f| f.body.as_ref()).flatten() {
            walk_stmt(stmt, &mut |node| {
                let place = match node {
                    Node::Written(place) | Node::Addressed(place) => Some(place),
                    Node::Expr(Expr { kind: ExprKind::Load(place), .. }) => Some(place),
                    _ => None,
                };
                named.extend(place.and_then(root));
                true
            });
        }
        vars.into_iter().filter(|v| named.contains(v)).collect()
    }

    /// How many calls of a function does the program have?
    fn n_calls(&self, name: &str) -> usize {
        let mut n = 0;
        for stmt in self.unit.funcs.values().filter_map(|f| f.body.as_ref()).flatten() {
            walk_stmt(stmt, &mut |node| {
                if let Node::Expr(Expr { kind: ExprKind::Call { callee: Callee::Direct(f), .. }, .. }) = node {
                    n += usize::from(&*self.unit.funcs[*f].name == name);
                }
                true
            });
        }
        n
    }

    /// A function of the library may have written `errno` and other variables of the library, in programs that read
    /// them.
    pub fn forget_errno(&mut self, function: &str, span: Span) -> R<()> {
        let is_errno = |v: &Var| {
            &*v.name == crate::prelude::ERRNO && self.mentioned.contains("__errno_location")
                || &*v.name == "errno" && v.storage == Storage::Static { defined: false }
        };
        if self.memory.library_variables.is_none() {
            let is_changed = |v: &Var| {
                is_errno(v) || LIBRARY_VARIABLES.contains(&&*v.name) && v.storage == Storage::Static { defined: false }
            };
            let changed: Vec<VarId> = self.unit.vars.iter().filter(|(_, v)| is_changed(v)).map(|(id, _)| id).collect();
            self.memory.library_variables = Some(self.named_among(changed));
        }
        let forgotten = self.memory.library_variables.clone().unwrap_or_default();
        for var in forgotten {
            let (mut ty, name) = (self.unit.vars[var].ty, self.unit.vars[var].name.clone());
            if !changes(function, &name) {
                continue;
            }
            if self.unit.types.is_pointer(ty.id) {
                self.note_unsound(&format!("what {name} is after a library function"), span);
                continue;
            }
            let name = if &*name == crate::prelude::ERRNO { "errno" } else { &*name };
            let mut loc = self.var_loc(var, span)?;
            if self.unit.vars[var].per_thread {
                let own = self.own_thread();
                (loc, ty) = self.index_loc(loc, ty.id, own, span)?;
            }
            let value = self.arbitrary(ty.id, Nondet::Inexact(format!("{name} after a library function")), span)?;
            self.store(&loc, ty, &value, span)?;
        }
        Ok(())
    }

    /// Nothing is known of the function: any result, and it may write through the pointers that it is given, and
    /// through those that it finds there. One number that it may write behind each pointer is exact; all others are
    /// more than can occur. If there are pointers that it may change, nothing is proved.
    pub fn unknown_function(&mut self, name: &str, values: &[(Val, TypeId)], e: &Expr, args: &[Expr]) -> R<Val> {
        let span = e.span;
        if let Some(what) = not_modelled(name, span) {
            return Err(what);
        }
        let function = self.unit.funcs.values().find(|f| &*f.name == name);
        // An undeclared function may be a library function that is not modelled.
        let is_library = is_of_library(name) || function.is_some_and(|f| f.is_assumed);
        let is_watched = self.watches_accesses();
        let function_type = function.and_then(|f| self.unit.types.function(f.ty));
        let declared = |i: usize, ty: TypeId| function_type.as_ref().and_then(|f| f.params.get(i)).map_or(ty, |p| p.id);
        let given: Vec<(Val, TypeId)> =
            values.iter().enumerate().map(|(i, (v, ty))| (v.clone(), declared(i, *ty))).collect();
        if is_watched && is_library && self.is_given_memory(&given, args) {
            // How far such a function follows its pointers is written in the standard, but not here.
            self.note_unsound(&format!("which memory {name} accesses"), span);
        }
        let is_pure = function.is_some_and(|f| f.is_pure);
        let written = if is_pure { Some(Vec::new()) } else { self.writes_of_unknown(&given, args) };
        match written {
            Some(classes) if classes.is_empty() => {
                self.note_assumption(format!("function {name} without body: any result, no effect"), span);
            }
            Some(classes) if !self.mode.check_races => {
                let what = format!("function {name} without body: any result, writes through its pointers");
                self.note_assumption(what, span);
                let is_inexact = is_library || self.mode.check_uninitialised;
                let exact = if is_inexact { Vec::new() } else { self.numbers_behind(&given, args) };
                self.outside_effects(name, &classes, &exact, span)?;
            }
            _ => {
                let what = format!("{name} has no body and might write through its arguments");
                self.note_unsound(&what, span);
                let mark = self.number_temp();
                self.havoc(vec![mark], Nondet::Overapproximation(what), span);
            }
        }
        if is_library && e.ty == TypeId::VOID {
            // What it does is known, though not here.
            let mark = self.number_temp();
            self.havoc(vec![mark], Nondet::Overapproximation(format!("the effect of {name}")), span);
        }
        self.unknown_result(name, is_library, e)
    }

    /// The result of a function that nothing is known of.
    pub fn unknown_result(&mut self, name: &str, is_library: bool, e: &Expr) -> R<Val> {
        let span = e.span;
        if is_library {
            return self.arbitrary(e.ty, Nondet::Inexact(format!("the result of {name}")), span);
        }
        let function = self.unit.funcs.values().find(|f| &*f.name == name);
        let (is_pure, is_nonnull) = function.map_or((false, false), |f| (f.is_pure, f.returns_nonnull));
        if self.unit.types.is_pointer(e.ty) {
            let value = self.outside_pointer(e, name, self.mode.check_unreach && !is_pure)?;
            if let (true, Val::Ptr(p)) = (is_nonnull, &value) {
                let zero = self.num(0);
                let is_null = self.pool.eq(p.addr, zero);
                let exists = self.pool.not(is_null);
                self.assume_undefined(exists, span);
            }
            return Ok(value);
        }
        let holds_pointers = self.unit.types.is_record(e.ty)
            && self.scalars(e.ty)?.iter().any(|(_, ty, _)| self.unit.types.is_pointer(ty.id));
        if holds_pointers && self.mode.follows_objects {
            self.note_unsound("what pointers from outside lead to", span);
        }
        // A pure function gives equal results for equal arguments, which is not modelled.
        let why = if holds_pointers || is_pure {
            Nondet::Inexact(format!("the result of {name}"))
        } else if name == FUNCTION_FROM_OUTSIDE {
            Nondet::Choice
        } else {
            Nondet::Input(name.to_string())
        };
        self.arbitrary(e.ty, why, span)
    }

    /// Is there a pointer among the values, of the types that the function declares? Literals that are only read are
    /// fine.
    fn is_given_memory(&mut self, values: &[(Val, TypeId)], args: &[Expr]) -> bool {
        values.iter().zip(args).any(|((value, ty), e)| {
            let (Val::Ptr(_), Some(pointee)) = (value, self.unit.types.pointee(*ty)) else { return false };
            let is_read_literal = pointee.quals.is_const && self.literal_text(e).is_some();
            !self.unit.types.is_function(pointee.id) && !is_read_literal
        })
    }

    /// The classes that a function may write which is given these values, of the types that it declares. `None` if it
    /// may change pointers or call functions.
    fn writes_of_unknown(&mut self, values: &[(Val, TypeId)], args: &[Expr]) -> Option<Vec<NodeId>> {
        let mut classes: Vec<NodeId> = Vec::new();
        for ((value, ty), e) in values.iter().zip(args) {
            let pointee = self.unit.types.pointee(*ty);
            if matches!(value, Val::Ptr(p) if self.is_zero_constant(p.addr)) {
                continue;
            }
            if pointee.is_some_and(|t| self.unit.types.is_function(t.id)) {
                return None;
            }
            let holds_pointers = match value {
                Val::Ptr(_) => true,
                Val::Record(_) => holds_pointer_type(&self.unit.types, e.ty),
                // A number may be an address, where the program makes one of it.
                Val::Int(_) => {
                    self.holders.makes_numbers && self.alias.value(e).is_some_and(|n| self.alias.is_object(n))
                }
                Val::Bool(_) | Val::Float(_) | Val::Void => false,
            };
            let Some(node) = holds_pointers.then(|| self.alias.value(e)).flatten() else { continue };
            // A constant itself is not written, but what its pointers lead to is.
            let is_const = pointee.is_some_and(|t| t.quals.is_const);
            for class in self.alias.reachable_from(node).into_iter().skip(usize::from(is_const)) {
                if !classes.contains(&class) && self.alias.is_object(class) {
                    classes.push(class);
                }
            }
        }
        if classes.iter().any(|&class| self.alias.holds_pointers(class)) { None } else { Some(classes) }
    }

    /// The numbers that pointers among the values point to.
    fn numbers_behind(&mut self, values: &[(Val, TypeId)], args: &[Expr]) -> Vec<(PtrVal, NodeId, Ty)> {
        let mut found = Vec::new();
        for ((value, ty), e) in values.iter().zip(args) {
            let Some(node) = self.alias.value(e) else { continue };
            let mut note = |this: &Self, value: &Val, ty: TypeId| {
                if let (Val::Ptr(p), Some(pointee)) = (value, this.unit.types.pointee(ty))
                    && !pointee.quals.is_const
                    && this.unit.types.int_kind(pointee.id).is_some()
                {
                    found.push((*p, node, pointee));
                }
            };
            match value {
                Val::Record(parts) => {
                    let Ok(scalars) = self.scalars(*ty) else { continue };
                    for (part, (_, part_ty, _)) in parts.iter().zip(scalars) {
                        note(self, part, part_ty.id);
                    }
                }
                other => note(self, other, *ty),
            }
        }
        found
    }

    /// A function from outside writes to these classes: one number behind each pointer exactly, or anything.
    pub fn outside_effects(
        &mut self,
        name: &str,
        classes: &[NodeId],
        exact: &[(PtrVal, NodeId, Ty)],
        span: Span,
    ) -> R<()> {
        let end = self.new_label();
        if !exact.is_empty() {
            let (few, all) = (self.new_label(), self.new_label());
            self.jump(vec![few, all], span);
            self.place_label(few, span);
            for &(p, node, pointee) in exact {
                let zero = self.num(0);
                let null = self.pool.eq(p.addr, zero);
                let there = self.branch_hidden(null, span);
                let next = self.new_label();
                self.jump(vec![next], span);
                self.otherwise_hidden(there, null, span);
                let value = self.arbitrary(pointee.id, Nondet::Choice, span)?;
                let loc = self.deref_loc(p, node, pointee.id);
                let outer = std::mem::replace(&mut self.context.unchecked_access, true);
                let stored = self.store(&loc, pointee, &value, span);
                self.context.unchecked_access = outer;
                stored?;
                self.place_label(next, span);
            }
            self.jump(vec![end], span);
            self.place_label(all, span);
        }
        for &class in classes {
            let mark = self.number_temp();
            self.havoc(vec![mark], Nondet::Overapproximation(format!("what {name} writes")), span);
            self.memory.outside_writes.push((mark, Some(class)));
        }
        self.place_label(end, span);
        Ok(())
    }

    // ----- pointers from outside -----

    /// A pointer that comes from outside: to an object there, the same one every time or another, to an object of the
    /// program that is known there, or null. That the object is always the same one, or null, is exact where its
    /// contents are numbers; other values are more than can occur.
    pub fn outside_pointer(&mut self, e: &Expr, name: &str, is_null_exact: bool) -> R<Val> {
        let node = self.alias.value(e);
        self.pointer_from_outside(e.ty, node, name, is_null_exact, e.span)
    }

    pub fn pointer_from_outside(
        &mut self,
        ty: TypeId,
        node: Option<NodeId>,
        name: &str,
        is_null_exact: bool,
        span: Span,
    ) -> R<Val> {
        let addr = self.number_temp();
        let base = self.needs_base(ty).then(|| self.number_temp());
        let parts: Vec<ir::VarId> = [Some(addr), base].into_iter().flatten().collect();
        let (anywhere, end) = (self.new_label(), self.new_label());
        let object = node.and_then(|node| self.outside_object(ty, node));
        let mut exact: Vec<(i128, i128)> = object.into_iter().collect();
        exact.extend(is_null_exact.then_some((0, 0)));
        let labels: Vec<ir::LabelId> = exact.iter().map(|_| self.new_label()).collect();
        self.jump(labels.iter().copied().chain([anywhere]).collect(), span);
        for (&label, (address, start)) in labels.iter().zip(exact) {
            self.place_label(label, span);
            let (address, start) = (self.num(address), self.num(start));
            let list = parts.iter().copied().zip([address, start]).collect();
            self.emit_hidden(InstrKind::Stmt(ir::Stmt::Assign(list)), span);
            self.jump(vec![end], span);
        }
        self.place_label(anywhere, span);
        self.havoc(parts.clone(), Nondet::Overapproximation(format!("where {name} points")), span);
        let zero = self.num(0);
        let term = self.program.term(addr);
        let fact = if is_null_exact { self.gt(term, zero) } else { self.ge(term, zero) };
        self.assume_fact(fact, span);
        self.place_label(end, span);
        let base = base.map(|b| self.program.term(b));
        Ok(Val::Ptr(PtrVal { addr: term, base }))
    }

    /// The object of the outside that pointers of a type into a class point to: the address in its middle and its
    /// start. Its contents are arbitrary from the start; pointers in it would have to be made, so it has none.
    fn outside_object(&mut self, ty: TypeId, node: NodeId) -> Option<(i128, i128)> {
        let pointee = self.unit.types.pointee(ty)?;
        if self.unit.types.is_function(pointee.id) {
            return Some((OUTSIDE_FUNCTION, OUTSIDE_FUNCTION));
        }
        let size = self.unit.types.size_of(pointee.id).filter(|&s| s > 0)? as i128;
        if !self.alias.is_dynamic(node) {
            return None;
        }
        let n_elements = if holds_pointer_type(&self.unit.types, pointee.id) {
            // Each pointer is a choice that all executions begin with; how many elements there are matters to memory
            // safety.
            let pointers = self.scalars(pointee.id).ok()?.iter().filter(|s| self.unit.types.is_pointer(s.1.id)).count();
            if pointers == 0 || pointers > MAX_OUTSIDE_POINTERS || !self.mode.check_unreach {
                return None;
            }
            1
        } else {
            OUTSIDE_ELEMENTS
        };
        let key = (self.alias.find(node), pointee.id);
        if !self.memory.outside_objects.contains_key(&key) && self.memory.outside_objects.len() >= MAX_OUTSIDE_OBJECTS {
            return None;
        }
        let next = &mut self.memory.next_address;
        let &mut (start, _) = self.memory.outside_objects.entry(key).or_insert_with(|| {
            let bytes = size * n_elements;
            let start = *next;
            *next = (start + bytes + 31) / 16 * 16;
            (start, bytes)
        });
        Some((start + size * (n_elements / 2), start))
    }

    /// Gives the pointers in objects of the outside their first values.
    pub fn fill_outside_objects(&mut self, span: Span) -> R<()> {
        let mut done = Vec::new();
        while let Some((&key, &(start, _))) = self.memory.outside_objects.iter().find(|(key, _)| !done.contains(*key)) {
            done.push(key);
            let (node, ty) = key;
            if !holds_pointer_type(&self.unit.types, ty) {
                continue;
            }
            let target = self.alias.pointed_to(node);
            let addr = self.num(start);
            let here = PtrVal { addr, base: self.mode.check_memsafety.then_some(addr) };
            for (path, part, _) in self.scalars(ty)? {
                if !self.unit.types.is_pointer(part.id) {
                    continue;
                }
                let value = self.pointer_from_outside(part.id, target, "a pointer from outside", true, span)?;
                let loc = self.deref_loc(here, node, ty);
                let (loc, part) = self.walk_path(loc, Ty::plain(ty), &path, span)?;
                let outer = std::mem::replace(&mut self.context.unchecked_access, true);
                let stored = self.store(&loc, part, &value, span);
                self.context.unchecked_access = outer;
                stored?;
            }
        }
        Ok(())
    }

    // ----- the heap -----

    pub fn allocate_heap(&mut self, size: IntVal, span: Span) -> PtrVal {
        // Other threads see all of it or nothing.
        self.begin_atomic(span);
        let addr = self.bump(size, span);
        if self.mode.check_memsafety {
            let (alloc, sizes) = (self.alloc(), self.size_ghost());
            let two = self.num(2);
            self.set_entry_term(alloc, addr, two, span);
            self.set_entry_term(sizes, addr, size.term, span);
        } else if self.uses_realloc() {
            let sizes = self.size_ghost();
            self.set_entry_term(sizes, addr, size.term, span);
        }
        self.count_live(1, span);
        self.end_atomic(span);
        PtrVal { addr, base: self.mode.check_memsafety.then_some(addr) }
    }

    fn uses_realloc(&self) -> bool {
        self.mentioned.contains("realloc")
    }

    fn count_live(&mut self, change: i128, span: Span) {
        if self.mode.check_memcleanup || self.mode.check_memsafety {
            let live = self.ghost(Ghost::Live);
            let old = self.program.term(live);
            let change = self.num(change);
            let new = self.add2(old, change);
            self.emit_hidden(InstrKind::Stmt(ir::Stmt::Assign(vec![(live, new)])), span);
        }
    }

    fn free(&mut self, p: PtrVal, span: Span) {
        if !(self.mode.check_memcleanup || self.mode.check_memsafety) {
            return;
        }
        let zero = self.num(0);
        let is_null = self.pool.eq(p.addr, zero);
        if is_null == TermId::TRUE {
            return;
        }
        if let Some(base) = p.base {
            let alloc = self.alloc();
            let states = self.program.term(alloc);
            let state = self.pool.select(states, base);
            let two = self.num(2);
            let is_heap = self.pool.eq(state, two);
            let at_start = self.pool.eq(p.addr, base);
            let valid = self.pool.and2(is_heap, at_start);
            if self.alias.has_outside() || self.mode.environment.any_globals {
                // Whoever made it may have taken it from the heap.
                let outside = self.num(OUTSIDE_OBJECT);
                let is_outside = self.pool.eq(state, outside);
                let no = self.branch_hidden(is_outside, span);
                let mark = self.number_temp();
                let what = "freeing an object from outside";
                self.havoc(vec![mark], Nondet::Overapproximation(what.into()), span);
                self.check(TermId::FALSE, Subproperty::ValidFree, what.into(), span);
                self.jump(Vec::new(), span);
                self.otherwise_hidden(no, is_outside, span);
            }
            let valid = self.pool.or2(is_null, valid);
            let subject = Subject::Free { address: p.addr, base };
            let message = "invalid free: not a live heap block".to_string();
            self.check_about(valid, Subproperty::ValidFree, message, subject, span);
        }
        let no = self.branch_hidden(is_null, span);
        let end = self.new_label();
        self.jump(vec![end], span);
        self.otherwise_hidden(no, is_null, span);
        self.begin_atomic(span);
        if let Some(base) = p.base {
            let alloc = self.alloc();
            self.set_entry_term(alloc, base, zero, span);
        }
        self.count_live(-1, span);
        self.end_atomic(span);
        self.place_label(end, span);
    }

    fn calloc(&mut self, e: &Expr, args: &[Expr], span: Span) -> R<Val> {
        let count = self.expr(&args[0])?;
        let count = self.snapshot(count, span);
        let size = self.expr(&args[1])?;
        let (count, size) = (self.int_of(&count), self.int_of(&size));
        let term = self.mul2(count.term, size.term);
        let total = IntVal { term, lo: count.lo.saturating_mul(size.lo), hi: count.hi.saturating_mul(size.hi) };
        let (_, max) = match self.unit.types.int_kind(self.unit.types.size_t()) {
            Some(kind) => self.unit.types.int_range(kind),
            None => (0, i128::MAX),
        };
        if total.hi > max {
            // A request that does not fit in size_t fails in reality; otherwise we do not follow it.
            if !self.mode.environment.malloc_may_fail {
                self.note_assumption("calloc of more than the address space is not followed".into(), span);
            }
        }
        let limit = self.num(max);
        let fits = if total.hi > max { self.le(total.term, limit) } else { TermId::TRUE };
        self.null_or(span, |this| {
            this.assume_undefined(fits, span);
            let p = this.allocate_heap(total, span);
            if let Some(node) = this.alias.value(e) {
                this.zero_heap(p, node, total, span)?;
            }
            Ok(p)
        })
    }

    /// What allocates memory succeeds, or, if it may, fails: then it does nothing and gives null.
    fn null_or(&mut self, span: Span, allocate: impl FnOnce(&mut Self) -> R<PtrVal>) -> R<Val> {
        if !self.mode.environment.malloc_may_fail {
            self.note_assumption_once("malloc and its like never fail, whatever the size", span);
            return Ok(Val::Ptr(allocate(self)?));
        }
        let base = self.mode.check_memsafety.then(|| self.fresh_term());
        let result = PtrVal { addr: self.fresh_term(), base };
        let failed = self.temp(SortId::BOOL);
        self.havoc(vec![failed], Nondet::Choice, span);
        let (failed, zero) = (self.program.term(failed), self.num(0));
        let no = self.branch_hidden(failed, span);
        self.set_pointer(result, PtrVal { addr: zero, base: base.map(|_| zero) }, span);
        self.forget_errno("malloc", span)?;
        let end = self.new_label();
        self.jump(vec![end], span);
        self.otherwise_hidden(no, failed, span);
        let block = allocate(self)?;
        self.set_pointer(result, block, span);
        self.place_label(end, span);
        Ok(Val::Ptr(result))
    }

    fn zero_heap(&mut self, p: PtrVal, node: super::alias::NodeId, size: IntVal, span: Span) -> R<()> {
        use super::alias::Layout;
        if self.alias.layout(node) == Layout::Fields {
            // Every record type of the class, as an array over the block.
            for record in self.alias.created(node) {
                let one = self.unit.types.size_of(record).unwrap_or(0) as i128;
                if one == 0 {
                    continue;
                }
                if size.lo != size.hi || size.lo / one > 64 {
                    return unsupported(span, "calloc of records of variable number");
                }
                for k in 0..size.lo / one {
                    let offset = self.num(k * one);
                    let addr = self.add2(p.addr, offset);
                    let exact = self.int_const(one);
                    let ty = crate::types::Ty::plain(record);
                    self.zero_memory(PtrVal { addr, ..p }, node, exact, Some(ty), span)?;
                }
            }
            return Ok(());
        }
        let zero = self.int_const(0);
        self.fill_memory(p.addr, node, size, zero, span)
    }

    fn realloc(&mut self, p: PtrVal, size: IntVal, e: &Expr, _args: &[Expr], span: Span) -> R<Val> {
        let Val::Ptr(p) = self.snapshot(Val::Ptr(p), span) else { return internal(span, "pointer") };
        let zero = self.num(0);
        let result = if size.lo == 0 {
            // A block of size 0 is freed, and the result is null (as in glibc).
            self.note_assumption("realloc of a block to size 0 frees it".into(), span);
            let (no_size, null) = (self.pool.eq(size.term, zero), self.pool.eq(p.addr, zero));
            let block = self.pool.not(null);
            let frees = self.pool.and2(no_size, block);
            let result = PtrVal { addr: self.fresh_term(), base: self.mode.check_memsafety.then(|| self.fresh_term()) };
            let no = self.branch_hidden(frees, span);
            self.free(p, span);
            let end = self.new_label();
            self.set_pointer(result, PtrVal { addr: zero, base: result.base.map(|_| zero) }, span);
            self.jump(vec![end], span);
            self.otherwise_hidden(no, frees, span);
            Some((result, end))
        } else {
            None
        };
        let new = self.allocate_heap(size, span);
        // Copy what both blocks have; of a null pointer nothing.
        let sizes = self.size_ghost();
        let sizes = self.program.term(sizes);
        let base = p.base.unwrap_or(p.addr);
        let old_size = self.pool.select(sizes, base);
        let is_null = self.pool.eq(p.addr, zero);
        let old_size = self.pool.ite(is_null, zero, old_size);
        let smaller = self.lt(old_size, size.term);
        let common = self.pool.ite(smaller, old_size, size.term);
        let Val::Int(common) = self.snapshot(Val::Int(IntVal { term: common, lo: 0, hi: size.hi }), span) else {
            return internal(span, "size");
        };
        if let Some(node) = self.alias.value(e) {
            self.copy_memory(new.addr, p.addr, node, common, false, span)?;
        }
        self.free(p, span);
        if let Some((result, end)) = result {
            self.set_pointer(result, new, span);
            self.place_label(end, span);
            return Ok(Val::Ptr(result));
        }
        Ok(Val::Ptr(new))
    }

    fn fresh_term(&mut self) -> TermId {
        let var = self.number_temp();
        self.program.term(var)
    }

    /// Assigns to the temporaries of a pointer.
    fn set_pointer(&mut self, target: PtrVal, value: PtrVal, span: Span) {
        let mut list = Vec::new();
        for (t, v) in [(Some(target.addr), Some(value.addr)), (target.base, value.base)] {
            if let (Some(t), Some(v)) = (t, v)
                && let Some((var, _)) = self.program.vars.iter().rev().find(|(_, data)| data.term == t)
            {
                list.push((var, v));
            }
        }
        self.emit_hidden(InstrKind::Stmt(ir::Stmt::Assign(list)), span);
    }

    /// Null, or an object of the library that only the library looks into.
    fn opaque_object(&mut self, size: i128, span: Span) -> R<Val> {
        let size = self.int_const(size);
        let addr = self.bump(size, span);
        if self.mode.check_memsafety {
            let (alloc, sizes) = (self.alloc(), self.size_ghost());
            let one = self.num(1);
            self.set_entry_term(alloc, addr, one, span);
            self.set_entry_term(sizes, addr, size.term, span);
        }
        let failed = self.temp(SortId::BOOL);
        self.havoc(vec![failed], Nondet::Choice, span);
        let (failed, zero) = (self.program.term(failed), self.num(0));
        let addr = self.pool.ite(failed, zero, addr);
        Ok(Val::Ptr(PtrVal { addr, base: self.mode.check_memsafety.then_some(addr) }))
    }

    // ----- blocks of memory -----

    fn check_block(&mut self, p: PtrVal, size: IntVal, span: Span) {
        if size.hi == 0 {
            return;
        }
        self.check_access(p, size.term, span);
    }

    /// `memcpy` between objects that overlap is undefined (C11 7.24.2.1), but compilers themselves rely on it for an
    /// object and itself.
    fn check_disjoint(&mut self, to: PtrVal, from: PtrVal, size: IntVal, span: Span) {
        let (Some(to_base), Some(from_base)) = (to.base, from.base) else { return };
        if !self.mode.check_memsafety || size.hi == 0 {
            return;
        }
        let same_object = self.pool.eq(to_base, from_base);
        let elsewhere = self.pool.not(same_object);
        let (to_end, from_end) = (self.add2(to.addr, size.term), self.add2(from.addr, size.term));
        let (below, above) = (self.le(to_end, from.addr), self.le(from_end, to.addr));
        let same = self.pool.eq(to.addr, from.addr);
        let disjoint = self.pool.or(&[elsewhere, below, above, same]);
        let subject = Subject::Copy { to: to.addr, from: from.addr, size: size.term };
        let message = "copying between overlapping objects".to_string();
        self.check_about(disjoint, Subproperty::ValidDeref, message, subject, span);
    }

    /// The type behind a `void *` argument.
    pub fn pointed_type(&self, e: &Expr) -> Option<crate::types::Ty> {
        match &e.kind {
            ExprKind::Convert(inner) if self.unit.types.is_pointer(inner.ty) => self.pointed_type(inner),
            _ => self.unit.types.pointee(e.ty).filter(|t| t.id != TypeId::VOID),
        }
    }

    /// `memset(p, byte, n)` or `bzero(p, n)`
    fn memset(&mut self, e: &Expr, args: &[Expr], span: Span) -> R<Val> {
        let p = self.expr(&args[0])?;
        let p = self.snapshot(p, span);
        let byte = match args {
            [_, byte, _] => {
                let byte = self.expr(byte)?;
                self.int_of(&byte)
            }
            _ => self.int_const(0),
        };
        let Some(size) = args.last() else { return unsupported(span, "memset without size") };
        let size = self.expr(size)?;
        let size = self.int_of(&size);
        let Val::Ptr(ptr) = p else { return unsupported(span, "memset of no pointer") };
        self.check_block(ptr, size, span);
        let Some(node) = self.alias.value(&args[0]) else { return unsupported(span, "memset of an unknown object") };
        self.check_writable(ptr, node, span);
        let byte = match byte.lo == byte.hi {
            true => self.int_const(byte.lo & 0xff),
            false => IntVal { term: self.low_bits(byte.term, 8), lo: 0, hi: 255 },
        };
        let is_zero = byte.lo == 0 && byte.hi == 0;
        self.overwrites_locks(ptr, &args[0], is_zero.then_some(size), span);
        self.note_one_step(size, e);
        // Seen as bytes, an object has padding, too.
        if is_zero && self.alias.layout(node) != super::alias::Layout::Bytes {
            let ty = self.pointed_type(&args[0]);
            self.race_of_bytes(ptr, &args[0], size, true, span)?;
            let outer = std::mem::replace(&mut self.threads.before_threads, true);
            let zeroed = self.zero_memory(ptr, node, size, ty, span);
            self.threads.before_threads = outer;
            zeroed?;
        } else {
            self.fill_memory(ptr.addr, node, size, byte, span)?;
        }
        Ok(if e.ty == TypeId::VOID { Val::Void } else { Val::Ptr(ptr) })
    }

    /// Copies from one pointer to another, each with its expression.
    fn memcpy(
        &mut self,
        (to, target): (PtrVal, &Expr),
        (from, source): (PtrVal, &Expr),
        size: IntVal,
        may_overlap: bool,
        span: Span,
    ) -> R<()> {
        let (Val::Ptr(to), Val::Ptr(from)) = (self.snapshot(Val::Ptr(to), span), self.snapshot(Val::Ptr(from), span))
        else {
            return internal(span, "pointer");
        };
        self.check_block(from, size, span);
        self.check_block(to, size, span);
        if !may_overlap {
            self.check_disjoint(to, from, size, span);
        }
        let Some(node) = self.alias.value(target) else { return unsupported(span, "memcpy of unknown objects") };
        self.check_writable(to, node, span);
        self.overwrites_locks(to, target, None, span);
        // One object of a known type: scalar by scalar.
        if let (Some(a), Some(b)) = (self.pointed_type(target), self.pointed_type(source))
            && a.id == b.id
            && self.unit.types.element(a.id).is_none()
            && size.lo == size.hi
            && self.unit.types.size_of(a.id).map(|s| s as i128) == Some(size.lo)
            && self.alias.layout(node) != super::alias::Layout::Bytes
        {
            let source = self.deref_loc(from, node, a.id);
            let target = self.deref_loc(to, node, a.id);
            if self.mode.check_uninitialised {
                return self.copy_record(&target, &source, a, span);
            }
            let value = self.load(&source, a, span)?;
            let value = self.snapshot(value, span);
            return self.store(&target, a, &value, span);
        }
        self.copy_memory(to.addr, from.addr, node, size, may_overlap, span)
    }

    fn byte_swap(&mut self, v: IntVal, n: u64) -> IntVal {
        let mut parts = Vec::new();
        for i in 0..n as u32 {
            let shifted = self.shift_down(v.term, 8 * i);
            let byte = self.low_bits(shifted, 8);
            parts.push(self.shift_up(byte, 8 * (n as u32 - 1 - i)));
        }
        let term = self.sum(&parts);
        IntVal { term, lo: 0, hi: (1i128 << (8 * n)) - 1 }
    }

    /// The bits of an integer, counted exactly.
    fn count_bits(&mut self, what: BitCount, v: IntVal, bits: u32) -> IntVal {
        let zero = self.num(0);
        let is_zero = self.pool.eq(v.term, zero);
        let term = match what {
            BitCount::Ones | BitCount::Parity => {
                let ones: Vec<TermId> = (0..bits)
                    .map(|i| {
                        let shifted = self.shift_down(v.term, i);
                        self.low_bits(shifted, 1)
                    })
                    .collect();
                let sum = self.sum(&ones);
                if matches!(what, BitCount::Parity) { self.low_bits(sum, 1) } else { sum }
            }
            BitCount::Leading => {
                let mut term = self.num(bits as i128 - 1);
                for i in 1..bits {
                    let (limit, n) = (self.pow2(i), self.num((bits - 1 - i) as i128));
                    let reaches = self.ge(v.term, limit);
                    term = self.pool.ite(reaches, n, term);
                }
                term
            }
            BitCount::Trailing | BitCount::FirstSet => {
                let first = matches!(what, BitCount::FirstSet) as i128;
                let mut term = self.num(bits as i128 - 1 + first);
                for i in (0..bits - 1).rev() {
                    let low = self.low_bits(v.term, i + 1);
                    let none = self.pool.eq(low, zero);
                    let n = self.num(i as i128 + first);
                    term = self.pool.ite(none, term, n);
                }
                if first == 1 { self.pool.ite(is_zero, zero, term) } else { term }
            }
        };
        IntVal { term, lo: 0, hi: bits as i128 }
    }

    // ----- atomics -----

    /// `__atomic_*` and `__sync_*`: one step, sequentially consistent.
    fn atomic(&mut self, name: &str, args: &[Expr], e: &Expr) -> R<Val> {
        let span = e.span;
        self.note_memory_order(name, args, e);
        if name.ends_with("fence") {
            return Ok(Val::Void);
        }
        let mut values = Vec::new();
        for arg in args {
            let value = self.expr(arg)?;
            values.push(self.snapshot(value, span));
        }
        self.begin_atomic(span);
        let result = self.atomic_access(name, args, &values, span);
        self.end_atomic(span);
        result
    }

    /// Threads see memory in one order here. Weaker operations allow more executions, and races in them: nothing is
    /// proved.
    fn note_memory_order(&mut self, name: &str, args: &[Expr], e: &Expr) {
        const RELAXED: i128 = 0;
        const SEQUENTIAL: i128 = 5;
        // What `atomic_init` of our header says.
        const INITIALISES: i128 = 7;
        let span = e.span;
        if !self.threads.creates_threads {
            return;
        }
        if name == "__atomic_store_n" && matches!(args.last().map(|a| &a.kind), Some(ExprKind::Int(INITIALISES))) {
            self.note_late_initialisation("an atomic object", e);
            return;
        }
        if name == LOCK_TEST_AND_SET && !spin_locks(self.unit).contains(&span) {
            self.note_unsound("__sync_lock_test_and_set, which only acquires, other than to wait for a lock", span);
        }
        if !name.starts_with("__atomic_") {
            return;
        }
        // Fences have no place of their own; others end with one order, comparisons with two.
        let n_orders = if name.contains("compare_exchange") { 2 } else { 1 };
        let n_before = if name.ends_with("_fence") { 0 } else { 1 };
        let orders = args.iter().skip(n_before).rev().take(n_orders).map(|e| match e.kind {
            ExprKind::Int(order) => order & 0xff,
            _ => RELAXED,
        });
        let weakest = orders.min().unwrap_or(SEQUENTIAL);
        if weakest == RELAXED && !name.ends_with("_fence") {
            self.note_unsound("relaxed atomic operations of threads", span);
        } else if weakest < SEQUENTIAL {
            self.note_unsound("atomic operations of threads that are not sequentially consistent", span);
        }
    }

    fn atomic_access(&mut self, name: &str, args: &[Expr], values: &[Val], span: Span) -> R<Val> {
        let Some(pointee) = self.unit.types.pointee(args[0].ty) else { return unsupported(span, name.to_string()) };
        let Val::Ptr(p) = values[0] else { return unsupported(span, name.to_string()) };
        let Some(node) = self.alias.value(&args[0]) else { return unsupported(span, name.to_string()) };
        let mut loc = self.deref_loc(p, node, pointee.id);
        let mut pointee = pointee;
        // `atomic_flag` is a record of one byte.
        if matches!(name, "__atomic_test_and_set" | "__atomic_clear") && self.unit.types.is_record(pointee.id) {
            let Some((path, ..)) = self.scalars(pointee.id)?.into_iter().next() else {
                return unsupported(span, name.to_string());
            };
            (loc, pointee) = self.walk_path(loc, pointee, &path, span)?;
        }
        // Other operations read the old value.
        let old = match name {
            "__atomic_store_n" | "__atomic_clear" | "__sync_lock_release" => Val::Void,
            _ => {
                let old = self.load(&loc, pointee, span)?;
                self.snapshot(old, span)
            }
        };
        let kind = self.unit.types.int_kind(pointee.id);
        let result = match name {
            "__atomic_load_n" => old,
            "__atomic_store_n" => {
                self.store(&loc, pointee, &values[1], span)?;
                Val::Void
            }
            "__atomic_exchange_n" | "__sync_lock_test_and_set" => {
                self.store(&loc, pointee, &values[1], span)?;
                old
            }
            "__atomic_test_and_set" => {
                let one = Val::Int(self.int_const(1));
                self.store(&loc, pointee, &one, span)?;
                Val::Bool(self.truth(&old, pointee.id, span)?)
            }
            "__atomic_clear" | "__sync_lock_release" => {
                let zero = Val::Int(self.int_const(0));
                self.store(&loc, pointee, &zero, span)?;
                Val::Void
            }
            "__atomic_compare_exchange_n" | "__sync_bool_compare_and_swap" | "__sync_val_compare_and_swap" => {
                let by_pointer = name == "__atomic_compare_exchange_n";
                // What is expected is read and written as any other object.
                let expected_ty = Ty { quals: Quals { is_atomic: false, ..pointee.quals }, ..pointee };
                let expected_loc = match (&values[1], by_pointer) {
                    (Val::Ptr(q), true) => match self.alias.value(&args[1]) {
                        Some(node) => Some(self.deref_loc(*q, node, pointee.id)),
                        None => return unsupported(span, name.to_string()),
                    },
                    _ => None,
                };
                let expected = match &expected_loc {
                    Some(loc) => {
                        let loc = loc.clone();
                        if !self.is_only_expected(&args[1]) {
                            self.note_shared_expectation(&loc, span);
                        }
                        self.load(&loc, expected_ty, span)?
                    }
                    None => values[1].clone(),
                };
                let (a, b) = match (&old, &expected) {
                    (Val::Ptr(a), Val::Ptr(b)) => (a.addr, b.addr),
                    _ => (self.int_of(&old).term, self.int_of(&expected).term),
                };
                let mut same = self.pool.eq(a, b);
                // A weak one may fail without a reason.
                if by_pointer && args.get(3).is_some_and(|weak| !matches!(weak.kind, ExprKind::Int(0))) {
                    let choice = self.arbitrary(TypeId::BOOL, Nondet::Choice, span)?;
                    let choice = self.truth(&choice, TypeId::BOOL, span)?;
                    same = self.pool.and2(same, choice);
                }
                let Val::Bool(same) = self.snapshot(Val::Bool(same), span) else {
                    return internal(span, "truth value");
                };
                let no = self.branch_hidden(same, span);
                self.store(&loc, pointee, &values[2], span)?;
                let end = self.new_label();
                self.jump(vec![end], span);
                self.otherwise_hidden(no, same, span);
                if let Some(expected_loc) = &expected_loc {
                    self.store(expected_loc, expected_ty, &old, span)?;
                }
                self.place_label(end, span);
                if name == "__sync_val_compare_and_swap" { old } else { Val::Bool(same) }
            }
            _ => {
                let Some(kind) = kind else { return unsupported(span, name.to_string()) };
                // `__atomic_fetch_OP`, `__sync_fetch_and_OP` give the old value, `__atomic_OP_fetch`,
                // `__sync_OP_and_fetch` the new one.
                let stem = name.trim_start_matches("__atomic_").trim_start_matches("__sync_");
                let gives_old = stem.starts_with("fetch_");
                let word = match (stem.strip_prefix("fetch_and_"), stem.strip_suffix("_and_fetch")) {
                    (Some(word), _) | (_, Some(word)) => word,
                    _ => stem.trim_start_matches("fetch_").trim_end_matches("_fetch"),
                };
                // `__atomic_fetch_and` itself.
                let word = if stem == "fetch_and" || stem == "and_fetch" { "and" } else { word };
                let op = match word {
                    "add" => BinOp::Add,
                    "sub" => BinOp::Sub,
                    "and" | "nand" => BinOp::And,
                    "or" => BinOp::Or,
                    "xor" => BinOp::Xor,
                    _ => return unsupported(span, name.to_string()),
                };
                let (a, b) = (self.int_of(&old), self.int_of(&values[1]));
                // Atomic arithmetic wraps silently (C11 7.17.7.5).
                let checked = std::mem::replace(&mut self.mode.check_overflow, false);
                let new = self.arith(op, a, b, kind, span);
                self.mode.check_overflow = checked;
                let mut new = new?;
                if word == "nand" {
                    new = self.bit_not(new, kind);
                }
                let new = self.snapshot(Val::Int(new), span);
                self.store(&loc, pointee, &new, span)?;
                if gives_old { old } else { new }
            }
        };
        Ok(result)
    }
}

/// Is it a function of the C library or of the compiler, also by a name that they make for themselves (`__strdup`,
/// `__memcpy_chk`, `__strtol_internal`, `__popcountdi2`)?
pub(super) fn is_of_library(name: &str) -> bool {
    let is_known = |name: &str| crate::headers::declares(name) || library::find(name).is_some();
    let name = name.strip_suffix("_unlocked").unwrap_or(name);
    let Some(inner) = name.strip_prefix("__") else { return is_known(name) };
    let stem = inner.strip_suffix("_chk").or_else(|| inner.strip_suffix("_internal")).unwrap_or(inner);
    let of_compiler = ["builtin_", "ctype_", "isoc99_", "isoc23_", "sync_", "atomic_"];
    // The functions of libgcc on numbers are named after their types: si, di, ti, sf, df, and the number of those.
    let on_numbers = stem
        .strip_suffix(['2', '3', '4'])
        .is_some_and(|s| ["si", "di", "ti", "sf", "df", "tf", "xf"].iter().any(|ty| s.ends_with(ty)));
    is_known(name) || is_known(stem) || on_numbers || of_compiler.iter().any(|prefix| inner.starts_with(prefix))
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum BitCount {
    Ones,
    Parity,
    Leading,
    Trailing,
    /// From one; zero has none.
    FirstSet,
}

/// The builtins that count bits, without their prefix.
fn bit_count(name: &str) -> Option<BitCount> {
    Some(match name {
        "popcount" | "popcountl" | "popcountll" => BitCount::Ones,
        "parity" | "parityl" | "parityll" => BitCount::Parity,
        "clz" | "clzl" | "clzll" => BitCount::Leading,
        "ctz" | "ctzl" | "ctzll" => BitCount::Trailing,
        "ffs" | "ffsl" | "ffsll" => BitCount::FirstSet,
        _ => return None,
    })
}
