//! Random C programs that are about ending: loops and recursion over small numbers.
//!
//! Two shapes. *Runs*: nested loops over two inputs, deterministic after that, to be run for every input. *Choices*:
//! one loop whose body chooses anew in every turn, to be explored as a graph of states. Both use the macros of
//! [`super::generator`] and, so that states can be compared, declare all variables at the top. See [`super::endless`]
//! for what is done with them.

use base::Random;
use std::fmt::Write as _;

pub(super) struct LoopProgram {
    /// Functions before `main`.
    pub declarations: String,
    /// Declarations of the variables, over `IN0` and `IN1`.
    pub start: String,
    pub shape: Shape,
    /// All variables: with the place in the program they are the whole state.
    pub state: Vec<String>,
}

pub(super) enum Shape {
    /// Statements; `STEP(n)` stands at the start of every turn of loop n.
    Runs(String),
    /// The condition of the only loop, and its body, which may read the choice `CH` of this turn (0 to 3).
    Choices { condition: String, body: String },
}

/// Name, type and range: small types wrap around soon, large ones overflow late.
const VARIABLES: [(&str, &str); 6] = [
    ("a", "int"),
    ("b", "int"),
    ("u", "unsigned"),
    ("k", "unsigned char"),
    ("h", "signed char"),
    ("w", "unsigned char"),
];
const SMALL: [&str; 3] = ["k", "h", "w"];

struct Writer {
    random: Random,
    text: String,
    names: Vec<&'static str>,
    n_loops: usize,
    n_counters: usize,
    has_recursion: bool,
    chooses: bool,
}

pub(super) fn program(mut random: Random) -> LoopProgram {
    let chooses = random.below(100) < 35;
    let has_recursion = !chooses && random.below(100) < 25;
    let names = if chooses { SMALL.to_vec() } else { VARIABLES.iter().map(|v| v.0).collect() };
    let mut w = Writer { random, text: String::new(), names, n_loops: 0, n_counters: 0, has_recursion, chooses };
    let declarations = if has_recursion { w.recursion() } else { String::new() };
    let mut start = String::new();
    for (name, kind) in VARIABLES.iter().filter(|v| w.names.contains(&v.0)) {
        let choices = ["IN0", "IN1", "IN0 & 7", "IN1 % 5", "0", "1", "3", "-2", "200"];
        let value = choices[w.random.below(choices.len())];
        let _ = writeln!(start, "  {kind} {name} = {value};");
    }
    let mut state: Vec<String> = w.names.iter().map(|n| n.to_string()).collect();
    let shape = if chooses {
        let condition = w.condition();
        for _ in 0..1 + w.random.below(3) {
            w.guarded();
        }
        Shape::Choices { condition, body: std::mem::take(&mut w.text) }
    } else {
        if w.random.below(100) < 30 {
            w.update(1);
        }
        for _ in 0..1 + w.random.below(2) {
            w.repetition(1);
        }
        Shape::Runs(std::mem::take(&mut w.text))
    };
    for i in 1..=w.n_counters {
        let _ = writeln!(start, "  int i{i} = 0;");
        state.push(format!("i{i}"));
    }
    LoopProgram { declarations, start, shape, state }
}

impl Writer {
    fn below(&mut self, n: usize) -> usize {
        self.random.below(n)
    }
    fn pick(&mut self, choices: &[&'static str]) -> &'static str {
        choices[self.below(choices.len())]
    }
    fn name(&mut self) -> &'static str {
        self.names[self.random.below(self.names.len())]
    }
    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.text, "{:width$}{text}", "", width = 2 * depth);
    }

    /// A function that calls itself once, and may miss its base case.
    fn recursion(&mut self) -> String {
        let kind = self.pick(&["int", "unsigned", "unsigned char", "signed char"]);
        let base = self.pick(&["n == 0", "n <= 0", "n == 7", "n > 100", "n < 3", "n % 5 == 1"]);
        let next = self.pick(&["n - 1", "n - 2", "n + 1", "n / 2", "-n", "n"]);
        let more = self.below(3);
        format!("int rec({kind} n) {{ CHAIN(n); if ({base}) return {more}; return rec({next}) + K(1); }}\n")
    }

    fn literal(&mut self) -> &'static str {
        self.pick(&["0", "1", "2", "3", "5", "10", "50", "100", "127", "200", "255", "-1", "-5"])
    }

    fn condition(&mut self) -> String {
        let x = self.name();
        let compare = self.pick(&["<", "<=", ">", ">=", "==", "!=", "!="]);
        let right = match self.below(3) {
            0 => self.name().to_string(),
            _ => format!("K({})", self.literal()),
        };
        match self.below(12) {
            0 => {
                let (y, other) = (self.name(), self.literal());
                format!("{x} {compare} {right} && {y} < K({other})")
            }
            1 => {
                let y = self.name();
                format!("{x} {compare} {right} || {y} == K(3)")
            }
            2 => format!("{x} % 3 != K(1)"),
            _ => format!("{x} {compare} {right}"),
        }
    }

    fn update(&mut self, depth: usize) {
        let (x, y) = (self.name(), self.name());
        let literal = self.literal();
        let text = match self.below(14) {
            0..3 => format!("{x}++;"),
            3..6 => format!("{x}--;"),
            6 => format!("{x} += {y};"),
            7 => format!("{x} -= {y};"),
            8 => format!("{x} = {x} / K(2);"),
            9 => format!("{x} = {y};"),
            10 => format!("{x} = {x} + K({literal});"),
            11 => format!("{x} = K({literal}) - {x};"),
            12 => format!("{x} = {x} % K(7);"),
            _ => format!("{x} = {x} * K(2) + K(1);"),
        };
        self.line(depth, &text);
    }

    /// An update, perhaps under a condition.
    fn guarded(&mut self) {
        if self.below(100) < 50 {
            return self.update(2);
        }
        if self.chooses && self.below(100) < 25 {
            return self.choice_by_switch();
        }
        let condition = if self.chooses && self.below(100) < 70 {
            let value = self.below(4);
            format!("CH == {value}")
        } else {
            self.condition()
        };
        self.line(2, &format!("if ({condition}) {{"));
        self.update(3);
        if self.below(2) == 0 {
            self.line(2, "} else {");
            self.update(3);
        }
        self.line(2, "}");
    }

    /// What is chosen decides which updates are made; some cases fall through.
    fn choice_by_switch(&mut self) {
        self.line(2, "switch (CH) {");
        for label in ["case 0:", "case 1:", "case 3:", "default:"] {
            self.line(3, label);
            self.update(4);
            if self.below(3) > 0 {
                self.line(4, "break;");
            }
        }
        self.line(2, "}");
    }

    fn repetition(&mut self, depth: usize) {
        self.n_loops += 1;
        let number = self.n_loops;
        let mut end = "}".to_string();
        match self.below(4) {
            0 => {
                self.n_counters += 1;
                let (i, bound) = (self.n_counters, self.pick(&["4", "10", "(k & 15)", "b", "h"]));
                self.line(depth, &format!("for (i{i} = 0; i{i} < {bound}; i{i}++) {{ STEP({number});"));
            }
            1 => {
                self.line(depth, &format!("do {{ STEP({number});"));
                end = format!("}} while ({});", self.condition());
            }
            _ => {
                let condition = self.condition();
                self.line(depth, &format!("while ({condition}) {{ STEP({number});"));
            }
        }
        for _ in 0..1 + self.below(2) {
            match self.below(10) {
                0..2 if depth < 3 => self.repetition(depth + 1),
                2..5 => self.guarded(),
                5 => {
                    let (condition, jump) = (self.condition(), self.pick(&["break", "continue"]));
                    self.line(depth + 1, &format!("if ({condition}) {jump};"));
                }
                6 if self.has_recursion => {
                    let (x, y) = (self.name(), self.name());
                    self.line(depth + 1, &format!("{x} = REC({y});"));
                }
                _ => self.update(depth + 1),
            }
        }
        if self.below(100) < 70 {
            self.update(depth + 1);
        }
        self.line(depth, &end);
        if depth == 1 && self.has_recursion {
            let x = self.name();
            self.line(depth, &format!("b = REC({x});"));
        }
    }
}
