//! What functions without a body do.
//!
//! A body in the user's program always wins over a model. The string functions are C of their own
//! (see [`crate::prelude`]); here are those that need the memory model, end the program, or choose.

use base::Span;
use ir::{InstrKind, Nondet};
use logic::{SortId, TermId};

use super::float::TOWARDS_ZERO;
use super::int::IntVal;
use super::intrinsics::{is_failure, not_modelled};
use super::memory::{Ghost, PtrVal};
use super::{Errors, Lowerer, R, Val, unsupported};
use crate::hir::*;
use crate::types::{IntKind, TypeId};

/// Functions of the standard library without a model that write through their arguments and return nothing.
const LIBRARY_PROCEDURES: &[&str] =
    &["bzero", "explicit_bzero", "bcopy", "swab", "qsort_r", "sincos", "sincosf", "sincosl", "setbuf", "setbuffer"];

/// Functions on floating numbers that leave `errno` alone, and what is no library function at all.
fn keeps_errno(name: &str) -> bool {
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    let plain = plain.strip_prefix("__").unwrap_or(plain);
    let stem = plain.strip_suffix(['f', 'l']).unwrap_or(plain);
    let is_harmless = |n: &str| {
        n.starts_with("is")
            || matches!(
                n,
                "fabs"
                    | "floor"
                    | "ceil"
                    | "trunc"
                    | "round"
                    | "rint"
                    | "nearbyint"
                    | "fmin"
                    | "fmax"
                    | "copysign"
                    | "signbit"
                    | "fpclassify"
                    | "modf"
                    | "frexp"
                    | "nan"
                    | "lround"
                    | "llround"
                    | "lrint"
                    | "llrint"
                    | "finite"
                    | "inf"
                    | "huge_val"
            )
    };
    is_harmless(plain) || is_harmless(stem) || name.starts_with("__VERIFIER_") || !crate::headers::declares(name)
}

impl Lowerer<'_> {
    /// Is it what `assert` of some C library calls when it fails? Their first argument is a text; programs have other functions
    /// of such names, which are given a condition.
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
            Errors::CallsOf(named) => named == Some(func),
        }
    }

    /// Calls that must see their arguments unevaluated.
    pub fn special_call(&mut self, func: FuncId, e: &Expr, args: &[Expr]) -> Option<R<Val>> {
        let name = self.unit.funcs[func].name.clone();
        let span = e.span;
        if let (Some(number), [expression]) = (name.strip_prefix(crate::annotate::NOTE), args) {
            return Some(self.annotation(number, expression, span));
        }
        match &*name {
            "assert" if args.len() == 1 => Some(self.assertion(func, &args[0], e, span)),
            "memset" if args.len() == 3 => Some(self.memset(args, span)),
            "calloc" if args.len() == 2 => Some(self.calloc(e, args, span)),
            _ if (name.starts_with("__atomic_") || name.starts_with("__sync_")) && !args.is_empty() => {
                Some(self.atomic(&name, args, span))
            }
            _ => None,
        }
    }

    /// `assert` called as a function: no header, but the meaning is plain.
    fn assertion(&mut self, func: FuncId, condition: &Expr, e: &Expr, span: Span) -> R<Val> {
        let counts = self.mode.errors == Errors::All || self.is_error(func);
        let c = self.condition(condition)?;
        if self.mode.check_unreach && counts {
            self.check(c, "unreach-call", "the assertion may fail".into(), span);
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
        let dead = self.new_label();
        self.place_label(dead, span);
        self.jump(Vec::new(), span);
        let value = self.dead_value(ty, span)?;
        Ok(value)
    }

    /// Null, or a pointer that points nobody knows where.
    fn any_pointer(&mut self, ty: TypeId, span: Span) -> Val {
        let addr = self.number_temp();
        let mut parts = vec![addr];
        parts.extend(self.needs_base(ty).then(|| self.number_temp()));
        let (null, elsewhere, end) = (self.new_label(), self.new_label(), self.new_label());
        self.jump(vec![null, elsewhere], span);
        self.place_label(null, span);
        let zero = self.num(0);
        let nowhere = parts.iter().map(|&v| (v, zero)).collect();
        self.emit_hidden(InstrKind::Stmt(ir::Stmt::Assign(nowhere)), span);
        self.jump(vec![end], span);
        self.place_label(elsewhere, span);
        self.havoc(parts.clone(), Nondet::Overapproximation("an arbitrary pointer".into()), span);
        let fact = self.gt(self.program.term(addr), zero);
        self.assume_fact(fact, span);
        self.place_label(end, span);
        let base = parts.get(1).map(|&b| self.program.term(b));
        Val::Ptr(PtrVal { addr: self.program.term(addr), base })
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

    pub fn library_call(&mut self, func: FuncId, values: &[(Val, TypeId)], e: &Expr, args: &[Expr]) -> R<Val> {
        let span = e.span;
        let name = self.unit.funcs[func].name.clone();
        let arg = |i: usize| values.get(i).map(|(v, _)| v.clone());
        if let Some(result) = self.thread_call(&name, values, e, args) {
            return result;
        }
        if let Some(rest) = name.strip_prefix("__VERIFIER_nondet_") {
            if rest == "memory" {
                return unsupported(span, "__VERIFIER_nondet_memory");
            }
            if matches!(rest, "float" | "double") {
                return self.arbitrary(e.ty, Nondet::Input(name.to_string()), span);
            }
            if self.unit.types.is_pointer(e.ty) {
                return Ok(self.any_pointer(e.ty, span));
            }
            let value = self.arbitrary(e.ty, Nondet::Input(name.to_string()), span)?;
            if rest == "bool"
                && let Val::Int(v) = &value
            {
                let fact = self.in_range(v.term, 0, 1);
                self.assume(fact, span);
                return Ok(Val::Int(IntVal { lo: 0, hi: 1, ..*v }));
            }
            return Ok(value);
        }
        if name.starts_with(crate::prelude::ANY_VALUE) {
            return self.arbitrary(e.ty, Nondet::Choice, span);
        }
        if name.starts_with(crate::prelude::UNKNOWN_VALUE) {
            let what = "a number in a text that is long or not decimal";
            self.note_imprecise(what, span);
            return self.arbitrary(e.ty, Nondet::Overapproximation(what.into()), span);
        }
        if let Some(result) = self.intrinsic_call(&name, values, e, args, span) {
            return result;
        }
        match &*name {
            "__VERIFIER_assume" => {
                let Some(value) = arg(0) else { return unsupported(span, "__VERIFIER_assume without argument") };
                let c = self.truth(&value, values[0].1, span)?;
                self.assume(c, span);
                Ok(Val::Void)
            }
            _ if self.is_assertion_failure(func) => self.stop(e.ty, span),
            "reach_error" | "__VERIFIER_error" | "abort" | "exit" | "_exit" | "_Exit" | "__builtin_trap"
            | "__builtin_abort" | "__builtin_exit" => {
                if matches!(&*name, "exit" | "__builtin_exit") {
                    self.run_exit_handlers(span);
                }
                self.stop(e.ty, span)
            }
            "__builtin_unreachable" => {
                self.note_assumption("__builtin_unreachable is not reached".into(), span);
                self.assume_undefined(TermId::FALSE, span);
                Ok(Val::Void)
            }
            "malloc" | "__builtin_malloc" | "valloc" => {
                let Some(size) = arg(0) else { return unsupported(span, "malloc without size") };
                let size = self.int_of(&size);
                Ok(Val::Ptr(self.allocate_heap(size, span)))
            }
            "alloca" | "__builtin_alloca" | "__builtin_alloca_with_align" => {
                let Some(size) = arg(0) else { return unsupported(span, "alloca without size") };
                let size = self.int_of(&size);
                Ok(Val::Ptr(self.alloca(size, span)))
            }
            "free" | "cfree" | "__builtin_free" => {
                let Some(Val::Ptr(p)) = arg(0) else { return unsupported(span, "free without pointer") };
                self.free(p, span);
                Ok(Val::Void)
            }
            "realloc" => {
                let (Some(Val::Ptr(p)), Some(size)) = (arg(0), arg(1)) else {
                    return unsupported(span, "realloc without arguments");
                };
                let size = self.int_of(&size);
                self.realloc(p, size, e, args, span)
            }
            "memcpy" | "memmove" | "__builtin_memcpy" | "__builtin_memmove" => {
                let (Some(Val::Ptr(to)), Some(Val::Ptr(from)), Some(size)) = (arg(0), arg(1), arg(2)) else {
                    return unsupported(span, "memcpy without arguments");
                };
                let size = self.int_of(&size);
                self.memcpy(to, from, size, args, name.ends_with("memmove"), span)?;
                Ok(Val::Ptr(to))
            }
            "__VERIFIER_atomic_begin" => {
                self.begin_atomic(span);
                Ok(Val::Void)
            }
            "__VERIFIER_atomic_end" => {
                self.end_atomic(span);
                Ok(Val::Void)
            }
            "setjmp" | "_setjmp" | "longjmp" | "siglongjmp" | "sigsetjmp" | "fork" => {
                unsupported(span, name.to_string())
            }
            "scanf" | "__isoc99_scanf" => self.scan(values, args, 1, e, span),
            "fscanf" | "sscanf" | "__isoc99_fscanf" | "__isoc99_sscanf" => self.scan(values, args, 2, e, span),
            "getenv" | "strerror" => {
                let what = format!("the text that {name} returns");
                self.note_imprecise(&what, span);
                self.arbitrary(e.ty, Nondet::Overapproximation(what), span)
            }
            "fopen" | "fdopen" | "freopen" | "tmpfile" if self.unit.types.is_pointer(e.ty) => {
                let pointee = self.unit.types.pointee(e.ty);
                let size = pointee.and_then(|t| self.unit.types.size_of(t.id)).unwrap_or(256);
                self.opaque_object(size as i128, span)
            }
            "clock" | "feof" | "ferror" => self.arbitrary(e.ty, Nondet::Choice, span),
            "getchar" | "fgetc" | "getc" | crate::prelude::NEXT_BYTE => {
                let source = if &*name == crate::prelude::NEXT_BYTE { ir::STANDARD_INPUT } else { &name };
                let value = self.arbitrary(e.ty, Nondet::Input(source.to_string()), span)?;
                if let Val::Int(v) = &value {
                    let fact = self.in_range(v.term, -1, 255);
                    self.assume(fact, span);
                }
                Ok(value)
            }
            "printf" | "fprintf" | "puts" | "putchar" | "putc" | "fputc" | "fputs" | "fflush" | "perror"
            | "vprintf" | "vfprintf" | "fclose" | "fwrite" | "srand" | "srandom" | "usleep" | "sleep"
            | "__builtin_prefetch" | "sched_yield" | "__builtin_puts" | "__builtin_printf" | "__builtin_putchar" => {
                self.output(&name, values, args, e, span)
            }
            "rand" | "random" => {
                // A seed fixes the numbers that follow, unless it comes from the clock.
                let is_seeded = self.mentioned.contains("srand") || self.mentioned.contains("srandom");
                let why = if is_seeded && !self.mentioned.contains("time") {
                    Nondet::Overapproximation(format!("the results of {name} after a seed"))
                } else {
                    Nondet::Input(name.to_string())
                };
                let value = self.arbitrary(e.ty, why, span)?;
                if let Val::Int(v) = &value {
                    let zero = self.num(0);
                    let fact = self.ge(v.term, zero);
                    self.assume(fact, span);
                }
                Ok(value)
            }
            "__builtin_bswap16" | "__builtin_bswap32" | "__builtin_bswap64" => {
                let Some(value) = arg(0) else { return unsupported(span, "bswap without argument") };
                let v = self.int_of(&value);
                let n = self.unit.types.size_of(e.ty).unwrap_or(4);
                Ok(Val::Int(self.byte_swap(v, n)))
            }
            _ if name.strip_prefix("__builtin_").is_some_and(|n| bit_count(n).is_some()) => {
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
                let result = self.defined_if(is_defined, IntKind::Int, &what_if_zero, span, |this| {
                    Ok(this.count_bits(what, v, bits))
                })?;
                Ok(Val::Int(result))
            }
            "__builtin_nan" | "__builtin_nanf" | "__builtin_nanl" | "nan" | "nanf" | "nanl" => {
                Ok(self.float_constant(f64::NAN, e.ty))
            }
            "__builtin_inf"
            | "__builtin_inff"
            | "__builtin_infl"
            | "__builtin_huge_val"
            | "__builtin_huge_valf"
            | "__builtin_huge_vall" => Ok(self.float_constant(f64::INFINITY, e.ty)),
            "fegetround" => Ok(Val::Int(match self.rounding_mode() {
                Some(mode) => IntVal { term: self.program.term(mode), lo: 0, hi: i128::from(TOWARDS_ZERO) },
                None => self.int_const(0),
            })),
            "fesetround" => {
                let (Some(wanted), Some(mode)) = (arg(0), self.rounding_mode()) else {
                    return unsupported(span, "fesetround without argument");
                };
                let wanted = self.int_of(&wanted).term;
                self.set_rounding_mode(mode, wanted, span)
            }
            _ => {
                if !keeps_errno(&name) {
                    self.forget_errno(span)?;
                }
                match self.float_function(&name, values, e.ty, span) {
                    Some(result) => result,
                    None => self.unknown_function(&name, values, e, args, span),
                }
            }
        }
    }

    /// A function of the library without a model may have written `errno`, in programs that look at it.
    pub fn forget_errno(&mut self, span: Span) -> R<()> {
        let is_errno = |v: &Var| {
            &*v.name == crate::prelude::ERRNO && self.mentioned.contains("__errno_location")
                || &*v.name == "errno" && v.storage == Storage::Static { defined: false }
        };
        let Some(var) = self.unit.vars.iter().find(|(_, v)| is_errno(v)).map(|(id, _)| id) else { return Ok(()) };
        let ty = self.unit.vars[var].ty;
        let loc = self.var_loc(var, span)?;
        let value = self.arbitrary(ty.id, Nondet::Overapproximation("errno after a library function".into()), span)?;
        self.store(&loc, ty, &value, span)
    }

    /// Nothing is known of the function: any result. If it is given pointers to numbers it may write any there; if it is given
    /// other pointers, nothing is proved.
    fn unknown_function(
        &mut self,
        name: &str,
        values: &[(Val, TypeId)],
        e: &Expr,
        args: &[Expr],
        span: Span,
    ) -> R<Val> {
        if let Some(what) = not_modelled(name, span) {
            return Err(what);
        }
        let function_type =
            self.unit.funcs.values().find(|f| &*f.name == name).and_then(|f| self.unit.types.function(f.ty));
        let mut writes = false;
        let mut written = Vec::new();
        for (i, (value, ty)) in values.iter().enumerate() {
            let Val::Ptr(p) = value else { continue };
            let declared = function_type.as_ref().and_then(|f| f.params.get(i)).map_or(*ty, |p| p.id);
            let is_const = self.unit.types.pointee(declared).is_some_and(|p| p.quals.is_const);
            let is_null = self.is_zero_constant(p.addr);
            if is_const || is_null {
                continue;
            }
            writes = true;
            // Numbers behind the pointer may change; pointers there could change what points where.
            let is_function = self.unit.types.pointee(*ty).is_some_and(|p| self.unit.types.is_function(p.id));
            let object = args.get(i).filter(|_| !is_function).and_then(|a| self.alias.value(a));
            written.push(object.filter(|&node| !self.alias.holds_pointers(node)));
        }
        let is_library = LIBRARY_PROCEDURES.contains(&name);
        // How much of a buffer such a function accesses is written in the standard, but not here.
        let is_buffer = |this: &mut Self, (i, (value, ty)): (usize, &(Val, TypeId))| {
            let Val::Ptr(p) = value else { return false };
            let Some(pointee) = this.unit.types.pointee(*ty) else { return false };
            let is_text = pointee.id == TypeId::VOID
                || this.unit.types.int_kind(pointee.id).is_some()
                    && (this.unit.types.size_of(pointee.id) == Some(1) || name.starts_with('w'));
            is_text && !this.is_zero_constant(p.addr) && args.get(i).is_none_or(|a| this.literal_text(a).is_none())
        };
        if self.mode.check_memsafety
            && crate::headers::declares(name)
            && values.iter().enumerate().any(|argument| is_buffer(self, argument))
        {
            self.note_unsound(&format!("which memory {name} accesses"), span);
        }
        let objects: Option<Vec<_>> = written.into_iter().collect();
        if let (true, false, false, Some(objects)) = (writes, is_library, self.mode.check_races, objects) {
            self.note_assumption(
                format!("function {name} without body: any result, writes through its pointers"),
                span,
            );
            for node in objects {
                let mark = self.number_temp();
                self.havoc(vec![mark], Nondet::Overapproximation(format!("what {name} writes")), span);
                self.outside_writes.push((mark, Some(node)));
            }
        } else if writes {
            self.note_unsound(&format!("{name} has no body and might write through its arguments"), span);
        } else {
            self.note_assumption(format!("function {name} without body: any result, no effect"), span);
        }
        if writes && e.ty == TypeId::VOID && is_library {
            // What it does is known, though not here.
            let what = Nondet::Overapproximation(format!("the effect of {name}"));
            self.arbitrary(TypeId::INT, what, span)?;
        }
        let why = if values.is_empty() && !self.unit.types.is_pointer(e.ty) {
            Nondet::Input(name.to_string())
        } else {
            Nondet::Overapproximation(format!("the result of {name}"))
        };
        self.arbitrary(e.ty, why, span)
    }

    // ----- the heap -----

    pub fn allocate_heap(&mut self, size: IntVal, span: Span) -> PtrVal {
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
            let valid = self.pool.or2(is_null, valid);
            self.check(valid, "valid-free", "free of something that is no live heap block".into(), span);
        }
        let no = self.branch_hidden(is_null, span);
        let end = self.new_label();
        self.jump(vec![end], span);
        self.otherwise_hidden(no, is_null, span);
        if let Some(base) = p.base {
            let alloc = self.alloc();
            self.set_entry_term(alloc, base, zero, span);
        }
        self.count_live(-1, span);
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
            // A request that does not fit in size_t fails in reality; we do not follow it.
            let limit = self.num(max);
            let fits = self.le(total.term, limit);
            self.note_assumption("calloc of more than the address space is not followed".into(), span);
            self.assume_undefined(fits, span);
        }
        let p = self.allocate_heap(total, span);
        let node = self.alias.value(e);
        if let Some(node) = node {
            self.zero_heap(p, node, total, span)?;
        }
        Ok(Val::Ptr(p))
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
        self.fill_memory(p.addr, node, size, 0, span)
    }

    fn realloc(&mut self, p: PtrVal, size: IntVal, e: &Expr, _args: &[Expr], span: Span) -> R<Val> {
        let Val::Ptr(p) = self.snapshot(Val::Ptr(p), span) else { return unsupported(span, "internal: pointer") };
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
            return unsupported(span, "internal: size");
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
        if !self.mode.check_memsafety || size.hi == 0 {
            return;
        }
        self.check_access(p, size.term, span);
    }

    /// `memcpy` between objects that overlap is undefined (C11 7.24.2.1), but compilers themselves rely on it for an object and itself.
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
        self.check(disjoint, "valid-deref", "memcpy may copy between overlapping objects".into(), span);
    }

    /// The type behind a `void *` argument.
    pub fn pointed_type(&self, e: &Expr) -> Option<crate::types::Ty> {
        match &e.kind {
            ExprKind::Convert(inner) if self.unit.types.is_pointer(inner.ty) => self.pointed_type(inner),
            _ => self.unit.types.pointee(e.ty).filter(|t| t.id != TypeId::VOID),
        }
    }

    fn memset(&mut self, args: &[Expr], span: Span) -> R<Val> {
        let p = self.expr(&args[0])?;
        let p = self.snapshot(p, span);
        let byte = self.expr(&args[1])?;
        let size = self.expr(&args[2])?;
        let (byte, size) = (self.int_of(&byte), self.int_of(&size));
        let Val::Ptr(ptr) = p else { return unsupported(span, "memset of no pointer") };
        self.check_block(ptr, size, span);
        let Some(node) = self.alias.value(&args[0]) else { return unsupported(span, "memset of an unknown object") };
        self.check_writable(ptr, node, span);
        if byte.lo != byte.hi {
            return unsupported(span, "memset with a variable byte");
        }
        let byte = byte.lo & 0xff;
        // Seen as bytes, an object has padding, too.
        if byte == 0 && self.alias.layout(node) != super::alias::Layout::Bytes {
            let ty = self.pointed_type(&args[0]);
            self.zero_memory(ptr, node, size, ty, span)?;
        } else {
            self.fill_memory(ptr.addr, node, size, byte, span)?;
        }
        Ok(Val::Ptr(ptr))
    }

    fn memcpy(
        &mut self,
        to: PtrVal,
        from: PtrVal,
        size: IntVal,
        args: &[Expr],
        may_overlap: bool,
        span: Span,
    ) -> R<()> {
        let (Val::Ptr(to), Val::Ptr(from)) = (self.snapshot(Val::Ptr(to), span), self.snapshot(Val::Ptr(from), span))
        else {
            return unsupported(span, "internal: pointer");
        };
        self.check_block(from, size, span);
        self.check_block(to, size, span);
        if !may_overlap {
            self.check_disjoint(to, from, size, span);
        }
        let Some(node) = self.alias.value(&args[0]) else { return unsupported(span, "memcpy of unknown objects") };
        self.check_writable(to, node, span);
        // One object of a known type: scalar by scalar.
        if let (Some(a), Some(b)) = (self.pointed_type(&args[0]), self.pointed_type(&args[1]))
            && a.id == b.id
            && size.lo == size.hi
            && self.unit.types.size_of(a.id).map(|s| s as i128) == Some(size.lo)
            && self.alias.layout(node) != super::alias::Layout::Bytes
        {
            let source = self.deref_loc(from, node, a.id);
            let target = self.deref_loc(to, node, a.id);
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
    fn atomic(&mut self, name: &str, args: &[Expr], span: Span) -> R<Val> {
        if name.ends_with("fence") || name == "__sync_synchronize" {
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

    fn atomic_access(&mut self, name: &str, args: &[Expr], values: &[Val], span: Span) -> R<Val> {
        let Some(pointee) = self.unit.types.pointee(args[0].ty) else { return unsupported(span, name.to_string()) };
        let Val::Ptr(p) = values[0] else { return unsupported(span, name.to_string()) };
        let Some(node) = self.alias.value(&args[0]) else { return unsupported(span, name.to_string()) };
        let loc = self.deref_loc(p, node, pointee.id);
        let old = self.load(&loc, pointee, span)?;
        let old = self.snapshot(old, span);
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
                        self.load(&loc, pointee, span)?
                    }
                    None => values[1].clone(),
                };
                let (a, b) = match (&old, &expected) {
                    (Val::Ptr(a), Val::Ptr(b)) => (a.addr, b.addr),
                    _ => (self.int_of(&old).term, self.int_of(&expected).term),
                };
                let same = self.pool.eq(a, b);
                let Val::Bool(same) = self.snapshot(Val::Bool(same), span) else {
                    return unsupported(span, "internal: truth value");
                };
                let no = self.branch_hidden(same, span);
                self.store(&loc, pointee, &values[2], span)?;
                let end = self.new_label();
                self.jump(vec![end], span);
                self.otherwise_hidden(no, same, span);
                if let Some(expected_loc) = &expected_loc {
                    self.store(expected_loc, pointee, &old, span)?;
                }
                self.place_label(end, span);
                if name == "__sync_val_compare_and_swap" { old } else { Val::Bool(same) }
            }
            _ => {
                let Some(kind) = kind else { return unsupported(span, name.to_string()) };
                // `__atomic_fetch_OP`, `__sync_fetch_and_OP` give the old value, `__atomic_OP_fetch`, `__sync_OP_and_fetch` the new one.
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
