//! How far a campaign is: a line for each result, and on a terminal one that says when it will be over.

use super::campaign::Campaign;
use super::score::{Outcome, line};
use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Counts results as they come.
pub(super) struct Progress {
    shown: bool,
    n_tasks: usize,
    predicted_seconds: f64,
    began: Instant,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Results that were there already.
    before: usize,
    results: Vec<Outcome>,
}

impl Progress {
    /// For a job without a terminal.
    pub(super) fn silent() -> Progress {
        let state = Mutex::new(State::default());
        Progress { shown: false, n_tasks: 0, predicted_seconds: 0.0, began: Instant::now(), state }
    }

    pub(super) fn of(campaign: &Campaign) -> Result<Progress, String> {
        let results = campaign.merge()?.results.tasks;
        Ok(Progress {
            shown: true,
            n_tasks: campaign.description.n_tasks,
            predicted_seconds: campaign.predicted_seconds()?,
            began: Instant::now(),
            state: Mutex::new(State { before: results.len(), results }),
        })
    }

    /// A task ended.
    pub(super) fn add(&self, outcome: &Outcome) {
        if !self.shown {
            return;
        }
        let mut state = self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        state.results.push(outcome.clone());
        self.clear();
        println!("{}", line(outcome));
        self.draw(&state);
    }

    /// These are the results so far.
    pub(super) fn set(&self, results: &[Outcome]) {
        let mut state = self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        state.results = results.to_vec();
        self.clear();
        self.draw(&state);
    }

    pub(super) fn end(&self) {
        self.clear();
    }

    fn clear(&self) {
        if std::io::stderr().is_terminal() {
            eprint!("\r\x1b[K");
        }
    }

    fn draw(&self, state: &State) {
        if !std::io::stderr().is_terminal() {
            return;
        }
        let new = state.results.len().saturating_sub(state.before);
        let left = self.n_tasks.saturating_sub(state.results.len());
        let end = match new {
            0 => String::new(),
            _ => format!(", about {} left", minutes(self.began.elapsed() / new as u32 * left as u32)),
        };
        eprint!("{} of {} tasks, {}{end}", state.results.len(), self.n_tasks, self.summary(&state.results));
        let _ = std::io::stderr().flush();
    }

    /// The time spent, and an extrapolation for the rest.
    pub(super) fn summary(&self, results: &[Outcome]) -> String {
        let spent: f64 = results.iter().map(|o| o.cpu_seconds).sum();
        let mut count: BTreeMap<&str, usize> = BTreeMap::new();
        for outcome in results {
            *count.entry(outcome.status.word()).or_default() += 1;
        }
        let counts: Vec<String> = count.iter().map(|(word, n)| format!("{n} {word}")).collect();
        let done = results.len() as f64 / self.n_tasks.max(1) as f64;
        // By the average of what is known; before anything is known by the plan.
        let whole = if results.is_empty() { self.predicted_seconds } else { spent / done.max(1e-9) };
        let counts = if counts.is_empty() { "nothing yet".to_string() } else { counts.join(", ") };
        format!("{counts}; {:.3} core-hours of about {:.3}", spent / 3600.0, whole / 3600.0)
    }
}

fn minutes(time: Duration) -> String {
    match time.as_secs() {
        s if s < 100 => format!("{s} s"),
        s if s < 6000 => format!("{} min", s.div_ceil(60)),
        s => format!("{:.1} h", s as f64 / 3600.0),
    }
}
