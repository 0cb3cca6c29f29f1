//! The checker as a program for browsers: a request on standard input, events on standard output.
//!
//! It is built for `wasm32-wasip1` and run once for each request, in a Web Worker. There are no threads, so one engine
//! runs at a time, and nobody watches the memory from outside: the size of the linear memory is looked at whenever an
//! engine reports.

use std::io::{Read, Write};
use web::{Event, Limits, Means, Request};

/// What a tab may use. WebAssembly addresses at most 4 GB.
const LIMITS: Limits = Limits { source_bytes: 4 << 20, timeout_ms: 3_600_000, memory_mb: 3_072 };

fn main() {
    let mut text = String::new();
    let read = std::io::stdin().lock().read_to_string(&mut text);
    let request = match read.map_err(|e| e.to_string()).and_then(|_| Request::parse(&text, &LIMITS)) {
        Ok(request) => request,
        Err(message) => return tell(&Event::refused(&message)),
    };
    let budget = base::Budget::with_timeout(web::time_limit(&request)).with_memory_limit(web::memory_limit(&request));
    let seconds = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let means = Means { spawn: None, n_jobs: 1, creation_time: seconds, version: env!("CARGO_PKG_VERSION") };
    web::answer(&request, &means, &budget, &mut |event| {
        budget.set_memory_in_use(memory_in_use());
        tell(&event);
    });
}

/// The size of the linear memory, which never shrinks.
fn memory_in_use() -> u64 {
    #[cfg(target_arch = "wasm32")]
    {
        (core::arch::wasm32::memory_size(0) as u64) << 16
    }
    #[cfg(not(target_arch = "wasm32"))]
    {
        0
    }
}

fn tell(event: &Event) {
    let mut out = std::io::stdout().lock();
    // If nobody listens, nobody is told that.
    let _ = out.write_all(event.line().as_bytes()).and_then(|()| out.flush());
}
