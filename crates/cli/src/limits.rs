//! Time and memory limits, signals and internal errors: whatever happens, one RESULT line is printed.
//!
//! Engines poll their [`Budget`]. A watcher thread keeps the memory reading of the budget up to date and, should a
//! loop somewhere not poll in time, prints the result itself shortly after the limit and ends the process. Until there
//! is an answer that result is *unknown*. Once there is one ([`Watcher::answered`]), only words are missing (facts of a
//! proof, values of an execution), and a limit that strikes while they are written leaves them out.

use base::{Budget, Stop};
use ir::Reason;
use std::io::Read;
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Set by whoever prints the RESULT line; it must appear once.
static ANSWERED: AtomicBool = AtomicBool::new(false);

/// Claims the right to print the one RESULT line. Who comes after the watcher waits while it prints and ends the
/// process: returning would end the process before.
pub(crate) fn claim_answer() -> bool {
    if claim() {
        return true;
    }
    std::thread::sleep(TIME_TO_PRINT);
    false
}

fn claim() -> bool {
    !ANSWERED.swap(true, Ordering::SeqCst)
}

/// More than it takes to print a line.
const TIME_TO_PRINT: Duration = Duration::from_secs(2);

/// For several questions in one run: each prints its own RESULT line.
pub(crate) fn next_answer() {
    ANSWERED.store(false, Ordering::SeqCst);
}

/// What is printed when a run is ended from outside.
#[derive(Clone, Debug, Default)]
pub(crate) struct LastWords {
    pub stdout: String,
    pub stderr: String,
    pub status: u8,
}

impl LastWords {
    fn print_and_exit(&self) -> ! {
        end_helper();
        crate::progress::clear();
        eprint!("{}", self.stderr);
        print!("{}", self.stdout);
        std::process::exit(i32::from(self.status));
    }
}

/// From the reason for an end to what is then printed.
type MakeWords = Arc<Mutex<Box<dyn Fn(&Reason) -> LastWords + Send>>>;

/// The words of the run in progress.
static CURRENT: Mutex<Option<MakeWords>> = Mutex::new(None);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// An internal error is reported as such, in one line, not as a backtrace.
pub(crate) fn quiet_panics() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(|l| format!(" at {}:{}", l.file(), l.line())).unwrap_or_default();
        let message = info.payload().downcast_ref::<&str>().map(|s| s.to_string());
        let message = message.or_else(|| info.payload().downcast_ref::<String>().cloned()).unwrap_or_default();
        eprintln!("craig: internal error{place}: {message}");
    }));
}

/// What to do about an internal error.
const REPORT: &str = "please report it with the program";

/// The exit status after a panic; the RESULT line, where one was asked for, is printed here.
pub(crate) fn after_panic() -> u8 {
    let words = lock(&CURRENT).take();
    match words {
        Some(words) if claim() => {
            let words = lock(&words)(&Reason::Internal(REPORT.to_string()));
            words.print_and_exit()
        }
        _ => crate::exit::UNKNOWN,
    }
}

/// Bytes of memory this process occupies.
pub(crate) fn resident_bytes() -> Option<u64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

/// The processor time of this process so far.
pub(crate) fn cpu_time() -> Duration {
    // The kernel counts hundredths of seconds here, whatever its own clock does.
    const TICK: Duration = Duration::from_millis(10);
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit_once(')').map_or("", |p| p.1);
    let ticks = after_name.split_whitespace().skip(11).take(2).map(|f| f.parse::<u32>().unwrap_or(0));
    TICK * ticks.sum::<u32>()
}

/// After Ctrl-C, work that does not stop by itself is ended after this time.
const INTERRUPT_GRACE: Duration = Duration::from_millis(500);
/// How often the watcher looks.
const POLL: Duration = Duration::from_millis(10);
/// How often when the memory is nearly used up.
const POLL_NEAR_LIMIT: Duration = Duration::from_millis(1);

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Watches over a run until dropped.
pub(crate) struct Watcher {
    stop: Arc<AtomicBool>,
    words: MakeWords,
}

impl Watcher {
    /// `last_words` makes the text to print for a given reason, RESULT line included, should the run be ended from
    /// here.
    pub(crate) fn start(
        budget: &Budget,
        timeout: Duration,
        memory: u64,
        last_words: impl Fn(&Reason) -> LastWords + Send + 'static,
    ) -> Watcher {
        let stop = Arc::new(AtomicBool::new(false));
        let words: MakeWords = Arc::new(Mutex::new(Box::new(last_words)));
        *lock(&CURRENT) = Some(words.clone());
        let watcher = Watcher { stop: stop.clone(), words: words.clone() };
        let budget = budget.clone();
        let began = Instant::now();
        // Past the limit by this much, the process is ended from here.
        let hard = timeout.saturating_add(timeout / 40);
        let end = move |limit: Stop| {
            if !stop.load(Ordering::Relaxed) && claim() {
                let words = lock(&words)(&Reason::Stopped(limit));
                words.print_and_exit();
            }
        };
        let stop = watcher.stop.clone();
        std::thread::spawn(move || {
            let mut interrupted: Option<Instant> = None;
            while !stop.load(Ordering::Relaxed) {
                let mut pause = POLL.min(hard.saturating_sub(began.elapsed()));
                if let Some(bytes) = resident_bytes() {
                    budget.set_memory_in_use(bytes);
                    if bytes > memory.saturating_add(memory / 40) {
                        end(Stop::OutOfMemory);
                    }
                    if bytes > memory - memory / 4 {
                        pause = pause.min(POLL_NEAR_LIMIT);
                    }
                }
                if began.elapsed() >= hard {
                    end(Stop::Timeout);
                }
                if INTERRUPTED.load(Ordering::Relaxed)
                    && interrupted.get_or_insert_with(Instant::now).elapsed() >= INTERRUPT_GRACE
                {
                    end(Stop::Cancelled);
                }
                std::thread::sleep(pause);
            }
        });
        watcher
    }

    /// The answer is known: from here on it is what is printed should a limit strike.
    pub(crate) fn answered(&self, words: LastWords) {
        *lock(&self.words) = Box::new(move |_| words.clone());
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        // The RESULT line is printed even after a panic.
        if !std::thread::panicking() {
            *lock(&CURRENT) = None;
        }
    }
}

/// The limits of a question, and who watches over them; `last_words` makes what is printed should one strike.
pub(crate) fn watched(
    timeout: Duration,
    memory: u64,
    last_words: impl Fn(&Reason) -> LastWords + Send + 'static,
) -> (Budget, Watcher) {
    let budget = Budget::with_timeout(timeout).with_memory_limit(memory);
    let watcher = Watcher::start(&budget, timeout, memory, last_words);
    cancel_on_interrupt(&budget);
    (budget, watcher)
}

/// On Ctrl-C, SIGTERM and SIGHUP: cancel the search and print the results so far; a second signal exits immediately.
pub(crate) fn cancel_on_interrupt(budget: &Budget) {
    static CANCELLED: Mutex<Option<Budget>> = Mutex::new(None);
    *lock(&CANCELLED) = Some(budget.clone());
    if INTERRUPTED.load(Ordering::Relaxed) {
        budget.cancel();
    }
    // Only the first call per process can install a handler; it cancels whatever is current.
    let _ = ctrlc::set_handler(move || {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            end_helper();
            std::process::exit(i32::from(crate::exit::UNKNOWN));
        }
        if let Some(budget) = &*lock(&CANCELLED) {
            budget.cancel();
        }
    });
}

/// Ends this process when its parent ends, however that happens. The parent holds the other end of our standard input
/// and never writes to it; the system closes it with the parent's last breath.
pub(crate) fn end_with_parent() {
    std::thread::spawn(|| {
        let mut nothing = [0; 64];
        let mut input = std::io::stdin().lock();
        while input.read(&mut nothing).is_ok_and(|n| n > 0) {}
        end_helper();
        std::process::exit(i32::from(crate::exit::UNKNOWN));
    });
}

/// A program that runs for us and must not outlive us.
static HELPER: Mutex<Option<Child>> = Mutex::new(None);

fn end_helper() {
    if let Some(mut helper) = lock(&HELPER).take() {
        let _ = helper.kill();
        let _ = helper.wait();
    }
}

/// Runs a program to its end; a limit that strikes meanwhile ends it too.
pub(crate) fn run_helper(command: &mut Command) -> std::io::Result<Output> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    *lock(&HELPER) = Some(child);
    let messages = std::thread::spawn(move || read_all(stderr));
    let stdout = read_all(stdout);
    let stderr = messages.join().unwrap_or_default();
    match lock(&HELPER).take() {
        Some(mut child) => Ok(Output { status: child.wait()?, stdout, stderr }),
        None => Err(std::io::Error::other("it was ended")),
    }
}

fn read_all(pipe: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        let _ = pipe.read_to_end(&mut bytes);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHILD: &str = "CRAIG_TEST_OF_A_PANIC";

    /// Wherever a panic happens, the RESULT line says so, and that it should be reported.
    #[test]
    fn a_panic_prints_a_result() {
        if std::env::var_os(CHILD).is_some() {
            quiet_panics();
            let work = || {
                let words = |reason: &Reason| LastWords {
                    stdout: format!("RESULT: unknown({reason})\n"),
                    status: crate::exit::UNKNOWN,
                    ..LastWords::default()
                };
                let (_budget, _watcher) = watched(Duration::from_secs(60), u64::MAX, words);
                panic!("on purpose");
            };
            let status: u8 = std::thread::spawn(work).join().unwrap_or_else(|_| after_panic());
            std::process::exit(i32::from(status));
        }
        let own = std::env::current_exe().expect("the test itself");
        let mut command = Command::new(own);
        command.args(["--exact", "limits::tests::a_panic_prints_a_result", "--nocapture"]).env(CHILD, "1");
        let output = command.output().expect("it runs again");
        let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(stdout.contains("RESULT: unknown(internal error: please report it with the program)"), "{stdout}");
        assert!(stderr.contains("craig: internal error at") && stderr.contains("on purpose"), "{stderr}");
        assert_eq!(output.status.code(), Some(i32::from(crate::exit::UNKNOWN)));
    }
}
