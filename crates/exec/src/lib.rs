//! Running programs: everything that follows single executions or single states of a graph.
//!
//! * [`interp`]: exact execution by [`logic::Model::eval`], slowly: replay of counterexamples, random runs, and runs with the choices of another run.
//!   This is what a *violated* rests on; [`guided`] does the same for executions that are kept as their choices, with compiled code for the middle.
//! * [`execution`]: all executions at once, on compiled code with unknown values.
//! * [`states`], [`fair_states`], [`reached`], [`schedules`]: searches that visit states one by one, in depth-first order, in breadth-first order
//!   between loop heads, along a product of threads, and cheapest schedule first.
//! * [`repetition`]: executions that come back to a state; [`drift`]: what endless executions move.
//!
//! Nothing here decides anything by a solver. The checker makes sets of states by an evaluator of its own (`check::explore`); `docs/architecture.md`
//! lists what it takes from here.

mod compiled;
pub mod drift;
pub mod execution;
pub mod fair_states;
mod fidelity;
pub mod guided;
pub mod interp;
mod ranges;
pub mod reached;
pub mod repetition;
pub mod schedules;
pub mod states;
mod valuation;
