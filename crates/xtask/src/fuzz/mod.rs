//! Differential fuzzing of the solver: `cargo xtask fuzz-smt`.
//!
//! Two kinds of runs, both made from a fragment ([`fragment`]) and a seed, by one generator of terms ([`generator`]):
//!
//! * [`checks`]: incremental scripts; every *unsat* is compared with all (or many) small models ([`models`]), every
//!   refutation is checked, and every answer is compared with those of other solvers ([`oracle`]). A *sat* needs no
//!   more: the solver has evaluated its model against the assertions.
//! * [`interpolants`]: contradictory groups of formulas; binary, sequence and tree interpolants are computed for random
//!   shapes, labellings and strengths, and verified by a fresh solver, a share of them by another one.
//! * [`mixed`]: pairs of sets of literals whose theories have to talk about each other's local terms; for each logic
//!   the number of queries, refused ones and verified ones.
//!
//! The same options give the same runs. What was not decided or not found is counted and printed, never hidden.

mod checks;
mod fragment;
mod generator;
mod interpolants;
mod mixed;
mod models;
mod oracle;
mod spelling;

use fragment::Fragment;
use oracle::Oracle;
use std::collections::BTreeMap;
use std::time::Duration;

pub(crate) const USAGE: &str = "usage: cargo xtask fuzz-smt [--mode checks|interpolants|mixed|all] [--logic NAME,...] [--seed N]
                            [--count N] [--rounds N] [--limit MS] [--oracle-percent P] [--no-oracle]
                            [--size N] [--queries N] [--verify-percent P] [--keep-going] [--show]

Runs COUNT seeds (default 1000) of each logic and mode, ROUNDS times with new seeds, and prints a table. Solvers found
on the path (z3, cvc5) are oracles: of all checks, and of P percent of the interpolation queries (default 100);
z3 of all batches, cvc5 of one in ten. Every check has LIMIT milliseconds (default 5000). Stops at the first
disagreement unless told to go on. Interpolation problems have up to SIZE (default 16) clauses a group, refutations are asked
for QUERIES (default 2) pairs, sequences and trees each, and P percent of the results (default 100) are put to our own
solver.";

/// What was asked for.
pub(crate) struct Options {
    modes: Vec<Mode>,
    logics: Vec<(&'static str, Fragment)>,
    seed: u64,
    count: u64,
    rounds: u64,
    limit: Duration,
    oracle_percent: usize,
    size: usize,
    queries: usize,
    verify_percent: usize,
    use_oracles: bool,
    keep_going: bool,
    show: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Checks,
    Interpolants,
    Mixed,
}

impl Mode {
    fn name(self) -> &'static str {
        match self {
            Mode::Checks => "checks",
            Mode::Interpolants => "interpolants",
            Mode::Mixed => "mixed",
        }
    }
}

impl Options {
    pub(crate) fn parse(args: &[String]) -> Result<Options, String> {
        let mut options = Options {
            modes: vec![Mode::Checks, Mode::Interpolants, Mode::Mixed],
            logics: fragment::LOGICS.to_vec(),
            seed: 1,
            count: 1000,
            rounds: 1,
            limit: Duration::from_secs(5),
            oracle_percent: 100,
            size: 16,
            queries: 2,
            verify_percent: 100,
            use_oracles: true,
            keep_going: false,
            show: false,
        };
        let mut rest = args.iter();
        while let Some(flag) = rest.next() {
            let mut value = || rest.next().ok_or_else(|| format!("{flag} needs a value"));
            let number = |text: &String| text.parse::<u64>().map_err(|_| format!("'{text}' is not a number"));
            match flag.as_str() {
                "--mode" => {
                    options.modes = match value()?.as_str() {
                        "checks" => vec![Mode::Checks],
                        "interpolants" => vec![Mode::Interpolants],
                        "mixed" => vec![Mode::Mixed],
                        "all" => vec![Mode::Checks, Mode::Interpolants, Mode::Mixed],
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
                "--rounds" => options.rounds = number(value()?)?,
                "--limit" => options.limit = Duration::from_millis(number(value()?)?),
                "--oracle-percent" => options.oracle_percent = number(value()?)?.min(100) as usize,
                "--size" => options.size = number(value()?)?.clamp(1, 1000) as usize,
                "--queries" => options.queries = number(value()?)?.min(1000) as usize,
                "--verify-percent" => options.verify_percent = number(value()?)?.min(100) as usize,
                "--no-oracle" => options.use_oracles = false,
                "--keep-going" => options.keep_going = true,
                "--show" => options.show = true,
                other => return Err(format!("unknown option '{other}'")),
            }
        }
        Ok(options)
    }
}

/// What the runs of a logic amounted to.
#[derive(Default)]
struct Counts {
    /// Checks and interpolation queries made.
    checks: u64,
    queries: u64,
    sat: u64,
    unsat: u64,
    /// Why there was no answer, and for which seeds.
    unanswered: BTreeMap<String, Vec<u64>>,
    /// Queries answered from the refutation, without and with mixed literals; from others whose clauses belong to one
    /// side each; and by projection.
    from_refutation: Answered,
    by_mixed_rules: Answered,
    from_pure_refutation: Answered,
    projected: Answered,
    /// Queries whose first result failed a check and was replaced: by seed.
    rejected: Vec<u64>,
    /// Checks and queries that another solver decided too.
    confirmed: BTreeMap<&'static str, (u64, u64)>,
    n_batches: u64,
    n_disagreements: usize,
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
    fn unanswered(&mut self, why: impl ToString, seed: u64) {
        self.unanswered.entry(why.to_string()).or_default().push(seed);
    }
    fn confirm(&mut self, oracle: &Oracle, n_checks: u64, n_queries: u64) {
        let so_far = self.confirmed.entry(oracle.name()).or_default();
        so_far.0 += n_checks;
        so_far.1 += n_queries;
    }
    fn confirmed(&self, oracle: &str) -> (u64, u64) {
        self.confirmed.get(oracle).copied().unwrap_or_default()
    }
}

/// The reasons for missing answers, each with a few seeds.
struct Unanswered<'a>(&'a BTreeMap<String, Vec<u64>>);

impl std::fmt::Display for Unanswered<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (why, seeds) in self.0 {
            write!(
                f,
                "; {why}: {} (seeds {:?}{})",
                seeds.len(),
                &seeds[..seeds.len().min(4)],
                if seeds.len() > 4 { " …" } else { "" }
            )?;
        }
        Ok(())
    }
}

/// Something that must not be: the seed, and the report.
struct Disagreement {
    seed: u64,
    report: String,
}

/// The oracles of the next batch: the first one gets all batches, the others one in ten.
fn asked<'a>(oracles: &'a [Oracle], counts: &mut Counts) -> &'a [Oracle] {
    let n = if counts.n_batches.is_multiple_of(10) { oracles.len() } else { oracles.len().min(1) };
    counts.n_batches += 1;
    &oracles[..n]
}

/// Runs everything; false if there was a disagreement.
pub(crate) fn run(options: &Options) -> bool {
    let oracles = if options.use_oracles { Oracle::found() } else { Vec::new() };
    println!("oracles: {}", oracles.iter().map(Oracle::name).collect::<Vec<_>>().join(", "));
    let mut all: Vec<(Mode, &'static str, Counts)> = Vec::new();
    for &mode in &options.modes {
        for &(logic, fragment) in &options.logics {
            if mode == Mode::Checks || fragment.can_interpolate() {
                all.push((mode, logic, Counts::default()));
            }
        }
    }
    'rounds: for round in 0..options.rounds {
        for (mode, logic, counts) in &mut all {
            let Some(&(_, fragment)) = options.logics.iter().find(|(name, _)| name == logic) else { continue };
            let first = options.seed + round * options.count;
            let seeds = first..first + options.count;
            let found = match mode {
                Mode::Checks => checks::run(fragment, seeds, &oracles, options, counts),
                Mode::Interpolants => interpolants::run(fragment, seeds, &oracles, options, counts),
                Mode::Mixed => mixed::run(fragment, seeds, &oracles, options, counts),
            };
            counts.n_disagreements += found.len();
            for d in &found {
                let name = mode.name();
                println!("DISAGREEMENT: --mode {name} --logic {logic} --seed {} --count 1\n{}", d.seed, d.report);
            }
            if !found.is_empty() && !options.keep_going {
                break 'rounds;
            }
        }
        println!("round {} of {}", round + 1, options.rounds);
        show(&all);
    }
    let n_disagreements: usize = all.iter().map(|(_, _, counts)| counts.n_disagreements).sum();
    let total = |count: fn(&Counts) -> u64| all.iter().map(|(_, _, counts)| count(counts)).sum::<u64>();
    println!(
        "total: {} formulas, {} interpolation queries, {n_disagreements} disagreements",
        total(|c| c.checks),
        total(|c| c.queries)
    );
    n_disagreements == 0
}

/// A line for each logic and mode.
fn show(all: &[(Mode, &'static str, Counts)]) {
    for (mode, logic, counts) in all {
        let (z3, cvc5) = (counts.confirmed("z3"), counts.confirmed("cvc5"));
        println!(
            "{logic:8} {:12} {} checks ({} sat, {} unsat; z3 agrees on {}, cvc5 on {}), {} queries (z3 verified {}, cvc5 {}): \
             {} from refutations, {} with mixed literals, {} from pure refutations, {} by projection, {:.1?} (verification {:.1?}), slowest {:.1?} (seed {}); rejected {} {:?}{}",
            mode.name(),
            counts.checks,
            counts.sat,
            counts.unsat,
            z3.0,
            cvc5.0,
            counts.queries,
            z3.1,
            cvc5.1,
            counts.from_refutation,
            counts.by_mixed_rules,
            counts.from_pure_refutation,
            counts.projected,
            counts.time,
            counts.verification,
            counts.slowest.0,
            counts.slowest.1,
            counts.rejected.len(),
            &counts.rejected[..counts.rejected.len().min(8)],
            Unanswered(&counts.unanswered),
        );
    }
}
