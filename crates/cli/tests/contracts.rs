//! Contracts and `--modular`: what is proved, what is violated, what is refused, and that nothing is taken for granted
//! silently.

mod common;

use common::{craig, file, result, stdout};
use std::process::Output;

fn check(name: &str, text: &str, arguments: &[&str]) -> Output {
    let path = file(&format!("contracts_{name}.c"), text);
    craig().args(["check", "--timeout", "30s"]).args(arguments).arg(&path).output().expect("craig runs")
}

/// The name, the program, the property, and the result with `--modular`.
const PROGRAMS: &[(&str, &str, &str, &str)] = &[
    (
        "conditional_in_an_implication",
        "/*@ assigns \\nothing; ensures ((a > 3 ? 1 : 0) == 1) ==> (\\result == (a > 3 ? a : 0)); */\n\
         int keep(int a) { return a > 3 ? a : 0; }\n",
        "unreach-call",
        "true",
    ),
    (
        "max",
        "/*@ assigns \\nothing;\n  @ ensures \\result >= a && \\result >= b;\n  @ ensures \\result == a || \\result == b; */\n\
         int max(int a, int b) { return a > b ? a : b; }\n",
        "unreach-call",
        "true",
    ),
    (
        "max_wrong",
        "/*@ assigns \\nothing; ensures \\result >= a && \\result >= b; */\nint max(int a, int b) { return a > b ? b : a; }\n",
        "unreach-call",
        "false(contract)",
    ),
    (
        "caller_knows_the_contract",
        "#include <assert.h>\n/*@ requires x >= 0; assigns \\nothing; ensures \\result >= x; */\n\
         int grow(int x) { return x < 1000 ? x + 1 : x; }\n\
         int main(void) { int y = grow(5); assert(y >= 5); return 0; }\n",
        "unreach-call",
        "true",
    ),
    (
        "caller_knows_no_more",
        "#include <assert.h>\n/*@ requires x >= 0; assigns \\nothing; ensures \\result >= x; */\n\
         int grow(int x) { return x < 1000 ? x + 1 : x; }\n\
         int main(void) { int y = grow(5); assert(y == 6); return 0; }\n",
        "unreach-call",
        "unknown",
    ),
    (
        "requirement_not_met",
        "/*@ requires x > 0; assigns \\nothing; ensures \\result == 100 / x; */\nint share(int x) { return 100 / x; }\n\
         int nondet(void);\nint main(void) { return share(nondet()); }\n",
        "unreach-call",
        "false(contract)",
    ),
    (
        "requirement_met",
        "/*@ requires x > 0; assigns \\nothing; ensures \\result <= 100; */\nint share(int x) { return 100 / x; }\n\
         int nondet(void);\nint main(void) { int x = nondet(); return x > 0 ? share(x) : 0; }\n",
        "no-division-by-zero",
        "true",
    ),
    (
        "requirement_missing",
        "/*@ assigns \\nothing; ensures \\true; */\nint share(int x) { return 100 / x; }\n",
        "no-division-by-zero",
        "false(no-division-by-zero)",
    ),
    (
        "frame",
        "int hits;\n/*@ assigns hits; ensures hits == \\old(hits) + 1u; */\nvoid hit(void) { hits = (int)(hits + 1u); }\n",
        "unreach-call",
        "true",
    ),
    (
        "frame_broken",
        "int hits, last;\n/*@ assigns hits; */\nvoid hit(int x) { hits = 1; last = x; }\n",
        "unreach-call",
        "false(contract)",
    ),
    (
        "frame_broken_by_a_callee",
        "int hits, last;\nstatic void note(int x) { last = x; }\n/*@ assigns hits; */\nvoid hit(int x) { hits = 1; note(x); }\n",
        "unreach-call",
        "false(contract)",
    ),
    (
        "frame_of_an_array",
        "/*@ requires n >= 1 && \\valid(a + (0..n-1)); assigns a[0]; ensures a[0] == 7; */\nvoid f(int *a, int n) { a[0] = 7; }\n",
        "unreach-call",
        "true",
    ),
    (
        "frame_of_an_array_broken",
        "/*@ requires n >= 1 && \\valid(a + (0..n-1)); assigns a[0]; */\nvoid f(int *a, int n) { a[n - 1] = 7; }\n",
        "unreach-call",
        "false(contract)",
    ),
    (
        "the_rest_stays",
        "#include <assert.h>\n/*@ requires \\valid(p); assigns *p; ensures *p == 1; */\nvoid set(int *p) { *p = 1; }\n\
         int main(void) { int a = 0, b = 5; set(&a); assert(a == 1 && b == 5); return 0; }\n",
        "unreach-call",
        "true",
    ),
    (
        "members",
        "#include <assert.h>\nstruct s { int a, b; };\n/*@ requires \\valid(s); assigns s->a; ensures s->a == s->b; */\n\
         void copy(struct s *s) { s->a = s->b; }\n\
         int main(void) { struct s s = { 1, 2 }; copy(&s); assert(s.a == 2 && s.b == 2); return 0; }\n",
        "unreach-call",
        "true",
    ),
    (
        "arguments_that_overlap",
        "#include <assert.h>\n/*@ requires \\valid(a) && \\valid(b); assigns *a, *b; ensures *a == 1 && *b == 2; */\n\
         void set(int *a, int *b) { *a = 1; *b = 2; }\n\
         int main(void) { int x; set(&x, &x); assert(x == 2); return 0; }\n",
        "unreach-call",
        "true",
    ),
    (
        "arguments_that_overlap_prove_nothing",
        "#include <assert.h>\n/*@ requires \\valid(a) && \\valid(b); assigns *a, *b; ensures *a == 1 && *b == 2; */\n\
         void set(int *a, int *b) { *a = 1; *b = 2; }\n\
         int main(void) { int x; set(&x, &x); assert(x == 1); return 0; }\n",
        "unreach-call",
        "false(unreach-call)",
    ),
    (
        "a_global_that_is_given",
        "#include <assert.h>\nint g;\n/*@ requires \\valid(p); assigns *p, g; ensures *p == 1 && g == 2; */\n\
         void set(int *p) { *p = 1; g = 2; }\nint *where(void) { return &g; }\n\
         int main(void) { set(where()); assert(g == 2); return 0; }\n",
        "unreach-call",
        "true",
    ),
    (
        "recursion",
        "/*@ requires 0 <= n && n <= 10; assigns \\nothing; ensures \\result == n; */\nint count(int n) { return n == 0 ? 0 : 1 + count(n - 1); }\n",
        "no-overflow",
        "true",
    ),
    (
        "recursion_wrong",
        "/*@ requires 0 <= n && n <= 10; assigns \\nothing; ensures \\result == n; */\nint count(int n) { return n == 0 ? 1 : 1 + count(n - 1); }\n",
        "unreach-call",
        "false(contract)",
    ),
    (
        "any_globals",
        "int size = 4;\n/*@ assigns \\nothing; ensures \\result == 4; */\nint get(void) { return size; }\n",
        "unreach-call",
        "false(contract)",
    ),
    (
        "memory_of_any_size",
        "/*@ requires n >= 0 && \\valid(a + (0..n-1)); assigns a[0..n-1]; ensures \\true; */\n\
         void clear(int *a, int n) { for (int i = 0; i < n; i++) a[i] = 0; }\n",
        "valid-memsafety",
        "true",
    ),
    (
        "one_too_many",
        "/*@ requires n >= 0 && \\valid(a + (0..n-1)); assigns a[0..n]; */\n\
         void clear(int *a, int n) { for (int i = 0; i <= n; i++) a[i] = 0; }\n",
        "valid-memsafety",
        "false(valid-deref)",
    ),
    (
        "memory_that_is_too_small",
        "/*@ requires n >= 0 && \\valid(a + (0..n-1)); assigns a[0..n-1]; */\n\
         void clear(int *a, int n) { for (int i = 0; i < n; i++) a[i] = 0; }\n\
         int main(void) { int a[3]; clear(a, 4); return 0; }\n",
        "valid-memsafety",
        "false(contract)",
    ),
    (
        "for_all",
        "#include <assert.h>\n/*@ requires \\valid(a + (0..2)); assigns a[0..2]; ensures \\forall integer i; 0 <= i < 3 ==> a[i] == 9; */\n\
         void fill(int *a) { for (int i = 0; i < 3; i++) a[i] = 9; }\n\
         int main(void) { int a[4] = { 0, 0, 0, 5 }; fill(a); assert(a[1] == 9 && a[3] == 5); return 0; }\n",
        "unreach-call",
        "true",
    ),
    (
        "for_all_wrong",
        "/*@ requires \\valid(a + (0..2)); assigns a[0..2]; ensures \\forall integer i; 0 <= i < 3 ==> a[i] == 9; */\n\
         void fill(int *a) { for (int i = 1; i < 3; i++) a[i] = 9; }\n",
        "unreach-call",
        "false(contract)",
    ),
    (
        "chains_and_implications",
        "/*@ requires 0 <= a <= 10; assigns \\nothing; ensures (a > 5 ==> \\result == 1) && (a <= 5 <==> \\result == 0); */\n\
         int f(int a) { return a > 5; }\n",
        "unreach-call",
        "true",
    ),
    (
        "cprover",
        "int total;\nint add(int *p, int n)\n__CPROVER_requires(__CPROVER_is_fresh(p, sizeof(*p)))\n__CPROVER_requires(0 <= *p && *p < 100 && 0 <= n && n < 100)\n\
         __CPROVER_assigns(*p)\n__CPROVER_ensures(*p == __CPROVER_old(*p) + n)\n__CPROVER_ensures(__CPROVER_return_value == *p)\n\
         {\n  *p += n;\n  return *p;\n}\n",
        "undefined",
        "true",
    ),
    (
        "cprover_wrong",
        "int total;\nint add(int *p, int n)\n__CPROVER_requires(__CPROVER_is_fresh(p, sizeof(*p)))\n\
         __CPROVER_assigns()\n{\n  *p += 1;\n  return *p;\n}\n",
        "unreach-call",
        "false(contract)",
    ),
    (
        "cprover_without_a_frame",
        "int g;\nint f(int x) __CPROVER_requires(0 < x && x < 9) __CPROVER_ensures(__CPROVER_return_value == x + 1)\n\
         {\n  g = 1;\n  return x + 1;\n}\n",
        "unreach-call",
        "false(contract)",
    ),
    (
        "contract_at_the_declaration",
        "/*@ requires x > 0; assigns \\nothing; ensures \\result > 0; */\nint f(int x);\nint f(int x) { return x - 1; }\n",
        "unreach-call",
        "false(contract)",
    ),
    (
        "allocation_is_not_described",
        "#include <stdlib.h>\nint *last;\n/*@ assigns last; */\nvoid f(void) { last = malloc(4); }\nint main(void) { f(); return 0; }\n",
        "valid-memsafety",
        "unknown",
    ),
];

#[test]
fn verdicts() {
    let mut wrong = Vec::new();
    for (name, text, property, expected) in PROGRAMS {
        let output = check(name, text, &["--modular", "-p", property]);
        let found = result(&output);
        let is_it = if *expected == "unknown" { found.starts_with("unknown") } else { found == *expected };
        if !is_it {
            let messages = String::from_utf8_lossy(&output.stderr).into_owned();
            wrong.push(format!("{name}: {found}, not {expected}\n{}{messages}", stdout(&output)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn without_modular_contracts_say_nothing() {
    let text = "int f(int x) __CPROVER_requires(x > 0) __CPROVER_assigns() __CPROVER_ensures(0) { return x; }\n\
                int main(void) { int i = 0; while (i < 3) __CPROVER_loop_invariant(i < 9) { i = i + f(1); } return 0; }\n";
    assert_eq!(result(&check("stripped", text, &[])), "true");
}

#[test]
fn what_is_assumed_is_said() {
    let text = "#include <assert.h>\n/*@ assigns \\nothing; ensures \\result > 0; */\nint given(void);\n\
                int main(void) { assert(given() > 0); return 0; }\n";
    let output = check("no_body", text, &["--modular"]);
    assert_eq!(result(&output), "true");
    assert!(stdout(&output).contains("assumed: the contract of given, which has no body here"), "{}", stdout(&output));
    let text = "/*@ assigns \\nothing; ensures \\result > 0; */\nint one(void) { return 1; }\n\
                /*@ assigns \\nothing; ensures \\result > 0; */\nint two(void) { return one(); }\n";
    let output = check("not_checked", text, &["--modular", "--entry", "two"]);
    assert_eq!(result(&output), "true");
    assert!(stdout(&output).contains("assumed: the contract of one, which is not checked here"), "{}", stdout(&output));
    let output = check("all_checked", text, &["--modular"]);
    assert!(!stdout(&output).contains("assumed"), "{}", stdout(&output));
}

#[test]
fn errors_are_at_their_columns() {
    let fails = |name: &str, text: &str, part: &str| {
        let output = check(name, text, &["--modular"]);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{name}: {}", stdout(&output));
        assert!(message.contains(part), "{name}: no '{part}' in: {message}");
    };
    let f = "int f(int x) { return x; }\n";
    fails(
        "no_frame",
        &format!("/*@ requires x > 0; */\n{f}"),
        "no_frame.c:2:5: error: the contract of f has no assigns clause",
    );
    fails("unknown_name", &format!("/*@ requires x > y; assigns \\nothing; */\n{f}"), "unknown_name.c:1:18: error:");
    fails(
        "unknown_word",
        &format!("/*@ assigns \\nothing; ensures \\froze(x); */\n{f}"),
        "unknown_word.c:1:31: error: \\froze is not supported",
    );
    fails(
        "unknown_clause",
        &format!("/*@ behavior b: assigns \\nothing; */\n{f}"),
        "unknown_clause.c:1:5: error: 'behavior' is not supported",
    );
    fails(
        "result_before",
        &format!("/*@ requires \\result > 0; assigns \\nothing; */\n{f}"),
        "result_before.c:1:14: error: \\result is for ensures",
    );
    fails(
        "changes",
        &format!("/*@ requires x++ > 0; assigns \\nothing; */\n{f}"),
        "changes.c:1:15: error: a contract changes nothing",
    );
    fails("open", &format!("/*@ assigns \\nothing */\n{f}"), "open.c:1:5: error: this clause does not end");
    fails(
        "twice",
        &format!("/*@ assigns \\nothing; */\nint f(int x);\n/*@ assigns \\nothing; */\n{f}"),
        "twice.c:4:5: error: f has a contract already",
    );
    fails(
        "range",
        "/*@ requires \\valid(a + (1..3)); assigns \\nothing; */\nint f(int *a) { return a[1]; }\n",
        "range.c:1:26: error: ranges of valid memory begin with 0",
    );
    let output = check("ends", f, &["--modular", "-p", "termination"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("contracts say nothing about termination"));
}

#[test]
fn comments_that_were_left_out_belong_to_nothing() {
    let text = "#if 0\n/*@ requires x > 0; assigns \\nothing; */\nint f(int x);\n#endif\n\
                int f(int x) { return x; }\nint main(void) { return f(-1); }\n";
    assert_eq!(result(&check("left_out", text, &["--modular"])), "true");
}
