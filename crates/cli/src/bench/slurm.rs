//! Campaigns on a Slurm cluster.
//!
//! Slurm runs a job at least once, and a controller that dies soon after `sbatch` loses the job: a printed number does
//! not prove that a job exists. So the intent to submit is written down before the submission, and the remaining work
//! is always what has no `done` file and no live job ([`live`]).

use super::campaign::Campaign;
use crate::slurm::{run, sbatch};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::Write;

/// Job arrays are no longer than this where the cluster does not say.
const DEFAULT_ARRAY: usize = 1001;

/// An entry of `submissions.jsonl`.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum Event<'a> {
    Intent { name: &'a str, shards: usize },
    Submitted { name: &'a str, job: &'a str },
}

/// Submits shards as job arrays and gives the number of arrays.
pub(super) fn submit(campaign: &Campaign, shards: &[usize], options: &str) -> Result<usize, String> {
    let options = shlex::split(options).ok_or("--sbatch: a quote is never closed")?;
    let round = rounds(campaign).len();
    let size = max_array_size();
    let mut n_arrays = 0;
    for (part, chunk) in shards.chunks(size).enumerate() {
        let name = format!("{}{round}-{part}", prefix(campaign));
        let list: String = chunk.iter().map(|k| format!("{k}\n")).collect();
        let path = campaign.folder.join("rounds").join(format!("{name}.txt"));
        let cannot = |e: std::io::Error| format!("cannot write {}: {e}", path.display());
        std::fs::create_dir_all(campaign.folder.join("rounds")).map_err(cannot)?;
        std::fs::write(&path, list).map_err(cannot)?;
        log(campaign, &Event::Intent { name: &name, shards: chunk.len() })?;
        let job = sbatch(&script(campaign, &name, chunk.len())?, &options)?;
        log(campaign, &Event::Submitted { name: &name, job: &job })?;
        n_arrays += 1;
    }
    Ok(n_arrays)
}

/// The shards that have a job, waiting or running.
pub(super) fn live(campaign: &Campaign) -> Result<BTreeSet<usize>, String> {
    let rounds = rounds(campaign);
    if rounds.is_empty() {
        return Ok(BTreeSet::new());
    }
    let text = run("squeue", &["--noheader", "--array", "--format=%j %K %T", &format!("--name={}", rounds.join(","))])?;
    let mut live = BTreeSet::new();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let (Some(name), Some(index), Some(state)) = (words.next(), words.next(), words.next()) else { continue };
        if matches!(state, "COMPLETED" | "CANCELLED" | "FAILED" | "TIMEOUT") {
            continue;
        }
        let list = std::fs::read_to_string(campaign.folder.join("rounds").join(format!("{name}.txt")));
        let shard: Option<usize> = index.parse::<usize>().ok().and_then(|i| list.ok()?.lines().nth(i)?.parse().ok());
        live.extend(shard);
    }
    Ok(live)
}

/// Cancels all jobs of the campaign.
pub(super) fn cancel(campaign: &Campaign) -> Result<(), String> {
    for name in rounds(campaign) {
        run("scancel", &[&format!("--name={name}")])?;
    }
    Ok(())
}

/// What the names of the campaign's jobs begin with.
fn prefix(campaign: &Campaign) -> String {
    format!("craig-{}-", campaign.description.id)
}

/// The names of all arrays that were ever meant to be submitted.
fn rounds(campaign: &Campaign) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(campaign.folder.join("rounds")) else { return Vec::new() };
    let mut names: Vec<String> =
        entries.flatten().filter_map(|e| Some(e.file_name().to_str()?.strip_suffix(".txt")?.to_string())).collect();
    names.sort();
    names
}

/// The job script: element `i` of the array runs the shard of line `i`.
fn script(campaign: &Campaign, name: &str, n: usize) -> Result<String, String> {
    let d = &campaign.description;
    let program = std::env::current_exe().map_err(|e| format!("cannot find craig: {e}"))?;
    let limit = d.timeout_ms.div_ceil(1000);
    // Slurm counts minutes, and is the outer fence only: every task keeps its own limits exactly.
    let warning = limit + 60;
    let minutes = ((campaign.longest_shard_seconds()? + warning as f64) / 60.0).ceil() as u64 + 1;
    let megabytes = (d.memory as usize * d.jobs).div_ceil(1_000_000) + 1_000;
    let cores = d.jobs * d.engine_jobs;
    let last = n - 1;
    let quote = |s: &str| shlex::try_quote(s).map(|q| q.into_owned()).map_err(|e| format!("{s}: {e}"));
    let folder = quote(&campaign.folder.to_string_lossy())?;
    let program = quote(&program.to_string_lossy())?;
    let log = quote(&campaign.folder.join("rounds").join(format!("{name}-%a.log")).to_string_lossy())?;
    Ok(format!(
        "#!/bin/sh\n\
         #SBATCH --job-name={name}\n\
         #SBATCH --array=0-{last}\n\
         #SBATCH --requeue --open-mode=append --output={log}\n\
         #SBATCH --ntasks=1 --cpus-per-task={cores} --mem={megabytes} --time={minutes} --signal=B:USR1@{warning}\n\
         shard=$(sed -n \"$((SLURM_ARRAY_TASK_ID + 1))p\" {folder}/rounds/{name}.txt)\n\
         exec {program} bench --campaign {folder} --shard \"$shard\"\n"
    ))
}

fn max_array_size() -> usize {
    let text = run("scontrol", &["show", "config"]).unwrap_or_default();
    let line = text.lines().find_map(|l| l.strip_prefix("MaxArraySize"));
    line.and_then(|l| l.trim_start_matches([' ', '=']).trim().parse().ok()).unwrap_or(DEFAULT_ARRAY).max(1)
}

fn log(campaign: &Campaign, event: &Event) -> Result<(), String> {
    let path = campaign.folder.join("submissions.jsonl");
    let line = serde_json::to_string(event).map_err(|e| e.to_string())? + "\n";
    let write = || -> std::io::Result<()> {
        let mut file = OpenOptions::new().create(true).append(true).open(&path)?;
        file.write_all(line.as_bytes())?;
        file.sync_all()
    };
    write().map_err(|e| format!("cannot write {}: {e}", path.display()))
}
