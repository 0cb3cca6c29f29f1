//! The verification engines, one algorithm a module, and what they share.
//!
//! An [`Engine`] gets a [`Task`] (a control-flow graph and a property) and a [`Ctx`] (terms, budget, observer)
//! and answers with a [`Verdict`](ir::Verdict) about exactly that graph. Engines never import engines, never print
//! and never read the clock: progress and phases go through the [`Observer`], limits through the
//! [`Budget`](base::Budget).

pub mod abstract_interpretation;
mod affine;
mod bmc;
pub mod buchi;
mod candidate_atoms;
mod cell_morphing;
mod complete_unwinding;
pub mod endless;
mod execution;
mod explicit_states;
mod fixpoint;
mod framework;
pub mod hoare;
mod houdini;
mod impact;
mod indexed_predicates;
mod interpolant_automata;
mod kojak;
pub mod lasso_ranking;
mod lock_sets;
mod memory_facts;
mod petri;
pub mod predicate_abstraction;
mod predicate_exchange;
mod prepared;
pub mod profile;
mod random_testing;
mod reduced_interleavings;
mod refinement;
mod schedules;
mod states;
pub mod summaries;
mod taipan;
mod thread_modular;
mod threads;
mod trace_abstraction;
pub mod trace_check;
mod unfolding;
mod whale;

pub use framework::{Ctx, Engine, Facts, Observer, Phase, Predicates, Silent, Stats, Task};
pub use profile::{Cost, Feature, Gives, Profile, Wants};

/// All engines, in the order in which they are listed to users.
pub fn engines() -> Vec<&'static dyn Engine> {
    vec![
        &trace_abstraction::TraceAbstraction,
        &taipan::Taipan,
        &kojak::Kojak,
        &impact::Impact,
        &predicate_abstraction::PredicateAbstraction { config: predicate_abstraction::Config::DEFAULT },
        &whale::Whale,
        &abstract_interpretation::AbstractInterpretation,
        &affine::Affine,
        &cell_morphing::CellMorphing,
        &memory_facts::MemoryFacts,
        &indexed_predicates::IndexedPredicates,
        &bmc::Bmc,
        &complete_unwinding::CompleteUnwinding,
        &execution::Execution,
        &random_testing::RandomTesting,
        &buchi::Buchi,
        &endless::Endless,
        &lock_sets::LockSets,
        &states::States,
        &schedules::Schedules,
        &thread_modular::ThreadModular,
        &petri::Petri,
        &reduced_interleavings::ReducedInterleavings,
        &explicit_states::ExplicitStates,
    ]
}

/// The engine of this name.
pub fn engine_by_name(name: &str) -> Option<&'static dyn Engine> {
    engines().into_iter().find(|e| e.name() == name)
}
