//! What the targets share: libFuzzer's own mutator knows nothing of grammars, so three mutants of four come from the
//! mutator of the tests.

#[path = "../tests/support/languages.rs"]
pub mod languages;
#[path = "../tests/support/mutate.rs"]
pub mod mutate;

use base::Random;
use mutate::{Language, mutate_text};

/// A mutant of `data[..size]` in place, and its length.
pub fn mutant(data: &mut [u8], size: usize, max_size: usize, seed: u32, language: &Language) -> usize {
    match std::str::from_utf8(&data[..size]) {
        Ok(text) if seed % 4 > 0 => {
            let mutant = mutate_text(&mut Random::new(u64::from(seed)), text, language);
            let length = mutant.len().min(max_size).min(data.len());
            data[..length].copy_from_slice(&mutant.as_bytes()[..length]);
            length
        }
        _ => libfuzzer_sys::fuzzer_mutate(data, size, max_size),
    }
}
