//! Tests that `craig check --harness` writes, compiled and run by gcc.

use std::path::Path;
use std::process::{Command, Stdio};

/// Can gcc make programs for a machine (`-m32`, `-m64`)? Without gcc there is nothing to test; where everything must be
/// tested (`CI` is set) that is a failure.
pub(crate) fn makes(machine: &str) -> bool {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let source = folder.join(format!("probe{machine}_{}.c", std::process::id()));
    std::fs::write(&source, "int main(void) { return 0; }\n").expect("the test folder can be written");
    let out = source.with_extension("out");
    let status = Command::new("gcc").arg(machine).arg(&source).arg("-o").arg(&out).stderr(Stdio::null()).status();
    for file in [&source, &out] {
        let _ = std::fs::remove_file(file);
    }
    let is_there = status.is_ok_and(|s| s.success());
    assert!(is_there || machine == "-m32" || std::env::var_os("CI").is_none(), "gcc is not installed");
    is_there
}

/// Compiles a test as its head says and runs it: does it fail, as it should?
pub(crate) fn fails(test: &Path, program: &Path) -> Result<bool, String> {
    let text = std::fs::read_to_string(test).map_err(|e| e.to_string())?;
    let command = text.lines().find_map(|l| l.trim().strip_prefix("gcc ")).ok_or("no command in the head")?;
    let out = test.with_extension("out");
    let words = command.split_whitespace().take_while(|w| *w != "THIS_FILE");
    // A test that forces a schedule has the program in itself.
    let program = command.contains("muldefs").then_some(program);
    let output = Command::new("gcc")
        .args(words)
        .arg(test)
        .args(program)
        .args(["-lm", "-lpthread", "-o"])
        .arg(&out)
        .output()
        .map_err(|e| e.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let run = Command::new(&out)
        .env("ASAN_OPTIONS", "detect_leaks=1:detect_stack_use_after_return=1")
        .output()
        .map_err(|e| e.to_string())?;
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    if said.contains("LeakSanitizer has encountered a fatal error") {
        return Err("leaks cannot be looked for here".to_string());
    }
    // The program's own status may be anything: an abort or a report of a sanitizer counts.
    Ok(run.status.code().is_none() || said.contains("Sanitizer") || said.contains("runtime error"))
}
