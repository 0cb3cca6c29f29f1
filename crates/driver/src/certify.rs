//! From a verdict to an answer: nothing is answered whose evidence the checker has not accepted.

use crate::graphs::{Graphs, View};
use crate::outcome::{InfiniteExecution, Outcome, Proof, Violation};
use base::Budget;
use check::Rejection;
use ir::interleave::concurrent::Concurrent;
use ir::{Certificate, Fidelity, Property, Reason, Verdict};
use logic::TermPool;

/// What a verdict has to answer.
#[derive(Clone)]
pub(crate) struct Claim {
    pub(crate) property: Property,
    pub(crate) fidelity: Fidelity,
    pub(crate) options: check::Options,
}

/// Why evidence that was not accepted gives no answer.
fn not_accepted(rejection: Rejection) -> Outcome {
    Outcome::Unknown(match rejection {
        Rejection::Stopped(stop) => Reason::Stopped(stop),
        Rejection::Unchecked(why) => Reason::Incomplete(why),
        Rejection::NotExact(what) => Reason::NotExact(what),
        Rejection::Wrong(why) => Reason::Rejected(why),
    })
}

fn violated(graphs: &Graphs, checked: Result<ir::Run, Rejection>) -> Outcome {
    match checked {
        Ok(run) => {
            let original = graphs.original.clone();
            Outcome::Violated(Box::new(Violation { run, original, copies: None, lanes: None, stacks: Vec::new() }))
        }
        Err(rejection) => not_accepted(rejection),
    }
}

/// Turns a proof about the threads of a program into an answer.
pub(crate) fn certify_threads(
    pool: &mut TermPool,
    program: Concurrent,
    certificate: Certificate,
    claim: &Claim,
    budget: &Budget,
) -> Outcome {
    if let Some(remark) = claim.fidelity.unsound.first() {
        return Outcome::Unknown(Reason::Unsupported(remark.message.clone()));
    }
    let checked = match &certificate {
        Certificate::Interleavings(proof) => check::check_interleavings(pool, &program, proof, claim.options, budget),
        Certificate::OwickiGries(proof) => check::check_owicki_gries(pool, &program, proof, claim.options, budget),
        _ => Err(Rejection::Wrong("a certificate that is not about threads".to_string())),
    };
    match checked {
        Ok(()) => {
            let original = program.graph.clone();
            let proof = Proof { certificate, graph: program.graph, map: None, original, copies: None };
            Outcome::Holds(Box::new(proof))
        }
        Err(rejection) => not_accepted(rejection),
    }
}

/// How much is done for an accepted proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Effort {
    /// It is kept unchanged.
    Plain,
    /// The formulas are simplified.
    Simplified,
}

/// Turns a verdict about one of the graphs into an answer by checking its evidence.
pub(crate) fn certify(
    pool: &mut TermPool,
    graphs: &Graphs,
    view: View,
    verdict: Verdict,
    claim: &Claim,
    effort: Effort,
    budget: &Budget,
) -> Outcome {
    let about_another =
        |what: &str| Outcome::Unknown(Reason::Rejected(format!("the {what} is about another property")));
    let graph = graphs.view(view);
    match verdict {
        Verdict::Holds(certificate) => {
            if let Some(remark) = claim.fidelity.unsound.first() {
                return Outcome::Unknown(Reason::Unsupported(remark.message.clone()));
            }
            let proves_termination = matches!(
                certificate,
                ir::Certificate::Termination(_)
                    | ir::Certificate::FiniteExecution(_)
                    | ir::Certificate::FiniteUnwinding(_)
                    | ir::Certificate::FairStates { .. }
            );
            let is_about_infinite = matches!(claim.property, Property::Termination | Property::Ltl(_));
            if proves_termination != is_about_infinite {
                return about_another("certificate");
            }
            match check::check_certificate(pool, graph, &certificate, claim.options, budget) {
                Ok(()) => {
                    let certificate = match effort {
                        Effort::Plain => certificate,
                        Effort::Simplified => {
                            check::simplify_certificate(pool, graph, certificate, claim.options, budget)
                        }
                    };
                    let (map, original) = (graphs.map(view), graphs.original.clone());
                    Outcome::Holds(Box::new(Proof { certificate, graph: graph.clone(), map, original, copies: None }))
                }
                Err(Rejection::Unchecked(why)) => {
                    Outcome::Unknown(Reason::Incomplete(format!("certificate could not be checked: {why}")))
                }
                Err(rejection) => not_accepted(rejection),
            }
        }
        Verdict::Violated(found) => {
            let counterexample = graphs.original_counterexample(view, found);
            violated(graphs, check::check_counterexample(pool, &graphs.original, &counterexample))
        }
        Verdict::ViolatedFar(guide) => {
            violated(graphs, check::check_guide(pool, &graphs.original, &guide, claim.options, budget))
        }
        Verdict::NonTerminating(lasso) => {
            if !matches!(claim.property, Property::Termination | Property::Ltl(_)) {
                return about_another("execution");
            }
            match check::check_nontermination(pool, graph, &lasso, claim.options, budget) {
                Ok(()) => {
                    let (map, original) = (graphs.map(view), graphs.original.clone());
                    let graph = graph.clone();
                    let property = claim.property.clone();
                    Outcome::NonTerminating(Box::new(InfiniteExecution {
                        property,
                        lasso,
                        graph,
                        map,
                        original,
                        observed: None,
                        longer: None,
                        lanes: None,
                    }))
                }
                Err(rejection) => not_accepted(rejection),
            }
        }
        Verdict::Unknown(reason) => Outcome::Unknown(reason),
    }
}
