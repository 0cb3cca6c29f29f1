//! A host with one file: the text of a request.

use driver::{Host, ReadOptions};
use std::path::Path;
use std::time::{Duration, Instant};

/// Starts a thread with a deep stack; `false`: that is not possible.
pub type Spawn = fn(Box<dyn FnOnce() + Send>) -> bool;

/// Knows one file and no other.
pub struct Sealed {
    name: String,
    text: String,
    spawn: Option<Spawn>,
    began: Instant,
}

impl Sealed {
    pub fn new(name: &str, text: &str, spawn: Option<Spawn>) -> Sealed {
        Sealed { name: name.to_string(), text: text.to_string(), spawn, began: Instant::now() }
    }
}

impl Host for Sealed {
    fn read_file(&self, path: &Path) -> Result<Vec<u8>, String> {
        match path == Path::new(&self.name) {
            true => Ok(self.text.clone().into_bytes()),
            false => Err("there are no files here".to_string()),
        }
    }

    fn preprocess(&self, _path: &Path, _command: &str, _options: &ReadOptions) -> Result<String, String> {
        Err("no commands are run here".to_string())
    }

    fn now(&self) -> Duration {
        self.began.elapsed()
    }

    fn spawn(&self, work: Box<dyn FnOnce() + Send>) -> bool {
        self.spawn.is_some_and(|spawn| spawn(work))
    }
}
