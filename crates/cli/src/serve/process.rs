//! One process for each request, in a sandbox if the server is public.
//!
//! The sandbox is bubblewrap: no network, no files but the checker and the libraries that it is linked with, processes
//! of its own, and it ends with the server.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};

/// How processes are started.
#[derive(Clone, Debug)]
pub(crate) struct Starter {
    program: PathBuf,
    arguments: Vec<String>,
    n_jobs: usize,
}

/// Longer lines are not passed on.
const MAX_LINE: u64 = 64 << 20;

/// A process that works on a request. It is killed when this is dropped.
pub(crate) struct Process {
    child: Child,
    /// The process ends when this is closed.
    _stdin: Option<ChildStdin>,
    /// The lines of its output; closed when it ends.
    pub(crate) lines: Receiver<String>,
    /// The first line of what it says on standard error.
    pub(crate) complaint: Receiver<String>,
}

impl Starter {
    /// Processes of this program.
    pub(crate) fn plain(n_jobs: usize) -> std::io::Result<Starter> {
        Ok(Starter { program: std::env::current_exe()?, arguments: vec!["web-worker".to_string()], n_jobs })
    }

    /// Processes of this program in a sandbox.
    pub(crate) fn sandboxed(bubblewrap: &Path) -> std::io::Result<Starter> {
        let program = std::env::current_exe()?;
        let mut arguments: Vec<String> =
            ["--unshare-all", "--die-with-parent", "--new-session", "--clearenv", "--cap-drop", "ALL"]
                .map(String::from)
                .to_vec();
        let mut readable = vec![(program.clone(), "/craig".to_string())];
        for library in libraries() {
            let inside = library.display().to_string();
            readable.push((library, inside));
        }
        for (outside, inside) in readable {
            arguments.extend(["--ro-bind".to_string(), outside.display().to_string(), inside]);
        }
        arguments.extend(["--proc", "/proc", "--chdir", "/", "--", "/craig", "web-worker"].map(String::from));
        Ok(Starter { program: bubblewrap.to_path_buf(), arguments, n_jobs: 1 })
    }

    /// Starts a process for a request, which is one line.
    pub(crate) fn start(&self, request: &str) -> std::io::Result<Process> {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).env_clear().env("CRAIG_WEB_JOBS", self.n_jobs.to_string());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let (to_lines, lines) = mpsc::sync_channel(16);
        let (to_complaint, complaint) = mpsc::sync_channel(1);
        if let Some(stdout) = child.stdout.take() {
            std::thread::spawn(move || {
                let mut stdout = BufReader::new(stdout);
                loop {
                    let mut line = Vec::new();
                    match stdout.by_ref().take(MAX_LINE).read_until(b'\n', &mut line) {
                        Ok(n) if n > 0 && line.ends_with(b"\n") => {
                            line.pop();
                            if to_lines.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                                return;
                            }
                        }
                        _ => return,
                    }
                }
            });
        }
        if let Some(stderr) = child.stderr.take() {
            std::thread::spawn(move || {
                let mut stderr = BufReader::new(stderr);
                let mut first = String::new();
                let _ = stderr.by_ref().take(1000).read_line(&mut first);
                let _ = to_complaint.send(first.trim_end().to_string());
                let _ = std::io::copy(&mut stderr, &mut std::io::sink());
            });
        }
        let mut stdin = child.stdin.take();
        if let Some(stdin) = &mut stdin {
            // A process that does not read it will not answer either.
            let _ = stdin.write_all(format!("{request}\n").as_bytes()).and_then(|()| stdin.flush());
        }
        Ok(Process { child, _stdin: stdin, lines, complaint })
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The shared libraries of this process, with the loader.
fn libraries() -> Vec<PathBuf> {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let mut found: Vec<PathBuf> = Vec::new();
    let mut add = |path: PathBuf| {
        if !found.contains(&path) {
            found.push(path);
        }
    };
    for path in maps.lines().filter_map(|l| l.split_whitespace().nth(5)).filter(|p| p.contains(".so")) {
        add(PathBuf::from(path));
        // The name by which the program asks for its loader may be a link to it.
        if path.contains("/ld-") && Path::new("/lib64/ld-linux-x86-64.so.2").exists() {
            add(PathBuf::from("/lib64/ld-linux-x86-64.so.2"));
        }
        let short = path.strip_prefix("/usr").map(PathBuf::from).filter(|p| p.exists());
        short.into_iter().for_each(&mut add);
    }
    found
}

/// The sandbox, if it is installed.
pub(crate) fn find_bubblewrap() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join("bwrap")).find(|file| file.is_file())
}
