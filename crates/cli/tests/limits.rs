//! Time and memory limits and Ctrl-C: they are kept, and a RESULT line is printed all the same.
//!
//! The machine that runs the tests may be busy, so each limit has three attempts to be kept within 5 %.

mod common;

use common::{craig, file, result, stdout};
use std::process::{Child, Output, Stdio};
use std::time::{Duration, Instant};

/// Nobody knows whether the loop always ends, and the sum grows without a pattern: no engine comes to an end.
const ENDLESS: &str = "
procedure main() {
  var n, steps: int;
  assume n > 0;
  steps := 0;
  while (n != 1) {
    if (n mod 2 == 0) { n := n div 2; } else { n := 3 * n + 1; }
    steps := steps + 1;
  }
  assert steps != 100000000;
}";

fn start(name: &str, arguments: &[&str]) -> Child {
    start_with(name, ENDLESS, arguments)
}

fn start_with(name: &str, text: &str, arguments: &[&str]) -> Child {
    let path = file(name, text);
    let mut command = craig();
    command.arg("check").args(arguments).arg(path);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("craig starts")
}

/// The highest memory use of a process until it ends, in bytes.
fn peak_memory(child: &mut Child) -> u64 {
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().expect("a child process").is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|l| l.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|l| l.split_whitespace().next()).and_then(|n| n.parse::<u64>().ok());
        peak = peak.max(kilobytes.unwrap_or(0) * 1024);
        std::thread::yield_now();
    }
    peak
}

/// Tries three times; the last failure is the one reported.
fn best_of_three(attempt: impl Fn() -> Result<(), String>) {
    let mut failure = String::new();
    for _ in 0..3 {
        match attempt() {
            Ok(()) => return,
            Err(why) => failure = why,
        }
    }
    panic!("{failure}");
}

fn keeps_time(engine: &str, limit: Duration) {
    best_of_three(|| {
        let began = Instant::now();
        let timeout = format!("{}ms", limit.as_millis());
        let name = format!("endless_{engine}.bpl");
        let output = start(&name, &["--engine", engine, "--timeout", &timeout]).wait_with_output().expect("it ends");
        let wall = began.elapsed();
        assert_eq!(result(&output), "unknown(timeout)", "{engine}");
        assert_eq!(output.status.code(), Some(3));
        let latest = limit + limit / 20;
        if wall > latest { Err(format!("{engine}: {wall:?} is more than {latest:?}")) } else { Ok(()) }
    });
}

#[test]
fn the_time_limit_is_kept() {
    keeps_time("auto", Duration::from_secs(2));
    for engine in ["bmc", "trace-abstraction", "kojak", "impact", "predicate-abstraction"] {
        keeps_time(engine, Duration::from_millis(700));
    }
}

/// Trace abstraction unrolls both loops, with longer and longer traces.
const GREEDY: &str = "
procedure main() {
  var x, y: int;
  x, y := 0, 0;
  while (*) { x := x + 1; y := y + 1; }
  while (x != 0) { x := x - 1; y := y - 1; }
  assert y == 0;
}";

#[test]
fn the_memory_limit_is_kept() {
    const LIMIT: u64 = 24 << 20;
    best_of_three(|| {
        let arguments = ["--engine", "trace-abstraction", "--timeout", "60s", "--memory", "24MB"];
        let mut child = start_with("greedy.bpl", GREEDY, &arguments);
        let peak = peak_memory(&mut child);
        let output: Output = child.wait_with_output().expect("it ends");
        assert_eq!(result(&output), "unknown(out of memory)");
        assert_eq!(output.status.code(), Some(3));
        let most = LIMIT + LIMIT / 20;
        if peak > most { Err(format!("{peak} bytes were in use, {most} are allowed")) } else { Ok(()) }
    });
}

#[cfg(unix)]
fn send(signal: &str, process: u32) {
    let status = std::process::Command::new("kill").args([&format!("-{signal}"), &process.to_string()]).status();
    assert!(status.expect("kill runs").success());
}

#[cfg(unix)]
#[test]
fn an_interrupt_prints_what_is_known() {
    use std::io::Read;
    for (format, signal) in [("text", "INT"), ("json", "TERM"), ("text", "HUP")] {
        let mut child = start("endless_interrupt.bpl", &["--timeout", "60s", "--format", format, "--stats"]);
        // The engines are at work once there is some memory in use; then a little more of that.
        let status = format!("/proc/{}/stat", child.id());
        let ticks = || -> u64 {
            let text = std::fs::read_to_string(&status).unwrap_or_default();
            text.split_whitespace().nth(13).and_then(|n| n.parse().ok()).unwrap_or(0)
        };
        while ticks() < 600 && child.try_wait().expect("a child process").is_none() {
            std::thread::yield_now();
        }
        let began = Instant::now();
        send(signal, child.id());
        let mut text = String::new();
        child.stdout.take().expect("a pipe").read_to_string(&mut text).expect("text");
        let output = child.wait_with_output().expect("it ends");
        let status = output.status;
        assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        let with_result = if format == "json" { &messages } else { &text };
        assert_eq!(with_result.lines().last(), Some("RESULT: unknown(cancelled)"), "{with_result}");
        assert_eq!(status.code(), Some(3));
        assert!(text.contains("no violation on executions with fewer than"), "{text}");
    }
}

#[test]
fn limits_are_reported_in_json_too() {
    let output =
        start("endless_json.bpl", &["--timeout", "200ms", "--format", "json"]).wait_with_output().expect("ends");
    let text = stdout(&output);
    let object: serde_json::Value = serde_json::from_str(&text).expect("valid JSON");
    assert_eq!(object["result"], "unknown(timeout)");
    assert_eq!(object["reason"], "timeout");
}

#[test]
fn every_format_has_a_result_line_when_a_limit_strikes() {
    for format in ["text", "json", "github", "sarif", "junit"] {
        for (extra, name) in [(None, "formats.bpl"), (Some("--all"), "formats_all.bpl")] {
            let mut arguments = vec!["--timeout", "200ms", "--format", format];
            arguments.extend(extra);
            let output = start(&format!("endless_{format}_{name}"), &arguments).wait_with_output().expect("it ends");
            let (out, err) = (stdout(&output), String::from_utf8_lossy(&output.stderr).into_owned());
            let (with, without) = if matches!(format, "json" | "sarif" | "junit") { (err, out) } else { (out, err) };
            assert_eq!(with.lines().last(), Some("RESULT: unknown(timeout)"), "{format}: {with}");
            assert!(!without.contains("RESULT"), "{format}: {without}");
            assert_eq!(output.status.code(), Some(3), "{format}");
        }
    }
}

/// The front end never sees a program that never ends, and nobody polls a budget while it waits for one.
#[cfg(unix)]
#[test]
fn an_endless_input_is_read_within_the_limits() {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    for (name, target) in [("zeros.c", "/dev/zero"), ("zeros.bpl", "/dev/zero")] {
        let link = folder.join(name);
        let _ = std::fs::remove_file(&link);
        std::os::unix::fs::symlink(target, &link).expect("a link");
        for extra in [&[][..], &["--all"][..]] {
            let output =
                craig().args(["check", "--timeout", "60s", "--memory", "60MB"]).args(extra).arg(&link).output();
            let output = output.expect("craig runs");
            assert_eq!(result(&output), "unknown(out of memory)");
        }
    }
    let pipe = folder.join("never.c");
    let _ = std::fs::remove_file(&pipe);
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs");
    assert!(made.success());
    let output = craig().args(["check", "--timeout", "300ms"]).arg(&pipe).output().expect("craig runs");
    assert_eq!(result(&output), "unknown(timeout)");
    let output = craig().args(["validate", "--timeout", "300ms"]).args([&pipe, &pipe]).output().expect("craig runs");
    assert_eq!(result(&output), "unknown(timeout)");
    // A preprocessor that never ends goes with us.
    let program = file("slow_cpp.c", "int main(void) { return 0; }");
    let began = Instant::now();
    let output = craig().args(["check", "--timeout", "300ms", "--cpp", "tail -f"]).arg(&program).output();
    assert_eq!(result(&output.expect("craig runs")), "unknown(timeout)");
    assert!(began.elapsed() < Duration::from_secs(20), "the preprocessor kept the pipe open");
}

/// Runs `craig smt` on an input that somebody keeps writing to; the answers and the exit status.
fn smt(arguments: &[&str], input: impl FnOnce(&mut dyn std::io::Write) + Send + 'static) -> (String, Option<i32>) {
    let mut child =
        craig().arg("smt").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("craig starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    std::thread::spawn(move || input(&mut stdin));
    let output = child.wait_with_output().expect("it ends");
    (stdout(&output), output.status.code())
}

fn for_ever(text: &'static str) -> impl FnOnce(&mut dyn std::io::Write) + Send {
    move |pipe| while pipe.write_all(text.as_bytes()).is_ok() {}
}

#[test]
fn scripts_keep_the_limits() {
    // It has solutions modulo every number (x = 1 is one), so no residues refute it.
    let to_the_1000 = |name: &str| format!("(* {})", format!("{name} ").repeat(1000));
    let [x, y, z] = ["x", "y", "z"].map(to_the_1000);
    let power = format!(
        "(declare-const x Int)(declare-const y Int)(declare-const z Int)(assert (> x 1))(assert (> y x))\
         (assert (= (+ {x} {y}) (+ {z} 1)))(check-sat)(echo \"on\")"
    );
    best_of_three(|| {
        let (power, began) = (power.clone(), Instant::now());
        let (answers, status) = smt(&["--timeout", "1s"], move |pipe| drop(pipe.write_all(power.as_bytes())));
        // A check that is late ends the session, and nothing is echoed.
        let wall = began.elapsed();
        assert!(answers.starts_with("unknown\n"), "{answers}");
        let is_good = answers == "unknown\n\"on\"\n" && status == Some(0) && wall < Duration::from_millis(1150);
        if is_good { Ok(()) } else { Err(format!("{wall:?}: {answers}")) }
    });
    // Nonsense, and a command without end.
    for (arguments, text) in [(&[][..], "y\n"), (&["--timeout", "500ms"], "\0"), (&["--timeout", "500ms"], "(a ")] {
        let (answers, status) = smt(arguments, for_ever(text));
        assert!(answers.trim_end().ends_with("\")") && answers.contains("(error "), "{answers}");
        assert_eq!(status, Some(2), "{answers}");
    }
    let (answers, status) = smt(&["--memory", "60MB"], for_ever("(a "));
    assert!(answers.contains("memory limit"), "{answers}");
    assert_eq!(status, Some(2));
    // Who waits for us to type takes no time.
    let (answers, status) = smt(&["--timeout", "100ms"], |pipe| {
        let _ = pipe.write_all(b"(check-sat)(check-");
        let _ = pipe.flush();
        std::thread::sleep(Duration::from_millis(400));
        let _ = pipe.write_all(b"sat)");
    });
    assert_eq!((answers.as_str(), status), ("sat\nsat\n", Some(0)));
}

#[cfg(unix)]
#[test]
fn a_script_by_name_does_not_keep_us_waiting() {
    let pipe = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("never.smt2");
    let _ = std::fs::remove_file(&pipe);
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
    let output = craig().args(["smt", "--timeout", "300ms"]).arg(&pipe).output().expect("craig runs");
    assert!(stdout(&output).contains("time limit"), "{}", stdout(&output));
    assert_eq!(output.status.code(), Some(2));
}

/// The text of the invariant has about 2^30 copies of `x`.
#[test]
fn an_invariant_that_cannot_be_written_down_is_left_out() {
    let text = "extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), res = 0;
  while (x > 1) { x = x / 2; res++; }
  return res;
}";
    let program = file("halving.c", text);
    for engine in ["auto", "trace-abstraction", "impact", "kojak"] {
        let (page, witness) = (program.with_extension("html"), program.with_extension("yml"));
        let output = craig()
            .args([
                "check",
                "-p",
                "no-overflow",
                "--timeout",
                "30s",
                "--memory",
                "500MB",
                "--jobs",
                "1",
                "--engine",
                engine,
            ])
            .arg("--report")
            .arg(&page)
            .arg("--witness")
            .arg(&witness)
            .arg(&program)
            .output()
            .expect("craig runs");
        assert_eq!(result(&output), "true", "{engine}");
        assert!(stdout(&output).len() < 200_000, "{engine}");
        for file in [&page, &witness] {
            assert!(std::fs::metadata(file).expect("a file").len() < 2_000_000, "{engine}");
        }
    }
}

/// The processes that were started by one.
#[cfg(target_os = "linux")]
fn children_of(parent: u32) -> Vec<u32> {
    let mut children = Vec::new();
    for entry in std::fs::read_dir("/proc").expect("a process table").flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|n| n.parse::<u32>().ok()) else { continue };
        let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        // The name, in parentheses, may contain anything.
        let after_name = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
        if after_name.split_whitespace().nth(1).and_then(|n| n.parse().ok()) == Some(parent) {
            children.push(id);
        }
    }
    children
}

#[cfg(target_os = "linux")]
#[test]
fn workers_end_with_their_parent() {
    for signal in ["TERM", "HUP", "INT", "KILL"] {
        let programs = ["workers_a.bpl", "workers_b.bpl"].map(|name| file(&format!("{signal}_{name}"), ENDLESS));
        let mut parent = craig()
            .args(["check", "--no-cache", "--jobs", "2", "--timeout", "60s"])
            .args(&programs)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("craig starts");
        let mut workers = children_of(parent.id());
        while workers.len() < 2 && parent.try_wait().expect("a child process").is_none() {
            workers = children_of(parent.id());
        }
        assert_eq!(workers.len(), 2);
        send(signal, parent.id());
        let output = parent.wait_with_output().expect("it ends");
        if signal != "KILL" {
            assert_eq!(result(&output), "unknown(cancelled)", "{signal}");
            assert_eq!(output.status.code(), Some(3), "{signal}");
        }
        let began = Instant::now();
        let is_alive = |id: &u32| {
            let name = std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&name).contains("workers_")
        };
        while workers.iter().any(is_alive) {
            assert!(began.elapsed() < Duration::from_secs(10), "{signal}: the workers are still there");
            std::thread::yield_now();
        }
    }
}

/// Runs a command on a pseudo-terminal of 40 columns, presses Ctrl-C when the table shows that one of three is done,
/// and prints what the terminal got and the exit status.
const TERMINAL: &str = r#"
import fcntl, os, pty, struct, sys, termios, time
child, terminal = pty.fork()
if child == 0:
    os.execv(sys.argv[1], sys.argv[1:])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 10, 40, 0, 0))
seen, pressed, began = b"", False, time.time()
while time.time() - began < 20:
    try:
        data = os.read(terminal, 65536)
    except OSError:
        break
    if not data:
        break
    seen += data
    if not pressed and b" 1/3 " in seen:
        os.write(terminal, b"\x03")
        pressed = True
status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
sys.stdout.buffer.write(seen + b"\nstatus %d" % status)
"#;

#[test]
fn the_table_of_many_files_on_a_terminal() {
    if !common::is_installed("python3") {
        return;
    }
    let hard = file("table_hard.bpl", ENDLESS);
    let easy = file("table_easy.bpl", "procedure main() { assert true; }\n");
    let mut python = std::process::Command::new("python3");
    python.arg("-c").arg(TERMINAL).arg(env!("CARGO_BIN_EXE_craig"));
    python.args(["check", "--no-cache", "--timeout", "15s", "--jobs", "2"]).args([&easy, &hard, &hard]);
    let output = python.output().expect("python3 runs");
    let seen = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(seen.contains(" s ░") && seen.contains("table_hard.bpl"), "{seen:?}");
    // Lines are cut off, not wrapped, and the table goes away again.
    assert!(seen.matches("\x1b[?7l").count() == seen.matches("\x1b[?7h").count(), "{seen:?}");
    assert!(
        seen.contains("2 files, 3 answers: 1 hold, 0 violated, 2 unknown, 0 not readable; 2 cancelled"),
        "{seen:?}"
    );
    assert!(seen.ends_with("status 3"), "{seen:?}");
}

/// `script` gives a program a terminal; where there is no such command nothing is tried.
#[cfg(unix)]
#[test]
fn progress_is_shown_on_a_terminal_only() {
    let path = file("progress.bpl", ENDLESS);
    let run = |ci: bool| {
        let words = format!("{} check --jobs 1 --timeout 1500ms {}", env!("CARGO_BIN_EXE_craig"), path.display());
        let mut command = std::process::Command::new("script");
        command.args(["-qec", &words, "/dev/null"]).env("TERM", "xterm").env_remove("COLUMNS").env_remove("CI");
        if ci {
            command.env("CI", "true");
        }
        command.stdin(std::process::Stdio::null()).output().ok().filter(|o| !o.stdout.is_empty())
    };
    let (Some(shown), Some(silent)) = (run(false), run(true)) else { return };
    let (shown, silent) = (stdout(&shown), stdout(&silent));
    assert!(shown.contains("0 s of 1 s · default encoding · 0 of 1 checks proved · "), "{shown}");
    // The line is removed before the answer is written.
    assert!(shown.contains("\r\u{1b}[K"), "{shown}");
    let last = shown.rsplit("\r\u{1b}[K").next().unwrap_or_default();
    assert!(last.contains("no answer: timeout") && last.trim_end().ends_with("RESULT: unknown(timeout)"), "{shown}");
    assert!(!silent.contains("s of"), "{silent}");
    // Nor without a terminal.
    let output = start("progress_pipe.bpl", &["--timeout", "800ms"]).wait_with_output().expect("it ends");
    assert!(!String::from_utf8_lossy(&output.stderr).contains("s of"));
}
