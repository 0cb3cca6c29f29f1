//! Random programs with threads against all their interleavings: a sample of what `cargo xtask fuzz-threads` does.

#[allow(dead_code)]
#[path = "../../xtask/src/interleavings.rs"]
mod interleavings;

use interleavings::{Options, run};

#[test]
fn verdicts_agree_with_all_interleavings() {
    let keep = std::env::temp_dir().join(format!("craig-threads-{}", std::process::id()));
    let args =
        ["--bin", env!("CARGO_BIN_EXE_craig"), "--from", "100000", "--to", "100120", "--timeout", "5s", "--keep"];
    let mut args: Vec<String> = args.map(str::to_string).to_vec();
    args.push(keep.display().to_string());
    let options = Options::parse(&args).expect("the options are right");
    let counts = run(&options).expect("the programs are run");
    assert_eq!(counts.n_wrong, 0, "the programs are in {}", keep.display());
    assert!(counts.n_answered * 10 >= counts.n_programs * 9, "{counts:?}");
    let _ = std::fs::remove_dir_all(&keep);
}
