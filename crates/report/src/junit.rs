//! The answers as a JUnit report, the XML that most CI services show as a table of tests. One file is one test case: a
//! violation is a failure; *unknown* and input that cannot be read are errors, because a program that nobody decided
//! about must not look green.

use crate::escape::xml;
use crate::result::{FileResult, Kind};
use std::fmt::Write;

pub fn render(found: &[FileResult]) -> String {
    let count = |kinds: &[Kind]| found.iter().filter(|f| kinds.contains(&f.kind())).count();
    let (tests, failures, errors) = (found.len(), count(&[Kind::Violated]), count(&[Kind::Unknown, Kind::BadInput]));
    let time: f64 = found.iter().map(|f| f.wall_seconds).sum();
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let counts = format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\"");
    let _ = writeln!(out, "<testsuites name=\"craig\" {counts} time=\"{time:.3}\">");
    let _ = writeln!(out, "  <testsuite name=\"craig\" {counts} skipped=\"0\" time=\"{time:.3}\">");
    for f in found {
        let (name, class) = (xml(&f.file), xml(&f.property));
        let _ = write!(out, "    <testcase name=\"{name}\" classname=\"{class}\" time=\"{:.3}\"", f.wall_seconds);
        let inner = match f.kind() {
            Kind::Holds => None,
            Kind::Violated => Some("failure"),
            Kind::Unknown | Kind::BadInput => Some("error"),
        };
        match inner {
            None => out.push_str("/>\n"),
            Some(tag) => {
                let kind =
                    if f.kind() == Kind::Violated { f.violated_property().to_string() } else { f.result.to_string() };
                let details = xml(&crate::text::render(f, false));
                let _ = writeln!(
                    out,
                    ">\n      <{tag} message=\"{}\" type=\"{}\">{details}</{tag}>\n    </testcase>",
                    xml(&f.message()).replace('\n', "&#10;"),
                    xml(&kind)
                );
            }
        }
    }
    out.push_str("  </testsuite>\n</testsuites>\n");
    out
}
