//! `craig check --on slurm FILE`: one hard program, one job for each engine.
//!
//! Every job checks the program with one engine, certificate and replay included. The first with a definite answer
//! claims it by a hard link, which fails if there is one already, and cancels the others. The working folder is made in
//! the current one, which the nodes must share.

use crate::args::CheckArgs;
use crate::exit::usage_error;
use crate::worker::Job;
use crate::{host, limits, show, slurm};
use base::Budget;
use ir::Property;
use report::FileResult;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(crate) fn run(file: &Path, property: &Property, args: &CheckArgs) -> u8 {
    let folder = PathBuf::from(format!(".craig-{}-{}", host::name(), std::process::id()));
    let answer = std::fs::create_dir(&folder)
        .map_err(|e| format!("cannot make {}: {e}", folder.display()))
        .and_then(|()| ask(&folder, file, property, args));
    let _ = std::fs::remove_dir_all(&folder);
    match answer {
        Err(message) => usage_error(&message),
        Ok(found) => {
            let document = show::document(&found, args.format, args.stats);
            show::print(&document, &found, args.format);
            found.kind().exit_status()
        }
    }
}

/// The engines that may answer, the whole portfolio first.
fn strategies(property: &Property, args: &CheckArgs) -> Vec<String> {
    if args.engine != "auto" {
        return vec![args.engine.clone()];
    }
    let supported = engine::engines().iter().filter(|e| e.supports(property)).map(|e| e.name().to_string()).collect();
    [vec!["auto".to_string()], supported].concat()
}

/// Submits the jobs and waits for the first answer.
fn ask(folder: &Path, file: &Path, property: &Property, args: &CheckArgs) -> Result<FileResult, String> {
    let quote = |s: &str| shlex::try_quote(s).map(|q| q.into_owned()).map_err(|e| format!("{s}: {e}"));
    let program = std::env::current_exe().map_err(|e| format!("cannot find craig: {e}"))?;
    let here = std::env::current_dir().map_err(|e| format!("cannot find the current folder: {e}"))?;
    let strategies = strategies(property, args);
    let mut cases = String::new();
    for (k, engine) in strategies.iter().enumerate() {
        let job = Job::new(file, property, &CheckArgs { engine: engine.clone(), ..args.clone() }, 1);
        // Without its first argument, which ties it to a parent.
        let words = job.arguments.iter().skip(1).map(|a| quote(&a.to_string_lossy())).collect::<Result<Vec<_>, _>>()?;
        cases.push_str(&format!("{k}) set -- {} ;;\n", words.join(" ")));
    }
    let minutes = args.timeout.as_secs() / 60 + 3;
    let megabytes = args.memory / 1_000_000 + 1_000;
    let script = format!(
        "#!/bin/sh\n\
         #SBATCH --job-name=craig-check --array=0-{last} --output=/dev/null --no-requeue\n\
         #SBATCH --ntasks=1 --cpus-per-task=1 --mem={megabytes} --time={minutes} --chdir={here}\n\
         case $SLURM_ARRAY_TASK_ID in\n{cases}esac\n\
         cd {folder}/.. || exit 2\n\
         {program} \"$@\" >{folder}/$SLURM_ARRAY_TASK_ID.draft\n\
         status=$?\n\
         mv {folder}/$SLURM_ARRAY_TASK_ID.draft {folder}/$SLURM_ARRAY_TASK_ID.json\n\
         case $status in 0|1)\n\
         ln {folder}/$SLURM_ARRAY_TASK_ID.json {folder}/answer && scancel $SLURM_ARRAY_JOB_ID ;;\n\
         esac\n\
         exit 0\n",
        last = strategies.len() - 1,
        here = quote(&here.to_string_lossy())?,
        folder = quote(&here.join(folder).to_string_lossy())?,
        program = quote(&program.to_string_lossy())?,
    );
    let job = slurm::sbatch(&script, &[])?;
    let budget = Budget::unlimited();
    limits::cancel_on_interrupt(&budget);
    let found = wait(folder, &job, strategies.len(), &budget);
    let _ = slurm::run("scancel", &[&job]);
    let why = ir::Reason::Incomplete("no job of the cluster answered".to_string());
    let none = || FileResult::unknown(&file.display().to_string(), property.name(), &why);
    Ok(found.unwrap_or_else(none))
}

/// The answer that was claimed, or what the first job says if all ended without one.
fn wait(folder: &Path, job: &str, n: usize, budget: &Budget) -> Option<FileResult> {
    let read = |name: &str| -> Option<FileResult> {
        let text = std::fs::read_to_string(folder.join(name)).ok()?;
        serde_json::Deserializer::from_str(&text).into_iter().next()?.ok()
    };
    let mut vanished = 0;
    loop {
        if let Some(found) = read("answer") {
            return Some(found);
        }
        let ended = (0..n).filter(|k| folder.join(format!("{k}.json")).exists()).count();
        if ended == n || budget.check_now().is_err() || vanished > 3 {
            return read("answer").or_else(|| (0..n).find_map(|k| read(&format!("{k}.json"))));
        }
        // A controller that does not answer is asked again; one that has no such job has lost it.
        let queue = slurm::run("squeue", &["--noheader", "--format=%T", &format!("--jobs={job}")]);
        let is_live = !queue.is_ok_and(|text| text.trim().is_empty());
        vanished = if is_live { 0 } else { vanished + 1 };
        std::thread::sleep(Duration::from_millis(500));
    }
}
