//! Who watches a question being answered.

use crate::checks::{CheckAnswer, Status, settled};
use crate::host::Host;
use crate::landmarks::Landmarks;
use crate::load::Settled;
use base::Span;
use engine::Phase;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// Sees what engines report while they work.
pub trait Observer {
    /// An engine begins a new iteration: its number and a short description.
    fn progress(&mut self, engine: &str, round: u64, detail: &str);
    /// An engine has ended.
    fn ended(&mut self, _engine: &str) {}
    /// A snapshot of what is known; sent whenever an engine begins or ends and when a check is decided.
    fn situation(&mut self, _now: &Situation) {}
}

/// An observer that sees nothing.
pub struct Silent;

impl Observer for Silent {
    fn progress(&mut self, _engine: &str, _round: u64, _detail: &str) {}
}

/// What is known while a question is being answered.
#[derive(Clone, Default, Debug)]
pub struct Situation {
    /// The checks of the program and what is known of each.
    pub checks: Vec<CheckAnswer>,
    /// What ran, and what runs now: that has taken no time yet.
    pub timeline: Vec<EngineRun>,
    /// The last iteration that each engine reported.
    pub rounds: BTreeMap<&'static str, u64>,
    /// The engines that the plan has for the program.
    pub(crate) planned: Vec<&'static str>,
    /// By the heads of loops: the longest path around it that was examined.
    pub(crate) unrolled: BTreeMap<Span, Unrolled>,
    pub(crate) landmarks: Arc<Landmarks>,
}

impl Situation {
    /// The run is cancelled: running entries end now.
    pub fn ends(&mut self, now: Duration, reason: &ir::Reason) {
        for run in self.timeline.iter_mut().filter(|r| r.took.is_zero()) {
            run.took = now.saturating_sub(run.began);
            run.result = report::Answer::Unknown(reason.to_string()).to_string();
        }
    }
}

/// How far a loop was unwound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unrolled {
    pub(crate) engine: &'static str,
    pub(crate) times: u32,
    pub(crate) n_paths: u32,
}

/// What an engine reports.
pub(crate) enum Report {
    Progress(u64, String),
    Unrolled(Span, u32),
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
    pub(crate) now: Situation,
    /// The current translation.
    pub(crate) translation: &'static str,
    /// Does a proof of the current translation hold for the program itself?
    pub(crate) is_exact: bool,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(observer: &'a mut dyn Observer) -> Watch<'a> {
        Watch { observer, now: Situation::default(), translation: "", is_exact: false }
    }
    /// Hands the observation over to another watcher; [`Watch::take_back`] ends that.
    pub(crate) fn lend(&mut self) -> Watch<'_> {
        let now = std::mem::take(&mut self.now);
        Watch { observer: &mut *self.observer, now, translation: self.translation, is_exact: false }
    }
    pub(crate) fn take_back(&mut self, now: Situation) {
        self.now = now;
    }
    /// Passes on what an engine reports.
    pub(crate) fn heard(&mut self, engine: &'static str, report: Report) {
        match report {
            Report::Progress(round, detail) => {
                self.now.rounds.insert(engine, round);
                self.observer.progress(engine, round, &detail);
            }
            Report::Unrolled(head, times) => {
                let entry = self.now.unrolled.entry(head).or_insert(Unrolled { engine, times: 0, n_paths: 0 });
                entry.n_paths += 1;
                if times > entry.times {
                    (entry.engine, entry.times) = (engine, times);
                }
            }
        }
    }
    /// Sends the observer a snapshot.
    pub(crate) fn tell(&mut self) {
        self.observer.situation(&self.now);
    }
    /// Checks that cannot fail, in the current translation.
    pub(crate) fn proved(&mut self, checks: &[Settled]) {
        if !self.is_exact || checks.is_empty() {
            return;
        }
        for entry in self.now.checks.iter_mut().filter(|c| c.status == Status::Open) {
            if checks.contains(&settled(&entry.check)) {
                entry.status = Status::Proved;
            }
        }
        self.tell();
    }
    /// What is known of one check.
    pub(crate) fn settle(&mut self, check: &Settled, status: Status) {
        for entry in self.now.checks.iter_mut().filter(|c| settled(&c.check) == *check) {
            entry.status = status;
        }
        self.tell();
    }
    /// An engine begins; the number of its entry.
    pub(crate) fn begins(&mut self, engine: &'static str, now: Duration) -> usize {
        let (translation, took, result) = (self.translation, Duration::ZERO, "cancelled".to_string());
        self.now.timeline.push(EngineRun { translation, engine, began: now, took, result });
        self.tell();
        self.now.timeline.len() - 1
    }
    /// An engine has ended.
    pub(crate) fn ended(&mut self, entry: usize, now: Duration, result: String) {
        if let Some(run) = self.now.timeline.get_mut(entry) {
            run.took = now.saturating_sub(run.began);
            run.result = result;
            self.observer.ended(run.engine);
            self.tell();
        }
    }
    /// No engine runs any more: what has not ended was cancelled.
    pub(crate) fn all_ended(&mut self, since: usize, now: Duration) {
        for run in self.now.timeline.iter_mut().skip(since).filter(|r| r.took.is_zero()) {
            run.took = now.saturating_sub(run.began);
        }
    }
}

/// Watches one engine: passes its progress on and takes the time of its phases.
pub(crate) struct Meter<'a> {
    host: &'a dyn Host,
    report: &'a mut dyn FnMut(Report),
    entered: Vec<(Phase, Duration)>,
    spent: BTreeMap<Phase, Duration>,
}

impl<'a> Meter<'a> {
    pub(crate) fn new(host: &'a dyn Host, report: &'a mut dyn FnMut(Report)) -> Meter<'a> {
        Meter { host, report, entered: Vec::new(), spent: BTreeMap::new() }
    }
    pub(crate) fn times(&self) -> Vec<(String, Duration)> {
        self.spent.iter().map(|(p, d)| (format!("{p:?}"), *d)).collect()
    }
}

impl engine::Observer for Meter<'_> {
    fn progress(&mut self, round: u64, detail: &str) {
        (self.report)(Report::Progress(round, detail.to_string()));
    }
    fn unrolled(&mut self, head: Span, times: u32) {
        (self.report)(Report::Unrolled(head, times));
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
