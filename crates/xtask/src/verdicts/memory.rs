//! Programs about memory (`--shape memory`): a few [`PIECES`] with random gaps, over two inputs of four values, or none.
//!
//! The reference runs each input under gcc's sanitizers; blocks are counted by wrappers of `malloc` and its like, which also see wrong `free`s
//! and, at the end, which blocks can be reached from static objects. Memory that nobody wrote is filled with two patterns: where the
//! outcomes differ, nothing is expected. The value of `acc` at the end of each run is known, so the goal (`acc` is none of, at least, …) is chosen afterwards,
//! true or just false. Undefined behaviour of other kinds (an index beyond an array inside a struct, say) expects nothing.

use super::pieces::{PIECES, Piece};
use super::{DataModel, Options, Table, ask};
use smt::focused::families::Random;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

const TYPES: [&str; 11] = [
    "signed char",
    "unsigned char",
    "char",
    "short",
    "unsigned short",
    "int",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
];

/// Values of each input: 0 to 3.
const N_VALUES: usize = 4;

struct Program {
    declarations: String,
    body: String,
    roots: Vec<String>,
    has_inputs: bool,
}

struct Filler {
    random: Random,
    number: usize,
    has_inputs: bool,
}

impl Filler {
    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.random.below(choices.len())]
    }

    fn value(&mut self) -> String {
        let inputs = ["IN0", "IN1", "(IN0 - IN1)", "(IN0 * 3 + 1)", "(IN1 ? 5 : -5)", "-IN1"];
        if self.has_inputs && self.random.below(2) == 0 {
            return self.pick(&inputs).to_string();
        }
        self.pick(&["0", "1", "-1", "2", "7", "-8", "100", "127", "128", "200", "255", "-129"]).to_string()
    }

    fn small(&mut self) -> String {
        if self.has_inputs && self.random.below(3) > 0 {
            return self.pick(&["IN0", "IN1", "(IN0 & 1)", "(IN0 + 1)", "(IN0 > IN1)", "(3 - IN1)"]).to_string();
        }
        self.random.below(5).to_string()
    }

    fn index(&mut self, n: usize) -> String {
        let small = self.small();
        match self.random.below(24) {
            0 => small,
            1 => n.to_string(),
            2..9 => format!("({small} % {n})"),
            _ => self.random.below(n).to_string(),
        }
    }

    /// Fills in a pattern.
    fn fill(&mut self, pattern: &str) -> String {
        let mut out = String::new();
        let mut rest = pattern;
        while let Some(at) = rest.find(['⟨', '$']) {
            out.push_str(&rest[..at]);
            rest = &rest[at..];
            if rest.starts_with('⟨') {
                let (choices, after) = choices_of(rest);
                let chosen = self.pick(&choices);
                out.push_str(&self.fill(chosen));
                rest = after;
                continue;
            }
            let code = rest[1..].chars().next().unwrap_or(' ');
            rest = rest.get(2..).unwrap_or("");
            match code {
                'k' => out.push_str(&self.number.to_string()),
                'v' => out.push_str(&self.value()),
                's' => out.push_str(&self.small()),
                'c' => out.push_str(&self.random.below(5).to_string()),
                't' => out.push_str(self.pick(&TYPES)),
                'i' => {
                    let n = rest[..1].parse().unwrap_or(1);
                    rest = &rest[1..];
                    out.push_str(&self.index(n));
                }
                other => {
                    out.push('$');
                    out.push(other);
                }
            }
        }
        out + rest
    }
}

/// The choices of a pattern that starts with one, and what follows it.
fn choices_of(pattern: &str) -> (Vec<&str>, &str) {
    let (mut choices, mut depth, mut from) = (Vec::new(), 0, 0);
    for (at, c) in pattern.char_indices() {
        match c {
            '⟨' => {
                depth += 1;
                if depth == 1 {
                    from = at + c.len_utf8();
                }
            }
            '¦' if depth == 1 => {
                choices.push(&pattern[from..at]);
                from = at + c.len_utf8();
            }
            '⟩' => {
                depth -= 1;
                if depth == 0 {
                    choices.push(&pattern[from..at]);
                    return (choices, &pattern[at + c.len_utf8()..]);
                }
            }
            _ => {}
        }
    }
    (vec![""], "")
}

fn program(mut random: Random) -> Program {
    let has_inputs = random.below(100) < 60;
    let n_pieces = 1 + random.below(3);
    let mut filler = Filler { random, number: 0, has_inputs };
    let mut program = Program { declarations: String::new(), body: String::new(), roots: Vec::new(), has_inputs };
    for number in 0..n_pieces {
        filler.number = number;
        let piece = &PIECES[filler.random.below(PIECES.len())];
        program.add(piece, &mut filler);
    }
    program
}

impl Program {
    fn add(&mut self, piece: &Piece, filler: &mut Filler) {
        if !piece.declarations.is_empty() {
            // The inputs are not in scope here.
            let has_inputs = std::mem::replace(&mut filler.has_inputs, false);
            let declarations = filler.fill(piece.declarations);
            filler.has_inputs = has_inputs;
            let _ = writeln!(self.declarations, "{declarations}");
        }
        let body = filler.fill(piece.body);
        let _ = writeln!(self.body, "  {{\n    {}\n  }}", body.replace("; ", ";\n    "));
        if !piece.roots.is_empty() {
            self.roots.push(filler.fill(piece.roots));
        }
    }

    /// As craig sees it; `goal` is about `acc`.
    fn source(&self, goal: &str) -> String {
        let inputs = match self.has_inputs {
            true => {
                "  int IN0 = __VERIFIER_nondet_int(), IN1 = __VERIFIER_nondet_int();\n  if (IN0 < 0 || IN0 > 3 || IN1 < 0 || IN1 > 3) return 0;\n"
            }
            false => "",
        };
        format!(
            "{HEADERS}extern int __VERIFIER_nondet_int(void);\nvoid reach_error(void) {{}}\n{}int main(void) {{\n{inputs}  int acc = 0;\n{}  if (!({goal})) reach_error();\n  return 0;\n}}\n",
            self.declarations, self.body
        )
    }

    fn harness(&self) -> String {
        let roots: String = self.roots.iter().map(|name| format!("{{ &{name}, sizeof {name} }}, ")).collect();
        format!(
            r#"{HEADERS}
static struct {{ char *base; size_t size; int live, reached; }} blocks[1000]; static int n_blocks;
static void event(const char *what) {{ fprintf(stderr, "EVENT %s\n", what); _exit(0); }}
static int block_of(void *p) {{ for (int i = n_blocks - 1; i >= 0; i--) if (blocks[i].base == (char *)p) return i; return -1; }}
static void *note(void *p, size_t n) {{ blocks[n_blocks].base = p; blocks[n_blocks].size = n; blocks[n_blocks++].live = 1; return p; }}
static void *my_malloc(size_t n) {{ return note(malloc(n), n); }}
static void *my_calloc(size_t n, size_t m) {{ return note(calloc(n, m), n * m); }}
static void my_free(void *p) {{ if (!p) return; int b = block_of(p); if (b < 0 || !blocks[b].live) event("free"); blocks[b].live = 0; free(p); }}
static void *my_realloc(void *p, size_t n) {{ if (!p) return my_malloc(n); int b = block_of(p); if (b < 0 || !blocks[b].live) event("free"); blocks[b].live = 0; return note(realloc(p, n), n); }}
static char *my_strdup(const char *s) {{ return note(strdup(s), strlen(s) + 1); }}
#define malloc my_malloc
#define calloc my_calloc
#define free my_free
#define realloc my_realloc
#define strdup my_strdup
{}static int run(int IN0, int IN1) {{
  int acc = 0;
{}  return acc;
}}
static struct {{ void *at; size_t size; }} roots[] = {{ {roots}{{ 0, 0 }} }};
__attribute__((no_sanitize("address"))) static void scan(char *from, size_t size) {{
  for (size_t i = 0; i + sizeof(char *) <= size; i += sizeof(char *)) {{
    char *p = *(char **)(from + i);
    for (int b = 0; b < n_blocks; b++) if (blocks[b].live && !blocks[b].reached && p >= blocks[b].base && p <= blocks[b].base + blocks[b].size) {{
      blocks[b].reached = 1; scan(blocks[b].base, blocks[b].size);
    }}
  }}
}}
int main(int argc, char **argv) {{
  int acc = run(argv[1][0] - '0', argv[2][0] - '0');
  for (int i = 0; roots[i].at; i++) scan(roots[i].at, roots[i].size);
  int live = 0, lost = 0;
  for (int b = 0; b < n_blocks; b++) {{ live |= blocks[b].live; lost |= blocks[b].live && !blocks[b].reached; }}
  fprintf(stderr, "VALUE %d %d %d\n", acc, live, lost);
  _exit(0);
}}
"#,
            self.declarations, self.body
        )
    }
}

const HEADERS: &str = "#include <stddef.h>\n#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n#include <stdio.h>\n#include <ctype.h>\n#include <stdarg.h>\n#include <unistd.h>\n";

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Outcome {
    /// With this `acc`; are there blocks at the end, and some that nothing points to?
    Ended {
        acc: i64,
        live: bool,
        lost: bool,
    },
    Arithmetic,
    Deref,
    Free,
    /// Undefined, but no matter of the properties; or nothing is known.
    Other,
}

fn classify(stderr: &str) -> Outcome {
    let any = |texts: &[&str]| texts.iter().any(|t| stderr.contains(t));
    if let Some(line) = stderr.lines().find_map(|l| l.strip_prefix("VALUE ")) {
        let numbers: Vec<i64> = line.split(' ').filter_map(|n| n.parse().ok()).collect();
        return match numbers[..] {
            [acc, live, lost] => Outcome::Ended { acc, live: live != 0, lost: lost != 0 },
            _ => Outcome::Other,
        };
    }
    if any(&["EVENT free"]) {
        Outcome::Free
    } else if any(&[
        "runtime error: signed integer overflow",
        "runtime error: negation of",
        "runtime error: left shift",
        "runtime error: shift exponent",
        "runtime error: division",
    ]) {
        Outcome::Arithmetic
    } else if any(&["param-overlap", "runtime error: index", "runtime error: variable length", "null pointer passed"]) {
        Outcome::Other
    } else if any(&[
        "null pointer of type",
        "within null pointer",
        "buffer-overflow",
        "buffer-underflow",
        "use-after",
        "SEGV",
        "dynamic-stack",
        "unknown-crash",
        "underwrite",
    ]) {
        Outcome::Deref
    } else {
        Outcome::Other
    }
}

/// The outcomes for all inputs; `None` where gcc does not take the program.
fn outcomes(program: &Program, model: DataModel, folder: &Path) -> Result<Option<BTreeSet<Outcome>>, String> {
    let (source, binary) = (folder.join("memory.c"), folder.join("memory"));
    std::fs::write(&source, program.harness()).map_err(|e| e.to_string())?;
    let compiled = Command::new("gcc")
        .args([model.gcc_flag(), "-std=gnu11", "-O0", "-w", "-fno-builtin", "-msse2", "-mfpmath=sse"])
        .arg("-fsanitize=address,signed-integer-overflow,shift,integer-divide-by-zero,bounds,null,alignment,vla-bound,pointer-overflow,nonnull-attribute")
        .args(["-fno-sanitize-recover=all", "-o"])
        .args([&binary, &source])
        .output()
        .map_err(|e| format!("gcc does not start: {e}"))?;
    if !compiled.status.success() {
        eprintln!("{}", String::from_utf8_lossy(&compiled.stderr).lines().take(5).collect::<Vec<_>>().join("\n"));
        return Ok(None);
    }
    let n = if program.has_inputs { N_VALUES } else { 1 };
    let mut all = BTreeSet::new();
    for input in 0..n * n {
        let run = |fill: &str| -> Result<Outcome, String> {
            let output = Command::new(&binary)
                .args([(input / n).to_string(), (input % n).to_string()])
                .env("ASAN_OPTIONS", format!("detect_leaks=0:detect_stack_use_after_return=1:max_malloc_fill_size=4096:malloc_fill_byte={fill}"))
                .output()
                .map_err(|e| e.to_string())?;
            Ok(classify(&String::from_utf8_lossy(&output.stderr)))
        };
        let first = run("170")?;
        all.insert(if first == run("0")? { first } else { Outcome::Other });
    }
    Ok(Some(all))
}

/// A condition on `acc`, and whether it holds whenever the end is reached.
fn goal(random: &mut Random, values: &BTreeSet<i64>) -> (String, bool) {
    let (Some(&least), Some(&greatest)) = (values.first(), values.last()) else { return ("acc == 0".into(), true) };
    let picked = values.iter().nth(random.below(values.len())).copied().unwrap_or(least);
    match random.below(6) {
        0 => (format!("acc != {picked}"), false),
        1 => (format!("acc > {least}"), false),
        2 => (format!("acc >= {least}"), true),
        3 => (format!("acc <= {greatest}"), true),
        _ => (format!("acc != {}", picked + 1), !values.contains(&(picked + 1))),
    }
}

/// Asks for all properties of one program; true if some answer is wrong (or none, and those are wanted).
pub fn compare(options: &Options, seed: u64, file: &Path, table: &mut Table) -> Result<bool, String> {
    let mut random = Random::new(seed);
    let program = program(Random::new(random.bits()));
    let Some(outcomes) = outcomes(&program, options.data_model, &options.keep)? else {
        table.no_reference();
        println!("seed {seed}: gcc does not take it");
        std::fs::write(file, program.harness()).map_err(|e| e.to_string())?;
        return Ok(true);
    };
    let ended = |o: &Outcome| match *o {
        Outcome::Ended { acc, .. } => Some(acc),
        _ => None,
    };
    let (goal, holds) = goal(&mut random, &outcomes.iter().filter_map(ended).collect());
    std::fs::write(file, program.source(&goal)).map_err(|e| e.to_string())?;
    let has = |kind: Outcome| outcomes.contains(&kind);
    let ends_with = |f: &dyn Fn(bool, bool) -> bool| {
        outcomes.iter().any(|o| matches!(*o, Outcome::Ended { live, lost, .. } if f(live, lost)))
    };
    let is_defined = outcomes.iter().all(|o| ended(o).is_some());
    let all_known = !has(Outcome::Other);
    let unless = |violated: bool, known: bool| if violated { Some(false) } else { known.then_some(true) };
    let memory = BTreeMap::from([
        ("false(valid-deref)", has(Outcome::Deref)),
        ("false(valid-free)", has(Outcome::Free)),
        ("false(valid-memtrack)", ends_with(&|_, lost| lost)),
    ]);
    let expectations = [
        ("unreach-call", unless(!holds, is_defined)),
        ("no-overflow", unless(has(Outcome::Arithmetic), is_defined)),
        ("valid-memsafety", unless(memory.values().any(|&m| m), is_defined)),
        ("valid-memcleanup", unless(ends_with(&|live, _| live), is_defined)),
    ];
    let mut keep = false;
    for (property, expected) in expectations {
        let answer = ask(options, file, property)?;
        // A violation must be one that some run showed. What happens to memory after an overflow is left open.
        let unfounded = all_known
            && match property {
                "valid-memsafety" => memory.get(answer.as_str()) == Some(&false) && !has(Outcome::Arithmetic),
                "valid-memcleanup" => expected != Some(false) && !has(Outcome::Arithmetic),
                _ => expected != Some(false),
            };
        if table.note(property, expected, unfounded, &answer) {
            println!("WRONG seed {seed} {property}: expected {expected:?}, answered {answer}; runs: {outcomes:?}");
            keep = true;
        }
        if options.keep_unknown && expected.is_some() && answer.starts_with("unknown") {
            println!("seed {seed} {property}: expected {expected:?}, answered {answer}");
            keep = true;
        }
    }
    Ok(keep)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_nest() {
        assert_eq!(choices_of("⟨a¦b⟨c¦d⟩¦⟩e"), (vec!["a", "b⟨c¦d⟩", ""], "e"));
    }

    /// Every piece is C, in several fillings (skipped where there is no gcc).
    #[test]
    fn gcc_takes_the_pieces() {
        let folder = std::env::temp_dir();
        let file = folder.join(format!("craig-pieces-{}.c", std::process::id()));
        let mut text = HEADERS.to_string();
        let mut number = 0;
        for piece in PIECES {
            for seed in 0..3 {
                let mut filler = Filler { random: Random::new(seed), number, has_inputs: seed > 0 };
                let mut one =
                    Program { declarations: String::new(), body: String::new(), roots: Vec::new(), has_inputs: true };
                one.add(piece, &mut filler);
                let _ = writeln!(
                    text,
                    "{}int f{number}(int IN0, int IN1, int acc) {{\n{}  return acc;\n}}",
                    one.declarations, one.body
                );
                number += 1;
            }
        }
        if std::fs::write(&file, text).is_err() {
            return;
        }
        let Ok(output) = Command::new("gcc").args(["-std=gnu11", "-fsyntax-only", "-w"]).arg(&file).output() else {
            return;
        };
        let _ = std::fs::remove_file(&file);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}
