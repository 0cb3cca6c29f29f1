//! The strategy as data: which translations of a program are tried with which engines, in which order and for how long.
//!
//! [`stages`] is the whole strategy. A [`Stage`] is a translation ([`Form`]), a choice of engines, a share of the time
//! that is left, what is accepted as an answer, and when the stage is worth the time. [`lanes`] are the engines that
//! work on one translation: with several jobs the lanes run side by side; with one job all quick engines come first,
//! then the lanes take turns. `craig check --explain-plan` prints both for a program. [`crate::strategy`] works the
//! stages off.
//!
//! Shares were chosen by running SV-COMP tasks with time limits between 5 and 60 seconds; none depends on a single
//! task.

use crate::settings::{Engines, Settings};
use engine::{Engine, Wants};
use ir::Property;
pub use ir::slicing::Depth;

/// A way to make a program of the source.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Form {
    /// Over mathematical integers (or what the user asked for), all schedules of threads.
    AsIs,
    /// Each thread runs to its end where it is created: that soon shows violations that need no interleaving.
    ThreadsAtOnce,
    /// Arithmetic that wraps around counts as a violation: without it, it is the plain arithmetic that invariants are
    /// made of.
    NoWrap,
    /// Over bit-vectors: exact where mathematical integers are not.
    Words,
    /// With checks for all undefined behaviour, at which executions end.
    Checked,
    /// As it is, without what the checks do not depend on: for proofs only.
    Sliced(Depth),
}

impl Form {
    pub fn name(self) -> &'static str {
        match self {
            Form::AsIs => "as it is",
            Form::ThreadsAtOnce => "threads at once",
            Form::NoWrap => "no wrap-around",
            Form::Words => "bit-vectors",
            Form::Checked => "undefined behaviour ends executions",
            Form::Sliced(Depth::Data) => "slice of data",
            Form::Sliced(Depth::Guards) => "slice with guards",
        }
    }
    /// The translation of the source that it is made from.
    pub(crate) fn translated(self) -> Form {
        match self {
            Form::Sliced(_) => Form::AsIs,
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

/// When a stage is worth the time; all conditions of a stage must hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// The program is in C.
    C,
    Threads,
    NoThreads,
    /// Everything in the program is modelled, so that there can be a proof.
    Modelled,
    /// Mathematical integers are too coarse for the program, and bit-vectors are less so.
    Coarse,
    /// They are not.
    NotCoarse,
    /// Some arithmetic may wrap around.
    MayWrap,
    /// An engine ran before, and ended for want of time or memory.
    Unfinished(&'static str),
    /// An engine ran before, and has looked at everything it can look at.
    Exhausted(&'static str),
}

impl When {
    pub fn name(self) -> String {
        match self {
            When::C => "C".to_string(),
            When::Threads => "threads".to_string(),
            When::NoThreads => "no threads".to_string(),
            When::Modelled => "everything is modelled".to_string(),
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
    use Form::{AsIs, Checked, NoWrap, Sliced, ThreadsAtOnce, Words};
    use When::{C, Coarse, Exhausted, MayWrap, Modelled, NoThreads, NotCoarse, Threads, Unfinished};
    &[
        // What locks and the order of threads exclude needs no interleaving.
        stage(AsIs, One("lock-sets"), 0.3, Proofs, &[Threads, Modelled]),
        // The fewer variables matter, the fewer states and interleavings there are.
        stage(Sliced(Data), One("states"), 0.1, Proofs, &[Threads, Modelled]),
        // Where threads share a few numbers all their executions are made in no time.
        stage(AsIs, One("execution"), 0.05, Answers, &[Threads]),
        stage(AsIs, One("states"), 0.25, Proofs, &[Threads, Modelled]),
        stage(Sliced(Data), One("reduced-interleavings"), 0.05, Proofs, &[Threads, Modelled]),
        stage(Sliced(Guards), One("states"), 0.1, Proofs, &[Threads, Modelled]),
        // A schedule cannot be replayed in a program with more checks, so they are in this one from the start.
        stage(Checked, One("schedules"), 0.35, Violations, &[Threads]),
        stage(AsIs, One("states"), 0.5, Proofs, &[Threads, Modelled, Unfinished("states"), Exhausted("schedules")]),
        // One thread at a time, then few interleavings that stand for all.
        stage(AsIs, One("thread-modular"), 0.1, Proofs, &[Threads, Modelled]),
        stage(AsIs, One("reduced-interleavings"), 0.4, Answers, &[Threads]),
        stage(AsIs, One("petri"), 0.4, Answers, &[Threads]),
        stage(ThreadsAtOnce, Lanes, 0.15, Answers, &[C, Threads]),
        // Executions over words cost no more than others, and none of them is too coarse.
        stage(Words, One("execution"), 0.05, Answers, &[Coarse, NoThreads]),
        stage(Words, One("random-testing"), 0.05, Answers, &[Coarse, NoThreads]),
        // What a look at intervals proves needs no more, and few states are soon made; then loops that soon end are
        // unwound, exactly. The engine itself spends little time where one does not.
        stage(AsIs, One("abstract-interpretation"), 0.1, Proofs, &[C, NoThreads, Modelled]),
        stage(AsIs, One("explicit-states"), 0.04, Proofs, &[NoThreads, Modelled]),
        // In large programs most steps do not matter.
        stage(Sliced(Data), One("abstract-interpretation"), 0.05, Proofs, &[NoThreads, Modelled]),
        stage(Sliced(Data), One("explicit-states"), 0.03, Proofs, &[NoThreads, Modelled]),
        stage(Words, One("unwinding"), 0.5, Answers, &[C, NoThreads]),
        stage(Sliced(Data), Lanes, 0.08, Proofs, &[NoThreads, Modelled]),
        stage(Sliced(Guards), Lanes, 0.12, Proofs, &[NoThreads, Modelled]),
        stage(AsIs, Lanes, 0.15, Answers, &[MayWrap]),
        stage(NoWrap, Lanes, 0.4, Answers, &[MayWrap]),
        stage(AsIs, Lanes, 1.0, Answers, &[NotCoarse]),
        stage(AsIs, Lanes, 0.4, Answers, &[Coarse]),
        stage(Words, Lanes, 1.0, Answers, &[Coarse]),
    ]
};

/// Termination: first, do all loops soon end?
const TERMINATION: &[Stage] = {
    use Accept::{Answers, Proofs};
    use Choice::{Lanes, One};
    use Form::{AsIs, Words};
    use When::{C, Coarse, Modelled, NoThreads, NotCoarse};
    &[
        stage(Words, One("unwinding"), 0.3, Proofs, &[C, NoThreads, Modelled]),
        stage(AsIs, Lanes, 1.0, Answers, &[NotCoarse]),
        stage(AsIs, Lanes, 0.4, Answers, &[Coarse]),
        stage(Words, Lanes, 1.0, Answers, &[Coarse]),
    ]
};

/// Other properties of infinite executions.
const TEMPORAL: &[Stage] = {
    use Accept::Answers;
    use Choice::Lanes;
    use Form::{AsIs, Words};
    use When::{Coarse, NotCoarse};
    &[
        stage(AsIs, Lanes, 1.0, Answers, &[NotCoarse]),
        stage(AsIs, Lanes, 0.4, Answers, &[Coarse]),
        stage(Words, Lanes, 1.0, Answers, &[Coarse]),
    ]
};

/// Of the time, for the translation that fits an engine best.
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
            let form = own.map_or(Form::AsIs, |s| s.form);
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
    /// Do executions end where they overflow? Otherwise numbers just go on growing.
    pub ends_at_overflow: bool,
    pub engines: Choice,
    /// Of the time of the stage.
    pub share: f64,
    pub accept: Accept,
    /// With several jobs it runs beside the other steps, for as long as they do.
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

/// One engine run of a lane, by name, with its share of the time that is left; the last one of a lane gets all of it.
pub type Leg = (&'static str, f64);

/// Before the lanes, for safety: it answers, or proves some checks and finds edges that no execution takes; the lanes
/// are given the rest.
pub const PRELUDE: Leg = ("abstract-interpretation", 0.15);

/// Of the time of a stage with that engine alone, for the graph in which procedures that would have many copies are
/// called.
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
    // Taipan closes loops whose interpolants go on unrolling, but is slower where trace abstraction needs many rounds.
    // On loops WHALE comes last: it finds few proofs that the others miss, but some.
    &[("trace-abstraction", 0.4), ("taipan", 0.4), ("kojak", 0.6), ("whale", 1.0)],
];

/// Before the steps, for temporal properties: on the program in which numbers go on growing for a proof, on the other
/// one for a violation.
pub const ALL_STATES: Leg = ("explicit-states", 0.3);

/// The share of the time for making an execution smaller.
pub const SHRINK_SHARE: f64 = 0.1;

/// The share of the time for engines for safety, where a violation is decided by a finite part of an execution.
pub const SAFETY_SHARE: f64 = 0.35;

/// The engine whose invariants strengthen the product before lassos are looked for, and its share of the time.
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

/// The share of the time that is left for an engine when the lanes take turns: half of its share of the lane, at most
/// half.
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
