//! Petri Automizer: trace abstraction on the Petri net of a program with threads.
//!
//! References: Dietsch, Heizmann, Klumpp, Naouar, Podelski, Schätzle, *Verification of Concurrent Programs Using Petri
//! Net Unfoldings*, 2021 (VMCAI); Klumpp et al., *Petrification: Software Model Checking for Programs with Dynamic
//! Thread Management*, 2023. The net of the program is unfolded ([`unfolding`]); an event that leads to an error gives
//! a trace, which is refuted; what its interpolants exclude is subtracted from the net, and so on until no error is
//! left.
//!
//! Departures: automata are not built for single traces and subtracted one by one. All predicates together form
//! modules, one for each group of variables ([`modules`]), and the difference is built while it is unfolded. Steps on
//! variables of one thread are part of the actions from the start ([`ir::interleave::concurrent`]). The certificate
//! does not speak of the net: with the modules as annotation reduced interleavings are listed
//! ([`crate::threads::reduction`]), which the checker examines.

mod modules;
mod unfolding;

use crate::hoare::HoareChecker;
use crate::profile::{Cost, Gives, Profile};
use crate::threads::commutation::Commutation;
use crate::threads::reduction::{Explored, Order, explore};
use crate::threads::{Refuted, Refuter, conjuncts, error_threads, with_enough_threads};
use crate::{Ctx, Engine, Task};
use ir::interleave::concurrent::{ActionId, Concurrent};
use ir::{Certificate, Icfg, Interleavings, Reason, Verdict};
use modules::{ByModules, Modules};
use unfolding::{Unfolded, unfold};

pub(crate) struct Petri;

impl Engine for Petri {
    fn name(&self) -> &'static str {
        "petri"
    }
    fn summary(&self) -> &'static str {
        "Petri Automizer: unfolds the Petri net of the threads and subtracts what traces exclude"
    }
    fn profile(&self) -> Profile {
        Profile::for_threads(Cost::Search, &[Gives::Proofs, Gives::Violations])
    }
    fn search(&self, ctx: &mut Ctx<'_>, task: &Task<'_>) -> Verdict {
        with_enough_threads(ctx, task.icfg, |ctx, program, n| prove(ctx, task.icfg, program, n))
    }
}

/// An answer for a bounded number of instances of each procedure; `None`: there are more.
fn prove(
    ctx: &mut Ctx<'_>,
    icfg: &Icfg,
    program: &Concurrent,
    max_instances: usize,
) -> Result<Option<Verdict>, Reason> {
    let mut hoare = HoareChecker::new(ctx.pool, &program.graph);
    let mut modules = Modules::new(program);
    let mut refuter = Refuter::new(true);
    let mut round = 0;
    // What the program violates comes before the question whether there are more threads.
    for with_too_many in [false, true] {
        loop {
            ctx.budget.check_now()?;
            round += 1;
            let detail = format!("{} predicates in {} modules", modules.n_predicates(), modules.len());
            ctx.observer.progress(round, &detail);
            let trace = match unfold(ctx, program, &mut modules, &mut hoare, with_too_many)? {
                Unfolded::Trace(trace) => trace,
                Unfolded::Empty(n_events) => {
                    ctx.stats.max("events", n_events as u64);
                    if !with_too_many {
                        break;
                    }
                    match certificate(ctx, program, &mut modules, &mut hoare)? {
                        Ok(proof) => {
                            ctx.stats.set("predicates", modules.n_predicates() as u64);
                            ctx.stats.set("modules", modules.len() as u64);
                            return Ok(Some(Verdict::Holds(Certificate::Interleavings(Box::new(proof)))));
                        }
                        Err(trace) => trace,
                    }
                }
            };
            match refuter.refute(ctx, icfg, (program, max_instances), &trace, &mut hoare)? {
                Refuted::Violation(verdict) => return Ok(Some(verdict)),
                Refuted::MoreThreads => return Ok(None),
                Refuted::Predicates(sequences) => {
                    let new = conjuncts(ctx, &sequences);
                    if !modules.add(ctx, program, &new) {
                        return Err(Reason::Incomplete("a trace is refuted by what is known already".to_string()));
                    }
                }
            }
        }
    }
    Err(Reason::Incomplete("no answer".to_string()))
}

/// Interleavings that stand for all, annotated by the modules; or a trace that they do not exclude.
fn certificate(
    ctx: &mut Ctx<'_>,
    program: &Concurrent,
    modules: &mut Modules,
    hoare: &mut HoareChecker<'_>,
) -> Result<Result<Interleavings, Vec<ActionId>>, Reason> {
    let mut commutation = Commutation::new(ctx, program);
    let mut proof = Interleavings::default();
    let mut annotator = ByModules { modules, hoare, program };
    for thread in error_threads(program) {
        match explore(ctx, program, &mut commutation, &mut annotator, (thread, true), Order::Threads)? {
            Explored::Proof(nodes) => {
                proof.reductions.insert(thread, nodes);
            }
            Explored::Trace(trace) => return Ok(Err(trace)),
        }
    }
    Ok(Ok(proof))
}
