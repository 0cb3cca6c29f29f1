//! The running examples of the papers, with the intermediate results they print.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use base::{Budget, SourceMap};
use engine::hoare::{HoareChecker, Validity};
use engine::predicate_abstraction::{AbstReach, Abstraction, Config, PredicateAbstraction, Scope, Solution, entailed};
use engine::trace_check::{Source, Strength, TraceResult, check_trace};
use engine::{Ctx, Engine, Predicates, Silent, Task, engine_by_name};
use ir::{EdgeId, Icfg, Label, Property, Stmt, Verdict};
use logic::{TermId, TermPool};
use std::time::Duration;

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
    let task = Task::new(&p.icfg, &Property::UnreachCall);
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
        Verdict::NonTerminating(_) | Verdict::ViolatedFar(_) => panic!("{engine}: an answer to another question"),
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

/// Asks the Hoare checker, with the variables of a program by name.
struct Asker<'a> {
    p: &'a mut Program,
}

impl Asker<'_> {
    fn var(&self, name: &str) -> TermId {
        self.p.icfg.vars.values().find(|v| v.name == name).expect("a variable of this name").term
    }
    fn equivalent(&mut self, a: TermId, b: TermId) -> bool {
        self.implies(a, b) && self.implies(b, a)
    }
    fn implies(&mut self, a: TermId, b: TermId) -> bool {
        let (budget, mut observer) = (Budget::unlimited(), Silent);
        let mut hoare = HoareChecker::new(&mut self.p.pool, &self.p.icfg);
        let mut ctx = Ctx::new(&mut self.p.pool, &budget, &mut observer);
        hoare.implies(&mut ctx, a, b) == Validity::Valid
    }
}

/// Figure 1 of Ermis, Hoenicke, Podelski, *Splitting via interpolants*, 2012.
const SUM: &str = "
procedure main() {
  var x, y, z, n: int;
  assume n == x && y == 0 && z == 0;
  while (x != 0) {
    if (*) { x := x + 1; y := y - 1; }
    if (*) { y := y + 1; z := z - 1; }
    if (*) { z := z + 1; x := x - 1; }
  }
  assert n == y + z;
}";

/// Figure 3 of the same paper: after large-block encoding there are the initial node, the loop head and the error, and
/// the body of the loop is one edge.
#[test]
fn figure_3_of_splitting_via_interpolants() {
    let mut p = program(SUM);
    let mode = ir::blocks::BlockMode::Large;
    let (blocks, _) = ir::blocks::encode(&p.icfg, &mut p.pool, mode, &Default::default());
    let reachable = blocks.local_order(blocks.entry()).rank;
    let head = blocks.locs.iter().find(|(_, l)| l.is_loop_head).expect("a loop").0;
    let error = blocks.locs.iter().find(|(_, l)| l.error.is_some()).expect("an error").0;
    let between = |from, to| blocks.edges.values().filter(|e| (e.src, e.dst) == (from, to)).count();
    assert_eq!(between(blocks.entry(), head), 1, "ℓ_init → ℓ_1");
    assert_eq!(between(head, head), 1, "ℓ_1 → ℓ_1");
    assert_eq!(between(head, error), 1, "ℓ_1 → ℓ_err");
    // Besides those only the end of the procedure is left.
    assert!(reachable.values().filter(|r| **r != u32::MAX).count() <= 4);
}

/// Figures 4 and 5: the interpolant at the loop head separates the start from the error; splitting ends with
/// `n = x + y + z`.
#[test]
fn figures_4_and_5_of_splitting_via_interpolants() {
    let mut p = program(SUM);
    let mode = ir::blocks::BlockMode::Large;
    let (blocks, _) = ir::blocks::encode(&p.icfg, &mut p.pool, mode, &Default::default());
    let head = blocks.locs.iter().find(|(_, l)| l.is_loop_head).expect("a loop").0;
    let edge = |to| blocks.edges.iter().find(|(_, e)| e.src != to && e.dst == to).expect("an edge").0;
    let error = blocks.locs.iter().find(|(_, l)| l.error.is_some()).expect("an error").0;
    let path = [edge(head), edge(error)];
    let (budget, mut observer) = (Budget::unlimited(), Silent);
    let mut ctx = Ctx::new(&mut p.pool, &budget, &mut observer);
    for source in [Source::Craig(Strength::Strong), Source::Craig(Strength::Weak), Source::Backward, Source::Forward] {
        let TraceResult::Infeasible(mut proof) = check_trace(&mut ctx, &blocks, &path) else { panic!("infeasible") };
        let predicates = proof.predicates(&mut ctx, &blocks, source).expect("predicates");
        assert_eq!((predicates[0], predicates[2]), (TermId::TRUE, TermId::FALSE));
        let mut hoare = HoareChecker::new(ctx.pool, &blocks);
        for i in 0..2 {
            let valid = hoare.internal(&mut ctx, predicates[i], path[i], predicates[i + 1]);
            assert_eq!(valid, Validity::Valid, "{source:?}, step {i}");
        }
    }
    // The invariant that splitting ends with, weakest first: what the loop preserves and the assertion needs.
    let task = Task::new(&p.icfg, &Property::UnreachCall);
    let mut ctx = Ctx::new(&mut p.pool, &budget, &mut observer);
    let verdict = engine_by_name("kojak").expect("it exists").run(&mut ctx, &task);
    assert!(ctx.stats.get("splits") <= 2 && ctx.stats.get("iterations") <= 2, "{:?}", ctx.stats);
    let Verdict::Holds(ir::Certificate::Annotation(proof)) = verdict else { panic!("the program is safe") };
    let found = *proof.invariants.values().next().expect("an invariant of the loop");
    let mut ask = Asker { p: &mut p };
    let [n, x, y, z] = ["n", "x", "y", "z"].map(|v| ask.var(v));
    let sum = ask.p.pool.add(&[x, y, z]);
    let expected = ask.p.pool.eq(n, sum);
    assert!(ask.equivalent(found, expected), "{}", ask.p.pool.infix(found));
}

/// The running example of the lectures on predicate abstraction: transitions ρ₁ … ρ₅ between ℓ₁ … ℓ₅; ℓ₅ is the error.
const POLLS: &str = "
procedure main() {
  var x, y, z: int;
  assume y >= z;
  while (x < y) { x := x + 1; }
  assert x >= z;
}";

/// The program with compressed straight-line code, its predicates `y ≥ z` and `x ≥ y`, and its edges ρ₁, ρ₂, ρ₃ρ₅.
struct Polls {
    p: Program,
    blocks: Icfg,
    y_z: TermId,
    x_y: TermId,
}

fn polls() -> Polls {
    let mut p = program(POLLS);
    let mode = ir::blocks::BlockMode::Sequence;
    let (blocks, _) = ir::blocks::encode(&p.icfg, &mut p.pool, mode, &Default::default());
    let var = |name: &str| p.icfg.vars.values().find(|v| v.name == name).expect("a variable").term;
    let (x, y, z) = (var("x"), var("y"), var("z"));
    let (y_z, x_y) = (p.pool.ge(y, z), p.pool.ge(x, y));
    Polls { p, blocks, y_z, x_y }
}

/// Example 5: `α(y ≥ z ∧ x + 1 ≤ y) = y ≥ z`; without predicates, and if none is entailed, it is true.
#[test]
fn example_5_abstraction() {
    let Polls { mut p, blocks, y_z, x_y } = polls();
    let (budget, mut observer) = (Budget::unlimited(), Silent);
    let less = p.pool.not(x_y);
    let formula = p.pool.and(&[y_z, less]);
    let mut hoare = HoareChecker::new(&mut p.pool, &blocks);
    let mut ctx = Ctx::new(&mut p.pool, &budget, &mut observer);
    assert_eq!(entailed(&mut ctx, &mut hoare, formula, &[y_z, x_y]), [y_z]);
    assert_eq!(entailed(&mut ctx, &mut hoare, formula, &[]), []);
    assert_eq!(entailed(&mut ctx, &mut hoare, less, &[y_z, x_y]), []);
}

/// Examples 6 and 7: abstract reachability with these predicates gives φ₁ … φ₄ with the printed tree, excludes the
/// error, and finds that going round the loop adds nothing.
#[test]
fn examples_6_and_7_abstract_reachability() {
    let Polls { mut p, blocks, y_z, x_y } = polls();
    let (budget, mut observer) = (Budget::unlimited(), Silent);
    let precision: Predicates = blocks.locs.ids().map(|l| (l, vec![y_z, x_y])).collect();
    let config = Config { abstraction: Abstraction::Cartesian, ..Config::default() };
    let mut search = AbstReach::new(&mut p.pool, &blocks, precision, config);
    let mut ctx = Ctx::new(&mut p.pool, &budget, &mut observer);
    assert_eq!(search.explore(&mut ctx), Ok(None), "no abstract error state");
    let states = search.reach_states();
    let head = blocks.locs.iter().find(|(_, l)| l.is_loop_head).expect("a loop").0;
    let (entry, both) = (blocks.entry(), p.pool.and(&[y_z, x_y]));
    let parent = |id| states.iter().find(|(n, _)| *n == id).map(|(_, (loc, ..))| *loc);
    // φ₁ at the start, φ₂ at the loop head: y ≥ z, reached over ρ₁ alone, so ρ₂ leads back into it.
    let at = |loc| states.iter().filter(|(_, s)| s.0 == loc).map(|(_, s)| *s).collect::<Vec<_>>();
    assert_eq!(at(entry).iter().map(|s| s.1).collect::<Vec<_>>(), [TermId::TRUE]);
    let [(_, second, Some((first, _)))] = at(head)[..] else { panic!("one state at the loop head: {states:?}") };
    assert_eq!((second, parent(first)), (y_z, Some(entry)));
    // φ₃ and φ₄ after the loop: y ≥ z ∧ x ≥ y.
    let after: Vec<_> = states.iter().filter(|(_, s)| s.0 != entry && s.0 != head).collect();
    let leaving = after.iter().filter(|(_, s)| s.2.is_some_and(|(from, _)| parent(from) == Some(head)));
    assert!(leaving.clone().count() >= 1);
    assert!(after.iter().all(|(_, s)| s.1 == both || s.1 == second), "{states:?}");
    assert!(after.iter().any(|(_, s)| s.1 == both));
}

/// Examples 8 and 9: solutions of the refinement constraints for the path ρ₁ρ₃ρ₅.
#[test]
fn examples_8_and_9_refinement() {
    let Polls { mut p, y_z, x_y, .. } = polls();
    let trace = find_trace(&p, &["x < y is false", "fails: assert x >= z"]);
    let head = p.icfg.locs.iter().find(|(_, l)| l.is_loop_head).expect("a loop").0;
    let position = trace.iter().position(|&e| p.icfg.edges[e].src == head).expect("it passes the loop head");
    let all = check_all_sources(&mut p, &trace);
    let (interpolated, greatest, least) = (&all[0], &all[2], &all[3]);
    let mut ask = Asker { p: &mut p };
    let (x, z) = (ask.var("x"), ask.var("z"));
    let (x_z, both) = (ask.p.pool.ge(x, z), ask.p.pool.and(&[y_z, x_y]));
    // Least: y ≥ z, then y ≥ z ∧ x ≥ y. What the rest no longer reads is forgotten, so x ≥ z may be all that is left.
    assert!(ask.equivalent(least[position], y_z));
    assert!(ask.implies(both, least[position + 1]) && ask.implies(least[position + 1], x_z));
    // Interpolated: y ≥ z, then x ≥ z.
    assert!(ask.equivalent(interpolated[position], y_z));
    assert!(ask.implies(both, interpolated[position + 1]) && ask.implies(interpolated[position + 1], x_z));
    // Greatest: the weakest that excludes the error, implied by all others.
    let weaker = ask.p.pool.implies(x_y, x_z);
    assert!(ask.equivalent(greatest[position], weaker));
    assert!(ask.equivalent(greatest[position + 1], x_z));
}

/// Every choice of predicate abstraction gives the same answers; one may give up, none may be wrong.
#[test]
fn every_choice_of_predicate_abstraction() {
    let programs = [(POLLS, true), (SUM, true), (SOFTWARE_MODEL_CHECKING_WITH_ULTIMATE, true)];
    let wrong = POLLS.replace("x >= z", "x > z");
    let mut n_solved = 0;
    for (text, safe) in programs.into_iter().chain([(wrong.as_str(), false)]) {
        for abstraction in [Abstraction::Cartesian, Abstraction::Boolean, Abstraction::OnDemand] {
            for solution in [Solution::Least, Solution::Greatest, Solution::Interpolated, Solution::Strategy] {
                for scope in [Scope::Local, Scope::Global] {
                    let mut p = program(text);
                    let (budget, mut observer) = (Budget::with_timeout(Duration::from_secs(1)), Silent);
                    let property = Property::UnreachCall;
                    let task = Task::new(&p.icfg, &property);
                    let mut ctx = Ctx::new(&mut p.pool, &budget, &mut observer);
                    let config = Config { abstraction, solution, scope };
                    let verdict = PredicateAbstraction { config }.run(&mut ctx, &task);
                    let unlimited = Budget::unlimited();
                    match verdict {
                        Verdict::Holds(certificate) => {
                            assert!(safe, "{config:?}\n{text}");
                            let options = check::Options::default();
                            check::check_certificate(&mut p.pool, &p.icfg, &certificate, options, &unlimited)
                                .expect("a proof");
                            n_solved += 1;
                        }
                        Verdict::Violated(found) => {
                            assert!(!safe, "{config:?}\n{text}");
                            check::check_counterexample(&p.pool, &p.icfg, &found).expect("an execution");
                            n_solved += 1;
                        }
                        Verdict::Unknown(_) => {}
                        Verdict::NonTerminating(_) | Verdict::ViolatedFar(_) => panic!("an answer to another question"),
                    }
                }
            }
        }
    }
    assert!(n_solved >= 72, "only {n_solved} of 96");
}

/// Taipan: the fixpoint of a path program closes a loop for any number of rounds, and so does that of a recursion;
/// where it is too coarse, interpolation goes on.
#[test]
fn path_programs_close_loops() {
    // The error is refuted before the loop (one round), after it, and what is left is nothing.
    const FAR: &str = "procedure main() {
      var x: int;
      x := 0;
      while (x < 1000000) { x := x + 1; }
      assert x == 1000000;
    }";
    // Bounds alone do not tell x from y: octagons do.
    const TOGETHER: &str = "procedure main() {
      var x, y, n: int;
      x, y := 0, 0;
      while (x < n) { x := x + 1; if (*) { y := y + 1; } }
      assert y <= x;
    }";
    const CALLS: &str = "procedure count(n: int) returns (r: int) {
      if (n <= 0) { r := 0; } else { call r := count(n - 1); if (r < 1000) { r := r + 1; } }
    }
    procedure main() { var n, r: int; call r := count(n); assert 0 <= r && r <= 1000; }";
    for (text, most) in [(FAR, 3), (TOGETHER, 4), (CALLS, 8)] {
        let (holds, stats) = run(&mut program(text), "taipan");
        assert!(holds);
        assert!(stats.get("path programs refuted") >= 1, "{text}");
        assert!(stats.get("iterations") <= most, "{} rounds: {text}", stats.get("iterations"));
        assert_eq!(stats.get("fixpoints not verified"), 0, "{text}");
    }
    // A sum of three variables is in none of the domains.
    let (holds, stats) = run(&mut program(SUM), "taipan");
    assert!(holds);
    assert_eq!(stats.get("path programs refuted"), 0);
    // A violation is found whatever the fixpoints say.
    let (holds, _) = run(&mut program(&FAR.replace("1000000", "7").replace("x == 7", "x == 8")), "taipan");
    assert!(!holds);
}

/// Predicates offered by others are used: with the right ones no refinement is needed.
#[test]
fn offered_predicates_are_taken() {
    for engine in ["trace-abstraction", "kojak", "impact", "predicate-abstraction"] {
        let mut p = program(SUM);
        let var = |name: &str| p.icfg.vars.values().find(|v| v.name == name).expect("a variable").term;
        let (n, x, y, z) = (var("n"), var("x"), var("y"), var("z"));
        let sum = p.pool.add(&[x, y, z]);
        let (good, bad) = (p.pool.eq(n, sum), p.pool.le(x, y));
        let head = p.icfg.locs.iter().find(|(_, l)| l.is_loop_head).expect("a loop").0;
        let offered = Predicates::from([(head, vec![bad, good])]);
        let (budget, mut observer) = (Budget::unlimited(), Silent);
        let task = Task { offered: &offered, ..Task::new(&p.icfg, &Property::UnreachCall) };
        let mut ctx = Ctx::new(&mut p.pool, &budget, &mut observer);
        let verdict = engine_by_name(engine).expect("it exists").run(&mut ctx, &task);
        // Trace abstraction sees single statements, between which the sum is not kept.
        let most = if engine == "trace-abstraction" { 1 } else { 0 };
        assert!(ctx.stats.get("traces checked") <= most, "{engine}");
        let Verdict::Holds(certificate) = verdict else { panic!("{engine}: {verdict:?}") };
        check::check_certificate(&mut p.pool, &p.icfg, &certificate, check::Options::default(), &budget)
            .expect("a proof");
    }
}
