//! Random C programs that are about ending and use more of the language than [`super::loops`]: integers of every width
//! that start near the ends of their ranges, conversions between them, `goto`, `switch`, `do`, side effects in
//! conditions, cells of an array and a pointer into it as counters, functions that call each other and themselves,
//! several times.
//!
//! They are deterministic after their two inputs. So a place and the values of all variables that come back within one
//! activation prove that the run never ends, and so does a call with the arguments and globals of one that is still
//! open. See [`super::endless`].

use super::loops::{LoopProgram, Shape};
use base::Random;
use std::fmt::Write as _;

const TYPES: [&str; 12] = [
    "unsigned char",
    "signed char",
    "char",
    "unsigned short",
    "short",
    "unsigned",
    "int",
    "int",
    "unsigned long",
    "long",
    "unsigned long long",
    "long long",
];

/// Cells of the array.
pub(super) const CELLS: usize = 4;

struct Writer {
    random: Random,
    text: String,
    /// What expressions may read here, and what may be written.
    readable: Vec<String>,
    writable: Vec<String>,
    /// Macro at the start of a turn, up to the number of the place.
    step: String,
    n_places: usize,
    n_functions: usize,
    labels: Vec<usize>,
    n_labels: usize,
    pointer: bool,
    in_function: bool,
}

pub(super) fn program(random: Random) -> LoopProgram {
    let mut w = Writer {
        random,
        text: String::new(),
        readable: Vec::new(),
        writable: Vec::new(),
        step: String::new(),
        n_places: 0,
        n_functions: 0,
        labels: Vec::new(),
        n_labels: 0,
        pointer: false,
        in_function: false,
    };
    w.n_functions = if w.below(100) < 45 { 1 + w.below(3) } else { 0 };
    let has_array = w.below(100) < 40;
    w.pointer = has_array && w.below(100) < 60;

    let (mut declarations, mut start, mut globals) = (String::new(), String::new(), Vec::new());
    for i in 0..w.below(3) {
        let (kind, value) = (w.kind(), w.start_value());
        let _ = writeln!(declarations, "{kind} g{i};");
        let _ = writeln!(start, "  g{i} = {value};");
        globals.push(format!("g{i}"));
    }
    if has_array {
        let _ = writeln!(declarations, "int arr[{CELLS}];");
        for i in 0..CELLS {
            let value = w.start_value();
            let _ = writeln!(start, "  arr[{i}] = {value};");
            globals.push(format!("arr[{i}]"));
        }
    }
    for f in 0..w.n_functions {
        let kind = w.function_kind(f);
        let _ = writeln!(declarations, "int f{f}({kind} n);");
    }
    for f in 0..w.n_functions {
        w.in_function = true;
        w.readable =
            globals.iter().filter(|g| g.starts_with('g')).cloned().chain(["n".to_string(), "r".to_string()]).collect();
        w.writable = w.readable.iter().filter(|v| *v != "n").cloned().collect();
        w.step = "STEPF".to_string();
        let text = w.function(f);
        declarations.push_str(&text);
    }

    w.in_function = false;
    w.step = "STEP".to_string();
    let mut state = globals.clone();
    w.readable = globals.into_iter().filter(|g| g.starts_with('g')).collect();
    let n_variables = 2 + w.below(3);
    let mut locals = String::new();
    for i in 0..n_variables {
        let (kind, value) = (w.kind(), w.start_value());
        let _ = writeln!(locals, "  {kind} v{i} = {value};");
        state.push(format!("v{i}"));
        w.readable.push(format!("v{i}"));
    }
    if w.pointer {
        let _ = writeln!(locals, "  int *p = arr;");
        state.push("(p - arr)".to_string());
    }
    w.writable = w.readable.clone();
    if has_array {
        for i in ["K(0)", "K(3)", "(v0 & 3)", "(v1 & 3)"] {
            w.readable.push(format!("A({i})"));
            w.writable.push(format!("A({i})"));
        }
    }
    if w.pointer {
        w.readable.extend(["DEREF".to_string(), "(int)(p - arr)".to_string()]);
        w.writable.push("DEREF".to_string());
    }
    w.text.clear();
    for _ in 0..1 + w.below(3) {
        w.statement(1);
    }
    w.repetition(1);
    if w.below(2) == 0 {
        w.statement(1);
    }
    // Labels that were jumped to but never placed stand at the end.
    let left = std::mem::take(&mut w.labels);
    for label in left {
        w.line(1, &format!("L{label}:;"));
    }
    LoopProgram {
        declarations,
        start: format!("{locals}{start}"),
        shape: Shape::Runs(std::mem::take(&mut w.text)),
        state,
    }
}

impl Writer {
    fn below(&mut self, n: usize) -> usize {
        self.random.below(n)
    }
    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }
    fn kind(&mut self) -> &'static str {
        TYPES[self.random.below(TYPES.len())]
    }
    /// Declared before it is defined, so it must not depend on the random state.
    fn function_kind(&self, f: usize) -> &'static str {
        ["int", "unsigned char", "signed char"][(f + self.n_functions) % 3]
    }
    fn start_value(&mut self) -> String {
        let choices = [
            "IN0",
            "IN1",
            "IN0 & 7",
            "IN1 % 5",
            "0",
            "1",
            "3",
            "-2",
            "200",
            "4294967290u + IN1",
            "2147483600 + (IN1 & 31)",
            "65530 + (IN1 & 7)",
            "-32760 - (IN1 & 15)",
            "250 + (IN0 & 7)",
            "18446744073709551610ull + IN1",
            "-9223372036854775800ll",
            "127",
            "-128",
        ];
        self.pick(&choices).to_string()
    }
    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.text, "{:width$}{text}", "", width = 2 * depth);
    }
    fn readable(&mut self) -> String {
        self.readable[self.random.below(self.readable.len())].clone()
    }
    fn writable(&mut self) -> String {
        self.writable[self.random.below(self.writable.len())].clone()
    }
    fn literal(&mut self) -> String {
        let literal = self.pick(&[
            "0", "1", "2", "3", "5", "10", "50", "100", "127", "128", "200", "255", "256", "-1", "-5", "32767", "65535",
        ]);
        format!("K({literal})")
    }

    fn expression(&mut self) -> String {
        let (x, y, n) = (self.readable(), self.readable(), self.literal());
        match self.below(18) {
            0..4 => x,
            4 => format!("{x} + {n}"),
            5 => format!("{x} - {n}"),
            6 => format!("{x} + {y}"),
            7 => format!("{x} - {y}"),
            8 => format!("{x} / K(2)"),
            9 => format!("{x} % K(7)"),
            10 => format!("{x} >> K(1)"),
            11 => format!("({x} & {n})"),
            12 => format!("({x} ^ {y})"),
            13 => format!("~{x}"),
            14 => format!("-{x}"),
            15 => {
                let kind = self.kind();
                format!("({kind})({x} + {n})")
            }
            16 => format!("({x} < {n} ? {y} : {n})"),
            _ => n,
        }
    }

    fn condition(&mut self) -> String {
        let compare = self.pick(&["<", "<=", ">", ">=", "==", "!=", "!="]);
        let n = self.literal();
        match self.below(14) {
            0 => {
                let x = self.writable();
                let step = self.pick(&["++", "--"]);
                format!("{x}{step} {compare} {n}")
            }
            1 => {
                let x = self.writable();
                let step = self.pick(&["++", "--"]);
                format!("{step}{x} {compare} {n}")
            }
            2 => {
                let x = self.writable();
                format!("{x}--")
            }
            3 => self.expression(),
            4 => {
                let (x, y, z) = (self.readable(), self.expression(), self.readable());
                format!("{x} {compare} {y} && {z}")
            }
            5 => {
                let (x, y, z) = (self.readable(), self.readable(), self.literal());
                format!("{x} {compare} {n} || {y} < {z}")
            }
            6 if self.pointer && !self.in_function => {
                let bound = self.pick(&["arr + 4", "arr + 2", "arr", "&arr[3]"]);
                let compare = self.pick(&["<", "!=", "<=", ">", ">="]);
                format!("p {compare} {bound}")
            }
            7..10 => {
                let (x, y) = (self.readable(), self.expression());
                format!("{x} {compare} {y}")
            }
            _ => {
                let x = self.readable();
                format!("{x} {compare} {n}")
            }
        }
    }

    fn update(&mut self, depth: usize) {
        let x = self.writable();
        let text = match self.below(15) {
            0..3 => format!("{x}++;"),
            3..6 => format!("{x}--;"),
            6 => format!("{x} += {};", self.expression()),
            7 => format!("{x} -= {};", self.expression()),
            8 => format!("{x} /= K(2);"),
            9 => format!("{x} <<= K(1);"),
            10 => format!("{x} >>= K(1);"),
            11 if self.pointer && !self.in_function => {
                format!("P_ADD({});", self.random_offset())
            }
            12 if self.n_functions > 0 => {
                let (f, argument) = (self.below(self.n_functions), self.expression());
                format!("{x} = f{f}({argument});")
            }
            _ => format!("{x} = {};", self.expression()),
        };
        self.line(depth, &text);
    }
    fn random_offset(&mut self) -> &'static str {
        ["1", "1", "-1", "2"][self.random.below(4)]
    }

    fn statement(&mut self, depth: usize) {
        if depth >= 4 {
            return self.update(depth);
        }
        match self.below(20) {
            0..2 => self.repetition(depth),
            2..5 => {
                let condition = self.condition();
                self.line(depth, &format!("if ({condition}) {{"));
                self.statement(depth + 1);
                if self.below(2) == 0 {
                    self.line(depth, "} else {");
                    self.statement(depth + 1);
                }
                self.line(depth, "}");
            }
            5 => self.switch(depth),
            6 if !self.in_function => {
                // Backwards to a new label, or forwards to one that is placed later.
                let condition = self.condition();
                self.n_labels += 1;
                let label = self.n_labels;
                if self.below(2) == 0 {
                    let step = self.place();
                    self.line(depth, &format!("L{label}: {step}"));
                    self.statement(depth + 1);
                } else {
                    self.labels.push(label);
                }
                self.line(depth, &format!("if ({condition}) goto L{label};"));
            }
            7 if !self.in_function && !self.labels.is_empty() => {
                if let Some(label) = self.labels.pop() {
                    let step = self.place();
                    self.line(depth, &format!("L{label}: {step}"));
                }
            }
            _ => self.update(depth),
        }
    }

    fn place(&mut self) -> String {
        self.n_places += 1;
        format!("{}({});", self.step, self.n_places)
    }

    fn switch(&mut self, depth: usize) {
        let on = self.expression();
        self.line(depth, &format!("switch ({on}) {{"));
        for label in ["case 0:", "case 1:", "case 255:", "default:"] {
            if self.below(4) == 0 {
                continue;
            }
            self.line(depth + 1, label);
            self.update(depth + 2);
            if self.below(3) > 0 {
                self.line(depth + 2, "break;");
            }
        }
        self.line(depth, "}");
    }

    fn repetition(&mut self, depth: usize) {
        let step = self.place();
        let mut end = "}".to_string();
        match self.below(5) {
            0 => {
                let (x, from, condition) = (self.writable(), self.literal(), self.condition());
                let by = self.pick(&["++", "--", "+= K(2)", ">>= K(1)"]);
                self.line(depth, &format!("for ({x} = {from}; {condition}; {x} {by}) {{ {step}"));
            }
            1 => {
                self.line(depth, &format!("do {{ {step}"));
                end = format!("}} while ({});", self.condition());
            }
            2 => {
                let condition = self.condition();
                self.line(depth, &format!("while (1) {{ {step}"));
                self.line(depth + 1, &format!("if ({condition}) break;"));
            }
            _ => {
                let condition = self.condition();
                self.line(depth, &format!("while ({condition}) {{ {step}"));
            }
        }
        for _ in 0..1 + self.below(2) {
            if self.below(10) == 0 {
                let (condition, jump) = (self.condition(), self.pick(&["break", "continue"]));
                self.line(depth + 1, &format!("if ({condition}) {jump};"));
            } else {
                self.statement(depth + 1);
            }
        }
        if self.below(100) < 60 {
            self.update(depth + 1);
        }
        self.line(depth, &end);
    }

    /// A function with a base case, which it may miss, calls after it, perhaps a loop.
    fn function(&mut self, f: usize) -> String {
        let kind = self.function_kind(f);
        self.text.clear();
        self.line(0, &format!("int f{f}({kind} n) {{ int r = 0; ENTER({f});"));
        let base = self.pick(&["n == K(0)", "n <= K(0)", "n < K(3)", "n > K(100)", "n % 5 == K(1)", "n == K(7)"]);
        self.line(1, &format!("if ({base}) RETURN({});", ["0", "1", "n"][f % 3]));
        if self.below(3) == 0 {
            self.statement(1);
        }
        for _ in 0..1 + self.below(2) {
            let callee = self.below(self.n_functions);
            let argument = self.pick(&["n - 1", "n - 2", "n + 1", "n / 2", "n - 1", "-n", "n", "r", "n - r"]);
            self.line(1, &format!("r = f{callee}({argument});"));
        }
        if self.below(3) == 0 {
            self.update(1);
        }
        self.line(1, "RETURN(r);");
        self.line(0, "}");
        std::mem::take(&mut self.text)
    }
}
