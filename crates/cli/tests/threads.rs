//! Random programs with threads against all their interleavings: a sample of what `cargo xtask fuzz-threads` does.

#[allow(dead_code)]
#[path = "../../xtask/src/interleavings.rs"]
mod interleavings;

use interleavings::{Options, run};

fn agrees(property: &str, from: &str, to: &str, answered_percent: u64) {
    let keep = std::env::temp_dir().join(format!("craig-threads-{property}-{}", std::process::id()));
    let args =
        ["--bin", env!("CARGO_BIN_EXE_craig"), "--property", property, "--from", from, "--to", to, "--timeout", "5s"];
    let mut args: Vec<String> = args.map(str::to_string).to_vec();
    args.extend(["--keep".to_string(), keep.display().to_string()]);
    let options = Options::parse(&args).expect("the options are right");
    let counts = run(&options).expect("the programs are run");
    assert_eq!(counts.n_wrong, 0, "the programs are in {}", keep.display());
    assert!(counts.n_answered * 100 >= counts.n_programs * answered_percent, "{counts:?}");
    let _ = std::fs::remove_dir_all(&keep);
}

#[test]
fn verdicts_agree_with_all_interleavings() {
    agrees("unreach-call", "100000", "100120", 90);
}

#[test]
fn deadlocks_agree_with_all_interleavings() {
    agrees("no-deadlock", "200000", "200030", 30);
}
