//! Any text: the script interpreter answers each command or says what is wrong, within a time limit.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::time::Duration;

fuzz_target!(|text: &[u8]| {
    let options = smt::ScriptOptions { check_timeout: Some(Duration::from_millis(200)), ..smt::ScriptOptions::default() };
    let mut answers = Vec::new();
    let run = smt::run_script(text, &mut answers, &options, &base::Budget::unlimited());
    assert!(run.is_ok());
});
