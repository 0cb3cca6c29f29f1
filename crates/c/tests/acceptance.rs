//! Small programs, a construct each, that gcc takes or rejects, and so do we.
//!
//! `acceptance/*.c.txt` hold them, each under a line `//// name [flags]`. What gcc takes must be read without a message
//! (flag `unknown`: with something that is not modelled), and no execution may fail an assertion, as none does with
//! gcc. What gcc rejects is an error. Where gcc is installed it is asked; flag `gnu2x` asks it for C23, and flag `new`
//! says that the gcc of today (12) does not know the construct yet.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use base::SourceMap;
use logic::TermPool;

struct Case<'a> {
    name: &'a str,
    flags: Vec<&'a str>,
    source: &'a str,
}

fn cases(text: &str) -> Vec<Case<'_>> {
    let pieces = text.split("//// ").filter(|p| !p.is_empty());
    pieces
        .map(|piece| {
            let (head, source) = piece.split_once('\n').expect("a line with the name");
            let mut words = head.split_whitespace();
            Case { name: words.next().expect("a name"), flags: words.collect(), source }
        })
        .collect()
}

/// Does gcc take the program? `None` without gcc, or where it is too old to be asked.
fn gcc_takes(case: &Case, source: &str) -> Option<bool> {
    if case.flags.contains(&"new") {
        return None;
    }
    let standard = if case.flags.contains(&"gnu2x") { "-std=gnu2x" } else { "-std=gnu11" };
    let mut gcc = Command::new("gcc")
        .args([standard, "-w", "-fsyntax-only", "-msse2", "-x", "c", "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    gcc.stdin.take()?.write_all(source.as_bytes()).ok()?;
    Some(gcc.wait().ok()?.success())
}

fn compile(source: &str, pool: &mut TermPool) -> Result<ir::Program, String> {
    let mut sources = SourceMap::new();
    let file = sources.add("t.c", source);
    let none = |_: &Path| None;
    let options = c::Options { data_model: c::DataModel::Lp64, ..c::Options::default() };
    let mode = c::Mode { integers: c::lower::Integers::Words, ..c::Mode::default() };
    c::compile(&mut sources, file, &options, &mode, &none, pool)
        .map_err(|diagnostics| diagnostics.iter().map(|d| d.render(&sources)).collect())
}

#[test]
fn what_gcc_takes() {
    let mut problems = Vec::new();
    for case in cases(include_str!("acceptance/accepted.c.txt")) {
        let source = format!("#include <assert.h>\n{}", case.source);
        if gcc_takes(&case, &source) == Some(false) {
            problems.push(format!("{}: gcc rejects it", case.name));
        }
        let mut pool = TermPool::new();
        match compile(&source, &mut pool) {
            Err(messages) => problems.push(format!("{}: {messages}", case.name)),
            Ok(program) => {
                let unsound = &program.fidelity.unsound;
                if unsound.is_empty() == case.flags.contains(&"unknown") {
                    problems.push(format!("{}: {unsound:?}", case.name));
                }
                let graph = ir::Icfg::build(&program, &mut pool);
                let limits = exec::random::RandomLimits { max_steps: 20_000, max_depth: 100 };
                if (0..5).any(|seed| exec::random::random_run(&graph, &pool, seed, &limits).is_some()) {
                    problems.push(format!("{}: an assertion fails", case.name));
                }
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn what_gcc_rejects() {
    let mut problems = Vec::new();
    for case in cases(include_str!("acceptance/rejected.c.txt")) {
        if gcc_takes(&case, case.source) == Some(true) {
            problems.push(format!("{}: gcc takes it", case.name));
        }
        if compile(case.source, &mut TermPool::new()).is_ok() {
            problems.push(format!("{}: accepted", case.name));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Every header can be read, in both data models, and all of it.
#[test]
fn headers_are_understood() {
    for name in c::headers::names() {
        for data_model in [c::DataModel::Ilp32, c::DataModel::Lp64] {
            let mut sources = SourceMap::new();
            let file =
                sources.add("t.c", format!("#include <{name}>\n#include <{name}>\nint main(void) {{ return 0; }}\n"));
            let none = |_: &Path| None;
            let options = c::Options { data_model, ..c::Options::default() };
            let result = c::compile(&mut sources, file, &options, &c::Mode::default(), &none, &mut TermPool::new());
            if let Err(diagnostics) = result {
                let text: String = diagnostics.iter().map(|d| d.render(&sources)).collect();
                panic!("{name}: {text}");
            }
        }
    }
}
