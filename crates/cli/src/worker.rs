//! One check in a process of its own.
//!
//! Whoever checks many programs (`craig check a.c b.c`, `craig bench`, `craig lsp`) starts `craig check --format json`
//! for each. So a time or memory limit, and even a crash, concerns that program alone, and cancelling is killing. The
//! child's one document is read back into the result model.

use crate::args::{Blocks, CArgs, CheckArgs, Complement, DataModel, Dialect, Globals, Integers};
use base::Stop;
use ir::{Property, Reason};
use report::{Answer, FileResult, Problem};
use std::ffi::OsString;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use wait4::Wait4;

/// A check to be run.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    pub file: String,
    pub property: String,
    /// The arguments of the child.
    pub arguments: Vec<OsString>,
    /// The time limit of the child, which keeps it itself.
    pub timeout: Duration,
}

impl Job {
    /// The check of a file and a property with given options, of which output, cache and collection are the parent's
    /// concern.
    pub(crate) fn new(file: &Path, property: &Property, args: &CheckArgs, jobs: usize) -> Job {
        // The child links the program itself.
        let args = args.linked_from.as_deref().unwrap_or(args);
        // Every field is named, so that a new option cannot be forgotten.
        let CheckArgs {
            files,
            link,
            target,
            linked_from: _,
            property: _,
            engine,
            data_model: _,
            integers,
            c: CArgs { include, define, linked: _, cpp, entry, pointers, globals, modular, malloc_may_fail, dialect },
            timeout,
            memory,
            svcomp: _,
            all: _,
            witness: _,
            harness: _,
            format: _,
            blocks,
            complement,
            jobs: _,
            paranoid,
            fair,
            stats: _,
            explain_plan: _,
            report: _,
            no_cache: _,
            on: _,
            baseline,
            update_baseline,
            fail_on: _,
            revision,
            buffer,
        } = args;
        let mut arguments: Vec<OsString> = vec!["--worker".into(), "check".into(), "--format".into(), "json".into()];
        let mut option = |name: &str, value: String| arguments.extend([OsString::from(name), OsString::from(value)]);
        option("--property", property_argument(property));
        option("--engine", engine.clone());
        option("--data-model", data_model_name(args.data_model()).to_string());
        option("--integers", integers_name(*integers).to_string());
        option("--timeout", format!("{}ms", timeout.as_millis()));
        option("--memory", memory.to_string());
        option("--jobs", jobs.max(1).to_string());
        if let Some(blocks) = blocks {
            option("--blocks", blocks_name(*blocks).to_string());
        }
        option("--complement", complement_name(*complement).to_string());
        if let Some(command) = cpp {
            option("--cpp", command.clone());
        }
        for function in entry {
            option("--entry", function.clone());
        }
        if let Some(pointers) = pointers {
            option("--pointers", pointers.to_string());
        }
        if *globals == Globals::Any {
            option("--globals", "any".to_string());
        }
        if let Some(dialect) = dialect {
            option("--dialect", dialect_name(*dialect).to_string());
        }
        for name in target {
            option("--target", name.clone());
        }
        for name in define {
            option("-D", name.clone());
        }
        for folder in include {
            arguments.extend([OsString::from("-I"), folder.as_os_str().to_owned()]);
        }
        if *modular {
            arguments.push("--modular".into());
        }
        if *malloc_may_fail {
            arguments.push("--malloc-may-fail".into());
        }
        if *paranoid {
            arguments.push("--paranoid".into());
        }
        if *fair {
            arguments.push("--fair".into());
        }
        if let Some(folder) = baseline {
            arguments.extend([OsString::from("--baseline"), folder.as_os_str().to_owned()]);
        }
        if *update_baseline {
            arguments.push("--update-baseline".into());
        }
        if let Some(revision) = revision {
            arguments.extend([OsString::from("--revision"), OsString::from(revision)]);
        }
        for text in buffer {
            arguments.extend([OsString::from("--buffer"), OsString::from(text)]);
        }
        arguments.extend(link.then(|| OsString::from("--link")));
        arguments.push(OsString::from("--"));
        match link {
            true => arguments.extend(files.iter().map(|f| f.as_os_str().to_owned())),
            false => arguments.push(file.as_os_str().to_owned()),
        }
        Job { file: file.display().to_string(), property: property.name().to_string(), arguments, timeout: *timeout }
    }
}

impl Job {
    /// The check of a new version with what is known of an old one.
    pub(crate) fn upgrade(old: &Path, new: &Path, property: &Property, args: &CheckArgs, jobs: usize) -> Job {
        let mut job = Job::new(new, property, args, jobs);
        for argument in &mut job.arguments {
            if argument == "check" {
                *argument = "upgrade".into();
                break;
            }
        }
        let last = job.arguments.len() - 1;
        job.arguments.insert(last, old.as_os_str().to_owned());
        // The old version has a limit of its own.
        job.timeout *= 2;
        job
    }
}

/// What to write for a property on the command line.
pub(crate) fn property_argument(property: &Property) -> String {
    match property {
        Property::Ltl(Some(formula)) => format!("ltl:{formula}"),
        Property::UnreachCallOf(function) => format!("unreach-call:{function}"),
        _ => property.name().to_string(),
    }
}

pub(crate) fn data_model_name(model: DataModel) -> &'static str {
    match model {
        DataModel::Ilp32 => "ILP32",
        DataModel::Lp64 => "LP64",
    }
}

fn dialect_name(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Boogie => "boogie",
        Dialect::Ultimate => "ultimate",
    }
}

pub(crate) fn integers_name(integers: Integers) -> &'static str {
    match integers {
        Integers::Int => "int",
        Integers::Bitvec => "bitvec",
        Integers::Auto => "auto",
    }
}

fn complement_name(complement: Complement) -> &'static str {
    match complement {
        Complement::None => "none",
        Complement::Auto => "auto",
        Complement::Ncsb => "ncsb",
        Complement::Rank => "rank",
    }
}

pub(crate) fn blocks_name(blocks: Blocks) -> &'static str {
    match blocks {
        Blocks::Off => "off",
        Blocks::Sequence => "sequence",
        Blocks::Large => "large",
    }
}

/// The polling interval for the child process.
const POLL: Duration = Duration::from_millis(4);

/// A child that is late by this much is ended: it is not even able to watch its own limits.
const PATIENCE: Duration = Duration::from_secs(5);

/// A check that ended, and what it cost.
#[derive(Debug)]
pub(crate) struct Ended {
    pub found: FileResult,
    /// Processor time and peak memory as the system counted them; zero if the child could not be started.
    pub cpu_seconds: f64,
    pub memory_bytes: u64,
    pub cause: Cause,
}

/// Why a check ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cause {
    /// It answered, or ran into its own limits: the same again would end the same.
    Itself,
    /// It was stopped by whoever asked.
    Cancelled,
    /// A failure of the machine: it could not be started, or was killed from outside. Another attempt may do better.
    Machine,
}

/// Runs a check until it ends or is cancelled.
pub(crate) fn run(job: &Job, cancelled: &dyn Fn() -> bool) -> FileResult {
    run_measured(job, cancelled).found
}

/// The same, with its cost.
pub(crate) fn run_measured(job: &Job, cancelled: &dyn Fn() -> bool) -> Ended {
    let began = Instant::now();
    let timed = |mut found: FileResult| {
        found.wall_seconds = began.elapsed().as_secs_f64();
        found
    };
    let unknown = |reason: Reason| timed(FileResult::unknown(&job.file, &job.property, &reason));
    let start = || -> std::io::Result<std::process::Child> {
        let mut command = Command::new(std::env::current_exe()?);
        // The child watches its standard input, which closes when this process ends (`limits::end_with_parent`).
        command.args(&job.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn()
    };
    let mut child = match start() {
        Ok(child) => child,
        Err(e) => {
            let found = unknown(Reason::Incomplete(format!("craig could not be started: {e}")));
            return Ended { found, cpu_seconds: 0.0, memory_bytes: 0, cause: Cause::Machine };
        }
    };
    // Both pipes are emptied all the time, or the child would wait for us.
    let reader = |pipe: Option<Box<dyn Read + Send>>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            if let Some(mut pipe) = pipe {
                let _ = pipe.read_to_end(&mut bytes);
            }
            String::from_utf8_lossy(&bytes).into_owned()
        })
    };
    let stdout = reader(child.stdout.take().map(|p| Box::new(p) as Box<dyn Read + Send>));
    let stderr = reader(child.stderr.take().map(|p| Box::new(p) as Box<dyn Read + Send>));
    // The pipes close when the child ends; only then is it waited for, which gives its cost.
    let stopped = loop {
        if cancelled() {
            break Some((Stop::Cancelled, Cause::Cancelled));
        }
        if began.elapsed() > job.timeout.saturating_add(job.timeout / 10).saturating_add(PATIENCE) {
            break Some((Stop::Timeout, Cause::Itself));
        }
        if stdout.is_finished() && stderr.is_finished() {
            break None;
        }
        std::thread::sleep(POLL);
    };
    if stopped.is_some() {
        let _ = child.kill();
    }
    let used = child.wait4().ok();
    let (cpu_seconds, memory_bytes) =
        used.as_ref().map_or((0.0, 0), |u| ((u.rusage.utime + u.rusage.stime).as_secs_f64(), u.rusage.maxrss));
    let ended = |found: FileResult, cause: Cause| Ended { found, cpu_seconds, memory_bytes, cause };
    if let Some((stop, cause)) = stopped {
        return ended(unknown(Reason::Stopped(stop)), cause);
    }
    let stdout = stdout.join().unwrap_or_default();
    let stderr = stderr.join().unwrap_or_default();
    let mut documents = serde_json::Deserializer::from_str(&stdout).into_iter::<FileResult>();
    if let Some(Ok(found)) = documents.next() {
        return ended(found, Cause::Itself);
    }
    match used.and_then(|u| u.status.code()) {
        Some(code) if code == i32::from(crate::exit::BAD_INPUT) => {
            let mut found = timed(FileResult::bare(&job.file, &job.property, Answer::BadInput));
            let message = stderr.lines().next().unwrap_or("the program cannot be read").to_string();
            found.problems = vec![Problem { message, rendered: stderr, range: None }];
            ended(found, Cause::Itself)
        }
        Some(_) => {
            let message = stderr.lines().next().unwrap_or("no output").to_string();
            ended(unknown(Reason::Internal(message)), Cause::Itself)
        }
        None => {
            let why = "the process was killed, perhaps for want of memory".to_string();
            ended(unknown(Reason::Incomplete(why)), Cause::Machine)
        }
    }
}
