//! Who watches a question being answered.

use crate::host::Host;
use engine::Phase;
use std::collections::BTreeMap;
use std::time::Duration;

/// Sees what engines report while they work.
pub trait Observer {
    /// An engine begins a new round: its number and a short description.
    fn progress(&mut self, engine: &str, round: u64, detail: &str);
    /// An engine has ended.
    fn ended(&mut self, _engine: &str) {}
}

/// An observer that sees nothing.
pub struct Silent;

impl Observer for Silent {
    fn progress(&mut self, _engine: &str, _round: u64, _detail: &str) {}
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
