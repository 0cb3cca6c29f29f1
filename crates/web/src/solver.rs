//! Questions about formulas: SMT-LIB scripts, and interpolants that are focused on assignments.

use crate::request::{Interpolate, Solve};
use base::Budget;
use serde_json::{Value, json};
use smt::focused::cnf::{self, Cnf};
use smt::focused::{Focus, FocusError, Labels, Query, Refuted, VerifiedBy, export};
use smt::{ScriptOptions, run_script};
use std::time::Duration;

/// Runs a script.
pub fn solve(asked: &Solve, budget: &Budget) -> Value {
    let mut output = Vec::new();
    let options =
        ScriptOptions { check_timeout: Some(Duration::from_millis(asked.timeout_ms)), ..ScriptOptions::default() };
    match run_script(asked.script.as_bytes(), &mut output, &options, budget) {
        Ok(summary) => json!({
            "kind": "solve",
            "output": String::from_utf8_lossy(&output),
            "errors": summary.n_errors,
            "statistics": summary.statistics.iter().map(|(n, v)| (n.to_string(), *v)).collect::<std::collections::BTreeMap<_, _>>(),
        }),
        Err(error) => json!({ "kind": "failed", "message": error.to_string() }),
    }
}

/// Refutes a formula once, and interpolates it under the first none, one, two, … of the assigned literals.
pub fn interpolate(asked: &Interpolate, budget: &Budget) -> Value {
    match interpolants(asked, budget) {
        Ok(reply) => reply,
        Err(message) => json!({ "kind": "failed", "message": message }),
    }
}

fn interpolants(asked: &Interpolate, budget: &Budget) -> Result<Value, String> {
    let labels =
        Labels::from_name(&asked.labelling).ok_or_else(|| format!("unknown labelling '{}'", asked.labelling))?;
    let focus = match asked.focus.as_str() {
        "lpais" => Focus::Lpais,
        "restricted" => Focus::Restricted,
        "propagated" => Focus::Propagated,
        "smallest" => Focus::Smallest,
        other => return Err(format!("unknown focus '{other}'")),
    };
    let formula = Cnf::parse(&asked.cnf).map_err(|e| e.to_string())?;
    let (n_vars, n_clauses) = (formula.n_vars, formula.clauses.len());
    let literal = |n: &i64| cnf::literal(*n).ok_or_else(|| format!("'{n}' is not a literal; write e.g. 3 or -3"));
    let assignment: Vec<smt::sat::Lit> = asked.assignment.iter().map(literal).collect::<Result<_, _>>()?;
    let refuted = Refuted::prove(formula, budget).map_err(|e| e.to_string())?;
    let mut answers = Vec::new();
    for n in 0..=assignment.len() {
        let query =
            Query { splits: vec![asked.split], assignment: assignment[..n].to_vec(), labels: labels.clone(), focus };
        answers.push(match refuted.interpolate_verified(&query, budget) {
            Ok((found, by)) => json!({
                "assigned": asked.assignment[..n],
                "size": found.sizes().first(),
                "interpolant": found.gates.first().map(|&g| export::smtlib(&found.circuit, g)),
                "verified": match by { VerifiedBy::Derivation => "along the derivation", VerifiedBy::Solver => "with the solver" },
            }),
            // Without any assignment nothing else will help.
            Err(e @ (FocusError::ClauseFalsified(_) | FocusError::UnknownVariable(_) | FocusError::AssignedBothWays(_))) if n > 0 => {
                json!({ "assigned": asked.assignment[..n], "why": e.to_string() })
            }
            Err(e) => return Err(e.to_string()),
        });
    }
    Ok(
        json!({ "kind": "interpolate", "variables": n_vars, "clauses": n_clauses, "proof": refuted.dag.len(), "answers": answers }),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_answered() {
        let script = "(set-option :produce-models true)(set-logic QF_LIA)(declare-fun x () Int)(assert (> x 3))(check-sat)(get-value (x))(assert (< x 2))(check-sat)";
        let reply = solve(&Solve { script: script.to_string(), timeout_ms: 5_000 }, &Budget::unlimited());
        let output = reply["output"].as_str().expect("output");
        assert!(output.starts_with("sat\n((x 4))\nunsat"), "{output}");
    }

    #[test]
    fn interpolants_shrink_with_the_assignment() {
        // x1, x1 -> x2 | x2 -> x3, not x3
        let cnf = "p cnf 3 4\n1 0\n-1 2 0\n-2 3 0\n-3 0\n".to_string();
        let asked = |assignment: Vec<i64>| Interpolate {
            cnf: cnf.clone(),
            split: 2,
            assignment,
            labelling: "mcmillan".to_string(),
            focus: "propagated".to_string(),
            timeout_ms: 5_000,
        };
        let reply = interpolate(&asked(vec![1, 2, -3]), &Budget::unlimited());
        let answers = reply["answers"].as_array().expect("answers");
        assert_eq!(answers.len(), 4, "{reply}");
        // Variable 2 is all that both sides share.
        assert!(answers[0]["interpolant"].as_str().is_some_and(|i| i.contains("x2") || i.contains('2')), "{reply}");
        assert!(answers[2]["interpolant"] == "true" || answers[2]["interpolant"] == "false", "{reply}");
        let satisfiable = Interpolate { cnf: "p cnf 1 1\n1 0\n".to_string(), split: 0, ..asked(vec![]) };
        assert!(
            interpolate(&satisfiable, &Budget::unlimited())["message"]
                .as_str()
                .is_some_and(|m| m.contains("satisfiable"))
        );
    }
}
