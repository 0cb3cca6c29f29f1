//! `craig validate`: is the witness of someone right?
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

use crate::args::{CheckArgs, DataModel, Integers, Translation, ValidateArgs};
use crate::check::{self, Answer, LoadError, Loaded, Outcome};
use crate::{exit, limits, property, threads};
use base::Budget;
use c::annotate::{Annotation, Guide, INVARIANT, Place, Role};
use ir::{Certificate, Icfg, Label, Property, Stmt};
use report::sha256;
use report::witness::{Action, Content, Entry, InvariantKind, Item, Location, Waypoint, WaypointKind, read};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

/// What is said of a witness.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Judgement {
    Confirmed,
    Rejected(String),
    Unknown(String),
}

impl Judgement {
    fn result(&self) -> String {
        match self {
            Judgement::Confirmed => "confirmed".to_string(),
            Judgement::Rejected(why) => format!("rejected({why})"),
            Judgement::Unknown(why) => format!("unknown({why})"),
        }
    }
    fn exit_status(&self) -> u8 {
        match self {
            Judgement::Confirmed => exit::HOLDS,
            Judgement::Rejected(_) => exit::VIOLATED,
            Judgement::Unknown(_) => exit::UNKNOWN,
        }
    }
}

pub fn run(args: &ValidateArgs) -> u8 {
    let budget = Budget::with_timeout(args.timeout).with_memory_limit(args.memory);
    let witness = args.witness.display().to_string();
    let last_words = {
        let witness = witness.clone();
        move |reason: &str| limits::LastWords {
            stdout: format!("{witness}: neither confirmed nor rejected: {reason}\nRESULT: unknown({reason})\n"),
            stderr: String::new(),
            status: exit::UNKNOWN,
        }
    };
    let _watcher = limits::Watcher::start(&budget, args.timeout, args.memory, last_words);
    limits::cancel_on_interrupt(&budget);
    let (entries, asked) = match read_all(args) {
        Ok(read) => read,
        Err(message) => {
            eprintln!("craig: {message}");
            return exit::BAD_INPUT;
        }
    };
    let mut judgement = Judgement::Confirmed;
    for entry in &entries {
        let task = Validation { path: &args.program, property: &asked.property, args: &asked.args, budget: &budget };
        judgement = match (judgement, task.judge(entry)) {
            (_, Err(message)) => {
                eprintln!("craig: {witness}: {message}");
                return exit::BAD_INPUT;
            }
            (Judgement::Rejected(why), _) | (_, Ok(Judgement::Rejected(why))) => Judgement::Rejected(why),
            (Judgement::Unknown(why), _) | (_, Ok(Judgement::Unknown(why))) => Judgement::Unknown(why),
            (Judgement::Confirmed, Ok(Judgement::Confirmed)) => Judgement::Confirmed,
        };
    }
    if limits::claim_answer() {
        match &judgement {
            Judgement::Confirmed => println!("{witness}: confirmed for {}", asked.property.name()),
            Judgement::Rejected(why) => println!("{witness}: rejected: {why}"),
            Judgement::Unknown(why) => println!("{witness}: neither confirmed nor rejected: {why}"),
        }
        println!("RESULT: {}", judgement.result());
    }
    judgement.exit_status()
}

struct Asked {
    property: Property,
    args: CheckArgs,
}

/// Reads program and witness and checks that they belong together.
fn read_all(args: &ValidateArgs) -> Result<(Vec<Entry>, Asked), String> {
    let name = args.witness.display();
    let program = std::fs::read(&args.program)
        .map_err(|e| format!("cannot read the program {}: {e}; check the path", args.program.display()))?;
    let text =
        std::fs::read(&args.witness).map_err(|e| format!("cannot read the witness {name}: {e}; check the path"))?;
    let entries = read::entries(&String::from_utf8_lossy(&text)).map_err(|why| {
        format!(
            "{name}: {why}\ncraig: a witness looks like what `craig check --witness FILE` writes; see docs/witnesses.md"
        )
    })?;
    let hash = sha256::hex(&program);
    let mut asked: Option<Asked> = None;
    for entry in &entries {
        check_hash(entry, &args.program, &hash).map_err(|why| format!("{name}: {why}"))?;
        let property = which_property(entry, args).map_err(|why| format!("{name}: {why}"))?;
        let data_model = match (args.data_model, entry.task.data_model.as_str()) {
            (Some(model), _) => model,
            (None, "ILP32" | "") => DataModel::Ilp32,
            (None, "LP64") => DataModel::Lp64,
            (None, other) => {
                return Err(format!("{name}: unknown data model '{other}'; use --data-model ILP32 or LP64"));
            }
        };
        if !matches!(entry.task.language.as_str(), "C" | "") {
            return Err(format!(
                "{name}: it is about a program in {}; craig validates witnesses of C",
                entry.task.language
            ));
        }
        if asked.as_ref().is_some_and(|a| a.property != property) {
            return Err(format!("{name}: its entries are about different properties; name one with --property"));
        }
        asked.get_or_insert_with(|| Asked {
            property,
            args: CheckArgs {
                data_model,
                c: args.c.clone(),
                timeout: args.timeout,
                memory: args.memory,
                // In turns, so that the same witness gets the same answer.
                jobs: Some(1),
                ..CheckArgs::of(&args.program)
            },
        });
    }
    let asked = asked.ok_or_else(|| format!("{name}: there is no entry in this witness"))?;
    Ok((entries, asked))
}

/// The hash of the file with this name, or the only one, must be the program's.
fn check_hash(entry: &Entry, path: &Path, hash: &str) -> Result<(), String> {
    let base = |p: &str| Path::new(p).file_name().map(|n| n.to_os_string());
    let hashes = &entry.task.input_file_hashes;
    let same_name = hashes.iter().find(|(file, _)| base(file).as_deref() == path.file_name());
    let expected = match (same_name, &hashes[..]) {
        (Some((_, expected)), _) | (None, [(_, expected)]) => expected,
        (None, _) => return Ok(()),
    };
    if expected.eq_ignore_ascii_case(hash) {
        return Ok(());
    }
    Err(format!(
        "it was made for another program: it names the SHA-256 {expected}, but {} has {hash}; use the program as it was, or \
         make a new witness",
        path.display()
    ))
}

fn which_property(entry: &Entry, args: &ValidateArgs) -> Result<Property, String> {
    let named = property::from_file_text(&entry.task.specification);
    match &args.property {
        Some(wanted) => {
            let wanted = property::parse(wanted)?;
            if !named.is_empty() && !named.contains(&wanted) {
                let named: Vec<&str> = named.iter().map(|p| p.name()).collect();
                return Err(format!(
                    "it is about {}, not about {}; leave out --property, or use another witness",
                    named.join(", "),
                    wanted.name()
                ));
            }
            Ok(wanted)
        }
        None => match &named[..] {
            [property] => Ok(property.clone()),
            [] => Err(format!(
                "its specification '{}' is no property that craig knows; name one with --property",
                entry.task.specification
            )),
            _ => Err("it is about several properties; name one with --property".to_string()),
        },
    }
}

/// Does an item of a correctness witness hold? For items that a proof suggests but does not imply.
pub fn holds(path: &Path, property: &Property, args: &CheckArgs, item: &Item, budget: &Budget) -> bool {
    let validation = Validation { path, property, args, budget };
    let Ok(Ok(annotations)) = validation.annotations(std::slice::from_ref(item)) else { return false };
    validation.searched(&annotations, &[], &Property::UnreachCall) == Ok(Judgement::Confirmed)
}

struct Validation<'a> {
    path: &'a Path,
    property: &'a Property,
    args: &'a CheckArgs,
    budget: &'a Budget,
}

/// The shares of the time for a proof as it stands, for mathematical integers where words are more exact, and for
/// threads that run one after the other.
const DIRECT_SHARE: f64 = 0.3;
const FIRST_ATTEMPT: f64 = 0.5;
const AT_ONCE_SHARE: f64 = 0.3;

/// A budget with a share of the time that is left.
fn share(budget: &Budget, share: f64) -> Budget {
    match budget.remaining() {
        Some(left) => budget.child(left.mul_f64(share)),
        None => budget.clone(),
    }
}

/// How a witness is put into the program.
struct Woven<'a> {
    annotations: &'a [Annotation],
    guide: Option<Guide>,
    /// All schedules of the threads, or each thread run to its end where it is created?
    interleaved: bool,
}

impl Woven<'_> {
    /// Invariants are about all executions.
    fn everywhere(annotations: &[Annotation]) -> Woven<'_> {
        Woven { annotations, guide: None, interleaved: true }
    }
}

impl Validation<'_> {
    /// The error is one of the input.
    fn judge(&self, entry: &Entry) -> Result<Judgement, String> {
        match &entry.content {
            Content::Invariants(items) => self.correctness(items),
            Content::Violation(segments) => self.violation(segments),
        }
    }

    fn own_file(&self, location: &Location) -> Result<(), String> {
        let base = Path::new(&location.file_name).file_name();
        if location.file_name.is_empty() || base == self.path.file_name() {
            return Ok(());
        }
        Err(format!("it speaks about the file {}, which is not {}", location.file_name, self.path.display()))
    }

    fn options(&self, properties: &[Property], woven: &Woven<'_>, exact: bool) -> c::Options {
        let integers = if exact { Integers::Bitvec } else { Integers::Int };
        let translation = Translation { interleaved: woven.interleaved, no_wrap: false };
        let args = CheckArgs { integers, translation, ..self.args.clone() };
        let (annotations, guide) = (woven.annotations.to_vec(), woven.guide);
        c::Options { annotations, guide, ..check::c_options(properties, &args) }
    }

    fn load(&self, options: c::Options) -> Result<Loaded, String> {
        check::load_with(self.path, &self.args.c, options)
            .map_err(|LoadError::BadInput(m)| m.to_string().trim_end().to_string())
    }

    /// Verifies the annotated program, over words if mathematical integers were too coarse; was that so?
    fn verify(
        &self,
        properties: &[Property],
        question: &Property,
        woven: &Woven<'_>,
        budget: &Budget,
    ) -> Result<(Loaded, Outcome, bool), String> {
        let mut exact = false;
        let mut loaded = self.load(self.options(properties, woven, false))?;
        let is_coarse = |l: &Loaded| !l.program.fidelity.imprecise.is_empty() || !l.program.fidelity.unsound.is_empty();
        let first = if is_coarse(&loaded) { share(budget, FIRST_ATTEMPT) } else { budget.clone() };
        if loaded.program.has_threads()
            && question.is_safety()
            && let Some(outcome) = threads::answer_as_it_is(&mut loaded, self.args, &first, Instant::now())
        {
            return Ok((loaded, outcome, exact));
        }
        let mut outcome = check::verify(&mut loaded, question, self.args, &first, Instant::now());
        if is_coarse(&loaded) && matches!(outcome.answer, Answer::Unknown(_)) && budget.check_now().is_ok() {
            exact = true;
            loaded = self.load(self.options(properties, woven, exact))?;
            outcome = check::verify(&mut loaded, question, self.args, budget, Instant::now());
        }
        Ok((loaded, outcome, exact))
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

    fn correctness(&self, items: &[Item]) -> Result<Judgement, String> {
        let annotations = match self.annotations(items)? {
            Ok(annotations) => annotations,
            Err(why) => return Ok(Judgement::Unknown(why)),
        };
        if self.property.is_safety() {
            if self.is_inductive(&annotations)? {
                return Ok(Judgement::Confirmed);
            }
            return self.searched(&annotations, std::slice::from_ref(self.property), self.property);
        }
        // The invariants are a question of safety; the property is asked for on its own. A relation remembers
        // an earlier visit, so several of them in one program would multiply its states: each is asked for alone.
        let (relations, invariants): (Vec<_>, Vec<_>) =
            annotations.into_iter().partition(|a| a.place == Place::LoopTransition);
        let questions = std::iter::once(&invariants[..]).chain(relations.chunks(1));
        for question in questions.filter(|q| !q.is_empty()) {
            match self.searched(question, &[], &Property::UnreachCall)? {
                Judgement::Confirmed => {}
                other => return Ok(other),
            }
        }
        let plain = Woven::everywhere(&[]);
        let (_, outcome, _) = self.verify(check::also_checked(self.property), self.property, &plain, self.budget)?;
        Ok(match outcome.answer {
            Answer::Holds(_) => Judgement::Confirmed,
            Answer::Violated(_) | Answer::NonTerminating(_) => {
                Judgement::Rejected(format!("the program violates {}", self.property.name()))
            }
            Answer::Unknown(reason) => Judgement::Unknown(reason.to_string()),
        })
    }

    /// Are the invariants inductive as they are, and do they prove the property?
    fn is_inductive(&self, annotations: &[Annotation]) -> Result<bool, String> {
        let woven = Woven::everywhere(annotations);
        let options = self.options(std::slice::from_ref(self.property), &woven, false);
        let Loaded { mut pool, program, .. } = self.load(options)?;
        if !program.fidelity.unsound.is_empty() {
            return Ok(false);
        }
        let graph = Icfg::build(&program, &mut pool);
        if graph.has_threads() {
            return Ok(false);
        }
        let limits = ir::inline::InlineLimits::default();
        let Ok((inlined, _)) = ir::inline::inline_calls(&graph, &mut pool, &limits) else { return Ok(false) };
        if inlined.has_calls() {
            return Ok(false);
        }
        let mut invariants = BTreeMap::new();
        for (loc, _) in inlined.locs.iter().filter(|(_, l)| l.is_loop_head) {
            let parts = asserted_at(&inlined, loc);
            invariants.insert(loc, pool.and(&parts));
        }
        let certificate = Certificate::Annotation(ir::Annotation { invariants, contracts: BTreeMap::new() });
        let budget = share(self.budget, DIRECT_SHARE);
        let options = ::check::Options { paranoid: false };
        Ok(::check::check_certificate(&mut pool, &inlined, &certificate, options, &budget).is_ok())
    }

    /// Searches for executions that violate an invariant or the property.
    fn searched(
        &self,
        annotations: &[Annotation],
        properties: &[Property],
        question: &Property,
    ) -> Result<Judgement, String> {
        let woven = Woven::everywhere(annotations);
        let (loaded, outcome, exact) = self.verify(properties, question, &woven, self.budget)?;
        Ok(match &outcome.answer {
            Answer::Holds(_) => Judgement::Confirmed,
            Answer::Violated(run) => {
                let place = loaded.sources.show(run.check.span);
                let what = run.check.message.trim_end();
                match self.doubt(&woven, &loaded, &outcome, exact) {
                    Some(reason) => Judgement::Unknown(reason),
                    None if run.check.property == INVARIANT => Judgement::Rejected(format!("{place}: {what}")),
                    None => Judgement::Rejected(format!("the program violates {}: {place}: {what}", question.name())),
                }
            }
            Answer::NonTerminating(_) => Judgement::Unknown("an answer to another question".to_string()),
            Answer::Unknown(reason) => Judgement::Unknown(reason.to_string()),
        })
    }

    /// An execution that does something undefined first proves nothing; why, if so.
    fn doubt(&self, woven: &Woven<'_>, loaded: &Loaded, outcome: &Outcome, exact: bool) -> Option<String> {
        let (Answer::Violated(run), Some(of)) = (&outcome.answer, &outcome.original) else { return None };
        // Schedules cannot be repeated in another program.
        if *self.property != Property::UnreachCall || loaded.program.has_threads() {
            return None;
        }
        let strict = [Property::UnreachCall, Property::NoOverflow, Property::ValidMemsafety];
        let mut reason = "the execution could not be repeated with all checks".to_string();
        for checks in [&strict[..], &strict[..2]] {
            let Ok(mut again) = self.load(self.options(checks, woven, exact)) else { continue };
            let graph = Icfg::build(&again.program, &mut again.pool);
            match ir::interp::drive(&graph, &again.pool, run, of) {
                ir::interp::Driven::Error(found) if found.property == run.check.property => return None,
                ir::interp::Driven::Error(found) if found.property == "valid-memtrack" => return None,
                ir::interp::Driven::Error(found) => {
                    reason = format!("the execution depends on undefined behaviour: {}", found.message.trim_end());
                    break;
                }
                ir::interp::Driven::NoError => {}
            }
        }
        Some(reason)
    }

    // ----- violation -----

    fn violation(&self, segments: &[Vec<Waypoint>]) -> Result<Judgement, String> {
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
        let properties = check::also_checked(self.property);
        let mut woven = Woven { annotations: &annotations, guide: Some(guide), interleaved: true };
        let has_threads = self.load(self.options(properties, &woven, false))?.program.has_threads();
        woven.interleaved = false;
        let first = if has_threads { share(self.budget, AT_ONCE_SHARE) } else { self.budget.clone() };
        let (mut loaded, mut outcome, mut exact) = self.verify(properties, self.property, &woven, &first)?;
        if has_threads && matches!(outcome.answer, Answer::Unknown(_)) && self.budget.check_now().is_ok() {
            woven.interleaved = true;
            (loaded, outcome, exact) = self.verify(properties, self.property, &woven, self.budget)?;
        }
        Ok(match &outcome.answer {
            Answer::Holds(_) => {
                Judgement::Rejected(format!("no execution that takes this way violates {}", self.property.name()))
            }
            Answer::Violated(_) => match self.doubt(&woven, &loaded, &outcome, exact) {
                Some(reason) => Judgement::Unknown(reason),
                None => Judgement::Confirmed,
            },
            Answer::NonTerminating(found) => {
                let passes = outcome.icfg.as_ref().is_some_and(|icfg| {
                    let pool = outcome.pool.as_ref().unwrap_or(&loaded.pool);
                    let (icfg, _) = crate::show::graph_of_lasso(icfg, pool);
                    found.cycle.iter().any(|s| changes_segment(&icfg, s.edge))
                });
                if passes {
                    Judgement::Confirmed
                } else {
                    Judgement::Unknown("an endless execution was found, but not the one of the witness".to_string())
                }
            }
            Answer::Unknown(reason) => Judgement::Unknown(reason.to_string()),
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
            icfg.locs[icfg.edges[e].dst].error.as_ref().is_some_and(|check| check.property == INVARIANT)
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
        Label::Stmt(Stmt::Assign(pairs)) => pairs.iter().any(|(v, _)| icfg.vars[*v].name == "#segment"),
        _ => false,
    }
}
