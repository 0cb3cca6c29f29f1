//! The intermediate representation: what front ends produce and engines consume.
//!
//! * [`Program`]: procedures over typed variables, bodies as flat lists of instructions with labels
//!   and gotos. Expressions are terms of a [`logic::TermPool`] over the variables' constants.
//! * [`Icfg`]: the interprocedural control-flow graph of a program: locations, edges, call and
//!   return edges, error locations. Engines work on this, possibly after inlining and block encoding.
//! * [`Transition`]: an edge as a formula over unprimed and primed variables.
//! * [`Property`], [`Verdict`], [`Certificate`], [`Counterexample`], [`Run`]: what is asked and what is answered.
//!
//! This crate does no search: it knows no solver and no engine, and executes nothing.

pub mod blocks;
mod build;
pub mod compact;
pub mod conditionals;
pub mod dataflow;
pub mod dot;
pub mod holders;
mod icfg;
pub mod inline;
pub mod interleave;
pub mod linking;
pub mod loops;
pub mod passive;
pub mod pending_calls;
mod program;
pub mod slicing;
pub mod source;
pub mod ssa;
pub mod switches;
pub mod tail_recursion;
pub mod temporal;
pub mod text;
pub mod thread_facts;
pub mod thread_loops;
mod transition;
mod verdict;
pub mod verify;

pub use dataflow::{VarIndex, influential};
pub use icfg::{CallSite, CallSiteId, Edge, EdgeId, Icfg, IcfgProc, Label, LocId, Location};
pub use program::{
    Body, Check, Event, EventKind, Fidelity, Instr, InstrKind, LabelId, Nondet, Note, Observations, Observed,
    Operation, ProcId, Procedure, Program, Remark, RemarkKind, STANDARD_INPUT, Spec, Stmt, Subject, Subproperty, VarId,
    VarKind, VarRole, Variable,
};
pub use transition::{Leaf, PartEdge, Parts, Projection, Transition, primed, weakest_pre_of_stmt};
pub use verdict::{
    Annotation, Certificate, Choice, Contract, Counterexample, CycleStep, Guide, Interleavings, ModuleMode,
    ModuleState, NonTermination, OwickiGries, Property, RankingModule, Reason, ReducedNode, Run, RunStep,
    TerminationProof, TraceStep, Verdict,
};
