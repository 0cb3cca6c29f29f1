//! Validation: is the witness of someone right?
//!
//! A *correctness witness* is woven into the program ([`c::annotate`]): its invariants become checks. If they are
//! inductive as they stand and prove the property, the certificate checker says so and no search is needed. Otherwise
//! the engines search the program with the checks; what they prove confirms the witness, an execution that
//! violates an invariant, or the property, rejects it.
//!
//! A *violation witness* restricts the program to the executions it describes. One that violates the property and replays
//! confirms it; a proof that there is none rejects it.
//!
//! In all other cases the answer is that neither was possible, with the reason.

use crate::graphs::graph_of_lasso;
use crate::load::{Loaded, Source, Woven, also_checked};
use crate::observer::{Observer, Silent, Watch};
use crate::outcome::{Finding, Outcome, Violation};
use crate::plan;
use crate::question::Question;
use crate::session::{Attempt, Reuse, Session};
use crate::settings::{Engines, Settings};
use crate::undefined::{Replayed, replay_with_checks};
use crate::verify::verify;
use base::Budget;
use c::annotate::{Annotation, Guide, Place, Role};
use c::lower::{Integers, Threads};
use ir::{Certificate, Icfg, Label, Property, Stmt, Subproperty};
use report::witness::{Action, Content, Entry, InvariantKind, Item, Location, Waypoint, WaypointKind};
use std::collections::BTreeMap;
use std::path::Path;

/// What is said of a witness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Judgement {
    Confirmed,
    Rejected(String),
    Unknown(String),
}

/// Judges one entry of a witness. The error is one of the input.
pub fn judge(
    question: &Question<'_>,
    entry: &Entry,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Judgement, String> {
    let mut validation = Validation::new(question, budget, observer);
    match &entry.content {
        Content::Invariants(items) => validation.correctness(items),
        Content::Violation(segments) => validation.violation(segments),
    }
}

/// Does an item of a correctness witness hold? For items that a proof suggests but does not imply.
pub(crate) fn holds(question: &Question<'_>, item: &Item, budget: &Budget) -> bool {
    let mut silent = Silent;
    let mut validation = Validation::new(question, budget, &mut silent);
    let Ok(Ok(annotations)) = validation.annotations(std::slice::from_ref(item)) else { return false };
    let Ok(source) = validation.with(&Woven { annotations, ..Woven::default() }) else { return false };
    validation.searched(&source, &[], &Property::UnreachCall) == Judgement::Confirmed
}

struct Validation<'a> {
    source: &'a Source,
    property: &'a Property,
    settings: &'a Settings,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
}

/// The shares of the time for a proof as it stands, for mathematical integers where words are more exact, and for
/// threads that run one after the other.
const DIRECT_SHARE: f64 = 0.3;
const FIRST_ATTEMPT: f64 = 0.5;
const AT_ONCE_SHARE: f64 = 0.3;
/// What looks at the threads of a program before the engines work on their product, with shares of the time.
const THREAD_ENGINES: [(&str, f64); 3] = [("lock-sets", 0.25), ("states", 0.25), ("schedules", 0.35)];

/// What came of a search in the annotated program: the program, the answer, and how the program was translated.
struct Verified {
    loaded: Loaded,
    finding: Finding,
    attempt: Attempt,
}

impl<'a> Validation<'a> {
    fn new(question: &Question<'a>, budget: &'a Budget, observer: &'a mut dyn Observer) -> Validation<'a> {
        let Question { source, property, settings, .. } = *question;
        Validation { source, property, settings, budget, observer }
    }

    /// A search in the program with what the witness says about it.
    fn session<'b>(&'b mut self, source: &'b Source) -> Session<'b> {
        let Validation { property, settings, .. } = *self;
        Session { source, property, settings, settled: &[], reuse: &[], tally: None, watch: Watch::new(self.observer) }
    }

    /// The program with what the witness says about it.
    fn with(&self, woven: &Woven) -> Result<Source, String> {
        self.source.with(woven).map_err(|why| why.to_string().trim_end().to_string())
    }

    fn attempt(&self, threads: Threads, integers: Integers) -> Attempt {
        let (engines, n_jobs) = (self.settings.engines, self.settings.n_jobs);
        Attempt { integers, threads, no_wrap: false, engines, n_jobs, reuse: Reuse::Nothing }
    }

    fn own_file(&self, location: &Location) -> Result<(), String> {
        let base = Path::new(&location.file_name).file_name();
        if location.file_name.is_empty() || base == self.source.path.file_name() {
            return Ok(());
        }
        Err(format!("it speaks about the file {}, which is not {}", location.file_name, self.source.path.display()))
    }

    /// Verifies the annotated program, over words if mathematical integers were too coarse.
    fn verify(
        &mut self,
        properties: &[Property],
        question: &Property,
        source: &Source,
        threads: Threads,
        budget: &Budget,
    ) -> Verified {
        let mut attempt = self.attempt(threads, Integers::Unbounded);
        let mut session = self.session(source);
        let mut loaded = session.load(properties, &attempt);
        let is_coarse = |l: &Loaded| !l.program.fidelity.imprecise.is_empty() || !l.program.fidelity.unsound.is_empty();
        let first = if is_coarse(&loaded) { budget.share(FIRST_ATTEMPT) } else { budget.clone() };
        if loaded.program.has_threads() && question.is_safety() {
            for (name, share) in THREAD_ENGINES {
                let only = Attempt { engines: Engines::Only(plan::named(name)), ..attempt };
                let own = first.share(share);
                let finding = verify(&mut session, &only, &mut loaded, question, (&own, &first));
                if finding.outcome.is_definite() {
                    return Verified { loaded, finding, attempt };
                }
            }
        }
        let mut finding = verify(&mut session, &attempt, &mut loaded, question, (&first, &first));
        if is_coarse(&loaded) && !finding.outcome.is_definite() && budget.check_now().is_ok() {
            attempt.integers = Integers::Words;
            loaded = session.load(properties, &attempt);
            finding = verify(&mut session, &attempt, &mut loaded, question, (budget, budget));
        }
        Verified { loaded, finding, attempt }
    }

    // ----- correctness -----

    /// What is woven into the program for some items; the inner error says what is not supported.
    fn annotations(&self, items: &[Item]) -> Result<Result<Vec<Annotation>, String>, String> {
        let mut annotations = Vec::new();
        for item in items {
            match item {
                Item::Invariant { kind, location, value, .. } => {
                    self.own_file(location)?;
                    let place = match kind {
                        InvariantKind::Loop => Place::LoopHead,
                        InvariantKind::Location => Place::Statement,
                        InvariantKind::LoopTransition => Place::LoopTransition,
                        InvariantKind::LocationTransition => {
                            return Ok(Err("relations at single locations are not supported".to_string()));
                        }
                    };
                    annotations.push(annotation(location, place, Role::Invariant, value));
                }
                Item::Contract { location, requires, ensures, .. } => {
                    self.own_file(location)?;
                    annotations.push(annotation(location, Place::Requires, Role::Invariant, requires));
                    annotations.push(annotation(location, Place::Ensures, Role::Invariant, ensures));
                }
            }
        }
        Ok(Ok(annotations))
    }

    fn correctness(&mut self, items: &[Item]) -> Result<Judgement, String> {
        let annotations = match self.annotations(items)? {
            Ok(annotations) => annotations,
            Err(why) => return Ok(Judgement::Unknown(why)),
        };
        if self.property.is_safety() {
            let source = self.with(&Woven { annotations, ..Woven::default() })?;
            if self.is_inductive(&source) {
                return Ok(Judgement::Confirmed);
            }
            return Ok(self.searched(&source, std::slice::from_ref(self.property), self.property));
        }
        // The invariants are a question of safety; the property is asked for on its own. A relation remembers
        // an earlier visit, so several of them in one program would multiply its states: each is asked for alone.
        let (relations, invariants): (Vec<_>, Vec<_>) =
            annotations.into_iter().partition(|a| a.place == Place::LoopTransition);
        let questions = std::iter::once(&invariants[..]).chain(relations.chunks(1));
        for question in questions.filter(|q| !q.is_empty()) {
            let source = self.with(&Woven { annotations: question.to_vec(), ..Woven::default() })?;
            match self.searched(&source, &[], &Property::UnreachCall) {
                Judgement::Confirmed => {}
                other => return Ok(other),
            }
        }
        let (plain, threads) = (self.source, Threads::Interleaved);
        let found = self.verify(also_checked(self.property), self.property, plain, threads, self.budget);
        Ok(match found.finding.outcome {
            Outcome::Holds(_) => Judgement::Confirmed,
            Outcome::Violated(_) | Outcome::NonTerminating(_) => {
                Judgement::Rejected(format!("the program violates {}", self.property.name()))
            }
            Outcome::Unknown(reason) => Judgement::Unknown(reason.to_string()),
        })
    }

    /// Are the invariants inductive as they are, and do they prove the property?
    fn is_inductive(&mut self, source: &Source) -> bool {
        let attempt = self.attempt(Threads::Interleaved, Integers::Unbounded);
        let property = self.property;
        let loaded = self.session(source).load(std::slice::from_ref(property), &attempt);
        let Loaded { mut pool, program, .. } = loaded;
        if !program.fidelity.unsound.is_empty() {
            return false;
        }
        let graph = Icfg::build(&program, &mut pool);
        if graph.has_threads() {
            return false;
        }
        let limits = ir::inline::InlineLimits::default();
        let Ok((inlined, _)) = ir::inline::inline_calls(&graph, &mut pool, &limits) else { return false };
        if inlined.has_calls() {
            return false;
        }
        let mut invariants = BTreeMap::new();
        for (loc, _) in inlined.locs.iter().filter(|(_, l)| l.is_loop_head) {
            let parts = asserted_at(&inlined, loc);
            invariants.insert(loc, pool.and(&parts));
        }
        let certificate = Certificate::Annotation(ir::Annotation { invariants, contracts: BTreeMap::new() });
        let budget = self.budget.share(DIRECT_SHARE);
        let options = check::Options { paranoid: false };
        check::check_certificate(&mut pool, &inlined, &certificate, options, &budget).is_ok()
    }

    /// Searches for executions that violate an invariant or the property.
    fn searched(&mut self, source: &Source, properties: &[Property], question: &Property) -> Judgement {
        // Invariants are about all executions.
        let found = self.verify(properties, question, source, Threads::Interleaved, self.budget);
        match &found.finding.outcome {
            Outcome::Holds(_) => Judgement::Confirmed,
            Outcome::Violated(violation) => {
                let check = &violation.run.check;
                let place = found.loaded.sources.show(check.span);
                let what = check.message.trim_end();
                match self.doubt(source, &found, violation) {
                    Some(reason) => Judgement::Unknown(reason),
                    None if check.property == Subproperty::WitnessInvariant => {
                        Judgement::Rejected(format!("{place}: {what}"))
                    }
                    None => Judgement::Rejected(format!("the program violates {}: {place}: {what}", question.name())),
                }
            }
            Outcome::NonTerminating(_) => Judgement::Unknown("an answer to another question".to_string()),
            Outcome::Unknown(reason) => Judgement::Unknown(reason.to_string()),
        }
    }

    /// An execution that does something undefined first proves nothing; why, if so.
    fn doubt(&mut self, source: &Source, found: &Verified, violation: &Violation) -> Option<String> {
        // Schedules cannot be replayed in another program.
        if !self.property.is_unreach_call() || found.loaded.program.has_threads() {
            return None;
        }
        let session = self.session(source);
        match replay_with_checks(&session, &found.attempt, violation, violation.run.check.property) {
            Replayed::Same => None,
            Replayed::Undefined(_, what) => Some(format!("the execution depends on undefined behaviour: {what}")),
            Replayed::Unclear => Some("the execution could not be repeated with all checks".to_string()),
        }
    }

    // ----- violation -----

    fn violation(&mut self, segments: &[Vec<Waypoint>]) -> Result<Judgement, String> {
        let cycle_start = segments.iter().position(|s| s.iter().any(|w| w.action == Action::Cycle));
        if cycle_start.is_some() != (*self.property == Property::Termination) {
            return Err(format!("its segments do not fit the property {}", self.property.name()));
        }
        let mut annotations = Vec::new();
        let mut target = None;
        for (i, segment) in segments.iter().enumerate() {
            let number = i as u32;
            for waypoint in segment {
                self.own_file(&waypoint.location)?;
                if waypoint.kind == WaypointKind::Target {
                    target = Some((waypoint.location.line, waypoint.location.column));
                    continue;
                }
                let next = if i + 1 == segments.len() { cycle_start.unwrap_or(0) as u32 } else { number + 1 };
                let role = match waypoint.action {
                    Action::Follow => Role::Follow(number),
                    Action::Avoid => Role::Avoid(number),
                    Action::Cycle => Role::Cycle(number, next),
                };
                match waypoint_annotation(waypoint, role) {
                    Ok(annotation) => annotations.push(annotation),
                    Err(why) => return Ok(Judgement::Unknown(why)),
                }
            }
        }
        let guide = Guide { final_segment: segments.len() as u32 - 1, target };
        // Threads that run one after the other violate many properties, too, and are found out soon.
        let properties = also_checked(self.property);
        let source = self.with(&Woven { annotations, guide: Some(guide), ..Woven::default() })?;
        let interleaved = self.attempt(Threads::Interleaved, Integers::Unbounded);
        let has_threads = self.session(&source).load(properties, &interleaved).program.has_threads();
        let first = if has_threads { self.budget.share(AT_ONCE_SHARE) } else { self.budget.clone() };
        let mut found = self.verify(properties, self.property, &source, Threads::AtOnce, &first);
        if has_threads && !found.finding.outcome.is_definite() && self.budget.check_now().is_ok() {
            found = self.verify(properties, self.property, &source, Threads::Interleaved, self.budget);
        }
        Ok(match &found.finding.outcome {
            Outcome::Holds(_) => {
                Judgement::Rejected(format!("no execution that takes this way violates {}", self.property.name()))
            }
            Outcome::Violated(violation) => match self.doubt(&source, &found, violation) {
                Some(reason) => Judgement::Unknown(reason),
                None => Judgement::Confirmed,
            },
            Outcome::NonTerminating(infinite) => {
                let (icfg, _) = graph_of_lasso(&infinite.graph, &found.loaded.pool);
                if infinite.lasso.cycle.iter().any(|s| changes_segment(&icfg, s.edge)) {
                    Judgement::Confirmed
                } else {
                    Judgement::Unknown("an endless execution was found, but not the one of the witness".to_string())
                }
            }
            Outcome::Unknown(reason) => Judgement::Unknown(reason.to_string()),
        })
    }
}

fn annotation(location: &Location, place: Place, role: Role, expression: &str) -> Annotation {
    Annotation { line: location.line, column: location.column, place, role, expression: expression.to_string() }
}

fn waypoint_annotation(waypoint: &Waypoint, role: Role) -> Result<Annotation, String> {
    let value = waypoint.constraint.as_ref().map_or("1", |c| c.0.as_str());
    let (place, expression) = match waypoint.kind {
        WaypointKind::Assumption => (Place::Statement, value.to_string()),
        WaypointKind::FunctionEnter => (Place::Call, "1".to_string()),
        WaypointKind::FunctionReturn => (Place::Return, value.to_string()),
        WaypointKind::Branching => {
            let outcome = match value.trim() {
                "true" => "\\result != 0".to_string(),
                "false" => "\\result == 0".to_string(),
                "default" => return Err("the default of a switch as a waypoint is not supported".to_string()),
                number => format!("\\result == ({number})"),
            };
            (Place::Branch, outcome)
        }
        WaypointKind::Target => return Err("a target must be followed".to_string()),
    };
    Ok(annotation(&waypoint.location, place, role, &expression))
}

/// The conditions of annotations that are checked right at a location, one after the other.
fn asserted_at(icfg: &Icfg, loc: ir::LocId) -> Vec<logic::TermId> {
    let mut conditions = Vec::new();
    let mut at = loc;
    loop {
        let [a, b] = *icfg.out_edges(at) else { return conditions };
        let is_violation = |e: ir::EdgeId| {
            icfg.locs[icfg.edges[e].dst]
                .error
                .as_ref()
                .is_some_and(|check| check.property == Subproperty::WitnessInvariant)
        };
        let passed = if is_violation(b) {
            a
        } else if is_violation(a) {
            b
        } else {
            return conditions;
        };
        let Label::Stmt(Stmt::Assume(condition)) = icfg.edges[passed].label else { return conditions };
        conditions.push(condition);
        at = icfg.edges[passed].dst;
        if at == loc || conditions.len() > icfg.edges.len() {
            return conditions;
        }
    }
}

/// Does a step move a guided execution to another segment?
fn changes_segment(icfg: &Icfg, edge: ir::EdgeId) -> bool {
    match &icfg.edges[edge].label {
        Label::Stmt(Stmt::Assign(pairs)) => {
            pairs.iter().any(|(v, _)| icfg.vars[*v].role == ir::VarRole::WitnessSegment)
        }
        _ => false,
    }
}
