//! One check in a process of its own.
//!
//! Whoever checks many programs (`craig check a.c b.c`, `craig bench`, `craig lsp`) starts `craig check --format json` for each. So a
//! time or memory limit, and even a crash, concerns that program alone, and cancelling is killing. The child's one document
//! is read back into the result model.

use crate::args::{Blocks, CArgs, CheckArgs, Complement, DataModel, Dialect, Integers};
use ir::Property;
use report::{FileResult, Problem};
use std::ffi::OsString;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A check to be run.
#[derive(Clone, Debug)]
pub struct Job {
    pub file: String,
    pub property: String,
    /// The arguments of the child.
    pub arguments: Vec<OsString>,
    /// The time limit of the child, which keeps it itself.
    pub timeout: Duration,
}

impl Job {
    /// The check of a file and a property with given options, of which output, cache and collection are the parent's concern.
    pub fn new(file: &Path, property: &Property, args: &CheckArgs, jobs: usize) -> Job {
        // Every field is named, so that a new option cannot be forgotten.
        let CheckArgs {
            files: _,
            property: _,
            engine,
            data_model,
            integers,
            c: CArgs { include, define, cpp, entry, dialect },
            timeout,
            memory,
            all: _,
            witness: _,
            harness: _,
            format: _,
            blocks,
            complement,
            jobs: _,
            paranoid,
            stats: _,
            explain_plan: _,
            report: _,
            no_cache: _,
        } = args;
        let mut arguments: Vec<OsString> = vec!["--worker".into(), "check".into(), "--format".into(), "json".into()];
        let mut option = |name: &str, value: String| arguments.extend([OsString::from(name), OsString::from(value)]);
        option("--property", property_argument(property));
        option("--engine", engine.clone());
        option("--data-model", data_model_name(*data_model).to_string());
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
        if let Some(function) = entry {
            option("--entry", function.clone());
        }
        if let Some(dialect) = dialect {
            option("--dialect", dialect_name(*dialect).to_string());
        }
        for name in define {
            option("-D", name.clone());
        }
        for folder in include {
            arguments.extend([OsString::from("-I"), folder.as_os_str().to_owned()]);
        }
        if *paranoid {
            arguments.push("--paranoid".into());
        }
        arguments.extend([OsString::from("--"), file.as_os_str().to_owned()]);
        Job { file: file.display().to_string(), property: property.name().to_string(), arguments, timeout: *timeout }
    }
}

/// What to write for a property on the command line.
pub fn property_argument(property: &Property) -> String {
    match property {
        Property::Ltl(Some(formula)) => format!("ltl:{formula}"),
        Property::UnreachCallOf(function) => format!("unreach-call:{function}"),
        Property::Ltl(None)
        | Property::UnreachCall
        | Property::NoOverflow
        | Property::ValidMemsafety
        | Property::ValidMemcleanup
        | Property::Termination
        | Property::NoDataRace => property.name().to_string(),
    }
}

pub fn data_model_name(model: DataModel) -> &'static str {
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

pub fn integers_name(integers: Integers) -> &'static str {
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

pub fn blocks_name(blocks: Blocks) -> &'static str {
    match blocks {
        Blocks::Off => "off",
        Blocks::Sequence => "sequence",
        Blocks::Large => "large",
    }
}

/// How long to wait between looks at the child.
const POLL: Duration = Duration::from_millis(4);

/// A child that is late by this much is ended: it is not even able to watch its own limits.
const PATIENCE: Duration = Duration::from_secs(5);

/// Runs a check until it ends or is cancelled.
pub fn run(job: &Job, cancelled: &dyn Fn() -> bool) -> FileResult {
    let began = Instant::now();
    let bare = |result: &str| {
        let mut found = FileResult::bare(&job.file, &job.property, result);
        found.wall_seconds = began.elapsed().as_secs_f64();
        found
    };
    let start = || -> std::io::Result<std::process::Child> {
        let mut command = Command::new(std::env::current_exe()?);
        // The child watches its standard input, which closes when this process ends (`limits::end_with_parent`).
        command.args(&job.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn()
    };
    let mut child = match start() {
        Ok(child) => child,
        Err(e) => return bare(&format!("unknown(craig could not be started: {e})")),
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
    let status = loop {
        if cancelled() {
            let _ = child.kill();
            let _ = child.wait();
            return bare("unknown(cancelled)");
        }
        if began.elapsed() > job.timeout.saturating_add(job.timeout / 10).saturating_add(PATIENCE) {
            let _ = child.kill();
            let _ = child.wait();
            return bare("unknown(timeout)");
        }
        match child.try_wait() {
            Ok(Some(status)) => break Some(status),
            Ok(None) => std::thread::sleep(POLL),
            Err(_) => break None,
        }
    };
    let stdout = stdout.join().unwrap_or_default();
    let stderr = stderr.join().unwrap_or_default();
    let mut documents = serde_json::Deserializer::from_str(&stdout).into_iter::<FileResult>();
    if let Some(Ok(found)) = documents.next() {
        return found;
    }
    match status.and_then(|s| s.code()) {
        Some(code) if code == i32::from(crate::exit::BAD_INPUT) => {
            let mut found = bare("error");
            let message = stderr.lines().next().unwrap_or("the program cannot be read").to_string();
            found.problems = vec![Problem { message, rendered: stderr, range: None }];
            found
        }
        Some(_) => bare(&format!("unknown(internal error: {})", stderr.lines().next().unwrap_or("no output"))),
        None => bare("unknown(the process was killed, perhaps for want of memory)"),
    }
}
