//! What is asked of a program and what is answered.

use crate::icfg::{EdgeId, LocId};
use crate::program::{ProcId, VarId};
use base::Stop;
use logic::{Model, TermId, Value};
use std::collections::BTreeMap;

/// A property of a whole program.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Property {
    UnreachCall,
    NoOverflow,
    ValidMemsafety,
    ValidMemcleanup,
    Termination,
    NoDataRace,
    /// The formula, or `None`: it stands in the program's text.
    Ltl(Option<String>),
}

impl Property {
    /// The name on the command line and in results.
    pub fn name(&self) -> &'static str {
        match self {
            Property::UnreachCall => "unreach-call",
            Property::NoOverflow => "no-overflow",
            Property::ValidMemsafety => "valid-memsafety",
            Property::ValidMemcleanup => "valid-memcleanup",
            Property::Termination => "termination",
            Property::NoDataRace => "no-data-race",
            Property::Ltl(_) => "ltl",
        }
    }
    /// Is it decided by the reachability of error locations alone?
    pub fn is_safety(&self) -> bool {
        match self {
            Property::UnreachCall | Property::NoOverflow | Property::ValidMemsafety | Property::ValidMemcleanup => true,
            Property::Termination | Property::NoDataRace | Property::Ltl(_) => false,
        }
    }
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    Stopped(Stop),
    /// Something the tool does not handle: what and where, ready to print.
    Unsupported(String),
    /// The engine cannot go on: why.
    Incomplete(String),
    /// Evidence that did not pass its check: a bug in Craig.
    Rejected(String),
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Reason::Stopped(stop) => write!(f, "{stop}"),
            Reason::Unsupported(what) => write!(f, "unsupported: {what}"),
            Reason::Incomplete(why) => f.write_str(why),
            Reason::Rejected(why) => write!(f, "certificate rejected: {why}"),
        }
    }
}

impl From<Stop> for Reason {
    fn from(stop: Stop) -> Reason {
        Reason::Stopped(stop)
    }
}

#[derive(Clone, Debug)]
pub enum Verdict {
    Holds(Certificate),
    Violated(Counterexample),
    Unknown(Reason),
}

/// Evidence for *holds*, about the graph that the engine was given.
#[derive(Clone, Debug)]
pub enum Certificate {
    /// An inductive annotation that excludes every error location.
    Annotation(Annotation),
    /// No execution visits any loop head more than this many times (counting along its path), and
    /// none of those reaches an error: the checker unwinds the graph itself.
    Unwinding(u32),
}

/// A Floyd–Hoare annotation. Locations without a formula are bridged by the checker, which joins
/// all paths between annotated ones; every loop head that can be reached needs one (absent means `true`).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Annotation {
    /// Over the variables in scope at the location: globals, `old` variables, and the procedure's own.
    pub invariants: BTreeMap<LocId, TermId>,
    /// For every procedure that is called and can be reached.
    pub contracts: BTreeMap<ProcId, Contract>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contract {
    /// Over globals and parameters.
    pub requires: TermId,
    /// Over globals, `old` variables, parameters and results. (Parameters: at the exit.)
    pub ensures: TermId,
}

/// An execution that violates a check, about the graph that the engine was given.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// Values of all variables at the start (absent: any value, replay takes the sort's default).
    pub initial: BTreeMap<VarId, Value>,
    /// The steps from the initial to an error location.
    pub steps: Vec<TraceStep>,
    /// Interpretation of uninterpreted functions and constants, and of division by zero.
    pub symbols: Model,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceStep {
    pub edge: EdgeId,
    /// The values chosen by this step's havoc, or those of the callee's locals at a call.
    pub chosen: BTreeMap<VarId, Value>,
}
