//! Trace abstraction modulo partial order: a proof of few interleavings that stand for all.
//!
//! References: Farzan, Klumpp, Podelski, *Sound Sequentialization for Concurrent Program Verification*, 2022 (PLDI),
//! and *Stratified Commutativity in Verification Algorithms for Concurrent Programs*, 2023 (POPL). Interleavings are
//! explored with sleep sets and with membranes (sets of threads that need not be left), on the fly, against the
//! predicates known so far; a trace to an error is refuted, and its interpolants become predicates.
//!
//! Departures: the proof is one automaton whose states are sets of predicates; the errors of each thread are excluded
//! one after the other, so that membranes are small; traces are found breadth first. The order of threads changes when
//! a proof does not come about. The checker works the independence of actions out again, under the formula of the state
//! where that was used.

use crate::hoare::HoareChecker;
use crate::profile::{Cost, Gives, Profile};
use crate::threads::commutation::Commutation;
use crate::threads::predicates::{Predicates, SetId};
use crate::threads::reduction::{Annotator, Explored, Order, explore};
use crate::threads::{Refuted, Refuter, conjuncts, error_threads, with_enough_threads};
use crate::{Ctx, Engine, Task};
use ir::interleave::concurrent::{ActionId, Concurrent};
use ir::{Certificate, Icfg, Interleavings, Reason, Verdict};
use logic::TermId;

pub(crate) struct ReducedInterleavings;

/// The number of iterations with one order of the threads.
const ROUNDS_OF_ORDER: u64 = 25;

impl Engine for ReducedInterleavings {
    fn name(&self) -> &'static str {
        "reduced-interleavings"
    }
    fn summary(&self) -> &'static str {
        "proves a few interleavings of threads that stand for all, with sleep sets and membranes"
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
    let mut commutation = Commutation::new(ctx, program);
    let hoare = HoareChecker::new(ctx.pool, &program.graph);
    let mut annotator = BySets { predicates: Predicates::new(program), hoare, program };
    let mut refuter = Refuter::new(false);
    let mut proof = Interleavings::default();
    let mut round = 0;
    // What the program violates comes before the question whether there are more threads.
    let threads = error_threads(program);
    let questions = threads.iter().map(|t| (*t, false)).chain(threads.iter().map(|t| (*t, true)));
    for (thread, with_too_many) in questions {
        let begin = round;
        loop {
            ctx.budget.check_now()?;
            round += 1;
            let detail = format!("{} predicates, errors of thread {thread}", annotator.predicates.len());
            ctx.observer.progress(round, &detail);
            let order = match (round - begin) / ROUNDS_OF_ORDER % 3 {
                0 => Order::Threads,
                1 => Order::Lockstep,
                _ => Order::Seeded(round / ROUNDS_OF_ORDER),
            };
            let goal = (thread, with_too_many);
            let trace = match explore(ctx, program, &mut commutation, &mut annotator, goal, order)? {
                Explored::Proof(nodes) => {
                    proof.reductions.insert(thread, nodes);
                    break;
                }
                Explored::Trace(trace) => trace,
            };
            match refuter.refute(ctx, icfg, (program, max_instances), &trace, &mut annotator.hoare)? {
                Refuted::Violation(verdict) => return Ok(Some(verdict)),
                Refuted::MoreThreads => return Ok(None),
                Refuted::Predicates(sequences) => {
                    let new = conjuncts(ctx, &sequences);
                    if !annotator.predicates.add(ctx, &new) {
                        return Err(Reason::Incomplete("a trace is refuted by what is known already".to_string()));
                    }
                }
            }
        }
    }
    ctx.stats.set("predicates", annotator.predicates.len() as u64);
    Ok(Some(Verdict::Holds(Certificate::Interleavings(Box::new(proof)))))
}

/// All predicates in one automaton.
struct BySets<'a> {
    predicates: Predicates,
    hoare: HoareChecker<'a>,
    program: &'a Concurrent,
}

impl Annotator for BySets<'_> {
    type State = SetId;
    fn start(&mut self) -> SetId {
        Predicates::NOTHING
    }
    fn step(&mut self, ctx: &mut Ctx<'_>, state: &SetId, action: ActionId) -> Option<SetId> {
        self.predicates.step(ctx, &mut self.hoare, self.program, (*state, TermId::TRUE), action)
    }
    fn formula(&mut self, _: &mut Ctx<'_>, state: &SetId) -> TermId {
        self.predicates.formula(*state)
    }
}
