//! Broken programs never make the front end panic: texts are cut, doubled, spliced and sprinkled with
//! tokens, then compiled as far as they go.
//!
//! `CRAIG_MUTATIONS=100000 cargo test -p boogie --test mutation` runs many; by default a few.

use base::SourceMap;
use logic::TermPool;
use std::path::{Path, PathBuf};

/// Marsaglia's xorshift: the same mutations in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

const TOKENS: &[&str] = &[
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    ";",
    ":",
    ",",
    ":=",
    "==",
    "==>",
    "<==>",
    "&&",
    "!",
    "-",
    "*",
    "/",
    "++",
    "::",
    "0",
    "1",
    "3.5",
    "1bv8",
    "255bv8",
    "1e9999999",
    "bv0",
    "bv99999999999",
    "int",
    "bool",
    "real",
    "true",
    "old(",
    "forall ",
    "exists ",
    "lambda ",
    "if ",
    "then ",
    "else ",
    "while (*)",
    "goto ",
    "break ",
    "return;",
    "call ",
    "call forall ",
    "havoc ",
    "assert ",
    "assume ",
    "atomic {",
    "fork 1 ",
    "join 1 ",
    "requires ",
    "ensures ",
    "modifies ",
    "free ",
    "invariant ",
    "where ",
    "type ",
    "const unique ",
    "function ",
    "axiom ",
    "procedure ",
    "implementation ",
    "var ",
    "{:builtin \"bvadd\"}",
    "{:builtin \"extract 9 9\"}",
    "\"",
    "/*",
    "*/",
    "//",
    "\u{2200}",
    "\u{e4}",
    "\u{0}",
    "x",
    "main",
    "[31:0]",
    "!f",
    "<a>",
];

fn mutate(random: &mut Random, texts: &[Vec<char>]) -> String {
    let mut text = texts[random.below(texts.len())].clone();
    // Long files are cut to a piece, so that one mutation has a chance to matter.
    if text.len() > 6000 && random.below(4) > 0 {
        let start = random.below(text.len() - 3000);
        text = text[start..start + 3000].to_vec();
    }
    for _ in 0..=random.below(4) {
        let at = random.below(text.len() + 1);
        let length = 1 + random.below(12);
        let end = (at + length).min(text.len());
        match random.below(6) {
            0 => drop(text.drain(at..end)),
            1 => {
                let piece = text[at..end].to_vec();
                let to = random.below(text.len() + 1);
                text.splice(to..to, piece);
            }
            2 | 3 => {
                let token = TOKENS[random.below(TOKENS.len())];
                text.splice(at..at, token.chars());
            }
            4 => {
                let other = &texts[random.below(texts.len())];
                let from = random.below(other.len());
                let piece = other[from..(from + 60).min(other.len())].to_vec();
                text.splice(at..end, piece);
            }
            _ => {
                if let (true, Some(c)) = (at < text.len(), char::from_u32(32 + random.below(95) as u32)) {
                    text[at] = c;
                }
            }
        }
    }
    text.into_iter().collect()
}

fn collect(folder: PathBuf, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|e| e.path()) {
        if path.is_dir() {
            collect(path, out);
        } else if path.extension().is_some_and(|e| e == "bpl") {
            out.push(path);
        }
    }
}

#[test]
fn mutated_programs_do_not_panic() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = Vec::new();
    collect(root.join("tests/programs/boogie"), &mut paths);
    collect(root.join("../shared/corpus/boogie"), &mut paths);
    paths.sort();
    let texts: Vec<Vec<char>> =
        paths.iter().filter_map(|p| std::fs::read_to_string(p).ok()).map(|t| t.chars().collect()).collect();
    let n: u64 = std::env::var("CRAIG_MUTATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(2_000);
    let mut compiled = 0;
    for seed in 1..=n {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        random.below(1);
        let text = mutate(&mut random, &texts);
        let result = std::panic::catch_unwind(|| {
            let mut sources = SourceMap::new();
            let file = sources.add("mutated.bpl", text.as_str());
            let mut pool = TermPool::new();
            match boogie::compile(&sources, file, &mut pool) {
                Ok(program) => {
                    assert_eq!(ir::verify::verify_program(&program, &pool), Vec::<String>::new());
                    let icfg = ir::Icfg::build(&program, &mut pool);
                    assert_eq!(ir::verify::verify_icfg(&icfg, &pool), Vec::<String>::new());
                    true
                }
                Err(errors) => {
                    assert!(!errors.is_empty());
                    errors.iter().for_each(|e| drop(e.render(&sources)));
                    false
                }
            }
        });
        match result {
            Ok(ok) => compiled += u64::from(ok),
            Err(_) => panic!("seed {seed} panics:\n{text}"),
        }
    }
    assert!(compiled * 50 > n, "only {compiled} of {n} mutants compile: they are too broken to test much");
}
