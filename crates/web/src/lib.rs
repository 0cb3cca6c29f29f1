//! What the web page asks, and what it is answered.
//!
//! ```text
//! one line of JSON: a Request ─► answer ─► lines of JSON: Events, the last one is the Reply
//! ```
//!
//! This is the whole interface between the page (folder `web/`) and the checker. There are two that speak it: a process
//! that `craig serve` starts for each request, and the program of `main.rs`, which a Web Worker of a browser runs as
//! WebAssembly.
//!
//! A request holds everything that is read. The host that the driver is given ([`host::Sealed`]) knows one file, the
//! text of the request, and of headers only craig's own can be included. A request may set the listed options and
//! nothing else.
//!
//! Modules: [`request`] reads and limits what is asked; [`check`] answers questions about programs, [`solver`] those
//! about formulas; [`registry`] says what there is to choose from, [`examples`] included.

pub mod check;
pub mod examples;
pub mod host;
pub mod registry;
pub mod request;
pub mod solver;

use base::Budget;
use host::Spawn;
pub use request::{Limits, Request};
use serde::Serialize;
use serde_json::Value;
use std::time::Duration;

/// What happens while a request is answered.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// Other requests are answered first; how many.
    Queued {
        ahead: usize,
    },
    Stage {
        stage: &'static str,
    },
    /// An engine begins a new round.
    Progress {
        engine: String,
        round: u64,
        detail: String,
    },
    /// How many checks of the program are settled by now.
    Checks {
        proved: usize,
        violated: usize,
        open: usize,
    },
    /// An engine has ended.
    Ended {
        engine: String,
    },
    /// The last event.
    Reply {
        reply: Value,
    },
}

impl Event {
    /// One line of JSON, with its end.
    pub fn line(&self) -> String {
        let mut line =
            serde_json::to_string(self).unwrap_or_else(|e| format!("{{\"event\":\"error\",\"message\":\"{e}\"}}"));
        line.push('\n');
        line
    }
    /// The last event for a request that is not answered.
    pub fn refused(message: &str) -> Event {
        Event::Reply { reply: serde_json::json!({ "kind": "refused", "message": message }) }
    }
}

/// What the answer to a request may use besides its budget.
#[derive(Clone, Copy)]
pub struct Means {
    /// Starts a thread; where there are none, one engine runs at a time.
    pub spawn: Option<Spawn>,
    pub n_jobs: usize,
    /// Seconds since 1970, for witnesses.
    pub creation_time: u64,
    pub version: &'static str,
}

/// Answers a request. `tell` is told the events, of which the reply is the last.
pub fn answer(request: &Request, means: &Means, budget: &Budget, tell: &mut dyn FnMut(Event)) {
    let reply = match request {
        Request::Registry => registry::reply(means.version),
        Request::Check(asked) => check::reply(asked, means, budget, tell),
        Request::Solve(asked) => solver::solve(asked, budget),
        Request::Interpolate(asked) => solver::interpolate(asked, budget),
    };
    tell(Event::Reply { reply });
}

/// The reply to a request that a limit ended, or that broke the checker.
pub fn unanswered(request: &Request, reason: &str) -> Event {
    let reply = match request {
        Request::Check(asked) => check::unknown_reply(asked, reason),
        Request::Solve(_) | Request::Interpolate(_) | Request::Registry => {
            serde_json::json!({ "kind": "failed", "message": reason })
        }
    };
    Event::Reply { reply }
}

/// The time limit of a request.
pub fn time_limit(request: &Request) -> Duration {
    Duration::from_millis(match request {
        Request::Registry => 10_000,
        Request::Check(asked) => asked.timeout_ms,
        Request::Solve(asked) => asked.timeout_ms,
        Request::Interpolate(asked) => asked.timeout_ms,
    })
}

/// The memory limit of a request, in bytes.
pub fn memory_limit(request: &Request) -> u64 {
    match request {
        Request::Check(asked) => asked.memory_mb.saturating_mul(1 << 20),
        Request::Registry | Request::Solve(_) | Request::Interpolate(_) => 1 << 30,
    }
}
