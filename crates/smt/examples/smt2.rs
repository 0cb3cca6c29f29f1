//! Runs an SMT-LIB file, or standard input (`-`): `cargo run --release -p craig-smt --example smt2 -- FILE`. The
//! command line of the product is `craig smt`; this one builds in a fraction of the time.

use std::io::{BufRead, BufReader};

fn main() {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: smt2 FILE");
        std::process::exit(2);
    };
    let input: Box<dyn BufRead> = if path == "-" {
        Box::new(std::io::stdin().lock())
    } else {
        match std::fs::File::open(&path) {
            Ok(file) => Box::new(BufReader::new(file)),
            Err(e) => {
                eprintln!("{path}: {e}");
                std::process::exit(2);
            }
        }
    };
    let mut out = std::io::stdout();
    let options = smt::script::ScriptOptions::default();
    let _ = smt::script::run_script(input, &mut out, &options, &base::Budget::unlimited());
}
