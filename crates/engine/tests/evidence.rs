//! Evidence of the engines, changed in one place, is rejected.
//!
//! Every engine proves or refutes a few programs; its evidence is accepted. Then every part of it is changed in turn. A
//! changed formula must be rejected where it can no longer be true: `false` or the negation at a loop that runs, a
//! contract that promises or demands what is not so. A changed execution must not replay.

use base::{Budget, SourceMap};
use check::{Options, Rejection};
use engine::{Ctx, Silent, Task, engine_by_name};
use ir::{Annotation, Certificate, Contract, Counterexample, Icfg, Property, Verdict};
use logic::{TermId, TermPool, Value};

struct Program {
    pool: TermPool,
    icfg: Icfg,
}

fn program(text: &str) -> Program {
    let mut sources = SourceMap::new();
    let file = sources.add("evidence.bpl", text);
    let mut pool = TermPool::new();
    let program = boogie::compile(&sources, file, &mut pool).expect("the program is well-formed");
    let graph = Icfg::build(&program, &mut pool);
    let (mut icfg, _) = ir::inline::inline_calls(&graph, &mut pool, &Default::default()).expect("it is small");
    if icfg.has_calls() {
        icfg.ensure_old_vars(&mut pool);
    }
    Program { pool, icfg }
}

fn run(p: &mut Program, engine: &str) -> Verdict {
    let (budget, mut observer) = (Budget::unlimited(), Silent);
    let task = Task::new(&p.icfg, &Property::UnreachCall);
    let mut ctx = Ctx::new(&mut p.pool, &budget, &mut observer);
    engine_by_name(engine).expect("it exists").run(&mut ctx, &task)
}

fn check(p: &mut Program, certificate: &Certificate) -> Result<(), Rejection> {
    check::check_certificate(&mut p.pool, &p.icfg, certificate, Options { paranoid: true }, &Budget::unlimited())
}

/// Each has one loop or procedure of every kind that runs, so that `false` is wrong everywhere.
const SAFE: [&str; 3] = [
    "procedure main() {
       var x, n: int;
       assume n >= 0;
       x := 0;
       while (x < n) { x := x + 1; }
       assert x == n;
     }",
    "procedure main() {
       var a: [int]int; var i: int;
       a[0] := 1; i := 0;
       while (*) { i := i + 1; if (*) { a[i] := 7; } }
       assert a[0] == 1;
     }",
    "procedure main() {
       var x, y: int; var odd: bool;
       x, y, odd := 0, 0, false;
       while (*) { if (odd) { y := y + 1; } else { x := x + 1; } odd := !odd; }
       assert x >= y;
     }",
];

const RECURSIVE: &str = "
procedure f(n: int) returns (r: int) {
  if (n <= 0) { r := 0; } else { call r := f(n - 1); r := r + 1; }
}
procedure main() {
  var a, b: int;
  assume a >= 0;
  call b := f(a);
  assert b >= 0;
}";

/// Changes of a formula that cannot be true where executions come by.
fn falsified(pool: &mut TermPool, formula: TermId) -> Vec<TermId> {
    let mut wrong = vec![TermId::FALSE];
    if formula != TermId::TRUE {
        wrong.push(pool.not(formula));
    }
    wrong
}

fn expect_wrong(p: &mut Program, certificate: &Certificate, what: &str) {
    match check(p, certificate) {
        Err(Rejection::Wrong(_)) => {}
        other => panic!("{what}: {other:?}"),
    }
}

#[test]
fn changed_invariants() {
    for engine in ["trace-abstraction", "taipan", "kojak", "impact", "predicate-abstraction"] {
        for text in SAFE {
            let mut p = program(text);
            let verdict = run(&mut p, engine);
            let Verdict::Holds(Certificate::Annotation(proof)) = verdict else {
                panic!("{engine}: {verdict:?}\n{text}")
            };
            assert_eq!(check(&mut p, &Certificate::Annotation(proof.clone())), Ok(()), "{engine}");
            assert!(!proof.invariants.is_empty());
            for (&loc, &formula) in &proof.invariants {
                for wrong in falsified(&mut p.pool, formula) {
                    let mut changed = proof.clone();
                    changed.invariants.insert(loc, wrong);
                    expect_wrong(&mut p, &Certificate::Annotation(changed), engine);
                }
                // Each program needs its invariant.
                let mut changed = proof.clone();
                changed.invariants.remove(&loc);
                expect_wrong(&mut p, &Certificate::Annotation(changed), engine);
            }
        }
    }
}

/// All ways to break one contract that is needed.
fn broken_contracts(pool: &mut TermPool, proof: &Annotation) -> Vec<Annotation> {
    let mut all = Vec::new();
    for (&proc, &contract) in &proof.contracts {
        if contract.requires == TermId::FALSE {
            continue; // never called
        }
        let mut put = |changed: Contract| {
            let mut annotation = proof.clone();
            annotation.contracts.insert(proc, changed);
            all.push(annotation);
        };
        for requires in falsified(pool, contract.requires) {
            put(Contract { requires, ..contract });
        }
        for ensures in falsified(pool, contract.ensures) {
            put(Contract { ensures, ..contract });
        }
    }
    all
}

#[test]
fn changed_contracts() {
    for engine in ["trace-abstraction", "taipan", "whale"] {
        let mut p = program(RECURSIVE);
        let verdict = run(&mut p, engine);
        let Verdict::Holds(certificate) = verdict else { panic!("{engine}: {verdict:?}") };
        assert_eq!(check(&mut p, &certificate), Ok(()), "{engine}");
        type Make = fn(Annotation) -> Certificate;
        let (proof, make): (&Annotation, Make) = match &certificate {
            Certificate::Annotation(proof) => (proof, Certificate::Annotation),
            Certificate::TailRecursive(proof) => (proof, Certificate::TailRecursive),
            other => panic!("{engine}: {other:?}"),
        };
        let proof = proof.clone();
        let f = p.icfg.procs.iter().find(|(_, q)| q.name == "f").expect("f").0;
        let broken = broken_contracts(&mut p.pool, &proof);
        assert!(broken.len() >= 3, "{engine}");
        for annotation in broken.into_iter().filter(|a| a.contracts.get(&f) != proof.contracts.get(&f)) {
            expect_wrong(&mut p, &make(annotation), engine);
        }
        let mut dropped = proof.clone();
        dropped.contracts.remove(&f);
        expect_wrong(&mut p, &make(dropped), engine);
    }
}

#[test]
fn changed_tail_recursive_contracts() {
    let mut p = program(SAFE[0]);
    let verdict = run(&mut p, "whale");
    let Verdict::Holds(Certificate::TailRecursive(proof)) = verdict else { panic!("{verdict:?}") };
    assert_eq!(check(&mut p, &Certificate::TailRecursive(proof.clone())), Ok(()));
    let (graph, map) = ir::tail_recursion::loops_to_recursion(&p.icfg, &mut p.pool);
    let mut n_broken = 0;
    for annotation in broken_contracts(&mut p.pool, &proof) {
        let changed = annotation.contracts.iter().find(|(proc, c)| proof.contracts.get(proc) != Some(c));
        let Some((proc, contract)) = changed else { continue };
        if !map.loops.contains_key(proc) {
            continue; // what the root promises is of no use to anybody
        }
        // The procedure ends in some executions: only `false` is certain to be wrong as a promise.
        if contract.ensures != proof.contracts[proc].ensures && contract.ensures != TermId::FALSE {
            continue;
        }
        n_broken += 1;
        expect_wrong(&mut p, &Certificate::TailRecursive(annotation.clone()), &graph.procs[*proc].name);
    }
    assert!(n_broken >= 2);
}

#[test]
fn changed_unwindings() {
    let text = "procedure main() {
       var i, n: int;
       assume 0 <= n && n <= 4;
       i := 0;
       while (i < n) { i := i + 1; }
       assert i <= 4;
     }";
    let mut p = program(text);
    let Verdict::Holds(Certificate::Unwinding(n)) = run(&mut p, "bmc") else { panic!("the loop is bounded") };
    assert_eq!(check(&mut p, &Certificate::Unwinding(n)), Ok(()));
    for fewer in 0..n {
        expect_wrong(&mut p, &Certificate::Unwinding(fewer), &fewer.to_string());
    }
}

#[test]
fn executions_that_are_cut_short() {
    let text = |asserted: &str| {
        format!(
            "procedure main() {{ var i, x: int; var a: [int]int; i := 0; havoc x;
               while (i < 5) {{ a[i] := 3; i := i + 1; }}
               if (x > 0) {{ i := i + 1; }} assert {asserted}; }}"
        )
    };
    let mut p = program(&text("a[4] == 3 && i >= 5"));
    let Verdict::Holds(Certificate::Execution(n)) = run(&mut p, "execution") else { panic!("it can be executed") };
    assert_eq!(check(&mut p, &Certificate::Execution(n)), Ok(()));
    for fewer in 0..n {
        expect_wrong(&mut p, &Certificate::Execution(fewer), &fewer.to_string());
    }
    // An error ends an execution as well.
    let mut p = program(&text("false"));
    assert_eq!(check(&mut p, &Certificate::FiniteExecution(n)), Ok(()));
    let mut endless = program("procedure main() { var x: int; x := 0; while (x < 5) { x := 1 - x; } }");
    expect_wrong(&mut endless, &Certificate::FiniteExecution(100_000), "endless");
    // What is not true in every execution, or about values that nobody fixed.
    for asserted in ["i == 5", "a[5] == 3", "a[6] == a[6] + x - x + 1", "x == 0"] {
        let mut p = program(&text(asserted));
        match run(&mut p, "execution") {
            Verdict::Violated(found) => {
                assert!(check::check_counterexample(&p.pool, &p.icfg, &found).is_ok(), "{asserted}");
            }
            verdict => assert!(matches!(verdict, Verdict::Unknown(_)), "{asserted}"),
        }
        expect_wrong(&mut p, &Certificate::Execution(1_000_000), asserted);
    }
}

const UNSAFE: &str = "
procedure main() {
  var x, y, i: int;
  havoc x;
  y := 0; i := 0;
  while (i < 2) {
    havoc y;
    assume y > x;
    x := x + y;
    i := i + 1;
  }
  assert x != 100;
}";

#[test]
fn changed_executions() {
    for engine in ["trace-abstraction", "taipan", "kojak", "impact", "predicate-abstraction", "bmc"] {
        let mut p = program(UNSAFE);
        let verdict = run(&mut p, engine);
        let Verdict::Violated(found) = verdict else { panic!("{engine}: {verdict:?}") };
        let replays = |found: &Counterexample| check::check_counterexample(&p.pool, &p.icfg, found);
        assert!(replays(&found).is_ok(), "{engine}");
        let mut n_changed = 0;
        // Another value for a choice: every choice counts in this program.
        for (i, step) in found.steps.iter().enumerate() {
            for (v, value) in &step.chosen {
                let Value::Num(number) = value else { continue };
                if p.icfg.vars[*v].span.is_none() {
                    continue;
                }
                let mut changed = found.clone();
                let other = number.clone() + logic::Rational::from(1i64);
                changed.steps[i].chosen.insert(*v, Value::Num(other));
                assert!(matches!(replays(&changed), Err(Rejection::Wrong(_))), "{engine}: step {i}");
                n_changed += 1;
            }
            // A step left out or taken twice.
            let edge = &p.icfg.edges[step.edge];
            if edge.src != edge.dst {
                let mut changed = found.clone();
                changed.steps.remove(i);
                assert!(replays(&changed).is_err(), "{engine}: without step {i}");
                let mut changed = found.clone();
                changed.steps.insert(i, step.clone());
                assert!(replays(&changed).is_err(), "{engine}: step {i} twice");
            }
        }
        assert!(n_changed >= 3, "{engine}: {n_changed}");
        // It must start at the start and end at the error.
        let mut changed = found.clone();
        changed.steps.clear();
        assert!(matches!(replays(&changed), Err(Rejection::Wrong(_))), "{engine}");
    }
}
