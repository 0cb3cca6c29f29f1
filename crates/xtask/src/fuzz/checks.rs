//! Random incremental scripts, answered by us, by brute force and by the oracles.

use super::fragment::Fragment;
use super::generator::Generator;
use super::oracle::Oracle;
use super::{Counts, Disagreement, Options, asked, models};
use base::Budget;
use logic::{SatResult, Solver, TermId};
use smt::{SmtOptions, SmtSolver};
use std::fmt::Write as _;
use std::time::Instant;

enum Command {
    Push,
    Pop(usize),
    Assert(TermId),
    Check,
}

fn script(g: &mut Generator) -> Vec<Command> {
    let mut commands = Vec::new();
    let mut depth = 0;
    let n = 3 + g.below(8);
    for _ in 0..n {
        match g.below(12) {
            0 => {
                commands.push(Command::Push);
                depth += 1;
            }
            1 if depth > 0 => {
                let n = 1 + g.below(depth);
                commands.push(Command::Pop(n));
                depth -= n;
            }
            2 | 3 => commands.push(Command::Check),
            _ => {
                let d = 1 + g.below(4);
                commands.push(Command::Assert(g.formula(d)));
            }
        }
    }
    commands.push(Command::Check);
    commands
}

fn text(g: &mut Generator, commands: &[Command]) -> String {
    let terms: Vec<TermId> =
        commands.iter().filter_map(|c| if let Command::Assert(t) = c { Some(*t) } else { None }).collect();
    let terms = super::spelling::spelt_out(&mut g.pool, &terms);
    let mut assertions = terms.iter();
    let mut out = g.pool.smtlib_declarations(&terms);
    let mut depth = 0;
    for c in commands {
        match c {
            Command::Push => depth += 1,
            Command::Pop(n) => depth -= n,
            Command::Assert(_) | Command::Check => {}
        }
        let _ = match c {
            Command::Push => writeln!(out, "(push 1)"),
            Command::Pop(n) => writeln!(out, "(pop {n})"),
            Command::Assert(_) => match assertions.next() {
                Some(&t) => writeln!(out, "(assert {})", g.pool.smtlib(t)),
                None => Ok(()),
            },
            Command::Check => writeln!(out, "(check-sat)"),
        };
    }
    // A script ends at the level where it began: others follow it.
    let _ = writeln!(out, "(pop {depth})");
    out
}

/// How many scripts an oracle gets at once.
const BATCH: usize = 200;

pub(super) fn run(
    fragment: Fragment,
    seeds: std::ops::Range<u64>,
    oracles: &[Oracle],
    options: &Options,
    counts: &mut Counts,
) -> Vec<Disagreement> {
    let mut found = Vec::new();
    let mut batch: Vec<(u64, String, Vec<&'static str>)> = Vec::new();
    let last = seeds.end - 1;
    for seed in seeds {
        let mut g = Generator::new(seed, fragment);
        let constants = g.constants("", 3);
        g.speak(constants);
        let commands = script(&mut g);
        let text = text(&mut g, &commands);
        if options.show {
            println!("; seed {seed}\n{text}");
        }
        match answers(&mut g, seed, &commands, options, counts) {
            Ok(answers) => batch.push((seed, text, answers)),
            Err(what) => found.push(Disagreement { seed, report: format!("{what}\n{text}") }),
        }
        if batch.len() == BATCH || seed == last {
            compare(asked(oracles, counts), &batch, options, counts, &mut found);
            batch.clear();
        }
        if !found.is_empty() && !options.keep_going {
            break;
        }
    }
    found
}

/// Our answers to the checks, each tested by what needs no other solver.
fn answers(
    g: &mut Generator,
    seed: u64,
    commands: &[Command],
    options: &Options,
    counts: &mut Counts,
) -> Result<Vec<&'static str>, String> {
    let mut solver = SmtSolver::new(SmtOptions { proofs: seed.is_multiple_of(2), ..SmtOptions::default() });
    let mut live: Vec<TermId> = Vec::new();
    let mut marks: Vec<usize> = Vec::new();
    let mut answers = Vec::new();
    for command in commands {
        match command {
            Command::Push => {
                solver.push();
                marks.push(live.len());
            }
            Command::Pop(n) => {
                solver.pop(*n);
                for _ in 0..*n {
                    live.truncate(marks.pop().unwrap_or(0));
                }
            }
            Command::Assert(t) => {
                solver.assert(&mut g.pool, *t);
                live.push(*t);
            }
            Command::Check => {
                counts.checks += 1;
                let started = Instant::now();
                let answer = solver.check(&mut g.pool, &Budget::with_timeout(options.limit));
                counts.note_time(started.elapsed(), seed);
                answers.push(match &answer {
                    SatResult::Sat => {
                        counts.sat += 1;
                        "sat"
                    }
                    SatResult::Unsat => {
                        counts.unsat += 1;
                        match solver.check_refutation(&mut g.pool) {
                            None | Some(Ok(_)) => {}
                            Some(Err(error)) => return Err(format!("the refutation is wrong: {error}")),
                        }
                        if models::find(g, &live).is_some() {
                            return Err(format!("check {}: we say unsat, but a model exists", answers.len()));
                        }
                        "unsat"
                    }
                    SatResult::Unknown(why) => {
                        counts.unanswered(why, seed);
                        "unknown"
                    }
                });
            }
        }
    }
    Ok(answers)
}

fn compare(
    oracles: &[Oracle],
    batch: &[(u64, String, Vec<&'static str>)],
    options: &Options,
    counts: &mut Counts,
    found: &mut Vec<Disagreement>,
) {
    let scripts: Vec<&String> = batch.iter().map(|(_, text, _)| text).collect();
    for oracle in oracles {
        for ((seed, text, ours), mut theirs) in batch.iter().zip(oracle.ask(&scripts, options.limit)) {
            let differ = |(our, their): (&&str, &String)| *our != "unknown" && their != "unknown" && our != their;
            if ours.iter().zip(&theirs).any(differ) {
                theirs = oracle.ask_again(text, options.limit);
            }
            for (k, (our, their)) in ours.iter().zip(&theirs).enumerate() {
                match (*our, their.as_str()) {
                    ("sat", "unsat") | ("unsat", "sat") => {
                        let report = format!("check {k}: we say {our}, {} says {their}\n{text}", oracle.name());
                        found.push(Disagreement { seed: *seed, report });
                    }
                    ("sat", "sat") | ("unsat", "unsat") => counts.confirm(oracle, 1, 0),
                    _ => {}
                }
            }
        }
    }
}
