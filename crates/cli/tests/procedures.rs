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
        let end = text.rfind("RESULT:").expect("a RESULT line");
        let document: serde_json::Value = serde_json::from_str(&text[..end]).expect("a JSON document");
        let facts = document["invariants"].as_array().expect("a list of facts");
        let mc91 = facts.iter().find(|f| f["place"] == "procedure mc91").expect("the contract of mc91");
        assert_eq!(mc91["kind"], "contract");
        assert_eq!(mc91["formula"], "requires true; ensures r > 90", "{engine}");
    }
}

#[test]
fn engines_without_recursion_say_so() {
    let path = file("procedures_recursion.bpl", MC91);
    for engine in ["kojak", "impact", "predicate-abstraction"] {
        let output = craig().args(["check", "--engine", engine]).arg(&path).output().expect("craig starts");
        assert!(result(&output).starts_with("unknown(recursion"), "{engine}: {}", result(&output));
    }
}
