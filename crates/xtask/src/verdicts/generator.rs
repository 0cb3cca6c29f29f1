//! Random C programs over two inputs of 256 values each, some with unions, bit-fields, bytes of integers and integers
//! of 128 bits.
//!
//! Programs are text with a few macros (`STEP` in every loop and recursive call, `K` round every literal, `A` round
//! every array access, `CHECK` round the assertion), so that the same text can be checked as it is and, with other
//! definitions, be run for every input and watched. See [`super::reference`].

use base::Random;
use std::fmt::Write as _;

pub(super) struct Program {
    /// Types and functions before `main`.
    pub declarations: String,
    /// Statements over the inputs `IN0` (a signed char) and `IN1` (an unsigned char).
    pub body: String,
    pub has_array: bool,
}

const SCALARS: [&str; 5] = ["a", "b", "c", "u", "v"];
const UNSIGNED: [&str; 2] = ["u", "v"];
const LITERALS: [&str; 22] = [
    "0",
    "1",
    "2",
    "3",
    "4",
    "5",
    "7",
    "8",
    "10",
    "15",
    "16",
    "100",
    "127",
    "128",
    "255",
    "256",
    "1000",
    "2147483647",
    "-1",
    "-2",
    "-3",
    "-8",
];
const CAST_TYPES: [&str; 9] = [
    "unsigned char",
    "signed char",
    "short",
    "unsigned short",
    "unsigned",
    "int",
    "long long",
    "_Bool",
    "unsigned long long",
];

struct Writer {
    random: Random,
    text: String,
    indent: usize,
    depth: usize,
    n_loops_open: usize,
    n_counters: usize,
    has_pointer: bool,
    has_array: bool,
    has_struct: bool,
    has_recursion: bool,
    has_union: bool,
    /// Integers of 128 bits.
    has_wide: bool,
    /// Integers seen as bytes.
    has_bytes: bool,
}

pub(super) fn program(mut random: Random) -> Program {
    let [has_pointer, has_array, has_struct, has_recursion, has_union, has_wide, has_bytes] =
        [40, 60, 40, 30, 30, 15, 15].map(|percent| random.below(100) < percent);
    let mut w = Writer {
        random,
        text: String::new(),
        indent: 1,
        depth: 0,
        n_loops_open: 0,
        n_counters: 0,
        has_pointer,
        has_array,
        has_struct,
        has_recursion,
        has_union,
        has_wide,
        has_bytes,
    };
    let mut declarations = String::new();
    if has_struct {
        declarations.push_str("struct S { int x; unsigned char y; short z; };\n");
    }
    if has_union {
        declarations.push_str(
            "union U { int i; unsigned char c[4]; struct { unsigned lo : 5; int mid : 9; unsigned hi : 18; } b; unsigned short h[2]; };\n",
        );
    }
    if has_recursion {
        let (bound, base, more) = (w.pick(&["5", "20"]), w.pick(&["0", "1", "n & 1"]), w.below(3));
        let _ = writeln!(
            declarations,
            "int rec(int n) {{ STEP; if (n <= 0 || n > {bound}) return {base}; return rec(n - 1) + {more}; }}"
        );
    }
    let scale = w.pick(&["", "", "", " * 16777216", " * 300000"]);
    let (c, v) = (w.below(5), w.below(4));
    w.line(&format!("int a = IN0{scale}, b = IN1, c = {c} - 2; unsigned u = (unsigned)IN0, v = {v};"));
    if has_struct {
        let x = w.below(5);
        w.line(&format!("struct S st = {{{x}, IN1, 0}};"));
    }
    if has_union {
        w.line("union U un = { IN0 };");
    }
    if has_wide {
        w.line("__int128 wi = IN0; unsigned __int128 wu = (unsigned)IN1;");
    }
    if has_array {
        w.line("int arr[4] = {0, 1, b};");
    }
    if has_pointer {
        w.line("int *p = &a;");
    }
    let n = 2 + w.below(4);
    w.statements(n);
    let goal = if w.chance(50) {
        w.condition(2)
    } else {
        let (left, right) = (w.condition(1), w.condition(1));
        format!("!({left} && {right})")
    };
    w.line(&format!("CHECK({goal});"));
    Program { declarations, body: w.text, has_array }
}

impl Writer {
    fn below(&mut self, n: usize) -> usize {
        self.random.below(n)
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{:width$}{text}", "", width = 2 * self.indent);
    }

    fn variable(&mut self) -> String {
        let mut choices: Vec<&str> = SCALARS.to_vec();
        if self.has_struct {
            choices.extend(["st.x", "st.y", "st.z"]);
        }
        if self.has_union {
            choices.extend(["un.i", "un.c[1]", "un.b.lo", "un.b.mid", "un.b.hi", "un.h[1]", "un.c[v & 3]"]);
        }
        if self.has_wide {
            choices.extend(["wi", "wu"]);
        }
        if self.has_bytes {
            choices.extend(["((unsigned char *)&a)[1]", "((signed char *)&b)[u & 3]"]);
        }
        if self.has_pointer {
            choices.push("(*p)");
        }
        if self.has_array {
            choices.extend(["arr", "arr"]);
        }
        match self.pick(&choices) {
            "arr" => {
                let index = self.index();
                format!("A(arr,{index})")
            }
            name => name.to_string(),
        }
    }

    fn index(&mut self) -> String {
        let unsigned = self.pick(&UNSIGNED);
        match self.below(10) {
            0..4 => self.below(4).to_string(),
            4..7 => format!("{unsigned} & 3"),
            7..9 => format!("{unsigned} % 4"),
            _ => self.pick(&SCALARS).to_string(),
        }
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.chance(25) {
            return if self.chance(35) { format!("K({})", self.pick(&LITERALS)) } else { self.variable() };
        }
        let operand = self.expression(depth - 1);
        let shape = self.below(16);
        let other = |w: &mut Self, literals: &[&'static str]| match w.below(literals.len() + 1) {
            i if i < literals.len() => format!("K({})", literals[i]),
            _ => w.expression(depth - 1),
        };
        match shape {
            0..3 => format!("({operand} + {})", other(self, &[])),
            3..5 => format!("({operand} - {})", other(self, &[])),
            5 => format!("({operand} * {})", other(self, &["2", "3", "-1", "5"])),
            6 => format!("({operand} / {})", self.pick(&["2", "3", "7", "-2", "4u", "10"])),
            7 => format!("({operand} % {})", self.pick(&["2", "3", "7", "-3", "4u", "10"])),
            8 => format!("({operand} & {})", other(self, &["1", "3", "7", "15", "255", "0xF0"])),
            9 => format!("({operand} | {})", other(self, &["1", "2", "8", "255"])),
            10 => format!("({operand} ^ {})", other(self, &["1", "255"])),
            11 => format!("({operand} {} {})", self.pick(&["<<", ">>"]), self.below(9)),
            12 => format!("(({}){operand})", self.pick(&CAST_TYPES)),
            13 => {
                let (condition, otherwise) = (self.condition(depth - 1), self.expression(depth - 1));
                format!("({condition} ? {operand} : {otherwise})")
            }
            14 => format!("({}{operand})", self.pick(&["-", "~", "!"])),
            _ => format!("({})", self.condition(depth - 1)),
        }
    }

    fn condition(&mut self, depth: usize) -> String {
        if depth > 0 && self.chance(25) {
            let (left, right) = (self.condition(depth - 1), self.condition(depth - 1));
            return format!("({left} {} {right})", self.pick(&["&&", "||"]));
        }
        let below = depth.saturating_sub(1);
        let (left, right) = (self.expression(below), self.expression(below));
        format!("{left} {} {right}", self.pick(&["<", "<=", ">", ">=", "==", "!="]))
    }

    fn assignment(&mut self) {
        let target = self.variable();
        let text = match self.below(6) {
            0 => format!("{target}{};", self.pick(&["++", "--"])),
            1 => format!("{target} {}= {};", self.pick(&["+", "-", "*", "&", "|", "^"]), self.expression(1)),
            _ => format!("{target} = {};", self.expression(2)),
        };
        self.line(&text);
    }

    fn statements(&mut self, n: usize) {
        for _ in 0..n {
            self.statement();
        }
    }

    fn nested(&mut self) {
        self.indent += 1;
        let n = 1 + self.below(2);
        self.statements(n);
        self.indent -= 1;
    }

    fn statement(&mut self) {
        let shape = self.below(20);
        if shape < 9 || self.depth >= 3 {
            return self.assignment();
        }
        self.depth += 1;
        match shape {
            9..13 => self.branch(),
            13..16 if self.n_loops_open < 2 => self.repetition(),
            16 if self.has_pointer => self.redirection(),
            17 if self.has_recursion => {
                let (target, argument) = (self.variable(), self.expression(1));
                self.line(&format!("{target} = rec({argument});"));
            }
            18 => self.selection(),
            _ => self.assignment(),
        }
        self.depth -= 1;
    }

    fn branch(&mut self) {
        let condition = self.condition(2);
        self.line(&format!("if ({condition}) {{"));
        self.nested();
        if self.chance(40) {
            self.line("} else {");
            self.nested();
        }
        self.line("}");
    }

    fn repetition(&mut self) {
        self.n_loops_open += 1;
        self.n_counters += 1;
        let i = format!("i{}", self.n_counters);
        let mut end = "}".to_string();
        match self.below(3) {
            0 => {
                let bound = self.pick(&["3", "5", "10", "(int)(u & 15)", "(a & 7)"]);
                self.line(&format!("for (int {i} = 0; {i} < {bound}; {i}++) {{ STEP;"));
            }
            1 => {
                let condition = self.condition(1);
                self.line(&format!("while ({condition}) {{ STEP;"));
            }
            _ => {
                end = format!("}} while ({});", self.condition(1));
                self.line("do { STEP;");
            }
        }
        self.nested();
        if self.chance(25) {
            let (condition, jump) = (self.condition(1), self.pick(&["break", "continue"]));
            self.line(&format!("  if ({condition}) {jump};"));
        }
        self.line(&end);
        self.n_loops_open -= 1;
    }

    fn redirection(&mut self) {
        let mut targets = vec!["&a", "&b", "&c"];
        if self.has_struct {
            targets.push("&st.x");
        }
        if self.has_union {
            targets.push("&un.i");
        }
        if self.has_array {
            targets.extend(["&arr[0]", "&arr[3]"]);
        }
        let target = self.pick(&targets);
        self.line(&format!("p = {target};"));
    }

    fn selection(&mut self) {
        let selector = self.expression(1);
        self.line(&format!("switch ({selector}) {{"));
        let first = self.below(3);
        for value in [first, first + 1 + self.below(3)] {
            let (target, new) = (self.variable(), self.expression(1));
            let jump = if self.chance(60) { " break;" } else { "" };
            self.line(&format!("  case {value}: {target} = {new};{jump}"));
        }
        if self.chance(50) {
            let (target, new) = (self.variable(), self.expression(1));
            self.line(&format!("  default: {target} = {new};"));
        }
        self.line("}");
    }
}
