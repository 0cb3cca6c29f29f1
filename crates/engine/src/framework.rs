//! What an engine is, what it is given, and how it reports.

use crate::fixpoint::Fixpoint;
use crate::profile::{Profile, Wants, has};
use base::{Budget, Span};
use ir::interleave::Interleaved;
use ir::interleave::concurrent::Concurrent;
use ir::{Icfg, LocId, Property, Reason, Verdict};
use logic::{TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// One verification algorithm.
pub trait Engine: Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;
    /// One line for `craig engines`.
    fn summary(&self) -> &'static str;
    /// What it takes, needs and gives.
    fn profile(&self) -> Profile;
    fn supports(&self, property: &Property) -> bool {
        property.is_safety()
    }
    /// Looks for an answer about a program that has what the profile asks for.
    fn search(&self, ctx: &mut Ctx<'_>, task: &Task<'_>) -> Verdict;
    /// Looks for an answer about any program.
    fn run(&self, ctx: &mut Ctx<'_>, task: &Task<'_>) -> Verdict {
        let profile = self.profile();
        if task.icfg.has_threads() && profile.wants != Wants::Threads {
            return Verdict::Unknown(Reason::Unsupported(format!("threads (engine {})", self.name())));
        }
        if task.icfg.has_calls() && profile.wants == Wants::NoCalls {
            return Verdict::Unknown(Reason::Incomplete("recursion".to_string()));
        }
        if let Some(missing) = profile.needs.iter().find(|&&need| !has(task.icfg, ctx.pool, need)) {
            return Verdict::Unknown(Reason::Incomplete(format!("no {}", missing.name())));
        }
        self.search(ctx, task)
    }
}

/// What is to be verified.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    pub icfg: &'a Icfg,
    pub property: &'a Property,
    /// What the user asked for; `None`: what suits the engine.
    pub blocks: Option<ir::blocks::BlockMode>,
    /// Formulas that other engines found interesting. Nothing is known about their truth.
    pub offered: &'a Predicates,
    /// How modules of termination proofs are subtracted.
    pub complement: crate::buchi::Complement,
}

impl<'a> Task<'a> {
    /// A question without wishes.
    pub fn new(icfg: &'a Icfg, property: &'a Property) -> Task<'a> {
        static NOTHING: Predicates = Predicates::new();
        Task { icfg, property, blocks: None, offered: &NOTHING, complement: Default::default() }
    }
}

/// Formulas over the program's variables, for locations of a graph.
pub type Predicates = BTreeMap<LocId, Vec<TermId>>;

/// A part of a proof, for the task's graph: an annotation of the loop heads that excludes some locations, errors among
/// them. The checker has not seen it.
#[derive(Clone, Debug)]
pub struct Facts {
    pub annotation: ir::Annotation,
    pub unreached: BTreeSet<LocId>,
    /// The states that it was made of.
    pub(crate) states: Arc<Fixpoint>,
}

/// What an engine works with.
pub struct Ctx<'a> {
    pub pool: &'a mut TermPool,
    pub budget: &'a Budget,
    pub observer: &'a mut dyn Observer,
    pub stats: Stats,
    /// Predicates to offer to other engines, for locations of the task's graph.
    pub found: Predicates,
    /// What was proved before the engine gave up.
    pub facts: Option<Facts>,
    /// Of an engine that works on threads: the sequential graph that its verdict is about.
    pub product: Option<Interleaved>,
    /// The same, if its proof is about the threads themselves.
    pub concurrent: Option<Concurrent>,
}

impl<'a> Ctx<'a> {
    pub fn new(pool: &'a mut TermPool, budget: &'a Budget, observer: &'a mut dyn Observer) -> Ctx<'a> {
        Ctx {
            pool,
            budget,
            observer,
            stats: Stats::default(),
            found: Predicates::new(),
            facts: None,
            product: None,
            concurrent: None,
        }
    }
    /// Runs a part of the work as a phase, whose time the observer takes.
    pub fn phase<R>(&mut self, phase: Phase, work: impl FnOnce(&mut Self) -> R) -> R {
        self.observer.enter(phase);
        let result = work(self);
        self.observer.leave(phase);
        result
    }
}

/// What time is spent on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Phase {
    TraceCheck,
    Interpolation,
    HoareChecks,
    Automata,
    Abstraction,
    Unrolling,
    Proof,
    Ranking,
}

/// Who watches an engine work.
pub trait Observer {
    /// A new iteration: its number and a short description.
    fn progress(&mut self, round: u64, detail: &str);
    /// A path is examined that passes the head of a loop so often.
    fn unrolled(&mut self, _head: Span, _times: u32) {}
    fn enter(&mut self, _phase: Phase) {}
    fn leave(&mut self, _phase: Phase) {}
}

/// An observer that sees nothing.
pub struct Silent;

impl Observer for Silent {
    fn progress(&mut self, _round: u64, _detail: &str) {}
}

/// Named counts, for `--stats`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    counts: BTreeMap<&'static str, u64>,
}

impl Stats {
    pub fn add(&mut self, name: &'static str, n: u64) {
        *self.counts.entry(name).or_default() += n;
    }
    pub fn set(&mut self, name: &'static str, n: u64) {
        self.counts.insert(name, n);
    }
    pub fn max(&mut self, name: &'static str, n: u64) {
        let entry = self.counts.entry(name).or_default();
        *entry = (*entry).max(n);
    }
    pub fn get(&self, name: &str) -> u64 {
        self.counts.get(name).copied().unwrap_or(0)
    }
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        self.counts.iter().map(|(k, v)| (*k, *v))
    }
    pub fn merge(&mut self, other: &Stats) {
        for (name, n) in other.iter() {
            self.add(name, n);
        }
    }
}
