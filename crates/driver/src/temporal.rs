//! Temporal properties: the product of the program with the Büchi automaton of the negated formula has no execution
//! that counts.
//!
//! The formula comes with the property or stands in a comment of the program ([`crate::formula`]). Its propositions go
//! to the front end, which says what they mean as terms; [`ir::temporal`] makes the product, whose infinite executions
//! the termination engines examine. As for termination, a proof is about unbounded signed arithmetic, and a violation
//! must not overflow, unless no observation and no branch depends on the value.
//!
//! 1. *All states*: a small state space, up to cells of the integers, is enumerated.
//! 2. *Safety*: if a finite prefix decides a violation, all safety engines may prove that there is none.
//! 3. *Lassos*: a short search for recurring states, then ranking functions and recurrence sets, with loop invariants.
//!
//! A violation is examined once more before it is reported: the formula itself, not its automaton, is evaluated on the
//! observations of the execution ([`crate::observed`]).

use crate::formula::{Formula, parsed};
use crate::load::{Language, Loaded};
use crate::observed::{Made, confirmed};
use crate::observer::{Meter, Report};
use crate::outcome::{Finding, Outcome};
use crate::plan;
use crate::portfolio::verify_graph;
use crate::product::{is_too_many_threads, of_the_program, verify_threads};
use crate::session::{Attempt, Session};
use crate::settings::Engines;
use crate::shorten::shortened;
use crate::termination::{verify_infinite, without_overflow_checks};
use automata::ltl::{self, LtlAutomaton, PropositionKind};
use base::Budget;
use engine::{Ctx, Task};
use ir::inline::{InlineLimits, InlineMap, inline_calls, inline_calls_but, too_large_to_copy, unroll_recursion};
use ir::interleave::{Interleaved, ThreadLimits, interleave};
use ir::temporal::{
    Guard, Monitor, MonitorEdge, Observing, Question, Reading, as_safety, chooses_blindly, endless, pending, product,
};
use ir::{Annotation, Certificate, Check, EventKind, Icfg, Observed, Program, Property, Reason, Subproperty, VarId};
use logic::{TermId, TermPool};

/// With more edges than this procedures are not inlined, and calls are replaced by contracts.
const MAX_INLINED: usize = 60_000;
/// The number of words on which an automaton is compared with its formula before it is used.
const N_SAMPLES: u64 = 200;
/// The recursion depths in which violations are searched for, with shares of the time.
const DEPTHS: [(usize, f64); 5] = [(3, 0.15), (7, 0.15), (14, 0.3), (50, 0.4), (200, 0.6)];
/// The number of these depths tried before proofs about all depths.
const N_FIRST: usize = 2;

/// Do threads start in a procedure? They enter and leave it without a call.
fn starts_threads(program: &Program, procedure: ir::ProcId) -> bool {
    let bodies = program.procs.values().filter_map(|p| p.body.as_ref());
    let is_fork = |i: &ir::Instr| matches!(i.kind, ir::InstrKind::Fork { callee, .. } if callee == procedure);
    bodies.flat_map(|b| &b.instrs).any(is_fork)
}

/// Puts the propositions about steps between those that the front end understood.
fn with_events(program: &mut Program, formula: &Formula) -> Result<(), Reason> {
    let unsupported = |what: String| Reason::Unsupported(what);
    let entry = program.entries.first().copied();
    let known = program.observations.take();
    let mut states = known.iter().flat_map(|o| o.propositions.clone());
    let mut propositions = Vec::with_capacity(formula.parsed.propositions.len());
    for proposition in &formula.parsed.propositions {
        let event = |kind: EventKind| {
            let wanted = ir::Event { kind, name: proposition.text.clone() };
            program.events.iter().position(|e| *e == wanted).map(|number| Observed::Mark(number as u32))
        };
        let procedure = || program.procs.iter().find(|(_, p)| p.name == proposition.text).map(|(id, _)| id);
        let is_event = matches!(proposition.kind, PropositionKind::Call | PropositionKind::Return);
        if is_event && procedure().is_some_and(|p| starts_threads(program, p)) {
            return Err(unsupported(format!("{proposition}: threads start in {}", proposition.text)));
        }
        // The name is one of the program; what is not translated is never reached.
        let never = Observed::State(TermId::FALSE);
        propositions.push(match proposition.kind {
            PropositionKind::Expression => {
                let what = || unsupported(format!("the proposition {proposition}"));
                states.next().ok_or_else(what)?
            }
            PropositionKind::Call => {
                event(EventKind::Call).or_else(|| procedure().map(Observed::Call)).unwrap_or(never)
            }
            PropositionKind::Return => {
                event(EventKind::Return).or_else(|| procedure().map(Observed::Return)).unwrap_or(never)
            }
            PropositionKind::At => event(EventKind::At).unwrap_or(never),
        });
    }
    let Some(entry) = known.as_ref().map(|o| o.entry).or(entry) else {
        return Err(unsupported("a program without entry procedure".to_string()));
    };
    program.observations = Some(ir::Observations { propositions, entry, has_marked_steps: false });
    Ok(())
}

fn monitor(automaton: &LtlAutomaton) -> Monitor {
    let edge = |e: &ltl::LtlEdge| MonitorEdge {
        guard: Guard { positive: e.guard.positive, negative: e.guard.negative },
        target: e.target,
    };
    Monitor {
        initial: automaton.initial.clone(),
        accepting: automaton.accepting.clone(),
        edges: automaton.edges.iter().map(|row| row.iter().map(edge).collect()).collect(),
    }
}

/// A formula with its automaton, and how programs are observed.
struct Specification {
    formula: Formula,
    monitor: Monitor,
    promises: bool,
    is_c: bool,
    is_fair: bool,
}

/// How the calls of a program are treated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Calls {
    /// All inlined.
    Inlined,
    /// Those of recursive procedures, and of some that are too large, are skipped by contract or never return.
    Skipped,
    /// Bounded recursion depth: for violations.
    Unrolled(usize),
    /// The same, and an execution beyond the depth may violate the formula: for proofs.
    Complete(usize),
}

/// Does every execution of a program satisfy the formula of the property?
pub(crate) fn verify_temporal(
    session: &mut Session<'_>,
    attempt: &Attempt,
    loaded: &mut Loaded,
    budget: &Budget,
) -> Finding {
    let unknown = |reason: Reason| Finding::unknown(reason, "");
    let name = session.source.path.display().to_string();
    let Ok(Some(formula)) = parsed(&name, session.source.text(), session.property) else {
        return unknown(Reason::Unsupported("a property without formula".to_string()));
    };
    if let Err(reason) = with_events(&mut loaded.program, &formula) {
        return unknown(reason);
    }
    let negated = ltl::negation_normal_form(&formula.parsed.formula, false);
    let monitor = match ltl::translate(&negated, budget) {
        Ok(automaton) => {
            let parsed = &formula.parsed;
            if !ltl::agrees_on_samples(&parsed.formula, &automaton, parsed.propositions.len(), N_SAMPLES) {
                return unknown(Reason::Rejected("the automaton does not mean the negated formula".to_string()));
            }
            monitor(&automaton)
        }
        Err(stop) => return unknown(Reason::Stopped(stop)),
    };
    let promises = !ltl::negation_normal_form(&formula.parsed.formula, true).holds_unobserved();
    let is_c = session.source.language == Language::C;
    let specification = Specification { formula, monitor, promises, is_c, is_fair: session.settings.is_fair };
    let is_thread = |remark: &ir::Remark| remark.kind == ir::RemarkKind::Threads;
    if loaded.program.has_threads() || loaded.program.fidelity.unsound.iter().any(is_thread) {
        return of_threads(session, attempt, loaded, &specification, budget);
    }
    let plain = Icfg::build(&loaded.program, &mut loaded.pool);
    let is_small = too_large_to_copy(&plain, MAX_INLINED).is_empty();
    if is_small && !ir::inline::has_recursion(&plain) {
        return with_calls(session, attempt, loaded, &specification, Calls::Inlined, budget);
    }
    // Most violations are shallow; a proof is about all depths, or shows that the bound is never exceeded.
    let look = |(depth, share): (usize, f64), session: &mut Session<'_>, loaded: &mut Loaded| {
        let own = budget.share(share);
        let found = with_calls(session, attempt, loaded, &specification, Calls::Unrolled(depth), &own);
        match found.outcome {
            Outcome::NonTerminating(_) => Some(found),
            Outcome::Holds(_) => {
                let all = with_calls(session, attempt, loaded, &specification, Calls::Complete(depth), &own);
                matches!(all.outcome, Outcome::Holds(_)).then_some(all)
            }
            _ => None,
        }
    };
    let (first, later) = DEPTHS.split_at(N_FIRST);
    for &depth in first {
        if let Some(found) = look(depth, session, loaded) {
            return found;
        }
    }
    let proof = with_calls(session, attempt, loaded, &specification, Calls::Skipped, &budget.share(0.6));
    if proof.outcome.is_definite() {
        return proof;
    }
    for &depth in later {
        if let Some(found) = look(depth, session, loaded) {
            return found;
        }
    }
    proof
}

/// The program in which overflow is ignored if no observation and no branch depends on the value.
fn without_idle_checks(program: &Program, pool: &TermPool) -> Program {
    let propositions = program.observations.iter().flat_map(|o| &o.propositions);
    let observed: Vec<TermId> = propositions
        .filter_map(|p| match p {
            Observed::State(t) => Some(*t),
            Observed::Call(_) | Observed::Return(_) | Observed::Mark(_) => None,
        })
        .collect();
    let is_overflow = |check: &Check| check.property == Subproperty::NoOverflow;
    let matters = ir::influential(program, pool, &observed, &|check| !is_overflow(check));
    let by_term: std::collections::BTreeMap<TermId, VarId> = program.vars.iter().map(|(v, d)| (d.term, v)).collect();
    let mut result = program.clone();
    for (_, procedure) in result.procs.iter_mut() {
        for instruction in procedure.body.iter_mut().flat_map(|b| &mut b.instrs) {
            let ir::InstrKind::Assert(condition, check) = &instruction.kind else { continue };
            let mut is_idle = is_overflow(check);
            pool.visit_postorder(&[*condition], |t| is_idle &= by_term.get(&t).is_none_or(|v| !matters.contains(v)));
            if is_idle {
                instruction.kind = ir::InstrKind::Stmt(ir::Stmt::Assume(TermId::TRUE));
            }
        }
    }
    result
}

/// Answers for a sequential program.
fn with_calls(
    session: &mut Session<'_>,
    attempt: &Attempt,
    loaded: &mut Loaded,
    specification: &Specification,
    calls: Calls,
    budget: &Budget,
) -> Finding {
    let (relaxed, _) = without_overflow_checks(&loaded.program);
    let strict = without_idle_checks(&loaded.program, &loaded.pool);
    let has_checks = without_overflow_checks(&strict).1;
    let options = check::Options { paranoid: session.settings.paranoid };
    let pool = &mut loaded.pool;
    let graphs = made(&relaxed, specification, calls, options, pool, budget).and_then(|relaxed| {
        let has_checks = has_checks && !matches!(calls, Calls::Complete(_));
        let strict = has_checks.then(|| made(&strict, specification, calls, options, pool, budget)).transpose()?;
        Ok((relaxed, strict))
    });
    match graphs {
        Ok((relaxed, strict)) => {
            let only_violations = matches!(calls, Calls::Unrolled(_));
            answered(session, attempt, loaded, specification, (relaxed, strict), only_violations, budget)
        }
        Err(reason) => Finding::unknown(reason, ""),
    }
}

/// The product of a program with the automaton.
fn made(
    program: &Program,
    specification: &Specification,
    calls: Calls,
    options: check::Options,
    pool: &mut TermPool,
    budget: &Budget,
) -> Result<Made, Reason> {
    let too_large = |e: ir::inline::InlineError| Reason::Incomplete(e.to_string());
    let (program, graph) = observable(program, pool)?;
    let Some(observations) = program.observations else { return Err(cannot_be_observed()) };
    let limits = InlineLimits::default();
    let (mut inlined, map) = match calls {
        Calls::Inlined => inline_calls(&graph, pool, &limits).map_err(too_large)?,
        Calls::Skipped => {
            let stay = too_large_to_copy(&graph, MAX_INLINED);
            inline_calls_but(&graph, pool, &limits, &stay).map_err(too_large)?
        }
        Calls::Unrolled(depth) | Calls::Complete(depth) => {
            let limits = InlineLimits { max_edges: MAX_INLINED };
            unroll_recursion(&graph, pool, &limits, depth).map_err(too_large)?
        }
    };
    let mut observing = Observing::of_inlined(&inlined, &graph, &map, &observations);
    if inlined.has_calls() {
        inlined.ensure_old_vars(pool);
        let contracts = contracts(&inlined, pool, options, budget)?.contracts;
        (inlined, observing) = pending(&inlined, &observing, &specification.monitor, &observations, &contracts, pool);
    }
    let goes_deeper = matches!(calls, Calls::Complete(_));
    let question = Question { goes_deeper, ..question(specification, &observations) };
    let product = product(&inlined, &observing, &question, pool).map_err(|e| Reason::Unsupported(e.to_string()))?;
    let copies = map.vars.iter().map(|(copy, (original, _))| (copy, *original)).collect();
    Ok(Made { product, observing, observations, copies, more_threads: false, lanes: None })
}

fn cannot_be_observed() -> Reason {
    Reason::Unsupported("a program that cannot be observed".to_string())
}

/// The program whose executions are all infinite, and its graph.
fn observable(program: &Program, pool: &mut TermPool) -> Result<(Program, Icfg), Reason> {
    let mut program = program.clone();
    let has_marked_steps = endless(&mut program);
    program.observations.as_mut().ok_or_else(cannot_be_observed)?.has_marked_steps = has_marked_steps;
    let graph = Icfg::build(&program, pool);
    Ok((program, graph))
}

fn question<'a>(specification: &'a Specification, observations: &'a ir::Observations) -> Question<'a> {
    Question {
        monitor: &specification.monitor,
        observations,
        has_next: specification.formula.parsed.formula.has_next(),
        promises: specification.promises,
        // In C the only checks are for undefined behaviour; in Boogie an execution that fails one has ended. Where the
        // product has no room for a further thread the execution is cut off.
        ends: if specification.is_c { &|_| false } else { &|check| !is_too_many_threads(check) },
        is_fair: specification.is_fair,
        assumptions_wait: false,
        goes_deeper: false,
    }
}

/// Contracts of the procedures of a graph, as the checker accepts them.
fn contracts(icfg: &Icfg, pool: &mut TermPool, options: check::Options, budget: &Budget) -> Result<Annotation, Reason> {
    let found = engine::buchi::infer_contracts(pool, icfg, &budget.share(0.5))?;
    let mut without_errors = icfg.clone();
    for (_, location) in without_errors.locs.iter_mut() {
        location.error = None;
    }
    let certificate = Certificate::Annotation(found.clone());
    match check::check_certificate(pool, &without_errors, &certificate, options, &budget.share(0.5)) {
        Ok(()) => Ok(found),
        // Without contracts a call may do anything.
        Err(_) => Ok(Annotation::default()),
    }
}

/// Searches for proofs on the product with unbounded signed arithmetic, and for violations on the one in which
/// executions end at an overflow, if they differ.
fn answered(
    session: &mut Session<'_>,
    attempt: &Attempt,
    loaded: &mut Loaded,
    specification: &Specification,
    (relaxed, strict): (Made, Option<Made>),
    only_violations: bool,
    budget: &Budget,
) -> Finding {
    let finding =
        searched(session, attempt, loaded, specification, (&relaxed, strict.as_ref()), only_violations, budget);
    let made = strict.as_ref().unwrap_or(&relaxed);
    let options = check::Options { paranoid: session.settings.paranoid };
    let outcome = match finding.outcome {
        Outcome::NonTerminating(mut infinite) => {
            infinite.lanes = made.lanes_of(&infinite);
            let formula = &specification.formula;
            let short = shortened(&infinite, &mut loaded.pool, options, budget);
            let short = short.map(|short| confirmed(short, made, formula, &mut loaded.pool, options, budget));
            let long = confirmed(*infinite, made, formula, &mut loaded.pool, options, budget);
            match (short, long) {
                (Some(Outcome::NonTerminating(mut short)), Outcome::NonTerminating(long)) => {
                    short.longer = Some(long);
                    Outcome::NonTerminating(short)
                }
                (_, long) => long,
            }
        }
        other => other,
    };
    loaded.program.source = loaded.program.source.for_copies(&made.copies);
    Finding { outcome, ..finding }
}

fn searched(
    session: &mut Session<'_>,
    attempt: &Attempt,
    loaded: &mut Loaded,
    specification: &Specification,
    (relaxed, strict): (&Made, Option<&Made>),
    only_violations: bool,
    budget: &Budget,
) -> Finding {
    let property = session.property.clone();
    let is_holding = |f: &Finding| matches!(f.outcome, Outcome::Holds(_));
    let is_violation = |f: &Finding| matches!(f.outcome, Outcome::NonTerminating(_));
    let violating = strict.unwrap_or(relaxed);
    let mut graph = relaxed.product.icfg.clone();
    if attempt.engines.is_auto() {
        // A small state space is enumerated quickly.
        let (name, share) = plan::ALL_STATES;
        let all_states = Attempt { engines: Engines::Only(plan::named(name)), n_jobs: 1, ..*attempt };
        for (made, is_first) in [(relaxed, true), (violating, false)] {
            if !is_first && strict.is_none() {
                break;
            }
            let own = budget.share(share);
            let finding = verify_graph(session, &all_states, loaded, made.product.icfg.clone(), &property, &own);
            let counts = if is_first {
                is_holding(&finding) || strict.is_none() && is_violation(&finding)
            } else {
                is_violation(&finding)
            };
            if counts {
                return finding;
            }
            // Without a cycle, or with too many states, the other graph adds nothing.
            if !is_violation(&finding) {
                break;
            }
        }
        if !only_violations && specification.monitor.is_decided_in_time() {
            let check = Check::new(Subproperty::UnreachCall, "the temporal formula is violated", base::Span::NONE);
            let safety = as_safety(&relaxed.product, &specification.monitor, &check);
            let own = budget.share(plan::SAFETY_SHARE);
            let finding = verify_graph(session, attempt, loaded, safety, &Property::UnreachCall, &own);
            if is_holding(&finding) {
                return finding;
            }
        }
        if !only_violations {
            graph = with_invariants(session, graph, &mut loaded.pool, &budget.share(plan::INVARIANTS_SHARE));
        }
    }
    verify_infinite(session, attempt, loaded, budget, graph, strict.map(|made| made.product.icfg.clone()))
}

/// Products with more edges than this are not strengthened.
const MAX_STRENGTHENED: usize = 4_000;

/// The same graph, in which assumptions at loop heads also say what always holds there: what engine `affine` finds and
/// the checker accepts. Edges keep their numbers.
fn with_invariants(session: &Session<'_>, graph: Icfg, pool: &mut TermPool, budget: &Budget) -> Icfg {
    if graph.edges.len() > MAX_STRENGTHENED {
        return graph;
    }
    let mut plain = graph.clone();
    plain.acceptance = None;
    for (_, location) in plain.locs.iter_mut() {
        location.error = None;
    }
    let mut report = |_: Report| {};
    let mut meter = Meter::new(&*session.source.host, &mut report);
    let property = Property::UnreachCall;
    let found = {
        let mut ctx = Ctx::new(pool, budget, &mut meter);
        let task = Task::new(&plain, &property);
        let _ = plan::named(plan::INVARIANTS).run(&mut ctx, &task);
        ctx.found
    };
    let invariants = found.into_iter().map(|(loc, formulas)| (loc, pool.and(&formulas)));
    let annotation = Annotation { invariants: invariants.collect(), ..Annotation::default() };
    let options = check::Options { paranoid: session.settings.paranoid };
    let certificate = Certificate::Annotation(annotation.clone());
    if check::check_certificate(pool, &plain, &certificate, options, budget).is_err() {
        return graph;
    }
    let mut result = graph;
    for (_, edge) in result.edges.iter_mut() {
        if let (ir::Label::Stmt(ir::Stmt::Assume(condition)), Some(&invariant)) =
            (&mut edge.label, annotation.invariants.get(&edge.src))
        {
            *condition = pool.and2(*condition, invariant);
        }
    }
    result
}

/// Answers for a program with threads: on the product of their control flows in all orders of steps. Fair schedules
/// only, if that is asked for. A violation in C counts if the threads do not race.
fn of_threads(
    session: &mut Session<'_>,
    attempt: &Attempt,
    loaded: &mut Loaded,
    specification: &Specification,
    budget: &Budget,
) -> Finding {
    let unknown = |why: &str| Reason::Unsupported(format!("temporal properties of programs with threads{why}"));
    if !loaded.program.has_threads() {
        return Finding::unknown(unknown(""), "");
    }
    let (relaxed, _) = without_overflow_checks(&loaded.program);
    let strict = without_idle_checks(&loaded.program, &loaded.pool);
    let has_checks = without_overflow_checks(&strict).1;
    let pool = &mut loaded.pool;
    let graphs = interleaved(&relaxed, specification, pool)
        .and_then(|relaxed| Ok((relaxed, has_checks.then(|| interleaved(&strict, specification, pool)).transpose()?)));
    let (relaxed, strict) = match graphs {
        Ok(graphs) => graphs,
        Err(reason) => return Finding::unknown(reason, ""),
    };
    let more_threads = relaxed.more_threads;
    let may_wait = relaxed.product.locs.values().any(|s| s.reading == Reading::Waiting);
    let copies = relaxed.copies.clone();
    let own = if specification.is_c { budget.share(0.7) } else { budget.clone() };
    let mut finding = answered(session, attempt, loaded, specification, (relaxed, strict), false, &own);
    match &finding.outcome {
        Outcome::Holds(_) if more_threads => {
            finding.outcome = Outcome::Unknown(unknown(" whose number is not bounded"));
        }
        Outcome::NonTerminating(_) if specification.is_c && !is_race_free(session, attempt, budget) => {
            let why = " (some schedule violates the formula, but whether its threads race is not known)";
            finding.outcome = Outcome::Unknown(unknown(why));
        }
        Outcome::Unknown(Reason::Incomplete(why)) if specification.is_c && may_wait => {
            let also = "threads may wait for each other forever, see --property no-deadlock";
            finding.outcome = Outcome::Unknown(Reason::Incomplete(format!("{why}; {also}")));
        }
        _ => {}
    }
    if specification.is_c { Finding { outcome: finding.outcome.about_copies(copies), ..finding } } else { finding }
}

/// The product of the threads and the automaton.
fn interleaved(program: &Program, specification: &Specification, pool: &mut TermPool) -> Result<Made, Reason> {
    let (program, graph) = observable(program, pool)?;
    let Some(observations) = program.observations else { return Err(cannot_be_observed()) };
    let (inlined, map): (Icfg, InlineMap) =
        inline_calls(&graph, pool, &InlineLimits::default()).map_err(|e| Reason::Incomplete(e.to_string()))?;
    let observing = Observing::of_inlined(&inlined, &graph, &map, &observations);
    let limits = ThreadLimits { all_orders: true, each_step: true, ..ThreadLimits::default() };
    let Interleaved { icfg, copies, steps, sections, lanes } =
        interleave(&inlined, pool, &limits).map_err(|e| Reason::Unsupported(e.to_string()))?;
    let observing = observing.of_threads(&steps, sections);
    let more_threads = icfg.locs.values().any(|l| l.error.as_ref().is_some_and(is_too_many_threads));
    let assumptions_wait = !specification.is_c && !chooses_blindly(&inlined);
    let question = Question { assumptions_wait, ..question(specification, &observations) };
    let product = product(&icfg, &observing, &question, pool).map_err(|e| Reason::Unsupported(e.to_string()))?;
    let copies = of_the_program(copies, &map);
    Ok(Made { product, observing, observations, copies, more_threads, lanes: Some(lanes) })
}

/// Is it proved that no threads race?
fn is_race_free(session: &mut Session<'_>, attempt: &Attempt, budget: &Budget) -> bool {
    let attempt = Attempt { engines: Engines::Auto, ..*attempt };
    let mut loaded = session.load(&[Property::NoDataRace], &attempt);
    if !loaded.program.fidelity.unsound.is_empty() {
        return false;
    }
    let graph = Icfg::build(&loaded.program, &mut loaded.pool);
    let finding = verify_threads(session, &attempt, &mut loaded, &graph, &Property::NoDataRace, budget);
    matches!(finding.outcome, Outcome::Holds(_))
}
