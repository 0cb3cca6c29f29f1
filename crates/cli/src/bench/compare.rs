//! What changed between two runs.

use super::plot;
use super::score::{Outcome, Results, VERSION};
use crate::exit::{self, usage_error};
use std::collections::BTreeMap;
use std::path::Path;

pub(super) fn load_results(path: &Path) -> Result<Results, String> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).map_err(|e| format!("cannot read {shown}: {e}; check the path"))?;
    let results: Results = serde_json::from_str(&text)
        .map_err(|e| format!("{shown}: not a result file of `craig bench --output`: {e}"))?;
    if results.version != VERSION {
        return Err(format!("{shown}: version {} of the result file, this craig reads {VERSION}", results.version));
    }
    Ok(results)
}

/// What changed between two runs.
pub(super) fn compare(a: &Path, b: &Path, plot_path: Option<&Path>) -> u8 {
    let (first, second) = match (load_results(a), load_results(b)) {
        (Ok(first), Ok(second)) => (first, second),
        (Err(message), _) | (_, Err(message)) => return usage_error(&message),
    };
    print!("{}", comparison(&first, &second));
    if let Some(path) = plot_path {
        let runs = [(a.display().to_string(), &first), (b.display().to_string(), &second)];
        if let Err(message) = plot(path, &runs) {
            return usage_error(&message);
        }
    }
    if second.has_wrong() { exit::VIOLATED } else { exit::HOLDS }
}

fn comparison(first: &Results, second: &Results) -> String {
    let key = |o: &Outcome| (o.task.clone(), o.property.clone());
    let old: BTreeMap<_, &Outcome> = first.tasks.iter().map(|o| (key(o), o)).collect();
    let new: BTreeMap<_, &Outcome> = second.tasks.iter().map(|o| (key(o), o)).collect();
    let mut out = String::new();
    let mut times = (0.0, 0.0, 0usize);
    for (key, &o) in &old {
        let Some(&n) = new.get(key) else { continue };
        let word = match (o.status.is_correct(), n.status.is_correct()) {
            (true, true) => {
                times = (times.0 + o.wall_seconds, times.1 + n.wall_seconds, times.2 + 1);
                continue;
            }
            (true, false) => "lost",
            (false, true) => "gained",
            (false, false) if o.status == n.status => continue,
            (false, false) => "changed",
        };
        out.push_str(&format!("{word:8} {:16} {}: {} -> {}\n", key.1, key.0, o.result, n.result));
    }
    for (word, ours, others) in [("only old", &old, &new), ("only new", &new, &old)] {
        for key in ours.keys().filter(|k| !others.contains_key(*k)) {
            out.push_str(&format!("{word} {:16} {}\n", key.1, key.0));
        }
    }
    let sum = |r: &Results| {
        let (correct, wrong) = (
            r.tasks.iter().filter(|t| t.status.is_correct()).count(),
            r.tasks.iter().filter(|t| t.status.is_wrong()).count(),
        );
        (correct, wrong, r.tasks.iter().map(|t| t.points).sum::<i64>())
    };
    let (a, b) = (sum(first), sum(second));
    out.push_str(&format!("{:24} {:>10} {:>10}\n", "", "old", "new"));
    out.push_str(&format!("{:24} {:>10} {:>10}\n", "correct", a.0, b.0));
    out.push_str(&format!("{:24} {:>10} {:>10}\n", "wrong", a.1, b.1));
    out.push_str(&format!("{:24} {:>10} {:>10}\n", "points", a.2, b.2));
    out.push_str(&format!("{:24} {:>10.1} {:>10.1}\n", format!("seconds on {} common", times.2), times.0, times.1));
    out
}

#[cfg(test)]
mod tests {
    use super::super::score::rate;
    use super::*;

    #[test]
    fn a_comparison_names_what_was_lost_and_gained() {
        let outcome = |task: &str, result: &str| {
            let status = rate(&report::Answer::from(result.to_string()), Some("true"));
            Outcome {
                task: task.to_string(),
                property: "unreach-call".to_string(),
                expected: Some("true".to_string()),
                result: result.to_string(),
                status,
                points: status.points(),
                wall_seconds: 1.0,
                ..Outcome::default()
            }
        };
        let results = |tasks: Vec<Outcome>| Results { tasks, ..Results::empty() };
        let old = results(vec![outcome("a", "true"), outcome("b", "unknown(timeout)"), outcome("c", "true")]);
        let new = results(vec![outcome("a", "unknown(timeout)"), outcome("b", "true"), outcome("c", "true")]);
        let text = comparison(&old, &new);
        assert!(text.contains("lost     unreach-call     a") && text.contains("gained   unreach-call     b"), "{text}");
        assert!(text.contains("seconds on 1 common"), "{text}");
    }
}
