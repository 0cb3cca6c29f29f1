//! Executes the stages of the [`plan`] until one of them answers.

use crate::checks::{self, Status, settled};
use crate::known::Evidence;
use crate::landmarks::Landmarks;
use crate::load::{Language, Loaded, Settled, also_checked};
use crate::outcome::{Finding, Outcome};
use crate::plan::{self, Accept, Choice, Form, Stage, When};
use crate::session::{Attempt, Reuse, Session};
use crate::settings::{self, Engines};
use crate::shrink;
use crate::undefined;
use crate::verify::{verify, verify_checked, verify_sliced};
use base::Budget;
use c::lower::{Integers, Threads};
use engine::Feature;
use ir::{Fidelity, Icfg, Program, Reason, Subproperty};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

/// An answer to the question of a session, and the program it is about. `read`: the default translation.
///
/// If the program as a whole is not decided, the undecided checks are verified one by one in the time reserved for
/// that.
pub(crate) fn answer(session: &mut Session<'_>, mut read: Loaded, budget: &Budget) -> (Loaded, Form, Finding) {
    if session.watch.now.checks.is_empty() {
        let graph = Icfg::build(&read.program, &mut read.pool);
        if session.property.is_safety() {
            session.watch.now.checks = checks::of_graph(&graph);
        }
        session.watch.now.landmarks = Arc::new(Landmarks::of(&read, &graph));
        session.watch.tell();
    }
    let is_divisible = session.settings.engines.is_auto()
        && (2..=MAX_ONE_BY_ONE).contains(&session.watch.now.checks.len())
        && !read.program.has_threads();
    let own = if is_divisible { budget.share(1.0 - ONE_BY_ONE) } else { budget.clone() };
    let (loaded, form, finding) = work_off(session, read, &own);
    let (loaded, form, mut finding) = match &finding.outcome {
        Outcome::Unknown(_) if is_divisible && loaded.program.fidelity.unsound.is_empty() => {
            one_by_one(session, (loaded, form, finding), budget)
        }
        _ => (loaded, form, finding),
    };
    // A program with unmodelled constructs cannot be proved in any time.
    if let (Outcome::Unknown(Reason::Stopped(base::Stop::Timeout)), Some(remark)) =
        (&finding.outcome, loaded.program.fidelity.unsound.first())
    {
        finding.outcome = Outcome::Unknown(Reason::Unsupported(remark.message.clone()));
    }
    (loaded, form, finding)
}

/// The share of the time reserved for verifying undecided checks one by one, and the largest number of checks for which
/// that is done.
const ONE_BY_ONE: f64 = 0.2;
const MAX_ONE_BY_ONE: usize = 400;
/// Every check needs its own translation; with less time than this there would be none left for the search.
const MIN_FOR_ONE: Duration = Duration::from_millis(500);

/// Verifies every undecided check alone: executions that fail another check end there.
fn one_by_one(session: &mut Session<'_>, last: (Loaded, Form, Finding), budget: &Budget) -> (Loaded, Form, Finding) {
    let all: Vec<Settled> = session.watch.now.checks.iter().map(|c| settled(&c.check)).collect();
    let open = |watch: &crate::observer::Watch<'_>| -> Vec<ir::Check> {
        watch.now.checks.iter().filter(|c| c.status == Status::Open).map(|c| c.check.clone()).collect()
    };
    let waiting = open(&session.watch);
    // A single check gets all remaining time, but no second search that gives up as early as the first.
    let is_out_of_time = matches!(last.2.outcome, Outcome::Unknown(Reason::Stopped(_)));
    if waiting.is_empty() || waiting.len() == 1 && !is_out_of_time {
        return last;
    }
    let n_waiting = match budget.remaining() {
        Some(left) => waiting.len().min((left.as_millis() / MIN_FOR_ONE.as_millis()) as usize).max(1),
        None => waiting.len(),
    };
    for (i, check) in waiting.into_iter().take(n_waiting).enumerate() {
        if budget.check_now().is_err() {
            return last;
        }
        let n_proved = checks::count(&session.watch.now.checks, Status::Proved);
        let place = last.0.sources.show(check.span);
        let detail = format!("proved {n_proved} of {}, checking {place}", all.len());
        session.watch.observer.progress("check by check", i as u64 + 1, &detail);
        let asked = settled(&check);
        let others: Vec<Settled> = all.iter().copied().filter(|s| *s != asked).collect();
        let mut inner = Session {
            source: session.source,
            property: session.property,
            settings: session.settings,
            settled: &others,
            reuse: &[],
            tally: None,
            watch: session.watch.lend(),
        };
        let read = inner.load(also_checked(inner.property), &inner.usual());
        let own = budget.share(1.0 / (n_waiting - i) as f64);
        let (loaded, form, finding) = work_off(&mut inner, read, &own);
        let now = inner.watch.now;
        session.watch.take_back(now);
        match &finding.outcome {
            Outcome::Holds(_) => {
                session.watch.settle(&asked, Status::Proved);
                // The last undecided check: each has its certificate.
                if open(&session.watch).is_empty() {
                    return (loaded, form, finding);
                }
            }
            Outcome::Violated(_) => return (loaded, form, finding),
            Outcome::NonTerminating(_) | Outcome::Unknown(_) => {}
        }
    }
    last
}

/// Executes the stages.
fn work_off(session: &mut Session<'_>, read: Loaded, budget: &Budget) -> (Loaded, Form, Finding) {
    let mut run = Run::new(read);
    let (mut last, mut safe_below) = (None, 0);
    for (stage, reuse, limit) in run.known_ways(session) {
        let finding = run.stage(session, &stage, reuse, &budget.child(limit));
        if finding.outcome.is_definite() {
            return (run.take(session, stage.form), stage.form, finding);
        }
        // If all that is known holds, and is no proof, an execution that violates the program is more likely.
        if session.tally.is_some_and(|tally| tally.is_all_kept()) {
            break;
        }
    }
    for stage in plan::stages(session.property, session.settings) {
        if !stage.when.iter().all(|when| run.holds(session, *when)) {
            continue;
        }
        let is_known = session.reuse.iter().any(|facts| facts.translation == stage.form.name());
        let reuse = if is_known { Reuse::Offers } else { Reuse::Nothing };
        let mut finding = run.stage(session, &stage, reuse, budget);
        // Sequentialised threads under-approximate the schedules; the other translations over-approximate the
        // executions.
        if stage.form != Form::Sequentialised {
            safe_below = finding.safe_below.max(safe_below);
        }
        finding.safe_below = safe_below;
        let is_out_of_time = stage.accept == Accept::Answers && budget.check_now().is_err();
        let is_final = finding.outcome.is_definite() || is_out_of_time;
        last = Some((stage.form, finding));
        if is_final {
            break;
        }
    }
    let nothing = || (Form::Default, Finding::unknown(Reason::Incomplete("no engine".to_string()), ""));
    let (form, finding) = last.unwrap_or_else(nothing);
    (run.take(session, form), form, finding)
}

/// Share of the time for the configuration (translation and engine) that decided another version.
const KNOWN_WAY_SHARE: f64 = 0.4;
/// The engine that starts from a given precision (a set of predicates).
const PRECISION: &str = "predicate-abstraction";
/// The engine of another version gets twice the time it took there, at most the first, and the second on top.
const MAX_KNOWN_WAY: Duration = Duration::from_secs(60);
const MIN_KNOWN_WAY: Duration = Duration::from_millis(100);

/// A translated program.
struct Translated {
    loaded: Loaded,
    /// What the front end did not model exactly.
    fidelity: Fidelity,
}

impl Translated {
    fn new(loaded: Loaded) -> Translated {
        let fidelity = loaded.program.fidelity.clone();
        Translated { loaded, fidelity }
    }
}

/// The state shared by the stages.
struct Run {
    forms: BTreeMap<Form, Translated>,
    has_threads: bool,
    /// The reasons for which single engines gave up.
    given_up: BTreeMap<&'static str, Reason>,
}

impl Run {
    fn new(read: Loaded) -> Run {
        let has_threads = read.program.has_threads();
        let forms = BTreeMap::from([(Form::Default, Translated::new(read))]);
        Run { forms, has_threads, given_up: BTreeMap::new() }
    }

    /// The program in a form, translated when it is first asked for.
    fn form(&mut self, session: &Session<'_>, form: Form) -> &mut Translated {
        let form = form.translated();
        self.forms.entry(form).or_insert_with(|| Translated::new(translate(session, form)))
    }

    fn take(mut self, session: &Session<'_>, form: Form) -> Loaded {
        match self.forms.remove(&form.translated()) {
            Some(translated) => translated.loaded,
            None => translate(session, form),
        }
    }

    /// Does a condition of a stage hold?
    fn holds(&mut self, session: &Session<'_>, when: When) -> bool {
        match when {
            When::C => session.source.language == Language::C,
            When::Threads => self.has_threads,
            When::NoThreads => !self.has_threads,
            When::Modelled => self.form(session, Form::Default).fidelity.unsound.is_empty(),
            When::Coarse => self.is_coarse(session),
            When::NotCoarse => !self.is_coarse(session),
            When::MayWrap => {
                session.source.language == Language::C && may_wrap(&self.form(session, Form::NoWrap).loaded.program)
            }
            When::Unfinished(engine) => {
                self.given_up.get(engine).is_some_and(|reason| !matches!(reason, Reason::Exhausted(_)))
            }
            When::Exhausted(engine) => matches!(self.given_up.get(engine), Some(Reason::Exhausted(_))),
        }
    }

    /// Are bit-vectors more exact than mathematical integers?
    fn is_coarse(&mut self, session: &Session<'_>) -> bool {
        let remarks = |f: &Fidelity| (f.unsound.len(), f.imprecise.len());
        let coarseness = remarks(&self.form(session, Form::Default).fidelity);
        session.settings.integers == settings::Integers::Auto
            && coarseness != (0, 0)
            && remarks(&self.form(session, Form::BitVectors).fidelity) < coarseness
    }

    /// The configurations that decided other versions of the program: translation, engine and time limit.
    fn known_ways(&mut self, session: &Session<'_>) -> Vec<(Stage, Reuse, Duration)> {
        let mut ways: Vec<(Stage, Reuse, Duration)> = Vec::new();
        let stages = plan::stages(session.property, session.settings);
        for facts in session.reuse {
            // A configuration that the plan excludes is excluded here as well.
            let is_possible = |run: &mut Run, stage: &&Stage| {
                stage.form.name() == facts.translation
                    && stage.when.iter().all(|when| match when {
                        When::Unfinished(_) | When::Exhausted(_) => true,
                        _ => run.holds(session, *when),
                    })
            };
            let Some(stage) = stages.iter().find(|stage| is_possible(self, stage)) else { continue };
            if ways.iter().any(|(w, ..)| w.form == stage.form) {
                continue;
            }
            let found = engine::engine_by_name(&facts.engine).filter(|_| session.settings.engines.is_auto());
            let limit = Duration::from_millis(facts.milliseconds.saturating_mul(2)).min(MAX_KNOWN_WAY) + MIN_KNOWN_WAY;
            // If an execution that violated the other version does not violate this one, little is known of this one.
            let is_violation = matches!(facts.evidence, Evidence::Violation(_) | Evidence::Infinite { .. });
            let limit = if is_violation { MIN_KNOWN_WAY } else { limit };
            let Some(found) = found else {
                ways.push((*stage, Reuse::Facts(None), Duration::MAX));
                continue;
            };
            let with = |name: &'static str| Stage { engines: Choice::One(name), share: KNOWN_WAY_SHARE, ..*stage };
            // Predicates of the old proof are all that predicate abstraction needs; a quick engine may not even need
            // them.
            let mut in_turn = vec![found.name()];
            if facts.has_predicates() && found.name() != PRECISION {
                in_turn.push(PRECISION);
                if found.profile().cost != engine::Cost::Quick {
                    in_turn.reverse();
                }
            }
            // After a quick engine the facts are tried again, as what holds of them is offered first.
            let is_quick = in_turn[0] == found.name();
            for (i, name) in in_turn.into_iter().enumerate() {
                ways.push(match i == 0 || is_quick {
                    true => (with(name), Reuse::Facts(Some(limit)), Duration::MAX),
                    false => (with(name), Reuse::Offers, limit),
                });
            }
        }
        ways
    }

    /// Executes a stage.
    fn stage(&mut self, session: &mut Session<'_>, stage: &Stage, reuse: Reuse, budget: &Budget) -> Finding {
        let own = budget.share(stage.share);
        let proofs_only = stage.accept == Accept::Proofs;
        let mut attempt = Attempt { reuse, proofs_only, ..attempt(session, stage.form) };
        if let Choice::One(name) = stage.engines {
            attempt.engines = Engines::Only(plan::named(name));
        }
        session.watch.translation = stage.form.name();
        let translated = self.form(session, stage.form);
        let loaded = &mut translated.loaded;
        loaded.program.fidelity = translated.fidelity.clone();
        let mut finding = if stage.form == Form::Instrumented {
            // Executions end at undefined behaviour, so every violation counts.
            verify_checked(session, &attempt, loaded, (&own, budget))
        } else if let Form::Sliced(depth) = stage.form {
            session.watch.is_exact = loaded.program.fidelity.unsound.is_empty();
            let finding = verify_sliced(session, &attempt, loaded, depth, (&own, budget));
            session.watch.is_exact = false;
            finding
        } else {
            let is_sound = loaded.program.fidelity.unsound.is_empty();
            session.watch.is_exact = matches!(stage.form, Form::Default | Form::BitVectors) && is_sound;
            let mut finding = verify(session, &attempt, loaded, session.property, (&own, budget));
            session.watch.is_exact = false;
            if matches!(&finding.outcome, Outcome::Violated(v) if v.run.check.property == Subproperty::NoWrap) {
                finding.outcome = Outcome::Unknown(Reason::Incomplete("arithmetic may wrap around".to_string()));
            }
            undefined::only_defined(session, &attempt, loaded, finding, &own)
        };
        let is_accepted = match (&finding.outcome, stage.accept) {
            (_, Accept::Answers) | (Outcome::Unknown(_), _) => true,
            (Outcome::Holds(_), accept) => accept == Accept::Proofs,
            (Outcome::Violated(_) | Outcome::NonTerminating(_), accept) => accept == Accept::Violations,
        };
        if !is_accepted {
            let why = format!("only {} are accepted here", stage.accept.name());
            finding.outcome = Outcome::Unknown(Reason::Incomplete(why));
        }
        if let Outcome::Violated(violation) = &mut finding.outcome {
            let is_checked = stage.form == Form::Instrumented;
            shrink::shrink(session, &attempt, loaded, violation, is_checked, &budget.share(plan::SHRINK_SHARE));
        }
        if let (Choice::One(name), Outcome::Unknown(reason)) = (stage.engines, &finding.outcome)
            && !matches!(reuse, Reuse::Facts(_))
            && stage.form == stage.form.translated()
        {
            self.given_up.insert(name, reason.clone());
        }
        finding
    }
}

/// The program in a form.
fn translate(session: &Session<'_>, form: Form) -> Loaded {
    let attempt = attempt(session, form);
    match form {
        Form::Instrumented => undefined::load_with_checks(session, &attempt),
        Form::Default | Form::Sequentialised | Form::NoWrap | Form::BitVectors | Form::Sliced(_) => {
            session.load(also_checked(session.property), &attempt)
        }
    }
}

/// How a form is translated, for the engines that were asked for.
fn attempt(session: &Session<'_>, form: Form) -> Attempt {
    let usual = session.usual();
    match form {
        Form::Default | Form::Instrumented | Form::Sliced(_) => usual,
        Form::Sequentialised => Attempt { threads: Threads::AtOnce, ..usual },
        Form::NoWrap => Attempt { no_wrap: true, ..usual },
        Form::BitVectors => Attempt { integers: Integers::Words, ..usual },
    }
}

/// Does a program over mathematical integers check that arithmetic does not wrap around?
fn may_wrap(program: &Program) -> bool {
    let checks = |body: &ir::Body| {
        let is_check =
            |i: &ir::Instr| matches!(&i.kind, ir::InstrKind::Assert(_, c) if c.property == Subproperty::NoWrap);
        body.instrs.iter().any(is_check)
    };
    program.procs.values().filter_map(|p| p.body.as_ref()).any(checks)
}

/// The plan for a question.
pub struct Explained {
    /// The features of the program.
    pub features: BTreeSet<Feature>,
    /// The stages that apply, as far as that is known before anything runs.
    pub stages: Vec<Stage>,
}

/// The plan for the question of a session.
pub(crate) fn explain(session: &Session<'_>, mut read: Loaded) -> Explained {
    let graph = Icfg::build(&read.program, &mut read.pool);
    let mut features = engine::profile::features(&graph, &read.pool);
    // Calls are recursion only where they cannot be inlined.
    if let Ok((inlined, _)) = ir::inline::inline_calls(&graph, &mut read.pool, &ir::inline::InlineLimits::default())
        && !inlined.has_calls()
    {
        features.remove(&Feature::Recursion);
    }
    let mut run = Run::new(read);
    let mut applies = |when: &When| match when {
        When::Unfinished(_) | When::Exhausted(_) => true,
        _ => run.holds(session, *when),
    };
    let stages = plan::stages(session.property, session.settings);
    let stages = stages.into_iter().filter(|stage| stage.when.iter().all(&mut applies)).collect();
    Explained { features, stages }
}
