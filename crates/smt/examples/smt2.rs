//! Runs an SMT-LIB file: `cargo run --release -p smt --example smt2 -- FILE`. The command line of the product is
//! `craig smt`; this one builds in a fraction of the time.

fn main() {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: smt2 FILE");
        std::process::exit(2);
    };
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(e) => {
            eprintln!("{path}: {e}");
            std::process::exit(2);
        }
    };
    let mut out = std::io::stdout();
    let _ = smt::script::run_script(
        text.as_bytes(),
        &mut out,
        &smt::script::ScriptOptions::default(),
        &base::Budget::unlimited(),
    );
}
