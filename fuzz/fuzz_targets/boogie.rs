//! Any text: the Boogie front end either compiles it or says what is wrong, and what it parses prints
//! back to the same tree.
#![no_main]

#[path = "../mutator.rs"]
mod mutator;

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use mutator::{languages, mutant};

fuzz_target!(|text: &str| {
    let mut sources = base::SourceMap::new();
    let file = sources.add("fuzz.bpl", text);
    if let Ok(tree) = boogie::parse(&sources, file) {
        let printed = sources.add("printed.bpl", boogie::print(&tree));
        assert!(boogie::parse(&sources, printed).is_ok_and(|again| again == tree));
    }
    let mut pool = logic::TermPool::new();
    match boogie::compile(&sources, file, &mut pool) {
        Ok(program) => drop(ir::Icfg::build(&program, &mut pool)),
        Err(errors) => errors.iter().for_each(|e| drop(e.render(&sources))),
    }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutant(data, size, max_size, seed, &languages::BOOGIE)
});
