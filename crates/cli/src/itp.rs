//! `craig itp`: focused interpolants of a propositional formula in DIMACS format.
//!
//! The formula is refuted once; the refutation is reduced if asked; then one answer per assignment
//! is read off it, with one interpolant per split. Answers go to standard output, statistics to
//! standard error. The exit status is 0, 2 for bad input (a satisfiable formula, a split out of
//! range, an assignment that falsifies a clause), 3 if a limit was hit.

use crate::exit;
use crate::units::parse_duration;
use ::smt::focused::cnf::{self, Cnf};
use ::smt::focused::{Focus, FocusError, Interpolants, Labels, Query, Refuted, VerifiedBy, export, sweep};
use ::smt::interpolate::labelled::Label;
use ::smt::reduce::Pass;
use base::Budget;
use clap::{Args, ValueEnum};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Labelling {
    Mcmillan,
    Pudlak,
    McmillanPrime,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum FocusMethod {
    /// The rules of the labelled partial assignment interpolation system on the whole proof
    Lpais,
    /// Ordinary rules on the proof restricted to the assignment: smaller
    Restricted,
    /// The same, restricted further to what follows by unit propagation, and reduced
    Propagated,
    /// The smallest of the three results
    Smallest,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Output {
    Smtlib,
    Aiger,
    Dimacs,
}

#[derive(Args, Debug, Clone)]
pub(crate) struct ItpArgs {
    /// An unsatisfiable formula in DIMACS format (`-`: standard input)
    #[arg(value_name = "FILE.cnf")]
    pub file: PathBuf,
    /// The first N clauses are A, the others B; several splits give a sequence of interpolants
    #[arg(long, required = true, value_name = "N")]
    pub split: Vec<usize>,
    /// Literals to assume, e.g. 1,-7; may be given several times, for one answer each
    #[arg(long, value_name = "LITERALS", allow_hyphen_values = true)]
    pub assign: Vec<String>,
    /// How literals of both sides are labelled: decides the strength
    #[arg(long, value_enum, default_value = "mcmillan", value_name = "L")]
    pub labelling: Labelling,
    /// Labels of single literals, e.g. 3:a,-4:ab,5:b; others as --labelling says
    #[arg(long, value_name = "LABELS", allow_hyphen_values = true)]
    pub label: Option<String>,
    /// How an assignment is used
    #[arg(long, value_enum, default_value = "propagated", value_name = "F")]
    pub focus: FocusMethod,
    /// Proof reductions in order: hash, rp, rpi, lu, lup, regularise, subsume, trim, or `default`
    #[arg(long, value_name = "R", value_delimiter = ',')]
    pub reduce: Vec<String>,
    /// Stop reducing after this number of rounds
    #[arg(long, default_value_t = 5, value_name = "N")]
    pub reduce_rounds: usize,
    /// Stop reducing after this time
    #[arg(long, default_value = "10s", value_parser = parse_duration, value_name = "T")]
    pub reduce_time: Duration,
    /// Merge equivalent gates of the interpolants (simulation and SAT)
    #[arg(long)]
    pub sweep: bool,
    /// Stop looking for equivalent gates after this time
    #[arg(long, default_value = "10s", value_parser = parse_duration, value_name = "T")]
    pub sweep_time: Duration,
    /// Output format
    #[arg(long, value_enum, default_value = "smtlib", value_name = "O")]
    pub output: Output,
    /// Check every interpolant against its definition, and the reduced proof step by step
    #[arg(long)]
    pub verify: bool,
    /// Print sizes and counts
    #[arg(long)]
    pub stats: bool,
    /// Give up after this time
    #[arg(long, default_value = "60s", value_parser = parse_duration, value_name = "T")]
    pub timeout: Duration,
}

pub(crate) fn run(args: &ItpArgs) -> u8 {
    match answer(args) {
        Ok(()) => exit::HOLDS,
        Err((message, status)) => {
            eprintln!("error: {message}");
            status
        }
    }
}

type Failure = (String, u8);

fn bad(message: impl Into<String>) -> Failure {
    (message.into(), exit::BAD_INPUT)
}

fn failure(error: FocusError) -> Failure {
    let status = match error {
        FocusError::Stopped(_) | FocusError::GaveUp(_) | FocusError::BadProof(_) => exit::UNKNOWN,
        FocusError::Satisfiable(_)
        | FocusError::SplitOutOfRange { .. }
        | FocusError::SplitsNotIncreasing
        | FocusError::AssignedBothWays(_)
        | FocusError::UnknownVariable(_)
        | FocusError::ClauseFalsified(_) => exit::BAD_INPUT,
    };
    (error.to_string(), status)
}

fn answer(args: &ItpArgs) -> Result<(), Failure> {
    let name = args.file.display();
    let text = if args.file.as_os_str() == "-" {
        std::io::read_to_string(std::io::stdin()).map_err(|e| bad(e.to_string()))?
    } else {
        std::fs::read_to_string(&args.file).map_err(|e| bad(format!("{name}: {e}")))?
    };
    let formula = Cnf::parse(&text).map_err(|e| bad(format!("{name}:{e}")))?;
    let labels = labels(args)?;
    let passes = passes(&args.reduce)?;
    let assignments: Vec<Vec<::smt::sat::Lit>> = if args.assign.is_empty() {
        vec![Vec::new()]
    } else {
        args.assign.iter().map(|text| assignment(text)).collect::<Result<_, _>>()?
    };
    let focus = match args.focus {
        FocusMethod::Lpais => Focus::Lpais,
        FocusMethod::Restricted => Focus::Restricted,
        FocusMethod::Propagated => Focus::Propagated,
        FocusMethod::Smallest => Focus::Smallest,
    };
    let budget = Budget::with_timeout(args.timeout);
    let mut refuted = Refuted::prove(formula, &budget).map_err(failure)?;
    if args.stats {
        eprintln!("proof nodes            {:>12}", refuted.dag.len());
    }
    if !passes.is_empty() {
        let reduction =
            refuted.reduce(&passes, args.reduce_rounds, &budget.child(args.reduce_time)).map_err(failure)?;
        if args.stats {
            eprintln!("  after {} rounds       {:>12}", reduction.rounds, reduction.nodes_after);
        }
        if args.verify {
            refuted.dag.check().map_err(|e| failure(e.into()))?;
        }
    }
    let mut out = std::io::stdout().lock();
    for assignment in assignments {
        let query = Query { splits: args.split.clone(), assignment, labels: labels.clone(), focus };
        let mut verified = None;
        // A swept interpolant is not the one that the proof derives: only a solver can verify it.
        let mut result = if args.verify && !args.sweep {
            let (result, by) = refuted.interpolate_verified(&query, &budget).map_err(failure)?;
            verified = Some(by);
            result
        } else {
            refuted.interpolate(&query, &budget).map_err(failure)?
        };
        let sizes = result.sizes();
        if args.sweep {
            let (circuit, gates) =
                sweep::sweep(&result.circuit, &result.gates, refuted.cnf.n_vars, &budget.child(args.sweep_time));
            result = Interpolants { circuit, gates };
        }
        if args.verify && verified.is_none() {
            refuted.verify(&query, &result, &budget).map_err(|why| (format!("not verified: {why}"), exit::UNKNOWN))?;
            verified = Some(VerifiedBy::Solver);
        }
        if args.stats {
            for (k, (before, after)) in sizes.iter().zip(result.sizes()).enumerate() {
                eprintln!("interpolant {:<10} {after:>12} nodes{}", k + 1, swept(*before, after));
            }
            match verified {
                Some(VerifiedBy::Derivation) => eprintln!("verified along the derivation"),
                Some(VerifiedBy::Solver) => eprintln!("verified with the solver"),
                None => {}
            }
        }
        // A closed pipe is not an error.
        if out.write_all(print(args.output, &refuted, &query, &result).as_bytes()).is_err() {
            return Ok(());
        }
    }
    Ok(())
}

fn swept(before: usize, after: usize) -> String {
    if before == after { String::new() } else { format!(" ({before} before sweeping)") }
}

fn print(output: Output, refuted: &Refuted, query: &Query, result: &Interpolants) -> String {
    let note = |mark: &str| {
        if query.assignment.is_empty() {
            return String::new();
        }
        let numbers: Vec<String> = query.assignment.iter().map(|&l| cnf::number(l).to_string()).collect();
        format!("{mark} assigned {}\n", numbers.join(" "))
    };
    match output {
        Output::Smtlib => {
            let terms: Vec<String> = result.gates.iter().map(|&g| export::smtlib(&result.circuit, g)).collect();
            format!("{}(\n{}\n)\n", note(";"), terms.join("\n"))
        }
        Output::Aiger => {
            let mut text = export::aiger(&result.circuit, &result.gates);
            let comment = note("");
            if !comment.is_empty() {
                text.push_str("c\n");
                text.push_str(comment.trim_start());
            }
            text
        }
        Output::Dimacs => {
            let mut text = note("c");
            for (k, &gate) in result.gates.iter().enumerate() {
                text.push_str(&format!("c interpolant {}\n", k + 1));
                text.push_str(&export::dimacs(&result.circuit, gate, refuted.cnf.n_vars));
            }
            text
        }
    }
}

fn literal(text: &str) -> Result<::smt::sat::Lit, Failure> {
    text.trim()
        .parse::<i64>()
        .ok()
        .and_then(cnf::literal)
        .ok_or_else(|| bad(format!("'{text}' is not a literal; write e.g. 3 or -3")))
}

fn assignment(text: &str) -> Result<Vec<::smt::sat::Lit>, Failure> {
    text.split(',').filter(|word| !word.trim().is_empty()).map(literal).collect()
}

fn labels(args: &ItpArgs) -> Result<Labels, Failure> {
    let (named, otherwise) = match args.labelling {
        Labelling::Mcmillan => (Labels::McMillan, Label::B),
        Labelling::Pudlak => (Labels::Pudlak, Label::Both),
        Labelling::McmillanPrime => (Labels::McMillanPrime, Label::A),
    };
    let Some(text) = &args.label else { return Ok(named) };
    let mut labels = BTreeMap::new();
    for word in text.split(',') {
        let Some((lit, label)) = word.split_once(':') else {
            return Err(bad(format!("'{word}' is not a label; write e.g. 3:a or -4:ab")));
        };
        let label = match label.trim() {
            "a" => Label::A,
            "b" => Label::B,
            "ab" => Label::Both,
            other => return Err(bad(format!("unknown label '{other}'; use a, b or ab"))),
        };
        labels.insert(literal(lit)?, label);
    }
    Ok(Labels::PerLiteral { labels, otherwise })
}

fn passes(names: &[String]) -> Result<Vec<Pass>, Failure> {
    let mut passes = Vec::new();
    for name in names {
        match name.as_str() {
            "default" => passes.extend(Pass::RECOMMENDED),
            "none" => {}
            other => {
                let known: Vec<&str> = Pass::ALL.iter().map(|p| p.name()).collect();
                let unknown = || bad(format!("unknown reduction '{other}'; use {} or default", known.join(", ")));
                passes.push(Pass::from_name(other).ok_or_else(unknown)?);
            }
        }
    }
    Ok(passes)
}
