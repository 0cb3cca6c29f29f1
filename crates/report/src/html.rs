//! The answer as one HTML file that needs nothing else: no network, no server, no fonts.
//!
//! Left the source, with invariants at loop heads and contracts at procedures; right the execution step by
//! step with the call stack and the values, the graphs, the statistics and what was assumed. The page is complete
//! without its script; that makes the execution one to step through, with the stepper of the web page
//! (`web/stepper.js`). `#step=3` in the address is the third step. All text from outside is escaped; the steps go to
//! the script as JSON in which `<`, `>` and `&` are escaped too, so that no source text can end the script element.

mod highlight;

use crate::chart;
use crate::escape::xml;
use crate::result::{FactKind, FileResult, Kind};
use crate::svg::{self, Graph};
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write;

/// What a report shows.
pub struct Page<'a> {
    pub found: &'a FileResult,
    /// Name and text of the files that the program consists of, the main one first.
    pub sources: Vec<(String, String)>,
    pub control_flow: Vec<(String, Graph)>,
    pub abstraction: Vec<(String, Graph)>,
    pub tool_version: &'a str,
    /// The text of the old version of the main file.
    pub old_text: Option<String>,
}

const STYLES: [&str; 2] = [include_str!("../../../web/answer.css"), include_str!("html/page.css")];
/// Modules of the web page, those first that others import, and the script of the report, which uses them.
const SCRIPTS: [&str; 3] =
    [include_str!("../../../web/dom.js"), include_str!("../../../web/stepper.js"), include_str!("html/page.js")];

/// Longer files are shown only up to here: the browser has to cope.
const MAX_LINES: usize = 20_000;

/// The modules as one script: they have the names in common, and nothing to import.
fn script() -> String {
    let lines = SCRIPTS.iter().flat_map(|module| module.lines()).filter(|line| !line.starts_with("import "));
    lines.flat_map(|line| [line.strip_prefix("export ").unwrap_or(line), "\n"]).collect()
}

pub fn render(page: &Page<'_>) -> String {
    let found = page.found;
    let (style, script) = (STYLES.concat(), script());
    let (verdict, word) = match found.kind() {
        Kind::Holds => ("holds", "holds"),
        Kind::Violated => ("violated", "violated"),
        Kind::Unknown => ("unknown", "unknown"),
        Kind::BadInput => ("unknown", "not readable"),
    };
    let mut out = String::new();
    let _ = write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
         <title>{word}: {file}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<header>\n\
         <span class=\"badge {verdict}\">{word}</span>\n<div class=\"what\"><h1>{file}</h1>\n<p>{property}",
        file = xml(&found.file),
        property = xml(&found.property),
    );
    if !found.engine.is_empty() {
        let _ = write!(out, " · engine {}", xml(&found.engine));
    }
    let _ = write!(
        out,
        " · {:.2} s · craig {}</p>\n<p class=\"message\">{}</p></div>\n\
         <button id=\"theme\" type=\"button\" aria-label=\"Light or dark colours\" title=\"Light or dark colours\">◐</button>\n</header>\n<main>\n",
        found.wall_seconds,
        xml(page.tool_version),
        xml(&found.message())
    );
    source_panel(&mut out, page);
    side_panel(&mut out, page);
    let execution = execution_json(page);
    let _ = write!(
        out,
        "</main>\n<script type=\"application/json\" id=\"steps\">{execution}</script>\n<script>\n\"use strict\";\n(() => {{\n{script}}})();\n</script>\n</body>\n</html>\n"
    );
    out
}

fn file_index(page: &Page<'_>, name: &str) -> Option<usize> {
    page.sources.iter().position(|(n, _)| n == name)
}

fn source_panel(out: &mut String, page: &Page<'_>) {
    let found = page.found;
    // Notes by file and line: facts stand above the line they belong to.
    let mut notes: BTreeMap<(usize, u32), Vec<(&str, String)>> = BTreeMap::new();
    for fact in found.invariants.iter().flatten() {
        let at = fact.range.as_ref().and_then(|r| Some((file_index(page, &r.file)?, r.line)));
        let Some(at) = at.or(fact.line.map(|l| (0, l))) else { continue };
        let class = match fact.kind {
            FactKind::Invariant | FactKind::Bound => "invariant",
            FactKind::Contract => "contract",
            FactKind::Ranking => "ranking",
        };
        notes.entry(at).or_default().push((class, fact.formula.clone()));
    }
    let remarks = found.assumptions.iter().map(|r| ("assumed", r));
    for (word, remark) in remarks.chain(found.not_modelled.iter().map(|r| ("not modelled", r))) {
        if let Some(at) = remark.range.as_ref().and_then(|r| Some((file_index(page, &r.file)?, r.line))) {
            notes.entry(at).or_default().push(("remark", format!("{word}: {}", remark.message)));
        }
    }
    for obstacle in &found.obstacles {
        if let Some(at) = obstacle.range.as_ref().and_then(|r| Some((file_index(page, &r.file)?, r.line))) {
            notes.entry(at).or_default().push(("remark", format!("blocked by {}", obstacle.message)));
        }
    }
    for problem in &found.problems {
        if let Some(at) = problem.range.as_ref().and_then(|r| Some((file_index(page, &r.file)?, r.line))) {
            notes.entry(at).or_default().push(("remark", problem.message.clone()));
        }
    }
    if let Some(violation) = &found.violation
        && let Some(at) = violation.range.as_ref().and_then(|r| Some((file_index(page, &r.file)?, r.line)))
    {
        notes.entry(at).or_default().push(("violation", violation.message.trim_end().to_string()));
    }
    for note in found.violation.iter().flat_map(|v| v.notes()) {
        if let Some(at) = note.range.as_ref().and_then(|r| Some((file_index(page, &r.file)?, r.line))) {
            notes.entry(at).or_default().push(("remark", note.message));
        }
    }
    out.push_str("<section class=\"source\" aria-label=\"Source\" tabindex=\"0\">\n");
    for (i, (name, text)) in page.sources.iter().enumerate() {
        if page.sources.len() > 1 {
            let _ = writeln!(out, "<h2>{}</h2>", xml(name));
        }
        out.push_str("<div class=\"code\">\n");
        let mut colours = highlight::Highlighter::of(name);
        for (n, line) in text.lines().enumerate() {
            if n >= MAX_LINES {
                out.push_str("<div class=\"note remark\">the rest of the file is not shown</div>\n");
                break;
            }
            let number = n as u32 + 1;
            let indent: String = line.chars().take_while(|c| c.is_whitespace()).collect();
            for (class, note) in notes.get(&(i, number)).into_iter().flatten() {
                let _ = writeln!(out, "<div class=\"note {class}\">{indent}{}</div>", xml(note));
            }
            let _ = writeln!(
                out,
                "<div class=\"line\" id=\"f{i}l{number}\"><span class=\"number\">{number}</span><code>{}</code></div>",
                colours.line(line)
            );
        }
        out.push_str("</div>\n");
    }
    out.push_str("</section>\n");
}

fn side_panel(out: &mut String, page: &Page<'_>) {
    let found = page.found;
    let mut tabs: Vec<(&str, &str, String)> = Vec::new();
    if found.steps().next().is_some() {
        tabs.push(("trace", "Execution", trace_panel(page)));
    }
    if found.invariants.as_ref().is_some_and(|i| !i.is_empty()) {
        tabs.push(("proof", "Proof", proof_panel(found)));
    }
    if !page.control_flow.is_empty() {
        tabs.push(("cfg", "Control flow", pictures(&page.control_flow)));
    }
    if !page.abstraction.is_empty() {
        tabs.push(("abstraction", "Abstraction", pictures(&page.abstraction)));
    }
    if found.upgrade.is_some() {
        tabs.push(("versions", "Versions", versions_panel(page)));
    }
    tabs.push(("run", "Run", run_panel(found)));
    out.push_str("<section class=\"side\" aria-label=\"Answer\">\n<div class=\"tabs\" role=\"tablist\" aria-label=\"Parts of the answer\">\n");
    for (i, (id, name, _)) in tabs.iter().enumerate() {
        let _ = writeln!(
            out,
            "<button type=\"button\" role=\"tab\" id=\"tab-{id}\" aria-controls=\"panel-{id}\" aria-selected=\"{}\">{name}</button>",
            i == 0
        );
    }
    out.push_str("</div>\n");
    for (i, (id, _, body)) in tabs.iter().enumerate() {
        let hidden = if i == 0 { "" } else { " hidden" };
        let _ = writeln!(
            out,
            "<div class=\"panel\" role=\"tabpanel\" id=\"panel-{id}\" aria-labelledby=\"tab-{id}\"{hidden}>\n{body}</div>"
        );
    }
    out.push_str("</section>\n");
}

/// The execution as a list, which the script replaces by one to step through.
fn trace_panel(page: &Page<'_>) -> String {
    let found = page.found;
    let mut out = String::from("<div id=\"execution\">\n<ol class=\"steps\">\n");
    let mut in_cycle = false;
    for (step, repeats) in found.steps() {
        if repeats && !in_cycle {
            in_cycle = true;
            let _ = writeln!(out, "<li class=\"separator\">{}</li>", xml(&crate::text::repeated(found)));
        }
        let line = step.line.map_or(String::new(), |l| l.to_string());
        let thread = step.thread.as_ref().map_or(String::new(), |t| format!("<b>{}</b>", xml(t)));
        let values = crate::text::values(step);
        let observed = step.observed.as_ref().map_or(String::new(), |o| xml(&o.to_string()));
        let class = if repeats { "step repeated" } else { "step" };
        let _ = writeln!(
            out,
            "<li class=\"{class}\"><span class=\"number\">{line}</span>{thread}<code>{}</code><span class=\"values\">{}</span><span class=\"observed\">{observed}</span></li>",
            xml(&step.source),
            xml(&values)
        );
    }
    out.push_str("</ol>\n</div>\n");
    out
}

fn proof_panel(found: &FileResult) -> String {
    let mut out = String::from("<table class=\"facts\"><tbody>\n");
    for fact in found.invariants.iter().flatten() {
        let line = fact.line.map_or(String::new(), |l| format!(" data-line=\"{l}\""));
        let _ = writeln!(
            out,
            "<tr{line}><th scope=\"row\">{}</th><td><code>{}</code></td></tr>",
            xml(&fact.place),
            xml(&fact.formula)
        );
    }
    out.push_str("</tbody></table>\n<p class=\"hint\">The certificate was accepted by the checker before this page was written.</p>\n");
    out
}

/// What changed, and both versions side by side.
fn versions_panel(page: &Page<'_>) -> String {
    let mut out = format!("<pre>{}</pre>\n", xml(&crate::upgrade::text(page.found)));
    if let (Some(old), Some((_, new))) = (&page.old_text, page.sources.first()) {
        out.push_str(&crate::upgrade::side_by_side(old, new));
    }
    out
}

fn pictures(graphs: &[(String, Graph)]) -> String {
    let mut out = String::new();
    for (i, (name, graph)) in graphs.iter().enumerate() {
        let open = if i == 0 { " open" } else { "" };
        let _ = writeln!(out, "<details{open}><summary>{}</summary>", xml(name));
        match svg::draw(graph, name) {
            Some(picture) => {
                let name = xml(name);
                let _ = writeln!(
                    out,
                    "<div class=\"picture\" tabindex=\"0\" role=\"group\" aria-label=\"Picture of {name}\">{picture}</div>"
                );
            }
            None => {
                let _ = writeln!(
                    out,
                    "<p class=\"hint\">not drawn: {} nodes, {} edges</p>",
                    graph.nodes.len(),
                    graph.edges.len()
                );
            }
        }
        out.push_str("</details>\n");
    }
    out
}

/// Every check of the program, those that are not proved first.
fn checks_table(found: &FileResult) -> String {
    let mut out = String::new();
    if found.checks.is_empty() {
        return out;
    }
    let (proved, violated, open) = crate::totals(&found.checks);
    let _ = writeln!(out, "<h2>Checks</h2>\n<p>{proved} proved, {violated} violated, {open} open</p>");
    out.push_str("<table class=\"facts\"><tbody>\n");
    let mut sorted: Vec<&crate::CheckResult> = found.checks.iter().collect();
    sorted.sort_by_key(|c| c.status == crate::CheckStatus::Proved);
    for check in sorted {
        let word = match check.status {
            crate::CheckStatus::Proved => "proved",
            crate::CheckStatus::Violated => "violated",
            crate::CheckStatus::Open => "open",
        };
        let (place, expression, message) = (xml(&check.place), xml(&check.expression), xml(check.message.trim_end()));
        let _ = writeln!(
            out,
            "<tr><th scope=\"row\">{place}</th><td>{word}</td><td>{message}</td><td><code>{expression}</code></td></tr>"
        );
    }
    out.push_str("</tbody></table>\n");
    out
}

/// What a run that ended without an answer could not get past, and what is likely to help.
fn no_answer_part(found: &FileResult) -> String {
    let mut out = String::new();
    if !found.advice.is_empty() {
        out.push_str("<h2>What to try</h2>\n<ul>\n");
        for advice in &found.advice {
            let _ = writeln!(out, "<li>{}</li>", xml(&advice.to_string()));
        }
        out.push_str("</ul>\n");
    }
    if !found.obstacles.is_empty() {
        out.push_str("<h2>Blocked by</h2>\n<ul>\n");
        for obstacle in &found.obstacles {
            let _ = writeln!(out, "<li>{}: {}</li>", xml(&obstacle.place), xml(&obstacle.message));
        }
        out.push_str("</ul>\n");
    }
    let tried = crate::no_answer::tried_text(found);
    if found.kind() == Kind::Unknown && !tried.is_empty() {
        let _ = writeln!(out, "<h2>Tried</h2>\n<p>{}</p>", xml(&tried));
    }
    out
}

fn run_panel(found: &FileResult) -> String {
    let mut out = no_answer_part(found);
    let mut phases: Vec<(String, f64)> = found.phases.iter().map(|(k, v)| (k.clone(), *v)).collect();
    phases.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    phases.insert(0, ("whole run".to_string(), found.wall_seconds));
    out.push_str("<h2>Time</h2>\n");
    out.push_str(&chart::bars("time by phase", "s", &phases));
    if !found.statistics.is_empty() {
        out.push_str("<h2>Counts</h2>\n<table class=\"facts\"><tbody>\n");
        for (name, count) in &found.statistics {
            let _ = writeln!(out, "<tr><th scope=\"row\">{}</th><td class=\"count\">{count}</td></tr>", xml(name));
        }
        out.push_str("</tbody></table>\n");
    }
    out.push_str(&checks_table(found));
    let remarks = found.assumptions.iter().map(|r| ("assumed", r));
    let remarks: Vec<_> = remarks.chain(found.not_modelled.iter().map(|r| ("not modelled", r))).collect();
    if !remarks.is_empty() {
        out.push_str("<h2>Remarks</h2>\n<ul>\n");
        for (word, remark) in remarks {
            let _ = writeln!(out, "<li>{}: {word}: {}</li>", xml(&remark.place), xml(&remark.message));
        }
        out.push_str("</ul>\n");
    }
    let _ = writeln!(out, "<p class=\"hint\">RESULT: {}</p>", xml(&found.result.to_string()));
    out
}

/// The execution for the script; safe inside a script element.
fn execution_json(page: &Page<'_>) -> String {
    let steps: Vec<_> = page
        .found
        .steps()
        .map(|(step, repeats)| {
            let file = step.range.as_ref().and_then(|r| file_index(page, &r.file)).unwrap_or(0);
            let end = step.range.as_ref().map_or(step.line, |r| Some(r.end_line));
            // A span that covers a whole compound statement would mark half the page.
            let end = if end > step.line.map(|l| l + 6) { step.line } else { end };
            json!({
                "file": file, "line": step.line, "end": end, "source": step.source, "values": step.values, "depth": step.depth, "function": step.function,
                "thread": step.thread, "observed": step.observed.as_ref().map(ToString::to_string), "edge": step.edge, "repeats": repeats,
            })
        })
        .collect();
    let inputs = page.found.input_values.iter().map(|input| {
        let file = input.range.as_ref().and_then(|r| file_index(page, &r.file)).unwrap_or(0);
        json!({ "name": input.name, "value": input.value, "line": input.range.as_ref().map(|r| r.line), "file": file })
    });
    let execution = json!({
        "steps": steps, "inputs": inputs.collect::<Vec<_>>(), "globals": page.found.globals, "recurrence": page.found.recurrence,
    });
    let text = execution.to_string();
    text.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::{Range, Step, Violation};

    fn nasty() -> FileResult {
        let nasty = "</script><script>alert(1)</script><b onclick='x'>&\"";
        let range = Some(Range { file: nasty.to_string(), line: 1, column: 1, end_line: 1, end_column: 3 });
        let mut found = FileResult::bare(nasty, "unreach-call", crate::Answer::Violated("unreach-call".into()));
        found.violation = Some(Violation {
            property: nasty.to_string(),
            message: nasty.to_string(),
            place: nasty.to_string(),
            line: Some(1),
            range: range.clone(),
            cause: Some(crate::cause::Cause::Other { message: nasty.to_string(), values: Vec::new() }),
        });
        found.execution = Some(vec![Step {
            place: nasty.to_string(),
            line: Some(1),
            source: nasty.to_string(),
            values: [(nasty.to_string(), nasty.to_string())].into(),
            function: Some(nasty.to_string()),
            thread: Some(nasty.to_string()),
            range,
            edge: Some(1),
            ..Step::default()
        }]);
        found.upgrade = Some(crate::upgrade::Upgrade::default());
        found
    }

    #[test]
    fn nothing_from_outside_becomes_markup() {
        let found = nasty();
        let graph =
            Graph { nodes: vec![svg::Node { lines: vec![found.file.clone()], ..Default::default() }], edges: vec![] };
        let page = Page {
            found: &found,
            sources: vec![(found.file.clone(), found.file.clone())],
            control_flow: vec![(found.file.clone(), graph)],
            abstraction: Vec::new(),
            tool_version: "0",
            old_text: Some(found.file.clone()),
        };
        let html = render(&page);
        assert_eq!(html.matches("<script").count(), 2, "only our own scripts");
        assert_eq!(html.matches("</script>").count(), 2);
        assert!(
            !html.contains("<b onclick") && !html.contains("http://") || html.contains("http://www.w3.org/2000/svg")
        );
        assert!(html.contains("class=\"step\"") && html.contains("id=\"f0l1\""));
    }
}
