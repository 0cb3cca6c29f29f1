//! The operating system as the driver's host, and its terminal as the driver's observer.

use crate::limits;
use driver::{CheckAnswer, Host, Observer, ReadOptions};
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The files, clock and threads of this process.
pub(crate) struct System {
    began: Instant,
}

impl System {
    #[expect(clippy::new_ret_no_self, reason = "hosts are shared")]
    pub(crate) fn new() -> Arc<dyn Host> {
        Arc::new(System { began: Instant::now() })
    }
}

impl Host for System {
    fn read_file(&self, path: &Path) -> Result<Vec<u8>, String> {
        std::fs::read(path).map_err(|e| e.to_string())
    }

    fn preprocess(&self, path: &Path, command: &str, options: &ReadOptions) -> Result<String, String> {
        let mut words = shlex::split(command).ok_or("a quote is never closed")?.into_iter();
        let program = words.next().ok_or("there is no command; write e.g. --cpp 'gcc -E'")?;
        let mut process = std::process::Command::new(&program);
        process.args(words);
        for folder in &options.include_dirs {
            process.arg("-I").arg(folder);
        }
        for define in &options.defines {
            process.arg(format!("-D{define}"));
        }
        let output = limits::run_helper(process.arg(path))
            .map_err(|e| format!("{e}; is {program} installed? Without --cpp craig preprocesses by itself"))?;
        if !output.status.success() {
            let message = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{}\n{}", output.status, message.trim_end()));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn now(&self) -> Duration {
        self.began.elapsed()
    }

    fn spawn(&self, work: Box<dyn FnOnce() + Send>) -> bool {
        std::thread::Builder::new().stack_size(crate::STACK_BYTES).spawn(work).is_ok()
    }
}

/// Shows progress on a terminal.
pub(crate) struct Progress {
    visible: bool,
    shown: bool,
    last: Option<Instant>,
    /// What is known of the checks, for whoever must end the run.
    table: Table,
}

/// What is known of the checks of a program.
pub(crate) type Table = Arc<Mutex<Vec<CheckAnswer>>>;

impl Progress {
    pub(crate) fn new(wanted: bool, table: Table) -> Progress {
        Progress { visible: wanted && std::io::stderr().is_terminal(), shown: false, last: None, table }
    }
}

impl Observer for Progress {
    fn progress(&mut self, engine: &str, round: u64, detail: &str) {
        if self.visible && self.last.is_none_or(|l| l.elapsed() > Duration::from_millis(100)) {
            eprint!("\r\x1b[K{engine}: round {round}, {detail}");
            let _ = std::io::stderr().flush();
            self.shown = true;
            self.last = Some(Instant::now());
        }
    }
    fn checks(&mut self, table: &[CheckAnswer]) {
        *self.table.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = table.to_vec();
    }
    fn ended(&mut self, _engine: &str) {
        if std::mem::take(&mut self.shown) {
            eprint!("\r\x1b[K");
            let _ = std::io::stderr().flush();
        }
    }
}

/// Writes a file as a whole: renaming is atomic, so that nobody ever reads half of it, on this host or another.
pub(crate) fn write_by_rename(path: &Path, text: &str) -> std::io::Result<()> {
    let draft = path.with_extension(format!("{}-{}.tmp", name(), std::process::id()));
    let write = || -> std::io::Result<()> {
        let mut file = std::fs::File::create(&draft)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        std::fs::rename(&draft, path)
    };
    write().inspect_err(|_| drop(std::fs::remove_file(&draft)))
}

/// The machine's name, as a part of file names.
pub(crate) fn name() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    // Several slurmd on one machine are several nodes.
    let name = std::env::var("SLURMD_NODENAME").unwrap_or_else(|_| name.trim().to_string());
    let name: String = name.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    if name.is_empty() { "host".to_string() } else { name }
}
