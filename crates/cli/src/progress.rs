//! Progress of one check on a terminal: one line on standard error that is written over again and again.
//!
//! ```text
//! 12 s of 60 s · no wrap-around · 14 of 20 checks proved · trace-abstraction 31 · impact 207
//! ```
//!
//! It is shown only if standard error is a terminal and not that of a CI service. A thread of its own writes it, so
//! that the time advances while an engine is silent.

use driver::{CheckAnswer, Observer, Situation, Status};
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// What is known by now, for whoever must end the run.
pub(crate) type Known = Arc<Mutex<Situation>>;

/// Shorter runs show nothing.
const SILENT: Duration = Duration::from_millis(300);
const PAUSE: Duration = Duration::from_millis(200);
/// Where the terminal does not say how wide it is.
const COLUMNS: usize = 80;

/// Is a line on the terminal that has to be removed before anything else is written?
static IS_SHOWN: AtomicBool = AtomicBool::new(false);

/// Removes the line.
pub(crate) fn clear() {
    if IS_SHOWN.swap(false, Ordering::SeqCst) {
        eprint!("\r\x1b[K");
        let _ = std::io::stderr().flush();
    }
}

/// Observes a check, and shows its progress on a terminal.
pub(crate) struct Progress {
    known: Known,
    /// The engines that run, with their iterations.
    running: Arc<Mutex<Vec<(String, u64)>>>,
    stop: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Progress {
    /// `wanted`: the output is for people.
    pub(crate) fn new(wanted: bool, limit: Duration, known: Known) -> Progress {
        let is_watched = std::io::stderr().is_terminal()
            && std::env::var_os("CI").is_none()
            && std::env::var_os("TERM").is_none_or(|t| t != "dumb");
        let (running, stop) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicBool::new(false)));
        let mut progress = Progress { known, running, stop, thread: None };
        if wanted && is_watched {
            let (known, running, stop) = (progress.known.clone(), progress.running.clone(), progress.stop.clone());
            progress.thread = std::thread::Builder::new().spawn(move || show(limit, &known, &running, &stop)).ok();
        }
        progress
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
        clear();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn show(limit: Duration, known: &Known, running: &Mutex<Vec<(String, u64)>>, stop: &AtomicBool) {
    let began = Instant::now();
    let columns = std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok()).unwrap_or(COLUMNS);
    std::thread::park_timeout(SILENT);
    while !stop.load(Ordering::SeqCst) {
        let text = {
            let known = lock(known);
            let stage = known.timeline.last().map_or("", |run| run.translation);
            line(began.elapsed(), limit, stage, &known.checks, &lock(running))
        };
        let text: String = text.chars().take(columns.saturating_sub(1)).collect();
        IS_SHOWN.store(true, Ordering::SeqCst);
        eprint!("\r\x1b[K{text}");
        let _ = std::io::stderr().flush();
        std::thread::park_timeout(PAUSE);
    }
}

/// The line: time, stage, checks, and the engines side by side.
fn line(elapsed: Duration, limit: Duration, stage: &str, checks: &[CheckAnswer], running: &[(String, u64)]) -> String {
    let mut parts = vec![format!("{} s of {} s", elapsed.as_secs(), limit.as_secs())];
    if !stage.is_empty() {
        parts.push(stage.to_string());
    }
    if !checks.is_empty() {
        let n_proved = checks.iter().filter(|c| c.status == Status::Proved).count();
        parts.push(format!("{n_proved} of {} checks proved", checks.len()));
    }
    parts.extend(running.iter().map(|(engine, round)| format!("{engine} {round}")));
    parts.join(" · ")
}

impl Observer for Progress {
    fn progress(&mut self, engine: &str, round: u64, _detail: &str) {
        if self.thread.is_none() {
            return;
        }
        let mut running = lock(&self.running);
        match running.iter_mut().find(|(name, _)| name == engine) {
            Some((_, last)) => *last = round,
            None => running.push((engine.to_string(), round)),
        }
    }
    fn ended(&mut self, engine: &str) {
        lock(&self.running).retain(|(name, _)| name != engine);
    }
    fn situation(&mut self, now: &Situation) {
        *lock(&self.known) = now.clone();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_stand_side_by_side() {
        let running = [("impact".to_string(), 7), ("taipan".to_string(), 2)];
        let text = line(Duration::from_secs(3), Duration::from_secs(60), "default encoding", &[], &running);
        assert_eq!(text, "3 s of 60 s · default encoding · impact 7 · taipan 2");
    }
}
