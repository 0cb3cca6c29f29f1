//! Any text: the C front end either compiles it or says what is wrong.
#![no_main]

#[path = "../mutator.rs"]
mod mutator;

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use mutator::{languages, mutant};

fuzz_target!(|text: &str| {
    let mut sources = base::SourceMap::new();
    let file = sources.add("fuzz.c", text);
    let mut pool = logic::TermPool::new();
    match c::compile(&mut sources, file, &c::Options::default(), &c::Mode::default(), &|_| None, &mut pool) {
        Ok(program) => drop(ir::Icfg::build(&program, &mut pool)),
        Err(errors) => errors.iter().for_each(|e| drop(e.render(&sources))),
    }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutant(data, size, max_size, seed, &languages::C)
});
