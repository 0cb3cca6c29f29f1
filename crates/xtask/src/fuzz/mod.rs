//! Differential fuzzing of the solver: `cargo xtask fuzz-smt`.
//!
//! Two kinds of runs, both made from a fragment ([`fragment`]) and a seed, by one generator of terms ([`generator`]):
//!
//! * [`checks`]: incremental scripts; every *unsat* is compared with all (or many) small models ([`models`]), every
//!   refutation is checked, and every answer is compared with those of other solvers ([`oracle`]). A *sat* needs no
//!   more: the solver has evaluated its model against the assertions.
//! * [`interpolants`]: contradictory groups of formulas; binary, sequence and tree interpolants are computed for random
//!   shapes, labellings and strengths, and verified by a fresh solver, a share of them by another one.
//!
//! The same options give the same runs. What was not decided or not found is counted and printed, never hidden.

mod checks;
mod fragment;
mod generator;
mod interpolants;
mod models;
mod oracle;

use fragment::Fragment;
use oracle::Oracle;
use std::collections::BTreeMap;
use std::time::Duration;

pub const USAGE: &str = "usage: cargo xtask fuzz-smt [--mode checks|interpolants|both] [--logic NAME,...] [--seed N]
                            [--count N] [--oracle-percent P] [--no-oracle] [--keep-going] [--show]

Runs N seeds (default 1000) of each logic and mode. Solvers found on the path (z3, cvc5) are oracles: of all
checks, and of P percent of the interpolants (default 5). Stops at the first disagreement unless told to go on.";

/// What was asked for.
pub struct Options {
    modes: Vec<Mode>,
    logics: Vec<(&'static str, Fragment)>,
    seed: u64,
    count: u64,
    oracle_percent: usize,
    use_oracles: bool,
    keep_going: bool,
    show: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Checks,
    Interpolants,
}

impl Options {
    pub fn parse(args: &[String]) -> Result<Options, String> {
        let mut options = Options {
            modes: vec![Mode::Checks, Mode::Interpolants],
            logics: fragment::LOGICS.to_vec(),
            seed: 1,
            count: 1000,
            oracle_percent: 5,
            use_oracles: true,
            keep_going: false,
            show: false,
        };
        let mut rest = args.iter();
        while let Some(flag) = rest.next() {
            let mut value = || rest.next().ok_or_else(|| format!("{flag} needs a value"));
            let number = |text: &String| text.parse::<u64>().map_err(|_| format!("'{text}' is no number"));
            match flag.as_str() {
                "--mode" => {
                    options.modes = match value()?.as_str() {
                        "checks" => vec![Mode::Checks],
                        "interpolants" => vec![Mode::Interpolants],
                        "both" => vec![Mode::Checks, Mode::Interpolants],
                        other => return Err(format!("unknown mode '{other}'")),
                    }
                }
                "--logic" => {
                    options.logics = value()?
                        .split(',')
                        .map(|name| {
                            let known = fragment::LOGICS.iter().find(|(known, _)| *known == name);
                            known.copied().ok_or_else(|| format!("unknown logic '{name}'"))
                        })
                        .collect::<Result<_, _>>()?;
                }
                "--seed" => options.seed = number(value()?)?,
                "--count" => options.count = number(value()?)?,
                "--oracle-percent" => options.oracle_percent = number(value()?)?.min(100) as usize,
                "--no-oracle" => options.use_oracles = false,
                "--keep-going" => options.keep_going = true,
                "--show" => options.show = true,
                other => return Err(format!("unknown option '{other}'")),
            }
        }
        Ok(options)
    }
}

/// What a batch of runs amounted to.
#[derive(Default)]
struct Counts {
    /// Checks and interpolation queries made.
    checks: u64,
    queries: u64,
    sat: u64,
    unsat: u64,
    /// Why there was no answer, and how often.
    unanswered: BTreeMap<String, u64>,
    /// Queries answered from the refutation, and by projection because the refutation could not be read.
    from_refutation: Answered,
    projected: Answered,
    /// Checks that other solvers decided too.
    confirmed: u64,
    time: Duration,
    /// The time that verifying interpolants took.
    verification: Duration,
    slowest: (Duration, u64),
}

/// Queries answered in one way.
#[derive(Default)]
struct Answered {
    n: u64,
    n_formulas: u64,
    /// The sum of the sizes of the interpolants, as graphs.
    size: u64,
    time: Duration,
}

impl std::fmt::Display for Answered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let size = self.size as f64 / self.n_formulas.max(1) as f64;
        let milliseconds = 1000.0 * self.time.as_secs_f64() / self.n.max(1) as f64;
        write!(f, "{} (size {size:.1}, {milliseconds:.2} ms)", self.n)
    }
}

impl Counts {
    fn note_time(&mut self, took: Duration, seed: u64) {
        self.time += took;
        if took > self.slowest.0 {
            self.slowest = (took, seed);
        }
    }
    fn unanswered(&mut self, why: impl ToString) {
        *self.unanswered.entry(why.to_string()).or_default() += 1;
    }
}

/// Something that must not be: the seed, and the report.
struct Disagreement {
    seed: u64,
    report: String,
}

/// Runs everything; false if there was a disagreement.
pub fn run(options: &Options) -> bool {
    let oracles = if options.use_oracles { Oracle::found() } else { Vec::new() };
    println!("oracles: {}", oracles.iter().map(Oracle::name).collect::<Vec<_>>().join(", "));
    let (mut n_checks, mut n_queries, mut n_disagreements) = (0, 0, 0);
    for &mode in &options.modes {
        for &(logic, fragment) in &options.logics {
            if mode == Mode::Interpolants && !fragment.can_interpolate() {
                continue;
            }
            let mut counts = Counts::default();
            let seeds = options.seed..options.seed + options.count;
            let found = match mode {
                Mode::Checks => checks::run(fragment, seeds, &oracles, options, &mut counts),
                Mode::Interpolants => interpolants::run(fragment, seeds, &oracles, options, &mut counts),
            };
            let name = if mode == Mode::Checks { "checks" } else { "interpolants" };
            for d in &found {
                println!("DISAGREEMENT: --mode {name} --logic {logic} --seed {} --count 1\n{}", d.seed, d.report);
            }
            println!(
                "{logic:8} {name:12} {} checks ({} sat, {} unsat, {} confirmed), {} queries: {} from refutations, {} by projection, \
                 {:.1?} (verification {:.1?}), slowest {:.1?} (seed {}){}",
                counts.checks,
                counts.sat,
                counts.unsat,
                counts.confirmed,
                counts.queries,
                counts.from_refutation,
                counts.projected,
                counts.time,
                counts.verification,
                counts.slowest.0,
                counts.slowest.1,
                if counts.unanswered.is_empty() { String::new() } else { format!(", {:?}", counts.unanswered) },
            );
            n_checks += counts.checks;
            n_queries += counts.queries;
            n_disagreements += found.len();
            if !found.is_empty() && !options.keep_going {
                return false;
            }
        }
    }
    println!("total: {n_checks} formulas, {n_queries} interpolation queries, {n_disagreements} disagreements");
    n_disagreements == 0
}
