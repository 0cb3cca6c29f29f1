//! Random edits: with what is known of the program before an edit the verdict is the one without.
//!
//! Programs of `tests/programs` are changed in one place (a constant, a statement, a type, a call), as a seed says.
//! Both versions are C that someone might write; whether the new one has its property is nobody's business here:
//! `craig check` and `craig upgrade` must not contradict each other. `CRAIG_EDITS=200 cargo test --test upgrade_edits`
//! makes as many edits; a sample runs by default.

mod common;

use base::Random;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Enough for a program of these tests.
const TIMEOUT: &str = "10s";

/// The ranges of a text where a word begins that a test accepts.
fn words(text: &str, accept: impl Fn(&str) -> bool) -> Vec<std::ops::Range<usize>> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut found = Vec::new();
    let mut start = None;
    for (i, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (start, is_part(c)) {
            (None, true) => start = Some(i),
            (Some(s), false) => {
                if accept(&text[s..i]) {
                    found.push(s..i);
                }
                start = None;
            }
            _ => {}
        }
    }
    found
}

/// A program with one edit, if there is a place for it.
fn edited(text: &str, random: &mut Random) -> Option<String> {
    // Heads and declarations at the top stay.
    let from = text.find('{')?;
    let (head, body) = text.split_at(from);
    let replaced = |range: std::ops::Range<usize>, by: &str| {
        Some(format!("{head}{}{by}{}", &body[..range.start], &body[range.end..]))
    };
    match random.below(5) {
        0 => {
            let numbers = words(body, |w| w.len() < 6 && w.bytes().all(|b| b.is_ascii_digit()));
            let range = numbers.get(random.below(numbers.len()))?.clone();
            let number: u64 = body[range.clone()].parse().ok()?;
            let other = [number + 1, number.saturating_sub(1), number * 2][random.below(3)];
            replaced(range, &other.to_string())
        }
        1 => {
            let types = words(body, |w| ["int", "unsigned", "char", "long"].contains(&w));
            let range = types.get(random.below(types.len()))?.clone();
            replaced(range, ["int", "unsigned", "char", "long", "short"][random.below(5)])
        }
        2 | 3 => {
            let lines: Vec<&str> = body.lines().collect();
            let is_statement = |l: &&str| {
                let l = l.trim();
                l.ends_with(';') && !l.starts_with("for") && !l.contains('{') && !l.contains('}')
            };
            let statements: Vec<usize> = (0..lines.len()).filter(|&i| is_statement(&lines[i])).collect();
            let at = *statements.get(random.below(statements.len()))?;
            let mut new: Vec<String> = lines.iter().map(|l| l.to_string()).collect();
            match random.below(3) {
                0 => new[at] = String::new(),
                1 if !lines[at].trim().starts_with("return") && !lines[at].contains('=') => {
                    new.insert(at, lines[at].to_string());
                }
                _ if at + 1 < new.len() && statements.contains(&(at + 1)) => new.swap(at, at + 1),
                _ => new.insert(at, "  int edited_variable = 3; (void)edited_variable;".to_string()),
            }
            Some(format!("{head}{}\n", new.join("\n")))
        }
        _ => {
            let operators: Vec<usize> =
                body.char_indices().filter(|(_, c)| ['<', '+', '-'].contains(c)).map(|p| p.0).collect();
            let at = *operators.get(random.below(operators.len()))?;
            let around = &body.as_bytes()[at.saturating_sub(1)..(at + 2).min(body.len())];
            if around.iter().filter(|b| b"<>+-=".contains(b)).count() > 1 {
                return None;
            }
            let by = match &body[at..=at] {
                "<" => "<=",
                "+" => "-",
                _ => "+",
            };
            replaced(at..at + 1, by)
        }
    }
}

fn programs() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let mut found = Vec::new();
    for folder in ["c", "procedures", "termination"] {
        let Ok(entries) = std::fs::read_dir(root.join(folder)) else { continue };
        found.extend(entries.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "c")));
    }
    found.sort();
    found
}

fn head(text: &str, key: &str) -> Option<String> {
    let lines = text.lines().take_while(|l| l.starts_with("//"));
    let mut found = lines.filter_map(|l| l.trim_start_matches("//").trim().strip_prefix(&format!("{key}:")));
    found.next().map(|v| v.trim().to_string())
}

#[test]
fn verdicts_with_and_without_reuse_agree() {
    let n: usize = std::env::var("CRAIG_EDITS").ok().and_then(|v| v.parse().ok()).unwrap_or(10);
    let seed: u64 = std::env::var("CRAIG_SEED").ok().and_then(|v| v.parse().ok()).unwrap_or(20_260_101);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("edits");
    std::fs::create_dir_all(&folder).expect("a folder");
    let programs = programs();
    let mut random = Random::new(seed);
    let (mut n_made, mut n_answered) = (0, 0);
    for _ in 0..n * 20 {
        if n_made >= n {
            break;
        }
        let program = &programs[random.below(programs.len())];
        let text = std::fs::read_to_string(program).expect("a program");
        let is_usual = head(&text, "args").is_none() && head(&text, "engine").is_none();
        let Some(new) = edited(&text, &mut random).filter(|_| is_usual && head(&text, "expect").is_some()) else {
            continue;
        };
        let (old_path, new_path) = (folder.join("old.c"), folder.join("new.c"));
        std::fs::write(&old_path, &text).expect("written");
        std::fs::write(&new_path, &new).expect("written");
        let property = head(&text, "property").unwrap_or("unreach-call".to_string());
        let data_model = head(&text, "data-model").unwrap_or("LP64".to_string());
        let run = |words: &[&Path]| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_craig"));
            command.arg(if words.len() == 2 { "upgrade" } else { "check" });
            command.args(["--jobs", "1", "--timeout", TIMEOUT, "--property", &property, "--data-model", &data_model]);
            let output = command.args(words).output().expect("craig runs");
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let result = text.lines().rev().find_map(|l| l.strip_prefix("RESULT: ")).unwrap_or("error").to_string();
            (result, output.status.code())
        };
        let (scratch, status) = run(&[&new_path]);
        if status == Some(2) {
            continue;
        }
        n_made += 1;
        let (upgraded, _) = run(&[&old_path, &new_path]);
        assert_ne!(upgraded, "error", "{}: no result for\n{new}", program.display());
        let is_answer = |r: &str| r == "true" || r.starts_with("false");
        if is_answer(&scratch) && is_answer(&upgraded) {
            n_answered += 1;
            let agree = (scratch == "true") == (upgraded == "true");
            assert!(agree, "{}: {scratch} and {upgraded} for\n{new}", program.display());
        }
    }
    assert!(n_made >= n, "{n_made} edits");
    assert!(n_answered * 2 >= n_made, "{n_answered} of {n_made} answered both ways");
}
