//! `craig smt`: the solver on SMT-LIB scripts, from a file or from standard input.
//!
//! Answers go to standard output command by command, so the solver can be talked to; statistics
//! go to standard error. The exit status is 0, or 2 if the script had errors.

use crate::args::SmtArgs;
use crate::exit;
use ::smt::{ScriptOptions, run_script};
use base::Budget;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

pub fn run(args: &SmtArgs) -> u8 {
    let input: Box<dyn BufRead> = match args.file.as_deref() {
        None => Box::new(std::io::stdin().lock()),
        Some(path) if path == Path::new("-") => Box::new(std::io::stdin().lock()),
        Some(path) => match File::open(path) {
            Ok(file) => Box::new(BufReader::new(file)),
            Err(error) => {
                eprintln!("{}: error: {error}", path.display());
                return exit::BAD_INPUT;
            }
        },
    };
    let options = ScriptOptions { check_timeout: args.timeout };
    let mut output = std::io::stdout().lock();
    let summary = match run_script(input, &mut output, &options, &Budget::unlimited()) {
        Ok(summary) => summary,
        // Nobody reads the answers any more.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => return exit::HOLDS,
        Err(error) => {
            eprintln!("error: cannot write: {error}");
            return exit::BAD_INPUT;
        }
    };
    if args.stats {
        let mut diagnostics = std::io::stderr().lock();
        for (name, value) in &summary.statistics {
            // Losing statistics is no reason to fail.
            let _ = writeln!(diagnostics, "{name:22} {value:>12}");
        }
    }
    if summary.n_errors == 0 { exit::HOLDS } else { exit::BAD_INPUT }
}
