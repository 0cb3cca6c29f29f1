//! `craig smt`: the solver on SMT-LIB scripts, from a file or from standard input.
//!
//! Answers go to standard output command by command, so the solver can be talked to; statistics
//! go to standard error. The exit status is 0, or 2 if the script had errors. A propositional problem (`FILE.cnf`) goes
//! to the SAT core alone.
//!
//! Limits. The solver polls its budget. A watcher thread ends the process should a command take longer than its time
//! all the same, or more memory than there is. The time of a command starts with its first byte. Standard input may be
//! a dialogue, so waiting for it does not count; a file, device or pipe given by name has no reason to keep us waiting.

use crate::args::SmtArgs;
use crate::{exit, limits, output};
use ::smt::focused::cnf::Cnf;
use ::smt::lrat;
use ::smt::{Progress, ScriptOptions, run_script};
use base::Budget;
use std::fs::File;
use std::io::{BufReader, Error, ErrorKind, Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

pub(crate) fn run(args: &SmtArgs) -> u8 {
    let watch = Arc::new(Watch::new());
    let budget = Budget::unlimited().with_memory_limit(args.memory);
    watch.start(&budget, args.memory);
    watch.progress.set_limit(args.timeout);
    if let Some(path) = args.file.as_deref().filter(|path| path.extension().is_some_and(|e| e == "cnf")) {
        return solve_cnf(path, args, &watch, &budget);
    }
    if args.lrat.is_some() {
        eprintln!("error: --lrat is for problems in DIMACS's format (FILE.cnf); scripts ask for proofs by (get-proof)");
        return exit::BAD_INPUT;
    }
    let (input, is_dialogue): (Box<dyn Read>, bool) = match args.file.as_deref() {
        None => (Box::new(std::io::stdin().lock()), true),
        Some(path) if path == Path::new("-") => (Box::new(std::io::stdin().lock()), true),
        Some(path) => match File::open(path) {
            Ok(file) => (Box::new(file), false),
            Err(error) => {
                eprintln!("{}: error: {error}", path.display());
                return exit::BAD_INPUT;
            }
        },
    };
    let input = BufReader::new(Input { bytes: input, is_dialogue, watch: watch.clone() });
    let options = ScriptOptions { check_timeout: args.timeout, progress: watch.progress.clone() };
    let summary = match run_script(input, &mut Answers { watch: watch.clone() }, &options, &budget) {
        Ok(summary) => summary,
        Err(error) => output::failed(&error),
    };
    if args.stats {
        for (name, value) in &summary.statistics {
            eprintln!("{name:22} {value:>12}");
        }
    }
    if summary.n_errors == 0 { exit::HOLDS } else { exit::BAD_INPUT }
}

/// Answers a propositional problem in the words of the SAT competitions, with their exit statuses: 10 for satisfiable,
/// 20 for unsatisfiable.
fn solve_cnf(path: &Path, args: &SmtArgs, watch: &Watch, budget: &Budget) -> u8 {
    let text = std::fs::read_to_string(path).map_err(|error| format!(" error: {error}"));
    let cnf = match text.and_then(|text| Cnf::parse(&text).map_err(|error| error.to_string())) {
        Ok(cnf) => cnf,
        Err(error) => {
            eprintln!("{}:{error}", path.display());
            return exit::BAD_INPUT;
        }
    };
    *watch.began() = Instant::now();
    let budget = args.timeout.map_or_else(|| budget.clone(), |limit| budget.child(limit));
    match lrat::solve(&cnf, args.lrat.is_some(), &budget) {
        lrat::Answer::Satisfiable(values) => {
            let mut text = "s SATISFIABLE\n".to_string();
            let literals: Vec<i64> = (1..).zip(&values).map(|(n, &value)| if value { n } else { -n }).collect();
            for line in literals.chunks(15) {
                let line: Vec<String> = line.iter().map(ToString::to_string).collect();
                text.push_str(&format!("v {}\n", line.join(" ")));
            }
            output::write((text + "v 0\n").as_bytes());
            10
        }
        lrat::Answer::Unsatisfiable(refutation) => {
            if let (Some(to), Some(refutation)) = (&args.lrat, refutation)
                && let Err(error) = std::fs::write(to, refutation)
            {
                eprintln!("{}: error: {error}", to.display());
                return exit::BAD_INPUT;
            }
            output::write(b"s UNSATISFIABLE\n");
            20
        }
        lrat::Answer::Unknown(_) => {
            output::write(b"s UNKNOWN\n");
            exit::HOLDS
        }
    }
}

/// Watches over the limits of the command that is read or answered.
struct Watch {
    progress: Arc<Progress>,
    /// When the present command began.
    began: Mutex<Instant>,
}

/// How often the watcher looks.
const POLL: Duration = Duration::from_millis(10);
const GRACE: Duration = Duration::from_millis(100);

impl Watch {
    fn new() -> Watch {
        Watch { progress: Arc::default(), began: Mutex::new(Instant::now()) }
    }

    fn began(&self) -> MutexGuard<'_, Instant> {
        self.began.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Is the present command so late that it will not stop by itself? To end the session is worse than to wait a
    /// little.
    fn is_late(&self) -> bool {
        let latest = |limit: Duration| limit.saturating_add(limit / 20).saturating_add(GRACE);
        self.progress.limit().is_some_and(|limit| self.began().elapsed() > latest(limit))
    }

    fn start(self: &Arc<Watch>, budget: &Budget, memory: u64) {
        let (watch, budget) = (self.clone(), budget.clone());
        std::thread::spawn(move || {
            loop {
                if let Some(bytes) = limits::resident_bytes() {
                    budget.set_memory_in_use(bytes);
                    if bytes > memory.saturating_add(memory / 40) {
                        watch.end("the memory limit");
                    }
                }
                if watch.is_late() {
                    watch.end("the time limit");
                }
                std::thread::sleep(POLL);
            }
        });
    }

    /// Ends the process; no other thread can answer any more.
    fn end(&self, limit: &str) -> ! {
        let answer = if self.progress.is_checking() { "unknown\n" } else { "" };
        print!("{answer}(error \"{limit} was reached and the command did not stop; the session ends\")\n");
        std::process::exit(i32::from(exit::BAD_INPUT));
    }
}

/// The script. An endless command ends when its time is over.
struct Input {
    bytes: Box<dyn Read>,
    is_dialogue: bool,
    watch: Arc<Watch>,
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.watch.is_late() {
            return Err(Error::new(ErrorKind::TimedOut, "the time limit was reached before the end of the command"));
        }
        if !self.is_dialogue {
            return self.bytes.read(buffer);
        }
        // Meanwhile the time stands still.
        let asked = Instant::now();
        let mut began = self.watch.began();
        let before = *began;
        *began = asked + WAITING;
        drop(began);
        let result = self.bytes.read(buffer);
        *self.watch.began() = before + asked.elapsed();
        result
    }
}

/// Practically unlimited.
const WAITING: Duration = Duration::from_secs(1 << 32);

/// The answers. Each command ends with a flush.
struct Answers {
    watch: Arc<Watch>,
}

impl Write for Answers {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        std::io::stdout().write(bytes)
    }
    fn flush(&mut self) -> std::io::Result<()> {
        *self.watch.began() = Instant::now();
        std::io::stdout().flush()
    }
}
