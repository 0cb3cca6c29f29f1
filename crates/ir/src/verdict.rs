//! What is asked of a program and what is answered.

use crate::icfg::{EdgeId, Icfg, Label, LocId};
use crate::interleave::concurrent::{ActionId, PlaceId};
use crate::interleave::modular::Ownership;
use crate::program::{Check, ProcId, Stmt, Subproperty, VarId};
use base::Stop;
use logic::{Model, TermId, TermPool, Value};
use std::collections::{BTreeMap, BTreeSet};

/// A property of a whole program.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Property {
    /// No error is reached: no error function is called, no assertion fails.
    UnreachCall,
    /// This one function is never called, as a property file says it.
    UnreachCallOf(String),
    NoOverflow,
    ValidMemsafety,
    ValidMemcleanup,
    Termination,
    NoDataRace,
    /// No deadlock: no threads wait for each other forever.
    NoDeadlock,
    /// No integer is divided by zero.
    NoDivisionByZero,
    /// No shift by a negative amount, or by the width or more.
    NoInvalidShift,
    /// No uninitialised variable, member or byte is read.
    NoUninitialisedRead,
    /// No access through a null pointer, or through one that was made of it.
    NoNullDereference,
    /// Nothing whose behaviour C leaves undefined, of all kinds that are checked.
    Undefined,
    /// That, no error, and no lost memory.
    All,
    /// The formula, or `None`: it stands in the program's text.
    Ltl(Option<String>),
}

impl Property {
    /// The name on the command line and in results.
    pub fn name(&self) -> &'static str {
        match self {
            Property::UnreachCall | Property::UnreachCallOf(_) => "unreach-call",
            Property::NoOverflow => "no-overflow",
            Property::ValidMemsafety => "valid-memsafety",
            Property::ValidMemcleanup => "valid-memcleanup",
            Property::Termination => "termination",
            Property::NoDataRace => "no-data-race",
            Property::NoDeadlock => "no-deadlock",
            Property::NoDivisionByZero => "no-division-by-zero",
            Property::NoInvalidShift => "no-invalid-shift",
            Property::NoUninitialisedRead => "no-uninitialised-read",
            Property::NoNullDereference => "no-null-dereference",
            Property::Undefined => "undefined",
            Property::All => "all",
            Property::Ltl(_) => "ltl",
        }
    }
    /// Is it about errors that the program text names?
    pub fn is_unreach_call(&self) -> bool {
        matches!(self, Property::UnreachCall | Property::UnreachCallOf(_))
    }
    /// The kinds of its checks; none if it is not a property of single steps.
    pub fn subproperties(&self) -> &'static [Subproperty] {
        use Subproperty as S;
        match self {
            Property::UnreachCall | Property::UnreachCallOf(_) => &[S::UnreachCall],
            Property::NoOverflow => &[S::NoOverflow],
            Property::ValidMemsafety => &[S::ValidDeref, S::ValidFree, S::ValidMemtrack],
            Property::ValidMemcleanup => &[S::ValidMemcleanup],
            Property::NoDataRace => &[S::NoDataRace],
            Property::NoDeadlock => &[S::NoDeadlock],
            Property::NoDivisionByZero => &[S::NoDivisionByZero],
            Property::NoInvalidShift => &[S::NoInvalidShift],
            Property::NoUninitialisedRead => &[S::NoUninitialisedRead],
            Property::NoNullDereference => &[S::NoNullDereference],
            Property::Undefined => &[
                S::NoOverflow,
                S::NoDivisionByZero,
                S::NoInvalidShift,
                S::NoUninitialisedRead,
                S::ValidDeref,
                S::ValidFree,
            ],
            Property::All => &[
                S::UnreachCall,
                S::NoOverflow,
                S::NoDivisionByZero,
                S::NoInvalidShift,
                S::NoUninitialisedRead,
                S::ValidDeref,
                S::ValidFree,
                S::ValidMemtrack,
            ],
            Property::Termination | Property::Ltl(_) => &[],
        }
    }
    /// Is it decided by the reachability of error locations alone?
    pub fn is_safety(&self) -> bool {
        !matches!(self, Property::Termination | Property::Ltl(_))
    }
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    Stopped(Stop),
    /// Something the tool does not handle: what and where, ready to print.
    Unsupported(String),
    /// The engine does not check such properties: which, and which engine.
    UnsupportedProperty(String),
    /// The engine cannot continue: why.
    Incomplete(String),
    /// The engine has exhausted its search space without an answer: why.
    Exhausted(String),
    /// An execution was found that depends on something that is not modelled exactly: what.
    NotExact(String),
    /// An execution was found that depends on undefined behaviour: where, and which.
    Undefined(String),
    /// Evidence that did not pass its check: a bug in Craig.
    Rejected(String),
    /// Something else went wrong in Craig.
    Internal(String),
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Reason::Stopped(stop) => write!(f, "{stop}"),
            Reason::Unsupported(what) => write!(f, "unsupported: {what}"),
            Reason::UnsupportedProperty(what) => write!(f, "unsupported: property {what}"),
            Reason::Incomplete(why) | Reason::Exhausted(why) | Reason::NotExact(why) | Reason::Undefined(why) => {
                f.write_str(why)
            }
            Reason::Rejected(why) => write!(f, "certificate rejected: {why}"),
            Reason::Internal(why) => write!(f, "internal error: {why}"),
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
    /// As `Violated`, by an execution of the graph as built that is too long to be listed.
    ViolatedFar(Guide),
    /// Termination is violated: this execution never ends.
    NonTerminating(Box<NonTermination>),
    Unknown(Reason),
}

/// Evidence for *holds*, about the graph that the engine was given.
#[derive(Clone, Debug)]
pub enum Certificate {
    /// An inductive annotation that excludes every error location.
    Annotation(Annotation),
    /// No execution passes the head of a loop more than this many times from entering the loop to leaving it, and
    /// none reaches an error: the checker unwinds the graph itself.
    Unwinding(u32),
    /// The same bound, where an error ends an execution: none is infinite.
    FiniteUnwinding(u32),
    /// All executions together make at most this many steps and reach no error: the checker executes the graph itself.
    Execution(u64),
    /// All executions together make at most this many steps, where an error ends them: none is infinite.
    FiniteExecution(u64),
    /// There are finitely many states, the steps from all of them together are at most this many, and none is at an
    /// error: the checker makes them itself.
    States(u64),
    /// The same for the graph in which conditionals are branches ([`crate::conditionals`]).
    StatesOfBranches(u64),
    /// There are finitely many states, the steps from all of them together are at most this many, and no cycle of them
    /// satisfies the Büchi condition of the graph: the checker makes them itself.
    FairStates {
        steps: u64,
        /// Variables that are known up to the cells that comparisons cut the integers into.
        wide: Vec<VarId>,
    },
    /// Contracts for the procedures of the graph in which loops are tail recursion
    /// ([`crate::tail_recursion`], then [`crate::Icfg::ensure_old_vars`]).
    TailRecursive(Annotation),
    /// An inductive annotation of the graph with holders for the elements of these arrays ([`crate::holders`]).
    Holders(Vec<VarId>, Annotation),
    /// No execution is infinite.
    Termination(Box<TerminationProof>),
    /// Of a program with threads ([`crate::interleave::concurrent`]): enough of its interleavings, annotated.
    Interleavings(Box<Interleavings>),
    /// Of a program with threads: a formula for each place of one thread, which the others keep, whatever their number.
    OwickiGries(Box<OwickiGries>),
    /// Facts about each thread of a graph with threads, which the others leave alone, and which exclude every error
    /// location.
    Threads(Box<crate::thread_facts::ThreadProof>),
}

/// An annotation of threads by Owicki and Gries; what has to hold is listed by [`crate::interleave::modular`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OwickiGries {
    /// At places of the root and of the first instance of each procedure, over shared variables, those of the thread,
    /// and ghosts; absent means `true`.
    pub formulas: BTreeMap<PlaceId, TermId>,
    pub ownerships: Vec<Ownership>,
    /// Constants that stand for the threads.
    pub selves: Vec<TermId>,
}

/// Why no thread of a [`Concurrent`](crate::interleave::concurrent::Concurrent) reaches an error: for each thread with
/// errors a set of interleavings, annotated as by Floyd and Hoare, such that every shortest execution to an error of
/// that thread can be reordered into one of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Interleavings {
    /// By the thread whose errors are excluded.
    pub reductions: BTreeMap<usize, Vec<ReducedNode>>,
}

/// A set of states of a program with threads, and how it continues from there. The first node of a reduction is the
/// start.
///
/// Take the shortest executions to an error, and among them the one that is least when at every node `next` gives the
/// order of what can be done, and what is not in `next` comes last. It is one of the reduction:
///
/// * What it does next is an action of `threads`. Otherwise the first action of one of them would be possible here
///   already, and could be done first, as it commutes with all that the others may do from here on. And there is one:
///   the others alone reach no error.
/// * It is none of `sleep`. Such an action came before another in `next` at an earlier node, and commutes with all that
///   was done since: it could have been done there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReducedNode {
    /// Where tokens are, sorted.
    pub marking: Vec<PlaceId>,
    /// Holds in every state of the node.
    pub formula: TermId,
    /// Actions that need not be followed, sorted.
    pub sleep: Vec<ActionId>,
    /// Only actions of these threads are followed, sorted.
    pub threads: Vec<usize>,
    /// Every action of these threads that can be taken and does not sleep, with the node it leads to; `None`: it cannot
    /// be taken in a state of the node.
    pub next: Vec<(ActionId, Option<usize>)>,
}

/// Why no execution is infinite: modules, each of which rules out a set of infinite paths, and together all.
///
/// Paths between cut points are the letters. Each module is a deterministic automaton over them, with one ghost
/// constant for each component of its rank. A path is ruled out if it has no execution (some module reaches a state
/// whose formula is false), or if some module passes `Decrease` states infinitely often and `Waiting` and `Seed` states
/// only finitely often: from the last seed on its rank would decrease forever.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TerminationProof {
    /// For graphs with calls: contracts that hold (partial correctness). The rest of the proof is then about
    /// [`crate::pending_calls::without_returns`] with these contracts.
    pub summaries: Annotation,
    /// Every cycle of the graph passes through one of these. The initial location counts as one.
    pub cut_points: BTreeSet<LocId>,
    pub modules: Vec<RankingModule>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RankingModule {
    /// Compared lexicographically; over the variables in scope. Integer or real terms. Empty: the module only
    /// knows paths without executions.
    pub rank: Vec<TermId>,
    /// The constants that hold the rank at the last seed, one per component.
    pub ghosts: Vec<TermId>,
    /// The first one is initial; its formula must be true.
    pub states: Vec<ModuleState>,
    /// The successor of a state under a path (its edges, from cut point to cut point).
    pub edges: BTreeMap<(usize, Vec<EdgeId>), usize>,
}

impl RankingModule {
    /// The loop that ends because the rank falls: the smallest one around all steps that change the rank while the
    /// module tracks it, or else the place where it is compared. `graph` is the one that the proof is about.
    pub fn loop_head(&self, graph: &Icfg, pool: &TermPool) -> Option<LocId> {
        let decreases = |state: usize| self.states[state].mode == ModuleMode::Decrease;
        let compared = self.edges.iter().find(|(_, to)| decreases(**to)).and_then(|((_, path), _)| path.last());
        let compared = graph.edges[*compared?].dst;
        let changing = self.changing_steps(graph, pool);
        if changing.is_empty() {
            return Some(compared);
        }
        let contains = |body: &BTreeSet<LocId>| {
            changing.iter().all(|e| body.contains(&graph.edges[*e].src) && body.contains(&graph.edges[*e].dst))
        };
        let around = graph.loop_bodies(graph.entry()).into_iter().filter(|(_, body)| contains(body));
        Some(around.min_by_key(|(_, body)| body.len()).map_or(compared, |(head, _)| head))
    }

    /// The steps from one decrease to the next, without a loss between them, that change what the rank speaks about.
    pub fn changing_steps(&self, graph: &Icfg, pool: &TermPool) -> BTreeSet<EdgeId> {
        let tracks = |state: usize| matches!(self.states[state].mode, ModuleMode::Tracking | ModuleMode::Decrease);
        let decreases = |state: usize| self.states[state].mode == ModuleMode::Decrease;
        let steps: Vec<(usize, usize, &Vec<EdgeId>)> = self
            .edges
            .iter()
            .filter(|((from, _), to)| tracks(*from) && tracks(**to))
            .map(|((from, path), to)| (*from, *to, path))
            .collect();
        let closure = |forward: bool| -> BTreeSet<usize> {
            let mut seen: BTreeSet<usize> = (0..self.states.len()).filter(|s| decreases(*s)).collect();
            loop {
                let more = steps.iter().map(|(a, b, _)| if forward { (*a, *b) } else { (*b, *a) });
                let more: Vec<usize> =
                    more.filter(|(a, b)| seen.contains(a) && !seen.contains(b)).map(|s| s.1).collect();
                if more.is_empty() {
                    return seen;
                }
                seen.extend(more);
            }
        };
        let (after, before) = (closure(true), closure(false));
        let between = |state: &usize| after.contains(state) && before.contains(state);
        let constants: BTreeSet<TermId> = self.rank.iter().flat_map(|t| pool.free_constants(*t)).collect();
        let changes = |edge: &&EdgeId| {
            let assigned: Vec<VarId> = match &graph.edges[**edge].label {
                Label::Stmt(Stmt::Assign(pairs)) => pairs.iter().map(|p| p.0).collect(),
                Label::Stmt(Stmt::Havoc(variables, _)) => variables.clone(),
                _ => Vec::new(),
            };
            assigned.iter().any(|v| constants.contains(&graph.vars[*v].term))
        };
        let on_the_way = steps.iter().filter(|(a, b, _)| between(a) && between(b)).flat_map(|(_, _, path)| path.iter());
        on_the_way.filter(changes).copied().collect()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ModuleState {
    pub mode: ModuleMode,
    /// Holds on arrival: over the variables, and in `Tracking` states the ghosts.
    pub formula: TermId,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ModuleMode {
    /// The ghosts mean nothing.
    Waiting,
    /// On arrival the ghosts take the present rank.
    Seed,
    /// The ghosts hold the rank at the last seed or decrease.
    Tracking,
    /// On arrival the rank is smaller than the ghosts: some component is smaller by at least 1 than its ghost, which is
    /// at least 0, and no component before it is larger than its ghost. Then the ghosts take the present rank.
    Decrease,
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

/// An execution as its choices, in order; everything else is recomputed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Guide {
    /// Values of all variables at the start.
    pub initial: BTreeMap<VarId, Value>,
    pub choices: Vec<Choice>,
    pub n_steps: u64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// The edge that was taken where several were open.
    Edge(EdgeId),
    /// The values of a havoc's variables, or of the callee's results and locals at a call.
    Values(Vec<Value>),
}

/// An accepted execution.
#[derive(Clone, Debug)]
pub struct Run {
    pub steps: Vec<RunStep>,
    /// The check that it violates.
    pub check: Check,
    /// Values of the variables at the start, as far as the counterexample gives them.
    pub initial: Vec<(VarId, Value)>,
    /// Axioms that could not be evaluated, by index.
    pub unchecked_axioms: Vec<usize>,
}

/// A step and what it changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunStep {
    pub edge: EdgeId,
    /// Variables that have another value after the step, in the scope after it.
    pub changed: Vec<(VarId, Value)>,
    /// What a havoc chose, whether or not it changed anything; at a call, the values that the execution gives to the
    /// callee's locals.
    pub chosen: Vec<(VarId, Value)>,
    /// The number of open activations after the step; the root's is the first.
    pub depth: usize,
    /// Steps before this one that are not listed (replays of a [`Guide`]).
    pub n_left_out: u64,
}

impl Run {
    /// With those that are not listed.
    pub fn n_steps(&self) -> u64 {
        self.steps.iter().map(|step| 1 + step.n_left_out).sum()
    }
    /// Are all steps listed?
    pub fn is_whole(&self) -> bool {
        self.steps.iter().all(|step| step.n_left_out == 0)
    }
}

/// An execution that never ends: a finite execution, then a loop that can be repeated forever. For graphs with calls it
/// is one of [`crate::pending_calls::without_returns`] (with any contracts; it must not skip a call).
#[derive(Clone, Debug)]
pub struct NonTermination {
    /// From the initial location to where the loop starts.
    pub stem: Counterexample,
    /// The steps of the loop, back to where it starts.
    pub cycle: Vec<CycleStep>,
    /// Over the variables. Holds after the stem; from every state in which it holds the loop can be taken, and
    /// then it holds again.
    pub recurrence: TermId,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CycleStep {
    pub edge: EdgeId,
    /// The values chosen by this step's havoc, over the variables before the step.
    pub chosen: BTreeMap<VarId, TermId>,
}
