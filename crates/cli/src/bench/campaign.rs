//! Campaigns: many tasks whose results are collected in a folder, whoever runs them and whatever dies meanwhile.
//!
//! ```text
//! DIR/campaign.json                  what is run: build, options, limits; never changes
//! DIR/plan/<k>.jsonl                 the tasks of shard k, with the contents of their files (as hashes)
//! DIR/submissions.jsonl              what was submitted to a cluster: intent first, then the job's number; only a log
//! DIR/rounds/<name>.txt              the shards of a submitted array, by index; beside it the logs of its jobs
//! DIR/shards/<k>/a-<job>-<restart>-<host>-<pid>-<n>.jsonl   results; one writer a file, one write and fsync a result
//! DIR/shards/<k>/done                appears by rename when every task of the shard has a result
//! ```
//!
//! A cluster runs jobs at least once, loses a few and doubles others. That there is exactly one result for each task
//! comes from these files: a shard runs the tasks that no attempt has a result for, and of several results for a task
//! the first by the name of its file counts. A result is final, *unknown* and bad input too; only what the machine
//! broke (the process could not be started, or was killed from outside) is tried again, twice. What was cancelled is
//! never recorded.

use super::score::{Outcome, Results, VERSION, contradict};
use super::task::Task;
use super::{Progress, arguments, rated};
use crate::args::BenchArgs;
use crate::worker::{self, Cause, Job};
use crate::{host, property};
use base::Budget;
use report::sha256;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The version of the folder's layout.
const LAYOUT: u32 = 1;

/// What a campaign runs. Written once.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Description {
    pub(super) version: u32,
    /// Names the campaign's jobs on a cluster.
    pub(super) id: String,
    pub(super) build: String,
    /// Where paths of tasks count from.
    pub(super) folder: PathBuf,
    pub(super) engine: String,
    pub(super) timeout_ms: u64,
    pub(super) memory: u64,
    /// Tasks at once in one shard.
    pub(super) jobs: usize,
    pub(super) engine_jobs: usize,
    pub(super) n_shards: usize,
    pub(super) n_tasks: usize,
    /// Macros as `-D` gives them.
    #[serde(default)]
    pub(super) define: Vec<String>,
}

/// A task of a shard.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Planned {
    task: PathBuf,
    file: PathBuf,
    property: String,
    expected: Option<String>,
    data_model: Option<String>,
    category: String,
    /// Of the program.
    sha256: String,
    predicted_seconds: f64,
}

impl Planned {
    fn key(&self) -> Key {
        (self.task.display().to_string(), self.property.clone())
    }
}

/// A task definition and a property.
type Key = (String, String);

/// A result in an attempt's file.
#[derive(Serialize, Deserialize)]
struct Record {
    property_argument: String,
    outcome: Outcome,
}

/// How long the shards that are planned for a cluster should take.
const SHARD_SECONDS: f64 = 400.0;

/// How often a task that the machine broke is run.
const ATTEMPTS: usize = 3;

/// A campaign in its folder.
pub(super) struct Campaign {
    pub(super) folder: PathBuf,
    pub(super) description: Description,
}

impl Campaign {
    /// Plans a campaign in a folder that must not hold one.
    pub(super) fn create(folder: &Path, tasks: &[Task], args: &BenchArgs) -> Result<Campaign, String> {
        let shown = folder.display();
        std::fs::create_dir_all(folder).map_err(|e| format!("cannot make {shown}: {e}"))?;
        let folder = folder.canonicalize().map_err(|e| format!("cannot find {shown}: {e}"))?;
        if folder.join("campaign.json").exists() {
            return Err(format!("{shown} holds a campaign already; use --resume or --status, or another folder"));
        }
        let known = match &args.predict {
            Some(path) => super::compare::load_results(path)?,
            None => Results::empty(),
        };
        let known: BTreeMap<(&str, &str), f64> =
            known.tasks.iter().map(|o| ((o.task.as_str(), o.property.as_str()), o.cpu_seconds)).collect();
        let limit = args.timeout.as_secs_f64();
        let mut planned = Vec::new();
        for task in tasks {
            // An unknown data model is reported now, not later by a job.
            arguments(task, args)?;
            let name = task.definition.display().to_string();
            let bytes =
                std::fs::read(&task.file).map_err(|e| format!("{name}: cannot read {}: {e}", task.file.display()))?;
            let predicted = known.get(&(name.as_str(), task.property.name())).copied();
            planned.push(Planned {
                task: task.definition.clone(),
                file: task.file.clone(),
                property: worker::property_argument(&task.property),
                expected: task.expected.clone(),
                data_model: task.data_model.clone(),
                category: task.category.clone(),
                sha256: sha256::hex(&bytes),
                predicted_seconds: predicted.unwrap_or_else(|| seconds_by_size(bytes.len(), limit)),
            });
        }
        let total: f64 = planned.iter().map(|p| p.predicted_seconds).sum();
        let wanted = args.shards.unwrap_or_else(|| {
            let shard = SHARD_SECONDS * args.jobs.max(1) as f64;
            (total / shard).ceil().max(1.0) as usize
        });
        let shards = deal(planned, wanted.max(1));
        let plans: Vec<String> = shards.iter().map(|shard| json_lines(shard)).collect();
        let plan_sha256 = sha256::hex(plans.concat().as_bytes());
        let here = std::env::current_dir().map_err(|e| format!("cannot find the current folder: {e}"))?;
        let moment = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        let id = sha256::hex(format!("{} {moment:?} {} {plan_sha256}", host::name(), std::process::id()).as_bytes());
        let description = Description {
            version: LAYOUT,
            id: id.chars().take(10).collect(),
            build: crate::cache::BUILD_ID.to_string(),
            folder: here,
            engine: args.engine.clone(),
            timeout_ms: args.timeout.as_millis() as u64,
            memory: args.memory,
            jobs: args.jobs.max(1),
            engine_jobs: args.engine_jobs.max(1),
            n_shards: shards.len(),
            n_tasks: tasks.len(),
            define: args.define.clone(),
        };
        let campaign = Campaign { folder, description };
        let made = |e: std::io::Error| format!("cannot write {shown}: {e}");
        std::fs::create_dir_all(campaign.folder.join("plan")).map_err(made)?;
        for (k, plan) in plans.iter().enumerate() {
            std::fs::write(campaign.plan(k), plan).map_err(made)?;
            std::fs::create_dir_all(campaign.shard(k)).map_err(made)?;
        }
        // Last: a folder with a description has all its plans.
        let text = serde_json::to_string_pretty(&campaign.description).map_err(|e| e.to_string())? + "\n";
        host::write_by_rename(&campaign.folder.join("campaign.json"), &text).map_err(made)?;
        Ok(campaign)
    }

    /// The campaign that a folder holds, whichever build planned it ([`Campaign::demand_same_build`]).
    pub(super) fn open(folder: &Path) -> Result<Campaign, String> {
        let path = folder.join("campaign.json");
        let shown = path.display();
        let text = std::fs::read_to_string(&path)
            .map_err(|e| format!("cannot read {shown}: {e}; `craig bench TASKS --campaign DIR` begins a campaign"))?;
        let description: Description =
            serde_json::from_str(&text).map_err(|e| format!("{shown}: not a campaign: {e}"))?;
        if description.version != LAYOUT {
            return Err(format!("{shown}: version {} of the folder, this craig knows {LAYOUT}", description.version));
        }
        let folder = folder.canonicalize().map_err(|e| format!("cannot find {}: {e}", folder.display()))?;
        Ok(Campaign { folder, description })
    }

    /// Results of two builds are not mixed.
    pub(super) fn demand_same_build(&self) -> Result<(), String> {
        if self.description.build == crate::cache::BUILD_ID {
            return Ok(());
        }
        Err(format!("{}: planned by another build of craig; go on with that one", self.folder.display()))
    }

    fn plan(&self, shard: usize) -> PathBuf {
        self.folder.join("plan").join(format!("{shard}.jsonl"))
    }

    fn shard(&self, shard: usize) -> PathBuf {
        self.folder.join("shards").join(shard.to_string())
    }

    pub(super) fn is_done(&self, shard: usize) -> bool {
        self.shard(shard).join("done").exists()
    }

    pub(super) fn unfinished(&self) -> Vec<usize> {
        (0..self.description.n_shards).filter(|&k| !self.is_done(k)).collect()
    }

    fn planned(&self, shard: usize) -> Result<Vec<Planned>, String> {
        let path = self.plan(shard);
        let shown = path.display();
        let text = std::fs::read_to_string(&path).map_err(|e| format!("cannot read {shown}: {e}"))?;
        text.lines().map(|l| serde_json::from_str(l).map_err(|e| format!("{shown}: not a plan: {e}"))).collect()
    }

    /// All results of a shard, by attempts in the order of their names. A last line without an end was cut off by a
    /// crash and does not count.
    fn records(&self, shard: usize) -> Result<Vec<Record>, String> {
        let folder = self.shard(shard);
        let entries = std::fs::read_dir(&folder).map_err(|e| format!("cannot read {}: {e}", folder.display()))?;
        let mut attempts: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
        attempts.retain(|p| p.extension().is_some_and(|e| e == "jsonl"));
        attempts.sort();
        let mut records = Vec::new();
        for path in attempts {
            let shown = path.display();
            let text = std::fs::read_to_string(&path).map_err(|e| format!("cannot read {shown}: {e}"))?;
            for line in text.split_inclusive('\n').filter(|l| l.ends_with('\n')) {
                records.push(serde_json::from_str(line).map_err(|e| format!("{shown}: not a result: {e}"))?);
            }
        }
        Ok(records)
    }

    /// Runs the remaining tasks of a shard. `stop` asks to begin nothing new; says whether the shard is done then.
    pub(super) fn run_shard(&self, shard: usize, stop: &AtomicBool, progress: &Progress) -> Result<bool, String> {
        if self.is_done(shard) {
            return Ok(true);
        }
        if shard >= self.description.n_shards {
            let n = self.description.n_shards;
            return Err(format!("{}: there are {n} shards, counted from 0", self.folder.display()));
        }
        let mut planned = self.planned(shard)?;
        let known: BTreeSet<Key> =
            self.records(shard)?.into_iter().map(|r| (r.outcome.task, r.property_argument)).collect();
        planned.retain(|p| !known.contains(&p.key()));
        planned.sort_by(|a, b| b.predicted_seconds.total_cmp(&a.predicted_seconds));
        let attempt = Mutex::new(self.new_attempt(shard)?);
        let budget = Budget::unlimited();
        crate::limits::cancel_on_interrupt(&budget);
        let next = AtomicUsize::new(0);
        let problem: Mutex<Option<String>> = Mutex::new(None);
        let work = || {
            while !stop.load(Ordering::Relaxed) && budget.check_now().is_ok() {
                let Some(planned) = planned.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
                let result = self.run_planned(planned, &budget).and_then(|record| match record {
                    Some(record) => append(&attempt, &record).map(|()| progress.add(&record.outcome)),
                    None => Ok(()),
                });
                if let Err(message) = result {
                    *lock(&problem) = Some(message);
                    budget.cancel();
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..self.description.jobs {
                scope.spawn(work);
            }
        });
        if let Some(message) = lock(&problem).take() {
            return Err(message);
        }
        self.finish(shard)
    }

    /// Marks a shard whose tasks all have results.
    fn finish(&self, shard: usize) -> Result<bool, String> {
        let known: BTreeSet<Key> =
            self.records(shard)?.into_iter().map(|r| (r.outcome.task, r.property_argument)).collect();
        if !self.planned(shard)?.iter().all(|p| known.contains(&p.key())) {
            return Ok(false);
        }
        let done = self.shard(shard).join("done");
        host::write_by_rename(&done, "").map_err(|e| format!("cannot write {}: {e}", done.display()))?;
        Ok(true)
    }

    fn new_attempt(&self, shard: usize) -> Result<File, String> {
        let variable = |name: &str| std::env::var(name).unwrap_or_else(|_| "0".to_string());
        let (job, restart) = (variable("SLURM_JOB_ID"), variable("SLURM_RESTART_COUNT"));
        let pid = std::process::id();
        for again in 0..1000 {
            let name = format!("a-{job}-{restart}-{}-{pid}-{again}.jsonl", host::name());
            let path = self.shard(shard).join(name);
            match OpenOptions::new().create_new(true).append(true).open(&path) {
                Ok(file) => return Ok(file),
                Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(format!("cannot write {}: {e}", path.display())),
            }
        }
        Err(format!("{}: a thousand attempts by this process", self.shard(shard).display()))
    }

    /// Runs one task; nothing if it was cancelled.
    fn run_planned(&self, planned: &Planned, budget: &Budget) -> Result<Option<Record>, String> {
        let task = Task {
            definition: planned.task.clone(),
            file: planned.file.clone(),
            property: property::parse(&planned.property)?,
            expected: planned.expected.clone(),
            data_model: planned.data_model.clone(),
            category: planned.category.clone(),
        };
        let content = std::fs::read(&task.file).map_err(|e| format!("cannot read {}: {e}", task.file.display()))?;
        if sha256::hex(&content) != planned.sha256 {
            let file = task.file.display();
            return Err(format!("{file}: changed since the campaign was planned; begin another campaign"));
        }
        let args = BenchArgs {
            engine: self.description.engine.clone(),
            timeout: std::time::Duration::from_millis(self.description.timeout_ms),
            memory: self.description.memory,
            define: self.description.define.clone(),
            ..BenchArgs::default()
        };
        let job = Job::new(&task.file, &task.property, &arguments(&task, &args)?, self.description.engine_jobs);
        for attempt in 1.. {
            let ended = worker::run_measured(&job, &|| budget.check_now().is_err());
            if ended.cause == Cause::Cancelled {
                return Ok(None);
            }
            let broken = ended.cause == Cause::Machine;
            if broken && attempt < ATTEMPTS {
                continue;
            }
            let mut outcome = rated(&task, ended);
            if broken {
                outcome.result = format!("error(infrastructure: {})", outcome.result);
            }
            outcome.host = host::name();
            return Ok(Some(Record { property_argument: planned.property.clone(), outcome }));
        }
        Ok(None)
    }

    /// The one result of each task, and what is wrong with them as a whole.
    pub(super) fn merge(&self) -> Result<Merged, String> {
        let mut merged =
            Merged { results: self.results(Vec::new()), missing: 0, doubled: 0, contradictions: Vec::new() };
        for shard in 0..self.description.n_shards {
            let mut by_key: BTreeMap<Key, Outcome> = BTreeMap::new();
            for Record { property_argument, outcome } in self.records(shard)? {
                let key = (outcome.task.clone(), property_argument);
                match by_key.get(&key) {
                    None => {
                        by_key.insert(key, outcome);
                    }
                    Some(first) => {
                        merged.doubled += 1;
                        if contradict(&first.result, &outcome.result) {
                            let (task, property) = &key;
                            let (a, b) = (&first.result, &outcome.result);
                            let (here, there) = (&first.host, &outcome.host);
                            merged.contradictions.push(format!("{task} ({property}): {a} on {here}, {b} on {there}"));
                        }
                    }
                }
            }
            for planned in self.planned(shard)? {
                match by_key.remove(&planned.key()) {
                    Some(outcome) => merged.results.tasks.push(outcome),
                    None => merged.missing += 1,
                }
            }
        }
        merged.results.tasks.sort_by(|a, b| (&a.task, &a.property).cmp(&(&b.task, &b.property)));
        Ok(merged)
    }

    fn results(&self, tasks: Vec<Outcome>) -> Results {
        let d = &self.description;
        Results {
            version: VERSION,
            craig: env!("CARGO_PKG_VERSION").to_string(),
            build: d.build.clone(),
            engine: d.engine.clone(),
            timeout_seconds: d.timeout_ms as f64 / 1000.0,
            memory_bytes: d.memory,
            tasks,
        }
    }

    /// How long the whole is predicted to take, in seconds of tasks.
    pub(super) fn predicted_seconds(&self) -> Result<f64, String> {
        let mut sum = 0.0;
        for shard in 0..self.description.n_shards {
            sum += self.planned(shard)?.iter().map(|p| p.predicted_seconds).sum::<f64>();
        }
        Ok(sum)
    }

    /// The longest that one shard can take.
    pub(super) fn longest_shard_seconds(&self) -> Result<f64, String> {
        let limit = self.description.timeout_ms as f64 / 1000.0 + 6.0;
        let mut longest = 0usize;
        for shard in 0..self.description.n_shards {
            longest = longest.max(self.planned(shard)?.len());
        }
        Ok(longest.div_ceil(self.description.jobs) as f64 * limit * ATTEMPTS as f64)
    }
}

/// The results of a campaign.
pub(super) struct Merged {
    pub(super) results: Results,
    /// Tasks without a result.
    pub(super) missing: usize,
    /// Results beyond the first of their task.
    pub(super) doubled: usize,
    /// Tasks that one attempt proved and another refuted.
    pub(super) contradictions: Vec<String>,
}

/// Without an earlier campaign the size of the program is the only hint; it stays within the limit.
fn seconds_by_size(bytes: usize, limit: f64) -> f64 {
    (0.05 + bytes as f64 / 20_000.0).min(limit)
}

/// Deals tasks to shards, the longest first, each to the shard with the least work. No shard stays empty.
fn deal(mut planned: Vec<Planned>, wanted: usize) -> Vec<Vec<Planned>> {
    let n_shards = wanted.min(planned.len()).max(1);
    planned.sort_by(|a, b| b.predicted_seconds.total_cmp(&a.predicted_seconds));
    let mut shards: Vec<(f64, Vec<Planned>)> = vec![(0.0, Vec::new()); n_shards];
    for task in planned {
        let least = shards.iter_mut().min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.len().cmp(&b.1.len())));
        if let Some((seconds, tasks)) = least {
            *seconds += task.predicted_seconds;
            tasks.push(task);
        }
    }
    shards.into_iter().map(|(_, tasks)| tasks).collect()
}

fn json_lines<T: Serialize>(items: &[T]) -> String {
    items.iter().map(|item| serde_json::to_string(item).unwrap_or_default() + "\n").collect()
}

/// One write and one fsync: a result is there or not.
fn append(file: &Mutex<File>, record: &Record) -> Result<(), String> {
    let line = serde_json::to_string(record).map_err(|e| e.to_string())? + "\n";
    let mut file = lock(file);
    file.write_all(line.as_bytes()).and_then(|()| file.sync_data()).map_err(|e| format!("cannot write a result: {e}"))
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planned(name: &str, seconds: f64) -> Planned {
        Planned {
            task: PathBuf::from(name),
            file: PathBuf::new(),
            property: "unreach-call".to_string(),
            expected: None,
            data_model: None,
            category: String::new(),
            sha256: String::new(),
            predicted_seconds: seconds,
        }
    }

    #[test]
    fn shards_are_even_and_none_is_empty() {
        let tasks: Vec<Planned> = (0..40).map(|i| planned(&i.to_string(), f64::from(i % 7 + 1))).collect();
        let total: f64 = tasks.iter().map(|t| t.predicted_seconds).sum();
        for n in [1, 3, 8, 40, 100] {
            let shards = deal(tasks.clone(), n);
            assert_eq!(shards.len(), n.min(40));
            assert_eq!(shards.iter().map(Vec::len).sum::<usize>(), 40);
            for shard in &shards {
                let seconds: f64 = shard.iter().map(|t| t.predicted_seconds).sum();
                // Longest first, to the least loaded: within one task of the average.
                assert!(!shard.is_empty() && seconds <= total / shards.len() as f64 + 7.0, "{seconds}");
            }
        }
    }
}
