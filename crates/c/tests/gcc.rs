//! Random C programs without undefined behaviour: the interpreter must compute what gcc computes.
//!
//! A program mixes integer types, arrays, structs, pointers and loops, and folds everything into a checksum.
//! gcc runs it and prints the checksum; the same program with `if (checksum == that) reach_error();` must
//! then reach the error in the interpreter, which executes the lowered program in exact semantics.
//! With words of bits the programs also have bit operations of all kinds and floating numbers (`-m64` only: gcc
//! computes with more digits on 32-bit processors).

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use base::SourceMap;
use logic::TermPool;

struct Random {
    state: u64,
    /// Operations that need words.
    words: bool,
    floats: bool,
}

impl Random {
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len() as u64) as usize]
    }
}

const TYPES: &[&str] = &[
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned int",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "_Bool",
];

/// What an expression may read.
const READABLE: &[&str] = &[
    "a",
    "b",
    "c",
    "d",
    "arr[1]",
    "arr[(unsigned)a % 4u]",
    "s.x",
    "s.y",
    "s.in.z",
    "*p",
    "g",
    "garr[2]",
    "s.f",
    "q->y",
];
const WRITABLE: &[&str] =
    &["a", "b", "c", "d", "arr[0]", "arr[(unsigned)b % 4u]", "s.x", "s.y", "s.in.z", "*p", "g", "s.f", "q->x"];

/// An expression of unsigned long long, where nothing is undefined.
fn expression(r: &mut Random, depth: u32) -> String {
    if depth == 0 || r.below(6) == 0 {
        return match r.below(3) {
            0 => format!("{}", r.below(300)),
            1 => format!("({})({})", r.pick(TYPES), r.pick(READABLE)),
            _ => r.pick(READABLE).to_string(),
        };
    }
    let (x, y) = (expression(r, depth - 1), expression(r, depth - 1));
    if r.words && r.below(3) == 0 {
        return match r.below(if r.floats { 8 } else { 3 }) {
            0 => format!("(({x}) {} ({y}))", r.pick(&["&", "|", "^"])),
            1 => format!("((unsigned)({x}) << (({y}) & 31))"),
            2 => format!("((long long)({x}) >> (({y}) & 63))"),
            3 => format!("(fl = (float)({x}), mix(*(unsigned *)&fl), fl < (float)({y}))"),
            4 => format!("(db = (int)({x}), db = db {} (double)(int)({y}), bits(db))", r.pick(&["+", "-", "*", "/"])),
            5 => format!("(db = db {} ({y}), bits(db))", r.pick(&["+", "-", "*", "/"])),
            6 => format!(
                "(fl = fl {} (float)({y}), fl {} (int)({x}))",
                r.pick(&["+", "-", "*", "/"]),
                r.pick(&["<", ">=", "==", "!="])
            ),
            _ => format!("((long long)(float)(short)({x}) + (int)(double)(int)({y}))"),
        };
    }
    match r.below(16) {
        0 | 1 => format!("((unsigned long long)({x}) + ({y}))"),
        2 => format!("((unsigned)({x}) - ({y}))"),
        3 => format!("((unsigned long long)({x}) * ({y}))"),
        // Neither a zero divisor nor the least value by minus one.
        4 => format!("((long long)({x}) / (1 + (int)(({y}) & 7)))"),
        5 => format!("((int)({x}) % (1 + (int)(({y}) & 15)))"),
        6 => format!("(({x}) & {})", r.pick(&["1", "7", "255", "0xf0", "~3", "0x5a"])),
        7 => format!("(({x}) | {})", r.pick(&["1", "8", "0x30"])),
        8 => format!("(({x}) ^ {})", r.pick(&["1", "0xff", "-1"])),
        9 => format!("((unsigned)({x}) << {})", r.below(20)),
        10 => format!("((int)({x}) >> {})", r.below(20)),
        11 => format!("(({x}) {} ({y}))", r.pick(&["<", "<=", ">", ">=", "==", "!="])),
        12 => format!("(({x}) {} ({y}))", r.pick(&["&&", "||"])),
        13 => format!("(({x}) ? ({y}) : {})", r.pick(READABLE)),
        14 => format!("(~({x}))"),
        _ => format!("(({})({x}))", r.pick(TYPES)),
    }
}

fn statement(r: &mut Random, depth: u32, indent: usize, out: &mut String) {
    let pad = "    ".repeat(indent);
    match r.below(if depth == 0 { 5 } else { 10 }) {
        0 | 1 => {
            let (place, value) = (r.pick(WRITABLE), expression(r, 2));
            let _ = writeln!(out, "{pad}{place} = {value};");
        }
        2 => {
            let (place, value) = (r.pick(WRITABLE), expression(r, 1));
            let op = r.pick(&["&=", "|="]);
            let mask = r.below(256);
            let _ = value;
            let _ = writeln!(out, "{pad}{place} {op} {mask};");
        }
        3 => {
            let value = expression(r, 2);
            let _ = writeln!(out, "{pad}mix({value});");
        }
        4 => {
            let (name, op) = (r.pick(&["ub", "uc"]), r.pick(&["++", "--"]));
            let _ = writeln!(out, "{pad}mix({name}{op}); mix({op}{name});");
        }
        5 => {
            let condition = expression(r, 2);
            let _ = writeln!(out, "{pad}if ({condition}) {{");
            statement(r, depth - 1, indent + 1, out);
            let _ = writeln!(out, "{pad}}} else {{");
            statement(r, depth - 1, indent + 1, out);
            let _ = writeln!(out, "{pad}}}");
        }
        6 => {
            let n = 1 + r.below(4);
            let _ = writeln!(out, "{pad}for (int i{indent} = 0; i{indent} < {n}; i{indent}++) {{");
            statement(r, depth - 1, indent + 1, out);
            let _ = writeln!(out, "{pad}    if (i{indent} == 2) continue;\n{pad}    mix(i{indent});\n{pad}}}");
        }
        7 => {
            let value = expression(r, 1);
            let _ = writeln!(
                out,
                "{pad}switch ((int)(({value}) & 3)) {{ case 0: mix(10); case 1: mix(11); break; case 2: mix(12); break; default: mix(13); }}"
            );
        }
        8 => {
            let _ = writeln!(out, "{pad}p = {};", r.pick(&["&d", "&arr[2]", "&s.x", "arr + 3"]));
        }
        _ => {
            let value = expression(r, 1);
            let _ = writeln!(out, "{pad}t = s; t.x = (int)({value}); s = pass(t);");
        }
    }
}

fn program(seed: u64, words: bool, floats: bool) -> String {
    let mut r = Random { state: seed, words, floats };
    let mut out = String::new();
    let (ta, tb, tc) = (r.pick(TYPES), r.pick(TYPES), r.pick(TYPES));
    let _ = writeln!(
        out,
        "struct In {{ short z; }};\nstruct S {{ int x; unsigned y; struct In in; unsigned f : 5; }};\n\
         static unsigned long long sum = 7;\nstatic unsigned g = 5;\nstatic int garr[4] = {{ 1, -2, [3] = 9 }};\n\
         static void mix(unsigned long long v) {{ sum = sum * 31u + v; sum = sum ^ 0xffu; }}\n\
         static unsigned long long bits(double d) {{ union {{ double d; unsigned long long u; }} v; v.d = d; return d == d ? v.u : 1; }}\n\
         static float fl = 1.5f;\nstatic double db = -0.375;\n\
         static struct S pass(struct S v) {{ v.y += 3; v.in.z = (short)(v.in.z - 1); return v; }}\n\
         static unsigned long long work(void) {{\n    {ta} a = {};\n    {tb} b = {};\n    {tc} c = {};\n    int d = {};\n    \
         int arr[4] = {{ 3, 1, 4, 1 }};\n    struct S s = {{ 1, 2, {{ -3 }}, 17 }}, t, *q = &s;\n    int *p = &d;\n    \
         unsigned char ub = 254; unsigned short uc = 1;",
        r.below(100),
        r.below(100),
        r.below(100),
        r.below(1000),
    );
    for _ in 0..4 + r.below(5) {
        statement(&mut r, 2, 1, &mut out);
    }
    let _ = writeln!(
        out,
        "    mix(a); mix(b); mix(c); mix(d); mix(arr[0]); mix(arr[1]); mix(arr[2]); mix(arr[3]);\n    \
         mix(s.x); mix(s.y); mix(s.in.z); mix(s.f); mix(g); mix(garr[1]); mix(sizeof(struct S)); mix(sizeof(a + b));\n    \
         return sum;\n}}"
    );
    out
}

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
    (0..20).any(|seed| ir::interp::random_run(&graph, &pool, seed, &limits).is_some())
}

fn compare(flag: &str, model: c::DataModel, words: bool, seeds: std::ops::Range<u64>) {
    let hello = "int printf(const char *, ...); int main(void) { printf(\"7\"); return 0; }";
    if gcc(flag, hello).as_deref() != Some("7") {
        eprintln!("gcc {flag} does not work here: skipped");
        return;
    }
    for seed in seeds {
        let body = program(seed, words, words && flag == "-m64");
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
