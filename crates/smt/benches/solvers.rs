//! Solvers side by side: `cargo bench -p craig-smt --bench solvers [-- --limit SECONDS] [--only NAME] [--print]`.
//!
//! The problems are generated, of the kinds that model checkers send and of the kinds that solvers are tried on: path
//! formulas of loops of growing length (with interpolants for those who can), thousands of small incremental checks,
//! pigeonhole, random linear arithmetic near the threshold, diamonds of equalities, swaps in arrays, multipliers.
//!
//! Each problem is an SMT-LIB script that goes to standard input of a new process of each solver: ourselves (this
//! program again), and whichever of z3, cvc5, opensmt and smtinterpol is on the path. The time is wall clock (the best
//! of three runs if they take less than a second) without the time that the solver needs for an empty script, which is
//! shown apart. Answers must agree.

use base::Budget;
use base::Random;
use smt::focused::families::pigeonhole;
use smt::script::{ScriptOptions, run_script};
use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

struct Problem {
    family: &'static str,
    name: String,
    script: String,
    /// Asks for interpolants: z3 and cvc5 do not take part.
    interpolates: bool,
}

struct Rival {
    name: &'static str,
    program: PathBuf,
    args: &'static [&'static str],
    interpolates: bool,
    /// Time for an empty script.
    start: Duration,
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if args.iter().any(|a| a == "--solve") {
        let mut out = std::io::stdout();
        let input = std::io::stdin().lock();
        // A closed pipe ends the run.
        let _ = run_script(input, &mut out, &ScriptOptions::default(), &Budget::unlimited());
        return;
    }
    let option = |name: &str| args.iter().position(|a| a == name).and_then(|k| args.get(k + 1));
    let limit = Duration::from_secs_f64(option("--limit").and_then(|s| s.parse().ok()).unwrap_or(10.0));
    let mut problems = problems();
    problems.retain(|p| option("--only").is_none_or(|wanted| p.name.contains(wanted.as_str())));
    if args.iter().any(|a| a == "--print") {
        problems.iter().for_each(|p| println!("; {}\n{}", p.name, p.script));
        return;
    }
    let rivals = rivals(limit);
    print!("{:<24}", "milliseconds");
    for rival in &rivals {
        print!(" {:>12}", rival.name);
    }
    println!();
    let mut sums: Vec<(&'static str, Vec<f64>)> = Vec::new();
    for problem in &problems {
        let mut times = Vec::new();
        let mut answers: Vec<(&str, Vec<String>)> = Vec::new();
        for rival in &rivals {
            let run = (!problem.interpolates || rival.interpolates).then(|| rival.best(&problem.script, limit));
            let cell = match &run {
                None => "-".to_string(),
                Some(None) => "timeout".to_string(),
                Some(Some((time, answer))) => {
                    answers.push((rival.name, answer.clone()));
                    format!("{:.1}", time.saturating_sub(rival.start).as_secs_f64() * 1e3)
                }
            };
            times.push(match run {
                None => 0.0,
                Some(None) => limit.as_secs_f64() * 1e3,
                Some(Some((time, _))) => time.saturating_sub(rival.start).as_secs_f64() * 1e3,
            });
            if rival.name == rivals[0].name {
                print!("{:<24}", problem.name);
            }
            print!(" {cell:>12}");
        }
        println!();
        for (name, answer) in &answers {
            let decided = |a: &&String| *a == "sat" || *a == "unsat";
            if let Some((first, expected)) = answers.first()
                && answer.iter().zip(expected).any(|(a, e)| decided(&a) && decided(&e) && a != e)
            {
                println!("DISAGREEMENT: {first} and {name} differ on {}", problem.name);
            }
        }
        match sums.iter_mut().find(|(family, _)| *family == problem.family) {
            Some((_, sum)) => sum.iter_mut().zip(&times).for_each(|(s, t)| *s += t),
            None => sums.push((problem.family, times)),
        }
    }
    println!();
    for (family, sum) in &sums {
        print!("{family:<24}");
        for time in sum {
            print!(" {time:>12.1}");
        }
        println!();
    }
    print!("{:<24}", "total");
    for k in 0..rivals.len() {
        print!(" {:>12.1}", sums.iter().map(|(_, s)| s[k]).sum::<f64>());
    }
    print!("\n{:<24}", "start");
    for rival in &rivals {
        print!(" {:>12.1}", rival.start.as_secs_f64() * 1e3);
    }
    println!();
}

impl Rival {
    /// The best of three runs, unless they take long.
    fn best(&self, script: &str, limit: Duration) -> Option<(Duration, Vec<String>)> {
        let mut best = self.run(script, limit)?;
        for _ in 0..2 {
            if best.0 < Duration::from_secs(1)
                && let Some(again) = self.run(script, limit)
                && again.0 < best.0
            {
                best = again;
            }
        }
        Some(best)
    }
    /// The time and the answers; `None` if the limit was hit.
    fn run(&self, script: &str, limit: Duration) -> Option<(Duration, Vec<String>)> {
        let started = Instant::now();
        let mut child = Command::new(&self.program)
            .args(self.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let (mut stdin, mut stdout) = (child.stdin.take()?, child.stdout.take()?);
        let script = script.to_string();
        let writer = std::thread::spawn(move || {
            // A solver that gave up reads no further.
            let _ = stdin.write_all(script.as_bytes());
        });
        let reader = std::thread::spawn(move || {
            let mut text = String::new();
            let _ = stdout.read_to_string(&mut text);
            text
        });
        let ended = loop {
            match child.try_wait() {
                Ok(Some(_)) => break true,
                Ok(None) if started.elapsed() < limit => std::thread::sleep(Duration::from_micros(200)),
                Ok(None) | Err(_) => break false,
            }
        };
        let time = started.elapsed();
        if !ended {
            let _ = child.kill();
            let _ = child.wait();
        }
        let text = reader.join().ok()?;
        let _ = writer.join();
        ended.then(|| (time, text.lines().map(str::to_string).collect()))
    }
}

fn rivals(limit: Duration) -> Vec<Rival> {
    let mut rivals = Vec::new();
    let mut add = |name, program: Option<PathBuf>, args, interpolates| {
        let Some(program) = program else { return };
        let mut rival = Rival { name, program, args, interpolates, start: Duration::ZERO };
        let runs = (0..3).filter_map(|_| rival.run("(set-logic ALL)\n(exit)\n", limit));
        let Some(start) = runs.map(|(time, _)| time).min() else { return };
        rival.start = start;
        rivals.push(rival);
    };
    add("craig", std::env::current_exe().ok(), &["--solve"], true);
    add("z3", on_path("z3"), &["-in"], false);
    add("cvc5", on_path("cvc5"), &["--incremental", "-"], false);
    add("opensmt", on_path("opensmt"), &[], true);
    add("smtinterpol", on_path("smtinterpol"), &["-q"], true);
    rivals
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|dir| dir.join(name)).find(|file| file.is_file())
}

fn problems() -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut add = |family, name: String, script, interpolates| {
        problems.push(Problem { family, name, script, interpolates });
    };
    for length in [10, 40, 160] {
        add("paths", format!("path-{length}"), path(length, false, false), false);
        add("paths", format!("diamonds-{length}"), path(length, true, false), false);
    }
    for length in [10, 40, 160] {
        add("interpolants", format!("path-itp-{length}"), path(length, false, true), true);
    }
    add("small checks", "hoare-2000".to_string(), hoare(2000), false);
    for n in [5, 6, 7] {
        add("pigeonhole", format!("php-{n}"), holes(n), false);
    }
    for seed in 0..4 {
        add("random LRA", format!("lra-{seed}"), random_arithmetic("Real", 12, 50, seed), false);
        add("random LIA", format!("lia-{seed}"), random_arithmetic("Int", 10, 42, seed), false);
    }
    for n in [10, 30, 90] {
        add("UF diamonds", format!("uf-diamonds-{n}"), equality_diamonds(n), false);
    }
    for n in [3, 5, 7] {
        add("array swaps", format!("swaps-{n}"), swaps(n), false);
    }
    for width in [5, 6, 7] {
        add("multipliers", format!("mul-commutes-{width}"), multiplier(width), false);
    }
    problems
}

/// `i = 0; s = 0; while (i < n) { s += 2 (or 1); i++ }`, unrolled; claims that s ends above 2n.
fn path(length: usize, choice: bool, interpolants: bool) -> String {
    let mut out = String::new();
    if interpolants {
        out.push_str("(set-option :produce-interpolants true)\n");
    }
    out.push_str("(set-logic QF_LIA)\n(declare-fun n () Int)\n");
    let mut parts = vec!["(and (= i0 0) (= s0 0))".to_string()];
    for k in 0..length {
        let step = match choice {
            true => format!("(or (= s{0} (+ s{k} 1)) (= s{0} (+ s{k} 2)))", k + 1),
            false => format!("(= s{0} (+ s{k} 2))", k + 1),
        };
        parts.push(format!("(and (< i{k} n) (= i{0} (+ i{k} 1)) {step})", k + 1));
    }
    parts.push(format!("(and (>= i{length} n) (> s{length} (* 2 n)))"));
    for k in 0..=length {
        let _ = writeln!(out, "(declare-fun i{k} () Int)\n(declare-fun s{k} () Int)");
    }
    for (k, part) in parts.iter().enumerate() {
        let _ = match interpolants {
            true => writeln!(out, "(assert (! {part} :named P{k}))"),
            false => writeln!(out, "(assert {part})"),
        };
    }
    out.push_str("(check-sat)\n");
    if interpolants {
        let names: Vec<String> = (0..parts.len()).map(|k| format!("P{k}")).collect();
        let _ = writeln!(out, "(get-interpolants {})", names.join(" "));
    }
    out
}

/// Hoare triples over a small state, each in a scope of its own.
fn hoare(n: usize) -> String {
    let mut out = String::from("(set-logic QF_LIA)\n");
    for v in ["x", "y", "z", "i", "n"] {
        let _ = writeln!(out, "(declare-fun {v} () Int)\n(declare-fun {v}1 () Int)");
    }
    let mut random = Random::new(7);
    let names = ["x", "y", "z", "i", "n"];
    let predicate = |random: &mut Random, suffix: &str| {
        let (a, b) = (names[random.below(5)], names[random.below(5)]);
        match random.below(3) {
            0 => format!("(<= {a}{suffix} {b}{suffix})"),
            1 => format!("(<= (+ {a}{suffix} {b}{suffix}) {})", random.below(10)),
            _ => format!("(= {a}{suffix} {})", random.below(5)),
        }
    };
    let mut left = n;
    while left > 0 {
        let (target, source) = (random.below(5), random.below(5));
        out.push_str("(push 1)\n");
        for (k, v) in names.iter().enumerate() {
            let value = if k == target { format!("(+ {} 1)", names[source]) } else { v.to_string() };
            let _ = writeln!(out, "(assert (= {v}1 {value}))");
        }
        for _ in 0..20.min(left) {
            let (pre, post) = (predicate(&mut random, ""), predicate(&mut random, "1"));
            let more = predicate(&mut random, "");
            let _ = writeln!(out, "(push 1)\n(assert (and {pre} {more}))\n(assert (not {post}))\n(check-sat)\n(pop 1)");
            left -= 1;
        }
        out.push_str("(pop 1)\n");
    }
    out
}

fn holes(n: usize) -> String {
    let cnf = pigeonhole(n);
    let mut out = String::from("(set-logic QF_UF)\n");
    for v in 0..cnf.n_vars {
        let _ = writeln!(out, "(declare-fun p{v} () Bool)");
    }
    for clause in &cnf.clauses {
        let lits: Vec<String> = clause
            .iter()
            .map(|l| if l.is_positive() { format!("p{}", l.var().0) } else { format!("(not p{})", l.var().0) })
            .collect();
        let _ = writeln!(out, "(assert (or {} false))", lits.join(" "));
    }
    out.push_str("(check-sat)\n");
    out
}

/// Clauses of three random bounds on small linear forms: about half of these are satisfiable.
fn random_arithmetic(sort: &str, n_vars: usize, n_clauses: usize, seed: u64) -> String {
    let mut random = Random::new(seed + 100);
    let mut out = format!("(set-logic {})\n", if sort == "Int" { "QF_LIA" } else { "QF_LRA" });
    for v in 0..n_vars {
        let _ = writeln!(out, "(declare-fun x{v} () {sort})");
        let _ = writeln!(out, "(assert (and (<= 0 x{v}) (<= x{v} 20)))");
    }
    for _ in 0..n_clauses {
        out.push_str("(assert (or");
        for _ in 0..3 {
            let (a, b, c) = (random.below(n_vars), random.below(n_vars), random.below(n_vars));
            let (p, q) = (1 + random.below(5), 1 + random.below(5));
            let bound = random.below(20);
            let relation = if random.below(2) == 0 { "<=" } else { ">=" };
            let _ = write!(out, " ({relation} (- (+ (* {p} x{a}) (* {q} x{b})) (* 4 x{c})) {bound})");
        }
        out.push_str("))\n");
    }
    out.push_str("(check-sat)\n");
    out
}

/// `x0 = y0 = x1 or x0 = z0 = x1`, and so on; claims that the ends differ.
fn equality_diamonds(n: usize) -> String {
    let mut out = String::from("(set-logic QF_UF)\n(declare-sort U 0)\n");
    for k in 0..=n {
        let _ = writeln!(out, "(declare-fun x{k} () U)\n(declare-fun y{k} () U)\n(declare-fun z{k} () U)");
    }
    for k in 0..n {
        let next = k + 1;
        let _ =
            writeln!(out, "(assert (or (and (= x{k} y{k}) (= y{k} x{next})) (and (= x{k} z{k}) (= z{k} x{next}))))");
    }
    let _ = writeln!(out, "(assert (not (= x0 x{n})))\n(check-sat)");
    out
}

/// Elements are swapped pairwise in two orders; claims that the arrays differ.
fn swaps(n: usize) -> String {
    let mut out = String::from("(set-logic QF_ALIA)\n(declare-fun a () (Array Int Int))\n");
    let names = |k: usize| format!("(* 2 k{k})");
    for k in 0..n {
        let _ = writeln!(out, "(declare-fun k{k} () Int)");
    }
    for k in 1..n {
        let _ = writeln!(out, "(assert (< k{} k{k}))", k - 1);
    }
    let swap = |array: String, k: usize| {
        let (i, j) = (names(k), format!("(+ {} 1)", names(k)));
        format!("(let ((b {array})) (store (store b {i} (select b {j})) {j} (select b {i})))")
    };
    let up = (0..n).fold("a".to_string(), swap);
    let down = (0..n).rev().fold("a".to_string(), swap);
    let _ = writeln!(out, "(assert (not (= {up} {down})))\n(check-sat)");
    out
}

fn multiplier(width: usize) -> String {
    format!(
        "(set-logic QF_BV)\n(declare-fun x () (_ BitVec {width}))\n(declare-fun y () (_ BitVec {width}))\n\
         (declare-fun z () (_ BitVec {width}))\n(assert (not (= (bvmul x (bvadd y z)) (bvadd (bvmul z x) (bvmul y x)))))\n\
         (check-sat)\n"
    )
}
