//! Runs the built `craig` for tests of its output.

#![allow(dead_code, reason = "every test file uses its own part")]

use std::path::PathBuf;
use std::process::{Command, Output};

pub(crate) fn craig() -> Command {
    Command::new(env!("CARGO_BIN_EXE_craig"))
}

/// A program in a file of its own, named after the test.
pub(crate) fn file(name: &str, text: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join(name);
    std::fs::write(&path, text).expect("the test folder can be written");
    path
}

/// Is there such a program? Tests that need it are skipped where it is missing, but not where everything must be tested
/// (`CI` is set).
pub(crate) fn is_installed(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok();
    assert!(found || std::env::var_os("CI").is_none(), "{program} is not installed");
    found
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("the output is text")
}

/// What stands after `RESULT: ` on the last line.
pub(crate) fn result(output: &Output) -> String {
    let text = stdout(output);
    let last = text.lines().last().unwrap_or_default();
    last.strip_prefix("RESULT: ").unwrap_or_else(|| panic!("the last line is no RESULT:\n{text}")).to_string()
}
