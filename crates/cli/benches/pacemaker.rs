//! Figure 4 of the WHALE paper (Albarghouthi, Gurfinkel, Chechik 2012) on our own pacemaker programs:
//! `cargo bench -p craig --bench pacemaker`.
//!
//! Prints one row a program: for WHALE the number of ARGs and of refinements and the time, for the other engines the
//! time; in seconds of wall time, TO where an engine gave no answer within the limit (the first argument, 180 s unless
//! told). A wrong answer ends the bench.

use std::path::{Path, PathBuf};
use std::process::Command;

const ENGINES: [&str; 4] = ["whale", "trace-abstraction", "impact", "predicate-abstraction"];

fn main() {
    let limit = std::env::args().skip(1).find_map(|a| a.parse::<u32>().ok()).unwrap_or(180);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = root.join("examples/pacemaker");
    let mut programs: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("examples/pacemaker can be read")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "c" || e == "bpl"))
        .collect();
    programs.sort();
    println!("| program | #ARGs | #Refine | whale | trace-abstraction | impact | predicate-abstraction |");
    println!("|---|---|---|---|---|---|---|");
    for program in programs {
        let name = program.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let expected = if name.contains("err") { "false" } else { "true" };
        let mut cells = vec![name.clone()];
        for engine in ENGINES {
            let row = run(&program, engine, limit);
            if engine == "whale" {
                cells.extend([row.n_args.to_string(), row.n_refinements.to_string()]);
            }
            let unknown = row.result.starts_with("unknown");
            assert!(unknown || row.result.starts_with(expected), "{name}: {engine} says {}", row.result);
            cells.push(if unknown { "TO".to_string() } else { format!("{:.2}", row.seconds) });
        }
        println!("| {} |", cells.join(" | "));
    }
}

struct Row {
    result: String,
    seconds: f64,
    n_args: u64,
    n_refinements: u64,
}

fn run(program: &Path, engine: &str, limit: u32) -> Row {
    let output = Command::new(env!("CARGO_BIN_EXE_craig"))
        .args(["check", "--engine", engine, "--format", "json", "--timeout", &format!("{limit}s")])
        .arg(program)
        .output()
        .expect("craig starts");
    let text = String::from_utf8_lossy(&output.stdout);
    let end = text.rfind("RESULT:").expect("a RESULT line");
    let document: serde_json::Value = serde_json::from_str(&text[..end]).expect("a JSON document");
    let count = |name: &str| document["statistics"][name].as_u64().unwrap_or(0);
    Row {
        result: document["result"].as_str().unwrap_or_default().to_string(),
        seconds: document["wall_seconds"].as_f64().unwrap_or_default(),
        n_args: count("ARGs"),
        n_refinements: count("refinements"),
    }
}
