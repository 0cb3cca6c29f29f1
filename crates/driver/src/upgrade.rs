//! What changed from one version to the next, and which violations that concerns.

use crate::certify::Claim;
use crate::graphs::Graphs;
use crate::known::{CheckName, Evidence, Facts, Outline, Variable};
use crate::learn::check_at;
use crate::outcome::Outcome;
use crate::question::{Answered, Question};
use crate::reuse::{REUSE, try_facts};
use crate::shape::increasing;
use base::Budget;
use ir::Icfg;
use report::Answer;
use report::upgrade::{Change, FactCounts, FunctionChange, OldAnswer, State, Upgrade, ViolationChange};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// The report on a change. `new`: the facts of the answer. `old_has_it`: the old version was seen to have the violation
/// too.
pub fn compare(old: &Facts, new: &Facts, answered: &Answered, cpu: Duration, old_has_it: bool) -> Upgrade {
    let (n_unchanged, functions) = functions(&old.outline, &new.outline);
    let tally = answered.reused.unwrap_or_default();
    Upgrade {
        old: OldAnswer {
            file: old.program.clone(),
            result: old.result.to_string(),
            engine: old.engine.clone(),
            cpu_seconds: old.milliseconds as f64 / 1e3,
        },
        cpu_seconds: cpu.as_secs_f64(),
        n_unchanged,
        functions,
        facts: FactCounts {
            offered: tally.offered,
            kept: tally.kept,
            repaired: tally.repaired,
            dropped: tally.dropped,
        },
        proved_again: if answered.engine == REUSE { Vec::new() } else { with_facts(new) },
        violations: violations(old, new, old_has_it, &normalised(answered)),
        remarks: Vec::new(),
    }
}

/// What the front end calls before `main`, and what that is for people.
const START: &str = "_start";
const INITIALISATION: &str = "initialisation of globals";

/// How the functions of two versions correspond: how many are unchanged, and the others.
fn functions(old: &[Outline], new: &[Outline]) -> (usize, Vec<FunctionChange>) {
    let start = |list: &[Outline]| list.iter().find(|f| f.name == START).map(|f| f.body.clone());
    let written = |list: &[Outline]| list.iter().filter(|f| f.name != START).cloned().collect::<Vec<_>>();
    let (n_unchanged, mut changes) = written_functions(&written(old), &written(new));
    if start(old) != start(new) {
        let change = FunctionChange { name: INITIALISATION.to_string(), old_name: None, change: Change::Changed };
        changes.insert(0, change);
    }
    (n_unchanged, changes)
}

fn written_functions(old: &[Outline], new: &[Outline]) -> (usize, Vec<FunctionChange>) {
    let at = |list: &[Outline]| -> BTreeMap<String, usize> {
        list.iter().enumerate().map(|(i, f)| (f.name.clone(), i)).collect()
    };
    let (old_at, new_at) = (at(old), at(new));
    let mut changes = Vec::new();
    let mut same: Vec<(usize, usize)> = Vec::new();
    for (i, function) in old.iter().enumerate() {
        match new_at.get(&function.name) {
            Some(&j) if new[j].body == function.body => same.push((i, j)),
            Some(_) => {
                changes.push(FunctionChange { name: function.name.clone(), old_name: None, change: Change::Changed });
            }
            None => {}
        }
    }
    let in_order: BTreeSet<usize> =
        increasing(&same.iter().map(|p| p.1).collect::<Vec<_>>()).into_iter().map(|k| same[k].0).collect();
    for (i, _) in same.iter().filter(|(i, _)| !in_order.contains(i)) {
        changes.push(FunctionChange { name: old[*i].name.clone(), old_name: None, change: Change::Moved });
    }
    let mut added: Vec<&Outline> = new.iter().filter(|f| !old_at.contains_key(&f.name)).collect();
    for function in old.iter().filter(|f| !new_at.contains_key(&f.name)) {
        match added.iter().position(|f| f.body == function.body) {
            Some(k) => {
                let name = added.remove(k).name.clone();
                changes.push(FunctionChange { name, old_name: Some(function.name.clone()), change: Change::Renamed });
            }
            None => {
                changes.push(FunctionChange { name: function.name.clone(), old_name: None, change: Change::Removed });
            }
        }
    }
    let change = |f: &Outline| FunctionChange { name: f.name.clone(), old_name: None, change: Change::Added };
    changes.extend(added.into_iter().map(change));
    changes.sort_by(|a, b| (a.change, &a.name).cmp(&(b.change, &b.name)));
    (in_order.len(), changes)
}

/// The functions that facts are about.
fn with_facts(facts: &Facts) -> Vec<String> {
    let mut functions: BTreeSet<usize> = BTreeSet::new();
    match &facts.evidence {
        Evidence::Annotation { invariants, contracts, .. } => {
            functions.extend(invariants.iter().map(|i| i.at.function));
            functions.extend(contracts.iter().map(|c| c.function));
        }
        Evidence::Termination(proof) => functions.extend(facts.variables.iter().filter_map(|v| match v {
            Variable::Own { function, .. } if !proof.modules.is_empty() => Some(*function),
            _ => None,
        })),
        Evidence::Nothing | Evidence::Bound { .. } | Evidence::Violation(_) | Evidence::Infinite { .. } => {}
    }
    let names = functions.into_iter().filter_map(|f| facts.functions.get(f)).map(|f| f.name.clone());
    names.filter(|name| name != START).collect()
}

/// The text of the program, whatever its layout.
fn normalised(answered: &Answered) -> String {
    let texts = answered.loaded.sources.files().map(|(_, f)| f.text.as_str());
    texts.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

fn is_violated(facts: &Facts) -> bool {
    matches!(facts.result, Answer::Violated(_))
}

/// What is known of the violations of two versions.
fn violations(old: &Facts, new: &Facts, old_has_it: bool, new_text: &str) -> Vec<ViolationChange> {
    let unnamed = |facts: &Facts| CheckName { property: facts.mode.property.clone(), ..CheckName::default() };
    let violated = |facts: &Facts| facts.violated.clone().unwrap_or_else(|| unnamed(facts));
    let change = |state: State, check: &CheckName| ViolationChange {
        state,
        property: check.property.clone(),
        function: if check.function == START { String::new() } else { check.function.clone() },
        message: match (check.text.is_empty(), check.condition.is_empty()) {
            (true, _) => format!("{} is violated", check.property),
            (false, true) => check.text.clone(),
            (false, false) => format!("{} if {}", check.text, check.condition),
        },
    };
    let mut found = Vec::new();
    if is_violated(new) {
        let check = violated(new);
        // Violations without a name (infinite executions) cannot be distinguished.
        let is_same = is_violated(old) && old.violated.is_some() && violated(old) == check;
        let state = match () {
            () if is_same || old_has_it => State::Old,
            () if old.result == Answer::Holds => State::New,
            () => State::NotKnown,
        };
        found.push(change(state, &check));
    }
    if is_violated(old) && !(is_violated(new) && violated(new) == violated(old)) {
        let check = violated(old);
        match () {
            () if new.result != Answer::Holds => {}
            () if check.text.is_empty() || is_there(&check, old, new, new_text) => {
                found.push(change(State::Fixed, &check))
            }
            () => found.push(change(State::CheckDeleted, &check)),
        }
    }
    found
}

/// Is a check of the old version in the new one? If its condition or its function has other names now, there are as
/// many checks like it as before. (The front end leaves out what it sees can never be reached, so the text of the new
/// version counts, too.)
fn is_there(check: &CheckName, old: &Facts, new: &Facts, new_text: &str) -> bool {
    let expression = check.text.split_once(": ").map_or("", |p| p.1);
    let is_written = !expression.is_empty()
        && new_text.contains(expression)
        && new_text.contains(check.condition.strip_prefix("not ").unwrap_or(&check.condition));
    let is_like = |c: &&CheckName| c.property == check.property && c.text == check.text;
    let is_same = |c: &CheckName| is_like(&c) && c.condition == check.condition && c.ordinal == check.ordinal;
    is_written
        || new.checks.iter().any(is_same)
        || new.checks.iter().filter(is_like).count() >= old.checks.iter().filter(is_like).count()
}

/// Does the execution that violates one version violate the same check of another? That it does not proves nothing.
pub fn also_violated(question: &Question<'_>, violated: &Facts, budget: &Budget) -> bool {
    let mut loaded = question.load();
    let graph = Icfg::build(&loaded.program, &mut loaded.pool);
    let Ok(graphs) = Graphs::new(&mut loaded.pool, graph) else { return false };
    let claim = Claim {
        property: question.property.clone(),
        fidelity: loaded.program.fidelity.clone(),
        options: check::Options { paranoid: question.settings.paranoid },
    };
    let reused = try_facts(&mut loaded.pool, &graphs, violated, &claim, budget);
    match reused.answer {
        Some(Outcome::Violated(violation)) => {
            let at = violation.run.steps.last().map(|s| violation.original.edges[s.edge].dst);
            let check = at.and_then(|loc| check_at(&violation.original, &loaded.sources, loc));
            check.is_some() && check == violated.violated
        }
        Some(Outcome::NonTerminating(_)) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(list: &[(&str, &str)]) -> Vec<Outline> {
        list.iter().map(|(name, body)| Outline { name: name.to_string(), body: body.to_string() }).collect()
    }

    #[test]
    fn functions_are_told_apart() {
        let old = outline(&[("a", "1"), ("b", "2"), ("c", "3"), ("d", "4"), ("e", "5")]);
        let new = outline(&[("b", "2"), ("a", "1"), ("c", "33"), ("dd", "4"), ("f", "6")]);
        let (n, changes) = functions(&old, &new);
        assert_eq!(n, 1);
        let words: Vec<(&str, &str)> = changes.iter().map(|c| (c.name.as_str(), c.change.word())).collect();
        assert_eq!(
            words,
            [("c", "changed"), ("f", "added"), ("e", "removed"), ("dd", "renamed"), (words[4].0, "moved")]
        );
        assert!(["a", "b"].contains(&words[4].0));
    }

    /// Nobody wrote the function that initialises globals.
    #[test]
    fn initial_values_are_no_function() {
        let (old, new) = (outline(&[("_start", "1"), ("a", "2")]), outline(&[("_start", "3"), ("a", "2")]));
        assert_eq!(functions(&old, &old), (1, Vec::new()));
        let (n, changes) = functions(&old, &new);
        assert_eq!((n, changes.len(), changes[0].name.as_str()), (1, 1, INITIALISATION));
        assert_eq!(changes[0].change, Change::Changed);
    }

    #[test]
    fn violations_are_told_apart() {
        let check = |text: &str| CheckName {
            property: "p".into(),
            function: "f".into(),
            text: text.into(),
            ..CheckName::default()
        };
        let facts = |result: &str, checks: &[&str]| Facts {
            result: Answer::from(result.to_string()),
            checks: checks.iter().map(|t| check(t)).collect(),
            violated: checks.first().filter(|_| result.starts_with("false")).map(|t| check(t)),
            ..Facts::default()
        };
        let states = |old: &Facts, new: &Facts, old_has_it: bool| -> Vec<State> {
            violations(old, new, old_has_it, "").iter().map(|v| v.state).collect()
        };
        let (holds, a, b) = (facts("true", &["a", "b"]), facts("false(p)", &["a"]), facts("false(p)", &["b"]));
        assert_eq!(states(&holds, &a, false), [State::New]);
        assert_eq!(states(&a, &a, false), [State::Old]);
        assert_eq!(states(&b, &a, true), [State::Old]);
        assert_eq!(states(&b, &a, false), [State::NotKnown]);
        assert_eq!(states(&a, &holds, false), [State::Fixed]);
        assert_eq!(states(&a, &facts("true", &["b"]), false), [State::CheckDeleted]);
        assert_eq!(states(&facts("unknown(timeout)", &[]), &a, false), [State::NotKnown]);
        assert_eq!(states(&a, &facts("unknown(timeout)", &[]), false), []);
    }
}
