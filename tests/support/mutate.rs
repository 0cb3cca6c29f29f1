//! Mutants of texts, for tests that broken input never makes a front end panic: texts are cut, doubled, spliced and
//! sprinkled with tokens. Included by the mutation tests of the front ends.

use std::path::PathBuf;

/// Marsaglia's xorshift: the same mutations in each run.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

impl Random {
    /// A generator for each seed.
    pub fn with_seed(seed: u64) -> Random {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        random.below(1);
        random
    }
}

/// One of the texts with a few changes.
pub fn mutate(random: &mut Random, texts: &[Vec<char>], tokens: &[&str]) -> String {
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
                let token = tokens[random.below(tokens.len())];
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

/// The texts of all files below some folders with one of these extensions, in a fixed order.
pub fn texts(folders: &[PathBuf], extensions: &[&str]) -> Vec<Vec<char>> {
    let mut paths = Vec::new();
    for folder in folders {
        collect(folder.clone(), extensions, &mut paths);
    }
    paths.sort();
    paths.iter().filter_map(|p| std::fs::read_to_string(p).ok()).map(|t| t.chars().collect()).collect()
}

fn collect(folder: PathBuf, extensions: &[&str], out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|e| e.path()) {
        if path.is_dir() {
            collect(path, extensions, out);
        } else if path.extension().and_then(|e| e.to_str()).is_some_and(|e| extensions.contains(&e)) {
            out.push(path);
        }
    }
}

/// How many mutants to try: `CRAIG_MUTATIONS`, or a few.
pub fn n_mutations(default: u64) -> u64 {
    std::env::var("CRAIG_MUTATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}
