//! The answer as text for people.

use crate::no_answer;
use crate::result::{FileResult, Kind, Step};
use std::fmt::Write;

/// Of more open checks only the first ones are listed.
const MAX_OPEN: usize = 20;

/// How many checks are proved, and those that are not.
pub fn checks(found: &FileResult, max_open: usize) -> String {
    let mut out = String::new();
    if found.checks.is_empty() {
        return out;
    }
    let (proved, violated, open) = crate::result::totals(&found.checks);
    let file = &found.file;
    let _ = writeln!(out, "{file}: checks: {proved} proved, {violated} violated, {open} open");
    let listed = found.checks.iter().filter(|c| c.status == crate::CheckStatus::Open);
    for check in listed.take(max_open) {
        let _ = writeln!(out, "  {}: open: {}: {}", check.place, check.message.trim_end(), check.expression);
    }
    if open > max_open {
        let _ = writeln!(out, "  … and {} more; --all or --format json has them", open - max_open);
    }
    out
}

/// Everything but the RESULT line.
pub fn render(found: &FileResult, statistics: bool) -> String {
    let mut out = String::new();
    let file = &found.file;
    if !found.entry.is_empty() {
        let _ = writeln!(out, "{file}: {}", found.entry);
    }
    for remark in &found.assumptions {
        let _ = writeln!(out, "{}: assumed: {}", remark.place, remark.message);
    }
    let how = match (found.engine.is_empty(), found.cached) {
        (false, false) => format!(" (engine {})", found.engine),
        (false, true) => format!(" (engine {}, cached)", found.engine),
        (true, _) => String::new(),
    };
    match found.kind() {
        Kind::Holds => {
            let _ = writeln!(out, "{file}: {} holds{how}", found.asked());
            out.push_str(&facts(found));
        }
        Kind::Violated => {
            let _ = writeln!(out, "{file}: {} is violated{how}", found.asked());
            if let Some(violation) = &found.violation {
                let _ = writeln!(out, "{}: {}", violation.place, violation.message);
                for note in violation.notes() {
                    let _ = writeln!(out, "{}: note: {}", note.place, note.message);
                }
            }
            if !found.input_values.is_empty() {
                let _ = writeln!(out, "inputs:");
            }
            for input in found.input_values.iter().take(MAX_INPUTS) {
                let _ = writeln!(out, "  {:24} {} = {}", input.place, input.name, input.value);
            }
            let n_more = found.input_values.len().saturating_sub(MAX_INPUTS);
            if n_more > 0 {
                let _ = writeln!(out, "  … and {n_more} more; --format json has them");
            }
            let steps = found.execution.iter().chain(&found.stem).flatten();
            let steps: Vec<&Step> = steps.collect();
            if !steps.is_empty() || found.cycle.is_some() || found.execution.is_some() {
                let _ = writeln!(out, "execution:");
            }
            let n_hidden = steps.len().saturating_sub(MAX_STEPS);
            for (i, step) in steps.iter().enumerate() {
                if i == MAX_STEPS / 2 && n_hidden > 0 {
                    let _ = writeln!(out, "  … {n_hidden} steps are not shown; --format json has them");
                }
                if i < MAX_STEPS / 2 || i >= MAX_STEPS / 2 + n_hidden {
                    out.push_str(&step_line(step));
                }
            }
            if let Some(cycle) = &found.cycle {
                let _ = writeln!(out, "{}:", repeated(found));
                for step in cycle {
                    out.push_str(&step_line(step));
                }
            }
        }
        Kind::Unknown => {
            let _ = writeln!(
                out,
                "{file}: {}no answer: {}",
                found.formula.as_ref().map_or(String::new(), |_| format!("{}: ", found.asked())),
                found.reason.as_deref().unwrap_or_default()
            );
            for fact in found.known.iter().flatten() {
                let _ = writeln!(out, "{file}: known: {fact}");
            }
            for remark in &found.not_modelled {
                let _ = writeln!(out, "{}: not modelled: {}", remark.place, remark.message);
            }
            out.push_str(&checks(found, MAX_OPEN));
            for obstacle in &found.obstacles {
                let _ = writeln!(out, "{}: blocked by {}", obstacle.place, obstacle.message);
            }
            let tried = no_answer::tried_text(found);
            if !tried.is_empty() {
                let _ = writeln!(out, "{file}: tried {tried}");
            }
            for advice in &found.advice {
                let _ = writeln!(out, "{file}: try {advice}");
            }
        }
        Kind::BadInput => {
            for problem in &found.problems {
                out.push_str(&problem.rendered);
            }
        }
    }
    if statistics && found.kind() != Kind::Unknown {
        out.push_str(&checks(found, MAX_OPEN));
    }
    out.push_str(&crate::upgrade::text(found));
    if statistics {
        let _ = writeln!(out, "statistics:");
        let _ = writeln!(out, "  {:32} {:>12.3}", "wall seconds", found.wall_seconds);
        for (name, count) in &found.statistics {
            let _ = writeln!(out, "  {name:32} {count:>12}");
        }
        for (phase, seconds) in &found.phases {
            let _ = writeln!(out, "  {:32} {seconds:>12.3}", format!("seconds in {phase}"));
        }
        if !found.timeline.is_empty() {
            let _ = writeln!(out, "timeline:");
            let _ = writeln!(out, "  {:>8} {:>8}  {:22} {:18} result", "began", "seconds", "engine", "translation");
        }
        for run in &found.timeline {
            let (began, seconds) = (run.began_seconds, run.seconds);
            let (engine, translation) = (&run.engine, &run.translation);
            let _ = writeln!(out, "  {began:8.3} {seconds:8.3}  {engine:22} {translation:18} {}", run.result);
        }
    }
    out
}

/// What a proof found; what is larger than a screen is cut.
fn facts(found: &FileResult) -> String {
    let mut out = String::new();
    let facts = found.invariants.iter().flatten();
    let n_more = facts.clone().count().saturating_sub(MAX_FACTS);
    for fact in facts.take(MAX_FACTS) {
        // "loop at line 3 terminates because …" is a sentence.
        let colon = if fact.kind == crate::FactKind::Ranking { "" } else { ":" };
        let _ = writeln!(out, "  {}{colon} {}", fact.place, cut(&fact.formula));
    }
    if n_more > 0 {
        let _ = writeln!(out, "  … and {n_more} more; --format json has them");
    }
    out
}

/// A formula of at most a screen, cut between its parts.
fn cut(formula: &str) -> String {
    let n_characters = formula.chars().count();
    if n_characters <= MAX_FACT {
        return formula.to_string();
    }
    let start: String = formula.chars().take(MAX_FACT).collect();
    let start = start.rfind(" && ").map_or(start.as_str(), |end| &start[..end]);
    format!("{start} … (cut: {n_characters} characters; --format json has all of them)")
}

/// More facts of a proof are not shown to people, and no more characters of one.
const MAX_FACTS: usize = 40;
const MAX_FACT: usize = 1_200;

/// More inputs of an execution are not shown to people.
const MAX_INPUTS: usize = 100;

/// More steps of an execution are not shown to people.
const MAX_STEPS: usize = 1_000;

/// The words between the stem and the cycle of an execution that never ends.
pub fn repeated(found: &FileResult) -> String {
    match &found.recurrence {
        Some(always) => format!("then forever, always with {always}"),
        None => "then forever".to_string(),
    }
}

fn step_line(step: &Step) -> String {
    let indent = "  ".repeat(step.depth);
    let values = values(step);
    let values = if values.is_empty() { values } else { format!("    [{values}]") };
    let observed = step.observed.as_ref().map_or(String::new(), |o| format!("  {:24} {indent}  {o}\n", ""));
    let thread = step.thread.as_ref().map_or(String::new(), |t| format!("{t:12} "));
    format!("  {:24} {thread}{indent}{}{values}\n{observed}", step.place, step.source)
}

/// `x = 1, y = 2`; elements of arrays by their indices.
pub fn values(step: &Step) -> String {
    let mut sorted: Vec<(&String, &String)> = step.values.iter().collect();
    sorted.sort_by_cached_key(|(name, _)| pieces(name));
    sorted.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ")
}

/// A name cut into texts and numbers: `a[2]` comes before `a[10]`.
fn pieces(name: &str) -> Vec<(u64, String)> {
    let mut found: Vec<(u64, String)> = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let n_text = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let (text, behind) = rest.split_at(n_text);
        let n_digits = behind.find(|c: char| !c.is_ascii_digit()).unwrap_or(behind.len());
        let (digits, behind) = behind.split_at(n_digits);
        found.push((0, text.to_string()));
        found.push((digits.parse().unwrap_or(u64::MAX), digits.to_string()));
        rest = behind;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{MAX_FACT, cut, pieces};

    #[test]
    fn long_formulas_are_cut_between_parts() {
        assert_eq!(cut("x > 0"), "x > 0");
        let long = vec!["x > 0"; 1_000].join(" && ");
        let shown = cut(&long);
        assert!(shown.ends_with("x > 0 … (cut: 8996 characters; --format json has all of them)"), "{shown}");
        assert!(shown.chars().count() < MAX_FACT + 100);
    }

    #[test]
    fn elements_come_in_order() {
        let mut names = ["a[10]", "a[2]", "b", "a[2].y", "a[2].x", "a1"];
        names.sort_by_key(|n| pieces(n));
        assert_eq!(names, ["a1", "a[2]", "a[2].x", "a[2].y", "a[10]", "b"]);
    }
}
