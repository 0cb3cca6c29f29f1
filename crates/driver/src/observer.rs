//! Who watches a question being answered.

use crate::checks::{CheckAnswer, Status, settled};
use crate::host::Host;
use crate::load::Settled;
use engine::Phase;
use std::collections::BTreeMap;
use std::time::Duration;

/// Sees what engines report while they work.
pub trait Observer {
    /// An engine begins a new iteration: its number and a short description.
    fn progress(&mut self, engine: &str, round: u64, detail: &str);
    /// An engine has ended.
    fn ended(&mut self, _engine: &str) {}
    /// The checks of the program and what is known of each; told again when more is known.
    fn checks(&mut self, _table: &[CheckAnswer]) {}
}

/// An observer that sees nothing.
pub struct Silent;

impl Observer for Silent {
    fn progress(&mut self, _engine: &str, _round: u64, _detail: &str) {}
}

/// What really ran: an engine on a translation.
#[derive(Clone, Debug)]
pub struct EngineRun {
    /// The translation, by the name of its [`crate::plan::Form`].
    pub translation: &'static str,
    pub engine: &'static str,
    /// When it began, since the host's clock began.
    pub began: Duration,
    pub took: Duration,
    /// The answer, or the reason why there is none.
    pub result: String,
}

/// The observer of a question, and the record of what ran.
pub(crate) struct Watch<'a> {
    pub(crate) observer: &'a mut dyn Observer,
    pub(crate) timeline: Vec<EngineRun>,
    /// The translation that is looked at.
    pub(crate) translation: &'static str,
    /// What is known of the checks of the program.
    pub(crate) table: Vec<CheckAnswer>,
    /// Is what is proved now proved of the program as it is?
    pub(crate) is_exact: bool,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(observer: &'a mut dyn Observer) -> Watch<'a> {
        Watch { observer, timeline: Vec::new(), translation: "", table: Vec::new(), is_exact: false }
    }
    /// Somebody else watches for a while; [`Watch::take_back`] ends that.
    pub(crate) fn lend(&mut self) -> Watch<'_> {
        let (timeline, table) = (std::mem::take(&mut self.timeline), std::mem::take(&mut self.table));
        Watch { observer: &mut *self.observer, timeline, table, translation: self.translation, is_exact: false }
    }
    pub(crate) fn take_back(&mut self, (timeline, table): (Vec<EngineRun>, Vec<CheckAnswer>)) {
        (self.timeline, self.table) = (timeline, table);
    }
    /// Checks that cannot fail, in the translation that is looked at.
    pub(crate) fn proved(&mut self, checks: &[Settled]) {
        if !self.is_exact || checks.is_empty() {
            return;
        }
        for entry in self.table.iter_mut().filter(|c| c.status == Status::Open) {
            if checks.contains(&settled(&entry.check)) {
                entry.status = Status::Proved;
            }
        }
        self.observer.checks(&self.table);
    }
    /// What is known of one check.
    pub(crate) fn settle(&mut self, check: &Settled, status: Status) {
        for entry in self.table.iter_mut().filter(|c| settled(&c.check) == *check) {
            entry.status = status;
        }
        self.observer.checks(&self.table);
    }
    /// An engine begins; the number of its entry.
    pub(crate) fn begins(&mut self, engine: &'static str, now: Duration) -> usize {
        let (translation, took, result) = (self.translation, Duration::ZERO, "cancelled".to_string());
        self.timeline.push(EngineRun { translation, engine, began: now, took, result });
        self.timeline.len() - 1
    }
    /// An engine has ended.
    pub(crate) fn ended(&mut self, entry: usize, now: Duration, result: String) {
        if let Some(run) = self.timeline.get_mut(entry) {
            run.took = now.saturating_sub(run.began);
            run.result = result;
            self.observer.ended(run.engine);
        }
    }
    /// No engine runs any more: what has not ended was cancelled.
    pub(crate) fn all_ended(&mut self, since: usize, now: Duration) {
        for run in self.timeline.iter_mut().skip(since).filter(|r| r.took.is_zero()) {
            run.took = now.saturating_sub(run.began);
        }
    }
}

/// Watches one engine: passes its progress on and takes the time of its phases.
pub(crate) struct Meter<'a> {
    host: &'a dyn Host,
    report: &'a mut dyn FnMut(u64, &str),
    entered: Vec<(Phase, Duration)>,
    spent: BTreeMap<Phase, Duration>,
}

impl<'a> Meter<'a> {
    pub(crate) fn new(host: &'a dyn Host, report: &'a mut dyn FnMut(u64, &str)) -> Meter<'a> {
        Meter { host, report, entered: Vec::new(), spent: BTreeMap::new() }
    }
    pub(crate) fn times(&self) -> Vec<(String, Duration)> {
        self.spent.iter().map(|(p, d)| (format!("{p:?}"), *d)).collect()
    }
}

impl engine::Observer for Meter<'_> {
    fn progress(&mut self, round: u64, detail: &str) {
        (self.report)(round, detail);
    }
    fn enter(&mut self, phase: Phase) {
        self.entered.push((phase, self.host.now()));
    }
    fn leave(&mut self, phase: Phase) {
        if let Some((entered, since)) = self.entered.pop() {
            debug_assert_eq!(entered, phase);
            *self.spent.entry(phase).or_default() += self.host.now().saturating_sub(since);
        }
    }
}
