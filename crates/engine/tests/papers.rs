//! The running examples of the papers, with the intermediate results they print.

use base::{Budget, SourceMap};
use engine::hoare::{HoareChecker, Validity};
use engine::trace_check::{Source, Strength, TraceResult, check_trace};
use engine::{Ctx, Predicates, Silent, Task, engine_by_name};
use ir::{EdgeId, Icfg, Label, Property, Stmt, Verdict};
use logic::{TermId, TermPool};

struct Program {
    pool: TermPool,
    icfg: Icfg,
    sources: SourceMap,
}

fn program(text: &str) -> Program {
    let mut sources = SourceMap::new();
    let file = sources.add("paper.bpl", text);
    let mut pool = TermPool::new();
    let program = boogie::compile(&sources, file, &mut pool).expect("the program is well-formed");
    let graph = Icfg::build(&program, &mut pool);
    let (icfg, _) = ir::inline::inline_calls(&graph, &mut pool, &Default::default()).expect("it is small");
    Program { pool, icfg, sources }
}

/// Runs an engine; a proof must pass the checker, an execution the interpreter.
fn run(p: &mut Program, engine: &str) -> (bool, engine::Stats) {
    let budget = Budget::unlimited();
    let mut observer = Silent;
    let offered = Predicates::new();
    let task = Task { icfg: &p.icfg, property: &Property::UnreachCall, blocks: None, offered: &offered };
    let mut ctx = Ctx::new(&mut p.pool, &budget, &mut observer);
    let verdict = engine_by_name(engine).expect("it exists").run(&mut ctx, &task);
    let stats = ctx.stats;
    match verdict {
        Verdict::Holds(certificate) => {
            let options = check::Options { paranoid: true };
            check::check_certificate(&mut p.pool, &p.icfg, &certificate, options, &budget).expect("a proof");
            (true, stats)
        }
        Verdict::Violated(found) => {
            check::check_counterexample(&p.pool, &p.icfg, &found).expect("an execution");
            (false, stats)
        }
        Verdict::NonTerminating(_) => panic!("{engine}: an answer to another question"),
        Verdict::Unknown(reason) => panic!("{engine}: {reason}"),
    }
}

/// The path whose visible steps have these texts: guards as written in the source with their outcome, assignments
/// as written. Steps that are not named may lie between.
fn find_trace(p: &Program, wanted: &[&str]) -> Vec<EdgeId> {
    fn text(p: &Program, edge: EdgeId) -> Option<String> {
        let e = &p.icfg.edges[edge];
        let source = p.sources.text(e.span).trim_end_matches(';').to_string();
        match (&e.label, e.note) {
            (_, ir::Note::Branch(taken)) => Some(format!("{source} is {taken}")),
            (Label::Stmt(Stmt::Assign(_)), _) => Some(source),
            (Label::Stmt(Stmt::Assume(_)), _) if p.icfg.locs[e.dst].error.is_some() => Some(format!("fails: {source}")),
            _ => None,
        }
    }
    let mut stack = vec![(p.icfg.entry(), 0usize, Vec::new())];
    while let Some((loc, n, trace)) = stack.pop() {
        if n == wanted.len() && p.icfg.locs[loc].error.is_some() {
            return trace;
        }
        for &edge in p.icfg.out_edges(loc) {
            let mut next = trace.clone();
            next.push(edge);
            let dst = p.icfg.edges[edge].dst;
            match text(p, edge) {
                Some(t) if n < wanted.len() && t == wanted[n] => stack.push((dst, n + 1, next)),
                Some(_) => {}
                None if next.len() < 60 => stack.push((dst, n, next)),
                None => {}
            }
        }
    }
    panic!("no such trace: {wanted:?}")
}

/// Predicates from every source are inductive along the trace, from true to false.
fn check_all_sources(p: &mut Program, trace: &[EdgeId]) -> Vec<Vec<TermId>> {
    let budget = Budget::unlimited();
    let mut observer = Silent;
    let mut ctx = Ctx::new(&mut p.pool, &budget, &mut observer);
    let mut hoare = HoareChecker::new(ctx.pool, &p.icfg);
    let mut all = Vec::new();
    let sources = [Source::Craig(Strength::Strong), Source::Craig(Strength::Weak), Source::Backward, Source::Forward];
    for source in sources {
        let TraceResult::Infeasible(mut proof) = check_trace(&mut ctx, &p.icfg, trace) else {
            panic!("the trace is infeasible")
        };
        let predicates = proof.predicates(&mut ctx, &p.icfg, source).expect("predicates");
        assert_eq!(predicates.len(), trace.len() + 1);
        assert_eq!(predicates[0], TermId::TRUE);
        assert_eq!(*predicates.last().unwrap(), TermId::FALSE);
        for (i, &edge) in trace.iter().enumerate() {
            let valid = hoare.internal(&mut ctx, predicates[i], edge, predicates[i + 1]);
            assert_eq!(valid, Validity::Valid, "{source:?}, step {i}");
        }
        all.push(predicates);
    }
    all
}

const SOFTWARE_MODEL_CHECKING_WITH_ULTIMATE: &str = "
procedure main() {
  var i, p: int;
  assume i > 0;
  p := 1;
  while (i > 0) {
    assert p == 1;
    if (i == 1) { p := 0; }
    i := i - 1;
  }
  assert p == 0;
}";

/// Seed 001: the three traces of the lecture are infeasible, for the reasons it gives.
#[test]
fn the_three_traces_of_the_ultimate_lecture() {
    let mut p = program(SOFTWARE_MODEL_CHECKING_WITH_ULTIMATE);
    // i > 0, p := 1, i > 0, p != 1: infeasible because of p alone, so i is not mentioned.
    let first = find_trace(&p, &["p := 1", "i > 0 is true", "fails: assert p == 1"]);
    for predicates in check_all_sources(&mut p, &first) {
        let i = p.icfg.vars.values().find(|v| v.name == "i").unwrap().term;
        for predicate in predicates {
            assert!(!p.pool.free_constants(predicate).contains(&i), "{}", p.pool.infix(predicate));
        }
    }
    // i > 0, p := 1, i <= 0, p != 0: infeasible because of i alone.
    let second = find_trace(&p, &["p := 1", "i > 0 is false", "fails: assert p == 0"]);
    for predicates in check_all_sources(&mut p, &second) {
        let pointer = p.icfg.vars.values().find(|v| v.name == "p").unwrap().term;
        for predicate in predicates {
            assert!(!p.pool.free_constants(predicate).contains(&pointer), "{}", p.pool.infix(predicate));
        }
    }
    // Round the loop with i == 1, then once more: i is 0, the guard fails.
    let third = find_trace(
        &p,
        &["p := 1", "i > 0 is true", "i == 1 is true", "p := 0", "i := i - 1", "i > 0 is true", "fails: assert p == 1"],
    );
    check_all_sources(&mut p, &third);
}

#[test]
fn every_safety_engine_proves_the_lecture_example() {
    for engine in ["trace-abstraction", "kojak", "impact", "predicate-abstraction", "whale"] {
        let mut p = program(SOFTWARE_MODEL_CHECKING_WITH_ULTIMATE);
        let (holds, stats) = run(&mut p, engine);
        assert!(holds, "{engine}");
        assert!(stats.get("solver calls") > 0, "{engine}");
    }
}

/// Seed 000, section 2: four variables, the sum stays the same. Splitting needs one invariant at the loop head.
#[test]
fn splitting_proves_the_sum_example_with_few_splits() {
    let text = "
procedure main() {
  var n, x, y, z: int;
  n, y, z := x, 0, 0;
  while (x != 0) {
    if (*) { x, y := x + 1, y - 1; }
    if (*) { y, z := y + 1, z - 1; }
    if (*) { z, x := z + 1, x - 1; }
  }
  assert n == y + z;
}";
    let mut p = program(text);
    let (holds, stats) = run(&mut p, "kojak");
    assert!(holds);
    assert!(stats.get("splits") <= 2, "{} splits", stats.get("splits"));
}

/// The checker accepts the proof of an engine and rejects it once an invariant is too weak or too strong.
#[test]
fn a_proof_with_a_changed_invariant_is_rejected() {
    let mut p = program(SOFTWARE_MODEL_CHECKING_WITH_ULTIMATE);
    let budget = Budget::unlimited();
    let mut observer = Silent;
    let offered = Predicates::new();
    let task = Task { icfg: &p.icfg, property: &Property::UnreachCall, blocks: None, offered: &offered };
    let mut ctx = Ctx::new(&mut p.pool, &budget, &mut observer);
    let verdict = engine_by_name("trace-abstraction").expect("it exists").run(&mut ctx, &task);
    let Verdict::Holds(ir::Certificate::Annotation(proof)) = verdict else { panic!("the program is safe") };
    assert_eq!(proof.invariants.len(), 1, "one loop");
    let mut accepts = |annotation: ir::Annotation| {
        let certificate = ir::Certificate::Annotation(annotation);
        check::check_certificate(&mut p.pool, &p.icfg, &certificate, check::Options::default(), &budget)
    };
    assert_eq!(accepts(proof.clone()), Ok(()));
    for wrong in [TermId::TRUE, TermId::FALSE] {
        let mut changed = proof.clone();
        changed.invariants.values_mut().for_each(|formula| *formula = wrong);
        assert!(matches!(accepts(changed), Err(check::Rejection::Wrong(_))), "{wrong}");
    }
}
