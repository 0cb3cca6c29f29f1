//! Which engines run, in which order, with how much time.
//!
//! A *lane* is a list of engine runs with time slices, worked off one after the other. With several jobs the
//! lanes run in parallel, each on its own copy of the terms and the graph; the first answer whose
//! evidence passes the checker wins and cancels the others; nobody waits for them to notice. With one job the lanes take
//! turns, so a run is deterministic but for the time limits.
//!
//! Predicates that an engine found before it gave up are offered to those that start later ([`Exchange`]).

use crate::check::{Answer, certify};
use base::{Budget, Stop};
use engine::{Ctx, Engine, Observer, Phase, Predicates, Stats, Task};
use ir::blocks::BlockMode;
use ir::inline::{InlineError, InlineLimits, InlineMap, inline_calls_but};
use ir::linking::{LinkMap, link_calls};
use ir::{Counterexample, Fidelity, Icfg, Property, Reason};
use logic::{TermId, TermPool};
use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

#[derive(Clone)]
pub struct Request {
    pub property: Property,
    pub engine: String,
    pub blocks: Option<BlockMode>,
    pub complement: engine::buchi::Complement,
    pub paranoid: bool,
    pub n_jobs: usize,
    pub fidelity: Fidelity,
    pub show_progress: bool,
}

pub struct Finished {
    pub answer: Answer,
    pub stats: Stats,
    pub phases: Vec<(String, Duration)>,
    pub engine: String,
    /// Facts worth telling when there is no answer.
    pub known: Vec<String>,
    pub icfg: Option<Icfg>,
    /// From `icfg` back to the graph as built, if they differ.
    pub map: Option<InlineMap>,
    /// The terms the answer speaks about, if they are not the caller's own.
    pub pool: Option<TermPool>,
}

/// One engine run of a lane.
#[derive(Clone, Copy)]
struct Leg {
    engine: &'static dyn Engine,
    /// As a share of the whole time; the last leg of a lane gets all that is left.
    share: f64,
}

/// The graphs of a program.
pub struct Graphs {
    /// As built: executions are replayed on this one.
    pub original: Icfg,
    /// With the calls of all procedures that are not recursive inlined: engines work on this one, and
    /// certificates speak about it.
    pub inlined: Icfg,
    pub map: InlineMap,
    /// If inlining everything would have made too many copies: `inlined` with the calls that are left linked
    /// ([`ir::linking`]). Then engines and certificates speak about this one.
    pub linked: Option<(Icfg, LinkMap)>,
}

/// Above so many edges of the inlined graph, procedures with many copies are linked instead.
const LINK_ABOVE: usize = 30_000;
/// So many edges are aimed at then.
const LINKED_SIZE: usize = 500;

impl Graphs {
    fn new(pool: &mut TermPool, graph: &Icfg) -> Result<Graphs, InlineError> {
        let stay = match ir::inline::too_large_to_copy(graph, LINK_ABOVE) {
            few if few.is_empty() => few,
            _ => ir::inline::too_large_to_copy(graph, LINKED_SIZE),
        };
        let (mut inlined, map) = inline_calls_but(graph, pool, &InlineLimits::default(), &stay)?;
        let linked = if stay.is_empty() { None } else { link_calls(&inlined, pool) };
        if inlined.has_calls() {
            inlined.ensure_old_vars(pool);
        }
        Ok(Graphs { original: graph.clone(), inlined, map, linked })
    }

    /// The graph for engines that do not want every call as it stands.
    fn flat(&self) -> &Icfg {
        self.linked.as_ref().map_or(&self.inlined, |(linked, _)| linked)
    }

    /// An execution of one of the graphs as one of the original.
    pub fn original_counterexample(&self, of: &Icfg, found: Counterexample) -> Counterexample {
        match &self.linked {
            Some((linked, map)) if std::ptr::eq(of, linked) => {
                self.map.original_counterexample(&map.original_counterexample(&found))
            }
            _ if std::ptr::eq(of, &self.inlined) => self.map.original_counterexample(&found),
            _ => found,
        }
    }
}

pub fn run(pool: &mut TermPool, graph: &Icfg, request: &Request, budget: &Budget) -> Finished {
    let graphs = match Graphs::new(pool, graph) {
        Ok(graphs) => graphs,
        Err(e) => return Finished::unknown(Reason::Incomplete(e.to_string()), &request.engine),
    };
    let lanes = plan(request, &graphs);
    if lanes.is_empty() {
        let reason = Reason::Unsupported(format!("property {} (engine {})", request.property.name(), request.engine));
        return Finished::unknown(reason, &request.engine);
    }
    if lanes.len() == 1 || request.n_jobs <= 1 {
        run_in_turns(pool, &graphs, request, budget, &lanes)
    } else {
        run_in_parallel(pool, graphs, request, budget, lanes)
    }
}

impl Finished {
    fn unknown(reason: Reason, engine: &str) -> Finished {
        Finished {
            answer: Answer::Unknown(reason),
            stats: Stats::default(),
            phases: Vec::new(),
            engine: engine.to_string(),
            known: Vec::new(),
            icfg: None,
            map: None,
            pool: None,
        }
    }
    fn is_definite(&self) -> bool {
        !matches!(self.answer, Answer::Unknown(_))
    }
}

/// The lanes for a request: one for a named engine, several for `auto`.
fn plan(request: &Request, graphs: &Graphs) -> Vec<Vec<Leg>> {
    let usable = |e: &&'static dyn Engine| e.supports(&request.property);
    if request.engine != "auto" {
        let engine = engine::engine_by_name(&request.engine).filter(usable);
        return engine.into_iter().map(|engine| vec![Leg { engine, share: 1.0 }]).collect();
    }
    let recursive = graphs.flat().has_calls();
    let pick = |names: &[(&str, f64)]| -> Vec<Leg> {
        names
            .iter()
            .filter_map(|&(name, share)| {
                let engine = engine::engine_by_name(name).filter(usable)?;
                (engine.handles_calls() || !recursive).then_some(Leg { engine, share })
            })
            .collect()
    };
    let lanes = if request.property.is_safety() {
        vec![
            pick(&[
                ("affine", 0.25),
                ("execution", 0.4),
                ("random-testing", 0.1),
                ("memory-facts", 0.2),
                ("indexed-predicates", 0.4),
                ("cell-morphing", 0.35),
                ("bmc", 0.3),
                ("impact", 0.4),
                ("predicate-abstraction", 1.0),
            ]),
            // On loops WHALE comes last: it finds few proofs that the others miss, but some.
            pick(&[("trace-abstraction", 0.6), ("kojak", 0.6), ("whale", 1.0)]),
        ]
    } else {
        vec![pick(&[("execution", 0.1), ("endless", 0.3)]), pick(&[("buchi", 1.0)])]
    };
    lanes.into_iter().filter(|lane| !lane.is_empty()).collect()
}

/// The time of leg `i`: a share of what is left, all of it for the last.
fn slice(budget: &Budget, lane: &[Leg], i: usize) -> Budget {
    match budget.remaining() {
        Some(left) if i + 1 < lane.len() => budget.child(left.mul_f64(lane[i].share)),
        Some(left) => budget.child(left),
        None => budget.clone(),
    }
}

/// So many engines at the head of the first lane give up soon where they are of no use.
const N_QUICK: usize = 6;

fn run_in_turns(
    pool: &mut TermPool,
    graphs: &Graphs,
    request: &Request,
    budget: &Budget,
    lanes: &[Vec<Leg>],
) -> Finished {
    let mut last = None;
    let exchange = Mutex::new(Exchange::new(pool));
    // The quick engines at the head of the first lane, then the lanes by turns.
    let mut order: Vec<(usize, &Leg)> = Vec::new();
    for (n_lane, lane) in lanes.iter().enumerate() {
        order.extend(lane.iter().enumerate().map(|(i, leg)| (i + n_lane * N_QUICK, leg)));
    }
    order.sort_by_key(|&(turn, _)| turn);
    for (i, &(_, leg)) in order.iter().enumerate() {
        let own = match budget.remaining() {
            Some(left) if i + 1 < order.len() => budget.child(left.mul_f64((leg.share / 2.0).min(0.5))),
            _ => budget.clone(),
        };
        let finished = run_leg(pool, graphs, request, &own, leg.engine, &exchange);
        if finished.is_definite() || budget.check_now().is_err() {
            return finished;
        }
        last = Some(better_reason(last, finished));
    }
    last.unwrap_or_else(|| Finished::unknown(Reason::Incomplete("no engine".to_string()), &request.engine))
}

/// The lanes run detached: one that is slow to notice that the race is over holds nobody up.
fn run_in_parallel(
    pool: &TermPool,
    graphs: Graphs,
    request: &Request,
    budget: &Budget,
    lanes: Vec<Vec<Leg>>,
) -> Finished {
    let (sender, receiver) = mpsc::channel::<Finished>();
    let race = budget.child(budget.remaining().unwrap_or(Duration::MAX / 4));
    let graphs = Arc::new(graphs);
    let exchange = Arc::new(Mutex::new(Exchange::new(pool)));
    for lane in lanes {
        let (sender, race, own_request) = (sender.clone(), race.clone(), request.clone());
        let (graphs, exchange, mut pool) = (graphs.clone(), exchange.clone(), pool.clone());
        let work = move || {
            let mut last = None;
            for i in 0..lane.len() {
                let own = slice(&race, &lane, i);
                let mut finished = run_leg(&mut pool, &graphs, &own_request, &own, lane[i].engine, &exchange);
                if finished.is_definite() {
                    finished.pool = Some(pool);
                    let _ = sender.send(finished);
                    return;
                }
                last = Some(better_reason(last, finished));
                if race.check_now().is_err() {
                    break;
                }
            }
            if let Some(last) = last {
                let _ = sender.send(last);
            }
        };
        let worker = std::thread::Builder::new().stack_size(crate::STACK_BYTES);
        if worker.spawn(work).is_err() {
            return Finished::unknown(Reason::Incomplete("no thread could be started".to_string()), &request.engine);
        }
    }
    drop(sender);
    let mut best = None;
    for finished in receiver {
        if finished.is_definite() {
            race.cancel();
            return finished;
        }
        best = Some(better_reason(best, finished));
    }
    best.unwrap_or_else(|| Finished::unknown(Reason::Incomplete("no engine answered".to_string()), &request.engine))
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
    /// `pool`: what the terms of all lanes are copied from.
    fn new(pool: &TermPool) -> Exchange {
        Exchange { pool: pool.clone(), predicates: Predicates::new() }
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

const QUICK_GUESSES: [&str; 7] =
    ["affine", "execution", "cell-morphing", "memory-facts", "indexed-predicates", "random-testing", "endless"];

/// Of two unknowns, the one that tells the user more: a rejected certificate is a bug and must be seen;
/// otherwise running out of time says that more time may help.
fn better_reason(a: Option<Finished>, b: Finished) -> Finished {
    let weight = |f: &Finished| match &f.answer {
        Answer::Unknown(Reason::Rejected(_)) => 4,
        Answer::Unknown(Reason::Stopped(Stop::Timeout | Stop::OutOfMemory | Stop::Cancelled)) => 3,
        Answer::Unknown(Reason::Unsupported(_)) => 2,
        // That quick guesses and random executions are no proof is no news.
        _ if QUICK_GUESSES.contains(&f.engine.as_str()) => 0,
        _ => 1,
    };
    let Some(a) = a else { return b };
    let (mut better, mut other) = if weight(&a) >= weight(&b) { (a, b) } else { (b, a) };
    better.known.append(&mut other.known);
    better
}

fn run_leg(
    pool: &mut TermPool,
    graphs: &Graphs,
    request: &Request,
    budget: &Budget,
    engine: &'static dyn Engine,
    exchange: &Mutex<Exchange>,
) -> Finished {
    let icfg = if engine.prefers_calls() { &graphs.original } else { graphs.flat() };
    if icfg.has_calls() && !engine.handles_calls() {
        return Finished::unknown(Reason::Incomplete("recursion".to_string()), engine.name());
    }
    let shared = || exchange.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    // Locations of the flat graph mean nothing in the other.
    let exchanges = std::ptr::eq(icfg, graphs.flat());
    let offered = if exchanges { shared().take(pool) } else { Predicates::new() };
    let task = Task {
        icfg,
        property: &request.property,
        blocks: request.blocks,
        offered: &offered,
        complement: request.complement,
    };
    let mut observer = Progress::new(engine.name(), request.show_progress);
    let work = std::panic::AssertUnwindSafe(|| {
        let mut ctx = Ctx::new(pool, budget, &mut observer);
        let verdict = engine.run(&mut ctx, &task);
        let (stats, found) = (ctx.stats, ctx.found);
        if exchanges {
            shared().put(pool, &found);
        }
        (certify(pool, graphs, icfg, verdict, request, budget), stats)
    });
    let (answer, stats) = match std::panic::catch_unwind(work) {
        Ok(result) => result,
        Err(_) => (Answer::Unknown(Reason::Incomplete("internal error".to_string())), Stats::default()),
    };
    observer.clear();
    let known = match stats.get("bmc layers") {
        _ if !request.fidelity.unsound.is_empty() => Vec::new(),
        n if n > 1 => vec![format!("bmc found no violation on executions with fewer than {} loop iterations", n - 1)],
        _ => Vec::new(),
    };
    Finished {
        answer,
        known,
        stats,
        phases: observer.times(),
        engine: engine.name().to_string(),
        icfg: Some(icfg.clone()),
        map: (!std::ptr::eq(icfg, &graphs.original)).then(|| graphs.map.clone()),
        pool: None,
    }
}

/// Shows progress on a terminal and takes the time of phases.
struct Progress {
    engine: &'static str,
    shown: bool,
    visible: bool,
    last: Option<Instant>,
    entered: Vec<(Phase, Instant)>,
    spent: BTreeMap<Phase, Duration>,
}

impl Progress {
    fn new(engine: &'static str, wanted: bool) -> Progress {
        let visible = wanted && std::io::stderr().is_terminal();
        Progress { engine, shown: false, visible, last: None, entered: Vec::new(), spent: BTreeMap::new() }
    }
    fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            eprint!("\r\x1b[K");
            let _ = std::io::stderr().flush();
        }
    }
    fn times(&self) -> Vec<(String, Duration)> {
        self.spent.iter().map(|(p, d)| (format!("{p:?}"), *d)).collect()
    }
}

impl Observer for Progress {
    fn progress(&mut self, round: u64, detail: &str) {
        if self.visible && self.last.is_none_or(|l| l.elapsed() > Duration::from_millis(100)) {
            eprint!("\r\x1b[K{}: round {round}, {detail}", self.engine);
            let _ = std::io::stderr().flush();
            self.shown = true;
            self.last = Some(Instant::now());
        }
    }
    fn enter(&mut self, phase: Phase) {
        self.entered.push((phase, Instant::now()));
    }
    fn leave(&mut self, phase: Phase) {
        if let Some((entered, since)) = self.entered.pop() {
            debug_assert_eq!(entered, phase);
            *self.spent.entry(phase).or_default() += since.elapsed();
        }
    }
}
