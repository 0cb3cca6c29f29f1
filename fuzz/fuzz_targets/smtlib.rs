//! Any text: the script interpreter answers each command or says what is wrong, within a time limit.
#![no_main]

#[path = "../mutator.rs"]
mod mutator;

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use mutator::{languages, mutant};
use std::time::Duration;

fuzz_target!(|text: &[u8]| {
    let options = smt::ScriptOptions { check_timeout: Some(Duration::from_millis(200)), ..smt::ScriptOptions::default() };
    let mut answers = Vec::new();
    let run = smt::run_script(text, &mut answers, &options, &base::Budget::unlimited());
    assert!(run.is_ok());
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutant(data, size, max_size, seed, &languages::SMTLIB)
});
