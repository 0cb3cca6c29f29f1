//! How long `craig check` takes on a program with nothing to do: the time from start to exit, 50 times.
//!
//! `cargo bench -p craig --bench startup`. The aim is a median below 10 ms.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const N_RUNS: usize = 50;

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn main() {
    let folder = std::env::temp_dir();
    let programs = [
        ("boogie", "craig_startup.bpl", "procedure main() { assert true; }\n"),
        ("c", "craig_startup.c", "int main(void) { return 0; }\n"),
    ];
    for (language, name, text) in programs {
        let path = folder.join(name);
        std::fs::write(&path, text).expect("the temporary folder can be written");
        let run = || {
            let began = Instant::now();
            let mut command = Command::new(env!("CARGO_BIN_EXE_craig"));
            let status = command.arg("check").arg(&path).stdout(Stdio::null()).status().expect("craig starts");
            assert!(status.success(), "{language}");
            began.elapsed()
        };
        run();
        let times: Vec<Duration> = (0..N_RUNS).map(|_| run()).collect();
        let fastest = times.iter().min().copied().unwrap_or_default();
        println!("{language:8} median {:>8.2?}  fastest {fastest:>8.2?}  ({N_RUNS} runs)", median(times));
    }
}
