//! Tasks of the project that are neither its program nor its tests: `cargo xtask TASK`.
//!
//! | task | what it does |
//! |---|---|
//! | `fuzz-smt` | random formulas and interpolation queries against brute force and other solvers; see [`fuzz`] |
//! | `fuzz-c` | random C programs, run for every input, against the verdicts of `craig check`; see [`verdicts`] |
//! | `release` | the files of a version: static binary, archives, Debian package, checksums; see [`release`] |
//! | `fuzz-threads` | random Boogie programs with threads, all interleavings of which are made, against the verdicts of `craig check`; see [`interleavings`] |
//! | `peers` | the test suite of another tool against the verdicts of `craig check`; see [`peers`] |
//! | `focus` | what focused interpolants save when a change removes behaviour; see [`focus`] |
//! | `web` | the page without a server: the checker as WebAssembly; see [`web`] |

mod focus;
mod fuzz;
mod interleavings;
mod peers;
mod release;
mod verdicts;
mod web;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let task = args.next();
    let rest: Vec<String> = args.collect();
    let outcome = match task.as_deref() {
        Some("focus") => focus::Options::parse(&rest).map(|options| focus::run(&options)),
        Some("fuzz-smt") => fuzz::Options::parse(&rest).map(|options| fuzz::run(&options)),
        Some("fuzz-c") => verdicts::Options::parse(&rest).and_then(|options| verdicts::run(&options)),
        Some("fuzz-threads") => interleavings::Options::parse(&rest)
            .and_then(|options| interleavings::run(&options))
            .map(|c| c.n_wrong == 0),
        Some("peers") => peers::Options::parse(&rest).and_then(|options| peers::run(&options)),
        Some("release") => release::Options::parse(&rest).and_then(|options| release::run(&options)),
        Some("web") => web::run(&rest),
        Some(other) => Err(format!("unknown task '{other}'")),
        None => Err("which task?".to_string()),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            let usages = [
                focus::USAGE,
                fuzz::USAGE,
                verdicts::USAGE,
                interleavings::USAGE,
                peers::USAGE,
                release::USAGE,
                web::USAGE,
            ];
            eprintln!("error: {message}\n{}", usages.join("\n"));
            ExitCode::from(2)
        }
    }
}
