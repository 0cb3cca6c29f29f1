//! Büchi programs: termination of whole programs by removing lassos.
//!
//! The program is an automaton over infinite words, whose letters are paths between cut points ([`cuts`]). While it has a word, take
//! a lasso; show that it cannot be executed for ever, by an infeasible part or a ranking function ([`lasso`]); generalise the argument to
//! a module, an automaton that accepts only words without execution ([`module`]); subtract it ([`streett`]). If nothing is left the
//! program terminates, and the modules are the proof. If a lasso has a recurrence set ([`recurrence`]) the program
//! does not terminate. (Heizmann, Hoenicke, Podelski: "Termination analysis by learning terminating programs", 2014.)
//!
//! *Recursion.* An infinite execution of a recursive program passes calls that return and calls that stay pending; both become plain steps
//! ([`ir::pending_calls`]) once contracts for the procedures are known ([`contracts`]).
//!
//! *Departure.* Modules are deterministic with a one-pair Rabin condition instead of semi-deterministic Büchi automata, so
//! a difference is a product and no complement is ever built; emptiness is that of a Streett automaton. See [`module`].

mod contracts;
mod cuts;
mod geometric;
mod lasso;
mod module;
mod recurrence;
mod semi_deterministic;
mod streett;
mod triples;

use crate::framework::{Ctx, Engine, Phase, Task};
use crate::lasso_ranking::RankingOptions;
use base::{Budget, Stop};
use cuts::CutGraph;
use ir::{Annotation, Certificate, Icfg, NonTermination, Property, Reason, TerminationProof, Verdict};
use lasso::Analysis;
use logic::{FastSet, TermId, TermPool};
use module::Module;
use recurrence::Search;
use streett::{LassoWord, Remainder};
use triples::Triples;

pub use semi_deterministic::buchi_automata;

pub struct Buchi;

impl Engine for Buchi {
    fn name(&self) -> &'static str {
        "buchi"
    }
    fn summary(&self) -> &'static str {
        "termination by removing lassos: ranking functions, recurrence sets"
    }
    fn supports(&self, property: &Property) -> bool {
        *property == Property::Termination
    }
    fn handles_calls(&self) -> bool {
        true
    }
    fn run(&self, ctx: &mut Ctx<'_>, task: &Task<'_>) -> Verdict {
        let budget = ctx.budget;
        let (verdict, counts) = ctx.phase(Phase::Ranking, |ctx| prove_termination(ctx.pool, task.icfg, budget));
        ctx.stats.add("lassos", counts.rounds);
        ctx.stats.add("rank modules", counts.rank_modules);
        ctx.stats.add("infeasibility modules", counts.infeasible_modules);
        ctx.stats.add("solver calls", counts.hoare_queries);
        ctx.stats.max("automaton states", counts.nodes);
        verdict
    }
}

/// How many lassos of the same remainder are tried before giving up.
const MAX_ATTEMPTS: usize = 12;

/// Counts, for `--stats`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    pub rounds: u64,
    pub rank_modules: u64,
    pub infeasible_modules: u64,
    pub hoare_queries: u64,
    pub nodes: u64,
}

/// Does every execution of the graph end? Calls are summarised ([`contracts`]); calls that can be inlined should have been.
pub fn prove_termination(pool: &mut TermPool, icfg: &Icfg, budget: &Budget) -> (Verdict, Counts) {
    prove_termination_with(pool, icfg, &RankingOptions::default(), budget)
}

/// The same with a choice of ranking templates.
pub fn prove_termination_with(
    pool: &mut TermPool,
    icfg: &Icfg,
    ranking: &RankingOptions,
    budget: &Budget,
) -> (Verdict, Counts) {
    let mut counts = Counts::default();
    let verdict = match run(pool, icfg, ranking, budget, &mut counts) {
        Ok(verdict) => verdict,
        Err(stop) => Verdict::Unknown(Reason::Stopped(stop)),
    };
    (verdict, counts)
}

fn run(
    pool: &mut TermPool,
    icfg: &Icfg,
    ranking: &RankingOptions,
    budget: &Budget,
    counts: &mut Counts,
) -> Result<Verdict, Stop> {
    if icfg.has_threads() {
        return Ok(Verdict::Unknown(Reason::Unsupported("termination of programs with threads".to_string())));
    }
    if !icfg.has_calls() {
        return remove_lassos(pool, icfg, Annotation::default(), ranking, budget, counts);
    }
    let summaries = contracts::infer(pool, icfg, budget)?;
    let (graph, _) = ir::pending_calls::without_returns(icfg, &summaries.contracts, pool);
    remove_lassos(pool, &graph, summaries, ranking, budget, counts)
}

enum Outcome {
    Module(Box<Module>),
    NonTerminating(Box<NonTermination>),
    Nothing,
}

/// The loop of the algorithm, for a graph without calls.
fn remove_lassos(
    pool: &mut TermPool,
    icfg: &Icfg,
    summaries: Annotation,
    ranking: &RankingOptions,
    budget: &Budget,
    counts: &mut Counts,
) -> Result<Verdict, Stop> {
    let Some(mut graph) = CutGraph::new(pool, icfg, budget)? else {
        return Ok(Verdict::Unknown(Reason::Unsupported("steps that are no plain statements".to_string())));
    };
    drop_infeasible_paths(pool, icfg, &mut graph, budget)?;
    let graph = graph;
    let mut triples = Triples::new(icfg, &graph);
    let mut rest = Remainder::everything(icfg, &graph, budget)?;
    let mut proof = TerminationProof { summaries, cut_points: graph.cut_points.clone(), modules: Vec::new() };
    while !rest.is_empty() {
        budget.check_now()?;
        counts.rounds += 1;
        counts.nodes = counts.nodes.max(rest.n_nodes() as u64);
        let mut progress = None;
        for lasso in rest.lassos(budget)?.into_iter().take(MAX_ATTEMPTS) {
            match analyse(pool, icfg, &mut triples, &lasso, ranking, budget)? {
                Outcome::Module(module) => {
                    progress = Some(module);
                    break;
                }
                Outcome::NonTerminating(found) => {
                    counts.hoare_queries = triples.n_queries;
                    return Ok(Verdict::NonTerminating(found));
                }
                Outcome::Nothing => {}
            }
        }
        let Some(mut module) = progress else {
            let why = "a lasso has neither a ranking function nor a recurrence set";
            return Ok(Verdict::Unknown(Reason::Incomplete(why.to_string())));
        };
        match module.rank {
            Some(_) => counts.rank_modules += 1,
            None => counts.infeasible_modules += 1,
        }
        let (next, used) = rest.subtract(pool, &mut triples, &mut module, budget)?;
        let used: FastSet<(usize, cuts::PathId)> = used.into_iter().collect();
        proof.modules.push(module.certificate(pool, &triples, &|state, path| used.contains(&(state, path))));
        rest = next;
    }
    counts.hoare_queries = triples.n_queries;
    Ok(Verdict::Holds(Certificate::Termination(Box::new(proof))))
}

/// Paths that cannot be executed from any state are no letters.
fn drop_infeasible_paths(pool: &mut TermPool, icfg: &Icfg, graph: &mut CutGraph, budget: &Budget) -> Result<(), Stop> {
    let snapshot = graph.clone();
    let mut triples = Triples::new(icfg, &snapshot);
    let mut infeasible = FastSet::default();
    for path in snapshot.paths.ids() {
        if triples.holds(pool, TermId::TRUE, path, TermId::FALSE, budget)? {
            infeasible.insert(path);
        }
    }
    for paths in graph.out.values_mut() {
        paths.retain(|p| !infeasible.contains(p));
    }
    Ok(())
}

fn analyse(
    pool: &mut TermPool,
    icfg: &Icfg,
    triples: &mut Triples<'_>,
    lasso: &LassoWord,
    ranking: &RankingOptions,
    budget: &Budget,
) -> Result<Outcome, Stop> {
    let graph = triples.graph;
    // The word itself; then with one turn moved into the stem, which may establish what the first turn needs; then
    // two turns as one, for cycles that alternate.
    let unwound = LassoWord { stem: [&lasso.stem[..], &lasso.cycle[..]].concat(), cycle: lasso.cycle.clone() };
    let doubled = LassoWord { stem: lasso.stem.clone(), cycle: [&lasso.cycle[..], &lasso.cycle[..]].concat() };
    for word in [lasso, &unwound, &doubled] {
        budget.check_now()?;
        if let Some(module) = (Analysis { pool, icfg, triples, ranking, budget }).refute(word)? {
            return Ok(Outcome::Module(Box::new(module)));
        }
        if let Some(found) = (Search { pool, icfg, budget }).find(graph, word)? {
            return Ok(Outcome::NonTerminating(Box::new(found)));
        }
    }
    Ok(Outcome::Nothing)
}
