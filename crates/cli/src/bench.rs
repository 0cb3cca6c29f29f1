//! `craig bench`: many tasks with expected verdicts, points, plots, comparisons.
//!
//! Every task runs in a process of its own, never from the cache: what is measured is work.

mod compare;
mod score;
mod task;

use crate::args::{BenchArgs, CheckArgs, DataModel};
use crate::exit::usage_error;
use crate::worker::{self, Job};
use crate::{exit, limits, property};
use base::Budget;
use score::{Outcome, Results, VERSION, line, rate, table};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use task::Task;

pub fn run(args: &BenchArgs) -> u8 {
    match &args.compare[..] {
        [a, b] => compare::compare(a, b, args.plot.as_deref()),
        _ => bench(args),
    }
}

fn bench(args: &BenchArgs) -> u8 {
    if args.engine != "auto" && engine::engine_by_name(&args.engine).is_none() {
        return usage_error(&format!("unknown engine '{}'; `craig engines` lists them", args.engine));
    }
    let wanted = match args.property.as_deref().map(property::parse).transpose() {
        Ok(wanted) => wanted,
        Err(message) => return usage_error(&message),
    };
    let mut tasks = match task::collect(&args.tasks) {
        Ok(tasks) => tasks,
        Err(message) => return usage_error(&message),
    };
    tasks.retain(|t| wanted.as_ref().is_none_or(|w| t.property.name() == w.name()));
    if tasks.is_empty() {
        return usage_error("no task to run; give task definitions (.yml) or a folder with some");
    }
    let outcomes = match run_all(&tasks, args) {
        Ok(outcomes) => outcomes,
        Err(message) => return usage_error(&message),
    };
    print!("{}", table(&outcomes));
    let results = Results {
        version: VERSION,
        craig: env!("CARGO_PKG_VERSION").to_string(),
        build: crate::cache::BUILD_ID.to_string(),
        engine: args.engine.clone(),
        timeout_seconds: args.timeout.as_secs_f64(),
        memory_bytes: args.memory,
        tasks: outcomes,
    };
    if let Some(path) = &args.output {
        let text = serde_json::to_string_pretty(&results).unwrap_or_default();
        if let Err(e) = std::fs::write(path, text + "\n") {
            return usage_error(&format!("cannot write {}: {e}", path.display()));
        }
    }
    if let Some(path) = &args.plot
        && let Err(status) = plot(path, &[("craig".to_string(), &results)])
    {
        return status;
    }
    if results.tasks.iter().any(|t| t.status.is_wrong()) { exit::VIOLATED } else { exit::HOLDS }
}

fn arguments(task: &Task, args: &BenchArgs) -> Result<CheckArgs, String> {
    let data_model = match task.data_model.as_deref() {
        None | Some("ILP32") => DataModel::Ilp32,
        Some("LP64") => DataModel::Lp64,
        Some(other) => {
            let task = task.definition.display();
            return Err(format!("{task}: data model '{other}' is unknown; use ILP32 or LP64"));
        }
    };
    let (engine, timeout, memory) = (args.engine.clone(), args.timeout, args.memory);
    Ok(CheckArgs { engine, data_model, timeout, memory, ..CheckArgs::of(&task.file) })
}

fn run_all(tasks: &[Task], args: &BenchArgs) -> Result<Vec<Outcome>, String> {
    let jobs: Vec<Job> = tasks
        .iter()
        .map(|task| Ok(Job::new(&task.file, &task.property, &arguments(task, args)?, args.engine_jobs)))
        .collect::<Result<_, String>>()?;
    let budget = Budget::unlimited();
    limits::cancel_on_interrupt(&budget);
    let next = AtomicUsize::new(0);
    let done: Mutex<BTreeMap<usize, Outcome>> = Mutex::new(BTreeMap::new());
    let printed = Mutex::new(0usize);
    std::thread::scope(|scope| {
        for _ in 0..args.jobs.clamp(1, tasks.len()) {
            scope.spawn(|| {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let (Some(task), Some(job)) = (tasks.get(i), jobs.get(i)) else { return };
                    let outcome = run_task(task, job, &budget);
                    let mut done = done.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                    done.insert(i, outcome);
                    let mut printed = printed.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                    while let Some(outcome) = done.get(&printed) {
                        println!("{}", line(outcome));
                        *printed += 1;
                    }
                }
            });
        }
    });
    Ok(done.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()).into_values().collect())
}

fn run_task(task: &Task, job: &Job, budget: &Budget) -> Outcome {
    let found = worker::run(job, &|| budget.check_now().is_err());
    let result = match found.problems.first() {
        Some(problem) => format!("error({})", problem.message),
        None => found.result.clone(),
    };
    let status = rate(&result, task.expected.as_deref());
    Outcome {
        task: task.definition.display().to_string(),
        file: task.file.display().to_string(),
        property: task.property.name().to_string(),
        expected: task.expected.clone(),
        result,
        status,
        points: status.points(),
        wall_seconds: found.wall_seconds,
        engine: found.engine,
    }
}

fn plot(path: &Path, runs: &[(String, &Results)]) -> Result<(), u8> {
    let solved = |r: &Results| r.tasks.iter().filter(|t| t.status.is_correct()).map(|t| t.wall_seconds).collect();
    let curves: Vec<(String, Vec<f64>)> = runs.iter().map(|(name, r)| (name.clone(), solved(r))).collect();
    std::fs::write(path, report::chart::quantile_plot("Correctly solved tasks", &curves))
        .map_err(|e| usage_error(&format!("cannot write {}: {e}", path.display())))
}
