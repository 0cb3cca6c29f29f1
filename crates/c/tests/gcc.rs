//! Random C programs without undefined behaviour: the interpreter must compute what gcc computes.
//!
//! A program mixes integer types, arrays, structs, pointers and loops, and folds everything into a checksum.
//! gcc runs it and prints the checksum; the same program with `if (checksum == that) reach_error();` must
//! then reach the error in the interpreter, which executes the lowered program in exact semantics.
//! With words of bits the programs also have bit operations of all kinds and floating numbers (`-m64` only: gcc
//! computes with more digits on 32-bit processors). Unions, bit-fields and bytes of objects are in all of them,
//! integers of 128 bits where the machine has them.
//!
//! Besides them, programs written by hand, a feature each (`tests/features/*.c`): every `CHK(e)` must give what it
//! gives when gcc's code runs, one after the other.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use base::SourceMap;
use logic::TermPool;

#[path = "random_programs/mod.rs"]
mod random_programs;

use random_programs::program;

fn gcc(flag: &str, source: &str) -> Option<String> {
    // Tests run at the same time: each program has a file of its own.
    static N_PROGRAMS: AtomicUsize = AtomicUsize::new(0);
    let n = N_PROGRAMS.fetch_add(1, Ordering::Relaxed);
    let binary = std::env::temp_dir().join(format!("craig-gcc-{}-{n}", std::process::id()));
    let mut compiler = Command::new("gcc")
        .args([
            "-std=gnu11",
            "-O0",
            "-w",
            "-fwrapv",
            "-msse2",
            "-mfpmath=sse",
            "-fexcess-precision=standard",
            flag,
            "-x",
            "c",
            "-",
            "-o",
        ])
        .arg(&binary)
        .arg("-lm")
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    compiler.stdin.take()?.write_all(source.as_bytes()).ok()?;
    if !compiler.wait().ok()?.success() {
        return None;
    }
    let output = Command::new(&binary).output();
    let _ = std::fs::remove_file(&binary);
    String::from_utf8(output.ok()?.stdout).ok()
}

/// Does the interpreter reach the error?
fn reaches_error(source: &str, model: c::DataModel, words: bool) -> bool {
    run(source, model, words).unwrap_or_else(|problem| panic!("{problem}\n{source}"))
}

fn run(source: &str, model: c::DataModel, words: bool) -> Result<bool, String> {
    let mut sources = SourceMap::new();
    let file = sources.add("random.c", source);
    let mut pool = TermPool::new();
    let integers = if words { c::lower::Integers::Words } else { c::lower::Integers::Unbounded };
    let options = c::Options { data_model: model, ..c::Options::default() };
    let mode = c::Mode { integers, ..c::Mode::default() };
    let none = |_: &Path| None;
    let program = match c::compile(&mut sources, file, &options, &mode, &none, &mut pool) {
        Ok(program) => program,
        Err(diagnostics) => {
            return Err(diagnostics.iter().map(|d| d.render(&sources)).collect());
        }
    };
    if !program.fidelity.unsound.is_empty() {
        return Err(format!("{:?}", program.fidelity.unsound));
    }
    let graph = ir::Icfg::build(&program, &mut pool);
    let limits = exec::random::RandomLimits { max_steps: 200_000, max_depth: 100 };
    // Uninitialised objects make some runs end early; none of the programs reads one.
    Ok((0..300).any(|seed| exec::random::random_run(&graph, &pool, seed, &limits).is_some()))
}

fn gcc_works(flag: &str) -> bool {
    let hello = "int printf(const char *, ...); int main(void) { printf(\"7\"); return 0; }";
    let works = gcc(flag, hello).as_deref() == Some("7");
    // Many machines have no 32-bit libraries. A test without gcc tests nothing; where everything must be tested (`CI`
    // is set) that is a failure.
    assert!(works || flag == "-m32" || std::env::var_os("CI").is_none(), "gcc {flag} does not work here");
    works
}

fn compare(flag: &str, model: c::DataModel, words: bool, seeds: std::ops::Range<u64>) {
    if !gcc_works(flag) {
        return;
    }
    for seed in seeds {
        let body = program(seed, words, words && flag == "-m64", flag == "-m64" && seed % 2 == 1);
        let printing =
            format!("{body}int printf(const char *, ...);\nint main(void) {{ printf(\"%llu\", work()); return 0; }}\n");
        let expected = gcc(flag, &printing).unwrap_or_else(|| panic!("gcc rejects\n{printing}"));
        let checking = format!(
            "{body}extern void reach_error(void);\nint main(void) {{ if (work() == {expected}ull) reach_error(); return 0; }}\n"
        );
        assert!(
            reaches_error(&checking, model, words),
            "seed {seed}: gcc {flag} computes {expected}, we do not\n{checking}"
        );
    }
}

fn rounds() -> u64 {
    std::env::var("CRAIG_RANDOM_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(25)
}

#[test]
fn random_programs_agree_with_gcc_64() {
    compare("-m64", c::DataModel::Lp64, false, 0..rounds());
    compare("-m64", c::DataModel::Lp64, true, 2000..2000 + rounds());
}

#[test]
fn random_programs_agree_with_gcc_32() {
    compare("-m32", c::DataModel::Ilp32, false, 1000..1000 + rounds());
    compare("-m32", c::DataModel::Ilp32, true, 3000..3000 + rounds());
}

/// The values of the checks of a program, as gcc's code computes them.
fn values(flag: &str, source: &str) -> Vec<String> {
    let printing =
        format!("int printf(const char *, ...);\n#define CHK(e) printf(\"%lld\\n\", (long long)(e))\n{source}");
    let output = gcc(flag, &printing).unwrap_or_else(|| panic!("gcc {flag} rejects\n{printing}"));
    output.split_whitespace().map(str::to_string).collect()
}

/// The first `n` checks must have these values, and then the error is reached.
fn checking(source: &str, values: &[String]) -> String {
    let literals: Vec<String> = values.iter().map(|v| literal(v)).collect();
    format!(
        "extern void reach_error(void); extern void abort(void);\nstatic int chk_n; static const long long chk_value[] = {{{}}};\n\
         static void chk(long long v) {{ if (v != chk_value[chk_n]) abort(); if (++chk_n == {}) {{ reach_error(); abort(); }} }}\n\
         #define CHK(e) chk((long long)(e))\n{source}",
        literals.join(", "),
        values.len()
    )
}

fn literal(value: &str) -> String {
    if value == "-9223372036854775808" { "-9223372036854775807ll - 1".into() } else { format!("{value}ll") }
}

fn features(flag: &str, model: c::DataModel) {
    if !gcc_works(flag) {
        return;
    }
    let folder = std::env::var("CRAIG_FEATURES")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/tests/features").to_string());
    let mut files: Vec<_> = std::fs::read_dir(folder).expect("the folder").flatten().map(|e| e.path()).collect();
    files.sort();
    let mut problems = Vec::new();
    for file in files {
        let source = std::fs::read_to_string(&file).expect("a program");
        let name = file.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let first = source.lines().next().unwrap_or_default();
        if first.contains("LP64 only") && flag == "-m32" {
            continue;
        }
        let values = values(flag, &source);
        assert!(!values.is_empty(), "{name} checks nothing");
        let modes: &[bool] = if first.contains("words only") { &[true] } else { &[false, true] };
        for &words in modes {
            match run(&checking(&source, &values), model, words) {
                Ok(true) => {}
                Ok(false) => {
                    let good = (1..values.len())
                        .take_while(|&n| run(&checking(&source, &values[..n]), model, words) == Ok(true));
                    let n = good.count();
                    problems.push(format!("{name} {flag} words={words}: check {} is not {}", n + 1, values[n]));
                }
                Err(problem) => problems.push(format!("{name} {flag} words={words}: {problem}")),
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn features_agree_with_gcc_64() {
    features("-m64", c::DataModel::Lp64);
}

#[test]
fn features_agree_with_gcc_32() {
    features("-m32", c::DataModel::Ilp32);
}
