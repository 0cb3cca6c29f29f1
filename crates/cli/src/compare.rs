//! `craig compare`: the engines side by side on the same programs, as in Table 1 of *Splitting via Interpolants*.
//!
//! One row for each program, engine and block encoding: the answer, the size of the abstraction (splits, tree nodes or
//! automaton states), the number of solver calls (the paper's TPC), refinements, and the time.

use crate::args::{Blocks, CheckArgs, CompareArgs};
use crate::host::System;
use crate::{exit, property};
use base::Budget;
use driver::{BadInput, Outcome, Question, Silent, Source};
use engine::{Engine, Wants};
use report::Answer;
use std::time::Duration;

/// Engines whose graph can be encoded in blocks or not.
const BLOCK_ENGINES: &[&str] = &["kojak", "impact", "predicate-abstraction"];

struct Row {
    engine: String,
    blocks: &'static str,
    answer: Answer,
    size: u64,
    calls: u64,
    rounds: u64,
    wall: Duration,
}

pub(crate) fn run(args: &CompareArgs) -> u8 {
    let property = match property::parse(&args.property) {
        Ok(property) => property,
        Err(message) => {
            eprintln!("craig: {message}");
            return exit::BAD_INPUT;
        }
    };
    let names: Vec<String> = if args.engines.is_empty() {
        let is_usable = |e: &&'static dyn Engine| e.supports(&property) && e.profile().wants != Wants::Threads;
        let usable = engine::engines().into_iter().filter(is_usable);
        usable.map(|e| e.name().to_string()).collect()
    } else {
        args.engines.clone()
    };
    if let Some(unknown) = names.iter().find(|n| engine::engine_by_name(n).is_none()) {
        eprintln!("craig: unknown engine '{unknown}'; `craig engines` lists them");
        return exit::BAD_INPUT;
    }
    println!(
        "{:36} {:22} {:8} {:28} {:>8} {:>8} {:>8} {:>10}",
        "program", "engine", "blocks", "answer", "size", "TPC", "rounds", "seconds"
    );
    let mut status = exit::HOLDS;
    for file in &args.files {
        let mut answers: Vec<bool> = Vec::new();
        for name in &names {
            let modes: &[(Option<Blocks>, &'static str)] = if BLOCK_ENGINES.contains(&name.as_str()) {
                &[(Some(Blocks::Off), "off"), (Some(Blocks::Large), "large")]
            } else {
                &[(None, "-")]
            };
            for &(blocks, shown) in modes {
                let row = match run_one(file, &property, args, name, blocks, shown) {
                    Ok(row) => row,
                    Err(message) => {
                        eprint!("{message}");
                        return exit::BAD_INPUT;
                    }
                };
                let program = file.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
                println!(
                    "{:36} {:22} {:8} {:28} {:>8} {:>8} {:>8} {:>10.3}",
                    program,
                    row.engine,
                    row.blocks,
                    row.answer.to_string(),
                    row.size,
                    row.calls,
                    row.rounds,
                    row.wall.as_secs_f64()
                );
                match row.answer {
                    Answer::Holds => answers.push(true),
                    Answer::Violated(_) => answers.push(false),
                    Answer::Unknown(_) | Answer::BadInput => {}
                }
            }
        }
        answers.dedup();
        if answers.len() > 1 {
            eprintln!("craig: {}: the engines disagree, which is a bug in Craig", file.display());
            status = exit::UNKNOWN;
        }
    }
    status
}

fn run_one(
    file: &std::path::Path,
    property: &ir::Property,
    args: &CompareArgs,
    engine: &str,
    blocks: Option<Blocks>,
    shown: &'static str,
) -> Result<Row, BadInput> {
    let check_args = CheckArgs {
        engine: engine.to_string(),
        data_model: Some(args.data_model),
        c: args.c.clone(),
        timeout: args.timeout,
        memory: args.memory,
        blocks,
        jobs: Some(1),
        ..CheckArgs::of(file)
    };
    let budget = Budget::with_timeout(args.timeout).with_memory_limit(args.memory);
    let source = Source::read(file, &check_args.read_options(), System::new())?.for_property(property)?;
    let settings = check_args.settings().unwrap_or_default();
    let question = Question { single: true, ..Question::new(&source, property, &settings) };
    let answered = driver::check(&question, &budget, &mut Silent);
    let answer = match &answered.outcome {
        Outcome::Unknown(reason) => {
            let text: String = reason.to_string().chars().take(18).collect();
            Answer::Unknown(text)
        }
        other => other.answer(),
    };
    let count = |name: &str| answered.stats.get(name);
    let size = ["splits", "tree vertices", "tree nodes", "largest automaton", "bmc layers", "ARGs"]
        .iter()
        .map(|n| count(n))
        .find(|&n| n > 0)
        .unwrap_or(0);
    Ok(Row {
        engine: engine.to_string(),
        blocks: shown,
        answer,
        size,
        calls: count("solver calls"),
        rounds: count("iterations").max(count("refinements")),
        wall: answered.wall,
    })
}
