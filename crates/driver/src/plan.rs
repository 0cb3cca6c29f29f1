//! The strategy as data: which translations of a program are tried with which engines, in which order and for how long.
//!
//! [`stages`] is the whole strategy. A [`Stage`] is a translation ([`Form`]), a choice of engines, a share of the
//! remaining time, the kinds of answers that are accepted, and the conditions under which the stage runs. [`lanes`] are
//! the engines for one translation: with several jobs the lanes run in parallel; with one job all quick engines come
//! first, then the lanes alternate. `craig check --explain-plan` prints both for a program. [`crate::strategy`]
//! executes the stages.
//!
//! The shares were chosen by running SV-COMP tasks with time limits between 5 and 60 seconds; none is tuned to a single
//! task.

use crate::settings::{Engines, Settings};
use engine::{Engine, Wants};
use ir::Property;
pub use ir::slicing::Depth;

/// A translation of the source into a program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Form {
    /// Mathematical integers (or what `--integers` asks for), all interleavings of threads.
    Default,
    /// Each thread runs to its end where it is created: violations that need no interleaving are found quickly.
    Sequentialised,
    /// Wrap-around counts as a violation: the remaining executions use linear arithmetic, which invariants are made of.
    NoWrap,
    /// Bit-vectors: exact where mathematical integers over-approximate.
    BitVectors,
    /// Instrumented with checks for all undefined behaviour; executions end where a check fails.
    Instrumented,
    /// A program slice of the default translation; only proofs carry over.
    Sliced(Depth),
}

impl Form {
    pub fn name(self) -> &'static str {
        match self {
            Form::Default => "default encoding",
            Form::Sequentialised => "sequentialised threads",
            Form::NoWrap => "no wrap-around",
            Form::BitVectors => "bit-vectors",
            Form::Instrumented => "instrumented for undefined behaviour",
            Form::Sliced(Depth::Data) => "program slice (data)",
            Form::Sliced(Depth::Guards) => "program slice (data and control)",
        }
    }
    /// The translation of the source that it is made from.
    pub(crate) fn translated(self) -> Form {
        match self {
            Form::Sliced(_) => Form::Default,
            own => own,
        }
    }
}

/// Which engines a stage runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// The lanes, or the engine that the user asked for.
    Lanes,
    /// One engine.
    One(&'static str),
}

/// What counts as an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Accept {
    Answers,
    Proofs,
    Violations,
}

impl Accept {
    pub fn name(self) -> &'static str {
        match self {
            Accept::Answers => "any answer",
            Accept::Proofs => "proofs",
            Accept::Violations => "violations",
        }
    }
}

/// A precondition of a stage; all preconditions of a stage must hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// The program is in C.
    C,
    Threads,
    NoThreads,
    /// Every construct of the program is modelled, so that a proof is possible.
    Modelled,
    /// Mathematical integers over-approximate the program, and bit-vectors do so less.
    Coarse,
    /// The negation of [`When::Coarse`].
    NotCoarse,
    /// Some arithmetic may wrap around.
    MayWrap,
    /// An earlier run of the engine stopped at its time or memory limit.
    Unfinished(&'static str),
    /// An earlier run of the engine explored its whole search space without an answer.
    Exhausted(&'static str),
}

impl When {
    pub fn name(self) -> String {
        match self {
            When::C => "C".to_string(),
            When::Threads => "threads".to_string(),
            When::NoThreads => "no threads".to_string(),
            When::Modelled => "every construct is modelled".to_string(),
            When::Coarse => "bit-vectors are more exact".to_string(),
            When::NotCoarse => "bit-vectors are not more exact".to_string(),
            When::MayWrap => "arithmetic may wrap around".to_string(),
            When::Unfinished(engine) => format!("{engine} did not finish"),
            When::Exhausted(engine) => format!("{engine} finished without an answer"),
        }
    }
}

/// One stage of the strategy.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Stage {
    pub form: Form,
    pub engines: Choice,
    /// Of the time that is left.
    pub share: f64,
    pub accept: Accept,
    pub when: &'static [When],
}

const fn stage(form: Form, engines: Choice, share: f64, accept: Accept, when: &'static [When]) -> Stage {
    Stage { form, engines, share, accept, when }
}

/// Safety.
const SAFETY: &[Stage] = {
    use Accept::{Answers, Proofs, Violations};
    use Choice::{Lanes, One};
    use Depth::{Data, Guards};
    use Form::{BitVectors, Default, Instrumented, NoWrap, Sequentialised, Sliced};
    use When::{C, Coarse, Exhausted, MayWrap, Modelled, NoThreads, NotCoarse, Threads, Unfinished};
    &[
        // Locks and fork-join order alone prove many programs, without exploring interleavings.
        stage(Default, One("lock-sets"), 0.3, Proofs, &[Threads, Modelled]),
        // A slice has fewer states and interleavings.
        stage(Sliced(Data), One("states"), 0.1, Proofs, &[Threads, Modelled]),
        // With few shared variables all interleavings are executed quickly.
        stage(Default, One("execution"), 0.05, Answers, &[Threads]),
        stage(Default, One("states"), 0.25, Proofs, &[Threads, Modelled]),
        stage(Sliced(Data), One("reduced-interleavings"), 0.05, Proofs, &[Threads, Modelled]),
        stage(Sliced(Guards), One("states"), 0.1, Proofs, &[Threads, Modelled]),
        // A schedule cannot be replayed in a program with additional checks, so this translation has them already.
        stage(Instrumented, One("schedules"), 0.35, Violations, &[Threads]),
        stage(Default, One("states"), 0.5, Proofs, &[Threads, Modelled, Unfinished("states"), Exhausted("schedules")]),
        // Thread-modular reasoning, then partial-order reduction.
        stage(Default, One("thread-modular"), 0.1, Proofs, &[Threads, Modelled]),
        stage(Default, One("reduced-interleavings"), 0.4, Answers, &[Threads]),
        stage(Default, One("petri"), 0.4, Answers, &[Threads]),
        stage(Sequentialised, Lanes, 0.15, Answers, &[C, Threads]),
        // Concrete execution over bit-vectors is as fast as over integers, and exact.
        stage(BitVectors, One("execution"), 0.05, Answers, &[Coarse, NoThreads]),
        stage(BitVectors, One("random-testing"), 0.05, Answers, &[Coarse, NoThreads]),
        // Cheap proofs first: intervals, then small state spaces, then complete unwinding of loops with small bounds.
        // Each engine gives up early where it does not apply.
        stage(Default, One("abstract-interpretation"), 0.1, Proofs, &[C, NoThreads, Modelled]),
        stage(Default, One("explicit-states"), 0.04, Proofs, &[NoThreads, Modelled]),
        // In large programs most statements are irrelevant to the property.
        stage(Sliced(Data), One("abstract-interpretation"), 0.05, Proofs, &[NoThreads, Modelled]),
        stage(Sliced(Data), One("explicit-states"), 0.03, Proofs, &[NoThreads, Modelled]),
        stage(BitVectors, One("unwinding"), 0.5, Answers, &[C, NoThreads]),
        // Linked data: it gives up at once where no loop walks blocks of the heap, and its proofs take seconds.
        stage(Default, One("indexed-predicates"), 0.25, Proofs, &[C, NoThreads, Modelled]),
        stage(Sliced(Data), Lanes, 0.08, Proofs, &[NoThreads, Modelled]),
        stage(Sliced(Guards), Lanes, 0.12, Proofs, &[NoThreads, Modelled]),
        stage(Default, Lanes, 0.15, Answers, &[MayWrap]),
        stage(NoWrap, Lanes, 0.4, Answers, &[MayWrap]),
        stage(Default, Lanes, 1.0, Answers, &[NotCoarse]),
        stage(Default, Lanes, 0.4, Answers, &[Coarse]),
        stage(BitVectors, Lanes, 1.0, Answers, &[Coarse]),
    ]
};

/// Termination: first, do all loops end after few iterations?
const TERMINATION: &[Stage] = {
    use Accept::{Answers, Proofs};
    use Choice::{Lanes, One};
    use Form::{BitVectors, Default};
    use When::{C, Coarse, Modelled, NoThreads, NotCoarse};
    &[
        stage(BitVectors, One("unwinding"), 0.4, Proofs, &[C, NoThreads, Modelled]),
        stage(Default, Lanes, 1.0, Answers, &[NotCoarse]),
        stage(Default, Lanes, 0.4, Answers, &[Coarse]),
        stage(BitVectors, Lanes, 1.0, Answers, &[Coarse]),
    ]
};

/// Other properties of infinite executions.
const TEMPORAL: &[Stage] = {
    use Accept::Answers;
    use Choice::Lanes;
    use Form::{BitVectors, Default};
    use When::{Coarse, NotCoarse};
    &[
        stage(Default, Lanes, 1.0, Answers, &[NotCoarse]),
        stage(Default, Lanes, 0.4, Answers, &[Coarse]),
        stage(BitVectors, Lanes, 1.0, Answers, &[Coarse]),
    ]
};

/// Share of the time for the translation that fits an engine best.
const OWN_SHARE: f64 = 0.5;

/// The stages for a property, with the engine that the user asked for, if any.
pub fn stages(property: &Property, settings: &Settings) -> Vec<Stage> {
    let all = match property {
        Property::Termination => TERMINATION,
        Property::Ltl(_) => TEMPORAL,
        _ => SAFETY,
    };
    let is_lanes = |stage: &&Stage| stage.engines == Choice::Lanes && stage.form == stage.form.translated();
    match settings.engines {
        Engines::Auto => all.to_vec(),
        Engines::Only(engine) if engine.profile().wants == Wants::Threads => {
            let own = all.iter().find(|s| s.engines == Choice::One(engine.name()) && s.form == s.form.translated());
            let form = own.map_or(Form::Default, |s| s.form);
            vec![stage(form, Choice::Lanes, 1.0, Accept::Answers, &[])]
        }
        // The translation that fits it best, then the others.
        Engines::Only(engine) => {
            let own = all.iter().find(|s| s.engines == Choice::One(engine.name()) && s.form == s.form.translated());
            let first = own.map(|s| Stage { engines: Choice::Lanes, share: OWN_SHARE, ..*s });
            first.into_iter().chain(all.iter().filter(is_lanes).copied()).collect()
        }
    }
}

/// A step of a stage for termination of programs whose signed arithmetic may overflow ([`crate::termination`]).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Step {
    /// Do executions end at an overflow? Otherwise signed arithmetic is unbounded.
    pub ends_at_overflow: bool,
    pub engines: Choice,
    /// Of the time of the stage.
    pub share: f64,
    pub accept: Accept,
    /// With several jobs it runs in parallel with the other steps, until they end.
    pub beside: bool,
}

/// The steps, in order.
pub const OVERFLOWING: [Step; 3] = [
    Step {
        ends_at_overflow: true,
        engines: Choice::One("endless"),
        share: 0.1,
        accept: Accept::Violations,
        beside: true,
    },
    Step { ends_at_overflow: false, engines: Choice::One("buchi"), share: 0.65, accept: Accept::Proofs, beside: false },
    Step { ends_at_overflow: true, engines: Choice::Lanes, share: 1.0, accept: Accept::Violations, beside: false },
];

/// One engine run of a lane, by name, with its share of the remaining time; the last one of a lane gets all of it.
pub type Leg = (&'static str, f64);

/// Runs before the lanes, for safety. It answers, or it proves some checks and finds infeasible edges; the lanes get
/// the remaining program.
pub const PRELUDE: Leg = ("abstract-interpretation", 0.15);

/// Of the time of a stage with that engine alone: the share for the graph in which procedures that inlining would copy
/// many times stay calls.
pub const CONTRACTS_SHARE: f64 = 0.8;

const SAFETY_LANES: &[&[Leg]] = &[
    &[
        ("affine", 0.25),
        ("execution", 0.4),
        ("random-testing", 0.1),
        ("memory-facts", 0.2),
        ("indexed-predicates", 0.4),
        ("cell-morphing", 0.35),
        ("bmc", 0.3),
        ("impact", 0.4),
        ("predicate-abstraction", 1.0),
    ],
    // Taipan proves loops whose interpolants diverge, but is slower where trace abstraction needs many refinements.
    // On loops WHALE comes last: it finds few proofs that the others miss, but some.
    &[("trace-abstraction", 0.4), ("taipan", 0.4), ("kojak", 0.6), ("whale", 1.0)],
];

/// Runs before the steps, for temporal properties: with unbounded integers for a proof, with executions that end at an
/// overflow for a violation.
pub const ALL_STATES: Leg = ("explicit-states", 0.3);

/// The share of the time for minimising a counterexample.
pub const SHRINK_SHARE: f64 = 0.1;

/// The share of the time for safety engines, where a finite prefix of an execution decides a violation.
pub const SAFETY_SHARE: f64 = 0.35;

/// The engine whose invariants strengthen the product before the search for lassos, and its share of the time.
pub const INVARIANTS: &str = "affine";
pub const INVARIANTS_SHARE: f64 = 0.1;

const TEMPORAL_LANES: &[&[Leg]] = &[&[("endless", 0.3)], &[("buchi", 1.0)]];

const LIVENESS_LANES: &[&[Leg]] = &[&[("execution", 0.1), ("endless", 0.3)], &[("buchi", 1.0)]];

/// The engines for a property, in lanes.
pub fn lanes(property: &Property) -> &'static [&'static [Leg]] {
    match property {
        Property::Ltl(_) => TEMPORAL_LANES,
        Property::Termination => LIVENESS_LANES,
        _ => SAFETY_LANES,
    }
}

/// An engine of the tables.
pub(crate) fn named(name: &'static str) -> &'static dyn Engine {
    match engine::engine_by_name(name) {
        Some(engine) => engine,
        None => unreachable!("a test looks up every name of the tables"),
    }
}

/// The share of the remaining time for an engine when the lanes alternate: half of its share of the lane, at most half.
pub(crate) fn share_in_turns(share: f64) -> f64 {
    (share / 2.0).min(0.5)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Cost;

    #[test]
    fn every_engine_of_the_tables_exists_and_supports_the_property() {
        for (property, stages) in
            [(Property::UnreachCall, SAFETY), (Property::Termination, TERMINATION), (Property::Ltl(None), TEMPORAL)]
        {
            let in_stages = stages.iter().filter_map(|s| match s.engines {
                Choice::One(name) => Some(name),
                Choice::Lanes => None,
            });
            let in_lanes = lanes(&property).iter().flat_map(|lane| lane.iter().map(|leg| leg.0));
            let prelude = property.is_safety().then_some(PRELUDE.0);
            for name in in_stages.chain(in_lanes).chain(prelude) {
                let engine = engine::engine_by_name(name).unwrap_or_else(|| panic!("there is no engine {name}"));
                assert!(engine.supports(&property), "{name}: {}", property.name());
            }
            for name in stages.iter().flat_map(|s| s.when).filter_map(|w| match w {
                When::Unfinished(name) | When::Exhausted(name) => Some(name),
                _ => None,
            }) {
                let runs = stages.iter().any(|s| s.engines == Choice::One(name));
                assert!(runs, "no stage runs {name}");
            }
        }
        for step in OVERFLOWING {
            if let Choice::One(name) = step.engines {
                assert!(engine::engine_by_name(name).is_some_and(|e| e.supports(&Property::Termination)), "{name}");
            }
        }
    }

    #[test]
    fn shares_are_shares_and_something_always_runs() {
        for stages in [SAFETY, TERMINATION, TEMPORAL] {
            assert!(stages.iter().all(|s| s.share > 0.0 && s.share <= 1.0));
            for last in [When::Coarse, When::NotCoarse] {
                assert!(stages.iter().any(|s| s.when == [last] && s.share == 1.0 && s.engines == Choice::Lanes));
            }
        }
    }

    #[test]
    fn quick_engines_are_at_the_heads_of_lanes() {
        for property in [Property::UnreachCall, Property::Termination, Property::Ltl(None)] {
            for lane in lanes(&property) {
                let costs: Vec<Cost> = lane.iter().map(|leg| named(leg.0).profile().cost).collect();
                assert!(costs.is_sorted(), "{lane:?}");
            }
        }
    }

    #[test]
    fn every_engine_is_in_some_table() {
        let listed = |name: &str| {
            [Property::UnreachCall, Property::Termination, Property::Ltl(None)].iter().any(|p| {
                PRELUDE.0 == name
                    || ALL_STATES.0 == name
                    || lanes(p).iter().any(|lane| lane.iter().any(|leg| leg.0 == name))
                    || stages(p, &Settings::default()).iter().any(|s| matches!(s.engines, Choice::One(n) if n == name))
            })
        };
        for engine in engine::engines() {
            assert!(listed(engine.name()), "{} never runs by itself", engine.name());
        }
    }
}
