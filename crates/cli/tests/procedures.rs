//! What `craig check` says about procedures: contracts, WHALE's statistics, recursion where an engine knows none.

mod common;

use common::{craig, file, result, stdout};

const MC91: &str = "procedure mc91(n: int) returns (r: int)
{
  if (n > 100) {
    r := n - 10;
  } else {
    call r := mc91(n + 11);
    call r := mc91(r);
  }
}
procedure main() {
  var a, b: int;
  call b := mc91(a);
  assert b >= 91;
}
";

#[test]
fn whale_counts_args_and_refinements() {
    let path = file("procedures_stats.bpl", MC91);
    let output = craig().args(["check", "--engine", "whale", "--stats"]).arg(path).output().expect("craig starts");
    assert_eq!(result(&output), "true");
    let text = stdout(&output);
    let count = |name: &str| -> u64 {
        let line =
            text.lines().find(|l| l.trim_start().starts_with(name)).unwrap_or_else(|| panic!("no {name}: {text}"));
        line.split_whitespace().last().and_then(|n| n.parse().ok()).unwrap_or_else(|| panic!("no count: {line}"))
    };
    assert!(count("ARGs ") >= 3, "{text}");
    assert!(count("refinements ") >= 1, "{text}");
    assert!(text.contains("wall seconds"), "{text}");
}

#[test]
fn json_lists_the_contract_of_each_procedure() {
    for engine in ["whale", "trace-abstraction"] {
        let path = file(&format!("procedures_json_{engine}.bpl"), MC91);
        let args = ["check", "--engine", engine, "--format", "json"];
        let output = craig().args(args).arg(path).output().expect("craig starts");
        let text = stdout(&output);
        let document: serde_json::Value = serde_json::from_str(&text).expect("a JSON document");
        let facts = document["invariants"].as_array().expect("a list of facts");
        let mc91 = facts.iter().find(|f| f["place"] == "procedure mc91").expect("the contract of mc91");
        assert_eq!(mc91["kind"], "contract");
        assert_eq!(mc91["formula"], "requires true; ensures r > 90", "{engine}");
    }
}

/// The facts of a proof, by place.
fn facts(engine: &str, path: &std::path::Path) -> std::collections::BTreeMap<String, (String, String)> {
    let args = ["check", "--engine", engine, "--format", "json"];
    let output = craig().args(args).arg(path).output().expect("craig starts");
    let text = stdout(&output);
    let document: serde_json::Value = serde_json::from_str(&text).expect("a JSON document");
    assert_eq!(document["result"], "true", "{engine}: {text}");
    let text = |fact: &serde_json::Value, key: &str| fact[key].as_str().unwrap_or_default().to_string();
    let facts = document["invariants"].as_array().expect("a list of facts");
    facts.iter().map(|f| (text(f, "place"), (text(f, "kind"), text(f, "formula")))).collect()
}

#[test]
fn json_lists_contracts_of_c_functions_in_c() {
    let mc91 = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int mc91(int n) { return n > 100 ? n - 10 : mc91(mc91(n + 11)); }
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (mc91(n) < 91) reach_error();
    return 0;
}
";
    for engine in ["whale", "trace-abstraction"] {
        let path = file(&format!("procedures_json_{engine}.c"), mc91);
        let facts = facts(engine, &path);
        let contract = ("contract".to_string(), "requires 1; ensures \\result > 90".to_string());
        assert_eq!(facts.get("function mc91"), Some(&contract), "{engine}");
    }
}

#[test]
fn json_lists_what_is_kept_by_loops_and_functions_of_c() {
    let program = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int level;
void step(void) { if (level < 5) { level = level + 1; } else { level = 0; } }
int main(void) {
    level = 0;
    while (__VERIFIER_nondet_int()) { step(); if (level > 5) reach_error(); }
    return 0;
}
";
    let path = file("procedures_json_loop.c", program);
    let facts = facts("whale", &path);
    let (kind, formula) = facts.get("function step").expect("the contract of step");
    assert_eq!(kind, "contract");
    assert!(formula.contains("ensures") && formula.contains("level <= 5"), "{formula}");
    assert!(facts.iter().all(|(_, (_, f))| !f.contains('!') || f.contains("!=")), "{facts:?}");
}

#[test]
fn engines_without_recursion_say_so() {
    let path = file("procedures_recursion.bpl", MC91);
    for engine in ["kojak", "impact", "predicate-abstraction"] {
        let output = craig().args(["check", "--engine", engine]).arg(&path).output().expect("craig starts");
        assert!(result(&output).starts_with("unknown(recursion"), "{engine}: {}", result(&output));
    }
}
