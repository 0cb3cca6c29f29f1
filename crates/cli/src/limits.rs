//! Time and memory limits, Ctrl-C and internal errors: whatever happens, one RESULT line is printed.
//!
//! Engines poll their [`Budget`]. A watcher thread keeps the memory reading of the budget up to date and, should a
//! loop somewhere not poll in time, prints the result itself shortly after the limit and ends the process.

use base::Budget;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Set by whoever prints the RESULT line; it must appear once.
static ANSWERED: AtomicBool = AtomicBool::new(false);

/// Claims the right to print the one RESULT line.
pub fn claim_answer() -> bool {
    !ANSWERED.swap(true, Ordering::SeqCst)
}

/// For several files in one run: each prints its own RESULT line.
pub fn next_answer() {
    ANSWERED.store(false, Ordering::SeqCst);
}

/// An internal error is reported as such, in one line, not as a backtrace.
pub fn quiet_panics() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(|l| format!(" at {}:{}", l.file(), l.line())).unwrap_or_default();
        let message = info.payload().downcast_ref::<&str>().map(|s| s.to_string());
        let message = message.or_else(|| info.payload().downcast_ref::<String>().cloned()).unwrap_or_default();
        eprintln!("craig: internal error{place}: {message}");
    }));
}

/// Bytes of memory this process occupies.
fn resident_bytes() -> Option<u64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

/// Watches over a run until dropped.
pub struct Watcher {
    stop: std::sync::Arc<AtomicBool>,
}

impl Watcher {
    pub fn start(budget: &Budget, timeout: Duration, memory: u64) -> Watcher {
        let stop = std::sync::Arc::new(AtomicBool::new(false));
        let (flag, budget) = (stop.clone(), budget.clone());
        let began = Instant::now();
        // Past the limit by this much, the process is ended from here.
        let hard = timeout + (timeout / 40).max(Duration::from_millis(30));
        std::thread::spawn(move || {
            while !flag.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(10));
                if let Some(bytes) = resident_bytes() {
                    budget.set_memory_in_use(bytes);
                    if bytes > memory + memory / 25 {
                        end(&flag, "out of memory");
                    }
                }
                if began.elapsed() >= hard {
                    end(&flag, "timeout");
                }
            }
        });
        Watcher { stop }
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

fn end(stopped: &AtomicBool, reason: &str) {
    if !stopped.load(Ordering::Relaxed) && claim_answer() {
        println!("RESULT: unknown({reason})");
        std::process::exit(i32::from(crate::exit::UNKNOWN));
    }
}

/// On Ctrl-C: cancel the work, so that what is known is printed; a second one ends at once.
pub fn cancel_on_interrupt(budget: &Budget) {
    let budget = budget.clone();
    let mut interrupted = false;
    // Only the first call per process can install a handler; later ones keep it.
    let _ = ctrlc::set_handler(move || {
        if std::mem::replace(&mut interrupted, true) {
            std::process::exit(i32::from(crate::exit::UNKNOWN));
        }
        budget.cancel();
    });
}
