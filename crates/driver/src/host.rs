//! The environment of the driver: files, a clock, and threads.
//!
//! Nothing else in this crate touches them, so that it also runs where they do not exist or look different: a browser
//! has no files, and a test brings its own. A host without threads refuses [`Host::spawn`] and is given questions with
//! one job.

use crate::settings::ReadOptions;
use std::path::Path;
use std::time::Duration;

/// Files, clock and threads.
pub trait Host: Send + Sync {
    /// The content of a file, or why it cannot be read.
    fn read_file(&self, path: &Path) -> Result<Vec<u8>, String>;
    /// The output of a preprocessor of the user's choice, or why there is none.
    fn preprocess(&self, path: &Path, command: &str, options: &ReadOptions) -> Result<String, String>;
    /// The time since some fixed moment.
    fn now(&self) -> Duration;
    /// Starts concurrent work on a deep stack. `false`: not possible on this host.
    fn spawn(&self, work: Box<dyn FnOnce() + Send>) -> bool;
}
