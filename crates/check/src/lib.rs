//! The checker of evidence: nothing is reported as *holds* or *violated* that did not pass here.
//!
//! * [`check_certificate`] proves that an annotation is inductive and excludes every error, that an
//!   unwinding covers every path, or that the execution of the whole program meets no error.
//! * [`check_nontermination`] checks that an execution never ends.
//! * [`check_counterexample`] replays an execution in the interpreter.
//!
//! This crate cannot see the engines, and no engine can see it. It joins all paths between annotated
//! locations itself ([`ir::passive`]) and asks a solver of its own. Under [`Options::paranoid`] every
//! refutation of that solver is re-checked step by step by code that cannot search.

mod annotation;
mod explore;
mod interleavings;
mod owicki_gries;
mod repair;
mod simplify;
mod states;
mod termination;
mod threads;
mod unwinding;

pub use annotation::excluded_errors;
pub use repair::inductive_part;
pub use simplify::simplify_certificate;
pub use termination::{check_nontermination, truths_in_cycle};

use base::{Budget, Stop};
use ir::interleave::concurrent::Concurrent;
use ir::{Certificate, Counterexample, Guide, Icfg, Interleavings, OwickiGries};
use logic::{FastMap, SatResult, Solver, TermId, TermPool, UnknownReason, Value};
use smt::SmtSolver;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Check every refutation of the solver step by step.
    pub paranoid: bool,
}

/// Why evidence was not accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rejection {
    /// It is wrong: what fails, and where.
    Wrong(String),
    /// It could not be checked within the limits or the solver's powers.
    Unchecked(String),
    /// An execution that depends on something that is not modelled exactly.
    NotExact(String),
    Stopped(Stop),
}

impl std::fmt::Display for Rejection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Rejection::Wrong(what) => f.write_str(what),
            Rejection::Unchecked(why) | Rejection::NotExact(why) => write!(f, "could not be checked: {why}"),
            Rejection::Stopped(stop) => write!(f, "{stop} while checking"),
        }
    }
}

impl From<Stop> for Rejection {
    fn from(stop: Stop) -> Rejection {
        Rejection::Stopped(stop)
    }
}

/// Is the certificate a proof? That no error location of the graph can be reached; for a
/// [`Certificate::Termination`], a [`Certificate::FiniteExecution`] and a [`Certificate::FiniteUnwinding`], that no
/// execution of it is infinite.
pub fn check_certificate(
    pool: &mut TermPool,
    icfg: &Icfg,
    certificate: &Certificate,
    options: Options,
    budget: &Budget,
) -> Result<(), Rejection> {
    if let Certificate::Threads(proof) = certificate {
        return threads::check(pool, icfg, proof, options, budget);
    }
    if icfg.has_threads() {
        return Err(Rejection::Unchecked("threads".to_string()));
    }
    match certificate {
        Certificate::Annotation(annotation) => annotation::check(pool, icfg, annotation, options, budget),
        Certificate::TailRecursive(annotation) => {
            let (mut graph, _) = ir::tail_recursion::loops_to_recursion(icfg, pool);
            graph.ensure_old_vars(pool);
            annotation::check(pool, &graph, annotation, options, budget)
        }
        Certificate::Holders(links, annotation) => match ir::holders::with_holders(icfg, pool, links) {
            Some(with) => annotation::check(pool, &with.icfg, annotation, options, budget),
            None => Err(Rejection::Wrong("holders of blocks in a graph that cannot have them".to_string())),
        },
        Certificate::Execution(steps) => states::check_execution(pool, icfg, *steps, false, options, budget),
        Certificate::FiniteExecution(steps) => states::check_execution(pool, icfg, *steps, true, options, budget),
        Certificate::States(steps) => states::check_states(pool, icfg, *steps, budget),
        Certificate::FairStates { steps, wide } => states::check_cycles(pool, icfg, (*steps, wide), budget),
        Certificate::StatesOfBranches(steps) => {
            let branches = ir::conditionals::as_branches(icfg, pool);
            states::check_states(pool, &branches, *steps, budget)
        }
        Certificate::Unwinding(n) => unwinding::check(pool, icfg, *n, false, options, budget),
        Certificate::FiniteUnwinding(n) => unwinding::check(pool, icfg, *n, true, options, budget),
        Certificate::Termination(proof) => termination::check(pool, icfg, proof, options, budget),
        Certificate::Interleavings(_) | Certificate::OwickiGries(_) => {
            Err(Rejection::Wrong("threads where there are none".to_string()))
        }
        Certificate::Threads(proof) => threads::check(pool, icfg, proof, options, budget),
    }
}

/// Do formulas at places of single threads show that no thread of a program reaches an error, whatever the number of
/// threads?
pub fn check_owicki_gries(
    pool: &mut TermPool,
    program: &Concurrent,
    proof: &OwickiGries,
    options: Options,
    budget: &Budget,
) -> Result<(), Rejection> {
    owicki_gries::check(pool, program, proof, options, budget)
}

/// Does the proof show that no thread of a program reaches an error?
pub fn check_interleavings(
    pool: &mut TermPool,
    program: &Concurrent,
    proof: &Interleavings,
    options: Options,
    budget: &Budget,
) -> Result<(), Rejection> {
    interleavings::check(pool, program, proof, options, budget)
}

/// Does this execution really reach an error location? Returns what happened on the way.
pub fn check_counterexample(
    pool: &TermPool,
    icfg: &Icfg,
    counterexample: &Counterexample,
) -> Result<ir::Run, Rejection> {
    exec::interp::replay(icfg, pool, counterexample).map_err(rejection)
}

/// The same for an execution that is given by its choices.
pub fn check_guide(
    pool: &TermPool,
    icfg: &Icfg,
    guide: &Guide,
    options: Options,
    budget: &Budget,
) -> Result<ir::Run, Rejection> {
    let n_exact = if options.paranoid { u64::MAX } else { states::EXACT_STEPS };
    match exec::guided::follow(icfg, pool, guide, n_exact, &mut || budget.check_now().is_err()) {
        Some(result) => result.map_err(rejection),
        None => Err(budget.check_now().err().unwrap_or(base::Stop::Cancelled).into()),
    }
}

fn rejection(error: exec::interp::ReplayError) -> Rejection {
    use exec::interp::ReplayError;
    match error {
        ReplayError::Overapproximation(..) => Rejection::NotExact(error.to_string()),
        ReplayError::NotEvaluable(..) | ReplayError::Threads(_) => Rejection::Unchecked(error.to_string()),
        ReplayError::Disconnected(_)
        | ReplayError::WrongReturn(_)
        | ReplayError::AssumptionFails(_)
        | ReplayError::AxiomFails(_)
        | ReplayError::IllSorted(..)
        | ReplayError::NoError
        | ReplayError::Block(_) => Rejection::Wrong(error.to_string()),
    }
}

/// Which of several goals do not follow.
enum Refuted {
    None,
    /// The goals that are false in one model.
    These(Vec<bool>),
    Unclear,
}

/// A solver that only answers whether something is impossible.
struct Prover {
    solver: SmtSolver,
    paranoid: bool,
}

impl Prover {
    fn new(pool: &mut TermPool, icfg: &Icfg, options: Options) -> Prover {
        let mut solver = SmtSolver::new(smt::SmtOptions { proofs: options.paranoid, ..Default::default() });
        for &axiom in &icfg.axioms {
            solver.assert(pool, axiom);
        }
        Prover { solver, paranoid: options.paranoid }
    }
    fn assume(&mut self, pool: &mut TermPool, t: TermId) {
        self.solver.assert(pool, t);
    }
    /// `Ok(true)` if the formula contradicts what was assumed.
    fn impossible(&mut self, pool: &mut TermPool, t: TermId, budget: &Budget) -> Result<bool, Rejection> {
        if t == TermId::FALSE {
            return Ok(true);
        }
        self.solver.push();
        self.solver.assert(pool, t);
        let result = self.solver.check(pool, budget);
        let answer = match result {
            SatResult::Sat => Ok(false),
            SatResult::Unsat if self.paranoid => self.recheck(pool),
            SatResult::Unsat => Ok(true),
            SatResult::Unknown(UnknownReason::Stopped(stop)) => Err(Rejection::Stopped(stop)),
            SatResult::Unknown(UnknownReason::Incomplete(why)) => Err(Rejection::Unchecked(why)),
        };
        self.solver.pop(1);
        answer
    }

    /// Looks for a model of a formula in which one of the goals is false. Nothing is concluded from it that an answer
    /// depends on.
    fn refuted(
        &mut self,
        pool: &mut TermPool,
        guard: TermId,
        goals: &[TermId],
        budget: &Budget,
    ) -> Result<Refuted, Rejection> {
        let all = pool.and(goals);
        let negated = pool.not(all);
        let fails = pool.and(&[guard, negated]);
        if fails == TermId::FALSE {
            return Ok(Refuted::None);
        }
        self.solver.push();
        self.solver.assert(pool, fails);
        let answer = match self.solver.check(pool, budget) {
            SatResult::Unsat => Refuted::None,
            SatResult::Sat => match self.solver.model() {
                Some(model) => {
                    let mut memo = FastMap::default();
                    let mut is_false = |&g: &TermId| model.eval_memo(pool, g, &mut memo) == Ok(Value::Bool(false));
                    Refuted::These(goals.iter().map(&mut is_false).collect())
                }
                None => Refuted::Unclear,
            },
            SatResult::Unknown(_) => Refuted::Unclear,
        };
        self.solver.pop(1);
        budget.check_now()?;
        Ok(answer)
    }

    /// Re-checks the last refutation step by step.
    fn recheck(&self, pool: &mut TermPool) -> Result<bool, Rejection> {
        let Some((proof, root, atoms)) = self.solver.refutation() else {
            return Err(Rejection::Unchecked("the solver kept no refutation".to_string()));
        };
        let formula = |id| self.solver.formula(id);
        smt::proof_check::check_refutation(pool, proof, root, atoms, &formula)
            .map_err(|e| Rejection::Unchecked(format!("a refutation of the solver is wrong: {e}")))?;
        Ok(true)
    }
}
