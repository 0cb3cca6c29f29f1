//! POSIX threads.
//!
//! *Interleaved*: creating a thread is a `Fork`, waiting for it a `Join`, and every access to an object that threads
//! may share is a step of its own (sequential consistency): what is read is copied to a temporary immediately. Locks
//! are numbers of their own, 0 when free; taking one is an atomic step that waits until it is. Locks at addresses that
//! the program text fixes are variables, so that the reduction of interleavings ([`ir::interleave`]) can see who holds
//! them.
//!
//! *Sequentialised*: a new thread runs to its end where it is created. That is one of the schedules, so violations in
//! it are real; the others are not explored, so nothing is proved.
//!
//! A waiting thread may wake up without a signal, as POSIX allows, so signals need no model.

use base::Span;
use ir::{InstrKind, Nondet};
use logic::TermId;

use super::deadlocks::For;
use super::memory::{Ghost, PtrVal};
use super::reachability::Reachability;
use super::{Lowerer, R, Val, internal, unsupported};
use crate::hir::*;
use crate::types::TypeId;
use crate::visit::{Node, root, walk_stmt};

/// What becomes of threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Threads {
    #[default]
    Unsupported,
    Interleaved,
    AtOnce,
}

/// The parts of a lock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LockPart {
    /// Taken by one.
    Owner,
    /// The number of readers, the value of a semaphore, or the number of threads at a barrier.
    Count,
    /// How often a barrier has opened.
    Round,
    /// The kind of a mutex, and which thread has it.
    Kind,
    Holder,
    /// Of a read-write lock: one of the threads that read, as its number plus 1, and how often it has the lock.
    Reader,
    Reads,
    /// Of a condition variable: how many threads never wake up, how many others wait for a signal, and how many of
    /// those were sent one.
    Sleepers,
    Waiters,
    Signals,
}

impl LockPart {
    pub const ALL: [LockPart; 10] = [
        LockPart::Owner,
        LockPart::Count,
        LockPart::Round,
        LockPart::Kind,
        LockPart::Holder,
        LockPart::Reader,
        LockPart::Reads,
        LockPart::Sleepers,
        LockPart::Waiters,
        LockPart::Signals,
    ];
    fn is_of_condition(self) -> bool {
        matches!(self, LockPart::Sleepers | LockPart::Waiters | LockPart::Signals)
    }
}

/// The result of trying a lock that is taken.
const EBUSY: i128 = 16;

/// The result of waiting too long.
const ETIMEDOUT: i128 = 110;

/// The kinds of mutexes that know their holder, and what they answer to others.
const RECURSIVE: i128 = 1;
const ERROR_CHECKING: i128 = 2;
const EPERM: i128 = 1;
const EDEADLK: i128 = 35;
const EINVAL: i128 = 22;

/// The most that a semaphore counts.
const SEM_VALUE_MAX: i128 = i32::MAX as i128;

/// So large a stack is large enough on every machine.
const LARGEST_LEAST_STACK: i128 = 0x20000;

/// What `pthread_once` knows of its control variable: not called yet (0), or the function runs, or has run.
const ONCE_RUNS: i128 = 1;
const ONCE_DONE: i128 = 2;

/// Results of C11 threads.
const THRD_BUSY: i128 = 1;
const THRD_TIMEDOUT: i128 = 4;

/// The function by which models and thread-local variables know which thread runs: counted from 0.
pub(super) const OWN_NUMBER: &str = "__craig_thread";

/// What a function of C11 threads is called in POSIX.
fn posix_name(name: &str) -> Option<&'static str> {
    Some(match name {
        "thrd_create" => "pthread_create",
        "thrd_join" => "pthread_join",
        "thrd_exit" => "pthread_exit",
        "thrd_equal" => "pthread_equal",
        "thrd_current" => "pthread_self",
        OWN_NUMBER => "pthread_number",
        "thrd_detach" => "pthread_detach",
        "thrd_yield" | "thrd_sleep" => "sched_yield",
        "mtx_init" => "pthread_mutex_init",
        "mtx_lock" => "pthread_mutex_lock",
        "mtx_trylock" => "pthread_mutex_trylock",
        "mtx_timedlock" => "pthread_mutex_timedlock",
        "mtx_unlock" => "pthread_mutex_unlock",
        "mtx_destroy" => "pthread_mutex_destroy",
        "cnd_init" => "pthread_cond_init",
        "cnd_signal" => "pthread_cond_signal",
        "cnd_broadcast" => "pthread_cond_broadcast",
        "cnd_wait" => "pthread_cond_wait",
        "cnd_timedwait" => "pthread_cond_timedwait",
        "cnd_destroy" => "pthread_cond_destroy",
        "call_once" => "pthread_once",
        _ => return None,
    })
}

/// Do functions join threads that are none of those that executions start in? Such a function may be run by the thread
/// that it joins.
pub(super) fn joins_elsewhere(unit: &Unit, reach: &Reachability, entries: &[FuncId]) -> bool {
    let mut found = false;
    for func in reach.functions.iter().filter(|f| !entries.contains(f)) {
        for stmt in unit.funcs[*func].body.iter().flatten() {
            walk_stmt(stmt, &mut |node| {
                if let Node::Expr(Expr { kind: ExprKind::Call { callee: Callee::Direct(callee), .. }, .. }) = node {
                    found |= matches!(&*unit.funcs[*callee].name, "pthread_join" | "thrd_join");
                }
                true
            });
        }
    }
    found
}

/// The number of the first thread as programs see it: not 0, which they take for no thread at all.
const FIRST_THREAD: i128 = 1 << 20;

impl Lowerer<'_> {
    pub fn begin_atomic(&mut self, span: Span) {
        if self.threads.concurrent {
            self.emit_hidden(InstrKind::AtomicBegin, span);
        }
    }
    pub fn end_atomic(&mut self, span: Span) {
        if self.threads.concurrent {
            self.emit_hidden(InstrKind::AtomicEnd, span);
        }
    }

    /// What the program text says is atomic.
    pub fn begin_atomic_section(&mut self, span: Span) {
        self.threads.in_atomic_section = true;
        self.begin_atomic(span);
    }
    pub fn end_atomic_section(&mut self, span: Span) {
        self.threads.in_atomic_section = false;
        self.end_atomic(span);
    }

    /// A call into a thread library: POSIX, or C11 in terms of that.
    pub fn thread_call(&mut self, name: &str, values: &[(Val, TypeId)], e: &Expr, args: &[Expr]) -> R<Val> {
        let span = e.span;
        let Some(posix) = posix_name(name) else { return self.posix_call(name, values, e, args) };
        let result = match (name, values, args) {
            ("thrd_yield" | "thrd_sleep", ..) => Val::Int(self.int_const(0)),
            ("thrd_create", [id, function, argument], [to, f, a]) => {
                let values = [id.clone(), id.clone(), function.clone(), argument.clone()];
                let args = [to.clone(), to.clone(), f.clone(), a.clone()];
                self.posix_call(posix, &values, e, &args)?
            }
            ("mtx_init", [_, (Val::Int(kind), _)], _) => {
                // Only a recursive one is of another kind.
                if kind.lo != kind.hi || kind.lo & RECURSIVE != 0 {
                    return unsupported(span, "threads: recursive mutexes of C11");
                }
                self.posix_call(posix, &values[..1], e, &args[..1])?
            }
            _ => self.posix_call(posix, values, e, args)?,
        };
        if e.ty == TypeId::VOID {
            return Ok(Val::Void);
        }
        // C11 has error numbers of its own.
        let failed = match name {
            "mtx_trylock" => THRD_BUSY,
            "mtx_timedlock" | "cnd_timedwait" => THRD_TIMEDOUT,
            _ => return Ok(result),
        };
        let (zero, failed_term) = (self.num(0), self.num(failed));
        let term = self.int_of(&result).term;
        let is_fine = self.pool.eq(term, zero);
        let term = self.pool.ite(is_fine, zero, failed_term);
        Ok(Val::Int(super::int::IntVal { term, lo: 0, hi: failed }))
    }

    fn posix_call(&mut self, name: &str, values: &[(Val, TypeId)], e: &Expr, args: &[Expr]) -> R<Val> {
        let span = e.span;
        let (rest, is_semaphore) = match (name.strip_prefix("pthread_"), name.strip_prefix("sem_")) {
            (Some(rest), _) => (rest, false),
            (None, Some(rest)) => (rest, true),
            (None, None) => return unsupported(span, format!("threads: {name}")),
        };
        let lone = [
            "mutex_",
            "mutexattr_",
            "attr_",
            "cond_",
            "condattr_",
            "rwlock_",
            "spin_",
            "barrier_",
            "once",
            "equal",
            "self",
            "number",
        ];
        let is_lock = lone.iter().any(|p| rest.starts_with(p));
        let possible = if self.threads.creates_threads {
            self.mode.threads != Threads::Unsupported
        } else {
            // A lone thread can still wait for a lock that it holds itself.
            is_lock || is_semaphore
        };
        if !possible {
            return unsupported(span, format!("threads: {name}"));
        }
        if is_semaphore {
            return self.semaphore(rest, values, e, args);
        }
        let lock = match values.first() {
            Some((Val::Ptr(p), _)) => Some(*p),
            _ => None,
        };
        let zero = Val::Int(self.int_const(0));
        if rest.ends_with("_init") && !rest.contains("attr") {
            self.note_late_initialisation("a lock", e);
        }
        match (rest, lock) {
            ("create", _) if self.threads.concurrent => self.fork(values, args, span),
            ("create", _) => self.run_at_once(values, args, e, span),
            ("join", _) => self.join(values, args, span),
            ("exit", _) if self.threads.concurrent => self.exit_thread(values, e, span),
            (_, Some(_)) if rest.starts_with("mutex_") && self.threads.has_other_mutexes => {
                unsupported(span, "threads: a mutex that is initialised to another kind")
            }
            ("mutex_lock", Some(p)) if self.threads.has_mutex_kinds => self.lock_of_any_kind(p, false, span),
            ("mutex_trylock", Some(p)) if self.threads.has_mutex_kinds => self.lock_of_any_kind(p, true, span),
            ("mutex_unlock", Some(p)) if self.threads.has_mutex_kinds => self.unlock_of_any_kind(p, span),
            ("mutex_timedlock", Some(_)) if self.threads.has_mutex_kinds => {
                unsupported(span, "threads: pthread_mutex_timedlock where mutexes may be of several kinds")
            }
            ("mutex_init", Some(p)) if self.threads.has_mutex_kinds => {
                let kind = match values.get(1) {
                    Some((Val::Ptr(attributes), _)) if !self.is_zero_constant(attributes.addr) => {
                        let kind = self.lock_state(*attributes, LockPart::Kind);
                        let (zero, null) = (self.num(0), self.num(0));
                        let is_null = self.pool.eq(attributes.addr, null);
                        self.pool.ite(is_null, zero, kind)
                    }
                    _ => self.num(0),
                };
                self.set_lock_state(p, LockPart::Kind, kind, span);
                self.release(p, span).map(|()| zero)
            }
            ("mutexattr_init", Some(p)) if self.threads.has_mutex_kinds => {
                let normal = self.num(0);
                self.set_lock_state(p, LockPart::Kind, normal, span);
                Ok(zero)
            }
            ("mutexattr_settype", Some(p)) => {
                let Some((Val::Int(kind), _)) = values.get(1) else {
                    return unsupported(span, "threads: mutexes of this kind");
                };
                // PTHREAD_MUTEX_DEFAULT may be anything, but no program can rely on that.
                if kind.lo < 0 || kind.hi > ERROR_CHECKING {
                    return unsupported(span, "threads: mutexes of this kind");
                }
                let kind = kind.term;
                self.set_lock_state(p, LockPart::Kind, kind, span);
                Ok(zero)
            }
            ("number", _) => Ok(Val::Int(self.own_thread())),
            ("self", _) => {
                let (me, zero, first) = (self.self_id(), self.num(0), self.num(FIRST_THREAD));
                let is_first = self.pool.eq(me, zero);
                let id = self.pool.ite(is_first, first, me);
                Ok(Val::Int(super::int::IntVal { term: id, lo: 1, hi: i32::MAX.into() }))
            }
            ("mutex_lock" | "spin_lock", Some(p)) => self.take(p, span).map(|()| zero),
            ("mutex_timedlock", Some(p)) => self.take_in_time(p, e, span),
            ("rwlock_tryrdlock" | "rwlock_trywrlock", Some(p)) => self.try_read_write_lock(rest, p, span),
            ("once", Some(p)) => self.once(p, values, args, e).map(|()| zero),
            ("barrier_init", Some(p)) => {
                let Some((count, _)) = values.get(2) else {
                    return unsupported(span, "threads: arguments of a barrier");
                };
                let count = self.int_of(count);
                let none = self.num(0);
                self.begin_atomic(span);
                self.goes_on(span);
                self.set_lock_state(p, LockPart::Owner, count.term, span);
                self.set_lock_state(p, LockPart::Count, none, span);
                self.end_atomic(span);
                let is_none = self.pool.eq(count.term, none);
                self.fails_if(is_none, EINVAL, span)
            }
            ("mutex_destroy", Some(p)) if !self.is_discarded(e) => {
                let (owner, free) = (self.lock_state(p, LockPart::Owner), self.num(0));
                let is_free = self.pool.eq(owner, free);
                let is_taken = self.pool.not(is_free);
                self.may_fail_if(is_taken, "destroying a mutex that is locked", e)
            }
            ("attr_setdetachstate", _) => match values.get(1) {
                Some((Val::Int(state), _)) if state.lo >= 0 && state.hi <= 1 || self.is_discarded(e) => Ok(zero),
                _ => self.may_fail_if(TermId::TRUE, "attributes of threads", e),
            },
            ("attr_setstacksize", _) => match values.get(1) {
                Some((Val::Int(size), _)) if size.lo >= LARGEST_LEAST_STACK || self.is_discarded(e) => Ok(zero),
                _ => self.may_fail_if(TermId::TRUE, "attributes of threads", e),
            },
            ("detach", _) if !self.is_discarded(e) && self.n_calls_of("pthread_detach") > 1 => {
                self.may_fail_if(TermId::TRUE, "detaching a thread twice", e)
            }
            ("barrier_wait", Some(p)) => self.barrier_wait(p, e),
            ("equal", _) => match (values.first(), values.get(1)) {
                (Some((a, _)), Some((b, _))) => {
                    let (a, b) = (self.int_of(a).term, self.int_of(b).term);
                    Ok(Val::Bool(self.pool.eq(a, b)))
                }
                _ => unsupported(span, "threads: arguments of pthread_equal"),
            },
            ("mutex_unlock" | "mutex_init" | "spin_unlock" | "spin_init", Some(p)) => {
                self.release(p, span).map(|()| zero)
            }
            ("mutex_trylock" | "spin_trylock", Some(p)) => self.try_lock(p, span),
            ("cond_wait" | "cond_timedwait", _) if self.threads.concurrent || !self.threads.creates_threads => {
                let Some((Val::Ptr(mutex), _)) = values.get(1) else {
                    return unsupported(span, "threads: waiting without a lock");
                };
                let mutex = *mutex;
                if let (true, Some(condition), "cond_wait") = (self.checks_deadlocks(), lock, rest) {
                    return self.wait_for_signal(condition, mutex, span).map(|()| zero);
                }
                if self.ends_by_waiting() && rest == "cond_wait" {
                    // No signal is sent; it may wake up spuriously.
                    let (sleep, wake) = (self.new_label(), self.new_label());
                    self.jump(vec![sleep, wake], span);
                    self.place_label(sleep, span);
                    self.jump(Vec::new(), span);
                    self.place_label(wake, span);
                }
                let waited = if self.threads.has_mutex_kinds {
                    let unlocked = self.unlock_of_any_kind(mutex, span);
                    unlocked.and_then(|_| self.lock_of_any_kind(mutex, false, span)).map(|_| ())
                } else {
                    self.release(mutex, span).and_then(|()| self.take(mutex, span))
                };
                match waited {
                    Ok(()) if rest == "cond_timedwait" => self.in_time_or_late(e, span),
                    Ok(()) => Ok(zero),
                    Err(what) => Err(what),
                }
            }
            ("rwlock_rdlock" | "rwlock_wrlock" | "rwlock_unlock" | "rwlock_init", Some(p)) => {
                self.read_write_lock(rest, p, span).map(|()| zero)
            }
            ("cond_signal" | "cond_broadcast", Some(p)) if self.checks_deadlocks() => {
                self.send_signal(p, rest == "cond_broadcast", span).map(|()| zero)
            }
            (
                "mutex_destroy" | "barrier_destroy" | "spin_destroy" | "rwlock_destroy" | "cond_init" | "cond_destroy"
                | "cond_signal" | "cond_broadcast" | "attr_init" | "attr_destroy" | "detach" | "mutexattr_init"
                | "mutexattr_destroy" | "condattr_init" | "condattr_destroy" | "setconcurrency",
                _,
            ) => Ok(zero),
            _ => unsupported(span, format!("threads: {name}")),
        }
    }

    // ----- locks -----

    /// Reads and writes of a part of a lock.
    pub(super) fn lock_state(&mut self, p: PtrVal, part: LockPart) -> TermId {
        match self.lock_variable(p, part) {
            Some(var) => self.program.term(var),
            None => {
                let locks = self.ghost(Ghost::Locks(part));
                let states = self.program.term(locks);
                self.pool.select(states, p.addr)
            }
        }
    }
    pub(super) fn set_lock_state(&mut self, p: PtrVal, part: LockPart, state: TermId, span: Span) {
        match self.lock_variable(p, part) {
            Some(var) => self.emit_hidden(InstrKind::Stmt(ir::Stmt::Assign(vec![(var, state)])), span),
            None => {
                let locks = self.ghost(Ghost::Locks(part));
                self.set_entry_term(locks, p.addr, state, span);
            }
        }
    }
    fn lock_variable(&mut self, p: PtrVal, part: LockPart) -> Option<ir::VarId> {
        let is_fixed = if part.is_of_condition() { self.reach.fixed_conditions } else { self.reach.fixed_locks };
        if !is_fixed || !self.pool.is_value(p.addr) {
            return None;
        }
        if let Some(&var) = self.threads.lock_variables.get(&(p.addr, part)) {
            return Some(var);
        }
        let var = self.global_var(&format!("#lock{}", self.threads.lock_variables.len()), self.word.sort, Span::NONE);
        self.threads.lock_variables.insert((p.addr, part), var);
        if part == LockPart::Owner {
            self.program.vars[var].role = ir::VarRole::Lock;
        }
        Some(var)
    }

    pub(super) fn take(&mut self, p: PtrVal, span: Span) -> R<()> {
        self.stays_at_lock(p, span);
        self.take_if_free(p, span)
    }
    fn take_if_free(&mut self, p: PtrVal, span: Span) -> R<()> {
        let (free, taken) = (self.num(0), self.num(1));
        self.begin_atomic(span);
        self.goes_on(span);
        let state = self.lock_state(p, LockPart::Owner);
        let is_free = self.pool.eq(state, free);
        self.assume(is_free, span);
        self.set_lock_state(p, LockPart::Owner, taken, span);
        self.has_lock(p, TermId::TRUE, span);
        self.end_atomic(span);
        Ok(())
    }
    pub(super) fn release(&mut self, p: PtrVal, span: Span) -> R<()> {
        let free = self.num(0);
        self.begin_release(span);
        self.set_lock_state(p, LockPart::Owner, free, span);
        self.end_release(span);
        Ok(())
    }
    /// Where races are checked, a try that could succeed may also fail: a failed try orders nothing (C11 7.26.4.5
    /// allows it for this reason), so the program must not conclude from it that another thread has reached its lock.
    /// Such a failure shows no violation.
    fn may_also_fail(&mut self, succeeds: TermId, span: Span) -> TermId {
        if !self.mode.check_races {
            return succeeds;
        }
        let (zero, one) = (self.num(0), self.num(1));
        let fails = self.number_temp();
        let (usual, for_no_reason, end) = (self.new_label(), self.new_label(), self.new_label());
        self.jump(vec![usual, for_no_reason], span);
        self.place_label(for_no_reason, span);
        self.assume(succeeds, span);
        let mark = self.number_temp();
        self.havoc(vec![mark], Nondet::Overapproximation("a try that fails for no reason".into()), span);
        self.assign(fails, one, span);
        self.jump(vec![end], span);
        self.place_label(usual, span);
        self.assign(fails, zero, span);
        self.jump(vec![end], span);
        self.place_label(end, span);
        let fails = self.program.term(fails);
        let does_not = self.pool.eq(fails, zero);
        self.pool.and2(succeeds, does_not)
    }
    fn try_lock(&mut self, p: PtrVal, span: Span) -> R<Val> {
        let (free, taken, busy) = (self.num(0), self.num(1), self.num(EBUSY));
        self.begin_atomic(span);
        let state = self.lock_state(p, LockPart::Owner);
        let is_free = self.pool.eq(state, free);
        let succeeds = self.may_also_fail(is_free, span);
        let result = self.pool.ite(succeeds, free, busy);
        let result = super::int::IntVal { term: result, lo: 0, hi: EBUSY };
        let result = self.snapshot(Val::Int(result), span);
        self.goes_on(span);
        let got_it = self.int_of(&result).term;
        let got_it = self.pool.eq(got_it, free);
        let now = if succeeds == is_free { taken } else { self.pool.ite(got_it, taken, state) };
        self.set_lock_state(p, LockPart::Owner, now, span);
        self.has_lock(p, got_it, span);
        self.end_atomic(span);
        Ok(result)
    }

    fn read_write_lock(&mut self, what: &str, p: PtrVal, span: Span) -> R<()> {
        let (free, one) = (self.num(0), self.num(1));
        if what == "rwlock_init" {
            self.set_lock_state(p, LockPart::Owner, free, span);
            self.set_lock_state(p, LockPart::Count, free, span);
            return Ok(());
        }
        if what != "rwlock_unlock" {
            self.stays_at_read_write_lock(p, what == "rwlock_rdlock", span);
        }
        self.begin_atomic(span);
        self.goes_on(span);
        let (writer, readers) = (self.lock_state(p, LockPart::Owner), self.lock_state(p, LockPart::Count));
        let no_writer = self.pool.eq(writer, free);
        match what {
            "rwlock_rdlock" => {
                self.assume(no_writer, span);
                let more = self.add2(readers, one);
                self.set_lock_state(p, LockPart::Count, more, span);
                self.reads(p, TermId::TRUE, span);
            }
            "rwlock_wrlock" => {
                let no_reader = self.pool.eq(readers, free);
                let nobody = self.pool.and2(no_writer, no_reader);
                self.assume(nobody, span);
                self.set_lock_state(p, LockPart::Owner, one, span);
                self.has_lock(p, TermId::TRUE, span);
            }
            _ => {
                self.reads_no_more(p, no_writer, span);
                // Whoever holds it lets go of it. While a reader is counted, no thread holds it exclusively.
                let fewer = self.minus(readers, one);
                let left = self.pool.ite(no_writer, fewer, readers);
                let left = self.copy_term(left, span);
                self.set_lock_state(p, LockPart::Owner, free, span);
                self.set_lock_state(p, LockPart::Count, left, span);
            }
        }
        self.end_atomic(span);
        Ok(())
    }

    /// Which thread runs this: 0 for the first one, then as they are created.
    pub(crate) fn self_id(&mut self) -> TermId {
        match self.threads.self_params.get(&self.f.proc) {
            Some(&id) => self.program.term(id),
            None => self.num(0),
        }
    }

    /// The number of the running thread, as an index.
    pub(super) fn own_thread(&mut self) -> super::int::IntVal {
        super::int::IntVal { term: self.self_id(), lo: 0, hi: i128::from(u16::MAX) }
    }

    /// What a call passes on for that.
    pub(crate) fn self_argument(&mut self) -> Option<TermId> {
        self.threads.needs_self.then(|| self.self_id())
    }

    /// Locks a mutex that may count how often its holder has it, or complain that the holder has it already.
    pub(super) fn lock_of_any_kind(&mut self, p: PtrVal, tries: bool, span: Span) -> R<Val> {
        let (free, taken, one) = (self.num(0), self.num(1), self.num(1));
        let (recursive, checking) = (self.num(RECURSIVE), self.num(ERROR_CHECKING));
        let (deadlock, busy) = (self.num(EDEADLK), self.num(EBUSY));
        let me = self.self_id();
        let result = self.number_temp();
        let (kind, owner) = (self.lock_state(p, LockPart::Kind), self.lock_state(p, LockPart::Owner));
        let (holder, count) = (self.lock_state(p, LockPart::Holder), self.lock_state(p, LockPart::Count));
        let (is_taken, is_mine) = (self.pool.eq(owner, taken), self.pool.eq(holder, me));
        let (counts, complains) = (self.pool.eq(kind, recursive), self.pool.eq(kind, checking));
        let again = self.pool.and(&[is_taken, is_mine, counts]);
        let refused = if tries {
            let free = self.pool.not(is_taken);
            let succeeds = self.may_also_fail(free, span);
            self.pool.not(succeeds)
        } else {
            self.pool.and(&[is_taken, is_mine, complains])
        };
        if !tries {
            let answers = self.pool.or2(again, refused);
            let waits = self.pool.not(answers);
            let waits = self.pool.and2(is_taken, waits);
            let holder = self.add2(holder, one);
            self.stays(waits, For::Lock(holder), span);
        }
        self.begin_atomic(span);
        self.goes_on(span);
        let end = self.new_label();
        let others = self.branch_hidden(again, span);
        let more = self.add2(count, one);
        self.set_lock_state(p, LockPart::Count, more, span);
        self.assign(result, free, span);
        self.jump(vec![end], span);
        self.otherwise_hidden(others, again, span);
        let rest = self.branch_hidden(refused, span);
        self.assign(result, if tries { busy } else { deadlock }, span);
        self.jump(vec![end], span);
        self.otherwise_hidden(rest, refused, span);
        let owner = self.lock_state(p, LockPart::Owner);
        let is_free = self.pool.eq(owner, free);
        self.assume(is_free, span);
        self.set_lock_state(p, LockPart::Owner, taken, span);
        self.set_lock_state(p, LockPart::Holder, me, span);
        self.set_lock_state(p, LockPart::Count, free, span);
        self.assign(result, free, span);
        self.jump(vec![end], span);
        self.place_label(end, span);
        self.end_atomic(span);
        let term = self.program.term(result);
        Ok(Val::Int(super::int::IntVal { term, lo: 0, hi: EDEADLK }))
    }

    pub(super) fn unlock_of_any_kind(&mut self, p: PtrVal, span: Span) -> R<Val> {
        let (free, taken, one, no) = (self.num(0), self.num(1), self.num(1), self.num(EPERM));
        let me = self.self_id();
        let result = self.number_temp();
        self.begin_atomic(span);
        self.goes_on(span);
        let (kind, owner) = (self.lock_state(p, LockPart::Kind), self.lock_state(p, LockPart::Owner));
        let (holder, count) = (self.lock_state(p, LockPart::Holder), self.lock_state(p, LockPart::Count));
        let (is_taken, is_holder) = (self.pool.eq(owner, taken), self.pool.eq(holder, me));
        let is_mine = self.pool.and2(is_taken, is_holder);
        let is_normal = self.pool.eq(kind, free);
        let not_mine = self.pool.not(is_mine);
        let knows = self.pool.not(is_normal);
        let refused = self.pool.and2(not_mine, knows);
        let end = self.new_label();
        let rest = self.branch_hidden(refused, span);
        self.assign(result, no, span);
        self.jump(vec![end], span);
        self.otherwise_hidden(rest, refused, span);
        let is_several = self.gt(count, free);
        let last = self.branch_hidden(is_several, span);
        let fewer = self.minus(count, one);
        self.set_lock_state(p, LockPart::Count, fewer, span);
        self.assign(result, free, span);
        self.jump(vec![end], span);
        self.otherwise_hidden(last, is_several, span);
        self.set_lock_state(p, LockPart::Owner, free, span);
        self.assign(result, free, span);
        self.jump(vec![end], span);
        self.place_label(end, span);
        self.end_atomic(span);
        let term = self.program.term(result);
        Ok(Val::Int(super::int::IntVal { term, lo: 0, hi: EPERM }))
    }

    /// The lock, or that it was not free for too long.
    fn take_in_time(&mut self, p: PtrVal, e: &Expr, span: Span) -> R<Val> {
        let result = self.in_time_or_late(e, span)?;
        let zero = self.num(0);
        let term = self.int_of(&result).term;
        let is_taken = self.pool.eq(term, zero);
        let gave_up = self.branch_hidden(is_taken, span);
        self.take_if_free(p, span)?;
        let end = self.new_label();
        self.jump(vec![end], span);
        self.otherwise_hidden(gave_up, is_taken, span);
        // The call times out only if the lock is held; but that it was held orders nothing.
        let owner = self.lock_state(p, LockPart::Owner);
        let is_free = self.pool.eq(owner, zero);
        let is_free = self.may_also_fail(is_free, span);
        let is_held = self.pool.not(is_free);
        self.assume(is_held, span);
        self.place_label(end, span);
        Ok(result)
    }

    /// 0 or ETIMEDOUT.
    fn in_time_or_late(&mut self, e: &Expr, span: Span) -> R<Val> {
        let result = self.arbitrary(e.ty, Nondet::Choice, span)?;
        let result = self.snapshot(result, span);
        let (zero, late) = (self.num(0), self.num(ETIMEDOUT));
        let term = self.int_of(&result).term;
        let (is_in_time, is_late) = (self.pool.eq(term, zero), self.pool.eq(term, late));
        let either = self.pool.or2(is_in_time, is_late);
        self.assume(either, span);
        Ok(result)
    }

    fn try_read_write_lock(&mut self, what: &str, p: PtrVal, span: Span) -> R<Val> {
        let (free, one, busy) = (self.num(0), self.num(1), self.num(EBUSY));
        self.begin_atomic(span);
        let (writer, readers) = (self.lock_state(p, LockPart::Owner), self.lock_state(p, LockPart::Count));
        let mut is_free = self.pool.eq(writer, free);
        let reads = what == "rwlock_tryrdlock";
        if !reads {
            let no_reader = self.pool.eq(readers, free);
            is_free = self.pool.and2(is_free, no_reader);
        }
        let is_free = self.may_also_fail(is_free, span);
        let result = self.pool.ite(is_free, free, busy);
        let result = self.snapshot(Val::Int(super::int::IntVal { term: result, lo: 0, hi: EBUSY }), span);
        let (part, old) = if reads { (LockPart::Count, readers) } else { (LockPart::Owner, writer) };
        let more = if reads { self.add2(old, one) } else { one };
        let new = self.pool.ite(is_free, more, old);
        self.goes_on(span);
        self.set_lock_state(p, part, new, span);
        let got_it = self.int_of(&result).term;
        let got_it = self.pool.eq(got_it, free);
        if reads {
            self.reads(p, got_it, span);
        } else {
            self.has_lock(p, got_it, span);
        }
        self.end_atomic(span);
        Ok(result)
    }

    /// The first one who comes runs the function; others wait until it has run.
    fn once(&mut self, p: PtrVal, values: &[(Val, TypeId)], args: &[Expr], e: &Expr) -> R<()> {
        let span = e.span;
        let mut function = args.get(1);
        while let Some(ExprKind::Convert(inner)) = function.map(|f| &f.kind) {
            function = Some(inner);
        }
        let [_, (pointer, _)] = values else { return unsupported(span, "threads: arguments of pthread_once") };
        let direct = match function.map(|f| &f.kind) {
            Some(ExprKind::Func(func)) => Some(*func),
            _ => None,
        };
        let (zero, runs, done) = (self.num(0), self.num(ONCE_RUNS), self.num(ONCE_DONE));
        self.begin_atomic(span);
        let state = self.lock_state(p, LockPart::Owner);
        let Val::Int(state) = self.snapshot(Val::Int(super::int::IntVal { term: state, lo: 0, hi: ONCE_DONE }), span)
        else {
            return internal(span, "state");
        };
        let is_first = self.pool.eq(state.term, zero);
        let now = self.pool.ite(is_first, runs, state.term);
        self.set_lock_state(p, LockPart::Owner, now, span);
        self.has_lock(p, is_first, span);
        self.end_atomic(span);
        let other = self.branch_hidden(is_first, span);
        let call = Expr { ty: TypeId::VOID, span, kind: e.kind.clone() };
        match (direct, pointer) {
            (Some(func), _) => self.call_function(func, &[], &call, &[])?,
            (None, Val::Ptr(pointer)) => self.call_pointer(*pointer, false, &[], &call, &[])?,
            _ => return unsupported(span, "threads: arguments of pthread_once"),
        };
        self.begin_release(span);
        self.set_lock_state(p, LockPart::Owner, done, span);
        self.end_release(span);
        let end = self.new_label();
        self.jump(vec![end], span);
        self.otherwise_hidden(other, is_first, span);
        let state = self.lock_state(p, LockPart::Owner);
        let has_run = self.pool.eq(state, done);
        let (waits, holder) = (self.pool.not(has_run), self.holder_of(p));
        self.stays(waits, holder, span);
        self.assume(has_run, span);
        self.jump(vec![end], span);
        self.place_label(end, span);
        Ok(())
    }

    /// Waits until the number of threads that the barrier was initialised for has arrived; then all of them continue.
    /// One of them gets PTHREAD_BARRIER_SERIAL_THREAD; which one is unspecified.
    fn barrier_wait(&mut self, p: PtrVal, e: &Expr) -> R<Val> {
        let span = e.span;
        let (zero, one) = (self.num(0), self.num(1));
        self.begin_atomic(span);
        self.goes_on(span);
        let (wanted, count) = (self.lock_state(p, LockPart::Owner), self.lock_state(p, LockPart::Count));
        let round = self.lock_state(p, LockPart::Round);
        let round = self.copy_term(round, span);
        let here = self.add2(count, one);
        let is_last = self.pool.eq(here, wanted);
        let is_last = match self.snapshot(Val::Bool(is_last), span) {
            Val::Bool(is_last) => is_last,
            _ => return internal(span, "truth value"),
        };
        let waiting = self.pool.ite(is_last, zero, here);
        self.set_lock_state(p, LockPart::Count, waiting, span);
        let next = self.add2(round, one);
        let now = self.pool.ite(is_last, next, round);
        self.set_lock_state(p, LockPart::Round, now, span);
        self.end_atomic(span);
        let now = self.lock_state(p, LockPart::Round);
        let is_same = self.pool.eq(now, round);
        let opened = self.pool.not(is_same);
        self.stays(is_same, For::Anybody, span);
        self.assume(opened, span);
        if self.is_discarded(e) {
            return Ok(Val::Int(self.int_const(0)));
        }
        let result = self.arbitrary(e.ty, Nondet::Inexact("which thread a barrier tells".into()), span)?;
        let term = self.int_of(&result).term;
        let fact = self.in_range(term, -1, 0);
        self.assume(fact, span);
        Ok(result)
    }

    /// A result that is an error number where a condition holds, and 0 elsewhere.
    fn fails_if(&mut self, condition: TermId, error: i128, span: Span) -> R<Val> {
        let (zero, failed) = (self.num(0), self.num(error));
        let term = self.pool.ite(condition, failed, zero);
        Ok(self.snapshot(Val::Int(super::int::IntVal { term, lo: error.min(0), hi: error.max(0) }), span))
    }

    /// A result that may be an error number where a condition holds; what the standard leaves open shows nothing.
    fn may_fail_if(&mut self, condition: TermId, what: &str, e: &Expr) -> R<Val> {
        let any = self.arbitrary(e.ty, Nondet::Inexact(what.into()), e.span)?;
        let any = self.int_of(&any);
        let zero = self.num(0);
        let term = self.pool.ite(condition, any.term, zero);
        Ok(Val::Int(super::int::IntVal { term, lo: any.lo.min(0), hi: any.hi.max(0) }))
    }

    /// How many calls of a function the program text has.
    fn n_calls_of(&self, name: &str) -> usize {
        let mut n = 0;
        for stmt in self.reach.functions.iter().flat_map(|&f| self.unit.funcs[f].body.iter().flatten()) {
            walk_stmt(stmt, &mut |node| {
                if let Node::Expr(Expr { kind: ExprKind::Call { callee: Callee::Direct(func), .. }, .. }) = node {
                    n += usize::from(&*self.unit.funcs[*func].name == name);
                }
                true
            });
        }
        n
    }

    fn semaphore(&mut self, what: &str, values: &[(Val, TypeId)], e: &Expr, args: &[Expr]) -> R<Val> {
        let span = e.span;
        let Some((Val::Ptr(p), _)) = values.first() else { return unsupported(span, "a semaphore without address") };
        let p = *p;
        let (zero, one) = (self.num(0), self.num(1));
        match (what, values.get(2)) {
            ("init", Some((count, _))) => {
                let count = self.int_of(count);
                self.note_late_initialisation("a semaphore", e);
                if count.hi > SEM_VALUE_MAX / 2 {
                    self.note_unsound("threads: a semaphore whose value may grow too large", span);
                }
                self.begin_release(span);
                self.set_lock_state(p, LockPart::Count, count.term, span);
                self.end_release(span);
                if count.hi > SEM_VALUE_MAX {
                    let most = self.num(SEM_VALUE_MAX);
                    let is_too_large = self.gt(count.term, most);
                    return self.fails_if(is_too_large, -1, span);
                }
            }
            ("wait", _) => {
                let count = self.lock_state(p, LockPart::Count);
                let some = self.gt(count, zero);
                let waits = self.pool.not(some);
                self.stays(waits, For::Anybody, span);
                self.begin_atomic(span);
                self.goes_on(span);
                self.assume(some, span);
                let fewer = self.minus(count, one);
                self.set_lock_state(p, LockPart::Count, fewer, span);
                self.end_atomic(span);
            }
            ("post", _) => {
                let count = self.lock_state(p, LockPart::Count);
                let more = self.add2(count, one);
                self.begin_release(span);
                self.set_lock_state(p, LockPart::Count, more, span);
                self.end_release(span);
            }
            ("trywait", _) => {
                self.begin_atomic(span);
                let count = self.lock_state(p, LockPart::Count);
                let some = self.gt(count, zero);
                let some = self.may_also_fail(some, span);
                let minus_one = self.num(-1);
                let result = self.pool.ite(some, zero, minus_one);
                let result = self.snapshot(Val::Int(super::int::IntVal { term: result, lo: -1, hi: 0 }), span);
                let fewer = self.minus(count, one);
                let left = self.pool.ite(some, fewer, count);
                self.set_lock_state(p, LockPart::Count, left, span);
                self.end_atomic(span);
                return Ok(result);
            }
            ("getvalue", _) => {
                let count = self.lock_state(p, LockPart::Count);
                let count = self.copy_term(count, span);
                let (Some((Val::Ptr(target), ty)), Some(to)) = (values.get(1), args.get(1)) else {
                    return unsupported(span, "threads: arguments of sem_getvalue");
                };
                let (Some(pointee), Some(node)) = (self.unit.types.pointee(*ty), self.alias.value(to)) else {
                    return unsupported(span, "threads: arguments of sem_getvalue");
                };
                let loc = self.deref_loc(*target, node, pointee.id);
                let count = Val::Int(super::int::IntVal { term: count, lo: 0, hi: i32::MAX.into() });
                self.store(&loc, pointee, &count, span)?;
            }
            ("destroy", _) => {}
            _ => return unsupported(span, format!("threads: sem_{what}")),
        }
        Ok(Val::Int(self.int_const(0)))
    }

    // ----- threads -----

    /// What `pthread_key_create` and `tss_create` are given runs at the end of threads, which is not modelled.
    pub(super) fn refuse_destructors(&self, func: FuncId, args: &[Expr], span: Span) -> R<()> {
        let function = &self.unit.funcs[func];
        if !function.is_library || !matches!(&*function.name, "pthread_key_create" | "tss_create") {
            return Ok(());
        }
        let mut destructor = args.get(1);
        while let Some(ExprKind::Convert(inner)) = destructor.map(|d| &d.kind) {
            destructor = Some(inner);
        }
        match destructor.map(|d| &d.kind) {
            Some(ExprKind::Int(0)) => Ok(()),
            _ => unsupported(span, "threads: destructors of thread-specific data"),
        }
    }

    /// The functions a thread may be to run, each with its address if there are several.
    fn thread_functions(&mut self, args: &[Expr], span: Span) -> R<Vec<(FuncId, Option<i128>)>> {
        if self.unit.statics.iter().any(|&v| self.unit.vars[v].thread_local) {
            return unsupported(span, "threads with variables of their own");
        }
        let has_parts = |v: VarId| {
            let data = &self.unit.vars[v];
            let element = self.unit.types.element(data.ty.id).map(|e| e.id);
            let is_whole = element.is_some_and(|e| self.unit.types.is_scalar(e));
            data.per_thread && (self.in_memory(v) || !is_whole)
        };
        if self.mode.check_memsafety && self.unit.statics.iter().any(|&v| has_parts(v)) {
            self.note_unsound("where the objects of a thread begin and end, and when", span);
        }
        let Some(function) = args.get(2) else { return unsupported(span, "threads: arguments of pthread_create") };
        let function = function.without_conversions();
        if let ExprKind::Func(func) = function.kind {
            let function = &self.unit.funcs[func];
            if let Some((broken, message)) = &function.broken {
                return unsupported(*broken, message.clone());
            }
            if function.body.is_none() {
                return unsupported(span, format!("threads: {} runs as a thread and is not defined", function.name));
            }
            if function.params.len() > 1 || self.is_variadic(function.ty) {
                return unsupported(span, format!("threads: the parameters of {}", function.name));
            }
            if function.name.starts_with("__VERIFIER_atomic_") {
                return unsupported(span, format!("threads: {} is atomic and runs as a thread", function.name));
            }
            return Ok(vec![(func, None)]);
        }
        let fits = |func: &FuncId| {
            let function = &self.unit.funcs[*func];
            function.body.is_some() && function.params.len() <= 1 && !self.is_variadic(function.ty)
        };
        let candidates: Vec<FuncId> = self.reach.address_taken.iter().copied().filter(fits).collect();
        Ok(candidates.into_iter().map(|func| (func, Some(self.function_address(func)))).collect())
    }

    /// Stores the id of a new thread where `pthread_create` wants it.
    fn store_thread_id(&mut self, values: &[(Val, TypeId)], args: &[Expr], id: &Val, span: Span) -> R<()> {
        let Some((Val::Ptr(target), target_ty)) = values.first() else {
            return unsupported(span, "threads: arguments of pthread_create");
        };
        match (self.unit.types.pointee(*target_ty), self.alias.value(&args[0])) {
            (Some(pointee), Some(node)) if self.unit.types.is_integer(pointee.id) => {
                let loc = self.deref_loc(*target, node, pointee.id);
                self.store(&loc, pointee, id, span)
            }
            _ => unsupported(span, "threads: kind of thread id"),
        }
    }

    /// How many threads were created.
    pub(super) fn thread_counter(&mut self) -> ir::VarId {
        if let Some(var) = self.threads.thread_counter {
            return var;
        }
        let var = self.global_var("#threads", self.word.sort, Span::NONE);
        self.threads.thread_counter = Some(var);
        var
    }

    fn fork(&mut self, values: &[(Val, TypeId)], args: &[Expr], span: Span) -> R<Val> {
        let functions = self.thread_functions(args, span)?;
        let Some((argument, argument_ty)) = values.get(3) else {
            return unsupported(span, "threads: arguments of pthread_create");
        };
        let counter = self.thread_counter();
        let id = self.number_temp();
        let one = self.num(1);
        let next = self.add2(self.program.term(counter), one);
        let mut counters = vec![(counter, next), (id, next)];
        counters.extend(self.thread_begins());
        self.emit_hidden(InstrKind::Stmt(ir::Stmt::Assign(counters)), span);
        let id = self.program.term(id);
        let value = Val::Int(super::int::IntVal { term: id, lo: 0, hi: i32::MAX.into() });
        self.store_thread_id(values, args, &value, span)?;
        let end = self.new_label();
        for &(func, address) in &functions {
            let other = match (address, values.get(2)) {
                (Some(address), Some((Val::Ptr(pointer), _))) => {
                    let address = self.num(address);
                    let here = self.pool.eq(pointer.addr, address);
                    Some((self.branch_hidden(here, span), here))
                }
                (Some(_), _) => return unsupported(span, "threads: function by pointer"),
                (None, _) => None,
            };
            let mut terms = Vec::new();
            if let Some(&param) = self.unit.funcs[func].params.first() {
                let to = self.unit.vars[param].ty.id;
                let passed = self.convert(argument, *argument_ty, to, span)?;
                self.flatten(&passed, &mut terms);
            }
            if self.threads.needs_self {
                terms.push(id);
            }
            let callee = self.thread_proc(func);
            if terms.len() != self.program.procs[callee].params.len() {
                return unsupported(span, "threads: argument of the thread function");
            }
            self.emit(InstrKind::Fork { id: vec![id], callee, args: terms }, span);
            if let Some((other, here)) = other {
                self.jump(vec![end], span);
                self.otherwise_hidden(other, here, span);
            }
        }
        if functions.iter().any(|f| f.1.is_some()) || functions.is_empty() {
            // A pointer to no function.
            self.jump(Vec::new(), span);
        }
        self.place_label(end, span);
        Ok(Val::Int(self.int_const(0)))
    }

    /// Is a thread detached whose number is in the same variable, as far as that is known?
    fn may_be_detached(&self, id: &Expr) -> bool {
        const DETACH: [&str; 2] = ["pthread_detach", "thrd_detach"];
        const BY_ATTRIBUTE: &str = "pthread_attr_setdetachstate";
        if !DETACH.iter().chain([&BY_ATTRIBUTE]).any(|name| self.mentioned.contains(*name)) {
            return false;
        }
        fn variable(e: &Expr) -> Option<VarId> {
            match &e.kind {
                ExprKind::Load(place) | ExprKind::AddrOf(place) => root(place),
                ExprKind::Convert(inner) => variable(inner),
                _ => None,
            }
        }
        // A parameter may be the number of any thread.
        let variable = |e: &Expr| variable(e).filter(|v| !matches!(self.unit.vars[*v].storage, Storage::Param));
        let by_pointer = |f: &FuncId| DETACH.contains(&&*self.unit.funcs[*f].name);
        if self.reach.address_taken.iter().any(by_pointer) {
            return true;
        }
        let joined = variable(id);
        let is_same = |e: &Expr| joined.is_none() || variable(e).is_none() || joined == variable(e);
        let has_attribute = |e: &Expr| self.mentioned.contains(BY_ATTRIBUTE) && variable(e).is_some();
        let mut found = false;
        for stmt in self.reach.functions.iter().flat_map(|&f| self.unit.funcs[f].body.iter().flatten()) {
            walk_stmt(stmt, &mut |node| {
                if let Node::Expr(e) = node
                    && let ExprKind::Call { callee: Callee::Direct(callee), args } = &e.kind
                {
                    found |= match (&*self.unit.funcs[*callee].name, &args[..]) {
                        (name, [id]) if DETACH.contains(&name) => is_same(id),
                        ("pthread_create", [id, attributes, ..]) => has_attribute(attributes) && is_same(id),
                        _ => false,
                    };
                }
                true
            });
        }
        found
    }

    fn join(&mut self, values: &[(Val, TypeId)], args: &[Expr], span: Span) -> R<Val> {
        let (Some((id, _)), Some((target, target_ty))) = (values.first(), values.get(1)) else {
            return unsupported(span, "threads: arguments of pthread_join");
        };
        let Val::Ptr(target) = target else { return unsupported(span, "threads: arguments of pthread_join") };
        let takes_result = !self.is_zero_constant(target.addr);
        if !self.threads.concurrent {
            // Whom a thread joins may not have ended.
            if takes_result || !self.entries.contains(&self.alias.current) {
                return unsupported(span, "threads: results, or joins in threads");
            }
            return Ok(Val::Int(self.int_const(0)));
        }
        if self.may_be_detached(&args[0]) {
            self.note_unsound("threads: joining a thread that may be detached", span);
        }
        let mut id = self.int_of(id).term;
        if self.asks_who_runs() {
            let (zero, first) = (self.num(0), self.num(FIRST_THREAD));
            let is_first = self.pool.eq(id, first);
            id = self.pool.ite(is_first, zero, id);
        }
        let mut results = Vec::new();
        if takes_result {
            results.push(self.number_temp());
            let is_number = self.unit.types.pointee(*target_ty).is_some_and(|p| self.unit.types.is_integer(p.id));
            if self.mode.check_memsafety && !is_number {
                results.push(self.number_temp());
            }
        }
        let strange = self.strange_join(id);
        let mut after = None;
        if strange != TermId::FALSE {
            let result = self.number_temp();
            let what = "joining a thread that was joined before, or oneself, or the first thread";
            let usual = self.branch_hidden(strange, span);
            self.havoc(vec![result], Nondet::Overapproximation(what.into()), span);
            self.note_imprecise(what, span);
            let end = self.new_label();
            self.jump(vec![end], span);
            self.otherwise_hidden(usual, strange, span);
            after = Some((result, end));
        }
        self.stays_at_join(id, span);
        self.emit(InstrKind::Join { id: vec![id], results: results.clone() }, span);
        if self.threads.may_join_twice {
            let (joined, one) = (self.ghost(Ghost::Joined), self.num(1));
            self.set_entry_term(joined, id, one, span);
        }
        self.store_result(takes_result, &results, target, *target_ty, args, span)?;
        let Some((result, end)) = after else { return Ok(Val::Int(self.int_const(0))) };
        let zero = self.num(0);
        self.assign(result, zero, span);
        self.jump(vec![end], span);
        self.place_label(end, span);
        let term = self.program.term(result);
        Ok(Val::Int(super::int::IntVal { term, lo: 0, hi: i32::MAX.into() }))
    }

    fn asks_who_runs(&self) -> bool {
        ["pthread_self", "thrd_current"].iter().any(|name| self.mentioned.contains(*name))
    }

    /// When a join may do something else than wait for the end of a thread: where that thread was joined before, or is
    /// the running one (which POSIX lets `EDEADLK` be the answer to), or the first one, whose end by `pthread_exit` is
    /// not modelled.
    fn strange_join(&mut self, id: TermId) -> TermId {
        let zero = self.num(0);
        let mut cases = Vec::new();
        if self.threads.may_join_twice {
            let joined = self.ghost(Ghost::Joined);
            let joined = self.program.term(joined);
            let state = self.pool.select(joined, id);
            let was_not = self.pool.eq(state, zero);
            cases.push(self.pool.not(was_not));
        }
        let asks = self.asks_who_runs();
        let is_entry = self.entries.contains(&self.alias.current);
        if self.threads.needs_self && (asks || !is_entry) && !self.checks_deadlocks() {
            let me = self.self_id();
            cases.push(self.pool.eq(id, me));
            if asks {
                cases.push(self.pool.eq(id, zero));
            }
        }
        self.pool.or(&cases)
    }

    /// Stores what a thread that was joined has returned.
    fn store_result(
        &mut self,
        takes_result: bool,
        results: &[ir::VarId],
        target: &PtrVal,
        target_ty: TypeId,
        args: &[Expr],
        span: Span,
    ) -> R<()> {
        if takes_result {
            let (Some(pointee), Some(node)) = (self.unit.types.pointee(target_ty), self.alias.value(&args[1])) else {
                return unsupported(span, "threads: results");
            };
            let is_number = self.unit.types.is_integer(pointee.id);
            if !(is_number || self.unit.types.is_pointer(pointee.id)) || self.may_be_null(&args[1]) {
                return unsupported(span, "threads: results");
            }
            let addr = self.program.term(results[0]);
            if is_number {
                let value = self.value_from_terms(pointee.id, addr, None);
                let loc = self.deref_loc(*target, node, pointee.id);
                return self.store(&loc, pointee, &value, span);
            }
            let base = results.get(1).map(|&b| self.program.term(b));
            let loc = self.deref_loc(*target, node, pointee.id);
            self.store(&loc, pointee, &Val::Ptr(PtrVal { addr, base }), span)?;
        }
        Ok(())
    }

    /// Anything but the address of an object.
    fn may_be_null(&self, e: &Expr) -> bool {
        !matches!(e.without_conversions().kind, ExprKind::AddrOf(_))
    }

    /// `pthread_exit` in a start function that is not called otherwise, or in `main`. The process ends with the last
    /// thread (POSIX); what happens there after `main` has ended so is not modelled.
    fn exit_thread(&mut self, values: &[(Val, TypeId)], e: &Expr, span: Span) -> R<Val> {
        let function = self.alias.current;
        if self.entries.contains(&function) {
            self.end_scopes(1, span);
            self.thread_ends(span);
            let is_temporal = self.mentioned.iter().any(|name| name.starts_with(crate::annotate::PROPOSITION));
            let has_hooks = self.mentioned.contains("atexit") || !super::destructors(self.unit).is_empty();
            if has_hooks || is_temporal || self.mode.check_memcleanup || self.mode.check_lost_memory {
                let what = "threads: the end of the program after pthread_exit in main";
                self.note_unsound(what, span);
                let mark = self.number_temp();
                self.havoc(vec![mark], Nondet::Overapproximation(what.into()), span);
            }
            // It makes no step any more.
            self.assume(TermId::FALSE, span);
            self.jump(Vec::new(), span);
        } else if self.threads.only_started.contains(&function) {
            let mut terms = Vec::new();
            if let Some((value, _)) = values.first() {
                self.flatten(value, &mut terms);
            }
            let list: Vec<(ir::VarId, TermId)> = self.f.results.iter().copied().zip(terms).collect();
            if !list.is_empty() {
                self.emit(InstrKind::Stmt(ir::Stmt::Assign(list)), span);
            }
            self.end_scopes(1, span);
            let exit = self.f.exit;
            self.jump(vec![exit], span);
        } else {
            return unsupported(span, "threads: pthread_exit in a function that is called");
        }
        let dead = self.new_label();
        self.place_label(dead, span);
        self.jump(Vec::new(), span);
        self.dead_value(e.ty, span)
    }

    fn run_at_once(&mut self, values: &[(Val, TypeId)], args: &[Expr], e: &Expr, span: Span) -> R<Val> {
        self.note_unsound_kind(ir::RemarkKind::Threads, "threads", span);
        let functions = self.thread_functions(args, span)?;
        let [(func, None)] = functions[..] else { return unsupported(span, "threads: function by pointer") };
        let Some((argument, argument_ty)) = values.get(3) else {
            return unsupported(span, "threads: arguments of pthread_create");
        };
        let Some(pointee) = values.first().and_then(|(_, ty)| self.unit.types.pointee(*ty)) else {
            return unsupported(span, "threads: kind of thread id");
        };
        let id = self.arbitrary(pointee.id, Nondet::Choice, span)?;
        self.store_thread_id(values, args, &id, span)?;
        let function = &self.unit.funcs[func];
        let passed = [(argument.clone(), *argument_ty)];
        let ret = self.unit.types.function(function.ty).map_or(TypeId::VOID, |f| f.ret.id);
        let call = Expr { ty: ret, span, kind: e.kind.clone() };
        self.call_function(func, &passed[..function.params.len()], &call, &[])?;
        Ok(Val::Int(self.int_const(0)))
    }
}
