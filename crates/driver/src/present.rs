//! Answers in the words of the program: from an outcome to the result model.

use crate::advice::Run;
use crate::cause::{self, Told};
use crate::checks::{CheckAnswer, Status};
use crate::graphs::graph_of_lasso;
use crate::load::{BadInput, Loaded, Source};
use crate::observer::{EngineRun, Situation};
use crate::outcome::{InfiniteExecution, Observation, ObservedWord, Outcome, Proof, Violation, names_of_threads};
use crate::question::Answered;
use base::{SourceMap, Span};
use ir::temporal::Watch;
use ir::{Certificate, Icfg, Note, Property};
use logic::{TermId, TermPool};
use report::c_expression::CExpression;
use report::facts::{CFact, InvariantPlace};
use report::trace::Values;
use report::{Answer, Fact, FactKind, FileResult, Range, ReasonKind, Remark, Step};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Formulas larger than this are not printed.
const MAX_FORMULA: u64 = 2_000;

/// The answer for a program in the words of its source.
pub fn result(source: &Source, property: &Property, answered: &Answered) -> FileResult {
    let loaded = &answered.loaded;
    let mut found = FileResult::bare(&source.path.display().to_string(), property.name(), answered.outcome.answer());
    if let Property::Ltl(_) = property {
        let name = source.path.display().to_string();
        found.formula = crate::formula::parsed(&name, source.text(), property).ok().flatten().map(|f| f.text);
    }
    found.engine = answered.engine.clone();
    found.wall_seconds = answered.wall.as_secs_f64();
    found.statistics = answered.stats.iter().map(|(name, count)| (name.to_string(), count)).collect();
    found.phases = answered.phases.iter().map(|(name, time)| (name.clone(), time.as_secs_f64())).collect();
    found.timeline = timeline(&answered.situation);
    found.entry = loaded.program.entry_note.clone();
    found.inputs = source.inputs();
    let remark = |r: &ir::Remark| Remark {
        place: loaded.sources.show(r.span),
        message: r.message.clone(),
        range: Range::of(&loaded.sources, r.span),
    };
    found.assumptions = loaded.program.assumptions.iter().map(remark).collect();
    found.checks = check_results(&loaded.sources, &answered.situation.checks);
    match &answered.outcome {
        Outcome::Holds(proof) => {
            found.invariants = Some(facts(loaded, proof));
            if *property == Property::Termination && may_wait(&loaded.program) {
                let message = "no thread waits forever (no-deadlock is about those that do)".to_string();
                found.assumptions.push(Remark { place: found.file.clone(), message, range: None });
            }
        }
        Outcome::Violated(violation) => {
            let told = cause::of_violation(loaded, violation);
            found.violation = Some(shown_violation(loaded, &violation.run.check.property.to_string(), told));
            found.input_values = input_values(loaded, violation);
            found.execution = Some(shown_steps(loaded, violation));
            found.globals = globals(loaded, &violation.original, &found);
        }
        Outcome::NonTerminating(infinite) => {
            lasso_steps(loaded, infinite, &mut found);
            found.globals = globals(loaded, &infinite.original, &found);
            let always = found.recurrence.clone().unwrap_or_default();
            if let (Property::Termination, Some(told)) = (property, cause::of_infinite(loaded, infinite, &always)) {
                found.violation = Some(shown_violation(loaded, property.name(), told));
            }
        }
        Outcome::Unknown(reason) => {
            found.reason_kind = Some(ReasonKind::of(reason));
            found.known = Some(bound_of_bmc(answered.safe_below).into_iter().collect());
            found.not_modelled = loaded.program.fidelity.unsound.iter().map(remark).collect();
            let sources = &*loaded.sources;
            let run = Run { situation: &answered.situation, property, settings: &answered.settings, sources, reason };
            (found.obstacles, found.advice) = (run.obstacles(), run.advice());
        }
    }
    found
}

/// How far bounded model checking came.
fn bound_of_bmc(safe_below: u64) -> Option<String> {
    (safe_below > 0)
        .then(|| format!("bmc found no violation on executions with fewer than {safe_below} loop iterations"))
}

/// Are there threads or locks?
fn may_wait(program: &ir::Program) -> bool {
    program.has_threads() || program.vars.values().any(|v| v.role == ir::VarRole::Lock)
}

fn shown_violation(loaded: &Loaded, property: &str, told: Told) -> report::Violation {
    report::Violation {
        property: property.to_string(),
        message: told.message,
        place: loaded.sources.show(told.span),
        line: loaded.sources.line_of(told.span),
        range: Range::of(&loaded.sources, told.span),
        cause: Some(told.cause),
    }
}

/// What is known of checks, in the words of the program.
pub fn check_results(sources: &SourceMap, checks: &[CheckAnswer]) -> Vec<report::CheckResult> {
    let status = |s: Status| match s {
        Status::Proved => report::CheckStatus::Proved,
        Status::Violated => report::CheckStatus::Violated,
        Status::Open => report::CheckStatus::Open,
    };
    let shown = |c: &CheckAnswer| report::CheckResult {
        property: c.check.property.to_string(),
        message: c.check.message.clone(),
        place: sources.show(c.check.span),
        line: sources.line_of(c.check.span),
        expression: source_line(sources, c.check.span, Note::None),
        status: status(c.status),
        range: Range::of(sources, c.check.span),
    };
    checks.iter().map(shown).collect()
}

fn engine_run(run: &EngineRun) -> report::EngineRun {
    report::EngineRun {
        translation: run.translation.to_string(),
        engine: run.engine.to_string(),
        began_seconds: run.began.as_secs_f64(),
        seconds: run.took.as_secs_f64(),
        result: run.result.clone(),
    }
}

/// What ran.
pub fn timeline(situation: &Situation) -> Vec<report::EngineRun> {
    situation.timeline.iter().map(engine_run).collect()
}

/// The result of a run that was ended from outside: what was known by then, without evidence.
pub fn ended(file: &Path, run: &Run<'_>) -> FileResult {
    let found = FileResult::unknown(&file.display().to_string(), run.property.name(), run.reason);
    FileResult {
        checks: check_results(run.sources, &run.situation.checks),
        timeline: timeline(run.situation),
        statistics: run.situation.rounds.iter().map(|(engine, n)| (format!("iterations of {engine}"), *n)).collect(),
        obstacles: run.obstacles(),
        advice: run.advice(),
        ..found
    }
}

/// The result for a program that could not be read.
pub fn bad_input(path: &Path, property: &Property, why: &BadInput) -> FileResult {
    let mut found = FileResult::bare(&path.display().to_string(), property.name(), Answer::BadInput);
    found.problems = why.problems.clone();
    found
}

/// The graphs that belong to an answer, each with a title.
pub struct Pictures {
    /// The control flow of each procedure, as written.
    pub control_flow: Vec<(String, report::svg::Graph)>,
    /// What a proof says at which place.
    pub abstraction: Vec<(String, report::svg::Graph)>,
}

/// The graphs that belong to an answer.
pub fn pictures(answered: &Answered) -> Pictures {
    let loaded = &answered.loaded;
    let control_flow = |icfg: &Icfg| report::pictures::control_flow(icfg, &loaded.sources);
    let (control_flow, abstraction) = match &answered.outcome {
        Outcome::Holds(proof) => (
            control_flow(&proof.original),
            report::pictures::abstraction(&proof.graph, &loaded.pool, &loaded.sources, &proof.certificate),
        ),
        Outcome::Violated(violation) => (control_flow(&violation.original), Vec::new()),
        Outcome::NonTerminating(infinite) => (control_flow(&infinite.original), Vec::new()),
        Outcome::Unknown(_) => (control_flow(&Icfg::build(&loaded.program, &mut loaded.pool.clone())), Vec::new()),
    };
    Pictures { control_flow, abstraction }
}

/// The page about an answer: source, proof or execution, and graphs. `text_of` gives the text that the lines of a file
/// of the program stand in.
pub fn html_page(
    answered: &Answered,
    found: &FileResult,
    tool_version: &str,
    text_of: &dyn Fn(&base::SourceFile) -> String,
    old_text: Option<String>,
) -> String {
    let Pictures { control_flow, abstraction } = pictures(answered);
    let loaded = &answered.loaded;
    // The program, and of what it includes the files that something is said about.
    let concerned = found.files_concerned();
    let sources = loaded
        .sources
        .files()
        .enumerate()
        .filter(|(i, (_, f))| *i == 0 || !f.name.starts_with('<') && concerned.contains(f.name.as_str()))
        .map(|(_, (_, f))| (f.name.clone(), text_of(f)))
        .collect();
    report::html::render(&report::html::Page { found, sources, control_flow, abstraction, tool_version, old_text })
}

/// The page of a run that was ended from outside: the checks and the main file, without graphs.
pub fn bare_page(found: &FileResult, sources: Option<&SourceMap>, tool_version: &str) -> String {
    let main_file = sources.and_then(|s| s.files().next()).map(|(_, f)| (f.name.clone(), f.text.clone()));
    report::html::render(&report::html::Page {
        found,
        sources: main_file.into_iter().collect(),
        control_flow: Vec::new(),
        abstraction: Vec::new(),
        tool_version,
        old_text: None,
    })
}

/// The facts a proof found, per loop and per procedure.
fn facts(loaded: &Loaded, proof: &Proof) -> Vec<Fact> {
    if !loaded.program.source.is_empty() {
        return c_facts(loaded, proof);
    }
    let (icfg, pool) = (&proof.graph, &loaded.pool);
    let mut facts = Vec::new();
    match &proof.certificate {
        Certificate::Annotation(annotation) => {
            for (&loc, &formula) in &annotation.invariants {
                let span = icfg.locs[loc].span;
                if formula == TermId::FALSE || !icfg.locs[loc].is_loop_head {
                    continue;
                }
                let place = format!("loop at {}", place(&loaded.sources, span));
                facts.push(fact(FactKind::Invariant, loaded, span, place, formula_text(pool, icfg, formula)));
            }
            facts.extend(contract_facts(loaded, pool, icfg, annotation, |_| None));
        }
        Certificate::TailRecursive(annotation) => {
            // The same graph that the checker makes.
            let mut own = pool.clone();
            let (mut graph, map) = ir::tail_recursion::loops_to_recursion(icfg, &mut own);
            graph.ensure_old_vars(&mut own);
            facts.extend(contract_facts(loaded, &own, &graph, annotation, |p| map.loops.get(&p).copied()));
        }
        Certificate::Termination(proof) => facts.extend(termination_facts(loaded, pool, icfg, proof)),
        Certificate::Execution(n) | Certificate::FiniteExecution(n) => {
            facts.push(fact(FactKind::Bound, loaded, Span::NONE, EXECUTED.to_string(), executed(*n)));
        }
        Certificate::States(n) | Certificate::StatesOfBranches(n) | Certificate::FairStates { steps: n, .. } => {
            facts.push(fact(FactKind::Bound, loaded, Span::NONE, ENUMERATED.to_string(), enumerated(*n)));
        }
        Certificate::OwickiGries(proof) => {
            let formula = format!("{} formulas at places of one thread, which all others keep", proof.formulas.len());
            facts.push(fact(FactKind::Bound, loaded, Span::NONE, "all threads".to_string(), formula));
        }
        Certificate::Interleavings(proof) => {
            let n: usize = proof.reductions.values().map(Vec::len).sum();
            let formula = format!("{n} states of interleavings stand for all, and none is at an error");
            facts.push(fact(FactKind::Bound, loaded, Span::NONE, "all threads".to_string(), formula));
        }
        // Only C has blocks of a heap.
        Certificate::Unwinding(0)
        | Certificate::FiniteUnwinding(0)
        | Certificate::Threads(_)
        | Certificate::Holders(..) => {}
        Certificate::Unwinding(n) | Certificate::FiniteUnwinding(n) => {
            let formula = format!("entered once, each has at most {n} iterations, all of them examined");
            facts.push(fact(FactKind::Bound, loaded, Span::NONE, "all loops".to_string(), formula));
        }
    }
    facts
}

/// What a proof by execution is about.
const EXECUTED: &str = "the whole program";
const ENUMERATED: &str = "the whole program";

fn enumerated(n_steps: u64) -> String {
    format!("few states, all of them examined: at most {n_steps} steps between them")
}

fn executed(n_steps: u64) -> String {
    format!("executed in all its ways, {n_steps} steps together")
}

/// Why the loops and recursions of a program end.
fn termination_facts(loaded: &Loaded, pool: &TermPool, icfg: &Icfg, proof: &ir::TerminationProof) -> Vec<Fact> {
    let mut facts = Vec::new();
    let mut own = pool.clone();
    let expanded;
    let graph = if icfg.has_calls() {
        facts.extend(contract_facts(loaded, pool, icfg, &proof.summaries, |_| None));
        // The same graph that the checker makes.
        (expanded, _) = ir::pending_calls::without_returns(icfg, &proof.summaries.contracts, &mut own);
        &expanded
    } else {
        icfg
    };
    for module in proof.modules.iter().filter(|m| !m.rank.is_empty()) {
        let Some(loc) = module.loop_head(graph, &own) else { continue };
        // Of threads only the steps are in the source, not the loops of all of them together.
        let step =
            if loaded.program.has_threads() { module.changing_steps(graph, &own).first().copied() } else { None };
        let span = step.map_or(graph.locs[loc].span, |edge| graph.edges[edge].span);
        let rank: Vec<String> = module.rank.iter().map(|t| formula_text(&own, graph, *t)).collect();
        let entered = icfg.procs.values().find(|p| icfg.has_calls() && p.entry == loc);
        let place = match entered {
            Some(procedure) => format!("recursion of {}", procedure.name),
            None if step.is_some() => format!("loop through {}", place(&loaded.sources, span)),
            None => format!("loop at {}", place(&loaded.sources, span)),
        };
        let fact = fact(FactKind::Ranking, loaded, span, place, rank_text(&rank));
        if !facts.contains(&fact) {
            facts.push(fact);
        }
    }
    facts
}

/// A ranking function in words.
fn rank_text(components: &[String]) -> String {
    match components {
        [single] => format!("terminates because `{single}` decreases"),
        several => format!("terminates because ({}) decreases lexicographically", several.join(", ")),
    }
}

/// The facts of a proof about a C program as C.
fn c_facts(loaded: &Loaded, proof: &Proof) -> Vec<Fact> {
    if let Certificate::Termination(of_termination) = &proof.certificate
        && (proof.graph.has_calls() || loaded.program.has_threads())
    {
        return termination_facts(loaded, &loaded.pool, &proof.graph, of_termination);
    }
    let proof = proof_in_c(loaded, proof, true);
    let said = |e: &CExpression| match e.n_dropped {
        0 => e.text.clone(),
        n if e.is_trivial() => format!("{n} {} that cannot be said here", if n == 1 { "fact" } else { "facts" }),
        n => format!("{} (and {n} {} that cannot be said here)", e.text, if n == 1 { "part" } else { "parts" }),
    };
    let at_line = |what: &str, span: Span| format!("{what} at {}", place(&loaded.sources, span));
    let mut shown = Vec::new();
    for fact in report::facts::facts(&proof) {
        let (kind, span, place, formula) = match &fact {
            CFact::Invariant { at, expression } => {
                let what = if matches!(at, InvariantPlace::Loop(_)) { "loop" } else { "statement" };
                (FactKind::Invariant, at.span(), at_line(what, at.span()), said(expression))
            }
            CFact::Contract { span, name, requires, ensures, .. } => {
                let formula = format!("requires {}; ensures {}", said(requires), said(ensures));
                (FactKind::Contract, *span, format!("function {name}"), formula)
            }
            CFact::Rank { of, plain, .. } => {
                (FactKind::Ranking, of.span(), at_line("loop", of.span()), rank_text(plain))
            }
            CFact::Enumerated(n) => (FactKind::Bound, Span::NONE, ENUMERATED.to_string(), enumerated(*n)),
            CFact::Executed(n) => (FactKind::Bound, Span::NONE, EXECUTED.to_string(), executed(*n)),
            CFact::Bound(n) => {
                let formula = format!("entered once, each has at most {n} iterations, all of them examined");
                (FactKind::Bound, Span::NONE, "all loops".to_string(), formula)
            }
        };
        shown.push(self::fact(kind, loaded, span, place, formula));
    }
    shown
}

/// A proof as what [`report::facts`] and witnesses are made of.
pub(crate) fn proof_in_c<'a>(loaded: &'a Loaded, proof: &'a Proof, through_pointers: bool) -> report::facts::Proof<'a> {
    report::facts::Proof {
        pool: &loaded.pool,
        icfg: &proof.graph,
        map: proof.map.as_ref(),
        table: &loaded.program.source,
        certificate: &proof.certificate,
        through_pointers,
    }
}

fn fact(kind: FactKind, loaded: &Loaded, span: Span, place: String, formula: String) -> Fact {
    Fact { kind, place, line: loaded.sources.line_of(span), formula, range: Range::of(&loaded.sources, span) }
}

/// An execution that never ends, in the words of the program.
fn lasso_steps(loaded: &Loaded, infinite: &InfiniteExecution, found: &mut FileResult) {
    let lasso = &infinite.lasso;
    let (icfg, pool) = &graph_of_lasso(&infinite.graph, &loaded.pool);
    let n_stem = lasso.stem.steps.len();
    let edges = lasso.stem.steps.iter().map(|s| s.edge).chain(lasso.cycle.iter().map(|s| s.edge));
    // Without values, if they cannot be computed.
    let bare = |edge| ir::RunStep { edge, changed: Vec::new(), chosen: Vec::new(), depth: 1, n_left_out: 0 };
    let steps = exec::interp::steps_of_lasso(icfg, pool, lasso).unwrap_or_else(|_| edges.map(bare).collect());
    // The variables of inlined calls are copies.
    let pairs =
        infinite.map.as_ref().map(|map| map.vars.iter().map(|(copy, (var, _))| (copy, *var)).collect::<Vec<_>>());
    let table = match &pairs {
        Some(pairs) if !loaded.program.source.is_empty() => &loaded.program.source.for_copies(pairs),
        _ => &loaded.program.source,
    };
    let initial: Vec<_> = lasso.stem.initial.iter().map(|(v, value)| (*v, value.clone())).collect();
    let word = infinite.observed.as_ref();
    let observations = |of: &dyn Fn(&ObservedWord) -> &Vec<(usize, Observation)>, first: usize| {
        word.into_iter().flat_map(|w| of(w).clone()).map(|(n, o)| (n + first, o)).collect::<Vec<_>>()
    };
    let mut observed = observations(&|w| &w.stem, 0);
    observed.extend(observations(&|w| &w.cycle, n_stem));
    let ends_after = observed.iter().map(|(n, _)| *n).chain(n_stem.checked_sub(1)).collect();
    let thread = |edge: ir::EdgeId| infinite.lanes.as_ref()?.of_edge.get(base::Id::index(edge)).copied();
    let taken = steps.iter().filter_map(|s| thread(s.edge));
    let names = infinite.lanes.as_ref().map_or(BTreeMap::new(), |lanes| names_of_threads(lanes, taken));
    let telling = Telling {
        loaded,
        icfg,
        table,
        initial: &initial,
        is_flat: true,
        is_violation: false,
        thread: &|edge| names.get(&thread(edge)?).cloned(),
        ends_after,
    };
    let mut told = telling.steps(&steps);
    if let Some(word) = word {
        for (n, observation) in &observed {
            let span = steps[..=*n].iter().rev().map(|s| icfg.edges[s.edge].span).find(|s| !s.is_none());
            let alone = Step {
                place: loaded.sources.show(span.unwrap_or(Span::NONE)),
                line: loaded.sources.line_of(span.unwrap_or(Span::NONE)),
                source: "(observed here)".to_string(),
                range: span.and_then(|s| Range::of(&loaded.sources, s)),
                ..Step::default()
            };
            observe(&mut told, word, (*n, observation), n_stem, alone);
        }
    }
    // How a choice is made in every iteration says more than its first value.
    for (n, s) in lasso.cycle.iter().enumerate() {
        let Some((_, step)) = told.iter_mut().find(|(at, _)| *at == n_stem + n) else { continue };
        for (v, term) in s.chosen.iter().filter(|(_, t)| !pool.free_constants(**t).is_empty()) {
            if !icfg.vars[*v].span.is_none() {
                step.values.insert(icfg.vars[*v].name.clone(), formula_text(pool, icfg, *term));
            }
        }
    }
    let n_told = told.iter().filter(|(at, _)| *at < n_stem).count();
    let cycle = told.split_off(n_told);
    let without_numbers = |told: Vec<(usize, Step)>| told.into_iter().map(|(_, step)| step).collect();
    (found.stem, found.cycle) = (Some(without_numbers(told)), Some(without_numbers(cycle)));
    found.input_values =
        steps[..n_stem].iter().filter_map(|s| report::trace::input(icfg, s)).map(|i| input_value(loaded, i)).collect();
    found.recurrence = recurrence_text(pool, icfg, table, lasso.recurrence);
}

/// What holds each time around, as far as it speaks about variables of the source.
fn recurrence_text(
    pool: &TermPool,
    icfg: &Icfg,
    table: &ir::source::SourceTable,
    recurrence: TermId,
) -> Option<String> {
    let is_internal = |t: TermId| icfg.vars.values().any(|v| v.term == t && v.span.is_none());
    let parts = if pool.op(recurrence) == logic::Op::And { pool.args(recurrence).to_vec() } else { vec![recurrence] };
    let by_term: BTreeMap<TermId, ir::VarId> = icfg.vars.iter().map(|(v, d)| (d.term, v)).collect();
    // A variable of C and its value, as C writes it.
    let as_c = |t: TermId| -> Option<String> {
        let (a, b) = (pool.op(t) == logic::Op::Eq).then(|| (pool.arg(t, 0), pool.arg(t, 1)))?;
        let (var, number) = if by_term.contains_key(&a) { (a, b) } else { (b, a) };
        let place = table.places.get(by_term.get(&var)?).filter(|p| p.is_scalar())?;
        let value = logic::Model::new().eval(pool, number).ok().filter(|_| pool.free_constants(number).is_empty())?;
        Some(format!("{} == {}", place.text_at(&[]), report::c_expression::value_text(&place.ty, &value)))
    };
    let told = parts.iter().filter(|p| **p != TermId::TRUE && !pool.free_constants(**p).into_iter().any(is_internal));
    // Numbers of machine words are not for people.
    let plain = |t: TermId| Some(formula_text(pool, icfg, t)).filter(|_| table.is_empty() || !has_words(pool, t));
    let told: Vec<String> = told.filter_map(|p| as_c(*p).or_else(|| plain(*p))).collect();
    (!told.is_empty()).then(|| told.join(" && "))
}

/// Does a formula speak about bit-vectors?
fn has_words(pool: &TermPool, formula: TermId) -> bool {
    let mut found = false;
    pool.visit_postorder(&[formula], |t| found |= matches!(pool.sort_data(pool.sort(t)), logic::Sort::BitVec(_)));
    found
}

/// Puts what is observed after step `n` of the execution beside the last step before that is shown, or makes a step of
/// it.
fn observe(
    told: &mut Vec<(usize, Step)>,
    word: &ObservedWord,
    (n, observation): (usize, &Observation),
    n_stem: usize,
    alone: Step,
) {
    let truth = |i: usize| {
        let is_in = |set: u64| set >> i & 1 == 1;
        (!is_in(observation.letter.unknown)).then(|| is_in(observation.letter.positive))
    };
    let propositions = word.propositions.iter().enumerate().map(|(i, name)| (name.clone(), truth(i))).collect();
    let automaton = match observation.watch {
        Watch::In(state) => format!("state {state}"),
        Watch::Diverged => "the last observation".to_string(),
        Watch::Nothing => "not started".to_string(),
    };
    let observed = Some(report::Observed { propositions, automaton });
    let behind = told.iter().position(|(at, _)| *at > n).unwrap_or(told.len());
    let is_in_cycle = |at: usize| at >= n_stem;
    match told[..behind].last_mut() {
        Some((at, last)) if last.observed.is_none() && is_in_cycle(*at) == is_in_cycle(n) => last.observed = observed,
        // The end of the program, or a step of the library.
        _ => told.insert(behind, (n, Step { observed, ..alone })),
    }
}

/// The first line of a span, with the outcome of a condition.
fn source_line(sources: &SourceMap, span: Span, note: Note) -> String {
    let source = cause::expression(sources, span);
    match note {
        Note::Branch(taken) => format!("{source}  ({})", if taken { "yes" } else { "no" }),
        Note::None | Note::Hidden | Note::Fact | Note::Step | Note::Layout | Note::Mark(_) => source,
    }
}

/// Contracts as facts; `loop_of` says which procedures stand for loops.
fn contract_facts(
    loaded: &Loaded,
    pool: &TermPool,
    icfg: &Icfg,
    annotation: &ir::Annotation,
    loop_of: impl Fn(ir::ProcId) -> Option<ir::LocId>,
) -> Vec<Fact> {
    let mut facts = Vec::new();
    for (&proc, contract) in &annotation.contracts {
        if contract.requires == TermId::FALSE {
            continue; // never called
        }
        let p = &icfg.procs[proc];
        let (requires, ensures) =
            (formula_text(pool, icfg, contract.requires), formula_text(pool, icfg, contract.ensures));
        let place = match loop_of(proc) {
            Some(_) => format!("loop at {}, until the procedure returns", place(&loaded.sources, p.span)),
            None => format!("procedure {}", p.name),
        };
        facts.push(fact(FactKind::Contract, loaded, p.span, place, format!("requires {requires}; ensures {ensures}")));
    }
    facts
}

fn place(sources: &SourceMap, span: Span) -> String {
    match sources.position(span) {
        Some((_, line, _)) => format!("line {line}"),
        None => "an unknown place".to_string(),
    }
}

/// A formula with the names of the program's variables.
fn formula_text(pool: &TermPool, icfg: &Icfg, formula: TermId) -> String {
    let names: BTreeMap<TermId, &str> = icfg.vars.values().map(|v| (v.term, v.name.as_str())).collect();
    let rename = |pool: &TermPool, t: TermId| match names.get(&t) {
        Some(name) => Some(name.to_string()),
        // Constants of the program are made unique by a number.
        None => pool.as_symbol(t).and_then(|symbol| {
            let (name, number) = pool.name(symbol).rsplit_once('!')?;
            (!name.is_empty() && number.bytes().all(|b| b.is_ascii_digit())).then(|| name.to_string())
        }),
    };
    pool.infix_with(formula, MAX_FORMULA, &rename).unwrap_or_else(|| "(a large formula)".to_string())
}

/// The steps of an execution that violates a check.
fn shown_steps(loaded: &Loaded, violation: &Violation) -> Vec<Step> {
    let Violation { run, original: icfg, .. } = violation;
    let names = violation.thread_names();
    let telling = Telling {
        loaded,
        icfg,
        table: &loaded.program.source,
        initial: &run.initial,
        is_flat: violation.lanes.is_some(),
        is_violation: true,
        thread: &|edge| violation.thread(edge).and_then(|t| names.get(&t).cloned()),
        ends_after: BTreeSet::new(),
    };
    telling.steps(&run.steps).into_iter().map(|(_, step)| step).collect()
}

/// An execution that is to be told in the words of the program.
struct Telling<'a> {
    loaded: &'a Loaded,
    icfg: &'a Icfg,
    /// The variables of the source that those of the graph stand for.
    table: &'a ir::source::SourceTable,
    initial: &'a [(ir::VarId, logic::Value)],
    /// Calls are copies of what is called, and the function itself is the first step in it: threads, and executions
    /// that never end.
    is_flat: bool,
    /// It ends in a violation, which is told in any case.
    is_violation: bool,
    thread: &'a dyn Fn(ir::EdgeId) -> Option<String>,
    /// The step that is told ends with these, even if its statement goes on.
    ends_after: BTreeSet<usize>,
}

impl Telling<'_> {
    /// The steps that stand in the source, with the values that changed, each with the number of the first step that it
    /// stands for. Those inside the library are
    /// left out, and so are, before the program starts, the making of constants, zeros and tables, which the source
    /// says, and values of uninitialised objects that no step reads.
    fn steps(&self, run_steps: &[ir::RunStep]) -> Vec<(usize, Step)> {
        let Telling { loaded, icfg, table, .. } = *self;
        let mut steps: Vec<(usize, Step)> = Vec::new();
        let mut c_values = Values::new(table, icfg);
        c_values.start(self.initial);
        // The program starts where the first of its functions is called.
        let is_function = |site: ir::CallSiteId| table.functions.contains_key(&icfg.call_sites[site].callee);
        let is_start =
            |step: &ir::RunStep| matches!(icfg.edges[step.edge].label, ir::Label::Call(site) if is_function(site));
        let is_entry =
            |step: &ir::RunStep| self.is_flat && table.functions.values().any(|f| f.span == icfg.edges[step.edge].span);
        let start = run_steps.iter().position(|step| is_start(step) || is_entry(step));
        let outermost = start.map_or(2, |i| run_steps[i].depth).max(1);
        if table.is_empty() {
            steps.extend(any_values(icfg, self.initial, "start".to_string(), 0).map(|s| (0, s)));
        }
        let mut open: Option<OpenStep> = None;
        // Declarations without initialiser.
        let mut unset = BTreeSet::new();
        let unread = self.unread_choices(run_steps);
        let is_last = |i: usize| self.is_violation && i + 1 == run_steps.len();
        let last_gap = run_steps.iter().rposition(|step| step.n_left_out > 0);
        for (i, step) in run_steps.iter().enumerate() {
            let edge = &icfg.edges[step.edge];
            if last_gap == Some(i) {
                let n: u64 = run_steps.iter().map(|step| step.n_left_out).sum();
                let source = format!("{n} steps are left out");
                steps.push((i, Step { place: "…".to_string(), source, ..Step::default() }));
            }
            let values: BTreeMap<String, String> = if table.is_empty() {
                // What was chosen is told even if it was so before.
                let is_choice = matches!(edge.label, ir::Label::Stmt(ir::Stmt::Havoc(..)));
                let told = if is_choice { &step.chosen } else { &step.changed };
                let named = told.iter().filter(|(v, _)| !icfg.vars[*v].span.is_none());
                named.map(|(v, value)| (icfg.vars[*v].name.clone(), value.show())).collect()
            } else {
                c_values.changes(step).into_iter().collect()
            };
            let is_of_library = match &edge.label {
                ir::Label::Call(site) => loaded.is_library(icfg.procs[icfg.call_sites[*site].callee].span),
                _ => false,
            };
            let is_setup = start.is_some_and(|start| i < start);
            // Static objects start with zeros.
            let values = match is_of_library || is_setup && values.values().all(|value| is_zero(value)) {
                true => BTreeMap::new(),
                false => values,
            };
            // The locals of the callee start with any values; those that are read are known.
            let begins = match &edge.label {
                ir::Label::Call(site) if table.is_empty() => {
                    let callee = &icfg.procs[icfg.call_sites[*site].callee];
                    any_values(icfg, &step.chosen, loaded.sources.show(callee.span), step.depth.saturating_sub(2))
                }
                _ => None,
            };
            // A call is a step of the caller.
            let is_call = !table.is_empty() && matches!(edge.label, ir::Label::Call(_));
            // What is returned stands at the statement that returns it, and where the program starts is told before.
            let is_told =
                !table.is_empty() && (matches!(edge.label, ir::Label::Return(_)) || start == Some(i)) && !is_last(i);
            // A part of a statement that changes nothing, and a declaration.
            let statement = table.statement_around(edge.span);
            let is_unset = |s: Span| table.declarations.contains(&s) && !loaded.sources.text(s).contains('=');
            if statement.is_some_and(is_unset) {
                if unread.contains(&i) {
                    continue;
                }
                // Of objects in memory only the changes are known.
                let is_variable = |v: &ir::VarId| table.places.contains_key(v);
                let is_known =
                    matches!(&edge.label, ir::Label::Stmt(ir::Stmt::Havoc(v, _)) if v.iter().all(is_variable));
                if !is_known {
                    unset.insert(i);
                }
            }
            let is_part = edge.note == Note::None
                && !is_call
                && !is_last(i)
                && statement.is_some_and(|s| s.start != edge.span.start || table.declarations.contains(&s));
            let is_literal = is_setup && loaded.sources.text(edge.span).starts_with('"');
            let hidden = edge.span.is_none() || edge.note.is_hidden() || is_setup || is_told || is_part;
            if hidden && values.is_empty() || is_literal || loaded.is_library(edge.span) {
                steps.extend(begins.map(|s| (i, s)));
                if self.ends_after.contains(&i) {
                    open = None;
                }
                continue;
            }
            let shown = Step {
                place: loaded.sources.show(edge.span),
                line: loaded.sources.line_of(edge.span),
                source: source_line(&loaded.sources, edge.span, edge.note),
                values,
                depth: step.depth.saturating_sub(outermost + usize::from(is_call)),
                function: function_at(loaded, icfg, edge),
                thread: (self.thread)(step.edge),
                range: Range::of(&loaded.sources, edge.span),
                edge: Some(step.edge.0),
                observed: None,
            };
            let is_plain = edge.note == Note::None || edge.note.is_hidden();
            // The condition of an assertion is told where it comes out.
            let is_repeated = is_last(i)
                && is_plain
                && shown.values.is_empty()
                && steps.last().is_some_and(|(_, l)| l.range == shown.range && l.depth == shown.depth);
            if is_repeated && !table.is_empty() {
                continue;
            }
            match (steps.last_mut(), &mut open) {
                (Some((_, last)), Some(open)) if is_plain && open.goes_on(last, &shown, statement, step.edge) => {
                    // What is read and then stored is told once.
                    let stored: Vec<&String> = shown.values.values().collect();
                    last.values.retain(|name, value| !name.ends_with("()") || !stored.contains(&&*value));
                    last.values.extend(shown.values);
                    last.edge = shown.edge;
                    open.edges.push(step.edge);
                    // The larger part says more.
                    if edge.span.end - edge.span.start > open.span.end - open.span.start {
                        open.span = edge.span;
                        (last.place, last.line) = (shown.place, shown.line);
                        (last.source, last.range) = (shown.source, shown.range);
                    }
                }
                _ => {
                    open = is_plain.then(|| OpenStep { statement, span: edge.span, edges: vec![step.edge] });
                    steps.push((i, shown));
                }
            }
            if self.ends_after.contains(&i) {
                open = None;
            }
            steps.extend(begins.map(|s| (i, s)));
        }
        forget_unset(&mut steps, &unset);
        steps.retain(|(i, step)| start.is_none_or(|start| *i >= start) || step.values.len() <= MAX_INITIAL);
        steps
    }

    /// The steps that choose values which no later step reads.
    fn unread_choices(&self, steps: &[ir::RunStep]) -> BTreeSet<usize> {
        let mut read_by: BTreeMap<ir::EdgeId, Vec<logic::TermId>> = BTreeMap::new();
        let mut live: BTreeSet<logic::TermId> = BTreeSet::new();
        let mut unread = BTreeSet::new();
        for (i, step) in steps.iter().enumerate().rev() {
            let edge = &self.icfg.edges[step.edge];
            match &edge.label {
                ir::Label::Stmt(ir::Stmt::Havoc(chosen, _)) => {
                    let n_read = chosen.iter().filter(|v| live.remove(&self.icfg.term(**v))).count();
                    unread.extend((n_read == 0).then_some(i));
                }
                ir::Label::Stmt(ir::Stmt::Assign(pairs)) => {
                    for (v, _) in pairs {
                        live.remove(&self.icfg.term(*v));
                    }
                }
                _ => {}
            }
            // That a value fits its type is known of every one.
            if edge.note != Note::Fact {
                let read = read_by.entry(step.edge).or_insert_with(|| {
                    let terms = self.icfg.read_terms(&edge.label);
                    terms.iter().flat_map(|t| self.loaded.pool.free_constants(*t)).collect()
                });
                live.extend(read.iter().copied());
            }
        }
        unread
    }
}

/// Larger initial values of static objects are not told.
const MAX_INITIAL: usize = 8;

/// Is a value, or every member of one, zero?
fn is_zero(value: &str) -> bool {
    let members = value.trim_start_matches('{').trim_end_matches('}').split(", ");
    members.map(|m| m.rsplit("= ").next().unwrap_or(m)).all(|m| matches!(m, "0" | "NULL" | "'\\0' (0)"))
}

/// Leaves out what objects hold before they are set for the first time.
fn forget_unset(steps: &mut Vec<(usize, Step)>, is_unset: &BTreeSet<usize>) {
    let of_unset: Vec<usize> = (0..steps.len()).filter(|i| is_unset.contains(&steps[*i].0)).collect();
    for i in of_unset.into_iter().rev() {
        let (_, step) = &steps[i];
        let is_set = |name: &String| steps[i + 1..].iter().any(|(_, later)| later.values.contains_key(name));
        let kept: BTreeMap<String, String> =
            step.values.iter().filter(|(name, _)| !is_set(name)).map(|(n, v)| (n.clone(), v.clone())).collect();
        if kept.is_empty() && !step.values.is_empty() {
            steps.remove(i);
        } else {
            steps[i].1.values = kept;
        }
    }
}

/// The function that an edge stands in. Threads and executions that never end are those of graphs without calls, so in
/// C it is the one that begins last before the edge.
fn function_at(loaded: &Loaded, icfg: &Icfg, edge: &ir::Edge) -> Option<String> {
    let table = &loaded.program.source;
    if table.is_empty() {
        let proc = &icfg.procs[icfg.locs[edge.src].proc];
        return (!proc.span.is_none()).then(|| proc.name.clone());
    }
    let before = table.functions.values().filter(|f| f.span.file == edge.span.file && f.span.start <= edge.span.start);
    before.max_by_key(|f| f.span.start).map(|f| f.name.clone())
}

/// The variables among the values of steps that all functions share.
fn globals(loaded: &Loaded, icfg: &Icfg, found: &FileResult) -> BTreeSet<String> {
    let table = &loaded.program.source;
    let declared: BTreeSet<&str> = match table.is_empty() {
        true => icfg.globals.iter().map(|v| icfg.vars[*v].name.as_str()).collect(),
        false => table.names.iter().filter(|n| n.scope.is_none()).map(|n| n.name.as_str()).collect(),
    };
    let values = found.steps().flat_map(|(step, _)| step.values.keys());
    // `p->next` and `a[2].x` are of `p` and `a`.
    let is_part = |c: char| c.is_alphanumeric() || "_$#".contains(c) || table.is_empty() && ".'~`^\\?".contains(c);
    let variable =
        |place: &String| place.split(|c| !is_part(c)).find(|p| !p.is_empty()).unwrap_or_default().to_string();
    values.map(variable).filter(|v| declared.contains(v.as_str())).collect()
}

/// What an execution took from outside.
fn input_values(loaded: &Loaded, violation: &Violation) -> Vec<report::InputValue> {
    let inputs = report::trace::inputs(&violation.original, &violation.run);
    inputs.into_iter().map(|input| input_value(loaded, input)).collect()
}

fn input_value(loaded: &Loaded, input: report::trace::InputValue) -> report::InputValue {
    let table = &loaded.program.source;
    let is_parameter = table.functions.values().any(|f| f.params.iter().any(|p| p.0 == input.function));
    let ty = report::trace::input_type(table, &input.function);
    let is_call = input.function != ir::STANDARD_INPUT && !is_parameter;
    let value = report::c_expression::value_text(&ty, &input.value);
    report::InputValue {
        name: if is_call { format!("{}()", input.function) } else { input.function },
        value,
        place: loaded.sources.show(input.span),
        range: Range::of(&loaded.sources, input.span),
    }
}

/// The most values that are shown for the start, and the longest.
const MAX_START: (usize, usize) = (20, 40);

/// What variables of a Boogie program are where they may be anything: an execution depends on it.
fn any_values(icfg: &Icfg, values: &[(ir::VarId, logic::Value)], place: String, depth: usize) -> Option<Step> {
    let named = values.iter().filter(|(v, _)| !icfg.vars[*v].span.is_none());
    let values: BTreeMap<String, String> = named
        .map(|(v, value)| (icfg.vars[*v].name.clone(), value.show()))
        .filter(|(_, value)| value.chars().count() <= MAX_START.1)
        .take(MAX_START.0)
        .collect();
    (!values.is_empty()).then(|| Step { place, source: "any values".to_string(), values, depth, ..Step::default() })
}

/// A step that is shown and may go on: a statement of the source may be many steps, and to people it is one.
struct OpenStep {
    statement: Option<Span>,
    /// What is shown of it.
    span: Span,
    edges: Vec<ir::EdgeId>,
}

impl OpenStep {
    /// Does a step belong to the same statement? An edge that comes again is another iteration.
    fn goes_on(&self, last: &Step, next: &Step, statement: Option<Span>, edge: ir::EdgeId) -> bool {
        let is_same = match statement {
            Some(_) => statement == self.statement,
            None => last.range == next.range && last.source == next.source,
        };
        is_same && last.depth == next.depth && last.thread == next.thread && !self.edges.contains(&edge)
    }
}
