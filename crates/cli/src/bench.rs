//! `craig bench`: many tasks with expected verdicts, points, plots, comparisons, campaigns.
//!
//! Every task runs in a process of its own, never from the cache: what is measured is work.

mod benchexec;
mod campaign;
mod compare;
mod pairs;
mod progress;
mod score;
mod slurm;
pub(crate) mod task;

use crate::args::{BenchArgs, CheckArgs, Place};
use crate::exit::usage_error;
use crate::worker::{self, Ended, Job};
use crate::{exit, limits, property};
use base::Budget;
use campaign::Campaign;
use progress::Progress;
use score::{Outcome, Results, VERSION, line, rate, table};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use task::Task;

pub(crate) fn run(args: &BenchArgs) -> u8 {
    if let Some(file) = &args.pairs {
        return pairs::run(file, args);
    }
    let status = match (&args.compare[..], &args.campaign) {
        ([a, b], _) => return compare::compare(a, b, args.plot.as_deref()),
        (_, Some(folder)) => in_campaign(args, folder),
        _ => bench(args),
    };
    status.unwrap_or_else(|message| usage_error(&message))
}

fn bench(args: &BenchArgs) -> Result<u8, String> {
    let tasks = tasks(args)?;
    let results = Results {
        version: VERSION,
        craig: env!("CARGO_PKG_VERSION").to_string(),
        build: crate::cache::BUILD_ID.to_string(),
        engine: args.engine.clone(),
        timeout_seconds: args.timeout.as_secs_f64(),
        memory_bytes: args.memory,
        tasks: run_all(&tasks, args)?,
    };
    write_results(&results, args)?;
    Ok(if results.has_wrong() { exit::VIOLATED } else { exit::HOLDS })
}

/// The tasks that were asked for.
fn tasks(args: &BenchArgs) -> Result<Vec<Task>, String> {
    if args.engine != "auto" && engine::engine_by_name(&args.engine).is_none() {
        return Err(format!("unknown engine '{}'; `craig engines` lists them", args.engine));
    }
    let wanted = args.property.as_deref().map(property::parse).transpose()?;
    let mut tasks = task::collect(&args.tasks)?;
    tasks.retain(|t| wanted.as_ref().is_none_or(|w| t.property.name() == w.name()));
    if tasks.is_empty() {
        return Err("no task to run; give task definitions (.yml) or a folder with some".to_string());
    }
    Ok(tasks)
}

/// The table on standard output, and the files that were asked for.
fn write_results(results: &Results, args: &BenchArgs) -> Result<(), String> {
    print!("{}", table(&results.tasks));
    if let Some(path) = &args.output {
        let text = serde_json::to_string_pretty(results).map_err(|e| e.to_string())?;
        std::fs::write(path, text + "\n").map_err(|e| format!("cannot write {}: {e}", path.display()))?;
    }
    if let Some(path) = &args.benchexec {
        benchexec::write(path, results)?;
    }
    if let Some(path) = &args.plot {
        plot(path, &[("craig".to_string(), results)])?;
    }
    Ok(())
}

/// What is to be done with the campaign of a folder.
fn in_campaign(args: &BenchArgs, folder: &Path) -> Result<u8, String> {
    if !args.tasks.is_empty() {
        let tasks = tasks(args)?;
        let campaign = Campaign::create(folder, &tasks, args)?;
        return go_on(&campaign, args);
    }
    let campaign = Campaign::open(folder)?;
    match args {
        BenchArgs { status: true, .. } => print_status(&campaign, args),
        BenchArgs { cancel: true, .. } => slurm::cancel(&campaign).map(|()| exit::HOLDS),
        BenchArgs { merge: true, .. } => merge(&campaign, args),
        BenchArgs { shard: Some(shard), .. } => run_shard(&campaign, *shard),
        BenchArgs { resume: true, .. } => go_on(&campaign, args),
        _ => Err("say what to do with the campaign: --status, --resume, --merge or --cancel".to_string()),
    }
}

/// Paths of tasks count from the folder where the campaign was begun.
fn enter(campaign: &Campaign) -> Result<(), String> {
    let folder = &campaign.description.folder;
    std::env::set_current_dir(folder).map_err(|e| format!("cannot enter {}: {e}", folder.display()))
}

/// What a job of a cluster does. A warning of the end (SIGUSR1) is obeyed by beginning nothing new.
fn run_shard(campaign: &Campaign, shard: usize) -> Result<u8, String> {
    campaign.demand_same_build()?;
    enter(campaign)?;
    let stop = Arc::new(AtomicBool::new(false));
    signal_hook::flag::register(signal_hook::consts::SIGUSR1, stop.clone())
        .map_err(|e| format!("cannot listen to SIGUSR1: {e}"))?;
    let done = campaign.run_shard(shard, &stop, &Progress::silent())?;
    Ok(if done { exit::HOLDS } else { exit::TRY_AGAIN })
}

/// Runs or submits whatever has no result and no job.
fn go_on(campaign: &Campaign, args: &BenchArgs) -> Result<u8, String> {
    campaign.demand_same_build()?;
    match args.on {
        Place::Local => {
            // The files that are asked for are named from where the user is.
            let here = std::env::current_dir().map_err(|e| format!("cannot find the current folder: {e}"))?;
            enter(campaign)?;
            let progress = Progress::of(campaign)?;
            for shard in campaign.unfinished() {
                if !campaign.run_shard(shard, &AtomicBool::new(false), &progress)? {
                    eprintln!(
                        "craig: interrupted; `craig bench --campaign {} --resume` continues",
                        campaign.folder.display()
                    );
                    return Ok(exit::UNKNOWN);
                }
            }
            progress.end();
            std::env::set_current_dir(&here).map_err(|e| format!("cannot enter {}: {e}", here.display()))?;
            merge(campaign, args)
        }
        Place::Slurm => {
            submit_rest(campaign, args)?;
            if args.wait { wait(campaign, args) } else { Ok(exit::HOLDS) }
        }
    }
}

/// Submits the shards that are neither done nor in the hands of the cluster; how many there were.
fn submit_rest(campaign: &Campaign, args: &BenchArgs) -> Result<usize, String> {
    let live = slurm::live(campaign)?;
    let rest: Vec<usize> = campaign.unfinished().into_iter().filter(|k| !live.contains(k)).collect();
    if !rest.is_empty() {
        let arrays = slurm::submit(campaign, &rest, &args.sbatch)?;
        let folder = campaign.folder.display();
        eprintln!(
            "submitted {} shards as {arrays} arrays; `craig bench --campaign {folder} --status` tells more",
            rest.len()
        );
    }
    Ok(rest.len())
}

/// How often shards that the cluster lost are submitted again without any new result.
const MAX_ROUNDS_WITHOUT_PROGRESS: usize = 3;

/// Waits for the cluster. A controller that does not answer is asked again.
fn wait(campaign: &Campaign, args: &BenchArgs) -> Result<u8, String> {
    let budget = Budget::unlimited();
    limits::cancel_on_interrupt(&budget);
    let progress = Progress::of(campaign)?;
    let (mut vain, mut known, mut pause) = (0, 0, Duration::from_millis(200));
    while !campaign.unfinished().is_empty() {
        let until = std::time::Instant::now() + pause;
        while std::time::Instant::now() < until {
            if budget.check_now().is_err() {
                eprintln!("craig: the jobs go on; --resume --wait waits again, --cancel ends them");
                return Ok(exit::UNKNOWN);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        pause = (pause * 2).min(Duration::from_secs(15));
        let merged = campaign.merge()?;
        progress.set(&merged.results.tasks);
        // Shards first, jobs then: a shard that ends in between is done, not lost.
        let unfinished = campaign.unfinished();
        let Ok(live) = slurm::live(campaign) else { continue };
        if unfinished.iter().all(|k| live.contains(k) || campaign.is_done(*k)) {
            continue;
        }
        vain = if merged.results.tasks.len() > known { 0 } else { vain + 1 };
        known = merged.results.tasks.len();
        if vain > MAX_ROUNDS_WITHOUT_PROGRESS {
            return Err(format!("the cluster loses its jobs; look at {}/rounds/*.log", campaign.folder.display()));
        }
        submit_rest(campaign, args)?;
        pause = Duration::from_millis(200);
    }
    progress.end();
    merge(campaign, args)
}

fn print_status(campaign: &Campaign, args: &BenchArgs) -> Result<u8, String> {
    let merged = campaign.merge()?;
    let (results, d) = (&merged.results.tasks, &campaign.description);
    let unfinished = campaign.unfinished().len();
    println!("campaign {} of build {}", d.id, d.build.chars().take(12).collect::<String>());
    println!("tasks    {} of {} have a result, {} results doubled", results.len(), d.n_tasks, merged.doubled);
    println!("shards   {} of {} done", d.n_shards - unfinished, d.n_shards);
    let progress = Progress::of(campaign)?;
    println!("work     {}", progress.summary(results));
    if args.on == Place::Slurm || campaign.folder.join("rounds").exists() {
        match slurm::live(campaign) {
            Ok(live) => println!("jobs     {} waiting or running", live.len()),
            Err(message) => println!("jobs     not known: {message}"),
        }
    }
    Ok(if merged.contradictions.is_empty() { exit::HOLDS } else { exit::CONTRADICTION })
}

/// Prints and writes the one result of every task.
fn merge(campaign: &Campaign, args: &BenchArgs) -> Result<u8, String> {
    let merged = campaign.merge()?;
    write_results(&merged.results, args)?;
    if merged.doubled > 0 {
        println!("{} results came twice; the first of each counts", merged.doubled);
    }
    for contradiction in &merged.contradictions {
        eprintln!("craig: contradicting results: {contradiction}");
    }
    if merged.missing > 0 {
        eprintln!(
            "craig: {} of {} tasks have no result; --resume continues",
            merged.missing, campaign.description.n_tasks
        );
    }
    Ok(if !merged.contradictions.is_empty() {
        exit::CONTRADICTION
    } else if merged.results.has_wrong() {
        exit::VIOLATED
    } else if merged.missing > 0 {
        exit::UNKNOWN
    } else {
        exit::HOLDS
    })
}

fn arguments(task: &Task, args: &BenchArgs) -> Result<CheckArgs, String> {
    let data_model = Some(task.data_model()?);
    let (engine, timeout, memory) = (args.engine.clone(), args.timeout, args.memory);
    let mut own = CheckArgs { engine, data_model, timeout, memory, ..CheckArgs::of(&task.file) };
    own.c.define.clone_from(&args.define);
    Ok(own)
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
    Outcome { host: crate::host::name(), ..rated(task, worker::run_measured(job, &|| budget.check_now().is_err())) }
}

/// What a check that ended means for its task.
fn rated(task: &Task, ended: Ended) -> Outcome {
    let found = ended.found;
    let result = match found.problems.first() {
        Some(problem) => format!("error({})", problem.message),
        None => found.result.to_string(),
    };
    let status = rate(&found.result, task.expected.as_deref());
    Outcome {
        task: task.definition.display().to_string(),
        file: task.file.display().to_string(),
        property: task.property.name().to_string(),
        expected: task.expected.clone(),
        result,
        status,
        points: status.points(),
        wall_seconds: found.wall_seconds,
        cpu_seconds: ended.cpu_seconds,
        memory_bytes: ended.memory_bytes,
        host: String::new(),
        category: task.category.clone(),
        engine: found.engine,
    }
}

fn plot(path: &Path, runs: &[(String, &Results)]) -> Result<(), String> {
    let solved = |r: &Results| r.tasks.iter().filter(|t| t.status.is_correct()).map(|t| t.wall_seconds).collect();
    let curves: Vec<(String, Vec<f64>)> = runs.iter().map(|(name, r)| (name.clone(), solved(r))).collect();
    std::fs::write(path, report::chart::quantile_plot("Correctly solved tasks", &curves))
        .map_err(|e| format!("cannot write {}: {e}", path.display()))
}
