//! Engines that work on the threads of a program themselves, not on the product of all.

use crate::certify::{Claim, Effort, certify, certify_threads};
use crate::graphs::{Graphs, View};
use crate::load::Loaded;
use crate::observer::{Meter, Report};
use crate::outcome::{Finding, Outcome};
use crate::portfolio::panicked;
use crate::product::of_the_program;
use crate::session::Session;
use base::Budget;
use engine::{Ctx, Engine, Stats, Task};
use ir::inline::{InlineLimits, inline_calls};
use ir::{Icfg, Property, Reason};

/// Runs such an engine on a graph of a program and checks its evidence. `budget` limits the engine, `whole` the check
/// of what it found.
pub(crate) fn verify_by(
    session: &mut Session<'_>,
    engine: &'static dyn Engine,
    loaded: &mut Loaded,
    graph: &Icfg,
    property: &Property,
    (budget, whole): (&Budget, &Budget),
) -> Finding {
    let name = engine.name();
    if !engine.supports(property) {
        let reason = Reason::UnsupportedProperty(format!("{} (engine {name})", property.name()));
        return Finding::unknown(reason, name);
    }
    let pool = &mut loaded.pool;
    let (inlined, map) = match inline_calls(graph, pool, &InlineLimits::default()) {
        Ok(inlined) => inlined,
        Err(e) => return Finding::unknown(Reason::Incomplete(e.to_string()), name),
    };
    let claim = Claim {
        property: property.clone(),
        fidelity: loaded.program.fidelity.clone(),
        options: check::Options { paranoid: session.settings.paranoid },
    };
    let host = session.source.host.clone();
    let entry = session.watch.begins(name, host.now());
    let watch = &mut session.watch;
    let mut report = |report: Report| watch.heard(name, report);
    let mut meter = Meter::new(&*host, &mut report);
    let work = std::panic::AssertUnwindSafe(|| {
        let mut ctx = Ctx::new(pool, budget, &mut meter);
        let verdict = engine.run(&mut ctx, &Task::new(&inlined, property));
        let (stats, product, concurrent) = (ctx.stats, ctx.product, ctx.concurrent);
        let verdict = match (verdict, concurrent) {
            (ir::Verdict::Holds(certificate), Some(program)) => {
                let copies = of_the_program(program.copies.clone(), &map);
                let outcome = certify_threads(pool, program, certificate, &claim, whole);
                return (outcome.about_copies(copies), stats);
            }
            (verdict, _) => verdict,
        };
        if let (None, ir::Verdict::Holds(ir::Certificate::Threads(_))) = (&product, &verdict) {
            // The evidence is about the threads themselves.
            let graphs = Graphs::single(inlined.clone());
            let outcome = certify(pool, &graphs, View::Original, verdict, &claim, Effort::Simplified, whole);
            let own = inlined.vars.ids().map(|v| (v, v)).collect();
            return (outcome.about_copies(of_the_program(own, &map)), stats);
        }
        let Some(product) = product else {
            // Without a graph there is nothing that an answer could be about.
            let reason = match verdict {
                ir::Verdict::Unknown(reason) => reason,
                _ => Reason::Rejected("the evidence is about no graph".to_string()),
            };
            return (Outcome::Unknown(reason), stats);
        };
        let graphs = Graphs::single(product.icfg);
        let outcome = certify(pool, &graphs, View::Original, verdict, &claim, Effort::Simplified, whole);
        (outcome.about_copies(of_the_program(product.copies, &map)).in_lanes(product.lanes, graph, &map), stats)
    });
    let (outcome, stats) = match std::panic::catch_unwind(work) {
        Ok(result) => result,
        Err(_) => (Outcome::Unknown(panicked(engine.name())), Stats::default()),
    };
    let phases = meter.times();
    session.watch.ended(entry, host.now(), outcome.answer().to_string());
    Finding { outcome, engine: name.to_string(), stats, phases, safe_below: 0 }
}
