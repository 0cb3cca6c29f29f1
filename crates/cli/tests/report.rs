//! The HTML report: what is in it. That it works in a browser is tested by `web/test/report.mjs`.

mod common;

use common::{craig, file};
use std::path::PathBuf;

const UNSAFE: &str = "procedure main() {
  var x, n: int;
  assume n == 2;
  x := 0;
  while (x < n) {
    x := x + 1; // </code><script>alert(1)</script>
  }
  assert x != 2;
}
";

const SAFE: &str = "procedure half(n: int) returns (r: int) {
  if (n <= 1) { r := 0; } else { call r := half(n - 2); r := r + 1; }
}
procedure main() {
  var x, y, z: int;
  assume y >= z;
  while (x < y) {
    x := x + 1;
  }
  assert x >= z;
  call y := half(x);
}
";

const LOOP: &str = "procedure main() {
  var x, y, z: int;
  assume y >= z;
  while (x < y) {
    x := x + 1;
  }
  assert x >= z;
}
";

fn report(name: &str, text: &str, arguments: &[&str]) -> (PathBuf, String) {
    let source = file(&format!("{name}.bpl"), text);
    let page = source.with_extension("html");
    let output = craig().arg("check").args(arguments).arg("--report").arg(&page).arg(&source).output();
    let output = output.expect("craig runs");
    let html = std::fs::read_to_string(&page).expect("the page was written");
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", String::from_utf8_lossy(&output.stderr));
    (page, html)
}

#[test]
fn every_kind_of_proof_has_a_picture() {
    let bounded =
        "procedure main() {\n  var x: int;\n  x := 0;\n  while (x < 3) { x := x + 1; }\n  assert x == 3;\n}\n";
    let (_, html) = report("report_unwound", bounded, &["--engine", "bmc"]);
    assert!(html.contains("the program unwound") && html.contains("pass 3") && html.contains("no execution"));
    let (_, html) = report("report_loops", LOOP, &["--engine", "whale"]);
    assert!(html.contains("contracts of procedures and loops") && html.contains("requires "));
    let (_, html) = report("report_contracts", SAFE, &["--engine", "trace-abstraction"]);
    assert!(html.contains("ensures "));
}

#[test]
fn a_violation_page_is_complete() {
    let (_, html) = report("report_unsafe", UNSAFE, &[]);
    assert!(html.starts_with("<!doctype html>") && html.trim_end().ends_with("</html>"));
    assert!(!html.contains("alert(1)</script>"), "source text is escaped");
    assert!(!html.contains("src=") && !html.contains("href="), "nothing is loaded");
    assert!(html.contains("class=\"step\"") && html.contains("note violation"));
    assert!(html.contains("panel-cfg") && html.contains("data-edges="));
    // The steps of the page are edges of the picture.
    let steps = html.split("id=\"steps\">").nth(1).and_then(|s| s.split("</script>").next()).expect("steps");
    let steps: serde_json::Value = serde_json::from_str(steps).expect("JSON");
    let edges: Vec<String> = html
        .split("data-edges=\"")
        .skip(1)
        .flat_map(|s| s.split('"').next().unwrap_or("").split(' ').map(str::to_string).collect::<Vec<_>>())
        .collect();
    let steps = steps["steps"].as_array().expect("a list");
    assert!(steps.iter().filter(|s| edges.contains(&s["edge"].to_string())).count() * 2 > steps.len());
}

#[test]
fn a_proof_page_is_complete() {
    let (_, html) = report("report_recursive", SAFE, &["--engine", "trace-abstraction"]);
    assert!(html.contains("note contract") && html.contains("panel-abstraction"), "contracts stand at procedures");
    let (_, html) = report("report_safe", LOOP, &["--engine", "trace-abstraction"]);
    assert!(html.contains("note invariant") && html.contains("y &gt;= z"));
    assert!(html.contains("svg class=\"chart\""));
}
