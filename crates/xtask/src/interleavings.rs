//! `fuzz-threads`: random Boogie programs with threads, all of whose interleavings are made one by one, against what
//! `craig check` answers.
//!
//! Two to four threads with small loops, locks, atomic sections, choices and waiting work on a few shared variables.
//! The states are few, and a search through all of them says whether an assertion can fail, or (`--property
//! no-deadlock`) whether all threads can come to wait. A wrong verdict, a crash or a rejected certificate is printed
//! with its seed, and the program is kept.

use base::Random;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;

pub(crate) const USAGE: &str = "usage: cargo xtask fuzz-threads --bin CRAIG [--from SEED] [--to SEED] [--timeout TIME] [--engine NAME[,NAME…]] [--property unreach-call|no-deadlock] [--keep DIR]";

pub(crate) struct Options {
    bin: PathBuf,
    from: u64,
    to: u64,
    timeout: String,
    /// They take turns.
    engines: Vec<String>,
    question: Question,
    keep: PathBuf,
}

impl Options {
    pub(crate) fn parse(args: &[String]) -> Result<Options, String> {
        let mut options = Options {
            bin: PathBuf::new(),
            from: 0,
            to: 100,
            timeout: "3s".to_string(),
            engines: ["auto", "petri", "reduced-interleavings", "thread-modular"].map(str::to_string).to_vec(),
            question: Question::Assertions,
            keep: std::env::temp_dir().join("craig-fuzz-threads"),
        };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let value = args.next().ok_or_else(|| format!("{arg} wants a value"))?;
            let number = || value.parse().map_err(|_| format!("{arg} wants a number, not '{value}'"));
            match arg.as_str() {
                "--bin" => options.bin = value.into(),
                "--from" => options.from = number()?,
                "--to" => options.to = number()?,
                "--timeout" => options.timeout = value.clone(),
                "--engine" => options.engines = value.split(',').map(str::to_string).collect(),
                "--property" => options.question = Question::parse(value)?,
                "--keep" => options.keep = value.into(),
                _ => return Err(format!("unknown option {arg}")),
            }
        }
        if options.bin.as_os_str().is_empty() || options.engines.is_empty() {
            return Err("--bin or an engine is missing".to_string());
        }
        Ok(options)
    }
}

/// What is asked about a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Question {
    Assertions,
    Deadlocks,
}

impl Question {
    fn parse(name: &str) -> Result<Question, String> {
        match name {
            "unreach-call" => Ok(Question::Assertions),
            "no-deadlock" => Ok(Question::Deadlocks),
            _ => Err(format!("unknown property {name}")),
        }
    }
    fn name(self) -> &'static str {
        match self {
            Question::Assertions => "unreach-call",
            Question::Deadlocks => "no-deadlock",
        }
    }
}

/// What came of a comparison.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) n_programs: u64,
    pub(crate) n_answered: u64,
    pub(crate) n_wrong: u64,
}

/// Runs the comparison.
pub(crate) fn run(options: &Options) -> Result<Counts, String> {
    std::fs::create_dir_all(&options.keep).map_err(|e| format!("{}: {e}", options.keep.display()))?;
    let mut table: BTreeMap<(String, &'static str, String), u64> = BTreeMap::new();
    let mut counts = Counts::default();
    for seed in options.from..options.to {
        let mut program = Program::new(seed);
        if options.question == Question::Deadlocks {
            program.wait();
        }
        let Some(fails) = program.can_fail(options.question) else { continue };
        let expected = if fails { "false" } else { "true" };
        let engine = &options.engines[(seed % options.engines.len() as u64) as usize];
        let file = options.keep.join(format!("{seed}.bpl"));
        std::fs::write(&file, program.text()).map_err(|e| format!("{}: {e}", file.display()))?;
        let mut command = Command::new(&options.bin);
        command.args(["check", "--property", options.question.name(), "--timeout", &options.timeout, "--jobs", "1"]);
        if engine != "auto" {
            command.args(["--engine", engine]);
        }
        let output = command.arg(&file).output().map_err(|e| format!("{}: {e}", options.bin.display()))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let result = text.lines().rev().find_map(|l| l.strip_prefix("RESULT: ")).unwrap_or("crash").to_string();
        let answer = result.split('(').next().unwrap_or_default().to_string();
        let is_bad = match answer.as_str() {
            "true" | "false" => answer != expected,
            "unknown" => result.contains("rejected") || result.contains("internal error"),
            _ => true,
        };
        counts.n_programs += 1;
        counts.n_answered += u64::from(matches!(answer.as_str(), "true" | "false"));
        // Of those without an answer the reason.
        let shown = if answer == "unknown" { result.clone() } else { answer };
        *table.entry((engine.clone(), expected, shown)).or_default() += 1;
        if is_bad {
            counts.n_wrong += 1;
            println!("seed {seed}, engine {engine}: expected {expected}, got {result}: {}", file.display());
        } else {
            // Kept programs are the ones to look at.
            std::fs::remove_file(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        }
    }
    for ((engine, expected, answer), n) in &table {
        println!("{engine:24} expected {expected:6} {n:6} times {answer}");
    }
    println!("{} wrong", counts.n_wrong);
    Ok(counts)
}

/// A variable: a shared one, or one of the thread.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Var {
    Shared(usize),
    Own(usize),
}

const SHARED: [&str; 4] = ["x", "y", "z", "m"];
/// The last shared variable is a lock.
const LOCK: Var = Var::Shared(3);
const OWN: [&str; 3] = ["l", "c", "d"];

#[derive(Clone, Copy)]
enum Operand {
    Number(i64),
    Of(Var),
}

#[derive(Clone)]
enum Expr {
    Plain(Operand),
    Sum(Var, i64),
    Product(Var, i64),
}

#[derive(Clone)]
struct Test(Var, &'static str, Operand);

#[derive(Clone)]
enum Stmt {
    Assign(Var, Expr),
    /// 0 or 1.
    Choose(Var),
    Assume(Test),
    Assert(Test),
    If(Test, Vec<Stmt>, Vec<Stmt>),
    /// The counter, how often, and the body.
    Repeat(usize, i64, Vec<Stmt>),
    Atomic(Vec<Stmt>),
    Fork(i64, usize),
    Join(i64),
}

struct Program {
    main: Vec<Stmt>,
    procs: Vec<Vec<Stmt>>,
}

struct Maker {
    random: Random,
}

impl Maker {
    fn below(&mut self, n: u64) -> u64 {
        self.random.below(n as usize) as u64
    }
    fn var(&mut self) -> Var {
        match self.below(5) {
            0 => Var::Own(0),
            n => Var::Shared((n as usize - 1) % 3),
        }
    }
    fn operand(&mut self) -> Operand {
        if self.below(3) == 0 { Operand::Of(self.var()) } else { Operand::Number(self.below(3) as i64) }
    }
    fn test(&mut self) -> Test {
        let op = ["==", "!=", "<", "<=", ">", ">="][self.below(6) as usize];
        Test(self.var(), op, self.operand())
    }
    /// What is often the case.
    fn bound(&mut self) -> Test {
        let number = Operand::Number(self.below(6) as i64 - 1);
        match self.below(6) {
            0 => self.test(),
            1 => Test(self.var(), ">=", Operand::Number(-2)),
            2 | 3 => Test(self.var(), "<=", Operand::Number(2 + self.below(6) as i64)),
            _ => Test(self.var(), "!=", number),
        }
    }
    fn expr(&mut self) -> Expr {
        match self.below(5) {
            0 | 1 => Expr::Sum(self.var(), if self.below(2) == 0 { 1 } else { -1 }),
            2 => Expr::Product(self.var(), 2),
            _ => Expr::Plain(self.operand()),
        }
    }
    fn stmts(&mut self, n: u64, depth: usize, in_atomic: bool) -> Vec<Stmt> {
        (0..n).flat_map(|_| self.stmt(depth, in_atomic)).collect()
    }
    fn stmt(&mut self, depth: usize, in_atomic: bool) -> Vec<Stmt> {
        let n = self.below(1 + 2);
        match self.below(16) {
            0..5 => vec![Stmt::Assign(self.var(), self.expr())],
            5 => vec![Stmt::Choose(self.var())],
            6 if !in_atomic || self.below(2) == 0 => vec![Stmt::Assume(self.test())],
            7 | 8 => vec![Stmt::Assert(self.bound())],
            9 | 10 if depth > 0 => {
                vec![Stmt::If(self.test(), self.stmts(n, depth - 1, in_atomic), self.stmts(1, depth - 1, in_atomic))]
            }
            11 if depth > 0 && !in_atomic => {
                vec![Stmt::Repeat(depth, 1 + self.below(2) as i64, self.stmts(n, depth - 1, in_atomic))]
            }
            12 if !in_atomic => vec![Stmt::Atomic(self.stmts(1 + n, depth.min(1), true))],
            13..15 if !in_atomic && depth > 1 => {
                let free = Stmt::Assume(Test(LOCK, "==", Operand::Number(0)));
                let taken = Stmt::Assume(Test(LOCK, "==", Operand::Number(1)));
                let set = |n| Stmt::Assign(LOCK, Expr::Plain(Operand::Number(n)));
                let mut all = vec![Stmt::Atomic(vec![free, set(1)])];
                all.extend(self.stmts(1 + n, 0, false));
                all.push(if self.below(2) == 0 { set(0) } else { Stmt::Atomic(vec![taken, set(0)]) });
                all
            }
            _ => vec![Stmt::Assign(self.var(), Expr::Plain(self.operand()))],
        }
    }
}

impl Program {
    fn new(seed: u64) -> Program {
        let mut maker = Maker { random: Random::new(seed) };
        let n_procs = 1 + maker.below(3) as usize;
        let n_threads = n_procs.max(1 + maker.below(3) as usize);
        let procs: Vec<Vec<Stmt>> = (0..n_procs)
            .map(|_| {
                let n = 1 + maker.below(4);
                maker.stmts(n, 2, false)
            })
            .collect();
        let mut main: Vec<Stmt> =
            (0..4).map(|v| Stmt::Assign(Var::Shared(v), Expr::Plain(Operand::Number(0)))).collect();
        for t in 0..n_threads {
            if maker.below(4) == 0 {
                main.extend(maker.stmt(1, false));
            }
            main.push(Stmt::Fork(t as i64 + 1, t % n_procs));
        }
        for t in 0..n_threads {
            if maker.below(4) > 0 {
                main.push(Stmt::Join(t as i64 + 1));
            }
        }
        let n = 1 + maker.below(2);
        main.extend(maker.stmts(n, 1, false));
        let last = maker.bound();
        main.push(Stmt::Assert(last));
        Program { main, procs }
    }

    /// Makes waiting of assumptions: they are atomic sections of their own.
    fn wait(&mut self) {
        fn waiting(stmts: &mut [Stmt]) {
            for stmt in stmts {
                match stmt {
                    Stmt::Assume(test) => *stmt = Stmt::Atomic(vec![Stmt::Assume(test.clone())]),
                    Stmt::If(_, yes, no) => {
                        waiting(yes);
                        waiting(no);
                    }
                    Stmt::Repeat(_, _, body) => waiting(body),
                    _ => {}
                }
            }
        }
        waiting(&mut self.main);
        self.procs.iter_mut().for_each(|body| waiting(body));
    }

    fn text(&self) -> String {
        let mut text = format!("var {}: int;\n", SHARED.join(", "));
        let modifies = format!("  modifies {};\n", SHARED.join(", "));
        for (i, body) in self.procs.iter().enumerate() {
            let _ = write!(text, "procedure worker{i}()\n{modifies}{{\n  var {}: int;\n  l := 0;\n", OWN.join(", "));
            write_stmts(&mut text, body, 1);
            text.push_str("}\n");
        }
        let _ = write!(text, "procedure ULTIMATE.start()\n{modifies}{{\n  var {}: int;\n  l := 0;\n", OWN.join(", "));
        write_stmts(&mut text, &self.main, 1);
        text.push_str("}\n");
        text
    }

    /// Can an assertion fail, or is there a deadlock? `None`: there are too many states.
    fn can_fail(&self, question: Question) -> Option<bool> {
        let mut codes: Vec<Vec<Step>> = Vec::new();
        for body in std::iter::once(&self.main).chain(&self.procs) {
            let mut code = vec![Step::Assign(Var::Own(0), Expr::Plain(Operand::Number(0)))];
            compile(body, &mut code);
            codes.push(code);
        }
        explore(&codes, question)
    }
}

fn name(v: Var) -> &'static str {
    match v {
        Var::Shared(i) => SHARED[i],
        Var::Own(i) => OWN[i],
    }
}

fn operand(o: Operand) -> String {
    match o {
        Operand::Number(n) => n.to_string(),
        Operand::Of(v) => name(v).to_string(),
    }
}

fn write_stmts(text: &mut String, stmts: &[Stmt], depth: usize) {
    let pad = "  ".repeat(depth);
    let test = |t: &Test| format!("{} {} {}", name(t.0), t.1, operand(t.2));
    for stmt in stmts {
        let _ = match stmt {
            Stmt::Assign(v, Expr::Plain(o)) => writeln!(text, "{pad}{} := {};", name(*v), operand(*o)),
            Stmt::Assign(v, Expr::Sum(w, n)) => writeln!(text, "{pad}{} := {} + {n};", name(*v), name(*w)),
            Stmt::Assign(v, Expr::Product(w, n)) => writeln!(text, "{pad}{} := {} * {n};", name(*v), name(*w)),
            Stmt::Choose(v) => writeln!(text, "{pad}if (*) {{ {0} := 0; }} else {{ {0} := 1; }}", name(*v)),
            Stmt::Assume(t) => writeln!(text, "{pad}assume {};", test(t)),
            Stmt::Assert(t) => writeln!(text, "{pad}assert {};", test(t)),
            Stmt::If(t, yes, no) => {
                let _ = writeln!(text, "{pad}if ({}) {{", test(t));
                write_stmts(text, yes, depth + 1);
                let _ = writeln!(text, "{pad}}} else {{");
                write_stmts(text, no, depth + 1);
                writeln!(text, "{pad}}}")
            }
            Stmt::Repeat(counter, times, body) => {
                let counter = OWN[*counter];
                let _ = writeln!(text, "{pad}{counter} := 0;\n{pad}while ({counter} < {times}) {{");
                write_stmts(text, body, depth + 1);
                writeln!(text, "{pad}  {counter} := {counter} + 1;\n{pad}}}")
            }
            Stmt::Atomic(body) => {
                let _ = writeln!(text, "{pad}atomic {{");
                write_stmts(text, body, depth + 1);
                writeln!(text, "{pad}}}")
            }
            Stmt::Fork(id, proc) => writeln!(text, "{pad}fork {id} worker{proc}();"),
            Stmt::Join(id) => writeln!(text, "{pad}join {id};"),
        };
    }
}

/// A step of a thread.
#[derive(Clone)]
enum Step {
    Assign(Var, Expr),
    Choose(Var),
    Assume(Test),
    Assert(Test),
    /// Goes on there if the test fails.
    Unless(Test, usize),
    Jump(usize),
    Begin,
    End,
    Fork(i64, usize),
    Join(i64),
}

fn compile(stmts: &[Stmt], code: &mut Vec<Step>) {
    for stmt in stmts {
        match stmt {
            Stmt::Assign(v, e) => code.push(Step::Assign(*v, e.clone())),
            Stmt::Choose(v) => code.push(Step::Choose(*v)),
            Stmt::Assume(t) => code.push(Step::Assume(t.clone())),
            Stmt::Assert(t) => code.push(Step::Assert(t.clone())),
            Stmt::If(t, yes, no) => {
                let branch = code.len();
                code.push(Step::Jump(0));
                compile(yes, code);
                let end = code.len();
                code.push(Step::Jump(0));
                code[branch] = Step::Unless(t.clone(), code.len());
                compile(no, code);
                code[end] = Step::Jump(code.len());
            }
            Stmt::Repeat(counter, times, body) => {
                let c = Var::Own(*counter);
                code.push(Step::Assign(c, Expr::Plain(Operand::Number(0))));
                let head = code.len();
                code.push(Step::Jump(0));
                compile(body, code);
                code.push(Step::Assign(c, Expr::Sum(c, 1)));
                code.push(Step::Jump(head));
                code[head] = Step::Unless(Test(c, "<", Operand::Number(*times)), code.len());
            }
            Stmt::Atomic(body) => {
                code.push(Step::Begin);
                compile(body, code);
                code.push(Step::End);
            }
            Stmt::Fork(id, proc) => code.push(Step::Fork(*id, *proc)),
            Stmt::Join(id) => code.push(Step::Join(*id)),
        }
    }
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Thread {
    id: i64,
    code: usize,
    at: usize,
    own: [i64; OWN.len()],
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    shared: [i64; SHARED.len()],
    threads: Vec<Thread>,
    /// The thread in an atomic section.
    atomic: Option<usize>,
}

const MAX_STATES: usize = 60_000;

fn explore(codes: &[Vec<Step>], question: Question) -> Option<bool> {
    let main = Thread { id: 0, code: 0, at: 0, own: [0; OWN.len()] };
    let first = State { shared: [0; SHARED.len()], threads: vec![main], atomic: None };
    let mut seen = BTreeSet::from([first.clone()]);
    let mut work = vec![first];
    while let Some(state) = work.pop() {
        if seen.len() > MAX_STATES {
            return None;
        }
        // The program ends with its main thread.
        if state.threads[0].at == codes[0].len() {
            continue;
        }
        if question == Question::Deadlocks && is_deadlock(codes, &state) {
            return Some(true);
        }
        for t in 0..state.threads.len() {
            if state.atomic.is_some_and(|holder| holder != t) {
                continue;
            }
            let next = match (steps(codes, &state, t), question) {
                (Ok(next), _) => next,
                (Err(Failed), Question::Assertions) => return Some(true),
                // An execution ends where an assertion fails.
                (Err(Failed), Question::Deadlocks) => continue,
            };
            for state in next {
                if seen.insert(state.clone()) {
                    work.push(state);
                }
            }
        }
    }
    Some(false)
}

/// Do all threads that have not ended wait: for the end of another one, or at an atomic section whose first statement
/// is an assumption that does not hold?
fn is_deadlock(codes: &[Vec<Step>], state: &State) -> bool {
    let has_ended = |t: usize| state.threads[t].at == codes[state.threads[t].code].len();
    let waits = |t: usize| {
        let Thread { code, at, .. } = state.threads[t];
        let first = match codes[code].get(at) {
            Some(Step::Join(_)) => at,
            Some(Step::Begin) if matches!(codes[code].get(at + 1), Some(Step::Assume(_))) => at + 1,
            _ => return false,
        };
        let mut inside = state.clone();
        inside.threads[t].at = first;
        steps(codes, &inside, t).is_ok_and(|next| next.is_empty())
    };
    state.atomic.is_none() && (0..state.threads.len()).all(|t| has_ended(t) || waits(t))
}

/// An assertion fails.
struct Failed;

fn steps(codes: &[Vec<Step>], state: &State, t: usize) -> Result<Vec<State>, Failed> {
    let thread = &state.threads[t];
    let Some(step) = codes[thread.code].get(thread.at) else { return Ok(Vec::new()) };
    let value = |v: Var| match v {
        Var::Shared(i) => state.shared[i],
        Var::Own(i) => thread.own[i],
    };
    let of = |o: Operand| match o {
        Operand::Number(n) => n,
        Operand::Of(v) => value(v),
    };
    let holds = |test: &Test| {
        let (a, b) = (value(test.0), of(test.2));
        match test.1 {
            "==" => a == b,
            "!=" => a != b,
            "<" => a < b,
            "<=" => a <= b,
            ">" => a > b,
            _ => a >= b,
        }
    };
    let mut next = state.clone();
    next.threads[t].at += 1;
    let set = |state: &mut State, v: Var, n: i64| match v {
        Var::Shared(i) => state.shared[i] = n,
        Var::Own(i) => state.threads[t].own[i] = n,
    };
    match step {
        Step::Assign(v, e) => {
            let n = match e {
                Expr::Plain(o) => of(*o),
                Expr::Sum(w, n) => value(*w) + n,
                Expr::Product(w, n) => value(*w) * n,
            };
            set(&mut next, *v, n);
        }
        Step::Choose(v) => {
            let mut other = next.clone();
            set(&mut next, *v, 0);
            set(&mut other, *v, 1);
            return Ok(vec![next, other]);
        }
        Step::Assume(test) if !holds(test) => return Ok(Vec::new()),
        Step::Assert(test) if !holds(test) => return Err(Failed),
        Step::Assume(_) | Step::Assert(_) => {}
        Step::Unless(test, to) => {
            if !holds(test) {
                next.threads[t].at = *to;
            }
        }
        Step::Jump(to) => next.threads[t].at = *to,
        Step::Begin => next.atomic = Some(t),
        Step::End => next.atomic = None,
        Step::Fork(id, proc) => {
            next.threads.push(Thread { id: *id, code: proc + 1, at: 0, own: [0; OWN.len()] });
        }
        Step::Join(id) => {
            let is_over = |other: &Thread| other.id == *id && other.at == codes[other.code].len();
            if !state.threads[1..].iter().any(is_over) {
                return Ok(Vec::new());
            }
        }
    }
    Ok(vec![next])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_told_apart() {
        let set = |n| Stmt::Assign(Var::Shared(0), Expr::Plain(Operand::Number(n)));
        let is = |n| Stmt::Assert(Test(Var::Shared(0), "==", Operand::Number(n)));
        let joined = vec![Stmt::Fork(1, 0), Stmt::Join(1), is(1)];
        assert_eq!(Program { main: joined, procs: vec![vec![set(1)]] }.can_fail(Question::Assertions), Some(false));
        let not_joined = vec![Stmt::Fork(1, 0), is(1)];
        assert_eq!(Program { main: not_joined, procs: vec![vec![set(1)]] }.can_fail(Question::Assertions), Some(true));
        let atomic = vec![Stmt::Fork(1, 0), is(0)];
        let worker = vec![Stmt::Atomic(vec![set(1), set(0)])];
        assert_eq!(Program { main: atomic, procs: vec![worker] }.can_fail(Question::Assertions), Some(false));
    }

    #[test]
    fn waiting_is_told_from_ending() {
        let set_lock = |n| Stmt::Assign(LOCK, Expr::Plain(Operand::Number(n)));
        let take = || Stmt::Atomic(vec![Stmt::Assume(Test(LOCK, "==", Operand::Number(0))), set_lock(1)]);
        let main = |last: Stmt| vec![Stmt::Fork(1, 0), take(), last, Stmt::Join(1)];
        let deadlocks =
            |main: Vec<Stmt>| Program { main, procs: vec![vec![take(), set_lock(0)]] }.can_fail(Question::Deadlocks);
        assert_eq!(deadlocks(main(set_lock(0))), Some(false));
        assert_eq!(deadlocks(main(set_lock(1))), Some(true));
        let fails = Stmt::Assume(Test(LOCK, "==", Operand::Number(2)));
        assert_eq!(deadlocks(main(fails)), Some(false), "an assumption elsewhere is no waiting");
    }
}
