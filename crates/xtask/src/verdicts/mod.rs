//! `fuzz-c`: random C programs whose right verdicts are found by running them, against what `craig check` answers.
//!
//! A wrong verdict, a crash or a rejected certificate is printed with its seed and the program is kept. What the
//! runs do not settle (a program that may run for ever, undefined behaviour before the event in question) expects
//! nothing. With `--shape loops` the programs are made for termination, and the reference also knows which of them run
//! for ever ([`endless`]); `--shape jumps` makes such programs of more of the language, and `--data-model ILP32`
//! compares with `gcc -m32`. `--shape memory` and `--shape exact` put programs together from [`pieces`]
//! ([`assembled`]), whose runs are watched by gcc's sanitizers ([`watched`]).

mod assembled;
mod endless;
mod generator;
mod jumps;
mod loops;
mod patterns;
mod pieces;
mod reference;
mod watched;

use base::Random;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) const USAGE: &str = "usage: cargo xtask fuzz-c --bin CRAIG [--from SEED] [--to SEED] [--timeout TIME] [--shape any|loops|jumps|memory|exact] [--data-model LP64|ILP32] [--paranoid N] [--keep DIR] [--unknown keep|drop] [-- OPTIONS OF CRAIG]";

#[derive(Clone, Copy, PartialEq, Eq)]
enum ProgramShape {
    /// All properties.
    Any,
    /// Termination only: [`loops`].
    Loops,
    /// Termination only: [`jumps`].
    Jumps,
    /// All properties; pointers, heap and strings: [`assembled`].
    Memory,
    /// All properties; corners of the language, the library, threads, both data models: [`assembled`].
    Exact,
}

/// Sizes of types, for `craig` and for the runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DataModel {
    Lp64,
    Ilp32,
}

impl DataModel {
    fn name(self) -> &'static str {
        match self {
            DataModel::Lp64 => "LP64",
            DataModel::Ilp32 => "ILP32",
        }
    }
    pub(crate) fn gcc_flag(self) -> &'static str {
        match self {
            DataModel::Lp64 => "-m64",
            DataModel::Ilp32 => "-m32",
        }
    }
}

pub(crate) struct Options {
    bin: PathBuf,
    from: u64,
    to: u64,
    /// As craig takes it.
    timeout: String,
    keep: PathBuf,
    shape: ProgramShape,
    /// Of `craig`; the reference runs are compiled with `-m64` or `-m32` to match. By default LP64, and of some
    /// programs of shape `exact` ILP32.
    data_model: Option<DataModel>,
    /// Proofs of every so many programs are checked again, with `--paranoid`; 0: of none.
    paranoid: u64,
    /// Keep programs of known verdict that get no answer, too.
    keep_unknown: bool,
    rest: Vec<String>,
}

impl Options {
    pub(crate) fn parse(args: &[String]) -> Result<Options, String> {
        let mut options = Options {
            bin: PathBuf::new(),
            from: 0,
            to: 100,
            timeout: "3s".to_string(),
            keep: std::env::temp_dir().join("craig-fuzz-c"),
            shape: ProgramShape::Any,
            data_model: None,
            paranoid: 0,
            keep_unknown: false,
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
                "--timeout" => options.timeout = value.clone(),
                "--paranoid" => options.paranoid = number()?,
                "--keep" => options.keep = value.into(),
                "--unknown" => options.keep_unknown = value == "keep",
                "--shape" => {
                    options.shape = match value.as_str() {
                        "any" => ProgramShape::Any,
                        "loops" => ProgramShape::Loops,
                        "jumps" => ProgramShape::Jumps,
                        "memory" => ProgramShape::Memory,
                        "exact" => ProgramShape::Exact,
                        other => return Err(format!("--shape is any, loops, jumps, memory or exact, not '{other}'")),
                    }
                }
                "--data-model" => {
                    options.data_model = Some(match value.as_str() {
                        "LP64" => DataModel::Lp64,
                        "ILP32" => DataModel::Ilp32,
                        other => return Err(format!("--data-model is LP64 or ILP32, not '{other}'")),
                    })
                }
                _ => return Err(format!("unknown option {arg}")),
            }
        }
        if options.bin.as_os_str().is_empty() {
            return Err("--bin is missing".to_string());
        }
        Ok(options)
    }

    /// Of programs that do not choose one.
    fn model(&self) -> DataModel {
        self.data_model.unwrap_or(DataModel::Lp64)
    }
}

/// How often each pair of expectation and answer occurred.
#[derive(Default)]
struct Table {
    counts: BTreeMap<(String, String, String), u64>,
    /// Why questions got no answer.
    reasons: BTreeMap<String, u64>,
    n_programs: u64,
    /// Proofs that were checked again.
    n_paranoid: u64,
    n_wrong: u64,
}

impl Table {
    /// Notes an answer; true if it is wrong. `unfounded`: a violation would be wrong although nothing is expected.
    fn note(&mut self, property: &str, expected: Option<bool>, unfounded: bool, answer: &str) -> bool {
        let verdict = match answer {
            "true" => Some(true),
            a if a.starts_with("false") => Some(false),
            _ => None,
        };
        let broken = !answer.starts_with("unknown") && verdict.is_none() || answer.contains("rejected");
        let contradicts = matches!((expected, verdict), (Some(e), Some(v)) if e != v);
        let wrong = broken || contradicts || unfounded && verdict == Some(false);
        self.n_wrong += u64::from(wrong);
        let shown = |v: Option<bool>| v.map_or("?".to_string(), |v| v.to_string());
        *self.counts.entry((property.into(), shown(expected), shown(verdict))).or_default() += 1;
        if verdict.is_none() {
            *self.reasons.entry(reason(answer)).or_default() += 1;
        }
        wrong
    }

    fn no_reference(&mut self) {
        *self.counts.entry(("no reference".into(), String::new(), String::new())).or_default() += 1;
    }

    fn print(&self) {
        println!("{:<18} {:<9} {:<9} {:>6}", "property", "expected", "answered", "n");
        for ((property, expected, answered), n) in &self.counts {
            println!("{property:<18} {expected:<9} {answered:<9} {n:>6}");
        }
        let mut reasons: Vec<(&String, &u64)> = self.reasons.iter().collect();
        reasons.sort_by_key(|(_, n)| std::cmp::Reverse(**n));
        for (reason, n) in reasons {
            println!("{n:>6} {reason}");
        }
        println!("{} programs, {} proofs checked again, {} wrong", self.n_programs, self.n_paranoid, self.n_wrong);
    }
}

/// An answer without the places that it names, so that like ones are counted together.
fn reason(answer: &str) -> String {
    let text: String = answer.chars().map(|c| if c.is_ascii_digit() { '#' } else { c }).collect();
    let mut words: Vec<&str> = text.split(' ').filter(|w| !w.contains(".c:") && !w.contains('/')).collect();
    words.truncate(14);
    let mut joined = words.join(" ");
    while joined.contains("##") {
        joined = joined.replace("##", "#");
    }
    joined
}

/// True when nothing is wrong.
pub(crate) fn run(options: &Options) -> Result<bool, String> {
    std::fs::create_dir_all(&options.keep).map_err(|e| format!("{}: {e}", options.keep.display()))?;
    let mut table = Table::default();
    if matches!(options.shape, ProgramShape::Memory | ProgramShape::Exact) {
        let mut from = options.from;
        while from < options.to {
            let to = options.to.min(from + assembled::BATCH);
            assembled::compare(options, from..to, &mut table)?;
            from = to;
        }
        table.print();
        return Ok(table.n_wrong == 0);
    }
    for seed in options.from..options.to {
        table.n_programs += 1;
        let file = options.keep.join(format!("{seed}.c"));
        let keep = match options.shape {
            ProgramShape::Any | ProgramShape::Memory | ProgramShape::Exact => {
                all_properties(options, seed, &file, &mut table)?
            }
            ProgramShape::Loops => termination(options, seed, loops::program(Random::new(seed)), &file, &mut table)?,
            ProgramShape::Jumps => termination(options, seed, jumps::program(Random::new(seed)), &file, &mut table)?,
        };
        if !keep {
            let _ = std::fs::remove_file(&file);
        }
    }
    table.print();
    Ok(table.n_wrong == 0)
}

/// True if some answer is wrong.
fn all_properties(options: &Options, seed: u64, file: &Path, table: &mut Table) -> Result<bool, String> {
    let program = generator::program(Random::new(seed));
    let Some(outcomes) = reference::outcomes(&program, options.model(), &options.keep)? else {
        table.no_reference();
        return Ok(false);
    };
    std::fs::write(file, source(&program)).map_err(|e| e.to_string())?;
    let mut keep = false;
    for property in ["unreach-call", "no-overflow", "valid-memsafety", "termination"] {
        if property == "valid-memsafety" && !program.has_array {
            continue;
        }
        let expected = outcomes.expected(property);
        let answer = ask(options, &Question { file, property, data_model: options.model(), entry: None }, &[])?;
        let unfounded = property == "unreach-call" && outcomes.n_assertion == 0 && outcomes.n_long == 0;
        if table.note(property, expected, unfounded, &answer) {
            println!("WRONG seed {seed} {property}: expected {expected:?}, answered {answer}; runs: {outcomes:?}");
            keep = true;
        }
    }
    Ok(keep)
}

/// True if the answer is wrong.
fn termination(
    options: &Options,
    seed: u64,
    program: loops::LoopProgram,
    file: &Path,
    table: &mut Table,
) -> Result<bool, String> {
    let Some(endings) = endless::endings(&program, options.model(), &options.keep)? else {
        table.no_reference();
        return Ok(false);
    };
    std::fs::write(file, endless::source(&program)).map_err(|e| e.to_string())?;
    let expected = endings.expected();
    let answer =
        ask(options, &Question { file, property: "termination", data_model: options.model(), entry: None }, &[])?;
    let wrong = table.note("termination", expected, endings.no_endless_run(), &answer);
    if wrong {
        println!("WRONG seed {seed}: expected {expected:?}, answered {answer}; runs: {endings:?}");
    }
    Ok(wrong || options.keep_unknown && expected.is_some() && answer.starts_with("unknown"))
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

/// One question to craig.
struct Question<'a> {
    file: &'a Path,
    property: &'a str,
    data_model: DataModel,
    entry: Option<&'a str>,
}

/// What follows `RESULT: `, or how it ended without one.
fn ask(options: &Options, question: &Question, more: &[&str]) -> Result<String, String> {
    let mut command = Command::new(&options.bin);
    command.args(["check", "--data-model", question.data_model.name(), "--property", question.property]);
    command.args(["--timeout", &options.timeout]).args(more).args(&options.rest).arg(question.file);
    if let Some(entry) = question.entry {
        // The reference calls it with pointers to one object too, and with those of globals.
        command.args(["--entry", entry, "--pointers", "null,object,may-alias"]);
    }
    let output = command.output().map_err(|e| format!("{}: {e}", options.bin.display()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let result = text.lines().rev().find_map(|line| line.strip_prefix("RESULT: "));
    Ok(result.map_or_else(
        || {
            let errors = String::from_utf8_lossy(&output.stderr).into_owned();
            let first = errors.lines().find(|l| l.contains("error")).unwrap_or("");
            format!("no result, {}: {first}", output.status)
        },
        str::to_string,
    ))
}
