//! Slurm, driven by its commands: `sbatch`, `squeue`, `scancel`, `scontrol`. Nothing of it is linked.

use std::io::Write;
use std::process::{Command, Stdio};

/// Submits a job script; the job's number.
pub(crate) fn sbatch(script: &str, options: &[String]) -> Result<String, String> {
    let mut command = Command::new("sbatch");
    command.arg("--parsable").args(options).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|e| not_there("sbatch", &e))?;
    if let Some(mut input) = child.stdin.take() {
        // An early end shows in the exit status.
        let _ = input.write_all(script.as_bytes());
    }
    let output = child.wait_with_output().map_err(|e| format!("sbatch: {e}"))?;
    if !output.status.success() {
        return Err(format!("sbatch refused the job: {}", String::from_utf8_lossy(&output.stderr).trim()));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.trim().split(';').next().unwrap_or_default().to_string())
}

/// The output of one of Slurm's commands.
pub(crate) fn run(program: &str, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new(program).args(arguments).output().map_err(|e| not_there(program, &e))?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{program}: {}", message.lines().next().unwrap_or("failed")));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn not_there(program: &str, e: &std::io::Error) -> String {
    format!("{program} cannot be started ({e}); run this where Slurm's commands are, or use --on local")
}
