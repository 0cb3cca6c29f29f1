//! Broken programs never make the front end panic: texts are cut, doubled, spliced and sprinkled with
//! tokens, then compiled as far as they go.
//!
//! `CRAIG_MUTATIONS=100000 cargo test -p boogie --test mutation` runs many; by default a few.

#[path = "../../../tests/support/mutate.rs"]
mod mutate;

use base::SourceMap;
use logic::TermPool;
use std::path::Path;

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

#[test]
fn mutated_programs_do_not_panic() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = [root.join("tests/programs/boogie"), root.join("../shared/corpus/boogie")];
    let (texts, n) = (mutate::texts(&folders, &["bpl"]), mutate::n_mutations(2_000));
    let mut compiled = 0;
    for seed in 1..=n {
        let text = mutate::mutate(&mut mutate::Random::with_seed(seed), &texts, TOKENS);
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
