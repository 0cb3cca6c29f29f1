//! Random C programs without undefined behaviour: the interpreter must compute what gcc computes.
//!
//! A program mixes integer types, arrays, structs, pointers and loops, and folds everything into a checksum.
//! gcc runs it and prints the checksum; the same program with `if (checksum == that) reach_error();` must
//! then reach the error in the interpreter, which executes the lowered program in exact semantics.
//! With words of bits the programs also have bit operations of all kinds and floating numbers (`-m64` only: gcc
//! computes with more digits on 32-bit processors). Unions, bit-fields and bytes of objects are in all of them, integers of
//! 128 bits where the machine has them.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use base::SourceMap;
use logic::TermPool;

#[path = "random_programs/mod.rs"]
mod random_programs;

use random_programs::program;

fn gcc(flag: &str, source: &str) -> Option<String> {
    let dir = std::env::temp_dir().join(format!("craig-gcc-{}-{flag}", std::process::id()));
    std::fs::create_dir_all(&dir).ok()?;
    let binary = dir.join("program");
    let mut compiler = Command::new("gcc")
        .args(["-std=gnu11", "-O0", "-w", "-fwrapv", flag, "-x", "c", "-", "-o"])
        .arg(&binary)
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    compiler.stdin.take()?.write_all(source.as_bytes()).ok()?;
    if !compiler.wait().ok()?.success() {
        return None;
    }
    let output = Command::new(&binary).output().ok()?;
    String::from_utf8(output.stdout).ok()
}

/// Does the interpreter reach the error?
fn reaches_error(source: &str, model: c::DataModel, words: bool) -> bool {
    let mut sources = SourceMap::new();
    let file = sources.add("random.c", source);
    let mut pool = TermPool::new();
    let integers = if words { c::lower::Integers::Words } else { c::lower::Integers::Unbounded };
    let options = c::Options { data_model: model, integers, ..c::Options::default() };
    let none = |_: &Path| None;
    let program = match c::compile(&mut sources, file, &options, &none, &mut pool) {
        Ok(program) => program,
        Err(diagnostics) => {
            let text: String = diagnostics.iter().map(|d| d.render(&sources)).collect();
            panic!("{text}\n{source}");
        }
    };
    assert!(program.fidelity.unsound.is_empty(), "{:?}\n{source}", program.fidelity.unsound);
    let graph = ir::Icfg::build(&program, &mut pool);
    let limits = ir::interp::RandomLimits { max_steps: 200_000, max_depth: 100 };
    // Uninitialised objects make some runs end early; none of the programs reads one.
    (0..300).any(|seed| ir::interp::random_run(&graph, &pool, seed, &limits).is_some())
}

fn compare(flag: &str, model: c::DataModel, words: bool, seeds: std::ops::Range<u64>) {
    let hello = "int printf(const char *, ...); int main(void) { printf(\"7\"); return 0; }";
    if gcc(flag, hello).as_deref() != Some("7") {
        eprintln!("gcc {flag} does not work here: skipped");
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
