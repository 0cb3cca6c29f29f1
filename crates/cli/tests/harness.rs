//! Tests that `--harness` writes: inputs and entry points reach the program. Those of the suite's programs are run by
//! `programs.rs`.

mod common;
#[path = "common/gcc.rs"]
mod gcc;

use common::{craig, file, stdout};

#[test]
fn inputs_and_entries_reach_the_program() {
    let program = file(
        "harness_inputs.c",
        "extern int __VERIFIER_nondet_int(void);\nextern unsigned char __VERIFIER_nondet_uchar(void);\nvoid reach_error(void) {}\n\
         int twice(int a, long long b) {\n  int x = __VERIFIER_nondet_int();\n  int y = __VERIFIER_nondet_int();\n  \
         if (a == 5 && b == -10000000000LL && x - y == 7 && x > 100 && __VERIFIER_nondet_uchar() == 255)\n    reach_error();\n  return 0;\n}\n\
         int main(void) { return 0; }\n",
    );
    let test = program.with_file_name("harness_inputs_test.c");
    let output = craig()
        .args(["check", "--entry", "twice", "--data-model", "LP64", "--harness"])
        .args([&test, &program])
        .output()
        .expect("craig runs");
    assert!(stdout(&output).contains("RESULT: false(unreach-call)"), "{}", stdout(&output));
    if gcc::makes("-m64") {
        assert_eq!(gcc::fails(&test, &program), Ok(true));
    }
}

#[test]
fn there_is_no_test_without_a_violation() {
    let program = file("harness_none.c", "int main(void) { return 0; }\n");
    let test = program.with_file_name("harness_none_test.c");
    let output = craig().args(["check", "--harness"]).args([&test, &program]).output().expect("craig runs");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0));
    assert!(message.contains("no test was written"), "{message}");
}
