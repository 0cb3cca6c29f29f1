//! What the user sees when something is wrong: message, place, caret.

use base::SourceMap;
use logic::TermPool;

/// All messages for a text, as they are printed.
fn diagnose(text: &str) -> String {
    let mut sources = SourceMap::new();
    let file = sources.add("t.bpl", text);
    match boogie::compile(&sources, file, &mut TermPool::new()) {
        Ok(program) => {
            let remarks: Vec<String> =
                program.assumptions.iter().map(|r| format!("{}: {}\n", sources.show(r.span), r.message)).collect();
            format!("ok\n{}", remarks.concat())
        }
        Err(errors) => errors.iter().map(|e| e.render(&sources)).collect(),
    }
}

fn check(text: &str, expected: &str) {
    let have = diagnose(text);
    assert_eq!(have, expected, "\n--- have\n{have}--- expected\n{expected}");
}

#[test]
fn missing_semicolon_points_behind_the_statement() {
    check(
        "procedure p() {\n  assert true\n  assert false;\n}\n",
        "t.bpl:2:14: error: expected `;`\n 2 |   assert true\n   |              ^\n",
    );
}

#[test]
fn several_syntax_errors_in_one_run() {
    check(
        "var x int;\nprocedure p() {\n  x := ;\n  y = 3;\n  assert x >;\n}\nprocedure q( { }\nvar z: int;\n",
        "t.bpl:1:7: error: expected `:`, found the keyword `int`\n 1 | var x int;\n   |       ^^^\n\
         t.bpl:3:8: error: expected an expression, found `;`\n 3 |   x := ;\n   |        ^\n\
         t.bpl:4:5: error: expected `:=`, found `=`\n 4 |   y = 3;\n   |     ^\n\
         t.bpl:5:13: error: expected an expression, found `;`\n 5 |   assert x >;\n   |             ^\n\
         t.bpl:7:14: error: expected the name of a variable, found `{`\n 7 | procedure q( { }\n   |              ^\n",
    );
}

#[test]
fn several_type_errors_in_one_run() {
    check(
        "var x: int;\nprocedure p() modifies x; {\n  x := true;\n  assert x;\n  assert y > 0;\n  call q();\n}\n",
        "t.bpl:3:8: error: the assigned value should have the type int, but has the type bool\n 3 |   x := true;\n   |        ^^^^\n\
         t.bpl:4:10: error: this should have the type bool, but has the type int\n 4 |   assert x;\n   |          ^\n\
         t.bpl:5:10: error: there is no variable `y`\n 5 |   assert y > 0;\n   |          ^\n\
         t.bpl:6:8: error: there is no procedure `q`\n 6 |   call q();\n   |        ^\n",
    );
}

#[test]
fn operators_that_do_not_mix() {
    check(
        "axiom 1 == 1 == true;\naxiom true ==> true <== true;\n",
        "t.bpl:1:14: error: `==` does not chain; use parentheses\n 1 | axiom 1 == 1 == true;\n   |              ^^\n\
         t.bpl:2:21: error: `==>` and `<==` do not mix; use parentheses\n 2 | axiom true ==> true <== true;\n   |                     ^^^\n",
    );
}

#[test]
fn double_declarations_show_both_places() {
    check(
        "var x: int;\nconst x: bool;\n",
        "t.bpl:2:7: error: the variable `x` is declared twice\n 2 | const x: bool;\n   |       ^\n\
         t.bpl:1:5: note: first declared here\n 1 | var x: int;\n   |     ^\n",
    );
}

#[test]
fn old_needs_two_states() {
    check(
        "var g: int;\nprocedure p()\n  requires old(g) == 1;\n  ensures old(g) == g;\n{ }\n",
        "t.bpl:3:12: error: `old` has no meaning here: there is only one state\n 3 |   requires old(g) == 1;\n   |            ^^^^^^\n",
    );
}

#[test]
fn assignments_to_what_cannot_change() {
    check(
        "const c: int;\nprocedure p(a: int) {\n  c := 1;\n  a := 2;\n}\n",
        "t.bpl:3:3: error: the constant `c` cannot be changed\n 3 |   c := 1;\n   |   ^\n\
         t.bpl:4:3: error: the parameter `a` cannot be changed\n 4 |   a := 2;\n   |   ^\n",
    );
}

#[test]
fn jumps_without_target() {
    check(
        "procedure p() {\n  goto nowhere;\n  break;\n  while (true) { break there; }\n}\n",
        "t.bpl:2:8: error: there is no label `nowhere` in this procedure\n 2 |   goto nowhere;\n   |        ^^^^^^^\n\
         t.bpl:3:3: error: `break` outside of a loop\n 3 |   break;\n   |   ^^^^^^\n\
         t.bpl:4:24: error: no enclosing statement has the label `there`\n 4 |   while (true) { break there; }\n   |                        ^^^^^\n",
    );
}

#[test]
fn maps_structs_and_bit_vectors() {
    check(
        "axiom (forall m: [int]bool, s: { a: int }, b: bv8 ::\n  m[true] && s!x && b[9:2] == b && m[1, 2] && b[0]);\n",
        "t.bpl:2:5: error: this index should have the type int, but has the type bool\n 2 |   m[true] && s!x && b[9:2] == b && m[1, 2] && b[0]);\n   |     ^^^^\n\
         t.bpl:2:16: error: { a: int } has no field `x`\n 2 |   m[true] && s!x && b[9:2] == b && m[1, 2] && b[0]);\n   |                ^\n\
         t.bpl:2:21: error: the bits 9:2 are not a part of a bv8\n 2 |   m[true] && s!x && b[9:2] == b && m[1, 2] && b[0]);\n   |                     ^^^^^^\n\
         t.bpl:2:36: error: this map takes 1 index(es), not 2\n 2 |   m[true] && s!x && b[9:2] == b && m[1, 2] && b[0]);\n   |                                    ^^^^^^^\n\
         t.bpl:2:47: error: only maps can be indexed, not bv8\n 2 |   m[true] && s!x && b[9:2] == b && m[1, 2] && b[0]);\n   |                                               ^\n",
    );
}

#[test]
fn polymorphism() {
    check(
        "type List a;\nfunction nil<a>() returns (List a);\nfunction cons<a>(x: a, l: List a) returns (List a);\n\
         const l: List int;\naxiom cons(1, nil()) == l;\naxiom cons(true, nil()) == l;\naxiom nil() == nil();\n",
        "t.bpl:6:7: error: `==` compares two values of one type, not List bool and List int\n 6 | axiom cons(true, nil()) == l;\n   |       ^^^^^^^^^^^^^^^^^^^^^^\n\
         t.bpl:7:7: error: the type arguments of this cannot be inferred; write `(e : T)`\n 7 | axiom nil() == nil();\n   |       ^^^^^\n",
    );
}

#[test]
fn cyclic_synonyms() {
    check(
        "type A = [B]int;\ntype B = A;\n",
        "t.bpl:2:10: error: the type `A` is defined by itself\n 2 | type B = A;\n   |          ^\n",
    );
}

#[test]
fn missing_modifies_is_a_warning() {
    check(
        "var g: int;\nprocedure p() { g := 1; }\n",
        "ok\nt.bpl:2:17: `g` is changed here, but the `modifies` clause of `p` does not name it\n",
    );
}

#[test]
fn unsupported_things_are_named() {
    let refused = |text: &str, what: &str| {
        let message = diagnose(text);
        assert!(message.contains(&format!("unsupported: {what}")), "{text}\n{message}");
        assert_eq!(message.matches("error:").count(), 1, "{message}");
    };
    refused("yield procedure P();\n", "`yield`, a part of CIVL");
    refused("procedure P();\n  yields;\n", "`yields`, a part of CIVL");
    refused("procedure P() { async call P(); }\n", "`async`, a part of CIVL");
    refused("procedure P() { par P() | P(); }\n", "`par`, a part of CIVL");
    refused("procedure P() { yield; }\n", "`yield`, a part of CIVL");
    refused("atomic action A() { }\n", "`atomic`, a part of CIVL");
    refused("procedure P() { assert |{ A: return true; }|; }\n", "statements in expressions");
    refused("procedure P() { assert \"a\" == \"a\"; }\n", "strings in expressions");
    refused(
        "type Box a;\nprocedure P<a>(x: a) { var y: Box a; call P(y); }\n",
        "polymorphic recursion (calls at ever larger types)",
    );
    refused(
        "type Box a;\nfunction f<a>(x: a): int { f(box(x)) }\nfunction box<a>(x: a): Box a;\nprocedure P() { assert f(1) == 0; }\n",
        "polymorphic recursion (functions at ever larger types)",
    );
    refused(
        "type Box a;\ndatatype N<a> { Nil(), Cons(x: a, rest: N (Box a)) }\nprocedure P(n: N int) { assert n is Nil; }\n",
        "a datatype that contains ever larger instances of itself",
    );
}

#[test]
fn deep_nesting_is_refused_not_fatal() {
    let deep = format!("axiom {}true{};\n", "(".repeat(100_000), ")".repeat(100_000));
    assert!(diagnose(&deep).contains("nested more than"));
    let deep = format!("axiom {}true;\n", "!".repeat(100_000));
    assert!(diagnose(&deep).contains("nested more than"));
    let deep = format!("procedure p() {{ {} {} }}\n", "if (*) {".repeat(100_000), "}".repeat(100_000));
    assert!(diagnose(&deep).contains("nested more than"));
    let alternating = format!("axiom 0 == 1{};\n", " + 2 - 3".repeat(50_000));
    assert!(diagnose(&alternating).contains("nested more than"));
    let deep = format!("type T = {}int;\n", "[int]".repeat(100_000));
    assert!(diagnose(&deep).contains("nested more than"));
}

#[test]
fn long_chains_are_fine() {
    let conjuncts: Vec<String> = (0..20_000).map(|i| format!("x != {i}")).collect();
    let text = format!("const x: int;\naxiom {};\nprocedure main() {{ assert x != 7; }}\n", conjuncts.join(" && "));
    assert_eq!(diagnose(&text), "ok\n");
    let branches: Vec<String> = (0..3_000).map(|i| format!("if (x == {i}) {{ assert true; }}")).collect();
    let text = format!("procedure main() {{ var x: int; {} }}\n", branches.join(" else "));
    assert_eq!(diagnose(&text), "ok\n");
}

#[test]
fn nesting_at_the_limit_works() {
    let n = 1_000;
    let text = format!("axiom {}true{};\nprocedure main() {{ }}\n", "!(".repeat(n / 2), ")".repeat(n / 2));
    assert_eq!(diagnose(&text), "ok\n");
    let sum = " + 2 - 3".repeat(500);
    let text = format!("procedure main() {{ assert 0 == 500{sum}; }}\n");
    assert_eq!(diagnose(&text), "ok\n");
}

#[test]
fn axioms_and_functions_have_no_state() {
    check(
        "var g: int;\naxiom g == 0;\nfunction f(): int { g }\n",
        "t.bpl:2:7: error: an axiom cannot mention the variable `g`: it has no state\n 2 | axiom g == 0;\n   |       ^\n\
         t.bpl:3:21: error: the body of a function cannot mention the variable `g`: it has no state\n 3 | function f(): int { g }\n   |                     ^\n",
    );
}

#[test]
fn mistakes_with_datatypes() {
    let has = |text: &str, what: &str| assert!(diagnose(text).contains(what), "{}", diagnose(text));
    let list = "datatype List { Nil(), Cons(head: int, tail: List) }\n";
    has(
        &format!("{list}procedure P(l: List) {{ assert l is Snoc; }}\n"),
        "the datatype `List` has no constructor `Snoc`",
    );
    has(
        &format!("{list}procedure P(l: List) {{ assert l->last == 0; }}\n"),
        "no constructor of `List` has a field `last`",
    );
    has(
        &format!("{list}procedure P(l: List) {{ assert Cons(l, 1) == l; }}\n"),
        "this argument should have the type int",
    );
    has(&format!("{list}procedure P(l: int) {{ assert l is Nil; }}\n"), "only values of datatypes");
    has(&format!("{list}procedure P(l: List) {{ var x: int; Cons(x) := l; }}\n"), "`Cons` has 2 field(s), not 1");
    has("type T;\nfunction {:constructor} C(): T;\n", "`T` is not a datatype");
}

#[test]
fn the_dialect_is_told() {
    check(
        "procedure p(x: int) { assert 7 / 2 == 3; }\n",
        "ok\nt.bpl:1:30: `/` on integers is taken for integer division, as in Ultimate; with `--dialect boogie` it is real division\n",
    );
    assert_eq!(diagnose("procedure p(x: int) { assert 7 / 2 == 3.5; }\n"), "ok\n");
    // Wrong in both dialects for another reason: that alone is told.
    check(
        "procedure p(x: int) { assert 7 / 2 == 3; assert y; }\n",
        "t.bpl:1:49: error: there is no variable `y`\n 1 | procedure p(x: int) { assert 7 / 2 == 3; assert y; }\n   |                                                 ^\n",
    );
}
