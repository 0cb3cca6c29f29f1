//! Tasks of the project that are neither its program nor its tests: `cargo xtask TASK`.
//!
//! | task | what it does |
//! |---|---|
//! | `fuzz-smt` | random formulas and interpolation queries against brute force and other solvers; see [`fuzz`] |

mod fuzz;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let outcome = match args.next().as_deref() {
        Some("fuzz-smt") => {
            let rest: Vec<String> = args.collect();
            fuzz::Options::parse(&rest).map(|options| fuzz::run(&options))
        }
        Some(other) => Err(format!("unknown task '{other}'")),
        None => Err("which task?".to_string()),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("error: {message}\n{}", fuzz::USAGE);
            ExitCode::from(2)
        }
    }
}
