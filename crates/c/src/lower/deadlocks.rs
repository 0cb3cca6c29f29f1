//! Deadlocks as failing checks.
//!
//! A deadlock is a state in which
//!
//! 1. some threads wait for each other in a cycle: each for a lock (mutex, spin lock, read-write lock, `pthread_once`)
//!    that the next one has, or for its end; also a single thread for itself;
//! 2. or a thread waits for a lock of a thread that has ended;
//! 3. or every thread that has not ended waits, be it for a signal, a semaphore or a barrier, while `main` has not
//!    returned.
//!
//! Threads that wait in a loop of their own, and calls with a timeout, do not count as waiting here.
//!
//! **Cycles** are guessed (no map of who waits for whom is needed, so the number of threads may be any). Where a thread
//! would have to wait it may also *stay*, for good. The first one that stays begins a chain; a thread adds itself to
//! the chain if the last one waits for it. When the first one is waited for, the chain is a cycle. From the first one
//! on no thread acquires or releases anything: in a deadlock all threads concerned are where they wait before any of
//! them has to stay. So what a staying thread waits for does not change.
//!
//! **Ended threads**: of those that have ended, one is guessed.
//!
//! **No thread continues**: threads that stay are counted, and so are threads that have not ended. A thread that waits
//! for a signal and never gets one guesses that in advance, and others signal past it only if another thread waits for
//! this signal (POSIX: at least one waiting thread is woken). Others may wake up without a signal.
//!
//! Programs without threads need no guesses: a thread that has to wait waits forever.

use base::Span;
use ir::{InstrKind, Subproperty};
use logic::TermId;

use super::memory::{Ghost, PtrVal};
use super::threads::LockPart;
use super::{FunctionState, Lowerer, R};
use crate::hir::FuncId;
use ir::ProcId;

/// The functions that wait for what no thread in particular has.
pub(super) const UNOWNED_WAITS: [&str; 4] = ["pthread_cond_wait", "cnd_wait", "sem_wait", "pthread_barrier_wait"];

/// The ghosts that are single numbers.
pub(super) const NUMBERS: [Ghost; 5] = [Ghost::Stuck, Ghost::WaitsFor, Ghost::EndedOne, Ghost::Staying, Ghost::Running];

/// What a thread waits for. Numbers are those of threads plus 1.
#[derive(Clone, Copy)]
pub(super) enum For {
    /// A lock of the thread with this number; 0 if that is no particular thread.
    Lock(TermId),
    /// The end of a thread.
    End(TermId),
    Anybody,
}

/// The reader of a lock that was guessed.
struct Reading {
    me: TermId,
    reader: TermId,
    times: TermId,
    /// It is this thread, and the lock is held.
    is_mine: TermId,
}

impl Lowerer<'_> {
    pub(super) fn checks_deadlocks(&self) -> bool {
        self.mode.check_deadlock && (self.threads.concurrent || !self.threads.creates_threads)
    }

    /// Does a single waiting thread end the execution, as no other thread can wake it?
    pub(super) fn ends_by_waiting(&self) -> bool {
        self.mode.observes && !self.threads.concurrent && !self.threads.creates_threads
    }

    fn number_ghost(&mut self, ghost: Ghost) -> (ir::VarId, TermId) {
        let var = self.ghost(ghost);
        (var, self.program.term(var))
    }

    /// The number of the running thread plus 1.
    fn own_number(&mut self) -> TermId {
        let (me, one) = (self.self_id(), self.num(1));
        self.add2(me, one)
    }

    /// Steps that others may wait for are only taken while no thread stays waiting.
    pub(super) fn goes_on(&mut self, span: Span) {
        if self.checks_deadlocks() && self.threads.concurrent {
            let (_, stuck) = self.number_ghost(Ghost::Stuck);
            let zero = self.num(0);
            let nobody = self.pool.eq(stuck, zero);
            self.assume(nobody, span);
        }
    }
    /// Around a step that others may wait for.
    pub(super) fn begin_release(&mut self, span: Span) {
        if self.checks_deadlocks() {
            self.begin_atomic(span);
            self.goes_on(span);
        }
    }
    pub(super) fn end_release(&mut self, span: Span) {
        if self.checks_deadlocks() {
            self.end_atomic(span);
        }
    }

    /// The thread may stay here while it `waits`.
    pub(super) fn stays(&mut self, waits: TermId, what: For, span: Span) {
        if self.ends_by_waiting() {
            let others = self.branch_hidden(waits, span);
            self.jump(Vec::new(), span);
            self.otherwise_hidden(others, waits, span);
        }
        if !self.checks_deadlocks() {
            return;
        }
        self.refuse_waiting_in_atomic_section(span);
        let message = "there may be a deadlock".to_string();
        if !self.threads.concurrent {
            let no = self.pool.not(waits);
            self.check(no, Subproperty::NoDeadlock, message, span);
            return;
        }
        let (stay, go) = (self.new_label(), self.new_label());
        self.jump(vec![stay, go], span);
        self.place_label(stay, span);
        self.begin_atomic(span);
        self.assume(waits, span);
        let zero = self.num(0);
        let me = self.own_number();
        let (first_var, first) = self.number_ghost(Ghost::Stuck);
        let (wanted_var, wanted) = self.number_ghost(Ghost::WaitsFor);
        let nobody = self.pool.eq(first, zero);
        let is_wanted = self.pool.eq(wanted, me);
        let is_next = self.pool.or2(nobody, is_wanted);
        let holder = match what {
            For::Lock(holder) | For::End(holder) => holder,
            For::Anybody => zero,
        };
        let new_first = self.pool.ite(nobody, me, first);
        let new_wanted = self.pool.ite(is_next, holder, wanted);
        let mut assigned = vec![(first_var, new_first), (wanted_var, new_wanted)];
        assigned.extend(self.one_more_stays());
        self.emit(InstrKind::Stmt(ir::Stmt::Assign(assigned)), span);
        let mut bad = vec![self.pool.eq(wanted, first)];
        if let For::Lock(holder) = what {
            let (_, ended) = self.number_ghost(Ghost::EndedOne);
            let is_ended = self.pool.eq(holder, ended);
            let is_one = self.pool.eq(ended, zero);
            let is_one = self.pool.not(is_one);
            bad.push(self.pool.and2(is_one, is_ended));
        }
        bad.extend(self.all_stay());
        let bad = self.pool.or(&bad);
        let fine = self.pool.not(bad);
        self.check(fine, Subproperty::NoDeadlock, message, span);
        self.end_atomic(span);
        self.jump(Vec::new(), span);
        self.place_label(go, span);
    }

    /// The number of threads that stay grows.
    fn one_more_stays(&mut self) -> Option<(ir::VarId, TermId)> {
        if !self.threads.has_unowned_waits {
            return None;
        }
        let (staying_var, staying) = self.number_ghost(Ghost::Staying);
        let one = self.num(1);
        Some((staying_var, self.add2(staying, one)))
    }

    /// Do all threads stay where they wait?
    fn all_stay(&mut self) -> Option<TermId> {
        if !self.threads.has_unowned_waits {
            return None;
        }
        let (_, staying) = self.number_ghost(Ghost::Staying);
        let (_, others) = self.number_ghost(Ghost::Running);
        let one = self.num(1);
        let all = self.add2(others, one);
        Some(self.pool.eq(staying, all))
    }

    pub(super) fn stays_at_lock(&mut self, p: PtrVal, span: Span) {
        if !self.checks_deadlocks() && !self.ends_by_waiting() {
            return;
        }
        let (owner, zero) = (self.lock_state(p, LockPart::Owner), self.num(0));
        let is_free = self.pool.eq(owner, zero);
        let waits = self.pool.not(is_free);
        let holder = self.holder_of(p);
        self.stays(waits, holder, span);
    }

    /// What is waited for by whoever waits for a lock.
    pub(super) fn holder_of(&mut self, p: PtrVal) -> For {
        if !self.checks_deadlocks() {
            return For::Anybody;
        }
        let (holder, one) = (self.lock_state(p, LockPart::Holder), self.num(1));
        For::Lock(self.add2(holder, one))
    }

    /// The thread has a lock now, if it got it.
    pub(super) fn has_lock(&mut self, p: PtrVal, got_it: TermId, span: Span) {
        if self.checks_deadlocks() {
            let (me, holder) = (self.self_id(), self.lock_state(p, LockPart::Holder));
            let new = self.pool.ite(got_it, me, holder);
            self.set_lock_state(p, LockPart::Holder, new, span);
        }
    }

    // ----- read-write locks -----

    pub(super) fn stays_at_read_write_lock(&mut self, p: PtrVal, reads: bool, span: Span) {
        if !self.checks_deadlocks() && !self.ends_by_waiting() {
            return;
        }
        let (writer, zero) = (self.lock_state(p, LockPart::Owner), self.num(0));
        let is_free = self.pool.eq(writer, zero);
        let is_written = self.pool.not(is_free);
        let holder = self.holder_of(p);
        if reads {
            self.stays(is_written, holder, span);
            return;
        }
        let readers = self.lock_state(p, LockPart::Count);
        let is_read = self.gt(readers, zero);
        let waits = self.pool.or2(is_written, is_read);
        let holder = match holder {
            For::Lock(writer) => {
                let reader = self.lock_state(p, LockPart::Reader);
                For::Lock(self.pool.ite(is_written, writer, reader))
            }
            other => other,
        };
        self.stays(waits, holder, span);
    }

    /// The readers of a lock, if they are tracked.
    fn reading(&mut self, p: PtrVal, is_held: TermId) -> Option<Reading> {
        if !self.checks_deadlocks() || !self.threads.concurrent {
            return None;
        }
        let me = self.own_number();
        let (reader, times) = (self.lock_state(p, LockPart::Reader), self.lock_state(p, LockPart::Reads));
        let is_me = self.pool.eq(reader, me);
        Some(Reading { me, reader, times, is_mine: self.pool.and2(is_held, is_me) })
    }

    /// The thread has a lock for reading, if it got it. Of the threads that do one is guessed: at its first time.
    pub(super) fn reads(&mut self, p: PtrVal, got_it: TermId, span: Span) {
        let Some(Reading { me, reader, times, is_mine: again }) = self.reading(p, got_it) else { return };
        let (zero, one) = (self.num(0), self.num(1));
        let more = self.add2(times, one);
        let times = self.pool.ite(again, more, times);
        self.set_lock_state(p, LockPart::Reads, times, span);
        let (guess, end) = (self.new_label(), self.new_label());
        self.jump(vec![guess, end], span);
        self.place_label(guess, span);
        let is_nobody = self.pool.eq(reader, zero);
        let may_be_me = self.pool.and2(got_it, is_nobody);
        self.assume(may_be_me, span);
        self.set_lock_state(p, LockPart::Reader, me, span);
        self.set_lock_state(p, LockPart::Reads, one, span);
        self.jump(vec![end], span);
        self.place_label(end, span);
    }

    /// The thread releases a lock, which it has for reading if there is no writer.
    pub(super) fn reads_no_more(&mut self, p: PtrVal, no_writer: TermId, span: Span) {
        let Some(Reading { reader, times, is_mine, .. }) = self.reading(p, no_writer) else { return };
        let (zero, one) = (self.num(0), self.num(1));
        let fewer = self.minus(times, one);
        let fewer = self.pool.ite(is_mine, fewer, times);
        let left = self.copy_term(fewer, span);
        let is_last = self.pool.eq(left, zero);
        let is_over = self.pool.and2(is_mine, is_last);
        let reader = self.pool.ite(is_over, zero, reader);
        self.set_lock_state(p, LockPart::Reader, reader, span);
        self.set_lock_state(p, LockPart::Reads, left, span);
    }

    // ----- condition variables -----

    /// `pthread_cond_wait`: never woken; or woken by a signal; or woken spuriously, or by a signal that no other thread
    /// could have received.
    pub(super) fn wait_for_signal(&mut self, condition: PtrVal, mutex: PtrVal, span: Span) -> R<()> {
        if !self.threads.concurrent {
            // No thread could send a signal.
            self.check(TermId::FALSE, Subproperty::NoDeadlock, "there may be a deadlock".to_string(), span);
        } else {
            self.refuse_waiting_in_atomic_section(span);
        }
        let (zero, one) = (self.num(0), self.num(1));
        // Releasing the mutex and beginning to wait is one step.
        self.begin_atomic(span);
        if self.threads.has_mutex_kinds {
            self.unlock_of_any_kind(mutex, span)?;
        } else {
            self.release(mutex, span)?;
        }
        if self.threads.concurrent {
            let (sleep, wait, wake, awake) = (self.new_label(), self.new_label(), self.new_label(), self.new_label());
            self.jump(vec![sleep, wait, wake], span);
            self.place_label(sleep, span);
            let sleepers = self.lock_state(condition, LockPart::Sleepers);
            let more = self.add2(sleepers, one);
            self.set_lock_state(condition, LockPart::Sleepers, more, span);
            // What it waits for is not the business of the chain.
            let (wanted_var, wanted) = self.number_ghost(Ghost::WaitsFor);
            let mut assigned = vec![(wanted_var, wanted)];
            assigned.extend(self.one_more_stays());
            self.emit(InstrKind::Stmt(ir::Stmt::Assign(assigned)), span);
            if let Some(all) = self.all_stay() {
                let fine = self.pool.not(all);
                self.check(fine, Subproperty::NoDeadlock, "there may be a deadlock".to_string(), span);
            }
            self.end_atomic(span);
            self.jump(Vec::new(), span);
            self.place_label(wait, span);
            let (waiters, signals) =
                (self.lock_state(condition, LockPart::Waiters), self.lock_state(condition, LockPart::Signals));
            // The receiver of a signal can take it immediately, so that a later waiter does not take it.
            let none = self.pool.eq(signals, zero);
            self.assume(none, span);
            let more = self.add2(waiters, one);
            self.set_lock_state(condition, LockPart::Waiters, more, span);
            self.end_atomic(span);
            self.begin_atomic(span);
            let signals = self.lock_state(condition, LockPart::Signals);
            let some = self.gt(signals, zero);
            self.assume(some, span);
            let fewer = self.minus(signals, one);
            self.set_lock_state(condition, LockPart::Signals, fewer, span);
            self.end_atomic(span);
            self.jump(vec![awake], span);
            self.place_label(wake, span);
            self.end_atomic(span);
            self.jump(vec![awake], span);
            self.place_label(awake, span);
        }
        if self.threads.has_mutex_kinds {
            self.lock_of_any_kind(mutex, false, span).map(|_| ())
        } else {
            self.take(mutex, span)
        }
    }

    /// A thread that never wakes up is not woken: the signal goes to another thread, and there must be one.
    pub(super) fn send_signal(&mut self, condition: PtrVal, is_for_all: bool, span: Span) -> R<()> {
        if !self.threads.concurrent {
            return Ok(());
        }
        let (zero, one) = (self.num(0), self.num(1));
        self.begin_atomic(span);
        self.goes_on(span);
        let sleepers = self.lock_state(condition, LockPart::Sleepers);
        let none = self.pool.eq(sleepers, zero);
        if is_for_all {
            self.assume(none, span);
        } else {
            let (waiters, signals) =
                (self.lock_state(condition, LockPart::Waiters), self.lock_state(condition, LockPart::Signals));
            let some = self.gt(waiters, zero);
            let possible = self.pool.or2(none, some);
            self.assume(possible, span);
            let (fewer, more) = (self.minus(waiters, one), self.add2(signals, one));
            let (waiters, signals) = (self.pool.ite(none, waiters, fewer), self.pool.ite(none, signals, more));
            let waiters = self.copy_term(waiters, span);
            self.set_lock_state(condition, LockPart::Signals, signals, span);
            self.set_lock_state(condition, LockPart::Waiters, waiters, span);
        }
        self.end_atomic(span);
        Ok(())
    }

    // ----- threads -----

    /// Does it matter how many threads run: for deadlocks, or because their variables lead to memory at the end?
    fn counts_running(&self) -> bool {
        let for_memory = self.threads.concurrent && self.mode.check_lost_memory && self.allocates();
        for_memory || self.checks_deadlocks() && self.threads.has_unowned_waits
    }

    /// No thread but the first one runs.
    pub(super) fn is_alone(&mut self) -> TermId {
        if !self.threads.concurrent || !self.counts_running() {
            return TermId::TRUE;
        }
        let (_, others) = self.number_ghost(Ghost::Running);
        let zero = self.num(0);
        self.pool.eq(others, zero)
    }

    /// One more thread runs.
    pub(super) fn thread_begins(&mut self) -> Option<(ir::VarId, TermId)> {
        if !self.counts_running() {
            return None;
        }
        let (var, others) = self.number_ghost(Ghost::Running);
        let one = self.num(1);
        Some((var, self.add2(others, one)))
    }

    /// The thread ends here; it may be the one whose locks are tracked.
    pub(super) fn thread_ends(&mut self, span: Span) {
        let checks = self.checks_deadlocks() && self.threads.concurrent;
        if self.counts_running() && !(checks && self.threads.has_unowned_waits) {
            let (var, others) = self.number_ghost(Ghost::Running);
            let one = self.num(1);
            let fewer = self.minus(others, one);
            self.emit_hidden(InstrKind::Stmt(ir::Stmt::Assign(vec![(var, fewer)])), span);
        }
        if !checks {
            return;
        }
        let me = self.own_number();
        if self.threads.has_unowned_waits {
            let ended = self.ghost(Ghost::Ended);
            let (running_var, others) = self.number_ghost(Ghost::Running);
            let (id, one) = (self.self_id(), self.num(1));
            self.begin_atomic(span);
            self.goes_on(span);
            self.set_entry_term(ended, id, one, span);
            let fewer = self.minus(others, one);
            self.emit_hidden(InstrKind::Stmt(ir::Stmt::Assign(vec![(running_var, fewer)])), span);
            // Those who stay may be all that are left.
            if let Some(all) = self.all_stay() {
                let (_, staying) = self.number_ghost(Ghost::Staying);
                let zero = self.num(0);
                let some = self.gt(staying, zero);
                let all = self.pool.and2(some, all);
                let fine = self.pool.not(all);
                self.check(fine, Subproperty::NoDeadlock, "there may be a deadlock".to_string(), span);
            }
            self.end_atomic(span);
        }
        if self.has_locks() {
            let (guess, end) = (self.new_label(), self.new_label());
            self.jump(vec![guess, end], span);
            self.place_label(guess, span);
            let (var, _) = self.number_ghost(Ghost::EndedOne);
            self.emit_hidden(InstrKind::Stmt(ir::Stmt::Assign(vec![(var, me)])), span);
            self.place_label(end, span);
        }
    }

    fn has_locks(&self) -> bool {
        let locks = ["pthread_mutex_", "pthread_rwlock_", "pthread_spin_", "mtx_"];
        self.mentioned.iter().any(|name| locks.iter().any(|l| name.starts_with(l)))
    }

    /// The thread may stay at the join of another one that has not ended.
    pub(super) fn stays_at_join(&mut self, id: TermId, span: Span) {
        if !self.checks_deadlocks() || !self.threads.concurrent {
            return;
        }
        let (zero, one) = (self.num(0), self.num(1));
        let wanted = self.add2(id, one);
        let mut waits = TermId::TRUE;
        if self.threads.has_unowned_waits {
            let ended = self.ghost(Ghost::Ended);
            let ended = self.program.term(ended);
            let is_over = self.pool.select(ended, id);
            waits = self.pool.eq(is_over, zero);
            // Only threads are waited for.
            let is_thread = self.ge(id, zero);
            let n_threads = self.thread_counter();
            let n_threads = self.program.term(n_threads);
            let is_known = self.ge(n_threads, id);
            waits = self.pool.and(&[waits, is_thread, is_known]);
        }
        self.stays(waits, For::End(wanted), span);
    }

    /// The procedure of a thread that runs a function: the function, and then the end of the thread.
    pub(super) fn thread_proc(&mut self, func: FuncId) -> ProcId {
        let callee = self.proc_of(func);
        if !self.checks_deadlocks() && !self.counts_running() {
            return callee;
        }
        if let Some(&proc) = self.threads.thread_procs.get(&func) {
            return proc;
        }
        let span = self.unit.funcs[func].end;
        let model = &self.program.procs[callee];
        let (name, params, results) = (model.name.clone(), model.params.clone(), model.results.clone());
        let proc = self.program.procs.push(super::empty_procedure(&name));
        self.threads.thread_procs.insert(func, proc);
        let mut copies = |vars: &[ir::VarId], kind: ir::VarKind| -> Vec<ir::VarId> {
            let mut made = Vec::new();
            for &v in vars {
                let (name, sort) = (self.program.vars[v].name.clone(), self.program.vars[v].sort);
                made.push(self.program.add_var(self.pool, &name, sort, kind, Span::NONE));
            }
            made
        };
        let (own_params, own_results) =
            (copies(&params, ir::VarKind::Param(proc)), copies(&results, ir::VarKind::Result(proc)));
        let own = |v: Option<&ir::VarId>| params.iter().position(|p| Some(p) == v).and_then(|i| own_params.get(i));
        if let Some(&id) = own(self.threads.self_params.get(&callee)) {
            self.threads.self_params.insert(proc, id);
        }
        let before = std::mem::replace(&mut self.f, FunctionState::new(proc, span));
        let args = own_params.iter().map(|&p| self.program.term(p)).collect();
        self.emit(InstrKind::Call { callee, args, results: own_results.clone() }, self.unit.funcs[func].span);
        self.thread_ends(span);
        let done = std::mem::replace(&mut self.f, before);
        let procedure = &mut self.program.procs[proc];
        procedure.span = self.unit.funcs[func].span;
        procedure.params = own_params;
        procedure.results = own_results;
        procedure.body = Some(done.body);
        procedure.locals = done.locals;
        proc
    }

    /// A thread that waits inside an atomic section would keep all others from going on.
    pub(super) fn refuse_waiting_in_atomic_section(&mut self, span: Span) {
        if !self.checks_deadlocks() || !self.threads.concurrent {
            return;
        }
        let is_atomic = self.unit.funcs[self.alias.current].name.starts_with("__VERIFIER_atomic_");
        if (is_atomic || self.threads.in_atomic_section) && (self.has_locks() || self.threads.has_unowned_waits) {
            self.note_unsound("deadlocks of threads that wait in an atomic section", span);
        }
    }
}
