//! Büchi programs: termination of whole programs by removing lassos.
//!
//! The program is an automaton over infinite words, whose letters are paths between cut points ([`cuts`]). While it has
//! a word, take a lasso; show that it cannot be executed forever, by an infeasible part or a ranking function
//! ([`lasso`]); generalise the argument to a module, an automaton that accepts only words without execution
//! ([`module`]); subtract it ([`streett`]). If nothing is left the program terminates, and the modules are the proof.
//! If a lasso has a recurrence set ([`recurrence`]) the program does not terminate. (Heizmann, Hoenicke, Podelski:
//! "Termination analysis by learning terminating programs", 2014.)
//!
//! *Temporal properties.* The graph may have a Büchi condition ([`Icfg::acceptance`]), as products with the automaton
//! of a temporal formula have: then only lassos that satisfy it are taken (Dietsch, Heizmann, Langenfeld, Podelski:
//! "Fairness Modulo Theory", 2015).
//!
//! *Recursion.* An infinite execution of a recursive program passes calls that return and calls that stay pending; both
//! become plain steps ([`ir::pending_calls`]) once contracts for the procedures are known ([`contracts`]).
//!
//! *Subtracting.* Modules are deterministic with a one-pair Rabin condition instead of semi-deterministic Büchi
//! automata, see [`module`]. So they can be subtracted in two ways ([`Complement`]): by multiplying, which needs no
//! complement, since the remaining language is that of a Streett automaton ([`streett`]), or read as Büchi automata
//! that are complemented, difference and emptiness on the fly ([`complement`]). The former is the default, being the
//! faster one (`docs/termination.md`). The certificate is the same.

mod complement;
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
use crate::profile::{Cost, Gives, Profile, Wants};
use automata::buchi::ComplementError;
use base::{Budget, Stop};
use complement::{Difference, Extent, Oracle};
use cuts::CutGraph;
use ir::{Annotation, Certificate, Icfg, NonTermination, Property, RankingModule, Reason, TerminationProof, Verdict};
use lasso::Analysis;
use logic::{FastMap, FastSet, TermId, TermPool};
use module::Module;
pub(crate) use recurrence::Search;
use std::cell::RefCell;
use std::rc::Rc;
use streett::{LassoWord, Remainder};
use triples::Triples;

pub use complement::{Complement, Used};
pub use contracts::infer as infer_contracts;
pub use semi_deterministic::buchi_automata;

pub struct Buchi;

impl Engine for Buchi {
    fn name(&self) -> &'static str {
        "buchi"
    }
    fn summary(&self) -> &'static str {
        "termination and temporal properties by removing lassos: ranking functions, recurrence sets"
    }
    fn supports(&self, property: &Property) -> bool {
        matches!(property, Property::Termination | Property::Ltl(_))
    }
    fn profile(&self) -> Profile {
        Profile {
            cost: Cost::Search,
            wants: Wants::RecursiveCalls,
            needs: &[],
            gives: &[Gives::Proofs, Gives::Violations],
        }
    }
    fn search(&self, ctx: &mut Ctx<'_>, task: &Task<'_>) -> Verdict {
        let budget = ctx.budget;
        let settings = Settings { complement: task.complement, ..Settings::default() };
        let (verdict, counts) =
            ctx.phase(Phase::Ranking, |ctx| prove_termination_with(ctx.pool, task.icfg, &settings, budget));
        ctx.stats.add("lassos", counts.rounds);
        ctx.stats.add("rank modules", counts.rank_modules);
        ctx.stats.add("infeasibility modules", counts.infeasible_modules);
        ctx.stats.add("solver calls", counts.hoare_queries);
        ctx.stats.max("automaton states", counts.nodes);
        if task.complement != Complement::None {
            ctx.stats.add("deterministic complements", counts.complements.deterministic);
            ctx.stats.add("NCSB complements", counts.complements.ncsb);
            ctx.stats.add("rank-based complements", counts.complements.rank);
        }
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
    pub complements: Used,
}

/// The choices that there are.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    pub ranking: RankingOptions,
    pub complement: Complement,
}

/// Does every execution of the graph end? Calls are summarised ([`contracts`]); calls that can be inlined should have
/// been.
pub fn prove_termination(pool: &mut TermPool, icfg: &Icfg, budget: &Budget) -> (Verdict, Counts) {
    prove_termination_with(pool, icfg, &Settings::default(), budget)
}

/// The same with a choice of ranking templates and complements.
pub fn prove_termination_with(
    pool: &mut TermPool,
    icfg: &Icfg,
    settings: &Settings,
    budget: &Budget,
) -> (Verdict, Counts) {
    let mut counts = Counts::default();
    let verdict = match run(pool, icfg, settings, budget, &mut counts) {
        Ok(verdict) => verdict,
        Err(stop) => Verdict::Unknown(Reason::Stopped(stop)),
    };
    (verdict, counts)
}

fn run(
    pool: &mut TermPool,
    icfg: &Icfg,
    settings: &Settings,
    budget: &Budget,
    counts: &mut Counts,
) -> Result<Verdict, Stop> {
    if icfg.has_threads() {
        return Ok(Verdict::Unknown(Reason::Unsupported("termination of programs with threads".to_string())));
    }
    if !icfg.has_calls() {
        return remove_lassos(pool, icfg, Annotation::default(), settings, budget, counts);
    }
    let summaries = contracts::infer(pool, icfg, budget)?;
    let (graph, _) = ir::pending_calls::without_returns(icfg, &summaries.contracts, pool);
    remove_lassos(pool, &graph, summaries, settings, budget, counts)
}

/// How many modules there are for each rank.
type Found = FastMap<Vec<TermId>, usize>;

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
    settings: &Settings,
    budget: &Budget,
    counts: &mut Counts,
) -> Result<Verdict, Stop> {
    let Some(mut graph) = CutGraph::new(pool, icfg, budget)? else {
        return Ok(Verdict::Unknown(Reason::Unsupported("steps that are not plain statements".to_string())));
    };
    drop_infeasible_paths(pool, icfg, &mut graph, budget)?;
    let graph = graph;
    let proof = TerminationProof { summaries, cut_points: graph.cut_points.clone(), modules: Vec::new() };
    let mut triples = Triples::new(icfg, &graph);
    // Complements of modules know nothing of a Büchi condition of the graph.
    let complement = if icfg.acceptance.is_some() { Complement::None } else { settings.complement };
    let verdict = match complement {
        Complement::None => multiply(pool, icfg, &mut triples, proof, &settings.ranking, budget, counts),
        Complement::Auto | Complement::Ncsb | Complement::Rank => {
            subtract(pool, icfg, &mut triples, proof, settings, budget, counts)
        }
    };
    counts.hoare_queries = triples.n_queries;
    verdict
}

/// An argument for the first of some lassos that has one.
fn first_argument(
    pool: &mut TermPool,
    icfg: &Icfg,
    triples: &mut Triples<'_>,
    lassos: Vec<LassoWord>,
    (ranking, found): (&RankingOptions, &Found),
    budget: &Budget,
) -> Result<Option<(LassoWord, Outcome)>, Stop> {
    for lasso in lassos.into_iter().take(MAX_ATTEMPTS) {
        match analyse(pool, icfg, triples, &lasso, (ranking, found), budget)? {
            Outcome::Nothing => {}
            outcome => return Ok(Some((lasso, outcome))),
        }
    }
    Ok(None)
}

fn no_argument() -> Verdict {
    let why = "a lasso has neither a ranking function nor a recurrence set";
    Verdict::Unknown(Reason::Incomplete(why.to_string()))
}

/// Lassos are removed by multiplying modules on.
fn multiply(
    pool: &mut TermPool,
    icfg: &Icfg,
    triples: &mut Triples<'_>,
    mut proof: TerminationProof,
    ranking: &RankingOptions,
    budget: &Budget,
    counts: &mut Counts,
) -> Result<Verdict, Stop> {
    let mut rest = Remainder::everything(icfg, triples.graph, budget)?;
    let mut found = Found::default();
    while !rest.is_empty() {
        budget.check_now()?;
        counts.rounds += 1;
        counts.nodes = counts.nodes.max(rest.n_nodes() as u64);
        let lassos = rest.lassos(budget)?;
        let mut module = match first_argument(pool, icfg, triples, lassos, (ranking, &found), budget)? {
            Some((_, Outcome::Module(module))) => module,
            Some((_, Outcome::NonTerminating(found))) => return Ok(Verdict::NonTerminating(found)),
            Some((_, Outcome::Nothing)) | None => return Ok(no_argument()),
        };
        counts.add_module(&module, &mut found);
        let (next, used) = rest.subtract(pool, triples, &mut module, budget)?;
        proof.modules.push(certified(pool, triples, &module, used));
        rest = next;
    }
    Ok(Verdict::Holds(Certificate::Termination(Box::new(proof))))
}

/// Lassos are removed by subtracting modules as Büchi automata. The certificate is completed by multiplying them.
fn subtract(
    pool: &mut TermPool,
    icfg: &Icfg,
    triples: &mut Triples<'_>,
    mut proof: TerminationProof,
    settings: &Settings,
    budget: &Budget,
    counts: &mut Counts,
) -> Result<Verdict, Stop> {
    let graph = triples.graph;
    let oracle = RefCell::new(Oracle { pool: &mut *pool, triples: &mut *triples });
    let mut rest = Difference::everything(icfg, graph, &oracle, budget);
    let mut modules: Vec<Rc<RefCell<Module>>> = Vec::new();
    let mut found = Found::default();
    'rounds: loop {
        budget.check_now()?;
        for extent in [Extent::First, Extent::Everything] {
            let lassos = match rest.lassos(extent) {
                Ok(lassos) => lassos,
                Err(error) => return too_large(error),
            };
            if lassos.is_empty() {
                break 'rounds;
            }
            counts.rounds += u64::from(extent == Extent::First);
            counts.nodes = counts.nodes.max(rest.n_nodes as u64);
            let argument = {
                let Oracle { pool, triples } = &mut *oracle.borrow_mut();
                first_argument(pool, icfg, triples, lassos, (&settings.ranking, &found), budget)?
            };
            match argument {
                Some((lasso, Outcome::Module(module))) => {
                    counts.add_module(&module, &mut found);
                    let module = Rc::new(RefCell::new(*module));
                    modules.push(module.clone());
                    if let Err(error) = rest.subtract(module, &lasso, settings.complement) {
                        return too_large(error);
                    }
                    counts.complements = rest.used;
                    continue 'rounds;
                }
                Some((_, Outcome::NonTerminating(found))) => return Ok(Verdict::NonTerminating(found)),
                Some((_, Outcome::Nothing)) | None => {}
            }
        }
        return Ok(no_argument());
    }
    drop(rest);
    let Oracle { pool, triples } = oracle.into_inner();
    let mut rest = Remainder::everything(icfg, triples.graph, budget)?;
    for module in &modules {
        if rest.is_empty() {
            break;
        }
        let module = &mut *module.borrow_mut();
        let (next, used) = rest.subtract(pool, triples, module, budget)?;
        proof.modules.push(certified(pool, triples, module, used));
        rest = next;
    }
    if !rest.is_empty() {
        // A complement that loses words; the checker would not accept the proof.
        return Ok(Verdict::Unknown(Reason::Rejected("the modules do not cover all words".to_string())));
    }
    Ok(Verdict::Holds(Certificate::Termination(Box::new(proof))))
}

fn too_large(error: ComplementError<Stop>) -> Result<Verdict, Stop> {
    let why = match error {
        ComplementError::Operand(stop) => return Err(stop),
        ComplementError::TooManySuccessors => "a complement is too large",
        ComplementError::NotSemiDeterministic => "a module is not semi-deterministic",
        ComplementError::NestedWord => "calls in a complement",
    };
    Ok(Verdict::Unknown(Reason::Incomplete(why.to_string())))
}

/// A module with the edges that were used.
fn certified(
    pool: &mut TermPool,
    triples: &Triples<'_>,
    module: &Module,
    used: Vec<(usize, cuts::PathId)>,
) -> RankingModule {
    let used: FastSet<(usize, cuts::PathId)> = used.into_iter().collect();
    module.certificate(pool, triples, &|state, path| used.contains(&(state, path)))
}

impl Counts {
    fn add_module(&mut self, module: &Module, found: &mut Found) {
        match &module.rank {
            Some(rank) => {
                self.rank_modules += 1;
                *found.entry(rank.components.clone()).or_default() += 1;
            }
            None => self.infeasible_modules += 1,
        }
    }
}

/// Infeasible paths are not letters.
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
    (ranking, found): (&RankingOptions, &Found),
    budget: &Budget,
) -> Result<Outcome, Stop> {
    let graph = triples.graph;
    // The word itself; then with one iteration moved into the stem, which may establish what the first iteration needs;
    // then two iterations as one, for cycles that alternate.
    let unwound = LassoWord { stem: [&lasso.stem[..], &lasso.cycle[..]].concat(), cycle: lasso.cycle.clone() };
    let doubled = LassoWord { stem: lasso.stem.clone(), cycle: [&lasso.cycle[..], &lasso.cycle[..]].concat() };
    for word in [lasso, &unwound, &doubled] {
        budget.check_now()?;
        if let Some(module) = (Analysis { pool, icfg, triples, ranking, found, budget }).refute(word)? {
            return Ok(Outcome::Module(Box::new(module)));
        }
        if let Some(found) = (Search { pool, icfg, budget }).find(graph, word)? {
            return Ok(Outcome::NonTerminating(Box::new(found)));
        }
    }
    Ok(Outcome::Nothing)
}
