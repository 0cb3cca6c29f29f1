//! The order in which translations of a program are tried until one gives an answer.

use crate::load::{Language, Loaded, also_checked};
use crate::outcome::{Finding, Outcome};
use crate::session::{Attempt, Session};
use crate::settings::{self, Engines};
use crate::verify::verify;
use crate::{threads, undefined};
use base::Budget;
use c::lower::{Integers, Threads};
use ir::{Program, Property, Reason};

/// Tries translations of a program in order until one is decided: state by state, if it has threads ([`threads`]); with each thread
/// run at once, which soon shows violations that need no interleaving; as it is, for a short time; with checks that arithmetic does
/// not wrap around, without which it is the plain arithmetic that invariants are made of; as it is, with patience; over
/// bit-vectors, if mathematical integers were too coarse for it, of which a few executions are made before everything else.
/// Numbers are shares of the time that is left.
pub(crate) fn answer(session: &mut Session<'_>, mut read: Loaded, budget: &Budget) -> (Loaded, Finding) {
    let property = session.property;
    let usual = session.usual();
    let is_c = session.source.language == Language::C;
    let remarks = |f: &ir::Fidelity| (f.unsound.len(), f.imprecise.len());
    let coarseness = remarks(&read.program.fidelity);
    let is_answerable = is_c || *property != Property::NoDataRace;
    let only = |name: &str, attempt: &Attempt| Attempt {
        engines: engine::engine_by_name(name).map_or(Engines::Auto, Engines::Only),
        ..*attempt
    };
    let is_auto = usual.engines.is_auto();
    if read.program.has_threads() && property.is_safety() && is_answerable && is_auto {
        // Where threads share a few numbers all their executions are made in no time.
        let fidelity = read.program.fidelity.clone();
        if let (finding, true) = within(session, 0.05, &only("execution", &usual), &mut read, budget) {
            return (read, finding);
        }
        // That there may be more threads than this looked at concerns nobody else.
        read.program.fidelity = fidelity;
        match threads::answer(session, &usual, &mut read, budget) {
            Some((Some(other), finding)) => return (other, finding),
            Some((None, finding)) => return (read, finding),
            None => {}
        }
    }
    if is_c && read.program.has_threads() {
        let at_once = Attempt { threads: Threads::AtOnce, ..usual };
        let mut loaded = session.load(also_checked(property), &at_once);
        if let (finding, true) = within(session, 0.15, &at_once, &mut loaded, budget) {
            return (loaded, finding);
        }
    }
    let words = Attempt { integers: Integers::Words, ..usual };
    let mut exact = if session.settings.integers == settings::Integers::Auto && coarseness != (0, 0) {
        let exact = session.load(also_checked(property), &words);
        Some(exact).filter(|exact| remarks(&exact.program.fidelity) < coarseness)
    } else {
        None
    };
    if is_auto && property.is_safety() && !read.program.has_threads() {
        // Executions over words cost no more than others, and none of them is too coarse.
        for name in ["execution", "random-testing"] {
            if let Some(loaded) = &mut exact
                && let (finding, true) = within(session, 0.05, &only(name, &words), loaded, budget)
            {
                return (exact.take().unwrap_or(read), finding);
            }
        }
    }
    let careful = Attempt { no_wrap: true, ..usual };
    if is_c
        && property.is_safety()
        && let mut loaded = session.load(also_checked(property), &careful)
        && may_wrap(&loaded.program)
    {
        if let (finding, true) = within(session, 0.15, &usual, &mut read, budget) {
            return (read, finding);
        }
        if let (finding, true) = within(session, 0.4, &careful, &mut loaded, budget) {
            return (loaded, finding);
        }
    }
    let share = if exact.is_some() { 0.4 } else { 1.0 };
    match (within(session, share, &usual, &mut read, budget), exact) {
        ((_, false), Some(mut exact)) => {
            let (finding, _) = within(session, 1.0, &words, &mut exact, budget);
            (exact, finding)
        }
        ((finding, _), _) => (read, finding),
    }
}

/// An attempt with a share of the time that is left: what came of it, and whether that is final.
fn within(
    session: &mut Session<'_>,
    share: f64,
    attempt: &Attempt,
    loaded: &mut Loaded,
    budget: &Budget,
) -> (Finding, bool) {
    let own = budget.share(share);
    let mut finding = verify(session, attempt, loaded, session.property, &own);
    if matches!(&finding.outcome, Outcome::Violated(v) if v.run.check.property == c::lower::NO_WRAP) {
        finding.outcome = Outcome::Unknown(Reason::Incomplete("arithmetic may wrap around".to_string()));
    }
    let finding = undefined::only_defined(session, attempt, loaded, finding, &own);
    let is_final = finding.outcome.is_definite() || budget.check_now().is_err();
    (finding, is_final)
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
