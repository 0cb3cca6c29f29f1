//! `test.desc` of CBMC and ESBMC: tags, program, options, patterns that the output must have, `--`, patterns that it
//! must not have.
//!
//! CBMC checks pointers, bounds and signed overflow unless told not to; ESBMC pointers and bounds, and overflow when
//! told to. A bound on loops without assertions that it suffices (`--unwind`) makes "successful" no expectation.

use super::conventions::{Found, Program, Test};
use std::path::Path;

pub(super) fn read(file: &Path, text: &str, is_esbmc: bool) -> Found {
    let mut lines = text.lines();
    let tags = lines.next().unwrap_or("");
    if ["KNOWNBUG", "FUTURE"].iter().any(|t| tags.contains(t)) {
        return Err(tags.split_whitespace().next().unwrap_or("").to_string());
    }
    let folder = file.parent().unwrap_or(Path::new("."));
    let program = lines.next().unwrap_or("").trim();
    if !program.ends_with(".c") && !program.ends_with(".i") {
        return Err("no C program".to_string());
    }
    let arguments: Vec<&str> = lines.next().unwrap_or("").split_whitespace().collect();
    let wanted: Vec<&str> = lines.take_while(|l| l.trim() != "--").collect();
    let says = |what: &str| wanted.iter().any(|l| l.trim_matches(['^', '$']) == what);
    let verdict = match (says("VERIFICATION SUCCESSFUL"), says("VERIFICATION FAILED")) {
        (true, false) => true,
        (false, true) => false,
        _ => return Err("no verdict".to_string()),
    };
    let mut checks = if is_esbmc { Checks::ESBMC } else { Checks::CBMC };
    let mut options = Vec::new();
    let (mut model, mut is_bounded, mut has_bound_assertions) = ("LP64", false, is_esbmc);
    let mut arguments = arguments.iter();
    while let Some(&argument) = arguments.next() {
        match argument {
            "--function" => match arguments.next() {
                Some(f) => options.extend(["--entry".to_string(), (*f).to_string()]),
                None => return Err("--function".to_string()),
            },
            "--32" | "--i386-linux" | "--ILP32" | "--i386" => model = "ILP32",
            "--64" | "--LP64" | "--x86_64" => {}
            "--unwind" | "--unwindset" | "--depth" | "--k-step" | "--max-k-step" | "--context-bound" => {
                arguments.next();
                is_bounded |= argument.starts_with("--unwind") || matches!(argument, "--depth" | "--context-bound");
            }
            "--partial-loops" | "--no-unwinding-assertions" => has_bound_assertions = false,
            "--unwinding-assertions" => has_bound_assertions = true,
            "--no-standard-checks" => checks = Checks::NONE,
            "--pointer-check" | "--bounds-check" => checks.memory = true,
            "--no-pointer-check" | "--no-bounds-check" => checks.memory = false,
            "--memory-leak-check" => checks.leaks = true,
            "--signed-overflow-check" | "--overflow-check" => checks.overflow = true,
            "--no-signed-overflow-check" => checks.overflow = false,
            "--data-races-check" => checks.races = true,
            "-D" | "-I" => match arguments.next() {
                Some(value) => options.extend([argument.to_string(), value_in(folder, argument, value)]),
                None => return Err(argument.to_string()),
            },
            // How the other tool searches, and what it takes for granted anyway.
            "--incremental-bmc"
            | "--k-induction"
            | "--falsification"
            | "--no-slice"
            | "--z3"
            | "--boolector"
            | "--floatbv"
            | "--fixedbv"
            | "--ir"
            | "--force-malloc-success"
            | "--no-malloc-may-fail"
            | "--no-div-by-zero-check"
            | "--div-by-zero-check"
            | "--no-simplify"
            | "--smt2"
            | "--refine-arrays"
            | "--little-endian"
            | "--stop-on-fail"
            | "--trace"
            | "--sat-solver"
            | "--bitwuzla"
            | "--quiet"
            | "--verbosity"
            | "--no-propagation"
            | "--slice-formula"
            | "--paths"
            | "--nondet-static-off" => {
                if argument == "--verbosity" {
                    arguments.next();
                }
            }
            _ => {
                match argument.strip_prefix("-D").map(|v| ("-D", v)).or(argument.strip_prefix("-I").map(|v| ("-I", v)))
                {
                    Some((flag, value)) => options.extend([flag.to_string(), value_in(folder, flag, value)]),
                    None => return Err(argument.to_string()),
                }
            }
        }
    }
    let expected = (!verdict || !is_bounded || has_bound_assertions).then_some(verdict);
    let mut properties = vec!["unreach-call".to_string()];
    properties.extend((checks.memory || checks.leaks).then(|| "valid-memsafety".to_string()));
    properties.extend(checks.overflow.then(|| "no-overflow".to_string()));
    properties.extend(checks.races.then(|| "no-data-race".to_string()));
    let mut all = vec!["--data-model".to_string(), model.to_string()];
    all.extend(options);
    Ok(vec![Test {
        name: file.display().to_string(),
        suite: String::new(),
        program: Program::File(folder.join(program)),
        properties,
        options: all,
        expected,
        ignored: if checks.leaks { Vec::new() } else { vec!["valid-memtrack"] },
    }])
}

/// Folders of headers are meant relative to the test.
fn value_in(folder: &Path, flag: &str, value: &str) -> String {
    if flag == "-I" { folder.join(value).display().to_string() } else { value.to_string() }
}

#[derive(Clone, Copy)]
struct Checks {
    memory: bool,
    leaks: bool,
    overflow: bool,
    races: bool,
}

impl Checks {
    const NONE: Checks = Checks { memory: false, leaks: false, overflow: false, races: false };
    const CBMC: Checks = Checks { memory: true, overflow: true, ..Checks::NONE };
    const ESBMC: Checks = Checks { memory: true, ..Checks::NONE };
}
