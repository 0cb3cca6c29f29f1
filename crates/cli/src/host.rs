//! The operating system as the driver's host.

use crate::limits;
use driver::{Host, ReadOptions};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
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

/// Files whose text is in an editor and perhaps not on the disk.
pub(crate) struct Buffers {
    texts: BTreeMap<PathBuf, Vec<u8>>,
    system: Arc<dyn Host>,
}

impl Buffers {
    pub(crate) fn of(texts: impl IntoIterator<Item = (PathBuf, Vec<u8>)>) -> Arc<dyn Host> {
        let texts = texts.into_iter().map(|(path, text)| (absolute(&path), text)).collect();
        Arc::new(Buffers { texts, system: System::new() })
    }

    /// From `PATH=FILE`: the text of PATH stands in FILE.
    pub(crate) fn from_files(pairs: &[String]) -> Result<Arc<dyn Host>, String> {
        let read = |pair: &String| {
            let (path, file) = pair.rsplit_once('=').ok_or("--buffer takes PATH=FILE")?;
            let text = std::fs::read(file).map_err(|e| format!("cannot read {file}: {e}"))?;
            Ok((PathBuf::from(path), text))
        };
        Ok(Buffers::of(pairs.iter().map(read).collect::<Result<Vec<_>, String>>()?))
    }
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

impl Host for Buffers {
    fn read_file(&self, path: &Path) -> Result<Vec<u8>, String> {
        match self.texts.get(&absolute(path)) {
            Some(text) => Ok(text.clone()),
            None => self.system.read_file(path),
        }
    }

    fn preprocess(&self, path: &Path, command: &str, options: &ReadOptions) -> Result<String, String> {
        self.system.preprocess(path, command, options)
    }

    fn now(&self) -> Duration {
        self.system.now()
    }

    fn spawn(&self, work: Box<dyn FnOnce() + Send>) -> bool {
        self.system.spawn(work)
    }
}

/// Writes a file as a whole: renaming is atomic, so that no reader on this or another host sees half of it.
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
