//! The product of threads against all interleavings, one step at a time, on random programs with small values.

use base::Random;
use base::Span;
use ir::interleave::{ThreadLimits, interleave};
use ir::{Body, Check, Icfg, InstrKind, Label, LocId, Nondet, Note, ProcId, Procedure, Program, Stmt, VarId, VarKind};
use logic::{SortId, Substitution, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

fn procedure(name: &str) -> Procedure {
    Procedure {
        name: name.to_string(),
        span: Span::NONE,
        params: Vec::new(),
        results: Vec::new(),
        locals: Vec::new(),
        modifies: Vec::new(),
        requires: Vec::new(),
        ensures: Vec::new(),
        body: None,
    }
}

struct Maker<'a> {
    pool: &'a mut TermPool,
    r: Random,
    globals: Vec<VarId>,
    locks: [VarId; 2],
    local: VarId,
    program: Program,
    n_checks: u32,
    /// Locks are only used as locks should be.
    tidy: bool,
}

impl Maker<'_> {
    fn term(&self, v: VarId) -> TermId {
        self.program.vars[v].term
    }
    fn any_var(&mut self) -> VarId {
        match self.r.below(4) {
            0 => self.local,
            _ => self.r.one_of(&self.globals),
        }
    }
    fn value(&mut self) -> TermId {
        let n = self.pool.int(self.r.below(3) as i64);
        if self.r.below(2) == 0 {
            return n;
        }
        let v = self.any_var();
        let sum = self.pool.add(&[self.program.vars[v].term, n]);
        let three = self.pool.int(3);
        self.pool.modulo(sum, three)
    }
    fn condition(&mut self) -> TermId {
        let v = self.any_var();
        let n = self.pool.int(self.r.below(3) as i64);
        let term = self.term(v);
        if self.r.below(2) == 0 { self.pool.eq(term, n) } else { self.pool.le(term, n) }
    }
    fn set(&self, body: &mut Body, v: VarId, t: TermId) {
        body.stmt(Stmt::Assign(vec![(v, t)]), Span::NONE);
    }
    fn any_lock(&mut self) -> VarId {
        self.locks[self.r.below(2)]
    }
    fn take(&mut self, body: &mut Body, lock: VarId) {
        let (zero, one) = (self.pool.int(0), self.pool.int(1));
        let free = self.pool.eq(self.program.vars[lock].term, zero);
        body.push(InstrKind::AtomicBegin, Span::NONE);
        body.stmt(Stmt::Assume(free), Span::NONE);
        self.set(body, lock, one);
        body.push(InstrKind::AtomicEnd, Span::NONE);
    }
    fn statement(&mut self, body: &mut Body, depth: u32) {
        match self.r.below(if depth == 0 { 7 } else { 12 }) {
            0..=2 => {
                let (v, t) = (self.any_var(), self.value());
                self.set(body, v, t);
            }
            3 => {
                let c = self.condition();
                body.stmt(Stmt::Assume(c), Span::NONE);
            }
            4 => {
                let c = self.condition();
                self.n_checks += 1;
                let check = Check::new(ir::Subproperty::UnreachCall, format!("{}", self.n_checks), Span::NONE);
                body.push(InstrKind::Assert(c, check), Span::NONE);
            }
            5 => {
                // Nobody sees a value that is no legal choice.
                let v = self.any_var();
                body.push(InstrKind::AtomicBegin, Span::NONE);
                body.stmt(Stmt::Havoc(vec![v], Nondet::Choice), Span::NONE);
                let (zero, one) = (self.pool.int(0), self.pool.int(1));
                let term = self.term(v);
                let (a, b) = (self.pool.le(zero, term), self.pool.le(term, one));
                let range = self.pool.and2(a, b);
                body.push_noted(InstrKind::Stmt(Stmt::Assume(range)), Span::NONE, Note::Fact);
                body.push(InstrKind::AtomicEnd, Span::NONE);
            }
            6 => {
                body.push(InstrKind::AtomicBegin, Span::NONE);
                for _ in 0..2 {
                    self.statement(body, 0);
                }
                body.push(InstrKind::AtomicEnd, Span::NONE);
            }
            7 => {
                // A lock around some steps, perhaps inside the other one.
                let lock = self.any_lock();
                self.take(body, lock);
                for _ in 0..2 {
                    let inside = if self.r.below(3) == 0 { depth - 1 } else { 0 };
                    self.statement(body, inside);
                }
                let zero = self.pool.int(0);
                self.set(body, lock, zero);
            }
            10 if !self.tidy => {
                // A lock that is only tried: whoever fails goes on all the same.
                let lock = self.any_lock();
                let (one, tried) = (self.pool.int(1), self.term(lock));
                body.push(InstrKind::AtomicBegin, Span::NONE);
                self.set(body, self.local, tried);
                self.set(body, lock, one);
                body.push(InstrKind::AtomicEnd, Span::NONE);
            }
            11 if !self.tidy => {
                // A lock is released by somebody who may not have it.
                let (lock, zero) = (self.any_lock(), self.pool.int(0));
                self.set(body, lock, zero);
            }
            10 | 11 => {
                // A lock that is taken on one way only.
                let lock = self.any_lock();
                let c = self.condition();
                let not_c = self.pool.not(c);
                let (yes, end) = (body.new_label(), body.new_label());
                let no = body.new_label();
                body.goto(vec![yes, no], Span::NONE);
                body.label(yes, Span::NONE);
                body.stmt(Stmt::Assume(c), Span::NONE);
                self.take(body, lock);
                self.statement(body, 0);
                let zero = self.pool.int(0);
                self.set(body, lock, zero);
                body.goto(vec![end], Span::NONE);
                body.label(no, Span::NONE);
                body.stmt(Stmt::Assume(not_c), Span::NONE);
                body.label(end, Span::NONE);
            }
            8 => {
                let c = self.condition();
                let not_c = self.pool.not(c);
                let (yes, no, end) = (body.new_label(), body.new_label(), body.new_label());
                body.goto(vec![yes, no], Span::NONE);
                body.label(yes, Span::NONE);
                body.stmt(Stmt::Assume(c), Span::NONE);
                self.statement(body, depth - 1);
                body.goto(vec![end], Span::NONE);
                body.label(no, Span::NONE);
                body.stmt(Stmt::Assume(not_c), Span::NONE);
                self.statement(body, depth - 1);
                body.label(end, Span::NONE);
            }
            _ => {
                let c = self.condition();
                let not_c = self.pool.not(c);
                let (head, inside, out) = (body.new_label(), body.new_label(), body.new_label());
                body.label(head, Span::NONE);
                body.goto(vec![inside, out], Span::NONE);
                body.label(inside, Span::NONE);
                body.stmt(Stmt::Assume(c), Span::NONE);
                self.statement(body, depth - 1);
                body.goto(vec![head], Span::NONE);
                body.label(out, Span::NONE);
                body.stmt(Stmt::Assume(not_c), Span::NONE);
            }
        }
    }
}

fn random_program(pool: &mut TermPool, seed: u64) -> Program {
    let mut program = Program::new();
    let start = program.procs.push(procedure("start"));
    let workers = [program.procs.push(procedure("one")), program.procs.push(procedure("two"))];
    let globals: Vec<VarId> =
        ["a", "b", "c"].iter().map(|n| program.add_var(pool, n, SortId::INT, VarKind::Global, Span::NONE)).collect();
    let locks = ["lock", "other"].map(|n| program.add_var(pool, n, SortId::INT, VarKind::Global, Span::NONE));
    let mut maker =
        Maker { pool, r: Random::new(seed), globals, locks, local: locks[0], program, n_checks: 0, tidy: true };
    maker.tidy = maker.r.below(3) > 0;
    let n_globals = 1 + maker.r.below(3);
    maker.globals.truncate(n_globals);
    let mut forks = false;
    for (i, worker) in workers.into_iter().enumerate() {
        let local =
            maker.program.add_var(maker.pool, &format!("x{i}"), SortId::INT, VarKind::Local(worker), Span::NONE);
        maker.local = local;
        let mut body = Body::default();
        let zero = maker.pool.int(0);
        maker.set(&mut body, local, zero);
        forks |= i == 0 && maker.r.below(4) == 0;
        if i == 0 && forks {
            let three = maker.pool.int(3);
            body.push(InstrKind::Fork { id: vec![three], callee: workers[1], args: Vec::new() }, Span::NONE);
        }
        let n_statements = if forks { 1 + maker.r.below(2) } else { 2 + maker.r.below(3) };
        for _ in 0..n_statements {
            let depth = 1 + u32::from(maker.r.below(4) == 0);
            maker.statement(&mut body, depth);
        }
        maker.program.procs[worker].locals = vec![local];
        maker.program.procs[worker].body = Some(body);
    }
    let local = maker.program.add_var(maker.pool, "m", SortId::INT, VarKind::Local(start), Span::NONE);
    maker.local = local;
    let mut body = Body::default();
    let zero = maker.pool.int(0);
    let mut all: Vec<VarId> = maker.globals.clone();
    all.extend(locks);
    all.push(local);
    body.stmt(Stmt::Assign(all.into_iter().map(|v| (v, zero)).collect()), Span::NONE);
    let (one, two) = (maker.pool.int(1), maker.pool.int(2));
    let second = if maker.r.below(3) == 0 { workers[0] } else { workers[1] };
    body.push(InstrKind::Fork { id: vec![one], callee: workers[0], args: Vec::new() }, Span::NONE);
    maker.statement(&mut body, 0);
    body.push(InstrKind::Fork { id: vec![two], callee: second, args: Vec::new() }, Span::NONE);
    maker.statement(&mut body, 1);
    if maker.r.below(2) == 0 {
        body.push(InstrKind::Join { id: vec![one], results: Vec::new() }, Span::NONE);
    }
    maker.statement(&mut body, 0);
    maker.program.procs[start].locals = vec![local];
    maker.program.procs[start].body = Some(body);
    maker.program.entries = vec![start];
    maker.program
}

type Values = BTreeMap<VarId, i64>;

fn eval(icfg: &Icfg, pool: &mut TermPool, values: &Values, t: TermId) -> TermId {
    let pairs: Vec<(TermId, TermId)> = icfg
        .vars
        .iter()
        .map(|(v, data)| (v, data.term))
        .map(|(v, term)| (term, values.get(&v).copied().unwrap_or(0)))
        .map(|(term, n)| (term, pool.int(n)))
        .collect();
    Substitution::from_pairs(pairs).apply(pool, t)
}
fn number(icfg: &Icfg, pool: &mut TermPool, values: &Values, t: TermId) -> i64 {
    let value = eval(icfg, pool, values, t);
    pool.number(value).and_then(|n| n.to_string().parse().ok()).expect("a number")
}

/// All outcomes of a statement.
fn outcomes(icfg: &Icfg, pool: &mut TermPool, values: &Values, stmt: &Stmt) -> Vec<Values> {
    match stmt {
        Stmt::Assume(c) => {
            if eval(icfg, pool, values, *c) == TermId::TRUE {
                vec![values.clone()]
            } else {
                Vec::new()
            }
        }
        Stmt::Assign(pairs) => {
            let mut next = values.clone();
            for &(v, t) in pairs {
                next.insert(v, number(icfg, pool, values, t));
            }
            vec![next]
        }
        Stmt::Havoc(vars, _) => {
            let mut list = vec![values.clone()];
            for &v in vars {
                list = list
                    .into_iter()
                    .flat_map(|s| (0..2).map(move |n| (s.clone(), n)))
                    .map(|(mut s, n)| {
                        s.insert(v, n);
                        s
                    })
                    .collect();
            }
            list
        }
    }
}

/// The messages of the checks that a sequential graph can violate.
fn sequential_errors(icfg: &Icfg, pool: &mut TermPool) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    let mut found = BTreeSet::new();
    let mut work = vec![(icfg.entry(), Values::new())];
    while let Some((loc, values)) = work.pop() {
        if !seen.insert((loc, values.clone())) {
            continue;
        }
        found.extend(icfg.locs[loc].error.as_ref().map(|c| c.message.clone()));
        for &e in icfg.out_edges(loc) {
            let Label::Stmt(stmt) = &icfg.edges[e].label else { panic!("a sequential graph has statements only") };
            for next in outcomes(icfg, pool, &values, stmt) {
                work.push((icfg.edges[e].dst, next));
            }
        }
    }
    found
}

/// Programs with more states are left out.
const MAX_STATES: usize = 4_000;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Running {
    proc: ProcId,
    /// `None`: finished.
    loc: Option<LocId>,
    locals: Values,
    id: i64,
}

/// The same for a graph with threads, by executing all interleavings; `None` if there are too many.
fn concurrent_errors(icfg: &Icfg, pool: &mut TermPool) -> Option<BTreeSet<String>> {
    let root = icfg.root.expect("a root");
    let first = Running { proc: root, loc: Some(icfg.entry()), locals: Values::new(), id: 0 };
    let mut seen = BTreeSet::new();
    let mut found = BTreeSet::new();
    let mut work = vec![(Values::new(), vec![first], None::<(usize, u32)>)];
    while let Some(state) = work.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        if seen.len() > MAX_STATES {
            return None;
        }
        let (globals, threads, atomic) = state;
        let at = |t: &Running| t.loc;
        if let Some(check) = threads.iter().filter_map(at).find_map(|l| icfg.locs[l].error.clone()) {
            found.insert(check.message);
            continue;
        }
        if threads[0].loc == Some(icfg.procs[root].exit) {
            continue;
        }
        for (t, thread) in threads.iter().enumerate() {
            let Some(loc) = thread.loc else { continue };
            if atomic.is_some_and(|(holder, _)| holder != t) {
                continue;
            }
            for &e in icfg.out_edges(loc) {
                let edge = &icfg.edges[e];
                let mut values = globals.clone();
                values.extend(thread.locals.iter().map(|(k, v)| (*k, *v)));
                let is_exit = t != 0 && edge.dst == icfg.procs[thread.proc].exit;
                let arrive = |threads: &[Running], values: &Values| {
                    let mut next = threads.to_vec();
                    next[t].loc = (!is_exit).then_some(edge.dst);
                    next[t].locals =
                        values.iter().filter(|(v, _)| !icfg.globals.contains(v)).map(|(k, v)| (*k, *v)).collect();
                    let shared: Values =
                        values.iter().filter(|(v, _)| icfg.globals.contains(v)).map(|(k, v)| (*k, *v)).collect();
                    (shared, next)
                };
                let keep = if is_exit { None } else { atomic };
                match &edge.label {
                    Label::Stmt(stmt) => {
                        for next in outcomes(icfg, pool, &values, stmt) {
                            let (shared, next) = arrive(&threads, &next);
                            work.push((shared, next, keep));
                        }
                    }
                    Label::AtomicBegin => {
                        let (shared, next) = arrive(&threads, &values);
                        work.push((shared, next, Some((t, atomic.map_or(1, |a| a.1 + 1)))));
                    }
                    Label::AtomicEnd => {
                        let (shared, next) = arrive(&threads, &values);
                        work.push((shared, next, keep.and_then(|(h, n)| (n > 1).then_some((h, n - 1)))));
                    }
                    Label::Fork { id, callee, .. } => {
                        let id = number(icfg, pool, &values, id[0]);
                        let (shared, mut next) = arrive(&threads, &values);
                        let loc = Some(icfg.procs[*callee].entry);
                        next.push(Running { proc: *callee, loc, locals: Values::new(), id });
                        work.push((shared, next, keep));
                    }
                    Label::Join { id, .. } => {
                        let id = number(icfg, pool, &values, id[0]);
                        if threads.iter().skip(1).any(|o| o.id == id && o.loc.is_none()) {
                            let (shared, next) = arrive(&threads, &values);
                            work.push((shared, next, keep));
                        }
                    }
                    other => panic!("{other:?}"),
                }
            }
        }
    }
    Some(found)
}

#[test]
fn products_have_the_errors_of_all_interleavings() {
    let mut n_errors = 0;
    for seed in 0..800 {
        let mut pool = TermPool::new();
        let program = random_program(&mut pool, seed);
        let graph = Icfg::build(&program, &mut pool);
        let (inlined, _) = ir::inline::inline_calls(&graph, &mut pool, &Default::default()).expect("small");
        let Some(all) = concurrent_errors(&inlined, &mut pool) else { continue };
        let product = interleave(&inlined, &mut pool, &ThreadLimits::default()).expect("small").icfg;
        assert_eq!(ir::verify::verify_icfg(&product, &pool), Vec::<String>::new(), "seed {seed}");
        let ours = sequential_errors(&product, &mut pool);
        // An error ends the program, so one may hide another, but not all of them.
        assert!(ours.is_subset(&all) && ours.is_empty() == all.is_empty(), "seed {seed}: {ours:?} of {all:?}");
        n_errors += all.len();
    }
    assert!(n_errors > 50, "only {n_errors} errors: the programs are too tame");
}

#[test]
fn searches_find_a_violation_if_there_is_one() {
    use exec::schedules::{Outcome, SearchLimits, search};
    let mut n_found = 0;
    for seed in 0..150 {
        let mut pool = TermPool::new();
        let program = random_program(&mut pool, seed);
        let graph = Icfg::build(&program, &mut pool);
        let (inlined, _) = ir::inline::inline_calls(&graph, &mut pool, &Default::default()).expect("small");
        let Some(all) = concurrent_errors(&inlined, &mut pool) else { continue };
        let (threads, limits) = (ThreadLimits::default(), SearchLimits::default());
        let searched = search(&inlined, &mut pool, &threads, &limits, &mut |_| false).expect("small");
        match searched.outcome {
            Outcome::Violation(trace) => {
                let run = exec::interp::replay(&searched.product.icfg, &pool, &trace).expect("a violation");
                assert!(all.contains(&run.check.message), "seed {seed}: {:?}", run.check);
                n_found += 1;
            }
            Outcome::Nothing => assert_eq!(all, BTreeSet::new(), "seed {seed}"),
            Outcome::Stopped => panic!("seed {seed}: nobody stopped the search"),
        }
    }
    assert!(n_found > 50, "only {n_found} violations: the programs are too tame");
}

#[test]
fn what_is_proved_by_looking_at_all_states_holds() {
    use exec::reached::{Reached, reached};
    use exec::states::{Limits, Outcome, enumerate};
    let limits = Limits { max_steps: 1_000_000 };
    let mut n_proved = 0;
    for seed in 0..300 {
        let mut pool = TermPool::new();
        let program = random_program(&mut pool, seed);
        let graph = Icfg::build(&program, &mut pool);
        let (inlined, _) = ir::inline::inline_calls(&graph, &mut pool, &Default::default()).expect("small");
        let Some(all) = concurrent_errors(&inlined, &mut pool) else { continue };
        let part = reached(&inlined, &mut pool, &ThreadLimits::default(), &limits, &mut || false).expect("small");
        let Reached::Part(part, _) = part else { continue };
        assert_eq!(ir::verify::verify_icfg(&part.icfg, &pool), Vec::<String>::new(), "seed {seed}");
        assert!(matches!(enumerate(&part.icfg, &mut pool, &limits, &mut || false), Outcome::All(_)), "seed {seed}");
        assert_eq!(sequential_errors(&part.icfg, &mut pool), BTreeSet::new(), "seed {seed}: the part is not all");
        assert_eq!(all, BTreeSet::new(), "seed {seed}");
        n_proved += 1;
    }
    assert!(n_proved > 20, "only {n_proved} programs were proved");
}

/// What a thread of a small program does.
#[derive(Clone, Copy)]
enum Does {
    Take,
    /// Takes the lock or not.
    MayTake,
    Release,
    /// Sets the lock to what a variable says.
    Unlock,
    /// Sets the watched variable.
    Set(i64),
    /// Checks that the watched variable is not 1.
    Look,
    /// Starts the last thread.
    Start,
}

/// Threads that do these things, one after the other; all but the last are started by the root.
fn small_program(pool: &mut TermPool, threads: &[&[Does]]) -> Program {
    let mut program = Program::new();
    let start = program.procs.push(procedure("start"));
    let workers: Vec<ProcId> = (0..threads.len()).map(|i| program.procs.push(procedure(&format!("t{i}")))).collect();
    let [watched, lock, free] =
        ["watched", "lock", "free"].map(|n| program.add_var(pool, n, SortId::INT, VarKind::Global, Span::NONE));
    let locks = [lock, lock];
    let mut maker =
        Maker { pool, r: Random::new(0), globals: vec![watched], locks, local: lock, program, n_checks: 0, tidy: true };
    let zero = maker.pool.int(0);
    let mut root = Body::default();
    root.stmt(Stmt::Assign([watched, lock, free].map(|v| (v, zero)).to_vec()), Span::NONE);
    for (i, does) in threads.iter().enumerate() {
        let id = maker.pool.int(i as i64 + 1);
        if i + 1 < threads.len() {
            root.push(InstrKind::Fork { id: vec![id], callee: workers[i], args: Vec::new() }, Span::NONE);
        }
        let mut body = Body::default();
        for step in does.iter() {
            match *step {
                Does::Take => maker.take(&mut body, lock),
                Does::MayTake => {
                    let (yes, end) = (body.new_label(), body.new_label());
                    body.goto(vec![yes, end], Span::NONE);
                    body.label(yes, Span::NONE);
                    maker.take(&mut body, lock);
                    body.label(end, Span::NONE);
                }
                Does::Release => maker.set(&mut body, lock, zero),
                Does::Unlock => {
                    let says = maker.term(free);
                    maker.set(&mut body, lock, says);
                }
                Does::Set(n) => {
                    let n = maker.pool.int(n);
                    maker.set(&mut body, watched, n);
                }
                Does::Look => {
                    let one = maker.pool.int(1);
                    let seen = maker.pool.eq(maker.program.vars[watched].term, one);
                    let unseen = maker.pool.not(seen);
                    let check = Check::new(ir::Subproperty::UnreachCall, "seen", Span::NONE);
                    body.push(InstrKind::Assert(unseen, check), Span::NONE);
                }
                Does::Start => {
                    let (id, callee) = (maker.pool.int(threads.len() as i64), workers[threads.len() - 1]);
                    body.push(InstrKind::Fork { id: vec![id], callee, args: Vec::new() }, Span::NONE);
                }
            }
        }
        maker.program.procs[workers[i]].body = Some(body);
    }
    for i in 1..threads.len() {
        let id = maker.pool.int(i as i64);
        root.push(InstrKind::Join { id: vec![id], results: Vec::new() }, Span::NONE);
    }
    maker.program.procs[start].body = Some(root);
    maker.program.entries = vec![start];
    maker.program
}

/// Each of these is a violation that a lock or a start taken for more than it is would hide, and what a lock does hide.
#[test]
fn locks_hide_what_they_protect_and_nothing_else() {
    use Does::*;
    let nobody: &[Does] = &[];
    let looks: &[Does] = &[Take, Look, Release];
    let cases: [(&str, &[&[Does]], bool); 7] = [
        ("protected", &[&[Take, Set(1), Set(2), Release], looks, nobody], false),
        ("after the release", &[&[Take, Set(0), Release, Set(1), Set(2)], looks, nobody], true),
        ("taken on one way", &[&[MayTake, Set(1), Set(2)], looks, nobody], true),
        ("released by another", &[&[Take, Set(1), Set(2), Release], looks, &[Release], nobody], true),
        ("changed by another", &[&[Take, Set(1), Set(2), Release], looks, &[Unlock], nobody], true),
        ("seen without the lock", &[&[Take, Set(1), Set(2), Release], &[Look], nobody], true),
        ("seen by one who is started", &[&[Set(1), Set(2)], &[Start], &[Look]], true),
    ];
    for (name, threads, is_violated) in cases {
        let mut pool = TermPool::new();
        let program = small_program(&mut pool, threads);
        let graph = Icfg::build(&program, &mut pool);
        let (inlined, _) = ir::inline::inline_calls(&graph, &mut pool, &Default::default()).expect("small");
        let all = concurrent_errors(&inlined, &mut pool).expect("small");
        assert_eq!(!all.is_empty(), is_violated, "{name}");
        let product = interleave(&inlined, &mut pool, &ThreadLimits::default()).expect("small").icfg;
        assert_eq!(sequential_errors(&product, &mut pool), all, "{name}");
    }
}
