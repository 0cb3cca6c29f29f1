//! Validation of witnesses.
//!
//! A *correctness witness* is woven into the program ([`c::annotate`]): its invariants become checks. If they are
//! inductive as they stand and prove the property, the certificate checker says so and no search is needed. Otherwise
//! the engines search the program with the checks; what they prove confirms the witness, an execution that
//! violates an invariant, or the property, rejects it.
//!
//! A *violation witness* restricts the program to the executions it describes. One that violates the property and
//! replays confirms it; a proof that there is none rejects it. The first execution that is tried takes the constants of
//! the witness ([`followed`]).
//!
//! Witnesses of the old format (GraphML) say less about places. What they say is read as well as possible: it may be
//! enough to confirm such a witness; it is rejected only where the program itself contradicts it.
//!
//! In all other cases the answer is that neither was possible, with the reason.

use crate::asserted;
use crate::certify::{Claim, Effort, certify};
use crate::followed::{self, Constants, Followed};
use crate::graphs::{Graphs, View, graph_of_lasso};
use crate::load::{Loaded, Source, Woven, also_checked};
use crate::observer::{Observer, Silent, Watch};
use crate::outcome::{Finding, Outcome, Violation};
use crate::plan;
use crate::question::Question;
use crate::session::{Attempt, Reuse, Session};
use crate::settings::{Engines, Settings};
use crate::undefined::{Replayed, replay_with_checks};
use crate::verify::verify;
use base::{Budget, Id};
use c::annotate::{Annotation, GhostUpdate, GhostVariable, Ghosts, Guide, Place, Role};
use c::lower::{Integers, Threads};
use ir::{Certificate, Icfg, Label, Property, Stmt, Subproperty, Verdict};
use report::witness::{Action, Content, Entry, InvariantKind, Item, Location, Waypoint, WaypointKind};
use std::collections::BTreeMap;
use std::path::Path;

/// The judgement of a witness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Judgement {
    Confirmed,
    Rejected(String),
    Unknown(String),
}

/// Judges a witness by all its entries. The error is one of the input.
pub fn judge(
    question: &Question<'_>,
    entries: &[Entry],
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Judgement, String> {
    let mut validation = Validation::new(question, budget, observer);
    for entry in entries {
        if let Content::Ghosts(ghosts) = &entry.content {
            let variables = ghosts.variables.iter().map(|v| GhostVariable {
                name: v.name.clone(),
                ty: v.ty.clone(),
                initial: v.initial.clone(),
            });
            validation.ghosts.variables.extend(variables);
            for update in &ghosts.updates {
                validation.own_file(&update.location)?;
                validation.ghosts.updates.push(GhostUpdate {
                    line: update.location.line,
                    column: update.location.column,
                    variable: update.variable.clone(),
                    value: update.value.clone(),
                });
            }
        }
    }
    // Ghost variables alone claim that the property holds.
    let no_invariants = Content::Invariants(Vec::new());
    let mut claims: Vec<(&Content, bool)> = entries
        .iter()
        .filter(|e| !matches!(e.content, Content::Ghosts(_)))
        .map(|e| (&e.content, e.is_old_format()))
        .collect();
    if claims.is_empty() {
        claims.push((&no_invariants, false));
    }
    let mut unclear = None;
    for (content, is_old) in claims {
        validation.is_old_format = is_old;
        let judged = match content {
            Content::Invariants(items) => validation.correctness(items)?,
            Content::Violation(segments) => validation.violation(segments)?,
            Content::Ghosts(_) => Judgement::Confirmed,
        };
        match judged {
            Judgement::Confirmed => {}
            Judgement::Rejected(why) => return Ok(Judgement::Rejected(why)),
            Judgement::Unknown(why) => unclear = Some(Judgement::Unknown(why)),
        }
    }
    Ok(unclear.unwrap_or(Judgement::Confirmed))
}

/// Does an item of a correctness witness hold? For items that a proof suggests but does not imply.
pub(crate) fn holds(question: &Question<'_>, item: &Item, budget: &Budget) -> bool {
    let mut silent = Silent;
    let mut validation = Validation::new(question, budget, &mut silent);
    let Ok(Ok(annotations)) = validation.annotations(std::slice::from_ref(item)) else { return false };
    let Ok(Ok(source)) = validation.with(annotations, None) else { return false };
    validation.searched(&source, &[], &Property::UnreachCall) == Judgement::Confirmed
}

struct Validation<'a> {
    source: &'a Source,
    property: &'a Property,
    settings: &'a Settings,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    ghosts: Ghosts,
    /// Its places are only lines, and not all that it says is read.
    is_old_format: bool,
}

/// The shares of the time for a proof as it stands, for mathematical integers where words are more exact, and for
/// threads that run one after the other.
const DIRECT_SHARE: f64 = 0.3;
const FIRST_ATTEMPT: f64 = 0.5;
const AT_ONCE_SHARE: f64 = 0.3;
/// For the execution with the constants of the witness.
const FOLLOWED_SHARE: f64 = 0.3;
/// For small state spaces and loops with few iterations, with their shares of the time; the strategy tries these first
/// as well ([`crate::plan`]).
const BOUNDED_ENGINES: [(&str, Integers, f64); 2] =
    [("explicit-states", Integers::Unbounded, 0.04), ("unwinding", Integers::Words, 0.3)];
/// The engines for threads that run before the engines on the product, with shares of the time.
const THREAD_ENGINES: [(&str, f64); 3] = [("lock-sets", 0.25), ("states", 0.25), ("schedules", 0.35)];

/// The result of a search in the annotated program: the program, the answer, and how the program was translated.
struct Verified {
    loaded: Loaded,
    finding: Finding,
    attempt: Attempt,
}

impl<'a> Validation<'a> {
    fn new(question: &Question<'a>, budget: &'a Budget, observer: &'a mut dyn Observer) -> Validation<'a> {
        let Question { source, property, settings, .. } = *question;
        let ghosts = Ghosts::default();
        Validation { source, property, settings, budget, observer, ghosts, is_old_format: false }
    }

    /// A search in the program with what the witness says about it.
    fn session<'b>(&'b mut self, source: &'b Source) -> Session<'b> {
        let Validation { property, settings, .. } = *self;
        Session { source, property, settings, settled: &[], reuse: &[], tally: None, watch: Watch::new(self.observer) }
    }

    /// The program with what the witness says about it; the inner error says what is not supported.
    fn with(&self, annotations: Vec<Annotation>, guide: Option<Guide>) -> Result<Result<Source, Judgement>, String> {
        let ghosts = self.ghosts.clone();
        match self.source.with(&Woven { annotations, guide, ghosts, ..Woven::default() }) {
            Ok(source) => Ok(Ok(source)),
            Err(why) if why.is_unsupported || self.is_old_format => {
                let messages: Vec<&str> = why.problems.iter().map(|p| p.message.as_str()).collect();
                Ok(Err(Judgement::Unknown(messages.join("; "))))
            }
            Err(why) => Err(why.to_string().trim_end().to_string()),
        }
    }

    fn attempt(&self, threads: Threads, integers: Integers) -> Attempt {
        let (engines, n_jobs) = (self.settings.engines, self.settings.n_jobs);
        Attempt { integers, threads, no_wrap: false, engines, n_jobs, reuse: Reuse::Nothing, proofs_only: false }
    }

    fn own_file(&self, location: &Location) -> Result<(), String> {
        let base = Path::new(&location.file_name).file_name();
        if location.file_name.is_empty() || base == self.source.path.file_name() {
            return Ok(());
        }
        Err(format!("it speaks about the file {}, which is not {}", location.file_name, self.source.path.display()))
    }

    /// Verifies the annotated program, over bit-vectors if mathematical integers were too coarse.
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
        if !loaded.program.has_threads() && attempt.engines.is_auto() {
            for (name, integers, share) in BOUNDED_ENGINES {
                let only = Attempt { engines: Engines::Only(plan::named(name)), integers, ..attempt };
                if !plan::named(name).supports(question) {
                    continue;
                }
                let mut bounded = session.load(properties, &only);
                let own = budget.share(share);
                let finding = verify(&mut session, &only, &mut bounded, question, (&own, &own));
                if finding.outcome.is_definite() {
                    return Verified { loaded: bounded, finding, attempt: only };
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
                        InvariantKind::Everywhere => {
                            return Ok(Err("invariants without a place are not supported".to_string()));
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
            let source = match self.with(annotations, None)? {
                Ok(source) => source,
                Err(unsupported) => return Ok(unsupported),
            };
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
            let source = match self.with(question.to_vec(), None)? {
                Ok(source) => source,
                Err(unsupported) => return Ok(unsupported),
            };
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
        let Ok(graphs) = Graphs::new(&mut pool, graph) else { return false };
        let graph = graphs.view(View::Flat);
        let certificate = Certificate::Annotation(asserted::annotation(&mut pool, graph));
        let budget = self.budget.share(DIRECT_SHARE);
        let options = check::Options { paranoid: false };
        check::check_certificate(&mut pool, graph, &certificate, options, &budget).is_ok()
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
                    None if check.property == Subproperty::WitnessInvariant && self.is_old_format => {
                        Judgement::Unknown(format!("{place}: {what}; but a witness in GraphML says only roughly where"))
                    }
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

    /// Why an execution does not count, if undefined behaviour precedes the violation.
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
                if self.is_old_format && waypoint.kind == WaypointKind::Assumption {
                    // Where exactly it is to hold is not said. Its constants are used all the same.
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
        let properties = also_checked(self.property);
        let source = match self.with(annotations, Some(guide))? {
            Ok(source) => source,
            Err(unsupported) => return Ok(unsupported),
        };
        let names_threads = segments.iter().flatten().any(|w| w.thread.is_some());
        if self.property.is_safety() && !names_threads && self.is_followed(&source, segments) {
            return Ok(Judgement::Confirmed);
        }
        // Sequentialised threads show many violations quickly.
        let interleaved = self.attempt(Threads::Interleaved, Integers::Unbounded);
        let has_threads = self.session(&source).load(properties, &interleaved).program.has_threads();
        let (first, threads) = match (has_threads, names_threads) {
            (true, true) => (self.budget.clone(), Threads::Interleaved),
            (true, false) => (self.budget.share(AT_ONCE_SHARE), Threads::AtOnce),
            (false, _) => (self.budget.clone(), Threads::AtOnce),
        };
        let mut found = self.verify(properties, self.property, &source, threads, &first);
        if has_threads && !names_threads && !found.finding.outcome.is_definite() && self.budget.check_now().is_ok() {
            found = self.verify(properties, self.property, &source, Threads::Interleaved, self.budget);
        }
        Ok(match &found.finding.outcome {
            Outcome::Holds(_) if self.is_old_format => {
                let what = "no execution was found that takes this way, but a witness in GraphML says only roughly where it is";
                Judgement::Unknown(what.to_string())
            }
            Outcome::Holds(_) => {
                Judgement::Rejected(format!("no execution that takes this way violates {}", self.property.name()))
            }
            Outcome::Violated(violation) => match self.doubt(&source, &found, violation) {
                Some(reason) => Judgement::Unknown(reason),
                None if !passed_by_threads(violation, segments) => {
                    Judgement::Unknown("the execution that was found passes the waypoints in other threads".to_string())
                }
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

    /// Does the execution with the constants of the witness violate the property?
    fn is_followed(&mut self, source: &Source, segments: &[Vec<Waypoint>]) -> bool {
        let constants = followed::constants(segments);
        let budget = self.budget.share(FOLLOWED_SHARE);
        for integers in [Integers::Unbounded, Integers::Words] {
            let attempt = self.attempt(Threads::AtOnce, integers);
            let Some((found, is_exact)) = self.execute(source, attempt, &constants, &budget) else { return false };
            if let Outcome::Violated(violation) = &found.finding.outcome
                && self.doubt(source, &found, violation).is_none()
            {
                return true;
            }
            if is_exact {
                return false;
            }
        }
        false
    }

    /// Executes the program with the constants of the witness; also whether the translation is exact. `None`: it cannot
    /// be executed.
    fn execute(
        &mut self,
        source: &Source,
        attempt: Attempt,
        constants: &[Constants],
        budget: &Budget,
    ) -> Option<(Verified, bool)> {
        let (property, paranoid) = (self.property, self.settings.paranoid);
        let mut loaded = self.session(source).load(also_checked(property), &attempt);
        let graph = Icfg::build(&loaded.program, &mut loaded.pool);
        if graph.has_threads() {
            return None;
        }
        let fidelity = loaded.program.fidelity.clone();
        let is_exact = fidelity.imprecise.is_empty() && fidelity.unsound.is_empty();
        let Loaded { pool, program, sources } = &loaded;
        let guide = followed::execution(&Followed { icfg: &graph, pool, program, sources }, constants, budget);
        let verdict = match guide {
            Some(guide) => match exec::guided::listed(&graph, pool, &guide) {
                Some(found) if guide.n_steps <= exec::guided::MAX_LISTED => Verdict::Violated(found),
                _ => Verdict::ViolatedFar(guide),
            },
            None => Verdict::Unknown(ir::Reason::Incomplete("no violation".to_string())),
        };
        let claim = Claim { property: property.clone(), fidelity, options: check::Options { paranoid } };
        let graphs = Graphs::single(graph);
        let outcome = certify(&mut loaded.pool, &graphs, View::Original, verdict, &claim, Effort::Plain, budget);
        Some((Verified { loaded, finding: Finding::new(outcome, "witness"), attempt }, is_exact))
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
                c::annotate::DEFAULT => c::annotate::DEFAULT.to_string(),
                number => format!("\\result == ({number})"),
            };
            (Place::Branch, outcome)
        }
        WaypointKind::Target => return Err("a target must be followed".to_string()),
    };
    Ok(annotation(&waypoint.location, place, role, &expression))
}

/// Do the threads of an execution pass the waypoints as these say? Thread 0 is the one that starts; numbers of others
/// only tell them apart.
fn passed_by_threads(violation: &Violation, segments: &[Vec<Waypoint>]) -> bool {
    if segments.iter().flatten().all(|w| w.thread.is_none()) {
        return true;
    }
    let (icfg, run) = (&violation.original, &violation.run);
    let mut lanes = BTreeMap::from([(0, 0)]);
    let mut passes = |segment: usize, lane: u32| {
        let followed = segments.get(segment).into_iter().flatten().filter(|w| w.action != Action::Avoid);
        followed.filter_map(|w| w.thread).all(|thread| {
            let is_new = !lanes.contains_key(&thread) && !lanes.values().any(|&l| l == lane);
            if is_new {
                lanes.insert(thread, lane);
            }
            lanes.get(&thread) == Some(&lane)
        })
    };
    let mut segment = 0;
    let mut lane = 0;
    for step in &run.steps {
        lane = match &violation.lanes {
            Some(lanes) => lanes.of_edge.get(step.edge.index()).copied().unwrap_or(u32::MAX),
            None => 0,
        };
        let moved = step.changed.iter().find(|(v, _)| icfg.vars[*v].role == ir::VarRole::WitnessSegment);
        let Some(now) = moved.and_then(|(_, value)| crate::numbers::signed(value)) else { continue };
        let Ok(now) = usize::try_from(&now) else { return false };
        if !(segment..now).all(|s| passes(s, lane)) {
            return false;
        }
        segment = now;
    }
    run.is_whole() && segment + 1 == segments.len() && passes(segment, lane)
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
