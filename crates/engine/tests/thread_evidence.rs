//! Facts about threads, changed in one place, are rejected, and wrong programs are not proved.

mod common;

use base::Budget;
use check::{Options, Rejection};
use common::{Program, program};
use engine::{Ctx, Silent, Task, engine_by_name};
use ir::thread_facts::{Facts, ThreadProof};
use ir::{Certificate, Property, Verdict};
use logic::TermId;

/// Something that makes a proof wrong.
type Change = Box<dyn Fn(&mut ThreadProof)>;

fn proof(p: &mut Program) -> Option<ThreadProof> {
    let (budget, mut observer) = (Budget::unlimited(), Silent);
    let task = Task::new(&p.icfg, &Property::UnreachCall);
    let mut ctx = Ctx::new(&mut p.pool, &budget, &mut observer);
    match engine_by_name("lock-sets").expect("it exists").run(&mut ctx, &task) {
        Verdict::Holds(Certificate::Threads(proof)) => Some(*proof),
        _ => None,
    }
}

fn check(p: &mut Program, proof: ThreadProof) -> Result<(), Rejection> {
    let certificate = Certificate::Threads(Box::new(proof));
    check::check_certificate(&mut p.pool, &p.icfg, &certificate, Options { paranoid: true }, &Budget::unlimited())
}

/// Two workers that take a lock around an access; what `{}` stands for makes it wrong.
fn workers(take: &str, release: &str) -> String {
    format!(
        "var lock, x, mark: int;
         procedure worker() modifies lock, x, mark; {{
           var t: int;
           {take}
           havoc t; mark := t; x := x + 1; assert mark == t;
           {release}
         }}
         procedure ULTIMATE.start() modifies lock, x, mark; {{
           lock := 0;
           fork 1 worker();
           fork 2 worker();
         }}"
    )
}

const TAKE: &str = "atomic { assume lock == 0; lock := 1; }";
const RELEASE: &str = "lock := 0;";

#[test]
fn a_lock_excludes_the_other_thread() {
    let mut p = program(&workers(TAKE, RELEASE));
    let proof = proof(&mut p).expect("the lock is enough");
    check(&mut p, proof).expect("the proof is right");
}

#[test]
fn what_is_no_lock_excludes_nobody() {
    let wrong = [
        ("", RELEASE),
        ("lock := 1;", RELEASE),
        ("assume lock == 0; lock := 1;", RELEASE),
        ("atomic { assume lock == 1; lock := 1; }", RELEASE),
        ("atomic { assume lock == 0; lock := 1; } lock := 0;", ""),
        ("lock := 0; atomic { assume lock == 0; lock := 1; }", RELEASE),
        ("if (*) { atomic { assume lock == 0; lock := 1; } }", RELEASE),
    ];
    for (take, release) in wrong {
        let mut p = program(&workers(take, release));
        assert!(proof(&mut p).is_none(), "{take}");
    }
}

#[test]
fn changed_facts_are_rejected() {
    let mut p = program(&workers(TAKE, RELEASE));
    let good = proof(&mut p).expect("the lock is enough");
    let mut n_changed = 0;
    let places: Vec<_> = good.facts.keys().copied().collect();
    let lock = *good.locks.keys().next().expect("there is a lock");
    for at in places {
        // A lock that is held where it was not, threads that are gone, facts that are missing, atomic sections that are
        // none.
        let mut changes: Vec<Change> = Vec::new();
        if !good.facts[&at].owned.contains_key(&(lock, None)) {
            changes.push(Box::new(move |p: &mut ThreadProof| {
                p.facts.get_mut(&at).map(|f: &mut Facts| f.owned.insert((lock, None), TermId::TRUE));
            }));
        }
        if !good.facts[&at].alive.is_empty() {
            changes.push(Box::new(move |p: &mut ThreadProof| {
                if let Some(f) = p.facts.get_mut(&at) {
                    f.alive.clear();
                }
            }));
        }
        changes.push(Box::new(move |p: &mut ThreadProof| {
            p.facts.remove(&at);
        }));
        changes.push(Box::new(move |p: &mut ThreadProof| {
            if let Some(f) = p.facts.get_mut(&at) {
                f.atomic += 1;
            }
        }));
        changes.push(Box::new(move |p: &mut ThreadProof| {
            p.facts.get_mut(&at).map(|f: &mut Facts| f.conditions.insert(TermId::FALSE));
        }));
        for change in changes {
            let mut changed = good.clone();
            change(&mut changed);
            n_changed += 1;
            assert!(check(&mut p, changed).is_err(), "a change at {at:?} is accepted");
        }
    }
    assert!(n_changed > 50);
    let mut no_locks = good.clone();
    no_locks.locks.clear();
    assert!(check(&mut p, no_locks).is_err());
    let mut unique = good.clone();
    unique.threads.pop();
    assert!(check(&mut p, unique).is_err());
}

#[test]
fn joined_threads_are_gone_and_others_are_not() {
    let text = |join: &str| {
        format!(
            "var x, mark, n: int;
             procedure worker() modifies x, mark; {{
               var t: int;
               havoc t; mark := t; x := x + 1; assert mark == t;
             }}
             procedure ULTIMATE.start() modifies x, mark, n; {{
               var t, id: int;
               n := 0;
               n, id := n + 1, n + 1;
               fork id worker();
               {join}
               havoc t; mark := t; x := 7; assert mark == t;
             }}"
        )
    };
    let mut p = program(&text("join id;"));
    let proof_of_join = proof(&mut p).expect("nobody is left");
    check(&mut p, proof_of_join).expect("the proof is right");
    let mut p = program(&text(""));
    assert!(proof(&mut p).is_none());
    let mut p = program(&text("if (*) { join id; }"));
    assert!(proof(&mut p).is_none());
}
