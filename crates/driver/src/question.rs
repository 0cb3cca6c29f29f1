//! Questions and how one is asked.

use crate::checks::{Status, settled};
use crate::known::Facts;
use crate::load::{Loaded, Settled, Source, also_checked};
use crate::observer::{Observer, Silent, Situation, Watch};
use crate::outcome::{Finding, Outcome};
use crate::plan::Form;
use crate::reuse::Tally;
use crate::session::Session;
use crate::settings::Settings;
use crate::strategy::{self, Explained};
use crate::verify::verify;
use base::Budget;
use engine::Stats;
use ir::Property;
use std::sync::Arc;
use std::time::Duration;

/// Does a program have a property?
pub struct Question<'a> {
    pub source: &'a Source,
    pub property: &'a Property,
    pub settings: &'a Settings,
    /// Checks that are decided already: executions that fail them end.
    pub settled: Vec<Settled>,
    /// Only the default translation: no other one is tried, and undefined behaviour is not checked.
    pub single: bool,
    /// What is known of other versions of the program, the closest first. Only candidates: no answer depends on their
    /// truth.
    pub reuse: Vec<Arc<Facts>>,
}

impl<'a> Question<'a> {
    pub fn new(source: &'a Source, property: &'a Property, settings: &'a Settings) -> Question<'a> {
        Question { source, property, settings, settled: Vec::new(), single: false, reuse: Vec::new() }
    }
}

/// An answer, the program it is about, and how it was found.
pub struct Answered {
    pub outcome: Outcome,
    /// The translation that the answer is about, with the terms of its evidence.
    pub loaded: Loaded,
    pub engine: String,
    pub stats: Stats,
    pub phases: Vec<(String, Duration)>,
    /// No execution with fewer loop iterations violates the property; 0 if nothing is known.
    pub safe_below: u64,
    /// What is known of each check of the program, for properties that have checks, and what really ran, with times
    /// since the question was asked.
    pub situation: Situation,
    /// The time since the question was asked.
    pub wall: Duration,
    /// The translation that the answer is about.
    pub form: Form,
    /// How it was searched for.
    pub settings: Settings,
    /// How the facts of other versions were used, if there were any.
    pub reused: Option<Tally>,
}

impl Question<'_> {
    fn session<'b>(&'b self, observer: &'b mut dyn Observer) -> Session<'b> {
        let Question { source, property, settings, settled, reuse, .. } = self;
        Session { source, property, settings, settled, reuse, tally: None, watch: Watch::new(observer) }
    }

    /// The default translation with the checks of the property.
    pub fn load(&self) -> Loaded {
        let mut observer = Silent;
        let session = self.session(&mut observer);
        session.load(also_checked(self.property), &session.usual())
    }
}

/// The plan for a question.
pub fn explain(question: &Question<'_>) -> Explained {
    strategy::explain(&question.session(&mut Silent), question.load())
}

/// Answers a question.
pub fn check(question: &Question<'_>, budget: &Budget, observer: &mut dyn Observer) -> Answered {
    let source = question.source;
    let began = source.host.now();
    let n_before = source.counts().1;
    let mut read = question.load();
    let mut session = question.session(observer);
    let (mut loaded, form, finding) = if question.single {
        let usual = session.usual();
        let finding = verify(&mut session, &usual, &mut read, question.property, (budget, budget));
        (read, Form::Default, finding)
    } else {
        strategy::answer(&mut session, read, budget)
    };
    match &finding.outcome {
        Outcome::Holds(_) => session.watch.now.checks.iter_mut().for_each(|c| c.status = Status::Proved),
        Outcome::Violated(violation) => session.watch.settle(&settled(&violation.run.check), Status::Violated),
        Outcome::NonTerminating(_) | Outcome::Unknown(_) => {}
    }
    let reused = session.tally;
    let mut situation = session.watch.now;
    for run in &mut situation.timeline {
        run.began = run.began.saturating_sub(began);
    }
    let table = &loaded.program.source;
    match &finding.outcome {
        // What holds at one place of a thread while the others are at certain places of theirs cannot be said in the
        // source.
        Outcome::Holds(proof) if proof.copies.is_some() => loaded.program.source = table.for_copies(&[]),
        Outcome::Violated(violation) => {
            if let Some(copies) = &violation.copies {
                loaded.program.source = table.for_copies(copies);
            }
        }
        Outcome::Holds(_) | Outcome::NonTerminating(_) | Outcome::Unknown(_) => {}
    }
    let Finding { outcome, engine, mut stats, phases, safe_below } = finding;
    let (n_parses, n_translations) = source.counts();
    stats.set("parses", n_parses);
    stats.set("translations", n_translations - n_before);
    let wall = source.host.now().saturating_sub(began);
    let settings = question.settings.clone();
    Answered { settings, outcome, loaded, engine, stats, phases, safe_below, situation, wall, form, reused }
}
