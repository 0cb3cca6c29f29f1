//! `fuzz-c`: random C programs whose right verdicts are found by running them, against what `craig check` answers.
//!
//! A wrong verdict, a crash or a rejected certificate is printed with its seed and the program is kept. What the
//! runs do not settle (a program that may run for ever, undefined behaviour before the event in question) expects nothing.

mod generator;
mod reference;

use smt::focused::families::Random;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

pub const USAGE: &str = "usage: cargo xtask fuzz-c --bin CRAIG [--from SEED] [--to SEED] [--timeout SECONDS] [--keep DIR] [-- OPTIONS OF CRAIG]";

pub struct Options {
    bin: PathBuf,
    from: u64,
    to: u64,
    timeout: u64,
    keep: PathBuf,
    rest: Vec<String>,
}

impl Options {
    pub fn parse(args: &[String]) -> Result<Options, String> {
        let mut options = Options {
            bin: PathBuf::new(),
            from: 0,
            to: 100,
            timeout: 3,
            keep: std::env::temp_dir().join("craig-fuzz-c"),
            rest: Vec::new(),
        };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            if arg == "--" {
                options.rest.extend(args.by_ref().cloned());
                break;
            }
            let value = args.next().ok_or_else(|| format!("{arg} wants a value"))?;
            let number = || value.parse().map_err(|_| format!("{arg} wants a number, not '{value}'"));
            match arg.as_str() {
                "--bin" => options.bin = value.into(),
                "--from" => options.from = number()?,
                "--to" => options.to = number()?,
                "--timeout" => options.timeout = number()?,
                "--keep" => options.keep = value.into(),
                _ => return Err(format!("unknown option {arg}")),
            }
        }
        if options.bin.as_os_str().is_empty() {
            return Err("--bin is missing".to_string());
        }
        Ok(options)
    }
}

/// True when nothing is wrong.
pub fn run(options: &Options) -> Result<bool, String> {
    std::fs::create_dir_all(&options.keep).map_err(|e| format!("{}: {e}", options.keep.display()))?;
    let mut table: BTreeMap<(String, String, String), u64> = BTreeMap::new();
    let mut n_wrong = 0;
    for seed in options.from..options.to {
        let program = generator::program(Random::new(seed));
        let Some(outcomes) = reference::outcomes(&program, &options.keep)? else {
            *table.entry(("no reference".into(), String::new(), String::new())).or_default() += 1;
            continue;
        };
        let file = options.keep.join(format!("{seed}.c"));
        std::fs::write(&file, source(&program)).map_err(|e| e.to_string())?;
        let mut keep = false;
        for property in ["unreach-call", "no-overflow", "valid-memsafety", "termination"] {
            if property == "valid-memsafety" && !program.has_array {
                continue;
            }
            let expected = outcomes.expected(property);
            let answer = ask(options, &file, property)?;
            let verdict = match answer.as_str() {
                "true" => Some(true),
                a if a.starts_with("false") => Some(false),
                _ => None,
            };
            let unfounded = property == "unreach-call"
                && verdict == Some(false)
                && outcomes.n_assertion == 0
                && outcomes.n_long == 0;
            let broken = !answer.starts_with("unknown") && verdict.is_none() || answer.contains("rejected");
            if unfounded || broken || matches!((expected, verdict), (Some(e), Some(v)) if e != v) {
                println!("WRONG seed {seed} {property}: expected {expected:?}, answered {answer}; runs: {outcomes:?}");
                (n_wrong, keep) = (n_wrong + 1, true);
            }
            let shown = |v: Option<bool>| v.map_or("?".to_string(), |v| v.to_string());
            *table.entry((property.into(), shown(expected), shown(verdict))).or_default() += 1;
        }
        if !keep {
            let _ = std::fs::remove_file(&file);
        }
    }
    println!("{:<18} {:<9} {:<9} {:>6}", "property", "expected", "answered", "n");
    for ((property, expected, answered), n) in &table {
        println!("{property:<18} {expected:<9} {answered:<9} {n:>6}");
    }
    println!("{n_wrong} wrong");
    Ok(n_wrong == 0)
}

/// The program as craig sees it.
fn source(program: &generator::Program) -> String {
    format!(
        "extern signed char __VERIFIER_nondet_char(void);\nextern unsigned char __VERIFIER_nondet_uchar(void);\n\
         void reach_error(void) {{}}\n#define STEP\n#define K(n) n\n#define A(x, i) x[i]\n\
         #define CHECK(e) if (!(e)) reach_error()\n{}int main(void) {{\n  int IN0 = __VERIFIER_nondet_char(), IN1 = \
         __VERIFIER_nondet_uchar();\n{}  return 0;\n}}\n",
        program.declarations, program.body
    )
}

/// What follows `RESULT: `, or how it ended without one.
fn ask(options: &Options, file: &Path, property: &str) -> Result<String, String> {
    let output = Command::new(&options.bin)
        .args(["check", "--property", property, "--timeout", &format!("{}s", options.timeout)])
        .args(&options.rest)
        .arg(file)
        .output()
        .map_err(|e| format!("{}: {e}", options.bin.display()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let result = text.lines().rev().find_map(|line| line.strip_prefix("RESULT: "));
    Ok(result.map_or_else(|| format!("no result, {}", output.status), str::to_string))
}
