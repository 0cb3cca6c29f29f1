//! `craig-proof-check`: checks proofs of unsatisfiability that were printed.
//!
//! `craig-proof-check SCRIPT.smt2 OUTPUT` checks the proofs that `craig smt` has printed for `get-proof`;
//! `craig-proof-check PROBLEM.cnf PROOF.lrat` a refutation in LRAT, of any solver. Nothing is searched for. The exit
//! status is 0 if all proofs are accepted, 1 if one is not, and 2 if the arguments or files cannot be read.

use smt::focused::cnf::Cnf;
use smt::lrat;
use smt::script::proof_file::{ProofFileError, check_proofs};
use std::process::ExitCode;

const USAGE: &str = "usage: craig-proof-check SCRIPT.smt2 OUTPUT\n       craig-proof-check PROBLEM.cnf PROOF.lrat";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [problem, proof] = &arguments[..] else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let read = |path: &String| std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"));
    let (problem_text, proof_text) = match read(problem).and_then(|p| Ok((p, read(proof)?))) {
        Ok(texts) => texts,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    };
    let unreadable = |error: &str| {
        eprintln!("error: {error}");
        ExitCode::from(2)
    };
    let checked = if problem.ends_with(".cnf") {
        let cnf = match Cnf::parse(&problem_text) {
            Ok(cnf) => cnf,
            Err(error) => return unreadable(&format!("{problem}:{error}")),
        };
        lrat::check(&cnf, &proof_text).map(|n| vec![format!("{n} derived clauses")])
    } else {
        match check_proofs(&problem_text, &proof_text) {
            Ok(reports) if reports.is_empty() => return unreadable(&format!("{problem} has no get-proof command")),
            Ok(reports) => Ok(reports.iter().map(ToString::to_string).collect()),
            Err(ProofFileError::Unreadable(error)) => return unreadable(&error),
            Err(ProofFileError::Rejected(error)) => Err(error),
        }
    };
    match checked {
        Ok(reports) => {
            reports.iter().for_each(|report| println!("accepted: {report}"));
            ExitCode::SUCCESS
        }
        Err(error) => {
            println!("rejected: {error}");
            ExitCode::from(1)
        }
    }
}
