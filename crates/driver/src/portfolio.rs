//! Which engines run, in which order, with how much time.
//!
//! A *lane* is a list of engine runs with time slices, executed in order. With several jobs the lanes run in parallel,
//! each on its own copy of the terms and the graph; the first answer whose evidence passes the checker wins and cancels
//! the others without waiting for them. With one job the lanes alternate, so a run is deterministic up to the time
//! limits.
//!
//! Predicates that an engine found before it gave up are offered to those that start later ([`Exchange`]).

use crate::certify::{Claim, Effort, certify};
use crate::graphs::{Graphs, View};
use crate::host::Host;
use crate::known;
use crate::load::{Language, Loaded};
use crate::observer::{Meter, Report, Watch};
use crate::outcome::{Finding, Outcome};
use crate::plan;
use crate::reuse::{REUSE, Tally, offers_of, try_facts};
use crate::session::{Attempt, Reuse, Session};
use crate::settings::Engines;
use crate::stated::{STATED, try_stated};
use crate::templates::{TEMPLATES, try_templates};
use base::{Budget, Stop};
use engine::{Cost, Ctx, Engine, Facts, Feature, Predicates, Stats, Task, Wants};
use ir::blocks::BlockMode;
use ir::{Icfg, Property, Reason, Verdict};
use logic::{TermId, TermPool};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

/// A graph to be verified.
#[derive(Clone)]
pub(crate) struct Request {
    pub(crate) claim: Claim,
    pub(crate) engines: Engines,
    pub(crate) blocks: Option<BlockMode>,
    pub(crate) complement: engine::buchi::Complement,
    pub(crate) n_jobs: usize,
    pub(crate) host: Arc<dyn Host>,
    /// What is known of other versions.
    pub(crate) reuse: Vec<Arc<known::Facts>>,
    /// How much is done for an accepted proof.
    effort: Effort,
    /// Loops may carry invariants stated in the source.
    states_invariants: bool,
    /// It was tried before, and is only offered to engines.
    only_offers: bool,
    /// How long engines may run after it was tried, if at all.
    limit: Option<Option<Duration>>,
}

/// One engine run of a lane.
#[derive(Clone, Copy)]
struct Leg {
    engine: &'static dyn Engine,
    /// The share of the remaining time; the last leg of a lane gets all of it.
    share: f64,
}

impl Request {
    /// What is asked of the engines in an attempt at a program.
    pub(crate) fn new(session: &Session<'_>, attempt: &Attempt, loaded: &Loaded, property: &Property) -> Request {
        Request {
            claim: Claim {
                property: property.clone(),
                fidelity: loaded.program.fidelity.clone(),
                options: check::Options { paranoid: session.settings.paranoid },
            },
            engines: attempt.engines,
            blocks: session.settings.blocks,
            complement: session.settings.complement,
            n_jobs: attempt.n_jobs,
            host: session.source.host.clone(),
            reuse: match attempt.reuse {
                Reuse::Nothing => Vec::new(),
                Reuse::Facts(_) | Reuse::Offers => session.reuse.to_vec(),
            },
            effort: Effort::Simplified,
            states_invariants: session.source.language == Language::Boogie,
            only_offers: attempt.reuse == Reuse::Offers,
            limit: match attempt.reuse {
                Reuse::Nothing | Reuse::Offers => None,
                Reuse::Facts(limit) => Some(limit),
            },
        }
    }
}

/// Runs engines on a graph of a program and checks their evidence.
pub(crate) fn verify_graph(
    session: &mut Session<'_>,
    attempt: &Attempt,
    loaded: &mut Loaded,
    graph: Icfg,
    property: &Property,
    budget: &Budget,
) -> Finding {
    let request = Request::new(session, attempt, loaded, property);
    let mut tally = None;
    let finding = run(&mut loaded.pool, graph, &request, budget, &mut session.watch, &mut tally);
    session.tally = session.tally.or(tally);
    finding
}

/// Runs engines until one answers. The terms of the answer are in `pool` afterwards.
pub(crate) fn run(
    pool: &mut TermPool,
    graph: Icfg,
    request: &Request,
    budget: &Budget,
    watch: &mut Watch<'_>,
    tally: &mut Option<Tally>,
) -> Finding {
    let name = request.engines.name();
    let is_alone = name == plan::PRELUDE.0;
    let has_prelude = request.claim.property.is_safety() && (request.engines.is_auto() || is_alone);
    if has_prelude && let Some(uncopied) = Graphs::uncopied(pool, &graph) {
        let share = if is_alone { plan::CONTRACTS_SHARE } else { plan::PRELUDE.1 };
        let Ran { finding, .. } = by_contracts(pool, &uncopied, request, &budget.share(share), watch);
        if finding.outcome.is_definite() || budget.check_now().is_err() {
            return finding;
        }
    }
    let mut graphs = match Graphs::new(pool, graph) {
        Ok(graphs) => graphs,
        Err(e) => return Finding::unknown(Reason::Incomplete(e.to_string()), name),
    };
    let mut offered = Predicates::new();
    let mut is_all_kept = false;
    for facts in &request.reuse {
        if request.only_offers {
            let offers = std::panic::AssertUnwindSafe(|| offers_of(pool, &graphs, facts));
            if let Ok(offers) = std::panic::catch_unwind(offers) {
                known_first(&mut offered, offers);
            }
            continue;
        }
        let entry = watch.begins(REUSE, request.host.now());
        let work = std::panic::AssertUnwindSafe(|| try_facts(pool, &graphs, facts, &request.claim, budget));
        let reused = std::panic::catch_unwind(work);
        let result = match &reused {
            Ok(reused) => match &reused.answer {
                Some(outcome) => outcome.answer().to_string(),
                None => "unknown(facts are not enough)".to_string(),
            },
            Err(_) => "unknown(internal error)".to_string(),
        };
        watch.ended(entry, request.host.now(), result);
        let Ok(reused) = reused else { continue };
        *tally = tally.or(Some(reused.tally));
        if let Some(outcome) = reused.answer {
            *tally = Some(reused.tally);
            return Finding::new(outcome, REUSE);
        }
        is_all_kept |= reused.tally.is_all_kept();
        known_first(&mut offered, reused.offers);
    }
    let limited;
    let budget = match request.limit {
        None => budget,
        Some(limit) if limit.is_none() || is_all_kept => {
            let reason = Reason::Incomplete("what is known of other versions is not enough".to_string());
            return Finding::unknown(reason, REUSE);
        }
        Some(limit) => {
            limited = budget.child(limit.unwrap_or_default());
            &limited
        }
    };
    let lanes = lanes(request, &graphs, pool);
    if lanes.is_empty() {
        let reason = Reason::UnsupportedProperty(format!("{} (engine {name})", request.claim.property.name()));
        return Finding::unknown(reason, name);
    }
    for leg in lanes.iter().flatten().filter(|_| request.engines.is_auto()) {
        if !watch.now.planned.contains(&leg.engine.name()) {
            watch.now.planned.push(leg.engine.name());
        }
    }
    if request.states_invariants && request.claim.property.is_unreach_call() && request.engines.is_auto() {
        let begin = request.host.now();
        let work = std::panic::AssertUnwindSafe(|| try_stated(pool, &graphs, &request.claim, budget));
        if let Ok(Some((answer, offers))) = std::panic::catch_unwind(work) {
            let entry = watch.begins(STATED, begin);
            let result = answer.as_ref().map_or("unknown(they are not enough)".to_string(), |o| o.answer().to_string());
            watch.ended(entry, request.host.now(), result);
            if let Some(outcome) = answer {
                return Finding::new(outcome, STATED);
            }
            known_first(&mut offered, offers);
        }
    }
    if has_prelude {
        let own = if is_alone { budget.clone() } else { budget.share(plan::PRELUDE.1) };
        let Ran { finding, found, .. } = prelude(pool, &mut graphs, request, &own, watch);
        if let Some(pruned) = &graphs.pruned {
            watch.proved(&pruned.proved);
        }
        if finding.outcome.is_definite() || is_alone || budget.check_now().is_err() {
            return finding;
        }
        known_first(&mut offered, found);
    }
    if request.claim.property.is_safety() && request.engines.is_auto() {
        let begin = request.host.now();
        let work = std::panic::AssertUnwindSafe(|| try_templates(pool, &graphs, &offered, &request.claim, budget));
        if let Ok(Some(answer)) = std::panic::catch_unwind(work) {
            let entry = watch.begins(TEMPLATES, begin);
            let result = answer.as_ref().map_or("unknown(they are not enough)".to_string(), |o| o.answer().to_string());
            watch.ended(entry, request.host.now(), result);
            if let Some(outcome) = answer {
                return Finding::new(outcome, TEMPLATES);
            }
        }
    }
    if lanes.len() == 1 || request.n_jobs <= 1 {
        run_in_turns(pool, &graphs, request, budget, &lanes, (offered, watch))
    } else {
        run_in_parallel(pool, graphs, request, budget, lanes, (offered, watch))
    }
}

/// The most predicates that another version offers for a location.
const MAX_REUSED: usize = 80;

/// Adds to what is offered.
fn known_first(offered: &mut Predicates, more: Predicates) {
    for (loc, formulas) in more {
        let known = offered.entry(loc).or_default();
        for formula in formulas {
            if known.len() < MAX_REUSED && !known.contains(&formula) {
                known.push(formula);
            }
        }
    }
}

/// The engine before the lanes on a graph with all its calls: procedures are not copied but get contracts.
fn by_contracts(
    pool: &mut TermPool,
    graphs: &Graphs,
    request: &Request,
    budget: &Budget,
    watch: &mut Watch<'_>,
) -> Ran {
    let name = plan::PRELUDE.0;
    // Contracts of many procedures would take long to make smaller.
    let request = &Request { effort: Effort::Plain, ..request.clone() };
    let entry = watch.begins(name, request.host.now());
    let mut report = |report: Report| watch.heard(name, report);
    let ran = run_engine(pool, graphs, request, budget, plan::named(name), &Predicates::new(), &mut report);
    watch.ended(entry, request.host.now(), ran.finding.outcome.answer().to_string());
    ran
}

/// The engine before the lanes: it answers, or removes proved checks and infeasible edges for the others.
fn prelude(pool: &mut TermPool, graphs: &mut Graphs, request: &Request, budget: &Budget, watch: &mut Watch<'_>) -> Ran {
    let name = plan::PRELUDE.0;
    let entry = watch.begins(name, request.host.now());
    let mut report = |report: Report| watch.heard(name, report);
    let mut ran = run_engine(pool, graphs, request, budget, plan::named(name), &Predicates::new(), &mut report);
    if let Some(facts) = ran.facts.take().filter(|_| !ran.finding.outcome.is_definite()) {
        graphs.pruned = crate::facts::prune(pool, graphs.view(View::Flat), facts, request.claim.options, budget);
        let n_proved = graphs.pruned.as_ref().map_or(0, |p| p.proved.len());
        ran.finding.stats.set("checks proved first", n_proved as u64);
    }
    watch.ended(entry, request.host.now(), ran.finding.outcome.answer().to_string());
    ran
}

/// The lanes for a request: one for a named engine, several for `auto`. Engines that need what the program does not
/// have are left out.
fn lanes(request: &Request, graphs: &Graphs, pool: &TermPool) -> Vec<Vec<Leg>> {
    let property = &request.claim.property;
    if let Engines::Only(engine) = request.engines {
        let lane = engine.supports(property).then(|| vec![Leg { engine, share: 1.0 }]);
        return lane.into_iter().collect();
    }
    let features = engine::profile::features(graphs.view(View::Flat), pool);
    let is_usable = |engine: &'static dyn Engine| {
        let profile = engine.profile();
        let follows = profile.wants != Wants::NoCalls || !features.contains(&Feature::Recursion);
        engine.supports(property) && follows && profile.missing(&features).is_none()
    };
    let lane = |legs: &&[plan::Leg]| -> Vec<Leg> {
        let legs = legs.iter().map(|&(name, share)| Leg { engine: plan::named(name), share });
        legs.filter(|leg| is_usable(leg.engine)).collect()
    };
    plan::lanes(property).iter().map(lane).filter(|lane| !lane.is_empty()).collect()
}

/// The time of leg `i`: a share of what is left, all of it for the last.
fn slice(budget: &Budget, lane: &[Leg], i: usize) -> Budget {
    match budget.remaining() {
        Some(left) if i + 1 < lane.len() => budget.child(left.mul_f64(lane[i].share)),
        Some(left) => budget.child(left),
        None => budget.clone(),
    }
}

/// The order in which the engines of all lanes run when lanes alternate: the quick ones, then one of each lane in turn.
fn in_turns(lanes: &[Vec<Leg>]) -> Vec<Leg> {
    let is_quick = |leg: &&Leg| leg.engine.profile().cost == Cost::Quick;
    let quick = lanes.iter().flatten().filter(is_quick);
    let slow: Vec<Vec<&Leg>> = lanes.iter().map(|lane| lane.iter().filter(|leg| !is_quick(leg)).collect()).collect();
    let n_turns = slow.iter().map(Vec::len).max().unwrap_or(0);
    let by_turns = (0..n_turns).flat_map(|turn| slow.iter().filter_map(move |lane| lane.get(turn).copied()));
    quick.chain(by_turns).copied().collect()
}

fn run_in_turns(
    pool: &mut TermPool,
    graphs: &Graphs,
    request: &Request,
    budget: &Budget,
    lanes: &[Vec<Leg>],
    (offered, watch): (Predicates, &mut Watch<'_>),
) -> Finding {
    let mut last = None;
    let exchange = Mutex::new(Exchange::new(pool, offered));
    let order = in_turns(lanes);
    for (i, leg) in order.iter().enumerate() {
        let own = if i + 1 < order.len() { budget.share(plan::share_in_turns(leg.share)) } else { budget.clone() };
        let name = leg.engine.name();
        let entry = watch.begins(name, request.host.now());
        let mut report = |report: Report| watch.heard(name, report);
        let finding = run_leg(pool, graphs, request, &own, leg.engine, &exchange, &mut report);
        watch.ended(entry, request.host.now(), finding.outcome.answer().to_string());
        if finding.outcome.is_definite() || budget.check_now().is_err() {
            return finding;
        }
        last = Some(better_reason(last, finding));
    }
    last.unwrap_or_else(|| Finding::unknown(Reason::Incomplete("no engine".to_string()), request.engines.name()))
}

/// What a lane reports to the one who waits.
enum Message {
    Begins(&'static str),
    Heard(&'static str, Report),
    /// With the answer, or why there is none.
    EngineEnded(&'static str, String),
    /// With an answer: the terms that it speaks about.
    Ended(Box<(Finding, Option<TermPool>)>),
}

/// The lanes run detached, so that a lane that reacts late to cancellation does not delay the answer.
fn run_in_parallel(
    pool: &mut TermPool,
    graphs: Graphs,
    request: &Request,
    budget: &Budget,
    lanes: Vec<Vec<Leg>>,
    (offered, watch): (Predicates, &mut Watch<'_>),
) -> Finding {
    let name = request.engines.name();
    let (sender, receiver) = mpsc::channel::<Message>();
    let race = budget.child(budget.remaining().unwrap_or(Duration::MAX / 4));
    let graphs = Arc::new(graphs);
    let exchange = Arc::new(Mutex::new(Exchange::new(pool, offered)));
    for lane in lanes {
        let (sender, race, request) = (sender.clone(), race.clone(), request.clone());
        let (graphs, exchange, mut pool) = (graphs.clone(), exchange.clone(), pool.clone());
        let host = request.host.clone();
        let work = move || {
            let mut last = None;
            for (i, leg) in lane.iter().enumerate() {
                let name = leg.engine.name();
                let own = slice(&race, &lane, i);
                let _ = sender.send(Message::Begins(name));
                let mut report = |report: Report| {
                    let _ = sender.send(Message::Heard(name, report));
                };
                let finding = run_leg(&mut pool, &graphs, &request, &own, leg.engine, &exchange, &mut report);
                let _ = sender.send(Message::EngineEnded(name, finding.outcome.answer().to_string()));
                if finding.outcome.is_definite() {
                    let _ = sender.send(Message::Ended(Box::new((finding, Some(pool)))));
                    return;
                }
                last = Some(better_reason(last, finding));
                if race.check_now().is_err() {
                    break;
                }
            }
            if let Some(last) = last {
                let _ = sender.send(Message::Ended(Box::new((last, None))));
            }
        };
        if !host.spawn(Box::new(work)) {
            let reason = Reason::Incomplete("no thread could be started".to_string());
            return Finding::unknown(reason, name);
        }
    }
    drop(sender);
    let mut best = None;
    // An engine is in one lane only.
    let mut entries: BTreeMap<&'static str, usize> = BTreeMap::new();
    let since = watch.now.timeline.len();
    for message in receiver {
        let now = request.host.now();
        match message {
            Message::Begins(engine) => {
                entries.insert(engine, watch.begins(engine, now));
            }
            Message::Heard(engine, report) => watch.heard(engine, report),
            Message::EngineEnded(engine, result) => {
                if let Some(&entry) = entries.get(engine) {
                    watch.ended(entry, now, result);
                }
            }
            Message::Ended(ended) => {
                let (finding, terms) = *ended;
                if let Some(terms) = terms {
                    race.cancel();
                    watch.all_ended(since, now);
                    *pool = terms;
                    return finding;
                }
                best = Some(better_reason(best, finding));
            }
        }
    }
    watch.all_ended(since, request.host.now());
    best.unwrap_or_else(|| Finding::unknown(Reason::Incomplete("no engine answered".to_string()), name))
}

/// Predicates that engines found, per location of the inlined graph, in terms that all lanes can read.
struct Exchange {
    pool: TermPool,
    predicates: Predicates,
}

/// The most predicates that are kept for a location.
const MAX_OFFERED: usize = 24;
/// Larger predicates are not passed on.
const MAX_OFFERED_SIZE: usize = 200;

impl Exchange {
    /// `pool`: what the terms of all lanes are copied from; `predicates`: what is known already, in these terms.
    fn new(pool: &TermPool, predicates: Predicates) -> Exchange {
        Exchange { pool: pool.clone(), predicates }
    }
    fn put(&mut self, pool: &TermPool, found: &Predicates) {
        for (&loc, formulas) in found {
            let known = self.predicates.entry(loc).or_default();
            for &formula in formulas {
                if known.len() < MAX_OFFERED
                    && pool.dag_size(formula) <= MAX_OFFERED_SIZE
                    && let Some(here) = self.pool.import(pool, formula)
                    && !known.contains(&here)
                {
                    known.push(here);
                }
            }
        }
    }
    fn take(&self, pool: &mut TermPool) -> Predicates {
        let carried = |formulas: &Vec<TermId>, pool: &mut TermPool| -> Vec<TermId> {
            formulas.iter().filter_map(|&f| pool.import(&self.pool, f)).collect()
        };
        self.predicates.iter().map(|(&loc, formulas)| (loc, carried(formulas, pool))).collect()
    }
}

/// Why there is no answer after a panic in an engine.
pub(crate) fn panicked(engine: &str) -> Reason {
    Reason::Internal(format!("engine {engine} failed; please report it with the program"))
}

/// Of two unknowns, the one that tells the user more: a rejected certificate is a bug and must be seen;
/// otherwise running out of time says that more time may help.
fn better_reason(a: Option<Finding>, b: Finding) -> Finding {
    let weight = |f: &Finding| match &f.outcome {
        Outcome::Unknown(Reason::Rejected(_) | Reason::Internal(_)) => 4,
        Outcome::Unknown(Reason::Stopped(Stop::Timeout | Stop::OutOfMemory | Stop::Cancelled)) => 3,
        Outcome::Unknown(Reason::Unsupported(_) | Reason::UnsupportedProperty(_)) => 2,
        // That guessing engines and random testing found nothing is not informative.
        _ if engine::engine_by_name(&f.engine).is_some_and(|e| e.profile().cost == Cost::Quick) => 0,
        _ => 1,
    };
    let Some(a) = a else { return b };
    let safe_below = a.safe_below.max(b.safe_below);
    Finding { safe_below, ..if weight(&a) >= weight(&b) { a } else { b } }
}

/// An engine that ran, and what it leaves for the others.
struct Ran {
    finding: Finding,
    found: Predicates,
    facts: Option<Facts>,
}

fn run_leg(
    pool: &mut TermPool,
    graphs: &Graphs,
    request: &Request,
    budget: &Budget,
    engine: &'static dyn Engine,
    exchange: &Mutex<Exchange>,
    report: &mut dyn FnMut(Report),
) -> Finding {
    let shared = || exchange.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    // Locations of the inlined graph do not exist in the other.
    let exchanges = view_of(engine) == View::Flat;
    let offered = if exchanges { shared().take(pool) } else { Predicates::new() };
    let ran = run_engine(pool, graphs, request, budget, engine, &offered, report);
    if exchanges && !ran.finding.outcome.is_definite() {
        shared().put(pool, &ran.found);
    }
    ran.finding
}

fn view_of(engine: &dyn Engine) -> View {
    if engine.profile().wants == Wants::AllCalls { View::Original } else { View::Flat }
}

fn run_engine(
    pool: &mut TermPool,
    graphs: &Graphs,
    request: &Request,
    budget: &Budget,
    engine: &'static dyn Engine,
    offered: &Predicates,
    report: &mut dyn FnMut(Report),
) -> Ran {
    let view = view_of(engine);
    let task = Task {
        icfg: graphs.searched(view),
        property: &request.claim.property,
        blocks: request.blocks,
        offered,
        complement: request.complement,
    };
    let mut meter = Meter::new(&*request.host, report);
    let work = std::panic::AssertUnwindSafe(|| {
        let mut ctx = Ctx::new(pool, budget, &mut meter);
        let verdict = engine.run(&mut ctx, &task);
        let (stats, found, facts) = (ctx.stats, ctx.found, ctx.facts);
        (certify_found(pool, graphs, view, verdict, request, budget), stats, found, facts)
    });
    let (outcome, stats, found, facts) = match std::panic::catch_unwind(work) {
        Ok(result) => result,
        Err(_) => (Outcome::Unknown(panicked(engine.name())), Stats::default(), Predicates::new(), None),
    };
    let safe_below = match request.claim.fidelity.unsound.is_empty() {
        true => stats.get("bmc layers").saturating_sub(1),
        false => 0,
    };
    let mut finding = Finding::new(outcome, engine.name());
    (finding.safe_below, finding.stats, finding.phases) = (safe_below, stats, meter.times());
    Ran { finding, found, facts }
}

/// Checks the evidence of an engine that was perhaps given a smaller graph.
fn certify_found(
    pool: &mut TermPool,
    graphs: &Graphs,
    view: View,
    verdict: Verdict,
    request: &Request,
    budget: &Budget,
) -> Outcome {
    if let (Some(pruned), View::Flat, Verdict::Holds(_)) = (&graphs.pruned, view, &verdict) {
        // Often the proof does not depend on the facts by which the graph was reduced, and is easier to read without
        // them.
        let alone = certify(pool, graphs, view, verdict.clone(), &request.claim, request.effort, budget);
        if alone.is_definite() {
            return alone;
        }
        let verdict = pruned.about_all(pool, verdict);
        return certify(pool, graphs, view, verdict, &request.claim, request.effort, budget);
    }
    certify(pool, graphs, view, verdict, &request.claim, request.effort, budget)
}
