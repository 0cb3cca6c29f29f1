//! Deadlocks of Boogie programs as failing checks.
//!
//! A thread *waits* before a `join` of a thread that has not ended, and before an atomic section whose first statement
//! is an `assume` that does not hold (that is how programs write locks). A deadlock is a state in which every thread
//! that has not ended waits, and the entry procedure has not ended. An `assume` elsewhere chooses among executions, as
//! in Boogie without threads: where it fails there is no execution, so no deadlock either.
//!
//! Where a thread waits it may also *stay*, for good. Threads that stay are counted, and so are threads that have not
//! ended. From the first one that stays on, nobody changes what others wait for: in a deadlock all threads are where
//! they wait before any of them has to stay.
//!
//! Assertions and contracts are no checks here: an execution ends where one fails.

use base::Span;
use ir::{
    Body, Check, Instr, InstrKind, Note, ProcId, Procedure, Program, Remark, RemarkKind, Stmt, Subproperty, VarId,
    VarKind, VarRole,
};
use logic::{SortId, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

/// The variables that keep count.
struct Ghosts {
    /// 1 as soon as a thread stays.
    stuck: VarId,
    staying: VarId,
    /// Threads that were started and have not ended.
    running: VarId,
    /// By id: the threads that have ended and were not joined.
    ended: VarId,
}

/// Makes checks of deadlocks, and of nothing else.
pub fn check_deadlocks(program: &mut Program, pool: &mut TermPool) {
    let integers = pool.array_sort(SortId::INT, SortId::INT);
    let mut ghost =
        |pool: &mut TermPool, name: &str, sort| program.add_var(pool, name, sort, VarKind::Global, Span::NONE);
    let ghosts = Ghosts {
        stuck: ghost(pool, "#stuck", SortId::INT),
        staying: ghost(pool, "#staying", SortId::INT),
        running: ghost(pool, "#running", SortId::INT),
        ended: ghost(pool, "#ended", integers),
    };
    program.vars[ghosts.staying].role = VarRole::WaitsFor;
    let zero = pool.int(0);
    for v in [ghosts.stuck, ghosts.staying, ghosts.running] {
        let term = program.term(v);
        program.initially.push(pool.eq(term, zero));
    }
    let nobody = pool.const_array(integers, zero);
    let ended = program.term(ghosts.ended);
    program.initially.push(pool.eq(ended, nobody));
    let watched = watched(program, pool);
    let mut maker = Maker { program, pool, ghosts, watched, threads: BTreeMap::new() };
    for proc in maker.program.procs.ids() {
        if let Some(body) = maker.program.procs[proc].body.take() {
            let body = maker.body(proc, body);
            maker.program.procs[proc].body = Some(body);
        }
    }
    let Ghosts { stuck, staying, running, ended } = maker.ghosts;
    only_deadlocks(program);
    for (_, procedure) in program.procs.iter_mut() {
        procedure.modifies.extend([stuck, staying, running, ended]);
    }
}

/// Assertions end executions, contracts are no obligations.
fn only_deadlocks(program: &mut Program) {
    for (_, procedure) in program.procs.iter_mut() {
        for spec in procedure.requires.iter_mut().chain(&mut procedure.ensures) {
            spec.free = true;
        }
        for instr in procedure.body.iter_mut().flat_map(|b| &mut b.instrs) {
            if let InstrKind::Assert(condition, check) = &instr.kind
                && check.property != Subproperty::NoDeadlock
            {
                instr.kind = InstrKind::Stmt(Stmt::Assume(*condition));
            }
        }
    }
}

/// The first condition of the atomic section that begins at an instruction.
fn waits_for(instrs: &[Instr], begin: usize) -> Option<TermId> {
    let inside = instrs[begin + 1..].iter().find(|i| !matches!(i.kind, InstrKind::Label(_)))?;
    match inside.kind {
        InstrKind::Stmt(Stmt::Assume(condition)) => Some(condition),
        _ => None,
    }
}

/// The globals that decide whether threads wait.
fn watched(program: &Program, pool: &TermPool) -> BTreeSet<VarId> {
    let mut symbols = BTreeSet::new();
    for body in program.procs.values().filter_map(|p| p.body.as_ref()) {
        for (i, instr) in body.instrs.iter().enumerate() {
            if instr.kind == InstrKind::AtomicBegin
                && let Some(condition) = waits_for(&body.instrs, i)
            {
                symbols.extend(pool.free_constants(condition));
            }
        }
    }
    program.globals.iter().copied().filter(|g| symbols.contains(&program.term(*g))).collect()
}

struct Maker<'a> {
    program: &'a mut Program,
    pool: &'a mut TermPool,
    ghosts: Ghosts,
    watched: BTreeSet<VarId>,
    /// The procedures of threads, by what they run.
    threads: BTreeMap<ProcId, ProcId>,
}

impl Maker<'_> {
    fn body(&mut self, proc: ProcId, old: Body) -> Body {
        let mut body = Body { instrs: Vec::new(), n_labels: old.n_labels };
        // Atomic sections are blocks of the source.
        let mut depth = 0usize;
        for (i, instr) in old.instrs.iter().enumerate() {
            let span = instr.span;
            match &instr.kind {
                InstrKind::AtomicBegin => {
                    if depth == 0 {
                        if let Some(condition) = waits_for(&old.instrs, i) {
                            let waits = self.pool.not(condition);
                            self.stay(&mut body, waits, span);
                        }
                        body.instrs.push(instr.clone());
                        self.goes_on(&mut body, span);
                    } else {
                        body.instrs.push(instr.clone());
                    }
                    depth += 1;
                }
                InstrKind::AtomicEnd => {
                    depth = depth.saturating_sub(1);
                    body.instrs.push(instr.clone());
                }
                InstrKind::Stmt(Stmt::Assign(pairs)) if pairs.iter().any(|p| self.watched.contains(&p.0)) => {
                    self.alone(&mut body, instr);
                }
                InstrKind::Stmt(Stmt::Havoc(vars, _)) if vars.iter().any(|v| self.watched.contains(v)) => {
                    self.alone(&mut body, instr);
                }
                InstrKind::Fork { id, callee, args } => {
                    let Some(name) = self.id_of(id, span) else {
                        body.instrs.push(instr.clone());
                        continue;
                    };
                    self.change(&mut body, self.ghosts.running, 1, span);
                    let thread = self.thread(*callee);
                    let args = args.iter().copied().chain([name]).collect();
                    body.push_noted(InstrKind::Fork { id: id.clone(), callee: thread, args }, span, instr.note);
                }
                InstrKind::Join { id, results } => {
                    let Some(name) = self.id_of(id, span) else {
                        body.instrs.push(instr.clone());
                        continue;
                    };
                    if depth > 0 {
                        self.refuse("deadlocks with a join in an atomic section", span);
                    }
                    let globals: BTreeSet<TermId> =
                        self.program.globals.iter().map(|g| self.program.term(*g)).collect();
                    if self.pool.free_constants(name).iter().any(|c| globals.contains(c)) {
                        self.refuse("deadlocks with an id that other threads may change", span);
                    }
                    // The results of the join may overwrite what the id is made of.
                    let kept = self.program.add_var(self.pool, "#joined", SortId::INT, VarKind::Local(proc), span);
                    self.program.vars[kept].role = VarRole::Temporary;
                    self.program.procs[proc].locals.push(kept);
                    hidden(&mut body, InstrKind::Stmt(Stmt::Assign(vec![(kept, name)])), span);
                    let name = self.program.term(kept);
                    let (ended, zero) = (self.program.term(self.ghosts.ended), self.pool.int(0));
                    let n_ended = self.pool.select(ended, name);
                    let waits = self.pool.eq(n_ended, zero);
                    self.stay(&mut body, waits, span);
                    let join = InstrKind::Join { id: vec![name], results: results.clone() };
                    body.push_noted(join, span, instr.note);
                    let minus_one = self.pool.int(-1);
                    self.end(&mut body, name, minus_one, None, span);
                }
                _ => body.instrs.push(instr.clone()),
            }
        }
        body
    }

    /// The id of a thread, if it is one number.
    fn id_of(&mut self, id: &[TermId], span: Span) -> Option<TermId> {
        match *id {
            [only] if self.pool.sort(only) == SortId::INT => Some(only),
            _ => {
                self.refuse("deadlocks of threads whose ids are not single integers", span);
                None
            }
        }
    }

    fn refuse(&mut self, what: &str, span: Span) {
        let remark = Remark { kind: RemarkKind::Other, span, message: what.to_string() };
        self.program.fidelity.unsound.push(remark);
    }

    /// Nobody stays yet.
    fn goes_on(&mut self, body: &mut Body, span: Span) {
        let (stuck, zero) = (self.program.term(self.ghosts.stuck), self.pool.int(0));
        let nobody = self.pool.eq(stuck, zero);
        hidden(body, InstrKind::Stmt(Stmt::Assume(nobody)), span);
    }

    /// A step that changes what others wait for.
    fn alone(&mut self, body: &mut Body, instr: &Instr) {
        hidden(body, InstrKind::AtomicBegin, instr.span);
        self.goes_on(body, instr.span);
        body.instrs.push(instr.clone());
        hidden(body, InstrKind::AtomicEnd, instr.span);
    }

    fn change(&mut self, body: &mut Body, ghost: VarId, by: i64, span: Span) {
        let (old, by) = (self.program.term(ghost), self.pool.int(by));
        let new = self.pool.add(&[old, by]);
        let change = Instr { kind: InstrKind::Stmt(Stmt::Assign(vec![(ghost, new)])), span, note: Note::Hidden };
        self.alone(body, &change);
    }

    /// The thread may stay here while it `waits`.
    fn stay(&mut self, body: &mut Body, waits: TermId, span: Span) {
        let (stay, go) = (body.new_label(), body.new_label());
        body.goto(vec![stay, go], span);
        body.label(stay, span);
        hidden(body, InstrKind::AtomicBegin, span);
        hidden(body, InstrKind::Stmt(Stmt::Assume(waits)), span);
        let (staying, running) = (self.program.term(self.ghosts.staying), self.program.term(self.ghosts.running));
        let one = self.pool.int(1);
        let more = self.pool.add(&[staying, one]);
        body.stmt(Stmt::Assign(vec![(self.ghosts.stuck, one), (self.ghosts.staying, more)]), span);
        let all = self.pool.add(&[running, one]);
        let is_all = self.pool.eq(staying, all);
        let fine = self.pool.not(is_all);
        let check = Check::new(Subproperty::NoDeadlock, "there may be a deadlock", span);
        hidden(body, InstrKind::Assert(fine, check), span);
        hidden(body, InstrKind::AtomicEnd, span);
        body.goto(Vec::new(), span);
        body.label(go, span);
    }

    /// More or fewer threads with an id have ended and were not joined.
    fn end(&mut self, body: &mut Body, id: TermId, by: TermId, running: Option<i64>, span: Span) {
        let ended = self.program.term(self.ghosts.ended);
        let old = self.pool.select(ended, id);
        let new = self.pool.add(&[old, by]);
        let mut assigned = vec![(self.ghosts.ended, self.pool.store(ended, id, new))];
        if let Some(by) = running {
            let (old, by) = (self.program.term(self.ghosts.running), self.pool.int(by));
            assigned.push((self.ghosts.running, self.pool.add(&[old, by])));
        }
        let change = Instr { kind: InstrKind::Stmt(Stmt::Assign(assigned)), span, note: Note::Hidden };
        self.alone(body, &change);
    }

    /// The procedure of a thread: what it runs, and then its end. The last parameter is its id.
    fn thread(&mut self, callee: ProcId) -> ProcId {
        if let Some(&thread) = self.threads.get(&callee) {
            return thread;
        }
        let model = &self.program.procs[callee];
        let (name, span, modifies) = (model.name.clone(), model.span, model.modifies.clone());
        let (params, results) = (model.params.clone(), model.results.clone());
        let empty = Procedure {
            name,
            span,
            modifies,
            params: Vec::new(),
            results: Vec::new(),
            locals: Vec::new(),
            requires: Vec::new(),
            ensures: Vec::new(),
            body: None,
        };
        let thread = self.program.procs.push(empty);
        self.threads.insert(callee, thread);
        let copy = |maker: &mut Self, vars: &[VarId], kind: VarKind| -> Vec<VarId> {
            let mut made = Vec::new();
            for &v in vars {
                let (name, sort) = (maker.program.vars[v].name.clone(), maker.program.vars[v].sort);
                made.push(maker.program.add_var(maker.pool, &name, sort, kind, Span::NONE));
            }
            made
        };
        let mut own_params = copy(self, &params, VarKind::Param(thread));
        let own_results = copy(self, &results, VarKind::Result(thread));
        let id = self.program.add_var(self.pool, "#id", SortId::INT, VarKind::Param(thread), Span::NONE);
        let args = own_params.iter().map(|&p| self.program.term(p)).collect();
        own_params.push(id);
        let mut body = Body::default();
        body.push(InstrKind::Call { callee, args, results: own_results.clone() }, span);
        let (id, one) = (self.program.term(id), self.pool.int(1));
        self.end(&mut body, id, one, Some(-1), span);
        body.push(InstrKind::Return, span);
        let procedure = &mut self.program.procs[thread];
        procedure.params = own_params;
        procedure.results = own_results;
        procedure.body = Some(body);
        thread
    }
}

fn hidden(body: &mut Body, kind: InstrKind, span: Span) {
    body.push_noted(kind, span, Note::Hidden);
}
