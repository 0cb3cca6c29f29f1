//! Expressions of witnesses woven into programs: where they may stand, what they become, what is refused.

use base::SourceMap;
use c::annotate::{Annotation, Guide, Place, Role};
use ir::interp::{RandomLimits, random_run, replay};
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
    refused("1; n", "is no expression");
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
