//! Room for deep recursion.

/// Enough for recursive descent over generated programs; it is reserved, not used.
pub const DEEP_STACK_BYTES: usize = 256 << 20;

/// Runs recursive work on a deep stack: in a thread of its own, or, where there are no threads, right here (ordinary
/// input fits on any stack).
pub fn with_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let mut work = Some(work);
    let done = std::thread::scope(|scope| {
        let task = || work.take().map(|work| work());
        let thread = std::thread::Builder::new().stack_size(DEEP_STACK_BYTES).spawn_scoped(scope, task).ok()?;
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });
    match (done, work) {
        (Some(out), _) => out,
        (None, Some(work)) => work(),
        (None, None) => unreachable!("the work was taken by the thread, which returned its result"),
    }
}
