//! Random programs with few states and random temporal formulas: what `craig` answers against an enumeration of the
//! states.
//!
//! The oracle makes all states of a program of a few instructions, and looks for a cycle that the automaton of the
//! negated formula accepts; the automata themselves are tested against the meaning of formulas on words in
//! `crates/automata/tests/ltl.rs`. Nothing else is shared with what is tested: the C front end, the product, the
//! engines, the checker and the evidence of violations are.
//!
//! `LTL_PROGRAMS=1000 cargo test --test ltl_programs` tries more than the default, `LTL_SEED` other ones.

mod common;

use automata::ltl::{Formula, LassoWord, LtlAutomaton, holds_on, negation_normal_form, translate};
use base::{Budget, Random, graph};
use std::collections::BTreeMap;
use std::fmt::Write;

#[derive(Clone, Debug)]
enum Instr {
    /// A variable becomes a constant or the other variable.
    Set(usize, Option<u64>),
    /// Goes on if the variable has the value, else there.
    Unless(usize, u64, usize),
    /// Goes on or there.
    Either(usize),
    Jump(usize),
    /// A marked step.
    Step,
    /// An assumption that the variable does not have the value.
    Assume(usize, u64),
    End,
}

const NAMES: [&str; 2] = ["x", "y"];
const N_VALUES: u64 = 4;

/// A program as C and as instructions.
struct Writer {
    random: Random,
    has_marks: bool,
    text: String,
    code: Vec<Instr>,
}

impl Writer {
    fn block(&mut self, depth: u32, indent: usize) {
        for _ in 0..1 + self.random.below(3) {
            self.statement(depth, indent);
        }
    }

    fn line(&mut self, indent: usize, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "  ".repeat(indent));
    }

    fn assignment(&mut self, indent: usize) {
        let v = self.random.below(2);
        let constant = (self.random.below(4) > 0).then(|| self.random.below(N_VALUES as usize) as u64);
        let value = constant.map_or(NAMES[1 - v].to_string(), |c| c.to_string());
        self.line(indent, &format!("{} = {value};", NAMES[v]));
        self.code.push(Instr::Set(v, constant));
    }

    /// A condition; the instruction that decides, with a target to be filled in.
    fn condition(&mut self) -> (String, usize) {
        let at = self.code.len();
        if self.random.below(2) == 0 {
            self.code.push(Instr::Either(0));
            return ("__VERIFIER_nondet_int()".to_string(), at);
        }
        let (v, c) = (self.random.below(2), self.random.below(N_VALUES as usize) as u64);
        self.code.push(Instr::Unless(v, c, 0));
        (format!("{} == {c}", NAMES[v]), at)
    }

    fn fill(&mut self, at: usize) {
        let here = self.code.len();
        match &mut self.code[at] {
            Instr::Unless(_, _, target) | Instr::Either(target) | Instr::Jump(target) => *target = here,
            _ => {}
        }
    }

    fn statement(&mut self, depth: u32, indent: usize) {
        match self.random.below(if depth == 0 { 4 } else { 9 }) {
            0..=2 => self.assignment(indent),
            3 if self.has_marks => {
                self.line(indent, "__VERIFIER_ltl_step();");
                self.code.push(Instr::Step);
            }
            3 if self.random.below(4) == 0 => {
                let (v, c) = (self.random.below(2), self.random.below(N_VALUES as usize) as u64);
                self.line(indent, &format!("__VERIFIER_assume({} != {c});", NAMES[v]));
                self.code.push(Instr::Assume(v, c));
            }
            3 => self.assignment(indent),
            4 | 5 => {
                let (condition, at) = self.condition();
                self.line(indent, &format!("if ({condition}) {{"));
                self.block(depth - 1, indent + 1);
                self.line(indent, "} else {");
                let end = self.code.len();
                self.code.push(Instr::Jump(0));
                self.fill(at);
                self.block(depth - 1, indent + 1);
                self.fill(end);
                self.line(indent, "}");
            }
            6 => {
                let start = self.code.len();
                self.line(indent, "while (1) {");
                self.block(depth - 1, indent + 1);
                let (condition, at) = self.condition();
                self.line(indent + 1, &format!("if ({condition}) break;"));
                self.line(indent, "}");
                // Going on with the loop is what happens if the condition is false.
                let end = self.code.len();
                self.code.push(Instr::Jump(0));
                self.fill(at);
                self.code.push(Instr::Jump(start));
                self.fill(end);
            }
            7 => {
                let start = self.code.len();
                let (condition, at) = self.condition();
                self.line(indent, &format!("while ({condition}) {{"));
                self.block(depth - 1, indent + 1);
                self.line(indent, "}");
                self.code.push(Instr::Jump(start));
                self.fill(at);
            }
            _ => {
                let (condition, at) = self.condition();
                self.line(indent, &format!("if ({condition}) return 0;"));
                self.code.push(Instr::End);
                self.fill(at);
            }
        }
    }
}

fn program(seed: u64, has_marks: bool) -> (String, Vec<Instr>) {
    let mut writer = Writer { random: Random::new(seed), has_marks, text: String::new(), code: Vec::new() };
    // The first observation is after the first assignment.
    writer.assignment(1);
    writer.block(3, 1);
    writer.code.push(Instr::End);
    let head =
        "int __VERIFIER_nondet_int(void);\nvoid __VERIFIER_assume(int);\nvoid __VERIFIER_ltl_step(void);\nint x, y;\n";
    (format!("{head}int main(void) {{\n{}  return 0;\n}}\n", writer.text), writer.code)
}

const PROPOSITIONS: [&str; 3] = ["x == 1", "y == 2", "x == y"];

fn letter(values: [u64; 2]) -> u64 {
    u64::from(values[0] == 1) | u64::from(values[1] == 2) << 1 | u64::from(values[0] == values[1]) << 2
}

fn formula(random: &mut Random, depth: u32, has_next: bool) -> Formula {
    if depth == 0 || random.below(6) == 0 {
        return Formula::Proposition(random.below(3) as u32);
    }
    let mut part = || Box::new(formula(random, depth - 1, has_next));
    let (a, b) = (part(), part());
    match random.below(if has_next { 12 } else { 11 }) {
        0 => Formula::Not(a),
        1 => Formula::And(a, b),
        2 => Formula::Or(a, b),
        3 => Formula::Implies(a, b),
        4 | 5 => Formula::Finally(a),
        6 | 7 => Formula::Globally(a),
        8 => Formula::Until(a, b),
        9 => Formula::Release(a, b),
        10 => Formula::WeakUntil(a, b),
        _ => Formula::Next(a),
    }
}

fn shown(f: &Formula) -> String {
    let two = |op: &str, a: &Formula, b: &Formula| format!("({} {op} {})", shown(a), shown(b));
    match f {
        Formula::Proposition(p) => format!("\"{}\"", PROPOSITIONS[*p as usize]),
        Formula::Constant(value) => value.to_string(),
        Formula::Not(a) => format!("!({})", shown(a)),
        Formula::Next(a) => format!("X ({})", shown(a)),
        Formula::Finally(a) => format!("F ({})", shown(a)),
        Formula::Globally(a) => format!("G ({})", shown(a)),
        Formula::And(a, b) => two("&&", a, b),
        Formula::Or(a, b) => two("||", a, b),
        Formula::Implies(a, b) => two("==>", a, b),
        Formula::Iff(a, b) => two("<==>", a, b),
        Formula::Until(a, b) => two("U", a, b),
        Formula::Release(a, b) => two("R", a, b),
        Formula::WeakUntil(a, b) => two("WU", a, b),
        Formula::StrongRelease(a, b) => two("M", a, b),
    }
}

/// A place of the program, the values, the last observation, and the state of the automaton.
type Node = (usize, [u64; 2], Option<u64>, Option<usize>);

/// Does every execution satisfy the formula?
fn holds(code: &[Instr], formula: &Formula, has_marks: bool) -> bool {
    let automaton = translate(&negation_normal_form(formula, false), &Budget::unlimited()).expect("there is no limit");
    // Steps: (place, values, is it observed?).
    let steps = |(at, values): (usize, [u64; 2])| -> Vec<(usize, [u64; 2], bool)> {
        let plain = !has_marks;
        match code[at] {
            Instr::Set(v, constant) => {
                let mut after = values;
                after[v] = constant.unwrap_or(values[1 - v]);
                vec![(at + 1, after, plain)]
            }
            Instr::Unless(v, c, other) => vec![(if values[v] == c { at + 1 } else { other }, values, plain)],
            Instr::Either(other) => vec![(at + 1, values, plain), (other, values, plain)],
            Instr::Jump(target) => vec![(target, values, plain)],
            Instr::Step => vec![(at + 1, values, true)],
            Instr::Assume(v, c) if values[v] == c => Vec::new(),
            Instr::Assume(..) => vec![(at + 1, values, plain)],
            Instr::End => vec![(at, values, true)],
        }
    };
    let mut nodes: Vec<Node> = vec![(0, [0, 0], None, None)];
    let mut numbers: BTreeMap<Node, usize> = BTreeMap::from([(nodes[0], 0)]);
    // With the mark of an observation.
    let mut edges: Vec<Vec<(usize, bool)>> = Vec::new();
    while let Some(&(at, values, last, state)) = nodes.get(edges.len()) {
        let mut row = Vec::new();
        for (to, after, is_observed) in steps((at, values)) {
            let targets: Vec<(Option<u64>, Option<usize>)> = match is_observed {
                false => vec![(last, state)],
                true => {
                    let now = letter(after);
                    let from = state.map_or(automaton.initial.clone(), |q| vec![q]);
                    let taken = from.iter().flat_map(|q| &automaton.edges[*q]).filter(|e| e.guard.holds_in(now));
                    taken.map(|e| (Some(now), Some(e.target))).collect()
                }
            };
            for (last, state) in targets {
                let node = (to, after, last, state);
                let number = *numbers.entry(node).or_insert_with(|| {
                    nodes.push(node);
                    nodes.len() - 1
                });
                row.push((number, is_observed));
            }
        }
        edges.push(row);
    }
    // Infinitely many observations.
    let successors = |n: usize| edges[n].iter().map(|e| e.0).collect();
    let components = graph::components(nodes.len(), &[0], successors);
    let component = graph::component_of(nodes.len(), &components);
    let accepts = |n: usize| {
        let inside = |(to, is_observed): &(usize, bool)| {
            let is_accepting = nodes[*to].3.is_some_and(|q| automaton.accepting[q]);
            *is_observed && is_accepting && component[*to] == component[n]
        };
        edges[n].iter().any(inside)
    };
    if (0..nodes.len()).any(accepts) {
        return false;
    }
    // Only finitely many.
    let silent = |n: usize| edges[n].iter().filter(|e| !e.1).map(|e| e.0).collect();
    let all: Vec<usize> = (0..nodes.len()).collect();
    let cycles = graph::components(nodes.len(), &all, silent);
    for n in cycles.iter().filter(|c| c.has_cycle).flat_map(|c| &c.members) {
        let is_violation = match (nodes[*n].2, nodes[*n].3) {
            (Some(last), Some(state)) => {
                let from = LtlAutomaton { initial: vec![state], ..automaton.clone() };
                LassoWord::new(Vec::new(), vec![last]).is_some_and(|word| from.accepts(&word))
            }
            _ => !negation_normal_form(formula, true).holds_unobserved(),
        };
        if is_violation {
            return false;
        }
    }
    true
}

#[test]
fn the_oracle_knows_simple_cases() {
    let p = || Box::new(Formula::Proposition(0));
    // x = 1; while (1) { x = 0; x = 1; }
    let code = [Instr::Set(0, Some(1)), Instr::Set(0, Some(0)), Instr::Set(0, Some(1)), Instr::Jump(1)];
    assert!(holds(&code, &Formula::Globally(Box::new(Formula::Finally(p()))), false));
    assert!(!holds(&code, &Formula::Globally(p()), false));
    assert!(!holds(&code, &Formula::Finally(Box::new(Formula::Globally(p()))), false));
    // x = 1; step; x = 0; for ever nothing.
    let code = [Instr::Set(0, Some(1)), Instr::Step, Instr::Set(0, Some(0)), Instr::Jump(3)];
    assert!(holds(&code, &Formula::Globally(p()), true));
    assert!(holds_on(&Formula::Globally(p()), &LassoWord::new(vec![], vec![1]).expect("a cycle")));
    // Nothing is ever observed.
    let code = [Instr::Jump(0)];
    assert!(holds(&code, &Formula::Globally(p()), true));
    assert!(!holds(&code, &Formula::Finally(p()), true));
}

#[test]
fn answers_are_those_of_the_oracle() {
    let number = |name: &str, default: u64| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default);
    let (n, first) = (number("LTL_PROGRAMS", 60), number("LTL_SEED", 1));
    let (mut n_true, mut n_false, mut n_unknown) = (0, 0, 0);
    for seed in first..first + n {
        let has_marks = seed % 3 == 0;
        let (text, code) = program(seed, has_marks);
        let mut random = Random::new(seed.wrapping_mul(0x1234_5678_9abc_def1));
        let formula = formula(&mut random, 3, has_marks);
        // Without a step in the text nothing is marked.
        let has_marks = text.contains("  __VERIFIER_ltl_step();");
        if !has_marks && formula.has_next() {
            continue;
        }
        let file = common::file("random_temporal.c", &text);
        let property = format!("LTL({})", shown(&formula));
        let output = common::craig()
            .args(["check", "--property", &property, "--timeout", "20s"])
            .arg(&file)
            .output()
            .expect("craig runs");
        let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
        let answer = stdout.lines().rev().find_map(|l| l.strip_prefix("RESULT: ")).unwrap_or("none").to_string();
        let expected = if holds(&code, &formula, has_marks) { "true" } else { "false(ltl)" };
        match answer.as_str() {
            "true" => n_true += 1,
            "false(ltl)" => n_false += 1,
            other => {
                assert!(other.starts_with("unknown"), "seed {seed}: {other}\n{property}\n{text}");
                assert!(!other.contains("rejected"), "seed {seed}: {other}\n{property}\n{text}");
                n_unknown += 1;
                continue;
            }
        }
        assert_eq!(answer, expected, "seed {seed}\n{property}\n{text}{code:?}");
    }
    println!("{n_true} hold, {n_false} violated, {n_unknown} unknown");
    assert!(n_unknown * 10 <= n_true + n_false, "{n_unknown} of {n} unknown");
}
