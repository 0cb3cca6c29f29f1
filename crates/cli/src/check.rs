//! `craig check`: from a file to a certified, printed verdict.

use crate::args::{Blocks, CArgs, CheckArgs, Complement, DataModel, Format, Integers, Translation};
use crate::{all, evidence, exit, limits, many, portfolio, property, show, threads};
use base::{Budget, Diagnostic, SourceMap};
use engine::Stats;
use ir::blocks::BlockMode;
use ir::interleave::{Interleaved, ThreadLimits};
use ir::{Icfg, Program, Property, Reason, Verdict};
use logic::TermPool;
use report::Problem;
use std::path::Path;
use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant};

/// A program after the front end, with everything needed to talk about it.
pub struct Loaded {
    pub sources: SourceMap,
    pub pool: TermPool,
    pub program: Program,
    /// Every file that was read or looked for.
    pub inputs: Vec<report::Input>,
}

/// What became of one file.
pub struct Outcome {
    pub answer: Answer,
    pub stats: Stats,
    pub phases: Vec<(String, Duration)>,
    pub engine: String,
    pub wall: Duration,
    /// Facts found on the way that are worth telling when there is no answer.
    pub known: Vec<String>,
    /// The graph a proof speaks about, and its terms if they are not the loaded ones.
    pub icfg: Option<Icfg>,
    /// From that graph back to the one as built, if they differ.
    pub map: Option<ir::inline::InlineMap>,
    pub pool: Option<TermPool>,
    /// The graph as built, which executions speak about.
    pub original: Option<Icfg>,
    /// If that graph has copies of the program's variables: each copy with its original.
    pub copies: Option<Vec<(ir::VarId, ir::VarId)>>,
}

impl Outcome {
    fn unknown(reason: Reason, began: Instant) -> Outcome {
        Outcome::new(Answer::Unknown(reason), "", began)
    }
    pub fn new(answer: Answer, engine: &str, began: Instant) -> Outcome {
        Outcome {
            answer,
            stats: Stats::default(),
            phases: Vec::new(),
            engine: engine.to_string(),
            wall: began.elapsed(),
            known: Vec::new(),
            icfg: None,
            map: None,
            pool: None,
            original: None,
            copies: None,
        }
    }
}

/// A verdict after its evidence was checked.
pub enum Answer {
    Holds(ir::Certificate),
    Violated(ir::interp::Run),
    /// An execution of the inlined graph that never ends.
    NonTerminating(Box<ir::NonTermination>),
    Unknown(Reason),
}

impl Answer {
    /// The text after `RESULT: `.
    pub fn result(&self) -> String {
        match self {
            Answer::Holds(_) => "true".to_string(),
            Answer::Violated(run) => format!("false({})", run.check.property),
            Answer::NonTerminating(_) => "false(termination)".to_string(),
            Answer::Unknown(reason) => format!("unknown({reason})"),
        }
    }
    pub fn exit_status(&self) -> u8 {
        match self {
            Answer::Holds(_) => exit::HOLDS,
            Answer::Violated(..) | Answer::NonTerminating(_) => exit::VIOLATED,
            Answer::Unknown(_) => exit::UNKNOWN,
        }
    }
}

pub fn run(args: &CheckArgs) -> u8 {
    let properties = match property::parse_all(&args.property) {
        Ok(properties) => properties,
        Err(message) => return usage_error(&message),
    };
    if args.engine != "auto" && engine::engine_by_name(&args.engine).is_none() {
        let names: Vec<&str> = engine::engines().iter().map(|e| e.name()).collect();
        return usage_error(&format!("unknown engine '{}'; use auto, {}", args.engine, names.join(", ")));
    }
    let questions: Vec<(&Path, &Property)> =
        args.files.iter().flat_map(|f| properties.iter().map(move |p| (f.as_path(), p))).collect();
    let collection = args.files.iter().find(|f| many::is_collection(f));
    if questions.len() > 1 || collection.is_some() {
        let single = [("--witness", &args.witness), ("--harness", &args.harness), ("--report", &args.report)];
        if let Some((name, _)) = single.iter().find(|(_, file)| file.is_some()) {
            return usage_error(&format!("{name} is for one file and one property; check them one by one"));
        }
    }
    match (args.all, collection, &questions[..]) {
        (true, Some(folder), _) => {
            usage_error(&format!("{}: --all takes programs by name, not folders", folder.display()))
        }
        (true, None, _) => {
            let mut worst = report::Kind::Holds;
            for (i, &(file, property)) in questions.iter().enumerate() {
                if i > 0 {
                    limits::next_answer();
                }
                worst = worst.max(all::run_file(file, property, args));
            }
            worst.exit_status()
        }
        (false, None, &[(file, property)]) => {
            let (status, leftovers) = run_file(file, property, args);
            // Freeing millions of terms one by one would take longer than ending the process.
            std::mem::forget(leftovers);
            status
        }
        (false, _, _) => many::run(args, &properties),
    }
}

pub fn usage_error(message: &str) -> u8 {
    eprintln!("craig: {message}");
    exit::BAD_INPUT
}

/// The exit status, and what is no longer needed.
fn run_file(path: &Path, property: &Property, args: &CheckArgs) -> (u8, Option<(Loaded, Outcome)>) {
    let began = Instant::now();
    // Better now than after an hour of work.
    if let Some(page) = &args.report
        && let Err(e) = std::fs::File::create(page)
    {
        return (
            usage_error(&format!("cannot write {}: {e}; choose another place for --report", page.display())),
            None,
        );
    }
    for (option, file) in [("--witness", &args.witness), ("--harness", &args.harness)] {
        let Some(file) = file else { continue };
        let folder = file.parent().filter(|f| !f.as_os_str().is_empty());
        if file.is_dir() || folder.is_some_and(|f| !f.is_dir()) {
            let message = format!("cannot write {}: there is no such folder, or it is one", file.display());
            return (usage_error(&format!("{message}; choose another place for {option}")), None);
        }
    }
    let (budget, watcher) = watched(path, property, args);
    let translation = Translation { interleaved: true, no_wrap: false };
    let usual = CheckArgs { translation, ..args.clone() };
    let read = match load(path, property, &usual) {
        Ok(loaded) => loaded,
        Err(LoadError::BadInput(why)) => {
            let document = show::document(&show::bad_input(path, property, &why), args.format, false);
            if limits::claim_answer() {
                eprint!("{why}");
                print!("{document}");
            }
            return (exit::BAD_INPUT, None);
        }
    };
    let (loaded, outcome) = answer(path, property, &usual, read, &budget, began);
    let status = match evidence::write(path, property, &loaded, &outcome, args) {
        Ok(()) => print(path, property, &loaded, &outcome, args, &watcher),
        Err(message) if limits::claim_answer() => usage_error(&message),
        Err(_) => exit::UNKNOWN,
    };
    (status, Some((loaded, outcome)))
}

/// The limits of a question, and who watches over them.
fn watched(path: &Path, property: &Property, args: &CheckArgs) -> (Budget, limits::Watcher) {
    let (path, property, format) = (path.to_path_buf(), property.clone(), args.format);
    watched_with(args, move |reason| show::last_words(&path, &property, format, &format!("unknown({reason})")))
}

/// The limits of a question; `last_words` makes what is printed should one strike.
pub fn watched_with(
    args: &CheckArgs,
    last_words: impl Fn(&str) -> limits::LastWords + Send + 'static,
) -> (Budget, limits::Watcher) {
    let budget = Budget::with_timeout(args.timeout).with_memory_limit(args.memory);
    let watcher = limits::Watcher::start(&budget, args.timeout, args.memory, last_words);
    limits::cancel_on_interrupt(&budget);
    (budget, watcher)
}

fn is_c(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "c" || e == "i")
}

/// Is it a program, by its name?
pub fn is_program(path: &Path) -> bool {
    is_c(path) || path.extension().is_some_and(|e| e == "bpl")
}

/// Reads a C program in one way after the other until one gives an answer: state by state, if it has threads ([`threads`]); with each thread run at once, which soon shows
/// violations that need no interleaving; as it is, for a short time; with checks that arithmetic does not wrap around, without which
/// it is the plain arithmetic that invariants are made of; as it is, with patience; over bit-vectors, if mathematical
/// integers were too coarse for it, of which a few executions are made before everything else. Numbers are shares of the time that is left.
pub fn answer(
    path: &Path,
    property: &Property,
    usual: &CheckArgs,
    read: Loaded,
    budget: &Budget,
    began: Instant,
) -> (Loaded, Outcome) {
    let (mut loaded, outcome) = answer_by_some_reading(path, property, usual, read, budget, began);
    if let Some(copies) = &outcome.copies {
        // What holds at one place of a thread while the others are at certain places of theirs cannot be said in the source.
        let is_execution = matches!(outcome.answer, Answer::Violated(_));
        loaded.program.source = loaded.program.source.for_copies(if is_execution { copies } else { &[] });
    }
    (loaded, outcome)
}

fn answer_by_some_reading(
    path: &Path,
    property: &Property,
    usual: &CheckArgs,
    mut read: Loaded,
    budget: &Budget,
    began: Instant,
) -> (Loaded, Outcome) {
    let within = |share: f64, args: &CheckArgs, loaded: &mut Loaded| {
        let own = match budget.remaining() {
            Some(left) => budget.child(left.mul_f64(share)),
            None => budget.clone(),
        };
        let outcome = attempt(path, property, args, &own, began, loaded);
        let is_final = !matches!(outcome.answer, Answer::Unknown(_)) || budget.check_now().is_err();
        (outcome, is_final)
    };
    let remarks = |f: &ir::Fidelity| (f.unsound.len(), f.imprecise.len());
    let coarseness = remarks(&read.program.fidelity);
    let is_answerable = is_c(path) || *property != Property::NoDataRace;
    if read.program.has_threads() && property.is_safety() && is_answerable && usual.engine == "auto" {
        // Where threads share a few numbers all their executions are made in no time.
        let executing = CheckArgs { engine: "execution".to_string(), ..usual.clone() };
        let fidelity = read.program.fidelity.clone();
        if let (outcome, true) = within(0.05, &executing, &mut read) {
            return (read, outcome);
        }
        // That there may be more threads than this looked at concerns nobody else.
        read.program.fidelity = fidelity;
        match threads::answer(path, property, usual, &mut read, budget, began) {
            Some((Some(other), outcome)) => return (other, outcome),
            Some((None, outcome)) => return (read, outcome),
            None => {}
        }
    }
    if is_c(path) && read.program.has_threads() {
        let at_once = CheckArgs { translation: Translation::default(), ..usual.clone() };
        if let Ok(mut loaded) = load(path, property, &at_once)
            && let (outcome, true) = within(0.15, &at_once, &mut loaded)
        {
            return (loaded, outcome);
        }
    }
    let words = CheckArgs { integers: Integers::Bitvec, ..usual.clone() };
    let mut exact = if usual.integers == Integers::Auto && coarseness != (0, 0) {
        load(path, property, &words).ok().filter(|exact| remarks(&exact.program.fidelity) < coarseness)
    } else {
        None
    };
    if usual.engine == "auto" && property.is_safety() && !read.program.has_threads() {
        // Executions over words cost no more than others, and none of them is too coarse.
        for engine in ["execution", "random-testing"] {
            let executing = CheckArgs { engine: engine.to_string(), ..words.clone() };
            if let Some(loaded) = &mut exact
                && let (outcome, true) = within(0.05, &executing, loaded)
            {
                return (exact.take().unwrap_or(read), outcome);
            }
        }
    }
    let careful = CheckArgs { translation: Translation { no_wrap: true, ..usual.translation }, ..usual.clone() };
    if is_c(path)
        && property.is_safety()
        && let Ok(mut loaded) = load(path, property, &careful)
        && may_wrap(&loaded.program)
    {
        if let (outcome, true) = within(0.15, usual, &mut read) {
            return (read, outcome);
        }
        if let (outcome, true) = within(0.4, &careful, &mut loaded) {
            return (loaded, outcome);
        }
    }
    match (within(if exact.is_some() { 0.4 } else { 1.0 }, usual, &mut read), exact) {
        ((_, false), Some(mut exact)) => {
            let (outcome, _) = within(1.0, &words, &mut exact);
            (exact, outcome)
        }
        ((outcome, _), _) => (read, outcome),
    }
}

/// Does a program over mathematical integers check that arithmetic does not wrap around?
fn may_wrap(program: &Program) -> bool {
    let checks = |body: &ir::Body| {
        let is_check =
            |i: &ir::Instr| matches!(&i.kind, ir::InstrKind::Assert(_, c) if c.property == c::lower::NO_WRAP);
        body.instrs.iter().any(is_check)
    };
    program.procs.values().filter_map(|p| p.body.as_ref()).any(checks)
}

/// Verifies a program; a violation that depends on undefined behaviour does not count.
fn attempt(
    path: &Path,
    property: &Property,
    args: &CheckArgs,
    budget: &Budget,
    began: Instant,
    loaded: &mut Loaded,
) -> Outcome {
    let mut outcome = verify(loaded, property, args, budget, began);
    if matches!(&outcome.answer, Answer::Violated(run) if run.check.property == c::lower::NO_WRAP) {
        outcome.answer = Answer::Unknown(Reason::Incomplete("arithmetic may wrap around".to_string()));
    }
    if loaded.program.has_threads() {
        if is_c(path) && *property == Property::UnreachCall && matches!(outcome.answer, Answer::Violated(_)) {
            match verify_defined_threads(path, property, args, budget, began) {
                Ok(Some((again, violated))) => (*loaded, outcome) = (again, violated),
                Ok(None) => {}
                Err(reason) => outcome.answer = Answer::Unknown(reason),
            }
        }
        return outcome;
    }
    if let Some(reason) = undefined_turns(path, args, loaded, &outcome) {
        outcome.answer = Answer::Unknown(reason);
    }
    if let Some(reason) = undefined_behaviour(path, property, args, &outcome) {
        match verify_defined(path, property, args, budget, began) {
            Some((again, violated)) => (*loaded, outcome) = (again, violated),
            None => outcome.answer = Answer::Unknown(reason),
        }
    }
    outcome
}

/// Looks for a violation among the executions that do nothing undefined.
fn verify_defined(
    path: &Path,
    property: &Property,
    args: &CheckArgs,
    budget: &Budget,
    began: Instant,
) -> Option<(Loaded, Outcome)> {
    let mut loaded = match property {
        Property::UnreachCall => load_for(path, &STRICT, args).ok()?,
        _ => load_for(path, &[property.clone(), Property::ValidMemsafety], args).ok()?,
    };
    let mut graph = Icfg::build(&loaded.program, &mut loaded.pool);
    for (_, location) in graph.locs.iter_mut() {
        // Where something undefined has happened, executions end.
        location.error.take_if(|check| check.property != property.name());
    }
    let outcome = verify_graph(&mut loaded, graph, property, args, budget, began);
    matches!(outcome.answer, Answer::Violated(_)).then_some((loaded, outcome))
}

/// A schedule cannot be repeated in another program, so a violation by threads is looked for again, among the executions
/// that do nothing undefined: the program and the violation, `None` if nothing in the program could be
/// undefined, or why the violation does not count.
fn verify_defined_threads(
    path: &Path,
    property: &Property,
    args: &CheckArgs,
    budget: &Budget,
    began: Instant,
) -> Result<Option<(Loaded, Outcome)>, Reason> {
    let doubt = || Reason::Incomplete("the violation could not be repeated with all checks".to_string());
    let mut strict = load_with_undefined(path, property, args).ok_or_else(doubt)?;
    if n_undefined(&strict.program, property) == 0 {
        return Ok(None);
    }
    let mut graph = Icfg::build(&strict.program, &mut strict.pool);
    end_where_undefined(&mut graph, property);
    let outcome = verify_threads(&mut strict, graph, property, args, budget, began);
    match outcome.answer {
        Answer::Violated(_) => Ok(Some((strict, outcome))),
        Answer::Holds(_) | Answer::NonTerminating(_) | Answer::Unknown(_) => Err(doubt()),
    }
}

/// How many checks for something undefined are in a program.
fn n_undefined(program: &Program, property: &Property) -> usize {
    let is_check = |i: &&ir::Instr| matches!(&i.kind, ir::InstrKind::Assert(_, c) if c.property != property.name() && c.property != "valid-memtrack");
    let bodies = program.procs.values().filter_map(|p| p.body.as_ref());
    bodies.map(|b| b.instrs.iter().filter(is_check).count()).sum::<usize>()
}

/// The program with checks for everything undefined, as far as there is anything; for other properties than `UnreachCall`, and other
/// languages than C, the program as it is.
pub fn load_with_undefined(path: &Path, property: &Property, args: &CheckArgs) -> Option<Loaded> {
    if !is_c(path) || *property != Property::UnreachCall {
        return load(path, property, args).ok();
    }
    let few = load_for(path, &STRICT[..2], args).ok()?;
    let all = load_for(path, &STRICT, args).ok()?;
    let as_many = n_undefined(&few.program, property) == n_undefined(&all.program, property);
    Some(if as_many { few } else { all })
}

/// Where something undefined has happened, executions end.
pub fn end_where_undefined(graph: &mut Icfg, property: &Property) {
    for (_, location) in graph.locs.iter_mut() {
        location.error.take_if(|check| check.property != property.name());
    }
}

/// What happens in an execution, if it is a violation.
pub fn check_counterexample(pool: &TermPool, graph: &Icfg, found: &ir::Counterexample) -> Option<ir::interp::Run> {
    check::check_counterexample(pool, graph, found).ok()
}

/// Does the checker accept a proof about a graph?
pub fn accepts(
    pool: &mut TermPool,
    graph: &Icfg,
    certificate: &ir::Certificate,
    paranoid: bool,
    budget: &Budget,
) -> bool {
    check::check_certificate(pool, graph, certificate, check::Options { paranoid }, budget).is_ok()
}

/// The properties whose violation is undefined behaviour, and the one that was asked for.
const STRICT: [Property; 3] = [Property::UnreachCall, Property::NoOverflow, Property::ValidMemsafety];

/// A C execution to an error means nothing if it did something undefined before. It is executed again in the
/// program with checks for that; the reason why it does not count, if so.
pub fn undefined_behaviour(path: &Path, property: &Property, args: &CheckArgs, outcome: &Outcome) -> Option<Reason> {
    let (Answer::Violated(run), Some(of)) = (&outcome.answer, &outcome.original) else { return None };
    if !is_c(path) {
        return None;
    }
    match property {
        Property::UnreachCall => {}
        Property::NoOverflow | Property::ValidMemcleanup => return wild_access(path, property, args, run, of),
        Property::ValidMemsafety | Property::NoDataRace | Property::Termination | Property::Ltl(_) => return None,
    }
    let mut doubt = None;
    // With fewer checks if the execution cannot be repeated with all of them.
    for checks in [&STRICT[..], &STRICT[..2]] {
        let Ok(mut again) = load_for(path, checks, args) else { continue };
        let graph = Icfg::build(&again.program, &mut again.pool);
        match ir::interp::drive(&graph, &again.pool, run, of) {
            ir::interp::Driven::Error(check) if check.property == property.name() => return None,
            ir::interp::Driven::Error(check) if check.property == "valid-memtrack" => return None,
            ir::interp::Driven::Error(check) => {
                let place = again.sources.show(check.span);
                let what = check.message.trim_end();
                return Some(Reason::Incomplete(format!(
                    "the violation depends on undefined behaviour: {place}: {what}"
                )));
            }
            ir::interp::Driven::NoError => doubt = Some("the violation could not be repeated with all checks"),
        }
    }
    doubt.map(|d| Reason::Incomplete(d.to_string()))
}

/// Is memory accessed wrongly before the violation of another property? Then what was read there means nothing.
fn wild_access(path: &Path, property: &Property, args: &CheckArgs, run: &ir::interp::Run, of: &Icfg) -> Option<Reason> {
    let mut again = load_for(path, &[property.clone(), Property::ValidMemsafety], args).ok()?;
    let graph = Icfg::build(&again.program, &mut again.pool);
    match ir::interp::drive(&graph, &again.pool, run, of) {
        ir::interp::Driven::Error(check) if matches!(&*check.property, "valid-deref" | "valid-free") => {
            let place = again.sources.show(check.span);
            let what = check.message.trim_end();
            Some(Reason::Incomplete(format!("the violation depends on undefined behaviour: {place}: {what}")))
        }
        ir::interp::Driven::Error(_) | ir::interp::Driven::NoError => None,
    }
}

/// How many turns of an endless execution are executed again with more checks.
const TURNS_AGAIN: usize = 3;

/// An endless C execution means nothing if it does something undefined. Its stem and a few turns are executed again in the program with checks for
/// that, and all other turns must access what these do ([`ir::drift`]); the reason why it does not count, if so. (Overflow does not occur in it
/// anyway: see `verify_termination`.)
fn undefined_turns(path: &Path, args: &CheckArgs, loaded: &Loaded, outcome: &Outcome) -> Option<Reason> {
    let (Answer::NonTerminating(lasso), Some(icfg), true) = (&outcome.answer, &outcome.icfg, is_c(path)) else {
        return None;
    };
    let (icfg, pool) = show::graph_of_lasso(icfg, outcome.pool.as_ref().unwrap_or(&loaded.pool));
    let doubt = |what: String| {
        Some(Reason::Incomplete(format!("the endless execution may depend on undefined behaviour: {what}")))
    };
    let source = &loaded.program.source;
    let original = |v: ir::VarId| outcome.map.as_ref().map_or(Some(v), |m| m.vars.get(v).map(|o| o.0));
    let is_pointer = |v: ir::VarId| {
        original(v).and_then(|v| source.places.get(&v)).is_some_and(|p| p.ty == ir::source::SourceType::Pointer)
    };
    match ir::drift::drift(&icfg, &pool, lasso, &is_pointer) {
        ir::drift::Drift::Nothing => {}
        ir::drift::Drift::Variable(v) => {
            return doubt(format!("what it accesses differs from turn to turn, with {}", icfg.vars[v].name));
        }
        ir::drift::Drift::NotExecutable => return doubt("it could not be executed".to_string()),
    }
    let choices = ir::interp::choices_of_lasso(&icfg, &pool, lasso, TURNS_AGAIN)?;
    let checks = c_options(&[Property::NoOverflow, Property::ValidMemsafety], args);
    let mut again = load_with(path, &args.c, c::Options { check_pointers: true, ..checks }).ok()?;
    let graph = Icfg::build(&again.program, &mut again.pool);
    match ir::interp::drive_by(&graph, &again.pool, choices) {
        ir::interp::Driven::Error(check) if check.property != "valid-memtrack" => {
            let place = again.sources.show(check.span);
            let what = check.message.trim_end();
            Some(Reason::Incomplete(format!("the endless execution depends on undefined behaviour: {place}: {what}")))
        }
        ir::interp::Driven::Error(_) | ir::interp::Driven::NoError => None,
    }
}

pub enum LoadError {
    BadInput(BadInput),
}

/// Why a program cannot be read; displayed ready to print.
pub struct BadInput {
    pub problems: Vec<Problem>,
}

/// More errors than this are not printed: the first ones cause the others.
const MAX_SHOWN: usize = 20;

impl std::fmt::Display for BadInput {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.problems.iter().take(MAX_SHOWN).try_for_each(|p| f.write_str(&p.rendered))?;
        match self.problems.len().saturating_sub(MAX_SHOWN) {
            0 => Ok(()),
            n => writeln!(f, "craig: {n} more errors are not shown; mend the first ones first"),
        }
    }
}

/// A problem that is not at a place in the source.
fn no_input(message: String) -> LoadError {
    let rendered = format!("craig: {message}\n");
    LoadError::BadInput(BadInput { problems: vec![Problem { message, rendered, range: None }] })
}

fn render(sources: &SourceMap, diagnostics: &[Diagnostic]) -> LoadError {
    let problem = |d: &Diagnostic| Problem {
        message: d.message.clone(),
        rendered: d.render(sources),
        range: report::Range::of(sources, d.span),
    };
    LoadError::BadInput(BadInput { problems: diagnostics.iter().map(problem).collect() })
}

/// Reads and translates a program.
pub fn load(path: &Path, property: &Property, args: &CheckArgs) -> Result<Loaded, LoadError> {
    load_for(path, also_checked(property), args)
}

/// The properties whose checks are in the program when a property is asked for.
pub fn also_checked(property: &Property) -> &[Property] {
    match property {
        // Whether a loop ends may depend on signed overflow: see `verify_termination`.
        Property::Termination => &[Property::Termination, Property::NoOverflow],
        Property::UnreachCall
        | Property::NoOverflow
        | Property::ValidMemsafety
        | Property::ValidMemcleanup
        | Property::NoDataRace
        | Property::Ltl(_) => std::slice::from_ref(property),
    }
}

/// Reads and translates a program with the checks of several properties in it.
fn load_for(path: &Path, properties: &[Property], args: &CheckArgs) -> Result<Loaded, LoadError> {
    let mut loaded = load_with(path, &args.c, c_options(properties, args))?;
    if !args.settled.is_empty() {
        let is_settled = |check: &ir::Check| args.settled.iter().any(|s| s.0 == check.property && s.1 == check.span);
        for (_, procedure) in loaded.program.procs.iter_mut() {
            for instruction in procedure.body.iter_mut().flat_map(|b| &mut b.instrs) {
                if let ir::InstrKind::Assert(condition, check) = &instruction.kind
                    && is_settled(check)
                {
                    instruction.kind = ir::InstrKind::Stmt(ir::Stmt::Assume(*condition));
                }
            }
        }
    }
    Ok(loaded)
}

/// How a C program is to be translated.
pub fn c_options(properties: &[Property], args: &CheckArgs) -> c::Options {
    c::Options {
        data_model: match args.data_model {
            DataModel::Ilp32 => c::DataModel::Ilp32,
            DataModel::Lp64 => c::DataModel::Lp64,
        },
        properties: properties.to_vec(),
        integers: match args.integers {
            Integers::Int | Integers::Auto => c::lower::Integers::Unbounded,
            Integers::Bitvec => c::lower::Integers::Words,
        },
        no_wrap: args.translation.no_wrap,
        threads: if args.translation.interleaved { c::lower::Threads::Interleaved } else { c::lower::Threads::AtOnce },
        entry: args.c.entry.clone().unwrap_or_else(|| "main".to_string()),
        include_dirs: args.c.include.clone(),
        defines: args.c.define.clone(),
        ..c::Options::default()
    }
}

/// Reads and translates a program.
pub fn load_with(path: &Path, c_args: &CArgs, options: c::Options) -> Result<Loaded, LoadError> {
    let bytes =
        std::fs::read(path).map_err(|e| no_input(format!("cannot read {}: {e}; check the path", path.display())))?;
    let record = |path: &Path, content: Option<&[u8]>| report::Input {
        path: path.display().to_string(),
        sha256: content.map(report::sha256::hex),
    };
    let inputs = Mutex::new(vec![record(path, Some(&bytes))]);
    if bytes.contains(&0) {
        let what = "this is binary data; craig reads the text of programs";
        return Err(no_input(format!("{}: {what} (.c, .i, .bpl)", path.display())));
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let mut sources = SourceMap::new();
    let mut pool = TermPool::new();
    let program = match path.extension().and_then(|e| e.to_str()) {
        Some("bpl") => {
            let file = sources.add(path.display().to_string(), text);
            let options = boogie::Options { entry: c_args.entry.clone() };
            boogie::compile_with(&sources, file, &options, &mut pool).map_err(|d| render(&sources, &d))?
        }
        Some("c" | "i") => {
            let file = match &c_args.cpp {
                Some(command) => {
                    sources.add_preprocessed(path.display().to_string(), preprocess(path, command, c_args)?)
                }
                None => sources.add(path.display().to_string(), text),
            };
            let read_file = |path: &Path| {
                let content = std::fs::read(path).ok();
                let mut inputs = inputs.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                inputs.push(record(path, content.as_deref()));
                content.and_then(|bytes| String::from_utf8(bytes).ok())
            };
            let compiled = c::compile(&mut sources, file, &options, &read_file, &mut pool);
            compiled.map_err(|d| render(&sources, &d))?
        }
        _ => {
            return Err(no_input(format!("{}: unknown kind of file; craig reads .c, .i and .bpl", path.display())));
        }
    };
    let mut inputs = inputs.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    if c_args.cpp.is_some() {
        // Nobody knows what another preprocessor has read; without inputs no answer is kept.
        inputs.clear();
    }
    Ok(Loaded { sources, pool, program, inputs })
}

/// The output of a preprocessor of the user's choice.
fn preprocess(path: &Path, command: &str, args: &CArgs) -> Result<String, LoadError> {
    let mut words = command.split_whitespace();
    let problem = |what: String| no_input(format!("--cpp '{command}': {what}"));
    let program = words.next().ok_or_else(|| problem("there is no command; write e.g. --cpp 'gcc -E'".to_string()))?;
    let mut process = std::process::Command::new(program);
    process.args(words);
    for folder in &args.include {
        process.arg("-I").arg(folder);
    }
    for define in &args.define {
        process.arg(format!("-D{define}"));
    }
    let output = limits::run_helper(process.arg(path))
        .map_err(|e| problem(format!("{e}; is {program} installed? Without --cpp craig preprocesses by itself")))?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        return Err(problem(format!("{}\n{}", output.status, message.trim_end())));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs engines and checks their evidence.
pub fn verify(loaded: &mut Loaded, property: &Property, args: &CheckArgs, budget: &Budget, began: Instant) -> Outcome {
    if *property == Property::Termination {
        return verify_termination(loaded, args, budget, began);
    }
    if *property == Property::NoDataRace && loaded.program.source.is_empty() {
        let what = "data races in Boogie programs";
        return Outcome::unknown(Reason::Unsupported(what.to_string()), began);
    }
    let graph = Icfg::build(&loaded.program, &mut loaded.pool);
    if graph.has_threads() {
        return verify_threads(loaded, graph, property, args, budget, began);
    }
    verify_graph(loaded, graph, property, args, budget, began)
}

/// The share of the time for a first look for states that come back, where that cannot be done beside, and for a proof where executions may overflow.
const FIRST_LOOK: f64 = 0.1;
const WITH_OVERFLOW: f64 = 0.65;

/// Termination, where signed overflow is undefined: no execution counts that overflows. A proof has to do without that,
/// though: it is about executions in which signed numbers just go on growing, among which are all that are defined. So a loop that would end
/// only by overflowing is neither proved nor refuted.
fn verify_termination(loaded: &mut Loaded, args: &CheckArgs, budget: &Budget, began: Instant) -> Outcome {
    let property = Property::Termination;
    // A program whose threads were run at once says so.
    let is_thread = |remark: &ir::Remark| remark.message == "threads";
    if loaded.program.has_threads() || loaded.program.fidelity.unsound.iter().any(is_thread) {
        return verify_threads_for_ever(loaded, args, budget, began);
    }
    let (relaxed, has_checks) = without_overflow_checks(&loaded.program);
    let graph = Icfg::build(&relaxed, &mut loaded.pool);
    if !has_checks {
        return verify_graph(loaded, graph, &property, args, budget, began);
    }
    // Executions end where they overflow.
    let strict = Icfg::build(&loaded.program, &mut loaded.pool);
    let limit = budget.remaining().unwrap_or(Duration::MAX / 4);
    let (looking, proving) = (budget.child(limit), budget.child(limit));
    let is_auto = args.engine == "auto";
    let n_jobs = args.jobs.unwrap_or_else(default_jobs);
    let with_engine = |engine: &str| CheckArgs { engine: engine.to_string(), jobs: Some(1), ..args.clone() };
    let is_endless = |outcome: &Outcome| matches!(outcome.answer, Answer::NonTerminating(_));
    // Someone looks for states that come back: beside the proofs, or for a short time before them.
    let mut looker = None;
    if is_auto && n_jobs > 1 {
        looker = look_for_repetitions(loaded, strict.clone(), with_engine("endless"), &looking, &proving, began);
    } else if is_auto && budget.remaining().is_some() {
        let quick = looking.child(limit.mul_f64(FIRST_LOOK));
        let found = verify_graph(loaded, strict.clone(), &property, &with_engine("endless"), &quick, began);
        if is_endless(&found) {
            return found;
        }
    }
    // Only a proof counts here.
    let prover = if is_auto { with_engine("buchi") } else { args.clone() };
    let share = proving.child(limit.mul_f64(WITH_OVERFLOW));
    let first = verify_graph(loaded, graph, &property, &prover, &share, began);
    if matches!(first.answer, Answer::Holds(_)) {
        looking.cancel();
        return first;
    }
    if let Some(found) = looker.as_ref().and_then(|l| l.try_recv().ok()).filter(is_endless) {
        return found;
    }
    let engines = if looker.is_some() { prover } else { args.clone() };
    let mut second = verify_graph(loaded, strict, &property, &engines, &proving, began);
    match (&first.answer, &second.answer) {
        (_, Answer::NonTerminating(_)) => looking.cancel(),
        (Answer::NonTerminating(_), _) => {
            let only_defined = "whether it ends depends on signed overflow, which is undefined";
            second.answer = Answer::Unknown(Reason::Incomplete(only_defined.to_string()));
        }
        (_, Answer::Holds(_)) => {
            let not_without = "executions without signed overflow end; no proof was found that does without that";
            second.answer = Answer::Unknown(Reason::Incomplete(not_without.to_string()));
        }
        (_, Answer::Unknown(_) | Answer::Violated(_)) => second = first,
    }
    if !is_endless(&second)
        && let Some(looker) = looker
        && let Some(left) = budget.remaining().or(Some(limit))
        && let Ok(found) = looker.recv_timeout(left)
        && is_endless(&found)
    {
        return found;
    }
    second
}

/// Looks for an endless execution in a thread of its own, which stops those who are `proving` when it has found one.
fn look_for_repetitions(
    loaded: &Loaded,
    graph: Icfg,
    args: CheckArgs,
    looking: &Budget,
    proving: &Budget,
    began: Instant,
) -> Option<mpsc::Receiver<Outcome>> {
    let (looking, proving) = (looking.clone(), proving.clone());
    let mut own = Loaded {
        sources: loaded.sources.clone(),
        pool: loaded.pool.clone(),
        program: loaded.program.clone(),
        inputs: Vec::new(),
    };
    let (sender, receiver) = mpsc::channel();
    let work = move || {
        let mut outcome = verify_graph(&mut own, graph, &Property::Termination, &args, &looking, began);
        outcome.pool = outcome.pool.or(Some(own.pool));
        if matches!(outcome.answer, Answer::NonTerminating(_)) {
            proving.cancel();
        }
        let _ = sender.send(outcome);
    };
    std::thread::Builder::new().stack_size(crate::STACK_BYTES).spawn(work).ok().map(|_| receiver)
}

fn default_jobs() -> usize {
    std::thread::available_parallelism().map_or(1, |n| n.get())
}

/// The program in which signed numbers go on growing instead of overflowing, and whether any could overflow.
fn without_overflow_checks(program: &Program) -> (Program, bool) {
    let is_overflow = |check: &ir::Check| check.property == Property::NoOverflow.name();
    let mut relaxed = program.clone();
    let mut has_checks = false;
    for (_, procedure) in relaxed.procs.iter_mut() {
        for instruction in procedure.body.iter_mut().flat_map(|b| &mut b.instrs) {
            if matches!(&instruction.kind, ir::InstrKind::Assert(_, check) if is_overflow(check)) {
                instruction.kind = ir::InstrKind::Stmt(ir::Stmt::Assume(logic::TermId::TRUE));
                has_checks = true;
            }
        }
    }
    (relaxed, has_checks)
}

/// Termination of threads, on the product of their control flows in all orders of steps; no fairness is assumed. Nothing is proved where there may be
/// more threads than the product has room for. C programs are only proved to end: threads that keep each other running mostly race,
/// which is undefined, so an endless schedule says nothing about them, while a proof is about more executions than those that are defined.
fn verify_threads_for_ever(loaded: &mut Loaded, args: &CheckArgs, budget: &Budget, began: Instant) -> Outcome {
    let unknown = |why: &str| Reason::Unsupported(format!("termination of programs with threads{why}"));
    let is_c = !loaded.program.source.is_empty();
    if !loaded.program.has_threads() {
        return Outcome::unknown(unknown(""), began);
    }
    let (relaxed, _) = without_overflow_checks(&loaded.program);
    let graph = Icfg::build(&relaxed, &mut loaded.pool);
    let limits = ThreadLimits { all_orders: true, ..ThreadLimits::default() };
    let Interleaved { icfg: product, copies } = match sequential(&graph, &mut loaded.pool, &limits) {
        Ok(product) => product,
        Err(reason) => return Outcome::unknown(reason, began),
    };
    let too_many = product.locs.values().any(|l| l.error.as_ref().is_some_and(is_too_many_threads));
    let mut outcome = verify_graph(loaded, product, &Property::Termination, args, budget, began);
    match &outcome.answer {
        Answer::NonTerminating(_) if is_c => {
            let why = " (some schedule never ends, but whether its threads race is not known)";
            outcome.answer = Answer::Unknown(unknown(why));
        }
        Answer::NonTerminating(_) | Answer::Unknown(_) => {}
        Answer::Holds(_) if !too_many => {}
        Answer::Holds(_) => outcome.answer = Answer::Unknown(unknown(" whose number is not bounded")),
        Answer::Violated(_) => outcome.answer = Answer::Unknown(unknown("")),
    }
    Outcome { copies: is_c.then_some(copies), ..outcome }
}

/// Verifies the sequential graph of a program with threads.
fn verify_threads(
    loaded: &mut Loaded,
    graph: Icfg,
    property: &Property,
    args: &CheckArgs,
    budget: &Budget,
    began: Instant,
) -> Outcome {
    let mut product = Err(Reason::Incomplete("no product".to_string()));
    // Of many threads some may be enough for a violation.
    for max_instances in [ThreadLimits::default().max_instances, 2, 1] {
        product = sequential(&graph, &mut loaded.pool, &ThreadLimits { max_instances, ..ThreadLimits::default() });
        if !matches!(&product, Err(Reason::Unsupported(_))) {
            break;
        }
    }
    let Interleaved { icfg: product, copies } = match product {
        Ok(product) => product,
        Err(reason) => return Outcome::unknown(reason, began),
    };
    let outcome = verify_graph(loaded, product.clone(), property, args, budget, began);
    let outcome = match &outcome.answer {
        Answer::Violated(run) if is_too_many_threads(&run.check) => {
            // Only violations with few threads can be found.
            let remark = ir::Remark { span: run.check.span, message: run.check.message.clone() };
            loaded.program.fidelity.unsound.push(remark);
            let mut few = product;
            for (_, location) in few.locs.iter_mut() {
                location.error.take_if(|check| is_too_many_threads(check));
            }
            verify_graph(loaded, few, property, args, budget, began)
        }
        _ => outcome,
    };
    Outcome { copies: Some(copies), ..outcome }
}

fn is_too_many_threads(check: &ir::Check) -> bool {
    check.property == ir::interleave::TOO_MANY_THREADS
}

/// The product of the threads of a graph; its variables, with the ones of the graph that they are copies of.
fn sequential(graph: &Icfg, pool: &mut TermPool, limits: &ThreadLimits) -> Result<Interleaved, Reason> {
    use ir::inline::{InlineLimits, inline_calls};
    let (inlined, map) =
        inline_calls(graph, pool, &InlineLimits::default()).map_err(|e| Reason::Incomplete(e.to_string()))?;
    let mut product =
        ir::interleave::interleave(&inlined, pool, limits).map_err(|e| Reason::Unsupported(e.to_string()))?;
    for (_, original) in &mut product.copies {
        *original = map.vars[*original].0;
    }
    Ok(product)
}

pub fn verify_graph(
    loaded: &mut Loaded,
    graph: Icfg,
    property: &Property,
    args: &CheckArgs,
    budget: &Budget,
    began: Instant,
) -> Outcome {
    let pool = &mut loaded.pool;
    let blocks = args.blocks.map(|b| match b {
        Blocks::Off => BlockMode::Off,
        Blocks::Sequence => BlockMode::Sequence,
        Blocks::Large => BlockMode::Large,
    });
    let complement = match args.complement {
        Complement::None => engine::buchi::Complement::None,
        Complement::Auto => engine::buchi::Complement::Auto,
        Complement::Ncsb => engine::buchi::Complement::Ncsb,
        Complement::Rank => engine::buchi::Complement::Rank,
    };
    let request = portfolio::Request {
        property: property.clone(),
        engine: args.engine.clone(),
        blocks,
        complement,
        paranoid: args.paranoid,
        n_jobs: args.jobs.unwrap_or_else(default_jobs),
        fidelity: loaded.program.fidelity.clone(),
        show_progress: args.format == Format::Text,
    };
    let finished = portfolio::run(pool, &graph, &request, budget);
    Outcome {
        answer: finished.answer,
        stats: finished.stats,
        phases: finished.phases,
        engine: finished.engine,
        wall: began.elapsed(),
        known: finished.known,
        icfg: finished.icfg,
        map: finished.map,
        pool: finished.pool,
        original: Some(graph),
        copies: None,
    }
}

/// Prints the answer. A page that was asked for is written first: without it there is no answer.
fn print(
    path: &Path,
    property: &Property,
    loaded: &Loaded,
    outcome: &Outcome,
    args: &CheckArgs,
    watcher: &limits::Watcher,
) -> u8 {
    let status = outcome.answer.exit_status();
    let answered = || watcher.answered(show::last_words(path, property, args.format, &outcome.answer.result()));
    if args.report.is_none() {
        answered();
    }
    let found = show::result(path, property, loaded, outcome);
    if let Some(page) = &args.report {
        let text = html_page(loaded, outcome, &found, args.c.cpp.is_some());
        if let Err(e) = std::fs::write(page, text) {
            let message = format!("cannot write {}: {e}; choose another place for --report", page.display());
            return if limits::claim_answer() { usage_error(&message) } else { exit::UNKNOWN };
        }
        answered();
    }
    let document = show::document(&found, args.format, args.stats);
    if limits::claim_answer() {
        show::print(&document, &found, args.format);
    }
    status
}

fn html_page(loaded: &Loaded, outcome: &Outcome, found: &report::FileResult, preprocessed: bool) -> String {
    let pool = outcome.pool.as_ref().unwrap_or(&loaded.pool);
    let control_flow =
        outcome.original.as_ref().map_or_else(Vec::new, |icfg| report::pictures::control_flow(icfg, &loaded.sources));
    let abstraction = match (&outcome.answer, &outcome.icfg) {
        (Answer::Holds(certificate), Some(icfg)) => {
            report::pictures::abstraction(icfg, pool, &loaded.sources, certificate)
        }
        _ => Vec::new(),
    };
    // After another preprocessor the lines are those of the file on the disk.
    let text = |f: &base::SourceFile| match preprocessed {
        true => std::fs::read_to_string(&f.name).unwrap_or_else(|_| f.text.clone()),
        false => f.text.clone(),
    };
    // The program, and of what it includes the files that something is said about.
    let concerned = found.files_concerned();
    let sources = loaded
        .sources
        .files()
        .enumerate()
        .filter(|(i, (_, f))| *i == 0 || !f.name.starts_with('<') && concerned.contains(f.name.as_str()))
        .map(|(_, (_, f))| (f.name.clone(), text(f)))
        .collect();
    let tool_version = env!("CARGO_PKG_VERSION");
    report::html::render(&report::html::Page { found, sources, control_flow, abstraction, tool_version })
}

/// The answer when the checker has made an execution again.
fn accepted(checked: Result<ir::interp::Run, check::Rejection>) -> Answer {
    match checked {
        Ok(run) => Answer::Violated(run),
        Err(check::Rejection::Stopped(stop)) => Answer::Unknown(Reason::Stopped(stop)),
        Err(check::Rejection::Unchecked(why)) => Answer::Unknown(Reason::Incomplete(why)),
        Err(check::Rejection::Wrong(why)) => Answer::Unknown(Reason::Rejected(why)),
    }
}

/// Turns a verdict about one of the graphs into an answer by checking its evidence.
pub fn certify(
    pool: &mut TermPool,
    graphs: &portfolio::Graphs,
    icfg: &Icfg,
    verdict: Verdict,
    request: &portfolio::Request,
    budget: &Budget,
) -> Answer {
    match verdict {
        Verdict::Holds(certificate) => {
            if let Some(remark) = request.fidelity.unsound.first() {
                return Answer::Unknown(Reason::Unsupported(remark.message.clone()));
            }
            let proves_termination =
                matches!(certificate, ir::Certificate::Termination(_) | ir::Certificate::FiniteExecution(_));
            if proves_termination != (request.property == Property::Termination) {
                return Answer::Unknown(Reason::Rejected("the certificate is about another property".to_string()));
            }
            let options = check::Options { paranoid: request.paranoid };
            match check::check_certificate(pool, icfg, &certificate, options, budget) {
                Ok(()) => Answer::Holds(check::simplify_certificate(pool, icfg, certificate, options, budget)),
                Err(check::Rejection::Stopped(stop)) => Answer::Unknown(Reason::Stopped(stop)),
                Err(check::Rejection::Unchecked(why)) => {
                    Answer::Unknown(Reason::Incomplete(format!("certificate could not be checked: {why}")))
                }
                Err(check::Rejection::Wrong(why)) => Answer::Unknown(Reason::Rejected(why)),
            }
        }
        Verdict::Violated(found) => {
            let counterexample = graphs.original_counterexample(icfg, found);
            accepted(check::check_counterexample(pool, &graphs.original, &counterexample))
        }
        Verdict::ViolatedFar(guide) => accepted(check::check_guide(pool, &graphs.original, &guide, budget)),
        Verdict::NonTerminating(found) => {
            if request.property != Property::Termination {
                return Answer::Unknown(Reason::Rejected("the execution is about another property".to_string()));
            }
            let options = check::Options { paranoid: request.paranoid };
            match check::check_nontermination(pool, icfg, &found, options, budget) {
                Ok(()) => Answer::NonTerminating(found),
                Err(check::Rejection::Stopped(stop)) => Answer::Unknown(Reason::Stopped(stop)),
                Err(check::Rejection::Unchecked(why)) => Answer::Unknown(Reason::Incomplete(why)),
                Err(check::Rejection::Wrong(why)) => Answer::Unknown(Reason::Rejected(why)),
            }
        }
        Verdict::Unknown(reason) => Answer::Unknown(reason),
    }
}
