//! Running programs: everything that follows single executions or single states of a graph.
//!
//! * [`interp`]: exact execution by [`logic::Model::eval`], slowly: the replay of counterexamples, which every
//!   *violated* rests on. [`guided`] replays executions that are stored as their choices, with compiled code for the
//!   middle of long ones.
//! * [`random`]: random runs. [`driven`]: runs with the choices of another run.
//! * [`execution`]: all executions at once, on compiled code with unknown values.
//! * [`states`] (depth first), [`fair_states`] (breadth first between loop heads) and [`schedules`] (cheapest schedule
//!   first): searches through states one by one; [`reached`]: the part of a product of threads that such a search
//!   reaches.
//! * [`repetition`]: executions that come back to a state. [`drift`]: what changes from iteration to iteration of an
//!   endless execution.
//!
//! There are two representations of states. Compiled code works on registers, for few states and millions of steps;
//! searches through many states share what does not differ (`valuation`), for cheap copies and comparisons. Each has
//! its own set of visited states.
//!
//! Nothing here asks a solver. The checker makes sets of states by an evaluator of its own (`check::explore`);
//! `docs/architecture.md` lists what it takes from here.

mod compiled;
pub mod drift;
pub mod driven;
pub mod execution;
pub mod fair_states;
mod few_values;
mod fidelity;
pub mod guided;
pub mod interp;
pub mod random;
mod ranges;
pub mod reached;
pub mod repetition;
pub mod schedules;
pub mod states;
mod valuation;
