//! Counterexamples are small: random programs with few inputs are executed here with all sequences of small inputs, and
//! no execution that is shown has more inputs, or as many and passes more loop heads, than the least of those.

use serde_json::Value;
use std::fmt::Write;
use std::process::Command;

const VARS: [&str; 3] = ["a", "b", "s"];
/// The inputs that are tried here.
const INPUTS: std::ops::RangeInclusive<i64> = -3..=3;
const MAX_INPUTS: usize = 4;

enum Expr {
    Number(i64),
    Plus(usize, i64),
    Sum(usize, usize),
}

struct Condition {
    var: usize,
    operator: &'static str,
    number: i64,
}

enum Stmt {
    Read(usize),
    Assign(usize, Expr),
    If(Condition, Vec<Stmt>),
    /// At most so many iterations; the number of its counter.
    While(usize, i64, Condition, Vec<Stmt>),
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
    fn var(&mut self) -> usize {
        self.below(3) as usize
    }
    fn number(&mut self) -> i64 {
        self.below(7) as i64 - 3
    }
    fn condition(&mut self) -> Condition {
        let operator = ["<", ">", "==", "!="][self.below(4) as usize];
        Condition { var: self.var(), operator, number: self.number() }
    }
    fn block(&mut self, depth: u32, n_counters: &mut usize) -> Vec<Stmt> {
        let n = 1 + self.below(3);
        (0..n).map(|_| self.stmt(depth, n_counters)).collect()
    }
    fn stmt(&mut self, depth: u32, n_counters: &mut usize) -> Stmt {
        match self.below(if depth == 0 { 4 } else { 7 }) {
            0 | 1 => Stmt::Read(self.var()),
            2 => Stmt::Assign(self.var(), Expr::Plus(self.var(), self.number())),
            3 => match self.below(2) {
                0 => Stmt::Assign(self.var(), Expr::Number(self.number())),
                _ => Stmt::Assign(self.var(), Expr::Sum(self.var(), self.var())),
            },
            4 => Stmt::If(self.condition(), self.block(depth - 1, n_counters)),
            _ => {
                let counter = *n_counters;
                *n_counters += 1;
                Stmt::While(counter, 1 + self.below(3) as i64, self.condition(), self.block(depth - 1, n_counters))
            }
        }
    }
}

fn print(block: &[Stmt], out: &mut String) {
    for stmt in block {
        let _ = match stmt {
            Stmt::Read(v) => {
                let v = VARS[*v];
                writeln!(out, "{v} = __VERIFIER_nondet_int(); if ({v} < -3 || {v} > 3) return 0;")
            }
            Stmt::Assign(v, Expr::Number(n)) => writeln!(out, "{} = {n};", VARS[*v]),
            Stmt::Assign(v, Expr::Plus(w, n)) => writeln!(out, "{} = {} + ({n});", VARS[*v], VARS[*w]),
            Stmt::Assign(v, Expr::Sum(w, x)) => writeln!(out, "{} = {} + {};", VARS[*v], VARS[*w], VARS[*x]),
            Stmt::If(c, block) => {
                let _ = writeln!(out, "if ({} {} {}) {{", VARS[c.var], c.operator, c.number);
                print(block, out);
                writeln!(out, "}}")
            }
            Stmt::While(k, most, c, block) => {
                let _ = writeln!(
                    out,
                    "int k{k} = 0; while (k{k} < {most} && {} {} {}) {{ k{k} = k{k} + 1;",
                    VARS[c.var], c.operator, c.number
                );
                print(block, out);
                writeln!(out, "}}")
            }
        };
    }
}

#[derive(Default)]
struct State {
    vars: [i64; 3],
    n_read: usize,
    n_heads: usize,
}

/// How an execution goes on.
#[derive(PartialEq)]
enum Flow {
    On,
    WantsInput,
    Ends,
}

fn holds(c: &Condition, state: &State) -> bool {
    let value = state.vars[c.var];
    match c.operator {
        "<" => value < c.number,
        ">" => value > c.number,
        "==" => value == c.number,
        _ => value != c.number,
    }
}

fn execute(block: &[Stmt], inputs: &[i64], state: &mut State) -> Flow {
    for stmt in block {
        let flow = match stmt {
            Stmt::Read(v) => match inputs.get(state.n_read) {
                Some(n) => {
                    state.n_read += 1;
                    state.vars[*v] = *n;
                    if INPUTS.contains(n) { Flow::On } else { Flow::Ends }
                }
                None => Flow::WantsInput,
            },
            Stmt::Assign(v, e) => {
                state.vars[*v] = match e {
                    Expr::Number(n) => *n,
                    Expr::Plus(w, n) => state.vars[*w] + n,
                    Expr::Sum(w, x) => state.vars[*w] + state.vars[*x],
                };
                Flow::On
            }
            Stmt::If(c, block) => {
                if holds(c, state) {
                    execute(block, inputs, state)
                } else {
                    Flow::On
                }
            }
            Stmt::While(_, most, c, block) => {
                let mut flow = Flow::On;
                let mut n = 0;
                state.n_heads += 1;
                while flow == Flow::On && n < *most && holds(c, state) {
                    n += 1;
                    flow = execute(block, inputs, state);
                    state.n_heads += 1;
                }
                flow
            }
        };
        if flow != Flow::On {
            return flow;
        }
    }
    Flow::On
}

/// The fewest inputs of an execution to the error, and the fewest loop heads with those.
fn least(block: &[Stmt], error: &Condition) -> Option<(usize, usize)> {
    let mut frontier: Vec<Vec<i64>> = vec![Vec::new()];
    for _ in 0..=MAX_INPUTS {
        let mut best: Option<(usize, usize)> = None;
        let mut longer = Vec::new();
        for inputs in frontier {
            let mut state = State::default();
            match execute(block, &inputs, &mut state) {
                Flow::On if holds(error, &state) => {
                    let found = (state.n_read, state.n_heads);
                    best = Some(best.map_or(found, |b| b.min(found)));
                }
                Flow::WantsInput => longer.extend(INPUTS.map(|n| [&inputs[..], &[n]].concat())),
                Flow::On | Flow::Ends => {}
            }
        }
        if best.is_some() {
            return best;
        }
        frontier = longer;
    }
    None
}

#[test]
fn executions_are_as_small_as_enumeration_finds_them() {
    let folder = std::env::temp_dir().join(format!("craig-shrinking-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut n_violations = 0;
    let mut random = Random(24);
    while n_violations < 100 {
        let mut n_counters = 0;
        let block = random.block(2, &mut n_counters);
        let error = random.condition();
        let Some((n_inputs, n_heads)) = least(&block, &error) else { continue };
        if n_inputs == 0 {
            continue;
        }
        n_violations += 1;
        let mut text =
            "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\nint a = 0, b = 0, s = 0;\n".to_string();
        print(&block, &mut text);
        let _ = writeln!(
            text,
            "if ({} {} {}) reach_error();\nreturn 0;\n}}",
            VARS[error.var], error.operator, error.number
        );
        let path = folder.join(format!("{n_violations}.c"));
        std::fs::write(&path, &text).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_craig"))
            .args(["check", "--format", "json", "--timeout", "30"])
            .arg(&path)
            .output()
            .unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        let found: Value = serde_json::from_str(&said).unwrap_or_else(|e| panic!("{e}\n{said}"));
        assert_eq!(found["result"], "false(unreach-call)", "{text}");
        let n_shown = found["input_values"].as_array().map_or(0, Vec::len);
        assert_eq!(n_shown, n_inputs, "{text}\n{said}");
        let steps = found["execution"].as_array().unwrap();
        let is_head = |s: &&Value| s["source"].as_str().is_some_and(|t| t.starts_with('k') && t.contains(" && "));
        let n_passed = steps.iter().filter(is_head).count();
        assert!(n_passed <= n_heads, "{n_passed} loop heads where {n_heads} do:\n{text}\n{said}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
