//! The process that answers one request of the web page (hidden command `web-worker`).
//!
//! It reads one line, the request, from standard input and writes events to standard output, one line each (crate
//! `web`). It reads no files: those of the program are in the request. Standard input stays open until the server wants
//! this process to end.

use crate::limits::{self, LastWords};
use crate::{exit, output};
use base::Budget;
use std::io::{BufRead, Read};
use web::{Event, Limits, Means, Request};

/// The server has cut the request down already; these only keep numbers sane.
const LIMITS: Limits = Limits { source_bytes: 64 << 20, timeout_ms: 24 * 3_600_000, memory_mb: 1 << 20 };

pub(crate) fn run() -> u8 {
    let mut line = Vec::new();
    let read = std::io::stdin().lock().take(128 << 20).read_until(b'\n', &mut line);
    let request = read
        .map_err(|e| e.to_string())
        .and_then(|_| std::str::from_utf8(&line).map_err(|e| e.to_string()))
        .and_then(|text| Request::parse(text, &LIMITS));
    let request = match request {
        Ok(request) => request,
        Err(message) => {
            tell(&Event::refused(&message));
            return exit::BAD_INPUT;
        }
    };
    limits::end_with_parent();
    let (timeout, memory) = (web::time_limit(&request), web::memory_limit(&request));
    let last = request.clone();
    let budget = Budget::with_timeout(timeout).with_memory_limit(memory);
    let _watcher = limits::Watcher::start(&budget, timeout, memory, move |reason| LastWords {
        stdout: web::unanswered(&last, &reason.to_string()).line(),
        stderr: String::new(),
        status: exit::UNKNOWN,
    });
    let means = Means {
        spawn: Some(spawn),
        n_jobs: n_jobs(),
        creation_time: creation_time(),
        version: env!("CARGO_PKG_VERSION"),
    };
    web::answer(&request, &means, &budget, &mut |event| {
        if !matches!(event, Event::Reply { .. }) || limits::claim_answer() {
            tell(&event);
        }
    });
    exit::HOLDS
}

fn tell(event: &Event) {
    output::write(event.line().as_bytes());
}

/// How many engines may run at once; the server says so.
fn n_jobs() -> usize {
    std::env::var("CRAIG_WEB_JOBS").ok().and_then(|n| n.parse().ok()).unwrap_or(1)
}

fn creation_time() -> u64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_secs())
}

fn spawn(work: Box<dyn FnOnce() + Send>) -> bool {
    std::thread::Builder::new().stack_size(crate::STACK_BYTES).spawn(work).is_ok()
}
