//! The checker rejects: each rule is broken once, by one change to evidence that is accepted.

use base::{Budget, SourceMap};
use check::{Options, Rejection};
use ir::{Annotation, Certificate, Contract, Icfg, LocId, ProcId, VarId};
use logic::{TermId, TermPool};

struct Subject {
    pool: TermPool,
    icfg: Icfg,
}

/// The graph of a program with all calls inlined.
fn inlined(text: &str) -> Subject {
    let Subject { mut pool, icfg } = subject(text);
    let (icfg, _) = ir::inline::inline_calls(&icfg, &mut pool, &Default::default()).expect("it is small");
    Subject { pool, icfg }
}

/// The graph of a program, its calls not inlined.
fn subject(text: &str) -> Subject {
    let mut sources = SourceMap::new();
    let file = sources.add("subject.bpl", text);
    let mut pool = TermPool::new();
    let program = boogie::compile(&sources, file, &mut pool).expect("the program is well-formed");
    let mut icfg = Icfg::build(&program, &mut pool);
    icfg.ensure_old_vars(&mut pool);
    Subject { pool, icfg }
}

impl Subject {
    fn check(&mut self, certificate: &Certificate) -> Result<(), Rejection> {
        let budget = Budget::unlimited();
        let plain = check::check_certificate(&mut self.pool, &self.icfg, certificate, Options::default(), &budget);
        let options = Options { paranoid: true };
        let paranoid = check::check_certificate(&mut self.pool, &self.icfg, certificate, options, &budget);
        assert_eq!(plain, paranoid, "re-checked refutations make no difference");
        plain
    }
    fn accepts(&mut self, annotation: &Annotation) {
        assert_eq!(self.check(&Certificate::Annotation(annotation.clone())), Ok(()));
    }
    /// It must be rejected as wrong, with a complaint that says this.
    fn rejects(&mut self, annotation: &Annotation, complaint: &str) {
        match self.check(&Certificate::Annotation(annotation.clone())) {
            Err(Rejection::Wrong(why)) => assert!(why.contains(complaint), "the complaint is: {why}"),
            other => panic!("expected a complaint about “{complaint}”, but {other:?}"),
        }
    }
    fn proc(&self, name: &str) -> ProcId {
        self.icfg.procs.iter().find(|(_, p)| p.name == name).expect("a procedure of this name").0
    }
    /// The variable of this name, of a procedure or global.
    fn var(&self, proc: &str, name: &str) -> VarId {
        let proc = self.proc(proc);
        let owned = |kind| match kind {
            ir::VarKind::Global | ir::VarKind::Old(_) => true,
            ir::VarKind::Param(p) | ir::VarKind::Result(p) | ir::VarKind::Local(p) => p == proc,
        };
        let found = self.icfg.vars.iter().find(|(_, v)| v.name == name && owned(v.kind));
        found.unwrap_or_else(|| panic!("no variable {name}")).0
    }
    fn term(&self, proc: &str, name: &str) -> TermId {
        self.icfg.vars[self.var(proc, name)].term
    }
    fn loop_heads(&self) -> Vec<LocId> {
        self.icfg.locs.iter().filter(|(_, l)| l.is_loop_head).map(|(id, _)| id).collect()
    }
    fn plus(&mut self, t: TermId, n: i64) -> TermId {
        let n = self.pool.int(n);
        self.pool.add(&[t, n])
    }
    fn at_most(&mut self, t: TermId, n: i64) -> TermId {
        let n = self.pool.int(n);
        self.pool.le(t, n)
    }
    fn at_least(&mut self, t: TermId, n: i64) -> TermId {
        let n = self.pool.int(n);
        self.pool.ge(t, n)
    }
}

fn invariant(loc: LocId, formula: TermId) -> Annotation {
    Annotation { invariants: [(loc, formula)].into(), ..Annotation::default() }
}

const IN_STEP: &str = "
procedure main() {
  var x, y: int;
  x := 0; y := 0;
  call other();
  while (x < 10) { x := x + 1; y := y + 1; }
  assert x == y;
}
procedure other() { var z: int; z := 1; }";

#[test]
fn errors_are_excluded_one_by_one() {
    // The second assertion fails in the eighth iteration.
    let mut s = subject(
        "procedure main() {
          var x, y: int;
          x := 0; y := 0;
          while (x < 10) { x := x + 1; y := y + 2; assert x >= 1; assert y <= 15; }
        }",
    );
    let [head] = s.loop_heads()[..] else { panic!("one loop") };
    let x = s.term("main", "x");
    let excluded = |s: &mut Subject, formula: TermId| {
        let (annotation, budget) = (invariant(head, formula), Budget::unlimited());
        let found = check::excluded_errors(&mut s.pool, &s.icfg, &annotation, Options::default(), &budget);
        found.map(|locs| locs.iter().map(|&l| s.icfg.locs[l].error.clone().expect("an error").span).collect::<Vec<_>>())
    };
    let mut spans: Vec<_> = s.icfg.locs.values().filter_map(|l| l.error.as_ref()).map(|c| c.span).collect();
    spans.sort();
    let [first, _] = spans[..] else { panic!("two assertions") };
    let not_negative = s.at_least(x, 0);
    assert_eq!(excluded(&mut s, not_negative), Ok(vec![first]));
    assert_eq!(excluded(&mut s, TermId::TRUE), Ok(vec![]));
    // What is not inductive excludes nothing.
    let small = s.at_most(x, 5);
    let wrong = s.pool.and(&[not_negative, small]);
    assert!(matches!(excluded(&mut s, wrong), Err(Rejection::Wrong(_))));
    assert!(matches!(excluded(&mut s, TermId::FALSE), Err(Rejection::Wrong(_))));
}

#[test]
fn the_rules_for_loops() {
    let mut s = subject(IN_STEP);
    let [head] = s.loop_heads()[..] else { panic!("one loop") };
    let (x, y, z) = (s.term("main", "x"), s.term("main", "y"), s.term("other", "z"));
    let equal = s.pool.eq(x, y);
    s.accepts(&invariant(head, equal));
    // Initiation: it does not hold when the loop is first reached.
    let positive = s.at_least(x, 1);
    let wrong = s.pool.and(&[equal, positive]);
    s.rejects(&invariant(head, wrong), "is not preserved on the way from");
    s.rejects(&invariant(head, TermId::FALSE), "is not preserved on the way from");
    // Consecution: it holds at first, and the loop breaks it.
    let small = s.at_most(x, 5);
    let wrong = s.pool.and(&[equal, small]);
    s.rejects(&invariant(head, wrong), "is not preserved on the way from");
    // Safety: inductive, but says nothing about the assertion.
    let bounded = s.at_most(x, 10);
    s.rejects(&invariant(head, bounded), "an error location stays reachable");
    s.rejects(&invariant(head, TermId::TRUE), "an error location stays reachable");
    s.rejects(&Annotation::default(), "an error location stays reachable");
    // Scope: another procedure's variable, and a copy that is no variable at all.
    let foreign = s.pool.eq(x, z);
    let wrong = s.pool.and(&[equal, foreign]);
    s.rejects(&invariant(head, wrong), "not in scope");
    let copy = s.pool.indexed(x, 3);
    let foreign = s.pool.eq(x, copy);
    let wrong = s.pool.and(&[equal, foreign]);
    s.rejects(&invariant(head, wrong), "not a program variable");
}

#[test]
fn formulas_at_other_places_count_too() {
    let mut s = subject(IN_STEP);
    let [head] = s.loop_heads()[..] else { panic!("one loop") };
    let (x, y) = (s.term("main", "x"), s.term("main", "y"));
    let equal = s.pool.eq(x, y);
    let error = s.icfg.locs.iter().find(|(_, l)| l.error.is_some()).expect("an assertion").0;
    let mut with_error = invariant(head, equal);
    with_error.invariants.insert(error, TermId::FALSE);
    s.accepts(&with_error);
    // A formula at the error location is no licence to reach it.
    let mut annotation = invariant(head, TermId::TRUE);
    annotation.invariants.insert(error, TermId::TRUE);
    s.rejects(&annotation, "an error location stays reachable");
    annotation.invariants.insert(error, TermId::FALSE);
    s.rejects(&annotation, "is not preserved");
    // Nor is one that cuts the way to it with a falsehood.
    for loc in s.icfg.locs.ids().collect::<Vec<_>>() {
        let reachable = loc != error && s.icfg.locs[loc].proc == s.proc("main") && loc != head;
        if reachable && !s.icfg.in_edges(loc).is_empty() {
            let mut annotation = invariant(head, TermId::TRUE);
            annotation.invariants.insert(loc, TermId::FALSE);
            assert!(s.check(&Certificate::Annotation(annotation)).is_err(), "{loc}");
        }
    }
}

#[test]
fn invariants_of_two_loops_cannot_be_exchanged() {
    let mut s = subject(
        "procedure main() {
           var x: int;
           x := 0;
           while (*) { x := x + 1; }
           x := 0 - x - 1;
           while (*) { x := x - 1; }
           assert x < 0;
         }",
    );
    let [first, second] = s.loop_heads()[..] else { panic!("two loops") };
    let x = s.term("main", "x");
    let (before, after) = (s.at_least(x, 0), s.at_most(x, -1));
    let both = |first_formula, second_formula| Annotation {
        invariants: [(first, first_formula), (second, second_formula)].into(),
        ..Annotation::default()
    };
    s.accepts(&both(before, after));
    s.rejects(&both(after, before), "is not preserved");
    s.rejects(&both(after, after), "is not preserved");
    s.rejects(&both(before, before), "is not preserved");
    s.rejects(&both(TermId::TRUE, after), "is not preserved");
    s.rejects(&both(before, TermId::TRUE), "an error location stays reachable");
}

const IDENTITY: &str = "
procedure f(n: int) returns (r: int) {
  var t: int;
  if (n <= 0) { r := 0; } else { t := n - 1; call r := f(t); r := r + 1; }
}
procedure main() {
  var a, b: int;
  assume a >= 0;
  call b := f(a);
  assert b == a;
}";

#[test]
fn the_rules_for_procedures() {
    let mut s = subject(IDENTITY);
    let f = s.proc("f");
    let (n, r, t) = (s.term("f", "n"), s.term("f", "r"), s.term("f", "t"));
    let (requires, ensures) = (s.at_least(n, 0), s.pool.eq(r, n));
    let with = |requires, ensures| Annotation {
        contracts: [(f, Contract { requires, ensures })].into(),
        ..Annotation::default()
    };
    s.accepts(&with(requires, ensures));
    // Call rule: the caller, or the recursive call, does not establish the precondition.
    let wrong = s.at_least(n, 1);
    s.rejects(&with(wrong, ensures), "the precondition of f does not hold at a call");
    s.rejects(&with(TermId::FALSE, ensures), "the precondition of f does not hold at a call");
    // Return rule: the body does not establish the postcondition.
    s.rejects(&with(TermId::TRUE, ensures), "the contract of f does not hold at its exit");
    let small = s.at_most(r, 100);
    let wrong = s.pool.and(&[ensures, small]);
    s.rejects(&with(requires, wrong), "the contract of f does not hold at its exit");
    s.rejects(&with(requires, TermId::FALSE), "the contract of f does not hold at its exit");
    // Safety: the contract does not say enough, or is missing.
    let wrong = s.at_least(r, 0);
    s.rejects(&with(requires, wrong), "an error location stays reachable");
    s.rejects(&with(requires, TermId::TRUE), "an error location stays reachable");
    s.rejects(&Annotation::default(), "an error location stays reachable");
    // Scope: a contract speaks of parameters and results, not of locals, its own or the caller's; and a
    // precondition knows no results.
    let local = s.pool.eq(r, t);
    s.rejects(&with(requires, local), "not in scope");
    let callers = s.term("main", "a");
    let callers = s.pool.eq(r, callers);
    s.rejects(&with(requires, callers), "not in scope");
    s.rejects(&with(ensures, ensures), "not in scope");
    // The root is called by nobody: it can assume nothing.
    let main = s.proc("main");
    let root = s.icfg.root.expect("a root");
    let mut annotation = with(requires, ensures);
    annotation.contracts.insert(root, Contract { requires: TermId::FALSE, ensures: TermId::TRUE });
    assert!(matches!(s.check(&Certificate::Annotation(annotation)), Err(Rejection::Wrong(_))), "{root} {main}");
}

#[test]
fn the_rules_for_globals() {
    let mut s = subject(
        "var g: int;
         procedure inc() modifies g; { g := g + 1; }
         procedure main() modifies g; {
           var before: int;
           before := g;
           call inc();
           call inc();
           assert g == before + 2;
         }",
    );
    let inc = s.proc("inc");
    let (g, old) = (s.term("inc", "g"), s.term("inc", "old(g)"));
    let more = s.plus(old, 1);
    let ensures = s.pool.eq(g, more);
    let with = |requires, ensures| Annotation {
        contracts: [(inc, Contract { requires, ensures })].into(),
        ..Annotation::default()
    };
    s.accepts(&with(TermId::TRUE, ensures));
    let positive = s.at_least(g, 0);
    let wrong = s.pool.and(&[ensures, positive]);
    s.rejects(&with(TermId::TRUE, wrong), "the contract of inc does not hold at its exit");
    let unchanged = s.pool.eq(g, old);
    s.rejects(&with(TermId::TRUE, unchanged), "an error location stays reachable");
    let grows = s.pool.gt(g, old);
    s.rejects(&with(TermId::TRUE, grows), "an error location stays reachable");
    s.rejects(&with(positive, ensures), "the precondition of inc does not hold at a call");
    // What a procedure changes must be in its list, or callers would think it unchanged.
    let mut tampered = subject(
        "var g: int;
         procedure inc() modifies g; { g := g + 1; }
         procedure main() modifies g; { g := 0; call inc(); assert g == 0; }",
    );
    let inc = tampered.proc("inc");
    tampered.icfg.procs[inc].modifies.clear();
    tampered.rejects(&Annotation::default(), "not in its modifies list");
}

const BOUNDED: &str = "
procedure main() {
  var i, s: int;
  i := 0; s := 0;
  while (i < 3) { i := i + 1; s := s + i; }
  assert s == 6;
}";

#[test]
fn unwindings() {
    let mut s = inlined(BOUNDED);
    let accepted: Vec<bool> = (0..8).map(|n| s.check(&Certificate::Unwinding(n)).is_ok()).collect();
    // The head is passed on entry and after each of three iterations.
    assert_eq!(accepted, [false, false, false, false, true, true, true, true]);
    let mut endless = inlined("procedure main() { var i: int; while (i > 0) { i := i + 1; } assert i <= 0; }");
    for n in 0..6 {
        assert!(matches!(endless.check(&Certificate::Unwinding(n)), Err(Rejection::Wrong(_))), "{n}");
    }
    let mut wrong = inlined(&BOUNDED.replace("s == 6", "s == 7"));
    let Err(Rejection::Wrong(why)) = wrong.check(&Certificate::Unwinding(10)) else { panic!("it is not safe") };
    assert!(why.contains("an error can be reached"), "{why}");
}

/// Errors are nothing but ends where the question is whether executions end.
#[test]
fn finite_unwindings() {
    for text in [BOUNDED, &BOUNDED.replace("s == 6", "s == 7")] {
        let mut s = inlined(text);
        let accepted: Vec<bool> = (0..8).map(|n| s.check(&Certificate::FiniteUnwinding(n)).is_ok()).collect();
        assert_eq!(accepted, [false, false, false, false, true, true, true, true]);
    }
    // Nothing changes in the loop: that is no error, but no end either.
    let mut still = inlined("procedure main() { var i: int; while (i > 0) { } assert i <= 0; }");
    assert_eq!(still.check(&Certificate::Unwinding(10)), Ok(()));
    rejects_certificate(&mut still, &Certificate::FiniteUnwinding(10), "stay in a loop");
    let mut endless = inlined("procedure main() { var i: int; while (true) { i := i + 1; } }");
    rejects_certificate(&mut endless, &Certificate::FiniteUnwinding(100), "more than");
    // It changes between two values.
    let mut turning = inlined("procedure main() { var b: bool; while (true) { b := !b; } }");
    assert!(turning.check(&Certificate::FiniteUnwinding(100)).is_err());
}

/// A value that is chosen by an unknown condition is one of two.
#[test]
fn states_of_branches() {
    let text = |asserted: &str| {
        format!(
            "procedure main() {{ var x, n: int; var c: bool; x := 0; n := 0;
               while (true) {{ havoc c; x := (if c then 3 else (if x == 3 then 5 else 0)); n := n + 1; assert {asserted}; }} }}"
        )
    };
    let mut safe = inlined(&text("x == 3 || x == 5 || x == 0"));
    assert_eq!(safe.check(&Certificate::StatesOfBranches(200)), Ok(()), "what only counts tells no states apart");
    rejects_certificate(&mut safe, &Certificate::States(200), "an error can be reached");
    rejects_certificate(&mut safe, &Certificate::StatesOfBranches(5), "more than");
    for asserted in ["x != 5", "x != 0", "x != 3", "n < 1000"] {
        let mut wrong = inlined(&text(asserted));
        assert!(wrong.check(&Certificate::StatesOfBranches(10_000)).is_err(), "{asserted}");
    }
}

#[test]
fn certificates_of_another_kind() {
    let mut s = subject(IN_STEP);
    let [head] = s.loop_heads()[..] else { panic!("one loop") };
    let (x, y) = (s.term("main", "x"), s.term("main", "y"));
    let equal = s.pool.eq(x, y);
    // Formulas for locations are not contracts of loop procedures.
    assert!(s.check(&Certificate::TailRecursive(invariant(head, equal))).is_err());
    assert!(s.check(&Certificate::TailRecursive(Annotation::default())).is_err());
    assert!(s.check(&Certificate::Termination(Box::default())).is_err());
}

/// Rejected as wrong, with a complaint that says this.
fn rejects_certificate(subject: &mut Subject, certificate: &Certificate, complaint: &str) {
    match subject.check(certificate) {
        Err(Rejection::Wrong(why)) => assert!(why.contains(complaint), "{certificate:?}: the complaint is: {why}"),
        other => panic!("{certificate:?}: expected a complaint about “{complaint}”, but {other:?}"),
    }
}

#[test]
fn executions() {
    let text = |asserted: &str| {
        format!(
            "procedure main() {{ var i, x: int; var a: [int]int; i := 0; havoc x;
               while (i < 5) {{ a[i] := 3; i := i + 1; }}
               if (x > 0) {{ i := i + 1; }} assert {asserted}; }}"
        )
    };
    let mut safe = inlined(&text("a[4] == 3 && i >= 5"));
    let n = (1..1000).find(|&n| safe.check(&Certificate::Execution(n)).is_ok()).expect("few steps");
    rejects_certificate(&mut safe, &Certificate::Execution(n - 1), "more than");
    assert_eq!(safe.check(&Certificate::FiniteExecution(n)), Ok(()));
    rejects_certificate(&mut safe, &Certificate::FiniteExecution(n - 1), "more than");
    // Not true in every execution, or about values that are unknown; far below and far above the limit of the exact
    // evaluator.
    for asserted in ["i == 5", "a[5] == 3", "a[6] == a[6] + x - x + 1", "x == 0", "a[x] == 3"] {
        for n in [10_000, 100_000_000] {
            rejects_certificate(&mut inlined(&text(asserted)), &Certificate::Execution(n), "an error can be reached");
        }
        // Errors end executions, too.
        assert_eq!(inlined(&text(asserted)).check(&Certificate::FiniteExecution(10_000)), Ok(()), "{asserted}");
    }
    let mut endless = inlined("procedure main() { var x: int; x := 0; while (x < 5) { x := 1 - x; } }");
    rejects_certificate(&mut endless, &Certificate::FiniteExecution(10_000), "more than");
    // With a branch before it, the states of the loop are compared, and there are few: no error is reached.
    let text = "procedure main() { var x, y: int; havoc y; if (y > 0) { x := 0; } else { x := 1; }
                  while (x < 5) { x := 1 - x; } assert false; }";
    assert_eq!(inlined(text).check(&Certificate::Execution(1_000)), Ok(()));
    // Calls save and restore.
    let text = |asserted: &str| {
        format!(
            "var g: int; procedure main() {{ var x, y: int; x := 1; g := 0; call y := f(x); assert {asserted}; }}
             procedure f(n: int) returns (r: int) modifies g; {{ var x: int; x := n + 6; g := g + 1;
               if (n < 3) {{ call r := f(n + 1); }} else {{ r := x; }} }}"
        )
    };
    assert_eq!(subject(&text("y == 9 && x == 1 && g == 3")).check(&Certificate::Execution(1_000)), Ok(()));
    for asserted in ["y == 7", "x == 7", "g == 1"] {
        rejects_certificate(&mut subject(&text(asserted)), &Certificate::Execution(1_000), "an error can be reached");
    }
}

#[test]
fn states() {
    let text = |asserted: &str| {
        format!(
            "procedure main() {{ var x, k: int; x := 0;
               while (true) {{ if (*) {{ k := 0; }} else if (*) {{ k := 1; }} else {{ k := 2; }}
                 if (x < 4) {{ x := x + k; }} else {{ x := 0; }} assert {asserted}; }} }}"
        )
    };
    let mut safe = inlined(&text("x <= 5"));
    let all = exec::states::Limits { max_steps: 10_000 };
    let exec::states::Outcome::All(n) = exec::states::enumerate(&safe.icfg, &mut safe.pool, &all, &mut || false) else {
        panic!("there are few states");
    };
    assert_eq!(safe.check(&Certificate::States(n)), Ok(()));
    rejects_certificate(&mut safe, &Certificate::States(n / 2), "more than");
    for asserted in ["x <= 4", "x != 5", "k != 2", "x >= 1"] {
        rejects_certificate(&mut inlined(&text(asserted)), &Certificate::States(10_000), "an error can be reached");
    }
    // Infinitely many states, and they matter.
    let mut counting = inlined("procedure main() { var x: int; x := 0; while (true) { x := x + 1; assert x > 0; } }");
    rejects_certificate(&mut counting, &Certificate::States(10_000), "more than");
}

#[test]
fn accepting_cycles() {
    let text = "procedure main() { var x: int; x := 0; while (x < 6) { x := x + 1; } while (true) { x := 7; } }";
    let heads = |s: &Subject| s.icfg.locs.ids().filter(|&l| s.icfg.locs[l].is_loop_head).collect::<Vec<_>>();
    let mut program = inlined(text);
    let [first, second] = heads(&program)[..] else { panic!("two loops") };
    // Every infinite execution counts, and there is one.
    rejects_certificate(&mut program, &Certificate::FairStates { steps: 1_000, wide: Vec::new() }, "accepting cycle");
    program.icfg.acceptance = Some([first].into_iter().collect());
    assert_eq!(
        program.check(&Certificate::FairStates { steps: 1_000, wide: Vec::new() }),
        Ok(()),
        "the first loop is left"
    );
    rejects_certificate(&mut program, &Certificate::FairStates { steps: 3, wide: Vec::new() }, "more than");
    program.icfg.acceptance = Some([second].into_iter().collect());
    rejects_certificate(&mut program, &Certificate::FairStates { steps: 1_000, wide: Vec::new() }, "accepting cycle");
    // An accepting location on one of two ways round.
    let mut branching = inlined("procedure main() { while (true) { if (*) { assume true; } else { assert true; } } }");
    branching.icfg.acceptance =
        Some(branching.icfg.locs.ids().filter(|l| branching.icfg.locs[*l].error.is_some()).collect());
    assert_eq!(
        branching.check(&Certificate::FairStates { steps: 1_000, wide: Vec::new() }),
        Ok(()),
        "errors are not on cycles"
    );
}
