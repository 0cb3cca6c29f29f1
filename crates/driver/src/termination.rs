//! Termination, where signed overflow is undefined: executions that overflow do not count.
//!
//! A proof does not use that: it is about unbounded signed arithmetic, which includes all defined executions. So a loop
//! that would end only by an overflow is neither proved nor refuted.
//!
//! The steps are in [`plan::OVERFLOWING`]: a search for infinite executions (in parallel with the proofs if there are
//! several jobs, otherwise for a short time before them), a proof without overflow, and a search in the program in
//! which executions end at an overflow.

use crate::load::Loaded;
use crate::observer::{Silent, Watch};
use crate::outcome::{Finding, InfiniteExecution, Outcome};
use crate::plan;
use crate::portfolio::{self, Request, verify_graph};
use crate::product::{is_too_many_threads, sequential};
use crate::session::{Attempt, Reuse, Session};
use crate::settings::Engines;
use base::Budget;
use ir::interleave::{Interleaved, ThreadLimits};
use ir::{Icfg, Program, Property, Reason, Subproperty};
use logic::TermPool;
use std::collections::BTreeSet;
use std::sync::mpsc;
use std::time::Duration;

/// Do all executions of a program end?
pub(crate) fn verify_termination(
    session: &mut Session<'_>,
    attempt: &Attempt,
    loaded: &mut Loaded,
    budget: &Budget,
) -> Finding {
    // A program with sequentialised threads says so.
    let is_thread = |remark: &ir::Remark| remark.kind == ir::RemarkKind::Threads;
    if loaded.program.has_threads() || loaded.program.fidelity.unsound.iter().any(is_thread) {
        return verify_threads(session, attempt, loaded, budget);
    }
    let (relaxed, has_checks) = without_overflow_checks(&loaded.program);
    let graph = Icfg::build(&relaxed, &mut loaded.pool);
    let strict = has_checks.then(|| Icfg::build(&loaded.program, &mut loaded.pool));
    verify_infinite(session, attempt, loaded, budget, graph, strict)
}

/// Has a graph no infinite execution that counts? `strict` is the graph in which executions end at an overflow, if it
/// differs.
pub(crate) fn verify_infinite(
    session: &mut Session<'_>,
    attempt: &Attempt,
    loaded: &mut Loaded,
    budget: &Budget,
    graph: Icfg,
    strict: Option<Icfg>,
) -> Finding {
    let property = session.property.clone();
    let strict = match strict {
        // A proof is about unbounded arithmetic.
        Some(strict) if !attempt.proofs_only => strict,
        _ => return verify_graph(session, attempt, loaded, graph, &property, budget),
    };
    if let Reuse::Facts(_) = attempt.reuse {
        // A proof is about unbounded arithmetic; an infinite execution must not overflow.
        let proof = verify_graph(session, attempt, loaded, graph, &property, budget);
        if matches!(proof.outcome, Outcome::Holds(_)) {
            return proof;
        }
        let mut execution = verify_graph(session, attempt, loaded, strict, &property, budget);
        if !matches!(execution.outcome, Outcome::NonTerminating(_)) {
            execution.outcome = Outcome::Unknown(Reason::Incomplete("what is known is not enough".to_string()));
        }
        return execution;
    }
    let [look, prove, _] = plan::OVERFLOWING;
    let with_engine = |choice: plan::Choice| match choice {
        plan::Choice::One(name) => Attempt { engines: Engines::Only(plan::named(name)), n_jobs: 1, ..*attempt },
        plan::Choice::Lanes => *attempt,
    };
    let is_auto = attempt.engines.is_auto();
    let is_infinite = |finding: &Finding| matches!(finding.outcome, Outcome::NonTerminating(_));
    let limit = budget.remaining().unwrap_or(Duration::MAX / 4);
    let (looking, proving) = (budget.child(limit), budget.child(limit));
    let mut looker = None;
    if is_auto && attempt.n_jobs > 1 {
        looker = look_beside(session, &with_engine(look.engines), loaded, strict.clone(), &looking, &proving);
    } else if is_auto && budget.remaining().is_some() {
        let quick = looking.child(limit.mul_f64(look.share));
        let found = verify_graph(session, &with_engine(look.engines), loaded, strict.clone(), &property, &quick);
        if is_infinite(&found) {
            return found;
        }
    }
    // Only a proof counts here.
    let prover = if is_auto { with_engine(prove.engines) } else { *attempt };
    let share = proving.child(limit.mul_f64(prove.share));
    let first = verify_graph(session, &prover, loaded, graph, &property, &share);
    if matches!(first.outcome, Outcome::Holds(_)) {
        looking.cancel();
        return first;
    }
    if let Some((found, pool)) = looker.as_ref().and_then(|l| l.try_recv().ok()).filter(|(f, _)| is_infinite(f)) {
        loaded.pool = pool;
        return found;
    }
    let engines = if looker.is_some() { prover } else { *attempt };
    let lines = match &first.outcome {
        Outcome::NonTerminating(infinite) => overflowing_lines(infinite, loaded),
        _ => String::new(),
    };
    let mut second = verify_graph(session, &engines, loaded, strict, &property, &proving);
    match (&first.outcome, &second.outcome) {
        (_, Outcome::NonTerminating(_)) => looking.cancel(),
        (Outcome::NonTerminating(_), _) => {
            let what = match property {
                Property::Ltl(_) => "holds",
                _ => "ends",
            };
            let only_defined = format!("whether it {what} depends on signed overflow{lines}, which C leaves undefined");
            second.outcome = Outcome::Unknown(Reason::Undefined(only_defined));
        }
        (_, Outcome::Holds(_)) => {
            let not_without = match property {
                Property::Ltl(_) => "it holds without signed overflow; no proof was found that does without that",
                _ => "executions without signed overflow end; no proof was found that does without that",
            };
            second.outcome = Outcome::Unknown(Reason::Undefined(not_without.to_string()));
        }
        (_, Outcome::Unknown(_) | Outcome::Violated(_)) => second = first,
    }
    if !is_infinite(&second)
        && let Some(looker) = looker
        && let Some(left) = budget.remaining().or(Some(limit))
        && let Ok((found, pool)) = looker.recv_timeout(left)
        && is_infinite(&found)
    {
        loaded.pool = pool;
        return found;
    }
    second
}

/// The largest number of lines in a message.
const MAX_LINES: usize = 3;

/// The lines in which the repeated part of an execution computes what may overflow, for a message.
fn overflowing_lines(infinite: &InfiniteExecution, loaded: &Loaded) -> String {
    let is_overflow =
        |i: &&ir::Instr| matches!(&i.kind, ir::InstrKind::Assert(_, c) if c.property == Subproperty::NoOverflow);
    let bodies = loaded.program.procs.values().filter_map(|p| p.body.as_ref());
    let checks = bodies.flat_map(|b| &b.instrs).filter(is_overflow);
    let checked: BTreeSet<u32> = checks.filter_map(|i| loaded.sources.line_of(i.span)).collect();
    let repeated = infinite.lasso.cycle.iter().map(|s| infinite.graph.edges[s.edge].span);
    let lines = repeated.filter_map(|s| loaded.sources.line_of(s)).filter(|l| checked.contains(l));
    let lines: BTreeSet<u32> = lines.collect();
    let names: Vec<String> = lines.iter().map(u32::to_string).collect();
    match &names[..] {
        [] => String::new(),
        [one] => format!(" (line {one})"),
        several if several.len() <= MAX_LINES => format!(" (lines {})", several.join(", ")),
        [first, ..] => format!(" (from line {first} on)"),
    }
}

/// Searches for an infinite execution in parallel, and cancels the budget `proving` when it has found one.
fn look_beside(
    session: &Session<'_>,
    attempt: &Attempt,
    loaded: &Loaded,
    graph: Icfg,
    looking: &Budget,
    proving: &Budget,
) -> Option<mpsc::Receiver<(Finding, TermPool)>> {
    let (looking, proving) = (looking.clone(), proving.clone());
    let mut request = Request::new(session, attempt, loaded, session.property);
    request.reuse.clear();
    let host = request.host.clone();
    let mut pool = loaded.pool.clone();
    let (sender, receiver) = mpsc::channel();
    let work = move || {
        let finding = portfolio::run(&mut pool, graph, &request, &looking, &mut Watch::new(&mut Silent), &mut None);
        if matches!(finding.outcome, Outcome::NonTerminating(_)) {
            proving.cancel();
        }
        let _ = sender.send((finding, pool));
    };
    host.spawn(Box::new(work)).then_some(receiver)
}

/// The program with unbounded signed arithmetic, and whether anything could overflow.
pub(crate) fn without_overflow_checks(program: &Program) -> (Program, bool) {
    let is_overflow = |check: &ir::Check| check.property == Subproperty::NoOverflow;
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

/// Termination of threads, on the product of their control flows in all orders of steps; no fairness is assumed.
/// Nothing is proved where there may be more threads than the product has room for. C programs are only proved to end:
/// threads that keep each other running mostly race, which is undefined behaviour, so an infinite schedule shows
/// nothing, while a proof covers more than the defined executions.
fn verify_threads(session: &mut Session<'_>, attempt: &Attempt, loaded: &mut Loaded, budget: &Budget) -> Finding {
    let unknown = |why: &str| Reason::Unsupported(format!("termination of programs with threads{why}"));
    let is_c = !loaded.program.source.is_empty();
    if !loaded.program.has_threads() {
        return Finding::unknown(unknown(""), "");
    }
    let (relaxed, _) = without_overflow_checks(&loaded.program);
    let graph = Icfg::build(&relaxed, &mut loaded.pool);
    let limits = ThreadLimits { all_orders: true, ..ThreadLimits::default() };
    let (Interleaved { icfg: product, copies, .. }, _) = match sequential(&graph, &mut loaded.pool, &limits) {
        Ok(product) => product,
        Err(reason) => return Finding::unknown(reason, ""),
    };
    let too_many = product.locs.values().any(|l| l.error.as_ref().is_some_and(is_too_many_threads));
    let mut finding = verify_graph(session, attempt, loaded, product, &Property::Termination, budget);
    match &finding.outcome {
        Outcome::NonTerminating(_) if is_c => {
            let why = " (some schedule never ends, but whether its threads race is not known)";
            finding.outcome = Outcome::Unknown(unknown(why));
        }
        Outcome::NonTerminating(_) | Outcome::Unknown(_) => {}
        Outcome::Holds(_) if !too_many => {}
        Outcome::Holds(_) => finding.outcome = Outcome::Unknown(unknown(" whose number is not bounded")),
        Outcome::Violated(_) => finding.outcome = Outcome::Unknown(unknown("")),
    }
    if is_c { Finding { outcome: finding.outcome.about_copies(copies), ..finding } } else { finding }
}
