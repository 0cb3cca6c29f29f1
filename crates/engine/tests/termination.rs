//! Intermediate results of termination proofs: ranks, modules, contracts, and the same proofs by other automata.

use automata::buchi::{Determinism, accepted_lasso, buchi_difference, determinism};
use automata::remove_non_live;
use base::{Budget, SourceMap};
use engine::buchi::{Complement, Settings, buchi_automata, prove_termination, prove_termination_with};
use ir::{Certificate, Icfg, ModuleMode, NonTermination, TerminationProof, Verdict};
use logic::TermPool;

struct Program {
    pool: TermPool,
    icfg: Icfg,
}

fn program(text: &str) -> Program {
    let mut sources = SourceMap::new();
    let file = sources.add("termination.bpl", text);
    let mut pool = TermPool::new();
    let program = boogie::compile(&sources, file, &mut pool).expect("the program is well-formed");
    let graph = Icfg::build(&program, &mut pool);
    let (mut icfg, _) = ir::inline::inline_calls(&graph, &mut pool, &Default::default()).expect("it is small");
    if icfg.has_calls() {
        icfg.ensure_old_vars(&mut pool);
    }
    Program { pool, icfg }
}

/// A proof that the checker accepts, refutations step by step.
fn proof(p: &mut Program) -> TerminationProof {
    let budget = Budget::unlimited();
    let (verdict, _) = prove_termination(&mut p.pool, &p.icfg, &budget);
    let Verdict::Holds(certificate) = verdict else { panic!("no proof: {verdict:?}") };
    let options = check::Options { paranoid: true };
    check::check_certificate(&mut p.pool, &p.icfg, &certificate, options, &budget).expect("a proof");
    let Certificate::Termination(proof) = certificate else { panic!("another certificate") };
    *proof
}

fn endless(p: &mut Program) -> NonTermination {
    let budget = Budget::unlimited();
    let (verdict, _) = prove_termination(&mut p.pool, &p.icfg, &budget);
    let Verdict::NonTerminating(found) = verdict else { panic!("no execution: {verdict:?}") };
    let options = check::Options { paranoid: true };
    check::check_nontermination(&mut p.pool, &p.icfg, &found, options, &budget).expect("an execution");
    *found
}

fn ranks(p: &Program, proof: &TerminationProof) -> Vec<String> {
    let name = |_: &TermPool, t| p.icfg.vars.values().find(|v| v.term == t).map(|v| v.name.clone());
    let text = |t| p.pool.infix_with(t, 1000, &name).expect("small");
    let mut ranks: Vec<String> = proof
        .modules
        .iter()
        .filter(|m| !m.rank.is_empty())
        .map(|m| m.rank.iter().map(|t| text(*t)).collect())
        .collect();
    ranks.sort();
    ranks
}

const LECTURE: &str = "procedure main() {
  var x, y: int;
  while (x > 0 && y > 0) {
    if (*) { x := x - 1; } else { havoc x; y := y - 1; }
  }
}";

/// Seed 001, the program of the part on termination: one module with rank y for the words with infinitely many turns
/// through the second branch, one with rank x for the rest.
#[test]
fn the_lecture_has_two_modules_with_ranks_y_and_x() {
    let mut p = program(LECTURE);
    let proof = proof(&mut p);
    assert_eq!(ranks(&p, &proof), ["x", "y"]);
    assert_eq!(proof.modules.len(), 2);
    for module in &proof.modules {
        // Each has decreases, and states without supporting invariants: the ranks hold from every state.
        assert!(module.states.iter().any(|s| s.mode == ModuleMode::Decrease));
    }
}

/// What the modules rule out is also taken away by complements of their semi-deterministic forms.
#[test]
fn modules_cover_the_program_as_buchi_automata_too() {
    let programs = [
        LECTURE,
        "procedure main() { var i, n: int; i := 0; while (i < n) { i := i + 1; } }",
        "procedure main() { var x, y: int; while (x > 0) { x := x + y; y := y - 1; } }",
        "procedure main() { var i, j: int; i := 0; while (i < 3) { j := 0; while (j < 3) { j := j + 1; } i := i + 1; } }",
        "procedure main() { var x, y: int; assume y >= 1; while (x >= 0) { x := x - y; } }",
    ];
    let budget = Budget::unlimited();
    for text in programs {
        let mut p = program(text);
        let proof = proof(&mut p);
        let (mut rest, modules) = buchi_automata(&p.icfg, &proof);
        assert!(accepted_lasso(&rest, &budget).expect("no limit").is_some(), "{text}");
        for module in &modules {
            assert!(determinism(module) <= Determinism::SemiDeterministic, "{text}");
            rest = buchi_difference(&rest, module, &budget).expect("no limit").automaton;
            rest = remove_non_live(&rest, &budget).expect("no limit").automaton;
        }
        assert_eq!(accepted_lasso(&rest, &budget).expect("no limit"), None, "{text}");
    }
}

/// The engine itself can subtract by complements: the verdicts are the same, and the checker, which knows no
/// complements, accepts the proofs.
#[test]
fn the_engine_subtracts_by_every_complement() {
    let terminating = [
        LECTURE,
        "procedure main() { var i, n: int; i := 0; while (i < n) { i := i + 1; } }",
        "procedure main() { var x, y: int; while (x > 0) { x := x + y; y := y - 1; } }",
        "procedure main() { var i, j, n: int; while (i < n) { j := 0; while (j < i) { j := j + 1; } i := i + 1; } }",
        "procedure main() { var x, y: int; assume y >= 1; while (x >= 0) { x := x - y; } }",
        "procedure main() { var x: int; x := 1; if (x < 0) { while (true) { } } while (x > 0) { x := x - 1; } }",
        MCCARTHY,
    ];
    let endless = [
        "procedure main() { var i: int; i := 0; while (true) { if (false) { while (i != 0) { } } i := i + 1; } }",
        "procedure main() { var x, y: int; while (y > 0) { y := y - 1; } while (x > 0) { havoc x; } }",
        "procedure f(n: int) { if (n != 3) { call f(n); } } procedure main() { var n: int; call f(n); }",
    ];
    let budget = Budget::unlimited();
    let options = check::Options { paranoid: true };
    for complement in [Complement::Auto, Complement::Ncsb, Complement::Rank] {
        let settings = Settings { complement, ..Settings::default() };
        for text in terminating {
            let mut p = program(text);
            let (verdict, counts) = prove_termination_with(&mut p.pool, &p.icfg, &settings, &budget);
            let Verdict::Holds(certificate) = verdict else {
                panic!("{complement:?}, no proof of {text}: {verdict:?}")
            };
            check::check_certificate(&mut p.pool, &p.icfg, &certificate, options, &budget).expect("a proof");
            let used = counts.complements;
            let n_modules = counts.rank_modules + counts.infeasible_modules;
            match complement {
                Complement::None => {}
                Complement::Auto => assert_eq!((used.deterministic + used.ncsb, used.rank), (n_modules, 0), "{text}"),
                Complement::Ncsb => assert_eq!(used.ncsb, n_modules, "{text}"),
                Complement::Rank => assert_eq!(used.rank, n_modules, "{text}"),
            }
        }
        for text in endless {
            let mut p = program(text);
            let (verdict, _) = prove_termination_with(&mut p.pool, &p.icfg, &settings, &budget);
            let Verdict::NonTerminating(found) = verdict else { panic!("{complement:?}, {text}: {verdict:?}") };
            check::check_nontermination(&mut p.pool, &p.icfg, &found, options, &budget).expect("an execution");
        }
    }
}

/// A loop whose rank is lost and found again by the loop around it needs the guess of the last seed, so NCSB; a plain
/// loop does not.
#[test]
fn the_complement_fits_the_module() {
    let settings = Settings { complement: Complement::Auto, ..Settings::default() };
    let mut p = program("procedure main() { var i, n: int; i := 0; while (i < n) { i := i + 1; } }");
    let (_, counts) = prove_termination_with(&mut p.pool, &p.icfg, &settings, &Budget::unlimited());
    assert_eq!((counts.complements.deterministic, counts.complements.ncsb), (1, 0));
    let mut p = program(LECTURE);
    let (_, counts) = prove_termination_with(&mut p.pool, &p.icfg, &settings, &Budget::unlimited());
    assert!(counts.complements.ncsb > 0 || counts.complements.deterministic > 1, "{counts:?}");
}

const MCCARTHY: &str = "procedure f(n: int) returns (r: int) {
  var t: int;
  if (n > 100) { r := n - 10; } else { call t := f(n + 11); call r := f(t); }
}
procedure main() { var n, r: int; call r := f(n); }";

/// The proof needs a contract, and the checker proves it by itself.
#[test]
fn recursion_is_proved_with_contracts() {
    let mut p = program(MCCARTHY);
    let good = proof(&mut p);
    let budget = Budget::unlimited();
    let mut check = |proof: &TerminationProof| {
        let certificate = Certificate::Termination(Box::new(proof.clone()));
        check::check_certificate(&mut p.pool, &p.icfg, &certificate, check::Options::default(), &budget)
    };
    assert_eq!(check(&good), Ok(()));
    // Without contracts the second call may have any argument.
    let mut bare = good.clone();
    bare.summaries = Default::default();
    assert!(check(&bare).is_err());
    // A contract that does not hold.
    let mut wrong = good.clone();
    for contract in wrong.summaries.contracts.values_mut() {
        contract.ensures = logic::TermId::FALSE;
    }
    assert!(check(&wrong).is_err());
}

#[test]
fn endless_recursion_is_an_execution_with_pending_calls() {
    let mut p = program("procedure f(x: int) { call f(x + 1); } procedure main() { call f(0); }");
    let found = endless(&mut p);
    assert!(!found.cycle.is_empty());
    // An execution that skips a call is refused: replace the cycle by the skip of the call.
    let mut skipping = found.clone();
    let (_, map) = ir::pending_calls::without_returns(&p.icfg, &Default::default(), &mut p.pool);
    let skips: Vec<_> = map.calls.values().map(|(skip, _)| *skip).collect();
    for step in &mut skipping.cycle {
        step.edge = skips[0];
    }
    let refused =
        check::check_nontermination(&mut p.pool, &p.icfg, &skipping, check::Options::default(), &Budget::unlimited());
    assert!(refused.is_err());
}

/// Loops for which there is no fixed point, and whose guards are not preserved one by one.
#[test]
fn geometric_arguments() {
    for text in [
        "procedure main() { var x, y: int; while (x - y >= 1) { x, y := 3 * x - 2 * y, x; } }",
        "procedure main() { var x, y: int; while (x >= 0 && y >= x) { x := x + 1; havoc y; assume y <= 2 * x; } }",
    ] {
        endless(&mut program(text));
    }
}

/// States come back as far as it matters; the counter that nobody reads does not keep them from it.
#[test]
fn states_that_come_back() {
    let budget = Budget::unlimited();
    let found = |text: &str| {
        let mut p = program(text);
        let found = engine::endless::search(&mut p.pool, &p.icfg, &budget).expect("no limit");
        if let Some(found) = &found {
            let options = check::Options { paranoid: true };
            check::check_nontermination(&mut p.pool, &p.icfg, found, options, &budget).expect("an execution");
        }
        found
    };
    // A cycle of 128 turns, by executing.
    let long =
        "procedure main() { var k, t: int; k := 1; t := 0; while (k != 100) { k := (k + 2) mod 256; t := t + 1; } }";
    assert!(found(long).expect("it comes back").cycle.len() > 128);
    // Values that no random choice hits, by unrolling; the state comes back in every second turn.
    let rare = "procedure main() { var a, b, s: int; assume 3 * a + 5 * b == 1234567 && a > 90000 && b > 90000; s := 1;
      while (a + b != 7) { if (s == a) { return; } s := 0 - s; } }";
    assert!(found(rare).is_some());
    // Recursion that goes on with the same argument.
    assert!(found("procedure f(x: int) { if (x != 3) { call f(0 - x); } } procedure main() { call f(5); }").is_some());
    for ending in [
        "procedure main() { var i: int; i := 0; while (i < 20) { i := i + 1; } }",
        "procedure main() { var x: int; assume 0 <= x && x <= 9; while (x > 0) { x := x - 1; } }",
    ] {
        assert!(found(ending).is_none(), "{ending}");
    }
}

/// A random loop over three numbers, with a loop or a choice inside.
fn random_program(mut seed: u64) -> String {
    let mut below = |n: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % n
    };
    let names = ["x", "y", "z"];
    let mut update = || {
        let (a, b) = (names[below(3)], names[below(3)]);
        match below(5) {
            0 | 1 => format!("{a} := {a} - 1;"),
            2 => format!("{a} := {a} + 1;"),
            3 => format!("{a} := {b};"),
            _ => format!("{a} := {a} - {b};"),
        }
    };
    let (first, second, third, fourth) = (update(), update(), update(), update());
    let (outer, inner) = (names[below(3)], names[below(3)]);
    let middle = match below(3) {
        0 => format!("while ({inner} > 0) {{ {second} {third} }}"),
        1 => format!("if (*) {{ {second} }} else {{ {third} }}"),
        _ => format!("if ({inner} > 0) {{ {second} }} else {{ {third} }}"),
    };
    format!("procedure main() {{ var x, y, z: int; while ({outer} > 0) {{ {first} {middle} {fourth} }} }}")
}

/// However modules are subtracted, no two answers contradict each other, and the checker accepts all proofs and
/// executions.
#[test]
fn ways_to_subtract_agree_on_random_loops() {
    let options = check::Options::default();
    let mut n_answers = 0;
    for seed in 0..40 {
        let text = random_program(seed);
        let mut answers = Vec::new();
        for complement in [Complement::None, Complement::Auto, Complement::Ncsb, Complement::Rank] {
            let mut p = program(&text);
            let settings = Settings { complement, ..Settings::default() };
            let budget = Budget::with_timeout(std::time::Duration::from_millis(400));
            match prove_termination_with(&mut p.pool, &p.icfg, &settings, &budget).0 {
                Verdict::Holds(certificate) => {
                    check::check_certificate(&mut p.pool, &p.icfg, &certificate, options, &Budget::unlimited())
                        .unwrap_or_else(|e| panic!("{complement:?}: {text}: {e:?}"));
                    answers.push(true);
                }
                Verdict::NonTerminating(found) => {
                    check::check_nontermination(&mut p.pool, &p.icfg, &found, options, &Budget::unlimited())
                        .unwrap_or_else(|e| panic!("{complement:?}: {text}: {e:?}"));
                    answers.push(false);
                }
                Verdict::Violated(_) | Verdict::ViolatedFar(_) => panic!("{complement:?}: {text}"),
                Verdict::Unknown(ir::Reason::Rejected(why)) => panic!("{complement:?}: {text}: {why}"),
                Verdict::Unknown(_) => {}
            }
        }
        n_answers += answers.len();
        assert!(answers.windows(2).all(|w| w[0] == w[1]), "{text}: {answers:?}");
    }
    assert!(n_answers > 60, "{n_answers} answers");
}
