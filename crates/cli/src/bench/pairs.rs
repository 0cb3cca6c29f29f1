//! `craig bench --pairs`: pairs of versions, each checked three times: the old version, the new one from scratch, and
//! the new one with what is known of the old.
//!
//! The table has a column for each of name, old, new, property, data_model, old_expected and new_expected; others are
//! ignored. CPU time is that of the processes. Whoever has no answer is charged the time limit. That scratch and
//! upgrade contradict each other, or what is expected, is an error.

use super::score::{contradict, is_answer, rate};
use crate::args::{BenchArgs, CheckArgs, DataModel};
use crate::exit::usage_error;
use crate::worker::{self, Job};
use crate::{exit, limits, property};
use base::Budget;
use ir::Property;
use report::FileResult;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Duration;

struct Pair {
    name: String,
    old: PathBuf,
    new: PathBuf,
    property: Property,
    data_model: DataModel,
    old_expected: String,
    new_expected: String,
}

#[derive(Serialize)]
struct Run {
    result: String,
    engine: String,
    cpu_seconds: f64,
    is_wrong: bool,
}

#[derive(Serialize)]
struct Outcome {
    name: String,
    property: String,
    old_expected: String,
    new_expected: String,
    old: Run,
    scratch: Run,
    upgrade: Run,
    facts: report::upgrade::FactCounts,
    contradiction: bool,
}

#[derive(Serialize)]
struct Results<'a> {
    version: u32,
    build: &'static str,
    timeout_seconds: f64,
    pairs: &'a [Outcome],
}

pub(crate) fn run(file: &Path, args: &BenchArgs) -> u8 {
    let pairs = match read(file) {
        Ok(pairs) if pairs.is_empty() => return usage_error(&format!("{}: no pair in it", file.display())),
        Ok(pairs) => pairs,
        Err(message) => return usage_error(&message),
    };
    let wanted = match args.property.as_deref().map(property::parse).transpose() {
        Ok(wanted) => wanted,
        Err(message) => return usage_error(&message),
    };
    let budget = Budget::unlimited();
    limits::cancel_on_interrupt(&budget);
    let mut outcomes = Vec::new();
    println!(
        "{:28} {:16} {:>8} {:>8} {:>8} {:>6}  facts kept  old / scratch / upgrade",
        "pair", "property", "old", "scratch", "upgrade", "ratio"
    );
    for (i, pair) in pairs.iter().enumerate() {
        if wanted.as_ref().is_some_and(|w| w.name() != pair.property.name()) {
            continue;
        }
        if budget.check_now().is_err() {
            break;
        }
        let outcome = run_pair(i, pair, args, &budget);
        println!("{}", line(&outcome, args.timeout));
        outcomes.push(outcome);
    }
    print!("{}", summary(&outcomes, args.timeout));
    if let Some(path) = &args.output {
        let results = Results {
            version: 1,
            build: crate::cache::BUILD_ID,
            timeout_seconds: args.timeout.as_secs_f64(),
            pairs: &outcomes,
        };
        let text = serde_json::to_string_pretty(&results).unwrap_or_default();
        if let Err(e) = std::fs::write(path, text + "\n") {
            return usage_error(&format!("cannot write {}: {e}", path.display()));
        }
    }
    let is_wrong = |o: &Outcome| o.contradiction || o.old.is_wrong || o.scratch.is_wrong || o.upgrade.is_wrong;
    if outcomes.iter().any(is_wrong) { exit::VIOLATED } else { exit::HOLDS }
}

fn read(file: &Path) -> Result<Vec<Pair>, String> {
    let shown = file.display();
    let text = std::fs::read_to_string(file).map_err(|e| format!("cannot read {shown}: {e}; check the path"))?;
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let column = |name: &str| {
        let found = columns.iter().position(|c| *c == name);
        found.ok_or_else(|| format!("{shown}: the first line has no column '{name}'"))
    };
    let names = ["name", "old", "new", "property", "data_model", "old_expected", "new_expected"];
    let at: Vec<usize> = names.iter().map(|n| column(n)).collect::<Result<_, _>>()?;
    let folder = file.parent().unwrap_or(Path::new(""));
    let mut pairs = Vec::new();
    for (i, line) in lines.enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let cells: Vec<&str> = line.split('\t').collect();
        let cell = |k: usize| cells.get(at[k]).copied().unwrap_or_default();
        let property = property::parse(cell(3)).map_err(|e| format!("{shown}: line {}: {e}", i + 2))?;
        pairs.push(Pair {
            name: cell(0).to_string(),
            old: folder.join(cell(1)),
            new: folder.join(cell(2)),
            property,
            data_model: if cell(4) == "LP64" { DataModel::Lp64 } else { DataModel::Ilp32 },
            old_expected: cell(5).to_string(),
            new_expected: cell(6).to_string(),
        });
    }
    Ok(pairs)
}

fn run_pair(number: usize, pair: &Pair, args: &BenchArgs, budget: &Budget) -> Outcome {
    let folder = std::env::temp_dir().join(format!("craig-pairs-{}-{number}", std::process::id()));
    let (engine, timeout, memory) = (args.engine.clone(), args.timeout, args.memory);
    let mut scratch =
        CheckArgs { engine, data_model: Some(pair.data_model), timeout, memory, ..CheckArgs::of(&pair.new) };
    scratch.c.define.clone_from(&args.define);
    let teaching = CheckArgs {
        baseline: Some(folder.clone()),
        update_baseline: true,
        timeout: args.old_timeout.unwrap_or(timeout),
        ..scratch.clone()
    };
    let taught = CheckArgs { baseline: Some(folder.clone()), ..scratch.clone() };
    let measured = |job: &Job| {
        let ended = worker::run_measured(job, &|| budget.check_now().is_err());
        (ended.found, ended.cpu_seconds)
    };
    let jobs = args.engine_jobs;
    let old = measured(&Job::new(&pair.old, &pair.property, &teaching, jobs));
    let from_scratch = measured(&Job::new(&pair.new, &pair.property, &scratch, jobs));
    // Without facts an upgrade would check the old version again.
    let is_taught = std::fs::read_dir(&folder).is_ok_and(|mut d| d.next().is_some());
    let upgraded = match is_taught {
        true => measured(&Job::upgrade(&pair.old, &pair.new, &pair.property, &taught, jobs)),
        false => measured(&Job::new(&pair.new, &pair.property, &scratch, jobs)),
    };
    let _ = std::fs::remove_dir_all(&folder);
    let facts = upgraded.0.upgrade.as_ref().map_or_else(Default::default, |u| u.facts);
    let run = |(found, cpu_seconds): (FileResult, f64), expected: &str| Run {
        is_wrong: rate(&found.result, Some(expected).filter(|e| !e.is_empty())).is_wrong(),
        result: found.problems.first().map_or(found.result.to_string(), |p| format!("error({})", p.message)),
        engine: found.engine,
        cpu_seconds,
    };
    let (scratch, upgrade) = (run(from_scratch, &pair.new_expected), run(upgraded, &pair.new_expected));
    Outcome {
        name: pair.name.clone(),
        property: pair.property.name().to_string(),
        old_expected: pair.old_expected.clone(),
        new_expected: pair.new_expected.clone(),
        old: run(old, &pair.old_expected),
        contradiction: contradict(&scratch.result, &upgrade.result),
        scratch,
        upgrade,
        facts,
    }
}

/// The CPU time that counts: without an answer it is the limit.
fn charged(run: &Run, limit: Duration) -> f64 {
    if is_answer(&run.result) { run.cpu_seconds } else { limit.as_secs_f64() }
}

fn ratio(o: &Outcome, limit: Duration) -> f64 {
    charged(&o.upgrade, limit) / charged(&o.scratch, limit).max(0.01)
}

fn line(o: &Outcome, limit: Duration) -> String {
    let short = |r: &Run| {
        let word = r.result.split('(').next().unwrap_or_default().to_string();
        if r.is_wrong { format!("{word} WRONG") } else { word }
    };
    let answered = is_answer(&o.scratch.result) || is_answer(&o.upgrade.result);
    let ratio = if answered { format!("{:.2}", ratio(o, limit)) } else { "-".to_string() };
    format!(
        "{:28} {:16} {:8.2} {:8.2} {:8.2} {ratio:>6}  {:>4}/{:<4}  {} / {} / {} ({}){}",
        o.name,
        o.property,
        o.old.cpu_seconds,
        o.scratch.cpu_seconds,
        o.upgrade.cpu_seconds,
        o.facts.kept + o.facts.repaired,
        o.facts.offered,
        short(&o.old),
        short(&o.scratch),
        short(&o.upgrade),
        o.upgrade.engine,
        if o.contradiction { "  CONTRADICTION" } else { "" }
    )
}

/// The value below which a share of the values lies.
fn quantile(values: &mut [f64], share: f64) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let i = ((values.len() as f64 * share).ceil() as usize).clamp(1, values.len().max(1)) - 1;
    values.get(i).copied()
}

fn summary(outcomes: &[Outcome], limit: Duration) -> String {
    let answered = |r: &Run| is_answer(&r.result);
    let mut out = String::from("\n");
    let mut row = |what: &str, chosen: &dyn Fn(&Outcome) -> bool| {
        let mut ratios: Vec<f64> = outcomes.iter().filter(|o| chosen(o)).map(|o| ratio(o, limit)).collect();
        let n = ratios.len();
        let shown = |v: Option<f64>| v.map_or("-".to_string(), |v| format!("{v:.3}"));
        let (median, p90) = (shown(quantile(&mut ratios, 0.5)), shown(quantile(&mut ratios, 0.9)));
        out.push_str(&format!("{what:44} {n:>3} pairs, ratio: median {median}, 90th percentile {p90}\n"));
    };
    let slow = |o: &Outcome| charged(&o.scratch, limit) >= 0.5 && (answered(&o.scratch) || answered(&o.upgrade));
    row("true to true, scratch 0.5 s or more", &|o| o.old_expected == "true" && o.new_expected == "true" && slow(o));
    row("new version violated, scratch 0.5 s or more", &|o| o.new_expected.starts_with("false") && slow(o));
    row("old version violated, scratch 0.5 s or more", &|o| o.old_expected.starts_with("false") && slow(o));
    row("all with an answer", &|o| answered(&o.scratch) || answered(&o.upgrade));
    let count = |f: &dyn Fn(&Outcome) -> bool| outcomes.iter().filter(|o| f(o)).count();
    out.push_str(&format!(
        "answers: old {}, scratch {}, upgrade {}; lost {}, only with reuse {}; contradictions {}, wrong {}\n",
        count(&|o| answered(&o.old)),
        count(&|o| answered(&o.scratch)),
        count(&|o| answered(&o.upgrade)),
        count(&|o| answered(&o.scratch) && !answered(&o.upgrade)),
        count(&|o| !answered(&o.scratch) && answered(&o.upgrade)),
        count(&|o| o.contradiction),
        count(&|o| o.old.is_wrong || o.scratch.is_wrong || o.upgrade.is_wrong)
    ));
    let (kept, offered) = outcomes
        .iter()
        .fold((0, 0), |(kept, offered), o| (kept + o.facts.kept + o.facts.repaired, offered + o.facts.offered));
    out.push_str(&format!("facts: {kept} of {offered} kept or repaired\n"));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles() {
        assert_eq!(quantile(&mut [3.0, 1.0, 2.0], 0.5), Some(2.0));
        assert_eq!(quantile(&mut [], 0.5), None);
    }
}
