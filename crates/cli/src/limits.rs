//! Time and memory limits, Ctrl-C and internal errors: whatever happens, one RESULT line is printed.
//!
//! Engines poll their [`Budget`]. A watcher thread keeps the memory reading of the budget up to date and, should a
//! loop somewhere not poll in time, prints the result itself shortly after the limit and ends the process.

use base::Budget;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Set by whoever prints the RESULT line; it must appear once.
static ANSWERED: AtomicBool = AtomicBool::new(false);

/// Claims the right to print the one RESULT line. Who comes after the watcher waits while it prints and ends the process:
/// returning would end the process before.
pub fn claim_answer() -> bool {
    if claim() {
        return true;
    }
    std::thread::sleep(LAST_WORDS);
    false
}

fn claim() -> bool {
    !ANSWERED.swap(true, Ordering::SeqCst)
}

/// More than it takes to print a line.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// For several questions in one run: each prints its own RESULT line.
pub fn next_answer() {
    ANSWERED.store(false, Ordering::SeqCst);
}

/// The exit status when whoever reads the output has gone away, as a shell shows it for other programs.
const OUTPUT_CLOSED: i32 = 128 + 13;

/// An internal error is reported as such, in one line, not as a backtrace. That nobody reads the output any more is none.
pub fn quiet_panics() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(|l| format!(" at {}:{}", l.file(), l.line())).unwrap_or_default();
        let message = info.payload().downcast_ref::<&str>().map(|s| s.to_string());
        let message = message.or_else(|| info.payload().downcast_ref::<String>().cloned()).unwrap_or_default();
        if message.starts_with("failed printing to") {
            std::process::exit(OUTPUT_CLOSED);
        }
        eprintln!("craig: internal error{place}: {message}");
    }));
}

/// Bytes of memory this process occupies.
fn resident_bytes() -> Option<u64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

/// After Ctrl-C, work that does not stop by itself is ended after this time.
const INTERRUPT_GRACE: Duration = Duration::from_millis(500);
/// How often the watcher looks.
const POLL: Duration = Duration::from_millis(10);
/// How often when the memory is nearly used up.
const POLL_NEAR_LIMIT: Duration = Duration::from_millis(1);

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Watches over a run until dropped.
pub struct Watcher {
    stop: std::sync::Arc<AtomicBool>,
}

impl Watcher {
    /// `last_words` makes the text to print for a given reason, RESULT line included, should the run be ended from here.
    pub fn start(
        budget: &Budget,
        timeout: Duration,
        memory: u64,
        last_words: impl Fn(&str) -> String + Send + 'static,
    ) -> Watcher {
        let stop = std::sync::Arc::new(AtomicBool::new(false));
        let (flag, budget) = (stop.clone(), budget.clone());
        let began = Instant::now();
        // Past the limit by this much, the process is ended from here.
        let hard = timeout.saturating_add(timeout / 40);
        let end = move |flag: &AtomicBool, reason: &str| {
            if !flag.load(Ordering::Relaxed) && claim() {
                print!("{}", last_words(reason));
                let _ = std::io::Write::flush(&mut std::io::stdout());
                std::process::exit(i32::from(crate::exit::UNKNOWN));
            }
        };
        std::thread::spawn(move || {
            let mut interrupted: Option<Instant> = None;
            while !flag.load(Ordering::Relaxed) {
                let mut pause = POLL.min(hard.saturating_sub(began.elapsed()));
                if let Some(bytes) = resident_bytes() {
                    budget.set_memory_in_use(bytes);
                    if bytes > memory.saturating_add(memory / 40) {
                        end(&flag, "out of memory");
                    }
                    if bytes > memory - memory / 4 {
                        pause = pause.min(POLL_NEAR_LIMIT);
                    }
                }
                if began.elapsed() >= hard {
                    end(&flag, "timeout");
                }
                if INTERRUPTED.load(Ordering::Relaxed)
                    && interrupted.get_or_insert_with(Instant::now).elapsed() >= INTERRUPT_GRACE
                {
                    end(&flag, "cancelled");
                }
                std::thread::sleep(pause);
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

/// On Ctrl-C: cancel the work, so that what is known is printed; a second one ends at once.
pub fn cancel_on_interrupt(budget: &Budget) {
    static CURRENT: Mutex<Option<Budget>> = Mutex::new(None);
    let lock = || CURRENT.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    *lock() = Some(budget.clone());
    if INTERRUPTED.load(Ordering::Relaxed) {
        budget.cancel();
    }
    // Only the first call per process can install a handler; it cancels whatever is current.
    let _ = ctrlc::set_handler(move || {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(crate::exit::UNKNOWN));
        }
        if let Some(budget) = &*lock() {
            budget.cancel();
        }
    });
}
