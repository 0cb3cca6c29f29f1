//! Expressions of witnesses woven into programs: where they may stand, what they become, what is refused.

use base::SourceMap;
use c::annotate::{Annotation, Guide, Place, Role};
use exec::interp::replay;
use exec::random::{RandomLimits, random_run};
use ir::{Icfg, InstrKind};
use logic::TermPool;
use std::path::Path;

fn at(line: u32, column: Option<u32>, place: Place, role: Role, expression: &str) -> Annotation {
    Annotation { line, column, place, role, expression: expression.to_string() }
}

fn invariant(line: u32, place: Place, expression: &str) -> Annotation {
    at(line, None, place, Role::Invariant, expression)
}

fn compile(
    source: &str,
    annotations: Vec<Annotation>,
    guide: Option<Guide>,
) -> Result<(ir::Program, TermPool), String> {
    let mut sources = SourceMap::new();
    let file = sources.add("t.c", source);
    let mut pool = TermPool::new();
    let options = c::Options { annotations, guide, ..c::Options::default() };
    let none = |_: &Path| None;
    match c::compile(&mut sources, file, &options, &c::Mode::default(), &none, &mut pool) {
        Ok(program) => Ok((program, pool)),
        Err(diagnostics) => Err(diagnostics.iter().map(|d| d.message.clone()).collect::<Vec<_>>().join("; ")),
    }
}

/// The properties of the violations that random executions meet, each once.
fn violations(source: &str, annotations: Vec<Annotation>, guide: Option<Guide>) -> Vec<String> {
    let (program, mut pool) = compile(source, annotations, guide).unwrap_or_else(|e| panic!("{e}\n{source}"));
    assert!(program.fidelity.unsound.is_empty(), "{:?}\n{source}", program.fidelity.unsound);
    let icfg = Icfg::build(&program, &mut pool);
    let mut found = Vec::new();
    // Inputs have to be guessed; without any a few random ways through the graph are enough.
    let n_seeds = if guide.is_some() { 2000 } else { 120 };
    for seed in 0..n_seeds {
        if let Some(trace) = random_run(&icfg, &pool, seed, &RandomLimits::default()) {
            let run = replay(&icfg, &pool, &trace).expect("random executions replay");
            if !found.contains(&run.check.property.to_string()) {
                found.push(run.check.property.to_string());
            }
        }
    }
    found.sort();
    found
}

const LOOP: &str = "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int n = 0;\n  \
                    for (int i = 0; i < 4; i++)\n    n += 2;\n  while (n > 0)\n    n--;\n  return n;\n}\n";

#[test]
fn invariants_are_checked_where_they_stand() {
    let holds = |annotation| violations(LOOP, vec![annotation], None).is_empty();
    assert!(holds(invariant(4, Place::LoopHead, "n == 2 * i && i <= 4")));
    assert!(!holds(invariant(4, Place::LoopHead, "n == 2 * i && i <= 3")));
    assert!(holds(invariant(6, Place::LoopHead, "0 <= n && n <= 8")));
    assert!(!holds(invariant(6, Place::LoopHead, "0 < n")));
    // A body without braces, and a statement behind a loop.
    assert!(holds(invariant(5, Place::Statement, "n == 2 * i && i < 4")));
    assert!(!holds(invariant(5, Place::Statement, "n < 6")));
    assert!(holds(invariant(8, Place::Statement, "n == 0")));
    assert_eq!(violations(LOOP, vec![invariant(8, Place::Statement, "n == 1")], None), ["witness-invariant"]);
}

#[test]
fn every_kind_of_loop_and_label() {
    let source = "int main(void) {\n  int i = 0;\n  do {\n    i++;\n  } while (i < 3);\n  for (;;) {\n    if (i-- == 0)\n      \
                  break;\n  }\nagain:\n  i++;\n  if (i < 5) goto again;\n  return i;\n}\n";
    let holds = |annotation| violations(source, vec![annotation], None).is_empty();
    // The condition of a do loop is evaluated after its body.
    assert!(holds(invariant(3, Place::LoopHead, "1 <= i && i <= 3")));
    assert!(!holds(invariant(3, Place::LoopHead, "i <= 2")));
    assert!(holds(invariant(4, Place::Statement, "0 <= i && i <= 2")));
    assert!(holds(invariant(6, Place::LoopHead, "0 <= i && i <= 3")));
    assert!(!holds(invariant(6, Place::LoopHead, "1 <= i")));
    // Every jump to a label passes behind it.
    assert!(holds(invariant(10, Place::Statement, "-1 <= i && i < 5")));
    assert!(!holds(invariant(10, Place::Statement, "i < 1")));
}

#[test]
fn relations_between_rounds() {
    let holds = |text: &str| violations(LOOP, vec![invariant(6, Place::LoopTransition, text)], None).is_empty();
    assert!(holds("n < \\at(n, AnyPrev) && \\at(n, AnyPrev) >= 0"));
    assert!(!holds("n > \\at(n, AnyPrev)"));
    assert!(!holds("n == \\at(n, AnyPrev) - 1"));
}

#[test]
fn contracts() {
    let source = "int g;\nint add(int a, int b) {\n  g = g + 1;\n  if (a < 0)\n    return b;\n  a = a + b;\n  return a;\n}\n\
                  int main(void) { int first = add(1, 2); return first + add(3, 4); }\n";
    let holds = |place, text: &str| violations(source, vec![invariant(2, place, text)], None).is_empty();
    assert!(holds(Place::Requires, "a < b && g <= 1"));
    assert!(!holds(Place::Requires, "a == 1"));
    assert!(holds(Place::Ensures, "\\result == \\at(a, Old) + \\at(b, Old) && g == \\at(g, Pre) + 1"));
    assert!(!holds(Place::Ensures, "\\result == 3"));
}

#[test]
fn guided_executions_take_the_way_of_the_witness() {
    let source = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n  \
                  int x = __VERIFIER_nondet_int();\n  int y = __VERIFIER_nondet_int();\n  if (x > y)\n    reach_error();\n  \
                  return 0;\n}\n";
    let way = |x: &str, y: &str, line: u32| {
        let annotations = vec![
            at(4, Some(33), Place::Return, Role::Follow(0), &format!("\\result == {x}")),
            at(5, Some(33), Place::Return, Role::Follow(1), &format!("\\result == {y}")),
            at(6, Some(3), Place::Branch, Role::Follow(2), "\\result != 0"),
        ];
        let guide = Guide { final_segment: 3, target: Some((line, None)) };
        violations(source, annotations, Some(guide))
    };
    assert_eq!(way("1", "0", 7), ["unreach-call"]);
    assert!(way("0", "1", 7).is_empty());
    // Nothing goes wrong elsewhere.
    assert!(way("1", "0", 8).is_empty());
    let avoided = vec![at(6, None, Place::Statement, Role::Avoid(0), "x > y")];
    let guide = Guide { final_segment: 0, target: Some((7, Some(5))) };
    assert!(violations(source, avoided, Some(guide)).is_empty());
}

/// Three digits are read in a loop, and 123 is an error.
const DIGITS: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n  int s = 0;\n  \
                      for (int i = 0; i < 3; i++) {\n    int x = __VERIFIER_nondet_int();\n    s = s * 10 + x;\n  }\n  \
                      if (s == 123)\n    reach_error();\n  return 0;\n}\n";

#[test]
fn one_visit_passes_one_waypoint() {
    let guide = Some(Guide { final_segment: 3, target: Some((10, Some(5))) });
    let way = |place: Place, line: u32, values: [&str; 3]| {
        let follow = |(i, v): (usize, &&str)| at(line, None, place, Role::Follow(i as u32), v);
        violations(DIGITS, values.iter().enumerate().map(follow).collect(), guide)
    };
    let right = ["x == 1", "x == 2", "x == 3"];
    assert_eq!(way(Place::Statement, 7, right), ["unreach-call"]);
    assert!(way(Place::Statement, 7, ["x == 1", "x == 2", "x == 4"]).is_empty());
    let right = ["\\result == 1", "\\result == 2", "\\result == 3"];
    assert_eq!(way(Place::Return, 6, right), ["unreach-call"]);
    // What is to be avoided counts in the visit that ends the segment, but not in the visits of later segments.
    let mut avoiding: Vec<Annotation> = ["x == 1", "x == 2", "x == 3"]
        .iter()
        .enumerate()
        .map(|(i, v)| at(7, None, Place::Statement, Role::Follow(i as u32), v))
        .collect();
    avoiding.push(at(7, None, Place::Statement, Role::Avoid(0), "x == 2"));
    assert_eq!(violations(DIGITS, avoiding.clone(), guide), ["unreach-call"]);
    avoiding.push(at(7, None, Place::Statement, Role::Avoid(2), "x == 3"));
    assert!(violations(DIGITS, avoiding, guide).is_empty());
}

#[test]
fn the_default_of_a_switch() {
    let source = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n  int n = __VERIFIER_nondet_int();\n  \
                  switch (n) {\n  case 1:\n    break;\n  case 3 ... 5:\n    switch (n) { case 9: return 1; }\n    break;\n  }\n  \
                  if (n == K)\n    reach_error();\n  return 0;\n}\n";
    let guide = Some(Guide { final_segment: 1, target: Some((13, Some(5))) });
    let default = || vec![at(5, Some(3), Place::Branch, Role::Follow(0), c::annotate::DEFAULT)];
    for (value, is_default) in
        [(0, true), (1, false), (2, true), (3, false), (4, false), (5, false), (6, true), (9, true)]
    {
        let found = violations(&source.replace('K', &value.to_string()), default(), guide);
        assert_eq!(!found.is_empty(), is_default, "{value}: {found:?}");
    }
    let wrong = vec![at(12, Some(3), Place::Branch, Role::Follow(0), c::annotate::DEFAULT)];
    assert!(
        compile(&source.replace('K', "0"), wrong, guide).expect_err("an if").contains("only a switch has a default")
    );
}

#[test]
fn ghost_variables() {
    use c::annotate::{GhostUpdate, GhostVariable, Ghosts};
    let source = "void step(int);\nint own(void) { return 1; }\nint main(void) {\n  int i = 0;\n  while (i < 3) {\n    step(i);\n    \
                  i++;\n  }\n  own();\n  return 0;\n}\n";
    let woven = |updated: u32, variable: &str, value: &str, name: &str, invariant: &str| {
        let mut sources = SourceMap::new();
        let file = sources.add("t.c", source);
        let mut pool = TermPool::new();
        let ghosts = Ghosts {
            variables: vec![GhostVariable { name: name.into(), ty: "int".into(), initial: "0".into() }],
            updates: vec![GhostUpdate { line: updated, column: None, variable: variable.into(), value: value.into() }],
        };
        let annotations = vec![at(7, None, Place::Statement, Role::Invariant, invariant)];
        let options = c::Options { annotations, ghosts, ..c::Options::default() };
        let none = |_: &Path| None;
        let program = c::compile(&mut sources, file, &options, &c::Mode::default(), &none, &mut pool)
            .map_err(|d| d.iter().map(|d| d.message.clone()).collect::<Vec<_>>().join("; "))?;
        let icfg = Icfg::build(&program, &mut pool);
        let runs = (0..50).filter_map(|seed| random_run(&icfg, &pool, seed, &RandomLimits::default()));
        Ok::<usize, String>(runs.count())
    };
    assert_eq!(woven(6, "n", "n + 1", "n", "n == i + 1"), Ok(0));
    assert!(woven(6, "n", "n + 1", "n", "n == i").expect("it is read") > 0);
    let refused = |result: Result<usize, String>, why: &str| {
        let message = result.expect_err("it is refused");
        assert!(message.contains(why), "{message}");
    };
    refused(woven(6, "k", "1", "n", "1"), "there is no ghost variable k");
    refused(woven(6, "i", "1", "i", "1"), "the name of something in the program");
    refused(woven(9, "n", "1", "n", "1"), "only at calls of library functions");
    refused(woven(7, "n", "1", "n", "1"), "only at calls of library functions");
    refused(woven(6, "n", "own()", "n", "1"), "calls a function");
}

#[test]
fn calls_in_the_middle_of_expressions() {
    let source = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint f(int a) { return a + 1; }\n\
                  int main(void) {\n  int x = 2 * f(__VERIFIER_nondet_int()) - 1;\n  if (x == 9) reach_error();\n}\n";
    let find =
        |needle: &str| source.lines().nth(4).and_then(|l| l.find(needle)).map(|c| c as u32 + needle.len() as u32);
    let inner = find("__VERIFIER_nondet_int()");
    let outer = inner.map(|c| c + 1);
    let with = |returned: &str| {
        let annotations = vec![
            at(5, inner, Place::Return, Role::Follow(0), "\\result == 4"),
            at(5, outer, Place::Return, Role::Follow(1), returned),
        ];
        violations(source, annotations, Some(Guide { final_segment: 2, target: None }))
    };
    assert_eq!(with("\\result == 5"), ["unreach-call"]);
    assert!(with("\\result == 4").is_empty());
}

#[test]
fn what_is_no_harmless_expression_is_refused() {
    let refused = |expression: &str, why: &str| {
        let message =
            compile(LOOP, vec![invariant(6, Place::LoopHead, expression)], None).map(|_| ()).expect_err("refused");
        assert!(message.contains(why), "{expression}: {message}");
    };
    refused("n = 1", "side effect");
    refused("n++", "side effect");
    refused("main()", "calls a function");
    refused("1)); abort(); ((1", "is not balanced");
    refused("1; n", "is not an expression");
    refused("", "cannot be read");
    refused("n @ 1", "cannot be read");
    let place = |annotation| compile(LOOP, vec![annotation], None).map(|_| ()).expect_err("refused");
    assert!(place(invariant(5, Place::LoopHead, "1")).contains("line 5: there is no loop here"));
    assert!(place(at(6, Some(4), Place::LoopHead, Role::Invariant, "1")).contains("line 6, column 4"));
    assert!(place(invariant(99, Place::Statement, "1")).contains("there is no statement here"));
    // An unknown name breaks the function, which is reported where it matters.
    assert!(compile(LOOP, vec![invariant(6, Place::LoopHead, "nobody > 0")], None).is_err());
}

#[test]
fn a_program_cannot_call_annotations_by_itself() {
    let (program, _) =
        compile("int main(void) { __craig_note_0(0); return 0; }", Vec::new(), None).expect("it compiles");
    assert!(!program.fidelity.unsound.is_empty());
    let checks = program.procs.values().filter_map(|p| p.body.as_ref()).flat_map(|b| &b.instrs);
    assert!(checks.into_iter().all(|i| !matches!(i.kind, InstrKind::Assert(..))));
}
