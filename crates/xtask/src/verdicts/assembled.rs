//! Programs put together from [`super::pieces`] with random gaps, over two inputs of few values, or none.
//!
//! [`super::watched`] runs a batch of them. The value of `acc` at the end of each run is known, so the goal (`acc` is
//! none of, at least, …) is chosen afterwards, true or just false. Undefined behaviour that no property names (an index
//! beyond an array inside a struct, say) expects nothing. Inputs come from `__VERIFIER_nondet_int`, or are parameters
//! of the function that `--entry` names.

use super::patterns::{Filler, reference_code};
use super::pieces::{self, Piece, Runs};
use super::watched::{HEADERS, Outcome, Watch, outcomes};
use super::{DataModel, Options, ProgramShape, Question, Table, ask};
use base::Random;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// How many values the inputs and the choices of hidden functions have: 0, 1, …
pub(super) const N_FIRST: usize = 4;
pub(super) const N_SECOND: usize = 2;
pub(super) const N_CHOICES: usize = 4;

/// How many programs are compiled together.
pub(super) const BATCH: u64 = 100;

pub(super) struct Program {
    declarations: String,
    hidden: String,
    /// Of the function that executions start in, if it is not `main`, and their definitions in the reference.
    parameters: String,
    arguments: String,
    body: String,
    roots: Vec<String>,
    pub has_inputs: bool,
    pub has_choice: bool,
    runs: Runs,
    watch: Watch,
}

const ENTRY: &str = "start";

impl Program {
    fn new(seed: u64, shape: ProgramShape, model: Option<DataModel>) -> Program {
        let mut random = Random::new(seed);
        let has_inputs = random.below(100) < 45;
        let watch = match (shape, model) {
            (ProgramShape::Exact, Some(DataModel::Ilp32)) => Watch::Freestanding,
            (ProgramShape::Exact, _) => match random.below(10) {
                0 => Watch::Threads,
                1 if model.is_none() => Watch::Freestanding,
                _ => Watch::Sanitized(DataModel::Lp64),
            },
            (_, model) => Watch::Sanitized(model.unwrap_or(DataModel::Lp64)),
        };
        let n_pieces = match (watch, random.below(10)) {
            (Watch::Threads, _) | (_, 0..7) => 1,
            (_, 7..9) => 2,
            _ => 3,
        };
        let is_entry = matches!(watch, Watch::Sanitized(_)) && shape == ProgramShape::Exact && random.below(12) == 0;
        let n_pieces = if is_entry { 1 } else { n_pieces };
        let has_inputs = has_inputs && watch != Watch::Threads && !is_entry;
        let mut program = Program {
            declarations: String::new(),
            hidden: String::new(),
            parameters: String::new(),
            arguments: String::new(),
            body: String::new(),
            roots: Vec::new(),
            has_inputs,
            has_choice: false,
            runs: Runs::All,
            watch,
        };
        if has_inputs && random.below(4) == 0 {
            program.parameters = "int IN0, int IN1".to_string();
        }
        let mut filler = Filler::new(random, has_inputs);
        filler.may_err = watch != Watch::Freestanding;
        for number in 0..n_pieces {
            filler.start_piece((seed % 10_000) as usize * 4 + number);
            let piece = program.choose(shape, is_entry, &mut filler.random);
            program.add(piece, &mut filler);
        }
        program
    }

    fn choose(&self, shape: ProgramShape, is_entry: bool, random: &mut Random) -> &'static Piece {
        let of = |list: &'static [Piece], random: &mut Random| &list[random.below(list.len())];
        match self.watch {
            _ if is_entry => of(pieces::ENTRIES, random),
            Watch::Threads => of(pieces::THREADS, random),
            Watch::Sanitized(_) if shape == ProgramShape::Memory => of(pieces::MEMORY, random),
            Watch::Sanitized(_) => {
                let n: usize = pieces::EXACT.iter().map(|list| list.len()).sum();
                let mut at = random.below(n);
                for list in pieces::EXACT {
                    if at < list.len() {
                        return &list[at];
                    }
                    at -= list.len();
                }
                &pieces::MEMORY[0]
            }
            Watch::Freestanding => loop {
                let piece = of(pieces::EXACT[random.below(pieces::EXACT.len())], random);
                if piece.is_freestanding {
                    return piece;
                }
            },
        }
    }

    fn add(&mut self, piece: &Piece, filler: &mut Filler) {
        // The inputs are not in scope outside of the function.
        let has_inputs = std::mem::replace(&mut filler.has_inputs, false);
        if !piece.declarations.is_empty() {
            let declarations = filler.fill(piece.declarations);
            let _ = writeln!(self.declarations, "{declarations}");
        }
        if !piece.hidden.is_empty() {
            let hidden = filler.fill(piece.hidden);
            let _ = writeln!(self.hidden, "{hidden}");
            self.has_choice = true;
        }
        if !piece.parameters.is_empty() {
            self.parameters = filler.fill(piece.parameters);
            self.arguments = format!("  {}\n", filler.fill(piece.arguments));
            self.has_choice = true;
        }
        filler.has_inputs = has_inputs;
        let body = filler.fill(piece.body);
        let _ = writeln!(self.body, "  {{\n    {}\n  }}", body.replace("; ", ";\n    "));
        if !piece.roots.is_empty() {
            self.roots.push(filler.fill(piece.roots));
        }
        self.runs = match (self.runs, piece.runs) {
            (Runs::Some, _) | (_, Runs::Some) => Runs::Some,
            (Runs::SomeValues, _) | (_, Runs::SomeValues) => Runs::SomeValues,
            _ => Runs::All,
        };
    }

    pub(super) fn data_model(&self) -> DataModel {
        match self.watch {
            Watch::Sanitized(model) => model,
            Watch::Threads => DataModel::Lp64,
            Watch::Freestanding => DataModel::Ilp32,
        }
    }

    /// As craig sees it; `goal` is about `acc`.
    fn source(&self, goal: &str) -> String {
        let limits = format!("  if (IN0 < 0 || IN0 >= {N_FIRST} || IN1 < 0 || IN1 >= {N_SECOND}) return 0;\n");
        let (head, inputs) = match (self.parameters.is_empty(), self.has_inputs) {
            (false, true) => (format!("int {ENTRY}({})", self.parameters), limits),
            (false, false) => (format!("int {ENTRY}({})", self.parameters), String::new()),
            (true, true) => (
                "int main(void)".to_string(),
                format!("  int IN0 = __VERIFIER_nondet_int(), IN1 = __VERIFIER_nondet_int();\n{limits}"),
            ),
            (true, false) => ("int main(void)".to_string(), String::new()),
        };
        let text = format!(
            "extern int __VERIFIER_nondet_int(void);\nvoid reach_error(void) {{}}\n{}{head} {{\n{inputs}  int acc = 0;\n{}  if (!({goal})) reach_error();\n  return 0;\n}}\n",
            reference_code(&self.declarations, false),
            reference_code(&self.body, false)
        );
        let mut out = String::new();
        for header in headers_of(&text) {
            let _ = writeln!(out, "#include <{header}>");
        }
        out + &text
    }

    /// As a part of a harness.
    pub(super) fn for_the_reference(&self, number: usize) -> String {
        let roots: String = self.roots.iter().map(|name| format!("{{ &{name}, sizeof {name} }}, ")).collect();
        format!(
            "{}{}static int run_{number}(int IN0, int IN1) {{\n  int acc = 0;\n{}{}  return acc;\n}}\nstatic struct root roots_{number}[] = {{ {roots}{{ 0, 0 }} }};\n",
            reference_code(&self.declarations, true),
            self.hidden,
            self.arguments,
            reference_code(&self.body, true)
        )
    }
}

/// The headers that declare what a program uses.
fn headers_of(text: &str) -> BTreeSet<&'static str> {
    const WORDS: [(&str, &[&str]); 15] = [
        ("alloca.h", &[" alloca("]),
        ("assert.h", &[" assert("]),
        ("ctype.h", &["isdigit(", "isalpha(", "toupper("]),
        ("errno.h", &["errno"]),
        ("math.h", &["frexp(", "modf(", "remquo(", "sqrt("]),
        ("pthread.h", &["pthread_"]),
        ("semaphore.h", &["sem_"]),
        ("stdarg.h", &["va_list"]),
        ("stdatomic.h", &["atomic_"]),
        ("stddef.h", &["offsetof(", "size_t", "wchar_t", "ptrdiff_t"]),
        ("stdint.h", &["uintptr_t"]),
        ("stdio.h", &["FILE", "printf(", "puts(", "putchar(", "sscanf(", "stdin", "stdout"]),
        (
            "stdlib.h",
            &[
                "alloc(",
                "free(",
                "strto",
                "atoi(",
                "abs(",
                "div(",
                "qsort(",
                "getenv(",
                "setenv(",
                "exit(",
                "_Exit(",
                "abort(",
                "memalign(",
                "bsearch(",
            ],
        ),
        ("string.h", &["str", "mem", "stp"]),
        ("time.h", &["time_t", "struct tm"]),
    ];
    let mut found: BTreeSet<&str> =
        WORDS.iter().filter(|(_, words)| words.iter().any(|w| text.contains(w))).map(|(header, _)| *header).collect();
    if text.contains("wcslen(") {
        found.insert("wchar.h");
    }
    debug_assert!(found.iter().all(|h| HEADERS.contains(h)));
    found
}

/// A condition on `acc`, and whether it holds whenever the end is reached.
fn goal(random: &mut Random, values: &BTreeSet<i64>) -> (String, bool) {
    let (Some(&least), Some(&greatest)) = (values.first(), values.last()) else { return ("acc == acc".into(), true) };
    let picked = values.iter().nth(random.below(values.len())).copied().unwrap_or(least);
    match random.below(6) {
        0 => (format!("acc != {picked}"), false),
        1 => (format!("acc > {least}"), false),
        2 => (format!("acc >= {least}"), true),
        3 => (format!("acc <= {greatest}"), true),
        _ => (format!("acc != {}", picked + 1), !values.contains(&(picked + 1))),
    }
}

/// What the runs say of a property.
struct Expectation {
    property: &'static str,
    expected: Option<bool>,
    /// Violations that no run shows are wrong.
    must_be_seen: bool,
}

fn expectations(program: &Program, outcomes: &BTreeSet<Outcome>, holds: bool) -> Vec<Expectation> {
    let has = |kind: Outcome| outcomes.contains(&kind);
    let ends_with = |f: &dyn Fn(bool, bool) -> bool| {
        outcomes.iter().any(|o| matches!(*o, Outcome::Ended { live, lost, .. } if f(live, lost)))
    };
    let is_defined =
        outcomes.iter().all(|o| matches!(o, Outcome::Ended { .. } | Outcome::Stopped | Outcome::Assertion));
    let all_known = !has(Outcome::Other) && program.runs != Runs::Some;
    let all_values = all_known && program.runs == Runs::All;
    let unless = |violated: bool, known: bool| if violated { Some(false) } else { known.then_some(true) };
    let mut list = Vec::new();
    let mut add = |property, violated: bool, complete: bool, may_follow_undefined: bool| {
        let expected = unless(violated, is_defined && complete);
        list.push(Expectation { property, expected, must_be_seen: complete && (is_defined || !may_follow_undefined) });
    };
    if program.watch == Watch::Threads {
        // Values may depend on the schedule.
        let violated = has(Outcome::Race);
        list.push(Expectation {
            property: "no-data-race",
            expected: unless(violated, is_defined),
            must_be_seen: is_defined,
        });
        return list;
    }
    add("unreach-call", !holds || has(Outcome::Assertion), all_values, false);
    add("no-overflow", has(Outcome::Overflow), all_known, false);
    if !matches!(program.watch, Watch::Freestanding) {
        let violated = has(Outcome::Deref) || has(Outcome::Free) || ends_with(&|_, lost| lost);
        add("valid-memsafety", violated, all_known, true);
        let stopped = has(Outcome::Stopped) || has(Outcome::Assertion);
        add("valid-memcleanup", ends_with(&|live, _| live), all_known && !stopped, true);
    }
    if is_defined && all_known {
        list.push(Expectation { property: "termination", expected: Some(true), must_be_seen: true });
    }
    list
}

/// Asks for the properties of a batch of programs, and keeps those with wrong answers.
pub(super) fn compare(options: &Options, seeds: std::ops::Range<u64>, table: &mut Table) -> Result<(), String> {
    let programs: Vec<(u64, Program)> =
        seeds.map(|seed| (seed, Program::new(seed, options.shape, options.data_model))).collect();
    let mut found: BTreeMap<u64, BTreeSet<Outcome>> = BTreeMap::new();
    let model = options.data_model.unwrap_or(DataModel::Lp64);
    for watch in [Watch::Sanitized(model), Watch::Threads, Watch::Freestanding] {
        let group: Vec<&(u64, Program)> = programs.iter().filter(|(_, p)| p.watch == watch).collect();
        let texts: Vec<&Program> = group.iter().map(|(_, p)| p).collect();
        for ((seed, _), outcomes) in group.iter().zip(outcomes(&texts, watch, &options.keep)?) {
            match outcomes {
                Some(outcomes) => {
                    found.insert(*seed, outcomes);
                }
                None => {
                    println!("seed {seed}: gcc does not take it");
                    table.no_reference();
                }
            }
        }
    }
    for (seed, program) in &programs {
        if let Some(outcomes) = found.get(seed) {
            compare_one(options, *seed, program, outcomes, table)?;
        }
    }
    Ok(())
}

fn compare_one(
    options: &Options,
    seed: u64,
    program: &Program,
    outcomes: &BTreeSet<Outcome>,
    table: &mut Table,
) -> Result<(), String> {
    let ended = |o: &Outcome| match *o {
        Outcome::Ended { acc, .. } => Some(acc),
        _ => None,
    };
    let mut random = Random::new(seed.wrapping_mul(3));
    let (goal, holds) = goal(&mut random, &outcomes.iter().filter_map(ended).collect());
    let file = options.keep.join(format!("{seed}.c"));
    std::fs::write(&file, program.source(&goal)).map_err(|e| e.to_string())?;
    let mut keep = false;
    table.n_programs += 1;
    for expectation in expectations(program, outcomes, holds) {
        let Expectation { property, expected, must_be_seen } = expectation;
        let question = Question {
            file: &file,
            property,
            data_model: program.data_model(),
            entry: (!program.parameters.is_empty()).then_some(ENTRY),
        };
        let answer = ask(options, &question, &[])?;
        let unfounded = must_be_seen && expected != Some(false);
        let wrong = table.note(property, expected, unfounded, &answer);
        if wrong {
            println!("WRONG seed {seed} {property}: expected {expected:?}, answered {answer}; runs: {outcomes:?}");
        }
        let unanswered = options.keep_unknown && expected.is_some() && answer.starts_with("unknown");
        if unanswered {
            println!("seed {seed} {property}: expected {expected:?}, answered {answer}");
        }
        keep |= wrong || unanswered;
        if answer == "true" && options.paranoid > 0 && seed.is_multiple_of(options.paranoid) {
            table.n_paranoid += 1;
            let again = ask(options, &question, &["--paranoid"])?;
            if again != "true" && !again.starts_with("unknown(timeout") {
                println!("WRONG seed {seed} {property}: true, but {again} with --paranoid");
                table.n_wrong += 1;
                keep = true;
            }
        }
    }
    if !keep {
        let _ = std::fs::remove_file(&file);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    /// Every piece is C, in several fillings (skipped where there is no gcc).
    #[test]
    fn gcc_takes_the_pieces() {
        let file = std::env::temp_dir().join(format!("craig-pieces-{}.c", std::process::id()));
        let mut text = "#define _GNU_SOURCE\n#define event(x) (void)0\n#define DEREF\n#define FREE\nint CHOICE; struct root { void *p; unsigned long n; }; struct { int live; } blocks[1]; int block_of(void *);\n".to_string();
        for header in HEADERS {
            let _ = writeln!(text, "#include <{header}>");
        }
        text.push_str("void __CPROVER_assume(int); void __CPROVER_assert(int, const char *); void __ESBMC_assume(int); void __ESBMC_assert(int, const char *); void __VERIFIER_assume(int); void reach_error(void);\n#define __CPROVER_bool _Bool\n");
        let lists = pieces::EXACT.iter().copied().chain([pieces::MEMORY, pieces::ENTRIES, pieces::THREADS]);
        let mut number = 0;
        for piece in lists.flatten() {
            for seed in 0..3 {
                let mut filler = Filler::new(Random::new(seed), seed > 0);
                filler.start_piece(number);
                let mut one = Program {
                    declarations: String::new(),
                    hidden: String::new(),
                    parameters: String::new(),
                    arguments: String::new(),
                    body: String::new(),
                    roots: Vec::new(),
                    has_inputs: seed > 0,
                    has_choice: false,
                    runs: Runs::All,
                    watch: Watch::Threads,
                };
                one.add(piece, &mut filler);
                text.push_str(&one.for_the_reference(number));
                number += 1;
            }
        }
        if std::fs::write(&file, text).is_err() {
            return;
        }
        let Ok(output) = Command::new("gcc").args(["-std=gnu11", "-fsyntax-only", "-w"]).arg(&file).output() else {
            return;
        };
        let _ = std::fs::remove_file(&file);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}
